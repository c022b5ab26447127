"""The state of an order's dialog: its typed texts, their meaning, and likely values for empty fields."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from attrs import evolve, field, frozen

from qf_tui.console.widgets.text import cut, join_parts, measure_width
from qf_tui.core.availability import SEARCHED_MOST, Measured, RangeBook, build_range_book
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import Candidate, Scope, format_typed_faces, list_begun_words
from qf_tui.core.grammar.reader import Reading, list_field_offers, read_fields
from qf_tui.core.system import is_any_accepted, list_possible_orders
from qf_tui.core.values import CALL, Form, Order, Slot, SlotValue
from qf_tui.session import Session

DICE_FIELD = "dice"
"""Name of the field for faces."""
OLD = "from last turn"
"""Note on a range that was measured before its ships moved."""


@frozen
class Filling:
    """The texts and flags that are filled in so far in the dialog of an order.

    Attributes:
        texts: Text of each slot by name; the faces under `dice`.
        flags: Names of the flags that are set.
    """

    form: Form
    texts: Mapping[str, str] = field(factory=dict)
    flags: frozenset[str] = frozenset()

    @classmethod
    def begin(cls, form: Form, ship: str) -> "Filling":
        """Build the state of a new dialog, with a ship in its first slot for ships; "" for no ship."""
        empty = cls(form)
        return cls(form, {empty.ship_slot: ship}) if empty.ship_slot and ship else empty

    @classmethod
    def from_order(cls, order: Order) -> "Filling":
        """Build the state of a dialog that gives this order."""
        empty, values = cls(order.form), order.slots
        texts = {
            slot.name: format_slot_value(slot, values[slot.name])
            for slot in empty.slots
            if slot.name in values
        }
        faces = order.dice if order.call is None else (order.call,)
        if faces:
            texts[DICE_FIELD] = format_typed_faces(faces)
        return cls(order.form, texts, frozenset(slot.name for slot in empty.switches if order.has(slot.name)))

    @property
    def ship_slot(self) -> str:
        """The name of the first slot for ships, or ""."""
        return next((slot.name for slot in self.slots if slot.kind in (kinds.SHIP, kinds.SHIPS)), "")

    @property
    def ship_text(self) -> str:
        """The text of the first slot for ships."""
        return self.find_text(self.ship_slot)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots that have a field: all but flags and single dice."""
        return tuple(slot for slot in self.form.slots if not slot.kind.is_flag and slot.kind is not kinds.DIE)

    @property
    def switches(self) -> tuple[Slot, ...]:
        """The slots that are flags."""
        return tuple(slot for slot in self.form.slots if slot.kind.is_flag)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields in order, the dice last."""
        slot_names = tuple(slot.name for slot in self.slots)
        return (*slot_names, DICE_FIELD) if self.form.dice else slot_names

    def find_text(self, name: str) -> str:
        """Return the text of a field, or ""."""
        return self.texts.get(name, "")

    def find_slot(self, name: str) -> Slot | None:
        """Return a slot by its name; None for the dice."""
        return self.form.find_slot(name)

    def with_text(self, name: str, text: str) -> "Filling":
        """Return the state with another text in a field."""
        return evolve(self, texts={**self.texts, name: text})

    def switch_flag(self, name: str) -> "Filling":
        """Return the state with one flag changed: set if it was clear, clear if it was set."""
        return evolve(self, flags=self.flags ^ {name})

    def turn_flags(self) -> "Filling":
        """Return the state with the next combination of flags: none, the first, the second, both, ..."""
        next_filling = self
        # This counts up in binary, a flag for each digit.
        for slot in self.switches:
            next_filling = next_filling.switch_flag(slot.name)
            if slot.name in next_filling.flags:
                break
        return next_filling

    def takes_flags(self, name: str) -> bool:
        """Return whether a letter in a field switches a flag: in number fields, if there is no dice field."""
        slot = self.find_slot(name)
        is_number = slot is not None and slot.kind in (kinds.COUNT, kinds.MEASURE) and not slot.choices
        return is_number and DICE_FIELD not in self.names


def format_slot_value(slot: Slot, value: SlotValue) -> str:
    """Format a value as it would be typed into its field, without the slot's keyword."""
    return " ".join(slot.kind.write(evolve(slot, keyword=""), value))


