"""Speed of the installed program: each figure with its limit, both measured in one run, from outside.

    python -m tests.tools.speed [--python PYTHON] [--peer PYTHON] [--saves FOLDER] [--only TEXT] [--reports]

It installs this checkout as a wheel into a temporary environment, as the README does (`python3 -m venv`, `pip
install`), with the versions of `.ci/constraints.txt`; or `--python` names the Python of an existing one. Only
that environment's `qf_tui` is run: in a terminal, as commands, and by `speed_inside` for figures within a
process. `speed_apps` has the limits. The garbage collector is as the program and Python leave it.

`--peer`: a Python with eventsourcing (`pip install eventsourcing`); without it these rows are empty.
`--saves`: a folder that keeps the saves for the next run. `--only`: only rows with that text in their name.
`--reports`: also reports, which take minutes.

It asserts nothing, since machines differ, and prints the table of `qf-tui help performance`. Figures are the
minimum and the median, and for some aims the 99th percentile and the worst; an aim is for the median. In a
terminal, time ends with the last byte of the picture, at a start with the first picture. `at 1.63x`: an aim
in milliseconds is met at the pace of the machine for which it was set, on which a bare Textual app starts in
`BARE`; this machine is that much slower.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cache, partial
from itertools import cycle
from multiprocessing import Process
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from attrs import evolve, frozen

from qf_tui.journal.saving import write_save
from qf_tui.library.paths import HOME, find_shipped_folder
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import build_header
from tests.corrections.long_battles import SCENARIO, play_long_battle
from tests.posix import load, read_memory_kb
from tests.terminal import Terminal, run_in_terminal
from tests.tools.speed_apps import READY

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
NARROW, WIDE = (120, 40), (200, 60)
SHIPS = 120
GONE_ON = 1_500
"""Entries that continue a long battle, and an empty one."""
BATTLES = 3
"""Battles in which shots are typed."""
SILENCE = 0.12
"""Seconds without a byte after which a picture is complete."""
TYPED = 0.2
"""Seconds without a byte after which keys typed at once are handled."""
PICTURE, SHELF, KEYS, NAVIES = b"Mikasa", b"Continue", b"F10", b"of 21 navies"
"""What is on the first picture of a battle, of the start screen, at its foot, and of the ships."""
ARROWS = [b"\x1b[B", b"\x1b[C", b"\x1b[B", b"\x1b[D"] * 25
WORDS = ["mik", "bat", "asa", "kon", "roy", "190", "gar", "tse", "cru", "jap", "tor", "fuj"]
FRAME = 16.7
PEER, REPORT, MEMORY = "eventsourcing", "report", "MiB"
BARE = 123.0
"""Milliseconds in which a bare Textual app started when the aims were set."""

Times = Sequence[float]
FIGURES: Mapping[str, tuple[str, Callable[[Times, Times], float]]] = {
    "median": ("{}", lambda ours, _: median(ours)),
    "times": ("{}x", lambda ours, limit: median(ours) / median(limit)),
    "above": ("+{}", lambda ours, limit: median(ours) - median(limit)),
    "p99": ("p99 {}", lambda ours, _: sorted(ours)[(len(ours) * 99 - 1) // 100]),
    "worst": ("worst {}", lambda ours, _: max(ours)),
}
"""Statistics of the figures and their limit: how each is written and computed."""


@frozen
class Figures:
    """Measured figures, in the unit of their row, and their limit in the same run."""

    ours: Times
    limit: Times = ()


@frozen
class Bench:
    """The Python under test, its user's folder, the saves, and a peer."""

    python: str
    home: Path
    saves: Path
    peer: str

    def get_save(self, name: str) -> str:
        """Get a save that stays unchanged, made by another process so that this one stays small."""
        path = self.saves / f"{name}.qfb"
        if not path.exists():
            making = Process(target=MAKERS[name], args=(path,))
            making.start()
            making.join()
            assert making.exitcode == 0, name
        return str(path)

    def copy_save(self, name: str) -> str:
        """Copy a save to enter orders into, with its file of orders."""
        copy = Path(tempfile.mkdtemp(dir=self.home)) / f"{name}.qfb"
        shutil.copyfile(self.get_save(name), copy)
        orders = self.saves / f"{name}.json"
        if orders.exists():
            shutil.copyfile(orders, copy.with_suffix(".json"))
        return str(copy)

    def build_command(self, *words: str) -> list[str]:
        return [str(Path(self.python).with_name("qf-tui")), *words]

    def build_script_command(self, name: str, *arguments: str, python: str = "") -> list[str]:
        # Without -P the folder of the script would be searched for modules first.
        return [python or self.python, "-P", str(HERE / name), *arguments]

    def run_console(self, *words: str, size: tuple[int, int] = NARROW) -> AbstractContextManager[Terminal]:
        return run_in_terminal(self.home, self.build_command(*words), size)

    def run_app(self, name: str, size: tuple[int, int] = NARROW) -> AbstractContextManager[Terminal]:
        """Run the least Textual app."""
        return run_in_terminal(self.home, self.build_script_command("speed_apps.py", name), size)


