"""Damage codes and their rolls, repair and sinking (QF-DAM, QF-REC-2, QF-REP, QF-SNK)."""

import pytest

from tests.rules.playing import changed, draw_cell, is_allowed, owed, refusal, result, values
from tests.rules.quickfire.tables import battle, craft, played, ship, to_phase


@pytest.mark.clause("QF-DAM-1")
@pytest.mark.parametrize(
    ("log", "codes", "after"),
    [
        ({}, "G", {"rof_heavy": 5}),
        ({"rof_heavy": 0}, "G", {"rof_light": 4}),
        ({"rof_heavy": 0, "rof_light": 0}, "G", {"boat_guns": 0}),
        ({"rof_heavy": 0, "rof_light": 0, "boat_guns": 0}, "G", {}),
        ({}, "S", {"speed_hits": 1, "available_speed": 7}),
        ({"speed_hits": 8}, "S", {"speed_hits": 9}),
        ({}, "T", {"torpedo": 1}),
        ({"torpedo": 0}, "T", {}),
        ({}, "R", {"repair_points": 4}),
        ({"repair_points": 0}, "R", {"fires": 1}),
        ({}, "F F", {"fires": 2}),
        ({}, "E", {}),
        ({}, "D", {}),
    ],
)
def test_each_code_takes_its_damage(log: dict[str, int], codes: str, after: dict[str, int]) -> None:
    """Check overflow; E brings no fire, and no T-hit is checked."""
    session = played(battle(ship("ajax"), ship("rook", "red", log=log)))
    assert changed(session, f"damage rook {codes}") == after
    assert owed(session) == {"E": ["explosion rook"], "D": ["direction rook"]}.get(codes, [])


@pytest.mark.clause("QF-DAM-1")
@pytest.mark.parametrize(
    ("order", "left"),
    [
        ("damage rook G G", (4, 6)),
        ("damage rook heavy G G", (4, 6)),
        ("damage rook light G G", (6, 4)),
        ("damage rook boat G G", (5, 5)),
    ],
)
def test_damage_by_hand_counts_as_the_named_kind_of_fire(order: str, left: tuple[int, int]) -> None:
    """Let light hits not cascade as heavy ones."""
    session = played(battle(ship("ajax"), ship("rook", "red", rof=(6, 6))), order)
    seen = values(session, "rook")
    assert (seen["rof_heavy"], seen["rof_light"]) == left


@pytest.mark.clause("QF-DAM-3")
@pytest.mark.parametrize(
    ("switch", "guns", "change"),
    [("boat_guns", 1, {"boat_guns": 0}), ("boat_guns", 0, {}), ("heavy", 1, {"rof_heavy": 5})],
)
def test_g_from_light_fire_takes_light_rof_then_boat_guns(
    switch: str, guns: int, change: dict[str, int]
) -> None:
    """Put no heavy guns out of action by light hits, except by the switch."""
    rook = ship("rook", "red", log={"rof_light": 1, "boat_guns": guns})
    session = played(battle(ship("ajax"), rook, gunnery_phases="2", light_g=switch))
    assert changed(session, "fire ajax light rook short 5 2 3") == {"rof_light": 0}
    session.enter("next")
    assert changed(session, "fire ajax light rook short 5 2 3") == change


@pytest.mark.clause("QF-DAM-1")
@pytest.mark.parametrize(
    ("rof", "after"),
    [((6, 5), (5, 4)), ((0, 5), (0, 3)), ((6, 0), (4, 0)), ((0, 1), (0, 0)), ((0, 0), (0, 0))],
)
def test_g_of_an_explosion_hits_heavy_and_light_in_turn(rof: tuple[int, int], after: tuple[int, int]) -> None:
    """Give both hits to one battery only if the other is at zero."""
    start = battle(ship("ajax"), ship("rook", "red", log={"rof_heavy": rof[0], "rof_light": rof[1]}))
    session = played(start, "damage rook E", "roll 1 2")
    told = values(session, "rook")
    assert (told["rof_heavy"], told["rof_light"]) == after
    assert told["boat_guns"] == (1 if sum(rof) >= 2 else 0)


