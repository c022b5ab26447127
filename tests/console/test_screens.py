"""Every screen: its picture, its colours and signs, and that it opens."""

import asyncio
import importlib
import io
import pkgutil
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random

import pytest
from rich.cells import cell_len
from rich.color import Color as RichColor
from rich.color import ColorSystem
from rich.console import Console as Paper
from rich.style import Style
from textual.color import Color
from textual.screen import Screen as AnyScreen
from textual.strip import Strip

import qf_tui.console
from qf_tui.console.reading.log_layout import lay_out_columns
from qf_tui.console.reading.logs import TONES
from qf_tui.console.widgets.keys import KeyModal, KeyScreen
from qf_tui.console.widgets.panel import Panel, is_too_small
from qf_tui.console.widgets.text import cut, fit, literal, measure_width, use_ascii
from qf_tui.console.widgets.theme import THEMES, Abilities, find_abilities, to_sixteen_colours
from qf_tui.document.ascii import to_ascii_same_width
from qf_tui.library.settings import Settings
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import (
    HOSTILE,
    LONG,
    SIZES,
    SMALL_FIRST,
    ChopsUpdate,
    LayoutUpdate,
    Size,
    Table,
    begin_examples,
    begin_gunnery,
    begin_tiny,
    compare,
    play,
    with_console,
)
from tests.console.screens import SCREENS, ScreenEntry, Stage
from tests.posix import POSIX, posix_only
from tests.systems import load_our_battles

ORDERS = (
    "next",
    "fire mikasa heavy borodino long 4 8",
    "fire borodino heavy mikasa long 4 10",
    "damage ohio F F E",
    "leave hannibal sunk",
    "mark massena speed_hits 2",
)


def _begin_fought(names: dict[str, str] | None = None) -> Session:
    session = begin_examples(names)
    for order in ORDERS:
        session.enter(order)
    return session


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("names", ["plain", "hostile"])
@with_console(lambda names: _begin_fought(HOSTILE if names == "hostile" else None))
async def test_the_battle_screen_looks_like_its_golden_picture(table: Table, size: Size, names: str) -> None:
    text = table.text()
    assert max(len(line) for line in text.splitlines()) <= size[0]
    compare(f"battle-{names}-{size[0]}x{size[1]}", text)


@pytest.mark.parametrize("size", SIZES)
@with_console(begin_gunnery)
async def test_the_dialog_looks_like_its_golden_picture(table: Table, size: Size) -> None:
    await table.type("fhbo space l4")
    compare(f"dialog-{size[0]}x{size[1]}", table.text(behind=True))


@with_console(lambda: begin_tiny(4), size=(80, 24))
async def test_another_rule_system_is_drawn_from_its_declarations(table: Table) -> None:
    compare("tiny-80x24", table.text())


def test_a_long_refusal_is_cut_with_a_sign_and_keeps_its_key() -> None:
    """Detect lines that end in mid-sentence, and the overruling key beyond the last line."""
    system, start = load_our_battles()["yellow-sea-1904"]
    session = Session.begin(system, start)
    session.enter("move tsesarevich,retvizan,pobeda,peresvet,sevastopol,poltava 6")

    async def steps(table: Table) -> None:
        await table.press("m", "up", *["backspace"] * 20)
        await table.write("tses,retv,pob,pere,seva,polt")
        await table.press("down", "6")
        assert re.search(r"✗ Tsesarevich has .*\n.*\n.*…   F2 overrules │\n│ pivots", table.text())

    play(session, steps, (80, 24))


BASES = {
    "ReadyScreen",
    "KeyScreen",
    "KeyModal",
    "SourceScreen",
    "FieldForm",
    "PickScreen",
    "FilterScreen",
}


def find_subclasses(kind: type[object]) -> set[type[object]]:
    return {kind}.union(*(find_subclasses(one) for one in kind.__subclasses__()))


def test_every_screen_of_the_program_is_in_the_registry() -> None:
    for module in pkgutil.walk_packages(qf_tui.console.__path__, "qf_tui.console."):
        if not POSIX and module.name.endswith("textual_patches.terminal"):
            continue
        importlib.import_module(module.name)
    ours = {one for one in find_subclasses(AnyScreen) if one.__module__.startswith("qf_tui.console.")}
    missing = {one.__name__ for one in ours} - BASES - {one.kind.__name__ for one in SCREENS}
    assert not missing
    assert {KeyScreen, KeyModal, Panel} <= ours