@frozen
class FormReading:
    """The meaning of the texts and flags in a dialog, and the offers of its fields."""

    scope: Scope
    filling: Filling
    reading: Reading

    @classmethod
    def read(cls, scope: Scope, filling: Filling, *, forced: bool = False) -> "FormReading":
        """Read what the texts and flags of a dialog mean; `forced` if the umpire forces the order."""
        reading = read_fields(
            scope, filling.form, filling.texts, filling.flags, filling.find_text(DICE_FIELD), forced=forced
        )
        return cls(scope, filling, reading)

    @property
    def line(self) -> str:
        """The order, with the parts that are filled in so far, as it would be typed in the bar."""
        if self.reading.order is not None:
            return self.reading.order.line
        words = (self._format_slot(slot) for slot in self.filling.form.slots)
        dice = self.filling.find_text(DICE_FIELD).strip()
        if self.scope.calls and dice.isdigit():
            dice = f"{CALL} {dice}"
        return " ".join(word for word in (self.filling.form.word, *words, dice) if word)

    def _format_slot(self, slot: Slot) -> str:
        """Format the meaning of a slot, or else its text, with its keyword; "" if it is empty."""
        if slot.kind.is_flag:
            return slot.choices[0] if slot.name in self.filling.flags else ""
        text = self.find_value(slot.name) or self.filling.find_text(slot.name).strip()
        return f"{slot.keyword} {text}" if text and slot.keyword else text

    def list_choices(self, name: str) -> tuple[Candidate, ...]:
        """List the values that fit the letters of a field."""
        slot = self.filling.find_slot(name)
        if slot is None:
            return ()
        return list_field_offers(
            self.scope, self.filling.form, self.reading, slot, self.filling.find_text(name).strip()
        )

    def find_value(self, name: str) -> str:
        """Return the meaning of a field as it would be typed in full; "" while it has none."""
        part = self.reading.parts.get(name)
        return format_slot_value(part.slot, part.value) if part is not None and part.value is not None else ""

    @cached_property
    def open(self) -> tuple[str, ...]:
        """The names of the fields that must still be filled in, or whose text is unclear."""
        return tuple(name for name, part in self.reading.parts.items() if not part.is_settled)

    def find_next_field(self, left_field: str = "") -> str:
        """Return the next field to go to: the first open one after `left_field`, else the first before it.

        If none is open, return the dice field; without one, the field after `left_field`, or the last field.
        """
        names, open_names = self.filling.names, self.open
        later_names = names[names.index(left_field) + 1 :] if left_field in names else names
        for name in (*later_names, *names):
            if name in open_names and name != left_field:
                return name
        if DICE_FIELD in names or not later_names:
            return names[-1]
        return later_names[0]

    def is_whole(self, name: str) -> bool:
        """Return whether a field takes only one word, and its text already means one; False for dice."""
        slot = self.filling.find_slot(name)
        return slot is not None and not slot.kind.takes_rest and bool(self.find_value(name))

    def find_recorded(self, name: str) -> str:
        """Return the value on record of a field, for the dialog's first ship, as it would be typed, or ""."""
        slot, battle = self.filling.find_slot(name), self.scope.required_battle
        ship = battle.ships.get(self.find_value(self.filling.ship_slot))
        value = slot.known(battle, ship) if slot and slot.known and ship else None
        return "" if slot is None or value is None else format_slot_value(slot, value)

    def is_starting_over(self, name: str, character: str) -> bool:
        """Return whether a character cannot continue the text of a field, so that it begins a new text.

        The result is True after a text that means nothing and cannot become a choice. It is False in an empty
        field, in a field of several words, and among dice.
        """
        slot = self.filling.find_slot(name)
        if slot is None or slot.kind.takes_rest or not self.filling.find_text(name).strip():
            return False
        if not self.find_value(name):
            return not self.list_choices(name)
        # A letter after a measure begins the unit, unless a choice of the field begins with that letter.
        begins_choice = any(word.startswith(character.lower()) for word in slot.choices)
        if slot.kind is kinds.MEASURE and not (character.isdigit() or begins_choice):
            return False
        longer = self.filling.with_text(name, self.filling.find_text(name) + character)
        longer_reading = FormReading.read(self.scope, longer)
        return not longer_reading.find_value(name) and not longer_reading.list_choices(name)

    def find_first_ship(self, name: str) -> str:
        """Return the first ship that unfinished letters in a ship's field may mean, or ""."""
        slot = self.filling.find_slot(name)
        if slot is None or slot.kind is not kinds.SHIP or not self.filling.find_text(name).strip():
            return ""
        ships = self.list_choices(name)
        return ships[0].text if ships and not self.is_whole(name) else ""

    def find_fault(self, name: str) -> str:
        """Return why a field's letters mean nothing, or several things; "" if they are fine."""
        part = self.reading.parts.get(name)
        return part.fault if part is not None else ""

    def format_offered(self, name: str, width: int) -> str:
        """Format all choices of a field that fit, as if it were empty; after `@`, the divisions."""
        text = self.filling.find_text(name).strip()
        empty = evolve(self, filling=self.filling.with_text(name, "@" if text.startswith("@") else ""))
        return join_parts([choice.label for choice in empty.list_choices(name)], width)

    def is_past_ship(self, name: str, character: str, has_offer: bool) -> bool:
        """Return whether a character after a ship belongs to the next field.

        The character must continue no ship's name, and be a digit or begin a choice of the next field. After
        letters that still mean several ships it must be a digit. The last field has no next one.

        Args:
            has_offer: True if the field is empty and a likely ship is offered, which then counts as the ship.
        """
        slot, next_name = self.filling.find_slot(name), self.find_next_field(name)
        if slot is None or slot.kind is not kinds.SHIP or next_name == name:
            return False
        has_ship = self.is_whole(name) or has_offer
        is_digit_after_ships = character.isdigit() and self.find_first_ship(name)
        if not (has_ship or is_digit_after_ships):
            return False
        longer = evolve(self, filling=self.filling.with_text(name, self.filling.find_text(name) + character))
        if longer.list_choices(name):
            return False
        next_slot = self.filling.find_slot(next_name)
        choices = next_slot.choices if next_slot is not None else ()
        return character.isdigit() or any(word.startswith(character.lower()) for word in choices)

    def format_meaning(self, name: str) -> str | None:
        """Return what a field means, ships by their names.

        Returns:
            "" if its text already says it; None if the field is unclear, or must still be filled in.
        """
        part, ships = self.reading.parts.get(name), self.scope.required_battle.ships
        if part is None or not part.is_settled:
            return None
        values = part.value if isinstance(part.value, tuple) else (self.find_value(name),)
        separator = part.slot.kind.separator if part.slot.kind.takes_rest else ", "
        meaning = separator.join(ships[value].name if value in ships else value for value in values)
        return "" if meaning == self.filling.find_text(name).strip() else meaning

    def find_division(self, name: str) -> str:
        """Return the division of the first ship in a field, as it would be typed, or ""."""
        part = self.reading.parts.get(name)
        value = part.value if part is not None else None
        ship_id = next(iter(value), None) if isinstance(value, tuple) else value
        ship = self.scope.required_battle.ships.get(ship_id) if isinstance(ship_id, str) else None
        return f"@{ship.division}" if ship and ship.division else ""

    def find_sure_choice(self, name: str, text: str) -> str:
        """Return the one choice of a field, or name on the ship's card, that a text begins, or ""."""
        slot = self.filling.find_slot(name)
        if slot is None or not text:
            return ""
        choices = slot.choices
        if slot.listed and text.isalpha():
            choices = tuple(choice.text for choice in self.list_choices(name))
        words = list_begun_words(text, choices)
        return words[0] if len(words) == 1 else ""


