"""Gunnery: straddles, modifiers, columns, rapid fire, HE, penetration, shots in their turn (GQ2-GUN)."""

from fractions import Fraction

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.rules.gq2.charts import find_odds_column
from tests.rules.gq2.tables import (
    He,
    battle,
    destroyer,
    join_reasons,
    play_to_phase,
    played,
    read_modifiers,
    ship,
)
from tests.rules.playing import changed, enter, owed, reasons, refusal, result, values

PLAIN = "fire ajax 6 rook straddle 5"


@pytest.mark.clause("GQ2-GUN-1")
@pytest.mark.parametrize(
    ("white", "number", "straddles"),
    [(5, 5, True), (6, 5, False), (0, 0, True), (1, 0, False), (9, 9, True), (0, 9, True)],
)
def test_the_white_die_straddles_on_the_number_or_less_and_0_is_0(
    white: int, number: int, straddles: bool
) -> None:
    """Read no 0 as ten."""
    session = played(battle(), f"fire ajax 6 rook straddle {number}")
    if straddles:
        assert refusal(session, f"roll {white}") == "", "red and blue are wanted"
        assert result(session, f"roll {white} 9 9")["straddled"] is True
    else:
        missed = {"fired": True, "straddled": False, "hits": (), "blast": ()}
        assert result(session, f"roll {white}") == missed


@pytest.mark.clause("GQ2-GUN-3")
def test_below_1_3_only_the_white_die_is_rolled() -> None:
    """Ask for no red and blue dice."""
    session = played(battle(), "mark rook df 20")
    shown = session.preview_order(PLAIN)
    assert "AF 4 against DF 20: below 1:3, no effect (GQ2-GUN-3)" in shown.reminders
    told = {"fired": True, "straddled": True, "hits": (), "blast": ()}
    assert result(session, f"{PLAIN} 5") == told
    assert not session.battle.owed


@pytest.mark.clause("GQ2-GUN-1")
def test_own_ships_and_itself_are_no_targets() -> None:
    """Refuse friendly fire by day."""
    session = played(battle())
    assert refusal(session, "fire ajax 6 boyne straddle 5") == "GQ2-GUN-1"
    assert refusal(session, "force fire ajax 6 ajax straddle 5") == ""


def test_a_battery_fires_once_a_turn() -> None:
    session = played(battle(), f"{PLAIN} 9")
    assert refusal(session, f"{PLAIN} 9") == "GQ2-PH-1"
    enter(play_to_phase(session, "gunnery"), f"{PLAIN} 9")


@pytest.mark.clause("GQ2-GUN-2")
@pytest.mark.parametrize(
    ("orders", "shot", "said"),
    [
        ("", PLAIN, ""),
        ("mark rook moved 0", PLAIN, "-2 stationary"),
        ("mark rook state standby", PLAIN, "-2 stationary"),
        ("mark rook status aground", PLAIN, "-2 stationary"),
        ("mark rook moved 0.5", PLAIN, ""),
        ("mark ajax fire_control 1", PLAIN, "+2 fire control"),
        ("mark ajax fire_control 3", PLAIN, "+2 fire control"),
        ("mark ajax fire_control 1; option fire_control 1", PLAIN, "+1 fire control"),
        ("mark rook fire_control 1", PLAIN, ""),
        ("mark rook moved 5; mark rook evasive yes", PLAIN, "+1 evading"),
        ("mark ajax moved 5; mark ajax evasive yes; mark rook evasive yes", PLAIN, "+1 evading"),
        ("", f"{PLAIN} low 3", "+3 poor visibility"),
        ("", f"{PLAIN} bases 2", "+2 models in the way"),
        ("", "fire ajax 12 kobold straddle 5", "+2 big guns at a destroyer"),
        ("mark kobold class DD", "fire ajax 12 kobold straddle 5", "+2 big guns at a destroyer"),
        ("mark kobold class TB", "fire ajax 12 kobold straddle 5", ""),
        ("", "fire ajax 6 kobold straddle 5", ""),
        ("", "fire boyne main kobold straddle 5", "+2 big guns at a destroyer"),
        ("", "fire boyne second kobold straddle 5", ""),
        ("table light night; mark rook lit yes", PLAIN, "-1 lit +2 night"),
        ("mark rook lit yes", PLAIN, ""),
        ("table light dusk", f"{PLAIN} silhouette", "-1 silhouetted +1 dusk"),
    ],
)
def test_the_modifiers_of_the_white_die_are_added(orders: str, shot: str, said: str) -> None:
    """Check each modifier alone, and the edge of 9 inches."""
    boyne = ship("boyne", battery=(("main", 9, 4), ("second", 8.9, 4)))
    start = battle(ship("ajax"), boyne, ship("rook", "red"), destroyer("kobold"))
    assert read_modifiers(played(start, *filter(None, orders.split("; "))), shot) == said


