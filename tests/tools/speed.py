"""Measures what an umpire waits for, on the installed program and from outside.

    python -m tests.tools.speed [--python PYTHON] [--saves FOLDER] [--only TEXT] [--runs N]

It installs this checkout as a wheel into a temporary environment, with the versions of `.ci/constraints.txt`;
`--python` names the Python of an existing environment. Keys are measured to the last byte in a terminal of
120x40, commands to their end. Before each run it starts a bare Textual app: its median time to the first
screen is B, the limit with which all times of a row are compared. It asserts nothing, because machines
differ, and prints the table of `qf-tui help performance`.

`--saves` keeps the saves for the next time. `--only` selects the rows whose name contains a text.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from multiprocessing import Process
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from attrs import frozen

from qf_tui.journal.saving import write_save
from qf_tui.library.paths import HOME_VARIABLE, find_shipped_folder
from qf_tui.library.systems import find_systems
from qf_tui.session.saves import build_header
from tests.corrections.long_battles import SCENARIO, play_long_battle
from tests.posix import load, read_memory_kb
from tests.terminal import Terminal, run_in_terminal

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SIZE = (120, 40)
COMMON, LARGE, HUGE = "540", "2050", "9950"
"""Saves by the number of entries after which they end at the next first gunnery phase."""
KIB = 1024
SILENCE, LONG_SILENCE = 0.3, 1.5
"""Seconds without a byte after which a picture is complete, and after which background work is."""
PICTURE, READY = b"Mikasa", b"READY"
F1, F4, F7 = b"\x1bOP", b"\x1bOS", b"\x1b[18~"
BACKSPACE, ARROWS = b"\x7f", (b"\x1b[B", b"\x1b[A")
SHOT = b":fire mikasa heavy tsesarevich long 5 5"
PREVIEWS = 60

Times = Sequence[float]
STATISTICS: Mapping[str, Callable[[Times], float]] = {
    "median": median,
    "p90": lambda times: sorted(times)[(len(times) * 90 - 1) // 100],
    "p99": lambda times: sorted(times)[(len(times) * 99 - 1) // 100],
    "worst": max,
}


@frozen
class Bench:
    """The Python under test, its user's folder, and the saves."""

    python: str
    home: Path
    saves: Path

    def copy_save(self, name: str) -> str:
        """Copy a save, made at the first time by another process so that this one stays small."""
        path = self.saves / f"{name}.qfb"
        if not path.exists():
            making = Process(target=_make_save, args=(path,))
            making.start()
            making.join()
            assert making.exitcode == 0, name
        copy = Path(tempfile.mkdtemp(dir=self.home)) / path.name
        shutil.copyfile(path, copy)
        return str(copy)

    def build_command(self, *words: str) -> list[str]:
        return [str(Path(self.python).with_name("qf-tui")), *words]

    def run_console(self, *words: str) -> AbstractContextManager[Terminal]:
        return run_in_terminal(self.home, self.build_command(*words), SIZE)

    def play(self, save: str = COMMON) -> AbstractContextManager[Terminal]:
        """Open a save in the console."""
        return self.run_console("play", self.copy_save(save))

    def run_bare(self) -> AbstractContextManager[Terminal]:
        # Without -P the folder of the script would be searched for modules first.
        return run_in_terminal(self.home, [self.python, "-P", str(HERE / "bare_app.py")], SIZE)


def _make_save(path: Path) -> None:
    """Make the sample, or a random battle with as many entries as its name says."""
    if path.stem == "sample":
        shutil.copyfile(find_shipped_folder("saves") / f"{SCENARIO}.qfb", path)
        return
    played = play_long_battle(int(path.stem), phase="first-gunnery")
    write_save(path, build_header(find_systems()["advanced-quickfire"], played.start), played.log)


def run(command: list[str]) -> float:
    """Run a command to its end and return the seconds."""
    begun = perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 0, (command, done.stderr)
    return perf_counter() - begun


def wait_until_ready(terminal: Terminal, text: bytes = PICTURE) -> Terminal:
    """Wait for the first picture, and until modules were loaded in the background."""
    terminal.read_until(text)
    terminal.read(3.0)
    return terminal


def press(terminal: Terminal, key: bytes, silence: float = SILENCE, until: bytes = b"") -> float:
    """Press a key and return the seconds to the last byte, after a text if one is given."""
    begun, terminal.seen = perf_counter(), b""
    os.write(terminal.file, key)
    while not terminal.seen or until not in terminal.seen:
        assert terminal.read_once(60.0), f"{key!r} changes nothing"
    return perf_counter() - begun + terminal.read_until_quiet(silence)[0]


def measure_command(bench: Bench, *words: str, save: str = COMMON) -> Times:
    return [run(bench.build_command(*words, bench.copy_save(save)))]


def measure_start(bench: Bench, *words: str) -> Times:
    """Measure the time to the first picture of a battle."""
    with bench.run_console("play", *words) as terminal:
        return [terminal.read_until(PICTURE)]


