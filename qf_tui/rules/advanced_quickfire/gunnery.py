"""Battery fire: what the black and white dice do (AQF-GUN)."""

from collections.abc import Hashable

from attrs import evolve, frozen

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import Battle, Die
from qf_tui.rules.advanced_quickfire.damage import Damage, HitSource
from qf_tui.rules.advanced_quickfire.game import GAME
from qf_tui.rules.advanced_quickfire.shots import Fire, Shot, batteries, declared_first, shot_of
from qf_tui.rules.advanced_quickfire.targeting import hindrances
from qf_tui.rules.quickfire_family.arcs import FULL
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader, plain_reader
from qf_tui.rules.quickfire_family.gunnery import (
    against,
    remember_shots,
    say_below_lines,
    say_blast,
    say_rof,
    shot_judged,
    shot_needs,
    state_shot,
)
from qf_tui.rules.quickfire_family.movement import assumption
from qf_tui.rules.quickfire_family.ship import Battery
from qf_tui.rules.quickfire_family.targeting import remark_if_late
from qf_tui.rules.quickfire_family.throws import SHOT_ODDS, Roll, Throw, ready

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


@frozen
class Result:
    """What the dice of a shot did, read from the chart before anything is written."""

    strikes: tuple[Struck, ...]
    blast: tuple[str, ...] = ()
    cell: ChartCell | None = None


def read_dice(shot: Shot, faces: Faces, reader: ChartReader) -> Result:
    """The judgement of a shot: batteries, then blast if one fired and hit (AQF-GUN-11, AQF-GUN-16)."""
    black, white = faces[0], faces[1] if len(faces) > 1 else None
    strikes = tuple([strike(fire, black, white, reader) for fire in shot.fires])
    if white is None or not any(struck.hits for struck in strikes):
        return Result(strikes)
    codes, cell = reader.codes("blast", shot.range.value, black + white)
    return Result(strikes, codes, cell)


def throw_of(battle: Battle, shot: Shot) -> Throw:
    """The throw of a shot: the white die is needed only if a battery fires."""
    plain = plain_reader(battle)

    def missing(faces: Faces) -> tuple[Die, ...]:
        if not faces:
            return BLACK, WHITE
        return (WHITE,) if len(faces) == 1 and any(fire.fires(faces[0]) for fire in shot.fires) else ()

    def judge(faces: Faces) -> tuple[int, ...]:
        result = read_dice(shot, faces, plain)
        return shot_judged(result.strikes, result.blast)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        _write(battle, shot, faces, read_dice(shot, faces, reader), builder)

    needs = shot_needs(((fire.battery, fire.line) for fire in shot.fires), white=(1,))

    def alike(faces: Faces) -> Hashable:
        result = read_dice(shot, faces, plain)
        return tuple((struck.fired, struck.hits) for struck in result.strikes), result.blast

    return Throw((BLACK, WHITE), resolve, missing, judge, SHOT_ODDS, needs, alike)


def _write(battle: Battle, shot: Shot, faces: Faces, result: Result, builder: DecisionBuilder) -> None:
    for struck in result.strikes:
        _say_rof(struck, faces[0], builder)
        _remember_rof(battle, shot.firer.id, struck, builder)
    for struck in result.strikes:
        if struck.fired:
            _say_hits(struck, faces[1], builder)
            Damage(builder, shot.target.id, source(struck.fire.battery, shot)).take(struck.hits)
    if result.cell is not None:
        say_blast(builder, shot.range.words, faces, result.blast, "AQF-GUN-11", result.cell)
        hit_first = next(struck for struck in result.strikes if struck.hits)
        Damage(builder, shot.target.id, source(hit_first.fire.battery, shot)).take(result.blast)
    state_shot(
        builder,
        fired=any(struck.fired for struck in result.strikes),
        hits=tuple(hit for struck in result.strikes for hit in struck.hits),
        blast=result.blast,
    )


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


def _say_hits(struck: Struck, white: int, builder: DecisionBuilder) -> None:
    fire = struck.fire
    if fire.line is None:
        say_below_lines(builder, fire.rating, fire.armor, "AQF-GUN-5")
        return
    place = f"battery {fire.line}% {white}"
    builder.because(
        f"{fire.line}% line", "AQF-GUN-5", struck.cell, place, of=against(fire.rating, fire.armor)
    )
    hits = " ".join(struck.hits) or "no hit"
    builder.because(hits, "AQF-GUN-7", struck.cell, place, of="white", roll=str(white))


def prepare_fire(battle: Battle, order: Order) -> PreparedOrder:
    """`fire`: a battery, or both under the one-roll switch, at one target."""
    shot = shot_of(battle, order)
    named = batteries(order)

    def declare(builder: DecisionBuilder) -> None:
        remember_shots(builder, shot.firer.id, shot.target.id, shot.range.value, named)

    firer, target = battle.called(shot.firer.id), battle.called(shot.target.id)
    return evolve(
        ready(GAME, battle, Roll("fire", shot.firer.id, order.bare), throw_of(battle, shot)),
        findings=hindrances(battle, order, shot),
        declare=declare,
        waits=remark_if_late(battle, "AQF-GUN-1"),
        thrown_at_once=not declared_first(battle),
        prompt=f"{firer} {order.text('battery')} at {target}, {shot.range.words}",
        assumes=assumption(GAME, battle, shot.target) if shot.small_target and Battery.HEAVY in named else (),
    )
