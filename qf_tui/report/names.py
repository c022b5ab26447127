"""What people call the ships, sides and phases of a battle, and what its entries did, in words."""

from collections.abc import Iterable, Mapping

from attrs import frozen

from qf_tui.core.decisions import fold
from qf_tui.core.declarations import Event, Worth, of_damage
from qf_tui.core.grammar.forms import Order
from qf_tui.core.schedule import events
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Ship, replace
from qf_tui.report.chances import figure
from qf_tui.session.act_words import asked, turn_text
from qf_tui.session.headlines import Headline, deed_of, headline, order_words

LISTED_MOST = 12
"""Numbers of entries that one sentence names."""


class Names:
    """The words of one battle; what an entry did is worked out once."""

    def __init__(self, system: RuleSystem, timeline: Timeline) -> None:
        self.system, self.timeline = system, timeline
        self.damage_kinds = of_damage(system.results)
        self.harm = {kind.name: kind.harm for kind in system.results if kind.harm}
        self.gunfire = next((kind.lines for kind in system.results if kind.damage), ())
        self._headlines: dict[int, Headline] = {}

    def ship(self, id: str) -> str:
        """A ship by her name."""
        return self.timeline.battle.called(id) if id in self.timeline.battle.ships else id

    def side(self, id: str) -> str:
        """A side by its name."""
        side = self.timeline.battle.side(id)
        return side.name if side else id

    def phase(self, name: str) -> str:
        """A phase by its title."""
        return find_phase(self.system, name).title

    def when(self, turn: int, phase: str) -> str:
        """A turn and a phase of it."""
        return turn_text(self.system, turn, phase)

    def capital_when(self, turn: int, phase: str) -> str:
        """The same at the beginning of a sentence."""
        said = self.when(turn, phase)
        return said[:1].upper() + said[1:]

    def gain(self, luck: float) -> str:
        """Worth that is good for the first side where it is above 0, by the side that it is good for."""
        sides = self.timeline.battle.sides
        side = sides[0 if luck >= 0 or len(sides) < 2 else 1].name
        return f"{side} +{figure(abs(luck))}"

    def headline(self, entry: int) -> Headline:
        """What an entry did, and who did it."""
        if entry not in self._headlines:
            act = self.timeline.log[entry - 1]
            self._headlines[entry] = headline(self.system, self.timeline, act, self.timeline.in_force)
        return self._headlines[entry]

    def lead(self, entry: int) -> str:
        """What the dice of an entry in force came to."""
        return deed_of(self.system, self.timeline, entry).lead

    def events(self, entry: int) -> tuple[Event, ...]:
        """The events of an entry in force."""
        timeline = self.timeline
        before = timeline.battle_at(timeline.place(entry))
        after = fold(before, timeline.rulings[entry].decision.effects, entry)
        return events(self.system, before, after)

    def said(self, entry: int) -> str:
        """An order as people say it; of an answer what was owed. Without dice."""
        declared = self.declared(entry)
        if declared is not None:
            return order_words(self.timeline.battle, declared)
        key = self.timeline.versions[entry].order.key
        owed = asked(self.timeline, entry, key)
        return owed.prompt if owed else key

    def declared(self, entry: int) -> Order | None:
        """The order of an entry, or that whose dice it brought; None of an answer to anything else."""
        order = self.timeline.versions[entry].order
        if not order.is_answer:
            return order
        owed = asked(self.timeline, entry, order.key)
        return owed.order if owed else None

    def dice(self, entry: int) -> str:
        """The faces of an entry: `dice 3 10`, or nothing."""
        faces = " ".join(map(str, self.timeline.versions[entry].order.dice))
        return f"dice {faces}" if faces else ""


def joined(parts: list[str]) -> str:
    """Parts as a sentence lists them: `Asahi, Fuji and Mikasa`."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def listed(found: Iterable[object], most: int = LISTED_MOST) -> str:
    """Numbers or names one by one, of more than so many the first, and how many more there are."""
    every = list(map(str, found))
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return f"{', '.join(every[:most])}{more}"


def some(parts: list[str], most: int) -> str:
    """Parts as a sentence lists them, of more than so many the first, and how many more there are."""
    if len(parts) <= most:
        return joined(parts)
    return joined([*parts[: most - 1], f"{len(parts) - most + 1} more"])


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
