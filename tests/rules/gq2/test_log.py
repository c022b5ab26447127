"""The data sheet: its fields, boxes in halves, and the speed that is left (GQ2-LOG)."""

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.core.system import find_field
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.session import Session
from tests.rules.gq2.tables import battle, played, ship, waits, words
from tests.rules.playing import changed, drawn, enter, reasons, refusal, values, written


@pytest.mark.clause("GQ2-LOG-1")
def test_the_sheet_shows_all_that_is_printed_and_marked() -> None:
    """Catches a line of the sheet that is gone."""
    start = battle(ship("ajax", flash_protection=True, he=4, notes="a note", values="estimated"))
    session = played(start, "mark ajax smoke black", "mark ajax rudder 1", "mark ajax lit yes")
    shown = {
        title: written(spans) for title, spans in SYSTEM.sheet(session.battle, session.battle.ships["ajax"])
    }
    assert shown == {
        "class": "C, British, DF 4, flash protection",
        "hull": "□□□□□12 · 10 · 8 · 6 · 3",
        "makes": "12″steaming",
        "moved": "12″assumed",
        "armament": "□□□□□□6 of 6 left",
        "battery 1": "12-inch 12″, AF 8",
        "battery 2": "6-inch 6″, AF 4",
        "torpedoes": "4 of 4, standard",
        "ammunition": "18 of 18 boxes, 4 of them HE",
        "marks": "Rulitblsm",
        "criticals": "rudder",
        "lit by": "the umpire's word",
        "formation": "@blue-line in line astern",
        "values": "estimated",
        "notes": "a note",
    }


@pytest.mark.clause("GQ2-LOG-1")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hull_lost", "2.5"),
        ("armament_lost", "½"),
        ("fire_control", "1"),
        ("bridge", "1"),
        ("rudder", "1"),
        ("fires", "2"),
        ("steam", "1"),
        ("boiler", "3"),
        ("torpedoes", "none"),
        ("ammo", "7"),
        ("ammo_he", "5"),
        ("moved", "4.5"),
        ("evasive", "yes"),
        ("straight", "yes"),
        ("turned", "2"),
        ("lights", "rook"),
        ("lit", "yes"),
        ("smoke", "gray"),
        ("flank_turns", "20"),
        ("rest", "3"),
        ("state", "shut-down"),
        ("wait", "2"),
        ("allowed", "2"),
        ("status", "abandoned"),
        ("marker", "3"),
        ("df", "9"),
        ("class", "CA"),
        ("nation", "French"),
        ("flash_protection", "yes"),
        ("hull.5", "2"),
        ("battery.1.af", "3.5"),
        ("armament", "4"),
    ],
)
def test_every_field_may_be_set_by_hand(field: str, value: str) -> None:
    """Catches a field that the umpire cannot write."""
    session = played(battle())
    before = session.battle
    enter(session, f"mark ajax {field} {value}")
    assert session.battle.ships["ajax"] != before.ships["ajax"]
    assert find_field(SYSTEM, field) is not None
    assert session.battle.start.ships["ajax"] == session.battle.ships["ajax"]


@pytest.mark.clause("GQ2-LOG-1")
@pytest.mark.parametrize(("switch", "left"), [("by-hand", (18, 4)), ("a-shot", (16, 3))])
def test_ammunition_is_kept_by_hand_or_a_box_a_shot(switch: str, left: tuple[int, int]) -> None:
    """Catches a box that is marked off by itself, or by the switch is not."""
    session = played(
        battle(ship("ajax", he=4), ship("rook", "red"), ammunition=switch),
        "fire ajax 12 rook straddle 5 he 9",
        "fire ajax 6 rook straddle 5 9",
    )
    log = session.battle.ships["ajax"].log
    assert (log["ammo"], log["ammo_he"]) == left


