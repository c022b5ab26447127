"""Revisions: an order or a correction worked out, not yet recorded, with what it changes.

Each entry that a correction may touch is decided on the battle as it would have been. One whose decision is
the recorded one is kept. One that differs only because the rules have changed since keeps its record; what
the correction itself changes is re-read, parked or spare.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from attrs import evolve, frozen

from qf_tui.core.acts import Correction, CorrectionKind, Entry, LogAct, Ruling, State, Version
from qf_tui.core.builtin_forms import CORRECTIONS
from qf_tui.core.builtin_orders import what_holds
from qf_tui.core.corrections import AskedCorrection, asked_by
from qf_tui.core.decide import DiceOf, ThrowDie, decide_fresh, may_be_early, play_again
from qf_tui.core.effects import Op
from qf_tui.core.errors import Finding, OrderRefused, impossible
from qf_tui.core.grammar.order import Order
from qf_tui.core.late_answers import late_answer
from qf_tui.core.numbered import as_chain
from qf_tui.core.prepare import question_of
from qf_tui.core.redecide import Redecided, Replay, decide_on
from qf_tui.core.schedule import asked_for
from qf_tui.core.sealed_dice import SealedDice
from qf_tui.core.sealed_throws import SealedTable
from qf_tui.core.system import RuleSystem, Shape
from qf_tui.core.timeline import Timeline, appended, not_standing, renumbered
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
class ValueChange:
    """A value of a ship that differs before and after an entry or a correction.

    `before` and `after` are as a rule system reports them, or as a log shows them.
    """

    ship: str
    field: str
    before: Shape | tuple[str, ...]
    after: Shape | tuple[str, ...]


@frozen
class Consequences:
    """What a correction changes beyond the act itself."""

    kept: int = 0
    reread: tuple[Reread, ...] = ()
    parked: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    owed: tuple[Owed, ...] = ()
    changes: tuple[ValueChange, ...] = ()
    table: tuple[tuple[str, str], ...] = ()
    rules_differ: tuple[int, ...] = ()


def consequences_of(
    system: RuleSystem, before: Timeline, after: Timeline, decided: Redecided, entered: int | None
) -> Consequences:
    """What stands otherwise; `entered` is the entry whose order the act brings: what it does is not told."""
    reread = tuple(
        Reread(number, before.rulings[number], ruling)
        for number, ruling in decided.changed.items()
        if ruling.state is State.STANDS and number in before.rulings and number != entered
        if _reads_otherwise(before.rulings[number], ruling)
    )
    known = {owed.key for owed in before.battle.owed}
    return Consequences(
        decided.kept,
        reread,
        _newly(State.PARKED, before, after, decided),
        _newly(State.SPARE, before, after, decided),
        tuple(owed for owed in after.battle.owed if owed.key not in known),
        differences(system, before.battle, after.battle),
        system.on_table(before.battle, after.battle),
        decided.rules_differ,
    )


def _newly(state: State, before: Timeline, after: Timeline, decided: Redecided) -> tuple[int, ...]:
    """The entries in a state that were not, or were for another reason; those that come back in it too."""
    known = set(before.in_state(state)) - decided.changed.keys()
    return tuple(number for number in after.in_state(state) if number not in known)


def _reads_otherwise(was: Ruling, now: Ruling) -> bool:
    """Whether an entry that counts now did not before, or gives other reasons."""
    return was.state is not now.state or was.decision.reasons != now.decision.reasons


def differences(system: RuleSystem, before: Battle, after: Battle) -> tuple[ValueChange, ...]:
    """Every value of every ship that differs between two battles."""
    found: list[ValueChange] = []
    for id in {**before.ships, **after.ships}:
        old, new = before.ships.get(id), after.ships.get(id)
        if old == new and before.turn == after.turn:
            continue
        was = system.report(before, old) if old else {}
        now = system.report(after, new) if new else {}
        found += [
            ValueChange(id, name, was.get(name), now.get(name))
            for name in {**was, **now}
            if was.get(name) != now.get(name)
        ]
    return tuple(found)


Decide = Callable[..., tuple[Version, Ruling]]
"""`decide_fresh`, with whose dice it throws."""


@frozen
class Revision:
    """An order or correction worked out: its act, the timelines without and with it, and what it changes.

    `dice_missing`: dice of its own are owed, which the console's dice could throw. `order` is what was asked
    for.
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
        return self.act.rulings.get(_brought(self.act))

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
    throw: ThrowDie | None = None,
    sealed: SealedDice | None = None,
) -> Revision:
    """An order or a correction worked out; OrderRefused if it cannot be.

    `version_of` adds to a play order what it reads from files. Without `throw` no dice are thrown; `sealed`
    dice are where the order has a call.
    """
    decide = partial(decide_fresh, throw=throw, sealed=SealedTable(sealed, timeline) if sealed else None)
    if order.form not in CORRECTIONS:
        return _play(system, timeline, version_of(order), decide)
    brought = order.order("order")
    asked = asked_by(timeline, order, version_of(brought) if brought else None)
    return _revise(system, timeline, asked, decide)


