"""The board shows players a battle on their phones; the tray collects the orders that they propose.

Knowledge of a viewer:

`values`    the umpire's switch (what players' pages show), and the part of the log that is known under it
`page`      the values that pages are made of: a viewer's page, the page of a ship
`view`      the page of what a viewer knows, in words
`seats`     the player's part of his page: what he owes, may do, and has proposed

The server, a process of its own. It only reads the save; proposals go to a file next to the save:

`addresses` the addresses of this computer's network cards, and the socket that listens
`links`     the secret links of viewers and players, and the switch, in a file next to the save
`inbox`     messages from phones, checked strictly and kept in the tray
`hub`       a follower of the save for all viewers, and their event streams
`serving`   the web server: its answers and limits
`process`   the server process, started and stopped by the console
`command`   `qf-tui board`

The umpire's side:

`actions`      the keys of board and tray in the console
`part`         the line of the tray on the battle screen, and what board and tray do during a battle
`tray_files`   proposals and replies, in two files next to the save
`tray`         the result that each proposal would have now; it enters proposals
`document`     the tray in words: who waits, who has declared, what a proposal would do
`screen`       the board in the console: on and off, what it shows, its links, who may propose
`tray_screen`  the tray in the console

The seal, the QR code and the witness on pages come from the sealed_dice feature, victory points from
the points feature.
"""

from qf_tui.cli.arguments import SAVE
from qf_tui.hooks import HIDDEN, Argument, Command, Extra, Feature, check_text, declare_flag

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from qf_tui.console.battle.view import BattleView
    from qf_tui.console.widgets.actions import ConsolePart
    from qf_tui.hooks import BattlePart


def load_console() -> "ConsolePart":
    """Load the keys and places that the feature adds to the console."""
    from qf_tui.features.board.actions import PART

    return PART


def attend_battle(view: "BattleView") -> "BattlePart":
    """Build the feature's part of a battle screen."""
    from qf_tui.features.board import part

    return part.build_part(view)


COMMAND = Command(
    "board",
    "qf_tui.features.board.command:serve_board",
    "shows a battle live on the players' phones: pages for a browser, one link for each side",
    "The save is only read; links, switch and proposals are kept next to it.\n"
    "Anyone who has a link can read its pages, and so can anyone else on the network: what goes over "
    "a club's Wi-Fi is not encrypted.",
    SAVE,
    declare_flag("--lan", "on all network addresses of this computer, which are printed"),
    Argument("--host", "ADDRESS", "on one of its addresses alone (127.0.0.1: this computer only)"),
    Argument("--port", "N", "the same as before if left out", type=int),
    Argument(
        "--switch",
        None,
        "what the links show: all at once, the own side, or each phase when it ends",
        choices=("at-once", "own-side", "phase-end"),
    ),
    declare_flag("--new-links", "makes new links; the old ones stop working"),
    declare_flag("--propose", "players may propose from links of their own, which are printed"),
    declare_flag("--under-console", HIDDEN),
)
PROPOSAL = "proposal"
"""Key of the extra that holds the id of the proposal that an act came from.

Everyone who sees the act may see it.
"""
BOARD = Feature(
    "board",
    commands=(COMMAND,),
    console=load_console,
    attend=attend_battle,
    extras=(Extra(PROPOSAL, check_text, show=lambda value, _: value),),
)
