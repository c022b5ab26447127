"""Chances and sums in words: how often as many throws do as well, and what luck brought to whom."""

from fractions import Fraction

from qf_tui.analysis.thrower import Distribution
from qf_tui.core.text import several

CERTAIN = Fraction(99, 100)
COMMON = Fraction(1, 2)
"""What one in two throws does is not told as rare."""
RAREST = 1_000_000
RATHER_ONE = 0.75
_DEGREES = ((Fraction(1, 1000), "extremely "), (Fraction(1, 100), "very "))
"""How rare a total is called so; the first that fits."""


def one_in(chance: Fraction, of: str = "") -> str:
    """A chance in words: `1 in 24`, `2 in 3`, `always`; `of` as in `1 time in 24`."""
    one = f"1 {of} in" if of else "1 in"
    if chance <= 0:
        return "never"
    if chance * RAREST < 1:
        return f"less than {one} {RAREST:,}"
    if chance > CERTAIN:
        return "always" if chance == 1 else "nearly always"
    if chance > Fraction(2, 5):
        near = chance.limit_denominator(10)
        return f"{near.numerator} in {near.denominator}" if near < 1 else "nearly always"
    times = round(1 / chance)
    return f"{one} {round(times, 2 - len(str(times))) if times >= 100 else times:,}"


def figure(value: float) -> str:
    """A mean with one decimal, more where that would be none."""
    return f"{value:.1f}" if abs(value) >= 0.05 or not value else f"{value:.2g}"


def standing(chances: Distribution, results: int, *, good: bool = True) -> str:
    """How often as many throws at the same odds do so, without an adjective: `as well 1 time in 24`.

    `good`: more of it is better for who throws.
    """
    if not chances.unusual(results):
        return "nothing unusual"
    well, badly = chances.as_well(results), chances.as_badly(results)
    if well <= badly:
        return f"as {'well' if good else 'much'} {one_in(well, 'time')}"
    return f"as {'badly' if good else 'little'} {one_in(badly, 'time')}"


def degree(chances: Distribution, results: int) -> str:
    """An adjective for the total of a side, "" where nothing is unusual."""
    if not chances.unusual(results):
        return ""
    well, badly = chances.as_well(results), chances.as_badly(results)
    rare = min(well, badly)
    word = "lucky" if well <= badly else "unlucky"
    return f"{next((text for most, text in _DEGREES if rare < most), '')}{word}"


def of_one_throw(chance: Fraction, throws: int) -> str:
    """How rare what a throw brought is: `1 in 24; expect about 5 as rare in 123 throws`.

    Nothing of one that is not rare.
    """
    if chance >= COMMON:
        return ""
    due = float(throws * chance)
    number = f"about {due:,.0f}" if due >= RATHER_ONE else f"{due:.1g}"
    return f"{one_in(chance)}; expect {number} as rare in {several(throws, 'throw')}"
