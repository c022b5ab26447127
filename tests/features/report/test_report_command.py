"""`qf-tui report` and `qf-tui court`."""

import csv
import json
import os
import re
import sys
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import qf_tui
from qf_tui.cli import output
from qf_tui.cli.output import Progress
from qf_tui.document.html import compute_fingerprint
from qf_tui.features.court.document import GROUPS
from qf_tui.journal.saving import write_save
from qf_tui.library.paths import find_shipped_folder
from qf_tui.session import Session
from qf_tui.session.saves import build_header
from tests import tiny
from tests.cli.calling import Caller
from tests.core.playing import battle, ship
from tests.features.report.battles import load_golden
from tests.features.report.test_files import Page
from tests.systems import find_our_systems

SAMPLE = find_shipped_folder("saves") / "yellow-sea-1904.qfb"
SHOTS = """\
next
fire borodino heavy mikasa 40in 3 5
fire mikasa heavy borodino 40in 2 8
"""
KINDS = ("html", "md", "csv", "json")


def test_the_report_of_the_sample_is_text(call: Caller) -> None:
    before = SAMPLE.read_bytes()
    called = call("report", SAMPLE)
    assert called.status == 0
    assert called.err == ""
    assert called.out.startswith("Yellow Sea, 10 August 1904")
    for said in ("LUCK", "Japan", "▲ most luck: turn", "Tsesarevich", "SHIPS BEFORE AND AFTER", "REMARKS"):
        assert said in called.out
    assert max(map(len, called.out.splitlines())) <= 120
    assert SAMPLE.read_bytes() == before


def test_the_figures_of_a_report_agree(call: Caller) -> None:
    """Guard against luck by side that differs from luck by throw, and inexact fractions."""
    save = call.folder / "opening.qfb"
    assert call("branch", SAMPLE, "--at", "80", "--save", save).status == 0
    found = json.loads(call("report", save, "--json").out)
    throws, last = found["throws"], found["worth"][-1]
    for at, side in enumerate(found["sides"]):
        own = sum(throw["luck"] or 0 for throw in throws if throw["side"] == side)
        assert found["sides"][side]["luck"] == pytest.approx(own * (1, -1)[at])
    assert sum(throw["luck"] or 0 for throw in throws) == pytest.approx(last["luck"])
    for throw in throws:
        over, under = throw["expected_exact"]
        assert throw["expected"] == pytest.approx(over / under)
    first, second = ([found["start"][side], last["sides"][side]] for side in found["sides"])
    gained = (last["sides"]["japan"] - last["sides"]["russia"]) - (first[0] - second[0])
    assert gained == pytest.approx(last["luck"] + last["rest"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_of_file_is_chosen_by_option_or_suffix(kind: str, call: Caller) -> None:
    save, path = call.save(SHOTS), call.folder / f"battle.{kind}"
    called = call("report", save, "--out", path)
    assert (called.status, called.out) == (0, f"{path}\n")
    encoding = "utf-8-sig" if kind == "csv" else "utf-8"
    text = path.read_bytes().decode(encoding)
    assert text.splitlines() == [line.rstrip() for line in call("report", save, f"--{kind}").out.splitlines()]
    refused = call("report", save, f"--{kind}", "--out", path)
    assert refused.status == 2
    assert "--replace overwrites it" in refused.err
    path.write_bytes(b"")
    assert call("report", save, "--out", path, "--replace").status == 0
    assert path.read_bytes().decode(encoding) == text


def test_plain_text_can_be_a_file_and_a_missing_folder_is_reported(call: Caller) -> None:
    save = call.save(SHOTS)
    assert call("report", save, "--out", call.folder / "battle.txt").status == 0
    assert "LUCK" in (call.folder / "battle.txt").read_text(encoding="utf-8")
    gone = call("report", save, "--html", "--out", call.folder / "no" / "battle.html")
    assert gone.status == 2
    assert "cannot be written" in gone.err


def test_csv_lists_the_throws_for_a_spreadsheet(call: Caller) -> None:
    rows = list(csv.DictReader(call("report", call.save(SHOTS), "--csv").out.splitlines()))
    assert [row["firer"] for row in rows] == ["Borodino", "Mikasa"]
    assert [row["dice"] for row in rows] == ["3 5", "2 8"]
    assert all(0 < float(row["odds"]) < 1 for row in rows)


def test_own_weights_change_the_worth_of_luck(call: Caller) -> None:
    save, weights = call.save(SHOTS), call.folder / "worth.toml"
    system = find_our_systems()["advanced-quickfire"]
    lines = "".join(f'"{part.name}" = {part.weight * 2}\n' for part in system.worth.parts)
    weights.write_text(f"[{system.name}]\n{lines}", encoding="utf-8")
    once = json.loads(call("report", save, "--json").out)["throws"]
    twice = json.loads(call("report", save, "--json", "--worth", weights).out)["throws"]
    assert [throw["luck"] for throw in twice] == pytest.approx([2 * throw["luck"] for throw in once])
    weights.write_text(f"[{system.name}]\nghosts = 1\n", encoding="utf-8")
    wrong = call("report", save, "--worth", weights)
    assert wrong.status == 2
    assert "ghosts" in wrong.err


def test_a_printed_page_allows_its_own_style(call: Caller) -> None:
    """Guard against a line that standard output shortens: a browser would then reject the style."""
    page = call("report", call.save(SHOTS), "--html").out
    style = re.search(r"<style>(.*)</style>", page, re.DOTALL)
    assert style is not None
    assert compute_fingerprint(style[1]) in unescape(page)


ODD = {
    "nothing entered": "",
    "no throw": "note hello\nnext\n",
    "struck": f"{SHOTS}strike 2\n",
    "parked": f"{SHOTS}strike 1\n",
    "forced": f"{SHOTS}force fire borodino heavy mikasa 40in 3 5\n",
    "owed": "next\nfire borodino heavy mikasa 40in\n",
}


@pytest.mark.parametrize("orders", ODD.values(), ids=ODD)
def test_an_unusual_save_gets_a_complete_report(orders: str, call: Caller) -> None:
    save = call.save(orders)
    told = {kind: call("report", save, f"--{kind}") for kind in KINDS}
    assert {(called.status, called.err) for called in told.values()} == {(0, "")}
    assert Page(told["html"].out).open == []
    assert json.loads(told["json"].out)["worth"]


def test_a_struck_throw_is_counted(call: Caller) -> None:
    found = json.loads(call("report", call.save(ODD["struck"]), "--json").out)
    assert sum(found["struck_throws"].values()) == 1
    assert [throw["entry"] for throw in found["throws"]] == [3]


def test_a_save_of_another_version_gets_a_report(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qf_tui, "__version__", "97.5.1")
    save = call.save(SHOTS)
    monkeypatch.undo()
    assert call("report", save, "--json").status == 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.qfb", "no such file"),
        ("rulebook-examples", "no such file"),
        ("tiny.qfb", "not installed"),
        ("torn.qfb", "torn.qfb"),
    ],
)
def test_a_failed_report_prints_one_sentence(name: str, said: str, call: Caller) -> None:
    if name == "tiny.qfb":
        Session.begin(tiny.SYSTEM, battle(ship("ant"), ship("bee", "south")), call.folder / name).close()
    if name == "torn.qfb":
        lines = SAMPLE.read_bytes().splitlines(keepends=True)
        (call.folder / name).write_bytes(b"".join((*lines[:9], lines[9].replace(b"1", b"2"), *lines[10:])))
    called = call("report", call.folder / name if "." in name else name, "--html")
    assert called.status == 2
    assert called.out == ""
    assert said in called.err
    assert "Traceback" not in called.err
    assert len(called.err.splitlines()) == 1


