"""The values of a battle and the acts of its log as JSON, and strictly back.

What comes back is equal in every type: a wrong type, an unknown key or an unknown kind of effect is refused, never
made to fit. Empty and default parts are left out. Effects and reasons, of which a log is full, are short lists;
what an effect's value is, its kind tells. The rest is coded by cattrs from the values' own declarations.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve, frozen

from qf_tui.core.acts import Correction, CorrectionKind, Entry, LogAct, Ruling, State, Version
from qf_tui.core.charts import Charts
from qf_tui.core.decisions import Decision, Outcome, Reason
from qf_tui.core.effects import Effect, Op, Value
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.grammar.order import ANSWERS, Order
from qf_tui.core.grammar.reader import unread
from qf_tui.core.values import Act, Battle, Mark, Owed
from qf_tui.journal.lines import FORMAT, Misread
from qf_tui.journal.validators import (
    fields_of,
    member,
    needed,
    parts_of,
    scalar,
    shown,
    text,
    texts,
    truth,
    whole,
    wholes,
)
from qf_tui.journal.value_codec import charts, decoded, encoded

ReadOrder = Callable[[str], Order]
"""How the text of an order is read; the rules' forms know, the journal does not."""


@frozen
class Header:
    """The first line of a save: its format, the program that made it, the rule system, and the start battle.

    A start that has a beginning of its phase has itself for it.
    """

    format: int
    program: str
    system: str
    start: Battle


def encode_header(header: Header) -> dict[str, object]:
    """The body of the first line."""
    body: dict[str, object] = {
        "n": 0,
        "save": "qf-tui",
        "format": header.format,
        "program": header.program,
        "system": header.system,
        "start": encoded(header.start, Battle),
    }
    if header.start.began is not None:
        body["began"] = True
    return body


def decode_header(body: object) -> Header:
    """A header from its body; Misread says what is wrong and where."""
    raw = fields_of(body, _HEADER_KEYS)
    if whole(needed(raw, "format")) != FORMAT or whole(needed(raw, "n")) or raw.get("save") != "qf-tui":
        raise Misread(f"not the first line of a save of format {FORMAT}")
    start = decoded(Battle, needed(raw, "start"))
    if "began" in raw and truth(raw["began"]):
        start = evolve(start, began=start)
    return Header(FORMAT, text(needed(raw, "program")), text(needed(raw, "system")), start)


def encode_act(act: LogAct) -> dict[str, object]:
    """The body of an act's line."""
    body: dict[str, object] = {"n": act.number}
    if isinstance(act, Entry):
        body.update(_encode_version(act.version))
    else:
        body["mend"] = act.kind
        body["targets"] = act.targets
        if act.version is not None:
            body["version"] = _encode_version(act.version)
    if act.after is not None:
        body["after"] = act.after
    if act.rulings:
        body["rulings"] = {str(number): _encode_ruling(ruling) for number, ruling in act.rulings.items()}
    return body


def decode_act(body: object, read_order: ReadOrder = unread) -> LogAct:
    """An entry or a correction from its body; Misread says what is wrong."""
    entry = type(body) is dict and "order" in body
    raw = fields_of(body, _ENTRY_KEYS if entry else _CORRECTION_KEYS)
    number, after = whole(needed(raw, "n")), raw.get("after")
    if after is not None or "after" in raw:
        whole(after)
    rulings = {}
    for key, ruling in fields_of(raw.get("rulings", {})).items():
        if not (key.isascii() and key.isdigit() and len(key) < 10 and str(int(key)) == key):
            raise Misread(f"rulings: {shown(key)} is not the number of an entry")
        rulings[int(key)] = _ruling(ruling)
    if entry:
        return Entry(number, _version(raw, read_order), after, rulings)
    mend, targets = member(CorrectionKind, needed(raw, "mend")), wholes(needed(raw, "targets"))
    version = _version(fields_of(raw["version"], _VERSION_KEYS), read_order) if "version" in raw else None
    return Correction(number, mend, targets, version, after, rulings)


def _encode_version(version: Version) -> dict[str, object]:
    body: dict[str, object] = {"order": version.order.resolved}
    if version.dice:
        body["dice"] = version.dice
    if version.forced:
        body["forced"] = True
    if version.overrode:
        body["overrode"] = version.overrode
    if version.overlay is not None:
        body["overlay"] = encoded(version.overlay, Charts)
    return body


def _version(raw: Mapping[str, Any], read_order: ReadOrder) -> Version:
    written = text(needed(raw, "order"))
    if not written.strip():
        raise Misread("order: it is empty")
    if _UNKEYED.match(written):
        raise Misread(f"order: {shown(written)} does not say what it answers")
    overlay = charts(raw["overlay"]) if "overlay" in raw else None
    forced = truth(raw["forced"]) if "forced" in raw else False
    overrode = texts(raw["overrode"]) if "overrode" in raw else ()
    dice = wholes(raw["dice"]) if "dice" in raw else ()
    try:
        order = read_order(written)
    except OrderRefused as refusal:
        raise Misread(f"order: {shown(written)}: {refusal}") from None
    return Version(evolve(order, dice=dice, forced=forced), overrode, overlay)


