"""Damage codes: what each takes, and where it goes when there is nothing left (QF-DAM)."""

from collections.abc import Callable, Iterable, Mapping

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.forms import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.text import decimal
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.quickfire.clauses import option
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire.ship import FULL_TURNS
from qf_tui.rules.quickfire_family import damage
from qf_tui.rules.quickfire_family.attacks import SPEED_HITS, on_speed_hits
from qf_tui.rules.quickfire_family.chart import ChartReader, columns_of
from qf_tui.rules.quickfire_family.damage import (
    Resolve,
    SinkingRoll,
    TableLine,
    Wounds,
    alike_on,
    direction,
    explosion,
    may_sink,
    on_course,
    on_line,
    owe_sinking_rolls,
    row_of_size,
    sink_or_not,
)
from qf_tui.rules.quickfire_family.movement import COURSES
from qf_tui.rules.quickfire_family.ship import BOXES, Battery, out_of_play, printed_rof, size
from qf_tui.rules.quickfire_family.throws import Roll, Throw, all_of, ready

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


_DEGREES = tuple(zip((1, 3, 5, 6), COURSES, strict=True))
_FULL_TURN = tuple(zip((2, 4, 6), FULL_TURNS, strict=True))
_EXPLOSION = TableLine("explosion", "QF-REC-2", "explosion", "explosion {roll} on {ship}")
_FIRE_CHECK = TableLine("fire-check", "QF-REC-1", "fire check", "fire check {roll} on {ship}", "burns on")

_LINES: Mapping[str, TableLine] = {"explosion": _EXPLOSION, "fire-check": _FIRE_CHECK}


def throw_of(battle: Battle, roll: Roll) -> Throw:
    """The throw of a check that a ship owes."""
    dice, resolving = _RESOLVE[roll.line]
    alike = alike_on(battle, _LINES.get(roll.line))
    return Throw(dice, resolving(battle, roll), all_of(dice), alike=alike)


def take(builder: DecisionBuilder, ship: str, codes: tuple[str, ...]) -> None:
    """Damage of an explosion, a check, boat guns or a torpedo."""
    Damage(builder, ship).take(codes)


def _direction(battle: Battle, roll: Roll) -> Resolve:
    degrees = option(battle, "direction_by") == "degrees"
    return on_course(_DEGREES if degrees else _FULL_TURN, roll, "QF-DAM-2")


def _sinking(battle: Battle, roll: Roll) -> Resolve:
    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        ship = builder.ship(roll.ship)
        column = row_of_size(float(size(ship)), columns_of(battle, "sinking", "sinks-on"))
        margin = max(0, ship.count("speed_hits") - BOXES)
        why = f"of size {column or decimal(size(ship))} with {ship.count('speed_hits')} S"
        sink_or_not(builder, ship.id, SinkingRoll(column, margin, why, "QF-SNK-1"), sum(faces), reader)

    return resolve


_RESOLVE: Mapping[str, tuple[tuple[Die, ...], Callable[[Battle, Roll], Resolve]]] = {
    "direction": ((D6,), _direction),
    "explosion": (TWO_D6, lambda battle, roll: on_line(_EXPLOSION, roll, take)),
    "fire-check": (TWO_D6, lambda battle, roll: on_line(_FIRE_CHECK, roll, take)),
    SPEED_HITS: ((D6,), lambda battle, roll: on_speed_hits(roll, "QF-TOR-3", take)),
    "sinking": (TWO_D6, _sinking),
}


def owe_sinking(builder: DecisionBuilder) -> None:
    """One for each ship whose eight boxes are all marked (QF-SNK-1)."""
    at_risk = (ship for ship in may_sink(builder.battle) if ship.count("speed_hits") >= BOXES)
    owe_sinking_rolls(builder, at_risk, lambda ship: f"{ship.count('speed_hits')} S", *TWO_D6)


REPAIRS = damage.Repairs(
    dice=TWO_D6,
    of="QF-REP-1",
    result="QF-REP-1",
    protected="QF-REP-2",
    steer="QF-REP-1",
    once_each=False,
    keeps=lambda battle: option(battle, "repair_spent") == "on-success",
)

TORPEDO = "torpedo"
REGAIN = "regain"
"""The act of rolling for a torpedo point."""

REGAINED_ON = 2
ODDS = (Measure("regains", 0),)


def prepare_repair(battle: Battle, order: Order) -> PreparedOrder:
    """`repair`: one roll for one kind of damage, or for a torpedo point."""
    if order.text("kind") != TORPEDO:
        return damage.prepare_repair(GAME, REPAIRS, battle, order)
    ship = battle.ships[order.text("ship")]
    return evolve(
        ready(GAME, battle, Roll("repair", ship.id, order.bare), repair_throw(battle, ship.id, TORPEDO)),
        findings=_hindrances(battle, ship),
        declare=lambda builder: builder.remember(REGAIN, ship.id),
        prompt=f"torpedo point regained on {battle.called(ship.id)}",
    )


def repair_throw(battle: Battle, id: str, kind: str) -> Throw:
    """The throw of a repair; a torpedo point comes back on a natural 2 and costs no point (QF-OPT-5)."""
    if kind != TORPEDO:
        return damage.throw_of(REPAIRS, battle, id, kind)

    def judge(faces: Faces) -> tuple[int, ...]:
        return (int(sum(faces) == REGAINED_ON),)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        regained = sum(faces) == REGAINED_ON and _lacks(builder.ship(id))
        if regained:
            builder.add(id, "torpedo", 1)
            builder.mark(id, damage.MENDED, TORPEDO)
        said = "a torpedo point is regained" if regained else "no torpedo point"
        builder.because(said, "QF-OPT-5", of=f"{builder.battle.called(id)},", roll=str(sum(faces)))
        builder.result("mended", regained)

    return Throw(TWO_D6, resolve, all_of(TWO_D6), judge, ODDS, (Need("regains", 0, (0, 1)),))


def _lacks(ship: Ship) -> bool:
    """Whether a ship has fewer torpedo points than printed."""
    return ship.count("torpedo") < ship.card_count("torpedo")


def _hindrances(battle: Battle, ship: Ship) -> tuple[Finding, ...]:
    found: list[Finding] = []
    if option(battle, "torpedo_regained") == "no":
        found.append(refused("torpedo points come back under a switch only (torpedo_regained)", "QF-OPT-5"))
    if battle.phase != damage.REPAIR:
        found.append(refused("torpedo points come back in the repair phase only", "QF-PH-1"))
    found.extend(out_of_play(GAME, ship))
    if not _lacks(ship):
        found.append(refused(f"{ship.name} has all its torpedo points", "QF-OPT-5"))
    if battle.done(REGAIN, ship.id):
        found.append(refused(f"{ship.name} has rolled for a torpedo point this turn", "QF-OPT-5"))
    return tuple(found)


def may_repair(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """What a ship may still roll for in this phase."""
    kinds = damage.may_repair(GAME, REPAIRS, battle, ship)
    return kinds if _hindrances(battle, ship) else (*kinds, TORPEDO)
