"""A dialog half filled: a text for each slot, its flags, what the texts mean, and what is offered.

An empty field offers what was ordered before.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from attrs import evolve, field, frozen

from qf_tui.console.widgets.text import cut, listed, width_of
from qf_tui.core.availability import REACH, Measured, RangeBook, build_range_book
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import Candidate, Scope, format_typed_faces, list_begun_words
from qf_tui.core.grammar.reader import Reading, list_field_offers, read_fields
from qf_tui.core.system import is_any_accepted, list_possible_orders
from qf_tui.core.values import CALL, Form, Order, Slot, SlotValue
from qf_tui.session import Session

DICE_FIELD = "dice"
"""The field that holds the faces."""
OLD = "from last turn"
"""Said of a range that was measured before its ships moved."""


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
        empty, values = cls(order.form), order.slots
        texts = {slot.name: slot_text(slot, values[slot.name]) for slot in empty.slots if slot.name in values}
        if faces := order.dice if order.call is None else (order.call,):
            texts[DICE_FIELD] = format_typed_faces(faces)
        return cls(order.form, texts, frozenset(slot.name for slot in empty.switches if order.has(slot.name)))

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
        return self.form.find_slot(name)

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
        reading = read_fields(
            scope, filling.form, filling.texts, filling.flags, filling.text(DICE_FIELD), forced=forced
        )
        return cls(scope, filling, reading)

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
        return list_field_offers(
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
        following = next((name for name in (*rest, *names) if name in unsettled and name != behind), "")
        return following or (names[-1] if DICE_FIELD in names or not rest else rest[0])

    def whole(self, name: str) -> bool:
        """Whether a field is of one word, and its text means one."""
        slot = self.filling.slot(name)
        return slot is not None and not slot.kind.takes_rest and bool(self.value(name))

    def recorded(self, name: str) -> str:
        """What the battle has on record of a field for the first ship, as it would be typed; or nothing."""
        slot, ship = (
            self.filling.slot(name),
            self.scope.required_battle.ships.get(self.value(self.filling.leading)),
        )
        value = slot.known(self.scope.required_battle, ship) if slot and slot.known and ship else None
        return "" if slot is None or value is None else slot_text(slot, value)

    def replaces(self, name: str, character: str) -> bool:
        """Whether a character begins a field anew: it cannot go on with what stands there, or nothing can."""
        slot = self.filling.slot(name)
        if slot is None or slot.kind.takes_rest or not self.filling.text(name).strip():
            return False
        if not self.value(name):
            return not self.choices(name)
        unit = slot.kind is kinds.MEASURE and not character.isdigit()
        if unit and not any(word.startswith(character.lower()) for word in slot.choices):
            return False
        longer = self.filling.with_text(name, self.filling.text(name) + character)
        read = FormReading.of(self.scope, longer)
        return not read.value(name) and not read.choices(name)

    def likeliest(self, name: str) -> str:
        """The first ship of several that the letters of a field may mean; or nothing."""
        slot = self.filling.slot(name)
        if slot is None or slot.kind is not kinds.SHIP or not self.filling.text(name).strip():
            return ""
        ships = self.choices(name)
        return ships[0].text if ships and not self.whole(name) else ""

    def fault(self, name: str) -> str:
        """Why the letters of a field mean nothing, or no one thing; "" where nothing stands against them."""
        part = self.reading.parts.get(name)
        return part.fault if part is not None else ""

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
        return character.isdigit() or any(word.startswith(character.lower()) for word in choices)

    def named(self, name: str) -> str | None:
        """What a field is taken for, ships by their names; "" if for its text, None if it is not settled."""
        part, ships = self.reading.parts.get(name), self.scope.required_battle.ships
        if part is None or not part.settled:
            return None
        value = part.value if isinstance(part.value, tuple) else (self.value(name),)
        joint = part.slot.kind.joint if part.slot.kind.takes_rest else ", "
        named = joint.join(ships[id].name if id in ships else id for id in value)
        return "" if named == self.filling.text(name).strip() else named

    def division_of(self, name: str) -> str:
        """The whole division, as it is typed, of the ship that stands first in a field; or nothing."""
        part = self.reading.parts.get(name)
        value = part.value if part is not None else None
        first = next(iter(value), None) if isinstance(value, tuple) else value
        ship = self.scope.required_battle.ships.get(first) if isinstance(first, str) else None
        return f"@{ship.division}" if ship and ship.division else ""

    def sure(self, name: str, text: str) -> str:
        """The one choice that the letters of a closed list mean, or nothing."""
        slot = self.filling.slot(name)
        if slot is None or not text:
            return ""
        listed = slot.listed and text.isalpha()
        words = list_begun_words(
            text, tuple(word.text for word in self.choices(name)) if listed else slot.choices
        )
        return words[0] if len(words) == 1 else ""


def with_records(fields: FormReading, before: Mapping[str, str]) -> tuple[Filling, Mapping[str, str]]:
    """A dialog with what the battle has on record in its empty fields; what that is, by field.

    `before` is what was on record for the ship that stood there before: it gives way.
    """
    filling, now = fields.filling, {name: fields.recorded(name) for name in fields.filling.names}
    for name, text in now.items():
        if text != before.get(name, "") and filling.text(name).strip() in ("", before.get(name, "")):
            filling = filling.with_text(name, text)
    return filling, now


@frozen
class Earlier:
    """An order of before, and whether it was given in this turn."""

    order: Order
    this_turn: bool

    def ships(self, name: str) -> frozenset[str]:
        """The ships that a slot names."""
        return frozenset(self.order.list_texts(name)) if name in self.order.slots else frozenset()


@frozen
class Offers:
    """What the empty fields of a dialog may well hold, by the orders that were given before."""

    session: Session
    before: tuple[Earlier, ...]
    book: RangeBook

    @classmethod
    def of(cls, session: Session, *forms: Form) -> "Offers":
        """Collect what orders of some forms may well hold in a battle, newest order first."""
        book = build_range_book(session.system, session.timeline)
        return cls(session, tuple(_earlier(session, forms)), book)

    @property
    def attacked(self) -> tuple[str, ...]:
        """The ships that orders named beside the first one, the latest first."""
        ids = (
            earlier.order.slots[slot.name]
            for earlier in self.before
            for slot in earlier.order.form.slots
            if slot.kind is kinds.SHIP and slot.name in earlier.order.slots
            if slot.name != Filling(earlier.order.form).leading
        )
        return tuple(dict.fromkeys(id for id in ids if isinstance(id, str)))

    def likely(self, fields: FormReading, name: str) -> str:
        """What an empty field may well hold, or nothing; letters that stand in it mean something else.

        A ship: what the same ship named last, or in this turn another of its division. A range: what the
        book has of its two ships. Of a closed list, whose words one letter fills in, what alone can be done.
        """
        filling = fields.filling
        slot, first = filling.slot(name), filling.leading
        if filling.text(name).strip() or slot is None:
            return ""
        if slot.to:
            known = self.range_known(fields, name)
            return slot_text(slot, known.value) if known else ""
        if slot.kind is kinds.CHOICE:
            able = self.accepted(fields, slot)
            return able[0] if len(able) == 1 else ""
        if slot.trailing:
            return ""
        ids, ships = _ids(fields.reading.slots.get(first)), self.session.battle.ships

        def divisions(ids: frozenset[str]) -> set[str]:
            return {ships[id].division for id in ids if id in ships}

        own = [earlier for earlier in self.before if earlier.ships(first) == ids]
        mine = divisions(ids)
        alone = len(mine) == 1 and mine != {""}
        like_this = own or [
            earlier
            for earlier in self.before
            if alone and earlier.this_turn and divisions(earlier.ships(first)) == mine
        ]
        values = (earlier.order.slots[name] for earlier in like_this if name in earlier.order.slots)
        at_hand = self.session.system.target_statuses
        gone = {ship.id for ship in ships.values() if ship.status not in at_hand}
        return next((slot_text(slot, value) for value in values if gone.isdisjoint(_ids(value))), "")

    def accepted(self, fields: FormReading, slot: Slot) -> tuple[str, ...]:
        """What of a closed list the rules accept of the ship; all of it where that hangs on more fields."""
        form, there = fields.filling.form, fields.scope.required_battle
        ship = there.ships.get(fields.value(fields.filling.leading))
        needed = {own.name for own in form.slots if not own.optional and own.kind is not kinds.DIE}
        if ship is None or needed != {fields.filling.leading, slot.name}:
            return slot.choices
        tried = {
            word: list_possible_orders(form, there, ship, given={slot.name: word}) for word in slot.choices
        }
        prepare = self.session.system.prepare
        return tuple(word for word, orders in tried.items() if is_any_accepted(prepare, there, orders))

    def words(self, fields: FormReading, name: str) -> str:
        """What a field is likely to hold as people say it, and of when that is."""
        likely, ships = self.likely(fields, name), fields.scope.required_battle.ships
        known = None if fields.filling.text(name).strip() else self.range_known(fields, name)
        when = f" {OLD}" if known is not None and known.old else ""
        return (ships[likely].name if likely in ships else likely) + when

    def range_known(self, fields: FormReading, name: str) -> Measured | None:
        """What the range book has for a field; None where it has nothing, or the field is no range."""
        slot, now = fields.filling.slot(name), fields.reading.slots
        firing, target = _ids(now.get(fields.filling.leading)), _ids(now.get(slot.to if slot else ""))
        if slot is None or len(firing) != 1 or len(target) != 1:
            return None
        order = Order(fields.filling.form, now)
        read_by = self.session.system.range_read_by(self.session.battle, order)
        return self.book.find_range(firing | target, slot, read_by)


def _ids(value: object) -> frozenset[str]:
    return frozenset(value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ())


def again(session: Session, ship: str) -> Filling | None:
    """The last order with dice that a ship gave in such a phase, filled in but for its dice; or None."""
    forms = [form for form in session.system.forms if form.dice]
    now = [form for form in forms if session.battle.phase in form.phases or not form.phases]
    for earlier in _earlier(session, now):
        if earlier.ships(Filling(earlier.order.form).leading) == {ship}:
            return Filling.of(earlier.order.bare)
    return None


def _earlier(session: Session, forms: Iterable[Form]) -> Iterator[Earlier]:
    """The orders of some forms in force, newest first."""
    timeline, words = session.timeline, {form.word for form in forms}
    this_turn = True
    for number in timeline.play_order[: -REACH - 1 : -1]:
        order = timeline.versions[number].order
        if order.word in words and not kinds.find_absent_ship(order.form.slots, order.slots, session.battle):
            yield Earlier(order, this_turn)
        begins = timeline.rulings[number].decision.begins
        this_turn = this_turn and (begins is None or begins[0] == session.battle.turn)


def division_slot(fields: FormReading, name: str) -> tuple[str, str]:
    """Find the slot for ships and the division that `@` takes there.

    Returns:
        Two empty texts where `@` is text: in the field of a division, and in one for ships without a ship.
    """
    slot = fields.filling.slot(name)
    ships = next((own for own in fields.filling.slots if own.kind is kinds.SHIPS), None)
    if slot is None or slot.kind is kinds.DIVISION or ships is None:
        return "", ""
    division = fields.division_of(ships.name)
    return (ships.name, division) if division or slot is not ships else ("", "")


def offers_text(offers: Offers, fields: FormReading, name: str, width: int) -> str:
    """What a field may hold, and what Space, Tab or `@` takes, as far as there is room.

    Of a closed list what the rules accept; if that is nothing, all of it.
    """
    likely = offers.words(fields, name)
    text = f"Space takes {cut(likely, width // 2)}   " if likely else ""
    choices, slot = fields.choices(name), fields.filling.slot(name)
    able = offers.accepted(fields, slot) if slot is not None and slot.kind is kinds.CHOICE else ()
    names = [choice.label for choice in choices if choice.text in able]
    names = names or [choice.label for choice in choices]
    if names and fields.likeliest(name):
        text = f"Tab takes {cut(names[0], width // 2)}   "
    _, division = division_slot(fields, name)
    whole = f"@ takes the whole division, {division[1:]}" if division else ""
    text += listed(names, width - width_of(text) - width_of(whole), " · ")
    return f"{text}   {whole}" if text and whole else text + whole
