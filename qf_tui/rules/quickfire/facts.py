"""The facts that acts and questions keep."""

from qf_tui.core.facts import FactFields, FactSchema
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
        "boats": ("target",),
        "torpedo": ("target",),
        "repair": ("kind",),
    }
)


_ACTS: FactFields = {
    "fire": FIRED_IN_RANGE,
    "boats": TARGETED,
    "torpedo": TARGETED,
    "repair": REPAIRED,
}
_QUESTIONS: FactFields = {**ATTACK_FACTS, **CHECK_FACTS, **CHART_FACTS}

FACTS = FactSchema(_ACTS, _QUESTIONS, POSITIONAL, MOVES)
