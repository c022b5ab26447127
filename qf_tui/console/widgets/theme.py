"""A calm dark theme and a calm light one, and which colours and signs a terminal can show."""

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

from qf_tui.console.widgets.text import one_for_one
from qf_tui.operating_systems import WINDOWS

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


_MANY = ("truecolor", "24bit")
_MORE_THAN_16 = ("256color", "kitty", "direct")
"""The ends of `TERM` that tell of more than sixteen colours."""
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")


@frozen
class Abilities:
    """`ascii`: it has no other signs; `few_colours`: it has sixteen."""

    ascii: bool = False
    few_colours: bool = False


ABLE = Abilities()


def abilities_of(environment: Mapping[str, str] = os.environ) -> Abilities:
    """What the terminal of an environment can show."""
    if WINDOWS:
        return ABLE
    many = environment.get("COLORTERM", "").strip().lower() in _MANY
    few = not many and environment.get("TERM", "").lower().rpartition("-")[2] not in _MORE_THAN_16
    general, kind = (environment.get(name, "") for name in ("LANG", "LC_CTYPE"))
    # Python itself puts C.UTF-8 there where LANG is the plain C.
    kind = general if general and kind in _COERCED else kind
    # Where no locale is named, Python's own finding counts.
    encoding = environment.get("LC_ALL") or kind or general or locale.getpreferredencoding(False)
    return Abilities("utf8" not in encoding.casefold().replace("-", ""), few)


_GREY = 0.3
"""Saturation below which a colour is a grey."""
_HUES = ((20, "red"), (70, "amber"), (170, "green"), (280, "blue"), (340, "violet"), (361, "red"))
"""The names of hues, each up to an angle."""


@frozen
class Sixteen:
    """The numbers of a terminal's colours for letters by hue, for greys by light, and for what is behind."""

    letters: dict[str, int]
    plain: int
    quiet: int
    behind: int
    raised: int


DARK_SIXTEEN = Sixteen({"red": 9, "amber": 11, "green": 10, "blue": 14, "violet": 13}, 15, 7, 0, 4)
LIGHT_SIXTEEN = Sixteen({"red": 1, "amber": 5, "green": 4, "blue": 4, "violet": 5}, 0, 4, 7, 15)
"""Amber letters on a light ground are violet, green ones blue: no terminal's yellow can be read there."""


class SixteenColours(LineFilter):
    """Writes each line in a terminal's own colours; `dark`: for the dark theme."""

    def __init__(self, dark: bool) -> None:
        super().__init__()
        self.dark = dark

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment
            if segment.style is None
            else Segment(segment.text, few(segment.style, self.dark), segment[2])
            for segment in segments
        ]


@lru_cache(maxsize=1024)
def few(style: Style, dark: bool) -> Style:
    """A style in sixteen colours."""
    raised = (
        style.bgcolor is not None
        and behind_of(style.bgcolor, dark) == (DARK_SIXTEEN if dark else LIGHT_SIXTEEN).raised
    )
    return style + Style(
        color=None if style.color is None else _color(letters_of(style.color, dark, raised)),
        bgcolor=None if style.bgcolor is None else _color(behind_of(style.bgcolor, dark)),
    )


def letters_of(color: RichColor, dark: bool, raised: bool = False) -> int:
    """The colour of letters; `raised`: on a ground that stands out, where red would be hard to read."""
    known = DARK_SIXTEEN if dark else LIGHT_SIXTEEN
    if color.triplet is None:
        return color.number if color.number is not None and color.number < 16 else known.plain
    hue, light, saturation = _parts(color)
    if saturation < _GREY or not 0.05 < light < 0.97:
        full = light > 0.75 if dark else light < 0.3
        ground = _is_ground(light, dark)
        grey = known.behind if ground else known.plain if full else known.quiet
        return known.plain if raised and dark and not ground else grey
    name = next(name for upto, name in _HUES if hue < upto)
    return known.letters["violet"] if raised and name == "red" and dark else known.letters[name]


def behind_of(color: RichColor, dark: bool) -> int:
    """The colour behind letters: the ground, one that stands out from it, or that of reversed letters."""
    known = DARK_SIXTEEN if dark else LIGHT_SIXTEEN
    if color.triplet is None:
        return color.number if color.number is not None and color.number < 16 else known.behind
    _, light, _ = _parts(color)
    raised = light < 0.4 if dark else light > 0.7
    return known.behind if _is_ground(light, dark) else known.raised if raised else letters_of(color, dark)


def _is_ground(light: float, dark: bool) -> bool:
    """Whether a colour is that of the screen or of a dialog, not of a line or row that stands out."""
    return light < 0.145 if dark else light > 0.915


def _parts(color: RichColor) -> tuple[float, float, float]:
    """Hue in degrees, light and saturation, both to 1."""
    assert color.triplet is not None
    hue, light, saturation = rgb_to_hls(*(part / 255 for part in color.triplet))
    return hue * 360, light, saturation


@lru_cache(maxsize=16)
def _color(number: int) -> RichColor:
    return RichColor.from_ansi(number)


class AsciiOnly(LineFilter):
    """Takes the place of every sign that is left in a line."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment if segment.text.isascii() else Segment(one_for_one(segment.text), *segment[1:])
            for segment in segments
        ]
