"""The table of all actions, by the part of the console; keys, footer, command palette and help come from it.

Keys are letters, digits, F1 to F10, Enter, Escape, Tab and arrows, which every terminal passes on.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TypeVar

from attrs import evolve

from qf_tui.console.widgets.actions import (
    BAR,
    DIALOG,
    ENDING,
    ENTRY,
    FIND,
    GRID,
    HISTORY,
    LOOKUP,
    MOVING,
    PANEL,
    PAST,
    PREVIEW,
    READING,
    SCENARIO,
    SEARCH,
    SETTINGS,
    START,
    VOLLEY,
    VOLLEY_SLOT,
    Action,
    Place,
    act,
    declare_moves,
    foot,
)
from qf_tui.hooks import Feature
from qf_tui.registry import find_features

_PLACES = (
    Place(GRID, "on the logs"),
    Place(FIND, "while looking for a ship", typed_in=True),
    Place(BAR, "in the order bar", typed_in=True),
    Place(DIALOG, "in a dialog", typed_in=True),
    Place(VOLLEY, "in a volley"),
    Place(VOLLEY_SLOT, "in a volley, while typing a target or a range", typed_in=True),
    Place(PANEL, "in a panel"),
    Place(LOOKUP, "in the help and the charts", typed_in=True),
    Place(READING, "on a list for the table", within=PANEL),
    Place(ENDING, "when a phase is about to end", within=PANEL),
    Place(PREVIEW, "in the preview of a correction", within=PANEL),
    Place(HISTORY, "in the history"),
    Place(MOVING, "in the history, while moving an entry"),
    Place(PAST, "on the logs of the history"),
    Place(SEARCH, "in the search line of the history", typed_in=True),
    Place(START, "on the first screen", battle=False, typed_in=True, listed=True),
    Place(SCENARIO, "on a scenario", battle=False, listed=True),
    Place(ENTRY, "while typing a text", battle=False, typed_in=True),
    Place(SETTINGS, "in the settings", battle=False),
)
LISTED, FORMS, THEMED = "listed", "forms", "themed"
"""Groups of places that an action may name: lists, forms, and places with only the theme's key."""


_Row = TypeVar("_Row", Place, Action)


def _insert(rows: Iterable[_Row], new_rows: Iterable[_Row], name: Callable[[_Row], str]) -> tuple[_Row, ...]:
    """Insert rows of features into a table, each after the row that it names, or last.

    Args:
        name: Returns the name of a row.
    """
    all_rows = list(rows)
    for row in new_rows:
        places = [place for place, other in enumerate(all_rows) if name(other) == row.after]
        at = places[-1] + 1 if places else len(all_rows)
        all_rows.insert(at, row)
    return tuple(all_rows)


_do = partial(foot, palette=True)
"""Declares an action of the battle that the palette lists too."""
_enter = partial(_do, enters=True)
"""Declares an action that needs a writable battle."""
_palette = partial(act, palette=True)
"""Declares an action that only the palette lists."""


_GRID_MOVES = declare_moves("grid", "ship", GRID, PAST)

