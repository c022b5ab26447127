"""Chances in words, and what is called unusual."""

from fractions import Fraction

import pytest

from qf_tui.analysis.thrower import Distribution
from qf_tui.document.acts import joined, some
from qf_tui.document.report import degree, figure, of_one_throw, one_in, standing


def test_a_mean_near_none_is_not_told_as_none() -> None:
    assert [figure(value) for value in (26.66, 0.0, 0.037, -0.01)] == ["26.7", "0.0", "0.037", "-0.01"]


THOUSAND = Distribution((500, 450, 45, 4, 1), 1000)
"""Rarer the more it is."""


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(0), "never"),
        (Fraction(1, 24), "1 in 24"),
        (Fraction(2, 47), "1 in 24"),
        (Fraction(1, 1234), "1 in 1,200"),
        (Fraction(1, 99), "1 in 99"),
        (Fraction(1, 10**9), "less than 1 in 1,000,000"),
        (Fraction(1, 2), "1 in 2"),
        (Fraction(2, 3), "2 in 3"),
        (Fraction(98, 100), "nearly always"),
        (Fraction(999, 1000), "nearly always"),
        (Fraction(1), "always"),
    ],
)
def test_a_chance_is_said_as_one_in_so_many(chance: Fraction, words: str) -> None:
    assert one_in(chance) == words


@pytest.mark.parametrize(
    ("results", "said", "word"),
    [
        (0, "nothing unusual", ""),
        (1, "nothing unusual", ""),
        (2, "as well 1 time in 20", "lucky"),
        (3, "as well 1 time in 200", "very lucky"),
        (4, "as well 1 time in 1,000", "very lucky"),
    ],
)
def test_a_total_is_unusual_below_one_in_ten(results: int, said: str, word: str) -> None:
    """Catches an adjective for what any evening brings."""
    assert standing(THOUSAND, results) == said
    assert degree(THOUSAND, results) == word


def test_too_little_is_unlucky_and_what_is_no_boon_is_neither() -> None:
    few = Distribution((1, 4, 95), 100)
    assert (standing(few, 0), degree(few, 0)) == ("as badly 1 time in 100", "unlucky")
    assert standing(few, 0, good=False) == "as little 1 time in 100"
    assert standing(THOUSAND, 2, good=False) == "as much 1 time in 20"


@pytest.mark.parametrize(
    ("chance", "throws", "said"),
    [
        (Fraction(1, 20), 100, "1 in 20; expect about 5 as rare in 100 throws"),
        (Fraction(1, 20), 20, "1 in 20; expect about 1 as rare in 20 throws"),
        (Fraction(1, 20), 15, "1 in 20; expect about 1 as rare in 15 throws"),
        (Fraction(1, 20), 14, "1 in 20; expect 0.7 as rare in 14 throws"),
        (Fraction(1, 1000), 123, "1 in 1,000; expect 0.1 as rare in 123 throws"),
        (Fraction(1, 2), 40, ""),
    ],
)
def test_a_single_throw_is_told_with_how_many_such_are_due(chance: Fraction, throws: int, said: str) -> None:
    assert of_one_throw(chance, throws) == said


def test_names_are_listed_as_a_sentence_does() -> None:
    assert [joined(list(text)) for text in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]
    assert some(list("abcdef"), 4) == "a, b, c and 3 more"
    assert some(list("abcd"), 4) == "a, b, c and d"
