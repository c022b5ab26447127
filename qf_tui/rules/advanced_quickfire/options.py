"""The house-rule switches of Advanced Quickfire, each with its clause and its default."""

from qf_tui.core.system import Option
from qf_tui.rules.quickfire_family.targeting import GROUNDED, asked_of, estimated_ranges, shared_edge

OPTIONS = (
    GROUNDED,
    shared_edge("AQF-SCA-2"),
    estimated_ranges("AQF-SCA-2"),
    Option(
        "untried_refire",
        "AQF-PH-3",
        ("no", "yes"),
        "no",
        "whether a battery that did not try in the first gunnery phase may fire in the second",
    ),
    Option(
        "refire_by",
        "AQF-PH-3",
        ("battery", "ship"),
        "battery",
        "what is asked before the second gunnery phase: the battery's own roll, or all rolls of its ship",
    ),
    Option(
        "declare_first",
        "AQF-GUN-1",
        ("no", "yes"),
        "no",
        "whether every shot, torpedo and boat attack is declared without dice before it is rolled",
    ),
    Option(
        "miss_by",
        "AQF-GUN-3",
        ("battery", "ship"),
        "battery",
        "whose missed roll takes one off black: the battery's own, or that of any battery of its ship",
    ),
    Option(
        "below_lowest",
        "AQF-GUN-5",
        ("nothing", "raised"),
        "nothing",
        "what heavy fire below the lowest line does at point blank: nothing, or it comes up to that line",
    ),
    Option(
        "initiative",
        "AQF-PH-5",
        ("simultaneous", "once", "each-turn"),
        "simultaneous",
        "whether all move at once, or the high roller first, for the battle or for the turn",
    ),
    Option(
        "speed_change", "AQF-MV-4", ("3", "2"), "3", "boxes by which a ship may change its speed in a turn"
    ),
    Option(
        "speed_by",
        "AQF-MV-7",
        ("used", "moved"),
        "used",
        "the speed of last turn: the movement used, a second pivot's box included, or the distance alone",
    ),
    Option("zero_armor", "AQF-GUN-6", ("top-line", "as-half"), "top-line", "how armor 0 is fired at"),
    Option(
        "one_roll",
        "AQF-GUN-9",
        ("no", "yes"),
        "no",
        "whether both batteries may fire at one target with one roll of the dice",
    ),
    Option(
        "light_armor_g",
        "AQF-GUN-12",
        ("heavy-next", "chain"),
        "heavy-next",
        "where G from heavy fire at light armor goes when light ROF is at zero",
    ),
    Option(
        "small_fast_by",
        "AQF-GUN-13",
        ("printed", "available"),
        "printed",
        "the speed of which a small vessel must move more than half to be safe from heavy fire",
    ),
    Option(
        "light_s_overflow",
        "AQF-GUN-14",
        ("fire", "sx"),
        "fire",
        "what S from light fire or boat guns becomes when all eight boxes are marked",
    ),
    Option(
        "explosion_s_overflow",
        "AQF-GUN-14",
        ("sx", "fire"),
        "sx",
        "what S from an explosion becomes when all eight boxes are marked",
    ),
    Option(
        "boat_guns_in",
        "AQF-BG-2",
        ("one-phase", "each-phase"),
        "one-phase",
        "gunnery phases of a turn for boat guns",
    ),
    Option("parallel", "AQF-TOR-3", ("apart", "converging"), "apart", "how exactly parallel courses count"),
    Option(
        "t_without_torpedoes",
        "AQF-DAM-6",
        ("nothing", "chain"),
        "nothing",
        "a printed T on a ship without torpedoes",
    ),
    Option(
        "chain_stops",
        "AQF-DAM-9",
        ("no", "yes"),
        "no",
        "whether the overflow chain stops at something that was never on board",
    ),
    Option(
        "b_chain",
        "AQF-DAM-13",
        ("letter", "chain"),
        "letter",
        "a printed B with neither boat guns nor torpedoes: nothing by the letter, or on to R and F",
    ),
    Option("explosion_dice", "AQF-DAM-14", ("1d12", "2d6"), "1d12", "the dice of an explosion"),
    Option(
        "explosion_g",
        "AQF-DAM-3",
        ("in-turn", "goes-on", "both"),
        "in-turn",
        "G of an explosion: heavy and light in turn; in turn from where the ship's last explosion left off; "
        "or each takes one of both",
    ),
    Option("sx_check", "AQF-REC-2", ("11-12", "12"), "11-12", "the rolls that bring a further SX"),
    Option(
        "sinking_at",
        "AQF-SNK-1",
        ("two-sx", "all-boxes"),
        "two-sx",
        "which ships roll to sink: those with two SX or more, or those whose boxes are all SX",
    ),
)


option = asked_of(OPTIONS)
"""The value of a switch in a battle; its default where the battle does not say."""
