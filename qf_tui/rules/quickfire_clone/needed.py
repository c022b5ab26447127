"""What of its charts a battle of Quickfire-Clone can need."""

from qf_tui.core.log_sheet import NeededCells
from qf_tui.core.values import Battle
from qf_tui.rules.quickfire_clone.charts import aim
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
