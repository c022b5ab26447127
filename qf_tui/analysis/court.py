"""The rules court: what is to be tried of a battle, and what rests on chart cells that are ours alone."""

from collections.abc import Iterator, Mapping

from attrs import frozen

from qf_tui.analysis.lookups import Place, cell_at, deciding
from qf_tui.analysis.replay import Control, Otherwise, Pause, control_of, replay
from qf_tui.analysis.verdicts import CellFound, CellsFound, Instead, Neighbour, Toward, Verdict
from qf_tui.core.charts import Chart, ChartCell, ChartRow, Charts, Provenance
from qf_tui.core.decide import play_again
from qf_tui.core.errors import QfError
from qf_tui.core.system import Option, RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.verify import substance
from qf_tui.core.worth import Worth


@frozen
class Docket:
    """What is to be heard of a battle: its control, the cells of ours, and all that is tried instead."""

    control: Control
    cells: CellsFound
    tries: tuple[Instead, ...]


def docket_of(
    system: RuleSystem, timeline: Timeline, pause: Pause = lambda: None, worth: Worth | None = None
) -> Docket:
    """Every switch at its other values, then each neighbour in the place of a cell that decided something."""
    control = control_of(system, timeline, pause, worth)
    cells = cells_found(control, pause)
    beside = (
        cell_instead(control, cell.place, neighbour.text)
        for cell in cells.cells
        for neighbour in cell.neighbours
    )
    return Docket(control, cells, (*switches(control), *beside))


def heard(control: Control, instead: Instead, pause: Pause = lambda: None) -> Verdict:
    """One reading; of the neighbours of cells, which are many, the sides' figures are not told."""
    return replay(control, instead, pause, figures=instead.place is None)


def switches(control: Control) -> tuple[Instead, ...]:
    """Every switch with each value that it did not have throughout."""
    return tuple(
        Instead(option.name, value)
        for option in control.system.options
        for value in option.values
        if value != _throughout(control, option)
    )


def switch(control: Control, name: str, value: str | None = None) -> tuple[Instead, ...]:
    """A switch with a value, or with None each other value than its own; QfError if there is none."""
    option = next((option for option in control.system.options if option.name == name), None)
    if option is None:
        names = ", ".join(other.name for other in control.system.options)
        raise QfError(f"no switch “{name}” in {control.system.title}: {names}")
    if value is None:
        return tuple(instead for instead in switches(control) if instead.option == name)
    if value not in option.values:
        raise QfError(f"{name}: “{value}” is not one of {', '.join(option.values)}")
    return (Instead(name, value),)


def _throughout(control: Control, option: Option) -> str | None:
    """The value that a switch had from the first entry to the last, or None."""
    values = {battle.options.get(option.name) for battle in control.battles}
    value = values.pop()
    return None if values or value is None else str(value)


def cells_found(control: Control, pause: Pause = lambda: None) -> CellsFound:
    """The cells of ours that decided something, as they first did, with their neighbours."""
    places: dict[Place, list[int]] = {}
    read = 0
    for at, lookups in enumerate(control.lookups):
        for place, cell in deciding(control.battles[at].charts, lookups):
            read += 1
            if cell.status is Provenance.RECONSTRUCTED:
                places.setdefault(place, []).append(at)
    return CellsFound(read, tuple(_found(control, place, where, pause) for place, where in places.items()))


def _found(control: Control, place: Place, where: list[int], pause: Pause) -> CellFound:
    charts = control.battles[where[0]].charts
    beside: dict[str, list[Toward]] = {}
    for toward, text in _beside(control.system, charts, place):
        beside.setdefault(text, []).append(toward)
    text = charts[place[0]].rows[place[1]].cells[place[2]].text
    beside.pop(text, None)
    order = control.timeline.play_order
    neighbours = tuple(
        Neighbour(tuple(steps), other, tuple(_otherwise(control, place, other, where, pause)))
        for other, steps in beside.items()
    )
    return CellFound(place, text, tuple(order[at] for at in where), neighbours)


def _beside(system: RuleSystem, charts: Charts, place: Place) -> Iterator[tuple[Toward, str]]:
    """What stands one step from a cell, in row and in column of the printed order."""
    table, row, column = place
    rows = list(charts[table].rows.values())
    at = next(number for number, one in enumerate(rows) if one.name == row)
    columns = list(rows[at].cells)
    shape = system.chart_shapes.get(table)
    for toward in Toward:
        down, right = toward.value
        if down and shape is not None and shape.apart:
            continue
        line, across = at + down, columns.index(column) + right
        if 0 <= line < len(rows) and 0 <= across < len(columns):
            cell = rows[line].cells.get(columns[across])
            if cell is not None:
                yield toward, cell.text


def _otherwise(control: Control, place: Place, text: str, where: list[int], pause: Pause) -> Iterator[int]:
    """The entries, of those at some places, that come to something else where a cell says another text."""
    timeline = control.timeline
    other = Otherwise(cell_instead(control, place, text))
    for at in where:
        number = timeline.play_order[at]
        ruling, _ = play_again(
            control.system,
            other.laid(control.battles[at]),
            number,
            timeline.versions[number],
            timeline.rulings_when_placed.get(number),
        )
        if substance(ruling) != substance(control.today[at]):
            yield number
        pause()


def cell_instead(control: Control, place: Place, text: str) -> Instead:
    """One cell that says another text, with the same standing."""
    table, row, column = place
    charts, was = next(
        (battle.charts, cell)
        for battle in control.battles
        if (cell := cell_at(battle.charts, place)) is not None
    )
    cell = ChartCell(text, Provenance.RECONSTRUCTED)
    lines: Mapping[str, ChartRow] = {row: ChartRow(row, {column: cell})}
    return Instead(
        cells={table: Chart(table, charts[table].title, lines)}, place=place, text=text, was=was.text
    )
