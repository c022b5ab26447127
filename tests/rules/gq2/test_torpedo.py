"""Torpedoes and mines: to hit, modifiers, damage, arcs (GQ2-TOR)."""

from fractions import Fraction
from typing import Any

import pytest

from qf_tui.session import Session
from tests.rules.gq2.tables import battle, destroyer, played, ship, to_phase, words
from tests.rules.playing import changed, enter, owed, question, reasons, refusal, result, values

PLAIN = "torpedo ajax rook stick 5"
QUIET = ("mark rook turned 1", "mark rook moved 5", "mark ajax turned 1")
"""Rook at 5 inches, and turning: no speed line of a standard torpedo, and no straight course."""


def sea(*marks: str, **options: Any) -> Session:
    """The torpedo phase, Rook at 5 inches unless told otherwise."""
    return played(battle(phase="torpedo", **options), *QUIET, *(f"mark {mark}" for mark in marks))


def more(session: Session, order: str) -> str:
    """What comes to the die of an order that shows a 9."""
    said = reasons(session, f"{order} 9")[-1].text
    return said.removeprefix("torpedo 9").partition(":")[0].partition(">")[0].partition("≤")[0].strip()


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.parametrize(("die", "number", "hits"), [(5, 5, True), (6, 5, False), (0, 0, True), (9, 9, True)])
def test_a_torpedo_hits_on_the_number_or_less_and_0_is_0(die: int, number: int, hits: bool) -> None:
    """Catches a 0 read as ten, an off-by-one at the number, and facts that only other systems have."""
    session = sea()
    assert result(session, f"torpedo ajax rook stick {number} {die}") == {
        "struck": hits,
        "hits": ("standard",) if hits else (),
        "points": None,
        "sx": None,
    }
    assert owed(session) == (["torpedo-damage rook"] if hits else [])


@pytest.mark.clause("GQ2-TOR-1")
def test_a_spread_has_one_die_and_one_hit_or_by_the_switch_a_die_each() -> None:
    """Catches a spread of four hits, and dice that do not follow the switch."""
    session = sea()
    assert refusal(session, "torpedo kobold ajax stick 5 spread 3 1 1") == ""
    assert result(session, "torpedo kobold ajax stick 5 spread 3 0")["hits"] == ("light",)
    session = sea("ajax moved 4", spread="die-each")
    assert result(session, "torpedo kobold ajax stick 5 spread 3 5 6 0")["hits"] == ("light", "light")
    assert owed(session) == ["torpedo-damage ajax", "torpedo-damage ajax"]


@pytest.mark.clause("GQ2-TOR-2")
@pytest.mark.parametrize(
    ("marks", "order", "said"),
    [
        ((), PLAIN, ""),
        (("rook moved 5.9",), PLAIN, ""),
        (("rook moved 6",), PLAIN, "+1 target's speed"),
        (("rook moved 8",), PLAIN, "+2 target's speed"),
        (("rook moved 10",), PLAIN, "+3 target's speed"),
        (("rook moved 25",), PLAIN, "+3 target's speed"),
        (("ajax moved 4.9",), "torpedo kobold ajax stick 5", ""),
        (("ajax moved 5",), "torpedo kobold ajax stick 5", "+1 target's speed"),
        (("ajax moved 7",), "torpedo kobold ajax stick 5", "+2 target's speed"),
        (("ajax moved 9",), "torpedo kobold ajax stick 5", "+3 target's speed"),
        (("rook rudder 2",), PLAIN, "-1 rudder hit"),
        (("rook straight yes",), PLAIN, "-1 moved straight"),
        (("rook evasive yes",), PLAIN, "+1 evading"),
        (("ajax moved 4",), "torpedo kobold ajax stick 5 spread 4", "-3 spread"),
        ((), f"{PLAIN} bow", "+1 at the bow"),
        ((), f"{PLAIN} stern", "+2 at the stern"),
        (("rook moved 0",), PLAIN, "-4 stationary"),
        (("rook moved 0", "rook rudder 1", "rook straight yes"), f"{PLAIN} stern", "-4 stationary"),
        (("rook moved 0", "rook evasive yes"), PLAIN, "-4 stationary +1 evading"),
    ],
)
def test_what_comes_to_the_die(marks: tuple[str, ...], order: str, said: str) -> None:
    """Catches a speed line on the wrong inch, a second one, and aspects of a target that lies still."""
    assert more(sea(*marks), order) == said


