"""Nothing leaks to players' links: battles that differ only in hidden facts send and answer the same."""

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
    build_seat_content,
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
    build_phase_key,
    build_side_key,
    grounds,
    play_two_battles,
)
from tests.systems import load_start

PHONES = 6
"""Number of posts that a phone tries in each battle."""
_NUMBER = re.compile(r"\b\d+/")


def build_links(battle: Battle) -> Links:
    """Build links with a seat for each side, and one more that holds a ship of blue."""
    links = Links(propose=True).add_seats(battle)
    other = Seat("blue.zoe", "blue", "Zoe", secret="Z" * 16)
    first = next(ship.id for ship in battle.ships.values() if ship.side == "blue")
    return evolve(links, seats=(*links.seats, other)).hand_ship(first, other.id)


def list_own_acts(links: Links, seat: Seat, timeline: Timeline) -> Iterator[Entry]:
    """Yield the entries of a seat's ships, in force or not, in the order of entry."""
    ships = links.list_ships(seat, timeline.battle)
    for act in timeline.log:
        if isinstance(act, Entry):
            order = act.version.order
            actor = find_actor_slot(order.form)
            doers = order.list_texts(actor.name) if actor is not None else (order.question_key.ship,)
            if set(doers) <= set(ships):
                yield act


def add_proposals(links: Links, seat: Seat, timeline: Timeline) -> tuple[Timeline, list[Proposal]]:
    """Mark the entries of a seat's ships as proposed by it, and return the proposals too."""
    acts = {act.number: f"{at:032x}" for at, act in enumerate(list_own_acts(links, seat, timeline))}
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


def build_tray(links: Links, proposals: list[Proposal], chance: Random) -> TrayState:
    """Build a tray of these proposals, of others that wait or were sent back, and of declarations."""
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


def list_tries(work: SeatWork, ships: list[str], seed: int) -> Iterator[PostedProposal]:
    """Yield a phone's posts: orders that it is offered, other orders, and answers to owed rolls."""
    chance = Random(seed)
    for at in range(PHONES):
        dice = tuple(chance.randint(0, 12) for _ in range(chance.randint(0, 3)))
        id, round = f"{at:032x}", chance.choice(("", "1"))
        if at % 3 == 0:
            words = tuple(chance.choice(("yes", "none", "1", "speed")) for _ in range(chance.randint(0, 1)))
            handle = chance.choice([*work.owed, "0" * 16])
            yield PostedProposal("", "", id, handle=handle, words=words, dice=dice)
        else:
            orders = (
                _draw_offered_order(work, chance)
                if at % 3 == 1 and work.may
                else _draw_any_order(work, ships, chance),
            )
            yield PostedProposal("", "", id, orders=orders, round=round, dice=() if round else dice)


TEXTS = ("1", "2in", "long", "heavy", "12-inch", "x")


def _draw_offered_order(work: SeatWork, chance: Random) -> PostedOrder:
    """Draw an order that the seat is offered."""
    offer = chance.choice(work.may)
    slots = {
        slot.name: chance.choice([word for word, _ in slot.options] or [*TEXTS[:2], "3"])
        for slot in offer.slots
        if not slot.optional or chance.random() < 0.1
    }
    return (offer.word, chance.choice(offer.ships), slots)


def _draw_any_order(work: SeatWork, ships: list[str], chance: Random) -> PostedOrder:
    """Draw an order of any ship, offered or not."""
    form = chance.choice([form for form in work.known.system.forms if find_actor_slot(form) is not None])
    slots = {
        slot.name: chance.choice((*slot.choices, *TEXTS, *ships))
        for slot in form.slots[1:]
        if chance.random() < (0.3 if slot.optional else 0.95)
    }
    return (form.word, chance.choice(ships), slots)


def check_post(work: SeatWork, seat: Seat, sent: PostedProposal, state: TrayState) -> Key:
    """Return the answer to a phone's post, without numbers of entries."""
    try:
        made = build_proposal(work, seat, sent, state)
    except QfError as fault:
        return ("refused", str(fault))
    return (tuple(_NUMBER.sub("", line) for line in made.orders), made.dice, made.saw)


def collect_answers(
    ground: Ground, timeline: Timeline, seat: str, switch: BoardSwitch, seed: int, *more: Proposal
) -> Key:
    """Return what a seat is sent and answered; `more` are further proposals of the seat."""
    links = build_links(timeline.start)
    own = next(each for each in links.seats if each.id == seat)
    timeline, proposals = add_proposals(links, own, timeline)
    every = {each.id: each for each in (*more, *proposals)}
    state = build_tray(links, list(every.values()), Random(seed))
    known = build_viewer_battle(ground.system, timeline, own.side, switch)
    work = build_seat_work(known, links, own, TABLE)
    acts = {str(act.extra["proposal"]): act.number for act in timeline.log if act.extra}
    told = encode_view(build_seat_content(work, links, own, state, acts))
    ships = [*ground.blue, *ground.red]
    return told, tuple(check_post(work, own, sent, state) for sent in list_tries(work, ships, seed))


