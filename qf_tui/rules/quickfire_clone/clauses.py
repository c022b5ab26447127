"""The clauses of Quickfire-Clone in our own words, and those that older versions decided otherwise."""

from collections.abc import Mapping

from qf_tui.core.system import ChangedRuling, Option
from qf_tui.rules.quickfire_family.game import (
    GROUNDED,
    STATUS_CLAUSES,
    STATUS_RULINGS,
    asked_of,
    estimated_ranges,
)

CHANGED_RULINGS = (
    *STATUS_RULINGS,
    ChangedRuling("QFC-PH-1", "0.2"),
    ChangedRuling("QFC-MV-1", "0.2", seen_in=("moved", "distance", "went")),
    ChangedRuling("QFC-GUN-5", "0.2"),
    ChangedRuling("QFC-GUN-14", "0.2", seen_in=("QFC-GUN-5",)),
    ChangedRuling("QFC-COL-2", "0.2"),
    ChangedRuling("QFC-COL-3", "0.2", seen_in=("QFC-TOR-2",)),
    ChangedRuling("QFC-BLA-5", "0.2"),
    ChangedRuling("QFC-RUL-11", "0.2"),
    ChangedRuling("QFC-RUL-6", "0.2", seen_in=("choice",)),
    ChangedRuling("QFC-LOG-1", "0.2", seen_in=("mended",)),
)


CLAUSES: Mapping[str, str] = {
    "QFC-PH-1": "A turn has three phases: movement, gunnery with torpedoes, repair with sinking; the players say when it is over.",
    "QFC-PH-2": "Guns and torpedoes of a turn speak at once: a ship acts with what it had as the phase began, and hits stand as slashes until it ends.",
    "QFC-PH-3": "The last phase looks at the fires first, then at the repairs, then at who sinks.",
    "QFC-LOG-1": "A log prints size, gunnery, armour and ROF (heavy and light), torpedo rating, repair points and the speed; it counts eight speed boxes (the last is our inference from the steps of the others), blast hits and the auto shot.",
    "QFC-MV-1": "The topmost speed box that is not marked is the farthest that a ship may go.",
    "QFC-MV-2": "By its own will a ship goes at most two boxes faster or slower than last turn; a first turn is free.",
    "QFC-MV-3": "Templates on the table turn the models; the console does not judge them.",
    "QFC-MV-4": "All ships move together; the log keeps millimetres, and without a record the last speed is assumed, at first the full one.",
    "QFC-COL-1": "Who collides stops there, and neither fires nor launches in that turn's gunnery phase.",
    "QFC-COL-2": "In a collision a white die each, no ROF, arc, auto shot or blast: heavy gunnery of the rammer, light of the rammed, each at armour of its kind; it counts when movement ends, and who stopped launches no torpedoes either. By a switch black dice are thrown too, for the blast of heavy guns.",
    "QFC-COL-3": "Who collided this turn has stopped, and is a static target for torpedoes.",
    "QFC-GUN-1": "Toward bow and stern (60° each) gunnery counts half; on the broadsides (120° each) it is whole.",
    "QFC-GUN-2": "In one gunnery phase a ship uses its heavy or its light rating, never both.",
    "QFC-GUN-3": "A vessel of size 2 or less that moved more than 25 mm is safe from heavy fire.",
    "QFC-GUN-4": "A ship's first fire of the battle needs no ROF roll; black still counts for blast, and one box serves both batteries.",
    "QFC-GUN-5": "The range is estimated first: off the target's base nothing is rolled; on it means within half the base of the measured range. A base that the card states need not be told, and a bare figure is in the unit of its label.",
    "QFC-GUN-6": "Heavy guns reach 240 cm, light guns 120 cm, torpedoes 30 cm, from forward smokestack to forward smokestack. Between two ranges on one side of 120 cm one may be estimated (`~110cm`), unless a switch wants all measured.",
    "QFC-GUN-7": "Black at or below the ROF of the battery lets it fire.",
    "QFC-GUN-8": "White at or below the cell of gunnery and armour is one hit; heavy meets heavy armour, light meets light.",
    "QFC-GUN-9": "An odd white die hits guns (G), an even one engines (S).",
    "QFC-GUN-10": "G takes a point of ROF.",
    "QFC-GUN-11": "Ships, their bases and land hide a target from guns and torpedoes.",
    "QFC-GUN-12": "Everybody writes down firer, target and estimate unseen before the first of them is worked out.",
    "QFC-GUN-14": "What counts of a base is what lies along the line of fire: its length where the target is seen end-on, its breadth abeam (a quarter of the length unless the card states it); asked only where the two part on and off the base. A base typed with the shot is along the line of fire already.",
    "QFC-TOR-1": "In the gunnery phase a ship with a torpedo rating may launch at one target within 30 cm that it can see.",
    "QFC-TOR-2": "Three dice at or below the number for the rating strike: 3 to 6 at a target that moved over 2 cm, one more at a static one.",
    "QFC-TOR-3": "A strike costs as many S as one more die shows.",
    "QFC-TOR-4": "A torpedo rating is 4 at most; a card with more is refused.",
    "QFC-BLA-1": "When heavy fire did damage, black and white together may add to it: over 120 cm F on 3 and 4, else F, R, B, E on 2 to 5.",
    "QFC-BLA-2": "Explosion, two dice: 2-7 two G, 8-11 two S, 12 a fire, four S and two G.",
    "QFC-BLA-3": "Blast hit, two dice: 2-7 R, 8-11 T, 12 D.",
    "QFC-BLA-4": "D takes the helm until it is repaired; one die: 1-2 full turn left, 3-4 straight ahead, 5-6 full turn right.",
    "QFC-BLA-5": "T takes a point of the torpedo rating, R a repair point, F lights a fire; with nothing left T and R do nothing.",
    "QFC-REP-1": "Each fire (by a switch each ship, for all its fires) is checked with two dice, free of charge: 2-7 burns on, 8-11 out, 12 one S.",
    "QFC-REP-2": "A repair is two dice, as often as points are left: 2-7 one G or one S by choice, 8-11 one S, 12 nothing.",
    "QFC-SNK-1": "With no speed box left a ship rolls two dice, one off for each fire and for each S beyond the eighth.",
    "QFC-SNK-2": "At or below 2 (size 11 and more), 3 (7-10), 4 (4-6), 5 (2-3) or 6 (1) it sinks, and then takes no orders and is no target.",
    "QFC-RUL-1": "Ruling: the fire that small fast vessels are safe from is heavy fire.",
    "QFC-RUL-2": "Ruling: light fire and torpedoes bring no blast damage.",
    "QFC-RUL-3": "Ruling: half a gunnery value goes down to the next column; ½ stays ½.",
    "QFC-RUL-4": "Ruling: what lies beyond 16 is read at 16.",
    "QFC-RUL-5": "Ruling: ROF 0 fires no more, auto shot or not.",
    "QFC-RUL-6": "Ruling: a D is repaired where a G would be, on 2-7, the newest first, and the helm is free when none is left; a choice with nothing left to fix lapses and keeps its point.",
    "QFC-RUL-7": "Ruling: G falls on the kind of battery that fired, at zero on the other, then on nothing; an explosion's two G fall on heavy, then light.",
    "QFC-RUL-8": "Ruling: a repair roll uses its point up, whatever it shows.",
    "QFC-RUL-9": "Ruling: one launch a turn, beside the guns; the D die is thrown once; a fire that costs speed burns on.",
    "QFC-RUL-10": "Ruling: below size 1 the row of 1 counts; armour between two rows uses the lower one.",
    "QFC-RUL-11": "Ruling: a size between two rows counts as the lower row: 10½ sinks as 7-10.",
    **STATUS_CLAUSES,
}


