"""The state of a ship that lasts from one battle into the next, and the parents of a battle.

A rule system declares what lasts (`RuleSystem.lasting`); everything else starts again. The start of a battle
names its parents and, for each ship, what was mended since. So a parent that was corrected later is found.
"""

from collections.abc import Iterator, Mapping

from attrs import frozen

from qf_tui.core.declarations import Setup, declare_key
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import Scalar, to_fraction
from qf_tui.core.values import Battle, Mark, Ship, replace
from qf_tui.library.declared import SHIPS_MOST

PARENT, CARRIED, MENDED, LOG, OF = "parent", "carried", "mended", "log", "of"
"""The keys of a scenario and of a table for parents, and for ships that come from them."""

Lasting = Scalar | tuple[str, ...]
State = Mapping[str, Lasting]
"""Fields of a ship's log that last, with their values; a kind of marks has the texts of those not lifted."""


@frozen
class Parent:
    """A battle that another one continues.

    Attributes:
        save: Name of its save.
        battle: Checksum of its last line then.
        entry: Number of its last act then.
        lost: Ids of ships that did not come out of it.
    """

    save: str = declare_key("path", "its save", required=True)
    battle: str = declare_key("text", "the checksum of its last line then", required=True)
    entry: int = declare_key("int", "its last act then", most=10**9, required=True)
    title: str = declare_key("text", "its title")
    date: str = declare_key("text", "its date")
    lost: tuple[str, ...] = declare_key(
        "texts", "the ids of the ships that did not come out of it", most=SHIPS_MOST
    )


@frozen
class Origin:
    """The origin of a ship: the place of a parent in the list, and the points mended since, by field."""

    parent: int
    mended: Mapping[str, int]


@frozen
class CarriedMismatch:
    """A difference between two battles: `begins` in the later one, `ends` in the earlier one.

    Without a `field` the question is whether the ship came out of the earlier one.
    """

    ship: str
    name: str
    field: str
    begins: Lasting
    ends: Lasting


def is_marks(system: RuleSystem, name: str) -> bool:
    """Return whether a field holds marks."""
    field = find_field(system, name)
    return field is not None and field.kind in ("marks", "texts")


def read_state(system: RuleSystem, ship: Ship) -> dict[str, Lasting]:
    """Read what lasts of a ship."""
    state: dict[str, Lasting] = {}
    for name in system.lasting:
        if is_marks(system, name):
            state[name] = tuple(mark.text for mark in ship.live(name))
        elif name in ship.log:
            state[name] = ship.log[name]
    return state


def find_whole_state(system: RuleSystem, battle: Battle, ship: Ship) -> dict[str, Lasting]:
    """Work out what lasts of an undamaged ship, from her card."""
    table = battle.table
    setup = Setup(str(table.get("scale", "")), str(table.get("units", "")), battle.options)
    return read_state(system, replace(ship, log=system.muster(ship.card, setup), marks=()))


def with_state(ship: Ship, state: State) -> Ship:
    """Return the ship in a state, with marks that belong to no entry."""
    log: dict[str, Scalar] = dict(ship.log)
    marks: list[Mark] = []
    for name, value in state.items():
        if isinstance(value, tuple):
            marks += (Mark(f"0.{len(marks) + at}", name, text) for at, text in enumerate(value, 1))
        else:
            log[name] = value
    return replace(ship, log=log, marks=tuple(marks))


def is_returning(system: RuleSystem, ship: Ship) -> bool:
    """Return whether a ship can sail again after a battle."""
    return ship.status in system.returning


def mend_state(
    system: RuleSystem, now: State, whole: State, pace: Mapping[str, float], days: int
) -> tuple[dict[str, Lasting], dict[str, int]]:
    """Mend a state for some days, never beyond `whole`.

    Args:
        pace: Days for one point or mark, by field: 0 mends all at once, and a field left out is not mended.

    Returns:
        The state afterwards, and by how much each field moved.
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
        points = abs(gap) if not pace[name] else min(abs(gap), int(days // to_fraction(pace[name])))
        if points:
            moved[name] = points if gap > 0 else -points
            if isinstance(value, tuple):
                after[name] = value[points:]
            elif isinstance(value, int):
                after[name] = value + moved[name]
    return after, moved


def list_parents(start: Battle) -> tuple[Parent, ...]:
    """List the battles that this one continues."""
    parents: list[Parent] = []
    while True:
        place = f"{PARENT}.{len(parents) + 1}."
        entry = start.table.get(f"{place}entry")
        keys = ("save", "battle", "title", "date", "lost")
        save, battle, title, date, lost = (str(start.table.get(place + key) or "") for key in keys)
        if not save or not isinstance(entry, int):
            return tuple(parents)
        parents.append(Parent(save, battle, entry, title, date, tuple(lost.split())))


def find_origin(start: Battle, ship: str) -> Origin | None:
    """Find where a ship comes from; None if she was in no earlier battle."""
    key = f"{CARRIED}.{ship}."
    of = start.table.get(f"{key}{OF}")
    if not isinstance(of, int) or not 1 <= of <= len(list_parents(start)):
        return None
    lead = f"{key}{MENDED}."
    moved = {
        name.removeprefix(lead): value
        for name, value in start.table.items()
        if name.startswith(lead) and isinstance(value, int)
    }
    return Origin(of - 1, moved)


def find_misfits(system: RuleSystem, start: Battle, parent: int, ended: Battle) -> Iterator[CarriedMismatch]:
    """List how a battle differs from the present end of a parent, ship by ship."""
    for ship in start.ships.values():
        origin = find_origin(start, ship.id)
        if origin is None or origin.parent != parent:
            continue
        came = ended.ships.get(ship.id) or ended.reserve.get(ship.id)
        if came is None or not is_returning(system, came):
            yield CarriedMismatch(ship.id, ship.name, "", ship.status, came.status if came else "")
            continue
        begins, ends = read_state(system, ship), read_state(system, came)
        for name in begins | ends:
            was = ends.get(name)
            then = _undo_mending(begins.get(name), origin.mended.get(name, 0), was)
            if then != was:
                yield CarriedMismatch(ship.id, ship.name, name, then, was)
        for field in system.fields:
            here, there = ship.card.get(field.name), came.card.get(field.name)
            if field.card and here != there:
                yield CarriedMismatch(ship.id, ship.name, field.name, here, there)
    for id in list_parents(start)[parent].lost:
        came = ended.ships.get(id)
        if came is not None and is_returning(system, came):
            yield CarriedMismatch(id, came.name, "", "", came.status)


def _undo_mending(value: Lasting, moved: int, was: Lasting) -> Lasting:
    """Return a value before its repair; repaired marks get the texts in `was`, as far as it has them."""
    if isinstance(value, tuple):
        gone = (*(was if isinstance(was, tuple) else ()), *[""] * -moved)[: max(0, -moved)]
        return (*gone, *value)
    return value - moved if isinstance(value, int) else value
