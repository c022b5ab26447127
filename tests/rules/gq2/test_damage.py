"""Critical hits, the repair phase, and ships that go down (GQ2-CRI, GQ2-REP, GQ2-SNK)."""

from fractions import Fraction

import pytest
from attrs import evolve

from qf_tui.document.glance import list_phase_changes
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.session import Session
from tests.rules.gq2.tables import (
    battle,
    build_class,
    destroyer,
    join_reasons,
    list_waiting,
    play_to_phase,
    played,
    ship,
)
from tests.rules.playing import changed, enter, is_allowed, owed, question, reasons, refusal, result, values

HIT, THROUGH = "damage rook C", "damage rook CA"


def hit_rook(*faces: int, code: str = THROUGH) -> Session:
    """Hit rook with criticals in gunnery."""
    session = played(battle())
    for face in faces:
        enter(session, code, f"roll {face}")
    return session


@pytest.mark.clause("GQ2-CRI-0")
def test_fire_control_adds_two_to_every_later_straddle() -> None:
    session = play_to_phase(hit_rook(0, code=HIT), "gunnery")
    assert values(session, "rook")["criticals"] == ["fire control"]
    assert "+2 fire control" in join_reasons(session, "fire rook 6 ajax straddle 5 9")
    assert "+2 fire control" in join_reasons(session, "fire rook 12 ajax straddle 5 9")


@pytest.mark.clause("GQ2-CRI-1")
def test_a_bridge_hit_binds_the_first_half_of_the_next_move_and_no_other() -> None:
    """Bind neither the present move nor later ones."""
    session = hit_rook(1, code=HIT)
    assert values(session, "rook")["criticals"] == ["bridge"]
    play_to_phase(session, "movement")
    said = "Rook keeps speed and course in the first half, 5″; the other 5″ are for the umpire to decide"
    assert f"{said} (GQ2-CRI-C)" in session.preview_order("move rook 10").reminders
    assert said in join_reasons(session, "move rook 10")
    assert said not in " ".join(session.preview_order("move rival 10").reminders)
    told = " ".join(session.system.advice(session.battle))
    assert "kept in the first half of the move: Rook (GQ2-CRI-1)" in told
    play_to_phase(session, "movement")
    assert values(session, "rook")["criticals"] == []
    assert said not in " ".join(session.preview_order("move rook 10").reminders)


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.parametrize("hits", [1, 2])
def test_a_damaged_rudder_makes_turns_cost_an_inch_and_a_half_each(hits: int) -> None:
    """Keep the cost over turns, and do not double it for a second hit."""
    session = play_to_phase(hit_rook(*[2] * hits, code=HIT), "movement")
    assert refusal(session, "move rook 10 turns 2") == "GQ2-CRI-2"
    assert refusal(session, "move rook 9.5in turns 2") == "GQ2-CRI-2"
    assert session.preview_order("move rook 12").fine
    told = " ".join(session.preview_order("move rook 12").reminders)
    assert "every turn of 45° costs 1½″ of its speed" in told
    assert session.preview_order("move rival 12 turns 2").fine
    assert "Rook makes 12″, and 2 turns of 45° cost 3″ of it" in join_reasons(
        session, "force move rook 9 turns 2"
    )
    assert values(play_to_phase(session, "movement"), "rook")["criticals"] == ["rudder"] * hits


@pytest.mark.clause("GQ2-CRI-3")
@pytest.mark.clause("GQ2-CRI-8")
@pytest.mark.parametrize("face", [3, 4, 8])
def test_damage_control_and_a_bulkhead_take_their_boxes(face: int) -> None:
    """Let the fire of damage control illuminate the ship, and let no bulkhead burn."""
    burning = {"hull_lost": 0.5, "fires": 1, "criticals": ["damage control"], "illuminated": True}
    took = changed(played(battle(), THROUGH), f"roll {face}")
    assert took == (burning if face < 5 else {"hull_lost": 1, "speed": 10})


