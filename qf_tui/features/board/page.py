"""The values that players' pages are made of: the page of a viewer, and the page of a ship.

They hold only words and figures, so that no battle and no log can reach a page through them.
"""

from attrs import frozen

from qf_tui.core.declarations import Span


@frozen(kw_only=True)
class EntryView:
    """An entry in words, as far as a viewer may know it.

    Attributes:
        turn: Turn of the entry.
        phase: Title of the phase.
        events: Memorable events, as a sinking.
        ships: Ids of the ships concerned; the first `acting` of them gave the order.
        acting: Number of ships that gave the order.
        number: Number of the entry, or 0 if the viewer may not know it.
        order: The order in words, or "" if the viewer may not know it.
        dice: Faces thrown.
        call: Call that threw the dice, or "".
        text: Other effects of the entry.
        why: Reasons for the effects.
        note: Later fate of the entry, as `corrected`.
        struck: True if the page strikes the entry out: a correction took it back, and no other entry with it.
        by: Player who proposed it, or "".
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
    struck: bool = False
    by: str = ""


@frozen
class Head:
    """The heading of a column of the ships' logs on a page.

    Columns with a higher `rank` are hidden first if there is little room.
    """

    name: str
    title: str
    help: str
    rank: int
    right: bool


@frozen(kw_only=True)
class LogRow:
    """The row of a ship in the logs on a page.

    Attributes:
        id: Id of the ship.
        name: Name of the ship.
        division: Name of her division, or "".
        player: Player of her division, or "".
        status: Status of the ship, as `sunk`.
        afloat: True if she is afloat.
        whole: True if her log is known.
        cells: Her boxes by column, if her log is known.
        may: Letters of what she may still do in this phase, or "" if that is not known.
        seen: Facts that her model shows.
        may_say: Description of what she may still do.
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
    """A side and its ships in a fixed order; `own` is True for the viewer's side."""

    id: str
    name: str
    own: bool
    ships: tuple[LogRow, ...]


@frozen
class OwedView:
    """A roll or answer that the battle waits for.

    Attributes:
        ship: Id of the ship that owes it, or "".
        text: Question.
        dice: Dice to throw, or words to choose from.
        needs: Faces that bring each result.
    """

    ship: str
    text: str
    dice: str
    needs: tuple[str, ...] = ()


@frozen
class Sealing:
    """The sealed dice of a battle (dice that everyone can check) in words.

    Attributes:
        lines: The seal and the words of the sides, but never the seed.
        calls: True if calls throw the dice, because the seed is still secret.
    """

    lines: tuple[str, ...] = ()
    calls: bool = False


@frozen(kw_only=True)
class View:
    """A viewer's page: all that it shows of a battle.

    Attributes:
        title: Title of the battle.
        viewer: Id of the viewer's side, or "" for all.
        name: Name of the viewer's side, or "".
        switch: Position of the umpire's switch.
        as_of: Phase whose beginning is shown, or "" if the present moment is shown.
        turn: Turn shown.
        phase: Title of the phase shown.
        phases: Titles of all phases.
        at: Index of the phase in `phases`.
        heads: Headings of the columns.
        remarks: Remarks for this viewer.
        standings: How near each side is to victory.
        ended: How the battle ended, or "".
        report: True if there is a report for this viewer.
        sealing: Sealed dice in words.
        fleets: Logs of each side.
        owed: Rolls and answers that the battle waits for.
        last: Latest entry, or None.
        tellings: Entries of this turn and the one before.
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
    """An entry that changed a box of a ship's log.

    Attributes:
        turn: Turn of the entry.
        phase: Title of the phase.
        changes: Changes that it made in the box.
        order: The order in words.
        dice: Faces thrown.
        call: Call that threw the dice, or "".
        reasons: Reasons for the changes.
        clauses: Clauses of the rules, each with its text.
        number: Number of the entry, or 0 if the viewer may not know it.
    """

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
    """A column of a ship's log: its value, and the entries that changed it, the newest first."""

    title: str
    help: str
    spans: tuple[Span, ...]
    because: tuple[CauseView, ...]


@frozen(kw_only=True)
class ShipView:
    """The page of a ship.

    Attributes:
        id: Id of the ship.
        name: Name of the ship.
        side: Name of her side.
        division: Name of her division, or "".
        player: Player of her division, or "".
        status: Status of the ship, as `sunk`.
        whole: True if her card and log are known; if not, only `seen` is filled.
        sheet: Printed values of her card and log.
        seen: Facts that her model shows.
        boxes: Columns of her log.
        owed: Rolls and answers that she owes.
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
