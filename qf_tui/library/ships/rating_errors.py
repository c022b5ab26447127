"""How far a rule system's method is from what its rules attest, and which ships come out oddly."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean, pstdev

from attrs import frozen

from qf_tui.core.measure import Scalar
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.library.ships.register import Register

FEWEST = 8
"""Ships of a kind from which one of them can be far from the others."""
ODD_FROM = 3.0
"""Standard deviations from the mean of her kind."""


@frozen
class AttestedError:
    """A value that the rules attest beside that of the method."""

    ship: str
    key: str
    attested: float
    method: float

    @property
    def error(self) -> float:
        return self.method - self.attested


@frozen
class OddValue:
    """A value that stands out: `why` is highest, lowest, or how far from her kind."""

    ship: str
    navy: str
    key: str
    value: float
    why: str


def attested_errors(system: RuleSystem, ships: Register) -> tuple[AttestedError, ...]:
    """Each number that the rules state of a ship whose facts are known, beside what the method gives."""
    found = []
    for one in ships.ships:
        stated = system.attested.get((one.navy, one.id), ())
        rating = system.work_out(one) if stated else None
        for value in stated if rating else ():
            attested, method = _number(value.value), _number(rating.card.get(value.key) if rating else None)
            if attested is not None and method is not None:
                found.append(AttestedError(one.name, value.key, attested, method))
    return tuple(found)


def _number(value: Scalar) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def odd_values(system: RuleSystem, ships: Register) -> tuple[OddValue, ...]:
    """For each value of a card: who has the most and the least of it, and who is far from her kind."""
    rated: dict[str, list[tuple[ShipFacts, float]]] = defaultdict(list)
    for one in ships.ships:
        rating = system.rate(one)
        for key, value in rating.card.items() if rating else ():
            number = _number(value)
            if number and not isinstance(value, bool):
                rated[key].append((one, number))
    return tuple(odd for key, values in rated.items() for odd in _odd(key, values))


def _odd(key: str, values: list[tuple[ShipFacts, float]]) -> Iterator[OddValue]:
    ordered = sorted(values, key=lambda pair: pair[1])
    (least, low), (most, high) = ordered[0], ordered[-1]
    if low != high:
        yield OddValue(most.name, most.navy, key, high, "highest")
        yield OddValue(least.name, least.navy, key, low, "lowest")
    for kind, members in _by_kind(values).items():
        numbers = [number for _, number in members]
        spread = pstdev(numbers) if len(numbers) >= FEWEST else 0.0
        for ship, number in members if spread else ():
            far = (number - fmean(numbers)) / spread
            if abs(far) >= ODD_FROM:
                yield OddValue(
                    ship.name, ship.navy, key, number, f"{far:+.1f} deviations from the others of kind {kind}"
                )


def _by_kind(values: Iterable[tuple[ShipFacts, float]]) -> Mapping[str, list[tuple[ShipFacts, float]]]:
    kinds: dict[str, list[tuple[ShipFacts, float]]] = defaultdict(list)
    for ship, number in values:
        kinds[ship.kind].append((ship, number))
    return kinds
