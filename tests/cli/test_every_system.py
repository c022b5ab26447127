"""Any typed order of any rule system is accepted or refused with a message, and its save reads back equal."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.declarations import PreparedOrder
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.system import Column, RuleSystem, Span
from qf_tui.core.timeline import build_timeline
from qf_tui.core.values import Battle, Order, Ship
from qf_tui.core.verify import list_differences
from qf_tui.document.scripts import InputOrder, build_battle_row, build_entered_row, build_refused_row
from qf_tui.document.transcript import build_battle_blocks, list_entered, list_refused
from qf_tui.journal.codec import decode_act, encode_act
from qf_tui.journal.lines import SENSELESS, decode_json, encode_json
from qf_tui.session import Session
from qf_tui.session.saves import make_rules_finder
from tests.cli.strange_orders import Lot
from tests.core.playing import battle, ship
from tests.systems import find_our_systems, load_our_battles
from tests.tiny import SYSTEM, Tiny

SYSTEMS = find_our_systems()
BATTLES = load_our_battles()
STEPS = 60


def test_the_shelf_has_a_battle_of_every_system() -> None:
    assert {system.name for system, _ in BATTLES.values()} == set(SYSTEMS)


def _enter_checked(session: Session, number: int, line: str) -> None:
    """Preview, enter and format an order; an exception other than QfError is a fault of the program."""
    session.preview_order(line)
    try:
        entered = session.enter(line)
    except QfError as refusal:
        row = build_refused_row(InputOrder(number, line), refusal)
        lines = [*list_refused(number, line, refusal)]
    else:
        row, lines = (
            build_entered_row(session, InputOrder(number, line), entered),
            [*list_entered(session, entered)],
        )
    assert row["ok"] is ("error" not in row)
    assert lines


@pytest.mark.parametrize("battle", BATTLES)
@settings(max_examples=settings().max_examples // 5)
@given(lot=st.integers(0, 2**32), steps=st.integers(1, STEPS))
def test_any_order_is_accepted_or_refused_with_a_message(battle: str, lot: int, steps: int) -> None:
    """Detect an order of any system that ends in a traceback, and an act that no save can hold."""
    system, start = BATTLES[battle]
    session = Session.begin(system, start, seed=lot if lot % 2 else None)
    orders = Lot(Random(lot), session)
    for number in range(steps):
        _enter_checked(session, number, orders.draw_line())
    assert build_battle_row(system, session.timeline)
    assert [*build_battle_blocks(system, session.timeline)]
    _check_reading_back(system, start, session)
    list_differences(system, session.timeline, session.program)


def _check_reading_back(system: RuleSystem, start: Battle, session: Session) -> None:
    read_order = make_rules_finder(SYSTEMS)(session.system.name)
    log = tuple(
        decode_act(decode_json(encode_json(encode_act(act))), read_order) for act in session.timeline.log
    )
    assert log == session.timeline.log
    assert build_timeline(start, log).battle == session.battle


class Tripping(Tiny):
    """Rules that fail on a save: when an order is prepared, or only when its result is shown."""

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
def test_an_order_on_which_the_rules_fail_is_reported(save: Path, over: type[Exception], shown: bool) -> None:
    """Detect a traceback in a battle, and an act that cannot be shown again."""
    rules = Tripping(over, shown)
    session = Session.resume(save, {rules.name: rules})
    before = save.read_bytes()
    rules.trips = True
    with pytest.raises(
        QfError, match=r"cannot (work this out|make sense of) .*(not entered|Nothing was recorded)"
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