def measure_key(
    bench: Bench, key: bytes, save: str = COMMON, silence: float = SILENCE, until: bytes = b""
) -> Times:
    """Measure the first press of a key in a battle."""
    with bench.play(save) as terminal:
        return [press(wait_until_ready(terminal), key, silence, until)]


def measure_letters(bench: Bench, opens: Sequence[bytes], word: bytes) -> Times:
    """Measure each letter of a search, and each that is deleted."""
    with bench.play() as terminal:
        wait_until_ready(terminal)
        for key in opens:
            # A blinking cursor is never silent for long.
            press(terminal, key)
        letters = [bytes([letter]) for letter in word]
        return [press(terminal, key) for key in (*letters, *[BACKSPACE] * len(word))]


def measure_navies(bench: Bench) -> Times:
    """Measure the first list of the ships of all navies."""
    with bench.run_console() as terminal:
        return [press(wait_until_ready(terminal, b"F10"), F7)]


def measure_arrows(bench: Bench, key: bytes, count: int, *, until: bytes = b"") -> Times:
    """Measure arrows, each to its first byte, while the work of another key goes on."""
    with bench.play() as terminal:
        wait_until_ready(terminal)
        os.write(terminal.file, key)
        terminal.seen = b""
        while until not in terminal.seen:
            terminal.read_once(0.1)
        os.write(terminal.file, ARROWS[0])
        taken = []
        for number in range(count):
            terminal.read_until_quiet(0.1)
            begun = perf_counter()
            os.write(terminal.file, ARROWS[number % 2])
            assert terminal.read_once(60.0)
            taken.append(perf_counter() - begun)
        return taken


def measure_blocked(bench: Bench) -> Times:
    """Measure the longest that an arrow waits while the sheets are written."""
    return [max(measure_arrows(bench, b"L", 60))]


def measure_shots(bench: Bench, save: str = COMMON) -> Times:
    """Measure Enter of a shot, which is then undone."""
    with bench.play(save) as terminal:
        wait_until_ready(terminal)
        taken = []
        for _ in range(20):
            press(terminal, SHOT)
            taken.append(press(terminal, b"\r"))
            # Leave the dialog of an owed roll, if there is one.
            os.write(terminal.file, b"\x1b")
            terminal.read_until_quiet(SILENCE)
            press(terminal, b"u")
            press(terminal, b"\r")
        return taken


def measure_previews(bench: Bench, save: str) -> Times:
    """Measure previews of amendments all over a log, in a process of the installed program."""
    script = [bench.python, "-P", str(HERE / "speed_inside.py"), bench.copy_save(save), str(PREVIEWS)]
    taken: list[float] = json.loads(subprocess.run(script, capture_output=True, check=True).stdout)
    return taken


def measure_memory(bench: Bench) -> Times:
    """Measure the MiB that the process of the report of a large save takes at most."""
    command = bench.build_command("report", bench.copy_save(LARGE))
    most = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, read_memory_kb(process.pid))
            sleep(0.1)
    assert process.returncode == 0, command
    return [most / KIB]


def measure_simulation(bench: Bench) -> Times:
    """Measure battles by two processes, as a ratio to half the time of two single runs at once."""
    command = bench.build_command("simulate", SCENARIO, "-n", "120", "--seed", "1", "--jobs")
    begun = perf_counter()
    with ThreadPoolExecutor(2) as runs:
        list(runs.map(run, [[*command, "1"]] * 2))
    half = (perf_counter() - begun) / 2
    return [run([*command, "2"]) / half]


@frozen
class Aim:
    """The most that a statistic of a row may be, in B, s, ms, MiB or x."""

    statistic: str
    most: float
    unit: str = "B"

    def compute(self, times: Times, bare: float) -> float:
        scale = {"B": 1 / bare, "ms": 1000}.get(self.unit, 1)
        return STATISTICS[self.statistic](times) * scale

    def format(self, value: float) -> str:
        name = f"{self.statistic} " if self.statistic != "median" else ""
        return f"{name}{_format_number(value)} {self.unit}"


@frozen
class Row:
    """A row of the table: the action and its aims."""

    what: str
    measure: Callable[[Bench], Times]
    aims: tuple[Aim, ...]

    def format(self, times: Times, bare: float) -> str:
        """Format the row in Markdown; `bare` is B in seconds."""
        unit = self.aims[0].unit
        scale, unit = (1, unit) if unit in ("MiB", "x") else (1, "s") if min(times) > 1 else (1000, "ms")
        figures = f"{_format_number(median(times) * scale)}, {_format_number(max(times) * scale)} {unit}"
        found = [aim.compute(times, bare) for aim in self.aims]
        reached = ", ".join(aim.format(value) for aim, value in zip(self.aims, found, strict=True))
        most = ", ".join(aim.format(aim.most) for aim in self.aims)
        met = all(value <= aim.most for aim, value in zip(self.aims, found, strict=True))
        return _format_line(self.what, figures, reached, most, "yes" if met else "**no**")


