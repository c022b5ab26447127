"""The JSON form of orders, effects, reasons and dice in the lines of a save."""

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import cache
from operator import attrgetter
from typing import Any, cast

from attrs import evolve, frozen
from cattrs import override
from cattrs.fns import identity

from qf_tui.core.decisions import Decision, Effect, Op, Reason, ReasonKind, Results
from qf_tui.core.errors import OrderRefused
from qf_tui.core.facts import Fact, is_key
from qf_tui.core.grammar.reader import build_unread_order
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Correction, Entry, Ruling, Version
from qf_tui.core.values import ANSWERS, Act, Battle, Charts, Die, Mark, Order, Owed, Ship, replace
from qf_tui.journal.converting import Overrides, StrictConverter
from qf_tui.journal.lines import (
    NUMBER_MOST,
    Misread,
    format_value,
    read_list,
    read_object,
    read_scalar,
    read_text,
    read_truth,
    read_whole,
)

READ_ORDER: ContextVar[Callable[[str], Order]] = ContextVar("read_order", default=build_unread_order)
"""Reader for the orders of the save that is being decoded."""

# Without the key of its question, an answer has no place in the order of play.
_UNKEYED = re.compile(rf"({'|'.join(ANSWERS)})(?! \d{{1,9}}/)(?!\S)")


@frozen
class _EnteredOrder:
    """An entered order: its text, and the keys next to the text."""

    order: Order
    dice: tuple[int, ...] = ()
    forced: bool = False
    call: int | None = None


def _read_order(value: object, _: object) -> Order:
    """Read an order from its text with the reader of the save; raise Misread if the reader refuses it."""
    written = read_text(value)
    try:
        return READ_ORDER.get()(written)
    except OrderRefused as refusal:
        raise Misread(f"{format_value(written)}: {refusal}") from None


def _read_entered_order(value: object, _: object) -> Order:
    """Read the text of an entered order; an empty one, or an answer without a key, is refused."""
    written = read_text(value)
    if not written.strip():
        raise Misread("it is empty")
    if _UNKEYED.match(written):
        raise Misread(f"{format_value(written)} does not name the question that it answers")
    return _read_order(written, Order)


def _read_entered(value: object, _: object) -> Order:
    """Read an order from an object: its text, and the keys `dice`, `forced` and `call`."""
    revision = CONVERTER.structure(value, _EnteredOrder)
    return replace(revision.order, dice=revision.dice, forced=revision.forced, call=revision.call)


def _write_entered(order: Order) -> object:
    """Write an order as an object: its text, and the keys `dice`, `forced` and `call`."""
    return CONVERTER.unstructure(_EnteredOrder(order, order.dice, order.forced, order.call))


def _read_question_key(value: object, _: object) -> str:
    """Read the key of an owed question, or raise Misread if it does not begin with the number of an entry."""
    key = read_text(value)
    if not is_key(key):
        raise Misread(f"{format_value(key)} does not begin with the number of an entry")
    return key


def _read_seconds(value: object, _: object) -> float:
    """Read a time in seconds since the battle began; raise Misread if it is negative or no number."""
    if type(value) in (int, float) and 0 <= cast(float, value) < NUMBER_MOST:
        return cast(float, value)
    raise Misread(f"{format_value(value)} is not a number of seconds")


def _read_fact(value: object, _: object) -> Fact:
    """Read a fact: a scalar, or a list of whole numbers if its first part is one, else of texts."""
    if type(value) is not list:
        return read_scalar(value)
    if value and type(value[0]) is int:
        return tuple([read_whole(part) for part in value])
    return tuple([read_text(part) for part in value])


def _read_outcome(value: object, _: object) -> Results:
    """Read the facts of an outcome, scalars or lists of texts, or raise Misread."""
    facts = read_object(value).items()
    return tuple(
        [
            (name, tuple(map(read_text, fact)) if type(fact) is list else read_scalar(fact))
            for name, fact in facts
        ]
    )


def _read_die(value: object, _: object) -> Die:
    """Read a die from the list of its sides, its name and its least face; the last two may be missing."""
    parts = read_list(value)
    if not 1 <= len(parts) <= 3:
        raise Misread("a die has its sides, name and least face")
    name = read_text(parts[1]) if len(parts) > 1 else ""
    sides = read_whole(parts[0])
    least_face = read_whole(parts[2]) if len(parts) > 2 else 1
    die = Die(sides, name, least_face)
    if die.sides < 1:
        raise Misread(f"a die cannot have {die.sides} sides")
    return die


def _write_die(die: Die) -> list[object]:
    """Write a die as a list: sides, name, least face; without parts at the end that are the defaults."""
    if die.least != 1:
        return [die.sides, die.name, die.least]
    return [die.sides, die.name] if die.name else [die.sides]


_SUBJECT = "subject"
_REASON_TEXTS = 6
"""Most texts of a reason in a save; a sign may follow them."""
_REASON_SIGNS = (_SUBJECT, ReasonKind.REMARK.value, ReasonKind.QUESTION.value)
"""Values of a reason's seventh part: the mark that its fifth part begins the sentence, or its kind."""


