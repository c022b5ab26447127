"""Damage to ships in Quickfire: codes read on charts, their overflow, the rolls that they cause, repairs.

Rule: QF-DAM, QF-REC, QF-REP.
"""

from collections.abc import Collection, Mapping

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.text import format_decimal
from qf_tui.core.values import Battle, Die, Faces, Order, Ship
from qf_tui.rules.quickfire.clauses import read_option
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire_family.chart import ChartReader, list_columns
from qf_tui.rules.quickfire_family.damage import (
    EXPLOSION,
    FIELD_BY_KIND,
    FULL_TURNS,
    MENDED,
    REPAIR,
    Check,
    Repairs,
    Resolve,
    SinkingRoll,
    TableLine,
    Wounds,
    build_caused_rolls,
    build_course_effect,
    build_sinking_check,
    find_size_column,
    list_sinkable,
    owe_sinking_rolls,
)
from qf_tui.rules.quickfire_family.launches import SPEED_HITS, build_speed_hits_effect
from qf_tui.rules.quickfire_family.ledger import Source
from qf_tui.rules.quickfire_family.movement import COURSES
from qf_tui.rules.quickfire_family.settlement import build_damage_dealer
from qf_tui.rules.quickfire_family.ship import BOXES, Battery, read_printed_rof, read_size, refuse_out_of_play
from qf_tui.rules.quickfire_family.throws import Roll, Throw, prepare_ship_order

D6 = Die(6)
TWO_D6 = (D6, D6)
EVEN_ROF = 6


BATTERY_BY_SOURCE: Mapping[Source, Battery] = {Source.HEAVY: Battery.HEAVY, Source.LIGHT: Battery.LIGHT}
"""The battery behind a source of damage; other sources have none."""


class Damage(Wounds):
    """The damage of one source to one ship.

    G of a source without a battery, such as boat guns, takes heavy and light ROF by turns.
    """

    game = GAME
    caused_rolls = build_caused_rolls(D6, *TWO_D6)
    ahead_of = ("fire-check",)
    clause = "QF-DAM-1"
    order_clause = "QF-PH-2"

    def apply_gunnery(self) -> None:
        """Apply G: take a point of ROF, or if none is left the boat guns.

        The kind of battery that fired loses ROF first, then the other. Damage that is from no battery takes
        heavy and light ROF by turns. By default G of light fire takes no heavy ROF (switch `light_g`). By the
        switch `even_rof` a ship printed with ROF 6-6 that loses heavy ROF also loses light ROF.

        Rule: QF-DAM-1, QF-DAM-3, QF-OPT-4.
        """
        source_battery = BATTERY_BY_SOURCE.get(self.source)
        only_light = source_battery is Battery.LIGHT and self.read_option("light_g") == "boat_guns"
        if source_battery is None:
            lost = self.lose_rof_by_turns()
        elif only_light:
            lost = self.lose_rof(Battery.LIGHT)
        else:
            lost = self.lose_rof(source_battery, source_battery.other)
        if lost is None:
            boat_guns_lost = self.lose_point("boat_guns")
            rof_text = "light ROF" if only_light else "ROF"
            text = (
                f"no {rof_text} left: the boat guns"
                if boat_guns_lost
                else f"no {rof_text} and no boat guns left: nothing"
            )
            self.explain(text, "QF-DAM-3" if only_light else "QF-DAM-1")
        elif lost is not source_battery:
            self.explain(f"G takes {lost.value} ROF")
        is_six_six = all(read_printed_rof(self.ship, battery) == EVEN_ROF for battery in Battery)
        takes_both = lost is Battery.HEAVY and is_six_six and self.read_option("even_rof") == "yes"
        if takes_both and self.lose_rof(Battery.LIGHT):
            self.explain("a light ROF point goes with the heavy one", "QF-OPT-4")

    def apply_repair(self) -> None:
        """Apply R: take a repair die. With none left it becomes a fire.

        Rule: QF-DAM-1.
        """
        if not self.lose_point("repair_points"):
            self.explain("no repair die left: a fire")
            self.apply_fire()


def _build_direction_effect(battle: Battle, roll: Roll) -> Resolve:
    """Build the effect of a direction roll: a course in degrees, or by a switch a full turn."""
    by_degrees = read_option(battle, "direction_by") == "degrees"
    # Each course is for the faces up to its bound.
    bounds, courses = ((1, 3, 5, 6), COURSES) if by_degrees else ((2, 4, 6), FULL_TURNS)
    return build_course_effect(tuple(zip(bounds, courses, strict=True)), roll, "QF-DAM-2")


def _build_sinking_roll(builder: DecisionBuilder, ship: Ship) -> SinkingRoll:
    """Build a ship's sinking roll: the column for her size, with S beyond the eighth taken off the dice."""
    hits = ship.count("speed_hits")
    column = find_size_column(float(read_size(ship)), list_columns(builder.battle, "sinking", "sinks-on"))
    reason = f"of size {column or format_decimal(read_size(ship))} with {hits} S"
    return SinkingRoll(column, deduction=max(0, hits - BOXES), reason=reason, clause="QF-SNK-1")


