"""What hits on bridge and rudder leave a ship of her move (GQ2-CRI-1, GQ2-CRI-2)."""

import pytest

from qf_tui.session import Session
from tests.rules.gq2.tables import battle, of_class, played, ship, to_phase, words
from tests.rules.playing import allowed, enter, refusal, values

RUDDER = "mark lion rudder 1"
HULL = (13.5, 11.5, 9, 7, 3.5)


def lion(speed: float, *orders: str) -> Session:
    """The turn after Lion made a speed, 13½ inches at the most, with orders to begin with."""
    start = battle(ship("lion", hull=HULL), ship("rook", "red"), phase="movement")
    return enter(to_phase(played(start, f"move lion {speed:g}in"), "movement"), *orders)


def open_inches(session: Session, more: str = "") -> list[float]:
    """The inches, by halves, that are not refused."""
    halves = [half / 2 for half in range(30)]
    return [inches for inches in halves if session.preview_order(f"move lion {inches:g}in{more}").fine]


def between(least: float, most: float) -> list[float]:
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
def test_turns_cost_the_speed_being_made_and_both_limits_judge_it(
    before: float, turns: int, least: float, most: float
) -> None:
    """Catches a cost that is taken for a slowing down, and one that costs a cruising ship nothing."""
    session = lion(before, RUDDER)
    more = f" turns {turns}" if turns else ""
    assert open_inches(session, more) == between(least, most)
    if turns:
        assert refusal(session, f"move lion {most + 0.5:g}in{more}") == "GQ2-CRI-2"


@pytest.mark.clause("GQ2-CRI-2")
def test_the_refusal_and_the_log_work_it_out() -> None:
    session = lion(13, RUDDER)
    refused = session.preview_order("move lion 3 turns 2").findings[0].text
    assert refused == "Lion's rudder is hit: with 2 turns of 45° it moves 8″ to 10½″, not 3″"
    preview = session.preview_order("move lion 10 turns 2")
    assert "open to Lion with 2 turns: 8″ to 10½″ (GQ2-CRI-2)" in preview.reminders
    assert (
        "open to Lion with 1 turn: 9½″ to 12″ (GQ2-CRI-2)"
        in session.preview_order("move lion 10 turns 1").reminders
    )
    assert "Lion makes 13″: 2 turns of 45° cost 3″ of it" in words(session, "move lion 10 turns 2")
    assert values(session, "lion")["moved"] == 10


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.parametrize(("switch", "least", "most"), [("made", 11, 13.5), ("moved", 8, 12)])
def test_the_next_turn_starts_from_the_speed_made_or_by_the_switch_from_the_inches(
    switch: str, least: float, most: float
) -> None:
    """Catches a ship that loses way for good with every turn, and a switch that does nothing."""
    session = lion(13, RUDDER, f"option rudder_speed {switch}", "move lion 10 turns 2")
    assert open_inches(to_phase(session, "movement")) == between(least, most)


@pytest.mark.clause("GQ2-CRI-2")
def test_a_ship_that_cannot_pay_for_its_turns_makes_the_least_and_stays() -> None:
    session = lion(6, RUDDER)
    assert "Lion makes 4″: 3 turns of 45° cost 4½″ of it" in words(session, "move lion 0 turns 3")
    assert open_inches(to_phase(session, "movement")) == between(2, 6)


@pytest.mark.clause("GQ2-CRI-2")
def test_inches_set_by_hand_are_the_speed_made_too() -> None:
    session = lion(13, RUDDER, "move lion 10 turns 2", "mark lion moved 5")
    assert open_inches(to_phase(session, "movement")) == between(3, 7)


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.clause("GQ2-MV-4")
def test_stokers_count_the_speed_made() -> None:
    session = lion(13.5, RUDDER, "mark lion flank_turns 5", "move lion 12 turns 1", "next")
    assert session.battle.ships["lion"].count("flank_turns") == 6


