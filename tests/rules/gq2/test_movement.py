"""Movement, and the limits by hits on bridge and rudder (GQ2-MV, GQ2-CRI-1, GQ2-CRI-2)."""

from typing import Any

import pytest

from qf_tui.document.scripts import build_reason_row
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.rules.gq2.movement import find_movement
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
from tests.rules.playing import enter, is_allowed, owed, reasons, refusal, result, values


def begin_moving(*orders: str, light: str = "day", **options: Any) -> Session:
    """Begin the first movement phase."""
    return played(battle(phase="movement", light=light, **options), *orders)


def play_to_next(session: Session, *orders: str) -> Session:
    """Go on to the movement phase of the next turn."""
    return enter(play_to_phase(session, "movement"), *orders)


@pytest.mark.clause("GQ2-MV-1")
@pytest.mark.parametrize(
    ("id", "first", "least", "most"),
    [("ajax", 6, 4, 8), ("kobold", 8, 5, 11), ("ajax", 1, 0, 3), ("ajax", 11, 9, 12)],
)
def test_destroyers_change_speed_by_three_inches_and_others_by_two(
    id: str, first: int, least: int, most: int
) -> None:
    """Stay between zero and the ship's speed."""
    session = play_to_next(begin_moving(f"move {id} {first}"))
    for inches in range(17):
        if least <= inches <= most:
            assert session.preview_order(f"move {id} {inches}").fine, inches
        elif inches <= 12:
            assert refusal(session, f"move {id} {inches}") == "GQ2-MV-1"


@pytest.mark.clause("GQ2-MV-1")
def test_the_first_turn_is_free_and_a_turn_without_a_record_is_as_the_last() -> None:
    session = begin_moving("move ajax 3")
    assert play_to_next(session).preview_order("move ajax 5").fine
    assert refusal(play_to_next(session), "move ajax 6") == "GQ2-MV-1"
    assert values(session, "ajax")["moved"] is None


@pytest.mark.clause("GQ2-MV-1")
def test_damage_may_slow_a_ship_by_more_than_its_limit() -> None:
    session = begin_moving("move ajax 12", "next", "damage ajax H3")
    play_to_next(session)
    assert refusal(session, "move ajax 7") == "GQ2-LOG-2"
    enter(session, "move ajax 6")


@pytest.mark.clause("GQ2-MV-1")
def test_several_ships_and_a_division_move_alike_and_once_a_turn() -> None:
    session = begin_moving("move @blue-line 10 straight")
    assert [values(session, id)["moved"] for id in ("ajax", "boyne")] == [10, 10]
    assert refusal(session, "move ajax 10") == "GQ2-MV-1"
    assert find_movement(session.battle, session.battle.ships["ajax"]).straight
    (said,) = begin_moving().preview_order("move @blue-line 10 straight turns 1").findings
    assert said.text == "a straight course has no turns", "said of each ship, it is read as several faults"
    assert refusal(session, "force move rook 5 straight turns 2") == ""


@pytest.mark.parametrize(
    ("units", "order", "moved"),
    [
        ("in", "move ajax 7.5in", 7.5),
        ("in", "move ajax 7.5 turns 1", 7.5),
        ("in", "move ajax 7½", 7.5),
        ("metric", "move ajax 75mm", 7.5),
        ("metric", "move ajax 9", 9),
    ],
)
def test_inches_of_the_rules_may_be_played_as_centimetres(units: str, order: str, moved: float) -> None:
    session = played(battle(phase="movement", units=units), order)
    assert values(session, "ajax")["moved"] == moved


@pytest.mark.clause("GQ2-MV-2")
def test_a_division_changes_its_formation_once_a_turn() -> None:
    session = begin_moving("formation @blue-line quarter")
    assert session.battle.table["formation.@blue-line"] == "quarter"
    assert refusal(session, "formation @blue-line astern") == "GQ2-MV-2"
    enter(session, "formation @red-line abreast")
    assert refusal(play_to_next(session), "formation @blue-line quarter") == "GQ2-MV-2", "no change"
    enter(session, "formation @blue-line astern")


