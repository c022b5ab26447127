"""Inches of the rules, which the table may play as centimetres."""

from fractions import Fraction

from qf_tui.core.grammar.order import SlotValue
from qf_tui.core.measure import Distance, decimal
from qf_tui.core.system import Scale
from qf_tui.core.values import Battle

SCALES = (Scale("standard", "in", "in"), Scale("standard", "metric", "cm"))
_QUARTERS = ("", "¼", "½", "¾")


def unit(battle: Battle) -> str:
    """What the table measures an inch of the rules in."""
    return "cm" if battle.table.get("units") == "metric" else "in"


def inches(battle: Battle, value: SlotValue | None) -> Fraction:
    """A measured distance, or a bare number, in inches of the rules."""
    if isinstance(value, Distance):
        return value.to(unit(battle))
    return Fraction(value) if isinstance(value, int) else Fraction(0)


def as_typed(battle: Battle, amount: Fraction) -> SlotValue:
    """A distance as an order has it: a bare number where it is whole."""
    return int(amount) if amount.denominator == 1 else Distance(amount, unit(battle))


def with_unit(battle: Battle, amount: Fraction) -> str:
    """A distance in words."""
    sign = "″" if unit(battle) == "in" else " cm"
    return f"{halves(amount)}{sign}"


def halves(amount: Fraction) -> str:
    """A number with its quarters as people write them: 1½."""
    quarters = amount * 4
    if quarters.denominator != 1:
        return decimal(amount)
    whole, rest = divmod(int(quarters), 4)
    return f"{whole or ''}{_QUARTERS[rest]}" or "0"


def of_halves(count: int) -> str:
    """A count of halves as people write it: 3 are 1½."""
    return halves(Fraction(count, 2))


def figure(amount: Fraction) -> int | float:
    """A number as logs and scripts keep it."""
    return int(amount) if amount.denominator == 1 else round(float(amount), 4)
