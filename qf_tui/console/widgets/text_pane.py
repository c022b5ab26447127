"""Lines that are only viewed, in a box of fixed size: drawn without a new layout of the screen."""

from collections.abc import Callable, Iterable

from rich.style import Style
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

from qf_tui.console.widgets.text import literal

Lines = Callable[[int], Iterable[Content]]
"""Lines for a width."""


class TextPane(Widget):
    """As many lines as there is room for; where there are more the last says so."""

    def __init__(self, id: str, more: str = "") -> None:
        super().__init__(id=id)
        self.lines_for: Lines = lambda width: ()
        self.lines: tuple[Content, ...] = ()
        self.more = more
        self._made_for = -1
        self.auto_links = False

    def show(self, lines_for: Lines) -> None:
        """Draws other lines as far as they differ; they are made for the width of the pane."""
        self.lines_for, width = lines_for, self.size.width
        if not width or self._made_for != width:
            self._made_for = -1
            self.refresh()
            return
        before, self.lines = self.lines, tuple(lines_for(width))
        if len(before) != len(self.lines):
            self.refresh()
            return
        for y, (one, other) in enumerate(zip(before, self.lines, strict=True)):
            if not one.is_same(other):
                self.refresh(Region(0, y, width, 1))

    def render_line(self, y: int) -> Strip:
        width, height = self.size.width, self.size.height
        if self._made_for != width:
            self._made_for, self.lines = width, tuple(self.lines_for(width))
        if y >= len(self.lines) or not width:
            return Strip.blank(width, self._plain)
        left = len(self.lines) - height
        cut = left > 0 and y == height - 1
        line = literal(f"… {left + 1} more lines{self.more}", "$quiet") if cut else self.lines[y]
        strips = Visual.to_strips(self, line, width, 1, self.visual_style, pad=True)
        return strips[0].adjust_cell_length(width, self._plain) if strips else Strip.blank(width)

    @property
    def _plain(self) -> Style:
        """The style of what has none of its own."""
        return self.visual_style.rich_style
