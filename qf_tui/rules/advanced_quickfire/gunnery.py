"""Battery fire: what the black and white dice do (AQF-GUN)."""

from functools import partial

from attrs import evolve, frozen

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import Battle, Die
from qf_tui.rules.advanced_quickfire.damage import Damage, HitSource
from qf_tui.rules.advanced_quickfire.game import GAME
from qf_tui.rules.advanced_quickfire.shots import Fire, Shot, declared_first, shot_of
from qf_tui.rules.advanced_quickfire.targeting import hindrances
from qf_tui.rules.quickfire_family.arcs import FULL
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader
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
from qf_tui.rules.quickfire_family.ship import Battery
from qf_tui.rules.quickfire_family.targeting import one_roll, remarked_if_late
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
