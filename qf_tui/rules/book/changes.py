"""Changes of a ship in short words, such as `hull 2 main -1 fire`, as people read them out from a chart.

A number without a sign is the loss of a track, or the number of new marks. A name may be shortened to a
beginning that fits no other name. Changes after `self` are for the ship that acts, and after `target` again
for the other ship.
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
    """The names that changes may use.

    Attributes:
        tracks: Names of tracks.
        marks: Names of kinds of marks.
        statuses: Names of statuses, such as `sunk`.
    """

    tracks: tuple[str, ...]
    marks: tuple[str, ...]
    statuses: tuple[str, ...]

    @property
    def all_names(self) -> tuple[str, ...]:
        return (*self.tracks, *self.marks, *self.statuses)


@frozen
class Change:
    """A change of a ship: of a track, of her marks, or of her status.

    Attributes:
        name: Name of the track, mark or status.
        by: Number of boxes or marks to add; negative to take away.
        to: New value of the track; None if `by` counts.
        own: True if the change is for the ship that acts, False for the other ship.
    """

    name: str
    by: int = 0
    to: int | None = None
    own: bool = False


def split_words(text: str) -> list[str]:
    """Split a text at blanks and commas."""
    return text.replace(",", " ").split()


def read_changes(given: Sequence[str], names: DeclaredNames) -> tuple[Change, ...]:
    """Read the changes that typed words mean.

    Args:
        given: Words. The single word `nothing` means no changes.
        names: Names that may be used.

    Raises:
        OrderRefused: A name is unknown or ambiguous, or cannot have its number.
    """
    changes: list[Change] = []
    left = [] if list(given) == [NOTHING] else [word.lower() for word in given]
    own = False
    while left:
        name = _find_name(left.pop(0), names)
        if name in (SELF, OTHER):
            own = name == SELF
            continue
        number = left.pop(0) if left and _NUMBER.fullmatch(left[0]) else ""
        changes.append(_build_change(name, number, names, own))
    return tuple(changes)


def _find_name(word: str, names: DeclaredNames) -> str:
    known = (*names.all_names, SELF, OTHER)
    fitting = [word] if word in known else [name for name in known if name.startswith(word)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise OrderRefused(f"“{word}” may be {' or '.join(fitting)}: type more of it")
    close = list_similar_names(word, known)
    hint = f"did you mean {close[0]}?" if close else f"one of {', '.join((*names.all_names, NOTHING))}"
    raise OrderRefused(f"“{word}” is not on the log; {hint}")


def _build_change(name: str, number: str, names: DeclaredNames, own: bool) -> Change:
    if name in names.statuses:
        if number:
            raise OrderRefused(f"{name} {number}: the status of a ship has no number")
        return Change(name, own=own)
    if number.startswith("="):
        if name in names.marks:
            raise OrderRefused(f"{name} {number}: write how many more or fewer, as {name} -1")
        return Change(name, to=int(number[1:]), own=own)
    signed = number.startswith(("+", "-"))
    by = int(number or 1)
    return Change(name, -by if name in names.tracks and not signed else by, own=own)


def format_changes(changes: Iterable[Change], names: DeclaredNames) -> tuple[str, ...]:
    """Format changes as words in the form that entries keep: names in full, tracks with signed numbers.

    Returns:
        The words; `nothing` alone if there are no changes.
    """
    texts: list[str] = []
    own = False
    for change in changes:
        if change.own is not own:
            texts.append(SELF if change.own else OTHER)
            own = change.own
        texts.append(change.name)
        if change.to is not None:
            texts.append(f"={change.to}")
        elif change.name in names.tracks:
            texts.append(f"{-change.by}" if change.by < 0 else f"+{change.by}")
        elif change.name in names.marks and change.by != 1:
            texts.append(f"{change.by}")
    return tuple(texts) or (NOTHING,)
