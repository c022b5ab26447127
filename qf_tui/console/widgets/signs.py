"""Signs for terminals whose fonts or locale have ASCII alone: all text passes here to be drawn and measured.

`in_signs`       a text as it is drawn, fractions too, which become wider: `5⅞″` is `5 7/8"`
`AsciiOnly`      what is drawn elsewhere, as borders are, sign for sign
"""

import locale
import os
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar
from unicodedata import normalize

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

Given = ParamSpec("Given")
Found = TypeVar("Found")
FRACTIONS = {
    "½": "1/2",
    "¼": "1/4",
    "¾": "3/4",
    "⅛": "1/8",
    "⅜": "3/8",
    "⅝": "5/8",
    "⅞": "7/8",
    "⅐": "1/7",
}
_ALIKE = {
    "'": "‘’′",
    '"': "“”″",
    "-": "–—─━▔▁‒−╌┄",
    "|": "│┃▏▎▍▕║┆┊‖",
    "+": "┌┐└┘├┤┬┴┼╭╮╯╰╔╗╚╝",
    ">": "▸→▶›❯",
    "<": "◂←◀‹",
    "^": "↑▲",
    "v": "↓▼",
    "~": "…",
    "x": "×✗✕",
    "#": "█▄▀▇▆▅▃▂■▌▐",
    "*": "•✓●◇‡",
    "!": "‼",
    "t": "†",
    "o": "□○⊘",
    ".": "·",
    "?": "�",
    "/": "⁄",
    "&": "»",
    "d": "°",
}
PLAIN: Mapping[int, str] = str.maketrans(
    {sign: plain for plain, signs in _ALIKE.items() for sign in signs} | {"≤": "<", "≥": ">"}
)
"""One ASCII sign for each of ours."""
WIDER = {"≤": "<=", "≥": ">=", "‼": "!!"}
"""Signs that are written in more than one where there is room to measure them."""
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
_FRACTION = re.compile(rf"(\d?)([{''.join(FRACTIONS)}])")
_WIDER = re.compile("[" + "".join(WIDER) + "]")


class Signs:
    """Which signs the text of this program is drawn in: a terminal has one set, whatever screen is on it."""

    ascii = False


def use_ascii(only: bool) -> None:
    """Draws and measures all text from here on in ASCII, or in full."""
    Signs.ascii = only


def signs_in_ascii() -> bool:
    """Whether text is drawn in ASCII."""
    return Signs.ascii


def locale_lacks_signs(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the locale of the terminal is not UTF-8; where none is named, whether Python finds it so."""
    general, kind = (environment.get(name, "") for name in ("LANG", "LC_CTYPE"))
    # Python itself puts C.UTF-8 there where LANG is the plain C.
    kind = general if general and kind in _COERCED else kind
    named = environment.get("LC_ALL") or kind or general
    if not named:
        return locale.getpreferredencoding(False).casefold() not in ("utf-8", "utf8")
    return "utf8" not in named.casefold().replace("-", "")


def remembered(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """Keeps the last results of a function that measures or draws text, those of each set of signs apart."""
    kept: dict[bool, Any] = {only: lru_cache(maxsize=16)(function) for only in (False, True)}

    @wraps(function)
    def found(*given: Given.args, **named: Given.kwargs) -> Found:
        result: Found = kept[Signs.ascii](*given, **named)
        return result

    return found


def in_signs(text: str) -> str:
    """A text as it is drawn in the signs of the terminal."""
    return text if not Signs.ascii or text.isascii() else _ascii(text)


@lru_cache(maxsize=4096)
def _ascii(text: str) -> str:
    text = _FRACTION.sub(lambda found: f"{found[1]} {FRACTIONS[found[2]]}".lstrip(), text)
    return one_for_one(_WIDER.sub(lambda found: WIDER[found[0]], text))


def one_for_one(text: str) -> str:
    """A text in ASCII as many cells wide: a letter without its accent, `?` for what has no like."""
    if text.isascii():
        return text
    return "".join(sign if sign.isascii() else _plain(sign) for sign in text.translate(PLAIN))


def _plain(sign: str) -> str:
    width = cell_len(sign)
    bare = "".join(one for one in normalize("NFKD", sign) if one.isascii())
    return bare if len(bare) == width else "?" * width


class AsciiOnly(LineFilter):
    """Takes the place of every sign that is left in a line."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment if segment.text.isascii() else Segment(one_for_one(segment.text), *segment[1:])
            for segment in segments
        ]
