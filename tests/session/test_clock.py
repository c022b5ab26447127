"""The clock of a phase: the text it shows as time passes, from the times when acts were entered."""

import os
import time
from pathlib import Path

import pytest

from qf_tui.core.declarations import Phase
from qf_tui.session import Session
from qf_tui.session.clock import find_phase_start, find_turn_start, format_clock
from qf_tui.session.saves import COUNTED_S, Follower
from tests.console.playing import begin_examples, begin_saved, begin_tiny
from tests.systems import find_our_systems
from tests.tiny import Tiny


class Timed:
    """A battle whose acts are entered at given seconds."""

    def __init__(self, session: Session) -> None:
        self.session, self.now = session, 0.0
        session.start_clock(lambda: self.now)

    def enter(self, now: float, *lines: str) -> None:
        self.now = now
        for line in lines:
            self.session.enter(line)


@pytest.mark.parametrize(
    ("now", "minutes", "says"),
    [
        (60, 0, ""),
        (60, 10, "10 min left"),
        (59, 10, "10 min left"),
        (61, 10, "10 min left"),
        (120, 10, "9 min left"),
        (659, 10, "1 min left"),
        (660, 10, "time is up"),
        (719, 10, "time is up"),
        (720, 10, "1 min over"),
        (60 * 61, 10, "50 min over"),
    ],
)
def test_the_clock_counts_down_and_on_and_changes_no_battle(now: float, minutes: int, says: str) -> None:
    timed = Timed(begin_examples())
    timed.enter(60, "next")
    before = timed.session.timeline
    assert format_clock(timed.session.timeline, now, minutes) == says
    assert timed.session.timeline is before
    assert format_clock(timed.session.timeline, None, minutes) == ""


def test_a_phase_begins_with_the_entry_that_opened_it() -> None:
    timed = Timed(begin_examples())
    assert find_phase_start(timed.session.timeline) == (0, 0.0)
    timed.enter(60, "next")
    timed.enter(90, "note x", "undo 2")
    assert find_phase_start(timed.session.timeline) == (0, 0.0)
    timed.enter(100, "redo")
    assert find_phase_start(timed.session.timeline) == (1, 60)
    timed.enter(130, "force next")
    assert find_phase_start(timed.session.timeline)[1] == 130


def test_without_times_there_is_no_clock() -> None:
    session = begin_examples()
    session.enter("next")
    assert find_phase_start(session.timeline) == (1, None)
    assert format_clock(session.timeline, 100, 5) == ""


@pytest.mark.parametrize(("ago", "known"), [(0, True), (300, True), (-60, True), (COUNTED_S + 5, False)])
def test_a_follower_counts_on_from_the_last_act(tmp_path: Path, ago: int, known: bool) -> None:
    """Take the time since then from the age of the file; an old file gives no clock."""
    save = tmp_path / "battle.qfb"
    timed = Timed(begin_saved(save))
    timed.enter(40, "next")
    timed.enter(100, "note x")
    timed.session.close()
    written = time.time() - ago
    os.utime(save, (written, written))
    seconds = Follower(save, find_our_systems()).seconds
    assert (seconds is not None) == known
    assert seconds is None or seconds == pytest.approx(100 + max(0, ago), abs=5)


class OnePhase(Tiny):
    """A system whose turns have one phase, so that nothing opens a phase within the first turn."""

    phases: tuple[Phase, ...] = (Phase("sail", "Sail"),)


def test_the_pace_counts_from_the_entry_that_opened_the_turn() -> None:
    timed = Timed(Session.begin(OnePhase(), begin_tiny().battle))
    assert find_turn_start(timed.session.timeline) == (0, 0.0)
    timed.enter(100, "force next")
    timed.enter(130, "note x")
    assert find_turn_start(timed.session.timeline) == (1, 100)
    timed.enter(200, "force next")
    assert find_turn_start(timed.session.timeline) == (3, 200)
    three_phases = Timed(begin_examples())
    three_phases.enter(50, "force next")
    assert find_turn_start(three_phases.session.timeline) == (0, 0.0)
