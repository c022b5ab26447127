"""How fast the program is: each figure beside a limit that is measured in the same run.

    python -m tests.tools.speed [RUNS]

It drives the real program in a terminal from outside, three times unless told otherwise, and asserts nothing,
for machines differ: the ratios and the load say what a figure is worth. A terminal's figures go to the last
byte of the picture, a command's to the first byte of what it says; a frame is 16.7 ms.
"""

import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from attrs import evolve, frozen

from qf_tui.core.decisions import Op
from qf_tui.core.errors import OrderRefused
from qf_tui.core.odds import chances
from qf_tui.core.timeline import Entry, Timeline, appended, opened
from qf_tui.core.values import Battle
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal, write_save
from qf_tui.library.paths import shipped
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import header_of, rules_by
from tests.corrections.long_battles import long_battle
from tests.terminal import Terminal, in_terminal
from tests.tools.speed_apps import READY

SCENARIO = "yellow-sea-1904"
SYSTEMS = find_systems()
SYSTEM = SYSTEMS["advanced-quickfire"]
WIDE = (200, 60)
SHIPS = 120
SILENCE = 0.12
"""Seconds without a byte after which a picture is whole."""
TYPED = 0.4
"""Seconds without a byte after which keys that came at once are worked on; a cursor blinks each 0.5."""
PICTURE = b"Mikasa"
"""What is on the first picture of a battle."""


@frozen
class Row:
    """What was measured and its limit, in seconds; `count` bytes on the median, -1 where none are counted."""

    what: str
    ours: list[float]
    limit: list[float] | None = None
    aim: str = ""
    count: int = -1

    def __str__(self) -> str:
        median, late = _median(self.ours), _late(self.ours)
        words = f"{self.what:<46} {median:9.2f} ms  p99 {late:8.2f}"
        if self.limit:
            least = _median(self.limit)
            words += f"  limit {least:8.2f}  {median / least:5.2f}x  {(median - least) * 1000:+9.0f} us"
        words += f"  {self.count} bytes" if self.count >= 0 else ""
        return f"{words}  aim {self.aim}"


def _median(times: list[float]) -> float:
    return statistics.median(times) * 1000


