"""Changes of a ship in short words, such as `hull 2 main -1 fire`, as people read them out from a chart.

A number without a sign is the loss of a track (a count such as hull boxes), or the number of new marks. A
name may be shortened to a beginning that fits no other name. Changes are for the ship that is hit; after
`self` they are for the ship that acts, until the word `target` follows.
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
        """All names together."""
        return (*self.tracks, *self.marks, *self.statuses)


@frozen
class Change:
    """A change of a ship: of a track, of her marks, or of her status.

    Attributes:
        name: Name of the track, mark or status.
        by: Number of boxes or marks to add; negative to take away.
        to: New value of the track; None if `by` counts.
        for_actor: True if the change is for the ship that acts, False for the other ship.
    """

    name: str
    by: int = 0
    to: int | None = None
    for_actor: bool = False


def split_words(text: str) -> list[str]:
    """Split a text at blanks and commas."""
    return text.replace(",", " ").split()


def read_changes(words: Sequence[str], names: DeclaredNames) -> tuple[Change, ...]:
    """Read the changes that typed words mean.

    Args:
        words: Names and numbers, such as `hull`, `2`. The single word `nothing` means no changes.
        names: Names that may be used.

    Raises:
        OrderRefused: A name is unknown or ambiguous, or cannot have its number.
    """
    changes: list[Change] = []
    words_left = [] if list(words) == [NOTHING] else [word.lower() for word in words]
    for_actor = False
    while words_left:
        name = _find_name(words_left.pop(0), names)
        if name in (SELF, OTHER):
            # These two words say which ship the changes after them are for.
            for_actor = name == SELF
            continue
        number = words_left.pop(0) if words_left and _NUMBER.fullmatch(words_left[0]) else ""
        changes.append(_build_change(name, number, names, for_actor))
    return tuple(changes)


def _find_name(word: str, names: DeclaredNames) -> str:
    """Return the name that a word means: the same name, or the only name that begins with it.

    Raises:
        OrderRefused: No name begins with the word, or several do.
    """
    known_names = (*names.all_names, SELF, OTHER)
    matching_names = (
        [word] if word in known_names else [name for name in known_names if name.startswith(word)]
    )
    if len(matching_names) == 1:
        return matching_names[0]
    if matching_names:
        raise OrderRefused(f"“{word}” may be {' or '.join(matching_names)}: type more of it")
    similar_names = list_similar_names(word, known_names)
    hint = f"one of {', '.join((*names.all_names, NOTHING))}"
    if similar_names:
        hint = f"did you mean {similar_names[0]}?"
    raise OrderRefused(f"“{word}” is not on the log; {hint}")


def _build_change(name: str, number: str, names: DeclaredNames, for_actor: bool) -> Change:
    """Build a change from a name and the number after it.

    Args:
        number: Number as typed: `2`, `+2`, `-1` or `=3`; "" if there is none.

    Raises:
        OrderRefused: The name cannot have this number.
    """
    if name in names.statuses:
        if number:
            raise OrderRefused(f"{name} {number}: the status of a ship has no number")
        return Change(name, for_actor=for_actor)
    if number.startswith("="):
        if name in names.marks:
            raise OrderRefused(f"{name} {number}: write how many more or fewer, as {name} -1")
        return Change(name, to=int(number[1:]), for_actor=for_actor)
    by = int(number or 1)
    if name in names.tracks and not number.startswith(("+", "-")):
        # A number without a sign is a loss.
        by = -by
    return Change(name, by, for_actor=for_actor)


def format_changes(changes: Iterable[Change], names: DeclaredNames) -> tuple[str, ...]:
    """Format changes as words in the form that entries keep: names in full, tracks with signed numbers.

    Returns:
        The words, or the single word `nothing` if there are no changes.
    """
    words: list[str] = []
    for_actor = False
    for change in changes:
        if change.for_actor is not for_actor:
            words.append(SELF if change.for_actor else OTHER)
            for_actor = change.for_actor
        words.append(change.name)
        if change.to is not None:
            words.append(f"={change.to}")
        elif change.name in names.tracks:
            words.append(f"{-change.by}" if change.by < 0 else f"+{change.by}")
        elif change.name in names.marks and change.by != 1:
            words.append(f"{change.by}")
    return tuple(words) or (NOTHING,)
