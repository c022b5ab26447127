"""The search for changes that make a battle even: kinds of change, alone and in pairs, searched by halving.

Results are looked at several times as more battles are played. Each look uses a wider interval for this
reason, so that all looks at one step together are wrong in at most five cases of a hundred.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from enum import Enum
from functools import partial
from itertools import combinations, permutations
from math import ceil

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
"""Half the width of the interval in standard deviations: at early looks (99.6%), and at the last (97%)."""
EVEN = 0.5
EVEN_LEAST, EVEN_MOST = 0.42, 0.58
"""Bounds of an even score: a step is even if its whole interval lies between them."""
ROUGH = 0.07
"""Largest half width of an interval with which a step still counts as favouring neither side."""
PAIRS_MOST, POWER_LEAST = 12, 3.0
"""Largest number of pairs that are tried, strongest first, and least power of each lever in a pair."""
JUMPS_MOST = 2
"""Number of pairs that jump over an even score for which third levers are tried."""
SHORTER, LONGER = (0.75, 0.5, 0.25), (1.25, 1.5, 2.0)
POINTS = (1, 2, 3, 4, 6, 8, 12)
"""Numbers of additional repair points that are tried for each ship."""
TURNS = (2, 3, 4, 6, 8, 10)
"""Turns of late arrival that are tried; the first turn that is played is 1."""

Progress = Callable[[int, int, str], object]
"""Receives the number of levers and pairs done, the number of all, and the step that is being played."""


@frozen
class LeverStep:
    """One position of a lever.

    Attributes:
        text: Text that describes the position.
        variant: Change of the battle.
    """

    text: str
    variant: BattleVariant


@frozen
class Lever:
    """A kind of change that may make a battle even, such as fewer ships.

    Attributes:
        name: Its name.
        steps: Positions; each helps the weaker side more than the one before.
    """

    name: str
    steps: tuple[LeverStep, ...]


class LeverResult(Enum):
    """The result of trying a lever.

    Attributes:
        EVEN: The battle is even, also with fresh seeds.
        UNCHECKED: Neither side is favoured as far as the search could tell.
        NEARER: The battle is closer to even than unchanged, and not by chance.
        NO_HELP: None of these.
    """

    EVEN = "even"
    UNCHECKED = "about even"
    NEARER = "nearer"
    NO_HELP = "no help"


@frozen
class TriedStep:
    """A step of a lever, or of several levers, with its results by all doctrines together.

    Attributes:
        lever: Names of the levers.
        step: The step, with the steps of all these levers combined.
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
    def is_undecided(self) -> bool:
        """True if the interval of the score includes an even score: neither side is certainly favoured."""
        return self.score.least <= EVEN <= self.score.most

    @property
    def is_even(self) -> bool:
        """True if the battle is fought and the whole interval of the score is close to even."""
        return self.fought and self.score.least >= EVEN_LEAST and self.score.most <= EVEN_MOST

    @property
    def is_about_even(self) -> bool:
        """True if the battle is even, or may be: fought, undecided, and with a narrow interval."""
        return self.is_even or (self.fought and self.is_undecided and self.score.half <= ROUGH)

    @property
    def is_sure(self) -> bool:
        """True if more battles are not needed: the battle is even, favours a side, or is hardly fought."""
        return self.is_even or not self.is_undecided or not self.fought

    @property
    def distance_from_even(self) -> float:
        """The distance of the score from even; the checked score counts if there is one."""
        return abs((self.checked or self.score).part - EVEN)

    def compare_with(self, unchanged: "TriedStep") -> LeverResult:
        """Compare this step with the unchanged battle, which is not even.

        Returns:
            `UNCHECKED` if the step is about even; `NEARER` if its whole interval is closer to even than any
            part of the unchanged one; otherwise `NO_HELP`.
        """
        if self.is_about_even:
            return LeverResult.UNCHECKED
        farthest = max(abs(self.score.least - EVEN), abs(self.score.most - EVEN))
        nearest = min(abs(unchanged.score.least - EVEN), abs(unchanged.score.most - EVEN))
        return LeverResult.NEARER if self.fought and farthest < nearest else LeverResult.NO_HELP


AS_IT_IS = LeverStep("as it is", BattleVariant())


