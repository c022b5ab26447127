"""An input that asks first whether a character means something else than text."""

from collections.abc import Callable
from typing import Any

from textual import events
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input

BACKSPACE = "\b"
"""How `take` is told of it."""


class Taking(Input):
    """An input whose `take` may take a character before it becomes text; its box is of a fixed width."""

    # What is typed changes no box: the screen need not be laid out anew for each letter.
    virtual_size = Reactive(Size(0, 0), layout=False)

    def __init__(self, value: str, take: Callable[[str], bool], **settings: Any) -> None:
        super().__init__(value, compact=True, **settings)
        self.take = take

    def action_delete_left(self) -> None:
        """Backspace, which may mean something else too."""
        if not self.take(BACKSPACE):
            super().action_delete_left()

    def on_key(self, event: events.Key) -> None:
        if event.character and event.is_printable and self.take(event.character):
            event.stop()
            event.prevent_default()
