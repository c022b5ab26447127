"""All that we override in Textual, and why: a newer Textual is tried on this module first.

`QueuedApp.on_event`, `is_forwarded`  keys are processed one by one, see `KeyQueue`
`QueuedApp._handle_exception`         what is done about a fault is ours to say; Textual would fill the screen
`QueuedApp.get_driver_class`          the keyboard of a real terminal, see `terminal.py`
`QueuedApp._display`                  what stands on the terminal is not sent again, see `sent.py`
`QueuedApp.get_line_filters`          fewer signs and colours where the terminal or the umpire has no more
`ReadyScreen.is_styled`               a screen that comes is not styled anew: its widgets were, when mounted
`ReadyScreen._screen_resized`         nor is it, or what is behind it, laid out anew for the size that it has
`QuietFocus.focused`                  a change of focus draws the widget that had it, not all of the screen
`SteadyText.update`                   text that takes as many lines as before does not lay the screen out anew
`KeyInput.virtual_size`               a letter typed draws the input, and does not lay the screen out anew
`KeyInput.compact`, `STANDING`        an input is styled once, when it is mounted, not for each of its classes
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, cast

from rich.console import RenderableType
from textual import events, on
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App
from textual.driver import Driver
from textual.filter import LineFilter
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.reactive import Reactive
from textual.screen import Screen, ScreenResultType
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import Input, Static

from qf_tui.console.widgets.sent import ChangedCells, SentPicture
from qf_tui.console.widgets.signs import AsciiOnly, signs_in_ascii
from qf_tui.console.widgets.theme import SixteenColours

ROUNDS = 3
"""A key changes a field, the field informs its dialog, the dialog moves on: messages follow from messages, so
often at most."""
LONGEST = 1.0
"""Seconds that a key is waited for at most."""
_ASCII_ONLY = AsciiOnly()
_SIXTEEN = {dark: SixteenColours(dark) for dark in (True, False)}
BACKSPACE = "\b"
"""What `KeyInput.take` is given for it."""


class KeyQueue:
    """Keys one after the other: each is finished before the next is read.

    A slow line delivers several keys at once. Without this the second would go to the widget that had the
    keyboard before the first: `f h` would open the history instead of choosing the heavy battery. `forward`
    passes one to the widget that has the keyboard.
    """

    def __init__(self, app: App[Any], forward: Callable[[events.Key], Awaitable[None]]) -> None:
        self.app, self.forward = app, forward
        self._keys: deque[events.Key] = deque()
        self._task: asyncio.Task[None] | None = None
        self.midst = False
        """Whether a key is being worked on behind which none waits: its picture is drawn when it is done."""

    @property
    def idle(self) -> bool:
        """Whether no key waits and none is being worked on."""
        return self._task is None or self._task.done()

    def put(self, event: events.Key) -> None:
        """Takes a key."""
        self._keys.append(event)
        self._begin()

    def put_first(self, event: events.Key) -> None:
        """Takes a key that is to be worked on before those that wait."""
        self._keys.appendleft(events.Key(event.key, event.character))
        self._begin()

    def _begin(self) -> None:
        if self.idle:
            self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self._keys:
            key = self._keys.popleft()
            self.midst = not self._keys
            try:
                await self.forward(key)
                for _ in range(ROUNDS):
                    if not await self._settle():
                        break
            except Exception as fault:  # noqa: BLE001 - nobody waits for this task: the fault would be lost
                self._keys.clear()
                self.app._handle_exception(fault)
            finally:
                self.midst = False
                for screen in self.app.screen_stack[-1:]:
                    screen.check_idle()

    async def _settle(self) -> bool:
        """Waits until all that take part in a key have handled what was sent to them so far.

        Whether more has been sent meanwhile, to anything on the screen.
        """
        focused = self.app.focused or self.app.screen
        for node in focused.ancestors_with_self:
            await _reached(node)
        return any(node.message_queue_size for node in self.app.screen.walk_children(with_self=True))


async def _reached(node: MessagePump) -> None:
    done = asyncio.Event()
    # `call_later` would look up anew each time what the callback takes.
    if node.is_running and node.post_message(events.Callback(done.set)):
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                await done.wait()


def pass_on(app: App[Any], event: events.Key) -> None:
    """Hands a key on to the screen that is now on top, before any that wait."""
    if isinstance(app, QueuedApp):
        app.waiting_keys.put_first(event)


class QueuedApp(App[int]):
    """An application whose keys wait for each other."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting_keys = KeyQueue(self, super().on_event)
        self.few_colours = False
        self.sent = SentPicture()

    async def on_event(self, event: events.Event) -> None:
        """Queues keys; all else is Textual's."""
        if isinstance(event, events.Resize):
            self.sent.forget()
        if isinstance(event, events.Key) and not event.is_forwarded:
            self.waiting_keys.put(event)
        else:
            await super().on_event(event)

    def _handle_exception(self, error: Exception) -> None:
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self.stop_by_fault(error)
        self._close_messages_no_wait()

    def stop_by_fault(self, fault: Exception) -> None:
        """Keeps what is to be known of the fault that ends this run of the application."""

    def survive(self, fault: Exception) -> None:
        """What an action has tripped over, while its screen goes on: here nothing does."""
        raise fault

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if isinstance(renderable, ChopsUpdate | LayoutUpdate):
            renderable = cast(RenderableType, ChangedCells(renderable, self.sent))
        super()._display(screen, renderable)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's, then ours."""
        signs = (_ASCII_ONLY,) if signs_in_ascii() else ()
        colours = (_SIXTEEN[self.current_theme.dark],) if self.few_colours and not self.no_color else ()
        return (*super().get_line_filters(), *signs, *colours)

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice, but on a Unix terminal ours."""
        usual = super().get_driver_class()
        if usual.__module__ != "textual.drivers.linux_driver":
            return usual
        from qf_tui.console.widgets.terminal import TerminalDriver

        return TerminalDriver


class ReadyScreen(Screen[ScreenResultType]):
    """A screen that is shown as it stands: nothing of it is worked out twice as it comes."""

    @on(events.ScreenResume)
    def is_styled(self, event: events.ScreenResume) -> None:
        event.refresh_styles = False

    def _screen_resized(self, size: Size) -> None:
        if size != self._size:
            super()._screen_resized(size)


class QuietFocus:
    """A screen that is not drawn anew when the keyboard goes to another of its widgets."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)


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


class KeyInput(Input):
    """An input whose `take` may take a character before it becomes text; its box is of a fixed width."""

    STANDING = "-textual-compact -valid"
    virtual_size = Reactive(Size(0, 0), layout=False)
    compact = Reactive(True, toggle_class="-textual-compact")

    def __init__(self, value: str, take: Callable[[str], bool], **settings: Any) -> None:
        super().__init__(value, compact=True, classes=self.STANDING, **settings)
        self.take = take

    def action_delete_left(self) -> None:
        """Backspace, which may mean something else too."""
        if not self.take(BACKSPACE):
            super().action_delete_left()

    def on_key(self, event: events.Key) -> None:
        if event.character and event.is_printable and self.take(event.character):
            event.stop()
            event.prevent_default()
