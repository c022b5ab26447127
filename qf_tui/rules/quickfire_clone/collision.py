"""Collisions: a blow of each ship at the other, white dice alone (QFC-COL)."""

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, Measure, PreparedOrder
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.quickfire_clone.charts import Aim, aim
from qf_tui.rules.quickfire_clone.damage import take
from qf_tui.rules.quickfire_clone.game import GAME
from qf_tui.rules.quickfire_clone.gunnery import hit, say_hit
from qf_tui.rules.quickfire_family.chart import ChartReader
from qf_tui.rules.quickfire_family.ship import Battery, armor, gunnery
from qf_tui.rules.quickfire_family.targeting import out_of_play
from qf_tui.rules.quickfire_family.throws import Roll, Throw, ready

DICE = (Die(6, "rammer's white"), Die(6, "rammed ship's white"))
ODDS = (Measure("rammer hits", 0), Measure("rammed hits", 1))


@frozen
class Blow:
    """One ship's blow at the other: its battery, and where it is read on the chart."""

    striker: Ship
    struck: Ship
    battery: Battery
    aim: Aim

    @property
    def counts(self) -> bool:
        """Whether there are such guns at all."""
        return gunnery(self.striker, self.battery) > 0


def _blow(battle: Battle, striker: Ship, struck: Ship, battery: Battery) -> Blow:
    return Blow(striker, struck, battery, aim(battle, gunnery(striker, battery), armor(struck, battery)))


def blows_of(battle: Battle, order: Order) -> tuple[Blow, Blow]:
    """The rammer's heavy blow, and the light one of the rammed ship; heavy too if both ram."""
    rammer, rammed = battle.ships[order.text("rammer")], battle.ships[order.text("rammed")]
    answer = Battery.HEAVY if order.has("both") else Battery.LIGHT
    return _blow(battle, rammer, rammed, Battery.HEAVY), _blow(battle, rammed, rammer, answer)


def throw_of(battle: Battle, blows: tuple[Blow, Blow]) -> Throw:
    """The throw of a collision: the last dice are left out where there are no such guns."""
    plain = ChartReader(battle)
    needed = max((place for place, blow in enumerate(blows, 1) if blow.counts), default=0)

    def judge(faces: Faces) -> tuple[int, ...]:
        return tuple(len(_hits(blow, faces, place, plain)) for place, blow in enumerate(blows))

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        taken: list[str] = []
        for place, blow in enumerate(blows):
            if not blow.counts:
                builder.because(
                    "no blow", "QFC-COL-2", of=f"{blow.striker.name} has no {blow.battery.value} guns"
                )
                continue
            hits = _hits(blow, faces, place, reader)
            cell = reader.cell("gunnery", blow.aim.row, blow.aim.column)
            who = f"{blow.striker.name} strikes {blow.struck.name}, "
            say_hit(blow.battery, blow.aim, faces[place], hits, cell, builder, who)
            take(builder, blow.struck.id, hits, blow.battery)
            taken.extend(hits)
        builder.result("hits", tuple(taken))

    return Throw(DICE, resolve, lambda faces: DICE[len(faces) : needed], judge, ODDS)


def _hits(blow: Blow, faces: Faces, place: int, reader: ChartReader) -> tuple[str, ...]:
    if not blow.counts or place >= len(faces):
        return ()
    return hit(faces[place], reader.most("gunnery", blow.aim.row, blow.aim.column)[0])


def prepare_collide(battle: Battle, order: Order) -> PreparedOrder:
    """`collide`: two ships, both stopped."""
    rammer, rammed = battle.ships[order.text("rammer")], battle.ships[order.text("rammed")]

    def declare(builder: DecisionBuilder) -> None:
        builder.remember("collide", rammer.id, other=rammed.id)
        builder.remember("collide", rammed.id, other=rammer.id)
        builder.because(f"{rammer.name} and {rammed.name} stop: no fire, no torpedoes this turn", "QFC-COL-1")

    return evolve(
        ready(
            GAME,
            battle,
            Roll("collide", rammer.id, order.bare),
            throw_of(battle, blows_of(battle, order)),
        ),
        findings=_hindrances(battle, rammer, rammed),
        declare=declare,
        prompt=f"{rammer.name} rams {rammed.name}",
    )


def _hindrances(battle: Battle, rammer: Ship, rammed: Ship) -> tuple[Finding, ...]:
    if rammer.id == rammed.id:
        return (impossible(f"{rammer.name} cannot collide with itself"),)
    found = [*out_of_play(GAME, rammer), *out_of_play(GAME, rammed)]
    if battle.phase != GAME.movement:
        found.append(refused("ships collide in the movement phase only", "QFC-PH-1"))
    if any(act.text("other") == rammed.id for act in battle.done("collide", rammer.id)):
        text = f"{rammer.name} and {rammed.name} have collided this turn"
        found.append(refused(text, "QFC-COL-2"))
    return tuple(found)


def stop_collided(battle: Battle, builder: DecisionBuilder) -> None:
    """A new turn: who collided in the last one starts from a stop (QFC-COL-1)."""
    for ship in battle.ships.values():
        if battle.done("collide", ship.id, turn=battle.turn - 1):
            builder.record(ship.id, "distance", "0")
            builder.record(ship.id, "went", "0")
