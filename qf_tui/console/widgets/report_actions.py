"""The rows of the table of actions for the report."""

from qf_tui.console.widgets.action import act as _act
from qf_tui.console.widgets.places import REPORT

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
