"""Remarks in the log: how a note on a ship or on an entry is written, and what was remarked on them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum

from attrs import frozen

from qf_tui.core.builtin_forms import NOTE
from qf_tui.core.decisions import Op
from qf_tui.core.timeline import Entry, LogAct, Timeline
from qf_tui.core.values import Battle, Ship

_NOTE = NOTE.word
_ON_ENTRY = re.compile(r"on (\d{1,9}): (.*)")


class Remarked(Enum):
    """What a remark on an entry is."""

    NOTED = ""
    DOUBTED = "doubted"
    SETTLED = "settled"


@frozen
class Remark:
    """A remark on an entry: the entry that made it, the one that it is about, and its words."""

    number: int
    about: int
    kind: Remarked
    text: str

    def __str__(self) -> str:
        return f"{self.number}: {': '.join(part for part in (self.kind.value, self.text) if part)}"


def note_on_ship(ship: Ship, text: str = "") -> str:
    """The order that remarks on a ship."""
    return f"{_NOTE} {ship.id}: {text}"


def note_on_entry(number: int, text: str) -> str:
    """The order that remarks on an entry."""
    return f"{_NOTE} on {number}: {text}"


def notes(timeline: Timeline, entries: Iterable[int]) -> Iterator[tuple[int, str]]:
    """The notes among some entries in force, each with the number of its entry."""
    for number in entries:
        order = timeline.versions[number].order
        if order.form is NOTE:
            yield number, " ".join(order.many("text"))


@frozen
class Addressed:
    """A remark for the players of a side, or for all ("")."""

    side: str
    text: str


def addressed(battle: Battle, text: str) -> Addressed | None:
    """A remark that names a side or all before a colon; any other is the umpire's own, and one on a ship."""
    head, colon, said = text.partition(":")
    name = head.strip().casefold()
    if not colon or not said.strip() or head.strip() in battle.ships:
        return None
    if name == "all":
        return Addressed("", said.strip())
    sides = (side.id for side in battle.sides if name in (side.id, side.name.casefold()))
    return next((Addressed(side, said.strip()) for side in sides), None)


class ShipRemarks:
    """What was remarked on the ships of a log; of a log with an entry more only that one is read."""

    def __init__(self) -> None:
        self._log: Sequence[LogAct] = ()
        self._said: dict[str, list[str]] = {}

    def on(self, timeline: Timeline, ship: Ship) -> tuple[str, ...]:
        """The remarks on a ship, each with the number of its entry."""
        if timeline.log is not self._log:
            self._read(timeline)
        return tuple(self._said.get(ship.id, ()))

    def _read(self, timeline: Timeline) -> None:
        before, self._log = self._log, timeline.log
        last = timeline.act(len(before) + 1)
        follows = len(timeline.log) == len(before) + 1 and before[-1:] == timeline.log[-2:-1]
        if not (follows and isinstance(last, Entry) and last.after is None):
            self._said, last = {}, None
        for number, text in notes(timeline, timeline.play_order if last is None else (last.number,)):
            ship, _, said = text.partition(": ")
            self._said.setdefault(ship, []).append(f"{number}: {said}")


def remarks_on_entries(timeline: Timeline) -> Mapping[int, tuple[Remark, ...]]:
    """What was remarked on each entry: notes on it, doubts, and that they were settled."""
    found: dict[int, tuple[Remark, ...]] = {}
    noted = dict(notes(timeline, timeline.play_order))
    for number in timeline.play_order:
        remark = _note(number, noted[number]) if number in noted else _doubt(timeline, number)
        if remark is not None:
            found[remark.about] = (*found.get(remark.about, ()), remark)
    return found


def _note(number: int, text: str) -> Remark | None:
    on = _ON_ENTRY.match(text)
    return Remark(number, int(on[1]), Remarked.NOTED, on[2]) if on else None


def _doubt(timeline: Timeline, number: int) -> Remark | None:
    """A doubt, or that one was settled, by what the entry did."""
    for effect in timeline.rulings[number].decision.effects:
        if effect.op in (Op.DOUBT, Op.CLEAR) and isinstance(effect.value, int):
            kind = Remarked.DOUBTED if effect.op is Op.DOUBT else Remarked.SETTLED
            words = timeline.versions[number].order.many("text")
            return Remark(number, effect.value, kind, " ".join(words))
    return None