@pytest.mark.clause("GQ2-LOG-1")
@pytest.mark.parametrize(
    ("marks", "order", "fine"),
    [
        (("ammo_he 0",), "fire ajax 6 rook straddle 5 he 9", False),
        (("ammo_he none",), "fire ajax 6 rook straddle 5 he 9", True),
        (("ammo 4", "ammo_he 4"), "fire ajax 6 rook straddle 5 9", True),
        (("ammo 4", "ammo_he 4", "battery.2.he yes"), "fire ajax 6 rook straddle 5 9", False),
        (("ammo 0", "ammo_he none"), "fire ajax 6 rook straddle 5 9", False),
        (("ammo 5", "ammo_he 4"), "fire ajax 6 rook straddle 5 9", True),
    ],
)
def test_what_no_box_holds_is_not_fired(marks: tuple[str, ...], order: str, fine: bool) -> None:
    """Catches HE from a ship without HE, or a shot from an empty magazine."""
    session = played(battle(ammunition="a-shot"), *(f"mark ajax {mark}" for mark in marks))
    if fine:
        enter(session, order)
    else:
        assert refusal(session, order) == "GQ2-LOG-1"


@pytest.mark.clause("GQ2-LOG-2")
def test_halves_add_and_a_box_is_lost_with_both_of_them() -> None:
    """Catches halves that are rounded, or a speed that falls with the first half."""
    session = played(battle())
    assert changed(session, "damage rook H½") == {"hull_lost": 0.5}
    assert changed(session, "damage rook H½") == {"hull_lost": 1, "speed": 10}
    assert changed(session, "damage rook H2.5") == {"hull_lost": 3.5, "speed": 6}


@pytest.mark.clause("GQ2-LOG-2")
def test_a_ship_without_hull_left_is_sinking_and_the_excess_is_ignored() -> None:
    """Catches a sixth box, or a ship that floats without one."""
    session = played(battle())
    assert changed(session, "damage rook H4½") == {"hull_lost": 4.5, "speed": 3}
    assert changed(session, "damage rook H4 A9") == {
        "hull_lost": 5,
        "armament_lost": 6,
        "speed": 0,
        "status": "sinking",
        "marker": 1,
    }


def firing(armament: int, lost: str, af: float | tuple[float, ...]) -> Session:
    """Rook, with a battery of that AF and boxes of which some are lost, about to fire."""
    rook = ship("rook", "red", armament=armament, battery=(("main", 6, af),))
    return played(battle(ship("ajax"), rook), f"mark rook armament_lost {lost}")


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.parametrize(
    ("armament", "lost", "af", "left"),
    [
        (8, "0", 14.5, "14.5"),
        (8, "½", 14.5, "14.5"),
        (8, "1", 14.5, "12.5"),
        (8, "1½", 14.5, "12.5"),
        (8, "4", 14.5, "7.5"),
        (8, "7½", 14.5, "2"),
        (4, "1", 3, "2.5"),
        (4, "3", 3, "1"),
        (6, "5", 1, "0.5"),
        (1, "½", 0.5, "0.5"),
        (4, "1", (8, 7, 3.5, 1), "7"),
        (4, "3½", (8, 7, 3.5, 1), "1"),
        (0, "0", 4, "4"),
    ],
)
def test_af_falls_with_the_boxes_left(
    armament: int, lost: str, af: float | tuple[float, ...], left: str
) -> None:
    """Catches half a box that costs AF, a half rounded down, AF below ½, and a list that is not read.

    14½ x 4/8 is 7¼ and goes up to 7½; 3 x 3/4 is 2¼ and goes up to 2½; 3 x 1/4 is ¾ and goes up to 1.
    """
    session = firing(armament, lost, af)
    more = "" if left in (str(af), str(af[0] if isinstance(af, tuple) else af)) else " of "
    said = reasons(session, "fire rook main ajax straddle 5 0 9 9")[1].text
    assert said.startswith(f"AF {left}{more}")
    assert drawn(session, "rook", "af") == left


