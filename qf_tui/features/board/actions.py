"""The console keys of the board and of the tray."""

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
        foot("enter", "let_in", "let in", "enters the proposal as it is shown; of a player: declares for him",
            TRAY),
        foot("A a", "let_in_all", "all as shown",
            "enters all that come out as their players were shown; what else there is waits", TRAY),
        foot("x", "send_back", "send back", "sends the proposal back with a word", TRAY),
        foot("X", "send_back_at_once", "back at once",
            "sends the proposal back at once, with what stands against it", TRAY),
        foot("n f6", "next", "next phase", "ends the phase, and stays in the tray", TRAY),
        foot("f2", "force", "overrule", "enters what only a rule refuses", TRAY),
        foot("d", "declarations", "declarations", "opens declarations for the phase, or closes them", TRAY),
        foot("t", "declare", "declare for", "types a declaration for the player under the cursor", TRAY),
        foot("v", "reveal", "look", "shows what a player has declared; that you looked is kept", TRAY),
        act("question_mark", "why", "why", "the clauses by which it is refused", TRAY),
        foot("escape q", "back", "back", "back to the logs; what waits goes on waiting", TRAY),
        act("B", "board", "board", "the players' phones follow the battle: on and off, the links to it",
            palette=True, enters=True, does=open_board),
        act("enter", "accept", "on or off", "starts the board, or stops it", BOARD),
        act("l", "reach", "reach", "this computer only, or its whole network", BOARD),
        act("s", "turn", "shows", "all at once, each side its own ships, or each phase as it ends", BOARD),
        act("right tab", "link(1)", "next link", "the link of the next side, with its code", BOARD),
        act("left shift+tab", "link(-1)", "link before", "the link of the side before", BOARD),
        act("p", "players", "players", "links that may propose: on and off, devices, ships", BOARD),
        act("n", "renew", "new links", "new links; the old ones stop working", BOARD),
        act("escape q", "close", "back", "back to the logs; a board that is on stays on", BOARD),
        foot("enter", "let_device_in", "let in", "lets the phone in that shows this code", SEATS),
        foot("p", "propose", "propose", "links that may propose: on or off", SEATS),
        foot("r", "rolls", "rolls", "owed rolls as their players saw them enter by themselves, or not",
            SEATS),
        foot("h", "hand", "hand a ship", "hands a ship to the player", SEATS),
        foot("x", "revoke", "revoke", "another link for the player; the old one and its phone are out",
            SEATS),
        foot("escape q", "back", "back", "back to the board", SEATS),
    ),
)  # fmt: skip
