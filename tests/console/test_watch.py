"""A battle that is only watched: one that another console writes, and a source without a session."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from qf_tui.console.app import Actions, Console
from qf_tui.console.battle.view import BattleView, WatchScreen
from qf_tui.console.history.view import HistoryView
from qf_tui.console.widgets.action_table import list_actions
from qf_tui.console.widgets.actions import GRID, HISTORY
from qf_tui.console.widgets.keys import build_keymap
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import LOOK_EVERY, Follower, build_header
from tests.console.playing import (
    SMALL_FIRST,
    Size,
    Table,
    begin_saved,
    play,
    play_on,
)
from tests.corrections.grounds import GROUNDS
from tests.journal.making import save_bytes
from tests.terminal import run_module

Steps = Callable[[Table], Awaitable[None]]
First = Callable[[BattleView], object] | None
SOON = 3.0
"""Seconds within which an entry is on the screen, however busy the machine is."""


def watch(save: Path, steps: Steps, size: Size = (120, 36), first: First = None) -> None:
    """Run a console that follows a save, with the screen of `first` over it."""

    def console() -> Console:
        app = Console(find_systems())
        app.follower, app.open_page = Follower(save, find_systems()), first
        return app

    play_on(console, steps, size)


async def wait_for(table: Table, *texts: str) -> None:
    """Wait until one of these texts is on the screen."""
    for _ in range(int(SOON / LOOK_EVERY) * 4):
        if any(text in table.text() for text in texts):
            return
        await asyncio.sleep(LOOK_EVERY / 4)
    raise AssertionError(f"{texts} are not in\n{table.text()}")


def test_a_watching_console_counts_the_clock_of_a_phase(tmp_path: Path) -> None:
    """Turn it on, off at first, by the watching console's own settings."""
    writer = begin_saved(tmp_path / "one.qfb")
    writer.start_clock(lambda: 30.0)
    writer.enter("next")

    async def steps(table: Table) -> None:
        assert "left" not in table.text()
        await table.type("comma down down down down down enter 2 0 enter escape")
        assert "turn 1 · 20 min left" in table.text()

    watch(tmp_path / "one.qfb", steps)
    writer.close()


def begin_in_gunnery(path: Path) -> Session:
    """Begin the rulebook examples with a save, in the first gunnery phase."""
    writer = begin_saved(path)
    writer.enter("next")
    return writer


@pytest.mark.parametrize("size", SMALL_FIRST)
def test_entries_and_corrections_of_the_writer_are_shown_at_once(tmp_path: Path, size: Size) -> None:
    """Check logs, latest acts, and the history over them."""
    writer = begin_in_gunnery(tmp_path / "one.qfb")

    async def steps(table: Table) -> None:
        assert isinstance(table.top, WatchScreen)
        assert "WATCHING" in table.text()
        assert table.top.save == tmp_path / "one.qfb"
        writer.enter("fire mikasa heavy borodino long 4 8")
        await wait_for(table, "Borodino: S G")
        await table.press("h")
        assert isinstance(table.top, HistoryView)
        writer.enter("note the wind backs")
        await wait_for(table, "the wind backs")
        await table.press("escape")
        assert isinstance(table.top, WatchScreen)

    watch(tmp_path / "one.qfb", steps, size)
    assert writer.writable
    writer.close()


def test_a_watching_console_enters_nothing(tmp_path: Path) -> None:
    """Check that order keys only show why and are not listed; `q` leaves."""
    begin_in_gunnery(tmp_path / "one.qfb").close()
    kept = {path: path.read_bytes() for path in tmp_path.iterdir()}

    async def steps(table: Table) -> None:
        keys = [key for key, action in build_keymap(GRID, table.top.forms).items() if action.enters]
        assert {"f", "u", "n", "1", "colon"} <= set(keys)
        for key in keys:
            await table.press(key)
            assert isinstance(table.top, WatchScreen)
            assert "only watching this battle" in table.text(), key
        assert "f fire" not in table.text()
        offered = [title async for title in list_titles(table)]
        assert "history (h)" in offered
        assert not {"ships", "branch", "save as", "other battle"} & set(offered)
        await table.press("q")
        assert table.app.return_code == 0

    watch(tmp_path / "one.qfb", steps)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == kept


async def list_titles(table: Table) -> AsyncIterator[str]:
    """List the titles in the palette."""
    async for hit in Actions(table.top).discover():
        yield str(hit.text)


