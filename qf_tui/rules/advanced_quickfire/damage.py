"""Damage to ships in Advanced Quickfire: codes read on charts, their overflow, rolls they cause, repairs.

Rule: AQF-DAM, AQF-REC, AQF-REP.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import ClassVar

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.values import Battle, ChartCell, Die, Faces, Ship
from qf_tui.rules.advanced_quickfire.clauses import read_option
from qf_tui.rules.advanced_quickfire.game import GAME, has_carried_torpedoes
from qf_tui.rules.quickfire_family.chart import ChartReader, build_plain_reader
from qf_tui.rules.quickfire_family.damage import (
    EXPLOSION,
    CausedRoll,
    Check,
    Repairs,
    Resolve,
    SinkingRoll,
    TableLine,
    Wounds,
    build_caused_rolls,
    build_course_effect,
    build_sinking_check,
    list_sinkable,
    owe_sinking_rolls,
)
from qf_tui.rules.quickfire_family.ledger import Source
from qf_tui.rules.quickfire_family.settlement import build_damage_dealer, deal_codes
from qf_tui.rules.quickfire_family.ship import BOXES, Battery, count_marked_boxes
from qf_tui.rules.quickfire_family.throws import Roll

D12 = Die(12)
TWO_D6 = (Die(6), Die(6))
_ONE_DIE = (D12,)

_LAST_BATTERY = "exploded"
"""The key of a log for the battery that lost ROF last in an explosion, under the switch `explosion_g`."""
SINKING_FROM, _RELOAD_PER_T = 2, 3
"""The least number of SX that may sink a ship, and the reload that a T takes."""


_S_OVERFLOWS = {
    Source.LIGHT: "light_s_overflow",
    Source.BOATS: "light_s_overflow",
    Source.EXPLOSION: "explosion_s_overflow",
}
"""The switch that says what S becomes with all boxes marked, by source; other sources bring SX."""


_T_HITS = CausedRoll("T-hit effect on {}", _ONE_DIE)
_OWES = {dice: build_caused_rolls(D12, *dice, **{"t-hit": _T_HITS}) for dice in (_ONE_DIE, TWO_D6)}
"""The rolls that damage causes, by the dice of an explosion."""


class Damage(Wounds):
    """The damage of one source to one ship."""

    game = GAME
    ahead_of = ("fire-check", "sx-check")
    order_clause = "AQF-DAM-12"
    steps: ClassVar = {
        **Wounds.steps,
        "SX": lambda damage: damage.apply_speed_lost(),
        "B": lambda damage: damage.apply_boat_gun(),
        "T": lambda damage: damage.apply_torpedo(printed=True),
        "R": lambda damage: damage.apply_repair(printed=True),
    }

    def __init__(self, builder: DecisionBuilder, ship: str, source: Source = Source.HEAVY) -> None:
        super().__init__(builder, ship, source)
        self.caused_rolls = _OWES[TWO_D6 if self.read_option("explosion_dice") == "2d6" else _ONE_DIE]

    def apply_gunnery(self) -> None:
        """Apply G: take a point of ROF from the first battery that has one and that the source may hit.

        In an explosion a switch chooses the battery. If no such battery has ROF, a boat gun point is lost.

        Rule: AQF-GUN-12, AQF-DAM-3.
        """
        is_explosion = self.source is Source.EXPLOSION
        batteries = self._list_batteries()
        lost_from = self._lose_rof_in_explosion() if is_explosion else self.lose_rof(*batteries)
        # A loss of the first battery on the list is the usual one, and needs no explanation.
        is_usual = not is_explosion and lost_from == batteries[0]
        if not lost_from:
            self.apply_boat_gun(from_gunnery=True)
        elif not is_usual:
            self.explain(f"G takes {lost_from} ROF", "AQF-DAM-3" if is_explosion else "AQF-GUN-12")

    def _lose_rof_in_explosion(self) -> str:
        """Take ROF for a G of an explosion; return the batteries that lost a point, or "" if none has ROF.

        The switch `explosion_g` says how heavy and light lose it: by turns from heavy (`in-turn`), by turns
        from where the last explosion stopped (`goes-on`), or a point each (`both`).

        Rule: AQF-DAM-3.
        """
        rule = self.read_option("explosion_g")
        if rule == "both":
            return " and ".join(lost for each in Battery if (lost := self.lose_rof(each)))
        if rule == "goes-on" and self.ship.log.get(_LAST_BATTERY) == Battery.HEAVY:
            self.next_battery = Battery.LIGHT
        lost = self.lose_rof_by_turns()
        if lost and rule == "goes-on":
            self.builder.record(self.id, _LAST_BATTERY, lost.value)
        return lost or ""

    def _list_batteries(self) -> tuple[Battery, ...]:
        """Return the batteries that may lose ROF to this source, in order."""
        heavy, light = Battery.HEAVY, Battery.LIGHT
        if self.source is Source.LIGHT_ARMOR:
            return (light,) if self.read_option("light_armor_g") == "chain" else (light, heavy)
        if self.source in (Source.LIGHT, Source.BOATS):
            return (light,)
        return (heavy, light)

    def apply_speed(self) -> None:
        """Apply S: mark a speed box. If all eight are marked already, the S becomes SX or a fire.

        A switch for the source of the damage says which; a source without a switch makes it SX.

        Rule: AQF-GUN-14.
        """
        switch = _S_OVERFLOWS.get(self.source)
        to_fire = switch is not None and self.read_option(switch) == "fire"
        if count_marked_boxes(self.ship) < BOXES:
            self.mark_box("speed_hits")
        elif to_fire:
            self.explain("S with every box marked: a fire", "AQF-GUN-14")
            self.apply_fire()
        else:
            self.explain("S with every box marked: SX", "AQF-GUN-14")
            self.apply_speed_lost()

    def apply_speed_lost(self) -> None:
        """Apply SX: mark one more box, never to be repaired.

        If all eight boxes are marked, the SX replaces an S; if all eight are SX, it counts in the margin.

        Rule: AQF-LOG-3.
        """
        ship = self.ship
        if count_marked_boxes(ship) == BOXES and ship.count("speed_hits") > 0:
            self.builder.add(self.id, "speed_hits", -1)
            self.builder.add(self.id, "speed_lost", 1)
        else:
            self.mark_box("speed_lost")

    def apply_boat_gun(self, *, from_gunnery: bool = False) -> None:
        """Apply B: take a boat gun point. With none left, B becomes T on a ship that ever had torpedoes.

        On another ship a B of the chart has no effect, or by the switch `b_chain` becomes R; a B from a G
        becomes T.

        Args:
            from_gunnery: True if the B follows from a G without ROF. By the switch `chain_stops` it then has
                no effect on a ship that never had boat guns.

        Rule: AQF-DAM-1, AQF-DAM-9, AQF-DAM-13.
        """
        if self.lose_point("boat_guns"):
            if from_gunnery:
                # A source that hits the light battery alone may leave heavy ROF.
                battery = "" if len(self._list_batteries()) > 1 else "light "
                self.explain(f"no {battery}ROF left: a boat gun point", "AQF-DAM-9")
        elif from_gunnery and self._is_chain_stopped("boat_guns"):
            self.explain("no boat guns ever on board: nothing", "AQF-DAM-9")
        elif from_gunnery or has_carried_torpedoes(self.ship):
            self.apply_torpedo()
        elif self.read_option("b_chain") == "letter":
            self.explain("B, and neither boat guns nor torpedoes: nothing", "AQF-DAM-13")
        else:
            self.apply_repair()

    def apply_torpedo(self, *, printed: bool = False) -> None:
        """Apply T: take three off the reload, or at zero apply R. In both cases a T-hit roll is owed.

        A ship that never had torpedoes owes no roll. A T of the chart does nothing to her, or by a switch
        becomes R; a T that follows from B becomes R, or by a switch does nothing.

        Args:
            printed: True for a T of the chart; False for one that follows from B.

        Rule: AQF-DAM-6.
        """
        ship = self.ship
        if not has_carried_torpedoes(ship):
            if printed and self.read_option("t_without_torpedoes") == "nothing":
                self.explain("T, and never had torpedoes: nothing", "AQF-DAM-6")
            elif not printed and self._is_chain_stopped("torpedo.reload"):
                self.explain("no torpedoes ever on board: nothing", "AQF-DAM-9")
            else:
                self.apply_repair()
            return
        reload = ship.count("torpedo_reload")
        if reload > 0:
            reload_left = max(0, reload - _RELOAD_PER_T)
            self.builder.add(self.id, "torpedo_reload", reload_left - reload)
            self.explain(f"torpedo reload {reload} → {reload_left}", "AQF-DAM-6")
        else:
            self.apply_repair()
        self.note_caused_roll("t-hit")

    def apply_repair(self, *, printed: bool = False) -> None:
        """Apply R: take a repair point. With none left, R becomes a fire.

        By the switch `chain_stops`, an R that follows from another code does nothing to a ship that never had
        repair points.

        Args:
            printed: True for an R of the chart; False for one that follows from T or B.

        Rule: AQF-DAM-5.
        """
        if self.lose_point("repair_points"):
            if not printed:
                self.explain("a repair point goes", "AQF-DAM-5")
        elif not printed and self._is_chain_stopped("repair"):
            self.explain("no repair points ever on board: nothing", "AQF-DAM-9")
        else:
            self.explain("no repair point left: a fire", "AQF-DAM-5")
            self.apply_fire()

    def _is_chain_stopped(self, field: str) -> bool:
        """Return whether the chain of overflow ends at a value that the card never had (a switch)."""
        return not self.ship.card.get(field) and self.read_option("chain_stops") == "yes"


REPAIRS = Repairs(
    GAME,
    dice=_ONE_DIE,
    limit_clause="AQF-REP-1",
    roll_clause="AQF-REP-2",
    protected_clause="AQF-REP-2",
    course_clause="AQF-REP-4",
    once_each=True,
    keeps_point=lambda battle: True,
)


def _build_direction_effect(battle: Battle, roll: Roll) -> Resolve:
    """Build the effect of a direction roll: a forced course."""
    # Each course with the greatest face that brings it.
    courses = ((2, "90 left"), (6, "45 left"), (10, "45 right"), (12, "90 right"))
    return build_course_effect(courses, roll, "AQF-DAM-2")


def _build_line_check(source: Source, line: TableLine) -> Check:
    """Build the check of a line of the damage table: one die, whose codes count as damage of this source.

    Rule: AQF-DAM-3, AQF-DAM-6, AQF-DAM-8, AQF-REC-1.
    """
    return line.build_check(_ONE_DIE, build_damage_dealer(Damage, source))


def _build_flooding_key(battle: Battle) -> Callable[[Faces], Hashable]:
    """Return a function that gives faces of an SX check the same key if they have the same effect."""
    odds_reader = build_plain_reader(battle)
    return lambda faces: _read_flooding(battle, faces[0], odds_reader)[0]


def _read_flooding(battle: Battle, face: int, reader: ChartReader) -> tuple[tuple[str, ...], ChartCell]:
    """Return the codes of a face of an SX check, and its cell.

    Under the value 12 of the switch `sx_check`, an 11 has no codes.

    Rule: AQF-REC-2.
    """
    codes, cell = reader.read_codes("damage", "sx-check", face)
    return (() if face == 11 and read_option(battle, "sx_check") == "12" else codes), cell


def _build_flooding_effect(battle: Battle, roll: Roll) -> Resolve:
    """Build the effect of an SX check: deal the damage codes of the face, one more SX for a high face.

    Rule: AQF-REC-2.
    """

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        codes, cell = _read_flooding(battle, faces[0], reader)
        text = " ".join(codes) or "no further flooding"
        place = f"SX check {faces[0]}"
        of = f"{place} on {builder.battle.called(roll.ship)}"
        builder.because(text, "AQF-REC-2", cell, place, of=of)
        deal_codes(Damage(builder, roll.ship, Source.CHECK), codes)
        builder.result("hits", codes)

    return resolve


def _build_sinking_roll(builder: DecisionBuilder, ship: Ship) -> SinkingRoll:
    """Build a ship's sinking roll.

    Her number of SX, at most eight, is the column; each SX beyond is taken off the die.

    Rule: AQF-SNK-1.
    """
    sx_count = ship.count("speed_lost")
    column = str(min(sx_count, BOXES))
    beyond_eighth = max(0, sx_count - BOXES)
    return SinkingRoll(column, beyond_eighth, f"with {sx_count} SX", "AQF-SNK-1", unit=" SX")


_EXPLOSION = TableLine(EXPLOSION, "AQF-DAM-3", EXPLOSION, "explosion {roll} on {ship}", also=("F",))
_T_HIT = TableLine("t-hit", "AQF-DAM-6", "T-hit effect", "T-hit {roll}")
_FIRE_CHECK = TableLine("fire-check", "AQF-REC-1", "fire check", "fire check {roll} on {ship}", "burns on")
CHECKS: Mapping[str, Check] = {
    "direction": Check(_ONE_DIE, _build_direction_effect),
    EXPLOSION: _build_line_check(Source.EXPLOSION, _EXPLOSION),
    "t-hit": _build_line_check(Source.CHECK, _T_HIT),
    "fire-check": _build_line_check(Source.CHECK, _FIRE_CHECK),
    "sx-check": Check(_ONE_DIE, _build_flooding_effect, _build_flooding_key),
    "sinking": build_sinking_check(_ONE_DIE, _build_sinking_roll),
}


def owe_sx_checks(builder: DecisionBuilder) -> None:
    """Owe one SX check for each ship with SX, once a turn, after the fire checks.

    Rule: AQF-REC-2.
    """
    battle = builder.battle
    if any(act.kind == "sx-checked" and act.turn == battle.turn for act in battle.acts):
        return
    builder.remember("sx-checked", "")
    # The cause is the start of the phase, whichever entry asks.
    for ship in list_sinkable(battle, "speed_lost", least=1):
        builder.owe("sx-check", ship.id, f"SX check of {battle.called(ship.id)}", D12, cause=battle.opened)


def owe_sinking(builder: DecisionBuilder) -> None:
    """Owe a sinking roll for each ship with two or more SX, or by the switch `sinking_at` with eight.

    Rule: AQF-SNK-1.
    """
    least = SINKING_FROM if read_option(builder.battle, "sinking_at") == "two-sx" else BOXES
    at_risk = list_sinkable(builder.battle, "speed_lost", least)
    owe_sinking_rolls(builder, at_risk, lambda ship: f"{ship.count('speed_lost')} SX", D12)
