"""Small battles of Quickfire-Clone for tables of rules, played by typed orders.

The usual ship fires on any black die (ROF 6), hits its like on a white 3 or less (10 against 8), has used no
auto shot, and makes 120 mm: 15 for each box.
"""

from collections.abc import Mapping
from functools import partial

from qf_tui.core.declarations import Setup
from qf_tui.core.text import Scalar
from qf_tui.core.values import Owed
from qf_tui.library.charts import load_shipped_charts
from qf_tui.rules.quickfire_clone import SYSTEM
from qf_tui.session import Session
from tests.rules import playing
from tests.rules.playing import Card, Family

USED: Mapping[str, Scalar] = {"auto_shot": True}
"""A log whose auto shot is used."""
BATTLESHIP: Card = {
    "kind": "battleship",
    "size": 12,
    "gunnery": (10, 10),
    "armor": (8, 8),
    "rof": (6, 6),
    "torpedo": 2,
    "speed": 120,
    "repair": 5,
}
TABLES = Family(SYSTEM, Setup("medium", "metric"), "gunnery", BATTLESHIP)

charts = partial(load_shipped_charts, SYSTEM)
ship, battle = TABLES.ship, TABLES.battle
played = partial(playing.played, SYSTEM)


def play_to_turn(session: Session, turn: int, phase: str) -> Session:
    """Go on by `next` to a phase; owed rolls show 4s, which do almost nothing."""
    for _ in range(40):
        if (session.battle.turn, session.battle.phase) == (turn, phase):
            return session
        playing.pass_phase(session, _write_fours)
    raise AssertionError(f"{phase} of turn {turn} was not reached")


def _write_fours(owed: Owed) -> str:
    return " ".join("4" for _ in owed.dice)
