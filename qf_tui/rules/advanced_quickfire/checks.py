"""The rolls that damage calls for: direction, explosion, T-hit, fire, SX and sinking (AQF-DAM, AQF-REC, AQF-SNK)."""

from collections.abc import Callable, Mapping

from qf_tui.core.effects import Op
from qf_tui.core.hand import drop_owed
from qf_tui.core.ledger import Ledger
from qf_tui.core.system import Faces
from qf_tui.core.values import SUNK, Battle, Ship
from qf_tui.rules.advanced_quickfire.charts import NONE, Reader
from qf_tui.rules.advanced_quickfire.damage import D12, Damage, Source
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.advanced_quickfire.ship import BOXES
from qf_tui.rules.advanced_quickfire.throws import Roll, Throw, all_of

_DIRECTIONS = ((2, "90 left"), (6, "45 left"), (10, "45 right"), (12, "90 right"))
SINKING_FROM = 2

Resolve = Callable[[Faces, Ledger, Reader], None]


def throw_of(battle: Battle, roll: Roll) -> Throw:
    """The throw of a check that a ship owes."""
    return Throw((D12,), _RESOLVE[roll.line](battle, roll), all_of((D12,)))


def direction(face: int) -> str:
    """The course that a direction die gives (AQF-DAM-2)."""
    return next(course for most, course in _DIRECTIONS if face <= most)


def _direction(battle: Battle, roll: Roll) -> Resolve:
    def resolve(faces: Faces, ledger: Ledger, reader: Reader) -> None:
        course = direction(faces[0])
        ledger.mark(roll.ship, "course", course)
        ledger.because(f"{_name(ledger, roll)} turns {course} until repaired", "AQF-DAM-2")

    return resolve


def _explosion(battle: Battle, roll: Roll) -> Resolve:
    """The codes of the cell in order, then one fire (AQF-DAM-3)."""

    def resolve(faces: Faces, ledger: Ledger, reader: Reader) -> None:
        codes, cell = reader.codes("damage", "explosion", faces[0])
        said = " ".join((*codes, "F"))
        place = f"explosion {faces[0]}"
        ledger.because(f"explosion {faces[0]} on {_name(ledger, roll)}: {said}", "AQF-DAM-3", cell, place)
        Damage(ledger, roll.ship, Source.EXPLOSION).take((*codes, "F"))
        ledger.result("hits", (*codes, "F"))

    return resolve


def _t_hit(battle: Battle, roll: Roll) -> Resolve:
    """The fire that a torpedo reload hit may light, tested once (AQF-DAM-6)."""

    def resolve(faces: Faces, ledger: Ledger, reader: Reader) -> None:
        codes, cell = reader.codes("damage", "t-hit", faces[0])
        said = " ".join(codes) or "no effect"
        ledger.because(f"T-hit {faces[0]}: {said}", "AQF-DAM-6", cell, f"T-hit effect {faces[0]}")
        Damage(ledger, roll.ship, Source.CHECK).take(codes)
        ledger.result("hits", codes)

    return resolve


def _fire_check(battle: Battle, roll: Roll) -> Resolve:
    """Out, B, E or nothing; the fire that explodes burns on (AQF-REC-1, AQF-DAM-8)."""

    def resolve(faces: Faces, ledger: Ledger, reader: Reader) -> None:
        codes, cell = reader.codes("damage", "fire-check", faces[0])
        said = " ".join(codes) or "burns on"
        name = _name(ledger, roll)
        ledger.because(
            f"fire check {faces[0]} on {name}: {said}", "AQF-REC-1", cell, f"fire check {faces[0]}"
        )
        if "out" in codes:
            for mark in ledger.ship(roll.ship).live("fires"):
                if mark.id in roll.about:
                    ledger.lift(roll.ship, mark)
        Damage(ledger, roll.ship, Source.CHECK).take(tuple(code for code in codes if code != "out"))
        ledger.result("hits", codes)

    return resolve


