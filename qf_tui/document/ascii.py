"""Text in ASCII, for terminals and files that cannot hold other signs.

`to_ascii` may make a text wider (`5⅞″` becomes `5 7/8"`); `to_ascii_same_width` never does.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from unicodedata import normalize

from qf_tui.document.text import measure_width

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
"""Table for `str.translate`: one ASCII character for each sign of the program."""
WIDER = {"≤": "<=", "≥": ">=", "‼": "!!", "→": "->", "±": "+/-"}
"""Signs that become several characters where the text may grow."""
_FRACTION = re.compile(rf"(\d?)([{''.join(FRACTIONS)}])")
_WIDER = re.compile("[" + "".join(WIDER) + "]")


@lru_cache(maxsize=4096)
def to_ascii(text: str) -> str:
    """Convert a text to ASCII as people write it; the result may be wider (`5⅞″` becomes `5 7/8"`)."""
    text = _FRACTION.sub(lambda match: f"{match[1]} {FRACTIONS[match[2]]}".lstrip(), text)
    return to_ascii_same_width(_WIDER.sub(lambda match: WIDER[match[0]], text))


def to_ascii_same_width(text: str) -> str:
    """Convert a text to ASCII of the same width in cells.

    A letter loses its accent, and a sign without a similar character becomes `?`.
    """
    if text.isascii():
        return text
    return "".join(sign if sign.isascii() else _replace_sign(sign) for sign in text.translate(PLAIN))


def _replace_sign(sign: str) -> str:
    """Return a sign without its accent if that keeps its width, or as many `?` as it has cells."""
    width = measure_width(sign)
    bare = "".join(part for part in normalize("NFKD", sign) if part.isascii())
    return bare if len(bare) == width else "?" * width


def replace_unencodable(fault: UnicodeError) -> tuple[str, int]:
    """Replace the signs that an encoding lacks by ASCII: an error handler for `codecs.register_error`.

    Returns:
        The replacement, and the place where encoding continues.
    """
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    text = fault.object
    begins = fault.start
    ends = fault.end
    ascii_text = to_ascii(text[begins:ends])
    # The fraction may follow a whole number, which the encoding has: 5⅞ must not become 57/8.
    is_mixed = begins > 0 and text[begins - 1].isdigit() and ascii_text[:1].isdigit()
    return f" {ascii_text}" if is_mixed else ascii_text, ends
