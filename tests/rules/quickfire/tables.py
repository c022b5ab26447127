"""Small battles of Quickfire for tables of rules, played through orders as an umpire types them.

The usual ship fires on any black die (ROF 6), is a 200% match for its like (9 or less hits), and makes 8″:
one for each box.
"""

from collections.abc import Mapping
from functools import cache

from qf_tui.core.charts import Charts
from qf_tui.core.measure import Scalar
from qf_tui.core.system import Setup
from qf_tui.core.values import Battle, Ship
from qf_tui.library.charts import shipped_charts
from qf_tui.rules.quickfire import SYSTEM
from qf_tui.session import Session
from tests.rules.playing import afloat, flat, started
from tests.rules.playing import played as played_in

PHASES = tuple(phase.name for phase in SYSTEM.phases)
NOTHING = {"direction": "1", "sinking": "6 6", "speed-hits": "1"}
"""Rolls that do least, by line; any other is 3 4."""


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
    printed = flat(
        {
            "name": id.capitalize(),
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
            **card,
        }
    )
    mustered = {**SYSTEM.muster(printed, Setup("old-small", "in")), **(log or {})}
    return afloat(id, side, printed, mustered, fires, courses)


def craft(id: str, side: str = "red", **card: object) -> Ship:
    """A destroyer, as it musters: light craft that boat guns may hurt, and boat guns its only guns."""
    usual: dict[str, object] = {
        "kind": "destroyer",
        "size": 0.5,
        "gunnery": (0, 0),
        "armor": (0.5, 0.5),
        "rof": (0, 0),
        "torpedo": 4,
        "repair": 1,
    }
    return ship(id, side, **{**usual, **card})  # type: ignore[arg-type]


@cache
def charts() -> Charts:
    """The charts that come with the rules."""
    return shipped_charts(SYSTEM)


def battle(
    *ships: Ship,
    phase: str = "gunnery",
    scale: str = "old-small",
    units: str = "in",
    strict: bool = False,
    **options: str,
) -> Battle:
    """A battle in some phase of its first turn; ajax (blue) and rook (red) unless told."""
    ships = ships or (ship("ajax"), ship("rook", "red"))
    table: dict[str, Scalar] = {"units": units, "scale": scale, "strict": strict}
    return started(SYSTEM, ships, phase, charts(), table, options)


def played(start: Battle, *orders: str) -> Session:
    """The battle after orders, each of which must be accepted."""
    return played_in(SYSTEM, start, *orders)


def to_phase(session: Session, name: str) -> Session:
    """The same session once `next` has brought that phase.

    What is owed on the way is rolled with least effect.
    """
    for _ in range(len(PHASES) + 4):
        while session.battle.owed:
            session.enter(f"roll {NOTHING.get(session.battle.owed[0].line, '3 4')}")
        session.enter("next")
        if session.battle.phase == name:
            return session
    raise AssertionError(f"{name} was not reached from {session.battle.phase}")
