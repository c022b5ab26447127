"""The commands `qf-tui ships`, `ship`, `fleets` and `ratings`, about the ships of all navies."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from attrs import asdict, evolve, fields

from qf_tui.cli.files import print_shelf
from qf_tui.cli.opening import list_systems
from qf_tui.cli.output import print_json, print_lines, warn, write_output
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import drop_titles
from qf_tui.core.ship_facts import (
    YEARS,
    GunArmor,
    Guns,
    HandValue,
    RatedValue,
    ShipFacts,
    SmallGuns,
    collect_values,
    list_assumptions,
    list_contradictions,
)
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import format_decimal, format_ship_value
from qf_tui.document.text import lay_out_rows
from qf_tui.features.shipyard.cards import find_own_fleet, format_cards_csv, read_cards, write_fleet
from qf_tui.features.shipyard.facts import SIGNS, format_service, list_signs
from qf_tui.features.shipyard.methods import list_attested_errors, list_odd_values
from qf_tui.features.shipyard.own_ships import ShipDraft, delete_ship, format_ships_csv, keep_ships
from qf_tui.features.shipyard.springsharp import decode_report, find_country_navy, read_springsharp
from qf_tui.library.csv_rows import COLUMNS, make_ascii_id
from qf_tui.library.declared import Systems
from qf_tui.library.faults import format_hint, make_printable
from qf_tui.library.fleets import load_fleet
from qf_tui.library.navies import (
    Register,
    build_ship_key,
    find_first_date,
    find_own_navy,
    format_navy_title,
    list_navies,
    load_register,
    read_ships,
)
from qf_tui.library.paths import (
    BYTES_MOST,
    find_shipped_folder,
    find_typed,
    read_bytes,
    read_toml,
)
from qf_tui.library.ratings import make_card, rate_ship, read_hand_value
from qf_tui.library.systems import find_systems, load_usable

NONE_FOUND = 1
INCOMPLETE = 1
STANDARD_INPUT = "-"
HAND = "*"
"""Sign before a value that was set by hand."""
HEADINGS = tuple(column.heading for column in COLUMNS)


def print_ships(arguments: Namespace) -> int:
    """Print the ships that match all words, a single one in full, or with `--import` import those of a file.

    Returns:
        The exit status: 1 if no ship matches, else 0.

    Raises:
        QfError: The options do not fit together, or the file cannot be imported.
    """
    if arguments.import_file is not None:
        return import_ships(arguments)
    for name, value in (("rules", arguments.rules), ("out", arguments.out)):
        if value is not None and not arguments.csv:
            raise QfError(f"--{name} is only for --csv")
    if arguments.navy is not None:
        raise QfError(f"--navy is only for --import; `qf-tui ships {arguments.navy}` lists a navy")
    register = load_register()
    for fault in register.faulty:
        warn(str(fault))
    matches = register.find_ships(arguments.words)
    if arguments.json:
        systems = load_usable(find_systems(), warn)
        print_json([build_ship_json(ship, systems) for ship in matches], indent=2)
    elif matches and arguments.csv:
        export_ships(matches, arguments)
    elif len(matches) == 1:
        print_lines(*build_ship_lines(matches[0], load_usable(find_systems(), warn).values()))
    elif matches:
        _print_list(matches, find_first_date(" ".join(arguments.words)))
    else:
        letters = " ".join(arguments.words)
        similar = ", ".join(f"{ship.name} ({ship.navy})" for ship in register.find_similar_ships(letters))
        advice = (
            "leave a word out"
            if len(arguments.words) > 1
            else "each word must begin a name, navy, class or kind"
        )
        hint = f"did you mean {similar}?" if similar else advice
        warn(f"no ship matches “{letters}”; {hint}")
    return 0 if matches else NONE_FOUND


def _print_list(ships: Sequence[ShipFacts], when: str) -> None:
    """Print a line for each ship, and what the signs after the names mean.

    Args:
        when: The year or day that was named, or ""; each line then shows the years of service, too.
    """
    heads = ("navy", "ship", "kind", "from", "tons", "knots", "heavy guns", "belt")
    rows = [heads, *(_build_list_row(ship, when) for ship in ships)]
    if when:
        served = ("served", *(format_service(ship, when) for ship in ships))
        rows = [(*row, text) for row, text in zip(rows, served, strict=True)]
    print_lines(*lay_out_rows(rows, rights=(False, False, False, True, True, True, False, True)))
    signs = dict.fromkeys(sign for ship in ships for sign in list_signs(ship, when))
    for sign in signs:
        warn(f"{sign} {SIGNS[sign]}")


def _build_list_row(ship: ShipFacts, when: str) -> tuple[str, ...]:
    """Build the row of a ship in the list."""
    guns = " + ".join(guns.text for guns in ship.heavy) or "none"
    name = " ".join((ship.name, *list_signs(ship, when)))
    belt = format_decimal(ship.belt) if ship.belt else "-"
    return ship.navy, name, ship.kind, str(ship.since), str(ship.tons), format_decimal(ship.knots), guns, belt


def build_ship_lines(ship: ShipFacts, systems: Iterable[RuleSystem]) -> Iterator[str]:
    """Yield all facts of a ship, contradictions in them, and her values with their working."""
    yield f"{ship.name}, {ship.navy}{' (your own row)' if ship.own else ''}"
    rows = []
    for column in COLUMNS:
        text = _format_fact(getattr(ship, column.fact)) if column.fact not in ("", "id", "name") else ""
        if text:
            rows.append((f"  {column.heading}", text))
    if ship.class_row:
        rows.append(("  facts", f"of her class, {ship.class_row}"))
    yield from lay_out_rows([*rows, ("  served", format_service(ship))])
    for text in list_contradictions(ship):
        yield f"  odd: {text}"
    for system in systems:
        rating = rate_ship(system, ship)
        if rating:
            yield ""
            yield f"{system.title}"
            yield from lay_out_rows(map(_build_value_row, rating))
            yield from (f"  assumed: {text}" for text in list_assumptions(rating))


def _build_value_row(value: RatedValue) -> tuple[str, ...]:
    """Build the row of a value: its key, marked if set by hand, its text, and its working."""
    return f"{HAND if value.by_hand else ' '} {value.key}", format_ship_value(value.value), value.working


def _format_fact(value: object) -> str:
    """Format a fact; "" for None. Sources with addresses are separated by bars, other lists by semicolons."""
    if isinstance(value, tuple):
        separator = " | " if any(str(source).startswith("http") for source in value) else "; "
        return separator.join(str(part) for part in value)
    if isinstance(value, Fraction):
        return format_decimal(value)
    return "" if value is None else str(value)


def build_ship_json(ship: ShipFacts, systems: Systems) -> dict[str, object]:
    """Build the JSON of a ship: her facts, contradictions in them, and her values with their working.

    Values are by rule system; one that cannot rate her is left out.
    """
    facts = {field.name: _to_plain(getattr(ship, field.name)) for field in fields(ShipFacts)}
    ratings = {name: rate_ship(system, ship) for name, system in systems.items()}
    values_by_system = {name: rating for name, rating in ratings.items() if rating}
    return {
        **facts,
        "odd": list(list_contradictions(ship)),
        "values": {name: collect_values(rating) for name, rating in values_by_system.items()},
        "working": {
            name: {value.key: _build_working(value) for value in rating}
            for name, rating in values_by_system.items()
        },
    }


def _build_working(value: RatedValue) -> dict[str, object]:
    """Build the JSON of how a value was worked out; empty texts and False are left out."""
    fields = {"working": value.working, "assumed": value.assumed, "by_hand": value.by_hand}
    return {key: value for key, value in fields.items() if value}


def _to_plain(value: Any) -> object:
    """Convert a fact to the types of JSON."""
    if isinstance(value, tuple):
        return [_to_plain(part) for part in value]
    if isinstance(value, Fraction):
        return float(value) if value.denominator > 1 else int(value)
    if isinstance(value, Guns | GunArmor | SmallGuns | HandValue):
        return {name: _to_plain(part) for name, part in asdict(value, recurse=False).items()}
    return value


def export_ships(ships: Iterable[ShipFacts], arguments: Namespace) -> None:
    """Write the facts of ships as CSV, or with `--rules` the values of those that can be rated."""
    if arguments.rules is None:
        _write_csv(format_ships_csv(ships), arguments)
        return
    (system,) = list_systems(arguments.rules)
    rated = [(ship, card) for ship in ships if (card := make_card(system, ship))]
    _write_csv(
        format_cards_csv([card for _, card in rated], system, [ship.navy for ship, _ in rated]), arguments
    )


def import_ships(arguments: Namespace) -> int:
    """Import ships into the user's own files of their navies, all or none; return 0."""
    data, path = read_input(arguments.import_file)
    ships = read_ships(data, path, arguments.navy or "")
    unknown = list_unknown_navies(ship.navy for ship in ships)
    imported = keep_ships(ships, replace=arguments.replace)
    print_lines(
        f"{imported.new} new, {imported.replaced} replaced, {imported.same} unchanged",
        *map(str, imported.files),
    )
    for text in unknown:
        warn(text)
    for ship in ships:
        for odd in list_contradictions(ship):
            warn(f"{ship.name}: odd: {odd}")
    return 0


