"""Messages from players' phones: they are checked strictly and kept in the tray, the list of proposed orders.

An order is checked against what the player's side knows, and refused for faults that he could see. The
umpire sees all other faults. A declaration with few orders takes as long to read as one with many, so that
the time gives nothing away.
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

from qf_tui.core.builtin_forms import build_vocabulary, list_forms
from qf_tui.core.decide import check_dice, prepare_entry
from qf_tui.core.declarations import PreparedEntry, PreparedOrder
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.facts import Fact
from qf_tui.core.grammar.kinds import find_absent_ship
from qf_tui.core.grammar.names import Reach, Scope
from qf_tui.core.grammar.reader import format_missing_slot, read_line
from qf_tui.core.revisions import work_out
from qf_tui.core.timeline import LogAct, Version
from qf_tui.core.values import Die, Form, Order, Owed, format_dice
from qf_tui.features.board.links import Links, Seat, compute_device_digest, compute_token
from qf_tui.features.board.seats import (
    TABLE,
    WAITING,
    OrderOffer,
    SeatWork,
    find_state,
    format_known_outcome,
    format_round_name,
    read_stored_order,
)
from qf_tui.features.board.tray import ProposalLog, compute_result_digest
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
from qf_tui.features.board.view import find_needs
from qf_tui.journal.codec import decode_value
from qf_tui.journal.lines import Misread, decode_json, read_list, read_object
from qf_tui.session.saves import report_meaningless_save
from qf_tui.session.typed_dice import find_missing, format_missing

BODY_MOST = 4096
"""Largest size of a phone's message, in bytes."""
BURST, REFILL_A_SECOND = 40, 1.0
"""Number of messages that a link may send at once, and number in each second after that."""
ORDERS_MOST = 24
"""Largest number of orders in a declaration; every declaration is read as if it had this many."""
DECLARED_MOST = 60
"""Largest number of times that a declaration may be changed."""
DEVICES_MOST = 12
"""Largest number of devices that may ask for one seat."""
DICE_MOST, FACE_MOST, RESULT_TEXT_MOST = 30, 100, 300
"""Most dice of a proposal, greatest face, and most letters of a stored result."""
_HEXADECIMAL = re.compile(r"[0-9a-f]{32}")
LOCK_AGAIN_S = 2.0
"""Seconds between two attempts to lock the tray."""


class MessageRefused(Exception):
    """The refusal of a phone's message.

    Args:
        status: HTTP status of the answer.
        why: Reason for the sender, or "" to give none.
    """

    def __init__(self, status: int, why: str = "") -> None:
        super().__init__(why)
        self.status, self.why = status, why


PostedOrder = tuple[str, str, Mapping[str, Fact]]
"""An order from a phone: its word, a ship or several with commas, and the values of its other slots."""
_ORDER_KEYS = ("word", "ship", "slots")


def _format_slot(value: Fact) -> str:
    """Format the value of a slot as it would be typed: several ship ids with commas, a set flag as "x".

    Return "" for no value and for a flag that is not set.
    """
    if isinstance(value, bool) or value is None:
        return "x" if value else ""
    return " ".join((",".join(map(str, value)) if isinstance(value, tuple) else str(value)).split())


@frozen
class SeatRequest:
    """The request of a device to use a seat.

    Attributes:
        token: Token of the page that sent it.
        device: Key of the device.
        stream: Name of the page's event stream, or "".
    """

    token: str
    device: str
    stream: str = ""

    @property
    def within_bounds(self) -> bool:
        """True if one of our pages could send this."""
        return _HEXADECIMAL.fullmatch(self.device) is not None


