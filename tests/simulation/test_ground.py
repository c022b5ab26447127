"""What is known of a scenario is the same whether it was found for this ship or for her sister."""

import pytest

from qf_tui.core.values import Mark, replace
from qf_tui.simulation.battle_model import BattleModel, distance
from tests.simulation.duels import SYSTEMS, duel

SHIPS = ("mikasa", "shirakumo", "kasumi", "asama")


@pytest.mark.parametrize("amount", [4, pytest.param(12, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", sorted(SYSTEMS))
def test_what_sisters_are_known_by_is_what_each_would_be_known_by_alone(rules: str, amount: int) -> None:
    """Catches ships that are taken for alike and are not: one is hurt, one has another card."""
    system, start = duel(SHIPS, SHIPS, rules, 'charts = "sticks.toml"' if rules == "gq2" else "")
    hurt = replace(start.ships["r-kasumi"], marks=(Mark("1", "fires"),))
    start = replace(start, ships={**start.ships, hurt.id: hurt})
    whole, told = BattleModel(system, start), 0
    at = distance(start, amount)
    for ship in start.ships:
        for attack in whole.attacks(ship):
            alone = BattleModel(system, start)
            targets = list(whole.targets(attack, at))
            assert targets == list(alone.targets(attack, at))
            for id in targets:
                assert whole.cost(attack, id, at) == BattleModel(system, start).cost(attack, id, at)
                told += 1
    assert told > 10
