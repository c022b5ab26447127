"""What ships that struck, ran aground, left or sank may be ordered: each form and status, by clause."""

from types import ModuleType

import pytest
from attrs import evolve

from qf_tui.core.verify import DifferenceKind, differences
from qf_tui.session import Session
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.playing import allowed
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone import tables as clone

HURT = ("mark ajax rof_heavy 2", "mark ajax speed_hits 2", "mark ajax torpedo 0")
REGAINED = "option torpedo_regained yes"
ACTS = [
    (advanced, "movement", (), "move ajax 4"),
    (advanced, "first-gunnery", (), "fire ajax heavy rook 41in"),
    (advanced, "first-gunnery", (), "fire rook heavy ajax 41in"),
    (advanced, "second-gunnery", (), "torpedo ajax rook in"),
    (advanced, "second-gunnery", (), "torpedo rook ajax in"),
    (quickfire, "movement", (), "move ajax 4"),
    (quickfire, "gunnery", (), "fire ajax heavy rook 20in"),
    (quickfire, "gunnery", (), "fire rook heavy ajax 20in"),
    (clone, "move", (), "move ajax 60mm"),
    (clone, "move", (), "collide ajax rook"),
    (clone, "gunnery", (), "torpedo ajax rook 20cm"),
    (clone, "gunnery", (), "torpedo rook ajax 20cm"),
]
REPAIRS = [
    (advanced, "repair", HURT[:2], "repair ajax heavy"),
    (advanced, "repair", HURT[:2], "repair ajax speed"),
    (quickfire, "repair", HURT[:2], "repair ajax heavy"),
    (quickfire, "repair", (*HURT, REGAINED), "repair ajax torpedo"),
    (clone, "repair", HURT[:2], "repair ajax"),
]
LEFT = {"AQF": "AQF-PH-7", "QF": "QF-PH-1", "QFC": "QFC-PH-1"}
SUNK = {"AQF": "AQF-SNK-2", "QF": "QF-SNK-1", "QFC": "QFC-SNK-2"}


def at(tables: ModuleType, phase: str, *orders: str) -> Session:
    session: Session = tables.played(tables.battle(phase=phase), *orders)
    return session


@pytest.mark.clause("AQF-PH-7", "QF-PH-1", "QFC-PH-1", "AQF-SNK-2", "QF-SNK-1", "QFC-SNK-2")
@pytest.mark.parametrize("status", ["withdrawn", "struck", "aground", "sunk"])
@pytest.mark.parametrize(("tables", "phase", "orders", "order"), [*ACTS, *REPAIRS])
def test_a_ship_off_the_table_or_surrendered_does_nothing_and_one_aground_repairs(
    tables: ModuleType, phase: str, orders: tuple[str, ...], order: str, status: str
) -> None:
    """Catches damage that is mended on a ship which has struck or left the battle."""
    session = at(tables, phase, *orders)
    assert allowed(session, order)
    session.enter(f"mark ajax status {status}")
    repairs_on = status == "aground" and order.startswith("repair")
    assert allowed(session, order) is repairs_on
    assert ("ajax" in ready(session)) is repairs_on
    clauses = {finding.clause for finding in session.preview_order(order).findings}
    game = session.system.clauses
    wanted = next(clause for clause in (SUNK if status == "sunk" else LEFT).values() if clause in game)
    assert clauses == (set() if repairs_on else {wanted})
    assert allowed(session, f"force {order}")


def ready(session: Session) -> set[str]:
    """The ships that the rules offer something to do."""
    return {one.ship for one in session.system.may_act(session.battle)}


@pytest.mark.parametrize(
    ("tables", "order"),
    [(advanced, "repair ajax heavy 5"), (quickfire, "repair ajax heavy 6 6"), (clone, "repair ajax 6 6")],
)
def test_an_older_save_with_a_repair_after_a_ship_has_struck_differs_by_a_ruling(
    tables: ModuleType, order: str
) -> None:
    """Catches old saves that are told to differ by a fault of the program."""
    session = at(tables, "repair", *HURT[:2], "mark ajax status struck", f"force {order}")
    timeline = session.timeline
    last = timeline.play_order[-1]
    allowed_then = evolve(timeline.versions[last], overrode=())
    older = evolve(timeline, versions=timeline.versions.plus({last: allowed_then}))
    found = {one.number: one.kind for one in differences(session.system, older, "0.1.0")}
    assert found == {last: DifferenceKind.RULING}
