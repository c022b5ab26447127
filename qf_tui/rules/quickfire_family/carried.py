"""Attacks whose dice come in a later phase: they are judged as the phase began in which they were declared."""

import json

from qf_tui.core.orders import Order
from qf_tui.core.values import Battle, Owed, replace
from qf_tui.rules.quickfire_family.ship import NOTHING_MOVED
from qf_tui.rules.quickfire_family.targeting import acting

_SIGN = "declared="
ATTACKS = ("fire", "torpedo")
"""The orders that read what a ship can do as their phase began, and how far the target went in it."""


def waits_declared(owed: Owed) -> bool:
    """Whether an owed line is an attack declared in this phase, its dice or a cell of the chart still to come."""
    attack = owed.order.partition(" ")[0] in ATTACKS
    return attack and not owed.late and not any(item.startswith(_SIGN) for item in owed.about)


def with_declaration(battle: Battle, owed: Owed, order: Order) -> Owed:
    """The owed line with what its attack is judged by: turn, phase, the firer's log then, the target's movement."""
    target = battle.ships[order.text("target")]
    kept = {
        "turn": battle.turn,
        "phase": battle.phase,
        "firer": dict(acting(battle, owed.ship).log),
        "target": {name: target.log.get(name) for name in NOTHING_MOVED},
    }
    return replace(owed, about=(*owed.about, _SIGN + json.dumps(kept)))


def as_declared(battle: Battle, about: tuple[str, ...], order: Order) -> Battle:
    """The battle that a carried attack is judged on; the battle itself for any other."""
    noted = next((item for item in about if item.startswith(_SIGN)), "")
    firer, target = order.slots.get("ship"), order.slots.get("target")
    if not noted or firer not in battle.ships or target not in battle.ships:
        return battle
    kept = json.loads(noted.removeprefix(_SIGN))
    start = battle.start
    then = replace(acting(battle, str(firer)), log=kept["firer"])
    aim = battle.ships[str(target)]
    moved = battle.with_ship(replace(aim, log={**aim.log, **kept["target"]}))
    return replace(moved, turn=kept["turn"], phase=kept["phase"], began=start.with_ship(then))
