"""What people must throw and what came of it, where they look: the owed line, dialogs, banners, the list."""

from tests.console.playing import Table, gunnery, play

SMALL = (80, 24)


def test_the_owed_line_and_the_dialog_say_what_to_throw() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long")

    async def steps(table: Table) -> None:
        assert "black ≤7 · white ≤11" in table.text()
        await table.press("o")
        assert "fires on black 7 or less" in table.text()
        await table.press("escape", "v", "v")
        assert "to throw: Mikasa heavy at Borodino, long: fires on black 7 or less" in table.text()
        await table.press("escape", "escape", "f", *"fmahl", "escape", "escape")

    play(session, steps, SMALL)


def test_all_faces_of_an_explosion_are_shown_where_they_need_several_lines() -> None:
    """Catches the face that everyone wants cut off at the end of a line."""
    session = gunnery()
    session.enter("damage ohio E")

    async def steps(table: Table) -> None:
        await table.press("o")
        assert "12 SX SX SX" in " ".join(table.text().split())

    play(session, steps, SMALL)


def test_an_event_stays_until_it_is_read() -> None:
    async def steps(table: Table) -> None:
        await table.order("leave ohio sunk")
        assert "‼ OHIO SINKS" in table.text()
        await table.order("note the wind backs")
        assert "‼ OHIO SINKS" in table.text()
        await table.press("escape", "escape")
        assert "‼ OHIO SINKS" not in table.text()

    play(gunnery(), steps, SMALL)


def test_an_event_that_is_undone_and_entered_again_is_told_once() -> None:
    async def steps(table: Table) -> None:
        for text in ("leave ohio sunk", "undo", "leave ohio sunk"):
            await table.order(text)
        assert table.text().count("OHIO SINKS  ") == table.text().count("‼ OHIO SINKS") == 1

    play(gunnery(), steps, SMALL)


def test_the_enter_that_ends_a_phase_does_not_close_the_list_of_what_hands_must_do() -> None:
    session = gunnery()
    session.enter("damage ohio S")

    async def steps(table: Table) -> None:
        await table.press("n", "enter", "enter", "enter")
        assert "On the table, after turn 1" in table.text()
        await table.press("space")
        assert table.top is table.screen

    play(session, steps, SMALL)
