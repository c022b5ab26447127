"""Battles played until enough is known: the same for the same seed, in any process."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

from qf_tui.core.errors import QfError
from qf_tui.core.values import replace
from qf_tui.features.simulation import simulate as simulating
from qf_tui.features.simulation.jobs import (
    BattleVariant,
    Done,
    Job,
    Pair,
    apply_variant,
    make_double_id,
    open_cluster,
    open_processes,
    play_here,
)
from qf_tui.features.simulation.simulate import (
    build_spec,
    list_looks,
    list_pairs,
    play_without_each,
    simulate_battles,
)
from qf_tui.features.simulation.tally import Tally
from qf_tui.library import processes
from qf_tui.session import Session
from tests.features.simulation.duels import (
    PAIRS,
    UNLIKE,
    build_question,
    load_duel,
    make_scrambled_run,
    run_backwards,
)
from tests.posix import KILL
from tests.systems import OURS

BATTLES = 3


@pytest.mark.parametrize("battles", [1, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", [name for name in OURS if name != "gq2"])
def test_a_duel_is_simulated_by_all_doctrines(rules: str, battles: int) -> None:
    """Guard against a battle that cannot go on, and counts that do not add up."""
    found = simulate_battles(build_question(battles, rules=rules), play_here)
    assert tuple(found.tallies) == PAIRS
    for tally in found.tallies.values():
        assert (tally.battles, tally.apart, tally.first_fault) == (battles, 0, None)
        assert sum(tally.won.values()) == sum(tally.turns.values()) == battles


def test_neither_shares_nor_their_order_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare the bytes, so that even the order of the counts is the same."""
    asked = build_question(BATTLES, "7", pairs=UNLIKE)
    expected = simulate_battles(asked, play_here)
    monkeypatch.setattr(simulating, "SHARE", 1)
    for seed in range(3):
        assert repr(simulate_battles(asked, make_scrambled_run(seed))) == repr(expected)
    monkeypatch.setattr(simulating, "SHARE", 2)
    assert simulate_battles(asked, run_backwards) == expected
    assert simulate_battles(build_question(BATTLES, "8", pairs=UNLIKE), play_here) != expected


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.long)])
def test_other_processes_give_the_same_result_even_if_one_is_killed(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against shares that are lost or counted twice if a process ends during its work."""
    monkeypatch.setattr(simulating, "SHARE", 2)
    asked = build_question(BATTLES, pairs=UNLIKE)
    pools: list[ProcessPoolExecutor] = []
    new_pool = processes.start_pool

    def note_pool(*given: Any) -> ProcessPoolExecutor:
        pools.append(new_pool(*given))
        return pools[-1]

    monkeypatch.setattr(processes, "start_pool", note_pool)
    others, killed = set(active_children()), list[BaseProcess]()

    def kill_one(done: int, of: int) -> None:
        if not killed:
            (killed_one, *_) = set(active_children()) - others
            killed_one.kill()
            killed.append(killed_one)

    with open_processes(count) as run:
        assert simulate_battles(asked, run, kill_one) == simulate_battles(asked, play_here)
    assert killed
    assert len(pools) == 2


def test_stopped_processes_end_in_the_middle_of_their_shares() -> None:
    """Guard against an umpire who waits for battles already given up."""
    others = active_children()
    with open_processes(1, lambda: True) as run:
        found = simulate_battles(build_question(1000), run)
    assert not found.complete
    until = monotonic() + 10
    while set(active_children()) - set(others) and monotonic() < until:
        sleep(0.02)
    assert set(active_children()) <= set(others)


def test_a_simulation_stops_once_enough_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "FIRST_LOOK", 4)
    asked = build_question(16, within=0.4, pairs=UNLIKE)
    found = simulate_battles(asked, play_here)
    assert {tally.battles for tally in found.tallies.values()} <= {4, 8, 16}
    assert max(tally.estimate_wins("blue").half for tally in found.tallies.values()) <= 0.4


def test_no_pair_of_doctrines_shares_its_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard against dependent battles that count as independent."""
    seeds: list[str] = []

    def note_seed(seed: str) -> Random:
        seeds.append(seed)
        return Random(seed)

    monkeypatch.setattr("qf_tui.features.simulation.jobs.Random", note_seed)
    simulate_battles(build_question(2), play_here)
    assert len(set(seeds)) == len(seeds) == 2 * len(PAIRS)


def test_a_simulation_goes_on_while_draws_are_not_known_well_enough() -> None:
    """Guard against a search for winners that ends at once if no side wins."""

    def run_draws(jobs: Sequence[Job]) -> Iterator[Done]:
        return ((job, Tally(job.stop - job.start, {"": job.stop - job.start})) for job in jobs)

    found = simulate_battles(build_question(800, within=0.003, pairs=UNLIKE), run_draws)
    assert {tally.battles for tally in found.tallies.values()} == {800}
    assert all(tally.estimate_wins("").half <= 0.003 for tally in found.tallies.values())


def test_looks_double_the_number_of_battles() -> None:
    assert list(list_looks(1000, 0.03)) == [200, 400, 800, 1000]
    assert list(list_looks(1000, None)) == [1000]
    assert list(list_looks(200, 0.03)) == [200]


def test_an_interrupt_returns_the_battles_so_far() -> None:
    def interrupted(done: int, of: int) -> None:
        raise KeyboardInterrupt

    found = simulate_battles(build_question(2), play_here, interrupted)
    assert not found.complete
    assert sum(tally.battles for tally in found.tallies.values()) == 2


@pytest.mark.parametrize("pairs", [PAIRS[:1], pytest.param(PAIRS, marks=pytest.mark.long)], ids=len)
def test_a_ship_that_does_not_fight_has_no_effect(pairs: tuple[Pair, ...]) -> None:
    """Guard against chances compared by other seeds, or for the wrong side."""
    two = ("mikasa", "asahi")
    asked = build_question(2, "1", pairs=pairs, blue=two, red=two, rules="advanced-quickfire")
    found = simulate_battles(asked, play_here)
    (matter,) = play_without_each(asked, found, {"b-asahi": "blue"}, play_here)
    assert not matter.no_effect_seen
    assert all(move < 0 for move in matter.score_changes.values())
    (nobody,) = play_without_each(asked, found, {"nobody": "blue"}, play_here)
    assert nobody.no_effect_seen
    assert set(nobody.score_changes.values()) == {0.0}


def test_ships_are_changed_at_the_start() -> None:
    system, start = load_duel(("mikasa", "asahi"), ("mikasa",))
    variant = BattleVariant(without=("b-asahi",), twice=("r-mikasa",))
    after = apply_variant(system, start, variant)
    assert list(after.ships) == ["b-mikasa", "r-mikasa", make_double_id("r-mikasa")]
    assert after.ships[make_double_id("r-mikasa")].side == "red"


@pytest.mark.parametrize(
    ("left_out", "owed"), [((), 1), (("b-asahi",), 1), (("b-mikasa",), 0), (("r-mikasa",), 0)], ids=str
)
def test_a_ship_that_is_left_out_owes_no_roll_and_is_no_target(left_out: tuple[str, ...], owed: int) -> None:
    """Guard against a declared shot in the save that lost its ship or target."""
    system, start = load_duel(("mikasa", "asahi"), ("mikasa",))
    session = Session.begin(system, start)
    while session.battle.phase != "gunnery":
        session.enter("force next")
    session.enter("fire b-mikasa heavy r-mikasa 30in")
    assert len(apply_variant(system, session.battle, BattleVariant(without=left_out)).owed) == owed


def test_a_battle_that_cannot_be_simulated_is_refused_in_a_sentence() -> None:
    system, start = load_duel()
    whole = {id: 2.5 * system.worth.value_ship(ship) for id, ship in start.ships.items() if id[0] == "r"}
    with pytest.raises(QfError, match="the battle is already over: Red is broken, Blue has won"):
        build_spec(system, start, "1", whole)
    lost = {id: replace(ship, status="sunk") if id[0] == "r" else ship for id, ship in start.ships.items()}
    with pytest.raises(QfError, match="the battle is already over: Red is broken, Blue has won"):
        build_spec(system, replace(start, ships=lost), "1", whole)
    with pytest.raises(QfError, match="no doctrine “flee”: there are hold, close"):
        list_pairs(("flee",))


@pytest.mark.parametrize(
    ("processes", "workers"), [(False, 2), *(pytest.param(True, n, marks=pytest.mark.long) for n in (1, 2))]
)
def test_a_cluster_gives_the_same_result_even_if_a_worker_is_killed(
    monkeypatch: pytest.MonkeyPatch, processes: bool, workers: int
) -> None:
    """Guard against shares that are lost or counted twice, and a result that depends on the workers."""
    from distributed import LocalCluster  # noqa: PLC0415 - every worker reads this module, and one plays it

    monkeypatch.setattr(simulating, "SHARE", 2)
    asked = build_question(4, pairs=UNLIKE)
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
                os.kill(killed[0], KILL)

        with open_cluster(cluster.scheduler_address) as run:
            assert simulate_battles(asked, run, kill_one) == simulate_battles(asked, play_here)
    assert bool(killed) is processes


@pytest.mark.parametrize("address", ["nowhere", "", "pigeon://loft:1"])
def test_an_invalid_address_is_refused_before_any_connection(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against the traceback of a client that was never complete."""
    monkeypatch.delattr("distributed.Client")
    with pytest.raises(QfError, match=f"--dask {address}: no cluster answers there"), open_cluster(address):
        pass


def test_a_missing_cluster_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.features.simulation.jobs.PATIENCE", "0.5s")
    with (
        pytest.raises(
            QfError, match=r"--dask tcp://127.0.0.1:9: no cluster answers there .*`dask scheduler`"
        ),
        open_cluster("tcp://127.0.0.1:9"),
    ):
        pass
