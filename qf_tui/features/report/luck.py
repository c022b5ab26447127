"""Texts for the dice thrown in a battle: how likely each throw was, what it did, each side's luck."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache

from qf_tui.core.availability import find_range_slot
from qf_tui.core.declarations import list_damage_kinds
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.text import format_count
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Order
from qf_tui.document.acts import find_question, format_order, format_turn, summarize_act
from qf_tui.document.values import (
    Block,
    Line,
    Row,
    Section,
    Table,
    build_line,
    build_number_columns,
    build_table_blocks,
    build_text_columns,
)
from qf_tui.document.words import format_codes
from qf_tui.features.report.curve import Outcomes
from qf_tui.features.report.story import sort_lucky_throws, sum_results
from qf_tui.features.report.values import Analysis, Count, Distribution, ThrownDice

NEARLY_ALWAYS = Fraction(99, 100)
COMMON = Fraction(1, 2)
"""Chance from which a result is not called rare."""
RAREST = 1_000_000
WHOLE_FROM = 0.75
_DEGREES = ((Fraction(1, 1000), "extremely "), (Fraction(1, 100), "very "))
"""Words before “lucky” or “unlucky”, each for totals with a smaller chance; the first that fits is used."""


def format_chance(chance: Fraction, of: str = "") -> str:
    """Format a chance, as `1 in 24`, `2 in 3` or `always`; with `of` "time", as `1 time in 24`."""
    lead = f"1 {of} in" if of else "1 in"
    if chance <= 0:
        return "never"
    if chance * RAREST < 1:
        return f"less than {lead} {RAREST:,}"
    if chance > NEARLY_ALWAYS:
        return "always" if chance == 1 else "nearly always"
    # `1 in 2` would be too coarse for a chance such as 2 in 3.
    if chance > Fraction(2, 5):
        nearest = chance.limit_denominator(10)
        return f"{nearest.numerator} in {nearest.denominator}" if nearest < 1 else "nearly always"
    times = round(1 / chance)
    if times >= 100:
        # The first two digits are enough.
        times = round(times, 2 - len(str(times)))
    return f"{lead} {times:,}"


def format_figure(value: float) -> str:
    """Format a number with one decimal, or with two significant digits if it would be 0.0."""
    return f"{value:.1f}" if abs(value) >= 0.05 or not value else f"{value:.2g}"


def format_rarity(chances: Distribution, results: int, *, good: bool = True) -> str:
    """Format how rare results are, for example `as well 1 time in 24`, or `nothing unusual`.

    Args:
        chances: Distribution of the results.
        results: Number of results scored.
        good: True if more results are better for the side that throws.
    """
    if not chances.is_unusual(results):
        return "nothing unusual"
    well, badly = chances.compute_chance_up(results), chances.compute_chance_down(results)
    if well <= badly:
        return f"as {'well' if good else 'much'} {format_chance(well, 'time')}"
    return f"as {'badly' if good else 'little'} {format_chance(badly, 'time')}"


def find_adjective(chances: Distribution, results: int) -> str:
    """Return an adjective for a side's total, as `very lucky`, or "" if the total is not unusual."""
    if not chances.is_unusual(results):
        return ""
    well, badly = chances.compute_chance_up(results), chances.compute_chance_down(results)
    chance = min(well, badly)
    word = "lucky" if well <= badly else "unlucky"
    return f"{next((text for most, text in _DEGREES if chance < most), '')}{word}"


def format_throw_rarity(chance: Fraction, throws: int) -> str:
    """Format how rare a throw is, as `1 in 24; expect about 5 this rare in 123 throws`.

    A throw with a chance of `COMMON` or more gives "".
    """
    if chance >= COMMON:
        return ""
    expected = float(throws * chance)
    number = f"about {expected:,.0f}" if expected >= WHOLE_FROM else f"{expected:.1g}"
    return f"{format_chance(chance)}; expect {number} this rare in {format_count(throws, 'throw')}"


