"""Battery fire and torpedo launches (QFC-GUN, QFC-TOR, QFC-RUL-9)."""

from pathlib import Path
from typing import Unpack

import pytest

from qf_tui.core.values import replace
from qf_tui.library.check import check_file
from qf_tui.library.systems import find_systems
from tests.rules.playing import (
    Card,
    changed,
    draw_cell,
    is_allowed,
    owed,
    question,
    reasons,
    refusal,
    result,
    values,
)
from tests.rules.quickfire_clone.tables import USED, battle, play_to_turn, played, ship

NOTHING = {"fired": False, "hits": (), "blast": ()}


def find_cell(order: str, **card: Unpack[Card]) -> str:
    """Return the cell of the gunnery chart for ajax's shot."""
    told = reasons(played(battle(ship("ajax", **card), ship("rook", "red"))), order)
    return next(reason.cell for reason in told if reason.cell).partition(" (")[0]


@pytest.mark.clause("QFC-GUN-1")
@pytest.mark.parametrize(("arc", "column"), [("", "14"), ("end ", "7")])
def test_the_end_arcs_halve_the_gunnery_value(arc: str, column: str) -> None:
    """Halve no broadside, and no ROF."""
    assert find_cell(f"fire ajax heavy rook 130cm {arc}6 6", gunnery=(14, 1)) == f"gunnery 8, {column}"
    assert find_cell(f"fire ajax light rook 100cm {arc}6 6", gunnery=(1, 14)) == f"gunnery 8, {column}"
    start = battle(ship("ajax", rof=(4, 4), log=USED), ship("rook", "red"))
    assert result(played(start), f"fire ajax heavy rook 130cm {arc}4 6")["fired"] is True, "ROF is as it was"


@pytest.mark.clause("QFC-RUL-3")
@pytest.mark.parametrize(
    ("gunnery", "switch", "column"),
    [
        (15, "down", "7"),
        (3, "down", "1"),
        (1, "down", "½"),
        (0.5, "down", "½"),
        (16, "down", "8"),
        (15, "up", "8"),
        (3, "up", "2"),
        (1, "up", "½"),
        (0.5, "up", "½"),
        (16, "up", "8"),
    ],
)
def test_half_a_value_goes_to_a_column_of_the_chart(gunnery: float, switch: str, column: str) -> None:
    """Read 7½ at the lower column unless the switch says 8, and 1 not as nothing."""
    start = battle(ship("ajax", gunnery=(gunnery, 1)), ship("rook", "red"), half_rounds=switch)
    told = reasons(played(start), "fire ajax heavy rook 130cm end 6 6")
    assert next(reason.cell for reason in told if reason.cell).startswith(f"gunnery 8, {column} (")


@pytest.mark.clause("QFC-GUN-2")
def test_a_ship_uses_one_of_its_ratings_in_a_phase() -> None:
    """Refuse both batteries, a second shot of one, and a rating of 0."""
    bare = played(battle(ship("ajax", gunnery=(0, 5)), ship("rook", "red")))
    assert refusal(bare, "fire ajax heavy rook 100cm 1 6") == "QFC-GUN-2"
    assert is_allowed(bare, "fire ajax light rook 100cm 1 6")
    session = played(battle(), "fire ajax heavy rook 100cm off")
    assert refusal(session, "fire ajax light rook 100cm 1 6") == "QFC-GUN-2"
    assert refusal(session, "fire ajax heavy rook 100cm 1 6") == "QFC-GUN-2"
    assert is_allowed(session, "fire rook light ajax 100cm 1 6")
    assert is_allowed(play_to_turn(session, 2, "gunnery"), "fire ajax light rook 100cm 1 6")


