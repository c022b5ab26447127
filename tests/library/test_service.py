"""Dates of service under a flag: fleets of a date, and one hull under two flags."""

import csv
import json
import os
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from qf_tui.core.ship_facts import GENERAL_KNOWLEDGE, OLD_AGE, SERVING, ShipFacts, is_in_service, read_date
from qf_tui.document.help import read_page_source
from qf_tui.features.shipyard.facts import format_service, list_signs
from qf_tui.library.check import check_file
from qf_tui.library.csv_rows import ENDS
from qf_tui.library.faults import Faults
from qf_tui.library.fleets import load_fleet
from qf_tui.library.navies import (
    NavyShips,
    Register,
    format_navy_title,
    list_navies,
    load_register,
    read_sister_service,
)
from qf_tui.library.paths import find_shipped_folder
from qf_tui.library.scenarios import ScenarioRead, read_scenario
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()
YEARS = (1890, 1894, 1898, 1904, 1906)
COUNTS = Path(__file__).with_name("navies_of_years.json")
README = Path(__file__).parent.parent.parent / "README.md"


@pytest.fixture(scope="module")
def all_ships() -> Register:
    return load_register()


@pytest.mark.parametrize(
    ("begins", "until", "when", "serves"),
    [
        ("1897", "1904-05-15", "1904", True),
        ("1897", "1904-05-15", "1904-05-15", True),
        ("1897", "1904-05-15", "1904-05-16", False),
        ("1897", "1904-05-15", "1905", False),
        ("1897", "1904", "1904-12-31", True),
        ("1897", "", "1950", True),
        ("1895-03-16", "", "1895", True),
        ("1895-03-16", "", "1895-03", True),
        ("1895-03-16", "", "1895-03-15", False),
        ("1895-03-16", "", "1894", False),
    ],
)
def test_a_service_includes_a_date_as_far_as_both_are_known(
    begins: str, until: str, when: str, serves: bool
) -> None:
    assert is_in_service(begins, until, when) is serves


@pytest.mark.parametrize("text", ["19040", "1904-13", "1904-02-32", "04-02-09", "1904-2-9", "１９０４", ""])
def test_an_invalid_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a date"):
        read_date(text)


@pytest.mark.parametrize("text", ["1849", "1849-12-31", "2000", "2000-01-01"])
def test_a_date_beyond_the_limits_is_refused_with_them(text: str) -> None:
    with pytest.raises(ValueError, match="expected a year from 1850 to 1999"):
        read_date(text)


@pytest.mark.parametrize(
    ("navy", "id", "when", "serves"),
    [
        ("japan", "hatsuse", "1904", True),
        ("japan", "hatsuse", "1904-05-16", False),
        ("japan", "hayatori", "1905", False),
        ("japan", "murasame", "1905", True),
        ("japan", "tango", "1904", False),
        ("japan", "chin-yen", "1894", False),
        ("japan", "chin-yen", "1904", True),
        ("china", "chen-yuen", "1895-02-05", True),
        ("china", "chen-yuen", "1896", False),
        ("japan", "izumi", "1894-09-17", False),
        ("chile", "esmeralda-1883", "1895", False),
        ("usa", "maine", "1898-02-15", True),
        ("usa", "maine", "1900", False),
        ("russia", "orel", "1906", False),
        ("spain", "pluton", "1899", False),
        ("spain", "proserpina", "1899", True),
    ],
)
def test_a_fleet_of_a_date_has_the_ships_that_served_then(
    navy: str, id: str, when: str, serves: bool
) -> None:
    assert (id in NavyShips(navy).list_ids(int(when[:4]), when)) is serves


def test_the_list_of_ships_has_the_ships_that_served_then(all_ships: Register) -> None:
    def names(*words: str) -> set[str]:
        return {ship.id for ship in all_ships.find_ships(["japan", *words])}

    assert "hatsuse" in names("1904") - names("1904-06")
    assert "no-69" in names("1904") - names("1902")
    assert not {"tango", "sagami"} & names("1904")
    assert "mishima" in names("1905-06-06") - names("1905-06-05")


