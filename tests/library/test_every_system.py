"""Rule systems found by their entry points, and random changes of the files of each."""

from importlib.metadata import EntryPoint
from importlib.resources import files
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.cli import main
from qf_tui.core.errors import QfError
from qf_tui.core.system import ENTRY_POINTS
from qf_tui.library.check import check_file
from qf_tui.library.paths import find_shipped_folder, read_toml
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import Systems, find_systems, load_usable
from tests.library.mutations import mutate
from tests.systems import BOOKS, find_our_systems, find_systems_and_books
from tests.tiny import SYSTEM

SYSTEMS, EVERY = find_our_systems(), find_systems_and_books()
SCENARIOS = {
    path.stem: read_toml(path)
    for path in sorted((find_shipped_folder("fleets") / "scenarios").glob("*.toml"))
}
FLEETS = {path.stem: read_toml(path) for path in find_shipped_folder("fleets").glob("*.toml")}


CHARTS = {name: read_toml(Path(str(files(one.charts[0]) / one.charts[1]))) for name, one in SYSTEMS.items()}
EVERYBODYS = [
    name
    for name, scenario in SCENARIOS.items()
    if not any("ruleset" in FLEETS.get(side.get("fleet", ""), {}) for side in scenario["side"])
]
"""Scenarios whose ships belong to no rule system."""


def _write_changed(folder: Path, name: str, random: Random, times: int) -> Path:
    """Write a scenario, its fleets and an overlay of the shipped charts, one of them changed."""
    rules = SCENARIOS[name]["ruleset"]
    charts = {"chart": CHARTS[rules]} if rules in CHARTS else {}
    scenario = {**SCENARIOS[name], **({"charts": "chart.toml"} if charts else {})}
    fleets = {side["fleet"]: FLEETS[side["fleet"]] for side in scenario["side"] if "fleet" in side}
    scenario["side"] = [
        {**side, "fleet": f"{side['fleet']}.toml"} if "fleet" in side else side for side in scenario["side"]
    ]
    documents = {"battle": scenario, **charts, **fleets}
    spoilt = random.choice(sorted(documents))
    for stem, document in documents.items():
        sound = mutate(document, random, times) if stem == spoilt else document
        (folder / f"{stem}.toml").write_bytes(tomli_w.dumps(sound).encode("utf-8", "surrogatepass"))
    return folder / "battle.toml"


@pytest.mark.parametrize("name", SCENARIOS)
@settings(max_examples=settings().max_examples // 5)
@given(lot=st.integers(0, 2**32), times=st.integers(1, 4))
def test_a_changed_file_gives_a_message_or_does_no_harm(
    tmp_path_factory: pytest.TempPathFactory, name: str, lot: int, times: int
) -> None:
    """Detect a file of any system that ends in a traceback, and one that only one reader accepts."""
    folder = tmp_path_factory.mktemp("files")
    path = _write_changed(folder, name, Random(lot), times)
    told = {file.name: check_file(file, EVERY) for file in folder.glob("*.toml")}
    if told["battle.toml"].faults:
        assert any(_is_refused(path, rules) for rules in ("", *EVERY))
        return
    for rules in ("", *_list_named_systems(path)):
        system, battle = load_scenario(path, EVERY, rules)
        for ship in battle.ships.values():
            assert system.report(battle, ship)


def _is_refused(path: Path, rules: str) -> bool:
    try:
        load_scenario(path, EVERY, rules)
    except QfError:
        return True
    return False


def _list_named_systems(path: Path) -> list[str]:
    """List the rule systems that a scenario has values for, as far as it can be read."""
    try:
        said = read_toml(path).get("for")
    except QfError:
        return []
    return [name for name in said if name in EVERY] if isinstance(said, dict) else []


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", EVERYBODYS)
def test_a_battle_of_no_rule_system_is_played_by_all_of_them(name: str, system: str) -> None:
    rules, battle = load_scenario(name, SYSTEMS, system)
    assert rules.name == system
    for ship in battle.ships.values():
        assert rules.report(battle, ship)


def _make_systems(**points: str) -> Systems:
    return Systems(lambda: {name: EntryPoint(name, value, ENTRY_POINTS) for name, value in points.items()})


def test_a_broken_system_blocks_no_other() -> None:
    """Detect a half-installed package that keeps every battle from opening."""
    systems = _make_systems(tiny="tests.tiny:SYSTEM", broken="tests.no_such_module:SYSTEM")
    assert systems["tiny"] is SYSTEM
    assert list(load_usable(systems)) == ["tiny", *BOOKS]
    with pytest.raises(QfError, match=r"broken .* cannot be loaded"):
        systems["broken"]
    told: list[str] = []
    assert list(load_usable(systems, told.append)) == ["tiny", *BOOKS]
    assert len(told) == 1


def test_a_system_that_exits_as_it_is_loaded_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving_rules.py").write_text("import sys\nsys.exit(7)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    systems = _make_systems(tiny="tests.tiny:SYSTEM", leaving="leaving_rules:SYSTEM")
    assert list(load_usable(systems)) == ["tiny", *BOOKS]
    with pytest.raises(QfError, match=r"leaving .* cannot be loaded: SystemExit: 7"):
        systems["leaving"]


@pytest.mark.parametrize("values", list(permutations(("qf_tui.rules.gq2:SYSTEM", "strange:SYSTEM"))))
def test_of_two_systems_with_one_name_the_other_author_s_is_to_go(
    values: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Detect a message that has the umpire uninstall the program's own rules."""
    points = [EntryPoint("gq2", value, ENTRY_POINTS) for value in values]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    with pytest.raises(QfError, match="two rule systems are called gq2; uninstall the package of strange:"):
        list(find_systems())


@pytest.mark.parametrize("command", [["ratings"], ["ships", "mikasa"], ["ships", "mikasa", "--json"]])
def test_lists_of_all_systems_omit_a_broken_one(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    points = {"quickfire": "qf_tui.rules.quickfire:SYSTEM", "broken": "tests.no_such_module:SYSTEM"}
    for module in ("qf_tui.cli.opening", "qf_tui.features.shipyard.command"):
        monkeypatch.setattr(f"{module}.find_systems", lambda: _make_systems(**points))
    assert main(command) == 0
    said = capsys.readouterr()
    assert "quickfire" in said.out.lower()
    assert "rule system broken (tests.no_such_module:SYSTEM) cannot be loaded" in said.err


def test_a_system_with_another_name_than_its_entry_point_is_refused() -> None:
    with pytest.raises(QfError, match="is called tiny"):
        _make_systems(other="tests.tiny:SYSTEM")["other"]


def test_installed_systems_are_known_by_name_before_they_are_loaded() -> None:
    systems = find_systems()
    assert "advanced-quickfire" in systems
    assert "no-such-rules" not in systems
    assert len(systems) == len(list(systems))
    assert systems["advanced-quickfire"] is systems["advanced-quickfire"]
