"""The user's own rows of a navy, kept apart from shipped ones; and ships of navies that join a battle."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.grammar.names import Reach
from qf_tui.core.ship_facts import collect_values
from qf_tui.core.values import Ship, replace
from qf_tui.features.shipyard.own_ships import build_row, delete_ship, format_own_navy, save_ships
from qf_tui.library.charts import load_overlay
from qf_tui.library.csv_rows import OWN_COLUMNS
from qf_tui.library.faults import FileFaults
from qf_tui.library.joining import list_navy_ships
from qf_tui.library.navies import build_ship_key, find_own_navy, load_register, read_own_rows
from qf_tui.library.own_charts import add_own_cell
from qf_tui.library.paths import find_shipped_folder
from qf_tui.library.ratings import rate_ship
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.fuzzing import load_first_battle
from tests.console.playing import begin_examples, begin_tiny
from tests.journal.limits import limit_file_size
from tests.systems import OURS

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


def test_a_kept_ship_is_found_as_the_users_own() -> None:
    path = save_ships("Ruritania", [WREN])
    assert path == find_own_navy("ruritania")
    (wren,) = load_register(["ruritania"]).find_ships(["wren"])
    assert (wren.name, wren.navy, wren.own, wren.ship_class) == ("Wren", "Ruritania", True, "Wren")
    assert path.read_text(encoding="utf-8-sig").startswith(",".join(column.heading for column in OWN_COLUMNS))


def test_a_row_replaces_the_one_of_the_same_ship_and_year() -> None:
    save_ships("Ruritania", [WREN, {**WREN, "id": "owl", "name": "Owl"}])
    save_ships("Ruritania", [{**WREN, "tons": "900"}, {**WREN, "from": "1899", "tons": "950"}])
    assert [(row["id"], row["from"], row["tons"]) for row in read_own_rows("ruritania")] == [
        ("wren", "", "900"),
        ("owl", "", "800"),
        ("wren", "1899", "950"),
    ]


def test_a_ship_with_another_id_replaces_the_row_that_is_named() -> None:
    save_ships("Ruritania", [WREN])
    save_ships("Ruritania", [{**WREN, "id": "tit", "name": "Tit"}], removed=[("wren", 1891)])
    assert [row["id"] for row in read_own_rows("ruritania")] == ["tit"]


def test_rows_that_the_user_wrote_are_not_changed() -> None:
    path = find_own_navy("ruritania")
    path.parent.mkdir(parents=True)
    path.write_text(
        "id,name,kind,launched,completed,tons,knots,note\n,,,,,,,\nowl,Owl,gunboat,1890,1891,800,13,my  own\n"
    )
    save_ships("ruritania", [WREN])
    assert [(row["id"], row["note"]) for row in read_own_rows("ruritania")] == [
        ("owl", "my  own"),
        ("wren", ""),
    ]


def test_a_changed_shipped_ship_takes_precedence_until_it_is_deleted() -> None:
    ours = load_register(["japan"]).find_ships(["mikasa"])[0]
    before = {path.name: path.read_bytes() for path in find_shipped_folder("navies").iterdir()}
    save_ships("Japan", [{**build_row(ours), "tons": "15200"}])
    (hers,) = load_register(["japan"]).find_ships(["mikasa"])
    assert (hers.tons, hers.own) == (15200, True)
    delete_ship("Japan", build_ship_key(hers))
    assert load_register(["japan"]).find_ships(["mikasa"]) == (ours,)
    with pytest.raises(QfError, match=r"mikasa of 1902 is not among your own ships.*ours cannot be deleted"):
        delete_ship("Japan", build_ship_key(ours))
    assert {path.name: path.read_bytes() for path in find_shipped_folder("navies").iterdir()} == before


def test_all_faults_of_rows_are_reported_and_nothing_is_written() -> None:
    rows = [WREN, {**WREN, "id": "owl", "kind": "gunbote", "tons": "heavy"}, {**WREN, "by_hand": "speed 6"}]
    with pytest.raises(FileFaults) as caught:
        save_ships("Ruritania", rows)
    assert [str(fault).partition(": ")[0] for fault in caught.value.faults] == [
        "row 3 (owl), kind",
        "row 3 (owl), tons",
        "row 4 (wren), by_hand",
    ]
    assert not find_own_navy("Ruritania").exists()


AQF = find_systems()["advanced-quickfire"]
IN_PLACE: dict[str, Callable[[str], Path]] = {
    "navy": lambda number: save_ships("Ruritania", [{**WREN, "id": f"wren-{number}"}]),
    "chart": lambda number: add_own_cell(AQF, ("battery", "200", number), "1"),
}
"""Files of the user to which an entry can be added."""


def read_entries(path: Path) -> set[str]:
    if path.suffix == ".csv":
        return {row["id"].removeprefix("wren-") for row in read_own_rows("Ruritania")}
    return set(load_overlay(path, AQF)["battery"].rows["200"].cells)


@pytest.mark.parametrize("keep", IN_PLACE.values(), ids=IN_PLACE)
def test_a_faulty_file_is_not_overwritten(keep: Callable[[str], Path]) -> None:
    path = keep("1")
    for text in ("id,name\n", "what = ", format_own_navy([{**WREN, "tons": "x"}])):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FileFaults):
            keep("2")
        assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("keep", IN_PLACE.values(), ids=IN_PLACE)
def test_two_consoles_that_keep_entries_at_once_lose_none(keep: Callable[[str], Path]) -> None:
    """Guard against another console's write between reading and writing."""
    numbers = [str(number) for number in range(1, 9)]
    with ThreadPoolExecutor(len(numbers)) as consoles:
        for number in numbers:
            consoles.submit(keep, number)
    assert read_entries(keep("1")) == set(numbers)


