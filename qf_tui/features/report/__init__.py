"""The report of a battle: its story, its losses, and how lucky each side was. It uses the board feature.

`values`    what it finds: throws, luck, the turning point, the story; exact chances of whole numbers
`pricing`   what each side is worth, owed rolls priced in
`throws`    each throw: whose it is, the cells that decided it, its distribution, its luck
`story`     a whole battle: its phases, its turning point, what happened to whom, losses and counts
`luck`      throws and luck in words: how likely, what they did, each side's total
`document`  the report: the story, losses, ships, what it rests on
`page`      the report as a page
`rows`      its figures as JSON
`work`      the work behind it, here or in other processes, and the files it writes
`command`   `qf-tui report`
`actions`   its keys in the console
`job`       the work beside the keys
`screen`    the battle as it stands, and its report
"""

from qf_tui.cli.arguments import SAVE, kind
from qf_tui.hooks import HIDDEN, Argument, Command, Feature, flag

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from qf_tui.console.widgets.actions import ConsolePart


def load_console() -> "ConsolePart":
    """Load what it adds to the console."""
    from qf_tui.features.report.actions import PART

    return PART


COMMAND = Command(
    "report",
    "qf_tui.features.report.command:report",
    "the story of a battle, its losses, and how lucky each side was",
    "Plain text unless a switch says otherwise. The save itself is not touched.",
    SAVE,
    (
        kind("html", "one page, for a browser or paper; needs no network"),
        kind("md", "Markdown, for a forum"),
        kind("csv", "only the throws, one per row, for a spreadsheet"),
        kind("json", "one JSON object, for scripts"),
    ),
    Argument("--out", "FILE", "into a new file; without a switch its suffix decides the kind"),
    flag("--replace", "overwrites a file that is there"),
    Argument("--worth", "FILE", "weights for what ships are worth; your own worth.toml if left out"),
    Argument("--under-board", None, HIDDEN, nargs=2),
)
REPORT = Feature("report", commands=(COMMAND,), console=load_console)
