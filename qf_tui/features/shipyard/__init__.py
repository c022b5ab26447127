"""The shipyard: the historical ships of all navies with their sources, and ships that the user designs.

`command`      the commands for ships, one ship, fleets and ratings
`cards`        fleets as TOML files, and the values of their ships as CSV
`own_ships`    the user's own ships: entered, kept, and as CSV
`facts`        the facts of a ship as text, and the signs that mark her in a list
`methods`      the values that the rules state for ships, next to those that a system's method computes
`springsharp`  a ship from the text of a report by the program Springsharp
`actions`      the keys in the console
`screen`       the list of all ships, and the form for a new one
"""

from qf_tui.cli.arguments import RULESET
from qf_tui.hooks import Argument, Command, Feature, declare_flag

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from qf_tui.console.widgets.actions import ConsolePart


def _list_csv_arguments(exported: str, imported: str) -> tuple[Argument, ...]:
    """List the arguments of a command that exports ships to CSV, or imports them from it.

    Args:
        exported: What `--csv` writes, for the help.
        imported: What `--import` reads, for the help.
    """
    return (
        declare_flag("--csv", f"{exported} as CSV, for a spreadsheet"),
        Argument("--rules", "RULESET", "values under this rule system instead of facts"),
        Argument("--out", "FILE", "with --csv: into a new file"),
        Argument(
            "--import", "FILE", f"reads {imported} from a CSV file; -: standard input", dest="import_file"
        ),
        declare_flag("--replace", "overwrites what is there already"),
    )


def load_console() -> "ConsolePart":
    """Load the part that the feature adds to the console."""
    from qf_tui.features.shipyard.actions import PART

    return PART


COMMANDS = (
    Command(
        "fleets",
        "qf_tui.features.shipyard.command:print_fleets",
        "the available fleets, your own first; fleets from and into spreadsheets",
        "The columns of an imported file are the keys of a fleet's ships, like id and name, dotted for "
        "parts. A file with errors saves nothing; all errors are listed.",
        Argument("name", "FLEET", "for --csv; with --import its new name", nargs="?"),
        *_list_csv_arguments("the ships of the fleet", "a fleet"),
        Argument("--title", "TEXT", "with --import: the title of the fleet"),
    ),
    Command(
        "ships",
        "qf_tui.features.shipyard.command:print_ships",
        "ships of all navies with their facts and sources",
        "A single match is shown in full. --import adds the ships of a file to your own; a file with errors "
        "saves nothing, and all errors are listed. Exit status: 0 found or saved, 1 none found.",
        Argument(
            "words",
            "WORD",
            "the beginning of a name, navy, class or kind; a year or a day, such as 1904-05-20",
            nargs="*",
        ),
        declare_flag("--json", "as a JSON list"),
        *_list_csv_arguments("the ships found", "the ships"),
        Argument("--navy", "NAVY", "the navy of the ships in the file, if it names none"),
    ),
    Command(
        "ship",
        "qf_tui.features.shipyard.command:print_ship",
        "a ship of your own: her facts, and her values in each rule system",
        "Nothing is saved without --save. Exit status: 0 done, 1 facts are missing or wrong.",
        Argument("ship", "NAVY/NAME", "a known ship, or a new one", nargs="?"),
        Argument(
            "facts",
            "FACT=TEXT",
            "like heavy=4x12/40 kind=battleship; RULESET:VALUE=20 sets a value by hand",
            nargs="*",
        ),
        Argument("--like", "NAME", "copies this ship; NAVY/NAME for one of another navy"),
        Argument(
            "--springsharp",
            "FILE",
            "from the text of a Springsharp report, version 2 or 3; -: standard input",
        ),
        Argument("--year", "YEAR", "her facts in that year; the latest if left out", type=int),
        Argument("--rules", "RULESET", "values under this rule system; under all if left out"),
        declare_flag("--save", "saves her among your own ships"),
        declare_flag("--delete", "deletes her from your own ships"),
        declare_flag("--json", "as one JSON object"),
    ),
    Command(
        "ratings",
        "qf_tui.features.shipyard.command:print_ratings",
        "how the methods rate attested ships, and which values are odd",
        "",
        RULESET,
        declare_flag("--json", "as one JSON object"),
    ),
)
SHIPYARD = Feature("shipyard", commands=COMMANDS, console=load_console)