@pytest.mark.clause("GQ2-LOG-2")
def test_every_battery_takes_its_share_and_the_odds_with_it() -> None:
    """Catches a share of the first battery alone, and odds by the AF that is printed."""
    session = played(battle(), "mark rook armament_lost 3")
    assert drawn(session, "rook", "af") == "4·2"
    assert "AF 4 of 8 against DF 4: 1:1" in words(session, "fire rook 12 ajax straddle 5 0 9 9")
    assert "AF 2 of 4 against DF 4: 1:2" in words(session, "fire rook 6 ajax straddle 5 0 9 9")


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.parametrize("af", [4, (4, 1)])
def test_without_a_box_no_gun_fires(af: float | tuple[float, ...]) -> None:
    """Catches a ship that is shot to pieces and fires on, and one silenced before the phase is over."""
    session = firing(2, "2", af)
    assert refusal(session, "fire rook main ajax straddle 5") == "GQ2-LOG-2"
    assert "rook" not in waits(session)
    session = played(battle(), "damage rook A6")
    enter(session, "fire rook 12 ajax straddle 5")


@pytest.mark.clause("GQ2-LOG-2")
def test_an_af_set_by_hand_is_that_of_the_boxes_left_then() -> None:
    """Catches a share that is taken twice, and a list that wins over the umpire."""
    session = firing(4, "2", (8, 7, 3.5, 1))
    enter(session, "mark rook battery.1.af 6")
    assert drawn(session, "rook", "af") == "6"
    enter(session, "mark rook armament_lost 3")
    assert drawn(session, "rook", "af") == "3"
    enter(session, "mark rook armament_lost 1")
    assert drawn(session, "rook", "af") == "9"


@pytest.mark.clause("GQ2-LOG-2")
def test_the_loss_of_boxes_tells_the_af_that_is_left() -> None:
    """Catches a sum that is left to the umpire."""
    session = played(battle())
    said = words(session, "damage rook A1")
    assert "5 of 6 armament boxes are left, AF 12-inch 6.5, 6-inch 3.5 when this phase is over" in said
    enter(session, "next")
    assert "AF 6.5 of 8: 1 armament box lost (GQ2-LOG-2)" in " ".join(
        session.preview_order("force fire rook 12 ajax straddle 5").reminders
    )


@pytest.mark.clause("GQ2-LOG-2")
def test_by_the_switch_af_is_the_umpires_and_the_console_reminds() -> None:
    """Catches AF that falls by itself, or a loss that passes without a word."""
    session = played(battle(armament_af="by-hand"))
    said = words(session, "damage rook A1")
    assert "5 of 6 armament boxes are left, set its AF by hand when this phase is over" in said
    assert "AF 8 still right? 1 armament box lost (GQ2-LOG-2)" in " ".join(
        enter(session, "next").preview_order("force fire rook 12 ajax straddle 5").reminders
    )
    assert reasons(session, "force fire rook 12 ajax straddle 5 0 9 9")[1].text.startswith("AF 8")
    enter(session, "mark rook battery.2.af 2")
    assert reasons(session, "force fire rook 6 ajax straddle 5 0 9 9")[1].text.startswith("AF 2")
    enter(session, "mark boyne battery.2.af 0")
    assert refusal(session, "force fire boyne 8 rook straddle 5") == ""
    assert refusal(to_gunnery(session), "fire boyne 6 rook straddle 5") == "GQ2-LOG-2"


def to_gunnery(session: Session) -> Session:
    """The same session in the gunnery phase of the next turn."""
    return enter(session, "next", "next", "next", "next")


@pytest.mark.parametrize(
    ("codes", "told"),
    [("h", {"hull_lost": 1, "speed": 10}), ("A½ a1", {"armament_lost": 1.5}), ("S", {"status": "sinking"})],
)
def test_damage_by_the_umpires_word(codes: str, told: dict[str, object]) -> None:
    assert told.items() <= changed(played(battle()), f"damage rook {codes}").items()


