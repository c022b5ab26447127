"""Battles on the computers of a cluster, through `dask.distributed` (the extra `cluster`)."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import Any

from qf_tui.core.errors import QfError
from qf_tui.simulation.executor import AHEAD, Done, Run
from qf_tui.simulation.job import Job, play

PATIENCE = "10s"
"""How long a cluster may take to answer."""


@contextmanager
def on_cluster(address: str) -> Iterator[Run]:
    """The workers of a cluster; QfError if there is none at that address, or it has no worker."""
    distributed = _library()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        # A client of an address that is none complains again when it is thrown away.
        distributed.comm.resolve_address(distributed.comm.normalize_address(address))
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as fault:
        raise QfError(
            f"--dask {address}: no cluster answers there ({_said(fault)}); "
            "`dask scheduler` begins one and says its address, `dask worker ADDRESS` adds a computer"
        ) from None
    try:
        workers = sum(client.ncores().values())
        if not workers:
            raise QfError(f"--dask {address}: the cluster has no worker; `dask worker {address}` adds one")
        yield lambda jobs: _run(distributed, client, jobs, workers * AHEAD)
    finally:
        client.close(timeout=PATIENCE)


def _library() -> Any:
    """The library, which has no types; QfError where it is not installed."""
    try:
        return import_module("distributed")
    except ImportError:
        raise QfError("--dask: it needs a part more: pip install 'qf-tui[cluster]'") from None


def _said(fault: Exception) -> str:
    return (str(fault) or type(fault).__name__).splitlines()[0]


def _run(distributed: Any, client: Any, jobs: Sequence[Job], ahead: int) -> Iterator[Done]:
    """The shares as they are done; the scheduler hands on those of a worker that is gone."""
    left, given = iter(jobs), dict[str, Job]()
    done = distributed.as_completed(loop=client.loop)

    def submit(few: Iterator[Job]) -> None:
        for job in few:
            future = client.submit(play, job, pure=False)
            given[future.key] = job
            done.add(future)

    submit(islice(left, ahead))
    for future in done:
        try:
            tally = future.result()
        except Exception as fault:  # noqa: BLE001 - whatever befell a worker is told in words
            raise QfError(f"--dask: a worker could not play: {_said(fault)}") from None
        yield given.pop(future.key), tally
        submit(islice(left, 1))
