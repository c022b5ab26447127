"""Which states of some ships come to the same: what rolls read of them, as a key.

Left out is what tells only where something came from: the numbers of entries in keys and in the ids of marks,
the turn in which a mark was made, and marks that are lifted. A mark that a question names is known by its
place, a card by being the same one: whoever keeps a key keeps the battle's cards.
"""

from collections.abc import Hashable, Mapping

from qf_tui.core.facts import Fact
from qf_tui.core.values import Act, Battle, Owed, Ship


class StateKeys:
    """Tells the states of some ships from each other, all of them behind one battle."""

    def __init__(self, battle: Battle, ships: tuple[str, ...]) -> None:
        self._ships = ships
        self._past = len(battle.acts)
        self._acts = self._acts_of(battle.acts)

    def of(self, battle: Battle) -> Hashable:
        """What the rolls that the ships owe depend on: they, all that is owed, what they did, the table."""
        asked = {fact for owed in battle.owed for fact in owed.facts.values() if isinstance(fact, str)}
        named: dict[str, str] = {}
        there = battle.ships
        looks = tuple([_ship(there[id], asked, named) for id in self._ships if id in there])
        queue = tuple([_owed(owed, named) for owed in battle.owed])
        acts = self._acts + self._acts_of(battle.acts[self._past :])
        return looks, queue, acts, tuple(battle.table.items())

    def _acts_of(self, acts: tuple[Act, ...]) -> tuple[Hashable, ...]:
        return tuple([_act(act) for act in acts if act.ship in self._ships or not act.ship])


def _ship(ship: Ship, asked: set[str], named: dict[str, str]) -> Hashable:
    kinds: dict[str, list[Hashable]] = {}
    for mark in ship.marks:
        if not mark.lifted:
            marks = kinds.setdefault(mark.kind, [])
            if mark.id in asked:
                named[mark.id] = f"{ship.id} {mark.kind} {len(marks)}"
            marks.append((mark.text, mark.until, mark.id in asked))
    marked = tuple([(kind, *kinds[kind]) for kind in sorted(kinds)])
    return ship.id, ship.status, tuple(ship.log.items()), marked, id(ship.card)


def _owed(owed: Owed, named: Mapping[str, str]) -> Hashable:
    facts = tuple([(name, _fact(fact, named)) for name, fact in owed.facts.items()])
    declared = owed.order.line if owed.order is not None else ""
    return owed.line, owed.ship, owed.dice, owed.words, owed.faces, facts, declared, owed.cell, owed.late


def _fact(fact: Fact, named: Mapping[str, str]) -> Fact:
    return named.get(fact, fact) if isinstance(fact, str) else fact


def _act(act: Act) -> Hashable:
    return act.turn, act.phase, act.kind, act.ship, tuple(act.facts.items())
