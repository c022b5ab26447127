"""What ships can be ordered to do at a range: the attacks that the forms of a rule system declare."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from attrs import frozen

from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.order import Order, SlotValue
from qf_tui.core.measure import Distance
from qf_tui.core.possible_orders import possible_orders
from qf_tui.core.ranges import range_slot
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship

METRIC, INCHES = "cm", "in"
UNITS = {METRIC: "centimetres", INCHES: "inches"}


@frozen(eq=False)
class Attack:
    """One way in which a ship may attack: an order without its target and its range.

    `place` is the slot of the range. Each is known by its identity: it is found once.
    """

    form: Form
    ship: str
    place: Slot
    slots: Mapping[str, SlotValue]

    def at(self, target: str, range: Distance) -> Order:
        """The order at a target."""
        given = {**self.slots, self.place.to: target, self.place.name: range}
        return Order(
            self.form, {slot.name: given[slot.name] for slot in self.form.slots if slot.name in given}
        )


def attacks_of(system: RuleSystem, battle: Battle, ship: Ship) -> tuple[Attack, ...]:
    """All ways in which a ship may attack, whatever the phase; what an order may leave out is left out."""
    return tuple(attack for form in system.forms for attack in _of_form(form, battle, ship))


def _of_form(form: Form, battle: Battle, ship: Ship) -> Iterator[Attack]:
    place = range_slot(form)
    if place is None:
        return
    given: dict[str, SlotValue] = {place.to: ship.id, place.name: distance(battle, 1)}
    plain = {slot.name for slot in form.slots if not slot.optional} | given.keys()
    for order in possible_orders(form, battle, ship, given=given):
        if order.slots.keys() <= plain and _offered(form, battle, order):
            slots = {name: value for name, value in order.slots.items() if name not in given}
            yield Attack(form, ship.id, place, slots)


def _offered(form: Form, battle: Battle, order: Order) -> bool:
    """Whether every choice in an order is one that people are offered in this battle."""
    return all(
        slot.offered(battle, order.text(slot.name))
        for slot in form.slots
        if slot.offered is not None and not slot.to and slot.choices and slot.name in order.slots
    )


def unit_of(battle: Battle) -> str:
    """The unit in which a battle's ranges are scripted: inches, or centimetres on a metric table."""
    return METRIC if battle.table.get("units") == "metric" else INCHES


def distance(battle: Battle, amount: float) -> Distance:
    """A range in that unit, to a tenth."""
    return Distance(Fraction(round(amount * 10), 10), unit_of(battle))
