"""Crews as built or as stated: chosen when a battle begins, shown wherever they count (AQF-CRW-1)."""

from pathlib import Path

from qf_tui.console.setup.scenario import ScenarioScreen
from tests.console.playing import Table, list_keys, with_console

BUILT = "Crews as built: what is stated here does not count (Japan: gunnery +1, shells +1; Russia"
STATED = "Crews as stated (Japan: gunnery +1, shells +1; Russia"


@with_console()
async def test_a_key_chooses_before_a_battle_begins(table: Table, home: Path) -> None:
    await table.type("tsushima enter")
    assert isinstance(table.top, ScenarioScreen)
    table.expect(BUILT)
    await table.press("c")
    table.expect(STATED)
    assert "as built: what" not in table.text()
    await table.press("c")
    table.expect(BUILT)
    await table.type("c r")
    table.expect("General Quarters 2, crews as stated", STATED)
    await table.press("enter")
    assert table.battle.table["crews"] == "as-stated"
    assert table.battle.ships["mikasa"].card["gunnery"] == 1


@with_console()
async def test_a_battle_begins_as_built_without_a_choice(table: Table, home: Path) -> None:
    await table.type("tsushima enter enter")
    assert "crews" not in table.battle.table
    assert table.battle.ships["mikasa"].card["rof.heavy"] == 7
    assert "as stated" not in table.text()


@with_console()
async def test_title_cell_card_and_shot_show_that_crews_count(table: Table, home: Path) -> None:
    await table.type("tsushima enter c enter")
    assert "Advanced Quickfire, crews as stated" in table.text().splitlines()[0]
    assert table.ship.id == "mikasa"
    await table.press("question_mark")
    table.expect("No entry has changed it", "printed heavy ROF 7 as built, crew +1: 8", "AQF-CRW-1")
    await table.press("escape", "s")
    table.expect("printed 7-10", "heavy gunnery 20 as built, shells +1: 24")
    await table.press("escape", "n", "enter")
    await table.type("escape")
    await table.press("colon", *list_keys("fire mikasa heavy borodino long"))
    table.expect("heavy ROF (7 as built, crew +1)")
    await table.press("escape")
    await table.order("fire mikasa heavy borodino long 8 8")
    assert "ROF (7 as built, crew +1) 8≤8" in " ".join(table.text().split())