def _format_number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _format_line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def list_rows() -> Iterator[Row]:
    """List the rows of the table."""

    def wait(what: str, most: float, measure: Callable[[Bench], Times], statistic: str = "median") -> Row:
        return Row(what, measure, (Aim(statistic, most),))

    def command(most: float, *words: str, save: str = COMMON) -> Row:
        what = f"`{' '.join(words)}`{', 2,100 entries' if save == LARGE else ''}"
        return wait(what, most, lambda bench: measure_command(bench, *words, save=save))

    def key(what: str, most: float, pressed: bytes, silence: float = SILENCE) -> Row:
        return wait(what, most, partial(measure_key, key=pressed, silence=silence))

    yield key("court in the console, to the last result", 15, b"C", LONG_SILENCE)
    arrows = partial(measure_arrows, key=b"C", count=20, until=b"readings")
    yield Row("an arrow while the court works", arrows, (Aim("p99", 25, "ms"),))
    yield command(8, "court")
    yield command(35, "court", save=LARGE)
    yield wait("help opens (`F1`)", 0.8, partial(measure_key, key=F1, until=b"type to search"))
    yield wait(
        "a letter in the search of the help", 0.3, partial(measure_letters, opens=[F1], word=b"fire"), "worst"
    )
    yield command(12, "replay")
    yield command(4, "replay", "--no-luck")
    yield command(45, "replay", save=LARGE)
    yield command(12, "report")
    yield key("report in the console (`=`)", 12, b"=", LONG_SILENCE)
    yield command(45, "report", save=LARGE)
    yield Row("memory of `report`, 2,100 entries", measure_memory, (Aim("worst", 80, "MiB"),))
    yield wait("keys wait while sheets are written (`L`)", 0.3, measure_blocked)
    yield key("history, the first time (`h`)", 1.2, b"h")
    letters = partial(measure_letters, opens=[b"h", b"/"], word=b"mik")
    yield wait("a letter in the search of the history", 0.4, letters, "worst")
    for what, pressed in {"why (`?`)": b"?", "charts (`i`)": b"i", "palette (`F4`)": F4}.items():
        yield key(f"{what}, the first time", 0.6, pressed)
    yield wait("ships of all navies (`F7`), the first time", 0.6, measure_navies)
    yield wait("a new battle, first picture", 2.4, lambda bench: measure_start(bench, "tsushima-1905"))
    for name, entries, most in ((COMMON, "560", (60, 120)), (LARGE, "2,100", (150, 500))):
        aims = Aim("p90", most[0], "ms"), Aim("worst", most[1], "ms")
        yield Row(f"preview of an amendment, {entries} entries", partial(measure_previews, save=name), aims)
    enter = Aim("median", 0.1), Aim("p99", 0.2)
    yield Row("Enter of a shot", measure_shots, enter)
    yield Row("Enter of a shot, 10,000 entries", partial(measure_shots, save=HUGE), enter)
    yield wait("first picture, sample", 2.5, lambda bench: measure_start(bench, bench.copy_save("sample")))
    yield wait("first picture, 10,000 entries", 6, lambda bench: measure_start(bench, bench.copy_save(HUGE)))
    yield Row(
        "simulate with two jobs, over half of two single runs", measure_simulation, (Aim("median", 1.1, "x"),)
    )


def install(folder: Path) -> str:
    """Install a wheel of this checkout with its dependencies; return the Python of the environment."""
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    versions = ROOT / ".ci" / "constraints.txt"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "-c", versions, ROOT], check=True)
    return str(python)


def measure_bare(bench: Bench) -> float:
    with bench.run_bare() as terminal:
        return terminal.read_until(READY)


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.tools.speed")
    for switch in ("--python", "--only"):
        parser.add_argument(switch, default="")
    parser.add_argument("--saves", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        python = asked.python or install(home / "venv")
        bench = Bench(python, home, (asked.saves or home).absolute())
        bench.saves.mkdir(exist_ok=True)
        # What is installed has its bytecode beside it, and nothing of this checkout is found.
        for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH"):
            os.environ.pop(name, None)
        os.environ[HOME_VARIABLE] = folder
        os.chdir(folder)
        print(_format_line("what", "median, worst", "reached", "at most", "met"))
        print(_format_line(*["---"] * 5))
        every = []
        for row in list_rows():
            if asked.only in row.what:
                times, bares = list[float](), list[float]()
                for _ in range(asked.runs):
                    bares.append(measure_bare(bench))
                    times += row.measure(bench)
                print(row.format(times, median(bares)), flush=True)
                every += bares
        spread = f"{min(every) * 1000:.0f}, {median(every) * 1000:.0f}, {max(every) * 1000:.0f} ms"
        print(f"B, the first screen of a bare Textual app: {spread}; load {load():.1f}")


if __name__ == "__main__":
    main()
