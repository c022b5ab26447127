"""A battle while a user sets it up, and the fleets and navies from which its ships are picked.

A draft never changes: each change gives a new draft. `writers` turns drafts into files, and back.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from qf_tui.core.crews import Crew, read_crew
from qf_tui.core.declarations import find_usual_scale
from qf_tui.core.grammar.names import fold_name
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.library.csv_rows import make_ascii_id
from qf_tui.library.declared import Card, Fleet, FleetShip, FleetSource
from qf_tui.library.faults import Data, Faults, FileFaults, is_id
from qf_tui.library.fleets import load_source_fleet
from qf_tui.library.joining import list_shelf, load_fleets
from qf_tui.library.navies import (
    SUFFIX,
    YEAR_DIGITS,
    read_own_ships,
)
from qf_tui.library.paths import find_file, find_own_folder, list_files, list_names, read_toml

SIDES = ("Blue", "Red", "Green", "Yellow")
"""Names of sides until the user names them."""


@frozen
class DraftDivision:
    """A division of a draft, the battle that a user sets up.

    Attributes:
        name: Its name; "" to use its side's name.
        other_keys: Its other keys in the scenario.
        arrival: Index of the entry in the schedule with which it arrives; None if it is there at the start.
    """

    name: str = ""
    player: str = ""
    ships: tuple[FleetShip, ...] = ()
    other_keys: Mapping[str, Scalar] = field(factory=dict)
    arrival: int | None = None


@frozen
class DraftSide:
    """A side of a draft, the battle that a user sets up; it has at least one division.

    Attributes:
        victory_id: Its id in the victory conditions of the scenario from which it was read, or "".
        other_keys: Its other keys in the scenario.
    """

    name: str
    divisions: tuple[DraftDivision, ...] = (DraftDivision(),)
    victory_id: str = ""
    other_keys: Mapping[str, Scalar] = field(factory=dict)

    @property
    def ships(self) -> tuple[FleetShip, ...]:
        """The ships of all its divisions."""
        return tuple(ship for division in self.divisions for ship in division.ships)


@frozen
class DraftPlace:
    """The place of a division: the index of its side and its own index, both from 0."""

    side: int = 0
    division: int = 0


@frozen
class Draft:
    """A battle being set up, with all choices so far.

    Attributes:
        table: The keys of the scenario that were set.
        options: The switches that differ from their defaults.
    """

    ruleset: str
    table: Data = field(factory=dict)
    options: Mapping[str, str] = field(factory=dict)
    sides: tuple[DraftSide, ...] = (DraftSide(SIDES[0]), DraftSide(SIDES[1]))

    @classmethod
    def begin(cls, system: RuleSystem) -> "Draft":
        """Begin a draft with the usual scale and nothing else chosen."""
        scale = find_usual_scale(system.scales)
        return cls(system.name, {"title": "My battle", "scale": scale.name, "units": scale.units})

    @property
    def title(self) -> str:
        return str(self.table.get("title") or "")

    @property
    def ships(self) -> tuple[FleetShip, ...]:
        """The ships of all sides."""
        return tuple(ship for side in self.sides for ship in side.ships)

    @property
    def places(self) -> Iterator[DraftPlace]:
        """The places of all divisions, one side after the other."""
        for number, side in enumerate(self.sides):
            yield from (DraftPlace(number, division) for division in range(len(side.divisions)))

    def find_division(self, place: DraftPlace) -> DraftDivision:
        return self.sides[place.side].divisions[place.division]

    def find_crew(self, place: DraftPlace) -> Crew:
        """Return the crew of a division's ships; its side states the values that it leaves out."""
        return read_crew(self.find_division(place).other_keys, read_crew(self.sides[place.side].other_keys))

    def list_places(self, ship: FleetShip) -> tuple[DraftPlace, ...]:
        """List the places of the divisions that have a ship, at most one on each side."""
        return tuple(place for place in self.places if ship in self.find_division(place).ships)

    def with_table(self, name: str, value: Scalar) -> "Draft":
        """Set a key of the scenario."""
        return evolve(self, table={**self.table, name: value})

    def with_option(self, system: RuleSystem, name: str, value: str) -> "Draft":
        """Set a switch; a switch at its default is not stored."""
        defaults = {switch.name: switch.default for switch in system.options}
        options = {**self.options, name: value}
        changed_options = {key: choice for key, choice in options.items() if choice != defaults.get(key)}
        return evolve(self, options=changed_options)

    def with_scale(self, system: RuleSystem, name: str) -> "Draft":
        """Set another scale; the units change only if that scale does not have the present ones."""
        fitting_scales = [scale for scale in system.scales if scale.name == name]
        # False comes before True: a scale in the present units is the least.
        scale = min(fitting_scales, key=lambda scale: scale.units != self.table.get("units"))
        return self.with_table("scale", scale.name).with_table("units", scale.units)

    def put_ship(self, ship: FleetShip, place: DraftPlace) -> "Draft":
        """Put a ship at the end of a division.

        She leaves any other division of that side, but stays on other sides.
        """
        draft = self.remove_ship(ship, place.side)
        return draft.change_division(place, ships=(*draft.find_division(place).ships, ship))

    def remove_ship(self, ship: FleetShip, side: int) -> "Draft":
        """Remove a ship from a side."""
        divisions = tuple(
            evolve(division, ships=tuple(other for other in division.ships if other != ship))
            for division in self.sides[side].divisions
        )
        return self.change_side(side, divisions=divisions)

    def move_ship(self, ship: FleetShip, place: DraftPlace, by: int) -> "Draft":
        """Move a ship in her division by `by` places: down, or up if negative; she stops at the ends."""
        ships = list(self.find_division(place).ships)
        at = ships.index(ship)
        ships.insert(max(0, at + by), ships.pop(at))
        return self.change_division(place, ships=tuple(ships))

    def with_division(self, side: int, name: str) -> "Draft":
        """Add a division without ships to a side."""
        return self.change_side(side, divisions=(*self.sides[side].divisions, DraftDivision(name)))

    def remove_division(self, place: DraftPlace) -> "Draft":
        """Remove a division from its side; a side that loses its last division gets an empty one."""
        divisions = list(self.sides[place.side].divisions)
        del divisions[place.division]
        return self.change_side(place.side, divisions=tuple(divisions) or (DraftDivision(),))

    def with_side(self) -> "Draft":
        """Add a side, with the first name of `SIDES` that is free."""
        used_names = {side.name for side in self.sides}
        name = next((name for name in SIDES if name not in used_names), f"Side {len(self.sides) + 1}")
        return evolve(self, sides=(*self.sides, DraftSide(name)))

    def remove_side(self, side: int) -> "Draft":
        """Remove a side with its ships."""
        return evolve(self, sides=self.sides[:side] + self.sides[side + 1 :])

    def change_side(self, number: int, **changes: Any) -> "Draft":
        """Return the draft with new values for fields of a side."""
        side = evolve(self.sides[number], **changes)
        return evolve(self, sides=(*self.sides[:number], side, *self.sides[number + 1 :]))

    def change_division(self, place: DraftPlace, **changes: Any) -> "Draft":
        """Return the draft with new values for fields of a division."""
        divisions = list(self.sides[place.side].divisions)
        divisions[place.division] = evolve(self.find_division(place), **changes)
        return self.change_side(place.side, divisions=tuple(divisions))


