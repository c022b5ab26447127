"""The turn, the log and movement (QF-PH, QF-LOG, QF-SCA, QF-MV, QF-OPT-1, QF-OPT-2)."""

from fractions import Fraction
from pathlib import Path

import pytest

from qf_tui.core.declarations import Setup
from qf_tui.library.faults import FileFaults
from qf_tui.library.fleets import load_fleet
from qf_tui.rules.quickfire import SYSTEM
from qf_tui.rules.quickfire.game import GAME
from tests.rules.playing import draw_cell, is_allowed, reasons, refusal, values
from tests.rules.quickfire.tables import battle, craft, played, ship, to_phase


@pytest.mark.clause("QF-PH-1")
@pytest.mark.clause("QF-OPT-1")
def test_a_switch_gives_more_gunnery_phases_even_in_mid_battle() -> None:
    """Carry no batteries, slashes or acts of the first phase over to the second."""
    session = to_phase(played(battle(phase="movement")), "gunnery")
    session.enter("fire ajax heavy rook short 5 2 3")
    assert draw_cell(session, "rook", "rof") == "6(/)-5"
    session.enter("option gunnery_phases 2")
    session.enter("next")
    assert (session.battle.turn, session.battle.phase) == (1, "gunnery")
    assert draw_cell(session, "rook", "rof") == "5-5"
    session.enter("fire ajax heavy rook short 5 2 3")
    assert "gunnery phase 2 of 2" in " ".join(SYSTEM.advice(session.battle))
    session.enter("next")
    assert session.battle.phase == "recurring"
    to_phase(session, "gunnery")
    assert "gunnery phase 1 of 2" in " ".join(SYSTEM.advice(session.battle))


@pytest.mark.clause("QF-OPT-1")
def test_a_second_gunnery_phase_is_new_and_a_struck_end_removes_it() -> None:
    """Count the turn only at the second of the two."""
    session = played(battle(gunnery_phases="2"))
    before = session.battle.opened
    session.enter("next")
    assert (session.battle.turn, session.battle.phase, session.battle.opened) == (1, "gunnery", before + 1)
    session.enter("next")
    assert session.battle.phase == "recurring"
    session.enter("strike 1")
    assert (session.battle.turn, session.battle.phase) == (1, "gunnery")


@pytest.mark.clause("QF-LOG-1")
def test_the_log_is_mustered_from_the_card() -> None:
    session = played(battle())
    told = dict(values(session, "ajax"))
    assert told == {
        "side": "blue",
        "rof_heavy": 6,
        "rof_light": 5,
        "boat_guns": 1,
        "torpedo": 2,
        "repair_points": 5,
        "speed_hits": 0,
        "speed_lost": 0,
        "fires": 0,
        "course": [],
        "available_speed": 8,
        "moved": None,
        "status": "afloat",
        "sunk": False,
        "auto_shot": False,
    }


FLEET = """
ruleset = "quickfire"
values = "estimated"
[[ship]]
id = "ajax"
name = "Ajax"
size = 12
gunnery = [20, 10]
armor = [10, 10]
rof = [6, 5]
boat_guns = {boats}
speed = 8
"""


@pytest.mark.clause("QF-LOG-1")
@pytest.mark.parametrize(
    ("boats", "has"),
    [("true", 1), ("4", 1), ("false", 0), ("0", 0), ("-1", None), ("1.5", None), ('"yes"', None)],
)
def test_a_fleet_states_boat_guns_by_yes_or_by_number(tmp_path: Path, boats: str, has: int | None) -> None:
    """Muster only whether there are any."""
    path = tmp_path / "own.toml"
    path.write_text(FLEET.format(boats=boats), encoding="utf-8")
    if has is None:
        with pytest.raises(FileFaults, match="true or false, or a whole number from 0 to 99"):
            load_fleet(path, SYSTEM)
    else:
        card = load_fleet(path, SYSTEM).find_card("ajax")
        assert card is not None
        assert SYSTEM.muster(card, Setup("old-small", "in"))["boat_guns"] == has


