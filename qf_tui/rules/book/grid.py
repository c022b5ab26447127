"""How a ship of a rule book is shown: in the list of ships, on her printed log, by markers on the table.

Nothing here changes a battle.
"""

from collections.abc import Iterator
from functools import partial

from qf_tui.core.declarations import Column, Span
from qf_tui.core.printed_logs import SheetLine, SheetPart, add_count, draw_countdown, format_mark_spans
from qf_tui.core.values import Battle, Mark, Ship
from qf_tui.rules.book.declaration import Declaration

MARKS = "marks"
"""The name of the grid column for all marks."""
_TITLE_MOST = 10
"""The greatest length of a column's title, in letters; a longer title gives way to the track's name."""
_ROOM = 4
"""The number of empty boxes on a printed log for later marks."""


def build_columns(book: Declaration) -> tuple[Column, ...]:
    """Build the columns of the list of ships: tracks that the book names, then one column for all marks.

    The heading of a track is its title, or its name if the title is too long.
    """
    tracks = [book.tracks[name] for name in book.columns]
    titles = [track.title if len(track.title) <= _TITLE_MOST else track.name for track in tracks]
    columns = [
        Column(track.name, title, width=max(len(title), 4), rank=rank, fields=(track.name,), help=track.title)
        for rank, (track, title) in enumerate(zip(tracks, titles, strict=True))
    ]
    marks = Column(MARKS, MARKS, width=6, rank=1, fields=tuple(book.marks), most=20, help="her marks")
    return (*columns, marks)


def format_marks_cell(book: Declaration, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
    """Format the status of a ship that is not afloat, and her marks.

    Marks of this phase are shown as new if damage counts only from the end of the phase.
    """
    old_marks = {mark.id for mark in battle.start.ships.get(ship.id, ship).marks}
    has_slashes = any(phase.slashes for phase in book.phases if phase.name == battle.phase)
    spans = [] if ship.afloat else [Span(ship.status.upper(), "alert")]
    for mark in (mark for kind in column.fields for mark in ship.live(kind)):
        sign = book.marks[mark.kind].sign
        is_new = has_slashes and mark.id not in old_marks
        spans.append(Span(f" {sign}" if spans else sign, "slash" if is_new else ""))
    return tuple(spans)


def format_limit(book: Declaration, ship: Ship, track: str) -> tuple[Span, ...]:
    """Format how much of a track counts, such as ≤2; () if all that is left counts."""
    usable = book.count_usable(ship, track)
    return (Span(f" ≤{usable}"),) if usable < ship.count(track) else ()


def build_log_sheet(book: Declaration, battle: Battle, ship: Ship) -> tuple[SheetLine, ...]:
    """Build a ship's log as printed: a line for each track that she has, then one for all marks."""
    start_ship = battle.start.ships.get(ship.id, ship)
    lines: list[SheetLine] = []
    for track in book.tracks.values():
        built, amount = book.count_built(ship.card, track.name), ship.count(track.name)
        boxes = draw_countdown(built, start_ship.count(track.name), amount) if track.boxes else ()
        limit = format_limit(book, ship, track.name)
        part = add_count(SheetPart(track.title, str(built) if boxes else "", boxes, limit), amount)
        # Leave out boxes that the ship never had.
        if built or amount or not track.boxes:
            lines.append((part,))
    if book.marks:
        marks = [
            span
            for mark in book.marks.values()
            for span in format_mark_spans(start_ship, ship, mark.name, partial(_format_mark, book))
            # Leave out ended marks of kinds that end by themselves: each turn has some.
            if mark.turns is None or span.tone != "repaired"
        ]
        lines.append((SheetPart(MARKS, written=tuple(marks), room=_ROOM),))
    return tuple(lines)


def _format_mark(book: Declaration, mark: Mark) -> str:
    """Format a mark on a printed log: its sign and its title, once if they are the same."""
    kind = book.marks[mark.kind]
    return " ".join(dict.fromkeys((kind.sign, kind.title)))


def list_marker_changes(book: Declaration, old: Ship, new: Ship) -> Iterator[str]:
    """Yield the markers that players must put on the table or take away, if every side sees them."""
    for mark in book.marks.values():
        added = len(new.live(mark.name)) - len(old.live(mark.name))
        if added and mark.seen and not new.is_off_table:
            yield f"{mark.title}: {'put' if added > 0 else 'take away'} {abs(added)}"
