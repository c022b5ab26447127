"""The application: which screen is on, which theme, and the one open battle."""

import gc
import traceback
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.geometry import Size

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.keyqueue import KeyQueue
from qf_tui.console.palette import Actions
from qf_tui.console.setup.opening import open_target
from qf_tui.console.small import Small, too_small
from qf_tui.console.theme import THEMES
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.library.systems import find_systems
from qf_tui.session import Session


class Console(App[int]):
    """The umpire's console."""

    CSS_PATH = Path(__file__).with_name("console.tcss")
    COMMANDS: ClassVar = {Actions}
    TITLE = "qf-tui"
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self, systems: Mapping[str, RuleSystem], session: Session | None = None, fault: str = ""
    ) -> None:
        super().__init__()
        self.systems, self.session, self.fault = systems, session, fault
        self.waiting_keys = KeyQueue(self, super().on_event)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    async def on_event(self, event: events.Event) -> None:
        """Keys wait for each other; all else is Textual's."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            self.waiting_keys.put(event)
        else:
            await super().on_event(event)

    def on_resize(self, event: events.Resize) -> None:
        # Before the first screen of ours is there, there is nothing to cover.
        if len(self.screen_stack) > 1:
            self._cover(event.size)

    def _cover(self, size: Size) -> None:
        """Lets nothing act on a screen that is too small to be seen."""
        if too_small(size) and not isinstance(self.screen, Small):
            self.push_screen(Small())

    def on_mount(self) -> None:
        if self.session is not None:
            self.open(self.session)
        else:
            # Whoever names a battle does not wait for the lists of the first screen.
            from qf_tui.console.setup.start import StartScreen

            self.push_screen(StartScreen(self.systems, self.open, self.fault))
        self._cover(self.size)
        gc.enable()

    def _fatal_error(self) -> None:
        """Ends in plain words after a fault of ours; Textual would fill the screen with its own."""
        from qf_tui.library.crash_report import keep_fault

        kept = keep_fault(traceback.format_exc())
        save = self.session.journal.path if self.session is not None else None
        lines = ["qf-tui has stopped by a fault of its own. Every entry that it acknowledged is on the disk."]
        if save:
            lines.append(f"The battle goes on with: qf-tui play {save}")
        if kept:
            lines.append(f"What went wrong is written down in {kept}")
        self.bell()
        self.panic(Text("\n".join(lines)))

    def open(self, session: Session) -> None:
        """Shows a battle."""
        self.session = session
        session.start_clock(monotonic)
        # The collector would look through every value of the log again and again: hitches of 80 ms and more.
        gc.freeze()
        self.push_screen(BattleScreen(session))


def run_console(target: Path | str | None, save: Path | None) -> int:
    """Runs the console on a scenario, a save, or with None from the first screen; gives the exit status."""
    systems = find_systems()
    session, fault = None, ""
    if target is not None:
        try:
            session = open_target(target, save, systems)
        except QfError as wrong:
            fault = str(wrong)
    app = Console(systems, session, fault)
    try:
        app.run()
    finally:
        if app.session is not None:
            app.session.close()
    return app.return_code or 0
