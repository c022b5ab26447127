"""What ships can be ordered to repair, and with how many points: as the forms of a rule system declare it."""

from collections.abc import Iterator

from qf_tui.core.grammar.forms import Mends
from qf_tui.core.grammar.order import Order
from qf_tui.core.possible_orders import possible_orders
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
