"""The programs that `tests.tools.speed` runs in a terminal: the least that Textual can do, and the console.

    python -m tests.tools.speed_apps line | full | anew SAVE

`line` is one Static that each key changes, `full` one as large as the screen; `anew SAVE` is the console, all
of it drawn anew by Ctrl+G.
"""

import sys
from itertools import count
from pathlib import Path

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Static

READY = b"READY"


class Line(App[None]):
    """One Static that a key changes."""

    def compose(self) -> ComposeResult:
        self.keys = count()
        yield Static("READY")

    def on_key(self) -> None:
        self.query_one(Static).update(self.text())

    def text(self) -> str:
        """What the key makes it say."""
        return f"key {next(self.keys)}"


class Full(Line):
    """One Static as large as the screen, all of it changed by a key."""

    def text(self) -> str:
        width, height = self.size
        row = f"{next(self.keys):09} " * (width // 10)
        return "\n".join([row] * height)


def anew(save: str) -> None:
    """The console on a save, with a key that draws all of the screen anew."""
    from qf_tui.console.app import Console, run_console  # noqa: PLC0415 - nothing of ours in the other programs
    from qf_tui.console.reading.logs import Grid  # noqa: PLC0415 - nothing of ours in the other programs

    async def on_event(app: Console, event: events.Event) -> None:
        if isinstance(event, events.Key) and event.key == "ctrl+g":
            app.screen.query_one(Grid).rows.clear()
            app.screen.refresh(layout=False)
            for widget in app.screen.walk_children():
                widget.refresh()
            return
        await usual(app, event)

    usual = Console.on_event
    Console.on_event = on_event  # type: ignore[assignment,method-assign]  # a key more
    run_console(Path(save), None)


if __name__ == "__main__":
    if sys.argv[1] == "anew":
        anew(sys.argv[2])
    else:
        {"line": Line, "full": Full}[sys.argv[1]]().run()
