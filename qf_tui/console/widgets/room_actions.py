"""The rows of the table of actions for what is read across the room, and on the phones of the players."""

from qf_tui.console.widgets.action import act as _act
from qf_tui.console.widgets.places import ALOUD, BOARD, GRID, READING, ROOM

ROOM_ACTIONS = (
    _act(
        "v",
        "read('aloud')",
        "all to read aloud",
        "all that is to be thrown, and all that has changed on the table in this turn",
        ROOM,
        footer=True,
    ),
    _act("escape", "back", "back", "back to the logs", ROOM, footer=True),
    _act("q f10", "leave", "leave", "leaves the page, or a battle that is only watched", ROOM, footer=True),
    _act("enter space down", "next_line", "next", "the next line; after the last one back", ALOUD),
    _act("up", "previous_line", "before", "the line before", ALOUD),
    _act("escape q", "close", "back", "back to the table of logs", ALOUD),
    _act("v", "aloud", "read aloud", "the same in letters that are read from across the table", READING),
    _act(
        "B",
        "board",
        "board",
        "the players' phones follow the battle: on and off, the links to it",
        GRID,
        palette=True,
        enters=True,
    ),
    _act("enter", "accept", "on or off", "starts the board, or stops it", BOARD),
    _act("l", "reach", "reach", "this computer alone, or the network that it is on", BOARD),
    _act("s", "turn", "shows", "all at once, each side its own ships, or each phase as it ends", BOARD),
    _act("right tab", "link(1)", "next link", "the link of the next side, with its code", BOARD),
    _act("left shift+tab", "link(-1)", "link before", "the link of the side before", BOARD),
    _act("n", "renew", "new links", "other links; those given away are worth nothing from then on", BOARD),
    _act("escape q", "close", "back", "back to the logs; a board that is on stays on", BOARD),
)
"""What a page in large letters, a list for the table, one line of it, and the board have for keys."""
