"""Opens a save with its rules, to go on with it or to follow it: they accept what it says, or refuse it.

Checksums and lines may be sound though no rules made them. A follower of a save that another console writes
takes no lock and writes nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from time import time

from attrs import evolve

import qf_tui
from qf_tui.core.availability import who_may_act
from qf_tui.core.builtin_forms import all_forms
from qf_tui.core.decisions import Op
from qf_tui.core.errors import QfError
from qf_tui.core.facts import facts_fault
from qf_tui.core.grammar.reader import read_resolved, unread
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.timeline import CHECKPOINT_EVERY, LogAct, Timeline, opened, recorded
from qf_tui.core.values import Act, Battle, Owed, Ship, replace
from qf_tui.journal.codec import BOOK, Header, ReadOrder, RulesOf, battle_bytes, battle_of
from qf_tui.journal.lines import SENSELESS, Extent, Misread, object_of, parsed, shown, text
from qf_tui.journal.reading import Save, SaveFault, Tail
from qf_tui.library.paths import keep_fault

_FIGURE = re.compile(r"-?\d{1,12}(\.\d{1,12}|/[1-9]\d{0,11})?", re.ASCII)
FIGURE_MOST = 100_000
"""The largest figure that a ship's card or log may hold in a save, unless a field may hold more."""
COUNTED_S = 3600
"""Seconds without an act after which a follower no longer counts on."""
LOOK_EVERY = 0.1
"""Seconds from one look at the save to the next."""


def header_of(system: RuleSystem, start: Battle, extra: Mapping[str, object] | None = None) -> Header:
    """The header of a new save, which stands alone; a ship that joins comes with its entry."""
    coming = {id: start.reserve[id] for id in start.plan.arriving}
    own = evolve(start, reserve=coming, began=start.began and evolve(start.began, reserve=coming))
    book = {BOOK: system.data} if system.data else {}
    return Header(qf_tui.__version__, system.name, own, {**(extra or {}), **book})


def packed(system: RuleSystem, battle: Battle) -> bytes:
    """A battle at any moment, for another process."""
    return battle_bytes(battle, {"system": system.name, BOOK: system.data})


def unpacked(data: bytes, systems: Mapping[str, RuleSystem]) -> tuple[RuleSystem, Battle]:
    """The rule system and the battle of such bytes; QfError where the rule system is not installed."""
    raw = object_of(parsed(data))
    name, book = text(raw["system"]), raw[BOOK] or None
    if book is None and name not in systems:
        raise QfError(f"the rule system {name} is not installed here: install it wherever battles are played")
    system = system_of(name, book, systems)
    return system, battle_of(raw, rules_by(systems)(name, book))


def open_timeline(
    save: Save, systems: Mapping[str, RuleSystem], every: int = CHECKPOINT_EVERY
) -> tuple[RuleSystem, Timeline]:
    """The rule system of a save and its timeline, with `every` so many battles kept.

    QfError if that is not installed or cannot make sense of it.
    """
    system = system_of(save.header.system, save.header.book, systems)
    try:
        return system, timeline_by(system, save.header.start, save.log, every)
    except QfError as fault:
        raise SaveFault(f"{save.name}: {fault}") from None


def timeline_by(
    system: RuleSystem,
    start: Battle,
    log: Sequence[LogAct],
    every: int = CHECKPOINT_EVERY,
) -> Timeline:
    """The timeline of a log; QfError if its rule system cannot make sense of it."""
    kept: tuple[Act | Owed, ...] = (*start.acts, *start.owed)
    for memory in kept:
        _check(system, memory, "the start")
    for logged in log:
        check_facts(system, logged)
    with sense_of(system):
        for ship in (*start.ships.values(), *start.reserve.values()):
            _check_figures(system, ship)
        timeline = opened(with_arrivals(start, log), log, every)
    check_sense(system, timeline.battle)
    return timeline


def grown(system: RuleSystem, timeline: Timeline, acts: Sequence[LogAct]) -> Timeline:
    """A timeline with acts that its save has besides: the same as if the whole save were opened.

    QfError if its rules cannot make sense of them.
    """
    for act in acts:
        check_facts(system, act)
    with sense_of(system):
        after = timeline
        for act in acts:
            start = with_arrivals(after.start, (act,))
            after = recorded(after, act) if start is after.start else opened(start, (*after.log, act))
    check_sense(system, after.battle, timeline.battle)
    return after


