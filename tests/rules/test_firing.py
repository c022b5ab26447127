"""Firing in every rule system: batteries on land, ranges that are kept, and whole divisions."""

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.availability import (
    build_range_book,
    estimate_along_line,
    find_range_slot,
    list_loose_estimates,
)
from qf_tui.core.errors import OrderRefused
from qf_tui.core.ship_facts import collect_values, list_assumptions
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Entry, State
from qf_tui.core.values import BATTERY, Battle, Ship, replace
from qf_tui.document.scripts import InputOrder, build_entered_row
from qf_tui.document.text import lay_out_blocks
from qf_tui.document.transcript import list_entered
from qf_tui.library.navies import load_register
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.gq2.test_sticks import STICKS
from tests.rules.playing import enter, is_allowed, owed, refusal, write_chart
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone import tables as clone
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()


@frozen
class Ground:
    """A battle of one system, ajax against fort, and the orders that a case needs.

    Attributes:
        flooded: The log of a ship that would have to roll for sinking.
    """

    tables: ModuleType
    flooded: Mapping[str, Scalar]
    torpedo: str
    fire: str
    gunnery: str = "gunnery"
    torpedo_phase: str = "gunnery"

    def begin(self, phase: str, kind: str, log: Mapping[str, Scalar] = {}) -> Session:
        """Begin the battle in a phase, with a fort of this kind."""
        fort = self.tables.ship("fort", "red")
        fort = evolve(fort, card={**fort.card, "kind": kind}, log={**fort.log, **log})
        session: Session = self.tables.played(self.tables.battle(self.tables.ship("ajax"), fort, phase=phase))
        return session


GROUNDS = {
    "advanced-quickfire": Ground(
        advanced,
        {"speed_lost": 8},
        "torpedo ajax fort in",
        "fire ajax heavy fort long",
        "first-gunnery",
        "second-gunnery",
    ),
    "quickfire": Ground(quickfire, {"speed_hits": 8}, "torpedo ajax fort pb", "fire ajax heavy fort long"),
    "quickfire-clone": Ground(clone, {"speed_hits": 8}, "torpedo ajax fort 5cm", "fire ajax heavy fort 60cm"),
    "gq2": Ground(
        gq2,
        {"hull_lost": 9},
        "torpedo ajax fort stick 3",
        "fire ajax 12 fort straddle 3",
        torpedo_phase="torpedo",
    ),
}
SHIP = "battleship"
EACH = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)


@pytest.mark.parametrize("name", [name for name in GROUNDS if name != "gq2"])
def test_a_battery_rolls_for_no_flooding(name: str) -> None:
    ground = GROUNDS[name]
    ship = ground.begin("repair", SHIP, ground.flooded)
    ship.enter("next")
    assert "sinking fort" in owed(ship)
    battery = ground.begin("repair", BATTERY, ground.flooded)
    battery.enter("next")
    assert not owed(battery)
    assert battery.battle.ships["fort"].afloat


@pytest.mark.clause("AQF-REC-2")
def test_a_battery_has_no_holes_that_grow() -> None:
    ground = GROUNDS["advanced-quickfire"]
    for kind, asked in ((SHIP, ["sx-check fort"]), (BATTERY, [])):
        session = ground.begin("second-gunnery", kind, {"speed_lost": 1})
        session.enter("next")
        assert owed(session) == asked


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.parametrize(("kind", "status"), [(SHIP, "sinking"), (BATTERY, "abandoned")])
def test_a_battery_without_hull_boxes_is_silenced(kind: str, status: str) -> None:
    session = GROUNDS["gq2"].begin("searchlights", kind, {"hull_lost": 9})
    session.enter("damage fort H0.5")
    session.enter("next")
    assert session.battle.ships["fort"].status == status
    assert not is_allowed(session, "fire fort 12 ajax straddle 3")


@EACH
def test_a_battery_does_not_move_and_is_not_asked_to(ground: Ground) -> None:
    session, ship = (ground.begin(ground.tables.SYSTEM.phases[0].name, kind) for kind in (BATTERY, SHIP))
    refusal(session, "move fort 0")
    assert [entry.ship for entry in session.system.may_act(session.battle)] == ["ajax"]
    assert "fort" in [entry.ship for entry in ship.system.may_act(ship.battle)]


