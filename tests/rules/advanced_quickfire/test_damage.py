"""Damage codes and their overflow, and recurring hits (AQF-DAM, AQF-REC, AQF-LOG-3)."""

from itertools import product
from typing import Unpack

import pytest

from qf_tui.core.values import Ship
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, played, ship, to_phase
from tests.rules.playing import (
    Card,
    changed,
    is_allowed,
    lay_cells,
    owed,
    question,
    reasons,
    refusal,
    result,
    values,
)

HEAVY = "fire ajax heavy rook medium 12 1"
LIGHT = "fire ajax light rook medium 12 1"
AT_LIGHT = "fire ajax heavy rook long light-armor 12 1"
ONE_G = {"heavy": HEAVY, "light": LIGHT, "at-light": AT_LIGHT}
LOG = ("rof_heavy", "rof_light", "boat_guns", "torpedo_reload", "repair_points")


def build_target(*log: int | None, **card: Unpack[Card]) -> Ship:
    """Build rook with this heavy and light ROF, boat guns, reload and repair points left."""
    return ship("rook", "red", log=dict(zip(LOG, log, strict=False)), **card)


@pytest.mark.clause("AQF-GUN-12", "AQF-DAM-9", "AQF-LOG-5")
@pytest.mark.parametrize(
    ("source", "log", "change", "t_hit"),
    [
        ("heavy", (3, 3, 2, 8, 2), {"rof_heavy": 2}, False),
        ("heavy", (1, 3, 2, 8, 2), {"rof_heavy": 0}, False),
        ("heavy", (0, 3, 2, 8, 2), {"rof_light": 2}, False),
        ("heavy", (0, 0, 2, 8, 2), {"boat_guns": 1}, False),
        ("heavy", (0, 0, 0, 8, 2), {"torpedo_reload": 5}, True),
        ("heavy", (0, 0, 0, 2, 2), {"torpedo_reload": 0}, True),
        ("heavy", (0, 0, 0, 0, 2), {"repair_points": 1}, True),
        ("heavy", (0, 0, 0, 0, 0), {"fires": 1}, True),
        ("light", (3, 3, 2, 8, 2), {"rof_light": 2}, False),
        ("light", (3, 0, 2, 8, 2), {"boat_guns": 1}, False),
        ("light", (3, 0, 0, 8, 2), {"torpedo_reload": 5}, True),
        ("light", (3, 0, 0, 0, 2), {"repair_points": 1}, True),
        ("light", (3, 0, 0, 0, 0), {"fires": 1}, True),
        ("at-light", (3, 3, 2, 8, 2), {"rof_light": 2}, False),
        ("at-light", (3, 0, 2, 8, 2), {"rof_heavy": 2}, False),
        ("at-light", (0, 0, 2, 8, 2), {"boat_guns": 1}, False),
        ("at-light", (0, 0, 0, 8, 2), {"torpedo_reload": 5}, True),
    ],
)
def test_g_goes_down_its_chain(
    source: str, log: tuple[int, ...], change: dict[str, int], t_hit: bool
) -> None:
    session = played(battle(ship("ajax"), build_target(*log)))
    assert changed(session, ONE_G[source]) == change
    assert owed(session) == (["t-hit rook"] if t_hit else [])


@pytest.mark.clause("AQF-GUN-12")
@pytest.mark.parametrize(
    ("switch", "change"), [("heavy-next", {"rof_heavy": 2}), ("chain", {"boat_guns": 1})]
)
def test_g_at_the_light_armor_goes_to_heavy_rof_or_by_the_switch_down_the_chain(
    switch: str, change: dict[str, int]
) -> None:
    session = played(battle(ship("ajax"), build_target(3, 0, 2, 8, 2), light_armor_g=switch))
    assert changed(session, AT_LIGHT) == change
    said = [reason.result for reason in session.timeline.rulings[1].decision.reasons]
    assert ("no light ROF left: a boat gun point" in said) is (switch == "chain")


@pytest.mark.clause("AQF-GUN-12", "AQF-PH-2")
def test_each_hit_of_a_shot_sees_the_one_before_it() -> None:
    """Compute overflow from the present log, not from the start of the phase."""
    session = played(battle(ship("ajax"), build_target(1, 1, 2, 8, 2)))
    assert result(session, "fire ajax heavy rook long 12 11")["hits"] == ("G", "S", "G")
    assert values(session, "rook")["rof_light"] == 0
    session.enter("damage rook G")
    assert values(session, "rook")["boat_guns"] == 1


