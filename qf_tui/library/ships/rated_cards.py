"""A ship's card out of her facts: what her rule system makes of them, and over it what a file states."""

from collections.abc import Iterator, Mapping

from attrs import evolve

from qf_tui.core.attestation import ATTESTED, ESTIMATED, ORIGIN, as_listed
from qf_tui.core.measure import Scalar, decimal
from qf_tui.core.ratings import Rating
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.library.cards import APART, flat, laid_out
from qf_tui.library.checking import Read
from qf_tui.library.declared import ship_fields


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
