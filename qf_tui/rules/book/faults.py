"""What is wrong with a book whose values are each sound: names that nothing has, or that two have."""

import re
from collections.abc import Collection, Iterator, Mapping

from qf_tui.core.builtin_forms import BUILTIN, CORRECTIONS
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.grammar.names import nearest
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.system import LanguageFault
from qf_tui.core.values import CALL
from qf_tui.rules.book.changes import NOTHING, OTHER, READ_FOR, SELF, Words, read_changes
from qf_tui.rules.book.declaration import (
    ONE_DIE,
    PLAIN_SLOTS,
    RANGE,
    READ,
    SHIP,
    SHIPS,
    STATUSES,
    TARGET,
    Read,
    outs_of,
    pool_of,
)

OWN_WORDS = {form.word for form in (*BUILTIN, *CORRECTIONS)} | {"force", "preview", CALL}
"""Orders that no book may redefine."""
RESERVED = {"id", "name", "kind", "notes", "side", "edge", "status", "marks", READ, SCHEDULE}
RESERVED |= {NOTHING, SELF, OTHER, READ_FOR, *PLAIN_SLOTS}
"""Words that no track, mark, slot or question may have."""
NAMED = ("phase", "track", "mark", "kind", "slot", "owes", "switch")
_TABLES = (*NAMED, "order")
_NAME = re.compile(r"[a-z][a-z0-9-]*")

Fault = tuple[str, str]
"""A key and what is wrong there."""


def _of_both(*names: str) -> tuple[str, ...]:
    """Names as an order has them of the ship that acts, and of its target."""
    return (*names, *(f"{TARGET}.{name}" for name in names))


