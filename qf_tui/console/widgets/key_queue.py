"""Keys one after the other: each is finished, with all that follows from it, before the next is read."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from textual import events
from textual.app import App
from textual.driver import Driver
from textual.message_pump import MessagePump

from qf_tui.console.textual_patches.overrides import PatchedApp

ROUNDS = 3
"""A key changes a field, the field informs its dialog, the dialog moves on: messages follow from messages, so
often at most."""
LONGEST = 1.0
"""Seconds that a key is waited for at most."""


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
                self.app.call_later(_fail, fault)
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


def _fail(fault: Exception) -> None:
    raise fault


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


class QueuedApp(PatchedApp):
    """An application whose keys wait for each other."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting_keys = KeyQueue(self, super().on_event)

    async def on_event(self, event: events.Event) -> None:
        """Queues keys; all else is Textual's."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            self.waiting_keys.put(event)
        else:
            await super().on_event(event)

    def survive(self, fault: Exception) -> None:
        """What an action has tripped over, while its screen goes on: here nothing does."""
        raise fault

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice, but on a Unix terminal ours."""
        usual = super().get_driver_class()
        if usual.__module__ != "textual.drivers.linux_driver":
            return usual
        from qf_tui.console.textual_patches.terminal import TerminalDriver

        return TerminalDriver
