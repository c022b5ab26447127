"""Random keys on any screen, with a time limit; a failure is reduced to a few keys.

An episode is a new battle, one screen of the registry over it, and bursts of steps. A step is a key by its
name, `paste=TEXT`, `size=80x24` or `click=3,4`; a burst is sent at once. After each burst the save must equal
the memory; at the end a redrawn screen must equal the old one.
"""

import asyncio
import gc
import os
import signal
import string
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

from attrs import evolve, frozen
from textual import events
from textual.widget import Widget

from qf_tui.console.app import Console
from qf_tui.console.battle.screen import BattleScreen
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.journal.reading import read_save
from qf_tui.library.paths import HOME_VARIABLE
from qf_tui.session import Session
from qf_tui.session.saves import make_rules_finder
from tests.console.playing import Table, read_once
from tests.console.screens import Stage
from tests.features.screens import EVERY
from tests.systems import find_our_systems, load_our_battles

KEPT = 50
"""Closed consoles before garbage is collected; each keeps some megabytes."""
SLOWEST = 60.0
"""Seconds that a burst or the opening of a screen may take, even on a busy machine."""
LONGEST = 12
"""Steps in the longest burst."""
EPISODE = 120
"""Steps in an episode."""
PLAIN = (*string.ascii_lowercase, *string.digits)
NAMED = (
    *("enter", "escape", "tab", "space", "backspace", "up", "down", "left", "right", "home", "end"),
    *("pageup", "pagedown", "delete", "question_mark", "slash", "colon", "at", "comma", "full_stop"),
    *("exclamation_mark", "left_square_bracket", "right_square_bracket", "minus", "plus", "shift+tab"),
    *("f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "enter", "escape", "enter", "escape", "space"),
)
RARE = ("ctrl+p", "ctrl+c", "ctrl+q", "f10", "quotation_mark", "equals_sign", "alt+f", "é", "艦", "ctrl+home")
PASTES = (
    "fire mikasa heavy fuji 41in 3 8",
    "\x1b[A\x07\0",
    "9" * 300,
    "a\nb\nc",
    "[/bold]",
    "艦" * 50,
    "",
    " ",
)
SIZES = ((80, 24), (120, 36), (200, 60), (79, 24), (10, 60), (60, 10), (300, 100), (1, 1), (80, 25))
_played_out = count()

Burst = tuple[str, ...]


class Hang(KeyboardInterrupt):
    """A burst took too long. It is no Exception, so that the program under test does not catch it."""


@frozen
class Episode:
    """An episode: the rule system, the screen over its battle ("": the first screen) and the bursts."""

    system: str
    screen: str
    bursts: tuple[Burst, ...]

    @property
    def keys(self) -> int:
        return sum(map(len, self.bursts))


def draw_episodes(system: str, seed: int, keys: int) -> Iterator[Episode]:
    """Draw random episodes with `keys` steps in all, on every screen in turn."""
    chance = Random(f"{system} {seed}")
    screens = ["", *(entry.id for entry in EVERY)]
    chance.shuffle(screens)
    at = played = 0
    while played < keys:
        bursts: list[Burst] = []
        while sum(map(len, bursts)) < min(EPISODE, keys - played):
            bursts.append(_draw_burst(chance, system))
        episode = Episode(system, screens[at % len(screens)], tuple(bursts))
        at, played = at + 1, played + episode.keys
        yield episode


def _draw_burst(chance: Random, system: str) -> Burst:
    if chance.random() < 0.35:
        return _draw_order(chance, system)
    return tuple(_draw_step(chance) for _ in range(chance.randrange(1, LONGEST)))


def _draw_step(chance: Random) -> str:
    roll = chance.random()
    if roll < 0.02:
        return f"paste={chance.choice(PASTES)}"
    if roll < 0.04:
        return "size={}x{}".format(*chance.choice(SIZES))
    if roll < 0.08:
        return f"click={chance.randrange(120)},{chance.randrange(36)}"
    return chance.choice(RARE) if roll < 0.1 else chance.choice(NAMED if roll < 0.5 else PLAIN)


def _draw_order(chance: Random, system: str) -> Burst:
    """Draw keys that resemble an order in its dialog: a key, letters of names, figures, dice."""
    forms = [form.key for form in find_our_systems()[system].forms if form.key]
    keys = [chance.choice([*forms, "n", "o", "a", "u", "r", "h"])]
    for _ in range(chance.randrange(4)):
        keys += chance.choices(string.ascii_lowercase, k=chance.randrange(3))
        keys += chance.choices(string.digits, k=chance.randrange(3))
        keys += [chance.choice(("space", "tab", "enter", "at", "down", "f2"))]
    return tuple(keys)


def find_fault(episode: Episode) -> str:
    """Play an episode; return the end of a traceback, a hang or a difference, or ""."""
    if next(_played_out) % KEPT == KEPT - 1:
        gc.collect()
    with tempfile.TemporaryDirectory() as folder, _set_home(Path(folder)):
        try:
            asyncio.run(_play_episode(episode, Path(folder)))
        except Hang:
            return f"hangs for more than {SLOWEST:.0f} s"
        except Exception as fault:  # noqa: BLE001 - whatever it is, it is what is looked for
            return "".join(traceback.format_exception(fault)[-3:])
        kept = Path(folder) / "fault.txt"
        return kept.read_text(encoding="utf-8")[-600:] if kept.exists() else ""


@contextmanager
def _set_home(folder: Path) -> Iterator[None]:
    before = os.environ.get(HOME_VARIABLE)
    os.environ[HOME_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[HOME_VARIABLE]
        else:
            os.environ[HOME_VARIABLE] = before


@contextmanager
def _limit_time() -> Iterator[None]:
    """Raise Hang in code that runs for too long."""
    if sys.platform == "win32":
        yield
        return

    def raise_hang(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, raise_hang)
    signal.setitimer(signal.ITIMER_REAL, SLOWEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@cache
def load_first_battle(system: str) -> tuple[RuleSystem, Battle]:
    """Load the first scenario of a rule system."""
    return next(one for one in load_our_battles().values() if one[0].name == system)


async def _play_episode(episode: Episode, folder: Path) -> None:
    systems = find_our_systems()
    session = None
    if episode.screen:
        system, start = load_first_battle(episode.system)
        session = Session.begin(system, start, folder / "battle.qfb")
    app = Console(systems, session)
    checked = None
    try:
        with _limit_time(), read_once():
            async with app.run_test(size=(120, 36)) as pilot:
                table = Table(app, pilot)
                await table.settle()
                if session is not None:
                    stage = Stage(session, systems)
                    app.push_screen(next(one for one in EVERY if one.id == episode.screen).make(stage))
                    await table.settle()
                for burst in episode.bursts:
                    if sys.platform != "win32":
                        signal.setitimer(signal.ITIMER_REAL, SLOWEST)
                    await _send_burst(table, burst)
                    if app.return_value is not None or not app.is_running or table.left:
                        return
                    if app.session is not None and app.session.timeline is not checked:
                        checked = app.session.timeline
                        _compare_save(app.session)
                await _compare_redrawn(table)
    finally:
        if app.session is not None:
            app.session.close()


async def _send_burst(table: Table, burst: Burst) -> None:
    keys: list[str] = []
    for step in burst:
        kind, _, text = step.partition("=") if "=" in step else ("", "", "")
        if not kind:
            keys.append(step)
            continue
        await table.press(*keys)
        keys = []
        if table.left:
            return
        if kind == "paste":
            table.app.post_message(events.Paste(text))
        elif kind == "size":
            with table.without_clock():
                await table.pilot.resize_terminal(*map(int, text.split("x")))
        else:
            await _click(table, *map(int, text.split(",")))
    await table.press(*keys)


async def _click(table: Table, x: int, y: int) -> None:
    if x < table.app.size.width and y < table.app.size.height:
        with table.without_clock():
            await table.pilot.click(offset=(x, y))


def _compare_save(session: Session) -> None:
    """Check that the save equals the memory."""
    if session.journal.path is None:
        return
    save = read_save(session.journal.path, make_rules_finder(find_our_systems()))
    assert not save.torn
    assert tuple(save.log) == session.timeline.log, "the save is not what the memory holds"


async def _compare_redrawn(table: Table) -> None:
    """Check that redrawing does not change the battle screen."""
    for _ in range(6):
        if isinstance(table.top, BattleScreen):
            break
        await table.press("escape")
    if not isinstance(table.top, BattleScreen) or table.top is not table.screen:
        return
    table.top.show()
    await table.settle()
    stood = table.text()
    for widget in table.top.walk_children(Widget):
        widget.refresh(layout=True)
    table.top.grid.rows.clear()
    await table.settle()
    assert table.text() == stood, "the screen is not what the memory holds"


def shorten(episode: Episode, fails: Callable[[Episode], str] = find_fault) -> Episode:
    """Reduce an episode to few steps that still fail: drop each burst from the last, then each step."""
    bursts = list(episode.bursts)

    def still_fails(fewer: list[Burst]) -> bool:
        return bool(fewer and fails(evolve(episode, bursts=tuple(fewer))))

    for at in reversed(range(len(bursts))):
        fewer = [*bursts[:at], *bursts[at + 1 :]]
        bursts = fewer if still_fails(fewer) else bursts
    for place in range(len(bursts)):
        for at in reversed(range(len(bursts[place]))):
            burst = (*bursts[place][:at], *bursts[place][at + 1 :])
            fewer = [*bursts[:place], burst, *bursts[place + 1 :]]
            bursts = fewer if burst and still_fails(fewer) else bursts
    return evolve(episode, bursts=tuple(bursts))
