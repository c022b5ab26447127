"""Nothing leaks: battles that differ only in what a viewer may not know give the same bytes and events."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from attrs import evolve

from qf_tui.core.availability import list_able_ships
from qf_tui.core.decisions import Op, find_field_value
from qf_tui.core.schedule import SCHEDULE, list_standings
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry, State, Timeline, apply_ruling, build_timeline
from qf_tui.core.values import Battle, Mark, Order, Owed, Ship
from qf_tui.features.board.hub import Hub, ViewEvent, encode_view
from qf_tui.features.board.links import Links
from qf_tui.features.board.page import (
    EntryView,
    Sealing,
    ShipView,
    View,
)
from qf_tui.features.board.values import ALL, BoardSwitch, build_viewer_battle, cut_at_phase_start
from qf_tui.features.board.view import build_ship_view, build_view
from qf_tui.features.sealed_dice.seal import list_seal_texts, list_seal_words, read_seal
from qf_tui.features.sealed_dice.witness import Witnesses
from qf_tui.journal.codec import Header
from qf_tui.session import Session
from qf_tui.session.saves import Follower
from qf_tui.session.session import copy_to
from tests.core.playing import renumber
from tests.corrections.ground import Ground, Step, add_plan
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import MENDS, RARE_KINDS, Mending, take_step, try_order
from tests.features.sealed_dice.club import SEED, SYSTEMS, WORDS, SealedEvening, begin_club
from tests.journal.making import save_bytes

Key = tuple[object, ...]
Said = TypeVar("Said")
_KEPT: dict[tuple[str, int], tuple[object, object]] = {}
_MOST_KEPT = 20_000


def _compute_once(what: str, value: object, say: Callable[[], Said]) -> Said:
    """Compute the key of an immutable value once, as many battles share ships and charts.

    The cache holds the value too, so that no other value gets its id.
    """
    key = (what, id(value))
    if key not in _KEPT:
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[key] = (value, say())
    return _KEPT[key][1]  # type: ignore[return-value]  # the result of `say`


def build_side_key(system: RuleSystem, timeline: Timeline, viewer: str, turns: int) -> Key:
    """Build the key of everything that a side ("" for every viewer) may know under own-side.

    Entries count for the last `turns` turns.
    """
    battle = timeline.battle
    mine = [ship for ship in battle.ships.values() if ship.side == viewer]
    return (
        (battle.turn, battle.phase, system.phase_title(battle)),
        (list_standings(battle), system.ended(battle)),
        (
            repr(battle.table),
            repr(battle.options),
            _compute_once("charts", battle.charts, lambda: repr(battle.charts)),
        ),
        tuple(battle.ships),
        tuple(_build_log_key(ship) for ship in mine),
        tuple(_build_log_key(battle.start.ships[ship.id]) for ship in mine if ship.id in battle.start.ships),
        tuple(_build_seen_key(system, ship) for ship in battle.ships.values()),
        tuple(
            _build_owed_key(one) for one in battle.owed if _find_side(battle, one.ship) == viewer and one.ship
        ),
        tuple(one for one in list_able_ships(system, battle) if _find_side(battle, one.ship) == viewer),
        tuple(_list_remarks(timeline, viewer)),
        tuple(_list_heard(system, timeline, viewer, battle.turn - turns + 1)),
    )


def build_phase_key(timeline: Timeline) -> Key:
    """Build the key of the ended phases as every viewer may know them, with entries by place."""
    order = timeline.play_order
    ends = [place for place, number in enumerate(order, 1) if _is_phase_start(timeline, number)]
    known = order[: ends[-1] if ends else 0]
    cut = evolve(timeline, battle=timeline.battle_at(len(known)), play_order=tuple(known))
    rulings = [timeline.rulings[number] for number in known]
    orders = tuple(_strip_number(timeline.versions[number].order) for number in known)
    entered = tuple(timeline.log[number - 1] for number in known)
    return (
        orders,
        tuple((ruling.state, ruling.decision.reasons, ruling.decision.outcome) for ruling in rulings),
        tuple(act.version is timeline.versions[act.number] for act in entered),
        tuple(act.rulings.get(act.number) == timeline.rulings[act.number] for act in entered),
        renumber(cut, known),
    )


def _find_side(battle: Battle, ship: str) -> str:
    return battle.ships[ship].side if ship in battle.ships else ""


def _build_mark_key(mark: Mark) -> Key:
    return mark.kind, mark.text, mark.turn, mark.until, mark.lifted


def _build_log_key(ship: Ship) -> Key:
    """Build the key of a ship without the numbers in the names of its marks."""
    return _compute_once("log", ship, lambda: _compute_log_key(ship))


def _compute_log_key(ship: Ship) -> Key:
    log = tuple(sorted(ship.log.items(), key=str))
    card = tuple(sorted(ship.card.items(), key=str))
    return (
        ship.id,
        ship.name,
        ship.division,
        card,
        log,
        tuple(map(_build_mark_key, ship.marks)),
        ship.status,
        ship.edge,
    )


def _build_seen_key(system: RuleSystem, ship: Ship) -> Key:
    return _compute_once(system.name, ship, lambda: _compute_seen_key(system, ship))


def _compute_seen_key(system: RuleSystem, ship: Ship) -> Key:
    shown = [field.name for field in system.fields if field.seen]
    # By night any fire lights its ship (GQ2-NIT-3).
    burns = bool("lit" in shown and ship.live("fires"))
    return (
        ship.id,
        ship.name,
        ship.side,
        ship.status,
        burns,
        tuple(find_field_value(ship, name) for name in shown),
    )


def _build_owed_key(owed: Owed) -> Key:
    declared = owed.order.resolved if owed.order else ""
    return owed.line, owed.ship, owed.prompt, owed.dice, owed.words, declared, owed.faces


def _list_remarks(timeline: Timeline, viewer: str) -> Iterator[str]:
    for number in timeline.play_order:
        order = timeline.versions[number].order
        if order.word == "note":
            text = " ".join(order.list_texts("text"))
            if text.startswith("all:") or (viewer and text.startswith(f"{viewer}:")):
                yield text


def _is_phase_start(timeline: Timeline, number: int) -> bool:
    ruling = timeline.rulings[number]
    return ruling.state is State.STANDS and any(one.op is Op.PHASE for one in ruling.decision.effects)


def _strip_number(order: Order) -> str:
    """Return the line of an order without the entry number in its key."""
    return order.line.replace(order.key, order.key.partition("/")[2]) if order.key else order.line


def _list_heard(system: RuleSystem, timeline: Timeline, viewer: str, since: int) -> Iterator[Key]:
    """Yield the key of each entry that a viewer hears of."""
    before = timeline.start
    for number in timeline.play_order:
        ruling = timeline.rulings[number]
        after = apply_ruling(before, number, ruling)
        if ruling.state is State.STANDS and after.turn >= since:
            heard = _build_entry_key(system, timeline, number, before, after, viewer)
            if heard is not None:
                yield (before.turn, before.phase, *heard)
        before = after


def _build_entry_key(
    system: RuleSystem, timeline: Timeline, number: int, before: Battle, after: Battle, viewer: str
) -> Key | None:
    order = timeline.versions[number].order
    decision = timeline.rulings[number].decision
    seen = tuple(_build_seen_key(system, ship) for ship in before.ships.values())
    sees = tuple(_build_seen_key(system, ship) for ship in after.ships.values())
    own = tuple(_build_log_key(ship) for ship in before.ships.values() if ship.side == viewer)
    owns = tuple(_build_log_key(ship) for ship in after.ships.values() if ship.side == viewer)
    changed = (seen, sees, own, owns) if (seen, own) != (sees, owns) else ()
    owed = _find_question(timeline, number, order)
    if order.word == "next":
        return ("next", after.turn, after.phase, changed)
    if owed is not None and owed.line == SCHEDULE:
        return None
    declared = owed.order if owed is not None and owed.order is not None else order
    ships = [name for name in declared.names if name in before.ships]
    ships = [owed.ship] if owed is not None and owed.order is None else ships
    sides = [_find_side(before, ship) for ship in ships]
    if viewer and sides and sides[0] == viewer:
        why = decision.reasons if set(sides) == {viewer} else ()
        return ("did", _strip_number(order), owed.prompt if owed else "", why, changed)
    told = viewer in sides if viewer else set(sides) == {side.id for side in before.sides}
    if told and (owed is None or owed.order is not None):
        return ("heard", declared.without_dice.resolved, changed)
    return ("saw", changed) if changed else None


def _find_question(timeline: Timeline, number: int, order: Order) -> Owed | None:
    """Return the question that an answer was for, or None if the order is no answer."""
    if not order.is_answer:
        return None
    at = timeline.play_order.index(number)
    return timeline.battle_at(at).find_question(order.key) if at else timeline.start.find_question(order.key)


VIEWERS = (ALL, "blue", "red")
ALL_TURNS = 99
THROWS = 3
"""Number of latest throws that are repeated with other dice."""
HIDDEN = ("note the umpire looks up", "note red: hold your fire", "note blue: hold your fire")
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 40))]
grounds = pytest.mark.parametrize("ground", GROUNDS.values(), ids=list(GROUNDS))


class Chance:
    """Random steps on a ground, the same for the same seed; all faces of a step are equal."""

    def __init__(self, ground: Ground, seed: int) -> None:
        self.ground = ground
        self.random = Random(f"{ground.system.name} {seed}")

    def draw_step(self) -> Step:
        """Draw the next step."""
        one, other, word = (self.random.randrange(65) for _ in range(3))
        face = self.random.randint(1, self.ground.sides)
        return Step(self.random.choice(RARE_KINDS), one, other, word, (face, face, face))

    def draw_hidden_order(self) -> str:
        """Draw an order that at least one side need not hear of."""
        ship = self.random.choice((*self.ground.red, self.ground.blue[0]))
        return self.random.choice(
            (
                *HIDDEN,
                *(f"damage {ship} {code}" for code in self.ground.codes[:4]),
                *(f"mark {ship} {mark}" for mark in self.ground.marks),
            )
        )

    def rethrow_latest(self, timeline: Timeline) -> Iterator[Timeline]:
        """Yield the battle with other dice for each of its latest throws, other misses among them."""
        thrown = [number for number in timeline.play_order if timeline.versions[number].dice]
        for number in thrown[-THROWS:] * 3:
            dice = (self.random.randint(1, self.ground.sides) for _ in timeline.versions[number].dice)
            yield try_order(self.ground, timeline, f"amend {number} {' '.join(map(str, dice))}")

    def begin_battle(self) -> Timeline:
        """Begin a battle on the ground, now and then with a schedule."""
        start = self.ground.start(False)
        if self.random.random() < 0.3:
            start = add_plan(start, self.ground.late)
        return build_timeline(start, ())


def play_two_battles(
    ground: Ground, seed: int, steps: int, *, anew: bool
) -> Iterator[tuple[Timeline, Timeline]]:
    """Yield a battle, and the same with orders that not every side hears of, step by step.

    With `anew` the second parts from the first again at each such order.
    """
    chance = Chance(ground, seed)
    one = other = chance.begin_battle()
    for _ in range(steps):
        step = chance.draw_step()
        if chance.random.random() < 0.3:
            parts_from = one if anew else other
            other = try_order(ground, parts_from, chance.draw_hidden_order())
            yield one, other
        one, other = take_step(ground, one, step), take_step(ground, other, step)
        yield one, other
        if anew and step.kind == "next":
            yield from ((one, other) for other in chance.rethrow_latest(one))


def build_ship_pages(
    ground: Ground, timeline: Timeline, viewer: str, switch: BoardSwitch
) -> Iterator[tuple[ShipView | None, bytes]]:
    """Yield each ship page, known and sent, also of ships still to come."""
    for id in (*ground.blue, *ground.red):
        ship = build_ship_view(ground.system, timeline, viewer, switch, id)
        yield ship, encode_view(ship) if ship else b""


def build_page(ground: Ground, timeline: Timeline, viewer: str, switch: BoardSwitch) -> tuple[View, bytes]:
    """Return the view of a viewer, and its bytes."""
    known = build_view(ground.system, timeline, viewer, switch)
    return known, encode_view(known)


@grounds
@pytest.mark.parametrize(
    ("seed", "steps"), [(0, 12), *(pytest.param(seed, 14, marks=pytest.mark.long) for seed in range(40))]
)
def test_own_side_shows_only_what_a_side_may_know(ground: Ground, seed: int, steps: int) -> None:
    """Guard against a view that depends on an enemy's log, entry numbers, or orders unheard of."""
    system = ground.system
    shown: dict[object, tuple[View, bytes]] = {}
    ships: dict[object, list[tuple[ShipView | None, bytes]]] = {}
    pairs = list(play_two_battles(ground, seed, steps, anew=True))
    once = {id(timeline): timeline for pair in pairs for timeline in pair}
    unlike = 0
    for viewer in VIEWERS:
        known = {at: build_side_key(system, timeline, viewer, 2) for at, timeline in once.items()}
        for at, timeline in once.items():
            sent = build_page(ground, timeline, viewer, BoardSwitch.OWN_SIDE)
            assert shown.setdefault(known[at], sent) == sent
            key = build_side_key(system, timeline, viewer, ALL_TURNS)
            told = list(build_ship_pages(ground, timeline, viewer, BoardSwitch.OWN_SIDE))
            assert ships.setdefault((viewer, key), told) == told
        unlike += sum(
            known[id(one)] == known[id(other)] and one.battle != other.battle for one, other in pairs
        )
    assert unlike or seed


