"""Panels over a screen: text to read or to confirm, and the notice that the window is too small."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget

from qf_tui.console.widgets.action_table import list_places
from qf_tui.console.widgets.actions import PANEL, Action
from qf_tui.console.widgets.keys import FUNCTION_KEYS, Hint, Hints, KeyModal, format_key, pass_on
from qf_tui.console.widgets.text import SteadyText, TextPane, fit, literal, wrap_hanging

LEAST = Size(80, 24)
QUITS = "f10"


def is_too_small(size: Size) -> bool:
    """Return whether a window is too small for the console."""
    return size.width < LEAST.width or size.height < LEAST.height


class TooSmall(ModalScreen[None]):
    """The screen that covers all others until the window is large enough."""

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="small")

    def on_key(self, event: events.Key) -> None:
        """Ignore every key except the one that quits."""
        event.stop()
        event.prevent_default()
        if event.key == QUITS:
            self.app.exit()

    def on_resize(self, event: events.Resize) -> None:
        self._show(event.size)

    def on_screen_resume(self) -> None:
        """Check the size again: the window may have grown under another screen."""
        self._show(self.app.size)

    def _show(self, size: Size) -> None:
        """Show how large the window must be; if it is large enough, close this screen."""
        width, height = size
        if not is_too_small(size):
            if self.is_current:
                self.dismiss(None)
            return
        needs = f"The console needs {LEAST.width} x {LEAST.height} characters"
        text = f"{needs}; this window has {width} x {height}.\nNothing is lost. F10 quits."
        self.query_one("#small", SteadyText).update(literal(text))


def build_frame(title: str, keys: Sequence[Hint], *body: Widget) -> Vertical:
    """Build a panel's frame with a title, the widgets of its body, and a line of keys."""
    title_text = SteadyText(literal(title, "bold $primary"), classes="panel-title")
    return Vertical(title_text, *body, Hints(keys, classes="panel-keys"), classes="panel")


CLOSES = (Hint("enter", "closes", also="escape", joint=" or "),)
FRAME = 6
"""Lines of a panel in addition to its text: border, title, keys."""


