"""What each position held in saves of format 1."""

from collections.abc import Mapping, Sequence
from typing import Literal

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
