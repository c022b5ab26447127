"""Nothing leaks to players' links: battles that differ in the hidden alone tell and answer them the same."""

import re
from collections.abc import Iterator
from random import Random

import pytest
from attrs import evolve

from qf_tui.core.availability import list_able_ships
from qf_tui.core.errors import QfError
from qf_tui.core.timeline import Entry, Timeline, build_timeline
from qf_tui.core.values import Battle
from qf_tui.features.board.hub import encode_view
from qf_tui.features.board.inbox import PostedOrder, PostedProposal, build_proposal
from qf_tui.features.board.links import Links, Seat
from qf_tui.features.board.seats import (
    TABLE,
    SeatWork,
    SlotOffer,
    build_seat_told,
    build_seat_work,
    find_actor_slot,
)
from qf_tui.features.board.tray_files import (
    Proposal,
    ReplyItem,
    RoundClosed,
    RoundOpened,
    Saw,
    SentBack,
    TrayState,
)
from qf_tui.features.board.values import BoardSwitch, build_viewer_battle
from tests.corrections.ground import Ground
from tests.corrections.random_battles import take_step, try_order
from tests.features.board.test_leaks import (
    ALL_TURNS,
    SEEDS,
    Chance,
    Key,
    grounds,
    own_side,
    phase_end,
    two_battles,
)
from tests.systems import load_start

PHONES = 6
"""Things that a phone tries in each battle."""
_NUMBER = re.compile(r"\b\d+/")


def seats_of(battle: Battle) -> Links:
    """A seat for each side, and one more for a ship of blue that was handed to somebody."""
    links = Links(propose=True).add_seats(battle)
    other = Seat("blue.zoe", "blue", "Zoe", secret="Z" * 16)
    first = next(ship.id for ship in battle.ships.values() if ship.side == "blue")
    return evolve(links, seats=(*links.seats, other)).hand_ship(first, other.id)


def own_acts(links: Links, seat: Seat, timeline: Timeline) -> Iterator[Entry]:
    """The entries of a seat's ships, in force or not, as they were entered."""
    ships = links.list_ships(seat, timeline.battle)
    for act in timeline.log:
        if isinstance(act, Entry):
            order = act.version.order
            actor = find_actor_slot(order.form)
            doers = order.list_texts(actor.name) if actor is not None else (order.question_key.ship,)
            if set(doers) <= set(ships):
                yield act


def proposed(links: Links, seat: Seat, timeline: Timeline) -> tuple[Timeline, list[Proposal]]:
    """A battle whose entries of a seat's ships it proposed, each by an id that says which of them it is."""
    acts = {act.number: f"{at:032x}" for at, act in enumerate(own_acts(links, seat, timeline))}
    log = [
        evolve(act, extra={"proposal": acts[act.number]} if act.number in acts else {})
        for act in timeline.log
    ]
    made = []
    for number, id in acts.items():
        act = timeline.log[number - 1]
        assert isinstance(act, Entry)
        order = act.version.order
        made.append(Proposal(id, seat.id, seat.name, (order.resolved,), order.dice))
    return evolve(timeline, log=tuple(log)), made


def tray_of(links: Links, proposals: list[Proposal], chance: Random) -> TrayState:
    """A tray of those, of others that wait or were sent back, and of declarations of all seats."""
    asked = [
        Proposal(f"{at:032x}", seat.id, seat.name, ("next",), (3,), saw=Saw("1d6"))
        for at, seat in enumerate(links.seats, 1 << 64)
    ]
    declared = [
        Proposal(f"{at:032x}", seat.id, seat.name, ("next",) * chance.randint(0, 4), round="1/a/0")
        for at, seat in enumerate(links.seats, 1 << 65)
        if chance.random() < 0.5
    ]
    replies: list[ReplyItem] = [RoundOpened("1/a/0", "A phase")]
    replies += [SentBack(each.id, "no") for each in asked if chance.random() < 0.5]
    if chance.random() < 0.3:
        replies.append(RoundClosed("1/a/0", tuple(each.id for each in declared)))
    return TrayState((*proposals, *asked, *declared), tuple(replies))


