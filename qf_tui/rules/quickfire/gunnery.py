"""Battery fire: what the black die and the two white ones do (QF-GUN, QF-BLA)."""

from functools import partial

from attrs import evolve, frozen

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import Battle, Die
from qf_tui.rules.quickfire.damage import Damage
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire.options import option
from qf_tui.rules.quickfire.shots import Fire, Shot, shot_of
from qf_tui.rules.quickfire.targeting import hindrances
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
from qf_tui.rules.quickfire_family.targeting import one_roll
from qf_tui.rules.quickfire_family.throws import Roll, Throw, ready

BLACK, WHITE = Die(6, "black"), Die(6, "white")
DICE = (BLACK, WHITE, WHITE)


@frozen
class Struck:
    """What one battery's dice did: whether it fired, its hits, and the cells of its line and its hits."""

    fire: Fire
    fired: bool
    hits: tuple[str, ...] = ()
    most: int = 0
    line: ChartCell | None = None
    number: ChartCell | None = None


def strike(shot: Shot, fire: Fire, faces: Faces, reader: ChartReader) -> Struck:
    """One battery's dice on the chart: within the line, as many hits as the natural total gives.

    QF-GUN-2, QF-GUN-3, QF-GUN-4.
    """
    if not shot.fired(fire, faces[0]) or len(faces) < len(DICE):
        return Struck(fire, fired=False)
    if fire.line is None:
        return Struck(fire, fired=True)
    total = faces[1] + faces[2]
    most, line = reader.most("battery", str(fire.line), "total")
    if total > most:
        return Struck(fire, True, (), most, line)
    cell = reader.cell("hits", "hits", str(total))
    count = 0 if cell.text == NONE else int(cell.text)
    return Struck(fire, True, ("G" if total % 2 else "S",) * count, most, line, cell)


def throw_of(battle: Battle, shot: Shot) -> Throw:
    """The throw of a shot: one roll, or one for each battery, heavy first (QF-GUN-7)."""
    alone = len(shot.fires) == 1 or one_roll(battle)
    # Of two rolls the first alone is the ship's first fire.
    shots = [
        evolve(shot, fires=shot.fires if alone else (fire,), auto=shot.auto and not place)
        for place, fire in enumerate(shot.fires[:1] if alone else shot.fires)
    ]
    rolls = [_roll(battle, own, named=len(shot.fires) > 1) for own in shots]
    return shot_throw(battle, DICE, rolls)


def _roll(battle: Battle, shot: Shot, *, named: bool) -> OneRoll:
    """One roll: its batteries, then blast if one hit, or by a switch fired (QF-BLA-1, QF-BLA-3)."""
    anyway = option(battle, "blast_without_hit") == "yes"

    def read(faces: Faces, reader: ChartReader) -> Read:
        strikes = [strike(shot, fire, faces, reader) for fire in shot.fires]
        blast: Blast = (), None
        if any(struck.hits or (anyway and struck.fired) for struck in strikes):
            blast = reader.codes("blast", shot.range.value, sum(faces))
        does = [(struck.fired, struck.hits) for struck in strikes]
        return Read(does, blast[0], partial(_write, shot, faces, strikes, blast, named))

    lines = [(fire.battery, fire.line) for fire in shot.fires]
    return OneRoll(lines, lambda black: any(shot.fired(fire, black) for fire in shot.fires), read)


def _write(
    shot: Shot, faces: Faces, strikes: list[Struck], blast: Blast, named: bool, builder: DecisionBuilder
) -> None:
    for struck in strikes:
        _say_rof(shot, struck, faces[0], builder)
    if shot.auto and any(struck.fired for struck in strikes):
        builder.record(shot.firer.id, "auto_shot", True)
    for struck in strikes:
        if struck.fired:
            _say_hits(struck, faces[1] + faces[2], builder, f"{struck.fire.battery.value} " * named)
            Damage(builder, shot.target.id, struck.fire.battery).take(struck.hits)
    codes, cell = blast
    if cell is not None:
        say_blast(builder, shot.range.words, faces, codes, "QF-BLA-1", cell)
        first = max(strikes, key=lambda struck: (bool(struck.hits), struck.fired))
        Damage(builder, shot.target.id, first.fire.battery).take(codes)


def _say_rof(shot: Shot, struck: Struck, black: int, builder: DecisionBuilder) -> None:
    name, rof = struck.fire.battery.value, struck.fire.rof
    if shot.auto and struck.fired:
        builder.because(
            f"the first fire of {builder.battle.called(shot.firer.id)} counts always",
            "QF-GUN-6",
            of=f"{name} ROF",
            roll=str(black),
        )
        return
    guessed = f"{black}{shot.off:+d}" if shot.off else str(black)
    clause = "QF-OPT-3" if shot.off else "QF-GUN-1"
    say_rof(builder, struck.fire.battery, guessed, str(rof), clause, fired=struck.fired)


def _say_hits(struck: Struck, total: int, builder: DecisionBuilder, who: str) -> None:
    fire = struck.fire
    if fire.line is None:
        say_below_lines(builder, fire.rating, fire.armor, "QF-GUN-2")
        return
    text, line = f"{fire.line}% line, {struck.most} or less hits", f"battery {fire.line}%"
    builder.because(text, "QF-GUN-2", struck.line, line, of=f"{who}{against(fire.rating, fire.armor)}")
    said = " ".join(struck.hits) or "no hit"
    # A miss rests on the line alone.
    cell, place = (struck.number, f"hits {total}") if struck.number else (struck.line, line)
    builder.because(said, "QF-GUN-3", cell, place, of=f"{who}white", roll=str(total))


def prepare_fire(battle: Battle, order: Order) -> PreparedOrder:
    """`fire`: a battery, or both, at one target."""
    shot, named = shot_of(battle, order), batteries(order)

    def declare(builder: DecisionBuilder) -> None:
        remember_shots(builder, shot.firer.id, shot.target.id, shot.range.value, named)

    firer, target = battle.called(shot.firer.id), battle.called(shot.target.id)
    small = shot.small_target and Battery.HEAVY in named
    asks = option(battle, "range_guessing") == "yes" and "guess" not in order.slots
    return evolve(
        ready(GAME, battle, Roll("fire", shot.firer.id, order.bare), throw_of(battle, shot)),
        findings=hindrances(battle, order, shot),
        declare=declare,
        prompt=f"{firer} {order.text('battery')} at {target}, {shot.range.words}",
        assumes=assumption(GAME, battle, shot.target) if small else (),
        reminders=("no range was guessed: the ROF die stays as it is",) if asks else (),
    )
