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
        most=7,
        help="torpedoes: size and reload; × crossed in this phase, → the reload that is left",
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
    reload, stood = ship.count("torpedo_reload"), began.count("torpedo_reload")
    if reload == 0 and stood == 0:
        return (Span("out", "cross"),)
    size = f"{ship.card.get('torpedo.size')}/"
    if reload == 0:
        return (Span(size, "dim"), Span(f"{stood}", "cross"), Span("×", "slash"))
    left = (Span(f"{stood}"), Span(f"→{reload}", "slash")) if reload < stood else (Span(f"{reload}"),)
    return (Span(size, "dim"), *left)


OWN: grid.Own = {"torpedo": _torpedo}
