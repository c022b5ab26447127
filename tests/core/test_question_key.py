"""The key of an owed question: written as orders and saves have it, and read back whole."""

import pytest

from qf_tui.core.facts import QuestionKey, is_key, read_key


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("12/direction/borodino/1", QuestionKey(12, "direction", "borodino")),
        ("0/initiative//2", QuestionKey(0, "initiative", "", 2)),
        ("7/check/fire/fuji/3", QuestionKey(7, "check/fire", "fuji", 3)),
    ],
)
def test_a_key_is_read_as_it_was_written(written: str, key: QuestionKey) -> None:
    assert read_key(written) == key
    assert str(key) == written
    assert is_key(written)


@pytest.mark.parametrize(
    ("written", "key"),
    [("5", QuestionKey(5)), ("5/direction", QuestionKey(5, "direction"))],
)
def test_the_end_of_a_key_may_be_left_out(written: str, key: QuestionKey) -> None:
    assert read_key(written) == key


@pytest.mark.parametrize("written", ["", "/", "direction/borodino/1", "-1/x", "1234567890/x", "٣/x"])
def test_what_begins_with_no_entry_is_no_key(written: str) -> None:
    assert not is_key(written)
    assert read_key(written) == QuestionKey()
