"""The console's dark and light themes, and which colours and signs a terminal can show."""

import locale
import os
from collections.abc import Mapping
from colorsys import rgb_to_hls
from functools import lru_cache
from typing import Any

from attrs import frozen
from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from qf_tui.document.ascii import to_ascii_same_width
from qf_tui.operating_systems import WINDOWS

# The backgrounds are nearly grey: a terminal of 256 colours would show a glaring blue for a bluer one.
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
"""The themes by their names in the user's settings."""


def find_theme_name(app: App[Any]) -> str:
    """Return the settings' name of the current theme."""
    return next(word for word, theme in THEMES.items() if theme.name == app.theme)


def switch_theme(app: App[Any]) -> None:
    """Switch between the light and the dark theme."""
    app.theme = (LIGHT if app.theme == DARK.name else DARK).name


_MANY = ("truecolor", "24bit")
_MORE_THAN_16 = ("256color", "kitty", "direct")
"""Ends of `TERM` that mean more than sixteen colours."""
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")


@frozen
class Abilities:
    """The limits of a terminal.

    Attributes:
        ascii: True if it can show only ASCII.
        few_colours: True if it has only sixteen colours.
    """

    ascii: bool = False
    few_colours: bool = False


ABLE = Abilities()


def find_abilities(environment: Mapping[str, str] = os.environ) -> Abilities:
    """Find the limits of the terminal from environment variables; on Windows assume none."""
    if WINDOWS:
        return ABLE
    many_colours = environment.get("COLORTERM", "").strip().lower() in _MANY
    terminal = environment.get("TERM", "").lower()
    few_colours = not many_colours and terminal.rpartition("-")[2] not in _MORE_THAN_16
    lang, ctype = (environment.get(name, "") for name in ("LANG", "LC_CTYPE"))
    # Python itself sets LC_CTYPE to C.UTF-8 if LANG is C.
    if lang and ctype in _COERCED:
        ctype = lang
    # If the environment names no locale, use the encoding that Python found.
    encoding = environment.get("LC_ALL") or ctype or lang or locale.getpreferredencoding(False)
    is_utf8 = "utf8" in encoding.casefold().replace("-", "")
    # The console of Linux itself has UTF-8, but its fonts lack signs such as □ and ⅞.
    return Abilities(ascii=not is_utf8 or terminal == "linux", few_colours=few_colours)


_TERMINAL = 16
"""Number of a terminal's own colours, which stay as they are."""
_GREY = 0.3
"""Saturation below which a colour counts as grey."""
_HUES = ((20, "red"), (70, "amber"), (170, "green"), (280, "blue"), (340, "violet"), (361, "red"))
"""Names of hues, each with the angle in degrees at which it ends."""


@frozen
class Sixteen:
    """The numbers of a terminal's sixteen colours, as one theme uses them.

    Attributes:
        letters: Colour of letters by the name of their hue.
        plain: Colour of plain letters.
        quiet: Colour of quiet letters.
        background: Background of the screen.
        raised: Background of a line or row that is marked.
    """

    letters: dict[str, int]
    plain: int
    quiet: int
    background: int
    raised: int


DARK_SIXTEEN = Sixteen({"red": 9, "amber": 11, "green": 10, "blue": 14, "violet": 13}, 15, 7, 0, 4)
LIGHT_SIXTEEN = Sixteen({"red": 1, "amber": 5, "green": 4, "blue": 4, "violet": 5}, 0, 4, 7, 15)
"""Colours on a light background. Amber becomes violet and green blue: yellow is illegible there."""


class SixteenColours(LineFilter):
    """A filter that draws lines in a terminal's sixteen colours; `dark` is True for the dark theme."""

    def __init__(self, dark: bool) -> None:
        super().__init__()
        self.dark = dark

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Convert the style of each segment of a line."""
        return [
            segment
            if segment.style is None
            else Segment(segment.text, to_sixteen_colours(segment.style, self.dark), segment[2])
            for segment in segments
        ]


@lru_cache(maxsize=1024)
def to_sixteen_colours(style: Style, dark: bool) -> Style:
    """Convert the colours of a style to the nearest of a terminal's sixteen, for a dark or a light theme."""
    numbers = DARK_SIXTEEN if dark else LIGHT_SIXTEEN
    background = None if style.bgcolor is None else find_background_colour(style.bgcolor, dark)
    raised = background == numbers.raised
    return style + Style(
        color=None if style.color is None else _build_colour(find_letter_colour(style.color, dark, raised)),
        bgcolor=None if background is None else _build_colour(background),
    )


def find_letter_colour(color: RichColor, dark: bool, raised: bool = False) -> int:
    """Return the one of a terminal's sixteen colours that stands for a colour of letters.

    It is chosen by hue, or by lightness if the colour is grey. One of the sixteen keeps its number.

    Args:
        dark: True for the dark theme.
        raised: True for letters on a marked line, where some colours would be hard to read.
    """
    numbers = DARK_SIXTEEN if dark else LIGHT_SIXTEEN
    if color.triplet is None:
        return color.number if color.number is not None and color.number < _TERMINAL else numbers.plain
    hue, light, saturation = _split_colour(color)
    # Nearly black and nearly white letters count as grey too.
    if saturation < _GREY or not 0.05 < light < 0.97:
        if _is_background(light, dark):
            return numbers.background
        is_strong = light > 0.75 if dark else light < 0.3
        return numbers.plain if is_strong or (raised and dark) else numbers.quiet
    name = next(name for upto, name in _HUES if hue < upto)
    if raised and dark and name == "red":
        name = "violet"
    return numbers.letters[name]


def find_background_colour(color: RichColor, dark: bool) -> int:
    """Return the number of the background colour: of the screen, a marked line or reversed letters."""
    numbers = DARK_SIXTEEN if dark else LIGHT_SIXTEEN
    if color.triplet is None:
        return color.number if color.number is not None and color.number < _TERMINAL else numbers.background
    _, light, _ = _split_colour(color)
    if _is_background(light, dark):
        return numbers.background
    is_raised = light < 0.4 if dark else light > 0.7
    return numbers.raised if is_raised else find_letter_colour(color, dark)


def _is_background(light: float, dark: bool) -> bool:
    """Return whether a colour is the background of the screen or of a dialog, not of a marked line."""
    return light < 0.145 if dark else light > 0.915


def _split_colour(color: RichColor) -> tuple[float, float, float]:
    """Return the hue in degrees, the lightness and the saturation, both from 0 to 1."""
    assert color.triplet is not None
    hue, light, saturation = rgb_to_hls(*(part / 255 for part in color.triplet))
    return hue * 360, light, saturation


@lru_cache(maxsize=16)
def _build_colour(number: int) -> RichColor:
    return RichColor.from_ansi(number)


class AsciiOnly(LineFilter):
    """A filter that converts all remaining signs of a line to ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Convert the text of each segment of a line, without a change of its width."""
        return [
            segment if segment.text.isascii() else Segment(to_ascii_same_width(segment.text), *segment[1:])
            for segment in segments
        ]