_ACTIONS = (
    _enter("o f7", "orders.answer", "owed",
        "answers the first owed roll or question; again: the next one"),
    _enter("a", "repeat", "again", "repeats the last shot of the ship under the cursor, with new dice"),
    _enter("F", "volley", "volley", "the shots of the ship's division in one list, by columns"),
    _enter("u f8", "undo", "undo", "strikes the last entry, after showing what that changes; or changes it"),
    _enter("exclamation_mark", "doubt", "doubt",
        "marks the last entry as disputed, or settles it", footer=False),
    _enter("r", "redo", "redo",
        "restores the entry struck last, after showing what that changes", footer=False),
    _enter("n f6", "next", "next phase", "ends the phase, and shows who may still act"),
    _do("h f5", "history", "history", "every entry of the log; amend and strike from there"),
    _do("question_mark", "read('why')", "why", "why the cell under the cursor has its value"),
    _enter("e", "edit", "edit cell", "overwrites the field under the cursor"),
    _do("s f3", "read('sheet')", "card", "the full card and log of the ship under the cursor"),
    _do("x tab shift+tab", "grid.other_side", "other side", "the cursor to the other side"),
    _enter("colon", "open_bar", "order", "types an order, or continues an unfinished one"),
    _enter("slash", "orders.type('')", "new order", "types an order from its beginning", footer=False,
        id="new-order"),
    _enter("f2", "force", "overrule", "enters the refused order anyway", GRID, BAR,
        DIALOG, HISTORY),
    _do("f1", "help", "help", "keys, orders and clauses", GRID, BAR, DIALOG, VOLLEY,
        HISTORY, MOVING, PAST, LISTED, FORMS),
    _do("f4", "palette", "palette", "every action and order by name", GRID, BAR),
    _do("f9", "theme", "light or dark", "the light theme or the dark one", GRID, BAR, THEMED,
        LISTED, FORMS),
    _palette("q f10", "leave", "quit", "leaves the program; everything is saved"),
    _enter("k", "keep_cell", "keep in my chart", "saves the cell just read out to your own chart",
        footer=False),
    _palette("", "other_battle", "other battle", "back to the first screen, to open or begin another battle"),
    _enter("", "branch", "branch", "copies the save next to this one, as a branch to open later",
        footer=False),
    _enter("", "save_as", "save as", "copies the save under another name, and continues in the copy",
        footer=False),
    _palette("comma", "settings", "settings", "theme, signs, colours and the rest"),
    _palette("i", "read('charts')", "charts", "the charts of this battle, and where each cell comes from"),
    _do("j full_stop", "next_to_act", "next to act", "the next ship that may act or owes a roll"),
    _do("g", "go_to", "go to", "goes to a ship by letters of its name, kind, division or player"),
    _palette("y", "grid.sort", "sort",
        "sorts by the column under the cursor; again: reversed, then unsorted"),
    _palette("z", "grid.show_only", "show only", "all ships; or in the battle, may act, owe a roll"),
    _enter("quotation_mark", "remark", "remark", "a remark for the card of the ship under the cursor",
        footer=False),
    act("enter", "finding('take')", "go there", "leaves the cursor on the ship", FIND),
    act("tab", "finding('only')", "only these", "only the matching ships; Esc shows all again",
        FIND),
    act("down", "finding('next')", "next", "the next matching ship", FIND),
    act("backspace", "finding('shorten')", "delete letter", "deletes a letter", FIND),
    act("escape", "finding('back')", "back", "puts the cursor back where it was", FIND),
    act("escape", "drop", "cancel", "drops an unfinished order; shows all ships again"),
    *_GRID_MOVES[:2],
    act("left", "grid.left", "left", "the column to the left; from the first to the other side", GRID, PAST),
    act("right", "grid.right", "right", "the column to the right; from the last to the other side", GRID,
        PAST),
    *_GRID_MOVES[2:],
    *(
        act(digit, f"orders.type('{digit}')", "dice", "dice of the first owed roll", enters=True)
        for digit in "0123456789"
    ),
    foot("enter", "submit", "enter", "enters the order; with nothing typed, back to the logs", BAR),
    foot("tab", "orders.complete", "complete", "takes the first word offered", BAR),
    act("down", "orders.another(1)", "another",
        "the next owed roll, the next field of the cell, or a newer order", BAR, id="following"),
    act("f7", "orders.another(1)", "another", "the next owed roll", BAR, id="next-owed"),
    act("up", "orders.another(-1)", "older", "the owed roll before, or an older order", BAR, id="previous"),
    foot("escape", "set_aside", "set aside", "back to the logs; what is typed is kept for `:`", BAR),
    foot("enter", "advance", "next", "goes to what is missing; when complete, enters the order", DIALOG),
    foot("tab", "take_first", "take first", "the first of several ships; else the field below", DIALOG),
    foot("down", "step(1)", "next field", "the field below", DIALOG, id="below"),
    foot("shift+tab up", "step(-1)", "field above", "the field above", DIALOG, id="above"),
    act("f3", "toggle_flag", "flag", "sets or clears a flag of the order; again: the next", DIALOG),
    act("f7", "declare", "dice later",
        "leaves the dice for later: Enter declares the order; or says that the dice typed are all", DIALOG),
    foot("escape", "set_aside", "set aside", "closes the dialog; what is filled in is kept", DIALOG),
    act("f2", "enter_ready", "enter all", "enters the shots that are ready, in the order shown", VOLLEY,
        VOLLEY_SLOT),
    act("enter", "advance", "go on",
        "takes it and goes down; from a target to its range", VOLLEY, VOLLEY_SLOT),
    act("right tab", "move(0, 1)", "column", "the next column: target, range, dice", VOLLEY, VOLLEY_SLOT,
        id="column-on"),
    act("left shift+tab", "move(0, -1)", "column before", "the column before", VOLLEY, VOLLEY_SLOT,
        id="column-back"),
    act("space", "space", "next column",
        "takes it and goes to the next column; among dice ends one, or with none declares the shot",
        VOLLEY, VOLLEY_SLOT),
    act("up", "move(-1, 0)", "ship above", "the ship above, in the same column", VOLLEY, VOLLEY_SLOT,
        id="step-back"),
    act("down", "move(1, 0)", "ship below", "the ship below, in the same column", VOLLEY, VOLLEY_SLOT,
        id="step-on"),
    act("t", "move(0, -2)", "target", "names the target of the ship", VOLLEY, id="target"),
    act("n", "turn('target')", "next", "the next ship of the target's line", VOLLEY, id="next-target"),
    act("b", "turn('battery')", "battery", "the next battery that may still act", VOLLEY, id="battery"),
    act("o", "turn('skipped')", "out", "leaves the shot out, or puts it back", VOLLEY, id="skip"),
    act("f3", "turn('flag')", "flag", "sets or clears a shot flag; again: the next", VOLLEY, id="flag"),
    act("backspace", "turn('back')", "delete", "deletes a die or a character, or a whole range", VOLLEY,
        VOLLEY_SLOT, id="shorten"),
    act("escape", "set_aside", "set aside",
        "drops what is typed; else closes the volley, which is kept for this phase",
        VOLLEY, VOLLEY_SLOT),
    act("enter", "accept", "go on", "says yes, or closes the panel", PANEL),
    foot("escape q", "close", "back", "closes the panel and changes nothing", PANEL),
    act("enter", "accept", "back", "closes it", LOOKUP),
    foot("escape", "close", "back", "clears the search, then closes", LOOKUP),
    act("backspace", "delete_letter", "delete letter", "deletes a letter of the search", LOOKUP),
    act("f2", "carry_over", "carry over", "ends the phase and carries over what is owed or disputed", ENDING),
    act("up", "scroll(-1)", "up", "scrolls up", PANEL, LOOKUP, id="scroll-up"),
    act("down", "scroll(1)", "down", "scrolls down", PANEL, LOOKUP, id="scroll-down"),
    act("pageup", "page(-1)", "page up", "scrolls a page up", PANEL, LOOKUP, id="page-up"),
    act("pagedown space", "page(1)", "page down", "scrolls a page down", PANEL, id="page-down"),
    act("pagedown", "page(1)", "page down", "scrolls a page down", LOOKUP, id="page-down"),
    act("b", "branch", "save as a branch", "applies the correction in a new save next to this one, not here",
        PREVIEW),
    act("a", "change", "change it", "changes the entry that would be undone, in its dialog", PREVIEW),
    foot("enter", "amend", "change", "opens the entry in its dialog, to change a slot or a die", HISTORY,
        enters=True),
    foot("enter", "amend", "put it after", "puts the entry after the one under the cursor",
        MOVING, enters=True),
    foot("escape", "back", "leave it", "leaves the entry where it was", MOVING),
    foot("s", "strike", "strike or restore", "takes the entry out of force, or back", HISTORY, enters=True),
    foot("i", "insert", "insert after", "a forgotten order, right after the entry", HISTORY,
        enters=True),
    foot("m", "shift", "move", "moves the entry, dice and all, after another one", HISTORY, enters=True),
    foot("u f8", "undo", "undo", "strikes the last entry, here or elsewhere", HISTORY, PAST, enters=True),
    foot("d exclamation_mark", "doubt", "doubt", "marks the entry as disputed, or settles it", HISTORY,
        enters=True),
    foot("c", "remark", "remark", "a remark on the entry", HISTORY, enters=True),
    foot("slash", "search", "search", "words, ship:, kind: and is: narrow the list", HISTORY, PAST),
    foot("f", "filter_ship", "this ship", "only entries about a ship of this one; again: the next", HISTORY),
    foot("k", "filter_kind", "this kind", "only entries of the kind of the one under the cursor", HISTORY),
    foot("p", "filter_state", "parked", "only parked entries; again: spare, doubted, struck", HISTORY),
    foot("w", "as_written", "original wording",
        "the entries as first written, corrections too, or as they are played", HISTORY),
    foot("tab", "switch_pane", "logs", "switches between the list and the logs", HISTORY, PAST),
    foot("x", "grid.other_side", "other side", "the other side's logs", HISTORY, PAST),
    foot("question_mark", "why", "why", "the entry in full, with the clauses in words", HISTORY, PAST),
    foot("left_square_bracket comma", "step(-1)", "step back", "the logs one entry earlier", HISTORY,
        PAST),
    foot("right_square_bracket full_stop", "step(1)", "step on", "the logs one entry later", HISTORY,
        PAST),
    act("left", "step(-1)", "step back", "the logs one entry earlier", HISTORY, id="arrow-back"),
    act("right", "step(1)", "step on", "the logs one entry later", HISTORY, id="arrow-on"),
    act("less_than_sign", "acts.section(-1)", "phase before", "to the phase before", HISTORY),
    act("greater_than_sign", "acts.section(1)", "next phase", "to the next phase", HISTORY),
    *declare_moves("acts", "entry", HISTORY, MOVING, page="pagedown space"),
    foot("escape", "back", "back", "drops the filter; without one, back to the battle", HISTORY, PAST),
    act("h q f5", "close", "leave", "back to the battle", HISTORY, PAST, id="leave-history"),
    foot("enter", "search_done", "take", "keeps the filter, or enters the remark", SEARCH),
    foot("tab", "search.complete", "complete", "takes the first word offered", SEARCH, id="search-complete"),
    act("up", "acts.step(-1)", "up", "the entry above", SEARCH, id="up"),
    act("down", "acts.step(1)", "down", "the entry below", SEARCH, id="down"),
    foot("escape", "search_drop", "cancel", "cancels what is typed", SEARCH),
    *declare_moves("list", "line", START, LISTED, SETTINGS),
    foot("enter", "choose", "open", "opens the line under the cursor", START),
    act("tab", "list.section(1)", "next part", "the next part of the list", START),
    act("shift+tab", "list.section(-1)", "part before", "the part of the list before", START),
    act("backspace", "delete_letter", "delete letter", "deletes the last letter", START),
    foot("f5", "settings", "settings", "theme, signs, colours and the rest", START),
    act("f6", "read_again", "read again", "reads all files again: scenarios, rule books, saves", START),
    act("escape", "show_all", "all", "shows all again", START),
    foot("f10", "leave", "quit", "leaves the program", START),
    foot("enter", "begin", "begin the battle", "begins the battle, with a save of its own", SCENARIO),
    foot("r f2", "change_rules", "rules",
        "the next rule system for the scenario, and what it leaves out", SCENARIO),
    foot("c f4", "change_crews", "crews", "crews and shells as built, or as the scenario states them",
        SCENARIO),
    foot("escape", "back", "back", "back to the first screen", SCENARIO),
    foot("enter right space", "change(1)", "change", "the next value, or a text to type", SETTINGS),
    foot("left", "change(-1)", "change back", "the value before", SETTINGS),
    foot("escape q", "back", "back", "back to where you were", SETTINGS),
    act("enter", "accept", "take", "takes the text", ENTRY),
    act("escape", "close", "back", "changes nothing", ENTRY),
)  # fmt: skip


