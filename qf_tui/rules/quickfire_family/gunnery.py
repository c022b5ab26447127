"""What the games say alike of a shot: its ROF roll, its line, its blast, and the facts of its outcome."""

from collections.abc import Iterable
from fractions import Fraction

from qf_tui.core.charts import Cell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.measure import decimal
from qf_tui.core.system import Faces
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
    sign, does = ("≤", "fires") if fired else (">", "does not fire")
    builder.because(does, clause, of=f"{battery.value} ROF", roll=f"{black}{sign}{rof}")


def against(rating: Fraction, armor: Fraction) -> str:
    """The comparison that a line of the chart is found by, in words."""
    return f"{decimal(rating)} against {decimal(armor)}"


def say_below_lines(builder: DecisionBuilder, rating: Fraction, armor: Fraction, clause: str) -> None:
    """A battery that fires and is too weak for any line."""
    builder.because("below the lowest line, no effect", clause, of=against(rating, armor))


def say_blast(
    builder: DecisionBuilder, range: str, faces: Faces, codes: Codes, clause: str, cell: Cell
) -> None:
    """What all dice of a shot together give on the blast table."""
    total = sum(faces)
    builder.because(
        " ".join(codes) or "none", clause, cell, f"blast {range} {total}", of="blast", roll=str(total)
    )


def state_shot(builder: DecisionBuilder, *, fired: bool, hits: Codes, blast: Codes) -> None:
    """The facts of a shot's outcome."""
    builder.result("fired", fired)
    builder.result("hits", hits)
    builder.result("blast", blast)
