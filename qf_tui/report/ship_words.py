"""The ships before and after: a table a side of every value that changed, and who did what to whom."""

from collections.abc import Iterable

from qf_tui.analysis.values import DamageDealt
from qf_tui.core.system import Column as GridColumn
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import several
from qf_tui.core.values import Battle, Ship
from qf_tui.report.names import Arrivals, Names, settled, some
from qf_tui.report.values import Section, Sentence, Table, TableColumn, TableRow

KEPT_MOST = 40
"""Ships that nothing changed on and that are named."""
DEEDS_MOST = 24
"""Deeds that are told one by one."""


def ships(names: Names, arrivals: Arrivals) -> Section:
    """Every ship as she came into the battle, and as she is."""
    end = settled(names.timeline.battle)
    parts = []
    for side in end.sides:
        own = [ship for ship in end.ships.values() if ship.side == side.id]
        if own:
            parts.append(_side(names.system, side.id, side.name, own, arrivals, end))
    return Section("ships", "Ships before and after", parts=tuple(parts))


def _side(
    system: RuleSystem,
    id: str,
    title: str,
    own: list[Ship],
    arrivals: Arrivals,
    end: Battle,
) -> Section:
    """A side's ships; of those that nothing changed on only the names are told."""
    came = [arrivals.of[ship.id] for ship in own]
    before = {one.ship.id: _cells(system, one.battle, one.ship) for one in came}
    after = {ship.id: _cells(system, end, ship) for ship in own}
    changed = [column for column in _lasting(system) if _differs(column.name, before, after)]
    touched = [ship for ship in own if before[ship.id] != after[ship.id] or not ship.afloat]
    kept = [ship.name for ship in own if ship not in touched]
    rows = tuple(
        TableRow(
            (
                ship.name,
                ship.status,
                *(_from_to(before[ship.id][one.name], after[ship.id][one.name]) for one in changed),
            )
        )
        for ship in touched
    )
    columns = (TableColumn("ship"), TableColumn("is"), *(TableColumn(one.title) for one in changed))
    told = (Sentence(f"As they began: {some(kept, KEPT_MOST)}."),) if kept else ()
    return Section(f"ships-{id}", title, told, Table(columns, rows) if rows else None)


def _cells(system: RuleSystem, battle: Battle, ship: Ship) -> dict[str, str]:
    """What each column shows of a ship."""
    return {
        column.name: "".join(span.text for span in system.cell(battle, ship, column)).strip()
        for column in _lasting(system)
    }


def _lasting(system: RuleSystem) -> list[GridColumn]:
    """The columns of what stays."""
    return [column for column in system.columns if not column.passing]


def _differs(name: str, before: dict[str, dict[str, str]], after: dict[str, dict[str, str]]) -> bool:
    return any(cells[name] != after[ship][name] for ship, cells in before.items())


def _from_to(before: str, after: str) -> str:
    return after if before == after else f"{before or '–'} → {after or '–'}"


def deeds(names: Names, found: Iterable[DamageDealt]) -> Section:
    """Who did what to whom, the most results first; of those without results only how many they were."""
    titles = {kind.name: kind.title for kind in names.system.results}
    scored = [deed for deed in found if deed.results]
    columns = (
        *(TableColumn("ship"), TableColumn("at"), TableColumn("what")),
        *(
            TableColumn("throws", figures=True),
            TableColumn("told", figures=True),
            TableColumn("results", figures=True),
        ),
    )
    rows = tuple(
        TableRow(
            (
                *(names.ship(deed.ship), names.ship(deed.target), titles.get(deed.kind, deed.kind)),
                *(str(deed.throws), str(deed.told), str(deed.results)),
            )
        )
        for deed in scored[:DEEDS_MOST]
    )
    left = scored[DEEDS_MOST:]
    results = several(sum(deed.results for deed in left), "result")
    more = (Sentence(f"{several(len(left), 'more', 'more')} with {results} in all."),) if left else ()
    return Section("deeds", "Who did what to whom", more, Table(columns, rows) if rows else None)