def _switch(name: str, clause: str, text: str, *values: str) -> Option:
    """A switch whose first value is the default."""
    return Option(name, clause, values, values[0], text)


OPTIONS = (
    GROUNDED,
    _switch(
        "missed_estimate_spends",
        "QFC-GUN-4",
        "whether a shot whose estimate missed the base uses the auto shot up",
        "no",
        "yes",
    ),
    _switch(
        "collision_blast",
        "QFC-COL-2",
        "whether a collision rolls black dice too, for the blast of heavy guns",
        "no",
        "yes",
    ),
    _switch(
        "fire_checks",
        "QFC-REP-1",
        "whether each fire of a ship is checked, or all of them with one roll",
        "each-fire",
        "each-ship",
    ),
    _switch(
        "r_without_points",
        "QFC-BLA-5",
        "what R does to a ship without repair points",
        "nothing",
        "fire",
    ),
    _switch(
        "small_fast_safe_from",
        "QFC-RUL-1",
        "the fire that small fast vessels are safe from",
        "heavy",
        "light",
        "both",
    ),
    _switch("light_blast", "QFC-RUL-2", "whether light fire brings blast damage too", "no", "yes"),
    _switch("half_rounds", "QFC-RUL-3", "where half a gunnery value between two columns goes", "down", "up"),
    _switch(
        "beyond_chart",
        "QFC-RUL-4",
        "gunnery or armour above 16: read at 16, or both values brought down in proportion",
        "edge",
        "in-proportion",
    ),
    _switch("auto_shot_at_rof_0", "QFC-RUL-5", "whether an auto shot needs no ROF left", "no", "yes"),
    _switch("course_repaired_on", "QFC-RUL-6", "the totals that may repair a D", "2-7", "2-11"),
    _switch(
        "g_falls_on",
        "QFC-RUL-7",
        "the battery whose ROF a G takes: of the kind that fired, or heavy first",
        "as-fired",
        "heavy",
    ),
    _switch("g_at_zero", "QFC-RUL-7", "what a G does when that ROF is zero", "other", "nothing"),
    _switch(
        "explosion_g",
        "QFC-RUL-7",
        "where an explosion's two G fall: heavy and light in turn, or both on heavy",
        "in-turn",
        "heavy",
    ),
    _switch("repair_point", "QFC-RUL-8", "what uses a repair point up", "each-roll", "success"),
    _switch("launches", "QFC-RUL-9", "torpedo launches of a ship in a turn", "one", "one-a-target"),
    _switch(
        "torpedoes_beside_guns", "QFC-RUL-9", "whether a ship may fire and launch in one turn", "yes", "no"
    ),
    _switch("direction_die", "QFC-RUL-9", "when the die of a D is thrown", "once", "each-turn"),
    _switch(
        "speed_loss_fire", "QFC-RUL-9", "what becomes of a fire that costs speed", "burns-on", "goes-out"
    ),
    _switch(
        "below_size_1",
        "QFC-RUL-10",
        "how vessels below size 1 sink: by the row of 1, or without a roll",
        "row-of-1",
        "no-roll",
    ),
    estimated_ranges("QFC-GUN-6", "a measured range may be estimated", "110cm"),
    _switch("armor_between", "QFC-RUL-10", "the row of an armour between two rows", "lower", "higher"),
    _switch("size_between", "QFC-RUL-11", "the row of a size between two rows", "lower", "higher"),
)

option = asked_of(OPTIONS)
"""The value of a switch in a battle."""
