"""What a ship is worth, and which results count, as far as the Quickfire games agree.

One point is what one damage result takes from a battleship of 15,000 tons: a G one of its ROF points, which
its best guns fire, an S one of its eight boxes. So advantages and luck can be read as so many results. What a
result takes from another ship is less or more: ROF counts by the gunnery that it is fired with, boxes and all
else of the hull by size, for size is tonnage. Armor is no part: it makes damage rarer, not dearer.

What has yet to do its harm is priced by what it costs on average: a fire by its checks until it is out,
a leak by those of a turn.
"""

from collections.abc import Callable
from functools import lru_cache

from qf_tui.core.measure import Scalar, exact
from qf_tui.core.results import ResultKind
from qf_tui.core.values import Ship
from qf_tui.core.worth import WorthPart
from qf_tui.rules.quickfire_family.ship import BOXES, Battery, marked_boxes

BATTLESHIP = 15
"""The size that hulls are measured by."""
SIZED = f"times size over {BATTLESHIP}"

Of = Callable[[Ship], float]


@lru_cache(maxsize=1024, typed=True)
def _figure(value: Scalar) -> float:
    return float(exact(value))


def by_size(of: Of) -> Of:
    """Points in proportion to size: those of a battleship are whole."""
    return lambda ship: of(ship) * _figure(ship.card.get("size")) / BATTLESHIP


def count(field: str) -> Of:
    """A counted field of the log."""
    return lambda ship: ship.count(field)


def marks(kind: str) -> Of:
    """The marks of a kind."""
    return lambda ship: sum(mark.kind == kind and not mark.lifted for mark in ship.marks)


def _rof(battery: Battery, best: int) -> WorthPart:
    field, rating = battery.rof, f"gunnery.{battery.value}"

    def of(ship: Ship) -> float:
        return ship.count(field) * _figure(ship.card.get(rating)) / best

    return WorthPart(battery.value, f"each {battery.value} ROF point, times gunnery over {best}", 1, of)


def parts(best: int) -> tuple[WorthPart, ...]:
    """What every game begins with; `best` is the heavy gunnery of the best battleships by its ratings."""
    return (
        *(_rof(battery, best) for battery in Battery),
        WorthPart("speed", f"each speed box, {SIZED}", 1, by_size(lambda ship: BOXES - marked_boxes(ship))),
        WorthPart("hull", f"the ship herself, {SIZED}", 5, by_size(lambda ship: 1)),
    )


def repair() -> WorthPart:
    """The points that attempts are made with: half of them mend something."""
    return WorthPart("repair", "each repair point", 0.5, count("repair_points"))


def fires(weight: float) -> WorthPart:
    """Fires, by what one costs until it is out."""
    return WorthPart("fires", f"each fire, {SIZED}", weight, by_size(marks("fires")), less=True)


def courses() -> WorthPart:
    """Courses that the ship must steer until they are repaired."""
    return WorthPart("courses", f"each direction hit, {SIZED}", 0.5, by_size(marks("course")), less=True)


def beyond() -> WorthPart:
    """S that found no box: each of them makes her likelier to sink."""
    over = by_size(lambda ship: max(0, ship.count("speed_hits") - BOXES))
    return WorthPart("margin", f"each S beyond the eighth, {SIZED}", 1, over, less=True)


def _harm(code: str) -> int:
    """A fire that goes out does none."""
    return int(code != "out")


GUNS = ResultKind("guns", "damage by guns", ("fire",), ("hits", "blast"), damage=True)
BOATS = ResultKind("boat-guns", "damage by boat guns", ("boats",), ("hits", "blast"), damage=True)
STRIKES = ResultKind("torpedoes", "torpedo strikes", ("torpedo",), ("struck",), damage=True)
STRUCK = ResultKind("torpedo-hits", "damage by torpedoes", ("speed-hits",), ("hits",), damage=True)
CHECKS = (
    ResultKind("explosions", "own damage by explosions", ("explosion",), ("hits",), harm="an explosion"),
    ResultKind("fire-checks", "own damage by fires", ("fire-check",), ("hits",), each=_harm, harm="a fire"),
    ResultKind("repairs", "repairs", ("repair",), ("mended",)),
    ResultKind("sinkings", "own ships that sink", ("sinking",), ("sunk",)),
)