def _encode_ruling(ruling: Ruling) -> dict[str, object]:
    decision = ruling.decision
    body: dict[str, object] = {}
    if ruling.state is not State.STANDS:
        body["state"] = ruling.state
    if decision.effects:
        body["effects"] = [_encode_effect(effect) for effect in decision.effects]
    if decision.reasons:
        body["because"] = [_encode_reason(reason) for reason in decision.reasons]
    if decision.outcome:
        body["outcome"] = dict(decision.outcome)
    if ruling.findings:
        body["findings"] = [encoded(finding, Finding) for finding in ruling.findings]
    return body


def _ruling(body: object) -> Ruling:
    raw = fields_of(body, _RULING_KEYS)
    decision = Decision(
        tuple([_effect(parts) for parts in parts_of(raw["effects"])]) if "effects" in raw else (),
        tuple([_reason(parts) for parts in parts_of(raw["because"])]) if "because" in raw else (),
        _outcome(raw["outcome"]) if "outcome" in raw else (),
    )
    state = member(State, raw["state"]) if "state" in raw else State.STANDS
    if "findings" not in raw:
        return Ruling(decision, state)
    return Ruling(decision, state, tuple(decoded(Finding, part) for part in parts_of(raw["findings"])))


def _outcome(body: object) -> Outcome:
    facts = fields_of(body).items()
    return tuple([(name, texts(fact) if type(fact) is list else scalar(fact)) for name, fact in facts])


def _encode_reason(reason: Reason) -> list[str]:
    parts = [reason.result, reason.clause, reason.chart, reason.cell, reason.of, reason.roll]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts


def _reason(parts: object) -> Reason:
    if type(parts) is not list or not 1 <= len(parts) <= 6:
        raise Misread(f"because: {shown(parts)} is not a list of 1 to 6 texts")
    for part in parts:
        text(part)
    return Reason(*parts)


def _encode_effect(effect: Effect) -> list[object]:
    plain = effect.op not in _CODED
    value = effect.value if plain else encoded(effect.value, _CODED[effect.op])
    parts: list[object] = [effect.op, effect.ship, effect.field, value]
    return [*parts, True] if effect.hand else parts


def _effect(parts: object) -> Effect:
    if type(parts) is not list or not 4 <= len(parts) <= 5:
        raise Misread(f"effects: {shown(parts)} is not a list of 4 or 5 parts")
    name, ship, field, value = parts[:4]
    if type(name) is not str or name not in _VALUES:
        raise Misread(f"effects: {shown(name)} is no kind of effect")
    if type(ship) is not str or type(field) is not str:
        raise Misread(f"effects: {name} of {shown(ship)}, {shown(field)}: ship and field are texts")
    op, read = _VALUES[name]
    return Effect(op, ship, field, read(value), truth(parts[4]) if len(parts) == 5 else False)


def _turn_and_carried(value: object) -> tuple[int, bool]:
    parts = parts_of(value)
    if len(parts) != 2:
        raise Misread("a phase has its turn and whether rolls were carried over")
    return whole(parts[0]), truth(parts[1])


def _owed(value: object) -> Owed:
    owed = decoded(Owed, value)
    entry = owed.key.partition("/")[0]
    if not (entry.isascii() and entry.isdigit() and len(entry) < 10):
        raise Misread(f"owed: {shown(owed.key)} does not begin with the number of an entry")
    return owed


# The order of play hangs on the entry that asked.
_UNKEYED = re.compile(rf"({'|'.join(ANSWERS)})(?! \d{{1,9}}/)(?!\S)")
_HEADER_KEYS = frozenset({"n", "save", "format", "program", "system", "start", "began"})
_VERSION_KEYS = frozenset({"order", "dice", "forced", "overrode", "overlay"})
_ENTRY_KEYS = _VERSION_KEYS | {"n", "after", "rulings"}
_CORRECTION_KEYS = frozenset({"n", "mend", "targets", "version", "after", "rulings"})
_RULING_KEYS = frozenset({"state", "effects", "because", "outcome", "findings"})

_CODED: Mapping[Op, Any] = {Op.MARK: Mark, Op.ACT: Act, Op.OWE: Owed, Op.CHART: Charts}
"""The kinds of effect whose value is more than a number, a text or two of them."""

_READERS: Mapping[Op, Callable[[object], Value]] = {
    Op.ADD: whole,
    Op.SET: scalar,
    Op.CARD: scalar,
    Op.MARK: lambda value: decoded(Mark, value),
    Op.LIFT: text,
    Op.STATUS: text,
    Op.ACT: lambda value: decoded(Act, value),
    Op.OWE: _owed,
    Op.SETTLE: text,
    Op.PHASE: _turn_and_carried,
    Op.JOIN: text,
    Op.OPTION: scalar,
    Op.TABLE: scalar,
    Op.CHART: charts,
    Op.DOUBT: whole,
    Op.CLEAR: whole,
}
_VALUES = {op.value: (op, _READERS[op]) for op in Op}
