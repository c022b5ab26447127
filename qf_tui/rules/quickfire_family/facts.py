"""The facts that questions and acts of every game keep."""

from qf_tui.core.facts import FactField, FactFields
from qf_tui.rules.quickfire_family.ship import NOTHING_MOVED

FIRE = "fire"
"""The mark of the fire that a check is for, or `ALL_FIRES`."""
ALL_FIRES = "all"
"""What stands for a mark where one check is for all fires of a ship."""
INTERRUPTED = "line"
"""The line of the roll that a question about the chart interrupts."""
READ, READ_PARTS = "read.", ("table", "row", "column", "text")
"""The cells that were read out for the interrupted roll before, part by part, oldest first."""
DECLARED_TURN, DECLARED_PHASE, FIRER, TARGET = "declared.turn", "declared.phase", "firer.", "target."
"""What a carried attack is judged by: turn and phase, the firer's log then, how far the target had gone."""

CARRIED = (
    FactField(DECLARED_TURN, "int", group="carried"),
    FactField(DECLARED_PHASE, group="carried"),
    FactField(f"{FIRER}*", "scalar", group="carried"),
    *(FactField(TARGET + name, "scalar", group="carried") for name in NOTHING_MOVED),
)
MOVES = ("moved", "distance", "went")
"""The fields of a ship's log that hold how far she went."""
TARGETED = (FactField("target"),)
FIRED = (FactField("battery"), *TARGETED)
FIRED_IN_RANGE = (*FIRED, FactField("range"))
REPAIRED = (FactField("kind"),)

ATTACK_FACTS: FactFields = {"fire": CARRIED, "torpedo": CARRIED}
CHECK_FACTS: FactFields = {"fire-check": (FactField(FIRE),)}
CHART_FACTS: FactFields = {
    "chart": (
        FactField(INTERRUPTED),
        *(FactField(READ + part, "texts", group="read") for part in READ_PARTS),
        FactField(FIRE, optional=True),
        *CARRIED,
    )
}
