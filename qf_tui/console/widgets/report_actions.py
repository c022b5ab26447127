"""The rows of the table of actions for the report, the court and battles by the thousand."""

from qf_tui.console.widgets.action import act as _act
from qf_tui.console.widgets.places import COURT, GRID, REPORT, SCENARIO, SIMULATION

REPORT_ACTIONS = (
    _act("enter question_mark", "explain", "why", "the entry that the line tells of: dice, cells, clauses",
        REPORT, footer=True),
    _act("tab", "part(1)", "next part", "the next part of the report", REPORT, footer=True),
    _act("shift+tab", "part(-1)", "part before", "the part of the report before", REPORT),
    _act("f2", "write('html')", "page", "writes the report as a page for a browser, and says where",
        REPORT, footer=True),
    _act("f3", "write('markdown')", "forum", "writes the report as Markdown, and says where", REPORT,
        footer=True),
    _act("f6", "court", "court", "the same dice under other switches and chart cells", REPORT,
        footer=True),
    _act("f8", "stop", "stop", "stops working the battle out, or begins again", REPORT, footer=True),
    _act("backspace", "delete_letter", "delete letter", "deletes a letter of the search", REPORT),
    _act("escape", "back", "back", "gives the search up, then back to the battle", REPORT, footer=True),
)  # fmt: skip


SIMULATION_ACTIONS = (
    _act("s f5", "simulate", "play it out", "a thousand battles: who wins, when, and at what cost", SCENARIO,
        footer=True),
    _act("f8", "stop", "stop", "stops the battles; what is known stays", SIMULATION, footer=True),
    _act("escape q", "back", "back", "stops the battles, and goes back", SIMULATION, footer=True),
)  # fmt: skip


COURT_ACTIONS = (
    _act("C", "read('court')", "rules court", "the same dice under other switches and chart cells", GRID,
        palette=True),
    _act("enter", "choose", "what changes", "all that the reading changes: entries, ships, dice owed", COURT,
        footer=True),
    _act("b f2", "branch", "branch", "a new save beside this one that has it so from the start", COURT,
        footer=True, enters=True),
    _act("tab", "list.section(1)", "next part", "the switches, or the cells", COURT, footer=True),
    _act("s f8", "stop", "stop", "stops the work, or goes on with it", COURT, footer=True),
    _act("escape q", "back", "back", "back to the battle; the work goes on", COURT, footer=True),
)  # fmt: skip
