"""A ship is listed as able to act exactly if the rules accept such an order."""

from contextlib import suppress
from random import Random

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.availability import build_range_book, list_able_ships, list_ships_in_reach
from qf_tui.core.errors import OrderRefused
from qf_tui.core.system import DISTANCES, RuleSystem, list_possible_orders
from qf_tui.core.timeline import Timeline, build_timeline
from qf_tui.core.values import Battle, Order, Ship
from qf_tui.session import Session
from tests.corrections.ground import Ground, Step
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import RARE_KINDS, map_face, take_step
from tests.rules.gq2 import tables as gq2
from tests.rules.playing import enter, refusal
from tests.session.test_growth import count_calls
from tests.systems import load_start

GROUND = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)


@frozen
class Claim:
    """An order that a ship may be listed for: its word and, where it matters, the value of a slot."""

    word: str
    slot: str = ""
    value: str = ""

    def fits(self, order: Order) -> bool:
        return not self.slot or order.slots.get(self.slot) == self.value


def _read_letters(what: str) -> set[Claim]:
    """Read the letters of the Quickfire games: one for each battery and for torpedoes."""
    guns = {Claim("fire", "battery", name) for name in ("heavy", "light") if name[0].upper() in what}
    return guns | ({Claim("torpedo")} if "T" in what else set())


def list_listed(system: RuleSystem, battle: Battle, ship: Ship) -> set[Claim]:
    """List the claims that a ship is listed for; only the table knows who owes a wander check."""
    found = next((one for one in system.may_act(battle) if one.ship == ship.id), None)
    if found is None:
        return set()
    if found.order in ("fire", "torpedo") and system.name != "gq2":
        return _read_letters(found.what)
    if found.order == "fire":
        return {Claim("fire", "battery", name) for name in found.what.split()}
    if found.order == "repair" and system.name != "quickfire-clone":
        return {Claim("repair", "kind", kind) for kind in found.what.split()}
    return {Claim("move")} if found.what.startswith("move") else {Claim(found.order)} - {Claim("wander")}


def list_claims(system: RuleSystem, battle: Battle, ship: Ship) -> set[Claim]:
    """List all claims that a ship could have in this phase."""
    named = {"fire": "battery", "repair": "kind"}
    found: set[Claim] = set()
    for form in system.forms:
        if form.word not in ("move", "fire", "torpedo", "repair", "light") or battle.phase not in form.phases:
            continue
        slot = named.get(form.word, "")
        if any(one.name == slot for one in form.slots):
            values = {order.text(slot) for order in list_possible_orders(form, battle, ship)} - {"both"}
            found |= {Claim(form.word, slot, value) for value in values}
        else:
            found.add(Claim(form.word))
    return found


def is_accepted(system: RuleSystem, battle: Battle, ship: Ship, claim: Claim) -> bool:
    """Return whether the rules accept some order of a claim; staying at anchor is no act."""
    form = next(form for form in system.forms if form.word == claim.word)
    if claim.word == "move" and ship.log.get("state") not in (None, "steaming"):
        return False
    distances = range(400) if claim.word == "move" else DISTANCES
    orders = list_possible_orders(form, battle, ship, distances)
    return any(claim.fits(order) and not is_refused(system, battle, order) for order in orders)


def is_refused(system: RuleSystem, battle: Battle, order: Order) -> bool:
    try:
        return bool(system.prepare(battle, order).findings)
    except OrderRefused:
        return True


def play_steps(ground: Ground, lot: int) -> Timeline:
    random = Random(lot)
    timeline = build_timeline(ground.start(lot % 4 == 0), ())
    for _ in range(random.randint(2, 30)):
        faces = (random.randint(1, 12), random.randint(1, 12), random.randint(1, 12))
        one, two, three = (map_face(face, ground.sides) for face in faces)
        places = (random.randint(0, 65), random.randint(0, 65), random.randint(0, 65))
        timeline = take_step(ground, timeline, Step(random.choice(RARE_KINDS), *places, (one, two, three)))
    return timeline


