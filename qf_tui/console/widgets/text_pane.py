"""Lines that are only viewed, in a box of fixed size: one is drawn again only if it says something else."""

from collections.abc import Callable, Iterable
from itertools import zip_longest

from rich.style import Style
from textual.content import Content
from textual.geometry import Region, Size
from textual.selection import Selection
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

from qf_tui.console.widgets.text import literal

Lines = Callable[[int], Iterable[Content]]
"""Lines for a width."""
BLANK = Content("")


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
            if not was.is_same(now):
                self.refresh(Region(0, y, self.size.width, 1))

    def _fitting(self) -> tuple[Content, ...]:
        """The lines that there is room for."""
        height = self.size.height
        lines = tuple(self.made(self.size.width, height))
        left = len(lines) - height
        if left > 0:
            lines = (*lines[: height - 1], literal(f"… {left + 1} more lines{self.more}", "$quiet"))
        self._strips = {id(line): self._strips[id(line)] for line in lines if id(line) in self._strips}
        return lines

    def render_line(self, y: int) -> Strip:
        if self._made_for != self.size:
            self._strips, self._made_for = {}, self.size
            self.lines = self._fitting()
        line = self.lines[y] if y < len(self.lines) else BLANK
        if self.text_selection is not None:
            return self._strip(self._selected(line, y, self.text_selection))
        if id(line) not in self._strips:
            self._strips[id(line)] = line, self._strip(line)
        return self._strips[id(line)][1].apply_offsets(0, y)

    def _strip(self, line: Content) -> Strip:
        width = self.size.width
        strips = Visual.to_strips(self, line, width, 1, self.visual_style, apply_selection=False, pad=True)
        return strips[0].adjust_cell_length(width, self._plain) if strips else Strip.blank(width, self._plain)

    def _selected(self, line: Content, y: int, selection: Selection) -> Content:
        """A line with what the mouse has selected in it."""
        begins, ends = selection.get_span(y) or (0, 0)
        ends = len(line.plain) if ends < 0 else ends
        return line.stylize("reverse", begins, ends) if ends > begins else line

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return selection.extract("\n".join(line.plain for line in self.lines)), "\n"

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips = {}

    @property
    def _plain(self) -> Style:
        """The style of what has none of its own."""
        return self.visual_style.rich_style