@pytest.mark.clause("GQ2-MV-2")
@pytest.mark.parametrize(("formation", "checks"), [("abreast", True), ("quarter", True), ("astern", False)])
def test_a_change_to_another_formation_than_astern_brings_wander_checks(formation: str, checks: bool) -> None:
    """Ask for none by day without a change."""
    session = begin_moving() if checks else play_to_next(begin_moving("formation @blue-line abreast"))
    said = join_reasons(session, f"formation @blue-line {formation}")
    assert ("wander check of Ajax, Boyne" in said) is checks
    enter(session, "move @blue-line 12", "move rook,rival 12", "move kobold 14")
    assert list_waiting(session) == ({"ajax": "wander check", "boyne": "wander check"} if checks else {})
    if checks:
        enter(session, "wander ajax 8 2 3 3 9")
        assert list_waiting(session) == {"boyne": "wander check"}
        assert "wander checks after all movement: Boyne (GQ2-MV-6)" in SYSTEM.advice(session.battle)


LINE = (ship("ajax"), ship("koenig", "red", **build_class("BB")), ship("kaiser", "red", **build_class("BC")))


@pytest.mark.clause("GQ2-MV-3")
def test_german_capital_ships_turn_about_in_one_turn_without_other_turns() -> None:
    session = played(battle(*LINE, phase="movement"))
    assert "from the rear ship" in join_reasons(session, "formation @red-line turnabout")
    assert refusal(session, "formation @red-line abreast") == "GQ2-MV-2"
    assert refusal(session, "move koenig 10 turns 1") == "GQ2-MV-3"
    assert refusal(session, "move koenig 10 straight") == "GQ2-TOR-9"
    enter(session, "move koenig 10")
    assert "kaiser" not in [id for id, what in list_waiting(session).items() if what == "wander check"]
    assert play_to_next(session).preview_order("move koenig 10 turns 1").fine


@pytest.mark.clause("GQ2-MV-3")
@pytest.mark.clause("GQ2-NIT-1")
def test_after_a_battle_turn_the_rear_ship_leads() -> None:
    """Ask the new leader for the wander check by night."""
    session = played(battle(*LINE, phase="movement"), "formation @red-line turnabout")
    play_to_next(session, "table light night", "move koenig,kaiser 10")
    assert list_waiting(session)["kaiser"] == "wander check"
    assert "koenig" not in list_waiting(session)
    play_to_next(session, "table light day", "formation @red-line turnabout")
    play_to_next(session, "table light night", "move koenig,kaiser 10")
    assert "kaiser" not in list_waiting(session)
    assert list_waiting(session)["koenig"] == "wander check"


@pytest.mark.clause("GQ2-MV-3")
@pytest.mark.parametrize(
    ("light", "before"),
    [
        ("night", ()),
        ("dusk", ()),
        ("day", ("mark kaiser nation British",)),
        ("day", ("mark kaiser class CA",)),
        ("day", ("move kaiser 8 turns 2",)),
        ("day", ("formation @red-line quarter", *["force next"] * 5)),
    ],
)
def test_a_battle_turn_of_others_or_at_other_times_is_refused(light: str, before: tuple[str, ...]) -> None:
    """Refuse a British line, night, a second turn, and a quarter line."""
    session = played(battle(*LINE, phase="movement", light=light), *before)
    assert refusal(session, "formation @red-line turnabout") == "GQ2-MV-3"


@pytest.mark.clause("GQ2-MV-4")
def test_stokers_rest_ten_turns_after_21_turns_at_flank_speed() -> None:
    """Begin the count again after the rest."""
    session = begin_moving("move ajax 12")
    for turn in range(2, 22):
        play_to_next(session)
        assert session.battle.turn == turn
        assert values(session, "ajax")["speed"] == 12
    play_to_next(session)
    for turn in range(22, 32):
        assert session.battle.turn == turn
        assert values(session, "ajax")["speed"] == 8
        assert refusal(session, "move ajax 9") == "GQ2-MV-4"
        play_to_next(session)
    assert values(session, "ajax")["speed"] == 12
    assert session.battle.ships["ajax"].count("flank_turns") == 0


