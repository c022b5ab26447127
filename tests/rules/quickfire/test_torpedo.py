"""Torpedoes (QF-TOR)."""

import pytest

from tests.rules.playing import allowed, changed, owed, refusal, result, values
from tests.rules.quickfire.tables import battle, craft, played, ship


@pytest.mark.clause("QF-TOR-1")
@pytest.mark.parametrize(("rating", "most"), [(1, 2), (2, 3), (3, 4), (4, 5), (7, 5)])
def test_a_moving_target_is_struck_by_rating(rating: int, most: int) -> None:
    """Catches any cell of the row, and a rating beyond it."""
    for total, strikes in ((most, True), (most + 1, False)):
        session = played(battle(ship("ajax", torpedo=rating), ship("rook", "red")))
        low = max(1, total - 6)
        assert result(session, f"torpedo ajax rook in {low} {total - low}")["struck"] is strikes
        assert values(session, "ajax")["torpedo"] == rating


@pytest.mark.clause("QF-TOR-2")
@pytest.mark.parametrize(("rating", "most"), [(1, 3), (2, 4), (3, 5), (4, 6)])
@pytest.mark.parametrize("boxes", [0, 1, 2])
def test_a_target_that_moved_one_box_or_less_is_static(rating: int, most: int, boxes: int) -> None:
    """Catches any cell of the row, and a bound of the motion."""
    start = battle(ship("ajax", torpedo=rating), ship("rook", "red"), phase="movement")
    session = played(start, f"move rook {boxes}", "next")
    low = max(1, most - 6)
    struck = result(session, f"torpedo ajax rook in {low} {most - low}")["struck"]
    assert struck is (boxes <= 1)


@pytest.mark.clause("QF-TOR-1")
@pytest.mark.parametrize(
    ("range", "clause"),
    [("in", None), ("pb", None), ("1in", None), ("4in", None), ("0.5in", "QF-TOR-1"), ("5in", "QF-TOR-1"),
     ("short", "QF-TOR-1"), ("long", "QF-TOR-1")],
)  # fmt: skip
def test_torpedoes_reach_from_their_least_to_their_greatest_range(range: str, clause: str | None) -> None:
    session = played(battle(torpedo_least="scale"))
    if clause:
        assert refusal(session, f"torpedo ajax rook {range} 6 6") == clause
        text = session.preview_order(f"torpedo ajax rook {range}").findings[0].text
        assert ("out of torpedo range, 1″ to 4″" if range.endswith("in") else "point blank only") in text
    else:
        assert result(session, f"torpedo ajax rook {range} 6 6")["struck"] is False


@pytest.mark.clause("QF-TOR-5")
def test_torpedoes_have_no_least_range_unless_the_switch_says_so() -> None:
    """Catches the least range of the sister game."""
    session = played(battle())
    assert allowed(session, "torpedo ajax rook 0.5in 1 2")
    assert "out of torpedo range, 0″ to 4″" in str(session.preview_order("torpedo ajax rook 5in").findings)
    session.enter("option torpedo_least scale")
    assert refusal(session, "torpedo ajax rook 0.5in 1 2") == "QF-TOR-1"


@pytest.mark.clause("QF-TOR-6")
@pytest.mark.parametrize(
    ("move", "static"), [("2 pivots 2", True), ("1in pivots 2", True), ("2", False), ("3 pivots 2", False)]
)
def test_static_goes_by_the_distance_whatever_the_pivots_cost(move: str, static: bool) -> None:
    """Catches the box of a pivot taken for motion."""
    start = battle(ship("ajax", torpedo=4), ship("rook", "red"), phase="movement")
    session = played(start, f"move rook {move}", "next")
    assert result(session, "torpedo ajax rook in 3 3")["struck"] is static


@pytest.mark.clause("QF-TOR-1")
def test_a_ship_without_rating_launches_nothing() -> None:
    start = battle(ship("ajax", torpedo=0), ship("boyne", log={"torpedo": 0}), ship("rook", "red"))
    session = played(start)
    assert refusal(session, "torpedo ajax rook in 1 1") == "QF-TOR-1"
    assert refusal(session, "torpedo boyne rook in 1 1") == "QF-TOR-1"


@pytest.mark.clause("QF-TOR-1")
def test_the_rating_counts_as_the_phase_began() -> None:
    start = battle(ship("ajax"), craft("skiff"))
    session = played(start, "damage skiff T T T")
    assert values(session, "skiff")["torpedo"] == 1
    assert result(session, "torpedo skiff ajax in 2 3")["struck"] is True


@pytest.mark.clause("QF-TOR-3")
@pytest.mark.parametrize("die", [1, 4, 6])
def test_a_strike_is_as_many_s_as_one_die_shows(die: int) -> None:
    session = played(battle(), "torpedo ajax rook in 1 1")
    assert owed(session) == ["speed-hits rook"]
    assert session.battle.owed[0].dice == (session.battle.owed[0].dice[0],)
    assert changed(session, f"roll {die}") == {"speed_hits": die, "available_speed": 8 - die}


@pytest.mark.clause("QF-TOR-4")
def test_a_ship_launches_once_a_turn_however_many_gunnery_phases_there_are() -> None:
    start = battle(gunnery_phases="2", phase="movement")
    session = played(start, "next", "torpedo ajax rook in 6 6")
    assert refusal(session, "torpedo ajax rook in 6 6") == "QF-TOR-4"
    session.enter("next")
    assert session.battle.phase == "gunnery"
    assert refusal(session, "torpedo ajax rook in 6 6") == "QF-TOR-4"


@pytest.mark.clause("QF-TOR-1")
def test_a_declared_attack_owes_its_dice() -> None:
    session = played(battle(), "torpedo ajax rook in")
    assert owed(session) == ["torpedo ajax"]
    session.enter("roll 1 1")
    assert owed(session) == ["speed-hits rook"]


@pytest.mark.clause("QF-TOR-1")
@pytest.mark.parametrize(("dice", "struck"), [("1 1", True), ("6 6", False)])
def test_an_attack_states_that_it_has_neither_points_nor_sx(dice: str, struck: bool) -> None:
    """Catches facts of an attack that scripts find in one game only."""
    told = result(played(battle()), f"torpedo ajax rook in {dice}")
    assert told == {"struck": struck, "points": None, "sx": None}
