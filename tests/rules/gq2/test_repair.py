"""The repair phase: damage control, power, and ships that go down (GQ2-REP, GQ2-SNK)."""

from fractions import Fraction

import pytest
from attrs import evolve

from qf_tui.document.glance import changed_in_phase
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.session import Session
from tests.rules.gq2.tables import battle, played, to_phase, waits, words
from tests.rules.playing import allowed, changed, enter, owed, question, reasons, refusal, values


def repairing(*orders: str) -> Session:
    """The repair phase after orders in the torpedo phase before it."""
    return to_phase(played(battle(phase="torpedo"), *orders), "repair")


@pytest.mark.clause("GQ2-REP-1")
def test_damage_control_comes_before_the_sinking_and_may_bring_it_about() -> None:
    """Catches a sinking test thrown too early, or a ship that starts to sink here and is passed over."""
    session = repairing("damage rook H4½", "mark rook fires 1", "mark rival status sinking")
    assert owed(session) == ["damage-control rook"]
    assert changed(session, "roll 6") == {"hull_lost": 5, "speed": 0, "status": "sinking", "marker": 1}
    assert owed(session) == ["sinking rook", "sinking rival"]
    assert question(session, "sinking").key.startswith("4/")


@pytest.mark.clause("GQ2-REP-1")
def test_the_sinking_is_tested_once_a_turn() -> None:
    session = repairing("damage rook S")
    enter(session, "roll 1")
    assert owed(session) == []
    enter(session, "note more to do")
    assert owed(session) == []


@pytest.mark.clause("GQ2-SNK-1")
def test_a_ship_that_begins_to_sink_after_the_others_were_tested_is_tested_too() -> None:
    """Catches a marker set in this turn that waits for the repair phase of the next."""
    session = repairing("damage rook S")
    enter(session, "roll 1", "damage rival S")
    assert owed(session) == ["sinking rival"]
    enter(session, "roll 1", "next")
    assert values(session, "rival")["marker"] == 2


@pytest.mark.clause("GQ2-REP-1")
@pytest.mark.clause("GQ2-MV-8")
@pytest.mark.parametrize(
    ("answer", "took"), [("3", {"speed": 8}), ("5", {"speed": 3}), ("no", {})], ids=["box 3", "box 5", "none"]
)
def test_a_ship_without_power_is_asked_for_each_repair_phase_and_the_outcome_is_the_umpires(
    answer: str, took: dict[str, object]
) -> None:
    """Catches a die that nobody's rules give, power without hull, and what is left to memory."""
    session = played(battle(phase="torpedo"), "mark rook hull_lost 2", "mark rook boiler 6", "next")
    assert owed(session) == ["power rook"]
    assert question(session, "power").words == ("3", "4", "5", "no")
    for wrong in ("2", "6", "yes", "3 4"):
        assert refusal(session, f"answer {wrong}") == ""
    assert changed(session, f"answer {answer}") == took
    to_phase(session, "torpedo")
    assert owed(enter(session, "next")) == ([] if took else ["power rook"])


@pytest.mark.clause("GQ2-MV-8")
def test_ships_that_touch_owe_the_outcome_of_a_collision_check_each() -> None:
    """Catches a collision that the next order passes over."""
    session = played(battle(phase="movement"), "contact ajax,rook")
    assert owed(session) == ["collision ajax", "collision rook"]
    assert refusal(session, "next") == ""
    assert refusal(session, "answer H1 nonsense") == ""
    assert words(session, "answer none") == "Ajax is unharmed"
    assert changed(session, "answer H1.5 C") == {"hull_lost": 1.5, "speed": 10}
    assert owed(session) == ["critical rook"]
    assert refusal(enter(session, "roll 0", "next"), "contact ajax,rook") == "GQ2-PH-1"


@pytest.mark.clause("GQ2-REP-1")
def test_steam_lines_that_lapse_by_themselves_want_no_power() -> None:
    """Catches a ship without power that has it again next turn."""
    session = played(battle(phase="torpedo"), *["damage rook CA", "roll 5"] * 4)
    to_phase(session, "movement")
    assert values(to_phase(session, "repair"), "rook")["speed"] == 0
    assert owed(session) == []


@pytest.mark.clause("GQ2-REP-1")
def test_a_fire_written_by_hand_rolls_as_damage_control() -> None:
    session = repairing("mark rook fires 2")
    assert values(session, "rook")["criticals"] == ["damage control", "damage control"]
    assert owed(session) == ["damage-control rook"] * 2
    assert changed(session, "roll 2") == {"fires": 1, "criticals": ["damage control"]}


@pytest.mark.clause("GQ2-SNK-1")
def test_a_marker_of_one_can_only_rise_in_the_turn_it_is_set() -> None:
    """Catches a test put off to the next turn, or a ship that is gone at once."""
    session = repairing("damage rook H5")
    assert changed(session, "roll 1") == {"marker": 2}