def read_sides(*sides: Mapping[str, object], date: str = "") -> ScenarioRead:
    """Read a scenario from its sides as in a file."""
    data = {"ruleset": "quickfire", "title": "Flags", "date": date, "side": list(sides)}
    return read_scenario(data, Path("flags.toml"), SYSTEMS)


def list_faults(read: ScenarioRead) -> list[str]:
    return [str(fault) for faults in read.faults.values() for fault in faults]


def build_side(navy: str, year: int, *ships: str) -> dict[str, object]:
    return {
        "name": format_navy_title(navy),
        "navy": navy,
        "year": year,
        **({"ships": list(ships)} if ships else {}),
    }


def test_one_hull_under_two_flags_is_a_fault_that_names_both() -> None:
    (fault,) = list_faults(
        read_sides(build_side("japan", 1906, "tango"), build_side("russia", 1904, "poltava"))
    )
    assert "“poltava” of russia/poltava is “tango” of japan/tango on side japan, the same hull" in fault


def test_a_year_in_which_a_hull_changed_its_flag_needs_the_day() -> None:
    """Detect two whole navies that fight with one ship on each side."""
    war = build_side("china", 1895), build_side("japan", 1895)
    assert len([fault for fault in list_faults(read_sides(*war)) if "the same hull" in fault]) >= 4
    assert list_faults(read_sides(*war, date="1895-02-05")) == []
    assert list_faults(read_sides(*war, date="5 February 1895"))


def test_japan_and_russia_of_1904_need_the_day_too() -> None:
    """Detect ships taken later on both sides, and a destroyer that was taken in that year."""
    war = build_side("japan", 1904), build_side("russia", 1904)
    (fault,) = list_faults(read_sides(*war))
    assert "“reshitelny” of russia/reshitelny is “akatsuki-ii” of japan/akatsuki-ii" in fault
    read = read_sides(*war, date="1904-02-09")
    assert list_faults(read) == []
    assert read.battle is not None
    assert {"poltava", "hatsuse", "reshitelny"} <= read.battle.ships.keys()
    assert not {"tango", "iki", "akatsuki-ii"} & read.battle.ships.keys()


def test_a_named_ship_may_fight_out_of_her_time_with_a_message() -> None:
    """Detect a refused what-if battle."""
    read = read_sides(build_side("japan", 1904, "mikasa", "tango"), build_side("usa", 1904, "maine"))
    assert list_faults(read) == []
    assert [text for text in read.warnings if "did not serve" in text] == [
        "side 1 (Japan), ships: Tango did not serve in Japan in 1904",
        "side 2 (USA), ships: Maine did not serve in USA in 1904",
    ]


def test_one_ship_on_each_side_under_one_flag_is_a_mock_battle() -> None:
    mock = (
        build_side("japan", 1904, "mikasa"),
        {**build_side("japan", 1904, "mikasa"), "name": "Red", "prefix": "red-"},
    )
    assert list_faults(read_sides(*mock)) == []


@pytest.mark.parametrize(
    ("head", "there"),
    [({"date": "1904-05-14"}, True), ({"date": "1904-06"}, False), ({"year": 1904}, True)],
)
def test_a_fleet_file_may_be_of_a_date(head: Mapping[str, object], there: bool) -> None:
    fleet = load_fleet(Path("japan.toml"), SYSTEMS["quickfire"], {"navy": "japan", **head})
    assert any(card["id"] == "hatsuse" for card in fleet.cards) is there


@pytest.mark.parametrize("head", [{"date": "in spring"}, {"date": "1905-05", "year": 1904}])
def test_a_fleet_file_of_no_date_is_refused(head: Mapping[str, object]) -> None:
    with pytest.raises(Faults, match="expected a date of"):
        load_fleet(Path("japan.toml"), SYSTEMS["quickfire"], {"navy": "japan", **head})


