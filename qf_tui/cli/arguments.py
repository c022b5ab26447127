"""Arguments of the command line that several commands share, such as the name of a save."""

from qf_tui.hooks import Argument

BATTLE = "a scenario (a name or a file) or a save"
SAVE = Argument("battle", "SAVE")
ANY_BATTLE = Argument("battle", "SCENARIO-or-SAVE", BATTLE)
NEW_SAVE = Argument("--save", "FILE", "file for a new battle; never overwrites a file")
RULES = Argument("--rules", "RULESET", "starts the scenario under this rule system")
CREWS = Argument(
    "--crews",
    None,
    "whether the crews that the scenario states count in a new battle",
    choices=("as-built", "as-stated"),
)
RULESET = Argument("ruleset", "RULESET", "a rule system; all if left out", nargs="?")


def declare_format(name: str, text: str) -> Argument:
    """Declare a switch for one of the file formats of a report."""
    return Argument(f"--{name}", None, text, dest="kind", action="store_const", const=name)
