"""The rules court from the command line: its words, its JSON, and that it writes into no save."""

import json
from pathlib import Path
from typing import Any

import pytest

from qf_tui.cli import main
from qf_tui.document.court import GROUPS
from qf_tui.journal.saving import write_save
from qf_tui.library.paths import shipped
from qf_tui.session.saves import header_of
from tests.analysis.battles import golden

SAMPLE = shipped("saves") / "yellow-sea-1904.qfb"
READING = {"changed", "reworded", "parked", "spare", "overruled", "ships", "sides", "owed", "stopped_at"}


@pytest.fixture(scope="module")
def flotilla(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A golden battle of General Quarters 2 as a save."""
    system, timeline = golden("gq2-fourth-flotilla-1916")
    save = tmp_path_factory.mktemp("court") / "flotilla.qfb"
    write_save(save, header_of(system, timeline.start), timeline.log)
    return save


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a court prints that ends well."""
    capsys.readouterr()
    assert main(["court", *arguments]) == 0
    return capsys.readouterr().out


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said(capsys, *arguments, "--json").splitlines()]


def test_the_sample_is_heard_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    before = SAMPLE.read_bytes()
    told = said(capsys, str(SAMPLE))
    assert "Decided again with nothing otherwise, 210 entries in force are as recorded." in told
    assert "for the battle or for the turn (AQF-PH-5): once, not simultaneous  [initiative=once]" in told
    assert "    nobody can say how it would have ended, it stops before the first entry, as nobody" in told
    assert "before it is rolled (AQF-GUN-1): yes, not no  [declare_first=yes]" in told
    assert "    nobody can say, as 109 of 210 entries are refused there" in told
    heads = [line.strip() for line in told.splitlines() if line.strip() in GROUPS]
    assert heads == ["Nobody can say", "Nothing changes"]
    assert (
        "  · how armor 0 is fired at (AQF-GUN-6): as-half, not top-line  [zero_armor=as-half]\n  · " in told
    )
    assert "Decided by cells of ours: 50 of 117 readings of the charts; 30 would have gone otherwise" in told
    assert "battery 200, 10: 3 † (entries 4, 53, 112)" in told
    assert "    1 (left): it would have mattered: at the end Sevastopol stands otherwise;" in told
    assert "players might have chosen otherwise" in told
    assert SAMPLE.read_bytes() == before


def test_one_reading_is_told_in_full(capsys: pytest.CaptureFixture[str], flotilla: Path) -> None:
    told = said(capsys, str(flotilla), "--option", "spread=die-each")
    assert "spread=die-each" in told
    assert "it stops after entry 34, as nobody threw or answered what is owed there" in told
    assert "was: " in told
    assert "then: " in told
    assert "Cells" not in told


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("torpedo_zero=10", "It would have mattered, "),
        ("torpedo_zero=0", "It would not have mattered: nothing changes."),
    ],
)
def test_a_reading_says_first_whether_it_would_have_mattered(
    capsys: pytest.CaptureFixture[str], flotilla: Path, asked: str, answer: str
) -> None:
    assert f"\n  {answer}" in said(capsys, str(flotilla), "--option", asked)