@pytest.mark.clause("GQ2-SNK-1")
@pytest.mark.parametrize(
    ("marker", "face", "sinks"), [(3, 2, True), (3, 3, False), (6, 5, True), (7, 6, True)]
)
def test_a_die_below_the_marker_sinks_and_any_other_raises_it(marker: int, face: int, sinks: bool) -> None:
    """Catches the edge at the marker."""
    session = repairing("mark rook status sinking", f"mark rook marker {marker}")
    took = changed(session, f"roll {face}")
    expected = {"status": "sunk", "sunk": True, "marker": None} if sinks else {"marker": marker + 1}
    assert took == expected


@pytest.mark.clause("GQ2-SNK-1")
def test_a_sinking_ship_is_tested_every_turn_and_one_without_a_marker_has_a_one() -> None:
    session = repairing("mark rook status sinking")
    enter(session, "roll 5")
    for turn in (2, 3):
        to_phase(session, "repair")
        assert owed(session) == ["sinking rook"]
        assert values(session, "rook")["marker"] == turn
        enter(session, "roll 6")


@pytest.mark.clause("GQ2-SNK-1")
def test_what_hits_a_sinking_ship_leaves_its_marker() -> None:
    session = played(battle(), "damage rook CA", "roll 9", "roll 6 5", "damage rook H5")
    assert values(session, "rook")["marker"] == 5


@pytest.mark.clause("GQ2-SNK-2")
def test_a_ship_that_sinks_owes_nothing_any_more() -> None:
    session = repairing("mark rook status sinking", "mark rook marker 6")
    enter(session, "damage rook C")
    assert owed(session) == ["sinking rook", "critical rook"]
    enter(session, "roll 1")
    assert owed(session) == []
    assert refusal(session, "damage rook H1") == "GQ2-SNK-2"


@pytest.mark.clause("GQ2-SNK-3")
@pytest.mark.parametrize("switch", ["fights", "silent"])
def test_a_ship_aground_lies_still_and_fights_on_unless_the_switch_silences_her(switch: str) -> None:
    """Catches guns silenced by running aground, a ship aground that moves, and another state's clause."""
    orders = {
        "searchlights": "light rook ajax",
        "gunnery": "fire rook 6 ajax straddle 5",
        "torpedo": "torpedo rook ajax stick 5",
    }
    for phase, order in orders.items():
        session = played(battle(phase=phase, light="night", aground=switch), "mark ajax lit yes")
        assert reasons(session, "leave rook aground")[-1].clause == "GQ2-SNK-3"
        assert allowed(session, order) is ("rook" in waits(session)) is (switch == "fights")
        assert switch == "fights" or refusal(session, order) == "GQ2-SNK-3"
        assert not session.system.ended(enter(session, "leave rival sunk").battle) or switch == "silent"
    session = played(battle(phase="movement", aground=switch), "leave rook aground")
    for order in ("move rook 0", "anchor rook", "wander rook 0 0"):
        assert refusal(session, order) == "GQ2-SNK-3", order
    assert "rook" not in waits(session)
    assert values(session, "rook")["speed"] == 0
    assert "-2 stationary" in words(enter(session, "next", "next"), "fire ajax 6 rook straddle 5 9")
    assert "-4 stationary" in words(enter(session, "next"), "torpedo ajax rook stick 5 9")
    assert changed(session, "damage rook H5") == {"hull_lost": 5, "status": "sinking", "marker": 1}


@pytest.mark.clause("GQ2-SNK-2")
@pytest.mark.parametrize("status", ["withdrawn", "struck", "sunk"])
def test_a_ship_that_has_left_or_struck_takes_no_orders_and_is_no_target(status: str) -> None:
    session = played(battle(), f"leave rook {status}")
    assert refusal(session, "fire rook 6 ajax straddle 5") == "GQ2-SNK-2"
    assert refusal(session, "fire ajax 6 rook straddle 5") == "GQ2-SNK-2"


@pytest.mark.clause("GQ2-SNK-2")
@pytest.mark.parametrize("status", ["abandoned", "sinking"])
def test_abandoned_and_sinking_ships_do_not_act(status: str) -> None:
    """Catches a wreck that fires, launches, shines or lays smoke."""
    orders = {
        "movement": ("move rook 0", "smoke rook", "anchor rook", "wander rook 5 1"),
        "searchlights": ("light rook ajax",),
        "gunnery": ("fire rook 6 ajax straddle 5",),
        "torpedo": ("torpedo rook ajax stick 5",),
    }
    for phase, each in orders.items():
        session = played(
            battle(phase=phase, light="night"), f"mark rook status {status}", "mark ajax lit yes"
        )
        assert "rook" not in waits(session)
        for order in each:
            assert refusal(session, order) == "GQ2-SNK-2", order


def test_the_table_is_told_what_to_change() -> None:
    """What hands do between two battles: speeds, markers, lights, smoke, ships that go."""
    start = battle(phase="movement")
    session = played(
        start,
        "smoke ajax",
        "damage rook H1 C",
        "roll 3",
        "damage rival S",
        "leave boyne withdrawn",
        "mark kobold status abandoned",
    )
    assert SYSTEM.on_table(start, session.battle) == (
        ("blue", "Ajax: place smoke"),
        ("blue", "Boyne: withdrawn: remove the model"),
        ("red", "Rook: speed 10″"),
        ("red", "Rook: lit: mark it"),
        ("red", "Rival: sinking marker 1"),
        ("red", "Kobold: abandoned: mark it; it stays in the way"),
    )
    assert ("red", "Rival: afloat again: put it back, without marker") in SYSTEM.on_table(
        session.battle, start
    )


