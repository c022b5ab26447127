"""Gunnery: straddles, modifiers, columns, rapid fire, HE, penetration, shots in their turn (GQ2-GUN)."""

from fractions import Fraction

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.rules.gq2.charts import find_odds_column
from tests.rules.gq2.tables import He, battle, destroyer, played, ship, to_phase, words
from tests.rules.gq2.tables import white_more as more
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
    """Catches a 0 read as ten, or an off-by-one at the number."""
    session = played(battle(), f"fire ajax 6 rook straddle {number}")
    if straddles:
        assert refusal(session, f"roll {white}") == "", "red and blue are wanted"
        assert result(session, f"roll {white} 9 9")["straddled"] is True
    else:
        missed = {"fired": True, "straddled": False, "hits": (), "blast": ()}
        assert result(session, f"roll {white}") == missed


@pytest.mark.clause("GQ2-GUN-3")
def test_below_1_3_the_white_die_is_enough_and_the_preview_says_so() -> None:
    """Catches red and blue dice asked for a shot without effect, and odds of nothing without their reason."""
    session = played(battle(), "mark rook df 20")
    shown = session.preview_order(PLAIN)
    assert "AF 4 against DF 20: below 1:3, no effect (GQ2-GUN-3)" in shown.reminders
    told = {"fired": True, "straddled": True, "hits": (), "blast": ()}
    assert result(session, f"{PLAIN} 5") == told
    assert not session.battle.owed


@pytest.mark.clause("GQ2-GUN-1")
def test_own_ships_and_itself_are_no_targets() -> None:
    """Catches friendly fire by day that passes unnoticed."""
    session = played(battle())
    assert refusal(session, "fire ajax 6 boyne straddle 5") == "GQ2-GUN-1"
    assert refusal(session, "force fire ajax 6 ajax straddle 5") == ""


def test_a_battery_fires_once_a_turn() -> None:
    session = played(battle(), f"{PLAIN} 9")
    assert refusal(session, f"{PLAIN} 9") == "GQ2-PH-1"
    enter(to_phase(session, "gunnery"), f"{PLAIN} 9")


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
def test_what_comes_to_the_white_die(orders: str, shot: str, said: str) -> None:
    """Catches a modifier that is missing, wrong, or counted twice, and the edge of 9 inches."""
    boyne = ship("boyne", battery=(("main", 9, 4), ("second", 8.9, 4)))
    start = battle(ship("ajax"), boyne, ship("rook", "red"), destroyer("kobold"))
    assert more(played(start, *filter(None, orders.split("; "))), shot) == said


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
def test_the_tables_own_visibility_comes_to_every_shot(
    light: str, orders: tuple[str, ...], shot: str, said: str
) -> None:
    """Catches mist that is typed on every shot, dusk that is forgotten, and either counted twice."""
    session = played(battle(light=light), *orders)
    assert more(session, shot) == said
    low = sum(int(part[1:]) for part in said.split() if part[0] == "+") - ("poor visibility" in said)
    told = [text for text in SYSTEM.advice(session.battle) if "poor visibility adds" in text]
    all_told = f"poor visibility adds {low} to every straddle; `low` on a shot adds more (GQ2-GUN-2)"
    assert told == ([all_told] if low else [])


@pytest.mark.clause("GQ2-GUN-2")
def test_visibility_is_a_number_and_something_is_said_of_the_table() -> None:
    session = played(battle())
    for order in ("table visibility 10", "table visibility night", "table light 2", "table"):
        assert refusal(session, order) == ""
    assert words(session, "table visibility 1") == "poor visibility adds 1 to every straddle die from here on"
    assert words(session, "table visibility 0") == "visibility is good from here on"


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
def test_the_column_is_the_highest_that_the_ratio_reaches_exactly_or_by_the_switch_rounded(
    rounding: str, af: str, df: str, column: str | None
) -> None:
    """Catches rounding at the edge of a column or onto the table, and ratios past it."""
    assert find_odds_column(battle(odds_rounding=rounding), Fraction(af), Fraction(df)) == column


