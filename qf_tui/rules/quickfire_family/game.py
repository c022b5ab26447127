"""The class `Game`, in which a Quickfire game declares its values: scales, statuses, switches and clauses.

Also here: how distances and figures are rounded and printed. Rules that act on a battle are elsewhere.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor

from attrs import evolve, frozen

from qf_tui.core.crews import describe_steps
from qf_tui.core.declarations import ChartShape, CrewStep, FieldSpec, Option, Scale, parse_switches
from qf_tui.core.errors import Finding
from qf_tui.core.text import Distance, format_decimal, to_fraction
from qf_tui.core.values import Battle, Order, Ship

USUAL = "medium"
"""The scale of a scenario that names none."""

PRINTED_MILE = Fraction(13)
"""Inches of a nautical mile at the medium scale, for which ships' speeds are printed."""
SPEED_SCALE = "speed_scale"
"""The key of a card that names the scale of its printed speed."""
POINT_BLANK = "pb"
"""The word in orders for the nearest range."""
STEP_BY_UNIT: Mapping[str, Fraction] = {"in": Fraction(1, 8), "mm": Fraction(1), "cm": Fraction(1, 10)}
"""The finest distance shown in each unit. A typed distance may be half a step too great."""
_EIGHTHS = ("", "⅛", "¼", "⅜", "½", "⅝", "¾", "⅞")
AGROUND = "aground"
AGROUND_CLAUSE, OUT_CLAUSE = "AQF-PH-8", "AQF-PH-9"
DEPARTURES = {"withdrawn": OUT_CLAUSE, "struck": OUT_CLAUSE, AGROUND: AGROUND_CLAUSE}
"""The statuses of ships that leave play without sinking, and their clauses in every game."""
STATUS_CLAUSES: Mapping[str, str] = {
    AGROUND_CLAUSE: "A ship aground stays on the table and does not move. She fires, launches, repairs and "
    "is a static target; by a switch she is only a target.",
    OUT_CLAUSE: "A struck ship takes no orders and is no target, but her fires and flooding go on; "
    "a withdrawn one is off the table and owes nothing.",
}
"""The texts of these clauses in our own words."""
STATUSES = ("afloat", *DEPARTURES, "sunk")
STRICT = FieldSpec("strict", "bool", "ask for every cell that is not attested")
"""The switch for strict mode: the umpire reads every cell that we do not attest from the printed chart."""


INCH_A_KNOT = Fraction(3, 8)
"""Inches of printed speed for each knot."""


@frozen
class Measures:
    """The measures of one scale, in inches or metric units.

    Attributes:
        point_blank: Far edge of point blank, in `unit`.
        middle: Far edge of the middle range, in `unit`.
        long: Far edge of long range, in `unit`.
        torpedo_least: Least torpedo range, in `unit`.
        torpedo_most: Greatest torpedo range, in `unit`.
        nautical_mile: Length of a nautical mile on the table; `cable` and the others likewise.
    """

    unit: str
    point_blank: Fraction
    middle: Fraction
    long: Fraction
    torpedo_least: Fraction
    torpedo_most: Fraction
    nautical_mile: Fraction
    cable: Fraction
    thousand_yards: Fraction
    kilometre: Fraction


ScaleTable = Mapping[tuple[str, str], Measures]
"""Measures by the name of the scale and of the units (`in` or `metric`)."""


def build_measures(unit: str, *figures: str) -> Measures:
    """Build the measures of a scale from its printed figures, in the order of `Measures`."""
    return Measures(unit, *(Fraction(figure) for figure in figures))