@pytest.mark.clause("QF-DAM-1")
def test_a_code_that_the_chart_lacks_is_refused() -> None:
    assert refusal(played(battle()), "damage rook B") == ""
    assert refusal(played(battle()), "damage rook SX") == ""


@pytest.mark.clause("QF-DAM-1")
def test_s_beyond_the_eighth_are_shown_in_the_margin() -> None:
    session = played(battle(ship("ajax"), ship("rook", "red", log={"speed_hits": 8})), "damage rook S S")
    assert draw_cell(session, "rook", "boxes") == "[8x]+2"
    assert values(session, "rook")["available_speed"] == 0


@pytest.mark.clause("QF-DAM-2")
@pytest.mark.parametrize(
    ("switch", "courses"),
    [
        ("degrees", ("90 left", "45 left", "45 left", "45 right", "45 right", "90 right")),
        ("full-turn", (*["full turn left"] * 2, *["straight ahead"] * 2, *["full turn right"] * 2)),
    ],
)
def test_a_direction_hit_follows_its_die(switch: str, courses: tuple[str, ...]) -> None:
    """Check every cell of the direction table, and the switch."""
    for die, course in enumerate(courses, 1):
        session = played(battle(direction_by=switch), "damage rook D")
        assert changed(session, f"roll {die}") == {"course": [course]}
        if switch == "full-turn":
            assert draw_cell(session, "rook", "blast") == f"(D{course.rsplit(maxsplit=1)[-1][0].upper()})"


@pytest.mark.clause("QF-REC-2")
@pytest.mark.parametrize(
    ("total", "after"),
    [
        (7, {"rof_heavy": 5, "rof_light": 4}),
        (8, {"speed_hits": 2, "available_speed": 6}),
        (12, {"fires": 1, "speed_hits": 4, "available_speed": 4, "rof_heavy": 5, "rof_light": 4}),
    ],
)
def test_an_explosion_follows_its_dice(total: int, after: dict[str, int]) -> None:
    """Check every bound of the explosion line."""
    session = played(battle(), "damage rook E")
    assert [str(die) for die in session.battle.owed[0].dice] == ["D6", "D6"]
    assert changed(session, f"roll {dice(total)}") == after


@pytest.mark.clause("QF-BG-1")
@pytest.mark.clause("QF-EX-4")
@pytest.mark.parametrize(
    ("die", "after"),
    [(1, {}), (2, {}), (3, {}), (4, {"boat_guns": 0}), (5, {"torpedo": 3}), (6, {"speed_hits": 1})],
)
def test_a_boat_gun_hit_follows_its_die(die: int, after: dict[str, int]) -> None:
    """Check every cell of the boat gun line; a craft without ROF loses its boat guns to G."""
    session = played(battle(ship("ajax"), craft("skiff")))
    told = changed(session, f"boats ajax skiff {die}", "skiff")
    told.pop("available_speed", None)
    assert told == after


@pytest.mark.clause("QF-BG-1")
def test_boat_guns_fire_once_a_phase_at_light_craft() -> None:
    """Refuse a second die, a ship without boat guns, and a target too large or too well armored."""
    tough = (craft("sloop", size=1.5), craft("ram", armor=(1, 0)), craft("skiff"), craft("punt", size=1))
    session = played(battle(ship("ajax"), ship("boyne", boat_guns=0), *tough))
    assert refusal(session, "boats ajax sloop 5") == "QF-BG-1"
    assert refusal(session, "boats ajax ram 5") == "QF-BG-1"
    assert refusal(session, "boats boyne skiff 5") == "QF-BG-1"
    session.enter("option gunnery_phases 2")
    session.enter("boats ajax skiff 1")
    assert refusal(session, "boats ajax punt 1") == "QF-BG-1"
    session.enter("next")
    session.enter("boats ajax punt 1")


@pytest.mark.clause("QF-BG-1")
@pytest.mark.parametrize(("at", "fine"), [("pb", True), ("4in", True), ("4.1in", False)])
def test_boat_guns_may_state_their_range(at: str, fine: bool) -> None:
    """Refuse any range beyond point blank."""
    session = played(battle(ship("ajax", boat_guns=1), craft("skiff")))
    assert is_allowed(session, f"boats ajax skiff {at} 5") is fine
    if not fine:
        assert refusal(session, f"boats ajax skiff {at} 5") == "QF-BG-1"


