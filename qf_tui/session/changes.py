"""What an entry changed on the logs and cards, from and to."""

from collections.abc import Iterable, Iterator

from qf_tui.core.decisions import ON_LOGS, Effect, apply_effect, field_value
from qf_tui.core.revisions import ValueChange
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import value_text
from qf_tui.core.values import Battle

JOINT = " · "
"""Stands between what is told of one ship and of another."""


def is_number(value: object) -> bool:
    """Whether a value is a figure, not a yes or no."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def change_text(system: RuleSystem, one: ValueChange, joint: str = " ") -> str:
    """What changed on a log, from and to: `crew 5 → 4`."""
    field = find_field(system, one.field)
    return f"{field.title if field else one.field}{joint}{value_text(one.before)} → {value_text(one.after)}"


def corrected_lines(
    system: RuleSystem, before: Battle, after: Battle, changes: Iterable[ValueChange]
) -> Iterator[str]:
    """What a correction changes on the logs, a line a value; of a ship that comes or goes only that."""
    told: set[str] = set()
    for one in changes:
        old, new = before.ships.get(one.ship), after.ships.get(one.ship)
        ship = new or old
        name = ship.name if ship else one.ship
        if old and new:
            yield f"{name}: {change_text(system, one)}"
        elif one.ship not in told:
            told.add(one.ship)
            yield f"{name} is {'in' if new else 'not in'} the battle"


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


def changed_text(system: RuleSystem, battle: Battle, changes: list[ValueChange], told: str) -> str:
    """The values that changed, ship by ship; the ship that was told of already is not named again."""
    parts = []
    for ship in dict.fromkeys(one.ship for one in changes):
        own = ", ".join(_one_change(system, battle, one) for one in changes if one.ship == ship)
        name = battle.called(ship) if ship in battle.ships else ship
        parts.append(own if ship == told else f"{name}: {own}")
    return JOINT.join(parts)


def _one_change(system: RuleSystem, battle: Battle, one: ValueChange) -> str:
    field, after = find_field(system, one.field), one.after
    title = field.title if field else one.field
    if is_number(one.before) and is_number(after):
        return f"{title} {value_text(one.before)}→{value_text(after)}"
    if field and field.ships and isinstance(after, tuple):
        after = tuple(battle.called(id) if id in battle.ships else id for id in after)
    return f"{title} {value_text(after)}"