@pytest.mark.clause("GQ2-GUN-2")
@pytest.mark.parametrize(
    ("light", "orders", "shot", "said"),
    [
        ("day", (), PLAIN, ""),
        ("dusk", (), PLAIN, "+1 dusk"),
        ("day", ("table visibility 2",), PLAIN, "+2 visibility of the table"),
        (
            "dusk",
            ("table visibility 1",),
            f"{PLAIN} low 1",
            "+1 dusk +1 visibility of the table +1 poor visibility",
        ),
        ("day", ("table visibility 2", "table visibility 0"), PLAIN, ""),
        ("day", ("table light dusk visibility 3",), PLAIN, "+1 dusk +3 visibility of the table"),
    ],
)
def test_the_visibility_of_the_table_counts_for_every_shot(
    light: str, orders: tuple[str, ...], shot: str, said: str
) -> None:
    """Count mist and dusk once."""
    session = played(battle(light=light), *orders)
    assert read_modifiers(session, shot) == said
    low = sum(int(part[1:]) for part in said.split() if part[0] == "+") - ("poor visibility" in said)
    told = [text for text in SYSTEM.advice(session.battle) if "poor visibility adds" in text]
    all_told = f"poor visibility adds {low} to every straddle; `low` on a shot adds more (GQ2-GUN-2)"
    assert told == ([all_told] if low else [])


@pytest.mark.clause("GQ2-GUN-2")
def test_visibility_is_a_number_and_a_table_order_needs_a_value() -> None:
    session = played(battle())
    for order in ("table visibility 10", "table visibility night", "table light 2", "table"):
        assert refusal(session, order) == ""
    assert (
        join_reasons(session, "table visibility 1")
        == "poor visibility adds 1 to every straddle die from here on"
    )
    assert join_reasons(session, "table visibility 0") == "visibility is good from here on"


@pytest.mark.clause("GQ2-GUN-3")
@pytest.mark.parametrize(
    ("rounding", "af", "df", "column"),
    [
        ("down", "1", "3", "1:3"),
        ("down", "0.99", "3", None),
        ("down", "1", "2", "1:2"),
        ("down", "1.9", "3", "1:2"),
        ("down", "5.9", "4", "1:1"),
        ("down", "6", "4", "1½:1"),
        ("down", "99", "1", "6:1"),
        ("down", "1.5", "0.5", "3:1"),
        ("down", "7", "4", "1½:1"),
        ("up", "7", "4", "2:1"),
        ("up", "8", "4", "2:1"),
        ("nearest", "6.9", "4", "1½:1"),
        ("nearest", "7.1", "4", "2:1"),
        ("nearest", "7", "4", "1½:1"),
        ("up", "1", "4", None),
        ("up", "40", "4", "6:1"),
    ],
)
def test_the_column_is_the_highest_that_the_ratio_reaches(
    rounding: str, af: str, df: str, column: str | None
) -> None:
    """Check the edge of each column, and ratios beyond the table."""
    assert find_odds_column(battle(odds_rounding=rounding), Fraction(af), Fraction(df)) == column


@pytest.mark.clause("GQ2-GUN-3")
def test_red_is_for_the_armament_and_blue_for_the_hull_and_0_is_ten() -> None:
    """Hit nothing on row 0."""
    session = played(battle())
    assert result(session, f"{PLAIN} 0 3 2")["hits"] == ("A0.5", "H1")
    assert values(session, "rook")["hull_lost"] == 1
    assert values(session, "rook")["armament_lost"] == 0.5
    assert result(session, "fire boyne 6 rook straddle 5 0 0 0")["hits"] == ()