def _run(command: list[str]) -> bytes:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def _read_printed(command: list[str]) -> float:
    """Return the milliseconds that a script prints."""
    return float(_run(command))


def _time(command: list[str]) -> float:
    """Return the milliseconds of a process until the end of its output."""
    begun = perf_counter()
    _run(command)
    return (perf_counter() - begun) * 1000


def measure_by_turns(
    ours: Callable[[], float], limit: Callable[[], float], count: int, first: int = 1
) -> Figures:
    """Measure two in turn, so that a busy moment affects both; the `first` of each do not count."""
    pairs = [(ours(), limit()) for _ in range(first + count)][first:]
    return Figures([one for one, _ in pairs], [other for _, other in pairs])


def measure_within(what: str, *arguments: str, name: str = "ours") -> Callable[[Bench], Figures]:
    """Return a measurement by `speed_inside`, or one part of it; a save is named by its contents."""

    def measure(bench: Bench) -> Figures:
        measured = _measure_inside(bench, what, arguments)
        return Figures(measured[name], measured.get(f"{name} limit", ()))

    return measure


@cache
def _measure_inside(bench: Bench, what: str, arguments: tuple[str, ...]) -> dict[str, list[float]]:
    given = [bench.copy_save(one) if one in MAKERS else one for one in arguments]
    measured: dict[str, list[float]] = json.loads(
        _run(bench.build_script_command("speed_inside.py", what, *given))
    )
    return measured


def measure_first_screen(bench: Bench, name: str) -> Figures:
    """Measure the start to the first picture of a save, or of the start screen with some saves."""
    words, text = (("play", bench.copy_save(name)), PICTURE) if name else ((), SHELF)
    for number in range(0 if name else 5):
        shelf = bench.home / "saves"
        shelf.mkdir(exist_ok=True)
        shutil.copyfile(bench.get_save("sample"), shelf / f"evening-{number}.qfb")
    return measure_by_turns(
        lambda: _time_start(bench.run_console(*words), text), lambda: _time_bare(bench), 7
    )


def _time_start(opened: AbstractContextManager[Terminal], text: bytes) -> float:
    """Return the milliseconds to a picture with a text."""
    with opened as terminal:
        return terminal.read_until(text) * 1000


def _time_bare(bench: Bench) -> float:
    return _time_start(bench.run_app("line"), READY)


def measure_opening(bench: Bench, *, peer: bool) -> Figures:
    """Measure a new process that opens 2,000 entries, against JSON or a peer."""
    save = bench.copy_save("2000")
    limit = bench.build_script_command("speed_apps.py", "json", save)
    if peer:
        _run(bench.build_script_command("speed_apps.py", "keep", save, python=bench.peer))
        limit = bench.build_script_command("speed_apps.py", "get", save, python=bench.peer)
    ours = bench.build_script_command("speed_inside.py", "opening", save)
    return measure_by_turns(partial(_read_printed, ours), partial(_read_printed, limit), 7)


def measure_showing(bench: Bench) -> Figures:
    save = bench.get_save("2000")
    limit = bench.build_script_command("speed_apps.py", "json", save)
    return measure_by_turns(
        partial(_time, bench.build_command("show", save)), partial(_read_printed, limit), 5
    )


def measure_sample(bench: Bench, word: str) -> Figures:
    """Measure a command with the sample; `run` begins its scenario without orders."""
    command = bench.build_command(word, SCENARIO if word == "run" else bench.get_save("sample"))
    return measure_by_turns(partial(_time, command), partial(_time, [bench.python, "-c", "pass"]), 15)


