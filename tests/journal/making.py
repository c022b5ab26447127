"""Headers, acts and whole logs for the tests of the journal: some plain, some drawn at random."""

import errno
import os
from collections.abc import Iterable
from pathlib import Path

from attrs import evolve
from hypothesis import strategies as st

from qf_tui.core.decisions import Decision, Effect, Op, Reason, Value
from qf_tui.core.errors import Finding
from qf_tui.core.grammar.reader import build_unread_order
from qf_tui.core.timeline import Correction, CorrectionKind, Entry, LogAct, Ruling, State, Version
from qf_tui.core.values import (
    Act,
    Battle,
    Chart,
    ChartCell,
    ChartRow,
    Charts,
    Die,
    Division,
    Mark,
    Owed,
    Provenance,
    Ship,
    Side,
)
from qf_tui.journal.codec import Header, encode_act, encode_header
from qf_tui.journal.disk import SystemDisk
from qf_tui.journal.lines import encode_json, seal
from qf_tui.journal.saving import Journal

TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")), max_size=8)
WORDS = st.sampled_from(
    ("ant", "bee", "hull", "fires", '½ \\ “quoted” "too"', "Ōyama 大山", "HMS [Red] Lion", "")
)
WHOLES = st.integers(-(10**14), 10**14)
SCALARS = st.one_of(WHOLES, st.floats(allow_nan=False, allow_infinity=False), TEXTS, st.booleans(), st.none())
TUPLES_OF_TEXT = st.lists(TEXTS, max_size=3).map(tuple)
FIELDS = st.dictionaries(TEXTS, SCALARS, max_size=4)
CHANCE = st.integers(0, 1)
NUMBERS = st.integers(1, 9999)
DICE = st.builds(Die, st.integers(1, 20), WORDS, st.integers(0, 2))
MARKS = st.builds(Mark, WORDS, WORDS, TEXTS, NUMBERS, st.none() | NUMBERS, st.booleans())
FACTS = st.dictionaries(TEXTS, SCALARS | TUPLES_OF_TEXT | st.lists(WHOLES, max_size=3).map(tuple), max_size=3)
ACTS = st.builds(Act, NUMBERS, WORDS, WORDS, WORDS, FACTS)
OWED = st.builds(
    Owed,
    key=st.builds(lambda number, rest: f"{number}/{rest}", NUMBERS, WORDS),
    line=WORDS,
    ship=WORDS,
    prompt=TEXTS,
    dice=st.lists(DICE, max_size=3).map(tuple),
    words=TUPLES_OF_TEXT,
    order=st.none() | TEXTS.map(lambda text: build_unread_order(f"note {text}")),
    faces=st.lists(NUMBERS, max_size=3).map(tuple),
    facts=FACTS,
    cell=TUPLES_OF_TEXT,
    late=st.booleans(),
)
CELLS = st.builds(ChartCell, TEXTS, st.sampled_from(Provenance), TEXTS)
ROWS = st.builds(ChartRow, TEXTS, st.dictionaries(TEXTS, CELLS, max_size=3))
CHARTS: st.SearchStrategy[Charts] = st.dictionaries(
    WORDS, st.builds(Chart, TEXTS, TEXTS, st.dictionaries(TEXTS, ROWS, max_size=2), TEXTS), max_size=2
)
SHIPS = st.builds(
    Ship, TEXTS, TEXTS, TEXTS, TEXTS, FIELDS, FIELDS, st.lists(MARKS, max_size=2).map(tuple), TEXTS
)
VALUES: dict[Op, st.SearchStrategy[Value]] = {
    Op.ADD: WHOLES,
    Op.SET: SCALARS,
    Op.CARD: SCALARS,
    Op.MARK: MARKS,
    Op.LIFT: TEXTS,
    Op.STATUS: TEXTS,
    Op.ACT: ACTS,
    Op.OWE: OWED,
    Op.SETTLE: TEXTS,
    Op.PHASE: st.tuples(NUMBERS, st.booleans()),
    Op.JOIN: SHIPS,
    Op.OPTION: SCALARS,
    Op.TABLE: SCALARS,
    Op.CHART: CHARTS,
    Op.DOUBT: NUMBERS,
    Op.CLEAR: NUMBERS,
}
EFFECTS = st.sampled_from(Op).flatmap(
    lambda op: st.builds(Effect, st.just(op), WORDS, TEXTS, VALUES[op], st.booleans())
)
REASONS = st.builds(Reason, TEXTS, WORDS, WORDS, WORDS)
OUTCOMES = st.dictionaries(TEXTS, SCALARS | TUPLES_OF_TEXT, max_size=3).map(
    lambda facts: tuple(facts.items())
)
DECISIONS = st.builds(
    Decision, st.lists(EFFECTS, max_size=4).map(tuple), st.lists(REASONS, max_size=3).map(tuple), OUTCOMES
)
FINDINGS = st.lists(st.builds(Finding, TEXTS, WORDS, st.booleans()), max_size=2).map(tuple)
RULINGS = st.builds(Ruling, DECISIONS, st.sampled_from(State), FINDINGS)
ORDERS = st.builds(
    lambda text, dice, forced, call: evolve(
        build_unread_order(f"note {text}"), dice=dice, forced=forced, call=call
    ),
    TEXTS,
    st.lists(NUMBERS, max_size=3).map(tuple),
    st.booleans(),
    st.none() | NUMBERS,
)
VERSIONS = st.builds(
    Version,
    ORDERS,
    TUPLES_OF_TEXT,
    st.none() | CHARTS,
    st.lists(SHIPS, max_size=1).map(tuple),
    st.booleans(),
    st.booleans(),
    TUPLES_OF_TEXT,
    st.lists(st.tuples(NUMBERS, NUMBERS), max_size=2).map(tuple),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=5), part, max_size=4),
    max_leaves=12,
)
"""Any JSON that a foreign line may hold."""
FLEETS = st.dictionaries(WORDS, SHIPS, max_size=2)
SIDES = st.builds(
    Side, WORDS, TEXTS, st.lists(st.builds(Division, WORDS, TEXTS, TEXTS), max_size=2).map(tuple)
)
BATTLES = st.builds(
    Battle,
    turn=NUMBERS,
    phase=TEXTS,
    sides=st.lists(SIDES, max_size=2).map(tuple),
    ships=FLEETS,
    table=FIELDS,
    options=FIELDS,
    charts=CHARTS,
    owed=st.lists(OWED, max_size=2).map(tuple),
    doubts=st.lists(NUMBERS, max_size=2).map(tuple),
    acts=st.lists(ACTS, max_size=2).map(tuple),
    opened=NUMBERS,
)
STARTS = BATTLES | BATTLES.map(lambda battle: evolve(battle, began=battle))
EXTRA = st.dictionaries(
    TEXTS,
    st.recursive(SCALARS, lambda part: st.lists(part, max_size=3) | st.dictionaries(TEXTS, part, max_size=3)),
    max_size=2,
)
HEADERS = st.builds(Header, TEXTS, TEXTS, STARTS, EXTRA)
TIMES = st.none() | st.integers(0, 10**6) | st.floats(0, 1e6)


