"""The umpire's chart over ours, strict mode, and rounded distances (AQF-CHA, AQF-MV-1)."""

from fractions import Fraction
from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.core.decisions import with_overlay
from qf_tui.core.errors import OrderRefused
from qf_tui.core.values import Chart, ChartRow
from qf_tui.document.acts import format_outcome
from qf_tui.library.charts import list_chart_contradictions, load_overlay
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.rules.quickfire_family.game import format_exact_distance, round_distance
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, charts, craft, played, ship, to_phase
from tests.rules.playing import (
    changed,
    draw_cell,
    format_cell,
    format_spans,
    is_allowed,
    lay_cells,
    owed,
    question,
    reasons,
    refusal,
    result,
    values,
    write_chart,
)

CHECKS = {
    "explosion": ["damage rook E", "roll 1"],
    "T-hit effect": ["damage rook T", "roll 5"],
    "fire check": ["mark rook fires 1", "next", "next", "roll 5"],
    "SX check": ["mark rook speed_lost 1", "next", "next", "roll 5"],
    "repair": ["mark rook rof_heavy 1", "next", "next", "next", "repair rook heavy 5"],
    "repair S+P": ["mark rook speed_hits 1", "next", "next", "next", "repair rook speed 5"],
    "sinking": ["mark rook speed_lost 3", "next", "next", "roll 5", "next", "next", "roll 12"],
}


@pytest.mark.clause("AQF-CHA-1")
@pytest.mark.parametrize("check", CHECKS)
def test_each_check_names_its_cell(check: str) -> None:
    session = played(battle(ship("ajax"), ship("rook", "red", protected=True)), *CHECKS[check])
    ruling = session.timeline.rulings[session.timeline.play_order[-1]]
    told = [reason for reason in ruling.decision.reasons if reason.chart]
    assert [reason for reason in told if reason.cell.startswith(check)]
    marked = "†" in format_outcome(ruling)
    assert marked is any(reason.chart == "reconstructed" for reason in told)


@pytest.mark.clause("AQF-CHA-2")
def test_an_umpire_s_chart_laid_over_in_mid_battle_counts_from_there_on(tmp_path: Path) -> None:
    """Enter the overlay as the umpire's own, without an effect on earlier shots."""
    path = write_chart(SYSTEM, tmp_path, format_cell("battery", "200", "12", "3"))
    session = played(battle(), "fire ajax heavy rook medium 12 12")
    entered = session.enter(f"chart {path}")
    assert entered.number == 2
    told = reasons(session, "fire rook heavy ajax medium 12 12")
    assert ("own", "battery 200% 12 (mine)") in [(reason.chart, reason.cell) for reason in told]
    assert values(session, "ajax")["speed_hits"] == 2
    assert values(session, "rook")["speed_hits"] == 0
    session.enter("strike 2")
    assert values(session, "ajax")["speed_hits"] == 0


@pytest.mark.clause("AQF-CHA-2")
def test_an_overlay_adds_and_drops_lines_totals_and_codes(tmp_path: Path) -> None:
    path = write_chart(
        SYSTEM,
        tmp_path,
        """
[[table]]
name = "battery"
[[table.row]]
name = "175"
cells = ["3", "3", "3", "3", "3", "3", "3", "3", "3", "3", "3", "3"]
[[table.row]]
name = "200"
drop = true
[[table]]
name = "blast"
columns = ["14"]
[[table.row]]
name = "medium"
cells = { "14" = "2F D" }
[[table]]
name = "damage"
[[table.row]]
name = "t-hit"
drop = true
""",
    )
    session = played(battle(), f"chart {path}")
    assert result(session, "fire ajax heavy rook medium 12 2") == {
        "fired": True, "hits": ("S", "G", "S"), "blast": ("F", "F", "D"),
    }  # fmt: skip
    session.enter("roll 1")
    session.enter("damage rook T")
    assert changed(session, "roll 12") == {}


