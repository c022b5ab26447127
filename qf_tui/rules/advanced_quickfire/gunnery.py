"""Battery fire and boat guns: who may fire, and what the dice do (AQF-GUN, AQF-BG, AQF-PH-3)."""

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.errors import Finding, refused
from qf_tui.core.system import Faces, Measure, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Act, Battle, Die, Order, Ship
from qf_tui.rules.advanced_quickfire.clauses import option
from qf_tui.rules.advanced_quickfire.damage import D12, Damage, HitSource
from qf_tui.rules.advanced_quickfire.game import GAME
from qf_tui.rules.quickfire_family.attacks import (
    LONG,
    Codes,
    Fire,
    Gunnery,
    Shot,
    Struck,
    already,
    at_target,
    boat_hindrances,
    boat_throw,
    in_phase,
    pending,
    prepare_boats,
    remarked_if_late,
)
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader
from qf_tui.rules.quickfire_family.damage import TableLine
from qf_tui.rules.quickfire_family.game import POINT_BLANK
from qf_tui.rules.quickfire_family.ship import FULL, Battery, acting
from qf_tui.rules.quickfire_family.throws import Throw

FIRST, SECOND = "first-gunnery", "second-gunnery"
PHASES = (FIRST, SECOND)
BLACK, WHITE = Die(12, "black"), Die(12, "white")


def undeclared(battle: Battle, order: Order) -> list[Finding]:
    """What hinders an attack that comes with its dice where it must be declared first (AQF-GUN-1)."""
    if not order.dice or option(battle, "declare_first") == "no":
        return []
    return [refused("declare it without dice first, then roll (switch declare_first)", "AQF-GUN-1")]


def declared_in_time(battle: Battle, prepared: PreparedOrder) -> PreparedOrder:
    """An attack that by the switch waits for its dice; it is remarked on if it comes late (AQF-GUN-1)."""
    at_once = option(battle, "declare_first") == "no"
    return remarked_if_late(battle, prepared, "AQF-GUN-1", "AQF-GUN-18", at_once=at_once)


