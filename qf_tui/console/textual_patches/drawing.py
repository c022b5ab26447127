"""Overrides in the base classes of ours; the docstring of this folder gives the reasons.

Widgets draw whole lines, of which a key usually changes a few cells, and on a slow connection bytes are time:
only the cells of a picture that differ from what is on the terminal are sent.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, cast

from attrs import frozen
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console, RenderableType
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate, LayoutUpdate
from textual.app import App
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.screen import Screen, ScreenResultType
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

Cell = tuple[str, str, str]
"""A sign, its style as a terminal is told it, and the style that a blank beside it may share.

Text with a sign that is not one cell wide stands in its first cell; the others have no sign.
"""
NEAR = 7
"""So many cells on, it costs no more to send those between than to move the cursor beyond them."""
UNKNOWN: Cell = ("", "?", "?")


class SentPicture:
    """The cells of each line as they were sent last."""

    def __init__(self) -> None:
        self._lines: dict[int, list[Cell]] = {}
        self._whole: dict[int, list[Strip]] = {}

    def forget(self) -> None:
        """Nothing is known of the terminal any more: its window has another size."""
        self._lines, self._whole = {}, {}

    def whole(self, update: LayoutUpdate, colours: ColorSystem) -> Iterator[str]:
        """All of a screen, whatever stands there; a line is taken apart once something in it changes."""
        self.forget()
        self._whole = {y: list(line) for y, line in enumerate(update.strips)}
        for y, line in self._whole.items():
            pieces = (
                (piece.text, *_codes(piece.style or _PLAIN, colours)) for strip in line for piece in strip
            )
            yield _written(0, y, pieces)

    def changes(self, update: ChopsUpdate, colours: ColorSystem) -> Iterator[str]:
        """What differs in the parts of lines that were drawn again."""
        for y, left, right in update.spans:
            for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=True):
                if strip is not None and x < right and end > left:
                    yield from self._changed(x, y, strip, colours)

    def _changed(self, x: int, y: int, strip: Strip, colours: ColorSystem) -> Iterator[str]:
        cells = _cells([strip], colours)
        if y not in self._lines:
            self._lines[y] = _cells(self._whole.get(y, ()), colours)
        known = self._lines[y]
        known.extend([UNKNOWN] * (x + len(cells) - len(known)))
        was = known[x : x + len(cells)]
        if cells == was:
            return
        known[x : x + len(cells)] = cells
        runs: list[tuple[int, int]] = []
        for at in [at for at, (cell, old) in enumerate(zip(cells, was, strict=True)) if cell != old]:
            near = runs and at - runs[-1][1] <= NEAR
            runs.append((runs.pop()[0] if near else at, at))
        for first, last in runs:
            begins = next(at for at in range(first, -1, -1) if cells[at][0])
            yield _written(x + begins, y, cells[begins : last + 1])


@frozen
class ChangedCells(CompositorUpdate):
    """As much of an update of Textual's as differs."""

    text: str

    def render_segments(self, console: Console) -> str:
        return self.text


_PLAIN = Style()


def _cells(strips: Iterable[Strip], colours: ColorSystem) -> list[Cell]:
    pieces = (_cells_of(text, style or _PLAIN, colours) for strip in strips for text, style, _ in strip)
    return list(chain.from_iterable(pieces))


@lru_cache(maxsize=4096)
def _cells_of(text: str, style: Style, colours: ColorSystem) -> tuple[Cell, ...]:
    look, blank = _codes(style, colours)
    if text.isascii() or all(cell_len(sign) == 1 for sign in text):
        return tuple((sign, blank if sign == " " else look, blank) for sign in text)
    return (text, look, look), *[("", look, look)] * (cell_len(text) - 1)


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


class PatchedApp(App[int]):
    """An application whose pictures are sent as far as they differ, and whose faults are ours to tell."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = SentPicture()
        self.filters: tuple[LineFilter, ...] = ()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's, then ours."""
        return (*super().get_line_filters(), *self.filters)

    def _handle_exception(self, error: Exception) -> None:
        self.stop_by_fault(error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self.panic()

    def stop_by_fault(self, fault: Exception) -> None:
        """Keeps what is to be known of the fault that ends this run of the application."""

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        sends = self._running and not self._batch_count and not self.is_headless
        if sends and isinstance(renderable, ChopsUpdate | LayoutUpdate):
            colours = COLOR_SYSTEMS[self.console.color_system or "truecolor"]
            if isinstance(renderable, LayoutUpdate):
                text = "".join(self.sent.whole(renderable, colours))
            else:
                text = "".join(self.sent.changes(renderable, colours))
            still = not text and self.cursor_position == self._previous_cursor_position
            renderable = None if still else cast(RenderableType, ChangedCells(text))
        super()._display(screen, renderable)

    @contextmanager
    def batch_update(self) -> Generator[None, None, None]:
        """Holds pictures back; the one of the screen is sent as soon as that ends, as at the start."""
        with super().batch_update():
            yield
        if self.screen_stack:
            self.screen.call_later(self.screen._compositor_refresh)


class NeededParts(Compositor):
    """Asks each widget only for those lines that are to be drawn again and that no other covers."""

    def render_partial_update(self) -> ChopsUpdate | None:
        spans, every = list(self._regions_to_spans(self._dirty_regions)), self.cuts
        self._dirty_regions.clear()
        needed: dict[int, set[int]] = {}
        for y, left, right in spans:
            parts = (x for x, end in pairwise(every[y]) if x < right and end > left)
            needed.setdefault(y, set()).update(parts)
        chops: list[dict[int, Strip | None]] = [dict.fromkeys(cuts[:-1]) for cuts in every]
        for widget, (region, clip) in self.visible_widgets.items():
            shown = region.intersection(clip)
            left, right = shown.column_span
            lines = [y for y in shown.line_range if any(left <= x < right for x in needed.get(y, ()))]
            if lines:
                crop = Region(left, lines[0], shown.width, lines[-1] + 1 - lines[0]) - region.offset
                strips = widget.render_lines(crop)
            for y in lines:
                cuts = [cut for cut in every[y] if left <= cut <= right]
                pieces = strips[y - lines[0]].divide([cut - left for cut in cuts[1:]])
                found = {x: piece for x, piece in zip(cuts, pieces, strict=False) if x in needed[y]}
                chops[y] |= found
                needed[y] -= found.keys()
        return ChopsUpdate(chops, spans, [cuts[1:] for cuts in every]) if spans else None


class PatchedScreen(Screen[ScreenResultType]):
    """A screen that renders no more than what is to be drawn, and nothing while it would be held back."""

    def __init__(self) -> None:
        super().__init__()
        self._compositor = NeededParts()

    def _compositor_refresh(self) -> None:
        if not self.app._batch_count:
            super()._compositor_refresh()


class QuietFocus:
    """A screen that is not drawn anew when the keyboard goes to another of its widgets."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)


class StillInput(Input):
    """An input whose box is of a fixed width."""

    virtual_size = Reactive(Size(0, 0), layout=False)
