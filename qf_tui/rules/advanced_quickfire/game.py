"""What Advanced Quickfire gives to the rules that it shares with the other Quickfire games."""

from collections.abc import Mapping
from enum import StrEnum

from qf_tui.core.measure import Distance
from qf_tui.core.system import AttestedSet, ChartShape
from qf_tui.core.values import Battle
from qf_tui.rules.advanced_quickfire.initiative import order_of_moves
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.quickfire_family.chart import (
    CHECK_WORDS,
    NONE,
    codes_fault,
    hits_fault,
    named,
    number_fault,
    numbers,
    percent_fault,
    total_fault,
)
from qf_tui.rules.quickfire_family.game import Clauses, Game
from qf_tui.rules.quickfire_family.scales import FIVE, nearest

CODES = ("B", "D", "E", "F", "G", "R", "S", "SX", "T")
"""The damage codes that an order or a chart may hold."""

_DAMAGE_ROWS = ("explosion", "t-hit", "fire-check", "sx-check", "repair", "repair-p", "boat-guns")
_EXAMPLE = "`2G` or `SX G`"
_FACES = numbers(1, 12)
_BLAST = codes_fault(CODES, _EXAMPLE)
_DAMAGE = codes_fault((*CODES, *CHECK_WORDS), _EXAMPLE)

_GUIDE_BOATS = AttestedSet(
    "boat-guns",
    ("2", "5", "9"),
    lambda texts: sorted(texts) == ["B", "S", "T"],
    "one of them is attested as B, one as S and one as T (G, boat guns at a destroyer)",
)
_GUIDE_125 = AttestedSet(
    "125",
    numbers(1, 9),
    lambda texts: not {NONE, "0"} & set(texts),
    "all of them are attested as hits (G, Massena at Ohio)",
)

SHAPES: Mapping[str, ChartShape] = {
    "battery": ChartShape(_FACES, hits_fault, percent_fault, sets=(_GUIDE_125,)),
    "blast": ChartShape(
        (*numbers(2, 12), "13+"), _BLAST, named("long", "medium", "pb"), total_fault(2, 24, "13+")
    ),
    "damage": ChartShape(_FACES, _DAMAGE, named(*_DAMAGE_ROWS), sets=(_GUIDE_BOATS,), apart=True),
    "sinking": ChartShape(
        ("2", "3", "4", "5", "6", "7", "8+"),
        number_fault("the greatest roll that sinks", 1, 12),
        named("sinks-on"),
    ),
}


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


GAME = Game(
    clauses=Clauses(
        phases="AQF-PH-1",
        sunk="AQF-SNK-2",
        moved="AQF-MV-1",
        change="AQF-MV-4",
        strict="AQF-CHA-3",
        pivots="AQF-MV-2",
        second_pivot="AQF-MV-3",
        steered="AQF-MV-6",
    ),
    scales=FIVE,
    shapes=SHAPES,
    change=lambda battle: int(option(battle, "speed_change")),
    order_of_moves=order_of_moves,
    by_used=lambda battle: option(battle, "speed_by") == "used",
)
