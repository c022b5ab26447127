"""The brackets of gunnery and torpedo range (AQF-SCA)."""

from enum import StrEnum

from qf_tui.core.measure import Distance
from qf_tui.core.values import Battle
from qf_tui.rules.advanced_quickfire.game import GAME
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.quickfire_family.scales import nearest


class Bracket(StrEnum):
    """The three ranges of gunnery, in the words of the orders, the nearest first."""

    POINT_BLANK = "pb"
    MEDIUM = "medium"
    LONG = "long"

    @property
    def words(self) -> str:
        return "point blank" if self is Bracket.POINT_BLANK else self.value


def bracket(battle: Battle, distance: Distance) -> Bracket | None:
    """The bracket of a distance; None beyond long (AQF-SCA-2).

    Exactly on a shared edge the switch `shared_edge` says which one.
    """
    scale = GAME.measures(battle)
    edges = (scale.point_blank, scale.middle, scale.long)
    place = nearest(edges, GAME.amount(battle, distance), longer=option(battle, "shared_edge") == "longer")
    return None if place is None else tuple(Bracket)[place]


def in_torpedo_range(battle: Battle, distance: Distance) -> bool:
    """Whether a distance lies between the scale's least and most torpedo range (AQF-TOR-1)."""
    scale = GAME.measures(battle)
    return scale.torpedo_least <= GAME.amount(battle, distance) <= scale.torpedo_most