@pytest.mark.clause("GQ2-MV-4")
@pytest.mark.parametrize(("switch", "rests"), [("in-a-row", False), ("in-all", True)])
def test_a_switch_counts_all_turns_at_flank_speed(switch: str, rests: bool) -> None:
    """Keep the count over a slower turn, and count no assumed move."""
    unmoved = play_to_next(play_to_next(begin_moving(stokers=switch)))
    assert unmoved.battle.ships["ajax"].count("flank_turns") == 0
    session = begin_moving("mark ajax flank_turns 20", "move ajax 11", stokers=switch)
    play_to_next(session, "move ajax 12", "next")
    assert session.battle.ships["ajax"].count("rest") == (10 if rests else 0)
    assert session.battle.ships["ajax"].count("flank_turns") == (0 if rests else 1)


def begin_anchored(*orders: str, shut_down: bool = False) -> Session:
    """Begin with ajax at anchor."""
    start = battle(ship("ajax", at_anchor=True), destroyer("kobold"), phase="movement")
    return played(start, *(("mark ajax state shut-down",) if shut_down else ()), *orders)


@pytest.mark.clause("GQ2-MV-5")
@pytest.mark.parametrize(
    ("shut_down", "dice", "turns"),
    [(False, "1 2", 2), (False, "6 5", 6), (False, "3 1", 3), (True, "1", 11), (True, "6", 16)],
)
def test_the_turns_until_a_ship_has_steam_are_rolled(shut_down: bool, dice: str, turns: int) -> None:
    """Use the die for the state of the engines, a d6 or a d3."""
    session = begin_anchored("steam ajax", shut_down=shut_down)
    assert owed(session) == ["steam ajax"]
    enter(session, "mark kobold state standby", "steam kobold")
    assert owed(session) == ["steam ajax", "steam kobold"]
    assert result(session, f"roll {dice}") == {"turns": turns}
    assert refusal(session, "steam ajax") == "GQ2-MV-5"


@pytest.mark.clause("GQ2-MV-5")
def test_a_ship_raising_steam_gains_a_box_of_speed_each_turn() -> None:
    session = begin_anchored("steam ajax 1 2")
    speeds = []
    for _ in range(7):
        speeds.append(values(session, "ajax")["speed"])
        if speeds[-1] == 0:
            assert refusal(session, "move ajax 1") == "GQ2-MV-5"
            assert "ajax" not in list_waiting(session)
        if speeds[-1] == 3:
            assert refusal(session, "move ajax 4") == "GQ2-MV-5"
            assert refusal(session, "steam ajax") == "GQ2-MV-5"
        play_to_next(session)
    assert speeds == [0, 0, 3, 6, 8, 10, 12]


@pytest.mark.clause("GQ2-MV-7")
def test_an_anchored_ship_is_on_standby_by_default() -> None:
    """Stop steam from rising."""
    session = begin_moving("anchor ajax", "anchor boyne shut-down")
    assert session.battle.ships["ajax"].log["state"] == "standby"
    assert session.battle.ships["boyne"].log["state"] == "shut-down"
    assert values(session, "ajax")["speed"] == 0
    assert values(session, "ajax")["moved"] == 0
    assert refusal(session, "anchor ajax") == "GQ2-MV-7"
    assert refusal(enter(session, "move rook 5"), "anchor rook") == "GQ2-MV-7"
    enter(session, "steam ajax 6 6", "mark ajax moved none", "force anchor ajax")
    assert session.battle.ships["ajax"].count("wait") == 0
    enter(session, "mark kobold allowed 2", "anchor kobold")
    assert session.battle.ships["kobold"].log["allowed"] is None


@pytest.mark.clause("GQ2-MV-7")
@pytest.mark.parametrize(
    ("marks", "told"),
    [
        ((), "standby"),
        (("wait 3",), "standby, 3 turns until it moves"),
        (("state steaming", "allowed 2"), "steaming, 2 boxes of speed from the right"),
        (("state steaming", "rest 4"), "steaming, 4 turns of rest left"),
    ],
)
def test_the_sheet_shows_the_state_of_the_engines(marks: tuple[str, ...], told: str) -> None:
    session = begin_anchored(*(f"mark ajax {mark}" for mark in marks))
    shown = dict(SYSTEM.sheet(session.battle, session.battle.ships["ajax"]))
    assert shown["makes"][1].text.strip() == told


