"""The search for changes that make a battle even: levers, alone and in pairs, searched by halving.

Results are looked at several times as more battles are played. Each look therefore uses a wider interval, so
that all looks at one step together are wrong in at most five cases of a hundred.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from enum import Enum
from functools import partial
from itertools import combinations, permutations, product

from attrs import evolve, frozen

from qf_tui.core.declarations import CREW_MOST
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.features.simulation.jobs import BattleVariant, Run
from qf_tui.features.simulation.model import count_printed_points, format_points_title
from qf_tui.features.simulation.simulate import Question, SimulationResult, play_by_looks
from qf_tui.features.simulation.tally import Interval, Z, sum_tallies

LOOKS = (16, 32, 64, 128, 256)
"""Numbers of battles, all doctrines together, after which the search checks which side a step favours."""
CHECKS = (64, 128, 256, 512, 900)
"""Numbers of battles after which the search checks whether a step is even."""
EARLY_Z, LAST_Z = 2.878, 2.170
"""Width of the interval in standard deviations: at each look but the last (99.6%), and at the last (97%)."""
EVEN = 0.5
EVEN_LEAST, EVEN_MOST = 0.42, 0.58
"""Bounds of an even score: a step is even if its whole interval lies between them."""
ROUGH = 0.07
"""Largest half width of an interval with which a step still counts as favouring neither side."""
PAIRS_MOST, POWER_LEAST = 12, 3.0
"""Number of pairs that are tried, the strongest first, and the least power of each lever in a pair."""
JUMPS_MOST = 2
"""Number of pairs that jump over even for which a third lever is tried."""
SHORTER, LONGER = (0.75, 0.5, 0.25), (1.25, 1.5, 2.0)
POINTS = (1, 2, 3, 4, 6, 8, 12)
"""Numbers of additional repair points that are tried for each ship."""
TURNS = (2, 3, 4, 6, 8, 10)
"""Turns of late arrival that are tried, counted from the first turn that is played."""

Progress = Callable[[int, int, str], object]
"""Receives the number of levers and pairs done, the number of all, and the step that is being played."""


@frozen
class LeverStep:
    """One position of a lever.

    Attributes:
        says: Text that describes the position.
        variant: Change of the battle.
    """

    says: str
    variant: BattleVariant


@frozen
class Lever:
    """A thing that may be changed.

    Attributes:
        steps: Positions; each helps the weaker side more than the one before.
    """

    name: str
    steps: tuple[LeverStep, ...]


class LeverResult(Enum):
    """The result of trying a lever.

    `UNCHECKED`: neither side is favoured as far as the search could tell. `NEARER`: closer to even than the
    unchanged battle, and not by chance.
    """

    EVEN = "even"
    UNCHECKED = "about even"
    NEARER = "nearer"
    NO_HELP = "no help"


@frozen
class TriedStep:
    """A step of a lever, or of several levers, with its results by all doctrines together.

    Attributes:
        score: Score of the first side; a draw counts half.
        spread: Lowest and highest score by any pair of doctrines.
        advantage: Advantage of the first side at the end, on average.
        drawn: Part of the battles that neither side wins.
        fought: False if far more battles are drawn than in the unchanged battle; such a step is never even.
        checked: Score of a second run with fresh seeds, or None.
        verdict: Result of the lever at this step.
    """

    lever: str
    step: LeverStep
    score: Interval
    spread: tuple[float, float]
    advantage: float
    drawn: float
    fought: bool
    checked: Interval | None = None
    verdict: LeverResult = LeverResult.NO_HELP

    @property
    def undecided(self) -> bool:
        """True if no side is certainly favoured."""
        return self.score.least <= EVEN <= self.score.most

    @property
    def even(self) -> bool:
        return self.fought and self.score.least >= EVEN_LEAST and self.score.most <= EVEN_MOST

    @property
    def about_even(self) -> bool:
        return self.even or (self.fought and self.undecided and self.score.half <= ROUGH)

    @property
    def sure(self) -> bool:
        """True if the battle is even, or favours a side, or is hardly fought."""
        return self.even or not self.undecided or not self.fought

    @property
    def distance_from_even(self) -> float:
        """The distance of the score from even; of the checked score if there is one."""
        return abs((self.checked or self.score).part - EVEN)

    def compare_with(self, unchanged: "TriedStep") -> LeverResult:
        """Compare with the unchanged battle, which is not even."""
        if self.about_even:
            return LeverResult.UNCHECKED
        farthest = max(abs(self.score.least - EVEN), abs(self.score.most - EVEN))
        nearest = min(abs(unchanged.score.least - EVEN), abs(unchanged.score.most - EVEN))
        return LeverResult.NEARER if self.fought and farthest < nearest else LeverResult.NO_HELP


AS_IT_IS = LeverStep("as it is", BattleVariant())


def list_levers(system: RuleSystem, start: Battle, stronger: str) -> Iterator[Lever]:
    """Yield the levers of a battle in which one side is stronger; a lever may have no steps."""
    strong = [ship for ship in start.ships.values() if ship.side == stronger]
    weak = [ship for ship in start.ships.values() if ship.side != stronger and not ship.is_land_battery]
    counts = (weak[:count] for count in range(1, len(weak) + 1))
    sisters = (
        LeverStep(f"a sister for {_format_names(some)}", BattleVariant(twice=_list_ids(some)))
        for some in counts
    )
    yield Lever(
        "fewer ships", tuple(_build_fewer_step(strong, left) for left in range(len(strong) - 1, 0, -1))
    )
    yield Lever("more ships", tuple(sisters))
    for name, factors in (("shorter ranges", SHORTER), ("longer ranges", LONGER)):
        stretched = (LeverStep(f"ranges × {by:g}", BattleVariant(stretch=by)) for by in factors)
        yield Lever(name, tuple(stretched))
    yield from _list_point_levers(system, start, strong, weak)
    for of, (ships, how, way) in product(
        dict.fromkeys(step.of for step in system.crews), ((strong, "worse", -1), (weak, "better", 1))
    ):
        side = next((ship.side for ship in ships), "")
        steps = (
            LeverStep(
                f"{of} of {start.find_side_name(side)} {way * by:+}",
                BattleVariant(crews=((side, of, way * by),)),
            )
            for by in range(1, CREW_MOST + 1)
            if side
        )
        yield Lever(f"{how} {of}", tuple(steps))
    half = strong[len(strong) - len(strong) // 2 :]
    turns = (start.turn - 1 + turn for turn in TURNS if half)
    coming = (
        LeverStep(
            f"on turn {turn}: {_format_names(half)}",
            BattleVariant(late=tuple((id, turn) for id in _list_ids(half))),
        )
        for turn in turns
    )
    yield Lever("later entry", tuple(coming))


def _build_fewer_step(ships: Sequence[Ship], left: int) -> LeverStep:
    """Build the step that keeps only the first `left` ships."""
    stay, go = ships[:left], ships[left:]
    says = f"only {_format_names(stay)}" if len(stay) < len(go) else f"without {_format_names(go)}"
    return LeverStep(says, BattleVariant(without=_list_ids(go)))


def _list_point_levers(
    system: RuleSystem, start: Battle, strong: Sequence[Ship], weak: Sequence[Ship]
) -> Iterator[Lever]:
    """Yield the levers of repair points, if any: fewer for the stronger, more for the weaker side."""
    title, most = (
        format_points_title(system),
        max((count_printed_points(system, ship) for ship in strong), default=0),
    )
    repairing = [ship for ship in weak if count_printed_points(system, ship)]
    for name, ships, counts in (
        ("fewer", strong, [-less for less in range(1, most + 1)]),
        ("more", repairing, POINTS),
    ):
        side = start.find_side(ships[0].side) if ships else None
        steps = (
            LeverStep(
                f"{abs(count)} {name} for each ship of {side.name}", BattleVariant(points=((side.id, count),))
            )
            for count in counts
            if side is not None
        )
        yield Lever(f"{name} {title}", tuple(steps))


def _format_names(ships: Sequence[Ship]) -> str:
    return ", ".join(ship.name for ship in ships)


def _list_ids(ships: Sequence[Ship]) -> tuple[str, ...]:
    return tuple(ship.id for ship in ships)


@frozen
class LeverSearch:
    """The result of searching one lever.

    Attributes:
        nearest: The tried step that is nearest to even.
        before: The last step before the balance turns; the base of the search if the first step turns it.
        power: Most advantage that any step takes from the stronger side.
        turns: True if a step turns the balance.
    """

    lever: Lever
    nearest: TriedStep
    before: LeverStep
    power: float
    turns: bool

    @property
    def name(self) -> str:
        return self.nearest.lever


def choose_pairs(single: Sequence[LeverSearch]) -> tuple[tuple[LeverSearch, LeverSearch], ...]:
    """Return pairs of levers that each help the weaker side, the strongest first; never two ranges."""
    helping = sorted(
        (turned for turned in single if turned.power >= POWER_LEAST), key=lambda turned: -turned.power
    )
    pairs = [
        pair
        for pair in combinations(helping, 2)
        if any(turned.lever.steps[0].variant.stretch == 1.0 for turned in pair)
    ]
    return tuple(sorted(pairs, key=lambda pair: -pair[0].power - pair[1].power)[:PAIRS_MOST])


def search_levers(
    system: RuleSystem,
    start: Battle,
    question: Question,
    result: SimulationResult,
    run: Run,
    progress: Progress = lambda done, of, step: None,
) -> Iterator[TriedStep]:
    """Yield the result of each lever, then of pairs if no lever alone makes the battle even.

    It ends with the first that is certainly even; a result that is yielded again has been checked.
    KeyboardInterrupt passes through.
    """
    searching = _Search(question, start.sides[0].id, run, progress)
    now = searching.evaluate_step(result, "none", AS_IT_IS, Z)
    if now.undecided and not now.even:
        now = searching.try_step("none", AS_IT_IS, CHECKS)
    if now.even:
        yield evolve(now, verdict=LeverResult.EVEN)
    if now.even or now.undecided:
        return
    searching.now = now
    single = [
        lever for lever in list_levers(system, start, start.sides[now.score.part < EVEN].id) if lever.steps
    ]
    alone = yield from searching.try_single_levers(single)
    yield from searching.try_pairs(alone)


class _Search:
    """The search for the step of each lever that makes a battle even.

    Attributes:
        now: The result of the unchanged battle.
        done: Number of levers and pairs that are done.
        of: Number of all levers and pairs.
        found: True once a step is certainly even.
    """

    def __init__(self, question: Question, side: str, run: Run, progress: Progress) -> None:
        self.now: TriedStep | None = None
        self.done, self.of, self.found = 0, 1, False
        self._question, self._side, self._run, self._progress = question, side, run, progress

    def evaluate_step(self, result: SimulationResult, lever: str, step: LeverStep, z: float) -> TriedStep:
        """Compute the result of a step from its battles."""
        now, total = self.now, sum_tallies(result.tallies.values())
        parts = [tally.estimate_score(self._side).part for tally in result.tallies.values()]
        score, drawn = total.estimate_score(self._side, z), total.estimate_wins("").part
        fought = now is None or drawn <= (1 + now.drawn) / 2
        tried = TriedStep(lever, step, score, (min(parts), max(parts)), total.mean_advantage, drawn, fought)
        return tried if now is None else evolve(tried, verdict=tried.compare_with(now))

    def try_step(self, lever: str, step: LeverStep, looks: Sequence[int], seed: str = "") -> TriedStep:
        """Play battles with a step until the result is certain. KeyboardInterrupt passes through."""
        spec = self._question.spec
        spec = evolve(spec, variant=step.variant, seed=f"{spec.seed} {seed}" if seed else spec.seed)
        of_each = list(dict.fromkeys(-(-look // len(self._question.pairs)) for look in looks))
        asked = evolve(self._question, spec=spec, battles=of_each[-1], within=None)
        told = partial(self._progress, self.done, self.of, step.says)
        results = play_by_looks(asked, of_each, self._run, lambda done, of: told())
        for at, result in zip(of_each, results, strict=False):
            if not result.complete:
                raise KeyboardInterrupt
            tried = self.evaluate_step(result, lever, step, LAST_Z if at == of_each[-1] else EARLY_Z)
            if tried.sure:
                break
        return tried

    def search_lever(self, name: str, lever: Lever, base: LeverStep) -> LeverSearch:
        """Search the steps of a lever on top of a base by halving; the last step is first."""
        assert self.now is not None
        now, steps = self.now, [combine_steps(base, step) for step in lever.steps]
        above = now.score.part > EVEN
        least, first = 0, len(steps)
        known: dict[int, TriedStep] = {}
        at = first - 1
        while least < first:
            known[at] = tried = self.try_step(name, steps[at], LOOKS)
            if tried.about_even:
                least = first = at
            elif tried.fought and (tried.score.part > EVEN) == above:
                least = at + 1
            else:
                first = at
            at = (least + first) // 2
        nearest = min(known.values(), key=lambda tried: (not tried.fought, tried.distance_from_even))
        taken = [now.advantage - tried.advantage for tried in known.values() if tried.fought] or [0.0]
        power = max(taken) if above else -min(taken)
        before = steps[first - 1] if first else base
        return LeverSearch(lever, nearest, before, power, first < len(steps))

    def try_lever(self, name: str, lever: Lever, base: LeverStep) -> Generator[TriedStep, None, LeverSearch]:
        """Yield the best step of a lever, and again with a checked score if it favours neither side."""
        turned = self.search_lever(name, lever, base)
        yield turned.nearest
        if turned.nearest.about_even:
            fresh = self.try_step(name, turned.nearest.step, CHECKS, "again")
            self.found = fresh.even
            verdict = LeverResult.EVEN if fresh.even else fresh.verdict
            yield evolve(turned.nearest, checked=fresh.score, verdict=verdict)
        return turned

    def try_single_levers(self, single: Sequence[Lever]) -> Generator[TriedStep, None, list[LeverSearch]]:
        """Yield the result of each lever alone, and return them all; [] if one makes the battle even."""
        self.of = len(single)
        turned: list[LeverSearch] = []
        for lever in single:
            turned.append((yield from self.try_lever(lever.name, lever, AS_IT_IS)))
            self.done += 1
            if self.found:
                return []
        return turned

    def try_pairs(self, single: Sequence[LeverSearch]) -> Generator[TriedStep, None, None]:
        """Yield the results of pairs; if a pair jumps over even, a third lever may close the gap."""
        pairs = choose_pairs(single)
        self.of += len(pairs)
        jumped: list[LeverSearch] = []
        for pair in pairs:
            for one, other in permutations(pair):
                # One lever stays just before the balance turns; the steps of the other may be finer.
                if one.before is AS_IT_IS:
                    continue
                both = yield from self.try_lever(f"{one.name}, {other.name}", other.lever, one.before)
                if self.found:
                    return
                jumped += [both] if both.turns else []
                if not (both.turns or one.turns):
                    break
            self.done += 1
        nearest = sorted(jumped, key=lambda both: both.nearest.distance_from_even)[:JUMPS_MOST]
        thirds = [(both, each.lever) for both in nearest for each in single if each.name not in both.name]
        self.of += len(thirds)
        for both, lever in thirds:
            yield from self.try_lever(f"{both.name}, {lever.name}", lever, both.before)
            if self.found:
                return
            self.done += 1


def combine_steps(one: LeverStep, other: LeverStep) -> LeverStep:
    """Combine two steps."""
    return other if one is AS_IT_IS else LeverStep(f"{one.says}; {other.says}", one.variant + other.variant)