def tries(work: SeatWork, ships: list[str], seed: int) -> Iterator[PostedProposal]:
    """What a phone tries: orders that it is offered, others too, and answers to what is owed."""
    chance = Random(seed)
    for at in range(PHONES):
        dice = tuple(chance.randint(0, 12) for _ in range(chance.randint(0, 3)))
        id, round = f"{at:032x}", chance.choice(("", "1"))
        if at % 3 == 0:
            words = tuple(chance.choice(("yes", "none", "1", "speed")) for _ in range(chance.randint(0, 1)))
            handle = chance.choice([*work.owed, "0" * 16])
            yield PostedProposal("", "", id, handle=handle, words=words, dice=dice)
        else:
            orders = (_offered(work, chance) if at % 3 == 1 and work.may else _wild(work, ships, chance),)
            yield PostedProposal("", "", id, orders=orders, round=round, dice=() if round else dice)


TEXTS = ("1", "2in", "long", "heavy", "12-inch", "x")


def _offered(work: SeatWork, chance: Random) -> PostedOrder:
    """An order as it is offered."""
    offer = chance.choice(work.may)
    slots = {
        slot.name: chance.choice([word for word, _ in slot.options] or [*TEXTS[:2], "3"])
        for slot in offer.slots
        if not slot.optional or chance.random() < 0.1
    }
    return (offer.word, chance.choice(offer.ships), slots)


def _wild(work: SeatWork, ships: list[str], chance: Random) -> PostedOrder:
    """An order of any ship, offered or not."""
    form = chance.choice([form for form in work.known.system.forms if find_actor_slot(form) is not None])
    slots = {
        slot.name: chance.choice((*slot.choices, *TEXTS, *ships))
        for slot in form.slots[1:]
        if chance.random() < (0.3 if slot.optional else 0.95)
    }
    return (form.word, chance.choice(ships), slots)


def answered(work: SeatWork, seat: Seat, sent: PostedProposal, state: TrayState) -> Key:
    """What a phone is answered, and what the tray then says of it, but for numbers of entries."""
    try:
        made = build_proposal(work, seat, sent, state)
    except QfError as fault:
        return ("refused", str(fault))
    return (tuple(_NUMBER.sub("", line) for line in made.orders), made.dice, made.saw)


def heard(
    ground: Ground, timeline: Timeline, seat: str, switch: BoardSwitch, seed: int, *more: Proposal
) -> Key:
    """All that a seat is told and answered in a battle; with `more` that it proposed besides."""
    links = seats_of(timeline.start)
    own = next(each for each in links.seats if each.id == seat)
    timeline, proposals = proposed(links, own, timeline)
    every = {each.id: each for each in (*more, *proposals)}
    state = tray_of(links, list(every.values()), Random(seed))
    known = build_viewer_battle(ground.system, timeline, own.side, switch)
    work = build_seat_work(known, links, own, TABLE)
    acts = {str(act.extra["proposal"]): act.number for act in timeline.log if act.extra}
    told = encode_view(build_seat_told(work, links, own, state, acts))
    ships = [*ground.blue, *ground.red]
    return told, tuple(answered(work, own, sent, state) for sent in tries(work, ships, seed))


def entered(timeline: Timeline, seat: str) -> Key:
    """What a player knows besides his side's page: which of his own orders were entered, and which count."""
    links = seats_of(timeline.start)
    own = next(each for each in links.seats if each.id == seat)
    acts = own_acts(links, own, timeline)
    return tuple((_NUMBER.sub("", act.version.order.line), timeline.is_in_force(act.number)) for act in acts)


SEATS = ("blue.blue", "blue.zoe", "red.red")