@pytest.mark.clause("GQ2-CRI-3")
@pytest.mark.parametrize(("face", "mends"), [(1, True), (4, True), (5, False), (6, False)])
def test_a_1_to_4_repairs_damage_control_and_a_5_or_6_costs_half_a_box(face: int, mends: bool) -> None:
    """Check the edge at 4."""
    session = play_to_phase(hit_rook(3), "repair")
    assert owed(session) == ["damage-control rook"]
    took = changed(session, f"roll {face}")
    if mends:
        assert took == {"fires": 0, "criticals": [], "illuminated": False}
    else:
        assert took == {"hull_lost": 1, "speed": 10}


@pytest.mark.clause("GQ2-CRI-5")
@pytest.mark.parametrize("by_hand", [False, True])
def test_steam_lines_slow_only_the_next_turn_and_add_up(by_hand: bool) -> None:
    """Remove marks by hand too."""
    session = played(battle(), "mark rook steam 2") if by_hand else hit_rook(5, 5)
    assert values(session, "rook")["speed"] == 12
    assert values(session, "rook")["criticals"] == ["steam line", "steam line"]
    play_to_phase(session, "movement")
    assert values(session, "rook")["speed"] == 6
    assert refusal(session, "move rook 7") == "GQ2-CRI-C"
    play_to_phase(session, "movement")
    assert values(session, "rook")["speed"] == 12
    assert values(session, "rook")["criticals"] == []


@pytest.mark.clause("GQ2-CRI-C")
@pytest.mark.parametrize(
    ("switch", "clause", "moved", "damage", "most"),
    [
        ("made", "GQ2-CRI-C", 6, "", 3),
        ("made", "GQ2-CRI-C", 2, "", 0),
        ("made", "GQ2-LOG-2", 12, "damage rook H4", 3),
        ("box", "GQ2-CRI-5", 6, "", 8),
        ("box", "GQ2-CRI-5", 12, "damage rook H2", 5),
    ],
)
def test_a_steam_line_slows_the_speed_made_or_by_a_switch_the_box(
    switch: str, clause: str, moved: int, damage: str, most: int
) -> None:
    """Slow a cruising ship too, and reduce no box twice."""
    session = played(battle(phase="movement", steam_line=switch), f"move rook {moved}", "next", "next")
    enter(session, *filter(None, ("damage rook CA", "roll 5", damage)))
    play_to_phase(session, "movement")
    fine = [inches for inches in range(14) if session.preview_order(f"move rook {inches}").fine]
    assert fine[-1] == most
    assert refusal(session, "move rook 14") == clause
    play_to_phase(session, "gunnery")
    assert values(session, "rook")["speed"] == (9 if switch == "box" and not damage else most)


@pytest.mark.clause("GQ2-CRI-6")
@pytest.mark.parametrize("face", [6, 7])
def test_a_boiler_room_costs_a_hull_box_of_speed_for_good(face: int) -> None:
    session = played(battle(), THROUGH)
    assert "Rook: the speed of hull box 2, for good" in join_reasons(session, f"roll {face}")
    assert values(session, "rook")["speed"] == 10
    assert values(session, "rook")["hull_lost"] == 0
    assert values(session, "rook")["criticals"] == ["boiler room"]
    assert refusal(play_to_phase(session, "movement"), "move rook 11") == "GQ2-CRI-6"


@pytest.mark.clause("GQ2-CRI-6")
def test_the_next_boiler_room_goes_on_from_the_box_in_force() -> None:
    """Do not count from the left again, nor past the last box."""
    session = hit_rook(6, 6)
    assert values(session, "rook")["speed"] == 8
    enter(session, "damage rook H1")
    assert values(session, "rook")["speed"] == 8, "the slower of hull and boiler room"
    enter(session, "damage rook H2")
    assert values(session, "rook")["speed"] == 6
    enter(session, THROUGH, "roll 6")
    assert values(session, "rook")["speed"] == 3
    for _ in range(2):
        enter(session, THROUGH)
        assert "Rook: no speed left, for good" in join_reasons(session, "roll 7")
        assert values(session, "rook")["speed"] == 0
    assert session.battle.ships["rook"].log["boiler"] == 6


