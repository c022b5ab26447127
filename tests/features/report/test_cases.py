"""Special battles: their luck, story, losses and deeds."""

from collections.abc import Iterable

import pytest
from attrs import evolve

from qf_tui.core.decide import begin_battle
from qf_tui.core.decisions import Decision
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Ruling, Timeline, build_timeline
from qf_tui.core.values import Battle, Side
from qf_tui.features.report import pricing
from qf_tui.features.report.pricing import compute_advantage, price_by_side
from qf_tui.features.report.story import analyse, list_deeds, list_losses, list_story
from qf_tui.features.report.throws import compute_steps
from qf_tui.features.report.values import DamageDealt, Fate, LeftOut, Loss, LuckStep, ThrownDice
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.rules.gq2 import SYSTEM as GQ2
from qf_tui.session import Session
from tests.console.playing import begin_gunnery
from tests.core.playing import play
from tests.corrections.scripts import build_two_a_side
from tests.features.report.battles import list_worths
from tests.features.report.test_throws import check_throw
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.playing import enter


def play_battle(start: Battle, *orders: str, system: RuleSystem = SYSTEM) -> Timeline:
    return play(build_timeline(start, ()), *orders, system=system)


def find_steps(timeline: Timeline, system: RuleSystem = SYSTEM) -> tuple[LuckStep, ...]:
    worth = list_worths(system)["everything"]
    found = compute_steps(system, worth, timeline, range(len(timeline.play_order)))
    _check_sum(system, timeline, found)
    return found


def _check_sum(system: RuleSystem, timeline: Timeline, found: Iterable[LuckStep]) -> None:
    worth = list_worths(system)["everything"]
    ends = (
        tuple(price_by_side(system, worth, battle).values()) for battle in (timeline.start, timeline.battle)
    )
    start, end = map(compute_advantage, ends)
    assert end - start == pytest.approx(sum(step.luck + step.rest for step in found), abs=1e-9)


def test_dice_thrown_in_parts_each_have_their_own_luck_and_count_once() -> None:
    shot = "fire ajax heavy rook pb"
    timeline = play_battle(build_two_a_side((6, 6)), f"{shot} 9", f"amend 1 {shot} 3", "roll 12")
    first, second = find_steps(timeline)
    assert first.throw is not None
    assert second.throw is not None
    assert (first.throw.dice, first.throw.kind, first.throw.results) == ((3,), "", 0)
    assert (second.throw.dice, second.throw.kind) == ((12,), "guns")
    assert second.throw.results > 0
    assert first.luck != 0
    at_once = find_steps(play_battle(build_two_a_side((6, 6)), f"{shot} 3 12"))
    assert first.luck + second.luck == pytest.approx(at_once[0].luck, abs=1e-9)


def test_a_declared_shot_changes_nothing_until_its_dice_are_thrown() -> None:
    shot = "fire ajax heavy rook pb"
    declared, thrown = find_steps(play_battle(build_two_a_side((6, 6)), shot, "roll 3 12"))
    assert (declared.throw, declared.luck, declared.rest) == (None, 0, 0)
    at_once = find_steps(play_battle(build_two_a_side((6, 6)), f"{shot} 3 12"))[0]
    assert (thrown.luck, thrown.rest) == (at_once.luck, at_once.rest)


def test_a_shot_has_the_luck_of_its_consequences_and_the_roll_only_its_own() -> None:
    timeline = play_battle(
        advanced.battle(advanced.ship("ajax"), advanced.ship("rook", "red")), "damage rook E"
    )
    asked = find_steps(timeline)[0]
    assert asked.luck == 0
    for face in range(1, 13):
        caused, rolled = find_steps(play(timeline, f"roll {face}", system=SYSTEM))
        assert caused == asked
        assert rolled.rest == pytest.approx(0, abs=1e-9)
        assert rolled.throw is not None
        assert (rolled.throw.side, rolled.throw.ship, rolled.throw.line) == ("red", "rook", "explosion")


