"""Movement and collisions (QFC-MV, QFC-COL)."""

import pytest

from qf_tui.document.acts import summarize_act
from tests.rules.playing import changed, draw_cell, is_allowed, owed, reasons, refusal, result, values
from tests.rules.quickfire_clone.tables import battle, play_to_turn, played, ship


@pytest.mark.clause("QFC-LOG-1")
@pytest.mark.clause("QFC-MV-1")
@pytest.mark.parametrize(
    ("speed_hits", "most"),
    [*enumerate((120, 105, 90, 75, 60, 45, 30, 15, 0)), (11, 0)],
)
def test_the_topmost_open_box_is_the_farthest_move(speed_hits: int, most: int) -> None:
    """Let S beyond the eighth not go below zero."""
    start = battle(ship("ajax", log={"speed_hits": speed_hits}), ship("rook", "red"), phase="move")
    assert is_allowed(played(start), f"move ajax {most}mm")
    assert refusal(played(start), f"move ajax {most + 1}mm") == "QFC-MV-1"
    assert values(played(start), "ajax")["available_speed"] == most


@pytest.mark.clause("QFC-MV-1")
@pytest.mark.clause("QFC-MV-4")
def test_a_move_is_kept_in_millimetres_whatever_its_unit() -> None:
    """Keep fractions, and refuse boxes and inches."""
    session = played(battle(phase="move"), "move ajax 9.25cm", "move rook 42mm")
    assert values(session, "ajax")["moved"] == 92.5
    assert values(session, "rook")["moved"] == 42
    assert refusal(session, "move ajax 90mm") == "QFC-MV-1"
    assert refusal(session, "force move rook 4in") == ""


@pytest.mark.clause("QFC-MV-2")
@pytest.mark.parametrize(
    ("distance", "fine"), [("29mm", False), ("30mm", True), ("60mm", True), ("90mm", True), ("91mm", False)]
)
def test_speed_changes_by_at_most_two_boxes_a_turn(distance: str, fine: bool) -> None:
    session = play_to_turn(played(battle(phase="move"), "move ajax 60mm"), 2, "move")
    assert is_allowed(session, f"move ajax {distance}") is fine
    if not fine:
        assert refusal(session, f"move ajax {distance}") == "QFC-MV-2"


@pytest.mark.clause("QFC-MV-2")
def test_the_first_turn_is_free_and_damage_may_take_more_than_two_boxes() -> None:
    session = played(battle(phase="move"), "move ajax 0mm", "move rook 120mm")
    play_to_turn(session, 1, "gunnery").enter("damage rook S S S S S")
    play_to_turn(session, 2, "move")
    assert is_allowed(session, "move rook 45mm")
    assert refusal(session, "move rook 60mm") == "QFC-MV-1"


@pytest.mark.clause("QFC-MV-3")
def test_the_console_reminds_that_templates_turn_the_models() -> None:
    """Mention no pivots, which belong to another game."""
    session = played(battle(phase="move"))
    assert any("template" in text for text in session.system.advice(session.battle))
    reminders = session.preview_order("move ajax 60mm").reminders
    assert [text for text in reminders if "template" in text]
    assert not [text for text in reminders if "pivot" in text]


@pytest.mark.clause("QFC-MV-4")
def test_without_a_record_the_last_speed_is_assumed_and_at_first_the_full_one() -> None:
    """Do not count a ship without a move as static."""
    session = play_to_turn(played(battle(phase="move"), "move ajax 60mm"), 1, "gunnery")
    assert draw_cell(session, "ajax", "moved") == "60"
    assert draw_cell(session, "rook", "moved") == "120"
    assert values(session, "rook")["moved"] is None
    play_to_turn(session, 2, "gunnery")
    assert values(session, "ajax")["moved"] is None
    assert draw_cell(session, "ajax", "moved") == "60"
    assert "60 mm" in session.preview_order("torpedo rook ajax 25cm 6 6 6").assumes[0]


@pytest.mark.clause("QFC-MV-4")
def test_the_umpire_s_hand_writes_millimetres_too() -> None:
    """Read no entry by hand as boxes."""
    session = played(battle(), "mark ajax moved 20")
    assert draw_cell(session, "ajax", "moved") == "20"
    assert "static target: 6>5" in reasons(session, "torpedo rook ajax 25cm 1 1 4")[0].text
    session.enter("mark ajax moved none")
    assert values(session, "ajax")["moved"] is None