@pytest.mark.clause("AQF-CHA-2")
@pytest.mark.parametrize(
    ("table", "row", "cells", "warned"),
    [
        ("battery", "200", {"1": "2", "5": "3"}, "battery, 200, 5"),
        ("damage", "boat-guns", {"2": "S", "5": "B", "9": "T"}, ""),
        ("damage", "boat-guns", {"2": "S"}, "damage, boat-guns"),
        ("damage", "boat-guns", {"2": "-", "5": "S", "9": "-"}, "damage, boat-guns"),
        ("damage", "boat-guns", {"3": "B"}, ""),
        ("battery", "125", {"5": "2"}, ""),
        ("battery", "125", {"5": "-", "9": "-"}, "battery, 125"),
        ("battery", "300", {"5": "1"}, ""),
    ],
)
def test_contradicting_attested_cells_brings_a_warning(
    tmp_path: Path, table: str, row: str, cells: dict[str, str], warned: str
) -> None:
    """Warn of a set of cells against the guide, but not of their order, which is ours."""
    given = ", ".join(f'"{column}" = "{text}"' for column, text in cells.items())
    text = f'[[table]]\nname = "{table}"\n[[table.row]]\nname = "{row}"\ncells = {{ {given} }}\n'
    overlay = load_overlay(write_chart(SYSTEM, tmp_path, text), SYSTEM)
    warnings = list_chart_contradictions(charts(), overlay, SYSTEM.chart_shapes)
    assert len(warnings) == bool(warned)
    assert warned in "".join(warnings)


@pytest.mark.clause("AQF-CHA-2")
def test_our_own_chart_has_the_sets_of_cells_that_are_attested() -> None:
    for name, shape in SYSTEM.chart_shapes.items():
        for one in shape.sets:
            cells = charts()[name].rows[one.row].cells
            assert one.fits(tuple(cells[column].text for column in one.columns)), one.row


@pytest.mark.clause("AQF-CHA-3")
def test_strict_mode_asks_for_the_printed_cell() -> None:
    session = played(battle(strict=True), "fire ajax heavy rook medium 12 1")
    asked = question(session, "chart")
    assert asked.cell == ("battery", "200", "1")
    assert "battery 200, 1" in asked.prompt
    assert values(session, "rook")["rof_heavy"] == 12
    session.enter(f"answer {asked.key} 2")
    asked = question(session, "chart")
    assert asked.cell == ("blast", "medium", "13+")
    session.enter(f"answer {asked.key} none")
    assert owed(session) == []
    seen = values(session, "rook")
    assert (seen["rof_heavy"], seen["speed_hits"]) == (11, 1)


@pytest.mark.clause("AQF-CHA-3")
def test_strict_mode_does_not_ask_for_attested_or_own_cells() -> None:
    session = played(battle(strict=True), "fire ajax heavy rook long 12 5")
    assert owed(session) == []
    start = lay_cells(battle(strict=True), "battery", "200", {"1": "1"})
    session = played(start, "fire ajax heavy rook long 12 1")
    assert owed(session) == []
    assert values(session, "rook")["rof_heavy"] == 11


@pytest.mark.clause("AQF-CHA-3")
def test_an_answer_must_fit_the_cell() -> None:
    session = played(battle(strict=True), "damage rook E", "roll 1")
    key = question(session, "chart").key
    assert not is_allowed(session, f"answer {key} H")
    assert not is_allowed(session, f"force answer {key} 13X")
    assert changed(session, f"answer {key} sx 2g") == {
        "speed_lost": 1, "available_speed": 7, "rof_heavy": 11, "rof_light": 11, "fires": 1,
    }  # fmt: skip


@pytest.mark.clause("AQF-CHA-3")
def test_the_dice_of_a_question_do_not_change() -> None:
    """Read the answer with the dice as thrown, and count the dice of boat guns."""
    start = battle(ship("ajax"), craft("rook"), strict=True)
    session = played(start, "boats ajax rook 7 8")
    assert question(session, "chart").faces == (7, 8)
    session.enter("answer S")
    assert question(session, "chart").cell == ("damage", "boat-guns", "8")
    assert changed(session, "answer F") == {"speed_hits": 1, "available_speed": 7, "fires": 1}


@pytest.mark.clause("AQF-CHA-3")
@pytest.mark.parametrize("strict", [True, False])
def test_odds_use_our_cells_in_strict_mode_too(strict: bool) -> None:
    """Ask no question to compute odds."""
    session = played(battle(strict=strict))
    chances = session.preview_order("fire ajax heavy rook medium").chances
    assert [(chance.label, str(chance.value)) for chance in chances][:3] == [
        ("fires", "1"), ("hits", "11/12"), ("mean", "5/3"),
    ]  # fmt: skip


@pytest.mark.clause("AQF-CHA-3")
def test_a_fire_check_in_strict_mode_asks_and_follows_the_chart() -> None:
    """Keep the fire of the check while the question is open."""
    rook = ship("rook", "red", fires=2)
    start = battle(ship("ajax"), rook, phase="second-gunnery", strict=True)
    session = played(start, "next", "roll 1/fire-check/rook/2 1")
    assert changed(session, f"answer {question(session, 'chart').key} out") == {"fires": 1}
    assert [mark.id for mark in session.battle.ships["rook"].live("fires")] == ["0.f0"]
    assert owed(session) == ["fire-check rook"]


