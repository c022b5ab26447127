"""The sentences of the sources by id: each has a clause, a kind and a test.

Each document has a CSV file; the sentences themselves are in no file of the program. A sentence with several
readings has a row for each switch.
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
"""Judged by the rules, shown to people, read by a switch, or no rule of a battle."""
SHOWN = ("engine", "switch")
"""Kinds whose test is marked with the clause."""
TOPIC_MOST = 6

SYSTEMS = find_our_systems()
DOCUMENTS: Mapping[str, tuple[str, ...]] = {
    "advanced-quickfire": ("advanced-quickfire-movement", "advanced-quickfire-guns", "chart-guide"),
    "quickfire": ("quickfire",),
    "quickfire-clone": ("quickfire-clone",),
    "gq2": ("gq2",),
}
"""Files that together hold all sentences of a system."""
OURS_ALONE = ("-CHA-", "-CRW-")
"""Clauses without a source: how the console treats charts, and crews."""
FILES = sorted(HERE.glob("*.csv"))
COMPLETE = [name for name, documents in DOCUMENTS.items() if {*documents} <= {path.stem for path in FILES}]
"""Systems whose files are all present."""


@frozen
class Sentence:
    """A row: its place and the facts about a sentence."""

    place: str
    id: str
    clauses: tuple[str, ...]
    kind: str
    topic: str
    test: str


@cache
def read_sentences(path: Path) -> tuple[Sentence, ...]:
    """Read the rows of a document; fail on other columns."""
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
def list_clauses() -> frozenset[str]:
    """List all clauses of the systems, and the worked examples of their sources."""
    clauses = {clause for system in SYSTEMS.values() for clause in system.clauses}
    examples = {f"{begun}-EX-{number}" for begun, most in EXAMPLES.items() for number in range(1, most + 1)}
    return frozenset(clauses | examples)


@cache
def read_marks(path: str) -> Mapping[str, frozenset[str]]:
    """Read the tests of a file by name, each with the clauses of its mark."""
    file = ROOT / path
    if not file.is_file():
        return {}
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return {
        each.name: frozenset(chain.from_iterable(map(_read_clauses, each.decorator_list)))
        for each in found
        if each.name.startswith("test_")
    }


def _read_clauses(decorator: ast.expr) -> list[str]:
    """Read the clauses of a mark; other decorators have none."""
    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.clause":
        return [str(clause.value) for clause in decorator.args if isinstance(clause, ast.Constant)]
    return []


def find_fault(row: Sentence) -> str:
    """Return the fault of a row, or ""."""
    unknown = [clause for clause in row.clauses if clause not in list_clauses()]
    path, _, name = row.test.partition("::")
    ours = row.kind != "not-ours"
    marks = read_marks(path).get(name) if row.test else None
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
    """Detect a missing clause or test, an id used twice, and a sentence copied out."""
    rows = read_sentences(path)
    assert rows
    assert [id for id, times in Counter(row.id for row in rows).items() if times > 1] == []
    assert [f"{row.place} {row.id}: {found}" for row in rows if (found := find_fault(row))] == []


@pytest.mark.parametrize("name", COMPLETE)
def test_each_clause_has_a_sentence(name: str) -> None:
    """Detect a clause without a sentence of its source."""
    rows = (row for document in DOCUMENTS[name] for row in read_sentences(HERE / f"{document}.csv"))
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
def test_a_wrong_row_is_found(row: Sentence, told: str) -> None:
    """Detect a reader of these files that accepts everything."""
    assert bool(find_fault(row)) is bool(told)
    assert find_fault(row).startswith(told)
