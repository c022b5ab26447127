"""The questions of a schedule as its turn begins, and conditions of victory."""

from collections.abc import Mapping

import pytest
from attrs import evolve

from qf_tui.core.availability import list_able_ships
from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import FieldSpec, PreparedOrder
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar import kinds
from qf_tui.core.schedule import (
    count_fulfilling,
    find_scheduled_order,
    list_coming,
    list_events,
    list_standings,
)
from qf_tui.core.text import format_plural
from qf_tui.core.timeline import State, Timeline, build_timeline
from qf_tui.core.values import Battle, Condition, Due, Faces, Form, Order, Plan, Slot
from tests.core.playing import battle, renumber, revise, ship
from tests.tiny import Tiny

SKY = Form(
    "sky",
    "",
    "The sky",
    (
        Slot("light", kinds.CHOICE, "how light it is", ("day", "dusk"), keyword="light", optional=True),
        Slot("swell", kinds.COUNT, "the swell", keyword="swell", optional=True),
    ),
)


class Weather(Tiny):
    """The tiny system with weather: orders set light and swell, but not the moon."""

    name = "weather"
    forms = (*Tiny.forms, SKY)
    conditions = (
        FieldSpec("light", "word", "light", words=("day", "dusk")),
        FieldSpec("swell", "int", "swell"),
        FieldSpec("moon", "word", "moon", words=("new", "full")),
    )

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        if order.form is not SKY:
            return super().prepare(battle, order)

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            for name, value in order.slots.items():
                builder.write(Op.TABLE, "", name, value if isinstance(value, int) else str(value))
                builder.because(f"{name} is {value}")

        return PreparedOrder(decide=decide)


SYSTEM = Weather()
TURN = ("next", "next", "next")
ELK, FOX = ship("elk"), ship("fox", "south")
ARRIVES = Due(2, ("elk",), "from the north")
JOIN = "join north elk"


def begin_planned(*schedule: Due) -> Timeline:
    """Begin a battle with a schedule; elk is of the north, fox of the south."""
    start = evolve(battle(reserve=(ELK, FOX)), plan=Plan(schedule), began=None)
    return build_timeline(evolve(start, began=start), ())


def play(timeline: Timeline, *orders: str) -> Timeline:
    for order in orders:
        timeline = revise(timeline, order, system=SYSTEM).after
    return timeline


def expect_refusal(timeline: Timeline, order: str) -> str:
    with pytest.raises(OrderRefused) as caught:
        play(timeline, order)
    return str(caught.value)


def list_prompts(timeline: Timeline) -> list[str]:
    return [owed.prompt for owed in timeline.battle.owed]


def list_reasons(timeline: Timeline, number: int) -> list[str]:
    """List the reasons of an entry, remarks in brackets."""
    reasons = timeline.rulings[number].decision.reasons
    return [f"[{one.text}]" if one.is_remark else one.text for one in reasons]


def test_a_late_ship_is_absent_until_its_turn_asks_for_it() -> None:
    timeline = play(begin_planned(ARRIVES), "next", "next")
    for each in (timeline.battle, timeline.battle.start):
        assert "elk" not in each.ships
    assert "elk" not in {one.ship for one in list_able_ships(SYSTEM, timeline.battle)}
    assert expect_refusal(timeline, "damage elk H").startswith("no ship “elk”")
    assert list_coming(timeline.battle) == ("turn 2: North: One arrives from the north",)
    timeline = play(timeline, "next")
    assert list_prompts(timeline) == ["North: One arrives from the north"]
    assert list_reasons(timeline, 3) == ["turn 2, Sail", "North: One arrives from the north"]
    assert [order.line for owed in timeline.battle.owed if (order := find_scheduled_order(owed))] == [JOIN]
    assert "3/schedule//1: North: One arrives" in expect_refusal(timeline, "next")
    assert list_coming(timeline.battle) == ()


@pytest.mark.parametrize(
    ("due", "answer"),
    [
        (ARRIVES, JOIN),
        (Due(2, ("elk",), note="late"), JOIN),
        (Due(2, table={"light": "dusk"}), "sky light dusk"),
        (Due(2, table={"light": "dusk"}), "sky light dusk swell 2"),
        (Due(2, table={"swell": 3}), "sky swell 3"),
        (Due(2, note="The moon, rising, is red."), "note The moon, rising, is red."),
        (Due(2, note="The moon rises."), "note it does"),
        (ARRIVES, "answer no"),
        (Due(2, table={"light": "dusk"}), "answer 3/schedule//1 no"),
        (Due(2, note="The moon rises."), "answer no"),
    ],
)
def test_the_matching_order_or_no_answers_the_schedule(due: Due, answer: str) -> None:
    timeline = play(begin_planned(due), *TURN)
    assert len(timeline.battle.owed) == 1
    answered = play(timeline, answer)
    assert answered.battle.owed == ()
    assert answered.battle == play(timeline, answer, "undo", "redo").battle
    assert play(answered, "undo").battle == timeline.battle
    assert play(answered, "undo", "undo").battle == play(begin_planned(due), *TURN[:2]).battle
    assert play(answered, "undo", "undo", "redo", "redo").battle == answered.battle


