"""Named facts that rules keep with a ship's action or an owed question; the key of a question."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import Literal

from attrs import field, frozen

from qf_tui.core.text import Scalar

Fact = Scalar | tuple[int, ...] | tuple[str, ...]
"""A fact: a text, a number, true or false, None, or a list of whole numbers or of texts."""

FactKind = Literal["text", "int", "bool", "scalar", "ints", "texts"]


class HasFacts:
    """A value with `facts`, read by name and type; a missing fact reads as "", 0, False or ()."""

    __slots__ = ()
    facts: Mapping[str, Fact]

    def read_text(self, name: str) -> str:
        value = self.facts.get(name)
        return value if isinstance(value, str) else ""

    def read_number(self, name: str) -> int:
        value = self.facts.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else 0

    def has(self, name: str) -> bool:
        return self.facts.get(name) is True

    def read_texts(self, name: str) -> tuple[str, ...]:
        value = self.facts.get(name)
        return tuple(str(part) for part in value) if isinstance(value, tuple) else ()

    def read_numbers(self, name: str) -> tuple[int, ...]:
        value = self.facts.get(name)
        return tuple(part for part in value if isinstance(part, int)) if isinstance(value, tuple) else ()

    def list_scalars(self, prefix: str) -> dict[str, Scalar]:
        """Return the single values whose names begin with `prefix`, by the rest of their names."""
        fitting = ((name, value) for name, value in self.facts.items() if name.startswith(prefix))
        return {name.removeprefix(prefix): value for name, value in fitting if not isinstance(value, tuple)}


@frozen
class FactField:
    """The declaration of a fact that acts of a kind, or questions of a line, keep.

    Attributes:
        name: Name of the fact. A name that ends in `.*` covers all facts with that beginning.
        kind: Type of the value.
        optional: True if the fact may be missing.
        group: Name of a group whose facts are either all there or all missing; "" for a fact that must
            always be there.
    """

    name: str
    kind: FactKind = "text"
    optional: bool = False
    group: str = ""

    @property
    def prefix(self) -> str:
        """The common beginning of the names that it covers; "" if it covers a single name."""
        return self.name.removesuffix("*") if self.name.endswith(".*") else ""

    def is_about(self, name: str) -> bool:
        """Return whether this declaration covers a fact called `name`."""
        return name == self.name or (bool(self.prefix) and name.startswith(self.prefix))


FactFields = Mapping[str, tuple[FactField, ...]]
"""The facts by kind of act or by line of questions. A kind that is missing here keeps no facts."""


def find_facts_fault(fields: Sequence[FactField], facts: Mapping[str, Fact]) -> str:
    """Check facts against their declaration.

    A fact of a group is required only if another fact of the group is there.

    Returns:
        The first fault, as text (a fact is missing, unknown or of another type), or "" if all fit.
    """
    groups = set()
    for name, value in facts.items():
        declared = next((each for each in fields if each.is_about(name)), None)
        if declared is None:
            return f"unknown fact “{name}”"
        expected, is_valid = _KINDS[declared.kind]
        if not is_valid(value):
            return f"fact “{name}”: {expected} was expected"
        groups.add(declared.group)
    for each in fields:
        is_required = not (each.optional or each.prefix) and (not each.group or each.group in groups)
        if is_required and each.name not in facts:
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
"""Each kind as text for people, with its type check."""


@frozen
class FactSchema:
    """The declaration of all facts of a rule system.

    Attributes:
        acts: Facts by kind of act.
        questions: Facts by line of the question.
        figures: Fields of a ship's log that hold a number, a number written as text, or nothing.
    """

    acts: FactFields = field(factory=dict)
    questions: FactFields = field(factory=dict)
    figures: tuple[str, ...] = ()


# The line of a rule system may contain a "/"; the id of a ship cannot.
_WRITTEN = re.compile(r"(\d{1,9})(?:/(.*?)(?:/([^/]*)(?:/(\d{1,9}))?)?)?", re.ASCII)


@frozen
class QuestionKey:
    """The key of an owed question, unique in the battle.

    Attributes:
        entry: Number of the entry that asked it; 0 for the start of the battle.
        line: Line of the chart, or another name for the kind of question.
        ship: Id of the ship that owes it, or "".
        nth: Number of the question among those with the same entry, line and ship, from 1.
    """

    entry: int = 0
    line: str = ""
    ship: str = ""
    nth: int = 1

    def __str__(self) -> str:
        return f"{self.entry}/{self.line}/{self.ship}/{self.nth}"


def is_key(written: str) -> bool:
    """Return whether a text is the key of a question; its last parts may be missing."""
    return _WRITTEN.fullmatch(written) is not None


@lru_cache(maxsize=4096)
def read_key(written: str) -> QuestionKey:
    """Read the text of a key, or return an empty key if it is not one."""
    match = _WRITTEN.fullmatch(written)
    if match is None:
        return QuestionKey()
    entry, line, ship, nth = match.groups()
    return QuestionKey(int(entry), line or "", ship or "", int(nth or 1))
