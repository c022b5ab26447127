"""Boat guns: light guns at light craft at point blank, one die a point (AQF-BG)."""

from collections.abc import Hashable

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.advanced_quickfire.damage import D12, Damage, HitSource
from qf_tui.rules.advanced_quickfire.game import GAME, Bracket
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.advanced_quickfire.shots import PHASES, declared_first, range_of, undeclared
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader
from qf_tui.rules.quickfire_family.ship import is_light_craft
from qf_tui.rules.quickfire_family.targeting import acting, already, at_target, pending, remarked_if_late
from qf_tui.rules.quickfire_family.throws import Roll, Throw, ready

_REMINDERS = ("boat guns fire at point blank only, in any direction",)
_EXPLODE = ("an explosion by dice that all show the same is apart from their hits (AQF-BG-3)",)
ODDS = (Measure("hits", 0), Measure("mean", 0, mean=True), Measure("explosion", 1))
NEEDS = (Need("hits", 0, each=True),)


def points_left(battle: Battle, ship: Ship) -> int:
    """Boat gun dice that a ship may still throw in this phase (AQF-BG-1)."""
    began = acting(battle, ship.id)
    used = sum(act.number("dice") for act in battle.done("boats", ship.id, phase=battle.phase))
    return max(0, began.count("boat_guns") - used)


def prepare_boats(battle: Battle, order: Order) -> PreparedOrder:
    """`boats`: the dice of one firer at one target, at once; by default all points that are left."""
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    left = points_left(battle, firer)
    declared = order.number("points")
    count = declared or len(order.dice) or max(1, left)
    points = declared or max(1, left, count)

    throw = throw_of(battle, target, points, declared=declared is not None)

    def declare(builder: DecisionBuilder) -> None:
        builder.remember("boats", firer.id, target=target.id, dice=count)

    made = ready(GAME, battle, Roll("boats", firer.id, order.bare), throw)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        made.decide(faces, builder)
        if declared is None and len(faces) < left:
            said = f"{len(faces)} of {left} boat gun points used"
            builder.remark(f"{said}: say `dice {len(faces)}` if that is meant", "AQF-BG-1")

    return evolve(
        remarked_if_late(battle, evolve(made, decide=decide), "AQF-GUN-1", "AQF-GUN-18"),
        findings=_hindrances(battle, order, left, count),
        declare=declare,
        thrown_at_once=not declared_first(battle),
        prompt=f"boat guns of {battle.called(firer.id)} at {battle.called(target.id)}",
        reminders=(*(() if "range" in order.slots else _REMINDERS), *(_EXPLODE if count > 1 else ())),
    )


def throw_of(battle: Battle, target: Ship, points: int, *, declared: bool = False) -> Throw:
    """The throw: any number of dice up to the points; all if no number is given, or if they were declared."""
    dice = (D12,) * points
    plain = plain_reader(battle)

    def missing(faces: Faces) -> tuple[Die, ...]:
        return dice[len(faces) :] if declared or not faces else ()

    def judge(faces: Faces) -> tuple[int, ...]:
        codes = [code for face in faces for code in plain.codes("damage", "boat-guns", face)[0]]
        return len(codes), int(all_equal(faces) or "E" in codes)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        read = [(face, *reader.codes("damage", "boat-guns", face)) for face in faces]
        damage = Damage(builder, target.id, HitSource.BOATS)
        hits: list[str] = []
        for face, codes, cell in read:
            builder.because(
                " ".join(codes) or "nothing",
                "AQF-BG-4",
                cell,
                f"boat guns {face}",
                of="boat gun",
                roll=str(face),
            )
            damage.take(codes)
            hits.extend(codes)
        if all_equal(faces):
            builder.because("an explosion", "AQF-BG-3", roll=f"{len(faces)} dice show {faces[0]}")
            damage.take(("E",))
        builder.result("fired", True)
        builder.result("hits", tuple(hits))
        builder.result("blast", ("E",) if all_equal(faces) else ())

    def alike(faces: Faces) -> Hashable:
        codes = (plain.codes("damage", "boat-guns", face)[0] for face in faces)
        return tuple(code for each in codes for code in each), all_equal(faces)

    return Throw(dice, resolve, missing, judge, ODDS, NEEDS, alike)


def all_equal(faces: Faces) -> bool:
    """Whether two or more dice on one target all show the same (AQF-BG-3)."""
    return len(faces) > 1 and len(set(faces)) == 1


def _hindrances(battle: Battle, order: Order, left: int, count: int) -> tuple[Finding, ...]:
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    found = undeclared(battle, order)
    if battle.phase not in PHASES:
        found.append(refused("boat guns fire in the two gunnery phases only", "AQF-BG-2"))
    found.extend(at_target(GAME, battle, firer.id, target))
    if not is_light_craft(target):
        found.append(refused(f"{target.name} is no light craft: boat guns cannot hurt it", "AQF-BG-1"))
    if left == 0:
        found.append(refused(f"{firer.name} has no boat gun point left in this phase", "AQF-BG-1"))
    elif count > left:
        found.append(
            refused(f"{count} dice, and {firer.name} has {left} boat gun points in this phase", "AQF-BG-1")
        )
    if "range" in order.slots and range_of(battle, order) is not Bracket.POINT_BLANK:
        found.append(
            refused(f"{order.slots['range']} is beyond point blank: boat guns fire no farther", "AQF-BG-1")
        )
    if any(act.text("target") == target.id for act in battle.done("boats", firer.id, phase=battle.phase)):
        guns, owed = f"{whose(firer.name)} boat guns", pending(battle, "boats", firer.id, target.id)
        done = f"{guns} have fired at {target.name} in this phase"
        found.append(refused(already(owed, f"{guns} at {target.name} are", done), "AQF-BG-1"))
    other = [act for act in battle.done("boats", firer.id) if act.phase != battle.phase]
    if other and option(battle, "boat_guns_in") == "one-phase":
        found.append(refused(f"{firer.name} has used its boat guns this turn", "AQF-BG-2"))
    return tuple(found)
