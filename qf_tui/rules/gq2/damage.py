"""Boxes lost, ships that begin to sink, and the critical rolls that are owed (GQ2-LOG-2, GQ2-SNK-1)."""

import re
from enum import StrEnum
from functools import lru_cache

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.manual_edits import drop_owed
from qf_tui.core.system import of_parts
from qf_tui.core.values import SUNK, Die, Ship
from qf_tui.rules.gq2.armament import loss_words
from qf_tui.rules.gq2.forms import GUNNERY, TORPEDOES
from qf_tui.rules.gq2.measures import of_halves
from qf_tui.rules.gq2.ship import ABANDONED, BOXES, SINKING, batteries

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


HULL, ARMAMENT = "hull", "armament"
CRITICAL = "critical"
CRITICAL_DICE = (Die(10, "", 0),)


def boxes(ship: Ship, what: str) -> int:
    """The boxes of a kind that a ship's sheet has."""
    return BOXES if what == HULL else ship.card_count("armament")


def left(ship: Ship, what: str) -> int:
    """Halves of boxes of a kind that are left."""
    return max(0, 2 * boxes(ship, what) - ship.count(f"{what}_lost"))


def lose(builder: DecisionBuilder, id: str, what: str, halves: int) -> None:
    """Takes boxes off, in halves; the excess is ignored, and a ship without hull sinks (GQ2-LOG-2)."""
    ship = builder.ship(id)
    taken = min(halves, left(ship, what))
    if taken:
        builder.add(id, f"{what}_lost", taken)
    if taken and what == ARMAMENT and batteries(ship):
        when = " when this phase is over" if builder.battle.phase in (GUNNERY, TORPEDOES) else ""
        text = f"{loss_words(builder.battle, builder.ship(id))}{when}"
        builder.because(text, "GQ2-LOG-2", of=ship.name)
    if what == HULL and halves and not left(builder.ship(id), what):
        start_sinking(builder, id, 1, "no hull box is left", "GQ2-LOG-2")


def start_sinking(builder: DecisionBuilder, id: str, marker: int, why: str, clause: str) -> None:
    """A ship starts to sink, with its marker; one that is already sinking keeps its own (GQ2-SNK-1)."""
    ship = builder.ship(id)
    if ship.status in (SINKING, SUNK):
        return
    if ship.ashore:
        _silence(builder, ship, why, clause)
        return
    builder.write(Op.STATUS, id, "status", SINKING)
    set_marker(builder, id, marker)
    builder.because(f"is sinking, marker {marker}: {why}", clause, subject=ship.name)


def _silence(builder: DecisionBuilder, ship: Ship, why: str, clause: str) -> None:
    """A battery on land sinks never: its gunners leave it."""
    if ship.afloat:
        builder.write(Op.STATUS, ship.id, "status", ABANDONED)
        builder.because(f"is silenced: {why}", clause, subject=ship.name)


def marker_of(ship: Ship) -> int:
    """The number beside a sinking ship; 1 if there is none."""
    return ship.count("marker") or 1


def set_marker(builder: DecisionBuilder, id: str, marker: int) -> None:
    """Puts the marker beside a sinking ship, or turns it to another number."""
    ship = builder.ship(id)
    if ship.log.get("marker") is None:
        builder.record(id, "marker", marker)
    elif ship.count("marker") != marker:
        builder.add(id, "marker", marker - ship.count("marker"))


def sink(builder: DecisionBuilder, id: str) -> None:
    """A ship goes down and owes nothing."""
    builder.write(Op.STATUS, id, "status", SUNK)
    drop_owed(builder, id)


def owe_critical(
    builder: DecisionBuilder, id: str, turn: int, *, penetrated: bool, cause: int | None = None
) -> None:
    """Owes the roll for a critical hit of a turn; what it does binds the turn after that (GQ2-GUN-5)."""
    word = "penetrated" if penetrated else "not penetrated"
    builder.owe(
        CRITICAL,
        id,
        f"critical hit on {builder.ship(id).name}, {word}",
        *CRITICAL_DICE,
        facts={"turn": turn, "penetrated": penetrated},
        cause=cause,
    )
