"""What a viewer reads of a battle: the page of his link, and the page of a ship.

It is made only from what he may know, as values: no battle and no log can reach it. `board/view.py` has
those, decides what is known, and hands over nothing else.
"""

from enum import Enum
from typing import Any, Generic, TypeVar

from attrs import AttrsInstance, fields, frozen

from qf_tui.core.decisions import Reason
from qf_tui.core.declarations import Shape
from qf_tui.core.odds import Needed, Outcome
from qf_tui.core.system import Span as CellSpan
from qf_tui.core.text import value_text
from qf_tui.core.values import Die, dice_code
from qf_tui.document.words import (
    JOINT,
    EffectFacts,
    OrderFacts,
    ShownChange,
    changes_text,
    chart_text,
    each_once,
    effect_text,
    order_or_answer,
    reason_text,
    reasons_text,
    state_text,
)

_Row = TypeVar("_Row", bound="RowFacts")
_Cause = TypeVar("_Cause", bound="CauseKnowledge | Because")

FORCED = "forced"
"""The order of an entry that has no words but what it did, where it was forced."""


class EntryState(Enum):
    """What became of an entry behind its first decision, in words."""

    AS_ENTERED = ""
    CORRECTED = "corrected"
    DISPUTED = "disputed"
    STRUCK = "taken back"


@frozen(kw_only=True)
class EntryFacts:
    """What of an entry is read as it is known.

    `events` are what an evening is remembered by; `ships` those that it is about, of which the first `acting`
    did it. `number` is 0 where it is not known.
    """

    turn: int
    phase: str
    events: tuple[str, ...] = ()
    ships: tuple[str, ...] = ()
    acting: int = 0
    number: int = 0


@frozen(kw_only=True)
class EntryKnowledge(EntryFacts):
    """One entry as far as a viewer may know it.

    `opens`: it begins its phase; `joins` are ships that came by it. Known `whole`, its `effect` is what else
    happened; in part the `changes` are, and the effect is read where there are none. `others` counts the acts
    that were corrected with it. `by` is the player who proposed it.
    """

    order: OrderFacts | None = None
    why: tuple[Reason, ...] = ()
    opens: bool = False
    joins: tuple[str, ...] = ()
    whole: bool = False
    effect: EffectFacts | None = None
    changes: tuple[ShownChange, ...] = ()
    state: EntryState = EntryState.AS_ENTERED
    others: int = 0
    by: str = ""

    @property
    def has_order(self) -> bool:
        """Whether its order is read."""
        return bool(_order_text(self))

    @property
    def says_nothing(self) -> bool:
        """Whether nothing is known of it that could be read."""
        view = entry_view(self)
        return not (view.events or view.text or view.order)


@frozen(kw_only=True)
class CauseKnowledge:
    """An entry that made a box what it is; `changes` are its changes there, `clauses` with what they say.

    A change of the ship herself has no name.
    """

    turn: int
    phase: str
    entry: EntryKnowledge | None
    changes: tuple[ShownChange, ...] = ()
    reasons: tuple[Reason, ...]
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


@frozen(kw_only=True)
class RowFacts:
    """One ship in the logs.

    `whole`: her log is known, and `cells` are those of the columns. `may` are the letters of what she may
    still do in this phase ("" where that is not known).
    """

    id: str
    name: str
    division: str = ""
    player: str = ""
    status: str
    afloat: bool
    whole: bool
    cells: tuple[tuple[CellSpan, ...], ...] = ()
    may: str = ""


@frozen
class SeenMark:
    """What a model shows of a field, `fires 2`, `direction hits 45 left`; True: its title alone."""

    title: str
    value: Shape | tuple[str, ...] = True

    def __str__(self) -> str:
        return state_text(self.title, self.value)


@frozen(kw_only=True)
class RowKnowledge(RowFacts):
    """The same, with what her model shows, and what she may still do."""

    seen: tuple[SeenMark, ...]
    may_do: tuple[str, ...] = ()


@frozen(kw_only=True)
class LogRow(RowFacts):
    """The same in words."""

    seen: tuple[str, ...] = ()
    may_say: str = ""


@frozen
class Fleet(Generic[_Row]):
    """One side and its ships, known or in words, in an order that never changes; `own`: the viewer's."""

    id: str
    name: str
    own: bool
    ships: tuple[_Row, ...]


@frozen
class OwedKnowledge:
    """A roll or an answer that is waited for: of which ship (""), what for, its dice or words, its needs."""

    ship: str
    text: str
    dice: tuple[Die, ...]
    words: tuple[str, ...]
    needs: tuple[Needed | Outcome, ...] = ()


@frozen
class Owing:
    """The same in words."""

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
    """One entry in words.

    `order` is who did it, `call` what threw its dice ("": nothing), `text` what else happened and to whom,
    `why` the lines behind it, `note` what became of it, `by` the player who proposed it.
    """

    order: str
    dice: tuple[int, ...]
    call: str
    text: str
    why: str
    note: str
    by: str


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
    remarks: tuple[str, ...]
    standings: tuple[str, ...]
    ended: str
    report: bool
    sealing: Sealing


@frozen(kw_only=True)
class ViewerKnowledge(BoardState):
    """All that a viewer may know of a battle."""

    fleets: tuple[Fleet[RowKnowledge], ...]
    owed: tuple[OwedKnowledge, ...]
    last: EntryKnowledge | None
    entries: tuple[EntryKnowledge, ...]


