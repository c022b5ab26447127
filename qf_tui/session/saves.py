"""Opens a save together with its rules, to continue the battle or to follow it while another console writes.

Another program may write a save with sound checksums. So the facts and figures of a save are checked, and a
save that makes no sense is refused. A follower takes no lock and writes nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from time import time

from attrs import evolve

import qf_tui
from qf_tui.core.availability import list_able_ships
from qf_tui.core.builtin_forms import list_forms
from qf_tui.core.decisions import Op
from qf_tui.core.errors import QfError
from qf_tui.core.facts import find_facts_fault
from qf_tui.core.grammar.reader import build_unread_order, read_resolved
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.timeline import CHECKPOINT_EVERY, LogAct, Timeline, add_act, build_timeline
from qf_tui.core.values import Act, Battle, Owed, Ship, replace
from qf_tui.journal.codec import BOOK, Header, ReadOrder, RulesOf
from qf_tui.journal.lines import SENSELESS, Extent, Misread, format_value
from qf_tui.journal.reading import Save, SaveFault, Tail
from qf_tui.library.paths import write_crash_report

_FIGURE = re.compile(r"-?\d{1,12}(\.\d{1,12}|/[1-9]\d{0,11})?", re.ASCII)
FIGURE_MOST = 100_000
"""Largest number on a ship's card or log in a save, unless its field declares a larger one."""
COUNTED_S = 3600
"""Seconds without an act after which a follower stops its clock."""
LOOK_EVERY = 0.1
"""Seconds between two looks at the save."""


def build_header(system: RuleSystem, start: Battle, extra: Mapping[str, object] | None = None) -> Header:
    """Build the header of a new save, with the data of its rule book if its rules come from one.

    The saved reserve has only the ships that the schedule brings; an entry that brings a ship has her itself.
    """
    scheduled_ships = {id: start.reserve[id] for id in start.plan.arriving_ids}
    began = start.began and evolve(start.began, reserve=scheduled_ships)
    saved_start = evolve(start, reserve=scheduled_ships, began=began)
    book = {BOOK: system.data} if system.data else {}
    return Header(qf_tui.__version__, system.name, saved_start, {**(extra or {}), **book})


def open_timeline(
    save: Save, systems: Mapping[str, RuleSystem], checkpoint_every: int = CHECKPOINT_EVERY
) -> tuple[RuleSystem, Timeline]:
    """Build the timeline of a save, with its rule system.

    Raises:
        QfError: If the rule system is not installed, or cannot make sense of the save.
    """
    system = find_system(save.header.system, save.header.book, systems)
    try:
        return system, build_checked_timeline(system, save.header.start, save.log, checkpoint_every)
    except QfError as fault:
        raise SaveFault(f"{save.name}: {fault}") from None


def build_checked_timeline(
    system: RuleSystem,
    start: Battle,
    log: Sequence[LogAct],
    checkpoint_every: int = CHECKPOINT_EVERY,
) -> Timeline:
    """Check the start and the log of a save against its rules, and build the timeline.

    Args:
        checkpoint_every: Number of entries between two battles that are kept for going back.

    Raises:
        QfError: If the rule system cannot make sense of the start or the log.
    """
    memories: tuple[Act | Owed, ...] = (*start.acts, *start.owed)
    for memory in memories:
        _check_memory(system, memory, "the start")
    for act in log:
        check_facts(system, act)
    with report_meaningless_save(system):
        for ship in (*start.ships.values(), *start.reserve.values()):
            _check_figures(system, ship)
        timeline = build_timeline(add_arrivals(start, log), log, checkpoint_every)
    check_sense(system, timeline.battle)
    return timeline


def extend_timeline(system: RuleSystem, timeline: Timeline, acts: Sequence[LogAct]) -> Timeline:
    """Add new acts of a save to its timeline; the result is the same as if the whole save had been opened.

    Raises:
        QfError: If the rules cannot make sense of them.
    """
    for act in acts:
        check_facts(system, act)
    with report_meaningless_save(system):
        after = timeline
        for act in acts:
            # An act with arrivals changes the start, so the timeline is built again.
            start = add_arrivals(after.start, (act,))
            after = add_act(after, act) if start is after.start else build_timeline(start, (*after.log, act))
    check_sense(system, after.battle, timeline.battle)
    return after


def check_sense(system: RuleSystem, battle: Battle, before: Battle | None = None) -> None:
    """Check that the rules can answer what a screen or a script asks about a battle.

    Args:
        before: An earlier battle that was checked; ships that have not changed since are skipped.

    Raises:
        QfError: The rules fail on the battle.
    """
    # The results are not used: it only counts whether the rules fail.
    with report_meaningless_save(system):
        for id, ship in battle.ships.items():
            if ship.id != id:
                raise ValueError(f"ship {id} is called {ship.id}")
            if before is None or before.ships.get(id) != ship:
                _check_figures(system, ship)
                system.report(battle, ship)
                for column in system.columns:
                    system.cell(battle, ship, column)
                system.sheet(battle, ship)
                # `tuple` runs the generator.
                tuple(system.list_ship_changes(battle.start, battle, battle.start.ships.get(id, ship), ship))
        if before is None or battle.phase != before.phase or battle.options != before.options:
            find_phase(system, battle.phase)
            list_able_ships(system, battle)
            system.on_table(battle.start, battle)
        system.advice(battle)
        system.ended(battle)