def test_a_console_that_opens_a_save_in_use_follows_it(tmp_path: Path) -> None:
    writer = begin_in_gunnery(tmp_path / "one.qfb")
    second = Session.resume(tmp_path / "one.qfb", find_systems())
    assert not second.writable

    async def steps(table: Table) -> None:
        assert isinstance(table.top, WatchScreen)
        text = " ".join(table.text().split())
        assert "another console has it open. You can watch the battle here" in text
        writer.enter("note the wind backs")
        await wait_for(table, "the wind backs")
        assert "another console has it open" not in table.text()
        assert table.app.session is None

    play(second, steps)
    writer.close()


def test_an_event_is_shown_as_a_banner_until_it_is_read(tmp_path: Path) -> None:
    writer = begin_in_gunnery(tmp_path / "one.qfb")

    async def steps(table: Table) -> None:
        logs = table.app.screen.query_one("#grid").size
        writer.enter("leave ohio sunk")
        await wait_for(table, "‼ OHIO SINKS")
        assert table.app.screen.query_one("#grid").size == logs, "it takes the place of older acts"
        await table.press("escape")
        assert "‼ OHIO SINKS" not in table.text()

    watch(tmp_path / "one.qfb", steps)
    writer.close()


def test_a_missing_save_is_reported_until_it_is_back(tmp_path: Path) -> None:
    save = tmp_path / "one.qfb"
    begin_in_gunnery(save).close()

    async def steps(table: Table) -> None:
        aside = save.rename(tmp_path / "aside")
        await wait_for(table, "there is no such file")
        assert "Mikasa" in table.text()
        aside.rename(save)
        for _ in range(100):
            if "no such file" not in table.text():
                break
            await asyncio.sleep(LOOK_EVERY / 2)
        assert "no such file" not in table.text()

    watch(save, steps)


def test_another_battle_under_the_same_name_is_shown(tmp_path: Path) -> None:
    """Use other rules, and start from any screen."""
    save, other = tmp_path / "one.qfb", GROUNDS["gq2"]
    begin_in_gunnery(save).close()
    start = other.start(False)
    name = next(iter(start.ships.values())).name

    async def steps(table: Table) -> None:
        await table.press("h")
        save.write_bytes(save_bytes(build_header(other.system, start), ()))
        await wait_for(table, "it now holds another battle")
        assert isinstance(table.top, WatchScreen)
        assert name in table.text()
        assert other.system.title in table.text()

    watch(save, steps)


def test_one_console_writes_and_another_watches(tmp_path: Path) -> None:
    """Run two programs, each in its own terminal."""
    save = tmp_path / "one.qfb"
    begin_saved(save).close()
    with run_module(tmp_path / "w", "qf_tui", "play", str(save)) as writer:
        writer.read_until(b"turn 1")
        with run_module(tmp_path / "l", "qf_tui", "watch", str(save)) as watcher:
            watcher.read_until(b"WATCHING")
            writer.write(b":note mizzle\r")
            writer.wait_for(save, b"mizzle")
            watcher.read_until(b"mizzle")
            writer.write(b"u\r")
            watcher.read_until(b"strikes 1")
            watcher.write(b"n\r")
            watcher.read_until(b"only watching this battle")
            watcher.write(b"q")
            watcher.read_until_quiet(0.5)
        assert save.read_bytes().count(b"\n") == 3


def test_the_history_of_a_watched_battle_is_read_only(tmp_path: Path) -> None:
    """Check acts, texts and old logs; neither keys nor clicks correct anything."""
    writer = begin_in_gunnery(tmp_path / "one.qfb")
    writer.enter("fire mikasa heavy borodino long 4 8")
    writer.close()
    corrects = [key for key, action in build_keymap(HISTORY).items() if action.enters]
    assert {"enter", "s", "i", "m", "u", "d", "c"} <= set(corrects)

    async def steps(table: Table) -> None:
        view = table.top
        await table.press("s")
        assert "Card and log" in table.text()
        await table.press("escape", "question_mark")
        assert "Why:" in table.text()
        await table.press("escape", "h")
        assert "History · 2 entries" in table.text()
        assert "restore" not in table.read_foot()
        before = table.text()
        await table.press(*corrects)
        assert table.text() == before
        await table.press("question_mark")
        assert "Why: entry 2" in table.text()
        await table.type("escape slash kind:fire")
        assert "1 of 2 entries" in table.text()
        await table.type("enter escape escape")
        assert table.top is view

    watch(tmp_path / "one.qfb", steps)


def test_a_view_offers_only_actions_that_it_can_do() -> None:
    """Detect an action that needs an order bar but is not declared to enter anything."""
    for action in list_actions():
        own = action.does is None and not action.call.widget
        if GRID in action.places and not action.enters and own:
            assert hasattr(BattleView, f"action_{action.call.name}"), action.id