@pytest.mark.clause("AQF-DAM-9")
@pytest.mark.parametrize(
    ("card", "stops", "change", "t_hit"),
    [
        ({"boat_guns": 0}, "no", {"torpedo_reload": 5}, True),
        ({"boat_guns": 0}, "yes", {}, False),
        ({"boat_guns": 0, "torpedo": None}, "no", {"repair_points": 4}, False),
        ({"boat_guns": 0, "torpedo": None, "repair": 0}, "no", {"fires": 1}, False),
        ({"torpedo": None}, "no", {"boat_guns": 2}, False),
    ],
)
def test_a_stage_never_on_board_is_skipped_or_by_a_switch_ends_the_chain(
    card: Card, stops: str, change: dict[str, int], t_hit: bool
) -> None:
    rook: Card = {"rof": (0, 0), **card}
    session = played(battle(ship("ajax"), ship("rook", "red", **rook), chain_stops=stops))
    assert changed(session, HEAVY) == change
    assert owed(session) == (["t-hit rook"] if t_hit else [])


@pytest.mark.clause("AQF-DAM-9")
@pytest.mark.parametrize("card", [{"torpedo": None}, {"torpedo": (18, 0), "repair": 0}])
def test_the_chain_switch_goes_by_the_printed_value(card: Card) -> None:
    """Look at the printed value, not at the live one."""
    printed: Card = {"rof": (0, 0), **card}
    rook = ship("rook", "red", log={"boat_guns": 0}, **printed)
    session = played(battle(ship("ajax"), rook, chain_stops="yes"))
    assert changed(session, HEAVY) == {}


BARE: Card = {"gunnery": (0, 0), "rof": (0, 0), "boat_guns": 0, "torpedo": None}


@pytest.mark.clause("AQF-DAM-1", "AQF-DAM-5", "AQF-DAM-6", "AQF-DAM-7")
@pytest.mark.parametrize(
    ("code", "log", "card", "change", "t_hit"),
    [
        ("B", (9, 9, 3), {}, {"boat_guns": 2}, False),
        ("B", (9, 9, 1), {}, {"boat_guns": 0}, False),
        ("B", (9, 9, 0), {}, {"torpedo_reload": 5}, True),
        ("B", (9, 9, 0), {"boat_guns": 0}, {"torpedo_reload": 5}, True),
        ("R", (9, 9, 2, 8, 2), {}, {"repair_points": 1}, False),
        ("R", (9, 9, 2, 8, 1), {}, {"repair_points": 0}, False),
        ("R", (9, 9, 2, 8, 0), {}, {"fires": 1}, False),
        ("T", (9, 9, 3, 11, 5), {}, {"torpedo_reload": 8}, True),
        ("T", (9, 9, 3, 8, 5), {}, {"torpedo_reload": 5}, True),
        ("T", (9, 9, 3, 3, 5), {}, {"torpedo_reload": 0}, True),
        ("T", (9, 9, 3, 1, 5), {}, {"torpedo_reload": 0}, True),
        ("T", (9, 9, 3, 0, 5), {}, {"repair_points": 4}, True),
        ("T", (), BARE, {}, False),
        ("B", (), BARE, {}, False),
        ("G", (), BARE, {"repair_points": 4}, False),
        ("S", (), BARE, {"speed_hits": 1, "available_speed": 7}, False),
    ],
)
def test_each_code_takes_its_own_value_or_overflows(
    code: str, log: tuple[int, ...], card: Card, change: dict[str, int], t_hit: bool
) -> None:
    session = played(battle(ship("ajax"), build_target(*log, **card)))
    assert changed(session, f"damage rook {code}") == change
    assert owed(session) == (["t-hit rook"] if t_hit else [])


@pytest.mark.clause("AQF-DAM-13")
@pytest.mark.parametrize("stops", ["no", "yes"])
@pytest.mark.parametrize("guns", [0, 2])
@pytest.mark.parametrize(
    ("switch", "points", "change"),
    [("letter", 4, {}), ("chain", 4, {"repair_points": 3}), ("chain", 0, {"fires": 1})],
)
def test_b_with_neither_boat_guns_nor_torpedoes_does_nothing_or_goes_on(
    switch: str, points: int, change: dict[str, int], guns: int, stops: str
) -> None:
    """Keep this switch apart from the one of G's chain."""
    rook = ship("rook", "red", torpedo=None, boat_guns=guns, log={"boat_guns": 0, "repair_points": points})
    session = played(battle(ship("ajax"), rook, b_chain=switch, chain_stops=stops))
    assert changed(session, "damage rook B") == change


