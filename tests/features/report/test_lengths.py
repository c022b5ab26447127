"""The lengths of phases, by the times of entries."""

from qf_tui.document.values import Section, Table
from qf_tui.features.report.document import make_report
from qf_tui.features.report.story import analyse, list_phase_lengths
from qf_tui.session import Session
from tests.console.playing import begin_examples
from tests.session.test_clock import Timed


def test_a_phase_lasts_from_the_entry_that_opened_it() -> None:
    timed = Timed(begin_examples())
    timed.enter(60, "next")
    timed.enter(90, "note x", "undo 2")
    timed.enter(100, "redo")
    timed.enter(130, "force next")
    assert [length.seconds for length in list_phase_lengths(timed.session.timeline)] == [60, 70]


def test_without_times_no_phase_has_a_length() -> None:
    session = begin_examples()
    session.enter("next")
    assert list(list_phase_lengths(session.timeline)) == []


def find_lengths(session: Session) -> Table | None:
    made = make_report(session.system, session.timeline, analyse(session.system, session.timeline))
    parts = (part for part in made.document.blocks if isinstance(part, Section) and part.id == "lengths")
    tables = (block for part in parts for block in part.blocks if isinstance(block, Table))
    return next(tables, None)


def test_the_report_says_how_long_each_phase_took() -> None:
    timed = Timed(begin_examples())
    timed.enter(65, "next")
    now = 65
    while timed.session.battle.turn == 1:
        now += 600
        timed.enter(now, "force next")
    found = find_lengths(timed.session)
    assert found is not None
    assert [column.title for column in found.columns][:2] == ["turn", "Movement"]
    cells = found.rows[0].cells
    assert cells[:3] == ("1", "1:05", "10:00")
    assert cells[-1] == f"{now // 60}:{now % 60:02}"
    plain = begin_examples()
    plain.enter("next")
    assert find_lengths(plain) is None
