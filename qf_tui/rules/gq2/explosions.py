"""What a torpedo or mine does when it goes off (GQ2-TOR-3)."""

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Owed, Ship
from qf_tui.rules.gq2.charts import BoxLoss, df_column, torpedo_cell
from qf_tui.rules.gq2.damage import (
    ARMAMENT,
    HULL,
    CodeKind,
    DamageCode,
    left,
    lose,
    owe_critical,
    start_sinking,
)
from qf_tui.rules.gq2.measures import of_halves
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.ship import code, df
from qf_tui.rules.gq2.shots import remember_damage
from qf_tui.rules.gq2.targets import ON_TABLE, out_of_water

DAMAGE = "torpedo-damage"
DAMAGE_DICE = (Die(6),)
MINE, LIGHT = "mine", "light"
DOUBLED = ("B", "CA")
"""Class codes that take double damage (GQ2-TOR-3)."""

ODDS = (Measure("sinks", 2), Measure("hull", 0, mean=True, denominator=2), Measure("critical", 3))


def prepare_damage_roll(battle: Battle, owed: Owed) -> PreparedOrder:
    """The d6 of a hit; one without facts is a mine's."""
    kind, turn = owed.text("kind") or MINE, owed.number("turn") or battle.turn
    return explosion(battle, owed.ship, kind, owed.text("firer"), turn, owed.entry)


def prepare_mine(battle: Battle, order: Order) -> PreparedOrder:
    """`mine`: a ship strikes a mine (GQ2-TOR-3)."""
    ship = battle.ships[order.text("ship")]
    gone = refused(f"{ship.name} is {ship.status} and strikes no mine", "GQ2-SNK-2")
    ready = explosion(battle, ship.id, MINE, "", battle.turn, None)
    findings = out_of_water(ship) if ship.status in ON_TABLE else (gone,)
    return evolve(ready, findings=findings, owes=DAMAGE, prompt=f"mine under {ship.name}", ship=ship.id)


def explosion(battle: Battle, id: str, kind: str, firer: str, turn: int, cause: int | None) -> PreparedOrder:
    """The damage die of one hit on a ship (GQ2-TOR-3)."""
    ship = battle.ships[id]
    column = df_column(battle, df(ship), light=kind == LIGHT)
    times = 2 if code(ship) in DOUBLED else 1
    hull_left = left(ship, HULL)

    def judge(faces: Faces) -> tuple[int, ...]:
        loss, _ = torpedo_cell(battle, column, faces[0])
        hull = times * loss.hull
        sinks = loss.sunk or 0 < hull_left <= hull
        return hull, times * loss.armament, int(sinks), int(loss.critical)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        _say(battle, ship, kind, column, faces[0], times, builder)
        if firer:
            remember_damage(builder, firer, id, turn)
        hull, armament, _, critical = judge(faces)
        if torpedo_cell(battle, column, faces[0])[0].sunk:
            start_sinking(builder, id, 1, "broken up by the explosion", "GQ2-TOR-3")
        lose(builder, id, ARMAMENT, armament)
        lose(builder, id, HULL, hull)
        if critical:
            through = option(battle, "torpedo_critical") == "penetrated"
            owe_critical(builder, id, turn, penetrated=through, cause=cause)

    return PreparedOrder(
        dice=DAMAGE_DICE,
        judge=judge,
        decide=decide,
        odds=ODDS,
        needs=(Need("sinks", 2), Need("critical hit", 3)),
    )


def _say(
    battle: Battle, ship: Ship, kind: str, column: str, die: int, times: int, builder: DecisionBuilder
) -> None:
    loss, cell = torpedo_cell(battle, column, die)
    what = f"{of_halves(times * loss.hull)} hull, {of_halves(times * loss.armament)} armament"
    name = kind if kind == MINE else f"{kind} torpedo"
    of = f"{name} {die} on {ship.name}, column {column}"
    if not loss.sunk:
        of = f"{of}: {cell.text}{', doubled' if times > 1 else ''}"
    said = cell.text if loss.sunk else what
    builder.because(said, "GQ2-TOR-3", cell, f"torpedo {column}, {die}", of=of)
    builder.result("hits", _codes(loss, times))


def _codes(loss: BoxLoss, times: int) -> tuple[str, ...]:
    if loss.sunk:
        return (CodeKind.BROKEN_UP.value,)
    boxes = ((CodeKind.HULL, loss.hull), (CodeKind.ARMAMENT, loss.armament))
    return tuple(DamageCode(kind, halves * times).in_fractions for kind, halves in boxes if halves)
