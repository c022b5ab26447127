"""What a battle is set up from: fleets for one rule system, the umpire's own ships, and his charts."""

from collections.abc import Mapping
from pathlib import Path

from attrs import evolve, frozen

from qf_tui.core.grammar.names import folded
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.library.checking import is_id
from qf_tui.library.declared import of_no_system
from qf_tui.library.faults import Faults, FileFaults
from qf_tui.library.fleets import Card, Fleet, load_fleet
from qf_tui.library.paths import find, found_by, names, own, shelf
from qf_tui.library.reading import read_toml
from qf_tui.library.setup.draft_ships import source_fleet
from qf_tui.library.setup.drafts import Draft, FleetShip
from qf_tui.library.setup.sources import NavyYear, ShelfFleet, Source
from qf_tui.library.ships.navies import SUFFIX, identified
from qf_tui.library.ships.own import own_ships
from qf_tui.library.ships.register import YEAR_DIGITS


@frozen
class Fleets:
    """The fleets of one rule system to pick ships from, by where they are, and those with faults."""

    sound: Mapping[Source, Fleet]
    faulty: tuple[FileFaults, ...] = ()

    def card(self, berth: FleetShip) -> Card:
        """The card of a ship; an empty one if its fleet has gone."""
        fleet = self.sound.get(berth.source)
        return (fleet.card(berth.ship) if fleet else None) or {}

    def with_ship(self, berth: FleetShip, system: RuleSystem) -> "Fleets":
        """With a ship of a navy that no fleet here has; as they are where she cannot be rated."""
        if not isinstance(berth.source, NavyYear) or self.card(berth):
            return self
        try:
            read = source_fleet(berth.source, system, {berth.ship})
        except Faults as faults:
            return evolve(self, faulty=(*self.faulty, *faults.files))
        there = self.sound.get(berth.source)
        if read is None or not read.cards:
            return self
        fleet = evolve(there, cards=(*there.cards, *read.cards)) if there else read
        return evolve(self, sound={**self.sound, berth.source: fleet})


def fleets_of(system: RuleSystem, draft: Draft | None = None) -> Fleets:
    """The fleets on the shelf; for a draft the umpire's own ships too, and what it names besides."""
    faulty: list[FileFaults] = []
    sound: dict[Source, Fleet] = {}
    if draft is not None and system.rates:
        sound.update(_own_ships(system, faulty))
    paths: dict[Source, Path] = {ShelfFleet(name): path for name, path in shelf("fleets").items()}
    named = sorted({ship.source for ship in draft.ships} if draft else (), key=lambda one: one.text)
    for navy in (one for one in named if isinstance(one, NavyYear)):
        try:
            sound |= {navy: fleet} if (fleet := source_fleet(navy, system)) else {}
        except Faults as faults:
            faulty.extend(faults.files)
    fleets = (one for one in named if not isinstance(one, NavyYear) and one not in paths)
    paths |= {one: path for one in fleets if (path := one.file)}
    for source, path in paths.items():
        try:
            data = read_toml(path)
            if data.get("ruleset") == system.name or (of_no_system(data) and system.rates):
                sound[source] = load_fleet(path, system, data, found_by(source.text, path))
        except Faults as faults:
            faulty.extend(faults.files)
    return Fleets(sound, tuple(faulty))


def _own_ships(system: RuleSystem, faulty: list[FileFaults]) -> dict[Source, Fleet]:
    """The ships of the shipyard, each navy in the year of its last one; `faulty` gets what cannot be read."""
    found: dict[Source, Fleet] = {}
    for path in sorted(own("navies").glob(f"*{SUFFIX}")):
        try:
            ships = own_ships(path.stem)
            source = NavyYear(path.stem, max((ship.since for ship in ships), default=0))
            named = ships and is_id(path.stem)
            fleet = source_fleet(source, system, {ship.id for ship in ships}) if named else None
        except Faults as faults:
            faulty.extend(faults.files)
        else:
            found |= {source: evolve(fleet, title=f"{fleet.title}, yours")} if fleet else {}
    return found


def ship_of_navy(ship: ShipFacts, letters: str) -> FleetShip:
    """A ship of the register as a draft names her: in the year that letters name, or as of her row."""
    years = (int(word) for word in folded(letters).split() if word.isdigit() and len(word) == YEAR_DIGITS)
    return FleetShip(NavyYear(identified(ship.navy), next(years, ship.since)), ship.id)


def charts_of(system: RuleSystem) -> tuple[str, ...]:
    """The names of the umpire's own charts for a rule system."""
    found = []
    for name in names("charts"):
        path = find("charts", name, Path())
        try:
            if path and read_toml(path).get("ruleset") == system.name:
                found.append(name)
        except FileFaults:
            continue
    return tuple(found)
