"""The README's first battle, played as it is written there, and its pictures."""

import re
from pathlib import Path

import pytest

from qf_tui.console.widgets.actions import GRID
from qf_tui.console.widgets.keys import keymap, shown_key
from qf_tui.document.transcript import act_text
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import SMALL_FIRST, Table, play
from tests.systems import our_systems
from tests.tools.board_pictures import OF_THE_README
from tests.tools.pictures import PICTURES, SHEETS, SHOTS

README = Path(__file__).parent.parent.parent / "README.md"
_ROW = re.compile(r"^\| (`[^|]+`) \| [^|]+ \| ?(?:`([^`|]*)`)? ?\|$", re.MULTILINE)
_KEYS = {"Enter": "enter", "Esc": "escape", "Space": "space", "↑": "up", "@": "at", "?": "question_mark"}


def part(heading: str) -> str:
    """A part of the README."""
    text = README.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    return text.partition("\n## ")[0]


def steps() -> list[tuple[list[str], str]]:
    """The rows of the first battle: keys, and what is then the last entry."""
    return [
        ([_KEYS.get(key, key) for key in re.findall(r"`([^`]+)`", keys)], entry)
        for keys, entry in _ROW.findall(part("A first battle in five minutes"))
    ]


def test_the_first_battle_has_enough_steps() -> None:
    assert len(steps()) >= 10
    assert sum(bool(entry) for _, entry in steps()) >= 7


@pytest.mark.parametrize("size", SMALL_FIRST)
def test_the_first_battle_goes_as_it_is_written(size: tuple[int, int]) -> None:
    async def played(table: Table) -> None:
        for keys, entry in steps():
            await table.press(*keys)
            if entry:
                timeline = table.session.timeline
                assert act_text(timeline, timeline.log[-1]) == entry
        assert len(table.app.screen_stack) == 2

    system, start = load_scenario("yellow-sea-1904", find_systems())
    play(Session.begin(system, start), played, size)


def test_every_picture_of_the_page_is_drawn_by_the_program() -> None:
    named = set(re.findall(r"\(\.pictures/([\w.-]+)\)", README.read_text(encoding="utf-8")))
    drawn = {f"{name}.svg" for name in SHOTS} | {SHEETS} | set(OF_THE_README)
    assert named == drawn == {file.name for file in PICTURES.iterdir()}


def test_pictures_fetch_nothing() -> None:
    for file in PICTURES.glob("*.svg"):
        assert not re.search(r"url\((?!#)|href", file.read_text(encoding="utf-8")), file.name


def test_every_key_of_the_page_is_one_on_the_logs() -> None:
    known = {shown_key(key) for system in our_systems().values() for key in keymap(GRID, system.forms)}
    rows = re.findall(r"^\| (`.+?) \| ", part("The keys"), re.MULTILINE)
    named = {key for row in rows for key in re.findall(r"`([^`]+)`", row)}
    assert len(named) > 20
    assert named <= known, named - known
