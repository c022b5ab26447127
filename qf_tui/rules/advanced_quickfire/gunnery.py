"""Battery fire: what the black and white dice do (AQF-GUN)."""

from collections.abc import Hashable
from functools import partial

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.errors import Finding, refused
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, ChartCell, Die, Order, Ship
from qf_tui.rules.advanced_quickfire.clauses import option
from qf_tui.rules.advanced_quickfire.damage import D12, Damage, HitSource
from qf_tui.rules.advanced_quickfire.ship import GAME, Bracket
from qf_tui.rules.advanced_quickfire.targeting import (
    PHASES,
    Fire,
    Shot,
    declared_first,
    hindrances,
    range_of,
    shot_of,
    undeclared,
)
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader, plain_reader
from qf_tui.rules.quickfire_family.gunnery import (
    Blast,
    OneRoll,
    Read,
    against,
    batteries,
    remember_shots,
    say_below_lines,
    say_blast,
    say_rof,
    shot_throw,
)
from qf_tui.rules.quickfire_family.movement import assumption
from qf_tui.rules.quickfire_family.ship import Battery, is_light_craft
from qf_tui.rules.quickfire_family.targeting import (
    FULL,
    acting,
    already,
    at_target,
    one_roll,
    pending,
    remarked_if_late,
)
from qf_tui.rules.quickfire_family.throws import Roll, Throw, ready

BLACK, WHITE = Die(12, "black"), Die(12, "white")


@frozen
class Struck:
    """What one battery's dice did: whether it fired, the hits in their order, and the cell of the chart."""

    fire: Fire
    fired: bool
    hits: tuple[str, ...] = ()
    cell: ChartCell | None = None


def strike(fire: Fire, black: int, white: int | None, reader: ChartReader) -> Struck:
    """One battery's dice on the chart (AQF-GUN-2, AQF-GUN-7)."""
    if not fire.fires(black) or white is None:
        return Struck(fire, fired=False)
    if fire.line is None:
        return Struck(fire, fired=True)
    cell = reader.cell("battery", str(fire.line), str(white))
    count = 0 if cell.text == NONE else int(cell.text)
    letters = ("G", "S") if white % 2 else ("S", "G")
    return Struck(fire, True, (letters * count)[:count], cell)


def throw_of(battle: Battle, shot: Shot) -> Throw:
    """The throw of a shot: one roll, or one for each battery, heavy first (AQF-GUN-9, AQF-GUN-17)."""
    alone = len(shot.fires) == 1 or one_roll(battle)
    shots = [shot] if alone else [evolve(shot, fires=(fire,)) for fire in shot.fires]
    rolls = [_roll(battle, own, named=len(shot.fires) > 1) for own in shots]
    return shot_throw(battle, (BLACK, WHITE), rolls)


def _roll(battle: Battle, shot: Shot, *, named: bool) -> OneRoll:
    """One roll: its batteries, then blast if one fired and hit (AQF-GUN-11, AQF-GUN-16)."""

    def read(faces: Faces, reader: ChartReader) -> Read:
        white = faces[1] if len(faces) > 1 else None
        strikes = [strike(fire, faces[0], white, reader) for fire in shot.fires]
        blast: Blast = (), None
        if any(struck.hits for struck in strikes):
            blast = reader.codes("blast", shot.range.value, sum(faces))
        does = [(struck.fired, struck.hits) for struck in strikes]
        return Read(does, blast[0], partial(_write, battle, shot, faces, strikes, blast, named))

    lines = [(fire.battery, fire.line) for fire in shot.fires]
    return OneRoll(lines, lambda black: any(fire.fires(black) for fire in shot.fires), read)


