"""How fast the installed program is: each figure beside its limit, both measured in one run, from outside.

    python -m tests.tools.speed [--python PYTHON] [--peer PYTHON] [--saves FOLDER] [--only TEXT] [--reports]

It installs this checkout as a wheel into an environment that is thrown away, as the README does (`python3 -m
venv`, `pip install`), with the versions of `.ci/constraints.txt`; or `--python` is the Python of one that is
there. Only that one's `qf_tui` is run: in a terminal, as commands, and by `speed_inside`, where a figure
is of something within a process. `speed_apps` has the limits. The collector is as the program and Python
leave it.

`--peer`: a Python in which there is eventsourcing (`pip install eventsourcing`), else it is left out.
`--saves`: keeps the saves that are made, for the next run. `--only`: rows with that text in their name.
`--reports`: those of reports too, which take minutes.

It asserts nothing, for machines differ, and prints the table of `qf-tui help performance`. Figures are the
minimum and the median, and where an aim names them the 99th percentile and the worst; an aim is for the
median. A terminal's figures go to the last byte of the picture, those of a start to the first picture. `at
1.63x`: an aim in milliseconds is met by the pace of the machine for which it was set, on which a bare
Textual app starts in `BARE`; this one takes so many times as long.
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
"""Entries that go on with a long battle, and with an empty one."""
BATTLES = 3
"""Battles in which shots are typed."""
SILENCE = 0.12
"""Seconds without a byte after which a picture is whole."""
TYPED = 0.2
"""Seconds without a byte after which keys that came at once are worked on."""
PICTURE, SHELF, KEYS, NAVIES = b"Mikasa", b"Continue", b"F10", b"of 21 navies"
"""What is on the first picture of a battle, of the start screen, at its foot, and of the ships."""
ARROWS = [b"\x1b[B", b"\x1b[C", b"\x1b[B", b"\x1b[D"] * 25
WORDS = ["mik", "bat", "asa", "kon", "roy", "190", "gar", "tse", "cru", "jap", "tor", "fuj"]
FRAME = 16.7
PEER, REPORT, MEMORY = "eventsourcing", "report", "MiB"
BARE = 123.0
"""Milliseconds in which a bare Textual app starts where the most in milliseconds were set."""

Times = Sequence[float]
FIGURES: Mapping[str, tuple[str, Callable[[Times, Times], float]]] = {
    "median": ("{}", lambda ours, _: median(ours)),
    "times": ("{}x", lambda ours, limit: median(ours) / median(limit)),
    "above": ("+{}", lambda ours, limit: median(ours) - median(limit)),
    "p99": ("p99 {}", lambda ours, _: sorted(ours)[(len(ours) * 99 - 1) // 100]),
    "worst": ("worst {}", lambda ours, _: max(ours)),
}
"""What may be wanted of figures and their limit: how it is written, and worked out."""


@frozen
class Figures:
    """What was measured, in the unit of its row, and its limit in the same run."""

    ours: Times
    limit: Times = ()


@frozen
class Bench:
    """The Python whose program is measured, its user's folder, the saves that are made, and a peer."""

    python: str
    home: Path
    saves: Path
    peer: str

    def save(self, name: str) -> str:
        """A save that nothing is entered into, made by another process, so that this one stays small."""
        path = self.saves / f"{name}.qfb"
        if not path.exists():
            making = Process(target=MAKERS[name], args=(path,))
            making.start()
            making.join()
            assert making.exitcode == 0, name
        return str(path)

    def copy(self, name: str) -> str:
        """A save to enter something into, with the orders beside it."""
        copy = Path(tempfile.mkdtemp(dir=self.home)) / f"{name}.qfb"
        shutil.copyfile(self.save(name), copy)
        orders = self.saves / f"{name}.json"
        if orders.exists():
            shutil.copyfile(orders, copy.with_suffix(".json"))
        return str(copy)

    def program(self, *words: str) -> list[str]:
        return [str(Path(self.python).with_name("qf-tui")), *words]

    def script(self, name: str, *arguments: str, python: str = "") -> list[str]:
        # Without -P the folder of the script would be searched for modules first.
        return [python or self.python, "-P", str(HERE / name), *arguments]

    def console(self, *words: str, size: tuple[int, int] = NARROW) -> AbstractContextManager[Terminal]:
        return run_in_terminal(self.home, self.program(*words), size)

    def app(self, name: str, size: tuple[int, int] = NARROW) -> AbstractContextManager[Terminal]:
        """The least Textual app."""
        return run_in_terminal(self.home, self.script("speed_apps.py", name), size)


