"""How the games named nothing in saves of format 1: what each position held."""

import json
from collections.abc import Mapping, Sequence
from typing import Literal

from qf_tui.core.facts import Positional
from qf_tui.core.measure import Scalar

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
