"""Checks how rule systems compute ships' values: errors against stated values, and values that stand out."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from statistics import fmean, pstdev

from attrs import frozen

from qf_tui.core.ship_facts import ShipFacts, collect_values
from qf_tui.core.system import RuleSystem

SHIPS_LEAST = 8
"""Smallest number of ships of a kind for which the distance from their mean is computed."""
ODD_FROM = 3.0
"""Distance from the mean of a ship's kind, in standard deviations, from which a value is odd."""


@frozen
class AttestedError:
    """A value that the rules state for a ship, and the value that their method computes for her."""

    ship: str
    key: str
    attested: float
    method: float

    @property
    def error(self) -> float:
        """The computed value less the stated one."""
        return self.method - self.attested


@frozen
class OddValue:
    """A value that stands out: the highest or lowest of all ships, or far from ships of the same kind.

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
        stated_values = system.attested.get((ship.navy, ship.id), ())
        method_values = collect_values(system.work_out(ship)) if stated_values else {}
        for value in stated_values:
            attested, method = value.value, method_values.get(value.key)
            if isinstance(attested, int | float) and isinstance(method, int | float):
                errors.append(AttestedError(ship.name, value.key, float(attested), float(method)))
    return tuple(errors)


def list_odd_values(system: RuleSystem, ships: Iterable[ShipFacts]) -> tuple[OddValue, ...]:
    """List, for each value, the ships with the highest and lowest one, and ships far from their kind.

    Values that are 0 or no number are ignored.
    """
    values: dict[str, list[tuple[ShipFacts, float]]] = defaultdict(list)
    for ship in ships:
        for key, value in collect_values(system.rate(ship)).items():
            if value and isinstance(value, int | float) and not isinstance(value, bool):
                values[key].append((ship, float(value)))
    return tuple(odd for key, pairs in values.items() for odd in _find_odd_values(key, pairs))


def _find_odd_values(key: str, pairs: list[tuple[ShipFacts, float]]) -> Iterator[OddValue]:
    """Yield the ships that stand out in one value: highest and lowest, and those far from their kind.

    Without a difference between highest and lowest, neither is yielded. A kind of few ships is not compared.

    Args:
        key: The key of the value.
        pairs: Each ship with her value.
    """
    ordered = sorted(pairs, key=lambda pair: pair[1])
    (least, low), (most, high) = ordered[0], ordered[-1]
    if low != high:
        yield OddValue(most.name, most.navy, key, high, "highest")
        yield OddValue(least.name, least.navy, key, low, "lowest")
    for kind in dict.fromkeys(ship.kind for ship, _ in pairs):
        members = [(ship, number) for ship, number in pairs if ship.kind == kind]
        numbers = [number for _, number in members]
        spread = pstdev(numbers) if len(numbers) >= SHIPS_LEAST else 0.0
        if not spread:
            continue
        for ship, number in members:
            deviations = (number - fmean(numbers)) / spread
            if abs(deviations) >= ODD_FROM:
                why = f"{deviations:+.1f} deviations from other ships of kind {kind}"
                yield OddValue(ship.name, ship.navy, key, number, why)