@st.composite
def draw_logs(draw: st.DrawFn, most: int = 5) -> tuple[LogAct, ...]:
    """Draw a log that folds: each correction is of earlier acts, each entry rules on itself."""
    log: list[LogAct] = []
    entries: list[int] = []
    for number in range(1, draw(st.integers(0, most)) + 1):
        if entries and draw(CHANCE) == 1:
            log.append(draw(_draw_corrections(number, entries)))
            continue
        after = draw(st.none() | st.sampled_from([0, *entries]))
        ruled = draw(st.dictionaries(st.sampled_from([number, *entries]), RULINGS, max_size=2))
        log.append(Entry(number, draw(VERSIONS), after, {**ruled, number: draw(RULINGS)}, draw(TIMES)))
        entries.append(number)
    return tuple(log)


@st.composite
def _draw_corrections(draw: st.DrawFn, number: int, entries: list[int]) -> Correction:
    mend = draw(st.sampled_from(CorrectionKind))
    ruled = draw(st.dictionaries(st.sampled_from(entries), RULINGS, max_size=2))
    if mend is CorrectionKind.AMEND:
        return Correction(
            number, mend, (draw(st.sampled_from(entries)),), draw(VERSIONS), None, ruled, draw(TIMES)
        )
    if mend is CorrectionKind.SHIFT:
        after = draw(st.sampled_from([0, *entries]))
        return Correction(number, mend, (draw(st.sampled_from(entries)),), None, after, ruled)
    targets = draw(st.lists(st.integers(1, number - 1), min_size=1, max_size=2))
    return Correction(number, mend, tuple(targets), None, None, ruled)


