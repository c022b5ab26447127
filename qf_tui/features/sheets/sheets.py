"""The printed sheets of the present battle: the logs of chosen ships, and the pages after them."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from attrs import evolve, frozen

from qf_tui.core.crews import describe_rules, read_card_crew
from qf_tui.core.declarations import Phase, find_scale
from qf_tui.core.errors import QfError
from qf_tui.core.printed_logs import SheetLine
from qf_tui.core.schedule import list_coming, list_standings
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import make_id
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import AFLOAT, Battle, Chart, ChartCell, Form, Provenance, Ship
from qf_tui.document.acts import SIGNS, format_begun_phase, format_owed, format_phase
from qf_tui.document.glance import format_crew, format_crew_steps
from qf_tui.document.html import render
from qf_tui.features.sealed_dice.seal import list_seal_texts
from qf_tui.features.sealed_dice.witness import Witness
from qf_tui.features.sheets.packing import format_caption, pack_battle, split_codes
from qf_tui.journal.disk import format_disk_fault, format_file_name, write_file
from qf_tui.library.paths import list_free_names
from qf_tui.session.saves import report_meaningless_save


@frozen
class PrintedCell:
    """A cell with the sign of its standing; `needed`: the battle can come to it."""

    text: str = ""
    sign: str = ""
    needed: bool = True


@frozen
class PrintedChart:
    """A chart with the rows and columns that hold a cell which the battle can need."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[PrintedCell, ...]], ...]
    note: str
    counts: str


def build_charts(system: RuleSystem, battle: Battle) -> tuple[PrintedChart, ...]:
    """Build the present charts of a battle, overlays included."""
    cells = system.needed_cells(battle)
    made = (_build_chart(chart, cells.get(chart.name, _ALL)) for chart in battle.charts.values())
    return tuple(chart for chart in made if chart.rows)


_ALL = (("", ""),)


def _build_chart(chart: Chart, cells: Collection[tuple[str, str]]) -> PrintedChart:
    needed = {
        (row.name, column)
        for row in chart.rows.values()
        for column in row.cells
        if any(one in cells for one in ((row.name, column), (row.name, ""), ("", column), ("", "")))
    }
    every = dict.fromkeys(column for row in chart.rows.values() for column in row.cells)
    columns = tuple(one for one in every if any(column == one for _, column in needed))
    rows = tuple(
        (row.name, tuple(_build_cell(row.cells.get(one), (row.name, one) in needed) for one in columns))
        for row in chart.rows.values()
        if any(name == row.name for name, _ in needed)
    )
    return PrintedChart(chart.title, columns, rows, chart.note, ", ".join(_count_cells(chart, needed)))


def _build_cell(cell: ChartCell | None, needed: bool) -> PrintedCell:
    return PrintedCell(cell.text, SIGNS[cell.status], needed) if cell else PrintedCell()


def _count_cells(chart: Chart, needed: set[tuple[str, str]]) -> Iterator[str]:
    """Yield how many of the needed cells are attested, reconstructed or the umpire's."""
    standing = [chart.rows[row].cells[column].status for row, column in needed]
    for status in Provenance:
        if standing.count(status):
            yield f"{standing.count(status)} {status.value}"


@frozen
class PrintedPhase:
    """A phase: its number, its orders, and its clauses with their words; `now`: the battle stands in it."""

    number: int
    phase: Phase
    orders: tuple[Form, ...]
    clauses: tuple[tuple[str, str], ...]
    now: bool


def build_phases(system: RuleSystem, battle: Battle) -> tuple[PrintedPhase, ...]:
    """Build the phases of a turn, in order."""
    return tuple(
        PrintedPhase(
            number,
            phase,
            tuple(form for form in system.forms if phase.name in form.phases),
            tuple((clause, system.clauses[clause]) for clause in phase.clauses if clause in system.clauses),
            phase.name == battle.phase,
        )
        for number, phase in enumerate(system.phases, start=1)
    )


SHIPS_A_PAGE = 6


@frozen
class SheetChoice:
    """Which sheets: a side and a division by id or name ("": all), one ship a page, on Letter paper."""

    side: str = ""
    division: str = ""
    single: bool = False
    letter: bool = False

    @property
    def whole(self) -> bool:
        """Whether it is the umpire's set, which alone has what both sides know."""
        return not (self.side or self.division)


@frozen
class PrintedShip:
    """One log: the ship, her side, division and player in words, her state, and the lines."""

    ship: Ship
    owner: str
    state: str
    lines: tuple[SheetLine, ...]
    notes: str


