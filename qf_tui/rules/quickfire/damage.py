"""Damage codes: what each takes, and where it goes when there is nothing left (QF-DAM)."""

from collections.abc import Iterable

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.values import Die
from qf_tui.rules.quickfire.options import option
from qf_tui.rules.quickfire_family.damage import Wounds, direction, explosion
from qf_tui.rules.quickfire_family.ship import Battery, printed_rof

D6 = Die(6)
TWO_D6 = (D6, D6)
EVEN_ROF = 6

_OWES = {"direction": direction(D6), "explosion": explosion(*TWO_D6)}


class Damage:
    """Damage on one ship, written on a builder code by code; each code sees those before it.

    `battery` is the one whose fire it comes from; None for an explosion, a boat gun or a check, whose G fall
    heavy and light by turns.
    """

    def __init__(self, builder: DecisionBuilder, ship: str, battery: Battery | None = None) -> None:
        self.builder = builder
        self.id = ship
        self.battery = battery
        self.wounds = Wounds(builder, ship, _OWES, ("fire-check",))

    def take(self, codes: Iterable[str]) -> None:
        """Applies codes in their order, then owes the rolls that they call for."""
        steps = {
            "G": self.gunnery,
            "S": self.speed,
            "T": self.torpedo,
            "R": self.repair,
            "F": self.wounds.fire,
            "D": lambda: self.wounds.call("direction"),
            "E": lambda: self.wounds.call("explosion"),
        }
        self.wounds.take(codes, steps)

    def gunnery(self) -> None:
        """G: a point of ROF, of light fire light ROF alone; then the boat guns (QF-DAM-1, QF-DAM-3)."""
        own, battle = self.battery, self.builder.battle
        alone = own is Battery.LIGHT and option(battle, "light_g") == "boat_guns"
        if own is None:
            lost = self.wounds.rof_by_turns()
        else:
            lost = self.wounds.rof(own) if alone else self.wounds.rof(own, own.other)
        if lost is None:
            gone, which = self.wounds.lose("boat_guns"), "light ROF" if alone else "ROF"
            said = f"no {which} left: the boat guns" if gone else f"no {which} and no boat guns left: nothing"
            self.wounds.say(said, "QF-DAM-3" if alone else "QF-DAM-1")
        elif lost is not own:
            self.say(f"G takes {lost.value} ROF")
        if lost is Battery.HEAVY:
            self._light_with_heavy()

    def _light_with_heavy(self) -> None:
        """By the switch a ship printed with 6-6 loses light ROF with heavy (QF-OPT-4)."""
        ship = self.builder.ship(self.id)
        even = all(printed_rof(ship, battery) == EVEN_ROF for battery in Battery)
        if even and option(self.builder.battle, "even_rof") == "yes" and self.wounds.rof(Battery.LIGHT):
            self.wounds.say("a light ROF point goes with the heavy one", "QF-OPT-4")

    def speed(self) -> None:
        """S: a speed box, beyond the eighth in the margin (QF-DAM-1)."""
        self.wounds.box("speed_hits")

    def torpedo(self) -> None:
        """T: one off the torpedo rating; at zero nothing (QF-DAM-1)."""
        if not self.wounds.lose("torpedo"):
            self.say("T, and no torpedo rating left: nothing")

    def repair(self) -> None:
        """R: one repair die; none left: a fire (QF-DAM-1)."""
        if not self.wounds.lose("repair_points"):
            self.say("no repair die left: a fire")
            self.wounds.fire()

    def say(self, text: str) -> None:
        """A reason about this ship."""
        self.wounds.say(text, "QF-DAM-1")