@pytest.mark.clause("GQ2-GUN-4")
@pytest.mark.parametrize(
    ("number", "red", "blue", "hits"),
    [
        (9, 4, 4, ("A0.5",)),
        (8, 4, 4, ("A0.5",)),
        (7, 4, 4, ("A0.5",)),
        (6, 4, 4, ()),
        (3, 4, 4, ()),
        (2, 4, 4, ("H0.5",)),
        (1, 4, 4, ("H0.5",)),
        (0, 4, 4, ("H0.5",)),
        (9, 1, 4, ("A1",)),
        (2, 4, 1, ("H1",)),
    ],
)
def test_red_counts_one_less_in_the_red_bands_and_blue_in_the_blue_ones(
    number: int, red: int, blue: int, hits: tuple[str, ...]
) -> None:
    """Check the edges of the bands; no row is below 0."""
    session = played(battle())
    assert result(session, f"fire ajax 6 rook straddle {number} 0 {red} {blue}")["hits"] == hits


@pytest.mark.clause("GQ2-GUN-5")
@pytest.mark.parametrize(
    ("number", "red", "blue", "critical"),
    [(5, 9, 1, True), (5, 1, 9, False), (5, 9, 2, False), (2, 9, 2, True), (2, 9, 1, False)],
)
def test_c_counts_only_on_the_blue_die_by_its_row_after_the_bands(
    number: int, red: int, blue: int, critical: bool
) -> None:
    """Check the case of the rules: at blue bands a 2 is row 1 with C, a 1 is row 0 without."""
    declared = played(battle(), f"fire ajax 6 rook straddle {number}", "note the dice roll off the table")
    session = enter(declared, f"roll 1/fire/ajax/1 0 {red} {blue}")
    assert [roll.key for roll in session.battle.owed] == (["1/critical/rook/1"] if critical else [])


@pytest.mark.clause("GQ2-GUN-6")
def test_rapid_fire_uses_six_sided_dice_and_the_usual_af() -> None:
    """Multiply no AF, and apply the bands to the dice."""
    session = played(battle())
    order = "fire ajax 6 rook straddle 7 rapid"
    assert refusal(session, f"{order} 0 7 1") == ""
    assert [str(die) for die in session.preview_order(order).missing] == ["white D10", "red D6", "blue D6"]
    told = reasons(session, f"{order} 0 4 3")
    assert [each.text for each in told[:4]] == [
        "white 0≤7, straddles Rook",
        "AF 4 against DF 4: 1:1",
        "red 4, row 3: ½ armament",
        "blue 3: ½ hull",
    ]


@pytest.mark.clause("GQ2-GUN-6")
@pytest.mark.clause("GQ2-GUN-14")
@pytest.mark.parametrize("number", [6, 0])
def test_rapid_fire_is_for_all_bands_or_by_a_switch_only_for_red_ones(number: int) -> None:
    order = f"fire ajax 6 rook straddle {number} rapid 9"
    assert refusal(played(battle(rapid_bands="red")), order) == "GQ2-GUN-6"
    enter(played(battle()), order)


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("fire ajax 6 rook 7 penetrates 1 1 1", "straddle N is missing; “penetrates” goes before the dice"),
        ("fire ajax 6 rook straddle 7 1 he 1", "“he” goes before the dice"),
        ("fire ajax 6 rook straddle 7 xyz", "“xyz” is neither part of this order nor a die"),
        ("fire ajax 6 rook straddle 7 penetrates sideways 1 1 1", "“sideways” is neither part"),
        ("fire ajax 12 rook", "fire: straddle N is missing"),
        ("fire ajax 12 rook 4 4 4", "fire: straddle N is missing"),
        ("fire ajax 12 rook straddle", "the stick's number, or the range is missing"),
        ("fire ajax 12 rook straddle 10", "is not a number from 0 to 9"),
        ("fire ajax 8 rook straddle 4", "Ajax has 12-inch, 6-inch, not “8”"),
        ("fire ajax rook straddle 4", "Ajax has 12-inch, 6-inch"),
    ],
)
def test_an_unreadable_shot_is_refused_with_the_reason(order: str, told: str) -> None:
    """Blame the wrong word, and deny no word that the form has."""
    with pytest.raises(OrderRefused, match=told):
        played(battle(), order)