def measure_scenario(bench: Bench) -> Figures:
    return Figures(
        [_read_printed(bench.build_script_command("speed_inside.py", "scenario", SCENARIO)) for _ in range(7)]
    )


def measure_report(bench: Bench, entries: str) -> Figures:
    return Figures([_time(bench.build_command("report", bench.get_save(entries))) / 1000 for _ in range(2)])


def measure_keys(terminal: Terminal, pressed: Iterable[bytes]) -> list[float]:
    """Measure the milliseconds from each key to the last byte of its picture."""
    taken = []
    for key in pressed:
        begun = perf_counter()
        os.write(terminal.file, key)
        assert terminal.read_once(1.0), f"{key!r} changes nothing"
        first = perf_counter() - begun
        taken.append((first + terminal.read_until_quiet(SILENCE)[0]) * 1000)
    return taken


def _wait_until_ready(terminal: Terminal, text: bytes = PICTURE) -> Terminal:
    terminal.read_until(text)
    terminal.read_until_quiet(0.5)
    return terminal


def measure_drawing(bench: Bench, static: str) -> Figures:
    """Measure arrows against a line that a key changes, or the whole screen against a large Static."""
    save, full = bench.copy_save("large"), static == "full"
    command = (
        bench.build_script_command("speed_inside.py", "anew", save)
        if full
        else bench.build_command("play", save)
    )
    with run_in_terminal(bench.home, command, WIDE) as terminal:
        taken = measure_keys(_wait_until_ready(terminal), [b"\x07"] * 30 if full else ARROWS)
    with bench.run_app(static, WIDE) as terminal:
        return Figures(taken, measure_keys(_wait_until_ready(terminal, READY), [b"x"] * 40))


def measure_search(bench: Bench) -> Figures:
    """Measure letters in the search of all navies' ships; deleting them is not measured."""
    taken = []
    with bench.run_console(size=WIDE) as terminal:
        os.write(_wait_until_ready(terminal, KEYS).file, b"\x1b[18~")
        _wait_until_ready(terminal, NAVIES)
        for word in WORDS:
            taken += measure_keys(terminal, [bytes([letter]) for letter in word.encode()])
            os.write(terminal.file, b"\x7f" * len(word))
            terminal.read_until_quiet(0.5)
    return Figures(taken)


def measure_shots(bench: Bench, size: tuple[int, int]) -> Figures:
    """Measure the Enter of shots typed in the bar, each of another ship.

    Several battles: the 99th percentile of the fifty shots of one is just the worst.
    """
    taken: list[float] = []
    for _ in range(BATTLES):
        save = Path(bench.copy_save("large"))
        before, orders = save.read_bytes().count(b"\n"), _read_orders(save)
        with bench.run_console("play", str(save), size=size) as terminal:
            _wait_until_ready(terminal)
            taken += [_time_shot(terminal, order) for order in orders]
        assert save.read_bytes().count(b"\n") == before + len(orders), "a shot was refused"
    return Figures(taken)


def _time_shot(terminal: Terminal, order: str) -> float:
    os.write(terminal.file, f":{order}".encode())
    terminal.read_until_quiet(TYPED)
    (taken,) = measure_keys(terminal, [b"\r"])
    # Its owed roll is left open.
    os.write(terminal.file, b"\x1b")
    terminal.read_until_quiet(SILENCE)
    return taken


def _read_orders(save: Path) -> list[str]:
    orders: list[str] = json.loads(save.with_suffix(".json").read_bytes())
    return orders


def measure_memory(bench: Bench) -> Figures:
    """Measure the MiB of a console with 2,000 entries after three quiet seconds, and of a bare app."""

    def measure_held(opened: AbstractContextManager[Terminal], text: bytes) -> float:
        with opened as terminal:
            terminal.read_until(text)
            terminal.read(3.0)
            return read_memory_kb(terminal.process, "VmRSS") / 1024

    words = ("play", bench.copy_save("2000"))
    return measure_by_turns(
        lambda: measure_held(bench.run_console(*words), PICTURE),
        lambda: measure_held(bench.run_app("line"), READY),
        2,
        first=0,
    )


