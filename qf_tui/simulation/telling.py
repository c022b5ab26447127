"""What is known of a thousand battles in words: tables for a terminal, a screen and a page."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.simulation.doctrine import DOCTRINES
from qf_tui.simulation.job import Pair
from qf_tui.simulation.simulate import Found
from qf_tui.simulation.tally import EARLY, Interval, Tally

NEVER_LOST = 0.005
"""Parts below this are no loss to speak of."""


@frozen
class Table:
    """Cells in rows under a title, the first column words, the others figures."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Told:
    """What is said first, the tables, and what is said behind them."""

    title: str
    first: tuple[str, ...]
    tables: tuple[Table, ...]
    last: tuple[str, ...]


@frozen
class Asked:
    """The battle that was played out, with what is said of how."""

    system: RuleSystem
    battle: Battle
    seed: str

    def ships(self) -> tuple[Ship, ...]:
        coming = (ship for id, ship in self.battle.reserve.items() if id not in self.battle.ships)
        return (*self.battle.ships.values(), *coming)


def percent(one: Interval) -> str:
    """A part with its interval: `62% (59–65)`."""
    return f"{one.part:.0%} ({100 * one.least:.0f}–{100 * one.most:.0f})"


def told(asked: Asked, found: Found) -> Told:
    """All that is known."""
    pairs = tuple(found.tallies)
    played = sum(one.battles for one in found.tallies.values())
    turn = asked.battle.turn
    from_here = f", from turn {turn} on" if turn > 1 or asked.battle.opened else ""
    stopped = "" if found.whole else " It was stopped before the end: this is what is known."
    how = (
        f"{played:,} battles by {asked.system.title}{from_here}, seed {asked.seed}."
        f" In brackets: where 95 of 100 such intervals hold the true figure.{stopped}"
    )
    first = (
        how,
        *(f"{name}: {DOCTRINES[name].says}." for name in _names(pairs)),
    )
    return Told(
        str(asked.battle.table.get("title") or "battle"),
        first,
        (_outcomes(asked, found), _breaks(asked, found), _losses(asked, found)),
        tuple(_last(found)),
    )


def _names(pairs: Sequence[Pair]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for pair in pairs for name in pair))


def pair_words(asked: Asked, pair: Pair) -> str:
    """A pair of doctrines: `Japan hold, Russia close`."""
    return ", ".join(f"{side.name} {name}" for side, name in zip(asked.battle.sides, pair, strict=True))


def _outcomes(asked: Asked, found: Found) -> Table:
    head = ("doctrines", "battles", *(f"{side.name} wins" for side in asked.battle.sides), "nobody", "turns")
    rows = (
        (
            pair_words(asked, pair),
            f"{tally.battles:,}",
            *(percent(tally.chance(side.id)) for side in asked.battle.sides),
            percent(tally.undecided),
            _turns(tally.length),
        )
        for pair, tally in found.tallies.items()
    )
    return Table("Who wins, and on which turn it is over", head, tuple(rows))


def _turns(turns: tuple[int, int, int]) -> str:
    return f"{turns[0]} ({turns[1]}–{turns[2]})" if turns[0] else "–"


def _breaks(asked: Asked, found: Found) -> Table:
    each = (
        f"{side.name} {what}" for side in asked.battle.sides for what in ("broken", "on turn", "ships lost")
    )
    rows = []
    for pair, tally in found.tallies.items():
        cells = [pair_words(asked, pair)]
        for side in asked.battle.sides:
            mean, half = tally.mean_lost(side.id)
            cells += [
                percent(tally.broken(side.id)),
                _turns(tally.breaks_on(side.id)),
                f"{mean:.1f} ±{half:.1f}",
            ]
        rows.append((*cells, percent(tally.early)))
    return Table(
        "Who breaks, and what it costs", ("doctrines", *each, f"over before turn {EARLY}"), tuple(rows)
    )


def _losses(asked: Asked, found: Found) -> Table:
    rows = []
    for ship in asked.ships():
        parts = [tally.sunk(ship.id) for tally in found.tallies.values()]
        if any(one.part >= NEVER_LOST for one in parts):
            rows.append((ship.name, _side_name(asked, ship), *map(percent, parts)))
    head = ("lost", "side", *(pair_words(asked, pair) for pair in found.tallies))
    return Table("Ships lost, how often", head, tuple(rows))


def _side_name(asked: Asked, ship: Ship) -> str:
    side = asked.battle.side(ship.side)
    return side.name if side else ship.side


def _last(found: Found) -> Iterator[str]:
    """What is said of how it was counted, and of battles that could not go on."""
    yield (
        "A side is broken when half of what it was worth is gone, or its first ship has withdrawn. A battle "
        "that nobody wins counts half for each. Turns: the middle battle, and in brackets where 8 of 10 lie."
    )
    apart = sum(one.apart for one in found.tallies.values())
    if apart:
        why = min(one.why for one in found.tallies.values() if one.why is not None)
        yield f"{apart:,} battles could not go on and count nowhere; the first is number {why[0]}: {why[1]}"


def lines_of(one: Told) -> Iterator[str]:
    """All of it as plain lines, the columns under each other."""
    yield one.title
    yield from one.first
    for table in one.tables:
        if table.rows:
            yield ""
            yield table.title
            yield from _columns(table)
    yield ""
    yield from one.last


def _columns(table: Table) -> Iterator[str]:
    lines = (table.head, *table.rows)
    widths = [max(len(line[at]) for line in lines) for at in range(len(table.head))]
    for line in lines:
        first, *rest = line
        cells = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()


Json = dict[str, object]


def row_of(asked: Asked, found: Found) -> Json:
    """All of it for a script; parts are from 0 to 1."""
    return {
        "title": asked.battle.table.get("title"),
        "rules": asked.system.name,
        "seed": asked.seed,
        "turn": asked.battle.turn,
        "complete": found.whole,
        "sides": {side.id: side.name for side in asked.battle.sides},
        "doctrines": {name: DOCTRINES[name].says for name in _names(tuple(found.tallies))},
        "pairs": [_pair_row(asked, pair, tally) for pair, tally in found.tallies.items()],
    }


def _pair_row(asked: Asked, pair: Pair, tally: Tally) -> Json:
    sides = [side.id for side in asked.battle.sides]
    return {
        "doctrines": dict(zip(sides, pair, strict=True)),
        "battles": tally.battles,
        "apart": tally.apart,
        "why_apart": tally.why[1] if tally.why else None,
        "wins": {side: _interval_row(tally.chance(side)) for side in sides},
        "nobody_wins": _interval_row(tally.undecided),
        "over_early": _interval_row(tally.early),
        "turns": _turns_row(tally.length),
        "broken": {
            side: {**_interval_row(tally.broken(side)), "turn": _turns_row(tally.breaks_on(side))}
            for side in sides
        },
        "ships_lost": {
            side: dict(zip(("mean", "half"), tally.mean_lost(side), strict=True)) for side in sides
        },
        "lost": {ship.id: _interval_row(tally.sunk(ship.id)) for ship in asked.ships()},
    }


def _interval_row(one: Interval) -> Json:
    return {"part": one.part, "least": one.least, "most": one.most}


def _turns_row(turns: tuple[int, int, int]) -> Json:
    return dict(zip(("middle", "tenth", "ninth_tenth"), turns, strict=True))
