"""One console writes to a save; whoever only looks whether it is held never keeps another from it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from qf_tui.journal.disk import Lock, alone, is_held
from qf_tui.journal.saving import Journal
from tests.journal.making import saved

ROUNDS, LOOKERS = 20, 3


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "battle.qfb"
    saved(path, 1)
    return path


@pytest.fixture
def looked_at(path: Path) -> Iterator[None]:
    """A save that several others look at all the time."""
    done = Event()

    def look() -> None:
        while not done.is_set():
            is_held(path)

    with ThreadPoolExecutor(LOOKERS) as lookers:
        for _ in range(LOOKERS):
            lookers.submit(look)
        yield
        done.set()


@pytest.mark.usefixtures("looked_at")
def test_who_looks_at_a_save_keeps_nobody_from_writing_to_it(path: Path) -> None:
    """Catches a console that is read-only because another one was just drawing its list of saves."""
    for _ in range(ROUNDS):
        journal, _ = Journal.open(path)
        assert journal.writable
        journal.close()


def test_a_save_is_held_from_opening_to_closing(path: Path) -> None:
    assert not is_held(path)
    journal, _ = Journal.open(path)
    assert is_held(path)
    journal.close()
    assert not is_held(path)


def test_who_cannot_have_a_file_alone_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.journal.disk.PATIENCE", 0.02)
    other = Lock(path)
    assert other.take() == ""
    with pytest.raises(OSError, match="another console"), alone(path):
        pass
    other.release()
    with alone(path):
        assert is_held(path)
