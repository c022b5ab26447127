"""Who may fire at what, and when (AQF-PH-3, AQF-GUN-8, AQF-GUN-9, AQF-GUN-10, AQF-GUN-13)."""

from fractions import Fraction

from attrs import frozen

from qf_tui.core.errors import Finding, refused
from qf_tui.core.text import Distance, whose
from qf_tui.core.values import Act, Battle, Order, Ship
from qf_tui.rules.advanced_quickfire.clauses import option
from qf_tui.rules.advanced_quickfire.ship import GAME, Bracket, bracket
from qf_tui.rules.quickfire_family.chart import line_against, percent_lines
from qf_tui.rules.quickfire_family.gunnery import batteries
from qf_tui.rules.quickfire_family.ship import SMALL, Battery, armor, gunnery_rating, size
from qf_tui.rules.quickfire_family.targeting import (
    FULL,
    HALVED,
    NO_ARC,
    acting,
    already,
    arc_hindrances,
    arc_of,
    at_target,
    has_fired,
    has_target,
    pending,
    too_small,
)

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
    rating = gunnery_rating(firer, battery)
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


def hindrances(battle: Battle, order: Order, shot: Shot) -> tuple[Finding, ...]:
    """What hinders a shot."""
    found = [*_out_of_phase(battle), *undeclared(battle, order)]
    found.extend(at_target(GAME, battle, shot.firer.id, shot.target))
    found.extend(arc_hindrances(shot.firer, batteries(order), order, "AQF-GUN-4"))
    for fire in shot.fires:
        rof = shot.firer.count(fire.battery.rof) if fire.arc == NO_ARC else fire.rof
        found.extend(_of_battery(battle, shot.firer, fire.battery, rof))
    found.extend(_range_hindrances(battle, order, shot))
    return tuple(found)


def _out_of_phase(battle: Battle) -> list[Finding]:
    if battle.phase in PHASES:
        return []
    return [refused("guns fire in the two gunnery phases only", "AQF-PH-1")]


def _of_battery(battle: Battle, firer: Ship, battery: Battery, rof: int) -> list[Finding]:
    """What hinders any fire of a battery with that ROF."""
    name = firer.name
    if gunnery_rating(firer, battery) == 0:
        return [refused(f"{name} has no {battery.value} battery", "AQF-GUN-10")]
    found = []
    if rof == 0:
        clause = "AQF-GUN-4" if firer.count(battery.rof) else "AQF-GUN-2"
        found.append(refused(f"{whose(name)} {battery.value} ROF is 0: it cannot fire", clause))
    if has_fired(battle, firer.id, battery, battle.phase):
        guns, owed = f"{whose(name)} {battery.value} battery", pending(battle, "fire", firer.id, "", battery)
        text = already(owed, f"{guns} is", f"{guns} has fired in this phase")
        found.append(refused(text, "AQF-GUN-9"))
    if battle.phase == SECOND:
        found.extend(_second_phase(battle, firer, battery))
    return found


def _second_phase(battle: Battle, firer: Ship, battery: Battery) -> list[Finding]:
    """Only what failed its ROF roll in the first gunnery phase fires in the second (AQF-PH-3)."""
    rolls = list(battle.done("rof", firer.id, phase=FIRST))
    own = [act for act in rolls if act.text("battery") == battery.value]
    asked = rolls if option(battle, "refire_by") == "ship" else own
    which = firer.name if asked is rolls else f"{whose(firer.name)} {battery.value} battery"
    if any(act.has("fired") for act in asked):
        return [refused(f"{which} fired in the first gunnery phase", "AQF-PH-3")]
    pending = [
        act for act in battle.done("fire", firer.id, phase=FIRST) if act.text("battery") == battery.value
    ]
    if pending and not own:
        return [refused(f"{which} still owes its roll of the first gunnery phase", "AQF-PH-3")]
    if not asked and option(battle, "untried_refire") == "no":
        return [refused(f"{which} did not try to fire in the first gunnery phase", "AQF-PH-3")]
    return []


def _range_hindrances(battle: Battle, order: Order, shot: Shot) -> list[Finding]:
    found = []
    light = any(fire.battery is Battery.LIGHT for fire in shot.fires)
    heavy = any(fire.battery is Battery.HEAVY for fire in shot.fires)
    if range_of(battle, order) is None:
        found.append(refused(f"{order.slots['range']} is beyond long range", "AQF-SCA-2"))
    elif shot.range is Bracket.LONG and light:
        found.append(refused("at long range only heavy guns fire", "AQF-GUN-8"))
    if shot.light_armor and (shot.range is not Bracket.LONG or light):
        found.append(refused("only heavy guns at long range may choose the light armor", "AQF-GUN-8"))
    others = {
        act.text("target")
        for act in battle.done("fire", shot.firer.id, phase=battle.phase)
        if act.text("range") == Bracket.LONG.value
    }
    if shot.range is Bracket.LONG and others - {shot.target.id}:
        found.append(refused(f"{shot.firer.name} fires at another target at long range", "AQF-GUN-9"))
    if heavy:
        found.extend(_too_small(battle, shot.target))
    return found


def _too_small(battle: Battle, target: Ship) -> list[Finding]:
    return too_small(GAME, battle, target, option(battle, "small_fast_by"), "AQF-GUN-13")


def may_fire(battle: Battle, ship: Ship, battery: Battery) -> bool:
    """Whether a battery may still act in this phase: some target and range are not refused."""
    firer = acting(battle, ship.id)
    if _out_of_phase(battle) or _of_battery(battle, firer, battery, firer.count(battery.rof)):
        return False
    heavy = battery is Battery.HEAVY
    return has_target(GAME, battle, firer.id, lambda target: heavy and _too_small(battle, target))
