"""The lot that is drawn in each phase of a simulated battle for which side orders first."""

from collections.abc import Iterator
from random import Random

import pytest
from attrs import evolve

from qf_tui.core.values import Order
from qf_tui.simulation.doctrines import HOLD, Moment
from qf_tui.simulation.lines import Line
from qf_tui.simulation.model import BattleModel
from qf_tui.simulation.playout import Playout
from tests.simulation.duels import duel


class Lots(Random):
    """Dice that show the same lot each time."""

    def __init__(self, lot: float) -> None:
        super().__init__(0)
        self.lot = lot

    def random(self) -> float:
        return self.lot


def asked(dice: Random, phases: int) -> list[tuple[str, ...]]:
    """The sides in the order in which they were asked for orders, phase by phase; nobody orders anything."""
    model = BattleModel(*duel())
    turn: list[str] = []

    def idle(moment: Moment, line: Line) -> Iterator[Order]:
        turn.append(line.side)
        yield from ()

    idler = evolve(HOLD, orders=idle)
    playout = Playout(model, dict.fromkeys(model.sides, idler), dice)
    found = []
    for _ in range(phases):
        turn.clear()
        playout.phase()
        found.append(tuple(turn))
    return found


@pytest.mark.parametrize(("lot", "first"), [(0.0, "red"), (0.49, "red"), (0.5, "blue"), (0.99, "blue")])
def test_half_of_the_lots_have_the_second_side_order_first(lot: float, first: str) -> None:
    """Catches a side that orders first always, or more often than the other."""
    ((one, other),) = asked(Lots(lot), 1)
    assert (one, {one, other}) == (first, {"blue", "red"})


def test_the_lot_is_drawn_anew_in_each_phase() -> None:
    """Catches one lot for the whole battle; each seed draws the same lots again."""
    seen = asked(Random(1904), 12)
    assert set(seen) == {("blue", "red"), ("red", "blue")}
    assert asked(Random(1904), 12) == seen
