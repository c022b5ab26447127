"""The turn, who moves first, the end of a battle, and the ship log (AQF-PH, AQF-LOG)."""

from pathlib import Path

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.core.printed_logs import BoxState
from qf_tui.core.timeline import State
from qf_tui.document.acts import describe_act_with_targets
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship, to_phase
from tests.rules.playing import (
    draw_cell,
    format_spans,
    is_allowed,
    list_clauses,
    owed,
    reasons,
    refusal,
    values,
)
from tests.systems import find_our_systems


@pytest.mark.clause("AQF-GUN-15", "AQF-MV-5", "AQF-SCA-3", "AQF-TOR-1")
@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("movement", ("fixed point", "front edge", "AQF-MV-5")),
        ("first-gunnery", ("funnel", "line of sight and arcs")),
        ("second-gunnery", ("funnel", "line of sight and arcs", "AQF-TOR-1")),
    ],
)
def test_tasks_left_to_people_are_reminded_of_in_their_phase(phase: str, words: tuple[str, ...]) -> None:
    session = played(battle(phase=phase))
    advice = "\n".join(session.system.advice(session.battle))
    assert [word for word in words if word not in advice] == []


@pytest.mark.clause("AQF-PH-2", "AQF-LOG-4")
def test_a_rolled_consequence_is_written_at_once_as_a_slash() -> None:
    session = played(battle(), "damage rook E D T", "roll 9", "roll 1", "roll 11")
    assert draw_cell(session, "rook", "blast") == "(2F)(D90L)"
    assert draw_cell(session, "rook", "boxes") == "(\\)□□□□□□□"
    assert draw_cell(session, "rook", "torpedo") == "18/8(→5)"
    session.enter("next")
    assert draw_cell(session, "rook", "blast") == "2FD90L"
    assert draw_cell(session, "rook", "boxes") == "[X]□□□□□□□"


@pytest.mark.clause("AQF-PH-2", "AQF-LOG-4")
@pytest.mark.parametrize("phase", ["recurring", "repair", "sinking"])
def test_phases_4_to_6_write_crosses_at_once(phase: str) -> None:
    session = played(battle(phase=phase), "damage rook G S SX F B")
    assert draw_cell(session, "rook", "rof") == "11-12"
    assert draw_cell(session, "rook", "boxes") == "[X][x]□□□□□□"
    assert draw_cell(session, "rook", "blast") == "F"
    assert draw_cell(session, "rook", "boats") == "2"


@pytest.mark.clause("AQF-PH-2")
def test_damage_of_one_phase_counts_in_the_next() -> None:
    start = battle(ship("ajax", rof=(6, 12)), ship("rook", "red"))
    session = played(start, "fire ajax heavy rook long 7", "damage ajax G G", "next")
    assert session.preview_order("fire ajax heavy rook long 5").missing != ()
    session.enter("fire ajax heavy rook long 6")
    assert owed(session) == []


SHOTS = {
    "failed": ["fire ajax heavy rook medium 7"],
    "passed and missed": ["fire ajax heavy rook medium 6 12"],
    "not tried": [],
    "light failed": ["fire ajax light rook medium 7"],
    "light passed": ["fire ajax light rook medium 6 12"],
    "heavy failed, light passed": ["fire ajax heavy rook medium 7", "fire ajax light rook medium 6 12"],
}


@pytest.mark.clause("AQF-PH-3")
@pytest.mark.parametrize(
    ("first", "untried", "by", "fine"),
    [
        ("failed", "no", "battery", True),
        ("passed and missed", "no", "battery", False),
        ("not tried", "no", "battery", False),
        ("not tried", "yes", "battery", True),
        ("passed and missed", "yes", "battery", False),
        ("light failed", "no", "battery", False),
        ("light failed", "yes", "battery", True),
        ("light failed", "no", "ship", True),
        ("light passed", "no", "ship", False),
        ("light passed", "yes", "battery", True),
        ("light passed", "yes", "ship", False),
        ("heavy failed, light passed", "no", "battery", True),
        ("heavy failed, light passed", "no", "ship", False),
        ("not tried", "no", "ship", False),
    ],
)
def test_only_a_battery_that_failed_its_rof_roll_fires_again(
    first: str, untried: str, by: str, fine: bool
) -> None:
    start = battle(ship("ajax", rof=(6, 6)), ship("rook", "red"), untried_refire=untried, refire_by=by)
    session = played(start, *SHOTS[first], "next")
    assert list_clauses(session, "fire ajax heavy rook medium 1 12") == ([] if fine else ["AQF-PH-3"])


