"""What is known of a thousand battles in words: tables for a terminal, a screen and a page."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from attrs import frozen

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.library.declared import APPROACH
from qf_tui.simulation.battle_model import unit_of
from qf_tui.simulation.jobs import EARLY, Interval, Pair
from qf_tui.simulation.playout import DOCTRINES
from qf_tui.simulation.simulate import Contribution, SimulationResult, Tried

NEVER_LOST = 0.005
"""Parts below this are no loss to speak of."""
NONE = "–"


@frozen
class FigureTable:
    """Cells in rows under a title, the first column words, the others figures."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class SimulationText:
    """What is said first, the tables, and what is said behind them."""

    title: str
    first: tuple[str, ...]
    tables: tuple[FigureTable, ...]
    last: tuple[str, ...]


@frozen
class Subject:
    """The battle that was played out, with what is said of how."""

    system: RuleSystem
    battle: Battle
    seed: str
    within: float | None = None

    def ships(self) -> tuple[Ship, ...]:
        coming = (ship for id, ship in self.battle.reserve.items() if id not in self.battle.ships)
        return (*self.battle.ships.values(), *coming)


def percent(one: Interval) -> str:
    """A part with its interval: `62% (59–65)`."""
    return f"{one.part:.0%} ({100 * one.least:.0f}–{100 * one.most:.0f})"


def told(
    subject: Subject,
    found: SimulationResult,
    contributions: Sequence[Contribution] | None = None,
    tried: Sequence[Tried] | None = None,
) -> SimulationText:
    """All that is known; of ships left out and of levers where they were tried."""
    pairs = tuple(found.tallies)
    played = sum(one.battles for one in found.tallies.values())
    turn = subject.battle.turn
    from_here = f", from turn {turn} on" if turn > 1 or subject.battle.opened else ""
    script = subject.battle.table.get(APPROACH)
    ranges = f" Ranges as scripted, turn by turn: {script} {unit_of(subject.battle)}." if script else ""
    stopped = "" if found.whole else " It was stopped before the end: this is what is known."
    how = (
        f"{played:,} battles by {subject.system.title}{from_here}, seed {subject.seed}."
        f" In brackets: an interval such as holds the true figure 95 times in 100."
        f"{ranges}{stopped}"
    )
    first = (
        how,
        *(f"{name}: {DOCTRINES[name].says}." for name in doctrines_of(pairs)),
    )
    return SimulationText(
        str(subject.battle.table.get("title") or "battle"),
        first,
        (
            _outcomes(subject, found),
            _breaks(subject, found),
            _losses(subject, found),
            *(() if contributions is None else (_moves(subject, found, contributions),)),
            *(() if not tried else (_levers(subject, tried),)),
        ),
        tuple(_last(subject, found, contributions, tried)),
    )


def doctrines_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """The doctrines of pairs, each once."""
    return tuple(dict.fromkeys(name for pair in pairs for name in pair))


def pair_words(subject: Subject, pair: Pair) -> str:
    """A pair of doctrines: `Japan hold, Russia close`."""
    return ", ".join(f"{side.name} {name}" for side, name in zip(subject.battle.sides, pair, strict=True))


def _outcomes(subject: Subject, found: SimulationResult) -> FigureTable:
    sides = subject.battle.sides
    scored = sides[:1] if any(tally.won.get("") for tally in found.tallies.values()) else ()
    head = (
        "doctrines",
        "battles",
        *(f"{side.name} wins" for side in sides),
        "drawn",
        *(f"{side.name} scores" for side in scored),
        "turns",
    )
    rows = (
        (
            pair_words(subject, pair),
            f"{tally.battles:,}",
            *(percent(tally.wins(side)) for side in (*(side.id for side in sides), "")),
            *(percent(tally.score(side.id)) for side in scored),
            _turns(tally.length),
        )
        for pair, tally in found.tallies.items()
    )
    return FigureTable("Who wins, and on which turn it is over", head, tuple(rows))


def _turns(turns: tuple[int, int, int]) -> str:
    return f"{turns[0]} ({turns[1]}–{turns[2]})" if turns[0] else NONE


