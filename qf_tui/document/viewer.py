"""What a viewer reads of a battle: the page of his link, and a ship on a page of her own.

It is made of what he may know, as values, and of nothing else: no battle and no log can reach it. Whoever has
those decides what is known (`board`), and hands over that alone.
"""

from enum import Enum
from typing import Any

from attrs import AttrsInstance, fields, frozen

from qf_tui.core.system import Span as CellSpan

FORCED = "forced"
"""The order of an entry that has no words but what it did, where it was forced."""
_JOINT = " · "


class EntryState(Enum):
    """What became of an entry behind its first decision, in words."""

    AS_ENTERED = ""
    CORRECTED = "corrected"
    DISPUTED = "disputed"
    STRUCK = "taken back"


@frozen(kw_only=True)
class EntryFacts:
    """What of an entry is read as it is known.

    `events` are what an evening is remembered by, `order` who did it in words, with the `dice`, and the
    `call` that threw them ("": none did); `why` are the lines behind it. `ships` are those that it is about,
    of which the first `acting` did it. `number` is 0 where it is not known.
    """

    turn: int
    phase: str
    events: tuple[str, ...] = ()
    order: str = ""
    dice: tuple[int, ...] = ()
    call: str = ""
    why: str = ""
    ships: tuple[str, ...] = ()
    acting: int = 0
    number: int = 0


@frozen(kw_only=True)
class KnownEntry(EntryFacts):
    """One entry as far as a viewer may know it.

    `begins` is the phase that it begins, `joins` are ships that came by it, `results` what else happened and
    to whom; `otherwise` stands for all of these where there is none. `others` counts the acts that were
    corrected with it.
    """

    begins: str = ""
    joins: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    otherwise: str = ""
    state: EntryState = EntryState.AS_ENTERED
    others: int = 0

    @property
    def says_nothing(self) -> bool:
        """Whether nothing is known of it that could be read."""
        return not (self.events or self.joins or any(self.results) or self.otherwise or self.order)


@frozen
class KnownReason:
    """A reason of an entry as far as it is known: its words, how often, its chart cell and its clause."""

    text: str
    times: str
    chart: str


@frozen
class KnownCause:
    """An entry that made a box what it is; `changes` are its changes there, `clauses` with what they say."""

    turn: int
    phase: str
    entry: KnownEntry | None
    changes: tuple[str, ...]
    reasons: tuple[KnownReason, ...]
    clauses: tuple[tuple[str, str], ...]
    number: int


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
    cells: tuple[tuple[CellSpan, ...], ...] = ()
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


@frozen(kw_only=True)
class EntryView(EntryFacts):
    """One entry in words: `text` is what else happened and to whom, `note` what became of it."""

    text: str = ""
    note: str = ""


@frozen(kw_only=True)
class BoardState:
    """How a battle stands for a viewer, as his page shows it.

    `as_of` says which phase began as things stood so, where the present one is not shown; "" else. `sealing`
    is what is known of sealed dice, if they are. `report`: there is one for this viewer.
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
    fleets: tuple[SideLogs, ...]
    owed: tuple[Owing, ...]
    remarks: tuple[str, ...]
    standings: tuple[str, ...]
    ended: str
    report: bool
    sealing: Sealing


@frozen(kw_only=True)
class ViewerKnowledge(BoardState):
    """All that a viewer may know of a battle, with its entries as far as they are known."""

    last: KnownEntry | None
    entries: tuple[KnownEntry, ...]


@frozen(kw_only=True)
class View(BoardState):
    """All that the page of a viewer is made of: the same, with its entries in words."""

    last: EntryView | None
    tellings: tuple[EntryView, ...]


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
    spans: tuple[CellSpan, ...]
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
    sheet: tuple[tuple[str, tuple[CellSpan, ...]], ...] = ()
    seen: tuple[str, ...] = ()
    boxes: tuple[LogCell, ...] = ()
    owed: tuple[Owing, ...] = ()


def view_of(knowledge: ViewerKnowledge) -> View:
    """The page of a viewer."""
    last = entry_view(knowledge.last) if knowledge.last else None
    return View(
        **_shared(BoardState, knowledge), last=last, tellings=tuple(map(entry_view, knowledge.entries))
    )


def entry_view(entry: KnownEntry) -> EntryView:
    """An entry in words."""
    parts = (entry.begins, *(f"{name} joins" for name in entry.joins), *entry.results)
    more = f", and {entry.others} more" if entry.others else ""
    text = _JOINT.join(part for part in parts if part) or entry.otherwise
    return EntryView(**_shared(EntryFacts, entry), text=text, note=f"{entry.state.value}{more}")


def _shared(kind: type[AttrsInstance], value: object) -> dict[str, Any]:
    """What a value has of a kind that it is of."""
    return {field.name: getattr(value, field.name) for field in fields(kind)}


def because(cause: KnownCause) -> Because:
    """Why a box is so, by one entry."""
    entry = cause.entry
    lines = (
        _JOINT.join(part for part in (f"{one.text}{one.times}", one.chart) if part) for one in cause.reasons
    )
    return Because(
        turn=cause.turn,
        phase=cause.phase,
        changes=cause.changes,
        order=entry.order if entry else "",
        dice=entry.dice if entry else (),
        call=entry.call if entry else "",
        reasons=tuple(lines),
        clauses=cause.clauses,
        number=cause.number,
    )
