"""The editor: new battles, set up from fleets and navies, and copies of scenarios to change.

`drafts`   a battle while it is set up, and the fleets and navies to pick ships from
`writers`  drafts as files of scenarios, and back
`table`    the lists of settings and ships on the editor's screen
`screen`   the editor's screen: settings, ships, and the order of battle
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
