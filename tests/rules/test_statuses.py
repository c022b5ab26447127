"""Ships that struck, left, sank or join, and differences of older saves under today's rules."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from attrs import evolve, frozen

from qf_tui.core.availability import list_able_ships
from qf_tui.core.decisions import Effect, Op
from qf_tui.core.declarations import PreparedOrder
from qf_tui.core.errors import QfError
from qf_tui.core.schedule import find_scheduled_order
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, build_timeline
from qf_tui.core.values import Act, Battle
from qf_tui.core.verify import DifferenceKind, list_differences
from qf_tui.library.paths import find_shipped_folder, read_toml
from qf_tui.library.scenarios import read_scenario, require_battle
from qf_tui.rules.gq2 import torpedo, wandering
from qf_tui.session import Session
from tests.core.playing import renumber
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.playing import draw_cell, is_allowed, list_clauses, reasons
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone import tables as clone
from tests.systems import find_our_systems

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


def begin_at(tables: ModuleType, phase: str, *orders: str) -> Session:
    session: Session = tables.played(tables.battle(phase=phase), *orders)
    return session


@pytest.mark.clause("AQF-PH-9", "AQF-SNK-2", "QF-SNK-1", "QFC-SNK-2")
@pytest.mark.parametrize("status", ["withdrawn", "struck", "sunk"])
@pytest.mark.parametrize(("tables", "phase", "orders", "order"), [*ACTS, *REPAIRS])
def test_a_ship_off_the_table_or_surrendered_does_nothing_and_is_no_target(
    tables: ModuleType, phase: str, orders: tuple[str, ...], order: str, status: str
) -> None:
    session = begin_at(tables, phase, *orders)
    assert is_allowed(session, order)
    session.enter(f"mark ajax status {status}")
    assert not is_allowed(session, order)
    assert "ajax" not in list_ready(session)
    sunk = next(clause for clause in SUNK.values() if clause in session.system.clauses)
    assert set(list_clauses(session, order)) == {sunk if status == "sunk" else OUT}
    assert is_allowed(session, f"force {order}")


@pytest.mark.clause("AQF-PH-8")
@pytest.mark.parametrize("switch", ["fights", "silent"])
@pytest.mark.parametrize(("tables", "phase", "orders", "order"), [*ACTS, *REPAIRS])
def test_a_ship_aground_fights_repairs_and_is_a_target_and_does_not_move(
    tables: ModuleType, phase: str, orders: tuple[str, ...], order: str, switch: str
) -> None:
    session = begin_at(tables, phase, *orders, "leave ajax aground", f"option aground {switch}")
    barred = order.startswith(("move", "collide")) or (
        switch == "silent" and order.startswith(("fire ajax", "torpedo ajax"))
    )
    assert list_clauses(session, order) == ([GROUNDED] if barred else [])
    assert is_allowed(session, f"force {order}")


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
def test_a_ship_aground_counts_as_static_this_turn_and_the_next(
    tables: ModuleType, torpedo: str, still: str, speed: str
) -> None:
    speed = f"{speed}0mm" if speed and tables is clone else speed
    session = begin_at(tables, PHASES[tables], *([f"move rook {speed}"] if speed else []))
    session.enter("leave rook aground")
    for turn in (1, 2):
        while session.battle.turn < turn or not is_allowed(session, torpedo):
            session.enter("next")
        assert session.preview_order(torpedo).assumes == ()
        struck = reasons(session, torpedo)[0]
        assert still in (struck.clause, *struck.of.split())
        session.enter("undo")


@pytest.mark.clause("AQF-PH-8")
@pytest.mark.parametrize(("tables", "move"), [(advanced, "0"), (quickfire, "0"), (clone, "0mm")])
def test_a_move_of_zero_is_accepted_for_a_ship_aground(tables: ModuleType, move: str) -> None:
    session = begin_at(tables, PHASES[tables], "leave ajax aground")
    assert is_allowed(session, f"move ajax {move}")
    assert draw_cell(session, "ajax", "speed").startswith("0")


@pytest.mark.clause("AQF-PH-8")
@pytest.mark.parametrize("tables", [advanced, quickfire, clone])
@pytest.mark.parametrize(("status", "clause"), [("aground", GROUNDED), ("struck", OUT), ("withdrawn", OUT)])
def test_the_order_to_run_aground_cites_the_clause(tables: ModuleType, status: str, clause: str) -> None:
    session = begin_at(tables, PHASES[tables])
    assert reasons(session, f"leave ajax {status}")[0].clause == clause
    assert (session.system.ended(session.battle) == "") is (status == "aground")
    if status == "aground":
        session.enter("option aground silent")
        assert "Blue has no ship left" in session.system.ended(session.battle)


def list_ready(session: Session) -> set[str]:
    """List the ships that the rules offer something to do."""
    return {entry.ship for entry in session.system.may_act(session.battle)}


SYSTEMS: Mapping[str, RuleSystem] = find_our_systems()


@frozen
class Evening:
    """A scenario, the division that arrives on turn 2, and the orders that this needs."""

    scenario: str
    side: str
    division: str
    ship: str
    dusk: str
    """The order that answers dusk."""
    move: str
    """An order of movement by the ship."""


NOTE = "note Dusk: the lamps."
EVENINGS = {
    "advanced-quickfire": Evening("yellow-sea-1904", "japan", "third", "yakumo", NOTE, "move yakumo 4"),
    "quickfire-clone": Evening("yellow-sea-1904", "japan", "third", "yakumo", NOTE, "move yakumo 5cm"),
    "quickfire": Evening("port-arthur-1904", "russia", "scouts", "askold", NOTE, "move askold 7"),
    "gq2": Evening("yellow-sea-1904", "japan", "third", "yakumo", "table light dusk", "move yakumo 4"),
}
EACH = pytest.mark.parametrize(("rules", "evening"), EVENINGS.items(), ids=EVENINGS)


@cache
def load_scheduled(rules: str) -> tuple[RuleSystem, Battle]:
    """Load the scenario of an evening with a schedule of ours."""
    evening = EVENINGS[rules]
    path = find_shipped_folder("scenarios") / f"{evening.scenario}.toml"
    schedule = [
        {"turn": 2, "arrives": [evening.division], "where": "from the north"},
        {"turn": 2, "table": {"light": "dusk"}, "note": "Dusk: the lamps."},
    ]
    data = {**read_toml(path), "schedule": schedule}
    return require_battle(read_scenario(data, path, SYSTEMS, rules=rules))


def begin_scheduled(rules: str, save: Path | None = None) -> Session:
    """Begin a battle with that schedule."""
    return Session.begin(*load_scheduled(rules), save)


def play_turn(session: Session) -> Session:
    """Go on to the next turn."""
    turn = session.battle.turn
    while session.battle.turn == turn:
        session.enter("next")
    return session


def list_orders(session: Session) -> list[str]:
    """List the orders that the schedule asks for."""
    return [order.line for owed in session.battle.owed if (order := find_scheduled_order(owed))]


def play(session: Session, *lines: str) -> Session:
    for line in lines:
        session.enter(line)
    return session


@EACH
def test_a_division_arrives_on_its_turn_and_not_before(rules: str, evening: Evening) -> None:
    session = begin_scheduled(rules)
    assert not [ship for ship in session.battle.ships.values() if ship.division == evening.division]
    assert evening.ship not in {entry.ship for entry in list_able_ships(session.system, session.battle)}
    with pytest.raises(QfError, match="no ship"):
        session.enter(evening.move)
    arrives, dusk = list_orders(play_turn(session))
    assert (arrives.split()[:2], dusk) == (["join", evening.side], evening.dusk)
    with pytest.raises(QfError, match=r"still owed: .*arrives from the north"):
        session.enter("next")
    play(session, arrives, evening.dusk, evening.move)
    assert not session.battle.owed
    assert evening.ship in session.battle.ships
    assert session.battle.table.get("light", "day") == ("dusk" if "table" in evening.dusk else "day")


@EACH
def test_a_scheduled_condition_that_the_system_lacks_becomes_a_remark(rules: str, evening: Evening) -> None:
    session = play_turn(begin_scheduled(rules))
    reasons = session.timeline.rulings[session.timeline.play_order[-1]].decision.reasons
    remarks = [reason.text for reason in reasons if reason.is_remark and reason.text.startswith("light")]
    lacks = [f"light dusk: {session.system.title} does not track this, so remember it"]
    assert remarks == ([] if "table" in evening.dusk else lacks)


@EACH
def test_corrected_schedules_equal_those_played_right(rules: str, evening: Evening) -> None:
    """Undo and redo the turn, insert and remove a turn, amend an entry."""
    session = play_turn(begin_scheduled(rules))
    asks = list_orders(session)
    play(session, *asks, evening.move)
    right, steps = session.battle, len(asks) + 2
    play(session, f"undo {steps}")
    assert (session.battle.turn, session.battle.owed) == (1, ())
    play(session, "redo 1")
    assert list_orders(session) == asks
    play(session, f"redo {steps - 1}")
    assert session.battle == right
    for _ in session.system.phases:
        session.enter("insert 0 next")
    assert (session.battle.turn, session.battle.owed) == (3, ())
    assert evening.ship in session.battle.ships
    play(session, f"undo {len(session.system.phases)}")
    assert session.battle == right


@EACH
def test_an_inserted_turn_asks_its_schedule_and_places_the_answers(rules: str, evening: Evening) -> None:
    session = play(begin_scheduled(rules), "next")
    play(session, *["insert 0 next" for _ in session.system.phases])
    asks = list_orders(session)
    assert [owed.late for owed in session.battle.owed] == [True, True]
    play(session, *asks)
    right = play(play_turn(begin_scheduled(rules)), *asks, "next")
    assert renumber(session.timeline) == right.battle
    assert evening.ship in right.battle.start.ships


@EACH
def test_an_earlier_amended_entry_keeps_the_schedule_right(rules: str, evening: Evening) -> None:
    first, other = ("note it is fair", "note it is foul")
    amended = play(play_turn(play(begin_scheduled(rules), first)))
    play(amended, *list_orders(amended), evening.move, f"amend 1 {other}")
    right = play_turn(play(begin_scheduled(rules), other))
    play(right, *list_orders(right), evening.move)
    assert renumber(amended.timeline) == right.battle
    assert not amended.battle.owed


@EACH
def test_a_reopened_save_asks_the_same_of_its_schedule(rules: str, evening: Evening, tmp_path: Path) -> None:
    session = play_turn(begin_scheduled(rules, tmp_path / "new.qfb"))
    session.enter(list_orders(session)[0])
    read = Session.view(tmp_path / "new.qfb", SYSTEMS)
    assert (read.battle, list_orders(read)) == (session.battle, list_orders(session))
    assert build_timeline(read.timeline.start, read.timeline.log).battle == session.battle
    session.close()


def find_differences(
    session: Session, timeline: Timeline, program: str = "0.2.0"
) -> dict[int, tuple[DifferenceKind, tuple[str, ...]]]:
    """List the differences in a save of an older version under today's rules, by entry."""
    found = list_differences(session.system, timeline, program)
    return {one.number: (one.kind, tuple(ruling.clause for ruling in one.by)) for one in found}