@pytest.mark.clause("GQ2-GUN-3")
def test_red_is_for_the_armament_and_blue_for_the_hull_and_0_is_ten() -> None:
    """Catches the colours changed over, or a 0 that hits as row 0."""
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
    """Catches a band on the wrong side of an edge, a die changed twice, and a row below 0."""
    session = played(battle())
    assert result(session, f"fire ajax 6 rook straddle {number} 0 {red} {blue}")["hits"] == hits


@pytest.mark.clause("GQ2-GUN-5")
@pytest.mark.parametrize(
    ("number", "red", "blue", "critical"),
    [(5, 9, 1, True), (5, 1, 9, False), (5, 9, 2, False), (2, 9, 2, True), (2, 9, 1, False)],
)
def test_c_counts_on_the_blue_die_alone_by_its_row_after_the_bands(
    number: int, red: int, blue: int, critical: bool
) -> None:
    """Catches C on red, and the rules' own case: at blue bands a 2 is row 1 with C, a 1 is row 0 without."""
    declared = played(battle(), f"fire ajax 6 rook straddle {number}", "note the dice roll off the table")
    session = enter(declared, f"roll 1/fire/ajax/1 0 {red} {blue}")
    assert [roll.key for roll in session.battle.owed] == (["1/critical/rook/1"] if critical else [])


@pytest.mark.clause("GQ2-GUN-6")
def test_rapid_fire_takes_six_sided_dice_and_af_as_it_is() -> None:
    """Catches ten-sided dice, an AF times one and a half, and dice that the bands pass over."""
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
def test_rapid_fire_is_for_all_bands_or_by_the_switch_for_the_red_ones(number: int) -> None:
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
def test_a_shot_that_is_not_understood_says_why(order: str, told: str) -> None:
    """Catches a message that denies the word which the form beside it has, or blames the wrong word."""
    with pytest.raises(OrderRefused, match=told):
        played(battle(), order)


@pytest.mark.clause("GQ2-GUN-2")
@pytest.mark.clause("GQ2-GUN-13")
@pytest.mark.parametrize(
    ("said", "bases"),
    [("over", "+1"), ("over bases 1", "+1"), ("over bases 3", "+3"), ("over bases 0", ""), ("bases 2", "+2")],
)
def test_fire_over_a_vessel_crosses_its_base_unless_it_is_said_how_many(said: str, bases: str) -> None:
    """Catches two words for one base that know nothing of each other."""
    session = played(battle())
    reminded = session.preview_order(f"{PLAIN} {said}").reminders
    assert any("unlit boilers" in text for text in reminded) is bool(bases)
    assert more(session, f"{PLAIN} {said}") == f"{bases} models in the way".strip() * bool(bases)
    for number in (7, 6):
        told = session.preview_order(f"fire boyne 6 rook straddle {number} bases 1").reminders
        assert any("pass over them?" in text for text in told) is (number == 7), "the red zone"


@pytest.mark.clause("GQ2-GUN-7")
@pytest.mark.parametrize(("df", "column"), [(4, "1½:1"), (13, "1:3"), (12, "1:2"), (0.5, "6:1")])
def test_he_goes_a_column_to_the_right(df: float, column: str) -> None:
    """Catches a shift below or past the table, and one from a ratio below 1:3."""
    session = played(battle(ship("ajax"), ship("rook", "red", df=df)))
    assert any("three levels worse" in text for text in session.preview_order(f"{PLAIN} he").reminders)
    assert not any("three levels" in text for text in session.preview_order(PLAIN).reminders)
    told = reasons(session, f"{PLAIN} he 0 9 9")
    assert told[1].text == f"AF 4 against DF {df}: {column}, a column on for HE"
    assert told[1].clause == "GQ2-GUN-7"


@pytest.mark.clause("GQ2-GUN-8")
@pytest.mark.parametrize(("number", "fine"), [(9, False), (7, False), (6, True), (0, True)])
def test_over_a_vessel_only_beyond_the_red_zone_with_a_word_about_the_bands(number: int, fine: bool) -> None:
    """Catches fire over a vessel at point blank, or without its check."""
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
def test_without_penetration_only_the_criticals_marked_a_fall_away() -> None:
    """Catches damage that is reduced, or a critical roll that is not owed."""
    through, not_through = played(battle()), played(battle())
    assert result(through, f"{PLAIN} penetrates 0 1 1") == result(not_through, f"{PLAIN} 0 1 1")
    assert owed(not_through) == ["critical rook"]
    assert "bulkhead (A)" in words(through, "roll 8")
    assert values(through, "rook")["hull_lost"] == 2
    assert reasons(not_through, "roll 8")[0].clause == "GQ2-CRI-A"
    assert values(not_through, "rook")["hull_lost"] == 1


