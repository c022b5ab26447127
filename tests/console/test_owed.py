"""Owed rolls: every screen names the same roll as the next one, and bare digits answer it."""

from qf_tui.document.glance import build_glance, build_hold_blocks
from qf_tui.document.text import lay_out_blocks
from qf_tui.session import Session
from tests.console.playing import Table, begin_gunnery, with_console
from tests.systems import load_start


def begin_wander() -> Session:
    """Begin the night battle whose movement has just asked for the moves of four divisions."""
    session = Session.begin(*load_start("gq2-fourth-flotilla-1916"))
    session.enter("next")
    return session


@with_console(begin_gunnery, "damage ohio E", size=(120, 36))
async def test_a_second_roll_is_shown_as_coming_after_the_first(table: Table) -> None:
    """Detect a message that names the newest roll while digits answer the oldest."""
    first = table.battle.owed[0]
    await table.order("damage mikasa E")
    second = table.battle.owed[1]
    assert f"also owed: {second.prompt} (after {first.prompt})" in table.text()
    assert f"owed 2  {first.prompt}" in table.text()
    await table.press("3")
    assert f"{first.prompt}: " in table.text()
    await table.press("enter")
    assert table.battle.owed == (second,)


@with_console(begin_gunnery, "damage ohio E", "damage mikasa E", size=(120, 36))
async def test_the_owed_line_names_the_roll_that_the_bar_is_open_for(table: Table) -> None:
    """Press `o` twice: the bar once asked for the second roll, the line above for the first."""
    first, second = table.battle.owed
    await table.press("o", "o")
    assert f"owed 2  {second.prompt}" in table.text()
    await table.press("escape")
    assert f"owed 2  {first.prompt}" in table.text()


@with_console(begin_gunnery, "damage ohio E", "damage mikasa E", size=(120, 36))
async def test_an_entry_that_owes_nothing_names_nothing_as_owed(table: Table) -> None:
    """Detect "also owed:  (after ...)" with an empty list while another roll is open."""
    await table.press("3", "enter")
    assert len(table.battle.owed) == 1
    assert "also owed" not in table.text()


@with_console(begin_wander, size=(120, 36))
async def test_a_roll_is_owed_before_questions_without_dice(table: Table) -> None:
    """Detect an owed line that names Broke's moves while digits are Tipperary's wander dice."""
    await table.type("15 space 0 enter")
    tipperary = table.battle.owed[-1]
    assert tipperary.dice
    assert table.battle.owed_in_order[0] is tipperary
    assert f"owed 4  {tipperary.prompt}" in table.text()
    assert f"now owed: {tipperary.prompt}" in table.text()
    await table.type("123 enter")
    assert tipperary not in table.battle.owed
    assert table.battle.owed_in_order[0].key in [owed.key for owed in table.battle.owed]


@with_console(begin_wander, size=(120, 36))
async def test_bare_digits_answer_a_question_that_wants_numbers(table: Table) -> None:
    """Detect `15 0` refused as dice while only moves in numbers are owed."""
    first = table.battle.owed[0]
    await table.type("15 space 0 enter")
    assert table.session.timeline.versions[2].order.key == first.key


@with_console(begin_wander, size=(80, 24))
async def test_an_open_question_shows_the_form_of_its_answer(table: Table) -> None:
    """Detect `in words` for an answer in figures, explained only after a refusal."""
    table.expect("inches and points of Tipperary", "like 15.5 0")
    await table.press("o")
    assert table.text().count("like 15.5 0") == 2
    await table.type("15.5 space 0 enter")
    assert table.session.timeline.versions[2].order.key.endswith("tipperary/1")


@with_console(lambda: Session.begin(*load_start("gq2-fourth-flotilla-1916")), size=(80, 24))
async def test_a_phase_that_asks_before_it_ends_is_shown_as_going_on(table: Table) -> None:
    await table.press("n", "enter")
    assert table.battle.phase == "movement"
    assert "Movement goes on: answer what is owed, then n again" in table.text()


def test_the_wall_and_the_end_of_a_phase_name_the_same_roll() -> None:
    session = begin_wander()
    session.enter("answer 0/wander-moves/westfalen/1 10 0")
    first = session.battle.owed_in_order[0]
    assert first.prompt.endswith("Westfalen")
    assert build_glance(session.system, session.timeline).to_throw[0].startswith(first.prompt)
    held = list(lay_out_blocks(tuple(build_hold_blocks(session.system, session.battle)), 200))
    (marked,) = (line for line in held if line.endswith(", to answer first"))
    assert first.prompt in marked
