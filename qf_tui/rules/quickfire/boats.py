"""Boat guns: one die at light craft at point blank (QF-BG)."""

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire.damage import D6, Damage
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire.shots import GUNNERY, Range, range_of
from qf_tui.rules.quickfire.targeting import in_phase
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader
from qf_tui.rules.quickfire_family.ship import is_light_craft
from qf_tui.rules.quickfire_family.targeting import acting, already, at_target, pending
from qf_tui.rules.quickfire_family.throws import Roll, Throw, all_of, ready

_REMINDERS = ("boat guns fire at point blank only, in any direction",)
ODDS = (Measure("hits", 0),)
_LINE = ("boat-guns", "boat-guns")


def prepare_boats(battle: Battle, order: Order) -> PreparedOrder:
    """`boats`: one die of one firer at one target."""
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    return evolve(
        ready(GAME, battle, Roll("boats", firer.id, order.bare), throw_of(battle, target)),
        findings=_hindrances(battle, order, firer, target),
        declare=lambda builder: builder.remember("boats", firer.id, target=target.id),
        prompt=f"boat guns of {battle.called(firer.id)} at {battle.called(target.id)}",
        reminders=() if "range" in order.slots else _REMINDERS,
    )


def throw_of(battle: Battle, target: Ship) -> Throw:
    """The throw: the codes of the die's cell."""
    plain = plain_reader(battle)

    def judge(faces: Faces) -> tuple[int, ...]:
        return (len(plain.codes(*_LINE, faces[0])[0]),)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        codes, cell = reader.codes(*_LINE, faces[0])
        said, place = " ".join(codes) or "nothing", f"boat guns {faces[0]}"
        builder.because(said, "QF-BG-1", cell, place, of="boat gun", roll=str(faces[0]))
        Damage(builder, target.id).take(codes)
        builder.result("fired", True)
        builder.result("hits", codes)
        builder.result("blast", ())

    return Throw((D6,), resolve, all_of((D6,)), judge, ODDS, (Need("hits"),))


def _hindrances(battle: Battle, order: Order, firer: Ship, target: Ship) -> tuple[Finding, ...]:
    found: list[Finding] = []
    if battle.phase != GUNNERY:
        found.append(refused("boat guns fire in the gunnery phase only", "QF-PH-1"))
    found.extend(at_target(GAME, battle, firer.id, target))
    if not is_light_craft(target):
        found.append(refused(f"{target.name} is no light craft: boat guns cannot hurt it", "QF-BG-1"))
    if acting(battle, firer.id).count("boat_guns") == 0:
        found.append(refused(f"{firer.name} has no boat guns", "QF-BG-1"))
    if "range" in order.slots and range_of(battle, order) is not Range.POINT_BLANK:
        found.append(
            refused(f"{order.slots['range']} is beyond point blank: boat guns fire no farther", "QF-BG-1")
        )
    if in_phase(battle, "boats", firer.id):
        guns, owed = f"{whose(firer.name)} boat guns", pending(battle, "boats", firer.id)
        found.append(refused(already(owed, f"{guns} are", f"{guns} have fired in this phase"), "QF-BG-1"))
    return tuple(found)
