"""What of its charts a battle of Quickfire can need."""

from collections.abc import Iterator

from qf_tui.core.log_sheet import NeededCells
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire.shots import fire_of
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
