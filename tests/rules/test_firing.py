"""Who fires at what in every rule system: batteries on land, ranges that are kept, and whole divisions."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest
from attrs import evolve, frozen

from qf_tui.core.availability import along_line, range_book, range_slot
from qf_tui.core.errors import OrderRefused
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Entry
from qf_tui.core.values import BATTERY, Battle, Ship
from qf_tui.library.navies import register
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import bench
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.gq2.test_sticks import STICKS
from tests.rules.playing import allowed, chart_file, enter, owed, played, refusal
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone import tables as clone
from tests.systems import our_systems

SYSTEMS = our_systems()


@frozen
class Ground:
    """A battle of one system: ajax against fort, which is as `kind` says; the orders that a case needs.

    `flooded` is the log of a ship that would have to roll for sinking, `last` the phase before it does.
    """

    system: RuleSystem
    start: Battle
    flooded: Mapping[str, Scalar]
    last: str
    move: str
    torpedo: str
    fire: str
    torpedo_phase: str
    gunnery: str

    def at(self, phase: str, kind: str, log: Mapping[str, Scalar] = {}) -> Session:
        """The battle in a phase."""
        fort = self.start.ships["fort"]
        ships = {**self.start.ships, "fort": _of_kind(fort, kind, log)}
        start = evolve(self.start, phase=phase, ships=ships, began=None)
        return played(self.system, evolve(start, began=start))


def _of_kind(ship: Ship, kind: str, log: Mapping[str, Scalar]) -> Ship:
    return evolve(ship, card={**ship.card, "kind": kind}, log={**ship.log, **log})


SQUARE_ON = {"torpedo": "torpedo ajax fort in", "move": "move fort 0", "torpedo_phase": "gunnery"}
GROUNDS = {
    "advanced-quickfire": Ground(
        SYSTEMS["advanced-quickfire"],
        advanced.battle(advanced.ship("ajax"), advanced.ship("fort", "red")),
        {"speed_lost": 8},
        "repair",
        **{**SQUARE_ON, "torpedo_phase": "second-gunnery"},
        fire="fire ajax heavy fort long",
        gunnery="first-gunnery",
    ),
    "quickfire": Ground(
        SYSTEMS["quickfire"],
        quickfire.battle(quickfire.ship("ajax"), quickfire.ship("fort", "red")),
        {"speed_hits": 8},
        "repair",
        **{**SQUARE_ON, "torpedo": "torpedo ajax fort pb"},
        fire="fire ajax heavy fort long",
        gunnery="gunnery",
    ),
    "quickfire-clone": Ground(
        SYSTEMS["quickfire-clone"],
        clone.battle(clone.ship("ajax"), clone.ship("fort", "red")),
        {"speed_hits": 8},
        "repair",
        **{**SQUARE_ON, "torpedo": "torpedo ajax fort 5cm"},
        fire="fire ajax heavy fort 60cm",
        gunnery="gunnery",
    ),
    "gq2": Ground(
        SYSTEMS["gq2"],
        gq2.battle(gq2.ship("ajax"), gq2.ship("fort", "red")),
        {"hull_lost": 9},
        "gunnery",
        **{**SQUARE_ON, "torpedo": "torpedo ajax fort stick 3", "torpedo_phase": "torpedo"},
        fire="fire ajax 12 fort straddle 3",
        gunnery="gunnery",
    ),
}
SHIP = "battleship"
EACH = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)


@pytest.mark.parametrize("name", [name for name in GROUNDS if name != "gq2"])
def test_a_battery_rolls_for_no_flooding(name: str) -> None:
    ground = GROUNDS[name]
    ship = ground.at(ground.last, SHIP, ground.flooded)
    ship.enter("next")
    assert "sinking fort" in owed(ship)
    battery = ground.at(ground.last, BATTERY, ground.flooded)
    battery.enter("next")
    assert not owed(battery)
    assert battery.battle.ships["fort"].afloat


@pytest.mark.clause("AQF-REC-2")
def test_a_battery_has_no_holes_that_grow() -> None:
    ground = GROUNDS["advanced-quickfire"]
    for kind, asked in ((SHIP, ["sx-check fort"]), (BATTERY, [])):
        session = ground.at("second-gunnery", kind, {"speed_lost": 1})
        session.enter("next")
        assert owed(session) == asked


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.parametrize(("kind", "status"), [(SHIP, "sinking"), (BATTERY, "abandoned")])
def test_a_battery_without_hull_boxes_is_silenced(kind: str, status: str) -> None:
    session = GROUNDS["gq2"].at("searchlights", kind, {"hull_lost": 9})
    session.enter("damage fort H0.5")
    session.enter("next")
    assert session.battle.ships["fort"].status == status
    assert not allowed(session, "fire fort 12 ajax straddle 3")


@EACH
def test_a_battery_neither_moves_nor_is_asked_to(ground: Ground) -> None:
    session, ship = (ground.at(ground.system.phases[0].name, kind) for kind in (BATTERY, SHIP))
    refusal(session, ground.move)
    assert [entry.ship for entry in ground.system.may_act(session.battle)] == ["ajax"]
    assert "fort" in [entry.ship for entry in ground.system.may_act(ship.battle)]


@EACH
def test_no_torpedo_reaches_a_battery(ground: Ground) -> None:
    ship, battery = (ground.at(ground.torpedo_phase, kind) for kind in (SHIP, BATTERY))
    assert allowed(ship, ground.torpedo)
    refusal(battery, ground.torpedo)
    refusal(battery, f"force {ground.torpedo}")
    assert "T" in _letters(ship)
    assert "T" not in _letters(battery)


def _letters(session: Session) -> str:
    """What ajax may still do."""
    found = (entry.letters for entry in session.system.may_act(session.battle) if entry.ship == "ajax")
    return next(found, "")


@EACH
def test_a_battery_fires_and_is_fired_at(ground: Ground) -> None:
    session = ground.at(ground.gunnery, BATTERY)
    assert allowed(session, ground.fire)
    there_and_back = ground.fire.replace("ajax", "$").replace("fort", "ajax").replace("$", "fort")
    assert allowed(session, there_and_back)


@EACH
def test_a_battle_may_end_with_a_battery_left(ground: Ground) -> None:
    session = ground.at(ground.gunnery, BATTERY)
    ships = session.battle.ships
    with_wreck = {**ships, "wreck": evolve(ships["ajax"], id="wreck", side="red", status="sunk")}
    assert ground.system.ended(evolve(session.battle, ships=with_wreck)).startswith("Red has no ship left")
    assert not ground.system.ended(session.battle)


def test_a_battery_is_not_rammed_and_strikes_no_mine() -> None:
    collided = GROUNDS["quickfire-clone"]
    assert allowed(collided.at("move", SHIP), "collide ajax fort")
    refusal(collided.at("move", BATTERY), "force collide ajax fort")
    mined = GROUNDS["gq2"]
    assert allowed(mined.at("torpedo", SHIP), "mine fort")
    refusal(mined.at("torpedo", BATTERY), "force mine fort")


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
    """Electric Cliff, five 10-inch guns behind earth; catches a battery as weak as a bare deck."""
    facts = next(one for one in register(["russia"]).ships if one.id == "electric-cliff-battery")
    rating = SYSTEMS[system].rate(facts)
    assert rating is not None
    assert rating.card[key] == value
    assert any("parapet" in text for text in rating.assumptions)


class Maker(Protocol):
    """Makes the usual ship of a system for a side."""

    def __call__(self, id: str, side: str = ..., /) -> Ship: ...


@frozen
class Case:
    """A battle in its gunnery phase, a shot of ajax and one of rook, a range, and how ships stand still."""

    name: str
    start: Battle
    shot: str
    back: str
    range: str
    still: str
    clause: str
    near: tuple[str, str]
    between: str
    apart: tuple[str, str]


def fleet(ship: Maker) -> tuple[Ship, ...]:
    return (ship("ajax"), ship("boyne"), ship("rook", "red"), ship("rival", "red"))


CASES = (
    Case(
        "advanced-quickfire",
        advanced.battle(*fleet(advanced.ship)),
        "fire ajax heavy rook {}",
        "fire rook light ajax {}",
        "20in",
        "0",
        "AQF-SCA-2",
        ("28in", "32in"),
        "~30in",
        ("20in", "32in"),
    ),
    Case(
        "quickfire",
        quickfire.battle(*fleet(quickfire.ship), phase="gunnery"),
        "fire ajax heavy rook {}",
        "fire rook light ajax {}",
        "10in",
        "0",
        "QF-SCA-1",
        ("10in", "13in"),
        "~12in",
        ("2in", "30in"),
    ),
    Case(
        "quickfire-clone",
        clone.battle(*fleet(clone.ship)),
        "fire ajax heavy rook {}",
        "fire rook light ajax {}",
        "90cm",
        "0mm",
        "QFC-GUN-6",
        ("80cm", "110cm"),
        "~95cm",
        ("100cm", "140cm"),
    ),
    Case(
        "gq2",
        gq2.battle(*fleet(gq2.ship)),
        "fire ajax 12-inch rook straddle {}",
        "fire rook 12-inch ajax straddle {}",
        "10in",
        "0",
        "GQ2-CHA-2",
        ("10in", "11in"),
        "~10in",
        ("10in", "20in"),
    ),
)
EACH_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def begun(case: Case, path: Path, save: Path | None = None) -> Session:
    """A session on a case; sticks are laid over where its system reads ranges from them."""
    system = find_systems()[case.name]
    session = Session.begin(system, case.start, save)
    if case.name == "gq2":
        session.enter(f"chart {chart_file(system, path, STICKS.partition('title')[2].partition(chr(10))[2])}")
    return session


def known(session: Session, order: str) -> str:
    """What the book has for the two ships of an order: `9in`, or `9in old`."""
    read = session.read(order).complete()
    slot = range_slot(read.form)
    assert slot is not None
    ships = frozenset((read.text(read.form.slots[0].name), read.text(slot.to)))
    read_by = session.system.range_read_by(session.battle, read)
    found = range_book(session.system, session.timeline).between(ships, slot, read_by)
    return "" if found is None else f"{found.value}{' old' if found.old else ''}"


def to_turn(session: Session, turn: int, *, moves: tuple[str, ...] = ()) -> None:
    """Goes to the gunnery of a turn, with some moves in its movement."""
    phase = session.battle.phase
    while (session.battle.turn, session.battle.phase) != (turn, phase):
        session.enter("force next")
        here = next(one for one in session.system.phases if one.name == session.battle.phase)
        for move in moves if here.moves and session.battle.turn == turn else ():
            session.enter(f"force {move}")


@EACH_CASE
def test_a_range_stays_for_its_two_ships_until_they_move(case: Case, tmp_path: Path) -> None:
    session = begun(case, tmp_path)
    asked, back = case.shot.format(case.range), case.back.format(case.range)
    assert known(session, asked) == ""
    session.enter(asked)
    assert known(session, asked) == known(session, back) == case.range
    assert known(session, asked.replace("ajax", "boyne")) == ""
    to_turn(session, 2)
    assert known(session, back) == f"{case.range} old"
    to_turn(session, 3)
    assert known(session, asked) == ""


@EACH_CASE
def test_a_range_holds_where_both_ships_are_recorded_as_standing_still(case: Case, tmp_path: Path) -> None:
    for still in (("ajax", "rook"), ("ajax",)):
        session = begun(case, tmp_path)
        asked = case.shot.format(case.range)
        session.enter(asked)
        to_turn(session, 2, moves=tuple(f"move {id} {case.still}" for id in still))
        assert known(session, asked) == (case.range if len(still) == 2 else f"{case.range} old")


@EACH_CASE
def test_the_book_follows_corrections(case: Case, tmp_path: Path) -> None:
    session = begun(case, tmp_path)
    asked = case.shot.format(case.range)
    session.enter(asked)
    session.enter("undo")
    assert known(session, asked) == ""
    session.enter("redo")
    assert known(session, asked) == case.range


@EACH_CASE
def test_an_estimate_is_read_shown_kept_and_refused_by_its_switch(case: Case, tmp_path: Path) -> None:
    session = begun(case, tmp_path, save := tmp_path / "it.qfb")
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
    again = Session.look(save, find_systems())
    version = again.timeline.versions[act.number]
    assert (version.estimated, version.order.line) == (True, order)
    assert not again.timeline.versions[max(again.timeline.versions)].estimated


@EACH_CASE
def test_a_line_is_filled_in_where_both_ends_lie_in_one_bracket(case: Case, tmp_path: Path) -> None:
    session = begun(case, tmp_path)

    def ends(pair: tuple[str, str]) -> tuple[str, ...]:
        orders = [session.read(case.shot.format(one)).complete() for one in pair]
        slot = range_slot(orders[0].form)
        assert slot is not None
        values = (order.slots[slot.name] for order in orders)
        found = along_line(session.system, session.battle, orders[:1], *values)
        return tuple(str(one) for one in found)

    assert ends(case.near) == (case.between,)
    assert ends(case.apart) == ("None",)


def test_what_is_read_from_a_stick_is_offered_to_the_same_stick_alone() -> None:
    session = gq2.played(CASES[-1].start, "fire ajax 12-inch rook straddle 5")
    assert known(session, "fire boyne 12-inch rook straddle 4") == ""
    assert known(session, "fire rook 12-inch ajax straddle 4") == "5"
    assert known(session, "fire rook 6-inch ajax straddle 4") == ""


@pytest.mark.clause("QFC-GUN-5")
def test_a_guess_is_never_in_the_book() -> None:
    session = clone.played(CASES[2].start, "fire ajax heavy rook 90cm guess 80cm base 6cm")
    assert known(session, "fire rook light ajax 20cm") == "90cm"


def test_an_estimate_is_for_ranges_alone() -> None:
    session = Session.begin(find_systems()["advanced-quickfire"], advanced.battle())
    assert session.read("move ajax ~3in").order is None


def test_a_bracket_stays_a_bracket() -> None:
    session = Session.begin(find_systems()["advanced-quickfire"], CASES[0].start)
    session.enter("fire ajax heavy rook long")
    assert known(session, "fire rook heavy ajax 4in") == "long"
    order = session.read("fire boyne heavy rook pb").complete()
    assert along_line(session.system, session.battle, (order,), "long", "long") == ("long",)
    assert along_line(session.system, session.battle, (order,), "long", "medium") == (None,)


FAMILY = [
    ((), False),
    (("mark ohio speed_hits 6",), False),
    (("mark ohio speed_hits 7",), True),
    (("mark ohio speed_hits 8",), True),
    (("mark ohio speed_lost 8",), True),
    (("damage ohio D",), False),
    (("damage ohio D", "roll 1/direction/ohio/1 5"), True),
    (("damage ohio F F",), False),
]


@pytest.mark.clause("AQF-MV-2")
@pytest.mark.parametrize(("orders", "left"), FAMILY)
def test_a_ship_that_is_steered_or_cannot_pivot_leaves_the_line(orders: tuple[str, ...], left: bool) -> None:
    session = bench()
    for order in orders:
        session.enter(order)
    assert out_of_line(session, "ohio") is left
    assert not out_of_line(session, "mikasa")


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.parametrize(
    ("orders", "left"),
    [
        ((), False),
        (("damage rook CA", "roll 2"), True),
        (("damage rook CA", "roll 0"), False),
        (("mark rook hull_lost 4",), False),
        (("mark rook hull_lost 5",), True),
    ],
)
def test_a_damaged_rudder_or_a_hull_without_speed_leaves_the_line(
    orders: tuple[str, ...], left: bool
) -> None:
    session = gq2.played(gq2.battle())
    enter(session, *orders)
    assert out_of_line(session, "rook") is left


def out_of_line(session: Session, ship: str) -> bool:
    return session.system.out_of_line(session.battle, session.battle.ships[ship])


def shared(session: Session, line: str) -> list[str]:
    """The orders in whose place a refused one may be entered."""
    order = session.read(line).order
    assert order is not None
    return [one.line for one in session.system.possible(session.battle, order)]


AJAX, BOYNE, CRIPPLE = advanced.ship("ajax"), advanced.ship("boyne"), advanced.ship("cripple")
CRIPPLED = ("mark cripple speed_hits 6",)


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("before", "line", "parts"),
    [
        (CRIPPLED, "move ajax,boyne,cripple 6", ["move ajax,boyne 6", "move cripple 2"]),
        (CRIPPLED, "move ajax,boyne,cripple 5.5in", ["move ajax,boyne 5.5in", "move cripple 2"]),
        ((*CRIPPLED, "move ajax 3"), "move ajax,boyne,cripple 6", ["move boyne 6", "move cripple 2"]),
        (("move cripple 3",), "move ajax,boyne,cripple 6", ["move ajax,boyne 6"]),
        (CRIPPLED, "move cripple 6", []),
        ((), "move ajax,boyne,cripple 6", []),
    ],
)
def test_a_move_of_a_division_takes_each_ship_as_far_as_it_can(
    before: tuple[str, ...], line: str, parts: list[str]
) -> None:
    session = advanced.played(advanced.battle(AJAX, BOYNE, CRIPPLE, phase="movement"), *before)
    assert shared(session, line) == parts
    for part in parts:
        session.enter(part)


@pytest.mark.clause("AQF-MV-1")
def test_a_script_is_refused_and_told_what_would_be_possible() -> None:
    session = advanced.played(advanced.battle(AJAX, CRIPPLE, phase="movement"), *CRIPPLED)
    with pytest.raises(OrderRefused, match=r"more than the 2″ available"):
        session.enter("move ajax,cripple 6")


@pytest.mark.clause("GQ2-MV-1")
def test_a_flotilla_of_general_quarters_is_shared_out_in_inches() -> None:
    start = gq2.battle(gq2.ship("lion"), gq2.ship("tiger"), phase="movement")
    session = gq2.played(start, "mark tiger hull_lost 4")
    parts = shared(session, "move lion,tiger 9")
    assert parts[0] == "move lion 9"
    assert parts[1].startswith("move tiger ")
    for part in parts:
        session.enter(part)


@pytest.mark.clause("GQ2-MV-1")
@pytest.mark.parametrize("asked", ["9", "9in"])
def test_the_inches_of_one_offer_are_all_written_in_one_way(asked: str) -> None:
    """Catches `9` beside `7.5in`."""
    slow = gq2.ship("tiger", hull=(7.5, 6, 4.5, 3, 1.5))
    session = gq2.played(gq2.battle(gq2.ship("lion"), slow, phase="movement"))
    parts = shared(session, f"move lion,tiger {asked}")
    assert parts == ["move lion 9in", "move tiger 7.5in"]
    for part in parts:
        session.enter(part)


@pytest.mark.clause("QFC-MV-1")
def test_a_measured_move_is_shared_out_within_the_limits_of_each_ship() -> None:
    slow = clone.ship("slow", speed=50)
    session = clone.played(clone.battle(clone.ship("ajax"), slow, phase="move"))
    parts = shared(session, "move ajax,slow 90mm")
    assert parts == ["move ajax 90mm", "move slow 50mm"]
