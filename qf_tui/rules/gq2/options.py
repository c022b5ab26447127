"""The switches of General Quarters 2: what only its book says, or what a table may play otherwise."""

from qf_tui.core.system import Option
from qf_tui.core.values import Battle


def _switch(name: str, clause: str, words: tuple[str, ...], text: str, *, measured_only: str = "") -> Option:
    """A switch whose first word is its default."""
    return Option(name, clause, words, words[0], text, measured_only)


OPTIONS = (
    _switch("fire_control", "GQ2-GUN-2", ("2", "1"), "what damaged fire control adds to the straddle die"),
    _switch(
        "odds_rounding",
        "GQ2-GUN-3",
        ("down", "nearest", "up"),
        "the column of a ratio that stands between two",
    ),
    _switch("rapid_bands", "GQ2-GUN-14", ("any", "red"), "the bands in which rapid fire is allowed"),
    _switch(
        "unpenetrated",
        "GQ2-GUN-10",
        ("full", "no-hull"),
        "whether a hit that does not penetrate still damages the hull",
    ),
    _switch(
        "own_fire",
        "GQ2-GUN-12",
        ("counts", "apart"),
        "whether a target counts as fired upon through the firer's own other battery",
    ),
    _switch(
        "ammunition",
        "GQ2-LOG-1",
        ("by-hand", "a-shot"),
        "whether ammunition boxes are marked by hand, or one with each shot",
    ),
    _switch(
        "armament_af",
        "GQ2-LOG-2",
        ("boxes", "by-hand"),
        "whether AF falls with the armament boxes, or the umpire sets it",
    ),
    _switch(
        "rudder_speed",
        "GQ2-CRI-2",
        ("made", "moved"),
        "the speed from which the next turn starts, after turns with a hit rudder: made, or inches moved",
    ),
    _switch(
        "steam_line",
        "GQ2-CRI-C",
        ("made", "box"),
        "the speed that a steam line takes 3 inches off: the one made in its turn, or that of the hull box",
    ),
    _switch(
        "estimated_ranges",
        "GQ2-CHA-2",
        ("yes", "no"),
        "whether a range may be estimated between two that are measured (`~12in`)",
        measured_only="no",
    ),
    _switch(
        "stokers",
        "GQ2-MV-4",
        ("in-a-row", "in-all"),
        "the turns at flank speed that exhaust stokers: those in a row, or all since their last rest",
    ),
    _switch(
        "wander_checks",
        "GQ2-MV-6",
        ("owed", "by-hand"),
        "whether the end of movement asks for the wander checks that are due, or only reminds of them",
    ),
    _switch(
        "sinking_ships",
        "GQ2-SNK-2",
        ("idle", "act"),
        "whether sinking ships go on moving, firing and launching",
    ),
    _switch(
        "aground",
        "GQ2-SNK-3",
        ("fights", "silent"),
        "whether a ship aground fires and launches, or is a target alone",
    ),
    _switch(
        "penetration_level",
        "GQ2-GUN-7",
        ("df", "band"),
        "what a level of penetration is on a stick file: a point of DF, or a band",
    ),
    _switch(
        "torpedo_damage",
        "GQ2-PH-4",
        ("simultaneous", "at-once"),
        "when torpedo damage keeps its ship from launching: from the end of the phase, or at once",
    ),
    _switch(
        "spread",
        "GQ2-TOR-1",
        ("one-die", "die-each"),
        "the dice of a spread: one with -1 a further torpedo, or one a torpedo",
    ),
    _switch("torpedo_zero", "GQ2-TOR-1", ("0", "10"), "what the 0 of a torpedo's die counts"),
    _switch(
        "df_between",
        "GQ2-TOR-5",
        ("left", "right"),
        "the column of mines and torpedoes for a DF that stands between two",
    ),
    _switch(
        "torpedo_critical",
        "GQ2-TOR-3",
        ("penetrated", "not"),
        "whether the critical hit of a torpedo or mine counts as penetrating",
    ),
    _switch(
        "spread_targeting",
        "GQ2-NIT-5",
        ("each", "one"),
        "by night the targeting rolls of a spread: one for each torpedo, or one for all",
    ),
    _switch(
        "one_of_two",
        "GQ2-NIT-2",
        ("that-one", "intended"),
        "who is shot at where two ships off were called and there is only one",
    ),
)


def option(battle: Battle, name: str) -> str:
    """The value of a switch in this battle; one that began before there was the switch goes on as it did."""
    value = battle.options.get(name)
    return str(value) if value is not None else _BEFORE.get(name, _DEFAULTS[name])


_BEFORE = {
    "armament_af": "by-hand",
    "wander_checks": "by-hand",
    "aground": "silent",
    "steam_line": "box",
}
"""What was played before there were these switches."""

_DEFAULTS = {switch.name: switch.default for switch in OPTIONS}
