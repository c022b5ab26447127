"""The dialog of one order: what a key means in its fields, and how the order is entered."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from attrs import evolve, frozen
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Input
from textual.widgets.input import Selection

from qf_tui.console.entry.form_state import DICE_FIELD, Dicing, Filling, FormReading, put_face, with_records
from qf_tui.console.entry.preview import Foresight, foresee_filled, unsettled
from qf_tui.console.entry.recall import Offers, division_slot, offers_text
from qf_tui.console.reading.source import REFUSED, TONES, OrderTone, explain_refusal, forces
from qf_tui.console.textual_patches.overrides import QuietFocus, StillInput
from qf_tui.console.widgets.actions import DIALOG
from qf_tui.console.widgets.keys import Hint, Hints, KeyModal
from qf_tui.console.widgets.text import SteadyText, cut, fit, literal, width_of, wrapped
from qf_tui.core.grammar.dice import face_keys_text
from qf_tui.core.grammar.names import Reach
from qf_tui.core.revisions import Revision
from qf_tui.core.values import CALL, Battle, Order
from qf_tui.session import Session

LABEL, LABEL_MOST = 28, 44
"""Cells of a label, and at most where the screen is wide."""
WIDE = 110
"""Cells of width from which the labels may be long."""
HERE, HELD = "▸ ", "✗ "
GAP = 3
FLAG = "flag"
"""What the cells of a flag are marked with: its name."""
BACKSPACE = "\b"
"""What `KeyInput.take` is given for it."""


class KeyInput(StillInput):
    """An input whose `take` may take a character before it becomes text."""

    def __init__(self, value: str, take: Callable[[str], bool], **settings: Any) -> None:
        # What is typed here is checked by its order, not by validators: no class of an input changes.
        super().__init__(value, validate_on=["submitted"], **settings)
        self.take = take

    def action_delete_left(self) -> None:
        """Backspace, which may mean something else too."""
        if not self.take(BACKSPACE):
            super().action_delete_left()

    def on_key(self, event: events.Key) -> None:
        if event.character and event.is_printable and self.take(event.character):
            event.stop()
            event.prevent_default()


class SlotField(Horizontal):
    """One slot: its label, its text, and what the text is taken for; around the text it draws all itself.

    `take` may take a character before it is text; `selects`: the keyboard finds the whole text selected.
    """

    def __init__(
        self, name: str, label: str, text: str, take: Callable[[str], bool], *, selects: bool
    ) -> None:
        super().__init__(id=f"field-{name}", classes="slot")
        self.label = label
        self.input = KeyInput(text, take, id=f"slot-{name}", select_on_focus=selects)
        # Until the keyboard comes a text that is too long shows how it begins.
        self.input.cursor_position = 0
        self._room, self._shared = LABEL, (0, 0)
        self._here = self._held = False
        self._means = Content("")

    def compose(self) -> ComposeResult:
        yield self.input

    def lay_out(self, room: int, width: int) -> None:
        """Shares so many cells: `room` for the label, and of the rest half for the text."""
        if self._shared == (room, width):
            return
        self._room, self._shared = room, (room, width)
        self.input.styles.margin = (0, 0, 0, room)
        self.input.styles.width = (width - room) // 2

    def render(self) -> Content:
        sign = HELD if self._held else HERE if self._here else " " * len(HERE)
        look = "bold $text-error" if self._held else "bold $accent" if self._here else "$quiet"
        label = literal(fit(f"{sign}{cut(self.label, self._room - 1 - len(HERE))}", self._room), look)
        text = (self.size.width - self._room) // 2
        means = self._means.truncate(self.size.width - self._room - text - 1, ellipsis=True)
        return Content.assemble(label, " " * (text + 1), means)

    def show(self, means: Content, offered: str, here: bool, held: bool = False) -> None:
        """Shows what the text means, in an empty field what Space takes, and where the keyboard is.

        `held`: the keyboard would not leave the field, as it is not settled.
        """
        if (here, held) != (self._here, self._held) or not means.is_same(self._means):
            self._here, self._held, self._means = here, held, means
            self.refresh()
        self.input.set_class(held, "-held")
        self.input.placeholder = f"Space: {offered}" if offered else ""


def label_of(filling: Filling, name: str) -> str:
    """What a field is called."""
    slot = filling.slot(name)
    if slot is None:
        return f"dice {filling.form.dice}"
    return f"{slot.label}, if any" if slot.optional else slot.label


def label_room(filling: Filling, width: int) -> int:
    """The cells for the labels of a dialog on a screen of some width."""
    longest = max(width_of(label_of(filling, name)) for name in filling.names) + 4
    return max(LABEL, min(LABEL_MOST, longest)) if width >= WIDE else LABEL


def meaning_of(fields: FormReading, name: str, dice: str) -> Content:
    """What the letters of a field are taken for; `dice` names each face with its die."""
    slot = fields.filling.slot(name)
    if slot is None:
        return literal(f"= {dice}" if dice else "", "$text-success")
    if not fields.filling.text(name).strip():
        return Content("")
    named = fields.named(name)
    if named is None:
        return literal("?", "bold $text-warning")
    recorded = fields.recorded(name)
    if recorded and recorded != fields.value(name):
        return literal(f"recorded: {recorded}", "bold $text-warning")
    said = [f"= {named}" if named else "", "as recorded" if recorded else ""]
    return literal(" ".join(filter(None, said)), "$text-success")


class Flags(SteadyText):
    """The flags of an order side by side, as many on a line as there is room for."""

    @dataclass
    class Turned(Message):
        """A flag was clicked."""

        name: str

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self._drawn: tuple[frozenset[str], int] | None = None

    def show(self, filling: Filling, room: int) -> None:
        """Draws which flags stand; `room`: cells that they may take side by side."""
        if self._drawn == (filling.flags, room):
            return
        self._drawn = filling.flags, room
        parts = []
        for slot in filling.switches:
            stands = slot.name in filling.flags
            said = literal(
                f"{'[x]' if stands else '[ ]'} {slot.name} ({slot.label})", "bold" if stands else "$quiet"
            )
            parts.append(said.stylize(Style.from_meta({FLAG: slot.name})))
        letters = ", ".join(dict.fromkeys(slot.name[0] for slot in filling.switches))
        where = "among the dice" if filling.form.dice else "among figures"
        parts.append(literal(f"F3, or {where}: {letters}", "$quiet"))
        self.update(Content("\n").join(_in_lines(parts, room)))

    def on_click(self, event: events.Click) -> None:
        """Turns the flag that is clicked."""
        name = event.style.meta.get(FLAG)
        if isinstance(name, str):
            self.post_message(self.Turned(name))


def _in_lines(parts: Sequence[Content], room: int) -> list[Content]:
    """Parts with a gap between them, on as few lines as they need."""
    lines: list[Content] = []
    for part in parts:
        if lines and lines[-1].cell_length + GAP + part.cell_length <= room:
            lines[-1] = Content.assemble(lines[-1], " " * GAP, part)
        else:
            lines.append(part)
    return lines


WIDEST = 120
"""Cells of a dialog at most."""
AROUND = 4
"""Cells of its border and its padding."""
SAYS_MOST = 4
"""The lines for what an order meets, as the style sheet has them."""


class FieldDialog(QuietFocus, KeyModal[Filling | None]):
    """The fields of an order and what they mean together; `held` is one that the keyboard would not leave.

    `battle` is the one that the order is for, if not as it stands now; `forced`: the order is forced.
    `arrived` is the field that the keyboard came to, until something is typed there.
    """

    places = (DIALOG,)
    selects = False
    """Whether the keyboard finds a field's text selected, so that typing replaces it."""
    hint = (
        Hint("enter", "next/enter"),
        Hint("up", "fields", also="down"),
        Hint("escape", "sets aside"),
        Hint("f2", "overrule"),
        Hint("f1", "help"),
    )

    def __init__(
        self,
        session: Session,
        filling: Filling,
        battle: Battle | None = None,
        *,
        forced: bool = False,
    ) -> None:
        super().__init__()
        self.session = session
        self.battle, self.forced = battle, forced
        self.offers = Offers.of(session, filling.form)
        self.scope = evolve(session.scope(Reach.ANYWHERE).on(battle), recent=self.offers.attacked)
        self.held = self.arrived = ""
        self.given = filling
        self.filling, self.records = with_records(FormReading.of(self.scope, filling, forced=forced), {})
        filling = self.began = self.filling
        self._fields = FormReading.of(self.scope, filling, forced=forced)
        self.forms = session.system.forms
        self.title_text = f"{filling.form.title} · {filling.form.usage}"
        self.foresight = Foresight()
        self.dicing = Dicing()

    @property
    def fields(self) -> FormReading:
        """What the fields mean as they are filled in now."""
        if self._fields.filling is not self.filling:
            self._fields = FormReading.of(self.scope, self.filling, forced=self.forced)
        return self._fields

    @abstractmethod
    def take(self, character: str) -> bool:
        """Takes a character that is not text of the field that has the keyboard."""

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield SteadyText(literal(self.title_text, "bold $primary"), id="dialog-title")
            for name in self.filling.names:
                label, text = self._label(name), self.filling.text(name)
                field = SlotField(name, label, text, self.take, selects=self.selects)
                self._lay_out(field, self.app.size.width)
                yield field
            if self.filling.switches:
                flags = Flags(id="dialog-flags")
                flags.show(self.filling, _inside(self.app.size.width))
                yield flags
            yield SteadyText(Content(""), id="dialog-offers")
            yield SteadyText(Content(""), id="dialog-says")
            yield Hints(self.hint, id="dialog-keys")

    def on_resize(self) -> None:
        """Lays the labels and the flags out for the width, and says anew what was cut for another one."""
        for field in self.query(SlotField):
            self._lay_out(field, self.size.width)
        self._draw()

    def _lay_out(self, field: SlotField, width: int) -> None:
        field.lay_out(label_room(self.filling, width), _inside(width))

    def on_mount(self) -> None:
        self._go_on()
        self._draw()

    def _label(self, name: str) -> str:
        called = name == DICE_FIELD and self.session.sealed
        return "the call (or later)" if called else label_of(self.filling, name)

    def _offered(self, name: str) -> str:
        return self.offers.likely(self.fields, name)

    def _fill(self, name: str, text: str) -> None:
        """Fills a field in and goes on."""
        self._field(name).input.value = text
        self.filling = self.filling.with_text(name, text)
        self._go_on(name)

    def _here(self) -> str:
        focused = self.focused.id if self.focused else None
        return (focused or "").removeprefix("slot-")

    def _take_records(self) -> None:
        """Fills in what the battle has on record for another ship."""
        was, (self.filling, self.records) = self.filling, with_records(self.fields, self.records)
        for name in self.filling.names:
            if self.filling.text(name) != was.text(name):
                self._field(name).input.value = self.filling.text(name)

    def _focus(self, name: str) -> None:
        if name:
            field = self._field(name).input
            self.held, self.arrived = "", name
            field.cursor_position = len(field.value)
            self.set_focus(field)

    def _go_on(self, behind: str = "") -> None:
        """Goes to the field that is to be filled in next."""
        self._focus(self.fields.first_open(behind))

    def _field(self, name: str) -> SlotField:
        return self.query_one(f"#field-{name}", SlotField)

    def _hold(self, name: str) -> None:
        """Says what is open of a field, and keeps the keyboard there."""
        self.held = self.arrived = name
        self._draw()
        against = unsettled(self.fields, name, self._room)
        offered = self.fields.offered(name, self._room)
        is_open = f"{REFUSED} {self._label(name)} is open"
        self._say(against or (f"{is_open}: {offered}" if offered else is_open), "refused")

    @property
    def _room(self) -> int:
        """The cells for what a field offers."""
        return max(20, self.size.width - 40)

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
        self._say(seen.text, seen.tone, seen.more, forces(self) if seen.forceable else "")
        for name in self.filling.names:
            means = meaning_of(self.fields, name, self.dicing.said)
            offered = self.offers.words(self.fields, name)
            self._field(name).show(means, offered, name == here, name == self.held)
        if self.filling.switches:
            self.query_one(Flags).show(self.filling, _inside(self.size.width))
        room = max(20, self.size.width - 8)
        offered = offers_text(self.offers, self.fields, here, room) if here else ""
        if here == DICE_FIELD:
            offered = face_keys_text(self.dicing.asked)
        self.query_one("#dialog-offers", SteadyText).update(literal(offered, "$accent"))

    def _say(self, text: str, tone: OrderTone, more: tuple[str, ...] = (), force: str = "") -> None:
        said, beside = _in_sight(text, force, more[:2], _inside(self.size.width))
        lines = [literal(said, TONES[tone]), *(literal(one, "$quiet") for one in beside)]
        self.query_one("#dialog-says", SteadyText).update(Content("\n").join(lines))


def _in_sight(text: str, force: str, more: tuple[str, ...], width: int) -> tuple[str, tuple[str, ...]]:
    """What an order meets with the key that forces it, and what is said beside; cut to the room."""
    whole = f"{text}{force}"
    if sum(len(wrapped(one, width)) for one in (whole, *more)) <= SAYS_MOST:
        return whole, more
    *above, last = wrapped(text, width, SAYS_MOST - len(more)) or [""]
    said = "\n".join((*above, f"{cut(last, width - width_of(force))}{force}"))
    return said, tuple(cut(one, width) for one in more)


def _inside(width: int) -> int:
    """The cells within a dialog on a screen of some width."""
    return min(width, WIDEST) - AROUND


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
