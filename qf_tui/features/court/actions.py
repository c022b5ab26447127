"""The keys in the console that open the rules court, which plays a battle again under other rules."""

from textual.screen import Screen

from qf_tui.console.widgets.actions import GRID, ConsolePart, Place, act, foot
from qf_tui.features.report.actions import REPORT

COURT, JOB = "court", "court"


def open_court(screen: Screen[object]) -> None:
    """Show the rules court of the battle that the present screen, or a screen below it, shows."""
    from qf_tui.console.reading.source import SourceScreen
    from qf_tui.features.court.job import CourtJob
    from qf_tui.features.court.screen import CourtScreen

    stack = reversed(screen.app.screen_stack)
    source_screen = next(other for other in stack if isinstance(other, SourceScreen))
    source = source_screen.source
    # The job of an earlier visit goes on.
    job = source_screen.jobs.setdefault(
        JOB, CourtJob(source.system, lambda: source.timeline, source_screen.save)
    )
    assert isinstance(job, CourtJob)
    screen.app.push_screen(CourtScreen(job, enters=source_screen.enters))


PART = ConsolePart(
    (Place(COURT, "in the rules court", listed=True, after=REPORT),),
    (
        foot("f6", "court", "court", "the same dice under other switches and chart cells", REPORT,
            does=open_court, after="report.write-markdown"),
        act("C", "read('court')", "rules court", "the same dice under other switches and chart cells", GRID,
            palette=True, does=open_court),
        foot("enter", "choose", "what changes", "all that the variant changes: entries, ships, dice owed",
            COURT),
        foot("b f2", "branch", "branch", "a new save next to this one, with the variant from the start",
            COURT, enters=True),
        foot("tab", "list.section(1)", "next part", "the switches, or the cells", COURT),
        foot("s f8", "stop", "stop", "stops the work, or resumes it", COURT),
        foot("escape q", "back", "back", "back to the battle; the work goes on", COURT),
    ),
)  # fmt: skip
