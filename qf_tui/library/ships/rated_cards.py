"""A ship's card out of her facts: what her rule system makes of them, and over it what a file states."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean, pstdev

from attrs import evolve, frozen

from qf_tui.core.measure import Scalar, decimal
from qf_tui.core.ratings import ATTESTED, ESTIMATED, ORIGIN, Rating, as_listed
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.library.cards import APART, flat, laid_out
from qf_tui.library.checking import Read
from qf_tui.library.declared import ship_fields
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


class RatedCards:
    """The cards of a rule system, each out of a rating."""

    def __init__(self, system: RuleSystem) -> None:
        usual = {field.name: field.default for field in system.card if field.of_fleet}
        self.fields = tuple(
            evolve(field, default=usual.get(field.name, field.default)) for field in ship_fields(system)
        )

    def plain(self, ship: ShipFacts, rating: Rating) -> dict[str, Scalar]:
        """The whole card of a ship of whom no file states anything."""
        return self.card(rating, {"id": ship.id, "name": ship.name, "notes": facts_in_short(ship)}, {})

    def card(self, rating: Rating, about: Mapping[str, Scalar], stated: Read) -> dict[str, Scalar]:
        """The whole card of a ship: `about` are her id, name and notes, `stated` checked values of a file.

        What the rules attest is named in its `attested`, unless the file states another value.
        """
        values = {**rating.card, **about}
        card: dict[str, Scalar] = {}
        for field in self.fields:
            if stated.get(field.name) is not None and field.name not in APART:
                card |= flat((field,), stated)
            else:
                card |= laid_out((field,), values)
        card[ORIGIN] = str(stated.get(ORIGIN) or ESTIMATED)
        attested = (one.key for one in rating.values if one.attested)
        card[ATTESTED] = as_listed(key for key in attested if stated.get(key.partition(".")[0]) is None)
        return card


def facts_in_short(ship: ShipFacts) -> str:
    """What a card's notes say of a ship that nothing else is said of: her facts in one line."""
    return "; ".join(_facts(ship))


def _facts(ship: ShipFacts) -> Iterator[str]:
    yield f"{ship.tons:,} t"
    yield from (str(guns) for guns in (*ship.heavy, *ship.light))
    plates = [
        f"{label} {decimal(inches)}in"
        for label, inches in (
            ("belt", ship.belt),
            ("upper side", ship.upper_side),
            ("heavy guns", ship.heavy_armor),
            ("deck", ship.deck),
        )
        if inches
    ]
    if plates:
        yield ", ".join([*plates, *filter(None, [ship.plate])])
    yield f"{decimal(ship.knots)} kt"
    if ship.tubes:
        yield f"{ship.tubes} TT" + "".join(f" {size}in" for size in ship.tube_size_in[:1])
    if ship.small.larger or ship.small.smaller:
        yield f"small guns {ship.small.larger}+{ship.small.smaller}"