@pytest.mark.clause("GQ2-TOR-9")
@pytest.mark.parametrize(
    ("move", "straight"),
    [
        ("move rook 5", True),
        ("move rook 5 turns 0", True),
        ("move rook 5 straight", True),
        ("move rook 5 turns 1", False),
        ("mark rook moved 5", True),
    ],
)
def test_a_recorded_move_without_a_turn_was_straight(move: str, straight: bool) -> None:
    """Catches a straight course that only one word of an order knows, and a turn that is forgotten."""
    session = played(battle(phase="movement"), move, "next", "next", "next")

    def counts() -> bool:
        return "moved straight" in str(session.preview_order(PLAIN).needs[0])

    assert counts() is straight
    enter(session, "mark rook turned 1")
    assert not counts()
    enter(session, "mark rook straight yes")
    assert counts()


@pytest.mark.clause("GQ2-TOR-2")
def test_night_costs_two() -> None:
    session = sea("rook lit yes")
    enter(session, "table light night")
    assert more(session, PLAIN) == "+2 night"


@pytest.mark.clause("GQ2-TOR-2")
def test_modifiers_add_to_the_die() -> None:
    """Catches a sign turned round."""
    assert not result(sea("rook moved 10"), f"{PLAIN} 3")["struck"]
    assert result(sea("rook moved 0"), f"{PLAIN} 9")["struck"]


@pytest.mark.clause("GQ2-TOR-2")
def test_a_movement_that_is_not_recorded_is_assumed_with_a_word() -> None:
    session = played(battle(phase="torpedo"))
    assert session.preview_order(PLAIN).assumes == ("assumed: Rook moved 12″, not straight",)
    assert (
        words(session, f"{PLAIN} 9")
        == "torpedo 9 +3 target's speed: 12>5, misses Rook · assumed: Rook moved 12″, not straight"
    )
    assert sea().preview_order(PLAIN).assumes == ()


@pytest.mark.clause("GQ2-TOR-2")
def test_a_ship_that_is_slowed_in_this_turn_has_gone_what_it_went_before() -> None:
    """Catches a movement that is assumed by the speed of a moment after it."""
    session = played(battle(phase="movement"), "next", "next", "damage rook H4", "next")
    assert values(session, "rook")["speed"] == 3
    assert session.preview_order(PLAIN).assumes == ("assumed: Rook moved 12″, not straight",)


@pytest.mark.clause("GQ2-TOR-2")
@pytest.mark.clause("GQ2-PH-4")
@pytest.mark.parametrize(("switch", "said"), [("simultaneous", ""), ("at-once", "-1 rudder hit")])
def test_a_rudder_hit_in_this_phase_helps_from_its_end_or_by_the_switch_at_once(
    switch: str, said: str
) -> None:
    """Catches a torpedo that hits more easily for another of the same salvo."""
    session = sea(torpedo_damage=switch)
    enter(session, "damage rook C", "roll 2")
    assert more(session, PLAIN) == said


@pytest.mark.clause("GQ2-TOR-2")
def test_a_ship_that_began_to_sink_in_this_turn_is_met_at_the_speed_it_moved() -> None:
    """Catches a target that lies still in the turn in which it has moved, and one that drifts on after it."""
    session = played(
        battle(phase="movement"), "move rook 10 straight", "next", "next", "damage rook S", "next"
    )
    assert more(session, PLAIN) == "+3 target's speed -1 moved straight"
    enter(session, "next", "roll 6", "next", "next", "next", "next")
    assert more(session, PLAIN) == "-4 stationary"


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.parametrize(
    ("mark", "order", "told"),
    [
        ("rook moved 10", PLAIN, "hits on 2 or less (stick 5, +3 target's speed)"),
        ("rook moved 5", PLAIN, "hits on 5 or less (stick 5)"),
        ("rook moved 10", "torpedo ajax rook stick 2", "never hits (stick 2, +3 target's speed)"),
    ],
)
def test_the_umpire_is_told_what_the_die_has_to_show(mark: str, order: str, told: str) -> None:
    """Catches a number that the die does not bear out."""
    session = sea(mark)
    assert [str(need) for need in session.preview_order(order).needs] == [told]
    assert [str(need) for need in enter(session, order).preview_order("roll").needs] == [told]


