"""A whole turn by keys, the number of keys for shots, and the first battle of the README."""

import re
import statistics
from pathlib import Path

import pytest

from qf_tui.console.reading.announcements import TableChanges
from qf_tui.console.widgets.actions import GRID
from qf_tui.console.widgets.keys import build_keymap, format_key
from qf_tui.document.help import read_page_source
from qf_tui.document.transcript import format_act
from qf_tui.session import Session
from tests.console.playing import HOSTILE, SMALL_FIRST, Size, Table, begin_examples, play, with_console
from tests.systems import find_our_systems, load_start
from tests.tools import pictures
from tests.tools.board_pictures import OF_THE_FILM, OF_THE_README
from tests.tools.pace import GOLDEN, SHOT, measure
from tests.tools.phones import format_hand_row, format_tray_rows, play_with_tray


async def _settle_owed(table: Table) -> None:
    """Answer all owed rolls by digits alone."""
    while table.battle.owed:
        owed = len(table.battle.owed)
        for die in table.battle.owed[0].dice:
            await table.press(*str(min(7, die.most)), "space")
        await table.press("enter")
        assert len(table.battle.owed) <= owed


async def _end_phase(table: Table) -> None:
    """End the phase and close the lists that it opens."""
    before = (table.battle.turn, table.battle.phase)
    for _ in range(3):
        await _settle_owed(table)
        if (table.battle.turn, table.battle.phase) != before:
            break
        await table.press("n")
        while len(table.app.screen_stack) > 2:
            await table.press("escape" if isinstance(table.top, TableChanges) else "enter")
    assert (table.battle.turn, table.battle.phase) != before


@with_console(lambda: begin_examples(HOSTILE), size=(80, 24), drawn=True)
async def test_a_whole_turn_is_played_by_keys_with_hostile_names(table: Table) -> None:
    await table.type("m at 4 enter")
    assert table.list_orders()[-1].startswith("move mikasa,massena,")
    await _end_phase(table)
    await table.type("fhlion space l f7 enter")
    assert "[/ heavy at HMS [Red] Lion" in table.text()
    await table.type("4 space 8 enter")
    assert not table.battle.owed
    await table.type("down fhohi space m4 space 9 enter")
    assert table.list_orders()[-1] == "fire massena heavy ohio medium"
    await table.press("x")
    table.expect("HMS [Red] Lion", "艦 Kongō")
    await table.type("fh [/ space l5 space 9 enter")
    assert table.list_orders()[-1] == "fire borodino heavy mikasa long"
    await table.order("damage ohio E F S")
    await _settle_owed(table)
    await table.press("s")
    assert "Card and log: HMS [Red] Lion" in table.text()
    await table.type("escape question_mark escape f1 escape h up escape")
    for _ in range(3):
        await _end_phase(table)
    assert table.battle.phase == "repair"
    await table.type("down ps6 enter")
    assert table.list_orders()[-1] == "repair ohio speed"
    assert "艦 Kongō repairs speed" in table.text()
    await table.press("u", "enter")
    assert table.list_orders()[-1] != "repair ohio speed"
    await table.press("r", "enter")
    assert table.list_orders()[-1] == "repair ohio speed"
    await _end_phase(table)
    if table.battle.turn == 1:
        await _end_phase(table)
    assert table.battle.turn == 2
    await table.type("x home s")
    assert "Card and log: [/" in table.text()


FIRST_SHOTS, ALL = 8, 0
"""The number of shots to play: those of the first turn, or 0 for all and every later order."""


@pytest.mark.parametrize(
    ("shots", "median"),
    [(FIRST_SHOTS, 10), pytest.param(ALL, 8, marks=pytest.mark.long)],
    ids=("first", "all"),
)
def test_a_shot_of_the_golden_battle_takes_at_most_twelve_keys(shots: int, median: int) -> None:
    """Detect a dialog that needs one key more."""
    pace = measure(GOLDEN, shots)
    assert max(pace.keys[SHOT]) <= 12
    assert statistics.median(pace.keys[SHOT]) <= median
    assert statistics.median(pace.keys.get("owed roll", [0])) <= 3


UMPIRES_KEYS = 80
"""Keys that a heavy turn may cost the umpire when players use phones."""


@pytest.mark.parametrize("hand", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_heavy_turn_from_phones_takes_the_keys_that_the_help_says(hand: bool) -> None:
    """Detect another key at the tray, and an outdated number in the help."""
    umpire = play_with_tray()
    assert umpire.keys.total() <= UMPIRES_KEYS
    assert umpire.keys["sent back"] == 5
    rows = (*format_tray_rows(umpire), *([format_hand_row(umpire)] if hand else []))
    assert "\n".join(rows) in read_page_source("performance")


README = Path(__file__).parent.parent.parent / "README.md"
_ROW = re.compile(r"^\| (`[^|]+`) \| [^|]+ \| ?(?:`([^`|]*)`)? ?\|$", re.MULTILINE)
_KEYS = {"Enter": "enter", "Esc": "escape", "Space": "space", "↑": "up", "@": "at", "?": "question_mark"}


def read_steps() -> list[tuple[list[str], str]]:
    """Read the rows of the README's first battle: keys, and the last entry after them."""
    return [
        ([_KEYS.get(key, key) for key in re.findall(r"`([^`]+)`", keys)], entry)
        for keys, entry in _ROW.findall(README.read_text(encoding="utf-8"))
    ]


def test_the_first_battle_has_enough_steps() -> None:
    assert len(read_steps()) >= 10
    assert sum(bool(entry) for _, entry in read_steps()) >= 7


@pytest.mark.parametrize("size", SMALL_FIRST)
def test_the_first_battle_of_the_readme_can_be_played(size: Size) -> None:
    async def played(table: Table) -> None:
        for keys, entry in read_steps():
            await table.press(*keys)
            if entry:
                timeline = table.session.timeline
                assert format_act(timeline, timeline.log[-1]) == entry
        assert len(table.app.screen_stack) == 2

    system, start = load_start("yellow-sea-1904")
    play(Session.begin(system, start), played, size)


def test_every_picture_of_the_readme_is_drawn_by_the_program() -> None:
    named = set(re.findall(r"\(\.pictures/([\w.-]+)\)", README.read_text(encoding="utf-8")))
    drawn = (
        {f"{name}.svg" for name in pictures.SHOTS}
        | {f"{pictures.AMENDED}.svg", pictures.SHEETS, pictures.FILM}
        | set(OF_THE_README)
        | set(OF_THE_FILM)
    )
    assert named == drawn == {file.name for file in pictures.PICTURES.iterdir()}


def test_pictures_fetch_nothing() -> None:
    for file in pictures.PICTURES.glob("*.svg"):
        assert not re.search(r"url\((?!#)|href", file.read_text(encoding="utf-8")), file.name


def test_every_key_of_the_readme_works_on_the_logs() -> None:
    known = {
        format_key(key) for system in find_our_systems().values() for key in build_keymap(GRID, system.forms)
    }
    for page in (README.read_text(encoding="utf-8").partition("## The keys")[2], read_page_source("keys")):
        table = page.partition("| on the logs |")[2].partition("\n\n")[0]
        rows = re.findall(r"^\| (`.+?) \| ", table, re.MULTILINE)
        named = {key for row in rows for key in re.findall(r"`([^`]+)`", row)}
        assert len(named) > 15
        assert named <= known, named - known
