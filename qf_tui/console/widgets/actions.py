"""The classes of an action and of a place, which is a part of the console with its own keys.

The names of the base's places are here too. `action_table` lists all actions and places.
"""

from ast import literal_eval
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen

    AnyApp = App[Any]
    Does = Callable[[Screen[object]], Awaitable[None] | None]

GRID, BAR, DIALOG, PANEL, START = "grid", "bar", "dialog", "panel", "start"
HISTORY, MOVING, PAST, SEARCH = "history", "moving", "past", "search"
PREVIEW = "proposal"  # as the settings of users name its keys
FIND, ENDING, LOOKUP, READING = "find", "ending", "lookup", "reading"
VOLLEY, VOLLEY_SLOT = "volley", "volley-slot"
SCENARIO, ENTRY = "scenario", "entry"
SETTINGS = "settings"

_WAYS: dict[str | int, str] = {-1: "back", 1: "on"}


@frozen
class Place:
    """A part of the console with its own keys, such as the logs or a dialog.

    Attributes:
        words: The place as text: `in the report`.
        battle: Whether it belongs to an open battle.
        typed_in: Whether letters are text there.
        within: The place whose keys it has too; "" if none.
        listed: Whether it is a list that fills the screen: it has the keys of all lists, of help and theme.
        form: Whether it is a form that fills the screen: it has the keys of help and theme.
        themed: Whether it has the key of the theme, and is neither.
        after: The place after which a feature's place is listed in the help; "" for last.
    """

    name: str
    words: str
    battle: bool = True
    typed_in: bool = False
    within: str = ""
    listed: bool = False
    form: bool = False
    themed: bool = False
    after: str = ""


@frozen
class Call:
    """The method that does an action: `action_NAME` of the screen or of a widget, with its arguments."""

    name: str
    widget: str = ""
    arguments: tuple[str | int, ...] = ()

    @classmethod
    def read(cls, text: str) -> "Call":
        """Read a call as the table writes it: `list.section(-1)`."""
        path, _, rest = text.partition("(")
        widget, _, name = path.rpartition(".")
        return cls(name, widget, literal_eval(f"({rest[:-1]},)") if rest else ())


@frozen
class Action:
    """An action of the user: its keys, its call, a title for the footer, a sentence for the help.

    Attributes:
        id: Names it where its keys are changed.
        enters: Whether it needs a battle that can be written.
        does: A feature's function that does the action on a screen of the base; None to use `call`.
        after: The id of the action after which a feature's action is listed; "" for last.
        ended: The offer of the action in the status line after the battle has ended, or "".
    """

    id: str
    keys: tuple[str, ...]
    call: Call
    title: str
    help: str
    places: tuple[str, ...] = (GRID,)
    footer: bool = False
    palette: bool = False
    enters: bool = False
    does: "Does | None" = None
    after: str = ""
    ended: str = ""


@frozen
class ConsolePart:
    """The part that a feature adds to the console: places with their keys, and actions for any place."""

    places: tuple[Place, ...] = ()
    actions: tuple[Action, ...] = ()


def act(  # noqa: PLR0913 - a row of the table below; its flags are given by name
    keys: str, call: str, title: str, help: str, *places: str, footer: bool = False, palette: bool = False,
    enters: bool = False, id: str = "", does: "Does | None" = None, after: str = "", ended: str = "",
) -> Action:  # fmt: skip
    """Build an action from a row of a table; `keys` are separated by blanks."""
    parsed_call, places = Call.read(call), places or (GRID,)
    # The id, such as `section-back` or `read-why`.
    arguments = (_WAYS.get(value, str(value)) for value in parsed_call.arguments)
    id = id or "-".join((parsed_call.name.replace("_", "-"), *arguments))
    return Action(
        f"{places[0]}.{id}", tuple(keys.split()), parsed_call, title, help, places,
        footer=footer, palette=palette, enters=enters, does=does, after=after, ended=ended,
    )  # fmt: skip


foot = partial(act, footer=True)
"""Declares an action that the footer shows."""


def declare_moves(widget: str, what: str, *places: str, page: str = "pagedown") -> tuple[Action, ...]:
    """Declare the actions that move the cursor of a list.

    Args:
        widget: Id of the list.
        what: What a line of the list is, for the help.
        places: Places with these actions.
        page: Keys for a page down, separated by blanks.
    """
    return (
        act("up", f"{widget}.step(-1)", "up", f"the {what} above", *places, id="up"),
        act("down", f"{widget}.step(1)", "down", f"the {what} below", *places, id="down"),
        act("pageup", f"{widget}.page(-1)", "page up", "a page up", *places, id="page-up"),
        act(page, f"{widget}.page(1)", "page down", "a page down", *places, id="page-down"),
        act("home", f"{widget}.home", "first", f"the first {what}", *places),
        act("end", f"{widget}.end", "last", f"the last {what}", *places),
    )


def chain_actions(after: str, *rows: Action) -> tuple[Action, ...]:
    """Return a feature's actions, listed one after the other in the help.

    Args:
        after: Id of the action after which the first one is listed.
    """
    placed_rows = []
    for row in rows:
        placed_rows.append(evolve(row, after=after))
        after = row.id
    return tuple(placed_rows)
