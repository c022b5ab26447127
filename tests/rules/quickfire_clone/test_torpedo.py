"""Torpedo launches (QFC-TOR, QFC-RUL-9)."""

from pathlib import Path

import pytest

from qf_tui.library.check import check
from qf_tui.library.systems import find_systems
from tests.rules.playing import allowed, changed, owed, question, reasons, refusal, result
from tests.rules.quickfire_clone.tables import battle, played, ship, to_turn

SIX_SIDED = {3: "1 1 1", 4: "1 1 2", 5: "1 1 3", 6: "1 1 4", 7: "1 1 5", 8: "1 1 6"}
"""Three dice for each total."""


@pytest.mark.clause("QFC-TOR-1")
def test_only_a_ship_with_a_torpedo_rating_launches() -> None:
    """Catches torpedoes from nowhere."""
    session = played(battle(ship("ajax", torpedo=0), ship("rook", "red")))
    assert refusal(session, "torpedo ajax rook 20cm 6 6 6") == "QFC-TOR-1"
    assert allowed(session, "torpedo rook ajax 20cm 6 6 6")
    assert result(session, "force torpedo ajax rook 20cm 1 1 1")["struck"] is False


@pytest.mark.clause("QFC-TOR-1")
@pytest.mark.parametrize("phase", ["move", "repair"])
def test_torpedoes_are_launched_in_the_gunnery_phase(phase: str) -> None:
    """Catches a launch at another time."""
    assert refusal(played(battle(phase=phase)), "torpedo ajax rook 20cm 6 6 6") == "QFC-TOR-1"


@pytest.mark.clause("QFC-TOR-1")
def test_a_rating_is_not_used_up() -> None:
    """Catches torpedoes that are counted."""
    session = played(battle(), "torpedo ajax rook 20cm 1 1 1", "roll 1")
    to_turn(session, 2, "gunnery")
    assert result(session, "torpedo ajax rook 20cm 1 1 2")["struck"] is True


@pytest.mark.clause("QFC-TOR-2")
@pytest.mark.parametrize("rating", [1, 2, 3, 4])
@pytest.mark.parametrize(("moved", "more"), [(120, 2), (21, 2), (20, 3), (0, 3)])
def test_three_dice_at_or_below_the_number_strike(rating: int, moved: int, more: int) -> None:
    """Catches an off-by-one, moving and static exchanged, and the edge of 2 cm."""
    start = battle(ship("ajax", torpedo=rating), ship("rook", "red"), phase="move")
    session = played(start, f"move rook {moved}mm", "next")
    most = rating + more
    at, above = (
        played(session.battle, f"torpedo ajax rook 20cm {SIX_SIDED[total]}") for total in (most, most + 1)
    )
    assert owed(at) == ["speed-hits rook"]
    assert owed(above) == []


@pytest.mark.clause("QFC-TOR-2")
def test_the_movement_that_is_assumed_is_said() -> None:
    """Catches an assumption that decides unseen."""
    assert "assumed: Rook moved" in played(battle()).preview_order("torpedo ajax rook 20cm").assumes[0]


@pytest.mark.clause("QFC-COL-3")
@pytest.mark.parametrize("moved", ["", "move rook 120mm"])
def test_who_collided_is_a_static_target(moved: str) -> None:
    """Catches a ship that was stopped and counts as moving, in the turn of the collision or behind it."""
    start = battle(ship("ajax"), ship("boyne"), ship("rook", "red"), phase="move")
    session = to_turn(played(start, *filter(None, [moved]), "collide ajax rook 6 6"), 1, "gunnery")
    preview = session.preview_order("torpedo boyne rook 20cm")
    assert not any("assumed" in text for text in preview.assumes)
    told = reasons(session, "torpedo boyne rook 20cm 1 1 3")
    assert (told[0].clause, "static target: 5≤5" in told[0].text) == ("QFC-COL-3", True)


