"""Boat guns (AQF-BG)."""

from fractions import Fraction

import pytest

from qf_tui.core.grammar.names import Words
from qf_tui.core.values import Battle
from qf_tui.rules.advanced_quickfire.game import BOATS
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship, to_phase
from tests.rules.playing import allowed, changed, owed, question, reasons, refusal, result


def harbour(phase: str = "first-gunnery", **options: str) -> Battle:
    """Ajax with three boat gun points among two destroyers and a battleship."""
    return battle(ship("ajax"), craft("rook"), craft("rival"), ship("rodney", "red"), phase=phase, **options)


@pytest.mark.clause("AQF-BG-1")
@pytest.mark.parametrize(
    ("size", "armor", "light"),
    [
        (1, (0.5, 0.5), True),
        (1, (0, 0), True),
        (0.25, (0.5, 0), True),
        (1, (1, 0.5), False),
        (1, (0.5, 1), False),
        (2, (0.5, 0.5), False),
    ],
)
def test_boat_guns_fire_at_light_craft_only(size: float, armor: tuple[float, float], light: bool) -> None:
    """Catches one armor rating left unasked, and size 1 counted as too large."""
    session = played(battle(ship("ajax"), craft("rook", size=size, armor=armor)))
    assert allowed(session, "boats ajax rook 4") is light
    if not light:
        assert refusal(session, "boats ajax rook 4") == "AQF-BG-1"


@pytest.mark.clause("AQF-BG-1")
def test_boat_guns_need_no_rof() -> None:
    """Catches boat guns that fall silent with the batteries."""
    start = battle(ship("ajax", log={"rof_heavy": 0, "rof_light": 0}), craft("rook"))
    assert result(played(start), "boats ajax rook 7")["hits"] == ("S",)


@pytest.mark.clause("AQF-BG-1")
def test_the_dice_of_a_phase_are_at_most_the_points_however_they_are_split() -> None:
    """Catches points used twice, and a rule's refusal that cannot be forced."""
    session = played(harbour(), "boats ajax rook 4 8")
    assert refusal(session, "boats ajax rival 4 8") == "AQF-BG-1"
    assert allowed(session, "force boats ajax rival 4 8")
    session.enter("boats ajax rival 4")
    assert refusal(played(harbour()), "boats ajax rook 1 2 3 4") == "AQF-BG-1"
    assert refusal(session, "boats ajax rook") == "AQF-BG-1"


@pytest.mark.clause("AQF-BG-1")
@pytest.mark.clause("AQF-PH-2")
def test_points_are_read_as_the_phase_began() -> None:
    """Catches boat guns lost in this phase that no longer fire in it."""
    session = played(harbour(), "damage ajax B B")
    assert allowed(session, "boats ajax rook 4 8 10")
    assert refusal(to_phase(session, "second-gunnery"), "boats ajax rook 4 8") == "AQF-BG-1"
    assert allowed(session, "boats ajax rook 4")


@pytest.mark.clause("AQF-BG-1")
def test_one_entry_a_target_with_all_its_dice_at_once() -> None:
    """Catches a second attack on the same target in one phase."""
    assert refusal(played(harbour(), "boats ajax rook 4"), "boats ajax rook 4") == "AQF-BG-1"
    assert (
        refusal(played(harbour(boat_guns_in="each-phase"), "boats ajax rook"), "boats ajax rook")
        == "AQF-BG-1"
    )


@pytest.mark.clause("AQF-BG-1")
def test_an_undeclared_number_means_all_points_and_all_are_thrown() -> None:
    """Catches a declaration for one die, and one that is answered with fewer dice than declared."""
    session = played(harbour(), "boats ajax rook")
    assert len(question(session, "boats").dice) == 3
    assert refusal(session, "boats ajax rival 4") == "AQF-BG-1"
    assert refusal(session, "roll 4 8") == ""
    assert result(session, "roll 4 8 7")["hits"] == ("S",)
    assert owed(session) == []


