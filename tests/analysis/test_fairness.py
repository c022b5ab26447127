"""A small look at what `python -m tests.tools.luck` shows of thousands of battles."""

import pytest

from tests.analysis.fairness import evenings, sums_of_luck
from tests.corrections.grounds import GROUNDS
from tests.long import Share

FEW, MANY = 3, 300


@pytest.mark.parametrize("battles", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", GROUNDS)
def test_luck_sums_up_to_nothing_and_is_seldom_unusual(
    system: str, battles: int, seed: int, share: Share
) -> None:
    """Catches a mean over other dice than those thrown, and results that are not those of their odds."""
    ground = GROUNDS[system]
    found, throws = sums_of_luck(ground, share.of(range(seed, seed + battles)), "its own")
    assert abs(found.mean) <= 4 * found.error
    sides = ("blue", "red")
    counts = [count for side in sides for count in evenings(ground.system, throws, side)]
    assert sum(count.chances.unusual(count.results) for count in counts) <= max(2, len(counts) / 2)
