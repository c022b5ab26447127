"""The ships of a source, and how a side's document names them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from qf_tui.core.ratings import ORIGIN
from qf_tui.core.system import RuleSystem
from qf_tui.library.cards import Card, stated
from qf_tui.library.checking import ID_MOST, Checker
from qf_tui.library.declared import of_no_system, ship_fields
from qf_tui.library.faults import Fault, FileFaults, FilePlace
from qf_tui.library.fleets import Fleet, load_fleet
from qf_tui.library.navy_sides import year_of
from qf_tui.library.paths import found_by, missing
from qf_tui.library.reading import read_toml
from qf_tui.library.setup.drafts import FleetShip
from qf_tui.library.setup.sources import FleetSource, NavyYear, ShelfFleet, Source, fleet_source
from qf_tui.library.ships.facts_reader import FactsReader, ShipReference
from qf_tui.library.ships.navies import navy_title

Document = dict[str, Any]


def source_fleet(source: Source, system: RuleSystem, wanted: Collection[str] | None = None) -> Fleet | None:
    """The ships of a source, of a navy those wanted; None if it is not there, Faults if it is not sound."""
    if not isinstance(source, NavyYear):
        path = source.file
        return load_fleet(path, system, name=found_by(source.text, path)) if path else None
    checker = Checker()
    reader, place = FactsReader(system, checker), FilePlace()
    ids = (id for id in reader.all_ids(source.navy, source.year, place) if wanted is None or id in wanted)
    cards = (reader.card(ShipReference(source.navy, id, source.year), {}, {}, place) for id in ids)
    found = tuple(card for card in cards if card is not None)
    if checker.faults:
        raise FileFaults(source.text, checker.faults)
    title = f"{navy_title(source.navy)} {source.year}"
    return Fleet(source.text, title, "", "", found)


def sources_of(side: Document, folder: Path, date: str) -> tuple[Source, dict[str, FleetShip]]:
    """A side's source, and the ships that it names with their navies by their ids in the battle."""
    if "navy" not in side:
        return fleet_source(str(side["fleet"]), folder), {}
    year = side.get("year") or year_of(date)
    assert year is not None
    navy = NavyYear(str(side["navy"]), year)
    named = [*side.get("ships", ()), *(id for one in side.get("division", ()) for id in one["ships"])]
    calls = (ShipReference.of(str(name), navy.navy, navy.year) for name in named)
    return navy, {one.id: FleetShip(NavyYear(one.navy, navy.year), one.id) for one in calls}


def named_directly(ships: Sequence[FleetShip]) -> tuple[Document, dict[FleetShip, str]] | None:
    """What a side says of its ships where it needs no fleet of its own, and how it names each."""
    sources = list(dict.fromkeys(ship.source for ship in ships))
    first = sources[0]
    if len(sources) == 1 and isinstance(first, ShelfFleet):
        return {"fleet": first.text}, {ship: ship.ship for ship in ships}
    navies = {ship: ship.source for ship in ships if isinstance(ship.source, NavyYear)}
    years = {navy.year for navy in navies.values()}
    if len(navies) < len(ships) or len(years) != 1 or len({ship.ship for ship in ships}) < len(ships):
        return None
    names = {
        ship: ship.ship if navy == first else f"{navy.navy}/{ship.ship}" for ship, navy in navies.items()
    }
    return {"navy": navies[ships[0]].navy, "year": years.pop()}, names


def copied_fleet(ships: Mapping[FleetShip, str], title: str, system: RuleSystem) -> Document:
    """A fleet of ships from several sources, with the ids that they are given in it.

    It is of no rule system if none of the sources is, else it states values for this one.
    """
    sources = tuple(dict.fromkeys(ship.source for ship in ships))
    read = {source: {} if isinstance(source, NavyYear) else _fleet_data(source) for source in sources}
    titles = ", ".join(str(data.get("title") or source.text) for source, data in read.items())
    head: Document = {"title": title, "source": f"Copied from: {titles}"}
    if all(not data or of_no_system(data) for data in read.values()):
        called = [_called(ship, id, read[ship.source]) for ship, id in ships.items()]
        return {**head, "ships": [], "ship": called}
    worked_out = [source for source, data in read.items() if not data or of_no_system(data)]
    fleets = {source: source_fleet(source, system) for source in worked_out}
    rows = [
        _stated(ship, id, read[ship.source], fleets.get(ship.source), system) for ship, id in ships.items()
    ]
    return {"ruleset": system.name, **head, "ship": rows}


def _fleet_data(source: FleetSource) -> Document:
    path = source.file
    if path is None:
        raise FileFaults(source.text, [Fault("", missing("fleets", source.text))])
    return read_toml(path)


def _row(ship: FleetShip, data: Document) -> Document:
    rows: Iterable[Document] = data.get("ship", ())
    return next((one for one in rows if one.get("id") == ship.ship), {})


def _called(ship: FleetShip, id: str, data: Document) -> Document:
    """A ship of no rule system, as a fleet of none names her."""
    if isinstance(ship.source, NavyYear):
        return {"id": id, "facts": f"{ship.source.navy}/{ship.ship}", "year": ship.source.year}
    row = _row(ship, data)
    listed = (str(name) for name in data.get("ships", ()))
    name = next((one for one in listed if one.rpartition("/")[2] == ship.ship), ship.ship)
    called = ShipReference.of(str(row.get("facts") or name), str(data.get("navy", "")), None)
    year = row.get("year") or data.get("year")
    return {**row, "id": id, "facts": f"{called.navy}/{called.id}", **({"year": year} if year else {})}


def _stated(ship: FleetShip, id: str, data: Document, fleet: Fleet | None, system: RuleSystem) -> Document:
    """A ship as a fleet of that rule system states her."""
    if fleet is not None:
        card: Card = fleet.card(ship.ship) or {"id": ship.ship}
        return {**stated(ship_fields(system), card), "id": id}
    of_all = (ORIGIN, *(field.name for field in system.card if field.of_fleet))
    values = {key: data[key] for key in of_all if key in data}
    return {**values, **(_row(ship, data) or {"id": ship.ship}), "id": id}


def free_id(id: str, used: set[str]) -> str:
    """An id that is not used yet: itself, or with a number."""
    number, free = 2, id
    while free in used:
        free = f"{id[: ID_MOST - 4]}-{number}"
        number += 1
    return free
