"""Simulation: a scenario or a save played many times by its own rules, with doctrines in place of players.

`model`      what all battles from one start share: attacks, repairs, and what attacks cost on average
`reach`      the key of a scenario that says which ships cannot reach which
`lines`      where the lines of ships are, and how they steer
`doctrines`  what a side orders, and what range it seeks
`playout`    one battle played to its end
`tally`      counts of many battles, and the figures computed from them
`jobs`       battles played in shares, in this process, in others or on a cluster
`simulate`   plays until the results are precise enough, also without each ship in turn
`even`       the search for changes that make a battle even
`again`      plays one of many battles again into a log
`document`   the results as a document
`rows`       the results as JSON
`command`    `qf-tui simulate`
`actions`    the keys in the console
`screen`     the simulation of a scenario in the console

No rule is here: every order goes through the same `prepare`, `judge` and `decide` as one that is typed.
"""

import os

from qf_tui.cli.arguments import BATTLE, CREWS, RULES
from qf_tui.hooks import Argument, Command, Feature, ScenarioNote, declare_flag

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from collections.abc import Iterator

    from qf_tui.console.widgets.actions import ConsolePart
    from qf_tui.core.system import RuleSystem
    from qf_tui.core.values import Battle
    from qf_tui.library.declared import ScenarioKeys


def load_console() -> "ConsolePart":
    """Load the simulation's part of the console."""
    from qf_tui.features.simulation.actions import PART

    return PART


def list_scenario_keys() -> "tuple[ScenarioKeys, ...]":
    """Return the keys that the simulation adds to scenarios."""
    from qf_tui.features.simulation.reach import KEYS

    return (KEYS,)


def describe_start(system: "RuleSystem", battle: "Battle") -> "Iterator[ScenarioNote]":
    """Yield a note on who cannot reach whom in simulations, if the scenario states it."""
    from qf_tui.features.simulation.reach import list_reach_notes

    if notes := list_reach_notes(battle):
        yield ScenarioNote("reach", "Out of reach when simulated", notes)


SIMULATE = Command(
    "simulate",
    "qf_tui.features.simulation.command:simulate",
    "plays a battle to its end by its own rules, a thousand times",
    "There are no players: doctrines give the orders and steer the lines of ships. Ctrl-C prints "
    "what is known so far.",
    Argument("battle", "SCENARIO-or-SAVE", f"{BATTLE}, played on from its present state"),
    RULES,
    CREWS,
    Argument("-n", "N", "battles for each pair of doctrines", dest="battles", type=int, default=1000),
    Argument("--within", "PERCENT", "stops once wins and draws are known to within this, like 3%%"),
    Argument("--doctrine", "A,B", "as hold,close: each side by each; left out: as the scenario has it"),
    (
        Argument(
            "--jobs",
            "N",
            "processes; one per processor if left out",
            type=int,
            default=os.cpu_count() or 1,
        ),
        Argument("--dask", "ADDRESS", "on a cluster, like tcp://host:8786"),
    ),
    Argument("--seed", "N", "the same battles for the same seed", default="1"),
    declare_flag("--ships", "the value of each ship: each is left out in turn, which takes long"),
    declare_flag("--even", "what would make it even, a draw half: levers alone and in pairs; is slow"),
    Argument("--save", "FILE", "plays one of the battles again into a new save"),
    Argument("--play", None, "which one: the median if left out", choices=("median", "luckiest")),
    (
        declare_flag("--json", "as one JSON object"),
        Argument("--html", "FILE", "one page, into a new file; needs no network"),
    ),
)
SIMULATION = Feature(
    "simulation",
    commands=(SIMULATE,),
    console=load_console,
    scenario_keys=list_scenario_keys,
    describe_start=describe_start,
)
