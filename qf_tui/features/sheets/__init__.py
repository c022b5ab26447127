"""Sheets: printed logs of a battle or of any ships, briefings, and saves made from the printed codes.

`briefing` the page of a side before the battle
`muster`   ships without a scenario: a fleet, or ships of the navies
`sheets`   the printed page: logs, summaries and charts, as one HTML page
`packing`  a battle packed into numbered texts for QR codes, and read back from them
`command`  `qf-tui sheets` and `qf-tui rescue`
`actions`  the keys in the console

The checksums (seal and witness) printed on the sheets for the players come from the sealed_dice feature, and
victory points from the points feature.
"""

from qf_tui.cli.arguments import BATTLE, CREWS, RULES
from qf_tui.hooks import Argument, Command, Feature, declare_flag

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from qf_tui.console.widgets.actions import ConsolePart


def load_console() -> "ConsolePart":
    """Load the key that the feature adds to the console."""
    from qf_tui.features.sheets.actions import PART

    return PART


COMMAND = Command(
    "sheets",
    "qf_tui.features.sheets.command:write_sheets",
    "log sheets of a battle now, or of any ships, to print from a browser",
    "After the logs: the sides in brief, the order of play, the charts. The umpire's full set also has "
    "the battle so far in codes, from which `rescue` makes a save. A fleet, or --ships, prints only logs.",
    Argument("battle", "SCENARIO-SAVE-or-FLEET", f"{BATTLE}, or a fleet", nargs="?"),
    RULES,
    CREWS,
    Argument("--out", "FILE", "the page; no file is overwritten"),
    (
        Argument("--side", "SIDE", "only this side, for its players"),
        Argument("--briefing", "SIDE", "this side, after a page with its orders, arrivals and victory"),
    ),
    Argument("--division", "DIVISION", "only this division"),
    Argument("--ships", "SHIPS", "instead of a battle: ships of the navies, as mikasa,france/iena"),
    Argument("--year", "YEAR", "with --ships: their facts in that year; the latest if left out", type=int),
    declare_flag("--single", "one ship per page, larger, instead of six"),
    declare_flag("--letter", "on Letter paper instead of A4"),
)
RESCUE = Command(
    "rescue",
    "qf_tui.features.sheets.command:rescue",
    "a save from the codes of the umpire's sheet",
    "In any order, with repeats and other lines in between. Every entry is decided again. Exit status: 0 "
    "as printed, 1 some are decided differently, 2 codes are missing or damaged.",
    Argument("files", "FILE", "scanned codes, one per line or per file; -: standard input", nargs="+"),
    Argument("--save", "FILE", "the new save; never overwrites a file"),
)
SHEETS = Feature("sheets", commands=(COMMAND, RESCUE), console=load_console)