def _check_figures(system: RuleSystem, ship: Ship) -> None:
    """Raise ValueError if a ship's log has a text for a number, or a number has too many boxes to draw."""
    declared_limits = (*(field.most for field in system.fields), *(field.most for field in system.card))
    figure_most = max(FIGURE_MOST, *declared_limits)
    for name, value in (*ship.card.items(), *ship.log.items()):
        if isinstance(value, int | float) and abs(value) > figure_most:
            raise ValueError(f"{name} of {ship.id} is {value}")
    for name, value in ship.log.items():
        if fault := _find_figure_fault(system, name, value):
            raise ValueError(f"{fault} of {ship.id}")


def _find_figure_fault(system: RuleSystem, field: str, value: object) -> str:
    """Return why a value does not fit a number field; "" if it fits, or if the field is no number field.

    None fits, and so does a text such as `-1.5` or `1/2`.
    """
    if field not in system.facts.figures or value is None or type(value) in (int, float):
        return ""
    is_sound = isinstance(value, str) and _FIGURE.fullmatch(value)
    return "" if is_sound else f"{format_value(value)} is not a number for {field}"


def add_arrivals(start: Battle, log: Sequence[LogAct]) -> Battle:
    """Add every ship that the log brings to the reserve of a start, where a corrected `join` finds her."""
    arrivals = {ship.id: ship for act in log if act.version for ship in act.version.arrivals}
    if not arrivals:
        return start
    reserve = {**start.reserve, **arrivals}
    return replace(start, reserve=reserve, began=start.began and replace(start.began, reserve=reserve))


def make_rules_finder(systems: Mapping[str, RuleSystem]) -> RulesOf:
    """Return a function that finds the reader for a save's orders, by its rule system or the book in it.

    The function raises Misread if the book is not sound.
    """

    def find_reader(system: str, book: object = None) -> ReadOrder:
        if book is None and system not in systems:
            # `open_timeline` refuses such a save with a better message.
            return build_unread_order
        try:
            rules = find_system(system, book, systems)
        except QfError as fault:
            raise Misread(str(fault)) from None
        return lru_cache(maxsize=4096)(partial(read_resolved, forms=list_forms(rules)))

    return find_reader


def check_facts(system: RuleSystem, act: LogAct) -> None:
    """Check the effects of an act: the rule system declares each fact, and number fields get numbers.

    Raises:
        QfError: If a fact differs from its declaration, or a number field gets another value.
    """
    # The header is line 1.
    where = f"line {act.number + 1} (act {act.number})"
    for ruling in act.rulings.values():
        for effect in ruling.decision.effects:
            if isinstance(effect.value, (Act, Owed)):
                _check_memory(system, effect.value, where)
            elif effect.op is Op.SET and (fault := _find_figure_fault(system, effect.field, effect.value)):
                what = f"the effect on {effect.ship}"
                raise _build_fault(system, where, what, fault)


def _check_memory(system: RuleSystem, memory: Act | Owed, where: str) -> None:
    """Check the facts of a remembered act or an owed question.

    Args:
        where: Place in the save, for the message.

    Raises:
        QfError: If they differ from what the rule system declares.
    """
    if isinstance(memory, Act):
        fault = find_facts_fault(system.facts.acts.get(memory.kind, ()), memory.facts)
        what = f"the remembered act “{memory.kind}”"
    else:
        fault = find_facts_fault(system.facts.questions.get(memory.line, ()), memory.facts)
        what = f"question {memory.key}"
    if fault:
        raise _build_fault(system, where, what, fault)


def _build_fault(system: RuleSystem, where: str, what: str, fault: str) -> QfError:
    return QfError(
        f"{where}, {what}: {fault}; {system.title} declares it differently. Nothing was overwritten."
    )


@contextmanager
def report_meaningless_save(system: RuleSystem) -> Iterator[None]:
    """Turn an unexpected exception of the rules into a QfError: the save makes no sense."""
    try:
        yield
    except SENSELESS as fault:
        raise QfError(
            f"{system.title} cannot make sense of this save ({type(fault).__name__}: "
            f"{str(fault)[:80]}), though its checksums fit: another program wrote it. Nothing was recorded "
            "or overwritten; use an older copy."
        ) from fault


class RulesFault(QfError):
    """An unexpected exception of the rules while an order was worked out; nothing was entered."""


@contextmanager
def report_rules_fault(system: RuleSystem) -> Iterator[None]:
    """Turn an unexpected exception of the rules into a RulesFault, and keep its traceback in a file."""
    try:
        yield
    except SENSELESS as fault:
        from traceback import format_exception

        report = write_crash_report("".join(format_exception(fault)))
        where = f" The details are in {report}." if report else ""
        raise RulesFault(
            f"{system.title} cannot work this out ({type(fault).__name__}: {fault}): either the "
            f"save is faulty, or these rules are. The order was not entered.{where}"
        ) from fault


