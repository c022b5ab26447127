"""The five scales, imperial and metric (AQF-SCA-1), and the bracket of a measured distance (AQF-SCA-2)."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from attrs import frozen

from qf_tui.core.measure import Distance, exact
from qf_tui.core.system import Scale
from qf_tui.core.values import Battle


class Bracket(StrEnum):
    """The three ranges of gunnery, in the words of the orders."""

    POINT_BLANK = "pb"
    MEDIUM = "medium"
    LONG = "long"

    @property
    def words(self) -> str:
        return "point blank" if self is Bracket.POINT_BLANK else self.value


@frozen
class Measures:
    """One scale in one family of units: far edges of the brackets, torpedo range and sea measures, in `unit`."""

    unit: str
    point_blank: Fraction
    medium: Fraction
    long: Fraction
    torpedo_least: Fraction
    torpedo_most: Fraction
    nautical_mile: Fraction
    cable: Fraction
    thousand_yards: Fraction
    kilometre: Fraction


def _measures(unit: str, *figures: str) -> Measures:
    return Measures(unit, *(Fraction(figure) for figure in figures))


MEASURES: Mapping[tuple[str, str], Measures] = {
    ("tiny", "metric"): _measures("mm", "50", "300", "600", "12", "50", "165", "16", "82", "89"),
    ("tiny", "in"): _measures("in", "2", "12", "24", "0.5", "2", "6.5", "0.75", "3.25", "3.5"),
    ("small", "metric"): _measures("mm", "75", "450", "900", "20", "75", "250", "25", "123", "135"),
    ("small", "in"): _measures("in", "3", "18", "36", "0.75", "3", "10", "1", "5", "5.5"),
    ("medium", "metric"): _measures("mm", "100", "600", "1200", "25", "100", "330", "33", "163", "178"),
    ("medium", "in"): _measures("in", "4", "24", "48", "1", "4", "13", "1.25", "6.5", "7"),
    ("large", "metric"): _measures("cm", "15", "90", "180", "4", "15", "50", "5", "25", "27"),
    ("large", "in"): _measures("in", "6", "36", "72", "1", "6", "20", "2", "9.75", "10.75"),
    ("jumbo", "metric"): _measures("cm", "20", "120", "240", "5", "20", "65", "6.5", "32", "35"),
    ("jumbo", "in"): _measures("in", "8", "48", "96", "2", "8", "26", "2.5", "12.75", "14"),
}

PRINTED_MILE = Fraction(13)
"""Inches of a nautical mile at the medium scale, in which ships' speeds are printed."""

SCALES = tuple(
    Scale(name, units, MEASURES[name, units].unit)
    for name in ("medium", "tiny", "small", "large", "jumbo")
    for units in ("in", "metric")
)


def measures(battle: Battle) -> Measures:
    """The measures of the battle's scale (AQF-SCA-1)."""
    return MEASURES[str(battle.table["scale"]), str(battle.table["units"])]


def bracket(battle: Battle, distance: Distance) -> Bracket | None:
    """The bracket of a distance; None beyond long (AQF-SCA-2).

    Exactly on a shared edge the switch `shared_edge` tells which one.
    """
    scale = measures(battle)
    amount = distance.to(scale.unit)
    longer = battle.options.get("shared_edge") == "longer"
    edges = (
        (scale.point_blank, Bracket.POINT_BLANK),
        (scale.medium, Bracket.MEDIUM),
    )
    for edge, name in edges:
        if amount < edge or (amount == edge and not longer):
            return name
    return Bracket.LONG if amount <= scale.long else None


def in_torpedo_range(battle: Battle, distance: Distance) -> bool:
    """Whether a distance lies between the scale's least and most torpedo range (AQF-TOR-1)."""
    scale = measures(battle)
    return scale.torpedo_least <= distance.to(scale.unit) <= scale.torpedo_most


def scaled_speed(battle: Battle, printed: object, eighths: int = 8) -> Fraction:
    """So many eighths of a printed speed, inches at the medium scale, in the unit of this battle."""
    inches = printed if isinstance(printed, int | float) else 0
    return _scaled(inches, eighths, str(battle.table["scale"]), str(battle.table["units"]))


@lru_cache(maxsize=4096)
def _scaled(inches: float, eighths: int, scale: str, units: str) -> Fraction:
    return exact(inches) * eighths / 8 * MEASURES[scale, units].nautical_mile / PRINTED_MILE
