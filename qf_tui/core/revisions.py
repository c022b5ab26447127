"""Playing and correcting: an act worked out, not yet recorded, with its consequences.

Each entry that a correction may touch is decided on the battle as it would have stood. One whose decision is the
recorded one is kept. One that differs only because the rules have changed since keeps its record; what the
correction itself changes is re-read, parked or spare.
"""

from collections.abc import Mapping

from attrs import frozen

from qf_tui.core.acts import ANSWERS, Correction, Entry, LogAct, Ruling, State, Version
from qf_tui.core.charts import Charts
from qf_tui.core.corrections import read_correction
from qf_tui.core.decide import Throw, decide_fresh
from qf_tui.core.decisions import Decision
from qf_tui.core.effects import Effect, Op
from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.prepare import answered
from qf_tui.core.redecide import Redecided, Script, decide_on
from qf_tui.core.system import RuleSystem, Shape
from qf_tui.core.timeline import Timeline, appended, renumbered
from qf_tui.core.values import Battle, Owed, replace


@frozen
class Reread:
    """An entry that is told otherwise, in words; `same`: by other figures it comes to the same."""

    entry: int
    was: str
    now: str
    same: bool = False


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
    """A correction worked out, not yet recorded: its act, the timeline with it, and what it changes."""

    act: LogAct
    timeline: Timeline
    consequences: Consequences


def play(system: RuleSystem, timeline: Timeline, version: Version, throw: Throw | None = None) -> Revision:
    """A play order as it is entered now; the answer to what a correction asks goes where it belongs."""
    number = timeline.next_number
    answer = answered(system, timeline.battle, version)
    if answer is not None:
        after = _where_it_belongs(timeline, answer[1])
        if after is not None:
            return _revise(system, timeline, Entry(number, answer[0], after), throw)
    entered, ruling = decide_fresh(system, timeline.battle, number, version, throw)
    entry = Entry(number, entered, None, {number: ruling})
    return Revision(entry, appended(timeline, entry), Consequences())


def _where_it_belongs(timeline: Timeline, question: Owed) -> int | None:
    """The entry behind which a question is answered that came up only when play had gone on; None for any other.

    That is the entry that asks it; what a `next` asks before it ends the phase is answered before that `next`,
    unless the umpire forced it and so carried the question over.
    """
    script = timeline.play_order
    for place in reversed(range(len(script))):
        effects = timeline.rulings[script[place]].decision.effects
        carries = timeline.versions[script[place]].order == "next"
        asks = [_asks(effect, question.key, carries=carries) for effect in effects]
        if True not in asks:
            continue
        asked_by = _recorder(timeline, script[place])
        behind = script[place + 1 :]
        in_time = not question.late and all(number > asked_by for number in behind)
        in_time = in_time and not any(_is_held(timeline, number) for number in behind)
        if in_time and not _dice_wait(timeline, question, place):
            return None
        ends = [effect for effect in effects[asks.index(True) :] if effect.op is Op.PHASE]
        if not ends or timeline.versions[script[place]].forced:
            return script[place]
        return script[place - 1] if place else 0
    return None


def _dice_wait(timeline: Timeline, question: Owed, place: int) -> bool:
    """Whether spare answers of the same cause stand behind a place: they answer again what follows from this one."""
    return any(
        timeline.rulings[number].state is State.SPARE
        and timeline.versions[number].order.split()[1].partition("/")[0] == str(question.entry)
        for number in timeline.play_order[place + 1 :]
    )


def _asks(effect: Effect, key: str, *, carries: bool) -> bool:
    """Whether an effect asks the question; a `next` that only carries on what is late already does not."""
    if effect.op is not Op.OWE or not isinstance(effect.value, Owed) or effect.value.key != key:
        return False
    return not (carries and effect.value.late)


def _is_held(timeline: Timeline, number: int) -> bool:
    """Whether an entry is a `next` that an open question ahead of it would have held."""
    version = timeline.versions[number]
    return version.order == "next" and not version.forced


