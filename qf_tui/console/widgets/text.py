"""Text on the screen: user text without markup, cut with a sign where needed, measured in terminal cells.

On terminals that have only ASCII, all text is converted here when it is drawn and measured. `to_ascii` may
make a text wider (`5⅞″` becomes `5 7/8"`); `to_ascii_same_width` never does.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from itertools import zip_longest
from typing import Any, ParamSpec, TypeVar

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
from qf_tui.document.ascii import to_ascii

Given = ParamSpec("Given")
Found = TypeVar("Found")


class Signs:
    """The signs that all text is drawn in. They are global, since a terminal has one set of signs.

    Attributes:
        ascii: True if only ASCII is drawn.
    """

    ascii = False


def use_ascii(only: bool) -> None:
    """Draw and measure all further text in ASCII (True) or in all signs (False)."""
    Signs.ascii = only


def cache_by_signs(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """Cache a function's last 16 results, separately for ASCII and for all signs."""
    caches: dict[bool, Any] = {is_ascii: lru_cache(maxsize=16)(function) for is_ascii in (False, True)}

    @wraps(function)
    def call_cached(*given: Given.args, **named: Given.kwargs) -> Found:
        result: Found = caches[Signs.ascii](*given, **named)
        return result

    return call_cached


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
"""The style of each tone of a span."""


def literal(text: str, style: str = "") -> Content:
    """Build content from user text, without markup and without control characters."""
    printable = to_printable(text)
    return Content.styled(printable, style) if style else Content(printable)


def to_printable(text: str) -> str:
    """Return a text in the terminal's signs, with a sign for each unprintable character; line ends stay."""
    if Signs.ascii and not text.isascii():
        text = to_ascii(text)
    if text.isprintable():
        return text
    return "".join(ODD if sign != "\n" and find_unprintable(sign) else sign for sign in text)


def to_one_line(text: str) -> str:
    """Return printable text in which line ends are also replaced, so that a title cannot fake a line."""
    return to_printable(text.replace("\n", ODD))


def render_spans(parts: Iterable[Span]) -> Content:
    """Render the spans of a cell or of a card line."""
    return Content("").join(literal(part.text, TONES.get(part.tone, "")) for part in parts if part.text)


def measure_width(text: str) -> int:
    """Return the width of a text in cells, as `literal` shows it."""
    if text.isascii() and text.isprintable():
        return len(text)
    return cell_len(to_printable(text))


def cut(text: str, width: int) -> str:
    """Cut a text to at most `width` cells, with `…` at the end if it was cut."""
    text = to_printable(text)
    if cell_len(text) <= width:
        return text
    return f"{set_cell_size(text, width - 1).rstrip()}{to_printable(CUT)}" if width > 0 else ""


def cut_cells(text: str, width: int) -> str:
    """Cut a text to at most `width` cells, without a sign."""
    text = to_printable(text)
    return text if cell_len(text) <= width else set_cell_size(text, max(0, width))


def fit(text: str, width: int, right: bool = False) -> str:
    """Cut or pad a text to exactly `width` cells."""
    text = cut(text, width)
    blank = " " * (width - cell_len(text))
    return blank + text if right else text + blank


def join_parts(parts: Iterable[str], width: int, joint: str = ", ") -> str:
    """Join the first parts that fit `width` cells, and end with the number of the rest (`, +3`).

    If not even the first part fits, it is cut.
    """
    parts = list(parts)
    joined = ""
    for at, part in enumerate(parts):
        rest = len(parts) - at - 1
        tail = f"{joint}+{rest}" if rest else ""
        longer = f"{joined}{joint}{part}" if joined else part
        if measure_width(longer + tail) > width:
            return f"{joined}{joint}+{len(parts) - at}" if joined else cut(part, width)
        joined = longer
    return joined


def wrap_words(text: str, width: int, most: int = 0) -> list[str]:
    """Wrap words into lines of `width` cells.

    Args:
        text: Words to wrap.
        width: Cells of a line.
        most: Most lines, the last one cut with a sign; 0 for no limit.
    """
    lines: list[str] = []
    words = text.split()
    at = 0
    while at < len(words) and (not most or len(lines) < most):
        start = at
        used_width = measure_width(words[at])
        at += 1
        while at < len(words) and (used_width := used_width + 1 + measure_width(words[at])) <= width:
            at += 1
        lines.append(cut(" ".join(words[start:at]), width))
    if at < len(words) and lines:
        lines[-1] = cut(" ".join((lines[-1], *words[at:])), width)
    return lines


def wrap_hanging(line: Content, width: int) -> list[Content]:
    """Wrap a line; its further lines are indented to its text, or to the text after its first wide gap.

    A gap in the second half of the width does not count.
    """
    width = max(1, width)
    if line.cell_length <= width:
        return [line]
    plain = line.plain
    hang = len(plain) - len(plain.lstrip())
    gap = _HANG.match(plain)
    if gap and gap.end() <= width // 2:
        hang = gap.end()
    first, *rest = line.wrap(width) or [line]
    if not rest:
        return [first]
    # The indent leaves less width, so the rest is wrapped again.
    body = line[len(first.plain) :]
    skipped = len(body.plain) - len(body.plain.lstrip())
    indent = Content(" " * hang)
    parts = body[skipped:].wrap(max(1, width - hang))
    return [first, *(Content.assemble(indent, part) for part in parts)]


