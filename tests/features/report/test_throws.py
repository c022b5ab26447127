"""Each throw against all of its faces entered one by one: results, ownership and prices."""

from collections.abc import Hashable
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from qf_tui.core.decide import may_be_early, play_again, prepare_entry
from qf_tui.core.declarations import PreparedEntry
from qf_tui.core.odds import list_throws as faces_of
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import State, Timeline, build_timeline
from qf_tui.core.values import Die, Faces, Order, Owed, is_pool
from qf_tui.features.report import pricing, values
from qf_tui.features.report.pricing import (
    MANY,
    ROLLS_MOST,
    ROLLS_OF_MANY_MOST,
    Pricer,
    compute_advantage,
    is_consequence,
    list_possible_throws,
    list_priced,
    price_by_side,
)
from qf_tui.features.report.throws import compute_steps, list_branches
from qf_tui.features.report.values import (
    Distribution,
    LeftOut,
    LuckStep,
    ThrownDice,
    build_distribution,
    sum_distributions,
)
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.session import Session
from tests.core.playing import play
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.scripts import build_two_a_side
from tests.features.report.battles import list_worths
from tests.features.report.by_force import Chance, list_faces
from tests.long import Share
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.quickfire import tables as quickfire
from tests.systems import find_our_systems

EACH = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
FEW_BATTLES, MANY_BATTLES = 1, 200
FACES_MOST = 220
"""Limit of the faces of a throw that a test has time for."""


def check_throw(
    system: RuleSystem, timeline: Timeline, step: LuckStep, throw: ThrownDice, most: int = FACES_MOST
) -> bool:
    """Compare a throw with battles in which each face was entered; False if there are too many."""
    worth = list_worths(system)["everything"]
    battle, version = timeline.battle_at(timeline.play_order.index(step.entry)), timeline.versions[step.entry]
    placed = timeline.rulings_when_placed.get(step.entry)
    entry = prepare_entry(system, battle, version, early=may_be_early(battle, version.order, placed))
    every = list(islice(list_faces(entry), most + 1))
    if len(every) > most:
        return False
    kind = next((kind for kind in system.results if kind.name == throw.kind), None)
    apart = Pricer(system, worth)
    found = list_branches(system, Pricer(system, worth), battle, step.entry, entry, kind)
    assert found is not None
    there = entry.question.faces if entry.question is not None else ()
    grouped = {_build_group_key(entry, branch.faces): branch for branch in found}
    chances: dict[int, Fraction] = {}
    brought: list[tuple[Fraction, float]] = []
    decided: dict[Hashable, object] = {}
    for chance, dice in every:
        ruling, after = play_again(
            system, battle, step.entry, evolve(version, order=evolve(version.order, dice=dice)), placed
        )
        assert ruling.state is State.STANDS
        does = _build_group_key(entry, (*there, *dice))
        branch = grouped[does]
        if entry.prepared.alike is not None and not _is_pool(entry):
            did = ruling.decision.effects, ruling.decision.outcome
            assert decided.setdefault(does, did) == did
        results = kind.count_results(dict(ruling.decision.outcome)) if kind is not None else 0
        assert branch.worth == pytest.approx(apart.price_sides(after), abs=1e-9)
        assert branch.results == results
        chances[results] = chances.get(results, Fraction(0)) + chance
        brought.append((chance, compute_advantage(branch.worth)))
    mean = sum(
        count / of * compute_advantage(branch.worth)
        for branch in grouped.values()
        for count, of in [branch.weight]
    )
    assert throw.luck == pytest.approx(compute_advantage(step.worth) - mean, abs=1e-9)
    assert throw.luck is not None
    sign = 1 if throw.luck >= 0 else -1
    far = [chance for chance, value in brought if (value - mean) * sign > abs(throw.luck) - 1e-8]
    assert throw.luck_chance == sum(far)
    if kind is not None and not entry.missing:
        assert throw.chances == build_distribution(chances)
    return True


def _build_group_key(entry: PreparedEntry, faces: Faces) -> Hashable:
    """Return the key of faces that count as alike: those in any order of a pool, or of equal effect."""
    there = len(entry.question.faces) if entry.question is not None else 0
    shown = (*faces[:there], *sorted(faces[there:])) if _is_pool(entry) else faces
    if entry.prepared.alike is not None and not entry.prepared.missing(faces):
        return entry.prepared.alike(shown), len(faces)
    return shown


