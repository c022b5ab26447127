"""The key of an owed question, by which orders and saves name it: `12/direction/borodino/1`."""

import re
from functools import lru_cache

from attrs import frozen

# A rule system may have put a stroke into a line; ships have none.
_WRITTEN = re.compile(r"(\d{1,9})(?:/(.*?)(?:/([^/]*)(?:/(\d{1,9}))?)?)?", re.ASCII)


@frozen
class QuestionKey:
    """What tells a question from all others: the entry that asked, its line, its ship, and which of several.

    `entry` is 0 for what the battle began with, `ship` "" for what no ship owes.
    """

    entry: int = 0
    line: str = ""
    ship: str = ""
    nth: int = 1

    def __str__(self) -> str:
        return f"{self.entry}/{self.line}/{self.ship}/{self.nth}"


def is_key(written: str) -> bool:
    """Whether a text names a question; the end of a key may be left out."""
    return _WRITTEN.fullmatch(written) is not None


@lru_cache(maxsize=4096)
def read_key(written: str) -> QuestionKey:
    """A key as it is written; an empty one for what is none."""
    found = _WRITTEN.fullmatch(written)
    if found is None:
        return QuestionKey()
    entry, line, ship, nth = found.groups()
    return QuestionKey(int(entry), line or "", ship or "", int(nth or 1))