def measure_simulating(bench: Bench) -> Figures:
    """Measure battles by two processes, and half the time of two single runs at once."""
    command = bench.build_command("simulate", SCENARIO, "-n", "120", "--seed", "1", "--jobs")

    def side_by_side() -> float:
        begun = perf_counter()
        with ThreadPoolExecutor(2) as runs:
            list(runs.map(_run, [[*command, "1"]] * 2))
        return (perf_counter() - begun) / 2

    return measure_by_turns(lambda: _time([*command, "2"]) / 1000, side_by_side, 2, first=0)


def _make_played(path: Path) -> None:
    """Play a battle of random entries; its name is their number."""
    played = play_long_battle(int(path.stem))
    write_save(path, build_header(find_systems()["advanced-quickfire"], played.start), played.log)


def _make_large(path: Path) -> None:
    """Make 2,000 entries of many ships in their first gunnery phase, and random shots in a file."""
    system, start = load_scenario(SCENARIO, find_systems())
    own, ships = list(start.ships.values()), dict(start.ships)
    for number in range(SHIPS - len(own)):
        ship, turn = own[number % len(own)], number // len(own) + 2
        ships[f"{ship.id}-{turn}"] = evolve(ship, id=f"{ship.id}-{turn}", name=f"{ship.name} {turn}")
    session, chance = Session.begin(system, evolve(start, ships=ships, began=None)), Random(1904)
    session.enter("next")
    orders = []
    for ready in system.may_act(session.battle):
        if "H" in ready.what:
            target = "tsesarevich" if ships[ready.ship].side == ships["mikasa"].side else "mikasa"
            dice = f"{chance.randint(1, 12)} {chance.randint(1, 12)}"
            orders.append(f"fire {ready.ship} heavy {target} 18in {dice}")
    path.with_suffix(".json").write_text(json.dumps(orders), encoding="utf-8")
    for number, name in zip(range(1, 2_000), cycle(ships), strict=False):
        session.enter(f"mark {name} boat_guns {number % 4}" if number % 2 else f"note entry {number}")
    write_save(path, build_header(system, session.timeline.start), session.timeline.log)


def _make_sample(path: Path) -> None:
    shutil.copyfile(find_shipped_folder("saves") / f"{SCENARIO}.qfb", path)


MAKERS: Mapping[str, Callable[[Path], None]] = {
    **dict.fromkeys(("0", "2000", "5000"), _make_played),
    "large": _make_large,
    "sample": _make_sample,
}


@frozen
class Row:
    """A row of the table: the measured action, its limit as text, and the aims by name in `FIGURES`."""

    what: str
    limit: str
    measure: Callable[[Bench], Figures]
    most: Mapping[str, float]
    unit: str = "ms"

    def format(self, figures: Figures | None, longer: float) -> str:
        """Format the row in Markdown; None means not measured.

        Args:
            figures: The figures, or None.
            longer: How much slower this machine is than the one for which the aims were set.
        """
        aims = ", ".join(FIGURES[name][0].format(f"{most:.3g}") for name, most in self.most.items())
        if figures is None:
            return _format_line(self.what, f"{self.limit}: not there", "", "", aims, "")

        def of(name: str) -> float:
            return FIGURES[name][1](figures.ours, figures.limit)

        def words(*names: str) -> list[str]:
            texts = [FIGURES[name][0].format(_format_number(of(name))) for name in names if name in self.most]
            return [text.replace("+-", "-") for text in texts]

        limit = f"{self.limit} {_format_spread(figures.limit)}" if figures.limit else self.limit
        ours = ", ".join((_format_spread(figures.ours), *words("p99", "worst")))
        cells = (f"{ours} {self.unit}", *(words("times", "above") or [""]), aims)
        over = {name: of(name) / most for name, most in self.most.items() if of(name) > most}
        # Ratios and memory do not depend on the speed of the machine.
        timed = "times" not in over and self.unit != MEMORY
        met = timed and max(over.values(), default=0) <= longer
        verdict = "yes" if not over else f"at {longer:.2f}x" if met else "**no**"
        return _format_line(self.what, limit, *cells, verdict)


def _format_spread(times: Times) -> str:
    return f"{_format_number(min(times))}, {_format_number(median(times))}"


