"""A console killed in the middle of its work: what it acknowledged is in the save."""

import random
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from tests.journal.making import entries, entry, saved
from tests.killing import Tell, killed
from tests.long import Share

SOME, ALL = 6, 100
ROUNDS_A_SAVE = 10


@pytest.mark.parametrize("rounds", [SOME, pytest.param(ALL, marks=pytest.mark.long)])
def test_no_acknowledged_entry_is_lost_to_kill_9(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    """Again and again: a process appends and tells each number only then, and is killed at any moment."""
    chance = random.Random(seed)
    for round in share.of(range(rounds)):
        path = tmp_path / f"battle-{round // ROUNDS_A_SAVE}.jsonl"
        before = path.read_bytes() if path.exists() else saved(path)
        told = killed(partial(_append_for_ever, path), chance.randint(0, 4), chance.uniform(0, 0.03))
        save = read_save(path)
        assert path.read_bytes().startswith(before[: len(before) - len(save.torn)])
        assert len(save.log) >= int(told[-1] if told else 0)
        assert save.log == entries(len(save.log))
        journal, opened = Journal.open(path)
        assert journal.writable
        assert opened.log == save.log
        journal.close()


def _append_for_ever(path: Path, tell: Tell) -> None:
    journal, save = Journal.open(path)
    for number in count(len(save.log) + 1):
        journal.append(entry(number))
        tell(number)
