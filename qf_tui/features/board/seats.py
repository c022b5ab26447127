"""A player's part of his page: the rolls that his ships owe, the orders he may give, and what he proposed.

Like `build_view`, it is made only of what his side knows (`ViewerBattle`) and of the replies to him.
Two battles that differ only in facts unknown to him give the same page, numbers of acts included.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from hashlib import sha256
from itertools import chain, islice

from attrs import field, frozen

from qf_tui.core.availability import SEARCHED_MOST, find_measured_range, find_range_slot, list_able_ships
from qf_tui.core.builtin_forms import build_vocabulary, list_forms
from qf_tui.core.decisions import Op
from qf_tui.core.declarations import Available
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import Scope, list_card_names
from qf_tui.core.grammar.reader import read_resolved
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.system import RuleSystem, find_phase, list_possible_orders
from qf_tui.core.text import Distance
from qf_tui.core.timeline import State, Timeline, apply_ruling, find_brought_entry
from qf_tui.core.values import Battle, Die, Form, Order, Owed, Ship, Slot, replace
from qf_tui.document.acts import find_question, list_ship_names
from qf_tui.document.words import JOINT, OrderFacts, format_order_or_answer
from qf_tui.features.board import PROPOSAL
from qf_tui.features.board.links import Links, Seat
from qf_tui.features.board.tray_files import Proposal, RoundOpened, TrayState
from qf_tui.features.board.values import ViewerBattle, list_effects
from qf_tui.features.board.view import build_known_entry, find_needs

WAITING, IN, BACK, UNDONE = "waiting", "in", "back", "undone"
"""States of a proposal."""
TABLE, CONSOLE, SEALED = "table", "console", "sealed"
"""Sources of dice; only dice of the table are typed on a phone."""
PROPOSALS_MOST = 12  # `TOLD_MOST` in outbox.js
"""Largest number of proposals sent to a phone; the latest are sent."""
_TRIED_MOST = 40
"""Largest number of orders tried to learn the dice of a form."""
_HANDLE = 16

Pairs = tuple[tuple[str, str], ...]


@frozen
class DieOffer:
    """A die to type: its name, least face and greatest face."""

    name: str
    least: int
    most: int

    @classmethod
    def from_die(cls, die: Die) -> "DieOffer":
        """Build the offer of a die."""
        return cls(die.name, die.least, die.most)


@frozen(kw_only=True)
class SlotOffer:
    """A slot of an order, as a phone fills it.

    Attributes:
        name: Name of the slot.
        title: Title of the slot.
        kind: Type of field: "ship", "ships", "choice", "number", "text", "flag" or "shares" (typed text).
        options: Values to choose from, each with its text.
        optional: True if the slot may stay empty.
        hint: Example of a value, or "".
        least: Least number.
        most: Greatest number.
        by: Options of each ship that does not have all `options`.
        known: Ranges measured since the ships moved, by `mine>theirs`.
    """

    name: str
    title: str
    kind: str
    options: Pairs = ()
    optional: bool = False
    hint: str = ""
    least: int = 0
    most: int = 0
    by: Mapping[str, tuple[str, ...]] = field(factory=dict)
    known: Mapping[str, str] = field(factory=dict)


@frozen
class OrderOffer:
    """An order that the player may give now.

    Attributes:
        word: Word of the order.
        title: Title of the order.
        ships: Ids of ships that may be given the order.
        slots: Slots to fill.
        dice: Dice to type.
        several: True if the order can name several ships.
        more: True if the number of dice depends on ship and order; then `dice` has only the first.
    """

    word: str
    title: str
    ships: tuple[str, ...]
    slots: tuple[SlotOffer, ...]
    dice: tuple[DieOffer, ...]
    several: bool = False
    more: bool = False


@frozen
class OwedOffer:
    """A roll or an answer that a ship owes.

    Attributes:
        handle: Handle of the question.
        ship: Name of the ship.
        text: Question.
        dice: Dice to throw.
        more: True if it may take more dice.
        needs: Faces that bring each result.
        words: Words to choose from.
    """

    handle: str
    ship: str
    text: str
    dice: tuple[DieOffer, ...]
    more: bool
    needs: tuple[str, ...]
    words: tuple[str, ...]


@frozen
class RoundContent:
    """The open declarations, as players see them; no declared order is shown.

    Attributes:
        open: Always True.
        key: Name of the round.
        phase: Title of the phase.
        declared: Names of players who have declared.
        missing: Names of players who have not.
    """

    open: bool
    key: str
    phase: str
    declared: tuple[str, ...]
    missing: tuple[str, ...]


@frozen
class SeatWork:
    """The rolls and orders that a player may enter now, in the battle that his side knows.

    Attributes:
        known: Part of the battle known to its side.
        ships: Ids of its ships.
        dice: Source of the dice: `TABLE`, `CONSOLE` or `SEALED`.
        owed: Questions that its ships owe, by handle.
        owes: The same questions as shown on the phone.
        may: Orders that its ships may be given.
        outcomes: Cache: the known effects of an act in words, by number of the act.
    """

    known: ViewerBattle
    ships: tuple[str, ...]
    dice: str
    owed: Mapping[str, Owed]
    owes: tuple[OwedOffer, ...]
    may: tuple[OrderOffer, ...]
    outcomes: dict[int, str] = field(factory=dict, eq=False)

    @property
    def phase(self) -> str:
        """The key of the present phase."""
        return f"{self.known.battle.turn}/{self.known.system.phase_title(self.known.battle)}"


@frozen(kw_only=True)
class SeatContent:
    """The player's part of his page, as it is sent.

    Attributes:
        seat: Id of the seat.
        player: Name of the player.
        side: Id of his side.
        phase: Title of the phase.
        turn: Turn shown.
        device: State of this device: "none", "waiting", "in", or "other" if another device is let in.
        code: Code of this device, to compare by eye.
        dice: Source of the dice: `TABLE`, `CONSOLE` or `SEALED`.
        ships: Ids and names of his ships.
        owes: Rolls and answers that they owe.
        may: Orders that they may be given.
        round: Open declarations, or None.
        proposals: Latest proposals, each with its state and result.
    """

    seat: str
    player: str
    side: str
    phase: str
    turn: int
    device: str = ""
    code: str = ""
    dice: str
    ships: tuple[Mapping[str, str], ...]
    owes: tuple[OwedOffer, ...]
    may: tuple[OrderOffer, ...]
    round: RoundContent | None
    proposals: tuple[Mapping[str, str], ...]


def build_seat_work(known: ViewerBattle, links: Links, seat: Seat, dice: str) -> SeatWork:
    """Work out what a seat may do; `dice` is the source of the dice."""
    ships = links.list_ships(seat, known.battle)
    owed_by_handle = _find_owed(known, ships)
    offers = tuple(_build_owed_offer(known, handle, owed, dice) for handle, owed in owed_by_handle.items())
    return SeatWork(known, ships, dice, owed_by_handle, offers, tuple(_list_order_offers(known, ships, dice)))


def build_seat_content(
    work: SeatWork, links: Links, seat: Seat, state: TrayState, acts: Mapping[str, int]
) -> SeatContent:
    """Build the player's part of his page, except for the state of his device.

    `acts` are the numbers of acts by the ids of the proposals that they came from.
    """
    known, battle = work.known, work.known.battle
    return SeatContent(
        seat=seat.id,
        player=seat.name,
        side=seat.side,
        phase=known.system.phase_title(battle),
        turn=battle.turn,
        dice=work.dice,
        ships=tuple({"id": id, "name": battle.called(id)} for id in work.ships),
        owes=work.owes,
        may=work.may,
        round=build_round_content(links.list_seats(battle), state),
        proposals=tuple(
            _build_proposal_row(work, state, acts, proposal)
            for proposal in _list_latest_proposals(state, seat.id)
        ),
    )


def _list_latest_proposals(state: TrayState, seat: str) -> list[Proposal]:
    """Return the latest proposals of a seat; of each round, only the last declaration.

    After the round has closed, each order of a declaration is listed separately. A declaration without orders
    is listed itself.
    """
    proposals = [proposal for proposal in state.proposals.values() if proposal.seat == seat]
    last_declarations = {
        round: state.find_declared(round).get(seat)
        for round in {proposal.round for proposal in proposals if proposal.round}
    }
    latest = [
        proposal
        for proposal in proposals
        if not proposal.round or proposal is last_declarations[proposal.round]
    ][-PROPOSALS_MOST:]
    return [order for proposal in latest for order in state.split(proposal) or (proposal,)]


# Owed rolls and answers.


def _find_owed(known: ViewerBattle, ships: tuple[str, ...]) -> dict[str, Owed]:
    """Return the questions that ships owe, by handle; a handle reveals only known facts.

    The handles of equal questions differ by the count of equal questions before them in this phase. The
    number of the entry would tell them apart too, but it is secret.
    """
    battle, counts = known.battle, _count_answered(known.timeline)
    owed_by_handle: dict[str, Owed] = {}
    for owed in battle.owed_in_order:
        if owed.ship in ships and owed.line != SCHEDULE and known.is_whole_known(battle.ships.get(owed.ship)):
            place = counts[owed.ship, owed.line]
            counts[owed.ship, owed.line] += 1
            # The needs are included, so that an answer to former needs does not count for changed ones.
            dice_and_needs = [
                [(die.name, die.sides) for die in owed.dice],
                *map(str, find_needs(known, owed)),
            ]
            identity = [
                battle.turn,
                battle.phase,
                owed.ship,
                owed.prompt,
                dice_and_needs,
                owed.words,
                owed.faces,
                place,
            ]
            owed_by_handle[sha256(json.dumps(identity).encode()).hexdigest()[:_HANDLE]] = owed
    return owed_by_handle


def _count_answered(timeline: Timeline) -> Counter[tuple[str, str]]:
    """Count the questions answered since the phase began, by ship and line."""
    counts: Counter[tuple[str, str]] = Counter()
    for number in reversed(timeline.play_order):
        if timeline.is_phase_opener(number):
            break
        order = timeline.versions[number].order
        if order.is_answer and timeline.rulings[number].state is State.STANDS:
            counts[order.question_key.ship, order.question_key.line] += 1
    return counts


def _build_owed_offer(known: ViewerBattle, handle: str, owed: Owed, dice_source: str) -> OwedOffer:
    """Build what a phone shows of a question; `dice_source` is TABLE, CONSOLE or SEALED."""
    # The phone always shows the dice. Faces are typed there only if the table throws, so only then more dice.
    die_offers = tuple(map(DieOffer.from_die, owed.dice))
    can_take_more_dice = bool(die_offers) and dice_source == TABLE and _can_take_more_dice(known, owed)
    name = known.battle.called(owed.ship)
    needs = tuple(map(str, find_needs(known, owed)))
    return OwedOffer(handle, name, owed.prompt, die_offers, can_take_more_dice, needs, owed.words)


def _can_take_more_dice(known: ViewerBattle, owed: Owed) -> bool:
    """Return whether a roll may take more dice than it asks for; True if the player may not know it."""
    if not known.at_once:
        return True
    return len(known.system.prepare_roll(known.battle, owed).dice) > len(owed.faces) + len(owed.dice)


# Orders that may be given.


def _list_order_offers(known: ViewerBattle, ships: tuple[str, ...], dice: str) -> Iterator[OrderOffer]:
    """Yield the orders that some of the ships may still be given in this phase, as far as their side knows.

    A form is left out if a phone cannot fill a required slot. `dice` is the source of the dice.
    """
    system, battle = known.system, known.battle
    available_by_ship = {
        available.ship: available for available in list_able_ships(system, battle) if available.ship in ships
    }
    for form in system.forms:
        if battle.phase not in form.phases or find_actor_slot(form) is None:
            continue
        able_ships = {
            id: available
            for id, available in available_by_ship.items()
            if form.word in _list_words(system, battle, available)
        }
        # `list_able_ships` leaves out orders that the rules do not count. Every ship afloat may have them.
        if _is_uncounted(system, form):
            able_ships = {id: Available(id, what="") for id in ships if battle.ships[id].afloat}
        slots = _build_slot_offers(known, form, able_ships) if able_ships else None
        if slots is not None:
            typed_dice = _find_dice(system, known.timeline.start, form) if dice == TABLE else ()
            if form.has_variable_dice:
                # The phone repeats the field of the first die.
                typed_dice = typed_dice[:1]
            yield OrderOffer(
                form.word,
                form.title,
                tuple(able_ships),
                slots,
                tuple(map(DieOffer.from_die, typed_dice)),
                several=form.slots[0].kind is kinds.SHIPS,
                more=form.has_variable_dice,
            )


def _is_uncounted(system: RuleSystem, form: Form) -> bool:
    """Return whether an order, such as smoke, may be offered to every ship afloat.

    The rules count which ships can still be given an order with one of their letters. Other orders may be
    offered unless they need a range, may harm their own ship, or are for several.
    """
    range_slot = find_range_slot(form)
    has_letter = form.word[0].upper() in system.letters
    needs_range = range_slot is not None and not range_slot.optional
    is_for_several = form.slots[0].kind is kinds.SHIPS
    return not (has_letter or needs_range or form.mutual or is_for_several)


def _list_words(system: RuleSystem, battle: Battle, available: Available) -> set[str]:
    """Return the words of all orders that a ship may still be given.

    The rules name some of these orders only by letters; a word counts if it begins with one.
    """
    phase_words = (form.word for form in system.forms if battle.phase in form.phases)
    # The letter of `available.order` means only that order, not others that begin with it.
    letters = available.letters.replace(available.order[:1].upper(), "")
    words_by_letter = (word for word in phase_words if word[0].upper() in letters)
    return {available.order, *(word for word, _ in available.ways), *words_by_letter}


def find_actor_slot(form: Form) -> Slot | None:
    """Return the slot of the ship that is given the order, or None."""
    first_slot = form.slots[0] if form.slots else None
    return first_slot if first_slot is not None and first_slot.kind in (kinds.SHIP, kinds.SHIPS) else None


def _build_slot_offers(
    known: ViewerBattle, form: Form, able_ships: Mapping[str, Available]
) -> tuple[SlotOffer, ...] | None:
    """Build the offers for all slots but the ship's; None if a phone cannot fill a required slot."""
    offers = []
    for slot in form.slots[1:]:
        offer = _build_slot_offer(known, form, slot, able_ships)
        if offer is not None:
            offers.append(offer)
        elif not slot.optional:
            return None
    return tuple(offers)


