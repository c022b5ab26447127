"""Repair attempts (QF-REP), and a torpedo point regained (QF-OPT-5)."""

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire.damage import TWO_D6
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire.options import option
from qf_tui.rules.quickfire_family import repair
from qf_tui.rules.quickfire_family.chart import ChartReader
from qf_tui.rules.quickfire_family.targeting import out_of_play
from qf_tui.rules.quickfire_family.throws import Roll, Throw, all_of, ready

REPAIRS = repair.Repairs(
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
        return repair.prepare_repair(GAME, REPAIRS, battle, order)
    ship = battle.ships[order.text("ship")]
    return evolve(
        ready(GAME, battle, Roll("repair", ship.id, order.bare), throw_of(battle, ship.id, TORPEDO)),
        findings=_hindrances(battle, ship),
        declare=lambda builder: builder.remember(REGAIN, ship.id),
        prompt=f"torpedo point regained on {battle.called(ship.id)}",
    )


def throw_of(battle: Battle, id: str, kind: str) -> Throw:
    """The throw of a repair; a torpedo point comes back on a natural 2 and costs no point (QF-OPT-5)."""
    if kind != TORPEDO:
        return repair.throw_of(REPAIRS, battle, id, kind)

    def judge(faces: Faces) -> tuple[int, ...]:
        return (int(sum(faces) == REGAINED_ON),)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        regained = sum(faces) == REGAINED_ON and _lacks(builder.ship(id))
        if regained:
            builder.add(id, "torpedo", 1)
            builder.mark(id, repair.MENDED, TORPEDO)
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
    if battle.phase != repair.REPAIR:
        found.append(refused("torpedo points come back in the repair phase only", "QF-PH-1"))
    found.extend(out_of_play(GAME, ship))
    if not _lacks(ship):
        found.append(refused(f"{ship.name} has all its torpedo points", "QF-OPT-5"))
    if battle.done(REGAIN, ship.id):
        found.append(refused(f"{ship.name} has rolled for a torpedo point this turn", "QF-OPT-5"))
    return tuple(found)


def may_repair(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """What a ship may still roll for in this phase."""
    kinds = repair.may_repair(GAME, REPAIRS, battle, ship)
    return kinds if _hindrances(battle, ship) else (*kinds, TORPEDO)
