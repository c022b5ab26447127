"""The throws of a battle, each with all that it could have been: its results and its luck; and the rest.

A throw's luck is what the sides are worth behind the faces thrown less the mean over all faces. It and the
rest are worked out apart: that is the mean less what they were worth before; without dice the whole change.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.analysis.distribution import NOTHING, Distribution, of_chances
from qf_tui.analysis.lookups import Notebook, deciding, left_open
from qf_tui.analysis.pricing import Pricer, Values
from qf_tui.analysis.thrower import Thrower, Throws, every_throw, thrower_of
from qf_tui.analysis.values import Cells, LeftOut, LuckStep, ThrownDice
from qf_tui.core.acts import State, Version
from qf_tui.core.charts import Provenance
from qf_tui.core.decide import begin, carry_out, follow, may_be_early, with_usable_dice
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Effect
from qf_tui.core.errors import OrderRefused
from qf_tui.core.odds import Weight
from qf_tui.core.prepare import PreparedEntry, prepare_entry
from qf_tui.core.results import ResultKind
from qf_tui.core.system import Faces, RuleSystem
from qf_tui.core.timeline import Timeline, apply
from qf_tui.core.values import Battle, Owed, replace
from qf_tui.core.worth import Worth


@frozen
class Branch:
    """A throw that could be: its weight, all its faces, its results, what each side is worth behind it."""

    weight: Weight
    faces: Faces
    results: int
    worth: Values


def branches(
    system: RuleSystem,
    pricer: Pricer,
    battle: Battle,
    number: int,
    entry: PreparedEntry,
    kind: ResultKind | None = None,
) -> Iterator[Branch] | None:
    """All throws of an entry from the faces that were there before it; None where there are too many."""
    every = every_throw(entry)
    return (
        None if every is None else _branches(system, pricer, begun(battle, number, entry), entry, every, kind)
    )


def _branches(
    system: RuleSystem,
    pricer: Pricer,
    onto: DecisionBuilder,
    entry: PreparedEntry,
    every: Throws,
    kind: ResultKind | None,
) -> Iterator[Branch]:
    for weight, faces in every:
        builder = decided(system, onto, entry, faces)
        results = kind.counted(builder.outcome) if kind is not None else 0
        yield Branch(weight, faces, results, pricer.values(builder.battle))


def begun(battle: Battle, number: int, entry: PreparedEntry) -> DecisionBuilder:
    """What an entry does before its dice."""
    builder = DecisionBuilder(battle, number)
    begin(builder, entry)
    return builder


def decided(system: RuleSystem, onto: DecisionBuilder, entry: PreparedEntry, faces: Faces) -> DecisionBuilder:
    """What an entry does by some faces, behind what it does by all."""
    builder = onto.fork()
    carry_out(system, builder, entry, faces)
    follow(system, builder)
    return builder


SAME = 1e-9
"""Worths that differ by less are the same."""


def throws_of(
    system: RuleSystem, worth: Worth, timeline: Timeline, places: Sequence[int]
) -> tuple[LuckStep, ...]:
    """What the entries at some places of the play order did; parked and spare ones did nothing.

    `places` follow one another. What is found of an entry does not hang on which others are asked for.
    """
    return tuple(_Walk(system, worth, timeline).steps(places))


def advantage(values: Sequence[float]) -> float:
    """What the first side is worth less the second; where there is no second, the first alone."""
    return sum(values[:1]) - sum(values[1:2])


@frozen
class _Found:
    """What all faces of a throw come to: the mean advantage, the results; or why it has no luck."""

    mean: float = 0.0
    chances: Distribution = NOTHING
    results: int = 0
    as_far: Fraction | None = None
    left_out: LeftOut | None = None


class _Walk:
    """Goes through a timeline entry by entry, its battles folded from the record."""

    def __init__(self, system: RuleSystem, worth: Worth, timeline: Timeline) -> None:
        self.system = system
        self.timeline = timeline
        self.pricer = Pricer(system, worth)
        self.notebook = Notebook()

    def steps(self, places: Sequence[int]) -> Iterator[LuckStep]:
        if not places:
            return
        timeline = self.timeline
        battle = timeline.battle_at(places[0])
        self.pricer.remember(battle)
        before = self.pricer.values(battle)
        for place in places:
            number = timeline.play_order[place]
            after = apply(battle, number, timeline.rulings[number])
            values = before if after is battle else self.pricer.values(after)
            yield evolve(self._step(battle, number, before, values), cells=self._cells(battle, number))
            if after is not battle:
                battle, before = after, values
                self.pricer.remember(battle)

    def _cells(self, battle: Battle, number: int) -> Cells:
        """The cells of the charts that decide an entry."""
        version, placed = self.timeline.versions[number], self.timeline.rulings_when_placed.get(number)
        _, lookups = self.notebook.decide(self.system, battle, number, version, placed)
        standing = [cell.status for _, cell in deciding(battle.charts, lookups)]
        return Cells(len(standing), standing.count(Provenance.RECONSTRUCTED))

    def _step(self, battle: Battle, number: int, before: Values, after: Values) -> LuckStep:
        version, ruling = self.timeline.versions[number], self.timeline.rulings[number]
        was, stands = advantage(before), advantage(after)
        plain = LuckStep(number, after, 0.0, stands - was)
        if ruling.state is not State.STANDS:
            return plain
        if not version.dice:
            return evolve(plain, throw=self._read_out(battle, number, version))
        entry = self._prepared(battle, number, version)
        ready = entry if isinstance(entry, PreparedEntry) else None
        if ready is not None and not ready.order.dice:
            return plain
        who = thrower_of(self.system, self.timeline, battle, version.order, ready)
        found = (
            _Found(left_out=entry) if isinstance(entry, LeftOut) else self._found(battle, number, entry, who)
        )
        throw = _throw(battle, number, version if ready is None else replace(version, order=ready.order), who)
        if (ready is not None and ready.missing) or left_open(ruling):
            throw = evolve(throw, kind="")
        throw = evolve(
            throw,
            results=found.results,
            chances=found.chances,
            as_far=found.as_far,
            left_out=found.left_out,
        )
        if found.left_out is not None:
            return evolve(plain, throw=throw)
        luck = stands - found.mean
        return LuckStep(number, after, luck, found.mean - was, evolve(throw, luck=luck))

    def _read_out(self, battle: Battle, number: int, version: Version) -> ThrownDice | None:
        """The throw that was held up by the cell that an answer reads out; None where it is held up again."""
        question = battle.question(version.order.key) if version.order.is_answer else None
        ruling = self.timeline.rulings[number]
        if question is None or not (question.cell and question.faces) or left_open(ruling):
            return None
        entry = self._prepared(battle, number, version)
        ready = entry if isinstance(entry, PreparedEntry) else None
        who = thrower_of(self.system, self.timeline, battle, version.order, ready)
        throw = _throw(battle, number, version, who)
        results = who.kind.counted(dict(ruling.decision.outcome)) if who.kind is not None else 0
        return evolve(throw, dice=question.faces, results=results, left_out=LeftOut.READ_OUT)

    def _prepared(self, battle: Battle, number: int, version: Version) -> PreparedEntry | LeftOut:
        """An entry prepared as it was when it was decided, with the dice that it can use."""
        placed = self.timeline.rulings_when_placed.get(number)
        early = may_be_early(battle, version.order, placed)
        try:
            entry = prepare_entry(self.system, battle, version, early=early)
        except OrderRefused:
            return LeftOut.FORCED
        try:
            return with_usable_dice(entry, version)
        except OrderRefused:
            return LeftOut.JUDGED_OTHERWISE

    def _found(self, battle: Battle, number: int, entry: PreparedEntry, who: Thrower) -> _Found:
        """What an entry's dice could have come to."""
        ruling = self.timeline.rulings[number]
        thrown = decided(self.system, begun(battle, number, entry), entry, entry.faces)
        if not _alike(thrown.decision().effects, ruling.decision.effects):
            return _Found(left_out=LeftOut.JUDGED_OTHERWISE)
        kind = None if entry.missing else who.kind
        found = branches(self.system, self.pricer, battle, number, entry, kind)
        if found is None:
            return _Found(left_out=LeftOut.TOO_MANY_DICE)
        mean, ways = 0.0, dict[tuple[int, int], int]()
        brought = []
        for branch in found:
            (count, of), value = branch.weight, advantage(branch.worth)
            mean += count / of * value
            brought.append((branch.weight, value))
            ways[branch.results, of] = ways.get((branch.results, of), 0) + count
        as_far = _as_far(brought, mean, advantage(self.pricer.values(thrown.battle)))
        if kind is None:
            return _Found(mean, as_far=as_far)
        return _Found(mean, _distribution(ways), kind.counted(thrown.outcome), as_far)