def _is_pool(entry: PreparedEntry) -> bool:
    """Return whether the dice are alike and thrown together, so that their order does not matter."""
    there = entry.question.faces if entry.question is not None else ()
    return is_pool(entry.prepared.missing(there))


@EACH
@pytest.mark.parametrize("battles", [FEW_BATTLES, pytest.param(MANY_BATTLES, marks=pytest.mark.long)])
def test_each_face_has_the_result_of_an_entry_with_it(
    ground: Ground, battles: int, seed: int, share: Share
) -> None:
    """Guard against grouped pools whose order matters, and prices or results unlike the rules'."""
    compared = 0
    for battle in share.take(range(seed, seed + battles)):
        chance = Chance(ground, battle)
        for timeline in (chance.play(30, strict=battle % 5 == 4), chance.play_corrected(20, 3)):
            worth = list_worths(ground.system)["everything"]
            for step in compute_steps(ground.system, worth, timeline, range(len(timeline.play_order))):
                if step.throw is not None and step.throw.left_out is None:
                    compared += check_throw(ground.system, timeline, step, step.throw)
    assert compared > battle - seed


@EACH
@pytest.mark.parametrize("battles", [FEW_BATTLES, pytest.param(MANY_BATTLES, marks=pytest.mark.long)])
def test_luck_and_rest_sum_up_to_the_change_in_corrected_battles(
    ground: Ground, battles: int, seed: int, share: Share
) -> None:
    for battle in share.take(range(seed, seed + battles)):
        timeline = Chance(ground, battle).play_corrected(30, 4)
        for worth in list_worths(ground.system).values():
            before = compute_advantage(tuple(price_by_side(ground.system, worth, timeline.start).values()))
            for step in compute_steps(ground.system, worth, timeline, range(len(timeline.play_order))):
                after = compute_advantage(step.worth)
                assert after - before == pytest.approx(step.luck + step.rest, abs=1e-9)
                before = after
                stands = timeline.rulings[step.entry].state is State.STANDS
                assert stands or (step.throw, step.luck, step.rest) == (None, 0, 0)
            assert before == pytest.approx(
                compute_advantage(tuple(price_by_side(ground.system, worth, timeline.battle).values())),
                abs=1e-9,
            )


def list_throws(session: Session) -> tuple[ThrownDice, ...]:
    system, timeline = session.system, session.timeline
    steps = compute_steps(system, system.worth, timeline, range(len(timeline.play_order)))
    return tuple(step.throw for step in steps if step.throw is not None)


def summarize_throws(session: Session) -> list[tuple[str, str, str, int]]:
    """Return the ship, target, kind and results of each throw."""
    return [(throw.ship, throw.target, throw.kind, throw.results) for throw in list_throws(session)]


def test_speed_hits_of_a_torpedo_count_for_the_ship_that_launched_it() -> None:
    """Guard against damage told of the struck ship, or lost after answers to answers."""
    struck = [("ajax", "rook", "torpedoes", 1), ("ajax", "rook", "torpedo-hits", 4)]
    at_once = quickfire.played(quickfire.battle(), "torpedo ajax rook in 1 1", "roll 4")
    assert summarize_throws(at_once) == struck
    declared = quickfire.played(quickfire.battle(), "torpedo ajax rook in", "roll 1 1", "roll 4")
    assert summarize_throws(declared) == struck


def test_damage_from_a_mine_does_not_count_for_its_victim() -> None:
    for orders in (("mine rook 1",), ("mine rook", "roll 1")):
        session = gq2.played(gq2.battle(phase="movement"), *orders)
        assert summarize_throws(session) == [("rook", "", "mines", 6)]


def test_boxes_lost_to_torpedoes_count_for_the_ship_that_launched_them() -> None:
    session = gq2.played(gq2.battle(phase="torpedo"), "torpedo ajax rook stick 5 1", "roll 2")
    assert summarize_throws(session) == [
        ("ajax", "rook", "torpedoes", 1),
        ("ajax", "rook", "torpedo-hits", 10),
    ]


@pytest.mark.parametrize("fired", ["fire ajax heavy rook pb 1 12", "fire ajax heavy rook pb"])
def test_the_console_s_dice_are_distinguished_from_typed_dice(fired: str) -> None:
    session = Session.begin(find_our_systems()["advanced-quickfire"], advanced.battle(), seed=1)
    session.enter(fired)
    assert [throw.by_console for throw in list_throws(session)] == ["12" not in fired]


