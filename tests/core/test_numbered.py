"""Values by number, against what a dict does."""

from random import Random

import pytest

from qf_tui.core.numbered import CHUNK, Numbered


def test_values_are_those_of_a_dict_and_none_changes_an_older_one() -> None:
    dice = Random(1904)
    ours, plain = Numbered[int](), dict[int, int]()
    for _ in range(200):
        older, was = ours, dict(plain)
        given = {dice.randrange(3 * CHUNK): dice.randrange(9) for _ in range(dice.randrange(20))}
        ours, plain = ours.plus(given), plain | given
        assert dict(ours) == plain
        assert dict(older) == was
        assert len(ours) == len(plain)


@pytest.mark.parametrize("number", [-1, 0, 2, CHUNK, 9 * CHUNK])
def test_no_value_is_made_up(number: int) -> None:
    assert number not in Numbered[str]().plus({1: "one"})
