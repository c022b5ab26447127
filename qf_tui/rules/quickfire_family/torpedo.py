"""Torpedoes by rating and motion: a roll at or below a number of the chart, then one die of S hits."""

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader
from qf_tui.rules.quickfire_family.checks import Resolve
from qf_tui.rules.quickfire_family.damage import Take
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.movement import assumption
from qf_tui.rules.quickfire_family.throws import Roll, Throw, all_of, ready

MOVING, STATIC = "moving", "static"
SPEED_HITS = "speed-hits"
"""The line of the roll for a strike's S hits."""

ODDS = (Measure("strikes", 0),)


@frozen
class Launch:
    """A launch as declared: the rating as the phase began, the target's motion, and the clauses it cites.

    `hit` cites the roll, `harm` the S hits of a strike; `die` is thrown for them.
    """

    target: Ship
    rating: int
    static: bool
    hit: str
    harm: str
    die: Die

    @property
    def row(self) -> str:
        return STATIC if self.static else MOVING

    @property
    def column(self) -> str:
        """The greatest rating that the chart has serves all above it."""
        return str(min(self.rating, 4))


def throw_of(battle: Battle, launch: Launch, dice: tuple[Die, ...]) -> Throw:
    """The throw of a launch on the table `torpedo`; a strike owes the roll for its S hits.

    It has neither damage points nor SX: these facts are None.
    """
    plain = plain_reader(battle)

    def strikes(faces: Faces, reader: ChartReader) -> bool:
        return sum(faces) <= reader.most("torpedo", launch.row, launch.column)[0]

    def judge(faces: Faces) -> tuple[int, ...]:
        return (int(strikes(faces, plain)),)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        most, cell = reader.most("torpedo", launch.row, launch.column)
        struck = sum(faces) <= most
        sign, does = ("≤", "a strike") if struck else (">", "a miss")
        builder.because(
            does,
            launch.hit,
            cell,
            f"torpedo {launch.row}, {launch.column}",
            of=f"torpedo rating {launch.rating}, {launch.row} target:",
            roll=f"{sum(faces)}{sign}{most}",
        )
        if struck:
            id, name = launch.target.id, battle.called(launch.target.id)
            builder.because("takes as many S as the next die shows", launch.harm, subject=name)
            builder.owe(SPEED_HITS, id, f"S hits of a torpedo on {name}", launch.die)
        builder.result("struck", struck)
        builder.result("points", None)
        builder.result("sx", None)

    return Throw(dice, resolve, all_of(dice), judge, ODDS, (Need("strikes", 0, tuple(range(len(dice)))),))


def prepare(
    game: Game, battle: Battle, order: Order, throw: Throw, findings: tuple[Finding, ...]
) -> PreparedOrder:
    """`torpedo`: one launch at one target, remembered as it is declared."""
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    return evolve(
        ready(game, battle, Roll("torpedo", firer.id, order.bare), throw),
        findings=findings,
        declare=lambda builder: builder.remember("torpedo", firer.id, target=target.id),
        prompt=f"torpedo of {battle.called(firer.id)} at {battle.called(target.id)}",
        assumes=assumption(game, battle, target),
    )


def on_speed_hits(roll: Roll, clause: str, take: Take) -> Resolve:
    """A strike's S hits: as many as the die shows."""

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        hits = ("S",) * faces[0]
        builder.because(f"{faces[0]} S", clause, of=f"torpedo on {builder.battle.called(roll.ship)}")
        take(builder, roll.ship, hits)
        builder.result("hits", hits)

    return resolve
