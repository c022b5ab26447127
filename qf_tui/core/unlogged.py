"""A battle that is played on without a log: an order, its dice thrown at once, and the battle behind it."""

from qf_tui.core.acts import Version
from qf_tui.core.decide import ThrowDie, check_findings, with_dice, written
from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.grammar.order import Order
from qf_tui.core.prepare import PreparedEntry, check_dice, prepare_entry
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle


def made_ready(system: RuleSystem, battle: Battle, order: Order) -> PreparedEntry:
    """An order prepared on a battle; OrderRefused says what stands against it."""
    version = Version(order)
    entry = prepare_entry(system, battle, version)
    check_findings(entry.prepared.findings, version)
    check_dice(entry)
    return entry


def played(system: RuleSystem, battle: Battle, number: int, entry: PreparedEntry, throw: ThrowDie) -> Battle:
    """The battle after an order that was made ready on it, the dice that it wants thrown.

    OrderRefused where dice are left that it cannot be entered without.
    """
    entry = with_dice(entry, throw)
    if entry.missing and (entry.order.dice or entry.question is not None or not entry.prepared.may_wait):
        raise OrderRefused(impossible(f"{entry.order.word}: still missing {len(entry.missing)} dice"))
    return written(system, battle, number, entry).battle
