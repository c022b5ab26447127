"""What a ship takes with her from one battle into the next, and the battles that a battle goes on from.

A rule system declares what lasts (`RuleSystem.lasting`); all else begins anew. The start of a battle names
its parents, and of each ship what was mended since: so it can be told whether a parent still ends as it did.
"""

from collections.abc import Iterator, Mapping

from attrs import frozen

from qf_tui.core.declarations import Setup
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import Scalar, exact
from qf_tui.core.values import Battle, Mark, Ship, replace

PARENT, CARRIED, MENDED, LOG, OF = "parent", "carried", "mended", "log", "of"
"""The keys of a scenario and of a table for parents, and for ships that come from them."""

Lasting = Scalar | tuple[str, ...]
State = Mapping[str, Lasting]
"""What lasts of a ship: fields of her log as they stand; of a kind of marks the texts of those not lifted."""


@frozen
class Parent:
    """A battle that another goes on from: its save, its last act then, and the checksum of that line.

    `lost` are the ids of the ships that did not come out of it.
    """

    save: str
    battle: str
    entry: int
    title: str = ""
    date: str = ""
    lost: tuple[str, ...] = ()


@frozen
class Origin:
    """Where a ship at the start of a battle comes from: the place of a parent, and what was mended since."""

    parent: int
    mended: Mapping[str, int]


@frozen
class CarriedMismatch:
    """What no longer fits of a ship: `begins` is what the later battle has, `ends` what the earlier one has.

    Without a `field` it is whether she came out of it at all.
    """

    ship: str
    name: str
    field: str
    begins: Lasting
    ends: Lasting


def is_marks(system: RuleSystem, name: str) -> bool:
    """Whether a field of a rule system stands for marks."""
    field = find_field(system, name)
    return field is not None and field.kind in ("marks", "texts")


def state_of(system: RuleSystem, ship: Ship) -> dict[str, Lasting]:
    """What lasts of a ship as she stands."""
    state: dict[str, Lasting] = {}
    for name in system.lasting:
        if is_marks(system, name):
            state[name] = tuple(mark.text for mark in ship.live(name))
        elif name in ship.log:
            state[name] = ship.log[name]
    return state


def whole_state(system: RuleSystem, battle: Battle, ship: Ship) -> dict[str, Lasting]:
    """What lasts of a ship as her card has it, before any battle."""
    table = battle.table
    setup = Setup(str(table.get("scale", "")), str(table.get("units", "")), battle.options)
    return state_of(system, replace(ship, log=system.muster(ship.card, setup), marks=()))


def with_state(ship: Ship, state: State) -> Ship:
    """A ship that begins a battle in a state; her marks are of no entry."""
    log: dict[str, Scalar] = dict(ship.log)
    marks: list[Mark] = []
    for name, value in state.items():
        if isinstance(value, tuple):
            marks += (Mark(f"0.{len(marks) + at}", name, text) for at, text in enumerate(value, 1))
        else:
            log[name] = value
    return replace(ship, log=log, marks=tuple(marks))


def returns(system: RuleSystem, ship: Ship) -> bool:
    """Whether a ship comes out of a battle, to sail again."""
    return ship.status in system.returning


def mended(
    system: RuleSystem, now: State, whole: State, pace: Mapping[str, float], days: int
) -> tuple[dict[str, Lasting], dict[str, int]]:
    """A state after some days, and by how much each field of it moved: never beyond what is whole.

    `pace` are the days for one point or mark; of 0 all is done at once, and what is not named is not mended.
    """
    after, moved = dict(now), dict[str, int]()
    for name, value in now.items():
        aim, gap = whole.get(name), 0
        if name not in pace:
            continue
        if isinstance(value, tuple):
            gap = -len(value)
        elif isinstance(value, int) and isinstance(aim, int):
            # More of a store than her card has is no damage.
            gap = aim - value if (value > aim) == (name in system.harm) else 0
        points = abs(gap) if not pace[name] else min(abs(gap), int(days // exact(pace[name])))
        if points:
            moved[name] = points if gap > 0 else -points
            if isinstance(value, tuple):
                after[name] = value[points:]
            elif isinstance(value, int):
                after[name] = value + moved[name]
    return after, moved


def parents_of(start: Battle) -> tuple[Parent, ...]:
    """The battles that a battle goes on from."""
    parents: list[Parent] = []
    while True:
        place = f"{PARENT}.{len(parents) + 1}."
        entry = start.table.get(f"{place}entry")
        keys = ("save", "battle", "title", "date", "lost")
        save, battle, title, date, lost = (str(start.table.get(place + key) or "") for key in keys)
        if not save or not isinstance(entry, int):
            return tuple(parents)
        parents.append(Parent(save, battle, entry, title, date, tuple(lost.split())))


def origin_of(start: Battle, ship: str) -> Origin | None:
    """Where a ship comes from; None for one that no battle before this one had."""
    key = f"{CARRIED}.{ship}."
    of = start.table.get(f"{key}{OF}")
    if not isinstance(of, int) or not 1 <= of <= len(parents_of(start)):
        return None
    lead = f"{key}{MENDED}."
    moved = {
        name.removeprefix(lead): value
        for name, value in start.table.items()
        if name.startswith(lead) and isinstance(value, int)
    }
    return Origin(of - 1, moved)


def misfits(system: RuleSystem, start: Battle, parent: int, ended: Battle) -> Iterator[CarriedMismatch]:
    """What of a battle does not fit the end of a parent, as that is now, ship by ship."""
    for ship in start.ships.values():
        origin = origin_of(start, ship.id)
        if origin is None or origin.parent != parent:
            continue
        came = ended.ships.get(ship.id) or ended.reserve.get(ship.id)
        if came is None or not returns(system, came):
            yield CarriedMismatch(ship.id, ship.name, "", ship.status, came.status if came else "")
            continue
        begins, ends = state_of(system, ship), state_of(system, came)
        for name in begins | ends:
            was = ends.get(name)
            then = _before(begins.get(name), origin.mended.get(name, 0), was)
            if then != was:
                yield CarriedMismatch(ship.id, ship.name, name, then, was)
        for field in system.fields:
            here, there = ship.card.get(field.name), came.card.get(field.name)
            if field.card and here != there:
                yield CarriedMismatch(ship.id, ship.name, field.name, here, there)
    for id in parents_of(start)[parent].lost:
        came = ended.ships.get(id)
        if came is not None and returns(system, came):
            yield CarriedMismatch(id, came.name, "", "", came.status)


def _before(value: Lasting, moved: int, was: Lasting) -> Lasting:
    """What a value was before it was mended; which marks were, `was` says, if it has as many."""
    if isinstance(value, tuple):
        gone = (*(was if isinstance(was, tuple) else ()), *[""] * -moved)[: max(0, -moved)]
        return (*gone, *value)
    return value - moved if isinstance(value, int) else value
