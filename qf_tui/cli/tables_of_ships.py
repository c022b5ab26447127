"""Ships as CSV, out of the program and in: facts of any navies, and ready values of a rule system."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from qf_tui.cli.opening import named_systems
from qf_tui.cli.out_file import give
from qf_tui.cli.output import say, warn
from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import ShipFacts, contradictions
from qf_tui.core.system import RuleSystem
from qf_tui.library.fault_words import near
from qf_tui.library.fleet_csv import cards_text, read_cards
from qf_tui.library.fleet_writer import own_fleet, save_fleet
from qf_tui.library.fleets import load_fleet
from qf_tui.library.paths import find_typed, shipped
from qf_tui.library.reading import BYTES_MOST, read_bytes, read_toml
from qf_tui.library.ships.navies import identified
from qf_tui.library.ships.navy_ships import navy_names
from qf_tui.library.ships.own import own_navy
from qf_tui.library.ships.rated_cards import RatedCards
from qf_tui.library.ships.ship_csv import keep_ships, read_ships, ships_text
from qf_tui.library.ships.values import rated
from qf_tui.library.systems import find_systems

STANDARD_INPUT = "-"


def ships_out(ships: Iterable[ShipFacts], arguments: Namespace) -> None:
    """Gives out the facts of ships, or with `--rules` their values under it."""
    if arguments.rules is None:
        _give(ships_text(ships), arguments)
        return
    (system,) = named_systems(arguments.rules)
    made = RatedCards(system)
    ratings = [(ship, rating) for ship in ships if (rating := rated(system, ship)) is not None]
    cards = [made.plain(ship, rating) for ship, rating in ratings]
    _give(cards_text(cards, system, [ship.navy for ship, _ in ratings]), arguments)


def ships_in(arguments: Namespace) -> int:
    """Takes ships into the user's own files of their navies; all or none."""
    data, path = given(arguments.taken)
    ships = read_ships(data, path, arguments.navy or "")
    unknown = unknown_navies(ship.navy for ship in ships)
    kept = keep_ships(ships, replace=arguments.replace)
    say(
        f"{kept.new} new, {kept.replaced} in the place of others, {kept.same} as before",
        *map(str, kept.files),
    )
    for text in unknown:
        warn(text)
    for ship in ships:
        for odd in contradictions(ship):
            warn(f"{ship.name}: odd: {odd}")
    return 0


def unknown_navies(navies: Iterable[str]) -> tuple[str, ...]:
    """What to say of navies that nobody has a file of: one by a slip of the pen looks like any other."""
    known = navy_names()
    files = dict.fromkeys(own_navy(navy).stem for navy in navies)
    return tuple(f"{name}: a new navy of your own{near(name, known)}" for name in files if name not in known)


def fleet_out(arguments: Namespace) -> int:
    """Gives out the values of a fleet's ships."""
    path = find_typed("fleets", arguments.name)
    system = _system(arguments.rules or read_toml(path).get("ruleset"))
    _give(cards_text(load_fleet(path, system).cards, system), arguments)
    return 0


def fleet_in(arguments: Namespace) -> int:
    """Makes a fleet of the user's from the values of ships."""
    system = _system(arguments.rules)
    data, read = given(arguments.taken)
    path = own_fleet(arguments.name or identified(read.stem))
    said = {"title": arguments.title or read.stem, "values": "published"}
    document = read_cards(data, read, system, said)
    save_fleet(document, path, find_systems(), replace=arguments.replace)
    say(f"{len(document['ship'])} ships", str(path))
    for warning in load_fleet(path, system).warnings:
        warn(warning)
    if (shipped("fleets") / path.name).exists():
        warn(f"it hides our fleet {path.stem}")
    return 0


def given(name: str) -> tuple[bytes, Path]:
    """The bytes of a file that a person names, or of standard input, and what to call it."""
    if name != STANDARD_INPUT:
        return read_bytes(Path(name)), Path(name)
    if sys.stdin is None:
        raise QfError("standard input is closed; name a file")
    data = sys.stdin.buffer.read(BYTES_MOST + 1)
    if len(data) > BYTES_MOST:
        raise QfError(f"more than {BYTES_MOST:,} bytes on standard input; break it up")
    return data, Path("standard-input")


def _system(name: str | None) -> RuleSystem:
    if name is None:
        raise QfError(f"name a rule system with --rules: {', '.join(find_systems())}")
    (system,) = named_systems(name)
    return system


def _give(text: str, arguments: Namespace) -> None:
    # A spreadsheet takes a file without the mark for one of its own code page.
    give(text, arguments.out, over=arguments.replace, encoding="utf-8-sig")
