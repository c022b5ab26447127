"""What an entry changed on the logs and cards, from and to."""

from collections.abc import Iterable, Iterator

from qf_tui.core.consequences import Change
from qf_tui.core.effects import ON_LOGS, Effect, evolve, field_value
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import value_text
from qf_tui.core.values import Battle


def change_text(system: RuleSystem, one: Change, joint: str = " ") -> str:
    """What changed on a log, from and to: `crew 5 → 4`."""
    field = find_field(system, one.field)
    return f"{field.title if field else one.field}{joint}{value_text(one.before)} → {value_text(one.after)}"


def corrected_lines(
    system: RuleSystem, before: Battle, after: Battle, changes: Iterable[Change]
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
) -> tuple[Change, ...]:
    """The values that effects change, worked out while they are folded."""
    found = []
    for effect in effects:
        after = evolve(battle, effect, entry)
        field = find_field(system, effect.field)
        if effect.op in ON_LOGS and effect.ship in after.ships and field:
            was = field.shown(field_value(battle.ships[effect.ship], effect.field))
            now = field.shown(field_value(after.ships[effect.ship], effect.field))
            found.append(Change(effect.ship, effect.field, was, now))
        battle = after
    return tuple(found)


def net(changes: Iterable[Change]) -> list[Change]:
    """What each value was before and is after all of them; nothing of those that came back."""
    found: dict[tuple[str, str], Change] = {}
    for one in changes:
        first = found.get((one.ship, one.field), one)
        found[one.ship, one.field] = Change(one.ship, one.field, first.before, one.after)
    return [one for one in found.values() if one.before != one.after]
