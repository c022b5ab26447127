"""The console's application: its command palette, signs and colours, and the log of the program's own faults.

Functions here run it, and after a fault open it again on the same save. Its screens are in other modules.
"""

import asyncio
import gc
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from time import monotonic
from traceback import format_exception
from typing import ClassVar

from attrs import evolve
from textual import events, work
from textual.app import App
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.filter import LineFilter
from textual.geometry import Size

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.battle.view import BattleView, WatchScreen
from qf_tui.console.reading.source import SourceScreen
from qf_tui.console.setup.opening import ask_words
from qf_tui.console.widgets.action_table import list_actions
from qf_tui.console.widgets.actions import GRID, Action
from qf_tui.console.widgets.keys import (
    KeyScreen,
    QueuedApp,
    build_form_action,
    clear_background,
    find_key,
    list_app_actions,
    perform,
    remap,
)
from qf_tui.console.widgets.panel import TooSmall, is_too_small
from qf_tui.console.widgets.text import Signs, literal, use_ascii
from qf_tui.console.widgets.theme import (
    ABLE,
    THEMES,
    Abilities,
    AsciiOnly,
    SixteenColours,
    find_abilities,
    find_theme_name,
)
from qf_tui.core.builtin_forms import BUILTIN
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Form
from qf_tui.library.faults import format_faults
from qf_tui.library.paths import write_crash_report
from qf_tui.library.settings import (
    ASCII,
    AUTO,
    SIXTEEN,
    Settings,
    change_setting,
    load_settings,
    read_setting_value,
)
from qf_tui.library.systems import find_systems, load_usable
from qf_tui.operating_systems import end_by_signals
from qf_tui.registry import find_features, search_features
from qf_tui.session import Session
from qf_tui.session.opening import Beginning, open_target
from qf_tui.session.saves import Follower
from qf_tui.session.session import find_or_keep_save

