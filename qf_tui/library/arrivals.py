"""The ships that may join a battle: those of every fleet on the shelf for its rule system."""

from collections.abc import Mapping

from qf_tui.core.measure import Scalar
from qf_tui.core.system import RuleSystem, Setup
from qf_tui.core.values import Battle, Ship
from qf_tui.library.fleet_catalogue import fleets_of


def arrivals(system: RuleSystem, battle: Battle) -> Mapping[str, Ship]:
    """The ships that are not in a battle, by id, as they muster now; the user's own fleets come first.

    They are of no side yet. Fleets with faults are left out.
    """
    setup = Setup(str(battle.table.get("scale", "")), str(battle.table.get("units", "")), battle.options)
    found: dict[str, Ship] = {}
    for fleet in fleets_of(system).sound.values():
        for card in fleet.cards:
            id = str(card["id"])
            if id not in battle.ships:
                found.setdefault(id, _mustered(system, id, card, setup))
    return found


def _mustered(system: RuleSystem, id: str, card: Mapping[str, Scalar], setup: Setup) -> Ship:
    return Ship(id, str(card["name"]), "", "", card, system.muster(card, setup))
