"""The shipyard without a screen: facts in, values with their working out, and a ship kept if asked for."""

from argparse import Namespace
from collections.abc import Mapping

from attrs import evolve

from qf_tui.cli.output import say, say_json, warn
from qf_tui.cli.ships import ship_json, ship_lines
from qf_tui.cli.tables import table
from qf_tui.cli.tables_of_ships import given, unknown_navies
from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import YEARS, HandValue, ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.library.fault_words import near
from qf_tui.library.faults import shown
from qf_tui.library.reading import encoding_of
from qf_tui.library.ships.drafts import ShipDraft
from qf_tui.library.ships.navies import COLUMNS, identified, navy_title
from qf_tui.library.ships.own import delete_ship, key_of, own_navy
from qf_tui.library.ships.register import Register, register
from qf_tui.library.ships.springsharp import navy_of_country, read_springsharp
from qf_tui.library.ships.values import hand_value
from qf_tui.library.systems import find_systems

UNREADY = 1
HEADINGS = tuple(column.heading for column in COLUMNS)


def ship(arguments: Namespace) -> int:
    """Tells, keeps or deletes a ship; 1 where something of her is missing or wrong."""
    systems, known = find_systems(), register()
    _check_year(arguments.year)
    if arguments.delete:
        return _deleted(arguments, known)
    draft = _reported(arguments, known) if arguments.springsharp else _begun(arguments, known)
    for said in arguments.facts:
        draft = _with(draft, said, systems)
    read = draft.read
    for column in read.missing:
        warn(f"{column} is missing")
    for column, text in read.wrong.items():
        warn(f"{column}: {text}")
    if read.ship is None:
        say(*table((f"  {heading}", text) for heading, text in draft.row.items() if text))
        return UNREADY
    wanted = {arguments.rules: systems[arguments.rules]} if arguments.rules in systems else systems
    if arguments.rules and arguments.rules not in systems:
        raise QfError(f"no rule system “{shown(arguments.rules)}”{near(arguments.rules, systems)}")
    if arguments.json:
        say_json(ship_json(read.ship, wanted), indent=2)
    else:
        say(*ship_lines(read.ship, wanted.values()))
    if arguments.save:
        for text in unknown_navies([draft.navy]):
            warn(text)
        warn(f"kept in {draft.keep()}")
    elif not arguments.json and (arguments.facts or arguments.springsharp):
        warn("not kept; with --save she is, among your own ships")
    return 0


def _check_year(year: int | None) -> None:
    least, most = YEARS
    if year is not None and not least <= year <= most:
        raise QfError(f"--year {year}: no year of a ship; name one from {least} to {most}")


def _deleted(arguments: Namespace, known: Register) -> int:
    navy, name = _named(arguments.ship)
    stood = _known(known, navy, name, arguments.year)
    if stood is None:
        raise QfError(_missing(known, navy, name))
    say(f"{stood.name} is deleted from {delete_ship(navy, key_of(stood))}")
    return 0


def _reported(arguments: Namespace, known: Register) -> ShipDraft:
    """The ship of a Springsharp report, under the navy and name that the person gives, or its own."""
    data, _ = given(arguments.springsharp)
    report = read_springsharp(data.decode(encoding_of(data), "replace"))
    if not report.cells:
        raise QfError("nothing there is of a Springsharp report; copy all of it, from the ship's name on")
    for text in report.unread:
        warn(f"not read: {text}")
    for text in report.assumed:
        warn(f"assumed: {text}")
    if "=" in (arguments.ship or ""):
        arguments.facts, arguments.ship = [arguments.ship, *arguments.facts], None
    if arguments.ship is None:
        navy = navy_of_country(report.country, [title.lower() for title in known.navies])
        return ShipDraft(navy_title(navy), report.cells)
    navy, name = _named(arguments.ship)
    return ShipDraft(navy, {**report.cells, "name": name, "id": identified(name)})


def _named(text: str | None) -> tuple[str, str]:
    navy, slash, name = (text or "").partition("/")
    if not slash or not name.strip():
        raise QfError(f"“{shown(text or '')}”: expected a navy and a name, as japan/mikasa")
    return navy_title(own_navy(navy).stem), name.strip()


def _known(known: Register, navy: str, name: str, year: int | None) -> ShipFacts | None:
    """The ship of that id or name, as she was in a year or at last."""
    rows = _rows(known, navy, name)
    return max(
        (one for one in rows if year is None or one.since <= year), key=lambda one: one.since, default=None
    )


def _rows(known: Register, navy: str, name: str) -> list[ShipFacts]:
    """The ship of that id or name, as she was at any time."""
    wanted = identified(name)
    return [one for one in known.navies.get(navy, ()) if wanted in (one.id, identified(one.name))]


def _missing(known: Register, navy: str, name: str) -> str:
    rows = _rows(known, navy, name)
    if rows:
        first = min(rows, key=lambda one: one.since)
        return f"{shown(first.name)} in {navy} is there from {first.since} on; name a later --year"
    if navy not in known.navies:
        return f"no navy “{shown(navy)}”{near(navy.lower(), map(str.lower, known.navies))}"
    ids = [ship.id for ship in known.navies[navy]]
    return f"no ship “{shown(name)}” in {navy}{near(identified(name), ids)}"


def _begun(arguments: Namespace, known: Register) -> ShipDraft:
    navy, name = _named(arguments.ship)
    stood, like = _known(known, navy, name, arguments.year), arguments.like
    if like is not None:
        of, sister = _named(like if "/" in like else f"{navy}/{like}")
        copied = _known(known, of, sister, None)
        if copied is None:
            raise QfError(f"--like: {_missing(known, of, sister)}")
        kept = ShipDraft.of(stood).kept if stood else None
        return evolve(ShipDraft.like(copied).with_text("name", name), navy=navy, kept=kept)
    if stood is None and not arguments.facts:
        raise QfError(f"{_missing(known, navy, name)} (facts begin a new one: kind=battleship ...)")
    return ShipDraft.of(stood) if stood else ShipDraft(navy, {"name": name})


def _with(draft: ShipDraft, said: str, systems: Mapping[str, RuleSystem]) -> ShipDraft:
    """With `tons=15140`, or by hand `RULESET:VALUE=20`."""
    what, equals, text = said.partition("=")
    ruleset, colon, key = what.partition(":")
    if not equals:
        raise QfError(f"“{shown(said)}”: expected a fact, = and what it is, as heavy=4x12/40")
    if not colon:
        if what not in HEADINGS:
            raise QfError(f"no fact “{shown(what)}”{near(what, HEADINGS)}; there are {', '.join(HEADINGS)}")
        return draft.with_text(what, text)
    if ruleset not in systems:
        raise QfError(f"no rule system “{shown(ruleset)}”{near(ruleset, systems)}")
    _, fault = hand_value(systems[ruleset], HandValue(ruleset, key, text)) if text else (None, "")
    if fault:
        raise QfError(fault)
    return draft.set_by_hand(ruleset, key, text)