@grounds
@pytest.mark.parametrize("seed", SEEDS)
def test_battles_that_look_alike_to_a_viewer_send_the_same_events(ground: Ground, seed: int) -> None:
    """Guard against an event for an entry that the viewer does not hear of, and an id that counts entries."""
    battles = list(play_two_battles(ground, seed, 12, anew=False))
    for viewer in VIEWERS:
        keys: list[list[object]] = [[], []]
        sent: list[list[ViewEvent]] = [[], []]
        for pair in battles:
            for at, timeline in enumerate(pair):
                key = build_side_key(ground.system, timeline, viewer, 2)
                if not keys[at] or keys[at][-1] != key:
                    keys[at].append(key)
                event = ViewEvent(build_page(ground, timeline, viewer, BoardSwitch.OWN_SIDE)[1])
                if sent[at][-1:] != [event]:
                    sent[at].append(event)
            if keys[0] != keys[1]:
                break
            assert [event.id for event in sent[0]] == [event.id for event in sent[1]]


@grounds
@pytest.mark.parametrize(
    ("seed", "mends"), [(0, 2), *(pytest.param(seed, 4, marks=pytest.mark.long) for seed in range(40))]
)
def test_a_phase_is_shown_only_after_its_end(ground: Ground, seed: int, mends: int) -> None:
    """Guard against any part of the present phase: an order, roll, remark, correction or number."""
    chance = Chance(ground, seed)
    past = chance.begin_battle()
    for _ in range(12):
        past = take_step(ground, past, chance.draw_step())
    branches = [past, past, past]
    for at in (1, 2):
        for _ in range(at * 3):
            after = take_step(ground, branches[at], chance.draw_step())
            after = try_order(ground, after, chance.draw_hidden_order())
            if build_phase_key(after)[0] == build_phase_key(past)[0]:
                branches[at] = after
    _assert_alike(ground, branches)
    numbers = [number for number in past.play_order if number < past.battle.opened]
    if numbers:
        late = f"insert {chance.random.choice(numbers)} mark {ground.red[0]} {ground.marks[0]}"
        branches = [try_order(ground, branch, late) for branch in branches]
        _assert_alike(ground, branches)
    for _ in range(mends):
        places = chance.random.randrange(len(past.log) or 1), chance.random.randrange(65)
        mending = Mending(chance.random.choice(MENDS), *places, chance.draw_step())
        if past.log and mending.kind not in ("undo", "redo"):
            text = mending.write_line(ground, past)
            branches = [try_order(ground, branch, text) for branch in branches]
            _assert_alike(ground, branches)