@EACH
def test_no_torpedo_reaches_a_battery(ground: Ground) -> None:
    ship, battery = (ground.begin(ground.torpedo_phase, kind) for kind in (SHIP, BATTERY))
    assert is_allowed(ship, ground.torpedo)
    refusal(battery, ground.torpedo)
    refusal(battery, f"force {ground.torpedo}")
    assert "T" in _letters(ship)
    assert "T" not in _letters(battery)


def _letters(session: Session) -> str:
    """Return the letters of what ajax may still do."""
    found = (entry.letters for entry in session.system.may_act(session.battle) if entry.ship == "ajax")
    return next(found, "")


@EACH
def test_a_battery_fires_and_is_fired_at(ground: Ground) -> None:
    session = ground.begin(ground.gunnery, BATTERY)
    assert is_allowed(session, ground.fire)
    there_and_back = ground.fire.replace("ajax", "$").replace("fort", "ajax").replace("$", "fort")
    assert is_allowed(session, there_and_back)


@EACH
@pytest.mark.clause("QFC-PH-1")
def test_a_battle_may_end_with_a_battery_left(ground: Ground) -> None:
    session = ground.begin(ground.gunnery, BATTERY)
    ships = session.battle.ships
    with_wreck = {**ships, "wreck": evolve(ships["ajax"], id="wreck", side="red", status="sunk")}
    ended = session.system.ended(evolve(session.battle, ships=with_wreck))
    assert ended.startswith("Red has no ship left")
    assert not session.system.ended(session.battle)


def test_a_battery_is_not_rammed_and_strikes_no_mine() -> None:
    collided = GROUNDS["quickfire-clone"]
    assert is_allowed(collided.begin("move", SHIP), "collide ajax fort")
    refusal(collided.begin("move", BATTERY), "force collide ajax fort")
    mined = GROUNDS["gq2"]
    assert is_allowed(mined.begin("torpedo", SHIP), "mine fort")
    refusal(mined.begin("torpedo", BATTERY), "force mine fort")


@pytest.mark.parametrize(
    ("system", "key", "value"),
    [
        ("advanced-quickfire", "armor.heavy", 7),
        ("advanced-quickfire", "armor.light", 8),
        ("advanced-quickfire", "gunnery.heavy", 19),
        ("advanced-quickfire", "speed", 0),
        ("quickfire", "armor.heavy", 7),
        ("quickfire-clone", "armor.heavy", 5),
        ("quickfire-clone", "speed", 0),
        ("gq2", "df", 4.5),
        ("gq2", "class", "battery"),
        ("gq2", "hull.1", 0),
        ("gq2", "battery.1.af", 5),
    ],
)
def test_a_parapet_is_rated_as_plate_and_speed_is_none(system: str, key: str, value: Scalar) -> None:
    """Rate Electric Cliff, five 10-inch guns behind earth, as more than a bare deck."""
    facts = next(one for one in load_register(["russia"]).ships if one.id == "electric-cliff-battery")
    rating = SYSTEMS[system].rate(facts)
    assert collect_values(rating)[key] == value
    assert any("parapet" in text for text in list_assumptions(rating))


@frozen
class Case:
    """A battle in its gunnery phase, a range, and shots of ajax and rook."""

    name: str
    tables: ModuleType
    range: str
    clause: str
    near: tuple[str, str]
    between: str
    apart: tuple[str, str]
    shot: str = "fire ajax heavy rook {}"
    back: str = "fire rook light ajax {}"
    still: str = "0"

    @property
    def start(self) -> Battle:
        ship = self.tables.ship
        ships = (ship("ajax"), ship("boyne"), ship("rook", "red"), ship("rival", "red"))
        start: Battle = self.tables.battle(*ships, phase=GROUNDS[self.name].gunnery)
        return start


CASES = (
    Case("advanced-quickfire", advanced, "20in", "AQF-SCA-2", ("28in", "32in"), "~30in", ("32in", "20in")),
    Case("quickfire", quickfire, "10in", "QF-SCA-1", ("10in", "13in"), "~12in", ("2in", "30in")),
    Case(
        "quickfire-clone",
        clone,
        "90cm",
        "QFC-GUN-6",
        ("80cm", "110cm"),
        "~95cm",
        ("100cm", "140cm"),
        still="0mm",
    ),
    Case(
        "gq2",
        gq2,
        "10in",
        "GQ2-CHA-2",
        ("10in", "11in"),
        "~10in",
        ("10in", "20in"),
        "fire ajax 12-inch rook straddle {}",
        "fire rook 12-inch ajax straddle {}",
    ),
)
EACH_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def begin_session(case: Case, path: Path, save: Path | None = None) -> Session:
    """Begin a session on a case; lay sticks over where its system reads ranges from them."""
    system = find_systems()[case.name]
    session = Session.begin(system, case.start, save)
    if case.name == "gq2":
        session.enter(
            f"chart {write_chart(system, path, STICKS.partition('title')[2].partition(chr(10))[2])}"
        )
    return session


