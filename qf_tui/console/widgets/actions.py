"""The one table of actions, place by place: from it come the keys, the footer, the palette and the help.

Keys are letters, digits, F1 to F10, Enter, Escape, Tab and arrows: what every terminal passes on.
"""

from ast import literal_eval
from functools import partial

from attrs import frozen

from qf_tui.console.widgets.places import (
    ALOUD,
    BAR,
    DIALOG,
    ENDING,
    ENTRY,
    FIND,
    GRID,
    HISTORY,
    LOOKUP,
    MOVING,
    ORDER,
    PANEL,
    PAST,
    PROPOSAL,
    READING,
    SCENARIO,
    SEARCH,
    SETUP,
    SHIPS,
    START,
    TABLE,
    VOLLEY,
    VOLLEY_SLOT,
)

_WAYS: dict[str | int, str] = {-1: "back", 1: "on"}


@frozen
class Call:
    """What does an action: the method `action_NAME` of the screen or of a widget by id, and its arguments."""

    name: str
    widget: str = ""
    arguments: tuple[str | int, ...] = ()

    @classmethod
    def of(cls, text: str) -> "Call":
        """A call as the table writes it: `list.section(-1)`."""
        path, _, rest = text.partition("(")
        widget, _, name = path.rpartition(".")
        return cls(name, widget, literal_eval(f"({rest[:-1]},)") if rest else ())

    @property
    def slug(self) -> str:
        """The call as a part of an id: `section-back`, `read-why`."""
        arguments = (_WAYS.get(one, str(one)) for one in self.arguments)
        return "-".join((self.name.replace("_", "-"), *arguments))