@pytest.mark.clause("AQF-PH-3")
@pytest.mark.parametrize("untried", ["no", "yes"])
def test_a_shot_declared_and_not_rolled_is_no_failure(untried: str) -> None:
    """Let a battery not fire twice because its first dice are still owed."""
    start = battle(ship("ajax", rof=(6, 6)), ship("rook", "red"), untried_refire=untried)
    session = played(start, "fire ajax heavy rook medium", "force next")
    assert refusal(session, "fire ajax heavy rook medium 1 12") == "AQF-PH-3"
    session.enter("roll 7")
    assert is_allowed(session, "fire ajax heavy rook medium 1 12")


@pytest.mark.clause("AQF-PH-3")
def test_the_batteries_that_may_still_fire_are_listed() -> None:
    start = battle(ship("ajax", rof=(6, 6), torpedo=None), ship("rook", "red", torpedo=None))
    session = played(start, "fire ajax heavy rook medium 7")
    assert [(who.ship, who.what) for who in session.system.may_act(session.battle)] == [
        ("ajax", "L"),
        ("rook", "HL"),
    ]
    session.enter("next")
    assert [(who.ship, who.what) for who in session.system.may_act(session.battle)] == [("ajax", "H")]


@pytest.mark.clause("AQF-PH-5")
@pytest.mark.parametrize(("switch", "again"), [("once", False), ("each-turn", True)])
def test_the_high_roller_is_recorded_once_or_every_turn(switch: str, again: bool) -> None:
    session = played(battle(phase="movement", initiative=switch), "initiative blue 4 red 7")
    assert session.system.phase_title(session.battle) == "Movement: Red, then Blue"
    assert refusal(session, "initiative blue 9 red 7") == "AQF-PH-5"
    to_phase(session, "movement")
    assert is_allowed(session, "initiative blue 9 red 7") is again
    assert not is_allowed(session, "force initiative blue 9 blue 7")


@pytest.mark.clause("AQF-PH-5")
def test_a_finding_against_all_ships_of_a_move_is_given_once() -> None:
    ships = (ship("ajax"), ship("boyne"), ship("rook", "red"))
    start = battle(*ships, phase="movement", initiative="once")
    with pytest.raises(OrderRefused) as refused:
        played(start, "move ajax,boyne 0")
    assert [finding.text for finding in refused.value.findings] == [
        "roll for initiative before ships move (`roll`)"
    ]
    with pytest.raises(OrderRefused) as refused:
        played(start, "initiative blue 7 red 4", "force move rook 0", "move ajax,boyne 0")
    assert [finding.text for finding in refused.value.findings] == [
        "Blue moves before Red, which has begun to move (switch initiative)"
    ]


@pytest.mark.clause("AQF-PH-5")
@pytest.mark.parametrize(("phase", "switch"), [("movement", "simultaneous"), ("first-gunnery", "once")])
def test_initiative_is_thrown_only_by_the_switch_and_in_movement(phase: str, switch: str) -> None:
    assert refusal(played(battle(phase=phase, initiative=switch)), "initiative blue 7 red 4") == "AQF-PH-5"


