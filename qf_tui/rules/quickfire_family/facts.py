"""The facts that questions and acts of every game keep, and their positions in saves of format 1."""

import json
from collections.abc import Mapping, Sequence
from typing import Literal

from qf_tui.core.facts import FactField, FactFields, Positional
from qf_tui.core.measure import Scalar
from qf_tui.rules.quickfire_family.ship import NOTHING_MOVED

_DECLARED = "declared="
_BEHIND = "::"
_MARKS = {"fire-check": "fire", "direction": "course"}


def positional(acts: Mapping[str, tuple[str, ...]]) -> Positional:
    """The names of the facts of one game; `acts` are those of each kind of act, in their old order."""

    def name(what: Literal["act", "question"], kind: str, parts: Sequence[Scalar]) -> Mapping[str, object]:
        if what == "act":
            return dict(zip(acts.get(kind, ()), parts, strict=True))
        texts = [str(part) for part in parts]
        return _of_chart(texts) if kind == "chart" else _of_roll(kind, texts)

    return name


def _of_roll(line: str, parts: Sequence[str]) -> dict[str, object]:
    """The mark that a roll is for, and what a carried attack is judged by."""
    facts: dict[str, object] = {}
    for part in parts:
        if part.startswith(_DECLARED):
            facts.update(_of_declaration(json.loads(part.removeprefix(_DECLARED))))
        elif line in _MARKS and not facts:
            facts[_MARKS[line]] = part
        else:
            raise ValueError(f"“{part[:40]}” was not expected")
    return facts


def _of_declaration(kept: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """Turn, phase, the firer's log and the target's movement, which were JSON in a text."""
    logs = {f"{ship}.{name}": value for ship in ("firer", "target") for name, value in kept[ship].items()}
    return {"declared.turn": kept["turn"], "declared.phase": kept["phase"], **logs}


def _of_chart(parts: Sequence[str]) -> dict[str, object]:
    """The interrupted roll: line, cell asked for (which the question has too), cells read, its facts."""
    bound = parts.index(_BEHIND)
    line, _, *read = parts[:bound]
    facts: dict[str, object] = {"line": line}
    if read:
        cells = [(*place.split("|"), text) for place, _, text in (part.partition("=") for part in read)]
        names = ("read.table", "read.row", "read.column", "read.text")
        facts.update((name, list(each)) for name, each in zip(names, zip(*cells, strict=True), strict=True))
    return {**_of_roll(line, parts[bound + 1 :]), **facts}


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
