"""The kinds of slot that hold figures: counts, distances, dice, and the numbers of acts."""

import re
from collections.abc import Mapping
from fractions import Fraction

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.grammar.dice_text import are_dice
from qf_tui.core.grammar.forms import Slot
from qf_tui.core.grammar.kind import NUMBER, SlotKind, one_of
from qf_tui.core.grammar.order import SlotValue
from qf_tui.core.grammar.scope import Words
from qf_tui.core.measure import ESTIMATE_SIGN, Distance


class CountKind(SlotKind):
    """A whole number from `least` to `most`."""

    grows = False

    def read(self, words: Words) -> SlotValue | None:
        return _count(words)

    def sign(self, slot: Slot) -> str:
        return "N" if slot.keyword else slot.name.upper()


def _count(words: Words) -> int:
    word, slot = words.take(), words.slot
    if not NUMBER.fullmatch(word) or not slot.least <= int(word) <= slot.most:
        raise words.fault(f"{slot.label}: “{word}” is not a number from {slot.least} to {slot.most}")
    return int(word)


_UNITS = {unit: unit for unit in ("in", "mm", "cm")} | dict.fromkeys(("″", '"', "”"), "in")
DECIMALS = 6
"""Places of a distance that its text keeps."""
_FIGURE = re.compile(r"(\d{0,6})(?:\.(\d{1,6})|([¼½¾⅛⅜⅝⅞]))?(.*)", re.ASCII)
_VULGAR: Mapping[str | None, Fraction] = {
    None: Fraction(0),
    **dict(zip("⅛¼⅜½⅝¾⅞", (Fraction(eighths, 8) for eighths in range(1, 8)), strict=True)),
}
_COMMA_BETWEEN = re.compile(r"\d,\d")


class MeasureKind(SlotKind):
    """A distance, one of `choices`, or with `bare` a plain number.

    A bare figure where only a distance can stand is in the unit of its slot, or else of the table. One in
    another measure of the table's scale becomes an amount of the table's unit.
    """

    def read(self, words: Words) -> SlotValue | None:
        slot, word = words.slot, words.next
        if NUMBER.fullmatch(word) and _unit_behind(words) == "":
            if slot.bare:
                return _count(words)
            if words.loose:
                return None
        if _COMMA_BETWEEN.search(word) and not (words.loose and are_dice(word)):
            raise words.fault(f"{slot.label}: “{word}”: write a distance with a point, as 4.5")
        distance = _distance(words)
        if distance is not None:
            return distance
        others = "".join(f", 2{unit}" for unit in list(words.scope.measures)[:1])
        expected = [*slot.choices, f"a distance with its unit (4.5in, 112mm, 11cm{others})"]
        if slot.bare:
            expected.insert(0, f"a number from {slot.least} to {slot.most}")
        return one_of(words, slot.choices, " or ".join(expected))

    def sign(self, slot: Slot) -> str:
        if slot.keyword:
            return slot.unit.upper() or ("N" if slot.bare else "DISTANCE")
        return "|".join((*slot.choices, "DISTANCE")) if slot.choices else slot.name.upper()


def _unit_behind(words: Words) -> str:
    """The unit that stands behind a figure as a word of its own, as in `41 cm`; "" if none does."""
    behind = words.ahead[1:2]
    return _unit(behind[0].lower(), words) if behind else ""


def _unit(sign: str, words: Words) -> str:
    """The unit that a sign means; "" if none."""
    return sign if sign in words.scope.measures else _UNITS.get(sign, "")


def has_unit(words: Words) -> bool:
    """Whether the next word is a figure with its unit, as `4.5in` or `41 cm`."""
    found = _FIGURE.fullmatch(_figure(words))
    if found is None or not any(found.group(1, 2, 3)):
        return False
    return bool(_UNITS.get(found.group(4)) if found.group(4) else _unit_behind(words))


def _figure(words: Words) -> str:
    """The next word, without the sign of an estimate where one may stand."""
    return words.next.removeprefix(ESTIMATE_SIGN) if words.slot.to else words.next


def _distance(words: Words) -> Distance | None:
    """The distance that the next words say, taken off; None if they say none."""
    figure = _figure(words)
    found = _FIGURE.fullmatch(figure)
    if found is None or not any(found.group(1, 2, 3)):
        return None
    whole, decimals, vulgar, sign = found.groups()
    behind = "" if sign else _unit_behind(words)
    unit = _unit(sign, words) if sign else behind or words.slot.unit or words.scope.unit
    if not unit:
        return None
    amount = Fraction(f"{whole or 0}.{decimals or 0}") + _VULGAR[vulgar]
    if unit in words.scope.measures:
        amount, unit = round(amount * words.scope.measures[unit], DECIMALS), words.scope.unit
    distance = _of_the_battle(words, Distance(amount, unit, figure != words.next))
    words.at += 2 if behind else 1
    return distance


def _of_the_battle(words: Words, distance: Distance) -> Distance:
    battle = words.scope.battle
    metric = battle is not None and battle.table.get("units") == "metric"
    if battle is not None and distance.metric != metric:
        family = "millimetres or centimetres" if metric else "inches"
        raise OrderRefused(impossible(f"{distance}: this battle is measured in {family}"))
    return distance


class DieKind(SlotKind):
    """A die in the midst of an order; it stands among the order's dice."""

    grows = False

    def read(self, words: Words) -> SlotValue | None:
        if NUMBER.fullmatch(words.next):
            words.dice.append(int(words.take()))
        return None


class ActNumberKind(SlotKind):
    """The number of an act."""

    grows = False

    def read(self, words: Words) -> SlotValue | None:
        word = words.take()
        if not NUMBER.fullmatch(word):
            raise words.fault(f"{words.slot.label}: “{word}” is not a number")
        return int(word)
