"""A share of the battles, as it is handed to whoever plays it, and how it is played there."""

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from threading import local

from attrs import field, frozen

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, replace
from qf_tui.library.systems import find_systems
from qf_tui.session.open_save import unpacked, worked_out_by
from qf_tui.simulation.attacks import with_points
from qf_tui.simulation.doctrine import doctrine_named
from qf_tui.simulation.ground import Ground
from qf_tui.simulation.playing import Playing, Stuck
from qf_tui.simulation.tally import Tally, tally_of

Pair = tuple[str, ...]
"""The doctrine of each side, by name, in the order of the sides."""


@frozen
class Variant:
    """How a battle differs from the one that is asked about: ships left out or doubled, ranges, switches.

    `points`: by side, how many more repair points each of its ships has, or fewer.
    """

    without: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    points: tuple[tuple[str, int], ...] = ()
    stretch: float = 1.0
    options: tuple[tuple[str, str], ...] = ()


@frozen
class Spec:
    """All that the battles have in common, in plain values: the same here and on another computer.

    `battle` as `session.portable` packs it; `whole` as `Ground` has it; `turns` may be played at most.
    """

    battle: bytes = field(repr=False)
    whole: tuple[tuple[str, float], ...]
    seed: str
    turns: int
    variant: Variant = Variant()


@frozen
class Job:
    """Battles of one pair of doctrines, by index from `start` up to `stop`."""

    spec: Spec
    pair: Pair
    start: int
    stop: int


def play(job: Job) -> Tally:
    """Plays a share of the battles; the same wherever it is played. No two pairs share their dice."""
    ground, total = _OWN.ground(job.spec.battle, job.spec.whole, job.spec.variant), Tally()
    doctrines = {side: doctrine_named(name) for side, name in zip(ground.sides, job.pair, strict=True)}
    side_of = {id: ship.side for id, ship in ground.every.items()}
    for index in range(job.start, job.stop):
        playing = Playing(ground, doctrines, Random(f"{job.spec.seed} {' '.join(job.pair)} {index}"))
        try:
            with worked_out_by(ground.system):
                ended = playing.to_its_end(job.spec.turns)
            total += tally_of(ended, side_of)
        except Stuck as stuck:
            total += Tally(apart=1, why=(index, str(stuck)))
    return total


def _ground(battle: bytes, whole: tuple[tuple[str, float], ...], variant: Variant) -> Ground:
    system, start = unpacked(battle, find_systems())
    after, worth = changed(system, start, variant), system.worth.of_ship
    grown = {
        id: points + worth(after.ships[id]) - worth(start.ships[id])
        for id, points in whole
        if after.ships.get(id) is not start.ships.get(id) and id in after.ships
    }
    ground = Ground(system, after, dict(whole) | grown)
    ground.stretch = variant.stretch
    return ground


class _Own(local):
    """The grounds that a thread plays on, kept for further shares: what is found out of one is its own."""

    def __init__(self) -> None:
        self.ground = lru_cache(maxsize=4)(_ground)


_OWN = _Own()


def changed(system: RuleSystem, start: Battle, variant: Variant) -> Battle:
    """A battle with other ships, repair points or switches; how its phase began is changed alike."""
    began = None if start.began is None else changed(system, start.began, variant)
    more = dict(variant.points)
    ships = {
        id: with_points(system, ship, more[ship.side]) if ship.side in more else ship
        for id, ship in start.ships.items()
        if id not in variant.without
    }
    for id in variant.twice:
        if id in start.ships:
            ships[double(id)] = replace(start.ships[id], id=double(id), name=f"{start.ships[id].name} II")
    options: Mapping[str, object] = {**start.options, **dict(variant.options)}
    return replace(start, ships=ships, options=options, began=began)


def double(id: str) -> str:
    """What the double of a ship is called."""
    return f"{id}-double"
