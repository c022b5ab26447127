"""What the games say alike of a shot: its ROF roll, its line, its blast, and the facts of its outcome."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cache

from attrs import frozen

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, Need
from qf_tui.core.values import Battle, Die
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader
from qf_tui.rules.quickfire_family.scales import figure
from qf_tui.rules.quickfire_family.ship import Battery
from qf_tui.rules.quickfire_family.throws import SHOT_ODDS, Throw

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
