"""Throws and luck in words: how likely they were, what they did, each side's total."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache

from qf_tui.core.availability import range_slot
from qf_tui.core.declarations import of_damage
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.text import several
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Order
from qf_tui.document.acts import asked, order_words, summary, turn_text
from qf_tui.document.values import (
    Block,
    Line,
    Outcomes,
    Row,
    Section,
    Table,
    figure_columns,
    table_blocks,
    text_line,
    word_columns,
)
from qf_tui.document.words import codes_text
from qf_tui.features.report.story import by_size, count_of
from qf_tui.features.report.values import Analysis, Count, Distribution, ThrownDice

CERTAIN = Fraction(99, 100)
COMMON = Fraction(1, 2)
"""What one in two throws does is not rare."""
RAREST = 1_000_000
RATHER_ONE = 0.75
_DEGREES = ((Fraction(1, 1000), "extremely "), (Fraction(1, 100), "very "))
"""How rare a total is called so; the first that fits."""


def one_in(chance: Fraction, of: str = "") -> str:
    """A chance in words: `1 in 24`, `2 in 3`, `always`; `of` as in `1 time in 24`."""
    one = f"1 {of} in" if of else "1 in"
    if chance <= 0:
        return "never"
    if chance * RAREST < 1:
        return f"less than {one} {RAREST:,}"
    if chance > CERTAIN:
        return "always" if chance == 1 else "nearly always"
    if chance > Fraction(2, 5):
        near = chance.limit_denominator(10)
        return f"{near.numerator} in {near.denominator}" if near < 1 else "nearly always"
    times = round(1 / chance)
    return f"{one} {round(times, 2 - len(str(times))) if times >= 100 else times:,}"


def figure(value: float) -> str:
    """A mean with one decimal, more where that would be none."""
    return f"{value:.1f}" if abs(value) >= 0.05 or not value else f"{value:.2g}"


def standing(chances: Distribution, results: int, *, good: bool = True) -> str:
    """How often as many throws at the same odds do so, without an adjective: `as well 1 time in 24`.

    `good`: more of it is better for who throws.
    """
    if not chances.unusual(results):
        return "nothing unusual"
    well, badly = chances.as_well(results), chances.as_badly(results)
    if well <= badly:
        return f"as {'well' if good else 'much'} {one_in(well, 'time')}"
    return f"as {'badly' if good else 'little'} {one_in(badly, 'time')}"


def degree(chances: Distribution, results: int) -> str:
    """An adjective for the total of a side, "" where nothing is unusual."""
    if not chances.unusual(results):
        return ""
    well, badly = chances.as_well(results), chances.as_badly(results)
    rare = min(well, badly)
    word = "lucky" if well <= badly else "unlucky"
    return f"{next((text for most, text in _DEGREES if rare < most), '')}{word}"


def of_one_throw(chance: Fraction, throws: int) -> str:
    """How rare what a throw brought is: `1 in 24; expect about 5 this rare in 123 throws`.

    Nothing of one that is not rare.
    """
    if chance >= COMMON:
        return ""
    due = float(throws * chance)
    number = f"about {due:,.0f}" if due >= RATHER_ONE else f"{due:.1g}"
    return f"{one_in(chance)}; expect {number} this rare in {several(throws, 'throw')}"


class Names:
    """The words of one battle; what an entry did is worked out once."""

    def __init__(self, system: RuleSystem, timeline: Timeline) -> None:
        self.system, self.timeline = system, timeline
        self.kinds = {kind.name: kind.title for kind in system.results}
        self.damage_kinds = of_damage(system.results)
        self.harm = {kind.name: kind.harm for kind in system.results if kind.harm}
        self.gunfire = next((kind.lines for kind in system.results if kind.damage), ())
        log = timeline.log
        self.summary = cache(lambda entry: summary(system, timeline, log[entry - 1], timeline.in_force))

    def ship(self, id: str) -> str:
        return self.timeline.battle.called(id)

    def side(self, id: str) -> str:
        return self.timeline.battle.side_name(id)

    def phase(self, name: str) -> str:
        return find_phase(self.system, name).title

    def when(self, turn: int, phase: str) -> str:
        return turn_text(self.system, turn, phase)

    def gain(self, luck: float) -> str:
        """Worth that is good for the first side where it is above 0, by the side that it is good for."""
        side, gained = self.gainer(luck)
        return f"{side} +{gained}"

    def gainer(self, luck: float) -> tuple[str, str]:
        """Return the side that gains by so much luck of the first side, and how much."""
        sides = self.timeline.battle.sides
        return sides[0 if luck >= 0 or len(sides) < 2 else 1].name, figure(abs(luck))

    def order(self, entry: int) -> str:
        """An order as people say it; of an answer what was owed. Without dice."""
        declared = self.declared(entry)
        if declared is not None:
            return order_words(self.timeline.battle, declared)
        key = self.timeline.versions[entry].order.key
        owed = asked(self.timeline, entry, key)
        return owed.prompt if owed else key

    def declared(self, entry: int) -> Order | None:
        """The order of an entry, or that whose dice it brought; None of an answer to anything else."""
        order = self.timeline.versions[entry].order
        if not order.is_answer:
            return order
        owed = asked(self.timeline, entry, order.key)
        return owed.order if owed else None

    def dice(self, entry: int) -> str:
        """The faces of an entry, and the player that it is from: `dice 3 10, by Anna`, or nothing."""
        faces = " ".join(map(str, self.timeline.versions[entry].order.dice))
        return ", ".join(filter(None, (f"dice {faces}", self.by(entry)))) if faces else ""

    def by(self, entry: int) -> str:
        """The player that an entry is from, `by Anna`, or nothing."""
        return self.summary(entry).origin


MATTERED = 5
"""Throws that are listed."""


THROW_COLUMNS = (
    *figure_columns("turn"),
    *word_columns("phase", "side", "firer", "target", "weapon"),
    *figure_columns("odds", "dice"),
    *word_columns("result", "damage"),
    *figure_columns("entry"),
    *word_columns("counted"),
    *figure_columns("results", "expected", "luck"),
    *word_columns("thrown", "by"),
)
"""The columns of a table of all throws: `weapon` is what was used, or what the dice were for."""


def throws_table(names: Names, throws: Iterable[ThrownDice]) -> Table:
    """All throws, flat, with names and titles as people read them."""
    return Table(THROW_COLUMNS, tuple(Row(_throw(names, throw), throw.entry) for throw in throws))


def _throw(names: Names, throw: ThrownDice) -> tuple[str, ...]:
    counted = throw.kind in names.kinds
    return (
        str(throw.turn),
        names.phase(throw.phase),
        names.side(throw.side),
        names.ship(throw.ship) if throw.ship else "",
        names.ship(throw.target) if throw.target else "",
        _weapon(names, throw),
        six_places(float(throw.chances.as_well(1)) if throw.kind else None),
        " ".join(map(str, throw.dice)),
        names.summary(throw.entry).effect,
        codes_text(names.timeline.rulings[throw.entry].decision.outcome),
        str(throw.entry),
        names.kinds.get(throw.kind, ""),
        *((str(throw.results), six_places(float(throw.chances.mean))) if counted else ("", "")),
        six_places(throw.luck),
        "console" if throw.by_console else "table",
        names.timeline.log[throw.entry - 1].by,
    )


def six_places(value: float | None) -> str:
    """A figure to six places, "" for none."""
    return "" if value is None else f"{value:.6f}".rstrip("0").rstrip(".").replace("-0", "0", value == 0)


def _weapon(names: Names, throw: ThrownDice) -> str:
    """What was used: the words of the order beside its ships and its range; of a check what it was for."""
    order = names.declared(throw.entry)
    if order is None:
        return throw.line.replace("-", " ")
    ranged, ships = range_slot(order.form), names.timeline.battle.ships
    values = (order.slots.get(slot.name) for slot in order.form.slots if slot is not ranged)
    return " ".join(value for value in values if isinstance(value, str) and value not in ships) or order.word


def mattered(names: Names, analysis: Analysis) -> Section:
    """The throws that did most, whichever side they were good for."""
    most = by_size(analysis.throws)[:MATTERED]
    lines = tuple(text_line(throw_text(names, analysis, throw), throw.entry) for throw in most)
    return Section("The throws that mattered", lines, "throws")


def throw_text(names: Names, analysis: Analysis, throw: ThrownDice) -> str:
    """A throw: who threw what at whom and what it did, how rare that was, and what it brought."""
    dice = names.dice(throw.entry)
    order = ", ".join(part for part in (names.order(throw.entry), dice) if part)
    parts = [f"{order}: {names.summary(throw.entry).effect}."]
    rare = of_one_throw(throw.as_far, len(analysis.throws)) if throw.as_far is not None else ""
    if rare:
        parts.append(f"{rare}.")
    if throw.luck is not None:
        parts.append(f"{names.gain(throw.luck)}.")
    return " ".join(parts)


_FIGURES = (*figure_columns("throws", "results", "due"), *word_columns("at the same odds"))
_BY_KIND = (*word_columns("side", "what"), *_FIGURES)
_BY_DICE = (*word_columns("side", "dice"), *_FIGURES, *figure_columns("luck"))
LUCK = "luck"
"""The section of luck."""


def luck(names: Names, analysis: Analysis, came: float, *, drawn: bool) -> Section:
    """What each side threw, against what was due; typed dice and the console's apart.

    `came`: what ships that joined brought the first side; `drawn`: a page draws it, as it draws the curve.
    """
    rows = (
        (
            names.side(count.side),
            names.kinds[count.kind],
            *_figures(count, count.kind in names.damage_kinds),
        )
        for count in analysis.counts
    )
    apart = table_blocks(_BY_DICE, _apart(names, analysis))
    blocks: tuple[Block, ...] = (
        *_totals(names, analysis),
        *_in_worth(names, analysis, came),
        *(_outcomes(names, analysis) if drawn else ()),
        *table_blocks(_BY_KIND, map(Row, rows)),
        *((Section("Dice typed and dice thrown by the console", apart, "dice"),) if apart else ()),
    )
    return Section("Luck", blocks, LUCK)


def _outcomes(names: Names, analysis: Analysis) -> Iterator[Outcomes]:
    """What each of the first two sides threw among all that it could have."""
    for count in analysis.damage[:2]:
        if count.throws:
            chances = count.chances
            yield Outcomes(
                names.side(count.side),
                count.side == analysis.sides[0],
                count.results,
                float(chances.mean),
                tuple(chances.ways),
                chances.of,
            )


def _totals(names: Names, analysis: Analysis) -> Iterator[Line]:
    """Each side's total, the one place for an adjective."""
    for count in analysis.damage:
        if not count.throws:
            continue
        word, results = degree(count.chances, count.results), several(count.results, "result")
        lead = f"{names.side(count.side)} was {word}" if word else names.side(count.side)
        due = f"{results} where {figure(float(count.chances.mean))} were due"
        stands = standing(count.chances, count.results)
        often = f"; the same throws do {stands}" if word else f", {stands}"
        yield text_line(f"{lead}: {due}{often}.")


