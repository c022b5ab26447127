"""What a phone sends, read strictly, and kept in the tray: the only thing that a board takes in.

It is read against what the player's side knows, and refused for what he could see himself; what only the
whole battle knows is for the umpire to say. A declaration is read alike, however much it holds.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hmac import compare_digest
from itertools import cycle, islice
from pathlib import Path
from time import monotonic
from typing import TypeVar

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import all_forms, vocabulary_of
from qf_tui.core.decide import check_dice, prepare_entry
from qf_tui.core.declarations import PreparedEntry, PreparedOrder
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.facts import Fact
from qf_tui.core.grammar.kinds import absent
from qf_tui.core.grammar.names import Reach, Scope
from qf_tui.core.grammar.reader import missing, read
from qf_tui.core.revisions import work_out
from qf_tui.core.timeline import LogAct, Version
from qf_tui.core.values import Die, Order, Owed, dice_code
from qf_tui.features.board.links import Links, Seat, device_digest, token_of
from qf_tui.features.board.seats import (
    TABLE,
    WAITING,
    SeatWork,
    find_state,
    order_of,
    outcome_told,
    round_name,
)
from qf_tui.features.board.tray import ProposalLog, result_digest
from qf_tui.features.board.tray_files import (
    REMARK_MOST,
    WAITING_MOST,
    DeviceAsked,
    Proposal,
    Saw,
    TrayFault,
    TrayFiles,
    TrayState,
)
from qf_tui.features.board.view import needs_of
from qf_tui.journal.codec import decoded
from qf_tui.journal.lines import Misread, list_of, object_of, parsed
from qf_tui.session.saves import sense_of
from qf_tui.session.typed_dice import find_missing, lacks_text

BODY_MOST = 4096
"""Bytes of what a phone sends."""
BURST, A_SECOND = 40, 1.0
"""What a link may send at once, and a second after that."""
ORDERS_MOST = 24
"""Orders of a declaration; as many are read of each."""
DECLARED_MOST = 60
"""Times that a declaration may be changed."""
DEVICES_MOST = 12
"""Devices that may ask for one seat."""
DICE_MOST, FACE_MOST, TOLD_MOST = 30, 100, 300
_HEXADECIMAL = re.compile(r"[0-9a-f]{32}")
HOLD_AGAIN_S = 2.0
"""Seconds after which it is tried again to hold the tray."""


class NotTaken(Exception):
    """What a phone sent is not taken: the status, and why, in words for who sent it ("": for nobody)."""

    def __init__(self, status: int, why: str = "") -> None:
        super().__init__(why)
        self.status, self.why = status, why


PostedOrder = tuple[str, str, Mapping[str, Fact]]
"""An order of a phone: its word, a ship or several with commas, what fills its other slots."""
_ORDER_KEYS = ("word", "ship", "slots")


def _slot_text(value: Fact) -> str:
    """Return what a slot holds as a line has it: of a flag a sign, of several ships their ids with commas."""
    if isinstance(value, bool) or value is None:
        return "x" if value else ""
    return " ".join((",".join(map(str, value)) if isinstance(value, tuple) else str(value)).split())


@frozen
class SeatRequest:
    """A device asks for a seat; `stream` is the name of its stream."""

    token: str
    device: str
    stream: str = ""

    @property
    def within_bounds(self) -> bool:
        """Whether a page of ours may send it."""
        return _HEXADECIMAL.fullmatch(self.device) is not None


@frozen
class PostedProposal:
    """A proposal as a phone sends it: to answer the question of a `handle`, or of `orders`.

    `at` is the phase that the phone was told of then: one that was away sends it late.
    """

    token: str
    device: str
    id: str
    handle: str = ""
    orders: tuple[PostedOrder, ...] | None = None
    words: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    remark: str = ""
    round: str = ""
    at: str = ""

    @property
    def within_bounds(self) -> bool:
        """Whether a page of ours may send it."""
        few = len(self.dice) <= DICE_MOST and len(self.orders or ()) <= ORDERS_MOST
        sound = all(map(_HEXADECIMAL.fullmatch, (self.device, self.id)))
        faces = all(0 <= face <= FACE_MOST for face in self.dice)
        one = bool(self.handle) is (self.orders is None)
        return few and sound and faces and one and len(self.remark) <= REMARK_MOST


_Posted = TypeVar("_Posted", SeatRequest, PostedProposal)


def read_posted(kind: type[_Posted], data: bytes) -> _Posted | None:
    """What a phone sends; None for what no page of ours sends."""
    with suppress(Misread):
        body: dict[str, object] = object_of(parsed(data))
        if "orders" in body:
            body["orders"] = [*map(_order_parts, list_of(body["orders"]))]
        made: _Posted = decoded(kind, body)
        return made if made.within_bounds else None
    return None


def _order_parts(raw: object) -> list[object]:
    """Return the parts of an order in their sequence; Misread if it has others."""
    body = object_of(raw)
    if body.keys() != {*_ORDER_KEYS}:
        raise Misread("no order")
    return [body[key] for key in _ORDER_KEYS]


# What it means.


def proposal_of(work: SeatWork, seat: Seat, sent: PostedProposal, state: TrayState) -> Proposal:
    """What a phone proposes; OrderRefused for what who sent it could see to be wrong."""
    made = Proposal(sent.id, seat.id, seat.name, (), sent.dice, sent.remark)
    if sent.at not in ("", work.phase) and not sent.round:
        raise OrderRefused("it was for another phase; the battle has gone on since")
    if sent.dice and work.dice != TABLE:
        raise OrderRefused("the console throws the dice")
    if sent.handle:
        return _answering(work, made, sent)
    if sent.words:
        raise OrderRefused("only a question is answered in words")
    orders, opened = sent.orders or (), state.open_round
    if sent.round:
        if opened is None or sent.round != round_name(state):
            raise OrderRefused("these declarations are closed")
        if sent.dice:
            raise OrderRefused("dice are thrown once declarations are closed")
        return evolve(made, orders=_declared(work, orders), round=opened.round)
    if opened is not None:
        raise OrderRefused("declarations are open: declare it")
    if len(orders) != 1:
        raise OrderRefused("one order at a time")
    order = evolve(_read(work, orders[0]), dice=sent.dice)
    if order.dice:
        ready = work.known.system.prepare(work.known.battle, order.bare)
        _check_typed(order, ready.dice, ready.missing(()))
    return evolve(made, orders=(order.resolved,), saw=_seen(work, order, None))


def _declared(work: SeatWork, orders: tuple[PostedOrder, ...]) -> tuple[str, ...]:
    """The lines of a declaration; OrderRefused if one of them is no order.

    As many are read whatever was declared: how long it takes tells nobody how much that is.
    """
    found: list[Order | OrderRefused] = []
    for each in islice(cycle(orders or (_any_order(work),)), ORDERS_MOST):
        try:
            found.append(order_of(work.known.system, _read(work, each).resolved))
        except OrderRefused as refusal:
            found.append(refusal)
    lines = []
    for read_as in found[: len(orders)]:
        if isinstance(read_as, OrderRefused):
            raise read_as
        lines.append(read_as.resolved)
    return tuple(lines)


def _any_order(work: SeatWork) -> PostedOrder:
    """An order that takes as long to read as others do, for who declares none."""
    offer = next(iter(work.may), None)
    if offer is None:
        return "", "", {}
    needed = (slot for slot in offer.slots if not slot.optional)
    slots = {slot.name: slot.options[0][0] if slot.options else "1" for slot in needed}
    return offer.word, offer.ships[0], slots


def _answering(work: SeatWork, made: Proposal, sent: PostedProposal) -> Proposal:
    """An answer to what a ship owes."""
    owed = work.owed.get(sent.handle)
    if owed is None or sent.round:
        raise OrderRefused("this is not owed any more")
    typed = bool(owed.dice) and work.dice == TABLE
    if bool(sent.dice) != typed or bool(sent.words) == bool(owed.dice):
        raise OrderRefused(f"{owed.prompt}: {dice_code(owed.dice) or ' or '.join(owed.words) or 'words'}")
    line = " ".join(("roll" if owed.dice else "answer", owed.key, *sent.words))
    order = read(_scope(work), line).complete()
    if order.key != owed.key or order.dice:
        raise OrderRefused("these words are no answer")
    order = evolve(order, dice=sent.dice)
    if order.dice:
        _check_typed(order, owed.dice, owed.dice)
    return evolve(made, orders=(order.resolved,), saw=_seen(work, order, owed))


def _check_typed(order: Order, dice: tuple[Die, ...], asked: tuple[Die, ...]) -> None:
    """Raise OrderRefused, as keys do, for a face that no such die has and for too few dice of a throw.

    How many it takes at most the umpire may know better.
    """
    check_dice(PreparedEntry(order, PreparedOrder(dice=dice + dice[-1:] * len(order.dice))))
    if missing := find_missing(asked, order.dice, ()):
        raise OrderRefused(lacks_text(missing))


def _scope(work: SeatWork) -> Scope:
    return Scope(vocabulary_of(work.known.system), work.known.battle, Reach.FULL)


def _read(work: SeatWork, posted: PostedOrder) -> Order:
    """An order of a ship of his own, by the one reader; OrderRefused for any other."""
    word, ship, slots = posted
    may = next((may for may in work.may if may.word == word), None)
    ships = tuple(ship.split(",")) if may is not None and may.several else (ship,)
    if not {*ships} <= {*work.ships}:
        raise OrderRefused("this ship is not yours")
    if may is None or not {*ships} <= {*may.ships}:
        raise OrderRefused(f"{', '.join(map(work.known.battle.called, ships))} may not do that now")
    form = all_forms(work.known.system)[may.word]
    actor = form.slots[0]
    every = {name: _slot_text(value) for name, value in slots.items()}
    texts = {name: text for name, text in every.items() if text}
    target = next((slot.to for slot in form.slots if slot.to), "")
    pair = f"{ship}>{texts.get(target, '')}"
    given = {offer.name: texts.get(offer.name) or offer.known.get(pair, "") for offer in may.slots}
    given = {name: text for name, text in given.items() if text}
    words = [form.word, ship]
    for slot in form.slots[1:]:
        if slot.name not in given and not slot.optional:
            raise OrderRefused(missing(form, slot))
        if slot.name in given:
            words += slot.kind.write(slot, given[slot.name])
    order = read(_scope(work), " ".join(words)).complete()
    doer = order.slots.get(actor.name)
    same = order.word == form.word and doer in (ship, ships) and order.bare == order
    if not same or texts.keys() - given.keys() or order.slots.keys() != {actor.name, *given}:
        raise OrderRefused(f"{form.word}: this is not what was asked for (form: {form.usage})")
    if fault := absent(form.slots, order.slots, work.known.battle):
        raise OrderRefused(fault)
    return order


def _seen(work: SeatWork, order: Order, owed: Owed | None) -> Saw:
    """What a player was shown with an order, and under `at-once` what would come of it.

    OrderRefused for what he could see to hinder it. Dice that are yet to be thrown come out as they will.
    """
    known = work.known
    saw = Saw(dice_code(owed.dice), tuple(map(str, needs_of(known, owed)))) if owed else Saw()
    if not known.at_once:
        return saw
    entry = prepare_entry(known.system, known.battle, Version(order))
    if entry.prepared.findings:
        raise OrderRefused(*entry.prepared.findings)
    if work.dice != TABLE:
        return saw
    revision = work_out(known.system, known.timeline, order, entry=entry)
    told = outcome_told(evolve(known, timeline=revision.after), revision.number)[:TOLD_MOST]
    return evolve(saw, result=result_digest(revision), told=told)


# Where it is kept.


class Inbox:
    """The tray of a battle as the board writes it: who asked, what was proposed, and what became of that.

    `fault` says why nothing can be taken, as while another board holds the tray.
    """

    def __init__(self, save: Path, battle_id: str) -> None:
        self._save, self._of = save, battle_id
        self._files = TrayFiles.of(save, battle_id)
        self._log = ProposalLog()
        self._writing = asyncio.Lock()
        self._rates: dict[str, tuple[float, float]] = {}
        self._held_at = -HOLD_AGAIN_S
        self.fault = ""
        self.state = TrayState()

    def look(self, links: Links, battle_id: str) -> bool:
        """Takes in what is new of both files; whether anything is another than before."""
        if self._writing.locked():
            return False
        if battle_id != self._of:
            self._files.close()
            self._files, self._of = TrayFiles.of(self._save, battle_id), battle_id
            self._log, self._held_at = ProposalLog(), -HOLD_AGAIN_S
        if links.propose and (self.fault or self._held_at < 0) and monotonic() > self._held_at + HOLD_AGAIN_S:
            self._held_at = monotonic()
            self.fault = self._files.tray.hold(wait=0)
        before = self.state
        if self._files.look() and links.propose and not self.fault:
            self._files.tray.repair()
        if self._files.state != before:
            self.state = self._files.state
        return self.state is not before

    def acts(self, log: Sequence[LogAct]) -> Mapping[str, int]:
        """The acts of a log by the proposals that they are of."""
        return self._log.acts(log)

    def _admitted(self, seat: Seat, sent: _Posted | None) -> _Posted:
        """What was sent with the token of a link, and not too often; NotTaken for anything else."""
        if sent is None or not compare_digest(token_of(seat.secret), sent.token):
            raise NotTaken(404)
        left, at = self._rates.get(seat.secret, (float(BURST), 0.0))
        left = min(float(BURST), left + (monotonic() - at) * A_SECOND) - 1
        if left < 0:
            raise NotTaken(429, "too many at once: try again in a moment")
        self._rates[seat.secret] = left, monotonic()
        return sent

    async def ask(self, seat: Seat, data: bytes) -> tuple[str, str]:
        """A device asks for a seat; its digest, and the name of its stream. NotTaken where too many have."""
        sent = self._admitted(seat, read_posted(SeatRequest, data))
        device = device_digest(sent.device)
        async with self._writing:
            asked = self.state.devices(seat.id, sent.token)
            if device != seat.device and device not in asked:
                if len(asked) >= DEVICES_MOST:
                    raise NotTaken(429, "too many devices have asked for this link")
                await self._append(DeviceAsked(seat.id, device, sent.token))
        return device, sent.stream

    async def propose(self, seat: Seat, data: bytes, work: SeatWork, acts: Mapping[str, int]) -> None:
        """Keeps a proposal, once; NotTaken if it is not there."""
        sent = self._admitted(seat, read_posted(PostedProposal, data))
        if not (seat.device and compare_digest(seat.device, device_digest(sent.device))):
            raise NotTaken(404)
        async with self._writing:
            known = self.state.proposals.get(sent.id)
            if known is not None and known.seat != seat.id:
                raise NotTaken(404)
            if known is None and sent.id not in acts:
                # In a thread: others must not see by their answers that somebody declares.
                await self._append(await asyncio.to_thread(self._proposed, seat, sent, work, acts))

    def _proposed(
        self, seat: Seat, sent: PostedProposal, work: SeatWork, acts: Mapping[str, int]
    ) -> Proposal:
        """What a phone proposes, if there is room for it; else NotTaken."""
        try:
            with sense_of(work.known.system):
                made = proposal_of(work, seat, sent, self.state)
        except QfError as fault:
            # Nobody types a form on a phone.
            raise NotTaken(400, str(fault).partition(" (form: ")[0]) from None
        every = self.state.proposals.values()
        own = [each for each in every if (each.seat, each.round) == (seat.id, made.round)]
        full = len(own) >= DECLARED_MOST
        if not made.round:
            states = (find_state(work.known, self.state, acts, each)[0] for each in own)
            full = sum(one == WAITING for one in states) >= WAITING_MOST
        if full:
            raise NotTaken(429, "too much of yours waits for the umpire")
        return made

    async def _append(self, item: Proposal | DeviceAsked) -> None:
        """Adds to the tray, and takes it in; nobody else writes meanwhile."""
        if self.fault:
            raise NotTaken(503, self.fault)
        try:
            await asyncio.to_thread(self._files.tray.append, item)
        except TrayFault as fault:
            raise NotTaken(503, str(fault)) from None
        self.state = self._files.state

    def close(self) -> None:
        """Lets another board have the tray."""
        self._files.close()
