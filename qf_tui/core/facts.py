"""Named facts: what an act or an owed question keeps for its rules, and how a rule system declares them."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import Literal

from attrs import field, frozen

from qf_tui.core.text import Scalar

Fact = Scalar | tuple[int, ...] | tuple[str, ...]
"""One fact: a text, a number, a truth, nothing, or a list of whole numbers or of texts."""

FactKind = Literal["text", "int", "bool", "scalar", "ints", "texts"]


class HasFacts:
    """A value with `facts`, read by name and type; one that is not there reads as "", 0, False or ()."""

    __slots__ = ()
    facts: Mapping[str, Fact]

    def text(self, name: str) -> str:
        value = self.facts.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> int:
        value = self.facts.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else 0

    def has(self, name: str) -> bool:
        return self.facts.get(name) is True

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.facts.get(name)
        return tuple(str(part) for part in value) if isinstance(value, tuple) else ()

    def numbers(self, name: str) -> tuple[int, ...]:
        value = self.facts.get(name)
        return tuple(part for part in value if isinstance(part, int)) if isinstance(value, tuple) else ()

    def scalars(self, prefix: str) -> dict[str, Scalar]:
        """The facts whose names begin with a prefix, by the rest of their names."""
        fitting = ((name, value) for name, value in self.facts.items() if name.startswith(prefix))
        return {name.removeprefix(prefix): value for name, value in fitting if not isinstance(value, tuple)}


@frozen
class FactField:
    """One fact that a kind of act, or a line of questions, keeps.

    A name that ends in `.*` means any number of facts whose names begin so. `group`: its members that
    are not `optional` are all there or none is; members of no group are always there.
    """

    name: str
    kind: FactKind = "text"
    optional: bool = False
    group: str = ""

    @property
    def prefix(self) -> str:
        """The beginning of the names that it means; "" if it means its own alone."""
        return self.name.removesuffix("*") if self.name.endswith(".*") else ""

    def means(self, name: str) -> bool:
        """Whether a fact of that name is meant."""
        return name == self.name or (bool(self.prefix) and name.startswith(self.prefix))


FactFields = Mapping[str, tuple[FactField, ...]]
"""The facts of each kind of act, or of each line of questions; a kind that is left out keeps none."""


def facts_fault(fields: Sequence[FactField], facts: Mapping[str, Fact]) -> str:
    """What does not fit the declaration: a fact missing, of another kind or unknown; "" if all fit."""
    groups = set()
    for name, value in facts.items():
        declared = next((each for each in fields if each.means(name)), None)
        if declared is None:
            return f"unknown fact “{name}”"
        words, fits = _KINDS[declared.kind]
        if not fits(value):
            return f"fact “{name}”: {words} was expected"
        groups.add(declared.group)
    for each in fields:
        wanted = not (each.optional or each.prefix) and (not each.group or each.group in groups)
        if wanted and each.name not in facts:
            return f"fact “{each.name}” is missing"
    return ""


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, str | int) or (isinstance(value, float) and isfinite(value))


_KINDS: Mapping[FactKind, tuple[str, Callable[[object], bool]]] = {
    "text": ("a text", lambda value: isinstance(value, str)),
    "int": ("a whole number", _is_whole),
    "bool": ("true or false", lambda value: isinstance(value, bool)),
    "scalar": ("a text or a number", _is_scalar),
    "ints": (
        "a list of whole numbers",
        lambda value: isinstance(value, tuple) and all(map(_is_whole, value)),
    ),
    "texts": (
        "a list of texts",
        lambda value: isinstance(value, tuple) and all(isinstance(part, str) for part in value),
    ),
}
"""Each kind in words, and whether a value is of it."""


@frozen
class FactSchema:
    """The facts of a rule system: those of acts by kind and of questions by line.

    `figures` are the fields of a ship's log that hold a number, as it is or in text, or nothing.
    """

    acts: FactFields = field(factory=dict)
    questions: FactFields = field(factory=dict)
    figures: tuple[str, ...] = ()


# A rule system may have put a stroke into a line; ships have none.
_WRITTEN = re.compile(r"(\d{1,9})(?:/(.*?)(?:/([^/]*)(?:/(\d{1,9}))?)?)?", re.ASCII)


@frozen
class QuestionKey:
    """What tells a question from all others: the entry that asked, its line, its ship, and which of several.

    `entry` is 0 for what the battle began with, `ship` "" for what no ship owes.
    """

    entry: int = 0
    line: str = ""
    ship: str = ""
    nth: int = 1

    def __str__(self) -> str:
        return f"{self.entry}/{self.line}/{self.ship}/{self.nth}"


def is_key(written: str) -> bool:
    """Whether a text names a question; the end of a key may be left out."""
    return _WRITTEN.fullmatch(written) is not None


@lru_cache(maxsize=4096)
def read_key(written: str) -> QuestionKey:
    """A key as it is written; an empty one for what is none."""
    match = _WRITTEN.fullmatch(written)
    if match is None:
        return QuestionKey()
    entry, line, ship, nth = match.groups()
    return QuestionKey(int(entry), line or "", ship or "", int(nth or 1))
