"""Lines of ships: which one chooses the range, crosses ahead, or leaves a ship behind."""

from collections.abc import Iterator
from itertools import product

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, End, Mark, Ship, replace
from qf_tui.features.simulation.lines import BattleLine, Helm, Sea, is_in_contact, regroup, steer
from qf_tui.features.simulation.model import BattleModel
from qf_tui.features.simulation.simulate import build_spec
from qf_tui.library.faults import FileFaults
from tests.features.simulation.duels import SYSTEMS, load_duel

REACH = 60.0


def build_line(
    side: str, speed: float, across: float = 0.0, along: float = 0.0, *, fallen: bool = False
) -> BattleLine:
    return BattleLine(side, "", (f"{side}-{along:g}-{across:g}",), speed, along, across, fallen=fallen)


def steer_turns(
    blue: tuple[BattleLine, Helm], red: tuple[BattleLine, Helm], count: int = 1
) -> Iterator[tuple[BattleLine, BattleLine]]:
    """Yield two lines on each of the turns that follow."""
    sea = Sea((blue[0], red[0]), REACH)
    for _ in range(count):
        sea = steer(sea, (blue[1], red[1]))
        one, other = sea.lines
        yield one, other


@pytest.mark.parametrize(
    ("fast", "slow", "after"),
    [
        (Helm(40, 1.0), Helm(5, 1.0), 22),
        (Helm(5, 1.0), Helm(40, 1.0), 18),
        (Helm(5, 1.0), Helm(5, 1.0), 10),
        (Helm(14, 1.0), Helm(14, 1.0), 14),
        (Helm(30, 1.0), Helm(20, 1.0), 26),
        (Helm(40, 0.5), Helm(5, 0.5), 21),
    ],
    ids=("opens", "closes", "both close", "both have enough", "one is content", "half of the speed"),
)
def test_the_faster_line_changes_the_range_by_its_advantage_in_speed(
    fast: Helm, slow: Helm, after: float
) -> None:
    """Steer at six a turn against four, 20 apart, to guard against a change of range for free."""
    for blue, red in ((6.0, 4.0), (4.0, 6.0)):
        helms = (fast, slow) if blue > red else (slow, fast)
        (one, other), *_ = steer_turns(
            (build_line("blue", blue), helms[0]), (build_line("red", red, 20), helms[1])
        )
        assert one.measure_range(other) == pytest.approx(after)


@pytest.mark.parametrize(
    ("blue", "red", "across"),
    [
        (Helm(19, 1.0), Helm(60, 1.0), 1.0),
        (Helm(21, 1.0), Helm(1, 1.0), -1.0),
        (Helm(19, 1.0), Helm(19, 1.0), 0.5),
        (Helm(21, 1.0), Helm(21, 1.0), -0.5),
        (Helm(19, 1.0), Helm(20, 1.0), 1.0),
    ],
    ids=("against who opens", "against who closes", "both close", "both open", "alone"),
)
def test_two_lines_share_a_move_only_if_both_want_the_same(blue: Helm, red: Helm, across: float) -> None:
    """Guard against a line that makes half of its move because its enemy makes the opposite one."""
    (one, _), *_ = steer_turns((build_line("blue", 6), blue), (build_line("red", 6, 20), red))
    assert one.across == pytest.approx(across)


@pytest.mark.parametrize(
    ("part", "wish", "end"),
    [(1.0, 5, End.BOW), (1.0, 50, End.STERN), (0.7, 5, None), (0.7, 50, None), (1.0, 20, None)],
)
def test_a_line_that_goes_straight_at_the_enemy_or_away_fires_over_an_end(
    part: float, wish: float, end: End | None
) -> None:
    (one, other), *_ = steer_turns(
        (build_line("blue", 6), Helm(wish, part)), (build_line("red", 6, 20), Helm(20))
    )
    assert (one.end, other.end) == (end, None)


def test_a_faster_line_crosses_ahead_and_the_enemy_turns_away() -> None:
    """Draw ahead by two a turn at 20 until seven tenths of the range ahead, repeatedly."""
    blue, red = (build_line("blue", 6), Helm(20, crosses=True)), (build_line("red", 4, 20), Helm(20))
    seen = list(steer_turns(blue, red, 20))
    crossed = [at for at, (_, other) in enumerate(seen, 1) if other.end is End.BOW]
    assert crossed == [8, 16]
    for one, other in seen:
        assert one.end is None
        assert one.measure_range(other) == pytest.approx(20, abs=2.5)
    no = Helm(20)
    assert all(other.end is None for _, other in steer_turns((blue[0], no), red, 20))
    anchored = build_line("red", 0, 20), Helm(20)
    assert all(other.end is None for _, other in steer_turns(blue, anchored, 20))


