"""The settings screen: each setting with its value and meaning, and the file that keeps them."""

from collections.abc import Callable

from textual.content import Content

from qf_tui.console.widgets.actions import SETTINGS
from qf_tui.console.widgets.fields import FormField, TextEntry, build_field_line, turn_value
from qf_tui.console.widgets.picklist import (
    PickLine,
    PickScreen,
    build_about_lines,
    build_heading_line,
    build_text_line,
)
from qf_tui.console.widgets.text import literal, to_one_line, wrap_words
from qf_tui.core.declarations import FieldSpec
from qf_tui.core.errors import QfError
from qf_tui.library.settings import Settings, find_settings_file, list_settings

Change = Callable[[str, str], Settings]
"""Sets one setting from a text, and returns all; QfError if the text is no value."""
NAME, VALUE = 12, 10
"""Widths of a setting's name and of its value."""


class SettingsScreen(PickScreen[None]):
    """The screen of all settings.

    Attributes:
        change: Sets one setting.
    """

    places = (SETTINGS,)

    def __init__(self, settings: Settings, change: Change) -> None:
        super().__init__()
        self.settings, self.change = settings, change

    def render_headline(self) -> Content:
        return literal(" Settings", "bold $primary")

    def on_mount(self) -> None:
        self.show()

    @property
    def setting(self) -> FieldSpec | None:
        """The setting under the cursor, or None."""
        return next((setting for setting in list_settings() if setting.name == self.picks.key), None)

    def show(self) -> None:
        """Draw the settings."""
        self.picks.show(build_setting_lines(self.settings))
        self.show_details()

    def render_about(self, width: int) -> list[Content]:
        """Render the meaning of the setting under the cursor, and why its last new text was refused."""
        setting = self.setting
        meaning = f"{setting.name}: {setting.label}" if setting else ""
        refusal = wrap_words(self.notice, width, most=2)
        refusal_lines = (literal(f" ✗ {part}", "bold $text-error") for part in refusal)
        return [*build_about_lines(meaning, width, most=2), *refusal_lines]

    def action_change(self, by: int) -> None:
        """Change the setting under the cursor to its next value; if it has no list of values, ask for a text.

        The umpire's own keys, the only setting of kind `map`, change only in the file: nothing happens.

        Args:
            by: 1 for the next value, -1 for the one before.
        """
        setting = self.setting
        if setting is None or setting.kind == "map":
            return
        name = setting.name
        values = ("no", "yes") if setting.kind == "bool" else setting.words
        if values:
            self.say(self._set(name, turn_value(values, self.settings.format_value(name), by)))
        else:
            current_text = str(self.settings.find_value(name) or "")
            self.app.push_screen(
                TextEntry(f"{name}: {setting.label}", current_text, lambda text: self._set(name, text))
            )

    def _set(self, name: str, text: str) -> str:
        """Set a setting from a text; return why the text is refused, or ""."""
        try:
            self.settings = self.change(name, text)
        except QfError as fault:
            return str(fault)
        self.show()
        return ""


def build_setting_lines(settings: Settings) -> list[PickLine]:
    """Build the lines of the settings, then of the umpire's own keys, which only the file changes."""
    lines = []
    for setting in list_settings():
        if setting.kind != "map":
            name, value = setting.name, settings.format_value(setting.name)
            meaning = f"  {setting.label}"
            field = FormField(name, name, value, meaning, label_look="", text_look="bold")
            # 0: a long value takes the room of the meaning too.
            text_width = VALUE if len(value) <= VALUE else 0
            lines.append(build_field_line(field, NAME, text_width=text_width, sign_width=0))
    lines.append(build_heading_line("Your own keys, changed only in the file"))
    own_keys = [f"{id}   {keys}" for id, keys in settings.keys.items()]
    lines += [
        build_text_line(f"  {to_one_line(text)}")
        for text in own_keys or ("none; the help names each action",)
    ]
    settings_file = find_settings_file()
    lines += [
        build_heading_line("Saved in"),
        build_text_line(f"  {to_one_line(f'{settings_file.name} in {settings_file.parent}')}", "$quiet"),
    ]
    return lines
