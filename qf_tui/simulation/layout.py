"""What is told of a thousand battles as lines, folded where they are too wide, and as a page of HTML."""

from collections.abc import Iterator
from textwrap import wrap

from attrs import frozen

import qf_tui
from qf_tui.pages import render
from qf_tui.simulation.jobs import Interval
from qf_tui.simulation.simulate import SimulationResult
from qf_tui.simulation.tables import NONE, FigureTable, SimulationText, Subject, pair_words


@frozen
class ChanceBar:
    """How often the first side wins by one pair of doctrines, as the page draws it."""

    label: str
    wins: Interval


def page_of(subject: Subject, found: SimulationResult, told: SimulationText) -> str:
    """The page."""
    first = subject.battle.sides[0]
    bars = [
        ChanceBar(pair_words(subject, pair), tally.wins(first.id)) for pair, tally in found.tallies.items()
    ]
    return render("simulation/page.html", told=told, side=first.name, bars=bars, version=qf_tui.__version__)


BETWEEN = " · "
INDENT = "  "


def lines_of(one: SimulationText, width: int = 0) -> Iterator[str]:
    """All of it, no line wider than `width` if it can be; 0: as wide as it is."""
    yield one.title
    yield from _sentences(one.first, width)
    for table in one.tables:
        if table.rows:
            yield ""
            yield table.title
            yield from columns_of(table, width)
    yield ""
    yield from _sentences(one.last, width)


def _sentences(said: tuple[str, ...], width: int) -> Iterator[str]:
    for sentence in said:
        yield from wrap(sentence, width) if width else (sentence,)


def columns_of(table: FigureTable, width: int = 0) -> Iterator[str]:
    """A table as lines, the columns under each other; where they are too wide each row by itself."""
    lines = (table.head, *table.rows)
    widths = [max(len(line[at]) for line in lines) for at in range(len(table.head))]
    if width and sum(widths) + len(INDENT) * (len(widths) - 1) > width:
        for row in table.rows:
            yield row[0]
            yield from _folded(table.head, row, width)
        return
    for first, *rest in lines:
        cells = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)),
        ]
        yield INDENT.join(cells).rstrip()


def _folded(head: tuple[str, ...], row: tuple[str, ...], width: int) -> Iterator[str]:
    """The cells of a row behind its first, each with its title, on as many lines as they need."""
    line = ""
    for title, cell in zip(head[1:], row[1:], strict=True):
        part = f"{title} {cell}".strip()
        if cell in ("", NONE):
            continue
        if line and len(INDENT + line + BETWEEN + part) > width:
            yield INDENT + line
            line = part
        else:
            line = f"{line}{BETWEEN}{part}" if line else part
    yield INDENT + line
