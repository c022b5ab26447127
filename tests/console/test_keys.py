"""The one table of actions, and the wall between the console and the rules."""

import re
from pathlib import Path

import qf_tui.console
from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.keys import ACTIONS, GRID, keymap
from qf_tui.console.logs.grid import Grid
from qf_tui.library.systems import find_systems
from tests.console.playing import Table, gunnery, play
from tests.tiny import SYSTEM as TINY

FRAGILE = re.compile(r"ctrl\+|alt\+|f11|f12")
SOURCES = sorted(Path(qf_tui.console.__file__).parent.rglob("*.py"))


def test_every_key_is_one_that_all_terminals_pass_on() -> None:
    assert not [key for action in ACTIONS for key in action.keys if FRAGILE.search(key)]


def test_every_action_on_the_logs_can_be_done() -> None:
    for action in ACTIONS:
        if GRID in action.places:
            widget, _, call = action.call.rpartition(".")
            assert hasattr(Grid if widget else BattleScreen, f"action_{call.partition('(')[0]}")


def test_an_order_of_the_rule_system_keeps_its_key_and_the_console_has_another() -> None:
    keys = keymap(GRID, TINY.forms)
    assert keys["s"].call == "order('sail')"
    assert keys["f3"].call == "read('sheet')"


def test_no_module_of_the_console_names_a_rule_system_or_a_field_of_one() -> None:
    for system in find_systems().values():
        own = (field.name for field in system.fields if "_" in field.name or "." in field.name)
        names = {system.name, system.title, *own}
        for source in SOURCES:
            text = source.read_text(encoding="utf-8")
            assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", text)], source


def test_no_module_of_the_console_opens_a_file_itself() -> None:
    opening = re.compile(r"(?<!def )(?<![.\w])open\(|read_text|write_text|read_bytes")
    for source in SOURCES:
        assert not opening.search(source.read_text(encoding="utf-8")), source


def test_everything_of_the_table_is_in_the_palette() -> None:
    async def steps(table: Table) -> None:
        await table.press("f4")
        await table.write("history")
        await table.pilot.pause(0.3)
        assert "history (h)" in table.text()
        await table.press("enter")
        await table.pilot.pause(0.2)
        assert "History ·" in table.text()

    play(gunnery(), steps)
