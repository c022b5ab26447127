"""The tiny system keeps to the seam."""

from qf_tui.core.system import Field, RuleSystem
from tests.core.playing import play, shooting, start
from tests.tiny import SYSTEM


def test_tiny_is_a_rule_system() -> None:
    system: RuleSystem = SYSTEM
    assert {phase for form in system.forms for phase in form.phases} == {"sail", "shoot", "tend"}


def test_every_clause_that_refuses_is_written_out() -> None:
    clauses = {option.clause for option in SYSTEM.options} | {"T-SHO-1", "T-SAI-2", "T-TEN-1", "T-PHA-1"}
    assert clauses <= set(SYSTEM.clauses)


def test_who_may_still_act_is_told_in_each_phase() -> None:
    assert [waiting.ship for waiting in SYSTEM.may_act(play(start(), "sail ant,bee 2").battle)] == [
        "cat",
        "dog",
    ]
    assert "ant" not in [waiting.ship for waiting in SYSTEM.may_act(shooting("shoot ant cat 6").battle)]


def test_a_cell_tells_slashes_from_what_is_left() -> None:
    now = shooting("shoot ant cat 1 3").battle
    spans = SYSTEM.cell(now, now.ships["cat"], SYSTEM.columns[0])
    assert [(span.text, span.tone) for span in spans] == [("2", ""), ("/", "slash")]


def test_a_field_of_texts_without_any_is_none_not_a_count() -> None:
    """The fault it catches: a first direction hit told as `0 → 90 right`."""
    course = Field("course", "course", "texts")
    assert (course.shown(0), course.shown(("90 right",))) == ((), ("90 right",))
