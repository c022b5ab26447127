"""The rolls a ship owes: direction, explosion, fire, S hits, sinking (QF-DAM-2, QF-REC, QF-SNK)."""

from collections.abc import Callable, Mapping

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.measure import decimal
from qf_tui.core.system import Faces
from qf_tui.core.values import Battle, Die
from qf_tui.rules.quickfire.damage import D6, TWO_D6, Damage
from qf_tui.rules.quickfire.options import option
from qf_tui.rules.quickfire.ship import FULL_TURNS
from qf_tui.rules.quickfire_family.chart import ChartReader, columns_of
from qf_tui.rules.quickfire_family.checks import (
    Resolve,
    SinkingRoll,
    TableLine,
    alike_on,
    may_sink,
    on_course,
    on_line,
    owe_sinking_rolls,
    row_of_size,
    sink_or_not,
)
from qf_tui.rules.quickfire_family.course import COURSES
from qf_tui.rules.quickfire_family.ship import BOXES, size
from qf_tui.rules.quickfire_family.throws import Roll, Throw, all_of
from qf_tui.rules.quickfire_family.torpedo import SPEED_HITS, on_speed_hits

_DEGREES = tuple(zip((1, 3, 5, 6), COURSES, strict=True))
_FULL_TURN = tuple(zip((2, 4, 6), FULL_TURNS, strict=True))
_EXPLOSION = TableLine("explosion", "QF-REC-2", "explosion", "explosion {roll} on {ship}")
_FIRE_CHECK = TableLine("fire-check", "QF-REC-1", "fire check", "fire check {roll} on {ship}", "burns on")

_LINES: Mapping[str, TableLine] = {"explosion": _EXPLOSION, "fire-check": _FIRE_CHECK}


def throw_of(battle: Battle, roll: Roll) -> Throw:
    """The throw of a check that a ship owes."""
    dice, resolving = _RESOLVE[roll.line]
    alike = alike_on(battle, _LINES.get(roll.line))
    return Throw(dice, resolving(battle, roll), all_of(dice), alike=alike)


def _take(builder: DecisionBuilder, ship: str, codes: tuple[str, ...]) -> None:
    Damage(builder, ship).take(codes)


def _direction(battle: Battle, roll: Roll) -> Resolve:
    degrees = option(battle, "direction_by") == "degrees"
    return on_course(_DEGREES if degrees else _FULL_TURN, roll, "QF-DAM-2")


def _sinking(battle: Battle, roll: Roll) -> Resolve:
    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        ship = builder.ship(roll.ship)
        column = row_of_size(float(size(ship)), columns_of(battle, "sinking", "sinks-on"))
        margin = max(0, ship.count("speed_hits") - BOXES)
        why = f"of size {column or decimal(size(ship))} with {ship.count('speed_hits')} S"
        sink_or_not(builder, ship.id, SinkingRoll(column, margin, why, "QF-SNK-1"), sum(faces), reader)

    return resolve


_RESOLVE: Mapping[str, tuple[tuple[Die, ...], Callable[[Battle, Roll], Resolve]]] = {
    "direction": ((D6,), _direction),
    "explosion": (TWO_D6, lambda battle, roll: on_line(_EXPLOSION, roll, _take)),
    "fire-check": (TWO_D6, lambda battle, roll: on_line(_FIRE_CHECK, roll, _take)),
    SPEED_HITS: ((D6,), lambda battle, roll: on_speed_hits(roll, "QF-TOR-3", _take)),
    "sinking": (TWO_D6, _sinking),
}


def owe_sinking(builder: DecisionBuilder) -> None:
    """One for each ship whose eight boxes are all marked (QF-SNK-1)."""
    at_risk = (ship for ship in may_sink(builder.battle) if ship.count("speed_hits") >= BOXES)
    owe_sinking_rolls(builder, at_risk, lambda ship: f"{ship.count('speed_hits')} S", *TWO_D6)
