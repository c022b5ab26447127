"""A console killed in the middle of its work: what it acknowledged is in the save."""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from tests.journal.making import entries, entry, saved

SOME, ALL = 15, 100
ROUNDS_A_SAVE = 10


@pytest.mark.parametrize("rounds", [SOME, pytest.param(ALL, marks=pytest.mark.long)])
def test_no_acknowledged_entry_is_lost_to_kill_9(tmp_path: Path, rounds: int, seed: int) -> None:
    """Again and again: a process appends and tells each number only then, and is killed at any moment."""
    chance = random.Random(seed)
    told_in_all = 0
    for round in range(rounds):
        path = tmp_path / f"battle-{round // ROUNDS_A_SAVE}.jsonl"
        before = path.read_bytes() if path.exists() else saved(path)
        told = _killed_while_appending(path, chance.randint(0, 4), chance.uniform(0, 0.03))
        save = read_save(path)
        assert path.read_bytes().startswith(before[: len(before) - len(save.torn)])
        assert len(save.log) >= told
        assert save.log == entries(len(save.log))
        told_in_all += max(told, 0)
        journal, opened = Journal.open(path)
        assert journal.writable
        assert opened.log == save.log
        journal.close()
    assert told_in_all > rounds


def _killed_while_appending(path: Path, least: int, seconds: float) -> int:
    """The last number that a process told before it was killed; that was so long after its first few."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        _append_for_ever(path, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = [pipe.readline().strip() for _ in range(least)]
        time.sleep(seconds)
        os.kill(process, signal.SIGKILL)
        told += pipe.read().split(b"\n")[:-1]
    _, status = os.waitpid(process, 0)
    assert os.WIFSIGNALED(status), "the appending process ended by itself"
    return int(told[-1]) if told else 0


def _append_for_ever(path: Path, writing: int) -> None:
    """In the process to be killed; it leaves only by `_exit`, so that no test goes on in two processes."""
    try:
        journal, save = Journal.open(path)
        number = len(save.log)
        while True:
            number += 1
            journal.append(entry(number))
            os.write(writing, b"%d\n" % number)
    finally:
        os._exit(1)