@pytest.mark.clause("QFC-GUN-3")
@pytest.mark.clause("QFC-RUL-1")
@pytest.mark.parametrize(
    ("size", "moved", "battery", "switch", "fine"),
    [
        (2, 26, "heavy", "heavy", False),
        (2, 25, "heavy", "heavy", True),
        (2.5, 26, "heavy", "heavy", True),
        (0.5, 26, "heavy", "heavy", False),
        (2, 26, "light", "heavy", True),
        (2, 26, "light", "light", False),
        (2, 26, "heavy", "light", True),
        (2, 26, "heavy", "both", False),
        (2, 26, "light", "both", False),
        (2, 25, "light", "both", True),
    ],
)
def test_small_fast_vessels_are_safe_from_heavy_fire(
    size: float, moved: int, battery: str, switch: str, fine: bool
) -> None:
    """Check the edges of size and speed, both batteries, and the switch."""
    start = battle(ship("ajax"), ship("rook", "red", size=size), phase="move", small_fast_safe_from=switch)
    session = played(start, f"move rook {moved}mm", "next")
    assert is_allowed(session, f"fire ajax {battery} rook 100cm 1 6") is fine
    if not fine:
        assert refusal(session, f"fire ajax {battery} rook 100cm 1 6") == "QFC-GUN-3"


@pytest.mark.clause("QFC-GUN-3")
def test_an_assumed_movement_that_saves_a_vessel_is_reported() -> None:
    """Mention it only where it matters."""
    session = played(battle(ship("ajax"), ship("rook", "red", size=1), ship("rival", "red")))
    prospect = session.preview_order("fire ajax heavy rook 100cm 1 6")
    assert not prospect.fine
    assert "assumed: Rook moved" in prospect.assumes[0]
    assert session.preview_order("fire ajax heavy rival 100cm 1 6").assumes == ()
    assert session.preview_order("fire ajax light rook 100cm 1 6").assumes == ()


@pytest.mark.clause("QFC-GUN-4")
def test_the_first_fire_of_the_battle_needs_no_rof_and_the_second_does() -> None:
    """Give one auto shot a ship, not one a battery."""
    session = played(battle(ship("ajax", rof=(1, 1)), ship("rook", "red")))
    assert result(session, "fire ajax heavy rook 130cm 6 6")["fired"] is True
    assert values(session, "ajax")["auto_shot"] is True
    play_to_turn(session, 2, "gunnery")
    assert result(session, "fire ajax light rook 100cm 6") == NOTHING


@pytest.mark.clause("QFC-GUN-4")
def test_an_auto_shot_rolls_its_black_die_which_counts_for_blast() -> None:
    session = played(battle(ship("ajax", rof=(1, 1)), ship("rook", "red")))
    assert session.preview_order("fire ajax heavy rook 100cm").missing != ()
    assert refusal(session, "fire ajax heavy rook 100cm 6") == ""
    assert result(session, "fire ajax heavy rook 100cm 3 1")["blast"] == ("B",)


@pytest.mark.clause("QFC-GUN-4")
@pytest.mark.parametrize(("switch", "spent"), [("no", False), ("yes", True)])
def test_a_missed_estimate_does_not_spend_the_auto_shot(switch: str, spent: bool) -> None:
    """Spend it only by the switch."""
    session = played(battle(missed_estimate_spends=switch), "fire ajax heavy rook 100cm off")
    assert values(session, "ajax")["auto_shot"] is spent
    assert draw_cell(session, "ajax", "auto") == ("(x)" if spent else "□")


@pytest.mark.clause("QFC-GUN-5")
@pytest.mark.parametrize(
    ("estimate", "on_base"),
    [
        ("", True),
        ("off", False),
        ("guess 110 base 4", True),
        ("guess 114 base 4", True),
        ("guess 115 base 4", False),
        ("guess 109 base 4", False),
        ("guess 114.1cm base 4cm", False),
        ("guess 1140mm base 40mm", True),
        ("guess 112 base 0", True),
    ],
)
def test_an_estimate_within_half_the_base_is_on_it(estimate: str, on_base: bool) -> None:
    """Check both sides of the base, and the edge."""
    session = played(battle())
    seen = session.preview_order(f"fire ajax heavy rook 112cm {estimate}")
    assert bool(seen.missing) is on_base
    assert seen.reminders == (() if on_base else ("the estimate is off the base: nothing is rolled",))
    if not on_base:
        assert result(session, f"fire ajax heavy rook 112cm {estimate}") == NOTHING


