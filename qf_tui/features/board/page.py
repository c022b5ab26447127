"""The values that a viewer's pages are made of: the page of his link, and the page of a ship.

They hold words and figures alone: no battle and no log can reach a page through them.
"""

from attrs import frozen

from qf_tui.core.declarations import Span


@frozen(kw_only=True)
class EntryView:
    """One entry in words, as far as a viewer may know it.

    Attributes:
        events: What an evening is remembered by, as a sinking.
        ships: The ships that it is about; the first `acting` of them did it.
        number: Its number; 0 if the viewer may not know it.
        order: Who did what; "" if he may not know it.
        call: The call that threw its dice; "" if none did.
        text: What else happened, and to whom.
        why: The reasons for it.
        note: What became of the entry later.
        by: The player who proposed it.
    """

    turn: int
    phase: str
    events: tuple[str, ...] = ()
    ships: tuple[str, ...] = ()
    acting: int = 0
    number: int = 0
    order: str = ""
    dice: tuple[int, ...] = ()
    call: str = ""
    text: str = ""
    why: str = ""
    note: str = ""
    by: str = ""


@frozen
class Head:
    """A column of the logs; the lower its `rank`, the longer it stays if there is little room."""

    name: str
    title: str
    help: str
    rank: int
    right: bool


@frozen(kw_only=True)
class LogRow:
    """One ship in the logs.

    Attributes:
        whole: Whether her log is known.
        cells: Her boxes, column by column, if her log is known.
        may: The letters of what she may still do in this phase; "" if that is not known.
        seen: What her model shows.
        may_say: What she may still do, in words.
    """

    id: str
    name: str
    division: str = ""
    player: str = ""
    status: str
    afloat: bool
    whole: bool
    cells: tuple[tuple[Span, ...], ...] = ()
    may: str = ""
    seen: tuple[str, ...] = ()
    may_say: str = ""


@frozen
class SideLogs:
    """One side and its ships, in an order that never changes; `own`: it is the viewer's."""

    id: str
    name: str
    own: bool
    ships: tuple[LogRow, ...]


@frozen
class OwedView:
    """A roll or an answer that is waited for: its ship ("" if none), its dice or words, what they need."""

    ship: str
    text: str
    dice: str
    needs: tuple[str, ...] = ()


@frozen
class Sealing:
    """Sealed dice in lines of words: their seal, and the words of the sides.

    `calls`: a call throws them while their seed is secret. The seed itself is nobody's.
    """

    lines: tuple[str, ...] = ()
    calls: bool = False


@frozen(kw_only=True)
class View:
    """A viewer's page.

    Attributes:
        as_of: The phase whose beginning is shown; "" if the present moment is shown.
        at: The place of the phase among `phases`.
        report: Whether there is a report for this viewer.
        tellings: The entries of this turn and the one before.
    """

    title: str
    viewer: str
    name: str
    switch: str
    as_of: str
    turn: int
    phase: str
    phases: tuple[str, ...]
    at: int
    heads: tuple[Head, ...]
    remarks: tuple[str, ...]
    standings: tuple[str, ...]
    ended: str
    report: bool
    sealing: Sealing
    fleets: tuple[SideLogs, ...]
    owed: tuple[OwedView, ...]
    last: EntryView | None
    tellings: tuple[EntryView, ...]


@frozen(kw_only=True)
class CauseView:
    """One entry that made a box what it is: what it changed there, who did it, its dice, and the reasons."""

    turn: int
    phase: str
    changes: tuple[str, ...] = ()
    order: str
    dice: tuple[int, ...]
    call: str
    reasons: tuple[str, ...]
    clauses: tuple[tuple[str, str], ...]
    number: int


@frozen
class LogColumn:
    """One column of a ship's log: what it shows, and why, the newest entry first."""

    title: str
    help: str
    spans: tuple[Span, ...]
    because: tuple[CauseView, ...]


@frozen(kw_only=True)
class ShipView:
    """The page of a ship.

    Attributes:
        whole: Whether her card and log are known; otherwise there is only what her model shows.
        sheet: The printed values of her card and log.
    """

    id: str
    name: str
    side: str
    division: str = ""
    player: str = ""
    status: str
    whole: bool = False
    sheet: tuple[tuple[str, tuple[Span, ...]], ...] = ()
    seen: tuple[str, ...] = ()
    boxes: tuple[LogColumn, ...] = ()
    owed: tuple[OwedView, ...] = ()