@pytest.mark.clause("AQF-DAM-14")
def test_an_explosion_is_one_die_or_by_the_switch_two_d6() -> None:
    session = played(battle(), "damage rook E")
    assert [str(die) for die in session.battle.owed[0].dice] == ["D12"]
    session.enter("option explosion_dice 2d6")
    assert result(session, "roll 9")["hits"] == ("SX", "F")
    session.enter("damage rook E")
    assert [str(die) for die in session.battle.owed[0].dice] == ["D6", "D6"]
    assert not is_allowed(session, "roll 9")
    chances = {str(chance) for chance in session.preview_order("roll").chances}
    assert result(session, "roll 3 6")["hits"] == ("SX", "F")
    assert chances == set()


@pytest.mark.clause("AQF-DAM-2")
@pytest.mark.parametrize(
    ("face", "course"),
    [(1, "90 left"), (2, "90 left"), (3, "45 left"), (6, "45 left"), (7, "45 right"), (10, "45 right"),
     (11, "90 right"), (12, "90 right")],
)  # fmt: skip
def test_d_asks_for_a_die_and_marks_its_course(face: int, course: str) -> None:
    session = played(battle(), "damage rook D")
    assert owed(session) == ["direction rook"]
    assert changed(session, f"roll {face}") == {"course": [course]}


@pytest.mark.clause("AQF-DAM-2")
def test_a_direction_hit_stays_over_the_turn() -> None:
    session = played(battle(), "damage rook D", "roll 1", *["next"] * 6)
    assert session.battle.turn == 2
    assert values(session, "rook")["course"] == ["90 left"]


EXPLOSION = [
    (1, ["G"], {"rof_heavy": 8}),
    (5, ["G", "G"], {"rof_heavy": 8, "rof_light": 8}),
    (8, ["S", "S"], {"speed_hits": 2, "available_speed": 6}),
    (
        12,
        ["SX", "SX", "SX", "G", "G"],
        {"speed_lost": 3, "available_speed": 5, "rof_heavy": 8, "rof_light": 8},
    ),
]


@pytest.mark.clause("AQF-DAM-3")
@pytest.mark.parametrize(("face", "codes", "change"), EXPLOSION)
def test_e_rolls_one_die_in_the_explosion_row_then_lights_one_fire(
    face: int, codes: list[str], change: dict[str, int]
) -> None:
    session = played(battle(ship("ajax"), build_target(9, 9)), "damage rook E")
    asked = question(session, "explosion")
    assert [str(die) for die in asked.dice] == ["D12"]
    before = values(session, "rook")
    assert result(session, f"roll {face}")["hits"] == (*codes, "F")
    after = values(session, "rook")
    assert {name: after[name] for name in after if before[name] != after[name]} == {**change, "fires": 1}


@pytest.mark.clause("AQF-DAM-3")
@pytest.mark.parametrize(
    ("heavy", "light", "left"),
    [
        (9, 9, (7, 8, 3)),
        (1, 9, (0, 7, 3)),
        (0, 9, (0, 6, 3)),
        (9, 0, (6, 0, 3)),
        (9, 1, (7, 0, 3)),
        (2, 1, (0, 0, 3)),
        (1, 0, (0, 0, 1)),
    ],
)
def test_g_of_an_explosion_alternate_skip_zero_and_go_down_the_chain(
    heavy: int, light: int, left: tuple[int, int, int]
) -> None:
    start = lay_cells(battle(ship("ajax"), build_target(heavy, light, 3)), "damage", "explosion", {"1": "3G"})
    seen = values(played(start, "damage rook E", "roll 1"), "rook")
    assert (seen["rof_heavy"], seen["rof_light"], seen["boat_guns"]) == left


