"""The briefing of a side: what its players read before the battle, with nothing of the other side."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from qf_tui.core.schedule import format_aim, format_arrival
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import AFLOAT, Battle, Division, Ship
from qf_tui.document.muster import format_condition, get_side_notes
from qf_tui.features.points.document import list_rule_texts
from qf_tui.features.points.sums import list_rules


@frozen
class BriefedDivision:
    """A division of the side.

    Attributes:
        division: The division.
        ships: The names of its ships, by kind; a ship that is not afloat has her status after her name.
        state: When it arrives, and its formation or other conditions; "" if there is nothing to say.
    """

    division: Division
    ships: tuple[tuple[str, tuple[str, ...]], ...]
    state: str


@frozen
class Briefing:
    """What the players of a side know before the battle.

    Attributes:
        side: The name of the side.
        others: The names of the other sides.
        date: Date of the battle, or "".
        conditions: Light, weather and other conditions that all players know.
        divisions: Its divisions with their ships, also those that arrive later.
        orders: Its orders and notes, or "".
        arrivals: Its arrivals, each with its turn.
        victory: What it must reach to win.
    """

    side: str
    others: tuple[str, ...]
    date: str
    conditions: tuple[str, ...]
    divisions: tuple[BriefedDivision, ...]
    orders: str
    arrivals: tuple[str, ...]
    victory: tuple[str, ...]


def build_briefing(system: RuleSystem, battle: Battle, side: str) -> Briefing:
    """Build the briefing of a side from the battle as it stands.

    The scenario's own `notes` and those of its schedule are for the umpire, so they are left out.

    Args:
        side: The id of the side.
    """
    conditions = (format_condition(field, battle.table.get(field.name)) for field in system.conditions)
    return Briefing(
        side=battle.find_side_name(side),
        others=tuple(other.name for other in battle.sides if other.id != side),
        date=str(battle.table.get("date") or ""),
        conditions=tuple(filter(None, (str(battle.table.get("weather") or ""), *conditions))),
        divisions=tuple(_list_divisions(system, battle, side)),
        orders=get_side_notes(battle, side),
        arrivals=tuple(_list_arrivals(battle, side)),
        victory=tuple(list_aims(system, battle, side)),
    )


def list_aims(system: RuleSystem, battle: Battle, side: str) -> Iterator[str]:
    """Yield what a side must reach to win, then what gives it points, one text each."""
    yield from (format_aim(battle, condition) for condition in battle.plan.winning if condition.side == side)
    rules = (rule for rule in list_rules(battle) if rule.condition.side == side)
    yield from (f"points: {text}" for rule in rules for text in list_rule_texts(system, battle, rule))


def _list_divisions(system: RuleSystem, battle: Battle, side: str) -> Iterator[BriefedDivision]:
    """Yield a side's divisions that have ships; divisions that arrive later come last."""
    expected = battle.expected_ships
    own_ships = [ship for ship in (*battle.ships.values(), *expected) if ship.side == side]
    turns = {id: due.turn for due in battle.plan.schedule for id in due.ships}
    for division in dict.fromkeys(map(battle.find_division, own_ships)):
        ships = [ship for ship in own_ships if battle.find_division(ship) == division]
        later_turns = sorted({turns[ship.id] for ship in ships if ship in expected})
        conditions = (
            format_condition(field, battle.table.get(f"{field.name}.@{division.id}"))
            for field in system.division_conditions
        )
        arrives = f"arrives on turn {' and '.join(map(str, later_turns))}" if later_turns else ""
        yield BriefedDivision(
            division, _group_by_kind(ships), " · ".join(filter(None, (arrives, *conditions)))
        )


def _group_by_kind(ships: Sequence[Ship]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Group the names of ships by their kinds, in the order of the first ship of each."""
    names: dict[str, list[str]] = {}
    for ship in ships:
        name = ship.name if ship.status == AFLOAT else f"{ship.name} ({ship.status})"
        names.setdefault(str(ship.card.get("kind") or ""), []).append(name)
    return tuple((kind, tuple(names_of_kind)) for kind, names_of_kind in names.items())


def _list_arrivals(battle: Battle, side: str) -> Iterator[str]:
    """Yield the arrivals of a side to come: `turn 4: fifth and sixth arrive from the north`."""
    for due in battle.plan.schedule:
        ids = tuple(ship.id for ship in battle.expected_ships if ship.side == side and ship.id in due.ships)
        if ids:
            yield f"turn {due.turn}: {format_arrival(battle, due, ids)}"
