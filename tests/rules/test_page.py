"""The small system on the page for authors: taken from the page, installed, checked and played."""

import ast
from pathlib import Path
from textwrap import dedent

import pytest

import qf_tui.rules
from qf_tui.cli import main
from qf_tui.core.system import RuleSystem
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session

FIRST = "    '''Skiff"
LAST = "    SYSTEM = Skiff()"
LINES_MOST = 82

FLEET, SCENARIO = ("A fleet for it", "And a scenario"), ("And a scenario", "Rules that work cards out")
"""Words of the page between which the two files are."""


def read_page() -> str:
    """Read the page for authors."""
    text = ast.get_docstring(ast.parse(Path(qf_tui.rules.__file__).read_text(encoding="utf-8")), clean=False)
    assert text is not None
    return text


def extract_source() -> str:
    """Extract the system from the page."""
    shown = read_page()[read_page().index(FIRST) : read_page().index(LAST) + len(LAST)]
    return dedent(shown) + "\n"


def extract_file(first: str, last: str) -> str:
    """Extract the file between two sentences of the page."""
    lines = read_page()[read_page().index(first) : read_page().index(last)].splitlines()
    return dedent("\n".join(line for line in lines if line.startswith("    ")))


@pytest.fixture
def pond(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the system as a package and write its scenario."""
    (tmp_path / "skiff.py").write_text(extract_source(), encoding="utf-8")
    package = tmp_path / "skiff-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: skiff\nVersion: 1.0\n", encoding="utf-8")
    (package / "entry_points.txt").write_text("[qf_tui.rules]\nskiff = skiff:SYSTEM\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "boats.toml").write_text(extract_file(*FLEET), encoding="utf-8")
    scenario = tmp_path / "pond.toml"
    scenario.write_text(extract_file(*SCENARIO), encoding="utf-8")
    return scenario


def open_session(scenario: Path) -> Session:
    return Session.begin(*load_scenario(scenario, find_systems()))


def read_planks(session: Session) -> dict[str, object]:
    return {
        id: session.system.report(session.battle, ship)["planks"] for id, ship in session.battle.ships.items()
    }


def test_the_shown_system_is_small() -> None:
    lines = [line for line in extract_source().splitlines() if line.strip()]
    assert len(lines) <= LINES_MOST
    assert max(map(len, lines)) <= 110


def test_the_shown_system_is_found_and_plays_a_battle(pond: Path) -> None:
    session = open_session(pond)
    assert isinstance(session.system, RuleSystem)
    assert [(entry.ship, entry.order) for entry in session.system.may_act(session.battle)] == [
        ("ant", "fire"),
        ("bee", "fire"),
    ]
    session.enter("fire ant bee")
    assert [owed.prompt for owed in session.battle.owed] == ["Ant at Bee"]
    assert [entry.ship for entry in session.system.may_act(session.battle)] == ["bee"]
    session.enter("roll 6")
    assert read_planks(session) == {"ant": 2, "bee": 1}
    bee = session.battle.ships["bee"]
    shown = [
        (span.text, span.tone) for span in session.system.cell(session.battle, bee, session.system.columns[0])
    ]
    assert shown == [("2", ""), ("/", "slash"), (" 1", "")]
    session.enter("next")
    assert [owed.line for owed in session.battle.owed] == ["bail"]
    session.enter("roll 2")
    assert session.battle.ships["bee"].status == "sunk"
    assert session.system.ended(session.battle) == "Red has no ship left in the battle: it may end here"


def test_an_old_shot_is_amended_with_its_consequences(pond: Path) -> None:
    session = open_session(pond)
    for order in ("fire ant bee 6", "next", "roll 2"):
        session.enter(order)
    changed = session.enter("amend 1 3").consequences
    assert changed.spare == (3,)
    assert (read_planks(session), session.battle.ships["bee"].status) == ({"ant": 2, "bee": 2}, "afloat")
    session.enter("amend 1 fire ant bee 5")
    assert read_planks(session) == {"ant": 2, "bee": 1}


def test_every_command_knows_the_shown_system(pond: Path, capsys: pytest.CaptureFixture[str]) -> None:
    orders = pond.with_suffix(".orders")
    orders.write_text("fire ant bee 6\nnext\nroll 5\n", encoding="utf-8")
    said = {}
    for name, arguments in {
        "check": ["check", str(pond), str(pond.with_name("boats.toml"))],
        "run": ["run", str(pond), "--orders", str(orders)],
        "odds": ["odds", str(pond), "fire ant bee"],
        "rules": ["rules", "SK-2"],
        "charts": ["charts", "skiff"],
        "options": ["options", "skiff"],
        "schema": ["schema", "fleet", "skiff"],
        "simulate": ["simulate", str(pond), "-n", "20", "--jobs", "1", "--seed", "1"],
    }.items():
        status = main(arguments)
        said[name] = capsys.readouterr().out
        assert status == 0, (name, said[name])
    assert "Ant 6: hits Bee" in said["run"]
    assert "hits  50.00%" in said["odds"]
    assert "A hit costs a plank" in said["rules"]


def test_the_shown_system_has_no_size(pond: Path) -> None:
    system = find_systems()["skiff"]
    assert "size" not in {field.name for field in system.card}
    assert "size" not in load_scenario(pond, {"skiff": system})[1].ships["ant"].card
