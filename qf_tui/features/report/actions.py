"""The keys in the console that open the report of a battle."""

from textual.screen import Screen

from qf_tui.console.widgets.actions import GRID, ConsolePart, Place, act, foot

REPORT, JOB = "report", "report"


def open_report(screen: Screen[object]) -> None:
    """Show the report of the battle on the screen.

    If the report is still being worked out when the user leaves it, a message says when it is ready.
    """
    from qf_tui.console.reading.source import SourceScreen
    from qf_tui.features.report.job import ReportJob
    from qf_tui.features.report.screen import ReportScreen, announce

    assert isinstance(screen, SourceScreen)
    job = screen.jobs.setdefault(JOB, ReportJob(screen.source, screen.save))
    assert isinstance(job, ReportJob)
    screen.app.push_screen(ReportScreen(screen.source, job), lambda _: announce(screen, job))


PART = ConsolePart(
    (Place(REPORT, "in the report", typed_in=True, listed=True, after="lookup"),),
    (
        act("equals_sign", "read('report')", "report", "the ships now, and the story of the battle",
            GRID, palette=True, does=open_report, after="grid.read-charts"),
        foot("enter question_mark", "explain", "why", "the entry of the line: dice, cells, clauses",
            REPORT),
        foot("tab", "part(1)", "next part", "the next part of the report", REPORT),
        act("shift+tab", "part(-1)", "part before", "the part of the report before", REPORT),
        foot("f2", "write('html')", "page", "writes the report as a web page and says where", REPORT),
        foot("f3", "write('markdown')", "forum", "writes the report as Markdown and says where", REPORT),
        foot("f8", "stop", "stop", "stops the report, or starts it again", REPORT),
        act("backspace", "delete_letter", "delete letter", "deletes a letter of the search", REPORT),
        foot("escape", "back", "back", "clears the search, then back to the battle", REPORT),
    ),
)  # fmt: skip
