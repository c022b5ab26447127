"""The rolls a ship owes: explosion, blast, direction, S hits, fire, sinking (QFC-BLA, QFC-REP-1, QFC-SNK)."""

from collections.abc import Callable, Mapping
from math import ceil, floor

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.manual_edits import drop_owed
from qf_tui.core.measure import decimal
from qf_tui.core.system import Faces
from qf_tui.core.values import SUNK, Battle, Die, Ship
from qf_tui.rules.quickfire_clone.damage import D6, TWO_DICE, explode, take
from qf_tui.rules.quickfire_clone.facts import COURSE
from qf_tui.rules.quickfire_clone.options import option
from qf_tui.rules.quickfire_clone.ship import beyond_eighth
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader, columns_of
from qf_tui.rules.quickfire_family.checks import (
    Resolve,
    SinkingRoll,
    TableLine,
    aboard,
    alike_on,
    may_sink,
    on_line,
    put_out,
    row_of_size,
    sink_or_not,
    steer,
)
from qf_tui.rules.quickfire_family.ship import BOXES, size
from qf_tui.rules.quickfire_family.throws import Roll, Throw, all_of
from qf_tui.rules.quickfire_family.torpedo import SPEED_HITS, on_speed_hits

_EXPLOSION = TableLine("explosion", "QFC-BLA-2", "explosion", "explosion {roll} on {ship}")
_BLAST = TableLine("blast", "QFC-BLA-3", "blast hit", "blast hit {roll} on {ship}")
_FIRE_CHECK = TableLine(
    "fire-check",
    "QFC-REP-1",
    "fire check",
    "fire check {roll} on {ship}",
    "burns on",
    table="repair",
)

_LINES: Mapping[str, TableLine] = {"explosion": _EXPLOSION, "blast": _BLAST, "fire-check": _FIRE_CHECK}


@frozen
class Check:
    """The dice of a roll that is owed, and what they do."""

    dice: tuple[Die, ...]
    resolve: Callable[[Battle, Roll], Resolve]


def throw_of(battle: Battle, roll: Roll) -> Throw:
    """The throw of a roll that a ship owes."""
    check = CHECKS[roll.line]
    alike = alike_on(battle, _LINES.get(roll.line))
    return Throw(check.dice, check.resolve(battle, roll), all_of(check.dice), alike=alike)


def _direction(battle: Battle, roll: Roll) -> Resolve:
    """A course until it is repaired; a die thrown anew takes the place of the course before (QFC-BLA-4)."""

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        for mark in builder.ship(roll.ship).live("course"):
            if mark.id == roll.text(COURSE):
                builder.lift(roll.ship, mark)
        cell = reader.cell("direction", "course", str(faces[0]))
        place = f"direction {faces[0]}"
        if cell.text == NONE:
            builder.because("no course", "QFC-BLA-4", cell, place, of="direction", roll=str(faces[0]))
        else:
            steer(builder, roll.ship, cell.text, "QFC-BLA-4", "is steered", cell, place)

    return resolve


def _fire_check(battle: Battle, roll: Roll) -> Resolve:
    """Out, one S or nothing; by the switch a fire that costs speed goes out (QFC-REP-1, QFC-RUL-9)."""

    def harm(builder: DecisionBuilder, ship: str, codes: tuple[str, ...]) -> None:
        take(builder, ship, codes)
        if codes and option(battle, "speed_loss_fire") == "goes-out":
            put_out(builder, roll)
            builder.because("the fire goes out with it", "QFC-RUL-9")

    return on_line(_FIRE_CHECK, roll, harm)


def _sinking(battle: Battle, roll: Roll) -> Resolve:
    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        ship = builder.ship(roll.ship)
        rows = columns_of(battle, "sinking", "sinks-on")
        lower, higher = (row_of_size(whole, rows) for whole in (floor(size(ship)), ceil(size(ship))))
        column = higher if option(battle, "size_between") == "higher" else lower
        if lower != higher:
            between = f"size {decimal(size(ship))} counts as {column}"
            builder.because(between, "QFC-RUL-11", of=battle.called(roll.ship))
        fires, margin = len(ship.live("fires")), beyond_eighth(ship)
        why = f"without speed, fires {fires}, S beyond the eighth {margin}"
        sinking = SinkingRoll(column, fires + margin, why, "QFC-SNK-2")
        sink_or_not(builder, roll.ship, sinking, sum(faces), reader)

    return resolve


CHECKS: Mapping[str, Check] = {
    "direction": Check((D6,), _direction),
    "explosion": Check(TWO_DICE, lambda battle, roll: on_line(_EXPLOSION, roll, explode)),
    "blast": Check(TWO_DICE, lambda battle, roll: on_line(_BLAST, roll, take)),
    SPEED_HITS: Check((D6,), lambda battle, roll: on_speed_hits(roll, "QFC-TOR-3", take)),
    "fire-check": Check(TWO_DICE, _fire_check),
    "sinking": Check(TWO_DICE, _sinking),
}


def owe_directions(builder: DecisionBuilder) -> None:
    """By the switch a new die for each D as ships begin to move (QFC-RUL-9)."""
    if option(builder.battle, "direction_die") != "each-turn":
        return
    for ship in aboard(builder.battle):
        for mark in ship.live("course"):
            builder.owe("direction", ship.id, f"direction of {ship.name}", D6, facts={COURSE: mark.id})


def owe_sinking(builder: DecisionBuilder) -> bool:
    """One roll for each ship without a speed box that was not asked this turn; whether any is (QFC-SNK-1)."""
    asked = False
    for ship in may_sink(builder.battle):
        if ship.count("speed_hits") < BOXES or builder.battle.done("sinking", ship.id):
            continue
        builder.remember("sinking", ship.id)
        if size(ship) < 1 and option(builder.battle, "below_size_1") == "no-roll":
            _sink(builder, ship)
        else:
            builder.because("has no speed box left: does it sink?", "QFC-SNK-1", subject=ship.name)
            builder.owe("sinking", ship.id, f"sinking of {ship.name}", *TWO_DICE, cause=builder.battle.opened)
            asked = True
    return asked


def _sink(builder: DecisionBuilder, ship: Ship) -> None:
    builder.because("below size 1 and without speed, sinks", "QFC-RUL-10", of=f"{ship.name},")
    builder.write(Op.STATUS, ship.id, "status", SUNK)
    drop_owed(builder, ship.id)
