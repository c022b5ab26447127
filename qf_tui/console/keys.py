"""The one table of actions: from it come the keys, the footer, the palette and the help.

Keys are letters, digits, F1 to F10, Enter, Escape, Tab and arrows: what every terminal passes on.
"""

from collections.abc import Iterable, Mapping

from attrs import frozen
from textual import events
from textual.screen import Screen

from qf_tui.core.common_forms import COMMON
from qf_tui.core.forms import Form

GRID, BAR, DIALOG, PANEL, HISTORY, START = "grid", "bar", "dialog", "panel", "history", "start"
PLACES = {
    GRID: "on the logs",
    BAR: "in the order bar",
    DIALOG: "in a dialog",
    PANEL: "in a panel",
    HISTORY: "in the history",
    START: "on the first screen",
}
"""The places where keys mean something, in words."""


@frozen
class Action:
    """One thing to do: its keys, the `call` that does it, a title for footer and palette, a sentence for the help."""

    keys: tuple[str, ...]
    call: str
    title: str
    help: str
    places: tuple[str, ...] = (GRID,)
    footer: bool = False
    palette: bool = True


def _act(keys: str, call: str, title: str, help: str, *places: str, footer: bool = False) -> Action:
    return Action(tuple(keys.split()), call, title, help, places or (GRID,), footer, palette=False)


def _do(keys: str, call: str, title: str, help: str, *places: str, footer: bool = True) -> Action:
    return Action(tuple(keys.split()), call, title, help, places or (GRID,), footer)


_DIGITS = tuple(
    Action((digit,), f"type('{digit}')", "dice", "dice of the first owed roll", footer=False, palette=False)
    for digit in "0123456789"
)

ACTIONS = (
    _do("o f7", "answer", "owed", "answers the first owed roll or question; again: the next one", GRID),
    _do("u f8", "undo", "undo", "strikes the last act; its order comes back into the bar to be mended", GRID),
    _do("r", "redo", "redo", "restores the act struck last", GRID, footer=False),
    _do("n f6", "next", "next phase", "ends the phase, and says who may still act", GRID),
    _do("e enter", "edit", "edit cell", "writes on the log by hand: the field under the cursor", GRID),
    _do("question_mark", "why", "why", "the entries that made the cell under the cursor what it is", GRID),
    _do("s f3", "sheet", "card", "the card and log in full of the ship under the cursor", GRID),
    _do("h f5", "history", "history", "every act of the log; amend and strike from there", GRID),
    _do("x tab", "other_side", "other side", "the cursor to the other side", GRID),
    _do("colon", "bar", "order", "types an order; what was half typed comes back", GRID),
    _do("slash", "fresh", "new order", "types an order from its beginning", GRID, footer=False),
    _do("f2", "force", "force", "enters the refused order all the same, by the umpire's word", GRID, BAR, DIALOG),
    _do("f1", "help", "help", "keys, orders and clauses", GRID, BAR, START),
    _do("f4", "palette", "palette", "every action and order by name", GRID, BAR),
    _do("f9", "theme", "light or dark", "changes over between the light and the dark theme", GRID, BAR, START),
    _do("q f10", "leave", "quit", "leaves; all that was entered is on the disk", GRID, START, footer=False),
    _do("k", "keep", "keep in my chart", "keeps the cell just read out in your own chart", GRID, footer=False),
    _act("escape", "let_go", "drop", "drops what is half typed", GRID),
    _act("up", "grid.up", "up", "the ship above", GRID),
    _act("down", "grid.down", "down", "the ship below", GRID),
    _act("left", "grid.left", "left", "the column to the left; from the first to the other side", GRID),
    _act("right", "grid.right", "right", "the column to the right; from the last to the other side", GRID),
    _act("pageup", "grid.page_up", "page up", "a page up", GRID),
    _act("pagedown", "grid.page_down", "page down", "a page down", GRID),
    _act("home", "grid.home", "first", "the first ship", GRID),
    _act("end", "grid.end", "last", "the last ship", GRID),
    *_DIGITS,
    _act("enter", "submit", "enter", "enters the order; alone: brings a half-typed order back", BAR, footer=True),
    _act("tab", "complete", "complete", "takes the first word offered", BAR, footer=True),
    _act("down", "another", "another", "the next field of the cell, or an older order", BAR),
    _act("up", "older", "older", "an older order", BAR),
    _act("escape", "put_by", "put by", "back to the logs; what is typed is kept for `:`", BAR, footer=True),
    _act("enter", "advance", "go on", "goes on to what is missing; at the end enters the order", DIALOG, footer=True),
    _act("tab down", "below", "next field", "the field below", DIALOG, footer=True),
    _act("shift+tab up", "above", "field above", "the field above", DIALOG, footer=True),
    _act("escape", "put_by", "put by", "closes the dialog; what is filled in is kept", DIALOG, footer=True),
    _act("enter", "accept", "go on", "says yes, or closes what was only to be read", PANEL),
    _act("escape q", "dismiss_panel", "back", "closes the panel and changes nothing", PANEL, HISTORY, footer=True),
    _act("up", "scroll_up", "up", "scrolls up", PANEL),
    _act("down", "scroll_down", "down", "scrolls down", PANEL),
    _act("pageup", "page_up", "page up", "scrolls a page up", PANEL),
    _act("pagedown space", "page_down", "page down", "scrolls a page down", PANEL),
    _act("up", "up", "up", "the act above", HISTORY),
    _act("down", "down", "down", "the act below", HISTORY),
    _act("pageup", "page_up", "page up", "a page up", HISTORY),
    _act("pagedown space", "page_down", "page down", "a page down", HISTORY),
    _act("home", "home", "first", "the first act", HISTORY),
    _act("end", "end", "last", "the last act", HISTORY),
    _act("a", "amend", "amend", "puts the entry into the bar to be amended", HISTORY, footer=True),
    _act("s", "strike", "strike or restore", "takes the act out of force, or back", HISTORY, footer=True),
    _act("i", "insert", "insert behind", "an order that was forgotten, right behind the entry", HISTORY, footer=True),
    _act("d", "doubt", "doubt", "marks the entry as disputed", HISTORY, footer=True),
)  # fmt: skip