def test_s_hits_of_version_0_2_differ_by_a_ruling() -> None:
    session = advanced.played(advanced.battle(), "damage rook S")
    was = session.timeline.rulings[1]
    s_hit = Act(1, "first-gunnery", "s-hit", "rook", {"fire": False, "over": True})
    effects = (*was.decision.effects, Effect(Op.ACT, "rook", "s-hit", s_hit))
    older = evolve(was, decision=evolve(was.decision, effects=effects))
    timeline = evolve(session.timeline, rulings={**session.timeline.rulings, 1: older})
    assert find_differences(session, timeline) == {1: (DifferenceKind.RULING, ("AQF-DAM-12",))}


def test_a_forced_shot_at_the_same_side_stays_forced() -> None:
    start = advanced.battle(advanced.ship("ajax"), advanced.ship("boyne"), advanced.ship("rook", "red"))
    session = advanced.played(start, "force fire ajax heavy boyne medium 12 1")
    versions = session.timeline.versions
    forced = evolve(versions[1], overrode=("AQF-GUN-1",))
    older = evolve(session.timeline, versions={**versions, 1: forced})
    assert find_differences(session, older) == {}


def test_orders_of_0_2_that_are_refused_today_differ_by_a_ruling() -> None:
    searching = gq2.battle(phase="searchlights", light="night")
    for tables, start, orders, clause in (
        (gq2, searching, ("light ajax rook", "force dark ajax"), "GQ2-PH-5"),
        (clone, clone.battle(), ("force fire ajax heavy rook ~110cm guess 113 base 6 6 6",), "QFC-GUN-5"),
    ):
        session = tables.played(start, *orders)
        last = len(orders)
        versions = session.timeline.versions
        older = evolve(session.timeline, versions={**versions, last: evolve(versions[last], overrode=())})
        assert find_differences(session, older, "0.2.0") == {last: (DifferenceKind.RULING, (clause,))}


