"""What takes no terminal to measure: files, the log, corrections and odds, each beside its limit."""

import gc
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from attrs import evolve

from qf_tui.core.decisions import Op
from qf_tui.core.errors import OrderRefused
from qf_tui.core.odds import chances
from qf_tui.core.timeline import Entry, Timeline, appended, opened
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import header_of, rules_by
from tests.tools.speed_rows import SCENARIO, Row, by_turns, seconds, times

SYSTEMS = find_systems()
SYSTEM = SYSTEMS["advanced-quickfire"]


class Unsynced:
    """The disk, told nothing of what must last."""

    def write(self, file: int, data: bytes) -> int:
        return os.write(file, data)

    def fsync(self, file: int) -> None:
        """Nothing: the saves here are made to be measured."""

    def truncate(self, file: int, length: int) -> None:
        os.ftruncate(file, length)


def written_save(path: Path, timeline: Timeline) -> Path:
    """A log in a save of its own."""
    journal = Journal.create(path, header_of(SYSTEM, timeline.start), Unsynced())
    for act in timeline.log:
        journal.append(act)
    journal.close()
    return path


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
    said = list(_previews(long, range(1, 6), note=True))
    yield Row("preview, a note behind the first five", said, aim="at once: nothing follows")
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
        found = read_save(save, rules_by(SYSTEMS))
        opened(found.header.start, found.log)

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
