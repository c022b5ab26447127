"""The part of a player's page that is his own: what his ships owe and may do, and what he proposed.

Like `build_view`, it is made only of the knowledge of his side (`ViewerBattle`) and of the replies to him.
Two battles that differ only in facts unknown to him give the same page, numbers of acts included.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from itertools import chain, islice
from typing import Any

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
TOLD_MOST = 12  # as in outbox.js
"""Largest number of proposals sent to a phone, the latest."""
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
class RoundTold:
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
    """The things that a seat may do in the battle that it knows.

    Attributes:
        known: Part of the battle known to its side.
        ships: Ids of its ships.
        dice: Source of the dice: `TABLE`, `CONSOLE` or `SEALED`.
        owed: Questions by their handles.
        owes: The same questions as shown on the phone.
        may: Orders that may be given.
        outcomes: Cache of the effects of acts in words, by number.
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
class SeatTold:
    """Everything on a player's page that is his own, as it is sent.

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
    round: RoundTold | None
    proposals: tuple[Mapping[str, str], ...]


def build_seat_work(known: ViewerBattle, links: Links, seat: Seat, dice: str) -> SeatWork:
    """Work out what a seat may do; `dice` is the source of the dice."""
    ships = links.list_ships(seat, known.battle)
    owed = _find_owed(known, ships)
    owes = tuple(_build_owed_offer(known, handle, one, dice) for handle, one in owed.items())
    return SeatWork(known, ships, dice, owed, owes, tuple(_list_order_offers(known, ships, dice)))


def build_seat_told(
    work: SeatWork, links: Links, seat: Seat, state: TrayState, acts: Mapping[str, int]
) -> SeatTold:
    """Build the player's part of his page, except for the state of his device.

    Args:
        work: What the seat may do.
        links: Links of the battle.
        seat: Seat of the player.
        state: State of the tray.
        acts: Numbers of acts by the ids of the proposals that they came from.
    """
    known, battle = work.known, work.known.battle
    own = [each for each in state.proposals.values() if each.seat == seat.id]
    # Each phase keeps only the player's last declaration.
    stand = {
        round: state.find_declared(round).get(seat.id) for round in {each.round for each in own if each.round}
    }
    own = [each for each in own if stand.get(each.round, each) is each][-TOLD_MOST:]
    # Each order of a declaration is a proposal of its own once declarations are closed.
    orders = [order for each in own for order in state.split(each) or (each,)]
    return SeatTold(
        seat=seat.id,
        player=seat.name,
        side=seat.side,
        phase=known.system.phase_title(battle),
        turn=battle.turn,
        dice=work.dice,
        ships=tuple({"id": id, "name": battle.called(id)} for id in work.ships),
        owes=work.owes,
        may=work.may,
        round=build_round_told(links.list_seats(battle), state),
        proposals=tuple(_build_proposal_row(work, state, acts, each) for each in orders),
    )


# Owed rolls and answers.


def _find_owed(known: ViewerBattle, ships: tuple[str, ...]) -> dict[str, Owed]:
    """Return the questions that ships owe, by handles that reveal only known facts.

    Equal questions are told apart by the number of such questions answered in this phase, not by the number
    of an entry, which would be secret.
    """
    battle, seen = known.battle, _count_answered(known.timeline)
    found: dict[str, Owed] = {}
    for owed in battle.owed_in_order:
        if owed.ship in ships and owed.line != SCHEDULE and known.is_whole_known(battle.ships.get(owed.ship)):
            at = seen[owed.ship, owed.line]
            seen[owed.ship, owed.line] += 1
            # The needs are included, so that an answer to former needs does not count for changed ones.
            wants = [[(die.name, die.sides) for die in owed.dice], *map(str, find_needs(known, owed))]
            what = [battle.turn, battle.phase, owed.ship, owed.prompt, wants, owed.words, owed.faces, at]
            found[sha256(json.dumps(what).encode()).hexdigest()[:_HANDLE]] = owed
    return found


def _count_answered(timeline: Timeline) -> Counter[tuple[str, str]]:
    """Count the questions answered since the phase began, by ship and line."""
    count: Counter[tuple[str, str]] = Counter()
    for number in reversed(timeline.play_order):
        if timeline.is_phase_opener(number):
            break
        order = timeline.versions[number].order
        if order.is_answer and timeline.rulings[number].state is State.STANDS:
            count[order.question_key.ship, order.question_key.line] += 1
    return count


def _build_owed_offer(known: ViewerBattle, handle: str, owed: Owed, dice: str) -> OwedOffer:
    # Dice that the table does not throw are shown on the phone, but cannot be typed.
    faces = tuple(map(DieOffer.from_die, owed.dice))
    more = bool(faces) and dice == TABLE and _can_take_more(known, owed)
    name, needs = known.battle.called(owed.ship), tuple(map(str, find_needs(known, owed)))
    return OwedOffer(handle, name, owed.prompt, faces, more, needs, owed.words)


def _can_take_more(known: ViewerBattle, owed: Owed) -> bool:
    """Return whether a roll may take more dice than it asks for; True if that is not known."""
    if not known.at_once:
        return True
    return len(known.system.prepare_roll(known.battle, owed).dice) > len(owed.faces) + len(owed.dice)


# Orders that may be given.


def _list_order_offers(known: ViewerBattle, ships: tuple[str, ...], dice: str) -> Iterator[OrderOffer]:
    """Yield the orders that some of the ships may still be given in this phase, as their side knows."""
    system, battle = known.system, known.battle
    may = {one.ship: one for one in list_able_ships(system, battle) if one.ship in ships}
    for form in system.forms:
        if battle.phase not in form.phases or find_actor_slot(form) is None:
            continue
        doers = {id: one for id, one in may.items() if form.word in _list_words(system, battle, one)}
        if _is_free(system, form):
            doers = {id: Available(id, "") for id in ships if battle.ships[id].afloat}
        slots = _build_slot_offers(known, form, doers) if doers else None
        if slots is not None:
            faces = _find_dice(system, known.timeline.start, form) if dice == TABLE else ()
            more, several = form.has_variable_dice, form.slots[0].kind is kinds.SHIPS
            asked_for = tuple(map(DieOffer.from_die, faces[:1] if more else faces))
            yield OrderOffer(form.word, form.title, tuple(doers), slots, asked_for, several, more)


def _is_free(system: RuleSystem, form: Form) -> bool:
    """Return whether the rules do not say which ships may still be given an order, as for smoke.

    Such an order is offered to every ship afloat. Orders in which ships affect each other, and orders for
    several ships, are left to the umpire.
    """
    at = find_range_slot(form)
    counted = form.word[0].upper() in system.letters or (at is not None and not at.optional)
    return not (counted or form.mutual or form.slots[0].kind is kinds.SHIPS)


def _list_words(system: RuleSystem, battle: Battle, may: Available) -> set[str]:
    """Return the words of all orders that a ship may still be given; some are given only by their letters."""
    of_phase = (form.word for form in system.forms if battle.phase in form.phases)
    letters = may.letters.replace(may.order[:1].upper(), "")
    return {may.order, *(word for word, _ in may.ways), *(w for w in of_phase if w[0].upper() in letters)}


def find_actor_slot(form: Form) -> Slot | None:
    """Return the slot of the ship that is given the order, or None."""
    first = form.slots[0] if form.slots else None
    return first if first is not None and first.kind in (kinds.SHIP, kinds.SHIPS) else None


def _build_slot_offers(
    known: ViewerBattle, form: Form, doers: Mapping[str, Available]
) -> tuple[SlotOffer, ...] | None:
    """Return offers for the slots after the first, or None if a phone cannot fill a required one."""
    offers = []
    for slot in form.slots[1:]:
        offer = _build_slot_offer(known, form, slot, doers)
        if offer is not None:
            offers.append(offer)
        elif not slot.optional:
            return None
    return tuple(offers)


def _build_slot_offer(
    known: ViewerBattle, form: Form, slot: Slot, doers: Mapping[str, Available]
) -> SlotOffer | None:
    battle = known.battle

    def build_offer(kind: str, options: Pairs = (), **more: Any) -> SlotOffer:
        return SlotOffer(
            name=slot.name, title=slot.label, kind=kind, options=options, optional=slot.optional, **more
        )

    if slot.kind.is_flag:
        return build_offer("flag")
    if slot.kind in (kinds.SHIP, kinds.SHIPS):
        theirs = (
            ship for ship in battle.ships.values() if ship.side != known.viewer and not ship.is_off_table
        )
        options = tuple((ship.id, battle.called(ship.id)) for ship in theirs)
        return build_offer("ship" if slot.kind is kinds.SHIP else "ships", options)
    if slot.kind is kinds.SHARES:
        return build_offer("shares")
    if slot.kind is kinds.SIDE:
        return build_offer("choice", tuple((side.id, side.name) for side in battle.sides))
    if slot.kind is kinds.COUNT:
        return build_offer("number", least=slot.least, most=slot.most)
    if slot.kind is kinds.MEASURE:
        unit = slot.unit or Scope(build_vocabulary(known.system), battle).unit
        hint = "3" if slot.bare else f"24{unit}"
        options = tuple((word, word) for word in slot.choices)
        return build_offer(
            "text", options, hint=hint, known=_find_ranges(known, tuple(doers), slot) if slot.to else {}
        )
    if slot.kind in (kinds.CHOICE, kinds.WHOLE_WORD, kinds.NAME) and (slot.choices or slot.listed):
        own = {id: _list_choices(slot, battle.ships[id], may) for id, may in doers.items()}
        named = dict.fromkeys(word for words in own.values() for word in words)
        every = tuple(word for word in (slot.choices or named) if word in named)
        by = {id: words for id, words in own.items() if words != every}
        called = {word: slot.offered(battle, word) for word in every} if slot.offered is not None else {}
        return build_offer("choice", tuple((word, called.get(word) or word) for word in every), by=by)
    return None


def _list_choices(slot: Slot, ship: Ship, may: Available) -> tuple[str, ...]:
    """Return the choices that a ship still has: the ones that her words or letters name, or else all."""
    every = slot.choices or list_card_names(ship, slot.listed)
    ways = {words.get(slot.name) for _, words in may.ways}
    named = tuple(word for word in every if word in ways or word in may.what.split())
    if named or not slot.identifies:
        return named or every
    return tuple(word for word in every if word[0].upper() in may.letters) or every


def _find_ranges(known: ViewerBattle, ships: tuple[str, ...], slot: Slot) -> dict[str, str]:
    """Return ranges measured since the last movement, by pair of ships, the newest of each pair.

    Ranges measured by any side count, because a shot at a ship tells her the range.
    """
    timeline, found = known.timeline, dict[str, str]()
    for number in islice(reversed(timeline.play_order), SEARCHED_MOST):
        ended = [effect.field for effect in list_effects(timeline, number) if effect.op is Op.PHASE]
        if any(find_phase(known.system, phase).moves for phase in ended):
            break
        if timeline.rulings[number].state is not State.STANDS:
            continue
        one = find_measured_range(known.system, timeline.battle, timeline.versions[number].order)
        if one is None or one.stick or not (isinstance(one.value, Distance) or one.value in slot.choices):
            continue
        for mine in one.ships & frozenset(ships):
            (theirs,) = one.ships - {mine} or {mine}
            if known.battle.ships[theirs].side != known.viewer:
                found.setdefault(f"{mine}>{theirs}", str(one.value))
    return dict(sorted(found.items()))


def _find_dice(system: RuleSystem, start: Battle, form: Form) -> tuple[Die, ...]:
    """Return the dice that a form may take, worked out on the start of the battle.

    The present battle is not used, because it could reveal secrets.
    """
    began = replace(start, phase=form.phases[0])
    orders = chain.from_iterable(list_possible_orders(form, began, ship) for ship in start.ships.values())
    for order in islice(orders, _TRIED_MOST):
        with suppress(OrderRefused):
            if dice := system.prepare(began, order).dice:
                return dice
    return ()


# Results of proposals.


def build_round_told(seats: tuple[Seat, ...], state: TrayState) -> RoundTold | None:
    """Return the open declarations, or None if none are open."""
    opened = state.open_round
    if opened is None:
        return None
    who = state.split_declared({seat.id: seat.name for seat in seats})
    return RoundTold(True, format_round_name(state), opened.phase, *who)


def format_round_name(state: TrayState) -> str:
    """Return the sequence number of the open declarations as text, or "" if none are open.

    The number of an entry would reveal how many acts there are.
    """
    opened = state.open_round
    return f"{sum(isinstance(item, RoundOpened) for item in state.replies)}" if opened is not None else ""


def find_state(
    known: ViewerBattle, state: TrayState, acts: Mapping[str, int], proposal: Proposal
) -> tuple[str, int]:
    """Find the state of a proposal as far as its player may know.

    Returns:
        The state and the number of the act that it became; 0 if there is none, or he may not know it.
    """
    number, timeline = acts.get(proposal.id, 0), known.timeline
    if 0 < number <= len(timeline.log) and timeline.log[number - 1].extra.get(PROPOSAL) == proposal.id:
        return (IN if timeline.is_in_force(number) else UNDONE), number
    if proposal.id in state.sent_back:
        return BACK, 0
    # After the round is closed, only a declaration of no orders still has a round; there is nothing to enter.
    return (IN if proposal.round in state.closed else WAITING), 0


def _build_proposal_row(
    work: SeatWork, state: TrayState, acts: Mapping[str, int], proposal: Proposal
) -> Mapping[str, str]:
    """Format a proposal with its state, and its result or the reason why it was sent back."""
    became, number = find_state(work.known, state, acts, proposal)
    texts = [state.sent_back[proposal.id]] if became == BACK else []
    if became == IN and number:
        if number not in work.outcomes:
            work.outcomes[number] = format_known_outcome(work.known, number)
        texts = [_format_correction(work.known, proposal, number), work.outcomes[number]]
    told = JOINT.join(text for text in texts if text)
    return {"id": proposal.id, "text": format_proposal(work.known, proposal), "state": became, "told": told}


def _format_correction(known: ViewerBattle, proposal: Proposal, number: int) -> str:
    """Format the present order of an act if it is no longer the one proposed, or return ""."""
    act = known.timeline.log[number - 1]
    version = known.timeline.versions.get(find_brought_entry(act))
    if version is None:
        return ""
    order, dice = version.order, version.order.dice if proposal.dice else ()
    # The rules may store an answer with more words than the player gave.
    given = (*proposal.orders, *([act.version.order.resolved] if act.version else []))
    if order.resolved in given and dice == proposal.dice:
        return ""
    return f"corrected: {' '.join((_format_order(known, order), *map(str, dice)))}"


def format_known_outcome(known: ViewerBattle, number: int) -> str:
    """Format the known effects of an act, or return "" if it is not in force."""
    timeline = known.timeline
    brought = find_brought_entry(timeline.log[number - 1])
    if brought not in timeline.versions or timeline.rulings[brought].state is not State.STANDS:
        return ""
    before = timeline.battle_at(timeline.play_order.index(brought))
    entry = build_known_entry(
        known, brought, before, apply_ruling(before, brought, timeline.rulings[brought])
    )
    if entry is None:
        return ""
    return JOINT.join((*entry.events, *([entry.text] if entry.text else ())))


def format_proposal(known: ViewerBattle, proposal: Proposal) -> str:
    """Format a proposal in words, with its faces."""
    texts = []
    for line in proposal.orders:
        with suppress(QfError):
            texts.append(_format_order(known, read_stored_order(known.system, line)))
    none = "no orders" if proposal.round and not proposal.orders else ""
    return JOINT.join(text for text in (none, "; ".join(texts), " ".join(map(str, proposal.dice))) if text)


def _format_order(known: ViewerBattle, order: Order) -> str:
    timeline = known.timeline
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
