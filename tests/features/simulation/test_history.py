"""The historical battles that simulations are compared with: their levers and intervals."""

import pytest

from qf_tui.features.simulation.tally import Tally
from qf_tui.library.paths import read_toml
from qf_tui.library.scenarios import find_scenario
from tests.tools.history import (
    FOUGHT,
    HEADS,
    RULES,
    Fought,
    SideResult,
    apply_levers,
    build_results,
    build_rows,
    find_interval,
    list_summary,
    load_start,
)


@pytest.mark.parametrize(
    ("lever", "told"),
    [
        ("Japan.doctrine=", {"doctrine.japan": None, "doctrine.@flying": None, "doctrine.china": "close"}),
        ("Japan.doctrine=run", {"doctrine.japan": "run", "doctrine.@flying": None}),
        ("*.knots=", {"knots.@main": None, "knots.@centre": None}),
        ("China.knots=4", {"knots.china": 4, "knots.@centre": None, "knots.@main": 10}),
        ("battle.opens=30", {"opens": 30}),
    ],
)
def test_a_lever_changes_only_the_values_it_names(lever: str, told: dict[str, object]) -> None:
    _, start = load_start("yalu-1894", "advanced-quickfire", [lever])
    assert {key: start.table.get(key) for key in told} == told
    data = read_toml(find_scenario("yalu-1894"))
    apply_levers(data, [lever])
    assert data == read_toml(find_scenario("yalu-1894"))


def test_an_interval_covers_95_percent() -> None:
    assert find_interval({0: 2, 1: 50, 2: 46, 3: 2}) == (1, 2)
    assert find_interval({0: 3, 1: 50, 2: 44, 3: 3}) == (0, 3)
    assert find_interval({7: 1}) == (7, 7)


@pytest.mark.parametrize("fought", FOUGHT, ids=lambda fought: fought.scenario)
def test_every_side_has_at_least_as_many_ships_as_it_lost(fought: Fought) -> None:
    """Guard against losses in the order of other sides."""
    _, start = load_start(fought.scenario, RULES[0], [])
    assert fought.winner in {side.name for side in start.sides}
    every = {**start.reserve, **start.ships}.values()
    for side, lost in zip(start.sides, fought.lost, strict=True):
        assert lost <= sum(ship.side == side.id for ship in every)
        assert not lost or side.name != fought.winner


def build_tally(sides: tuple[str, str]) -> Tally:
    """Build 100 battles: 60 won by the first side, 30 by the second; one loses 0 ships, the other 1 or 2."""
    losses = {(sides[0], 0): 100, (sides[1], 1): 50, (sides[1], 2): 50}
    return Tally(100, {sides[0]: 60, sides[1]: 30, "": 10}, turns={9: 100}, losses=losses)


def test_the_table_shows_wins_of_both_sides_and_draws() -> None:
    """Detect a table that hides who wins if the winner of history does not."""
    _, start = load_start("yalu-1894", RULES[0], [])
    (fought,) = (fought for fought in FOUGHT if fought.scenario == "yalu-1894")
    tally = build_tally(("japan", "china"))
    results = tuple(build_results(fought, start, tally))
    japan, china = (dict(zip(HEADS, row, strict=True)) for row in build_rows("aqf", start, tally, results))
    assert (japan["side"], japan["wins"], japan["drawn"]) == ("Japan (won)", "60% (50–69)", "10% (6–17)")
    assert (china["side"], china["wins"], china["use"]) == ("China", "30% (22–40)", "")
    assert (japan["use"], china["lost"], china["95%"]) == ("taught", "1.5", "1–2 no")
    assert (china["nobody lost"], china["as others"]) == ("5", "1")


def test_the_sums_have_a_baseline_and_the_share_promised() -> None:
    """Detect a score without anything to compare it with."""
    results = list[SideResult]()
    for fought in FOUGHT:
        _, start = load_start(fought.scenario, RULES[0], [])
        tally = build_tally((start.sides[0].id, start.sides[1].id))
        results += build_results(fought, start, tally)
    every, taught, held_out = list_summary(results)
    assert "nobody is lost 33, as in the other battles 29, ours" in every
    assert "The loser's losses are in 2 of 7 intervals where 6.6 are promised" in every
    assert "the winner's in 7 of 7, 7 of which begin at 0." in every
    assert "of 5 intervals where 4.8 are promised" in taught
    assert "of 2 intervals where 1.9 are promised" in held_out
    assert [fought.scenario for fought in FOUGHT if not fought.teaches] == ["chemulpo-1904", "tsushima-1905"]
