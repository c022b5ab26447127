"""Damage codes: the boxes, critical hits and sinkings that throws state and umpires type."""

import re
from enum import StrEnum
from functools import lru_cache

from attrs import frozen

from qf_tui.core.system import of_parts
from qf_tui.rules.gq2.measures import of_halves

_BOXES = re.compile(r"([HA])(\d{0,2}|1\d\d)(\.5|½)?", re.ASCII | re.IGNORECASE)
"""Hull or armament with its boxes; twice those of a cell may be 199½."""


class CodeKind(StrEnum):
    """What a damage code is of, by its letters."""

    HULL = "H"
    ARMAMENT = "A"
    CRITICAL = "C"
    PENETRATED = "CA"
    SINKING = "S"
    BROKEN_UP = "Sunk"


_WITHOUT_BOXES = {
    kind.lower(): kind
    for kind in (CodeKind.CRITICAL, CodeKind.PENETRATED, CodeKind.SINKING, CodeKind.BROKEN_UP)
}


@frozen
class DamageCode:
    """One result: what it is of, and the boxes in halves if it is of hull or armament."""

    kind: CodeKind
    halves: int = 0

    @property
    def in_decimals(self) -> str:
        """As the result of a shot is kept: `H1.5`."""
        return f"{self.kind}{of_parts(self.halves, 2)}"

    @property
    def in_fractions(self) -> str:
        """As the result of an explosion is kept: `H1½`."""
        return f"{self.kind}{of_halves(self.halves)}"


@lru_cache(maxsize=256)
def damage_code(text: str) -> DamageCode | None:
    """What a code means, in letters of any case, a box where no number is; None if it is no code."""
    boxes = _BOXES.fullmatch(text)
    if boxes is None:
        kind = _WITHOUT_BOXES.get(text.lower())
        return DamageCode(kind) if kind else None
    letter, whole, half = boxes.groups()
    halves = 2 * int(whole or 0) + bool(half) if whole or half else 2
    return DamageCode(CodeKind(letter.upper()), halves)