BARBETTES = [
    ("German", True, (1, 1, 1, 1, 1, None)),
    ("British", True, (1, 1, 1, 1, 1, None)),
    *((nation, False, (1, 2, 2, None, None, None)) for nation in ("British", "Italian", "Japan", "Russian")),
    ("Imperial Japanese Navy", False, (1, 2, 2, None, None, None)),
    ("Royal Italian Navy", False, (1, 2, 2, None, None, None)),
    ("Royal Hellenic Navy", False, (1, 2, 2, 2, 2, None)),
    *((nation, False, (1, 2, 2, 2, 2, None)) for nation in ("Germany", "French", "Austro-Hungarian", "USA")),
]


@pytest.mark.clause("GQ2-CRI-9")
@pytest.mark.parametrize(("nation", "flash", "lost"), BARBETTES)
@pytest.mark.parametrize("face", range(1, 7))
def test_a_barbette_hit_follows_nation_and_flash_protection(
    nation: str, flash: bool, lost: tuple[int | None, ...], face: int
) -> None:
    """Check each face, navy and flash protection."""
    start = battle(ship("ajax"), ship("rook", "red", nation=nation, flash_protection=flash))
    session = played(start, THROUGH, "roll 9")
    assert question(session, "barbette").key == "1/barbette/rook/1"
    took = changed(session, f"roll {face}")
    boxes = lost[face - 1]
    if boxes is None:
        assert (took["status"], took["marker"]) == ("sinking", 1), "until its die is thrown"
        assert owed(session) == ["marker rook"]
        assert changed(session, "roll 4") == {"marker": 4}
    else:
        assert took == {"armament_lost": boxes}


@pytest.mark.clause("GQ2-CRI-9")
@pytest.mark.clause("GQ2-SNK-1")
def test_the_marker_of_an_explosion_may_be_thrown_with_it() -> None:
    """Ignore the second die if the barbette holds."""
    session = played(battle(), THROUGH, "roll 9", "roll 6 5")
    assert owed(session) == []
    assert values(enter(session, "damage rook H5"), "rook")["marker"] == 5
    session = played(battle(), THROUGH, "roll 9", "roll 1 5")
    assert values(session, "rook")["marker"] is None


@pytest.mark.clause("GQ2-CRI-9")
@pytest.mark.parametrize("code", ["merchant", "Submarine", "SS"])
def test_merchants_and_submarines_are_abandoned_without_penetration(code: str) -> None:
    session = played(battle(ship("ajax"), ship("rook", "red", **build_class(code))), HIT)
    before = session.timeline
    assert changed(session, "roll 9") == {"status": "abandoned", "speed": 0}
    ruling = session.timeline.rulings[before.next_number]
    assert dict(ruling.decision.outcome) == {"critical": "abandon ship"}
    assert ruling.decision.reasons[0].text == "critical 9 on Rook: abandon ship"
    assert owed(session) == []
    session = played(battle(ship("ajax"), ship("rook", "red", **build_class(code))), HIT)
    assert join_reasons(session, "roll 9").startswith("critical 9 on Rook: abandon ship · ")
    enter(session, "undo", HIT)
    assert result(session, "roll 9")["critical"] == "abandon ship"


@pytest.mark.clause("GQ2-CRI-A")
@pytest.mark.parametrize("face", range(10))
def test_a_critical_marked_a_needs_penetrated_armor(face: int) -> None:
    session = played(battle(destroyer("rook"), ship("ajax")), HIT)
    took = changed(session, f"roll {face}")
    assert bool(took) is (face < 5)
    assert owed(session) == []


