"""The random order of the sides in each phase of a simulated battle."""

from collections.abc import Iterator
from random import Random

from attrs import evolve

from qf_tui.core.values import Order
from qf_tui.features.simulation.doctrines import HOLD, Moment
from qf_tui.features.simulation.lines import BattleLine
from qf_tui.features.simulation.model import BattleModel
from qf_tui.features.simulation.playout import Playout
from tests.features.simulation.duels import load_duel


def list_side_orders(dice: Random, phases: int) -> list[tuple[str, ...]]:
    """Return the order in which the sides were asked, phase by phase; no side orders anything."""
    model = BattleModel(*load_duel())
    turn: list[str] = []

    def idle(moment: Moment, line: BattleLine) -> Iterator[Order]:
        turn.append(line.side)
        yield from ()

    idler = evolve(HOLD, orders=idle)
    playout = Playout(model, dict.fromkeys(model.sides, idler), dice)
    found = []
    for _ in range(phases):
        turn.clear()
        playout.play_phase()
        found.append(tuple(turn))
    return found


def test_each_side_orders_first_in_about_half_of_the_phases() -> None:
    """Guard against one draw for the whole battle, and a favoured side."""
    seen = list_side_orders(Random(1904), 100)
    assert set(seen) == {("blue", "red"), ("red", "blue")}
    assert 35 < seen.count(("blue", "red")) < 65
    assert list_side_orders(Random(1904), 12) == seen[:12]