def find_known(session: Session, order: str) -> str:
    """Return the known range between the ships of an order, as `9in` or `9in old`."""
    read = session.read(order).require_order()
    slot = find_range_slot(read.form)
    assert slot is not None
    ships = frozenset((read.text(read.form.slots[0].name), read.text(slot.to)))
    read_by = session.system.find_range_stick(session.battle, read)
    found = build_range_book(session.system, session.timeline).find_range(ships, slot, read_by)
    return "" if found is None else f"{found.value}{' old' if found.old else ''}"


def play_to_turn(session: Session, turn: int, *, moves: tuple[str, ...] = ()) -> None:
    """Go on to the gunnery of a turn, with some moves in its movement."""
    phase = session.battle.phase
    while (session.battle.turn, session.battle.phase) != (turn, phase):
        session.enter("force next")
        here = next(one for one in session.system.phases if one.name == session.battle.phase)
        for move in moves if here.moves and session.battle.turn == turn else ():
            session.enter(f"force {move}")


@EACH_CASE
def test_a_range_is_kept_for_its_two_ships_until_they_move(case: Case, tmp_path: Path) -> None:
    session = begin_session(case, tmp_path)
    asked, back = case.shot.format(case.range), case.back.format(case.range)
    assert find_known(session, asked) == ""
    session.enter(asked)
    assert find_known(session, asked) == find_known(session, back) == case.range
    assert find_known(session, asked.replace("ajax", "boyne")) == ""
    play_to_turn(session, 2)
    assert find_known(session, back) == f"{case.range} old"
    play_to_turn(session, 3)
    assert find_known(session, asked) == ""


@EACH_CASE
def test_a_range_is_kept_if_both_ships_did_not_move(case: Case, tmp_path: Path) -> None:
    for still in (("ajax", "rook"), ("ajax",)):
        session = begin_session(case, tmp_path)
        asked = case.shot.format(case.range)
        session.enter(asked)
        play_to_turn(session, 2, moves=tuple(f"move {id} {case.still}" for id in still))
        assert find_known(session, asked) == (case.range if len(still) == 2 else f"{case.range} old")


@EACH_CASE
def test_the_known_ranges_follow_corrections(case: Case, tmp_path: Path) -> None:
    session = begin_session(case, tmp_path)
    asked = case.shot.format(case.range)
    session.enter(asked)
    session.enter("undo")
    assert find_known(session, asked) == ""
    session.enter("redo")
    assert find_known(session, asked) == case.range


@EACH_CASE
def test_an_estimate_is_read_shown_kept_and_refused_by_its_switch(case: Case, tmp_path: Path) -> None:
    session = begin_session(case, tmp_path, save := tmp_path / "it.qfb")
    order = case.shot.format(case.between)
    act = session.enter(order).act
    assert isinstance(act, Entry)
    assert act.version.estimated
    assert act.version.order.line == order
    session.enter("option estimated_ranges no")
    with pytest.raises(OrderRefused) as refused:
        session.enter(case.back.format(case.between))
    assert case.clause in [finding.clause for finding in refused.value.findings]
    session.enter(case.back.format(case.range))
    session.close()
    again = Session.view(save, find_systems())
    version = again.timeline.versions[act.number]
    assert (version.estimated, version.order.line) == (True, order)
    assert not again.timeline.versions[max(again.timeline.versions)].estimated


def list_loose(session: Session) -> tuple[int, ...]:
    return list_loose_estimates(session.system, session.timeline)


