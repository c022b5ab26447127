"""The report as Markdown, CSV and JSON."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.analysis.thrower import NOTHING
from qf_tui.analysis.values import Count
from qf_tui.document.report import THROW_COLUMNS, BattleReport
from qf_tui.document.scripts import csv_text, json_text
from qf_tui.document.text import BLOCKS, blocks, curve_lines, literal, markdown_text
from qf_tui.document.values import Curve, Document, Section, text_line
from qf_tui.library.csv_text import read_table
from qf_tui.report.files import FileKind, report_text, write_report
from tests.report.made import MARKUP, THROWS, analysis, points, report, without


def test_markdown_has_every_part() -> None:
    said = markdown_text(report())
    assert said.startswith("# Yellow Sea, 10 August 1904")
    for line in (
        "**Vynoslivy sunk.**",
        "## The story",
        "### Turn 1",
        "- Pobeda misses Fuji. (5)",
        "| Japan | damage | 61 | 31 | 23.0 | 1 in 14 | nothing unusual |",
        "|---|---|---:|---:|---:|---|---|",
    ):
        assert line in said.splitlines()
    assert any(set(BLOCKS) & set(line) for line in said.splitlines())


@pytest.mark.parametrize(
    "text", [MARKUP, "![a](http://x)", "<img src=x onerror=y>", "a|b", "~~x~~", "&#106;", "[a]: x", "\\<b>"]
)
def test_names_are_no_markdown_and_no_html(text: str) -> None:
    """Catches a link, a picture, a cell or a tag that a forum would make of a ship's name."""
    said = literal(text)
    assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]|`*_~]|[<>]|&(?!amp;|lt;|gt;)", said)
    assert "](javascript:" not in re.sub(r"\\\]", "", said)


@pytest.mark.parametrize("text", ["- a", "+ a", "1. a", "12) a", "# a", "> a", "---", "==="])
def test_no_sentence_begins_a_list_or_a_heading(text: str) -> None:
    made = Document("T", (text_line(text), Section("A", (text_line(text),), "a")))
    lines = markdown_text(made).splitlines()
    for line in (lines[2], lines[-2].removeprefix("- ")):
        assert not re.match(r"[-+=>#]|\d+[.)]", line), line


def test_block_letters_grow_with_their_figures() -> None:
    assert blocks([0, 1, 7]) == "▁▂█"
    assert blocks([3.0, 3.0]) == "▁▁"
    assert blocks([]) == ""
    assert len(blocks(list(range(1000)), most=60)) <= 60


def test_the_curve_in_letters_stands_over_its_turns() -> None:
    advantage, luck, turns, mark, _ = curve_lines(report().curve or pytest.fail("no curve"))
    assert len(advantage.split()[1]) == len(luck.split()[1]) == 18
    assert turns == "turn       1  2  3  4  5  6"
    assert mark.index("▲") == len("turn       ") + 15


def test_turns_of_a_long_curve_never_run_into_each_other() -> None:
    many = tuple(evolve(point, turn=at // 3 + 1) for at, point in enumerate(points() * 40))
    turns = curve_lines(Curve(("a", "b"), many, 700, "a", "b", "worth"))[2]
    numbers = [int(one) for one in turns.split()[1:]]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] <= 240


def test_csv_is_flat_a_row_a_throw() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(THROWS))))
    assert ",".join(rows[0]).startswith("turn,phase,side,firer,target,weapon,odds,dice,result,damage,")
    assert rows[0]["odds"] == "0.041667"
    assert rows[0]["dice"] == "5 10"
    assert rows[2]["odds"] == rows[2]["luck"] == ""
    assert [row["luck"] for row in rows] == ["3.25", "-0.5", ""]


def test_csv_holds_no_formula_and_reads_back() -> None:
    text = csv_text(THROWS)
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert not [cell for cell in cells if re.match(r"[=+@-]", cell) and not re.fullmatch(r"-[\d.]+", cell)]
    back = read_table(text.encode(), Path("x.csv"), [column.title for column in THROW_COLUMNS])
    assert back.rows[1]["result"] == "=HYPERLINK(1)"


def test_json_is_as_it_is_documented() -> None:
    rows = json.loads(json_text(analysis()))
    assert list(rows) == [
        *("throws", "sides", "start", "worth", "turning_point", "advantage_moved", "cells"),
        *("struck_throws", "left_out", "losses"),
    ]
    first, second, third = rows["throws"]
    asked = {"entry", "side", "ship", "kind", "dice", "results", "expected", "variance", "luck", "as_well"}
    assert asked <= set(first)
    assert first["expected_exact"] == [1, 3]
    assert (first["expected"], first["as_well"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert third["luck"] is None
    assert second["luck"] == -0.5
    assert rows["left_out"] == [{"entry": 60, "reason": "judged otherwise"}]
    assert set(rows["sides"]) == {"japan", "russia"}
    assert rows["sides"]["japan"]["luck"] == 3.25
    assert rows["sides"]["russia"]["luck"] == 0.5, "in that side's favour"
    assert rows["worth"][0]["sides"] == {"japan": 40.0, "russia": 38.5}
    assert {"turn", "phase", "sides", "luck"} <= set(rows["worth"][0])
    assert rows["turning_point"]["throw"] == 53
    assert rows["cells"] == {"read": 152, "reconstructed": 70}
    assert rows["losses"][0]["by"] == [{"ship": "mikasa", "results": 2}]


def test_a_third_side_has_no_luck_of_its_own() -> None:
    found = evolve(
        analysis(),
        sides=("japan", "russia", "china"),
        damage=(*analysis().damage, Count("china", "", 0, 0, NOTHING)),
    )
    assert json.loads(json_text(found))["sides"]["china"]["luck"] is None


@pytest.mark.parametrize("kind", FileKind)
def test_a_report_is_written_whole_and_over_nothing(kind: FileKind, tmp_path: Path) -> None:
    made, path = BattleReport(analysis(), report(MARKUP), THROWS), tmp_path / f"battle.{kind.value}"
    write_report(made, path, kind)
    assert path.read_bytes().decode(kind.encoding) == report_text(made, kind)
    with pytest.raises(FileExistsError):
        write_report(made, path, kind)
    write_report(evolve(made, document=without(report())), path, kind, over=True)
    assert list(tmp_path.iterdir()) == [path]
