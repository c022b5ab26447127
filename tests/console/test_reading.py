"""Pages to read: the help and its clauses, charts, the report, refusals, and lists read aloud."""

import pytest
from attrs import evolve
from textual.content import Content

from qf_tui.console.reading.document_view import wrap_lines
from qf_tui.console.reading.help import build_chart_lines, build_help_lines
from qf_tui.console.reading.lookup import GAP, LookupLine, Rank, build_heading, find_matching
from qf_tui.console.reading.source import build_refusal_lines
from qf_tui.console.widgets.keys import build_keymap
from qf_tui.console.widgets.text import wrap_hanging
from qf_tui.core.errors import impossible, refused
from qf_tui.document.values import build_line
from tests.console.playing import SMALL_FIRST, Size, Table, begin_examples, begin_gunnery, with_console
from tests.systems import find_our_systems


@with_console(begin_examples)
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
    table.expect("In this phase", "more lines: PgDn")
    await table.write("zzzz")
    assert "Nothing matches" in table.text()
    assert "more line" not in table.text()
    await table.press("escape", "escape")
    assert table.app.screen is table.screen


def test_a_search_keeps_headings_and_the_notes_of_a_line() -> None:
    orders, clauses = build_heading("Orders"), build_heading("Clauses")
    fire, fires = LookupLine(Content("fire SHIP")), LookupLine(Content("a battery fires"), Rank.BELOW)
    clause = LookupLine(Content("X-1 fire"))
    lines = [orders, fire, fires, LookupLine(Content("move")), GAP, clauses, clause, GAP]
    assert find_matching(lines, "fire battery") == [orders, fire, fires]
    assert find_matching(lines, "x-1") == [clauses, clause]
    assert find_matching(lines, "submarine") == []
    assert find_matching(lines, "clauses") == [clauses, clause]
    assert find_matching([*lines, clause], "x-1") == [clauses, clause, clause]


def test_indented_notes_are_found_alone() -> None:
    """Detect an indented line taken for the rest of the line above."""
    battle = evolve(begin_examples().battle, table={"notes": "Weather:\n     fog at dusk\nWind: none"})
    lines = build_help_lines(begin_examples().system, battle, build_keymap)
    assert [line.content.plain.strip() for line in find_matching(lines, "fog dusk")] == [
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
def test_a_long_line_is_wrapped_under_its_own_text(text: str, lines: list[str]) -> None:
    """Detect panels whose second lines begin at the left edge."""
    assert [line.plain.rstrip() for line in wrap_hanging(Content(text), 18 if "F7" in text else 15)] == lines


@with_console(begin_gunnery)
async def test_a_refusal_in_the_bar_or_a_dialog_is_explained_by_its_clause(table: Table) -> None:
    await table.type("slash torpedo_mikasa_borodino_in question_mark")
    table.expect("Why it is refused", "AQF-PH-4: Torpedoes are")
    await table.press("escape")
    assert table.screen.orders.text == "torpedo mikasa borodino in"
    await table.type("escape escape slash note_who question_mark enter")
    assert table.list_orders()[-1] == "note who?", "in a remark it is text"
    await table.type("tboro space i question_mark")
    assert "AQF-PH-4: Torpedoes are" in table.text()


def test_a_name_that_reads_like_a_clause_explains_nothing() -> None:
    """Detect clauses searched in text, which a ship's name may contain."""
    system = find_our_systems()["advanced-quickfire"]
    named = impossible("HMS [AQF-GUN-5] is sunk")
    assert build_refusal_lines(system, (named,)) == []
    shown = "\n".join(
        line.plain for line in build_refusal_lines(system, (named, refused("too far", "AQF-GUN-1")))
    )
    assert shown.startswith("✗ HMS [AQF-GUN-5] is sunk; too far [AQF-GUN-1]")
    assert "AQF-GUN-5:" not in shown


@pytest.mark.parametrize("size", SMALL_FIRST)
@with_console(begin_examples)
async def test_the_charts_fit_and_mark_what_is_reconstructed(table: Table, size: Size) -> None:
    lines = build_chart_lines(begin_examples().system, begin_examples().battle, size[0] - 6)
    shown = [line.content for line in lines]
    assert max(line.cell_length for line in shown) <= size[0] - 6
    assert any("†" in line.plain for line in shown[2:])
    said = "\n".join(line.plain for line in shown)
    assert "Scale medium, in" in said
    assert "cbl 1¼" in said
    await table.press("i")
    assert "Charts of" in table.text()


@pytest.mark.clause("AQF-PH-5")
@pytest.mark.clause("AQF-MV-6")
@with_console(begin_examples, "option initiative each-turn", "mark hannibal course 45 left")
async def test_movement_asks_for_initiative_and_shows_ships_that_steer(table: Table) -> None:
    """Detect a throw that the screen does not ask for, and a steered move that it does not compute."""
    assert "initiative: Blue, Red" in table.text()
    await table.type("o11 space 3 enter")
    assert "[1 Movement: Blue, then Red]" in table.text()
    await table.type("slash move_hannibal_8")
    assert "two pivots of 45° left" in table.text()


@pytest.mark.parametrize("width", range(30, 48))
def test_no_wrapped_line_is_wider_than_its_pane(width: int) -> None:
    """Detect a last word that is cut off where a line fills its room."""
    words = "fires guns at a ship and hits her twice in the bow, then " * 4
    lines = [build_line(words, indent=indent) for indent in (0, 4, 7)]
    wrapped = wrap_lines(lines, 7, width)
    assert max(line.cell_length for line in wrapped) <= width
    assert " ".join(line.plain.strip() for line in wrapped[: len(wrapped) // 3]) == words.strip()