def test_names_of_screens_are_unique() -> None:
    assert len({one.id for one in SCREENS}) == len(SCREENS)


@pytest.mark.parametrize("size", SMALL_FIRST, ids=str)
@with_console(begin_gunnery)
async def test_every_screen_opens_and_escape_leads_back(table: Table, size: Size) -> None:
    """Open all over the battle in one console; a failure names the screen and the size."""
    await open_each(table, SCREENS)


async def open_each(table: Table, entries: Iterable[ScreenEntry]) -> None:
    """Open each screen over the battle, and leave it."""
    stage = Stage(table.session, find_systems())
    for entry in entries:
        await _open_and_leave(table, entry, stage)


async def _open_and_leave(table: Table, entry: ScreenEntry, stage: Stage) -> None:
    app, below = table.app, table.app.screen
    screen = entry.make(stage)
    assert isinstance(screen, entry.kind)
    app.push_screen(screen)
    await table.settle()
    if entry.id == "too-small":
        assert app.screen is below, "it makes room by itself"
        return
    assert not is_too_small(app.size)
    assert app.screen is screen, entry.id
    assert table.text().strip(), entry.id
    await table.press("escape")
    if entry.stays:
        assert app.screen is screen, entry.id
        app.pop_screen()
        await table.settle()
    assert app.screen is below, entry.id


@pytest.mark.parametrize("turns", [0, pytest.param(1, marks=pytest.mark.long), 3])
@with_console(begin_gunnery)
async def test_a_screen_that_is_left_before_it_has_its_widgets_does_no_harm(table: Table, turns: int) -> None:
    """Detect a screen that needs its widgets as it starts or is resized, `turns` of the loop earlier."""
    await leave_early(table, SCREENS, turns)


async def leave_early(table: Table, entries: Iterable[ScreenEntry], turns: int) -> None:
    """Open each screen, and leave it after `turns` of the event loop."""
    stage = Stage(table.session, find_systems())
    below = table.app.screen
    for entry in entries:
        if entry.id == "too-small" or not issubclass(entry.kind, KeyScreen):
            continue
        table.app.push_screen(entry.make(stage))
        for _ in range(turns):
            await asyncio.sleep(0)
        table.app.pop_screen()
        await table.settle()
        assert table.app.screen is below, entry.id


READABLE = 4.5
"""The least contrast between letters and their ground, by the WCAG."""


@pytest.mark.parametrize("name", [theme.name for theme in THEMES.values()])
@with_console(begin_gunnery)
async def test_no_tone_of_the_logs_vanishes(table: Table, name: str) -> None:
    """Detect white on cream, and an assumed value brighter than a fact."""
    table.app.theme = name
    await table.pilot.pause()
    grid = table.screen.grid
    letters, ground = grid.find_style("").color, grid.find_style("row").bgcolor
    assert letters is not None
    assert ground is not None
    plain = compute_contrast(letters.name, ground.name)
    for tone in (*TONES, "gone", "title", "side"):
        style = grid.find_style(tone)
        for behind in (grid.find_style("").bgcolor, ground):
            assert style.color is not None
            assert behind is not None
            against = compute_contrast(style.color.name, behind.name)
            assert against >= READABLE, (tone, style.color.name, behind.name)
            if tone in ("dim", "cross", "gone"):
                assert against < plain, tone


def compute_contrast(letters: str, behind: str) -> float:
    """Compute the contrast of two colours: 1 to 21."""
    lights = sorted(
        (_compute_luminance(Color.parse(letters)), _compute_luminance(Color.parse(behind))), reverse=True
    )
    return (lights[0] + 0.05) / (lights[1] + 0.05)


def _compute_luminance(color: Color) -> float:
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized[:3]
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


VGA = [
    "#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
    "#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff",
]  # fmt: skip
XTERM = [
    "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
    "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
]  # fmt: skip
LEGIBLE = 2.5
"""The least contrast of bold or coloured letters; a terminal's own red allows no more."""
FIRST_GREY = 231
"""Of 256 colours, the first of those that are white or grey."""