class Names:
    """The formatter of one battle's names; it summarizes each entry only once."""

    def __init__(self, system: RuleSystem, timeline: Timeline) -> None:
        self.system, self.timeline = system, timeline
        self.title_by_kind = {kind.name: kind.title for kind in system.results}
        self.damage_kinds = list_damage_kinds(system.results)
        self.harm_by_kind = {kind.name: kind.harm for kind in system.results if kind.harm}
        # Rule systems list the damage of guns first.
        self.gunfire_words = next((kind.lines for kind in system.results if kind.damage), ())
        log = timeline.log
        self.summarize = cache(
            lambda entry: summarize_act(system, timeline, log[entry - 1], timeline.in_force)
        )

    def format_ship(self, id: str) -> str:
        """Return the name of a ship."""
        return self.timeline.battle.called(id)

    def format_side(self, id: str) -> str:
        """Return the name of a side."""
        return self.timeline.battle.find_side_name(id)

    def format_phase(self, name: str) -> str:
        """Return the title of a phase."""
        return find_phase(self.system, name).title

    def format_turn(self, turn: int, phase: str) -> str:
        """Format a turn with its phase."""
        return format_turn(self.system, turn, phase)

    def format_gain(self, luck: float) -> str:
        """Format a gain by the side that it is good for, as `Japan +1.2`; 0 or more is the first side's."""
        side, gained = self.find_gainer(luck)
        return f"{side} +{gained}"

    def find_gainer(self, luck: float) -> tuple[str, str]:
        """Return the side that a gain is good for, and its size; 0 or more is the first side's."""
        sides = self.timeline.battle.sides
        return sides[0 if luck >= 0 or len(sides) < 2 else 1].name, format_figure(abs(luck))

    def format_order(self, entry: int) -> str:
        """Format the order of an entry without its dice; for an answer, the question."""
        declared = self.find_declared(entry)
        if declared is not None:
            return format_order(self.timeline.battle, declared)
        key = self.timeline.versions[entry].order.key
        owed = find_question(self.timeline, entry, key)
        return owed.prompt if owed else key

    def find_declared(self, entry: int) -> Order | None:
        """Return the order of an entry; if the entry only brings an order's dice, return that order.

        Returns:
            The order, or None if the entry answers another question.
        """
        order = self.timeline.versions[entry].order
        if not order.is_answer:
            return order
        owed = find_question(self.timeline, entry, order.key)
        return owed.order if owed else None

    def format_dice(self, entry: int) -> str:
        """Format the dice of an entry and the player who proposed it, as `dice 3 10, by Anna`.

        An entry without dice gives "".
        """
        faces = " ".join(map(str, self.timeline.versions[entry].order.dice))
        return ", ".join(filter(None, (f"dice {faces}", self.format_player(entry)))) if faces else ""

    def format_player(self, entry: int) -> str:
        """Format the player who proposed an entry, as `by Anna`, or return "" if it was the umpire."""
        return self.summarize(entry).origin


THROWS_LISTED_MOST = 5
"""Largest number of throws that are listed."""


THROW_COLUMNS = (
    *build_number_columns("turn"),
    *build_text_columns("phase", "side", "firer", "target", "weapon"),
    *build_number_columns("odds", "dice"),
    *build_text_columns("result", "damage"),
    *build_number_columns("entry"),
    *build_text_columns("counted"),
    *build_number_columns("results", "expected", "luck"),
    *build_text_columns("thrown", "by"),
)
"""Columns of the table of all throws; `weapon` is the weapon used, or the purpose of the dice."""


def build_throws_table(names: Names, throws: Iterable[ThrownDice]) -> Table:
    """Build a table of all throws, with names and titles instead of ids."""
    return Table(THROW_COLUMNS, tuple(Row(_list_throw_cells(names, throw), throw.entry) for throw in throws))


