"""The columns of Advanced Quickfire, and its torpedo cell (AQF-LOG-1)."""

from qf_tui.core.system import Column, Span
from qf_tui.core.values import Ship
from qf_tui.rules.advanced_quickfire.ship import had_torpedoes
from qf_tui.rules.quickfire_family import grid

COLUMNS = (
    grid.ROF,
    grid.SPEED_BOXES,
    grid.SPEED,
    Column(
        "torpedo",
        "TT",
        5,
        2,
        ("torpedo_reload",),
        right=True,
        help="torpedoes: size and reload; where room is short the reload alone",
    ),
    grid.BOATS,
    grid.REPAIR,
    grid.BLAST,
    grid.MOVED,
    grid.GUNNERY,
    grid.ARMOR,
    grid.SIZE,
)


def _torpedo(began: Ship, ship: Ship) -> tuple[Span, ...]:
    if not had_torpedoes(ship):
        return (grid.DASH,)
    reload = ship.count("torpedo_reload")
    if reload == 0 and began.count("torpedo_reload") == 0:
        return (Span("out", "cross"),)
    size = Span(f"{ship.card.get('torpedo.size')}/", "dim")
    return (size, *grid.points(began, ship, "torpedo_reload"))


OWN: grid.Own = {"torpedo": _torpedo}
