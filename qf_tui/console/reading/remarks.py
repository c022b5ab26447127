"""Remarks in the log: how a note on a ship or on an entry is written, and what was remarked on them."""

import re
from collections.abc import Iterator, Mapping
from enum import Enum

from attrs import frozen

from qf_tui.core.builtin_forms import NOTE
from qf_tui.core.effects import Op
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Ship

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


def notes(timeline: Timeline) -> Iterator[tuple[int, str]]:
    """Every note in force, with the number of its entry."""
    for number in timeline.play_order:
        order = timeline.versions[number].order
        if order.form is NOTE:
            yield number, " ".join(order.many("text"))


def remarks_on_ship(timeline: Timeline, ship: Ship) -> tuple[str, ...]:
    """What was remarked on a ship, each with the number of its entry."""
    begins = f"{ship.id}: "
    return tuple(
        f"{number}: {text[len(begins) :]}" for number, text in notes(timeline) if text.startswith(begins)
    )


def remarks_on_entries(timeline: Timeline) -> Mapping[int, tuple[Remark, ...]]:
    """What was remarked on each entry: notes on it, doubts, and that they were settled."""
    found: dict[int, tuple[Remark, ...]] = {}
    noted = dict(notes(timeline))
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
