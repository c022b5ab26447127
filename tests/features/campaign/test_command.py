"""Campaigns of several battles: carried on, read as one, corrected afterwards, and listed ship by ship."""

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from qf_tui.features.campaign.document import explain_start
from qf_tui.library.paths import find_own_folder, find_shipped_folder
from qf_tui.session import Session
from tests import journal
from tests.cli.calling import Caller
from tests.posix import make_link, make_pipe, posix_only
from tests.systems import EVERYBODYS, find_our_systems

BOXES = {"advanced-quickfire": ("rof_heavy", 3, "rof_light"), "gq2": ("armament_lost", 1, "hull_lost")}
"""For each rule system a field and value that only a dockyard mends soon, and another field."""


def run_carry(call: Caller, *arguments: str) -> Path:
    """Return the scenario that `carry` wrote."""
    called = call("carry", *arguments)
    assert called.status == 0, called.err
    path = Path(called.out.splitlines()[-1])
    assert call("check", path).status == 0
    return path


@pytest.fixture(params=BOXES)
def war(call: Caller, request: pytest.FixtureRequest) -> tuple[Caller, str]:
    """Play three battles: Mikasa is hit in the first and second, Asahi sinks in the first."""
    field, value, other = BOXES[request.param]
    orders = f"mark mikasa {field} {value}\nleave asahi sunk\nnote the mast fell\n"
    called = call.play(orders, "--rules", request.param, "--save", "1.qfb", battle=EVERYBODYS)
    assert called.status == 0, called.out
    second = run_carry(call, "1.qfb", "--days", "1", "--at", "at-sea")
    called = call.play(f"mark mikasa {other} 2\nleave fuji sunk\n", "--save", "2.qfb", battle=second)
    assert called.status == 0, called.out
    third = run_carry(call, "2.qfb", "--days", "30", "--at", "dockyard")
    assert call.play("note all quiet\n", "--save", "3.qfb", battle=third).status == 0
    return call, request.param


def read_campaign_json(call: Caller) -> dict[str, Any]:
    """Return the campaign as JSON data."""
    called = call("campaign", ".", "--json")
    assert called.status == 0, called.err
    found: dict[str, Any] = json.loads(called.out)
    return found


def test_a_campaign_is_read_from_its_saves(war: tuple[Caller, str]) -> None:
    call, _ = war
    found = read_campaign_json(call)
    dates = [(row["date"], row["goes on from"]) for row in found["calendar"]["rows"]]
    assert dates == [("1904-08-10", "–"), ("1904-08-11", "1.qfb"), ("1904-09-10", "2.qfb")]
    assert "fits" not in found
    japan = {row["ship"]: row for row in found["side-1"]["rows"]}
    assert {japan[ship]["status"] for ship in ("Asahi", "Fuji")} == {"sunk"}
    assert (japan["Asahi"]["date"], japan["Fuji"]["date"]) == ("1904-08-10", "1904-08-11")
    assert japan["Mikasa"]["state"] == "whole"
    assert any("the mast fell" in str(line) for line in found["remarks"]["lines"])


def test_a_battle_corrected_afterwards_says_what_no_longer_fits(war: tuple[Caller, str]) -> None:
    """Name only the facts that the second battle handed on, and change no save."""
    call, rules = war
    before = Path("3.qfb").read_bytes()
    session = Session.resume(Path("2.qfb"), find_our_systems())
    session.enter("strike 2")
    session.enter("leave shikishima sunk")
    session.enter(f"mark mikasa {BOXES[rules][0]} 2")
    session.close()
    texts = [str(line) for line in read_campaign_json(call)["fits"]["lines"]]
    assert len(texts) == 3, texts
    assert sum("Fuji now survives" in text for text in texts) == 1
    assert sum("Shikishima is now sunk" in text for text in texts) == 1
    assert sum("Mikasa: " in text and "took over" in text for text in texts) == 1
    assert Path("3.qfb").read_bytes() == before
    Path("1.qfb").unlink()
    assert any(
        "1.qfb, which is not in this folder" in str(line)
        for line in read_campaign_json(call)["fits"]["lines"]
    )


MENDED = {
    "advanced-quickfire": ("course 45 left", "direction hits −1"),
    "gq2": ("hull_lost 1.5", "hull boxes lost −1"),
}