@frozen
class Action:
    """One thing to do: its keys, its call, a title for footer and palette, a sentence for the help.

    `id` names it where its keys are changed. `enters`: it needs a battle that can be written.
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


def _act(  # noqa: PLR0913 - a row of the table below; its flags are given by name
    keys: str, call: str, title: str, help: str, *places: str, footer: bool = False, palette: bool = False,
    enters: bool = False, id: str = ""
) -> Action:  # fmt: skip
    does, places = Call.of(call), places or (GRID,)
    id = f"{places[0]}.{id or does.slug}"
    return Action(id, tuple(keys.split()), does, title, help, places, footer, palette, enters)


_do = partial(_act, footer=True, palette=True)
"""An action of the battle that the palette lists."""
_enter = partial(_do, enters=True)
"""One that needs a battle that can be written."""
_MOVES = tuple(
    _act(key, f"{widget}.{call}", title, help, *places)
    for widget, places in (("list", (START, SCENARIO, TABLE, SHIPS)), ("order", (ORDER,)))
    for key, call, title, help in (
        ("up", "up", "up", "the line above"),
        ("down", "down", "down", "the line below"),
        ("pageup", "page_up", "page up", "a page up"),
        ("pagedown", "page_down", "page down", "a page down"),
        ("home", "home", "first", "the first line"),
        ("end", "end", "last", "the last line"),
    )
)

_DIGITS = tuple(
    _act(digit, f"orders.type('{digit}')", "dice", "dice of the first owed roll", enters=True)
    for digit in "0123456789"
)

ACTIONS = (
    _enter("o f7", "orders.answer", "owed",
        "answers the first owed roll or question; once more: the next one", GRID),
    _enter("a", "repeat", "again", "the last shot of the ship under the cursor once more, for new dice",
        GRID),
    _enter("F", "volley", "volley", "the shots of the ship's division in one list, dice down the column",
        GRID),
    _enter("u f8", "undo", "undo", "strikes the last act; its order comes back into the bar to be mended",
        GRID),
    _enter("exclamation_mark", "doubt", "doubt", "the last entry is disputed, or no more so", GRID,
        footer=False),
    _enter("r", "redo", "redo", "restores the act struck last", GRID, footer=False),
    _enter("n f6", "next", "next phase", "ends the phase, and says who may still act", GRID),
    _do("h f5", "history", "history", "every act of the log; amend and strike from there", GRID),
    _do("question_mark", "read('why')", "why", "the entries that made the cell under the cursor what it is",
        GRID),
    _enter("e", "edit", "edit cell", "writes on the log by hand: the field under the cursor", GRID),
    _do("s f3", "read('sheet')", "card", "the card and log in full of the ship under the cursor", GRID),
    _do("x tab shift+tab", "grid.other_side", "other side", "the cursor to the other side", GRID),
    _enter("colon", "open_bar", "order", "types an order; what was half typed comes back", GRID),
    _enter("slash", "orders.new_order", "new order", "types an order from its beginning", GRID, footer=False),
    _enter("f2", "force", "force", "enters the refused order all the same, by the umpire's word", GRID, BAR,
        DIALOG),
    _do("f1", "help", "help", "keys, orders and clauses", GRID, BAR, DIALOG, VOLLEY, START, SCENARIO,
        *SETUP, HISTORY, MOVING, PAST),
    _do("f4", "palette", "palette", "every action and order by name", GRID, BAR),
    _do("f9", "theme", "light or dark", "the light theme or the dark one", GRID, BAR, START, SCENARIO,
        *SETUP),
    _do("q f10", "leave", "quit", "leaves; all that was entered is on the disk", GRID, footer=False),
    _enter("k", "keep_cell", "keep in my chart", "keeps the cell just read out in your own chart", GRID,
        footer=False),
    _do("i", "read('charts')", "charts", "the charts of this battle, each cell with its standing", GRID,
        footer=False),
    _do("v", "read('aloud')", "read aloud", "what changed on the table in this turn, large", GRID,
        footer=False),
    _do("equals_sign", "read('report')", "report", "each side's ships as they stand, remarks", GRID,
        footer=False),
    _do("j full_stop", "next_to_act", "who may act",
        "the cursor to the next ship that may act or owes a roll", GRID),
    _do("g", "go_to", "go to", "goes to a ship by letters of its name, its kind, its division or its player",
        GRID),
    _do("y", "grid.sort", "sort", "sorts by the column under the cursor, the other way round, or not", GRID,
        footer=False),
    _do("z", "grid.show_only", "show only", "all, in the battle, who may act, who owes a roll", GRID,
        footer=False),
    _enter("quotation_mark", "remark", "remark", "a remark on the ship under the cursor, for its card", GRID,
        footer=False),
    _act("enter", "finding('take')", "go there", "leaves the cursor on the ship", FIND),
    _act("tab", "finding('only')", "only these", "only the ships that the letters fit; Esc shows all again",
        FIND),
    _act("down", "finding('next')", "next", "the next ship that the letters fit", FIND),
    _act("backspace", "finding('shorten')", "shorten", "takes a letter back", FIND),
    _act("escape", "finding('back')", "back", "puts the cursor back where it was", FIND),
    _act("escape", "drop", "drop", "drops what is half typed; shows all ships again", GRID),
    _act("up", "grid.up", "up", "the ship above", GRID, PAST),
    _act("down", "grid.down", "down", "the ship below", GRID, PAST),
    _act("left", "grid.left", "left", "the column to the left; from the first to the other side", GRID, PAST),
    _act("right", "grid.right", "right", "the column to the right; from the last to the other side", GRID,
        PAST),
    _act("pageup", "grid.page_up", "page up", "a page up", GRID, PAST),
    _act("pagedown", "grid.page_down", "page down", "a page down", GRID, PAST),
    _act("home", "grid.home", "first", "the first ship", GRID, PAST),
    _act("end", "grid.end", "last", "the last ship", GRID, PAST),
    *_DIGITS,
    _act("enter", "submit", "enter", "enters the order; alone: brings a half-typed order back", BAR,
        footer=True),
    _act("tab", "orders.complete", "complete", "takes the first word offered", BAR, footer=True),
    _act("down", "orders.following", "another",
        "the next owed roll, the next field of the cell, or a newer order", BAR),
    _act("f7", "orders.following", "another", "the next owed roll", BAR, id="next-owed"),
    _act("up", "orders.previous", "older", "the owed roll before, or an older order", BAR),
    _act("escape", "set_aside", "put by", "back to the logs; what is typed is kept for `:`", BAR,
        footer=True),
    _act("enter", "advance", "go on", "goes on to what is missing; at the end enters the order", DIALOG,
        footer=True),
    _act("tab", "take_first", "take first", "the first of several ships; else the field below", DIALOG,
        footer=True),
    _act("down", "below", "next field", "the field below", DIALOG, footer=True),
    _act("shift+tab up", "above", "field above", "the field above", DIALOG, footer=True),
    _act("f3", "toggle_flag", "flag", "turns a flag of the order; once more: the next", DIALOG),
    _act("escape", "set_aside", "put by", "closes the dialog; what is filled in is kept", DIALOG,
        footer=True),
    _act("enter", "enter_ready", "enter", "enters the shots that are ready, in the order shown", VOLLEY),
    _act("space", "space", "ends a die", "ends a die; without dice declares the shot, or takes that back",
        VOLLEY),
    _act("up", "step(-1)", "ship above", "the ship above", VOLLEY, VOLLEY_SLOT),
    _act("down", "step(1)", "ship below", "the ship below", VOLLEY, VOLLEY_SLOT),
    _act("t", "target", "target", "names the target of the ship", VOLLEY),
    _act("right", "turn_target(1)", "next", "the next ship of the target's line", VOLLEY),
    _act("left", "turn_target(-1)", "before", "the ship before the target in its line", VOLLEY),
    _act("r", "range", "range", "types the range; Enter alone keeps the one of last turn", VOLLEY),
    _act("b", "battery", "battery", "the next battery that may still act", VOLLEY),
    _act("s", "skip", "skip", "leaves the ship's shot out, or takes it in again", VOLLEY),
    _act("f3", "flag", "flag", "turns a flag of the shot; once more: the next", VOLLEY),
    _act("backspace", "shorten", "rub out", "takes a digit or a letter back", VOLLEY, VOLLEY_SLOT),
    _act("escape", "set_aside", "put by", "closes the volley; what is filled in is kept for this phase",
        VOLLEY),
    _act("enter tab", "take", "take", "takes the range, or the target: the first of several ships",
        VOLLEY_SLOT),
    _act("escape", "leave_slot", "leave it", "leaves the target or the range as it was", VOLLEY_SLOT),
    _act("enter", "accept", "go on", "says yes, or closes what was only to be read", PANEL),
    _act("escape q", "close", "back", "closes the panel and changes nothing", PANEL, footer=True),
    _act("enter", "accept", "back", "closes what was only to be read", LOOKUP),
    _act("escape", "close", "back", "gives the search up, then closes", LOOKUP, footer=True),
    _act("backspace", "delete_letter", "shorten", "takes a letter of the search back", LOOKUP),
    _act("enter space down", "next_line", "next", "the next line; after the last one back", ALOUD),
    _act("up", "previous_line", "before", "the line before", ALOUD),
    _act("escape q", "close", "back", "back to the table of logs", ALOUD),
    _act("v", "aloud", "read aloud", "the same in letters that are read from across the table", READING),
    _act("f2", "carry_over", "carry over", "ends the phase and carries over what is owed or in doubt",
        ENDING),
    _act("up", "scroll_up", "up", "scrolls up", PANEL, LOOKUP),
    _act("down", "scroll_down", "down", "scrolls down", PANEL, LOOKUP),
    _act("pageup", "page_up", "page up", "scrolls a page up", PANEL, LOOKUP),
    _act("pagedown space", "page_down", "page down", "scrolls a page down", PANEL),
    _act("pagedown", "page_down", "page down", "scrolls a page down", LOOKUP),
    _act("b", "branch", "keep as a branch", "does the correction in a new save beside this one, not here",
        PROPOSAL),
    _act("enter", "amend", "change", "the entry in its dialog, to change one slot or die", HISTORY,
        footer=True, enters=True),
    _act("enter", "amend", "put it behind", "puts the entry that is moved behind the one under the cursor",
        MOVING, footer=True, enters=True),
    _act("escape", "back", "leave it", "leaves the entry that is moved where it was", MOVING, footer=True),
    _act("s", "strike", "strike or restore", "takes the act out of force, or back", HISTORY,
        footer=True, enters=True),
    _act("i", "insert", "insert behind", "an order that was forgotten, right behind the entry", HISTORY,
        footer=True, enters=True),
    _act("m", "shift", "move", "moves the entry, dice and all, behind another one", HISTORY,
        footer=True, enters=True),
    _act("u f8", "undo", "undo", "strikes the last act, here or elsewhere", HISTORY, PAST,
        footer=True, enters=True),
    _act("d exclamation_mark", "doubt", "doubt", "marks the entry as disputed, or settles it", HISTORY,
        footer=True, enters=True),
    _act("c", "remark", "remark", "a remark on the entry", HISTORY,
        footer=True, enters=True),
    _act("slash", "search", "search", "words, ship:, kind: and is: narrow the list", HISTORY, PAST,
        footer=True),
    _act("f", "filter_ship", "this ship", "only acts about a ship of the entry; again: the next", HISTORY,
        footer=True),
    _act("k", "filter_kind", "this kind", "only acts of the kind of the one under the cursor", HISTORY,
        footer=True),
    _act("p", "filter_state", "parked", "only parked acts; again: spare, doubted, struck", HISTORY,
        footer=True),
    _act("w", "as_written", "as written",
        "the acts as they were written, corrections too, or as they are played", HISTORY, footer=True),
    _act("tab", "switch_pane", "logs", "changes over between the list and the logs", HISTORY, PAST,
        footer=True),
    _act("x", "grid.other_side", "other side", "the other side's logs", HISTORY, PAST, footer=True),
    _act("question_mark", "why", "why", "the act in full, with the clauses in words", HISTORY, PAST,
        footer=True),
    _act("left_square_bracket comma", "step(-1)", "step back", "the logs as one entry before", HISTORY, PAST,
        footer=True),
    _act("right_square_bracket full_stop", "step(1)", "step on", "the logs as one entry later", HISTORY, PAST,
        footer=True),
    _act("left", "step(-1)", "step back", "the logs as one entry before", HISTORY, id="arrow-back"),
    _act("right", "step(1)", "step on", "the logs as one entry later", HISTORY, id="arrow-on"),
    _act("less_than_sign", "acts.section(-1)", "phase before", "to the phase before", HISTORY),
    _act("greater_than_sign", "acts.section(1)", "next phase", "to the next phase", HISTORY),
    _act("up", "acts.up", "up", "the act above", HISTORY, MOVING),
    _act("down", "acts.down", "down", "the act below", HISTORY, MOVING),
    _act("pageup", "acts.page_up", "page up", "a page up", HISTORY, MOVING),
    _act("pagedown space", "acts.page_down", "page down", "a page down", HISTORY, MOVING),
    _act("home", "acts.home", "first", "the first act", HISTORY, MOVING),
    _act("end", "acts.end", "last", "the last act", HISTORY, MOVING),
    _act("escape", "back", "back", "drops the filter; without one, back to the battle", HISTORY, PAST,
        footer=True),
    _act("h q f5", "leave_history", "leave", "back to the battle", HISTORY, PAST),
    _act("enter", "search_done", "take", "keeps the filter, or enters the remark", SEARCH, footer=True),
    _act("tab", "search_complete", "complete", "takes the first word offered", SEARCH, footer=True),
    _act("up", "acts.up", "up", "the act above", SEARCH),
    _act("down", "acts.down", "down", "the act below", SEARCH),
    _act("escape", "search_drop", "drop", "drops what is typed", SEARCH, footer=True),
    *_MOVES,
    _act("enter", "choose", "open", "opens what is under the cursor", START, footer=True),
    _act("f2", "compose", "set up a battle", "sets up a battle of your own", START, footer=True),
    _act("f3", "change", "change a copy", "a copy of the scenario, to be changed", START, SCENARIO,
        footer=True),
    _act("tab", "list.section(1)", "next part", "the next part of the list", START, footer=True),
    _act("shift+tab", "list.section(-1)", "part before", "the part of the list before", START),
    _act("backspace", "delete_letter", "rub out", "takes back the last letter", START, SHIPS),
    _act("escape", "show_all", "all", "shows all again", START),
    _act("f10", "leave", "quit", "leaves the program", START, footer=True),
    _act("enter", "begin", "begin the battle", "begins the battle, with a save of its own", SCENARIO,
        footer=True),
    _act("escape", "back", "back", "back to the first screen", SCENARIO, footer=True),
    _act("f6", "begin", "begin", "keeps what was set up as a scenario, and begins the battle", *SETUP,
        footer=True),
    _act("enter right space", "catalogue.change_value(1)", "change",
        "the next value, or a text to be written", TABLE, footer=True),
    _act("left", "catalogue.change_value(-1)", "change back", "the value before", TABLE),
    _act("enter", "catalogue.toggle_ship", "in or out",
        "puts the ship into the division above, or takes it off", SHIPS, footer=True),
    _act("right", "catalogue.aim(1)", "division", "the next division to put ships into", SHIPS, footer=True),
    _act("left", "catalogue.aim(-1)", "division before", "the division before", SHIPS),
    _act("enter", "order.rename", "name", "names the side or division; on a ship: takes it off", ORDER,
        footer=True),
    _act("p", "order.player", "player", "who plays the division", ORDER, footer=True),
    _act("d", "order.divide", "division", "one division more on this side", ORDER, footer=True),
    _act("s", "order.add_side", "side", "one side more", ORDER, footer=True),
    _act("x delete backspace", "order.take_off", "off", "takes the ship, division or side off", ORDER,
        footer=True),
    _act("f3", "show_ships", "ships", "the ships of the fleets, to put them in", TABLE, ORDER, footer=True),
    _act("f2", "show_table", "table", "rule system, scale, dice and switches", SHIPS, footer=True),
    _act("f2", "show_table", "table", "rule system, scale, dice and switches", ORDER),
    _act("f4", "show_order", "sides", "sides, divisions and players in the order of battle", TABLE, SHIPS,
        footer=True),
    _act("tab", "next_pane", "next pane", "table, ships, order of battle by turns", *SETUP),
    _act("escape", "back", "back", "back to the first screen; what was set up is kept there", *SETUP,
        footer=True),
    _act("enter", "accept", "take", "takes the text", ENTRY),
    _act("escape", "close", "back", "leaves it as it was", ENTRY),
)  # fmt: skip
