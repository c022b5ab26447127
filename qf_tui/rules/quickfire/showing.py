"""The columns of Quickfire, and the cells that it draws itself (QF-LOG-1)."""

from attrs import evolve

from qf_tui.core.system import Column, Span
from qf_tui.core.values import Ship
from qf_tui.rules.quickfire.ship import had_torpedoes
from qf_tui.rules.quickfire_games import showing

COLUMNS = (
    showing.ROF,
    showing.SPEED_BOXES,
    showing.SPEED,
    Column("torpedo", "TT", 4, 2, ("torpedo",), right=True, help="torpedoes"),
    evolve(showing.BOATS, help="□ its boat guns are there, / lost in this phase, x lost"),
    showing.REPAIR,
    showing.BLAST,
    showing.MOVED,
    showing.GUNNERY,
    showing.ARMOR,
    showing.SIZE,
    Column("auto", "auto", 5, 5, ("auto_shot",), help="□ the auto shot is still there"),
)


def _torpedo(began: Ship, ship: Ship) -> tuple[Span, ...]:
    return showing.points(began, ship, "torpedo") if had_torpedoes(ship) else (showing.DASH,)


def _boats(began: Ship, ship: Ship) -> tuple[Span, ...]:
    if not ship.card_count("boat_guns"):
        return (showing.DASH,)
    if ship.count("boat_guns"):
        return (Span("□"),)
    return (Span("/", "slash") if began.count("boat_guns") else Span("x", "cross"),)


def _auto(began: Ship, ship: Ship) -> tuple[Span, ...]:
    return (Span("used", "cross") if ship.log.get("auto_shot") is True else Span("□"),)


OWN: showing.Own = {"torpedo": _torpedo, "boats": _boats, "auto": _auto}