def _build_slot_offer(
    known: ViewerBattle, form: Form, slot: Slot, able_ships: Mapping[str, Available]
) -> SlotOffer | None:
    """Build the offer of a slot, or return None if a phone cannot fill slots of this kind."""
    battle = known.battle
    build_offer = partial(SlotOffer, name=slot.name, title=slot.label, optional=slot.optional)
    if slot.kind.is_flag:
        return build_offer(kind="flag")
    if slot.kind in (kinds.SHIP, kinds.SHIPS):
        enemies = (
            ship for ship in battle.ships.values() if ship.side != known.viewer and not ship.is_off_table
        )
        options = tuple((ship.id, battle.called(ship.id)) for ship in enemies)
        return build_offer(kind="ship" if slot.kind is kinds.SHIP else "ships", options=options)
    if slot.kind is kinds.SHARES:
        return build_offer(kind="shares")
    if slot.kind is kinds.SIDE:
        return build_offer(kind="choice", options=tuple((side.id, side.name) for side in battle.sides))
    if slot.kind is kinds.COUNT:
        return build_offer(kind="number", least=slot.least, most=slot.most)
    if slot.kind is kinds.MEASURE:
        unit = slot.unit or Scope(build_vocabulary(known.system), battle).unit
        return build_offer(
            kind="text",
            options=tuple((word, word) for word in slot.choices),
            hint="3" if slot.bare else f"24{unit}",
            known=_find_ranges(known, tuple(able_ships), slot) if slot.to else {},
        )
    if slot.kind in (kinds.CHOICE, kinds.WHOLE_WORD, kinds.NAME) and (slot.choices or slot.listed):
        choices_by_ship = {
            id: _list_choices(slot, battle.ships[id], available) for id, available in able_ships.items()
        }
        choices = _join_choices(slot, choices_by_ship)
        titles = {word: slot.offered(battle, word) for word in choices} if slot.offered is not None else {}
        return build_offer(
            kind="choice",
            options=tuple((word, titles.get(word) or word) for word in choices),
            by={id: words for id, words in choices_by_ship.items() if words != choices},
        )
    return None


