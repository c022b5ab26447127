"""What would make a battle even: one lever at a time, searched, then tried again with fresh seeds."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.simulation.attacks import called, printed
from qf_tui.simulation.executor import Run
from qf_tui.simulation.job import Variant
from qf_tui.simulation.simulate import Progress, Question, SimulationResult, simulate
from qf_tui.simulation.tally import Interval, summed

SEARCHED = 50
"""Battles of each pair of doctrines by which a step of a lever is judged in the search."""
GLANCED, NEAREST = 12, 3
"""Battles by which each step is looked at that has no order, and how many of those are searched."""
HALF = 0.03
"""Half of six points, the widest interval by which a score is called even."""
ENOUGH = 1100
"""Battles of all doctrines after which it is no wider, whatever the score."""
STRETCHES = (0.25, 0.5, 0.75, 1.25, 1.5, 2.0)
POINTS = (1, 2, 3, 4, 6, 8, 12)
"""Repair points more that are tried, for each ship."""
EVEN = 0.5


@frozen
class LeverStep:
    """One position of a lever, in words, and what it changes."""

    says: str
    variant: Variant


@frozen
class Lever:
    """One thing that may be changed; the steps of an `ordered` one help a side more and more."""

    name: str
    steps: tuple[LeverStep, ...]
    ordered: bool = True


@frozen
class Tried:
    """The best step of a lever: what the first side scores by it, a draw half, and again with fresh seeds.

    `spread` is its score by the doctrines by which it is least and most. `even`: both intervals are no wider
    than six points and hold an even score. `helps`: it is nearer to one than as it is, and not by chance.
    """

    lever: str
    step: LeverStep
    score: Interval
    again: Interval | None
    spread: tuple[float, float]
    even: bool
    helps: bool


AS_IT_IS = LeverStep("as it is", Variant())


def levers(system: RuleSystem, start: Battle, stronger: str) -> Iterator[Lever]:
    """What may be changed of a battle in which one side is the stronger."""
    strong = [ship for ship in start.ships.values() if ship.side == stronger]
    weak = [ship for ship in start.ships.values() if ship.side != stronger and not ship.ashore]
    fewer = (
        LeverStep(
            f"without {_names(strong[-count:])}", Variant(without=tuple(one.id for one in strong[-count:]))
        )
        for count in range(1, len(strong))
    )
    more = (
        LeverStep(
            f"a sister beside {_names(weak[:count])}", Variant(twice=tuple(one.id for one in weak[:count]))
        )
        for count in range(1, len(weak) + 1)
    )
    yield Lever("fewer ships", tuple(fewer))
    yield Lever("more ships", tuple(more))
    yield from _points(system, start, strong, weak)
    stretched = (LeverStep(f"ranges × {by:g}", Variant(stretch=by)) for by in STRETCHES)
    yield Lever("ranges", tuple(stretched), ordered=False)
    switches = (
        LeverStep(f"{option.name} = {value}", Variant(options=((option.name, value),)))
        for option in system.options
        for value in option.values
        if value != start.options.get(option.name, option.default)
    )
    yield Lever("a switch", tuple(switches), ordered=False)


def _points(
    system: RuleSystem, start: Battle, strong: Sequence[Ship], weak: Sequence[Ship]
) -> Iterator[Lever]:
    """Repair points, where the rules know any: fewer for the stronger, more for the weaker."""
    most = max((printed(system, ship) for ship in strong), default=0)
    yield Lever(f"fewer {called(system)}", _by_points(start, strong, [-less for less in range(1, most + 1)]))
    mending = [ship for ship in weak if printed(system, ship)]
    yield Lever(f"more {called(system)}", _by_points(start, mending, POINTS))


def _by_points(start: Battle, ships: Sequence[Ship], counts: Sequence[int]) -> tuple[LeverStep, ...]:
    """Steps that give each ship of a side so many more."""
    side = start.side(ships[0].side) if ships else None
    return tuple(
        LeverStep(
            f"{abs(count)} {'more' if count > 0 else 'fewer'} for each ship of {side.name}",
            Variant(points=((side.id, count),)),
        )
        for count in counts
        if side is not None
    )


def _names(ships: Sequence[Ship]) -> str:
    return ", ".join(ship.name for ship in ships)


def search(
    system: RuleSystem,
    start: Battle,
    question: Question,
    found: SimulationResult,
    run: Run,
    progress: Progress = lambda done, of: None,
    trying: Callable[[str], object] = lambda said: None,
) -> Iterator[Tried]:
    """The best step of each lever, or the battle as it is where it is even. KeyboardInterrupt goes on.

    `trying` is told of each step before it is played.
    """
    first, second = (side.id for side in start.sides)
    looking = _Search(question, first, run, progress, trying)
    now = _Look(found, first)
    if now.score.half > HALF and now.may_be_even:
        now = looking.look(AS_IT_IS, looking.enough)
    if now.holds:
        yield Tried("none", AS_IT_IS, now.score, None, now.spread, even=True, helps=False)
        return
    stronger = first if now.score.part > EVEN else second
    for lever in levers(system, start, stronger):
        if lever.steps:
            yield looking.best(lever, now)


class _Look:
    """What is known of one step: what a side scores by it, all doctrines together."""

    def __init__(self, found: SimulationResult, side: str) -> None:
        self.score = summed(found.tallies.values()).score(side)
        parts = [tally.score(side).part for tally in found.tallies.values()]
        self.spread = min(parts), max(parts)
        self.off = abs(self.score.part - EVEN)

    @property
    def holds(self) -> bool:
        return self.score.half <= HALF and self.score.least <= EVEN <= self.score.most

    @property
    def may_be_even(self) -> bool:
        """Whether it is worth a closer look."""
        return self.off <= 2 * self.score.half


class _Search:
    """Looks for the step of each lever that makes a battle even."""

    def __init__(
        self, question: Question, side: str, run: Run, progress: Progress, trying: Callable[[str], object]
    ) -> None:
        self._question, self._side, self._run = question, side, run
        self._progress, self._trying = progress, trying
        self.enough = -(-ENOUGH // len(question.pairs))

    def look(self, step: LeverStep, battles: int, seed: str = "") -> _Look:
        """So many battles of each pair of doctrines with a step; KeyboardInterrupt goes on."""
        self._trying(step.says)
        spec = self._question.spec
        spec = evolve(spec, variant=step.variant, seed=f"{spec.seed} {seed}" if seed else spec.seed)
        asked = evolve(self._question, spec=spec, battles=battles, within=None)
        found = simulate(asked, self._run, self._progress)
        if not found.whole:
            raise KeyboardInterrupt
        return _Look(found, self._side)

    def best(self, lever: Lever, now: _Look) -> Tried:
        """The step of a lever that comes nearest to an even score, looked at closely if it may be one."""
        above = now.score.part > EVEN
        known = self._turning(lever, above) if lever.ordered else self._nearest(lever)
        at = min(known, key=lambda one: (known[one].off, one))
        step, look, again = lever.steps[at], known[at], None
        if look.may_be_even:
            look = self.look(step, self.enough)
        if look.holds:
            again = self.look(step, self.enough, "again")
        fresh = None if again is None else again.score
        even = again is not None and again.holds
        helps = now.off - look.off > look.score.half
        return Tried(lever.name, step, look.score, fresh, look.spread, even, helps)

    def _turning(self, lever: Lever, above: bool) -> Mapping[int, _Look]:
        """The steps about the first that turns the scale, in the order of a bisection."""
        known: dict[int, _Look] = {}
        least, most = 0, len(lever.steps) - 1
        while True:
            middle = (least + most) // 2
            known[middle] = self.look(lever.steps[middle], SEARCHED)
            if least == most:
                return known
            if (known[middle].score.part > EVEN) == above:
                least = middle + 1
            else:
                most = middle

    def _nearest(self, lever: Lever) -> Mapping[int, _Look]:
        """The steps that are nearest to an even score at a glance."""
        glances = {at: self.look(step, GLANCED).off for at, step in enumerate(lever.steps)}
        nearest = sorted(glances, key=lambda at: glances[at])[:NEAREST]
        return {at: self.look(lever.steps[at], SEARCHED) for at in nearest}