@pytest.mark.parametrize("rules", MENDED)
def test_repairs_are_printed_in_the_units_of_the_log(call: Caller, rules: str) -> None:
    orders, text = MENDED[rules]
    call.play(f"mark mikasa {orders}\n", "--rules", rules, "--save", "1.qfb", battle=EVERYBODYS)
    out = call("carry", "1.qfb", "--days", "8", "--at", "dockyard").out
    assert text in next(line for line in out.splitlines() if line.startswith("Mikasa"))
    assert "ships undamaged" in out
    assert "Asahi" not in out


def test_af_set_by_hand_is_no_damage(call: Caller) -> None:
    """Print no name that only the rules use."""
    call.play("mark mikasa battery.1.af 3\n", "--rules", "gq2", "--save", "1.qfb", battle=EVERYBODYS)
    (row,) = (row for row in read_campaign_json(call)["side-1"]["rows"] if row["ship"] == "Mikasa")
    assert row["state"] == "whole"


def test_two_ships_of_one_name_are_two_rows(call: Caller) -> None:
    call.play("mark mikasa name Asahi\n", "--save", "1.qfb", battle=EVERYBODYS)
    names = [row["ship"] for row in read_campaign_json(call)["side-1"]["rows"] if "Asahi" in row["ship"]]
    assert len(set(names)) == len(names) == 2


def test_a_renamed_ship_is_listed_once_in_her_squadron(call: Caller) -> None:
    call.play("note calm\n", "--save", "1.qfb", battle="chemulpo-1904")
    second = run_carry(call, "1.qfb", "--days", "10")
    assert second.stem == "chemulpo-1904-02-19"
    call.play("mark naniwa name HMS [Red] 艦\n", "--save", "2.qfb", battle=second)
    found = read_campaign_json(call)
    assert [row["battle"] for row in found["calendar"]["rows"]][1] == "Chemulpo, 1904-02-19"
    ships = [row["ship"] for row in found["side-1"]["rows"]]
    assert "HMS [Red] 艦" in ships
    assert "Naniwa" not in ships


def test_days_are_added_to_the_date_in_the_title_if_the_table_has_none(call: Caller) -> None:
    call.play("note calm\n", "--save", "1.qfb", battle="gq2-dogger-bank-1915")
    second = run_carry(call, "1.qfb", "--days", "3")
    call.play("note calm\n", "--save", "2.qfb", battle=second)
    assert [(row["battle"], row["date"]) for row in read_campaign_json(call)["calendar"]["rows"]] == [
        ("Dogger Bank, 24 January 1915", "24 January 1915"),
        ("Dogger Bank, 27 January 1915", "27 January 1915"),
    ]


def test_a_squadron_is_read_from_the_whole_battle_not_from_a_shorter_copy(call: Caller) -> None:
    save = call.save("note calm\nmark mikasa rof_heavy 3\n", "1.qfb")
    Path("2.qfb").write_bytes(b"".join(save.read_bytes().splitlines(keepends=True)[:-1]))
    call.play("note calm\n", "--save", "3.qfb", battle="lissa-1811")
    sections = [section for id, section in read_campaign_json(call).items() if id.startswith("side-")]
    states = {row["ship"]: row["state"] for section in sections for row in section["rows"]}
    assert "3 of" in states["Mikasa"]
    assert states["Amphion"] == "", "Frigates do not say what lasts"


def test_a_long_title_keeps_its_date(call: Caller, tmp_path: Path) -> None:
    text = (find_shipped_folder("scenarios") / "chemulpo-1904.toml").read_text(encoding="utf-8")
    scenario = tmp_path / "long.toml"
    scenario.write_text(text.replace("Chemulpo, 9 February 1904", "艦" * 100, 1), encoding="utf-8")
    call.play("note calm\n", "--save", "1.qfb", battle=scenario)
    call.play("note calm\n", "--save", "2.qfb", battle=run_carry(call, "1.qfb", "--days", "3"))
    assert read_campaign_json(call)["calendar"]["rows"][1]["battle"].endswith("艦, 1904-02-12")


