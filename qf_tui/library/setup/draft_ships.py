"""Where the ships of a draft come from, and how a side's document names them.

A source is a fleet by its name or path, or a navy in a year, `japan 1904`: no fleet has a name like that.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from qf_tui.core.system import RuleSystem
from qf_tui.library.cards import Card, stated
from qf_tui.library.checking import ID_MOST, Checker
from qf_tui.library.declared import of_no_system, ship_fields
from qf_tui.library.faults import Fault, FileFaults, FilePlace
from qf_tui.library.fleets import Fleet, load_fleet
from qf_tui.library.navy_sides import year_of
from qf_tui.library.paths import find, found_by, missing
from qf_tui.library.reading import read_toml
from qf_tui.library.setup.drafts import FleetShip
from qf_tui.library.ships.facts_reader import Called, FactsReader
from qf_tui.library.ships.navies import navy_title

Document = dict[str, Any]
_NAVY_YEAR = re.compile(r"([a-z0-9][a-z0-9-]*) (\d{4})")


def is_path(name: str) -> bool:
    """Whether a scenario's word for a fleet is a path."""
    return name.endswith(".toml") or "/" in name or "\\" in name


def navy_of(source: str) -> tuple[str, int] | None:
    """The navy and the year of a source that is no fleet."""
    found = _NAVY_YEAR.fullmatch(source)
    return (found[1], int(found[2])) if found else None


def source_fleet(source: str, system: RuleSystem, wanted: Collection[str] | None = None) -> Fleet | None:
    """The ships of a source, of a navy those wanted; None if it is not there, Faults if it is not sound."""
    navy = navy_of(source)
    if navy is None:
        path = find("fleets", source, Path())
        return load_fleet(path, system, name=found_by(source, path)) if path else None
    checker = Checker()
    reader, place = FactsReader(system, checker), FilePlace()
    ids = (id for id in reader.all_ids(*navy, place) if wanted is None or id in wanted)
    cards = (reader.card(Called(navy[0], id, navy[1]), {}, {}, place) for id in ids)
    found = tuple(card for card in cards if card is not None)
    if checker.faults:
        raise FileFaults(source, checker.faults)
    title = f"{navy_title(navy[0])} {navy[1]}"
    return Fleet(source, title, "", "", found)


def sources_of(side: Document, folder: Path, date: str) -> tuple[str, dict[str, FleetShip]]:
    """A side's source, and the ships that it names with their navies by their ids in the battle."""
    if "navy" not in side:
        name = str(side["fleet"])
        file = find("fleets", name, folder)
        assert file is not None
        return str(file.resolve()) if is_path(name) else name, {}
    year = side.get("year") or year_of(date)
    named = [*side.get("ships", ()), *(id for one in side.get("division", ()) for id in one["ships"])]
    calls = (Called.of(str(name), str(side["navy"]), year) for name in named)
    return f"{side['navy']} {year}", {one.id: FleetShip(f"{one.navy} {one.year}", one.id) for one in calls}


def named_directly(ships: Sequence[FleetShip]) -> tuple[Document, dict[FleetShip, str]] | None:
    """What a side says of its ships where it needs no fleet of its own, and how it names each."""
    sources = list(dict.fromkeys(ship.fleet for ship in ships))
    navies = [navy_of(source) for source in sources]
    if len(sources) == 1 and navies[0] is None and not is_path(sources[0]):
        return {"fleet": sources[0]}, {ship: ship.ship for ship in ships}
    years = {navy[1] for navy in navies if navy is not None}
    if None in navies or len(years) != 1 or len({ship.ship for ship in ships}) < len(ships):
        return None
    first = str(sources[0]).partition(" ")[0]
    names = {
        ship: ship.ship if ship.fleet == sources[0] else f"{ship.fleet.partition(' ')[0]}/{ship.ship}"
        for ship in ships
    }
    return {"navy": first, "year": years.pop()}, names


def copied_fleet(ships: Mapping[FleetShip, str], title: str, system: RuleSystem) -> Document:
    """A fleet of ships from several sources, with the ids that they are given in it.

    It is of no rule system if none of the sources is, else it states values for this one.
    """
    sources = tuple(dict.fromkeys(ship.fleet for ship in ships))
    read = {name: {} if navy_of(name) else _fleet_data(name) for name in sources}
    titles = ", ".join(str(data.get("title") or name) for name, data in read.items())
    head: Document = {"title": title, "source": f"Copied from: {titles}"}
    if all(not data or of_no_system(data) for data in read.values()):
        called = [_called(ship, id, read[ship.fleet]) for ship, id in ships.items()]
        return {**head, "ships": [], "ship": called}
    worked_out = [name for name, data in read.items() if not data or of_no_system(data)]
    fleets = {name: source_fleet(name, system) for name in worked_out}
    rows = [_stated(ship, id, read[ship.fleet], fleets.get(ship.fleet), system) for ship, id in ships.items()]
    return {"ruleset": system.name, **head, "ship": rows}


def _fleet_data(name: str) -> Document:
    path = find("fleets", name, Path())
    if path is None:
        raise FileFaults(name, [Fault("", missing("fleets", name))])
    return read_toml(path)


def _row(ship: FleetShip, data: Document) -> Document:
    rows: Iterable[Document] = data.get("ship", ())
    return next((one for one in rows if one.get("id") == ship.ship), {})


def _called(ship: FleetShip, id: str, data: Document) -> Document:
    """A ship of no rule system, as a fleet of none names her."""
    navy = navy_of(ship.fleet)
    if navy is not None:
        return {"id": id, "facts": f"{navy[0]}/{ship.ship}", "year": navy[1]}
    row = _row(ship, data)
    listed = (str(name) for name in data.get("ships", ()))
    name = next((one for one in listed if one.rpartition("/")[2] == ship.ship), ship.ship)
    called = Called.of(str(row.get("facts") or name), str(data.get("navy", "")), None)
    year = row.get("year") or data.get("year")
    return {**row, "id": id, "facts": f"{called.navy}/{called.id}", **({"year": year} if year else {})}


def _stated(ship: FleetShip, id: str, data: Document, fleet: Fleet | None, system: RuleSystem) -> Document:
    """A ship as a fleet of that rule system states her."""
    if fleet is not None:
        card: Card = fleet.card(ship.ship) or {"id": ship.ship}
        return {**stated(ship_fields(system), card), "id": id}
    of_all = ("values", *(field.name for field in system.card if field.of_fleet))
    values = {key: data[key] for key in of_all if key in data}
    return {**values, **(_row(ship, data) or {"id": ship.ship}), "id": id}


def free_id(id: str, used: set[str]) -> str:
    """An id that is not used yet: itself, or with a number."""
    number, free = 2, id
    while free in used:
        free = f"{id[: ID_MOST - 4]}-{number}"
        number += 1
    return free
