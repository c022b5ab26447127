"""The facts that acts and questions keep."""

from qf_tui.core.facts import FactField, FactFields, FactSchema
from qf_tui.rules.quickfire_family.facts import ATTACK_FACTS, CHECK_FACTS, FIRED, MOVES, TARGETED, positional

POSITIONAL = positional(
    {
        "fire": ("battery", "target"),
        "torpedo": ("target",),
        "collide": ("other",),
    }
)


COURSE = "course"
"""The mark of the course that a new die replaces."""

_ACTS: FactFields = {
    "fire": FIRED,
    "torpedo": TARGETED,
    "collide": (FactField("other"),),
}
_QUESTIONS: FactFields = {
    **ATTACK_FACTS,
    **CHECK_FACTS,
    "direction": (FactField(COURSE, optional=True),),
}

FACTS = FactSchema(_ACTS, _QUESTIONS, POSITIONAL, MOVES)
