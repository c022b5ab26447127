"""Plays battles until enough is known: how many, by which doctrines, and where to stop."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from qf_tui.analysis.story import Stopped
from qf_tui.core.errors import QfError
from qf_tui.core.frozen import evolve, frozen
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Ship
from qf_tui.session.saves import packed
from qf_tui.simulation.doctrines import DOCTRINES, doctrine_named
from qf_tui.simulation.jobs import Job, Pair, Run, Spec, Variant
from qf_tui.simulation.model import BattleModel, points_title, printed_points
from qf_tui.simulation.playout import Playout
from qf_tui.simulation.tally import Interval, Tally, summed

SHARE = 2
"""Battles in one share of the work: at its end no process waits longer for another."""
FIRST_LOOK = 200
"""Battles of each pair behind which it is first asked whether enough is known; then twice as many."""
BATTLES_MOST = 100_000
TURNS_MOST = 30
"""Turns after which a battle that nobody has won is a draw."""

Progress = Callable[[int, int], object]


@frozen
class Question:
    """What is to be simulated: at most `battles` of each pair of doctrines, as many as `within` wants.

    `within`: half the width of the interval of each side's wins and of the draws.
    """

    spec: Spec
    pairs: tuple[Pair, ...]
    battles: int
    within: float | None = None


@frozen
class SimulationResult:
    """What is known of each pair of doctrines; `whole` unless somebody stopped it before."""

    tallies: Mapping[Pair, Tally]
    whole: bool = True


def spec_of(system: RuleSystem, start: Battle, seed: str, whole: Mapping[str, float] | None = None) -> Spec:
    """What is to be played out, from a battle at any moment on; QfError where nothing can be.

    `whole`: what each ship was worth as the battle began, if that was before.
    """
    if len(start.sides) != 2:
        raise QfError(f"only a battle of two sides can be played out; this one has {len(start.sides)}")
    if system.read_by_hand:
        raise QfError(f"{system.title}: its results are read by hand from a chart, so nobody can play it out")
    model = BattleModel(system, start, whole)
    none = next(
        (side.name for side in start.sides if all(ship.side != side.id for ship in model.every.values())), ""
    )
    if none:
        raise QfError(f"{none} has no ships: there is nothing to play out")
    turns = TURNS_MOST + start.turn - 1
    ending = Playout.opened(model).ending(turns)
    if ending is not None:
        gone = " and ".join(f"{start.side_name(side)} is broken" for side in ending.broken)
        won = f"{start.side_name(ending.winner)} has won" if ending.winner else "nobody has won"
        raise QfError(f"the battle is already over: {', '.join(filter(None, (gone, won)))}")
    _ = model.reach  # QfError where nobody can attack at any range
    return Spec(packed(system, start), tuple(sorted(model.whole.items())), seed, turns)


def worth_at_start(system: RuleSystem, timeline: Timeline) -> dict[str, float]:
    """What the ships of a battle were worth as they came into it."""
    start, reserve = timeline.start, timeline.battle.reserve
    return {
        id: system.worth.of_ship(ship) for id, ship in {**reserve, **start.reserve, **start.ships}.items()
    }


def pairs_of(doctrines: Sequence[str]) -> tuple[Pair, ...]:
    """All pairs of the doctrines that are named, of each side; of all that there are unless some are."""
    for name in doctrines:
        doctrine_named(name)
    return tuple(product(tuple(dict.fromkeys(doctrines)) or tuple(DOCTRINES), repeat=2))


def simulate(question: Question, run: Run, progress: Progress = lambda done, of: None) -> SimulationResult:
    """Plays until enough is known or all is played; a look comes at the same battles whoever plays them.

    KeyboardInterrupt, or Stopped by `progress`, ends it with what is known.
    """
    tallies = {pair: Tally() for pair in question.pairs}
    most, done, began = question.battles * len(question.pairs), 0, 0
    try:
        for look in looks(question.battles, question.within):
            jobs = [
                Job(question.spec, pair, at, min(look, at + SHARE))
                for at in range(began, look, SHARE)
                for pair in question.pairs
            ]
            for job, tally in run(jobs):
                tallies[job.pair] += tally
                done += job.stop - job.start
                progress(done, most)
            began, within = look, question.within
            known = (tally.wins(winner) for tally in tallies.values() for winner in ("", *tally.won))
            if within is not None and all(wins.half <= within for wins in known):
                break
    except (KeyboardInterrupt, Stopped):
        return SimulationResult(tallies, whole=False)
    return SimulationResult(tallies)


def looks(battles: int, within: float | None) -> Iterator[int]:
    """The numbers of battles at which it is asked whether enough is known."""
    at = FIRST_LOOK
    while within is not None and at < battles:
        yield at
        at *= 2
    yield battles


@frozen
class Contribution:
    """What a ship is good for: how far her side's score moves without her, by each pair of doctrines.

    `unseen`: by none of them does it move by as much as half the width of the score's interval.
    """

    ship: str
    moves: Mapping[Pair, float]
    unseen: bool


def without_each(
    question: Question,
    result: SimulationResult,
    ships: Mapping[str, str],
    run: Run,
    progress: Progress = lambda done, of: None,
) -> Iterator[Contribution]:
    """Plays all battles without each ship in turn; `ships` gives the side of each that is asked about.

    It ends early where somebody stops it: a ship comes only when all her battles are played.
    """
    battles = max(tally.battles + tally.apart for tally in result.tallies.values())
    for place, (ship, side) in enumerate(ships.items()):
        spec = evolve(question.spec, variant=Variant(without=(ship,)))

        def in_all(done: int, each: int, before: int = place) -> None:
            progress(before * each + done, len(ships) * each)

        other = simulate(evolve(question, spec=spec, battles=battles, within=None), run, in_all)
        if not other.whole:
            return
        moves, unseen = {}, True
        for pair, tally in result.tallies.items():
            score = tally.score(side)
            moves[pair] = other.tallies[pair].score(side).part - score.part
            unseen = unseen and abs(moves[pair]) < score.half
        yield Contribution(ship, moves, unseen)


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
    fewer = (strong[-count:] for count in range(1, len(strong)))
    more = (weak[:count] for count in range(1, len(weak) + 1))
    without = (LeverStep(f"without {_names(some)}", Variant(without=_ids(some))) for some in fewer)
    beside = (LeverStep(f"a sister beside {_names(some)}", Variant(twice=_ids(some))) for some in more)
    yield Lever("fewer ships", tuple(without))
    yield Lever("more ships", tuple(beside))
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
    title, most = points_title(system), max((printed_points(system, ship) for ship in strong), default=0)
    repairing = [ship for ship in weak if printed_points(system, ship)]
    for name, ships, counts in (
        ("fewer", strong, [-less for less in range(1, most + 1)]),
        ("more", repairing, POINTS),
    ):
        side = start.side(ships[0].side) if ships else None
        steps = (
            LeverStep(
                f"{abs(count)} {name} for each ship of {side.name}", Variant(points=((side.id, count),))
            )
            for count in counts
            if side is not None
        )
        yield Lever(f"{name} {title}", tuple(steps))


def _names(ships: Sequence[Ship]) -> str:
    return ", ".join(ship.name for ship in ships)


def _ids(ships: Sequence[Ship]) -> tuple[str, ...]:
    return tuple(ship.id for ship in ships)


def search(
    system: RuleSystem,
    start: Battle,
    question: Question,
    result: SimulationResult,
    run: Run,
    progress: Progress = lambda done, of: None,
    trying: Callable[[str], object] = lambda step: None,
) -> Iterator[Tried]:
    """The best step of each lever, or the battle as it is where it is even. KeyboardInterrupt goes on.

    `trying` is called with each step before it is played.
    """
    first, second = (side.id for side in start.sides)
    looking = _Search(question, first, run, progress, trying)
    now = _Look(result, first)
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

    def __init__(self, result: SimulationResult, side: str) -> None:
        self.score = summed(result.tallies.values()).score(side)
        parts = [tally.score(side).part for tally in result.tallies.values()]
        self.spread = min(parts), max(parts)
        self.off = abs(self.score.part - EVEN)

    @property
    def holds(self) -> bool:
        return self.score.half <= HALF and self.score.least <= EVEN <= self.score.most

    @property
    def may_be_even(self) -> bool:
        """Whether it is worth a closer look."""
        return self.off <= 2 * self.score.half


@frozen
class _Search:
    """Looks for the step of each lever that makes a battle even."""

    question: Question
    side: str
    run: Run
    progress: Progress
    trying: Callable[[str], object]

    @property
    def enough(self) -> int:
        return -(-ENOUGH // len(self.question.pairs))

    def look(self, step: LeverStep, battles: int, seed: str = "") -> _Look:
        """So many battles of each pair of doctrines with a step; KeyboardInterrupt goes on."""
        self.trying(step.says)
        spec = self.question.spec
        spec = evolve(spec, variant=step.variant, seed=f"{spec.seed} {seed}" if seed else spec.seed)
        asked = evolve(self.question, spec=spec, battles=battles, within=None)
        result = simulate(asked, self.run, self.progress)
        if not result.whole:
            raise KeyboardInterrupt
        return _Look(result, self.side)

    def best(self, lever: Lever, now: _Look) -> Tried:
        """The step of a lever that comes nearest to an even score, looked at closely if it may be one."""
        above = now.score.part > EVEN
        known = self._turning(lever, above) if lever.ordered else self._nearest(lever)
        at = min(known, key=lambda place: (known[place].off, place))
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
