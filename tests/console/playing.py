"""Helpers that play a console by its keys: battles to play, and the screen as text.

Only Textual's private names say when all effects of a key are done and what is drawn;
only this module uses them.
"""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import update_wrapper
from inspect import signature
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast
from unittest.mock import patch

import pytest
from attrs import evolve
from rich.console import RenderableType
from textual import events
from textual._compositor import ChopsUpdate as ChopsUpdate
from textual._compositor import Compositor
from textual._compositor import LayoutUpdate as LayoutUpdate
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from qf_tui.console.app import Console
from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.entry import bar
from qf_tui.console.setup.opening import view_scenario
from qf_tui.console.setup.start import read_whole
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Ship, Side
from qf_tui.journal.saving import NoJournal, NotRecorded
from qf_tui.library.paths import find_own_folder, find_shipped_folder
from qf_tui.library.settings import Settings
from qf_tui.session import Session
from tests.systems import find_our_systems, load_our_battles
from tests.tiny import SYSTEM as TINY

SIZES = ((80, 24), (120, 36), (200, 60))
SMALL_FIRST = (SIZES[0], *(pytest.param(size, marks=pytest.mark.long) for size in SIZES[1:]))
"""Sizes for slow tests: always the narrowest; `tests.long` runs the others."""
LONG = "The Most Honourable and Puissant Ironclad Duke of Northumberland"
ENDS = (SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.long), SIZES[2])
"""Sizes for pictures: always the smallest and the widest; `tests.long` runs the one between."""
HOSTILE = {"mikasa": "[/", "massena": LONG, "borodino": "HMS [Red] Lion", "ohio": "艦 Kongō"}
"""Names that could break markup, narrow columns or wide characters."""

NAMES = {
    " ": "space",
    ",": "comma",
    ".": "full_stop",
    "-": "minus",
    "/": "slash",
    "+": "plus",
    ":": "colon",
} | {"[": "left_square_bracket", "@": "at"}
_SIGNS = {name: sign for sign, name in NAMES.items()} | {"question_mark": "?"}

KEYS = {
    *(
        "enter",
        "escape",
        "tab",
        "backspace",
        "up",
        "down",
        "left",
        "right",
        "home",
        "end",
        "pageup",
        "pagedown",
    ),
    *(f"f{number}" for number in range(1, 13)),
    *_SIGNS,
}
"""Words in a typed text that mean keys; `space` is a space."""

bar.SLOW = float("inf")
"""Let the bar always look ahead, however slow the machine is."""

SELDOM = 1.0
"""Seconds between two pictures while keys are handled: keys pressed together give one picture."""
AS_EVER = 1 / 60
"""Seconds between two pictures on a real terminal."""


def list_keys(text: str) -> list[str]:
    """List the names of the keys that type a text."""
    return [NAMES.get(sign, sign) for sign in text]


Size = tuple[int, int]
Given = ParamSpec("Given")
Play = Callable[["Table"], Awaitable[None]]