@pytest.mark.clause("AQF-PH-6")
def test_one_side_resolves_first_and_gains_nothing_by_it() -> None:
    start = battle(ship("ajax"), ship("boyne"), ship("rook", "red", rof=(1, 9)))
    heavy, at_light = "fire ajax heavy rook medium 12 1", "fire boyne light rook medium 12 1"
    one = values(played(start, heavy, at_light), "rook")
    other = values(played(start, at_light, heavy), "rook")
    assert one == other
    twice = played(start, heavy, "fire boyne heavy rook medium 12 1", "fire rook heavy ajax medium 1 1")
    assert values(twice, "rook")["rof_light"] == 8


@pytest.mark.clause("AQF-PH-6")
@pytest.mark.parametrize("phase", [phase.name for phase in SYSTEM.phases])
def test_both_gunnery_phases_ask_for_one_side_to_resolve_first(phase: str) -> None:
    said = SYSTEM.advice(battle(ship("ajax"), phase=phase))
    assert any("(AQF-PH-6)" in text for text in said) is phase.endswith("gunnery")


@pytest.mark.clause("AQF-LOG-1")
def test_the_sheet_shows_printed_and_remaining_values() -> None:
    rook = ship(
        "rook", "red", protected=True, notes="leaks", log={"rof_light": 9}, fires=1, courses=("45 left",)
    )
    session = played(battle(ship("ajax"), rook))
    shown = {title: format_spans(spans) for title, spans in session.system.sheet(session.battle, rook)}
    assert shown["kind"] == "battleship, size 12+P, protected"
    assert shown["gunnery"] == "20-20heavy-light"
    assert shown["armor"] == "10-10heavy-light"
    assert shown["ROF"] == "12-9printed 12-12"
    assert shown["speed"] == "□□□□□□□□8″of 8″"
    assert shown["torpedoes"] == "18/8"
    assert shown["boat guns"] == "3"
    assert shown["repair"] == "5"
    assert shown["blast"] == "FD45L"
    assert shown["notes"] == "leaks"


@pytest.mark.clause("AQF-LOG-2")
@pytest.mark.parametrize(
    ("speed", "live", "lost", "available"),
    [(4, 2, 0, 3), (6, 1, 1, 4.5), (6, 0, 0, 6), (6, 8, 0, 0), (6, 0, 8, 0), (6, 0, 12, 0), (6, 7, 1, 0),
     (6.75, 1, 0, 5.9062)],
)  # fmt: skip
def test_available_speed_is_printed_by_the_open_boxes(
    speed: float, live: int, lost: int, available: float
) -> None:
    rook = ship("rook", "red", speed=speed, log={"speed_hits": live, "speed_lost": lost})
    assert values(played(battle(ship("ajax"), rook)), "rook")["available_speed"] == available


@pytest.mark.clause("AQF-LOG-4")
def test_repaired_damage_stays_legible() -> None:
    rook = ship("rook", "red", log={"speed_hits": 1}, fires=1, courses=("45 left",))
    start = battle(ship("ajax"), rook, phase="second-gunnery")
    session = played(start, "next", "roll 1", "next", "repair rook course 5", "repair rook speed 5")
    shown = dict(session.system.sheet(session.battle, session.battle.ships["rook"]))
    assert format_spans(shown["blast"]) == "{(F) (D45L)}"
    assert format_spans(shown["repaired"]) == "{course}{speed}"


@pytest.mark.clause("AQF-LOG-1")
def test_a_ship_without_torpedoes_has_no_reload() -> None:
    session = played(battle(craft("ajax", "blue", torpedo=None)))
    assert values(session, "ajax")["torpedo_reload"] is None
    assert draw_cell(session, "ajax", "torpedo") == "–"


@pytest.mark.clause("AQF-LOG-4")
def test_margin_and_many_marks_are_drawn_in_eight_boxes() -> None:
    session = played(battle(phase="repair"), "mark rook speed_hits 3", "mark rook speed_lost 6")
    assert draw_cell(session, "rook", "boxes") == "[XXXXXX][xx]"
    session.enter("mark rook speed_lost 10")
    assert draw_cell(session, "rook", "boxes") == "[8X]+2"


