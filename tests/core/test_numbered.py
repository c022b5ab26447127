"""Values by number and one by one, against what a dict and a tuple do."""

from random import Random

import pytest

from qf_tui.core.timeline import CHUNK, Chain, Numbered, as_chain


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


@pytest.mark.parametrize("count", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_a_chain_is_what_a_tuple_is(count: int) -> None:
    plain = tuple(range(count))
    ours = Chain(plain)
    longer = ours.plus(count)
    assert (tuple(ours), tuple(longer)) == (plain, (*plain, count))
    assert ours == plain
    assert (len(ours), tuple(reversed(ours))) == (count, plain[::-1])
    assert (longer, count in longer, count in ours) == (Chain(range(count + 1)), True, False)
    assert longer != ours
    assert as_chain(ours) is ours
    for begins, ends in ((0, 1), (1, -1), (-3, None), (CHUNK - 2, CHUNK + 2), (5 * CHUNK, None)):
        assert ours[begins:ends] == plain[begins:ends]
        assert ours[ends:begins:-2] == plain[ends:begins:-2]
    for at in (-count - 1, count):
        with pytest.raises(IndexError):
            ours[at]
    assert [ours[at] for at in range(-count, count)] == [plain[at] for at in range(-count, count)]
