"""The report of a battle: story, losses, luck of each side. It uses the board feature and the points feature.

`values`    what the analysis of a battle finds: throws, luck, the turning point, the story; exact chances
`pricing`   the worth of each side, with the average effect of dice still to be thrown
`throws`    each throw of dice: who threw, the chart cells that decided it, its chances, its luck
`story`     works out a whole battle: its phases, its turning point, events, losses and counts
`luck`      throws and luck in words: how likely each throw was, what it did, each side's total
`document`  the report: the story, losses, ships, the basis of the figures
`curve`     drawings of the report: the curve of advantage and luck, and a side's results
`text`      the report as plain text and as Markdown, and its tables as CSV
`page`      the report as a web page
`rows`      the figures of the report as JSON
`work`      works the report out, here or in other processes, and writes its files
`command`   `qf-tui report`
`actions`   the keys in the console
`job`       works the report out in a thread of the console
`screen`    the battle as it is now, and its report
"""

from qf_tui.cli.arguments import SAVE, declare_format
from qf_tui.hooks import HIDDEN, Argument, Command, Feature, declare_flag

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from qf_tui.console.widgets.actions import ConsolePart


def load_console() -> "ConsolePart":
    """Load the keys and places that the feature adds to the console."""
    from qf_tui.features.report.actions import PART

    return PART


COMMAND = Command(
    "report",
    "qf_tui.features.report.command:report",
    "the story of a battle, its losses, and how lucky each side was",
    "Plain text unless a switch sets another format. The save itself does not change.",
    SAVE,
    (
        declare_format("html", "one page, for a browser or paper; needs no network"),
        declare_format("md", "Markdown, for a forum"),
        declare_format("csv", "only the throws, one per row, for a spreadsheet"),
        declare_format("json", "one JSON object, for scripts"),
    ),
    Argument("--out", "FILE", "into a new file; without a switch its suffix decides the kind"),
    declare_flag("--replace", "overwrites a file that is there"),
    declare_flag("--over", "the battle has ended by agreement: with the secret victory points"),
    Argument("--worth", "FILE", "weights for what ships are worth; your own worth.toml if left out"),
    Argument("--under-board", None, HIDDEN, nargs=2),
)
REPORT = Feature("report", commands=(COMMAND,), console=load_console)
