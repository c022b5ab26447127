"""A panel over the battle: something to read, or to say yes to."""

from collections.abc import Iterable

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from qf_tui.console.keys import PANEL, keymap, press
from qf_tui.console.text import literal


class Panel(ModalScreen[bool]):
    """Lines under a title; gives True for Enter, False for Escape."""

    def __init__(self, title: str, lines: Iterable[Content], keys: str = "Enter or Esc closes") -> None:
        super().__init__()
        self.heading, self.lines, self.keys_text = title, tuple(lines), keys
        self.keys = keymap(PANEL)

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(literal(self.heading, "bold $primary"), classes="panel-title")
            with VerticalScroll(classes="panel-body"):
                yield Static(Content("\n").join(self.lines))
            yield Static(literal(self.keys_text, "$quiet"), classes="panel-keys")

    async def on_key(self, event: events.Key) -> None:
        await press(self, self.keys, event)

    def _body(self) -> VerticalScroll:
        return self.query_one(VerticalScroll)

    def action_accept(self) -> None:
        self.dismiss(True)

    def action_dismiss_panel(self) -> None:
        self.dismiss(False)

    def action_scroll_up(self) -> None:
        self._body().scroll_up(animate=False)

    def action_scroll_down(self) -> None:
        self._body().scroll_down(animate=False)

    def action_page_up(self) -> None:
        self._body().scroll_page_up(animate=False)

    def action_page_down(self) -> None:
        self._body().scroll_page_down(animate=False)


def head(text: str) -> Content:
    """A heading within a panel."""
    return literal(text, "bold")


def by_side(
    names: Iterable[tuple[str, str]], items: Iterable[tuple[str, str]], numbered: bool = True
) -> list[Content]:
    """Items of (side, words) under the names of their sides, numbered through to be read aloud."""
    items, lines, number = list(items), [], 0
    for side, name in names:
        own = [text for of, text in items if of == side]
        if not own:
            continue
        lines.append(head(name))
        for text in own:
            number += 1
            lines.append(literal(f"{number:>3}  {text}" if numbered else f"  {text}"))
    return lines
