"""A report computed by several processes: the same result, with progress, and nothing left over."""

from multiprocessing import active_children
from pathlib import Path
from time import monotonic, sleep

import pytest

from qf_tui.core.errors import QfError
from qf_tui.features.report import work as workers
from qf_tui.features.report.story import cut_slices
from qf_tui.features.report.work import analyse_battle
from qf_tui.journal.saving import write_save
from qf_tui.library.processes import Stopped
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import build_header
from tests.features.report.battles import load_golden


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save the opening of an evening with some slices."""
    system, timeline = load_golden("port-arthur-1904-evening", 60)
    assert len(cut_slices(timeline)) > 1
    path = tmp_path_factory.mktemp("working") / "battle.qfb"
    write_save(path, build_header(system, timeline.start), timeline.log)
    return path


def force_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make another process compute any battle."""
    monkeypatch.setattr(workers, "WORKERS_FROM", 1)
    monkeypatch.setattr(workers, "WORKERS_MOST", 1)


def test_several_processes_give_the_same_analysis_as_one(save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORKERS_FROM", 1)
    session = Session.view(save, find_systems())
    told: list[tuple[int, int]] = []
    weights = {session.system.worth.parts[0].name: 3.0}
    several = analyse_battle(
        session.system, session.timeline, save, weights=weights, progress=lambda *done: told.append(done)
    )
    assert several == analyse_battle(session.system, session.timeline, weights=weights)
    entries = len(session.timeline.play_order)
    assert told[-1] == (entries, entries)
    assert [done for done, _ in told] == sorted({done for done, _ in told})


@pytest.mark.parametrize("how", [KeyboardInterrupt, Stopped])
def test_stopped_work_leaves_no_process(
    how: type[BaseException], save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against workers that go on after the umpire gave up."""
    force_worker(monkeypatch)
    session, others = Session.view(save, find_systems()), active_children()

    def interrupt(done: int, of: int) -> None:
        if how is KeyboardInterrupt:
            raise KeyboardInterrupt

    with pytest.raises(how):
        analyse_battle(
            session.system, session.timeline, save, progress=interrupt, stopped=lambda: how is Stopped
        )
    until = monotonic() + 10
    while set(active_children()) - set(others) and monotonic() < until:
        sleep(0.02)
    assert set(active_children()) <= set(others)


@pytest.mark.parametrize(
    ("name", "words"),
    [("short.qfb", "fewer acts than when"), ("gone.qfb", "gone.qfb: there is no such file")],
)
def test_a_shortened_or_missing_save_is_reported_in_one_sentence(
    name: str, words: str, save: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Cover a save replaced by another battle, and one cut by hand."""
    force_worker(monkeypatch)
    session = Session.view(save, find_systems())
    write_save(tmp_path / "short.qfb", build_header(session.system, session.timeline.start), ())
    with pytest.raises(QfError, match=words):
        analyse_battle(session.system, session.timeline, tmp_path / name)
