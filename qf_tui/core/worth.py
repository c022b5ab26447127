"""What a ship is worth, as a sum of parts that a rule system declares, each with a weight.

The weights are a matter of taste: an umpire may lay others over them. The parts are not.
"""

from collections.abc import Callable, Iterable, Mapping

from attrs import evolve, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.values import Battle, Ship


@frozen
class WorthPart:
    """One part of a ship's worth: `of` gives how many points of it she has, `text` says it in words."""

    name: str
    text: str
    weight: float
    of: Callable[[Ship], float]


@frozen
class Worth:
    """What ships are worth: the sum of their parts by weight."""

    parts: tuple[WorthPart, ...]

    def of_ship(self, ship: Ship) -> float:
        """A ship's worth as she stands."""
        return sum(part.weight * part.of(ship) for part in self.parts if part.weight)

    def of_side(self, battle: Battle, side: str) -> float:
        """The worth of all ships of a side that are in the battle."""
        return sum(self.of_ship(ship) for ship in battle.ships.values() if ship.side == side)

    def weighted(self, weights: Mapping[str, float]) -> "Worth":
        """The same parts by other weights; QfError names a part that there is not."""
        unknown = sorted(set(weights) - {part.name for part in self.parts})
        if unknown:
            known = ", ".join(part.name for part in self.parts)
            raise QfError(f"worth: no part {unknown[0]}; the parts are {known}")
        return Worth(tuple(evolve(part, weight=weights.get(part.name, part.weight)) for part in self.parts))

    def words(self) -> Iterable[str]:
        """Each part that counts, with its weight."""
        return (f"{part.weight:g} for {part.text}" for part in self.parts if part.weight)


AFLOAT_ALONE = Worth((WorthPart("ship", "each ship in the battle", 1, lambda ship: float(not ship.gone)),))
"""The worth of ships by a rule system that declares none."""