class Table:
    """The console under test: presses keys, counts them and reads the screen."""

    def __init__(self, app: Console, pilot: Pilot[Any]) -> None:
        self.app, self.pilot = app, pilot
        self.pressed = 0
        self.faults_wanted = 0

    @property
    def session(self) -> Session:
        assert self.app.session is not None
        return self.app.session

    @property
    def battle(self) -> Battle:
        return self.session.battle

    @property
    def screen(self) -> BattleScreen:
        return next(screen for screen in self.app.screen_stack if isinstance(screen, BattleScreen))

    @property
    def top(self) -> Any:
        """The screen in front: the battle, a dialog, the history."""
        return self.app.screen

    @property
    def ship(self) -> Ship:
        """The ship under the cursor of the logs."""
        ship = self.screen.grid.ship
        assert ship is not None
        return ship

    async def press(self, *keys: str) -> None:
        """Press keys by name, all at once, as a slow line delivers them."""
        for key in keys:
            self.app.post_message(events.Key(key, key if len(key) == 1 else _SIGNS.get(key)))
            self.pressed += 1
        await asyncio.sleep(0)
        await self.settle()
        assert self.app.faults.count == self.faults_wanted, self.app.faults.message

    async def settle(self) -> None:
        """Wait until every effect of the keys is done and drawn.

        A pause of Textual's pilot waits for the clock instead: until the processor is almost idle.
        """
        app = self.app
        while True:
            await _wait_until_idle()
            if app._exception is not None or not app.screen_stack:
                return
            if self._is_waiting():
                await asyncio.sleep(0.002)
                continue
            await app.workers.wait_for_complete()
            if app.screen_stack:
                app.screen._on_timer_update()
            if not self._is_busy():
                return

    @contextmanager
    def without_clock(self) -> Iterator[None]:
        """Make pauses and clicks of the pilot wait as `settle` does."""
        with patch("textual.pilot.wait_for_idle", lambda _: self.settle()):
            yield

    def _is_waiting(self) -> bool:
        """Return whether a thread or a timer still has a key or a new window size."""
        app = self.app
        return bool(app.message_queue_size or not app.waiting_keys.idle or app._resize_timer)

    def _is_busy(self) -> bool:
        """Return whether a task can run or something must still be drawn."""
        if self.left or not self.app.screen_stack:
            return False
        screen = self.app.screen
        return bool(
            _count_ready()
            or self.app.message_queue_size
            or screen._callbacks
            or screen._layout_required
            or screen._dirty_widgets
            or any(node.message_queue_size for node in screen.walk_children(with_self=True))
        )

    async def type(self, text: str) -> None:
        """Press the keys of a text at once: words in KEYS as keys, others letter by letter.

        An underscore in a word types a space.
        """
        keys: list[str] = []
        for word in text.split(" "):
            keys += [word] if word in KEYS else list_keys(word.replace("_", " "))
        await self.press(*keys)

    async def write(self, text: str) -> None:
        """Type characters."""
        await self.press(*list_keys(text))

    async def order(self, text: str) -> None:
        """Paste an order into the bar and enter it."""
        await self.press("slash")
        self.app.post_message(events.Paste(text))
        await asyncio.sleep(0)
        await self.settle()
        await self.press("enter")

    @property
    def left(self) -> bool:
        """Whether the console was asked to end."""
        return self.app._exit

    def render_picture(self, *, behind: bool = True) -> LayoutUpdate:
        """Render the whole screen for a terminal; without `behind`, leave out screens under a dialog."""
        below = self.app._background_screens if behind else []
        visible_screen_stack.set(list(below))
        # Textual's own method requests a full picture, which `_render_full_only` then renders.
        return Compositor.render_full_update(self.app.screen._compositor)

    def send_pictures(self, to: Callable[[object], None], *, shown: bool = False) -> None:
        """Give each later picture to `to`; with `shown`, display it too."""
        app = self.app
        display = app._display

        def drawn(screen: Any, picture: Any) -> None:
            to(picture)
            if shown:
                display(screen, picture)

        app._display = drawn  # type: ignore[assignment,method-assign]  # the only way to a terminal

    def text(self, *, behind: bool = False) -> str:
        """Return the screen as text without styles; `behind` adds the dimmed screens under a dialog."""
        lines = ("".join(strip.text for strip in line) for line in self.render_picture(behind=behind).strips)
        return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"

    def expect(self, *words: str) -> None:
        """Check that the screen shows all of these texts."""
        text = self.text()
        missing = [each for each in words if each not in text]
        assert not missing, f"{missing} not in\n{text}"

    def read_words(self) -> str:
        """Return the words on the screen without frames and line breaks, since a path has any length."""
        return " ".join(re.sub("[│╭╮╰╯─]", " ", self.text()).split())

    def read_foot(self) -> str:
        """Return the line of keys at the foot."""
        return self.text().splitlines()[-1]

    def list_orders(self) -> list[str]:
        """List the orders of the log."""
        versions = self.session.timeline.versions
        return [versions[number].order.resolved for number in self.session.timeline.play_order]


def _count_ready() -> int:
    """Count the tasks that can take a step."""
    return len(asyncio.get_running_loop()._ready)  # type: ignore[attr-defined]  # it has no public name


async def _wait_until_idle() -> None:
    """Wait until each task waits for another task, a timer or a thread."""
    await asyncio.sleep(0)
    while _count_ready():  # noqa: ASYNC110 - the loop itself is waited for
        await asyncio.sleep(0)


