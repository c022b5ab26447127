"""Attacks whose dice come in a later phase: judged as that phase began in which they were declared."""

from qf_tui.core.facts import Fact, HasFacts
from qf_tui.core.grammar.order import Order
from qf_tui.core.values import Battle, Owed, replace
from qf_tui.rules.quickfire_family.facts import DECLARED_PHASE, DECLARED_TURN, FIRER, TARGET
from qf_tui.rules.quickfire_family.ship import NOTHING_MOVED
from qf_tui.rules.quickfire_family.targeting import acting

ATTACKS = ("fire", "torpedo")
"""The orders that read what a ship can do as their phase began, and how far the target went in it."""


def waits_declared(owed: Owed) -> bool:
    """Whether an owed line is an attack declared in this phase whose dice or chart cell are still to come."""
    attack = owed.order is not None and owed.order.word in ATTACKS
    return attack and not owed.late and DECLARED_TURN not in owed.facts


def with_declaration(battle: Battle, owed: Owed) -> Owed:
    """The owed line with the facts of its attack: turn, phase, the firer's log, the target's movement."""
    target = battle.ships[owed.declared.text("target")]
    facts: dict[str, Fact] = {**owed.facts, DECLARED_TURN: battle.turn, DECLARED_PHASE: battle.phase}
    facts.update((FIRER + name, value) for name, value in acting(battle, owed.ship).log.items())
    facts.update((TARGET + name, target.log.get(name)) for name in NOTHING_MOVED)
    return replace(owed, facts=facts)


def as_declared(battle: Battle, roll: HasFacts, order: Order) -> Battle:
    """The battle that a carried attack is judged on; the battle itself for any other."""
    firer, target = order.slots.get("ship"), order.slots.get("target")
    if DECLARED_TURN not in roll.facts or firer not in battle.ships or target not in battle.ships:
        return battle
    then = replace(acting(battle, str(firer)), log=roll.scalars(FIRER))
    aim = battle.ships[str(target)]
    moved = battle.with_ship(replace(aim, log={**aim.log, **roll.scalars(TARGET)}))
    began = battle.start.with_ship(then)
    return replace(moved, turn=roll.number(DECLARED_TURN), phase=roll.text(DECLARED_PHASE), began=began)