@frozen
class PostedProposal:
    """A proposal from a phone; it answers the question of a `handle` or brings `orders`.

    Attributes:
        token: Token of the page that sent it.
        device: Key of the device.
        id: Id of the proposal, made by the device.
        handle: Handle of the question that it answers, or "".
        orders: Orders, or None for an answer.
        words: Words of an answer.
        dice: Faces typed.
        remark: Remark to the umpire.
        round: Name of the declarations that it belongs to, or "".
        at: Phase that the page showed; a phone that was offline sends an old one.
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
        """True if one of our pages could send this."""
        is_short = len(self.dice) <= DICE_MOST and len(self.orders or ()) <= ORDERS_MOST
        has_valid_ids = all(map(_HEXADECIMAL.fullmatch, (self.device, self.id)))
        has_valid_faces = all(0 <= face <= FACE_MOST for face in self.dice)
        # Either it answers a question, or it brings orders.
        has_one_content = bool(self.handle) is (self.orders is None)
        return (
            is_short
            and has_valid_ids
            and has_valid_faces
            and has_one_content
            and len(self.remark) <= REMARK_MOST
        )


_Posted = TypeVar("_Posted", SeatRequest, PostedProposal)


def read_posted(kind: type[_Posted], data: bytes) -> _Posted | None:
    """Read a message from a phone; return None if none of our pages could have sent it."""
    with suppress(Misread):
        body: dict[str, object] = read_object(decode_json(data))
        if "orders" in body:
            body["orders"] = [*map(_list_order_parts, read_list(body["orders"]))]
        message: _Posted = decode_value(kind, body)
        return message if message.within_bounds else None
    return None


def _list_order_parts(raw: object) -> list[object]:
    """Return the word, the ship and the slots of an order.

    Raises:
        Misread: The order does not have exactly these parts.
    """
    body = read_object(raw)
    if body.keys() != {*_ORDER_KEYS}:
        raise Misread("no order")
    return [body[key] for key in _ORDER_KEYS]


# Reading of proposals.


def build_proposal(work: SeatWork, seat: Seat, message: PostedProposal, state: TrayState) -> Proposal:
    """Build the proposal that a phone sent: an answer, a declaration, or one order to enter at once.

    Raises:
        OrderRefused: It has a fault that the player could see, or it comes too early or too late.
    """
    proposal = Proposal(message.id, seat.id, seat.name, orders=(), dice=message.dice, remark=message.remark)
    # A declaration is for its round, which is checked below.
    if message.at not in ("", work.phase) and not message.round:
        raise OrderRefused("it was for another phase, which has ended")
    if message.dice and work.dice != TABLE:
        raise OrderRefused("the console throws the dice")
    # Only an answer has the handle of a question.
    if message.handle:
        return _build_answer(work, proposal, message)
    if message.words:
        raise OrderRefused("only a question takes words")
    orders = message.orders or ()
    open_round = state.open_round
    if message.round:
        if open_round is None or message.round != format_round_name(state):
            raise OrderRefused("these declarations are closed")
        if message.dice:
            raise OrderRefused("dice are thrown after declarations close")
        return evolve(proposal, orders=_read_declared(work, orders), round=open_round.round)
    if open_round is not None:
        raise OrderRefused("declarations are open: declare this order")
    if len(orders) != 1:
        raise OrderRefused("one order at a time")
    order = evolve(_read_order(work, orders[0]), dice=message.dice)
    if order.dice:
        prepared = work.known.system.prepare(work.known.battle, order.without_dice)
        no_faces = ()
        _check_faces(order, prepared.dice, required=prepared.missing(no_faces))
    return evolve(proposal, orders=(order.resolved,), saw=_build_saw(work, order, owed=None))


def _read_declared(work: SeatWork, orders: tuple[PostedOrder, ...]) -> tuple[str, ...]:
    """Read the orders of a declaration and return their resolved lines.

    `ORDERS_MOST` orders are read in any case, repeating the given ones, so that the time taken does not
    reveal how many there are.

    Raises:
        OrderRefused: One of the orders is not valid.
    """
    readings: list[Order | OrderRefused] = []
    for posted in islice(cycle(orders or (_choose_any_order(work),)), ORDERS_MOST):
        try:
            # Only a line that can be read back is stored.
            readings.append(read_stored_order(work.known.system, _read_order(work, posted).resolved))
        except OrderRefused as refusal:
            readings.append(refusal)
    lines = []
    for reading in readings[: len(orders)]:
        if isinstance(reading, OrderRefused):
            raise reading
        lines.append(reading.resolved)
    return tuple(lines)


def _choose_any_order(work: SeatWork) -> PostedOrder:
    """Return an order to read in place of an empty declaration; it takes as long to read as a usual one."""
    offer = next(iter(work.may), None)
    if offer is None:
        return "", "", {}
    required_slots = (slot for slot in offer.slots if not slot.optional)
    slots = {slot.name: slot.options[0][0] if slot.options else "1" for slot in required_slots}
    return offer.word, offer.ships[0], slots


def _build_answer(work: SeatWork, proposal: Proposal, message: PostedProposal) -> Proposal:
    """Add to a proposal the answer to a question that one of the player's ships owes.

    Raises:
        OrderRefused: The question is not owed, or the faces or words do not fit it.
    """
    owed = work.owed.get(message.handle)
    if owed is None or message.round:
        raise OrderRefused("this is no longer owed")
    needs_faces = bool(owed.dice) and work.dice == TABLE
    # A roll takes no words, and faces only if the table throws the dice; a question takes only words.
    if bool(message.dice) != needs_faces or bool(message.words) == bool(owed.dice):
        raise OrderRefused(f"{owed.prompt}: {format_dice(owed.dice) or ' or '.join(owed.words) or 'words'}")
    line = " ".join(("roll" if owed.dice else "answer", owed.key, *message.words))
    order = read_line(_build_scope(work), line).require_order()
    if order.key != owed.key or order.dice:
        raise OrderRefused("these words do not answer it")
    order = evolve(order, dice=message.dice)
    if order.dice:
        _check_faces(order, owed.dice, required=owed.dice)
    return evolve(proposal, orders=(order.resolved,), saw=_build_saw(work, order, owed))


def _check_faces(order: Order, dice: tuple[Die, ...], required: tuple[Die, ...]) -> None:
    """Check typed faces in the same way as faces typed in the console.

    `dice` are those that the order takes as far as the player knows; the umpire may know that it takes more,
    so more faces are accepted. Every die in `required` must have a face.

    Raises:
        OrderRefused: A die has no such face, or dice are missing.
    """
    # Faces beyond `dice` are checked like those of the last die.
    check_dice(PreparedEntry(order, PreparedOrder(dice=dice + dice[-1:] * len(order.dice))))
    if missing := find_missing(required, order.dice, needed=()):
        raise OrderRefused(format_missing(missing))


def _build_scope(work: SeatWork) -> Scope:
    """Build the scope in which a seat's orders are read: the rules' words, and the battle its side knows."""
    return Scope(build_vocabulary(work.known.system), work.known.battle, Reach.FULL)


def _read_order(work: SeatWork, posted: PostedOrder) -> Order:
    """Read an order from a phone: write it as it would be typed, and read that line.

    Raises:
        OrderRefused: The ship is not the player's or may not do this now, the order is not complete, or its
            text reads as something else than the slots.
    """
    word, ship, slots = posted
    offer = next((order_offer for order_offer in work.may if order_offer.word == word), None)
    ships = tuple(ship.split(",")) if offer is not None and offer.several else (ship,)
    if not {*ships} <= {*work.ships}:
        raise OrderRefused("this ship is not yours")
    if offer is None or not {*ships} <= {*offer.ships}:
        raise OrderRefused(f"{', '.join(map(work.known.battle.called, ships))} may not do that now")
    form = list_forms(work.known.system)[offer.word]
    all_texts = {name: _format_slot(value) for name, value in slots.items()}
    posted_texts = {name: text for name, text in all_texts.items() if text}
    texts = _add_known_range(form, offer, ship, posted_texts)
    order = read_line(_build_scope(work), _write_line(form, ship, texts)).require_order()
    actor_name = form.slots[0].name
    # A text in a slot could be read as other slots, as dice, or as another order.
    is_same_order = order.word == form.word and order.without_dice == order
    has_same_actors = order.slots.get(actor_name) in (ship, ships)
    # The line has every posted text, and has filled only the slots that were written.
    has_same_slots = posted_texts.keys() <= texts.keys() and order.slots.keys() == {actor_name, *texts}
    if not (is_same_order and has_same_actors and has_same_slots):
        raise OrderRefused(f"{form.word}: this does not fit its form")
    if fault := find_absent_ship(form.slots, order.slots, work.known.battle):
        raise OrderRefused(fault)
    return order


def _add_known_range(form: Form, offer: OrderOffer, ship: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of the offered slots; an empty range gets the known range of the ship's target."""
    # The slot for the range names in `to` the slot with the target.
    target_slot_name = next((slot.to for slot in form.slots if slot.to), "")
    pair = f"{ship}>{texts.get(target_slot_name, '')}"
    all_texts = {slot.name: texts.get(slot.name) or slot.known.get(pair, "") for slot in offer.slots}
    return {name: text for name, text in all_texts.items() if text}


