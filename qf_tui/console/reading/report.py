"""The battle as it stands, to be read or told: each side's ships by what became of them, and what was remarked."""

from collections.abc import Iterable

from textual.content import Content

from qf_tui.console.panel import head
from qf_tui.console.text import fit, literal, spans, width_of
from qf_tui.core.deciding import State
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.session import Session
from qf_tui.session.telling import phase_text

NAME_MOST = 28


def report_lines(session: Session) -> list[Content]:
    """All of the report."""
    system, battle = session.system, session.battle
    lines = [literal(f"{battle.table.get('title', '')}: {phase_text(system, battle)}"), *_counts(session)]
    ended = system.ended(battle)
    lines += [literal(ended, "bold $text-warning")] if ended else []
    for side in battle.sides:
        own = [ship for ship in battle.ships.values() if ship.side == side.id]
        lines += [Content(""), head(f"{side.name}: {_standing(system, own)}"), *_ships(system, battle, own)]
    remarks = [
        (number, session.timeline.versions[number].order)
        for number in session.timeline.script
        if session.timeline.versions[number].order.startswith("note ")
    ]
    if remarks:
        lines += [Content(""), head("Remarks")]
        lines += [literal(f"{number:>5}  {text.removeprefix('note ')}") for number, text in remarks]
    return lines


def _counts(session: Session) -> list[Content]:
    timeline = session.timeline
    parked, spare = timeline.in_state(State.PARKED), timeline.in_state(State.SPARE)
    parts = [
        f"{len(timeline.script)} entries",
        f"{len(timeline.log) - len(timeline.script)} struck or corrections",
        *([f"parked: {_numbers(parked)}"] if parked else []),
        *([f"spare: {_numbers(spare)}"] if spare else []),
        *([f"in doubt: {_numbers(session.battle.doubts)}"] if session.battle.doubts else []),
    ]
    return [literal(" · ".join(parts), "$quiet")]


def _numbers(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in numbers)


def _standing(system: RuleSystem, ships: list[Ship]) -> str:
    """How many of a side are in the battle, and how many are what else."""
    gone = [ship.status for ship in ships if ship.status in system.leavings]
    parts = [f"{len(ships) - len(gone)} of {len(ships)} in the battle"]
    parts += [f"{gone.count(status)} {status}" for status in dict.fromkeys(gone)]
    return ", ".join(parts)


def _ships(system: RuleSystem, battle: Battle, ships: list[Ship]) -> list[Content]:
    """Each ship with the columns that are never left out."""
    name = min(max((width_of(ship.name) for ship in ships), default=4), NAME_MOST)
    least = min((column.rank for column in system.columns), default=0)
    columns = [column for column in system.columns if column.rank <= least + 1]
    lines = []
    for ship in sorted(ships, key=lambda ship: ship.status in system.leavings):
        cells = [spans(system.cell(battle, ship, column)) for column in columns]
        wide = [
            Content.assemble(cell, literal(" " * max(1, column.width + 2 - cell.cell_length)))
            for cell, column in zip(cells, columns, strict=True)
        ]
        lines.append(Content.assemble(literal(f"  {fit(ship.name, name)}  "), *wide))
    return lines