def check_sense(system: RuleSystem, battle: Battle, before: Battle | None = None) -> None:
    """QfError if its rules cannot answer what a screen or a script asks about a battle.

    What made sense `before` and has not changed is not asked again.
    """
    with sense_of(system):
        for id, ship in battle.ships.items():
            if ship.id != id:
                raise ValueError(f"ship {id} is called {ship.id}")
            if before is None or before.ships.get(id) != ship:
                _check_figures(system, ship)
                system.report(battle, ship)
                for column in system.columns:
                    system.cell(battle, ship, column)
                system.sheet(battle, ship)
                tuple(system.changes_of_ship(battle.start, battle, battle.start.ships.get(id, ship), ship))
        if before is None or battle.phase != before.phase or battle.options != before.options:
            find_phase(system, battle.phase)
            who_may_act(system, battle)
            system.on_table(battle.start, battle)
        system.advice(battle)
        system.ended(battle)


def _check_figures(system: RuleSystem, ship: Ship) -> None:
    """ValueError for a figure that no ship has: its boxes would take all room and time."""
    declared = *(field.most for field in system.fields), *(card.most for card in system.card)
    most = max((FIGURE_MOST, *declared))
    for name, value in (*ship.card.items(), *ship.log.items()):
        if isinstance(value, int | float) and abs(value) > most:
            raise ValueError(f"{name} of {ship.id} is {value}")
    if fault := next(filter(None, (_figure_fault(system, *item) for item in ship.log.items())), ""):
        raise ValueError(f"{fault} of {ship.id}")


def _figure_fault(system: RuleSystem, field: str, value: object) -> str:
    """What is no number, and no text of one, in a field that holds one or nothing; "" elsewhere."""
    if field not in system.facts.figures or value is None or type(value) in (int, float):
        return ""
    sound = isinstance(value, str) and _FIGURE.fullmatch(value)
    return "" if sound else f"{shown(value)} is not a number for {field}"


def with_arrivals(start: Battle, log: Sequence[LogAct]) -> Battle:
    """The start with every ship that the log brings among its reserve: it may join in a correction too."""
    arrivals = {ship.id: ship for act in log if act.version for ship in act.version.arrivals}
    if not arrivals:
        return start
    reserve = {**start.reserve, **arrivals}
    return replace(start, reserve=reserve, began=start.began and replace(start.began, reserve=reserve))


def rules_by(systems: Mapping[str, RuleSystem]) -> RulesOf:
    """How the orders of a save are read, by its rule system, or by the rule book that it holds."""

    def rules_of(system: str, book: object = None) -> ReadOrder:
        if book is None and system not in systems:
            return unread
        try:
            rules = system_of(system, book, systems)
        except QfError as fault:
            if book is None:
                raise
            raise Misread(str(fault)) from None
        return lru_cache(maxsize=4096)(partial(read_resolved, forms=all_forms(rules)))

    return rules_of


def check_facts(system: RuleSystem, logged: LogAct) -> None:
    """QfError if an act of the log has facts or figures that its rule system does not declare so."""
    for ruling in logged.rulings.values():
        for effect in ruling.decision.effects:
            if isinstance(effect.value, (Act, Owed)):
                _check(system, effect.value, f"line {logged.number + 1} (act {logged.number})")
            elif effect.op is Op.SET and (fault := _figure_fault(system, effect.field, effect.value)):
                what = f"what it writes on {effect.ship}"
                raise _undeclared(system, f"line {logged.number + 1} (act {logged.number})", what, fault)


def _check(system: RuleSystem, memory: Act | Owed, where: str) -> None:
    if isinstance(memory, Act):
        fault = facts_fault(system.facts.acts.get(memory.kind, ()), memory.facts)
        what = f"what it remembers as “{memory.kind}”"
    else:
        fault = facts_fault(system.facts.questions.get(memory.line, ()), memory.facts)
        what = f"question {memory.key}"
    if fault:
        raise _undeclared(system, where, what, fault)


def _undeclared(system: RuleSystem, where: str, what: str, fault: str) -> QfError:
    return QfError(
        f"{where}, {what}: {fault}; {system.title} declares it differently. Nothing was overwritten."
    )


@contextmanager
def sense_of(system: RuleSystem) -> Iterator[None]:
    """Within it, what the rules trip over in a save is a QfError."""
    try:
        yield
    except SENSELESS as fault:
        raise QfError(
            f"{system.title} cannot make sense of this save ({type(fault).__name__}: "
            f"{str(fault)[:80]}), though its checksums fit: another program wrote it. Nothing was recorded "
            "or overwritten; use an older copy."
        ) from fault


class RulesTripped(QfError):
    """The rules threw what they should not, as an order was worked out; nothing is entered."""


