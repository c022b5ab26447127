"""The places of a battle where keys mean something, and how they lie within each other."""

GRID, BAR, DIALOG, PANEL, START = "grid", "bar", "dialog", "panel", "start"
HISTORY, MOVING, PAST, SEARCH, PROPOSAL = "history", "moving", "past", "search", "proposal"
FIND, ENDING, LOOKUP, ALOUD, READING = "find", "ending", "lookup", "aloud", "reading"
REPORT, ROOM = "report", "room"
VOLLEY, VOLLEY_SLOT = "volley", "volley-slot"
COURT, BOARD = "court", "board"
PLACES = {
    GRID: "on the logs",
    FIND: "while a ship is looked for",
    BAR: "in the order bar",
    DIALOG: "in a dialog",
    VOLLEY: "in a volley",
    VOLLEY_SLOT: "in a volley, while a target or range is typed",
    PANEL: "in a panel",
    LOOKUP: "in the help and the charts",
    REPORT: "in the report",
    COURT: "in the rules court",
    BOARD: "on the board of the players",
    READING: "on a list for the table",
    ROOM: "on the page for across the room",
    ALOUD: "while it is read aloud",
    ENDING: "where the end of a phase is asked about",
    PROPOSAL: "where a correction is shown before it happens",
    HISTORY: "in the history",
    MOVING: "in the history, while an entry is moved",
    PAST: "on the logs of the history",
    SEARCH: "in the line of the history",
}
"""The places of a battle where keys mean something, in words."""
SCENARIO, TABLE, SHIPS, ORDER, ENTRY = "scenario", "table", "ships", "order", "entry"
SETTINGS, NAVIES, YARD = "settings", "navies", "yard"
SIMULATION = "simulation"
BEFORE = {
    START: "on the first screen",
    SCENARIO: "on a scenario",
    SIMULATION: "on battles by the thousand",
    TABLE: "in the set-up, on the table and its switches",
    SHIPS: "in the set-up, among the ships of the fleets",
    ORDER: "in the set-up, on the order of battle",
    ENTRY: "where a text is written",
    SETTINGS: "on the settings",
    NAVIES: "among the ships of all navies",
    YARD: "in the shipyard",
}
"""The places before a battle."""
SETUP = (TABLE, SHIPS, ORDER)


WITHIN = {ENDING: PANEL, PROPOSAL: PANEL, READING: PANEL}
"""Places that have the keys of another one too."""
TYPED_IN = (FIND, BAR, DIALOG, VOLLEY_SLOT, LOOKUP, REPORT, SEARCH, START, SHIPS, ENTRY, NAVIES, YARD)
"""Places where letters are text."""
