"""`qf-tui run`, set-ups, branches, charts killed in the middle: what was told is there, all of it whole."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from qf_tui.core.verify import differences
from qf_tui.journal.reading import is_save, read_save
from qf_tui.journal.saving import copy_save
from qf_tui.library.charts import load_overlay
from qf_tui.library.drafts import Draft, DraftPlace, FleetShip, ShelfFleet
from qf_tui.library.fleets import load_fleet
from qf_tui.library.paths import HOME, own
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.settings import keep_cell, own_chart
from qf_tui.library.writers import write
from qf_tui.session import Session
from qf_tui.session.new_save import begin_on_shelf
from tests.killing import Tell, killed
from tests.long import Share
from tests.systems import our_systems

SYSTEMS = our_systems()
SYSTEM = SYSTEMS["advanced-quickfire"]
SOME, ALL = 3, 110
ROUNDS_A_SAVE = 5
FILE_SOME, FILE_ALL = 4, 150
WAITING = 300
"""Orders that are in the pipe when a script is killed: none of them makes it wait."""
COLUMNS = [str(number) for number in range(1, 13)]
RESULTS = ("-", "1", "2", "3")


def _orders(acts: int) -> Iterator[str]:
    """Orders and corrections for ever, behind so many acts; the first two are notes."""
    for number in count(acts + 1):
        kind = number % 7
        if number > 7 and kind in (3, 4, 5):
            yield ("undo", "redo", f"amend 1 note so {number}")[kind - 3]
        else:
            yield f"note {number}"


@pytest.mark.parametrize("rounds", [SOME, pytest.param(ALL, marks=pytest.mark.long)])
def test_a_script_killed_at_any_moment_loses_nothing_that_was_answered(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    chance = random.Random(seed)
    battle = "rulebook-examples"
    for round in share.of(range(rounds)):
        save = tmp_path / f"{round}.qfb"
        before = read_save(battle).log if is_save(battle) else ()
        told = _killed_script(battle, save, len(before), chance.randint(1, 9), chance.uniform(0, 0.05))
        log = read_save(save).log
        assert log[: len(before)] == before
        assert len(log) >= told
        session = Session.resume(save, SYSTEMS)
        assert session.writable
        assert not differences(SYSTEM, session.timeline, session.program)
        session.enter("note it goes on")
        session.close()
        battle = str(save) if round % ROUNDS_A_SAVE else "rulebook-examples"


def _killed_script(battle: str, save: Path, acts: int, least: int, seconds: float) -> int:
    """The last entry that a script was told of before it was killed."""
    command = [sys.executable, "-m", "qf_tui", "run", battle, "--save", str(save), "--json"]
    told = [0]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        orders = _orders(acts)
        for number in range(least + WAITING):
            run.stdin.write(f"{next(orders)}\n".encode())
            run.stdin.flush()
            if number < least:
                told.append(json.loads(run.stdout.readline()).get("entry", 0))
        time.sleep(seconds)
        run.kill()
        told += [json.loads(line).get("entry", 0) for line in run.stdout.readlines()]
    assert len(told) > least
    return max(told)


@pytest.mark.parametrize("rounds", [FILE_SOME, pytest.param(FILE_ALL, marks=pytest.mark.long)])
def test_set_ups_branches_and_charts_killed_at_any_moment_are_whole(
    tmp_path: Path, rounds: int, seed: int, share: Share, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a short branch with sound checksums, half a scenario, and a chart that lost its cells."""
    chance = random.Random(seed)
    for round in share.of(range(rounds)):
        if round % ROUNDS_A_SAVE == 0:
            monkeypatch.setenv(HOME, str(tmp_path / str(round)))
        least = chance.randint(0, 8)
        told = killed(partial(_write_for_ever, round), least, chance.uniform(0, 0.05))
        cells = load_overlay(own_chart(SYSTEM), SYSTEM) if own_chart(SYSTEM).exists() else {}
        for word in told:
            kind, _, rest = word.partition(" ")
            if kind == "cell":
                assert rest in cells["battery"].rows["200"].cells
            else:
                assert Path(rest).is_file()
        _check_all_whole()


def _write_for_ever(round: int, tell: Tell) -> None:
    chance = random.Random(round)
    draft = Draft.begun(SYSTEM)
    draft = draft.put(FleetShip(ShelfFleet("japan-1904"), "mikasa"), DraftPlace(0))
    draft = draft.put(FleetShip(ShelfFleet("rulebook-examples"), "mikasa"), DraftPlace(0))
    draft = draft.put(FleetShip(ShelfFleet("russia-pacific-1904"), "tsesarevich"), DraftPlace(1))
    for number in count():
        column = COLUMNS[number % len(COLUMNS)]
        keep_cell(SYSTEM, ("battery", "200", column), chance.choice(RESULTS))
        tell(f"cell {column}")
        scenario = write(draft, SYSTEMS)
        tell(f"scenario {scenario}")
        session = begin_on_shelf(SYSTEM, load_scenario(scenario, SYSTEMS)[1], f"killed-{round}")
        for act in range(1, 4):
            session.enter(f"note {act}")
        session.close()
        save = session.journal.path
        assert save is not None
        branch = save.with_name(f"{save.stem}-branch-2.qfb")
        copy_save(save, branch, 2)
        tell(f"branch {branch}")


def _check_all_whole() -> None:
    """Nothing that is there is half there."""
    for scenario in own("scenarios").glob("*.toml"):
        assert len(load_scenario(scenario, SYSTEMS)[1].ships) == 3
    for fleet in own("scenarios").glob("*/*.toml"):
        assert load_fleet(fleet, SYSTEM).cards
    for save in own("saves").glob("*.qfb"):
        # Killed as its header is written, it is not yet a save of anything that was entered.
        if b"\n" in save.read_bytes():
            read = read_save(save)
            assert len(read.log) == 2 if save.stem.endswith("-branch-2") else len(read.log) <= 3
            assert not read.short
        else:
            assert save.stat().st_size == 0 or "branch" not in save.stem
