"""`simulate` on the command line: its text, JSON, page, and refusals."""

import json
from pathlib import Path

import pytest

from qf_tui.cli import main
from qf_tui.library.paths import find_shipped_folder
from tests.cli.calling import Caller
from tests.features.simulation.duels import STICKS, format_scenario

SAMPLE = str(find_shipped_folder("saves") / "yellow-sea-1904.qfb")


@pytest.fixture
def duel(tmp_path: Path) -> str:
    """Write a scenario of two ships."""
    path = tmp_path / "duel.toml"
    path.write_text(format_scenario(("mikasa",), ("mikasa",)), encoding="utf-8")
    return str(path)


def run_simulate(call: Caller, *arguments: str | Path) -> str:
    called = call("simulate", *arguments, "--jobs", "1")
    assert called.status == 0
    return called.out


def test_the_same_seed_prints_the_same_tables(duel: str, call: Caller) -> None:
    told = run_simulate(call, duel, "-n", "1", "--seed", "5")
    assert "4 battles by Quickfire, seed 5." in told
    assert "hold: comes to half the longest range" in told
    assert "Blue hold, Red close" in told
    one, same, other = (
        run_simulate(call, duel, "-n", "1", "--doctrine", "hold", "--seed", seed) for seed in ("5", "5", "6")
    )
    assert one == same != other


def test_a_simulation_can_be_json(duel: str, call: Caller) -> None:
    row = json.loads(run_simulate(call, duel, "-n", "2", "--doctrine", "close", "--json", "--ships"))
    (pair,) = row["pairs"]
    assert pair["doctrines"] == {"blue": "close", "red": "close"}
    assert (pair["battles"], pair["apart"], row["complete"]) == (2, 0, True)
    won = [pair["wins"][side]["part"] for side in ("blue", "red")]
    assert sum(won) + pair["nobody_wins"]["part"] == 1
    assert pair["score"]["blue"]["part"] == won[0] + pair["nobody_wins"]["part"] / 2
    assert set(pair["lost"]) == {"b-mikasa", "r-mikasa"}
    assert row["never_matter"] == []
    assert sum(pair["by_turn"].values()) == sum(pair["by_ships_lost"]["red"].values()) == 2


def test_a_simulation_can_be_a_page(duel: str, tmp_path: Path, call: Caller) -> None:
    page = tmp_path / "duel.html"
    run_simulate(call, duel, "-n", "1", "--html", page)
    text = page.read_text(encoding="utf-8")
    assert "How often Blue wins" in text
    assert "Blue hold, Red close" in text
    assert "<script" not in text
    assert "http" not in text.replace("http-equiv", "")
    assert call("simulate", duel, "-n", "1", "--html", page).status == 2


def test_a_chosen_battle_is_played_into_a_save(duel: str, tmp_path: Path, call: Caller) -> None:
    """Guard against a save that opens differently, and a file that is overwritten."""
    save = tmp_path / "luckiest.qfb"
    called = call("simulate", duel, "-n", "2", "--jobs", "1", "--play", "luckiest", "--save", save)
    assert "The luckiest battle, number " in called.err
    assert call("verify", save).status == 0
    assert "<title>Simulated: Duel</title>" in call("replay", save, "--html").out
    assert call("simulate", duel, "-n", "2", "--save", save).status == 2


ON_FIRE = """\
next
mark b-mikasa fires 1
fire b-mikasa heavy r-mikasa 20in 5 6
next
roll 3 3
next
next
next
next
damage r-mikasa D
"""
"""The second turn of a duel, with a mark and an open question."""


@pytest.mark.parametrize(
    "save", ["duel", pytest.param(SAMPLE, marks=pytest.mark.long)], ids=["duel", "sample"]
)
def test_a_save_is_simulated_from_its_present_state(
    save: str, duel: str, tmp_path: Path, call: Caller
) -> None:
    """Guard against open questions, marks or a late phase that stop the simulation."""
    if save == "duel":
        save = str(tmp_path / "duel.qfb")
        assert call("run", duel, "--orders", call.write_orders(ON_FIRE), "--save", save).status == 0
    row = json.loads(run_simulate(call, save, "-n", "1", "--doctrine", "hold", "--json"))
    (pair,) = row["pairs"]
    assert row["turn"] > 1
    assert (pair["battles"], pair["apart"]) == (1, 0)
    assert pair["turns"]["middle"] >= row["turn"]


def test_general_quarters_2_is_played_with_sticks(tmp_path: Path, call: Caller) -> None:
    (tmp_path / "sticks.toml").write_text(STICKS, encoding="utf-8")
    path = tmp_path / "duel.toml"
    more = 'charts = "sticks.toml"'
    path.write_text(format_scenario(("mikasa",), ("asahi",), "gq2", more), encoding="utf-8")
    assert "4 battles by General Quarters 2" in run_simulate(call, path, "-n", "1")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-n", "0"], "-n 0: battles for each pair of doctrines, from 1 to 100,000"),
        (["-n", "1000000"], "-n 1,000,000: battles for each pair"),
        (["--within", "much"], "--within much: per cent from 0.1 to 50, like 3%"),
        (["--doctrine", "flee"], "no doctrine “flee”: there are hold, close"),
        (["--play", "median"], "--play median: name the new save, too: --save FILE"),
        (["--jobs", "0"], "--jobs 0: processes, from 1 to 256"),
        (["--dask", "nowhere"], "--dask nowhere: no cluster answers there"),
        (["--rules", "gq2"], "at a range in inches: no stick file for 12″"),
    ],
)
def test_a_wrong_argument_is_refused_in_a_sentence(
    duel: str, arguments: list[str], words: str, call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qf_tui.features.simulation.jobs.PATIENCE", "0.5s")
    called = call("simulate", duel, *arguments)
    assert called.status == 2
    assert words in called.err


def test_a_save_on_which_the_rules_fail_is_reported_in_a_sentence(
    call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against a traceback for a foreign save whose checksums are right."""

    def trips(*_: object) -> None:
        raise ValueError("Invalid literal for Fraction: ''")

    monkeypatch.setattr("qf_tui.features.simulation.command.compute_worth_at_start", trips)
    called = call("simulate", SAMPLE, "-n", "1", "--jobs", "1")
    assert called.status == 2
    assert "cannot make sense of this save (ValueError: Invalid literal" in called.err


def test_a_closed_standard_output_causes_no_error(duel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    assert main(["simulate", duel, "-n", "1", "--jobs", "1"]) == 0