DEDICATED = {"next", "roll", "answer", "mark"}
"""Common orders that have an action of their own."""
FAULTS_MOST, FAULTS_WITHIN_S = 3, 60.0
"""Number of faults that are survived, and the seconds in which they are counted."""
_NAME_MOST = 120
FAULT_SECONDS = 30
"""Seconds for which a fault is shown on a screen without a message line."""
_ASCII_ONLY = AsciiOnly()
_SIXTEEN = {dark: SixteenColours(dark) for dark in (True, False)}
TERMINAL_RESET = (
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1015l\x1b[?1006l"  # the mouse
    b"\x1b[?2004l\x1b[?1004l\x1b[?2048l\x1b[<u"  # pastes, focus, sizes, key reports
    b"\x1b[?1049l\x1b[?25h\x1b[0m"  # the alternate screen, the cursor, colours
)
"""Turns off in a terminal what Textual turns on."""
YOUNG_COLLECTIONS, COLLECT_EVERY_S = 10, 1.0
"""Garbage collections of young values before one of all values; seconds between two chances for it."""
_WORDS = re.compile(r"[^\W_]+")


class ActionPalette(CommandPalette):
    """Textual's command palette, in which keys do nothing until its list is laid out."""

    def on_mount(self) -> None:
        """Make the background transparent on a terminal with few colours."""
        clear_background(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Refuse the palette's keys until its list is laid out."""
        # Keys typed in one burst arrive before the list is laid out, and it has no pages yet.
        return action != "command_list" or bool(self.query_one(CommandList).scrollable_content_region)


class Actions(Provider):
    """The source of the command palette: the actions of the open battle."""

    def _list_actions(self) -> Iterator[tuple[str, Action]]:
        """Yield the actions that the battle screen offers, each with its title and key.

        Screens that are no battle screen offer none.
        """
        screen = self.screen
        if not isinstance(screen, BattleView):
            return
        keys = screen.find_keys(GRID)
        forms = (*screen.source.system.forms, *(form for form in BUILTIN if form.word not in DEDICATED))
        palette_actions = (action for action in list_app_actions(self.app) if action.palette)
        for action in (*map(build_form_action, forms), *palette_actions):
            if screen.is_offered(action):
                key = find_key(action, keys)
                yield f"{action.title} ({key})" if key else action.title, action

    async def discover(self) -> Hits:
        """Yield all actions, for a palette without typed words."""
        for title, action in self._list_actions():
            yield DiscoveryHit(literal(title), partial(perform, self.screen, action), title, action.help)

    async def search(self, query: str) -> Hits:
        """Find actions whose title, id or help has a word for each typed beginning; titles come first."""
        for title, action in self._list_actions():
            score = 2 * _rate_match(query, title) or _rate_match(query, f"{title} {action.id} {action.help}")
            if score:
                perform_action = partial(perform, self.screen, action)
                yield Hit(score, literal(title), perform_action, title, action.help)


def _rate_match(query: str, text: str) -> float:
    """Rate how well a text matches typed words: 0 unless each typed word begins a word of the text.

    The earlier in the text the first typed word is found, the higher the rate, at most 1.
    """
    words = _WORDS.findall(text.casefold())
    typed_words = query.casefold().split()
    begins_a_word = (any(word.startswith(letters) for word in words) for letters in typed_words)
    if not (typed_words and all(begins_a_word)):
        return 0.0
    place = next(at for at, word in enumerate(words) if word.startswith(typed_words[0]))
    return 1 / (1 + place)


class FaultLog:
    """The faults of the program itself in one evening.

    Each is written to a file and shown in a line, and the battle goes on. Too many in a short time end the
    console with a message in plain words.

    Args:
        clock: Returns seconds since any fixed moment.

    Attributes:
        report_path: File with the details of the last fault, or None.
        message: Message about the last fault, until it is shown.
        count: Number of all faults.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._times: list[float] = []
        self.report_path: Path | None = None
        self.message = ""
        self.count = 0

    def record(self, fault: Exception) -> str:
        """Write a fault to a new file, and return the message about it."""
        now = self._clock()
        self.count += 1
        self._times = [time for time in self._times if now - time < FAULTS_WITHIN_S] + [now]
        self.report_path = write_crash_report("".join(format_exception(fault)))
        name = f"{type(fault).__name__}: {fault}".splitlines()[0][:_NAME_MOST]
        where = f" The details are in {self.report_path}." if self.report_path else ""
        self.message = f"An internal error ({name}). Every entry is kept: carry on.{where}"
        return self.message

    def take_message(self) -> str:
        """Return the message about the last fault if it was not taken yet, or ""."""
        message, self.message = self.message, ""
        return message

    @property
    def too_many(self) -> bool:
        """True if faults come so often that the console must end."""
        return len(self._times) > FAULTS_MOST

    def format_end(self, save: Path | None) -> str:
        """Format the message for the end of the console after too many faults."""
        lines = ["qf-tui stopped because of an internal error. Every entry is saved."]
        if save:
            lines.append(f"Continue the battle with: qf-tui play {save}")
        if self.report_path:
            lines.append(f"The details are in {self.report_path}")
        return "\n".join(lines)


LOAD_AFTER_S = 1.0
"""Seconds after which features of other packages are searched for, and further modules are loaded."""
LOADED_LATER = (
    "qf_tui.console.history.view",
    "qf_tui.console.reading.info_panels",
    "qf_tui.library.declared",
)
"""Modules of screens that are opened by a key, loaded before so that the key does not wait for them."""


class Console(QueuedApp):
    """The umpire's console.

    Attributes:
        keep: Keeps a setting, by its name, for the next start; None to keep none.
        faults: Unexpected faults so far; the last one is shown.
        stopped: True if a fault ended this run.
        terminal: Abilities of the terminal.
        follower: Battle to follow; the console then shows nothing else.
        open_page: Opens a page over the followed battle.
        beginning: Battle that waits for the words of its sides.
        ended_by: Signal that ended the console, or 0.
    """

    CSS_PATH = Path(__file__).with_name("console.tcss")
    COMMANDS: ClassVar = {Actions}
    filters: tuple[LineFilter, ...] = ()
    TITLE = "qf-tui"

    def __init__(
        self,
        systems: Mapping[str, RuleSystem],
        session: Session | None = None,
        message: str = "",
        settings: Settings | None = None,
        keep: Callable[[str, str], object] | None = None,
        faults: FaultLog | None = None,
        terminal: Abilities = ABLE,
    ) -> None:
        super().__init__()
        self.follower: Follower | None = None
        self.open_page: Callable[[BattleView], object] | None = None
        self.terminal = terminal
        self.systems, self.session, self.message = systems, session, message
        self.beginning: Beginning | None = None
        self.ended_by = 0
        self.known_features = find_features()
        self.settings, self.keep = settings or Settings(), keep
        self.settings_fault = ""
        self.faults, self.stopped = faults or FaultLog(), False
        self.actions = (
            remap(self.settings.keys, list_all_forms(systems)) if self.settings.keys else list_actions()
        )
        for theme in THEMES.values():
            self.register_theme(theme)
        # Set without Textual's setter, which would read all styles again before the first screen.
        self.set_reactive(App.theme, THEMES[self.settings.theme].name)
        self.stylesheet.set_variables(self.get_css_variables())
        self.apply_look(self.settings)

    def apply_look(self, settings: Settings) -> None:
        """Choose signs and colors by the settings, or by the terminal where a setting is `auto`."""
        use_ascii(settings.signs == ASCII or (settings.signs == AUTO and self.terminal.ascii))
        self.few_colours = settings.colours == SIXTEEN or (
            settings.colours == AUTO and self.terminal.few_colours
        )
        signs = (_ASCII_ONLY,) if Signs.ascii else ()
        colours = (_SIXTEEN[self.current_theme.dark],) if self.few_colours and not self.no_color else ()
        self.filters = (*signs, *colours)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return Textual's line filters, then ours."""
        return (*super().get_line_filters(), *self.filters)

    def on_key_screen_settings_asked(self) -> None:
        """Open the settings."""
        from qf_tui.console.settings_screen import SettingsScreen

        self.push_screen(SettingsScreen(self.settings, self._change_setting))

    def _change_setting(self, name: str, text: str) -> Settings:
        """Change a setting, draw everything with it, and keep it for the next start.

        Raises:
            QfError: If the text is no value for the setting.
        """
        settings = self.settings.with_values({name: read_setting_value(name, text)})
        if self.keep is not None:
            self.keep(name, text)
        self.settings = settings
        self.apply_look(settings)
        self.theme = THEMES[settings.theme].name
        for screen in self.screen_stack:
            if isinstance(screen, BattleView):
                screen.take_settings(settings)
                screen.show()
            for widget in screen.walk_children():
                widget.notify_style_update()
                widget.refresh(layout=True)
        return settings

    def on_resize(self, event: events.Resize) -> None:
        """Cover the screen with a notice if the window became too small."""
        # Before our first screen there is nothing to cover.
        if len(self.screen_stack) > 1:
            self._cover_if_too_small(event.size)

    def _cover_if_too_small(self, size: Size) -> None:
        if is_too_small(size) and not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())

    def action_command_palette(self) -> None:
        """Open the palette, unless it or the notice about the window's size is open."""
        if not isinstance(self.screen, ActionPalette | TooSmall):
            self.push_screen(ActionPalette())

    def on_mount(self) -> None:
        """Show this run's battle, a followed battle, or the first screen.

        If a battle waits for the secret words of its sides, ask for them over the first screen.
        """
        if self.session is not None:
            self.open(self.session, self.message)
        elif self.follower is not None:
            self.follow(self.follower, self.message or self.faults.take_message())
        else:
            # A named battle must not wait for the lists of the first screen.
            from qf_tui.console.setup.start import StartScreen

            fault = (self.message,) if self.message and not self.beginning else ()
            self.push_screen(StartScreen(self.systems, self.open, fault))
            if self.beginning is not None:
                ask_words(self, self.beginning, lambda session: self.open(session, self.message))
            if news := self.faults.take_message():
                self.notify(news, severity="error", timeout=FAULT_SECONDS, markup=False)
        self._cover_if_too_small(self.size)
        if self.settings_fault:
            self.notify(self.settings_fault, severity="warning", timeout=60, markup=False)
        # Garbage collection was disabled for a faster start.
        gc.enable()
        self.set_interval(COLLECT_EVERY_S, self.collect)
        self.set_timer(LOAD_AFTER_S, self._load_later)

    @work(thread=True)
    def _load_later(self) -> None:
        """Search for features of other packages, and load further screens, after the first is shown."""
        faults, known = search_features(), len(self.known_features)
        if faults or len(find_features()) > known:
            self.call_from_thread(self._take_features, faults)
        for module in LOADED_LATER:
            import_module(module)
        # Fill the caches of help pages and of the ships of all navies.
        from qf_tui.document.help import TOPICS, build_help_page
        from qf_tui.library.navies import load_register

        for topic in TOPICS:
            build_help_page(topic)
        load_register()

    def _take_features(self, faults: Sequence[str]) -> None:
        """Use the features that were found late: their keys and their parts of open screens; show faults."""
        self.known_features = find_features()
        try:
            self.actions = remap(self.settings.keys, list_all_forms(self.systems))
        except QfError as fault:
            faults = (*faults, str(fault))
        for screen in self.screen_stack:
            if isinstance(screen, KeyScreen):
                screen.take_features()
        for text in faults:
            self.notify(text, severity="warning", timeout=FAULT_SECONDS, markup=False)

    def collect(self) -> None:
        """Collect all garbage, if young objects were collected often since last time, and no key waits."""
        if self.waiting_keys.idle and gc.get_count()[2] >= YOUNG_COLLECTIONS:
            gc.collect()

    def watch_theme(self) -> None:
        """Apply another theme; if the user chose it, save it in the settings, or report why that failed."""
        self.apply_look(self.settings)
        if find_theme_name(self) == self.settings.theme:
            return
        self.settings = evolve(self.settings, theme=find_theme_name(self))
        try:
            if self.keep is not None:
                self.keep("theme", find_theme_name(self))
        except QfError as fault:
            self.notify(str(fault), severity="warning", markup=False)

    def end_by_signal(self, number: int) -> None:
        """End the console because of a signal, after the key that is being handled."""
        self.ended_by = number
        self.waiting_keys.finish(partial(self.exit, return_code=-number))

    def record_ending_fault(self, fault: Exception) -> None:
        """Record the fault that ends this run, unless an earlier fault or a signal ends it already."""
        # During the exit, a screen that is still opening raises, because its widgets are gone: no fault.
        if not (self.stopped or self.ended_by):
            self.stopped = True
            self.faults.record(fault)

    def report_fault(self, fault: Exception) -> None:
        """Report an unexpected exception of an action; raise it if there were too many, to end this run."""
        message = self.faults.record(fault)
        if self.faults.too_many:
            raise fault
        if isinstance(self.screen, SourceScreen):
            self.screen.alarm(message)
        else:
            self.notify(message, severity="error", timeout=FAULT_SECONDS, markup=False)

    def on_battle_view_left(self, event: BattleView.Left) -> None:
        """Close the battle that was left, and open the save that it was left for.

        Without a save, or if it cannot be opened, show the first screen with what the umpire must know.
        """
        file_notice = ""
        if event.save is None and self.session is not None:
            _, file_notice = find_or_keep_save(self.session)
        message = " ".join(filter(None, (self.close_session(), file_notice)))
        fault: tuple[str, ...] = (message,) if message else ()
        # `open` and `follow` froze the log that is no longer needed.
        gc.unfreeze()
        if event.save is not None:
            try:
                session = Session.resume(event.save, self.systems)
            except QfError as refused:
                fault = format_faults(refused)
            else:
                self.pop_screen()
                self.open(session)
                return
        from qf_tui.console.setup.start import StartScreen

        below = self.screen_stack[-2]
        if isinstance(below, StartScreen):
            self.pop_screen()
            below.show_fault(*fault)
        else:
            self.switch_screen(StartScreen(self.systems, self.open, fault))

    def close_session(self) -> str:
        """Close the open battle, if any, and return what the umpire must know, or ""."""
        session, self.session = self.session, None
        return session.close() if session is not None else ""

    def follow(self, follower: Follower, message: str, *, leads_back: bool = False) -> None:
        """Show a battle that another console writes.

        Args:
            leads_back: True if other battles may be opened from there.
        """
        # Without this the garbage collector would walk the whole log again and again.
        gc.freeze()
        screen = WatchScreen(
            follower, message, self.settings, open_page=self.open_page, leads_back=leads_back
        )
        self.push_screen(screen)

    def on_watch_screen_replaced(self, event: WatchScreen.Replaced) -> None:
        """Close everything over the followed battle, and show the battle that has replaced it."""
        while not isinstance(self.screen, type(event.by)):
            self.pop_screen()
        self.switch_screen(event.by)

    def open(self, session: Session, message: str = "") -> None:
        """Show a battle; follow it if another console writes it.

        Args:
            message: Text that is shown until something is entered.
        """
        self.session = session
        save = session.journal.path
        if save is not None and not session.writable:
            self.close_session()
            message = " ".join(filter(None, (message, session.notice)))
            self.follow(Follower(save, self.systems), message, leads_back=True)
            return
        session.start_clock(monotonic)
        # Without this the garbage collector would walk the whole log again and again.
        gc.freeze()
        self.push_screen(BattleScreen(session, self.settings, message or self.faults.take_message()))


def list_all_forms(systems: Mapping[str, RuleSystem]) -> list[Form]:
    """List the orders of all rule systems."""
    return [form for system in load_usable(systems).values() for form in system.forms]


def run_console(
    target: Path | str | None,
    save: Path | None,
    rules: str = "",
    overriding_settings: Mapping[str, Scalar] | None = None,
    crews: str = "",
) -> tuple[int, Path | None]:
    """Run the console on a scenario or a save, or on the first screen.

    Args:
        target: Scenario or save, or None.
        save: Path of a new save, or None.
        rules: Rule system for a scenario, or "".
        overriding_settings: Settings that hold only for this run.
        crews: Whether the stated crews of a scenario count; "" if the scenario decides.

    Returns:
        The exit status, and the save of the battle that was left, or None.
    """
    systems = find_systems()
    opened: Session | Beginning | None = None
    message = ""
    if target is not None:
        try:
            opened, message = open_target(target, save, systems, rules, crews)
        except QfError as wrong:
            message = str(wrong)
    make = _build_maker(systems, overriding_settings or {})
    session = None if isinstance(opened, Beginning) else opened
    beginnings = [opened] if isinstance(opened, Beginning) else []

    def make_app(session: Session | None, message: str, faults: FaultLog) -> Console:
        app = make(session, message, faults)
        # Only the first console asks the sides for their words; one after a fault resumes the save.
        app.beginning = beginnings.pop() if beginnings else None
        return app

    return keep_open(make_app, systems, session, message)


def run_watch(save: Path, open_page: Callable[[BattleView], object] | None = None) -> int:
    """Run a console that only follows a save, and return the exit status.

    Args:
        open_page: Function that opens a screen over the battle at once; None for no screen.

    Raises:
        QfError: If the save cannot be opened.
    """
    systems = find_systems()
    make = _build_maker(systems, overriding_settings={})

    def make_app(session: Session | None, message: str, faults: FaultLog) -> Console:
        # A console that follows a save has no session of its own.
        app = make(None, message, faults)
        app.follower, app.open_page = Follower(save, systems), open_page
        return app

    exit_status, _ = keep_open(make_app, systems, session=None)
    return exit_status


Make = Callable[[Session | None, str, FaultLog], Console]
"""Makes a console on a battle or on none; the text is shown first, such as a fault of the named file."""


def _build_maker(systems: Mapping[str, RuleSystem], overriding_settings: Mapping[str, Scalar]) -> Make:
    """Return a function that makes consoles with the user's settings.

    If the settings cannot be read, the consoles have the defaults, show the fault, and keep no changes.

    Args:
        overriding_settings: Settings that hold only for this run.
    """
    refusal = ""
    try:
        settings = load_settings()
        # Checking the umpire's own keys loads all rule systems, so skip it without such keys.
        if settings.keys:
            remap(settings.keys, list_all_forms(systems))
    except QfError as refused:
        settings, refusal = Settings(), f"{refused}\nThe default settings are used."
    settings = settings.with_values(overriding_settings)

    def make(session: Session | None, message: str, faults: FaultLog) -> Console:
        keep = None if refusal else change_setting
        app = Console(systems, session, message, settings, keep, faults, find_abilities())
        app.settings_fault = refusal
        return app

    return make


def keep_open(
    make: Make,
    systems: Mapping[str, RuleSystem],
    session: Session | None,
    message: str = "",
    run: Callable[[Console], object] | None = None,
) -> tuple[int, Path | None]:
    """Run a console until the umpire leaves it.

    After a fault of the program, a new console opens the same save again, unless there were too many faults.

    Args:
        make: Makes a console.
        systems: The rule systems by name, to read the save again.
        session: The battle to show first, or None.
        message: Text that is shown first.
        run: Runs a console; None for a run on the terminal.

    Returns:
        The exit status, and the save of the battle that was left, or None.
    """
    faults = FaultLog()
    while True:
        app = make(session, message, faults)
        try:
            (run or _run_on_terminal)(app)
        except Exception as error:  # noqa: BLE001 - a fault of Textual outside of its loop
            app.record_ending_fault(error)
        finally:
            session = app.session
            save = _close_battle(session) if session is not None else None
        if app.ended_by:
            # End by the same signal, so that the parent process sees it.
            os.kill(os.getpid(), app.ended_by)
        if not app.stopped:
            return app.return_code or 0, save
        if faults.too_many:
            sys.stderr.write(f"{faults.format_end(save)}\n")
            return 1, None
        message = ""
        # Without a save, the next console shows the battle in memory.
        if save is not None:
            try:
                session = Session.resume(save, systems)
            except QfError as wrong:
                session, message = None, str(wrong)


def _close_battle(session: Session) -> Path | None:
    """Close a battle, write on stderr what the umpire must know, and return its save or the copy, or None."""
    save, file_notice = find_or_keep_save(session)
    notice = session.close()
    for line in filter(None, (notice, file_notice)):
        sys.stderr.write(f"{line}\n")
    return save


def _run_on_terminal(app: Console) -> None:
    """Run a console in the terminal, and restore the terminal if a signal ends it."""
    # Only `collect` may start a full collection, never the middle of a key.
    gc.set_threshold(*gc.get_threshold()[:2], 1_000_000)

    def end(number: int) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # the loop has not started, or is over: nothing is open
            os.kill(os.getpid(), number)
            return
        loop.call_soon_threadsafe(app.end_by_signal, number)

    with end_by_signals(end, TERMINAL_RESET):
        app.run()
