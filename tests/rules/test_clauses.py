"""Each clause of each rule system is shown by a test, and each clause that the source cites exists."""

import re
from pathlib import Path

import pytest

from qf_tui.core.system import RuleSystem
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()
TESTS = Path(__file__).parent
MARK = re.compile(r"mark\.clause\(([^)]*)\)")
CLAUSE = re.compile(r'"([A-Z0-9]+(?:-[A-Z0-9]+)+)"')
EXAMPLES = {"AQF": 16, "QF": 4}
"""Worked examples of the sources, by the prefix of their clauses."""


def find_prefix(system: RuleSystem) -> str:
    """Return the prefix of a system's clauses, as AQF."""
    return next(iter(system.clauses)).partition("-")[0]


def find_marked() -> set[str]:
    """Find every clause that a test names in its mark."""
    found: set[str] = set()
    for path in TESTS.rglob("*.py"):
        for named in MARK.findall(path.read_text(encoding="utf-8")):
            found.update(CLAUSE.findall(named))
    return found


def read_source(system: RuleSystem) -> str:
    """Read all Python text of a system's folder."""
    package = __import__(system.charts[0], fromlist=["__path__"])
    folder = Path(package.__path__[0])
    return "\n".join(
        path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")) if path.name != "clauses.py"
    )


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_clause_has_a_test(name: str) -> None:
    assert sorted(set(SYSTEMS[name].clauses) - find_marked()) == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_worked_example_has_a_test(name: str) -> None:
    begun = find_prefix(SYSTEMS[name])
    wanted = {f"{begun}-EX-{number}" for number in range(1, EXAMPLES.get(begun, 0) + 1)}
    assert sorted(wanted - find_marked()) == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_clause_that_a_test_or_the_source_names_exists(name: str) -> None:
    clauses, begun = set(SYSTEMS[name].clauses), find_prefix(SYSTEMS[name])
    marks = {clause for clause in find_marked() if clause.startswith(f"{begun}-") and "-EX-" not in clause}
    assert sorted(marks - clauses) == []
    cited = set(re.findall(rf'"({begun}-(?!EX-)[A-Z]+-\d+)"', read_source(SYSTEMS[name])))
    assert cited
    assert sorted(cited - clauses) == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_switches_and_fields_cite_clauses_that_exist(name: str) -> None:
    system = SYSTEMS[name]
    cited = {option.clause for option in system.options} | {
        field.clause for field in system.fields if field.clause
    }
    assert sorted(cited - set(system.clauses)) == []
