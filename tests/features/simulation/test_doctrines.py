"""Doctrines: the range that each seeks, the targets it attacks, and the fate of a side that runs."""

from random import Random

import pytest

from qf_tui.core.values import End, replace
from qf_tui.features.simulation.doctrines import (
    CHASE,
    CLOSE,
    CONCENTRATE,
    DOCTRINES,
    HOLD,
    KEEP_AWAY,
    RUN,
    Doctrine,
)
from qf_tui.features.simulation.lines import BattleLine, Sea
from qf_tui.features.simulation.model import BattleModel
from qf_tui.features.simulation.playout import Playout
from qf_tui.library.declared import OUR_DOCTRINES
from tests.features.simulation.duels import load_duel

FOUR = ("mikasa", "asahi", "shikishima", "fuji")


def build_model(more: str = "", red: tuple[str, ...] = FOUR, of_red: str = "") -> BattleModel:
    return BattleModel(*load_duel(("mikasa",), red, "advanced-quickfire", more, of_red))


def test_a_scenario_may_name_every_doctrine() -> None:
    assert tuple(DOCTRINES) == OUR_DOCTRINES


def test_each_doctrine_seeks_a_fraction_of_the_longest_range() -> None:
    model = build_model()
    wishes = {each.name: each.wishes(model, "blue") / model.reach for each in DOCTRINES.values()}
    del wishes["keep-away"]
    assert wishes == {"hold": 0.5, "close": pytest.approx(0.1), "concentrate": 0.5, "chase": 0.25, "run": 2}


def test_a_wish_is_limited_by_the_sea_room_and_scales_with_stretch() -> None:
    model = build_model("sea_room = 20")
    assert RUN.build_helm(model, "blue").range == 20
    assert RUN.build_helm(build_model(), "blue").range == 2 * model.reach
    model.stretch = 0.5
    assert HOLD.build_helm(model, "blue").range == model.reach / 4


def test_keep_away_seeks_the_range_with_the_best_odds() -> None:
    """Stay where only heavy guns reach, if the enemy has only light ones."""
    model = build_model(red=("niitaka", "tsushima", "niitaka-2")[:2])
    best = KEEP_AWAY.wishes(model, "blue")
    assert best >= model.reach / 2
    at_best, nearer = (model.compute_harm("red", round(range)) for range in (best, best / 2))
    assert at_best < nearer
    assert KEEP_AWAY.wishes(model, "red") < best


@pytest.mark.parametrize(
    ("doctrine", "first"),
    [(CONCENTRATE, "r-mikasa"), (CHASE, "r-fuji"), (CLOSE, "r-mikasa")],
    ids=lambda each: each.name if isinstance(each, Doctrine) else each,
)
def test_each_doctrine_attacks_its_own_kind_of_target(doctrine: Doctrine, first: str) -> None:
    """Place red's last ship, fallen out of the line, as near as the others."""
    model = build_model("opens = 20")
    playout = Playout(model, dict.fromkeys(model.sides, HOLD), Random(1))
    while playout.battle.phase == "movement":
        playout.play_phase()
    whole = playout.sea.lines[1]
    last = BattleLine("red", "", ("r-fuji",), 1.0, across=whole.across, fallen=True)
    lines = (playout.sea.lines[0], replace(whole, ships=whole.ships[:3]), last)
    playout.sea = Sea(lines, model.reach)
    assert {order.text("target") for order in doctrine.orders(playout, lines[0])} == {first}


def test_an_attack_over_an_end_says_so() -> None:
    """Guard against a battery that fires with all guns over the bow."""
    model = build_model("opens = 20")
    playout = Playout(model, dict.fromkeys(model.sides, HOLD), Random(1))
    while playout.battle.phase == "movement":
        playout.play_phase()
    one, other = playout.sea.lines
    lines = {end: f" {end.name.lower()}" if end else "" for end in (None, *End)}
    for end, word in lines.items():
        playout.sea = Sea((replace(one, end=end), other), model.reach)
        order = next(HOLD.orders(playout, playout.sea.lines[0]))
        assert order.line.endswith(f"20in{word}")


def test_a_side_that_runs_fights_on_until_it_escapes_or_is_caught() -> None:
    """Compare two battles of one seed: a side that runs at half strength, and one that is beaten then."""
    beaten, runs = build_model("opens = 20"), build_model("opens = 20")
    assert not beaten.is_runner("blue")
    runs = BattleModel(runs.system, replace(runs.start, table={**runs.start.table, "runs.blue": True}))
    ends = []
    for model in (beaten, runs):
        playout = Playout(model, dict.fromkeys(model.sides, HOLD), Random(3))
        ends.append(playout.play_to_end(30))
    (early, late) = ends
    assert early.winner == late.winner == "red"
    assert early.turn < late.turn
    assert early.broke_on == late.broke_on == (early.turn,)
    assert "blue" in early.broken


def test_a_side_that_runs_at_once_and_escapes_is_not_beaten() -> None:
    model = build_model("opens = 46", of_red="knots = 10\n")
    playout = Playout(model, {"blue": RUN, "red": HOLD}, Random(1))
    found = playout.play_to_end(30)
    assert (found.winner, found.broken) == ("", ())
    assert found.turn < 10


def test_a_scripted_battle_has_no_running() -> None:
    model = build_model("approach = [20]")
    scripted = BattleModel(model.system, replace(model.start, table={**model.start.table, "runs.blue": True}))
    assert not scripted.is_runner("blue")
