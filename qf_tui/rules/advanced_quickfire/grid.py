"""The columns of Advanced Quickfire, and its torpedo cell (AQF-LOG-1)."""

from collections.abc import Iterator

from qf_tui.core.log_sheet import NeededCells, SheetPart
from qf_tui.core.system import Column, Span
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.advanced_quickfire.game import Bracket
from qf_tui.rules.advanced_quickfire.ship import had_torpedoes
from qf_tui.rules.advanced_quickfire.shots import fire_of
from qf_tui.rules.quickfire_family import grid, log_sheet
from qf_tui.rules.quickfire_family.arcs import FULL
from qf_tui.rules.quickfire_family.needed import (
    any_protected,
    boats_meet_craft,
    lines_met,
    present,
    rows_met,
)
from qf_tui.rules.quickfire_family.ship import Battery, gunnery

_SHOTS = (
    (Battery.HEAVY, Bracket.LONG, False),
    (Battery.HEAVY, Bracket.LONG, True),
    (Battery.HEAVY, Bracket.POINT_BLANK, False),
    (Battery.LIGHT, Bracket.MEDIUM, False),
)
"""Every battery at each range and armor where its line is another (AQF-GUN-8)."""


def needed_cells(battle: Battle) -> NeededCells:
    """The lines that some shot of the ships there can meet, and the damage that some ship can need."""

    def lines(firer: Ship, target: Ship) -> Iterator[int | None]:
        for battery, at, light_armor in _SHOTS:
            if gunnery(firer, battery):
                yield fire_of(battle, firer, target, battery, at, light_armor, FULL).line

    damage = rows_met(
        battle,
        "damage",
        t_hit=any(map(had_torpedoes, present(battle))),
        repair_p=any_protected(battle),
        boat_guns=boats_meet_craft(battle),
    )
    return {"battery": lines_met(battle, lines), "damage": damage}


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


def counts(began: Ship, ship: Ship) -> tuple[SheetPart, ...]:
    """Boat guns and torpedoes, as the log prints them (AQF-LOG-1)."""
    boats = log_sheet.points(began, ship, "boat guns", "boat_guns", "boat_guns", mended="boats")
    size = f"{ship.card.get('torpedo.size')}″, reload"
    tubes = log_sheet.points(began, ship, "torpedo", "torpedo_reload", "torpedo.reload", text=size)
    return boats, tubes