class Screen(StringIO):
    """A stand-in for standard error on a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize("terminal", [True, False])
def test_long_work_prints_its_progress(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, times = Screen(terminal), iter((0.0, 0.5, 2.0, 3.0, 12.0))
    monkeypatch.setattr(output, "monotonic", lambda: next(times))
    monkeypatch.setattr(sys, "stderr", screen)
    with Progress("entries") as told:
        for done in (500, 2000, 3000, 5000):
            told(done, 5000)
    assert "500 of" not in screen.getvalue().replace("2,500", ""), "what is done at once is not told"
    assert ("2,000 of 5,000 entries" in screen.getvalue()) is terminal
    assert "5,000 of 5,000 entries" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[K" if terminal else "entries\n")


@pytest.mark.parametrize("out", ["", "/", "pipe"])
def test_a_report_never_replaces_a_path_that_is_no_file(call: Caller, out: str) -> None:
    """Guard against `--out "$FILE"` with an empty name, and a pipe or device replaced by a file."""
    save = call.save("next\n")
    if hasattr(os, "mkfifo"):
        os.mkfifo(call.folder / "pipe")
    else:
        (call.folder / "pipe").mkdir()
    refused = call("report", save, "--json", "--out", out, "--replace")
    assert refused.status == 2
    assert "file" in refused.err
    assert not (call.folder / "pipe").is_file()


READING = {"changed", "reworded", "parked", "spare", "overruled", "ships", "sides", "owed", "stopped_at"}


@pytest.fixture(scope="module")
def flotilla(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a golden battle of General Quarters 2."""
    system, timeline = load_golden("gq2-fourth-flotilla-1916")
    save = tmp_path_factory.mktemp("court") / "flotilla.qfb"
    write_save(save, build_header(system, timeline.start), timeline.log)
    return save


