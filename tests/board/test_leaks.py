"""Nothing leaks: battles that differ only in what a viewer may not know are the same bytes and events."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from qf_tui.board.hub import ViewEvent, encoded
from qf_tui.board.values import ALL, BoardSwitch, as_phase_began
from qf_tui.board.view import ship_view, view
from qf_tui.core.timeline import Timeline, opened
from tests.board.may_know import own_side, phase_end
from tests.corrections.ground import Ground, Step, scheduled
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import MENDS, RARE_KINDS, Mending, taken, tried

VIEWERS = (ALL, "blue", "red")
ALL_TURNS = 99
THROWS = 3
"""Throws whose dice are tried otherwise."""
HIDDEN = ("note the umpire looks up", "note red: hold your fire", "note blue: hold your fire")
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 40))]
grounds = pytest.mark.parametrize("ground", GROUNDS.values(), ids=list(GROUNDS))


class Chance:
    """Steps by chance on a ground, the same for the same seed; the faces of a step are all alike."""

    def __init__(self, ground: Ground, seed: int) -> None:
        self.ground = ground
        self.random = Random(f"{ground.system.name} {seed}")

    def step(self) -> Step:
        """What somebody does next."""
        one, other, word = (self.random.randrange(65) for _ in range(3))
        face = self.random.randint(1, self.ground.sides)
        return Step(self.random.choice(RARE_KINDS), one, other, word, (face, face, face))

    def hidden(self) -> str:
        """An order that one side, or both, need not hear of."""
        ship = self.random.choice((*self.ground.red, self.ground.blue[0]))
        return self.random.choice(
            (
                *HIDDEN,
                *(f"damage {ship} {code}" for code in self.ground.codes[:4]),
                *(f"mark {ship} {mark}" for mark in self.ground.marks),
            )
        )

    def thrown_otherwise(self, timeline: Timeline) -> Iterator[Timeline]:
        """The battle with other dice for each of its latest throws: misses that miss otherwise, too."""
        thrown = [number for number in timeline.play_order if timeline.versions[number].dice]
        for number in thrown[-THROWS:] * 3:
            dice = (self.random.randint(1, self.ground.sides) for _ in timeline.versions[number].dice)
            yield tried(self.ground, timeline, f"amend {number} {' '.join(map(str, dice))}")

    def begun(self) -> Timeline:
        """A battle of theirs, with a schedule at times."""
        start = self.ground.start(False)
        if self.random.random() < 0.3:
            start = scheduled(start, self.ground.late)
        return opened(start, ())


def two_battles(ground: Ground, seed: int, steps: int, *, anew: bool) -> Iterator[tuple[Timeline, Timeline]]:
    """A battle, and the same but for orders that somebody does not hear of, step by step.

    With `anew` they part from the same battle again and again.
    """
    chance = Chance(ground, seed)
    one = other = chance.begun()
    for _ in range(steps):
        step = chance.step()
        if chance.random.random() < 0.3:
            parts_from = one if anew else other
            other = tried(ground, parts_from, chance.hidden())
            yield one, other
        one, other = taken(ground, one, step), taken(ground, other, step)
        yield one, other
        if anew and step.kind == "next":
            yield from ((one, other) for other in chance.thrown_otherwise(one))


def pages(ground: Ground, timeline: Timeline, viewer: str, switch: BoardSwitch) -> Iterator[bytes]:
    """All that a viewer can ask for of ships, ship by ship, those to come among them."""
    for id in (*ground.blue, *ground.red):
        found = ship_view(ground.system, timeline, viewer, switch, id)
        yield encoded(found) if found else b""


@grounds
@pytest.mark.parametrize(
    ("seed", "steps"), [(0, 12), *(pytest.param(seed, 14, marks=pytest.mark.long) for seed in range(40))]
)
def test_own_side_shows_nothing_but_what_a_side_may_know(ground: Ground, seed: int, steps: int) -> None:
    """Catches a view that hangs on an enemy's log, on numbers of entries, or on orders unheard of."""
    system = ground.system
    shown: dict[object, bytes] = {}
    ships: dict[object, list[bytes]] = {}
    pairs = list(two_battles(ground, seed, steps, anew=True))
    once = {id(timeline): timeline for pair in pairs for timeline in pair}
    unlike = 0
    for viewer in VIEWERS:
        known = {at: own_side(system, timeline, viewer, 2) for at, timeline in once.items()}
        for at, timeline in once.items():
            data = encoded(view(system, timeline, viewer, BoardSwitch.OWN_SIDE))
            assert shown.setdefault(known[at], data) == data
            key = own_side(system, timeline, viewer, ALL_TURNS)
            told = list(pages(ground, timeline, viewer, BoardSwitch.OWN_SIDE))
            assert ships.setdefault((viewer, key), told) == told
        unlike += sum(
            known[id(one)] == known[id(other)] and one.battle != other.battle for one, other in pairs
        )
    assert unlike or seed


