"""The one table of actions, place by place; keys, footer, palette and help all come from it.

Keys are letters, digits, F1 to F10, Enter, Escape, Tab and arrows: what every terminal passes on.
"""

from ast import literal_eval
from functools import partial

from attrs import frozen

GRID, BAR, DIALOG, PANEL, START = "grid", "bar", "dialog", "panel", "start"
HISTORY, MOVING, PAST, SEARCH, PROPOSAL = "history", "moving", "past", "search", "proposal"
FIND, ENDING, LOOKUP, ALOUD, READING = "find", "ending", "lookup", "aloud", "reading"
REPORT, ROOM = "report", "room"
VOLLEY, VOLLEY_SLOT = "volley", "volley-slot"
COURT, BOARD, SEATS, TRAY = "court", "board", "seats", "tray"
PLACES = {
    GRID: "on the logs",
    FIND: "while looking for a ship",
    BAR: "in the order bar",
    DIALOG: "in a dialog",
    VOLLEY: "in a volley",
    VOLLEY_SLOT: "in a volley, while typing a target or a range",
    PANEL: "in a panel",
    LOOKUP: "in the help and the charts",
    REPORT: "in the report",
    COURT: "in the rules court",
    BOARD: "on the board of the players",
    SEATS: "among the players who may propose",
    TRAY: "in the tray",
    READING: "on a list for the table",
    ROOM: "on the wall display",
    ALOUD: "while reading aloud",
    ENDING: "when a phase is about to end",
    PROPOSAL: "in the preview of a correction",
    HISTORY: "in the history",
    MOVING: "in the history, while moving an entry",
    PAST: "on the logs of the history",
    SEARCH: "in the search line of the history",
}
"""The places of a battle where keys mean something, in words."""
SCENARIO, TABLE, SHIPS, ORDER, ENTRY = "scenario", "table", "ships", "order", "entry"
SETTINGS, NAVIES, YARD = "settings", "navies", "yard"
SIMULATION = "simulation"
BEFORE = {
    START: "on the first screen",
    SCENARIO: "on a scenario",
    SIMULATION: "in the simulation",
    TABLE: "in the set-up, on the table and its switches",
    SHIPS: "in the set-up, among the ships of the fleets",
    ORDER: "in the set-up, on the order of battle",
    ENTRY: "while typing a text",
    SETTINGS: "in the settings",
    NAVIES: "among the ships of all navies",
    YARD: "in the shipyard",
}
"""The places before a battle."""
SETUP = (TABLE, SHIPS, ORDER)


WITHIN = {ENDING: PANEL, PROPOSAL: PANEL, READING: PANEL}
"""Places that have the keys of another one too."""
TYPED_IN = (FIND, BAR, DIALOG, VOLLEY_SLOT, LOOKUP, REPORT, SEARCH, START, SHIPS, ENTRY, NAVIES, YARD)
"""Places where letters are text."""


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


def act(  # noqa: PLR0913 - a row of the table below; its flags are given by name
    keys: str, call: str, title: str, help: str, *places: str, footer: bool = False, palette: bool = False,
    enters: bool = False, id: str = ""
) -> Action:  # fmt: skip
    """A row of the table of actions, its keys in one text."""
    does, places = Call.of(call), places or (GRID,)
    # `section-back`, `read-why`.
    arguments = (_WAYS.get(value, str(value)) for value in does.arguments)
    id = id or "-".join((does.name.replace("_", "-"), *arguments))
    return Action(
        f"{places[0]}.{id}", tuple(keys.split()), does, title, help, places, footer, palette, enters
    )


_foot = partial(act, footer=True)
"""An action that the line at the foot names."""
_do = partial(_foot, palette=True)
"""One of the battle that the palette lists too."""
_enter = partial(_do, enters=True)
"""One that needs a battle that can be written."""
_palette = partial(act, palette=True)
"""One that the palette alone lists."""
_LISTS = (START, SCENARIO, SIMULATION, TABLE, SHIPS, SETTINGS, NAVIES, REPORT, COURT, SEATS, TRAY)


