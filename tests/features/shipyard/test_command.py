"""`qf-tui ships`, `ship` and `fleets`: listed, made, and exchanged with spreadsheets."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.calling import Caller, run_process
from tests.features.shipyard.springsharp_texts import VERSION_2, VERSION_3

pytestmark = pytest.mark.usefixtures("home")

KII = ("kind=b", "launched=04", "tons=16000", "knots=19", "heavy=4x12/45", "heavy_mount=t", "plate=k")


def test_ships_are_listed_and_a_single_one_is_shown_in_full(call: Caller) -> None:
    listed = call("ships", "japan", "battle", "1904")
    assert listed.status == 0
    assert "Mikasa" in listed.out
    told = " ".join(call("ships", "jaureguiberry").out.split())
    for words in ("(2 bear)", "sources", "General Quarters 2", "gunnery.heavy 17 5/3 x"):
        assert words in told


def test_ships_can_be_json(call: Caller) -> None:
    (ship,) = json.loads(call("ships", "jaureguiberry", "--json").out)
    assert ship["name"] == "Jaur\u00e9guiberry"
    assert [guns["caliber_in"] for guns in ship["light"]] == [138 / 25.4]
    assert set(ship["values"]) == set(ship["working"]) >= {"gq2", "quickfire"}
    assert "5/3 x" in ship["working"]["advanced-quickfire"]["gunnery.heavy"]["working"]


def test_ratings_show_the_error_of_each_attested_value(call: Caller) -> None:
    told = call("ratings", "advanced-quickfire")
    assert "Masséna      gunnery.heavy        16      17     +1" in told.out
    rows = json.loads(call("ratings", "quickfire", "--json").out)["quickfire"]
    assert {row["error"] for row in rows["attested"]} == {-1, 0, 1}


def test_a_ship_is_made_from_her_facts_and_kept_on_request(call: Caller) -> None:
    shown = call("ship", "japan/Kii", *KII, "--rules", "advanced-quickfire")
    assert shown.status == 0
    assert "4x12in/45 (4 bear, assumed)" in shown.out
    assert "gunnery.heavy 21 5/3 x 1 (4 bear) x 12 x (1/2 + 45/80)" in " ".join(shown.out.split())
    assert "Quickfire-Clone" not in shown.out
    assert "not saved" in shown.err
    assert call("ships", "kii").status == 1
    assert "saved in" in call("ship", "japan/Kii", *KII, "--save").err
    assert "Kii, Japan (your own row)" in call("ships", "kii").out


def test_a_sister_is_copied_and_a_value_is_set_by_hand(call: Caller) -> None:
    facts = ("tons=16400", "advanced-quickfire:gunnery.heavy=24")
    told = call("ship", "--like", "katori", "--save", "japan/ikoma", *facts)
    assert "* gunnery.heavy 24 set by hand; worked out" in " ".join(told.out.split())
    (ikoma,) = json.loads(call("ships", "ikoma", "--json").out)
    assert (ikoma["tons"], ikoma["note"]) == (16400, "as Katori")
    assert ikoma["values"]["advanced-quickfire"]["gunnery.heavy"] == 24
    assert ikoma["working"]["advanced-quickfire"]["gunnery.heavy"]["by_hand"] is True


def test_a_changed_shipped_ship_is_your_own_and_only_that_row_is_deleted(call: Caller) -> None:
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
        (
            ("japan/mikassa",),
            2,
            "no ship “mikassa” in Japan; did you mean mikasa? (add facts to make a new one",
        ),
        (("japan/kii", "--like", "mikasa", "tons=heavy"), 1, "tons: expected a whole number"),
        (("japan/kii", "--like", "mikasa", "--tons=3"), 2, "“--tons” is no option of ship"),
        (("kii",), 2, "expected a navy and a name"),
        (("../japan/kii",), 2, "cannot name a navy"),
        (("japan/kii", "toms=3"), 2, "no fact “toms”; did you mean tons?"),
        (("japan/kii", "tons"), 2, "expected FACT=TEXT"),
        (("japan/kii", "gq3:df=3"), 2, "no rule system “gq3”; did you mean gq2?"),
        (("japan/kii", "gq2:fd=3"), 2, "there is no value fd"),
        (("japan/mikasa", "--rules", "gq3"), 2, "no rule system “gq3”"),
        (("japan/kii", "--like", "nobody"), 2, "--like: no ship “nobody” in Japan"),
        (("japan/nobody", "--delete"), 2, "no ship “nobody” in Japan"),
        (("japan/mikassa", "--delete"), 2, "no ship “mikassa” in Japan; did you mean mikasa?"),
        (("japn/mikasa", "--delete"), 2, "no navy “Japn”; did you mean japan?"),
    ],
)
def test_wrong_facts_are_reported(call: Caller, words: tuple[str, ...], status: int, says: str) -> None:
    told = call("ship", *words)
    assert told.status == status
    assert says in told.err
    assert "Traceback" not in told.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("ships", "mikassa"), "no ship matches “mikassa”; did you mean Mikasa (Japan)?"),
        (("ships", "hms", "mikassa"), "did you mean Mikasa (Japan)?"),
        (("ships", "xqzzy"), "each word must begin a name, navy, class or kind"),
        (("rules", "torpeedo"), "no clause contains torpeedo; did you mean torpedo"),
        (("rules", "QFC-GUN-15"), "QFC-GUN-14"),
        (("rules", "xqzzy"), "no clause contains xqzzy\n"),
    ],
)
def test_a_failed_search_suggests_similar_words(call: Caller, words: tuple[str, ...], says: str) -> None:
    """Guard against a typo that gets no answer."""
    told = call(*words)
    assert told.status == 1
    assert says in told.out + told.err


def test_values_as_csv_distinguish_ships_with_the_same_id(call: Caller, tmp_path: Path) -> None:
    """Guard against two indistinguishable ships, and a column that cannot be imported."""
    text = call("ships", "panther", "--csv", "--rules", "quickfire").out.removeprefix("\ufeff")
    assert text.startswith("navy,id,name,")
    told = {(row["navy"], row["id"]) for row in csv.DictReader(text.splitlines())}
    assert told >= {("Austria-Hungary", "panther"), ("Germany", "panther")}
    path = tmp_path / "values.csv"
    path.write_text(call("ships", "capitan", "--csv", "--rules", "quickfire").out, encoding="utf-8")
    assert call("fleets", "--import", str(path), "--rules", "quickfire").status == 0


BOOK = """name;kind;size;gunnery.heavy;gunnery.light;armor.heavy;armor.light;rof.heavy;rof.light;speed;repair
Swan;battleship;15;20;13;11;16;4;5;6,75;6
Teal;cruiser;6;9;8;2;8;4;4;8;3
"""


def test_exported_ships_can_be_imported_as_your_own(call: Caller) -> None:
    assert call("ships", "japan", "battle", "1904", "--csv", "--out", "jp.csv").out == "jp.csv\n"
    refused = call("ships", "mikasa", "--csv", "--out", "jp.csv")
    assert (refused.status, "--replace overwrites it" in refused.err) == (2, True)
    taken = call("ships", "--import", "jp.csv")
    assert taken.status == 0, taken.err
    assert taken.out.splitlines()[0] == "6 new, 0 replaced, 0 unchanged"
    assert "your own row" in call("ships", "mikasa").out
    text = Path("jp.csv").read_text(encoding="utf-8-sig")
    Path("jp.csv").write_text(text.replace(",18,4x12in", ",41,4x12in"), encoding="utf-8")
    refused = call("ships", "--import", "jp.csv")
    assert (refused.status, "your own rows differ for" in refused.err) == (2, True)
    taken = call("ships", "--import", "jp.csv", "--replace")
    assert "odd: 41 knots" in taken.err


def test_csv_goes_through_a_pipe(call: Caller, tmp_path: Path) -> None:
    text = call("ships", "fuji", "1898", "--csv").out
    home = {"QF_TUI_HOME": str(tmp_path / "home")}
    assert run_process("ships", "--import", "-", text=text, more=home).out.startswith("2 new")


def test_a_file_with_faults_is_not_imported_at_all(call: Caller) -> None:
    Path("swans.csv").write_text("name,kind,launched,completed,tons,knots\nSwan,x,1,1,1,1\n")
    refused = call("ships", "--import", "swans.csv", "--navy", "chile")
    assert refused.status == 2
    assert [line.split(": ")[0].strip() for line in refused.err.splitlines()[1:]] == [
        "row 2 (Swan), kind",
        "row 2 (Swan), launched",
        "row 2 (Swan), completed",
    ]
    assert not (call.folder / "home").exists()


def test_an_unknown_navy_is_reported_with_similar_names(call: Caller) -> None:
    """Guard against a typo that becomes a navy."""
    heading = "navy,name,kind,launched,completed,tons,knots\n"
    Path("swans.csv").write_text(f"{heading}jappan,Swan,battleship,1899,1901,12000,18\n")
    taken = call("ships", "--import", "swans.csv")
    assert (taken.status, taken.err) == (0, "qf-tui: jappan: a new navy of your own; did you mean japan?\n")
    assert call("ships", "--import", "swans.csv").err == ""


def test_a_spreadsheet_of_facts_is_checked_like_any_file(call: Caller) -> None:
    head = "name,kind,launched,completed,tons,knots,belt"
    Path("swans.csv").write_text(f"{head}\nSwan,battleship,1899,1901,12000,40,9\n")
    told = call("check", "swans.csv")
    assert (told.status, "warning: Swan: 40 knots" in told.out) == (0, True)
    Path("swans.csv").write_text(f"{head}\nSwan,battleship,1899,1901,12000,18,thick\n")
    told = call("check", "swans.csv")
    assert (told.status, "row 2 (Swan), belt: expected a number" in told.out) == (1, True)


def test_a_list_from_a_ship_book_becomes_a_fleet_and_can_be_exported(call: Caller) -> None:
    Path("My book.csv").write_text(BOOK)
    taken = call("fleets", "--import", "My book.csv", "--rules", "quickfire")
    assert taken.status == 0, taken.err
    path = Path(taken.out.splitlines()[1])
    assert path == call.folder / "home" / "fleets" / "my-book.toml"
    assert call("check", path).status == 0
    assert "my-book" in call("fleets").out
    again = call("fleets", "--import", "My book.csv", "--rules", "quickfire")
    assert (again.status, "this fleet exists already" in again.err) == (2, True)
    out = call("fleets", "my-book", "--csv").out
    assert [line.split(",")[:5] for line in out.splitlines()[1:]] == [
        ["swan", "Swan", "battleship", "15", "20"],
        ["teal", "Teal", "cruiser", "6", "9"],
    ]


def test_a_navy_of_a_year_is_exported_as_values_and_imported_as_a_fleet(call: Caller) -> None:
    call("ships", "japan", "battle", "1904", "--csv", "--rules", "gq2", "--out", "values.csv")
    taken = call("fleets", "togo", "--import", "values.csv", "--rules", "gq2", "--title", "Togo")
    assert (taken.status, taken.out.splitlines()[0]) == (0, "6 ships")
    assert call("fleets").out.split()[:3] == ["togo", "Togo", "yours"]


def test_a_springsharp_report_becomes_your_own_ship(call: Caller) -> None:
    Path("kestrel.txt").write_text(VERSION_3)
    told = call("ship", "--springsharp", "kestrel.txt", "--rules", "quickfire")
    assert told.status == 0
    assert told.out.startswith("Kestrel, Britain\n")
    assert "assumed: launched 1897, completed 1898" in told.err
    assert "not saved" in told.err
    Path("lion.txt").write_text(VERSION_2)
    kept = call("ship", "chile/Leon", "plate=Harvey", "--springsharp", "lion.txt", "--save")
    assert kept.status == 0, kept.err
    assert call("ships", "chile", "leon").out.startswith("Leon, Chile (your own row)")


def test_a_part_of_a_report_is_a_draft_that_says_what_is_missing(call: Caller) -> None:
    Path("piece.txt").write_text(VERSION_3[VERSION_3.index("Main Torpedoes") :])
    draft = call("ship", "--springsharp", "piece.txt")
    assert draft.status == 1
    assert "knots        19.5" in draft.out
    assert "not read: displacement" in draft.err
    assert "tons is missing" in draft.err
    filled = ("chile/Leon", "kind=gunboat", "launched=1890", "tons=900")
    assert call("ship", "--springsharp", "piece.txt", *filled).status == 0
    Path("piece.txt").write_text("no report")
    refused = call("ship", "--springsharp", "piece.txt")
    assert (refused.status, "this is not a Springsharp report" in refused.err) == (2, True)


def test_ships_of_a_day_are_listed_with_their_service_and_sources(call: Caller) -> None:
    listed = call("ships", "japan", "1904-05-15")
    assert listed.out.splitlines()[0].split()[-1] == "served"
    by_name = {line.split("  ")[1]: line for line in listed.out.splitlines()}
    assert by_name["Hatsuse"].endswith("1901-01-18 to 1904-05-15 lost")
    assert by_name["No. 59 ~ ="].endswith("1902, end not known")
    assert by_name["No. 70 ~ ="].endswith("1903-08 to 1923 stricken")
    assert "of her class, no-67-class" in call("ships", "no-70").out
    assert "~ from general knowledge alone" in listed.err
    assert "= the facts of her class" in listed.err
    assert "? end not known" in listed.err
    assert "Hatsuse" not in call("ships", "japan", "1904-05-16").out
    assert "Maine " not in call("ships", "usa", "battleship", "1900").out
    assert "served" not in call("ships", "japan", "battleship").out


@pytest.mark.parametrize("option", ["--rules", "--out", "--navy"])
def test_an_option_without_effect_is_refused(call: Caller, option: str) -> None:
    called = call("ships", "japan", "1904", option, "quickfire")
    assert (called.status, called.out) == (2, "")
    assert f"{option} is only for --" in called.err