def _assert_alike(ground: Ground, branches: list[Timeline]) -> None:
    """Check that battles look alike if they were alike as the phase began."""
    once = {id(branch): branch for branch in branches}.values()
    ended = [build_phase_key(branch) for branch in once]
    for viewer in VIEWERS:
        seen: list[tuple[object, object, object]] = []
        for branch, known in zip(once, ended, strict=True):
            data = build_page(ground, branch, viewer, BoardSwitch.PHASE_END)
            told = list(build_ship_pages(ground, branch, viewer, BoardSwitch.PHASE_END))
            seen.append(((known, list_remarks(branch, viewer)), data, told))
        for (one, *ours), (other, *theirs) in combinations(seen, 2):
            assert one != other or ours == theirs


def list_remarks(timeline: Timeline, viewer: str) -> tuple[str, ...]:
    """Return the remarks to a viewer up to the end of the last phase."""
    cut = cut_at_phase_start(timeline)
    return tuple(
        order.line
        for order in (cut.versions[number].order for number in cut.play_order)
        if order.word == "note" and viewer in order.line
    )


SECRET = "f" * 32


@grounds
@pytest.mark.parametrize("switch", BoardSwitch)
def test_an_extra_is_known_only_if_a_feature_lets_it_through(ground: Ground, switch: BoardSwitch) -> None:
    """Guard against extras of an act on a viewer's page, of known or unknown features."""
    timeline = next(play_two_battles(ground, 0, 8, anew=True))[0]
    extra = {"proposal": "anna", "nonce": SECRET, "unknown": SECRET}
    timeline = evolve(timeline, log=tuple(evolve(act, extra=extra) for act in timeline.log))
    for viewer in VIEWERS:
        known = build_viewer_battle(ground.system, timeline, viewer, switch).timeline
        assert {name for act in known.log for name in act.extra} <= {"proposal"}
        sent = build_page(ground, timeline, viewer, switch)[1]
        ships = (told for _, told in build_ship_pages(ground, timeline, viewer, switch))
        assert SECRET.encode() not in b"".join((sent, *ships))


