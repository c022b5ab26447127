"""Repair attempts (AQF-REP)."""

from collections.abc import Mapping

from qf_tui.core.errors import Finding, refused
from qf_tui.core.ledger import Ledger
from qf_tui.core.measure import exact
from qf_tui.core.orders import Order
from qf_tui.core.system import Faces, Measure, Ready
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.advanced_quickfire.charts import Reader
from qf_tui.rules.advanced_quickfire.damage import D12
from qf_tui.rules.advanced_quickfire.movement import out_of_play
from qf_tui.rules.advanced_quickfire.ship import Battery, gunnery
from qf_tui.rules.advanced_quickfire.throws import Roll, Throw, all_of, ready

REPAIR = "repair"
MENDED = "mended"
"""The kind of mark that keeps repaired damage legible (AQF-LOG-4)."""

FIELDS: Mapping[str, str] = {
    "heavy": "rof_heavy",
    "light": "rof_light",
    "boats": "boat_guns",
    "speed": "speed_hits",
    "course": "course",
}
"""The kinds of repair, and the field of the log that each mends (AQF-REP-1)."""

_PRINTED = {"heavy": "rof.heavy", "light": "rof.light", "boats": "boat_guns"}
ODDS = (Measure("mends", 0),)


def repairable(ship: Ship, kind: str) -> bool:
    """Whether there is something of that kind to mend (AQF-REP-1)."""
    if kind == "course":
        return bool(ship.live("course"))
    if kind == "speed":
        return ship.count("speed_hits") > 0
    if kind != "boats" and not gunnery(ship, Battery(kind)):
        return False
    return ship.count(FIELDS[kind]) < exact(ship.card.get(_PRINTED[kind]))


def attempts_left(battle: Battle, ship: Ship) -> int:
    """Attempts that a ship may still make this turn: its points as the phase began, less those made (AQF-REP-1)."""
    began = battle.start.ships.get(ship.id, ship)
    return max(0, began.count("repair_points") - len(battle.done("repair", ship.id)))


def prepare_repair(battle: Battle, order: Order) -> Ready:
    """`repair`: one attempt on one kind of damage."""
    ship, kind = battle.ships[order.text("ship")], order.text("kind")
    return ready(
        battle,
        Roll("repair", ship.id, order.resolved),
        throw_of(battle, ship.id, kind),
        _hindrances(battle, ship, kind),
        lambda ledger: ledger.remember("repair", ship.id, kind),
        f"{ship.name} repairs {kind}",
    )


def throw_of(battle: Battle, id: str, kind: str) -> Throw:
    """The throw of an attempt: on the line of its kind, +P ships with their own line for S (AQF-REP-2)."""
    protected = kind == "speed" and battle.ships[id].card.get("protected") is True
    line = "repair-p" if protected else "repair"
    plain = Reader(battle)

    def judge(faces: Faces) -> tuple[int, ...]:
        return (int("fix" in plain.codes("damage", line, faces[0])[0]),)

    def resolve(faces: Faces, ledger: Ledger, reader: Reader) -> None:
        codes, cell = reader.codes("damage", line, faces[0])
        name = ledger.ship(id).name
        mended = "fix" in codes
        said = "mended" if mended else "not mended, the point stays"
        title = "S+P" if protected else kind
        ledger.because(
            f"{name} repairs {kind}, {faces[0]}: {said}", "AQF-REP-2", cell, f"repair {title} {faces[0]}"
        )
        if mended:
            _mend(ledger, id, kind)
        ledger.result("mended", mended)

    return Throw((D12,), resolve, all_of((D12,)), judge, ODDS)


def _mend(ledger: Ledger, id: str, kind: str) -> None:
    """Restores exactly one, and uses a point up (AQF-REP-2, AQF-REP-3)."""
    ship = ledger.ship(id)
    if not repairable(ship, kind):
        ledger.because(f"{ship.name} has nothing of {kind} to repair", "AQF-REP-1")
        return
    if kind == "course":
        ledger.lift(id, ship.live("course")[-1])
        ledger.because(f"{ship.name} steers again from the next turn", "AQF-REP-4")
    elif kind == "speed":
        ledger.add(id, "speed_hits", -1)
    else:
        ledger.add(id, FIELDS[kind], 1)
    ledger.mark(id, MENDED, kind)
    if ship.count("repair_points") > 0:
        ledger.add(id, "repair_points", -1)


def _hindrances(battle: Battle, ship: Ship, kind: str) -> tuple[Finding, ...]:
    found: list[Finding] = []
    if battle.phase != REPAIR:
        found.append(refused("repairs are tried in the repair phase only", "AQF-PH-1"))
    if ship.status == "sunk":
        found.extend(out_of_play(ship))
    if not repairable(ship, kind):
        found.append(refused(f"{ship.name} has nothing of {kind} to repair", "AQF-REP-1"))
    if any(act.data[0] == kind for act in battle.done("repair", ship.id)):
        found.append(refused(f"{ship.name} has tried to repair {kind} this turn", "AQF-REP-1"))
    if attempts_left(battle, ship) == 0:
        found.append(refused(f"{ship.name} has no repair attempt left this turn", "AQF-REP-1"))
    return tuple(found)


def may_repair(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """The kinds that a ship may still try this turn."""
    if battle.phase != REPAIR or ship.status == "sunk" or attempts_left(battle, ship) == 0:
        return ()
    tried = {act.data[0] for act in battle.done("repair", ship.id)}
    return tuple(kind for kind in FIELDS if kind not in tried and repairable(ship, kind))
