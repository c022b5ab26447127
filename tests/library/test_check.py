"""Any file: refused before it is read, or recognized by its contents."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from attrs import frozen

from qf_tui.core.declarations import declare_key, list_keys
from qf_tui.library import paths
from qf_tui.library.check import CHART, FLEET, KINDS, SAVE, SCENARIO, WEIGHTS, build_schema, check_file
from qf_tui.library.faults import (
    WHOLE_FILE,
    Checker,
    Fault,
    Faults,
    FileFaults,
    format_faults,
    make_printable,
    raise_faults,
    structure,
    unstructure,
)
from qf_tui.library.paths import BYTES_MOST, find_shipped_folder, parse_toml, read_toml
from tests.library import sloops
from tests.library.mutations import list_places
from tests.library.sloops import SYSTEM, SYSTEMS, format_sloop, write
from tests.posix import make_pipe
from tests.systems import find_our_systems


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"title = \xff\xfe", "line 1", "UTF-8"),
        (b"a = 1\nb = \n", "line 2, column 5", "not TOML"),
        (b"a = 1\na = 2\n", "line 2, column 6", "not TOML"),
        (b'a = "\x1b[2J"', "line 1, column 6", "not TOML"),
        (b"a = " + b"[" * 10_000, "", "nested too deep"),
        (b"a = " + b"{b = " * 10_000, "", "nested too deep"),
        (b"\na = " + b"9" * 5_000, "line 2", "a number of 5,000 digits"),
        (b"\n" + b"a." * 5_000 + b"a = 1", "line 2", "dots"),
    ],
)
def test_invalid_toml_is_refused_with_its_place(data: bytes, place: str, words: str) -> None:
    with pytest.raises(FileFaults) as caught:
        parse_toml(data, "x.toml")
    (fault,) = caught.value.faults
    assert fault.place == place
    assert words in fault.text


def test_a_byte_order_mark_and_line_ends_of_windows_are_accepted() -> None:
    assert parse_toml(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n", "x.toml") == {"a": 1, "b": 2}


def test_a_file_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(60_000_000)
    with pytest.raises(FileFaults, match=f"60,000,000 bytes; at most {BYTES_MOST:,}"):
        read_toml(path)


def test_a_path_without_a_file_is_refused_at_once(tmp_path: Path) -> None:
    make_pipe(tmp_path / "pipe")
    for path, words in (
        (tmp_path / "none.toml", "no such file"),
        (tmp_path, "not a file"),
        (tmp_path / "pipe", "not a file"),
        (tmp_path / ("x" * 400), "cannot be read|no such file"),
        (tmp_path / "a\0b", "no such file"),
    ):
        with pytest.raises(FileFaults, match=words):
            read_toml(path)


def test_every_fault_has_its_place(tmp_path: Path) -> None:
    one = FileFaults("a.toml", [Fault("ship 1", "odd"), Fault("", "empty")])
    two = FileFaults("b.toml", [Fault("side 1", "gone")])
    assert str(one) == "a.toml: 2 faults\n  ship 1: odd\n  empty"
    assert format_faults(Faults([one, two])) == (*one.lines, *two.lines)
    assert (one.lines[0], two.lines) == ("a.toml: 2 faults", ("b.toml: side 1: gone",))
    assert str(Faults([one, two])) == f"{one}\nb.toml: side 1: gone"
    with pytest.raises(FileFaults) as caught:
        raise_faults({"a.toml": one.faults, "b.toml": ()})
    assert caught.value.file == "a.toml"
    with pytest.raises(Faults) as several:
        raise_faults({"a.toml": one.faults, "b.toml": two.faults})
    assert several.value.faults == (*one.faults, *two.faults)


def test_a_message_is_always_printable() -> None:
    assert make_printable("a\x1b[2Jb") == "a<U+001B>[2Jb"
    assert make_printable("x" * 100, 5) == "xxxxx…"


SHOT = 'ruleset = "sloops"\n[[table]]\nname = "shot"\n[[table.row]]\nname = "100"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(
    ("text", "kind", "faults", "warnings"),
    [
        (sloops.FLEET + format_sloop("wren"), FLEET, 0, 0),
        (sloops.FLEET + format_sloop("wren", more="boats = 1.5\nx = 1"), FLEET, 2, 0),
        (sloops.FLEET + format_sloop("wren", more="boats = 13"), FLEET, 1, 0),
        (sloops.FLEET + format_sloop("wren", more="boats = 12"), FLEET, 0, 1),
        ('ruleset = "sloops"\n[[side]]\nname = "a"\nfleet = "z.toml"', SCENARIO, 0, 1),
        ('ruleset = "brigs"\n[[ship]]', FLEET, 1, 0),
        ('ruleset = "sloops"\n[[side]]\nname = "a"\nfleet = "x.toml"', SCENARIO, 0, 0),
        ('ruleset = "sloops"\n[[side]]\nname = "a"\nfleet = "y.toml"', SCENARIO, 1, 0),
        (SHOT + 'cells = { "1" = "miss" }', CHART, 0, 1),
        (SHOT + 'cells = { "1" = "mess" }', CHART, 1, 1),
        ('{"format": 1}\nanything', SAVE, 0, 0),
        ('title = "what?"', "", 1, 0),
        ("title = ", "", 1, 0),
        ("", "", 1, 0),
    ],
)
def test_a_file_is_recognized_by_its_contents(
    folder: Path, text: str, kind: str, faults: int, warnings: int
) -> None:
    write(folder, "x.toml", sloops.FLEET + format_sloop("wren"))
    write(folder, "z.toml", sloops.FLEET + format_sloop("wren", more="boats = 12"))
    checked = check_file(write(folder, "any.toml", text), SYSTEMS)
    assert (checked.kind, len(checked.faults), len(checked.warnings)) == (kind, faults, warnings)


def _list_objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from _list_objects(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _list_objects(inner)


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_plain_json_and_allows_no_other_keys(kind: str) -> None:
    made = json.loads(json.dumps(build_schema(kind, SYSTEM)))
    assert made["properties"]["ruleset"]["const"] == "sloops"
    for node in _list_objects(made):
        if node.get("type") == "object" and "properties" in node:
            # Values for a rule system that is not installed are not checked.
            assert node["additionalProperties"] in (False, {"type": "object"})


def test_the_shelf_lists_the_users_own_first_despite_faulty_files(folder: Path) -> None:
    write(folder / "home" / "fleets", "zebra.toml", 'title = "Stripes"')
    write(folder / "home" / "fleets", "broken.toml", "title = ")
    write(folder / "home" / "fleets", "odd.toml", 'title = ["x"]')
    own = [(one.name, one.title) for one in paths.list_shelf("fleets") if one.own]
    assert own == [("broken", "broken"), ("odd", "odd"), ("zebra", "Stripes")]
    assert [one.own for one in paths.list_shelf("fleets")] == sorted(
        (one.own for one in paths.list_shelf("fleets")), reverse=True
    )


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("[gq2]\nhull = 2\n[quickfire]", 0),
        ("[gq2]\nhull = -2\nmast = 1\n[quickfire]\nspeed = 1e9\n[brigs]", 4),
    ],
)
def test_weights_are_recognized_and_checked_by_their_rule_systems(
    folder: Path, text: str, faults: int
) -> None:
    checked = check_file(write(folder, "worth.toml", text), find_our_systems())
    assert (checked.kind, len(checked.faults)) == (WEIGHTS, faults)


@pytest.mark.parametrize("name", ["..", "a/../../b", "x" * 5000, "a\0b", "", "/", "~"])
def test_a_strange_name_is_just_not_found(name: str, folder: Path) -> None:
    assert paths.find_file("fleets", name, folder) is None
    assert "no fleet" in paths.format_missing_file("fleets", name)


@pytest.mark.parametrize("value", [True, "x", [7]], ids=repr)
@pytest.mark.parametrize("name", ["scenarios/pungdo-1894", "frigates-1811"])
def test_a_wrong_value_anywhere_in_a_file_is_only_a_fault(name: str, value: object, tmp_path: Path) -> None:
    """Detect a value that is used before its type is checked."""
    sound = read_toml(find_shipped_folder("fleets") / f"{name}.toml")
    systems, path = find_our_systems(), tmp_path / "file.toml"
    for place in range(len(list_places(sound))):
        document = deepcopy(sound)
        node, key = list_places(document)[place]
        node[key] = value
        path.write_text(tomli_w.dumps(document), encoding="utf-8")
        assert all(file.faults for file in check_file(path, systems).faulty_files)


@frozen
class Harbour:
    """A table declared by a class."""

    name: str = declare_key("id", "its name", required=True)
    depth: float | None = declare_key("number", "feet", most=90)
    quays: int = declare_key("int", "how many", 2)
    ships: tuple[str, ...] = declare_key("texts", "those in it")


@frozen
class Coast:
    """A file declared by a class."""

    open: bool = declare_key("bool", "no boom")
    harbour: tuple[Harbour, ...] = declare_key("tables", "its harbours", parts=list_keys(Harbour))


@pytest.mark.parametrize(
    ("data", "coast", "faults"),
    [
        ({}, Coast(), ()),
        (
            {"open": True, "harbour": [{"name": "kure", "depth": 30, "ships": ["mikasa"]}]},
            Coast(open=True, harbour=(Harbour("kure", 30, 2, ("mikasa",)),)),
            (),
        ),
        (
            {"open": 1, "harbour": [{"quays": 3.7, "dock": 1}, {"name": "kure", "depth": "deep"}]},
            Coast(harbour=(Harbour(), Harbour("kure"))),
            (
                "open: expected true or false, found 1",
                "harbour 1, dock: no such key; known keys: name, depth, quays, ships",
                'harbour 1, name: is missing; expected one word of lower case letters a-z, digits and "-"',
                "harbour 1, quays: expected a whole number from 0 to 999, found 3.7",
                "harbour 2 (kure), depth: expected a number from 0 to 90, found the text “deep”",
            ),
        ),
    ],
)
def test_a_class_declares_a_table_and_is_built_from_its_valid_values(
    data: dict[str, object], coast: Coast, faults: tuple[str, ...]
) -> None:
    checker = Checker()
    read = checker.check_table(data, list_keys(Coast), WHOLE_FILE)
    assert structure(read, Coast) == coast
    assert [*map(str, checker.faults)] == [*faults]
    assert structure(unstructure(coast), Coast) == coast


def test_a_value_is_written_without_its_default_keys() -> None:
    coast = Coast(harbour=(Harbour("kure", 30, 2, ("mikasa",)), Harbour("sasebo", quays=0)))
    table = tomli_w.dumps(unstructure(coast))
    assert parse_toml(table.encode(), "coast") == {
        "harbour": [{"name": "kure", "depth": 30, "ships": ["mikasa"]}, {"name": "sasebo", "quays": 0}]
    }
