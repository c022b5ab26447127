"""The entries of a timeline as they were played: each with the battle before and after it, as recorded."""

from collections.abc import Iterator

from attrs import frozen

from qf_tui.core.acts import State
from qf_tui.core.timeline import Timeline, apply
from qf_tui.core.values import Battle


@frozen
class PlayedEntry:
    """One entry that counts: its number, and the battle on both sides of it."""

    entry: int
    before: Battle
    after: Battle


def played(timeline: Timeline) -> Iterator[PlayedEntry]:
    """Every entry in force that counts, in the order of play."""
    battle = timeline.start
    for number in timeline.play_order:
        ruling = timeline.rulings[number]
        after = apply(battle, number, ruling)
        if ruling.state is State.STANDS:
            yield PlayedEntry(number, battle, after)
        battle = after


def origin(timeline: Timeline, entry: int) -> int:
    """The entry that an answer goes back to in the end; of any other order itself."""
    order, seen = timeline.versions[entry].order, {entry}
    while order.is_answer and order.cause in timeline.versions and order.cause not in seen:
        entry = order.cause
        order = timeline.versions[entry].order
        seen.add(entry)
    return entry


def doer(timeline: Timeline, entry: int, struck: str) -> str:
    """The ship of another side that what an entry did to a ship goes back to; "" where none does.

    An answer goes back to the order that it was asked for.
    """
    ships = timeline.battle.ships
    order = timeline.versions[origin(timeline, entry)].order
    if order.is_answer:
        return ""
    first = next((name for name in order.names if name in ships), "")
    return first if first and struck in ships and ships[first].side != ships[struck].side else ""