def test_the_table_is_told_of_a_marker_that_rises_and_of_what_comes_back() -> None:
    session = repairing("damage rook S", "mark ajax boiler 2", "mark boyne lit yes")
    before = session.battle
    enter(session, "roll 6", "mark ajax boiler 0", "mark boyne lit no")
    assert SYSTEM.on_table(before, session.battle) == (
        ("blue", "Ajax: speed back to 12″"),
        ("blue", "Boyne: dark again"),
        ("red", "Rook: sinking marker 2"),
    )
    assert SYSTEM.on_table(session.battle, session.battle) == ()


def test_the_table_is_told_of_ships_that_come_and_of_smoke_taken_up() -> None:
    start = battle(phase="movement")
    without = evolve(start, ships={id: each for id, each in start.ships.items() if id != "kobold"})
    assert SYSTEM.on_table(without, start) == (("red", "Kobold: put on the table"),)
    assert SYSTEM.on_table(start, without) == (("red", "Kobold: take off the table"),)
    smoking = played(start, "smoke ajax").battle
    assert SYSTEM.on_table(smoking, start) == (("blue", "Ajax: remove its smoke"),)


@pytest.mark.clause("GQ2-PH-3")
def test_smoke_that_is_taken_up_is_read_out_once() -> None:
    """Catches smoke that is to be removed as the repair phase begins, and as it ends again."""
    session = to_phase(to_phase(played(battle(phase="movement"), "smoke ajax"), "movement"), "torpedo")
    told = []
    for _ in range(2):
        before = session.timeline
        told.append(changed_in_phase(SYSTEM, before, enter(session, "next").battle))
    assert told == [(("blue", "Ajax: remove its smoke"),), ()]


DICE = {
    "fire ajax 6 rook straddle 5": "white D10 0, red D10 0, blue D10 0",
    "fire ajax 6 rook straddle 7 rapid": "white D10 0, red D6 1, blue D6 1",
    "torpedo ajax rook stick 5": "D10 0",
    "wander ajax 5 1": "red D6 1, blue D6 1, D10 0",
    "mine rook": "D6 1",
    "damage rook C": "D10 0",
    "steam kobold": "D6 1, D6 1",
}


@pytest.mark.parametrize(("order", "dice"), DICE.items())
def test_the_dice_that_an_order_owes(order: str, dice: str) -> None:
    """Catches a die with other sides, or a ten-sided one that begins at 1."""
    session = played(battle(), "mark kobold state standby", f"force {order}")
    asked = session.battle.owed[0].dice
    assert ", ".join(f"{die} {die.least}" for die in asked) == dice


def test_the_dice_that_follow_from_others() -> None:
    session = played(battle(light="night"), "fire ajax 6 rook straddle 5")
    assert [str(die) for die in session.battle.owed[0].dice] == ["red D6", "blue D6"]
    session = played(battle(), "damage ajax CA", "roll 9")
    for line in ("barbette", "marker"):
        assert [str(die) for die in question(session, line).dice] == ["D6"]
        enter(session, "roll 6")
    session = repairing("mark rook fires 1", "damage rival S")
    for line in ("damage-control", "sinking"):
        assert [str(die) for die in question(session, line).dice] == ["D6"]
        enter(session, "roll 6")


@pytest.mark.parametrize(
    ("before", "line", "label", "chance"),
    [
        (("mark rook fires 1",), "damage-control", "repaired", Fraction(4, 6)),
        (("mark rook status sinking", "mark rook marker 4"), "sinking", "goes down", Fraction(3, 6)),
    ],
)
def test_the_odds_of_the_repair_phase_are_exact(
    before: tuple[str, ...], line: str, label: str, chance: Fraction
) -> None:
    session = repairing(*before)
    told = session.preview_order(f"roll {question(session, line).key}").chances
    assert [(each.label, each.value) for each in told] == [(label, chance)]


@pytest.mark.clause("GQ2-SNK-1")
@pytest.mark.clause("GQ2-CRI-9")
@pytest.mark.parametrize(("marker", "face", "stands"), [(1, 5, 5), (4, 2, 4), (3, 3, 3)])
@pytest.mark.parametrize("together", [True, False])
def test_a_sinking_ship_that_explodes_takes_the_higher_marker(
    marker: int, face: int, stands: int, together: bool
) -> None:
    """Catches an explosion that does nothing, or lifts a ship, by whether its two dice come at once."""
    session = played(
        battle(), "mark rook status sinking", f"mark rook marker {marker}", "damage rook CA", "roll 9"
    )
    enter(session, *((f"roll 6 {face}",) if together else ("roll 6", f"roll {face}")))
    assert values(session, "rook")["marker"] == stands
    assert owed(session) == []
