"""Volleys: which order of a system many ships may give one after the other, each with its own battery.

Such an order names a ship that fires, its battery, a target and the range to it, and its dice may end it.
Nothing here is declared for it alone: the form's slots say so.
"""

from collections.abc import Iterator
from itertools import islice

from attrs import frozen

from qf_tui.core.errors import Finding, impossible
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.names import listed_names
from qf_tui.core.grammar.order import Order
from qf_tui.core.possible_orders import possible_orders
from qf_tui.core.ranges import range_slot
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship

_BATTERIES = (kinds.CHOICE, kinds.NAME)
_RANGES = 6
"""Ranges at each target that are asked about."""
_ENOUGH = 3 * _RANGES
"""Orders after which what stands against all of them is no matter of the target."""


@frozen
class Volley:
    """A form that volleys are of, and the names of its slots."""

    form: Form
    ship: str
    battery: str
    target: str
    range: str

    @classmethod
    def of(cls, form: Form) -> "Volley | None":
        """The slots of a form that is fired in volleys, or None."""
        firing, at = (form.slots[0] if form.slots else None), range_slot(form)
        if firing is None or firing.kind is not kinds.SHIP or at is None or at.optional or not form.dice:
            return None
        battery = next((one for one in form.slots if one.kind in _BATTERIES and not one.optional), None)
        return cls(form, firing.name, battery.name, at.to, at.name) if battery is not None else None

    @property
    def _battery(self) -> Slot:
        return next(slot for slot in self.form.slots if slot.name == self.battery)

    def batteries(self, battle: Battle, ship: Ship) -> tuple[str, ...]:
        """The batteries that an order may name of a ship, fit to fire or not."""
        slot = self._battery
        names = listed_names(ship, slot.listed) if slot.listed else slot.choices
        return tuple(name for name in names if slot.offered is None or slot.offered(battle, name))

    def of_ship(self, battle: Battle, ship: Ship, battery: str) -> Iterator[Order]:
        """Orders that a ship could be given with a battery at its enemies, nothing optional in them."""
        for target in battle.ships.values():
            if target.side != ship.side and not target.gone:
                given = {self.battery: battery, self.target: target.id}
                yield from islice(possible_orders(self.form, battle, ship, given=given), _RANGES)

    def may_fire(self, system: RuleSystem, battle: Battle, ship: Ship) -> tuple[str, ...]:
        """The batteries with which a ship may still fire in this phase: some order is not refused."""
        names = self.batteries(battle, ship)
        return tuple(name for name in names if self.against(system, battle, ship, name) is None)

    def against(self, system: RuleSystem, battle: Battle, ship: Ship, battery: str) -> Finding | None:
        """What hinders any fire of a battery, by its first target; None where some order is not refused.

        What is said alike of several targets at all ranges is said of the battery: no more are asked about.
        """
        alike: frozenset[Finding] | None = None
        first: Finding | None = None
        for at, order in enumerate(self.of_ship(battle, ship, battery)):
            findings = system.prepare(battle, order).findings
            if not findings:
                return None
            first = first or findings[0]
            alike = frozenset(findings) if alike is None else alike & frozenset(findings)
            if at >= _ENOUGH and alike:
                break
        return first or impossible(f"{ship.name} has no target")


def volley_of(system: RuleSystem, phase: str) -> Volley | None:
    """The order that is fired in volleys in a phase, or None."""
    forms = (Volley.of(form) for form in system.forms if not form.phases or phase in form.phases)
    return next((volley for volley in forms if volley is not None), None)
