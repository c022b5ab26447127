"""The one table of actions, by keys and by mouse; the settings; and the wall to the rules."""

import asyncio
import gc
import re
from collections.abc import Container
from inspect import signature
from pathlib import Path

import pytest
from textual import events

import qf_tui.console
from qf_tui.console.app import YOUNG_COLLECTIONS, Console
from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.entry.bar import OrderBar
from qf_tui.console.entry.controller import CorrectionPreview, EndPhase
from qf_tui.console.entry.dialog import OrderDialog
from qf_tui.console.entry.volley_rows import VolleyDesk
from qf_tui.console.history.screen import History
from qf_tui.console.history.view import SearchLine
from qf_tui.console.reading.announcements import TableChanges
from qf_tui.console.reading.info_panels import PANELS
from qf_tui.console.reading.logs import SEARCH_ACTIONS, Grid
from qf_tui.console.reading.lookup import Lookup
from qf_tui.console.settings_screen import SettingsScreen
from qf_tui.console.setup.scenario import ScenarioScreen
from qf_tui.console.setup.start import StartScreen
from qf_tui.console.widgets import actions
from qf_tui.console.widgets.action_table import list_actions
from qf_tui.console.widgets.fields import TextEntry
from qf_tui.console.widgets.keys import build_keymap, find_key, remap, unify_key_name
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.picklist import PickList
from qf_tui.core.errors import QfError
from qf_tui.features.editor.actions import SETUP
from qf_tui.features.editor.screen import OrderList, SetupScreen
from qf_tui.features.editor.table import Catalogue
from qf_tui.features.report.screen import KINDS, ReportScreen
from qf_tui.features.shipyard.screen import ShipsScreen, Shipyard
from qf_tui.features.simulation.again import Which
from qf_tui.features.simulation.screen import SimulationScreen
from qf_tui.features.wall_display.aloud import Announcements
from qf_tui.library.settings import Settings, change_setting, find_settings_file, list_settings, load_settings
from tests.console.playing import Table, begin_gunnery, with_console
from tests.systems import find_our_systems
from tests.tiny import SYSTEM as TINY

FRAGILE = re.compile(r"ctrl\+|alt\+|f11|f12")
DOERS = {
    **dict.fromkeys((actions.GRID, actions.BAR, actions.FIND), BattleScreen),
    **dict.fromkeys((actions.HISTORY, actions.MOVING, actions.PAST, actions.SEARCH), History),
    **dict.fromkeys(SETUP, SetupScreen),
    actions.DIALOG: OrderDialog,
    actions.PANEL: Panel,
    actions.LOOKUP: Lookup,
    actions.ENDING: EndPhase,
    actions.PREVIEW: CorrectionPreview,
    actions.START: StartScreen,
    actions.SCENARIO: ScenarioScreen,
    "simulation": SimulationScreen,
    actions.ENTRY: TextEntry,
    "aloud": Announcements,
    actions.READING: TableChanges,
    "navies": ShipsScreen,
    "yard": Shipyard,
    "report": ReportScreen,
}
WIDGETS = {
    "grid": Grid,
    "orders": OrderBar,
    "acts": PickList,
    "list": PickList,
    "order": OrderList,
    "catalogue": Catalogue,
    "search": SearchLine,
}
SYSTEMS = find_our_systems()
SOURCES = sorted(Path(qf_tui.console.__file__).parent.rglob("*.py"))


def test_every_key_is_one_that_all_terminals_pass_on() -> None:
    assert not [key for action in list_actions() for key in action.keys if FRAGILE.search(key)]


@pytest.mark.parametrize("place", DOERS)
def test_every_action_can_be_done_where_its_key_is_listed(place: str) -> None:
    """Find the action on the screen, or on the widget whose id it names."""
    for action in list_actions():
        if place in action.places and action.does is None:
            call = action.call
            doer = WIDGETS[call.widget] if call.widget else DOERS[place]
            method = getattr(doer, f"action_{call.name}", None)
            assert method is not None, action
            signature(method).bind(doer, *call.arguments)