@pytest.mark.clause("GQ2-CRI-B")
@pytest.mark.clause("GQ2-REP-1")
def test_every_damage_control_hit_rolls_in_each_repair_phase() -> None:
    session = play_to_phase(hit_rook(3, 4, 3), "repair")
    assert owed(session) == ["damage-control rook"] * 3
    enter(session, "roll 1", "roll 5", "roll 6")
    assert values(session, "rook")["fires"] == 2
    assert values(session, "rook")["hull_lost"] == 2.5
    play_to_phase(session, "repair")
    assert owed(session) == ["damage-control rook"] * 2


@pytest.mark.clause("GQ2-CRI-B")
def test_a_critical_rolled_a_turn_late_binds_the_turn_after_its_hit() -> None:
    session = played(battle(), THROUGH, *["force next"] * 3)
    assert session.battle.turn == 2
    assert changed(session, "roll 5") == {"criticals": ["steam line"], "speed": 9}


@pytest.mark.clause("GQ2-CRI-C")
@pytest.mark.parametrize(
    ("face", "said"),
    [
        (5, "it can make 7″"),
        (6, "it can make 10″"),
        (8, "it can make 10″"),
        (1, "5″ of it must keep last turn's speed and course"),
        (0, ""),
        (2, ""),
        (3, ""),
    ],
)
@pytest.mark.parametrize("ends", [0, 2])
def test_a_limit_rolled_after_the_move_brings_a_reminder(face: int, said: str, ends: int) -> None:
    """Remind also once the movement is over."""
    start = battle(ship("ajax"), ship("rook", "red", log={"moved": 10}))
    session = enter(played(start, THROUGH), *["force next"] * 3)
    enter(session, "move rook 12", *["force next"] * ends)
    told = reasons(session, f"roll {face}")
    said = f"is Rook's move of 12″ still right? {said}" if said else ""
    assert "".join(reason.text for reason in told if reason.is_question) == said
    assert session.battle.ships["rook"].log["moved"] == 12


@pytest.mark.clause("GQ2-CRI-C")
def test_no_reminder_of_a_move_that_keeps_the_limit_or_came_before_the_hit() -> None:
    """Give no reminder of an old limit either."""
    here = played(battle(phase="movement"), "move rook 12", "damage rook CA")
    slow = enter(played(battle(), THROUGH), *["force next"] * 3, "move rook 6")
    for session in (here, slow):
        assert not any(reason.is_question for reason in reasons(session, "roll 5"))
    twice = enter(played(battle(), THROUGH, "damage rook CA"), *["force next"] * 3, "move rook 12", "roll 5")
    assert not any(reason.is_question for reason in reasons(twice, "roll 0"))


@pytest.mark.clause("GQ2-CRI-C")
def test_hull_lost_to_late_dice_reminds_of_the_move_too() -> None:
    """Roll for a torpedo and a shot after the move."""
    session = played(battle(phase="torpedo"), "torpedo ajax rook stick 9 0", *["force next"] * 2)
    told = reasons(enter(session, "move rook 12"), "roll 3")
    assert told[-1].text == "is Rook's move of 12″ still right? it can make 3″"
    session = enter(played(battle(), "fire ajax 12 rook straddle 9"), *["force next"] * 3, "move rook 12")
    told = reasons(session, "roll 0 3 2")
    assert told[-1].text == "is Rook's move of 12″ still right? it can make 10″"


@pytest.mark.clause("GQ2-CRI-6")
@pytest.mark.parametrize(
    ("face", "harmless"), [(1, True), (2, True), (5, True), (6, True), (0, False), (8, False)]
)
def test_hits_on_speed_and_course_do_nothing_to_a_battery_on_land(face: int, harmless: bool) -> None:
    session = enter(played(battle(), "mark rook kind battery"), "damage rook CA")
    before = session.battle.ships["rook"]
    assert ("nothing, it is on land" in join_reasons(session, f"roll {face}")) is harmless
    assert (session.battle.ships["rook"] == before) is harmless


