"""A side's results among all that they could have been, as a page draws them."""

import pytest

from qf_tui.document.html import strip_of
from qf_tui.document.values import Outcomes


@pytest.mark.parametrize(
    ("results", "reached"), [(0, "#..."), (1, "##.."), (2, "..##"), (3, "...#"), (5, ".....#")]
)
def test_what_lies_as_far_from_the_mean_as_the_results_is_marked(results: int, reached: str) -> None:
    strip = strip_of(Outcomes("Blue", True, results, 1.5, (1, 3, 3, 1), 8))
    assert "".join("#" if one.reached else "." for one in strip.chances) == reached
    assert (strip.due.text, strip.thrown.text) == ("1.5 due", f"{results} thrown")
