"""The clauses (numbered rules in our own words) and switches of General Quarters 2.

Also here: the clauses that older versions of this program decided differently.
"""

from collections.abc import Mapping

from qf_tui.core.declarations import ChangedRuling, Option, parse_switches
from qf_tui.core.values import Battle

CHANGED_RULINGS = (
    ChangedRuling("GQ2-PH-1", "0.3"),
    ChangedRuling("GQ2-PH-5", "0.3"),
    ChangedRuling("GQ2-LOG-3", "0.3", seen_in=("GQ2-CRI-9",)),
    ChangedRuling("GQ2-GUN-12", "0.3", seen_in=("torpedo", "measure", "torpedo-damage", "damaged")),
    ChangedRuling("GQ2-MV-6", "0.3", seen_in=("wander-checks",)),
)

CLAUSES: Mapping[str, str] = {
    "GQ2-PH-1": "A turn has five phases: movement, searchlights, gunnery, torpedoes, repair. Ships may touch, and strike mines, in any phase.",
    "GQ2-PH-2": "One side moves, lays smoke and sets its lights before the other; they swap every turn.",
    "GQ2-PH-3": "Smoke laid in odd turns is black, in even turns gray; each colour is removed in the repair phase of the next turn.",
    "GQ2-PH-4": "A ship fires and launches with what it had when the phase began; for torpedoes there is a switch.",
    "GQ2-PH-5": "A searchlight stays on or off until a later searchlight phase changes it. It cannot be put out while its roll is owed.",
    "GQ2-PH-6": "Smoke is on the table only. In a shot it counts as a cause of low visibility, or as a base crossed.",
    "GQ2-LOG-1": "The data sheet holds class, DF, flash protection, batteries, five hull boxes with speeds, armament, torpedoes, 18 ammunition boxes, and all marks.",
    "GQ2-LOG-2": "Boxes are lost in halves. Speed is that of the leftmost box with a half left; a ship without hull is sinking. AF falls with the armament boxes: as the sheet lists it, or else in proportion, to the nearest half and at least a half; without a box no gun fires. By a switch the umpire sets AF.",
    "GQ2-LOG-3": "Class codes `PB` and `predreadnought` are read as B. An armed auxiliary's code follows from her guns and tonnage; only unarmed ones are merchants. For an unknown class `check` suggests a code of the same meaning, and one of similar spelling only if it doubles no damage and abandons no ship.",
    "GQ2-GUN-1": "A shot straddles an enemy ship if the white die, 0 to 9, with its modifiers is not above the number of the band.",
    "GQ2-GUN-2": "Straddle: -1 damaged by the same ship last turn, -1 lit or silhouetted, -2 stopped; +2 fire control (or 1), +2 night, +2 guns of 9 inches at destroyers, +1 evasion, +1 fired upon, +1 a cause of low visibility (dusk is one, the table's own are added too), +1 a base crossed.",
    "GQ2-GUN-3": "Red is for armament, blue for hull, in the best column that AF over DF reaches; below 1:3 nothing happens.",
    "GQ2-GUN-4": "In the red bands, 9 to 7, the red die counts one less; in the blue bands, 2 to 0, the blue one; not below row 0. A stick file may state other bands.",
    "GQ2-GUN-5": "C counts only on the row of the blue die, after its change by the bands: a critical roll is owed.",
    "GQ2-GUN-6": "Rapid fire uses six-sided red and blue dice and the same AF; by a switch only in the red bands.",
    "GQ2-GUN-7": "HE goes one column to the right and penetrates three levels worse; a card may say which batteries hold it.",
    "GQ2-GUN-8": "A ship fires over a vessel only beyond the red zone, with two whole bands between that vessel and the target.",
    "GQ2-GUN-9": "Guns below 3 inches use the 3-4 inch stick and penetrate a step worse.",
    "GQ2-GUN-10": "Without penetration only the criticals marked (A) do not count.",
    "GQ2-GUN-11": "The red end of the stick is at the shooter.",
    "GQ2-GUN-12": "Damaged: any hull, armament or critical result by that ship the turn before. Fired upon: by an earlier entry of this turn. A flotilla's hit counts for every ship whose torpedoes went to that target, and for no other.",
    "GQ2-GUN-13": "Fire over a vessel crosses one base, +1, unless `bases` states the number. In the red zone the console asks whether the shot passes over them.",
    "GQ2-GUN-14": "Rapid fire is allowed in all bands, by a switch only in the red ones. If no battery is marked for HE, any may fire it.",
    "GQ2-TOR-1": "A torpedo hits a ship of another side if its die with modifiers is not above the stick's number; the spread of a ship or a flotilla has one die and one hit, by night one for each ship that targeting finds. 0 counts as 0, or by a switch as 10.",
    "GQ2-TOR-2": "Standard torpedoes: +3 from 10 inches, +2 from 8, +1 from 6; light ones an inch less each. -4 stopped; else -1 rudder hit, -1 straight (not after a battle turn), +1 at the bow, +2 at the stern. +1 evasion, +2 night, -1 a further torpedo.",
    "GQ2-TOR-3": "Each hit rolls on the table by DF; light torpedoes a column to the right; B and CA take it double. “Sunk” is sinking with marker 1, so the ship is tested in this turn's repair phase.",
    "GQ2-TOR-4": "Destroyers launch abeam, 30° off bow and stern, torpedo boats within 30° of the bow, both any number; others ahead, abeam or astern, one a turn.",
    "GQ2-TOR-5": "A DF between two columns uses the one to the left, or by a switch the one to the right.",
    "GQ2-TOR-9": "A recorded move without a turn or a battle turn was straight, as for a wander check. For an unrecorded move the attack says what it assumes.",
    "GQ2-CRI-0": "Fire control (0): the ship adds 2 to its straddle die, by a switch 1.",
    "GQ2-CRI-1": "Bridge (1): in the first half of its next move the ship keeps its course and last turn's speed, or the most that it still can make.",
    "GQ2-CRI-2": "Rudder (2): every turn of 45° costs an inch and a half of the speed made, a turn about six inches; the ship moves the rest. The next turn starts from the speed made, or by a switch from the inches moved.",
    "GQ2-CRI-3": "Damage control (3-4): half a hull box, fires that light the ship, and half a box more each turn until a d6 of 1 to 4 repairs it.",
    "GQ2-CRI-5": "Steam line (5, A): three inches less next turn.",
    "GQ2-CRI-6": "Boiler room (6-7, A): the speed of the next hull box, for good.",
    "GQ2-CRI-8": "Bulkhead (8, A): a hull box floods.",
    "GQ2-CRI-9": "Barbette (A): armament boxes, or the ship explodes, by nation and flash protection. Merchants and submarines are abandoned.",
    "GQ2-CRI-B": "Bridge and steam line hits count in the next turn only, and steam lines add up. A boiler room hit stays. Every damage-control hit rolls in each repair phase.",
    "GQ2-CRI-A": "Results marked (A) count only if the armor was penetrated.",
    "GQ2-CRI-C": "A ship is stationary by the speed made, not by the inches. A steam line leaves 3 inches less than the speed made in its turn (by a switch, than the hull box has). With a hit bridge the umpire decides the second half of the move, and the ship makes no change of formation that needs a turn. A limit rolled after the move does not change the move, but gives a reminder of both figures.",
    "GQ2-MV-1": "Destroyers (DD, TBD) change speed by 3 inches a turn, all others by 2. Unknown class codes and navies follow the rule for all others.",
    "GQ2-MV-2": "A division sails astern, abreast or in quarter line, as its scenario says at first, and changes once a turn; for anything but astern each ship checks for wandering.",
    "GQ2-MV-3": "German capital ships in line astern by day may all turn about, the rear ship first, and make no other turn that turn.",
    "GQ2-MV-4": "After the 21st turn in a row (by a switch: in all) at flank speed the stokers rest for ten turns at the speed of the middle box; then the count starts again.",
    "GQ2-MV-5": "From standby a ship needs 2 to 6 turns, from shut down 11 to 16; then a box of speed more each turn, from the right.",
    "GQ2-MV-6": "Wandering, after all movement: d10 below the inches moved, half an inch aft; red or blue below the points turned (45° is four points), half an inch to starboard or port. The first `next` asks for the checks that are due; a ship whose move is then entered as 0 makes none.",
    "GQ2-MV-7": "Engines are steaming, on standby or shut down, with turns to wait and boxes allowed; each d3 is half a d6, rounded up.",
    "GQ2-MV-8": "Ships that touch owe a collision check. For a ship without speed each repair phase asks whether she regains power. The umpire decides both.",
    "GQ2-REP-1": "Repair phase: damage control, power (as the umpire says), smoke and splashes, then the sinking.",
    "GQ2-SNK-1": "A sinking ship's marker is 1, or a d6 if it exploded (a ship already sinking keeps the higher). Each repair phase a die below the marker sinks the ship; otherwise the marker rises by one.",
    "GQ2-SNK-2": "Abandoned and sinking ships neither fire nor move (by a switch sinking ones do); they may be fired at and are in the way. A struck, withdrawn or sunk ship takes no orders and is no target.",
    "GQ2-SNK-3": "A ship aground stays on the table and does not move: it is stationary, may be fired at, and fires, launches and lights, or by a switch is only a target.",
    "GQ2-NIT-1": "By night ships check for wandering when they move, except ships close astern of another; in line astern only the leader checks.",
    "GQ2-NIT-2": "At an unlit ship two dice decide which ship is really the target: if one die is double the other, one ship off; if triple, two. Higher blue means left, higher red right. The console then asks for the measurements to the other ship.",
    "GQ2-NIT-3": "Searchlights reach 9 inches and light their user. British, French and Austro-Hungarian ships light one ship, others one on each side; declared lights count. One of two lights can be put out.",
    "GQ2-NIT-4": "A lit ship of your own formation may not be fired at while it keeps its place; if it is an inch or more out of place, it must be.",
    "GQ2-NIT-5": "Each battery and each torpedo has its own targeting roll (by a switch one for a whole spread). A base counts if any part of it is within 60°.",
    "GQ2-NIT-6": "The umpire decides whether a turn is day, dusk (or dawn) or night, and so silhouettes and targeting.",
    "GQ2-NIT-7": "A searchlight lights its user from the moment of its use, whatever it finds. Each light is used once a phase, even if it was put out since.",
    "GQ2-CRW-1": "Crews and shells are our own rule, from no source. In a battle begun with crews as stated, the steps that the scenario states for a side or division change card values, and each use says so. As built, the default, they change nothing.",
    "GQ2-CHA-1": "The values of all tables are attested; rows 2 to 5 of gunnery are ordered so that better odds never do less.",
    "GQ2-CHA-2": "The umpire reads his sticks, or writes them into a file. A range between two measured this turn, all in one band, may be estimated (`~12in`); without those two it counts with a reminder. A switch allows measured ranges only.",
}