def _late(times: list[float]) -> float:
    """The time that 99 of 100 stay under."""
    return sorted(times)[min(len(times) - 1, len(times) * 99 // 100)] * 1000


def times(work: Callable[[], object], runs: int) -> list[float]:
    """The seconds of each of several runs, after one that does not count."""
    work()
    return [seconds(work) for _ in range(runs)]


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def by_turns(
    ours: Callable[[], object], limit: Callable[[], object], runs: int
) -> tuple[list[float], list[float]]:
    """The seconds of two, taken by turns, so that a busy moment is in both."""
    ours(), limit()
    pairs = [(seconds(ours), seconds(limit)) for _ in range(runs)]
    return [first for first, _ in pairs], [second for _, second in pairs]


def fleet(count: int) -> Battle:
    """The scenario's battle with so many ships: its own, again and again."""
    _, start = load_scenario(SCENARIO, SYSTEMS)
    own = list(start.ships.values())
    ships = dict(start.ships)
    for number in range(count - len(own)):
        ship, turn = own[number % len(own)], number // len(own) + 2
        ships[f"{ship.id}-{turn}"] = evolve(ship, id=f"{ship.id}-{turn}", name=f"{ship.name} {turn}")
    return evolve(start, ships=ships, began=None)


def large_save(path: Path, entries: int) -> Path:
    """A save of many ships in the first gunnery phase, with so many entries."""
    session = Session.begin(SYSTEMS["advanced-quickfire"], fleet(SHIPS))
    session.enter("next")
    ships = list(session.battle.ships)
    for number in range(1, entries):
        ship = ships[number % len(ships)]
        session.enter(f"mark {ship} boat_guns {number % 4}" if number % 2 else f"note entry {number}")
    write_save(path, header_of(SYSTEM, session.timeline.start), session.timeline.log)
    return path


def first_frames(home: Path, save: Path, what: str, aim: str) -> Row:
    """Start to the first picture of a save, and of the least Textual app, by turns."""
    ours, bare = [], []
    for _ in range(7):
        with in_terminal(home, "qf_tui", "play", str(save), size=(120, 40)) as terminal:
            ours.append(terminal.until(PICTURE))
        with in_terminal(home, "tests.tools.speed_apps", "line", size=(120, 40)) as terminal:
            bare.append(terminal.until(READY))
    return Row(f"start to first picture, {what}", ours[1:], bare[1:], aim)


def commands(home: Path, save: Path) -> Iterator[Row]:
    """Commands that draw nothing, against Python that does nothing."""
    for words, aim in ((["--version"], "2.3x"), (["--help"], "2.3x"), (["show", str(save)], "9x")):
        yield _command(home, words, aim)
    yield _command(home, ["run", SCENARIO], "9x")


def _command(home: Path, words: list[str], aim: str) -> Row:
    """Start to the first output of a command, and all of a Python that does nothing, by turns."""
    pairs = [
        (_first_output(home, "-m", "qf_tui", *words), _first_output(home, "-c", "pass")) for _ in range(16)
    ]
    ours, least = zip(*pairs[1:], strict=True)
    return Row(f"qf-tui {words[0]}: first output, over Python", list(ours), list(least), aim)


def _first_output(home: Path, *arguments: str) -> float:
    """Seconds to the first byte that Python prints, or to its end; it is not left until it has ended."""
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env={**os.environ, "QF_TUI_HOME": str(home)},
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        taken = time.perf_counter() - begun
        process.stdout.read()
    assert process.returncode == 0, arguments
    return taken


def pictures(terminal: Terminal, keys: list[bytes]) -> tuple[list[float], int]:
    """Seconds of each key to the last byte of its picture, and the bytes on the median."""
    drawn = []
    for key in keys:
        os.write(terminal.file, key)
        drawn.append(terminal.quiet(SILENCE))
    counts = sorted(count for _, count in drawn)
    return [taken for taken, _ in drawn], counts[len(counts) // 2]


def _limit(home: Path, app: str) -> list[float]:
    with in_terminal(home, "tests.tools.speed_apps", app, size=WIDE) as terminal:
        terminal.until(READY)
        terminal.quiet(0.5)
        return pictures(terminal, [b"x"] * 40)[0]


def drawing(home: Path, saves: dict[int, Path]) -> Iterator[Row]:
    """Keys, shots and whole screens of a large battle on a wide screen."""
    line, full = _limit(home, "line"), _limit(home, "full")
    for entries, save in saves.items():
        with in_terminal(home, "qf_tui", "play", str(save), size=WIDE) as terminal:
            terminal.until(PICTURE)
            terminal.quiet(0.5)
            arrows = [b"\x1b[B", b"\x1b[B", b"\x1b[C", b"\x1b[A"] * 25
            taken, count = pictures(terminal, arrows)
            yield Row(f"arrow, {SHIPS} ships, {entries} entries", taken, line, "16.7 ms at p99, 2 KB", count)
            taken, count = _shots(terminal)
            yield Row(f"Enter of a shot, {entries} entries", taken, line, "16.7 ms at p99", count)
    with in_terminal(home, "tests.tools.speed_apps", "anew", str(saves[1]), size=WIDE) as terminal:
        terminal.until(PICTURE)
        terminal.quiet(0.5)
        taken, count = pictures(terminal, [b"\x07"] * 30)
        yield Row("the whole screen anew", taken, full, "3.5x, 40 KB", count)


def _shots(terminal: Terminal) -> tuple[list[float], int]:
    """Shots, each by another ship, typed on the bar; the key that counts is Enter."""
    taken, counts = [], []
    for number, (ship, target) in enumerate(_duels()):
        order = f":fire {ship} heavy {target} 18in {number % 6 + 1} {number % 3 + 4}"
        terminal.write(order.encode())
        terminal.quiet(TYPED)
        (seconds_taken,), count = pictures(terminal, [b"\r"])
        taken.append(seconds_taken)
        counts.append(count)
        terminal.write(b"\x1b")
        terminal.quiet(SILENCE)
    return taken, sorted(counts)[len(counts) // 2]


def _duels() -> Iterator[tuple[str, str]]:
    """Forty ships that may fire heavy guns, each with a target of its own side's enemy."""
    session = Session.begin(SYSTEMS["advanced-quickfire"], fleet(SHIPS))
    session.enter("next")
    ships = session.battle.ships
    for ready in [ready for ready in session.system.may_act(session.battle) if "H" in ready.what][:40]:
        same = ships[ready.ship].side == ships["mikasa"].side
        yield ready.ship, "tsesarevich" if same else "mikasa"


def value_rows(folder: Path, long: Timeline, save: Path) -> Iterator[Row]:
    """Each figure beside its limit; `long` has 10,000 entries, and is in the save."""
    yield _append(folder, long)
    yield _opening(save)
    yield _growth(long)
    gc.collect()
    gc.freeze()
    last = list(_previews(long, range(9901, 10_001, 2)))
    yield Row("preview, the last hundred of 10,000", last, aim="16.7 ms at p99")
    yield Row("preview, the first five of 10,000", list(_previews(long, range(1, 6))), aim="500 ms")
    notes = list(_previews(long, range(1, 6), note=True))
    yield Row("preview, a note behind the first five", notes, aim="at once: nothing follows")
    gc.unfreeze()
    yield _odds()
    yield _scenario()


def _append(folder: Path, long: Timeline) -> Row:
    """An act on the disk, against a write and fsync of the same line."""
    ours, bare = folder / "append.qfb", folder / "bare"
    journal = Journal.create(ours, header_of(SYSTEM, long.start))
    file = os.open(bare, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    acts = iter(long.log)
    lines = iter(_lines(folder / "long.qfb")[1:])

    def plain() -> None:
        os.write(file, next(lines))
        os.fsync(file)

    taken, least = by_turns(lambda: journal.append(next(acts)), plain, 400)
    journal.close()
    os.close(file)
    return Row("an act recorded, over write + fsync", taken, least, "+100 us")


def _lines(save: Path) -> list[bytes]:
    return save.read_bytes().splitlines(keepends=True)


def _opening(save: Path) -> Row:
    """File to battle, against JSON alone line by line."""

    def read() -> None:
        save_read = read_save(save, rules_by(SYSTEMS))
        opened(save_read.header.start, save_read.log)

    ours, least = by_turns(read, lambda: [json.loads(line) for line in _lines(save)], 5)
    return Row("opening 10,000 entries, over json.loads", ours, least, "1.6x, as eventsourcing")


def _growth(long: Timeline) -> Row:
    """One more entry behind 100,000, of those that a battle of 10,000 has."""
    model = next(act for act in reversed(long.log) if isinstance(act, Entry) and _leaves_as_large(act))
    timeline = opened(long.start, [*long.log, *(_copy(model, number) for number in range(10_001, 100_001))])
    entry = _copy(model, 100_001)
    return Row("one more entry behind 100,000", times(lambda: appended(timeline, entry), 30), aim="0.5 ms")


def _leaves_as_large(act: Entry) -> bool:
    """Whether a battle has as many memories and questions behind it, however often it is entered."""
    ops = {effect.op for effect in act.rulings[act.number].decision.effects}
    return bool(ops) and ops <= {Op.SET, Op.ADD}


def _copy(model: Entry, number: int) -> Entry:
    return evolve(model, number=number, rulings={number: model.rulings[model.number]})


def _previews(timeline: Timeline, entries: Iterable[int], note: bool = False) -> Iterator[float]:
    """Seconds of the preview of a correction of each that is not refused."""
    session = Session(SYSTEM, timeline)
    for number in entries:
        text = f"insert {number} note remembered" if note else _correction(timeline, number)
        with suppress(OrderRefused):
            yield seconds(partial(session.preview, text))


def _correction(timeline: Timeline, number: int) -> str:
    """Other dice, a strike where there are none, a remark where a phase ends."""
    version = timeline.versions[number]
    if version.dice:
        return f"amend {number} {' '.join(str(face % 12 + 1) for face in version.dice)}"
    ends = version.order.resolved == "next"
    return f"insert {number} note remembered" if ends else f"strike {number}"


def _odds() -> Row:
    session = Session.begin(*load_scenario(SCENARIO, SYSTEMS))
    session.enter("next")
    order = session.read("fire mikasa heavy tsesarevich 41in").complete()
    return Row("odds of a shot", times(lambda: chances(session.prepare(order).prepared), 100), aim="0.3 ms")


def _scenario() -> Row:
    """A scenario of ships by their facts: rows of two navies read, cards worked out, all mustered."""
    ours = times(lambda: load_scenario(SCENARIO, SYSTEMS), 30)
    return Row("a scenario of 46 ships by their facts", ours, aim="50 ms")


def rows(home: Path) -> Iterator[Row]:
    (home / "saves").mkdir(exist_ok=True)
    long = long_battle(10_000)
    save = home / "long.qfb"
    write_save(save, header_of(SYSTEM, long.start), long.log)
    large = {entries: large_save(home / f"large-{entries}.qfb", entries) for entries in (1, 2000)}
    sample = home / "sample.qfb"
    sample.write_bytes((shipped("saves") / f"{SCENARIO}.qfb").read_bytes())
    yield first_frames(home, sample, "the sample", "1.4x")
    yield first_frames(home, save, "10,000 entries", "2x")
    yield from commands(home, sample)
    yield from drawing(home, large)
    yield from value_rows(home, long, save)


def main() -> None:
    # What is installed has its bytecode beside it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for run in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
        print(f"run {run + 1}, load {' '.join(f'{load:.1f}' for load in os.getloadavg())}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for row in rows(Path(folder)):
                print(row, flush=True)


if __name__ == "__main__":
    main()