@frozen
class ShipPage:
    """Logs on a page; `side` names the side or sides."""

    side: str
    ships: tuple[PrintedShip, ...]

    @property
    def reconstructed(self) -> bool:
        """True if any value on the page is reconstructed and not printed in the rules."""
        return any(part.reconstructed for ship in self.ships for line in ship.lines for part in line)


@frozen
class Summary:
    """A side as it stands: the grid's columns, a row a ship, and what became of those that are gone."""

    side: str
    titles: tuple[str, ...]
    rows: tuple[tuple[Ship, tuple[object, ...]], ...]


@frozen
class Sheets:
    """All that is printed; `switches` are those that are not at their default, as (value, text, clause)."""

    wanted: SheetChoice
    title: str
    rules: str
    when: str
    pages: tuple[ShipPage, ...]
    summaries: tuple[Summary, ...]
    victory: tuple[str, ...]
    to_come: tuple[str, ...]
    owed: tuple[str, ...]
    seal: tuple[str, ...]
    charts: tuple[PrintedChart, ...]
    scale: Mapping[str, str]
    phases: tuple[PrintedPhase, ...]
    switches: tuple[tuple[str, str, str], ...]
    codes: tuple[str, ...]
    without_codes: str
    witness: str


def build_sheets(
    system: RuleSystem,
    timeline: Timeline,
    wanted: SheetChoice,
    extra: Mapping[str, object] | None = None,
    witnesses: Sequence[Witness] = (),
) -> Sheets:
    """Build the sheets of a battle as it stands; QfError if no such side or division has a ship.

    The foot of each page has the last of the `witnesses` of its log.
    """
    battle = timeline.battle
    logs = {side: _build_logs(system, battle, side[0], wanted) for side in _find_sides(battle, wanted.side)}
    shown = [side for side in logs if wanted.whole or logs[side]]
    if not any(logs.values()):
        raise QfError(_explain_empty(battle, wanted))
    codes, without = _build_codes(system, timeline, extra or {}) if wanted.whole else ((), "")
    scale = find_scale(system.scales, battle.table)
    values = {option.name: str(battle.options.get(option.name, option.default)) for option in system.options}
    switches = (
        (f"{option.name} {values[option.name]}", option.text, option.clause)
        for option in system.options
        if values[option.name] != option.default
    )
    return Sheets(
        wanted,
        str(battle.table.get("title", "")),
        describe_rules(system, battle),
        format_phase(system, battle),
        tuple(_share_out({name: own for (_, name), own in logs.items()}, wanted)),
        # Players get a brief of their own side alone: divisions of both sides are printed without.
        tuple(_build_summary(system, battle, side) for side in shown if wanted.whole or len(shown) == 1),
        list_standings(battle),
        list_coming(battle) if wanted.whole else (),
        tuple(map(format_owed, battle.owed)) if wanted.whole else (),
        list_seal_texts(extra or {}),
        build_charts(system, battle),
        scale.figures if scale else {},
        build_phases(system, battle),
        tuple(switches),
        codes,
        without,
        _format_witness(system, timeline, witnesses[-1], wanted) if witnesses else "",
    )


def _format_witness(system: RuleSystem, timeline: Timeline, witness: Witness, wanted: SheetChoice) -> str:
    """Format a witness with its entry; players must not learn how many entries there are."""
    entry = f" (entry {witness.number})" if wanted.whole else ""
    began = format_begun_phase(system, timeline, witness.number)
    return f"witness of the log as {began} began{entry}: {witness.words}"


def _find_sides(battle: Battle, named: str) -> list[tuple[str, str]]:
    """Return the sides that are printed, as (id, name)."""
    every = [(side.id, side.name) for side in battle.sides]
    if not named:
        return every
    chosen = [side for side in every if make_id(named) in side]
    if not chosen:
        raise QfError(f"no side “{named}”; there are {', '.join(id for id, _ in every)}")
    return chosen


def _explain_empty(battle: Battle, wanted: SheetChoice) -> str:
    if not wanted.division:
        return "no ship is left in the battle: there is no log to print"
    divisions = dict.fromkeys(ship.division for ship in battle.ships.values())
    return f"no ship of a division “{wanted.division}” in the battle; there are {', '.join(divisions)}"


def _build_logs(system: RuleSystem, battle: Battle, side: str, wanted: SheetChoice) -> list[PrintedShip]:
    """Build the logs of a side, also of ships that the schedule brings."""
    return [
        _build_log(system, battle, ship)
        for ship in (*battle.ships.values(), *battle.expected_ships)
        if ship.side == side and not ship.is_off_table
        if wanted.division in ("", ship.division) or make_id(wanted.division) == ship.division
    ]