def _output(command: list[str]) -> bytes:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def _printed(command: list[str]) -> float:
    """The milliseconds that a script says."""
    return float(_output(command))


def _whole(command: list[str]) -> float:
    """The milliseconds of a process, to the end of what it says."""
    begun = perf_counter()
    _output(command)
    return (perf_counter() - begun) * 1000


def by_turns(ours: Callable[[], float], limit: Callable[[], float], count: int, first: int = 1) -> Figures:
    """Two measured by turns, so that a busy moment is in both; the `first` of each do not count."""
    pairs = [(ours(), limit()) for _ in range(first + count)][first:]
    return Figures([one for one, _ in pairs], [other for _, other in pairs])


def within(what: str, *arguments: str, name: str = "ours") -> Callable[[Bench], Figures]:
    """What `speed_inside` measures, or one part of it; a save is named by what it is."""

    def measure(bench: Bench) -> Figures:
        measured = _measured(bench, what, arguments)
        return Figures(measured[name], measured.get(f"{name} limit", ()))

    return measure


@cache
def _measured(bench: Bench, what: str, arguments: tuple[str, ...]) -> dict[str, list[float]]:
    given = [bench.copy(one) if one in MAKERS else one for one in arguments]
    measured: dict[str, list[float]] = json.loads(_output(bench.script("speed_inside.py", what, *given)))
    return measured


def first_screen(bench: Bench, name: str) -> Figures:
    """Start to the first picture of a save, or of the start screen with some saves on the shelf."""
    words, text = (("play", bench.copy(name)), PICTURE) if name else ((), SHELF)
    for number in range(0 if name else 5):
        shelf = bench.home / "saves"
        shelf.mkdir(exist_ok=True)
        shutil.copyfile(bench.save("sample"), shelf / f"evening-{number}.qfb")
    return by_turns(lambda: _started(bench.console(*words), text), lambda: _bare(bench), 7)


def _started(opened: AbstractContextManager[Terminal], text: bytes) -> float:
    """The milliseconds to a picture that has a text."""
    with opened as terminal:
        return terminal.read_until(text) * 1000


def _bare(bench: Bench) -> float:
    return _started(bench.app("line"), READY)


def opening(bench: Bench, *, peer: bool) -> Figures:
    """2,000 entries opened by a fresh process, against JSON or a peer in one."""
    save = bench.copy("2000")
    limit = bench.script("speed_apps.py", "json", save)
    if peer:
        _output(bench.script("speed_apps.py", "keep", save, python=bench.peer))
        limit = bench.script("speed_apps.py", "get", save, python=bench.peer)
    ours = bench.script("speed_inside.py", "opening", save)
    return by_turns(partial(_printed, ours), partial(_printed, limit), 7)


def showing(bench: Bench) -> Figures:
    save = bench.save("2000")
    limit = bench.script("speed_apps.py", "json", save)
    return by_turns(partial(_whole, bench.program("show", save)), partial(_printed, limit), 5)


def sample(bench: Bench, word: str) -> Figures:
    """A command about the sample; `run` begins its scenario and is given no orders."""
    command = bench.program(word, SCENARIO if word == "run" else bench.save("sample"))
    return by_turns(partial(_whole, command), partial(_whole, [bench.python, "-c", "pass"]), 15)


def scenario(bench: Bench) -> Figures:
    return Figures([_printed(bench.script("speed_inside.py", "scenario", SCENARIO)) for _ in range(7)])


def report(bench: Bench, entries: str) -> Figures:
    return Figures([_whole(bench.program("report", bench.save(entries))) / 1000 for _ in range(2)])


def keys(terminal: Terminal, pressed: Iterable[bytes]) -> list[float]:
    """Milliseconds of each key to the last byte of its picture."""
    taken = []
    for key in pressed:
        begun = perf_counter()
        os.write(terminal.file, key)
        assert terminal.read_once(1.0), f"{key!r} changes nothing"
        first = perf_counter() - begun
        taken.append((first + terminal.read_until_quiet(SILENCE)[0]) * 1000)
    return taken


def _ready(terminal: Terminal, text: bytes = PICTURE) -> Terminal:
    terminal.read_until(text)
    terminal.read_until_quiet(0.5)
    return terminal


def drawing(bench: Bench, static: str) -> Figures:
    """Arrows against a line that a key changes; or all of the screen against a Static as large."""
    save, full = bench.copy("large"), static == "full"
    command = bench.script("speed_inside.py", "anew", save) if full else bench.program("play", save)
    with run_in_terminal(bench.home, command, WIDE) as terminal:
        taken = keys(_ready(terminal), [b"\x07"] * 30 if full else ARROWS)
    with bench.app(static, WIDE) as terminal:
        return Figures(taken, keys(_ready(terminal, READY), [b"x"] * 40))


