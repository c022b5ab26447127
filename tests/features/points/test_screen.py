"""The panel of victory points by its keys, and the sums at the end of a phase."""

import pytest

from qf_tui.features.points import list_public_sums
from qf_tui.features.points.screen import PointsPanel
from tests.console.playing import SIZES, Size, Table, begin_examples, with_console
from tests.features.points.scored import begin_hostile, format_all


@pytest.mark.parametrize("size", SIZES)
@with_console(begin_hostile, "leave borodino sunk")
async def test_sums_workings_and_secret_points_each_have_a_key(table: Table, size: Size) -> None:
    public = list_public_sums(table.session.system, table.session.timeline)
    await table.press("V")
    assert isinstance(table.top, PointsPanel)
    table.expect(*public)
    assert "8 points" not in table.text()
    await table.press("question_mark")
    table.expect("3 for each ship of", "= 3: HMS [Red] Lion")
    assert "5 for 1 ship" not in table.text()
    await table.press("s")
    table.expect(*format_all(table.session), "secret", "not for the players' eyes")
    await table.press("s", "question_mark")
    table.expect(*public)
    assert "players' eyes" not in table.text()
    await table.press("escape")
    assert table.app.screen is table.screen


@with_console(begin_hostile, "leave borodino sunk", "next")
async def test_the_end_of_a_phase_shows_the_sums_without_secret_points(table: Table) -> None:
    await table.press("n")
    table.expect("Victory", *list_public_sums(table.session.system, table.session.timeline))
    assert "8 points" not in table.text()


@with_console(begin_hostile, "leave borodino sunk", "next")
async def test_the_line_about_the_next_phase_begins_with_the_sums(table: Table) -> None:
    await table.press("n", "enter")
    first, *_ = sorted(list_public_sums(table.session.system, table.session.timeline), key=len)
    table.expect(f"Now turn 1, Second gunnery + torpedo.   {first}")


@with_console(begin_examples)
async def test_without_points_the_key_says_so(table: Table) -> None:
    await table.press("V")
    table.expect("this scenario gives no victory points")
    assert table.top is table.screen
