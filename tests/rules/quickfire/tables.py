"""Small battles of Quickfire for tables of rules, played by typed orders.

The usual ship fires on any black die (ROF 6), is a 200% match for its like (9 or less hits), and makes 8″:
one for each box.
"""

from functools import partial

from qf_tui.core.declarations import Setup
from qf_tui.library.charts import load_shipped_charts
from qf_tui.rules.quickfire import SYSTEM
from tests.rules import playing
from tests.rules.playing import Card, Family

PHASES = tuple(phase.name for phase in SYSTEM.phases)
BATTLESHIP: Card = {
    "kind": "battleship",
    "size": 12,
    "gunnery": (20, 20),
    "armor": (10, 10),
    "rof": (6, 5),
    "torpedo": 2,
    "boat_guns": 1,
    "speed": 8,
    "protected": False,
    "repair": 5,
    "end_arc": "halved",
}
DESTROYER: Card = {
    "kind": "destroyer",
    "size": 0.5,
    "gunnery": (0, 0),
    "armor": (0.5, 0.5),
    "rof": (0, 0),
    "torpedo": 4,
    "repair": 1,
}
"""A destroyer whose only guns are boat guns."""
TABLES = Family(SYSTEM, Setup("old-small", "in"), "gunnery", BATTLESHIP, DESTROYER)
LEAST = {"direction": "1", "sinking": "6 6", "speed-hits": "1"}
"""Rolls that do least, by line; any other is 3 4."""

charts = partial(load_shipped_charts, SYSTEM)
ship, craft, battle = TABLES.ship, TABLES.craft, TABLES.battle
played = partial(playing.played, SYSTEM)
to_phase = partial(playing.play_to_phase, least=lambda owed: LEAST.get(owed.line, "3 4"))