def test_a_save_named_twice_counts_once_and_its_cut_end_is_reported(call: Caller) -> None:
    save = call.save("note calm\nnote rain\n", "1.qfb")
    save.write_bytes(save.read_bytes()[:-20])
    called = call("carry", "1.qfb", "1.qfb", "--days", "1")
    assert called.status == 0
    assert "1.qfb: " in called.err
    assert "act 2" in called.err


def test_a_campaign_can_be_a_page(war: tuple[Caller, str]) -> None:
    call, _ = war
    called = call("campaign", ".", "--out", "war.html")
    assert called.status == 0, called.err
    assert "Calendar" in Path("war.html").read_text(encoding="utf-8")
    assert call("campaign", ".", "--out", "war.html").status == 2
    assert call("campaign", ".", "--out", "war.HTML").status == 0
    assert "<html" in Path("war.HTML").read_text(encoding="utf-8")
    assert "a campaign is not a table" in call("campaign", ".", "--out", "war.csv").err


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["1.qfb", "--days", "-1"], "expected a number from 0"),
        (["1.qfb", "--days", "1", "--at", "moon"], "no yard “moon”"),
        (["1.qfb", "--days", "1", "--yard", "no.toml"], "there is no such file"),
        (["none.qfb", "--days", "1"], "none.qfb"),
    ],
)
def test_a_carry_that_is_impossible_is_refused(call: Caller, arguments: list[str], fault: str) -> None:
    call.save("note calm\n", "1.qfb")
    called = call("carry", *arguments)
    assert called.status == 2
    assert fault in called.err
    assert not find_own_folder("scenarios").exists()


def test_battles_by_different_rules_are_not_one_campaign(call: Caller) -> None:
    call.save("note calm\n", "1.qfb")
    call.play("note calm\n", "--rules", "gq2", "--save", "2.qfb", battle=EVERYBODYS)
    assert "is played by General Quarters" in call("carry", "1.qfb", "2.qfb", "--days", "1").err


def test_an_unreadable_save_in_the_folder_is_named(call: Caller) -> None:
    Path("bad.qfb").write_text("{}\n", encoding="utf-8")
    assert "bad.qfb" in str(read_campaign_json(call)["faulty"]["lines"])
    assert call("campaign", "nowhere").status == 2


@posix_only
@pytest.mark.parametrize("command", ["campaign", "careers"])
def test_a_folder_with_a_thousand_faulty_saves_is_read(call: Caller, command: str) -> None:
    """Guard against a name that moves the screen, a broken link, and a wait for a pipe."""
    save = call.save("leave mikasa sunk\n", "[red] 鎮遠[.qfb")
    sound = save.read_bytes()
    broken = {
        "bell\a\x1b[31m.qfb": sound[:-20],
        "cut.qfb": sound[:99],
        "turned.qfb": sound.replace(b"mikasa", b"asahi", 1),
        "none.qfb": b"",
        "bytes.qfb": bytes(range(256)) * 9,
        "old.qfb": b'{"format": 99}\n',
    }
    for name, data in (broken | {f"{number}.qfb": b"{}\n" for number in range(1000)}).items():
        Path(name).write_bytes(data)
    for name, to in {
        "loop.qfb": "loop.qfb",
        "gone.qfb": "nowhere",
        "zero.qfb": "/dev/zero",
        "up": "..",
    }.items():
        make_link(Path(name), to)
    Path("folder.qfb").mkdir()
    make_pipe(Path("pipe.qfb"))
    texts = call(command, ".")
    assert (texts.status, texts.err) == (0, "")
    assert texts.out.replace("\n", "").isprintable()
    assert "[red] 鎮遠[.qfb" in texts.out
    for kind in ("html", "json"):
        assert call(command, ".", "--out", f"war.{kind}").status == 0
    faulty = json.loads(Path("war.json").read_text(encoding="utf-8"))["faulty"]["lines"]
    # A save with a cut last line is a battle up to that line.
    assert len(faulty) == 1000 + len(broken) - 1
    assert all(line.count(".qfb") == 1 for line in faulty)


@posix_only
def test_a_file_name_that_is_no_valid_text_causes_no_error(call: Caller) -> None:
    try:
        Path("b\udcff.qfb").write_bytes(b"{}\n")
    except OSError:
        pytest.skip("files have no such names here")
    assert call("campaign", ".", "--out", "war.html").status == 0
    assert call("careers", ".", "--out", "war.txt").status == 0


