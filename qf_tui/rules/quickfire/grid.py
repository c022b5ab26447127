"""The columns of Quickfire, and the cells that it draws itself (QF-LOG-1)."""

from collections.abc import Iterator

from attrs import evolve

from qf_tui.core.log_sheet import NeededCells, SheetPart
from qf_tui.core.system import Column, Span
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire.options import option
from qf_tui.rules.quickfire.ship import had_torpedoes
from qf_tui.rules.quickfire.shots import fire_of
from qf_tui.rules.quickfire_family import grid, log_sheet
from qf_tui.rules.quickfire_family.arcs import FULL, HALVED
from qf_tui.rules.quickfire_family.needed import (
    any_protected,
    boats_meet_craft,
    lines_met,
    ratings_met,
    rows_met,
    sizes_met,
)
from qf_tui.rules.quickfire_family.ship import Battery, gunnery

_SHOTS = ((Battery.HEAVY, False), (Battery.HEAVY, True), (Battery.LIGHT, False))
"""Every battery at each armor that it may fire at."""


def needed_cells(battle: Battle) -> NeededCells:
    """The lines that some shot can meet; torpedo ratings, sizes and what else the ships there have."""

    def lines(firer: Ship, target: Ship) -> Iterator[int | None]:
        for battery, light_armor in _SHOTS:
            if gunnery(firer, battery):
                for arc in (FULL, HALVED):
                    yield fire_of(battle, firer, target, battery, light_armor, arc).line

    return {
        "battery": lines_met(battle, lines),
        "damage": rows_met(battle, "damage", repair_p=any_protected(battle)),
        "torpedo": ratings_met(battle, "torpedo"),
        "boat-guns": rows_met(battle, "boat-guns", boat_guns=boats_meet_craft(battle)),
        "sinking": sizes_met(battle),
    }


COLUMNS = (
    grid.ROF,
    grid.SPEED_BOXES,
    grid.SPEED,
    Column("torpedo", "TT", 4, 2, ("torpedo",), right=True, help="torpedoes"),
    evolve(grid.BOATS, help="□ its boat guns are there, / lost in this phase, x lost"),
    grid.REPAIR,
    grid.BLAST,
    grid.MOVED,
    grid.GUNNERY,
    grid.ARMOR,
    grid.SIZE,
    Column("auto", "auto", 5, 5, ("auto_shot",), help="□ the auto shot is still there"),
)


def _torpedo(began: Ship, ship: Ship) -> tuple[Span, ...]:
    return grid.points(began, ship, "torpedo") if had_torpedoes(ship) else (grid.DASH,)


def _boats(began: Ship, ship: Ship) -> tuple[Span, ...]:
    if not ship.card_count("boat_guns"):
        return (grid.DASH,)
    if ship.count("boat_guns"):
        return (Span("□"),)
    return (Span("/", "slash") if began.count("boat_guns") else Span("x", "cross"),)


def _auto(began: Ship, ship: Ship) -> tuple[Span, ...]:
    return (Span("used", "cross") if ship.log.get("auto_shot") is True else Span("□"),)


OWN: grid.Own = {"torpedo": _torpedo, "boats": _boats, "auto": _auto}


def counts(battle: Battle, began: Ship, ship: Ship) -> Iterator[SheetPart]:
    """Boat guns, torpedoes, and the auto shot where its switch is on, as the log prints them (QF-LOG-1)."""
    yield log_sheet.points(began, ship, "boat guns", "boat_guns", "boat_guns", mended="boats")
    yield log_sheet.points(began, ship, "torpedoes", "torpedo", "torpedo")
    if option(battle, "auto_shot") == "yes":
        used, before = (one.log.get("auto_shot") is True for one in (ship, began))
        yield log_sheet.used_once("auto shot", used=used, before=before)
