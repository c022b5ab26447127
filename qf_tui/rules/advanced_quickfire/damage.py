"""Damage codes and where they overflow to (AQF-DAM, AQF-GUN-12, AQF-GUN-14)."""

from collections.abc import Iterable
from enum import Enum, auto

from qf_tui.core.effects import Op
from qf_tui.core.ledger import Ledger
from qf_tui.core.values import SUNK, Die
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.advanced_quickfire.ship import BOXES, Battery, had_torpedoes, live_rof, marked_boxes

D12 = Die(12)

CODES = ("B", "D", "E", "F", "G", "R", "S", "SX", "T")
"""The damage codes that an order or a chart may hold."""


RECURRING = ("fire-check", "sx-check")
"""The checks of phase 4."""

_CALLS = {"D": "direction", "E": "explosion"}
_PROMPTS = {
    "direction": "direction of {}",
    "explosion": "explosion on {}",
    "t-hit": "T-hit effect on {}",
}


class Source(Enum):
    """Where a hit comes from, which tells where its G and S overflow to."""

    HEAVY = auto()
    HEAVY_AT_LIGHT_ARMOR = auto()
    LIGHT = auto()
    BOATS = auto()
    EXPLOSION = auto()
    CHECK = auto()


class Damage:
    """Damage on one ship from one source, written on a ledger hit by hit; each hit sees those before it."""

    def __init__(self, ledger: Ledger, ship: str, source: Source) -> None:
        self.ledger = ledger
        self.id = ship
        self.source = source
        self._explosion_turn = Battery.HEAVY
        self._called_for: list[str] = []

    def take(self, codes: Iterable[str]) -> None:
        """Applies codes in their order, then owes the rolls that they call for."""
        for code in codes:
            self._apply(code)
        called, self._called_for = self._called_for, []
        for line in called:
            self._owe(line)

    def _apply(self, code: str) -> None:
        if code == "G":
            self.gunnery()
        elif code == "S":
            self.speed()
        elif code == "SX":
            self.speed_lost()
        elif code == "B":
            self.boat_gun()
        elif code == "T":
            self.torpedo(printed=True)
        elif code == "R":
            self.repair(printed=True)
        elif code == "F":
            self.fire()
        elif code in _CALLS:
            self._called_for.append(_CALLS[code])

    def _owe(self, line: str) -> None:
        """A roll that damage calls for; a sunk ship owes none, and an explosion met in a check comes next."""
        ship, ledger = self.ledger.ship(self.id), self.ledger
        if ship.status == SUNK:
            return
        waiting = ledger.battle.owed
        ledger.owe(line, self.id, _PROMPTS[line].format(ship.name), D12)
        if line == "explosion" and self.source is Source.CHECK:
            for check in (owed for owed in waiting if owed.line in RECURRING):
                ledger.settle(check)
                ledger.write(Op.OWE, check.ship, check.line, check)

    def gunnery(self) -> None:
        """G: one point of ROF, of the battery that the source tells (AQF-GUN-12, AQF-DAM-3)."""
        asked = self._batteries()
        for battery in asked:
            if live_rof(self.ledger.ship(self.id), battery) > 0:
                self.ledger.add(self.id, battery.rof, -1)
                if battery is not asked[0] or self.source is Source.EXPLOSION:
                    self.say(f"G takes {battery.value} ROF", "AQF-GUN-12")
                if self.source is Source.EXPLOSION:
                    self._explosion_turn = battery.other
                return
        self.boat_gun(overflow=True)

    def _batteries(self) -> tuple[Battery, ...]:
        heavy, light = Battery.HEAVY, Battery.LIGHT
        if self.source is Source.EXPLOSION:
            return (self._explosion_turn, self._explosion_turn.other)
        if self.source is Source.HEAVY_AT_LIGHT_ARMOR:
            return (light,) if option(self.ledger.battle, "light_armor_g") == "chain" else (light, heavy)
        if self.source in (Source.LIGHT, Source.BOATS):
            return (light,)
        return (heavy, light)

    def speed(self) -> None:
        """S: one speed box; with all eight marked it becomes SX or a fire (AQF-GUN-14)."""
        if marked_boxes(self.ledger.ship(self.id)) < BOXES:
            self.ledger.add(self.id, "speed_hits", 1)
        elif self._overflows_to_fire():
            self.say("S with every box marked: a fire", "AQF-GUN-14")
            self.fire()
        else:
            self.say("S with every box marked: SX", "AQF-GUN-14")
            self.speed_lost()

    def _overflows_to_fire(self) -> bool:
        if self.source in (Source.LIGHT, Source.BOATS):
            return option(self.ledger.battle, "light_s_overflow") == "fire"
        if self.source is Source.EXPLOSION:
            return option(self.ledger.battle, "explosion_s_overflow") == "fire"
        return False

    def speed_lost(self, count: int = 1) -> None:
        """SX: boxes for good; live S make room, the margin takes what is over (AQF-LOG-3)."""
        for _ in range(count):
            ship = self.ledger.ship(self.id)
            if marked_boxes(ship) == BOXES and ship.count("speed_hits") > 0:
                self.ledger.add(self.id, "speed_hits", -1)
            self.ledger.add(self.id, "speed_lost", 1)

    def boat_gun(self, *, overflow: bool = False) -> None:
        """B: one boat gun point; none left or never any: T (AQF-DAM-1, AQF-DAM-9)."""
        ship = self.ledger.ship(self.id)
        if ship.count("boat_guns") > 0:
            self.ledger.add(self.id, "boat_guns", -1)
            if overflow:
                self.say("no ROF left: a boat gun point", "AQF-DAM-9")
        elif overflow and not self._ever("boat_guns") and self._stops():
            self.say("no boat guns ever on board: no effect", "AQF-DAM-9")
        else:
            self.torpedo()

    def torpedo(self, *, printed: bool = False) -> None:
        """T: three off the reload; at zero R. On a ship that had torpedoes a T-hit roll is owed too (AQF-DAM-6)."""
        ship = self.ledger.ship(self.id)
        if not had_torpedoes(ship):
            if printed and option(self.ledger.battle, "t_without_torpedoes") == "nothing":
                self.say("T, and never had torpedoes: no effect", "AQF-DAM-6")
            elif not printed and self._stops():
                self.say("no torpedoes ever on board: no effect", "AQF-DAM-9")
            else:
                self.repair()
            return
        reload = ship.count("torpedo_reload")
        if reload > 0:
            self.ledger.add(self.id, "torpedo_reload", -min(3, reload))
            self.say(f"torpedo reload {reload} → {max(0, reload - 3)}", "AQF-DAM-6")
        else:
            self.repair()
        self._called_for.append("t-hit")

    def repair(self, *, printed: bool = False) -> None:
        """R: one repair point; none left: a fire (AQF-DAM-5)."""
        if self.ledger.ship(self.id).count("repair_points") > 0:
            self.ledger.add(self.id, "repair_points", -1)
            if not printed:
                self.say("a repair point goes", "AQF-DAM-5")
        elif not printed and not self._ever("repair") and self._stops():
            self.say("no repair points ever on board: no effect", "AQF-DAM-9")
        else:
            self.say("no repair point left: a fire", "AQF-DAM-5")
            self.fire()

    def fire(self) -> None:
        """F: a fire, without limit (AQF-DAM-4)."""
        self.ledger.mark(self.id, "fires")

    def _ever(self, field: str) -> bool:
        return bool(self.ledger.ship(self.id).card.get(field))

    def _stops(self) -> bool:
        return option(self.ledger.battle, "chain_stops") == "yes"

    def say(self, text: str, clause: str) -> None:
        """A reason about this ship."""
        self.ledger.because(f"{self.ledger.ship(self.id).name}: {text}", clause)
