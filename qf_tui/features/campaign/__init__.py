"""Campaign: battles that lead to battles, and the careers of ships and players.

`state`             the damage that lasts from battle to battle, and battles that no longer fit those before
`scenario`          the keys of a scenario for earlier battles and for ships that come from them
`yards`             what a yard mends between battles in so many days
`carrying`          the scenario of the battle that follows ended ones
`folder`            a folder of saves as a campaign, and the battle that follows some of them
`careers`           what ships, players and sides did in several battles
`document`          as documents: the outcome of battles, a whole campaign, and why a ship began as she did
`careers_document`  careers as documents
`command`           `qf-tui carry`, `qf-tui campaign` and `qf-tui careers`
`actions`           the keys in the console
`screen`            all saves as one campaign, and the careers in them

Careers take damage and luck from the report feature; the editor feature writes the scenario.
"""

from qf_tui.cli.arguments import declare_format
from qf_tui.hooks import Argument, Command, Feature, FileFormat, declare_flag

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from qf_tui.console.widgets.actions import ConsolePart
    from qf_tui.core.system import Column, RuleSystem
    from qf_tui.core.values import Battle
    from qf_tui.document.values import Line
    from qf_tui.hooks import ScenarioNote
    from qf_tui.library.declared import ScenarioKeys
    from qf_tui.library.faults import Checker, Data


def load_console() -> "ConsolePart":
    """Load the campaign's keys in the console."""
    from qf_tui.features.campaign.actions import PART

    return PART


def list_scenario_keys() -> "tuple[ScenarioKeys, ...]":
    """Return the keys that the campaign adds to scenarios."""
    from qf_tui.features.campaign.scenario import KEYS

    return (KEYS,)


def check_yards(data: "Data", system: "RuleSystem", checker: "Checker") -> None:
    """Check a table of yards; the checker collects its faults."""
    from qf_tui.features.campaign.yards import read_yards

    read_yards(data, system, checker)


def explain_state(
    start: "Battle", ship: str, column: "Column | None", save: "Path | None"
) -> "Iterator[Line]":
    """Explain how a ship began a battle, if she comes from an earlier one.

    Args:
        ship: Id of the ship.
        column: The column of values to explain, or None for all.
        save: The save of the battle, or None.
    """
    from qf_tui.features.campaign.state import find_origin

    if find_origin(start, ship) is not None:
        from qf_tui.features.campaign.document import explain_start

        yield from explain_start(start, ship, column, save)


def describe_start(system: "RuleSystem", battle: "Battle") -> "Iterator[ScenarioNote]":
    """Yield a note on the ships that come damaged, if the battle continues others."""
    from qf_tui.features.campaign.state import list_parents

    if list_parents(battle):
        from qf_tui.features.campaign.document import note_damage

        yield note_damage(system, battle)


def list_arguments(*kinds: Argument) -> "tuple[Argument | tuple[Argument, ...], ...]":
    """List the arguments of a command that reads a folder of saves, with the kinds of files to write."""
    return (
        Argument("folder", "FOLDER", "a folder of saves; your own if left out", nargs="?"),
        (
            declare_format("html", "one page, for a browser or paper; needs no network"),
            declare_format("json", "one JSON object, for scripts"),
            *kinds,
        ),
        Argument("--out", "FILE", "into a new file; without a switch its suffix decides the kind"),
        declare_flag("--replace", "overwrites a file that is there"),
    )


COMMANDS = (
    Command(
        "carry",
        "qf_tui.features.campaign.command:carry",
        "the next battle, with the ships that survived others",
        "Losses are out, damage stays, stores are not refilled; a yard mends what it can in so many days. "
        "The outcome is a scenario of yours.",
        Argument("battles", "SAVE", nargs="+"),
        Argument("--days", "N", "days until the next battle", type=int, required=True),
        Argument(
            "--at",
            "YARD",
            "where: at-sea, harbour (if left out) or dockyard; or a yard of your own file",
            default="harbour",
        ),
        Argument("--yard", "FILE", "your own table of what yards mend"),
    ),
    Command(
        "campaign",
        "qf_tui.features.campaign.command:print_campaign",
        "a folder of saves as one campaign: calendar, squadrons, what no longer fits",
        "The saves are only read.",
        *list_arguments(),
    ),
    Command(
        "careers",
        "qf_tui.features.campaign.command:print_careers",
        "what every ship, player and side did in the battles of a folder, compared with the odds",
        "Saves of all versions count. They are only read.",
        *list_arguments(declare_format("csv", "every ship in every battle, one per row, for a spreadsheet")),
    ),
)
CAMPAIGN = Feature(
    "campaign",
    commands=COMMANDS,
    console=load_console,
    scenario_keys=list_scenario_keys,
    files=(FileFormat("yard", "table of yards", check_yards),),
    explain=explain_state,
    describe_start=describe_start,
)