def _share_out(logs: Mapping[str, list[PrintedShip]], wanted: SheetChoice) -> Iterator[ShipPage]:
    """Distribute logs over as few pages as possible, about the same number on each.

    In the umpire's set, sides share pages if that saves one.
    """
    size = 1 if wanted.single else SHIPS_A_PAGE
    apart = [[(side, log) for log in own] for side, own in logs.items()]
    joint = list(chain(*apart))
    shared = wanted.whole and -(-len(joint) // size) < sum(-(-len(own) // size) for own in apart)
    for group in [joint] if shared else apart:
        pages = -(-len(group) // size)
        for at in range(pages):
            some = group[at * len(group) // pages : (at + 1) * len(group) // pages]
            sides = dict.fromkeys(side for side, _ in some)
            ships = (evolve(log, owner=f"{side} · {log.owner}") if shared else log for side, log in some)
            yield ShipPage(" · ".join(sides), tuple(ships))


def _build_log(system: RuleSystem, battle: Battle, ship: Ship) -> PrintedShip:
    division = battle.find_division(ship)
    parts = (str(ship.card.get("kind") or ""), division.name, division.player)
    state = "" if ship.status == AFLOAT else ship.status
    if ship.id not in battle.ships:
        turn = next((due.turn for due in battle.plan.schedule if ship.id in due.ships), 0)
        state = f"arrives on turn {turn}"
        battle = evolve(battle, ships={**battle.ships, ship.id: ship}, began=None)
    return PrintedShip(
        ship,
        " · ".join(part for part in parts if part),
        " · ".join(filter(None, (state, format_crew_steps(read_card_crew(ship.card))))),
        system.log_sheet(battle, ship),
        " · ".join(filter(None, (str(ship.card.get("notes") or ""), format_crew(system, ship.card)))),
    )


def _build_summary(system: RuleSystem, battle: Battle, side: tuple[str, str]) -> Summary:
    own = sorted(
        (ship for ship in battle.ships.values() if ship.side == side[0]), key=lambda ship: ship.is_off_table
    )
    rows = tuple(
        (ship, tuple(system.cell(battle, ship, column) for column in system.columns)) for ship in own
    )
    return Summary(side[1], tuple(column.title for column in system.columns), rows)


def _build_codes(
    system: RuleSystem, timeline: Timeline, extra: Mapping[str, object]
) -> tuple[tuple[str, ...], str]:
    """Return the texts of the codes, and "" or the reason why there are none."""
    try:
        return split_codes(pack_battle(system, timeline, extra)), ""
    except QfError as fault:
        return (), str(fault)


@frozen
class PrintedCode:
    """A QR code: what stands below it, how many modules it is wide, its dark ones as a path of strokes."""

    caption: str
    modules: int
    path: str


_QUIET = 4
"""Light modules around a code."""
_DARK = re.compile(b"\x01+")
"""Dark modules beside each other, in a row of a code."""
_MASK = 3
"""Packed bytes are as good as random: one mask serves them as well as another, and to try all takes time."""


def render_page(sheets: Sheets) -> str:
    """Render sheets as HTML, which asks nothing of any network."""
    return render("features/sheets/sheets.html", sheets=sheets, codes=list(map(_draw_code, sheets.codes)))


def write_page(to: Path, sheets: Sheets) -> None:
    """Write the page into a new file; QfError if that fails."""
    try:
        write_file(to, render_page(sheets).encode())
    except FileExistsError:
        raise QfError(
            f"{format_file_name(to)}: this file already exists and is never overwritten. Choose another name."
        ) from None
    except (OSError, ValueError) as fault:
        raise QfError(f"{format_file_name(to)}: cannot be written: {format_disk_fault(fault)}.") from None


def write_beside(
    save: Path,
    system: RuleSystem,
    timeline: Timeline,
    extra: Mapping[str, object],
    witnesses: Sequence[Witness] = (),
) -> Path:
    """Write a battle's sheets next to its save, with the turn in the name.

    Raises:
        QfError: The sheets cannot be written.
    """
    with report_meaningless_save(system):
        sheets = build_sheets(system, timeline, SheetChoice(), extra, witnesses)
    to = next(list_free_names(save.with_name(f"{save.stem}-turn-{timeline.battle.turn}.html")))
    write_page(to, sheets)
    return to


def _draw_code(text: str) -> PrintedCode:
    from segno import make_qr

    made = make_qr(text, error="m", mode="alphanumeric", boost_error=False, mask=_MASK)
    strokes = [
        f"M{dark.start() + _QUIET} {y}.5h{dark.end() - dark.start()}"
        for y, row in enumerate(made.matrix, _QUIET)
        for dark in _DARK.finditer(row)
    ]
    return PrintedCode(format_caption(text), len(made.matrix) + 2 * _QUIET, "".join(strokes))
