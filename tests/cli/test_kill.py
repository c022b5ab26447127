"""Processes ended from outside: every reported act is saved whole, and no process is left."""

import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

from qf_tui.core.verify import list_differences
from qf_tui.features.editor.drafts import Draft, DraftPlace
from qf_tui.features.editor.writers import write_draft
from qf_tui.features.report.work import WORKERS_FROM
from qf_tui.journal.reading import is_save, read_save
from qf_tui.journal.saving import copy_save, write_save
from qf_tui.library.charts import load_overlay
from qf_tui.library.declared import FleetShip, FleetSource
from qf_tui.library.fleets import load_fleet
from qf_tui.library.own_charts import add_own_cell, find_own_chart
from qf_tui.library.paths import HOME_VARIABLE, find_own_folder
from qf_tui.library.scenarios import load_scenario
from qf_tui.session import Session
from qf_tui.session.saves import build_header
from qf_tui.session.session import begin_on_shelf
from tests.features.board.served import run_board
from tests.features.report.battles import load_golden
from tests.killing import Tell, run_until_killed
from tests.long import Share
from tests.posix import KILL, POSIX
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()
SYSTEM = SYSTEMS["advanced-quickfire"]
SOME, ALL = 2, 110
ROUNDS_A_SAVE = 5
FILE_SOME, FILE_ALL = 4, 150
WAITING = 300
"""Orders in the pipe when a script is killed, so that it never waits for one."""
COLUMNS = [str(number) for number in range(1, 13)]
RESULTS = ("-", "1", "2", "3")


def _list_orders(acts: int) -> Iterator[str]:
    """Yield orders and corrections without end, after `acts` earlier ones; the first two are notes."""
    for number in count(acts + 1):
        kind = number % 7
        if number > 7 and kind in (3, 4, 5):
            yield ("undo", "redo", f"amend 1 note so {number}")[kind - 3]
        else:
            yield f"note {number}"


@pytest.mark.parametrize("rounds", [SOME, pytest.param(ALL, marks=pytest.mark.long)])
def test_a_killed_script_loses_no_answered_entry(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    chance = random.Random(seed)
    battle = "rulebook-examples"
    for round in share.take(range(rounds)):
        save = tmp_path / f"{round}.qfb"
        before = read_save(battle).log if is_save(battle) else ()
        told = _kill_script(battle, save, len(before), chance.randint(1, 9), chance.uniform(0, 0.05))
        log = read_save(save).log
        assert log[: len(before)] == before
        assert len(log) >= told
        session = Session.resume(save, SYSTEMS)
        assert session.writable
        assert not list_differences(SYSTEM, session.timeline, session.program)
        session.enter("note it goes on")
        session.close()
        battle = str(save) if round % ROUNDS_A_SAVE else "rulebook-examples"


def _kill_script(battle: str, save: Path, acts: int, least: int, seconds: float) -> int:
    """Kill a script, and return the last entry that it had answered."""
    command = [sys.executable, "-m", "qf_tui", "run", battle, "--save", str(save), "--json"]
    told = [0]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        orders = _list_orders(acts)
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
    """Detect a short branch with valid checksums, half a scenario, and a chart that lost its cells."""
    chance = random.Random(seed)
    for round in share.take(range(rounds)):
        if round % ROUNDS_A_SAVE == 0:
            monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / str(round)))
        least = chance.randint(0, 8)
        told = run_until_killed(partial(_write_for_ever, round), least, chance.uniform(0, 0.05))
        cells = load_overlay(find_own_chart(SYSTEM), SYSTEM) if find_own_chart(SYSTEM).exists() else {}
        for word in told:
            kind, _, rest = word.partition(" ")
            if kind == "cell":
                assert rest in cells["battery"].rows["200"].cells
            else:
                assert Path(rest).is_file()
        _check_whole_files()


def _write_for_ever(round: int, tell: Tell) -> None:
    chance = random.Random(round)
    draft = Draft.begin(SYSTEM)
    draft = draft.put_ship(FleetShip(FleetSource("japan-1904"), "mikasa"), DraftPlace(0))
    draft = draft.put_ship(FleetShip(FleetSource("rulebook-examples"), "mikasa"), DraftPlace(0))
    draft = draft.put_ship(FleetShip(FleetSource("russia-pacific-1904"), "tsesarevich"), DraftPlace(1))
    for number in count():
        column = COLUMNS[number % len(COLUMNS)]
        add_own_cell(SYSTEM, ("battery", "200", column), chance.choice(RESULTS))
        tell(f"cell {column}")
        scenario = write_draft(draft, SYSTEMS)
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