@pytest.mark.clause("AQF-LOG-3")
def test_live_s_make_room_for_sx_set_by_hand() -> None:
    session = played(
        battle(ship("ajax"), ship("rook", "red", log={"speed_hits": 5})), "mark rook speed_lost 5"
    )
    seen = values(session, "rook")
    assert (seen["speed_lost"], seen["speed_hits"], seen["available_speed"]) == (5, 3, 0)
    assert session.battle.start.ships["rook"].count("speed_hits") == 3
    assert draw_cell(session, "rook", "boxes") == "[XXXXX][xxx]"
    session.enter("mark rook speed_lost 12")
    assert (values(session, "rook")["speed_lost"], values(session, "rook")["speed_hits"]) == (12, 0)


@pytest.mark.clause("AQF-LOG-3")
def test_s_of_this_phase_that_make_room_do_not_change_its_start() -> None:
    """Keep slashes as slashes when the umpire sets SX."""
    session = played(battle(), "damage rook S S S S", "mark rook speed_lost 6")
    assert values(session, "rook")["speed_hits"] == 2
    assert session.battle.start.ships["rook"].count("speed_hits") == 0
    assert draw_cell(session, "rook", "boxes") == "[XXXXXX](//)"


@pytest.mark.clause("AQF-LOG-3", "AQF-LOG-4")
@pytest.mark.parametrize("orders", [(), ("S",), ("SX",), ("S", "SX", "S"), ("SX", "SX", "S", "S", "S")])
def test_console_and_paper_fill_the_boxes_alike_from_the_left(orders: tuple[str, ...]) -> None:
    wounded = ship("rook", "red", log={"speed_hits": 1, "speed_lost": 1})
    session = played(battle(ship("ajax"), wounded), *(f"damage rook {code}" for code in orders))
    (part,) = (
        part
        for line in SYSTEM.log_sheet(session.battle, session.battle.ships["rook"])
        for part in line
        if part.title.startswith("speed")
    )
    signs = {(BoxState.CROSS, True): "X", (BoxState.SLASH, True): "\\", (BoxState.CROSS, False): "x"}
    signs |= {(BoxState.SLASH, False): "/", (BoxState.OPEN, False): "□"}
    printed = "".join(signs[box.state, box.for_good] for box in part.boxes)
    shown = draw_cell(session, "rook", "boxes")
    assert "".join(sign for sign in shown if sign not in "()[]") == printed
    assert printed == "".join(sorted(printed, key="X\\x/□".index))


@pytest.mark.clause("AQF-LOG-3")
@pytest.mark.parametrize(("lost", "most"), [(0, 8), (3, 5), (8, 0), (11, 0)])
def test_live_s_can_be_set_by_hand_where_sx_leave_room(lost: int, most: int) -> None:
    session = played(battle(ship("ajax"), ship("rook", "red", log={"speed_lost": lost})))
    assert is_allowed(session, f"mark rook speed_hits {most}")
    assert not is_allowed(session, f"force mark rook speed_hits {most + 1}")


@pytest.mark.clause("AQF-PH-5")
def test_equal_dice_of_the_console_are_no_initiative() -> None:
    drawn_dice = 0
    for seed in range(60):
        session = Session.begin(SYSTEM, battle(phase="movement", initiative="each-turn"), seed=seed)
        entered = session.enter("initiative blue red")
        assert entered.ruling is not None
        first, second = session.timeline.versions[1].dice
        if first == second:
            drawn_dice += 1
            assert owed(session) == ["initiative "]
            assert is_allowed(session, "initiative blue 9 red 7")
        else:
            order = "Blue, then Red" if first > second else "Red, then Blue"
            assert session.system.phase_title(session.battle) == f"Movement: {order}"
    assert drawn_dice


def begin_waiting(switch: str = "each-turn", *orders: str, sides: int = 2) -> Session:
    """Begin the movement phase of a battle whose sides move in turn."""
    ships = [ship("ajax"), ship("rook", "red"), ship("gull", "green"), ship("yawl", "yellow")][:sides]
    return played(battle(*ships, phase="movement", initiative=switch), *orders)


