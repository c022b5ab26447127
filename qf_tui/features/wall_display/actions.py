"""The keys in the console for the wall display, and for the list of table changes in large letters."""

from typing import TYPE_CHECKING, Any

from qf_tui.console.widgets.actions import READING, ConsolePart, Place, act, chain_actions, foot

if TYPE_CHECKING:
    from textual.screen import Screen

ROOM, ALOUD = "room", "aloud"


def open_wall(screen: "Screen[Any]") -> None:
    """Show the battle in large letters, for people across the room."""
    from qf_tui.console.battle.view import BattleView
    from qf_tui.features.wall_display.screen import WallDisplay

    assert isinstance(screen, BattleView)
    screen.app.push_screen(WallDisplay(screen.source, screen.format_clock, screen.list_notes))


def read_aloud(screen: "Screen[object]") -> None:
    """Show the changes on the table in large letters, one after the other."""
    from qf_tui.console.reading.announcements import TableChanges
    from qf_tui.features.wall_display.aloud import Announcements, list_spoken_lines

    assert isinstance(screen, TableChanges)
    screen.app.push_screen(Announcements(screen.heading, list_spoken_lines(screen.battle, screen.changes)))


PART = ConsolePart(
    (
        Place(ROOM, "on the wall display", themed=True, after=READING),
        Place(ALOUD, "while reading aloud", after=ROOM),
    ),
    (
        act("v", "wall_display", "wall display",
            "turn, last entry, what to throw and to change, in large letters", id="read-aloud",
            palette=True, does=open_wall, after="grid.read-charts"),
        *chain_actions(
            "lookup.delete-letter",
            foot("v", "read('announcements')", "all to read aloud",
                "all there is to throw, and all that has changed on the table this turn", ROOM,
                id="read-aloud"),
            foot("escape", "back", "back", "back to the logs", ROOM),
            foot("q f10", "leave", "leave", "leaves the wall display, or a battle that is only watched",
                ROOM),
            act("enter space down", "line(1)", "next", "the next line; after the last one back", ALOUD,
                id="next-line"),
            act("up", "line(-1)", "before", "the line before", ALOUD, id="previous-line"),
            act("escape q", "close", "back", "back to the list", ALOUD),
            act("v", "aloud", "in large letters", "the same in letters to be read from across the table",
                READING, does=read_aloud),
        ),
    ),
)  # fmt: skip