@pytest.mark.clause("GQ2-MV-6")
@pytest.mark.parametrize(
    ("inches", "points", "dice", "places"),
    [
        ("8", 3, "3 3 8", ()),
        ("8", 3, "2 3 8", ("½″ to starboard",)),
        ("8", 3, "3 2 8", ("½″ to port",)),
        ("8", 3, "3 3 7", ("½″ aft",)),
        ("7.5in", 3, "6 6 7", ("½″ aft",)),
        ("7in", 3, "6 6 7", ()),
        ("1", 0, "1 1 0", ("½″ aft",)),
        ("0", 2, "1 1 0", ("½″ to starboard", "½″ to port")),
    ],
)
def test_wander_dice_decide_where_a_ship_ends_up(
    inches: str, points: int, dice: str, places: tuple[str, ...]
) -> None:
    """Check each die, and read no 0 as ten."""
    session = begin_moving()
    assert result(session, f"wander ajax {inches} {points} {dice}") == {"set": places}


@pytest.mark.clause("GQ2-MV-6")
def test_a_wander_check_may_be_declared_and_warns_of_contact() -> None:
    session = begin_moving("wander ajax 8 2")
    assert owed(session) == ["wander ajax"]
    asked = reasons(session, "roll 1 6 9")[1]
    assert (asked.text, asked.is_question) == ("did a ship touch another? `contact SHIP,SHIP`", True)
    assert build_reason_row(asked)["asks"] is True
    assert refusal(session, "wander ajax 8 2 1 1 1") == "GQ2-MV-6"
    session = begin_moving("move ajax 7.5in turns 2")
    told = "the log has 7½″, 8 points (45° is four points)"
    for order, reminders in (("ajax 8 1", (told,)), ("ajax 7.5in 8", ()), ("boyne 8 1", ())):
        assert session.preview_order(f"wander {order}").reminders == reminders


@pytest.mark.clause("GQ2-SNK-2")
def test_a_switch_lets_sinking_ships_act_but_not_abandoned_ones() -> None:
    """Move none with no hull left."""
    marks = ("mark ajax status sinking", "mark boyne status abandoned")
    session = begin_moving(*marks, sinking_ships="act")
    assert "ajax" in list_waiting(session)
    assert "boyne" not in list_waiting(session)
    assert refusal(session, "move boyne 1") == "GQ2-SNK-2"
    enter(session, "move ajax 12", "smoke ajax", "next", "next")
    assert list_waiting(session)["ajax"] == "12-inch 6-inch"
    enter(session, "fire ajax 12 rook straddle 5 9", "next", "torpedo ajax rook stick 5 9")
    session = begin_moving("damage ajax H5", sinking_ships="act")
    assert values(session, "ajax")["speed"] == 0
    assert refusal(session, "move ajax 1") == "GQ2-LOG-2"


@pytest.mark.clause("GQ2-MV-1")
def test_a_ship_does_not_anchor_at_full_speed() -> None:
    """Stop evading at anchor."""
    session = play_to_next(begin_moving("move ajax 8", "move boyne 2 evasive"))
    assert refusal(session, "anchor ajax") == "GQ2-MV-1"
    assert enter(session, "anchor boyne").battle.ships["boyne"].log["evasive"] is False


@pytest.mark.clause("GQ2-SNK-2")
def test_a_sinking_ship_raises_no_more_steam() -> None:
    session = begin_anchored("steam ajax 1 1", "damage ajax S", "next", "next", "next", "next", "roll 6")
    play_to_next(session)
    enter(session, *["next"] * 4, "roll 6", "next")
    assert session.battle.ships["ajax"].log["state"] == "standby"


RUDDER = "mark lion rudder 1"
HULL = (13.5, 11.5, 9, 7, 3.5)


def begin_lion(speed: float, *orders: str) -> Session:
    """Begin the turn after Lion made a speed, 13½ inches at most, and enter orders."""
    start = battle(ship("lion", hull=HULL), ship("rook", "red"), phase="movement")
    return enter(play_to_phase(played(start, f"move lion {speed:g}in"), "movement"), *orders)


def list_allowed(session: Session, more: str = "") -> list[float]:
    """List the inches, by halves, that are not refused."""
    halves = [half / 2 for half in range(30)]
    return [inches for inches in halves if session.preview_order(f"move lion {inches:g}in{more}").fine]


