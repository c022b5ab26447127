"""A battle while it is being set up: its table, its switches, and its sides with the ships picked so far.

Values: each step makes another. Nothing is checked here: `scenario_writer` checks a draft as a scenario.
"""

from collections.abc import Callable, Iterator, Mapping

from attrs import evolve, field, frozen

from qf_tui.core.declarations import usual_scale
from qf_tui.core.measure import Scalar
from qf_tui.core.system import RuleSystem
from qf_tui.library.setup.sources import Source

SIDES = ("Blue", "Red", "Green", "Yellow")
"""What sides are called until they are named."""


@frozen
class FleetShip:
    """A ship of a fleet or a navy; a side has it once, another may have it too."""

    source: Source
    ship: str


@frozen
class DraftDivision:
    """A division; one without a name goes by its side's. `said`: what else its scenario says of it.

    `due` is its place in the scenario's schedule, where it arrives later.
    """

    name: str = ""
    player: str = ""
    ships: tuple[FleetShip, ...] = ()
    said: Mapping[str, Scalar] = field(factory=dict)
    due: int | None = None


@frozen
class DraftSide:
    """A side; it has one division at least. `was`: its id in the scenario that says what wins."""

    name: str
    divisions: tuple[DraftDivision, ...] = (DraftDivision(),)
    was: str = ""

    @property
    def ships(self) -> tuple[FleetShip, ...]:
        """The ships of all its divisions."""
        return tuple(ship for division in self.divisions for ship in division.ships)


@frozen
class DraftPlace:
    """A division by the numbers of its side and of itself, from 0."""

    side: int = 0
    division: int = 0


@frozen
class Draft:
    """All choices so far; `table` holds the keys of a scenario that were set, `options` its switches."""

    ruleset: str
    table: Mapping[str, Scalar] = field(factory=dict)
    options: Mapping[str, str] = field(factory=dict)
    sides: tuple[DraftSide, ...] = (DraftSide(SIDES[0]), DraftSide(SIDES[1]))

    @classmethod
    def begun(cls, system: RuleSystem) -> "Draft":
        """A draft with nothing chosen but the scale that is usual."""
        scale = usual_scale(system.scales)
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
        """Every division, side by side."""
        for number, side in enumerate(self.sides):
            yield from (DraftPlace(number, division) for division in range(len(side.divisions)))

    def division(self, place: DraftPlace) -> DraftDivision:
        return self.sides[place.side].divisions[place.division]

    def where(self, berth: FleetShip) -> tuple[DraftPlace, ...]:
        """The divisions that a ship was put into, one a side at most."""
        return tuple(place for place in self.places if berth in self.division(place).ships)

    def with_table(self, name: str, value: Scalar) -> "Draft":
        return evolve(self, table={**self.table, name: value})

    def with_option(self, system: RuleSystem, name: str, value: str) -> "Draft":
        """A switch turned; one at its default is not kept."""
        defaults = {switch.name: switch.default for switch in system.options}
        options = {**self.options, name: value}
        return evolve(self, options={key: one for key, one in options.items() if one != defaults.get(key)})

    def with_scale(self, system: RuleSystem, name: str) -> "Draft":
        """Another scale, in the same units where it has them."""
        fitting = [scale for scale in system.scales if scale.name == name]
        scale = min(fitting, key=lambda one: one.units != self.table.get("units"))
        return self.with_table("scale", scale.name).with_table("units", scale.units)

    def put(self, berth: FleetShip, place: DraftPlace) -> "Draft":
        """A ship put at the end of a division, taken from where it was on that side."""
        return self.taken(berth, place.side)._changed(
            place, lambda one: evolve(one, ships=(*one.ships, berth))
        )

    def taken(self, berth: FleetShip, side: int) -> "Draft":
        """A ship taken off a side."""
        divisions = tuple(
            evolve(one, ships=tuple(ship for ship in one.ships if ship != berth))
            for one in self.sides[side].divisions
        )
        return self._with_side(side, evolve(self.sides[side], divisions=divisions))

    def moved(self, berth: FleetShip, place: DraftPlace, by: int) -> "Draft":
        """A ship so many places further down in its division, as far as there are any."""
        ships = list(self.division(place).ships)
        at = ships.index(berth)
        ships.insert(max(0, at + by), ships.pop(at))
        return self._changed(place, lambda one: evolve(one, ships=tuple(ships)))

    def with_division(self, side: int, name: str) -> "Draft":
        """A side with one more division."""
        one = self.sides[side]
        return self._with_side(side, evolve(one, divisions=(*one.divisions, DraftDivision(name))))

    def without_division(self, place: DraftPlace) -> "Draft":
        """A side without a division; the last one stays, but empty."""
        divisions = list(self.sides[place.side].divisions)
        del divisions[place.division]
        left = tuple(divisions) or (DraftDivision(),)
        return self._with_side(place.side, evolve(self.sides[place.side], divisions=left))

    def named_division(self, place: DraftPlace, name: str) -> "Draft":
        return self._changed(place, lambda one: evolve(one, name=name))

    def with_player(self, place: DraftPlace, player: str) -> "Draft":
        return self._changed(place, lambda one: evolve(one, player=player))

    def with_side(self) -> "Draft":
        """One side more."""
        used = {side.name for side in self.sides}
        name = next((name for name in SIDES if name not in used), f"Side {len(self.sides) + 1}")
        return evolve(self, sides=(*self.sides, DraftSide(name)))

    def without_side(self, side: int) -> "Draft":
        """Without a side and its ships."""
        return evolve(self, sides=self.sides[:side] + self.sides[side + 1 :])

    def named_side(self, side: int, name: str) -> "Draft":
        return self._with_side(side, evolve(self.sides[side], name=name))

    def _with_side(self, number: int, side: DraftSide) -> "Draft":
        return evolve(self, sides=(*self.sides[:number], side, *self.sides[number + 1 :]))

    def _changed(self, place: DraftPlace, change: Callable[[DraftDivision], DraftDivision]) -> "Draft":
        side = self.sides[place.side]
        divisions = tuple(
            change(one) if number == place.division else one for number, one in enumerate(side.divisions)
        )
        return self._with_side(place.side, evolve(side, divisions=divisions))
