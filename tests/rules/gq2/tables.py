"""Small battles of General Quarters 2, played through orders as an umpire types them.

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
"""The name, calibre and AF of each, for each of its steps where they are told."""

OfClass = TypedDict("OfClass", {"class": str}, total=False)
"""The class of a ship, under a word of Python's own."""
He = TypedDict("He", {"battery.1.he": bool}, total=False)
"""Whether the HE aboard is for the first battery."""


class Card(OfClass, He, total=False):
    """What a card prints, by fleet-file keys."""

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
    """A cruiser as it musters; `given` differs by fleet-file keys, `log` is what it has suffered."""
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
    flat = _flat(usual)
    mustered = {**SYSTEM.muster(flat, Setup("standard", "in")), **(log or {})}
    return Ship(id, str(flat["name"]), side, f"{side}-line", flat, mustered)


def _flat(given: Mapping[str, object]) -> dict[str, Scalar]:
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
                flat |= _series(f"battery.{at}.af", af)
        elif key == "torpedoes":
            kind, count = value if isinstance(value, tuple) else (None, None)
            flat |= {"torpedoes.kind": kind, "torpedoes.count": count}
        else:
            assert value is None or isinstance(value, int | float | str | bool)
            flat[key] = value
    return flat


def _series(name: str, given: object) -> dict[str, Scalar]:
    return {f"{name}.{at}": one for at, one in enumerate(given, 1)} if isinstance(given, tuple) else {}


def destroyer(id: str, side: str = "red", **given: Unpack[Card]) -> Ship:
    """A destroyer as it musters."""
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


def of_class(code: str) -> OfClass:
    """The class of a ship as a card gives it."""
    return {"class": code}


charts = partial(load_shipped_charts, SYSTEM)
played = partial(playing.played, SYSTEM)


def battle(
    *ships: Ship, phase: str = "gunnery", light: str = "day", units: str = "in", turn: int = 1, **options: str
) -> Battle:
    """A battle in some phase of its first turn."""
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


def to_phase(session: Session, name: str) -> Session:
    """The same session once `next` has brought that phase; but for wander checks nothing may be owed."""
    for _ in range(len(PHASES) + 1):
        session.enter("next")
        if wander_on(session):
            session.enter("next")
        if session.battle.phase == name:
            return session
    raise AssertionError(f"{name} was not reached from {session.battle.phase}")


def wander_on(session: Session) -> bool:
    """Answers the wander checks that are owed, if any: all as assumed, and nobody is set off."""
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


def words(session: Session, order: str) -> str:
    """All that is said of an order."""
    return " · ".join(reason.text for reason in reasons(session, order))


def waits(session: Session) -> dict[str, str]:
    """Who may still act, and with what."""
    return {entry.ship: entry.what for entry in SYSTEM.may_act(session.battle)}


def white_more(session: Session, order: str) -> str:
    """What comes to the white die of an order that misses with a 9."""
    said = reasons(session, f"{order} 9")[0].text
    assert "misses" in said or "straddles" in said
    return said.removeprefix("white 9").partition(":")[0].partition(">")[0].partition("≤")[0].strip()