def list_halves(least: float, most: float) -> list[float]:
    return [half / 2 for half in range(int(2 * least), int(2 * most) + 1)]


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.parametrize(
    ("before", "turns", "least", "most"),
    [
        (13, 0, 11, 13.5),
        (13, 1, 9.5, 12),
        (13, 2, 8, 10.5),
        (13, 4, 5, 7.5),
        (6, 0, 4, 8),
        (6, 1, 2.5, 6.5),
        (6, 2, 1, 5),
        (6, 3, 0, 3.5),
        (2, 3, 0, 0),
        (0, 1, 0, 0.5),
    ],
)
def test_turns_with_a_hit_rudder_cost_speed_within_both_limits(
    before: float, turns: int, least: float, most: float
) -> None:
    """Do not count the cost as slowing down, and charge a cruising ship too."""
    session = begin_lion(before, RUDDER)
    more = f" turns {turns}" if turns else ""
    assert list_allowed(session, more) == list_halves(least, most)
    if turns:
        assert refusal(session, f"move lion {most + 0.5:g}in{more}") == "GQ2-CRI-2"


@pytest.mark.clause("GQ2-CRI-2")
def test_refusal_and_log_show_the_cost_of_turns() -> None:
    session = begin_lion(13, RUDDER)
    refused = session.preview_order("move lion 3 turns 2").findings[0].text
    assert refused == "Lion's rudder is hit: with 2 turns of 45° it moves 8″ to 10½″, not 3″"
    preview = session.preview_order("move lion 10 turns 2")
    assert "Lion may move 8″ to 10½″ with 2 turns (GQ2-CRI-2)" in preview.reminders
    assert (
        "Lion may move 9½″ to 12″ with 1 turn (GQ2-CRI-2)"
        in session.preview_order("move lion 10 turns 1").reminders
    )
    assert "Lion makes 13″, and 2 turns of 45° cost 3″ of it" in join_reasons(session, "move lion 10 turns 2")
    assert values(session, "lion")["moved"] == 10


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.parametrize(
    ("before", "switch", "orders", "least", "most"),
    [
        (13, "made", ("move lion 10 turns 2",), 11, 13.5),
        (13, "moved", ("move lion 10 turns 2",), 8, 12),
        (6, "made", ("move lion 0 turns 3",), 2, 6),
        (13, "made", ("move lion 10 turns 2", "mark lion moved 5"), 3, 7),
    ],
)
def test_the_next_turn_starts_from_the_speed_made_or_by_a_switch_the_inches(
    before: float, switch: str, orders: tuple[str, ...], least: float, most: float
) -> None:
    """Lose no speed for good by turning."""
    session = begin_lion(before, RUDDER, f"option rudder_speed {switch}", *orders)
    assert list_allowed(play_to_phase(session, "movement")) == list_halves(least, most)


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.clause("GQ2-MV-4")
def test_stokers_count_the_speed_made() -> None:
    session = begin_lion(13.5, RUDDER, "mark lion flank_turns 5", "move lion 12 turns 1", "next")
    assert session.battle.ships["lion"].count("flank_turns") == 6


def begin_line(*orders: str) -> Session:
    """Begin the second turn of two German capital ships after 13 inches, Kaiser with a hit rudder."""
    ships = (ship("ajax"), ship("koenig", "red", hull=HULL, **build_class("BB")))
    start = battle(*ships, ship("kaiser", "red", hull=HULL, **build_class("BC")), phase="movement")
    session = play_to_phase(played(start, "move koenig,kaiser 13"), "movement")
    return enter(session, "mark kaiser rudder 1", *orders)


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.clause("GQ2-MV-3")
def test_a_turn_about_is_four_turns() -> None:
    """Charge a hit rudder for it, whichever order is entered first."""
    session = begin_line("formation @red-line turnabout", "move koenig 13")
    assert refusal(session, "move kaiser 8") == "GQ2-CRI-2"
    assert "Kaiser makes 13½″, and 4 turns of 45° cost 6″ of it" in join_reasons(session, "move kaiser 7.5in")
    assert refusal(begin_line("move kaiser 13"), "formation @red-line turnabout") == "GQ2-CRI-2"
    session = play_to_phase(
        begin_line("move kaiser 11", "mark kaiser moved 7", "formation @red-line turnabout"), "movement"
    )
    assert refusal(session, "move kaiser 10") == "GQ2-MV-1"
    assert session.preview_order("move kaiser 11").fine


