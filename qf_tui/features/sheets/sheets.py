"""The printed sheets of a battle: the logs of chosen ships, then summaries, charts, phases and switches."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from math import ceil
from pathlib import Path

from attrs import evolve, frozen

from qf_tui.core.crews import describe_rules, read_card_crew
from qf_tui.core.declarations import Phase, find_scale
from qf_tui.core.errors import QfError
from qf_tui.core.printed_logs import SheetLine
from qf_tui.core.schedule import list_coming, list_standings
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import make_id
from qf_tui.core.timeline import Timeline, build_timeline
from qf_tui.core.values import AFLOAT, Battle, Chart, ChartCell, Form, Provenance, Ship
from qf_tui.document.acts import SIGNS, format_begun_phase, format_owed, format_phase
from qf_tui.document.glance import format_crew, format_crew_steps
from qf_tui.document.html import render
from qf_tui.features.sealed_dice.seal import list_seal_texts
from qf_tui.features.sealed_dice.witness import Witness
from qf_tui.features.sheets.briefing import Briefing, build_briefing
from qf_tui.features.sheets.packing import format_caption, pack_battle, split_codes
from qf_tui.journal.disk import format_disk_fault, format_file_name, write_file
from qf_tui.library.paths import list_free_names, list_new_saves
from qf_tui.operating_systems import make_portable_name
from qf_tui.session.saves import report_meaningless_save


@frozen
class PrintedCell:
    """A cell of a printed chart.

    Attributes:
        text: Text of the cell.
        sign: Sign of its source, as † for a reconstructed cell.
        needed: True if the battle may need the cell.
    """

    text: str = ""
    sign: str = ""
    needed: bool = True


@frozen
class PrintedChart:
    """A chart, with only the rows and columns that hold a cell which the battle may need."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[PrintedCell, ...]], ...]
    note: str
    counts: str


def build_charts(system: RuleSystem, battle: Battle) -> tuple[PrintedChart, ...]:
    """Build the charts of a battle, with the umpire's changes; charts without a needed cell are left out."""
    cells = system.needed_cells(battle)
    charts = (_build_chart(chart, cells.get(chart.name, _ALL_CELLS)) for chart in battle.charts.values())
    return tuple(chart for chart in charts if chart.rows)


_ALL_CELLS = (("", ""),)


def _build_chart(chart: Chart, cells: Collection[tuple[str, str]]) -> PrintedChart:
    """Build a chart with the rows and columns that have a needed cell.

    Args:
        cells: Row and column of each needed cell; "" stands for every row or every column.
    """
    needed = {
        (row.name, column)
        for row in chart.rows.values()
        for column in row.cells
        if any(place in cells for place in ((row.name, column), (row.name, ""), ("", column), ("", "")))
    }
    needed_rows = {row for row, _ in needed}
    needed_columns = {column for _, column in needed}
    all_columns = dict.fromkeys(column for row in chart.rows.values() for column in row.cells)
    columns = tuple(column for column in all_columns if column in needed_columns)
    rows = tuple(
        (row.name, tuple(_build_cell(row.cells.get(name), (row.name, name) in needed) for name in columns))
        for row in chart.rows.values()
        if row.name in needed_rows
    )
    return PrintedChart(chart.title, columns, rows, chart.note, ", ".join(_count_cells(chart, needed)))


def _build_cell(cell: ChartCell | None, needed: bool) -> PrintedCell:
    """Build a printed cell; it is empty if the chart has no cell there."""
    return PrintedCell(cell.text, SIGNS[cell.status], needed) if cell else PrintedCell()


def _count_cells(chart: Chart, needed: set[tuple[str, str]]) -> Iterator[str]:
    """Yield how many of the needed cells come from each source: attested, reconstructed or the umpire's."""
    statuses = [chart.rows[row].cells[column].status for row, column in needed]
    for status in Provenance:
        if statuses.count(status):
            yield f"{statuses.count(status)} {status.value}"


@frozen
class PrintedPhase:
    """A phase of the order of play.

    Attributes:
        number: Number of the phase, from 1.
        phase: The phase.
        orders: Orders that may be given in it.
        clauses: Its clauses, each with its text.
        now: True if it is the present phase.
    """

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
            now=phase.name == battle.phase,
        )
        for number, phase in enumerate(system.phases, start=1)
    )


SHIPS_A_PAGE = 6