@pytest.mark.parametrize("codes", ["X", "H1.3", "H½½", "A+1", "CC", "H٣", "H100", "H1000", "Sunk"])
def test_what_is_no_damage_code_is_refused(codes: str) -> None:
    with pytest.raises(OrderRefused, match="no damage code; codes are H and A with boxes"):
        played(battle(), f"damage rook {codes}")


def test_the_grid_shows_a_ship_in_short() -> None:
    session = played(
        battle(ship("ajax", he=3), ship("rook", "red", armament=12, torpedoes=("light", 2))),
        "mark rook armament_lost 1.5",
        "mark rook status sinking",
        "mark rook marker 2",
        "mark rook steam 1",
        "mark rook boiler 2",
        "mark ajax moved 8",
        "mark ajax evasive yes",
        "leave ajax struck",
    )
    shown = {column.name: drawn(session, "rook", column.name) for column in SYSTEM.columns}
    assert shown == {
        "hull": "□□□□□",
        "speed": "0″",
        "arms": "10.5/12",
        "marks": "SINKING 2St→Bo",
        "torpedo": "2L",
        "af": "7.5·3.5",
        "df": "4",
        "moved": "0″",
        "ammo": "18",
        "class": "C",
    }
    assert drawn(session, "ajax", "ammo") == "18/3"
    assert drawn(session, "ajax", "marks") == "STRUCK"
    assert values(session, "ajax")["status"] == "struck"


def test_the_help_shows_the_orders_as_they_are_typed() -> None:
    usage = {form.word: form.usage for form in SYSTEM.forms}
    assert usage["fire"] == (
        "fire SHIP BATTERY TARGET straddle N [penetrates] [rapid] [he] [over] [low N] [bases N] [silhouette] "
        "[WHITE RED BLUE]"
    )
    assert usage["torpedo"] == "torpedo SHIPS TARGET stick N [spread N] [bow] [stern] [D10]"
    assert usage["wander"] == "wander SHIP INCHES POINTS [RED BLUE D10]"
    assert usage["move"] == "move SHIPS INCHES [straight] [evasive] [turns N]"
    assert usage["table"] == "table [light day|dusk|night] [visibility N]"


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.parametrize("phase", ["movement", "repair"])
def test_af_is_set_at_once_where_nobody_fires(phase: str) -> None:
    """Catches a word to wait where nothing is simultaneous."""
    session = played(battle(phase=phase, armament_af="by-hand"))
    assert words(session, "damage rook A1").endswith("armament boxes are left, set its AF by hand")


@pytest.mark.clause("GQ2-LOG-2")
def test_the_end_of_the_phase_asks_for_the_af_of_who_lost_armament() -> None:
    start = battle(armament_af="by-hand")
    session = played(start, "damage rook A1.5", "damage rival A1 S")
    assert ("red", "Rook: 4½ of 6 armament boxes are left, set its AF by hand") in SYSTEM.on_table(
        start, session.battle
    )
    assert not any("Rival" in text and "AF" in text for _, text in SYSTEM.on_table(start, session.battle))


@pytest.mark.clause("GQ2-LOG-1")
@pytest.mark.parametrize("switch", ["by-hand", "a-shot"])
@pytest.mark.parametrize("word", ["", "he"])
def test_an_empty_magazine_fires_nothing_however_it_was_emptied(switch: str, word: str) -> None:
    """Catches HE out of no box, and boxes marked by hand that nobody looks at."""
    session = played(battle(ammunition=switch), "mark ajax ammo 0")
    assert refusal(session, f"fire ajax 6 rook straddle 5 {word} 9") == "GQ2-LOG-1"
    enter(session, "mark ajax ammo 1", f"fire ajax 6 rook straddle 5 {word} 9")


def test_a_df_with_a_half_has_room_in_its_column() -> None:
    """Catches 13.5 cut to 13 and a sign."""
    column = next(one for one in SYSTEM.columns if one.name == "df")
    assert column.width >= len("13.5")