@pytest.mark.clause("GQ2-CRI-1")
@pytest.mark.clause("GQ2-CRI-C")
@pytest.mark.parametrize(
    ("before", "orders", "half", "least", "most"),
    [
        (8, (), 4, 6, 10),
        (2, (), 1, 1, 4),
        (13, ("mark lion hull_lost 2",), 4.5, 9, 9),
        (13, ("mark lion boiler 5",), 1.75, 3.5, 3.5),
    ],
)
def test_a_hit_bridge_binds_the_first_half_and_the_umpire_decides_the_rest(
    before: float, orders: tuple[str, ...], half: float, least: float, most: float
) -> None:
    """Let no ship stop in the first half."""
    session = begin_lion(before, f"move lion {before:g}in", "mark lion bridge 1", *orders)
    play_to_phase(session, "movement")
    assert list_allowed(session) == list_halves(least, most)
    assert refusal(session, f"move lion {half - 0.5:g}in") == "GQ2-CRI-C"
    enter(session, f"move lion {most:g}in turns 1")
    assert len(list_allowed(play_to_phase(session, "movement"))) > 1, "it lapses"


@pytest.mark.clause("GQ2-CRI-C")
def test_the_log_shows_both_halves_of_a_move_with_a_hit_bridge() -> None:
    session = play_to_phase(begin_lion(8, "mark lion bridge 1", "move lion 8"), "movement")
    said = "Lion keeps speed and course in the first half, 4″; the other 2½″ are for the umpire to decide"
    assert said in join_reasons(session, "move lion 6.5in turns 2")
    session = play_to_phase(begin_lion(2, "mark lion bridge 1", "move lion 2"), "movement")
    assert refusal(session, "anchor lion") == "GQ2-CRI-C"


@pytest.mark.clause("GQ2-CRI-C")
@pytest.mark.parametrize(
    ("hit", "order", "fine"),
    [
        ("kaiser", "formation @red-line turnabout", False),
        ("koenig", "formation @red-line turnabout", False),
        ("kaiser", "formation @red-line abreast", False),
        ("koenig", "formation @red-line abreast", True),
    ],
)
def test_a_formation_that_turns_a_ship_with_a_hit_bridge_is_refused(hit: str, order: str, fine: bool) -> None:
    """Refuse a battle turn for any such ship, and other formations only for a follower."""
    line = (ship("koenig", "red", **build_class("B")), ship("kaiser", "red", **build_class("BC")))
    session = played(battle(*line, ship("ajax"), phase="movement"), f"mark {hit} bridge 1")
    play_to_phase(session, "movement")
    assert is_allowed(session, order) if fine else refusal(session, order) == "GQ2-CRI-C"
    assert is_allowed(session, f"force {order}")


@pytest.mark.clause("GQ2-CRI-C")
@pytest.mark.parametrize(
    ("before", "inches", "turns", "speed"), [(8, 0, 5, "+1"), (12, 7.5, 3, "+3"), (6, 6, 0, "+1")]
)
def test_the_speed_made_decides_whether_a_ship_is_stationary(
    before: float, inches: float, turns: int, speed: str
) -> None:
    """Do not count a ship that turns on the spot with a hit rudder as stationary."""
    session = begin_lion(before, f"move lion {before}", RUDDER)
    play_to_phase(session, "movement")
    enter(session, f"move lion {inches:g}in turns {turns}", "next", "next")
    shot = "fire rook 6 lion straddle 5 9"
    assert "stationary" not in join_reasons(session, shot)
    assert f"{speed} target's speed" in join_reasons(enter(session, "next"), "torpedo rook lion stick 5 9")


@pytest.mark.clause("GQ2-CRI-C")
@pytest.mark.clause("GQ2-CRI-2")
def test_bridge_and_rudder_hits_allow_no_turn_in_the_first_half() -> None:
    """Pay turns only from the second half."""
    session = play_to_phase(begin_lion(8, "mark lion bridge 1", "move lion 8", RUDDER), "movement")
    assert list_allowed(session, " turns 2") == list_halves(4, 7)
    assert (
        "Lion may move 6″ to 10″ with 0 turns (GQ2-CRI-C)" in session.preview_order("move lion 8").reminders
    )