class BookFaults:
    """The faults of one file, `read` value by value; what is missing in it was told before."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._names = {key: [item["name"] for item in self._items(key) if "name" in item] for key in NAMED}
        self._clauses = [item["id"] for item in self._items("clause") if "id" in item]
        self._orders = [item["word"] for item in self._items("order") if "word" in item]
        self._outs = outs_of(item.get("out") or "" for item in self._items("track"))
        self._words = Words(tuple(self._names["track"]), tuple(self._names["mark"]), (*STATUSES, *self._outs))
        slots = {str(item.get("name")): item.get("kind") for item in self._items("slot")}
        self._slots = slots | {kind: kind for kind in PLAIN_SLOTS}
        self._usual = read.get("dice") or ""

    def _items(self, key: str) -> list[Read]:
        return self._read.get(key) or []

    def __iter__(self) -> Iterator[LanguageFault]:
        for key, text in self._of_file():
            yield LanguageFault("", 0, key, text)
        for table in (*_TABLES, "clause"):
            id = "word" if table == "order" else "id" if table == "clause" else "name"
            known: set[str] = set()
            for number, item in enumerate(self._items(table), 1):
                name = str(item.get(id) or "")
                if name and name in known:
                    yield LanguageFault(table, number, id, f"another {table} is called “{name}”")
                known.add(name)
                for key, text in (*self._strangers(item), *self._of(table, item, name)):
                    yield LanguageFault(table, number, key, text)

    def _of_file(self) -> Iterator[Fault]:
        if self._usual and not ONE_DIE.fullmatch(self._usual):
            yield "dice", "expected one die, like d6"
        yield from self._dice("dice", self._usual if ONE_DIE.fullmatch(self._usual) else "")
        yield from self._unknown("columns", self._read.get("columns"), "track", self._names["track"])

    def _strangers(self, item: Read) -> Iterator[Fault]:
        """Names in any table that nothing has."""
        tracks, marks = self._names["track"], self._names["mark"]
        known: Mapping[str, tuple[str, Collection[str]]] = {
            "phases": ("phase", self._names["phase"]),
            "phase": ("phase", self._names["phase"]),
            "slots": ("slot", tuple(self._slots)),
            "spends": ("track", tracks),
            "needs": ("track or mark", _of_both(*tracks, *marks)),
            "bars": ("track or mark", _of_both(*tracks, *marks)),
            "looks_at": ("track", _of_both(*tracks)),
            "on": ("mark", marks),
            "clause": ("clause", self._clauses),
            "tracks": ("track", tracks),
        }
        for key, (what, among) in known.items():
            yield from self._unknown(key, item.get(key), what, among)

    def _unknown(self, key: str, value: object, what: str, among: Collection[str]) -> Iterator[Fault]:
        texts = [value] if isinstance(value, str) else list(value) if isinstance(value, list | dict) else []
        for text in texts:
            if text and text not in among:
                close = nearest(text, among)
                hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(among) or 'none'}"
                yield key, f"no {what} “{text}”; {hint}"

    def _of(self, table: str, item: Read, name: str) -> Iterator[Fault]:
        """What is wrong with one item beside names that nothing has."""
        if table in ("track", "mark", "slot", "owes", "order") and name:
            if not _NAME.fullmatch(name):
                yield "word" if table == "order" else "name", "expected a letter before digits"
            elif name in (OWN_WORDS if table == "order" else {*RESERVED, *STATUSES, *self._outs}):
                yield (
                    "word" if table == "order" else "name",
                    f"“{name}” is a word of the console: choose another",
                )
        if table == "mark" and name in self._names["track"]:
            yield "name", f"a track is called “{name}” too"
        if table == "owes" and name in self._orders:
            yield "name", f"an order is called “{name}” too"
        if (out := item.get("out")) and not _NAME.fullmatch(out):
            yield "out", "expected one word in lower case letters"
        yield from self._dice("dice", item.get("dice") or "" if table != "order" else "")
        yield from self._when(item.get("when") or "")
        if table == "slot" and item.get("kind") == "choice" and not item.get("choices"):
            yield "choices", "a choice needs its words"
        if table == "order":
            yield from self._of_order(item)

    def _dice(self, key: str, text: str) -> Iterator[Fault]:
        try:
            pool_of(text, self._usual)
        except QfError as fault:
            yield key, str(fault)

    def _when(self, text: str) -> Iterator[Fault]:
        name, equals, value = (part.strip() for part in text.partition("="))
        switch = next((each for each in self._items("switch") if each.get("name") == name), None)
        if text and switch is None:
            yield from self._unknown("when", name or "=", "switch", self._names["switch"])
        elif text and switch is not None and (not equals or value not in (switch.get("values") or ())):
            yield "when", f"expected “{name} = ” and one of {', '.join(switch.get('values') or ())}"

    def _of_order(self, item: Read) -> Iterator[Fault]:
        kinds = [self._slots.get(name) for name in item.get("slots") or ()]
        if kinds and kinds[0] not in (SHIP, SHIPS):
            yield "slots", "the first must be the ship that acts, or the ships"
        first = next(
            (each for each in self._items("slot") if each.get("name") in (item.get("slots") or ())[:1]), {}
        )
        if first.get("optional") or first.get("keyword"):
            yield "slots", "the ship that acts stands first and is never left out"
        if kinds.count(TARGET) > 1 or any(kind in (SHIP, SHIPS) for kind in kinds[1:]):
            yield "slots", "behind the ship that acts at most one other ship, a target"
        if kinds.count(RANGE) > 1 or (RANGE in kinds and TARGET not in kinds):
            yield "slots", "a range needs a target, and there is only one"
        if "text" in kinds[:-1] or ("text" in kinds and item.get("dice")):
            yield "slots", "a text takes the rest of the line: it comes last, without dice behind it"
        yield from self._dice("dice", item.get("dice") or "")
        counts = [name for name in item.get("slots") or () if self._slots.get(name) == "count"]
        yield from self._unknown("each", item.get("each"), "track or count", (*self._names["track"], *counts))
        if item.get("each") and item.get("dice") in ("", None):
            yield "dice", "a die for each of what? Give one die, like d6"
        try:
            read_changes((item.get("does") or "").replace(",", " ").split(), self._words)
        except OrderRefused as refusal:
            yield "does", str(refusal)