def search(bench: Bench) -> Figures:
    """Letters in the search of all navies' ships; what was typed is taken back unmeasured."""
    taken = []
    with bench.console(size=WIDE) as terminal:
        os.write(_ready(terminal, KEYS).file, b"\x1b[18~")
        _ready(terminal, NAVIES)
        for word in WORDS:
            taken += keys(terminal, [bytes([letter]) for letter in word.encode()])
            os.write(terminal.file, b"\x7f" * len(word))
            terminal.read_until_quiet(0.5)
    return Figures(taken)


def shots(bench: Bench, size: tuple[int, int]) -> Figures:
    """Shots, each of another ship, typed on the bar; the key that counts is Enter.

    Several times over: of the fifty of one battle the 99th percentile is the worst, however it came about.
    """
    taken: list[float] = []
    for _ in range(BATTLES):
        save = Path(bench.copy("large"))
        before, orders = save.read_bytes().count(b"\n"), _orders(save)
        with bench.console("play", str(save), size=size) as terminal:
            _ready(terminal)
            taken += [_shot(terminal, order) for order in orders]
        assert save.read_bytes().count(b"\n") == before + len(orders), "a shot was refused"
    return Figures(taken)


def _shot(terminal: Terminal, order: str) -> float:
    os.write(terminal.file, f":{order}".encode())
    terminal.read_until_quiet(TYPED)
    (taken,) = keys(terminal, [b"\r"])
    # What it owes is left for later.
    os.write(terminal.file, b"\x1b")
    terminal.read_until_quiet(SILENCE)
    return taken


def _orders(save: Path) -> list[str]:
    orders: list[str] = json.loads(save.with_suffix(".json").read_bytes())
    return orders


def memory(bench: Bench) -> Figures:
    """Mebibytes that a console with 2,000 entries holds after three quiet seconds, and a bare app."""

    def held(opened: AbstractContextManager[Terminal], text: bytes) -> float:
        with opened as terminal:
            terminal.read_until(text)
            terminal.read(3.0)
            return read_memory_kb(terminal.process, "VmRSS") / 1024

    words = ("play", bench.copy("2000"))
    return by_turns(
        lambda: held(bench.console(*words), PICTURE), lambda: held(bench.app("line"), READY), 2, first=0
    )


def simulating(bench: Bench) -> Figures:
    """Battles by two processes, and the same by each of two single runs side by side: half of their time."""
    command = bench.program("simulate", SCENARIO, "-n", "120", "--seed", "1", "--jobs")

    def side_by_side() -> float:
        begun = perf_counter()
        with ThreadPoolExecutor(2) as runs:
            list(runs.map(_output, [[*command, "1"]] * 2))
        return (perf_counter() - begun) / 2

    return by_turns(lambda: _whole([*command, "2"]) / 1000, side_by_side, 2, first=0)


def _played(path: Path) -> None:
    """A battle of so many entries, played by chance."""
    played = play_long_battle(int(path.stem))
    write_save(path, build_header(find_systems()["advanced-quickfire"], played.start), played.log)


def _large(path: Path) -> None:
    """2,000 entries of many ships in their first gunnery phase, and beside it shots with dice by chance."""
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


def _sample(path: Path) -> None:
    shutil.copyfile(find_shipped_folder("saves") / f"{SCENARIO}.qfb", path)


MAKERS: Mapping[str, Callable[[Path], None]] = {
    **dict.fromkeys(("0", "2000", "5000"), _played),
    "large": _large,
    "sample": _sample,
}


@frozen
class Row:
    """A row of the table: what is measured, its limit in words, and the most that may be of `FIGURES`."""

    what: str
    limit: str
    measure: Callable[[Bench], Figures]
    most: Mapping[str, float]
    unit: str = "ms"

    def text(self, figures: Figures | None, longer: float) -> str:
        """The row in Markdown; without figures it was not measured.

        `longer`: by how much all takes longer here than where the most in milliseconds were set.
        """
        aims = ", ".join(FIGURES[name][0].format(f"{most:.3g}") for name, most in self.most.items())
        if figures is None:
            return _line(self.what, f"{self.limit}: not there", "", "", aims, "")

        def of(name: str) -> float:
            return FIGURES[name][1](figures.ours, figures.limit)

        def words(*names: str) -> list[str]:
            texts = [FIGURES[name][0].format(_number(of(name))) for name in names if name in self.most]
            return [text.replace("+-", "-") for text in texts]

        limit = f"{self.limit} {_spread(figures.limit)}" if figures.limit else self.limit
        ours = ", ".join((_spread(figures.ours), *words("p99", "worst")))
        cells = (f"{ours} {self.unit}", *(words("times", "above") or [""]), aims)
        over = {name: of(name) / most for name, most in self.most.items() if of(name) > most}
        # A ratio is no shorter on a quick machine, nor is a memory.
        timed = "times" not in over and self.unit != MEMORY
        met = timed and max(over.values(), default=0) <= longer
        verdict = "yes" if not over else f"at {longer:.2f}x" if met else "**no**"
        return _line(self.what, limit, *cells, verdict)


