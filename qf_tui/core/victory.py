"""How far each side is on its way to what wins the battle, counted by what became of ships."""

from qf_tui.core.plan import Condition
from qf_tui.core.results import Event
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import plural
from qf_tui.core.values import WITHDRAWN, Battle, Ship


def counted(battle: Battle, condition: Condition) -> int:
    """How many ships count for a condition."""
    return sum(_counts(ship, condition) for ship in battle.ships.values())


def concerns(ship: Ship, condition: Condition) -> bool:
    """Whether a condition is about a ship, whatever has become of her."""
    kind = str(ship.card.get("kind") or "").casefold()
    return ship.side == condition.of and condition.kind.casefold() in ("", kind)


def _counts(ship: Ship, condition: Condition) -> bool:
    # Most ships are afloat, which no condition counts.
    if ship.status not in condition.status or not concerns(ship, condition):
        return False
    return condition.edge in ("", ship.edge) or ship.status != WITHDRAWN


def standing_text(battle: Battle, condition: Condition) -> str:
    """Where a condition stands: `Japan: 1 of 6 battleships of Russia sunk or struck`."""
    kind = condition.kind or "ship"
    what = kind if condition.count == 1 else plural(kind)
    owner = f" of {_name(battle, condition.of)}" if condition.of != condition.side else ""
    done = " or ".join(_done(status, condition.edge) for status in condition.status)
    note = f" ({condition.note})" if condition.note else ""
    number = counted(battle, condition)
    return f"{_name(battle, condition.side)}: {number} of {condition.count} {what}{owner} {done}{note}"


def _done(status: str, edge: str) -> str:
    return f"off the {edge} edge" if status == WITHDRAWN and edge else status


def _name(battle: Battle, id: str) -> str:
    side = battle.side(id)
    return side.name if side else id


def standings(battle: Battle) -> tuple[str, ...]:
    """Where every condition stands; one that is met says so."""
    return tuple(
        f"{standing_text(battle, one)}{' · reached' if counted(battle, one) >= one.count else ''}"
        for one in battle.plan.victory
    )


def newly_reached(before: Battle, after: Battle) -> tuple[Event, ...]:
    """The conditions that are met, and were not before."""
    if before.ships is after.ships:
        return ()
    return tuple(
        Event(f"victory is reached: {standing_text(after, one)}")
        for one in after.plan.victory
        if counted(before, one) < one.count <= counted(after, one)
    )


def events(system: RuleSystem, before: Battle, after: Battle) -> tuple[Event, ...]:
    """The events of an entry that an evening is told by: those of its rules, and victory."""
    return (*system.events(before, after), *newly_reached(before, after))
