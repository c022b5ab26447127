"""A console killed in the middle of a correction: all of it stands, or none."""

import random
from functools import partial
from pathlib import Path

import pytest

from qf_tui.core.timeline import Timeline, opened
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.session.saves import header_of, rules_by
from tests.core.playing import revise
from tests.corrections.ground import offered
from tests.corrections.long_battles import long_battle
from tests.killing import Tell, killed
from tests.long import Share

SOME, ALL = 4, 80
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
def test_a_correction_stands_whole_or_not_at_all_after_kill_9(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    """Again and again: a process corrects a battle, tells of it only then, and is killed at any moment."""
    chance = random.Random(seed)
    played = long_battle(ENTRIES)
    for round in share.of(range(rounds)):
        path = tmp_path / f"battle-{round // ROUNDS_A_SAVE}.qfb"
        if not path.exists():
            timeline = played
            _save(path, timeline)
        work = partial(_correct_for_ever, path, timeline)
        told = killed(work, chance.randint(1, 3), chance.uniform(0, 0.02))
        save = read_save(path, RULES_OF)
        assert len(timeline.log) <= len(save.log)
        assert int(told[-1]) <= len(save.log)
        while len(timeline.log) < len(save.log):
            timeline = corrected(timeline)
        assert save.log == timeline.log
        assert opened(offered(save.header.start, timeline.start.reserve), save.log).battle == timeline.battle


def _save(path: Path, timeline: Timeline) -> None:
    journal = Journal.create(path, header_of(SYSTEM, timeline.start))
    for act in timeline.log:
        journal.append(act)
    journal.close()


def _correct_for_ever(path: Path, timeline: Timeline, tell: Tell) -> None:
    journal, _ = Journal.open(path, rules_of=RULES_OF)
    tell(0)
    while True:
        revision = revise(timeline, correction_after(timeline), system=SYSTEM)
        journal.append(revision.act)
        timeline = revision.after
        tell(revision.act.number)
