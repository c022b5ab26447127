"""Damage codes: what each takes from a ship, and the rolls it calls for (QFC-GUN-10, QFC-BLA, QFC-RUL-7)."""

from collections.abc import Callable, Iterable, Mapping

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.values import Die
from qf_tui.rules.quickfire_clone.clauses import option
from qf_tui.rules.quickfire_family.damage import CalledRoll, Wounds, direction, explosion
from qf_tui.rules.quickfire_family.ship import Battery

D6 = Die(6)
TWO_DICE = (D6, D6)
CODES = ("B", "D", "E", "F", "G", "R", "S", "T")
"""The damage codes that an order or a chart may hold."""
BY_HAND_OF = {"B": "QFC-BLA-3", "D": "QFC-BLA-4", "E": "QFC-BLA-2", "G": "QFC-GUN-10", "S": "QFC-GUN-9"}
"""The clauses of codes by the umpire's word, where it is not that of T, R and F (QFC-BLA-5)."""

OWES: Mapping[str, CalledRoll] = {
    "direction": direction(D6),
    "explosion": explosion(*TWO_DICE),
    "blast": CalledRoll("blast hit on {}", TWO_DICE),
}
"""The rolls that codes call for."""


def take(
    builder: DecisionBuilder, ship: str, codes: Iterable[str], source: Battery | None = Battery.HEAVY
) -> None:
    """Damage to one ship, code by code; `source` is the battery that fired, None an explosion."""
    damage = Damage(builder, ship, source)
    damage.wounds.take(codes, damage.steps)


def explode(builder: DecisionBuilder, ship: str, codes: tuple[str, ...]) -> None:
    """The damage of an explosion (QFC-BLA-2)."""
    take(builder, ship, codes, None)


class Damage:
    """Damage to one ship from one source, written hit by hit; each hit sees those before it."""

    def __init__(self, builder: DecisionBuilder, ship: str, source: Battery | None) -> None:
        self.builder = builder
        self.source = source
        self.wounds = Wounds(builder, ship, OWES)
        self.steps: Mapping[str, Callable[[], None]] = {
            "B": lambda: self.wounds.call("blast"),
            "D": lambda: self.wounds.call("direction"),
            "E": lambda: self.wounds.call("explosion"),
            "F": self.wounds.fire,
            "G": self.gunnery,
            "R": self.repair,
            "S": self.speed,
            "T": self.torpedo,
        }
        self._next = Battery.HEAVY

    def gunnery(self) -> None:
        """G: one point of ROF of the battery that is meant, at zero of the other (QFC-RUL-7)."""
        meant = self._meant()
        either = self._asked("g_at_zero") == "other"
        taken = self.wounds.rof(meant, meant.other) if either else self.wounds.rof(meant)
        if taken is None:
            what = "ROF" if either else f"{meant.value} ROF"
            self.wounds.say(f"G, and no {what} left: nothing", "QFC-RUL-7")
        elif taken is not self.source:
            self.wounds.say(f"G takes {taken.value} ROF", "QFC-RUL-7")

    def _meant(self) -> Battery:
        """The battery that a G falls on: as fired, or the explosion's next."""
        if self.source is None:
            meant = self._next
            self._next = meant.other if self._asked("explosion_g") == "in-turn" else meant
            return meant
        return self.source if self._asked("g_falls_on") == "as-fired" else Battery.HEAVY

    def speed(self) -> None:
        """S: a speed box; beyond the eighth it goes into the margin (QFC-SNK-1)."""
        self.wounds.box("speed_hits")

    def torpedo(self) -> None:
        """T: a point of the torpedo rating, if one is left (QFC-BLA-5)."""
        if not self.wounds.lose("torpedo"):
            self.wounds.say("T, and no torpedo rating left: nothing", "QFC-BLA-5")

    def repair(self) -> None:
        """R: a repair point; none left: nothing, or by the switch a fire (QFC-BLA-5)."""
        if self.wounds.lose("repair_points"):
            return
        burns = self._asked("r_without_points") == "fire"
        self.wounds.say(f"R, and no repair point left: {'a fire' if burns else 'nothing'}", "QFC-BLA-5")
        if burns:
            self.wounds.fire()

    def _asked(self, switch: str) -> str:
        return option(self.builder.battle, switch)
