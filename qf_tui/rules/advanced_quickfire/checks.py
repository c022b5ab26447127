"""The rolls damage calls for: direction, explosion, T-hit, fire, SX, sinking (AQF-DAM, AQF-REC, AQF-SNK)."""

from collections.abc import Callable, Hashable, Mapping

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.system import Faces
from qf_tui.core.values import Battle
from qf_tui.rules.advanced_quickfire.damage import D12, TWO_D6, Damage, HitSource
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader
from qf_tui.rules.quickfire_family.checks import (
    Resolve,
    SinkingRoll,
    TableLine,
    alike_on,
    may_sink,
    on_course,
    on_line,
    owe_sinking_rolls,
    sink_or_not,
)
from qf_tui.rules.quickfire_family.damage import EXPLOSION
from qf_tui.rules.quickfire_family.repair import Repairs
from qf_tui.rules.quickfire_family.ship import BOXES
from qf_tui.rules.quickfire_family.throws import Roll, Throw, all_of

REPAIRS = Repairs(
    dice=(D12,),
    of="AQF-REP-1",
    result="AQF-REP-2",
    protected="AQF-REP-2",
    steer="AQF-REP-4",
    once_each=True,
    keeps=lambda battle: True,
)


_DIRECTIONS = ((2, "90 left"), (6, "45 left"), (10, "45 right"), (12, "90 right"))
SINKING_FROM = 2

_EXPLOSION = TableLine("explosion", "AQF-DAM-3", "explosion", "explosion {roll} on {ship}", also=("F",))
_T_HIT = TableLine("t-hit", "AQF-DAM-6", "T-hit effect", "T-hit {roll}")
_FIRE_CHECK = TableLine("fire-check", "AQF-REC-1", "fire check", "fire check {roll} on {ship}", "burns on")

_LINES: Mapping[str, TableLine] = {"explosion": _EXPLOSION, "t-hit": _T_HIT, "fire-check": _FIRE_CHECK}


def throw_of(battle: Battle, roll: Roll) -> Throw:
    """The throw of a check that a ship owes."""
    alike = _floods(battle) if roll.line == "sx-check" else alike_on(battle, _LINES.get(roll.line))
    dice = TWO_D6 if roll.line == EXPLOSION and roll.dice == len(TWO_D6) else (D12,)
    return Throw(dice, _RESOLVE[roll.line](battle, roll), all_of(dice), alike=alike)


def _direction(battle: Battle, roll: Roll) -> Resolve:
    return on_course(_DIRECTIONS, roll, "AQF-DAM-2")


def _of(line: TableLine, source: HitSource) -> Callable[[Battle, Roll], Resolve]:
    """Resolves a line of the damage table, its codes taken from that source (AQF-DAM-3, 6, 8, AQF-REC-1)."""

    def take(builder: DecisionBuilder, ship: str, codes: tuple[str, ...]) -> None:
        Damage(builder, ship, source).take(codes)

    return lambda battle, roll: on_line(line, roll, take)


def _floods(battle: Battle) -> Callable[[Faces], Hashable]:
    """What faces of an SX check do the same."""
    plain = plain_reader(battle)
    return lambda faces: _flooding(battle, faces[0], plain)[0]


def _flooding(battle: Battle, face: int, reader: ChartReader) -> tuple[tuple[str, ...], ChartCell]:
    """The codes of a face and its cell; by the switch 11 has none (AQF-REC-2)."""
    codes, cell = reader.codes("damage", "sx-check", face)
    return (() if face == 11 and option(battle, "sx_check") == "12" else codes), cell


def _sx_check(battle: Battle, roll: Roll) -> Resolve:
    """12, and by the switch 11, adds one SX (AQF-REC-2)."""

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        codes, cell = _flooding(battle, faces[0], reader)
        said = " ".join(codes) or "no further flooding"
        builder.because(
            said,
            "AQF-REC-2",
            cell,
            f"SX check {faces[0]}",
            of=f"SX check {faces[0]} on {builder.battle.called(roll.ship)}",
        )
        Damage(builder, roll.ship, HitSource.CHECK).take(codes)
        builder.result("hits", codes)

    return resolve


def sinking_row(lost: int) -> tuple[str, int]:
    """The column of the sinking table for a number of SX, and what comes off the die (AQF-SNK-1)."""
    return str(min(lost, BOXES)), max(0, lost - BOXES)


def _sinking(battle: Battle, roll: Roll) -> Resolve:
    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        lost = builder.ship(roll.ship).count("speed_lost")
        column, margin = sinking_row(lost)
        sinking = SinkingRoll(column, margin, f"with {lost} SX", "AQF-SNK-1", unit=" SX")
        sink_or_not(builder, roll.ship, sinking, faces[0], reader)

    return resolve


_RESOLVE: Mapping[str, Callable[[Battle, Roll], Resolve]] = {
    "direction": _direction,
    "explosion": _of(_EXPLOSION, HitSource.EXPLOSION),
    "t-hit": _of(_T_HIT, HitSource.CHECK),
    "fire-check": _of(_FIRE_CHECK, HitSource.CHECK),
    "sx-check": _sx_check,
    "sinking": _sinking,
}


def owe_sx_checks(builder: DecisionBuilder) -> None:
    """One for each ship with SX once the fire checks and their results are done; once a turn (AQF-REC-2)."""
    battle = builder.battle
    if any(act.kind == "sx-checked" and act.turn == battle.turn for act in battle.acts):
        return
    builder.remember("sx-checked", "")
    for ship in may_sink(battle):
        if ship.count("speed_lost") > 0:
            builder.owe(
                "sx-check", ship.id, f"SX check of {battle.called(ship.id)}", D12, cause=battle.opened
            )


def owe_sinking(builder: DecisionBuilder) -> None:
    """One for each ship with two or more SX, or by the switch with nothing but SX (AQF-SNK-1)."""
    least = SINKING_FROM if option(builder.battle, "sinking_at") == "two-sx" else BOXES
    at_risk = (ship for ship in may_sink(builder.battle) if ship.count("speed_lost") >= least)
    owe_sinking_rolls(builder, at_risk, lambda ship: f"{ship.count('speed_lost')} SX", D12)
