"""What a ship is worth, as a sum of parts that a rule system declares, each with a weight.

The weights are a matter of taste: an umpire may lay others over them. The parts are not.
"""

from collections.abc import Callable, Iterable, Mapping

from attrs import evolve, field, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.values import AFLOAT, WITHDRAWN, Battle, Ship


@frozen
class WorthPart:
    """One part of a ship's worth: `of` gives how many points of it she has, `text` says it in words.

    `less`: they are taken off. Weights and points are never below 0, so that what is lost never adds to it.
    """

    name: str
    text: str
    weight: float
    of: Callable[[Ship], float] = field(eq=False)
    less: bool = False

    @property
    def words(self) -> str:
        """Its weight, and for what: `less 0.5 for each course`."""
        return f"{'less ' if self.less else ''}{self.weight:g} for {self.text}"


@frozen
class Worth:
    """What ships are worth: the sum of their parts by weight, and never less than nothing.

    A ship whose status is not one of `keeps` is worth nothing: she is sunk, struck, aground. One that
    withdrew keeps what she was worth, for she is out of this battle and not lost.
    """

    parts: tuple[WorthPart, ...]
    keeps: tuple[str, ...] = (AFLOAT, WITHDRAWN)

    def of_ship(self, ship: Ship) -> float:
        """A ship's worth as she stands."""
        if ship.status not in self.keeps:
            return 0.0
        found = 0.0
        for part in self.parts:
            if part.weight:
                points = part.weight * part.of(ship)
                found += -points if part.less else points
        return max(0.0, found)

    def of_side(self, battle: Battle, side: str) -> float:
        """The worth of all ships of a side that are in the battle."""
        return sum(self.of_ship(ship) for ship in battle.ships.values() if ship.side == side)

    def weighted(self, weights: Mapping[str, float]) -> "Worth":
        """The same parts by other weights; QfError names a part that there is not."""
        unknown = sorted(set(weights) - {part.name for part in self.parts})
        if unknown:
            known = ", ".join(part.name for part in self.parts)
            raise QfError(f"worth: no part {unknown[0]}; the parts are {known}")
        parts = (evolve(part, weight=weights.get(part.name, part.weight)) for part in self.parts)
        return evolve(self, parts=tuple(parts))

    def words(self) -> Iterable[str]:
        """Each part that counts, with its weight."""
        return (part.words for part in self.parts if part.weight)


AFLOAT_ALONE = Worth((WorthPart("ship", "each ship in the battle", 1, lambda ship: float(not ship.gone)),))
"""The worth of ships by a rule system that declares none."""
