"""The files of every rule system, anything in them changed: what is wrong is told, or the battle begins."""

from importlib.resources import files
from pathlib import Path
from random import Random

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.library.check import check
from qf_tui.library.paths import read_toml, shipped
from qf_tui.library.scenarios import load_scenario
from tests.library.mutations import Document, changed
from tests.systems import our_systems

SYSTEMS = our_systems()
SCENARIOS = {path.stem: read_toml(path) for path in sorted((shipped("fleets") / "scenarios").glob("*.toml"))}
FLEETS = {path.stem: read_toml(path) for path in shipped("fleets").glob("*.toml")}


def _charts(system: str) -> Document:
    package, file = SYSTEMS[system].charts
    return read_toml(Path(str(files(package) / file)))


CHARTS = {name: _charts(name) for name in SYSTEMS}


EVERYBODYS = [
    name
    for name, scenario in SCENARIOS.items()
    if not any("ruleset" in FLEETS.get(side.get("fleet", ""), {}) for side in scenario["side"])
]
"""The scenarios whose ships are of no rule system."""


def _written(folder: Path, name: str, random: Random, times: int) -> Path:
    """A scenario with its fleets and our charts as its overlay, one of these files changed."""
    scenario = {**SCENARIOS[name], "charts": "chart.toml"}
    fleets = {side["fleet"]: FLEETS[side["fleet"]] for side in scenario["side"] if "fleet" in side}
    scenario["side"] = [
        {**side, "fleet": f"{side['fleet']}.toml"} if "fleet" in side else side for side in scenario["side"]
    ]
    documents = {"battle": scenario, "chart": CHARTS[scenario["ruleset"]], **fleets}
    spoilt = random.choice(sorted(documents))
    for stem, document in documents.items():
        sound = changed(document, random, times) if stem == spoilt else document
        (folder / f"{stem}.toml").write_bytes(tomli_w.dumps(sound).encode("utf-8", "surrogatepass"))
    return folder / "battle.toml"


@pytest.mark.parametrize("name", SCENARIOS)
@settings(max_examples=settings().max_examples // 5)
@given(lot=st.integers(0, 2**32), times=st.integers(1, 4))
def test_any_change_of_a_file_is_told_in_words_or_does_no_harm(
    tmp_path_factory: pytest.TempPathFactory, name: str, lot: int, times: int
) -> None:
    """Catches a file of any system that ends in a traceback, and one that is sound to one door only."""
    folder = tmp_path_factory.mktemp("files")
    path = _written(folder, name, Random(lot), times)
    told = {file.name: check(file, SYSTEMS) for file in folder.glob("*.toml")}
    if told["battle.toml"].faults:
        assert any(_refused(path, rules) for rules in ("", *SYSTEMS))
        return
    for rules in ("", *_spoken_of(path)):
        system, battle = load_scenario(path, SYSTEMS, rules)
        for ship in battle.ships.values():
            assert system.report(battle, ship)


def _refused(path: Path, rules: str) -> bool:
    try:
        load_scenario(path, SYSTEMS, rules)
    except QfError:
        return True
    return False


def _spoken_of(path: Path) -> list[str]:
    """The rule systems that a scenario says something for, as far as it can be read."""
    try:
        said = read_toml(path).get("for")
    except QfError:
        return []
    return [name for name in said if name in SYSTEMS] if isinstance(said, dict) else []


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", EVERYBODYS)
def test_a_battle_of_no_rule_system_is_played_by_all_of_them(name: str, system: str) -> None:
    rules, battle = load_scenario(name, SYSTEMS, system)
    assert rules.name == system
    for ship in battle.ships.values():
        assert rules.report(battle, ship)
