"""`qf-tui ships`."""

import json

from tests.cli.calling import Caller


def test_ships_are_listed_and_one_is_told_in_full(call: Caller) -> None:
    listed = call("ships", "japan", "battle", "1904")
    assert listed.status == 0
    assert "Mikasa" in listed.out
    told = call("ships", "mikasa")
    assert "4x12in/40 (4 bear)" in told.out
    assert "sources" in told.out


def test_ships_as_json(call: Caller) -> None:
    (ship,) = json.loads(call("ships", "jaureguiberry", "--json").out)
    assert ship["name"] == "Jaur\u00e9guiberry"
    assert [guns["caliber_in"] for guns in ship["light"]] == [138 / 25.4]


def test_no_ship_is_said(call: Caller) -> None:
    none = call("ships", "no", "such", "ship")
    assert none.status == 1
    assert "no ship is found" in none.err


def test_ratings_show_the_error_of_each_attested_value(call: Caller) -> None:
    told = call("ratings", "advanced-quickfire")
    assert "Masséna      gunnery.heavy        16      17     +1" in told.out
    rows = json.loads(call("ratings", "quickfire", "--json").out)["quickfire"]
    assert {row["error"] for row in rows["attested"]} == {0, 1}
