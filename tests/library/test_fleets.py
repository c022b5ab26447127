"""Fleet files: what a card holds, and that all faults of a file are told together."""

from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.library.checking import Checker
from qf_tui.library.faults import FileFaults
from qf_tui.library.fleets import Fleet, load_fleet, read_fleet
from tests.library.sloops import FLEET, SYSTEM, ship, write


def load(folder: Path, text: str) -> Fleet:
    return load_fleet(write(folder, "sloops.toml", text), SYSTEM)


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        load(folder, text)
    told = [str(fault) for fault in caught.value.faults]
    assert str(caught.value).startswith(f"{folder / 'sloops.toml'}: ")
    assert str(caught.value).endswith("\n  ".join(told))
    return told


def test_a_card_is_flat_and_has_every_field(tmp_path: Path) -> None:
    fleet = load(tmp_path, FLEET + ship("wren"))
    assert (fleet.name, fleet.title, fleet.values) == ("sloops", "Sloops of the line", "published")
    assert fleet.card("wren") == {
        "id": "wren",
        "name": "Wren",
        "kind": "sloop",
        "size": 2,
        "gunnery.heavy": 20,
        "gunnery.light": 13,
        "armor.heavy": 11,
        "armor.light": 0.5,
        "torpedo.size": None,
        "torpedo.reload": None,
        "battery": 0,
        "hull.1": None,
        "hull.2": None,
        "hull.3": None,
        "boats": 0,
        "speed": 6.75,
        "protected": False,
        "end_arc": "halved",
        "notes": "",
        "values": "published",
        "attested": "",
    }


def test_parts_tables_words_and_lists_reach_the_card_under_dotted_names(tmp_path: Path) -> None:
    more = (
        'torpedo = { size = 18, reload = 8 }\nhull = [24, 22, 6.5]\nend_arc = "full"\nprotected = true\n'
        'values = "attested"\nnotes = """one\n\ttwo"""\n'
        'attested = ["torpedo", "armour.heavy", "battery.2", "speed"]\n'
        '[[ship.battery]]\nname = "fore"\ncalibre = 12\n'
        '[[ship.battery]]\nname = "aft"\ncalibre = 7.5\narcs = "A"\n'
    )
    card = load(tmp_path, FLEET + ship("wren", more=more)).cards[0]
    assert (card["torpedo.size"], card["torpedo.reload"], card["hull.3"]) == (18, 8, 6.5)
    assert (card["battery"], card["battery.1.name"], card["battery.2.calibre"]) == (2, "fore", 7.5)
    assert (card["battery.1.arcs"], card["end_arc"], card["protected"]) == ("", "full", True)
    assert (card["notes"], card["values"]) == ("one two", "attested")
    assert card["attested"] == (
        "torpedo.size,torpedo.reload,armor.heavy,battery.2.name,battery.2.calibre,battery.2.arcs,speed"
    )