@EACH_CASE
@pytest.mark.clause("AQF-SCA-2", "QF-SCA-1", "QFC-GUN-6", "GQ2-CHA-2")
def test_an_estimate_is_loose_until_both_its_ends_are_measured(case: Case, tmp_path: Path) -> None:
    """Measure the other end of a volley after the shot."""
    session = begin_session(case, tmp_path)
    first = case.back.replace("ajax", "boyne")
    last = first.replace("fire rook", "fire rival")
    number = session.enter(case.shot.format(case.between)).number
    assert list_loose(session) == (number,)
    session.enter(f"force {first.format(case.near[0])}")
    assert list_loose(session) == (number,), "one end"
    end = session.enter(f"force {last.format(case.near[1])}").number
    assert list_loose(session) == ()
    session.enter(f"amend {end} force {last.format(case.apart[1])}")
    assert list_loose(session) == (number,), "the ends are of two brackets"
    session.enter(f"strike {end}")
    assert list_loose(session) == (number,)
    assert session.timeline.list_in_state(State.PARKED) == ()
    play_to_turn(session, 2)
    assert list_loose(session) == (), "of another phase"


@EACH_CASE
@pytest.mark.clause("AQF-SCA-2", "QF-SCA-1", "QFC-GUN-6", "GQ2-CHA-2")
def test_outdated_or_foreign_ranges_are_no_ends_of_an_estimate(case: Case, tmp_path: Path) -> None:
    for far in (True, False):
        session = begin_session(case, tmp_path)
        apart = replace(session.battle.ships["boyne"], division="others")
        session = Session.begin(session.system, session.battle.with_ship(apart))
        back = case.back.replace("ajax", "boyne" if far else "ajax")
        for firer, range in zip(("rook", "rival"), case.near, strict=True):
            session.enter(f"force {back.replace('fire rook', f'fire {firer}').format(range)}")
        if not far:
            play_to_turn(session, 2)
        number = session.enter(f"force {case.shot.format(case.between)}").number
        assert list_loose(session) == (number,)


@EACH_CASE
def test_the_end_of_a_phase_reminds_of_loose_estimates(case: Case, tmp_path: Path) -> None:
    session = begin_session(case, tmp_path)
    session.enter(case.shot.format(case.between))
    ended = session.enter("force next")
    said = [text for text in lay_out_blocks(list_entered(session, ended)) if "it is not between two" in text]
    assert len(said) == 1
    assert f"({case.clause})" in said[0]
    row = build_entered_row(session, InputOrder(1, "next"), ended)
    assert row["reminders"] == [said[0].strip()]
    assert "reminders" not in build_entered_row(session, InputOrder(2, "next"), session.enter("force next"))


@EACH_CASE
def test_an_estimate_is_filled_in_if_both_ends_are_in_one_bracket(case: Case, tmp_path: Path) -> None:
    session = begin_session(case, tmp_path)

    def ends(pair: tuple[str, str]) -> tuple[str, ...]:
        orders = [session.read(case.shot.format(one)).require_order() for one in pair]
        slot = find_range_slot(orders[0].form)
        assert slot is not None
        values = (order.slots[slot.name] for order in orders)
        found = estimate_along_line(session.system, session.battle, orders[:1], *values)
        return tuple(str(one) for one in found)

    assert ends(case.near) == (case.between,)
    assert ends(case.apart) == ("None",)


def test_a_stick_reading_is_offered_only_to_the_same_stick() -> None:
    session = gq2.played(CASES[-1].start, "fire ajax 12-inch rook straddle 5")
    assert find_known(session, "fire boyne 12-inch rook straddle 4") == ""
    assert find_known(session, "fire rook 12-inch ajax straddle 4") == "5"
    assert find_known(session, "fire rook 6-inch ajax straddle 4") == ""


@pytest.mark.clause("QFC-GUN-5")
def test_a_guess_is_never_a_known_range() -> None:
    session = clone.played(CASES[2].start, "fire ajax heavy rook 90cm guess 80cm base 6cm")
    assert find_known(session, "fire rook light ajax 20cm") == "90cm"


def test_only_a_range_may_be_estimated() -> None:
    session = Session.begin(find_systems()["advanced-quickfire"], advanced.battle())
    assert session.read("move ajax ~3in").order is None


def test_a_bracket_stays_a_bracket() -> None:
    session = Session.begin(find_systems()["advanced-quickfire"], CASES[0].start)
    session.enter("fire ajax heavy rook long")
    assert find_known(session, "fire rook heavy ajax 4in") == "long"
    order = session.read("fire boyne heavy rook pb").require_order()
    assert estimate_along_line(session.system, session.battle, (order,), "long", "long") == ("long",)
    assert estimate_along_line(session.system, session.battle, (order,), "long", "medium") == (None,)


