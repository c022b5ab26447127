"""The clauses (numbered rules in our own words) and switches of Quickfire-Clone.

Also here: the clauses that older versions of this program decided differently.
"""

from collections.abc import Mapping

from qf_tui.core.declarations import ChangedRuling, parse_switches
from qf_tui.rules.quickfire_family.game import (
    GROUNDED,
    STATUS_CLAUSES,
    build_estimated_ranges_switch,
    build_option_reader,
)
from qf_tui.rules.quickfire_family.ledger import ORDERED_PHASE

CHANGED_RULINGS = (
    ChangedRuling("QFC-PH-2", "0.3", seen_in=(ORDERED_PHASE,)),
    ChangedRuling("QFC-GUN-5", "0.3"),
)

CLAUSES: Mapping[str, str] = {
    "QFC-PH-1": "A turn has three phases: movement, gunnery with torpedoes, repair with sinking. The players decide when the battle ends.",
    "QFC-PH-2": "Guns and torpedoes of a turn fire at the same time: a ship acts with what it had when the phase began, and hits are slashes until it ends. If a phase brings two D, a full turn counts as the newer, whatever the order of entry.",
    "QFC-PH-3": "The last phase checks fires, then makes repairs, then rolls for sinking.",
    "QFC-LOG-1": "A log prints size, gunnery, armour and ROF (heavy and light), torpedo rating, repair points and the speed; it counts eight speed boxes (the last is our inference from the steps of the others), blast hits and the auto shot.",
    "QFC-MV-1": "The topmost speed box that is not marked gives the farthest move.",
    "QFC-MV-2": "By choice a ship moves at most two boxes faster or slower than last turn; the first turn is free.",
    "QFC-MV-3": "Models turn by templates on the table; the console does not judge them.",
    "QFC-MV-4": "All ships move together. The log keeps millimetres; without a record it assumes the last speed, at first full speed.",
    "QFC-COL-1": "A ship that collides stops there, and neither fires nor launches in that turn's gunnery phase.",
    "QFC-COL-2": "In a collision each ship throws a white die, without ROF, arc, auto shot or blast: the rammer with heavy gunnery, the rammed ship with light, each at armour of the same kind. The damage counts when movement ends; a stopped ship launches no torpedoes either. By a switch black dice are thrown too, for the blast of heavy guns.",
    "QFC-COL-3": "A ship that collided this turn has stopped: a static target for torpedoes.",
    "QFC-GUN-1": "Toward bow and stern (60° each) gunnery is halved; on the broadsides (120° each) it counts in full.",
    "QFC-GUN-2": "In one gunnery phase a ship uses its heavy or its light rating, never both.",
    "QFC-GUN-3": "A vessel of size 2 or less that moved more than 25 mm is safe from heavy fire.",
    "QFC-GUN-4": "A ship's first fire of the battle needs no ROF roll; black still counts for blast, and one box serves both batteries.",
    "QFC-GUN-5": "The range is estimated first; if the estimate is off the target's base, nothing is rolled. On the base means within half the base of the measured range; for a range like `~110cm` between two measured ones you say yes or no. A base on the card need not be typed; a figure without a unit has the unit of its label.",
    "QFC-GUN-6": "Heavy guns reach 240 cm, light guns 120 cm, torpedoes 30 cm, from forward smokestack to forward smokestack. A range between two measured this turn, all on one side of 120 cm, may be estimated (`~110cm`); without those two it counts with a reminder. A switch allows measured ranges only.",
    "QFC-GUN-7": "A battery fires if black is at or below its ROF.",
    "QFC-GUN-8": "White at or below the cell of gunnery and armour is one hit; heavy guns fire at heavy armour, light guns at light.",
    "QFC-GUN-9": "An odd white die hits guns (G), an even one engines (S).",
    "QFC-GUN-10": "G takes a point of ROF.",
    "QFC-GUN-11": "Ships, their bases and land hide a target from guns and torpedoes.",
    "QFC-GUN-12": "All write down firer, target and estimate in secret before the first shot is resolved.",
    "QFC-GUN-14": "A base counts along the line of fire: its length for a target seen end-on, its breadth for one abeam (a quarter of the length unless the card states it). The console asks only if length and breadth give different results. A base typed with the shot is along the line of fire already.",
    "QFC-TOR-1": "In the gunnery phase a ship with a torpedo rating may launch at one target within 30 cm that it can see.",
    "QFC-TOR-2": "A launch strikes if three dice are at or below the number for the rating: 3 to 6 at a target that moved over 2 cm, one more at a static one.",
    "QFC-TOR-3": "A strike gives as many S as one more die shows.",
    "QFC-TOR-4": "A torpedo rating is 4 at most; a card with more is refused.",
    "QFC-BLA-1": "If heavy fire did damage, black and white together may add more: over 120 cm F on 3 and 4, at up to 120 cm F, R, B, E on 2 to 5.",
    "QFC-BLA-2": "Explosion, two dice: 2-7 two G, 8-11 two S, 12 a fire, four S and two G.",
    "QFC-BLA-3": "Blast hit, two dice: 2-7 R, 8-11 T, 12 D.",
    "QFC-BLA-4": "D steers the ship until it is repaired; one die: 1-2 full turn left, 3-4 straight ahead, 5-6 full turn right.",
    "QFC-BLA-5": "T takes a point of the torpedo rating, R a repair point, F lights a fire; with nothing left T and R do nothing.",
    "QFC-REP-1": "Each fire (by a switch each ship, for all its fires) is checked with two dice and no repair point: 2-7 burns on, 8-11 out, 12 one S.",
    "QFC-REP-2": "A repair is two dice; a ship repairs as often as it has points left: 2-7 one G or one S by choice, 8-11 one S, 12 nothing.",
    "QFC-SNK-1": "A ship with no speed box left rolls two dice, less 1 for each fire and for each S beyond the eighth.",
    "QFC-SNK-2": "At or below 2 (size 11 and more), 3 (7-10), 4 (4-6), 5 (2-3) or 6 (1) it sinks, and then takes no orders and is no target.",
    "QFC-RUL-1": "Ruling: small fast vessels are safe from heavy fire.",
    "QFC-RUL-2": "Ruling: light fire and torpedoes cause no blast damage.",
    "QFC-RUL-3": "Ruling: a halved gunnery value uses the next lower column; ½ stays ½.",
    "QFC-RUL-4": "Ruling: values above 16 are read at 16.",
    "QFC-RUL-5": "Ruling: a battery with ROF 0 cannot fire, not even by auto shot. By the rulebook's letter, and by a switch, an auto shot fires.",
    "QFC-RUL-6": "Ruling: a D is repaired where a G would be, on 2-7, the newest first, and the ship steers freely when none is left. A choice with nothing left to fix lapses and keeps its point.",
    "QFC-RUL-7": "Ruling: G takes ROF of the kind of battery that fired; if that is zero, of the other; if both are zero, nothing. Of an explosion's two G one takes heavy ROF, then one light.",
    "QFC-RUL-8": "Ruling: a repair roll always spends its point.",
    "QFC-RUL-9": "Ruling: a ship launches once a turn and may fire its guns too; the D die is thrown once; a fire that costs speed burns on.",
    "QFC-RUL-10": "Ruling: sizes below 1 use the row of 1; armour between two rows uses the lower one.",
    "QFC-RUL-11": "Ruling: a size between two rows uses the lower row: 10½ sinks like 7-10.",
    "QFC-CRW-1": "Crews and shells are our own rule, from no source. In a battle begun with crews as stated, the steps that the scenario states for a side or division change card values, and each use says so. As built, the default, they change nothing.",
    **STATUS_CLAUSES,
}

