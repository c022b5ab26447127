"""Doctrines: the range that each seeks, the targets it attacks, and the fate of a side that runs."""

from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from qf_tui.core.errors import QfError
from qf_tui.core.values import End, replace
from qf_tui.features.simulation.doctrines import (
    CHASE,
    CLOSE,
    DOCTRINES,
    HOLD,
    KEEP_AWAY,
    RUN,
    TARGETS,
    WORTH,
    Doctrine,
    find_doctrine,
)
from qf_tui.features.simulation.lines import BattleLine, Sea
from qf_tui.features.simulation.model import BattleModel
from qf_tui.features.simulation.playout import Playout
from qf_tui.library.check import check_file
from qf_tui.library.declared import OUR_DOCTRINES, OUR_TARGETS
from tests.features.simulation.duels import SYSTEMS, format_scenario, load_duel

FOUR = ("mikasa", "asahi", "shikishima", "fuji")


def build_model(more: str = "", red: tuple[str, ...] = FOUR, of_red: str = "") -> BattleModel:
    return BattleModel(*load_duel(("mikasa",), red, "advanced-quickfire", more, of_red))


def test_a_scenario_may_name_every_doctrine_and_choice_of_targets() -> None:
    assert (tuple(DOCTRINES), tuple(TARGETS)) == (OUR_DOCTRINES, OUR_TARGETS)


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


def place_last_ship_alone(model: BattleModel) -> Playout:
    """Place red's last ship, fallen out of the line, as near as the others."""
    playout = Playout(model, dict.fromkeys(model.sides, HOLD), Random(1))
    while playout.battle.phase == "movement":
        playout.play_phase()
    whole = playout.sea.lines[1]
    last = BattleLine("red", "", whole.ships[-1:], 1.0, across=whole.across, fallen=True)
    playout.sea = Sea((playout.sea.lines[0], replace(whole, ships=whole.ships[:-1]), last), model.reach)
    return playout


def list_targets(playout: Playout, doctrine: Doctrine) -> set[str]:
    return {order.text("target") for order in doctrine.orders(playout, playout.sea.lines[0])}


@pytest.mark.parametrize(
    ("doctrine", "first"),
    [
        ("concentrate", "r-mikasa"),
        ("close", "r-mikasa"),
        ("chase+lame", "r-fuji"),
        ("hold+lame", "r-fuji"),
        ("chase+leaders", "r-mikasa"),
        ("close+25%+lame", "r-fuji"),
    ],
)
def test_each_doctrine_attacks_its_own_kind_of_target(doctrine: str, first: str) -> None:
    playout = place_last_ship_alone(build_model("opens = 20"))
    assert list_targets(playout, find_doctrine(doctrine)) == {first}


def test_chase_finishes_the_most_valuable_in_reach_before_it_turns_to_the_nearest() -> None:
    """Detect fire that is spread over whatever is nearest: cripples, boats, batteries."""
    playout = place_last_ship_alone(build_model("opens = 20", ("niitaka", "asama", "mikasa", "fuji")))
    for wanted in ("r-mikasa", "r-fuji", "r-asama", "r-niitaka"):
        assert list_targets(playout, CHASE) == {wanted}
        sunk = replace(playout.battle.ships[wanted], status="sunk")
        playout.battle = replace(playout.battle, ships={**playout.battle.ships, wanted: sunk})
    assert list_targets(playout, CHASE) == set()


def test_of_equal_ships_chase_finishes_the_lame_one_first() -> None:
    playout = place_last_ship_alone(build_model("opens = 20", ("asama", "tokiwa")))
    worth = playout.model.whole
    assert worth["r-asama"] == worth["r-tokiwa"]
    assert list_targets(playout, CHASE) == {"r-tokiwa"}


def test_range_and_targets_of_a_doctrine_are_changed_one_at_a_time() -> None:
    """Detect a lever that changes two things."""
    model = build_model()
    nearer, others = find_doctrine("chase+10%"), find_doctrine("chase+worth")
    helm = nearer.build_helm(model, "blue")
    assert helm.range == pytest.approx(model.reach / 10)
    assert evolve(helm, range=model.reach / 4) == CHASE.build_helm(model, "blue")
    assert nearer.orders is CHASE.orders
    assert others.build_helm(model, "blue") == CHASE.build_helm(model, "blue")
    assert others.orders is CLOSE.orders
    both = find_doctrine("chase+10%+worth")
    assert (both.orders, both.wishes(model, "blue")) == (CLOSE.orders, CLOSE.wishes(model, "blue"))
    assert both.says.startswith(CHASE.says.partition(";")[0])
    assert both.says.endswith("; but comes to 10% of the longest range; but " + WORTH.says)


@pytest.mark.parametrize("name", ["chase+far", "chase+", "+worth", "10%", "worth", "flee+worth", "chase+x%"])
def test_a_doctrine_with_an_unknown_part_is_refused(name: str) -> None:
    with pytest.raises(QfError, match=r"there are hold, close.*\+25%, and with \+cost, \+worth"):
        find_doctrine(name)


@pytest.mark.parametrize(
    ("name", "warns"), [("chase+10%+worth", False), ("chase+far", True), ("flee+worth", True)]
)
def test_check_warns_of_a_doctrine_with_an_unknown_part(name: str, warns: bool, tmp_path: Path) -> None:
    path = tmp_path / "duel.toml"
    text = format_scenario(("mikasa",), ("asama",))
    path.write_text(text.replace('name = "Red"', f'name = "Red"\ndoctrine = "{name}"'))
    result = check_file(path, SYSTEMS)
    assert not result.faults
    assert any(f"no doctrine “{name}”" in warning for warning in result.warnings) is warns


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