def test_every_argument_of_an_action_is_known() -> None:
    """Detect a panel or a search key whose name in the table differs from its handler's."""
    known: dict[str, Container[str | int]] = {"finding": SEARCH_ACTIONS, "read": PANELS, "type": "0123456789"}
    known["write"] = KINDS
    known["move"] = (-2, -1, 0, 1)
    known["show"] = SETUP
    known["play"] = {which.value for which in Which}
    known["turn"] = {name.removeprefix("turn_") for name in dir(VolleyDesk)}
    for action in list_actions():
        for argument in action.call.arguments if action.does is None else ():
            assert argument in known.get(action.call.name, (-1, 1)), action


def test_an_order_of_the_rule_system_keeps_its_key_and_the_console_has_another() -> None:
    keys = build_keymap(actions.GRID, TINY.forms)
    assert keys["s"].id == "order.sail"
    assert keys["f3"].id == "grid.read-sheet"


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_order_of_a_rule_system_takes_the_first_key_of_an_action(name: str) -> None:
    """Keep the same key for every action in every rule system."""
    keys = build_keymap(actions.GRID, SYSTEMS[name].forms)
    usual = build_keymap(actions.GRID)
    for action in list_actions():
        if actions.GRID in action.places and action.keys:
            assert find_key(action, keys) == find_key(action, usual) != "", action


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_order_that_names_a_key_has_it(name: str) -> None:
    keys = build_keymap(actions.GRID, SYSTEMS[name].forms)
    for form in SYSTEMS[name].forms:
        assert not form.key or keys[form.key].id == f"order.{form.word}", form.word


def test_ids_of_actions_are_unique() -> None:
    ids = [action.id for action in list_actions()]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"grid.undo": "h"}, "h for grid.undo is the key of grid.history on the logs"),
        ({"grid.undo": "n"}, "n for grid.undo is the key of grid.next on the logs"),
        ({"grid.undo": "f"}, "f for grid.undo is the key of order.fire on the logs"),
        (
            {"ending.carry-over": "Enter"},
            "Enter for ending.carry-over is the key of panel.accept when a phase",
        ),
        ({"panel.accept": "f2"}, "F2 for panel.accept is the key of ending.carry-over in a panel"),
        ({"dialog.toggle-flag": "x"}, "x for dialog.toggle-flag is text in a dialog"),
        ({"grid.undo": "ctrl+z"}, "“ctrl+z” is not a key that every terminal passes on"),
        ({"grid.ando": "u"}, "there is no action “grid.ando”"),
    ],
)
def test_keys_that_clash_are_refused(wanted: dict[str, str], said: str) -> None:
    forms = [form for system in SYSTEMS.values() for form in system.forms]
    with pytest.raises(QfError, match=re.escape(said)):
        remap(wanted, forms)


def test_two_actions_may_swap_their_keys() -> None:
    table = remap({"grid.undo": "h F8", "grid.history": "u f5"})
    keys = build_keymap(actions.GRID, (), table)
    assert keys["h"].id == "grid.undo"
    assert keys["u"].id == "grid.history"
    assert keys["f8"].id == "grid.undo"


OTHER_KEYS = {"grid.history": "P", "dialog.set-aside": "f10", "panel.close": "f7"}


@with_console(begin_gunnery, size=(200, 60), settings=Settings(keys=OTHER_KEYS))
async def test_a_changed_key_works_and_is_shown_by_footer_help_palette_and_dialogs(table: Table) -> None:
    """Check that the old key does nothing and is shown nowhere; a click does the new key's action."""
    assert "P history" in table.text()
    await table.press("h")
    assert "History ·" not in table.text()
    await table.press("P")
    assert "History ·" in table.text()
    await table.type("escape f1 history:")
    assert re.search(r"P +history: every entry", table.text())
    await table.type("escape escape f4 history")
    await asyncio.sleep(0.3)
    await table.settle()
    assert "history (P)" in table.text()
    await table.press("enter")
    await asyncio.sleep(0.2)
    await table.settle()
    assert "History ·" in table.text()
    await table.press("escape", "f")
    assert "F10 sets aside" in table.text()
    await table.press("f10", "n")
    assert "F7 goes back" in table.text()
    await table.press("f7")
    assert table.top is table.screen
    await _click(table, "#keys", "next phase")
    await _click(table, ".panel-keys", "F7 goes")
    assert (table.top, table.battle.phase) == (table.screen, "first-gunnery")
    await table.press("n")
    await _click(table, ".panel-keys", "Enter ends")
    assert table.battle.phase == "second-gunnery"