@pytest.mark.clause("QFC-COL-1")
@pytest.mark.clause("QFC-COL-2")
def test_ships_that_collide_neither_fire_nor_launch_in_that_turn_s_gunnery() -> None:
    """Silence both ships, and no third one."""
    start = battle(ship("ajax"), ship("boyne"), ship("rook", "red"), phase="move")
    session = play_to_turn(played(start, "collide ajax rook 6 6"), 1, "gunnery")
    assert refusal(session, "fire ajax heavy rook 100cm 1 6") == "QFC-COL-1"
    assert refusal(session, "fire rook light boyne 100cm 1 6") == "QFC-COL-1"
    assert refusal(session, "torpedo rook boyne 20cm 6 6 6") == "QFC-COL-2"
    assert is_allowed(session, "fire boyne heavy rook 100cm 1 6")
    play_to_turn(session, 2, "gunnery")
    assert is_allowed(session, "fire ajax heavy rook 100cm 1 6")
    assert is_allowed(session, "torpedo rook boyne 20cm 6 6 6")


@pytest.mark.clause("QFC-COL-1")
def test_ships_that_collided_start_again_from_no_speed() -> None:
    """Allow no full speed the turn after."""
    session = played(battle(phase="move"), "move ajax 90mm", "collide ajax rook 6 6")
    play_to_turn(session, 2, "move")
    assert refusal(session, "move ajax 31mm") == "QFC-MV-2"
    assert refusal(session, "move rook 31mm") == "QFC-MV-2"
    session.enter("move ajax,rook 30mm")


@pytest.mark.clause("QFC-COL-2")
def test_the_rammer_strikes_heavy_and_the_rammed_ship_light() -> None:
    """Check the armour and ROF of both ships."""
    ajax = ship("ajax", gunnery=(10, 1), armor=(16, 0), rof=(5, 5))
    rook = ship("rook", "red", gunnery=(1, 4), armor=(8, 16), rof=(4, 4))
    needs = played(battle(ajax, rook, phase="move")).preview_order("collide ajax rook").needs
    rammer = "hits the rammed ship on rammer's white 3 or less"
    assert [str(need) for need in needs] == [rammer, "always hits the rammer"]
    session = played(battle(ajax, rook, phase="move"), "collide ajax rook 3 5")
    assert values(session, "rook")["rof_heavy"] == 3
    assert values(session, "ajax")["rof_light"] == 4
    assert values(session, "ajax")["rof_heavy"] == 5
    other = played(battle(ajax, rook, phase="move"), "collide ajax rook 4 6")
    assert values(other, "rook") == values(played(battle(ajax, rook, phase="move")), "rook")
    assert values(other, "ajax")["speed_hits"] == 1
    start = battle(ship("ajax", armor=(8, 0)), ship("rook", "red", gunnery=(10, 16)), phase="move")
    assert result(played(start), "collide ajax rook 6 5")["hits"] == ("G",)
    assert result(played(start), "collide ajax rook both 6 5")["hits"] == (), "both strike heavy"


@pytest.mark.clause("QFC-COL-2")
@pytest.mark.parametrize(
    ("dice", "told"),
    [
        ("6 1", "Ajax: light ROF 6→5"),
        ("2 6", "Rook: S hits 0→1"),
        ("2 1", "Rook: S hits 0→1 · Ajax: light ROF 6→5"),
        ("6 6", "Ajax: no hit"),
    ],
)
@pytest.mark.parametrize("orders", [("collide ajax rook {}",), ("collide ajax rook", "roll {}")])
def test_a_collision_is_summarized_by_the_ships_that_it_harmed(
    orders: tuple[str, ...], dice: str, told: str
) -> None:
    """Do not show the rammer's damage with the rammed ship."""
    session = played(battle(phase="move"), *(order.format(dice) for order in orders))
    assert summarize_act(session.system, session.timeline, session.timeline.log[-1]).effect == told


@pytest.mark.clause("QFC-COL-2")
def test_a_collision_asks_no_rof_spends_no_auto_shot_and_brings_no_blast() -> None:
    """Let a silenced ship ram, without black dice."""
    start = battle(ship("ajax", log={"rof_heavy": 0}), ship("rook", "red"), phase="move")
    session = played(start, "collide ajax rook 1 1")
    assert values(session, "rook")["rof_heavy"] == 5
    assert values(session, "ajax")["auto_shot"] is False
    assert owed(session) == []
    assert values(session, "rook")["repair_points"] == 5


@pytest.mark.clause("QFC-COL-2")
@pytest.mark.parametrize(
    ("order", "hits", "blast", "owes"),
    [
        ("collide ajax rook 1 3 1 3", ("G", "G"), ("B",), ["blast rook"]),
        ("collide ajax rook 6 3 1 3", ("G", "G"), (), []),
        ("collide ajax rook 1 4 1 1", ("G",), (), []),
        ("collide ajax rook both 2 3 1 1", ("G", "G"), ("E", "F"), ["explosion rook"]),
    ],
)
def test_a_switch_adds_black_dice_for_the_blast_of_heavy_guns(
    order: str, hits: tuple[str, ...], blast: tuple[str, ...], owes: list[str]
) -> None:
    """Give no blast to light guns or without a hit, and ask for no ROF."""
    start = battle(ship("ajax"), ship("rook", "red", rof=(0, 0)), phase="move", collision_blast="yes")
    session = played(start)
    assert result(session, order) == {"hits": hits, "blast": blast}
    assert owed(session) == owes
    assert refusal(played(start), "collide ajax rook 3 3") == ""


