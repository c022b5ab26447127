"""The dialog of one order, drawn from its form: a field a slot, flags, dice last, and what it would meet."""

from collections.abc import Callable

from attrs import evolve
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from qf_tui.console.entry.dice_input import Dicing
from qf_tui.console.entry.fields import Flags, SlotField, label_of, label_room, meaning_of
from qf_tui.console.entry.form_state import DICE, Filling, FormReading
from qf_tui.console.entry.lookahead import REFUSED, Foresight, foresee_filled, unsettled
from qf_tui.console.entry.message_line import TONES, forces
from qf_tui.console.entry.recall import Offers, division_slot, offers_text
from qf_tui.console.reading.source import Tone
from qf_tui.console.reading.why import explain_refusal
from qf_tui.console.widgets.key_bar import Hints
from qf_tui.console.widgets.key_screen import KeyModal
from qf_tui.console.widgets.overrides import BACKSPACE, QuietFocus
from qf_tui.console.widgets.places import DIALOG
from qf_tui.console.widgets.text import literal
from qf_tui.core.grammar.names import Reach
from qf_tui.core.grammar.order import Order
from qf_tui.core.revisions import Revision
from qf_tui.core.values import Battle
from qf_tui.session import Session

Enter = Callable[[Order, Revision | None], str]
"""Enters an order, and gives in words why it was not taken, or nothing."""