@pytest.mark.clause("AQF-PH-5")
@pytest.mark.parametrize("switch", ["once", "each-turn"])
def test_movement_owes_a_die_of_each_side(switch: str) -> None:
    session = begin_waiting(switch, sides=3)
    question = session.battle.owed[0]
    assert (question.key, question.prompt) == ("0/initiative//1", "initiative: Blue, Red, Green")
    assert [str(die) for die in question.dice] == ["Blue D12", "Red D12", "Green D12"]
    session.enter("roll 4 9 7")
    assert session.system.phase_title(session.battle) == "Movement: Red, then Green, then Blue"
    session.enter("move rook 4")
    for _ in range(6):
        session.enter("next")
    assert owed(session) == ([] if switch == "once" else ["initiative "])


@pytest.mark.clause("AQF-PH-5")
@pytest.mark.parametrize(
    ("rolls", "order"),
    [
        (["5 5 5 2", "3 9 9", "4 8"], "Green, then Red, then Blue, then Yellow"),
        (["5 5 2 2", "3 9 9 1"], "Red, then Blue, then Green, then Yellow"),
        (["1 5 5 9", "12 2"], "Yellow, then Red, then Green, then Blue"),
        (["7 7 7 7", "1 2 3 4"], "Yellow, then Green, then Red, then Blue"),
    ],
)
def test_sides_that_tie_throw_again(rolls: list[str], order: str) -> None:
    session = begin_waiting(sides=4)
    for roll in rolls[:-1]:
        session.enter(f"roll {roll}")
        assert session.battle.owed[0].prompt.startswith("initiative again: ")
        assert refusal(session, "move ajax 4") == "AQF-PH-5"
    session.enter(f"roll {rolls[-1]}")
    assert session.system.phase_title(session.battle) == f"Movement: {order}"


@pytest.mark.clause("AQF-PH-5")
def test_moves_wait_for_the_throw_and_may_be_forced() -> None:
    session = begin_waiting()
    assert refusal(session, "move ajax 4") == "AQF-PH-5"
    assert session.system.may_act(session.battle) == ()
    assert is_allowed(session, "force move ajax 4")
    session.enter("roll 9 3")
    assert [who.ship for who in session.system.may_act(session.battle)] == ["ajax"]
    assert is_allowed(session, "move ajax 4")


@pytest.mark.clause("AQF-PH-10")
@pytest.mark.parametrize("gone", ["aground", "sunk"])
def test_a_later_side_waits_until_the_first_has_moved_a_ship(gone: str) -> None:
    session = begin_waiting("once", "roll 9 3 1", sides=3)
    assert refusal(session, "move rook 4") == refusal(session, "move gull 4") == "AQF-PH-10"
    assert is_allowed(session, "force move rook 4")
    session.enter("move ajax 4")
    assert is_allowed(session, "move rook 4")
    assert refusal(session, "move gull 4") == "AQF-PH-10"
    session.enter(f"leave rook {gone}")
    assert is_allowed(session, "move gull 4")


@pytest.mark.clause("AQF-PH-5")
def test_an_earlier_side_may_not_move_once_a_later_one_has() -> None:
    start = battle(ship("ajax"), ship("boyne"), ship("rook", "red"), phase="movement", initiative="once")
    session = played(start, "roll 9 3", "move ajax 4", "move rook 4")
    assert refusal(session, "move boyne 4") == "AQF-PH-5"
    assert is_allowed(session, "force move boyne 4")
    session.enter("undo")
    assert is_allowed(session, "move boyne 4")


@pytest.mark.clause("AQF-PH-5")
def test_a_side_without_ships_throws_no_die() -> None:
    session = begin_waiting(sides=3)
    assert session.battle.owed[0].prompt == "initiative: Blue, Red, Green"
    session = begin_waiting("each-turn", "roll 9 3 1", "mark gull status sunk", sides=3)
    to_phase(session, "movement")
    assert session.battle.owed[0].prompt == "initiative: Blue, Red"


