"""The parts `schedule` and `victory` of a header's `extra`: what the start says of later, strictly read."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen

from qf_tui.core.measure import Scalar
from qf_tui.core.plan import Condition, Due, Plan
from qf_tui.core.values import Battle, Ship
from qf_tui.journal.lines import Misread
from qf_tui.journal.validators import shown
from qf_tui.journal.value_codec import decoded, encoded

SCHEDULE, VICTORY = "schedule", "victory"
PARTS = frozenset({SCHEDULE, VICTORY})
TEXT_MOST = 300
"""Characters in the longest text of a schedule: it becomes an order."""


@frozen
class _Item:
    """An item of the schedule as a save has it: the ships that arrive stand there whole."""

    turn: int
    ships: tuple[Ship, ...] = ()
    where: str = ""
    table: Mapping[str, Scalar] = field(factory=dict)
    note: str = ""


_ITEMS: Any = tuple[_Item, ...]
_CONDITIONS: Any = tuple[Condition, ...]


def encode_plan(start: Battle) -> dict[str, object]:
    """The parts of `extra` that a start's plan makes; the ships that arrive are in its reserve."""
    items = tuple(
        _Item(due.turn, tuple(start.reserve[id] for id in due.ships), due.where, due.table, due.note)
        for due in start.plan.schedule
    )
    parts = {SCHEDULE: encoded(items, _ITEMS), VICTORY: encoded(start.plan.victory, _CONDITIONS)}
    return {name: part for name, part in parts.items() if part}


def with_plan(start: Battle, extra: Mapping[str, object]) -> Battle:
    """The start with its plan, and with the ships that arrive in its reserve; Misread says what is wrong."""
    items: tuple[_Item, ...] = _part(extra, SCHEDULE, _ITEMS)
    victory: tuple[Condition, ...] = _part(extra, VICTORY, _CONDITIONS)
    for name, faults in ((SCHEDULE, _item_faults(start, items)), (VICTORY, _faults(start, victory))):
        for fault in faults:
            raise Misread(f"extra.{name}: {fault}")
    schedule = tuple(
        Due(one.turn, tuple(ship.id for ship in one.ships), one.where, one.table, one.note) for one in items
    )
    arriving = {ship.id: ship for one in items for ship in one.ships}
    return evolve(start, plan=Plan(schedule, victory), reserve={**start.reserve, **arriving})


def _part(extra: Mapping[str, object], name: str, kind: Any) -> Any:
    try:
        return decoded(kind, extra.get(name, []))
    except Misread as fault:
        raise Misread(f"extra.{name}: {fault}") from None


def _item_faults(start: Battle, items: tuple[_Item, ...]) -> Iterator[str]:
    sides, seen = {side.id for side in start.sides}, set(start.ships)
    for item in items:
        if item.turn < 2:
            yield f"turn {item.turn}: nothing falls due before turn 2"
        for ship in item.ships:
            if ship.id in seen:
                yield f"ship {shown(ship.id)} is there already"
            if ship.side not in sides:
                yield f"ship {shown(ship.id)} is of no side: {shown(ship.side)}"
            seen.add(ship.id)
        yield from _text_faults((item.where, item.note, *item.table, *map(str, item.table.values())))


def _faults(start: Battle, victory: tuple[Condition, ...]) -> Iterator[str]:
    sides = {side.id for side in start.sides}
    for one in victory:
        for side in (one.side, one.of):
            if side not in sides:
                yield f"there is no side {shown(side)}"
        if one.count < 1 or not one.status:
            yield f"{shown(one.side)}: it counts nothing"
        yield from _text_faults((one.kind, one.edge, one.note, *one.status))


def _text_faults(texts: tuple[str, ...]) -> Iterator[str]:
    for text in texts:
        if len(text) > TEXT_MOST:
            yield f"a text of {len(text)} characters; at most {TEXT_MOST} are read"
