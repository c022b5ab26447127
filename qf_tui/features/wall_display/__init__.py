"""The wall display: the battle in large letters, for people across the room.

`letters`  large letters of our own, drawn with block characters
`screen`   who must act, what happened last, what to throw and to change
`aloud`    what people must change on the table, in large letters, one line after the other
`actions`  the keys in the console
"""

from qf_tui.hooks import Argument, Command, Feature, Instead

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from argparse import Namespace

    from qf_tui.console.widgets.actions import ConsolePart


def load_console() -> "ConsolePart":
    """Load the keys and places that the feature adds to the console."""
    from qf_tui.features.wall_display.actions import PART

    return PART


def watch_large(arguments: "Namespace") -> int:
    """Follow a save on the wall display."""
    from qf_tui.cli.opening import watch
    from qf_tui.features.wall_display.actions import open_wall

    return watch(arguments, open_wall)


LARGE = Argument(
    "--large",
    None,
    "starts with the page in large letters, for a television",
    action=Instead,
    const=Command("watch", "qf_tui.features.wall_display:watch_large", "", ""),
    nargs=0,
)
WALL_DISPLAY = Feature("wall display", options=(("watch", LARGE),), console=load_console)
