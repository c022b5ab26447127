"""The battle screen: both sides' ships, the order bar below them, and the keys that enter orders there.

It opens the history, volleys and dialogs; `view` draws the battle. Rarely needed parts (the history, volleys)
are imported on first use.
"""

from typing import TYPE_CHECKING

from textual.widgets.input import Selection

from qf_tui.console.battle.status import OwedLine
from qf_tui.console.battle.view import BattleView
from qf_tui.console.entry.bar import Alarm, Banner, OrderBar
from qf_tui.console.entry.controller import (
    Drafts,
    EntryController,
    change_entry,
    find_disputable,
    list_hand_entries,
)
from qf_tui.console.reading.source import explain_refusal
from qf_tui.console.widgets.actions import BAR, FIND, GRID
from qf_tui.console.widgets.fields import TextEntry
from qf_tui.core.availability import find_range_slot
from qf_tui.core.errors import QfError
from qf_tui.core.values import Form
from qf_tui.document.acts import build_ship_note
from qf_tui.library.settings import Settings
from qf_tui.session import Session
from qf_tui.session.session import branch_session, copy_to

if TYPE_CHECKING:
    from qf_tui.console.entry.volley import Volleys


LOOK_EVERY_S = 0.1
"""Seconds between two looks of features for what others write."""
WARN_EVERY_S = 1.0
"""Seconds between two checks for warnings of features."""


