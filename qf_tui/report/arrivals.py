"""The ships as they came into a battle, those of the start and those that joined, and their worth then."""

from collections.abc import Mapping

from attrs import frozen

from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Ship, replace
from qf_tui.core.worth import Worth


@frozen
class Arrived:
    """A ship as she came into the battle, and the battle of that moment; `entry` is 0 for the start."""

    ship: Ship
    battle: Battle
    entry: int = 0


class Arrivals:
    """Every ship as she came, by id, and what that was worth to each side."""

    def __init__(self, timeline: Timeline, worth: Worth) -> None:
        self.of: Mapping[str, Arrived] = _arrived(timeline)
        self._places = {number: place for place, number in enumerate(timeline.play_order)}
        self._sides = [side.id for side in timeline.start.sides]
        self._worth = worth

    def brought(self, side: str) -> float:
        """What all ships of a side were worth as they came."""
        return sum(self._worth.of_ship(one.ship) for one in self.of.values() if one.ship.side == side)

    def before(self, entry: int) -> float:
        """What ships that joined before an entry brought the first side; 0: all that did."""
        place = self._places.get(entry, len(self._places))
        joined = [one for one in self.of.values() if one.entry and self._places[one.entry] < place]
        return sum(self._sign(one.ship) * self._worth.of_ship(one.ship) for one in joined)

    def _sign(self, ship: Ship) -> int:
        """Whether a ship counts for the first side, against it, or is of a third one."""
        at = self._sides.index(ship.side) if ship.side in self._sides else 2
        return (1, -1, 0)[min(at, 2)]


def settled(battle: Battle) -> Battle:
    """The battle as if its phase began with it: nothing is drawn as lost just now."""
    return replace(battle, began=None)


def _arrived(timeline: Timeline) -> Mapping[str, Arrived]:
    start = settled(timeline.start)
    found = {id: Arrived(ship, start) for id, ship in start.ships.items()}
    for place, number in enumerate(timeline.play_order):
        effects = timeline.rulings[number].decision.effects
        if any(isinstance(effect.value, Ship) for effect in effects):
            after = settled(timeline.battle_at(place + 1))
            found.update(
                {id: Arrived(ship, after, number) for id, ship in after.ships.items() if id not in found}
            )
    return found