Read = TypeVar("Read")
Reader = Callable[[Path, Mapping[str, RuleSystem]], Read]
Stamp = tuple[str, int, int]

OURS = tuple(map(find_shipped_folder, ("scenarios", "saves")))
_READ: dict[tuple[object, ...], object] = {}


def _read_stamp(path: Path) -> Stamp:
    found = path.stat()
    return str(path.name), found.st_mtime_ns, found.st_size


def _list_user_stamps() -> frozenset[Stamp]:
    """Stamp the user's ships, fleets and charts, which a shipped battle may use."""
    return frozenset(
        _read_stamp(path)
        for kind in ("navies", "fleets", "charts")
        for path in find_own_folder(kind).glob("*")
    )


def cache_reader(read: Reader[Read]) -> Reader[Read]:
    """Return a reader that reads a shipped file again only if it or a user's file has changed."""

    def read_cached(path: Path, systems: Mapping[str, RuleSystem]) -> Read:
        if path.parent not in OURS:
            return read(path, systems)
        key = (read, path, _read_stamp(path), _list_user_stamps(), tuple(systems))
        if key not in _READ:
            _READ[key] = read(path, systems)
        return _READ[key]  # type: ignore[return-value]  # by this very reader

    return read_cached


@contextmanager
def read_once() -> Iterator[None]:
    """Make the first screen read each shipped file only once."""
    with (
        patch("qf_tui.console.setup.start.view_scenario", cache_reader(view_scenario)),
        patch("qf_tui.console.setup.start.read_whole", cache_reader(read_whole)),
    ):
        yield


_render_update = Compositor.render_update
_parse_rules = Stylesheet._parse_rules
_RULES: dict[tuple[object, ...], list[RuleSet]] = {}


def _parse_once(sheet: Stylesheet, *of: Any, **settings: Any) -> list[RuleSet]:
    """Parse the rules of a style sheet once for all consoles of a theme."""
    key = (frozenset(sheet._variables.items()), of, frozenset(settings.items()))
    if key not in _RULES:
        _RULES[key] = _parse_rules(sheet, *of, **settings)
    return _RULES[key]


def _render_full_only(screen: Compositor, full: bool = False, **settings: Any) -> RenderableType | None:
    """Render only requested pictures; there is no terminal to update."""
    if full:
        return _render_update(screen, full=True, **settings)
    screen._dirty_regions.clear()
    return None


def play(
    session: Session | None,
    steps: Play,
    size: Size = (120, 36),
    fault: str = "",
    settings: Settings | None = None,
    pictures: float = SELDOM,
    drawn: bool = False,
) -> None:
    """Run a console of this size and let `steps` play it.

    Unrequested pictures are drawn only if `drawn` is set, and at the end.
    """
    play_on(lambda: Console(find_our_systems(), session, fault, settings), steps, size, pictures, drawn)


def play_on(
    console: Callable[[], Console],
    steps: Play,
    size: Size = (120, 36),
    pictures: float = SELDOM,
    drawn: bool = False,
) -> None:
    """Build a console and let `steps` play it, as `play` does."""

    async def run() -> None:
        app = console()
        async with app.run_test(size=size) as pilot:
            table = Table(app, pilot)
            await table.settle()
            with table.without_clock():
                await steps(table)

    unlooked = nullcontext() if drawn else patch.object(Compositor, "render_update", _render_full_only)
    parsed_once = patch.object(Stylesheet, "_parse_rules", _parse_once)
    with patch("textual.screen.UPDATE_PERIOD", pictures), read_once(), parsed_once, unlooked:
        asyncio.run(run())


def with_console(
    begin: Callable[..., Session] | None = None,
    *orders: str,
    size: Size = (120, 36),
    settings: Settings | None = None,
    pictures: float = SELDOM,
    drawn: bool = False,
) -> Callable[[Callable[Concatenate[Table, Given], Awaitable[None]]], Callable[Given, None]]:
    """Turn steps into a test that plays them at a console.

    Args:
        begin: Begins the battle; it gets the fixtures that it names.
        orders: Orders entered before the steps.
        size: Size of the window, unless the test has an argument `size`.
    """
    takes = signature(begin).parameters if begin else {}

    def made(steps: Callable[Concatenate[Table, Given], Awaitable[None]]) -> Callable[Given, None]:
        def test(*given: Given.args, **named: Given.kwargs) -> None:
            session = begin(**{name: one for name, one in named.items() if name in takes}) if begin else None
            for order in orders:
                assert session is not None
                session.enter(order)
            of_test = cast("Size", named.get("size", size))
            play(session, lambda table: steps(table, *given, **named), of_test, "", settings, pictures, drawn)

        update_wrapper(test, steps)
        shape = signature(steps)
        without_table = [*shape.parameters.values()][1:]
        test.__signature__ = shape.replace(parameters=without_table)  # type: ignore[attr-defined]  # any function may have one
        return test

    return made


