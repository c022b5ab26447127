"""Large letters: the size of a text, and signs without a letter."""

import pytest
from textual.content import Content

from qf_tui.features.wall_display.letters import LETTER_HEIGHT, LETTERS, draw_large, to_capitals
from tests.console.playing import SMALL_FIRST, Size


@pytest.mark.parametrize("size", SMALL_FIRST)
@pytest.mark.parametrize("text", ["Tsesarevich: speed 4½″", "艦 Kongō: sinks", "x" * 200, ""])
def test_large_letters_stay_within_the_screen(size: Size, text: str) -> None:
    drawn = draw_large(text, *size)
    lines = drawn.splitlines()
    assert len(lines) <= size[1]
    assert all(Content(line).cell_length <= size[0] for line in lines)


@pytest.mark.parametrize(
    "text", ["MIKASA: STEERS 45° LEFT", "Besposhchadny: speed 6¾″", "Héros, Kasuga & Co."]
)
def test_important_lines_are_in_large_letters_on_the_smallest_screen(text: str) -> None:
    """Guard against a degree sign, fraction or 13-letter name that turns the whole line plain."""
    assert set(draw_large(text, 76, 18)) <= set("█▀▄ \n")


def test_a_text_is_all_large_or_all_plain_with_fractions_apart_from_inches() -> None:
    """Guard against 6¾ that reads as 63/4."""
    assert draw_large("艦 Kongō: sunk", 76, 18) == "艦 KONGŌ: SUNK"
    assert to_capitals("speed 6¾″") == "SPEED 6 3/4 IN"


def test_every_letter_is_seven_dots_high() -> None:
    assert {len(rows) for rows in LETTERS.values()} == {LETTER_HEIGHT}
    assert all(len({len(row) for row in rows}) == 1 for rows in LETTERS.values())
    assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;/-+()'%°!?&") <= LETTERS.keys()
