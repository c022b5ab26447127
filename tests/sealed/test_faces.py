"""The faces themselves: the message to the byte, bytes passed over, fairness, throws told apart."""

import hmac
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.sealed_dice import SealedDice, message
from qf_tui.core.values import Die

CONTEXT = ("1", "first-gunnery", "fire", "mikasa", "heavy", "1")
DICE = SealedDice(bytes(range(32)), ("anchor", "beacon"))
SMALL = 12_000
MANY = 1_000_000
SIDES = (6, 10, 12)


def test_the_message_is_as_the_page_of_the_save_format_has_it() -> None:
    assert message(DICE.words, CONTEXT, 37, 0) == (
        b'qf-dice-1\n["1","first-gunnery","fire","mikasa","heavy","1"]\n["anchor","beacon"]\n37\n0'
    )
    assert message(("Füße", '"'), ("1",), 0, 12).splitlines()[2] == '["Füße","\\""]'.encode()


def test_faces_are_taken_from_the_bytes_and_some_are_passed_over() -> None:
    """Catches bytes that are reduced: of a D10 from 250 on, of a D12 from 252 on, of a D6 from 252 on."""
    passed = 0
    for call in range(200):
        left = iter(hmac.digest(DICE.seed, message(DICE.words, CONTEXT, call, 0), "sha256"))
        wanted = []
        for die in (Die(12), Die(10, "", 0), Die(6)):
            byte = next(left)
            while byte >= 256 - 256 % die.sides:
                passed, byte = passed + 1, next(left)
            wanted.append(byte % die.sides + die.least)
        assert DICE.faces(CONTEXT, call, (Die(12), Die(10, "", 0), Die(6))) == tuple(wanted)
    assert passed, "none of these calls shows it"


def test_a_throw_of_many_dice_goes_on_with_the_next_counter() -> None:
    faces = DICE.faces(CONTEXT, 37, (Die(12),) * 100)
    assert len(faces) == 100
    assert faces[:3] == DICE.faces(CONTEXT, 37, (Die(12),) * 3)
    assert len(set(faces[:32])) > 1
    assert faces[:32] != faces[32:64]


@given(st.data())
def test_whatever_is_flipped_gives_another_message(data: st.DataObject) -> None:
    """Any other seed, word, context, call or counter: no two throws share their bytes."""
    bit = data.draw(st.integers(0, 255))
    seed = (int.from_bytes(DICE.seed) ^ 1 << bit).to_bytes(32)
    wanted = DICE.faces(CONTEXT, 37, (Die(12),) * 24)
    assert SealedDice(seed, DICE.words).faces(CONTEXT, 37, (Die(12),) * 24) != wanted
    texts = st.lists(st.text('ab1"\\[], \nü', max_size=8), max_size=4).map(tuple)
    parts = st.tuples(texts, texts, st.integers(0, 999), st.integers(0, 3))
    one, other = data.draw(parts), data.draw(parts)
    assert (message(*one) == message(*other)) == (one == other)


def calls(sides: int, many: int) -> Iterator[int]:
    """One die a call, the calls in a row."""
    die = (Die(sides),)
    return (DICE.faces(CONTEXT, call, die)[0] for call in range(many))


def one_throw(sides: int, many: int) -> Sequence[int]:
    """All dice of one throw."""
    return DICE.faces(CONTEXT, 1, (Die(sides),) * many)


def chi_square(found: Counter[int] | Counter[tuple[int, int]], cells: int) -> float:
    """The statistic of counts that should all be alike, as a share of what 1 in 100 fair ones exceed."""
    wanted = found.total() / cells
    seen = sum((many - wanted) * (many - wanted) for many in found.values())
    seen += (cells - len(found)) * wanted * wanted
    freedom = cells - 1
    # Wilson and Hilferty's critical value, with the normal quantile of 99%.
    spread = 2 / (9 * freedom)
    return seen / wanted / (freedom * math.pow(1 - spread + 2.326348 * math.sqrt(spread), 3))


def figures(faces: Sequence[int], sides: int) -> tuple[float, float, float]:
    """Chi-square of single faces, of pairs side by side, and the serial correlation, as shares of 1%."""
    singles = chi_square(Counter(faces), sides)
    pairs = chi_square(Counter(zip(faces[::2], faces[1::2], strict=False)), sides * sides)
    mean = sum(faces) / len(faces)
    variance = sum((face - mean) ** 2 for face in faces)
    serial = sum((one - mean) * (other - mean) for one, other in pairwise(faces)) / variance
    return singles, pairs, abs(serial) * len(faces) ** 0.5 / 2.575829


@pytest.mark.parametrize("thrown", [SMALL, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("sides", SIDES)
def test_faces_are_fair(sides: int, thrown: int) -> None:
    assert max(figures(list(calls(sides, thrown)), sides)) < 1
    assert max(figures(one_throw(sides, thrown), sides)) < 1


def test_the_check_of_fairness_finds_what_is_not_fair() -> None:
    """Catches a test that nothing fails: bytes reduced modulo 12, and a die that repeats itself."""
    flow = (byte for n in count() for byte in hmac.digest(DICE.seed, str(n).encode(), "sha256"))
    reduced = [next(flow) % 12 for _ in range(MANY // 10)]
    assert figures(reduced, 12)[0] > 1
    fair = list(calls(6, SMALL))
    assert max(figures([face for face in fair for _ in range(2)], 6)) > 1
