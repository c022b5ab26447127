"""How fast the console draws: each figure beside a limit that is measured in the same run.

    python -m tests.tools.benchmark_console

Prints ratios and asserts nothing, for machines differ and drift. `gc.freeze()` is the console's own.
"""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve
from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from qf_tui.console.app import Console
from qf_tui.core.values import Battle
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session

SCENARIO = "yellow-sea-1904"
SIZE = (200, 60)
SHIPS = 120
RUNS = 9
FRAME_MS = 1000 / 60

BARE_SCREEN = """
from textual.app import App
class Bare(App):
    def on_mount(self):
        self.call_after_refresh(self.exit)
Bare().run(headless=True, size=(120, 36))
"""
FIRST_SCREEN = """
import gc
gc.disable()
import sys
from pathlib import Path
from qf_tui.console import app
from qf_tui.console.setup.opening import open_target
from qf_tui.library.systems import find_systems
class Timed(app.Console):
    CSS_PATH = app.Console.CSS_PATH
    def open(self, session):
        super().open(session)
        self.call_after_refresh(self.exit)
systems = find_systems()
Timed(systems, open_target(Path(sys.argv[1]), None, systems)).run(headless=True, size=(120, 36))
"""

Presses = Callable[[Pilot[Any]], Awaitable[list[float]]]


class OneStatic(App[None]):
    """One Static that a key changes: the least that Textual can do."""

    def compose(self) -> ComposeResult:
        yield Static("0")

    def on_key(self) -> None:
        self.query_one(Static).update(str(time.perf_counter()))


class FullStatic(OneStatic):
    """One Static as large as the screen, all of it changed by a key."""

    def on_key(self) -> None:
        row = f"{time.perf_counter():.6f} " * (SIZE[0] // 20)
        self.query_one(Static).update("\n".join([row] * SIZE[1]))


def fleet(count: int) -> Battle:
    """The scenario's battle with so many ships: its own, again and again."""
    _, start = load_scenario(SCENARIO, find_systems())
    own = list(start.ships.values())
    ships = dict(start.ships)
    for number in range(count - len(own)):
        ship, turn = own[number % len(own)], number // len(own) + 2
        ships[f"{ship.id}-{turn}"] = evolve(ship, id=f"{ship.id}-{turn}", name=f"{ship.name} {turn}")
    return evolve(start, ships=ships, began=None)


def session() -> Session:
    """A battle of many ships in the first gunnery phase, not saved."""
    system, _ = load_scenario(SCENARIO, find_systems())
    battle = Session.begin(system, fleet(SHIPS))
    battle.enter("next")
    return battle


@contextmanager
def painting(app: App[Any]) -> Iterator[tuple[asyncio.Event, list[int]]]:
    """Tells when the app has painted, and counts the bytes that a terminal would have got."""
    painted, sizes, display = asyncio.Event(), [], app._display

    def shown(screen: Any, renderable: Any) -> None:
        display(screen, renderable)
        if renderable is not None and hasattr(renderable, "render_segments"):
            sizes.append(len(renderable.render_segments(app.console).encode()))
        painted.set()

    app._display = shown  # type: ignore[method-assign]
    yield painted, sizes


async def _paint_times(app: App[Any], keys: tuple[str, ...], pause: float) -> tuple[list[float], list[int]]:
    times = []
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.5)
        with painting(app) as (painted, sizes):
            for key in keys:
                painted.clear()
                begun = time.perf_counter()
                app.post_message(events.Key(key, key if len(key) == 1 else None))
                await painted.wait()
                times.append(time.perf_counter() - begun)
                await pilot.pause(pause)
    return times, sizes


async def _held(app: Console, keys: int) -> tuple[float, float]:
    """Keys sent sixty a second: seconds from the last one to its paint, and from first to last."""
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.5)
        begun = time.perf_counter()
        for number in range(keys):
            app.post_message(events.Key("down", None))
            rest = begun + (number + 1) / 60 - time.perf_counter()
            await asyncio.sleep(max(0.0, rest))
        sent = time.perf_counter()
        while not app.waiting_keys.idle:
            await asyncio.sleep(0.001)
        return time.perf_counter() - sent, sent - begun


