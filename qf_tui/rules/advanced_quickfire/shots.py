"""A shot as declared: which batteries, at what range, with what ROF and on which line.

AQF-GUN-1, AQF-GUN-2, AQF-GUN-3, AQF-GUN-4, AQF-GUN-5, AQF-GUN-6, AQF-GUN-7, AQF-GUN-8.
"""

from fractions import Fraction

from attrs import frozen

from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.values import Act, Battle, Ship
from qf_tui.rules.advanced_quickfire.game import Bracket, bracket
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.quickfire_family.arcs import FULL, HALVED, arc_of
from qf_tui.rules.quickfire_family.chart import line_against, percent_lines
from qf_tui.rules.quickfire_family.gunnery import batteries
from qf_tui.rules.quickfire_family.ship import SMALL, Battery, armor, gunnery, size
from qf_tui.rules.quickfire_family.targeting import acting

FIRST, SECOND = "first-gunnery", "second-gunnery"
PHASES = (FIRST, SECOND)


@frozen
class Fire:
    """One battery's part in a shot.

    How its arc counts, its effective ROF, the miss it carries, its rating and line, the armor it meets.
    """

    battery: Battery
    arc: str
    rof: int
    miss: int
    rating: Fraction
    armor: Fraction
    line: int | None

    def fires(self, black: int) -> bool:
        """Whether the battery fires on a black die (AQF-GUN-2)."""
        return self.rof > 0 and black - self.miss <= self.rof


@frozen
class Shot:
    """A shot as declared: firer, target and range, and the batteries that fire (AQF-GUN-1)."""

    firer: Ship
    target: Ship
    range: Bracket
    fires: tuple[Fire, ...]
    light_armor: bool

    @property
    def small_target(self) -> bool:
        return size(self.target) <= SMALL


def range_of(battle: Battle, order: Order) -> Bracket | None:
    """The bracket that an order names or measures; None beyond long."""
    value = order.slots["range"]
    return bracket(battle, value) if isinstance(value, Distance) else Bracket(str(value))


def declared_first(battle: Battle) -> bool:
    """Whether the switch has every attack declared before its dice are thrown (AQF-GUN-1)."""
    return option(battle, "declare_first") == "yes"


def undeclared(battle: Battle, order: Order) -> list[Finding]:
    """What hinders an attack that comes with its dice where it must be declared first (AQF-GUN-1)."""
    if not order.dice or not declared_first(battle):
        return []
    return [refused("declare it without dice first, then roll (switch declare_first)", "AQF-GUN-1")]


def shot_of(battle: Battle, order: Order) -> Shot:
    """The shot of an order: what the firer can do is read as the phase began (AQF-PH-2)."""
    target = battle.ships[order.text("target")]
    firer = acting(battle, order.text("ship"))
    at = range_of(battle, order) or Bracket.LONG
    light_armor = order.has("light-armor")
    arcs = {battery: arc_of(firer, battery, order) for battery in batteries(order)}
    fires = tuple(fire_of(battle, firer, target, each, at, light_armor, arc) for each, arc in arcs.items())
    return Shot(firer, target, at, fires, light_armor)


def fire_of(
    battle: Battle, firer: Ship, target: Ship, battery: Battery, at: Bracket, light_armor: bool, arc: str
) -> Fire:
    """A battery's part in a shot at a range, at either armor (AQF-GUN-5, AQF-GUN-8)."""
    rof = firer.count(battery.rof)
    against = armor(target, Battery.LIGHT if light_armor else battery)
    rating = gunnery(firer, battery)
    raised = at is Bracket.POINT_BLANK and battery is Battery.HEAVY
    return Fire(
        battery,
        arc,
        {FULL: rof, HALVED: rof // 2}.get(arc, 0),
        missed(battle, firer.id, battery),
        rating,
        against,
        line_against(
            percent_lines(battle),
            rating,
            against,
            zero_is_top=option(battle, "zero_armor") == "top-line",
            raised=raised,
            from_below=raised and option(battle, "below_lowest") == "raised",
        ),
    )


def missed(battle: Battle, ship: str, battery: Battery) -> int:
    """1 if the battery's latest ROF roll of this turn or the last one failed (AQF-GUN-3).

    By the switch `miss_by` that of any of the ship's batteries.
    """
    asked = Battery if option(battle, "miss_by") == "ship" else (battery,)
    rolls = [act for act in battle.acts if act.kind == "rof" and act.ship == ship and not _later(battle, act)]
    latest = {act.text("battery"): act for act in rolls}
    own = [latest[each.value] for each in asked if each.value in latest]
    return int(any(act.turn >= battle.turn - 1 and not act.has("fired") for act in own))


def _later(battle: Battle, act: Act) -> bool:
    """Whether a roll was made after the phase of a shot whose dice were carried over (AQF-GUN-3)."""
    if act.turn != battle.turn:
        return act.turn > battle.turn
    return (battle.phase, act.phase) == (FIRST, SECOND)