def begin_repair(*orders: str) -> Session:
    """Begin the repair phase after orders in the torpedo phase."""
    return play_to_phase(played(battle(phase="torpedo"), *orders), "repair")


@pytest.mark.clause("GQ2-REP-1")
def test_damage_control_comes_before_the_sinking_and_may_cause_it() -> None:
    """Test a ship that starts to sink here."""
    session = begin_repair("damage rook H4½", "mark rook fires 1", "mark rival status sinking")
    assert owed(session) == ["damage-control rook"]
    assert changed(session, "roll 6") == {"hull_lost": 5, "speed": 0, "status": "sinking", "marker": 1}
    assert owed(session) == ["sinking rook", "sinking rival"]
    assert question(session, "sinking").key.startswith("4/")


@pytest.mark.clause("GQ2-REP-1")
@pytest.mark.clause("GQ2-SNK-1")
def test_sinking_is_tested_once_a_turn_even_if_it_begins_late() -> None:
    """Do not put the test off to the next repair phase."""
    session = begin_repair("damage rook S")
    assert changed(session, "roll 1") == {"marker": 2}, "of one it can only rise"
    assert owed(enter(session, "note more to do")) == []
    assert owed(enter(session, "damage rival S")) == ["sinking rival"]
    assert changed(session, "roll 1", "rival") == {"marker": 2}


@pytest.mark.clause("GQ2-CRI-6")
@pytest.mark.clause("GQ2-REP-1")
@pytest.mark.clause("GQ2-MV-8")
@pytest.mark.parametrize(
    ("answer", "took"), [("3", {"speed": 8}), ("5", {"speed": 3}), ("no", {})], ids=["box 3", "box 5", "none"]
)
def test_a_ship_without_power_asks_the_umpire_in_each_repair_phase(
    answer: str, took: dict[str, object]
) -> None:
    """Accept only the umpire's words, since the rules give no die."""
    session = played(battle(phase="torpedo"), "mark rook hull_lost 2", "mark rook boiler 6", "next")
    assert owed(session) == ["power rook"]
    assert question(session, "power").words == ("3", "4", "5", "no")
    for wrong in ("2", "6", "yes", "3 4"):
        assert refusal(session, f"answer {wrong}") == ""
    assert changed(session, f"answer {answer}") == took
    if not took:
        enter(session, "mark rook steam 1", "next")
        assert refusal(session, "move rook 3") == "GQ2-CRI-6", "not by three inches of a speed that is none"
    play_to_phase(session, "torpedo")
    assert owed(enter(session, "next")) == ([] if took else ["power rook"])


@pytest.mark.clause("GQ2-MV-8")
def test_ships_that_touch_each_owe_a_collision_outcome() -> None:
    session = played(battle(phase="movement"), "contact ajax,rook")
    assert owed(session) == ["collision ajax", "collision rook"]
    assert refusal(session, "next") == ""
    assert refusal(session, "answer H1 nonsense") == ""
    assert join_reasons(session, "answer none") == "Ajax is unharmed"
    assert changed(session, "answer H1.5 C") == {"hull_lost": 1.5, "speed": 10}
    assert owed(session) == ["critical rook"]


@pytest.mark.clause("GQ2-REP-1")
def test_steam_lines_ask_for_no_power() -> None:
    """Ask nothing of a ship that has power again next turn."""
    session = played(battle(phase="torpedo"), *["damage rook CA", "roll 5"] * 5)
    play_to_phase(session, "movement")
    assert values(play_to_phase(session, "repair"), "rook")["speed"] == 0
    assert owed(session) == []