@frozen(kw_only=True)
class View(BoardState):
    """All that the page of a viewer is made of: the same in words."""

    fleets: tuple[Fleet[LogRow], ...]
    owed: tuple[Owing, ...]
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
class LogCell(Generic[_Cause]):
    """One column of a ship's log, what it shows, and why, known or in words, the newest entry first."""

    title: str
    help: str
    spans: tuple[CellSpan, ...]
    because: tuple[_Cause, ...]


@frozen(kw_only=True)
class ViewedShip:
    """One ship; `whole`: her card and log are known, and `sheet` is what is printed of them."""

    id: str
    name: str
    side: str
    division: str = ""
    player: str = ""
    status: str
    whole: bool = False
    sheet: tuple[tuple[str, tuple[CellSpan, ...]], ...] = ()


@frozen(kw_only=True)
class ShipKnowledge(ViewedShip):
    """The same, with what her model shows, or what is owed of her and why each box is so."""

    seen: tuple[SeenMark, ...] = ()
    boxes: tuple[LogCell[CauseKnowledge], ...] = ()
    owed: tuple[OwedKnowledge, ...] = ()


@frozen(kw_only=True)
class ShipView(ViewedShip):
    """The same in words."""

    seen: tuple[str, ...] = ()
    boxes: tuple[LogCell[Because], ...] = ()
    owed: tuple[Owing, ...] = ()


def worded(knowledge: ViewerKnowledge) -> View:
    """The page of a viewer."""
    return View(
        **_shared(BoardState, knowledge),
        fleets=tuple(
            Fleet(fleet.id, fleet.name, fleet.own, tuple(map(_row, fleet.ships)))
            for fleet in knowledge.fleets
        ),
        owed=tuple(map(_owing, knowledge.owed)),
        last=entry_view(knowledge.last) if knowledge.last else None,
        tellings=tuple(map(entry_view, knowledge.entries)),
    )


def worded_ship(knowledge: ShipKnowledge) -> ShipView:
    """The page of a ship."""
    return ShipView(
        **_shared(ViewedShip, knowledge),
        seen=tuple(map(str, knowledge.seen)),
        boxes=tuple(
            LogCell(box.title, box.help, box.spans, tuple(map(_because, box.because)))
            for box in knowledge.boxes
        ),
        owed=tuple(map(_owing, knowledge.owed)),
    )


def _shared(kind: type[AttrsInstance], value: object) -> dict[str, Any]:
    """What a value has of a kind that it is of."""
    return {field.name: getattr(value, field.name) for field in fields(kind)}


def entry_view(entry: EntryKnowledge) -> EntryView:
    """An entry in words."""
    given = entry.order.order if entry.order else None
    why = reasons_text(reason for reason in entry.why if not reason.asks)
    order = _order_text(entry)
    effect = effect_text(entry.effect) if entry.effect else None
    parts = (
        f"turn {entry.turn}, {entry.phase}" if entry.opens else "",
        *(f"{name} joins" for name in entry.joins),
        *(effect.parts if effect and entry.whole else (changes_text(entry.changes),)),
    )
    text = JOINT.join(part for part in parts if part)
    if entry.state is EntryState.STRUCK:
        order, why = order or why, ""
    elif not (text or entry.whole):
        text = (effect.lead if effect else "") or ("" if order or entry.events else why)
    more = f", and {entry.others} more" if entry.others else ""
    return EntryView(
        **_shared(EntryFacts, entry),
        order=order,
        dice=given.dice if given else (),
        call=f"{given.call:02}" if given and given.call is not None else "",
        text=text,
        why=why,
        note=f"{entry.state.value}{more}",
        by=entry.by,
    )


def _order_text(entry: EntryKnowledge) -> str:
    """Its order in words; "" for one that has no sentence, as a move: its reasons say what was done."""
    if entry.order is None:
        return ""
    order = entry.order.order
    if order.form.says or order.is_answer or order.dice or not entry.why:
        return order_or_answer(entry.order)
    return FORCED if order.forced else ""


def _row(row: RowKnowledge) -> LogRow:
    return LogRow(**_shared(RowFacts, row), seen=tuple(map(str, row.seen)), may_say=", ".join(row.may_do))


def _owing(owed: OwedKnowledge) -> Owing:
    dice = dice_code(owed.dice) if owed.dice else " or ".join(owed.words)
    return Owing(owed.ship, owed.text, dice, tuple(map(str, owed.needs)))


def _because(cause: CauseKnowledge) -> Because:
    """Why a box is so, by one entry."""
    view = entry_view(cause.entry) if cause.entry else None
    lines = (
        JOINT.join(part for part in (f"{reason_text(reason)}{times}", chart_text(reason)) if part)
        for reason, times in each_once(cause.reasons)
    )
    return Because(
        turn=cause.turn,
        phase=cause.phase,
        changes=tuple(
            f"{f'{change.name}, ' if change.name else ''}{change.title}: "
            f"{value_text(change.before)} → {value_text(change.after)}"
            for change in cause.changes
        ),
        order=view.order if view else "",
        dice=view.dice if view else (),
        call=view.call if view else "",
        reasons=tuple(lines),
        clauses=cause.clauses,
        number=cause.number,
    )