async def _redraw(app: App[Any], whole: Callable[[App[Any]], object]) -> float:
    times = []
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.5)
        with painting(app) as (painted, _):
            for _ in range(30):
                painted.clear()
                begun = time.perf_counter()
                whole(app)
                await painted.wait()
                times.append(time.perf_counter() - begun)
                await pilot.pause(0.02)
    return statistics.median(times)


def first_screen() -> None:
    """A battle on the screen and a bare Textual app, as whole processes by turns."""
    with tempfile.TemporaryDirectory() as folder:
        save = Path(folder) / "screen.qfb"
        system, start = load_scenario(SCENARIO, find_systems())
        Session.begin(system, start, save).close()
        ours, bare = [], []
        for _ in range(RUNS):
            ours.append(_process(FIRST_SCREEN, str(save)))
            bare.append(_process(BARE_SCREEN))
    show("first screen of a battle", statistics.median(ours[1:]), statistics.median(bare[1:]), 1.35)


def _process(script: str, *arguments: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", script, *arguments], check=True, capture_output=True)
    return time.perf_counter() - begun


def show(what: str, ours: float, limit: float, aim: float) -> None:
    print(
        f"{what:<34} {ours * 1000:8.2f} ms   limit {limit * 1000:8.2f} ms   "
        f"ratio {ours / limit:5.2f}   aim {aim:g}"
    )


def keys() -> None:
    """From a key to the paint, held keys, and what goes to the terminal."""
    presses = ("down", "up", "right", "left") * 40
    one, _ = asyncio.run(_paint_times(OneStatic(), presses, 0.01))
    ours, sizes = asyncio.run(_paint_times(Console(find_systems(), session()), presses, 0.01))
    print(f"{SHIPS} ships at {SIZE[0]} x {SIZE[1]}")
    show("key to paint, median", statistics.median(ours), statistics.median(one), 2)
    slowest = sorted(ours)[len(ours) * 99 // 100]
    print(f"{'key to paint, 99 of 100 under':<34} {slowest * 1000:8.2f} ms   a frame is {FRAME_MS:.1f} ms")
    print(f"{'bytes to the terminal a key':<34} {statistics.median(sizes):8.0f}")
    behind, lasted = asyncio.run(_held(Console(find_systems(), session()), 120))
    print(f"{'120 keys held at 60 a second':<34} {behind * 1000:8.2f} ms behind at the end of {lasted:.2f} s")


def whole_screen() -> None:
    """All of the screen drawn anew, against one Static as large."""
    limit = asyncio.run(_redraw(FullStatic(), lambda app: app.on_key()))  # type: ignore[attr-defined]
    small = asyncio.run(_redraw(OneStatic(), lambda app: app.on_key()))  # type: ignore[attr-defined]

    def anew(app: App[Any]) -> None:
        grid = app.screen.query_one("#grid")
        grid.drawn.clear()  # type: ignore[attr-defined]
        app.screen.refresh(layout=False)
        for widget in app.screen.walk_children():
            widget.refresh()

    ours = asyncio.run(_redraw(Console(find_systems(), session()), anew))
    show("whole redraw, a Static as large", ours, limit, 4)
    show("whole redraw, a Static of one line", ours, small, 4)


def entries() -> None:
    """From Enter on a typed order to the paint, and what goes to the terminal."""
    app = Console(find_systems(), session())

    async def run() -> tuple[list[float], list[int]]:
        times, sizes = [], []
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause(0.5)
            for number in range(40):
                screen = app.screen
                screen.orders.put(f"mark mikasa boat_guns {number % 4}")  # type: ignore[attr-defined]
                await pilot.pause(0.02)
                with painting(app) as (painted, some):
                    begun = time.perf_counter()
                    app.post_message(events.Key("enter", None))
                    await painted.wait()
                    times.append(time.perf_counter() - begun)
                    await pilot.pause(0.05)
                    sizes.append(sum(some))
        return times, sizes

    times, sizes = asyncio.run(run())
    one, _ = asyncio.run(_paint_times(OneStatic(), ("a",) * 40, 0.01))
    show("Enter to paint of an entry", statistics.median(times), statistics.median(one), 2)
    print(f"{'bytes to the terminal an entry':<34} {statistics.median(sizes):8.0f}")


def main() -> None:
    """All of them."""
    first_screen() if "-k" not in sys.argv else None
    keys()
    whole_screen()
    entries()


if __name__ == "__main__":
    main()
