"""Revisions: an order or a correction worked out, not yet recorded, with what it changes.

Each entry that a correction may touch is decided on the battle as it would have been. One whose decision is the
recorded one is kept. One that differs only because the rules have changed since keeps its record; what the
correction itself changes is re-read, parked or spare.
"""

from collections.abc import Callable, Mapping

from attrs import evolve, frozen

from qf_tui.core.acts import Correction, Entry, LogAct, Ruling, State, Version
from qf_tui.core.builtin_forms import CORRECTIONS
from qf_tui.core.corrections import Asked, asked_by
from qf_tui.core.decide import Throw, decide_fresh
from qf_tui.core.effects import Effect, Op
from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.grammar.order import Order
from qf_tui.core.prepare import question_of
from qf_tui.core.redecide import Redecided, Replay, decide_on
from qf_tui.core.system import RuleSystem, Shape
from qf_tui.core.timeline import Timeline, appended, renumbered
from qf_tui.core.values import Battle, Owed


@frozen
class Reread:
    """An entry that is decided otherwise; `same`: by other figures it comes to the same."""

    entry: int
    was: Ruling
    now: Ruling

    @property
    def same(self) -> bool:
        return self.was.state is self.now.state and self.was.decision.effects == self.now.decision.effects


@frozen
class Change:
    """A value of a ship that differs before and after."""

    ship: str
    field: str
    before: Shape
    after: Shape


@frozen
class Consequences:
    """What a correction changes beyond the act itself."""

    kept: int = 0
    reread: tuple[Reread, ...] = ()
    parked: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    owed: tuple[Owed, ...] = ()
    changes: tuple[Change, ...] = ()
    table: tuple[tuple[str, str], ...] = ()
    rules_differ: tuple[int, ...] = ()


@frozen
class Revision:
    """An order or correction worked out: its act, the timelines without and with it, and what it changes.

    `dice_missing`: dice of its own are owed, which the console's dice could throw. `order` is what was asked for.
    """

    act: LogAct
    before: Timeline
    after: Timeline
    consequences: Consequences = Consequences()
    dice_missing: bool = False
    recorded: bool = False
    order: Order | None = None

    @property
    def number(self) -> int:
        return self.act.number

    @property
    def ruling(self) -> Ruling | None:
        """How the entry itself stands; None for a correction that brings no entry."""
        own = self.act.number if isinstance(self.act, Entry) else self.act.targets[0]
        return self.act.rulings.get(own)

    @property
    def owed(self) -> tuple[Owed, ...]:
        """The rolls and questions that this act brought up."""
        known = {owed.key for owed in self.before.battle.owed}
        return tuple(owed for owed in self.after.battle.owed if owed.key not in known)

    @property
    def unasked(self) -> tuple[Owed, ...]:
        """The rolls and questions that were owed before and are no longer."""
        known = {owed.key for owed in self.after.battle.owed}
        return tuple(owed for owed in self.before.battle.owed if owed.key not in known)


def work_out(
    system: RuleSystem,
    timeline: Timeline,
    order: Order,
    version_of: Callable[[Order], Version] = Version,
    throw: Throw | None = None,
) -> Revision:
    """An order or a correction worked out; OrderRefused if it cannot be.

    `version_of` adds to a play order what it reads from files. Without `throw` no dice are thrown.
    """
    if order.form not in CORRECTIONS:
        return _play(system, timeline, version_of(order), throw)
    brought = order.order("order")
    asked = asked_by(timeline, order, version_of(brought) if brought else None)
    return _revise(system, timeline, asked, throw)


def _play(system: RuleSystem, timeline: Timeline, version: Version, throw: Throw | None) -> Revision:
    """A play order as it is entered now; the answer to what a correction asks goes where it belongs."""
    number = timeline.next_number
    if version.order.is_answer:
        question = question_of(timeline.battle, version.order)
        after = _where_it_belongs(timeline, question)
        version = evolve(version, order=version.order.with_slot("key", question.key))
        if after is not None:
            return _revise(system, timeline, Asked(Entry(number, version, after)), throw)
    entered, ruling = decide_fresh(system, timeline.battle, number, version, throw)
    entry = Entry(number, entered, None, {number: ruling})
    return Revision(entry, timeline, appended(timeline, entry), dice_missing=_owes_dice(entered, ruling))


def _owes_dice(version: Version, ruling: Ruling) -> bool:
    """Whether an entry was declared, its own dice owed."""
    owed = (effect.value for effect in ruling.decision.effects if effect.op is Op.OWE)
    return any(isinstance(one, Owed) and one.dice and one.order == version.order.bare for one in owed)


def _where_it_belongs(timeline: Timeline, question: Owed) -> int | None:
    """The entry behind which a question is answered that came up only when play had gone on; None for any other.

    That is the entry that asks it; what a `next` asks before it ends the phase is answered before that `next`,
    unless the umpire forced it and so carried the question over.
    """
    order = timeline.play_order
    for place in reversed(range(len(order))):
        effects = timeline.rulings[order[place]].decision.effects
        version = timeline.versions[order[place]]
        asks = [_asks(effect, question.key, carries=version.order.is_phase_end) for effect in effects]
        if True not in asks:
            continue
        asked_by = _recorder(timeline, order[place])
        behind = order[place + 1 :]
        in_time = not question.late and all(number > asked_by for number in behind)
        in_time = in_time and not any(_ends(timeline.versions[number]) for number in behind)
        if in_time and not _dice_wait(timeline, question, place):
            return None
        ends = [effect for effect in effects[asks.index(True) :] if effect.op is Op.PHASE]
        if not ends or version.forced:
            return order[place]
        return order[place - 1] if place else 0
    return None