def fill_records(
    fields: FormReading, earlier_records: Mapping[str, str]
) -> tuple[Filling, Mapping[str, str]]:
    """Fill fields with the values on record about the ship.

    A field that the umpire changed keeps its text.

    Args:
        earlier_records: Records by field that were filled in before, perhaps for another ship; text that
            still equals them is replaced.

    Returns:
        The filled-in dialog, and the new records by field.
    """
    filling = fields.filling
    records = {name: fields.find_recorded(name) for name in filling.names}
    for name, text in records.items():
        earlier_text = earlier_records.get(name, "")
        is_untouched = filling.find_text(name).strip() in ("", earlier_text)
        if text != earlier_text and is_untouched:
            filling = filling.with_text(name, text)
    return filling, records


@frozen
class EarlierOrder:
    """An earlier order, and whether it was given in this turn."""

    order: Order
    this_turn: bool

    def list_ships(self, name: str) -> frozenset[str]:
        """Return the ids of the ships in a slot."""
        return frozenset(self.order.list_texts(name)) if name in self.order.slots else frozenset()


@frozen
class Offers:
    """Likely values for empty fields, from earlier orders and measured ranges.

    Attributes:
        earlier_orders: Orders of the same forms, newest first.
        book: The measured ranges.
    """

    session: Session
    earlier_orders: tuple[EarlierOrder, ...]
    book: RangeBook

    @classmethod
    def collect(cls, session: Session, *forms: Form) -> "Offers":
        """Collect the measured ranges, and the earlier orders of some forms, newest first."""
        book = build_range_book(session.system, session.timeline)
        return cls(session, tuple(_list_earlier(session, forms)), book)

    @property
    def attacked(self) -> tuple[str, ...]:
        """The ids of the ships that earlier orders attacked, the latest first."""
        ids = (
            earlier.order.slots[slot.name]
            for earlier in self.earlier_orders
            for slot in earlier.order.form.slots
            if slot.kind is kinds.SHIP and slot.name in earlier.order.slots
            if slot.name != Filling(earlier.order.form).ship_slot
        )
        return tuple(dict.fromkeys(id for id in ids if isinstance(id, str)))

    def find_likely(self, fields: FormReading, name: str) -> str:
        """Return the likely value of an empty field, or "".

        For a range: the known range of the two ships. For a closed list: the only choice that the rules
        accept. For other fields, such as a target: the value in an earlier order.
        """
        slot = fields.filling.find_slot(name)
        if fields.filling.find_text(name).strip() or slot is None:
            return ""
        # `to` is set only for a range.
        if slot.to:
            known_range = self.find_known_range(fields, name)
            return format_slot_value(slot, known_range.value) if known_range else ""
        if slot.kind is kinds.CHOICE:
            accepted = self.list_accepted(fields, slot)
            return accepted[0] if len(accepted) == 1 else ""
        # Flags and slots with a keyword are not repeated.
        return "" if slot.is_trailing else self._find_earlier_value(fields, slot)

    def _find_earlier_value(self, fields: FormReading, slot: Slot) -> str:
        """Return a slot's value in the last order of the same ships, or "".

        If they had no order, look in the orders of their division in this turn. A value with a ship that is
        no longer a target does not count.
        """
        ship_slot, ships = fields.filling.ship_slot, self.session.battle.ships
        ids = _to_ids(fields.reading.slots.get(ship_slot))

        def find_divisions(ids: frozenset[str]) -> set[str]:
            return {ships[id].division for id in ids if id in ships}

        similar_orders = [earlier for earlier in self.earlier_orders if earlier.list_ships(ship_slot) == ids]
        divisions = find_divisions(ids)
        has_one_division = len(divisions) == 1 and divisions != {""}
        if not similar_orders and has_one_division:
            similar_orders = [
                earlier
                for earlier in self.earlier_orders
                if earlier.this_turn and find_divisions(earlier.list_ships(ship_slot)) == divisions
            ]
        orders = (earlier.order for earlier in similar_orders)
        values = (order.slots[slot.name] for order in orders if slot.name in order.slots)
        target_statuses = self.session.system.target_statuses
        no_targets = {ship.id for ship in ships.values() if ship.status not in target_statuses}
        possible_values = (value for value in values if no_targets.isdisjoint(_to_ids(value)))
        return next((format_slot_value(slot, value) for value in possible_values), "")

    def list_accepted(self, fields: FormReading, slot: Slot) -> tuple[str, ...]:
        """List the choices of a slot that the rules accept for the ship.

        All choices are returned if the rules cannot tell yet: no ship is named, or other fields are needed.
        """
        form, battle = fields.filling.form, fields.scope.required_battle
        ship = battle.ships.get(fields.find_value(fields.filling.ship_slot))
        needed = {
            other_slot.name
            for other_slot in form.slots
            if not other_slot.optional and other_slot.kind is not kinds.DIE
        }
        if ship is None or needed != {fields.filling.ship_slot, slot.name}:
            return slot.choices
        orders_by_word = {
            word: list_possible_orders(form, battle, ship, given={slot.name: word}) for word in slot.choices
        }
        prepare = self.session.system.prepare
        return tuple(
            word for word, orders in orders_by_word.items() if is_any_accepted(prepare, battle, orders)
        )

    def format_likely(self, fields: FormReading, name: str) -> str:
        """Format the likely value of a field, ships by name, with a note on a range of last turn."""
        likely, ships = self.find_likely(fields, name), fields.scope.required_battle.ships
        known_range = None if fields.filling.find_text(name).strip() else self.find_known_range(fields, name)
        note = f" {OLD}" if known_range is not None and known_range.old else ""
        return (ships[likely].name if likely in ships else likely) + note

    def find_known_range(self, fields: FormReading, name: str) -> Measured | None:
        """Return the known range for a range field: that between the dialog's ship and her target.

        Returns:
            None if it is not known, the field is no range, or there is not exactly one ship at each end.
        """
        slot, values = fields.filling.find_slot(name), fields.reading.slots
        if slot is None:
            return None
        firing = _to_ids(values.get(fields.filling.ship_slot))
        # Only a range field has `to`, the name of the slot for the target.
        target = _to_ids(values.get(slot.to))
        if len(firing) != 1 or len(target) != 1:
            return None
        order = Order(fields.filling.form, values)
        stick = self.session.system.find_range_stick(self.session.battle, order)
        return self.book.find_range(firing | target, slot, stick)


