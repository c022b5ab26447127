"""The dialog of one order: what a key means in its fields, and how the order is entered."""

from collections.abc import Callable, Sequence

from attrs import evolve, frozen
from textual import events
from textual.widgets import Input
from textual.widgets.input import Selection

from qf_tui.console.entry.dice_input import put_face
from qf_tui.console.entry.field_dialog import FieldDialog
from qf_tui.console.entry.fields import Flags
from qf_tui.console.entry.form_state import DICE_FIELD, Filling
from qf_tui.console.entry.recall import division_slot
from qf_tui.console.reading.refusal import REFUSED, explain_refusal
from qf_tui.console.widgets.overrides import BACKSPACE
from qf_tui.console.widgets.places import DIALOG
from qf_tui.core.grammar.order import CALL, Order
from qf_tui.core.revisions import Revision
from qf_tui.core.values import Battle
from qf_tui.session import Session

Enter = Callable[[Order, Revision | None], str]
"""Enters an order, and gives in words why it was not taken, or nothing."""


@frozen
class Spelling:
    """A word that its first letters settled: its rest, what was typed of that since, and the flags before."""

    rest: str = ""
    typed: str = ""
    flags: frozenset[str] = frozenset()


class OrderDialog(FieldDialog):
    """Fills an order in; gives None once it is entered, else what was filled in so far.

    `enter` enters an order, with what it was shown to do if that is known, and says why it was not taken.
    """

    def __init__(
        self,
        session: Session,
        filling: Filling,
        enter: Enter,
        battle: Battle | None = None,
        *,
        forced: bool = False,
    ) -> None:
        super().__init__(session, filling, battle, forced=forced)
        self.enter = enter
        self.stray = ""
        self.spelling = Spelling()

    def take(self, character: str) -> bool:
        """Takes a character that is not text."""
        dice = self._here() == DICE_FIELD
        return (dice and (self._spells(character) or self._is_face(character))) or self._means(character)

    def _is_face(self, character: str) -> bool:
        """Whether a key is that of a face which the dice have; it then stands among them."""
        return not self.stray and put_face(self._field(DICE_FIELD).input, self.dicing.asked, character)

    def _means(self, character: str) -> bool:
        """Takes what a character means beside text.

        Space behind a settled word goes on, and so does behind a ship what can only be for the next field;
        Space in an empty field takes what is offered there. A letter among dice is a flag, and `@` behind the
        ships takes the whole division of the ship that stands there.
        """
        name, arrived = self._here(), self.arrived
        self.arrived = ""
        if character == BACKSPACE:
            dropped, self.stray = bool(self.stray), ""
            self._draw()
            return dropped
        if character == "?" and (refusal := self.foresight.refusal):
            return explain_refusal(self.app, self.session.system, refusal)
        if character == " " and name != DICE_FIELD and self.fields.whole(name):
            self._go_on(name)
            return True
        if self.fields.ends_ship(name, character, bool(self._offered(name))):
            self._fill(name, self.fields.likeliest(name) or self._offered(name) or self.filling.text(name))
            if self.focused is not None and self._here() != name:
                self.focused.post_message(events.Key(character, character))
            return True
        if character == "@" and self._whole_division(name):
            return True
        if character == " " and not self.filling.text(name).strip():
            self._take_offered(name)
            return True
        if name == DICE_FIELD and not self.stray and self._calls(character):
            return False
        if name == DICE_FIELD and (self.stray or (character.isalpha() and not self._switch(character))):
            self._mind_stray(character)
            return True
        if name == DICE_FIELD and character.isalpha():
            return True
        if arrived == name and self.fields.replaces(name, character):
            self._field(name).input.value = ""
            return False
        return self.filling.takes_figures(name) and character.isalpha() and self._switch(character)

    def _spells(self, character: str) -> bool:
        """Whether a character among the dice ends the word ahead of them, which its first letters settled.

        Then none of its letters was a flag.
        """
        spelt = self.spelling
        typed = spelt.typed + character.lower()
        if not spelt.rest.startswith(typed) or typed == spelt.rest:
            self.spelling = Spelling()
        else:
            self.spelling = evolve(spelt, typed=typed)
        if typed != spelt.rest:
            return False
        self.filling, self.stray = evolve(self.filling, flags=spelt.flags), ""
        self._draw()
        return True

    def _calls(self, character: str) -> bool:
        """Whether a character goes on with the word ahead of a call, and is no flag."""
        begun, letter = self.filling.text(DICE_FIELD).lower(), character.lower()
        flag = not begun and any(slot.name.startswith(letter) for slot in self.filling.switches)
        return self.session.sealed and CALL.startswith(begun + letter) and not flag

    def _mind_stray(self, character: str) -> None:
        """Takes what can be neither a die nor a flag, and all behind it: it was meant for something else."""
        self.stray += character
        text = f"{REFUSED} “{self.stray}” is no die and no flag: Backspace drops it, Esc sets the order aside"
        self._say(text, "refused")

    def _take_offered(self, name: str) -> None:
        offered = self._offered(name)
        if offered:
            self._fill(name, offered)

    def _whole_division(self, name: str) -> bool:
        """Takes all of the division; whether `@` can mean that in a field."""
        slot, division = division_slot(self.fields, name)
        if division:
            self._field(slot).input.value = division
        return bool(slot)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        name = (event.input.id or "").removeprefix("slot-")
        if event.value == self.filling.text(name):
            return
        typed = not self.filling.text(name).startswith(event.value)
        self.held = ""
        self.filling = self.filling.with_text(name, event.value)
        self._take_records()
        sure = self.fields.sure(name, event.value)
        if sure and typed and event.value != sure:
            self.filling = self.filling.with_text(name, sure)
            event.input.value = sure
            self.spelling = Spelling(sure.removeprefix(event.value.lower()), "", self.filling.flags)
            self._go_on(name)
        self._draw()

    def on_flags_turned(self, event: Flags.Turned) -> None:
        self._switch(event.name)

    def on_descendant_focus(self) -> None:
        self._draw()

    def _switch(self, letter: str) -> bool:
        """Turns the flag that begins with a letter; whether there is one."""
        name = next((slot.name for slot in self.filling.switches if slot.name.startswith(letter.lower())), "")
        if name:
            self.filling = self.filling.switched(name)
            self._draw()
        return bool(name)

    def action_toggle_flag(self) -> None:
        """Turns the flags, one after the other: none, the first, the second, both, and so on."""
        self.filling = self.filling.turned()
        self._draw()

    def action_help(self) -> None:
        """Shows the help on this order."""
        from qf_tui.console.reading.help import show_help

        show_help(self, self.session, place=DIALOG, form=self.filling.form)

    def action_advance(self) -> None:
        """Goes on to what is missing; from the last field enters the order."""
        here, unfilled = self._here(), self.fields.open
        if self.stray:
            self._mind_stray("")
        elif here in unfilled and self._offered(here):
            self._take_offered(here)
        elif here in unfilled:
            self._hold(here)
        elif unfilled or (
            here != DICE_FIELD and DICE_FIELD in self.filling.names and not self.session.sealed
        ):
            self._go_on(here)
        elif doubt := self.dicing.doubt:
            self._say(f"{REFUSED} {doubt}", "refused")
        elif self.filling == self.began and here != self.filling.names[-1]:
            # Nothing was said yet, and there is more that may be said: one Enter too many enters no order.
            self._step(1)
        elif self.foresight.order is None:
            self._say(self.foresight.text, "refused")
        else:
            self._enter(self.foresight.instead or (self.foresight.order,), self.foresight.revision)

    def action_force(self) -> None:
        if self.foresight.forceable and self.foresight.order is not None:
            self._enter((evolve(self.foresight.order, forced=True),), None)

    def _enter(self, orders: Sequence[Order], revision: Revision | None) -> None:
        """Enters orders one after the other, as far as they are taken."""
        faults = (self.enter(order, revision) for order in orders)
        fault = next(filter(None, faults), "")
        if not fault:
            self.dismiss(None)
            return
        short = self._here() == DICE_FIELD and not self.foresight.refusal
        self._say(fault, "refused")
        if self._here() and not short:
            # What is typed next stands for what was refused; behind dice that are too few it goes on.
            field = self._field(self._here()).input
            field.selection = Selection(0, len(field.value))

    def action_set_aside(self) -> None:
        """Closes the dialog; what the battle has on record needs no keeping."""
        texts = {
            name: text
            for name, text in self.filling.texts.items()
            if self.given.text(name) or self.records.get(name, "") != text
        }
        self.dismiss(evolve(self.filling, texts=texts))

    def action_below(self) -> None:
        self._step(1)

    def action_take_first(self) -> None:
        """Takes the likeliest of several ships and goes on; else, if nothing is open, to the field below."""
        here = self._here()
        likeliest = self.fields.likeliest(here)
        if likeliest:
            self._fill(here, likeliest)
        elif here in self.fields.open:
            self._hold(here)
        else:
            self._step(1)

    def action_above(self) -> None:
        self._step(-1)
