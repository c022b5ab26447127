"""The battle as it is now: each side's ships by what became of them."""

from collections.abc import Iterable, Iterator

from textual.content import Content

from qf_tui.console.reading.lookup import Rank
from qf_tui.console.reading.retold_lines import BLANK, RetoldLine, head_line, section_lines
from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.panel import head
from qf_tui.console.widgets.text import fit, literal, spans, width_of
from qf_tui.core.acts import State
from qf_tui.core.system import Column, RuleSystem
from qf_tui.core.text import several
from qf_tui.core.values import Battle, Ship
from qf_tui.report.telling import victory
from qf_tui.session.act_words import ended_text, phase_text

NAME_MOST = 28
PAGE = 66
"""Cells of a ship's line on the narrowest screen, without its indent."""


def now_lines(source: BattleSource) -> Iterator[RetoldLine]:
    """How the battle stands, and every ship of each side."""
    system, battle = source.system, source.battle
    yield head_line(f"Now: {phase_text(system, battle)}")
    yield from (RetoldLine(line) for line in _counts(source))
    ended = ended_text(system, battle)
    if ended:
        yield RetoldLine(literal(ended, "bold $text-warning"))
    plan = victory(battle)
    if not plan.empty:
        yield from section_lines(plan, PAGE)
    for side in battle.sides:
        own = [ship for ship in battle.ships.values() if ship.side == side.id]
        yield BLANK
        yield RetoldLine(head(f"{side.name}: {_side_counts(system, own)}"), rank=Rank.HEADING)
        yield from (RetoldLine(line) for line in _ships(system, battle, own))


def _counts(source: BattleSource) -> list[Content]:
    timeline = source.timeline
    parked, spare = timeline.in_state(State.PARKED), timeline.in_state(State.SPARE)
    parts = [
        f"{several(len(timeline.play_order), 'entry', 'entries')} in force",
        f"{len(timeline.log) - len(timeline.play_order)} struck entries and corrections",
        *([f"parked: {_numbers(parked)}"] if parked else []),
        *([f"spare: {_numbers(spare)}"] if spare else []),
        *([f"disputed: {_numbers(source.battle.doubts)}"] if source.battle.doubts else []),
    ]
    return [literal(" · ".join(parts), "$quiet")]


def _numbers(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in numbers)


def _side_counts(system: RuleSystem, ships: list[Ship]) -> str:
    """How many of a side are in the battle, and how many are what else."""
    gone = [ship.status for ship in ships if ship.status in system.departure_statuses]
    parts = [f"{sum(not system.departed(ship) for ship in ships)} of {len(ships)} in the battle"]
    parts += [f"{gone.count(status)} {status}" for status in dict.fromkeys(gone)]
    return ", ".join(parts)


def _ships(system: RuleSystem, battle: Battle, ships: list[Ship]) -> list[Content]:
    """Each ship with as many columns as a narrow screen has room for, under their titles."""
    name = min(max((width_of(ship.name) for ship in ships), default=4), NAME_MOST)
    columns = _columns(system, PAGE - name)
    widths = [max(column.width, width_of(column.title)) + 2 for column in columns]
    titles = "".join(
        fit(column.title, width - 2, column.right) + "  "
        for column, width in zip(columns, widths, strict=True)
    )
    lines = [literal(f"  {fit('ship', name)}  {titles}", "$quiet")]
    for ship in sorted(ships, key=system.departed):
        cells = [
            _cell(spans(system.cell(battle, ship, column)), width, column.right)
            for column, width in zip(columns, widths, strict=True)
        ]
        lines.append(Content.assemble(literal(f"  {fit(ship.name, name)}  "), *cells))
    return lines


def _columns(system: RuleSystem, room: int) -> list[Column]:
    """The columns of low rank that fit."""
    kept: set[str] = set()
    for column in sorted(system.columns, key=lambda column: column.rank):
        room -= max(column.width, width_of(column.title)) + 2
        if room < 0:
            break
        kept.add(column.name)
    return [column for column in system.columns if column.name in kept]


def _cell(cell: Content, width: int, right: bool) -> Content:
    blank = literal(" " * max(0, width - 2 - cell.cell_length))
    parts = (blank, cell) if right else (cell, blank)
    return Content.assemble(*parts, "  ")