@pytest.mark.clause("AQF-DAM-3")
@pytest.mark.parametrize(
    ("switch", "log", "left"),
    [
        ("in-turn", (9, 9, 3), (7, 9, 3)),
        ("goes-on", (9, 9, 3), (8, 8, 3)),
        ("goes-on", (9, 0, 3), (7, 0, 3)),
        ("both", (9, 9, 3), (7, 7, 3)),
        ("both", (1, 9, 3), (0, 7, 3)),
        ("both", (0, 1, 3), (0, 0, 2)),
    ],
)
def test_a_switch_makes_g_go_on_in_turn_or_take_one_of_both(
    switch: str, log: tuple[int, ...], left: tuple[int, ...]
) -> None:
    start = battle(ship("ajax"), build_target(*log), explosion_g=switch)
    seen = values(played(start, "damage rook E E", "roll 1", "roll 1"), "rook")
    assert (seen["rof_heavy"], seen["rof_light"], seen["boat_guns"]) == left


@pytest.mark.clause("AQF-DAM-3")
def test_the_turn_of_g_goes_on_as_long_as_the_battle() -> None:
    """Remember whose turn it is longer than acts are kept."""
    session = played(
        battle(ship("ajax"), build_target(9, 9), explosion_g="goes-on"), "damage rook E", "roll 1"
    )
    session.enter("mark rook fires 0")
    for _ in range(3):
        to_phase(session, "movement")
    session.enter("damage rook E")
    session.enter("roll 2")
    assert (values(session, "rook")["rof_heavy"], values(session, "rook")["rof_light"]) == (8, 8)


@pytest.mark.clause("AQF-DAM-10")
@pytest.mark.parametrize(
    ("order", "change"),
    [
        ("damage rook S", {"speed_hits": 7, "speed_lost": 1}),
        ("damage rook heavy S", {"speed_hits": 7, "speed_lost": 1}),
        ("damage rook light S", {"fires": 1}),
        ("damage rook boat S", {"fires": 1}),
        ("damage rook G", {"rof_heavy": 11}),
        ("damage rook heavy G", {"rof_heavy": 11}),
        ("damage rook Light g", {"rof_light": 11}),
        ("damage rook boat G", {"rof_light": 11}),
        ("damage rook b", {"boat_guns": 2}),
        ("damage rook boat B", {"boat_guns": 2}),
    ],
)
def test_damage_by_hand_counts_as_the_named_kind_of_fire(order: str, change: dict[str, int]) -> None:
    """Let light hits not cascade as heavy ones, and read no code B as boat guns."""
    start = battle(ship("ajax"), ship("rook", "red", log={"speed_hits": 8}))
    assert changed(played(start), order) == change


@pytest.mark.clause("AQF-DAM-10")
@pytest.mark.parametrize(
    ("order", "said"),
    [("damage rook light G", "G, as from light fire"), ("damage rook S", "S")],
)
def test_the_named_kind_of_fire_stays_in_order_and_reason(order: str, said: str) -> None:
    session = played(battle())
    reason = reasons(session, order)[0]
    assert session.timeline.versions[1].order.resolved == order
    assert (reason.result, reason.clause) == (f"{said}, by the umpire's word", "AQF-DAM-10")
    assert refusal(session, "damage rook light") == ""


@pytest.mark.clause("AQF-DAM-3", "AQF-REP-3")
def test_s_of_an_explosion_can_be_repaired_and_sx_cannot() -> None:
    start = battle(phase="repair")
    shaken = played(start, "damage rook E", "roll 6")
    assert changed(shaken, "repair rook speed 3") == {
        "speed_hits": 0, "available_speed": 8, "repair_points": 4,
    }  # fmt: skip
    assert refusal(played(start, "damage rook E", "roll 9"), "repair rook speed 3") == "AQF-REP-1"


@pytest.mark.clause("AQF-DAM-4")
def test_fires_have_no_limit() -> None:
    session = played(battle(), *["damage rook F F F F"] * 4)
    assert values(session, "rook")["fires"] == 16


@pytest.mark.clause("AQF-DAM-6")
@pytest.mark.parametrize(("switch", "change"), [("nothing", {}), ("chain", {"repair_points": 4})])
def test_a_printed_t_does_nothing_to_a_ship_that_never_had_torpedoes(
    switch: str, change: dict[str, int]
) -> None:
    start = battle(ship("ajax"), ship("rook", "red", torpedo=None), t_without_torpedoes=switch)
    session = played(start)
    assert changed(session, "damage rook T") == change
    assert owed(session) == []
    assert values(session, "rook")["torpedo_reload"] is None


