"""Values of which a log is full, in short: dice and reasons are lists, an outcome is an object."""

from qf_tui.core.decisions import Reason, Results
from qf_tui.core.values import Die
from qf_tui.journal.lines import Misread
from qf_tui.journal.validators import list_of, object_of, scalar, shown, text, whole


def read_die(value: object, _: object = None) -> Die:
    """A die from its sides, name and least face."""
    parts = list_of(value)
    if not 1 <= len(parts) <= 3:
        raise Misread("a die has its sides, name and least face")
    name = text(parts[1]) if len(parts) > 1 else ""
    die = Die(whole(parts[0]), name, whole(parts[2]) if len(parts) > 2 else 1)
    if die.sides < 1:
        raise Misread(f"{die.sides} is not the sides of a die")
    return die


def write_die(die: Die) -> list[object]:
    """A die as its sides, and what of the rest is not usual."""
    if die.least != 1:
        return [die.sides, die.name, die.least]
    return [die.sides, die.name] if die.name else [die.sides]


def read_reason(value: object, _: object = None) -> Reason:
    """A reason from its parts."""
    parts = list_of(value)
    if not 1 <= len(parts) <= 6:
        raise Misread(f"{shown(value)} is not a list of 1 to 6 texts")
    for part in parts:
        if type(part) is not str:
            text(part)
    return Reason(*parts)


def write_reason(reason: Reason) -> list[str]:
    """A reason as its parts, empty ends left out."""
    parts = [reason.result, reason.clause, reason.chart, reason.cell, reason.of, reason.roll]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts


def read_outcome(value: object, _: object = None) -> Results:
    """The facts of an outcome; a list of it holds texts."""
    facts = object_of(value).items()
    return tuple(
        [(name, tuple(map(text, fact)) if type(fact) is list else scalar(fact)) for name, fact in facts]
    )
