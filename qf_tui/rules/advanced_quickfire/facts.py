"""The facts that acts and questions keep."""

from qf_tui.core.facts import FactField, FactFields, FactSchema
from qf_tui.rules.advanced_quickfire.damage import S_HIT
from qf_tui.rules.advanced_quickfire.initiative import RANKS
from qf_tui.rules.quickfire_family.facts import (
    ATTACK_FACTS,
    CHART_FACTS,
    CHECK_FACTS,
    FIRED_IN_RANGE,
    MOVES,
    REPAIRED,
    TARGETED,
    positional,
)

POSITIONAL = positional(
    {
        "fire": ("battery", "target", "range"),
        "rof": ("battery", "fired"),
        "boats": ("target", "dice"),
        "torpedo": ("target",),
        "repair": ("kind",),
        "initiative": ("side",),
    }
)


_ACTS: FactFields = {
    "fire": FIRED_IN_RANGE,
    "rof": (FactField("battery"), FactField("fired", "bool")),
    "boats": (*TARGETED, FactField("dice", "int")),
    "torpedo": TARGETED,
    S_HIT: (FactField("fire", "bool"), FactField("over", "bool")),
    "repair": REPAIRED,
    "initiative": (FactField("side"),),
}
_QUESTIONS: FactFields = {
    **ATTACK_FACTS,
    **CHECK_FACTS,
    **CHART_FACTS,
    "initiative": (FactField(RANKS, "texts"),),
}

FACTS = FactSchema(_ACTS, _QUESTIONS, POSITIONAL, MOVES)
