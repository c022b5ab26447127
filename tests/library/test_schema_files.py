"""The schema named in the first line of each shipped TOML file, and those next to the user's files.

`QF_TUI_REGENERATE=1` rewrites the schemas and the first lines of the shipped files.
"""

import json
import os
from importlib.resources import files
from pathlib import Path

import pytest
import tomli_w

from qf_tui.cli import main
from qf_tui.features.editor.drafts import Draft
from qf_tui.features.editor.writers import write_draft
from qf_tui.features.shipyard.cards import find_own_fleet, write_fleet
from qf_tui.library.books import KIND as RULES
from qf_tui.library.check import (
    CHART,
    FLEET,
    FOLDER,
    KINDS,
    SCENARIO,
    find_shipped_schemas,
    format_schema,
    format_schema_line,
    format_schema_name,
    install_schemas,
)
from qf_tui.library.declared import FleetShip, FleetSource
from qf_tui.library.own_charts import add_own_cell
from qf_tui.library.paths import find_own_folder, find_shipped_folder, read_toml
from tests.systems import BOOKS, find_our_systems, find_systems_and_books

SYSTEMS = find_systems_and_books()
CHARTS = [
    Path(str(files(package) / name)) for package, name in (one.charts for one in find_our_systems().values())
]
OURS = {
    FLEET: sorted(find_shipped_folder("fleets").glob("*.toml")),
    SCENARIO: sorted(find_shipped_folder("scenarios").glob("*.toml")),
    CHART: sorted(CHARTS),
}
EVERY = [(kind, path) for kind, paths in OURS.items() for path in paths]
NAMED = [(kind, name) for kind in KINDS for name in (*SYSTEMS, *([""] if kind == FLEET else []))]
NAMED = [(kind, name) for kind, name in NAMED if kind != CHART or name not in BOOKS]
NAMED.append((RULES, ""))


def find_schema(kind: str, ruleset: str) -> Path:
    return find_shipped_schemas(kind, SYSTEMS.get(ruleset)) / format_schema_name(kind, ruleset)


@pytest.mark.parametrize(("kind", "ruleset"), NAMED)
def test_shipped_schemas_equal_the_output_of_the_command(
    kind: str, ruleset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Detect a key that is allowed in files but unknown to editors."""
    path, text = find_schema(kind, ruleset), format_schema(kind, ruleset, SYSTEMS)
    if os.environ.get("QF_TUI_REGENERATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
    assert main(["schema", "overlay" if kind == CHART else kind, *filter(None, [ruleset])]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(text)


@pytest.mark.parametrize(("kind", "path"), EVERY, ids=[path.stem for _, path in EVERY])
def test_each_shipped_file_names_its_schema_in_its_first_line(kind: str, path: Path) -> None:
    wanted = format_schema_line(kind, str(read_toml(path).get("ruleset", "")))
    if os.environ.get("QF_TUI_REGENERATE"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text(
            "".join([wanted, *(line for line in lines if "#:schema" not in line)]), encoding="utf-8"
        )
    with path.open(encoding="utf-8") as file:
        first = file.readline()
    assert first == wanted
    assert (path.parent / first.partition(" ")[2].strip()).is_file()


def test_no_shipped_schema_is_unused() -> None:
    folders = {find_schema(kind, ruleset).parent for kind, ruleset in NAMED}
    found = {path for folder in folders for path in folder.iterdir()}
    assert found == {find_schema(kind, ruleset) for kind, ruleset in NAMED}


def test_schemas_are_put_next_to_the_users_files(home: Path) -> None:
    made = install_schemas(SYSTEMS)
    assert {path.relative_to(home).as_posix() for path in made} >= {
        f"fleets/{FOLDER}/fleet.json",
        f"scenarios/{FOLDER}/scenario-gq2.json",
        f"charts/{FOLDER}/chart-gq2.json",
    }
    for (kind, ruleset), path in zip(NAMED, made, strict=True):
        assert path.read_text(encoding="utf-8") == format_schema(kind, ruleset, SYSTEMS)


def find_named_schema(path: Path) -> Path:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("#:schema ")
    return path.parent / first.partition(" ")[2]


def test_written_files_name_an_existing_schema(home: Path) -> None:
    """Detect a file made on a screen or from a spreadsheet that no editor can complete."""
    system = SYSTEMS["advanced-quickfire"]
    fleet = find_own_fleet("my-book")
    write_fleet({"ruleset": system.name, "ship": []}, fleet, SYSTEMS)
    chart = add_own_cell(system, ("gunnery", "1", "1"), "H")
    draft = Draft.begin(system)
    for side, ships in enumerate((("mikasa", "asahi"), ("tsesarevich", "retvizan"))):
        for ship in ships:
            name = "japan-1904" if ship in ("mikasa", "asahi") else "russia-pacific-1904"
            draft = draft.put_ship(
                FleetShip(FleetSource(name), ship), next(p for p in draft.places if p.side == side)
            )
    scenario = write_draft(draft, SYSTEMS)
    for path in (fleet, chart, scenario):
        assert find_named_schema(path).is_file(), path
    assert (
        find_named_schema(scenario)
        == find_own_folder("scenarios") / FOLDER / "scenario-advanced-quickfire.json"
    )
    assert tomli_w.dumps(read_toml(fleet)) == 'ruleset = "advanced-quickfire"\nship = []\n'
