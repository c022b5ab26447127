"""Critical hits and what they leave behind (GQ2-CRI)."""

import pytest

from qf_tui.session import Session
from tests.rules.gq2.tables import battle, destroyer, of_class, played, ship, to_phase, words
from tests.rules.playing import changed, enter, owed, question, refusal, result, values

HIT, THROUGH = "damage rook C", "damage rook CA"


def struck(*faces: int, code: str = THROUGH) -> Session:
    """A battle in gunnery in which Rook has taken critical hits."""
    session = played(battle())
    for face in faces:
        enter(session, code, f"roll {face}")
    return session


@pytest.mark.clause("GQ2-CRI-0")
def test_fire_control_hinders_every_later_straddle() -> None:
    session = to_phase(struck(0, code=HIT), "gunnery")
    assert values(session, "rook")["criticals"] == ["fire control"]
    assert "+2 fire control" in words(session, "fire rook 6 ajax straddle 5 9")
    assert "+2 fire control" in words(session, "fire rook 12 ajax straddle 5 9")


@pytest.mark.clause("GQ2-CRI-1")
def test_a_bridge_hit_binds_the_first_half_of_the_next_move_and_no_other() -> None:
    """Catches a hit that binds at once, or for ever."""
    session = struck(1, code=HIT)
    assert values(session, "rook")["criticals"] == ["bridge"]
    to_phase(session, "movement")
    said = "Rook holds speed and course through the first half, 5″; the other 5″ are as the umpire says"
    assert f"{said} (GQ2-CRI-C)" in session.preview_order("move rook 10").reminders
    assert said in words(session, "move rook 10")
    assert said not in " ".join(session.preview_order("move rival 10").reminders)
    told = " ".join(session.system.advice(session.battle))
    assert "held through the first half of the move: Rook (GQ2-CRI-1)" in told
    to_phase(session, "movement")
    assert values(session, "rook")["criticals"] == []
    assert said not in " ".join(session.preview_order("move rook 10").reminders)


@pytest.mark.clause("GQ2-CRI-2")
def test_a_damaged_rudder_makes_turns_cost_an_inch_and_a_half_each() -> None:
    """Catches a rudder that lapses, and a cost without turns."""
    session = to_phase(struck(2, code=HIT), "movement")
    assert refusal(session, "move rook 10 turns 2") == "GQ2-CRI-2"
    assert refusal(session, "move rook 9.5in turns 2") == "GQ2-CRI-2"
    assert session.preview_order("move rook 12").fine
    told = " ".join(session.preview_order("move rook 12").reminders)
    assert "every turn of 45° costs 1½″ of its speed" in told
    assert session.preview_order("move rival 12 turns 2").fine
    assert "Rook makes 12″: 2 turns of 45° cost 3″ of it" in words(session, "force move rook 9 turns 2")
    assert values(to_phase(session, "movement"), "rook")["criticals"] == ["rudder"]


@pytest.mark.clause("GQ2-CRI-2")
def test_two_rudder_hits_cost_no_more_than_one() -> None:
    session = to_phase(struck(2, 2, code=HIT), "movement")
    assert session.preview_order("move rook 10.5in turns 1").fine


@pytest.mark.clause("GQ2-CRI-3")
@pytest.mark.parametrize("face", [3, 4])
def test_damage_control_takes_half_a_box_and_lights_the_ship(face: int) -> None:
    session = played(battle(), HIT)
    assert changed(session, f"roll {face}") == {
        "hull_lost": 0.5,
        "fires": 1,
        "criticals": ["damage control"],
        "illuminated": True,
    }


@pytest.mark.clause("GQ2-CRI-3")
@pytest.mark.parametrize(("face", "mends"), [(1, True), (4, True), (5, False), (6, False)])
def test_a_1_to_4_repairs_it_and_else_half_a_box_more_is_lost(face: int, mends: bool) -> None:
    """Catches the edge at 4, and a fire that burns for nothing."""
    session = to_phase(struck(3), "repair")
    assert owed(session) == ["damage-control rook"]
    took = changed(session, f"roll {face}")
    if mends:
        assert took == {"fires": 0, "criticals": [], "illuminated": False}
    else:
        assert took == {"hull_lost": 1, "speed": 10}