def _as_far(brought: Sequence[tuple[Weight, float]], mean: float, thrown: float) -> Fraction:
    """How often as many dice bring as much as was thrown, or more, to the same side of the mean."""
    least, sign = abs(thrown - mean) - SAME, 1 if thrown >= mean else -1
    ways: dict[int, int] = {}
    for (count, of), value in brought:
        if (value - mean) * sign >= least:
            ways[of] = ways.get(of, 0) + count
    return sum((Fraction(count, of) for of, count in ways.items()), Fraction(0))


def _distribution(ways: Mapping[tuple[int, int], int]) -> Distribution:
    """The distribution of results, by their ways of so many."""
    chances: dict[int, Fraction] = {}
    for (results, of), count in ways.items():
        chances[results] = chances.get(results, Fraction(0)) + Fraction(count, of)
    return of_chances(chances)


def _throw(battle: Battle, number: int, version: Version, who: Thrower) -> ThrownDice:
    """A throw with nothing found yet."""
    return ThrownDice(
        entry=number,
        turn=battle.turn,
        phase=battle.phase,
        side=who.side(battle),
        ship=who.ship,
        target=who.target,
        line=who.line,
        kind=who.kind.name if who.kind is not None else "",
        dice=version.dice,
        by_console=version.thrown,
    )


def _alike(one: tuple[Effect, ...], other: tuple[Effect, ...]) -> bool:
    """Whether effects are the same but for what people are asked in words."""
    return one == other or tuple(map(_unasked, one)) == tuple(map(_unasked, other))


def _unasked(effect: Effect) -> Effect:
    owed = effect.value
    return evolve(effect, value=evolve(owed, prompt="")) if isinstance(owed, Owed) else effect
