"""What of its charts a battle of Advanced Quickfire can need."""

from collections.abc import Iterator

from qf_tui.core.log_sheet import NeededCells
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.advanced_quickfire.scales import Bracket
from qf_tui.rules.advanced_quickfire.ship import had_torpedoes
from qf_tui.rules.advanced_quickfire.shots import fire_of
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