def _to_ids(value: object) -> frozenset[str]:
    """Return the ids in a slot's value: one text or several; an empty set for any other value."""
    if isinstance(value, str):
        return frozenset({value})
    return frozenset(value) if isinstance(value, tuple) else frozenset()


def build_repeated(session: Session, ship: str) -> Filling | None:
    """Build the dialog of a ship's last order that takes dice and fits this phase, without its dice.

    Returns:
        None if no such order among the latest entries is of her alone.
    """
    forms = [form for form in session.system.forms if form.dice]
    phase_forms = [form for form in forms if session.battle.phase in form.phases or not form.phases]
    for earlier in _list_earlier(session, phase_forms):
        if earlier.list_ships(Filling(earlier.order.form).ship_slot) == {ship}:
            return Filling.from_order(earlier.order.without_dice)
    return None


def _list_earlier(session: Session, forms: Iterable[Form]) -> Iterator[EarlierOrder]:
    """Yield the orders of some forms among the latest entries in force, newest first, with their age.

    Orders that name a ship no longer in the battle are left out.
    """
    timeline, words = session.timeline, {form.word for form in forms}
    # An entry that begins a phase has its turn and name in `begun_phase`.
    begun_phases = [timeline.rulings[number].decision.begun_phase for number in timeline.play_order]
    turn = session.battle.turn
    turn_start = 0
    # No entry begins the first phase of the battle, so its first turn starts before all entries.
    if timeline.start.turn != turn:
        turn_places = (place for place, phase in enumerate(begun_phases) if phase and phase[0] == turn)
        turn_start = next(turn_places, 0)
    latest_places = range(len(timeline.play_order))[-SEARCHED_MOST:]
    for place in reversed(latest_places):
        order = timeline.versions[timeline.play_order[place]].order
        if order.word in words and not kinds.find_absent_ship(order.form.slots, order.slots, session.battle):
            yield EarlierOrder(order, this_turn=place >= turn_start)


