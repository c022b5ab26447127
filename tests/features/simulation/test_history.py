"""The historical battles that simulations are compared with: their levers and intervals."""

import pytest

from qf_tui.library.paths import read_toml
from qf_tui.library.scenarios import find_scenario
from tests.tools.history import FOUGHT, RULES, Fought, apply_levers, find_interval, load_start


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