@pytest.mark.clause("AQF-PH-5")
def test_an_initiative_order_answers_the_owed_throw() -> None:
    session = begin_waiting("each-turn", "initiative red 2 blue 11")
    assert owed(session) == []
    assert session.system.phase_title(session.battle) == "Movement: Blue, then Red"
    assert not is_allowed(begin_waiting(sides=3), "force initiative blue 4 red 7")
    session = begin_waiting("each-turn", "roll 9 4 4", "initiative green 3 red 8", sides=3)
    assert session.system.phase_title(session.battle) == "Movement: Blue, then Red, then Green"


@pytest.mark.clause("AQF-PH-5")
def test_the_initiative_switch_owes_the_throw_and_drops_it_in_mid_battle() -> None:
    session = played(battle(phase="movement"))
    assert owed(session) == []
    session.enter("option initiative each-turn")
    assert owed(session) == ["initiative "]
    said = [reason.text for reason in reasons(session, "option initiative simultaneous")]
    assert said[-1] == "initiative: Blue, Red: no longer asked"
    assert owed(session) == []
    assert is_allowed(session, "move ajax 4")
    session.enter("undo")
    assert owed(session) == ["initiative "]


@pytest.mark.clause("AQF-PH-5")
def test_a_corrected_throw_keeps_its_dice() -> None:
    session = begin_waiting("each-turn", "roll 9 3", "undo")
    assert owed(session) == ["initiative "]
    session.enter("redo")
    session.enter("move ajax 4")
    session.enter("amend 1 3 9")
    assert session.system.phase_title(session.battle) == "Movement: Red, then Blue"


@pytest.mark.clause("AQF-PH-5")
@pytest.mark.parametrize("later", [[], ["next", "next"]])
def test_a_first_throw_struck_and_thrown_again_is_placed_first(later: list[str]) -> None:
    """Bring parked moves back that only lacked the throw."""
    session = begin_waiting("each-turn", "roll 9 3", "move ajax 4", "move rook 4", *later, "strike 1")
    assert [session.timeline.rulings[number].state for number in (2, 3)] == [State.PARKED] * 2
    session.enter("roll 8 2")
    assert session.timeline.play_order[0] == session.timeline.log[-1].number
    assert [session.timeline.rulings[number].state for number in (2, 3)] == [State.STANDS] * 2
    assert owed(session) == []


@pytest.mark.clause("AQF-PH-5")
def test_a_throw_carried_over_keeps_its_place() -> None:
    session = begin_waiting("each-turn", "force move ajax 4", "force next", "roll 8 2")
    assert session.timeline.play_order == (1, 2, 3)


@pytest.mark.clause("AQF-PH-5")
def test_a_throw_owed_from_the_start_is_kept_in_a_save(tmp_path: Path) -> None:
    save = tmp_path / "battle.qfb"
    Session.begin(SYSTEM, battle(phase="movement", initiative="once"), save).close()
    session = Session.resume(save, find_our_systems())
    assert owed(session) == ["initiative "]
    session.enter("roll 4 9")
    assert (
        describe_act_with_targets(session.timeline, session.timeline.log[0]).title
        == "roll 4 9 for initiative: Blue, Red"
    )
    session.close()
    again = Session.view(save, find_our_systems())
    assert again.system.phase_title(again.battle) == "Movement: Red, then Blue"


@pytest.mark.clause("AQF-PH-7")
@pytest.mark.parametrize(
    "order", ["mark rook status sunk", "leave rook withdrawn", "mark rook status struck"]
)
def test_the_entry_that_removes_a_side_reports_that_the_battle_may_end(order: str) -> None:
    session = played(battle())
    said = [(reason.text, reason.clause) for reason in reasons(session, order)]
    assert said[-1] == ("Red has no ship left in the battle: it may end here", "AQF-PH-7")
    after = reasons(session, "next")
    assert not any("may end" in reason.text for reason in after)