NOUGHTS = "0" * 32


def add_bits(timeline: Timeline, bits: str) -> Timeline:
    """Return the battle with these bits at its phase ends, where a session has random ones."""
    log = (
        evolve(act, extra={"nonce": bits})
        if isinstance(act, Entry) and act.rulings[act.number].decision.begun_phase
        else act
        for act in timeline.log
    )
    return evolve(timeline, log=tuple(log))


def compute_witnesses(timeline: Timeline) -> list[str]:
    """Compute the witnesses of a log."""
    witnesses = Witnesses()
    witnesses.hash_lines(save_bytes(Header("1", "any", timeline.start), timeline.log))
    return [one.digest for one in witnesses.computed]


def guess_battles(sent: bytes, battles: Sequence[Timeline]) -> set[int]:
    """Return which battles a reader can confirm, who knows that the right one is among them.

    The reader tries every string of the sent bytes for the random bits.
    """
    known = set(re.findall(r"[0-9a-f]{32}", sent.decode()))
    return {
        at
        for at, battle in enumerate(battles)
        for bits in (NOUGHTS, *known)
        if compute_witnesses(add_bits(battle, bits))[-1] in known
    }


@grounds
@pytest.mark.parametrize("switch", [BoardSwitch.OWN_SIDE, BoardSwitch.PHASE_END])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_witness_reveals_no_hidden_line(ground: Ground, switch: BoardSwitch, seed: int) -> None:
    """Guard against a witness that the lines alone determine, and random bits on a page.

    With known bits the reader does find the hidden line.
    """
    chance = Chance(ground, seed)
    begun = chance.begin_battle()
    for _ in range(4):
        begun = take_step(ground, begun, chance.draw_step())
    nothing, something = begun, begun
    while something.log == nothing.log:
        something = try_order(ground, nothing, chance.draw_hidden_order())
    battles = [try_order(ground, battle, "force next") for battle in (nothing, something)]
    assert battles[0].battle.opened != nothing.battle.opened
    secret = f"{chance.random.getrandbits(128):032x}"
    for at, viewer, bits in product((0, 1), VIEWERS, (secret, NOUGHTS)):
        timeline = add_bits(battles[at], bits)
        parts = [data for _, data in build_ship_pages(ground, timeline, viewer, switch)]
        sent = build_page(ground, timeline, viewer, switch)[1] + b"".join(parts)
        witnesses = " ".join(compute_witnesses(timeline)).encode()
        assert guess_battles(sent + witnesses, battles) == ({at} if bits == NOUGHTS else set())


