"""Luck in words and tables: each side's results against what was due, and worth that the dice brought."""

from collections.abc import Iterator

from qf_tui.analysis.story import count_of
from qf_tui.analysis.values import Analysis, Count
from qf_tui.core.text import several
from qf_tui.report.chances import degree, figure, standing
from qf_tui.report.names import Arrivals, Names, joined
from qf_tui.report.values import Section, Sentence, Table, TableColumn, TableRow

_FIGURES = (
    *(
        TableColumn("throws", figures=True),
        TableColumn("results", figures=True),
        TableColumn("due", figures=True),
    ),
    TableColumn("at the same odds"),
)
_BY_KIND = (TableColumn("side"), TableColumn("what"), *_FIGURES)
_BY_DICE = (TableColumn("side"), TableColumn("dice"), *_FIGURES, TableColumn("luck", figures=True))
LUCK = "luck"
"""The section of luck."""
DICE = {False: "typed", True: "by the console"}
"""Who threw dice, in words."""


def luck(names: Names, analysis: Analysis, arrivals: Arrivals) -> Section:
    """What each side threw, against what was due; typed dice and the console's apart."""
    titles = {kind.name: kind.title for kind in names.system.results}
    rows = tuple(
        TableRow((names.side(one.side), titles[one.kind], *_figures(one, one.kind in names.damage_kinds)))
        for one in analysis.counts
    )
    apart = tuple(_apart(names, analysis))
    dice = Section("dice", "Dice typed and dice thrown by the console", table=Table(_BY_DICE, apart))
    return Section(
        LUCK,
        "Luck",
        (*_totals(names, analysis), *_in_worth(names, analysis, arrivals)),
        Table(_BY_KIND, rows) if rows else None,
        (dice,) if apart else (),
    )


def _totals(names: Names, analysis: Analysis) -> Iterator[Sentence]:
    """Each side's total, the one place for an adjective."""
    for found in analysis.damage:
        if not found.throws:
            continue
        word, results = degree(found.chances, found.results), several(found.results, "result")
        lead = f"{names.side(found.side)} was {word}" if word else names.side(found.side)
        due = f"{results} where {figure(float(found.chances.mean))} were due"
        stands = standing(found.chances, found.results)
        often = f"; the same throws do {stands}" if word else f", {stands}"
        yield Sentence(f"{lead}: {due}{often}.")


def _in_worth(names: Names, analysis: Analysis, arrivals: Arrivals) -> Iterator[Sentence]:
    """What the dice brought in worth, beside the ships that joined and all else."""
    if len(analysis.sides) != 2 or not analysis.phases or not analysis.throws:
        return
    last = analysis.phases[-1]
    came = arrivals.before(last.entry)
    parts = [f"by the dice {names.gain(last.luck)}"]
    parts += [f"by ships that joined {names.gain(came)}"] if came else []
    rest = last.rest - came
    parts.append(f"by all else {names.gain(rest)}" if round(rest, 1) else "by all else next to nothing")
    yield Sentence(f"Worth gained: {joined(parts)}.")


def _apart(names: Names, analysis: Analysis) -> Iterator[TableRow]:
    """A row for each side and who threw its dice, where both did."""
    thrown = {throw.by_console for throw in analysis.throws}
    if len(thrown) < 2:
        return
    for side in analysis.sides:
        for by_console, words in DICE.items():
            own = [one for one in analysis.throws if one.side == side and one.by_console is by_console]
            if own:
                found = count_of(own, side, *names.damage_kinds)
                brought = names.gain(sum(one.luck or 0.0 for one in own))
                yield TableRow((names.side(side), words, *_figures(found, True), brought))


def _figures(one: Count, good: bool) -> tuple[str, ...]:
    """Throws, results, what was due, and how that stands; `good`: more is better for who throws."""
    due = figure(float(one.chances.mean))
    return str(one.throws), str(one.results), due, standing(one.chances, one.results, good=good)