@pytest.mark.clause("GQ2-GUN-2")
@pytest.mark.clause("GQ2-GUN-13")
@pytest.mark.parametrize(
    ("said", "bases"),
    [("over", "+1"), ("over bases 1", "+1"), ("over bases 3", "+3"), ("over bases 0", ""), ("bases 2", "+2")],
)
def test_fire_over_a_vessel_crosses_one_base_unless_bases_are_given(said: str, bases: str) -> None:
    """Count `over` and `bases` together."""
    session = played(battle())
    reminded = session.preview_order(f"{PLAIN} {said}").reminders
    assert any("unlit boilers" in text for text in reminded) is bool(bases)
    assert read_modifiers(session, f"{PLAIN} {said}") == f"{bases} models in the way".strip() * bool(bases)
    for number in (7, 6):
        told = session.preview_order(f"fire boyne 6 rook straddle {number} bases 1").reminders
        assert any("pass over them?" in text for text in told) is (number == 7), "the red zone"


@pytest.mark.clause("GQ2-GUN-7")
@pytest.mark.parametrize(("df", "column"), [(4, "1½:1"), (13, "1:3"), (12, "1:2"), (0.5, "6:1")])
def test_he_goes_a_column_to_the_right(df: float, column: str) -> None:
    """Stay within the table, and shift no ratio below 1:3."""
    session = played(battle(ship("ajax"), ship("rook", "red", df=df)))
    assert any("three levels worse" in text for text in session.preview_order(f"{PLAIN} he").reminders)
    assert not any("three levels" in text for text in session.preview_order(PLAIN).reminders)
    told = reasons(session, f"{PLAIN} he 0 9 9")
    assert told[1].text == f"AF 4 against DF {df}: {column}, a column on for HE"
    assert told[1].clause == "GQ2-GUN-7"


@pytest.mark.clause("GQ2-GUN-8")
@pytest.mark.parametrize(("number", "fine"), [(9, False), (7, False), (6, True), (0, True)])
def test_fire_over_a_vessel_is_allowed_beyond_the_red_zone_with_a_reminder(number: int, fine: bool) -> None:
    order, session = f"fire ajax 6 rook straddle {number} over", played(battle())
    if fine:
        assert any("two whole bands" in text for text in session.preview_order(order).reminders)
    else:
        assert refusal(session, order) == "GQ2-GUN-8"


@pytest.mark.clause("GQ2-GUN-9")
@pytest.mark.parametrize(("inches", "told"), [(2.9, True), (3, False)])
def test_small_guns_borrow_a_stick(inches: float, told: bool) -> None:
    guns = ship("ajax", battery=(("small", inches, 1),))
    session = played(battle(guns, ship("rook", "red")))
    reminders = session.preview_order("fire ajax small rook straddle 5").reminders
    assert any("3-4 inch stick" in text for text in reminders) is told


@pytest.mark.clause("GQ2-GUN-10")
def test_without_penetration_only_the_criticals_marked_a_are_ignored() -> None:
    """Reduce no damage, and still owe the critical roll."""
    through, not_through = played(battle()), played(battle())
    assert result(through, f"{PLAIN} penetrates 0 1 1") == result(not_through, f"{PLAIN} 0 1 1")
    assert owed(not_through) == ["critical rook"]
    assert "bulkhead (A)" in join_reasons(through, "roll 8")
    assert values(through, "rook")["hull_lost"] == 2
    assert reasons(not_through, "roll 8")[0].clause == "GQ2-CRI-A"
    assert values(not_through, "rook")["hull_lost"] == 1


@pytest.mark.clause("GQ2-GUN-10")
@pytest.mark.parametrize(("word", "hits"), [("", ("A1", "C")), ("penetrates", ("A1", "H1", "C"))])
def test_a_switch_spares_the_hull_from_fire_that_does_not_penetrate(word: str, hits: tuple[str, ...]) -> None:
    session = played(battle(unpenetrated="no-hull"))
    assert result(session, f"{PLAIN} {word} 0 1 1")["hits"] == hits


@pytest.mark.clause("GQ2-GUN-11")
def test_the_console_says_which_end_of_the_stick_is_at_the_shooter() -> None:
    assert "put the red end of the stick at the shooter (GQ2-GUN-11)" in SYSTEM.advice(battle())


