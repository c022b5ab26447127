"""The house-rule switches of Quickfire, each with the clause that it turns and its stated default."""

from qf_tui.core.system import Option
from qf_tui.rules.quickfire_family.targeting import GROUNDED, asked_of, estimated_ranges, shared_edge

OPTIONS = (
    GROUNDED,
    Option(
        "gunnery_phases",
        "QF-OPT-1",
        ("1", "2", "3", "4"),
        "1",
        "gunnery phases of a turn; it may be changed in the midst of a battle",
    ),
    Option(
        "turning",
        "QF-MV-2",
        ("pivots", "templates"),
        "pivots",
        "whether ships turn by pivots or by templates",
    ),
    Option(
        "speed_change", "QF-MV-1", ("2", "3"), "2", "boxes by which a ship may change its speed in a turn"
    ),
    shared_edge("QF-SCA-1"),
    estimated_ranges("QF-SCA-1"),
    Option("zero_armor", "QF-GUN-2", ("top-line", "as-half"), "top-line", "how armor 0 is fired at"),
    Option(
        "end_arc",
        "QF-GUN-5",
        ("gunnery", "rof"),
        "gunnery",
        "what is halved in the bow and stern arcs: the gunnery rating exactly, or ROF rounded down",
    ),
    Option("auto_shot", "QF-GUN-6", ("no", "yes"), "no", "whether a ship's first fire needs no ROF success"),
    Option(
        "batteries",
        "QF-GUN-7",
        ("both", "one"),
        "both",
        "how many of its batteries a ship may fire in a gunnery phase",
    ),
    Option("one_roll", "QF-GUN-7", ("no", "yes"), "no", "whether both batteries may fire with one roll"),
    Option("long_range", "QF-GUN-8", ("heavy", "both"), "heavy", "the batteries that fire at long range"),
    Option(
        "small_fast_by",
        "QF-GUN-9",
        ("printed", "available", "never"),
        "printed",
        "the speed of which a small vessel must move more than half to be safe from heavy fire",
    ),
    Option(
        "blast_without_hit",
        "QF-BLA-3",
        ("no", "yes"),
        "no",
        "the guide asks no hit of a blast: by `no` a shot must hit for one, by `yes` it need only fire",
    ),
    Option(
        "light_g",
        "QF-DAM-3",
        ("boat_guns", "heavy"),
        "boat_guns",
        "what a G of light fire takes when light ROF is at zero: the boat guns, or heavy ROF",
    ),
    Option(
        "torpedo_least",
        "QF-TOR-5",
        ("none", "scale"),
        "none",
        "whether torpedoes have the scale's least range, which the guide does not name",
    ),
    Option(
        "direction_by",
        "QF-DAM-2",
        ("degrees", "full-turn"),
        "degrees",
        "what a direction hit gives: 90 or 45 degrees, or a full turn or straight ahead",
    ),
    Option(
        "repair_spent",
        "QF-REP-2",
        ("always", "on-success"),
        "always",
        "when a repair roll uses its point up",
    ),
    Option(
        "speed_added",
        "QF-OPT-2",
        ("0", "50", "60", "70", "80", "90", "100"),
        "0",
        "percent by which all speeds are greater",
    ),
    Option(
        "range_guessing",
        "QF-OPT-3",
        ("no", "yes"),
        "no",
        "whether a guessed range changes the ROF die: "
        "on the model one off, each cable beyond the first one on",
    ),
    Option(
        "even_rof",
        "QF-OPT-4",
        ("no", "yes"),
        "no",
        "whether a ship printed with ROF 6-6 loses a light point with each heavy one",
    ),
    Option(
        "torpedo_regained",
        "QF-OPT-5",
        ("no", "yes"),
        "no",
        "whether a ship may roll each turn for a torpedo point lost",
    ),
)

option = asked_of(OPTIONS)
"""The value of a switch in a battle; its default where the battle does not say."""
