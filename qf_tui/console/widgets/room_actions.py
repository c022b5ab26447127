"""The rows of the table of actions for what is read across the room."""

from qf_tui.console.widgets.action import act as _act
from qf_tui.console.widgets.places import ALOUD, READING, ROOM

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
)
"""What a page in large letters, a list for the table, and one line of it have for keys."""
