"""The clauses (numbered rules in our own words) and switches of Quickfire.

Also here: the clauses that older versions of this program decided differently.
"""

from collections.abc import Mapping

from qf_tui.core.declarations import ChangedRuling, parse_switches
from qf_tui.rules.quickfire_family.game import (
    GROUNDED,
    STATUS_CLAUSES,
    build_estimated_ranges_switch,
    build_option_reader,
    build_shared_edge_switch,
    build_speed_by_switch,
)
from qf_tui.rules.quickfire_family.ledger import DEALT, ORDERED_PHASE

CHANGED_RULINGS = (
    ChangedRuling("QF-PH-2", "0.3", seen_in=(DEALT, ORDERED_PHASE)),
    ChangedRuling("QF-MV-2", "0.3", seen_in=("QF-MV-1", "moved", "distance")),
)

CLAUSES: Mapping[str, str] = {
    "QF-PH-1": "A turn has movement, gunnery with torpedoes, recurring hits, repair and sinking; by a switch it has more gunnery phases.",
    "QF-PH-2": "Fire of one gunnery phase is simultaneous: a ship acts with what it had when the phase began, and hits count from its end. Damage to one ship counts in one order, whatever the order of entry: heavy fire, light fire, boat guns, explosions, torpedoes.",
    "QF-LOG-1": "A log prints gunnery, armor, ROF, torpedo rating, boat guns, eight speed boxes, +P and repair dice; a ship with only BG has no other guns.",
    "QF-SCA-1": "Two scales of the older edition and five of the later one give point blank, short and long, torpedo range and the sea measures for typed distances. A range between two measured this turn, all in one bracket, may be estimated (`~12in`); without those two it counts with a reminder. A switch allows measured ranges only.",
    "QF-MV-1": "A ship uses boxes up to its available speed (1/16″ or ½ mm more is forgiven) and changes its speed by at most two boxes; damage may change it by more.",
    "QF-MV-2": "Ships turn by pivots: 45° in the eighth box, 90° in the seventh to fourth, 45° in the third and second, none in the first; a second pivot uses up a box. By a switch ships turn by templates. Last turn's speed is the movement used, with the box of a second pivot; by a switch the distance alone.",
    "QF-GUN-1": "One black die and two white: a battery fires if black is at most its ROF. Earlier misses do not count.",
    "QF-GUN-2": "Gunnery over armor of the same kind, in percent, gives the line; the line gives the greatest white total that hits.",
    "QF-GUN-3": "The natural white total gives the number of hits, not the number that the line allows.",
    "QF-GUN-4": "An even white total gives S, an odd one G against the guns; all hits of a shot are the same.",
    "QF-GUN-5": "In the bow and stern arcs the gunnery rating is halved exactly before the percentage, unless the ship's card states another arc; a switch halves ROF instead.",
    "QF-GUN-6": "By a switch a ship's first fire of the battle needs no ROF roll, and marks its auto shot box.",
    "QF-GUN-7": "Both batteries fire, each once in a gunnery phase with its own roll; by a switch only one fires.",
    "QF-GUN-8": "At long range only heavy guns fire; by a switch light guns too.",
    "QF-GUN-9": "Heavy guns may not fire at a vessel of size 1 or less that moved more than half of its speed (a switch).",
    "QF-BLA-1": "All three dice together give blast damage in the row of the range, if the shot fired and hit; by a switch it need not hit.",
    "QF-BLA-2": "Blast codes count from the end of the phase, like all damage.",
    "QF-BLA-3": "The guide does not say whether blast needs a hit. The switch blast_without_hit has both readings: no, blast needs a hit, as in both sister games; yes, a shot that fires is enough.",
    "QF-DAM-1": "G takes ROF, then boat guns; S a box, then the margin; T a torpedo point; R a repair die, then a fire; F a fire; E explodes.",
    "QF-DAM-3": "With light ROF at zero a G of light fire takes the boat guns; by a switch heavy ROF.",
    "QF-DAM-2": "D rolls for a course: 1 is 90° left, 2-3 45° left, 4-5 45° right, 6 90° right; a switch gives full turns. If a phase brings two, the sharper counts as the newer.",
    "QF-BG-1": "In each gunnery phase boat guns throw one die at an unarmored vessel of size 1 or less, at point blank, in any direction.",
    "QF-TOR-1": "A ship attacks one target a turn within torpedo range: two dice at or below the number for rating and motion strike. Nothing is used up. A rating above the chart's columns uses its greatest column.",
    "QF-TOR-2": "A target that moved one box or less is static.",
    "QF-TOR-3": "A strike gives as many S as one die shows.",
    "QF-TOR-4": "A ship launches once a turn, even if the turn has several gunnery phases.",
    "QF-TOR-5": "Torpedoes have no least range; by a switch they have the scale's.",
    "QF-TOR-6": "A target is static by distance: it moved the length of one box or less, whatever its pivots cost.",
    "QF-REC-1": "Each fire that burns when the phase begins is checked: out, an explosion (the fire burns on), or nothing.",
    "QF-REC-2": "An explosion rolls two dice on its line.",
    "QF-REP-1": "G, S and D are repaired on 5 to 7; a ship has as many rolls a turn as repair dice.",
    "QF-REP-2": "S of a +P ship is repaired on 5 to 10; a roll always spends its point, or by a switch only if it repairs.",
    "QF-SNK-1": "A ship with all eight boxes marked rolls at the end of the turn, less 1 for each S in the margin: at or below the number of its size it sinks.",
    "QF-OPT-1": "By a switch turns have more gunnery phases, from any moment of the battle on.",
    "QF-OPT-2": "A switch adds 50% to 100% to all speeds.",
    "QF-OPT-3": "A switch counts guessed ranges on the ROF die: -1 on the model, 0 within a cable, +1 for each further cable.",
    "QF-OPT-4": "By a switch a ship printed with ROF 6-6 loses a light point with every heavy one.",
    "QF-OPT-5": "By a switch a ship that lost torpedo points rolls once a turn in the repair phase and regains one on a 2.",
    "QF-CRW-1": "Crews and shells are our own rule, from no source. In a battle begun with crews as stated, the steps that the scenario states for a side or division change card values, and each use says so. As built, the default, they change nothing.",
    "QF-CHA-1": "Every cell says whether it is attested; results on reconstructed cells are marked †.",
    "QF-CHA-2": "The umpire may lay his printed chart over ours.",
    "QF-CHA-3": "In strict mode the console asks what the printed chart says for each reconstructed cell.",
    **STATUS_CLAUSES,
}

