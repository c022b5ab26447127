"""The facts that acts and questions keep."""

from qf_tui.core.facts import FactField, FactFields, FactSchema
from qf_tui.rules.gq2.format_1 import positional

FACES = "faces"
"""The dice that were given with an order whose targeting roll comes first."""

_AIMED = (FactField("battery"), FactField("target"))
_GIVEN = (FactField(FACES, "ints"),)

_ACTS: FactFields = {
    "fire": _AIMED,
    "at": _AIMED,
    "damaged": (FactField("target"),),
    "torpedo": (FactField("torpedoes", "int"),),
    "formation": (FactField("formation"),),
}
_QUESTIONS: FactFields = {
    "targeting": _GIVEN,
    "who": _GIVEN,
    "critical": (FactField("turn", "int"), FactField("penetrated", "bool")),
    "torpedo-damage": (
        FactField("kind", group="torpedo"),
        FactField("firer", group="torpedo"),
        FactField("turn", "int", group="torpedo"),
    ),
    "damage-control": (FactField("fire"),),
    "wander-moves": (FactField("ships", "texts"), FactField("division"), FactField("turn", "int")),
    "wander-checks": (
        FactField("ships", "texts"),
        FactField("inches", "texts"),
        FactField("points", "ints"),
        FactField("turn", "int"),
    ),
}
"""A damage roll that keeps nothing is a mine's."""

FACTS = FactSchema(_ACTS, _QUESTIONS, positional)
