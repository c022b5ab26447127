"""Battery fire: estimate, ROF and auto shot, one hit, blast (QFC-GUN, QFC-BLA-1)."""

from collections.abc import Hashable
from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import decimal
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.quickfire_clone.charts import Aim, aim, figure
from qf_tui.rules.quickfire_clone.damage import take
from qf_tui.rules.quickfire_clone.forms import ASPECTS
from qf_tui.rules.quickfire_clone.game import GAME, LIGHT_RANGE, centimetres, perhaps_centimetres
from qf_tui.rules.quickfire_clone.options import option
from qf_tui.rules.quickfire_clone.targeting import REACH, assumed, bases_of, falls_on, hindrances
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader, plain_reader
from qf_tui.rules.quickfire_family.gunnery import say_blast, say_rof, state_shot
from qf_tui.rules.quickfire_family.ship import Battery, armor, gunnery
from qf_tui.rules.quickfire_family.targeting import acting
from qf_tui.rules.quickfire_family.throws import Roll, Throw, ready

BLACK, WHITE = Die(6, "black"), Die(6, "white")
ODDS = (Measure("fires", 0), Measure("hits", 1), Measure("blast", 2))
NEEDS = (Need("fires", 0), Need("hits", 1, (1,)))


@frozen
class Estimate:
    """Whether an estimate falls on the target's base, and what is said of it, if anything.

    The figures are said where the order does not hold them all: where the base is that of the card.
    """

    on_base: bool
    said: str
    clause: str = "QFC-GUN-5"


@frozen
class Blow:
    """The guns of one ship at another, and where they are read on the chart.

    `at` is the row of the blast table, "" where the guns bring no blast.
    """

    firer: Ship
    target: Ship
    battery: Battery
    aim: Aim
    at: str


@frozen
class Shot(Blow):
    """A shot as declared: what the firer can do, where the chart is read, and whether the estimate is good.

    `rof` is the ROF as the phase began, `auto` whether the ship has its auto shot.
    """

    rof: int
    auto: bool
    rof_0_fires: bool
    estimate: Estimate

    def fires(self, black: int) -> bool:
        """Whether the battery fires on a black die (QFC-GUN-4, QFC-GUN-7, QFC-RUL-5)."""
        if self.auto:
            return self.rof > 0 or self.rof_0_fires
        return black <= self.rof


def shot_of(battle: Battle, order: Order) -> Shot:
    """The shot of an order: what the firer can do is read as the phase began (QFC-PH-2)."""
    id, battery = order.text("ship"), Battery(order.text("battery"))
    firer, target = acting(battle, id), battle.ships[order.text("target")]
    return Shot(
        firer=firer,
        target=target,
        battery=battery,
        aim=aim(battle, gunnery(firer, battery), armor(target, battery), end=order.has("end")),
        at=blast_row(battle, battery, centimetres(order.slots["range"])),
        rof=firer.count(battery.rof),
        auto=battle.ships[id].log.get("auto_shot") is not True,
        rof_0_fires=option(battle, "auto_shot_at_rof_0") == "yes",
        estimate=estimate_of(order, target),
    )


def blast_row(battle: Battle, battery: Battery, range: Fraction) -> str:
    """The row of the blast table for a range in centimetres; "" for fire that brings no blast (QFC-RUL-2)."""
    if battery is Battery.LIGHT and option(battle, "light_blast") == "no":
        return ""
    return "long" if range > LIGHT_RANGE else "short"


def estimate_of(order: Order, target: Ship) -> Estimate:
    """The estimate of an order: `off`, or a guess within half of the base (QFC-GUN-5, QFC-GUN-14)."""
    bases = bases_of(order, target) if "guess" in order.slots else ()
    on = falls_on(order, bases[0]) if bases else not order.has("off")
    if not bases or "base" in order.slots:
        return Estimate(on, "" if on else "the estimate is off the base")
    seen = "".join(f" {aspect}" for aspect in ASPECTS if order.has(aspect))
    figures = f"estimate {order.slots['guess']} for {order.slots['range']}, base {decimal(bases[0])}cm{seen}"
    return Estimate(on, figures, "QFC-GUN-14" if seen else "QFC-GUN-5")


@frozen
class Result:
    """What the dice of a shot did, read from the chart before anything is written."""

    fired: bool
    hits: tuple[str, ...] = ()
    cell: ChartCell | None = None
    blast: tuple[str, ...] = ()
    blast_cell: ChartCell | None = None


def read_dice(shot: Shot, faces: Faces, reader: ChartReader) -> Result:
    """The judgement of a shot: ROF, one hit, then blast if it did damage."""
    if not shot.estimate.on_base or not shot.fires(faces[0]) or len(faces) < 2:
        return Result(fired=False)
    return read_hit(shot, faces, reader)