@pytest.mark.clause("QFC-GUN-5")
@pytest.mark.parametrize(
    ("phase", "typed", "dice", "logged"),
    [
        ("move", "move ajax 90", "", "move ajax 90mm"),
        ("gunnery", "fire ajax heavy rook 30 guess 31 base 6", " 1 6", "guess 31cm base 6cm"),
        ("gunnery", "fire ajax heavy rook 30.5", " 1 6", "fire ajax heavy rook 30.5cm"),
        ("gunnery", "fire ajax heavy rook 30 guess 310mm base 6cm", " 1 6", "30cm guess 310mm base 6cm"),
        ("gunnery", "torpedo ajax rook 30", " 6 6 6", "torpedo ajax rook 30cm"),
    ],
)
def test_a_bare_figure_is_in_the_unit_of_its_label_and_logged_with_it(
    phase: str, typed: str, dice: str, logged: str
) -> None:
    session = played(battle(phase=phase), typed + dice)
    order = session.timeline.versions[1].order
    assert order.resolved.endswith(logged)
    assert all(slot.unit in slot.label for slot in order.form.slots if slot.unit)


@pytest.mark.clause("QFC-GUN-5")
@pytest.mark.parametrize(
    ("words", "resolved", "dice"),
    [
        ("guess 110 base 4 3 4", "guess 110cm base 4cm", (3, 4)),
        ("end base 4 guess 110 3", "end guess 110cm base 4cm", (3,)),
        ("guess 1105mm base 4cm 3 4", "guess 1105mm base 4cm", (3, 4)),
    ],
)
def test_measures_after_their_words_leave_the_dice_to_the_end(
    words: str, resolved: str, dice: tuple[int, ...]
) -> None:
    """Read no die as a measure."""
    session = played(battle(ship("ajax", rof=(4, 4), log=USED), ship("rook", "red")))
    order = session.read(f"fire ajax heavy rook 112cm {words}").require_order()
    assert (order.resolved, order.dice) == (f"fire ajax heavy rook 112cm {resolved}", dice)


@pytest.mark.clause("QFC-GUN-5")
@pytest.mark.parametrize(
    ("base", "estimate", "on_base"),
    [
        (4, "guess 110 end-on", True),
        (4, "guess 109", False),
        (4, "guess 109 base 6", True),
        (4.5, "guess 109.75 end-on", True),
    ],
)
def test_a_card_may_state_the_length_of_the_base(base: float, estimate: str, on_base: bool) -> None:
    """Ask for no base that is known; a typed one wins."""
    session = played(battle(ship("ajax"), ship("rook", "red", base=base)))
    preview = session.preview_order(f"fire ajax heavy rook 112cm {estimate}")
    assert (preview.fine, bool(preview.missing)) == (True, on_base)
    assert draw_cell(session, "rook", "base") == f"{base} cm"
    assert draw_cell(session, "ajax", "base") == "–"
    session.enter("mark ajax base 6")
    assert is_allowed(session, "fire rook heavy ajax 112cm guess 115 end-on 1 6")
    session.enter("mark ajax base.2 3")
    assert draw_cell(session, "ajax", "base") == "6×3 cm"
    assert is_allowed(session, "fire rook heavy ajax 112cm guess 113.5 1 6")


@pytest.mark.clause("QFC-GUN-14")
@pytest.mark.parametrize(
    ("breadth", "estimate", "on_base"),
    [
        (None, "guess 112.75", True),
        (None, "guess 115.1", False),
        (None, "guess 113", None),
        (None, "guess 112.75 abeam", True),
        (None, "guess 113 abeam", False),
        (None, "guess 115 end-on", True),
        (None, "guess 115.1 end-on", False),
        (2, "guess 113", True),
        (2, "guess 113.1", None),
        (2, "guess 111 abeam", True),
        (2, "guess 110.9 abeam", False),
        (2, "guess 109 end-on", True),
        (6, "guess 115", True),
        (2, "guess 109 end", None),
        (2, "guess 109 end end-on", True),
    ],
)
def test_a_base_counts_along_the_line_of_fire(
    breadth: float | None, estimate: str, on_base: bool | None
) -> None:
    """Use length, breadth or a quarter, and ask for the aspect only where it matters."""
    rook = ship("rook", "red", base=6)
    if breadth is not None:
        rook = replace(rook, card={**rook.card, "base.1": 6, "base.2": breadth})
    session = played(battle(ship("ajax"), rook))
    assert draw_cell(session, "rook", "base") == ("6 cm" if breadth is None else f"6×{breadth} cm")
    preview = session.preview_order(f"fire ajax heavy rook 112cm {estimate}")
    assert preview.fine is (on_base is not None)
    if on_base is None:
        assert "is Rook seen `abeam` or `end-on`?" in preview.findings[0].text
    else:
        assert bool(preview.missing) is on_base