@pytest.mark.clause("GQ2-GUN-12")
@pytest.mark.parametrize(
    ("dice", "said"),
    [("0 3 9", "-1 damaged last turn"), ("0 9 3", "-1 damaged last turn"), ("0 9 9", ""), ("9", "")],
)
def test_damaged_is_any_result_by_the_same_ship_in_the_turn_before(dice: str, said: str) -> None:
    """Do not count a straddle, another ship's damage, or damage of two turns ago."""
    session = played(battle(), f"{PLAIN} {dice}")
    play_to_phase(session, "gunnery")
    assert read_modifiers(session, PLAIN) == said
    assert read_modifiers(session, "fire boyne 6 rival straddle 5") == ""
    assert read_modifiers(play_to_phase(session, "gunnery"), PLAIN) == ""


@pytest.mark.clause("GQ2-GUN-12")
def test_a_critical_alone_counts_as_damage() -> None:
    session = played(battle(ship("ajax"), ship("rook", "red", df=12)), f"{PLAIN} 0 9 1", "roll 2")
    assert values(session, "rook")["hull_lost"] == 0
    assert read_modifiers(play_to_phase(session, "gunnery"), PLAIN) == "-1 damaged last turn"


@pytest.mark.clause("GQ2-GUN-12")
def test_fired_upon_is_an_earlier_entry_of_this_turn() -> None:
    """Do not count the shot itself, later shots, or the turn before."""
    session = played(battle())
    assert read_modifiers(session, PLAIN) == ""
    assert read_modifiers(session, "fire boyne 6 rook straddle 5") == "+1 fired upon"
    assert read_modifiers(session, "fire boyne 12 rival straddle 5") == ""
    assert read_modifiers(play_to_phase(session, "gunnery"), PLAIN) == ""
    for switch, said in (("counts", "+1 fired upon"), ("apart", "")):
        own = played(battle(own_fire=switch), f"{PLAIN} 9")
        assert read_modifiers(own, "fire ajax 12 rook straddle 5") == said, "her other battery"
    declared = played(battle(), PLAIN, "fire boyne 6 rook straddle 5")
    assert join_reasons(declared, "roll 1/fire/ajax/1 9") == "white 9>5, misses Rook"
    assert "+1 fired upon" in join_reasons(declared, "roll 2/fire/boyne/1 9")


def test_the_odds_of_a_shot_are_exact() -> None:
    """Compute that white 0 to 5 of ten straddles, and that blue 1 of ten is a critical.

    The mean of boxes follows from the column at 1:1.
    """
    told = {chance.label: chance.value for chance in played(battle()).preview_order(PLAIN).chances}
    assert told == {
        "straddles": Fraction(6, 10),
        "hull": Fraction(6, 10) * Fraction(2 + 2 + 1, 20),
        "guns": Fraction(6, 10) * Fraction(2 + 2 + 1, 20),
        "critical": Fraction(6, 100),
    }


def test_every_reason_on_a_chart_names_its_cell() -> None:
    told = reasons(played(battle()), f"{PLAIN} 0 3 1")
    cells = [(each.cell, each.chart) for each in told if each.chart]
    assert cells == [
        ("gunnery 1:1, 3 (quick reference, columns inferred)", "attested"),
        ("gunnery 1:1, 1 (quick reference)", "attested"),
    ]


@pytest.mark.parametrize(
    ("status", "fine"),
    [
        *((status, True) for status in ("abandoned", "sinking", "aground")),
        *((status, False) for status in ("sunk", "withdrawn", "struck")),
    ],
)
@pytest.mark.clause("GQ2-SNK-2")
def test_a_status_decides_whether_a_ship_may_be_fired_at(status: str, fine: bool) -> None:
    """Allow fire at a wreck, but not at a ship that is gone or has struck."""
    session = played(battle(), f"mark rook status {status}")
    if fine:
        enter(session, f"{PLAIN} 9")
    else:
        assert refusal(session, PLAIN) == "GQ2-SNK-2"
        assert refusal(session, "fire rook 6 ajax straddle 5") == "GQ2-SNK-2"