@GROUND
@settings(max_examples=max(4, settings().max_examples // 3))
@given(lot=st.integers(0, 2**32))
def test_a_ship_is_listed_exactly_for_the_orders_that_are_accepted(ground: Ground, lot: int) -> None:
    battle = play_steps(ground, lot).battle
    for ship in battle.ships.values():
        claims = list_claims(ground.system, battle, ship)
        accepted = {claim for claim in claims if is_accepted(ground.system, battle, ship, claim)}
        assert list_listed(ground.system, battle, ship) == accepted, (lot, battle.turn, battle.phase, ship.id)
    for one in ground.system.may_act(battle):
        assert one.letters.isupper(), "the logs show a letter for each thing"
        assert len(set(one.letters)) == len(one.letters)


def test_the_letters_show_what_may_still_be_used() -> None:
    """Keep the letter of the second battery when the first has fired."""
    session = gq2.played(gq2.battle(gq2.ship("lion"), gq2.ship("seydlitz", "red")))
    assert {one.ship: one.letters for one in session.system.may_act(session.battle)} == {
        "lion": "AB",
        "seydlitz": "AB",
    }
    enter(session, "fire lion 12 seydlitz straddle 4")
    assert {one.ship: one.letters for one in session.system.may_act(session.battle)}["lion"] == "B"


def test_the_ships_that_may_act_are_computed_once_for_a_battle() -> None:
    """Share the list between the grid, the status line and the end of a phase."""
    session = gq2.played(gq2.battle())
    found = list_able_ships(session.system, session.battle)
    assert list_able_ships(session.system, session.battle) is found
    assert found == session.system.may_act(session.battle)
    assert list_able_ships(session.system, evolve(session.battle)) is not found


def test_a_ship_without_ammunition_is_not_listed() -> None:
    session = gq2.played(gq2.battle(gq2.ship("lion"), gq2.ship("seydlitz", "red")), "mark lion ammo 0")
    assert gq2.list_waiting(session) == {"seydlitz": "12-inch 6-inch"}
    assert refusal(session, "fire lion 12 seydlitz straddle 4") == "GQ2-LOG-1"


def test_no_ship_is_listed_where_no_target_is_left() -> None:
    """Wait in a gunnery phase for no side whose enemies are gone."""
    session = gq2.played(gq2.battle(gq2.ship("lion"), gq2.ship("seydlitz", "red")), "leave seydlitz sunk")
    assert gq2.list_waiting(session) == {}


def read_letters(session: Session) -> dict[str, str]:
    return {one.ship: one.letters for one in list_ships_in_reach(session.system, session.timeline)}


@pytest.mark.parametrize("name", ["advanced-quickfire", "quickfire", "quickfire-clone"])
def test_weapons_that_cannot_reach_a_measured_target_are_not_listed(name: str) -> None:
    """Wait for no light guns at long range, and no torpedoes at 33 inches."""
    system, start = load_start("yellow-sea-1904", name)
    session = Session.begin(system, start)
    session.enter("next")
    before = read_letters(session)
    far = "200cm" if name == "quickfire-clone" else "41in"
    session.enter(f"fire mikasa heavy tsesarevich {far}")
    assert {"L", "T"}.isdisjoint(read_letters(session).get("mikasa", ""))
    assert read_letters(session)["tsesarevich"] == "H"
    assert read_letters(session)["asahi"] == before["asahi"], "of her no range is known"
    session.enter("undo")
    assert read_letters(session) == before


def test_torpedoes_at_33_inches_do_not_wait_and_old_ranges_do_not_count() -> None:
    system, start = load_start("yellow-sea-1904", "advanced-quickfire")
    session = Session.begin(system, start)
    for order in ("next", "fire mikasa heavy tsesarevich 33in 9", "next"):
        session.enter(order)
    assert read_letters(session).get("tsesarevich", "") == "", "no torpedo reaches her"
    assert "T" in read_letters(session)["poltava"]
    for _ in range(5):
        session.enter("force next")
    assert session.battle.turn == 2
    assert "L" in read_letters(session)["mikasa"]


@GROUND
@settings(max_examples=max(4, settings().max_examples // 3))
@given(lot=st.integers(0, 2**32))
def test_all_ships_that_may_act_are_in_reach_until_a_range_is_measured(ground: Ground, lot: int) -> None:
    timeline = play_steps(ground, lot)
    may = {one.ship: one for one in list_able_ships(ground.system, timeline.battle)}
    reach = {one.ship: one for one in list_ships_in_reach(ground.system, timeline)}
    assert reach.keys() <= may.keys()
    assert all(set(one.letters) <= set(may[id].letters) for id, one in reach.items())
    if not build_range_book(ground.system, timeline).pairs:
        assert reach == may


def forget_ranges(timeline: Timeline) -> Timeline:
    """Forget all ranges measured in this phase."""
    return evolve(timeline, battle=evolve(timeline.battle, began=evolve(timeline.battle.start)))


@pytest.mark.parametrize("name", ["advanced-quickfire", "quickfire", "quickfire-clone"])
def test_reach_is_computed_again_when_the_target_changes(name: str) -> None:
    """Hold no light guns back by the range of a ship that has sunk."""
    system, start = load_start("yellow-sea-1904", name)
    session = Session.begin(system, start)
    session.enter("next")
    session.enter(f"fire mikasa heavy tsesarevich {'200cm' if name == 'quickfire-clone' else '41in'}")
    timeline, battle = session.timeline, session.battle
    held = read_letters(session).get("mikasa", "")
    for change in ({"status": "sunk"}, {"log": {**battle.ships["tsesarevich"].log, "speed_lost": 3}}):
        changed = evolve(timeline, battle=battle.with_ship(evolve(battle.ships["tsesarevich"], **change)))
        reaching = list_ships_in_reach(system, changed)
        assert reaching == list_ships_in_reach(system, forget_ranges(changed))
        now = next((one.letters for one in reaching if one.ship == "mikasa"), "")
        assert (len(now) > len(held)) is ("status" in change), (held, now)


@pytest.mark.parametrize("name", ["advanced-quickfire", "quickfire", "quickfire-clone"])
def test_cached_reach_equals_reach_computed_again(name: str) -> None:
    """Play shots, losses and undos at random."""
    system, start = load_start("yellow-sea-1904", name)
    session, chance, seen = Session.begin(system, start), Random(1904), []
    session.enter("next")
    ranges = ("20cm", "60cm", "200cm") if name == "quickfire-clone" else ("6in", "18in", "33in")
    for number in range(150):
        ships = [ship.id for ship in session.battle.ships.values() if not ship.is_off_table]
        one, other = chance.sample((*ships[:6], *ships[-6:]), 2)
        shot = f"fire {one} {chance.choice(('heavy', 'light'))} {other} {chance.choice(ranges)} 1 4"
        order = f"{shot} 2" if name == "quickfire-clone" else shot
        if number % 5 == 4:
            order = chance.choice((f"leave {one} sunk", f"mark {one} moved 3", f"mark {one} rof_light 0"))
        with suppress(OrderRefused):
            session.enter("force next" if number % 50 == 49 else "undo" if number % 13 == 12 else order)
            seen.append((session.timeline, list_ships_in_reach(system, session.timeline)))
            assert system.may_act(session.battle) == type(system)().may_act(session.battle)
    assert len({reaching for _, reaching in seen}) > 12, "who reaches changes"
    for timeline, reaching in seen:
        assert list_ships_in_reach(system, forget_ranges(timeline)) == reaching, len(timeline.log)


@pytest.mark.parametrize("name", ["advanced-quickfire", "quickfire", "quickfire-clone"])
def test_after_a_shot_only_the_ships_it_touched_are_computed_again(name: str) -> None:
    system, start = load_start("yellow-sea-1904", name)
    session = Session.begin(system, start)
    session.enter("next")
    whole = count_calls(lambda: system.may_act(session.battle))
    session.enter(f"fire mikasa heavy tsesarevich {'50cm' if name == 'quickfire-clone' else '18in'}")
    assert count_calls(lambda: system.may_act(session.battle)) < whole / 2


STEERS = {"advanced-quickfire": "45 left", "quickfire": "90 right", "quickfire-clone": "full turn left"}
STEERED = pytest.mark.parametrize("name", STEERS)
SWITCHES = (
    *("initiative each-turn", "initiative simultaneous", "speed_change 2", "speed_change 3", "speed_by used"),
    *("speed_by moved", "turning templates", "turning pivots", "speed_added 50", "speed_added 0"),
)


@STEERED
def test_cached_offers_to_steered_ships_equal_offers_computed_again(name: str) -> None:
    """Play moves, hits, switches and undos at random."""
    system, start = load_start("yellow-sea-1904", name)
    session, chance, seen = Session.begin(system, start), Random(1904), [start]
    ships = ("mikasa", "asahi", "shikishima", "tsesarevich", "retvizan", "pobieda")
    steers = (STEERS[name], STEERS[name], "none")
    for number in range(600):
        ship, far = chance.choice(ships), "0mm 20mm 70mm" if name == "quickfire-clone" else "0 2 4 7"
        deeds = (f"move {ship} {chance.choice(far.split())}", f"mark {ship} course {chance.choice(steers)}")
        changes = (f"mark {ship} speed_lost {chance.randrange(8)}", f"mark {ship} moved none", "undo 2")
        order = chance.choice((*deeds, *deeds, *changes, f"option {chance.choice(SWITCHES)}", "redo"))
        order = f"roll {chance.choice(('3 9', '9 3'))}" if session.battle.owed and number % 2 else order
        order = f"leave {ship} withdrawn" if number % 200 == 199 else order
        ends = number % 40 == 39 or session.battle.phase != start.phase
        with suppress(OrderRefused):
            session.enter("force next" if ends else order)
            seen.append(session.battle)
            assert system.advice(session.battle) == type(system)().advice(session.battle)
    told = [system.advice(battle) for battle in seen]
    assert told == [type(system)().advice(battle) for battle in seen], "whichever was looked at before"
    steered = {text for texts in told for text in texts if "steered" in text}
    assert len(steered) > (3 if name == "quickfire-clone" else 12), "what is said changes"


@STEERED
def test_after_a_move_only_the_steered_ship_that_moved_is_computed_again(name: str) -> None:
    system, start = load_start("yellow-sea-1904", name)
    session = Session.begin(system, start)
    for ship in start.ships:
        session.enter(f"mark {ship} course {STEERS[name]}")
    whole = count_calls(lambda: system.advice(session.battle))
    session.enter(f"force move mikasa {'20mm' if name == 'quickfire-clone' else 3}")
    assert count_calls(lambda: system.advice(session.battle)) < whole / 3


def test_offers_to_a_steered_ship_follow_the_order_of_moves() -> None:
    """Give the second side no offer while it has to wait."""
    session = Session.begin(*load_start("yellow-sea-1904", "advanced-quickfire"))
    said = []
    for order in (
        "mark tsesarevich course 45 left",
        "option initiative each-turn",
        *("initiative japan russia 9 3", "move mikasa 3", "undo", "move asahi 3", "move retvizan 3"),
    ):
        session.enter(order)
        said.append(session.system.advice(session.battle)[-1])
    waits, offer = said[1], said[0]
    assert waits != offer
    assert said == [offer, waits, waits, offer, waits, offer, offer]