def _write(
    battle: Battle,
    shot: Shot,
    faces: Faces,
    strikes: list[Struck],
    blast: Blast,
    named: bool,
    builder: DecisionBuilder,
) -> None:
    for struck in strikes:
        _say_rof(struck, faces[0], builder)
        _remember_rof(battle, shot.firer.id, struck, builder)
    for struck in strikes:
        if struck.fired:
            _say_hits(struck, faces[1], builder, f"{struck.fire.battery.value} " * named)
            Damage(builder, shot.target.id, source(struck.fire.battery, shot)).take(struck.hits)
    codes, cell = blast
    if cell is not None:
        say_blast(builder, shot.range.words, faces, codes, "AQF-GUN-11", cell)
        hit_first = next(struck for struck in strikes if struck.hits)
        Damage(builder, shot.target.id, source(hit_first.fire.battery, shot)).take(codes)


def _remember_rof(battle: Battle, firer: str, struck: Struck, builder: DecisionBuilder) -> None:
    """The roll belongs to the phase in which its shot was declared, however late it is thrown (AQF-PH-3)."""
    battery = struck.fire.battery.value
    shots = [
        act
        for act in builder.battle.acts
        if act.kind == "fire" and act.ship == firer and act.text("battery") == battery
    ]
    declared = [act for act in shots if (act.turn, act.phase) == (battle.turn, battle.phase)] or shots
    if declared:
        rolled = evolve(declared[-1], kind="rof", facts={"battery": battery, "fired": struck.fired})
        builder.write(Op.ACT, firer, "rof", rolled)
    else:
        builder.remember("rof", firer, battery=battery, fired=struck.fired)


def source(battery: Battery, shot: Shot) -> HitSource:
    """Where the hits of a battery come from, for their overflow (AQF-GUN-12)."""
    if battery is Battery.LIGHT:
        return HitSource.LIGHT
    return HitSource.HEAVY_AT_LIGHT_ARMOR if shot.light_armor else HitSource.HEAVY


def _say_rof(struck: Struck, black: int, builder: DecisionBuilder) -> None:
    fire = struck.fire
    shown = f"{black}-1" if fire.miss else str(black)
    arc = "" if fire.arc == FULL else " in the end arc"
    clause = "AQF-GUN-4" if arc else "AQF-GUN-3" if fire.miss else "AQF-GUN-2"
    say_rof(builder, fire.battery, shown, f"{fire.rof}{arc}", clause, fired=struck.fired)


def _say_hits(struck: Struck, white: int, builder: DecisionBuilder, who: str) -> None:
    fire = struck.fire
    if fire.line is None:
        say_below_lines(builder, fire.rating, fire.armor, "AQF-GUN-5")
        return
    place = f"battery {fire.line}% {white}"
    versus = f"{who}{against(fire.rating, fire.armor)}"
    builder.because(f"{fire.line}% line", "AQF-GUN-5", struck.cell, place, of=versus)
    hits = " ".join(struck.hits) or "no hit"
    builder.because(hits, "AQF-GUN-7", struck.cell, place, of=f"{who}white", roll=str(white))


def prepare_fire(battle: Battle, order: Order) -> PreparedOrder:
    """`fire`: a battery, or both, at one target."""
    shot = shot_of(battle, order)
    named = batteries(order)

    def declare(builder: DecisionBuilder) -> None:
        remember_shots(builder, shot.firer.id, shot.target.id, shot.range.value, named)

    firer, target = battle.called(shot.firer.id), battle.called(shot.target.id)
    made = ready(GAME, battle, Roll("fire", shot.firer.id, order.bare), throw_of(battle, shot))
    return evolve(
        remarked_if_late(battle, made, "AQF-GUN-1", "AQF-GUN-18"),
        findings=hindrances(battle, order, shot),
        declare=declare,
        thrown_at_once=not declared_first(battle),
        prompt=f"{firer} {order.text('battery')} at {target}, {shot.range.words}",
        assumes=assumption(GAME, battle, shot.target) if shot.small_target and Battery.HEAVY in named else (),
    )


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

    throw = boat_throw(battle, target, points, declared=declared is not None)

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


def boat_throw(battle: Battle, target: Ship, points: int, *, declared: bool = False) -> Throw:
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