def test_a_save_keeps_which_dice_the_console_threw(tmp_path: Path) -> None:
    """Guard against a flag that is lost on the disk, and one kept by an amendment with typed dice."""
    system, save = find_our_systems()["advanced-quickfire"], tmp_path / "battle.qfb"
    session = Session.begin(system, advanced.battle(), save, seed=1)
    for order in ("fire ajax heavy rook pb", "fire ajax light rook pb", "amend 2 1 5"):
        session.enter(order)
    session.close()
    seen = Session.view(save, find_our_systems())
    assert seen.timeline == session.timeline
    assert [throw.by_console for throw in list_throws(seen)][:2] == [True, False]


@pytest.mark.parametrize("bits", [1, 8, 61, 1000, 10_000])
@pytest.mark.parametrize("sizes", [(1, 1), (1, 7), (5, 3), (12, 9)])
def test_polynomials_multiplied_as_long_numbers_are_exact(
    sizes: tuple[int, int], bits: int, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Guard against too little room for a coefficient, and numbers too long for Python to print."""
    chance = Random(seed)
    one, other = ([chance.getrandbits(bits) for _ in range(size)] for size in sizes)
    for both in ((one, other), ([2**bits - 1] * sizes[0], [2**bits - 1] * sizes[1]), ([0, 1], [1, *other])):
        monkeypatch.setattr(values, "PLAIN_WORK_MOST", 10**18)
        each = values.multiply_polynomials(*both)
        monkeypatch.setattr(values, "PLAIN_WORK_MOST", 0)
        assert values.multiply_polynomials(*both) == each


def test_hundreds_of_throws_are_added_exactly() -> None:
    """Guard against a sum that takes minutes, and one that is only nearly right."""
    found = sum_distributions([Distribution((75, 40, 20, 9), 144)] * 400)
    assert sum(found.ways) == found.of == 144**400
    assert found.mean * 144 == 400 * (40 + 2 * 20 + 3 * 9)


ROLL = Owed("1/explosion/rook/1", "explosion", "rook", "explosion of Rook", (Die(12),))
SHOT = Order(next(form for form in SYSTEM.forms if form.word == "fire"), {})


@pytest.mark.parametrize(
    ("owed", "follows"),
    [
        (ROLL, True),
        (evolve(ROLL, dice=(), words=("yes", "no")), False),
        (evolve(ROLL, late=True), False),
        (evolve(ROLL, line=SCHEDULE), False),
        (evolve(ROLL, line="fire", order=SHOT), False),
        (evolve(ROLL, line="fire", order=SHOT, faces=(3,)), True),
        (evolve(ROLL, order=SHOT), True),
    ],
)
def test_a_roll_is_priced_if_it_follows_from_past_entries(owed: Owed, follows: bool) -> None:
    assert is_consequence(owed) is follows


def test_the_priced_rolls_of_each_ship_are_limited() -> None:
    many = [evolve(ROLL, key=f"1/explosion/rook/{at}") for at in range(ROLLS_MOST + 2)]
    question, other = evolve(ROLL, dice=(), words=("yes",)), evolve(ROLL, ship="ajax")
    assert list_priced((*many, question, other)) == (*many[:ROLLS_MOST], question, other)


def test_few_of_very_many_rolls_of_one_ship_are_priced() -> None:
    """Guard against twenty fires, entered by hand, that make a report take a quarter of an hour."""
    many = [evolve(ROLL, key=f"1/explosion/rook/{at}") for at in range(MANY + 1)]
    assert list_priced(many) == tuple(many[:ROLLS_OF_MANY_MOST])
    assert list_priced(many[1:]) == tuple(many[1 : ROLLS_MOST + 1])


@pytest.mark.parametrize("limit", ["DECIDED_MOST", "THROWS_MOST"])
def test_a_throw_of_too_many_faces_has_no_luck(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard against a limit that is off by one."""
    timeline = play(build_timeline(build_two_a_side(), ()), "fire ajax heavy rook pb 3 12", system=SYSTEM)
    entry = prepare_entry(SYSTEM, timeline.start, timeline.versions[1])
    decided, every = list_possible_throws(entry), tuple(faces_of(entry.prepared))
    assert decided is not None
    assert len(decided) < len(every)
    most = len(decided if limit == "DECIDED_MOST" else every)
    for less, why in ((0, None), (1, LeftOut.TOO_MANY_DICE)):
        monkeypatch.setattr(pricing, limit, most - less)
        (step,) = compute_steps(SYSTEM, SYSTEM.worth, timeline, range(1))
        assert step.throw is not None
        assert (step.throw.left_out, step.throw.luck is None) == (why, why is not None)