def read_hit(blow: Blow, faces: Faces, reader: ChartReader) -> Result:
    """What guns that fire do: the hit of the last die, the white one, and the blast of all of them."""
    most, cell = reader.most("gunnery", blow.aim.row, blow.aim.column)
    hits = hit(faces[-1], most)
    if not hits or not blow.at:
        return Result(True, hits, cell)
    codes, blast_cell = reader.codes("blast", blow.at, sum(faces))
    return Result(True, hits, cell, codes, blast_cell)


def hit(white: int, most: int) -> tuple[str, ...]:
    """The hit of a white die against the number of its cell: odd G, even S (QFC-GUN-8, QFC-GUN-9)."""
    if white > most:
        return ()
    return ("G",) if white % 2 else ("S",)


def throw_of(battle: Battle, shot: Shot) -> Throw:
    """The throw of a shot: none off the base, and white only if it fires."""
    plain = plain_reader(battle)

    def missing(faces: Faces) -> tuple[Die, ...]:
        if not shot.estimate.on_base:
            return ()
        if not faces:
            return BLACK, WHITE
        return (WHITE,) if len(faces) == 1 and shot.fires(faces[0]) else ()

    def judge(faces: Faces) -> tuple[int, ...]:
        result = read_dice(shot, faces, plain)
        return int(result.fired), len(result.hits), len(result.blast)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        _write(shot, faces, read_dice(shot, faces, reader), builder)

    def alike(faces: Faces) -> Hashable:
        result = read_dice(shot, faces, plain)
        return result.fired, result.hits, result.blast

    return Throw((BLACK, WHITE), resolve, missing, judge, ODDS, NEEDS, alike)


def _write(shot: Shot, faces: Faces, result: Result, builder: DecisionBuilder) -> None:
    if shot.estimate.on_base:
        _say_rof(shot, faces[0], result.fired, builder)
    else:
        builder.because("nothing is rolled", shot.estimate.clause, of=shot.estimate.said)
    wasted = not shot.estimate.on_base and option(builder.battle, "missed_estimate_spends") == "yes"
    if shot.auto and (result.fired or wasted):
        builder.record(shot.firer.id, "auto_shot", True)
        builder.because("has used its auto shot", "QFC-GUN-4", subject=shot.firer.name)
    write_hit(shot, faces, result, builder)
    if shot.estimate.on_base and shot.estimate.said:
        builder.because("on the base", shot.estimate.clause, of=shot.estimate.said)
    state_shot(builder, fired=result.fired, hits=result.hits, blast=result.blast)


def write_hit(blow: Blow, faces: Faces, result: Result, builder: DecisionBuilder, who: str = "") -> None:
    """Writes the hit and the blast of guns; `who` says whose dice they are where several ships throw."""
    if result.cell is not None:
        _say_hit(blow, faces[-1], result.hits, result.cell, builder, who)
        take(builder, blow.target.id, result.hits, blow.battery)
    if result.blast_cell is not None:
        say_blast(builder, blow.at, faces, result.blast, "QFC-BLA-1", result.blast_cell)
        take(builder, blow.target.id, result.blast, blow.battery)


def _say_rof(shot: Shot, black: int, fired: bool, builder: DecisionBuilder) -> None:
    battery = shot.battery.value
    if shot.auto and fired:
        builder.because(f"fires on any black die, here {black}", "QFC-GUN-4", of=f"{battery} guns, auto shot")
        return
    if not shot.rof:
        builder.because("cannot fire", "QFC-RUL-5", of=f"{battery} ROF 0")
        return
    say_rof(builder, shot.battery, str(black), str(shot.rof), "QFC-GUN-7", fired=fired)


def _say_hit(
    blow: Blow, white: int, hits: tuple[str, ...], cell: ChartCell, builder: DecisionBuilder, who: str
) -> None:
    """Why a white die hits or not."""
    aim = blow.aim
    against = f"gunnery {figure(aim.value)} v {blow.battery.value} armor {figure(aim.armor)}"
    place = f"gunnery {aim.row}, {aim.column}"
    of = f"{who}{against}:"
    if cell.text == NONE:
        builder.because("nothing", "QFC-GUN-8", cell, place, of=of)
        return
    roll = f"white {white}{'≤' if hits else '>'}{cell.text}"
    builder.because(" ".join(hits) or "no hit", "QFC-GUN-8", cell, place, of=of, roll=roll)


def prepare_fire(battle: Battle, order: Order) -> PreparedOrder:
    """`fire`: one battery at one target."""
    shot = shot_of(battle, order)
    firer, target = shot.firer, shot.target
    wide = () if shot.estimate.on_base else (f"{shot.estimate.said}: nothing is rolled",)
    return evolve(
        ready(GAME, battle, Roll("fire", firer.id, order.bare), throw_of(battle, shot)),
        findings=hindrances(battle, order, shot.battery),
        declare=lambda builder: builder.remember(
            "fire", firer.id, battery=shot.battery.value, target=target.id
        ),
        prompt=f"{firer.name} {shot.battery.value} at {target.name}, {order.slots['range']}",
        assumes=assumed(battle, target, shot.battery),
        reminders=(*wide, *perhaps_centimetres(order.slots["range"], REACH[shot.battery])),
    )