def build_small_header() -> Header:
    """Build the header of a small battle."""
    mikasa = Ship("mikasa", "Mikasa", "japan", "first", {"speed": 6.75}, {"rof": 7})
    side = Side("japan", "Japan", (Division("first", "First"),))
    start = Battle(1, "movement", (side,), {"mikasa": mikasa}, {"units": "in"}, {}, {})
    return Header("0.2.0", "advanced-quickfire", start)


def build_shot(number: int) -> Entry:
    """Build a usual shot."""
    owed = Owed(f"{number}/direction/orel/1", "direction", "orel", "direction of Orel", (Die(12),))
    effects = (
        Effect(Op.ADD, "mikasa", "rof", -1),
        Effect(Op.ACT, "mikasa", "fired", Act(1, "first-gunnery", "fired", "mikasa", {"battery": "heavy"})),
        Effect(Op.OWE, "orel", "direction", owed),
    )
    reasons = (Reason("20 against 10: 200%", "AQF-GUN-5", "attested", "gunnery long"),)
    decision = Decision(effects, reasons, (("fired", True), ("hits", ("S", "G"))))
    return Entry(
        number,
        Version(evolve(build_unread_order("fire mikasa heavy orel long"), dice=(5, 8))),
        None,
        {number: Ruling(decision)},
    )


def build_shots(count: int) -> tuple[Entry, ...]:
    return tuple(build_shot(number) for number in range(1, count + 1))


def save_bytes(head: Header, log: Iterable[LogAct]) -> bytes:
    """Build the bytes of a whole save."""
    return seal_lines(encode_json(encode_header(head)), *(encode_json(encode_act(act)) for act in log))


def seal_lines(*bodies: bytes) -> bytes:
    """Write lines with right checksums, whatever they hold."""
    lines, previous = [], ""
    for body in bodies:
        line, previous = seal(body, previous)
        lines.append(line)
    return b"".join(lines)


def write_small_save(path: Path, count: int = 0) -> bytes:
    """Write a save with some entries and return its bytes."""
    journal = Journal.create(path, build_small_header())
    for act in build_shots(count):
        journal.append(act)
    journal.close()
    return path.read_bytes()


class FailingDisk(SystemDisk):
    """A disk that fails on demand, until it is mended.

    Attributes:
        room: Bytes that it still writes, or None for no limit.
        broken: Calls that fail.
        done: Calls so far.
    """

    def __init__(self) -> None:
        self.room: int | None = None
        self.broken: set[str] = set()
        self.done: list[str] = []

    def write(self, file: int, data: bytes) -> int:
        self._do("write")
        return super().write(file, data if self.room is None else data[: self.room])

    def fsync(self, file: int) -> None:
        self._do("fsync")
        super().fsync(file)

    def truncate(self, file: int, length: int) -> None:
        self._do("truncate")
        super().truncate(file, length)

    def mend(self) -> None:
        self.room = None
        self.broken.clear()

    def _do(self, what: str) -> None:
        self.done.append(what)
        if what in self.broken:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
