"""Battles on a local cluster: of threads, and of processes, one of which is killed in the middle."""

import os
import signal

import pytest

from qf_tui.core.errors import QfError
from qf_tui.simulation import simulate as simulating
from qf_tui.simulation.jobs import here, on_cluster
from qf_tui.simulation.simulate import simulate
from tests.simulation.duels import UNLIKE, question


@pytest.mark.parametrize(
    ("processes", "workers"), [(False, 2), *(pytest.param(True, n, marks=pytest.mark.long) for n in (1, 2))]
)
def test_a_cluster_gives_what_one_process_gives_and_a_killed_worker_costs_nothing(
    monkeypatch: pytest.MonkeyPatch, processes: bool, workers: int
) -> None:
    """Catches shares that are lost or counted twice, and a result that hangs on who played what."""
    from distributed import LocalCluster  # noqa: PLC0415 - every worker reads this module, and one plays it

    monkeypatch.setattr(simulating, "SHARE", 2)
    asked = question(4, pairs=UNLIKE)
    killed: list[int] = []
    with LocalCluster(  # type: ignore[no-untyped-call]  # it has no types
        n_workers=workers,
        threads_per_worker=1,
        processes=processes,
        dashboard_address=None,
        memory_limit=None,
    ) as cluster:

        def kill_one(done: int, of: int) -> None:
            if processes and not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        with on_cluster(cluster.scheduler_address) as run:
            assert simulate(asked, run, kill_one) == simulate(asked, here)
    assert bool(killed) is processes


@pytest.mark.parametrize("address", ["nowhere", "", "pigeon://loft:1"])
def test_an_address_that_is_none_is_told_before_anybody_is_called(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches the traceback of a client that was never whole."""
    monkeypatch.delattr("distributed.Client")
    with pytest.raises(QfError, match=f"--dask {address}: no cluster answers there"), on_cluster(address):
        pass


def test_a_cluster_that_is_not_there_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.simulation.jobs.PATIENCE", "0.5s")
    with (
        pytest.raises(
            QfError, match=r"--dask tcp://127.0.0.1:9: no cluster answers there .*`dask scheduler`"
        ),
        on_cluster("tcp://127.0.0.1:9"),
    ):
        pass
