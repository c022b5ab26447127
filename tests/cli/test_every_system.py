"""What is typed for any rule system is answered or refused in words, and its save opens as it was."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import opened
from qf_tui.core.values import Battle
from qf_tui.core.verify import differences
from qf_tui.document.scripts import InputOrder, battle_row, entered_row, refused_row
from qf_tui.document.transcript import battle_blocks, entered_lines, refused_lines
from qf_tui.journal.codec import decode_act, encode_act
from qf_tui.journal.lines import parsed, written
from qf_tui.session import Session
from qf_tui.session.saves import rules_by
from tests.cli.strange_orders import Lot
from tests.systems import our_battles, our_systems

SYSTEMS = our_systems()
BATTLES = our_battles()
STEPS = 60


def test_the_shelf_has_a_battle_of_every_system() -> None:
    assert {system.name for system, _ in BATTLES.values()} == set(SYSTEMS)


def _entered(session: Session, number: int, line: str) -> None:
    """One order through all that looks at it; whatever is raised but a QfError is a fault of the program."""
    session.preview_order(line)
    try:
        entered = session.enter(line)
    except QfError as refusal:
        row = refused_row(InputOrder(number, line), refusal)
        lines = [*refused_lines(number, line, refusal)]
    else:
        row, lines = (
            entered_row(session, InputOrder(number, line), entered),
            [*entered_lines(session, entered)],
        )
    assert row["ok"] is ("error" not in row)
    assert lines


@pytest.mark.parametrize("battle", BATTLES)
@settings(max_examples=settings().max_examples // 5)
@given(lot=st.integers(0, 2**32), steps=st.integers(1, STEPS))
def test_any_order_is_taken_or_refused_in_words(battle: str, lot: int, steps: int) -> None:
    """Catches an order of any system that ends in a traceback, or an act that no save can hold."""
    system, start = BATTLES[battle]
    session = Session.begin(system, start, seed=lot if lot % 2 else None)
    orders = Lot(Random(lot), session)
    for number in range(steps):
        _entered(session, number, orders.line())
    assert battle_row(system, session.timeline)
    assert [*battle_blocks(system, session.timeline)]
    _reads_back(system, start, session)
    differences(system, session.timeline, session.program)


def _reads_back(system: RuleSystem, start: Battle, session: Session) -> None:
    read_order = rules_by(SYSTEMS)(session.system.name).read_order
    log = tuple(decode_act(parsed(written(encode_act(act))), read_order) for act in session.timeline.log)
    assert log == session.timeline.log
    assert opened(start, log).battle == session.battle