def test_armour_is_another_word_for_armor_but_not_beside_it(tmp_path: Path) -> None:
    british = ship("wren").replace("armor", "armour")
    assert load(tmp_path, FLEET + british).cards[0]["armor.heavy"] == 11
    assert faults(tmp_path, FLEET + ship("wren", more="armour = [1, 1]")) == [
        "ship 1 (wren), armour: armor is given already; strike one of them"
    ]


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        ("boats = 3.7", "boats", "expected a whole number from 0 to 999, found 3.7"),
        ("boats = 4.0", "boats", "expected a whole number"),
        ('boats = "5"', "boats", "found the text “5”"),
        ("boats = true", "boats", "found true"),
        ("boats = -1", "boats", "found -1"),
        ("boats = 1000", "boats", "found 1000"),
        (f"boats = 0x{'f' * 5000}", "boats", "beyond all bounds"),
        ("boats = 1904-08-10", "boats", "a date or time"),
        ("boats = [1]", "boats", "found a list"),
        ("protected = 1", "protected", "expected true or false, found 1"),
        (
            'end_arc = "ful"',
            "end_arc",
            'expected one of "halved", "full", found the text “ful”; did you mean full?',
        ),
        ("hull = [1, 2]", "hull", "expected a list of 3 numbers"),
        ("hull = [1, nan, 3]", "hull.2", "found nan"),
        ("hull = [1, 2, inf]", "hull.3", "found inf"),
        ("torpedo = 18", "torpedo", "expected a table (size, reload), found 18"),
        ("torpedo = { size = 18 }", "torpedo.reload", "is missing"),
        ("torpedo = { size = 17, reload = 8 }", "torpedo.size", "expected 14, 15, 18 or 21, found 17"),
        (
            "torpedo = { size = 18, reload = 8, tubes = 2 }",
            "torpedo.tubes",
            "no such key; known are size, reload",
        ),
        ("boat = 4", "boat", "no such key; did you mean boats?"),
        ('"\\u001b[2J" = 4', "<U+001B>[2J", "no such key"),
        ('attested = ["boat"]', "attested", "no field “boat”; did you mean boats?"),
        ('attested = ["boats", "boats"]', "attested", "more than once"),
        ("attested = [1]", "attested.1", "found 1"),
        ('values = "guessed"', "values", "expected one of"),
        ('battery = ["x"]', "", "ship 1 (wren), battery 1: expected a table"),
        ('[[ship.battery]]\nname = "a"\ncalibre = 99', "", "ship 1 (wren), battery 1 (a), calibre: expected"),
        ("[[ship.battery]]\n" * 5, "battery", "expected at most 4, found 5"),
        ('notes = "a\\u001bb"', "notes", "expected printable text, found U+001B at 2"),
        ('notes = "a\\u202eb"', "notes", "expected printable text"),
        (f'notes = "{"x" * 2001}"', "notes", "at most 2000 characters"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(tmp_path: Path, line: str, place: str, words: str) -> None:
    (fault,) = faults(tmp_path, FLEET + ship("wren", more=line))[:1]
    assert words in fault
    if place:
        assert fault.startswith(f"ship 1 (wren), {place}: ")


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    text = 'ruleset = "sloops"\nvalue = "estimated"\n' + ship("wren", gunnery="[20.5, 13]")
    text += ship("Big Wren") + ship("wren", more="boats = -1") + '\n[[ship]]\nid = "owl"\n'
    assert faults(tmp_path, text) == [
        "value: no such key; did you mean values?",
        "ship 1 (wren), gunnery.heavy: expected a whole number from 0 to 999, found 20.5",
        'ship 2 (Big Wren), id: expected lower case letters a-z, digits and "-", found the text “Big Wren”',
        "ship 3 (wren), boats: expected a whole number from 0 to 999, found -1",
        "ship 4 (owl), name: is missing; expected text in one line",
        "ship 4 (owl), size: is missing; expected a number from 0.25 to 999",
        "ship 4 (owl), gunnery: is missing; expected a list of 2 numbers (heavy, light)",
        "ship 4 (owl), armor: is missing; expected a list of 2 numbers (heavy, light)",
        "ship 4 (owl), speed: is missing; expected a number from 0.25 to 99",
        "ship 3 (wren), id: “wren” is the id of ship 1 already",
    ]


@pytest.mark.parametrize("name", ["[/", "HMS [Red] Lion", "艦 Kongō", "x" * 60, "x" * 120, "[bold]Ra[/]"])
def test_any_printable_name_is_a_ships_name(tmp_path: Path, name: str) -> None:
    assert load(tmp_path, FLEET + ship("wren", name)).cards[0]["name"] == name


@pytest.mark.parametrize("name", ["x" * 121, "a\\u0007b", "a\\nb", "a\\u200bb", "a\\tb", " "])
def test_long_blank_and_unprintable_names_are_refused(tmp_path: Path, name: str) -> None:
    (fault,) = faults(tmp_path, FLEET + ship("wren", name))
    assert ", name: " in fault


def test_five_hundred_ships_are_read_and_no_more(tmp_path: Path) -> None:
    ships = [ship(f"s{number}") for number in range(501)]
    assert len(load(tmp_path, FLEET + "".join(ships[:500])).cards) == 500
    assert faults(tmp_path, FLEET + "".join(ships)) == ["ship: expected at most 500, found 501"]


def test_a_fleet_of_another_system_is_told_so_and_nothing_else(tmp_path: Path) -> None:
    assert faults(tmp_path, 'ruleset = "brigs"\n[[ship]]\nx = 1') == [
        "ruleset: expected “sloops”, found “brigs”"
    ]


def test_a_fleet_without_ships_or_system_is_refused(tmp_path: Path) -> None:
    assert [fault.split(":")[0] for fault in faults(tmp_path, 'title = "x"')] == ["ruleset", "ship"]
    assert len(faults(tmp_path, FLEET + "ship = []")) == 1


def test_many_unknown_keys_are_told_quickly(tmp_path: Path) -> None:
    keys = "".join(f"key{number} = 1\n" for number in range(50_000))
    assert len(faults(tmp_path, keys + FLEET + ship("wren"))) == 50_000


_KEYS = st.sampled_from(
    [
        "ruleset",
        "title",
        "ship",
        "id",
        "name",
        "size",
        "gunnery",
        "armor",
        "armour",
        "torpedo",
        "battery",
        "attested",
    ]
) | st.text(max_size=5)
_PLAIN = st.recursive(
    st.integers() | st.floats() | st.booleans() | st.text(max_size=8) | st.dates() | st.just("sloops"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=25,
)


@given(st.dictionaries(_KEYS, _PLAIN, max_size=6))
def test_no_structure_raises_anything_but_our_own(data: dict[str, Any]) -> None:
    for table in (data, {**data, "ruleset": "sloops"}, {"ruleset": "sloops", "ship": [data, data]}):
        checker = Checker()
        try:
            read_fleet(table, "x", SYSTEM, checker)
        except QfError:
            pytest.fail("faults are gathered, not raised")
        assert checker.faults


@given(st.text(max_size=130), st.integers(), st.floats())
def test_what_is_read_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, name: str, n: int, x: float
) -> None:
    one = {"id": "a", "name": name, "size": 1, "gunnery": [n, 1], "armor": [x, 1], "speed": 4}
    path = tmp_path_factory.mktemp("f") / "f.toml"
    text = tomli_w.dumps({"ruleset": "sloops", "ship": [one]})
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        card = load_fleet(path, SYSTEM).cards[0]
    except FileFaults:
        return
    assert (card["name"], card["gunnery.heavy"], card["armor.heavy"]) == (name, n, x)