def test_flotillas_and_ships_at_rest_of_0_2_differ_by_a_ruling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Play as 0.2: only the first ship damages, ships at rest are checked, an AM takes to the boats."""
    explosion: Callable[..., PreparedOrder] = torpedo.build_explosion
    monkeypatch.setattr(
        torpedo, "build_explosion", lambda *given: explosion(*given[:3], given[3][:1], *given[4:])
    )
    monkeypatch.setattr(wandering.CheckedMove, "can_displace", True)
    monkeypatch.setattr("qf_tui.rules.gq2.damage.MERCHANTS_AND_SUBMARINES", ("MERCHANT", "AM"))
    flotilla = gq2.battle(
        *(gq2.destroyer(id, "blue") for id in ("dee", "dun")), gq2.ship("rook", "red"), phase="torpedo"
    )
    am = gq2.battle(gq2.ship("ajax"), gq2.ship("rook", "red", **gq2.build_class("AM")))
    cases = (
        (flotilla, ("torpedo dee,dun rook stick 9 0", "roll 6"), "GQ2-GUN-12"),
        (
            gq2.battle(phase="movement"),
            ("formation @blue-line quarter", "next", "answer 0 0 0 0"),
            "GQ2-MV-6",
        ),
        (am, ("damage rook C", "roll 9"), "GQ2-LOG-3"),
    )
    sessions = [gq2.played(start, *orders) for start, orders, _ in cases]
    monkeypatch.undo()
    for session, (_, orders, clause) in zip(sessions, cases, strict=True):
        found = find_differences(session, session.timeline, "0.2.0")
        assert found == {len(orders): (DifferenceKind.RULING, (clause,))}
