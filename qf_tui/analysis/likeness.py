"""Which states of some ships come to the same: what rolls read of them, as a key.

Left out is what tells only where something came from: the numbers of entries in keys and in the ids of marks,
and marks that are lifted. A mark that a question names is known by its place, a card by being the same one:
whoever keeps a key keeps the battle's cards.
"""

from collections.abc import Hashable, Iterable, Mapping

from qf_tui.core.facts import Fact
from qf_tui.core.values import Act, Battle, Owed, Ship


def likeness(battle: Battle, ships: Iterable[str]) -> Hashable:
    """What the rolls that some ships owe depend on: they, all that is owed, what they did, the table."""
    group = [battle.ships[id] for id in ships if id in battle.ships]
    asked = {fact for owed in battle.owed for fact in owed.facts.values() if isinstance(fact, str)}
    named: dict[str, str] = {}
    looks = tuple([_ship(ship, asked, named) for ship in group])
    queue = tuple([_owed(owed, named) for owed in battle.owed])
    acts = tuple([_act(act) for act in battle.acts if act.ship in ships or not act.ship])
    return looks, queue, acts, tuple(battle.table.items())


def _ship(ship: Ship, asked: set[str], named: dict[str, str]) -> Hashable:
    marks: list[Hashable] = []
    for mark in ship.marks:
        if mark.lifted:
            continue
        if mark.id in asked:
            named[mark.id] = f"{ship.id} {len(marks)}"
        marks.append((mark.kind, mark.text, mark.turn, mark.until, mark.id in asked))
    return ship.id, ship.status, tuple(ship.log.items()), tuple(marks), id(ship.card)


def _owed(owed: Owed, named: Mapping[str, str]) -> Hashable:
    facts = tuple([(name, _fact(fact, named)) for name, fact in owed.facts.items()])
    declared = owed.order.line if owed.order is not None else ""
    return owed.line, owed.ship, owed.dice, owed.words, owed.faces, facts, declared, owed.cell, owed.late


def _fact(fact: Fact, named: Mapping[str, str]) -> Fact:
    return named.get(fact, fact) if isinstance(fact, str) else fact


def _act(act: Act) -> Hashable:
    return act.turn, act.phase, act.kind, act.ship, tuple(act.facts.items())
