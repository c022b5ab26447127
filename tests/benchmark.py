"""Benchmarks: each figure beside a limit that is measured in the same run. Run it as a script.

    python tests/benchmark.py

Prints ratios; it asserts nothing, for machines differ and drift.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from attrs import evolve

from qf_tui.core.timeline import opened
from qf_tui.core.values import Battle
from qf_tui.journal.reading import read_save
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session

SCENARIO = "yellow-sea-1904"
RUNS = 7

BARE_SCREEN = """
from textual.app import App
class Bare(App):
    def on_mount(self):
        self.call_after_refresh(self.exit)
Bare().run(headless=True, size=(120, 36))
"""
FIRST_SCREEN = """
import qf_tui.console
from qf_tui.console.app import Console
from qf_tui.console.opening import open_target
from qf_tui.library.systems import find_systems
from pathlib import Path
import sys
systems = find_systems()
class Timed(Console):
    CSS_PATH = Path(qf_tui.console.__file__).with_name('console.tcss')
    def open(self, session):
        super().open(session)
        self.call_after_refresh(self.exit)
Timed(systems, open_target(Path(sys.argv[1]), None, systems)).run(headless=True, size=(120, 36))
"""


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median time of several runs, after one that does not count."""
    work()
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def show(what: str, ours: float, limit: float, of: str) -> None:
    print(f"{what:<44} {ours * 1000:9.2f} ms   {of:<28} {limit * 1000:9.2f} ms   ratio {ours / limit:6.2f}")


def first_screen(folder: Path) -> None:
    """The battle on the screen, against a bare Textual app, as whole processes."""
    save = folder / "screen.qfb"
    system, start = load_scenario(SCENARIO, find_systems())
    Session.begin(system, start, save).close()
    ours = seconds(lambda: _process(FIRST_SCREEN, str(save)))
    bare = seconds(lambda: _process(BARE_SCREEN))
    show("first screen of a battle", ours, bare, "a bare Textual app")


def _process(script: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-c", script, *arguments], check=True, capture_output=True)


def sixty_ships(start: Battle) -> Battle:
    """A battle with sixty ships: those of the scenario, some of them twice."""
    ships = dict(start.ships)
    for id, ship in start.ships.items():
        if len(ships) < 60:
            ships[f"{id}-2"] = evolve(ship, id=f"{id}-2", name=f"{ship.name} II")
    return evolve(start, ships=ships, began=None)


def key_to_paint() -> None:
    """From a key to the painted screen with sixty ships, against one Static that a key changes."""
    from textual import events
    from textual.app import App, ComposeResult
    from textual.widgets import Static

    import qf_tui.console
    from qf_tui.console.app import Console

    waiting: list[asyncio.Event] = []

    class OneStatic(App[None]):
        def compose(self) -> ComposeResult:
            yield Static("0")

        def on_key(self) -> None:
            self.query_one(Static).update(str(time.perf_counter()))

        def _display(self, *args: object) -> None:
            super()._display(*args)  # type: ignore[arg-type]
            for painted in waiting:
                painted.set()

    class Battle(Console):
        CSS_PATH = Path(str(qf_tui.console.__file__)).with_name("console.tcss")

        def _display(self, *args: object) -> None:
            super()._display(*args)  # type: ignore[arg-type]
            for painted in waiting:
                painted.set()

    async def presses(app: App[object]) -> float:
        times = []
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause(0.5)
            painted = asyncio.Event()
            waiting[:] = [painted]
            for key in ("down", "up") * 50:
                painted.clear()
                begun = time.perf_counter()
                app.post_message(events.Key(key, None))
                await painted.wait()
                times.append(time.perf_counter() - begun)
                await pilot.pause(0.02)
        return statistics.median(times)

    system, start = load_scenario(SCENARIO, find_systems())
    session = Session.begin(system, sixty_ships(start))
    ours = asyncio.run(presses(Battle(find_systems(), session)))  # type: ignore[arg-type]
    static = asyncio.run(presses(OneStatic()))  # type: ignore[arg-type]
    show("key to paint, 60 ships", ours, static, "one Static")


def append(folder: Path) -> None:
    """An entry on the disk and decided, against a bare write and fsync of a line as long."""
    system, start = load_scenario(SCENARIO, find_systems())
    session = Session.begin(system, start, folder / "append.qfb")
    note = "note the umpire writes a line of about this length"
    ours = seconds(lambda: session.enter(note), 200)
    line = (folder / "append.qfb").read_bytes().splitlines(keepends=True)[-1]
    descriptor = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def bare() -> None:
        os.write(descriptor, line)
        os.fsync(descriptor)

    show("an entry, recorded", ours, seconds(bare, 200), "bare write + fsync")
    os.close(descriptor)
    session.close()


def opening(folder: Path) -> None:
    """Opening a save of 600 entries, against one of none."""
    system, start = load_scenario(SCENARIO, find_systems())
    empty, full = folder / "empty.qfb", folder / "full.qfb"
    Session.begin(system, start, empty).close()
    session = Session.begin(system, start, full)
    entries = Path(__file__).parent / "golden" / f"{SCENARIO}.orders"
    orders = [line for line in entries.read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")]
    while len(session.timeline.log) < 600:
        done = len(session.timeline.log)
        session.enter(orders[done] if done < len(orders) else f"note entry {done + 1}")
    session.close()

    def read(path: Path) -> None:
        save = read_save(path)
        opened(save.header.start, save.log)

    show("opening 600 entries", seconds(lambda: read(full)), seconds(lambda: read(empty)), "an empty battle")
    print(f"{'bytes an entry':<44} {(full.stat().st_size - empty.stat().st_size) / 600:9.0f}")


def main() -> None:
    """All benchmarks, one line each."""
    with tempfile.TemporaryDirectory() as folder:
        first_screen(Path(folder))
        key_to_paint()
        append(Path(folder))
        opening(Path(folder))


if __name__ == "__main__":
    main()
