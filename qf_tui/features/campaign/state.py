"""Damage that lasts from one battle into the next, and the earlier battles of each ship.

A rule system declares what lasts (`RuleSystem.lasting`); everything else starts again. The start of a battle
names the battles before it (its parents) and, for each ship, what was mended since. So if a parent is
corrected later, the battles that no longer fit it are found.
"""

from collections.abc import Iterator, Mapping

from attrs import frozen

from qf_tui.core.declarations import Setup, declare_key
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import Scalar, to_fraction
from qf_tui.core.values import Battle, Mark, Ship, replace
from qf_tui.library.declared import SHIPS_MOST

PARENT, CARRIED, MENDED, LOG, OF = "parent", "carried", "mended", "log", "of"
"""Keys of a scenario, and of a battle's table, for parents and for the ships that come from them."""

Lasting = Scalar | tuple[str, ...]
State = Mapping[str, Lasting]
"""The values of a ship that last, by field; a field of marks has the texts of its marks."""


@frozen
class Parent:
    """A battle that another one continues.

    Attributes:
        save: Name of its save.
        battle: Checksum of its last line when the other battle was made.
        entry: Number of its last act at that time.
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
    """The earlier battle from which a ship comes.

    Attributes:
        parent: Index of the parent in the list of parents.
        mended: By how much each field was changed by repairs since.
    """

    parent: int
    mended: Mapping[str, int]


@frozen
class CarriedMismatch:
    """A difference between the end of an earlier battle and the start of a later one.

    Attributes:
        ship: Id of the ship.
        name: Name of the ship.
        field: Field that differs; "" if the battles disagree on whether she came out of the earlier one.
        in_later: Value before repairs by the later battle, or her status there; "" if she is not in it.
        in_earlier: Value at the end of the earlier battle, or her status there; "" if she is not in it.
    """

    ship: str
    name: str
    field: str
    in_later: Lasting
    in_earlier: Lasting


def is_marks(system: RuleSystem, name: str) -> bool:
    """Return whether a field holds marks."""
    field = find_field(system, name)
    return field is not None and field.kind in ("marks", "texts")


def read_state(system: RuleSystem, ship: Ship) -> dict[str, Lasting]:
    """Read the values of a ship that last: the texts of her marks, and other values from her log."""
    state: dict[str, Lasting] = {}
    for name in system.lasting:
        if is_marks(system, name):
            state[name] = tuple(mark.text for mark in ship.live(name))
        elif name in ship.log:
            state[name] = ship.log[name]
    return state


def find_undamaged_state(system: RuleSystem, battle: Battle, ship: Ship) -> dict[str, Lasting]:
    """Work out the lasting values that a ship has by her card, without damage."""
    table = battle.table
    setup = Setup(str(table.get("scale", "")), str(table.get("units", "")), battle.options)
    return read_state(system, replace(ship, log=system.muster(ship.card, setup), marks=()))


def with_state(ship: Ship, state: State) -> Ship:
    """Return the ship with a state: its values in her log, and its marks in place of all others."""
    log: dict[str, Scalar] = dict(ship.log)
    marks: list[Mark] = []
    for name, value in state.items():
        if isinstance(value, tuple):
            # An id begins with the number of the entry that made the mark; 0 stands for none.
            marks += (Mark(f"0.{len(marks) + at}", name, text) for at, text in enumerate(value, 1))
        else:
            log[name] = value
    return replace(ship, log=log, marks=tuple(marks))


def is_returning(system: RuleSystem, ship: Ship) -> bool:
    """Return whether a ship can sail again after a battle."""
    return ship.status in system.returning


def mend_state(
    system: RuleSystem, state: State, undamaged: State, pace: Mapping[str, float], days: int
) -> tuple[dict[str, Lasting], dict[str, int]]:
    """Mend a state for some days, never beyond `undamaged`.

    Args:
        state: The state before.
        undamaged: The state without damage.
        pace: Days for one point or mark, by field: 0 mends all at once, and a field left out is not mended.

    Returns:
        The state afterwards, and the change of each field that was mended.
    """
    mended = dict(state)
    changes = dict[str, int]()
    for name, value in state.items():
        if name not in pace:
            continue
        gap = _measure_damage(system, name, value, undamaged.get(name))
        points = abs(gap) if pace[name] == 0 else min(abs(gap), int(days // to_fraction(pace[name])))
        if points:
            changes[name] = points if gap > 0 else -points
            if isinstance(value, tuple):
                # The oldest marks are mended first.
                mended[name] = value[points:]
            elif isinstance(value, int):
                mended[name] = value + changes[name]
    return mended, changes


def _measure_damage(system: RuleSystem, name: str, value: Lasting, undamaged_value: Lasting) -> int:
    """Return what must be added to a value to mend all its damage; 0 if there is none.

    For marks, it is minus their number.
    """
    if isinstance(value, tuple):
        return -len(value)
    if not isinstance(value, int) or not isinstance(undamaged_value, int):
        return 0
    # Harm counts up and all else down: a difference the other way is no damage.
    is_damaged = (value > undamaged_value) == (name in system.harm)
    return undamaged_value - value if is_damaged else 0


def list_parents(start: Battle) -> tuple[Parent, ...]:
    """List the battles that this one continues, from the keys `parent.1.save` and so on of its table."""
    parents: list[Parent] = []
    while True:
        prefix = f"{PARENT}.{len(parents) + 1}."
        entry = start.table.get(f"{prefix}entry")
        keys = ("save", "battle", "title", "date", "lost")
        save, battle, title, date, lost_text = (str(start.table.get(prefix + key) or "") for key in keys)
        if not save or not isinstance(entry, int):
            return tuple(parents)
        parents.append(Parent(save, battle, entry, title, date, tuple(lost_text.split())))


def find_origin(start: Battle, ship: str) -> Origin | None:
    """Find where a ship comes from; None if she comes from no earlier battle."""
    key = f"{CARRIED}.{ship}."
    number = start.table.get(f"{key}{OF}")
    if not isinstance(number, int) or not 1 <= number <= len(list_parents(start)):
        return None
    prefix = f"{key}{MENDED}."
    changes = {
        name.removeprefix(prefix): value
        for name, value in start.table.items()
        if name.startswith(prefix) and isinstance(value, int)
    }
    return Origin(number - 1, changes)


def find_misfits(
    system: RuleSystem, start: Battle, parent: int, parent_battle: Battle
) -> Iterator[CarriedMismatch]:
    """Yield how the start of a battle differs from the present end of one of its parents, ship by ship.

    Args:
        parent: Index of the parent in the list of parents.
        parent_battle: The parent at its present end.
    """
    for ship in start.ships.values():
        origin = find_origin(start, ship.id)
        if origin is None or origin.parent != parent:
            continue
        parent_ship = parent_battle.ships.get(ship.id) or parent_battle.reserve.get(ship.id)
        if parent_ship is None or not is_returning(system, parent_ship):
            # She should not be in the later battle.
            yield CarriedMismatch(
                ship.id,
                ship.name,
                field="",
                in_later=ship.status,
                in_earlier=parent_ship.status if parent_ship else "",
            )
            continue
        start_state, end_state = read_state(system, ship), read_state(system, parent_ship)
        for name in start_state | end_state:
            end_value = end_state.get(name)
            carried_value = _undo_mending(start_state.get(name), origin.mended.get(name, 0), end_value)
            if carried_value != end_value:
                yield CarriedMismatch(ship.id, ship.name, name, carried_value, end_value)
        for field in system.fields:
            card_value, parent_value = ship.card.get(field.name), parent_ship.card.get(field.name)
            if field.card and card_value != parent_value:
                yield CarriedMismatch(ship.id, ship.name, field.name, card_value, parent_value)
    for id in list_parents(start)[parent].lost:
        parent_ship = parent_battle.ships.get(id)
        if parent_ship is not None and is_returning(system, parent_ship):
            # She should be in the later battle.
            yield CarriedMismatch(id, parent_ship.name, field="", in_later="", in_earlier=parent_ship.status)


def _undo_mending(value: Lasting, change: int, end_value: Lasting) -> Lasting:
    """Return the value that a ship had before repairs changed it by `change` (marks: their number).

    The texts of mended marks are not known. They are taken from `end_value`, the value that the parent battle
    has now, so that a comparison with it only finds other differences.
    """
    if isinstance(value, tuple):
        count = max(0, -change)
        known_texts = end_value if isinstance(end_value, tuple) else ()
        mended_marks = (*known_texts, *[""] * count)[:count]
        return (*mended_marks, *value)
    return value - change if isinstance(value, int) else value
