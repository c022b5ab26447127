"""Work that is ended from outside: none of the processes that it began is left."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from qf_tui.journal.saving import write_save
from qf_tui.report.workers import MANY
from qf_tui.session import Session
from qf_tui.session.saves import header_of
from tests.analysis.battles import golden
from tests.board.served import served
from tests.systems import our_systems

if not Path("/proc/self/task").exists():
    pytest.skip("the system does not tell of its processes", allow_module_level=True)

PATIENCE = 60.0
"""Seconds for what takes one or two, however busy the machine is."""


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening that several processes work out, for seconds."""
    system, timeline = golden("yellow-sea-1904")
    path = tmp_path_factory.mktemp("ended") / "battle.qfb"
    write_save(path, header_of(system, timeline.start), timeline.log)
    session = Session.resume(path, our_systems())
    for number in range(MANY - len(timeline.play_order)):
        session.enter(f"note {number}")
    session.close()
    return path


def below(process: int) -> dict[int, str]:
    """The processes that a process has begun, and those that they have, with their command lines."""
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
            found[child] = commanded(child)
            left.append(child)
    return found


def commanded(process: int) -> str:
    """The command line of a process; "" if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def waited_for(what: Callable[[], bool]) -> bool:
    """Whether something comes about."""
    until = time.monotonic() + PATIENCE
    while not (came := what()) and time.monotonic() < until:
        time.sleep(0.02)
    return came


def at_work(process: int) -> dict[int, str]:
    """The processes that one has begun, once there are workers among them."""
    assert waited_for(lambda: any("spawn_main" in command for command in below(process).values()))
    return below(process)


def none_lives(processes: dict[int, str]) -> bool:
    return not any(command and commanded(one) == command for one, command in processes.items())


@pytest.mark.parametrize(
    ("work", "ended_by"),
    [("report", signal.SIGKILL), ("report", signal.SIGTERM), ("simulate", signal.SIGTERM)],
)
def test_workers_end_with_their_parent_however_it_ends(
    work: str, ended_by: signal.Signals, save: Path
) -> None:
    """Catches two workers, and what Python runs beside them, that wait for ever for who is gone."""
    more = {"report": (str(save),), "simulate": (str(save), "-n", "100000", "--jobs", "2")}[work]
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "qf_tui", work, *more]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=writing, stderr=writing) as process:
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            begun = at_work(process.pid)
            process.send_signal(ended_by)
            assert process.wait(PATIENCE) == -ended_by
            assert waited_for(lambda: none_lives(begun))
            # Each of them holds this pipe: it ends when the last of them has, seen or not.
            while said := select.select([pipe], [], [], PATIENCE)[0] and os.read(reading, 1 << 16):
                pass
            assert said == b""


@pytest.mark.parametrize("ended_by", [signal.SIGKILL, signal.SIGTERM])
def test_the_report_of_a_board_ends_with_the_board(ended_by: signal.Signals, save: Path) -> None:
    with served(save, "--switch", "at-once") as board:
        asking = Thread(target=board.asked, args=(board.path("report"),), daemon=True)
        asking.start()
        begun = at_work(board.process.pid)
        assert any("--under-board" in command for command in begun.values())
        board.process.send_signal(ended_by)
        board.process.wait(PATIENCE)
        assert waited_for(lambda: none_lives(begun))
        asking.join(PATIENCE)