def find_system(name: str, book: object, systems: Mapping[str, RuleSystem]) -> RuleSystem:
    """Return the rule system of a save: its `book`, or if that is None, an installed system.

    Raises:
        QfError: If the system is not installed, or the book is not sound.
    """
    if book is not None:
        from qf_tui.library.books import load_saved_book

        return load_saved_book(name, book)
    if name not in systems:
        known = ", ".join(systems) or "none"
        text = f"the save needs the rule system “{name}”, which is not installed; installed: {known}"
        raise QfError(f"{text}. Install its package, or put a book of this name next to your others")
    return systems[name]


class Follower:
    """A battle that another console plays; QfError if its save cannot be opened.

    Attributes:
        timeline: The battle; replaced after each act of the other console.
        lost: Why the save cannot be read any longer, or "". The last battle is then still shown.
    """

    writable = False

    def __init__(self, path: Path, systems: Mapping[str, RuleSystem]) -> None:
        """Read the battle of the save for the first time."""
        self.path, self._systems = path, systems
        self._tail = Tail(path, make_rules_finder(systems))
        self.lost = ""
        self._open(self._tail.save)
        self._change_notice = ""

    def _open(self, save: Save) -> None:
        """Open the content of a save as a new battle.

        Raises:
            QfError: If its rules are not installed or cannot make sense of it.
        """
        self.system, self.timeline = open_timeline(save, self._systems)
        self._save = save

    @property
    def battle(self) -> Battle:
        """The present battle."""
        return self.timeline.battle

    @property
    def battle_id(self) -> str:
        """The checksum of the header, which differs for every battle."""
        return self._save.first_sum

    @property
    def extra(self) -> Mapping[str, object]:
        """The `extra` of the save's header."""
        return self._save.header.extra

    @property
    def program(self) -> str:
        """The version of the program that began the save."""
        return self._save.header.program

    @property
    def extent(self) -> Extent:
        """The part of the save that was read when it was last sound."""
        return self._tail.extent

    @property
    def seconds(self) -> float | None:
        """Seconds since the battle began, counted on from its last act; None if unknown or long ago."""
        log = self.timeline.log
        last_act_at = log[-1].at if log else 0.0
        try:
            # The file was last written when the last act was recorded.
            seconds_ago = max(0.0, time() - self.path.stat().st_mtime)
        except OSError:
            return None
        if last_act_at is None or seconds_ago >= COUNTED_S:
            return None
        return last_act_at + seconds_ago

    @property
    def notice(self) -> str:
        """Why the save cannot be read, how it was changed, or which acts its end lacks; "" if all is well."""
        save = self._save
        # An incomplete line is no loss: the other console may be writing it now.
        end = save.end_notice if save.lacks_acts and not self.lost else ""
        texts = (self.lost, self._change_notice, end and f"{save.name}: {end}.")
        return " ".join(text for text in texts if text)

    def read_changes(self) -> bool:
        """Read new acts, and return whether the timeline or the notice has changed."""
        if not self._tail.read_changes():
            return False
        old_timeline = self.timeline
        old_notice = self.notice
        self.lost = self._tail.fault
        if not self.lost:
            try:
                self._take_save(self._tail.save)
            except QfError as fault:
                self.lost = f"{self._save.name}: {fault}"
        if self.lost:
            self.lost = f"{self.lost} The screen shows the battle as last read."
        return self.timeline is not old_timeline or self.notice != old_notice

    def _take_save(self, save: Save) -> None:
        """Take over the new acts of the save; if other parts changed too, open the whole save again.

        Raises:
            QfError: If the rules cannot make sense of it.
        """
        old_save = self._save
        old_count = len(self._save.log)
        if save.first_sum == old_save.first_sum and save.log[:old_count] == old_save.log:
            if len(save.log) > old_count:
                self.timeline = extend_timeline(self.system, self.timeline, save.log[old_count:])
                self._change_notice = ""
        else:
            self._open(save)
            self._change_notice = f"{save.name}: {_format_change(old_save, save)}."
        self._save = save


def _format_change(before: Save, now: Save) -> str:
    """Format how a save was changed in another way than by new acts at its end."""
    if now.first_sum != before.first_sum:
        return "it now holds another battle, which is shown from here on"
    old_count = len(before.log)
    new_count = len(now.log)
    if before.log[:new_count] == now.log:
        lost_acts = f"acts {new_count + 1} to {old_count} are"
        if old_count == new_count + 1:
            lost_acts = f"act {old_count} is"
        return f"it was cut: {lost_acts} gone from its end"
    pairs = zip(before.log, now.log, strict=False)
    first_changed = next(place for place, (old, new) in enumerate(pairs, start=1) if old != new)
    return f"it was replaced: its acts differ from act {first_changed} on"