@frozen
class Fleets:
    """The fleets of one rule system to pick ships from.

    Attributes:
        sound: The fleets without faults, by their sources.
        faulty: The faults of the other fleets' files.
    """

    sound: Mapping[FleetSource, Fleet]
    faulty: tuple[FileFaults, ...] = ()

    def find_card(self, ship: FleetShip) -> Card:
        """Return the card of a ship, or {} if she is in none of the fleets."""
        fleet = self.sound.get(ship.source)
        return (fleet.find_card(ship.ship) if fleet else None) or {}

    def with_ship(self, ship: FleetShip, system: RuleSystem) -> "Fleets":
        """Add a ship of a navy, if she is in none of the fleets and can be rated.

        If the file of her navy has faults, they are added to `faulty` instead.
        """
        if ship.source.year is None or self.find_card(ship):
            return self
        try:
            loaded_fleet = load_source_fleet(ship.source, system, {ship.ship})
        except Faults as faults:
            return evolve(self, faulty=(*self.faulty, *faults.files))
        existing_fleet = self.sound.get(ship.source)
        if loaded_fleet is None or not loaded_fleet.cards:
            return self
        fleet = (
            evolve(existing_fleet, cards=(*existing_fleet.cards, *loaded_fleet.cards))
            if existing_fleet
            else loaded_fleet
        )
        return evolve(self, sound={**self.sound, ship.source: fleet})


def load_draft_fleets(system: RuleSystem, draft: Draft) -> Fleets:
    """Load the user's own ships, all fleets with a name, and all sources of the ships in a draft.

    Fleets that the rule system cannot use are left out. The result also has the faults of files.
    """
    faulty: list[FileFaults] = []
    # The user's own ships are facts, from which the rule system must work out values.
    sound_fleets = _load_own_ships(system, faulty) if system.can_rate else {}
    draft_sources = sorted({ship.source for ship in draft.ships}, key=lambda source: source.text)
    for source in draft_sources:
        if source.year is not None:
            try:
                fleet = load_source_fleet(source, system)
            except Faults as faults:
                faulty.extend(faults.files)
                continue
            if fleet is not None:
                sound_fleets[source] = fleet
    paths = list_shelf()
    for source in draft_sources:
        path = source.file
        if path is not None:
            paths.setdefault(source, path)
    return Fleets({**sound_fleets, **load_fleets(system, paths, faulty)}, tuple(faulty))


def _load_own_ships(system: RuleSystem, faulty: list[FileFaults]) -> dict[FleetSource, Fleet]:
    """Load the user's own ships as fleets, one for each navy, in the year of its latest ship.

    A file without ships, or whose name is no id, is left out. Faults of files are added to `faulty`.
    """
    fleets: dict[FleetSource, Fleet] = {}
    for path in list_files(find_own_folder("navies"), SUFFIX):
        try:
            ships = read_own_ships(path.stem)
            source = FleetSource(path.stem, max((ship.since for ship in ships), default=0))
            is_loadable = ships and is_id(path.stem)
            fleet = load_source_fleet(source, system, {ship.id for ship in ships}) if is_loadable else None
        except Faults as faults:
            faulty.extend(faults.files)
        else:
            fleets |= {source: evolve(fleet, title=f"{fleet.title}, yours")} if fleet else {}
    return fleets


def build_fleet_ship(ship: ShipFacts, letters: str) -> FleetShip:
    """Build the name by which a draft refers to a ship of the register.

    Her year is the first year in the typed letters, or else that of her row in the register.
    """
    years = (int(word) for word in fold_name(letters).split() if word.isdigit() and len(word) == YEAR_DIGITS)
    return FleetShip(FleetSource(make_ascii_id(ship.navy), next(years, ship.since)), ship.id)


def list_own_charts(system: RuleSystem) -> tuple[str, ...]:
    """List the names of the user's own charts for a rule system; files that cannot be read are left out."""
    charts = []
    for name in list_names("charts"):
        path = find_file("charts", name, Path())
        try:
            if path and read_toml(path).get("ruleset") == system.name:
                charts.append(name)
        except FileFaults:
            continue
    return tuple(charts)
