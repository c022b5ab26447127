"""Repair attempts: what can be repaired, by whom, how often, and repairing one point."""

from collections.abc import Callable, Mapping

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.forms import Mends
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import exact
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader
from qf_tui.rules.quickfire_family.course import steering
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.ship import Battery, gunnery
from qf_tui.rules.quickfire_family.targeting import acting, out_of_play
from qf_tui.rules.quickfire_family.throws import Roll, Throw, all_of, ready

REPAIR = "repair"
"""The phase of repairs, and the act of an attempt."""

MENDED = "mended"
"""The kind of mark that keeps repaired damage legible; lifted where the point is lost again."""

FIELDS: Mapping[str, str] = {
    "heavy": "rof_heavy",
    "light": "rof_light",
    "boats": "boat_guns",
    "speed": "speed_hits",
    "course": "course",
}
"""The kinds of repair, and the field of the log that each repairs."""

MENDS = Mends("repair_points", "repair")
"""What the orders of all games that repair use up."""

_PRINTED = {"heavy": "rof.heavy", "light": "rof.light", "boats": "boat_guns"}
ODDS = (Measure("repairs", 0),)


@frozen(eq=False)
class Repairs:
    """How a game repairs: its dice, the clauses it cites, and whose point is spent.

    `once_each`: one attempt a turn for each kind. `keeps`: whether a failure keeps the point in this battle.
    `of` cites what can be tried, `result` the roll, `protected` that for S of a +P ship, `steer` a repaired
    course.
    """

    dice: tuple[Die, ...]
    of: str
    result: str
    protected: str
    steer: str
    once_each: bool
    keeps: Callable[[Battle], bool]


def repairable(ship: Ship, kind: str) -> bool:
    """Whether there is something of that kind to repair."""
    if kind == "course":
        return bool(ship.live("course"))
    if kind == "speed":
        return ship.count("speed_hits") > 0
    if kind != "boats" and not gunnery(ship, Battery(kind)):
        return False
    return ship.count(FIELDS[kind]) < exact(ship.card.get(_PRINTED[kind]))


def attempts_left(battle: Battle, ship: Ship) -> int:
    """Attempts that a ship may still make this turn: its points as the phase began, less those made."""
    return max(0, acting(battle, ship.id).count("repair_points") - len(battle.done(REPAIR, ship.id)))


def prepare_repair(game: Game, repairs: Repairs, battle: Battle, order: Order) -> PreparedOrder:
    """`repair`: one attempt on one kind of damage."""
    ship, kind = battle.ships[order.text("ship")], order.text("kind")
    return evolve(
        ready(game, battle, Roll("repair", ship.id, order.bare), throw_of(repairs, battle, ship.id, kind)),
        findings=hindrances(game, repairs, battle, ship, kind),
        declare=lambda builder: builder.remember(REPAIR, ship.id, kind=kind),
        prompt=f"repair of {kind} on {battle.called(ship.id)}",
    )


def throw_of(repairs: Repairs, battle: Battle, id: str, kind: str) -> Throw:
    """The throw of an attempt: on the repair line, +P ships with another line for S."""
    protected = kind == "speed" and battle.ships[id].card.get("protected") is True
    line = "repair-p" if protected else "repair"
    plain = plain_reader(battle)

    def judge(faces: Faces) -> tuple[int, ...]:
        there = repairable(battle.ships[id], kind)
        return (int(there and "fix" in plain.codes("damage", line, sum(faces))[0]),)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        total = sum(faces)
        codes, cell = reader.codes("damage", line, total)
        ship, keeps = builder.ship(id), repairs.keeps(battle)
        there = repairable(ship, kind)
        repaired = there and "fix" in codes
        failed = f"repair of {kind} fails" if there else f"nothing of {kind} to repair"
        said = f"{kind} repaired" if repaired else failed
        point = "" if repaired else f"; point {'kept' if keeps else 'spent'}"
        place = f"repair {'S+P' if protected else kind} {total}"
        clause = repairs.protected if protected else repairs.result
        of = f"{builder.battle.called(ship.id)}:"
        builder.because(f"{said}{point}", clause, cell, place, of=of, roll=str(total))
        if repaired:
            restore(repairs, builder, id, kind)
        if repaired or not keeps:
            spend(builder, id)
        builder.result("mended", repaired)

    return Throw(
        repairs.dice,
        resolve,
        all_of(repairs.dice),
        judge,
        ODDS,
        (Need("repairs", 0, tuple(range(len(repairs.dice)))),),
    )


def restore(repairs: Repairs, builder: DecisionBuilder, id: str, kind: str) -> None:
    """Restores exactly one of a kind that is there to repair, of direction hits the newest."""
    ship = builder.ship(id)
    if kind == "course":
        builder.lift(id, ship.live("course")[-1])
        forced = steering(builder.ship(id))
        steers = f"is still steered {forced}" if forced is not None else "steers again from the next turn"
        builder.because(steers, repairs.steer, subject=builder.battle.called(ship.id))
    else:
        builder.add(id, FIELDS[kind], -1 if kind == "speed" else 1)
    builder.mark(id, MENDED, kind)


def spend(builder: DecisionBuilder, id: str) -> None:
    """Uses a repair point up."""
    if builder.ship(id).count("repair_points") > 0:
        builder.add(id, "repair_points", -1)


def hindrances(game: Game, repairs: Repairs, battle: Battle, ship: Ship, kind: str) -> tuple[Finding, ...]:
    """What hinders an attempt."""
    found: list[Finding] = []
    if battle.phase != REPAIR:
        found.append(refused("repairs are tried in the repair phase only", game.clauses.phases))
    found.extend(out_of_play(game, ship))
    if not repairable(ship, kind):
        found.append(refused(f"{ship.name} has nothing of {kind} to repair", repairs.of))
    if repairs.once_each and any(act.text("kind") == kind for act in battle.done(REPAIR, ship.id)):
        found.append(refused(f"{ship.name} has tried to repair {kind} this turn", repairs.of))
    if attempts_left(battle, ship) == 0:
        found.append(refused(f"{ship.name} has no repair attempt left this turn", repairs.of))
    return tuple(found)


def may_repair(game: Game, repairs: Repairs, battle: Battle, ship: Ship) -> tuple[str, ...]:
    """The kinds that a ship may still try this turn."""
    return tuple(kind for kind in FIELDS if not hindrances(game, repairs, battle, ship, kind))
