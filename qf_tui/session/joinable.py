"""The ships that may join a battle: those of fleets, and behind them all of all navies as they are rated."""

from collections.abc import Iterable, Iterator, Mapping

from qf_tui.core.grammar.names import Named
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.library.arrivals import arrivals, navy_ships, worked_out_arrival
from qf_tui.library.ships.register import own_state


class JoinableShips:
    """What is on the shelf for a battle that began so; read when it is asked for.

    A ship that was added to the user's navies since is found too.
    """

    def __init__(self, system: RuleSystem, start: Battle) -> None:
        self._system, self._start = system, start
        self._fleets: Mapping[str, Ship] = {}
        self._navies: Mapping[str, ShipFacts] = {}
        self._named: tuple[Named, ...] = ()
        self._read: object = None

    def near(self, battle: Battle) -> Mapping[str, Ship]:
        """The ships that may still join: those that the battle knows of, and those of fleets."""
        if not self._fleets:
            self._fleets = arrivals(self._system, self._start)
        known = {**self._fleets, **battle.reserve}
        return {id: ship for id, ship in known.items() if id not in battle.ships}

    def elsewhere(self, battle: Battle) -> tuple[Named, ...]:
        """Those of all navies, for letters that mean none of the nearer ones."""
        state = own_state()
        if self._read != state:
            self._navies, self._read = navy_ships(self._system, self._start), state
            self._named = tuple(Named(id, ship.name) for id, ship in self._navies.items())
        return tuple(one for one in self._named if one.id not in battle.ships)

    def ships(self, ids: Iterable[str], battle: Battle) -> Iterator[Ship]:
        """Ships by their ids, each as she musters now; one that is not known is left out."""
        near = self.near(battle)
        for id in ids:
            if id in near:
                yield near[id]
            elif any(one.id == id for one in self.elsewhere(battle)):
                yield worked_out_arrival(self._system, self._start, id, self._navies[id])

    def id_of(self, ship: ShipFacts, battle: Battle) -> str:
        """The id by which a ship of a navy would join."""
        self.elsewhere(battle)
        same = (id for id, one in self._navies.items() if (one.navy, one.id) == (ship.navy, ship.id))
        return next(same, ship.id)
