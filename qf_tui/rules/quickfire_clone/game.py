"""What Quickfire-Clone gives to the shared rules: one scale in millimetres, its clauses, its charts."""

from fractions import Fraction

from qf_tui.core.measure import Distance, decimal
from qf_tui.rules.quickfire_clone.charts import SHAPES
from qf_tui.rules.quickfire_family.game import Clauses, Game
from qf_tui.rules.quickfire_family.scales import ScaleTable, figures

HEAVY_RANGE, LIGHT_RANGE, TORPEDO_RANGE = Fraction(240), Fraction(120), Fraction(30)
"""Reach of guns and torpedoes, in centimetres (QFC-GUN-6); light range bounds short from long (QFC-BLA-1)."""

SCALE: ScaleTable = {
    ("medium", "metric"): figures("mm", "0", "1200", "2400", "0", "300", "1", "0", "0", "0"),
}
"""The one table of the rules, under the name of the usual scale in scenarios; speeds in millimetres."""

GAME = Game(
    clauses=Clauses(
        phases="QFC-PH-1",
        sunk="QFC-SNK-2",
        moved="QFC-MV-1",
        change="QFC-MV-2",
        steered="QFC-BLA-4",
    ),
    scales=SCALE,
    shapes=SHAPES,
    change=lambda battle: 2,
    movement="move",
    pivots=lambda battle: False,
    speed_unit=Fraction(1),
    measured=True,
)


def centimetres(distance: object) -> Fraction:
    """A distance of an order in centimetres; a plain number is in centimetres already."""
    if isinstance(distance, Distance):
        return distance.to("cm")
    return Fraction(distance) if isinstance(distance, int) else Fraction(0)


def perhaps_centimetres(distance: object, below: Fraction, most: Fraction = Fraction(0)) -> tuple[str, ...]:
    """What reminds of the unit where millimetres up to a bound, seldom meant, may be centimetres.

    `most`: the millimetres that there could be.
    """
    if not isinstance(distance, Distance) or distance.unit != "mm" or not 0 < distance.amount <= below:
        return ()
    figure = decimal(distance.amount)
    means = f"of {decimal(most)} mm" if most else f"are {decimal(distance.to('cm'))} cm"
    return (f"{figure} mm {means}: if {figure} cm are meant, write {figure}cm",)
