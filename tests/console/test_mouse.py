"""The mouse does what the keys do."""

import asyncio

from qf_tui.console.app import Console
from qf_tui.console.battle.screen import BattleScreen
from qf_tui.library.settings import Settings
from tests.console.playing import Table, bench, gunnery, play
from tests.systems import our_systems


async def _click(table: Table, where: str, text: str) -> None:
    """Clicks on a text within a widget, found on the screen as it is seen."""
    widget = table.app.screen.query_one(where)
    lines = table.text().splitlines()
    for y in range(widget.region.y, widget.region.bottom):
        x = lines[y].find(text, widget.region.x) if y < len(lines) else -1
        if x >= 0:
            await table.pilot.click(where, offset=(x - widget.region.x, y - widget.region.y))
            await table.pilot.pause()
            return
    raise AssertionError(f"{text} is not in {where}:\n{table.text()}")


def test_a_key_of_the_last_line_is_clicked() -> None:
    async def steps(table: Table) -> None:
        await _click(table, "#keys", "fire a battery")
        assert "Fire a battery ·" in table.text()
        await _click(table, "#dialog-keys", "Esc sets")
        assert table.app.screen is table.screen

    play(gunnery(), steps)


def test_a_flag_of_a_dialog_is_clicked() -> None:
    async def steps(table: Table) -> None:
        await table.press("f")
        await _click(table, "#dialog-flags", "light-armor")
        assert "[x] light-armor" in table.text()
        await _click(table, "#dialog-flags", "end (")
        assert "[x] end" in table.text()

    play(gunnery(), steps)


def test_an_owed_roll_is_clicked_and_a_panel_is_closed() -> None:
    session = gunnery()
    session.enter("damage ohio E")

    async def steps(table: Table) -> None:
        await _click(table, "#owed", "explosion")
        await table.press("5", "enter")
        assert not table.battle.owed
        await table.press("s")
        await _click(table, ".panel-keys", "Enter or Esc")
        assert table.app.screen is table.screen

    play(session, steps)


def test_the_end_of_a_phase_is_clicked() -> None:
    async def steps(table: Table) -> None:
        await _click(table, "#keys", "next phase")
        await _click(table, ".panel-keys", "Enter ends")
        assert table.battle.phase == "first-gunnery"

    play(bench(), steps)


def test_a_hint_is_clicked_that_shows_the_umpires_own_key() -> None:
    async def run() -> None:
        app = Console(our_systems(), bench(), settings=Settings(keys={"panel.close": "f7"}))
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            table = Table(app, pilot)
            await table.press("n")
            await _click(table, ".panel-keys", "F7 goes")
            assert isinstance(app.screen, BattleScreen)
            assert table.battle.phase == "movement"

    asyncio.run(run())


def test_a_ship_is_clicked_and_its_cell_opened_by_a_second_click() -> None:
    async def steps(table: Table) -> None:
        await _click(table, "#grid", "Ohio")
        assert table.screen.grid.ship is not None
        assert table.screen.grid.ship.id == "ohio"

    play(bench(), steps)


def test_a_title_sorts_and_an_act_opens_the_history() -> None:
    session = gunnery()
    session.enter("mark ohio boat_guns 9")

    async def steps(table: Table) -> None:
        await table.press("right", "x")
        await _click(table, "#grid", "BG")
        assert table.screen.grid.arrangement.column == "boats"
        assert table.screen.grid.arrangement.sign in table.text().splitlines()[4]
        await _click(table, "#latest", "Ohio: boat guns")
        assert "History · 2 entries" in table.text()

    play(session, steps)
