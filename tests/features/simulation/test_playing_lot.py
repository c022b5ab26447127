"""The lot that is drawn in each phase of a simulated battle for which side orders first."""

from collections.abc import Iterator
from random import Random

from attrs import evolve

from qf_tui.core.values import Order
from qf_tui.features.simulation.doctrines import HOLD, Moment
from qf_tui.features.simulation.lines import BattleLine
from qf_tui.features.simulation.model import BattleModel
from qf_tui.features.simulation.playout import Playout
from tests.features.simulation.duels import duel


def asked(dice: Random, phases: int) -> list[tuple[str, ...]]:
    """The sides in the order in which they were asked for orders, phase by phase; nobody orders anything."""
    model = BattleModel(*duel())
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


def test_a_lot_drawn_in_each_phase_has_either_side_order_first_as_often() -> None:
    """Catches one lot for the whole battle, and a side that orders first more often than the other."""
    seen = asked(Random(1904), 100)
    assert set(seen) == {("blue", "red"), ("red", "blue")}
    assert 35 < seen.count(("blue", "red")) < 65
    assert asked(Random(1904), 12) == seen[:12]