AT_ONCE, OWN_SIDE, PHASE_END = BoardSwitch.AT_ONCE, BoardSwitch.OWN_SIDE, BoardSwitch.PHASE_END
SHOT = "fire iwate heavy rossiya medium call 37"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    begun = begin_club(tmp_path / "sealed.qfb")
    begun.enter("next")
    return begun


def build_seen(session: Session, viewer: str = ALL, switch: BoardSwitch = AT_ONCE) -> View:
    sealing = Sealing(list_seal_texts(session.extra), True)
    return build_view(session.system, session.timeline, viewer, switch, sealing)


def find_last(session: Session, viewer: str, switch: BoardSwitch = AT_ONCE) -> EntryView:
    told = build_seen(session, viewer, switch).last
    assert told is not None
    return told


def test_a_throw_is_shown_with_its_call(session: Session) -> None:
    """Guard against faces without their call, which every reader needs to check them."""
    session.enter(SHOT)
    told = find_last(session, ALL)
    assert (told.call, told.dice) == ("37", session.timeline.versions[told.number].dice)
    assert told.dice
    own, others = find_last(session, "japan", OWN_SIDE), find_last(session, "russia", OWN_SIDE)
    assert (own.call, own.dice) == ("37", told.dice)
    assert (others.call, others.dice) == ("37", ()), "who shot at them saw the open dice too"
    session.enter("undo")
    assert find_last(session, ALL).call == "37"