@pytest.fixture(autouse=True)
def signs() -> Iterator[None]:
    """Restore full signs before and after each test."""
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
def test_the_width_of_a_text_in_ascii_is_its_drawn_width(text: str, drawn: str) -> None:
    use_ascii(True)
    assert literal(text).plain == drawn
    assert measure_width(text) == len(drawn)
    assert fit(text, 12, True) == drawn.rjust(12)
    assert cut(text, 4) == (drawn if len(drawn) <= 4 else f"{drawn[:3].rstrip()}~")
    assert to_ascii_same_width("│╭▔") == "|+-"


def test_a_column_of_fractions_is_wider_in_ascii() -> None:
    columns = tuple(begin_gunnery().system.columns)
    widths = [{one.name: width for one, width in lay_out_columns(columns, 11, 110).columns}]
    use_ascii(True)
    widths.append({one.name: width for one, width in lay_out_columns(columns, 11, 110).columns})
    assert [one["speed"] for one in widths] == [5, len('10 7/8"')]


@with_console(begin_gunnery, size=(80, 24), settings=Settings(signs="ascii"))
async def test_all_of_the_screen_is_ascii_and_no_figure_is_cut(table: Table) -> None:
    assert table.text().isascii()
    assert '5 7/8"' in table.text() or '6 3/4"' in table.text()
    for keys in ("fhbo", "escape", "h", "escape", "f1", "escape"):
        await table.press(*([keys] if len(keys) > 4 or keys in ("h", "f1") else keys))
        assert table.text().isascii()


@posix_only
@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({"LANG": "en_GB.UTF-8", "TERM": "xterm-256color"}, Abilities(False, False)),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8", "TERM": "linux"}, Abilities(True, True)),
        ({"LANG": "en_GB.UTF-8", "TERM": "linux"}, Abilities(True, True)),
        ({"LANG": "de_DE@euro", "TERM": "xterm-16color"}, Abilities(True, True)),
        ({"LANG": "C", "LC_ALL": "C.utf8", "TERM": "screen"}, Abilities(False, True)),
        ({"LC_CTYPE": "en_GB.UTF-8", "TERM": "xterm", "COLORTERM": "truecolor"}, Abilities(False, False)),
    ],
)
def test_the_abilities_of_a_terminal_are_read_from_its_environment(
    environment: dict[str, str], found: Abilities
) -> None:
    assert find_abilities(environment) == found


@pytest.mark.parametrize("word", THEMES)
def test_sixteen_colours_keep_the_tones_of_the_logs_apart(word: str) -> None:
    """Detect amber, red and crossed cells that are all grey."""

    async def steps(table: Table) -> None:
        grid, dark = table.screen.grid, word == "dark"
        for behind in ("", "row"):
            base = grid.find_style(behind)
            tones = ("slash", "alert", "cross", "")
            shown = {tone: to_sixteen_colours(base + grid.find_style(tone), dark) for tone in tones}
            numbers = {tone: (style.color.number, style.bold) for tone, style in shown.items() if style.color}
            apart = numbers if not behind else {tone: numbers[tone] for tone in ("slash", "alert", "")}
            assert len(set(apart.values())) == len(apart), (behind, numbers)
            assert all(
                style.color and style.bgcolor and style.bgcolor.number != style.color.number
                for style in shown.values()
            )

    play(begin_gunnery(), steps, settings=Settings(theme=word, colours="16"))


@pytest.mark.parametrize("palette", [VGA, XTERM], ids=["vga", "xterm"])
@pytest.mark.parametrize("word", THEMES)
def test_each_letter_can_be_read_on_each_ground(word: str, palette: list[str]) -> None:
    """Detect violet on cyan, and the sixteen greys that other terminals do not have."""
    theme, dark = THEMES[word], word == "dark"
    letters = (theme.foreground, theme.primary, theme.secondary, theme.accent, theme.warning, theme.error)
    for letter in (*letters, theme.success, *theme.variables.values()):
        for ground in (theme.background, theme.surface, theme.panel):
            drawn = to_sixteen_colours(Style(color=letter, bgcolor=ground), dark)
            assert drawn.color is not None
            assert drawn.bgcolor is not None
            pair = palette[drawn.color.number or 0], palette[drawn.bgcolor.number or 0]
            assert compute_contrast(*pair) >= LEGIBLE, (letter, ground, pair)


