"""What one Quickfire game gives to the shared rules, as plain values."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from attrs import frozen

from qf_tui.core.errors import Finding
from qf_tui.core.system import ChartShape
from qf_tui.core.text import Distance, exact
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire_family.scales import PRINTED_MILE, Measures, ScaleTable, exactly, in_unit

SPEED_SCALE = "speed_scale"
"""The key of a card that names the scale which its speed is printed for."""


@frozen
class Clauses:
    """Which clause of a game states what the shared rules do; "" where the game is silent.

    `phases` what belongs to which phase, `sunk` wrecks, `moved` the distance used, `change` the change of
    speed, `pivots` and `second_pivot` turning, `steered` a course that damage forces, `strict` the question
    of strict mode.
    """

    phases: str
    sunk: str
    moved: str
    change: str
    strict: str = ""
    pivots: str = ""
    second_pivot: str = ""
    steered: str = ""


@frozen(eq=False)
class Game:
    """One game: its clauses, scales, the shapes of its charts, and by how many boxes a ship may change speed.

    `movement` is the phase in which ships move, `pivots` whether they turn by the pivots of the box in use.
    `speed_unit` is a nautical mile in what its ships' speeds are printed in, at the scale they are printed
    for unless their cards name one; `speed` corrects a printed speed, in a battle whose switches say so.
    `measured`: logs count the distance moved itself, in the unit of the scale; else boxes. `order_of_moves`
    finds what hinders a ship that moves out of its turn. `torpedo_least`: whether torpedoes have a least
    range. `by_used`: whether a second pivot's box is speed.
    """

    clauses: Clauses
    scales: ScaleTable
    shapes: Mapping[str, ChartShape]
    change: Callable[[Battle], int]
    movement: str = "movement"
    pivots: Callable[[Battle], bool] = lambda battle: True
    speed_unit: Fraction = PRINTED_MILE
    speed: Callable[[Battle], Fraction] = lambda battle: Fraction(1)
    measured: bool = False
    torpedo_least: Callable[[Battle], bool] = lambda battle: True
    by_used: Callable[[Battle], bool] = lambda battle: False
    order_of_moves: Callable[[Battle, Ship], tuple[Finding, ...]] = lambda battle, ship: ()

    def measures(self, battle: Battle) -> Measures:
        """The measures of the battle's scale."""
        return self.scales[str(battle.table["scale"]), str(battle.table["units"])]

    def amount(self, battle: Battle, distance: Distance) -> Fraction:
        """A measured distance in the unit of the battle's scale."""
        return distance.to(self.measures(battle).unit)

    def in_torpedo_range(self, battle: Battle, distance: Distance) -> bool:
        """Whether a distance lies between the least and most torpedo range."""
        least, most = self._torpedo_range(battle)
        return least <= self.amount(battle, distance) <= most

    def torpedo_range(self, battle: Battle) -> str:
        """The least and most torpedo range in words."""
        least, most = self._torpedo_range(battle)
        return f"{self.said(battle, least)} to {self.said(battle, most)}"

    def _torpedo_range(self, battle: Battle) -> tuple[Fraction, Fraction]:
        scale = self.measures(battle)
        return scale.torpedo_least if self.torpedo_least(battle) else Fraction(0), scale.torpedo_most

    def said(self, battle: Battle, distance: Fraction) -> str:
        """A distance as it is shown, rounded down, with the unit of the battle's scale."""
        return in_unit(self.measures(battle).unit, distance)

    def said_least(self, battle: Battle, distance: Fraction) -> str:
        """A least distance as it is shown, rounded up."""
        return in_unit(self.measures(battle).unit, distance, up=True)

    def said_beside(self, battle: Battle, distance: Fraction, *limits: Fraction) -> str:
        """A distance that breaks limits, as it is shown, or in full where it would look like one of them."""
        shown = self.said(battle, distance)
        looks = {said(battle, limit) for limit in limits for said in (self.said, self.said_least)}
        return exactly(self.measures(battle).unit, distance) if shown in looks else shown

    def scaled(self, battle: Battle, ship: Ship, printed: object, eighths: int = 8) -> Fraction:
        """A number of eighths of a speed, stated as the ship's card states it, in the battle's unit."""
        figure = printed if isinstance(printed, int | float) else 0
        scale, units = str(battle.table["scale"]), str(battle.table["units"])
        scaled = _scaled(self, figure, eighths, scale, units, str(ship.card.get(SPEED_SCALE)))
        times = self.speed(battle)
        return scaled if times == 1 else scaled * times


@lru_cache(maxsize=4096)
def _scaled(game: Game, printed: float, eighths: int, scale: str, units: str, printed_for: str) -> Fraction:
    """A speed by names of scales, which are looked up faster than numbers that are not whole."""
    stated = game.scales.get((printed_for, "in"))
    speed_unit = stated.nautical_mile if stated else game.speed_unit
    return exact(printed) * eighths / 8 * game.scales[scale, units].nautical_mile / speed_unit