def test_no_module_of_the_console_opens_a_file_itself() -> None:
    opening = re.compile(r"(?<!def )(?<![.\w])open\(|read_text|write_text|read_bytes")
    for source in SOURCES:
        assert not opening.search(source.read_text(encoding="utf-8")), source


async def _click(table: Table, where: str, text: str) -> None:
    """Click on a text within a widget, wherever the screen shows it."""
    widget = table.app.screen.query_one(where)
    lines = table.text().splitlines()
    for y in range(widget.region.y, widget.region.bottom):
        x = lines[y].find(text, widget.region.x) if y < len(lines) else -1
        if x >= 0:
            await table.pilot.click(where, offset=(x - widget.region.x, y - widget.region.y))
            await table.pilot.pause()
            return
    raise AssertionError(f"{text} is not in {where}:\n{table.text()}")


@with_console(begin_gunnery)
async def test_a_key_of_the_last_line_is_clicked(table: Table) -> None:
    await _click(table, "#keys", "fire a battery")
    assert "Fire a battery ·" in table.text()
    await _click(table, "#dialog-keys", "Esc sets")
    assert table.app.screen is table.screen


@with_console(begin_gunnery)
async def test_a_flag_of_a_dialog_is_clicked(table: Table) -> None:
    await table.press("f")
    await _click(table, "#dialog-flags", "light-armor")
    assert "[x] light-armor" in table.text()
    await _click(table, "#dialog-flags", "end (")
    assert "[x] end" in table.text()


@with_console(begin_gunnery, "damage ohio E")
async def test_an_owed_roll_is_clicked_and_a_panel_is_closed(table: Table) -> None:
    await _click(table, "#owed", "explosion")
    await table.press("5", "enter")
    assert not table.battle.owed
    await table.press("s")
    await _click(table, ".panel-keys", "Enter or Esc")
    assert table.app.screen is table.screen


@with_console(begin_gunnery)
async def test_a_selection_follows_the_mouse(table: Table) -> None:
    """Check that a selection can still be changed once its lines are drawn as selected."""
    title, phases = table.text().splitlines()[:2]
    await table.pilot.mouse_down("#phases", offset=(2, 0))
    for x, y, selected in ((5, 0, title[2:6]), (9, 0, title[2:10]), (4, 1, f"{title[2:]}\n{phases[:5]}")):
        await table.pilot.hover("#phases", offset=(x, y))
        await table.pilot.pause()
        text = table.app.screen.get_selected_text() or ""
        assert [line.rstrip() for line in text.splitlines()] == [
            line.rstrip() for line in selected.splitlines()
        ]


@with_console(begin_gunnery, "mark ohio boat_guns 9")
async def test_a_title_sorts_and_an_act_opens_the_history(table: Table) -> None:
    await table.press("right", "x")
    await _click(table, "#grid", "BG")
    assert table.screen.grid.arrangement.column == "boats"
    assert table.screen.grid.arrangement.sign in table.text().splitlines()[4]
    await _click(table, "#latest", "Ohio: boat guns")
    assert "History · 2 entries" in table.text()


pytestmark = pytest.mark.usefixtures("home")