@pytest.mark.clause("GQ2-GUN-12")
def test_a_torpedo_whose_dice_come_a_turn_late_did_its_damage_in_its_own_turn() -> None:
    """Catches damage that makes a shot of two turns later easier."""
    session = played(battle(phase="torpedo"), *QUIET, PLAIN, "force next", "force next", "roll 0", "roll 1")
    to_phase(session, "gunnery")
    assert "-1 damaged last turn" in words(session, "fire ajax 6 rook straddle 5 9")
    assert "damaged" not in words(to_phase(session, "gunnery"), "fire ajax 6 rook straddle 5 9")


@pytest.mark.clause("GQ2-TOR-2")
def test_bow_and_stern_at_once_are_impossible() -> None:
    assert refusal(sea(), f"force {PLAIN} bow stern") == ""


@pytest.mark.clause("GQ2-SNK-1")
@pytest.mark.clause("GQ2-TOR-3")
@pytest.mark.parametrize(
    ("code", "order", "die", "took"),
    [
        ("C", PLAIN, 3, {"hull_lost": 4, "armament_lost": 2, "speed": 3}),
        ("B", PLAIN, 6, {"hull_lost": 4, "armament_lost": 4, "speed": 3}),
        ("CA", PLAIN, 6, {"hull_lost": 4, "armament_lost": 4, "speed": 3}),
        ("BB", PLAIN, 6, {"hull_lost": 2, "armament_lost": 2, "speed": 8}),
        ("C", PLAIN, 4, {"status": "sinking", "marker": 1, "speed": 0}),
    ],
)
def test_a_hit_takes_hull_and_armament_by_df_and_class(
    code: str, order: str, die: int, took: dict[str, object]
) -> None:
    """Catches hull and armament changed over, and doubling of the wrong classes."""
    session = sea(f"rook class {code}")
    enter(session, f"{order} 0")
    assert changed(session, f"roll {die}") == took


@pytest.mark.clause("GQ2-TOR-3")
def test_a_light_torpedo_counts_a_column_to_the_right() -> None:
    session = played(battle(phase="torpedo"), "mark ajax moved 4", "torpedo kobold ajax stick 5 0")
    assert changed(session, "roll 3", "ajax") == {"hull_lost": 3, "armament_lost": 2, "speed": 6}


@pytest.mark.clause("GQ2-TOR-3")
@pytest.mark.parametrize(("switch", "penetrated"), [("penetrated", True), ("not", False)])
def test_the_critical_of_a_torpedo_counts_as_penetrated_and_is_not_doubled(
    switch: str, penetrated: bool
) -> None:
    """Catches two criticals on a battleship, and one that the armor stops."""
    session = played(
        battle(phase="torpedo", torpedo_critical=switch), *QUIET, "mark rook class B", f"{PLAIN} 0", "roll 2"
    )
    assert owed(session) == ["critical rook"]
    assert question(session, "critical").facts == {"turn": 1, "penetrated": penetrated}
    assert question(session, "critical").key == "5/critical/rook/1", "the launch is its cause"
    assert values(session, "rook")["hull_lost"] == 5