@pytest.mark.clause("GQ2-SNK-1")
@pytest.mark.parametrize(
    ("marker", "face", "sinks"), [(3, 2, True), (3, 3, False), (6, 5, True), (7, 6, True)]
)
def test_a_die_below_the_marker_sinks_and_any_other_raises_it(marker: int, face: int, sinks: bool) -> None:
    session = begin_repair("mark rook status sinking", f"mark rook marker {marker}")
    took = changed(session, f"roll {face}")
    expected = {"status": "sunk", "sunk": True, "marker": None} if sinks else {"marker": marker + 1}
    assert took == expected


@pytest.mark.clause("GQ2-SNK-1")
def test_a_sinking_ship_is_tested_every_turn_from_marker_one() -> None:
    session = begin_repair("mark rook status sinking")
    enter(session, "roll 5")
    for turn in (2, 3):
        play_to_phase(session, "repair")
        assert owed(session) == ["sinking rook"]
        assert values(session, "rook")["marker"] == turn
        enter(session, "roll 6")


@pytest.mark.clause("GQ2-SNK-2")
def test_a_sunk_ship_owes_nothing() -> None:
    session = begin_repair("mark rook status sinking", "mark rook marker 6")
    enter(session, "damage rook C")
    assert owed(session) == ["sinking rook", "critical rook"]
    enter(session, "roll 1")
    assert owed(session) == []
    assert refusal(session, "damage rook H1") == "GQ2-SNK-2"


FIGHTING = (
    ("searchlights", "light rook ajax"),
    ("gunnery", "fire rook 6 ajax straddle 5"),
    ("torpedo", "torpedo rook ajax stick 5"),
)


@pytest.mark.clause("GQ2-SNK-3")
@pytest.mark.parametrize("switch", ["fights", "silent"])
def test_a_ship_aground_does_not_move_and_fights_unless_a_switch_forbids(switch: str) -> None:
    """Cite the clause on ships aground."""
    for phase, order in FIGHTING:
        session = played(battle(phase=phase, light="night", aground=switch), "mark ajax lit yes")
        assert reasons(session, "leave rook aground")[-1].clause == "GQ2-SNK-3"
        assert is_allowed(session, order) is ("rook" in list_waiting(session)) is (switch == "fights")
        assert switch == "fights" or refusal(session, order) == "GQ2-SNK-3"
        assert not session.system.ended(enter(session, "leave rival sunk").battle) or switch == "silent"
    session = played(battle(phase="movement", aground=switch), "leave rook aground")
    for order in ("move rook 0", "anchor rook", "wander rook 0 0"):
        assert refusal(session, order) == "GQ2-SNK-3", order
    assert "rook" not in list_waiting(session)
    assert values(session, "rook")["speed"] == 0
    assert "-2 stationary" in join_reasons(enter(session, "next", "next"), "fire ajax 6 rook straddle 5 9")
    assert "-4 stationary" in join_reasons(enter(session, "next"), "torpedo ajax rook stick 5 9")
    assert changed(session, "damage rook H5") == {"hull_lost": 5, "status": "sinking", "marker": 1}


@pytest.mark.clause("GQ2-SNK-2")
@pytest.mark.parametrize("status", ["abandoned", "sinking"])
def test_abandoned_and_sinking_ships_do_not_act(status: str) -> None:
    """Refuse to fire, launch, light or lay smoke."""
    moves = ("move rook 0", "smoke rook", "anchor rook", "wander rook 5 1")
    for phase, order in (*FIGHTING, *(("movement", move) for move in moves)):
        session = played(
            battle(phase=phase, light="night"), f"mark rook status {status}", "mark ajax lit yes"
        )
        assert "rook" not in list_waiting(session)
        assert values(session, "rook")["speed"] == 0
        assert refusal(session, order) == "GQ2-SNK-2", order
        found = session.preview_order(order).findings
        named = any("(switch sinking_ships)" in finding.text for finding in found)
        assert named is (status == "sinking"), "the switch lets no abandoned ship act"


