"""A battle retold as a whole: the play order worked through slice by slice, and all that follows from it.

Slices may be worked anywhere, by anybody who has the same save, rules and worth; what is found is the same.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from qf_tui.analysis.phases import advantage_moved, phase_ends, stretches, turning_point
from qf_tui.analysis.pricing import price
from qf_tui.analysis.story import cells_of, counts_of, damage_of, deeds_of, losses_of, story_of, struck_throws
from qf_tui.analysis.throws import throws_of
from qf_tui.analysis.values import Analysis, LuckStep
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.worth import Worth

SLICE = 50
"""Entries in a slice."""

Run = Callable[[Sequence[range]], Iterable[tuple[LuckStep, ...]]]
"""Works slices, places of the play order each, and gives what `throws_of` finds of them, in their order."""


class Stopped(Exception):
    """The work was stopped before its end."""


def slices(timeline: Timeline, size: int = SLICE) -> tuple[range, ...]:
    """The play order in slices of that size or somewhat more: what is found within a phase helps its rest."""
    order = timeline.play_order
    cuts = [0]
    for place, number in enumerate(order):
        if place - cuts[-1] >= size and timeline.versions[number].order.is_phase_end:
            cuts.append(place)
    return tuple(range(*ends) for ends in pairwise((*cuts, len(order))) if order)


def analyse(
    system: RuleSystem,
    timeline: Timeline,
    worth: Worth | None = None,
    *,
    run: Run | None = None,
    goes_on: Callable[[int, int], bool] = lambda done, of: True,
) -> Analysis:
    """All that is found of a battle, by the worth of the rule system unless another is given.

    `run` works the slices, here one after another unless told. `goes_on` is asked behind each slice, with how
    many entries are done and of how many; Stopped where it says no.
    """
    weighed = worth or system.worth
    places = slices(timeline)
    steps: list[LuckStep] = []
    of = len(timeline.play_order)
    for found in (run or _here(system, timeline, weighed))(places):
        steps.extend(found)
        if not goes_on(len(steps), of):
            raise Stopped
    return gathered(system, timeline, weighed, steps)


def _here(system: RuleSystem, timeline: Timeline, worth: Worth) -> Run:
    return lambda places: (throws_of(system, worth, timeline, each) for each in places)


def gathered(system: RuleSystem, timeline: Timeline, worth: Worth, steps: Sequence[LuckStep]) -> Analysis:
    """All that follows from the steps of a battle."""
    start = price(system, worth, timeline.start)
    sides = tuple(start)
    throws = tuple(step.throw for step in steps if step.throw is not None)
    counts = counts_of(system, sides, throws)
    every = stretches(timeline, steps)
    return Analysis(
        sides=sides,
        start=start,
        throws=throws,
        counts=counts,
        damage=damage_of(system, sides, counts),
        phases=phase_ends(sides, tuple(start.values()), every),
        turning_point=turning_point(every),
        struck_throws=struck_throws(timeline),
        cells=cells_of(steps),
        story=story_of(system, timeline, throws),
        losses=losses_of(system, timeline, throws),
        deeds=deeds_of(system, throws),
        advantage_moved=advantage_moved(timeline, every) if len(sides) == 2 else None,
    )
