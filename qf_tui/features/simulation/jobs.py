"""Plays a simulation's battles in shares: in this process, in several, or on a cluster."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache, partial
from importlib import import_module
from itertools import islice
from random import Random
from threading import local
from typing import Any

from attrs import field, frozen

from qf_tui.core.crews import Crew, read_card_crew, with_crews
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Due, Owed, Ship, replace
from qf_tui.features.simulation.doctrines import find_doctrine
from qf_tui.features.simulation.model import BattleModel, add_points
from qf_tui.features.simulation.playout import CannotContinue, Playout
from qf_tui.features.simulation.reach import DOUBLE
from qf_tui.features.simulation.tally import Tally, build_tally, sum_tallies
from qf_tui.journal.codec import BOOK, decode_battle, encode_battle
from qf_tui.journal.lines import decode_json, read_object, read_text
from qf_tui.library import processes
from qf_tui.library.processes import STOP_CHECK_S, Stopped, prepare_worker, stop_pool
from qf_tui.library.systems import find_systems
from qf_tui.operating_systems import delay_interrupts
from qf_tui.session.saves import find_system, make_rules_finder, report_rules_fault

AHEAD = 4
"""Shares that wait for each process: enough that none is idle, and few enough to save memory."""
DEATHS_MOST = 5
"""Number of processes that may die at work before playing is given up."""
PATIENCE = "10s"
"""How long a cluster may take to answer."""

Pair = tuple[str, ...]
"""The doctrine of each side, by name, in the order of the sides."""


@frozen
class BattleVariant:
    """The changes with which a simulated battle is played.

    Attributes:
        without: Ids of ships left out.
        twice: Ids of ships that get a double.
        late: Ships that arrive later, each with its turn.
        points: Repair points added to each ship of a side; negative to remove some.
        crews: Steps by which crews are better, as (side, kind of crew, steps); negative if worse.
        stretch: Factor for all ranges.
    """

    without: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    late: tuple[tuple[str, int], ...] = ()
    points: tuple[tuple[str, int], ...] = ()
    crews: tuple[tuple[str, str, int], ...] = ()
    stretch: float = 1.0

    def __add__(self, other: "BattleVariant") -> "BattleVariant":
        """Combine the changes of both variants."""
        return BattleVariant(
            without=self.without + other.without,
            twice=self.twice + other.twice,
            late=self.late + other.late,
            points=self.points + other.points,
            crews=self.crews + other.crews,
            stretch=self.stretch * other.stretch,
        )


@frozen
class Spec:
    """All that a process or another computer needs to play the battles, as plain values.

    Attributes:
        battle: The battle, encoded by `pack_battle`.
        whole: Worth of each ship when the battle began.
        seed: The seed of all dice.
        turns: Last turn that may be played.
        variant: Changes to the battle.
    """

    battle: bytes = field(repr=False)
    whole: tuple[tuple[str, float], ...]
    seed: str
    turns: int
    variant: BattleVariant = BattleVariant()


@frozen
class Job:
    """A share of the work: the battles of one pair of doctrines from index `start` up to before `stop`."""

    spec: Spec
    pair: Pair
    start: int
    stop: int


def set_up_playout(
    spec: Spec, pair: Pair, index: int, make_playout: Callable[..., Playout] = Playout
) -> Playout:
    """Set up one battle. Its dice depend only on seed, doctrines and index, wherever it is played.

    Args:
        spec: The battle and seed.
        pair: The doctrine of each side.
        index: Index of the battle among those of the pair.
        make_playout: Builds the playout.
    """
    model = _THREAD_MODELS.find_model(spec.battle, spec.whole, spec.variant)
    doctrines = {side: find_doctrine(name) for side, name in zip(model.sides, pair, strict=True)}
    return make_playout(model, doctrines, Random(f"{spec.seed} {' '.join(pair)} {index}"))


def play_share(job: Job) -> Tally:
    """Play a share of the battles; a battle that cannot continue is only counted as such."""
    total = Tally()
    for index in range(job.start, job.stop):
        playout = set_up_playout(job.spec, job.pair, index)
        side_of = {id: ship.side for id, ship in playout.model.all_ships.items()}
        try:
            with report_rules_fault(playout.system):
                ending = playout.play_to_end(job.spec.turns)
            total += build_tally(ending, side_of, index)
        except CannotContinue as fault:
            total += Tally(apart=1, first_fault=(index, str(fault)))
    return total


def pack_battle(system: RuleSystem, battle: Battle) -> bytes:
    """Encode a battle and its rule system for another process."""
    return encode_battle(battle, {"system": system.name, BOOK: system.data})


def unpack_battle(data: bytes, systems: Mapping[str, RuleSystem]) -> tuple[RuleSystem, Battle]:
    """Decode a battle that `pack_battle` encoded, with its rule system.

    Raises:
        QfError: Its rule system is not installed.
    """
    raw = read_object(decode_json(data))
    # A rule system that is a book comes with the battle; any other must be installed.
    name, book = read_text(raw["system"]), raw[BOOK] or None
    if book is None and name not in systems:
        raise QfError(f"the rule system {name} is not installed here: install it wherever battles are played")
    system = find_system(name, book, systems)
    return system, decode_battle(raw, make_rules_finder(systems)(name, book))


def _build_model(battle: bytes, whole: tuple[tuple[str, float], ...], variant: BattleVariant) -> BattleModel:
    """Build the model of a battle, encoded by `pack_battle`, under a variant.

    If the variant changes a ship's present worth, her worth in `whole` (when the battle began) changes by the
    same amount.
    """
    system, start = unpack_battle(battle, find_systems())
    changed_battle = apply_variant(system, start, variant)
    value_ship = system.worth.value_ship
    changed_worth = {
        id: points + value_ship(changed_battle.ships[id]) - value_ship(start.ships[id])
        for id, points in whole
        if changed_battle.ships.get(id) is not start.ships.get(id) and id in changed_battle.ships
    }
    model = BattleModel(system, changed_battle, dict(whole) | changed_worth)
    model.stretch = variant.stretch
    return model


class _ThreadModels(local):
    """The models of one thread, kept for its next shares. A model caches results, so threads share none."""

    def __init__(self) -> None:
        self.find_model = lru_cache(maxsize=4)(_build_model)


_THREAD_MODELS = _ThreadModels()


def apply_variant(system: RuleSystem, start: Battle, variant: BattleVariant) -> Battle:
    """Return a battle with the changes of a variant; the battle at the start of its phase is changed, too.

    Owed rolls that mention a ship that is left out or late are dropped.
    """
    began = None if start.began is None else apply_variant(system, start.began, variant)
    # `with_crews` would replace `began`, which has its new crews already.
    if variant.crews:
        start = with_crews(system, replace(start, began=None), partial(_adjust_crew, variant))
    points_by_side = dict(variant.points)
    ships = {
        id: add_points(system, ship, points_by_side[ship.side]) if ship.side in points_by_side else ship
        for id, ship in start.ships.items()
        if id not in variant.without
    }
    for id in variant.twice:
        if id in start.ships:
            ships[make_double_id(id)] = replace(
                start.ships[id], id=make_double_id(id), name=f"{start.ships[id].name} II"
            )
    # Late ships move to the reserve, and their arrivals into the schedule.
    turn_by_late_id = {id: turn for id, turn in variant.late if id in ships}
    reserve = {**start.reserve, **{id: ships.pop(id) for id in turn_by_late_id}}
    arrivals = (Due(turn, (id,)) for id, turn in turn_by_late_id.items())
    plan = replace(start.plan, schedule=(*start.plan.schedule, *arrivals))
    removed = start.ships.keys() - ships.keys()
    owed = tuple(roll for roll in start.owed if removed.isdisjoint(_list_possible_ids(roll)))
    return replace(start, ships=ships, reserve=reserve, plan=plan, began=began, owed=owed)


def _list_possible_ids(owed: Owed) -> Iterator[str]:
    """Yield the texts of an owed roll that may be ids of ships: its ship, and texts in facts and order."""
    yield owed.ship
    slots = owed.order.slots if owed.order is not None else {}
    for value in (*owed.facts.values(), *slots.values()):
        texts = value if isinstance(value, tuple) else (value,)
        yield from (text for text in texts if isinstance(text, str))


def _adjust_crew(variant: BattleVariant, ship: Ship) -> Crew:
    """Return a ship's crew with the steps that a variant gives her side."""
    return read_card_crew(ship.card).add_steps(
        **{kind: steps for side, kind, steps in variant.crews if side == ship.side}
    )