class BatteryFire(Gunnery):
    """Battery fire of two phases, black and white dice with twelve sides."""

    game = GAME
    dice = (BLACK, WHITE)
    phases = PHASES
    when = "the two gunnery phases"
    by_phase = "AQF-PH-1"
    by_card = "AQF-GUN-10"
    by_rof = "AQF-GUN-2"
    by_arc = "AQF-GUN-4"
    by_once = "AQF-GUN-9"
    by_reach = "AQF-SCA-2"
    by_long = "AQF-GUN-8"
    by_small = "AQF-GUN-13"
    by_line = "AQF-GUN-5"
    by_hits = "AQF-GUN-7"
    by_blast = "AQF-GUN-11"

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        return declared_in_time(battle, super().prepare(battle, order))

    def raised(self, battery: Battery, range: str) -> bool:
        """Heavy guns at point blank (AQF-GUN-8)."""
        return range == POINT_BLANK and battery is Battery.HEAVY

    def aimed(self, battle: Battle, order: Order, firer: Ship, fire: Fire) -> Fire:
        return evolve(fire, off=-missed(battle, firer.id, fire.battery))

    def hindrances(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        return [
            *self.out_of_phase(battle),
            *undeclared(battle, order),
            *at_target(GAME, battle, shot.firer.id, shot.target),
            *self.of_guns(battle, order, shot),
        ]

    def again(self, battle: Battle, firer: Ship, battery: Battery, fired: set[str]) -> list[Finding]:
        """Only what failed its ROF roll in the first gunnery phase fires in the second (AQF-PH-3)."""
        if battle.phase != SECOND:
            return []
        rolls = list(battle.done("rof", firer.id, phase=FIRST))
        own = [act for act in rolls if act.text("battery") == battery.value]
        by_ship = option(battle, "refire_by") == "ship"
        asked = rolls if by_ship else own
        which = firer.name if by_ship else f"{whose(firer.name)} {battery.value} battery"
        shots = battle.done("fire", firer.id, phase=FIRST)
        if any(act.has("fired") for act in asked):
            text = f"{which} fired in the first gunnery phase"
        elif not own and any(act.text("battery") == battery.value for act in shots):
            text = f"{which} still owes its roll of the first gunnery phase"
        elif not asked and option(battle, "untried_refire") == "no":
            text = f"{which} did not try to fire in the first gunnery phase"
        else:
            return []
        return [refused(text, "AQF-PH-3")]

    def at_range(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        found = []
        if shot.light_armor and (shot.range != LONG or Battery.LIGHT in shot.batteries):
            found.append(refused("only heavy guns at long range may choose the light armor", "AQF-GUN-8"))
        at_long = (act for act in in_phase(battle, "fire", shot.firer.id) if act.text("range") == LONG)
        if shot.range == LONG and any(act.text("target") != shot.target.id for act in at_long):
            found.append(refused(f"{shot.firer.name} fires at another target at long range", "AQF-GUN-9"))
        return found

    def rof_said(self, fire: Fire) -> tuple[str, str]:
        if fire.arc != FULL:
            return f"{fire.rof} in the end arc", "AQF-GUN-4"
        return str(fire.rof), "AQF-GUN-3" if fire.off else "AQF-GUN-2"

    def note(self, battle: Battle, builder: DecisionBuilder, shot: Shot, strikes: list[Struck]) -> None:
        """A roll belongs to the phase in which its shot was declared, however late it comes (AQF-PH-3)."""
        for struck in strikes:
            firer, battery = shot.firer.id, struck.fire.battery.value
            fires = (act for act in builder.battle.acts if act.kind == "fire" and act.ship == firer)
            shots = [act for act in fires if act.text("battery") == battery]
            declared = [act for act in shots if (act.turn, act.phase) == (battle.turn, battle.phase)] or shots
            if declared:
                rolled = evolve(declared[-1], kind="rof", facts={"battery": battery, "fired": struck.fired})
                builder.write(Op.ACT, firer, "rof", rolled)
            else:
                builder.remember("rof", firer, battery=battery, fired=struck.fired)

    def hit(self, fire: Fire, line: str, faces: Faces, reader: ChartReader) -> Struck:
        """As many hits as the cell of the white die says, its own kind first (AQF-GUN-2, AQF-GUN-7)."""
        (white,) = faces
        cell = reader.cell("battery", line, str(white))
        count = 0 if cell.text == NONE else int(cell.text)
        letters = ("G", "S") if white % 2 else ("S", "G")
        at = cell, f"battery {line}% {white}"
        return Struck(fire, True, (letters * count)[:count], f"{line}% line", at, at)

    def take(self, builder: DecisionBuilder, shot: Shot, battery: Battery, codes: Codes) -> None:
        """Damage by its source, for its overflow (AQF-GUN-12)."""
        heavy = HitSource.HEAVY_AT_LIGHT_ARMOR if shot.light_armor else HitSource.HEAVY
        source = HitSource.LIGHT if battery is Battery.LIGHT else heavy
        Damage(builder, shot.target.id, source).take(codes)


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


GUNNERY = BatteryFire()

_BOAT_GUNS = TableLine("boat-guns", "AQF-BG-4", "boat guns", "")
_BOAT_ODDS = (Measure("hits", 0), Measure("mean", 0, mean=True), Measure("explosion", 1))


def fire_boats(battle: Battle, order: Order) -> PreparedOrder:
    """`boats`: the dice of one firer at one target, at once; by default all points that are left."""
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    used = sum(act.number("dice") for act in in_phase(battle, "boats", firer.id))
    left = max(0, acting(battle, firer.id).count("boat_guns") - used)
    declared = order.number("points")
    count = declared or len(order.dice) or max(1, left)
    throw = boats_throw(battle, target.id, declared or max(left, count), declared=declared is not None)
    made = prepare_boats(GAME, battle, order, throw, _of_boats(battle, order, left, count))

    def declare(builder: DecisionBuilder) -> None:
        builder.remember("boats", firer.id, target=target.id, dice=count)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        made.decide(faces, builder)
        if declared is None and len(faces) < left:
            text = f"{len(faces)} of {left} boat gun points used"
            builder.remark(f"{text}: say `dice {len(faces)}` if that is meant", "AQF-BG-1")

    apart = ("an explosion by dice that all show the same is apart from their hits (AQF-BG-3)",)
    reminders = (*made.reminders, *(apart if count > 1 else ()))
    return declared_in_time(battle, evolve(made, declare=declare, decide=decide, reminders=reminders))


def boats_throw(battle: Battle, target: str, points: int, *, declared: bool = False) -> Throw:
    """The throw: any number of dice up to the points; all if no number is given, or if they were declared."""
    dice = (D12,) * points

    def take(builder: DecisionBuilder, ship: str, codes: Codes) -> None:
        Damage(builder, ship, HitSource.BOATS).take(codes)

    def missing(faces: Faces) -> tuple[Die, ...]:
        return dice[len(faces) :] if declared or not faces else ()

    throw = boat_throw(battle, target, dice, _BOAT_GUNS, take, "AQF-BG-3")
    return evolve(throw, missing=missing, odds=_BOAT_ODDS)


def _of_boats(battle: Battle, order: Order, left: int, count: int) -> list[Finding]:
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    found, points = undeclared(battle, order), []
    if battle.phase not in PHASES:
        found.append(refused("boat guns fire in the two gunnery phases only", "AQF-BG-2"))
    if left == 0:
        points.append(refused(f"{firer.name} has no boat gun point left in this phase", "AQF-BG-1"))
    elif count > left:
        text = f"{count} dice, and {firer.name} has {left} boat gun points in this phase"
        points.append(refused(text, "AQF-BG-1"))
    found += boat_hindrances(GAME, battle, order, points, "AQF-BG-1")
    if any(act.text("target") == target.id for act in in_phase(battle, "boats", firer.id)):
        guns, owed = f"{whose(firer.name)} boat guns", pending(battle, "boats", firer.id, target.id)
        done = f"{guns} have fired at {target.name} in this phase"
        found.append(refused(already(owed, f"{guns} at {target.name} are", done), "AQF-BG-1"))
    other = [act for act in battle.done("boats", firer.id) if act.phase != battle.phase]
    if other and option(battle, "boat_guns_in") == "one-phase":
        found.append(refused(f"{firer.name} has used its boat guns this turn", "AQF-BG-2"))
    return found
