"""Opens the panels over a battle, by their words in the table of actions.

A module of its own, so that a battle is on the screen before these are loaded.
"""

from collections.abc import Callable, Mapping
from functools import partial

from qf_tui.console.reading.announcements import TableChanges
from qf_tui.console.reading.court import CourtScreen
from qf_tui.console.reading.document_view import card_lines, contents
from qf_tui.console.reading.help import FRAME, WIDEST, chart_lines, show_help
from qf_tui.console.reading.jobs import CourtJob, ReportJob
from qf_tui.console.reading.lookup import Lookup
from qf_tui.console.reading.report import LOOKS, ReportScreen
from qf_tui.console.reading.source import SourceScreen, witness_words
from qf_tui.console.widgets.keys import key_for
from qf_tui.console.widgets.panel import Panel
from qf_tui.core.carried import origin_of
from qf_tui.core.system import Column
from qf_tui.core.values import Ship
from qf_tui.document.acts import ShipRemarks
from qf_tui.document.glance import table_now, witness_lines
from qf_tui.document.transcript import why_document

OpenPanel = Callable[[SourceScreen[None], Ship | None, Column | None], None]
"""Shows something to read over a screen; the ship and the column are those under its cursor."""


def _charts(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    lines = chart_lines(screen.source.system, screen.source.battle, min(screen.size.width - FRAME, WIDEST))
    screen.app.push_screen(Lookup(f"Charts of {screen.source.system.title}", lines))


def _report(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    """Shows the report; a message says when one that was left unfinished is ready."""
    report_job = screen.report_job
    if report_job is None:
        report_job = screen.report_job = ReportJob(screen.source, screen.save)
    report = ReportScreen(screen.source, report_job, partial(_court, screen, ship, column))
    screen.app.push_screen(report, lambda _: _announce(screen, report_job))


def _announce(screen: SourceScreen[None], report_job: ReportJob) -> None:
    """Says when a report is ready that was still being worked out as it was left."""
    if not report_job.working:
        return
    before = report_job.finished

    def look() -> None:
        if not report_job.working:
            timer.stop()
            if report_job.finished is not before and screen.is_current:
                screen.say(f"the report is ready: {key_for(screen, 'grid.read-report')} shows it")

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
        source = screen.source
        why = why_document(source.system, source.timeline, ship, column)
        blocks = why.blocks
        if origin_of(source.timeline.start, ship.id) is not None:
            from qf_tui.document.campaign import why_lines

            blocks = (*blocks, *why_lines(source.timeline.start, ship.id, column, screen.save))
        screen.app.push_screen(Panel(why.title, contents(blocks)))


def _announcements(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    """What is to be thrown now, and what hands changed on the table in this turn."""
    battle = screen.source.battle
    changes = table_now(screen.source.system, screen.source.timeline)
    if changes:
        screen.app.push_screen(TableChanges(f"On the table, in turn {battle.turn}", battle, changes))
    else:
        screen.say(f"nothing has changed on the table in turn {battle.turn}")


def _witness(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    source = screen.source
    lines = witness_lines(source.system, source.timeline, witness_words(source))
    screen.app.push_screen(Panel("Witness of the log", contents(lines)))


PANELS: Mapping[str, OpenPanel] = {
    "help": lambda screen, *_: show_help(screen, screen.source),
    "charts": _charts,
    "report": _report,
    "court": _court,
    "sheet": _card,
    "why": _why,
    "announcements": _announcements,
    "witness": _witness,
}