def test_sides_are_weighed_by_the_umpire_s_own_worth(
    capsys: pytest.CaptureFixture[str], flotilla: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    asked = (str(flotilla), "--option", "torpedo_zero=10")
    before = said(capsys, *asked)
    (tmp_path / "worth.toml").write_text("[gq2]\nhull = 0\n", encoding="utf-8")
    (better,) = (line for line in before.splitlines() if line.startswith("  Worth at the end: "))
    assert better not in said(capsys, *asked)


def test_json_has_one_object_a_reading(capsys: pytest.CaptureFixture[str], flotilla: Path) -> None:
    *readings, court = rows(capsys, str(flotilla))
    assert court == {
        "court": {
            "entries": 124,
            "rules_differ": [],
            "cells": {"read": 13, "reconstructed": 0, "otherwise": 0},
        }
    }
    for row in readings:
        assert set(row) == READING | {"option", "value"}
    found = {(row["option"], row["value"]): row for row in readings}
    spread = found["spread", "die-each"]
    assert spread["stopped_at"] == 34
    assert [one["entry"] for one in spread["changed"]] == [33, 34]
    assert spread["owed"] == [
        {
            "key": "33/torpedo/tipperary/1",
            "line": "torpedo",
            "ship": "tipperary",
            "prompt": "torpedo of Tipperary at Westfalen",
            "dice": "1d10",
        }
    ]
    zero = found["torpedo_zero", "10"]
    assert zero["stopped_at"] is None
    assert {"ship": "nassau", "field": "status", "from": "sunk", "to": "afloat"} in zero["ships"]


def test_json_names_the_cells_and_what_stands_beside_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    opening = tmp_path / "opening.qfb"
    assert main(["branch", str(SAMPLE), "--at", "60", "--save", str(opening)]) == 0
    *readings, court = rows(capsys, str(opening))
    cells = [row for row in readings if "cell" in row]
    assert cells
    assert all(set(row) == READING | {"cell", "text", "instead_of"} for row in cells)
    first = next(row for row in cells if row["cell"] == ["battery", "200", "10"])
    assert (first["text"], [one["entry"] for one in first["changed"]]) == ("2", [4, 53])
    assert court["court"]["cells"] == {"read": 35, "reconstructed": 15, "otherwise": 9}


def test_an_own_chart_is_a_reading_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    chart = tmp_path / "mine.toml"
    chart.write_text(
        'ruleset = "advanced-quickfire"\ntitle = "Mine"\n'
        '[[table]]\nname = "battery"\n[[table.row]]\nname = "200"\ncells = { 10 = "1" }\n',
        encoding="utf-8",
    )
    (row, _) = rows(capsys, str(SAMPLE), "--chart", str(chart))
    assert row["chart"] == str(chart)
    # One hit instead of three is S alone: no heavy ROF is lost, and there is none to be repaired in 18.
    assert [one["entry"] for one in row["changed"]][:2] == [4, 18]


def test_a_branch_is_made_of_the_reading_that_is_asked_about(
    capsys: pytest.CaptureFixture[str], flotilla: Path, tmp_path: Path
) -> None:
    before, branch = flotilla.read_bytes(), tmp_path / "branch.qfb"
    said(capsys, str(flotilla), "--option", "spread=die-each", "--branch", str(branch))
    assert flotilla.read_bytes() == before
    assert main(["show", str(branch)]) == 0
    assert "insert 0 option spread die-each" in capsys.readouterr().out
    assert main(["court", str(flotilla), "--option", "spread=die-each", "--branch", str(branch)]) == 2
    refused = capsys.readouterr()
    assert "there is such a file already" in refused.err
    assert refused.out == ""


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--option", "edge=far"], "no switch “edge” in General Quarters 2"),
        (["--option", "spread=far"], "spread: “far” is not one of one-die, die-each"),
        (["--chart", "nowhere"], "nowhere"),
        (["--branch", "new.qfb"], "--branch wants one reading"),
    ],
)
def test_what_cannot_be_heard_is_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], flotilla: Path, arguments: list[str], fault: str
) -> None:
    assert main(["court", str(flotilla), *arguments]) == 2
    told = capsys.readouterr().err
    assert fault in told
    assert told.count("\n") == 1


def test_a_battle_without_an_entry_has_nothing_to_hear(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save, orders = tmp_path / "none.qfb", tmp_path / "none.orders"
    orders.write_text("", encoding="utf-8")
    assert main(["run", "yellow-sea-1904", "--orders", str(orders), "--save", str(save)]) == 0
    told = said(capsys, str(save))
    assert "0 entries in force are as recorded" in told
    assert "No cell of a chart decided anything." in told
