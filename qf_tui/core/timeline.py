"""The log with the battle that follows from it: what is in force, and in which order. It decides nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from functools import cached_property
from itertools import chain, islice
from typing import Any, Generic, TypeVar, overload

from attrs import field, frozen

from qf_tui.core.decisions import Decision, fold
from qf_tui.core.errors import Finding
from qf_tui.core.values import Battle, Charts, Order, Ship

_Value = TypeVar("_Value")
CHUNK = 256
"""Values in one chunk; to set or add a value copies its chunk and the list of chunks."""
CHECKPOINT_EVERY = 64
"""Entries between two battles that are kept while folding."""


class Numbered(Mapping[int, _Value], Generic[_Value]):
    """Values by numbers from 0 on, with few gaps."""

    __slots__ = ("_chunks",)

    def __init__(self, chunks: tuple[Mapping[int, _Value], ...] = ()) -> None:
        self._chunks = chunks

    def plus(self, values: Mapping[int, _Value]) -> "Numbered[_Value]":
        """These values with others in their places."""
        chunks = list(self._chunks)
        own: dict[int, dict[int, _Value]] = {}
        for number, value in values.items():
            at = number // CHUNK
            if at not in own:
                chunks.extend({} for _ in range(len(chunks), at + 1))
                chunks[at] = own[at] = dict(chunks[at])
            own[at][number] = value
        return Numbered(tuple(chunks))

    def __getitem__(self, number: int) -> _Value:
        at = number // CHUNK
        if not 0 <= at < len(self._chunks):
            raise KeyError(number)
        return self._chunks[at][number]

    def __iter__(self) -> Iterator[int]:
        return (number for chunk in self._chunks for number in chunk)

    def __len__(self) -> int:
        return sum(map(len, self._chunks))

    def __repr__(self) -> str:
        return f"Numbered({dict(self)})"


class Chain(Sequence[_Value], Generic[_Value]):
    """Values one behind the other; a slice of them is a tuple."""

    __slots__ = ("_chunks",)

    def __init__(self, values: Iterable[_Value] = ()) -> None:
        left = iter(values)
        # All chunks but the last are full.
        self._chunks = tuple(iter(lambda: tuple(islice(left, CHUNK)), ()))

    def plus(self, value: _Value) -> "Chain[_Value]":
        """These values and one more."""
        longer: Chain[_Value] = Chain.__new__(Chain)
        full = not self._chunks or len(self._chunks[-1]) == CHUNK
        longer._chunks = (
            (*self._chunks, (value,)) if full else (*self._chunks[:-1], (*self._chunks[-1], value))
        )
        return longer

    def __len__(self) -> int:
        return (len(self._chunks) - 1) * CHUNK + len(self._chunks[-1]) if self._chunks else 0

    @overload
    def __getitem__(self, at: int) -> _Value: ...

    @overload
    def __getitem__(self, at: "slice[Any, Any, Any]") -> tuple[_Value, ...]: ...

    def __getitem__(self, at: "int | slice[Any, Any, Any]") -> "_Value | tuple[_Value, ...]":
        if isinstance(at, slice):
            places = range(*at.indices(len(self)))
            if places.step != 1:
                return tuple(self[place] for place in places)
            first, begins = divmod(places.start, CHUNK)
            return tuple(islice(chain.from_iterable(self._chunks[first:]), begins, begins + len(places)))
        place = at if at >= 0 else at + len(self)
        if place < 0:
            raise IndexError(at)
        return self._chunks[place // CHUNK][place % CHUNK]

    def __iter__(self) -> Iterator[_Value]:
        return chain.from_iterable(self._chunks)

    def __reversed__(self) -> Iterator[_Value]:
        return chain.from_iterable(map(reversed, reversed(self._chunks)))

    def __contains__(self, value: object) -> bool:
        return any(value in chunk for chunk in self._chunks)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Chain):
            return self._chunks == other._chunks
        return isinstance(other, tuple) and tuple(self) == other

    __hash__ = None  # type: ignore[assignment]  # how Python says that it has none

    def __repr__(self) -> str:
        return f"Chain({tuple(self)})"


def as_chain(values: Iterable[_Value]) -> Chain[_Value]:
    """Values as a chain, which they may be already."""
    return values if isinstance(values, Chain) else Chain(values)


@frozen
class Version:
    """What the umpire entered: the order, and the clauses that he overrode if he forced it.

    `overlay` and `arrivals` are what the order brought from files: a chart, the ships that join. `estimated`:
    what it measures was estimated. `thrown`: the console threw some of its dice. Of a battle with sealed dice
    `context` is what tells the throws of the order from all others, and `between` has the least and the
    greatest face of each die that a call threw.
    """

    order: Order
    overrode: tuple[str, ...] = ()
    overlay: Charts | None = None
    arrivals: tuple[Ship, ...] = ()
    estimated: bool = False
    thrown: bool = False
    context: tuple[str, ...] = ()
    between: tuple[tuple[int, int], ...] = ()

    @property
    def dice(self) -> tuple[int, ...]:
        return self.order.dice

    @property
    def call(self) -> int | None:
        return self.order.call

    @property
    def forced(self) -> bool:
        return self.order.forced


class State(StrEnum):
    """The state of an entry in force: it counts, a rule now refuses it, or its dice are not asked for."""

    STANDS = "stands"
    PARKED = "parked"
    SPARE = "spare"


@frozen
class Ruling:
    """The state of an entry, what it did, and its findings."""

    decision: Decision = Decision()
    state: State = State.STANDS
    findings: tuple[Finding, ...] = ()


class CorrectionKind(StrEnum):
    """The kinds of correction."""

    STRIKE = "strike"
    RESTORE = "restore"
    UNDO = "undo"
    REDO = "redo"
    AMEND = "amend"
    SHIFT = "shift"


@frozen
class Entry:
    """An order that was played; `after` is the entry behind which it was inserted (0: at the start).

    `before` is the answer behind that entry that it stands ahead of all the same, as it was owed first.
    `rulings` are those that it changed, its own among them; `at` is when it was entered, in seconds since the
    battle began (None: unknown).
    """

    number: int
    version: Version
    after: int | None = None
    rulings: Mapping[int, Ruling] = field(factory=dict)
    at: float | None = None
    before: int | None = None


@frozen
class Correction:
    """A correction of `targets`: a new `version` (amend), or a place `after` an entry (shift).

    A shift that is forced has both: its first target with the clauses that it overrides there.

    `at` is as of an entry.
    """

    number: int
    kind: CorrectionKind
    targets: tuple[int, ...]
    version: Version | None = None
    after: int | None = None
    rulings: Mapping[int, Ruling] = field(factory=dict)
    at: float | None = None


LogAct = Entry | Correction
STRIKES = {CorrectionKind.STRIKE, CorrectionKind.UNDO}
RESTORES = {CorrectionKind.RESTORE, CorrectionKind.REDO}
"""The corrections that take acts out of force, and those that bring them back."""
_STRIKES_OR_RESTORES = STRIKES | RESTORES


def in_force(log: Sequence[LogAct]) -> frozenset[int]:
    """The numbers of the acts in force."""
    return frozenset(act.number for act, counts in backwards(log) if counts)


def backwards(log: Sequence[LogAct]) -> Iterator[tuple[LogAct, bool]]:
    """The acts from the last to the first, each with whether it is in force.

    One in force takes what is before it out of force, or restores it.
    """
    struck: dict[int, bool] = {}
    for act in reversed(log):
        counts = not struck.get(act.number)
        if counts and isinstance(act, Correction) and act.kind in _STRIKES_OR_RESTORES:
            for target in act.targets:
                struck.setdefault(target, act.kind in STRIKES)
        yield act, counts


def rulings_when_placed(log: Sequence[LogAct]) -> dict[int, Ruling]:
    """The ruling of each entry when it was put at its place: entered there, or last shifted there.

    What a shift that is still being worked out moves has yet to be decided there, and is left out.
    """
    live = in_force(log)
    latest: dict[int, Ruling] = {}
    placed: dict[int, Ruling] = {}
    for act in log:
        latest.update(act.rulings)
        if isinstance(act, Entry):
            placed.update(act.rulings and {act.number: act.rulings[act.number]})
        elif act.kind is CorrectionKind.SHIFT and act.number in live:
            for target in act.targets:
                placed[target] = latest[target]
    if log and isinstance(log[-1], Correction) and log[-1].kind is CorrectionKind.SHIFT:
        return {number: ruling for number, ruling in placed.items() if number not in log[-1].targets}
    return placed


def struck_order(log: Sequence[LogAct]) -> tuple[int, ...]:
    """The acts out of force, the one struck last at the end."""
    live = in_force(log)
    order: list[int] = []
    for act in log:
        if isinstance(act, Correction) and act.kind in STRIKES and act.number in live:
            for target in act.targets:
                order = [number for number in order if number != target]
                order.append(target)
    return tuple(number for number in order if number not in live)


def is_undo(act: LogAct) -> bool:
    """Whether an act undoes or redoes others; no undo strikes it."""
    return isinstance(act, Correction) and act.kind in (CorrectionKind.UNDO, CorrectionKind.REDO)


@frozen
class Timeline:
    """A battle with its whole log.

    `play_order` holds the numbers of the entries in force; `rulings` the state of each; `aside` those of them
    that do not stand; `checkpoints` the battle before some places of the play order, the last one among them.
    The last two are no part of what timelines are compared by.
    """

    start: Battle
    battle: Battle
    log: Chain[LogAct] = Chain()
    play_order: Chain[int] = Chain()
    versions: Numbered[Version] = Numbered()
    rulings: Numbered[Ruling] = Numbered()
    aside: tuple[int, ...] = field(default=(), eq=False)
    checkpoints: Mapping[int, Battle] = field(factory=dict, eq=False)

    @property
    def next_number(self) -> int:
        return len(self.log) + 1

    def act(self, number: int) -> LogAct | None:
        """An act by its number, in force or not."""
        return self.log[number - 1] if 0 < number <= len(self.log) else None

    def battle_at(self, place: int) -> Battle:
        """The battle before the entry at a place of the script (its length: the battle now)."""
        if place >= len(self.play_order):
            return self.battle
        at, battle = self._last_asked[0]
        near = max((at for at in self.checkpoints if at <= place), default=0)
        if not near <= at <= place:
            at, battle = near, self.checkpoints.get(near, self.start)
        for number in self.play_order[at:place]:
            battle = apply(battle, number, self.rulings[number])
        self._last_asked[0] = place, battle
        return battle

    def place(self, number: int) -> int:
        """The place of an entry in force in the order of play; the latest are found at once."""
        order = self.play_order
        return len(order) - 1 - next(at for at, other in enumerate(reversed(order)) if other == number)

    @cached_property
    def _last_asked(self) -> list[tuple[int, Battle]]:
        """The place and the battle that were asked for last: who reads on asks for the next."""
        return [(0, self.start)]

    def in_state(self, state: State) -> tuple[int, ...]:
        """The entries in force that are parked, or spare, in the order of play."""
        return tuple(number for number in self.aside if self.rulings[number].state is state)

    @cached_property
    def in_force(self) -> frozenset[int]:
        """The numbers of all acts in force, corrections too."""
        return in_force(self.log)

    def counts(self, number: int) -> bool:
        """Whether an act is in force; found by those behind it alone."""
        return next((counts for act, counts in backwards(self.log) if act.number == number), False)

    @property
    def undoable(self) -> Iterator[LogAct]:
        """The acts that an undo may strike, the one that it strikes first ahead of the others."""
        return (act for act, counts in backwards(self.log) if counts and not is_undo(act))

    @cached_property
    def rulings_when_placed(self) -> Mapping[int, Ruling]:
        """The ruling of each entry when it was put at its place."""
        return rulings_when_placed(self.log)

    def with_act(self, act: LogAct) -> tuple[Sequence[int], Numbered[Version]]:
        """The script with one more act, and the version of each entry; builds them anew only if it must."""
        if isinstance(act, Correction) and act.kind is CorrectionKind.AMEND and act.version is not None:
            return self.play_order, self.versions.plus({act.targets[0]: act.version})
        if isinstance(act, Correction) and act.kind in STRIKES and self._are_entries(act.targets):
            return tuple(number for number in self.play_order if number not in act.targets), self.versions
        order, versions = structure((*self.log, act))
        return order, Numbered[Version]().plus(versions)

    def rulings_when_placed_with(self, act: LogAct) -> Mapping[int, Ruling]:
        """The ruling of each entry when it was put at its place, with one act more."""
        shifts = isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT
        kept = isinstance(act, Entry) or act.kind is CorrectionKind.AMEND or self._are_entries(act.targets)
        return self.rulings_when_placed if kept and not shifts else rulings_when_placed((*self.log, act))

    def _are_entries(self, numbers: tuple[int, ...]) -> bool:
        return all(isinstance(self.act(number), Entry) for number in numbers)


def apply(battle: Battle, number: int, ruling: Ruling) -> Battle:
    """The battle after an entry, by its ruling."""
    if ruling.state is not State.STANDS:
        return battle
    return fold(battle, ruling.decision.effects, number)


def opened(start: Battle, log: Sequence[LogAct]) -> Timeline:
    """The timeline of a log: read, not decided."""
    rulings: dict[int, Ruling] = {}
    for act in log:
        rulings.update(act.rulings)
    script, versions = structure(log)
    battle, checkpoints = start, {}
    for at, number in enumerate(script):
        if at % CHECKPOINT_EVERY == 0:
            checkpoints[at] = battle
        battle = apply(battle, number, rulings[number])
    numbered = Numbered[Version]().plus(versions), Numbered[Ruling]().plus(rulings)
    aside = not_standing(script, rulings)
    return Timeline(start, battle, as_chain(log), Chain(script), *numbered, aside, checkpoints)


def not_standing(numbers: Iterable[int], rulings: Mapping[int, Ruling]) -> tuple[int, ...]:
    """Those entries that are parked or spare: mostly few, or none."""
    return tuple([number for number in numbers if rulings[number].state is not State.STANDS])


def appended(timeline: Timeline, entry: Entry) -> Timeline:
    """The timeline with an entry at the end of play."""
    ruling = entry.rulings[entry.number]
    place = len(timeline.play_order)
    checkpoints = {**timeline.checkpoints, place: timeline.battle}
    if (place - 1) % CHECKPOINT_EVERY:
        checkpoints.pop(place - 1, None)
    return Timeline(
        timeline.start,
        apply(timeline.battle, entry.number, ruling),
        timeline.log.plus(entry),
        timeline.play_order.plus(entry.number),
        timeline.versions.plus({entry.number: entry.version}),
        timeline.rulings.plus(entry.rulings),
        (*timeline.aside, *not_standing((entry.number,), entry.rulings)),
        checkpoints,
    )


def structure(log: Sequence[LogAct]) -> tuple[tuple[int, ...], dict[int, Version]]:
    """The entries in force in the order of play, and the version of each that is played."""
    live = in_force(log)
    order, versions = _laid_out(log, live)
    return tuple(number for number in order if number in live), versions


def order_of_play(log: Sequence[LogAct]) -> tuple[int, ...]:
    """All entries in the order of play, those that are struck too: each where it would be."""
    return tuple(_laid_out(log, in_force(log))[0])


def _laid_out(log: Sequence[LogAct], live: frozenset[int]) -> tuple[list[int], dict[int, Version]]:
    """Every entry in the order of play, and the version of each that is played.

    Struck entries keep their places while the script is built, so that what comes behind them does not move.
    """
    order: list[int] = []
    anchors: dict[int, int] = {}
    versions: dict[int, Version] = {}
    for act in log:
        if isinstance(act, Entry):
            versions[act.number] = act.version
            if act.after is None:
                order.append(act.number)
            else:
                ahead_of = _phase_ends(act.version, versions) | {act.before}
                _place(order, anchors, (act.number,), act.after, ahead_of)
        elif act.number in live and act.kind is CorrectionKind.SHIFT:
            order = [number for number in order if number not in act.targets]
            _place(order, anchors, act.targets, act.after or 0)
            if act.version is not None:
                versions[act.targets[0]] = act.version
        elif act.number in live and act.kind is CorrectionKind.AMEND and act.version is not None:
            versions[act.targets[0]] = act.version
    return order, versions


def _phase_ends(version: Version, versions: Mapping[int, Version]) -> frozenset[int]:
    """The ends of phases that an answer comes before: all but the one that asked it; else none."""
    if not version.order.is_answer:
        return frozenset()
    asked_by = version.order.cause
    return frozenset(
        number for number, other in versions.items() if other.order.is_phase_end and number != asked_by
    )


def _place(
    order: list[int],
    anchors: dict[int, int],
    numbers: tuple[int, ...],
    after: int,
    ahead_of: AbstractSet[int | None] = frozenset(),
) -> None:
    """Puts entries behind another, and behind all that were put there before, but ahead of some."""
    at = order.index(after) + 1 if after in order else 0
    while at < len(order) and order[at] not in ahead_of and _hangs_on(order[at], after, anchors):
        at += 1
    order[at:at] = numbers
    for number in numbers:
        anchors[number] = after


def _hangs_on(number: int, after: int, anchors: Mapping[int, int]) -> bool:
    seen: set[int] = set()
    while number in anchors and number not in seen:
        seen.add(number)
        number = anchors[number]
        if number == after:
            return True
    return False
