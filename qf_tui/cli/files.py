"""Files that people write: checked, listed, and their schemas."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from qf_tui.cli.opening import named_systems
from qf_tui.cli.output import give, named, say, say_json, warn
from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import ShipFacts, contradictions
from qf_tui.core.system import RuleSystem
from qf_tui.document.text import table
from qf_tui.journal.reading import SaveFault, read_save
from qf_tui.library import check as checker
from qf_tui.library import check as schemas
from qf_tui.library.check import install_schemas, schema_text
from qf_tui.library.csv_rows import identified
from qf_tui.library.faults import near
from qf_tui.library.fleets import load_fleet
from qf_tui.library.navies import keep_ships, navy_names, own_navy, read_ships, ships_text
from qf_tui.library.paths import BYTES_MOST, find_typed, is_there, listed, read_bytes, read_toml, shipped
from qf_tui.library.ratings import RatedCards, rated
from qf_tui.library.settings import SETTINGS, keep_setting, load_settings, make_settings, setting_named
from qf_tui.library.systems import find_systems, usable
from qf_tui.library.writers import cards_text, own_fleet, read_cards, save_fleet
from qf_tui.session.saves import open_timeline, rules_by

FAULTY, UNREADABLE = 1, 2


def check(arguments: Namespace) -> int:
    """Prints all that is wrong with each file; 0 nothing, 1 faults, 2 a file that cannot be read."""
    return max(_check(name) for name in arguments.files)


def _check(name: str) -> int:
    path = Path(name)
    checked = checker.check(path, find_systems())
    if checked.kind == checker.SAVE:
        return _check_save(path)
    for file in checked.files:
        say(str(file))
    for warning in checked.warnings:
        say(f"{named(name)}: warning: {warning}")
    if checked.files:
        return FAULTY if _readable(path) else UNREADABLE
    say(f"{named(name)}: a {checked.kind}, nothing wrong")
    return 0


def _readable(path: Path) -> bool:
    if not is_there(path):
        return False
    try:
        with path.open("rb") as file:
            file.read(1)
    except (OSError, ValueError):
        return False
    return True


def _check_save(path: Path) -> int:
    try:
        save = read_save(path, rules_by(find_systems()))
        open_timeline(save, find_systems())
    except SaveFault as fault:
        say(str(fault))
        return FAULTY
    except QfError as fault:
        say(f"{named(path)}: {fault}")
        return FAULTY
    if save.short:
        say(f"{named(path)}: {save.end_notice}")
        return FAULTY
    for warning in filter(None, (save.end_notice, save.extra_notice)):
        say(f"{named(path)}: warning: {warning}")
    say(f"{named(path)}: a save of {len(save.log)} acts, nothing {'else ' if save.torn else ''}wrong")
    return 0


def shelf(arguments: Namespace) -> int:
    """Prints the names and titles on the paths."""
    found = listed(arguments.kind)
    if found:
        say(*table([one.name, one.title, "yours" if one.own else ""] for one in found))
    return 0


def schema(arguments: Namespace) -> int:
    """Prints the schema of one kind of file for a rule system, or for any of them; or puts all in place."""
    systems = usable(find_systems())
    if arguments.install:
        say(*map(str, install_schemas(systems)))
        return 0
    kind = "chart" if arguments.kind == "overlay" else arguments.kind
    if kind is None:
        raise QfError("name a kind of file: fleet, scenario or overlay; or put all in place with --install")
    if kind == "fleet" and arguments.ruleset is None:
        print(schema_text(kind, "", systems), end="")
        return 0
    named = named_systems(arguments.ruleset)
    if len(named) == 1:
        print(schema_text(kind, named[0].name, systems), end="")
        return 0
    made = [schemas.schema(kind, system, named) for system in named]
    say_json({"$schema": made[0]["$schema"], "title": arguments.kind, "oneOf": made}, indent=2)
    return 0


def fleets(arguments: Namespace) -> int:
    """Prints the names and titles on the paths, or gives out or takes in one fleet."""
    if arguments.taken is None and arguments.name is None:
        return shelf(arguments)

    if arguments.taken is not None:
        return fleet_in(arguments)
    if not arguments.csv:
        raise QfError(f"--csv gives out the ships of {arguments.name}")
    return fleet_out(arguments)


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


def settings(arguments: Namespace) -> int:
    """Prints the settings and where their file lies, made if need be; with a name and a value sets one."""
    if arguments.value is not None:
        keep_setting(arguments.name, arguments.value)
    wanted = (setting_named(arguments.name),) if arguments.name is not None else SETTINGS
    say(str(make_settings()))
    held = load_settings()
    rows = [[one.name, _said(getattr(held, one.name)), one.label] for one in wanted]
    say(*table(rows))
    return 0


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, str) and value else "none" if not value else "see the file"