def list_unknown_navies(navies: Iterable[str]) -> tuple[str, ...]:
    """Return a message for each navy that is not known yet: its name may be misspelled."""
    known_navies = list_navies()
    files = dict.fromkeys(find_own_navy(navy).stem for navy in navies)
    return tuple(
        f"{name}: a new navy of your own{format_hint(name, known_navies)}"
        for name in files
        if name not in known_navies
    )


def print_ship(arguments: Namespace) -> int:
    """Print a ship, and save her if asked; or with `--delete` only delete her.

    Returns:
        The exit status: 1 if facts are missing or wrong, else 0.

    Raises:
        QfError: An argument is wrong, or the ship cannot be saved or deleted.
    """
    systems, register = find_systems(), load_register()
    least, most = YEARS
    if arguments.year is not None and not least <= arguments.year <= most:
        raise QfError(f"--year {arguments.year}: not a year of any ship; name one from {least} to {most}")
    if arguments.delete:
        return _delete_ship(arguments, register)
    draft = _read_report(arguments, register) if arguments.springsharp else _begin_draft(arguments, register)
    for fact in arguments.facts:
        draft = _set_fact(draft, fact, systems)
    reading = draft.reading
    for column in reading.missing:
        warn(f"{column} is missing")
    for column, text in reading.wrong.items():
        warn(f"{column}: {text}")
    if reading.ship is None:
        print_lines(*lay_out_rows((f"  {heading}", text) for heading, text in draft.row.items() if text))
        return INCOMPLETE
    if arguments.rules and arguments.rules not in systems:
        raise QfError(
            f"no rule system “{make_printable(arguments.rules)}”{format_hint(arguments.rules, systems)}"
        )
    wanted_systems = {arguments.rules: systems[arguments.rules]} if arguments.rules else systems
    if arguments.json:
        print_json(build_ship_json(reading.ship, wanted_systems), indent=2)
    else:
        print_lines(*build_ship_lines(reading.ship, wanted_systems.values()))
    if arguments.save:
        for text in list_unknown_navies([draft.navy]):
            warn(text)
        warn(f"saved in {draft.keep()}")
    elif not arguments.json and (arguments.facts or arguments.springsharp):
        warn("not saved; --save adds her to your own ships")
    return 0


