"""What the games say alike of a shot: its ROF roll, its line, its blast, and the facts of its outcome."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Protocol

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.system import Faces, Need
from qf_tui.rules.quickfire_family.scales import figure
from qf_tui.rules.quickfire_family.ship import Battery

Codes = tuple[str, ...]


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


class Strike(Protocol):
    """What one battery's dice did."""

    @property
    def fired(self) -> bool: ...

    @property
    def hits(self) -> Codes: ...


def shot_judged(strikes: Iterable[Strike], blast: Codes) -> tuple[int, ...]:
    """The judgement of a shot: whether it fires, its hits and its blast codes; then battery by battery."""
    each: list[int] = []
    for struck in strikes:
        each += int(struck.fired), len(struck.hits)
    return int(any(each[::2])), sum(each[1::2]), len(blast), *each


def shot_needs(lines: Iterable[tuple[Battery, int | None]], white: tuple[int, ...]) -> tuple[Need, ...]:
    """What each battery of a shot needs to fire and to hit on its line; `white` are the places of those dice.

    The batteries are named where there are two.
    """
    lines, found = tuple(lines), []
    for place, (battery, line) in enumerate(lines):
        who = f"{battery.value} " if len(lines) > 1 else ""
        fires = JUDGED + 2 * place
        at = f"{line}% line" if line is not None else "below the lowest line"
        found.append(Need(f"{who}fires", fires))
        found.append(Need(f"{who}hits", fires + 1, white, when=fires, at=at))
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