def _format_number(value: float) -> str:
    """Format a number with three digits, or with all digits before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _format_line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def list_rows() -> Iterator[Row]:
    """List the rows of the table."""
    measure: Callable[[Bench], Figures]
    bare, python, lines = "bare Textual app", "bare Python", "`json.loads` of its lines"
    shot, frame = f"Enter of a shot, {SHIPS} ships", f"a frame {FRAME}"
    saves = {"0": ("empty save", 2.5), "sample": ("sample", 2.5), "2000": ("2,000 entries", 3.4)}
    for name, (words, most) in saves.items():
        yield Row(f"first screen, {words}", bare, partial(measure_first_screen, name=name), {"times": most})
    yield Row(
        "start screen, saves on the shelf", bare, partial(measure_first_screen, name=""), {"times": 2.5}
    )
    for limit in (lines, PEER):
        measure = partial(measure_opening, peer=limit == PEER)
        yield Row("open 2,000, fresh process", limit, measure, {"times": 1})
    yield Row("`show` of 2,000", lines, measure_showing, {"times": 12})
    for word in ("show", "run", "verify"):
        yield Row(
            f"`{word}` of the sample, whole process",
            python,
            partial(measure_sample, word=word),
            {"times": 20},
        )
    yield Row("append, whole", "write and fsync", measure_within("append", "2000"), {"above": 0.12})
    for size in (NARROW, WIDE):
        name, measure = f"{shot}, {size[0]}x{size[1]}", partial(measure_shots, size=size)
        yield Row(name, frame, measure, {"median": FRAME, "p99": 25})
    measure = partial(measure_drawing, static="line")
    yield Row("arrow, 200x60, 2,000 entries", "one Static", measure, {"times": 2, "p99": 12})
    yield Row(
        "whole screen, 200x60", "Static as large", partial(measure_drawing, static="full"), {"times": 4.5}
    )
    for name, battle, rounds, most in (("", SCENARIO, "2", 0.5), (", d6", "examples-d6", "10", 0.9)):
        measure = measure_within("preview", battle, rounds)
        yield Row(f"preview with odds of a shot{name}", "", measure, {"median": most})
    last = "a correction of the last hundred of 2,000"
    seen, entered = (measure_within("corrections", "2000", how) for how in ("preview", "enter"))
    yield Row(f"preview of {last}", frame, seen, {"median": 12, "p99": 25})
    yield Row(f"{last}, on disk", frame, entered, {"p99": 25})
    yield Row("a letter in the search of ships", frame, measure_search, {"median": FRAME, "worst": 33})
    yield Row("scenario of 46 ships, fresh process", "", measure_scenario, {"median": 20})
    for entries, most in (("2000", 8), ("5000", 25)):
        measure = partial(measure_report, entries=entries)
        yield Row(f"{REPORT} of {int(entries):,} entries", "", measure, {"median": most}, "s")
    yield Row("simulate, two processes", "of two single runs", measure_simulating, {"times": 1 / 0.95}, "s")
    yield Row("memory with 2,000 entries", bare, measure_memory, {"median": 70}, MEMORY)


def install(folder: Path) -> str:
    """Install a wheel of this checkout with its dependencies; return the Python of the environment."""
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    versions = ROOT / ".ci" / "constraints.txt"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "-c", versions, ROOT], check=True)
    return str(python)


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.tools.speed")
    for switch in ("--python", "--peer", "--only"):
        parser.add_argument(switch, default="")
    parser.add_argument("--saves", type=Path)
    parser.add_argument("--reports", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        bench = Bench(
            asked.python or install(home / "venv"), home, (asked.saves or home).absolute(), asked.peer
        )
        bench.saves.mkdir(exist_ok=True)
        # The installed program has its bytecode, and cannot find this checkout.
        for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH"):
            os.environ.pop(name, None)
        os.environ[HOME] = folder
        os.chdir(folder)
        print(_format_line("what", "limit: min, median", "figure: min, median", "ratio", "at most", "met"))
        print(_format_line(*["---"] * 6))
        bare = median(_time_bare(bench) for _ in range(7))
        for row in list_rows():
            if asked.only in row.what and (asked.reports or REPORT not in row.what):
                missing = row.limit == PEER and not bench.peer
                print(row.format(None if missing else row.measure(bench), max(1, bare / BARE)), flush=True)
        slower = f"{bare / BARE:.2f} times {BARE:.0f}"
        print(f"a bare Textual app starts in {bare:.0f} ms, {slower}; load {load():.1f}")


if __name__ == "__main__":
    main()
