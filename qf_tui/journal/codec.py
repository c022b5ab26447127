"""The lines of a save: the header, and an entry or a correction, from and to the JSON of their bodies."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve, field, frozen

from qf_tui.core.acts import Correction, Entry, LogAct
from qf_tui.core.effects import Op
from qf_tui.core.errors import OrderRefused
from qf_tui.core.facts import Positional
from qf_tui.core.grammar.order import ANSWERS, Order
from qf_tui.core.grammar.reader import unread
from qf_tui.core.replace import replace
from qf_tui.core.values import Battle, Ship
from qf_tui.journal.format_1 import FormatOne, unnamed, upgraded_header
from qf_tui.journal.lines import FORMAT, Misread
from qf_tui.journal.plan_codec import PARTS, encode_plan, with_plan
from qf_tui.journal.validators import list_of, object_of, shown, text, truth, whole
from qf_tui.journal.value_codec import decoded, encoded

ReadOrder = Callable[[str], Order]


@frozen
class SaveRules:
    """What the journal does not know of a rule system: how to read an order, and what format 1 kept where.

    Without them orders are words, and the facts of format 1 have no names: enough for a copy.
    """

    read_order: ReadOrder = unread
    positional: Positional = unnamed


RulesOf = Callable[[str], SaveRules]
"""The rules of a save, by the name of its rule system."""


def no_rules(system: str) -> SaveRules:
    """Those of no rule system."""
    return SaveRules()


@frozen
class Header:
    """The first line of a save: its format, the program that made it, the rule system, and the start battle.

    A start that has a beginning of its phase has itself for it. `extra` holds JSON of other parts of the
    program, by part; what the start says of later is no part of it here.
    """

    format: int
    program: str
    system: str
    start: Battle
    extra: Mapping[str, object] = field(factory=dict)


_HEADER_KEYS = frozenset({"n", "save", "format", "program", "system", "start", "began", "extra"})
_RESERVE: Any = Mapping[str, Ship]


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
    extra = {**header.extra, **encode_plan(header.start)}
    if extra:
        body["extra"] = extra
    return body


def decode_header(body: object, reserve: object = None, read_order: ReadOrder = unread) -> Header:
    """A header from its body; Misread says what is wrong and where.

    `reserve` are the ships that a header of format 1 kept beside the battle's ships.
    """
    raw = object_of(body, _HEADER_KEYS)
    for key in _HEADER_KEYS - {"began", "extra"}:
        if key not in raw:
            raise Misread(f"{key} is missing")
    number = whole(raw["format"])
    if not 0 < number <= FORMAT or whole(raw["n"]) or raw["save"] != "qf-tui":
        raise Misread(f"not the first line of a save of format {FORMAT}")
    for question in list_of(object_of(raw["start"]).get("owed", [])):
        _with_declared(question, read_order)
    start = decoded(Battle, raw["start"])
    if reserve:
        start = evolve(start, reserve=decoded(_RESERVE, reserve))
    extra = object_of(raw.get("extra", {}))
    start = with_plan(start, extra)
    if truth(raw.get("began", False)):
        start = evolve(start, began=start)
    others = {name: part for name, part in extra.items() if name not in PARTS}
    return Header(number, text(raw["program"]), text(raw["system"]), start, others)


def encode_act(act: LogAct) -> dict[str, object]:
    """The body of an act's line."""
    body: dict[str, object] = encoded(act, type(act))
    return body


def decode_act(body: object, read_order: ReadOrder = unread) -> LogAct:
    """An entry or a correction from its body; Misread says what is wrong."""
    raw = object_of(body)
    for ruling in object_of(raw.get("rulings", {})).values():
        for effect in list_of(object_of(ruling).get("effects", [])):
            if type(effect) is list and len(effect) > 3 and effect[0] == Op.OWE:
                _with_declared(effect[3], read_order)
    if "order" in raw:
        return decoded(Entry, _with_order(raw, read_order))
    if "version" in raw:
        raw = {**raw, "version": _with_order(object_of(raw["version"]), read_order)}
    return decoded(Correction, raw)


# The order of play hangs on the entry that asked.
_UNKEYED = re.compile(rf"({'|'.join(ANSWERS)})(?! \d{{1,9}}/)(?!\S)")


def _with_declared(question: object, read_order: ReadOrder) -> None:
    """Reads the declared order of an owed question, where it has one."""
    raw = object_of(question)
    if "order" in raw:
        raw["order"] = _order(text(raw["order"]), read_order)


def _order(written: str, read_order: ReadOrder) -> Order:
    try:
        return read_order(written)
    except OrderRefused as refusal:
        raise Misread(f"order: {shown(written)}: {refusal}") from None


def _with_order(raw: Mapping[str, Any], read_order: ReadOrder) -> dict[str, Any]:
    """A version whose order, dice, `forced` and `call`, which are beside each other, are one order."""
    if "order" not in raw:
        raise Misread("order is missing")
    written = text(raw["order"])
    if not written.strip():
        raise Misread("order: it is empty")
    if _UNKEYED.match(written):
        raise Misread(f"order: {shown(written)} does not say what it answers")
    rest = {**raw, "order": _order(written, read_order)}
    given = {key: read(rest.pop(key)) for key, read in _BESIDE.items() if key in raw}
    if given:
        rest["order"] = replace(rest["order"], **given)
    return rest


def _dice(value: object) -> tuple[int, ...]:
    return tuple([whole(face) for face in list_of(value)])


_BESIDE: Mapping[str, Callable[[object], object]] = {"dice": _dice, "forced": truth, "call": whole}
"""What stands beside the text of an order, and is part of it."""


class LineDecoder:
    """Decodes the lines of one save, first to last; from the act that says so they are of a newer format.

    `format` is that of the last line.
    """

    def __init__(self, rules_of: RulesOf) -> None:
        self.format = FORMAT
        self._rules_of = rules_of
        self._rules = SaveRules()
        self._format_1: FormatOne | None = None

    def header(self, body: object) -> Header:
        """The header; Misread says what is wrong."""
        reserve = None
        raw = object_of(body)
        self._rules = self._rules_of(text(raw.get("system", "")))
        if raw.get("format") == 1 and type(raw["format"]) is int:
            body, self._format_1 = upgraded_header(raw, self._rules.positional)
            reserve = self._format_1.reserve
        header = decode_header(body, reserve, self._rules.read_order)
        self.format = header.format
        return header

    def act(self, body: object) -> LogAct:
        """The next act; Misread says what is wrong."""
        if type(body) is dict and "format" in body:
            newer = whole(body.pop("format"))
            if not self.format < newer <= FORMAT:
                raise Misread(f"format {newer} behind lines of format {self.format}")
            self.format = newer
        if self.format == 1 and self._format_1 is not None:
            body = self._format_1.act(body)
        return decode_act(body, self._rules.read_order)