def _list_throw_cells(names: Names, throw: ThrownDice) -> tuple[str, ...]:
    """Return the cells of a throw, in the order of `THROW_COLUMNS`."""
    is_counted = throw.kind in names.title_by_kind
    return (
        str(throw.turn),
        names.format_phase(throw.phase),
        names.format_side(throw.side),
        names.format_ship(throw.ship) if throw.ship else "",
        names.format_ship(throw.target) if throw.target else "",
        _format_weapon(names, throw),
        format_six_places(float(throw.chances.compute_chance_up(1)) if throw.kind else None),
        " ".join(map(str, throw.dice)),
        names.summarize(throw.entry).effect,
        format_codes(names.timeline.rulings[throw.entry].decision.outcome),
        str(throw.entry),
        names.title_by_kind.get(throw.kind, ""),
        *((str(throw.results), format_six_places(float(throw.chances.mean))) if is_counted else ("", "")),
        format_six_places(throw.luck),
        "console" if throw.by_console else "table",
        names.timeline.log[throw.entry - 1].by,
    )


def format_six_places(value: float | None) -> str:
    """Format a number with at most six decimals, or return "" for None."""
    # `or` replaces -0.0, so that 0 has no sign.
    return "" if value is None else f"{value or 0.0:.6f}".rstrip("0").rstrip(".")


def _format_weapon(names: Names, throw: ThrownDice) -> str:
    """Format the weapon used: the words that an order gives besides the ships and the range.

    If the order gives no such word, return the order's name, such as `shoot`. Without an order, return the
    purpose of the roll.
    """
    order = names.find_declared(throw.entry)
    if order is None:
        return throw.line.replace("-", " ")
    ranged, ships = find_range_slot(order.form), names.timeline.battle.ships
    values = (order.slots.get(slot.name) for slot in order.form.slots if slot is not ranged)
    return " ".join(value for value in values if isinstance(value, str) and value not in ships) or order.word


def build_top_throws_section(names: Names, analysis: Analysis) -> Section:
    """Build the section of the throws with the most luck, for either side."""
    luckiest = sort_lucky_throws(analysis.throws)[:THROWS_LISTED_MOST]
    lines = tuple(build_line(format_throw(names, analysis, throw), throw.entry) for throw in luckiest)
    return Section("The throws that mattered", lines, "throws")


def format_throw(names: Names, analysis: Analysis, throw: ThrownDice) -> str:
    """Format a throw with its order, its effect, how rare it is if it is rare, and its luck."""
    dice = names.format_dice(throw.entry)
    order = ", ".join(part for part in (names.format_order(throw.entry), dice) if part)
    parts = [f"{order}: {names.summarize(throw.entry).effect}."]
    rare = (
        format_throw_rarity(throw.luck_chance, len(analysis.throws)) if throw.luck_chance is not None else ""
    )
    if rare:
        parts.append(f"{rare}.")
    if throw.luck is not None:
        parts.append(f"{names.format_gain(throw.luck)}.")
    return " ".join(parts)


_FIGURES = (*build_number_columns("throws", "results", "due"), *build_text_columns("at the same odds"))
_BY_KIND = (*build_text_columns("side", "what"), *_FIGURES)
_BY_DICE = (*build_text_columns("side", "dice"), *_FIGURES, *build_number_columns("luck"))
LUCK = "luck"
"""Id of the section about luck."""


def build_luck_section(names: Names, analysis: Analysis, joined_advantage: float, *, drawn: bool) -> Section:
    """Build the section that compares what each side threw with the mean of the same throws.

    It also says how much worth came from dice. Dice that were typed and dice that the console threw are
    compared separately, if there are both.

    Args:
        joined_advantage: Advantage that the first side gained by ships that joined.
        drawn: True if the report draws the possible results.
    """
    rows = (
        (
            names.format_side(count.side),
            names.title_by_kind[count.kind],
            *_format_figures(count, good=count.kind in names.damage_kinds),
        )
        for count in analysis.counts
    )
    dice_blocks = build_table_blocks(_BY_DICE, _list_rows_by_dice(names, analysis))
    blocks: tuple[Block, ...] = (
        *_list_total_lines(names, analysis),
        *_list_worth_lines(names, analysis, joined_advantage),
        *(_list_outcomes(names, analysis) if drawn else ()),
        *build_table_blocks(_BY_KIND, map(Row, rows)),
        *(
            (Section("Dice typed and dice thrown by the console", dice_blocks, "dice"),)
            if dice_blocks
            else ()
        ),
    )
    return Section("Luck", blocks, LUCK)


