"""A shot as declared: which batteries, at what range, with what ROF and on which line.

AQF-GUN-1, AQF-GUN-2, AQF-GUN-3, AQF-GUN-4, AQF-GUN-5, AQF-GUN-6, AQF-GUN-7, AQF-GUN-8.
"""

from fractions import Fraction

from attrs import frozen

from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.values import Act, Battle, Ship
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.advanced_quickfire.scales import Bracket, bracket
from qf_tui.rules.quickfire_family.chart import line_against, percent_lines
from qf_tui.rules.quickfire_family.ship import SMALL, Battery, armor, gunnery, size
from qf_tui.rules.quickfire_family.targeting import acting

FIRST, SECOND = "first-gunnery", "second-gunnery"
PHASES = (FIRST, SECOND)


@frozen
class Fire:
    """One battery's part in a shot: its effective ROF, the miss it carries, its line, the armor it meets."""

    battery: Battery
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
    """A shot as declared: firer, target, range and arc, and the batteries that fire (AQF-GUN-1)."""

    firer: Ship
    target: Ship
    range: Bracket
    fires: tuple[Fire, ...]
    light_armor: bool
    end: bool

    @property
    def small_target(self) -> bool:
        return size(self.target) <= SMALL


def batteries(order: Order) -> tuple[Battery, ...]:
    """The batteries that an order names."""
    word = order.text("battery")
    return tuple(Battery) if word == "both" else (Battery(word),)


def range_of(battle: Battle, order: Order) -> Bracket | None:
    """The bracket that an order names or measures; None beyond long."""
    value = order.slots["range"]
    return bracket(battle, value) if isinstance(value, Distance) else Bracket(str(value))


def shot_of(battle: Battle, order: Order) -> Shot:
    """The shot of an order: what the firer can do is read as the phase began (AQF-PH-2)."""
    target = battle.ships[order.text("target")]
    firer = acting(battle, order.text("ship"))
    at = range_of(battle, order) or Bracket.LONG
    light_armor = order.has("light-armor")
    end = order.has("end") and firer.card.get("end_arc") != "full"
    fires = tuple(_fire(battle, firer, target, battery, at, light_armor, end) for battery in batteries(order))
    return Shot(firer, target, at, fires, light_armor, end)


def _fire(
    battle: Battle, firer: Ship, target: Ship, battery: Battery, at: Bracket, light_armor: bool, end: bool
) -> Fire:
    rof = firer.count(battery.rof)
    against = armor(target, Battery.LIGHT if light_armor else battery)
    rating = gunnery(firer, battery)
    return Fire(
        battery,
        rof // 2 if end else rof,
        missed(battle, firer.id, battery),
        rating,
        against,
        line_against(
            percent_lines(battle),
            rating,
            against,
            zero_is_top=option(battle, "zero_armor") == "top-line",
            raised=at is Bracket.POINT_BLANK and battery is Battery.HEAVY,
        ),
    )


def missed(battle: Battle, ship: str, battery: Battery) -> int:
    """1 if the battery's latest ROF roll of this turn or the last one failed (AQF-GUN-3)."""
    rolls = [
        act
        for act in battle.acts
        if act.kind == "rof"
        and act.ship == ship
        and act.text("battery") == battery.value
        and not _later(battle, act)
    ]
    return int(bool(rolls) and rolls[-1].turn >= battle.turn - 1 and not rolls[-1].has("fired"))


def _later(battle: Battle, act: Act) -> bool:
    """Whether a roll was made after the phase of a shot whose dice were carried over (AQF-GUN-3)."""
    if act.turn != battle.turn:
        return act.turn > battle.turn
    return (battle.phase, act.phase) == (FIRST, SECOND)
