"""What Advanced Quickfire gives to the rules that it shares with the other Quickfire games."""

from qf_tui.rules.advanced_quickfire.charts import SHAPES
from qf_tui.rules.advanced_quickfire.initiative import order_of_moves
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.quickfire_family.game import Clauses, Game
from qf_tui.rules.quickfire_family.scales import FIVE

GAME = Game(
    clauses=Clauses(
        phases="AQF-PH-1",
        sunk="AQF-SNK-2",
        moved="AQF-MV-1",
        change="AQF-MV-4",
        strict="AQF-CHA-3",
        pivots="AQF-MV-2",
        second_pivot="AQF-MV-3",
        steered="AQF-MV-6",
    ),
    scales=FIVE,
    shapes=SHAPES,
    change=lambda battle: int(option(battle, "speed_change")),
    order_of_moves=order_of_moves,
    by_used=lambda battle: option(battle, "speed_by") == "used",
)
