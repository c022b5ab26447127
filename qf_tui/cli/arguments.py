"""Arguments that several commands have."""

from qf_tui.hooks import Argument

BATTLE = "a scenario (a name or a file) or a save"
SAVE = Argument("battle", "SAVE")
ANY_BATTLE = Argument("battle", "SCENARIO-or-SAVE", BATTLE)
RULES = Argument("--rules", "RULESET", "starts the scenario under this rule system")
CREWS = Argument(
    "--crews",
    None,
    "whether the crews that a new battle's scenario states count",
    choices=("as-built", "as-stated"),
)
RULESET = Argument("ruleset", "RULESET", "a rule system; all if left out", nargs="?")