def _read_reason(value: object, _: object) -> Reason:
    """Read a reason from a list of 1 to 6 texts (after 6 texts, a sign may follow), or raise Misread."""
    parts = read_list(value)
    texts = parts[:_REASON_TEXTS]
    signs = parts[_REASON_TEXTS:]
    has_sound_sign = len(signs) < 2 and all(sign in _REASON_SIGNS for sign in signs)
    if not texts or not has_sound_sign:
        known = " or ".join(f"“{sign}”" for sign in _REASON_SIGNS)
        raise Misread(f"{format_value(value)} is not a list of 1 to 6 texts, or one with {known} after them")
    for text in texts:
        read_text(text)
    reason = Reason(*texts)
    if not signs:
        return reason
    if signs == [_SUBJECT]:
        # The fifth part is then the subject of the sentence, not its `of`.
        return evolve(reason, of="", subject=reason.of)
    return evolve(reason, kind=ReasonKind(signs[0]))


def _write_reason(reason: Reason) -> list[str]:
    """Write a reason as a list of its parts, without empty parts at the end."""
    # The fifth part is `of` or `subject`; the seventh says which, or the kind of reason.
    lead, sign = (reason.subject, _SUBJECT) if reason.subject else (reason.of, reason.kind.value)
    parts = [reason.result, reason.clause, reason.chart, reason.cell, lead, reason.roll, sign]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts


_VALUES: Mapping[str, Any] = {
    Op.ADD: int,
    Op.SET: Scalar,
    Op.CARD: Scalar,
    Op.MARK: Mark,
    Op.LIFT: str,
    Op.STATUS: str,
    Op.ACT: Act,
    Op.OWE: Owed,
    Op.SETTLE: str,
    Op.PHASE: tuple[int, bool],
    Op.JOIN: Ship,
    Op.OPTION: Scalar,
    Op.TABLE: Scalar,
    Op.CHART: Charts,
    Op.DOUBT: int,
    Op.CLEAR: int,
}
"""Type of the value of each kind of effect."""


@cache
def _find_effect_hook(name: str) -> tuple[Op, Any, Callable[[Any, Any], Any]]:
    """Find a kind of effect by its name: the kind, the type of its value, and the reader of the value."""
    return Op(name), _VALUES[name], CONVERTER.get_structure_hook(_VALUES[name])


def _read_effect(parts: object, _: object) -> Effect:
    """Read an effect from a list: op, ship, field, value, true if set by hand; or raise Misread."""
    if type(parts) is not list or not 4 <= len(parts) <= 5:
        raise Misread(f"{format_value(parts)} is not a list of 4 or 5 parts")
    name, ship, field, value = parts[:4]
    if type(name) is not str or name not in _VALUES:
        raise Misread(f"{format_value(name)} is not a kind of effect")
    if type(ship) is not str or type(field) is not str:
        raise Misread(f"{format_value(ship)}, {format_value(field)}: ship and field are not texts")
    op, kind, read = _find_effect_hook(name)
    return Effect(op, ship, field, read(value, kind), len(parts) == 5 and read_truth(parts[4]))


def _write_effect(effect: Effect) -> list[object]:
    """Write an effect as a list: op, ship, field, value, and true if it was set by hand."""
    value = CONVERTER.unstructure(effect.value, _VALUES[effect.op])
    parts = [effect.op, effect.ship, effect.field, value]
    return [*parts, True] if effect.hand else parts


def _read_extra(value: object, _: object) -> dict[str, object]:
    """Read the extras of features, whose parts may be any JSON."""
    return read_object(value)


_NUMBER, _SECONDS = override(rename="n"), override(struct_hook=_read_seconds)
_EXTRA = override(struct_hook=_read_extra, unstruct_hook=dict)
_OVERRIDES: Overrides = {
    Battle: dict.fromkeys(("began", "reserve", "plan"), override(omit=True)),
    Owed: {"key": override(struct_hook=_read_question_key)},
    Decision: {
        "reasons": override(rename="because"),
        "outcome": override(struct_hook=_read_outcome, unstruct_hook=dict),
    },
    Ruling: {"decision": override(rename="")},
    _EnteredOrder: {"order": override(struct_hook=_read_entered_order)},
    Version: {"order": override(rename="", struct_hook=_read_entered, unstruct_hook=_write_entered)},
    Entry: {"number": _NUMBER, "version": override(rename=""), "at": _SECONDS, "extra": _EXTRA},
    Correction: {"number": _NUMBER, "kind": override(rename="correction"), "at": _SECONDS, "extra": _EXTRA},
}
CONVERTER = StrictConverter(_OVERRIDES)
for kind, read, write in (
    (Order, _read_order, attrgetter("resolved")),
    (Effect, _read_effect, _write_effect),
    (Reason, _read_reason, _write_reason),
    (Die, _read_die, _write_die),
    (Fact, _read_fact, identity),
):
    CONVERTER.register_structure_hook(kind, read)
    CONVERTER.register_unstructure_hook(kind, write)
