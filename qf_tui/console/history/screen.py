"""The history screen of an open battle: its orders in a list, and the keys that correct them."""

from collections.abc import Mapping

from textual import events
from textual.content import Content

from qf_tui.console.entry.controller import EntryController, change_entry
from qf_tui.console.entry.dialog import AmendDialog
from qf_tui.console.entry.form_state import Filling
from qf_tui.console.history.view import HistoryView
from qf_tui.console.widgets.actions import HISTORY, MOVING, PAST, SEARCH, Action
from qf_tui.console.widgets.keys import Hint, build_form_action, format_key
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.text import fit, literal
from qf_tui.core.builtin_forms import BUILTIN, RESTORE, SHIFT, STRIKE, list_forms
from qf_tui.core.corrections import build_insertion
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry
from qf_tui.core.values import Form, Order
from qf_tui.document.acts import build_entry_note
from qf_tui.session import Session

TYPED = "colon"
"""Key to type the order in the bar, instead of choosing it."""


class ForgottenOrder(Panel):
    """A panel that asks which order was forgotten; orders of the phase come first.

    Attributes:
        choices: Form of an order by its key.
        word: Word of the chosen order, or ":" to type it.
    """

    def __init__(self, title: str, system: RuleSystem, phase: str) -> None:
        # Orders of the phase first: of several orders with one key, `setdefault` keeps the first.
        system_forms = sorted(system.forms, key=lambda form: bool(form.phases) and phase not in form.phases)
        self.choices: dict[str, Form] = {}
        # `roll` has no key here: it answers an owed roll, and cannot be forgotten by itself.
        for form in (*system_forms, *BUILTIN):
            if form.key and form.slots and form.word != "roll":
                self.choices.setdefault(form.key, form)
        rows = [(key, form.title, form.help) for key, form in self.choices.items()]
        rows.append((format_key(TYPED), "Type it", "any other order, in the order bar"))
        lines = [
            Content.assemble(
                literal(f"  {key}  ", "bold $accent"), literal(fit(name, 22)), literal(f"  {help}", "$quiet")
            )
            for key, name, help in rows
        ]
        super().__init__(title, lines, (Hint("", "a key chooses"), Hint("escape", "goes back")))
        self.word = ""

    @property
    def keys(self) -> Mapping[str, Action]:
        """The keys of a panel and of the orders. None accepts, because an order must be chosen."""
        panel_keys = {key: action for key, action in super().keys.items() if action.call.name != "accept"}
        return panel_keys | {key: build_form_action(form) for key, form in self.choices.items()}

    def handle_other_key(self, event: events.Key) -> None:
        """Choose to type the order, for the keys that open the bar."""
        if event.key in (TYPED, "slash"):
            event.stop()
            self.action_order(":")

    def action_order(self, word: str) -> None:
        """Close the question with the word of the chosen order, or with ":" to type one."""
        self.word = word
        self.dismiss(True)


class History(HistoryView):
    """The log of an open battle, for corrections.

    Its result is a text for the order bar, or None.

    Attributes:
        moving: Number of the entry being moved, or 0.
    """

    places = (HISTORY, MOVING, PAST, SEARCH)
    enters = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.controller = EntryController(session, self)
        self.moving = 0

    @property
    def place(self) -> str:
        """The place of the keyboard; while an entry is moved, the list has other keys."""
        place = super().place
        return MOVING if place == HISTORY and self.moving else place

    async def on_pick_list_chosen(self) -> None:
        """Open the entry that was clicked twice."""
        self.action_amend()

    def action_back(self) -> None:
        """Go back one step: cancel a move, else clear the filter, leave the logs, or leave the history."""
        if self.moving:
            self.moving = 0
            self.say("nothing was moved")
            self.draw()
        else:
            super().action_back()

    def action_remark(self) -> None:
        """Open the search line to write a remark on the act under the cursor."""
        if self.line is not None:
            self.search.open(f"remark on {self.line.act}", "", None)

    def action_search_done(self) -> None:
        """Close the search line; if it held a remark, enter that."""
        text, remark = self.search.text.strip(), self.search.log_view is None
        super().action_search_done()
        if remark and text and self.line is not None:
            self.controller.enter_line(build_entry_note(self.line.act, text))

    def action_undo(self) -> None:
        """Show what undoing the last act changes; the umpire then undoes it, or changes the act instead."""
        self.controller.undo(lambda number: change_entry(self.controller, number, self.dismiss))

    def action_force(self) -> None:
        """Force the refused correction whose refusal is still shown."""
        if self.controller.refused is None or not self.forceable:
            self.say("nothing to force: no refused correction is on the screen")
        else:
            self.controller.force(None)

    def action_amend(self) -> None:
        """Open the entry under the cursor in its dialog; if another is being moved, move that after this one.

        A correction, a struck entry and the end of a phase cannot be opened: say what to do instead.
        """
        if self.line is None:
            return
        number, timeline = self.line.act, self.log_view.timeline
        if self.moving:
            moved, self.moving = self.moving, 0
            self.controller.enter(Order(SHIFT, {"n": moved, "m": number}), say_refusal=True)
            self.draw()
        elif not isinstance(timeline.find_act(number), Entry):
            self.say(f"{number} is a correction: s strikes or restores it")
        elif number not in self.log_view.in_force:
            self.say(f"{number} is struck: s restores it, then it can be changed")
        elif timeline.versions[number].order.is_phase_end:
            self.say("the end of a phase can be struck, not changed; i inserts an order after another entry")
        else:
            change_entry(self.controller, number, self.dismiss)

    def action_strike(self) -> None:
        """Strike the act under the cursor, or restore it if it is not in force."""
        if self.line is not None:
            form = STRIKE if self.line.act in self.log_view.in_force else RESTORE
            self.controller.enter(Order(form, {"n": self.line.act}), say_refusal=True)

    def action_insert(self) -> None:
        """Ask which order was forgotten after the entry under the cursor, and open its dialog.

        If the umpire chooses to type the order, close the history with the begun insertion for the bar. On a
        correction, say that nothing can be inserted there.
        """
        if self.line is None:
            return
        number, timeline = self.line.act, self.log_view.timeline
        if not isinstance(timeline.find_act(number), Entry):
            self.say(f"{number} is a correction: go to the entry after which the order was forgotten")
            return
        system, battle_then = self.session.system, timeline.battle_at(self.line.after)
        panel = ForgottenOrder(f"Which order was forgotten after entry {number}?", system, battle_then.phase)

        def open_dialog(is_chosen: bool | None) -> None:
            if not is_chosen:
                return
            if panel.word == ":":
                self.dismiss(f"insert {number} ")
                return
            # The forgotten order is likely about the first ship of the entry.
            ship = next(iter(self.log_view.list_ships(number)), "")
            filling = Filling.begin(list_forms(system)[panel.word], ship)
            title = f"Insert after entry {number} · {filling.form.usage}"
            self.app.push_screen(AmendDialog(self.session, filling, enter, title, battle_then))

        def enter(dialog: AmendDialog, order: Order) -> str:
            return self.controller.enter(build_insertion(number, order), done=dialog.close).text

        self.app.push_screen(panel, open_dialog)

    def action_doubt(self) -> None:
        """Mark the entry under the cursor as disputed, or settle its dispute."""
        if self.line is not None:
            self.controller.toggle_dispute(self.line.act)

    def action_shift(self) -> None:
        """Begin to move the entry under the cursor, with its dice."""
        if self.line is not None:
            self.moving = self.line.act
            keys = "Enter puts it after the entry under the cursor, Esc cancels"
            self.say(f"moving {self.moving}: {keys}")
            self.draw()
