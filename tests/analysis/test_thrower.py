"""Whose throw it is, what its results are counted by, and whether the console threw it."""

from pathlib import Path

import pytest

from qf_tui.analysis.throws import throws_of
from qf_tui.analysis.values import ThrownDice
from qf_tui.session import Session
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.quickfire import tables as quickfire
from tests.systems import our_systems


def throws(session: Session) -> tuple[ThrownDice, ...]:
    """The throws of a battle."""
    system, timeline = session.system, session.timeline
    steps = throws_of(system, system.worth, timeline, range(len(timeline.play_order)))
    return tuple(step.throw for step in steps if step.throw is not None)


def by(session: Session) -> list[tuple[str, str, str, int]]:
    """Ship, target, kind and results of each throw."""
    return [(throw.ship, throw.target, throw.kind, throw.results) for throw in throws(session)]


def test_the_s_of_a_torpedo_count_for_whoever_launched_it() -> None:
    """Catches harm that is told of the ship that was struck, or lost behind answers to answers."""
    struck = [("ajax", "rook", "torpedoes", 1), ("ajax", "rook", "torpedo-hits", 4)]
    at_once = quickfire.played(quickfire.battle(), "torpedo ajax rook in 1 1", "roll 4")
    assert by(at_once) == struck
    declared = quickfire.played(quickfire.battle(), "torpedo ajax rook in", "roll 1 1", "roll 4")
    assert by(declared) == struck


def test_what_a_mine_does_is_no_harm_done_by_its_victim() -> None:
    for orders in (("mine rook 1",), ("mine rook", "roll 1")):
        session = gq2.played(gq2.battle(phase="movement"), *orders)
        assert by(session) == [("rook", "", "mines", 6)]


def test_boxes_by_torpedoes_count_for_whoever_launched_them() -> None:
    session = gq2.played(gq2.battle(phase="torpedo"), "torpedo ajax rook stick 5 1", "roll 2")
    assert by(session) == [("ajax", "rook", "torpedoes", 1), ("ajax", "rook", "torpedo-hits", 10)]


@pytest.mark.parametrize("fired", ["fire ajax heavy rook pb 1 12", "fire ajax heavy rook pb"])
def test_dice_of_the_console_are_told_from_typed_ones(fired: str) -> None:
    session = Session.begin(our_systems()["advanced-quickfire"], advanced.battle(), seed=1)
    session.enter(fired)
    assert [throw.by_console for throw in throws(session)] == ["12" not in fired]


def test_a_save_keeps_which_dice_the_console_threw(tmp_path: Path) -> None:
    """Catches a mark that is lost on the disk, and one that an amendment with typed dice keeps."""
    system, save = our_systems()["advanced-quickfire"], tmp_path / "battle.qfb"
    session = Session.begin(system, advanced.battle(), save, seed=1)
    for order in ("fire ajax heavy rook pb", "fire ajax light rook pb", "amend 2 1 5"):
        session.enter(order)
    session.close()
    seen = Session.look(save, our_systems())
    assert seen.timeline == session.timeline
    assert [throw.by_console for throw in throws(seen)][:2] == [True, False]
