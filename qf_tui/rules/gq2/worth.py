"""What a ship is worth, and which results count.

One point is half a hull box of a battlecruiser of DF 10, so that one damage result, which takes half a box or
a whole one, is about a point as in the other games. Hulls count by DF, the defence that their boxes have
against the same shell; guns by their attack factors, in the share of the armament boxes that are left.

A damage-control hit costs half a box in one repair phase of three until it is mended: half a point. What
binds for a turn alone, a bridge hit or a steam line, is a quarter. A ship that is sinking goes down sooner or
later, and an abandoned one does no more: neither is worth anything.
"""

from collections.abc import Callable

from qf_tui.core.results import ResultKind
from qf_tui.core.values import Owed, Ship
from qf_tui.core.worth import Worth, WorthPart
from qf_tui.rules.gq2 import charts
from qf_tui.rules.gq2.damage import ARMAMENT, CRITICAL, HULL, CodeKind, boxes, damage_code, left
from qf_tui.rules.gq2.explosions import DAMAGE, MINE
from qf_tui.rules.gq2.mistargeting import TARGETING
from qf_tui.rules.gq2.repair import DAMAGE_CONTROL, SINKING_LINE
from qf_tui.rules.gq2.ship import BOXES, batteries, box_in_force, df

LIKE = 10
"""The DF that hulls are measured by."""

_DF = f"times DF over {LIKE}"
Of = Callable[[Ship], float]


def _by_df(of: Of) -> Of:
    return lambda ship: of(ship) * float(df(ship)) / LIKE


def _hits(name: str, what: str, weight: float, *kinds: str) -> WorthPart:
    """What the marks of some kinds take off."""
    of = _by_df(lambda ship: sum(mark.kind in kinds and not mark.lifted for mark in ship.marks))
    return WorthPart(name, f"each {what}, {_DF}", weight, of, less=True)


def _guns(ship: Ship) -> float:
    """Attack factors by the share of armament boxes that are left."""
    printed = 2 * boxes(ship, ARMAMENT)
    factors = sum(float(guns.af) for guns in batteries(ship))
    return factors * left(ship, ARMAMENT) / printed if printed else factors


WORTH = Worth(
    (
        WorthPart("hull", f"each half of a hull box, {_DF}", 1, _by_df(lambda ship: left(ship, HULL))),
        WorthPart(
            "speed",
            f"each hull box of speed, {_DF}",
            0.5,
            _by_df(lambda ship: max(0, BOXES + 1 - box_in_force(ship))),
        ),
        WorthPart("guns", "the attack factors of all batteries, in the share of armament left", 0.5, _guns),
        WorthPart("torpedoes", "each torpedo", 0.5, lambda ship: ship.count("torpedoes")),
        _hits("fires", "damage-control hit", 0.5, "fires"),
        _hits("fire-control", "fire control hit", 1, "fire_control"),
        _hits("rudder", "rudder hit", 0.5, "rudder"),
        _hits("passing", "bridge hit or steam line", 0.25, "bridge", "steam"),
    )
)


def _halves(text: str) -> int:
    """Half boxes of a code; a critical hit counts as one, a ship broken up all her hull."""
    code = damage_code(text)
    if code is None:
        return 0
    return {CodeKind.BROKEN_UP: 2 * BOXES, CodeKind.CRITICAL: 1}.get(code.kind, code.halves)


RESULTS = (
    ResultKind("guns", "half boxes and criticals by guns", ("fire",), ("hits",), damage=True, each=_halves),
    ResultKind("torpedoes", "torpedo hits", ("torpedo",), ("hits",), damage=True, told="struck"),
    ResultKind("torpedo-hits", "half boxes by torpedoes", (DAMAGE,), ("hits",), damage=True, each=_halves),
    ResultKind("mines", "own half boxes by mines", (MINE,), ("hits",), each=_halves, harm="a mine"),
    ResultKind(
        "barbettes",
        "own barbettes hit by criticals",
        (CRITICAL,),
        ("critical",),
        each=lambda name: int(name == charts.BARBETTE),
    ),
    ResultKind("damage-control", "damage control", (DAMAGE_CONTROL,), ("mended",)),
    ResultKind("sinkings", "own ships that go down", (SINKING_LINE,), ("sunk",)),
)


def counted_as(owed: Owed) -> str:
    """Dice thrown with an order at an unlit ship count as its own; a hit that nobody fired is a mine's."""
    if owed.line == TARGETING:
        return owed.declared.word
    return MINE if owed.line == DAMAGE and not owed.text("firer") else owed.line
