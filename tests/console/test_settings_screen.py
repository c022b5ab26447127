"""The settings' own screen: each changed by keys, at once, and kept."""

from pathlib import Path

import pytest

from qf_tui.console.app import Console
from qf_tui.console.settings_screen import SettingsScreen
from qf_tui.library.settings import SETTINGS, keep_setting, load_settings, settings_path
from tests.console.playing import Table, gunnery, play

pytestmark = pytest.mark.usefixtures("home")


def test_every_setting_is_changed_by_keys_and_kept(tmp_path: Path) -> None:
    async def steps(table: Table) -> None:
        app = table.app
        assert isinstance(app, Console)
        app.keep = keep_setting
        await table.press("comma")
        assert isinstance(table.top, SettingsScreen)
        assert all(one.name in table.text().casefold() for one in SETTINGS)
        assert settings_path().name in table.text()
        await table.press("enter")
        assert (app.theme, load_settings().theme) == ("qf-light", "light")
        await table.press("down", "right", "right")
        assert (app.few_colours, load_settings().colours) == (True, "16")
        await table.press("left", "down", "right", "right")
        assert load_settings().signs == "ascii"
        assert table.text().isascii()
        await table.press("left", "left", "down", "enter", "down", "space")
        assert (load_settings().walk, load_settings().clock) == (True, True)
        await table.press("down", "enter", *"stick", "enter")
        assert load_settings().copy_to == "stick"
        assert load_settings() == app.settings == table.screen.settings
        await table.press("escape", "f9")
        assert load_settings().theme == "dark"

    play(gunnery(), steps)


def test_other_signs_are_drawn_at_once_on_the_battle_behind() -> None:
    """Catches a title that is remembered in the signs of before."""

    async def steps(table: Table) -> None:
        assert "·" in table.text()
        await table.press("comma", "down", "down", "right", "right", "escape")
        assert "Mikasa" in table.text()
        assert table.text().isascii()
        await table.press("comma", "down", "down", "left", "escape")
        assert "·" in table.text()

    play(gunnery(), steps)


def test_what_cannot_be_kept_is_said_and_changes_nothing() -> None:
    async def steps(table: Table) -> None:
        table.app.keep = keep_setting
        settings_path().write_text("theme = 3\n")
        await table.press("comma", "enter")
        assert "✗" in table.text()
        assert table.app.theme == "qf-dark"
        assert settings_path().read_text() == "theme = 3\n"

    play(gunnery(), steps)