@grounds
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_offered_can_be_filled_in_and_all_who_may_act_are(ground: Ground, seed: int) -> None:
    """Catches a form that no phone can fill in, and a ship that its player cannot order."""
    chance = Chance(ground, seed)
    timeline = chance.begun()
    for _ in range(16):
        timeline = take_step(ground, timeline, chance.step())
        links = seats_of(timeline.start)
        for seat in links.seats:
            known = build_viewer_battle(ground.system, timeline, seat.side, BoardSwitch.OWN_SIDE)
            work = build_seat_work(known, links, seat, TABLE)
            offered = {ship for offer in work.may for ship in offer.ships}
            may = {one.ship for one in list_able_ships(ground.system, known.battle)}
            assert may & set(work.ships) <= offered
            for offer in work.may:
                ship = chance.random.choice(offer.ships)
                filled = {slot.name: _filling(slot, ship) for slot in offer.slots if not slot.optional}
                sent = PostedProposal("", "", "0" * 32, orders=((offer.word, ship, filled),))
                (line,) = build_proposal(work, seat, sent, TrayState()).orders
                assert line.startswith(f"{offer.word} {ship}")


def _filling(slot: SlotOffer, ship: str) -> str:
    """What a slot of an order may hold, as its offer says."""
    if slot.options:
        return slot.by.get(ship, [word for word, _ in slot.options])[0]
    return slot.hint or str(slot.least)


@grounds
@pytest.mark.parametrize("seed", SEEDS)
def test_own_side_tells_a_player_no_more_than_his_side_knows(ground: Ground, seed: int) -> None:
    """Catches a form, a range, a need, a refusal or a state that hangs on an enemy's log, or on a number."""
    pairs = list(two_battles(ground, seed, 12, anew=True))
    once = {id(timeline): timeline for pair in pairs for timeline in pair}
    for seat in SEATS:
        shown: dict[object, Key] = {}
        for timeline in once.values():
            key = (
                own_side(ground.system, timeline, seat.partition(".")[0], ALL_TURNS),
                entered(timeline, seat),
            )
            said = heard(ground, timeline, seat, BoardSwitch.OWN_SIDE, seed)
            assert shown.setdefault(key, said) == said


@grounds
@pytest.mark.parametrize("seed", SEEDS)
def test_phase_end_tells_a_player_nothing_of_the_present_phase(ground: Ground, seed: int) -> None:
    """Catches a roll, an entry or a correction of the present phase; also in what is refused."""
    chance = Chance(ground, seed)
    past = chance.begun()
    for _ in range(12):
        past = take_step(ground, past, chance.step())
    branches = [past, past]
    for _ in range(6):
        after = try_order(ground, take_step(ground, branches[1], chance.step()), chance.hidden())
        if phase_end(after)[0] == phase_end(past)[0]:
            branches[1] = after
    if phase_end(branches[0]) == phase_end(branches[1]):
        for seat in SEATS:
            links = seats_of(past.start)
            own = next(each for each in links.seats if each.id == seat)
            # What he proposed in the present phase waits, as far as he knows.
            _, made = proposed(links, own, branches[1])
            first, second = (
                heard(ground, each, seat, BoardSwitch.PHASE_END, seed, *made) for each in branches
            )
            assert first == second


def test_declarations_of_others_are_all_alike() -> None:
    """Whatever they hold, and however often they are changed, others are sent the same bytes."""
    system, battle = load_start("yellow-sea-1904")

    links = Links(propose=True).add_seats(battle)
    timeline = build_timeline(battle, ())
    anna, ben = links.seats[:2]
    round = RoundOpened("1/movement/0", "Movement")
    said = set()
    for lines in ((), ("move mikasa 3",), ("move mikasa 3", "move fuji 4"), ("move mikasa 3",) * 20):
        for changed in range(3):
            made = [
                Proposal(f"{at:032x}", anna.id, "Anna", lines, remark="x" * at, round=round.round)
                for at in range(changed + 1)
            ]
            state = TrayState(tuple(made), (round,))
            for switch in BoardSwitch:
                known = build_viewer_battle(system, timeline, ben.side, switch)
                work = build_seat_work(known, links, ben, TABLE)
                said.add((switch, encode_view(build_seat_told(work, links, ben, state, {}))))
    assert len(said) == len(BoardSwitch)
