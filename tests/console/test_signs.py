"""Terminals that can show less: ASCII alone, sixteen colours; nothing else changes its meaning."""

import io
from collections.abc import Iterator
from itertools import chain

import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from rich.console import Console as Paper
from rich.style import Style

from qf_tui.console.logs.layout import laid_out
from qf_tui.console.widgets.signs import in_signs, one_for_one, use_ascii
from qf_tui.console.widgets.text import cut, fit, literal, width_of
from qf_tui.console.widgets.theme import THEMES, Abilities, abilities_of, few
from qf_tui.library.settings import Settings
from tests.console.playing import Table, gunnery, play
from tests.console.test_theme import contrast

VGA = [
    "#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
    "#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff",
]  # fmt: skip
XTERM = [
    "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
    "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
]  # fmt: skip
LEGIBLE = 2.5
"""The least contrast of bold or coloured letters; a terminal's own colours allow no better for red."""
FIRST_GREY = 231
"""Of 256 colours those from this one on are white and the greys."""


@pytest.fixture(autouse=True)
def signs() -> Iterator[None]:
    """Full signs before and after each test."""
    use_ascii(False)
    yield
    use_ascii(False)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("5⅞″", '5 7/8"'),
        ("⅞″", '7/8"'),
        ("7≤10 ▸ □□x", "7<=10 > oox"),
        ("Kongō · Łódź", "Kongo . ?odz"),
        ("艦", "??"),
        ("plain", "plain"),
    ],
)
def test_a_text_in_ascii_is_measured_as_it_is_drawn(text: str, drawn: str) -> None:
    use_ascii(True)
    assert in_signs(text) == drawn
    assert literal(text).plain == drawn
    assert width_of(text) == len(drawn)
    assert fit(text, 12, True) == drawn.rjust(12)
    assert cut(text, 4) == (drawn if len(drawn) <= 4 else f"{drawn[:3].rstrip()}~")
    assert one_for_one("│╭▔") == "|+-"


def test_a_column_of_fractions_is_wider_in_ascii() -> None:
    columns = tuple(gunnery().system.columns)
    widths = [{one.name: width for one, width in laid_out(columns, 11, 110).columns}]
    use_ascii(True)
    widths.append({one.name: width for one, width in laid_out(columns, 11, 110).columns})
    assert [one["speed"] for one in widths] == [5, len('10 7/8"')]


def test_all_of_the_screen_is_ascii_and_no_figure_is_cut() -> None:
    async def steps(table: Table) -> None:
        assert table.text().isascii()
        assert '5 7/8"' in table.text() or '6 3/4"' in table.text()
        for keys in ("fhbo", "escape", "h", "escape", "f1", "escape"):
            await table.press(*([keys] if len(keys) > 4 or keys in ("h", "f1") else keys))
            assert table.text().isascii()

    play(gunnery(), steps, (80, 24), settings=Settings(signs="ascii"))


@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({"LANG": "en_GB.UTF-8", "TERM": "xterm-256color"}, Abilities(False, False)),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8", "TERM": "linux"}, Abilities(True, True)),
        ({"LANG": "de_DE@euro", "TERM": "xterm-16color"}, Abilities(True, True)),
        ({"LANG": "C", "LC_ALL": "C.utf8", "TERM": "screen"}, Abilities(False, True)),
        ({"LC_CTYPE": "en_GB.UTF-8", "TERM": "xterm", "COLORTERM": "truecolor"}, Abilities(False, False)),
    ],
)
def test_what_a_terminal_shows_is_read_from_its_environment(
    environment: dict[str, str], found: Abilities
) -> None:
    assert abilities_of(environment) == found


@pytest.mark.parametrize("word", THEMES)
def test_sixteen_colours_keep_apart_what_the_logs_tell_apart(word: str) -> None:
    """Catches amber, red and crossed cells that are all grey."""

    async def steps(table: Table) -> None:
        grid, dark = table.screen.grid, word == "dark"
        for behind in ("", "row"):
            base = grid.look(behind)
            tones = ("slash", "alert", "cross", "")
            shown = {tone: few(base + grid.look(tone), dark) for tone in tones}
            numbers = {tone: (style.color.number, style.bold) for tone, style in shown.items() if style.color}
            apart = numbers if not behind else {tone: numbers[tone] for tone in ("slash", "alert", "")}
            assert len(set(apart.values())) == len(apart), (behind, numbers)
            assert all(
                style.color and style.bgcolor and style.bgcolor.number != style.color.number
                for style in shown.values()
            )

    play(gunnery(), steps, settings=Settings(theme=word, colours="16"))


@pytest.mark.parametrize("palette", [VGA, XTERM], ids=["vga", "xterm"])
@pytest.mark.parametrize("word", THEMES)
def test_each_letter_can_be_read_on_each_ground(word: str, palette: list[str]) -> None:
    """Catches violet on cyan, and the sixteen greys that are none on another terminal."""
    theme, dark = THEMES[word], word == "dark"
    letters = (theme.foreground, theme.primary, theme.secondary, theme.accent, theme.warning, theme.error)
    for letter in (*letters, theme.success, *theme.variables.values()):
        for ground in (theme.background, theme.surface, theme.panel):
            drawn = few(Style(color=letter, bgcolor=ground), dark)
            assert drawn.color is not None
            assert drawn.bgcolor is not None
            pair = palette[drawn.color.number or 0], palette[drawn.bgcolor.number or 0]
            assert contrast(*pair) >= LEGIBLE, (letter, ground, pair)


def test_what_is_behind_a_dialog_stays_to_be_read() -> None:
    """Catches letters drawn in the colour of their ground, where colours cannot be mixed."""

    async def steps(table: Table) -> None:
        await table.press(*"fhbo")
        seen = io.StringIO()
        paper = Paper(width=120, height=36, file=seen, force_terminal=True, color_system="standard")
        paper.print(table.picture())
        shown = seen.getvalue().splitlines()[5]
        assert "Mikasa" in shown
        assert "97" in shown

    play(gunnery(), steps, settings=Settings(colours="16"))


def test_no_line_leaves_the_sixteen_colours() -> None:
    async def steps(table: Table) -> None:
        await table.press(*"fhbo")
        for strip in chain.from_iterable(table.picture().strips):
            for segment in strip:
                for color in (segment.style.color, segment.style.bgcolor) if segment.style else ():
                    assert color is None or color.triplet is None

    play(gunnery(), steps, settings=Settings(colours="16"))


@pytest.mark.parametrize("word", THEMES)
def test_the_grounds_are_grey_where_there_are_256_colours(word: str) -> None:
    """Catches fields that glare in navy."""
    theme = THEMES[word]
    for ground in (theme.background, theme.surface, theme.panel):
        assert ground is not None
        number = RichColor.parse(ground).downgrade(ColorSystem.EIGHT_BIT).number
        assert number is not None
        assert number >= FIRST_GREY, (ground, number)


def test_large_letters_are_whole_signs_in_ascii() -> None:
    """Half blocks would all be drawn as the same sign."""
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        await table.press("v")
        assert table.text().isascii()
        assert "##  ##  ##" in table.text()
        assert "HEAVY ROF" in table.text()

    play(session, steps, (120, 36), settings=Settings(signs="ascii"))
