"""The columns of Quickfire-Clone, and its torpedo and auto shot cells (QFC-LOG-1)."""

from attrs import evolve

from qf_tui.core.log_sheet import NeededCells, SheetPart
from qf_tui.core.system import Column, Span
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire_clone.charts import aim
from qf_tui.rules.quickfire_family import grid, log_sheet
from qf_tui.rules.quickfire_family.needed import meetings, ratings_met, sizes_met
from qf_tui.rules.quickfire_family.ship import Battery, armor, gunnery


def needed_cells(battle: Battle) -> NeededCells:
    """Where gunnery and armour of the ships there can meet, and their torpedo ratings and sizes."""
    aims = (
        aim(battle, gunnery(firer, battery), armor(target, battery), end=end)
        for firer, target in meetings(battle)
        for battery in Battery
        if gunnery(firer, battery)
        for end in (False, True)
    )
    return {
        "gunnery": {(each.row, each.column) for each in aims},
        "torpedo": ratings_met(battle, "torpedo"),
        "sinking": sizes_met(battle),
    }


COLUMNS = (
    grid.ROF,
    evolve(grid.SPEED_BOXES, fields=("speed_hits",)),
    evolve(grid.SPEED, width=8, fields=("speed_hits", "moved")),
    Column("auto", "auto", 4, 1, ("auto_shot",), help="□ the auto shot is still there"),
    Column("torpedo", "TT", 4, 2, ("torpedo",), right=True, help="torpedoes"),
    grid.REPAIR,
    grid.BLAST,
    grid.MOVED,
    grid.GUNNERY,
    grid.ARMOR,
    grid.SIZE,
    Column("base", "base", 4, 6, ("base", "base.2"), right=True, most=9, help="its base, in cm"),
)


def _torpedo(began: Ship, ship: Ship) -> tuple[Span, ...]:
    never = not ship.card_count("torpedo") and not ship.count("torpedo")
    return (grid.DASH,) if never else grid.points(began, ship, "torpedo")


def _auto_shot(began: Ship, ship: Ship) -> tuple[Span, ...]:
    if ship.log.get("auto_shot") is not True:
        return (Span("□"),)
    return (Span("x", "cross" if began.log.get("auto_shot") is True else "slash"),)


def _base(ship: Ship) -> str:
    """The length of a base, and its breadth where the card states it."""
    stated = [grid.number(value) for key in ("base", "base.2") if (value := ship.card.get(key)) is not None]
    return f"{'×'.join(stated)} cm" if stated else grid.DASH.text


OWN: grid.Own = {"torpedo": _torpedo, "auto": _auto_shot, "base": lambda began, ship: (Span(_base(ship)),)}


def counts(began: Ship, ship: Ship) -> tuple[SheetPart, ...]:
    """The auto shot, torpedoes and the length of the base, as the log prints them (QFC-LOG-1)."""
    used, before = (one.log.get("auto_shot") is True for one in (ship, began))
    tubes = log_sheet.points(began, ship, "torpedoes", "torpedo", "torpedo")
    base = SheetPart("base", _base(ship))
    return log_sheet.used_once("auto shot", used=used, before=before), tubes, base