def make_double_id(id: str) -> str:
    """Return the id of the double of a ship."""
    return id + DOUBLE


Done = tuple[Job, Tally]
Run = Callable[[Sequence[Job]], Iterator[Done]]
"""Plays shares of the work anywhere, in any order, and yields each with its tally."""


def play_here(jobs: Sequence[Job]) -> Iterator[Done]:
    """Play the shares one after the other, in this process."""
    return ((job, play_share(job)) for job in jobs)


@contextmanager
def open_processes(count: int, is_stopped: Callable[[], bool] = lambda: False) -> Iterator[Run]:
    """Open worker processes, which end with the block; if a process dies, its share is played again.

    Args:
        count: Number of processes.
        is_stopped: Asked often whether to stop, so that a stop never waits for a long share.
    """
    workers = _ShareWorkers(count, is_stopped)
    try:
        yield workers.run
    finally:
        workers.stop()


class _ShareWorkers:
    """Processes that play shares, started again if one dies."""

    def __init__(self, count: int, is_stopped: Callable[[], bool]) -> None:
        self._count, self._is_stopped = count, is_stopped
        self._deaths = 0
        self._pool = processes.start_pool(count, prepare_worker)
        with delay_interrupts():
            for _ in range(count):
                # An empty task starts the process and loads the modules before the first share.
                self._pool.submit(sum_tallies, ())

    def stop(self) -> None:
        stop_pool(self._pool)

    def run(self, jobs: Sequence[Job]) -> Iterator[Done]:
        """Yield each share with its tally once it is played.

        Raises:
            Stopped: The work was stopped.
            QfError: The processes keep dying.
        """
        remaining, waiting = iter(jobs), dict[Future[Tally], Job]()
        lost_jobs: list[Job] = []
        while True:
            room = self._count * AHEAD - len(waiting) - len(lost_jobs)
            for job in (*lost_jobs, *islice(remaining, room)):
                waiting[self._submit(job)] = job
            lost_jobs = []
            if not waiting:
                return
            finished, _ = wait(waiting, STOP_CHECK_S, FIRST_COMPLETED)
            if self._is_stopped():
                raise Stopped
            for future in finished:
                job = waiting.pop(future)
                try:
                    yield job, future.result()
                except BrokenProcessPool:
                    lost_jobs.append(job)
            if lost_jobs:
                # A dead process breaks the pool: all waiting shares are lost.
                lost_jobs += waiting.values()
                waiting = {}
                self._restart()

    def _submit(self, job: Job) -> "Future[Tally]":
        """Give a share to the processes; if they have died, start them again first."""
        try:
            with delay_interrupts():
                return self._pool.submit(play_share, job)
        except BrokenProcessPool:
            self._restart()
            return self._submit(job)

    def _restart(self) -> None:
        """Start new processes after one has died at work.

        Raises:
            QfError: This has happened too often.
        """
        self._deaths += 1
        if self._deaths > DEATHS_MOST:
            raise QfError("the battles cannot be played: their processes keep ending; memory may be short")
        stop_pool(self._pool)
        self._pool = processes.start_pool(self._count, prepare_worker)


