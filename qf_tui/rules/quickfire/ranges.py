"""The ranges of gunnery and torpedoes (QF-SCA-1), and what a guess does to the ROF die (QF-OPT-3)."""

from enum import StrEnum
from fractions import Fraction

from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.values import Battle
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire.options import option
from qf_tui.rules.quickfire_family.scales import nearest


class Range(StrEnum):
    """The three ranges, in the words of the orders, the nearest first."""

    POINT_BLANK = "pb"
    SHORT = "short"
    LONG = "long"

    @property
    def words(self) -> str:
        return "point blank" if self is Range.POINT_BLANK else self.value


def range_of(battle: Battle, order: Order) -> Range | None:
    """The range that an order names or measures; None beyond long."""
    value = order.slots["range"]
    if not isinstance(value, Distance):
        return Range(str(value))
    scale = GAME.measures(battle)
    edges = (scale.point_blank, scale.middle, scale.long)
    longer = option(battle, "shared_edge") == "longer"
    place = nearest(edges, GAME.amount(battle, value), longer=longer)
    return None if place is None else tuple(Range)[place]


def in_torpedo_range(battle: Battle, distance: Distance) -> bool:
    """Whether a distance lies between the scale's least and most torpedo range (QF-TOR-1)."""
    scale = GAME.measures(battle)
    return scale.torpedo_least <= GAME.amount(battle, distance) <= scale.torpedo_most


def guess_modifier(battle: Battle, order: Order) -> int:
    """What a guessed range adds to the ROF die (QF-OPT-3).

    One off on the model (within half of its base, or given as `on`), nothing within a cable of it, one more
    for each further cable begun.
    """
    guess, measured = order.slots.get("guess"), order.slots["range"]
    if guess == "on":
        return -1
    if not isinstance(guess, Distance) or not isinstance(measured, Distance):
        return 0
    off = abs(GAME.amount(battle, guess) - GAME.amount(battle, measured))
    base = order.slots.get("base")
    half = GAME.amount(battle, base) / 2 if isinstance(base, Distance) else Fraction(0)
    if off <= half:
        return -1
    cables = (off - half) / GAME.measures(battle).cable
    return -((-cables) // 1) - 1
