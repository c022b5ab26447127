"""The events of an entry: what happened to a ship that an evening is told by."""

from collections.abc import Iterator

from attrs import frozen

from qf_tui.core.values import SUNK, Battle


@frozen
class Event:
    """Something that an evening is told by, in words; `ship` is the one that it happened to, "" for none.

    `lost`: she is not afloat any more.
    """

    text: str
    ship: str = ""
    lost: bool = False


def losses(before: Battle, after: Battle) -> Iterator[Event]:
    """The ships of which something became between two battles."""
    if before.ships is after.ships:
        return
    for ship in after.ships.values():
        old = before.ships.get(ship.id)
        if old is not None and old.status != ship.status and not ship.afloat:
            text = f"{ship.name} {'sinks' if ship.status == SUNK else f'is {ship.status}'}"
            yield Event(text, ship.id, lost=True)