def test_a_lame_ship_is_left_behind_unless_an_enemy_chases_her() -> None:
    blue, lame, red = build_line("blue", 6), build_line("blue", 1, -1, fallen=True), build_line("red", 6, 20)
    helms = (Helm(20), Helm(120, 1.0), Helm(20))
    left, chased = Sea((blue, lame, red), REACH), Sea((blue, lame, red), REACH)
    for _ in range(6):
        left = steer(left, helms)
        chased = steer(chased, (*helms[:2], Helm(5, 1.0, seeks_fallen=True)))
    assert left.lines[1].measure_range(left.lines[2]) > 35
    assert chased.lines[1].measure_range(chased.lines[2]) < 10


def test_no_line_chases_a_battery_on_land() -> None:
    blue, fort = build_line("blue", 6), evolve(build_line("red", 0, 10, fallen=True), ashore=True)
    sea = Sea((blue, fort, build_line("red", 3, 30)), REACH)
    for lame in (False, True):
        assert sea.find_opponent(blue, seeks_fallen=lame) is sea.lines[2]
    assert Sea((blue, fort), REACH).find_opponent(blue) is fort


def test_a_side_out_of_reach_that_is_not_slower_has_escaped() -> None:
    for speed, across, reached in ((6, 61, False), (5, 61, True), (6, 59, True), (0, 61, False)):
        sea = Sea((build_line("blue", speed), build_line("red", 6, across)), REACH)
        assert is_in_contact(sea, "blue", (False, True)) is reached
        assert is_in_contact(sea, "blue", (False, False)) is (across < REACH)


HELMS = st.builds(Helm, st.integers(1, 80), st.sampled_from((0.5, 0.7, 1.0)), st.booleans())
LINES = st.tuples(st.integers(0, 8), st.integers(-20, 20), HELMS, st.booleans())


@given(st.lists(LINES, min_size=1, max_size=3), st.lists(LINES, min_size=1, max_size=3))
def test_neither_side_is_steered_better_than_the_other(
    blue: list[tuple[int, int, Helm, bool]], red: list[tuple[int, int, Helm, bool]]
) -> None:
    """Guard against a side whose lines move first or by other numbers: swap the sides."""

    def steer_six_turns(
        first: list[tuple[int, int, Helm, bool]], second: list[tuple[int, int, Helm, bool]]
    ) -> Sea:
        lines, helms = list[BattleLine](), list[Helm]()
        for side, fleet, place in (("a", first, 0.0), ("b", second, 40.0)):
            for at, (speed, along, helm, fallen) in enumerate(fleet):
                out = -at * 3 if side == "a" else at * 3
                lines.append(
                    BattleLine(side, str(at), (f"{side}{at}",), speed, along, place + out, None, fallen)
                )
                helms.append(helm)
        sea = Sea(tuple(lines), REACH)
        for _ in range(6):
            sea = steer(sea, helms)
        return sea

    one, other = steer_six_turns(blue, red), steer_six_turns(red, blue)
    for at, to in product(range(len(blue)), range(len(red))):
        assert one.find_range(f"a{at}", f"b{to}") == pytest.approx(
            other.find_range(f"a{to}", f"b{at}"), abs=1
        )
        assert one.find_end(f"a{at}") == other.find_end(f"b{at}")


TWO = ("mikasa", "asahi", "kasuga", "shirakumo", "kasumi", "asama")
APART = """[[side.division]]
name = "boats"
ships = ["shirakumo", "kasumi"]
apart = true
doctrine = "run"
knots = 12
"""


def load_fleets(more: str = "", scenario: str = "") -> tuple[RuleSystem, Battle]:
    """Load six ships against a battleship; `more` applies to the six."""
    return load_duel(("mikasa",), TWO, "advanced-quickfire", scenario, more)


def damage_ship(battle: Battle, id: str, **changes: object) -> Battle:
    ship = battle.ships[id]
    log = {**ship.log, **{name: value for name, value in changes.items() if name in ship.log}}
    marks = (Mark("1", "course", "45 left"),) if "course" in changes else ()
    status = str(changes.get("status", ship.status))
    return replace(battle, ships={**battle.ships, id: replace(ship, log=log, marks=marks, status=status)})


