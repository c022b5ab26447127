"""What the console shows of General Quarters 2 that no other game asks of it."""

import pytest
from attrs import evolve

from qf_tui.console.entry.form_state import dicing
from qf_tui.document.text import plain_lines
from qf_tui.document.transcript import consequences_document, why_document
from qf_tui.session import Session
from tests.console.playing import SMALL_FIRST, Table, keys_of, play
from tests.rules.gq2 import tables
from tests.rules.playing import enter, values
from tests.systems import started


def night(*orders: str) -> Session:
    """The shipped night battle in its searchlight phase."""
    system, start = started("gq2-fourth-flotilla-1916")
    return enter(Session.begin(system, evolve(start, phase="searchlights")), *orders)


def row(table: Table, name: str) -> str:
    """The line of the grid that begins with a ship."""
    return next(line for line in table.text().splitlines() if f"{name} " in line[:20])


def test_a_ship_that_another_lights_is_drawn_lit_though_its_own_log_is_the_same() -> None:
    """Catches a row that is not drawn again because its ship has not changed."""

    async def steps(table: Table) -> None:
        assert "lit" not in row(table, "Tipperary")
        await table.press("slash", *keys_of("light westfalen tipperary"), "enter", "o", *"33", "enter")
        assert "lit" in row(table, "Tipperary")
        await table.order("dark westfalen")
        assert "lit" not in row(table, "Tipperary")

    play(night(), steps, (80, 24))


@pytest.mark.clause("GQ2-NIT-3")
def test_why_a_ship_is_lit_names_the_entry_of_the_ship_that_lights_it() -> None:
    """Catches a story of a lit ship in which nobody lights it."""
    session = night("light westfalen tipperary", "roll 3 3", "light nassau broke", "roll 3 3")
    marks = next(column for column in session.system.columns if column.name == "marks")
    for column in (marks, None):
        why = why_document(session.system, session.timeline, session.battle.ships["tipperary"], column)
        told = [line.text.strip() for line in why.lines]
        assert "Westfalen, searchlights on: none → tipperary" in told
        assert any("Westfalen lights Tipperary, and is lit itself" in line for line in told)
        assert not any("Nassau" in line for line in told)
    session.enter("dark westfalen")
    why = why_document(session.system, session.timeline, session.battle.ships["tipperary"], marks)
    assert "No entry has touched it" in why.lines[0].text


@pytest.mark.parametrize("size", SMALL_FIRST)
def test_the_question_who_is_there_is_seen_beside_its_many_words(size: tuple[int, int]) -> None:
    """Catches a list of ships that leaves no room for what is asked."""

    async def steps(table: Table) -> None:
        await table.press("o", *"26", "enter")
        assert "two ships to the left of" in next(
            line for line in table.text().splitlines() if line.startswith(" owed 1")
        )
        await table.press("o")
        assert "who is there?" in table.text()
        assert table.text().splitlines()[-2].startswith(" broke · spitfire · ")
        await table.press(*"ardent", "enter")
        assert table.log()[-1] == "answer 1/who/westfalen/1 ardent"

    play(night("light westfalen tipperary"), steps, size)


def test_a_day_turn_and_a_shot_by_its_dialog() -> None:
    """Catches a dialog that cannot be filled in: battery, stick number, flag among the dice."""
    session = Session.begin(*started("gq2-dogger-bank-1915"))

    async def steps(table: Table) -> None:
        await table.press("n", "enter")
        assert table.battle.phase == "gunnery", "searchlights pass by day"
        await table.press("f", "m", *"bluech", "enter", "4", "enter")
        assert "straddles 50%" in table.text()
        await table.press("p", "2", "space", "9", "enter")
        assert "still missing blue D10" in table.text()
        await table.press("8", "enter")
        assert table.log()[-1] == "fire lion main bluecher straddle 4 penetrates"
        shot = table.session.timeline.versions[table.session.timeline.play_order[-1]]
        assert shot.dice == (2, 9, 8), "what was typed last goes on behind what was there"

    play(session, steps)


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.clause("GQ2-NIT-2")
def test_a_flotillas_spread_by_its_dialog_and_what_is_measured_to_the_ship_it_finds() -> None:
    """Catches a dialog that takes one ship only, odds by night of nothing, and a question with no answer."""
    session = night("next", "next")

    async def steps(table: Table) -> None:
        await table.press("t", "up", *"tipp,ard", "enter", *"westf", "enter", "7", "enter")
        assert "2 targeting rolls come first" in " ".join(table.text().split())
        assert "hits 40%" in table.text(), "at Westfalen, if she is found"
        await table.press("enter")
        assert table.log()[-1] == "torpedo tipperary,ardent westfalen stick 7"
        await table.press("o", *"35", "enter", "o", *"26", "enter", "o", *"posen", "enter")
        assert [owed.line for owed in table.battle.owed] == ["torpedo", "measure"]
        await table.order("answer 5 bow")
        assert sorted(owed.declared.text("target") for owed in table.battle.owed) == ["posen", "westfalen"]

    play(session, steps)


@pytest.mark.clause("GQ2-MV-6")
def test_a_wander_check_is_filled_in_with_what_is_recorded() -> None:
    """Catches a dialog that asks for what the log has, and keeps it for another ship."""
    system, start = started("gq2-fourth-flotilla-1916")
    session = Session.begin(system, start)
    session.enter("move tipperary 9 turns 1")

    async def steps(table: Table) -> None:
        await table.press("w")
        assert table.top.fields.line == "wander tipperary 9 4"
        assert "as recorded" in table.text()
        await table.press("up", "up", "backspace", "8")
        assert "recorded: 9" in table.text()
        await table.press("backspace", "9", "up", *"nas", "space")
        assert (table.top.filling.text("inches"), table.top.filling.text("points")) == ("", "")

    play(session, steps, (80, 24))


def test_what_a_correction_makes_of_critical_hits_stands_with_the_logs() -> None:
    """Catches a shot struck whose boiler room nobody wipes off the sheet."""
    session = tables.played(tables.battle(), "fire ajax 6 rook straddle 5 penetrates 2 9 1", "roll 6")
    told = [
        line.strip()
        for line in plain_lines(consequences_document(session.system, session.preview("amend 1 9")).blocks)
    ]
    assert "Rook: criticals boiler room → none" in told


@pytest.mark.clause("GQ2-MV-6")
def test_the_dice_of_a_long_line_are_typed_without_spaces() -> None:
    """Catches a row of wander checks whose digits are too many to be dice."""
    ships = [tables.destroyer(f"dun{at}", "blue") for at in "abcdefghi"]
    session = tables.played(tables.battle(*ships, tables.ship("rook", "red"), phase="movement"))
    enter(session, "formation @blue-line abreast", "move @blue-line 8", "next")
    typed = "669" * len(ships)
    found = dicing(session, session.read_typed(typed))
    assert found.order is not None
    assert "".join(map(str, found.order.dice)) == typed


def test_the_console_asks_for_power_and_takes_the_umpires_word() -> None:
    """Catches a question in words that no key answers."""
    session = tables.played(tables.battle(phase="torpedo"), "mark rook boiler 6", "next")

    async def steps(table: Table) -> None:
        assert "does Rook regain power?" in table.text()
        await table.press("o")
        await table.press("3", "enter")
        assert table.log()[-1].endswith("power/rook/1 3")
        assert values(session, "rook")["speed"] == 8

    play(session, steps, (100, 30))