@pytest.mark.clause("AQF-MV-2", "GQ2-CRI-2")
@pytest.mark.parametrize(
    ("tables", "orders", "left"),
    [
        (advanced, (), False),
        (advanced, ("mark rook speed_hits 6",), False),
        (advanced, ("mark rook speed_hits 7",), True),
        (advanced, ("mark rook speed_hits 8",), True),
        (advanced, ("mark rook speed_lost 8",), True),
        (advanced, ("damage rook D",), False),
        (advanced, ("damage rook D", "roll 5"), True),
        (advanced, ("damage rook F F",), False),
        (gq2, (), False),
        (gq2, ("damage rook CA", "roll 2"), True),
        (gq2, ("damage rook CA", "roll 0"), False),
        (gq2, ("mark rook hull_lost 4",), False),
        (gq2, ("mark rook hull_lost 5",), True),
    ],
)
def test_a_ship_that_is_steered_or_cannot_turn_leaves_the_line(
    tables: ModuleType, orders: tuple[str, ...], left: bool
) -> None:
    session = tables.played(tables.battle(), *orders)
    assert is_out_of_line(session, "rook") is left
    assert not is_out_of_line(session, "ajax")


def is_out_of_line(session: Session, ship: str) -> bool:
    return session.system.out_of_line(session.battle, session.battle.ships[ship])


def find_possible(session: Session, line: str) -> str:
    """Return the possible order in place of a refused one, as a line."""
    order = session.system.possible(session.battle, session.read(line).require_order())
    return order.line if order is not None else ""


AJAX, BOYNE, CRIPPLE = advanced.ship("ajax"), advanced.ship("boyne"), advanced.ship("cripple")
CRIPPLED = ("mark cripple speed_hits 6",)
LION, SLOW_TIGER = gq2.ship("lion"), gq2.ship("tiger", hull=(7.5, 6, 4.5, 3, 1.5))
HIT_TIGER = gq2.ship("tiger", log={"hull_lost": 4})
CLONES = clone.ship("ajax"), clone.ship("slow", speed=50)


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("before", "line", "each"),
    [
        (CRIPPLED, "move ajax,boyne,cripple 6", "move ajax,boyne,cripple 6 but cripple 2"),
        (CRIPPLED, "move cripple,ajax,boyne 6", "move cripple,ajax,boyne 6 but cripple 2"),
        (CRIPPLED, "move ajax,boyne,cripple 5.5in", "move ajax,boyne,cripple 5.5in but cripple 2"),
        (CRIPPLED, "move ajax,cripple 6 pivots 1", "move ajax,cripple 6 pivots 1 but cripple 2"),
        (
            CRIPPLED,
            "move ajax,boyne,cripple 6 but boyne 5",
            "move ajax,boyne,cripple 6 but boyne 5, cripple 2",
        ),
        ((*CRIPPLED, "mark ajax speed_hits 5"), "move ajax,cripple 6", "move ajax,cripple 3 but cripple 2"),
        ((*CRIPPLED, "move ajax 3"), "move ajax,boyne,cripple 6", "move boyne,cripple 6 but cripple 2"),
        (("move cripple 3",), "move ajax,boyne,cripple 6", "move ajax,boyne 6"),
        (CRIPPLED, "move cripple 6", ""),
        ((), "move ajax,boyne,cripple 6", ""),
        ((), "move ajax,boyne,cripple 6 but boyne 5", ""),
    ],
)
def test_a_move_of_a_division_takes_each_ship_as_far_as_it_can(
    before: tuple[str, ...], line: str, each: str
) -> None:
    session = advanced.played(advanced.battle(AJAX, BOYNE, CRIPPLE, phase="movement"), *before)
    assert find_possible(session, line) == each
    enter(session, *filter(None, [each]))


@pytest.mark.clause("AQF-MV-1")
def test_a_refused_script_is_given_the_possible_order() -> None:
    session = advanced.played(advanced.battle(AJAX, CRIPPLE, phase="movement"), *CRIPPLED)
    with pytest.raises(OrderRefused, match=r"more than the 2″ available"):
        session.enter("move ajax,cripple 6")