@pytest.mark.parametrize("name", ["2-2", "0024", "13-", "++", "25+"])
def test_a_column_of_totals_that_no_total_reaches_is_refused(name: str) -> None:
    assert SYSTEM.chart_shapes["blast"].column_fault(name)
    assert not SYSTEM.chart_shapes["blast"].column_fault("24")


@pytest.mark.clause("AQF-CHA-2")
@pytest.mark.parametrize(
    ("cells", "black", "blast"),
    [
        ({"10+": "D"}, 12, ("D",)),
        ({"10+": "D"}, 9, ("D",)),
        ({"10+": "D"}, 8, ()),
        ({"10+": "D", "13+": "F"}, 12, ("F",)),
        ({"10+": "D", "11": "R"}, 10, ("R",)),
        ({"14+": "D"}, 12, ()),
    ],
)
def test_an_open_total_of_the_umpire_wins_over_our_cells(
    cells: dict[str, str], black: int, blast: tuple[str, ...]
) -> None:
    """Use the umpire's 10+ in place of our 12 and 13+."""
    session = played(lay_cells(battle(), "blast", "medium", cells))
    assert result(session, f"fire ajax heavy rook medium {black} 1")["blast"] == blast


@pytest.mark.clause("AQF-CHA-2")
@pytest.mark.parametrize("table", ["battery", "blast", "damage", "sinking"])
def test_every_roll_can_be_made_on_a_chart_without_rows(table: str) -> None:
    start = battle(ship("ajax"), ship("rook", "red", log={"speed_lost": 2}), phase="first-gunnery")
    dropped = {name: ChartRow(name, {}) for name in start.charts[table].rows}
    laid_over = with_overlay(start.charts, {table: Chart(table, table, dropped)})
    bare = evolve(start, charts=laid_over, began=None)
    session = played(evolve(bare, began=bare), "fire ajax heavy rook medium 2 2", "damage rook E F")
    while session.battle.turn == 1:
        while session.battle.owed:
            session.enter("roll 1")
        session.enter("next")
    assert values(session, "rook")["sunk"] is (table != "sinking")


def begin_sailing(*orders: str, speed: float = 6.75, scale: str = "medium", units: str = "in") -> Session:
    """Begin the movement phase of ajax."""
    start = battle(ship("ajax", speed=speed), ship("rook", "red"), phase="movement", scale=scale, units=units)
    return played(start, *orders)


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("unit", "distance", "down", "up"),
    [
        ("in", "5.90625", "5⅞″", "6″"),
        ("in", "0.84375", "¾″", "⅞″"),
        ("in", "0", "0″", "0″"),
        ("in", "4.5", "4½″", "4½″"),
        ("in", "0.05", "0″", "⅛″"),
        ("mm", "152.3", "152 mm", "153 mm"),
        ("cm", "23.08", "23 cm", "23.1 cm"),
    ],
)
def test_distances_are_shown_rounded_down_and_least_ones_up(
    unit: str, distance: str, down: str, up: str
) -> None:
    assert format_exact_distance(unit, round_distance(unit, Fraction(distance))) == down
    assert format_exact_distance(unit, round_distance(unit, Fraction(distance), up=True)) == up


