"""Products of polynomials: by one long number the same as one by one."""

from random import Random

import pytest

from qf_tui.analysis import values
from qf_tui.analysis.values import Distribution, total


@pytest.mark.parametrize("bits", [1, 8, 61, 1000, 10_000])
@pytest.mark.parametrize("sizes", [(1, 1), (1, 7), (5, 3), (12, 9)])
def test_one_long_number_gives_what_each_by_each_does(
    sizes: tuple[int, int], bits: int, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Catches too little room for a coefficient, and one of more digits than Python turns into text."""
    chance = Random(seed)
    one, other = ([chance.getrandbits(bits) for _ in range(size)] for size in sizes)
    for both in ((one, other), ([2**bits - 1] * sizes[0], [2**bits - 1] * sizes[1]), ([0, 1], [1, *other])):
        monkeypatch.setattr(values, "FEW", 10**18)
        each = values.product(*both)
        monkeypatch.setattr(values, "FEW", 0)
        assert values.product(*both) == each


def test_hundreds_of_throws_are_added_exactly() -> None:
    """Catches a sum that takes minutes, and one that is only nearly right."""
    found = total([Distribution((75, 40, 20, 9), 144)] * 400)
    assert sum(found.ways) == found.of == 144**400
    assert found.mean * 144 == 400 * (40 + 2 * 20 + 3 * 9)