OPTIONS = (
    GROUNDED,
    *parse_switches(
        "gunnery_phases QF-OPT-1 1/2/3/4 gunnery phases of a turn; may change during a battle",
        "turning QF-MV-2 pivots/templates whether ships turn by pivots or by templates",
        "speed_change QF-MV-1 2/3 boxes by which a ship may change its speed in a turn",
    ),
    build_shared_edge_switch("QF-SCA-1"),
    build_estimated_ranges_switch("QF-SCA-1"),
    build_speed_by_switch("QF-MV-2"),
    *parse_switches(
        "zero_armor QF-GUN-2 top-line/as-half how armor 0 is fired at",
        "end_arc QF-GUN-5 gunnery/rof what is halved in the bow and stern arcs: the gunnery rating exactly, or ROF rounded down",
        "auto_shot QF-GUN-6 no/yes whether a ship's first fire needs no ROF success",
        "batteries QF-GUN-7 both/one how many of its batteries a ship may fire in a gunnery phase",
        "one_roll QF-GUN-7 no/yes whether both batteries may fire with one roll",
        "long_range QF-GUN-8 heavy/both the batteries that fire at long range",
        "small_fast_by QF-GUN-9 printed/available/never a small vessel that moved over half of this speed is safe from heavy fire",
        "blast_without_hit QF-BLA-3 no/yes two readings: no, blast needs a hit, as in both sister games; yes, a shot that fires is enough (the guide does not say)",
        "overflow_first QF-PH-2 heavy/light which guns take ROF first when the damage of a phase is settled: heavy fire, or light fire and boat guns",
        "light_g QF-DAM-3 boat_guns/heavy what a G of light fire takes when light ROF is at zero: the boat guns, or heavy ROF",
        "torpedo_least QF-TOR-5 none/scale whether torpedoes have the scale's least range, which the guide does not name",
        "direction_by QF-DAM-2 degrees/full-turn what a direction hit gives: 90 or 45 degrees, or a full turn or straight ahead",
        "repair_spent QF-REP-2 always/on-success when a repair roll spends its point",
        "speed_added QF-OPT-2 0/50/60/70/80/90/100 percent added to all speeds",
        "range_guessing QF-OPT-3 no/yes whether a guessed range changes the ROF die: -1 on the model, +1 for each cable beyond the first",
        "even_rof QF-OPT-4 no/yes whether a ship printed with ROF 6-6 loses a light point with each heavy one",
        "torpedo_regained QF-OPT-5 no/yes whether a ship may roll each turn to regain a torpedo point",
    ),
)

read_option = build_option_reader(OPTIONS)
"""Returns the value of a switch in a battle, or its default."""
