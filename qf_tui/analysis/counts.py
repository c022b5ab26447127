"""What is counted over throws: results by side and kind, throws taken back, readings of the charts."""

from collections.abc import Collection, Iterable, Mapping

from qf_tui.analysis.distribution import total
from qf_tui.analysis.thrower import named_by
from qf_tui.analysis.values import Cells, Count, LuckStep, ThrownDice
from qf_tui.core.acts import Entry
from qf_tui.core.grammar.order import Order
from qf_tui.core.results import of_damage
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline


def counts_of(system: RuleSystem, sides: Iterable[str], throws: Iterable[ThrownDice]) -> tuple[Count, ...]:
    """The results of each side of each kind, as far as anybody threw for them."""
    counted = [throw for throw in throws if throw.kind and throw.left_out is None]
    found = (count_of(counted, side, kind.name) for side in sides for kind in system.results)
    return tuple(count for count in found if count.throws)


def damage_of(system: RuleSystem, sides: Iterable[str], counts: Collection[Count]) -> tuple[Count, ...]:
    """The results of all kinds of damage in one sum, of each side."""
    kinds = of_damage(system.results)
    found = []
    for side in sides:
        own = [count for count in counts if count.side == side and count.kind in kinds]
        results, throws = sum(count.results for count in own), sum(count.throws for count in own)
        found.append(Count(side, "", throws, results, total(count.chances for count in own)))
    return tuple(found)


def count_of(throws: Iterable[ThrownDice], side: str, *kinds: str) -> Count:
    """The results of a side of some kinds in one sum; the count is named after a single kind."""
    counted = [
        throw for throw in throws if throw.side == side and throw.kind in kinds and throw.left_out is None
    ]
    results = sum(throw.results for throw in counted)
    kind = kinds[0] if len(kinds) == 1 else ""
    return Count(side, kind, len(counted), results, total(throw.chances for throw in counted))


def cells_of(steps: Collection[LuckStep]) -> Cells:
    """The readings of the charts of all entries."""
    return Cells(sum(step.cells.read for step in steps), sum(step.cells.reconstructed for step in steps))


def struck_throws(timeline: Timeline) -> Mapping[str, int]:
    """By side, the throws that were taken back or changed to others after their dice had been seen."""
    found = {side.id: 0 for side in timeline.start.sides}
    seen: dict[int, list[Order]] = {}
    for act in timeline.log:
        if act.version is not None and act.version.dice:
            number = act.number if isinstance(act, Entry) else act.targets[0]
            seen.setdefault(number, []).append(act.version.order)
    counting = frozenset(timeline.play_order)
    for number, orders in seen.items():
        stands = timeline.versions[number].dice if number in counting else None
        gone = {order.dice for order in orders if not _still(order.dice, stands)}
        ship = timeline.battle.ships.get(named_by(orders[0]))
        if ship is not None and ship.side in found:
            found[ship.side] += len(gone)
    return found


def _still(dice: tuple[int, ...], stands: tuple[int, ...] | None) -> bool:
    """Whether dice are those that stand, or the first of them, or more than are needed now."""
    if not stands:
        return False
    shorter = min(len(dice), len(stands))
    return dice[:shorter] == stands[:shorter]
