"""The rows of the table of actions for pages across the room, the board and the shipyard."""

from qf_tui.console.widgets.action import act as _act
from qf_tui.console.widgets.places import ALOUD, BOARD, GRID, NAVIES, READING, ROOM, YARD

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


YARD_ACTIONS = (
    _act("enter", "read", "all", "all that is known of her, her values in every rule system", NAVIES,
        footer=True),
    _act("f6", "join", "join", "the ship joins the battle, at your word", NAVIES, footer=True),
    _act("f2", "new", "new", "a ship of your own, begun from nothing", NAVIES, footer=True),
    _act("f3", "copy", "sister", "a ship of your own, begun as a copy of this one", NAVIES, footer=True),
    _act("f4", "edit", "change", "changes the ship; one of ours becomes a row of yours, which wins", NAVIES,
        footer=True),
    _act("f8 delete", "delete", "delete", "deletes a row of your own", NAVIES),
    _act("right", "system(1)", "rules", "the values of the next rule system", NAVIES, footer=True),
    _act("left", "system(-1)", "rules before", "the values of the rule system before", NAVIES),
    _act("tab", "list.section(1)", "navy", "the next navy", NAVIES),
    _act("shift+tab", "list.section(-1)", "navy before", "the navy before", NAVIES),
    _act("escape", "back", "back", "shows all again; then back to where you were", NAVIES, footer=True),
    _act("enter tab down", "walk(1)", "next", "the next field", YARD, footer=True),
    _act("shift+tab up", "walk(-1)", "before", "the field before", YARD),
    _act("pagedown", "page(1)", "page down", "a page down", YARD),
    _act("pageup", "page(-1)", "page up", "a page up", YARD),
    _act("left", "caret(-1)", "left", "a letter to the left, to mend what stands there", YARD),
    _act("right", "caret(1)", "right", "a letter to the right", YARD),
    _act("backspace", "delete_letter", "rub out", "deletes a letter; of a text as it stood all", YARD),
    _act("f2", "system", "rules", "the values of the next rule system", YARD, footer=True),
    _act("f4", "change_pane", "values", "over to the values, to set one by hand, or back to the facts", YARD,
        footer=True),
    _act("f6", "keep", "keep", "keeps the ship among your own", YARD, footer=True),
    _act("escape", "back", "back", "back to the ships; what is not kept is asked for", YARD, footer=True),
)  # fmt: skip
