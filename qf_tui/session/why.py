"""Why a ship is as she is: the entries that touched her, and what each of them changed."""

from attrs import frozen

from qf_tui.core.decisions import Effect
from qf_tui.core.revisions import ValueChange
from qf_tui.core.system import Column, RuleSystem
from qf_tui.core.timeline import Ruling, Timeline
from qf_tui.core.values import Battle, Ship
from qf_tui.session.changes import effect_changes

MOST = 40
"""Entries that are told of one cell at most."""


@frozen
class Cause:
    """One entry that touched a cell: its number, the battle before it, its ruling, what it changed there."""

    number: int
    before: Battle
    ruling: Ruling
    changes: tuple[ValueChange, ...]


def causes(system: RuleSystem, timeline: Timeline, ship: Ship, column: Column | None) -> tuple[Cause, ...]:
    """The entries in force whose effects touched a column of a ship, newest first; without one, all of her.

    What a column is drawn from on other ships counts too.
    """
    fields = column.fields if column else ()
    columns = (column,) if column else system.columns
    beside = {place for one in columns if one.beside for place in one.beside(timeline.battle, ship)}

    def touched(one: Effect | ValueChange) -> bool:
        own = one.ship == ship.id and (not fields or one.field in fields)
        return own or (one.ship, one.field) in beside

    found = []
    # In the order of play each battle is folded from the one before.
    for place, number in enumerate(timeline.play_order):
        ruling = timeline.rulings[number]
        effects = ruling.decision.effects
        if any(map(touched, effects)):
            before = timeline.battle_at(place)
            own = tuple(one for one in effect_changes(system, before, effects, number) if touched(one))
            found += [Cause(number, before, ruling, own)] if own else []
    return tuple(reversed(found[-MOST:]))
