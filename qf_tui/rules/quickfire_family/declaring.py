"""Attacks that are declared before their dice are thrown: what still waits, and what comes too late."""

from collections.abc import Callable

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.values import Act, Battle, Owed

_ATTACKS = ("fire", "torpedo", "boats")


def pending(battle: Battle, kind: str, ship: str, target: str = "", battery: str = "") -> Owed | None:
    """The owed line of a declared attack none of whose dice are thrown; any target, any battery if ""."""
    for owed in battle.owed:
        if (owed.line, owed.ship) != (kind, ship) or owed.order is None or owed.faces:
            continue
        aims = target in ("", owed.order.text("target"))
        if aims and (not battery or owed.order.text("battery") in (battery, "both")):
            return owed
    return None


def already(owed: Owed | None, declared: str, done: str) -> str:
    """What is said of an attack made twice: that it is `declared`, and the cure, or that it is `done`."""
    return f"{declared} declared already: roll the dice, or amend entry {owed.entry}" if owed else done


def dice_thrown(battle: Battle) -> bool:
    """Whether dice of some attack that was declared in this phase are thrown."""
    return any(_thrown(battle, act) for act in battle.acts[len(battle.start.acts) :])


def _thrown(battle: Battle, act: Act) -> bool:
    if act.kind not in _ATTACKS:
        return False
    return pending(battle, act.kind, act.ship, act.text("target"), act.text("battery")) is None


def remark_if_late(battle: Battle, clause: str) -> Callable[[DecisionBuilder], None]:
    """Remarks on a declaration that comes after dice of its phase."""

    def remark(builder: DecisionBuilder) -> None:
        if dice_thrown(battle):
            builder.remark("declared after dice of this phase were thrown", clause)

    return remark