@pytest.mark.clause("GQ2-GUN-10")
@pytest.mark.parametrize(("word", "hits"), [("", ("A1", "C")), ("penetrates", ("A1", "H1", "C"))])
def test_by_the_switch_what_does_not_penetrate_spares_the_hull(word: str, hits: tuple[str, ...]) -> None:
    session = played(battle(unpenetrated="no-hull"))
    assert result(session, f"{PLAIN} {word} 0 1 1")["hits"] == hits


@pytest.mark.clause("GQ2-GUN-11")
def test_the_umpire_is_told_which_end_lies_at_the_shooter() -> None:
    assert "the red end of the stick lies at the shooter (GQ2-GUN-11)" in SYSTEM.advice(battle())


@pytest.mark.clause("GQ2-GUN-12")
@pytest.mark.parametrize(
    ("dice", "said"),
    [("0 3 9", "-1 damaged last turn"), ("0 9 3", "-1 damaged last turn"), ("0 9 9", ""), ("9", "")],
)
def test_damaged_is_any_result_by_the_same_ship_in_the_turn_before(dice: str, said: str) -> None:
    """Catches a straddle without damage, another ship's damage, and damage of two turns ago."""
    session = played(battle(), f"{PLAIN} {dice}")
    to_phase(session, "gunnery")
    assert more(session, PLAIN) == said
    assert more(session, "fire boyne 6 rival straddle 5") == ""
    assert more(to_phase(session, "gunnery"), PLAIN) == ""


@pytest.mark.clause("GQ2-GUN-12")
def test_a_critical_alone_counts_as_damage() -> None:
    session = played(battle(ship("ajax"), ship("rook", "red", df=12)), f"{PLAIN} 0 9 1", "roll 2")
    assert values(session, "rook")["hull_lost"] == 0
    assert more(to_phase(session, "gunnery"), PLAIN) == "-1 damaged last turn"


@pytest.mark.clause("GQ2-GUN-12")
def test_fired_upon_is_an_earlier_entry_of_this_turn() -> None:
    """Catches fire that counts against itself or the shot before it, or the turn before that counts."""
    session = played(battle())
    assert more(session, PLAIN) == ""
    assert more(session, "fire boyne 6 rook straddle 5") == "+1 fired upon"
    assert more(session, "fire boyne 12 rival straddle 5") == ""
    assert more(to_phase(session, "gunnery"), PLAIN) == ""
    for switch, said in (("counts", "+1 fired upon"), ("apart", "")):
        own = played(battle(own_fire=switch), f"{PLAIN} 9")
        assert more(own, "fire ajax 12 rook straddle 5") == said, "her other battery"
    declared = played(battle(), PLAIN, "fire boyne 6 rook straddle 5")
    assert words(declared, "roll 1/fire/ajax/1 9") == "white 9>5, misses Rook"
    assert "+1 fired upon" in words(declared, "roll 2/fire/boyne/1 9")


def test_the_odds_of_a_shot_are_exact() -> None:
    """White 0 to 5 of ten straddles; blue 1 of ten is a critical.

    The mean of boxes from the column at 1:1.
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
def test_who_may_be_fired_at(status: str, fine: bool) -> None:
    """Catches a wreck in the way that cannot be shot at, or a ship that can though it is gone or struck."""
    session = played(battle(), f"mark rook status {status}")
    if fine:
        enter(session, f"{PLAIN} 9")
    else:
        assert refusal(session, PLAIN) == "GQ2-SNK-2"
        assert refusal(session, "fire rook 6 ajax straddle 5") == "GQ2-SNK-2"


@pytest.mark.clause("GQ2-GUN-7")
@pytest.mark.clause("GQ2-GUN-14")
def test_he_is_loaded_for_the_batteries_that_the_card_says() -> None:
    """Catches main guns loaded for a bombardment that disarm the secondary ones."""
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
    [(("move rook 10 evasive",), "+1 evading"), ((), ""), (("move rook 0",), "-2 stationary")],
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
