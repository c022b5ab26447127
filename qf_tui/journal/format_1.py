"""Lines of format 1 as format 2 has them, as JSON still.

Format 1 kept the facts of acts and questions by position, the ships that may join in the header and not in
the entry by which they joined, whole sentences for reasons, and another name for a correction.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from attrs import frozen

from qf_tui.core.effects import Op
from qf_tui.core.facts import Positional
from qf_tui.core.measure import Scalar
from qf_tui.journal.lines import Misread
from qf_tui.journal.validators import SUBJECT, list_of, object_of, scalar, shown, text

_NEW_KEYS = frozenset({"correction", "arrivals", "call", "estimated", "thrown", "at", "extra"})


def unnamed(what: str, kind: str, parts: Sequence[Scalar]) -> Mapping[str, object]:
    """The facts under the numbers of their positions: enough for a copy, and refused by any rules."""
    return {str(place): part for place, part in enumerate(parts)}


@frozen
class FormatOne:
    """What the lines of a save of format 1 are read by: the names of facts, and the ships that may join."""

    positional: Positional
    reserve: Mapping[str, Any]
    whose: re.Pattern[str]
    """What a sentence says of a ship, or of a roll that is hers."""

    def act(self, body: object) -> dict[str, Any]:
        """The body of an act's line; Misread if it is none of format 1."""
        raw = _known(object_of(body))
        if "mend" in raw:
            raw["correction"] = raw.pop("mend")
        if "version" in raw:
            _known(object_of(raw["version"]))
        for ruling in object_of(raw.get("rulings", {})).values():
            for effect in list_of(object_of(ruling).get("effects", [])):
                self._effect(list_of(effect))
            for reason in list_of(object_of(ruling).get("because", [])):
                self._reason(list_of(reason))
        return raw

    def _reason(self, parts: list[Any]) -> None:
        """Takes a sentence apart that begins with a ship, or with a roll that is hers."""
        found = self.whose.fullmatch(parts[0]) if 1 <= len(parts) <= 4 and type(parts[0]) is str else None
        if found is None:
            return
        roll, name, mark, result = found.group("roll", "name", "mark", "result")
        if roll and mark != ": ":
            return
        sign = ["", SUBJECT] if mark == " " else []
        whose = f"{roll or ''}{name}{',' if mark == ', ' else ''}"
        parts[:] = [result, *parts[1:], *[""] * (4 - len(parts)), whose, *sign]

    def _effect(self, parts: list[Any]) -> None:
        if len(parts) < 4:
            return
        if parts[0] == Op.ACT:
            self.remembered(parts[3])
        elif parts[0] == Op.OWE:
            self.owed(parts[3])
        elif parts[0] == Op.JOIN:
            if parts[1] not in self.reserve:
                raise Misread(f"join: {shown(parts[1])} is no ship that may join")
            parts[3] = {**object_of(self.reserve[parts[1]]), "side": parts[3]}

    def remembered(self, act: object) -> None:
        """Names the facts of an act."""
        self._name(object_of(act), "act", "kind", "data")

    def owed(self, question: object) -> None:
        """Names the facts of a question."""
        self._name(object_of(question), "question", "line", "about")

    def _name(
        self, raw: dict[str, Any], what: Literal["act", "question"], kind_key: str, parts_key: str
    ) -> None:
        if "facts" in raw:
            raise Misread("unknown key “facts”")
        kind, parts = text(raw.get(kind_key)), list_of(raw.pop(parts_key, []))
        for part in parts:
            scalar(part)
        try:
            facts = self.positional(what, kind, parts)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
            raise Misread(
                f"{what} of the kind {shown(kind)}: its parts are not those it had: {fault}"
            ) from None
        if facts:
            raw["facts"] = dict(facts)


def upgraded_header(body: object, positional: Positional) -> tuple[dict[str, Any], FormatOne]:
    """The body of a header without the ships that may join, and how the lines behind it are read."""
    raw = _known(object_of(body))
    start = object_of(raw.get("start"))
    reserve = object_of(start.pop("reserve", {}))
    ships = (*object_of(start.get("ships", {})).values(), *reserve.values())
    reader = FormatOne(positional, reserve, _of_ships(object_of(ship).get("name") for ship in ships))
    for act in list_of(start.get("acts", [])):
        reader.remembered(act)
    for question in list_of(start.get("owed", [])):
        reader.owed(question)
    return raw, reader


def _of_ships(names: Iterable[object]) -> re.Pattern[str]:
    """The beginnings of sentences about ships of these names, the longest name first."""
    known = sorted({name for name in names if type(name) is str and name}, key=len, reverse=True)
    any_name = "|".join(map(re.escape, known)) or "(?!)"
    return re.compile(rf"(?P<roll>.*? on )?(?P<name>{any_name})(?P<mark>: |, | )(?P<result>.+)", re.DOTALL)


def _known(raw: dict[str, Any]) -> dict[str, Any]:
    """An object that has no key of a later format."""
    for key in raw:
        if key in _NEW_KEYS:
            raise Misread(f"unknown key {shown(key)}")
    return raw