@pytest.mark.clause("AQF-MV-1")
def test_the_card_rounds_like_the_grid_and_adds_the_exact_figure() -> None:
    """Lead with no figure that a stick lacks, as 5.90625″, but show it."""
    session = begin_sailing("damage ajax S", "move ajax 7")
    assert draw_cell(session, "ajax", "speed") == "5⅞″"
    sheet = dict(SYSTEM.sheet(session.battle, session.battle.ships["ajax"]))
    assert "5⅞″of 6¾″, exactly 5.90625″" in format_spans(sheet["speed"])
    assert format_spans(sheet["moved"]) == "7 boxes, 5⅞″"


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("scale", "units"), [("medium", "in"), ("small", "in"), ("medium", "metric"), ("jumbo", "metric")]
)
@pytest.mark.parametrize("boxes", range(9))
def test_the_shown_distance_of_any_boxes_can_be_typed_back(boxes: int, scale: str, units: str) -> None:
    first = f"damage ajax{' S' * (8 - boxes)}" if boxes < 8 else "note full"
    shown = reasons(begin_sailing(first, scale=scale, units=units), f"move ajax {boxes}")[0].text
    figure = shown.removeprefix("Ajax: ").split(",")[0].replace(" ", "")
    again = begin_sailing(*[f"damage ajax{' S' * (8 - boxes)}"] * (boxes < 8), scale=scale, units=units)
    assert reasons(again, f"move ajax {figure}")[0].text == shown
    assert values(again, "ajax")["moved"] == boxes
    exactly = (
        begin_sailing(f"move ajax {boxes}", scale=scale, units=units).battle.ships["ajax"].log["distance"]
    )
    assert again.battle.ships["ajax"].log["distance"] == exactly


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("typed", "boxes"),
    [("0.94in", 2), ("0.9in", 1), ("0.91in", 2), ("5.91in", 7), ("5.96in", 7), ("5.97in", 8), ("6.8in", 8)],
)
def test_a_sixteenth_above_whole_boxes_counts_as_those_boxes(typed: str, boxes: int) -> None:
    assert values(begin_sailing(f"move ajax {typed}"), "ajax")["moved"] == boxes


@pytest.mark.clause("AQF-MV-1", "AQF-MV-4")
def test_the_shown_limits_of_a_speed_change_can_be_typed() -> None:
    session = to_phase(begin_sailing("move ajax 6"), "movement")
    with pytest.raises(OrderRefused) as refused:
        session.enter("move ajax 1")
    text = str(refused.value)
    assert "from last turn's 5″ it may move 2⅝″ to 6¾″, not ¾″" in text
    assert is_allowed(session, "move ajax 2⅝")
    session.enter("move ajax 2⅝")
    assert values(session, "ajax")["moved"] == 3


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(("typed", "said"), [("8", "6¾″"), ("5.97in", "5.97″")])
def test_a_distance_too_far_is_refused_with_rounded_figures(typed: str, said: str) -> None:
    """Show no boxes to a thousandth of an inch, and no distance that looks like its limit."""
    with pytest.raises(OrderRefused) as refused:
        begin_sailing("damage ajax S").enter(f"move ajax {typed}")
    assert f"Ajax: {said} is more than the 5⅞″ available" in str(refused.value)


@pytest.mark.clause("AQF-MV-1", "AQF-GUN-13")
@pytest.mark.parametrize("move", ["4", "5⅞in", "5.88in"])
def test_a_vessel_at_half_its_shown_speed_may_be_fired_at(move: str) -> None:
    """Do not count a small vessel as fast because of a rounded figure."""
    start = battle(ship("ajax"), craft("rook", speed=11.75), phase="movement")
    session = to_phase(played(start, f"move rook {move}"), "first-gunnery")
    assert is_allowed(session, "fire ajax heavy rook medium 12 12")


@pytest.mark.clause("AQF-MV-1", "AQF-GUN-13")
def test_a_refusal_names_the_assumed_movement() -> None:
    start = battle(ship("ajax"), craft("rook"), phase="movement")
    assumed, told = to_phase(played(start), "first-gunnery"), played(start, "move rook 8", "next")
    for session, words in ((assumed, ": assumed to have moved 8 boxes (8″)"), (told, "")):
        with pytest.raises(OrderRefused) as refused:
            session.enter("fire ajax heavy rook medium 5 12")
        assert (
            str(refused.value) == f"Rook is too small and fast for heavy guns (switch small_fast_by){words}"
        )


@pytest.mark.clause("AQF-MV-1")
def test_an_opening_speed_is_assumed_before_anything_is_recorded() -> None:
    session = played(battle(ship("ajax", log={"opening": 3}), craft("rook"), phase="movement"))
    assert draw_cell(session, "ajax", "moved") == "3"
    assert is_allowed(session, "move ajax 8")
    to_phase(session, "movement")
    assert refusal(session, "move ajax 7") == "AQF-MV-4"
    assert is_allowed(session, "move ajax 6")


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("printed_for", "scale", "units", "full"),
    [
        ("small", "small", "in", "4½″"),
        ("small", "medium", "in", "5¾″"),
        ("large", "large", "metric", "11.2 cm"),
        ("medium", "small", "in", "3⅜″"),
    ],
)
def test_a_card_names_the_scale_that_its_speed_is_printed_for(
    printed_for: str, scale: str, units: str, full: str
) -> None:
    start = battle(ship("ajax", speed=4.5, speed_scale=printed_for), scale=scale, units=units)
    assert draw_cell(played(start), "ajax", "speed") == full
