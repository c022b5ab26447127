"""What is there to be read.

The help and its clauses, charts, the report, refusals, and what is read aloud.
"""

import pytest
from attrs import evolve
from textual.content import Content

from qf_tui.console.reading.announcements import HIGH, LETTERS, in_capitals, large
from qf_tui.console.reading.help import chart_lines, help_lines
from qf_tui.console.reading.lookup import GAP, LookupLine, Rank, heading, matching
from qf_tui.console.reading.source import refusal_lines
from qf_tui.console.widgets.keys import keymap
from qf_tui.console.widgets.text import hanging
from qf_tui.core.errors import impossible, refused
from tests.console.playing import HOSTILE, SMALL_FIRST, Size, Table, bench, gunnery, plays
from tests.systems import our_systems


@plays(bench)
async def test_the_help_is_searched_by_typing(table: Table) -> None:
    await table.press("f1")
    assert "In this phase" in table.text()
    await table.write("torpedo reload")
    text = table.text()
    assert "search: torpedo reload" in text
    assert "AQF-DAM-6" in text
    assert "In this phase" not in text
    assert "Esc ends the search" in text
    await table.press("escape")
    table.shows("In this phase", "more lines: PgDn")
    await table.write("zzzz")
    assert "Nothing matches" in table.text()
    assert "more line" not in table.text()
    await table.press("escape", "escape")
    assert table.app.screen is table.screen


def test_a_search_keeps_headings_and_what_belongs_to_a_line() -> None:
    orders, clauses = heading("Orders"), heading("Clauses")
    fire, fires = LookupLine(Content("fire SHIP")), LookupLine(Content("a battery fires"), Rank.BELOW)
    clause = LookupLine(Content("X-1 fire"))
    lines = [orders, fire, fires, LookupLine(Content("move")), GAP, clauses, clause, GAP]
    assert matching(lines, "fire battery") == [orders, fire, fires]
    assert matching(lines, "x-1") == [clauses, clause]
    assert matching(lines, "submarine") == []
    assert matching(lines, "clauses") == [clauses, clause]
    assert matching([*lines, clause], "x-1") == [clauses, clause, clause]


def test_notes_that_are_indented_are_found_by_themselves() -> None:
    """Catches a line taken for the rest of the one above by the spaces that it begins with."""
    battle = evolve(bench().battle, table={"notes": "Weather:\n     fog at dusk\nWind: none"})
    lines = help_lines(bench().system, battle, keymap)
    assert [line.content.plain.strip() for line in matching(lines, "fog dusk")] == [
        "Notes of the scenario",
        "fog at dusk",
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "      X-1: a rule in several words",
            ["      X-1: a", "      rule in", "      several", "      words"],
        ),
        ("  o F7   answers what is owed", ["  o F7   answers", "         what is", "         owed"]),
        ("short", ["short"]),
    ],
)
def test_a_long_line_goes_on_under_its_own_text(text: str, lines: list[str]) -> None:
    """Catches panels whose second lines begin at the left edge."""
    assert [line.plain.rstrip() for line in hanging(Content(text), 18 if "F7" in text else 15)] == lines


@plays(gunnery)
async def test_a_refusal_in_the_bar_or_a_dialog_is_explained_by_its_clause(table: Table) -> None:
    await table.type("slash torpedo_mikasa_borodino_in question_mark")
    table.shows("Why it is refused", "AQF-PH-4: Torpedoes leave")
    await table.press("escape")
    assert table.screen.orders.text == "torpedo mikasa borodino in"
    await table.type("escape escape slash note_who question_mark enter")
    assert table.log()[-1] == "note who?", "in a remark it is text"
    await table.type("tboro space i question_mark")
    assert "AQF-PH-4: Torpedoes leave" in table.text()


def test_a_name_that_reads_like_a_clause_explains_nothing() -> None:
    """Catches clauses that are looked for in words, which a ship's name may hold."""
    system = our_systems()["advanced-quickfire"]
    named = impossible("HMS [AQF-GUN-5] is sunk")
    assert refusal_lines(system, (named,)) == []
    shown = "\n".join(line.plain for line in refusal_lines(system, (named, refused("too far", "AQF-GUN-1"))))
    assert shown.startswith("✗ HMS [AQF-GUN-5] is sunk; too far [AQF-GUN-1]")
    assert "AQF-GUN-5:" not in shown


@pytest.mark.parametrize("size", SMALL_FIRST)
@plays(bench)
async def test_the_charts_fit_and_mark_what_is_reconstructed(table: Table, size: Size) -> None:
    lines = chart_lines(bench().system, bench().battle, size[0] - 6)
    shown = [line.content for line in lines]
    assert max(line.cell_length for line in shown) <= size[0] - 6
    assert any("†" in line.plain for line in shown[2:])
    said = "\n".join(line.plain for line in shown)
    assert "Scale medium, in" in said
    assert "cbl 1¼" in said
    await table.press("i")
    assert "Charts of" in table.text()


@plays(lambda: gunnery(HOSTILE), "damage mikasa S", "damage ohio S S")
async def test_what_changed_on_the_table_is_read_aloud_line_by_line(table: Table) -> None:
    await table.press("v", "v")
    assert "On the table, in turn 1" in table.text()
    await table.press("v")
    first = table.text()
    assert "1 of 2" in first
    assert "█" in first
    await table.press("enter")
    # Letters that the font does not have stay as they are, apart from each other.
    assert "艦" in table.text()
    await table.type("enter escape escape")
    assert table.app.screen is table.screen


@pytest.mark.parametrize("size", SMALL_FIRST)
@pytest.mark.parametrize("text", ["Tsesarevich: speed 4½″", "艦 Kongō: sinks", "x" * 200, ""])
def test_large_letters_stay_within_the_screen(size: Size, text: str) -> None:
    drawn = large(text, *size)
    lines = drawn.splitlines()
    assert len(lines) <= size[1]
    assert all(Content(line).cell_length <= size[0] for line in lines)


@pytest.mark.parametrize(
    "text", ["MIKASA: STEERS 45° LEFT", "Besposhchadny: speed 6¾″", "Héros, Kasuga & Co."]
)
def test_what_matters_most_is_in_large_letters_on_the_smallest_screen(text: str) -> None:
    """Catches a degree sign, a fraction or a name of 13 letters that drops the whole line to plain."""
    assert set(large(text, 76, 18)) <= set("█▀▄ \n")


def test_a_text_is_wholly_large_or_wholly_plain_with_fractions_apart_from_inches() -> None:
    """Catches 6¾ that reads as 63/4."""
    assert large("艦 Kongō: sunk", 76, 18) == "艦 KONGŌ: SUNK"
    assert in_capitals("speed 6¾″") == "SPEED 6 3/4 IN"


def test_every_letter_is_seven_dots_high() -> None:
    assert {len(rows) for rows in LETTERS.values()} == {HIGH}
    assert all(len({len(row) for row in rows}) == 1 for rows in LETTERS.values())
    assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;/-+()'%°!?&") <= LETTERS.keys()


@pytest.mark.clause("AQF-PH-5")
@pytest.mark.clause("AQF-MV-6")
@plays(bench, "option initiative each-turn", "mark hannibal course 45 left")
async def test_movement_asks_for_initiative_and_shows_its_order_and_what_steers(table: Table) -> None:
    """Catches a throw that the screen does not ask for, and a steered move that it does not work out."""
    assert "initiative: Blue, Red" in table.text()
    await table.type("o11 space 3 enter")
    assert "[1 Movement: Blue, then Red]" in table.text()
    await table.type("slash move_hannibal_8")
    assert "two pivots of 45° left" in table.text()
