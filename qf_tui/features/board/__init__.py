"""The board: what players see of a battle on their phones, and the tray, which takes what they propose.

What a viewer may know:

`values`    the umpire's switch, and how much of the log is known under it
`page`      the words and figures that pages are made of: a viewer's page, one ship
`view`      what a viewer may know, worded as a page
`seats`     what a player's link tells beside the page of his side: what he owes, may do, and proposed

The server, a process of its own. It only reads the save; what players propose goes into a file beside it:

`links`     a secret for each viewer and player, and the switch, in a file beside the save; its addresses
`inbox`     what a phone sends, read strictly, and kept in the tray
`hub`       the save followed for all viewers, and their streams
`serving`   what is answered to whom, within which limits, and the server
`process`   that process, started and stopped by the console
`command`   `qf-tui board`

The umpire's end:

`actions`      their keys in the console
`part`         the line of the tray on the screen of a battle, and what board and tray do behind it
`tray_files`   what players propose and are answered, in two files beside the save
`tray`         what players propose: what would come of it now, and what enters
`document`     who waits and who has declared, what would come of a proposal, in words
`screen`       the board in the console: on and off, what it shows, its links, who may propose
`tray_screen`  the tray in the console

The seal, its code and the witness on pages are those of the sealed_dice feature.
"""

from qf_tui.cli.arguments import SAVE
from qf_tui.hooks import HIDDEN, Argument, Command, Extra, Feature, check_text, flag

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from qf_tui.console.battle.view import BattleView
    from qf_tui.console.widgets.actions import ConsolePart
    from qf_tui.hooks import BattlePart


def load_console() -> "ConsolePart":
    """Load what it adds to the console."""
    from qf_tui.features.board.actions import PART

    return PART


def attend_battle(view: "BattleView") -> "BattlePart":
    """Return its part of the screen of a battle."""
    from qf_tui.features.board import part

    return part.attend(view)


COMMAND = Command(
    "board",
    "qf_tui.features.board.command:board",
    "shows a battle live on the players' phones: pages for a browser, one link for each side",
    "The save is only read; the links, the switch and what players propose are kept beside it.\n"
    "Anyone who has a link can read its pages, and so can anyone else on the network: what goes over "
    "a club's Wi-Fi is not encrypted.",
    SAVE,
    flag("--lan", "on this computer's network address, which is printed"),
    Argument("--host", "ADDRESS", "on another of its addresses (127.0.0.1: this computer only)"),
    Argument("--port", "N", "the same as before if left out", type=int),
    Argument(
        "--switch",
        None,
        "what the links show: all at once, the own side, or each phase once it ends",
        choices=("at-once", "own-side", "phase-end"),
    ),
    flag("--new-links", "makes new links; the old ones stop working"),
    flag("--propose", "players may propose from links of their own, which are printed"),
    flag("--under-console", HIDDEN),
)
PROPOSAL = "proposal"
"""The extra of an act that a player proposed: the id of what he sent; whoever sees the act may know it."""
BOARD = Feature(
    "board",
    commands=(COMMAND,),
    console=load_console,
    attend=attend_battle,
    extras=(Extra(PROPOSAL, check_text, show=lambda value, _: value),),
)