def list_shape(sea: Sea) -> list[tuple[tuple[str, ...], bool]]:
    return [(each.ships, each.fallen) for each in sea.lines if each.side == "red"]


def test_a_division_apart_is_its_own_line_with_its_own_speed_limit() -> None:
    system, start = load_fleets(APART)
    model = BattleModel(system, start)
    sea = regroup(model, start, None)
    assert list_shape(sea) == [
        (("r-mikasa", "r-asahi", "r-kasuga", "r-asama"), False),
        (("r-shirakumo", "r-kasumi"), False),
    ]
    assert {model.compute_pace(start, start.ships[id]) for id in sea.lines[2].ships} == {12 * 0.375}
    assert sea.lines[2].speed == 12 * 0.375
    assert sea.lines[1].speed == min(model.compute_pace(start, start.ships[id]) for id in sea.lines[1].ships)


def test_a_side_at_anchor_does_not_move() -> None:
    """Guard against zero knots read as a missing value."""
    model = BattleModel(*load_fleets("knots = 0\nruns = false\n"))
    assert [each.speed > 0 for each in regroup(model, model.start, None).lines] == [True, False]
    assert not model.is_runner("red")


def test_a_ship_that_cannot_keep_up_falls_out_and_returns() -> None:
    system, start = load_fleets()
    model = BattleModel(system, start)
    sea = regroup(model, start, None)
    for slow in (damage_ship(start, "r-asahi", speed_hits=6), damage_ship(start, "r-asahi", course=True)):
        without = regroup(model, slow, sea)
        assert list_shape(without)[1] == (("r-asahi",), True)
        assert "r-asahi" not in list_shape(without)[0][0]
        assert list_shape(regroup(model, start, without)) == list_shape(sea)
    left = Sea(tuple(evolve(each, across=each.across + 30 * each.fallen) for each in without.lines), REACH)
    assert list_shape(regroup(model, start, left))[1] == (("r-asahi",), False)
    sunk = regroup(model, damage_ship(start, "r-asahi", status="sunk"), sea)
    assert "r-asahi" not in sunk.line_by_ship


def test_a_ship_that_arrives_later_starts_at_the_longest_range() -> None:
    system, start = load_fleets(APART)
    model = BattleModel(system, start)
    ships = {id: ship for id, ship in start.ships.items() if ship.division != "boats"}
    before = regroup(model, replace(start, ships=ships), None)
    sea = regroup(model, start, before)
    assert sea.find_range("r-shirakumo", "b-mikasa") == round(model.reach)


def test_the_battle_opens_at_the_range_of_its_scenario() -> None:
    for told, range in (("opens = 31", 31), ("", 48)):
        model = BattleModel(*load_fleets(scenario=told))
        assert regroup(model, model.start, None).find_range("b-mikasa", "r-asahi") == range


@pytest.mark.parametrize("rules", sorted(SYSTEMS))
def test_every_system_gives_the_pace_of_a_ship(rules: str) -> None:
    """Guard against a pace in another unit than the ranges, and knots that have no effect."""
    system, start = load_duel(("mikasa",), ("asama",), rules)
    model = BattleModel(system, start)
    ship: Ship = start.ships["b-mikasa"]
    full, ten, none = (system.pace(start, ship, knots) for knots in (None, 10.0, 0.0))
    assert 0.5 < float(ten.amount / full.amount) < 0.6
    assert not none.amount
    assert model.compute_pace(start, ship) < model.reach / 3
    assert not system.pace(start, replace(ship, status="sunk")).amount


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("knots = 200", "knots: expected"),
        ('runs = "yes"', "runs: expected"),
    ],
)
def test_a_wrong_value_in_a_scenario_is_reported_with_its_place(more: str, told: str) -> None:
    with pytest.raises(FileFaults, match=told):
        load_fleets(f"{more}\n")


def test_an_unknown_doctrine_does_not_prevent_a_battle_at_the_table() -> None:
    """Guard against another club's scenario that cannot be opened, and a doctrine taken for another."""
    system, start = load_fleets('doctrine = "houd"\n')
    with pytest.raises(QfError, match="no doctrine “houd”: there are hold, close"):
        build_spec(system, start, "1")
