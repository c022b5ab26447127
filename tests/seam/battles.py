"""Battles of the two pieces, and sessions that play them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem, Setup
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import State
from qf_tui.core.values import Battle, Division, Ship, Side
from qf_tui.document.scripts import InputOrder, entered_row, refused_row
from qf_tui.session import Session
from tests.rules.playing import enter
from tests.seam.choice import SYSTEM as CHOICE
from tests.seam.night import SYSTEM as NIGHT

SYSTEMS: Mapping[str, RuleSystem] = {NIGHT.name: NIGHT, CHOICE.name: CHOICE}
SHIPS = {"ant": "north", "bee": "north", "cat": "south", "dog": "south", "elk": "south"}
NIGHT_CARD: Mapping[str, Scalar] = {
    "df": 2,
    "af": 4,
    "hull": 3,
    "hull.1": 18,
    "hull.2": 12,
    "hull.3": 6,
    "battery": 2,
    "battery.1.name": "12 inch",
    "battery.2.name": "6 inch",
}
CHOICE_CARD: Mapping[str, Scalar] = {"rof.heavy": 5, "rof.light": 6, "repair": 2}


def begin(
    system: RuleSystem,
    card: Mapping[str, Scalar],
    *orders: str,
    table: Mapping[str, Scalar] | None = None,
    save: Path | None = None,
) -> Session:
    """A session of two ships against three, with some orders entered."""
    sides = tuple(
        Side(side, side.capitalize(), (Division(f"{side}-one", "One"),)) for side in ("north", "south")
    )
    log = system.muster(card, Setup("only", "in"))
    ships = {
        id: Ship(id, f"HMS {id.capitalize()}", side, f"{side}-one", card, log) for id, side in SHIPS.items()
    }
    told = {"title": system.title, "units": "in", "scale": "only", **(table or {})}
    session = Session.begin(system, Battle(1, system.phases[0].name, sides, ships, told, {}, {}), save)
    return enter(session, *orders)


def night(*orders: str, save: Path | None = None) -> Session:
    """A night battle in its first gunnery phase (that `next` is entry 1)."""
    return begin(NIGHT, NIGHT_CARD, "next", *orders, table={"light": "night"}, save=save)


def choice(*orders: str, save: Path | None = None) -> Session:
    """Dog has lost a heavy and a light point and two of speed, and repairs (entries 1 and 2)."""
    return begin(CHOICE, CHOICE_CARD, "damage dog H L S S", "next", *orders, save=save)


def row(session: Session, order: str) -> Mapping[str, Any]:
    """An order as a script has it entered and answered."""
    asked = InputOrder(1, order)
    try:
        return entered_row(session, asked, session.enter(order))
    except QfError as refusal:
        return refused_row(asked, refusal)


def report(session: Session, ship: str) -> Mapping[str, object]:
    """A ship's values for scripts."""
    return session.system.report(session.battle, session.battle.ships[ship])


def owed(session: Session) -> list[str]:
    """The keys of what is owed."""
    return [one.key for one in session.battle.owed]


def states(session: Session) -> dict[int, str]:
    """How the entries in force stand that do not simply count."""
    rulings = session.timeline.rulings
    return {
        number: rulings[number].state.value
        for number in session.timeline.play_order
        if rulings[number].state is not State.STANDS
    }