def _recorder(timeline: Timeline, number: int) -> int:
    """The act that recorded how an entry stands."""
    return next((act.number for act in reversed(timeline.log) if number in act.rulings), number)


def correct(
    system: RuleSystem,
    timeline: Timeline,
    text: str,
    throw: Throw | None = None,
    overlay: Charts | None = None,
) -> Revision:
    """A correction worked out from its text; OrderRefused if it cannot be."""
    asked = read_correction(system, timeline, text, overlay)
    act = _keyed(system, timeline, asked.act) if isinstance(asked.act, Entry) else asked.act
    return _revise(system, timeline, act, throw, kept_dice=asked.kept_dice)


def _keyed(system: RuleSystem, timeline: Timeline, entry: Entry) -> Entry:
    """An entry that is to be inserted; an answer with the key of what is owed there, by which it finds its place."""
    word, *rest = entry.version.order.split()
    version = replace(entry.version, order=" ".join([word.lower(), *rest]))
    if word.lower() not in ANSWERS or (rest and "/" in rest[0]):
        return replace(entry, version=version)
    script, _ = timeline.with_act(replace(entry, version=replace(version, order="note")))
    found = answered(system, timeline.battle_at(script.index(entry.number)), version)
    return replace(entry, version=found[0] if found else version)


def _revise(
    system: RuleSystem,
    timeline: Timeline,
    act: LogAct,
    throw: Throw | None,
    *,
    kept_dice: bool = False,
) -> Revision:
    """Works an act out: decides the entry that it brings, then every one behind it again."""
    script, versions = timeline.with_act(act)
    place = _first_difference(timeline, script, versions)
    rulings: dict[int, Ruling] = {}
    brought = act.number if isinstance(act, Entry) else act.targets[0]
    if act.version is not None:
        before = timeline.battle_at(place) if brought == _at(script, place) else None
        if before is None:
            raise OrderRefused(impossible(f"{brought} is not where it was expected"))
        entered, ruling = decide_fresh(
            system, before, brought, act.version, throw, kept_dice=kept_dice, early=True
        )
        act = _with_version(act, entered)
        rulings[brought] = ruling
        script, versions = timeline.with_act(act)
    decided = decide_on(system, timeline, act, Script(script, versions, place), rulings)
    act = renumbered(act, decided.changed)
    after = Timeline(
        timeline.start,
        decided.battle,
        (*timeline.log, act),
        script,
        versions,
        {**timeline.rulings, **act.rulings},
        decided.checkpoints,
    )
    return Revision(act, after, _consequences(system, timeline, after, decided, brought))


def _with_version(act: LogAct, version: Version) -> LogAct:
    if isinstance(act, Entry):
        return Entry(act.number, version, act.after)
    return Correction(act.number, act.kind, act.targets, version)


def _at(script: tuple[int, ...], place: int) -> int | None:
    return script[place] if place < len(script) else None


def _first_difference(timeline: Timeline, script: tuple[int, ...], versions: Mapping[int, Version]) -> int:
    """The first place at which another entry, or another version of it, is played."""
    for place, (old, new) in enumerate(zip(timeline.play_order, script, strict=False)):
        if old != new or timeline.versions[old] is not versions[new]:
            return place
    return min(len(timeline.play_order), len(script))


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
        Reread(number, was, now, _same_effects(before.rulings[number], ruling))
        for number, ruling in others.items()
        if ruling.state is State.STANDS and number in before.rulings
        if (was := in_words(before.rulings[number])) != (now := in_words(ruling))
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


def _same_effects(was: Ruling, now: Ruling) -> bool:
    return was.state is now.state and was.decision.effects == now.decision.effects


def in_words(ruling: Ruling | None) -> str:
    """How an entry stands, in one line."""
    if ruling is None:
        return ""
    if ruling.state is State.STANDS:
        return summary(ruling.decision)
    return f"{ruling.state.value}: {'; '.join(finding.text for finding in ruling.findings)}"


def summary(decision: Decision) -> str:
    """What a decision did, in one line."""
    return " · ".join(reason.text for reason in decision.reasons)


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
