"""How the methods of rule systems rate attested ships, and which values are odd."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from statistics import fmean, pstdev

from attrs import frozen

from qf_tui.core.ship_facts import ShipFacts, collect_values
from qf_tui.core.system import RuleSystem

FEWEST = 8
"""Ships of a kind from which one of them can be far from the others."""
ODD_FROM = 3.0
"""Standard deviations from the mean of her kind."""


@frozen
class AttestedError:
    """A value that the rules attest, with the value that the method gives."""

    ship: str
    key: str
    attested: float
    method: float

    @property
    def error(self) -> float:
        return self.method - self.attested


@frozen
class OddValue:
    """A value that is far from others.

    Attributes:
        why: `highest`, `lowest`, or the distance from ships of her kind.
    """

    ship: str
    navy: str
    key: str
    value: float
    why: str


def list_attested_errors(system: RuleSystem, ships: Iterable[ShipFacts]) -> tuple[AttestedError, ...]:
    """List each number that the rules state for a ship, with the number that the method gives."""
    errors = []
    for ship in ships:
        stated = system.attested.get((ship.navy, ship.id), ())
        card = collect_values(system.work_out(ship)) if stated else {}
        for value in stated:
            attested, method = value.value, card.get(value.key)
            if isinstance(attested, int | float) and isinstance(method, int | float):
                errors.append(AttestedError(ship.name, value.key, float(attested), float(method)))
    return tuple(errors)


def list_odd_values(system: RuleSystem, ships: Iterable[ShipFacts]) -> tuple[OddValue, ...]:
    """List, for each value, the ships with the highest and lowest one, and ships far from their kind."""
    values: dict[str, list[tuple[ShipFacts, float]]] = defaultdict(list)
    for ship in ships:
        for key, value in collect_values(system.rate(ship)).items():
            if value and isinstance(value, int | float) and not isinstance(value, bool):
                values[key].append((ship, float(value)))
    return tuple(odd for key, pairs in values.items() for odd in _find_odd_values(key, pairs))


def _find_odd_values(key: str, pairs: list[tuple[ShipFacts, float]]) -> Iterator[OddValue]:
    ordered = sorted(pairs, key=lambda pair: pair[1])
    (least, low), (most, high) = ordered[0], ordered[-1]
    if low != high:
        yield OddValue(most.name, most.navy, key, high, "highest")
        yield OddValue(least.name, least.navy, key, low, "lowest")
    for kind in dict.fromkeys(ship.kind for ship, _ in pairs):
        members = [(ship, number) for ship, number in pairs if ship.kind == kind]
        numbers = [number for _, number in members]
        spread = pstdev(numbers) if len(numbers) >= FEWEST else 0.0
        for ship, number in members if spread else ():
            far = (number - fmean(numbers)) / spread
            if abs(far) >= ODD_FROM:
                why = f"{far:+.1f} deviations from other ships of kind {kind}"
                yield OddValue(ship.name, ship.navy, key, number, why)
