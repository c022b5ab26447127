"""Small battles of Advanced Quickfire for tables of rules, played through orders as an umpire types them.

The usual ship fires on any black die (ROF 12), is a 200% match for its like, and makes 8″: one for each box.
"""

from collections.abc import Mapping
from functools import cache

from qf_tui.core.charts import Charts
from qf_tui.core.measure import Scalar
from qf_tui.core.system import Setup
from qf_tui.core.values import Battle, Ship
from qf_tui.library.charts import shipped_charts
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.session import Session
from tests.rules.playing import afloat, flat, started
from tests.rules.playing import allowed as allowed
from tests.rules.playing import changed as changed
from tests.rules.playing import drawn as drawn
from tests.rules.playing import laid as laid
from tests.rules.playing import owed as owed
from tests.rules.playing import played as played_in
from tests.rules.playing import question as question
from tests.rules.playing import reasons as reasons
from tests.rules.playing import refusal as refusal
from tests.rules.playing import result as result
from tests.rules.playing import values as values
from tests.rules.playing import written as written

PHASES = tuple(phase.name for phase in SYSTEM.phases)
NO_SHOT = "12 12"
"""Dice that do nothing on the 200% line: it fires, and misses."""


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
        **card,
    }
    torpedo = given.pop("torpedo")
    size, reload = torpedo if isinstance(torpedo, tuple) else (None, None)
    printed = {**flat(given), "torpedo.size": size, "torpedo.reload": reload}
    mustered = {**SYSTEM.muster(printed, Setup("medium", "in")), **(log or {})}
    return afloat(id, side, printed, mustered, fires, courses)


def craft(id: str, side: str = "red", **card: object) -> Ship:
    """A destroyer, as it musters: light craft that boat guns may hurt."""
    usual: dict[str, object] = {
        "kind": "destroyer",
        "size": 0.5,
        "gunnery": (0, 0),
        "armor": (0.5, 0.5),
        "rof": (0, 0),
        "torpedo": (14, 8),
        "boat_guns": 1,
        "repair": 1,
    }
    return ship(id, side, **{**usual, **card})  # type: ignore[arg-type]


@cache
def charts() -> Charts:
    """The charts that come with the rules."""
    return shipped_charts(SYSTEM)


def battle(
    *ships: Ship,
    phase: str = "first-gunnery",
    scale: str = "medium",
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

    What is owed on the way is rolled without effect.
    """
    for _ in PHASES:
        while session.battle.owed:
            if session.battle.owed[0].line == "initiative":
                session.enter("roll 8 5")
                continue
            session.enter("roll 12" if session.battle.owed[0].line == "sinking" else "roll 8")
        session.enter("next")
        if session.battle.phase == name:
            return session
    raise AssertionError(f"{name} was not reached from {session.battle.phase}")