@pytest.mark.clause("AQF-DAM-6")
@pytest.mark.parametrize(("face", "change"), [(1, {}), (10, {}), (11, {"fires": 1}), (12, {"fires": 1})])
def test_the_t_hit_roll_may_light_one_fire(face: int, change: dict[str, int]) -> None:
    session = played(battle(), "damage rook T")
    assert changed(session, f"roll {face}") == change
    assert owed(session) == []


TURNED = {"speed_hits": 7, "speed_lost": 1}
"""A live S that became an SX."""


@pytest.mark.clause("AQF-GUN-14")
@pytest.mark.parametrize(
    ("orders", "options", "change"),
    [
        ("fire ajax heavy rook medium 12 2", {}, TURNED),
        ("fire ajax light rook medium 12 2", {}, {"fires": 1}),
        ("fire ajax light rook medium 12 2", {"light_s_overflow": "sx"}, TURNED),
        ("fire ajax heavy rook medium 12 2", {"light_s_overflow": "sx"}, TURNED),
        ("boats ajax rook 7", {}, {"fires": 1}),
        ("boats ajax rook 7", {"light_s_overflow": "sx"}, TURNED),
        ("damage rook E; roll 6", {}, {**TURNED, "fires": 1}),
        ("damage rook E; roll 6", {"explosion_s_overflow": "fire"}, {"fires": 2}),
    ],
)
def test_s_with_every_box_marked_becomes_sx_or_by_source_and_switches_a_fire(
    orders: str, options: dict[str, str], change: dict[str, int]
) -> None:
    full = ship("rook", "red", size=0.5, armor=(0.5, 0.5), log={"speed_hits": 8})
    *before, order = orders.split("; ")
    assert changed(played(battle(ship("ajax"), full, **options), *before), order) == change


@pytest.mark.clause("AQF-LOG-3")
@pytest.mark.parametrize(
    ("live", "lost"), [pair for pair in product(range(9), range(11)) if pair[0] + min(pair[1], 8) <= 8]
)
def test_sx_make_room_among_the_boxes_and_go_to_the_margin_last(live: int, lost: int) -> None:
    rook = ship("rook", "red", log={"speed_hits": live, "speed_lost": lost})
    session = played(battle(ship("ajax"), rook), "damage rook SX")
    seen = values(session, "rook")
    full = live + min(lost, 8) == 8
    assert seen["speed_lost"] == lost + 1
    assert seen["speed_hits"] == (live - 1 if full and live else live)
    assert session.battle.ships["rook"].count("speed_hits") + min(8, lost + 1) <= 8


@pytest.mark.clause("AQF-LOG-3")
@pytest.mark.parametrize(
    ("live", "lost", "after"),
    [(0, 0, (1, 0)), (7, 0, (8, 0)), (8, 0, (7, 1)), (3, 4, (4, 4)), (3, 5, (2, 6)), (1, 7, (0, 8)),
     (0, 8, (0, 9)), (0, 10, (0, 11))],
)  # fmt: skip
def test_heavy_s_fill_the_boxes_and_then_turn_live_s_into_sx(
    live: int, lost: int, after: tuple[int, int]
) -> None:
    rook = ship("rook", "red", log={"speed_hits": live, "speed_lost": lost})
    session = played(battle(ship("ajax"), rook), "fire ajax heavy rook medium 12 2")
    seen = values(session, "rook")
    assert (seen["speed_hits"], seen["speed_lost"]) == after


@pytest.mark.clause("AQF-DAM-9")
def test_damage_by_the_umpire_s_word_goes_through_the_same_cascade() -> None:
    session = played(battle(ship("ajax"), build_target(0, 0, 0, 0, 0)))
    assert "AQF-DAM-5" in [reason.clause for reason in reasons(session, "damage rook g")]
    session.enter("undo")
    assert changed(session, "damage rook g s f") == {
        "fires": 2, "speed_hits": 1, "available_speed": 7,
    }  # fmt: skip
    assert owed(session) == ["t-hit rook"]
    assert not is_allowed(session, "damage rook Q")
    assert not is_allowed(session, "damage rook")


@pytest.mark.clause("AQF-SNK-2")
def test_a_sunk_ship_takes_no_more_damage_and_owes_nothing() -> None:
    session = played(battle(), "leave rook sunk")
    assert refusal(session, "damage rook E") == "AQF-SNK-2"
    session.enter("force damage rook E D T")
    assert owed(session) == []