def find_division_slot(fields: FormReading, name: str) -> tuple[str, str]:
    """Find the slot for ships that `@` in a field fills, and the division of the first ship in that slot.

    Returns:
        The name of the slot and the division, which is "" while the slot names no ship. Two empty texts if
        `@` is ordinary text: among dice, in a field for a division, in the slot itself while it names no
        ship, or if the form has no slot for ships.
    """
    slot = fields.filling.find_slot(name)
    ships_slot = next((other for other in fields.filling.slots if other.kind is kinds.SHIPS), None)
    if slot is None or slot.kind is kinds.DIVISION or ships_slot is None:
        return "", ""
    division = fields.find_division(ships_slot.name)
    if slot is ships_slot and not division:
        return "", ""
    return ships_slot.name, division


def format_offers(offers: Offers, fields: FormReading, name: str, width: int) -> str:
    """Format as many values of a field as fit, with the keys that take one.

    Space takes the likely value of an empty field, Tab the first ship that typed letters may mean.
    Of a closed list, only the choices that the rules accept are shown, or all if they accept none.
    """
    likely = offers.format_likely(fields, name)
    key_text = f"Space takes {cut(likely, width // 2)}   " if likely else ""
    choices, slot = fields.list_choices(name), fields.filling.find_slot(name)
    accepted = offers.list_accepted(fields, slot) if slot is not None and slot.kind is kinds.CHOICE else ()
    accepted_names = [choice.label for choice in choices if choice.text in accepted]
    names = accepted_names or [choice.label for choice in choices]
    if names and fields.find_first_ship(name):
        key_text = f"Tab takes {cut(names[0], width // 2)}   "
    _, division = find_division_slot(fields, name)
    division_text = f"@ takes the whole division, {division.removeprefix('@')}" if division else ""
    room = width - measure_width(key_text) - measure_width(division_text)
    text = key_text + join_parts(names, room, " · ")
    return f"{text}   {division_text}" if text and division_text else text + division_text
