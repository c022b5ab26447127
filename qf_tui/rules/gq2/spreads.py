"""By night: to which ships the torpedoes of a spread are led (GQ2-TOR-1, GQ2-NIT-5).

Each torpedo has a targeting roll. What is found is owed as one line a ship: its stick number and aspect, if
it is not the ship intended, then its die. The line counts the torpedoes that are led to that ship.
"""

from collections.abc import Callable

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import PreparedOrder
from qf_tui.core.values import Battle, Owed
from qf_tui.rules.gq2.attacks import TorpedoAttack, attack_of, from_each, total
from qf_tui.rules.gq2.facts import FACES, TARGET, TORPEDOES
from qf_tui.rules.gq2.forms import TORPEDO
from qf_tui.rules.gq2.mistargeting import MEASURE, TARGETING, WHO, go_on_with, owe_measure
from qf_tui.rules.gq2.options import option

Launch = Callable[[Battle, TorpedoAttack, int], PreparedOrder]
"""The dice of an attack that an entry declared."""


def rolls(battle: Battle, order: Order) -> tuple[tuple[str, int], ...]:
    """The targeting rolls of an attack: each as its ship and its torpedoes, 0 for all (GQ2-NIT-5)."""
    ships = order.many("ships")
    if option(battle, "spread_targeting") == "one" or total(order) == 1:
        return ((ships[0], 0),)
    return tuple((id, 1) for id in ships for _ in range(from_each(order)))


def led(owed: Owed) -> int:
    """The torpedoes that a question is about; of a question that names no number all of its order."""
    return owed.number(TORPEDOES) or total(owed.declared)


def waiting(battle: Battle, entry: int) -> tuple[Owed, ...]:
    """The targeting of an entry's torpedoes that is not settled."""
    return tuple(owed for owed in battle.owed if owed.entry == entry and owed.line in (TARGETING, WHO))


def too_soon(battle: Battle, owed: Owed) -> tuple[Finding, ...]:
    """Dice of a spread before all its torpedoes have found a ship (GQ2-TOR-1)."""
    before = waiting(battle, owed.entry)
    return (refused(f"first {before[0].prompt}", "GQ2-NIT-5"),) if before else ()


def lead(builder: DecisionBuilder, order: Order, owed: Owed, launch: Launch) -> None:
    """Torpedoes are led to the ship that an order names, whose stick number and aspect are known."""
    if led(owed) == total(order):
        attack = attack_of(builder.battle, order)
        go_on_with(builder, launch(builder.battle, attack, owed.entry), order, owed)
        return
    count = led(owed) + _take(builder, owed.entry, order.text("target"))
    _owe_dice(builder, order, owed, count, launch)
    finish(builder, owed, launch)


def lead_unmeasured(builder: DecisionBuilder, owed: Owed, target: str, launch: Launch) -> None:
    """Torpedoes are led to a ship whose stick number and aspect are asked once (GQ2-TOR-1, GQ2-NIT-2)."""
    earlier = _found(builder.battle, owed.entry, target)
    count = led(owed) + _take(builder, owed.entry, target)
    if earlier is not None and earlier.line == TORPEDO.word:
        _owe_dice(builder, earlier.declared, owed, count, launch)
    else:
        # Dice that were given with a spread are for the ship intended; a single torpedo takes its own along.
        alone = led(owed) == total(owed.declared)
        faces = owed.numbers(FACES) if alone else ()
        owe_measure(builder, owed, target, {FACES: faces, TORPEDOES: count})
    finish(builder, owed, launch)


def finish(builder: DecisionBuilder, owed: Owed, launch: Launch) -> None:
    """Once all are led: the ship intended takes the dice that were given with the order."""
    faces = owed.numbers(FACES)
    found = _found(builder.battle, owed.entry, owed.declared.text("target"))
    if not faces or found is None or found.line != TORPEDO.word or waiting(builder.battle, owed.entry):
        return
    builder.settle(found)
    attack = attack_of(builder.battle, found.declared, led(found))
    go_on_with(builder, launch(builder.battle, attack, owed.entry), found.declared, owed, led(found))


def _found(battle: Battle, entry: int, target: str) -> Owed | None:
    """The line of a ship to which torpedoes of an entry were led before."""
    for owed in battle.owed:
        if owed.entry != entry or owed.line not in (TORPEDO.word, MEASURE):
            continue
        if target == (owed.text(TARGET) or owed.declared.text("target")):
            return owed
    return None


def _take(builder: DecisionBuilder, entry: int, target: str) -> int:
    """Takes the line of a ship off the queue, to be owed with more torpedoes: how many it had."""
    earlier = _found(builder.battle, entry, target)
    if earlier is None:
        return 0
    builder.settle(earlier)
    return led(earlier)


def _owe_dice(builder: DecisionBuilder, order: Order, owed: Owed, count: int, launch: Launch) -> None:
    ready = launch(builder.battle, attack_of(builder.battle, order, count), owed.entry)
    builder.owe(
        TORPEDO.word,
        ready.ship,
        ready.prompt,
        *ready.dice,
        order=order.bare,
        facts={TORPEDOES: count},
        cause=owed.entry,
    )
