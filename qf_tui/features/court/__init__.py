"""The rules court: what other rules would have changed in a recorded battle. It uses the report feature.

A variant is one other value of a rules switch, or one other text in a chart cell. A reading plays the
recorded entries again under a variant, with the same dice, and its verdict says what changes.

`court`     variants, readings and verdicts
`branch`    a variant applied to a branch of the save
`document`  verdicts as texts
`rows`      verdicts as JSON
`command`   `qf-tui court`
`actions`   the keys in the console
`job`       the work in the background
`screen`    the variants with their results, filled in while they are worked out
"""

from qf_tui.cli.arguments import SAVE
from qf_tui.hooks import Argument, Command, Feature, declare_flag

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from qf_tui.console.widgets.actions import ConsolePart


def load_console() -> "ConsolePart":
    """Load the court's part of the console."""
    from qf_tui.features.court.actions import PART

    return PART


COMMAND = Command(
    "court",
    "qf_tui.features.court.command:print_court",
    "the same dice under other switches and chart cells",
    "Tries each switch at its other values, and the neighbours of each reconstructed cell that decided "
    "something. The save itself is not touched.",
    SAVE,
    Argument(
        "--option",
        "NAME=VALUE",
        "only this switch, at all its other values if none is given; may be repeated",
        action="append",
    ),
    Argument("--chart", "FILE", "only this chart of yours, in place of ours"),
    declare_flag("--json", "one JSON object per line for each reading"),
    Argument("--branch", "FILE", "saves the one reading asked for as a new battle, from the start"),
)
COURT = Feature("court", commands=(COMMAND,), console=load_console)