def _sx_check(battle: Battle, roll: Roll) -> Resolve:
    """12, and by the switch 11, adds one SX (AQF-REC-2)."""

    def resolve(faces: Faces, ledger: Ledger, reader: Reader) -> None:
        codes, cell = reader.codes("damage", "sx-check", faces[0])
        if faces[0] == 11 and option(battle, "sx_check") == "12":
            codes = ()
        said = " ".join(codes) or "no more water"
        ledger.because(
            f"SX check {faces[0]} on {_name(ledger, roll)}: {said}", "AQF-REC-2", cell, f"SX check {faces[0]}"
        )
        Damage(ledger, roll.ship, Source.CHECK).take(codes)
        ledger.result("hits", codes)

    return resolve


def sinking_row(lost: int) -> tuple[str, int]:
    """The column of the sinking table for so many SX, and what comes off the die (AQF-SNK-1)."""
    return str(min(lost, BOXES)), max(0, lost - BOXES)


def _sinking(battle: Battle, roll: Roll) -> Resolve:
    def resolve(faces: Faces, ledger: Ledger, reader: Reader) -> None:
        ship = ledger.ship(roll.ship)
        column, margin = sinking_row(ship.count("speed_lost"))
        cell = reader.cell("sinking", "sinks-on", column)
        sinks = cell.text != NONE and faces[0] - margin <= int(cell.text)
        shown = f"{faces[0]}-{margin}" if margin else str(faces[0])
        sign, does = ("≤", "sinks") if sinks else (">", "stays afloat")
        text = f"{ship.name} with {ship.count('speed_lost')} SX: {shown}{sign}{cell.text}, {does}"
        ledger.because(text, "AQF-SNK-1", cell, f"sinking {column} SX")
        if sinks:
            ledger.write(Op.STATUS, ship.id, "status", SUNK)
            drop_owed(ledger, ship.id)
        ledger.result("sunk", sinks)

    return resolve


_RESOLVE: Mapping[str, Callable[[Battle, Roll], Resolve]] = {
    "direction": _direction,
    "explosion": _explosion,
    "t-hit": _t_hit,
    "fire-check": _fire_check,
    "sx-check": _sx_check,
    "sinking": _sinking,
}
LINES = tuple(_RESOLVE)


def _name(ledger: Ledger, roll: Roll) -> str:
    return ledger.ship(roll.ship).name


def aboard(battle: Battle) -> tuple[Ship, ...]:
    """The ships that still track what happens aboard: all that are not sunk (AQF-SNK-2)."""
    return tuple(ship for ship in battle.ships.values() if ship.status != SUNK)


def owe_fire_checks(ledger: Ledger) -> None:
    """One for each fire that burns as phase 4 opens (AQF-REC-1)."""
    for ship in aboard(ledger.battle):
        for fire in ship.live("fires"):
            ledger.owe("fire-check", ship.id, f"fire on {ship.name}", D12, about=(fire.id,))


def owe_sx_checks(ledger: Ledger) -> None:
    """One for each ship that has SX when the fire checks and what they caused are done; once a turn (AQF-REC-2)."""
    battle = ledger.battle
    if any(act.kind == "sx-checked" and act.turn == battle.turn for act in battle.acts):
        return
    ledger.remember("sx-checked", "")
    for ship in aboard(battle):
        if ship.count("speed_lost") > 0:
            ledger.owe("sx-check", ship.id, f"SX check of {ship.name}", D12, cause=battle.opened)


def owe_sinking(ledger: Ledger) -> None:
    """One for each ship with two or more SX (AQF-SNK-1)."""
    for ship in aboard(ledger.battle):
        if ship.count("speed_lost") >= SINKING_FROM:
            ledger.owe("sinking", ship.id, f"sinking of {ship.name}, {ship.count('speed_lost')} SX", D12)
