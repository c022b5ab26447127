"""Older saves keep what they recorded; what today's rules read otherwise is put down to a changed ruling."""

from collections.abc import Callable, Mapping
from types import ModuleType

import pytest
from attrs import evolve

from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle
from qf_tui.core.verify import DifferenceKind, differences
from qf_tui.session import Session
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.quickfire import tables as quickfire

AFTER_TWO_PIVOTS = ("move ajax 5 pivots 2", *("next",) * 6, "move ajax 1")


def told(session: Session, timeline: Timeline) -> dict[int, tuple[DifferenceKind, tuple[str, ...]]]:
    """What differs by today's rules in a save that version 0.1 began, by entry."""
    found = differences(session.system, timeline, "0.1.0")
    return {one.number: (one.kind, tuple(ruling.clause for ruling in one.by)) for one in found}


def with_start(timeline: Timeline, change: Callable[[Battle], Battle]) -> Timeline:
    """The same records behind another start."""
    return evolve(timeline, start=change(timeline.start))


def without_switches(battle: Battle) -> Battle:
    return evolve(battle, options={})


@pytest.mark.parametrize(
    ("tables", "phase", "switches", "orders", "clause"),
    [
        (advanced, "movement", {"speed_by": "moved"}, AFTER_TWO_PIVOTS, "AQF-MV-7"),
        (advanced, "repair", {"b_chain": "chain"}, ("damage bare B",), "AQF-DAM-13"),
        (quickfire, "gunnery", {"light_g": "heavy"}, ("damage bare light G",), "QF-DAM-3"),
    ],
)
def test_what_a_switch_still_gives_differs_by_a_ruling(
    tables: ModuleType, phase: str, switches: Mapping[str, str], orders: tuple[str, ...], clause: str
) -> None:
    """Catches an older reading that is told as a fault of the program."""
    bare = tables.ship("bare", torpedo=None, log={"boat_guns": 0, "rof_light": 0})
    start = tables.battle(tables.ship("ajax"), tables.ship("rook", "red"), bare, phase=phase, **switches)
    session = tables.played(start, *orders)
    assert told(session, session.timeline) == {}
    older = with_start(session.timeline, without_switches)
    assert told(session, older)[len(orders)] == (DifferenceKind.RULING, (clause,))
    assert older.battle == session.battle


def test_a_later_side_s_early_move_differs_by_a_ruling() -> None:
    """Catches an early move of an older save that is told as a fault."""
    start = advanced.battle(phase="movement", initiative="once")
    session = advanced.played(start, "roll 9 3", "force move rook 4")
    versions = session.timeline.versions
    older = evolve(session.timeline, versions=versions.plus({2: evolve(versions[2], overrode=())}))
    assert told(session, older) == {2: (DifferenceKind.RULING, ("AQF-PH-10",))}


def test_what_is_remembered_of_s_hits_differs_by_a_ruling() -> None:
    """Catches S hits of older saves, which remember nothing of their order, told as faults."""
    rook = advanced.ship("rook", "red", log={"speed_hits": 7})
    session = advanced.played(advanced.battle(advanced.ship("ajax"), rook), "damage rook S")
    was = session.timeline.rulings[1]
    effects = tuple(effect for effect in was.decision.effects if effect.field != "s-hit")
    assert len(effects) < len(was.decision.effects)
    older = evolve(was, decision=evolve(was.decision, effects=effects))
    timeline = evolve(session.timeline, rulings=session.timeline.rulings.plus({1: older}))
    assert told(session, timeline) == {1: (DifferenceKind.RULING, ("AQF-DAM-12",))}


def test_a_target_that_counted_its_pivots_differs_by_a_ruling() -> None:
    """Catches a torpedo of an older save at a target that used two boxes and moved one."""

    def rook(distance: str) -> Callable[[Battle], Battle]:
        moved = quickfire.ship("rook", "red", log={"moved": 2, "distance": distance})
        return lambda battle: battle.with_ship(moved)

    start = rook("2")(quickfire.battle(quickfire.ship("ajax", torpedo=4), quickfire.ship("rook", "red")))
    session = quickfire.played(evolve(start, began=evolve(start, began=None)), "torpedo ajax rook in 3 3")
    older = with_start(session.timeline, rook("1"))
    ((kind, by),) = told(session, older).values()
    assert kind is DifferenceKind.RULING
    assert "QF-TOR-6" in by


def test_a_forced_shot_at_the_own_side_stays_forced() -> None:
    """Catches an older word of the umpire that covers nothing, since no clause is cited any more."""
    start = advanced.battle(advanced.ship("ajax"), advanced.ship("boyne"), advanced.ship("rook", "red"))
    session = advanced.played(start, "force fire ajax heavy boyne medium 12 1")
    versions = session.timeline.versions
    forced = evolve(versions[1], overrode=("AQF-GUN-1",))
    older = evolve(session.timeline, versions=versions.plus({1: forced}))
    assert told(session, older) == {}
