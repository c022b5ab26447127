"""Logs without a scenario: a fleet, or ships of the navies."""

from pathlib import Path

import pytest

from qf_tui.features.sheets.muster import find_fleet
from tests.cli.calling import Caller


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("japan-1904", "japan-1904"),
        ("japan", "japan-1904"),
        ("slot", "slot-1942"),
        ("rulebook-examples", None),
        ("yellow", None),
        ("nothing-at-all", None),
    ],
)
def test_a_scenario_comes_before_a_fleet(typed: str, expected: str | None) -> None:
    assert find_fleet(typed) == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("japan-1904 --rules quickfire", "57 logs, Quickfire;"),
        ("slot-1942", "8 logs, The Slot, 1942;"),
        ("--ships mikasa,asahi --rules quickfire", "2 logs, Quickfire;"),
        ("--ships Mikasa,britain/minerva,italy/minerva --year 1904", "3 logs, Advanced Quickfire;"),
    ],
)
def test_logs_are_printed_without_a_battle(call: Caller, words: str, said: str) -> None:
    called = call("sheets", *words.split(), "--out", "logs.html")
    assert called.status == 0, called.err
    assert said in called.out
    text = (call.folder / "logs.html").read_text(encoding="utf-8")
    for of_a_battle in ("turn 1", "order of play", "the battle now", "rescue", "charts for"):
        assert of_a_battle not in text


def test_a_fleet_in_a_file_is_printed(call: Caller) -> None:
    fleet = 'title = "<b>Mine</b>"\nnavy = "japan"\nyear = 1904\nships = ["mikasa"]\n'
    Path(call.folder / "mine.toml").write_text(fleet, encoding="utf-8")
    called = call("sheets", str(call.folder / "mine.toml"), "--single", "--out", "logs.html")
    assert (called.status, called.out) == (
        0,
        "logs.html: 1 log, Advanced Quickfire; print it from a browser\n",
    )
    assert "&lt;b&gt;Mine" in (call.folder / "logs.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--ships minerva", "may be"),
        ("--ships mikssa", "did you mean Mikasa (Japan)?"),
        ("--ships mikasa,japan/mikasa", "given more than once"),
        ("--ships mikasa --year 1880", "Mikasa is known from 1902 on, not in 1880"),
        ("--ships mikasa, --rules quickfire", "no ship “”"),
        ("--ships mikasa --rules nosuch", "no rule system “nosuch”"),
        ("--ships mikasa --side japan", "this prints ships without one"),
        ("japan-1904 --briefing japan", "this prints ships without one"),
        ("japan-1904 --year 1905", "--year is only for --ships"),
        ("japan-1904 --ships mikasa", "name a scenario, a save or a fleet"),
        ("", "name a scenario, a save or a fleet"),
        ("slot-1942 --rules quickfire", "expected “quickfire”, found “slot-1942”"),
    ],
)
def test_what_cannot_be_printed_is_refused_and_writes_nothing(call: Caller, words: str, said: str) -> None:
    called = call("sheets", *words.split(), "--out", "logs.html")
    assert called.status == 2
    assert said in called.err
    assert not (call.folder / "logs.html").exists()