@grounds
@pytest.mark.parametrize("seed", SEEDS)
def test_battles_that_are_known_alike_send_the_same_events(ground: Ground, seed: int) -> None:
    """Catches an event for an entry that the viewer does not hear of, and an id that counts entries."""
    battles = list(two_battles(ground, seed, 12, anew=False))
    for viewer in VIEWERS:
        keys: list[list[object]] = [[], []]
        sent: list[list[ViewEvent]] = [[], []]
        for pair in battles:
            for at, timeline in enumerate(pair):
                key = own_side(ground.system, timeline, viewer, 2)
                if not keys[at] or keys[at][-1] != key:
                    keys[at].append(key)
                event = ViewEvent(encoded(view(ground.system, timeline, viewer, BoardSwitch.OWN_SIDE)))
                if sent[at][-1:] != [event]:
                    sent[at].append(event)
            if keys[0] != keys[1]:
                break
            assert [event.id for event in sent[0]] == [event.id for event in sent[1]]


@grounds
@pytest.mark.parametrize(
    ("seed", "mends"), [(0, 2), *(pytest.param(seed, 4, marks=pytest.mark.long) for seed in range(40))]
)
def test_a_phase_is_told_when_it_has_ended(ground: Ground, seed: int, mends: int) -> None:
    """Catches anything of the present phase: an order, a roll, a remark, a correction, a number."""
    chance = Chance(ground, seed)
    past = chance.begun()
    for _ in range(12):
        past = taken(ground, past, chance.step())
    branches = [past, past, past]
    for at in (1, 2):
        for _ in range(at * 3):
            after = taken(ground, branches[at], chance.step())
            after = tried(ground, after, chance.hidden())
            if phase_end(after)[0] == phase_end(past)[0]:
                branches[at] = after
    _alike(ground, branches)
    numbers = [number for number in past.play_order if number < past.battle.opened]
    if numbers:
        late = f"insert {chance.random.choice(numbers)} mark {ground.red[0]} {ground.marks[0]}"
        branches = [tried(ground, branch, late) for branch in branches]
        _alike(ground, branches)
    for _ in range(mends):
        places = chance.random.randrange(len(past.log) or 1), chance.random.randrange(65)
        mending = Mending(chance.random.choice(MENDS), *places, chance.step())
        if past.log and mending.kind not in ("undo", "redo"):
            text = mending.text(ground, past)
            branches = [tried(ground, branch, text) for branch in branches]
            _alike(ground, branches)


def _alike(ground: Ground, branches: list[Timeline]) -> None:
    """Battles that were alike as the phase began look alike."""
    once = {id(branch): branch for branch in branches}.values()
    ended = [phase_end(branch) for branch in once]
    for viewer in VIEWERS:
        seen: list[tuple[object, bytes, list[bytes]]] = []
        for branch, known in zip(once, ended, strict=True):
            data = encoded(view(ground.system, branch, viewer, BoardSwitch.PHASE_END))
            told = list(pages(ground, branch, viewer, BoardSwitch.PHASE_END))
            seen.append(((known, remarks_to(branch, viewer)), data, told))
        for (one, data, told), (other, others, theirs) in combinations(seen, 2):
            assert one != other or (data == others and told == theirs)


def remarks_to(timeline: Timeline, viewer: str) -> tuple[str, ...]:
    """The remarks to a viewer up to the end of the last phase."""
    cut = as_phase_began(timeline)
    return tuple(
        order.line
        for order in (cut.versions[number].order for number in cut.play_order)
        if order.word == "note" and viewer in order.line
    )