def list_entered(timeline: Timeline, seat: str) -> Key:
    """Return a player's own orders that were entered, and whether each counts."""
    links = build_links(timeline.start)
    own = next(each for each in links.seats if each.id == seat)
    acts = list_own_acts(links, own, timeline)
    return tuple((_NUMBER.sub("", act.version.order.line), timeline.is_in_force(act.number)) for act in acts)


SEATS = ("blue.blue", "blue.zoe", "red.red")


@grounds
@pytest.mark.parametrize("seed", SEEDS)
def test_every_ship_that_may_act_is_offered_orders_that_can_be_filled_in(ground: Ground, seed: int) -> None:
    """Guard against a form that no phone can fill in, and a ship that its player cannot order."""
    chance = Chance(ground, seed)
    timeline = chance.begin_battle()
    for _ in range(16):
        timeline = take_step(ground, timeline, chance.draw_step())
        links = build_links(timeline.start)
        for seat in links.seats:
            known = build_viewer_battle(ground.system, timeline, seat.side, BoardSwitch.OWN_SIDE)
            work = build_seat_work(known, links, seat, TABLE)
            offered = {ship for offer in work.may for ship in offer.ships}
            may = {one.ship for one in list_able_ships(ground.system, known.battle)}
            assert may & set(work.ships) <= offered
            for offer in work.may:
                ship = chance.random.choice(offer.ships)
                filled = {slot.name: _fill_slot(slot, ship) for slot in offer.slots if not slot.optional}
                sent = PostedProposal("", "", "0" * 32, orders=((offer.word, ship, filled),))
                (line,) = build_proposal(work, seat, sent, TrayState()).orders
                assert line.startswith(f"{offer.word} {ship}")


def _fill_slot(slot: SlotOffer, ship: str) -> str:
    """Return a value that the offer of a slot allows."""
    if slot.options:
        return slot.by.get(ship, [word for word, _ in slot.options])[0]
    return slot.hint or str(slot.least)


@grounds
@pytest.mark.parametrize("seed", SEEDS)
def test_own_side_shows_a_player_only_what_his_side_knows(ground: Ground, seed: int) -> None:
    """Guard against a form, range, need, refusal or state that depends on an enemy's log or a number."""
    pairs = list(play_two_battles(ground, seed, 12, anew=True))
    once = {id(timeline): timeline for pair in pairs for timeline in pair}
    for seat in SEATS:
        shown: dict[object, Key] = {}
        for timeline in once.values():
            key = (
                build_side_key(ground.system, timeline, seat.partition(".")[0], ALL_TURNS),
                list_entered(timeline, seat),
            )
            said = collect_answers(ground, timeline, seat, BoardSwitch.OWN_SIDE, seed)
            assert shown.setdefault(key, said) == said


@grounds
@pytest.mark.parametrize("seed", SEEDS)
def test_phase_end_shows_a_player_nothing_of_the_present_phase(ground: Ground, seed: int) -> None:
    """Guard against a roll, an entry or a correction of the present phase, also in a refusal."""
    chance = Chance(ground, seed)
    past = chance.begin_battle()
    for _ in range(12):
        past = take_step(ground, past, chance.draw_step())
    branches = [past, past]
    for _ in range(6):
        after = try_order(
            ground, take_step(ground, branches[1], chance.draw_step()), chance.draw_hidden_order()
        )
        if build_phase_key(after)[0] == build_phase_key(past)[0]:
            branches[1] = after
    if build_phase_key(branches[0]) == build_phase_key(branches[1]):
        for seat in SEATS:
            links = build_links(past.start)
            own = next(each for each in links.seats if each.id == seat)
            # His proposals in the present phase still wait, as far as he knows.
            _, made = add_proposals(links, own, branches[1])
            first, second = (
                collect_answers(ground, each, seat, BoardSwitch.PHASE_END, seed, *made) for each in branches
            )
            assert first == second


def test_declarations_of_others_all_look_the_same() -> None:
    """Send others the same bytes, whatever the orders are and however often they change."""
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
                said.add((switch, encode_view(build_seat_content(work, links, ben, state, {}))))
    assert len(said) == len(BoardSwitch)
