"""The open battle: every order is entered here, and is on the disk before its result is returned.

Also here: new saves, copies of saves, and branches (copies in which a battle goes on differently).
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from attrs import evolve, field, frozen

import qf_tui
from qf_tui.core.availability import is_phase_empty
from qf_tui.core.builtin_forms import CHART, CORRECTIONS, JOIN, NEXT, REVEAL, build_vocabulary
from qf_tui.core.corrections import build_scope
from qf_tui.core.decide import ThrowDie, begin_battle, check_dice, prepare_entry
from qf_tui.core.declarations import PreparedEntry, PreparedOrder
from qf_tui.core.dice_source import DiceSource
from qf_tui.core.errors import Finding, OrderRefused, QfError, impossible
from qf_tui.core.grammar.names import Reach, Scope
from qf_tui.core.grammar.reader import Reading, read_line, read_resolved, read_typed
from qf_tui.core.odds import Chance, Needed, Outcome, Sought, compute_chances, list_needs, list_outcomes
from qf_tui.core.revisions import Revision, ValueChange, list_effect_changes, work_out
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.text import add_answer
from qf_tui.core.timeline import Entry, Timeline, Version, build_timeline
from qf_tui.core.values import Battle, Charts, Die, Faces, Order, Owed, is_pool, replace
from qf_tui.journal.disk import format_file_name, replace_unprintable
from qf_tui.journal.lines import Extent
from qf_tui.journal.reading import SaveExists, read_save
from qf_tui.journal.saving import Journal, NoJournal, copy_save, write_save
from qf_tui.library.paths import (
    SAVE,
    find_file,
    find_own_folder,
    format_missing_file,
    is_there,
    list_new_saves,
)
from qf_tui.operating_systems import find_name_fault
from qf_tui.registry import find_extras, find_features, load_dice_maker
from qf_tui.session.dice import BattleDice, resume_dice
from qf_tui.session.saves import (
    build_header,
    check_facts,
    check_sense,
    make_rules_finder,
    open_timeline,
    report_rules_fault,
)

if TYPE_CHECKING:
    from qf_tui.hooks import Listener
    from qf_tui.library.joining import JoinableShips
    from qf_tui.library.settings import Settings


@frozen
class OrderPreview:
    """An order while it is typed: the reasons against it, the dice that it needs, and its exact odds.

    Attributes:
        findings: Reasons against the order.
        resolved: The order as text, with all names in full.
        dice: The most dice that it can still take.
        missing: Dice that it still needs.
        chances: Odds of its results.
        needs: Faces that the players must throw.
        assumes: Assumptions behind the odds.
        reminders: Rules that the umpire should keep in mind.
        outcomes: Result of each face of an owed roll, unless `needs` has it.
        faces: Faces that were typed.
        prompt: The owed roll or question that it answers, or "".
        spare: Number of the last faces that change nothing.
    """

    findings: tuple[Finding, ...] = ()
    resolved: str = ""
    dice: tuple[Die, ...] = ()
    missing: tuple[Die, ...] = ()
    chances: tuple[Chance, ...] = ()
    needs: tuple[Needed, ...] = ()
    assumes: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    faces: tuple[int, ...] = ()
    prompt: str = ""
    spare: int = 0

    @property
    def fine(self) -> bool:
        return not self.findings


@frozen
class ActOrigin:
    """The player from whom an act comes, and the features' data that the act keeps."""

    by: str
    extra: Mapping[str, object] = field(factory=dict)