@pytest.mark.clause("QFC-TOR-4")
def test_a_rating_above_4_is_refused_by_name(tmp_path: Path) -> None:
    """Catches a rating that is read as 4 without a word, from a file or by hand."""
    ajax = 'id = "ajax"\nname = "A"\nsize = 12\nspeed = 120\ngunnery = [9, 9]\narmor = [8, 8]\nrof = [6, 6]'
    path = tmp_path / "five.toml"
    path.write_text(f'ruleset = "quickfire-clone"\n[[ship]]\n{ajax}\ntorpedo = 5\nbase = [6, 2, 1]\n')
    torpedo, base = check(path, find_systems()).faults
    assert (torpedo.place, torpedo.text) == (
        "ship 1 (ajax), torpedo",
        "expected a whole number from 0 to 4, found 5",
    )
    assert base.text.endswith("or up to 2 in a list, found a list of 3")
    assert refusal(played(battle()), "mark ajax torpedo 5") == ""
    assert allowed(played(battle()), "mark ajax torpedo 4")


@pytest.mark.clause("QFC-TOR-3")
@pytest.mark.parametrize("die", [1, 4, 6])
def test_a_strike_costs_as_many_s_as_an_extra_die_shows(die: int) -> None:
    """Catches S that are none, and a die that is forgotten."""
    session = played(battle(), "torpedo ajax rook 20cm 1 1 1")
    assert question(session, "speed-hits").prompt == "S hits of a torpedo on Rook"
    assert changed(session, f"roll {die}") == {"speed_hits": die, "available_speed": 120 - 15 * die}


@pytest.mark.clause("QFC-RUL-9")
@pytest.mark.parametrize(("switch", "fine"), [("one", False), ("one-a-target", True)])
def test_a_ship_launches_once_a_turn(switch: str, fine: bool) -> None:
    """Catches a second launch, also at the same target, and the switch."""
    start = battle(ship("ajax"), ship("rook", "red"), ship("rival", "red"), launches=switch)
    session = played(start, "torpedo ajax rook 20cm 6 6 6")
    assert allowed(session, "torpedo ajax rival 20cm 6 6 6") is fine
    if not fine:
        assert refusal(session, "torpedo ajax rival 20cm 6 6 6") == "QFC-RUL-9"
    assert not allowed(session, "torpedo ajax rook 20cm 6 6 6")
    assert allowed(to_turn(session, 2, "gunnery"), "torpedo ajax rook 20cm 6 6 6")


@pytest.mark.clause("QFC-RUL-9")
@pytest.mark.parametrize(("switch", "fine"), [("yes", True), ("no", False)])
def test_guns_and_torpedoes_of_a_ship_may_both_be_used(switch: str, fine: bool) -> None:
    """Catches a launch that silences the guns, the other way round, and the switch."""
    start = battle(torpedoes_beside_guns=switch)
    launched, fired = (
        played(start, "torpedo ajax rook 20cm 6 6 6"),
        played(start, "fire ajax heavy rook 20cm off"),
    )
    assert allowed(launched, "fire ajax heavy rook 20cm 6 6") is fine
    assert allowed(fired, "torpedo ajax rook 20cm 6 6 6") is fine
    if not fine:
        assert refusal(launched, "fire ajax heavy rook 20cm 6 6") == "QFC-RUL-9"
        assert refusal(fired, "torpedo ajax rook 20cm 6 6 6") == "QFC-RUL-9"


@pytest.mark.clause("QFC-TOR-1")
def test_the_dice_of_a_launch_may_come_later() -> None:
    """Catches a declaration that is lost, and a throw with dice missing."""
    session = played(battle(), "torpedo ajax rook 20cm")
    assert owed(session) == ["torpedo ajax"]
    assert refusal(session, "roll 1 1") == ""
    session.enter("roll 1 1 1")
    assert owed(session) == ["speed-hits rook"]


def test_the_odds_of_a_launch_are_exact() -> None:
    """Catches chances that are not those of three dice."""
    prospect = played(battle()).preview_order("torpedo ajax rook 20cm")
    assert [(chance.label, str(chance.value)) for chance in prospect.chances] == [("strikes", "1/54")]


@pytest.mark.clause("QFC-TOR-2")
@pytest.mark.parametrize(("dice", "struck"), [("1 1 1", True), ("6 6 6", False)])
def test_an_attack_states_that_it_has_neither_points_nor_sx(dice: str, struck: bool) -> None:
    """Catches facts of an attack that scripts find in one game only."""
    told = result(played(battle()), f"torpedo ajax rook 20cm {dice}")
    assert told == {"struck": struck, "points": None, "sx": None}
