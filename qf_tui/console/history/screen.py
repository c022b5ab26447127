"""The history of an open battle: its log, and corrections from there."""

from collections.abc import Callable, Mapping
from typing import Any

from textual import events
from textual.app import App
from textual.content import Content

from qf_tui.console.entry.controller import EntryController, change_entry
from qf_tui.console.entry.dialog import AmendDialog
from qf_tui.console.entry.form_state import Filling
from qf_tui.console.history.log_view import LogLine, LogView
from qf_tui.console.history.view import HistoryView
from qf_tui.console.widgets.actions import HISTORY, MOVING, PAST, SEARCH, Action
from qf_tui.console.widgets.keys import Hint, form_action, shown_key
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.text import fit, literal
from qf_tui.core.builtin_forms import BUILTIN, RESTORE, SHIFT, STRIKE, all_forms
from qf_tui.core.corrections import insertion
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry
from qf_tui.core.values import Form, Order
from qf_tui.document.acts import note_on_entry
from qf_tui.session import Session

TYPED = "colon"
"""The key that types the order instead."""


class Forgotten(Panel):
    """The orders with a key, those of the phase first; `word` is the chosen one, ":" to type it."""

    def __init__(self, title: str, system: RuleSystem, phase: str) -> None:
        own = sorted(system.forms, key=lambda form: bool(form.phases) and phase not in form.phases)
        self.choices: dict[str, Form] = {}
        for form in (*own, *BUILTIN):
            if form.key and form.slots and form.word != "roll":
                self.choices.setdefault(form.key, form)
        lines = [_line(key, form.title, form.help) for key, form in self.choices.items()]
        lines.append(_line(shown_key(TYPED), "Type it", "any other order, in the order bar"))
        super().__init__(title, lines, (Hint("", "a key chooses"), Hint("escape", "goes back")))
        self.word = ""

    @property
    def keys(self) -> Mapping[str, Action]:
        """The keys of a panel, except those that say yes, and those of the orders."""
        usual = {key: one for key, one in super().keys.items() if one.call.name != "accept"}
        return usual | {key: form_action(form) for key, form in self.choices.items()}

    def other_key(self, event: events.Key) -> None:
        if event.key in (TYPED, "slash"):
            event.stop()
            self.action_order(":")

    def action_order(self, word: str) -> None:
        self.word = word
        self.dismiss(True)


def _line(key: str, title: str, help: str) -> Content:
    return Content.assemble(
        literal(f"  {key}  ", "bold $accent"), literal(fit(title, 22)), literal(f"  {help}", "$quiet")
    )


class CorrectionActions:
    """Begins corrections of one battle; `type_on` puts what no dialog can take into the order bar.

    `moving` is the entry being moved, until the one to put it behind is chosen; 0 if there is none.
    """

    def __init__(
        self, app: App[Any], session: Session, controller: EntryController, type_on: Callable[[str], object]
    ) -> None:
        self.app, self.session = app, session
        self.controller, self.type_on = controller, type_on
        self.moving = 0

    def amend(self, log_view: LogView, line: LogLine) -> None:
        """Opens an entry in its dialog, every slot and die filled in, on the battle before it."""
        timeline, number = log_view.timeline, line.act
        act = timeline.act(number)
        if not isinstance(act, Entry):
            self._say(f"{number} is a correction: s strikes or restores it")
            return
        if number not in log_view.in_force:
            self._say(f"{number} is struck: s restores it, then it can be changed")
            return
        if timeline.versions[number].order.is_phase_end:
            self._say("the end of a phase can be struck, not changed; i inserts an order after another entry")
            return
        change_entry(self.controller, number, self.type_on)

    def insert(self, log_view: LogView, line: LogLine) -> None:
        """Asks which order was forgotten behind an entry, and opens its dialog on the battle there."""
        number = line.act
        if not isinstance(log_view.timeline.act(number), Entry):
            self._say(f"{number} is a correction: put the cursor on the entry after which it was forgotten")
            return
        system, there = self.session.system, log_view.timeline.battle_at(line.after)
        asks = Forgotten(f"Which order was forgotten after entry {number}?", system, there.phase)

        def chosen(yes: bool | None) -> None:
            if not yes:
                return
            if asks.word == ":":
                self.type_on(f"insert {number} ")
                return
            ship = next(iter(log_view.ships_of(number)), "")
            filling = Filling.begun(all_forms(system)[asks.word], ship)
            title = f"Insert after entry {number} · {filling.form.usage}"
            self.app.push_screen(AmendDialog(self.session, filling, enter, title, there))

        def enter(dialog: AmendDialog, order: Order) -> str:
            return self.controller.enter(insertion(number, order), done=dialog.close).text

        self.app.push_screen(asks, chosen)

    def strike(self, log_view: LogView, number: int) -> None:
        """Takes an act out of force, or back."""
        form = STRIKE if number in log_view.in_force else RESTORE
        self.controller.enter(Order(form, {"n": number}), say=True)

    def pick_up(self, number: int) -> None:
        """Begins to move an entry, dice and all."""
        self.moving = number
        keys = "Enter puts it after the entry under the cursor, Esc leaves it"
        self._say(f"moving {number}: {keys}")

    def put_behind(self, after: int) -> None:
        """Moves the entry that was picked up behind another."""
        number, self.moving = self.moving, 0
        self.controller.enter(Order(SHIFT, {"n": number, "m": after}), say=True)

    def put_back(self) -> None:
        """Leaves the entry that was picked up where it is."""
        self.moving = 0
        self._say("nothing was moved")

    def remark(self, number: int, text: str) -> None:
        """Writes a remark on an entry."""
        self.controller.enter_line(note_on_entry(number, text))

    def _say(self, text: str) -> None:
        self.controller.screen.say(text)


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