@pytest.mark.clause("QFC-GUN-5")
@pytest.mark.clause("QFC-GUN-14")
@pytest.mark.parametrize(
    ("base", "estimate"),
    [
        *(
            (6, aspect)
            for aspect in ("abeam", "end-on off", "guess 112 base 6 abeam", "guess 113 abeam end-on")
        ),
        *((None, half) for half in ("guess 110", "base 4", "off guess 110 base 4")),
    ],
)
def test_an_incomplete_estimate_is_impossible(base: float | None, estimate: str) -> None:
    """Refuse half an estimate, two estimates, and an unused aspect."""
    rook = ship("rook", "red") if base is None else ship("rook", "red", base=base)
    session = played(battle(ship("ajax"), rook))
    assert refusal(session, f"force fire ajax heavy rook 112cm {estimate} 1 1") == ""


@pytest.mark.clause("QFC-GUN-5")
@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        ("guess 112.5 1 6", "estimate 112.5cm for 112cm, base 4cm: on the base"),
        ("guess 114 end-on 1 6", "estimate 114cm for 112cm, base 4cm end-on: on the base"),
        ("guess 114 abeam", "estimate 114cm for 112cm, base 1cm abeam: nothing is rolled"),
        ("guess 115", "estimate 115cm for 112cm, base 4cm: nothing is rolled"),
        ("guess 115 base 4", "the estimate is off the base: nothing is rolled"),
        ("off", "the estimate is off the base: nothing is rolled"),
        ("off 3 4", "the estimate is off the base: nothing is rolled; dice 3 4 do not count"),
    ],
)
def test_the_result_of_an_estimate_is_reported(estimate: str, said: str) -> None:
    start = battle(ship("ajax"), ship("rook", "red", base=4))
    told = reasons(played(start), f"fire ajax heavy rook 112cm {estimate}")
    clause = "QFC-GUN-14" if "abeam" in said or "end-on" in said else "QFC-GUN-5"
    assert [each.text for each in told if each.clause == clause] == [said]
    assert told[0].clause == ("QFC-GUN-4" if "on the base" in said else clause)


@pytest.mark.clause("QFC-GUN-5")
def test_an_estimate_off_the_base_rolls_nothing_and_spends_the_shot() -> None:
    """Allow no second try after a bad estimate."""
    session = played(battle())
    assert changed(session, "fire ajax heavy rook 100cm off") == {}
    assert owed(session) == []
    assert refusal(session, "fire ajax heavy rook 100cm 1 1") == "QFC-GUN-2"
    session = played(battle())
    assert changed(session, "fire ajax heavy rook 100cm off 1 1") == {}


@pytest.mark.clause("QFC-GUN-5")
def test_shots_are_declared_first_and_their_dice_come_later() -> None:
    """Keep the estimate of a declaration, and its place."""
    session = played(
        battle(), "fire ajax heavy rook 112cm end guess 110 base 6", "fire rook light ajax 100cm"
    )
    assert owed(session) == ["fire ajax", "fire rook"]
    assert (
        question(session, "fire").declared_order.resolved
        == "fire ajax heavy rook 112cm end guess 110cm base 6cm"
    )
    assert values(session, "ajax")["auto_shot"] is False
    session.enter("roll 6 1")
    assert values(session, "ajax")["auto_shot"] is True
    assert changed(session, "roll 6 3", "ajax") == {"rof_light": 5}


@pytest.mark.clause("QFC-GUN-6")
@pytest.mark.parametrize(
    ("order", "fine"),
    [
        ("fire ajax heavy rook 240cm 1 6", True),
        ("fire ajax heavy rook 240.1cm 1 6", False),
        ("fire ajax light rook 120cm 1 6", True),
        ("fire ajax light rook 1201mm 1 6", False),
        ("torpedo ajax rook 30cm 6 6 6", True),
        ("torpedo ajax rook 301mm 6 6 6", False),
    ],
)
def test_guns_and_torpedoes_have_their_reach(order: str, fine: bool) -> None:
    """Include the edge of each range limit."""
    assert is_allowed(played(battle()), order) is fine
    if not fine:
        assert refusal(played(battle()), order) == "QFC-GUN-6"