@pytest.mark.clause("QF-OPT-4")
@pytest.mark.parametrize(
    ("rof", "switch", "after"),
    [
        ((6, 6), "yes", {"rof_heavy": 5, "rof_light": 5}),
        ((6, 6), "no", {"rof_heavy": 5}),
        ((6, 5), "yes", {"rof_heavy": 5}),
    ],
)
def test_a_switch_makes_6_6_lose_both_batteries(
    rof: tuple[int, int], switch: str, after: dict[str, int]
) -> None:
    start = battle(ship("ajax"), ship("rook", "red", rof=rof), even_rof=switch)
    session = played(start)
    assert changed(session, "damage rook G") == after
    if switch == "yes" and rof == (6, 6):
        lone = played(start, "mark rook rof_light 0")
        assert changed(lone, "damage rook G") == {"rof_heavy": 5}


@pytest.mark.clause("QF-REC-1")
def test_an_explosion_in_a_check_is_rolled_before_the_other_checks() -> None:
    session = to_phase(played(battle(ship("ajax"), ship("rook", "red", fires=2))), "recurring")
    assert owed(session) == ["fire-check rook", "fire-check rook"]
    session.enter("roll 6 6")
    assert owed(session) == ["explosion rook", "fire-check rook"]
    assert values(session, "rook")["fires"] == 2


@pytest.mark.clause("QF-REC-1")
@pytest.mark.parametrize(("total", "fires"), [(2, 1), (7, 1), (8, 0), (11, 0), (12, 1)])
def test_a_fire_check_follows_its_dice(total: int, fires: int) -> None:
    """Check every bound of the fire check line."""
    session = to_phase(played(battle(ship("ajax"), ship("rook", "red", fires=1))), "recurring")
    session.enter(f"roll {dice(total)}")
    assert values(session, "rook")["fires"] == fires
    assert owed(session) == (["explosion rook"] if total == 12 else [])


HURT = {"rof_heavy": 4, "rof_light": 3, "boat_guns": 0, "speed_hits": 2}


def dice(total: int) -> str:
    low = max(1, total - 6)
    return f"{low} {total - low}"


@pytest.mark.clause("QF-REP-1")
@pytest.mark.parametrize("total", range(2, 13))
@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("heavy", {"rof_heavy": 5}),
        ("light", {"rof_light": 4}),
        ("boats", {"boat_guns": 1}),
        ("speed", {"speed_hits": 1, "available_speed": 7}),
        ("course", {"course": ["45 left"]}),
    ],
)
def test_g_s_and_d_are_repaired_on_5_to_7(total: int, kind: str, after: dict[str, object]) -> None:
    """Check the bounds of the line; repair one hit, and the newer of two courses."""
    hurt = ship("rook", "red", log=HURT, courses=("45 left", "90 right"))
    session = played(battle(ship("ajax"), hurt, phase="repair"))
    told = changed(session, f"repair rook {kind} {dice(total)}")
    assert told == {**(after if 5 <= total <= 7 else {}), "repair_points": 4}


@pytest.mark.clause("QF-REP-2")
@pytest.mark.parametrize("total", range(2, 13))
def test_s_of_a_protected_ship_is_repaired_on_5_to_10(total: int) -> None:
    hurt = ship("rook", "red", log=HURT, protected=True)
    session = played(battle(ship("ajax"), hurt, phase="repair"))
    told = result(session, f"repair rook speed {dice(total)}")
    assert told["mended"] is (5 <= total <= 10)
    other = played(battle(ship("ajax"), hurt, phase="repair"))
    assert result(other, f"repair rook heavy {dice(8)}")["mended"] is False


@pytest.mark.clause("QF-REP-2")
@pytest.mark.parametrize(("switch", "left"), [("always", 4), ("on-success", 5)])
def test_a_repair_roll_spends_its_point_or_by_a_switch_only_on_success(switch: str, left: int) -> None:
    hurt = ship("rook", "red", log=HURT)
    session = played(battle(ship("ajax"), hurt, phase="repair", repair_spent=switch), "repair rook speed 6 6")
    assert values(session, "rook")["repair_points"] == left
    session.enter("repair rook speed 3 3")
    assert values(session, "rook")["repair_points"] == left - 1