@frozen
class SheetChoice:
    """The choice of sheets to print.

    Attributes:
        side: Id or name of a side, or "" for all.
        division: Id or name of a division, or "" for all.
        single: True to print one ship on a page.
        letter: True to print on Letter paper.
        briefing: True to begin with the briefing of the side, which must be given.
        only_logs: True to print logs and nothing else, as without a battle.
    """

    side: str = ""
    division: str = ""
    single: bool = False
    letter: bool = False
    briefing: bool = False
    only_logs: bool = False

    @property
    def whole(self) -> bool:
        """True for the umpire's set, which also has what no player may know."""
        return not (self.side or self.division or self.only_logs)


@frozen
class PrintedShip:
    """The log of one ship.

    Attributes:
        ship: The ship.
        owner: Her kind, division and player.
        state: Her status if she is not afloat, when she arrives, and her crew.
        lines: Lines of the log.
        notes: Notes on her card and crew.
    """

    ship: Ship
    owner: str
    state: str
    lines: tuple[SheetLine, ...]
    notes: str


@frozen
class ShipPage:
    """A page of logs; `side` is the name of its side, or of several sides."""

    side: str
    ships: tuple[PrintedShip, ...]

    @property
    def reconstructed(self) -> bool:
        """True if any value on the page is reconstructed, that is, not printed in the rules."""
        return any(part.reconstructed for ship in self.ships for line in ship.lines for part in line)


@frozen
class Summary:
    """The ships of a side in a table with the columns of the logs; ships that are gone come last."""

    side: str
    titles: tuple[str, ...]
    rows: tuple[tuple[Ship, tuple[object, ...]], ...]


@frozen
class Sheets:
    """All that is printed; `switches` are those not at their default, each with value, text and clause."""

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
    briefing: Briefing | None = None


def build_sheets(
    system: RuleSystem,
    timeline: Timeline,
    choice: SheetChoice,
    extra: Mapping[str, object] | None = None,
    witnesses: Sequence[Witness] = (),
) -> Sheets:
    """Build the sheets of the present battle.

    Args:
        choice: Sheets to print.
        extra: Extra parts of the save's header, with the seal.
        witnesses: Witnesses of the log; the foot of each page has the last one.

    Raises:
        QfError: There is no such side, or no ship to print.
    """
    battle = timeline.battle
    logs_by_side = {
        (id, name): _build_logs(system, battle, id, choice) for id, name in _find_sides(battle, choice.side)
    }
    printed_sides = [side for side, logs in logs_by_side.items() if choice.whole or logs]
    # A briefing is for the one side that was chosen.
    briefed = next(id for id, _ in logs_by_side) if choice.briefing else ""
    if not any(logs_by_side.values()):
        raise QfError(_explain_empty(battle, choice))
    codes, codes_fault = _build_codes(system, timeline, extra or {}) if choice.whole else ((), "")
    scale = find_scale(system.scales, battle.table)
    values = {option.name: str(battle.options.get(option.name, option.default)) for option in system.options}
    changed_switches = (
        (f"{option.name} {values[option.name]}", option.text, option.clause)
        for option in system.options
        if values[option.name] != option.default
    )
    return Sheets(
        wanted=choice,
        title=str(battle.table.get("title", "")),
        rules=describe_rules(system, battle),
        when=format_phase(system, battle),
        pages=tuple(_build_pages({name: logs for (_, name), logs in logs_by_side.items()}, choice)),
        # A summary is only for players of its side, so a choice with ships of both sides has none.
        summaries=tuple(
            _build_summary(system, battle, side)
            for side in printed_sides
            if choice.whole or len(printed_sides) == 1
        ),
        victory=list_standings(battle, briefed),
        to_come=list_coming(battle) if choice.whole else (),
        owed=tuple(map(format_owed, battle.owed)) if choice.whole else (),
        seal=list_seal_texts(extra or {}),
        charts=build_charts(system, battle),
        scale=scale.figures if scale else {},
        phases=build_phases(system, battle),
        switches=tuple(changed_switches),
        codes=codes,
        without_codes=codes_fault,
        witness=_format_witness(system, timeline, witnesses[-1], choice) if witnesses else "",
        briefing=build_briefing(system, battle, briefed) if briefed else None,
    )


