"""The history of an open battle: its log, and corrections from there."""

from qf_tui.console.entry.amend_dialog import change_entry
from qf_tui.console.entry.controller import EntryController
from qf_tui.console.history.correction_actions import CorrectionActions
from qf_tui.console.history.view import HistoryView
from qf_tui.console.widgets.places import HISTORY, MOVING, PAST, SEARCH
from qf_tui.session import Session


class History(HistoryView):
    """The log of a battle, for corrections; gives what to type in the order bar, or None."""

    places = (HISTORY, MOVING, PAST, SEARCH)
    enters = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.controller = EntryController(session, self)

    def on_mount(self) -> None:
        # Textual mounts what is in the class above right after this.
        self.corrections = CorrectionActions(self.app, self.session, self.controller, self.dismiss)

    @property
    def place(self) -> str:
        place = super().place
        return MOVING if place == HISTORY and self.corrections.moving else place

    async def on_pick_list_chosen(self) -> None:
        self.action_amend()

    def action_back(self) -> None:
        """Goes back one step: drops a move, then the filter, then leaves the log."""
        if self.corrections.moving:
            self.corrections.put_back()
            self.draw()
        else:
            super().action_back()

    def action_remark(self) -> None:
        if self.line is not None:
            self.search.open(f"remark on {self.line.act}", "", None)

    def action_search_done(self) -> None:
        text, remark = self.search.text.strip(), self.search.log_view is None
        super().action_search_done()
        if remark and text and self.line is not None:
            self.corrections.remark(self.line.act, text)

    def action_undo(self) -> None:
        self.controller.undo(lambda number: change_entry(self.controller, number, self.dismiss))

    def action_force(self) -> None:
        """Forces the correction that only a rule refused, while that is still said."""
        if self.controller.refused is None or not self.forceable:
            self.say("nothing to force: no refused correction is on the screen")
        else:
            self.controller.force(None)

    def action_amend(self) -> None:
        if self.line is None:
            return
        if self.corrections.moving:
            self.corrections.put_behind(self.line.act)
            self.draw()
        else:
            self.corrections.amend(self.log_view, self.line)

    def action_strike(self) -> None:
        if self.line is not None:
            self.corrections.strike(self.log_view, self.line.act)

    def action_insert(self) -> None:
        if self.line is not None:
            self.corrections.insert(self.log_view, self.line)

    def action_doubt(self) -> None:
        if self.line is not None:
            self.controller.doubt(self.line.act)

    def action_shift(self) -> None:
        if self.line is not None:
            self.corrections.pick_up(self.line.act)
            self.draw()
