"""User text as styled text: always literal, cut with a sign, measured in cells.

For terminals that have only ASCII all text passes here to be drawn and measured: `in_ascii` may make it
wider, as `5⅞″` becomes `5 7/8"`; `one_for_one` never does.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, wraps
from itertools import zip_longest
from typing import Any, ParamSpec, TypeVar
from unicodedata import normalize

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region, Size
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import Static

from qf_tui.core.system import Span
from qf_tui.core.text import find_unprintable

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
_FRACTION = re.compile(rf"(\d?)([{''.join(FRACTIONS)}])")
_WIDER = re.compile("[" + "".join(WIDER) + "]")


class Signs:
    """Which signs the text of this program is drawn in: a terminal has one set, whatever screen is on it."""

    ascii = False


def use_ascii(only: bool) -> None:
    """Draws and measures all text from here on in ASCII, or in full."""
    Signs.ascii = only


def remembered(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """Keeps the last results of a function that measures or draws text, those of each set of signs apart."""
    kept: dict[bool, Any] = {only: lru_cache(maxsize=16)(function) for only in (False, True)}

    @wraps(function)
    def cached(*given: Given.args, **named: Given.kwargs) -> Found:
        result: Found = kept[Signs.ascii](*given, **named)
        return result

    return cached


@lru_cache(maxsize=4096)
def in_ascii(text: str) -> str:
    """A text in ASCII, wider where it must be."""
    text = _FRACTION.sub(lambda match: f"{match[1]} {FRACTIONS[match[2]]}".lstrip(), text)
    return one_for_one(_WIDER.sub(lambda match: WIDER[match[0]], text))


def one_for_one(text: str) -> str:
    """A text in ASCII as many cells wide: a letter without its accent, `?` for what has no like."""
    if text.isascii():
        return text
    return "".join(sign if sign.isascii() else _plain(sign) for sign in text.translate(PLAIN))


def _plain(sign: str) -> str:
    width = cell_len(sign)
    bare = "".join(part for part in normalize("NFKD", sign) if part.isascii())
    return bare if len(bare) == width else "?" * width


CUT, ODD = "…", "�"
_HANG = re.compile(r" *(?:\S+(?: \S+)* {2,})?")

TONES = {
    "": "",
    "slash": "bold $text-warning",
    "cross": "$quiet",
    "repaired": "strike $quiet",
    "alert": "bold $text-error",
    "dim": "$quiet",
}
"""What the tones of a span look like."""


def literal(text: str, style: str = "") -> Content:
    """User text as it is: no markup is ever read in it, and nothing in it drives the terminal."""
    shown = printable(text)
    return Content.styled(shown, style) if style else Content(shown)


def printable(text: str) -> str:
    """A text in the terminal's signs, with one for each character that must not reach it; line ends stay."""
    if Signs.ascii and not text.isascii():
        text = in_ascii(text)
    if text.isprintable():
        return text
    return "".join(ODD if sign != "\n" and find_unprintable(sign) else sign for sign in text)


def one_line(text: str) -> str:
    """The same without line ends: a title or the name of a file forges no line of ours."""
    return printable(text.replace("\n", ODD))


def spans(parts: Iterable[Span]) -> Content:
    """The spans of a cell or of a card line."""
    return Content("").join(literal(part.text, TONES.get(part.tone, "")) for part in parts if part.text)


def width_of(text: str) -> int:
    """The cells that a text takes on the screen, as `literal` shows it."""
    if text.isascii() and text.isprintable():
        return len(text)
    return cell_len(printable(text))


def cut(text: str, width: int) -> str:
    """A text in at most `width` cells; what is cut off leaves a sign."""
    text = printable(text)
    if cell_len(text) <= width:
        return text
    return f"{set_cell_size(text, width - 1).rstrip()}{printable(CUT)}" if width > 0 else ""


def first_cells(text: str, width: int) -> str:
    """The beginning of a text in at most `width` cells, without a sign that more was there."""
    text = printable(text)
    return text if cell_len(text) <= width else set_cell_size(text, max(0, width))


def fit(text: str, width: int, right: bool = False) -> str:
    """A text in exactly `width` cells."""
    text = cut(text, width)
    blank = " " * (width - cell_len(text))
    return blank + text if right else text + blank


def listed(parts: Iterable[str], width: int, joint: str = ", ") -> str:
    """As many parts as fit, and how many more there are."""
    parts = list(parts)
    shown = ""
    for at, part in enumerate(parts):
        rest = len(parts) - at - 1
        tail = f"{joint}+{rest}" if rest else ""
        longer = f"{shown}{joint}{part}" if shown else part
        if width_of(longer + tail) > width:
            return f"{shown}{joint}+{len(parts) - at}" if shown else cut(part, width)
        shown = longer
    return shown


