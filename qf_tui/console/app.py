"""The application: which screen is on, which theme, and the one open battle."""

import asyncio
import gc
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
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
    actions_of,
    clear_veil,
    form_action,
    key_of,
    perform,
    remapped,
)
from qf_tui.console.widgets.panel import TooSmall, too_small
from qf_tui.console.widgets.text import Signs, literal, use_ascii
from qf_tui.console.widgets.theme import (
    ABLE,
    THEMES,
    Abilities,
    AsciiOnly,
    SixteenColours,
    abilities_of,
    theme_word,
)
from qf_tui.core.builtin_forms import BUILTIN
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Form
from qf_tui.library.faults import fault_lines
from qf_tui.library.paths import keep_fault
from qf_tui.library.settings import ASCII, AUTO, SIXTEEN, Settings, keep_setting, load_settings, setting_value
from qf_tui.library.systems import find_systems, usable
from qf_tui.operating_systems import end_by_signals
from qf_tui.registry import find_features, search_features
from qf_tui.session import Session
from qf_tui.session.opening import Beginning, open_target
from qf_tui.session.saves import Follower
from qf_tui.session.session import find_or_keep_save

DEDICATED = {"next", "roll", "answer", "mark"}
"""Common orders that are also actions."""
MOST, WITHIN = 3, 60.0
"""Faults that are survived, and the seconds in which there may be so many."""
_NAME_MOST = 120
FAULT_SECONDS = 30
"""How long a fault is shown on a screen without a line of its own for it."""
_ASCII_ONLY = AsciiOnly()
_SIXTEEN = {dark: SixteenColours(dark) for dark in (True, False)}
TERMINAL_RESET = (
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1015l\x1b[?1006l"  # the mouse
    b"\x1b[?2004l\x1b[?1004l\x1b[?2048l\x1b[<u"  # pastes, focus, sizes, key reports
    b"\x1b[?1049l\x1b[?25h\x1b[0m"  # the alternate screen, the cursor, colours
)
"""Turns off in a terminal what Textual turns on."""
LOOKS, QUIET_EVERY = 10, 1.0
"""Looks of the collector at what is new before one at all values, and seconds between two chances of it."""
_WORDS = re.compile(r"[^\W_]+")


class ActionPalette(CommandPalette):
    """Textual's palette; no key reaches its list before that is laid out."""

    def on_mount(self) -> None:
        clear_veil(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # Keys of one burst come before the lines are drawn: a list without lines has no pages yet.
        return action != "command_list" or bool(self.query_one(CommandList).scrollable_content_region)


class Actions(Provider):
    """What can be done in the battle that is open."""

    def _actions(self) -> Iterator[tuple[str, Action]]:
        screen = self.screen
        if not isinstance(screen, BattleView):
            return
        keys = screen.keys_of(GRID)
        forms = (*screen.source.system.forms, *(form for form in BUILTIN if form.word not in DEDICATED))
        listed = (action for action in actions_of(self.app) if action.palette)
        for action in (*map(form_action, forms), *listed):
            if screen.offers(action):
                key = key_of(action, keys)
                yield f"{action.title} ({key})" if key else action.title, action

    async def discover(self) -> Hits:
        for title, action in self._actions():
            yield DiscoveryHit(literal(title), partial(perform, self.screen, action), title, action.help)

    async def search(self, query: str) -> Hits:
        """Every word typed must begin one of the title or the help; titles come first."""
        for title, action in self._actions():
            score = 2 * _begun(query, title) or _begun(query, f"{title} {action.id} {action.help}")
            if score:
                does = partial(perform, self.screen, action)
                yield Hit(score, literal(title), does, title, action.help)


def _begun(query: str, text: str) -> float:
    """Whether each word typed begins a word of a text; worth more, the sooner the first one does."""
    words = _WORDS.findall(text.casefold())
    typed = query.casefold().split()
    if not typed or not all(any(word.startswith(letters) for word in words) for letters in typed):
        return 0.0
    first = next(at for at, word in enumerate(words) if word.startswith(typed[0]))
    return 1 / (1 + first)


class FaultLog:
    """The faults of the program itself in one evening; `clock` gives seconds from any beginning.

    Each is written down and shown in a line, and the battle goes on. One that comes again and again ends the
    console in plain words instead.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._times: list[float] = []
        self.kept: Path | None = None
        self.message = ""
        self.count = 0

    def keep(self, fault: Exception) -> str:
        """Writes a fault down, and gives the message about it."""
        now = self._clock()
        self.count += 1
        self._times = [time for time in self._times if now - time < WITHIN] + [now]
        self.kept = keep_fault("".join(format_exception(fault)))
        name = f"{type(fault).__name__}: {fault}".splitlines()[0][:_NAME_MOST]
        where = f" The details are in {self.kept}." if self.kept else ""
        self.message = f"A fault of qf-tui itself ({name}). Every entry is kept: carry on.{where}"
        return self.message

    def news(self) -> str:
        """The message about the last fault, once; or nothing."""
        message, self.message = self.message, ""
        return message

    @property
    def too_many(self) -> bool:
        """Whether they come so often that going on leads nowhere."""
        return len(self._times) > MOST

    def last_words(self, save: Path | None) -> str:
        """The message where the console ends by them."""
        lines = ["qf-tui stopped because of a fault of its own. Every entry is saved."]
        if save:
            lines.append(f"The battle goes on with: qf-tui play {save}")
        if self.kept:
            lines.append(f"The details are in {self.kept}")
        return "\n".join(lines)


SEARCHES_S = 1.0
"""Seconds after which features of other packages are looked for."""


class Console(QueuedApp):
    """The umpire's console; `keep` keeps a setting that is changed here, by its name, for the next time.

    `faults` are those of the evening so far, the last of which is shown. `stopped`: one of them ended this
    run. `terminal` is what the terminal can show. With a `follower` there is nothing but its battle;
    `first` is what begins over it. `beginning` is a battle that waits for the words of its sides. `ended_by`
    is the signal that ends it, or 0.
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
        self.first: Callable[[BattleView], object] | None = None
        self.terminal = terminal
        self.systems, self.session, self.message = systems, session, message
        self.beginning: Beginning | None = None
        self.ended_by = 0
        self.known_features = find_features()
        self.settings, self.keep, self.settings_fault = settings or Settings(), keep, ""
        self.faults, self.stopped = faults or FaultLog(), False
        self.actions = (
            remapped(self.settings.keys, forms_of(systems)) if self.settings.keys else list_actions()
        )
        for theme in THEMES.values():
            self.register_theme(theme)
        # Nothing is styled yet: to set it as usual would read all styles again.
        self.set_reactive(App.theme, THEMES[self.settings.theme].name)
        self.stylesheet.set_variables(self.get_css_variables())
        self.look_as(self.settings)

    def look_as(self, settings: Settings) -> None:
        """Takes signs and colours from settings and, where they leave it open, from the terminal.

        Lines are filtered where the terminal or the umpire has fewer of them.
        """
        use_ascii(settings.signs == ASCII or (settings.signs == AUTO and self.terminal.ascii))
        self.few_colours = settings.colours == SIXTEEN or (
            settings.colours == AUTO and self.terminal.few_colours
        )
        signs = (_ASCII_ONLY,) if Signs.ascii else ()
        colours = (_SIXTEEN[self.current_theme.dark],) if self.few_colours and not self.no_color else ()
        self.filters = (*signs, *colours)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return Textual's filters, then ours."""
        return (*super().get_line_filters(), *self.filters)

    def on_key_screen_settings_asked(self) -> None:
        from qf_tui.console.settings_screen import SettingsScreen

        self.push_screen(SettingsScreen(self.settings, self._change))

    def _change(self, name: str, text: str) -> Settings:
        """Sets one setting from its text, here and for the next time; QfError where it cannot be."""
        settings = self.settings.with_values({name: setting_value(name, text)})
        if self.keep is not None:
            self.keep(name, text)
        self.settings = settings
        self.look_as(settings)
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
        # Before the first screen of ours is there, there is nothing to cover.
        if len(self.screen_stack) > 1:
            self._cover(event.size)

    def _cover(self, size: Size) -> None:
        """Lets nothing act on a screen that is too small to be seen."""
        if too_small(size) and not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())

    def action_command_palette(self) -> None:
        """Opens the palette, but never over itself or over the word that there is no room."""
        if not isinstance(self.screen, ActionPalette | TooSmall):
            self.push_screen(ActionPalette())

    def on_mount(self) -> None:
        if self.session is not None:
            self.open(self.session, self.message)
        elif self.follower is not None:
            self.follow(self.follower, self.message or self.faults.news())
        else:
            # Naming a battle is not to wait for the lists of the first screen.
            from qf_tui.console.setup.start import StartScreen

            fault = (self.message,) if self.message and not self.beginning else ()
            self.push_screen(StartScreen(self.systems, self.open, fault))
            if self.beginning is not None:
                ask_words(self, self.beginning, lambda session: self.open(session, self.message))
            if news := self.faults.news():
                self.notify(news, severity="error", timeout=FAULT_SECONDS, markup=False)
        self._cover(self.size)
        if self.settings_fault:
            self.notify(self.settings_fault, severity="warning", timeout=60, markup=False)
        gc.enable()
        self.set_interval(QUIET_EVERY, self.collect)
        self.set_timer(SEARCHES_S, self._search)

    @work(thread=True)
    def _search(self) -> None:
        """Look for features that other packages bring, once there is a screen to look at meanwhile."""
        faults, known = search_features(), len(self.known_features)
        if faults or len(find_features()) > known:
            self.call_from_thread(self._take_features, faults)

    def _take_features(self, faults: Sequence[str]) -> None:
        self.known_features = find_features()
        try:
            self.actions = remapped(self.settings.keys, forms_of(self.systems))
        except QfError as fault:
            faults = (*faults, str(fault))
        for screen in self.screen_stack:
            if isinstance(screen, KeyScreen):
                screen.take_features()
        for text in faults:
            self.notify(text, severity="warning", timeout=FAULT_SECONDS, markup=False)

    def collect(self) -> None:
        """Looks for garbage among all values, if it is time for that and no key waits."""
        if self.waiting_keys.idle and gc.get_count()[2] >= LOOKS:
            gc.collect()

    def watch_theme(self) -> None:
        """Has other colours, which are kept if they were changed here."""
        self.look_as(self.settings)
        if theme_word(self) == self.settings.theme:
            return
        self.settings = evolve(self.settings, theme=theme_word(self))
        try:
            if self.keep is not None:
                self.keep("theme", theme_word(self))
        except QfError as fault:
            self.notify(str(fault), severity="warning", markup=False)

    def end_by(self, number: int) -> None:
        """Leave as a key does: after the key that is being worked on, whose screen may just be opening."""
        self.ended_by = number
        self.waiting_keys.finish(partial(self.exit, return_code=-number))

    def stop_by_fault(self, fault: Exception) -> None:
        # A screen that was opening has no widgets once the end has begun: that is no fault.
        if not (self.stopped or self.ended_by):
            self.stopped = True
            self.faults.keep(fault)

    def survive(self, fault: Exception) -> None:
        """Says what an action has tripped over; where there are too many of them this run ends."""
        message = self.faults.keep(fault)
        if self.faults.too_many:
            raise fault
        if isinstance(self.screen, SourceScreen):
            self.screen.alarm(message)
        else:
            self.notify(message, severity="error", timeout=FAULT_SECONDS, markup=False)

    def on_battle_view_left(self, event: BattleView.Left) -> None:
        """Gives the save back, and shows another one or the first screen."""
        changed = (
            find_or_keep_save(self.session)[1] if event.save is None and self.session is not None else ""
        )
        message = " ".join(filter(None, (self.give_back(), changed)))
        fault: tuple[str, ...] = (message,) if message else ()
        gc.unfreeze()
        if event.save is not None:
            try:
                session = Session.resume(event.save, self.systems)
            except QfError as refused:
                fault = fault_lines(refused)
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

    def give_back(self) -> str:
        """Give the save of the open battle back to others; return what the umpire must know."""
        session, self.session = self.session, None
        return session.close() if session is not None else ""

    def follow(self, follower: Follower, message: str, *, leads_back: bool = False) -> None:
        """Shows a battle that another console writes, as `WatchScreen` has it."""
        gc.freeze()
        screen = WatchScreen(follower, message, self.settings, first=self.first, leads_back=leads_back)
        self.push_screen(screen)

    def on_watch_screen_replaced(self, event: WatchScreen.Replaced) -> None:
        """Shows the battle that is in the place of the one that was followed."""
        while not isinstance(self.screen, type(event.by)):
            self.pop_screen()
        self.switch_screen(event.by)

    def open(self, session: Session, message: str = "") -> None:
        """Shows a battle; `message` is shown until something is entered.

        One that another console writes is followed.
        """
        self.session = session
        save = session.journal.path
        if save is not None and not session.writable:
            self.give_back()
            message = " ".join(filter(None, (message, session.notice)))
            self.follow(Follower(save, self.systems), message, leads_back=True)
            return
        session.start_clock(monotonic)
        # The collector would look through every value of the log again and again: hitches of 80 ms and more.
        gc.freeze()
        self.push_screen(BattleScreen(session, self.settings, message or self.faults.news()))


def forms_of(systems: Mapping[str, RuleSystem]) -> list[Form]:
    """The orders of all rule systems."""
    return [form for system in usable(systems).values() for form in system.forms]


def run_console(
    target: Path | str | None,
    save: Path | None,
    rules: str = "",
    instead: Mapping[str, Scalar] | None = None,
    crews: str = "",
) -> tuple[int, Path | None]:
    """Run the console on a scenario, a save, or with None from the first screen.

    `instead` are settings of features for this time only; `rules` and `crews` are for a scenario that begins.
    Gives the exit status, and the save of the battle that was left, if there is one.
    """
    systems = find_systems()
    opened: Session | Beginning | None = None
    message = ""
    if target is not None:
        try:
            opened, message = open_target(target, save, systems, rules, crews)
        except QfError as wrong:
            message = str(wrong)
    make = _maker(systems, instead or {})
    session, waiting = (None, [opened]) if isinstance(opened, Beginning) else (opened, [])

    def made(session: Session | None, message: str, faults: FaultLog) -> Console:
        app = make(session, message, faults)
        app.beginning = waiting.pop() if waiting else None
        return app

    return keep_open(made, systems, session, message)


def run_watch(save: Path, first: Callable[[BattleView], object] | None = None) -> int:
    """Runs a console that only follows a save, with `first` over it to begin with; gives the exit status.

    QfError if it cannot be opened.
    """
    systems = find_systems()
    make = _maker(systems, {})

    def made(session: Session | None, message: str, faults: FaultLog) -> Console:
        app = make(None, message, faults)
        app.follower, app.first = Follower(save, systems), first
        return app

    return keep_open(made, systems, None)[0]


Make = Callable[[Session | None, str, FaultLog], Console]
"""Makes a console on a battle, or on none; the text is shown first, as what is wrong with a named file."""


def _maker(systems: Mapping[str, RuleSystem], instead: Mapping[str, Scalar]) -> Make:
    """Makes consoles by the user's settings, or by the usual ones and the fault where these cannot be had."""
    refusal = ""
    try:
        settings = load_settings()
        # All systems are loaded for this: only for keys of the umpire's own.
        if settings.keys:
            remapped(settings.keys, forms_of(systems))
    except QfError as refused:
        settings, refusal = Settings(), f"{refused}\nThe default settings are used."
    settings = settings.with_values(instead)

    def make(session: Session | None, message: str, faults: FaultLog) -> Console:
        keep = None if refusal else keep_setting
        app = Console(systems, session, message, settings, keep, faults, abilities_of())
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
    """Runs a console until the umpire leaves it; gives the exit status and the save of the battle left.

    After a fault of ours it is opened again on the battle as the disk has it.
    """
    faults = FaultLog()
    while True:
        app = make(session, message, faults)
        try:
            (run or _run_on_terminal)(app)
        except Exception as error:  # noqa: BLE001 - what Textual itself trips over outside of its loop
            app.stop_by_fault(error)
        finally:
            session = app.session
            save, changed = find_or_keep_save(session) if session is not None else (None, "")
            notice = session.close() if session is not None else ""
            for line in filter(None, (notice, changed)):
                sys.stderr.write(f"{line}\n")
        if app.ended_by:
            # The program that started this one sees by which signal it ended.
            os.kill(os.getpid(), app.ended_by)
        if not app.stopped:
            return app.return_code or 0, save
        if faults.too_many:
            sys.stderr.write(f"{faults.last_words(save)}\n")
            return 1, None
        message = ""
        if save is not None:
            try:
                session = Session.resume(save, systems)
            except QfError as wrong:
                session, message = None, str(wrong)


def _run_on_terminal(app: Console) -> None:
    """Run a console in the terminal; a signal that ends it gives the terminal back first."""
    # All values are looked at by `collect` alone, never in the midst of a key.
    gc.set_threshold(*gc.get_threshold()[:2], 1_000_000)

    def end(number: int) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # the loop has not started, or is over: nothing is open
            os.kill(os.getpid(), number)
            return
        loop.call_soon_threadsafe(app.end_by, number)

    with end_by_signals(end, TERMINAL_RESET):
        app.run()