class BattleScreen(BattleView):
    """An open battle whose orders the umpire enters.

    Attributes:
        warning: Text that is shown when the screen opens.
    """

    places = (GRID, BAR, FIND)
    enters = True

    def __init__(self, session: Session, settings: Settings | None = None, warning: str = "") -> None:
        self.session, self.warning = session, warning
        super().__init__(session, settings, saved=session.journal.path is not None)
        self.save = session.journal.path
        self.orders = OrderBar(session, id="orders")
        self.controller = EntryController(session, self)
        self.drafts = Drafts(self.controller, self.orders)
        self.volleys: Volleys | None = None

    def on_mount(self) -> None:
        """Keep a warning of missing acts on the screen; check for warnings and changes at intervals."""
        if self.session.journal.lacks_acts:
            self.query_one(Alarm).unread = self.notice
        self.set_interval(WARN_EVERY_S, self.warn)
        # `look` imports the features. The first picture must not wait for that.
        self.set_timer(WARN_EVERY_S, lambda: self.set_interval(LOOK_EVERY_S, self.look))

    def take_settings(self, settings: Settings) -> None:
        """Apply settings to the screen and to features, and whether the cursor goes on after a shot."""
        super().take_settings(settings)
        self.session.listen(settings)
        self.drafts.entered = self._go_to_next_ship if settings.walk else None

    def action_branch(self) -> None:
        """Copy the save to a branch next to it, and say its name."""
        text = "saved as a branch next to this save"
        self.with_save(lambda _: self.say(f"{text}: {branch_session(self.session).name}"))

    def action_save_as(self) -> None:
        """Ask for a name, copy the save to it, and continue in the copy."""

        def leave_for(name: str) -> str:
            try:
                self.post_message(self.Left(copy_to(self.session, name)))
            except QfError as fault:
                return str(fault)
            return ""

        title = "Save as: a name, or a path"
        self.with_save(lambda save: self.app.push_screen(TextEntry(title, f"{save.stem}-copy", leave_for)))

    def look(self) -> None:
        """Let the features read what others wrote."""
        for part in self.parts:
            part.look()

    def warn(self) -> None:
        """Show the warnings of the features, unless another warning is on the screen."""
        alarm = self.query_one(Alarm)
        warnings = (*(part.warn() for part in self.parts), self.session.collect_warnings())
        earlier_warning, alarm.standing = alarm.standing, " ".join(filter(None, warnings))
        if alarm.standing != earlier_warning and alarm.text in ("", earlier_warning):
            # This shows the standing warning, or hides the line.
            alarm.show("")

    @property
    def notice(self) -> str:
        """The warning when the screen opens, and the message about the save."""
        return " ".join(filter(None, (self.warning, super().notice)))

    def build_order_line(self) -> OrderBar:
        """Return the order bar."""
        return self.orders

    def on_order_bar_asked(self, event: OrderBar.Asked) -> None:
        """Show in the owed line the roll that the bar now answers."""
        line = self.query_one(OwedLine)
        line.opened = event.key
        line.draw()

    def on_descendant_focus(self) -> None:
        self.show_keys()

    def on_descendant_blur(self) -> None:
        self.show_keys()

    def action_answer(self) -> None:
        self.orders.action_answer()

    def choose(self) -> None:
        """Edit the cell that was clicked twice."""
        self.action_edit()

    def finish_search(self) -> None:
        """Show the preview of the bar again, in whose line the search was."""
        self.orders.update_preview()

    def action_submit(self) -> None:
        self.drafts.submit()

    def action_set_aside(self) -> None:
        """Set half-typed text aside, and go back to the logs."""
        self.drafts.leave_bar()

    def action_open_bar(self) -> None:
        """Open the bar with the text that was set aside, or empty."""
        if not self.orders.restore_stash():
            self.orders.put("")

    def action_drop(self) -> None:
        """Remove the first of these: unread events, an unread warning, the order that was set aside.

        With none of these, show all ships again.
        """
        if self.query_one(Banner).events:
            # This removes the events.
            super().action_drop()
        elif self.query_one(Alarm).clear_unread():
            return
        elif self.orders.keep_for_later(""):
            self.say("dropped the unfinished order")
        else:
            # Without events, this shows all ships.
            super().action_drop()

    def action_keep_cell(self) -> None:
        """Enter the chart cell that was read last into the umpire's own chart."""
        self.controller.keep_cell()

    def action_undo(self) -> None:
        """Show what undoing the last act changes; the umpire then undoes it, or changes the act instead."""
        self.controller.undo(lambda number: change_entry(self.controller, number, self.orders.put))

    def action_doubt(self) -> None:
        """Mark the last entry as disputed, or settle its dispute; without an entry, say so."""
        number = find_disputable(self.session.timeline)
        if number:
            self.controller.toggle_dispute(number)
        else:
            self.say("no entry to dispute yet")

    def action_redo(self) -> None:
        """Show what restoring the last struck act changes, and restore it if the umpire agrees."""
        self.controller.redo()

    def action_next(self) -> None:
        """End the phase, unless a feature holds it; ask first if something is open."""
        reason = next(filter(None, (part.hold_phase() for part in self.parts)), "")
        if reason:
            self.say(reason)
        else:
            self.controller.end_phase(self.orders.action_answer)

    def action_force(self) -> None:
        """Force the refused order in the bar, or the one that is still shown."""
        self.drafts.force()

    def action_edit(self) -> None:
        """Put the order that overwrites the cell under the cursor into the bar, its present value selected.

        The arrow keys go through the orders for the other fields of the cell. On the names, or a column
        without fields, show the ship's card instead.
        """
        ship, column = self.grid.ship, self.grid.cursor_column
        if ship is None:
            return
        if column is None or not column.fields:
            self.action_read("sheet")
            return
        entries = list_hand_entries(self.session.system, ship, column)
        texts = [f"{begun_order} {value}" for begun_order, value in entries]
        self.orders.put(texts[0], variants=texts)
        begun_order, _ = entries[0]
        self.orders.input.selection = Selection(len(begun_order) + 1, len(texts[0]))

    def action_remark(self) -> None:
        """Begin a remark on the ship under the cursor, which her card will show."""
        if self.grid.ship is not None:
            self.orders.put(build_ship_note(self.grid.ship))

    def action_order(self, word: str) -> None:
        """Open the dialog of an order for the ship under the cursor, or continue the one set aside."""
        self.drafts.open(word, self.grid.ship.id if self.grid.ship else "")

    def _go_to_next_ship(self, form: Form) -> None:
        """Move the cursor to the next ship of the division, if the entered order was a shot."""
        if self.grid.ship is not None and find_range_slot(form) is not None:
            self.grid.go_to_next(self.grid.ship.division)

    def action_volley(self) -> None:
        """Open the volley of the division under the cursor."""
        from qf_tui.console.entry.volley import Volleys

        self.volleys = self.volleys or Volleys(self.controller)
        self.volleys.open(self.grid.ship)

    def action_repeat(self) -> None:
        """Open the last shot of the ship under the cursor again, for new dice; if there is none, say so."""
        ship = self.grid.ship
        if not self.drafts.repeat_last(ship.id if ship else ""):
            self.say(f"no shot to repeat for {ship.name if ship else 'nobody'}")

    def action_history(self) -> None:
        from qf_tui.console.history.screen import History

        self.app.push_screen(History(self.session), self._take_from_history)

    def _take_from_history(self, text: str | None) -> None:
        """Draw the battle after the history closed, and put the text that it gave into the bar."""
        self.show()
        # The earlier message may no longer be true.
        self.say("")
        self.orders.update_preview()
        if text:
            self.orders.put(text)

    def action_read(self, what: str) -> None:
        """Show a panel; for `why`, explain instead the refusal in the bar's line, if there is one."""
        refusal = self.orders.message_line.refusal
        if what != "why" or not explain_refusal(self.app, self.session.system, refusal):
            super().action_read(what)