def _delete_ship(arguments: Namespace, register: Register) -> int:
    """Delete one of the user's own ships, and report the file; return 0.

    Raises:
        QfError: There is no such ship, or she is not the user's own.
    """
    navy, name = _parse_ship_name(arguments.ship)
    ship = _find_ship(register, navy, name, arguments.year)
    if ship is None:
        raise QfError(_format_missing(register, navy, name))
    print_lines(f"{ship.name} is deleted from {delete_ship(navy, build_ship_key(ship))}")
    return 0


def _read_report(arguments: Namespace, register: Register) -> ShipDraft:
    """Begin a draft from a Springsharp report; the navy and name come from the user, or else the report.

    Raises:
        QfError: The text is no such report, or the user's navy or name is missing.
    """
    data, _ = read_input(arguments.springsharp)
    report = read_springsharp(decode_report(data))
    if not report.cells:
        raise QfError(
            "this is not a Springsharp report; open the design in Springsharp, and copy the whole report, "
            "from the ship's name on"
        )
    for text in report.unread:
        warn(f"not read: {text}")
    for text in report.assumed:
        warn(f"assumed: {text}")
    if "=" in (arguments.ship or ""):
        # The user named no ship: the first fact is in her place.
        arguments.facts, arguments.ship = [arguments.ship, *arguments.facts], None
    if arguments.ship is None:
        navy = find_country_navy(report.country, [title.lower() for title in register.navies])
        return ShipDraft(format_navy_title(navy), report.cells)
    navy, name = _parse_ship_name(arguments.ship)
    return ShipDraft(navy, {**report.cells, "name": name, "id": make_ascii_id(name)})