def _write_line(form: Form, ship: str, texts: Mapping[str, str]) -> str:
    """Write an order as it would be typed.

    Raises:
        OrderRefused: A required slot has no text.
    """
    words = [form.word, ship]
    for slot in form.slots[1:]:
        if slot.name in texts:
            words += slot.kind.write(slot, texts[slot.name])
        elif not slot.optional:
            raise OrderRefused(format_missing_slot(form, slot))
    return " ".join(words)


def _build_saw(work: SeatWork, order: Order, owed: Owed | None) -> Saw:
    """Return what the player was shown with an order: owed dice and their needs, and the result.

    The result is known to him only under `at-once`, and only if the dice are thrown at the table.

    Raises:
        OrderRefused: The rules have findings that the player could see.
    """
    known = work.known
    saw = Saw(format_dice(owed.dice), tuple(map(str, find_needs(known, owed)))) if owed else Saw()
    if not known.at_once:
        return saw
    entry = prepare_entry(known.system, known.battle, Version(order))
    if entry.prepared.findings:
        raise OrderRefused(*entry.prepared.findings)
    if work.dice != TABLE:
        return saw
    revision = work_out(known.system, known.timeline, order, entry=entry)
    result_text = format_known_outcome(evolve(known, timeline=revision.after), revision.number)[
        :RESULT_TEXT_MOST
    ]
    return evolve(saw, result=compute_result_digest(revision), told=result_text)