def _spread(times: Times) -> str:
    return f"{_number(min(times))}, {_number(median(times))}"


def _number(value: float) -> str:
    """Three digits of a number, or all before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def rows() -> Iterator[Row]:
    """The table, row by row."""
    measure: Callable[[Bench], Figures]
    bare, python, lines = "bare Textual app", "bare Python", "`json.loads` of its lines"
    shot, frame = f"Enter of a shot, {SHIPS} ships", f"a frame {FRAME}"
    saves = {"0": ("empty save", 2.5), "sample": ("sample", 2.5), "2000": ("2,000 entries", 3.4)}
    for name, (words, most) in saves.items():
        yield Row(f"first screen, {words}", bare, partial(first_screen, name=name), {"times": most})
    yield Row("start screen, saves on the shelf", bare, partial(first_screen, name=""), {"times": 2.5})
    for limit in (lines, PEER):
        measure = partial(opening, peer=limit == PEER)
        yield Row("open 2,000, fresh process", limit, measure, {"times": 1})
    yield Row("`show` of 2,000", lines, showing, {"times": 12})
    for word in ("show", "run", "verify"):
        yield Row(f"`{word}` of the sample, whole process", python, partial(sample, word=word), {"times": 20})
    yield Row("append, whole", "write and fsync", within("append", "2000"), {"above": 0.12})
    for size in (NARROW, WIDE):
        name, measure = f"{shot}, {size[0]}x{size[1]}", partial(shots, size=size)
        yield Row(name, frame, measure, {"median": FRAME, "p99": 25})
    measure = partial(drawing, static="line")
    yield Row("arrow, 200x60, 2,000 entries", "one Static", measure, {"times": 2, "p99": 12})
    yield Row("whole screen, 200x60", "Static as large", partial(drawing, static="full"), {"times": 4.5})
    for name, battle, rounds, most in (("", SCENARIO, "2", 0.5), (", d6", "examples-d6", "10", 0.9)):
        measure = within("preview", battle, rounds)
        yield Row(f"preview with odds of a shot{name}", "", measure, {"median": most})
    last = "a correction of the last hundred of 2,000"
    seen, entered = (within("corrections", "2000", how) for how in ("preview", "enter"))
    yield Row(f"preview of {last}", frame, seen, {"median": 12, "p99": 25})
    yield Row(f"{last}, on disk", frame, entered, {"p99": 25})
    yield Row("a letter in the search of ships", frame, search, {"median": FRAME, "worst": 33})
    yield Row("scenario of 46 ships, fresh process", "", scenario, {"median": 20})
    for entries, most in (("2000", 8), ("5000", 25)):
        measure = partial(report, entries=entries)
        yield Row(f"{REPORT} of {int(entries):,} entries", "", measure, {"median": most}, "s")
    yield Row("simulate, two processes", "of two single runs", simulating, {"times": 1 / 0.95}, "s")
    yield Row("memory with 2,000 entries", bare, memory, {"median": 70}, MEMORY)


def installed(folder: Path) -> str:
    """The Python of an environment in which there is a wheel of this checkout, and what it needs."""
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
            asked.python or installed(home / "venv"), home, (asked.saves or home).absolute(), asked.peer
        )
        bench.saves.mkdir(exist_ok=True)
        # What is installed has its bytecode beside it, and nothing of this checkout is found.
        for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH"):
            os.environ.pop(name, None)
        os.environ[HOME] = folder
        os.chdir(folder)
        print(_line("what", "limit: min, median", "figure: min, median", "ratio", "at most", "met"))
        print(_line(*["---"] * 6))
        bare = median(_bare(bench) for _ in range(7))
        for row in rows():
            if asked.only in row.what and (asked.reports or REPORT not in row.what):
                missing = row.limit == PEER and not bench.peer
                print(row.text(None if missing else row.measure(bench), max(1, bare / BARE)), flush=True)
        slower = f"{bare / BARE:.2f} times {BARE:.0f}"
        print(f"a bare Textual app starts in {bare:.0f} ms, {slower}; load {load():.1f}")


if __name__ == "__main__":
    main()
