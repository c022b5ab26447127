"""The sources' sentences by id: each has its clause, its kind and the test that shows it.

One CSV file for a document; the sentences themselves stand in no file of ours. A sentence that can be read in
several ways has a row for each switch.
"""

import ast
import csv
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from attrs import frozen

from tests.rules.test_clauses import EXAMPLES
from tests.systems import find_our_systems

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
COLUMNS = ["id", "clause", "kind", "topic", "test"]
KINDS = ("engine", "prompt", "switch", "not-ours")
"""Judged by the rules, told to people, read as a switch has it, or no rule of a battle."""
SHOWN = ("engine", "switch")
"""The kinds whose test carries the mark of the clause."""
TOPIC_MOST = 6

SYSTEMS = find_our_systems()
DOCUMENTS: Mapping[str, tuple[str, ...]] = {
    "advanced-quickfire": ("advanced-quickfire-movement", "advanced-quickfire-guns", "chart-guide"),
    "quickfire": ("quickfire",),
    "quickfire-clone": ("quickfire-clone",),
    "gq2": ("gq2",),
}
"""The files that hold all sentences of a system between them."""
OURS_ALONE = ("-CHA-", "-CRW-")
"""Clauses of how the console treats charts, and of crews: no sentence of a source stands behind them."""
FILES = sorted(HERE.glob("*.csv"))
COMPLETE = [name for name, documents in DOCUMENTS.items() if {*documents} <= {path.stem for path in FILES}]
"""The systems whose files are all there."""


@frozen
class Sentence:
    """One row: where it stands, and what is known of the sentence."""

    place: str
    id: str
    clauses: tuple[str, ...]
    kind: str
    topic: str
    test: str


@cache
def sentences(path: Path) -> tuple[Sentence, ...]:
    """The rows of a document; a row with other columns fails at once."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file, strict=True))
    assert lines[0] == COLUMNS, f"{path.name}: its columns are {','.join(COLUMNS)}"
    found = []
    for number, line in enumerate(lines[1:], 2):
        place = f"{path.name}:{number}"
        assert len(line) == len(COLUMNS), f"{place}: {len(line)} columns"
        id, clauses, kind, topic, test = line
        assert all(text == text.strip() for text in line), f"{place}: blanks around a value"
        found.append(Sentence(place, id, tuple(clauses.split()), kind, topic, test))
    return tuple(found)


@cache
def known_clauses() -> frozenset[str]:
    """All clauses of our systems, and the worked examples of their sources."""
    clauses = {clause for system in SYSTEMS.values() for clause in system.clauses}
    examples = {f"{begun}-EX-{number}" for begun, most in EXAMPLES.items() for number in range(1, most + 1)}
    return frozenset(clauses | examples)


@cache
def marks_in(path: str) -> Mapping[str, frozenset[str]]:
    """The tests of a file by name, each with the clauses that it is marked with."""
    file = ROOT / path
    if not file.is_file():
        return {}
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return {
        each.name: frozenset(chain.from_iterable(map(_marked, each.decorator_list)))
        for each in found
        if each.name.startswith("test_")
    }


def _marked(decorator: ast.expr) -> list[str]:
    """The clauses of a mark; none for any other decorator."""
    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.clause":
        return [str(clause.value) for clause in decorator.args if isinstance(clause, ast.Constant)]
    return []


def fault(row: Sentence) -> str:
    """What is wrong with a row, or nothing."""
    unknown = [clause for clause in row.clauses if clause not in known_clauses()]
    path, _, name = row.test.partition("::")
    ours = row.kind != "not-ours"
    marks = marks_in(path).get(name) if row.test else None
    if not row.id:
        return "no id"
    if row.kind not in KINDS:
        return f"no kind {row.kind}: {', '.join(KINDS)}"
    if not 0 < len(row.topic.split()) <= TOPIC_MOST:
        return f"a topic is one to {TOPIC_MOST} words of our own"
    if unknown or (ours and not row.clauses):
        return f"no clause {', '.join(unknown)}".strip()
    if marks is None and (ours or row.test):
        return f"no test {row.test}".strip()
    if row.kind in SHOWN and not set(row.clauses) & (marks or set()):
        return f"{name} is not marked with {' or '.join(row.clauses)}"
    return ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_sentence_has_its_clause_and_its_test(path: Path) -> None:
    """Catches a clause or test that is gone or renamed, an id used twice, and a sentence copied out."""
    rows = sentences(path)
    assert rows
    assert [id for id, times in Counter(row.id for row in rows).items() if times > 1] == []
    assert [f"{row.place} {row.id}: {found}" for row in rows if (found := fault(row))] == []


@pytest.mark.parametrize("name", COMPLETE)
def test_each_clause_is_that_of_a_sentence(name: str) -> None:
    """Catches a clause that no sentence of its source is known for."""
    rows = (row for document in DOCUMENTS[name] for row in sentences(HERE / f"{document}.csv"))
    named = {clause for row in rows for clause in row.clauses}
    others = [clause for clause in SYSTEMS[name].clauses if not any(ours in clause for ours in OURS_ALONE)]
    assert [clause for clause in others if clause not in named] == []


OTHER = "tests/rules/test_clauses.py::test_every_clause_has_a_test"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (Sentence("", "", ("QFC-GUN-9",), "engine", "odd", ""), "no id"),
        (Sentence("", "X-1", ("QFC-GUN-9",), "rule", "odd", ""), "no kind rule"),
        (Sentence("", "X-1", ("QFC-GUN-99",), "engine", "odd", ""), "no clause QFC-GUN-99"),
        (Sentence("", "X-1", ("QFC-GUN-9",), "engine", "one two three four five six seven", ""), "a topic"),
        (Sentence("", "X-1", ("QFC-GUN-9",), "prompt", "odd", ""), "no test"),
        (Sentence("", "X-1", ("QFC-GUN-9",), "prompt", "odd", "tests/no.py::test_it"), "no test tests/no.py"),
        (Sentence("", "X-1", ("QFC-GUN-9",), "switch", "odd", OTHER), "test_every_clause_has_a_test is not"),
        (Sentence("", "X-1", ("QFC-GUN-9",), "prompt", "odd", OTHER), ""),
        (Sentence("", "X-1", (), "not-ours", "good wishes", ""), ""),
    ],
)
def test_a_row_that_says_what_is_not_so_is_found(row: Sentence, told: str) -> None:
    """Catches a reader of these files that takes everything."""
    assert bool(fault(row)) is bool(told)
    assert fault(row).startswith(told)
