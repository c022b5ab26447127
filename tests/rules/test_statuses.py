"""What ships that struck, ran aground, left or sank may be ordered: each form and status, by clause."""

from types import ModuleType

import pytest
from attrs import evolve

from qf_tui.core.verify import DifferenceKind, differences
from qf_tui.session import Session
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.playing import allowed, drawn, reasons
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
PHASES = {advanced: "movement", quickfire: "movement", clone: "move"}
GROUNDED, OUT = "AQF-PH-8", "AQF-PH-9"
SUNK = {"AQF": "AQF-SNK-2", "QF": "QF-SNK-1", "QFC": "QFC-SNK-2"}


def at(tables: ModuleType, phase: str, *orders: str) -> Session:
    session: Session = tables.played(tables.battle(phase=phase), *orders)
    return session


@pytest.mark.clause("AQF-PH-9", "AQF-SNK-2", "QF-SNK-1", "QFC-SNK-2")
@pytest.mark.parametrize("status", ["withdrawn", "struck", "sunk"])
@pytest.mark.parametrize(("tables", "phase", "orders", "order"), [*ACTS, *REPAIRS])
def test_a_ship_off_the_table_or_surrendered_does_nothing_and_is_no_target(
    tables: ModuleType, phase: str, orders: tuple[str, ...], order: str, status: str
) -> None:
    """Catches damage that is mended on a ship which has struck or left the battle."""
    session = at(tables, phase, *orders)
    assert allowed(session, order)
    session.enter(f"mark ajax status {status}")
    assert not allowed(session, order)
    assert "ajax" not in ready(session)
    clauses = {finding.clause for finding in session.preview_order(order).findings}
    sunk = next(clause for clause in SUNK.values() if clause in session.system.clauses)
    assert clauses == {sunk if status == "sunk" else OUT}
    assert allowed(session, f"force {order}")


@pytest.mark.clause("AQF-PH-8")
@pytest.mark.parametrize("switch", ["fights", "silent"])
@pytest.mark.parametrize(("tables", "phase", "orders", "order"), [*ACTS, *REPAIRS])
def test_a_ship_aground_fights_repairs_and_is_a_target_and_does_not_move(
    tables: ModuleType, phase: str, orders: tuple[str, ...], order: str, switch: str
) -> None:
    """Catches a ship aground that is safe, that sails on, or whose crew does nothing."""
    session = at(tables, phase, *orders, "leave ajax aground", f"option aground {switch}")
    barred = order.startswith(("move", "collide")) or (
        switch == "silent" and order.startswith(("fire ajax", "torpedo ajax"))
    )
    clauses = [finding.clause for finding in session.preview_order(order).findings]
    assert clauses == ([GROUNDED] if barred else [])
    assert allowed(session, f"force {order}")


@pytest.mark.clause("AQF-PH-8")
@pytest.mark.parametrize(
    ("tables", "torpedo", "still"),
    [
        (advanced, "torpedo ajax rook in 3 2", "AQF-TOR-4"),
        (quickfire, "torpedo ajax rook 3in 2 2", "QF-TOR-2"),
        (clone, "torpedo ajax rook 20cm 2 2 2", "static"),
    ],
)
@pytest.mark.parametrize("speed", ["", "4"])
def test_a_ship_aground_lies_still_in_this_turn_and_the_next_whatever_it_did(
    tables: ModuleType, torpedo: str, still: str, speed: str
) -> None:
    """Catches a ship aground that is taken to sail on at its last speed."""
    speed = f"{speed}0mm" if speed and tables is clone else speed
    session = at(tables, PHASES[tables], *([f"move rook {speed}"] if speed else []))
    session.enter("leave rook aground")
    for turn in (1, 2):
        while session.battle.turn < turn or not allowed(session, torpedo):
            session.enter("next")
        assert session.preview_order(torpedo).assumes == ()
        struck = reasons(session, torpedo)[0]
        assert still in (struck.clause, *struck.of.split())
        session.enter("undo")


@pytest.mark.clause("AQF-PH-8")
@pytest.mark.parametrize(("tables", "move"), [(advanced, "0"), (quickfire, "0"), (clone, "0mm")])
def test_a_ship_aground_may_be_said_not_to_move(tables: ModuleType, move: str) -> None:
    """Catches a stop that is refused as too great a change of speed."""
    session = at(tables, PHASES[tables], "leave ajax aground")
    assert allowed(session, f"move ajax {move}")
    assert drawn(session, "ajax", "speed").startswith("0")


@pytest.mark.clause("AQF-PH-8")
@pytest.mark.parametrize("tables", [advanced, quickfire, clone])
@pytest.mark.parametrize(("status", "clause"), [("aground", GROUNDED), ("struck", OUT), ("withdrawn", OUT)])
def test_the_order_that_says_so_cites_the_clause(tables: ModuleType, status: str, clause: str) -> None:
    """Catches a status whose meaning nobody can look up."""
    session = at(tables, PHASES[tables])
    assert reasons(session, f"leave ajax {status}")[0].clause == clause
    assert (session.system.ended(session.battle) == "") is (status == "aground")
    if status == "aground":
        session.enter("option aground silent")
        assert "Blue has no ship left" in session.system.ended(session.battle)


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