def _check_whole_files() -> None:
    """Check that every file is complete."""
    for scenario in find_own_folder("scenarios").glob("*.toml"):
        assert len(load_scenario(scenario, SYSTEMS)[1].ships) == 3
    for fleet in find_own_folder("scenarios").glob("*/*.toml"):
        assert load_fleet(fleet, SYSTEM).cards
    for save in find_own_folder("saves").glob("*.qfb"):
        # A file killed while its header is written holds no entry yet.
        if b"\n" in save.read_bytes():
            read = read_save(save)
            assert len(read.log) == 2 if save.stem.endswith("-branch-2") else len(read.log) <= 3
            assert not read.lacks_acts
        else:
            assert save.stat().st_size == 0 or "branch" not in save.stem


tells_of_processes = pytest.mark.skipif(
    not POSIX or not Path("/proc/self/task").exists(), reason="the system does not tell of its processes"
)

PATIENCE = 60.0
"""Seconds for work of one or two, however busy the machine is."""


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a long evening that several processes replay for seconds."""
    system, timeline = load_golden("yellow-sea-1904")
    path = tmp_path_factory.mktemp("ended") / "battle.qfb"
    write_save(path, build_header(system, timeline.start), timeline.log)
    session = Session.resume(path, find_our_systems())
    for number in range(WORKERS_FROM - len(timeline.play_order)):
        session.enter(f"note {number}")
    session.close()
    return path


def list_descendants(process: int) -> dict[int, str]:
    """List the descendants of a process, with their command lines."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    found, left = {}, [process]
    while left:
        for child in children.get(left.pop(), ()):
            found[child] = read_command_line(child)
            left.append(child)
    return found


def read_command_line(process: int) -> str:
    """Read the command line of a process; "" if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def wait_for(condition: Callable[[], bool]) -> bool:
    """Return whether a condition becomes true in time."""
    until = time.monotonic() + PATIENCE
    while not (came := condition()) and time.monotonic() < until:
        time.sleep(0.02)
    return came


def wait_for_workers(process: int) -> dict[int, str]:
    """Wait for the workers of a process, and return all its descendants."""
    assert wait_for(lambda: any("spawn_main" in command for command in list_descendants(process).values()))
    return list_descendants(process)


def are_ended(processes: dict[int, str]) -> bool:
    return not any(command and read_command_line(one) == command for one, command in processes.items())


@tells_of_processes
@pytest.mark.parametrize(
    ("work", "ended_by"),
    [
        ("report", KILL),
        pytest.param("report", signal.SIGTERM, marks=pytest.mark.long),
        ("simulate", signal.SIGTERM),
    ],
)
def test_workers_end_with_their_parent(work: str, ended_by: signal.Signals, save: Path) -> None:
    """Detect workers, and Python's helper processes, that wait forever for a dead parent."""
    more = {"report": (str(save),), "simulate": (str(save), "-n", "100000", "--jobs", "2")}[work]
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "qf_tui", work, *more]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=writing, stderr=writing) as process:
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            begun = wait_for_workers(process.pid)
            process.send_signal(ended_by)
            assert process.wait(PATIENCE) == -ended_by
            assert wait_for(lambda: are_ended(begun))
            # Each process holds this pipe, so it ends with the last one.
            while said := select.select([pipe], [], [], PATIENCE)[0] and os.read(reading, 1 << 16):
                pass
            assert said == b""


@tells_of_processes
@pytest.mark.parametrize("ended_by", [KILL, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_the_report_of_a_board_ends_with_the_board(ended_by: signal.Signals, save: Path) -> None:
    with run_board(save, "--switch", "at-once") as board:
        asking = Thread(target=board.request, args=(board.build_path("report"),), daemon=True)
        asking.start()
        begun = wait_for_workers(board.process.pid)
        assert any("--under-board" in command for command in begun.values())
        board.process.send_signal(ended_by)
        board.process.wait(PATIENCE)
        assert wait_for(lambda: are_ended(begun))
        asking.join(PATIENCE)
