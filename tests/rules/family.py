"""Ships and small battles of the Quickfire family: what the tables of its three systems have in common.

Each system says how its usual ships are printed and where a battle begins; a test says what differs.
"""

from collections.abc import Mapping
from typing import TypedDict, Unpack

from attrs import field, frozen

from qf_tui.core.system import RuleSystem, Setup
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Mark, Ship
from tests.rules.playing import started

Arcs = TypedDict(
    "Arcs",
    {"arcs.bow.heavy": str, "arcs.bow.light": str, "arcs.stern.heavy": str, "arcs.stern.light": str},
    total=False,
)
"""How the guns bear over the ends, where a card says so itself."""


class Card(Arcs, total=False):
    """What a card prints, by fleet-file keys: pairs of heavy and light, torpedoes by size and reload."""

    name: str
    kind: str
    size: float
    gunnery: tuple[float, float]
    armor: tuple[float, float]
    rof: tuple[int, int]
    torpedo: int | tuple[int, int] | None
    boat_guns: int
    speed: float
    speed_scale: str
    protected: bool
    repair: int
    torpedo_boat: bool
    end_arc: str
    base: float
    notes: str


PAIRS: Mapping[str, tuple[str, str]] = dict.fromkeys(("gunnery", "armor", "rof"), ("heavy", "light"))
"""What a card prints in pairs, and how the two are told apart."""


@frozen
class Family:
    """The tables of one system of the family: its usual ships, its table, and the phase of its guns."""

    system: RuleSystem
    setup: Setup
    phase: str
    battleship: Card
    destroyer: Card = field(factory=Card)
    pairs: Mapping[str, tuple[str, str]] = PAIRS

    def ship(
        self,
        id: str,
        side: str = "blue",
        *,
        log: Mapping[str, Scalar] | None = None,
        fires: int = 0,
        courses: tuple[str, ...] = (),
        **card: Unpack[Card],
    ) -> Ship:
        """A battleship, as it musters.

        `card` differs by fleet-file keys, `log` and marks are what it has suffered.
        """
        printed = self._flat({"name": id.capitalize(), **self.battleship, **card})
        mustered = {**self.system.muster(printed, self.setup), **(log or {})}
        marks = [Mark(f"0.f{at}", "fires") for at in range(fires)]
        marks += [Mark(f"0.c{at}", "course", text) for at, text in enumerate(courses)]
        return Ship(id, str(printed["name"]), side, f"{side}-line", printed, mustered, tuple(marks))

    def craft(
        self,
        id: str,
        side: str = "red",
        *,
        log: Mapping[str, Scalar] | None = None,
        **card: Unpack[Card],
    ) -> Ship:
        """A destroyer, as it musters: light craft that boat guns may hurt."""
        light: Card = {**self.destroyer, **card}
        return self.ship(id, side, log=log, **light)

    def battle(self, *ships: Ship, phase: str = "", **given: str | bool) -> Battle:
        """A battle in some phase of its first turn; ajax (blue) and rook (red) unless told.

        `given` are conditions of the table and switches, by name.
        """
        usual: dict[str, str | bool] = {"units": self.setup.units, "scale": self.setup.scale, "strict": False}
        table: dict[str, Scalar] = {name: given.get(name, value) for name, value in usual.items()}
        switches = {name: str(value) for name, value in given.items() if name not in usual}
        ships = ships or (self.ship("ajax"), self.ship("rook", "red"))
        return started(self.system, ships, phase or self.phase, table, switches)

    def _flat(self, card: Card) -> dict[str, Scalar]:
        flat: dict[str, Scalar] = {}
        for key, value in card.items():
            if key in self.pairs:
                both = value if isinstance(value, tuple) else (None, None)
                flat |= {f"{key}.{part}": one for part, one in zip(self.pairs[key], both, strict=True)}
            else:
                assert value is None or isinstance(value, int | float | str)
                flat[key] = value
        return flat
