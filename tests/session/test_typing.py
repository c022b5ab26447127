"""Work that a session asks of the rules only once, while an order is typed or a battle is checked."""

from collections.abc import Iterator
from unittest.mock import Mock, patch

import pytest

from qf_tui.console.entry.preview import preview_line
from qf_tui.core.values import replace
from qf_tui.rules.advanced_quickfire.system import AdvancedQuickfire
from qf_tui.session import Session
from qf_tui.session.saves import check_sense
from tests.systems import load_start

SHOT = "fire mikasa heavy tsesarevich 41in"


@pytest.fixture
def prepare() -> Iterator[Mock]:
    """Record the orders that the rules prepare."""
    own = AdvancedQuickfire.prepare
    with patch.object(AdvancedQuickfire, "prepare", autospec=True, side_effect=own) as asked:
        yield asked


@pytest.fixture
def session() -> Session:
    session = Session.begin(*load_start("yellow-sea-1904"))
    session.enter("next")
    return session


def test_an_order_is_prepared_once_without_its_dice_and_once_with_them(
    session: Session, prepare: Mock
) -> None:
    preview_line(session, SHOT)
    preview_line(session, f"{SHOT} ")
    assert prepare.call_count == 1
    preview_line(session, f"{SHOT} 5 6")
    _, seen = preview_line(session, f"{SHOT} 5 6 ")
    assert prepare.call_count == 2
    assert seen.revision is not None
    session.record(seen.revision)
    assert prepare.call_count == 2


def test_an_order_is_prepared_again_after_the_battle_changed(session: Session, prepare: Mock) -> None:
    assert preview_line(session, SHOT)[1].tone == "odds"
    session.enter(f"{SHOT} 5 6")
    before = prepare.call_count
    assert preview_line(session, SHOT)[1].tone == "refused"
    assert prepare.call_count > before


def test_a_file_that_an_order_names_is_read_for_each_preview(session: Session) -> None:
    with patch.object(session, "load_overlay", return_value={}) as read:
        for _ in range(3):
            session.preview_order("chart own")
    assert read.call_count == 3


def test_only_a_changed_ship_is_checked_for_sense(session: Session) -> None:
    """Build no sheet for a ship that a correction decides again but leaves unchanged."""
    before = session.battle
    same = {id: replace(ship, log={**ship.log}) for id, ship in before.ships.items()}
    after = replace(before, ships=same).with_ship(replace(same["mikasa"], log={"boat_guns": 3}))
    with patch.object(AdvancedQuickfire, "sheet", return_value=()) as sheet:
        check_sense(session.system, after, before)
    assert [asked.args[-1].id for asked in sheet.call_args_list] == ["mikasa"]
