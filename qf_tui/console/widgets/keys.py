"""Keys at work: which action of the table a key means at a place, how it is written, and that it is done."""

from collections.abc import Iterable, Mapping

from textual import events
from textual.screen import Screen

from qf_tui.console.widgets.actions import ACTIONS, GRID, Action
from qf_tui.core.builtin_forms import BUILTIN
from qf_tui.core.forms import Form

_SHOWN = {
    "question_mark": "?",
    "quotation_mark": '"',
    "exclamation_mark": "!",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "comma": ",",
    "full_stop": ".",
    "colon": ":",
    "slash": "/",
    "equals_sign": "=",
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
    "backspace": "Backspace",
    "delete": "Del",
}


FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 11))


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
        *(form_action(form) for form in BUILTIN if on_grid),
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