def wrapped(text: str, width: int, most: int = 0) -> list[str]:
    """Words on lines; with `most` on at most that many, the last cut with a sign."""
    lines: list[str] = []
    words = text.split()
    at = 0
    while at < len(words) and (not most or len(lines) < most):
        first, used = at, width_of(words[at])
        at += 1
        while at < len(words) and (used := used + 1 + width_of(words[at])) <= width:
            at += 1
        lines.append(cut(" ".join(words[first:at]), width))
    if at < len(words) and lines:
        lines[-1] = cut(" ".join((lines[-1], *words[at:])), width)
    return lines


def hanging(line: Content, width: int) -> list[Content]:
    """A line in as many as it needs; the later ones are indented as its text, or to its first gap."""
    width = max(1, width)
    if line.cell_length <= width:
        return [line]
    plain = line.plain
    match = _HANG.match(plain)
    hang = match.end() if match and match.end() <= width // 2 else len(plain) - len(plain.lstrip())
    first, *rest = line.wrap(width) or [line]
    body = line[len(first.plain) :] if rest else Content("")
    lead = len(body.plain) - len(body.plain.lstrip())
    under = Content(" " * hang)
    return [
        first,
        *(Content.assemble(under, part) for part in body[lead:].wrap(max(1, width - hang)) if rest),
    ]


Lines = Callable[[int], Iterable[Content]]
"""Lines for a width."""
BLANK = Content("")
STRIPS_MOST = 500
"""Lines that a pane keeps as they were drawn, so that it need not draw them when they come back."""


def strip_of(line: Content, width: int, look: Style) -> Strip:
    """A line, or as much of it as is before its first break, in a width and a look."""
    if line.cell_length > width or not line.plain.isprintable():
        line = line.wrap(width)[0]
    parts = [Segment(text, (look + style).rich_style) for text, style in line.render(look, end="") if text]
    return Strip(parts, line.cell_length).adjust_cell_length(width, look.rich_style)


class TextPane(Widget):
    """As many lines as there is room for; where there are more the last says so."""

    def __init__(self, id: str, more: str = "") -> None:
        super().__init__(id=id)
        self.lines_for: Lines = lambda width: ()
        self.lines: tuple[Content, ...] = ()
        self.more = more
        self._made_for = Size(0, 0)
        self._strips: dict[int, tuple[Content, Strip]] = {}
        self.auto_links = False

    def show(self, lines_for: Lines) -> None:
        """Draws other lines as far as they differ; they are made for the width of the pane."""
        self.lines_for = lines_for
        self.draw()

    def made(self, width: int, height: int) -> Iterable[Content]:
        """The lines for a size; a pane that knows what it shows overrides this."""
        return self.lines_for(width)

    def draw(self) -> None:
        """Draws what the pane is to say by now, as far as it differs."""
        if not self.size or self._made_for != self.size:
            self._made_for = Size(0, 0)
            self.refresh()
            return
        before, self.lines = self.lines, self._fitting()
        for y, (was, now) in enumerate(zip_longest(before, self.lines, fillvalue=BLANK)):
            if was is not now and not was.is_same(now):
                self.refresh(Region(0, y, self.size.width, 1))

    def _fitting(self) -> tuple[Content, ...]:
        """The lines that there is room for."""
        height = self.size.height
        lines = tuple(self.made(self.size.width, height))
        left = len(lines) - height
        if left > 0:
            lines = (*lines[: height - 1], literal(f"… {left + 1} more lines{self.more}", "$quiet"))
        if len(self._strips) > STRIPS_MOST:
            self._strips = {}
        return lines

    def render_line(self, y: int) -> Strip:
        if self._made_for != self.size:
            if self._made_for.width != self.size.width:
                self._strips = {}
            self._made_for = self.size
            self.lines = self._fitting()
        line = self.lines[y] if y < len(self.lines) else BLANK
        width, look = self.size.width, self.visual_style
        if self.text_selection is not None:
            begins, ends = self.text_selection.get_span(y) or (0, 0)
            ends = len(line.plain) if ends < 0 else ends
            return strip_of(line.stylize("reverse", begins, ends) if ends > begins else line, width, look)
        if id(line) not in self._strips:
            self._strips[id(line)] = line, strip_of(line, width, look)
        return self._strips[id(line)][1].apply_offsets(0, y)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return selection.extract("\n".join(line.plain for line in self.lines)), "\n"

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips = {}


class SteadyText(Static):
    """Text whose widget stays where it is while it takes as many lines as before."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Shows other text; the screen is laid out anew where that takes another number of lines."""
        stood = self._lines
        super().update(content, layout=False)
        if layout and (self.styles.is_auto_width or self._lines != stood):
            self.refresh(layout=True)

    @property
    def _lines(self) -> int:
        """The lines that it takes in its width; 0 where their number is no matter of the text."""
        if not self.styles.is_auto_height:
            return 0
        return self.get_content_height(self.container_size, self.app.size, self.content_size.width)