OPTIONS = (
    *parse_switches(
        "fire_control GQ2-GUN-2 2/1 what damaged fire control adds to the straddle die",
        "odds_rounding GQ2-GUN-3 down/nearest/up the column of a ratio between two",
        "rapid_bands GQ2-GUN-14 any/red the bands in which rapid fire is allowed",
        "unpenetrated GQ2-GUN-10 full/no-hull whether a hit that does not penetrate still damages the hull",
        "own_fire GQ2-GUN-12 counts/apart whether fire of the firer's other battery counts as fired upon",
        "ammunition GQ2-LOG-1 by-hand/a-shot whether ammunition boxes are marked by hand, or one with each shot",
        "armament_af GQ2-LOG-2 boxes/by-hand whether AF falls with the armament boxes, or the umpire sets it",
        "rudder_speed GQ2-CRI-2 made/moved next turn's starting speed after turns with a hit rudder: made, or inches moved",
        "steam_line GQ2-CRI-C made/box the speed that a steam line takes 3 inches off: made in its turn, or of the hull box",
    ),
    Option(
        "estimated_ranges",
        "GQ2-CHA-2",
        ("yes", "no"),
        "yes",
        "whether a range may be estimated between two measured ones (`~12in`)",
        measured_only="no",
    ),
    *parse_switches(
        "stokers GQ2-MV-4 in-a-row/in-all the turns at flank speed that exhaust stokers: in a row, or all since their last rest",
        "wander_checks GQ2-MV-6 owed/by-hand whether the end of movement asks for the wander checks that are due, or only lists them",
        "sinking_ships GQ2-SNK-2 idle/act whether sinking ships still move, fire and launch; by the rulebook's letter they do (act)",
        "aground GQ2-SNK-3 fights/silent whether a ship aground fires and launches, or is only a target",
        "penetration_level GQ2-GUN-7 df/band what a level of penetration is on a stick file: a point of DF, or a band",
        "torpedo_damage GQ2-PH-4 simultaneous/at-once when torpedo damage keeps its ship from launching: from the end of the phase, or at once",
        "spread GQ2-TOR-1 one-die/die-each the dice of a spread: one with -1 a further torpedo, or one a torpedo",
        "torpedo_zero GQ2-TOR-1 0/10 what a 0 on the torpedo die counts as",
        "df_between GQ2-TOR-5 left/right the column of mines and torpedoes for a DF between two",
        "torpedo_critical GQ2-TOR-3 penetrated/not whether the critical hit of a torpedo or mine counts as penetrating",
        "spread_targeting GQ2-NIT-5 each/one by night the targeting rolls of a spread: one for each torpedo, or one for all",
        "one_of_two GQ2-NIT-2 that-one/intended who is shot at if two ships off were called and there is only one",
    ),
)


def read_option(battle: Battle, name: str) -> str:
    """Return the value of a switch; a battle older than the switch keeps the earlier rule."""
    value = battle.options.get(name)
    return str(value) if value is not None else _VALUES_BEFORE_SWITCH.get(name, _DEFAULTS[name])


_VALUES_BEFORE_SWITCH = {
    "armament_af": "by-hand",
    "wander_checks": "by-hand",
    "aground": "silent",
    "steam_line": "box",
}
"""Values that keep the earlier rule in battles that began before these switches existed."""

_DEFAULTS = {switch.name: switch.default for switch in OPTIONS}