def _play(system: RuleSystem, timeline: Timeline, version: Version, decide: Decide) -> Revision:
    """A play order as it is entered now; the answer to what a correction asks goes where it belongs."""
    number, order = timeline.next_number, version.order
    question = question_of(timeline.battle, order) if order.is_answer else asked_for(timeline.battle, order)
    if question is not None:
        if order.is_answer:
            version = evolve(version, order=order.with_slot("key", question.key))
        late = late_answer(system, timeline, version, question)
        if late is not None:
            return _revise(system, timeline, AskedCorrection(late), decide)
    entered, ruling = decide(system, timeline.battle, number, version)
    entry = Entry(number, entered, None, {number: ruling})
    return Revision(entry, timeline, appended(timeline, entry), dice_missing=_owes_dice(entered, ruling))


def replayed(system: RuleSystem, timeline: Timeline, act: LogAct) -> Timeline:
    """The timeline with an act as it was once recorded, everything that it rules on decided by today's rules.

    An order that they refuse is parked. The act must be the next of the log and stand in it as acts do.
    """
    act = evolve(act, rulings={})
    shifts = isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT
    if act.version is None or shifts:
        return _played_with(system, timeline, act, {})[0]
    brought = _brought(act)
    plain = isinstance(act, Entry) and act.after is None
    replay = _replay(timeline, act)
    if brought not in replay.numbers:
        return _played_with(system, timeline, act, {})[0]
    there = timeline.battle if plain else timeline.battle_at(replay.numbers.index(brought))
    placed = None if plain else timeline.rulings_when_placed.get(brought)
    early = not plain and may_be_early(there, act.version.order, placed)
    whose = DiceOf.ENTRY if plain else DiceOf.AMENDMENT
    try:
        _, ruling = decide_fresh(system, there, brought, act.version, dice=whose, early=early)
    except OrderRefused:
        ruling, _ = play_again(system, there, brought, act.version, placed)
    if plain and isinstance(act, Entry):
        return appended(timeline, evolve(act, rulings={brought: ruling}))
    return _played_with(system, timeline, act, {brought: ruling})[0]


def _owes_dice(version: Version, ruling: Ruling) -> bool:
    """Whether an entry was declared, its own dice owed."""
    owed = (effect.value for effect in ruling.decision.effects if effect.op is Op.OWE)
    return any(isinstance(one, Owed) and one.dice and one.order == version.order.bare for one in owed)