class Body(TextPane):
    """The lines of a panel, each wrapped with its own indent; only lines on the screen are rendered."""

    def __init__(self, lines: Iterable[Content]) -> None:
        super().__init__("panel-text")
        # Cache of wrapped lines by line and width: a search shows the same lines again.
        self._wrapped: dict[tuple[int, int], tuple[Content, list[Content]]] = {}
        self.show_content(lines)

    def show_content(self, lines: Iterable[Content]) -> None:
        """Replace the lines, and lay the panel out again."""
        content = tuple(lines)

        def wrap_lines(width: int) -> list[Content]:
            return [part for line in content for part in self._wrap(line, width)]

        self.lines_for, self._laid_out_size = wrap_lines, Size(0, 0)
        self.refresh(layout=True)

    def _wrap(self, line: Content, width: int) -> list[Content]:
        """Return the parts of a line in a width, from the cache if it was wrapped before."""
        key = id(line), width
        # The line is kept too, so that no other line gets its id.
        if key not in self._wrapped:
            self._wrapped[key] = line, wrap_hanging(line, width)
        return self._wrapped[key][1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines in a width."""
        return len(tuple(self.lines_for(width)))


class Pane(VerticalScroll):
    """The scrolling part of a panel; posts `Sized` when its size changes."""

    class Sized(Message):
        """Posted when the pane has another size."""

    def on_resize(self) -> None:
        self.post_message(self.Sized())


class Panel(KeyModal[bool]):
    """A panel of lines under a title; its result is True for Enter, False for Escape.

    A panel that is only read is closed by any key that has no meaning here. The key goes to the screen below,
    so that no typing is lost.

    Attributes:
        passes_keys: True if the panel passes such keys on.
        pages: Names of the keys that page down.
    """

    places: ClassVar[tuple[str, ...]] = (PANEL,)
    pages = "Space, PgDn"

    def __init__(self, title: str, lines: Iterable[Content], keys: Sequence[Hint] = CLOSES) -> None:
        super().__init__()
        self.heading, self.lines, self.hints = title, tuple(lines), tuple(keys)
        # With the default keys the panel is only read.
        self.passes_keys = self.hints == CLOSES
        self.body_text = Body(self.lines)

    def compose(self) -> ComposeResult:
        pane = Pane(self.body_text, classes="panel-body")
        # Set before the first layout: a limit set afterwards would draw the panel twice.
        self._limit_height(pane, self.app.size.height)
        yield build_frame(self.heading, self.hints, pane)

    def on_mount(self) -> None:
        """Show the number of lines below again whenever the text scrolls or changes its height."""
        for attribute in ("scroll_y", "virtual_size"):
            self.watch(self._find_body(), attribute, self._show_keys, init=False)

    def on_resize(self, event: events.Resize) -> None:
        self._limit_height(self._find_body(), event.size.height)

    def _limit_height(self, pane: VerticalScroll, height: int) -> None:
        """Limit the height of the text to most of a screen of this height."""
        pane.styles.max_height = max(1, height * 9 // 10 - FRAME)

    def on_pane_sized(self) -> None:
        self.call_after_refresh(self._show_keys)

    def _show_keys(self) -> None:
        """Show the keys, and how many more lines there are below."""
        body = self._find_body()
        # Before the layout the pane has no height, and every line would count as hidden.
        below = body.max_scroll_y - body.scroll_offset.y if body.container_size else 0
        more = f"   ↓ {below} more line{'s' if below > 1 else ''}: {self.pages}" if below > 0 else ""
        self.query_one(Hints).show(self.hints, more)

    def handle_other_key(self, event: events.Key) -> None:
        """Close the panel and pass the key on to the screen below, if this panel passes keys on."""
        if self.passes_keys and (event.is_printable or event.key in FUNCTION_KEYS):
            event.stop()
            self.dismiss(False)
            pass_on(self.app, event)

    def _find_body(self) -> VerticalScroll:
        return self.query_one(VerticalScroll)

    def action_accept(self) -> None:
        self.dismiss(True)

    def action_close(self) -> None:
        self.dismiss(False)

    def action_scroll(self, by: int) -> None:
        """Scroll some lines down."""
        body = self._find_body()
        body.scroll_to(y=body.scroll_offset.y + by, animate=False, immediate=True)

    def action_page(self, by: int) -> None:
        """Scroll some pages down."""
        self.action_scroll(by * (self._find_body().size.height - 1))


def show_panel(app: App[Any], panel: Panel, then: Callable[[], object] | None = None) -> None:
    """Show a panel; `then` is called if the umpire confirms it."""

    def handle_answer(yes: bool | None) -> None:
        if yes and then:
            then()

    app.push_screen(panel, handle_answer)


def render_heading(text: str) -> Content:
    """Build a heading within a panel."""
    return literal(text, "bold")


def render_term_line(term: str, about: str, width: int = 22) -> Content:
    """Build a line with a term (a key, an order or a sign) in a width, and its meaning."""
    name = fit(term, width) if len(term) <= width else f"{term} "
    return Content.assemble(literal(f"  {name}"), literal(f"  {about}", "$quiet"))


def render_key_lines(keys: Mapping[str, Action], where: str) -> Iterator[Content]:
    """Yield a heading, then a line for each action of a place with all of its keys."""
    rows: dict[str, tuple[list[str], Action]] = {}
    for key, action in keys.items():
        # Actions with the same help, such as those of the ten digits, share a line.
        rows.setdefault(action.help or action.title, ([], action))[0].append(format_key(key))
    yield render_heading(f"Keys {where}")
    for names, action in rows.values():
        keys_text = "0-9" if len(names) == 10 else " ".join(names)
        meaning = f"{action.title}: {action.help}" if action.help else action.title
        yield render_term_line(keys_text, meaning, 14)


def build_help_panel(keys: Mapping[str, Mapping[str, Action]], steps: Iterable[str] = ()) -> Panel:
    """Build the help of a screen without a battle.

    Args:
        keys: The keys of each of its places.
        steps: Lines of text before the keys.
    """
    places = (render_key_lines(keys[place], list_places()[place].words) for place in keys)
    return Panel("Help", [*map(literal, steps), *chain.from_iterable(places)])
