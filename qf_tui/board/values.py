"""All that a viewer may know of a battle, as values: what stands in none of them reaches no page."""

from enum import StrEnum

from attrs import frozen

from qf_tui.core.system import Span

ALL = ""
"""The viewer that is no side: whoever has the link for all."""


class BoardSwitch(StrEnum):
    """The umpire's switch: what the links show, and when."""

    AT_ONCE = "at-once"
    OWN_SIDE = "own-side"
    PHASE_END = "phase-end"


@frozen
class Head:
    """A column of the logs; the lower its `rank`, the longer it stays where there is little room."""

    name: str
    title: str
    help: str
    rank: int
    right: bool


@frozen
class LogRow:
    """One ship in the logs.

    `seen` are words for what her model shows. `whole`: her log is known, and `cells` are those of the
    columns. `may` are the letters of what she may still do in this phase, `may_say` the same in words (""
    where that is not known).
    """

    id: str
    name: str
    division: str
    player: str
    status: str
    afloat: bool
    whole: bool
    cells: tuple[tuple[Span, ...], ...] = ()
    seen: tuple[str, ...] = ()
    may: str = ""
    may_say: str = ""


@frozen
class SideLogs:
    """One side and its ships, in an order that never changes; `own`: it is the viewer's."""

    id: str
    name: str
    own: bool
    ships: tuple[LogRow, ...]


@frozen
class Owing:
    """A roll or an answer that is waited for: of which ship (""), what for, its dice, what they need."""

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


@frozen
class Telling:
    """One entry as far as it is known.

    `events` are what an evening is told by, `text` what else happened and to whom, `order` who did it in
    words, with the `dice`, and the `call` that threw them ("": none did); `why` are the lines behind it.
    `ships` are those that it is about, of which the first `acting` did it. `note` says what became of the
    entry itself (corrected, taken back, disputed). `number` is 0 where it is not known.
    """

    turn: int
    phase: str
    events: tuple[str, ...] = ()
    text: str = ""
    order: str = ""
    dice: tuple[int, ...] = ()
    call: str = ""
    why: str = ""
    ships: tuple[str, ...] = ()
    acting: int = 0
    note: str = ""
    number: int = 0


@frozen
class View:
    """All that the page of a viewer is made of.

    `as_of` says which phase began as things stood so, where the present one is not shown; "" else. `sealing`
    is what is said of sealed dice, if they are. `report`: there is one for this viewer.
    """

    title: str
    viewer: str
    name: str
    switch: BoardSwitch
    as_of: str
    turn: int
    phase: str
    phases: tuple[str, ...]
    at: int
    heads: tuple[Head, ...]
    fleets: tuple[SideLogs, ...]
    owed: tuple[Owing, ...]
    last: Telling | None
    tellings: tuple[Telling, ...]
    remarks: tuple[str, ...]
    standings: tuple[str, ...]
    ended: str
    report: bool
    sealing: Sealing


@frozen
class Because:
    """One entry that made a box what it is: what it changed there, who did it, its dice, and the reasons."""

    turn: int
    phase: str
    changes: tuple[str, ...]
    order: str
    dice: tuple[int, ...]
    call: str
    reasons: tuple[str, ...]
    clauses: tuple[tuple[str, str], ...]
    number: int


@frozen
class LogCell:
    """One column of a ship's log, what it shows, and why it is so, the newest entry first."""

    title: str
    help: str
    spans: tuple[Span, ...]
    because: tuple[Because, ...]


@frozen
class ShipView:
    """One ship: her card and log as printed, what is owed and remarked of her, and why each box is so."""

    id: str
    name: str
    side: str
    division: str
    player: str
    status: str
    whole: bool
    sheet: tuple[tuple[str, tuple[Span, ...]], ...] = ()
    seen: tuple[str, ...] = ()
    boxes: tuple[LogCell, ...] = ()
    owed: tuple[Owing, ...] = ()