def _breaks(subject: Subject, found: SimulationResult) -> FigureTable:
    each = (
        title
        for side in subject.battle.sides
        for title in (f"{side.name} broken", "on turn", f"{side.name} ships lost")
    )
    rows = []
    for pair, tally in found.tallies.items():
        cells = [pair_words(subject, pair)]
        for side in subject.battle.sides:
            cells += [
                percent(tally.broken(side.id)),
                _turns(tally.breaks_on(side.id)),
                _mean(*tally.mean_lost(side.id)),
            ]
        rows.append((*cells, percent(tally.early)))
    return FigureTable(
        "Who breaks, and what it costs", ("doctrines", *each, f"over before turn {EARLY}"), tuple(rows)
    )


def _mean(mean: float, half: float | None) -> str:
    return f"{mean:.1f}" if half is None else f"{mean:.1f} ±{half:.1f}"


def _losses(subject: Subject, found: SimulationResult) -> FigureTable:
    rows = []
    for ship in subject.ships():
        parts = [tally.loss(ship.id) for tally in found.tallies.values()]
        if any(one.part >= NEVER_LOST for one in parts):
            rows.append((ship.name, _side_name(subject, ship), *map(percent, parts)))
    head = ("lost", "side", *map(", ".join, found.tallies))
    return FigureTable(f"Ships lost, how often, by the doctrines of {_sides(subject)}", head, tuple(rows))


def _sides(subject: Subject) -> str:
    return " and ".join(side.name for side in subject.battle.sides)


def _side_name(subject: Subject, ship: Ship) -> str:
    side = subject.battle.side(ship.side)
    return side.name if side else ship.side


def _moves(subject: Subject, found: SimulationResult, contributions: Sequence[Contribution]) -> FigureTable:
    """What each ship is good for."""
    most = max(tally.battles for tally in found.tallies.values())
    names = {ship.id: (ship.name, _side_name(subject, ship)) for ship in subject.ships()}
    rows = (
        (
            *names[one.ship],
            *(f"{round(100 * one.moves[pair]):+}" for pair in found.tallies),
            f"no effect seen in {most:,} battles" if one.unseen else "",
        )
        for one in contributions
    )
    head = ("left out", "side", *map(", ".join, found.tallies), "")
    title = (
        f"How far her side's score moves without a ship, in per cent, by the doctrines of {_sides(subject)}"
    )
    return FigureTable(title, head, tuple(rows))


def _levers(subject: Subject, tried: Sequence[Tried]) -> FigureTable:
    """What would make it even."""
    rows = (
        (
            one.lever,
            one.step.says,
            percent(one.score),
            percent(one.again) if one.again else NONE,
            f"{100 * one.spread[0]:.0f}–{100 * one.spread[1]:.0f}",
            "even" if one.even else "nearer" if one.helps else "no help",
        )
        for one in tried
    )
    head = (
        "lever",
        "at its best",
        f"{subject.battle.sides[0].name} scores",
        "with fresh seeds",
        "by doctrines",
        "",
    )
    return FigureTable("What would make it even, all doctrines together", head, tuple(rows))


def _last(
    subject: Subject,
    found: SimulationResult,
    contributions: Sequence[Contribution] | None,
    tried: Sequence[Tried] | None,
) -> Iterator[str]:
    """What is said of how it was counted, and of battles that could not go on."""
    yield (
        "A side is broken when half of what it was worth is gone, or its first ship has withdrawn. Drawn: "
        "nobody has won. A score counts a win 1 and a draw ½. "
        "Turns: the middle battle, and in brackets where 8 of 10 lie."
    )
    if subject.within is not None:
        yield f"Until wins and draws are known within {100 * subject.within:g} per cent, or all are played."
    if tried:
        yield (
            "Even: the score, a draw ½, has an interval no wider than six per cent that holds 50%, and again "
            "with fresh seeds. Nearer: by more than its interval. By doctrines: the score by the pair by "
            "which it is least, and most."
        )
    if contributions is not None:
        yield "No effect seen: without her the score moves by less than half its interval, by any doctrines."
    apart = sum(one.apart for one in found.tallies.values())
    if apart:
        why = min(one.why for one in found.tallies.values() if one.why is not None)
        yield f"{apart:,} battles could not go on and count nowhere; the first is number {why[0]}: {why[1]}"


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