def play_recurring(*orders: str, fires: int = 0, lost: int = 0, **options: str) -> Session:
    """Play orders in phase 4 with fires and SX on rook; entry 1 is the `next` before it."""
    rook = ship("rook", "red", fires=fires, log={"speed_lost": lost})
    start = battle(ship("ajax"), rook, phase="second-gunnery", **options)
    return played(start, "next", *orders)


@pytest.mark.clause("AQF-REC-1", "AQF-REC-2")
@pytest.mark.parametrize(
    ("fires", "lost", "orders", "keys"),
    [
        (0, 0, (), []),
        (1, 0, (), ["1/fire-check/rook/1"]),
        (3, 0, (), ["1/fire-check/rook/1", "1/fire-check/rook/2", "1/fire-check/rook/3"]),
        (0, 5, (), ["1/sx-check/rook/1"]),
        (1, 0, ("roll 12", "roll 9"), ["1/sx-check/rook/1"]),
        (1, 1, ("force next",), ["1/fire-check/rook/1", "1/sx-check/rook/1"]),
    ],
)
def test_phase_4_owes_a_check_for_each_fire_and_each_ship_with_sx(
    fires: int, lost: int, orders: tuple[str, ...], keys: list[str]
) -> None:
    session = play_recurring(*orders, fires=fires, lost=lost)
    assert [roll.key for roll in session.battle.owed] == keys


@pytest.mark.clause("AQF-REC-1")
@pytest.mark.parametrize(
    ("face", "change"),
    [*((face, {"fires": 0}) for face in (1, 2, 3, 4)), *((face, {}) for face in (5, 6, 7, 8, 9)),
     (10, {"boat_guns": 2}), (11, {"boat_guns": 2}), (12, {})],
)  # fmt: skip
def test_a_fire_goes_out_takes_a_boat_gun_explodes_or_burns_on(face: int, change: dict[str, int]) -> None:
    session = play_recurring(fires=1)
    assert changed(session, f"roll {face}") == change
    assert owed(session) == (["explosion rook"] if face == 12 else [])


@pytest.mark.clause("AQF-REC-1")
def test_a_fire_lit_in_phase_4_waits_a_turn() -> None:
    session = play_recurring("roll 12", "roll 1", fires=1)
    assert values(session, "rook")["fires"] == 2
    assert owed(session) == []
    to_phase(to_phase(session, "movement"), "recurring")
    assert owed(session) == ["fire-check rook", "fire-check rook"]


@pytest.mark.clause("AQF-REC-1")
def test_each_check_is_of_its_own_fire() -> None:
    session = play_recurring("roll 1/fire-check/rook/2 1", fires=3)
    left = [mark.id for mark in session.battle.ships["rook"].live("fires")]
    assert left == ["0.f0", "0.f2"]


@pytest.mark.clause("AQF-DAM-8")
def test_an_explosion_in_a_check_is_rolled_next_and_its_fire_burns_on() -> None:
    session = play_recurring("roll 12", fires=3)
    assert owed(session) == ["explosion rook", "fire-check rook", "fire-check rook"]
    assert [roll.key for roll in session.battle.owed][1:] == ["1/fire-check/rook/2", "1/fire-check/rook/3"]
    assert changed(session, "roll 1") == {"rof_heavy": 11, "fires": 4}
    assert owed(session) == ["fire-check rook", "fire-check rook"]


@pytest.mark.clause("AQF-DAM-8")
def test_two_explosions_are_two_rolls_in_order_of_cause() -> None:
    rook = ship("rook", "red", fires=2, log={"rof_heavy": 1, "rof_light": 9})
    session = played(
        battle(ship("ajax"), rook, phase="second-gunnery"),
        "next",
        "roll 1/fire-check/rook/1 12",
        "roll 1/fire-check/rook/2 12",
    )
    assert [roll.key for roll in session.battle.owed] == ["2/explosion/rook/1", "3/explosion/rook/1"]
    assert changed(session, "roll 1") == {"rof_heavy": 0, "fires": 3}
    assert changed(session, "roll 1") == {"rof_light": 8, "fires": 4}


@pytest.mark.clause("AQF-REC-2")
def test_sx_checks_come_after_the_fire_checks_and_their_results() -> None:
    session = play_recurring(fires=2, lost=1)
    assert owed(session) == ["fire-check rook", "fire-check rook"]
    session.enter("roll 5")
    assert owed(session) == ["fire-check rook"]
    session.enter("roll 12")
    assert owed(session) == ["explosion rook"]
    session.enter("roll 1")
    assert [roll.key for roll in session.battle.owed] == ["1/sx-check/rook/1"]
    session.enter("roll 5")
    assert owed(session) == []
    session.enter("next")
    assert session.battle.phase == "repair"