def _in_worth(names: Names, analysis: Analysis, came: float) -> Iterator[Line]:
    """What the dice brought in worth, beside the ships that joined and all else."""
    if len(analysis.sides) != 2 or not analysis.phases or not analysis.throws:
        return
    last = analysis.phases[-1]
    if analysis.unknown:
        side, gained = names.gainer(last.luck + last.rest - came)
        unknown = "what of it was luck is not known, as no throw could be weighed"
        yield text_line(f"Worth: {side} gained {gained}; {unknown}.")
        return
    gains = [(last.luck, "by dice"), (last.rest - came, "otherwise")]
    gains[1:1] = [(came, "by ships that joined")] if came else []
    parts, named = [], ""
    for gain, how in gains:
        side, gained = names.gainer(gain)
        if not round(gain, 1):
            parts.append(f"nothing {how}")
        elif side == named:
            parts.append(f"{gained} {how}")
        else:
            parts.append(f"{side} gained {gained} {how}")
            named = side
    yield text_line(f"Worth: {', '.join(parts)}.")


def _apart(names: Names, analysis: Analysis) -> Iterator[Row]:
    """A row for each side and who threw its dice, where both did."""
    thrown = {throw.by_console for throw in analysis.throws}
    if len(thrown) < 2:
        return
    for side in analysis.sides:
        for by_console, thrown_by in ((False, "typed"), (True, "by the console")):
            own = [
                throw for throw in analysis.throws if throw.side == side and throw.by_console is by_console
            ]
            if own:
                figures = _figures(count_of(own, side, *names.damage_kinds), True)
                brought = names.gain(sum(throw.luck or 0.0 for throw in own))
                yield Row((names.side(side), thrown_by, *figures, brought))


def _figures(count: Count, good: bool) -> tuple[str, ...]:
    """Throws, results, what was due, and how that stands; `good`: more is better for who throws."""
    due = figure(float(count.chances.mean))
    return str(count.throws), str(count.results), due, standing(count.chances, count.results, good=good)
