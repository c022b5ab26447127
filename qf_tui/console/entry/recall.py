"""What was ordered before: offered field by field in a dialog, or given again with new dice."""

from collections.abc import Iterable, Iterator

from attrs import frozen

from qf_tui.console.entry.form_state import Filling, FormReading, slot_text
from qf_tui.console.widgets.text import cut, listed, width_of
from qf_tui.core.availability import REACH, Measured, RangeBook, range_book
from qf_tui.core.decisions import Op
from qf_tui.core.grammar import kinds
from qf_tui.core.possible_orders import accepts_some, possible_orders
from qf_tui.core.values import Form, Order, Slot
from qf_tui.session import Session

OLD = "of last turn"
"""Said of a range that was measured before its ships moved."""


@frozen
class Earlier:
    """An order of before, and whether it was given in this turn."""

    order: Order
    this_turn: bool

    def ships(self, name: str) -> frozenset[str]:
        """The ships that a slot names."""
        return frozenset(self.order.many(name)) if name in self.order.slots else frozenset()


@frozen
class Offers:
    """What the empty fields of a dialog may well hold, by the orders that were given before."""

    session: Session
    before: tuple[Earlier, ...]
    book: RangeBook

    @classmethod
    def of(cls, session: Session, form: Form) -> "Offers":
        """The offers for a form in a battle, newest order first."""
        book = range_book(session.system, session.timeline)
        return cls(session, tuple(_earlier(session, (form,))), book)

    @property
    def attacked(self) -> tuple[str, ...]:
        """The ships that orders named beside the first one, the latest first."""
        found = (
            one.order.slots[slot.name]
            for one in self.before
            for slot in Filling(one.order.form).slots
            if slot.kind is kinds.SHIP and slot.name in one.order.slots
            if slot.name != Filling(one.order.form).leading
        )
        return tuple(dict.fromkeys(id for id in found if isinstance(id, str)))

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
        ships = _ids(fields.reading.slots.get(first))
        own = [one for one in self.before if one.ships(first) == ships]
        found = own or [one for one in self.before if one.this_turn and self._mates(one, first, ships)]
        values = (one.order.slots[name] for one in found if name in one.order.slots)
        at_hand = self.session.system.target_statuses
        gone = {ship.id for ship in self.session.battle.ships.values() if ship.status not in at_hand}
        return next((slot_text(slot, value) for value in values if gone.isdisjoint(_ids(value))), "")

    def accepted(self, fields: FormReading, slot: Slot) -> tuple[str, ...]:
        """What of a closed list the rules accept of the ship; all of it where that hangs on more fields."""
        form, there = fields.filling.form, fields.scope.there
        ship = there.ships.get(fields.value(fields.filling.leading))
        needed = {one.name for one in form.slots if not one.optional and one.kind is not kinds.DIE}
        if ship is None or needed != {fields.filling.leading, slot.name}:
            return slot.choices
        tried = {word: possible_orders(form, there, ship, given={slot.name: word}) for word in slot.choices}
        prepare = self.session.system.prepare
        return tuple(word for word, orders in tried.items() if accepts_some(prepare, there, orders))

    def words(self, fields: FormReading, name: str) -> str:
        """What a field is likely to hold as people say it, and of when that is."""
        likely, ships = self.likely(fields, name), fields.scope.there.ships
        return (ships[likely].name if likely in ships else likely) + self.note(fields, name)

    def range_known(self, fields: FormReading, name: str) -> Measured | None:
        """What the range book has for a field; None where it has nothing, or the field is no range."""
        slot, now = fields.filling.slot(name), fields.reading.slots
        firing, target = _ids(now.get(fields.filling.leading)), _ids(now.get(slot.to if slot else ""))
        if slot is None or len(firing) != 1 or len(target) != 1:
            return None
        order = Order(fields.filling.form, now)
        read_by = self.session.system.range_read_by(self.session.battle, order)
        return self.book.between(firing | target, slot, read_by)

    def note(self, fields: FormReading, name: str) -> str:
        """What is to be said of what a field is offered: ` of last turn`, or nothing."""
        if fields.filling.text(name).strip():
            return ""
        known = self.range_known(fields, name)
        return f" {OLD}" if known is not None and known.old else ""

    def _mates(self, one: Earlier, first: str, ships: frozenset[str]) -> bool:
        """Whether the first ship of an earlier order is of the division of these."""
        battle = self.session.battle
        divisions = [
            {battle.ships[id].division for id in ids if id in battle.ships}
            for ids in (one.ships(first), ships)
        ]
        return len(divisions[0]) == 1 and divisions[0] == divisions[1] and divisions[0] != {""}


def _ids(value: object) -> frozenset[str]:
    return frozenset(value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ())


def again(session: Session, ship: str) -> Filling | None:
    """The last order with dice that a ship gave in such a phase, filled in but for its dice; or None."""
    forms = [form for form in session.system.forms if form.dice]
    now = [form for form in forms if session.battle.phase in form.phases or not form.phases]
    for one in _earlier(session, now):
        if one.ships(Filling(one.order.form).leading) == {ship}:
            return Filling.of(one.order.bare)
    return None


def _earlier(session: Session, forms: Iterable[Form]) -> Iterator[Earlier]:
    """The orders of some forms in force, newest first."""
    timeline, words = session.timeline, {form.word for form in forms}
    this_turn = True
    for number in timeline.play_order[: -REACH - 1 : -1]:
        order = timeline.versions[number].order
        if order.word in words and not kinds.absent(order.form.slots, order.slots, session.battle):
            yield Earlier(order, this_turn)
        effects = timeline.rulings[number].decision.effects
        turns = [one.value[0] for one in effects if one.op is Op.PHASE and isinstance(one.value, tuple)]
        this_turn = this_turn and all(turn == session.battle.turn for turn in turns)


def division_slot(fields: FormReading, name: str) -> tuple[str, str]:
    """The slot for ships and the division that `@` takes there; nothing in a field where `@` is text."""
    slot = fields.filling.slot(name)
    ships = next((one for one in fields.filling.slots if one.kind is kinds.SHIPS), None)
    if slot is None or slot.kind in (kinds.SHIPS, kinds.DIVISION) or ships is None:
        return "", ""
    return ships.name, fields.division_of(ships.name)


def offers_text(offers: Offers, fields: FormReading, name: str, width: int) -> str:
    """What a field may hold, and what Space, Tab or `@` takes, as far as there is room.

    Of a closed list what the rules accept; if that is nothing, all of it.
    """
    likely = offers.words(fields, name)
    text = f"Space takes {cut(likely, width // 2)}   " if likely else ""
    choices, slot = fields.choices(name), fields.filling.slot(name)
    able = offers.accepted(fields, slot) if slot is not None and slot.kind is kinds.CHOICE else ()
    names = [choice.label for choice in choices if choice.text in able] or [one.label for one in choices]
    if names and fields.likeliest(name):
        text = f"Tab takes {cut(names[0], width // 2)}   "
    _, division = division_slot(fields, name)
    whole = f"@ takes all of its division, {division[1:]}" if division else ""
    text += listed(names, width - width_of(text) - width_of(whole), " · ")
    return f"{text}   {whole}" if text and whole else text + whole