@pytest.mark.clause("GQ2-GUN-7")
@pytest.mark.clause("GQ2-GUN-14")
def test_he_is_loaded_for_the_batteries_on_the_card() -> None:
    """Let main guns loaded with HE not disarm the secondary ones."""
    main: He = {"battery.1.he": True}
    session = played(battle(ship("ajax", he=18, **main), ship("rook", "red")))
    assert refusal(session, "fire ajax 12 rook straddle 5 9") == "GQ2-LOG-1"
    assert refusal(session, f"{PLAIN} he 9") == "GQ2-GUN-7"
    assert "Ajax has HE for 12-inch only" in session.preview_order(f"{PLAIN} he").findings[0].text
    enter(session, "fire ajax 12 rook straddle 5 he 9", f"{PLAIN} 9")
    assert any(
        "holds HE" in span.text
        for _, spans in SYSTEM.sheet(session.battle, session.battle.ships["ajax"])
        for span in spans
    )
    every = played(battle(ship("ajax", he=18), ship("rook", "red")))
    enter(every, f"{PLAIN} he 9", "fire ajax 12 rook straddle 5 9")


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
def test_the_preview_shows_the_number_that_the_white_die_needs(
    marks: tuple[str, ...], order: str, told: str
) -> None:
    """Give the same number before the order and before its roll."""
    session = played(battle(), *(f"mark {mark}" for mark in marks))
    assert [str(need) for need in session.preview_order(order).needs] == [told]
    assert [str(need) for need in enter(session, order).preview_order("roll").needs] == [told]


@pytest.mark.clause("GQ2-GUN-2")
@pytest.mark.clause("GQ2-PH-4")
@pytest.mark.parametrize(
    ("before", "said"),
    [(("move rook 10 evasive",), "+1 evading"), ((), ""), (("move rook 0",), "-2 stationary")],
)
def test_a_ship_that_begins_to_sink_still_counts_as_moving(before: tuple[str, ...], said: str) -> None:
    """Count her as moving for a second shot of the phase that broke her."""
    session = played(battle(phase="movement"), *before, "next", "next", "damage rook H5")
    assert values(session, "rook")["status"] == "sinking"
    assert read_modifiers(session, PLAIN) == said
    assert read_modifiers(play_to_phase(session, "torpedo"), f"force {PLAIN}").startswith(said), (
        "and in the next phase"
    )
    enter(session, "next", "roll 6")
    assert "-2 stationary" in read_modifiers(play_to_phase(session, "gunnery"), PLAIN)


@pytest.mark.clause("GQ2-GUN-2")
def test_a_ship_that_is_assumed_stationary_is_named() -> None:
    """Report a modifier that rests on an unrecorded move."""
    session = played(battle(phase="movement"), "move rook 0", "next", "next")
    assert session.preview_order(PLAIN).assumes == ()
    assert play_to_phase(session, "gunnery").preview_order(PLAIN).assumes == ("assumed: Rook moved 0″",)
    assert session.preview_order("fire ajax 6 rival straddle 5").assumes == ()
    anchored = played(battle(), "mark rook state standby")
    assert anchored.preview_order(PLAIN).assumes == ()


@pytest.mark.clause("GQ2-GUN-12")
@pytest.mark.clause("GQ2-CRI-B")
def test_a_shot_with_late_dice_counts_in_the_turn_it_was_fired() -> None:
    """Place damage, fire and a steam line in that turn."""
    session = played(battle(), "fire boyne 6 rook straddle 5 9", PLAIN, *["force next"] * 3)
    assert session.battle.turn == 2
    assert "+1 fired upon" in join_reasons(session, "roll 0 3 1")
    assert changed(session, "roll 2") == {"criticals": ["rudder"]}
    play_to_phase(session, "gunnery")
    assert read_modifiers(session, PLAIN) == "-1 damaged last turn"
    late = played(battle(), f"{PLAIN} penetrates", *["force next"] * 3, "roll 0 9 1", "roll 5")
    assert values(late, "rook")["speed"] == 7, "three inches less in the turn after the shot, and a box"


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.clause("GQ2-CRI-5")
@pytest.mark.clause("GQ2-MV-6")
def test_a_metric_table_shows_centimetres() -> None:
    session = played(battle(phase="movement", units="metric"))
    assert "½ cm aft" in join_reasons(session, "wander ajax 8 0 6 6 1")
    enter(session, "damage rook CA", "damage rook CA")
    assert "every 45° cost 1½ cm" in join_reasons(session, "roll 2")
    assert "3 cm slower next turn" in join_reasons(session, "roll 5")
    night = played(battle(phase="searchlights", units="metric", light="night"))
    assert "searchlights reach 9 cm (GQ2-NIT-3)" in night.preview_order("light ajax rook").reminders
