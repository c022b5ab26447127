"""Any file told by what it holds, the schemas, the shelf and the installed systems."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.library import paths
from qf_tui.library.check import CHART, FLEET, KINDS, SAVE, SCENARIO, WEIGHTS, check, schema
from tests.library import sloops
from tests.library.sloops import SYSTEM, SYSTEMS, ship, write
from tests.systems import our_systems

SHOT = 'ruleset = "sloops"\n[[table]]\nname = "shot"\n[[table.row]]\nname = "100"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(paths.HOME, str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(
    ("text", "kind", "faults", "warnings"),
    [
        (sloops.FLEET + ship("wren"), FLEET, 0, 0),
        (sloops.FLEET + ship("wren", more="boats = 1.5\nx = 1"), FLEET, 2, 0),
        (sloops.FLEET + ship("wren", more="boats = 13"), FLEET, 1, 0),
        (sloops.FLEET + ship("wren", more="boats = 12"), FLEET, 0, 1),
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
def test_a_file_is_told_by_what_it_holds(
    folder: Path, text: str, kind: str, faults: int, warnings: int
) -> None:
    write(folder, "x.toml", sloops.FLEET + ship("wren"))
    write(folder, "z.toml", sloops.FLEET + ship("wren", more="boats = 12"))
    checked = check(write(folder, "any.toml", text), SYSTEMS)
    assert (checked.kind, len(checked.faults), len(checked.warnings)) == (kind, faults, warnings)


def test_a_file_that_is_not_there_is_a_fault(folder: Path) -> None:
    assert "no such file" in str(check(folder / "none.toml", SYSTEMS).files[0])
    assert "not a file" in str(check(folder, SYSTEMS).files[0])


@given(data=st.binary() | st.text().map(str.encode))
def test_no_bytes_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.toml"
    path.write_bytes(data)
    check(path, SYSTEMS)


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from _objects(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _objects(inner)


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_plain_json_and_allows_no_other_keys(kind: str) -> None:
    made = json.loads(json.dumps(schema(kind, SYSTEM)))
    assert made["properties"]["ruleset"]["const"] == "sloops"
    for node in _objects(made):
        if node.get("type") == "object" and "properties" in node:
            # What a file says for a rule system that is not installed is not looked into.
            assert node["additionalProperties"] in (False, {"type": "object"})


def test_a_schema_says_what_the_checker_says() -> None:
    one: Any = schema("fleet", SYSTEM)
    one = one["properties"]["ship"]
    assert one["maxItems"] == 500
    fields = one["items"]["properties"]
    assert fields["boats"] == {
        "description": "boats",
        "type": "integer",
        "minimum": 0,
        "maximum": 999,
        "default": 0,
    }
    assert fields["armour"] == fields["armor"]
    assert fields["torpedo"]["properties"]["size"]["enum"] == [14, 15, 18, 21]
    assert fields["torpedo"]["required"] == ["size", "reload"]
    assert fields["gunnery"]["maxItems"] == 2
    scenario: Any = schema("scenario", SYSTEM)
    assert scenario["properties"]["options"]["properties"]["drift"]["enum"] == ["no", "yes"]
    with pytest.raises(QfError, match="expected one of fleet, scenario, chart"):
        schema("save", SYSTEM)


def test_the_shelf_lists_the_users_own_first_and_bears_with_faulty_files(folder: Path) -> None:
    write(folder / "home" / "fleets", "zebra.toml", 'title = "Stripes"')
    write(folder / "home" / "fleets", "broken.toml", "title = ")
    write(folder / "home" / "fleets", "odd.toml", 'title = ["x"]')
    own = [(one.name, one.title) for one in paths.listed("fleets") if one.own]
    assert own == [("broken", "broken"), ("odd", "odd"), ("zebra", "Stripes")]
    assert [one.own for one in paths.listed("fleets")] == sorted(
        (one.own for one in paths.listed("fleets")), reverse=True
    )


def test_ours_lie_in_the_package_or_beside_it() -> None:
    assert paths.shipped("fleets").name == "fleets"
    assert paths.shipped("scenarios").parent == paths.shipped("fleets")


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("[gq2]\nhull = 2\n[quickfire]", 0),
        ("[gq2]\nhull = -2\nmast = 1\n[quickfire]\nspeed = 1e9\n[brigs]", 4),
    ],
)
def test_weights_are_told_by_their_rule_systems_and_judged_by_all(
    folder: Path, text: str, faults: int
) -> None:
    checked = check(write(folder, "worth.toml", text), our_systems())
    assert (checked.kind, len(checked.faults)) == (WEIGHTS, faults)


def test_values_of_a_rule_system_that_are_no_table_are_a_fault(folder: Path) -> None:
    """Catches a traceback where a number stands in place of the table."""
    text = 'navy = "japan"\nyear = 1904\nships = ["mikasa"]\n[[ship]]\nid = "asahi"\n[ship.for]\ngq2 = 3\n'
    (fault,) = check(write(folder, "f.toml", text), our_systems()).faults
    assert str(fault) == "ship 1 (asahi), for.gq2: expected a table, found 3"


@pytest.mark.parametrize("name", ["..", "a/../../b", "x" * 5000, "a\0b", "", "/", "~"])
def test_a_strange_name_is_just_not_found(name: str, folder: Path) -> None:
    assert paths.find("fleets", name, folder) is None
    assert "no fleet" in paths.missing("fleets", name)


def test_installed_systems_go_by_the_name_that_files_use() -> None:
    assert all(name == system.name for name, system in our_systems().items())
