"""The search for an even battle: levers by halving, alone and in pairs, until an answer is certain."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import exp, lgamma, log
from random import Random

import pytest

from qf_tui.core.crews import Crew, read_card_crew, with_crews
from qf_tui.document.text import lay_out_document
from qf_tui.features.simulation import even
from qf_tui.features.simulation.doctrines import HOLD
from qf_tui.features.simulation.document import Subject, build_simulation_document, format_interval
from qf_tui.features.simulation.even import (
    CHECKS,
    EARLY_Z,
    LAST_Z,
    LOOKS,
    LeverResult,
    TriedStep,
    list_levers,
    search_levers,
)
from qf_tui.features.simulation.jobs import BattleVariant, Done, Job, Run, apply_variant, play_here
from qf_tui.features.simulation.model import BattleModel
from qf_tui.features.simulation.playout import Playout
from qf_tui.features.simulation.simulate import SimulationResult, simulate_battles
from qf_tui.features.simulation.tally import Tally
from tests.features.simulation.duels import SYSTEMS, UNLIKE, build_question, load_duel, run_backwards

SHIPS = ("mikasa", "asahi", "shikishima", "fuji")
GOLDEN = 0.6180339887498949
"""The golden ratio: its multiples fill the line from 0 to 1 evenly, from any start."""


def make_run(chance: Callable[[BattleVariant], float], seen: list[Job] | None = None) -> Run:
    """Make a run whose battles Blue wins with a given chance and by that advantage."""

    def run(jobs: Sequence[Job]) -> Iterator[Done]:
        for job in jobs:
            if seen is not None:
                seen.append(job)
            part, count = chance(job.spec.variant), job.stop - job.start
            won = sum(index * GOLDEN % 1 < part for index in range(job.start, job.stop))
            ends = {round(100 * part): (count, job.start)}
            yield job, Tally(count, {"blue": won, "red": count - won}, ends=ends)

    return run


def run_search(
    chance: Callable[[BattleVariant], float],
    blue: Sequence[str] = SHIPS,
    seen: list[Job] | None = None,
    battles: int = 100,
) -> list[TriedStep]:
    """Search among such battles."""
    system, start = load_duel(blue, ("mikasa",))
    asked, run = build_question(battles, blue=blue, red=("mikasa",)), make_run(chance, seen)
    return list(search_levers(system, start, asked, simulate_battles(asked, run), run))


def group_by_lever(found: Sequence[TriedStep]) -> dict[str, TriedStep]:
    return {each.lever: each for each in found}


def test_a_lever_is_halved_until_even_and_checked_with_fresh_seeds() -> None:
    """Guard against halving in the wrong direction, and a step called even before its check."""
    chances, seen = (0.9, 0.75, 0.5, 0.2), list[Job]()
    found = run_search(lambda variant: chances[len(variant.without)], seen=seen)
    first, checked = found
    assert first.step.variant.without == checked.step.variant.without == ("b-shikishima", "b-fuji")
    assert (first.verdict, first.checked) == (LeverResult.UNCHECKED, None)
    assert (checked.verdict, found[-1]) == (LeverResult.EVEN, checked)
    assert checked.checked is not None
    assert even.EVEN_LEAST <= checked.checked.least <= 0.5 <= checked.checked.most <= even.EVEN_MOST
    assert {job.spec.seed for job in seen} == {"1", "1 again"}


def test_a_step_that_certainly_favours_a_side_stops_early() -> None:
    """Guard against battles played after the answer is known."""
    seen: list[Job] = []
    run_search(lambda variant: 0.5 if variant.late else 1.0, seen=seen)
    battles = dict[BattleVariant, int]()
    for job in seen:
        if job.spec.seed == "1" and job.spec.variant != BattleVariant():
            battles[job.spec.variant] = battles.get(job.spec.variant, 0) + job.stop - job.start
    undecided = {variant: count for variant, count in battles.items() if variant.late}
    assert set(undecided.values()) == {LOOKS[-1]}
    assert {count for variant, count in battles.items() if variant not in undecided} == {LOOKS[0]}


def test_levers_that_do_not_suffice_alone_are_tried_in_pairs() -> None:
    """Guard against pairs of useless levers, and a pair whose step does not combine both levers."""

    def chance(variant: BattleVariant) -> float:
        return 0.95 - 0.1 * len(variant.without) - 0.3 * max(0.0, variant.stretch - 1)

    found = group_by_lever(run_search(chance))
    pair = found["fewer ships, longer ranges"]
    assert pair.step.variant == BattleVariant(without=("b-asahi", "b-shikishima", "b-fuji"), stretch=1.5)
    assert pair.step.text == "only Mikasa; ranges × 1.5"
    assert (pair.verdict, list(found.values())[-1]) == (LeverResult.EVEN, pair)
    helpful = {name for name, each in found.items() if each.verdict is not LeverResult.NO_HELP}
    assert helpful == {"fewer ships", "longer ranges", pair.lever}
    assert all(found[name].verdict is LeverResult.NEARER for name in helpful - {pair.lever})


def test_a_third_lever_is_tried_if_a_pair_skips_past_even() -> None:
    def chance(variant: BattleVariant) -> float:
        far = 0.29 * (variant.stretch >= 2)
        fine = 0.02 if variant.without and variant.stretch > 1 else 0.005
        return 0.95 - 0.29 * len(variant.without) - far - fine * sum(by for _, by in variant.points if by > 0)

    found = list(group_by_lever(run_search(chance, ("mikasa", "asahi"))).values())
    assert found[-1].verdict is LeverResult.EVEN
    assert found[-1].lever == "fewer ships, longer ranges, more repair dice"
    assert found[-1].step.variant == BattleVariant(without=("b-asahi",), stretch=1.5, points=(("red", 8),))
    assert all(each.verdict is not LeverResult.EVEN for each in found[:-1])


def test_no_lever_is_called_best_if_none_helps() -> None:
    found = group_by_lever(run_search(lambda variant: 0.95))
    assert {each.verdict for each in found.values()} == {LeverResult.NO_HELP}
    assert not any(", " in lever for lever in found)


def format_levers(tried: Sequence[TriedStep]) -> str:
    """Format the results of a search as they are printed."""
    system, start = load_duel(SHIPS, ("mikasa",))
    document = build_simulation_document(Subject(system, start, "1"), SimulationResult({}), tried=tried)
    return "\n".join(lay_out_document(document))


def test_a_search_without_an_answer_shows_how_near_it_came() -> None:
    """Detect an answer that names what was tried, but not how near the best of it came."""
    found = group_by_lever(run_search(lambda variant: 0.8 if variant.stretch == 0.25 else 0.95))
    shown = format_levers(list(found.values()))
    nearest = found["shorter ranges"]
    assert (nearest.step.text, nearest.verdict) == ("ranges × 0.25", LeverResult.NO_HELP)
    says = f"shorter ranges (ranges × 0.25): Blue scores {format_interval(nearest.score)}."
    assert f"Nothing that was tried helps. The nearest is {says}" in shown


def test_an_even_step_is_said_to_be_within_8_points() -> None:
    """Detect a battle called even although a side is favoured by up to 8 points."""
    found = run_search(lambda variant: (0.9, 0.75, 0.5, 0.2)[len(variant.without)])
    assert found[-1].verdict is LeverResult.EVEN
    (row,) = (line for line in format_levers(found[-1:]).splitlines() if line.startswith("fewer ships"))
    assert row.endswith("within 8 points of even")
    assert (even.EVEN_LEAST, even.EVEN_MOST) == (0.42, 0.58)


def test_a_step_that_leaves_only_draws_is_not_even() -> None:
    """Guard against ranges so long that every battle is a draw."""

    def run(jobs: Sequence[Job]) -> Iterator[Done]:
        for job in jobs:
            won = {"blue": job.stop - job.start}
            if job.spec.variant.stretch > 1.25:
                won = {"": job.stop - job.start}
            yield job, Tally(job.stop - job.start, won, ends={40: (job.stop - job.start, job.start)})

    system, start = load_duel(SHIPS, ("mikasa",))
    asked = build_question(100, blue=SHIPS, red=("mikasa",))
    found = group_by_lever(list(search_levers(system, start, asked, simulate_battles(asked, run), run)))
    assert {each.verdict for each in found.values()} == {LeverResult.NO_HELP}
    assert found["longer ranges"].step.text == "ranges × 1.25"


def test_an_even_battle_needs_no_lever() -> None:
    """Guard against a battle called even on too few results, and against needless levers."""
    for battles, played in ((2, True), (100, False)):
        seen: list[Job] = []
        (found,) = run_search(lambda variant: 0.5, seen=seen, battles=battles)
        assert (found.lever, found.step.text, found.verdict) == ("none", "as it is", LeverResult.EVEN)
        assert even.EVEN_LEAST <= found.score.least <= found.score.most <= even.EVEN_MOST
        assert all(job.spec.variant == BattleVariant() for job in seen)
        assert (sum(job.stop - job.start for job in seen) > 4 * battles) is played


def test_battles_that_cannot_go_on_give_no_result() -> None:
    def run(jobs: Sequence[Job]) -> Iterator[Done]:
        return ((job, Tally(apart=job.stop - job.start, first_fault=(job.start, "stuck"))) for job in jobs)

    system, start = load_duel()
    assert not list(
        search_levers(system, start, build_question(1), simulate_battles(build_question(1), run), run)
    )


def compute_binomial(won: int, battles: int, part: float) -> float:
    """Return the probability of exactly `won` wins."""
    ways = lgamma(battles + 1) - lgamma(won + 1) - lgamma(battles - won + 1)
    return exp(ways + won * log(part) + (battles - won) * log(1 - part))


@pytest.mark.parametrize("looks", [LOOKS, CHECKS], ids=["search", "check"])
@pytest.mark.parametrize("part", [0.5, 0.44, 0.3])
def test_all_looks_together_are_wrong_in_at_most_5_percent(looks: Sequence[int], part: float) -> None:
    """Sum over all possible results, to guard against looks that are each as certain as a single one."""
    going, wrong = {0: 1.0}, 0.0
    for before, look in pairwise((0, *looks)):
        battles, after = look - before, dict[int, float]()
        ways = [compute_binomial(won, battles, part) for won in range(battles + 1)]
        for known, likely in going.items():
            for won, way in enumerate(ways):
                if way > 1e-12:
                    after[known + won] = after.get(known + won, 0.0) + likely * way
        z, going = LAST_Z if look == looks[-1] else EARLY_Z, {}
        for won, likely in after.items():
            score = Tally(look, {"blue": won, "red": look - won}).estimate_score("blue", z)
            if score.least <= part <= score.most:
                going[won] = likely
            else:
                wrong += likely
    assert 0.02 < wrong < 0.05


def test_a_search_gives_the_same_result_in_any_order_of_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LOOKS": (2, 3), "CHECKS": (2,), "PAIRS_MOST": 1, "POINTS": (4,)}.items():
        monkeypatch.setattr(even, name, value)

    blue = ("mikasa", "asahi")
    system, start = load_duel(blue, ("mikasa",))
    asked = build_question(6, blue=blue, red=("mikasa",), pairs=UNLIKE[:1])
    one, other = (
        list(search_levers(system, start, asked, simulate_battles(asked, run), run))
        for run in (play_here, run_backwards)
    )
    assert one == other
    assert len(one) > 3


def test_ships_that_enter_later_arrive_on_their_turn() -> None:
    """Guard against ships that never arrive, or arrive on the first turn."""
    system, start = load_duel(SHIPS, ("mikasa",))
    steps = next(lever.steps for lever in list_levers(system, start, "blue") if lever.name == "later entry")
    assert [step.text for step in steps][1] == "on turn 3: Shikishima, Fuji"
    model = BattleModel(system, apply_variant(system, start, steps[1].variant))
    playout = Playout(model, dict.fromkeys(model.sides, HOLD), Random(1))
    there = dict[int, bool]()
    while playout.battle.turn < 5:
        playout.answer()
        there[playout.battle.turn] = "b-fuji" in playout.battle.ships
        playout.play_phase()
    assert there == {1: False, 2: False, 3: True, 4: True}


@pytest.mark.parametrize(
    ("rules", "called"),
    [
        ("advanced-quickfire", "repair points"),
        ("quickfire", "repair dice"),
        ("quickfire-clone", "repair points"),
    ],
)
def test_repair_points_are_a_lever_of_rules_that_have_them(rules: str, called: str) -> None:
    """Guard against points on the card but not in the log, and steps that help the wrong side."""
    system, start = load_duel(("mikasa", "asahi"), ("mikasa",), rules)
    tried = {lever.name: lever for lever in list_levers(system, start, "blue")}
    fewer, more = tried[f"fewer {called}"], tried[f"more {called}"]
    points = start.ships["b-mikasa"].count_on_card("repair")
    assert [step.variant.points for step in fewer.steps][-1] == (("blue", -points),)
    assert more.steps[1].text == "2 more for each ship of Red"
    after = apply_variant(system, start, more.steps[1].variant)
    assert after.ships["b-mikasa"] == start.ships["b-mikasa"]
    assert after.ships["r-mikasa"].count("repair_points") == points + 2
    assert after.ships["r-mikasa"].count_on_card("repair") == points + 2
    none = apply_variant(system, start, fewer.steps[-1].variant)
    assert {ship.count("repair_points") for ship in none.ships.values() if ship.side == "blue"} == {0}


def test_rules_without_repair_points_have_no_such_lever() -> None:
    system, start = load_duel(("mikasa",), ("asahi",), "gq2")
    names = [lever.name for lever in list_levers(system, start, "blue") if lever.steps]
    crews = [f"{how} {of}" for of in ("gunnery", "shells") for how in ("worse", "better")]
    assert names == ["more ships", "shorter ranges", "longer ranges", *crews]


@pytest.mark.parametrize("rules", sorted(SYSTEMS))
def test_crews_are_a_lever_of_both_sides(rules: str) -> None:
    """Guard against steps that help the wrong side, and against lost steps of the scenario."""
    system, start = load_duel(("mikasa",), ("asahi",), rules)
    start = with_crews(system, start, lambda ship: Crew(gunnery=1))
    tried = {lever.name: lever.steps for lever in list_levers(system, start, "blue")}
    worse, better = (tried[name][1] for name in ("worse gunnery", "better shells"))
    assert (worse.text, better.text) == ("gunnery of Blue -2", "shells of Red +2")
    ships = apply_variant(system, start, (worse.variant + better.variant)).ships
    assert read_card_crew(ships["b-mikasa"].card) == Crew(gunnery=-1)
    assert read_card_crew(ships["r-asahi"].card) == Crew(gunnery=1, shells=2)
