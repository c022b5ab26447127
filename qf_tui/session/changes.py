"""Why a ship is as she is: the entries that touched her, and what each of them changed."""

from collections.abc import Iterable

from attrs import frozen

from qf_tui.core.decisions import ON_LOGS, Effect, apply_effect, field_value
from qf_tui.core.revisions import ValueChange
from qf_tui.core.system import Column, RuleSystem, find_field
from qf_tui.core.timeline import Ruling, Timeline
from qf_tui.core.values import Battle, Ship


def effect_changes(
    system: RuleSystem, battle: Battle, effects: tuple[Effect, ...], entry: int
) -> tuple[ValueChange, ...]:
    """The values that effects change, worked out while they are folded."""
    found = []
    for effect in effects:
        after = apply_effect(battle, effect, entry)
        field = find_field(system, effect.field)
        if effect.op in ON_LOGS and effect.ship in after.ships and field:
            was = field.shown(field_value(battle.ships[effect.ship], effect.field))
            now = field.shown(field_value(after.ships[effect.ship], effect.field))
            found.append(ValueChange(effect.ship, effect.field, was, now))
        battle = after
    return tuple(found)


def net(changes: Iterable[ValueChange]) -> list[ValueChange]:
    """What each value was before and is after all of them; nothing of those that came back."""
    found: dict[tuple[str, str], ValueChange] = {}
    for one in changes:
        first = found.get((one.ship, one.field), one)
        found[one.ship, one.field] = ValueChange(one.ship, one.field, first.before, one.after)
    return [one for one in found.values() if one.before != one.after]


MOST = 40
"""Entries of one cell at most."""


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
