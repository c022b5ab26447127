"""The one table of actions, and the wall between the console and the rules."""

import re
from pathlib import Path

import pytest

import qf_tui.console
from qf_tui.console.actions import (
    ACTIONS,
    BAR,
    DIALOG,
    ENDING,
    ENTRY,
    GRID,
    HISTORY,
    LOOKUP,
    PANEL,
    PAST,
    PROPOSAL,
    SCENARIO,
    SEARCH,
    SETUP,
    START,
)
from qf_tui.console.battle.ending import Ending
from qf_tui.console.battle.proposing import Proposal
from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.history.screen import History
from qf_tui.console.keys import key_of, keymap
from qf_tui.console.logs.grid import Grid
from qf_tui.console.orders.dialog import OrderDialog
from qf_tui.console.orders.orderbar import OrderBar
from qf_tui.console.panel import Panel
from qf_tui.console.reading.lookup import Lookup
from qf_tui.console.setup.catalogue import Catalogue
from qf_tui.console.setup.entry import TextEntry
from qf_tui.console.setup.order import OrderList
from qf_tui.console.setup.picking import PickList
from qf_tui.console.setup.scenario import ScenarioScreen
from qf_tui.console.setup.screen import SetupScreen
from qf_tui.console.setup.start import StartScreen
from tests.console.playing import Table, gunnery, play
from tests.systems import our_systems
from tests.tiny import SYSTEM as TINY

FRAGILE = re.compile(r"ctrl\+|alt\+|f11|f12")
DOERS = {
    **dict.fromkeys((GRID, BAR), BattleScreen),
    **dict.fromkeys((HISTORY, PAST, SEARCH), History),
    **dict.fromkeys(SETUP, SetupScreen),
    DIALOG: OrderDialog,
    PANEL: Panel,
    LOOKUP: Lookup,
    ENDING: Ending,
    PROPOSAL: Proposal,
    START: StartScreen,
    SCENARIO: ScenarioScreen,
    ENTRY: TextEntry,
}
WIDGETS = {
    "grid": Grid,
    "orders": OrderBar,
    "acts": PickList,
    "list": PickList,
    "order": OrderList,
    "catalogue": Catalogue,
}
SYSTEMS = our_systems()
SOURCES = sorted(Path(qf_tui.console.__file__).parent.rglob("*.py"))


def test_every_key_is_one_that_all_terminals_pass_on() -> None:
    assert not [key for action in ACTIONS for key in action.keys if FRAGILE.search(key)]


@pytest.mark.parametrize("place", DOERS)
def test_every_action_can_be_done_where_its_key_stands(place: str) -> None:
    """By the screen, or by its widget of the id that the action names."""
    for action in ACTIONS:
        if place in action.places:
            widget, _, call = action.call.rpartition(".")
            doer = WIDGETS[widget] if widget else DOERS[place]
            assert hasattr(doer, f"action_{call.partition('(')[0]}"), action


def test_an_order_of_the_rule_system_keeps_its_key_and_the_console_has_another() -> None:
    keys = keymap(GRID, TINY.forms)
    assert keys["s"].call == "order('sail')"
    assert keys["f3"].call == "read('sheet')"


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_order_of_a_rule_system_takes_an_action_its_first_key(name: str) -> None:
    """So every action can be done in every rule system, by the same key."""
    keys = keymap(GRID, SYSTEMS[name].forms)
    usual = keymap(GRID)
    for action in ACTIONS:
        if GRID in action.places:
            assert key_of(action, keys) == key_of(action, usual) != "", action


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_order_that_names_a_key_has_it(name: str) -> None:
    keys = keymap(GRID, SYSTEMS[name].forms)
    for form in SYSTEMS[name].forms:
        assert not form.key or keys[form.key].call == f"order('{form.word}')", form.word


def test_no_module_of_the_console_names_a_rule_system_or_a_field_of_one() -> None:
    for system in SYSTEMS.values():
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