@pytest.mark.clause("GQ2-TOR-3")
def test_a_mine_uses_the_same_table() -> None:
    """Catches a mine that counts as light, or is not doubled."""
    session = played(battle(phase="movement"), "mine rook")
    assert owed(session) == ["torpedo-damage rook"]
    assert changed(session, "roll 3") == {"hull_lost": 4, "armament_lost": 2, "speed": 3}
    session = played(battle(phase="movement"), "mark rook class CA", "mine rook 6")
    assert values(session, "rook")["hull_lost"] == 4
    assert refusal(enter(session, "leave rook sunk"), "mine rook 1") == "GQ2-SNK-2"


@pytest.mark.clause("GQ2-GUN-12")
def test_a_torpedo_hit_is_damage_of_its_ship_for_the_next_turn() -> None:
    session = played(battle(phase="torpedo"), *QUIET, f"{PLAIN} 0", "roll 1")
    to_phase(session, "gunnery")
    assert "-1 damaged last turn" in words(session, "fire ajax 6 rook straddle 5 9")


@pytest.mark.clause("GQ2-TOR-4")
@pytest.mark.parametrize(
    ("code", "arc", "many"),
    [
        ("DD", "abeam, but not within 30° of bow or stern", True),
        ("TBD", "abeam, but not within 30° of bow or stern", True),
        ("TB", "within 30° of the bow", True),
        ("C", "within 30° ahead, abeam or astern", False),
        ("BB", "within 30° ahead, abeam or astern", False),
    ],
)
def test_arcs_are_told_and_only_torpedo_craft_launch_many(code: str, arc: str, many: bool) -> None:
    """Catches a spread from a cruiser, its second torpedo of a turn, and the wrong arc."""
    session = sea(f"ajax class {code}")
    assert any(arc in text for text in session.preview_order(PLAIN).reminders)
    spread = f"{PLAIN} spread 2 9"
    if many:
        enter(session, spread, f"{PLAIN} 9")
    else:
        assert refusal(session, spread) == "GQ2-TOR-4"
        assert refusal(enter(session, f"{PLAIN} 9"), f"{PLAIN} 9") == "GQ2-TOR-4"


@pytest.mark.clause("GQ2-LOG-1")
def test_torpedoes_are_counted_down() -> None:
    """Catches a tube that is never empty, and a ship without tubes that launches."""
    session = sea()
    assert changed(session, "torpedo kobold ajax stick 5 spread 3 9", "kobold") == {"torpedoes": 1}
    assert refusal(session, "torpedo kobold ajax stick 5 spread 2 9") == "GQ2-LOG-1"
    bare = played(battle(ship("ajax", torpedoes=None), destroyer("kobold"), phase="torpedo"))
    assert refusal(bare, "torpedo ajax kobold stick 5") == "GQ2-LOG-1"


def test_the_odds_of_a_torpedo_are_exact() -> None:
    told = {each.label: each.value for each in sea("rook straight yes").preview_order(PLAIN).chances}
    assert told == {"hits": Fraction(7, 10), "mean hits": Fraction(7, 10)}


@pytest.mark.parametrize(
    ("before", "order", "told"),
    [
        (f"{PLAIN} 0", "roll 3", "standard torpedo 3 on Rook, column 3-4: 4/2: 4 hull, 2 armament"),
        ("mark rook class B", "mine rook 3", "mine 3 on Rook, column 3-4: 4/2, doubled: 8 hull, 4 armament"),
        ("mark rook df 1", "mine rook 1", "mine 1 on Rook, column ½-1: Sunk"),
    ],
)
def test_the_log_tells_what_went_off_and_what_it_took(before: str, order: str, told: str) -> None:
    assert reasons(enter(sea(), before), order)[0].text == told


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.clause("GQ2-TOR-3")
@pytest.mark.parametrize(("lost", "faces"), [(0, 2), (1, 3), (2, 4), (3, 6), (4.5, 6)])
def test_what_is_shown_to_sink_a_ship_counts_the_loss_of_its_last_hull_box(lost: float, faces: int) -> None:
    """Catches a torpedo that "never sinks" a ship that every face of it leaves without hull."""
    told = sea(f"rook hull_lost {lost}").preview_order("mine rook")
    assert {each.label: each.value for each in told.chances}["sinks"] == Fraction(faces, 6)
