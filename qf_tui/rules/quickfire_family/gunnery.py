"""What the games say alike of a shot: its ROF roll, its line, its blast, and the facts of its outcome."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cache

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, ChartCell, Die, Order, Ship
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader
from qf_tui.rules.quickfire_family.damage import Resolve, Take
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.movement import assumption
from qf_tui.rules.quickfire_family.scales import figure
from qf_tui.rules.quickfire_family.ship import Battery
from qf_tui.rules.quickfire_family.throws import SHOT_ODDS, Roll, Throw, all_of, ready

Codes = tuple[str, ...]
Blast = tuple[Codes, ChartCell | None]
"""The codes of a blast and their cell; none where there is no blast."""


def batteries(order: Order) -> tuple[Battery, ...]:
    """The batteries that an order names."""
    word = order.text("battery")
    return tuple(Battery) if word == "both" else (Battery(word),)


def remember_shots(
    builder: DecisionBuilder, firer: str, target: str, range: str, batteries: Iterable[Battery]
) -> None:
    """Remembers each battery that is declared at a target."""
    for battery in batteries:
        builder.remember("fire", firer, battery=battery.value, target=target, range=range)


def say_rof(
    builder: DecisionBuilder, battery: Battery, black: str, rof: str, clause: str, *, fired: bool
) -> None:
    """Whether a battery fires: its black die, as it counts, against its ROF."""
    sign, does = ("≤", "fires") if fired else (">", "misses")
    builder.because(does, clause, of=f"{battery.value} ROF", roll=f"{black}{sign}{rof}")


JUDGED = 3
"""What a judgement of a shot says of all batteries; of each it then says whether it fires, and its hits."""


Strike = tuple[bool, Codes]
"""What one battery's dice did: whether it fired, and its hits."""


@frozen
class Read:
    """What one roll of dice did: the strikes of its batteries, its blast, and how it is written."""

    strikes: Sequence[Strike]
    blast: Codes
    write: Callable[[DecisionBuilder], None]


@frozen
class OneRoll:
    """One roll of a shot: its batteries with their lines, whether a black die fires, what its dice do."""

    lines: Sequence[tuple[Battery, int | None]]
    fires: Callable[[int], bool]
    read: Callable[[Faces, ChartReader], Read]


def shot_throw(battle: Battle, dice: tuple[Die, ...], rolls: Sequence[OneRoll]) -> Throw:
    """The throw of a shot: those dice, black first, for each of its rolls, which are read before one counts.

    All are wanted but what follows a black die that fails in the last.
    """
    if len(rolls) == 1:
        return _one(battle, dice, rolls[0])
    each = len(dice)
    named = [tuple(Die(die.sides, f"{roll.lines[0][0]} {die.name}") for die in dice) for roll in rolls]
    parts = tuple(_one(battle, own, roll) for own, roll in zip(named, rolls, strict=True))
    every, last = sum(named, ()), each * (len(rolls) - 1)

    def missing(faces: Faces) -> tuple[Die, ...]:
        return parts[-1].missing(faces[last:]) if len(faces) > last else every[len(faces) :]

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        _write([roll.read(faces[at * each :][:each], reader) for at, roll in enumerate(rolls)], builder)

    def alike(faces: Faces) -> Hashable:
        return tuple(part.alike and part.alike(faces[at * each :][:each]) for at, part in enumerate(parts))

    return Throw(every, resolve, missing, alike=alike, parts=parts)


def _one(battle: Battle, dice: tuple[Die, ...], roll: OneRoll) -> Throw:
    plain = plain_reader(battle)
    # The faces of two rolls are those of each, over and over.
    read = cache(lambda faces: roll.read(faces, plain))

    def judge(faces: Faces) -> tuple[int, ...]:
        """Whether it fires, its hits and its blast codes; then of each battery whether it fires, its hits."""
        result = read(faces)
        strikes = [figure for fired, hits in result.strikes for figure in (fired, len(hits))]
        return int(any(strikes[::2])), sum(strikes[1::2]), len(result.blast), *strikes

    return Throw(
        dice,
        lambda faces, builder, reader: _write([roll.read(faces, reader)], builder),
        lambda faces: () if faces and not roll.fires(faces[0]) else dice[len(faces) :],
        judge,
        SHOT_ODDS,
        _needs(roll, dice),
        lambda faces: (tuple(read(faces).strikes), read(faces).blast),
    )


def _write(found: Sequence[Read], builder: DecisionBuilder) -> None:
    for one in found:
        one.write(builder)
    strikes = [struck for one in found for struck in one.strikes]
    hits = tuple(hit for _, hits in strikes for hit in hits)
    blast = tuple(code for one in found for code in one.blast)
    state_shot(builder, fired=any(fired for fired, _ in strikes), hits=hits, blast=blast)


def _needs(roll: OneRoll, dice: tuple[Die, ...]) -> tuple[Need, ...]:
    """What each battery of a roll needs to fire, and to hit on its line; named where the dice are not."""
    found = []
    for place, (battery, line) in enumerate(roll.lines):
        who = f"{battery.value} " if len(roll.lines) > 1 or dice[0].name != "black" else ""
        fires = JUDGED + 2 * place
        at = f"{line}% line" if line is not None else "below the lowest line"
        found.append(Need(f"{who}fires", fires))
        found.append(Need(f"{who}hits", fires + 1, tuple(range(1, len(dice))), when=fires, at=at))
    return tuple(found)


def against(rating: Fraction, armor: Fraction) -> str:
    """The comparison that a line of the chart is found by, in words."""
    return f"gunnery {figure(rating)} v armor {figure(armor)}"


def say_below_lines(builder: DecisionBuilder, rating: Fraction, armor: Fraction, clause: str) -> None:
    """A battery that fires and is too weak for any line."""
    builder.because("below the lowest line, nothing", clause, of=against(rating, armor))


def say_blast(
    builder: DecisionBuilder, range: str, faces: Faces, codes: Codes, clause: str, cell: ChartCell
) -> None:
    """What all dice of a shot together give on the blast table."""
    total = sum(faces)
    builder.because(
        " ".join(codes) or "nothing", clause, cell, f"blast {range} {total}", of="blast", roll=str(total)
    )


def state_shot(builder: DecisionBuilder, *, fired: bool, hits: Codes, blast: Codes) -> None:
    """The facts of a shot's outcome."""
    builder.result("fired", fired)
    builder.result("hits", hits)
    builder.result("blast", blast)


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
