"""A console killed in the middle of a correction: all of it stands, or none."""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from qf_tui.core.timeline import Timeline, opened
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.session.open_save import rules_by
from qf_tui.session.session import header_of
from tests.core.playing import revise
from tests.corrections.ground import offered
from tests.corrections.long_battles import long_battle

SOME, ALL = 12, 80
ROUNDS_A_SAVE = 6
ENTRIES = 150

RULES_OF = rules_by({SYSTEM.name: SYSTEM})


def correction_after(timeline: Timeline) -> str:
    """The correction that is made next: an entry anywhere is struck or restored, or has other dice."""
    number = 1 + len(timeline.log) * 37 % ENTRIES
    if number not in timeline.in_force:
        return f"restore {number}"
    dice = timeline.versions[number].dice
    if dice and len(timeline.log) % 2:
        return f"amend {number} {' '.join(str(face % 12 + 1) for face in dice)}"
    return f"strike {number}"


def corrected(timeline: Timeline) -> Timeline:
    return revise(timeline, correction_after(timeline), system=SYSTEM).after


@pytest.mark.parametrize("rounds", [SOME, pytest.param(ALL, marks=pytest.mark.long)])
def test_a_correction_stands_whole_or_not_at_all_after_kill_9(tmp_path: Path, rounds: int, seed: int) -> None:
    """Again and again: a process corrects a battle, tells of it only then, and is killed at any moment."""
    chance = random.Random(seed)
    played = long_battle(ENTRIES)
    told_in_all = 0
    for round in range(rounds):
        path = tmp_path / f"battle-{round // ROUNDS_A_SAVE}.qfb"
        if not path.exists():
            timeline = played
            _save(path, timeline)
        told = _killed_while_correcting(path, timeline, chance.randint(0, 2), chance.uniform(0, 0.02))
        save = read_save(path, RULES_OF)
        assert len(timeline.log) <= len(save.log)
        assert told <= len(save.log)
        while len(timeline.log) < len(save.log):
            timeline = corrected(timeline)
        assert save.log == timeline.log
        assert opened(offered(save.header.start, timeline.start.reserve), save.log).battle == timeline.battle
        told_in_all += told > 0
    assert told_in_all > rounds // 8, "killed too soon to have corrected anything"


def _save(path: Path, timeline: Timeline) -> None:
    journal = Journal.create(path, header_of(SYSTEM, timeline.start))
    for act in timeline.log:
        journal.append(act)
    journal.close()


def _killed_while_correcting(path: Path, timeline: Timeline, least: int, seconds: float) -> int:
    """The last act that a process told before it was killed; that was so long after its first few."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        _correct_for_ever(path, timeline, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.readline() == b"0\n", "the save was not opened"
        told = [pipe.readline().strip() for _ in range(least)]
        time.sleep(seconds)
        os.kill(process, signal.SIGKILL)
        told += pipe.read().split(b"\n")[:-1]
    _, status = os.waitpid(process, 0)
    assert os.WIFSIGNALED(status), "the correcting process ended by itself"
    return int(told[-1]) if told else 0


def _correct_for_ever(path: Path, timeline: Timeline, writing: int) -> None:
    """In the process to be killed; it leaves only by `_exit`, so that no test goes on in two processes."""
    try:
        journal, _ = Journal.open(path, rules_of=RULES_OF)
        os.write(writing, b"0\n")
        while True:
            revision = revise(timeline, correction_after(timeline), system=SYSTEM)
            journal.append(revision.act)
            timeline = revision.after
            os.write(writing, b"%d\n" % revision.act.number)
    finally:
        os._exit(1)