@pytest.mark.clause("QF-REP-1")
def test_a_ship_rolls_as_often_as_it_has_repair_dice() -> None:
    """Allow several attempts of a kind, no more rolls than points, and no repair of what is undamaged."""
    start = battle(ship("ajax"), ship("rook", "red", log=HURT, repair=2), phase="repair")
    session = played(start, "repair rook speed 3 3", "repair rook speed")
    assert owed(session) == ["repair rook"]
    assert changed(session, "roll 3 3")["speed_hits"] == 0
    assert refusal(session, "repair rook heavy 3 3") == "QF-REP-1"
    whole = played(battle(phase="repair"))
    for kind in ("heavy", "light", "boats", "speed", "course"):
        assert refusal(whole, f"repair rook {kind} 3 3") == "QF-REP-1"


@pytest.mark.clause("QF-OPT-5")
def test_a_switch_regains_a_torpedo_point_on_a_2_once_a_turn() -> None:
    """Spend no repair point, allow no second roll, and no point above the printed rating."""
    hurt = ship("rook", "red", log={"torpedo": 0})
    start = battle(ship("ajax"), hurt, phase="repair", torpedo_regained="yes")
    session = played(start)
    assert refusal(session, "repair ajax torpedo 1 1") == "QF-OPT-5"
    assert changed(session, "repair rook torpedo 1 1") == {"torpedo": 1}
    assert refusal(session, "repair rook torpedo 1 1") == "QF-OPT-5"
    assert changed(played(start), "repair rook torpedo 1 2") == {}
    declared = played(start, "repair rook torpedo")
    assert changed(declared, "roll 1 1") == {"torpedo": 1}
    assert (
        refusal(played(battle(ship("ajax"), hurt, phase="repair")), "repair rook torpedo 1 1") == "QF-OPT-5"
    )
    assert refusal(played(start, "leave rook sunk"), "repair rook torpedo 1 1") == "QF-SNK-1"


@pytest.mark.clause("QF-SNK-1")
@pytest.mark.parametrize(
    ("size", "hits", "most"),
    [
        (11, 8, 2),
        (10, 8, 3),
        (7, 8, 3),
        (6, 8, 4),
        (4, 8, 4),
        (3, 8, 5),
        (2, 8, 5),
        (0.25, 8, 6),
        (12, 10, 4),
    ],
)
def test_a_ship_sinks_by_its_size_and_each_s_beyond_the_eighth_takes_one_off(
    size: float, hits: int, most: int
) -> None:
    """Check every cell of the sinking table."""
    for total, sinks in ((most, True), (most + 1, False)):
        lost = ship("rook", "red", size=size, log={"speed_hits": hits})
        session = to_phase(played(battle(ship("ajax"), lost, phase="repair")), "sinking")
        assert owed(session) == ["sinking rook"]
        session.enter(f"roll {dice(total)}")
        assert values(session, "rook")["sunk"] is sinks, total


@pytest.mark.clause("QF-SNK-1")
def test_a_ship_that_loses_its_last_box_in_the_sinking_phase_rolls_in_it_once() -> None:
    """Ask for the roll also after S by the umpire's hand."""
    session = played(battle(phase="repair"), "next", "mark rook speed_hits 8")
    assert owed(session) == ["sinking rook"]
    session.enter("roll 6 6")
    session.enter("mark rook speed_hits 9")
    assert owed(session) == []


@pytest.mark.clause("QF-SNK-1")
def test_only_ships_with_all_boxes_marked_roll_and_wrecks_owe_nothing() -> None:
    afloat = ship("rook", "red", log={"speed_hits": 7})
    lost = ship("rival", "red", log={"speed_hits": 8}, fires=1)
    session = to_phase(played(battle(ship("ajax"), afloat, lost, phase="repair")), "sinking")
    assert owed(session) == ["sinking rival"]
    session.enter("roll 1 1")
    assert draw_cell(session, "rival", "blast") == "SUNK"
    to_phase(session, "gunnery")
    assert refusal(session, "fire rival heavy ajax short 1 2 2") == "QF-SNK-1"
    to_phase(session, "recurring")
    assert owed(session) == []