def build_logs(system: RuleSystem, battle: Battle, choice: SheetChoice) -> Sheets:
    """Build the logs of ships that are in no battle; nothing of a battle is printed with them."""
    sheets = build_sheets(system, build_timeline(battle, log=()), evolve(choice, only_logs=True))
    pages = []
    for page in sheets.pages:
        ships = (evolve(log, owner=str(log.ship.card.get("kind") or "")) for log in page.ships)
        pages.append(ShipPage(side="", ships=tuple(ships)))
    return evolve(sheets, pages=tuple(pages), when="")


def _format_witness(system: RuleSystem, timeline: Timeline, witness: Witness, choice: SheetChoice) -> str:
    """Format a witness. Only the umpire's set names its entry: players must not learn how many there are."""
    entry = f" (entry {witness.number})" if choice.whole else ""
    began = format_begun_phase(system, timeline, witness.number)
    return f"witness of the log as {began} began{entry}: {witness.words}"


def _find_sides(battle: Battle, name: str) -> list[tuple[str, str]]:
    """Return the id and name of each side to print: those with this id or name, or all if it is "".

    Raises:
        QfError: There is no such side.
    """
    all_sides = [(side.id, side.name) for side in battle.sides]
    if not name:
        return all_sides
    matches = [side for side in all_sides if make_id(name) in side]
    if not matches:
        raise QfError(f"no side “{name}”; there are {', '.join(id for id, _ in all_sides)}")
    return matches


def _explain_empty(battle: Battle, choice: SheetChoice) -> str:
    """Format why there is no log to print."""
    if not choice.division:
        return "no ship is left in the battle: there is no log to print"
    divisions = dict.fromkeys(ship.division for ship in battle.ships.values())
    return f"no ship of a division “{choice.division}” in the battle; there are {', '.join(divisions)}"


def _build_logs(system: RuleSystem, battle: Battle, side: str, choice: SheetChoice) -> list[PrintedShip]:
    """Build the logs of a side's ships, with those that the schedule will bring."""
    return [
        _build_log(system, battle, ship)
        for ship in (*battle.ships.values(), *battle.expected_ships)
        if ship.side == side and not ship.is_off_table
        if choice.division in ("", ship.division) or make_id(choice.division) == ship.division
    ]


def _build_pages(logs: Mapping[str, list[PrintedShip]], choice: SheetChoice) -> Iterator[ShipPage]:
    """Distribute logs over as few pages as possible, about the same number on each.

    In the umpire's set, sides share pages if that saves one.
    """
    page_size = 1 if choice.single else SHIPS_A_PAGE
    logs_by_side = [[(side, log) for log in logs_of_side] for side, logs_of_side in logs.items()]
    all_logs = list(chain(*logs_by_side))
    pages_together = ceil(len(all_logs) / page_size)
    pages_apart = sum(ceil(len(logs_of_side) / page_size) for logs_of_side in logs_by_side)
    are_sides_together = choice.whole and pages_together < pages_apart
    groups = [all_logs] if are_sides_together else logs_by_side
    for group in groups:
        page_count = ceil(len(group) / page_size)
        for page_index in range(page_count):
            start = page_index * len(group) // page_count
            stop = (page_index + 1) * len(group) // page_count
            logs_of_page = group[start:stop]
            sides = dict.fromkeys(side for side, _ in logs_of_page)
            ships = (
                evolve(log, owner=f"{side} · {log.owner}") if are_sides_together else log
                for side, log in logs_of_page
            )
            yield ShipPage(" · ".join(sides), tuple(ships))


def _build_log(system: RuleSystem, battle: Battle, ship: Ship) -> PrintedShip:
    """Build the log of a ship; a ship that is still to arrive is shown as she will arrive."""
    division = battle.find_division(ship)
    parts = (str(ship.card.get("kind") or ""), division.name, division.player)
    state = "" if ship.status == AFLOAT else ship.status
    if ship.id not in battle.ships:
        turn = next((due.turn for due in battle.plan.schedule if ship.id in due.ships), 0)
        state = f"arrives on turn {turn}"
        # `began`, the battle at the start of the phase, lacks her too.
        battle = evolve(battle, ships={**battle.ships, ship.id: ship}, began=None)
    return PrintedShip(
        ship,
        " · ".join(part for part in parts if part),
        " · ".join(filter(None, (state, format_crew_steps(read_card_crew(ship.card))))),
        system.log_sheet(battle, ship),
        " · ".join(filter(None, (str(ship.card.get("notes") or ""), format_crew(system, ship.card)))),
    )


