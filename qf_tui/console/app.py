"""The application: which screen is on, which theme, and the one open battle."""

import gc
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.theme import Theme

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.palette import Actions
from qf_tui.console.setup.opening import open_target
from qf_tui.console.widgets.actions import ACTIONS
from qf_tui.console.widgets.keys import remapped
from qf_tui.console.widgets.overrides import QueuedApp
from qf_tui.console.widgets.theme import THEMES, theme_word
from qf_tui.console.widgets.too_small import TooSmall, too_small
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.library.settings import Settings, keep_setting, load_settings
from qf_tui.library.systems import find_systems
from qf_tui.session import Session


class Console(QueuedApp):
    """The umpire's console; `keep` keeps a setting that is changed here, by its name, for the next time.

    QfError if it cannot have the keys of the settings.
    """

    CSS_PATH = Path(__file__).with_name("console.tcss")
    COMMANDS: ClassVar = {Actions}
    TITLE = "qf-tui"
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        systems: Mapping[str, RuleSystem],
        session: Session | None = None,
        fault: str = "",
        settings: Settings | None = None,
        keep: Callable[[str, str], object] | None = None,
    ) -> None:
        super().__init__()
        self.systems, self.session, self.fault = systems, session, fault
        self.settings, self.keep, self.settings_fault = settings or Settings(), keep, ""
        forms = [form for system in systems.values() for form in system.forms]
        self.actions = remapped(self.settings.keys, forms) if self.settings.keys else ACTIONS
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = THEMES[self.settings.theme].name

    def on_resize(self, event: events.Resize) -> None:
        # Before the first screen of ours is there, there is nothing to cover.
        if len(self.screen_stack) > 1:
            self._cover(event.size)

    def _cover(self, size: Size) -> None:
        """Lets nothing act on a screen that is too small to be seen."""
        if too_small(size) and not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())

    def on_mount(self) -> None:
        self.theme_changed_signal.subscribe(self, self._keep_theme)
        if self.session is not None:
            self.open(self.session)
        else:
            # Naming a battle is not to wait for the lists of the first screen.
            from qf_tui.console.setup.start import StartScreen

            self.push_screen(StartScreen(self.systems, self.open, self.fault))
        self._cover(self.size)
        if self.settings_fault:
            self.notify(self.settings_fault, severity="warning", timeout=60, markup=False)
        gc.enable()

    def _keep_theme(self, _: Theme) -> None:
        try:
            if self.keep is not None:
                self.keep("theme", theme_word(self))
        except QfError as fault:
            self.notify(str(fault), severity="warning", markup=False)

    def stop_by_fault(self, trace: str) -> None:
        """Ends in plain words after a fault of ours."""
        from qf_tui.library.crash_report import keep_fault

        kept = keep_fault(trace)
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
        self.push_screen(BattleScreen(session, self.settings))


def run_console(target: Path | str | None, save: Path | None) -> tuple[int, Path | None]:
    """Runs the console on a scenario, a save, or with None from the first screen.

    Gives the exit status, and the save of the battle that was left, if there is one.
    """
    systems = find_systems()
    session, fault = None, ""
    if target is not None:
        try:
            session = open_target(target, save, systems)
        except QfError as wrong:
            fault = str(wrong)
    app = _set_up(systems, session, fault)
    try:
        app.run()
    finally:
        if app.session is not None:
            app.session.close()
    return app.return_code or 0, app.session.journal.path if app.session is not None else None


def _set_up(systems: Mapping[str, RuleSystem], session: Session | None, fault: str) -> Console:
    """The console as the user has set it; what is wrong with his settings is said, and the defaults hold."""
    try:
        return Console(systems, session, fault, load_settings(), keep_setting)
    except QfError as wrong:
        app = Console(systems, session, fault)
        app.settings_fault = f"{wrong}\nThe usual settings hold."
        return app