@pytest.mark.clause("QFC-COL-2")
def test_the_odds_of_a_collision_with_black_dice_count_its_blast() -> None:
    """Ask for no dice of ships without guns."""
    start = battle(ship("ajax"), ship("rook", "red", gunnery=(0, 0)), phase="move", collision_blast="yes")
    prospect = played(start).preview_order("collide ajax rook")
    assert [str(die) for die in prospect.missing] == ["rammer's black D6", "rammer's white D6"]
    assert [str(chance) for chance in prospect.chances] == ["rammer hits 50%", "rammed hits 0%", "blast 25%"]


@pytest.mark.clause("QFC-COL-2")
def test_damage_of_a_collision_counts_from_the_end_of_movement() -> None:
    """Let a rammed ship still move at its speed."""
    session = played(battle(phase="move"), "collide ajax rook 2 6")
    assert draw_cell(session, "rook", "boxes") == "(/)□□□□□□□"
    session.enter("move rook 120mm")
    assert values(session, "rook")["available_speed"] == 105
    session.enter("next")
    assert draw_cell(session, "rook", "boxes") == "[x]□□□□□□□"


@pytest.mark.clause("QFC-COL-2")
def test_collision_dice_may_come_later_and_ships_without_guns_need_none() -> None:
    session = played(battle(phase="move"), "collide ajax rook")
    assert owed(session) == ["collide ajax"]
    assert refusal(session, "roll 3") == ""
    session.enter("roll 3 6")
    boat = ship("boat", "red", gunnery=(0, 0), armor=(0.5, 0.5))
    session = played(battle(ship("ajax"), boat, phase="move"), "collide ajax boat 2")
    assert values(session, "boat")["speed_hits"] == 1
    assert result(played(battle(boat, ship("ajax"), phase="move")), "collide boat ajax 6 3")["hits"] == ("G",)


@pytest.mark.clause("QFC-COL-2")
def test_a_pair_collides_once_a_turn_and_a_ship_not_with_itself() -> None:
    """Allow friends to collide, and refuse a wreck."""
    ships = (ship("ajax"), ship("boyne"), ship("rook", "red"), ship("rival", "red"))
    session = played(battle(*ships, phase="move"))
    assert is_allowed(session, "collide ajax boyne 6 6")
    session.enter("collide ajax rook 6 6")
    assert refusal(session, "collide rook ajax 6 6") == "QFC-COL-2"
    assert refusal(session, "force collide ajax ajax 6 6") == ""
    session.enter("collide ajax rival 6 6")
    session.enter("leave boyne sunk")
    assert refusal(session, "collide ajax boyne 6 6") == "QFC-SNK-2"
    assert refusal(play_to_turn(session, 1, "gunnery"), "collide rook rival 6 6") == "QFC-PH-1"


@pytest.mark.clause("QFC-BLA-4")
def test_a_ship_steered_by_damage_is_named_in_the_movement_phase() -> None:
    rook = ship("rook", "red", courses=("full turn left",))
    session = played(battle(ship("ajax"), rook, phase="move"))
    assert any("Rook is steered" in text for text in session.system.advice(session.battle))
    assert any("full turn left" in text for text in session.preview_order("move rook 60mm").reminders)
    assert changed(session, "mark rook course none") == {"course": []}
    assert not any("Rook" in text for text in session.system.advice(session.battle))


@pytest.mark.clause("QFC-MV-4")
@pytest.mark.parametrize(
    ("order", "reminded"),
    [
        ("move ajax 6mm", "6 mm of 120 mm: if you mean 6 cm, write 6cm"),
        ("move ajax 15mm", "15 mm of 120 mm: if you mean 15 cm, write 15cm"),
        ("move ajax 16mm", ""),
        ("move ajax 6cm", ""),
        ("move ajax 0mm", ""),
        ("fire ajax heavy rook 35mm", "35 mm are 3.5 cm: if you mean 35 cm, write 35cm"),
        ("fire ajax heavy rook 250mm", ""),
        ("fire ajax light rook 130mm", ""),
        ("fire ajax heavy rook 35cm", ""),
        ("torpedo ajax rook 20mm", "20 mm are 2 cm: if you mean 20 cm, write 20cm"),
        ("torpedo ajax rook 40mm", ""),
    ],
)
def test_millimetres_that_may_be_centimetres_bring_a_reminder(order: str, reminded: str) -> None:
    """Type boxes, or centimetres, without a unit."""
    start = battle(phase="move" if order.startswith("move") else "gunnery")
    found = [text for text in played(start).preview_order(order).reminders if "if you mean" in text]
    assert found == ([reminded] if reminded else [])
