"""What a chart says of a ship in few keys, as `hull 2 main -1 fire`, and what that does to her.

A number without a sign is what is lost of a track; of a mark it is how many are put. Names are typed by
beginnings that fit no other. `self` turns to the ship that acts, `target` back to the other.
"""

import re
from collections.abc import Iterable, Sequence

from attrs import frozen

from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.names import list_similar_names

NOTHING, SELF, OTHER = "nothing", "self", "target"
_NUMBER = re.compile(r"[-+=]?\d{1,3}", re.ASCII)


@frozen
class DeclaredNames:
    """The names that stand in it: those of tracks, of marks, and of what may become of a ship."""

    tracks: tuple[str, ...]
    marks: tuple[str, ...]
    statuses: tuple[str, ...]

    @property
    def every(self) -> tuple[str, ...]:
        return (*self.tracks, *self.marks, *self.statuses)


@frozen
class Change:
    """One change: of `name` so many more or less, or to just so many. `own`: of the ship that acts."""

    name: str
    by: int = 0
    to: int | None = None
    own: bool = False


def split_words(text: str) -> list[str]:
    """Split what people wrote at blanks and commas."""
    return text.replace(",", " ").split()


def read_changes(given: Sequence[str], words: DeclaredNames) -> tuple[Change, ...]:
    """What such words mean; OrderRefused for what they cannot."""
    changes: list[Change] = []
    left = [] if list(given) == [NOTHING] else [word.lower() for word in given]
    own = False
    while left:
        name = _named(left.pop(0), words)
        if name in (SELF, OTHER):
            own = name == SELF
            continue
        number = left.pop(0) if left and _NUMBER.fullmatch(left[0]) else ""
        changes.append(_change(name, number, words, own))
    return tuple(changes)


def _named(word: str, words: DeclaredNames) -> str:
    known = (*words.every, SELF, OTHER)
    fitting = [word] if word in known else [name for name in known if name.startswith(word)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise OrderRefused(f"“{word}” may be {' or '.join(fitting)}: type more of it")
    close = list_similar_names(word, known)
    hint = f"did you mean {close[0]}?" if close else f"one of {', '.join((*words.every, NOTHING))}"
    raise OrderRefused(f"“{word}” is nothing of a log; {hint}")


def _change(name: str, number: str, words: DeclaredNames, own: bool) -> Change:
    if name in words.statuses:
        if number:
            raise OrderRefused(f"{name} {number}: what becomes of a ship has no number")
        return Change(name, own=own)
    if number.startswith("="):
        if name in words.marks:
            raise OrderRefused(f"{name} {number}: write how many more or fewer, as {name} -1")
        return Change(name, to=int(number[1:]), own=own)
    signed = number.startswith(("+", "-"))
    by = int(number or 1)
    return Change(name, -by if name in words.tracks and not signed else by, own=own)


def in_words(changes: Iterable[Change], words: DeclaredNames) -> tuple[str, ...]:
    """Changes as they are kept: names in full, each number with what it means."""
    texts: list[str] = []
    own = False
    for change in changes:
        if change.own is not own:
            texts.append(SELF if change.own else OTHER)
            own = change.own
        texts.append(change.name)
        if change.to is not None:
            texts.append(f"={change.to}")
        elif change.name in words.tracks:
            texts.append(f"{-change.by}" if change.by < 0 else f"+{change.by}")
        elif change.name in words.marks and change.by != 1:
            texts.append(f"{change.by}")
    return tuple(texts) or (NOTHING,)