def line(*orders: str) -> Session:
    """The second turn of two German capital ships after 13 inches, Kaiser with her rudder hit."""
    ships = (ship("ajax"), ship("koenig", "red", hull=HULL, **of_class("BB")))
    start = battle(*ships, ship("kaiser", "red", hull=HULL, **of_class("BC")), phase="movement")
    session = to_phase(played(start, "move koenig,kaiser 13"), "movement")
    return enter(session, "mark kaiser rudder 1", *orders)


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.clause("GQ2-MV-3")
def test_a_turn_about_is_four_turns() -> None:
    """Catches a battle turn that is free for a hit rudder, whichever order is entered first."""
    session = line("formation @red-line turnabout", "move koenig 13")
    assert refusal(session, "move kaiser 8") == "GQ2-CRI-2"
    assert "Kaiser makes 13½″: 4 turns of 45° cost 6″ of it" in words(session, "move kaiser 7.5in")
    assert refusal(line("move kaiser 13"), "formation @red-line turnabout") == "GQ2-CRI-2"
    session = to_phase(
        line("move kaiser 11", "mark kaiser moved 7", "formation @red-line turnabout"), "movement"
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
def test_with_a_hit_bridge_the_first_half_is_bound_and_the_second_the_umpires(
    before: float, orders: tuple[str, ...], half: float, least: float, most: float
) -> None:
    """Catches a bound second half, and a ship that stops in the first one."""
    session = lion(before, f"move lion {before:g}in", "mark lion bridge 1", *orders)
    to_phase(session, "movement")
    assert open_inches(session) == between(least, most)
    assert refusal(session, f"move lion {half - 0.5:g}in") == "GQ2-CRI-C"
    enter(session, f"move lion {most:g}in turns 1")
    assert len(open_inches(to_phase(session, "movement"))) > 1, "it lapses"


@pytest.mark.clause("GQ2-CRI-C")
def test_the_log_has_both_halves_of_a_move_with_a_hit_bridge() -> None:
    session = to_phase(lion(8, "mark lion bridge 1", "move lion 8"), "movement")
    said = "Lion holds speed and course through the first half, 4″; the other 2½″ are as the umpire says"
    assert said in words(session, "move lion 6.5in turns 2")
    session = to_phase(lion(2, "mark lion bridge 1", "move lion 2"), "movement")
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
def test_a_formation_for_which_a_ship_with_a_hit_bridge_must_turn_is_refused(
    hit: str, order: str, fine: bool
) -> None:
    """Catches a battle turn after which a ship is said to hold her course; others form on the first."""
    line = (ship("koenig", "red", **of_class("B")), ship("kaiser", "red", **of_class("BC")))
    session = played(battle(*line, ship("ajax"), phase="movement"), f"mark {hit} bridge 1")
    to_phase(session, "movement")
    assert allowed(session, order) if fine else refusal(session, order) == "GQ2-CRI-C"
    assert allowed(session, f"force {order}")


@pytest.mark.clause("GQ2-CRI-C")
@pytest.mark.parametrize(
    ("before", "inches", "turns", "speed"), [(8, 0, 5, "+1"), (12, 7.5, 3, "+3"), (6, 6, 0, "+1")]
)
def test_the_speed_made_says_who_is_stationary_and_how_fast(
    before: float, inches: float, turns: int, speed: str
) -> None:
    """Catches a ship with a hit rudder that turns on her place and is shot at as if she lay still."""
    session = lion(before, f"move lion {before}", RUDDER)
    to_phase(session, "movement")
    enter(session, f"move lion {inches:g}in turns {turns}", "next", "next")
    shot = "fire rook 6 lion straddle 5 9"
    assert "stationary" not in words(session, shot)
    assert f"{speed} target's speed" in words(enter(session, "next"), "torpedo rook lion stick 5 9")


@pytest.mark.clause("GQ2-CRI-C")
@pytest.mark.clause("GQ2-CRI-2")
def test_bridge_and_rudder_together_leave_the_first_half_without_a_turn() -> None:
    """Catches a first half that the turns of the second are paid from."""
    session = to_phase(lion(8, "mark lion bridge 1", "move lion 8", RUDDER), "movement")
    assert open_inches(session, " turns 2") == between(4, 7)
    assert (
        "open to Lion with 0 turns: 6″ to 10″ (GQ2-CRI-C)" in session.preview_order("move lion 8").reminders
    )