def run_court(call: Caller, *arguments: str | Path) -> str:
    """Return the output of a court that succeeds."""
    called = call("court", *arguments)
    assert called.status == 0
    return called.out


def run_court_json(call: Caller, *arguments: str | Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run_court(call, *arguments, "--json").splitlines()]


def test_the_court_of_the_sample_is_text(call: Caller) -> None:
    before = SAMPLE.read_bytes()
    told = run_court(call, SAMPLE)
    heads = [line.strip() for line in told.splitlines() if line.strip() in GROUPS]
    assert heads == ["The outcome is unknown", "Nothing changes"]
    for fact in ("[initiative=once]", "[declare_first=yes]", "(AQF-PH-5)", "109 of 210", "50 of 117"):
        assert fact in told
    assert told.index("[zero_armor=as-half]") > told.index(heads[1])
    assert "battery 200, 10: 3 † (entries 4, 53, 112)" in told
    assert "Sevastopol" in told
    assert SAMPLE.read_bytes() == before


def test_one_reading_is_printed_in_full(call: Caller, flotilla: Path) -> None:
    told = run_court(call, flotilla, "--option", "spread=die-each")
    assert "spread=die-each" in told
    assert "after entry 34" in told
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
    call: Caller, flotilla: Path, asked: str, answer: str
) -> None:
    assert f"\n  {answer}" in run_court(call, flotilla, "--option", asked)


def test_the_court_uses_the_umpire_s_own_worth(
    call: Caller, flotilla: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    asked = (flotilla, "--option", "torpedo_zero=10")
    before = run_court(call, *asked)
    (tmp_path / "worth.toml").write_text("[gq2]\nhull = 0\n", encoding="utf-8")
    (better,) = (line for line in before.splitlines() if line.startswith("  Worth at the end: "))
    assert better not in run_court(call, *asked)


def test_json_has_one_object_for_each_reading(call: Caller, flotilla: Path) -> None:
    *readings, court = run_court_json(call, flotilla)
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


def test_json_names_the_cells_and_their_neighbours(call: Caller, tmp_path: Path) -> None:
    opening = tmp_path / "opening.qfb"
    assert call("branch", SAMPLE, "--at", "60", "--save", opening).status == 0
    *readings, court = run_court_json(call, opening)
    cells = [row for row in readings if "cell" in row]
    assert cells
    assert all(set(row) == READING | {"cell", "text", "instead_of"} for row in cells)
    first = next(row for row in cells if row["cell"] == ["battery", "200", "10"])
    assert (first["text"], [one["entry"] for one in first["changed"]]) == ("2", [4, 53])
    assert court["court"]["cells"] == {"read": 35, "reconstructed": 15, "otherwise": 9}


def test_a_chart_of_your_own_is_a_reading(call: Caller, tmp_path: Path) -> None:
    chart = tmp_path / "mine.toml"
    chart.write_text(
        'ruleset = "advanced-quickfire"\ntitle = "Mine"\n'
        '[[table]]\nname = "battery"\n[[table.row]]\nname = "200"\ncells = { 10 = "1" }\n',
        encoding="utf-8",
    )
    (row, _) = run_court_json(call, SAMPLE, "--chart", chart)
    assert row["chart"] == str(chart)
    # One hit instead of three is only S: entry 4 loses no heavy ROF, so 18 has none to repair.
    assert [one["entry"] for one in row["changed"]][:2] == [4, 18]


def test_a_branch_is_made_from_the_chosen_reading(call: Caller, flotilla: Path, tmp_path: Path) -> None:
    before, branch = flotilla.read_bytes(), tmp_path / "branch.qfb"
    run_court(call, flotilla, "--option", "spread=die-each", "--branch", branch)
    assert flotilla.read_bytes() == before
    assert "insert 0 option spread die-each" in call("show", branch).out
    refused = call("court", flotilla, "--option", "spread=die-each", "--branch", branch)
    assert (refused.status, refused.out) == (2, "")
    assert "this file exists already" in refused.err


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--option", "edge=far"], "no switch “edge” in General Quarters 2"),
        (["--option", "spread=far"], "spread: “far” is not one of one-die, die-each"),
        (["--chart", "nowhere"], "nowhere"),
        (["--branch", "new.qfb"], "--branch needs exactly one reading"),
    ],
)
def test_a_failed_court_prints_one_sentence(
    call: Caller, flotilla: Path, arguments: list[str], fault: str
) -> None:
    told = call("court", flotilla, *arguments)
    assert told.status == 2
    assert fault in told.err
    assert told.err.count("\n") == 1


def test_a_battle_without_an_entry_has_no_reading(call: Caller) -> None:
    told = run_court(call, call.save(""))
    assert "0 entries in force are as recorded" in told
    assert "No chart cell decided anything." in told