def _moves(widget: str, what: str, *places: str, page: str = "pagedown") -> tuple[Action, ...]:
    """What moves the cursor of a list; `page` are the keys for a page down."""
    return (
        act("up", f"{widget}.step(-1)", "up", f"the {what} above", *places, id="up"),
        act("down", f"{widget}.step(1)", "down", f"the {what} below", *places, id="down"),
        act("pageup", f"{widget}.page(-1)", "page up", "a page up", *places, id="page-up"),
        act(page, f"{widget}.page(1)", "page down", "a page down", *places, id="page-down"),
        act("home", f"{widget}.home", "first", f"the first {what}", *places),
        act("end", f"{widget}.end", "last", f"the last {what}", *places),
    )


_GRID_MOVES = _moves("grid", "ship", GRID, PAST)

ACTIONS = (
    _enter("o f7", "orders.answer", "owed",
        "answers the first owed roll or question; once more: the next one"),
    _enter("a", "repeat", "again", "repeats the last shot of the ship under the cursor, with new dice"),
    _enter("F", "volley", "volley", "the shots of the ship's division in one list, by columns"),
    _enter("u f8", "undo", "undo", "strikes the last entry, after showing what that changes; or changes it"),
    _enter("exclamation_mark", "doubt", "doubt",
        "marks the last entry as disputed, or settles it", footer=False),
    _enter("r", "redo", "redo",
        "restores the entry struck last, after showing what that changes", footer=False),
    _enter("n f6", "next", "next phase", "ends the phase, and says who may still act"),
    _do("h f5", "history", "history", "every entry of the log; amend and strike from there"),
    _do("question_mark", "read('why')", "why", "the entries behind the cell under the cursor"),
    _enter("e", "edit", "edit cell", "overwrites the field under the cursor"),
    _do("s f3", "read('sheet')", "card", "the full card and log of the ship under the cursor"),
    _do("x tab shift+tab", "grid.other_side", "other side", "the cursor to the other side"),
    _enter("colon", "open_bar", "order", "types an order, or goes on with an unfinished one"),
    _enter("slash", "orders.type('')", "new order", "types an order from its beginning", footer=False,
        id="new-order"),
    _enter("f2", "force", "overrule", "enters the refused order anyway", GRID, BAR,
        DIALOG, HISTORY),
    _do("f1", "help", "help", "keys, orders and clauses", GRID, BAR, DIALOG, VOLLEY, START, SCENARIO,
        SIMULATION, *SETUP, NAVIES, YARD, HISTORY, MOVING, PAST, REPORT, COURT, SEATS, TRAY),
    _do("f4", "palette", "palette", "every action and order by name", GRID, BAR),
    _do("f9", "theme", "light or dark", "the light theme or the dark one", GRID, BAR, ROOM, START, SCENARIO,
        SIMULATION, *SETUP, NAVIES, YARD, REPORT, COURT, SEATS, TRAY),
    _palette("q f10", "leave", "quit", "leaves the program; everything is saved"),
    _enter("k", "keep_cell", "keep in my chart", "saves the cell just read out to your own chart",
        footer=False),
    _palette("", "other_battle", "other battle", "back to the first screen, to open or begin another battle"),
    _enter("", "ships", "ships", "ships of all navies: facts and values; any of them may join",
        footer=False),
    _enter("", "branch", "branch", "copies the save beside this one, as a branch to open later",
        footer=False),
    _enter("N", "carry", "next battle", "the next battle, from the ships that come out of this one",
        footer=False),
    _enter("", "save_as", "save as", "copies the save under another name, and goes on in the copy",
        footer=False),
    _enter("", "show_seal", "seal", "the seal of sealed dice, and the words given", footer=False),
    _palette("", "read('witness')", "witness", "eight words that stand for the whole log, for each phase"),
    _palette("comma", "settings", "settings", "theme, signs, colours and the rest"),
    _palette("i", "read('charts')", "charts", "the charts of this battle, and where each cell comes from"),
    _palette("v", "wall_display", "wall display",
        "turn, last entry, what to throw and to change, in large letters", id="read-aloud"),
    _palette("equals_sign", "read('report')", "report", "how the ships stand, and the story of the battle"),
    _do("j full_stop", "next_to_act", "next to act", "the next ship still to act, or that owes a roll"),
    _palette("L", "sheets", "log sheets", "writes log sheets of the battle as it stands, to print"),
    _do("g", "go_to", "go to", "goes to a ship by letters of its name, kind, division or player"),
    _palette("y", "grid.sort", "sort",
        "sorts by the column under the cursor, the other way round, or not at all"),
    _palette("z", "grid.show_only", "show only", "all, in the battle, still to act, who owes a roll"),
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
    _foot("enter", "submit", "enter", "enters the order; with nothing typed, back to the logs", BAR),
    _foot("tab", "orders.complete", "complete", "takes the first word offered", BAR),
    act("down", "orders.another(1)", "another",
        "the next owed roll, the next field of the cell, or a newer order", BAR, id="following"),
    act("f7", "orders.another(1)", "another", "the next owed roll", BAR, id="next-owed"),
    act("up", "orders.another(-1)", "older", "the owed roll before, or an older order", BAR, id="previous"),
    _foot("escape", "set_aside", "set aside", "back to the logs; what is typed is kept for `:`", BAR),
    _foot("enter", "advance", "next", "goes to what is missing; when complete, enters the order", DIALOG),
    _foot("tab", "take_first", "take first", "the first of several ships; else the field below", DIALOG),
    _foot("down", "step(1)", "next field", "the field below", DIALOG, id="below"),
    _foot("shift+tab up", "step(-1)", "field above", "the field above", DIALOG, id="above"),
    act("f3", "toggle_flag", "flag", "turns a flag of the order; once more: the next", DIALOG),
    act("f7", "declare", "dice later",
        "leaves the dice for later: Enter declares the order; or says that the dice typed are all", DIALOG),
    _foot("escape", "set_aside", "set aside", "closes the dialog; what is filled in is kept", DIALOG),
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
    act("f3", "turn('flag')", "flag", "turns a flag of the shot; once more: the next", VOLLEY, id="flag"),
    act("backspace", "turn('back')", "delete", "deletes a die or a character, or a whole range", VOLLEY,
        VOLLEY_SLOT, id="shorten"),
    act("escape", "set_aside", "set aside",
        "drops what is typed; else closes the volley, which is kept for this phase",
        VOLLEY, VOLLEY_SLOT),
    act("enter", "accept", "go on", "says yes, or closes the panel", PANEL),
    _foot("escape q", "close", "back", "closes the panel and changes nothing", PANEL),
    act("enter", "accept", "back", "closes it", LOOKUP),
    _foot("escape", "close", "back", "clears the search, then closes", LOOKUP),
    act("backspace", "delete_letter", "delete letter", "deletes a letter of the search", LOOKUP),
    _foot("v", "read('announcements')", "all to read aloud",
        "all there is to throw, and all that has changed on the table this turn", ROOM,
        id="read-aloud"),
    _foot("escape", "back", "back", "back to the logs", ROOM),
    _foot("q f10", "leave", "leave", "leaves the wall display, or a battle that is only watched", ROOM),
    act("enter space down", "line(1)", "next", "the next line; after the last one back", ALOUD,
        id="next-line"),
    act("up", "line(-1)", "before", "the line before", ALOUD, id="previous-line"),
    act("escape q", "close", "back", "back to the list", ALOUD),
    act("v", "aloud", "read aloud", "the same in letters to be read from across the table", READING),
    act("T", "tray", "tray", "what players propose and declare: let it in, or send it back", palette=True,
        enters=True),
    _foot("enter", "let_in", "let in", "enters the proposal as it is shown; of a player: declares for him",
        TRAY),
    _foot("A a", "let_in_all", "all as shown",
        "enters all that come out as their players were shown; what else there is waits", TRAY),
    _foot("x", "send_back", "send back", "sends the proposal back with a word", TRAY),
    _foot("X", "send_back_at_once", "back at once",
        "sends the proposal back at once, with what stands against it", TRAY),
    _foot("n f6", "next", "next phase", "ends the phase, and stays in the tray", TRAY),
    _foot("f2", "force", "overrule", "enters what only a rule refuses", TRAY),
    _foot("d", "declarations", "declarations", "opens declarations for the phase, or closes them", TRAY),
    _foot("t", "declare", "declare for", "types a declaration for the player under the cursor", TRAY),
    _foot("v", "reveal", "look", "shows what a player has declared; that you looked is kept", TRAY),
    act("question_mark", "why", "why", "the clauses by which it is refused", TRAY),
    _foot("escape q", "back", "back", "back to the logs; what waits goes on waiting", TRAY),
    act("B", "board", "board", "the players' phones follow the battle: on and off, the links to it",
        palette=True, enters=True),
    act("enter", "accept", "on or off", "starts the board, or stops it", BOARD),
    act("l", "reach", "reach", "this computer only, or its whole network", BOARD),
    act("s", "turn", "shows", "all at once, each side its own ships, or each phase as it ends", BOARD),
    act("right tab", "link(1)", "next link", "the link of the next side, with its code", BOARD),
    act("left shift+tab", "link(-1)", "link before", "the link of the side before", BOARD),
    act("p", "players", "players", "links that may propose: on and off, devices, ships", BOARD),
    act("n", "renew", "new links", "new links; the old ones stop working", BOARD),
    act("escape q", "close", "back", "back to the logs; a board that is on stays on", BOARD),
    _foot("enter", "let_device_in", "let in", "lets the phone in that shows this code", SEATS),
    _foot("p", "propose", "propose", "links that may propose: on or off", SEATS),
    _foot("r", "rolls", "rolls", "owed rolls as their players saw them enter by themselves, or not", SEATS),
    _foot("h", "hand", "hand a ship", "hands a ship to the player", SEATS),
    _foot("x", "revoke", "revoke", "another link for the player; the old one and its phone are out", SEATS),
    _foot("escape q", "back", "back", "back to the board", SEATS),
    act("f2", "carry_over", "carry over", "ends the phase and carries over what is owed or in doubt", ENDING),
    act("up", "scroll(-1)", "up", "scrolls up", PANEL, LOOKUP, id="scroll-up"),
    act("down", "scroll(1)", "down", "scrolls down", PANEL, LOOKUP, id="scroll-down"),
    act("pageup", "page(-1)", "page up", "scrolls a page up", PANEL, LOOKUP, id="page-up"),
    act("pagedown space", "page(1)", "page down", "scrolls a page down", PANEL, id="page-down"),
    act("pagedown", "page(1)", "page down", "scrolls a page down", LOOKUP, id="page-down"),
    act("b", "branch", "save as a branch", "applies the correction in a new save beside this one, not here",
        PROPOSAL),
    act("a", "change", "change it", "changes the entry that would be undone, in its dialog", PROPOSAL),
    _foot("enter", "amend", "change", "opens the entry in its dialog, to change a slot or a die", HISTORY,
        enters=True),
    _foot("enter", "amend", "put it after", "puts the entry after the one under the cursor",
        MOVING, enters=True),
    _foot("escape", "back", "leave it", "leaves the entry where it was", MOVING),
    _foot("s", "strike", "strike or restore", "takes the entry out of force, or back", HISTORY, enters=True),
    _foot("i", "insert", "insert after", "a forgotten order, right after the entry", HISTORY,
        enters=True),
    _foot("m", "shift", "move", "moves the entry, dice and all, after another one", HISTORY, enters=True),
    _foot("u f8", "undo", "undo", "strikes the last entry, here or elsewhere", HISTORY, PAST, enters=True),
    _foot("d exclamation_mark", "doubt", "doubt", "marks the entry as disputed, or settles it", HISTORY,
        enters=True),
    _foot("c", "remark", "remark", "a remark on the entry", HISTORY, enters=True),
    _foot("slash", "search", "search", "words, ship:, kind: and is: narrow the list", HISTORY, PAST),
    _foot("f", "filter_ship", "this ship", "only entries about a ship of this one; again: the next", HISTORY),
    _foot("k", "filter_kind", "this kind", "only entries of the kind of the one under the cursor", HISTORY),
    _foot("p", "filter_state", "parked", "only parked entries; again: spare, doubted, struck", HISTORY),
    _foot("w", "as_written", "original wording",
        "the entries as first written, corrections too, or as they are played", HISTORY),
    _foot("tab", "switch_pane", "logs", "switches between the list and the logs", HISTORY, PAST),
    _foot("x", "grid.other_side", "other side", "the other side's logs", HISTORY, PAST),
    _foot("question_mark", "why", "why", "the entry in full, with the clauses in words", HISTORY, PAST),
    _foot("left_square_bracket comma", "step(-1)", "step back", "the logs as one entry before", HISTORY,
        PAST),
    _foot("right_square_bracket full_stop", "step(1)", "step on", "the logs as one entry later", HISTORY,
        PAST),
    act("left", "step(-1)", "step back", "the logs as one entry before", HISTORY, id="arrow-back"),
    act("right", "step(1)", "step on", "the logs as one entry later", HISTORY, id="arrow-on"),
    act("less_than_sign", "acts.section(-1)", "phase before", "to the phase before", HISTORY),
    act("greater_than_sign", "acts.section(1)", "next phase", "to the next phase", HISTORY),
    *_moves("acts", "entry", HISTORY, MOVING, page="pagedown space"),
    _foot("escape", "back", "back", "drops the filter; without one, back to the battle", HISTORY, PAST),
    act("h q f5", "close", "leave", "back to the battle", HISTORY, PAST, id="leave-history"),
    _foot("enter", "search_done", "take", "keeps the filter, or enters the remark", SEARCH),
    _foot("tab", "search.complete", "complete", "takes the first word offered", SEARCH, id="search-complete"),
    act("up", "acts.step(-1)", "up", "the entry above", SEARCH, id="up"),
    act("down", "acts.step(1)", "down", "the entry below", SEARCH, id="down"),
    _foot("escape", "search_drop", "cancel", "cancels what is typed", SEARCH),
    *_moves("list", "line", *_LISTS),
    *_moves("order", "line", ORDER),
    _foot("enter", "choose", "open", "opens what is under the cursor", START),
    _foot("f2", "compose", "set up a battle", "sets up a battle of your own", START),
    _foot("f3", "change", "copy and edit", "a copy of the scenario to edit", START, SCENARIO),
    act("tab", "list.section(1)", "next part", "the next part of the list", START),
    act("shift+tab", "list.section(-1)", "part before", "the part of the list before", START),
    act("backspace", "delete_letter", "delete letter", "deletes the last letter", START, SHIPS, NAVIES),
    _foot("f5", "settings", "settings", "theme, signs, colours and the rest", START),
    act("f6", "read_again", "read again", "reads all files again: scenarios, rule books, saves", START),
    _foot("f7", "ships", "ships", "ships of all navies, and those of your own", START),
    act("escape", "show_all", "all", "shows all again", START),
    _foot("f10", "leave", "quit", "leaves the program", START),
    _foot("f4", "campaign", "campaign", "all saves as one campaign: calendar, squadrons, misfits", START),
    _foot("f8", "careers", "careers", "what every ship and player did in all your saves", START),
    _foot("enter", "begin", "begin the battle", "begins the battle, with a save of its own", SCENARIO),
    _foot("r f2", "change_rules", "rules",
        "the next rule system for the scenario, and what it leaves out", SCENARIO),
    _foot("c f4", "change_crews", "crews", "crews and shells as built, or as the scenario states them",
        SCENARIO),
    _foot("s f5", "simulate", "play it out", "a thousand battles: who wins, when, and at what cost",
        SCENARIO),
    _foot("f8", "stop", "stop", "stops the battles and keeps what is known", SIMULATION),
    _foot("m f2", "play('median')", "play the median", "plays the median battle again, into a save to open",
        SIMULATION),
    _foot("l f3", "play('luckiest')", "the luckiest",
        "plays the battle that the dice made most unlike the others, into a save to open", SIMULATION),
    _foot("escape q", "back", "back", "stops the battles and goes back", SIMULATION),
    _foot("escape", "back", "back", "back to the first screen", SCENARIO),
    _foot("f6", "begin", "begin", "saves the set-up as a scenario and begins the battle", *SETUP),
    _foot("enter right space", "catalogue.change_value(1)", "change",
        "the next value, or a text to type", TABLE),
    act("left", "catalogue.change_value(-1)", "change back", "the value before", TABLE),
    _foot("enter", "catalogue.toggle_ship", "add or remove",
        "puts the ship into the division above, or takes it off", SHIPS),
    _foot("right", "catalogue.aim(1)", "division", "the next division to put ships into", SHIPS),
    act("left", "catalogue.aim(-1)", "division before", "the division before", SHIPS),
    _foot("enter", "order.rename", "name", "names the side or division", ORDER),
    act("left_square_bracket shift+up", "order.move(-1)", "ship up", "the ship one place up", ORDER),
    act("right_square_bracket shift+down", "order.move(1)", "ship down", "the ship one place down", ORDER),
    _foot("p", "order.player", "player", "who plays the division", ORDER),
    _foot("d", "order.divide", "division", "another division on this side", ORDER),
    _foot("s", "order.add_side", "side", "another side", ORDER),
    _foot("x delete", "order.take_off", "off", "takes the ship, division or side off", ORDER),
    _foot("f3", "show('ships')", "ships", "the ships of the fleets, to add some", TABLE, ORDER),
    _foot("f2", "show('table')", "table", "rule system, scale, dice and switches", SHIPS),
    act("f2", "show('table')", "table", "rule system, scale, dice and switches", ORDER),
    _foot("f4", "show('order')", "sides", "sides, divisions and players in the order of battle", TABLE,
        SHIPS),
    act("tab", "next_pane", "next pane", "table, ships, order of battle in turn", *SETUP),
    _foot("escape", "back", "back", "back to the first screen, which keeps the set-up", *SETUP),
    _foot("enter right space", "change(1)", "change", "the next value, or a text to type", SETTINGS),
    _foot("left", "change(-1)", "change back", "the value before", SETTINGS),
    _foot("escape q", "back", "back", "back to where you were", SETTINGS),
    _foot("enter question_mark", "explain", "why", "the entry behind the line: dice, cells, clauses",
        REPORT),
    _foot("tab", "part(1)", "next part", "the next part of the report", REPORT),
    act("shift+tab", "part(-1)", "part before", "the part of the report before", REPORT),
    _foot("f2", "write('html')", "page", "writes the report as a web page and says where", REPORT),
    _foot("f3", "write('markdown')", "forum", "writes the report as Markdown and says where", REPORT),
    _foot("f6", "court", "court", "the same dice under other switches and chart cells", REPORT),
    _foot("f8", "stop", "stop", "stops the report, or starts it again", REPORT),
    act("backspace", "delete_letter", "delete letter", "deletes a letter of the search", REPORT),
    _foot("escape", "back", "back", "clears the search, then back to the battle", REPORT),
    _foot("enter", "read", "all",
        "all that is known of the ship, and its values in every rule system", NAVIES),
    _foot("f6", "join", "join", "adds the ship to the battle", NAVIES),
    _foot("f2", "new", "new", "a new ship of your own", NAVIES),
    _foot("f3", "copy", "sister", "a ship of your own, copied from this one", NAVIES),
    _foot("f4", "edit", "change",
        "changes the ship; a shipped one becomes your own copy, which wins", NAVIES),
    act("f8 delete", "delete", "delete", "deletes a row of your own", NAVIES),
    _foot("right", "system(1)", "rules", "the values of the next rule system", NAVIES),
    act("left", "system(-1)", "rules before", "the values of the rule system before", NAVIES),
    act("tab", "list.section(1)", "navy", "the next navy", NAVIES),
    act("shift+tab", "list.section(-1)", "navy before", "the navy before", NAVIES),
    _foot("escape", "back", "back", "shows all again; then back to where you were", NAVIES),
    _foot("enter tab down", "walk(1)", "next", "the next field", YARD),
    act("shift+tab up", "walk(-1)", "before", "the field before", YARD),
    act("pagedown", "page(1)", "page down", "a page down", YARD),
    act("pageup", "page(-1)", "page up", "a page up", YARD),
    act("left", "caret(-1)", "left", "a letter to the left", YARD),
    act("right", "caret(1)", "right", "a letter to the right", YARD),
    act("backspace", "delete_letter", "delete", "deletes a letter, or all of an untouched text", YARD),
    _foot("f2", "system", "rules", "the values of the next rule system", YARD),
    _foot("f4", "change_pane", "values", "to the values, to set one by hand, or back to the facts",
        YARD),
    _foot("f6", "keep", "keep", "saves the ship among your own", YARD),
    _foot("escape", "back", "back", "back to the ships; asks before unsaved changes are lost", YARD),
    act("C", "read('court')", "rules court", "the same dice under other switches and chart cells",
        palette=True),
    _foot("enter", "choose", "what changes", "all that the variant changes: entries, ships, dice owed",
        COURT),
    _foot("b f2", "branch", "branch", "a new save beside this one, with the variant from the start", COURT,
        enters=True),
    _foot("tab", "list.section(1)", "next part", "the switches, or the cells", COURT),
    _foot("s f8", "stop", "stop", "stops the work, or resumes it", COURT),
    _foot("escape q", "back", "back", "back to the battle; the work goes on", COURT),
    act("enter", "accept", "take", "takes the text", ENTRY),
    act("escape", "close", "back", "leaves it as it was", ENTRY),
)  # fmt: skip