@pytest.mark.parametrize(("viewer", "switch"), list(product((ALL, "japan", "russia"), BoardSwitch)))
def test_every_viewer_sees_the_seal_and_none_the_seed(
    session: Session, viewer: str, switch: BoardSwitch
) -> None:
    """Guard against a seed on a page or a ship's page before the umpire reveals it."""
    SealedEvening(session, 7).play(1)
    made = build_seen(session, viewer, switch)
    assert made.sealing.calls
    seal = read_seal(session.extra)
    assert seal is not None
    assert f"seal: {' '.join(list_seal_words(seal.digest))}" in made.sealing.lines
    assert any(word in line for line in made.sealing.lines for word in WORDS)
    ships = (
        build_ship_view(session.system, session.timeline, viewer, switch, id) for id in session.battle.ships
    )
    for data in (encode_view(made), *(encode_view(ship) for ship in ships if ship)):
        assert SEED.hex().encode() not in data.lower()
        assert SEED not in data


def test_a_call_is_asked_for_until_the_seed_is_revealed(session: Session) -> None:
    """Guard against a call after the last throw; under phase-end the change shows as the phase ends."""
    before = build_seen(session, ALL, PHASE_END)
    session.enter("reveal")
    assert not build_seen(session).sealing.calls
    assert build_seen(session, ALL, PHASE_END) == before
    session.enter("next")
    assert not build_seen(session, ALL, PHASE_END).sealing.calls
    session.enter("strike 2")
    assert not build_seen(session).sealing.calls


def test_a_board_reads_from_the_save_whether_dice_are_called(session: Session, tmp_path: Path) -> None:
    """Guard against a board that opens the seed file, and a copy that asks for calls."""
    path = session.journal.path
    assert path is not None
    copy = copy_to(session, str(tmp_path / "copy.qfb"))
    (tmp_path / "sealed.qfb.seed").write_text("nothing that could be read", encoding="utf-8")
    for save, calls in ((path, True), (copy, False)):
        shown = Hub(Follower(save, SYSTEMS), Links()).build_page(ALL)
        assert shown is not None
        event = shown[1]
        assert (b'"calls":true' in event.data) == calls
        assert b'"seal: ' in event.data
    assert not Hub(Follower(copy, SYSTEMS), Links()).lost
