"""Facts of a ship into a card of the Quickfire games, with the working of each value."""

from fractions import Fraction

from attrs import frozen

from qf_tui.core.measure import Scalar, decimal
from qf_tui.core.ratings import RatedValue, Rating, rounded, with_parapet
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.rules.quickfire_family.armor_ratings import heavy_armor, light_armor
from qf_tui.rules.quickfire_family.gun_ratings import gunnery, heavy_guns, light_guns, rate_of_fire

SMALL_CRAFT = ("destroyer", "torpedo-boat", "torpedo-gunboat")
RELOAD_MOST = 11
_INCH_A_KNOT = Fraction(3, 8)


def rate(ship: ShipFacts) -> Rating:
    """Her Advanced Quickfire card, of which the other games of the family make theirs.

    What nobody knows is assumed, and said so.
    """
    built = Built.of(ship)
    values = (
        RatedValue("kind", ship.kind.replace("-", " "), "as she is"),
        RatedValue("size", _plain(built.size), f"{ship.tons} t / 1000"),
        gunnery("gunnery.heavy", heavy_guns(ship), ship),
        gunnery("gunnery.light", light_guns(ship), ship),
        *_armor(ship),
        rate_of_fire("rof.heavy", heavy_guns(ship), ship),
        rate_of_fire("rof.light", light_guns(ship), ship),
        *_torpedo(ship),
        RatedValue("boat_guns", built.boat_guns, f"({ship.small.larger} + {ship.small.smaller}/2) / 7"),
        RatedValue("speed", _plain(_speed(ship)), f"{decimal(ship.knots)} kn x 0.375, to a quarter"),
        RatedValue("protected", protected(ship), "a belt to the ends, and a sloped deck behind it"),
        RatedValue("repair", built.repair, f"1 + {ship.tons} / 3000"),
    )
    return Rating(values)


def _armor(ship: ShipFacts) -> tuple[RatedValue, RatedValue]:
    if ship.kind in SMALL_CRAFT:
        half = "a small craft, which boat guns hurt"
        return RatedValue("armor.heavy", 0.5, half), RatedValue("armor.light", 0.5, half)
    ship, assumed = with_parapet(ship)
    assumed = assumed or ("plate as good as steel" if ship.belt and not ship.plate else "")
    armor = {"armor.heavy": heavy_armor(ship), "armor.light": light_armor(ship)}
    heavy, light = (RatedValue(key, int(rounded(value)), why, assumed) for key, (value, why) in armor.items())
    return heavy, light


def _torpedo(ship: ShipFacts) -> tuple[RatedValue, ...]:
    if ship.tubes == 0 or (ship.tubes is None and not ship.tube_size_in):
        return ()
    tubes = ship.tubes if ship.tubes is not None else 2
    spares = 2 if ship.kind == "destroyer" else 0
    reload = min(RELOAD_MOST, 4 + tubes + spares)
    bore = next(iter(ship.tube_size_in), 18)
    size = max((one for one in (14, 15, 18, 21) if one <= bore), default=14)
    return (
        RatedValue(
            "torpedo.size",
            size,
            f"{size} in tubes",
            "" if ship.tube_size_in else "18 in torpedoes",
        ),
        RatedValue(
            "torpedo.reload",
            reload,
            f"4 + {tubes} tubes{' + 2 spares' if spares else ''}",
            "" if ship.tubes is not None else "two tubes",
        ),
    )


def _speed(ship: ShipFacts) -> Fraction:
    return rounded(ship.knots * _INCH_A_KNOT, Fraction(1, 4))


def protected(ship: ShipFacts) -> bool:
    """Whether her belt goes to the ends, or as good as, with a sloped deck behind it."""
    return bool(ship.belt and ship.belt_ends and ship.deck_slope)


def _plain(value: Fraction) -> Scalar:
    return int(value) if value.denominator == 1 else float(value)


@frozen
class Built:
    """What follows from tons and small guns alone: size, repair, boat guns."""

    size: Fraction
    repair: int
    boat_guns: int

    @classmethod
    def of(cls, ship: ShipFacts) -> "Built":
        """The values of a ship."""
        small = Fraction(2 * ship.small.larger + ship.small.smaller, 14)
        boats = int(rounded(small))
        return cls(
            size_of(ship.tons),
            int(rounded(1 + Fraction(ship.tons, 3000))),
            max(1, boats) if small else 0,
        )


def size_of(tons: int) -> Fraction:
    """Thousands of tons; 1 from 750 tons, 1/2 from 200, 1/4 below."""
    if tons < 200:
        return Fraction(1, 4)
    if tons < 750:
        return Fraction(1, 2)
    return max(Fraction(1), rounded(Fraction(tons, 1000)))
