"""What hits on bridge and rudder leave a ship of her move (GQ2-CRI-1, GQ2-CRI-2)."""

import pytest

from qf_tui.session import Session
from tests.rules.gq2.tables import battle, of_class, played, ship, to_phase, words
from tests.rules.playing import enter, refusal, values

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
@pytest.mark.parametrize(
    ("before", "orders", "inches"),
    [(8, (), 8), (13, ("mark lion hull_lost 2",), 9), (13, ("mark lion boiler 5",), 3.5)],
)
def test_with_a_hit_bridge_the_speed_is_last_turns_or_the_most_that_is_left(
    before: float, orders: tuple[str, ...], inches: float
) -> None:
    """Catches a speed that is only told, and one that damage has made impossible."""
    session = lion(before, f"move lion {before:g}in", "mark lion bridge 1", *orders)
    to_phase(session, "movement")
    assert open_inches(session) == [inches]
    assert {refusal(session, f"move lion {more:g}in") for more in (inches - 1, 0)} == {"GQ2-CRI-1"}
    assert refusal(session, "anchor lion") == "GQ2-CRI-1"
    enter(session, f"move lion {inches:g}in turns 1")
    assert len(open_inches(to_phase(session, "movement"))) > 1, "it lapses"


@pytest.mark.clause("GQ2-CRI-1")
@pytest.mark.clause("GQ2-CRI-2")
def test_bridge_and_rudder_together_hold_the_speed_that_the_turns_are_paid_from() -> None:
    session = to_phase(lion(8, "mark lion bridge 1", "move lion 8", RUDDER), "movement")
    assert open_inches(session, " turns 2") == [5]
    assert "open to Lion with 0 turns: 8″ (GQ2-CRI-1)" in session.preview_order("move lion 8").reminders
