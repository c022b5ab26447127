"""What ships can be ordered to do at a range, and to repair: what the forms of a rule system declare."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from attrs import frozen

from qf_tui.core.grammar.forms import Form, Mends, Slot
from qf_tui.core.grammar.order import Order, SlotValue
from qf_tui.core.measure import Distance
from qf_tui.core.possible_orders import possible_orders
from qf_tui.core.ranges import range_slot
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.values import Battle, Ship, replace


def repairs_of(system: RuleSystem, battle: Battle, ship: Ship) -> Iterator[Order]:
    """All repairs that a ship may ever be ordered to make, in the order in which they are declared."""
    for form in system.forms:
        if form.mends is None:
            continue
        plain = {slot.name for slot in form.slots if not slot.optional}
        for order in possible_orders(form, battle, ship):
            if order.slots.keys() <= plain:
                yield order


def points_of(system: RuleSystem) -> tuple[Mends, ...]:
    """What repairs use up under a rule system; nothing where nobody orders any."""
    return tuple(dict.fromkeys(form.mends for form in system.forms if form.mends is not None))


def called(system: RuleSystem) -> str:
    """What the rules call them."""
    fields = (find_field(system, one.points) for one in points_of(system))
    return ", ".join(field.title for field in fields if field is not None)


def printed(system: RuleSystem, ship: Ship) -> int:
    """How many such points a ship was built with."""
    return sum(ship.card_count(one.printed) for one in points_of(system))


def with_points(system: RuleSystem, ship: Ship, more: int) -> Ship:
    """A ship with so many more of such points, or fewer, down to none; one built with none stays so."""
    card, log = dict(ship.card), dict(ship.log)
    for one in points_of(system):
        if ship.card_count(one.printed):
            card[one.printed] = max(0, ship.card_count(one.printed) + more)
            log[one.points] = max(0, ship.count(one.points) + more)
    return replace(ship, card=card, log=log)


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
