"""Small battles of General Quarters 2, played by typed orders.

The usual ship is a cruiser of DF 4 with a 6-inch battery of AF 4 (1:1), a 12-inch of AF 8 (2:1) and hull
speeds 12, 10, 8, 6 and 3. Two a side: ajax and boyne, British; rook and rival, German, with kobold, a
destroyer.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TypedDict, Unpack

from attrs import evolve

from qf_tui.core.declarations import Setup
from qf_tui.core.text import Scalar, format_decimal
from qf_tui.core.values import Battle, Ship
from qf_tui.library.charts import load_shipped_charts
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.rules.gq2.movement import find_movement
from qf_tui.session import Session
from tests.rules import playing
from tests.rules.playing import begin, reasons

PHASES = tuple(phase.name for phase in SYSTEM.phases)
HULL = (12, 10, 8, 6, 3)
BATTERIES = (("12 inch", 12, 8), ("6 inch", 6, 4))
Batteries = Iterable[tuple[str, float, float | tuple[float, ...]]]
"""Name, calibre and AF of each battery; several AFs are listed by boxes left."""

OfClass = TypedDict("OfClass", {"class": str}, total=False)
"""The class of a ship; `class` is a keyword of Python."""
He = TypedDict("He", {"battery.1.he": bool}, total=False)
"""Whether the HE aboard is for the first battery."""


class Card(OfClass, He, total=False):
    """The values of a card by fleet-file keys."""

    name: str
    df: float
    nation: str
    flash_protection: bool
    hull: tuple[float, ...]
    armament: int
    battery: Batteries
    torpedoes: tuple[str, int] | None
    he: int | None
    at_anchor: bool
    notes: str
    values: str


def ship(
    id: str, side: str = "blue", *, log: Mapping[str, Scalar] | None = None, **given: Unpack[Card]
) -> Ship:
    """Build a cruiser, as it musters; `given` are other card values, `log` is its damage."""
    usual: Card = {
        "name": id.capitalize(),
        "df": 4,
        "class": "C",
        "nation": "British" if side == "blue" else "German",
        "flash_protection": False,
        "hull": HULL,
        "armament": 6,
        "battery": BATTERIES,
        "torpedoes": ("standard", 4),
        "he": None,
        "at_anchor": False,
        **given,
    }
    flat = _flatten(usual)
    mustered = {**SYSTEM.muster(flat, Setup("standard", "in")), **(log or {})}
    return Ship(id, str(flat["name"]), side, f"{side}-line", flat, mustered)


def _flatten(given: Mapping[str, object]) -> dict[str, Scalar]:
    flat: dict[str, Scalar] = {}
    for key, value in given.items():
        if key == "hull" and isinstance(value, tuple):
            flat.update({f"hull.{box}": speed for box, speed in enumerate(value, 1)})
        elif key == "battery" and isinstance(value, tuple):
            flat["battery"] = len(value)
            for at, (name, calibre, af) in enumerate(value, 1):
                flat |= {
                    f"battery.{at}.name": name,
                    f"battery.{at}.calibre": calibre,
                    f"battery.{at}.af": af[0] if isinstance(af, tuple) else af,
                    f"battery.{at}.arcs": "",
                }
                flat |= _number_values(f"battery.{at}.af", af)
        elif key == "torpedoes":
            kind, count = value if isinstance(value, tuple) else (None, None)
            flat |= {"torpedoes.kind": kind, "torpedoes.count": count}
        else:
            assert value is None or isinstance(value, int | float | str | bool)
            flat[key] = value
    return flat


def _number_values(name: str, given: object) -> dict[str, Scalar]:
    return {f"{name}.{at}": one for at, one in enumerate(given, 1)} if isinstance(given, tuple) else {}


def destroyer(id: str, side: str = "red", **given: Unpack[Card]) -> Ship:
    """Build a destroyer, as it musters."""
    card: Card = {
        "df": 1,
        "class": "TBD",
        "hull": (16, 13, 10, 7, 3),
        "armament": 2,
        "battery": (("4 inch", 4, 1),),
        "torpedoes": ("light", 4),
        **given,
    }
    return ship(id, side, **card)


def build_class(code: str) -> OfClass:
    """Build the card value for the class of a ship."""
    return {"class": code}


charts = partial(load_shipped_charts, SYSTEM)
played = partial(playing.played, SYSTEM)


def battle(
    *ships: Ship, phase: str = "gunnery", light: str = "day", units: str = "in", turn: int = 1, **options: str
) -> Battle:
    """Build a battle in some phase of its first turn."""
    ships = ships or (
        ship("ajax"),
        ship("boyne"),
        ship("rook", "red"),
        ship("rival", "red"),
        destroyer("kobold"),
    )
    table: dict[str, Scalar] = {"units": units, "scale": "standard", "light": light}
    switches = {switch.name: switch.default for switch in SYSTEM.options} | options
    start = evolve(begin(SYSTEM, ships, phase, table, switches), turn=turn, began=None)
    return evolve(start, began=start)


def play_to_phase(session: Session, name: str) -> Session:
    """Go on by `next` to a phase; only wander checks may be owed."""
    for _ in range(len(PHASES) + 1):
        session.enter("next")
        if answer_wander_checks(session):
            session.enter("next")
        if session.battle.phase == name:
            return session
    raise AssertionError(f"{name} was not reached from {session.battle.phase}")


def answer_wander_checks(session: Session) -> bool:
    """Answer owed wander checks as assumed, so that no ship is displaced; return whether any was owed."""
    asked = [roll for roll in session.battle.owed if roll.line == "wander-moves"]
    for one in asked:
        ships = [session.battle.ships[id] for id in one.read_texts("ships")]
        unknown = [each for each in ships if each.log.get("moved") is None]
        said = (f"{format_decimal(find_movement(session.battle, each).inches)} 0" for each in unknown)
        session.enter(f"answer {one.key} {' '.join(said)}")
    rows = [roll for roll in session.battle.owed if roll.line == "wander-checks"]
    for one in rows:
        session.enter(f"roll {one.key} {'6 6 9 ' * (len(one.dice) // 3)}")
    return bool(rows)


def join_reasons(session: Session, order: str) -> str:
    """Enter an order and join its reasons."""
    return " · ".join(reason.text for reason in reasons(session, order))


def list_waiting(session: Session) -> dict[str, str]:
    """List the ships that may still act, with their options."""
    return {entry.ship: entry.what for entry in SYSTEM.may_act(session.battle)}


def read_modifiers(session: Session, order: str) -> str:
    """Return the modifiers of the white die of an order that misses with a 9."""
    said = reasons(session, f"{order} 9")[0].text
    assert "misses" in said or "straddles" in said
    return said.removeprefix("white 9").partition(":")[0].partition(">")[0].partition("≤")[0].strip()
