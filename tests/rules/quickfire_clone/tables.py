"""Small battles of Quickfire-Clone for tables of rules, played through orders as an umpire types them.

The usual ship fires on any black die (ROF 6), hits its like on a white 3 or less (10 against 8), has used no
auto shot, and makes 120 mm: 15 for each box.
"""

from collections.abc import Mapping
from functools import cache

from qf_tui.core.charts import Charts
from qf_tui.core.measure import Scalar
from qf_tui.core.system import Setup
from qf_tui.core.values import Battle, Ship
from qf_tui.library.charts import shipped_charts
from qf_tui.rules.quickfire_clone import SYSTEM
from qf_tui.session import Session
from tests.rules.playing import afloat, flat, started
from tests.rules.playing import played as played_in

USED: Mapping[str, Scalar] = {"auto_shot": True}
"""A log on which the auto shot is gone."""


def ship(
    id: str,
    side: str = "blue",
    *,
    log: Mapping[str, Scalar] | None = None,
    fires: int = 0,
    courses: tuple[str, ...] = (),
    **card: object,
) -> Ship:
    """A battleship, as it musters.

    `card` differs by fleet-file keys, `log` and marks are what it has suffered.
    """
    given: dict[str, object] = {
        "name": id.capitalize(),
        "kind": "battleship",
        "size": 12,
        "gunnery": (10, 10),
        "armor": (8, 8),
        "rof": (6, 6),
        "torpedo": 2,
        "speed": 120,
        "repair": 5,
        **card,
    }
    printed = flat(given)
    mustered = {**SYSTEM.muster(printed, Setup("medium", "metric")), **(log or {})}
    return afloat(id, side, printed, mustered, fires, courses)


@cache
def charts() -> Charts:
    """The charts that come with the rules."""
    return shipped_charts(SYSTEM)


def battle(*ships: Ship, phase: str = "gunnery", **options: str) -> Battle:
    """A battle in some phase of its first turn; ajax (blue) and rook (red) unless told."""
    ships = ships or (ship("ajax"), ship("rook", "red"))
    table: dict[str, Scalar] = {"units": "metric", "scale": "medium", "strict": False}
    return started(SYSTEM, ships, phase, charts(), table, options)


def played(start: Battle, *orders: str) -> Session:
    """The battle after orders, each of which must be accepted."""
    return played_in(SYSTEM, start, *orders)


def to_turn(session: Session, turn: int, phase: str) -> Session:
    """The same session once `next` has brought that phase.

    Owed rolls show 4s, so that next to nothing happens.
    """
    for _ in range(40):
        if (session.battle.turn, session.battle.phase) == (turn, phase):
            return session
        while session.battle.owed:
            session.enter("roll" + " 4" * len(session.battle.owed[0].dice))
        session.enter("next")
    raise AssertionError(f"{phase} of turn {turn} was not reached")
