"""The state of all ships as a spreadsheet: written for people to change, and entered again as one act.

`table`      the state as CSV, with a row for each ship and a column for each field of her log
`importing`  the changes that a file makes, checked on a copy of the battle
`command`    `qf-tui state`
`actions`    the key in the console, which asks for a file and shows what it changes
"""

from qf_tui.cli.arguments import ANY_BATTLE, CREWS, RULES
from qf_tui.hooks import Argument, Command, Feature, declare_flag

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from qf_tui.console.widgets.actions import ConsolePart


def load_console() -> "ConsolePart":
    """Load the key that the feature adds to the console."""
    from qf_tui.features.state.actions import PART

    return PART


COMMAND = Command(
    "state",
    "qf_tui.features.state.command:run_state",
    "all ships as they stand, into and from a spreadsheet",
    "An import shows what it changes, then enters all of it as one act; on a terminal it asks first. A file "
    "with errors enters nothing; all errors are listed. A scenario gives a new save. Exit status: 0 done, "
    "1 you said no.",
    ANY_BATTLE,
    RULES,
    CREWS,
    (
        Argument("--csv", "FILE", "writes the state into a new file; -: standard output"),
        Argument("--import", "FILE", "enters the state of a CSV file", dest="import_file"),
    ),
    Argument("--save", "FILE", "with --import: into this new save; never overwrites a file"),
    declare_flag("--yes", "with --import: enters without asking"),
    declare_flag("--replace", "with --csv: overwrites a file that is there"),
)
STATE = Feature("state", commands=(COMMAND,), console=load_console)