FIVE: ScaleTable = {
    ("medium", "in"): build_measures("in", "4", "24", "48", "1", "4", "13", "1.25", "6.5", "7"),
    ("medium", "metric"): build_measures("mm", "100", "600", "1200", "25", "100", "330", "33", "163", "178"),
    ("tiny", "in"): build_measures("in", "2", "12", "24", "0.5", "2", "6.5", "0.75", "3.25", "3.5"),
    ("tiny", "metric"): build_measures("mm", "50", "300", "600", "12", "50", "165", "16", "82", "89"),
    ("small", "in"): build_measures("in", "3", "18", "36", "0.75", "3", "10", "1", "5", "5.5"),
    ("small", "metric"): build_measures("mm", "75", "450", "900", "20", "75", "250", "25", "123", "135"),
    ("large", "in"): build_measures("in", "6", "36", "72", "1", "6", "20", "2", "9.75", "10.75"),
    ("large", "metric"): build_measures("cm", "15", "90", "180", "4", "15", "50", "5", "25", "27"),
    ("jumbo", "in"): build_measures("in", "8", "48", "96", "2", "8", "26", "2.5", "12.75", "14"),
    ("jumbo", "metric"): build_measures("cm", "20", "120", "240", "5", "20", "65", "6.5", "32", "35"),
}
"""The five scales of the later editions, the usual one first."""


def build_scales(table: ScaleTable, middle: str = "medium") -> tuple[Scale, ...]:
    """Build the scales of a table in the form in which a rule system declares them.

    Args:
        middle: The game's name of the middle range.
    """
    return tuple(_build_scale(name, units, scale, middle) for (name, units), scale in table.items())


def _build_scale(name: str, units: str, scale: Measures, middle: str) -> Scale:
    """Build one scale, with its sea measures and printed figures if the game has them.

    Args:
        middle: The game's name of the middle range.
    """
    plain_scale = Scale(name, units, scale.unit, usual=name == USUAL)
    # A game without sea measures has a cable of 0.
    if not scale.cable:
        return plain_scale
    sea_measures = dict.fromkeys(("cbl", "cable", "cables"), scale.cable)
    sea_measures |= dict.fromkeys(("yd", "yds", "yards"), scale.thousand_yards / 1000)
    sea_measures |= {"nm": scale.nautical_mile, "km": scale.kilometre}
    format_length = format_vulgar if scale.unit == "in" else format_decimal
    edges = (Fraction(0), scale.point_blank, scale.middle, scale.long)
    figures = {
        range: f"{format_length(near)}-{format_length(far)}"
        for range, (near, far) in zip(("point blank", middle, "long"), pairwise(edges), strict=True)
    }
    figures["torpedo"] = f"{format_length(scale.torpedo_least)}-{format_length(scale.torpedo_most)}"
    figures |= {"nm": format_length(scale.nautical_mile), "cbl": format_length(scale.cable)}
    figures |= {"1000yd": format_length(scale.thousand_yards), "km": format_length(scale.kilometre)}
    return evolve(plain_scale, measures=sea_measures, figures=figures)


@lru_cache(maxsize=256)
def round_distance(unit: str, distance: Fraction, *, up: bool = False) -> Fraction:
    """Round a distance down to a whole number of the steps shown: 1/8 inch, 1 mm or 0.1 cm.

    Args:
        up: True to round up, for a least distance.
    """
    steps = distance / STEP_BY_UNIT[unit]
    return (ceil(steps) if up else floor(steps)) * STEP_BY_UNIT[unit]


def format_exact_distance(unit: str, distance: Fraction) -> str:
    """Format a distance with its unit, without rounding; inches in eighths as vulgar fractions."""
    return f"{format_vulgar(distance)}″" if unit == "in" else f"{format_decimal(distance)} {unit}"


@lru_cache(maxsize=256)
def format_vulgar(amount: Fraction) -> str:
    """Format a figure as the rules write it, such as 5⅞; in decimals if it is no number of eighths."""
    if (amount * 8).denominator != 1:
        return format_decimal(amount)
    whole, rest = divmod(amount, 1)
    eighths = _EIGHTHS[int(rest * 8)]
    return f"{whole}{eighths}" if whole or not eighths else eighths


(GROUNDED,) = parse_switches(
    f"{AGROUND} {AGROUND_CLAUSE} fights/silent whether a ship aground fires and launches, or is only a target"
)


def build_shared_edge_switch(clause: str) -> Option:
    """Build the switch that says which bracket a range on the edge of two brackets is in."""
    text = "the bracket of a distance on a shared edge"
    (switch,) = parse_switches(f"shared_edge {clause} shorter/longer {text}")
    return switch