Lines = Callable[[int], Iterable[Content]]
"""Function that renders lines for a width in cells."""
BLANK = Content("")
STRIPS_MOST = 500
"""Most drawn lines that a pane caches for when they come back."""


def draw_strip(line: Content, width: int, look: Style) -> Strip:
    """Draw a line in a width and a style; a line that is too long ends at its first break."""
    if line.cell_length > width or not line.plain.isprintable():
        line = line.wrap(width)[0]
    parts = [Segment(text, (look + style).rich_style) for text, style in line.render(look, end="") if text]
    return Strip(parts, line.cell_length).adjust_cell_length(width, look.rich_style)


class TextPane(Widget):
    """A pane of lines; if not all fit, its last line gives the number of the rest.

    Attributes:
        lines_for: Renders the lines for a width in cells.
        lines: The lines now on the screen.
        more: Text after the number of lines that do not fit.
    """

    def __init__(self, id: str, more: str = "") -> None:
        super().__init__(id=id)
        self.lines_for: Lines = lambda width: ()
        self.lines: tuple[Content, ...] = ()
        self.more = more
        self._laid_out_size = Size(0, 0)
        self._strips: dict[int, tuple[Content, Strip]] = {}
        self.auto_links = False

    def show(self, lines_for: Lines) -> None:
        """Show other lines, and redraw only those that differ."""
        self.lines_for = lines_for
        self.draw()

    def make_lines(self, width: int, height: int) -> Iterable[Content]:
        """Render the lines for a size; a pane that knows its contents overrides this."""
        return self.lines_for(width)

    def draw(self) -> None:
        """Render the lines again, and redraw the changed ones; after a change of size, redraw all lines."""
        if not self.size or self._laid_out_size != self.size:
            # `render_line` lays all lines out again if no size is laid out.
            self._laid_out_size = Size(0, 0)
            self.refresh()
            return
        old_lines, self.lines = self.lines, self._fit_lines()
        for y, (was, now) in enumerate(zip_longest(old_lines, self.lines, fillvalue=BLANK)):
            if was is not now and not was.is_same(now):
                self.refresh(Region(0, y, self.size.width, 1))

    def _fit_lines(self) -> tuple[Content, ...]:
        """Render the lines that fit the pane; if there are more, the last one gives their number."""
        height = self.size.height
        lines = tuple(self.make_lines(self.size.width, height))
        hidden = len(lines) - height
        if hidden > 0:
            lines = (*lines[: height - 1], literal(f"… {hidden + 1} more lines{self.more}", "$quiet"))
        # Do not let the cache of drawn lines grow without limit.
        if len(self._strips) > STRIPS_MOST:
            self._strips = {}
        return lines

    def render_line(self, y: int) -> Strip:
        """Render a line, with the selected text reversed.

        After a change of size the lines are laid out again. Drawn lines are cached for one width, except
        those of a selection.
        """
        if self._laid_out_size != self.size:
            if self._laid_out_size.width != self.size.width:
                self._strips = {}
            self._laid_out_size = self.size
            self.lines = self._fit_lines()
        line = self.lines[y] if y < len(self.lines) else BLANK
        width, look = self.size.width, self.visual_style
        if self.text_selection is not None:
            begins, ends = self.text_selection.get_span(y) or (0, 0)
            # Textual gives -1 for the end of the line.
            ends = len(line.plain) if ends < 0 else ends
            strip = draw_strip(line.stylize("reverse", begins, ends) if ends > begins else line, width, look)
        else:
            # The line is kept too, so that no other line gets its id.
            if id(line) not in self._strips:
                self._strips[id(line)] = line, draw_strip(line, width, look)
            strip = self._strips[id(line)][1]
        # Textual finds the letter under the mouse by these offsets, also while a selection is extended.
        return strip.apply_offsets(0, y)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text of the lines on the screen."""
        return selection.extract("\n".join(line.plain for line in self.lines)), "\n"

    def notify_style_update(self) -> None:
        """Forget the drawn lines, since the theme has changed."""
        super().notify_style_update()
        self._strips = {}


class SteadyText(Static):
    """Text that is drawn only if it differs, and changes the layout only if its number of lines changes."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show other text; the screen is laid out again only if its number of lines changes."""
        if (
            isinstance(content, Content)
            and isinstance(self.content, Content)
            and self.content.is_same(content)
        ):
            return
        old_count = self._lines
        super().update(content, layout=False)
        if layout and (self.styles.is_auto_width or self._lines != old_count):
            self.refresh(layout=True)

    @property
    def _lines(self) -> int:
        """The number of lines that the text needs; 0 if the widget's height does not depend on it."""
        if not self.styles.is_auto_height:
            return 0
        return self.get_content_height(self.container_size, self.app.size, self.content_size.width)