@with_console(begin_gunnery)
async def test_every_setting_is_changed_by_keys_and_kept(table: Table, tmp_path: Path) -> None:
    app = table.app
    assert isinstance(app, Console)
    assert "· 0 min" not in table.text()
    app.keep = change_setting
    await table.press("comma")
    assert isinstance(table.top, SettingsScreen)
    assert all(one.name in table.text().casefold() for one in list_settings())
    assert find_settings_file().name in table.text()
    await table.press("enter")
    assert (app.theme, load_settings().theme) == ("qf-light", "light")
    await table.type("down right right")
    assert (app.few_colours, load_settings().colours) == (True, "16")
    await table.type("left down right right")
    assert load_settings().signs == "ascii"
    assert table.text().isascii()
    await table.type("left left down enter down space")
    assert (load_settings().walk, load_settings().clock) == (True, True)
    await table.type("down enter 1 2 enter")
    assert load_settings().minutes == 12
    await table.type("down enter stick enter")
    assert load_settings().find_value("copy_to") == "stick"
    assert load_settings() == app.settings == table.screen.settings
    await table.press("escape", "f9")
    assert load_settings().theme == "dark"
    assert "turn 1 · 0 min" in table.text()


@with_console(begin_gunnery)
async def test_other_signs_are_drawn_at_once_on_the_battle_below(table: Table) -> None:
    """Detect a title that is cached in the old signs."""
    assert "·" in table.text()
    await table.type("comma down down right right escape")
    assert "Mikasa" in table.text()
    assert table.text().isascii()
    await table.type("comma down down left escape")
    assert "·" in table.text()


@with_console(begin_gunnery)
async def test_a_setting_that_cannot_be_saved_is_reported_and_not_changed(table: Table) -> None:
    table.app.keep = change_setting
    find_settings_file().write_text("theme = 3\n")
    await table.press("comma", "enter")
    assert "✗" in table.text()
    assert table.app.theme == "qf-dark"
    assert find_settings_file().read_text() == "theme = 3\n"


@with_console(begin_gunnery)
async def test_a_full_garbage_collection_runs_while_no_key_waits(table: Table) -> None:
    """Detect the delay of a collection while a key is handled."""
    looked: list[int] = []

    def on_collection(phase: str, seen: dict[str, int]) -> None:
        looked.extend([seen["generation"]] if phase == "stop" and seen["generation"] == 2 else [])

    for _ in range(YOUNG_COLLECTIONS):
        gc.collect(1)
    gc.callbacks.append(on_collection)
    try:
        table.app.waiting_keys.put(events.Key("down", None))
        table.app.collect()
        assert not looked, "a key waits"
        await table.press("up")
        table.app.collect()
        assert looked == [2]
        table.app.collect()
        assert looked == [2], "nothing is new since"
    finally:
        gc.callbacks.remove(on_collection)


@pytest.mark.parametrize(
    ("key", "character", "means"),
    [
        *(("decimal", None, "full_stop ."), ("decimal", ".", "full_stop ."), ("decimal", ",", "comma ,")),
        *(("separator", None, "comma ,"), ("add", None, "plus +"), ("subtract", None, "minus -")),
        *(("multiply", None, "asterisk *"), ("divide", None, "slash /"), ("equal", None, "equals_sign =")),
        *(("shift+1", None, "1 1"), ("shift+decimal", None, "full_stop ."), ("7", "7", "7 7")),
        *(("ctrl+shift+1", None, "ctrl+shift+1 None"), ("enter", "\r", "enter \r"), ("f1", None, "f1 None")),
        *(("A", "A", "A A"), ("shift+tab", None, "shift+tab None"), ("escape", "\x1b", "escape \x1b")),
    ],
)
def test_keys_without_text_have_their_sign(key: str, character: str | None, means: str) -> None:
    """Detect 23.5 typed on the number pad that becomes 235."""
    completed = unify_key_name(events.Key(key, character))
    assert f"{completed.key} {completed.character}" == means


@with_console(begin_gunnery)
async def test_the_number_pad_types_a_fraction_and_a_change(table: Table) -> None:
    await table.press("divide", *"note", "space", *"23", "decimal", "shift+5", "add", "subtract", "separator")
    assert table.screen.orders.text == "note 23.5+-,"
