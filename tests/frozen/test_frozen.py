"""Every output of `freezing` is byte for byte what it was."""

import difflib
from pathlib import Path

import pytest

from tests.frozen.freezing import FROZEN, OUT, Make, everything, regenerating

pytestmark = FROZEN

WIDTH = "120"


@pytest.fixture(autouse=True)
def _a_plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", WIDTH)


def compare(file: str, now: bytes) -> None:
    """Fails with the lines that differ."""
    path = OUT / file
    if regenerating():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(now)
    was = path.read_bytes() if path.exists() else b""
    if now != was:
        before, after = (text.decode("utf-8", "replace").splitlines() for text in (was, now))
        lines = [line[:300] for line in difflib.unified_diff(before, after, lineterm="", n=1)]
        raise AssertionError("\n".join([f"{file} is another", *lines[:40]]))


EVERYTHING = dict(everything())


@pytest.mark.parametrize("file", EVERYTHING)
def test_what_a_person_reads_is_as_it_was(file: str, tmp_path: Path) -> None:
    make: Make = EVERYTHING[file]
    compare(file, make(tmp_path))


def test_every_frozen_file_is_made() -> None:
    screens = {path for path in OUT.rglob("*.txt") if path.parent.name == "screens"}
    held = {str(path.relative_to(OUT)) for path in OUT.rglob("*") if path.is_file() and path not in screens}
    assert held == set(EVERYTHING)
