"""The rows of the table of actions for the rules court."""

from qf_tui.console.widgets.action import act as _act
from qf_tui.console.widgets.places import COURT, GRID

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