@pytest.mark.clause("AQF-BG-1")
def test_boat_guns_are_reminded_to_fire_at_point_blank() -> None:
    """Catches a range that nobody is asked to check."""
    assert any("point blank" in text for text in played(harbour()).preview_order("boats ajax rook").reminders)


@pytest.mark.clause("AQF-BG-3")
@pytest.mark.parametrize(("dice", "apart"), [("", True), ("dice 1", False)])
def test_an_explosion_of_equal_dice_is_said_to_be_apart_from_the_hits(dice: str, apart: bool) -> None:
    """Catches odds of hits that seem to hold the explosion, or a word of it for one die."""
    told = played(harbour()).preview_order(f"boats ajax rook 3in {dice}").reminders
    assert any("apart from their hits" in text for text in told) is apart


@pytest.mark.clause("AQF-BG-1")
@pytest.mark.parametrize(
    ("at", "fine"), [("pb", True), ("3in", True), ('4"', True), ("4.1in", False), ("48in", False)]
)
def test_an_order_may_state_the_range_and_is_refused_beyond_point_blank(at: str, fine: bool) -> None:
    """Catches boat guns that reach farther, and a reminder of what was measured."""
    session = played(harbour())
    assert allowed(session, f"boats ajax rook {at} 4 8") is fine
    assert session.preview_order(f"boats ajax rook {at} dice 1").reminders == ()
    if not fine:
        assert refusal(session, f"boats ajax rook {at} 4 8") == "AQF-BG-1"


@pytest.mark.clause("AQF-BG-1")
def test_a_declaration_may_state_its_points_so_that_a_split_is_declared() -> None:
    """Catches a declaration that takes all points though it says how many."""
    session = played(harbour(), "boats ajax rook 3in dice 2")
    assert len(question(session, "boats").dice) == 2
    assert refusal(session, "boats ajax rival dice 2") == "AQF-BG-1"
    session.enter("boats ajax rival pb dice 1")
    assert owed(session) == ["boats ajax", "boats ajax"]
    assert refusal(session, "roll 4") == ""
    session.enter("roll 4 8")
    assert result(session, "roll 7")["hits"] == ("S",)


@pytest.mark.clause("AQF-BG-1")
@pytest.mark.parametrize(("dice", "fine"), [("4 8", True), ("4", False), ("4 8 10", False)])
def test_stated_points_are_all_thrown(dice: str, fine: bool) -> None:
    """Catches more or fewer dice than the order itself says."""
    session = played(harbour())
    if fine:
        assert result(session, f"boats ajax rook dice 2 {dice}")["fired"] is True
    else:
        assert refusal(session, f"boats ajax rook dice 2 {dice}") == ""


@pytest.mark.clause("AQF-BG-1")
def test_the_odds_of_stated_points_are_theirs() -> None:
    """Catches odds for all points where the order says fewer."""
    session = played(harbour())
    one = {chance.label: chance.value for chance in session.preview_order("boats ajax rook dice 1").chances}
    assert one["explosion"] == Fraction(1, 12)


@pytest.mark.clause("AQF-BG-1")
def test_keys_offer_light_craft_first() -> None:
    """Catches a battleship offered to boat guns before the destroyers."""
    session = played(battle(ship("ajax"), ship("rodney", "red"), craft("rook"), craft("boat", "blue")))
    target = BOATS.slots[1]
    offers = target.kind.candidates("", Words(session.scope(), BOATS, [], {"ship": "ajax"}).on(target))
    assert [one.text for one in offers][:2] == ["rook", "rodney"]


@pytest.mark.clause("AQF-BG-1")
def test_declared_boat_guns_are_not_called_fired() -> None:
    """Catches a refusal that calls a declaration a shot, and does not name the cure."""
    session = played(harbour(), "boats ajax rook dice 1")
    texts = [finding.text for finding in session.preview_order("boats ajax rook dice 1").findings]
    assert "Ajax's boat guns at Rook are declared already: roll the dice, or amend entry 1" in texts