def _build_summary(system: RuleSystem, battle: Battle, side: tuple[str, str]) -> Summary:
    """Build the table of the ships of a side (its id and name); ships that are gone come last."""
    side_id, side_name = side
    ships = sorted(
        (ship for ship in battle.ships.values() if ship.side == side_id), key=lambda ship: ship.is_off_table
    )
    rows = tuple(
        (ship, tuple(system.cell(battle, ship, column) for column in system.columns)) for ship in ships
    )
    return Summary(side_name, tuple(column.title for column in system.columns), rows)


def _build_codes(
    system: RuleSystem, timeline: Timeline, extra: Mapping[str, object]
) -> tuple[tuple[str, ...], str]:
    """Return the texts of the codes that hold the battle, and "" or the reason why there are none."""
    try:
        return split_codes(pack_battle(system, timeline, extra)), ""
    except QfError as fault:
        return (), str(fault)


@frozen
class PrintedCode:
    """A QR code to print.

    Attributes:
        caption: Text below it.
        modules: Width of the code with its border, in modules.
        path: SVG path that draws the dark modules.
    """

    caption: str
    modules: int
    path: str


_QUIET_MODULES = 4
"""Light modules around a code."""
_DARK_RUN = re.compile(b"\x01+")
"""A run of dark modules next to each other in a row of a code."""
_MASK = 3
"""Mask of the codes. Packed bytes look random, so all masks are equally good, and trying all takes time."""


def render_page(sheets: Sheets) -> str:
    """Render sheets as an HTML page, which needs no network."""
    return render("features/sheets/sheets.html", sheets=sheets, codes=list(map(_draw_code, sheets.codes)))


def write_page(path: Path, sheets: Sheets) -> None:
    """Write sheets into a new file.

    Raises:
        QfError: The file exists or cannot be written.
    """
    try:
        write_file(path, render_page(sheets).encode())
    except FileExistsError:
        raise QfError(
            f"{format_file_name(path)}: this file already exists and is never overwritten. "
            "Choose another name."
        ) from None
    except (OSError, ValueError) as fault:
        raise QfError(f"{format_file_name(path)}: cannot be written: {format_disk_fault(fault)}.") from None


def write_next_to_save(
    save: Path,
    system: RuleSystem,
    timeline: Timeline,
    extra: Mapping[str, object],
    witnesses: Sequence[Witness] = (),
) -> Path:
    """Write the umpire's set of a battle next to its save, with the turn in the name, and return the path.

    Raises:
        QfError: The sheets cannot be written.
    """
    with report_meaningless_save(system):
        sheets = build_sheets(system, timeline, SheetChoice(), extra, witnesses)
    path = next(list_free_names(save.with_name(f"{save.stem}-turn-{timeline.battle.turn}.html")))
    write_page(path, sheets)
    return path


def write_briefings(system: RuleSystem, battle: Battle, name: str) -> tuple[Path, ...]:
    """Write briefing and logs of each side that has ships into the folder of saves, and return the paths.

    Args:
        name: First part of the file names.

    Raises:
        QfError: The pages cannot be written.
    """
    ships = (*battle.ships.values(), *battle.expected_ships)
    sides = [side.id for side in battle.sides if any(ship.side == side.id for ship in ships)]
    folder = next(list_new_saves(name)).parent
    paths = []
    for side in sides:
        sheets = build_sheets(system, build_timeline(battle, log=()), SheetChoice(side, briefing=True))
        path = folder / f"{make_portable_name(f'{name}-{side}')}.html"
        paths.append(next(list_free_names(path)))
        write_page(paths[-1], sheets)
    return tuple(paths)


def _draw_code(text: str) -> PrintedCode:
    """Draw a text as a QR code: an SVG path with a horizontal stroke for each run of dark modules."""
    from segno import make_qr

    code = make_qr(text, error="m", mode="alphanumeric", boost_error=False, mask=_MASK)
    strokes = [
        f"M{dark.start() + _QUIET_MODULES} {y}.5h{dark.end() - dark.start()}"
        for y, row in enumerate(code.matrix, _QUIET_MODULES)
        for dark in _DARK_RUN.finditer(row)
    ]
    return PrintedCode(format_caption(text), len(code.matrix) + 2 * _QUIET_MODULES, "".join(strokes))