@pytest.mark.clause("GQ2-MV-1", "QFC-MV-1")
@pytest.mark.parametrize(
    ("tables", "ships", "line", "each"),
    [
        (gq2, (LION, SLOW_TIGER), "move lion,tiger 9", "move lion,tiger 9in but tiger 7.5in"),
        (gq2, (LION, SLOW_TIGER), "move lion,tiger 9in", "move lion,tiger 9in but tiger 7.5in"),
        (gq2, (LION, HIT_TIGER), "move lion,tiger 9", "move lion,tiger 9 but tiger 8"),
        (gq2, (LION, HIT_TIGER), "move lion,tiger 9in evasive", "move lion,tiger 9in evasive but tiger 8in"),
        (clone, CLONES, "move ajax,slow 90mm", "move ajax,slow 90mm but slow 50mm"),
    ],
)
def test_a_shared_move_uses_one_measure_of_its_game(
    tables: ModuleType, ships: tuple[Ship, ...], line: str, each: str
) -> None:
    """Mix no `9` with `7.5in`, and give no ship more than it can make."""
    session = tables.played(tables.battle(*ships, phase=tables.SYSTEM.phases[0].name))
    assert find_possible(session, line) == each
    enter(session, each)


@pytest.mark.clause("AQF-MV-1", "QF-MV-1", "QFC-MV-1", "GQ2-MV-1")
@pytest.mark.parametrize("tables", [advanced, quickfire, clone, gq2])
@given(
    hits=st.lists(st.integers(0, 7), min_size=3, max_size=3),
    asked=st.integers(0, 8),
    shares=st.dictionaries(st.sampled_from(["boyne", "rook"]), st.integers(0, 8)),
    turns=st.integers(0, 1),
)
def test_an_order_with_shares_equals_the_orders_of_its_ships(
    tables: ModuleType, hits: list[int], asked: int, shares: dict[str, int], turns: int
) -> None:
    """Give each share to its own ship, under the same rules."""
    ids, measure = ("ajax", "boyne", "rook"), {advanced: "", quickfire: "", clone: "0mm", gq2: "in"}[tables]
    log = "hull_lost" if tables is gq2 else "speed_hits"
    ships = [tables.ship(id, log={log: count}) for id, count in zip(ids, hits, strict=True)]
    start = tables.battle(*ships, phase=tables.SYSTEM.phases[0].name)
    how = {advanced: f" pivots {turns}", quickfire: "", clone: "", gq2: f" turns {turns}"}[tables]
    but = ", ".join(f"{id} {share}{measure}" for id, share in shares.items())
    order = f"move {','.join(ids)} {asked}{measure}{how}{but and f' but {but}'}"
    one_by_one = [f"move {id} {shares.get(id, asked)}{measure}{how}" for id in ids]
    whole, parts = tables.played(start), tables.played(start)
    fine = [is_allowed(parts, each) for each in one_by_one]
    assert is_allowed(whole, order) is all(fine)
    shared = whole.system.possible(whole.battle, whole.read(order).require_order())
    if not all(fine) and shared is not None:
        order = shared.line
        one_by_one = [shared.build_share(id).line for id in shared.list_texts("ships")]
    if all(fine) or shared is not None:
        enter(whole, order)
        enter(parts, *one_by_one)
        assert whole.battle.ships == parts.battle.ships
        assert len(whole.timeline.log) == 1
        whole.enter("undo")
        assert whole.battle.ships == start.ships


@pytest.mark.parametrize(
    ("name", "range", "shown"),
    [
        ("advanced-quickfire", "41in", "41″"),
        ("advanced-quickfire", "~10.5in", "~10.5″"),
        ("advanced-quickfire", "pb", "point blank"),
        ("quickfire", "22in", "22″"),
        ("quickfire-clone", "60cm guess 60 base 6", "60 cm"),
        ("gq2", "straddle 5in", "5″, band 8"),
        ("gq2", "straddle 8", "band 8"),
    ],
)
def test_an_owed_shot_shows_the_range_as_declared(tmp_path: Path, name: str, range: str, shown: str) -> None:
    """Show 41 inches to the player who declared it, not long range."""
    session = GROUNDS[name].begin(GROUNDS[name].gunnery, SHIP)
    if name == "gq2":
        (tmp_path / "sticks.toml").write_text(STICKS, encoding="utf-8")
        session.enter(f"chart {tmp_path / 'sticks.toml'}")
    session.enter(f"fire ajax {'12' if name == 'gq2' else 'heavy'} fort {range}")
    assert session.battle.owed[0].prompt.endswith(f" at Fort, {shown}")