@contextmanager
def open_cluster(address: str) -> Iterator[Run]:
    """Connect to a cluster while the block runs, and yield the function that plays shares on its workers.

    Raises:
        QfError: No cluster answers at that address, it has no worker, or `distributed` is not installed.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise QfError("--dask needs one more part: pip install 'qf-tui[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        # Check the address first: a client of a bad address complains again when it is deleted.
        distributed.comm.resolve_address(distributed.comm.normalize_address(address))
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as fault:
        raise QfError(
            f"--dask {address}: no cluster answers there ({_format_first_line(fault)}); "
            "`dask scheduler` starts one and prints its address, `dask worker ADDRESS` adds a computer"
        ) from None
    try:
        workers = sum(client.ncores().values())
        if not workers:
            raise QfError(f"--dask {address}: the cluster has no worker; `dask worker {address}` adds one")
        yield lambda jobs: _run_on_cluster(distributed, client, jobs, workers * AHEAD)
    finally:
        client.close(timeout=PATIENCE)


def _format_first_line(fault: Exception) -> str:
    return (str(fault) or type(fault).__name__).splitlines()[0]


def _run_on_cluster(distributed: Any, client: Any, jobs: Sequence[Job], ahead: int) -> Iterator[Done]:
    """Yield each share with its tally once a worker has played it.

    The scheduler gives the shares of a lost worker to other workers.

    Args:
        distributed: The module.
        client: The client of the cluster.
        jobs: The shares.
        ahead: Number of shares that are submitted at a time.

    Raises:
        QfError: A worker could not play a share.
    """
    remaining, jobs_by_key = iter(jobs), dict[str, Job]()
    futures = distributed.as_completed(loop=client.loop)

    def submit(few: Iterator[Job]) -> None:
        for job in few:
            future = client.submit(play_share, job, pure=False)
            jobs_by_key[future.key] = job
            futures.add(future)

    submit(islice(remaining, ahead))
    for future in futures:
        try:
            tally = future.result()
        except Exception as fault:  # noqa: BLE001 - whatever happened to a worker becomes an error in words
            raise QfError(f"--dask: a worker could not play: {_format_first_line(fault)}") from None
        yield jobs_by_key.pop(future.key), tally
        submit(islice(remaining, 1))


def open_executor(processes: int, cluster: str | None) -> AbstractContextManager[Run]:
    """Open what plays the shares: a cluster, worker processes, or only this process.

    Args:
        processes: Number of processes; 1 plays in this process.
        cluster: Address of a cluster, or None.
    """
    if cluster is not None:
        return open_cluster(cluster)
    return nullcontext(play_here) if processes == 1 else open_processes(processes)