_EXPLOSION = TableLine(EXPLOSION, "QF-REC-2", EXPLOSION, "explosion {roll} on {ship}")
_FIRE_CHECK = TableLine("fire-check", "QF-REC-1", "fire check", "fire check {roll} on {ship}", "burns on")
_TORPEDO = build_damage_dealer(Damage, Source.TORPEDO)
CHECKS: Mapping[str, Check] = {
    "direction": Check((D6,), _build_direction_effect),
    EXPLOSION: _EXPLOSION.build_check(TWO_D6, build_damage_dealer(Damage, Source.EXPLOSION)),
    "fire-check": _FIRE_CHECK.build_check(TWO_D6, build_damage_dealer(Damage, Source.CHECK)),
    SPEED_HITS: Check((D6,), lambda battle, roll: build_speed_hits_effect(roll, "QF-TOR-3", _TORPEDO)),
    "sinking": build_sinking_check(TWO_D6, _build_sinking_roll),
}


def owe_sinking(builder: DecisionBuilder) -> None:
    """Owe a sinking roll for each ship whose eight boxes are all marked.

    Rule: QF-SNK-1.
    """
    at_risk = list_sinkable(builder.battle, "speed_hits", BOXES)
    owe_sinking_rolls(builder, at_risk, lambda ship: f"{ship.count('speed_hits')} S", *TWO_D6)


REPAIRS = Repairs(
    GAME,
    dice=TWO_D6,
    limit_clause="QF-REP-1",
    roll_clause="QF-REP-1",
    protected_clause="QF-REP-2",
    course_clause="QF-REP-1",
    once_each=False,
    keeps_point=lambda battle: read_option(battle, "repair_spent") == "on-success",
)

TORPEDO = "torpedo"
REGAIN = "regain"
"""The kind of the act of rolling for a torpedo point."""

REGAINED_ON = 2


def prepare_repair(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `repair`: one roll for one kind of damage, or for a lost torpedo point."""
    if order.text("kind") != TORPEDO:
        return REPAIRS.prepare(battle, order)
    ship = battle.ships[order.text("ship")]
    prompt = f"torpedo point regained on {battle.called(ship.id)}"
    prepared = prepare_ship_order(
        GAME,
        battle,
        order,
        build_repair_throw(battle, ship.id, TORPEDO),
        _list_regain_findings(battle, ship),
        prompt,
    )
    return evolve(prepared, declare=lambda builder: builder.remember(REGAIN, ship.id))


def build_repair_throw(battle: Battle, id: str, kind: str) -> Throw:
    """Build the throw of a repair.

    A roll for a torpedo point succeeds if the dice total 2, and costs no repair die.

    Rule: QF-OPT-5.
    """
    if kind != TORPEDO:
        return REPAIRS.build_throw(battle, id, kind)

    def judge(faces: Faces) -> tuple[int, ...]:
        return (int(sum(faces) == REGAINED_ON),)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        regained = sum(faces) == REGAINED_ON and _has_lost_torpedoes(builder.ship(id))
        if regained:
            builder.add(id, "torpedo", 1)
            builder.mark(id, MENDED, TORPEDO)
        text = "a torpedo point is regained" if regained else "no torpedo point"
        builder.because(text, "QF-OPT-5", of=f"{builder.battle.called(id)},", roll=str(sum(faces)))
        builder.result("mended", regained)

    needs = (Need("regains", 0, (0, 1)),)
    return Throw(dice=TWO_D6, resolve=resolve, judge=judge, odds=(Measure("regains", 0),), needs=needs)


def _has_lost_torpedoes(ship: Ship) -> bool:
    """Return whether a ship has fewer torpedo points than her card prints."""
    return ship.count("torpedo") < ship.count_on_card("torpedo")


def _list_regain_findings(battle: Battle, ship: Ship) -> tuple[Finding, ...]:
    """Return the findings against a roll for a torpedo point."""
    findings: list[Finding] = []
    if read_option(battle, "torpedo_regained") == "no":
        findings.append(
            refused("torpedo points come back only under the switch torpedo_regained", "QF-OPT-5")
        )
    if battle.phase != REPAIR:
        findings.append(refused("torpedo points come back in the repair phase only", "QF-PH-1"))
    findings.extend(refuse_out_of_play(GAME, ship))
    if not _has_lost_torpedoes(ship):
        findings.append(refused(f"{ship.name} has all its torpedo points", "QF-OPT-5"))
    if battle.list_turn_acts(REGAIN, ship.id):
        findings.append(refused(f"{ship.name} has rolled for a torpedo point this turn", "QF-OPT-5"))
    return tuple(findings)


KINDS = (*FIELD_BY_KIND, TORPEDO)
"""The kinds of damage that a ship may roll for."""


def list_repairs(battle: Battle, ship: Ship, kinds: Collection[str] = KINDS) -> tuple[str, ...]:
    """Return which of these kinds of damage a ship may still roll for in this phase."""
    repairs = REPAIRS.list_repairs(battle, ship, tuple(kind for kind in kinds if kind != TORPEDO))
    may_regain_torpedo = TORPEDO in kinds and not _list_regain_findings(battle, ship)
    return (*repairs, TORPEDO) if may_regain_torpedo else repairs
