"""The ships that may join a battle: those of every fleet on the shelf for its rule system."""

from collections.abc import Mapping

from qf_tui.core.measure import Scalar
from qf_tui.core.system import RuleSystem, Setup
from qf_tui.core.values import Battle, Ship
from qf_tui.library.fleet_catalogue import fleets_of
from qf_tui.library.fleets import Fleet


def arrivals(system: RuleSystem, battle: Battle) -> Mapping[str, Ship]:
    """The ships that are not in a battle, by id, as they muster now, those of its own fleets first.

    They are of no side yet. Of two ships with one id the user's own is taken.
    """
    setup = Setup(str(battle.table.get("scale", "")), str(battle.table.get("units", "")), battle.options)
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