def _revise(system: RuleSystem, timeline: Timeline, asked: AskedCorrection, decide: Decide) -> Revision:
    """Works an act out: decides the entry that it brings, then every one behind it again."""
    act, missing = asked.act, False
    given: dict[int, Ruling] = {}
    entered = act.version is not None
    brought = _brought(act)
    if act.version is not None:
        version, ruling = _decided_there(system, timeline, asked, act.version, decide)
        act, missing = evolve(act, version=version), _owes_dice(version, ruling)
        given[brought] = ruling
    after, decided = _played_with(system, timeline, act, given)
    if isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT:
        findings = _refused_there(after, brought, f"shift {brought} after {act.after} force")
        if findings:
            act = evolve(act, version=_forced_there(timeline.versions[brought], findings, asked))
            after, decided = _played_with(system, timeline, act, given)
    found = consequences_of(system, timeline, after, decided, brought if entered else None)
    return Revision(after.log[-1], timeline, after, found, missing)


def _played_with(
    system: RuleSystem, timeline: Timeline, act: LogAct, given: Mapping[int, Ruling]
) -> tuple[Timeline, Redecided]:
    """The timeline with an act, whose rulings are told with it; `given` are those that are known already."""
    replay = _replay(timeline, act)
    decided = decide_on(system, timeline, act, replay, given)
    act = renumbered(act, decided.changed)
    rulings = timeline.rulings.plus(act.rulings)
    after = Timeline(
        timeline.start,
        decided.battle,
        timeline.log.plus(act),
        as_chain(replay.numbers),
        replay.versions,
        rulings,
        not_standing(replay.numbers, rulings),
        decided.checkpoints,
    )
    return after, decided


def _replay(timeline: Timeline, act: LogAct) -> Replay:
    """What is played with an act, from the first place at which it is not what was played."""
    order, versions = timeline.with_act(act)
    was = timeline.play_order
    if isinstance(act, Correction) and (order is was or versions is timeline.versions):
        # An entry in another version, or some struck: all else is as it was, and need not be compared.
        return Replay(order, versions, min(was.index(one) for one in act.targets if one in was))
    return Replay(order, versions, _first_difference(timeline, order, versions))


def _brought(act: LogAct) -> int:
    """The entry that an act brings or is about."""
    return act.number if isinstance(act, Entry) else act.targets[0]


def _decided_there(
    system: RuleSystem, timeline: Timeline, asked: AskedCorrection, version: Version, decide: Decide
) -> tuple[Version, Ruling]:
    """The order that an act brings, decided where it will stand; OrderRefused if it cannot be."""
    replay, brought = _replay(timeline, asked.act), _brought(asked.act)
    if _at(replay.numbers, replay.place) != brought:
        raise OrderRefused(impossible(f"{brought} is not where it was expected"))
    there = timeline.battle_at(replay.place)
    early = may_be_early(there, version.order, timeline.rulings_when_placed.get(brought))
    return decide(system, there, brought, version, dice=asked.dice, early=early)


def _refused_there(timeline: Timeline, number: int, force: str) -> tuple[Finding, ...]:
    """What stands against an entry at its place; against a `next` what is owed there, but for `force`."""
    if timeline.rulings[number].state is not State.STANDS:
        return timeline.rulings[number].findings
    order = timeline.versions[number].order
    if not order.is_phase_end or order.forced:
        return ()
    return what_holds(timeline.battle_at(timeline.play_order.index(number)), force)


def _forced_there(version: Version, findings: tuple[Finding, ...], asked: AskedCorrection) -> Version:
    """An entry that its new place refuses, forced; OrderRefused if it is not to be, or cannot be."""
    if not asked.forced or any(not finding.refused for finding in findings):
        raise OrderRefused(*sorted(findings, key=lambda finding: finding.refused))
    overrode = (*version.overrode, *(finding.clause for finding in findings))
    return evolve(version, order=evolve(version.order, forced=True), overrode=overrode)


def _at(order: Sequence[int], place: int) -> int | None:
    return order[place] if place < len(order) else None


def _first_difference(timeline: Timeline, order: Sequence[int], versions: Mapping[int, Version]) -> int:
    """The first place at which another entry, or another version of it, is played."""
    for place, (old, new) in enumerate(zip(timeline.play_order, order, strict=False)):
        if old != new or timeline.versions[old] is not versions[new]:
            return place
    return min(len(timeline.play_order), len(order))
