"""Small battles of Advanced Quickfire for tables of rules, played by typed orders.

The usual ship fires on any black die (ROF 12), is a 200% match for its like, and makes 8″: one for each box.
"""

from functools import partial

from qf_tui.core.declarations import Setup
from qf_tui.library.charts import load_shipped_charts
from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.rules import playing
from tests.rules.playing import PAIRS, Card, Family

NO_SHOT = "12 12"
"""Dice that do nothing on the 200% line: the battery fires, and misses."""
BATTLESHIP: Card = {
    "kind": "battleship",
    "size": 12,
    "gunnery": (20, 20),
    "armor": (10, 10),
    "rof": (12, 12),
    "torpedo": (18, 8),
    "boat_guns": 3,
    "speed": 8,
    "protected": False,
    "repair": 5,
    "torpedo_boat": False,
    "end_arc": "halved",
}
DESTROYER: Card = {
    "kind": "destroyer",
    "size": 0.5,
    "gunnery": (0, 0),
    "armor": (0.5, 0.5),
    "rof": (0, 0),
    "torpedo": (14, 8),
    "boat_guns": 1,
    "repair": 1,
}
TABLES = Family(
    SYSTEM,
    Setup("medium", "in"),
    "first-gunnery",
    BATTLESHIP,
    DESTROYER,
    {**PAIRS, "torpedo": ("size", "reload")},
)
LEAST = {"initiative": "8 5", "sinking": "12"}
"""Rolls without effect, by line; any other is 8."""

charts = partial(load_shipped_charts, SYSTEM)
ship, craft, battle = TABLES.ship, TABLES.craft, TABLES.battle
played = partial(playing.played, SYSTEM)
to_phase = partial(playing.play_to_phase, least=lambda owed: LEAST.get(owed.line, "8"))