def _join_choices(slot: Slot, choices_by_ship: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the choices that any ship has, each once, in the order of the slot if it has one."""
    words = dict.fromkeys(word for choices in choices_by_ship.values() for word in choices)
    return tuple(word for word in slot.choices if word in words) if slot.choices else tuple(words)


def _list_choices(slot: Slot, ship: Ship, available: Available) -> tuple[str, ...]:
    """Return the choices that a ship still has: the ones named by `available`, or all if it names none.

    The letters of `available` name choices only in a slot that identifies the order.
    """
    all_choices = slot.choices or list_card_names(ship, slot.listed)
    slot_values = {words.get(slot.name) for _, words in available.ways}
    named_choices = tuple(
        word for word in all_choices if word in slot_values or word in available.what.split()
    )
    if slot.identifies and not named_choices:
        named_choices = tuple(word for word in all_choices if word[0].upper() in available.letters)
    return named_choices or all_choices


def _find_ranges(known: ViewerBattle, ships: tuple[str, ...], slot: Slot) -> dict[str, str]:
    """Return ranges measured since the last movement phase began, by `mine>theirs`, the newest of each pair.

    Ranges measured by any side count, because a shot at a ship tells her the range.
    """
    timeline, ranges = known.timeline, dict[str, str]()
    for number in islice(reversed(timeline.play_order), SEARCHED_MOST):
        begun_phases = [effect.field for effect in list_effects(timeline, number) if effect.op is Op.PHASE]
        if any(find_phase(known.system, phase).moves for phase in begun_phases):
            break
        if timeline.rulings[number].state is not State.STANDS:
            continue
        measured = find_measured_range(known.system, timeline.battle, timeline.versions[number].order)
        if measured is None or measured.stick:
            continue
        can_slot_take = isinstance(measured.value, Distance) or measured.value in slot.choices
        if not can_slot_take:
            continue
        for mine in measured.ships & frozenset(ships):
            # There is one other ship at most.
            for theirs in measured.ships - {mine}:
                if known.battle.ships[theirs].side != known.viewer:
                    ranges.setdefault(f"{mine}>{theirs}", str(measured.value))
    return dict(sorted(ranges.items()))


def _find_dice(system: RuleSystem, start: Battle, form: Form) -> tuple[Die, ...]:
    """Return the dice that a form takes at the start of the battle, or () if no order tried takes any.

    The present battle is not used, because it could reveal secrets.
    """
    phase_start = replace(start, phase=form.phases[0])
    orders = chain.from_iterable(
        list_possible_orders(form, phase_start, ship) for ship in start.ships.values()
    )
    for order in islice(orders, _TRIED_MOST):
        with suppress(OrderRefused):
            if dice := system.prepare(phase_start, order).dice:
                return dice
    return ()


# Results of proposals.


def build_round_content(seats: tuple[Seat, ...], state: TrayState) -> RoundContent | None:
    """Return the open declarations, or None if none are open."""
    open_round = state.open_round
    if open_round is None:
        return None
    declared, missing = state.split_declared({seat.id: seat.name for seat in seats})
    return RoundContent(
        open=True,
        key=format_round_name(state),
        phase=open_round.phase,
        declared=declared,
        missing=missing,
    )


def format_round_name(state: TrayState) -> str:
    """Return which of all rounds is open (1, 2, ...), as text; "" if none is open.

    The key of the round is no name for players: it contains the number of an entry, which would reveal how
    many acts there are.
    """
    open_round = state.open_round
    return f"{sum(isinstance(item, RoundOpened) for item in state.replies)}" if open_round is not None else ""


def find_state(
    known: ViewerBattle, state: TrayState, acts: Mapping[str, int], proposal: Proposal
) -> tuple[str, int]:
    """Find the state of a proposal as far as its player may know.

    Returns:
        The state, and the number of the act that the proposal became. The number is 0 if there is no act, or
        the player may not know it.
    """
    number = acts.get(proposal.id, 0)
    timeline = known.timeline
    # An act that the player does not know yet is missing in his log, or an empty note there.
    if 0 < number <= len(timeline.log) and timeline.log[number - 1].extra.get(PROPOSAL) == proposal.id:
        return (IN if timeline.is_in_force(number) else UNDONE), number
    if proposal.id in state.sent_back:
        return BACK, 0
    # A declaration without orders has nothing to enter, so it is in as soon as its round is closed.
    return (IN if proposal.round in state.closed else WAITING), 0


def _build_proposal_row(
    work: SeatWork, state: TrayState, acts: Mapping[str, int], proposal: Proposal
) -> Mapping[str, str]:
    """Format a proposal with its state, and with its result or the reason why it was sent back."""
    state_name, number = find_state(work.known, state, acts, proposal)
    texts = [state.sent_back[proposal.id]] if state_name == BACK else []
    if state_name == IN and number:
        if number not in work.outcomes:
            work.outcomes[number] = format_known_outcome(work.known, number)
        texts = [_format_correction(work.known, proposal, number), work.outcomes[number]]
    result = JOINT.join(text for text in texts if text)
    return {
        "id": proposal.id,
        "text": format_proposal(work.known, proposal),
        "state": state_name,
        "told": result,
    }


def _format_correction(known: ViewerBattle, proposal: Proposal, number: int) -> str:
    """Format the word `corrected:` and the order that the act of a proposal has now.

    Args:
        known: The part of the battle that the player's side knows.
        number: Number of that act.

    Returns:
        The text, or "" if the order has not changed, or is no longer in the battle.
    """
    act = known.timeline.log[number - 1]
    version = known.timeline.versions.get(find_brought_entry(act))
    if version is None:
        return ""
    order = version.order
    # Dice thrown after the proposal are no correction.
    dice = order.dice if proposal.dice else ()
    # The order as it first entered counts as proposed: the rules may have added words to an answer.
    proposed_orders = (*proposal.orders, *([act.version.order.resolved] if act.version else []))
    if order.resolved in proposed_orders and dice == proposal.dice:
        return ""
    return f"corrected: {' '.join((_format_order(known, order), *map(str, dice)))}"


def format_known_outcome(known: ViewerBattle, number: int) -> str:
    """Format the known effects of an act, or return "" if it is not in force or has no known effect."""
    timeline = known.timeline
    entry_number = find_brought_entry(timeline.log[number - 1])
    if entry_number not in timeline.versions or timeline.rulings[entry_number].state is not State.STANDS:
        return ""
    before = timeline.battle_at(timeline.play_order.index(entry_number))
    entry = build_known_entry(
        known, entry_number, before, apply_ruling(before, entry_number, timeline.rulings[entry_number])
    )
    if entry is None:
        return ""
    return JOINT.join((*entry.events, *([entry.text] if entry.text else ())))


def format_proposal(known: ViewerBattle, proposal: Proposal) -> str:
    """Format the orders of a proposal in words, with its faces; lines that are no orders are left out."""
    texts = []
    for line in proposal.orders:
        with suppress(QfError):
            texts.append(_format_order(known, read_stored_order(known.system, line)))
    no_orders = "no orders" if proposal.round and not proposal.orders else ""
    return JOINT.join(
        text for text in (no_orders, "; ".join(texts), " ".join(map(str, proposal.dice))) if text
    )


def _format_order(known: ViewerBattle, order: Order) -> str:
    """Format an order in words; an answer with the question that it answers."""
    timeline = known.timeline
    # Any entry so far may have asked the question, so search before the next entry.
    owed = find_question(timeline, timeline.next_number, order.key) if order.is_answer else None
    names = {} if order.is_answer else list_ship_names(known.battle, order)
    return format_order_or_answer(OrderFacts(order, names, owed.prompt if owed else order.word))


@lru_cache(maxsize=4096)
def read_stored_order(system: RuleSystem, line: str) -> Order:
    """Read the order in a stored line of a proposal.

    Raises:
        OrderRefused: The line is no order.
    """
    return read_resolved(line, list_forms(system))