def preview_prepared(
    battle: Battle, entry: PreparedEntry, *, source: DiceSource | None = None, figures: bool = True
) -> OrderPreview:
    """Preview an order that was prepared on a battle.

    Args:
        source: Throws the dice of calls, and may refuse a call; None without calls.
        figures: False to work out only the findings and the dice, without odds.
    """
    ready = entry.prepared
    all_findings = (*ready.findings, *(source.check(entry.order) if source else ()))
    is_impossible = any(not finding.refused for finding in all_findings)
    # A forced order overrules refusals, but nothing that is impossible.
    findings = all_findings if is_impossible or not entry.order.forced else ()
    if not findings:
        try:
            check_dice(entry)
        except OrderRefused as refusal:
            findings = refusal.findings
    owed = entry.question
    faces = owed.faces if owed else ()
    with_odds = figures and not findings
    needs = list_needs(ready, faces) if with_odds else ()
    return OrderPreview(
        findings,
        resolved=entry.order.resolved,
        dice=ready.dice[len(entry.faces) :],
        missing=entry.missing,
        chances=compute_chances(ready, faces) if with_odds else (),
        needs=needs,
        assumes=ready.assumes,
        reminders=ready.reminders,
        outcomes=list_outcomes(battle, owed, ready) if owed and with_odds and not needs else (),
        faces=entry.order.dice,
        prompt=owed.prompt if owed else "",
        spare=0 if findings else _count_spare(ready, faces, entry.order.dice),
    )


def _count_spare(ready: PreparedOrder, earlier_faces: Faces, faces: Faces) -> int:
    """Count the faces at the end that the order does not need; 0 for a pool, because all its dice count.

    The first typed face is always needed.

    Args:
        earlier_faces: Faces that were thrown earlier.
        faces: Faces that were typed now.
    """
    if is_pool(ready.missing(earlier_faces)):
        return 0
    spare = 0
    while spare + 1 < len(faces) and not ready.missing((*earlier_faces, *faces[: -spare - 1])):
        spare += 1
    return spare


def list_needed_throws(system: RuleSystem, battle: Battle, owed: Owed) -> tuple[Sought, ...]:
    """List the faces that an owed roll needs, or if there are none, the result of each face.

    Returns:
        The list; () if words are owed, a rule refuses the roll, or neither can be listed.
    """
    if not owed.dice:
        return ()
    ready = system.prepare_roll(battle, owed)
    if ready.findings:
        return ()
    return list_needs(ready, owed.faces) or list_outcomes(battle, owed, ready)


def format_needed_throws(system: RuleSystem, battle: Battle, owed: Owed) -> str:
    """Format an owed roll and the faces that it needs, to be read aloud."""
    text = " · ".join(map(str, list_needed_throws(system, battle, owed)))
    return add_answer(owed.prompt, text) if text else owed.prompt