@pytest.mark.clause("QFC-GUN-7")
@pytest.mark.parametrize(("black", "fires"), [(1, True), (3, True), (4, False), (6, False)])
def test_a_battery_fires_on_its_rof_or_less(black: int, fires: bool) -> None:
    """Use the ROF of the right battery, and ask for a white die only if it fires."""
    start = battle(ship("ajax", rof=(3, 6), log=USED), ship("rook", "red"))
    order = f"fire ajax heavy rook 130cm {black}"
    assert result(played(start), f"{order} 6")["fired"] is fires
    if fires:
        assert refusal(played(start), order) == "", "the white die is wanted"
    else:
        assert result(played(start), order) == NOTHING


@pytest.mark.clause("QFC-GUN-5")
@pytest.mark.parametrize("card", [{}, {"base": 6}])
@pytest.mark.parametrize("guess", ["guess 113 base 6", "guess 113", "guess 113 end-on"])
def test_no_guess_is_compared_with_an_unmeasured_range(guess: str, card: Card) -> None:
    """Decide no hit by an interpolated range; ask whether it was on the base."""
    session = played(battle(ship("ajax"), ship("rook", "red", **card)))
    order = f"fire ajax heavy rook ~110cm {guess}"
    assert refusal(session, f"{order} 6 6") == "QFC-GUN-5"
    assert "Was it on the base?" in session.preview_order(order).findings[0].text
    assert is_allowed(session, "fire ajax heavy rook 110cm guess 113 base 6 6 6"), "this one is measured"
    for answer, fired in (("", True), ("off ", False)):
        assert is_allowed(session, f"fire ajax heavy rook ~110cm {answer}6 6")
        told = result(session, f"fire ajax heavy rook ~110cm {answer}6 6")
        assert told["fired"] is fired
        session.enter("undo")


@pytest.mark.clause("QFC-GUN-5")
@pytest.mark.parametrize(
    ("card", "guess", "fired"),
    [
        ({}, "guess 130", None),
        ({}, "guess 130 base 6", False),
        ({"base": 6}, "guess 112", None),
        ({"base": 6}, "guess 112 end-on", True),
    ],
)
def test_a_forced_guess_needs_a_base(card: Card, guess: str, fired: bool | None) -> None:
    """Compare a guess with an unmeasured range if the umpire forces it, but not without one known base."""
    session = played(battle(ship("ajax"), ship("rook", "red", **card)))
    order = f"force fire ajax heavy rook ~110cm {guess}"
    if fired is None:
        assert refusal(session, f"{order} 1 6") == "QFC-GUN-5"
    else:
        assert result(session, f"{order}{' 1 6' if fired else ''}")["fired"] is fired


@pytest.mark.clause("QFC-RUL-5")
@pytest.mark.parametrize(
    ("switch", "used", "fine"), [("no", False, False), ("yes", False, True), ("yes", True, False)]
)
def test_rof_0_cannot_fire_not_even_by_auto_shot(switch: str, used: bool, fine: bool) -> None:
    """Refuse it also when forced, except by the switch."""
    ajax = ship("ajax", log={"rof_heavy": 0, "auto_shot": used})
    session = played(battle(ajax, ship("rook", "red"), auto_shot_at_rof_0=switch))
    assert is_allowed(session, "fire ajax heavy rook 100cm 1 1") is fine
    if not fine:
        told = session.preview_order("fire ajax heavy rook 100cm 1 1").findings[0].text
        assert ("(switch auto_shot_at_rof_0)" in told) is not used, "a used one helps nobody"
        assert refusal(session, "fire ajax heavy rook 100cm 1 1") == "QFC-RUL-5"
        assert result(session, "force fire ajax heavy rook 100cm 1 1") == NOTHING
        assert values(session, "ajax")["auto_shot"] is used
    else:
        assert result(session, "fire ajax heavy rook 100cm 6 3")["hits"] == ("G",)


@pytest.mark.clause("QFC-GUN-9")
@pytest.mark.parametrize(
    ("white", "hits"), [(1, ("G",)), (2, ("S",)), (3, ("G",)), (4, ("S",)), (5, ("G",)), (6, ("S",))]
)
def test_odd_hits_guns_and_even_hits_engines(white: int, hits: tuple[str, ...]) -> None:
    start = battle(ship("ajax", gunnery=(16, 16)), ship("rook", "red", armor=(0, 0)))
    assert result(played(start), f"fire ajax heavy rook 130cm 6 {white}")["hits"] == hits


