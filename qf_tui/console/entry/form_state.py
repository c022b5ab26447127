"""A dialog half filled: one text a slot, the flags that stand, and what its texts mean."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from attrs import evolve, field, frozen
from textual.widgets import Input

from qf_tui.console.widgets.text import listed
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.dice import are_dice, face_keys, faces_text, faces_typed, readings
from qf_tui.core.grammar.names import Candidate, Scope, begun
from qf_tui.core.grammar.reader import Reading, field_offers, read_fields
from qf_tui.core.values import CALL, Battle, Die, Faces, Form, Order, Slot, SlotValue
from qf_tui.session import OrderPreview, Session

DICE_FIELD = "dice"
"""The field that holds the faces."""


@frozen
class Filling:
    """A form with its texts by slot name (`dice` holds the faces) and the flags that stand."""

    form: Form
    texts: Mapping[str, str] = field(factory=dict)
    flags: frozenset[str] = frozenset()

    @classmethod
    def begun(cls, form: Form, ship: str) -> "Filling":
        """An empty dialog with a ship in its first slot for ships."""
        empty = cls(form)
        return cls(form, {empty.leading: ship}) if empty.leading and ship else empty

    @classmethod
    def of(cls, order: Order) -> "Filling":
        """The dialog that an order would have come from."""
        filling = cls(order.form)
        texts = {
            slot.name: slot_text(slot, order.slots[slot.name])
            for slot in filling.slots
            if slot.name in order.slots
        }
        faces = order.dice if order.call is None else (order.call,)
        dice = {DICE_FIELD: faces_text(faces)} if faces else {}
        return cls(
            order.form, {**texts, **dice}, frozenset(s.name for s in filling.switches if order.has(s.name))
        )

    @property
    def leading(self) -> str:
        """The name of the first slot for ships, or nothing."""
        return next((slot.name for slot in self.slots if slot.kind in (kinds.SHIP, kinds.SHIPS)), "")

    @property
    def first(self) -> str:
        """What the first slot for ships holds."""
        return self.text(self.leading)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots that are fields of their own: all but flags and dice in the midst."""
        return tuple(slot for slot in self.form.slots if not slot.kind.is_flag and slot.kind is not kinds.DIE)

    @property
    def switches(self) -> tuple[Slot, ...]:
        """The slots that stand or not."""
        return tuple(slot for slot in self.form.slots if slot.kind.is_flag)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields in order, the dice last."""
        own = tuple(slot.name for slot in self.slots)
        return (*own, DICE_FIELD) if self.form.dice else own

    def text(self, name: str) -> str:
        return self.texts.get(name, "")

    def slot(self, name: str) -> Slot | None:
        return self.form.slot(name)

    def with_text(self, name: str, text: str) -> "Filling":
        return evolve(self, texts={**self.texts, name: text})

    def switched(self, name: str) -> "Filling":
        return evolve(self, flags=self.flags ^ {name})

    def turned(self) -> "Filling":
        """The next of all ways in which the flags can stand: none, the first, the second, both, and so on."""
        turned = self
        for slot in self.switches:
            turned = turned.switched(slot.name)
            if slot.name in turned.flags:
                break
        return turned

    def takes_figures(self, name: str) -> bool:
        """Whether a field has figures, behind which a letter can only be a flag of an order without dice."""
        slot = self.slot(name)
        figures = slot is not None and slot.kind in (kinds.COUNT, kinds.MEASURE) and not slot.choices
        return figures and DICE_FIELD not in self.names


def slot_text(slot: Slot, value: SlotValue) -> str:
    """A value as it would be typed into its field."""
    return " ".join(slot.kind.write(evolve(slot, keyword=""), value))


@frozen
class FormReading:
    """What the texts of a dialog mean: the reading of its fields, and what they offer."""

    scope: Scope
    filling: Filling
    reading: Reading

    @classmethod
    def of(cls, scope: Scope, filling: Filling, *, forced: bool = False) -> "FormReading":
        """Reads a dialog as keys have it."""
        found = read_fields(
            scope, filling.form, filling.texts, filling.flags, filling.text(DICE_FIELD), forced=forced
        )
        return cls(scope, filling, found)

    @property
    def line(self) -> str:
        """The order as far as it is filled in, as the bar would have it."""
        if self.reading.order is not None:
            return self.reading.order.line
        words = (self._words(slot) for slot in self.filling.form.slots)
        dice = self.filling.text(DICE_FIELD).strip()
        dice = f"{CALL} {dice}" if self.scope.calls and dice.isdigit() else dice
        return " ".join(word for word in (self.filling.form.word, *words, dice) if word)

    def _words(self, slot: Slot) -> str:
        """A slot as far as it is filled in, its keyword first; "" where nothing is."""
        if slot.kind.is_flag:
            return slot.choices[0] if slot.name in self.filling.flags else ""
        text = self.value(slot.name) or self.filling.text(slot.name).strip()
        return f"{slot.keyword} {text}" if text and slot.keyword else text

    def choices(self, name: str) -> tuple[Candidate, ...]:
        """What a field may hold that fits its letters."""
        slot = self.filling.slot(name)
        if slot is None:
            return ()
        return field_offers(
            self.scope, self.filling.form, self.reading, slot, self.filling.text(name).strip()
        )

    def value(self, name: str) -> str:
        """What a field means, as it would be typed in full; "" where it means nothing yet."""
        part = self.reading.parts.get(name)
        return slot_text(part.slot, part.value) if part is not None and part.value is not None else ""

    @cached_property
    def open(self) -> tuple[str, ...]:
        """The fields that must be filled and are not settled."""
        return tuple(name for name, part in self.reading.parts.items() if not part.settled)

    def first_open(self, behind: str = "") -> str:
        """The field to go on with: the first that is open, else the dice, else the next or last one."""
        names, unsettled = self.filling.names, self.open
        rest = names[names.index(behind) + 1 :] if behind in names else names
        found = next((name for name in (*rest, *names) if name in unsettled and name != behind), "")
        return found or (names[-1] if DICE_FIELD in names or not rest else rest[0])

    def whole(self, name: str) -> bool:
        """Whether a field is of one word, and its text means one."""
        slot = self.filling.slot(name)
        return slot is not None and not slot.kind.takes_rest and bool(self.value(name))

    def recorded(self, name: str) -> str:
        """What the battle has on record of a field for the first ship, as it would be typed; or nothing."""
        slot, ship = self.filling.slot(name), self.scope.there.ships.get(self.value(self.filling.leading))
        value = slot.known(self.scope.there, ship) if slot and slot.known and ship else None
        return "" if slot is None or value is None else slot_text(slot, value)

    def replaces(self, name: str, character: str) -> bool:
        """Whether a character begins a field anew: it cannot go on with what stands there, or nothing can."""
        slot = self.filling.slot(name)
        if slot is None or slot.kind.takes_rest or not self.filling.text(name).strip():
            return False
        if not self.value(name):
            return not self.choices(name)
        unit = slot.kind is kinds.MEASURE and not character.isdigit()
        if unit and not any(one.startswith(character.lower()) for one in slot.choices):
            return False
        longer = self.filling.with_text(name, self.filling.text(name) + character)
        read = FormReading.of(self.scope, longer)
        return not read.value(name) and not read.choices(name)

    def likeliest(self, name: str) -> str:
        """The first ship of several that the letters of a field may mean; or nothing."""
        slot = self.filling.slot(name)
        if slot is None or slot.kind is not kinds.SHIP or not self.filling.text(name).strip():
            return ""
        found = self.choices(name)
        return found[0].text if found and not self.whole(name) else ""

    def fault(self, name: str) -> str:
        """Why the letters of a field mean nothing, or no one thing; "" where nothing stands against them."""
        part = self.reading.parts.get(name)
        return part.fault if part is not None else ""

    def fault_offers(self, name: str) -> bool:
        """Whether the fault of a field says itself what it may be."""
        part = self.reading.parts.get(name)
        return part is not None and part.offers

    def offered(self, name: str, width: int) -> str:
        """What a field may hold at all, as far as there is room; behind an `@` the divisions."""
        text = self.filling.text(name).strip()
        empty = evolve(self, filling=self.filling.with_text(name, "@" if text.startswith("@") else ""))
        return listed([choice.label for choice in empty.choices(name)], width)

    def ends_ship(self, name: str, character: str, offered: bool) -> bool:
        """Whether a field names a ship already, or offers one, and a character is for the next field.

        No ship's name goes on with it, and it is a digit or begins a choice of that field; behind letters of
        several ships only a digit. Behind the last field there is none.
        """
        slot, follows = self.filling.slot(name), self.first_open(name)
        if (
            slot is None
            or follows == name
            or slot.kind is not kinds.SHIP
            or not (self.whole(name) or offered or (character.isdigit() and self.likeliest(name)))
        ):
            return False
        longer = evolve(self, filling=self.filling.with_text(name, self.filling.text(name) + character))
        if longer.choices(name):
            return False
        behind = self.filling.slot(follows)
        choices = behind.choices if behind is not None else ()
        return character.isdigit() or any(one.startswith(character.lower()) for one in choices)

    def named(self, name: str) -> str | None:
        """What a field is taken for, ships by their names; "" if for its text, None if it is not settled."""
        part = self.reading.parts.get(name)
        if part is None or not part.settled:
            return None
        ships = self.scope.there.ships
        value = part.value if isinstance(part.value, tuple) else (self.value(name),)
        joint = part.slot.kind.joint if part.slot.kind.takes_rest else ", "
        named = joint.join(ships[id].name if id in ships else id for id in value)
        return "" if named == self.filling.text(name).strip() else named

    def division_of(self, name: str) -> str:
        """The whole division, as it is typed, of the ship that stands first in a field; or nothing."""
        part = self.reading.parts.get(name)
        value = part.value if part is not None else None
        first = next(iter(value), None) if isinstance(value, tuple) else value
        ship = self.scope.there.ships.get(first) if isinstance(first, str) else None
        return f"@{ship.division}" if ship and ship.division else ""

    def sure(self, name: str, text: str) -> str:
        """The one choice that the letters of a closed list mean, or nothing."""
        slot = self.filling.slot(name)
        if slot is None or not text:
            return ""
        closed = slot.choices
        if slot.listed and text.isalpha():
            closed = tuple(one.text for one in self.choices(name))
        found = begun(text, closed)
        return found[0] if len(found) == 1 else ""


def with_records(fields: FormReading, before: Mapping[str, str]) -> tuple[Filling, Mapping[str, str]]:
    """A dialog with what the battle has on record in its empty fields; what that is, by field.

    `before` is what was on record for the ship that stood there before: it gives way.
    """
    filling, now = fields.filling, {name: fields.recorded(name) for name in fields.filling.names}
    for name, text in now.items():
        if text != before.get(name, "") and filling.text(name).strip() in ("", before.get(name, "")):
            filling = filling.with_text(name, text)
    return filling, now


MOST_READINGS = 8
"""Readings of typed digits that the rules are still asked about."""


@frozen
class Dicing:
    """An order with its dice: `said` names each face with its die, `doubt` is what only a space can tell.

    `asked` are all dice whose faces may be typed for it: none where they are sealed.
    """

    order: Order | None = None
    said: str = ""
    doubt: str = ""
    asked: tuple[Die, ...] = ()


def dicing(session: Session, reading: Reading, battle: Battle | None = None) -> Dicing:
    """What the dice of a reading are taken for; `battle` is the one as it stands unless another is named."""
    order = reading.order
    if order is not None and order.call is not None:
        return Dicing(order, f"{CALL} {order.call}")
    if order is None or any(slot.kind is kinds.DIE for slot in order.form.slots):
        return Dicing(order)
    bare = evolve(order, dice=())
    asked = session.preview_order(bare, battle, figures=False).dice
    keys_for = () if session.sealed else asked
    if not are_dice(reading.dice):
        return Dicing(order, asked=keys_for)
    found = faces_meant(session, bare, reading.dice, asked, battle)
    if len(found) != 1:
        return Dicing(order, doubt=doubtful(found), asked=keys_for)
    named = [f"{die.name} {face}".strip() for die, face in zip(asked, found[0], strict=False)]
    return Dicing(evolve(order, dice=found[0]), " · ".join(named), asked=keys_for)


def put_face(field: Input, dice: Iterable[Die], key: str) -> bool:
    """Puts the face that a key stands for to the cursor of a field; whether such dice have that face."""
    face = face_keys(dice).get(key.lower())
    if face is not None:
        start, end = sorted(field.selection)
        text = f"{field.value[:start].rstrip()} {face} ".lstrip()
        field.value = text + field.value[end:].lstrip()
        field.cursor_position = len(text)
    return face is not None


def faces_meant(
    session: Session, bare: Order, text: str, asked: Sequence[Die], battle: Battle | None = None
) -> tuple[Faces, ...]:
    """The readings of typed dice with which an order may be entered; several if only a space can tell.

    `bare` is the order without them, `asked` the dice that it wants. Where no reading will do, the words as
    they stand, for the rules to refuse.
    """
    found = readings(text, asked)
    if 1 < len(found) <= MOST_READINGS:

        def ask(faces: Faces) -> OrderPreview:
            return session.preview_order(evolve(bare, dice=faces), battle, figures=False)

        found = _playable(found, ask, asked) or found
    return found or (faces_typed(text),)


def _playable(
    found: tuple[Faces, ...], ask: Callable[[Faces], OrderPreview], dice: Sequence[Die]
) -> tuple[Faces, ...]:
    seen = [(faces, ask(faces)) for faces in found]
    whole = tuple(faces for faces, preview in seen if preview.fine and not preview.missing)
    # What a rule refuses all the same is read as the dice would lie on the table: all of them.
    return whole or tuple(faces for faces in found if len(faces) == len(dice))


def doubtful(found: Sequence[Faces]) -> str:
    """What is to be said of dice that may be read in several ways."""
    ways = ", or ".join(" and ".join(str(face) for face in faces) for faces in found[:3])
    return f"these dice may be {ways}: a space tells them apart"
