"""The editor: battles of your own, set up from fleets and navies, and copies of scenarios to change.

`drafts`   a battle being set up, and the ships to pick from
`writers`  drafts as files of scenarios, and back
`table`    the settings of a battle being set up, and the list of ships
`screen`   the set-up: settings, ships, and the order of battle
`actions`  the keys in the console
`start`    the editor's part of the first screen
"""

from qf_tui.hooks import Feature

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from qf_tui.console.setup.start import StartScreen
    from qf_tui.console.widgets.actions import ConsolePart
    from qf_tui.hooks import StartPart


def load_console() -> "ConsolePart":
    """Load the editor's keys in the console."""
    from qf_tui.features.editor.actions import PART

    return PART


def make_start_part(screen: "StartScreen") -> "StartPart":
    """Make the editor's part of the first screen."""
    from qf_tui.features.editor.start import SetupStart

    return SetupStart(screen)


EDITOR = Feature("editor", console=load_console, start=make_start_part)
