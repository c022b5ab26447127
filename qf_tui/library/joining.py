"""Finds the ships that may join a battle: from all fleet files at hand, and from all navies.

A ship found here has no side yet; the order `join` gives her one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from qf_tui.core.declarations import Setup
from qf_tui.core.grammar.names import Named
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship, replace
from qf_tui.library.declared import Card, Fleet, FleetSource, find_year, is_for_any_system
from qf_tui.library.faults import Faults, FileFaults
from qf_tui.library.fleets import load_fleet
from qf_tui.library.navies import (
    find_own_navy,
    load_register,
    read_own_state,
)
from qf_tui.library.paths import find_used_name, list_shelf_files, read_toml
from qf_tui.library.ratings import make_card, rate_ship


def list_navy_ships(system: RuleSystem, battle: Battle) -> Mapping[str, ShipFacts]:
    """List the latest facts of the ships of all navies, up to the year of a battle if it has one.

    Returns:
        The facts by the ids that the ships would have in the battle. If navies share an id, the navy's name
        comes first, as in `chile-esmeralda`. {} if the rule system computes no cards from facts.
    """
    year = find_year(str(battle.table.get("date") or ""))
    latest: dict[tuple[str, str], ShipFacts] = {}
    for ship in load_register().ships:
        earlier = latest.get((ship.navy, ship.id))
        is_in_time = year is None or ship.since <= year
        is_latest = earlier is None or earlier.since < ship.since
        if is_in_time and is_latest:
            latest[ship.navy, ship.id] = ship
    ids = Counter(ship.id for ship in latest.values())
    ship_by_id = {
        ship.id if ids[ship.id] == 1 else f"{find_own_navy(ship.navy).stem}-{ship.id}": ship
        for ship in latest.values()
    }
    # A rule system computes cards from the facts of all ships or of none, so one ship is enough to test.
    any_ship = next(iter(ship_by_id.values()), None)
    return ship_by_id if any_ship is not None and rate_ship(system, any_ship) else {}


def load_fleets(
    system: RuleSystem, paths: Mapping[FleetSource, Path], faulty: list[FileFaults]
) -> dict[FleetSource, Fleet]:
    """Load the fleets that a rule system can use; add the faults of files that are not sound to `faulty`."""
    sound_fleets: dict[FleetSource, Fleet] = {}
    for source, path in paths.items():
        try:
            data = read_toml(path)
            can_be_rated = is_for_any_system(data) and system.can_rate
            if can_be_rated or data.get("ruleset") == system.name:
                sound_fleets[source] = load_fleet(path, system, data, find_used_name(source.text, path))
        except Faults as faults:
            faulty.extend(faults.files)
    return sound_fleets


def list_shelf() -> dict[FleetSource, Path]:
    """List the files of the fleets on the shelf by their sources."""
    return {FleetSource(name): path for name, path in list_shelf_files("fleets").items()}


class JoinableShips:
    """The ships on the shelf that may join a battle.

    They are read at first use, and the user's navies again after each change.
    """

    def __init__(self, system: RuleSystem, start: Battle) -> None:
        self._system = system
        self._start = start
        self._fleet_ships: Mapping[str, Ship] = {}
        self._navy_ships: Mapping[str, ShipFacts] = {}
        self._navy_names: tuple[Named, ...] = ()
        # The state of the user's files when the navies were read; None before.
        self._navies_state: object = None

    def _muster_ship(self, id: str, card: Card) -> Ship:
        """Muster a ship under the scale and the switches of the battle; she has no side yet."""
        table = self._start.table
        setup = Setup(str(table.get("scale", "")), str(table.get("units", "")), self._start.options)
        log = self._system.muster(card, setup)
        return Ship(id, str(card["name"]), side="", division="", card=card, log=log)

    def list_fleet_ships(self, battle: Battle) -> Mapping[str, Ship]:
        """List the ships of fleets on the shelf and of the reserve that are not in the battle yet.

        The files are read once. Ships of the battle's own fleets come first. If two ships have one id, that
        of the user's files is listed.
        """
        if not self._fleet_ships:
            start = self._start.ships
            of_battle_fleets: dict[str, Ship] = {}
            of_other_fleets: dict[str, Ship] = {}
            for fleet in load_fleets(self._system, list_shelf(), faulty=[]).values():
                cards = {str(card["id"]): card for card in fleet.cards}
                # A fleet that shares an id with the battle counts as one of the battle's fleets.
                group = of_other_fleets if start.keys().isdisjoint(cards) else of_battle_fleets
                for id, card in cards.items():
                    is_listed = id in of_battle_fleets or id in of_other_fleets
                    if id not in start and not is_listed:
                        group[id] = self._muster_ship(id, card)
            self._fleet_ships = of_battle_fleets | of_other_fleets
        known = {**self._fleet_ships, **battle.reserve}
        return {id: ship for id, ship in known.items() if id not in battle.ships}

    def list_navy_names(self, battle: Battle) -> tuple[Named, ...]:
        """List the ships of all navies by id and name, without those in the battle.

        People search them if `list_fleet_ships` has no match. A change of the user's files is noticed.
        """
        state = read_own_state()
        if self._navies_state != state:
            self._navy_ships = list_navy_ships(self._system, self._start)
            self._navies_state = state
            self._navy_names = tuple(Named(id, ship.name) for id, ship in self._navy_ships.items())
        return tuple(named_ship for named_ship in self._navy_names if named_ship.id not in battle.ships)

    def muster_ships(self, ids: Iterable[str], battle: Battle) -> Iterator[Ship]:
        """Muster the ships with these ids, from fleets, the reserve or navies; unknown ids are skipped."""
        fleet_ships = self.list_fleet_ships(battle)
        for id in ids:
            if id in fleet_ships:
                yield fleet_ships[id]
            elif any(named_ship.id == id for named_ship in self.list_navy_names(battle)):
                # In the battle, the name of her navy may come before her id.
                facts = replace(self._navy_ships[id], id=id)
                yield self._muster_ship(id, make_card(self._system, facts))

    def find_joining_id(self, ship: ShipFacts, battle: Battle) -> str:
        """Return the id with which a ship of a navy would join. If navies share her id, it has a prefix."""
        # This reads the navies if they were never read or have changed.
        self.list_navy_names(battle)
        ids = (id for id, known in self._navy_ships.items() if (known.navy, known.id) == (ship.navy, ship.id))
        return next(ids, ship.id)
