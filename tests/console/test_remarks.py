"""Remarks on ships: what is kept of a log says what the whole of it does."""

import pytest

from qf_tui.document.acts import ShipRemarks
from qf_tui.session import Session
from tests.console.playing import gunnery

ACTS = (
    "note mikasa: her flag is shot away",
    "note asahi: made smoke",
    "note the wind freshens",
    "note mikasa: it flies again",
    "undo",
    "redo",
    "strike 3",
    "insert 3 note mikasa: remembered late",
    "note mikasa: a funnel less",
)


@pytest.mark.parametrize("looked_at", [1, 2, 3])
def test_remarks_that_are_kept_are_those_of_the_whole_log(looked_at: int) -> None:
    """Catches a struck remark that stays, one put in among others, and one missed between two looks."""
    session: Session = gunnery()
    kept = ShipRemarks()
    for at, act in enumerate(ACTS):
        session.enter(act)
        if at % looked_at == 0:
            for ship in session.battle.ships.values():
                assert kept.on(session.timeline, ship) == ShipRemarks().on(session.timeline, ship)
    said = [one.partition(": ")[2] for one in kept.on(session.timeline, session.battle.ships["mikasa"])]
    assert said[-1] == "a funnel less"
    assert "remembered late" in said