def list_levers(system: RuleSystem, start: Battle, stronger: str) -> Iterator[Lever]:
    """Yield the levers for a battle in which one side is stronger; a lever may have no steps."""
    strong = [ship for ship in start.ships.values() if ship.side == stronger]
    weak = [ship for ship in start.ships.values() if ship.side != stronger and not ship.is_land_battery]
    leading_ships = (weak[:count] for count in range(1, len(weak) + 1))
    sister_steps = (
        LeverStep(
            f"a sister for {_format_names(ships_with_sister)}",
            BattleVariant(twice=_list_ids(ships_with_sister)),
        )
        for ships_with_sister in leading_ships
    )
    yield Lever(
        "fewer ships",
        tuple(_build_fewer_step(strong, ships_left) for ships_left in range(len(strong) - 1, 0, -1)),
    )
    yield Lever("more ships", tuple(sister_steps))
    for name, factors in (("shorter ranges", SHORTER), ("longer ranges", LONGER)):
        stretched = (LeverStep(f"ranges × {by:g}", BattleVariant(stretch=by)) for by in factors)
        yield Lever(name, tuple(stretched))
    yield from _list_point_levers(system, start, strong, weak)
    yield from _list_crew_levers(system, start, strong, weak)
    # The last half of the stronger side arrives late.
    late_ships = strong[len(strong) - len(strong) // 2 :]
    turns = [start.turn - 1 + turn for turn in TURNS] if late_ships else []
    late_steps = (
        LeverStep(
            f"on turn {turn}: {_format_names(late_ships)}",
            BattleVariant(late=tuple((id, turn) for id in _list_ids(late_ships))),
        )
        for turn in turns
    )
    yield Lever("later entry", tuple(late_steps))


def _list_crew_levers(
    system: RuleSystem, start: Battle, strong: Sequence[Ship], weak: Sequence[Ship]
) -> Iterator[Lever]:
    """Yield two levers for each kind of crew: worse crews of the stronger side, better of the weaker."""
    for kind in dict.fromkeys(step.of for step in system.crews):
        for ships, word, sign in ((strong, "worse", -1), (weak, "better", 1)):
            side = next((ship.side for ship in ships), "")
            # A side without ships has no steps.
            changes = [sign * by for by in range(1, CREW_MOST + 1)] if side else []
            steps = (
                LeverStep(
                    f"{kind} of {start.find_side_name(side)} {change:+}",
                    BattleVariant(crews=((side, kind, change),)),
                )
                for change in changes
            )
            yield Lever(f"{word} {kind}", tuple(steps))


def _build_fewer_step(ships: Sequence[Ship], ships_left: int) -> LeverStep:
    """Build the step that keeps only the first `ships_left` ships.

    Its text names the ships that stay or those that go, whichever are fewer.
    """
    stay, go = ships[:ships_left], ships[ships_left:]
    text = f"only {_format_names(stay)}" if len(stay) < len(go) else f"without {_format_names(go)}"
    return LeverStep(text, BattleVariant(without=_list_ids(go)))


def _list_point_levers(
    system: RuleSystem, start: Battle, strong: Sequence[Ship], weak: Sequence[Ship]
) -> Iterator[Lever]:
    """Yield the two levers of repair points: fewer for the stronger side, more for the weaker side.

    If no ship of a side has repair points on her card, its lever has no steps.
    """
    title = format_points_title(system)
    most = max((count_printed_points(system, ship) for ship in strong), default=0)
    repairing = [ship for ship in weak if count_printed_points(system, ship)]
    for name, ships, counts in (
        ("fewer", strong, [-removed for removed in range(1, most + 1)]),
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
        lever: The lever.
        nearest: The tried step that is nearest to even.
        step_before: The last step before the balance turns; the base if the first step turns it.
        power: The most advantage that any step takes from the stronger side.
        turns_balance: True if a step turns the balance.
    """

    lever: Lever
    nearest: TriedStep
    step_before: LeverStep
    power: float
    turns_balance: bool

    @property
    def name(self) -> str:
        """The names of the levers, with those in the base of the search."""
        return self.nearest.lever


def choose_pairs(searches: Sequence[LeverSearch]) -> tuple[tuple[LeverSearch, LeverSearch], ...]:
    """Choose the pairs of levers that help the weaker side most, the strongest first.

    Each lever of a pair must help enough. Two levers that change ranges are no pair.
    """
    helping = sorted(
        (search for search in searches if search.power >= POWER_LEAST), key=lambda search: -search.power
    )
    # A lever with a stretch of 1 does not change ranges.
    pairs = [
        pair
        for pair in combinations(helping, 2)
        if any(search.lever.steps[0].variant.stretch == 1.0 for search in pair)
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
    """Yield the result of each lever, and then of pairs if no lever alone makes the battle even.

    The search ends with the first result that is certainly even. A step that seems even is yielded again
    after a check with fresh seeds. If the unchanged battle is even, only its result is yielded; if it is not
    known which side that battle favours, nothing is. KeyboardInterrupt passes through.
    """
    search = _Search(question, start.sides[0].id, run, progress)
    unchanged = search.evaluate_step(result, "none", AS_IT_IS, Z)
    if unchanged.is_undecided and not unchanged.is_even:
        unchanged = search.try_step("none", AS_IT_IS, CHECKS)
    if unchanged.is_even:
        yield evolve(unchanged, verdict=LeverResult.EVEN)
        return
    if unchanged.is_undecided:
        return
    search.unchanged = unchanged
    first, second = start.sides
    stronger = second if unchanged.score.part < EVEN else first
    levers = [lever for lever in list_levers(system, start, stronger.id) if lever.steps]
    single_searches = yield from search.try_single_levers(levers)
    yield from search.try_pairs(single_searches)


class _Search:
    """The search for the step of each lever that makes a battle even.

    Attributes:
        unchanged: The result of the unchanged battle, or None until it is known.
        done: Number of levers and pairs that are done.
        of: Number of all levers and pairs.
        found: True once a step is certainly even.
    """

    def __init__(self, question: Question, side: str, run: Run, progress: Progress) -> None:
        self.unchanged: TriedStep | None = None
        self.done, self.of, self.found = 0, 1, False
        self._question = question
        self._side = side
        self._run = run
        self._progress = progress

    def evaluate_step(self, result: SimulationResult, lever: str, step: LeverStep, z: float) -> TriedStep:
        """Compute the result of a step from its battles, compared with the unchanged battle if that is known.

        Args:
            lever: Names of the levers.
            z: Half the width of the interval of the score, in standard deviations.
        """
        unchanged, total = self.unchanged, sum_tallies(result.tallies.values())
        scores = [tally.estimate_score(self._side).part for tally in result.tallies.values()]
        score = total.estimate_score(self._side, z)
        drawn = total.estimate_wins("").part
        # At least half of the battles that a side won unchanged must still be won by a side.
        fought = unchanged is None or drawn <= (1 + unchanged.drawn) / 2
        tried = TriedStep(
            lever,
            step,
            score,
            spread=(min(scores), max(scores)),
            advantage=total.mean_advantage,
            drawn=drawn,
            fought=fought,
        )
        return tried if unchanged is None else evolve(tried, verdict=tried.compare_with(unchanged))

    def try_step(self, lever: str, step: LeverStep, looks: Sequence[int], seed: str = "") -> TriedStep:
        """Play battles with a step until the result is sure, or all are played.

        Args:
            lever: Names of the levers.
            looks: Numbers of battles, all doctrines together, after which the result is checked.
            seed: Text that is added to the seed, for other dice; "" for those of the unchanged battle.

        Raises:
            KeyboardInterrupt: The work was stopped.
        """
        spec = self._question.spec
        spec = evolve(spec, variant=step.variant, seed=f"{spec.seed} {seed}" if seed else spec.seed)
        pair_count = len(self._question.pairs)
        battles_of_pair = list(dict.fromkeys(ceil(look / pair_count) for look in looks))
        question = evolve(self._question, spec=spec, battles=battles_of_pair[-1], within=None)
        report_progress = partial(self._progress, self.done, self.of, step.text)
        results = play_by_looks(question, battles_of_pair, self._run, lambda done, of: report_progress())
        for battles, result in zip(battles_of_pair, results, strict=False):
            if not result.complete:
                raise KeyboardInterrupt
            # Early looks use a wider interval, because the results are looked at several times.
            z = LAST_Z if battles == battles_of_pair[-1] else EARLY_Z
            tried = self.evaluate_step(result, lever, step, z)
            if tried.is_sure:
                break
        return tried

    def search_lever(self, name: str, lever: Lever, base: LeverStep) -> LeverSearch:
        """Find the step of a lever that is nearest to even, by halving.

        Args:
            name: Names of the lever and of those in the base.
            base: The step of other levers with which each step is combined, or `AS_IT_IS`.
        """
        assert self.unchanged is not None
        steps = [combine_steps(base, step) for step in lever.steps]
        first_is_stronger = self.unchanged.score.part > EVEN
        # Before `low` the same side is stronger; from `high` on the balance has turned.
        low, high = 0, len(steps)
        tried_steps: dict[int, TriedStep] = {}
        # The last step is tried first: if even that does not turn the balance, no other step can.
        index = high - 1
        while low < high:
            tried_steps[index] = tried = self.try_step(name, steps[index], LOOKS)
            if tried.is_about_even:
                low = high = index
            elif tried.fought and (tried.score.part > EVEN) == first_is_stronger:
                low = index + 1
            else:
                # A step with which the battle is hardly fought also counts as too far.
                high = index
            index = (low + high) // 2
        nearest = min(tried_steps.values(), key=lambda tried: (not tried.fought, tried.distance_from_even))
        gains_of_first = [
            tried.advantage - self.unchanged.advantage for tried in tried_steps.values() if tried.fought
        ]
        losses_of_stronger = [-gain if first_is_stronger else gain for gain in gains_of_first]
        power = max(losses_of_stronger, default=0.0)
        step_before = steps[high - 1] if high else base
        return LeverSearch(lever, nearest, step_before, power, turns_balance=high < len(steps))

    def try_lever(self, name: str, lever: Lever, base: LeverStep) -> Generator[TriedStep, None, LeverSearch]:
        """Search a lever, yield its best step, and return the search.

        If that step seems to favour neither side, it is checked with fresh seeds and yielded again.
        """
        search = self.search_lever(name, lever, base)
        yield search.nearest
        if search.nearest.is_about_even:
            checked = self.try_step(name, search.nearest.step, CHECKS, seed="again")
            self.found = checked.is_even
            verdict = LeverResult.EVEN if checked.is_even else checked.verdict
            yield evolve(search.nearest, checked=checked.score, verdict=verdict)
        return search

    def try_single_levers(self, levers: Sequence[Lever]) -> Generator[TriedStep, None, list[LeverSearch]]:
        """Yield the result of each lever alone.

        Returns:
            The searches of all levers; [] if one makes the battle even.
        """
        self.of = len(levers)
        searches: list[LeverSearch] = []
        for lever in levers:
            searches.append((yield from self.try_lever(lever.name, lever, AS_IT_IS)))
            self.done += 1
            if self.found:
                return []
        return searches

    def try_pairs(self, searches: Sequence[LeverSearch]) -> Generator[TriedStep, None, None]:
        """Yield the results of pairs of levers, until one makes the battle even.

        If a pair jumps over an even score, a third lever may close the gap.
        """
        pairs = choose_pairs(searches)
        self.of += len(pairs)
        jumping: list[LeverSearch] = []
        for pair in pairs:
            for first_search, second_search in permutations(pair):
                # If the first step of a lever turns the balance, there is no step before.
                if first_search.step_before is AS_IT_IS:
                    continue
                # The first lever stays just before the balance turns; steps of the second may be finer.
                pair_search = yield from self.try_lever(
                    f"{first_search.name}, {second_search.name}",
                    second_search.lever,
                    first_search.step_before,
                )
                if self.found:
                    return
                if pair_search.turns_balance:
                    jumping.append(pair_search)
                # If neither turns the balance, the pair in the other order would have the same steps.
                if not (pair_search.turns_balance or first_search.turns_balance):
                    break
            self.done += 1
        nearest = sorted(jumping, key=lambda search: search.nearest.distance_from_even)[:JUMPS_MOST]
        thirds = [
            (pair, third.lever) for pair in nearest for third in searches if third.name not in pair.name
        ]
        self.of += len(thirds)
        for pair_search, lever in thirds:
            yield from self.try_lever(f"{pair_search.name}, {lever.name}", lever, pair_search.step_before)
            if self.found:
                return
            self.done += 1


def combine_steps(first: LeverStep, second: LeverStep) -> LeverStep:
    """Combine two steps into one that makes both changes; if `first` is `AS_IT_IS`, return only `second`."""
    return (
        second
        if first is AS_IT_IS
        else LeverStep(f"{first.text}; {second.text}", first.variant + second.variant)
    )