def read_rows() -> Iterator[tuple[str, Mapping[str, str]]]:
    for path in sorted(find_shipped_folder("navies").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            yield from ((path.stem, row) for row in csv.DictReader(file))


def test_every_date_of_service_has_a_source() -> None:
    for navy, row in read_rows():
        sisters = row["sisters"].split(";")
        dated = row["serves_from"] or row["serves_until"] or any(map(read_sister_service, sisters))
        assert bool(dated or row["ended"] == SERVING) == bool(row["service_source"]), (navy, row["id"])
        assert bool(row["serves_until"]) >= bool(row["ended"] not in ("", SERVING)), row["id"]


GONE = {
    "russia": "bobr otvazhny gilyak zabiyaka bditelny stroiny rastoropny razyashchi storozhevoi boevoi",
    "britain": "chamois ajax agamemnon neptune glatton hotspur belleisle northampton warspite orlando "
    "australia galatea superb monarch narcissus",
    "japan": "no-48 no-51 no-53",
    "usa": "yosemite st-louis-liner st-paul harvard yale",
    "france": "duguesclin vauban tonnerre bayard turenne",
    "spain": "sangley-battery canacao-battery luneta-battery",
}
"""Ships that had left their navy by December 1906, by navy; an audit found them in lists of that month."""
LATER = (
    "knyaz-suvorov borodino orel oleg izumrud zhemchug ural kamchatka grozny grozyashchi-ii vidny gromki "
    "zharki zhivoi zhivuchi zhutki zadorny zvonki zorki"
)
"""Russian ships of 1904 that were not ready when the war began in February."""
WITHOUT_SOURCE = "Razboinik, Dzhigit, Vnimatelny, Vynoslivy, Vnushitelny, Angara"
"""Russian ships of the same audit whose end no source at hand gives."""


def test_no_fleet_of_a_day_has_ships_that_had_left_or_were_not_ready() -> None:
    for navy, ids in GONE.items():
        assert not set(ids.split()) & set(NavyShips(navy).list_ids(1906, "1906-12-01")), navy
    february = NavyShips("russia")
    assert not set(LATER.split()) & set(february.list_ids(1904, "1904-02-08"))
    assert {"orel", "ural", "kamchatka"} <= set(february.list_ids(1904, "1904-02-08", vague=True))
    assert {"oleg", "ural", "kamchatka"} <= set(february.list_ids(1904, "1904"))


def test_a_sister_has_the_service_that_stands_after_her_name(all_ships: Register) -> None:
    tiger = NavyShips("britain").find_ship("tiger", 1904)
    assert tiger is not None
    assert (tiger.name, tiger.serves_until, tiger.ended) == ("Tiger", "1908-04-02", "lost")
    assert "tiger" not in NavyShips("britain").list_ids(1908, "1908-04-03")
    assert tiger.row_name in [ship.row_name for ship in all_ships.find_ships(["tiger", "1908-04-02"])]
    assert not all_ships.find_ships(["britain", "tiger", "1908-04-03"])
    assert read_sister_service("Flirt (to 1916-10-27 lost)") == ("", "1916-10-27", "lost")
    assert read_sister_service("Prytki (ex Sokol) (1895-11 to 1922-09)") == ("1895-11", "1922-09", "")
    assert read_sister_service("Kit (Bditelny)") == ()


def test_every_service_after_a_name_is_a_span_of_dates() -> None:
    for navy, row in read_rows():
        for sister in row["sisters"].split(";"):
            begins, until, ended = read_sister_service(sister) or ("", "1900", "")
            assert read_date(until)
            assert not begins or read_date(begins)
            assert begins[: len(until)] <= until[: len(begins)], (navy, sister)
            assert ended in ("", *ENDS), (navy, sister)
            assert bool(re.search(r"[ (]to \d{4}", sister)) == bool(read_sister_service(sister)), (
                navy,
                sister,
            )


def test_ships_without_a_known_end_are_named_by_check(tmp_path: Path, all_ships: Register) -> None:
    """Detect a doubtful ship that joins a fleet without a word."""
    path = tmp_path / "fleet.toml"
    path.write_text('title = "Russia"\nnavy = "russia"\ndate = "1906-12-01"\n', encoding="utf-8")
    left_out, open_ends = check_file(path, SYSTEMS).warnings
    assert "the day on which they began or ended is not known: khivinets" in left_out
    assert set(WITHOUT_SOURCE.split(", ")) <= set(open_ends.rpartition(": ")[2].split(", "))
    russia = {ship.id: ship for ship in all_ships.find_ships(["russia", "1904-02-08"])}
    assert list(list_signs(russia["razboinik"], "1904-02-08")) == ["~", "?"]
    assert list(list_signs(russia["ural"], "1904-02-08")) == ["/"]
    assert format_service(russia["ural"], "1904-02-08") == "during 1904 to 1905-05-27 lost"
    path.write_text(
        'title = "One"\nnavy = "russia"\ndate = "1906-12-01"\nships = ["slava"]\n', encoding="utf-8"
    )
    assert check_file(path, SYSTEMS).warnings == ()


def test_each_hull_is_one_ship(all_ships: Register) -> None:
    """Detect a refit taken for another ship, and two ships of one name taken for one."""
    hulls: dict[str, set[int]] = {}
    named = {ship.row_name for ship in all_ships.ships}
    for ship in all_ships.ships:
        hulls.setdefault(ship.hull_name, set()).add(ship.launched)
        # Two hulls of one name are distinguished by the later one's year.
        own = re.fullmatch(rf"{ship.row_name}-(18|19)\d\d", ship.hull)
        assert not ship.hull or own or ship.hull in named, ship.id
    assert {hull: years for hull, years in hulls.items() if max(years) - min(years) > 2} == {}


def test_a_hull_serves_under_one_flag_at_a_time(all_ships: Register) -> None:
    flags: dict[str, dict[str, ShipFacts]] = {}
    for ship in all_ships.ships:
        flags.setdefault(ship.hull_name, {})[ship.row_name] = ship
    for hull, ships in flags.items():
        spans = sorted(
            (ship.serves_from or str(ship.completed), ship.serves_until) for ship in ships.values()
        )
        for (_, until), (begins, _) in pairwise(spans):
            assert until, hull
            assert until[: len(begins)] <= begins[: len(until)], hull


def test_every_navy_of_five_years_is_counted() -> None:
    """Detect ships that appear or vanish; `QF_TUI_REGENERATE=1` counts them again."""
    counts = {
        navy: {str(year): len(NavyShips(navy).list_ids(year, str(year))) for year in YEARS}
        for navy in list_navies()
    }
    if os.environ.get("QF_TUI_REGENERATE"):
        COUNTS.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    assert json.loads(COUNTS.read_text(encoding="utf-8")) == counts


def test_help_and_readme_count_the_unknown_dates(all_ships: Register) -> None:
    """Detect outdated numbers on these pages."""
    ships = {ship.row_name: ship for ship in all_ships.ships}
    endless = sum(ship.has_open_end for ship in ships.values())
    every = [row for _, row in read_rows()]
    general = sum(
        all(one.startswith(GENERAL_KNOWLEDGE) for one in row["sources"].split(" | ")) for row in every
    )
    classes = sum(bool(row["sisters"]) for row in every)
    page = " ".join(read_page_source("ships").split())
    sources = {(navy, row["id"]): row["service_source"] for navy, row in read_rows() if row["service_source"]}
    recalled = sum(GENERAL_KNOWLEDGE in source for source in sources.values())
    left = [ship for ship in ships.values() if ship.serves_until and ship.ended not in ("lost", "taken")]
    aged = sum(int(ship.serves_until[:4]) - ship.launched <= OLD_AGE for ship in left)
    assert aged * 10 == pytest.approx(len(left), rel=0.1)
    for text in (
        f"of {len(left):,} ships that were not lost",
        f"for {endless:,} ships of {len(ships):,}",
        f"of {len(sources)} services with a date {recalled} have one from general knowledge",
        f"alone ({general} rows)",
        f"class ({classes} rows)",
    ):
        assert text in page, text
    counts = f"{len(ships):,} ships of {len(list_navies())} navies, {general} rows by general knowledge"
    assert f"{counts}, {classes} for a class" in README.read_text(encoding="utf-8")
