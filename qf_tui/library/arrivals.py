"""The ships that may join a battle: those of every fleet on the shelf for its rules, and of every navy."""

from collections import Counter
from collections.abc import Iterator, Mapping

from qf_tui.core.measure import Scalar
from qf_tui.core.replace import replace
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem, Setup
from qf_tui.core.values import Battle, Ship
from qf_tui.library.fleets import Fleet
from qf_tui.library.navy_sides import year_of
from qf_tui.library.setup.fleet_catalogue import fleets_of
from qf_tui.library.ships.navy_ships import bare, ship_id, sister_names
from qf_tui.library.ships.own import own_navy
from qf_tui.library.ships.rated_cards import RatedCards
from qf_tui.library.ships.register import register
from qf_tui.library.ships.values import rated


def arrivals(system: RuleSystem, battle: Battle) -> Mapping[str, Ship]:
    """The ships that are not in a battle, by id, as they muster now, those of its own fleets first.

    They are of no side yet. Of two ships with one id the user's own is taken.
    """
    setup = _setup(battle)
    fleets = fleets_of(system).sound.values()
    found: dict[str, Ship] = {}
    likely: set[str] = set()
    for fleet in fleets:
        sails = _sails(fleet, battle)
        for card in fleet.cards:
            id = str(card["id"])
            if id not in battle.ships and id not in found:
                found[id] = _mustered(system, id, card, setup)
                likely |= {id} if sails else set()
    return {id: found[id] for id in sorted(found, key=lambda id: id not in likely)}


def _sails(fleet: Fleet, battle: Battle) -> bool:
    """Whether a ship of a fleet is in a battle, as that fleet has it."""
    return any(str(card["id"]) in battle.ships for card in fleet.cards)


def _mustered(system: RuleSystem, id: str, card: Mapping[str, Scalar], setup: Setup) -> Ship:
    return Ship(id, str(card["name"]), "", "", card, system.muster(card, setup))


def _setup(battle: Battle) -> Setup:
    return Setup(str(battle.table.get("scale", "")), str(battle.table.get("units", "")), battle.options)


def navy_ships(system: RuleSystem, battle: Battle) -> Mapping[str, ShipFacts]:
    """The ships of all navies by their ids in a battle, as they were in its year, or as they were at last.

    Where navies share an id their names precede it, `chile-esmeralda`. None without a method for them.
    """
    year = year_of(str(battle.table.get("date") or ""))
    latest: dict[tuple[str, str], ShipFacts] = {}
    for ship in register().ships:
        before = latest.get((ship.navy, ship.id))
        if (year is None or ship.since <= year) and (before is None or before.since < ship.since):
            latest[ship.navy, ship.id] = ship
    ships = [one for ship in latest.values() for one in (ship, *_sisters(ship))]
    ids = Counter(ship.id for ship in ships)
    found = {
        ship.id if ids[ship.id] == 1 else f"{own_navy(ship.navy).stem}-{ship.id}": ship for ship in ships
    }
    first = next(iter(found.values()), None)
    return found if first is not None and rated(system, first) is not None else {}


def _sisters(ship: ShipFacts) -> Iterator[ShipFacts]:
    """The ships that the row of a class names."""
    for name in sister_names(ship.sisters):
        if ship_id(name) != ship.id:
            yield replace(ship, id=ship_id(name), name=bare(name), sisters=())


def worked_out_arrival(system: RuleSystem, battle: Battle, id: str, facts: ShipFacts) -> Ship:
    """A ship that joins, by an id of `navy_ships`, her values worked out under the rules of the battle."""
    rating = rated(system, facts)
    assert rating is not None
    card = RatedCards(system).plain(replace(facts, id=id), rating)
    return _mustered(system, id, card, _setup(battle))