@pytest.mark.parametrize("most", [2, pytest.param(pricing.ROLLS_MOST, marks=pytest.mark.long)])
def test_only_some_of_many_rolls_of_one_ship_are_priced(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Avoid the countless states of twelve fires to check."""
    monkeypatch.setattr(pricing, "ROLLS_MOST", most)
    start = advanced.battle(
        advanced.ship("ajax"), advanced.ship("rook", "red", fires=12), phase="second-gunnery"
    )
    timeline = play_battle(start, "next")
    assert len(timeline.battle.owed) == 12
    stands = SYSTEM.worth.value_side(timeline.battle, "red")
    assert price_by_side(SYSTEM, SYSTEM.worth, timeline.battle)["red"] < stands
    _, rolled = find_steps(play(timeline, "roll 12", system=SYSTEM))
    assert rolled.throw is not None
    assert rolled.throw.luck != 0


def test_in_strict_play_a_shot_has_its_results_once_its_last_cell_is_read() -> None:
    """Guard against lost results: luck leaves them out, but losses and the story need them."""
    start = advanced.battle(advanced.ship("ajax"), advanced.ship("rook", "red"), strict=True)
    timeline = play_battle(start, "fire ajax heavy rook medium 1 2", "answer 2", "answer none")
    asked, again, last = find_steps(timeline)
    assert asked.throw is not None
    assert (asked.throw.kind, asked.throw.results, asked.throw.left_out) == ("", 0, None)
    assert again.throw is None
    assert last.throw is not None
    assert (last.throw.ship, last.throw.target, last.throw.kind) == ("ajax", "rook", "guns")
    assert (last.throw.dice, last.throw.results, last.throw.luck) == ((1, 2), 2, None)
    assert last.throw.left_out is LeftOut.READ_OUT
    assert last.rest != 0
    found = analyse(SYSTEM, timeline)
    assert not [count for count in found.counts if count.throws]
    assert [(line.fate, line.ship, line.by) for line in found.story] == [(Fate.DAMAGE, "rook", "ajax")]


def test_a_forced_shot_has_its_luck() -> None:
    timeline = play_battle(
        build_two_a_side(), "fire ajax heavy rook pb 3 12", "force fire ajax heavy rook pb 3 12"
    )
    assert find_steps(timeline)[1].throw is not None
    assert find_steps(timeline)[1].luck != 0


def _replace_ruling(timeline: Timeline, ruling: Ruling) -> Timeline:
    """Return the timeline with another recorded ruling of its last entry."""
    entry = timeline.log[-1]
    log = (*timeline.log[:-1], evolve(entry, rulings={entry.number: ruling}))
    return build_timeline(timeline.start, log)


def test_a_throw_that_the_rules_now_judge_differently_is_left_out_and_named() -> None:
    timeline = play_battle(build_two_a_side(), "fire ajax heavy rook pb 3 12")
    was = timeline.rulings[1]
    old = Decision(was.decision.effects[:-1], was.decision.reasons, was.decision.outcome)
    (step,) = find_steps(_replace_ruling(timeline, Ruling(old)))
    assert step.throw is not None
    assert (step.throw.left_out, step.throw.luck, step.luck) == (LeftOut.JUDGED_OTHERWISE, None, 0)


def test_an_order_that_cannot_be_prepared_is_left_out_and_named() -> None:
    timeline = play_battle(build_two_a_side(), "fire ajax heavy rook pb 3 12")
    ships = {id: ship for id, ship in timeline.start.ships.items() if id != "rook"}
    (step,) = find_steps(build_timeline(evolve(timeline.start, ships=ships, began=None), timeline.log))
    assert step.throw is not None
    assert (step.throw.left_out, step.throw.side, step.throw.ship) == (LeftOut.FORCED, "blue", "ajax")


def test_a_throw_with_too_many_dice_is_left_out_and_named() -> None:
    """Throw for the first move with one die for each of four sides."""
    names = ("blue", "red", "green", "grey")
    bare = advanced.battle(*(advanced.ship(f"of-{name}", name) for name in names), phase="movement")
    sides = tuple(Side(name, name) for name in names)
    options = {**bare.options, "initiative": "each-turn"}
    start = begin_battle(SYSTEM, evolve(bare, sides=sides, options=options, began=None))
    (step,) = find_steps(play_battle(start, "roll 1 2 3 4"))
    assert step.throw is not None
    assert (step.throw.left_out, step.throw.side, step.luck) == (LeftOut.TOO_MANY_DICE, "", 0)


POOLS = (
    pytest.param(
        *("boats ajax skiff 1 2 5", SYSTEM, advanced.battle(advanced.ship("ajax"), advanced.craft("skiff"))),
        marks=pytest.mark.long,
    ),
    ("boats ajax skiff 7 7", SYSTEM, advanced.battle(advanced.ship("ajax"), advanced.craft("skiff"))),
    (
        "torpedo kobold rook stick 6 spread 2 1 7",
        GQ2,
        gq2.battle(
            gq2.destroyer("kobold", "blue", torpedoes=("light", 6)),
            gq2.ship("rook", "red"),
            phase="torpedo",
            light="day",
            spread="die-each",
        ),
    ),
)


@pytest.mark.parametrize(("order", "system", "start"), POOLS)
def test_the_order_of_dice_in_a_pool_does_not_matter(order: str, system: RuleSystem, start: Battle) -> None:
    timeline = play_battle(start, order, system=system)
    (step,) = find_steps(timeline, system)
    assert step.throw is not None
    assert step.throw.dice == tuple(map(int, order.split()[-len(step.throw.dice) :]))
    assert check_throw(system, timeline, step, step.throw, most=2000)


@pytest.mark.parametrize("names", [("blue",), ("blue", "red", "green"), ()])
def test_a_battle_of_any_number_of_sides_is_analysed(names: tuple[str, ...]) -> None:
    start = evolve(build_two_a_side(), sides=tuple(Side(name, name.title()) for name in names), began=None)
    found = analyse(SYSTEM, play_battle(start, "damage ajax G", "fire ajax heavy rook pb 3 12"))
    assert found.sides == names
    assert tuple(found.start) == names
    assert len(found.throws) == 1
    assert set(found.struck_throws) == set(names)


GUNS, MENDED, BLASTS = "guns", "repairs", "explosions"


def enter_gunnery(*orders: str) -> Session:
    """Enter orders in the first gunnery phase, which entry 1 began."""
    return enter(begin_gunnery(), *orders)


def build_throw(entry: int, ship: str, target: str, results: int, kind: str = GUNS) -> ThrownDice:
    return ThrownDice(entry, 1, "first-gunnery", "blue", ship, target, "fire", kind, (1,), results)


def list_told(session: Session, *throws: ThrownDice) -> list[tuple[int, Fate, str, str]]:
    lines = list_story(session.system, session.timeline, throws)
    return [(line.entry, line.fate, line.ship, line.by) for line in lines]


@pytest.mark.parametrize(
    ("orders", "lines"),
    [
        (("leave ohio sunk",), [(2, Fate.LOST, "ohio", "")]),
        (("leave ohio",), [(2, Fate.LOST, "ohio", "")]),
        (("damage ohio E",), [(2, Fate.EVENT, "ohio", "")]),
        (("damage ohio D", "roll 2/direction/ohio/1 5"), [(3, Fate.OUT_OF_LINE, "ohio", "")]),
        (("mark ohio speed_hits 8",), [(2, Fate.OUT_OF_LINE, "ohio", "")]),
        (("note the wind backs",), []),
        (("fire mikasa heavy borodino long 12",), []),
        (("damage ohio E", "leave ohio sunk"), [(3, Fate.LOST, "ohio", ""), (2, Fate.EVENT, "ohio", "")]),
        (("leave ohio sunk", "strike 2"), []),
    ],
)
def test_a_story_tells_the_greatest_event_first(
    orders: tuple[str, ...], lines: list[tuple[int, Fate, str, str]]
) -> None:
    """Guard against events read from texts, and against struck entries."""
    assert list_told(enter_gunnery(*orders)) == lines


def test_a_story_tells_damage_to_others_and_no_repairs() -> None:
    session = enter_gunnery("fire mikasa heavy borodino long 4 8", "note so")
    throws = (build_throw(2, "mikasa", "borodino", 2), evolve(build_throw(3, "mikasa", "", 1), kind=MENDED))
    assert list_told(session, *throws) == [(2, Fate.DAMAGE, "borodino", "mikasa")]


def test_damage_from_a_ship_s_own_roll_is_told_of_her() -> None:
    session = enter_gunnery("note so")
    assert list_told(session, build_throw(2, "mikasa", "", 1, BLASTS)) == [(2, Fate.DAMAGE, "mikasa", "")]


def test_consequences_of_a_shot_count_for_its_firer() -> None:
    """Follow an explosion and its direction through the answers that were owed."""
    session = enter_gunnery("fire mikasa heavy borodino 24in 1 1")
    owed = session.battle.owed
    while owed:
        session.enter(f"roll {owed[0].key} {' '.join(str(die.least) for die in owed[0].dice)}")
        owed = session.battle.owed
    lines = list_story(session.system, session.timeline, ())
    assert all(line.by == "mikasa" for line in lines if line.ship == "borodino")


def test_a_loss_names_the_ships_that_did_damage_before_it_the_most_first() -> None:
    session = enter_gunnery("note a", "note b", "note c", "leave ohio sunk", "note d")
    throws = (
        build_throw(2, "mikasa", "ohio", 1),
        build_throw(3, "borodino", "ohio", 3),
        build_throw(4, "mikasa", "ohio", 1),
        build_throw(4, "mikasa", "hannibal", 4),
        build_throw(6, "mikasa", "ohio", 4),
    )
    ohio = session.battle.ships["ohio"]
    assert list_losses(session.system, session.timeline, throws) == (
        Loss("ohio", ohio.side, "sunk", 5, 1, session.battle.phase, (("borodino", 3), ("mikasa", 2))),
    )


@pytest.mark.parametrize(
    ("orders", "losses"),
    [
        (("leave ohio", "leave hannibal sunk"), [("ohio", 2), ("hannibal", 3)]),
        (("leave ohio sunk", "mark ohio status afloat"), []),
        (("leave ohio withdrawn", "mark ohio status sunk"), [("ohio", 3)]),
    ],
)
def test_a_ship_is_lost_by_her_latest_status(orders: tuple[str, ...], losses: list[tuple[str, int]]) -> None:
    session = enter_gunnery(*orders)
    found = list_losses(session.system, session.timeline, ())
    assert [(loss.ship, loss.entry) for loss in found] == losses


def test_deeds_count_throws_hits_and_results() -> None:
    throws = (
        build_throw(2, "mikasa", "ohio", 0),
        build_throw(3, "mikasa", "ohio", 2),
        build_throw(4, "ohio", "mikasa", 3),
        build_throw(5, "mikasa", "ohio", 0),
        build_throw(6, "ohio", "", 9),
        evolve(build_throw(7, "ohio", "mikasa", 9), kind=MENDED),
    )
    assert list_deeds(begin_gunnery().system, throws) == (
        DamageDealt("ohio", "mikasa", GUNS, 1, 1, 3),
        DamageDealt("mikasa", "ohio", GUNS, 3, 1, 2),
    )