def _parse_ship_name(text: str | None) -> tuple[str, str]:
    """Split `NAVY/NAME` into the navy's title and the name; QfError if either is missing."""
    navy, slash, name = (text or "").partition("/")
    if not slash or not name.strip():
        raise QfError(f"“{make_printable(text or '')}”: expected a navy and a name, like japan/mikasa")
    return format_navy_title(find_own_navy(navy).stem), name.strip()


def _find_ship(register: Register, navy: str, name: str, year: int | None) -> ShipFacts | None:
    """Return the ship with an id or name, as she was in a year or by her last row; None if there is none.

    Args:
        register: All ships.
        navy: The title of her navy.
        name: Her name or id.
        year: The year, or None for her last row.
    """
    rows = _find_rows(register, navy, name)
    return max(
        (row for row in rows if year is None or row.since <= year), key=lambda row: row.since, default=None
    )


def _find_rows(register: Register, navy: str, name: str) -> list[ShipFacts]:
    """Return all rows of a navy's ship with this id or name, one for each refit; [] if there is none."""
    wanted_id = make_ascii_id(" ".join(drop_titles(name.split())))
    rows = (*register.navies.get(navy, ()), *(row for row in register.classes if row.navy == navy))
    return [row for row in rows if wanted_id in (row.id, *map(make_ascii_id, (row.name, *row.other_names)))]


def _format_missing(register: Register, navy: str, name: str) -> str:
    """Format why a ship is not found: she is of later years, her navy is unknown, or her name is."""
    rows = _find_rows(register, navy, name)
    if rows:
        earliest = min(rows, key=lambda one: one.since)
        name = make_printable(earliest.name)
        return f"{name} in {navy} is known from {earliest.since} on; name a later --year"
    if navy not in register.navies:
        return f"no navy “{make_printable(navy)}”{format_hint(navy.lower(), map(str.lower, register.navies))}"
    ids = [ship.id for ship in register.navies[navy]]
    return f"no ship “{make_printable(name)}” in {navy}{format_hint(make_ascii_id(name), ids)}"


def _begin_draft(arguments: Namespace, register: Register) -> ShipDraft:
    """Begin the draft of the named ship: a known one, a copy of the ship of `--like`, or a new one.

    Raises:
        QfError: The ship is unknown and no facts are given, or the ship to copy is unknown.
    """
    navy, name = _parse_ship_name(arguments.ship)
    known_ship = _find_ship(register, navy, name, arguments.year)
    like = arguments.like
    if like is not None:
        # Without a navy, `--like` means a ship of the same navy.
        copied_navy, copied_name = _parse_ship_name(like if "/" in like else f"{navy}/{like}")
        copied = _find_ship(register, copied_navy, copied_name, year=None)
        if copied is None:
            raise QfError(f"--like: {_format_missing(register, copied_navy, copied_name)}")
        # The copy replaces the row that the user may have for the named ship.
        own_row = ShipDraft.from_ship(known_ship).own_row if known_ship else None
        return evolve(ShipDraft.from_sister(copied).with_text("name", name), navy=navy, own_row=own_row)
    if known_ship is None and not arguments.facts:
        raise QfError(
            f"{_format_missing(register, navy, name)} (add facts to make a new one: kind=battleship ...)"
        )
    return ShipDraft.from_ship(known_ship) if known_ship else ShipDraft(navy, {"name": name})


def _set_fact(draft: ShipDraft, assignment: str, systems: Systems) -> ShipDraft:
    """Set a fact of a draft (`tons=15140`), or a value given by hand (`RULESET:VALUE=20`).

    An empty text after `=` removes the fact or the value; a value that was never given is removed silently.

    Raises:
        QfError: There is no `=`, no such fact, rule system or value, or the text of the value is wrong.
    """
    target, equals, text = assignment.partition("=")
    ruleset, colon, key = target.partition(":")
    if not equals:
        raise QfError(f"“{make_printable(assignment)}”: expected FACT=TEXT, like heavy=4x12/40")
    if not colon:
        if target not in HEADINGS:
            hint = f"{format_hint(target, HEADINGS)}; there are {', '.join(HEADINGS)}"
            raise QfError(f"no fact “{make_printable(target)}”{hint}")
        return draft.with_text(target, text)
    if ruleset not in systems:
        raise QfError(f"no rule system “{make_printable(ruleset)}”{format_hint(ruleset, systems)}")
    if text:
        _, fault = read_hand_value(systems[ruleset], HandValue(ruleset, key, text))
        if fault:
            raise QfError(fault)
    return draft.with_hand_value(ruleset, key, text)


