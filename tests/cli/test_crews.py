"""`--crews` on the command line decides whether the stated crews count (AQF-CRW-1)."""

import json
from html import unescape
from pathlib import Path

import pytest

from qf_tui.journal.reading import read_save
from qf_tui.library.systems import find_systems
from qf_tui.session.saves import make_rules_finder
from tests.cli.calling import Caller
from tests.features.simulation.duels import format_scenario

TSUSHIMA = "tsushima-1905"
SHOT = "next\nfire mikasa heavy borodino long 8 8\n"
STATED = ("--crews", "as-stated")
HEADING = "Crews as stated: Japan: gunnery +1, shells +1."


@pytest.mark.parametrize(
    ("crews", "said"),
    [
        ((), "heavy ROF 8>7: misses"),
        (("--crews", "as-built"), "heavy ROF 8>7: misses"),
        (
            STATED,
            "heavy ROF (7 as built, crew +1) 8≤8: fires · gunnery 24 (20 as built, shells +1) v armor 10",
        ),
    ],
)
def test_run_plays_as_built_by_default(
    call: Caller, tmp_path: Path, crews: tuple[str, ...], said: str
) -> None:
    save = tmp_path / "one.qfb"
    called = call("run", TSUSHIMA, *crews, "--save", save, "--orders", call.write_orders(SHOT))
    assert called.status == 0
    assert said in called.out
    stated = crews == STATED
    assert called.out.startswith(HEADING) is stated
    assert ("Advanced Quickfire, crews as stated · small" in called.out) is stated
    table = read_save(save, make_rules_finder(find_systems())).header.start.table
    assert table.get("crews") == ("as-stated" if stated else None)
    shown = call("show", save).out
    assert (HEADING in shown) is stated
    again = call("run", save, *STATED, "--orders", call.write_orders(""))
    assert again.status == 2
    assert "--crews is only for a new battle" in again.err


def test_run_reports_crews_to_scripts(call: Caller) -> None:
    called = call("run", TSUSHIMA, *STATED, "--json", "--orders", call.write_orders("next\n"))
    assert json.loads(called.out.splitlines()[-1])["battle"]["crews"] == "as-stated"


def test_odds_show_whether_crews_count(call: Caller) -> None:
    order = ("force", "fire", "mikasa", "heavy", "borodino", "long")
    assert "fires on black 7 or less" in call("odds", TSUSHIMA, *order).out
    stated = call("odds", TSUSHIMA, *STATED, *order).out
    assert "fires on black 8 or less" in stated
    assert "heavy ROF (7 as built, crew +1): AQF-CRW-1" in stated


def test_sheets_are_printed_as_built_or_as_stated(call: Caller, tmp_path: Path) -> None:
    for crews, name in (((), "built.html"), (STATED, "stated.html"), ((*STATED, "--single"), "single.html")):
        assert call("sheets", TSUSHIMA, *crews, "--out", tmp_path / name).status == 0
    built, stated, single = (
        unescape((tmp_path / name).read_text(encoding="utf-8"))
        for name in ("built.html", "stated.html", "single.html")
    )
    assert "printed heavy ROF 7 as built, crew +1: 8" in single
    assert "gunnery +1, shells +1" in stated
    assert "crews as stated" in stated
    assert "as built" not in built


def test_simulate_plays_as_stated_by_default(call: Caller, tmp_path: Path) -> None:
    path = tmp_path / "duel.toml"
    steps = 'gunnery = -1\ncrews_source = "a book"\n'
    path.write_text(format_scenario(("mikasa",), ("mikasa",), of_red=steps), encoding="utf-8")
    said = ("simulate", path, "-n", "1", "--jobs", "1", "--doctrine", "hold")
    assert "Crews as stated: Red: gunnery -1. a book" in call(*said).out
    assert "Crews" not in call(*said, "--crews", "as-built").out


def test_a_report_shows_that_crews_counted(call: Caller, tmp_path: Path) -> None:
    for crews, counts in (((), False), (STATED, True)):
        save = tmp_path / f"{counts}.qfb"
        call("run", TSUSHIMA, *crews, "--save", save, "--orders", call.write_orders(SHOT))
        assert (HEADING in " ".join(call("report", save).out.split())) is counts
