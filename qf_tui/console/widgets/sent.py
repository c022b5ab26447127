"""What stands on the terminal: a picture is sent as far as it differs from that, cell by cell.

Widgets are drawn by whole lines, of which a key mostly changes a few cells; on a slow line bytes are time.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip

Cell = tuple[str, str, str]
"""A sign, its style as a terminal is told it, and the style that a blank beside it may share.

Text with a sign that is not one cell wide stands in its first cell; the others have no sign.
"""
NEAR = 6
"""Cells that cost no more than a move of the cursor beyond them."""
UNKNOWN: Cell = ("", "?", "?")


class SentPicture:
    """The cells of each line as they were sent last."""

    def __init__(self) -> None:
        self._lines: dict[int, list[Cell]] = {}
        self._whole: dict[int, list[Strip]] = {}
        self._parts: dict[int, dict[int, Strip]] = {}

    def forget(self) -> None:
        """Nothing is known of the terminal any more: its window has another size."""
        self._lines, self._whole, self._parts = {}, {}, {}

    def whole(self, update: LayoutUpdate, colours: ColorSystem) -> Iterator[str]:
        """All of a screen, whatever stands there; a line is taken apart once something in it changes."""
        self.forget()
        self._whole = {y: list(line) for y, line in enumerate(update.strips)}
        for y, line in self._whole.items():
            begins = accumulate((strip.cell_length for strip in line), initial=0)
            self._parts[y] = dict(zip(begins, line, strict=False))
            pieces = ((one.text, *_codes(one.style or _PLAIN, colours)) for strip in line for one in strip)
            yield _written(0, y, pieces)

    def changes(self, update: ChopsUpdate, colours: ColorSystem) -> Iterator[str]:
        """What differs in the parts of lines that were drawn again."""
        for y, left, right in update.spans:
            for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=True):
                if strip is not None and x < right and end > left and not self._stands(x, y, strip):
                    yield from self._changed(x, y, strip, colours)

    def _stands(self, x: int, y: int, strip: Strip) -> bool:
        """Whether this very part of a line was drawn there last; from here on it is."""
        parts = self._parts.setdefault(y, {})
        if parts.get(x) == strip:
            return True
        ends = x + strip.cell_length
        over = [at for at, one in parts.items() if at < ends and at + one.cell_length > x]
        for at in over:
            del parts[at]
        parts[x] = strip
        return False

    def _changed(self, x: int, y: int, strip: Strip, colours: ColorSystem) -> Iterator[str]:
        cells = _cells([strip], colours)
        if y not in self._lines:
            self._lines[y] = _cells(self._whole.get(y, ()), colours)
        known = self._lines[y]
        known.extend([UNKNOWN] * (x + len(cells) - len(known)))
        was = known[x : x + len(cells)]
        known[x : x + len(cells)] = cells
        begins = ends = -1
        for at, (one, other) in enumerate(zip(was, cells, strict=True)):
            if one == other:
                continue
            if begins >= 0 and at - ends > NEAR:
                yield _written(x + begins, y, cells[begins:ends])
                begins = -1
            if begins < 0:
                begins = next(first for first in range(at, -1, -1) if cells[first][0])
            ends = at + 1
        if begins >= 0:
            yield _written(x + begins, y, cells[begins:ends])


class ChangedCells(CompositorUpdate):
    """An update of Textual's, of which only what differs is sent."""

    def __init__(self, update: ChopsUpdate | LayoutUpdate, sent: SentPicture) -> None:
        self.update, self.sent = update, sent

    def render_segments(self, console: Console) -> str:
        colours = console._color_system or ColorSystem.TRUECOLOR
        if isinstance(self.update, LayoutUpdate):
            return "".join(self.sent.whole(self.update, colours))
        return "".join(self.sent.changes(self.update, colours))


def _cells(strips: Iterable[Strip], colours: ColorSystem) -> list[Cell]:
    cells: list[Cell] = []
    for strip in strips:
        for text, style, _ in strip:
            look, blank = _codes(style or _PLAIN, colours)
            if _of_single_cells(text):
                cells.extend([(sign, blank if sign == " " else look, blank) for sign in text])
            else:
                cells.append((text, look, look))
                cells.extend([("", look, look)] * (cell_len(text) - 1))
    return cells


_PLAIN = Style()


@lru_cache(maxsize=4096)
def _of_single_cells(text: str) -> bool:
    return text.isascii() or all(cell_len(sign) == 1 for sign in text)


@lru_cache(maxsize=1024)
def _codes(style: Style, colours: ColorSystem) -> tuple[str, str]:
    """A style as a terminal is told it, and in how much of it a blank looks the same."""
    look = Strip.render_ansi(style, colours)
    if style.underline or style.underline2 or style.reverse or style.strike or style.overline:
        return look, look
    return look, Strip.render_ansi(Style(bgcolor=style.bgcolor), colours)


def _written(x: int, y: int, cells: Iterable[Cell]) -> str:
    """Cells, or longer pieces, from a place on; blanks take any style in which they look the same."""
    parts = [f"\x1b[{y + 1};{x + 1}H"]
    now = under = UNKNOWN[1]
    for text, look, blank in cells:
        if blank != under if text.isspace() else look != now:
            now, under = (blank if text.isspace() else look), blank
            parts.append(f"\x1b[0;{now}m" if now else "\x1b[0m")
        parts.append(text)
    parts.append("\x1b[0m")
    return "".join(parts)
