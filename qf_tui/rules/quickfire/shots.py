"""A shot as declared: which batteries, at what range, with what ROF and on which line (QF-GUN-1, 2, 5, 6)."""

from enum import StrEnum
from fractions import Fraction

from attrs import frozen

from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire.options import option
from qf_tui.rules.quickfire_family.arcs import HALVED, NONE, arc_of
from qf_tui.rules.quickfire_family.chart import line_against, percent_lines
from qf_tui.rules.quickfire_family.gunnery import batteries
from qf_tui.rules.quickfire_family.scales import nearest
from qf_tui.rules.quickfire_family.ship import SMALL, Battery, armor, gunnery, size
from qf_tui.rules.quickfire_family.targeting import acting


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


GUNNERY = "gunnery"
"""The phase of gunnery and torpedoes."""


@frozen
class Fire:
    """One battery's part in a shot: its arc, its ROF, the rating and armor that count, and its line."""

    battery: Battery
    arc: str
    rof: int
    rating: Fraction
    armor: Fraction
    line: int | None


@frozen
class Shot:
    """A shot as declared. `off` is added to the ROF die; `auto`: it fires whatever the die shows."""

    firer: Ship
    target: Ship
    range: Range
    fires: tuple[Fire, ...]
    off: int
    auto: bool

    @property
    def small_target(self) -> bool:
        return size(self.target) <= SMALL

    def fired(self, fire: Fire, black: int) -> bool:
        """Whether a battery fires on a black die (QF-GUN-1, QF-GUN-6)."""
        return fire.rof > 0 and (self.auto or black + self.off <= fire.rof)


def shot_of(battle: Battle, order: Order) -> Shot:
    """The shot of an order: what the firer can do is read as the phase began (QF-PH-2)."""
    target = battle.ships[order.text("target")]
    firer = acting(battle, order.text("ship"))
    at = range_of(battle, order) or Range.LONG
    light_armor = order.has("light-armor")
    arcs = {battery: arc_of(firer, battery, order) for battery in batteries(order)}
    fires = tuple(fire_of(battle, firer, target, each, light_armor, arc) for each, arc in arcs.items())
    unused = battle.ships[firer.id].log.get("auto_shot") is not True
    auto = unused and option(battle, "auto_shot") == "yes"
    guessed = option(battle, "range_guessing") == "yes"
    off = guess_modifier(battle, order) if guessed else 0
    return Shot(firer, target, at, fires, off, auto)


def fire_of(battle: Battle, firer: Ship, target: Ship, battery: Battery, light_armor: bool, arc: str) -> Fire:
    """A battery's part in a shot, at either armor (QF-GUN-2, QF-GUN-5)."""
    rof, rating = firer.count(battery.rof), gunnery(firer, battery)
    if arc == NONE:
        rof = 0
    elif arc == HALVED and option(battle, "end_arc") == "rof":
        rof //= 2
    elif arc == HALVED:
        rating /= 2
    against = armor(target, Battery.LIGHT if light_armor else battery)
    zero_is_top = option(battle, "zero_armor") == "top-line"
    line = line_against(percent_lines(battle), rating, against, zero_is_top=zero_is_top)
    return Fire(battery, arc, rof, rating, against, line)