class OrderDialog(QuietFocus, KeyModal[Filling | None]):
    """Fills an order in; gives None once it is entered, else what was filled in so far.

    `enter` enters an order, with what it was shown to do if that is known, and says why it was not taken.
    `battle` is the one that the order is for, if not as it stands now; `forced`: the order is forced.
    """

    places = (DIALOG,)
    hint = "Enter goes on and enters   ↑ ↓ fields   Esc puts it by   F2 forces   F1 help"

    def __init__(
        self,
        session: Session,
        filling: Filling,
        enter: Enter,
        battle: Battle | None = None,
        *,
        forced: bool = False,
    ) -> None:
        super().__init__()
        self.session, self.filling, self.enter = session, filling, enter
        self.battle, self.forced = battle, forced
        self.scope = session.scope(Reach.ANYWHERE).on(battle)
        self.began = filling
        self.stray = ""
        self._fields = FormReading.of(self.scope, filling, forced=forced)
        self.forms = session.system.forms
        self.title_text = f"{filling.form.title} · {filling.form.usage}"
        self.foresight = Foresight()
        self.dicing = Dicing()
        self.offers = Offers.of(session, filling.form)

    @property
    def fields(self) -> FormReading:
        """What the fields mean as they are filled in now."""
        if self._fields.filling is not self.filling:
            self._fields = FormReading.of(self.scope, self.filling, forced=self.forced)
        return self._fields

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(literal(self.title_text, "bold $primary"), id="dialog-title")
            for name in self.filling.names:
                yield SlotField(name, label_of(self.filling, name), self.filling.text(name), self.take)
            if self.filling.switches:
                yield Flags(id="dialog-flags")
            yield Static(Content(""), id="dialog-offers")
            yield Static(Content(""), id="dialog-says")
            yield Hints(self.hint, id="dialog-keys")

    def on_resize(self) -> None:
        """Lays the labels and the flags out for the width, and says anew what was cut for another one."""
        for field in self.query(SlotField):
            field.room = label_room(self.filling, self.size.width)
        self._draw()

    def on_mount(self) -> None:
        self._go_on()
        self._draw()

    def other_key(self, event: events.Key) -> None:
        """A character that came before any field had the keyboard goes to the field."""
        if event.is_printable and isinstance(self.focused, Input):
            self.focused.post_message(events.Key(event.key, event.character))

    def take(self, character: str) -> bool:
        """Takes a character that is not text.

        Space behind a settled word goes on, and so does behind a ship what can only be for the next field;
        Space in an empty field takes what is offered there. A letter among dice is a flag, and `@` behind the
        ships takes the whole division of the ship that stands there.
        """
        name = self._here()
        if character == BACKSPACE:
            dropped, self.stray = bool(self.stray), ""
            self._draw()
            return dropped
        if character == "?" and self.foresight.tone == "refused":
            return explain_refusal(self.app, self.session.system, self.foresight.text)
        if character == " " and name != DICE and self.fields.whole(name):
            self._go_on(name)
            return True
        if self.fields.ends_ship(name, character, bool(self._offered(name))):
            self._take_offered(name)
            self._go_on(name)
            if self.focused is not None and self._here() != name:
                self.focused.post_message(events.Key(character, character))
            return True
        if character == "@" and self._whole_division(name):
            return True
        if character == " " and not self.filling.text(name).strip():
            self._take_offered(name)
            return True
        if name == DICE and (self.stray or (character.isalpha() and not self._switch(character))):
            self._mind_stray(character)
            return True
        if name == DICE and character.isalpha():
            return True
        return self.filling.takes_figures(name) and character.isalpha() and self._switch(character)

    def _mind_stray(self, character: str) -> None:
        """Takes what can be neither a die nor a flag, and all behind it: it was meant for something else."""
        self.stray += character
        text = f"{REFUSED} “{self.stray}” is no die and no flag: Backspace drops it, Esc puts the order by"
        self._say(text, "refused")

    def _offered(self, name: str) -> str:
        return self.offers.likely(self.fields, name)

    def _take_offered(self, name: str) -> None:
        offered = self._offered(name)
        if offered:
            self._fill(name, offered)

    def _fill(self, name: str, text: str) -> None:
        """Fills a field in and goes on."""
        self._field(name).input.value = text
        self.filling = self.filling.with_text(name, text)
        self._go_on(name)

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
        self.filling = self.filling.with_text(name, event.value)
        sure = self.fields.sure(name, event.value)
        if sure and typed and event.value != sure:
            self.filling = self.filling.with_text(name, sure)
            event.input.value = sure
            self._go_on(name)
        self._draw()

    def on_flags_turned(self, event: Flags.Turned) -> None:
        self._switch(event.name)

    def on_descendant_focus(self) -> None:
        self._draw()

    def _here(self) -> str:
        focused = self.focused.id if self.focused else None
        return (focused or "").removeprefix("slot-")

    def _focus(self, name: str) -> None:
        if name:
            self.set_focus(self._field(name).input)

    def _go_on(self, behind: str = "") -> None:
        """Goes to the field that is to be filled in next."""
        self._focus(self.fields.first_open(behind))

    def _field(self, name: str) -> SlotField:
        return self.query_one(f"#field-{name}", SlotField)

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
            against = unsettled(self.fields, here, self._room)
            self._say(against or f"{REFUSED} {label_of(self.filling, here)}: write more", "refused")
        elif unfilled or (here != DICE and DICE in self.filling.names):
            self._go_on(here)
        elif doubt := self.dicing.doubt:
            self._say(f"{REFUSED} {doubt}", "refused")
        elif self.filling == self.began and here != self.filling.names[-1]:
            # Nothing was said yet, and there is more that may be said: one Enter too many enters no order.
            self._step(1)
        elif self.foresight.order is None:
            self._say(self.foresight.text, "refused")
        else:
            self._enter(self.foresight.order, self.foresight.revision)

    @property
    def _room(self) -> int:
        """The cells for what a field offers."""
        return max(20, self.size.width - 40)

    def action_force(self) -> None:
        if self.foresight.forceable and self.foresight.order is not None:
            self._enter(evolve(self.foresight.order, forced=True), None)

    def _enter(self, order: Order, revision: Revision | None) -> None:
        fault = self.enter(order, revision)
        if not fault:
            self.dismiss(None)
            return
        self._say(fault, "refused")
        if self._here():
            # What is typed next stands for what was refused, not behind it.
            field = self._field(self._here()).input
            field.selection = Selection(0, len(field.value))

    def action_set_aside(self) -> None:
        self.dismiss(self.filling)

    def action_below(self) -> None:
        self._step(1)

    def action_take_first(self) -> None:
        """Takes the likeliest of several ships and goes on; else goes to the field below."""
        here = self._here()
        likeliest = self.fields.likeliest(here)
        if likeliest:
            self._fill(here, likeliest)
        else:
            self._step(1)

    def action_above(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        names, here = self.filling.names, self._here()
        if here in names:
            self._focus(names[max(0, min(names.index(here) + by, len(names) - 1))])

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        here = self._here()
        self.dicing, self.foresight = foresee_filled(self.session, self.fields, here, self._room, self.battle)
        seen = self.foresight
        self._say(seen.text + (forces(self) if seen.forceable else ""), seen.tone, seen.more)
        for name in self.filling.names:
            means = meaning_of(self.fields, name, self.dicing.said)
            offered = self._offered(name) + self.offers.note(self.fields, name)
            self._field(name).show(means, offered, name == here)
        if self.filling.switches:
            self.query_one(Flags).show(self.filling, self.size.width - 4)
        room = max(20, self.size.width - 8)
        note = self.offers.note(self.fields, here) if here else ""
        offered = offers_text(self.fields, self._offered(here), here, room, note) if here else ""
        self.query_one("#dialog-offers", Static).update(literal(offered, "$accent"), layout=False)

    def _say(self, text: str, tone: Tone, more: tuple[str, ...] = ()) -> None:
        lines = [literal(text, TONES[tone]), *(literal(one, "$quiet") for one in more[:2])]
        self.query_one("#dialog-says", Static).update(Content("\n").join(lines))