@with_console(begin_gunnery, settings=Settings(colours="16"))
async def test_only_sixteen_colours_are_used_and_dimmed_text_is_readable(table: Table) -> None:
    """Detect letters in the colour of their ground, where colours cannot be mixed."""
    await table.type("fhbo")
    for strip in chain.from_iterable(table.render_picture().strips):
        for segment in strip:
            for color in (segment.style.color, segment.style.bgcolor) if segment.style else ():
                assert color is None or color.triplet is None
    seen = io.StringIO()
    paper = Paper(width=120, height=36, file=seen, force_terminal=True, color_system="standard")
    paper.print(table.render_picture())
    shown = seen.getvalue().splitlines()[5]
    assert "Mikasa" in shown
    assert "97" in shown


@pytest.mark.parametrize("word", THEMES)
def test_grounds_are_grey_with_256_colours(word: str) -> None:
    """Detect fields in bright navy."""
    theme = THEMES[word]
    for ground in (theme.background, theme.surface, theme.panel):
        assert ground is not None
        number = RichColor.parse(ground).downgrade(ColorSystem.EIGHT_BIT).number
        assert number is not None
        assert number >= FIRST_GREY, (ground, number)


Cells = dict[tuple[int, int], tuple[str, Style | None]]


def read_cells(x: int, y: int, strip: Strip) -> Cells:
    """Read the sign and the style of each cell that a strip fills."""
    cells: Cells = {}
    for sign, style in ((sign, segment.style) for segment in strip for sign in segment.text):
        cells |= {(x + more, y): ("" if more else sign, style) for more in range(cell_len(sign))}
        x += cell_len(sign)
    return cells


def read_picture(picture: LayoutUpdate) -> Cells:
    cells: Cells = {}
    for y, line in enumerate(picture.strips):
        cells |= read_cells(0, y, Strip.join(line))
    return cells


@pytest.mark.parametrize("pressed", [12, pytest.param(60, marks=pytest.mark.long)])
@with_console(begin_gunnery, size=SIZES[2], drawn=True)
async def test_a_terminal_shows_the_whole_picture_after_every_key(table: Table, pressed: int) -> None:
    """Detect a row that is not redrawn: wide signs in a name, a row under the cursor, a dialog."""
    terminal: Cells = {}

    def receive(update: object) -> None:
        if isinstance(update, LayoutUpdate):
            terminal.update(read_picture(update))
        elif isinstance(update, ChopsUpdate):
            for y, left, right in update.spans:
                for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=True):
                    if strip is not None and x < right and end > left:
                        terminal.update(read_cells(x, y, strip))

    table.send_pictures(receive)
    table.app.screen.refresh(layout=True)
    random = Random(10)
    keys = ("down", "up", "left", "right", "x", "f", "h", "1", "2", "space", "enter", "escape", "s", "colon")
    for _ in range(pressed):
        await table.press(random.choice(keys))
        fresh = read_picture(table.render_picture())
        assert {at: terminal.get(at) for at in fresh} == fresh


@with_console(begin_gunnery, size=(80, 50))
async def test_the_newest_act_leaves_room_for_earlier_ones(table: Table) -> None:
    """Detect a long remark that hides the acts above it."""
    await table.order("note " + "squall " * 90)
    lines = [line for line in table.text().splitlines() if "squall squall" in line]
    assert len(lines) == 2
    assert lines[1].endswith("squ…")


@with_console(lambda: begin_gunnery({"borodino": LONG}), size=(80, 24))
async def test_the_meaning_of_a_field_is_cut_with_a_sign(table: Table) -> None:
    """Detect a meaning whose last cell, with the sign, is beyond the edge of its dialog."""
    await table.press("f", "h", "b", "o", "space")
    (line,) = (line for line in table.text().splitlines() if "The Most" in line)
    assert line.endswith("… │")