@contextmanager
def worked_out_by(system: RuleSystem) -> Iterator[None]:
    """Within it, what the rules trip over is RulesTripped, and is written down."""
    try:
        yield
    except SENSELESS as fault:
        from traceback import format_exception

        kept = keep_fault("".join(format_exception(fault)))
        where = f" The details are in {kept}." if kept else ""
        raise RulesTripped(
            f"{system.title} cannot work this out ({type(fault).__name__}: {fault}): either the "
            f"save holds what no rules made, or these rules are at fault. Nothing is entered.{where}"
        ) from fault


def system_of(name: str, book: object, systems: Mapping[str, RuleSystem]) -> RuleSystem:
    """The rule system of a save: of the book that it holds, whatever the file says by now, or as installed.

    QfError if it is not installed, or if the book is not sound.
    """
    if book is not None:
        from qf_tui.library.books import saved_book

        return saved_book(name, book)
    if name not in systems:
        known = ", ".join(systems) or "none"
        text = f"the save needs the rule system “{name}”, which is not installed; installed: {known}"
        raise QfError(f"{text}. Install its package, or put a book of this name beside your others")
    return systems[name]


class Follower:
    """A battle that is followed; QfError if its save cannot be opened now.

    `timeline` is a value, and another one after each act of its writer. `battle_id` is another once another
    battle is in its place, perhaps of another `system`. `lost` says why the save cannot be followed, and is
    "" while it can: what is shown is then as it was last.
    """

    writable = False

    def __init__(self, path: Path, systems: Mapping[str, RuleSystem]) -> None:
        self.path, self._systems = path, systems
        self._tail = Tail(path, rules_by(systems))
        self.lost = ""
        self._open(self._tail.save)
        self._told = ""

    def _open(self, save: Save) -> None:
        self.system, self.timeline = open_timeline(save, self._systems)
        self._save = save

    @property
    def battle(self) -> Battle:
        """The battle as it stands."""
        return self.timeline.battle

    @property
    def battle_id(self) -> str:
        """What no other battle has: the checksum of its header."""
        return self._save.first_sum

    @property
    def extra(self) -> Mapping[str, object]:
        """The parts of the save that are not the battle's own."""
        return self._save.header.extra

    @property
    def program(self) -> str:
        """The version of the program that began the save."""
        return self._save.header.program

    @property
    def extent(self) -> Extent:
        """How far its save was read when it was last sound."""
        return self._tail.extent

    @property
    def seconds(self) -> float | None:
        """Seconds since the battle began: when its last act was entered, and how long ago that was written.

        None where that is not known, or too long ago for anybody to be counting.
        """
        log = self.timeline.log
        entered = log[-1].at if log else 0.0
        try:
            ago = max(0.0, time() - self.path.stat().st_mtime)
        except OSError:
            return None
        return entered + ago if entered is not None and ago < COUNTED_S else None

    @property
    def notice(self) -> str:
        """A message about the save, or nothing."""
        save = self._save
        end = save.end_notice if save.short and not self.lost else ""
        texts = (self.lost, self._told, end and f"{save.name}: {end}.")
        return " ".join(text for text in texts if text)

    def look(self) -> bool:
        """Takes in what has been added; whether the timeline or the notice has changed."""
        if not self._tail.look():
            return False
        was = self.timeline, self.notice
        self.lost = self._tail.fault
        if not self.lost:
            try:
                self._take(self._tail.save)
            except QfError as fault:
                self.lost = f"{self._save.name}: {fault}"
        if self.lost:
            self.lost = f"{self.lost} What is shown is the battle as it was last read."
        return self.timeline is not was[0] or self.notice != was[1]

    def _take(self, save: Save) -> None:
        """Goes on to what the save holds by now; QfError if its rules cannot make sense of it."""
        before, known = self._save, len(self._save.log)
        if save.first_sum == before.first_sum and save.log[:known] == before.log:
            if len(save.log) > known:
                self.timeline = grown(self.system, self.timeline, save.log[known:])
                self._told = ""
        else:
            self._open(save)
            self._told = f"{save.name}: {_changed(before, save)}."
        self._save = save


def _changed(before: Save, now: Save) -> str:
    """What has become of a save that does not go on from what it was, in words."""
    if now.first_sum != before.first_sum:
        return "another battle is in its place and is shown from here on"
    had, has = len(before.log), len(now.log)
    if before.log[:has] == now.log:
        gone = f"act {had} is" if had == has + 1 else f"acts {has + 1} to {had} are"
        return f"it was cut: {gone} gone from its end"
    pairs = zip(before.log, now.log, strict=False)
    first = next(place for place, (old, new) in enumerate(pairs, start=1) if old != new)
    return f"it was replaced: its acts from {first} on are different"
