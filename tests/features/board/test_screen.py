"""The board of players' phones, from its key."""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.features.board.addresses import HERE, PORT
from qf_tui.features.board.links import find_links_path, load_links
from qf_tui.features.board.process import NO_WORD, BoardProcess
from qf_tui.features.board.screen import BoardScreen
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.sealed_dice.qr import build_qr_rows, draw_qr_blocks
from qf_tui.journal.disk import format_file_name
from qf_tui.library.settings import ASCII, Settings
from tests.console.playing import SMALL_FIRST, Size, Table, begin_examples, begin_saved, play, with_console

PATIENCE = 40.0
"""Seconds for a board to start on a busy machine."""
LOOKS = 0.05
"""Seconds between two looks at a board, instead of the console's own."""


@pytest.fixture
def port_of_its_own() -> Iterator[None]:
    """Occupy the usual port, so that a board comes back to a port that no other board takes."""
    with socket.socket() as usual:
        with suppress(OSError):
            usual.bind((HERE, PORT))
            usual.listen()
        yield


async def wait_until(there: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < end
        await asyncio.sleep(0.05)


@pytest.mark.usefixtures("port_of_its_own")
@pytest.mark.parametrize("size", SMALL_FIRST)
def test_a_key_starts_and_stops_the_board_and_shows_one_link_at_a_time(tmp_path: Path, size: Size) -> None:
    session = begin_saved(tmp_path / "battle.qfb")
    found: list[BoardProcess] = []

    async def steps(table: Table) -> None:
        await table.press("B")
        screen = table.top
        assert isinstance(screen, BoardScreen)
        assert "Off" in table.text()
        assert not find_links_path(screen.board.save).exists()
        found.append(screen.board)
        await table.press("enter")
        await wait_until(lambda: "The link for all" in table.text())
        links = load_links(screen.board.save)
        assert links is not None
        for viewer, name in ((ALL, "all"), ("blue", "Blue"), ("red", "Red"), (ALL, "all")):
            link = f"http://127.0.0.1:{links.port}/{links.find_secret(viewer)}/"
            await wait_until(lambda: link in table.text())  # noqa: B023 - asked here and now
            text = table.text()
            assert f"The link for {name}" in text
            assert all(line in text for line in draw_qr_blocks(build_qr_rows(link)))
            await table.press("right")
        await table.press("left", "s")
        assert "each side its own ships" in table.text()
        await table.press("n")
        new = load_links(screen.board.save)
        assert new is not None
        assert new.switch is BoardSwitch.OWN_SIDE
        assert new.find_secret(ALL) != links.find_secret(ALL)
        await table.press("escape", "B")
        assert "On, at" in table.text()
        await table.press("enter")
        assert "Off" in table.text()
        assert not screen.board.running
        await table.press("enter")
        await wait_until(lambda: "On, at" in table.text())

    play(session, steps, size)
    assert not found[0].running, "it ends with the battle"


@pytest.mark.usefixtures("port_of_its_own")
@pytest.mark.parametrize("size", SMALL_FIRST)
def test_ascii_signs_draw_the_link_and_no_code(tmp_path: Path, size: Size) -> None:
    """Guard against a picture whose signs hide half of the code."""

    async def steps(table: Table) -> None:
        await table.press("B", "enter")
        await wait_until(lambda: "The link for all" in table.text())
        links = load_links(tmp_path / "battle.qfb")
        assert links is not None
        assert f" http://127.0.0.1:{links.port}/{links.find_secret(ALL)}/ " in table.text()
        assert "ASCII signs cannot draw its QR code." in table.text()
        assert "##" not in table.text()
        await table.press("enter")

    session = begin_saved(tmp_path / "battle.qfb")
    play(session, steps, size, settings=Settings(signs=ASCII))


@pytest.mark.usefixtures("port_of_its_own")
def test_a_board_that_dies_comes_back_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard against phones without a battle, and an umpire who only learns of it on the board's screen."""
    session = begin_saved(tmp_path / "battle.qfb")
    monkeypatch.setattr("qf_tui.console.battle.screen.WARN_EVERY_S", LOOKS)
    begun: list[subprocess.Popen[bytes]] = []
    begin = subprocess.Popen

    def note_process(*given: Any, **settings: Any) -> "subprocess.Popen[bytes]":
        begun.append(begin(*given, **settings))
        return begun[-1]

    monkeypatch.setattr(subprocess, "Popen", note_process)

    async def steps(table: Table) -> None:
        await table.press("B", "enter")
        screen = table.top
        assert isinstance(screen, BoardScreen)
        await wait_until(lambda: screen.board.address is not None)
        await table.press("escape")
        assert "board is off" not in table.text()
        links = load_links(screen.board.save)
        begun[-1].kill()
        await wait_until(lambda: "it is on again, with the same links" in table.text())
        await wait_until(lambda: screen.board.address is not None)
        assert load_links(screen.board.save) == links
        begun[-1].kill()
        await wait_until(lambda: "the board is off: " in table.text())
        await table.press("n")
        await table.press("escape")
        assert "the board is off: " in table.text()
        await table.press("B", "enter")
        await wait_until(lambda: screen.board.address is not None)
        await table.press("escape")
        await wait_until(lambda: "the board is off: " not in table.text())
        await table.type("B enter escape")
        await asyncio.sleep(6 * LOOKS)
        assert "the board is off: " not in table.text()

    play(session, steps)


@with_console(begin_examples)
async def test_a_battle_without_a_save_has_no_board(table: Table) -> None:
    await table.press("B")
    assert isinstance(table.top, BattleScreen)
    assert "no save" in table.text()


@with_console(lambda tmp_path: begin_saved(tmp_path / "battle.qfb"))
async def test_unreadable_links_are_reported(table: Table, tmp_path: Path) -> None:
    find_links_path(tmp_path / "battle.qfb").write_text("nothing", encoding="utf-8")
    await table.press("B")
    assert "✗ battle.qfb.board: not a file of links" in table.text()
    await table.type("sn right escape")
    assert isinstance(table.top, BattleScreen)


ENDS = [
    ('print(\'{"fault": "port 1 is taken"}\')', "port 1 is taken"),
    ("raise SystemExit('a stray word')", "a stray word"),
    ("print('not JSON'); raise SystemExit(2)", NO_WORD),
    ("print('[]')", NO_WORD),
]


@pytest.mark.parametrize(("code", "said"), ENDS)
def test_a_failed_start_is_explained_in_a_line(tmp_path: Path, code: str, said: str) -> None:
    board = BoardProcess(tmp_path / "battle.qfb", (sys.executable, "-c", code))
    board.start()
    asyncio.run(wait_until(lambda: bool(board.fault)))
    assert board.fault == said
    assert not board.running
    assert board.address is None


def test_an_error_of_the_board_is_shown_in_full(tmp_path: Path) -> None:
    """Guard against an error cut at the program's name within the name of a save."""
    save = tmp_path / "qf-tui: battle.qfb"
    board = BoardProcess(save)
    board.start()
    asyncio.run(wait_until(lambda: bool(board.fault)))
    assert board.fault == f"{format_file_name(save)}: there is no such file in {tmp_path}."


def test_a_missing_program_is_reported(tmp_path: Path) -> None:
    board = BoardProcess(tmp_path / "battle.qfb", (str(tmp_path / "nowhere"),))
    board.start()
    assert "could not be started" in board.fault
    board.stop()
    assert board.fault == ""