class Session:
    """An open battle. Its `timeline` is a value, so an old one can be kept to look back.

    No act has a time before the clock is started. If another program may have written the save, an unexpected
    exception of the rules becomes a QfError.

    Attributes:
        timeline: The battle with its log.
        journal: The save, or a journal that keeps nothing.
        extra: Parts of the save's header that are not about the battle.
        dice: The dice of the battle.
        program: Version of the program that began the save.
    """

    def __init__(
        self,
        system: RuleSystem,
        timeline: Timeline,
        journal: Journal | NoJournal | None = None,
        *,
        seed: int | None = None,
        extra: Mapping[str, object] | None = None,
        program: str = "",
        dice: BattleDice | None = None,
    ) -> None:
        """Hold a battle; without a `journal` it is not saved.

        Args:
            seed: Seed of the console's dice, or None.
            extra: Parts of the save's header that are not about the battle.
            program: Version of the program that began the save, or "" for a new battle.
            dice: Dice of the battle; None to make them from `extra`, log and seed.
        """
        self.system = system
        self.timeline = timeline
        self.journal: Journal | NoJournal = journal or NoJournal()
        self.extra = extra or {}
        self.dice = dice or resume_dice(self.extra, timeline.log, seed=seed)
        self.program = program or qf_tui.__version__
        self._listeners: dict[str, Listener] = {}
        # A version is given only for a save that was opened, which another program may have written.
        self._may_be_foreign = bool(program)
        self._clock: Callable[[], float] | None = None
        self._vocabulary = build_vocabulary(system)
        self._read_resolved = lru_cache(maxsize=16)(partial(read_resolved, forms=self._vocabulary.play))
        # The last orders prepared: the typed one, without dice and with each reading of its dice.
        self._prepared: deque[tuple[Battle, Order, PreparedEntry]] = deque(maxlen=4)

    @classmethod
    def begin(
        cls,
        system: RuleSystem,
        start: Battle,
        save: Path | None = None,
        *,
        seed: int | None = None,
        extra: Mapping[str, object] | None = None,
        dice: BattleDice | None = None,
    ) -> "Session":
        """Begin a new battle.

        Args:
            save: Path of the new save; None to keep the battle only in memory.
            seed: Seed of the console's dice, or None.
            extra: Parts of the save's header that are not about the battle.
            dice: Dice of the battle, if the sides were asked for them; None to make them here.

        Raises:
            SaveFault: If the save cannot be made or a file with its name exists.
        """
        start = begin_battle(system, start)
        if dice is None:
            # Dice of other kinds keep a file next to the save: without a save there are only the usual ones.
            maker = load_dice_maker(start.table.get("dice")) if save else None
            dice = maker.begin(len(start.sides)) if maker else BattleDice(seed)
        extra = {**(extra or {}), **dice.extra}
        journal = dice.create_journal(save, build_header(system, start, extra)) if save else None
        return cls(system, build_timeline(start, log=()), journal, extra=extra, dice=dice)

    @classmethod
    def resume(cls, save: Path, systems: Mapping[str, RuleSystem]) -> "Session":
        """Open a saved battle to continue it; if another console has it, only to read it (see `notice`).

        Raises:
            QfError: If the save cannot be read, or its rules are missing or cannot make sense of it.
        """
        journal, content = Journal.open(save, rules_of=make_rules_finder(systems))
        header = content.header
        try:
            system, timeline = open_timeline(content, systems)
            dice = resume_dice(header.extra, content.log, save)
        except QfError:
            journal.close()
            raise
        return cls(system, timeline, journal, extra=header.extra, program=header.program, dice=dice)

    @classmethod
    def view(cls, save: Path, systems: Mapping[str, RuleSystem], *, seed: int | None = None) -> "Session":
        """Open a saved battle in memory only: nothing is written, and every battle of the log is kept.

        Raises:
            QfError: If the save cannot be read, or its rules are missing or cannot make sense of it.
        """
        content = read_save(save, make_rules_finder(systems))
        system, timeline = open_timeline(content, systems, checkpoint_every=1)
        notices = (content.end_notice, content.extra_notice)
        notice = " ".join(f"{content.name}: {notice}." for notice in notices if notice)
        extent = Extent(save, content.length, content.last_sum)
        journal = NoJournal(notice, extent)
        header = content.header
        return cls(system, timeline, journal, seed=seed, extra=header.extra, program=header.program)

    @property
    def battle(self) -> Battle:
        return self.timeline.battle

    @property
    def notice(self) -> str:
        """The message about the save for the umpire: a torn end, read-only, or no seed; "" if all is well."""
        # A battle that is only viewed needs no dice.
        dice_notice = self.dice.notice if self.journal.path else ""
        return " ".join(filter(None, (self.journal.notice, dice_notice)))

    @property
    def writable(self) -> bool:
        return self.journal.writable

    @property
    def extent(self) -> Extent | None:
        """The part of the save that was written or read; None without a save."""
        return self.journal.extent

    @property
    def throw(self) -> ThrowDie | None:
        """The function with which the console throws a die, or None if players type the faces."""
        return self.dice.throw(self.battle)

    @property
    def calls(self) -> bool:
        """True if a call throws the dice."""
        return self.dice.source is not None

    def find_scope(self, reach: Reach = Reach.BEGINS) -> Scope:
        """Build the scope in which a line is read now: battle, orders, and the ships that may join."""
        battle = self.battle
        scope = build_scope(
            self._vocabulary,
            self.timeline,
            reach,
            # Functions, so that the files of ships are read only for a line that may name one.
            arrivals=lambda: self._joinable.list_fleet_ships(battle),
            elsewhere=lambda: self._joinable.list_navy_names(battle),
        )
        return replace(scope, calls=self.calls)

    def read(self, line: str, reach: Reach = Reach.BEGINS) -> Reading:
        """Read a line as an order; `reach` says how much of a name its letters may match."""
        with report_rules_fault(self.system):
            return read_line(self.find_scope(reach), line)

    def read_typed(self, text: str, key: str = "") -> Reading:
        """Read a half-typed line as an order; letters may match a name anywhere, not only at its beginning.

        Args:
            key: Key of the owed question that the line answers, or "".
        """
        with report_rules_fault(self.system):
            return read_typed(self.find_scope(Reach.ANYWHERE), text, key)

    def enter(self, line: str) -> Revision:
        """Enter an order or a correction; it is on the disk when this returns.

        `preview CORRECTION` is worked out but not recorded.

        Raises:
            OrderRefused: If the order cannot be entered; nothing changes.
            NotRecorded: If the disk refuses it; nothing changes.
        """
        reading = self.read(line)
        order = reading.require_order()
        if reading.preview:
            return self.work_out(order)
        return self.record(self.work_out(order, self.throw))

    def work_out(self, order: Order, throw: ThrowDie | None = None) -> Revision:
        """Work out an order or a correction without recording it.

        Args:
            throw: Throws its dice; None to throw none.

        Raises:
            OrderRefused: If the order cannot be entered, or a call should throw its dice and `throw` is None.
        """
        if throw is None and self.calls and order.effective_call is not None:
            # A call has no faces until the source of the dice throws them, which a preview must not do.
            raise OrderRefused(f"the dice of call {order.effective_call} are not known before you enter it")
        with report_rules_fault(self.system):
            prepared_entry = self._find_prepared(order, self.battle)
            revision = work_out(
                self.system,
                self.timeline,
                order,
                self._build_version,
                throw,
                self.dice.source,
                prepared_entry,
            )
        check_facts(self.system, revision.act)
        # `record` needs the order as it was given, to work it out again if the battle has changed by then.
        return replace(revision, order=order)

    def record(self, revision: Revision, origin: ActOrigin | None = None) -> Revision:
        """Record a revision that was worked out and shown.

        It is worked out again if the battle has changed since, or if the console must first throw its dice.

        Args:
            origin: Where the act comes from, if not from the umpire.

        Raises:
            OrderRefused: If it was worked out again and cannot be entered any more.
            QfError: If the rules would fail on the battle after it; this is checked only in an opened save.
            NotRecorded: If the disk refuses it; nothing changes.
        """
        unthrown = revision.dice_missing and self.throw is not None
        if revision.order is not None and (unthrown or revision.before is not self.timeline):
            revision = self.work_out(revision.order, self.throw)
        revision = self._add_extras(revision, origin)
        if self._may_be_foreign:
            # A save that another program wrote may hold values on which the rules fail only after this act.
            check_sense(self.system, revision.after.battle, self.battle)
        self.journal.append(revision.act)
        self.timeline = revision.after
        for listener in self._listeners.values():
            listener.record(revision.act)
        self.dice.record(revision.act, self.journal.path)
        return replace(revision, recorded=True)

    def _add_extras(self, revision: Revision, origin: ActOrigin | None) -> Revision:
        """Add the time, the player and the features' extras to the act; return `revision` if none is new."""
        origin = origin or ActOrigin(revision.act.by)
        values = {name: kind.write(self, revision) for name, kind in find_extras().items()}
        new_extra = {name: value for name, value in values.items() if value is not None}
        seconds = self._clock() if self._clock is not None else None
        act = replace(revision.act, at=seconds, by=origin.by, extra={**origin.extra, **new_extra})
        if act == revision.act:
            return revision
        # The log of the timeline holds the act too.
        after = replace(revision.after, log=(*revision.before.log, act))
        return replace(revision, act=act, after=after)

    def pass_empty_phases(self) -> tuple[str, ...]:
        """End empty phases, at most all but one of a turn, and return their titles.

        It stops at the first phase in which something is left to do, or that cannot be ended.
        """
        titles: list[str] = []
        for _ in self.system.phases[1:]:
            if not is_phase_empty(self.system, self.battle):
                break
            title = find_phase(self.system, self.battle.phase).title
            try:
                self.record(self.work_out(Order(NEXT, {}), self.throw))
            except QfError:
                break
            titles.append(title)
        return tuple(titles)

    @property
    def seconds(self) -> float | None:
        """Seconds since the battle began, to a tenth; None without a clock."""
        return self._clock() if self._clock else None

    def start_clock(self, read: Callable[[], float]) -> None:
        """Give each act from now on its time since the battle began, in seconds to a tenth.

        The clock goes on from the latest time in the log: the hours when the battle was closed do not count.

        Args:
            read: Returns seconds that never run back, like `time.monotonic`.
        """
        latest_time = max((act.at or 0.0 for act in self.timeline.log), default=0.0)
        began = read() - latest_time
        self._clock = lambda: round(read() - began, 1)

    def preview(self, line: str) -> Revision:
        """Work out what a correction would change; nothing is thrown or recorded.

        Raises:
            OrderRefused: If the line is no correction, or the correction cannot be entered.
        """
        order = self.read(line).require_order()
        if order.form not in CORRECTIONS:
            words = ", ".join(form.word for form in CORRECTIONS)
            raise OrderRefused(f"preview: expected one of {words}")
        return self.work_out(order)

    def preview_order(
        self, order: Order | str, battle: Battle | None = None, *, figures: bool = True
    ) -> OrderPreview:
        """Preview an order on the present battle or another.

        An order that is refused, and any correction, gives a preview that has only findings.

        Args:
            order: The order, or a line to read.
            battle: The other battle, or None.
            figures: False to leave out the odds.
        """
        try:
            if isinstance(order, str):
                order = self.read(order).require_order()
            if order.form in CORRECTIONS:
                raise OrderRefused(f"{order.word}: write `preview {order.word} ...` to see what it changes")
            with report_rules_fault(self.system):
                target_battle = battle or self.battle
                entry = self._find_prepared(order, target_battle) or self._prepare(order, target_battle)
                return preview_prepared(target_battle, entry, source=self.dice.source, figures=figures)
        except QfError as fault:
            return OrderPreview(
                fault.findings if isinstance(fault, OrderRefused) else (impossible(str(fault)),)
            )

    def prepare(self, order: Order) -> PreparedEntry:
        """Prepare an order on the present battle.

        Raises:
            OrderRefused: If the order has no meaning there, or a save cannot hold it.
        """
        with report_rules_fault(self.system):
            return prepare_entry(self.system, self.battle, self._build_version(order))

    def _find_prepared(self, order: Order, battle: Battle) -> PreparedEntry | None:
        """Return an order that was already prepared on a battle while it was typed, or None."""
        for prepared_battle, prepared_order, entry in self._prepared:
            if prepared_battle is battle and prepared_order == order:
                return entry
        return None

    def _prepare(self, order: Order, battle: Battle) -> PreparedEntry:
        """Prepare an order while it is typed, and keep the result: each key pressed asks for it again."""
        # A preview must not show the seed before it is revealed.
        version = Version(order) if order.form is REVEAL else self._build_version(order)
        entry = prepare_entry(self.system, battle, version)
        if order.form not in (CHART, JOIN, REVEAL):
            # CHART and JOIN are not kept, because their files may change; nor REVEAL, which lacks its seed.
            self._prepared.append((battle, order, entry))
        return entry

    def _build_version(self, order: Order) -> Version:
        """Build the version of an order: the order, with the chart or the ships that it takes from files.

        Raises:
            OrderRefused: If its text would not read back as the same order, or the dice cannot complete it.
            QfError: If a file cannot be read, or the ships cannot join.
        """
        if self._read_resolved(order.resolved) != order.without_dice:
            raise OrderRefused(f"“{order.resolved}” cannot be saved: it would not read back the same")
        # `reveal` gets the seed, which only the dice know.
        order = self.dice.complete(order, self.timeline.log)
        overlay = self.load_overlay(" ".join(order.list_texts("file"))) if order.form is CHART else None
        ship_names = order.list_texts("ships") if order.form is JOIN else ()
        arrivals = tuple(self._joinable.muster_ships(ship_names, self.battle)) if ship_names else ()
        return Version(order, overlay=overlay, arrivals=arrivals)

    @cached_property
    def _joinable(self) -> "JoinableShips":
        """The ships that may join, from the user's files."""
        from qf_tui.library.joining import JoinableShips

        return JoinableShips(self.system, self.timeline.start)

    def load_overlay(self, name_or_path: str) -> Charts:
        """Load an umpire's own chart from a path, or by its name in the user's folder of charts.

        Raises:
            QfError: If there is no such chart, or it cannot be read.
        """
        from qf_tui.library.charts import load_overlay

        given_path = Path(name_or_path)
        path = given_path if is_there(given_path) else find_file("charts", name_or_path, Path())
        if path is None:
            raise QfError(format_missing_file("charts", name_or_path))
        return load_overlay(path, self.system)

    def find_arrival_id(self, ship: ShipFacts) -> str:
        """Return the id under which a ship of a navy would join."""
        return self._joinable.find_joining_id(ship, self.battle)

    def keep_cell(self, cell: tuple[str, ...], text: str) -> Revision:
        """Add a value that the umpire read in a printed chart to his own chart, and use that chart here.

        The result is the recorded entry that lays this chart over the program's.
        """
        from qf_tui.library.own_charts import add_own_cell

        file = add_own_cell(self.system, cell, text).stem
        # An order holds a name as its words.
        return self.record(self.work_out(Order(CHART, {"file": tuple(file.split())})))

    def list_changes(self, revision: Revision) -> tuple[ValueChange, ...]:
        """List every value of a log or card that an entry changed, effect by effect; () for a correction."""
        if revision.ruling is None or not isinstance(revision.act, Entry):
            return ()
        before = revision.after.battle_at(revision.after.play_order.index(revision.number))
        with report_rules_fault(self.system):
            return list_effect_changes(self.system, before, revision.ruling.decision.effects)

    def listen(self, settings: "Settings") -> None:
        """Open or close the features' listeners as the settings ask; a feature may keep its old one."""
        for feature in find_features():
            if feature.listen is None:
                continue
            old_listener = self._listeners.pop(feature.name, None)
            new_listener = feature.listen(self, settings, old_listener)
            if old_listener is not None and new_listener is not old_listener:
                old_listener.close()
            if new_listener is not None:
                self._listeners[feature.name] = new_listener

    def collect_warnings(self) -> str:
        """Return the warnings of the features' listeners, or ""."""
        return " ".join(filter(None, [listener.warn() for listener in self._listeners.values()]))

    def close(self) -> str:
        """Close the features' listeners and the save; return their messages for the umpire, or ""."""
        notice = " ".join(filter(None, [listener.close() for listener in self._listeners.values()]))
        self.journal.close()
        return notice


