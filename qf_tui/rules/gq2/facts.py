"""The facts that acts and questions keep."""

from qf_tui.core.facts import FactField, FactFields, FactSchema
from qf_tui.rules.gq2.format_1 import positional

FACES = "faces"
"""The dice that were given with an order whose targeting roll comes first."""

TORPEDOES, TARGET = "torpedoes", "target"
"""How many torpedoes a question is about, and the ship that was found where another was intended."""

_AIMED = (FactField("battery"), FactField(TARGET))
_LED = FactField(TORPEDOES, "int", optional=True)
_GIVEN = (FactField(FACES, "ints"), _LED)

_ACTS: FactFields = {
    "fire": _AIMED,
    "at": _AIMED,
    "damaged": (FactField(TARGET),),
    "torpedo": (FactField(TORPEDOES, "int"),),
    "formation": (FactField("formation"),),
}
_QUESTIONS: FactFields = {
    "targeting": _GIVEN,
    "who": _GIVEN,
    "measure": (*_GIVEN, FactField(TARGET)),
    "torpedo": (_LED,),
    "critical": (FactField("turn", "int"), FactField("penetrated", "bool")),
    "torpedo-damage": (
        FactField("kind", group="torpedo"),
        FactField("firer", group="torpedo"),
        FactField("turn", "int", group="torpedo"),
    ),
    "damage-control": (FactField("fire"),),
    "wander-moves": (
        FactField("ships", "texts"),
        FactField("division"),
        FactField("turn", "int"),
        FactField("recorded", "texts", group="recorded"),
        FactField("inches", "texts", group="recorded"),
        FactField("points", "ints", group="recorded"),
    ),
    "wander-checks": (
        FactField("ships", "texts"),
        FactField("inches", "texts"),
        FactField("points", "ints"),
        FactField("turn", "int"),
    ),
}
"""A damage roll that keeps nothing is a mine's."""

FACTS = FactSchema(_ACTS, _QUESTIONS, positional, ("moved", "made", "went"))