@pytest.mark.clause("QF-LOG-1")
def test_a_ship_with_boat_guns_alone_fires_nothing_else() -> None:
    session = played(battle(craft("skiff", "blue"), craft("punt")))
    assert refusal(session, "fire skiff light punt short 1 2 2") == "QF-LOG-1"
    assert is_allowed(session, "boats skiff punt 4")


@pytest.mark.clause("QF-LOG-1")
def test_the_grid_and_the_card_show_the_log() -> None:
    hurt = ship(
        "rook", "red", fires=1, courses=("45 left",), protected=True, log={"boat_guns": 0, "auto_shot": True}
    )
    session = played(battle(ship("ajax", torpedo=0, boat_guns=0), hurt))
    shown = {column.name: draw_cell(session, "rook", column.name) for column in SYSTEM.columns}
    assert shown["rof"] == "6-5"
    assert shown["boats"] == "[x]"
    assert shown["auto"] == "[used]"
    assert shown["blast"] == "FD45L"
    assert (draw_cell(session, "ajax", "torpedo"), draw_cell(session, "ajax", "boats")) == ("–", "–")
    card = dict(SYSTEM.sheet(session.battle, session.battle.ships["rook"]))
    assert {"ROF", "torpedoes", "boat guns", "repair", "blast", "auto shot"} <= set(card)


@pytest.mark.clause("QF-SCA-1")
def test_the_scales_of_both_editions_are_there() -> None:
    names = {scale.name for scale in SYSTEM.scales}
    assert names == {"old-small", "old-large", "tiny", "small", "medium", "large", "jumbo"}
    for units, figures in (("in", (4, 24, 48, 1, 4, 13)), ("metric", (100, 600, 1200, 25, 100, 330))):
        for name, times in (("old-small", 1), ("old-large", 2)):
            found = GAME.scales[name, units]
            told = (
                found.point_blank,
                found.middle,
                found.long,
                found.torpedo_least,
                found.torpedo_most,
                found.nautical_mile,
            )
            assert list(told) == [times * figure for figure in figures]


@pytest.mark.clause("QF-MV-1")
@pytest.mark.parametrize(("scale", "units", "speed"), [("old-small", "in", 8), ("old-large", "in", 16)])
def test_a_speed_is_in_proportion_to_the_mile(scale: str, units: str, speed: int) -> None:
    assert values(played(battle(scale=scale, units=units)), "ajax")["available_speed"] == speed


@pytest.mark.clause("QF-MV-1")
def test_a_ship_changes_its_speed_by_two_boxes_at_most() -> None:
    """Refuse three boxes, and a distance beyond the remaining speed."""
    start = battle(ship("ajax"), ship("rook", "red", log={"speed_hits": 3}), phase="movement")
    session = played(start)
    assert refusal(session, "move rook 6") == "QF-MV-1"
    session.enter("move ajax 8")
    session.enter("move rook 5")
    to_phase(session, "movement")
    assert refusal(session, "move ajax 5") == "QF-MV-1"
    assert is_allowed(session, "move ajax 6")
    session.enter("option speed_change 3")
    assert is_allowed(session, "move ajax 5")


TURN = ("next",) * 5
TWICE = ("move ajax 5 pivots 2", *TURN)