_Made = TypeVar("_Made")


def begin_on_shelf(system: RuleSystem, start: Battle, name: str, dice: BattleDice | None = None) -> Session:
    """Begin a battle in a new save called `name` with a number; QfError if that cannot be made."""
    return _make_new_save(list_new_saves(name), lambda save: Session.begin(system, start, save, dice=dice))[1]


def copy_on_shelf(source: Path) -> Path:
    """Copy a save to a new one on the shelf, with its name and a number; QfError if that cannot be made."""
    return _make_new_save(list_new_saves(source.stem), partial(copy_save, source))[0]


def keep_on_shelf(session: Session, name: str) -> Path:
    """Copy the open battle to a new save called `name` with a number; QfError if that cannot be made."""
    return _make_new_save(list_new_saves(name), partial(write_copy, session))[0]


def branch_save(save: Path) -> Path:
    """Copy a save to a branch, a copy next to it; QfError if that cannot be made."""
    return _make_branch(save, partial(copy_save, save))


def branch_session(session: Session) -> Path:
    """Copy the open battle to a branch, a copy next to its save; QfError if that cannot be made."""
    save = session.journal.path
    if save is None:
        raise QfError("no branch: this battle has no save to copy. Begin it with `--save FILE`.")
    return _make_branch(save, partial(write_copy, session))