def test_the_changes_on_the_table_are_listed() -> None:
    """Compare two battles: speeds, markers, lights, smoke, ships that go."""
    start = battle(phase="movement")
    session = played(start, "smoke ajax", "damage rook H1 C", "roll 3", "damage rival S")
    enter(session, "leave boyne withdrawn", "mark kobold status abandoned")
    assert SYSTEM.on_table(start, session.battle) == (
        ("blue", "Ajax: place smoke"),
        ("blue", "Boyne: withdrawn: remove the model"),
        ("red", "Rook: speed 10″"),
        ("red", "Rook: lit: mark it"),
        ("red", "Rival: sinking marker 1"),
        ("red", "Kobold: abandoned: mark it; it stays in the way"),
    )
    assert (
        "red",
        "Rival: afloat again: put it back on the table without marker",
    ) in SYSTEM.on_table(session.battle, start)


def test_table_changes_include_risen_markers_and_regained_speed() -> None:
    session = begin_repair("damage rook S", "mark ajax boiler 2", "mark boyne lit yes")
    before = session.battle
    enter(session, "roll 6", "mark ajax boiler 0", "mark boyne lit no")
    assert SYSTEM.on_table(before, session.battle) == (
        ("blue", "Ajax: speed back to 12″"),
        ("blue", "Boyne: dark again"),
        ("red", "Rook: sinking marker 2"),
    )
    assert SYSTEM.on_table(session.battle, session.battle) == ()
    ships = {id: each for id, each in before.ships.items() if id != "kobold"}
    assert SYSTEM.on_table(evolve(before, ships=ships), before) == (("red", "Kobold: put on the table"),)
    assert SYSTEM.on_table(before, evolve(before, ships=ships)) == (("red", "Kobold: take off the table"),)


@pytest.mark.clause("GQ2-PH-3")
def test_the_removal_of_smoke_is_listed_once() -> None:
    """Mention it at the start of the repair phase, and not at its end."""
    session = play_to_phase(
        play_to_phase(played(battle(phase="movement"), "smoke ajax"), "movement"), "torpedo"
    )
    told = []
    for _ in range(2):
        before = session.timeline
        told.append(list_phase_changes(SYSTEM, before, enter(session, "next").battle))
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
def test_an_order_owes_the_right_dice(order: str, dice: str) -> None:
    """Check sides and least face: a ten-sided die begins at 0."""
    session = played(battle(), "mark kobold state standby", f"force {order}")
    asked = session.battle.owed[0].dice
    assert ", ".join(f"{die} {die.least}" for die in asked) == dice


def test_a_roll_owes_the_right_further_dice() -> None:
    session = played(battle(light="night"), "fire ajax 6 rook straddle 5")
    assert [str(die) for die in session.battle.owed[0].dice] == ["red D6", "blue D6"]
    session = played(battle(), "damage ajax CA", "roll 9")
    for line in ("barbette", "marker"):
        assert [str(die) for die in question(session, line).dice] == ["D6"]
        enter(session, "roll 6")
    session = begin_repair("mark rook fires 1", "damage rival S")
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
    session = begin_repair(*before)
    told = session.preview_order(f"roll {question(session, line).key}").chances
    assert [(each.label, each.value) for each in told] == [(label, chance)]


@pytest.mark.clause("GQ2-SNK-1")
@pytest.mark.clause("GQ2-CRI-9")
@pytest.mark.parametrize(("marker", "face", "stands"), [(1, 5, 5), (4, 2, 4), (3, 3, 3)])
@pytest.mark.parametrize("together", [True, False])
def test_a_sinking_ship_that_explodes_takes_the_higher_marker(
    marker: int, face: int, stands: int, together: bool
) -> None:
    """Decide alike whether its two dice are rolled together or not."""
    session = played(
        battle(), "mark rook status sinking", f"mark rook marker {marker}", "damage rook CA", "roll 9"
    )
    enter(session, *((f"roll 6 {face}",) if together else ("roll 6", f"roll {face}")))
    assert values(session, "rook")["marker"] == stands
    assert owed(session) == []