@pytest.mark.clause("QFC-GUN-9")
@pytest.mark.clause("QFC-GUN-10")
def test_g_takes_a_point_of_rof_and_s_a_speed_box() -> None:
    assert changed(played(battle()), "fire ajax heavy rook 130cm 6 3") == {"rof_heavy": 5}
    assert changed(played(battle()), "fire ajax light rook 100cm 6 3") == {"rof_light": 5}
    assert changed(played(battle()), "fire ajax light rook 100cm 6 2") == {
        "speed_hits": 1, "available_speed": 105,
    }  # fmt: skip


@pytest.mark.clause("QFC-GUN-6")
@pytest.mark.clause("QFC-GUN-11")
@pytest.mark.clause("QFC-GUN-12")
def test_the_gunnery_phase_reminds_of_sight_and_secret_estimates() -> None:
    session = played(battle())
    advice = session.system.advice(session.battle)
    assert any("line of sight" in text and "QFC-GUN-11" in text for text in advice)
    assert any("forward smokestack" in text and "QFC-GUN-6" in text for text in advice)
    assert any("in secret" in text and "QFC-GUN-12" in text for text in advice)
    assert not any("QFC-GUN-1" in text for text in session.system.advice(played(battle(phase="move")).battle))


def test_the_odds_of_a_shot_are_exact() -> None:
    start = battle(ship("ajax", rof=(3, 6), log=USED), ship("rook", "red"))
    prospect = played(start).preview_order("fire ajax heavy rook 100cm")
    assert [str(chance) for chance in prospect.chances] == ["fires 50%", "hits 25%", "blast 22%"]
    prospect = played(start).preview_order("fire ajax heavy rook 100cm off")
    assert [str(chance) for chance in prospect.chances] == ["fires 0%", "hits 0%", "blast 0%"]


def test_the_reasons_of_a_shot_give_its_figures() -> None:
    start = battle(ship("ajax", log=USED), ship("rook", "red"))
    texts = [reason.text for reason in reasons(played(start), "fire ajax heavy rook 100cm 1 3")]
    assert texts == ["heavy ROF 1≤6: fires", "gunnery 10 v heavy armor 8: white 3≤3, G", "blast 4: B"]
    start = battle(ship("ajax", gunnery=(1, 1)), ship("rook", "red", armor=(16, 16)))
    texts = [reason.text for reason in reasons(played(start), "fire ajax heavy rook 100cm 6 1")]
    assert texts[-1] == "gunnery 1 v heavy armor 16: nothing"


SIX_SIDED = {3: "1 1 1", 4: "1 1 2", 5: "1 1 3", 6: "1 1 4", 7: "1 1 5", 8: "1 1 6"}
"""Three dice for each total."""


@pytest.mark.clause("QFC-TOR-1")
def test_only_a_ship_with_a_torpedo_rating_launches() -> None:
    """Refuse a launch in another phase, or with torpedoes used up."""
    session = played(battle(ship("ajax", torpedo=0), ship("rook", "red")))
    assert refusal(session, "torpedo ajax rook 20cm 6 6 6") == "QFC-TOR-1"
    assert is_allowed(session, "torpedo rook ajax 20cm 6 6 6")
    assert result(session, "force torpedo ajax rook 20cm 1 1 1")["struck"] is False
    for phase in ("move", "repair"):
        assert refusal(played(battle(phase=phase)), "torpedo ajax rook 20cm 6 6 6") == "QFC-TOR-1"
    session = play_to_turn(played(battle(), "torpedo ajax rook 20cm 1 1 1", "roll 1"), 2, "gunnery")
    assert result(session, "torpedo ajax rook 20cm 1 1 2")["struck"] is True


@pytest.mark.clause("QFC-TOR-2")
@pytest.mark.parametrize("rating", [1, 2, 3, 4])
@pytest.mark.parametrize(("moved", "more"), [(120, 2), (21, 2), (20, 3), (0, 3)])
def test_three_dice_at_or_below_the_number_strike(rating: int, moved: int, more: int) -> None:
    """Check moving and static targets, and the edge of 2 cm."""
    start = battle(ship("ajax", torpedo=rating), ship("rook", "red"), phase="move")
    session = played(start, f"move rook {moved}mm", "next")
    most = rating + more
    at, above = (
        played(session.battle, f"torpedo ajax rook 20cm {SIX_SIDED[total]}") for total in (most, most + 1)
    )
    assert owed(at) == ["speed-hits rook"]
    assert owed(above) == []


