"""What wins a battle: counted by what became of ships, told where it stands, and once when it is reached."""

import pytest
from attrs import evolve

from qf_tui.core.errors import OrderRefused
from qf_tui.core.schedule import counted, events, standings
from qf_tui.core.text import plural
from qf_tui.core.timeline import Timeline, opened
from qf_tui.core.values import Condition, Plan
from tests.core.playing import battle, play, ship
from tests.tiny import SYSTEM

OFF = Condition("north", 2, "north", ("withdrawn",), edge="south-east")
LOST = Condition("south", 1, "north", ("sunk", "withdrawn"), kind="Sloop", note="at sea")


def started(*conditions: Condition) -> Timeline:
    ships = [ship("ant"), ship("bee"), ship("cat", "south")]
    kinds = {"ant": "sloop", "bee": "brig", "cat": "sloop"}
    ships = [evolve(one, card={**one.card, "kind": kinds[one.id]}) for one in ships]
    return opened(evolve(battle(*ships), plan=Plan((), conditions)), ())


@pytest.mark.parametrize(
    ("condition", "orders", "number"),
    [
        (OFF, ["leave ant withdrawn south-east"], 1),
        (OFF, ["leave ant withdrawn south-east", "leave bee withdrawn south-east"], 2),
        (OFF, ["leave ant withdrawn south"], 0),
        (OFF, ["leave ant withdrawn"], 0),
        (OFF, ["leave ant"], 0),
        (OFF, ["leave cat withdrawn south-east"], 0),
        (OFF, ["leave ant withdrawn south", "leave ant withdrawn south-east"], 1),
        (OFF, ["leave ant withdrawn south-east", "join north ant"], 0),
        (OFF, ["leave ant withdrawn south-east", "join north ant", "leave ant withdrawn"], 0),
        (OFF, ["leave ant withdrawn south-east", "undo"], 0),
        (evolve(OFF, edge=""), ["leave ant withdrawn south", "leave bee sunk"], 1),
        (LOST, ["leave ant sunk"], 1),
        (LOST, ["leave ant withdrawn west"], 1),
        (LOST, ["leave bee sunk", "leave cat sunk"], 0),
        (LOST, ["mark ant status sunk"], 1),
    ],
)
def test_a_condition_counts_what_became_of_ships(
    condition: Condition, orders: list[str], number: int
) -> None:
    assert counted(play(started(condition), *orders).battle, condition) == number


def test_it_says_where_it_stands() -> None:
    after = play(started(OFF, LOST), "leave ant withdrawn south-east").battle
    assert standings(after) == (
        "North: 1 of 2 ships off the south-east edge",
        "South: 1 of 1 Sloop of North sunk or withdrawn (at sea) · reached",
    )


def test_it_is_said_once_as_it_is_reached() -> None:
    reached = "victory is reached: North: 2 of 2 ships off the south-east edge"
    timeline, told = started(OFF), []
    for order in ("leave ant withdrawn south-east", "leave bee withdrawn south-east", "leave cat", "note so"):
        before, timeline = timeline.battle, play(timeline, order)
        reasons = timeline.rulings[len(timeline.log)].decision.reasons
        said = [one.text for one in events(SYSTEM, before, timeline.battle) if "victory" in one.text]
        assert said == [one.text for one in reasons if "victory" in one.text]
        told.append(said)
    assert told == [[], [reached], [], []]
    back = play(timeline, "strike 1")
    assert standings(back.battle) == ("North: 1 of 2 ships off the south-east edge",)
    assert play(back, "restore 1").battle == timeline.battle


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("leave ant sunk south", "leave: only a ship that withdraws leaves by an edge, and Ant is sunk"),
        (
            "leave ant withdrawn sou",
            "by which edge it withdraws: “sou” is not one of harbour, north,",
        ),
        ("leave ant south", "what becomes of it: “south” is not one of withdrawn, sunk"),
    ],
)
def test_an_edge_that_there_is_not_is_refused(order: str, told: str) -> None:
    with pytest.raises(OrderRefused, match=told):
        play(started(evolve(OFF, edge="harbour")), order)


@pytest.mark.parametrize(
    ("first", "order", "told"),
    [
        ("leave ant withdrawn south-east", "leave ant", "Ant is withdrawn by the south-east edge already"),
        (
            "leave ant withdrawn south",
            "leave ant withdrawn south",
            "is withdrawn by the south edge already",
        ),
        ("leave ant sunk", "leave ant sunk", "Ant is sunk already"),
        ("leave ant sunk", "leave ant withdrawn", "Ant is sunk and cannot be withdrawn any more"),
    ],
)
def test_a_ship_that_is_gone_does_not_leave_again(first: str, order: str, told: str) -> None:
    """Catches an edge that a second order loses without a word."""
    before = play(started(OFF), first)
    with pytest.raises(OrderRefused, match=told):
        play(before, order)
    assert play(before, f"force {order}").battle.ships["ant"].edge == order.partition("withdrawn ")[2]


def test_an_edge_that_a_condition_names_is_one_of_this_battle() -> None:
    harbour = evolve(OFF, edge="harbour")
    after = play(started(harbour), "leave ant withdrawn har")
    assert (after.battle.ships["ant"].edge, counted(after.battle, harbour)) == ("harbour", 1)
    with pytest.raises(OrderRefused):
        play(started(OFF), "leave ant withdrawn harbour")


@pytest.mark.parametrize(
    ("one", "several"),
    [("battleship", "battleships"), ("battery", "batteries"), ("convoy", "convoys"), ("lynx", "lynxes")],
)
def test_several_of_a_kind(one: str, several: str) -> None:
    assert plural(one) == several
