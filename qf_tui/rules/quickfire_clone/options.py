"""The house-rule switches of Quickfire-Clone, each with the clause that it turns and its stated default."""

from qf_tui.core.system import Option
from qf_tui.rules.quickfire_family.targeting import GROUNDED, asked_of, estimated_ranges


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
