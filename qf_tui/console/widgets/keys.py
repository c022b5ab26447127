"""Which action a key means at a place, how a key is written, and the umpire's own keys."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve

from qf_tui.console.widgets.actions import ACTIONS, Action, Call
from qf_tui.console.widgets.places import BEFORE, GRID, PLACES, TYPED_IN, WITHIN
from qf_tui.core.builtin_forms import BUILTIN
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.forms import Form

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
_NAMED = {shown: key for key, shown in _SHOWN.items()}
_SIGNS = {key for key, shown in _SHOWN.items() if len(shown) == 1 and shown.isascii()} | {"space"}
FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 11))


def shown_key(key: str) -> str:
    """A key as people write it."""
    return _SHOWN.get(key) or (key.upper() if key[0] == "f" and key[1:].isdigit() else key)


def form_action(form: Form) -> Action:
    """The action that opens the dialog of an order."""
    keys = (form.key,) if form.key else ()
    call = Call("order", arguments=(form.word,))
    return Action(f"order.{form.word}", keys, call, form.title, form.help, palette=True, enters=True)


def keymap(
    place: str, forms: Iterable[Form] = (), table: Iterable[Action] = ACTIONS, *, enters: bool = True
) -> Mapping[str, Action]:
    """Which key does what at a place: a system's own orders first, then the table, then common orders.

    Without `enters` only what needs no battle that can be written.
    """
    on_grid = place == GRID
    actions = [
        *(form_action(form) for form in forms if on_grid),
        *(action for action in table if place in action.places),
        *(form_action(form) for form in BUILTIN if on_grid),
    ]
    found: dict[str, Action] = {}
    for action in actions:
        for key in action.keys if enters or not action.enters else ():
            found.setdefault(key, action)
    return found


def key_of(action: Action, keys: Mapping[str, Action]) -> str:
    """The first key that really does an action, as people write it, or nothing."""
    return next((shown_key(key) for key in action.keys if keys.get(key) == action), "")


def remapped(
    wanted: Mapping[str, str], forms: Iterable[Form] = (), table: Sequence[Action] = ACTIONS
) -> tuple[Action, ...]:
    """The table with other keys for some actions, by their ids; QfError in words if it cannot be so.

    The keys of an action are one text, as `f7 x`. No key may mean two things at a place, where orders of
    `forms` keep theirs on the logs.
    """
    known = {action.id for action in table}
    strange = [id for id in wanted if id not in known]
    if strange:
        raise QfError(f"keys: there is no action “{strange[0]}”")
    found = tuple(
        evolve(action, keys=tuple(_read_key(key) for key in wanted[action.id].split()))
        if action.id in wanted
        else action
        for action in table
    )
    orders = [form_action(form) for form in (*forms, *BUILTIN)]
    for action in found:
        if action.id in wanted:
            for place in action.places:
                there = [one for one in found if _meet(place, one)]
                _check(action, place, [*there, *(orders if place == GRID else ())])
    return found


def _meet(place: str, other: Action) -> bool:
    """Whether the keys of an action are known where those of a place are."""
    near = {place, WITHIN.get(place), *(inner for inner, outer in WITHIN.items() if outer == place)}
    return not near.isdisjoint(other.places)


def _read_key(text: str) -> str:
    """A key by its name or as people write it; QfError if terminals do not pass it on."""
    key = _NAMED.get(text, text.lower() if len(text) > 1 else text)
    if key in _SHOWN or key in FUNCTION_KEYS or (len(key) == 1 and key.isascii() and key.isalnum()):
        return key
    raise QfError(f"keys: “{text}” is no key that every terminal passes on")


def _check(action: Action, place: str, others: Iterable[Action]) -> None:
    where = {**PLACES, **BEFORE}[place]
    for key in action.keys:
        if place in TYPED_IN and (len(key) == 1 or key in _SIGNS):
            raise QfError(f"keys: {shown_key(key)} for {action.id} is text {where}")
        for other in others:
            if key in other.keys and other.id != action.id:
                raise QfError(f"keys: {shown_key(key)} for {action.id} is the key of {other.id} {where}")
