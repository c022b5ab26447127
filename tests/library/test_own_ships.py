"""The user's own rows of a navy: kept whole, beside what another console keeps, and never over ours."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from qf_tui.core.errors import QfError
from qf_tui.library.faults import FileFaults
from qf_tui.library.navies import (
    OWN_COLUMNS,
    delete_ship,
    key_of,
    own_navy,
    own_rows,
    read_row,
    register,
    row_of,
    save_ships,
    written,
)
from qf_tui.library.paths import shipped
from tests.journal.limits import grown_at_most

pytestmark = pytest.mark.usefixtures("home")

WREN = {
    "id": "wren",
    "name": "Wren",
    "kind": "gunboat",
    "launched": "1890",
    "completed": "1891",
    "tons": "800",
    "knots": "13",
}


def test_every_ship_of_ours_written_as_a_row_is_read_as_the_same() -> None:
    for ship in register().ships:
        assert read_row(row_of(ship), ship.navy) == (ship, ())


def test_a_ship_is_kept_and_found_as_the_users_own() -> None:
    path = save_ships("Ruritania", [WREN])
    assert path == own_navy("ruritania")
    (wren,) = register(["ruritania"]).found(["wren"])
    assert (wren.name, wren.navy, wren.own, wren.ship_class) == ("Wren", "Ruritania", True, "Wren")
    assert path.read_text(encoding="utf-8-sig").startswith(",".join(column.heading for column in OWN_COLUMNS))


def test_a_row_of_a_ship_and_year_takes_the_place_of_the_one_before() -> None:
    save_ships("Ruritania", [WREN, {**WREN, "id": "owl", "name": "Owl"}])
    save_ships("Ruritania", [{**WREN, "tons": "900"}, {**WREN, "from": "1899", "tons": "950"}])
    assert [(row["id"], row["from"], row["tons"]) for row in own_rows("ruritania")] == [
        ("wren", "", "900"),
        ("owl", "", "800"),
        ("wren", "1899", "950"),
    ]


def test_a_ship_with_another_id_goes_where_she_was_told_of() -> None:
    save_ships("Ruritania", [WREN])
    save_ships("Ruritania", [{**WREN, "id": "tit", "name": "Tit"}], instead=[("wren", 1891)])
    assert [row["id"] for row in own_rows("ruritania")] == ["tit"]


def test_what_the_user_has_written_himself_stays_as_it_is() -> None:
    path = own_navy("ruritania")
    path.parent.mkdir(parents=True)
    path.write_text(
        "id,name,kind,launched,completed,tons,knots,note\n,,,,,,,\nowl,Owl,gunboat,1890,1891,800,13,my  own\n"
    )
    save_ships("ruritania", [WREN])
    assert [(row["id"], row["note"]) for row in own_rows("ruritania")] == [("owl", "my  own"), ("wren", "")]


def test_one_of_ours_that_is_changed_wins_until_it_is_deleted() -> None:
    ours = register(["japan"]).found(["mikasa"])[0]
    before = {path.name: path.read_bytes() for path in shipped("navies").iterdir()}
    save_ships("Japan", [{**row_of(ours), "tons": "15200"}])
    (hers,) = register(["japan"]).found(["mikasa"])
    assert (hers.tons, hers.own) == (15200, True)
    delete_ship("Japan", key_of(hers))
    assert register(["japan"]).found(["mikasa"]) == (ours,)
    with pytest.raises(QfError, match=r"mikasa of 1902 is no row of yours.*ours cannot be deleted"):
        delete_ship("Japan", key_of(ours))
    assert {path.name: path.read_bytes() for path in shipped("navies").iterdir()} == before


def test_all_that_is_wrong_with_rows_is_told_and_nothing_is_written() -> None:
    rows = [WREN, {**WREN, "id": "owl", "kind": "gunbote", "tons": "heavy"}, {**WREN, "by_hand": "speed 6"}]
    with pytest.raises(FileFaults) as caught:
        save_ships("Ruritania", rows)
    assert [str(fault).partition(": ")[0] for fault in caught.value.faults] == [
        "row 3 (owl), kind",
        "row 3 (owl), tons",
        "row 4 (wren), by_hand",
    ]
    assert not own_navy("Ruritania").exists()


def test_a_faulty_file_is_not_overwritten() -> None:
    path = own_navy("ruritania")
    path.parent.mkdir(parents=True)
    for text in ("id,name\n", written([{**WREN, "tons": "x"}])):
        path.write_text(text)
        with pytest.raises(FileFaults):
            save_ships("ruritania", [WREN])
        with pytest.raises(FileFaults):
            delete_ship("ruritania", ("wren", 1891))
        assert path.read_text() == text


@pytest.mark.parametrize("navy", ["", "../japan", "a/b", "japan.csv", "\x1b", "con fuse!", "x" * 70])
def test_a_navy_whose_file_could_not_be_named_is_refused(navy: str) -> None:
    with pytest.raises(QfError, match="no name of a navy"):
        save_ships(navy, [WREN])


def test_two_consoles_that_keep_ships_at_once_lose_none() -> None:
    """Catches a read, a change and a write between which another console has written."""
    ids = [f"wren-{number}" for number in range(8)]
    with ThreadPoolExecutor(len(ids)) as consoles:
        for id in ids:
            consoles.submit(save_ships, "Ruritania", [{**WREN, "id": id}])
    assert {row["id"] for row in own_rows("Ruritania")} == set(ids)


def test_a_file_for_which_there_is_no_room_is_as_it_was() -> None:
    path = save_ships("Ruritania", [WREN])
    before = path.read_bytes()
    with pytest.raises(QfError, match="cannot be written: File too large"), grown_at_most(20):
        save_ships("Ruritania", [{**WREN, "id": "owl"}])
    assert path.read_bytes() == before
    assert [found.name for found in path.parent.iterdir() if found.suffix == ".new"] == []
