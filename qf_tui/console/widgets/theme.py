"""A calm dark theme and a calm light one; meaning never rests on them alone."""

from typing import Any

from textual.app import App
from textual.theme import Theme

# The grounds are nearly grey: a terminal of 256 colours has no such blue, and would show a glaring one.
DARK = Theme(
    name="qf-dark",
    primary="#7ea6c4",
    secondary="#8fa8a0",
    accent="#d8b26a",
    warning="#e0b050",
    error="#e07a6a",
    success="#86b98a",
    foreground="#d8dee4",
    background="#171a1d",
    surface="#1d2125",
    panel="#262b30",
    dark=True,
    variables={"quiet": "#93a0ab", "faint": "#87939d"},
)
LIGHT = Theme(
    name="qf-light",
    primary="#245a80",
    secondary="#4a6660",
    accent="#7a5200",
    warning="#8a5a00",
    error="#a8281c",
    success="#2c6a34",
    foreground="#1c2227",
    background="#f5f4f1",
    surface="#eeede9",
    panel="#e3e1da",
    dark=False,
    variables={"quiet": "#515b64", "faint": "#58626b"},
)
THEMES = {"dark": DARK, "light": LIGHT}
"""The themes by the words that the user's settings have for them."""


def theme_word(app: App[Any]) -> str:
    """The word for the theme that is on."""
    return next(word for word, theme in THEMES.items() if theme.name == app.theme)


def turn_theme(app: App[Any]) -> None:
    """Light for dark, dark for light."""
    app.theme = (LIGHT if app.theme == DARK.name else DARK).name