@pytest.mark.parametrize("order", ["sky light day", "sky swell 2", "join south fox", "mark ant hull 2"])
def test_another_order_does_not_answer_the_schedule(order: str) -> None:
    dues = (ARRIVES, Due(2, table={"light": "dusk"}), Due(2, note="The moon rises."))
    timeline = play(begin_planned(*dues), *TURN)
    assert list_prompts(play(timeline, order)) == list_prompts(timeline)


def test_another_answer_than_no_is_refused_with_the_order_to_enter() -> None:
    told = expect_refusal(play(begin_planned(ARRIVES), *TURN), "answer yes")
    assert told == "North: One arrives from the north: enter `join north elk`, or `answer 3/schedule//1 no`"


def test_only_ships_that_have_not_arrived_are_asked_for() -> None:
    timeline = play(begin_planned(Due(2, ("elk", "fox"), "by the strait", note="Look out.")), *TURN)
    assert list_prompts(timeline) == [
        "North: One arrives by the strait: Look out.",
        "South: One arrives by the strait",
    ]
    gull = ship("gull")
    start = evolve(
        begin_planned().start, reserve={"elk": ELK, "gull": gull}, plan=Plan((Due(2, ("elk", "gull")),))
    )
    timeline = play(build_timeline(start, ()), *TURN, "join north gull")
    assert [order.line for owed in timeline.battle.owed if (order := find_scheduled_order(owed))] == [JOIN]
    assert play(timeline, JOIN).battle.owed == ()


@pytest.mark.parametrize(
    ("table", "note", "told", "left"),
    [
        ({"moon": "full"}, "", ["[moon full: Tiny does not track this", "moon full"], "note moon full"),
        (
            {"tide": 2},
            "High water.",
            ["[tide 2: Tiny does not track this", "High water."],
            "note High water.",
        ),
        ({"tide": 2, "light": "dusk"}, "", ["[tide 2: Tiny does not", "light dusk"], "sky light dusk"),
    ],
)
def test_a_condition_that_a_system_lacks_becomes_a_remark(
    table: Mapping[str, int | str], note: str, told: list[str], left: str
) -> None:
    """Use a system without a condition for the tide and without an order for the moon."""
    timeline = play(begin_planned(Due(2, table=table, note=note)), *TURN)
    found = list_reasons(timeline, 3)[1:]
    assert all(one.startswith(start) for one, start in zip(found, told, strict=True)), found
    assert [order.line for owed in timeline.battle.owed if (order := find_scheduled_order(owed))] == [left]


def test_a_change_that_is_already_made_is_not_asked() -> None:
    dues = (ARRIVES, Due(2, table={"light": "dusk"}), Due(2, note="The moon rises."))
    timeline = play(begin_planned(*dues), JOIN, "sky light dusk", *TURN)
    assert [owed.key for owed in timeline.battle.owed] == ["5/schedule//3"]


def test_a_scheduled_question_can_be_carried_over_and_answered_later() -> None:
    timeline = play(begin_planned(ARRIVES), *TURN, "force next", JOIN)
    assert timeline.battle.owed == ()
    assert timeline.battle.phase == "shoot"
    assert timeline.play_order[-1] == 5


def test_a_note_answers_one_of_two_remarks() -> None:
    timeline = play(begin_planned(Due(2, note="Rain."), Due(2, note="Wind.")), *TURN, "note rain")
    assert list_prompts(timeline) == ["Wind."]


def test_a_struck_turn_drops_its_question_and_keeps_the_answer() -> None:
    """Strike the `next` that opened turn 2: the ship stays, and nothing is asked again."""
    timeline = play(begin_planned(ARRIVES), *TURN, JOIN, "strike 3")
    assert (timeline.battle.turn, timeline.battle.owed) == (1, ())
    assert "elk" in timeline.battle.ships
    assert timeline.rulings[4].state is State.STANDS
    assert play(timeline, "next").battle.owed == ()
    assert play(timeline, "restore 3").battle == play(begin_planned(ARRIVES), *TURN, JOIN).battle


LATER = Due(3, ("elk",), "from the north")


@pytest.mark.parametrize(
    ("answer", "place"), [(JOIN, 3), ("answer no", 3), ("join north elk fox", None), ("force answer no", 3)]
)
def test_the_answer_to_a_late_scheduled_question_goes_where_it_belongs(
    answer: str, place: int | None
) -> None:
    """Insert a forgotten turn: turn 3 began long ago."""
    timeline = play(begin_planned(LATER), *TURN, "sail ant 2", "next", "next")
    late = play(timeline, "insert 0 next", "insert 0 next", "insert 0 next")
    assert [(owed.key, owed.late) for owed in late.battle.owed] == [("3/schedule//1", True)]
    answered = play(late, answer)
    assert answered.battle.owed == ()
    if place is None:
        assert answered.play_order[-1] == answered.next_number - 1
        return
    assert answered.play_order.index(answered.next_number - 1) == answered.play_order.index(3) + 1
    right = play(begin_planned(LATER), *TURN, *TURN, answer, "sail ant 2", "next", "next")
    assert renumber(answered) == right.battle


