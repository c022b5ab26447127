"""The facts that acts and questions keep, and their positions in saves of format 1."""

from collections.abc import Mapping, Sequence
from typing import Literal

from qf_tui.core.facts import FactField, FactFields, FactSchema
from qf_tui.core.measure import Scalar

_NAMES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("act", "fire"): ("battery", "target"),
    ("act", "at"): ("battery", "target"),
    ("act", "damaged"): ("target",),
    ("act", "torpedo"): ("torpedoes",),
    ("act", "formation"): ("formation",),
    ("question", "critical"): ("turn", "penetrated"),
    ("question", "torpedo-damage"): ("kind", "firer", "turn"),
    ("question", "damage-control"): ("fire",),
}


def positional(what: Literal["act", "question"], kind: str, parts: Sequence[Scalar]) -> Mapping[str, object]:
    """The names of the facts; turns and faces were texts, and whether a critical hit penetrated."""
    if what == "question" and kind in ("targeting", "who"):
        return {"faces": [int(str(part)) for part in parts]}
    if what == "question" and not parts:
        return {}
    facts: dict[str, object] = dict(zip(_NAMES.get((what, kind), ()), parts, strict=True))
    if what == "question" and "turn" in facts:
        facts["turn"] = int(str(facts["turn"]))
    if "penetrated" in facts:
        facts["penetrated"] = facts["penetrated"] == "penetrated"
    return facts


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