@pytest.mark.clause("AQF-REC-2")
def test_a_check_is_one_a_ship_however_many_sx_and_brings_no_second_roll() -> None:
    session = play_recurring(lost=5)
    assert owed(session) == ["sx-check rook"]
    assert changed(session, "roll 12") == {"speed_lost": 6, "available_speed": 2}
    assert owed(session) == []


@pytest.mark.clause("AQF-REC-2")
def test_sx_checks_are_owed_once_a_turn() -> None:
    session = play_recurring("roll 5", "damage rook SX", "note nothing owed", lost=1)
    assert owed(session) == []
    to_phase(session, "sinking")
    session.enter("roll 12")
    to_phase(session, "recurring")
    assert session.battle.turn == 2
    assert owed(session) == ["sx-check rook"]


@pytest.mark.clause("AQF-REC-2")
@pytest.mark.parametrize(
    ("switch", "face", "rises"),
    [("11-12", 10, False), ("11-12", 11, True), ("11-12", 12, True), ("12", 11, False), ("12", 12, True)],
)
def test_12_and_by_default_11_adds_an_sx(switch: str, face: int, rises: bool) -> None:
    session = play_recurring(lost=1, sx_check=switch)
    change = {"speed_lost": 2, "available_speed": 6} if rises else {}
    assert changed(session, f"roll {face}") == change


@pytest.mark.clause("AQF-REC-1")
def test_ships_aground_check_their_fires_and_ships_off_the_table_do_not() -> None:
    start = battle(
        ship("ajax"),
        ship("rook", "red", fires=1),
        ship("rival", "red", fires=1, log={"speed_lost": 2}),
        ship("boyne", fires=1, log={"speed_lost": 2}),
        phase="second-gunnery",
    )
    session = played(start, "leave rook aground", "leave rival sunk", "leave boyne withdrawn", "next")
    assert owed(session) == ["fire-check rook"]


@pytest.mark.clause("AQF-REC-2")
@pytest.mark.parametrize("order", ["leave rook", "mark rook status withdrawn"])
def test_a_ship_that_withdraws_no_longer_owes_its_checks(order: str) -> None:
    """Ask for the check again when the withdrawal is struck."""
    start = battle(
        ship("ajax"),
        ship("rook", "red", fires=1, log={"speed_lost": 2}),
        ship("rival", "red", log={"speed_lost": 2}),
        phase="second-gunnery",
    )
    session = played(start, "next", "roll 5")
    assert owed(session) == ["sx-check rook", "sx-check rival"]
    session.enter(order)
    assert owed(session) == ["sx-check rival"]
    session.enter("strike 3")
    assert owed(session) == ["sx-check rook", "sx-check rival"]


@pytest.mark.clause("AQF-REC-1")
def test_the_umpire_s_own_fire_check_may_do_other_things() -> None:
    rook = ship("rook", "red", fires=1)
    start = lay_cells(battle(ship("ajax"), rook, phase="second-gunnery"), "damage", "fire-check", {"5": "R"})
    session = played(start, "next")
    assert question(session, "fire-check").key == "1/fire-check/rook/1"
    assert changed(session, "roll 5") == {"repair_points": 4}


@pytest.mark.clause("AQF-REC-1")
@pytest.mark.parametrize("die", [1, 10, 12])
def test_the_check_of_a_fire_that_the_umpire_has_put_out_does_nothing(die: int) -> None:
    rook = ship("rook", "red", fires=2)
    session = played(battle(ship("ajax"), rook, phase="second-gunnery"), "next", "mark rook fires 1")
    assert owed(session) == ["fire-check rook", "fire-check rook"]
    gone = session.battle.owed[1]
    assert changed(session, f"roll {gone.key} {die}") == {}
    assert owed(session) == ["fire-check rook"]


@pytest.mark.clause("AQF-DAM-8", "AQF-CHA-2")
def test_an_explosion_caused_by_an_explosion_comes_before_the_checks() -> None:
    start = battle(ship("ajax"), ship("rook", "red", fires=2), phase="second-gunnery")
    session = played(lay_cells(start, "damage", "explosion", {"5": "E"}), "next", "roll 12", "roll 5")
    assert owed(session) == ["explosion rook", "fire-check rook"]