def test_a_late_answer_comes_before_phase_ends_inserted_at_its_place() -> None:
    """Let the late ship arrive at the start of its turn, before the inserted rest of the turn."""
    timeline = play(begin_planned(LATER), *TURN, "note so it was", "insert 3 next", *["insert 0 next"] * 3)
    assert [(owed.key, owed.late) for owed in timeline.battle.owed] == [("3/schedule//1", True)]
    assert play(timeline, JOIN).play_order == (6, 7, 8, 1, 2, 3, 9, 5, 4)


OFF = Condition("north", 2, "north", ("withdrawn",), edge="south-east")
LOST = Condition("south", 1, "north", ("sunk", "withdrawn"), kind="Sloop", note="at sea")


def begin_with_conditions(*conditions: Condition) -> Timeline:
    ships = [ship("ant"), ship("bee"), ship("cat", "south")]
    kinds = {"ant": "sloop", "bee": "brig", "cat": "sloop"}
    ships = [evolve(one, card={**one.card, "kind": kinds[one.id]}) for one in ships]
    return build_timeline(evolve(battle(*ships), plan=Plan((), conditions)), ())


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
def test_a_condition_counts_the_ships_that_fulfil_it(
    condition: Condition, orders: list[str], number: int
) -> None:
    assert count_fulfilling(play(begin_with_conditions(condition), *orders).battle, condition) == number


def test_the_standings_show_each_condition() -> None:
    after = play(begin_with_conditions(OFF, LOST), "leave ant withdrawn south-east").battle
    assert list_standings(after) == (
        "North: 1 of 2 ships off the south-east edge",
        "South: 1 of 1 Sloop of North sunk or withdrawn (at sea) · reached",
    )


def test_a_victory_is_reported_once() -> None:
    reached = "victory is reached: North: 2 of 2 ships off the south-east edge"
    timeline, told = begin_with_conditions(OFF), []
    for order in ("leave ant withdrawn south-east", "leave bee withdrawn south-east", "leave cat", "note so"):
        before, timeline = timeline.battle, play(timeline, order)
        reasons = timeline.rulings[len(timeline.log)].decision.reasons
        said = [one.text for one in list_events(SYSTEM, before, timeline.battle) if "victory" in one.text]
        assert said == [one.text for one in reasons if "victory" in one.text]
        told.append(said)
    assert told == [[], [reached], [], []]
    back = play(timeline, "strike 1")
    assert list_standings(back.battle) == ("North: 1 of 2 ships off the south-east edge",)
    assert play(back, "restore 1").battle == timeline.battle


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("leave ant sunk south", "leave: only a withdrawn ship leaves by an edge, not one that is sunk"),
        ("leave ant withdrawn sou", "the edge it leaves by: “sou” is not one of harbour, north,"),
        ("leave ant south", "its new status: “south” is not one of withdrawn, sunk"),
    ],
)
def test_an_unknown_edge_is_refused(order: str, told: str) -> None:
    with pytest.raises(OrderRefused, match=told):
        play(begin_with_conditions(evolve(OFF, edge="harbour")), order)


@pytest.mark.parametrize(
    ("first", "order", "told"),
    [
        ("leave ant withdrawn south-east", "leave ant", "Ant is withdrawn by the south-east edge already"),
        ("leave ant withdrawn south", "leave ant withdrawn south", "is withdrawn by the south edge already"),
        ("leave ant sunk", "leave ant sunk", "Ant is sunk already"),
        ("leave ant sunk", "leave ant withdrawn", "Ant is sunk and can no longer be withdrawn"),
    ],
)
def test_a_ship_that_is_gone_does_not_leave_again(first: str, order: str, told: str) -> None:
    """Change the edge by a second order only by force."""
    before = play(begin_with_conditions(OFF), first)
    with pytest.raises(OrderRefused, match=told):
        play(before, order)
    assert play(before, f"force {order}").battle.ships["ant"].edge == order.partition("withdrawn ")[2]


def test_an_edge_that_a_condition_names_may_be_left_by() -> None:
    harbour = evolve(OFF, edge="harbour")
    after = play(begin_with_conditions(harbour), "leave ant withdrawn har")
    assert (after.battle.ships["ant"].edge, count_fulfilling(after.battle, harbour)) == ("harbour", 1)
    with pytest.raises(OrderRefused):
        play(begin_with_conditions(OFF), "leave ant withdrawn harbour")


@pytest.mark.parametrize(
    ("one", "several"),
    [("battleship", "battleships"), ("battery", "batteries"), ("convoy", "convoys"), ("lynx", "lynxes")],
)
def test_kinds_of_ships_have_plurals(one: str, several: str) -> None:
    assert format_plural(one) == several
