"""A dialog of fields, one a slot: drawn with what each means, and walked through by the keyboard."""

from abc import abstractmethod

from attrs import evolve
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from qf_tui.console.entry.dice_input import Dicing
from qf_tui.console.entry.fields import Flags, SlotField, label_of, label_room, meaning_of
from qf_tui.console.entry.form_state import DICE_FIELD, Filling, FormReading, with_records
from qf_tui.console.entry.lookahead import Foresight, foresee_filled, unsettled
from qf_tui.console.entry.message_line import TONES, forces
from qf_tui.console.entry.recall import Offers, offers_text
from qf_tui.console.reading.refusal import REFUSED
from qf_tui.console.reading.source import OrderTone
from qf_tui.console.widgets.key_bar import Hint, Hints
from qf_tui.console.widgets.key_screen import KeyModal
from qf_tui.console.widgets.overrides import QuietFocus, SteadyText
from qf_tui.console.widgets.places import DIALOG
from qf_tui.console.widgets.text import cut, literal, width_of, wrapped
from qf_tui.core.grammar.dice_text import face_keys_text
from qf_tui.core.grammar.names import Reach
from qf_tui.core.values import Battle
from qf_tui.session import Session

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