# Storage of proposals.


class Inbox:
    """The board's end of a battle's tray, which stores requests of devices and proposals.

    Attributes:
        fault: Reason why nothing can be stored, as another board that holds the tray; "" if there is none.
        state: State of the tray.
    """

    def __init__(self, save: Path, battle_id: str) -> None:
        self._save, self._battle_id = save, battle_id
        self._files = TrayFiles.from_save(save, battle_id)
        self._log = ProposalLog()
        self._write_lock = asyncio.Lock()
        # How many messages a link may still send at once, and when it sent the last, by the link's secret.
        self._budgets: dict[str, tuple[float, float]] = {}
        # Negative until the lock is tried.
        self._lock_tried_at = -LOCK_AGAIN_S
        self.fault = ""
        self.state = TrayState()

    def look(self, links: Links, battle_id: str) -> bool:
        """Take in changes of both files of the tray; lock the tray first if players may propose.

        If the battle in the save is another one, its tray is opened instead.

        Returns:
            True if the state of the tray is different; False while a message is written, because the writer
            itself updates the state.
        """
        if self._write_lock.locked():
            return False
        if battle_id != self._battle_id:
            self._files.close()
            self._files, self._battle_id = TrayFiles.from_save(self._save, battle_id), battle_id
            self._log, self._lock_tried_at = ProposalLog(), -LOCK_AGAIN_S
        # The lock is tried at once, and again after a pause if it was refused.
        lacks_lock = bool(self.fault) or self._lock_tried_at < 0
        has_paused = monotonic() > self._lock_tried_at + LOCK_AGAIN_S
        if links.propose and lacks_lock and has_paused:
            self._lock_tried_at = monotonic()
            self.fault = self._files.tray.lock(wait=0)
        state_before = self.state
        if self._files.look() and links.propose and not self.fault:
            self._files.tray.repair()
        if self._files.state != state_before:
            self.state = self._files.state
        return self.state is not state_before

    def find_acts(self, log: Sequence[LogAct]) -> Mapping[str, int]:
        """Return the acts of a log by the ids of the proposals that they came from."""
        return self._log.find_acts(log)

    def _admit(self, seat: Seat, message: _Posted | None) -> _Posted:
        """Check the token of a message and how often its link sends, and return the message.

        Raises:
            MessageRefused: The message is invalid, has a wrong token, or comes too soon.
        """
        if message is None or not compare_digest(compute_token(seat.secret), message.token):
            raise MessageRefused(404)
        # A message costs 1 of the link's budget, and each second gives `REFILL_A_SECOND` back.
        budget, last_at = self._budgets.get(seat.secret, (float(BURST), 0.0))
        budget = min(float(BURST), budget + (monotonic() - last_at) * REFILL_A_SECOND) - 1
        if budget < 0:
            raise MessageRefused(429, "too many at once: try again in a moment")
        self._budgets[seat.secret] = budget, monotonic()
        return message

    async def store_request(self, seat: Seat, data: bytes) -> tuple[str, str]:
        """Store the request of a device for a seat, unless it is stored already or the device is let in.

        Returns:
            The digest of the device's key, and the name of its stream.

        Raises:
            MessageRefused: The message is not admitted, or too many devices have asked for the seat.
        """
        message = self._admit(seat, read_posted(SeatRequest, data))
        device = compute_device_digest(message.device)
        async with self._write_lock:
            waiting_devices = self.state.list_devices(seat.id, message.token)
            if device != seat.device and device not in waiting_devices:
                if len(waiting_devices) >= DEVICES_MOST:
                    raise MessageRefused(429, "too many devices have asked for this link")
                await self._append(DeviceAsked(seat.id, device, message.token))
        return device, message.stream

    async def store_proposal(self, seat: Seat, data: bytes, work: SeatWork, acts: Mapping[str, int]) -> None:
        """Store a proposal, unless it is stored or entered already.

        Raises:
            MessageRefused: The device is not let in, another seat has used the id, or the proposal is refused
                or cannot be written.
        """
        message = self._admit(seat, read_posted(PostedProposal, data))
        if not (seat.device and compare_digest(seat.device, compute_device_digest(message.device))):
            raise MessageRefused(404)
        async with self._write_lock:
            stored = self.state.proposals.get(message.id)
            if stored is not None and stored.seat != seat.id:
                raise MessageRefused(404)
            if stored is None and message.id not in acts:
                # In a thread, because slower answers to others would reveal that a player declares.
                await self._append(await asyncio.to_thread(self._build_proposal, seat, message, work, acts))

    def _build_proposal(
        self, seat: Seat, message: PostedProposal, work: SeatWork, acts: Mapping[str, int]
    ) -> Proposal:
        """Build the proposal that a phone sent, if its seat may have one more.

        Raises:
            MessageRefused: It is refused, or too many proposals of the seat wait.
        """
        try:
            with report_meaningless_save(work.known.system):
                proposal = build_proposal(work, seat, message, self.state)
        except QfError as fault:
            # A phone shows fields, so the form for typing would only confuse.
            raise MessageRefused(400, str(fault).partition(" (form: ")[0]) from None
        proposals = self.state.proposals.values()
        seat_proposals = [each for each in proposals if (each.seat, each.round) == (seat.id, proposal.round)]
        if proposal.round:
            # All versions of a declaration count.
            is_full = len(seat_proposals) >= DECLARED_MOST
        else:
            # A single order counts only while it waits.
            states = (find_state(work.known, self.state, acts, each)[0] for each in seat_proposals)
            is_full = sum(state == WAITING for state in states) >= WAITING_MOST
        if is_full:
            raise MessageRefused(429, "too many of your proposals are with the umpire")
        return proposal

    async def _append(self, item: Proposal | DeviceAsked) -> None:
        """Append an item to the tray and update the state; `_write_lock` must be held.

        Raises:
            MessageRefused: The item cannot be written.
        """
        if self.fault:
            raise MessageRefused(503, self.fault)
        try:
            await asyncio.to_thread(self._files.tray.append, item)
        except TrayFault as fault:
            raise MessageRefused(503, str(fault)) from None
        self.state = self._files.state

    def close(self) -> None:
        """Release the tray for another board."""
        self._files.close()