@pytest.mark.parametrize("keep", IN_PLACE.values(), ids=IN_PLACE)
def test_a_file_is_unchanged_if_the_disk_is_full(keep: Callable[[str], Path]) -> None:
    path = keep("1")
    before = path.read_bytes()
    with pytest.raises(QfError, match="cannot be written: File too large"), limit_file_size(20):
        keep("2")
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir() if file.suffix == ".new"] == []


@pytest.mark.parametrize("navy", ["", "../japan", "a/b", "japan.csv", "\x1b", "con fuse!", "x" * 70])
def test_a_navy_that_makes_no_file_name_is_refused(navy: str) -> None:
    with pytest.raises(QfError, match="cannot name a navy"):
        save_ships(navy, [WREN])


def join(session: Session, words: str) -> Ship:
    side = session.battle.sides[0].id
    entered = session.enter(f"join {side} {words}")
    assert entered.act.version is not None
    (ship,) = entered.act.version.arrivals
    assert session.battle.ships[ship.id].side == side
    return ship


@pytest.mark.parametrize("name", OURS)
def test_a_ship_of_a_navy_joins_a_battle_of_any_rules(name: str, tmp_path: Path) -> None:
    system, start = load_first_battle(name)
    session = Session.begin(system, start, tmp_path / "battle.qfb")
    ship = join(session, "jaure")
    (facts,) = load_register(["france"]).find_ships(["jaureguiberry"])
    values = collect_values(rate_ship(system, facts))
    assert values
    assert {key: ship.card[key] for key in values} == values
    assert ship.name == "Jauréguiberry"
    session.enter("note she has come")
    session.close()
    again = Session.resume(tmp_path / "battle.qfb", find_systems())
    assert again.battle.ships["jaureguiberry"].card == ship.card
    again.close()


def test_an_own_ship_joins_even_if_she_was_entered_during_the_battle() -> None:
    session = begin_examples()
    with pytest.raises(OrderRefused, match="no ship “kingbird”"):
        join(session, "kingbird")
    save_ships(
        "Ruritania", [{**WREN, "id": "kingbird", "name": "Kingbird", "by_hand": "advanced-quickfire speed=9"}]
    )
    assert join(session, "kingb").card["speed"] == 9
    with pytest.raises(OrderRefused, match="Kingbird is in the battle already"):
        join(session, "kingbird")


def test_letters_that_name_a_ship_of_the_fleets_keep_their_meaning() -> None:
    """Guard against a script whose abbreviation became ambiguous with ships of all navies."""
    session = begin_examples()
    near = session.find_scope().arrivals()
    of_all = [one.id for one in load_register().ships]
    ship = next(one for one in near.values() if sum(id.startswith(one.id[:3]) for id in of_all) > 1)
    lengths = range(3, len(ship.id) + 1)
    short = next(ship.id[:n] for n in lengths if sum(id.startswith(ship.id[:n]) for id in near) == 1)
    assert join(session, short) == ship


def test_navies_that_share_an_id_are_distinguished() -> None:
    for navy in ("Ruritania", "Graustark"):
        save_ships(navy, [{**WREN, "id": "kingbird", "name": "Kingbird"}])
    session = begin_examples()
    with pytest.raises(OrderRefused, match=r"graustark-kingbird \(Kingbird\), ruritania-kingbird"):
        join(session, "kingbird")
    assert join(session, "ruritania-kingbird").id == "ruritania-kingbird"


@pytest.mark.parametrize(("date", "offered"), [("10 August 1904", False), ("1906-05-01", True), ("", True)])
def test_a_navy_has_the_ships_of_the_battles_year(date: str, offered: bool) -> None:
    """Guard against a date as text that counts as missing."""
    session = begin_examples()
    battle = session.battle
    known = list_navy_ships(session.system, replace(battle, table={**battle.table, "date": date}))
    assert ("kashima" in known) is offered


def test_keys_offer_ships_of_navies_after_those_of_the_fleets() -> None:
    session = begin_examples()
    reading = session.read_typed(f"join {session.battle.sides[0].id} jaur")
    assert reading.require_order().list_texts("ships") == ("jaureguiberry",)
    assert session.find_scope(Reach.ANYWHERE).elsewhere()


def test_rules_without_ratings_offer_no_ship_of_a_navy() -> None:
    assert begin_tiny().find_scope().elsewhere() == ()


def test_a_ship_listed_as_a_sister_of_a_class_can_join() -> None:
    row = {**WREN, "id": "king-class", "name": "King (class)", "sisters": "Kingbird; Kingfisher (1899)"}
    save_ships("Ruritania", [row])
    ship = join(begin_examples(), "kingfisher")
    assert (ship.id, ship.name) == ("kingfisher", "Kingfisher")
