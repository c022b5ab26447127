"""What the console says without being asked.

Advice, notes, the end of the battle, cells to keep, what is parked.
"""

from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.core.values import Side
from qf_tui.library.charts import load_overlay
from qf_tui.library.settings import own_chart
from qf_tui.session import Session
from tests.console.playing import SMALL_FIRST, Table, bench, gunnery, play, tiny


def test_the_advice_of_the_phase_stands_where_nothing_is_owed() -> None:
    async def steps(table: Table) -> None:
        assert "from one fixed point" in table.text()
        await table.press("n", "enter")
        assert "Now turn 1, First gunnery." in table.text()
        assert table.text().count("declare every target") == 1
        await table.press("colon", "escape")
        assert "nothing is owed   declare every target" in table.text()

    play(bench(), steps)


def test_the_notes_of_the_scenario_are_in_the_help() -> None:
    async def steps(table: Table) -> None:
        await table.press("f1")
        assert "Notes of the scenario" in table.text()
        assert "No battle, a bench" in table.text()

    play(bench(), steps)


def test_the_end_of_the_battle_is_offered_in_a_line() -> None:
    session = bench()
    for ship in session.battle.ships.values():
        if ship.side == "red":
            session.enter(f"leave {ship.id} withdrawn")

    async def steps(table: Table) -> None:
        assert "Red has no ship left in the battle" in table.text()

    play(session, steps)


def test_a_cell_read_out_of_the_printed_chart_is_kept_by_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    session = bench(strict=True)
    session.enter("next")
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        assert "what does your chart say" in table.text()
        await table.press("o", *"none", "enter")
        assert "k keeps it in your own chart" in table.text()
        await table.press("k")
        assert "kept in your own chart: blast long 12" in table.text()
        assert table.log()[-1].startswith("chart ")
        kept = load_overlay(own_chart(session.system), session.system)
        assert kept["blast"].rows["long"].cells["12"].text == "-"
        await table.press("k")
        assert "nothing to keep" in table.text()

    play(session, steps)


def test_a_kept_cell_is_written_as_charts_write_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    session = bench(strict=True)
    session.keep_cell(("blast", "long", "12"), "s g")
    assert session.battle.charts["blast"].rows["long"].cells["12"].text == "S G"


def test_an_entry_that_is_parked_stays_in_sight() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")
    session.enter("strike 1")

    async def steps(table: Table) -> None:
        assert "parked 1: 2" in table.text()

    play(session, steps)


def _three_sides() -> Session:
    session = tiny(9)
    sides = (*session.battle.sides, Side("south", "South"))
    names = [side.id for side in sides]
    ships = {
        id: evolve(ship, side=names[at % 3]) for at, (id, ship) in enumerate(session.battle.ships.items())
    }
    return Session.begin(session.system, evolve(session.battle, sides=sides, ships=ships))


@pytest.mark.parametrize("size", SMALL_FIRST)
def test_a_battle_of_three_sides_is_shown_and_played(size: tuple[int, int]) -> None:
    async def steps(table: Table) -> None:
        seen = set()
        for _ in range(3):
            seen.add(table.ship.side)
            assert table.ship.name in table.text()
            await table.press("x")
        assert seen == {"east", "west", "south"}
        await table.press("left", "right", "end", "home", "n")
        assert "South" in table.text()
        await table.press("enter", "x", "x", "s", "escape")
        for _ in range(6):
            await table.press("right")
        assert "more side" in table.text() or size[0] > 80

    play(_three_sides(), steps, size)


def test_the_list_of_a_turn_s_last_phase_is_read_aloud_again_if_a_key_has_closed_it() -> None:
    """Catches a sinking of the last phase that a key typed too early takes off the screen for good."""
    session = gunnery()
    for order in ("damage borodino SX SX SX SX", "next", "next", "roll 1", "next", "next", "roll 1"):
        session.enter(order)
    assert session.battle.phase == session.system.phases[-1].name
    assert session.battle.ships["borodino"].gone

    async def steps(table: Table) -> None:
        await table.press("n")
        assert "remove the model" in table.text()
        await table.press("m")
        assert session.battle.turn == 2
        assert "remove the model" not in table.text()
        await table.press("escape", "escape", "v", "v")
        assert "remove the model" in table.text()

    play(session, steps)