@cache
def _build(features: tuple[Feature, ...]) -> tuple[Mapping[str, Place], tuple[Action, ...]]:
    """Build the places by name and the actions, both of the base and of the features.

    An action for all lists, forms or themed screens gets every place of that kind.
    """
    parts = [feature.console() for feature in features if feature.console is not None]
    all_places = _insert(
        _PLACES, (place for part in parts for place in part.places), lambda place: place.name
    )
    names_by_kind = {
        LISTED: [place.name for place in all_places if place.listed],
        FORMS: [place.name for place in all_places if place.form],
        THEMED: [place.name for place in all_places if place.themed],
    }

    def spread(action: Action) -> Action:
        if names_by_kind.keys().isdisjoint(action.places):
            return action
        places = (name for place in action.places for name in names_by_kind.get(place, (place,)))
        return evolve(action, places=tuple(dict.fromkeys(places)))

    feature_actions = (action for part in parts for action in part.actions)
    actions = _insert(map(spread, _ACTIONS), feature_actions, lambda action: action.id)
    return {place.name: place for place in all_places}, actions


def list_places() -> Mapping[str, Place]:
    """Return all places by name, in the order of the help."""
    return _build(find_features())[0]


def list_actions() -> tuple[Action, ...]:
    """Return every action, of the base and of the features."""
    return _build(find_features())[1]