_SHOWN = {
    "question_mark": "?",
    "colon": ":",
    "slash": "/",
    "escape": "Esc",
    "enter": "Enter",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "space": "Space",
    "home": "Home",
    "end": "End",
}


def shown_key(key: str) -> str:
    """A key as people write it."""
    return _SHOWN.get(key) or (key.upper() if key[0] == "f" and key[1:].isdigit() else key)


def form_action(form: Form) -> Action:
    """The action that opens the dialog of an order."""
    keys = (form.key,) if form.key else ()
    return Action(keys, f"order('{form.word}')", form.title, form.help)


def keymap(place: str, forms: Iterable[Form] = ()) -> Mapping[str, Action]:
    """Which key does what at a place: a rule system's own orders come first, then the table, then common orders."""
    on_grid = place == GRID
    actions = [
        *(form_action(form) for form in forms if on_grid),
        *(action for action in ACTIONS if place in action.places),
        *(form_action(form) for form in COMMON if on_grid),
    ]
    found: dict[str, Action] = {}
    for action in actions:
        for key in action.keys:
            found.setdefault(key, action)
    return found


def key_of(action: Action, keys: Mapping[str, Action]) -> str:
    """The first key that really does an action, as people write it, or nothing."""
    return next((shown_key(key) for key in action.keys if keys.get(key) == action), "")


async def press(screen: Screen, keys: Mapping[str, Action], event: events.Key) -> None:
    """Does what the table says of a key, before any widget takes it."""
    action = keys.get(event.key)
    if action is not None:
        event.stop()
        event.prevent_default()
        await perform(screen, action)


async def perform(screen: Screen, action: Action) -> None:
    """Does an action: on the screen, or on its widget of that id."""
    widget, _, call = action.call.rpartition(".")
    await screen.app.run_action(call, screen.query_one(f"#{widget}") if widget else screen)