def branch_with_correction(session: Session, order: Order) -> Path:
    """Copy the open battle to a branch, and apply a correction there; QfError if either fails."""
    save = branch_session(session)
    branch = Session.resume(save, {session.system.name: session.system})
    try:
        branch.record(branch.work_out(order, branch.throw))
    finally:
        branch.close()
    return save


def _make_branch(save: Path, copy: Callable[[Path], object]) -> Path:
    """Make a branch next to a save with `copy`, under the first free name `NAME-branch-N`."""
    branches = (save.with_name(f"{save.stem}-branch-{number}{save.suffix}") for number in count(1))
    return _make_new_save(branches, copy)[0]


def find_or_keep_save(session: Session) -> tuple[Path | None, str]:
    """Find the save of a battle that the umpire leaves; if another program changed the save, copy the battle.

    Returns:
        The path of the save or copy, or None if there is no save or the copy fails; and a message, or "".
    """
    save, file_fault = session.journal.path, session.journal.file_fault
    if save is None or not file_fault:
        return save, ""
    notice = f"{format_file_name(save)}: the save has changed since you left it: {file_fault}."
    write = partial(write_copy, session)
    try:
        try:
            copy = _make_branch(save, write)
        except QfError:
            # The folder of the save may be gone.
            copy, _ = _make_new_save(list_new_saves(save.stem), write)
    except QfError as fault:
        return None, f"{notice} {fault} Put the old file or a copy of it back."
    return copy, f"{notice} This copy holds the battle of the console."