def _list_outcomes(names: Names, analysis: Analysis) -> Iterator[Outcomes]:
    """Yield for each of the first two sides, if it threw, its results and the chances of all results."""
    for count in analysis.damage[:2]:
        if count.throws:
            chances = count.chances
            yield Outcomes(
                names.format_side(count.side),
                count.side == analysis.sides[0],
                count.results,
                float(chances.mean),
                tuple(chances.ways),
                chances.of,
            )


def _list_total_lines(names: Names, analysis: Analysis) -> Iterator[Line]:
    """Yield a line for each side's total; only these lines call a side lucky or unlucky."""
    for count in analysis.damage:
        if not count.throws:
            continue
        word = find_adjective(count.chances, count.results)
        results = format_count(count.results, "result")
        lead = f"{names.format_side(count.side)} was {word}" if word else names.format_side(count.side)
        due = f"{results} where {format_figure(float(count.chances.mean))} were due"
        rarity = format_rarity(count.chances, count.results)
        rarity_text = f"; the same throws do {rarity}" if word else f", {rarity}"
        yield build_line(f"{lead}: {due}{rarity_text}.")


def _list_worth_lines(names: Names, analysis: Analysis, joined_advantage: float) -> Iterator[Line]:
    """Yield a line about the worth gained by dice, by ships that joined, and by everything else.

    There is no line unless there are two sides, phases and throws.
    """
    if len(analysis.sides) != 2 or not analysis.phases or not analysis.throws:
        return
    last = analysis.phases[-1]
    if analysis.unknown:
        side, gained = names.find_gainer(last.luck + last.rest - joined_advantage)
        unknown = "the part of luck is unknown, because no throw could be weighed"
        yield build_line(f"Worth: {side} gained {gained}; {unknown}.")
        return
    gains = [
        (last.luck, "by dice"),
        *([(joined_advantage, "by ships that joined")] if joined_advantage else []),
        (last.rest - joined_advantage, "by other causes"),
    ]
    parts, named_side = [], ""
    for gain, cause in gains:
        side, gained = names.find_gainer(gain)
        if not round(gain, 1):
            parts.append(f"nothing {cause}")
        elif side == named_side:
            parts.append(f"{gained} {cause}")
        else:
            parts.append(f"{side} gained {gained} {cause}")
            named_side = side
    yield build_line(f"Worth: {', '.join(parts)}.")


def _list_rows_by_dice(names: Names, analysis: Analysis) -> Iterator[Row]:
    """Yield a row for each side and source of dice, if both typed and console dice were thrown."""
    sources = {throw.by_console for throw in analysis.throws}
    if len(sources) < 2:
        return
    for side in analysis.sides:
        for by_console, thrown_by in ((False, "typed"), (True, "by the console")):
            throws = [
                throw for throw in analysis.throws if throw.side == side and throw.by_console is by_console
            ]
            if throws:
                figures = _format_figures(sum_results(throws, side, *names.damage_kinds), good=True)
                luck = names.format_gain(sum(throw.luck or 0.0 for throw in throws))
                yield Row((names.format_side(side), thrown_by, *figures, luck))


def _format_figures(count: Count, *, good: bool) -> tuple[str, ...]:
    """Format throws, results, their mean, and how unusual the results are; `good` if more are better."""
    due = format_figure(float(count.chances.mean))
    return str(count.throws), str(count.results), due, format_rarity(count.chances, count.results, good=good)
