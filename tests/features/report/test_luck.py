"""Luck and the rest add up by any worth, prices cover all faces, and throws are counted right."""

from fractions import Fraction
from itertools import chain
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest
from attrs import evolve

from qf_tui.core.declarations import AFLOAT_ALONE, Worth, WorthPart, list_damage_kinds
from qf_tui.core.timeline import Timeline, build_timeline
from qf_tui.core.values import Battle, Mark, Owed, Ship, Side
from qf_tui.features.report import pricing
from qf_tui.features.report.pricing import Pricer, is_consequence, price_by_side
from qf_tui.features.report.story import (
    analyse,
    compute_phase_ends,
    count_results,
    count_struck_throws,
    cut_slices,
    find_turning_point,
    split_phases,
    sum_damage,
    sum_results,
)
from qf_tui.features.report.throws import compute_steps
from qf_tui.features.report.values import (
    NOTHING,
    Cells,
    Distribution,
    LeftOut,
    LuckStep,
    ThrownDice,
    sum_distributions,
)
from qf_tui.library.processes import Stopped
from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.core.playing import play
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.scripts import build_two_a_side
from tests.features.report.battles import EACH_JUDGED, OPENING, list_worths, load_golden
from tests.features.report.by_force import ByForce, Chance, TooManyThrows
from tests.long import Share
from tests.tiny import D6
from tests.tiny import SYSTEM as TINY


@pytest.mark.parametrize("name", ["yellow-sea-1904-clone", "port-arthur-1904-evening"])
def test_slices_give_the_same_steps_as_the_whole(name: str) -> None:
    system, timeline = load_golden(name, OPENING)
    places = range(len(timeline.play_order))
    whole = compute_steps(system, system.worth, timeline, places)
    apart = [compute_steps(system, system.worth, timeline, places[at : at + 23]) for at in places[::23]]
    assert tuple(chain.from_iterable(apart)) == whole


def test_slices_cover_the_play_order_and_end_with_phases() -> None:
    _, timeline = load_golden("yellow-sea-1904")
    cut = cut_slices(timeline)
    assert [place for each in cut for place in each] == list(range(len(timeline.play_order)))
    starts = [timeline.versions[timeline.play_order[each.start]].order for each in cut[1:]]
    assert len(cut) > 3
    assert all(order.is_phase_end for order in starts)


def test_an_analysis_reports_its_progress_and_can_be_stopped() -> None:
    system, timeline = load_golden("port-arthur-1904-evening")
    told: list[tuple[int, int]] = []

    def go_on(done: int, of: int) -> bool:
        told.append((done, of))
        return len(told) < 2

    with pytest.raises(Stopped):
        analyse(system, timeline, AFLOAT_ALONE, report_progress=go_on)
    assert [done for done, _ in told] == [cut_slices(timeline)[0].stop, cut_slices(timeline)[1].stop]
    assert {of for _, of in told} == {len(timeline.play_order)}


FEW, MANY = 3, 300
EVENING = 60
"""Number of a side's throws from which on its luck may be called unusual."""


