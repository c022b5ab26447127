"""Worth, luck and rest as each phase ended, the turning point, and where the advantage moved most."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from qf_tui.analysis.values import LuckStep, PhaseEnd, ThrownDice, TurningPoint
from qf_tui.core.effects import Op
from qf_tui.core.timeline import Timeline


@frozen
class Stretch:
    """The entries of one phase, those that only end it not among them; `ended_by` is the entry that does."""

    turn: int
    phase: str
    steps: tuple[LuckStep, ...]
    ended_by: int


def stretches(timeline: Timeline, steps: Iterable[LuckStep]) -> tuple[Stretch, ...]:
    """The phases of a battle one after another; the last is ended by no entry: 0.

    An entry that ends a phase belongs to the one that it opens, with all that this one asks.
    """
    found = []
    turn, phase = timeline.start.turn, timeline.start.phase
    within: list[LuckStep] = []
    for step in steps:
        opened = _opened(timeline, step.entry)
        if opened is not None:
            found.append(Stretch(turn, phase, tuple(within), step.entry))
            (turn, phase), within = opened, []
        within.append(step)
    return (*found, Stretch(turn, phase, tuple(within), 0))


def _opened(timeline: Timeline, number: int) -> tuple[int, str] | None:
    """The turn and the phase that an entry opens."""
    for effect in reversed(timeline.rulings[number].decision.effects):
        if effect.op is Op.PHASE and isinstance(effect.value, tuple):
            return int(effect.value[0]), effect.field
    return None


def phase_ends(
    sides: Sequence[str], start: Sequence[float], every: Sequence[Stretch]
) -> tuple[PhaseEnd, ...]:
    """What each side was worth as each phase ended, and the luck and the rest so far."""
    found = []
    worth, luck, rest = tuple(start), 0.0, 0.0
    for stretch in every:
        for step in stretch.steps:
            worth, luck, rest = step.worth, luck + step.luck, rest + step.rest
        by_side = dict(zip(sides, worth, strict=True))
        found.append(PhaseEnd(stretch.turn, stretch.phase, stretch.ended_by, by_side, luck, rest))
    return tuple(found)


def turning_point(every: Sequence[Stretch]) -> TurningPoint | None:
    """The phase in which luck did most, and the throw that did, the first of equals; None without luck."""
    lucky = [(stretch, by_size(step.throw for step in stretch.steps)) for stretch in every]
    lucky = [(stretch, throws) for stretch, throws in lucky if throws]
    if not lucky:
        return None
    stretch, throws = max(lucky, key=lambda each: abs(_luck_of(each[1])))
    most = by_size(throws[0] for _, throws in lucky)[0]
    numbers = tuple(throw.entry for throw in throws)
    return TurningPoint(stretch.turn, stretch.phase, _luck_of(throws), numbers, most.entry)


def advantage_moved(timeline: Timeline, every: Sequence[Stretch]) -> tuple[int, str, float] | None:
    """The phase in which luck and all else moved the advantage most, but for ships that joined."""
    gains = ((one, sum(_moved(timeline, step) for step in one.steps)) for one in every)
    most, gained = max(gains, key=lambda each: abs(each[1]))
    return (most.turn, most.phase, gained) if gained else None


def _moved(timeline: Timeline, step: LuckStep) -> float:
    joins = any(effect.op is Op.JOIN for effect in timeline.rulings[step.entry].decision.effects)
    return step.luck + (0.0 if joins else step.rest)


def by_size(throws: Iterable[ThrownDice | None]) -> tuple[ThrownDice, ...]:
    """The throws that did anything, those that did most first."""
    return tuple(sorted((throw for throw in throws if throw and throw.luck), key=lambda t: -abs(t.luck or 0)))


def _luck_of(throws: Iterable[ThrownDice]) -> float:
    return sum(throw.luck or 0 for throw in throws)
