"""Ships of all navies by any words: a list, or one ship with all that is known of her."""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from attrs import asdict, fields

from qf_tui.cli.output import say, say_json, warn
from qf_tui.cli.tables import table
from qf_tui.core.measure import decimal
from qf_tui.core.ratings import RatedValue
from qf_tui.core.ship_facts import GunArmor, Guns, HandValue, ShipFacts, SmallGuns, contradictions
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import value_text
from qf_tui.library.ships.navies import COLUMNS
from qf_tui.library.ships.register import register
from qf_tui.library.ships.values import rated
from qf_tui.library.systems import find_systems, usable

NOBODY = 1
HAND = "*"
"""Before a value that was set by hand."""


def ships(arguments: Namespace) -> int:
    """Prints the ships that all words fit; 1 if there are none. Or takes in those of a file."""
    if arguments.taken is not None:
        from qf_tui.cli.tables_of_ships import ships_in

        return ships_in(arguments)
    known = register()
    for fault in known.faulty:
        warn(str(fault))
    found = known.found(arguments.words)
    if arguments.json:
        systems = usable(find_systems(), warn)
        say_json([ship_json(ship, systems) for ship in found], indent=2)
    elif found and arguments.csv:
        from qf_tui.cli.tables_of_ships import ships_out

        ships_out(found, arguments)
    elif len(found) == 1:
        say(*ship_lines(found[0], usable(find_systems(), warn).values()))
    elif found:
        heads = ("navy", "ship", "kind", "from", "tons", "knots", "heavy guns", "belt")
        say(*table([heads, *map(_line, found)], rights=(False, False, False, True, True, True, False, True)))
    else:
        letters = " ".join(arguments.words)
        near = ", ".join(f"{ship.name} ({ship.navy})" for ship in known.near(letters))
        more = "leave a word out" if len(arguments.words) > 1 else "a word begins a name, navy, class or kind"
        warn(f"no ship is found by “{letters}”; {f'did you mean {near}?' if near else more}")
    return 0 if found else NOBODY


def _line(ship: ShipFacts) -> tuple[str, ...]:
    guns = " + ".join(guns.text for guns in ship.heavy) or "none"
    name = f"{ship.name} *" if ship.own else ship.name
    belt = decimal(ship.belt) if ship.belt else "-"
    return ship.navy, name, ship.kind, str(ship.since), str(ship.tons), decimal(ship.knots), guns, belt


def ship_lines(ship: ShipFacts, systems: Iterable[RuleSystem]) -> Iterator[str]:
    """All facts of a ship, what is odd in them, and her values with their working."""
    yield f"{ship.name}, {ship.navy}{' (your own row)' if ship.own else ''}"
    rows = []
    for column in COLUMNS:
        if column.fact and column.fact not in ("id", "name"):
            value = getattr(ship, column.fact)
            said = _said(value)
            if said:
                rows.append((f"  {column.heading}", said))
    yield from table(rows)
    for text in contradictions(ship):
        yield f"  odd: {text}"
    for system in systems:
        rating = rated(system, ship)
        if rating is not None:
            yield ""
            yield f"{system.title}"
            yield from table(map(_value, rating.values))
            yield from (f"  assumed: {text}" for text in rating.assumptions)


def _value(one: RatedValue) -> tuple[str, ...]:
    return f"{HAND if one.by_hand else ' '} {one.key}", value_text(one.value), one.working


def _said(value: object) -> str:
    if isinstance(value, tuple):
        joint = " | " if any(str(one).startswith("http") for one in value) else "; "
        return joint.join(str(one) for one in value)
    if isinstance(value, Fraction):
        return decimal(value)
    return "" if value is None else str(value)


def ship_json(ship: ShipFacts, systems: Mapping[str, RuleSystem]) -> dict[str, object]:
    """A ship's facts, what is odd in them, and by rule system her values and their working."""
    facts = {field.name: _plain(getattr(ship, field.name)) for field in fields(ShipFacts)}
    ratings = {name: rated(system, ship) for name, system in systems.items()}
    known = {name: rating for name, rating in ratings.items() if rating is not None}
    return {
        **facts,
        "odd": list(contradictions(ship)),
        "values": {name: rating.card for name, rating in known.items()},
        "working": {
            name: {one.key: _working(one) for one in rating.values} for name, rating in known.items()
        },
    }


def _working(one: RatedValue) -> dict[str, object]:
    said = {"working": one.working, "assumed": one.assumed, "by_hand": one.by_hand}
    return {key: value for key, value in said.items() if value}


def _plain(value: Any) -> object:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Fraction):
        return float(value) if value.denominator > 1 else int(value)
    if isinstance(value, Guns | GunArmor | SmallGuns | HandValue):
        return {name: _plain(part) for name, part in asdict(value, recurse=False).items()}
    return value