@pytest.mark.parametrize("battles", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", GROUNDS)
def test_luck_averages_zero_and_is_seldom_unusual(system: str, battles: int, seed: int, share: Share) -> None:
    """Guard against a mean over other dice than those thrown, and results unlike their odds."""
    ground = GROUNDS[system]
    sums, thrown = list[float](), list[ThrownDice]()
    for battle in share.take(range(seed, seed + battles)):
        timeline = Chance(ground, battle).play(45)
        steps = compute_steps(ground.system, ground.system.worth, timeline, range(len(timeline.play_order)))
        sums.append(sum(step.luck for step in steps))
        thrown.extend(step.throw for step in steps if step.throw is not None)
    assert abs(fmean(sums)) <= 4 * stdev(sums) / sqrt(len(sums))
    kinds = list_damage_kinds(ground.system.results)
    counts = []
    for side in ("blue", "red"):
        told = [one for one in thrown if one.side == side and one.kind in kinds]
        evenings = (told[at : at + EVENING] for at in range(0, len(told) - EVENING + 1, EVENING))
        counts += [sum_results(evening, side, *kinds) for evening in evenings]
    assert sum(count.chances.is_unusual(count.results) for count in counts) <= max(2, len(counts) / 2)


EACH = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
FEW_PRICED, MANY_PRICED = 1, 200


def list_owing(timeline: Timeline) -> list[Battle]:
    """Return the battles between entries in which a priced roll is owed."""
    between = map(timeline.battle_at, range(len(timeline.play_order) + 1))
    return [battle for battle in between if any(map(is_consequence, battle.owed))]


def _compare_prices(ground: Ground, timeline: Timeline) -> int:
    """Compare prices with brute force and return the number of battles compared."""
    worth, compared = list_worths(ground.system)["everything"], 0
    for battle in list_owing(timeline)[:6]:
        try:
            expected = ByForce(ground.system, worth, 400).price(battle)
        except TooManyThrows:
            continue
        assert tuple(price_by_side(ground.system, worth, battle).values()) == pytest.approx(
            expected, abs=1e-9
        )
        compared += 1
    return compared


@EACH
@pytest.mark.parametrize("battles", [FEW_PRICED, pytest.param(MANY_PRICED, marks=pytest.mark.long)])
def test_a_price_is_the_mean_over_all_faces_of_all_owed_rolls(
    ground: Ground, battles: int, seed: int, share: Share
) -> None:
    """Guard against ships priced apart whose rolls interact, and against merged states."""
    compared = 0
    for battle in share.take(range(seed, seed + battles)):
        played = Chance(ground, battle)
        timeline = played.play(40, strict=battle % 5 == 4, rare=battle % 2 == 1)
        compared += _compare_prices(ground, timeline)
        compared += _compare_prices(ground, played.play_corrected(25, 4))
    assert compared > battle - seed


@EACH_JUDGED
def test_cached_states_change_no_price(name: str, orders: int | None) -> None:
    system, timeline = load_golden(name, orders)
    pricer = Pricer(system, system.worth)
    for battle in list_owing(timeline)[:40]:
        assert pricer.price_sides(battle) == tuple(price_by_side(system, system.worth, battle).values())


@pytest.mark.parametrize(("most", "again"), [(pricing.KNOWN_MOST, False), (0, True)])
def test_the_cache_of_states_is_cleared_before_it_fills_the_memory(
    monkeypatch: pytest.MonkeyPatch, most: int, again: bool
) -> None:
    """Guard against twenty fires, entered by hand, whose states took sixteen gigabytes."""
    monkeypatch.setattr(pricing, "KNOWN_MOST", most)
    system, timeline = load_golden("yellow-sea-1904")
    worked_out = 0

    def count_ship(ship: Ship) -> float:
        nonlocal worked_out
        worked_out += 1
        return 0.0

    battle = list_owing(timeline)[0]
    pricer = Pricer(system, Worth((WorthPart("count", "each", 1, count_ship),)))
    pricer.price_sides(battle)
    first, worked_out = worked_out, 0
    pricer.price_sides(battle)
    assert (worked_out == first) is again


@pytest.mark.parametrize(("asked", "lost"), [(False, 1 / 3), (True, 0)])
def test_consequences_are_not_priced_while_a_question_in_words_is_open(asked: bool, lost: float) -> None:
    """Guard against a leak check that is priced although the umpire must answer first."""
    ships = {
        name: Ship(name, name, side, "", {}, {"hull": 5, "guns": 4, "moved": None})
        for name, side in (("ant", "east"), ("bee", "west"))
    }
    ships["ant"] = evolve(ships["ant"], marks=(Mark("1", "fires"),))
    ships["bee"] = evolve(ships["bee"], marks=(Mark("2", "leak", "port"),))
    check = Owed("1/fire-check/ant/1", "fire-check", "ant", "fire on ant", (D6,))
    question = Owed("1/side/bee/1", "side", "bee", "which side?", words=("port", "starboard"))
    owed = (check, question) if asked else (check,)
    sides = (Side("east", "East"), Side("west", "West"))
    battle = Battle(1, "tend", sides, ships, {}, {}, {}, owed=owed)
    hull = Worth((WorthPart("hull", "each", 1, lambda ship: ship.count("hull")),))
    assert price_by_side(TINY, hull, battle) == pytest.approx({"east": 5 - 1 / 3, "west": 5 - lost})


@pytest.mark.parametrize(("faces", "unusual"), [(10, False), (11, True)])
def test_a_chance_below_one_in_ten_is_unusual(faces: int, unusual: bool) -> None:
    assert Distribution((1,) * faces, faces).is_unusual(0) is unusual


COIN, HALF = Distribution((1, 1), 2), Fraction(1, 2)
SHOT = "fire ajax heavy rook pb 3 12"


def build_throw(entry: int, side: str = "blue", kind: str = "guns", **more: Any) -> ThrownDice:
    usual = ThrownDice(entry, 1, "first-gunnery", side, "ajax", "rook", "fire", kind, (1,), 1, COIN, 0.5)
    return evolve(usual, **more)


def test_results_are_counted_by_side_and_kind_and_damage_in_one_sum() -> None:
    throws = (
        build_throw(1),
        build_throw(2, results=0),
        build_throw(3, kind="torpedoes"),
        build_throw(4, side="red", kind="repairs"),
        build_throw(5, left_out=LeftOut.JUDGED_OTHERWISE, chances=NOTHING),
        build_throw(6, kind=""),
    )
    counts = count_results(SYSTEM, ("blue", "red"), throws)
    found = {(count.side, count.kind): (count.throws, count.results, count.chances.mean) for count in counts}
    assert found == {
        ("blue", "guns"): (2, 1, 2 * HALF),
        ("blue", "torpedoes"): (1, 1, HALF),
        ("red", "repairs"): (1, 1, HALF),
    }
    blue, red = sum_damage(SYSTEM, ("blue", "red"), counts)
    assert (blue.kind, blue.throws, blue.results, blue.chances) == ("", 3, 2, sum_distributions((COIN,) * 3))
    assert (red.throws, red.results, red.chances) == (0, 0, NOTHING)
    assert sum_results(throws, "blue", "guns", "torpedoes") == blue


@pytest.mark.parametrize(
    ("orders", "blue", "red"),
    [
        ((SHOT,), 0, 0),
        ((SHOT, "undo"), 1, 0),
        ((SHOT, "undo", "redo"), 0, 0),
        ((SHOT, "strike 1", "restore 1"), 0, 0),
        ((SHOT, "amend 1 4 12"), 1, 0),
        ((SHOT, "amend 1 fire ajax heavy rook long 3 12"), 0, 0),
        ((SHOT, "amend 1 4 12", "strike 2"), 1, 0),
        ((SHOT, "amend 1 4 12", "amend 1 3 12"), 1, 0),
        ((SHOT, "amend 1 4 12", "strike 1"), 2, 0),
        ((SHOT, "amend 1 fire rook heavy ajax pb 4 12"), 1, 0),
        (("damage rook E", "roll 4", "undo"), 0, 1),
        (("damage rook E", "undo"), 0, 0),
    ],
)
def test_struck_throws_are_counted_for_their_side(orders: tuple[str, ...], blue: int, red: int) -> None:
    timeline = play(build_timeline(build_two_a_side(), ()), *orders, system=SYSTEM)
    assert count_struck_throws(timeline) == {"blue": blue, "red": red}


def test_only_cells_read_by_entries_in_force_are_counted() -> None:
    timeline = play(
        build_timeline(build_two_a_side(), ()), SHOT, SHOT.replace("heavy", "light"), system=SYSTEM
    )
    assert analyse(SYSTEM, timeline).cells == Cells(3, 3)
    assert analyse(SYSTEM, play(timeline, "undo 2", system=SYSTEM)).cells == Cells()


def test_the_turning_point_is_the_phase_and_the_throw_with_the_most_luck() -> None:
    _, timeline = load_golden("port-arthur-1904-evening")
    first = [number for number in timeline.play_order if not timeline.versions[number].order.is_phase_end]
    by_entry = {first[0]: 1.0, first[1]: 1.5, first[-1]: -2.25}
    steps = [
        LuckStep(
            number, (0.0, 0.0), by_entry.get(number, 0), 0, build_throw(number, luck=by_entry.get(number))
        )
        for number in timeline.play_order
    ]
    every = split_phases(timeline, steps)
    found = find_turning_point(every)
    assert found is not None
    assert (found.luck, found.throws, found.throw) == (2.5, (first[1], first[0]), first[-1])
    assert (found.turn, found.phase) == (timeline.start.turn, timeline.start.phase)
    ends = compute_phase_ends(("one", "other"), (0, 0), every)
    assert [end.luck for end in ends][:1] == [2.5]
    assert ends[-1].luck == 0.25
    assert ends[-1].entry == 0
    assert find_turning_point(split_phases(timeline, [])) is None
    worse = [
        evolve(one, throw=build_throw(one.entry, luck=-2.75)) if one.entry == first[-1] else one
        for one in steps
    ]
    last = find_turning_point(split_phases(timeline, worse))
    assert last is not None
    assert (last.luck, last.throws) == (-2.75, (first[-1],))
