"""The points of each rule: what counts, until when, and how corrections change the sums."""

import pytest

from qf_tui.core.schedule import is_won, list_standings
from qf_tui.core.values import EACH_SHIP, Condition, Points
from qf_tui.features.points.sums import compute_sums, list_public_rules
from qf_tui.session import Session
from tests.features.points.scored import LOST, add_points, begin_scored, build_rule, read_sums
from tests.systems import find_systems_and_books, load_start

SUNK = "leave ship-2 sunk"
BY_SHIP = build_rule("west", "east", 3, each=EACH_SHIP)


@pytest.mark.parametrize(
    ("rule", "orders", "points"),
    [
        (build_rule("west", "east", 3), (), 0),
        (build_rule("west", "east", 3), (SUNK,), 3),
        (build_rule("west", "east", 3), (SUNK, "leave ship-4 sunk"), 3),
        (
            Condition("west", 2, "east", LOST, points=Points(3)),
            (SUNK,),
            0,
        ),
        (BY_SHIP, (SUNK, "leave ship-4 sunk"), 6),
        (BY_SHIP, (SUNK, "leave ship-4 withdrawn"), 3),
        (BY_SHIP, ("leave ship-1 sunk",), 0),
        (build_rule("west", "east", 2, each="hull"), ("mark ship-2 hull 2", "mark ship-4 hull -1"), 8),
        (build_rule("west", "east", 2, each="hull"), ("mark ship-2 hull 9",), 0),
        (build_rule("west", "east", 1, each="hull"), ("mark ship-1 hull 0",), 0),
        (build_rule("west", "east", half=4), ("mark ship-2 hull 1",), 0),
        (build_rule("west", "east", half=4), ("leave ship-2 withdrawn",), 4),
        # A ship that gives the full points gives no half points.
        (build_rule("west", "east", 5, each=EACH_SHIP, half=4), (SUNK, "leave ship-4 withdrawn"), 9),
    ],
)
def test_what_a_rule_gives(rule: Condition, orders: tuple[str, ...], points: int) -> None:
    session = begin_scored(rule)
    for order in orders:
        session.enter(order)
    assert read_sums(session) == {"west": points}


def test_only_what_happened_by_the_end_of_a_turn_counts() -> None:
    session = begin_scored(build_rule("west", "east", 3, each=EACH_SHIP, by_turn=1))
    session.enter(SUNK)
    while session.battle.turn == 1:
        session.enter("force next")
    session.enter("leave ship-4 sunk")
    assert read_sums(session) == {"west": 3}
    session.enter("strike 1")
    assert read_sums(session) == {"west": 0}


def test_a_correction_takes_points_back() -> None:
    session = begin_scored(BY_SHIP, build_rule("east", "west", 1, each="hull"))
    for order in (SUNK, "mark ship-1 hull 3", "undo"):
        session.enter(order)
    assert read_sums(session) == {"west": 3, "east": 0}
    for order in ("redo", "strike 1"):
        session.enter(order)
    assert read_sums(session) == {"west": 0, "east": 2}


def test_points_win_and_end_nothing() -> None:
    session = begin_scored(BY_SHIP)
    session.enter(SUNK)
    assert not is_won(session.battle)
    assert not list_standings(session.battle)


def test_public_sums_count_no_secret_points() -> None:
    session = begin_scored(BY_SHIP, build_rule("west", "east", 5, secret=True))
    session.enter(SUNK)
    (public,) = compute_sums(session.system, session.timeline, list_public_rules(session.battle))
    assert (public.points, read_sums(session)["west"]) == (3, 8)


SCENARIOS = {
    "advanced-quickfire": "yellow-sea-1904",
    "quickfire": "yellow-sea-1904",
    "quickfire-clone": "yellow-sea-1904",
    "gq2": "yellow-sea-1904",
    "frigates": "lissa-1811",
    "river-1863": "river-bend-1863",
    "slot-1942": "tassafaronga-1942",
}


@pytest.mark.parametrize("rules", find_systems_and_books())
def test_points_count_in_every_system_and_book(rules: str) -> None:
    system, start = load_start(SCENARIOS[rules], "" if SCENARIOS[rules] != "yellow-sea-1904" else rules)
    assert system.name == rules
    first, second = (side.id for side in start.sides)
    lost, *_ = (ship.id for ship in start.ships.values() if ship.side == second)
    counted = next(field for field in system.fields if field.kind == "count")
    session = add_points(
        Session.begin(system, start),
        build_rule(first, second, 3, each=EACH_SHIP, half=1),
        build_rule(first, second, 1, each=counted.name),
    )
    session.enter(f"leave {lost} sunk")
    assert read_sums(session) == {first: 3}
