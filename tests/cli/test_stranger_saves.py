"""A save that no rules of ours can have made: what they trip over in it is told, and recorded nowhere."""

from pathlib import Path

import pytest

from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.system import Column, PreparedOrder, Span
from qf_tui.core.values import Battle, Order, Ship
from qf_tui.journal.lines import SENSELESS
from qf_tui.session import Session
from tests.core.playing import battle, ship
from tests.tiny import SYSTEM, Tiny


class Tripping(Tiny):
    """Rules that trip over the save: when an order is prepared, or only when what came of it is shown."""

    def __init__(self, over: type[Exception], shown: bool) -> None:
        self._over, self._shown, self.trips = over, shown, False

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        if self.trips and not self._shown:
            raise self._over("“nonsense”")
        return super().prepare(battle, order)

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        if self.trips and self._shown:
            raise self._over("“nonsense”")
        return super().cell(battle, ship, column)


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "stranger.qfb"
    session = Session.begin(SYSTEM, battle(ship("ant"), ship("bee", "south")), path)
    session.enter("note x")
    session.close()
    return path


@pytest.mark.parametrize("shown", [False, True])
@pytest.mark.parametrize("over", SENSELESS)
def test_an_order_that_the_rules_trip_over_is_told_and_not_recorded(
    save: Path, over: type[Exception], shown: bool
) -> None:
    """Catches a traceback in the middle of a battle, and an act that could not be looked at again."""
    rules = Tripping(over, shown)
    session = Session.resume(save, {rules.name: rules})
    before = save.read_bytes()
    rules.trips = True
    with pytest.raises(
        QfError, match=r"cannot (work this out|make sense of) .*Nothing (is entered|was recorded)"
    ):
        session.enter("sail ant 3")
    if not shown:
        with pytest.raises(QfError, match="cannot work this out"):
            session.preview("insert 1 sail ant 2")
        assert "cannot work this out" in session.preview_order("sail ant 3").findings[0].text
    assert save.read_bytes() == before
    rules.trips = False
    assert session.enter("sail ant 3").recorded


def test_a_refusal_stays_a_refusal(save: Path) -> None:
    session = Session.resume(save, {SYSTEM.name: SYSTEM})
    with pytest.raises(OrderRefused):
        session.enter("sail nobody 3")