def build_estimated_ranges_switch(
    clause: str, permission: str = "a range may be estimated", example: str = "12in"
) -> Option:
    """Build the switch that says whether a range between two measured ones may be estimated.

    Args:
        permission: What the switch allows, as text.
        example: A measured range, for the text.
    """
    text = f"whether {permission} between two measured ones (`~{example}`)"
    return Option("estimated_ranges", clause, ("yes", "no"), "yes", text, measured_only="no")


def build_speed_by_switch(clause: str) -> Option:
    """Build the switch that says what counts as last turn's speed: the movement used, or the distance."""
    text = "last turn's speed: the movement used, with a second pivot's box, or the distance alone"
    (switch,) = parse_switches(f"speed_by {clause} used/moved {text}")
    return switch


def build_option_reader(switches: tuple[Option, ...]) -> Callable[[Battle, str], str]:
    """Return a function that gives the value of a switch in a battle, or its default if none is set."""
    defaults = {switch.name: switch.default for switch in switches}

    def read_option(battle: Battle, name: str) -> str:
        value = battle.options.get(name)
        return str(value) if value is not None else defaults[name]

    return read_option


@frozen
class Clauses:
    """The clauses of a game for what the shared rules do; "" if the game has no such rule.

    Attributes:
        phases: Which orders belong to which phase.
        sunk: What a sunk ship may not do.
        moved: Distance that a ship may move.
        change: Change of speed from turn to turn.
        crews: Steps of crews and shells.
        strict: The question of strict mode.
        pivots: Pivots by the box in use.
        second_pivot: Cost of a second pivot.
        steered: A course that damage forces.
    """

    phases: str
    sunk: str
    moved: str
    change: str
    crews: str
    strict: str = ""
    pivots: str = ""
    second_pivot: str = ""
    steered: str = ""


