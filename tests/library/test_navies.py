"""The facts of ships: our files, the user's beside them, and what is said of a file with faults."""

import random
from pathlib import Path

import pytest

from qf_tui.core.ship_facts import contradictions
from qf_tui.library.faults import FileFaults
from qf_tui.library.navies import COLUMNS, Register, read_navy, register
from qf_tui.library.paths import own, shipped

HEAD = "id,name,kind,launched,completed,tons,knots"


@pytest.fixture(scope="module")
def all_ships() -> Register:
    return register()


@pytest.fixture
def own_navies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    own("navies").mkdir(parents=True)
    return own("navies")


def faults_of(text: str) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        read_navy(text.encode(), Path("ruritania.csv"))
    return [str(fault) for fault in caught.value.faults]


def test_every_navy_of_ours_is_read(all_ships: Register) -> None:
    assert all_ships.faulty == ()
    assert len(all_ships.navies) == 21
    assert sum(1 for _ in all_ships.ships) > 1170
    assert {"Japan", "USA", "Austria-Hungary", "Ottoman-Empire"} <= set(all_ships.navies)


def test_no_row_of_ours_contradicts_itself_unawares(all_ships: Register) -> None:
    """Catches a slip of ours: what looks odd in a row stands in its note or among what differs."""
    odd = [ship for ship in all_ships.ships if contradictions(ship)]
    assert [ship.id for ship in odd if not (ship.note or ship.differ)] == []


def test_our_files_have_the_columns_that_are_declared() -> None:
    for path in shipped("navies").glob("*.csv"):
        head = path.read_text(encoding="utf-8").partition("\n")[0]
        assert head.split(",") == [column.heading for column in COLUMNS]


def test_ships_are_found_by_the_beginnings_of_words_without_accents(all_ships: Register) -> None:
    assert [ship.name for ship in all_ships.found(["jaure"])] == ["Jauréguiberry"]
    for letters in ("ohigg", "o'higg", "O’Higg", "o-higg"):
        assert [ship.name for ship in all_ships.found([letters])] == ["O'Higgins"]
    assert [ship.id for ship in all_ships.found(["no-69"])] == ["no-67-class"]
    assert all_ships.found(["-"]) == ()


@pytest.mark.parametrize(
    ("letters", "name"),
    [
        ("mikassa", "Mikasa"),
        ("mikas", "Mikasa"),
        ("hms dreadnougt", "Dreadnought"),
        ("H.M.S. Majestik", "Majestic"),
        ("ohigins", "O'Higgins"),
        ("jaurreguiberry", "Jauréguiberry"),
        ("fuij", "Fuji"),
    ],
)
def test_letters_that_find_no_ship_come_near_to_some(all_ships: Register, letters: str, name: str) -> None:
    """Catches a slip of the pen, or a title, that costs a ship."""
    assert all_ships.near(letters)[0].name == name


def test_no_ship_is_near_to_anything(all_ships: Register) -> None:
    assert all_ships.near("xqzzy") == ()
    assert all_ships.near("") == ()
    assert all_ships.near("hms") == ()
    assert {ship.navy for ship in all_ships.found(["russia", "battle", "1904"])} == {"Russia"}
    assert all_ships.found(["no-such-ship"]) == ()


def test_a_year_finds_ships_as_they_were_then(all_ships: Register) -> None:
    (built,), (refitted,) = (
        all_ships.found(["fuji", "1898", "battle", "japan"])[:1],
        all_ships.found(["fuji", "1904", "battle", "japan"])[:1],
    )
    assert (str(built.small), str(refitted.small)) == ("0x75-100mm + 24x37-65mm", "16x75-100mm + 8x37-65mm")
    assert all_ships.in_year(built, 1904) == refitted
    assert all_ships.in_year(built, 1890) is None


def test_a_row_of_the_users_takes_the_place_of_ours(own_navies: Path) -> None:
    (own_navies / "japan.csv").write_text(
        f"{HEAD}\nmikasa,Mikasa,battleship,1900,1902,15200,18.5\nkii,Kii,battleship,1905,1906,16000,19\n"
    )
    known = register(["japan"])
    (mikasa,) = known.found(["mikasa"])
    assert (mikasa.tons, mikasa.own) == (15200, True)
    assert known.found(["kii"])[0].own
    assert not known.found(["asahi"])[0].own


def test_a_file_with_faults_hides_no_other_navy(own_navies: Path) -> None:
    (own_navies / "ruritania.csv").write_text("id,name\n")
    known = register()
    assert len(known.faulty) == 1
    assert len(known.navies) == 21


def test_all_faults_are_named_with_row_and_column() -> None:
    good = ["wren", "Wren", "gunboat", "1890", "1891", "800", "13"]
    wrong = {0: "Wren!", 2: "gunbote", 3: "18x0", 4: "1791", 5: "8,5", 6: "fast"}
    rows = [HEAD]
    for number in range(50):
        row = [f"{good[0]}-{number}", *good[1:]]
        if number % 5 == 0:
            at = list(wrong)[number // 5 % len(wrong)]
            row[at] = f'"{wrong[at]}"'
        rows.append(",".join(row))
    found = faults_of("\n".join(rows))
    assert len(found) == 10
    assert "row 2 (Wren!), id: expected up to 60 lower case letters" in found[0]
    assert "row 7 (wren-5), kind: expected battleship" in found[1]
    assert "did you mean gunboat?" in found[1]
    assert "row 12 (wren-10), launched: expected a whole number from 1850 to 1950, found “18x0”" in found[2]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "missing: id, name"),
        (f"{HEAD},colour\n", "no column “colour”"),
        (f"{HEAD},id\n", "“id” stands there more than once"),
        (f"{HEAD}\na,A,gunboat,1890,1891,800,13,9,9\n", "9 cells under 7 headings"),
        (f"{HEAD}\na,,gunboat,1890,1891,800,13\n", "name: is missing"),
        (f"{HEAD}\na,{'A' * 5000},gunboat,1890,1891,800,13\n", "name: expected at most"),
        (f'{HEAD}\na,"A\x1b",gunboat,1890,1891,800,13\n', "U+001B"),
        (f"{HEAD}\n" + "a,A,gunboat,1890,1891,800,13\n" * 2, "more than once for 1891"),
        (f"{HEAD},heavy,heavy_bear\na,A,gunboat,1890,1891,800,13,2x6,2\n", "expected guns as"),
        (f'{HEAD}\n"a', "it is not CSV"),
    ],
)
def test_a_fault_of_a_file_is_told(text: str, says: str) -> None:
    assert any(says in fault for fault in faults_of(text)), faults_of(text)


def test_no_bytes_raise_anything_else() -> None:
    chance = random.Random(1904)
    sound = (shipped("navies") / "peru.csv").read_bytes()
    for _ in range(300):
        data = bytearray(sound)
        for _ in range(chance.randint(1, 8)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            read_navy(bytes(data), Path("peru.csv"))
        except FileFaults:
            continue
