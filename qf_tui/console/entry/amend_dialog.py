"""An entry opened again in its dialog, on the battle as it was, to be changed in one place."""

from collections.abc import Callable, Sequence

from attrs import evolve
from textual.widgets import Input
from textual.widgets.input import Selection

from qf_tui.console.entry.controller import EntryController
from qf_tui.console.entry.dialog import OrderDialog
from qf_tui.console.entry.form_state import DICE_FIELD, Filling
from qf_tui.console.reading.refusal import REFUSED
from qf_tui.console.widgets.key_bar import Hint
from qf_tui.core.builtin_forms import AMEND
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.dice_text import FACE_KEYS, dice_words, is_digit
from qf_tui.core.grammar.kinds import absent
from qf_tui.core.grammar.order import Order
from qf_tui.core.revisions import Revision
from qf_tui.core.values import Battle
from qf_tui.session import Session


def refilled(battle: Battle, order: Order) -> Filling | None:
    """The dialog of an order, filled in; None where its form has no slots or the battle had not its ships."""
    if not order.form.slots or absent(order.form.slots, order.slots, battle):
        return None
    return Filling.of(order)


class AmendDialog(OrderDialog):
    """An order that was entered, filled in again: its dice one by one, Space to the next.

    `enter` is given the dialog and an order, enters it and says why it was not taken; it calls `close` once
    the order is entered.
    """

    selects = True

    def __init__(
        self,
        session: Session,
        filling: Filling,
        enter: Callable[["AmendDialog", Order], str],
        title: str,
        battle: Battle,
        *,
        forced: bool = False,
    ) -> None:
        super().__init__(session, filling, lambda order, _: enter(self, order), battle, forced=forced)
        dice = Hint("enter", "enter"), Hint("space", "next die")
        enters = dice if filling.text(DICE_FIELD) else (Hint("enter", "next/enter"),)
        self.hint = (
            *enters,
            Hint("up", "fields", also="down"),
            Hint("escape", "leaves it"),
            Hint("f2", "overrule"),
        )
        self.title_text = title
        # It was entered once: Enter alone may enter it anew.
        self.began = Filling(filling.form)

    def on_mount(self) -> None:
        for field in self.query(Input):
            if field.id == f"slot-{DICE_FIELD}":
                field.select_on_focus = False

    def close(self) -> None:
        """Closes the dialog: its order is entered, or no longer wanted."""
        if self.is_current:
            self.dismiss(None)

    def take(self, character: str) -> bool:
        if self._here() == DICE_FIELD and not self.session.sealed:
            if character == " " and self._select_die():
                return True
            if (is_digit(character) or character in FACE_KEYS) and self._beyond(character):
                self._select_die()
        taken = super().take(character)
        if taken and character in FACE_KEYS:
            self._select_die()
        return taken

    def _beyond(self, digit: str) -> bool:
        """Whether the die at the cursor has no face that goes on with a key: it is the next die's."""
        field = self.query_one(f"#slot-{DICE_FIELD}", Input)
        written = dice_words(field.value[: field.cursor_position])
        if not field.selection.is_empty or not written:
            return False
        here = written[-1]
        if not here.is_dice or here.end < field.cursor_position:
            return False
        order = self.fields.reading.order
        if order is None:
            return False
        asked = self.session.preview_order(evolve(order, dice=()), self.battle, figures=False).dice
        asked = asked[len(written) - 1 : len(written)]
        return digit in FACE_KEYS or any(int(here.text + digit) > die.most for die in asked)

    def _focus(self, name: str) -> None:
        super()._focus(name)
        if name == DICE_FIELD:
            self.query_one(f"#slot-{DICE_FIELD}", Input).selection = Selection(0, 0)
            self._select_die()

    def _select_die(self) -> bool:
        """Selects the next die behind the cursor, so that typing replaces it; whether there is one."""
        field = self.query_one(f"#slot-{DICE_FIELD}", Input)
        behind = max(field.selection)
        words = dice_words(field.value)
        found = next((word for word in words if word.is_dice and word.start >= behind), None)
        if found is not None:
            field.selection = Selection(found.start, found.end)
        return found is not None

    def _enter(self, orders: Sequence[Order], revision: Revision | None) -> None:
        fault = self.enter(orders[0], None)
        if fault:
            self._say(fault, "refused")


def amendment(number: int, old: Order, order: Order) -> Order:
    """The correction that makes an order of an entry.

    QfError in words where it would change nothing it says.
    """
    if order in (old, evolve(old, dice=())):
        raise QfError("nothing is changed: Esc leaves it as it is")
    if (order.dice or order.call is not None) and evolve(order, dice=(), call=None) == evolve(
        old, dice=(), call=None
    ):
        return Order(AMEND, {"n": number}, order.dice, call=order.call)
    # What a call threw is kept as dice are: it need not be called again.
    kept = evolve(order, call=None) if order.call == old.call else order
    return Order(AMEND, {"n": number, "order": kept})


def change_entry(controller: EntryController, number: int, type_on: Callable[[str], object]) -> None:
    """Opens an entry in force in its dialog, every slot and die filled in, on the battle before it.

    What no dialog can take is given to `type_on`, as a correction.
    """
    session, timeline = controller.session, controller.session.timeline
    order = timeline.versions[number].order
    before = timeline.battle_at(timeline.play_order.index(number))
    filling = refilled(before, order)
    if filling is None:
        type_on(f"{AMEND.word} {number} {order.resolved}")
        return

    def enter(dialog: AmendDialog, new: Order) -> str:
        if order.dice and filling.form.dice and not dialog.filling.text(DICE_FIELD).strip():
            return f"{REFUSED} dice left out are kept: to throw them anew, strike the entry and insert it"
        try:
            correction = amendment(number, order, new)
        except QfError as fault:
            return f"{REFUSED} {fault}"
        return controller.enter(correction, done=dialog.close).text

    title = f"Change entry {number} · {filling.form.usage}"
    dialog = AmendDialog(session, filling, enter, title, before, forced=order.forced)
    controller.screen.app.push_screen(dialog)
