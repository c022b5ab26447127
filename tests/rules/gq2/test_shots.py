"""Shots in their turn.

What the die has to show, ships given up in the phase of a shot, and dice that come late.
"""

import pytest

from tests.rules.gq2.tables import battle, played, to_phase, words
from tests.rules.gq2.tables import white_more as more
from tests.rules.playing import changed, enter, values

PLAIN = "fire ajax 6 rook straddle 5"


@pytest.mark.clause("GQ2-GUN-2")
@pytest.mark.parametrize(
    ("marks", "order", "told"),
    [
        (
            ("rook moved 0", "ajax fire_control 1"),
            PLAIN,
            "straddles on white 5 or less (band 5, -2 stationary, +2 fire control)",
        ),
        (
            ("ajax fire_control 1",),
            f"{PLAIN} low 3",
            "straddles on white 0 (band 5, +2 fire control, +3 poor visibility)",
        ),
        (
            ("ajax fire_control 1",),
            f"{PLAIN} low 4",
            "never straddles (band 5, +2 fire control, +4 poor visibility)",
        ),
        (("rook moved 0",), "fire ajax 6 rook straddle 8", "always straddles (band 8, -2 stationary)"),
    ],
)
def test_the_umpire_is_told_what_the_white_die_has_to_show(
    marks: tuple[str, ...], order: str, told: str
) -> None:
    """Catches a number that the dice do not bear out, before the order and before its roll."""
    session = played(battle(), *(f"mark {mark}" for mark in marks))
    assert [str(need) for need in session.preview_order(order).needs] == [told]
    assert [str(need) for need in enter(session, order).preview_order("roll").needs] == [told]


@pytest.mark.clause("GQ2-GUN-2")
@pytest.mark.clause("GQ2-PH-4")
@pytest.mark.parametrize(
    ("before", "said"),
    [
        (("move rook 10 evasive",), "+1 evading"),
        ((), ""),
        (("move rook 0",), "-2 stationary"),
    ],
)
def test_a_ship_given_up_in_this_turn_has_moved_in_it(before: tuple[str, ...], said: str) -> None:
    """Catches a ship that lies still for the second shot of the phase in which the first one broke it."""
    session = played(battle(phase="movement"), *before, "next", "next", "damage rook H5")
    assert values(session, "rook")["status"] == "sinking"
    assert more(session, PLAIN) == said
    assert more(to_phase(session, "torpedo"), f"force {PLAIN}").startswith(said), "and in the next phase"
    enter(session, "next", "roll 6")
    assert "-2 stationary" in more(to_phase(session, "gunnery"), PLAIN)


@pytest.mark.clause("GQ2-GUN-2")
def test_a_ship_that_is_assumed_to_lie_still_is_named() -> None:
    """Catches a shot made easier by what nobody has said this turn."""
    session = played(battle(phase="movement"), "move rook 0", "next", "next")
    assert session.preview_order(PLAIN).assumes == ()
    assert to_phase(session, "gunnery").preview_order(PLAIN).assumes == ("assumed: Rook moved 0″",)
    assert session.preview_order("fire ajax 6 rival straddle 5").assumes == ()
    anchored = played(battle(), "mark rook state standby")
    assert anchored.preview_order(PLAIN).assumes == ()


@pytest.mark.clause("GQ2-GUN-12")
@pytest.mark.clause("GQ2-CRI-B")
def test_a_shot_whose_dice_come_a_turn_late_counts_in_the_turn_that_it_was_fired() -> None:
    """Catches damage, fire and a steam line put into the turn in which somebody found the dice."""
    session = played(battle(), "fire boyne 6 rook straddle 5 9", PLAIN, *["force next"] * 3)
    assert session.battle.turn == 2
    assert "+1 fired upon" in words(session, "roll 0 3 1")
    assert changed(session, "roll 2") == {"criticals": ["rudder"]}
    to_phase(session, "gunnery")
    assert more(session, PLAIN) == "-1 damaged last turn"
    late = played(battle(), f"{PLAIN} penetrates", *["force next"] * 3, "roll 0 9 1", "roll 5")
    assert values(late, "rook")["speed"] == 7, "three inches less in the turn after the shot, and a box"


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.clause("GQ2-CRI-5")
@pytest.mark.clause("GQ2-MV-6")
def test_a_metric_table_is_told_of_centimetres() -> None:
    """Catches inches in what is measured on a table that plays them as centimetres."""
    session = played(battle(phase="movement", units="metric"))
    assert "½ cm aft" in words(session, "wander ajax 8 0 6 6 1")
    enter(session, "damage rook CA", "damage rook CA")
    assert "every 45° cost 1½ cm" in words(session, "roll 2")
    assert "3 cm slower next turn" in words(session, "roll 5")
    night = played(battle(phase="searchlights", units="metric", light="night"))
    assert "searchlights reach 9 cm (GQ2-NIT-3)" in night.preview_order("light ajax rook").reminders
