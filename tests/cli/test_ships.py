"""`qf-tui ships`."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.calling import Caller

pytestmark = pytest.mark.usefixtures("home")

KII = ("kind=b", "launched=04", "tons=16000", "knots=19", "heavy=4x12/45", "heavy_mount=t", "plate=k")


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
    assert set(ship["values"]) == set(ship["working"]) >= {"gq2", "quickfire"}
    assert "5/3 x" in ship["working"]["advanced-quickfire"]["gunnery.heavy"]["working"]


def test_her_values_in_each_system_are_told_with_their_working(call: Caller) -> None:
    told = " ".join(call("ships", "jaureguiberry").out.split())
    assert "General Quarters 2" in told
    assert "gunnery.heavy 17 5/3 x" in told


def test_no_ship_is_said(call: Caller) -> None:
    none = call("ships", "no", "such", "ship")
    assert none.status == 1
    assert "no ship is found" in none.err


def test_ratings_show_the_error_of_each_attested_value(call: Caller) -> None:
    told = call("ratings", "advanced-quickfire")
    assert "Masséna      gunnery.heavy        16      17     +1" in told.out
    rows = json.loads(call("ratings", "quickfire", "--json").out)["quickfire"]
    assert {row["error"] for row in rows["attested"]} == {-1, 0, 1}


def test_a_ship_is_made_from_her_facts_and_kept_when_asked_for(call: Caller) -> None:
    shown = call("ship", "japan/Kii", *KII, "--rules", "advanced-quickfire")
    assert shown.status == 0
    assert "4x12in/45 (4 bear, assumed)" in shown.out
    assert "gunnery.heavy 21 5/3 x 1 (4 bear) x 12 x (1/2 + 45/80)" in " ".join(shown.out.split())
    assert "Quickfire-Clone" not in shown.out
    assert "not kept" in shown.err
    assert call("ships", "kii").status == 1
    assert "kept in" in call("ship", "japan/Kii", *KII, "--save").err
    assert "Kii, Japan (your own row)" in call("ships", "kii").out


def test_a_sister_is_copied_and_a_value_set_by_hand(call: Caller) -> None:
    facts = ("tons=16400", "advanced-quickfire:gunnery.heavy=24")
    told = call("ship", "--like", "katori", "--save", "japan/ikoma", *facts)
    assert "* gunnery.heavy 24 set by hand; worked out" in " ".join(told.out.split())
    (ikoma,) = json.loads(call("ships", "ikoma", "--json").out)
    assert (ikoma["tons"], ikoma["note"]) == (16400, "as Katori")
    assert ikoma["values"]["advanced-quickfire"]["gunnery.heavy"] == 24
    assert ikoma["working"]["advanced-quickfire"]["gunnery.heavy"]["by_hand"] is True


def test_one_of_ours_is_changed_as_the_users_own_and_only_that_is_deleted(call: Caller) -> None:
    ours = call("ships", "mikasa").out
    assert call("ship", "japan/mikasa", "tons=15200", "--save").status == 0
    assert "(your own row)" in call("ships", "mikasa").out
    assert "Mikasa is deleted" in call("ship", "japan/mikasa", "--delete").out
    assert call("ships", "mikasa").out == ours
    refused = call("ship", "japan/mikasa", "--delete")
    assert (refused.status, "ours cannot be deleted" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("japan/kii", "tons=heavy"), 1, "tons: expected a whole number"),
        (("japan/kii", "tons=9000"), 1, "kind is missing"),
        (("japan/mikassa",), 2, "no ship “mikassa” in Japan; did you mean mikasa? (facts begin a new one"),
        (("japan/kii", "--like", "mikasa", "tons=heavy"), 1, "tons: expected a whole number"),
        (("japan/kii", "--like", "mikasa", "--tons=3"), 2, "unrecognized arguments: --tons=3"),
        (("kii",), 2, "expected a navy and a name"),
        (("../japan/kii",), 2, "no name of a navy"),
        (("japan/kii", "toms=3"), 2, "no fact “toms”; did you mean tons?"),
        (("japan/kii", "tons"), 2, "expected a fact, = and"),
        (("japan/kii", "gq3:df=3"), 2, "no rule system “gq3”; did you mean gq2?"),
        (("japan/kii", "gq2:fd=3"), 2, "there is no value fd"),
        (("japan/mikasa", "--rules", "gq3"), 2, "no rule system “gq3”"),
        (("japan/kii", "--like", "nobody"), 2, "--like: no ship “nobody” in Japan"),
        (("japan/nobody", "--delete"), 2, "no ship “nobody” in Japan"),
        (("japan/mikassa", "--delete"), 2, "no ship “mikassa” in Japan; did you mean mikasa?"),
        (("japn/mikasa", "--delete"), 2, "no navy “Japn”; did you mean japan?"),
    ],
)
def test_what_cannot_be_so_is_said(call: Caller, words: tuple[str, ...], status: int, says: str) -> None:
    told = call("ship", *words)
    assert told.status == status
    assert says in told.err
    assert "Traceback" not in told.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("ships", "mikassa"), "no ship is found by “mikassa”; did you mean Mikasa (Japan)?"),
        (("ships", "hms", "mikasa"), "did you mean Mikasa (Japan)?"),
        (("ships", "xqzzy"), "a word begins a name, navy, class or kind"),
        (("rules", "torpeedo"), "no clause holds torpeedo; did you mean torpedo"),
        (("rules", "QFC-GUN-15"), "QFC-GUN-14"),
        (("rules", "xqzzy"), "no clause holds xqzzy\n"),
    ],
)
def test_what_is_not_found_is_answered_with_what_is_near(
    call: Caller, words: tuple[str, ...], says: str
) -> None:
    """Catches a slip of the pen that is answered with nothing."""
    told = call(*words)
    assert told.status == 1
    assert says in told.out + told.err


def test_values_as_csv_tell_ships_of_one_id_apart(call: Caller, tmp_path: Path) -> None:
    """Catches two ships that nobody can tell apart, and a column that is not taken back."""
    text = call("ships", "panther", "--csv", "--rules", "quickfire").out.removeprefix("\ufeff")
    assert text.startswith("navy,id,name,")
    told = {(row["navy"], row["id"]) for row in csv.DictReader(text.splitlines())}
    assert told >= {("Austria-Hungary", "panther"), ("Germany", "panther")}
    path = tmp_path / "values.csv"
    path.write_text(call("ships", "capitan", "--csv", "--rules", "quickfire").out, encoding="utf-8")
    assert call("fleets", "--import", str(path), "--rules", "quickfire").status == 0