OPTIONS = (
    GROUNDED,
    *parse_switches(
        "missed_estimate_spends QFC-GUN-4 no/yes whether a shot whose estimate missed the base spends the auto shot",
        "collision_blast QFC-COL-2 no/yes whether a collision rolls black dice too, for the blast of heavy guns",
        "fire_checks QFC-REP-1 each-fire/each-ship whether each fire of a ship is checked, or all of them with one roll",
        "r_without_points QFC-BLA-5 nothing/fire what R does to a ship without repair points",
        "small_fast_safe_from QFC-RUL-1 heavy/light/both the fire that small fast vessels are safe from",
        "light_blast QFC-RUL-2 no/yes whether light fire causes blast damage too",
        "half_rounds QFC-RUL-3 down/up how a halved gunnery value between two columns is rounded",
        "beyond_chart QFC-RUL-4 edge/in-proportion gunnery or armour above 16: read at 16, or both values reduced in proportion",
        "auto_shot_at_rof_0 QFC-RUL-5 no/yes whether an auto shot fires at ROF 0 too; by the rulebook's letter it does (yes)",
        "course_repaired_on QFC-RUL-6 2-7/2-11 the totals that may repair a D",
        "g_falls_on QFC-RUL-7 as-fired/heavy the battery whose ROF a G takes: of the kind that fired, or heavy first",
        "g_at_zero QFC-RUL-7 other/nothing what a G does when that ROF is zero",
        "explosion_g QFC-RUL-7 in-turn/heavy where an explosion's two G fall: heavy and light in turn, or both on heavy",
        "repair_point QFC-RUL-8 each-roll/success what spends a repair point",
        "launches QFC-RUL-9 one/one-a-target torpedo launches of a ship in a turn",
        "torpedoes_beside_guns QFC-RUL-9 yes/no whether a ship may fire and launch in one turn",
        "direction_die QFC-RUL-9 once/each-turn when the die of a D is thrown",
        "speed_loss_fire QFC-RUL-9 burns-on/goes-out what happens to a fire that costs speed",
        "below_size_1 QFC-RUL-10 row-of-1/no-roll how vessels below size 1 sink: by the row of 1, or without a roll",
    ),
    build_estimated_ranges_switch("QFC-GUN-6", "a measured range may be estimated", "110cm"),
    *parse_switches(
        "armor_between QFC-RUL-10 lower/higher the row of an armour between two rows",
        "size_between QFC-RUL-11 lower/higher the row of a size between two rows",
    ),
)

read_option = build_option_reader(OPTIONS)
"""Returns the value of a switch in a battle, or its default."""
