"""Keys one after the other: each is done with before the next is looked at.

A slow line hands over several keys at once. Without this the second would go to the widget that had the keyboard
before the first: `f h` would open the history instead of choosing the heavy battery.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from textual import events
from textual.app import App
from textual.message_pump import MessagePump

ROUNDS = 3
"""A key changes a field, the field tells its dialog, the dialog moves on: messages that follow from messages."""
LONGEST = 1.0
"""Seconds that a key is waited for at most."""


class KeyQueue:
    """The keys that wait; `forward` hands one to the widget that has the keyboard."""

    def __init__(self, app: App, forward: Callable[[events.Key], Awaitable[None]]) -> None:
        self.app, self.forward = app, forward
        self._keys: deque[events.Key] = deque()
        self._task: asyncio.Task[None] | None = None

    @property
    def idle(self) -> bool:
        """Whether no key waits and none is being worked on."""
        return self._task is None or self._task.done()

    def put(self, event: events.Key) -> None:
        """Takes a key."""
        self._keys.append(event)
        if self.idle:
            self._task = asyncio.create_task(self._work())

    def put_first(self, event: events.Key) -> None:
        """Takes a key that is to be worked on before those that wait."""
        self._keys.appendleft(events.Key(event.key, event.character))
        if self.idle:
            self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self._keys:
            await self.forward(self._keys.popleft())
            for _ in range(ROUNDS):
                await self._settle()

    async def _settle(self) -> None:
        """Waits until all that have a part in a key have looked at what was sent to them so far."""
        focused = self.app.focused or self.app.screen
        for node in focused.ancestors_with_self:
            await _reached(node)


async def _reached(node: MessagePump) -> None:
    done = asyncio.Event()
    if node.is_running and node.call_later(done.set):
        try:
            await asyncio.wait_for(done.wait(), LONGEST)
        except TimeoutError:
            return


def pass_on(app: App, event: events.Key) -> None:
    """Hands a key on to the screen that is now on top, before any that wait."""
    queue = getattr(app, "waiting_keys", None)
    if isinstance(queue, KeyQueue):
        queue.put_first(event)
