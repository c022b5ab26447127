"""What an entry looks up while it is decided: switches, charts and their cells, noted by the battle it reads.

The rules are not asked about it: they are handed a battle whose switches and charts take notes, and decide as
ever. So it is known which switches and cells an entry could have been decided otherwise by.
"""

from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from typing import TypeVar

from attrs import frozen

from qf_tui.core.decide import prepared_again, written
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Ruling, Version
from qf_tui.core.values import Battle, ChartCell, ChartRow, Charts, Owed, replace

Place = tuple[str, str, str]
"""Where a cell is: table, row, column."""

_Value = TypeVar("_Value")


@frozen
class Lookups:
    """What one entry looked up; `decided` are the cells that were read as it was written, dice and all.

    `cells` has those too that were read while it was prepared, for figures of every face.
    """

    options: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    cells: frozenset[Place] = frozenset()
    decided: frozenset[Place] = frozenset()


def cell_at(charts: Charts, place: Place) -> ChartCell | None:
    """The cell of a place, or None."""
    chart = charts.get(place[0])
    row = chart.rows.get(place[1]) if chart else None
    return row.cells.get(place[2]) if row else None


def deciding(charts: Charts, lookups: Lookups) -> Iterator[tuple[Place, ChartCell]]:
    """The cells that decided an entry, as the charts of its battle have them: each is a reading."""
    for place in sorted(lookups.decided):
        cell = cell_at(charts, place)
        if cell is not None:
            yield place, cell


class _Noted(Mapping[str, _Value]):
    """A mapping that notes each name it is asked for."""

    def __init__(self, known: Mapping[str, _Value], note: Callable[[str], object]) -> None:
        self._known, self._note = known, note

    def __getitem__(self, name: str) -> _Value:
        self._note(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


class _NotedCells(_Noted[ChartCell]):
    """The cells of a line: to go through them for their names and standing is to read none of them.

    Nor is a cell read that is not there.
    """

    def __getitem__(self, name: str) -> ChartCell:
        found = self._known[name]
        self._note(name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def items(self) -> ItemsView[str, ChartCell]:
        return self._known.items()

    def values(self) -> ValuesView[ChartCell]:
        return self._known.values()


class Notebook:
    """Takes notes of what is looked up on the battles that it hands out, one entry after the other."""

    def __init__(self) -> None:
        self._options: set[str] = set()
        self._tables: set[str] = set()
        self._cells: set[Place] = set()
        self._charts: tuple[Charts, Charts] | None = None

    def decide(
        self, system: RuleSystem, battle: Battle, number: int, version: Version, recorded: Ruling | None
    ) -> tuple[Ruling, Lookups]:
        """An entry decided again, as `play_again` does, and all that it looked up."""
        self._options, self._tables, self._cells = set(), set(), set()
        noting = self._handed_out(battle)
        entry = prepared_again(system, noting, version, recorded)
        before, self._cells = self._cells, set()
        if isinstance(entry, Ruling):
            ruling = entry
        else:
            ruling = Ruling(written(system, noting, number, entry).decision())
        decided = frozenset(self._cells)
        return ruling, Lookups(
            frozenset(self._options), frozenset(self._tables), decided | before, decided - left_open(ruling)
        )

    def _handed_out(self, battle: Battle) -> Battle:
        noting = self._noting(battle)
        return noting if battle.began is None else replace(noting, began=self._noting(battle.began))

    def _noting(self, battle: Battle) -> Battle:
        options = _Noted(battle.options, self._options.add)
        return replace(battle, options=options, charts=self._noting_charts(battle.charts))

    def _noting_charts(self, charts: Charts) -> Charts:
        """Charts that take notes; the same for as long as the battle has the same."""
        if self._charts is None or self._charts[0] is not charts:
            noting = {
                name: replace(
                    chart,
                    rows={row.name: self._noting_row(name, row) for row in chart.rows.values()},
                )
                for name, chart in charts.items()
            }
            self._charts = charts, _Noted(noting, self._note_table)
        return self._charts[1]

    def _note_table(self, name: str) -> None:
        self._tables.add(name)

    def _noting_row(self, table: str, row: ChartRow) -> ChartRow:
        return ChartRow(
            row.name, _NotedCells(row.cells, lambda column: self._cells.add((table, row.name, column)))
        )


def left_open(ruling: Ruling) -> frozenset[Place]:
    """The cells that the umpire is asked to read out: they were looked up, and decided nothing."""
    asked = (effect.value.cell for effect in ruling.decision.effects if isinstance(effect.value, Owed))
    return frozenset((cell[0], cell[1], cell[2]) for cell in asked if cell)
