"""What would make a battle even: one lever at a time, searched, then tried again with fresh seeds."""

from collections.abc import Callable, Iterator, Sequence

from attrs import evolve, frozen

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.simulation.executor import Run
from qf_tui.simulation.job import Change
from qf_tui.simulation.repairs import called, printed
from qf_tui.simulation.simulate import Found, Progress, Question, simulate
from qf_tui.simulation.tally import Interval, summed

SEARCHED = 50
"""Battles of each pair of doctrines by which a step of a lever is judged in the search."""
HALF = 0.03
"""Half of six points: no wider may the interval be that is to hold an even chance."""
BATTLES_MOST = 12_800
STRETCHES = (0.25, 0.5, 0.75, 1.25, 1.5, 2.0)
POINTS = (1, 2, 3, 4, 6, 8, 12)
"""Repair points more that are tried, for each ship."""
EVEN = 0.5


@frozen
class Step:
    """One position of a lever, in words, and what it changes."""

    says: str
    change: Change


@frozen
class Lever:
    """One thing that may be changed; the steps of an `ordered` one help a side more and more."""

    name: str
    steps: tuple[Step, ...]
    ordered: bool = True


@frozen
class Tried:
    """The best step of a lever: how often the first side wins by it, and again with fresh seeds.

    `even`: both intervals are no wider than six points and hold an even chance.
    """

    lever: str
    step: Step
    chance: Interval
    again: Interval | None
    even: bool


def levers(system: RuleSystem, start: Battle, stronger: str) -> Iterator[Lever]:
    """What may be changed of a battle in which one side is the stronger."""
    strong = [ship for ship in start.ships.values() if ship.side == stronger]
    weak = [ship for ship in start.ships.values() if ship.side != stronger and not ship.ashore]
    fewer = (
        Step(f"without {_names(strong[-count:])}", Change(without=tuple(one.id for one in strong[-count:])))
        for count in range(1, len(strong))
    )
    more = (
        Step(f"a sister beside {_names(weak[:count])}", Change(twice=tuple(one.id for one in weak[:count])))
        for count in range(1, len(weak) + 1)
    )
    yield Lever("fewer ships", tuple(fewer))
    yield Lever("more ships", tuple(more))
    yield from _points(system, start, strong, weak)
    stretched = (Step(f"ranges × {by:g}", Change(stretch=by)) for by in STRETCHES)
    yield Lever("ranges", tuple(stretched), ordered=False)
    switches = (
        Step(f"{option.name} = {value}", Change(options=((option.name, value),)))
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


def _by_points(start: Battle, ships: Sequence[Ship], counts: Sequence[int]) -> tuple[Step, ...]:
    """Steps that give each ship of a side so many more."""
    side = start.side(ships[0].side) if ships else None
    return tuple(
        Step(f"{count:+} for each ship of {side.name}", Change(points=((side.id, count),)))
        for count in counts
        if side is not None
    )


def _names(ships: Sequence[Ship]) -> str:
    return ", ".join(ship.name for ship in ships)


def search(
    system: RuleSystem,
    start: Battle,
    question: Question,
    found: Found,
    run: Run,
    progress: Progress = lambda done, of: None,
) -> Iterator[Tried]:
    """The best step of each lever; nothing where the battle is even. KeyboardInterrupt goes on."""
    first, second = (side.id for side in start.sides)
    now = summed(found.tallies.values()).chance(first)
    if now.least <= EVEN <= now.most:
        return
    looking = _Search(question, first, run, progress)
    for lever in levers(system, start, first if now.part > EVEN else second):
        if lever.steps:
            yield looking.best(lever, now)


class _Search:
    """Looks for the step of each lever that makes a battle even."""

    def __init__(self, question: Question, side: str, run: Run, progress: Progress) -> None:
        self._question, self._side, self._run, self._progress = question, side, run, progress

    def chance(self, change: Change, seed: str = "", within: float | None = None) -> Interval:
        """How often the side wins with a change, all doctrines together; KeyboardInterrupt goes on."""
        spec = self._question.spec
        spec = evolve(spec, change=change, seed=f"{spec.seed} {seed}" if seed else spec.seed)
        battles = SEARCHED
        while True:
            found = simulate(
                evolve(self._question, spec=spec, battles=battles, within=None), self._run, self._progress
            )
            if not found.whole:
                raise KeyboardInterrupt
            chance = summed(found.tallies.values()).chance(self._side)
            if within is None or chance.half <= within or battles >= BATTLES_MOST:
                return chance
            battles *= 2

    def best(self, lever: Lever, now: Interval) -> Tried:
        """The step of a lever that comes nearest to an even chance, looked at more closely."""
        known: dict[int, Interval] = {}

        def look(at: int) -> Interval:
            if at not in known:
                known[at] = self.chance(lever.steps[at].change)
            return known[at]

        if lever.ordered:
            _bisect(lambda at: (look(at).part > EVEN) == (now.part > EVEN), len(lever.steps))
        else:
            for at in range(len(lever.steps)):
                look(at)
        nearest = min(known, key=lambda at: abs(known[at].part - EVEN))
        step = lever.steps[nearest]
        chance = self.chance(step.change, within=HALF)
        if not _holds(chance):
            return Tried(lever.name, step, chance, None, even=False)
        again = self.chance(step.change, "again", HALF)
        return Tried(lever.name, step, chance, again, _holds(again))


def _bisect(still: Callable[[int], bool], count: int) -> None:
    """Looks at the steps about the first that turns the scale, in the order of a bisection."""
    least, most = 0, count - 1
    while least < most:
        middle = (least + most) // 2
        if still(middle):
            least = middle + 1
        else:
            most = middle
    if count:
        still(least)


def _holds(one: Interval) -> bool:
    return one.half <= HALF and one.least <= EVEN <= one.most
