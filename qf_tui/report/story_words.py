"""The story in sentences, turn by turn, what happened first; and the losses."""

from collections.abc import Callable, Iterable, Iterator

from qf_tui.analysis.values import Fate, Loss, StoryLine, ThrownDice
from qf_tui.core.declarations import Event
from qf_tui.report.damage_words import damage
from qf_tui.report.names import Names, some
from qf_tui.report.values import Section, Sentence, Table, TableColumn, TableRow

NAMED_MOST = 6
"""Ships that one sentence names."""


def story(names: Names, lines: Iterable[StoryLine], throws: Iterable[ThrownDice]) -> Section:
    """The story, a part a turn; a turn of which nothing is told is left out."""
    by_entry = {throw.entry: throw for throw in throws}
    turns: dict[int, list[StoryLine]] = {}
    for line in lines:
        turns.setdefault(line.turn, []).append(line)
    parts = tuple(
        Section(f"turn-{turn}", f"Turn {turn}", tuple(_of_turn(names, own, by_entry)))
        for turn, own in turns.items()
    )
    return Section("story", "Turn by turn", parts=parts)


def _of_turn(names: Names, lines: list[StoryLine], throws: dict[int, ThrownDice]) -> Iterator[Sentence]:
    for fate, tell in _TELLS.items():
        yield from (tell(names, line) for line in lines if line.fate is fate)
    joining = [line for line in lines if line.fate is Fate.JOINED]
    for side, own in _grouped(joining, lambda line: _side_of(names, line.ship)):
        ships = some([names.ship(line.ship) for line in own], NAMED_MOST)
        verb = "joins" if len(own) == 1 else "join"
        yield Sentence(f"{ships} {verb} {names.side(side)}.", own[0].entry)
    lost = {line.ship for line in lines if line.fate is Fate.LOST}
    hits = [line for line in lines if line.fate is Fate.DAMAGE]
    for target, own in _grouped(hits, lambda line: line.ship):
        yield Sentence(damage(names, target, own, throws, lost=target in lost), own[0].entry)


def _side_of(names: Names, ship: str) -> str:
    found = names.timeline.battle.ships.get(ship)
    return found.side if found else ""


def _grouped(
    lines: Iterable[StoryLine], by: Callable[[StoryLine], str]
) -> Iterable[tuple[str, list[StoryLine]]]:
    found: dict[str, list[StoryLine]] = {}
    for line in lines:
        found.setdefault(by(line), []).append(line)
    return found.items()


def happened(names: Names, line: StoryLine) -> Sentence:
    """One event: what happened to whom, by whom, and the dice that decided it."""
    found = [one for one in names.events(line.entry) if one.ship == line.ship]
    text = " and ".join(_capital(one) for one in found) or names.headline(line.entry).effect
    return Sentence(_with_dice(names, line, text), line.entry, strong=True)


def _capital(event: Event) -> str:
    return event.text[:1].upper() + event.text[1:]


def left_line(names: Names, line: StoryLine) -> Sentence:
    """A ship that cannot keep her place, and what did that to her."""
    ship = names.ship(line.ship)
    text = f"{ship} falls out of the line ({names.lead(line.entry)})"
    return Sentence(_with_dice(names, line, text), line.entry, strong=True)


_TELLS: dict[Fate, Callable[[Names, StoryLine], Sentence]] = {
    Fate.LOST: happened,
    Fate.EVENT: happened,
    Fate.OUT_OF_LINE: left_line,
}


def _with_dice(names: Names, line: StoryLine, text: str) -> str:
    """A text with the order and the dice behind it, and who did it where the order does not name her."""
    dice = names.dice(line.entry)
    detail = f"{names.said(line.entry)}, {dice}" if dice else ""
    by = names.ship(line.by) if line.by else ""
    who = f", by {by}" if by and by not in detail else ""
    return f"{text}{who}{f': {detail}' if detail else ''}."


def losses(names: Names, found: Iterable[Loss]) -> Section:
    """The ships that are out of the battle: when, by which entry, and who did damage to them."""
    columns = (
        *(
            TableColumn("ship"),
            TableColumn("side"),
            TableColumn("is"),
            TableColumn("turn", figures=True),
            TableColumn("phase"),
        ),
        TableColumn("damage before"),
    )
    rows = tuple(
        TableRow(
            (
                *(names.ship(loss.ship), names.side(loss.side), loss.status, str(loss.turn)),
                *(
                    names.phase(loss.phase),
                    ", ".join(f"{names.ship(ship)} {count}" for ship, count in loss.by),
                ),
            ),
            loss.entry,
        )
        for loss in found
    )
    return Section("losses", "Losses", table=Table(columns, rows))