def write_copy(session: Session, to: Path) -> Path:
    """Copy the save of a battle to a path, and return the path; SaveFault if the copy cannot be made.

    If the battle has no save, or another program changed its save, the battle in memory is written.
    """
    save = session.journal.path
    if save is None or session.journal.file_fault:
        # The new save names the program that began the battle.
        header = build_header(session.system, session.timeline.start, session.extra)
        write_save(to, evolve(header, program=session.program), session.timeline.log)
    else:
        copy_save(save, to)
    return to


def read_save_name(text: str) -> Path:
    """Return the path that a person typed for a new save; QfError for a name that a computer may refuse."""
    path = Path(text)
    if not path.name.strip() or any(sign < " " for sign in path.name):
        raise QfError(
            f"“{replace_unprintable(text)}” is not a file name; name the new save like battle{SAVE}"
        )
    if fault := find_name_fault(path.name):
        raise QfError(
            f"{replace_unprintable(path.name)}: {fault}, and the save may be used there too; "
            "choose another name"
        )
    return path


def copy_to(session: Session, name_or_path: str) -> Path:
    """Copy the open battle to a name on the user's shelf, or to a path, and return the path.

    The ending of a save is added if it is missing. QfError if the copy cannot be made.
    """
    to = read_save_name(name_or_path.strip())
    if to.suffix != SAVE:
        to = to.with_name(f"{to.name}{SAVE}")
    if to.parent == Path():
        to = find_own_folder("saves") / to
        to.parent.mkdir(parents=True, exist_ok=True)
    else:
        with suppress(RuntimeError):
            # An unknown user name in `~name` stays as typed, and fails as a missing folder.
            to = to.expanduser()
    return write_copy(session, to)


def _make_new_save(names: Iterable[Path], make: Callable[[Path], _Made]) -> tuple[Path, _Made]:
    """Make a save under the first free name; return its path, and what `make` returned."""
    for save in names:
        # Trying is safer than looking, because several consoles may do this at once.
        with suppress(SaveExists):
            return save, make(save)
    # Callers give names without end.
    raise AssertionError