@pytest.mark.clause("GQ2-CRI-5")
def test_steam_lines_slow_the_next_turn_alone_and_add_up() -> None:
    """Catches three inches at once, in the turn after, or for two hits together."""
    session = struck(5, 5)
    assert values(session, "rook")["speed"] == 12
    assert values(session, "rook")["criticals"] == ["steam line", "steam line"]
    to_phase(session, "movement")
    assert values(session, "rook")["speed"] == 6
    assert refusal(session, "move rook 7") == "GQ2-CRI-C"
    to_phase(session, "movement")
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
def test_a_steam_line_takes_three_inches_off_the_speed_made_or_by_the_switch_off_the_box(
    switch: str, clause: str, moved: int, damage: str, most: int
) -> None:
    """Catches a hit that does nothing to a cruising ship, and a box that is reduced twice."""
    session = played(battle(phase="movement", steam_line=switch), f"move rook {moved}", "next", "next")
    enter(session, *filter(None, ("damage rook CA", "roll 5", damage)))
    to_phase(session, "movement")
    fine = [inches for inches in range(14) if session.preview_order(f"move rook {inches}").fine]
    assert fine[-1] == most
    assert refusal(session, "move rook 14") == clause
    to_phase(session, "gunnery")
    assert values(session, "rook")["speed"] == (9 if switch == "box" and not damage else most)


@pytest.mark.clause("GQ2-CRI-6")
@pytest.mark.parametrize("face", [6, 7])
def test_a_boiler_room_costs_a_hull_box_of_speed_for_good(face: int) -> None:
    session = played(battle(), THROUGH)
    assert "Rook: the speed of hull box 2, for good" in words(session, f"roll {face}")
    assert values(session, "rook")["speed"] == 10
    assert values(session, "rook")["hull_lost"] == 0
    assert values(session, "rook")["criticals"] == ["boiler room"]
    assert refusal(to_phase(session, "movement"), "move rook 11") == "GQ2-CRI-6"


@pytest.mark.clause("GQ2-CRI-6")
def test_the_next_boiler_room_goes_on_from_the_box_in_force() -> None:
    """Catches boiler rooms that count from the left again, and one past the last box."""
    session = struck(6, 6)
    assert values(session, "rook")["speed"] == 8
    enter(session, "damage rook H3")
    assert values(session, "rook")["speed"] == 6
    enter(session, THROUGH, "roll 6")
    assert values(session, "rook")["speed"] == 3
    for _ in range(2):
        enter(session, THROUGH)
        assert "Rook: no speed left, for good" in words(session, "roll 7")
        assert values(session, "rook")["speed"] == 0
    assert session.battle.ships["rook"].log["boiler"] == 6


@pytest.mark.clause("GQ2-CRI-8")
def test_a_bulkhead_costs_a_hull_box() -> None:
    session = played(battle(), THROUGH)
    assert changed(session, "roll 8") == {"hull_lost": 1, "speed": 10}


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
def test_a_barbette_takes_armament_or_explodes_by_nation_and_flash_protection(
    nation: str, flash: bool, lost: tuple[int | None, ...], face: int
) -> None:
    """Catches a face, a navy or flash protection on the wrong line."""
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
    """Catches a second die that is refused, or counted for a barbette that holds."""
    session = played(battle(), THROUGH, "roll 9", "roll 6 5")
    assert values(session, "rook")["marker"] == 5
    assert owed(session) == []
    session = played(battle(), THROUGH, "roll 9", "roll 1 5")
    assert values(session, "rook")["marker"] is None