def compare(name: str, text: str) -> None:
    """Compare a picture with its golden file; `QF_TUI_REGENERATE=1` rewrites the file."""
    file = Path(__file__).parent / "golden" / f"{name}.txt"
    if os.environ.get("QF_TUI_REGENERATE"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def begin_examples(names: Mapping[str, str] | None = None, **table: Scalar) -> Session:
    """Begin the rulebook examples without a save, with other names for some ships."""
    system, start = load_our_battles()["rulebook-examples"]
    ships = {id: evolve(ship, name=(names or {}).get(id, ship.name)) for id, ship in start.ships.items()}
    return Session.begin(system, evolve(start, ships=ships, table={**start.table, **table}))


def begin_gunnery(names: Mapping[str, str] | None = None) -> Session:
    """Begin the rulebook examples in their first gunnery phase."""
    session = begin_examples(names)
    session.enter("next")
    return session


def begin_tiny(count: int = 2) -> Session:
    """Begin a battle of the Tiny system, with ships alternately on two sides."""
    sides = (Side("east", "East"), Side("west", "West"))
    ships = {
        f"ship-{number}": Ship(
            f"ship-{number}",
            f"Ship {number}",
            ("east", "west")[number % 2],
            "",
            {"hull": 5, "guns": 4, "speed": 6},
            {"hull": 5, "guns": 4, "moved": None},
        )
        for number in range(1, count + 1)
    }
    return Session.begin(TINY, Battle(1, "sail", sides, ships, {"title": "Two sides", "units": "in"}, {}, {}))


class FullDisk(NoJournal):
    """A journal whose disk takes nothing while it is full."""

    path = Path("full.qfb")
    writable = True
    notice = ""

    def __init__(self) -> None:
        self.full = True
        self.lines = 0

    def append(self, act: object) -> None:
        if self.full:
            raise NotRecorded("Entry 1 is NOT recorded: the disk is full. Make room, then enter it again.")
        self.lines += 1


def begin_saved(path: Path) -> Session:
    """Begin the rulebook examples with a save."""
    system, start = load_our_battles()["rulebook-examples"]
    return Session.begin(system, start, path)


def write_hostile_scenario(home: Path) -> None:
    """Write the rulebook examples with hostile names as the user's scenario `qq-hostile`."""
    text = (find_shipped_folder("fleets") / "rulebook-examples.toml").read_text(encoding="utf-8")
    for id, name in HOSTILE.items():
        before, entry, behind = text.partition(f'id = "{id}"\nname = "')
        text = f"{before}{entry}{name}{behind[behind.index(chr(34)) :]}"
    text = text.replace('title = "', 'title = "QQ [bold]', 1)
    (home / "fleets").mkdir(parents=True, exist_ok=True)
    (home / "fleets" / "qq-hostile.toml").write_text(text, encoding="utf-8")
    ships = ", ".join(f'"{id}"' for id in HOSTILE)
    scenario = f"""title = "[/ of the [Red] Lions"
ruleset = "advanced-quickfire"
notes = "A [set-up] that says [/much]: {"word " * 30}"
[options]
sx_check = "12"
[[side]]
name = "{LONG}"
fleet = "qq-hostile"
ships = [{ships}]
[[side.division]]
name = "[/first]"
player = "艦 {LONG}"
ships = [{ships}]
[[side]]
name = "[Red]"
fleet = "rulebook-examples"
ships = ["hannibal"]
"""
    (home / "scenarios").mkdir(exist_ok=True)
    (home / "scenarios" / "qq-hostile.toml").write_text(scenario, encoding="utf-8")