def _ends(version: Version) -> bool:
    """Whether an entry is a `next` that an open question ahead of it would have held."""
    return version.order.is_phase_end and not version.forced


def _dice_wait(timeline: Timeline, question: Owed, place: int) -> bool:
    """Whether spare answers of the same cause stand behind a place: they answer again what follows from this one."""
    return any(
        timeline.rulings[number].state is State.SPARE
        and timeline.versions[number].order.cause == question.entry
        for number in timeline.play_order[place + 1 :]
    )


def _asks(effect: Effect, key: str, *, carries: bool) -> bool:
    """Whether an effect asks the question; a `next` that only carries on what is late already does not."""
    if effect.op is not Op.OWE or not isinstance(effect.value, Owed) or effect.value.key != key:
        return False
    return not (carries and effect.value.late)


def _recorder(timeline: Timeline, number: int) -> int:
    """The act that recorded how an entry stands."""
    return next((act.number for act in reversed(timeline.log) if number in act.rulings), number)


def _revise(system: RuleSystem, timeline: Timeline, asked: Asked, throw: Throw | None) -> Revision:
    """Works an act out: decides the entry that it brings, then every one behind it again."""
    act = asked.act
    order, versions = timeline.with_act(act)
    place = _first_difference(timeline, order, versions)
    rulings: dict[int, Ruling] = {}
    brought = act.number if isinstance(act, Entry) else act.targets[0]
    missing = False
    if act.version is not None:
        if _at(order, place) != brought:
            raise OrderRefused(impossible(f"{brought} is not where it was expected"))
        entered, ruling = decide_fresh(
            system,
            timeline.battle_at(place),
            brought,
            act.version,
            throw,
            kept_dice=asked.kept_dice,
            typed=asked.typed,
            early=True,
        )
        act, missing = _with_version(act, entered), _owes_dice(entered, ruling)
        rulings[brought] = ruling
        order, versions = timeline.with_act(act)
    decided = decide_on(system, timeline, act, Replay(order, versions, place), rulings)
    act = renumbered(act, decided.changed)
    after = Timeline(
        timeline.start,
        decided.battle,
        (*timeline.log, act),
        order,
        versions,
        {**timeline.rulings, **act.rulings},
        decided.checkpoints,
    )
    found = _consequences(system, timeline, after, decided, brought)
    return Revision(act, timeline, after, found, missing)


def _with_version(act: LogAct, version: Version) -> LogAct:
    if isinstance(act, Entry):
        return Entry(act.number, version, act.after)
    return Correction(act.number, act.kind, act.targets, version)


def _at(order: tuple[int, ...], place: int) -> int | None:
    return order[place] if place < len(order) else None


def _first_difference(timeline: Timeline, order: tuple[int, ...], versions: Mapping[int, Version]) -> int:
    """The first place at which another entry, or another version of it, is played."""
    for place, (old, new) in enumerate(zip(timeline.play_order, order, strict=False)):
        if old != new or timeline.versions[old] is not versions[new]:
            return place
    return min(len(timeline.play_order), len(order))


def _consequences(
    system: RuleSystem,
    before: Timeline,
    after: Timeline,
    decided: Redecided,
    brought: int,
) -> Consequences:
    """What stands otherwise, the entry itself left aside."""
    others = {number: ruling for number, ruling in decided.changed.items() if number != brought}
    reread = tuple(
        Reread(number, before.rulings[number], ruling)
        for number, ruling in others.items()
        if ruling.state is State.STANDS and number in before.rulings
        if _reads_otherwise(before.rulings[number], ruling)
    )
    known = {owed.key for owed in before.battle.owed}
    return Consequences(
        decided.kept,
        reread,
        tuple(number for number, ruling in others.items() if ruling.state is State.PARKED),
        tuple(number for number, ruling in others.items() if ruling.state is State.SPARE),
        tuple(owed for owed in after.battle.owed if owed.key not in known),
        differences(system, before.battle, after.battle),
        system.on_table(before.battle, after.battle),
        decided.rules_differ,
    )


def _reads_otherwise(was: Ruling, now: Ruling) -> bool:
    """Whether an entry that counts now did not before, or gives other reasons."""
    return was.state is not now.state or was.decision.reasons != now.decision.reasons


def differences(system: RuleSystem, before: Battle, after: Battle) -> tuple[Change, ...]:
    """Every value of every ship that differs between two battles."""
    found = []
    for id in {**before.ships, **after.ships}:
        old, new = before.ships.get(id), after.ships.get(id)
        if old == new and before.turn == after.turn:
            continue
        was = system.report(before, old) if old else {}
        now = system.report(after, new) if new else {}
        for name in {**was, **now}:
            if was.get(name) != now.get(name):
                found.append(Change(id, name, was.get(name), now.get(name)))
    return tuple(found)