@frozen(eq=False)
class Game:
    """The values of a game that the shared rules need.

    Attributes:
        shapes: Shape of each table of the charts.
        read_option: Returns the value of a switch in a battle.
        crews: Effects of a crew's steps on a card.
        find_speed_change: Returns the number of boxes by which a ship may change its speed.
        ranges: Words of the gunnery ranges, the nearest first.
        movement: Name of the phase in which ships move.
        uses_pivots: Returns whether ships turn by the pivots of the box in use.
        speed_unit: Length of a nautical mile for which cards without a scale print their speeds.
        find_speed_factor: Returns the factor of all speeds in a battle; None if there is none.
        logs_distance: True if logs count the distance moved, in the unit of the scale, instead of boxes.
        has_torpedo_least: Returns whether torpedoes have a least range.
        counts_second_pivot: Returns whether a second pivot's box counts as speed.
        list_order_findings: Returns the findings against a side that moves out of its turn.
    """

    clauses: Clauses
    scales: ScaleTable
    shapes: Mapping[str, ChartShape]
    read_option: Callable[[Battle, str], str]
    switches: tuple[Option, ...]
    crews: tuple[CrewStep, ...]
    find_speed_change: Callable[[Battle], int]
    ranges: tuple[str, ...] = ()
    movement: str = "movement"
    uses_pivots: Callable[[Battle], bool] = lambda battle: True
    speed_unit: Fraction = PRINTED_MILE
    find_speed_factor: Callable[[Battle], Fraction] | None = None
    logs_distance: bool = False
    has_torpedo_least: Callable[[Battle], bool] = lambda battle: True
    counts_second_pivot: Callable[[Battle], bool] = lambda battle: False
    list_order_findings: Callable[[Battle, str], tuple[Finding, ...]] = lambda battle, side: ()

    def format_switches(self, *names: str) -> str:
        """Format those of these switches that the game has, to end a refusal; "" if it has none."""
        known = [switch.name for switch in self.switches if switch.name in names]
        return f" (switch {' or '.join(known)})" if known else ""

    def describe_steps(self, ship: Ship, key: str) -> str:
        """Format the effect of the crew on a value of a ship's card, in brackets; "" without an effect."""
        steps = describe_steps(self.crews, ship.card, key)
        return f" ({steps})" if steps else ""

    def find_measures(self, battle: Battle) -> Measures:
        """Return the measures of the battle's scale."""
        return self.scales[str(battle.table["scale"]), str(battle.table["units"])]

    def to_scale_unit(self, battle: Battle, distance: Distance) -> Fraction:
        """Convert a measured distance to the unit of the battle's scale."""
        return distance.to(self.find_measures(battle).unit)

    def find_range_bracket(self, battle: Battle, order: Order) -> str:
        """Return the bracket of an order's range, which is named or measured; "" beyond long range.

        By the switch `shared_edge`, a distance on the edge of two brackets is in the nearer or the farther
        one.

        Rule: AQF-SCA-2, QF-SCA-1.
        """
        ordered_range = order.slots["range"]
        if not isinstance(ordered_range, Distance):
            return str(ordered_range)
        scale = self.find_measures(battle)
        amount = ordered_range.to(scale.unit)
        edges = (scale.point_blank, scale.middle, scale.long)
        # Beyond long range there is no bracket, so the edge of long range always counts as long.
        counts_longer = self.read_option(battle, "shared_edge") == "longer" and amount != scale.long
        pairs = zip(self.ranges, edges, strict=True)
        return next(
            (range for range, edge in pairs if (amount < edge if counts_longer else amount <= edge)), ""
        )

    def find_torpedo_range(self, battle: Battle) -> tuple[Fraction, Fraction]:
        """Return the least and greatest torpedo range, in the unit of the battle's scale."""
        scale = self.find_measures(battle)
        return scale.torpedo_least if self.has_torpedo_least(battle) else Fraction(0), scale.torpedo_most

    def format_torpedo_range(self, battle: Battle) -> str:
        """Format the least and greatest torpedo range, as `1″ to 4″`."""
        return " to ".join(self.format_distance(battle, edge) for edge in self.find_torpedo_range(battle))

    def format_distance(self, battle: Battle, distance: Fraction, *, up: bool = False) -> str:
        """Format a distance in the unit of the battle's scale, rounded down to what is shown.

        Args:
            up: True to round up, for a least distance.
        """
        unit = self.find_measures(battle).unit
        return format_exact_distance(unit, round_distance(unit, distance, up=up))

    def format_exceeding(self, battle: Battle, distance: Fraction, *limits: Fraction) -> str:
        """Format a distance that breaks some limits: rounded, or exact if rounding made it look like one."""
        shown = self.format_distance(battle, distance)
        # Messages round a least distance up, and all others down.
        limit_texts = {self.format_distance(battle, limit, up=up) for limit in limits for up in (False, True)}
        return (
            format_exact_distance(self.find_measures(battle).unit, distance)
            if shown in limit_texts
            else shown
        )

    def scale_speed(self, battle: Battle, ship: Ship, printed: object, eighths: int = 8) -> Fraction:
        """Convert a printed speed, or some eighths of it, to the unit of the battle's scale.

        Args:
            printed: The whole speed, as the ship's card prints it.
            eighths: Number of speed boxes.
        """
        figure = printed if isinstance(printed, int | float) else 0
        scale, units = str(battle.table["scale"]), str(battle.table["units"])
        scaled = _scale_speed(self, figure, eighths, scale, units, str(ship.card.get(SPEED_SCALE)))
        return scaled if self.find_speed_factor is None else scaled * self.find_speed_factor(battle)


@lru_cache(maxsize=4096)
def _scale_speed(
    game: Game, printed: float, eighths: int, scale: str, units: str, printed_for: str
) -> Fraction:
    """Convert a speed as `Game.scale_speed` does, with a cache.

    The scales are given by name, because their measures take longer to hash.

    Args:
        printed_for: Name of the scale that the card prints speeds for; others count as the game's usual one.
    """
    printed_scale = game.scales.get((printed_for, "in"))
    speed_unit = printed_scale.nautical_mile if printed_scale else game.speed_unit
    return to_fraction(printed) * eighths / 8 * game.scales[scale, units].nautical_mile / speed_unit