def test_careers_count_battles_of_every_version(war: tuple[Caller, str]) -> None:
    call, _ = war
    shutil.copy(Path(journal.__file__).parent / "format_3" / "sample-0.2.0.qfb", "old.qfb")
    shutil.copy(find_shipped_folder("saves") / "yellow-sea-1904.qfb", "sample.qfb")
    shutil.copy("sample.qfb", "copy.qfb")
    called = call("careers", ".", "--json")
    assert called.status == 0, called.err
    found = json.loads(called.out)
    ships = {row["ship"]: row for row in found["ships"]["rows"]}
    sample = json.loads(call("report", "sample.qfb", "--json").out)
    assert "faulty" not in found
    assert ships["Mikasa"]["battles"] == "5"
    assert ships["Asahi"]["lost"] == "1 sunk"
    given = {row["side"]: int(row["given"]) for row in found["sides"]["rows"]}
    assert given["Japan"] >= sample["sides"]["japan"]["results"] > 0
    assert given["the whole club"] == sum(
        number for side, number in given.items() if side != "the whole club"
    )
    battles = {row["battle"] for row in found["battles"]["rows"]}
    assert len({row["date"] for row in found["battles"]["rows"] if row["date"]}) >= 3
    assert len(battles) >= 3


def test_careers_name_who_damaged_and_sank_whom(call: Caller) -> None:
    call.save("next\nfire mikasa heavy borodino long 4 8\nleave borodino sunk\n", "1.qfb")
    rows = list(csv.DictReader(io.StringIO(call("careers", ".", "--csv").out)))
    by_ship = {row["ship"]: row for row in rows}
    assert by_ship["Borodino"]["damaged by"] == "Mikasa"
    assert by_ship["Mikasa"]["sank"] == "Borodino"
    assert int(by_ship["Mikasa"]["given"]) == int(by_ship["Borodino"]["taken"]) > 0
    assert float(by_ship["Mikasa"]["due"]) > 0


def test_why_leads_to_the_battle_in_which_a_box_was_crossed(war: tuple[Caller, str]) -> None:
    _, rules = war
    field = BOXES[rules][0]
    second = Session.view(Path("2.qfb"), find_our_systems())
    system, start = second.system, second.timeline.start
    column = next(column for column in system.columns if field in column.fields)
    texts = [line.text for line in explain_start(start, "mikasa", column, Path("2.qfb").resolve())]
    assert any("1.qfb" in text for text in texts)
    assert any("mark mikasa" in text for text in texts)
    third = Session.view(Path("3.qfb"), find_our_systems()).timeline.start
    texts = [line.text for line in explain_start(third, "mikasa", column, Path("3.qfb").resolve())]
    assert "2.qfb" in next(text for text in texts if ".qfb" in text)
    assert any("1.qfb" in text for text in texts)
    assert any("mended since" in text for text in texts)
    Path("2.qfb").unlink()
    texts = [line.text for line in explain_start(third, "mikasa", column, Path("3.qfb").resolve())]
    assert "put it next to this save" in texts[-1]


FLAGS = """ruleset = "quickfire"
title = "{navy}"
date = "{date}"
[[side]]
name = "{navy}"
navy = "{navy}"
ships = ["{ship}"]
[[side]]
name = "Other"
navy = "britain"
ships = ["royal-sovereign"]
prefix = "other-"
"""


def test_a_hull_that_changed_its_flag_has_one_career_with_both_names(call: Caller) -> None:
    ships = ("china", "1894-09-17", "chen-yuen"), ("japan", "1904-08-10", "chin-yen")
    for navy, date, ship in ships:
        scenario = call.folder / f"{navy}.toml"
        scenario.write_text(FLAGS.format(navy=navy, date=date, ship=ship), encoding="utf-8")
        called = call.play(f"note {ship}\n", "--save", f"{navy}.qfb", battle=scenario)
        assert called.status == 0, called.out
    rows = json.loads(call("careers", ".", "--json").out)["ships"]["rows"]
    assert {row["ship"]: row["battles"] for row in rows} == {
        "Chen Yuen · Chin Yen": "2",
        "Royal Sovereign": "2",
    }