@pytest.mark.clause("AQF-BG-2")
@pytest.mark.parametrize(("switch", "again"), [("one-phase", False), ("each-phase", True)])
def test_boat_guns_fire_in_one_gunnery_phase_of_a_turn_or_by_the_switch_in_each(
    switch: str, again: bool
) -> None:
    """Catches boat guns used in both phases, also at another target."""
    session = to_phase(played(harbour(boat_guns_in=switch), "boats ajax rook 4"), "second-gunnery")
    assert allowed(session, "boats ajax rival 4") is again
    if not again:
        assert refusal(session, "boats ajax rook 4") == "AQF-BG-2"
    later = to_phase(to_phase(session, "movement"), "first-gunnery")
    assert allowed(later, "boats ajax rook 4")


@pytest.mark.clause("AQF-BG-2")
def test_boat_guns_unused_in_the_first_phase_fire_in_the_second() -> None:
    """Catches boat guns bound to phase 2, and boat guns outside the gunnery phases."""
    assert allowed(played(harbour("second-gunnery")), "boats ajax rook 4")
    assert refusal(played(harbour("movement")), "boats ajax rook 4") == "AQF-BG-2"


@pytest.mark.clause("AQF-BG-3")
@pytest.mark.parametrize(
    ("dice", "explodes"),
    [("4 4", True), ("8 8 8", True), ("4 4 8", False), ("7 7", True), ("4", False), ("4 8", False)],
)
def test_equal_dice_on_one_target_explode_as_well(dice: str, explodes: bool) -> None:
    """Catches a single die that explodes, a pair within three, and a harmless number that does not."""
    session = played(harbour())
    assert result(session, f"boats ajax rook {dice}")["blast"] == (("E",) if explodes else ())
    assert owed(session) == (["explosion rook"] if explodes else [])


@pytest.mark.clause("AQF-BG-3")
def test_equal_dice_that_are_explosions_themselves_bring_one_more() -> None:
    """Catches an explosion of the doubles that swallows those of the faces."""
    session = played(harbour(), "boats ajax rook 1 1")
    assert owed(session) == ["explosion rook"] * 3


@pytest.mark.clause("AQF-BG-4")
@pytest.mark.parametrize(
    ("face", "change"),
    [(1, {}), (2, {"boat_guns": 0}), (3, {"fires": 1}), (4, {}), (5, {"torpedo_reload": 5}), (6, {}),
     (7, {"speed_hits": 1, "available_speed": 7}), (8, {}), (9, {"speed_hits": 1, "available_speed": 7}),
     (10, {}), (11, {"speed_hits": 1, "available_speed": 7}), (12, {})],
)  # fmt: skip
def test_each_die_counts_in_the_boat_gun_table(face: int, change: dict[str, int]) -> None:
    """Catches a face in the wrong cell."""
    assert changed(played(harbour()), f"boats ajax rook {face}") == change


@pytest.mark.clause("AQF-BG-3")
@pytest.mark.clause("AQF-BG-4")
def test_the_odds_of_an_explosion_count_both_of_its_causes() -> None:
    """Catches an E of the table that the odds leave out.

    Of two dice 23 of 144 show a 1, 11 another double.
    """
    session = played(battle(ship("ajax", boat_guns=2), craft("rook")))
    said = {chance.label: chance.value for chance in session.preview_order("boats ajax rook").chances}
    assert said["explosion"] == Fraction(23 + 11, 144)


@pytest.mark.clause("AQF-BG-1")
@pytest.mark.parametrize(
    ("order", "said"),
    [("boats ajax rook 4", True), ("boats ajax rook 4 4 6", False), ("boats ajax rook dice 1 4", False)],
)
def test_fewer_dice_than_points_are_remarked_on_unless_that_was_said(order: str, said: bool) -> None:
    """Catches a die that was forgotten, and a split that is said and remarked on."""
    found = [reason for reason in reasons(played(harbour()), order) if reason.remark]
    assert [(one.clause, one.text) for one in found] == (
        [("AQF-BG-1", "1 of 3 boat gun points used: say `dice 1` if that is meant")] * said
    )
