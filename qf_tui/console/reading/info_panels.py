"""What may be read over a battle, by the word that the table of actions has for it.

Kept apart, so that a battle is on the screen before these are loaded.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from textual.content import Content

from qf_tui.console.reading.announcements import TableChanges
from qf_tui.console.reading.court import CourtScreen
from qf_tui.console.reading.document_view import contents
from qf_tui.console.reading.help import GAP, Lookup, LookupLine, Rank, heading, show_help
from qf_tui.console.reading.jobs import CourtJob, ReportJob
from qf_tui.console.reading.report import LOOKS, ReportScreen
from qf_tui.console.reading.ship_card import card_lines
from qf_tui.console.reading.source import SourceScreen
from qf_tui.console.widgets.keys import key_for
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.text import cut, fit, literal, width_of, wrapped
from qf_tui.core.charts import Chart, ChartCell, Provenance
from qf_tui.core.declarations import find_scale
from qf_tui.core.system import Column, RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.document.acts import OWN, RECONSTRUCTED, SIGNS, ShipRemarks
from qf_tui.document.glance import before_changes
from qf_tui.document.transcript import why_document
from qf_tui.session.session import to_throw_text

STYLES = {Provenance.ATTESTED: "", Provenance.RECONSTRUCTED: "$text-warning", Provenance.OWN: "$text-success"}
INDENT = "  "


def chart_lines(system: RuleSystem, battle: Battle, width: int) -> list[LookupLine]:
    """The scale, and all charts of a battle as they are now, overlays included, in at most `width` cells."""
    ours = f"{RECONSTRUCTED} reconstructed by us"
    signs = f"{ours}   {OWN} your own   rest: published"
    lines = [*(LookupLine(literal(line, "$quiet")) for line in wrapped(signs, width)), GAP]
    lines += _scale(system, battle, width)
    for chart in battle.charts.values():
        lines.append(heading(cut(f"{chart.title}  [{chart.name}]", width)))
        lines.extend(_table(chart, width))
        notes = wrapped(chart.note, width - len(INDENT))
        lines.extend(LookupLine(literal(f"{INDENT}{line}", "$quiet")) for line in notes)
        lines.append(GAP)
    return lines


def _scale(system: RuleSystem, battle: Battle, width: int) -> list[LookupLine]:
    """The line of the battle's scale as it is printed; nothing where the rules print none."""
    scale = find_scale(system.scales, battle.table)
    if scale is None or not scale.figures:
        return []
    figures = "   ".join(f"{name} {figure}" for name, figure in scale.figures.items())
    lines = (LookupLine(literal(f"{INDENT}{line}")) for line in wrapped(figures, width - len(INDENT)))
    return [heading(cut(f"Scale {scale.name}, {scale.unit}", width)), *lines, GAP]


def _table(chart: Chart, width: int) -> Iterator[LookupLine]:
    columns = list(dict.fromkeys(column for row in chart.rows.values() for column in row.cells))
    names = max((width_of(row) for row in chart.rows), default=0)
    wide = {column: _needs(chart, column) for column in columns}
    for block in _side_by_side(columns, wide, width - names - len(INDENT) - 1):
        heads = "".join(f" {fit(column, wide[column], True)} " for column in block)
        yield LookupLine(literal(f"{INDENT}{fit('', names)} {heads}", "$quiet"), Rank.BELOW)
        for row in chart.rows.values():
            cells = [_cell(row.cells.get(column), wide[column]) for column in block]
            if any(cell.plain.strip() for cell in cells):
                yield LookupLine(Content.assemble(literal(f"{INDENT}{fit(row.name, names)} "), *cells))


def _needs(chart: Chart, column: str) -> int:
    texts = [row.cells[column].text for row in chart.rows.values() if column in row.cells]
    return max(width_of(text) for text in (column, *texts))


def _side_by_side(columns: Sequence[str], wide: dict[str, int], width: int) -> Iterator[list[str]]:
    """The columns in as many tables below each other as the width needs."""
    block: list[str] = []
    used = 0
    for column in columns:
        if block and used + wide[column] + 2 > width:
            yield block
            block, used = [], 0
        block.append(column)
        used += wide[column] + 2
    if block:
        yield block


def _cell(cell: ChartCell | None, width: int) -> Content:
    if cell is None:
        return literal(" " * (width + 2))
    return literal(f" {fit(cell.text, width, True)}{SIGNS[cell.status] or ' '}", STYLES[cell.status])


WIDEST = 104
"""Cells of a panel's inside at most."""

OpenPanel = Callable[[SourceScreen[None], Ship | None, Column | None], None]
"""Shows something to read over a screen; the ship and the column are those under its cursor."""


def _help(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    show_help(screen, screen.source)


def _charts(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    lines = chart_lines(screen.source.system, screen.source.battle, min(screen.size.width - 6, WIDEST))
    screen.app.push_screen(Lookup(f"Charts of {screen.source.system.title}", lines))


def _report(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    """Shows the report; one that is worked out after it was left is told of."""
    report_job = screen.report_job
    if report_job is None:
        report_job = screen.report_job = ReportJob(screen.source, screen.save)
    report = ReportScreen(screen.source, report_job, partial(_court, screen, ship, column))
    screen.app.push_screen(report, lambda _: _announce(screen, report_job))


def _announce(screen: SourceScreen[None], report_job: ReportJob) -> None:
    """Says on a screen that the report is there, if it is still being worked out as it is left."""
    if not report_job.working:
        return
    before = report_job.finished

    def look() -> None:
        if not report_job.working:
            timer.stop()
            if report_job.finished is not before and screen.is_current:
                screen.say(f"the report is worked out: {key_for(screen, 'grid.read-report')} shows it")

    timer = screen.set_interval(LOOKS, look)


def _court(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    if screen.court_job is None:
        source = screen.source
        screen.court_job = CourtJob(source.system, lambda: source.timeline, screen.save)
    screen.app.push_screen(CourtScreen(screen.court_job, enters=screen.enters))


def _card(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    if ship is not None:
        source = screen.source
        lines = card_lines(source.system, source.battle, ship, ShipRemarks().on(source.timeline, ship))
        screen.app.push_screen(Panel(f"Card and log: {ship.name}", lines[1:]))


def _why(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    if ship is not None:
        why = why_document(screen.source.system, screen.source.timeline, ship, column)
        screen.app.push_screen(Panel(why.title, contents(why.blocks)))


def _aloud(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    """What is to be thrown now, and what hands changed on the table in this turn."""
    battle, system = screen.source.battle, screen.source.system
    changes = [
        (battle.ships[one.ship].side, f"to throw: {to_throw_text(system, battle, one)}")
        for one in battle.owed
        if one.dice and one.ship in battle.ships
    ]
    changes += system.on_table(before_changes(screen.source.timeline), battle)
    if changes:
        screen.app.push_screen(TableChanges(f"On the table, in turn {battle.turn}", battle, changes))
    else:
        screen.say(f"nothing has changed on the table in turn {battle.turn}")


PANELS: Mapping[str, OpenPanel] = {
    "help": _help,
    "charts": _charts,
    "report": _report,
    "court": _court,
    "sheet": _card,
    "why": _why,
    "aloud": _aloud,
}
