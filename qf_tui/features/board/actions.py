"""The keys in the console that open the board (players' pages) and the tray (players' proposed orders).

The screens themselves are in `screen` and `tray_screen`.
"""

from textual.screen import Screen

from qf_tui.console.widgets.actions import LOOKUP, ConsolePart, Place, act, chain_actions, foot

BOARD, SEATS, TRAY = "board", "seats", "tray"


def open_board(screen: Screen[object]) -> None:
    """Show the screen of the board."""
    from qf_tui.console.battle.view import BattleView
    from qf_tui.features.board.part import find_part

    assert isinstance(screen, BattleView)
    find_part(screen).open_board()


def open_tray(screen: Screen[object]) -> None:
    """Show the screen with proposals and declarations."""
    from qf_tui.console.battle.view import BattleView
    from qf_tui.features.board.part import find_part

    assert isinstance(screen, BattleView)
    find_part(screen).open_tray()


PART = ConsolePart(
    (
        Place(BOARD, "on the board of the players", after=LOOKUP),
        Place(SEATS, "among the players who may propose", listed=True, after=BOARD),
        Place(TRAY, "in the tray", listed=True, after=SEATS),
    ),
    chain_actions(
        "lookup.delete-letter",
        act("T", "tray", "tray", "what players propose and declare: let it in, or send it back", palette=True,
            enters=True, does=open_tray),
        foot("enter", "let_in", "let in", "enters the proposal as shown; on a player: declares for him",
            TRAY),
        foot("A a", "let_in_all", "all as shown",
            "enters all whose results are as their players saw them; the others stay", TRAY),
        foot("x", "send_back", "send back", "sends the proposal back with a reason", TRAY),
        foot("X", "send_back_at_once", "back at once",
            "sends the proposal back at once, with the reason shown", TRAY),
        foot("n f6", "next", "next phase", "ends the phase, and stays in the tray", TRAY),
        foot("f2", "force", "overrule", "enters it although a rule refuses it", TRAY),
        foot("d", "declarations", "declarations", "opens declarations for the phase, or closes them", TRAY),
        foot("t", "declare", "declare for", "types a declaration for the player under the cursor", TRAY),
        foot("v", "reveal", "look", "shows what a player has declared; the save records it", TRAY),
        act("question_mark", "why", "why", "the clauses that refuse it", TRAY),
        foot("escape q", "back", "back", "back to the logs; proposals go on waiting", TRAY),
        act("B", "board", "board", "the players' phones follow the battle: on and off, the links to it",
            palette=True, enters=True, does=open_board),
        act("enter", "accept", "on or off", "starts the board, or stops it", BOARD),
        act("l", "reach", "reach", "this computer only, or all its networks", BOARD),
        act("a", "address", "next address", "the link at the next address of this computer", BOARD),
        act("s", "turn", "shows", "all at once, each side its own ships, or each phase when it ends", BOARD),
        act("right tab", "link(1)", "next link", "the link of the next side, with its code", BOARD),
        act("left shift+tab", "link(-1)", "link before", "the link of the side before", BOARD),
        act("p", "players", "players", "links that may propose: on and off, devices, ships", BOARD),
        act("n", "renew", "new links", "new links; the old ones stop working", BOARD),
        act("escape q", "close", "back", "back to the logs; a board that is on stays on", BOARD),
        foot("enter", "let_device_in", "let in", "lets in the phone that shows this code", SEATS),
        foot("p", "propose", "propose", "links that may propose: on or off", SEATS),
        foot("r", "rolls", "rolls", "owed rolls, as their players saw them, enter by themselves or not",
            SEATS),
        foot("h", "hand", "hand a ship", "hands a ship to the player", SEATS),
        foot("x", "revoke", "revoke", "a new link for the player; the old one stops with its phone",
            SEATS),
        foot("escape q", "back", "back", "back to the board", SEATS),
    ),
)  # fmt: skip