@pytest.mark.clause("GQ2-CRI-9")
@pytest.mark.parametrize("code", ["merchant", "Submarine", "SS"])
def test_merchants_and_submarines_are_abandoned_without_penetration(code: str) -> None:
    """Catches a merchant with a barbette."""
    session = played(battle(ship("ajax"), ship("rook", "red", **of_class(code))), HIT)
    before = session.timeline
    assert changed(session, "roll 9") == {"status": "abandoned", "speed": 0}
    ruling = session.timeline.rulings[before.next_number]
    assert dict(ruling.decision.outcome) == {"critical": "abandon ship"}
    assert ruling.decision.reasons[0].text == "critical 9 on Rook: abandon ship"
    assert owed(session) == []
    session = played(battle(ship("ajax"), ship("rook", "red", **of_class(code))), HIT)
    assert words(session, "roll 9").startswith("critical 9 on Rook: abandon ship · ")
    enter(session, "undo", HIT)
    assert result(session, "roll 9")["critical"] == "abandon ship"


@pytest.mark.clause("GQ2-CRI-A")
@pytest.mark.parametrize("face", range(10))
def test_what_is_marked_a_needs_penetrated_armor(face: int) -> None:
    """Catches an (A) on the wrong result."""
    session = played(battle(destroyer("rook"), ship("ajax")), HIT)
    took = changed(session, f"roll {face}")
    assert bool(took) is (face < 5)
    assert owed(session) == []


@pytest.mark.clause("GQ2-CRI-B")
@pytest.mark.clause("GQ2-REP-1")
def test_every_damage_control_hit_rolls_in_each_repair_phase() -> None:
    """Catches one roll for two hits, and a hit that rolls only once."""
    session = to_phase(struck(3, 4, 3), "repair")
    assert owed(session) == ["damage-control rook"] * 3
    enter(session, "roll 1", "roll 5", "roll 6")
    assert values(session, "rook")["fires"] == 2
    assert values(session, "rook")["hull_lost"] == 2.5
    to_phase(session, "repair")
    assert owed(session) == ["damage-control rook"] * 2


@pytest.mark.clause("GQ2-CRI-B")
def test_a_critical_that_is_rolled_a_turn_late_binds_the_turn_after_its_hit() -> None:
    """Catches a steam line that is a turn late because its die was."""
    session = played(battle(), THROUGH, *["force next"] * 3)
    assert session.battle.turn == 2
    assert changed(session, "roll 5") == {"criticals": ["steam line"], "speed": 9}


@pytest.mark.clause("GQ2-CRI-B")
def test_speed_never_falls_below_nothing() -> None:
    assert values(to_phase(struck(5, 5, 5, 5, 5), "movement"), "rook")["speed"] == 0


@pytest.mark.clause("GQ2-CRI-B")
def test_hull_and_boiler_room_together_leave_the_slower_of_both() -> None:
    session = struck(6, 6)
    enter(session, "damage rook H1")
    assert values(session, "rook")["speed"] == 8


@pytest.mark.clause("GQ2-CRI-6")
def test_a_ship_without_steam_is_refused_by_its_boiler_room_and_not_by_a_steam_line() -> None:
    """Catches a refusal by three inches of a speed that is none."""
    session = played(battle(), "mark rook boiler 6", "mark rook steam 1", "next", "next", "answer no", "next")
    assert refusal(session, "move rook 3") == "GQ2-CRI-6"


@pytest.mark.clause("GQ2-CRI-6")
@pytest.mark.parametrize(
    ("face", "harmless"), [(1, True), (2, True), (5, True), (6, True), (0, False), (8, False)]
)
def test_hits_on_speed_and_course_do_nothing_to_a_battery_on_land(face: int, harmless: bool) -> None:
    """Catches a fort that makes the speed of her second hull box, for good."""
    session = enter(played(battle(), "mark rook kind battery"), "damage rook CA")
    before = session.battle.ships["rook"]
    assert ("nothing, it stands on land" in words(session, f"roll {face}")) is harmless
    assert (session.battle.ships["rook"] == before) is harmless