def print_fleets(arguments: Namespace) -> int:
    """Print the names and titles of the fleets, or export or import one fleet; return 0.

    Raises:
        QfError: The fleet is unknown or faulty, or named without `--csv`.
    """
    if arguments.import_file is not None:
        return import_fleet(arguments)
    if arguments.name is None:
        return print_shelf("fleets")
    if not arguments.csv:
        raise QfError(f"add --csv to print the ships of {arguments.name}")
    path = find_typed("fleets", arguments.name)
    system = _find_system(arguments.rules or read_toml(path).get("ruleset"))
    _write_csv(format_cards_csv(load_fleet(path, system).cards, system), arguments)
    return 0


def import_fleet(arguments: Namespace) -> int:
    """Import a CSV file of card values as one of the user's own fleets; return 0."""
    system = _find_system(arguments.rules)
    data, source = read_input(arguments.import_file)
    path = find_own_fleet(arguments.name or make_ascii_id(source.stem))
    fleet_keys = {"title": arguments.title or source.stem, "values": "published"}
    document = read_cards(data, source, system, fleet_keys)
    write_fleet(document, path, find_systems(), replace=arguments.replace)
    print_lines(f"{len(document['ship'])} ships", str(path))
    for warning in load_fleet(path, system).warnings:
        warn(warning)
    if (find_shipped_folder("fleets") / path.name).exists():
        warn(f"it hides our fleet {path.stem}")
    return 0


def read_input(name: str) -> tuple[bytes, Path]:
    """Read a file, or standard input if its name is `-`; return its bytes and a name for messages.

    Raises:
        QfError: It cannot be read or is too large.
    """
    if name != STANDARD_INPUT:
        return read_bytes(Path(name)), Path(name)
    if sys.stdin is None:
        raise QfError("standard input is closed; name a file")
    data = sys.stdin.buffer.read(BYTES_MOST + 1)
    if len(data) > BYTES_MOST:
        raise QfError(f"more than {BYTES_MOST:,} bytes on standard input; break it up")
    return data, Path("standard-input")


def _find_system(name: str | None) -> RuleSystem:
    """Return the rule system with a name; QfError if the name is None or unknown."""
    if name is None:
        raise QfError(f"name a rule system with --rules: {', '.join(find_systems())}")
    (system,) = list_systems(name)
    return system


def _write_csv(text: str, arguments: Namespace) -> None:
    """Print CSV text, or write it into the file of `--out`."""
    # Without a byte order mark, spreadsheets read the file in their own code page.
    write_output(text, arguments.out, over=arguments.replace, encoding="utf-8-sig")


def print_ratings(arguments: Namespace) -> int:
    """Print how far the methods of rule systems miss stated values, and which values are odd; return 0."""
    register = load_register()
    json_by_system = {}
    for system in list_systems(arguments.ruleset):
        errors = list_attested_errors(system, register.ships)
        odd = list_odd_values(system, register.ships)
        if arguments.json:
            attested = [{**asdict(value), "error": value.error} for value in errors]
            json_by_system[system.name] = {"attested": attested, "odd": [asdict(value) for value in odd]}
            continue
        print_lines(f"{system.title}: {len(errors)} values attested")
        lines = [("ship", "value", "attested", "method", "error")]
        for value in errors:
            figures = f"{value.attested:g}", f"{value.method:g}", f"{value.error:+g}" if value.error else ""
            lines.append((value.ship, value.key, *figures))
        print_lines(*lay_out_rows(lines, rights=(False, False, True, True, True)) if errors else ())
        print_lines("", f"{len(odd)} odd values")
        print_lines(
            *lay_out_rows(
                [(value.key, f"{value.value:g}", f"{value.ship} ({value.navy})", value.why) for value in odd]
            ),
            "",
        )
    if arguments.json:
        print_json(json_by_system, indent=2)
    return 0