@pytest.mark.clause("QFC-COL-3")
@pytest.mark.parametrize("moved", ["", "move rook 120mm"])
def test_a_ship_that_collided_is_a_static_target(moved: str) -> None:
    """Count it as static in the turn of the collision."""
    start = battle(ship("ajax"), ship("boyne"), ship("rook", "red"), phase="move")
    session = play_to_turn(played(start, *filter(None, [moved]), "collide ajax rook 6 6"), 1, "gunnery")
    preview = session.preview_order("torpedo boyne rook 20cm")
    assert not any("assumed" in text for text in preview.assumes)
    told = reasons(session, "torpedo boyne rook 20cm 1 1 3")
    assert (told[0].clause, "static target: 5≤5" in told[0].text) == ("QFC-COL-3", True)


@pytest.mark.clause("QFC-TOR-4")
def test_a_rating_above_4_is_refused_by_name(tmp_path: Path) -> None:
    """Read no rating silently as 4, from a file or by hand."""
    ajax = 'id = "ajax"\nname = "A"\nsize = 12\nspeed = 120\ngunnery = [9, 9]\narmor = [8, 8]\nrof = [6, 6]'
    path = tmp_path / "five.toml"
    path.write_text(f'ruleset = "quickfire-clone"\n[[ship]]\n{ajax}\ntorpedo = 5\nbase = [6, 2, 1]\n')
    torpedo, base = check_file(path, find_systems()).faults
    assert (torpedo.place, torpedo.text) == (
        "ship 1 (ajax), torpedo",
        "expected a whole number from 0 to 4, found 5",
    )
    assert base.text.endswith("or up to 2 in a list, found a list of 3")
    assert refusal(played(battle()), "mark ajax torpedo 5") == ""
    assert is_allowed(played(battle()), "mark ajax torpedo 4")


@pytest.mark.clause("QFC-RUL-9")
@pytest.mark.parametrize(("switch", "fine"), [("one", False), ("one-a-target", True)])
def test_a_ship_launches_once_a_turn(switch: str, fine: bool) -> None:
    """Allow a second launch, at another target, only by the switch."""
    start = battle(ship("ajax"), ship("rook", "red"), ship("rival", "red"), launches=switch)
    session = played(start, "torpedo ajax rook 20cm 6 6 6")
    assert is_allowed(session, "torpedo ajax rival 20cm 6 6 6") is fine
    if not fine:
        assert refusal(session, "torpedo ajax rival 20cm 6 6 6") == "QFC-RUL-9"
    assert not is_allowed(session, "torpedo ajax rook 20cm 6 6 6")
    assert is_allowed(play_to_turn(session, 2, "gunnery"), "torpedo ajax rook 20cm 6 6 6")


@pytest.mark.clause("QFC-RUL-9")
@pytest.mark.parametrize(("switch", "fine"), [("yes", True), ("no", False)])
def test_guns_and_torpedoes_of_a_ship_may_both_be_used(switch: str, fine: bool) -> None:
    """Refuse it only by the switch."""
    start = battle(torpedoes_beside_guns=switch)
    launched, fired = (
        played(start, "torpedo ajax rook 20cm 6 6 6"),
        played(start, "fire ajax heavy rook 20cm off"),
    )
    assert is_allowed(launched, "fire ajax heavy rook 20cm 6 6") is fine
    assert is_allowed(fired, "torpedo ajax rook 20cm 6 6 6") is fine
    if not fine:
        assert refusal(launched, "fire ajax heavy rook 20cm 6 6") == "QFC-RUL-9"
        assert refusal(fired, "torpedo ajax rook 20cm 6 6 6") == "QFC-RUL-9"


def test_the_odds_of_a_launch_are_exact() -> None:
    prospect = played(battle()).preview_order("torpedo ajax rook 20cm")
    assert [(chance.label, str(chance.value)) for chance in prospect.chances] == [("strikes", "1/54")]