@pytest.mark.clause("QF-MV-2")
@pytest.mark.parametrize(
    ("before", "fine", "refused"),
    [
        (TWICE, ("7", "3", "7 pivots 2", "3 pivots 2"), ("8", "2", "8 pivots 2", "2 pivots 2")),
        (("move ajax 8", *TURN), ("6", "6 pivots 2", "5in pivots 2"), ("5", "5 pivots 2")),
        (("option speed_by moved", *TWICE), ("6", "2", "7 pivots 2"), ("7", "1", "8 pivots 2")),
        (("option turning templates", "move ajax 5", *TURN), ("7", "3"), ("8", "2")),
    ],
)
def test_speed_changes_by_the_movement_used_or_by_a_switch_the_distance(
    before: tuple[str, ...], fine: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    session = played(battle(phase="movement"), *before)
    assert [move for move in (*fine, *refused) if is_allowed(session, f"move ajax {move}")] == [*fine]
    assert {refusal(session, f"move ajax {move}") for move in refused} == {"QF-MV-1"}


@pytest.mark.clause("QF-MV-2")
@pytest.mark.parametrize(("before", "named"), [(TWICE, True), (("move ajax 6", *TURN), False)])
def test_a_refused_speed_names_the_switch_that_can_change_it(before: tuple[str, ...], named: bool) -> None:
    findings = played(battle(phase="movement"), *before).preview_order("move ajax 2").findings
    switches = "speed_change or speed_by" if named else "speed_change"
    assert [finding.text.endswith(f"(switch {switches})") for finding in findings] == [True]


@pytest.mark.clause("QF-MV-2")
def test_turning_is_described_by_pivots_or_templates() -> None:
    session = played(battle(phase="movement"))
    said = [reason.text for reason in reasons(session, "move ajax 7 pivots 2")]
    assert any("pivots of at most 90°" in text for text in said)
    assert any("two pivots, so 6″" in text for text in said)
    assert any("pivots by the box" in text for text in SYSTEM.advice(session.battle))
    other = played(battle(phase="movement", turning="templates"))
    assert not any("pivot" in reason.text for reason in reasons(other, "move ajax 7"))
    assert any("templates" in text for text in SYSTEM.advice(other.battle))


@pytest.mark.clause("QF-DAM-2")
def test_a_steered_ship_is_reported_in_the_movement_phase() -> None:
    start = battle(ship("ajax"), ship("rook", "red", courses=("45 left", "90 right")), phase="movement")
    session = played(start)
    assert any("Rook is steered 90° right" in text for text in SYSTEM.advice(session.battle))
    assert any(
        "steered by its damage, 90° right" in reason.text for reason in reasons(session, "move rook 4")
    )


@pytest.mark.clause("QF-OPT-2")
@pytest.mark.parametrize(("added", "speed"), [("0", 8), ("50", 12), ("100", 16)])
def test_a_switch_adds_to_all_speeds(added: str, speed: int) -> None:
    start = battle(ship("ajax"), ship("rook", "red", log={"speed_hits": 4}), speed_added=added)
    session = played(start)
    assert values(session, "ajax")["available_speed"] == speed
    assert Fraction(str(values(session, "rook")["available_speed"])) == Fraction(speed, 2)


@pytest.mark.clause("QF-PH-1")
def test_the_ships_that_may_still_act_are_listed_by_phase() -> None:
    session = played(battle(ship("ajax"), craft("skiff"), phase="movement"))
    assert [(entry.ship, entry.what) for entry in SYSTEM.may_act(session.battle)] == [
        ("ajax", "move"),
        ("skiff", "move"),
    ]
    fast = to_phase(played(session.battle), "gunnery")
    assert [entry.what for entry in SYSTEM.may_act(fast.battle)] == ["LT", "T"], "no target for heavy guns"
    session.enter("move skiff 2")
    to_phase(session, "gunnery")
    assert [(entry.ship, entry.what) for entry in SYSTEM.may_act(session.battle)] == [
        ("ajax", "HLT"),
        ("skiff", "T"),
    ]
    session.enter("fire ajax light skiff short 1 6 6")
    session.enter("torpedo skiff ajax in 6 6")
    assert [(entry.ship, entry.what) for entry in SYSTEM.may_act(session.battle)] == [("ajax", "HT")]
    session.enter("damage ajax S")
    to_phase(session, "repair")
    assert [(entry.ship, entry.what) for entry in SYSTEM.may_act(session.battle)] == [("ajax", "speed")]
