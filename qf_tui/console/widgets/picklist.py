"""A list to choose from, and a screen around it with a title and details of the chosen line."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from attrs import evolve, frozen
from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.screen import ScreenResultType
from textual.scroll_view import ScrollView
from textual.strip import Strip

from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.keys import KeyBar, KeyScreen, perform
from qf_tui.console.widgets.panel import build_help_panel
from qf_tui.console.widgets.text import SteadyText, cut, draw_strip, literal, wrap_words

HERE, ELSE, HEAD = " ▸ ", "   ", " "
"""Signs before the line under the cursor, before any other line, and before a heading."""


@frozen
class PickLine:
    """A line of a list.

    Attributes:
        key: Unique value that names the line; "" for a line that cannot be chosen.
        draw: Renders the line for a width in cells.
        section: True if a section begins with this line.
    """

    key: Hashable
    draw: Callable[[int], Content]
    section: bool = False


def build_text_line(text: str, style: str = "", key: Hashable = "") -> PickLine:
    """Build a line of plain text, cut to the width of the list."""
    return PickLine(key, lambda width: literal(cut(text, width), style))


def build_heading_line(text: str) -> PickLine:
    """Build the heading of a section."""
    return evolve(build_text_line(text, "bold $secondary"), section=True)


def build_drawn_line(content: Content, key: Hashable = "", *, section: bool = False) -> PickLine:
    """Build a line from content that already has the right width."""
    return PickLine(key, lambda width: content, section)


class PickList(ScrollView, can_focus=True):
    """A list with a cursor, which moves only to lines that can be chosen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"pick--here", "pick--rest"}
    virtual_size = Reactive(Size(0, 0), layout=False)

    @dataclass
    class Moved(Message):
        """Posted when the cursor is on another line."""

        pick: "PickList"

    @dataclass
    class Chosen(Message):
        """Posted when the line under the cursor is clicked again."""

        pick: "PickList"

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.lines: tuple[PickLine, ...] = ()
        self.at = 0

    @property
    def line(self) -> PickLine | None:
        """The line under the cursor; None if the list is empty."""
        return self.lines[self.at] if self.at < len(self.lines) else None

    @property
    def key(self) -> Hashable:
        """The key of the line under the cursor, or ""."""
        return self.line.key if self.line is not None else ""

    @property
    def word(self) -> str:
        """The key of the line under the cursor if it is text, else ""."""
        return self.key if isinstance(self.key, str) else ""

    @property
    def room(self) -> int:
        """The width of a line, in cells."""
        return self.scrollable_content_region.width

    @property
    def in_sight(self) -> tuple[str, ...]:
        """The keys of the lines on the screen, except keys that are no text."""
        top = self.scroll_offset.y
        keys = (line.key for line in self.lines[top : top + self.size.height])
        return tuple(key for key in keys if isinstance(key, str) and key)

    def show(self, lines: Iterable[PickLine], key: Hashable = "") -> None:
        """Replace the lines, and put the cursor on the line with a key.

        If no line has the key, the cursor goes to the line nearest to its old place.

        Args:
            key: Key of that line; "" for the key that is now under the cursor.
        """
        wanted_key, old_place = key or self.key, self.at
        self.lines = tuple(lines)
        keys = [line.key for line in self.lines]
        if wanted_key and wanted_key in keys:
            self.at = keys.index(wanted_key)
        else:
            self.at = self._find_nearest(old_place)
        self._fit_scroll_bar()
        self._reveal()
        self.refresh()

    def _fit_scroll_bar(self) -> None:
        """Let all lines be scrolled through, and show the scroll bar only if they need one."""
        self.virtual_size = Size(self.room, len(self.lines))
        # The size is empty before the first layout.
        if self.size:
            # `virtual_size` starts no layout here, so Textual would leave the scroll bar as it is.
            bar, scrolls = self.vertical_scrollbar, len(self.lines) > self.size.height
            self.show_vertical_scrollbar = bar.display = scrolls
            bar.window_virtual_size = len(self.lines)

    def on_resize(self) -> None:
        self._fit_scroll_bar()
        self._reveal()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def _find_nearest(self, at: int) -> int:
        """Return the place of the nearest line that can be chosen, the lower of two; 0 if there is none."""
        picks = [place for place, line in enumerate(self.lines) if line.key]
        return min(picks, key=lambda place: (abs(place - at), -place), default=0)

    def _reveal(self) -> None:
        """Scroll until the cursor's line is visible, if possible with the headings directly above it."""
        height, top = max(1, self.size.height), min(self.scroll_offset.y, self.max_scroll_y)
        first_wanted = self.at
        while first_wanted > 0 and not self.lines[first_wanted - 1].key:
            first_wanted -= 1
        highest_top = first_wanted if self.at - first_wanted < height else self.at
        new_top = min(max(top, self.at - height + 1), highest_top)
        if new_top != self.scroll_offset.y:
            self.jump(new_top)

    def render_line(self, y: int) -> Strip:
        """Render a line of the list, with a sign on the cursor's line or on the heading of a section."""
        place, width = y + self.scroll_offset.y, self.room
        if place >= len(self.lines) or width < 3:
            return Strip.blank(width, self.visual_style.rich_style)
        line = self.lines[place]
        has_cursor = place == self.at and bool(line.key) and self.has_focus
        sign = HEAD if line.section and not line.key else ELSE
        if has_cursor:
            sign = HERE
        content = Content.assemble(literal(sign, "bold $accent"), line.draw(width - len(sign)))
        look = self.get_visual_style("pick--here") if has_cursor else self.visual_style
        return draw_strip(content, width, look)

    def go(self, at: int, direction: int = 1) -> None:
        """Put the cursor on a line; if the line cannot be chosen, on the next one in a direction.

        If the cursor is there already, at an end of the list, scroll on to lines that cannot be chosen.

        Args:
            at: Place of the line.
            direction: 1 for down, -1 for up.
        """
        picks = [place for place, line in enumerate(self.lines) if line.key]
        if not picks:
            return
        at = max(picks[0], min(at, picks[-1]))
        old_place = self.at
        if direction > 0:
            self.at = min(place for place in picks if place >= at)
        else:
            self.at = max(place for place in picks if place <= at)
        if old_place == self.at:
            y = self.scroll_offset.y + direction * max(1, self.size.height // 2)
            self.jump(max(0, min(y, self.max_scroll_y)))
            return
        self._reveal()
        for place in (old_place, self.at):
            self.refresh(Region(0, place - self.scroll_offset.y, self.room, 1))
        self.post_message(self.Moved(self))

    def jump(self, y: float) -> None:
        """Scroll to a line at once."""
        self.scroll_to(y=y, animate=False, force=True, immediate=True)

    def action_step(self, by: int) -> None:
        """Move the cursor some lines down."""
        self.go(self.at + by, by)

    def action_page(self, by: int) -> None:
        """Move the cursor some pages down."""
        self.action_step(by * max(1, self.size.height - 1))

    def action_home(self) -> None:
        """Go to the first line, with the headings above it."""
        self.go(0)
        self.jump(0)

    def action_end(self) -> None:
        """Go to the last line, with the lines below it."""
        self.go(len(self.lines) - 1, -1)
        self.jump(self.max_scroll_y)

    def action_section(self, by: int) -> None:
        """Put the cursor on the first line of the section `by` sections on, around the ends."""
        heads = [place for place, line in enumerate(self.lines) if line.section]
        if not heads:
            return
        current_section = sum(1 for place in heads if place <= self.at) - 1
        head = heads[(current_section + by) % len(heads)]
        self.go(head)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the clicked line; a double click on it chooses it."""
        place = event.y + self.scroll_offset.y
        if place < len(self.lines) and self.lines[place].key:
            if place == self.at and event.chain > 1:
                self.post_message(self.Chosen(self))
            else:
                self.go(place)


class PickScreen(KeyScreen[ScreenResultType]):
    """A page around one list, with a title above it and details of the cursor's line below it.

    Attributes:
        notice: Result of the last key, shown below the list until the cursor moves.
    """

    steps: ClassVar[tuple[str, ...]] = ()
    """Text of the help before the keys."""
    clicks = True
    """True if a second click on a line does the same as Enter."""

    def __init__(self) -> None:
        super().__init__()
        self.notice = ""

    def compose(self) -> ComposeResult:
        yield SteadyText(self.render_headline(), id="start-title")
        yield from self.compose_body()
        yield SteadyText(Content(""), id="about")
        yield from self.compose_below()
        yield KeyBar(self.keys)

    def render_headline(self) -> Content:
        """Render the title when the screen opens."""
        return Content("")

    def compose_body(self) -> ComposeResult:
        """Yield the list, and the widgets next to it."""
        yield PickList(id="list")

    def compose_below(self) -> ComposeResult:
        """Yield the widgets between the details and the keys: here none."""
        return ()

    @property
    def picks(self) -> PickList:
        """The list."""
        return self.query_one("#list", PickList)

    def on_mount(self) -> None:
        self.picks.focus()

    @on(events.Resize)
    def handle_resize(self) -> None:
        """Draw the details again for the new width."""
        self.call_after_refresh(self.show_details)

    @on(PickList.Moved)
    def handle_move(self) -> None:
        """Clear the notice, and show the details of the new line."""
        self.say("")

    @on(PickList.Chosen)
    async def handle_choice(self) -> None:
        """Perform the action of Enter, if clicks count as Enter here."""
        enter = self.find_keys(self.place, default=True).get("enter") if self.clicks else None
        if enter is not None:
            await perform(self, enter)

    @property
    def place(self) -> str:
        """The place whose keys count."""
        return self.places[0]

    @property
    def keys(self) -> Mapping[str, Action]:
        return self.find_keys(self.place)

    def show_title(self, *parts: Content) -> None:
        """Replace the title."""
        self.query_one("#start-title", SteadyText).update(Content.assemble(*parts))

    def say(self, notice: str) -> None:
        """Show a notice below the list; "" removes it."""
        self.notice = notice
        self.show_details()

    def show_details(self) -> None:
        """Show the details of the line under the cursor."""
        lines = self.render_about(max(10, self.size.width - 3))
        self.query_one("#about", SteadyText).update(Content("\n").join(lines))

    def render_about(self, width: int) -> Iterable[Content]:
        """Render the details of the line under the cursor, or a fault."""
        raise NotImplementedError

    def action_help(self) -> None:
        """Show the keys of the screen."""
        self.app.push_screen(
            build_help_panel({place: self.find_keys(place) for place in self.places}, self.steps)
        )


def build_about_lines(text: str, width: int, most: int, style: str = "") -> list[Content]:
    """Wrap a text into at most `most` lines below a list."""
    return [literal(f" {part}", style) for part in wrap_words(text, width, most)]


class FilterScreen(PickScreen[ScreenResultType]):
    """A screen whose list shows only lines that match the typed letters."""

    def __init__(self) -> None:
        super().__init__()
        self.letters = ""

    def handle_other_key(self, event: events.Key) -> None:
        """Add a typed letter to the filter; a blank cannot be the first."""
        if event.is_printable and event.character:
            event.stop()
            if event.character.strip() or self.letters:
                self.narrow(self.letters + event.character)

    def action_delete_letter(self) -> None:
        self.narrow(self.letters[:-1])

    def action_back(self) -> None:
        """Clear the filter; without one, leave the screen."""
        if self.letters:
            self.narrow("")
        else:
            super().action_back()

    def show_filter(self, title: str, subtitle: str, invitation: str, room: int) -> None:
        """Show the title, and after it the filter, or an invitation while the filter is empty.

        Args:
            title: Title of the screen.
            subtitle: Text after the title.
            invitation: Text that invites typing.
            room: Width for the filter in cells.
        """
        filter_text = f"   filter: {self.letters}▏" if self.letters else f"   {invitation}"
        look = "bold $accent" if self.letters else "$quiet"
        letters = literal(cut(filter_text, max(0, room)), look)
        self.show_title(literal(f" {title}", "bold $primary"), Content(f"  {subtitle}"), letters)

    def narrow(self, letters: str) -> None:
        """List the lines that match these letters."""
        raise NotImplementedError
