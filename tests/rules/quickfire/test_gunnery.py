"""Battery fire, blast and torpedoes, with the worked examples (QF-GUN, QF-BLA, QF-TOR, QF-EX)."""

from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from qf_tui.core.text import Distance
from qf_tui.library.charts import load_overlay
from qf_tui.library.check import check_file
from qf_tui.library.faults import FileFaults
from qf_tui.library.fleets import load_fleet
from qf_tui.rules.quickfire import SYSTEM
from qf_tui.rules.quickfire_family.game import POINT_BLANK
from qf_tui.session import Session
from tests.rules.playing import (
    Arcs,
    Card,
    changed,
    format_cell,
    is_allowed,
    lay_cells,
    owed,
    reasons,
    refusal,
    result,
    values,
    write_chart,
)
from tests.rules.quickfire.tables import battle, craft, played, ship
from tests.systems import load_start

PAIR: Card = {"gunnery": (16, 10), "armor": (12, 10)}


def shot(firer: Card, target: Card, order: str, **options: str) -> tuple[Any, Any, Any]:
    """Play a shot of ajax at rook; return whether it fired, its hits and its blast."""
    start = battle(ship("ajax", **firer), ship("rook", "red", **target), **options)
    told = result(played(start), order)
    return told["fired"], told["hits"], told["blast"]


@pytest.mark.clause("QF-GUN-1")
@pytest.mark.parametrize(
    ("rof", "black", "fires"), [(3, 3, True), (3, 4, False), (1, 1, True), (5, 6, False)]
)
def test_black_at_or_below_rof_fires(rof: int, black: int, fires: bool) -> None:
    """Use the ROF of the right battery, and ask for white dice only if it fires."""
    session = played(battle(ship("ajax", rof=(rof, 6)), ship("rook", "red")))
    if fires:
        assert refusal(session, f"fire ajax heavy rook short {black} 4") == "", "all three dice are wanted"
        assert result(session, f"fire ajax heavy rook short {black} 6 6")["fired"] is True
    else:
        assert result(session, f"fire ajax heavy rook short {black}")["fired"] is False


@pytest.mark.clause("QF-GUN-1")
def test_an_earlier_miss_changes_nothing() -> None:
    """Apply no miss modifier of the sister game."""
    start = battle(ship("ajax", rof=(3, 3)), ship("rook", "red"), gunnery_phases="2")
    session = played(start, "fire ajax heavy rook short 4", "next")
    assert result(session, "fire ajax heavy rook short 4")["fired"] is False


@pytest.mark.clause("QF-GUN-1")
def test_a_battery_with_no_rof_left_cannot_fire() -> None:
    start = battle(ship("ajax", log={"rof_heavy": 0}), ship("rook", "red"))
    assert refusal(played(start), "fire ajax heavy rook short 1 2 2") == "QF-GUN-1"


LINES = [(125, 7), (200, 9)]


@pytest.mark.clause("QF-GUN-2")
@pytest.mark.parametrize(("line", "most"), LINES)
def test_each_line_hits_up_to_its_number(line: int, most: int) -> None:
    """Check every cell of the percentage lines."""
    firer: Card = {"gunnery": (line, 0)}
    target: Card = {"armor": (100, 100)}
    for total, hits in ((most, True), (most + 1, False)):
        white = f"{min(6, total - 1)} {total - min(6, total - 1)}"
        told = shot(firer, target, f"fire ajax heavy rook long 1 {white}")
        assert bool(told[1]) is hits, total


@pytest.mark.clause("QF-GUN-2")
@pytest.mark.parametrize(
    ("gunnery", "armor", "line"),
    [(16, 11, "125%"), (98, 100, "75%"), (5, 100, None), (1, 0.5, "200%"), (7, 0, "400%"), (12, 10, "100%")],
)
def test_the_line_is_the_highest_that_the_percentage_reaches(
    gunnery: int, armor: float, line: str | None
) -> None:
    """Check rounding, and percentages below the lowest line."""
    start = battle(ship("ajax", gunnery=(gunnery, 0)), ship("rook", "red", armor=(armor, 99)))
    said = reasons(played(start), "fire ajax heavy rook long 1 6 6")[1].text
    assert (f"{line} line, " in said) if line else ("below the lowest line" in said)


@pytest.mark.clause("QF-GUN-2")
def test_armor_0_counts_as_a_half_by_the_switch() -> None:
    start = battle(ship("ajax", gunnery=(1, 0)), ship("rook", "red", armor=(0, 0)), zero_armor="as-half")
    assert "200%" in reasons(played(start), "fire ajax heavy rook long 1 6 6")[1].text


@pytest.mark.clause("QF-GUN-2")
def test_each_battery_meets_the_armor_of_its_kind() -> None:
    """Refuse the flag for light armor."""
    start = battle(ship("ajax", gunnery=(10, 20)), ship("rook", "red", armor=(10, 5)))
    session = played(start)
    assert refusal(session, "fire ajax heavy rook long light-armor 1 1 1") == "QF-GUN-2"
    assert "100%" in reasons(session, "fire ajax heavy rook short 1 6 6")[1].text
    assert "400%" in reasons(session, "fire ajax light rook short 1 6 6")[1].text


@pytest.mark.clause("QF-GUN-3")
@pytest.mark.clause("QF-EX-2")
@pytest.mark.parametrize(("total", "hits"), [(4, 1), (8, 1), (9, 2), (11, 3), (12, 0)])
def test_the_hits_go_by_the_natural_total(total: int, hits: int) -> None:
    """Check every cell of the hits; the number that the line allows does not count."""
    low = max(1, total - 6)
    told = shot({"gunnery": (99, 0)}, {"armor": (1, 1)}, f"fire ajax heavy rook long 6 {low} {total - low}")
    assert len(told[1]) == hits


@pytest.mark.clause("QF-GUN-4")
@pytest.mark.parametrize(
    ("white", "hits"), [("2 2", ("S",)), ("2 3", ("G",)), ("4 5", ("G", "G")), ("5 5", ("S", "S"))]
)
def test_even_is_speed_and_odd_is_guns_without_alternation(white: str, hits: tuple[str, ...]) -> None:
    """Apply no alternation of the sister game."""
    assert shot({"gunnery": (99, 0)}, {}, f"fire ajax heavy rook long 6 {white}")[1] == hits


@pytest.mark.clause("QF-GUN-4")
@pytest.mark.parametrize("battery", ["heavy", "light"])
def test_g_hits_the_kind_of_battery_that_fired(battery: str) -> None:
    session = played(battle())
    stood = values(session, "rook")[f"rof_{battery}"]
    assert isinstance(stood, int)
    assert changed(session, f"fire ajax {battery} rook short 5 2 3") == {f"rof_{battery}": stood - 1}


@pytest.mark.clause("QF-GUN-5")
def test_the_end_arc_halves_gunnery_exactly_before_the_percentage() -> None:
    """Round no rating down (15 would be 7), and do not halve ROF: 15 in the end arc against 10 is 75%."""
    start = battle(ship("ajax", gunnery=(15, 9)), ship("rook", "red", armor=(10, 6)))
    session = played(start)
    assert (
        "gunnery 7½ v armor 10: 75% line" in reasons(session, "fire ajax heavy rook short end 6 6 6")[1].text
    )
    assert (
        "gunnery 4½ v armor 6: 75% line" in reasons(session, "fire ajax light rook short end 5 6 6")[1].text
    )
    kept = played(battle(ship("ajax", end_arc="full"), ship("rook", "red")))
    assert "200%" in reasons(kept, "fire ajax heavy rook short end 1 6 6")[1].text, "its entry says so"


@pytest.mark.clause("QF-GUN-5")
def test_a_switch_makes_the_end_arc_halve_rof() -> None:
    start = battle(ship("ajax", rof=(5, 5)), ship("rook", "red"), end_arc="rof")
    session = played(start)
    assert result(session, "fire ajax heavy rook short end 3")["fired"] is False
    told = reasons(session, "fire ajax light rook short end 2 1 1")
    assert "gunnery 20 v armor 10: 200% line" in told[1].text
    small = battle(ship("ajax", rof=(1, 1)), ship("rook", "red"), end_arc="rof")
    assert refusal(played(small), "fire ajax heavy rook short end 1 1 1") == "QF-GUN-5"


@pytest.mark.clause("QF-GUN-5")
@pytest.mark.parametrize(
    ("battery", "arc", "line"),
    [
        ("heavy", "bow", "200%"),
        ("heavy", "stern", ""),
        ("heavy", "end", ""),
        ("light", "bow", "100%"),
        ("light", "stern", "100%"),
        ("light", "end", "100%"),
    ],
)
def test_a_ship_s_own_arcs_count_by_end_and_battery(battery: str, arc: str, line: str) -> None:
    """Refuse an `end` that may be either of two."""
    arcs: Arcs = {"arcs.bow.heavy": "full", "arcs.stern.heavy": "none"}
    session = played(battle(ship("ajax", **arcs), ship("rook", "red")))
    order = f"fire ajax {battery} rook short {arc} 1 6 6"
    if line:
        assert line in reasons(session, order)[1].text
    else:
        assert refusal(session, order) == "QF-GUN-5"


@pytest.mark.clause("QF-GUN-6")
def test_a_switch_lets_the_first_fire_need_no_rof_and_marks_its_box() -> None:
    """Give one auto shot a ship, not one a battery, and none without the switch."""
    start = battle(ship("ajax", rof=(1, 1)), ship("rook", "red"), auto_shot="yes")
    session = played(start)
    assert result(played(start), "fire ajax both rook short 6 2 2 6")["hits"] == ("S",)
    assert changed(session, "fire ajax heavy rook short 6 6 6", "ajax") == {"auto_shot": True}
    assert result(session, "fire ajax light rook short 6")["fired"] is False
    off = played(battle(ship("ajax", rof=(1, 1)), ship("rook", "red")))
    assert result(off, "fire ajax heavy rook short 6")["fired"] is False
    assert values(off, "ajax")["auto_shot"] is False


@pytest.mark.clause("QF-GUN-6")
def test_a_silenced_battery_has_no_auto_shot_and_spends_none() -> None:
    start = battle(ship("ajax", log={"rof_heavy": 0}), ship("rook", "red"), auto_shot="yes")
    assert refusal(played(start), "fire ajax heavy rook short 1 2 2") == "QF-GUN-1"
    session = played(start, "force fire ajax heavy rook short 1")
    assert values(session, "ajax")["auto_shot"] is False
    assert result(session, "fire ajax light rook short 6 6 6")["fired"] is True


@pytest.mark.clause("QF-GUN-7")
def test_a_switch_lets_only_one_battery_fire() -> None:
    """Refuse a battery that fires twice, and one roll for both as a way round the switch."""
    session = played(battle(), "fire ajax heavy rook short 1 6 6", "fire ajax light rook short 1 6 6")
    for battery in ("heavy", "light"):
        assert refusal(session, f"fire ajax {battery} rook short 1 6 6") == "QF-GUN-7"
    session = played(battle(batteries="one"), "fire ajax heavy rook short 1 6 6")
    assert refusal(session, "fire ajax light rook short 1 6 6") == "QF-GUN-7"
    session = played(battle(one_roll="yes", batteries="one"))
    assert refusal(session, "fire ajax both rook short 1 2 2") == "QF-GUN-7"
    assert is_allowed(session, "fire ajax light rook short 1 2 2")


@pytest.mark.clause("QF-GUN-7")
def test_one_roll_for_both_needs_its_switch() -> None:
    """Share no dice without it; with it each battery has its own ROF and line."""
    assert refusal(played(battle()), "fire ajax both rook short 1 2 3") == ""
    start = battle(ship("ajax", rof=(6, 3), gunnery=(20, 5)), ship("rook", "red"), one_roll="yes")
    assert result(played(start), "fire ajax both rook short 4 2 3")["hits"] == ("G",)
    assert result(played(start), "fire ajax both rook short 3 2 2")["hits"] == ("S", "S")


@pytest.mark.clause("QF-GUN-7")
def test_both_batteries_take_a_roll_each_heavy_first() -> None:
    """Keep the hits of the two batteries apart."""
    start = battle(ship("ajax", rof=(6, 3), gunnery=(20, 5)), ship("rook", "red"))
    session = played(start)
    assert refusal(session, "fire ajax both rook short 6 2 3 3 1") == ""
    assert is_allowed(session, "fire ajax both rook short 6 2 3 4")
    told = reasons(session, "fire ajax both rook short 6 2 3 3 2 2")
    assert [(one.of, one.text) for one in told if one.clause == "QF-GUN-3"] == [
        ("heavy white", "heavy white 5: G"),
        ("light white", "light white 4: S"),
    ]


@pytest.mark.clause("QF-GUN-8")
def test_long_range_is_for_heavy_guns() -> None:
    session = played(battle())
    assert refusal(session, "fire ajax light rook long 1 2 2") == "QF-GUN-8"
    assert refusal(session, "fire ajax light rook 30in 1 2 2") == "QF-GUN-8"
    assert is_allowed(session, "fire ajax heavy rook long 1 2 2")
    assert is_allowed(played(battle(long_range="both")), "fire ajax light rook long 1 2 2")


@pytest.mark.clause("QF-GUN-9")
@pytest.mark.parametrize(("boxes", "barred"), [(5, True), (4, False)])
def test_heavy_guns_may_not_fire_at_small_fast_vessels(boxes: int, barred: bool) -> None:
    start = battle(ship("ajax"), craft("skiff"), phase="movement")
    session = played(start, f"move skiff {boxes}", "next")
    assert is_allowed(session, "fire ajax heavy skiff short 1 2 2") is not barred
    if barred:
        assert refusal(session, "fire ajax heavy skiff short 1 2 2") == "QF-GUN-9"


@pytest.mark.clause("QF-GUN-9")
def test_a_switch_chooses_the_speed_that_makes_a_small_target_fast() -> None:
    """Go by the printed speed, the available speed, or neither."""
    hurt = craft("skiff", log={"speed_hits": 4})
    for switch, barred in (("printed", False), ("available", True), ("never", False)):
        start = battle(ship("ajax"), hurt, phase="movement", small_fast_by=switch)
        session = played(start, "move skiff 4", "next")
        assert is_allowed(session, "fire ajax heavy skiff short 1 2 2") is not barred, switch


@pytest.mark.clause("QF-GUN-9")
def test_small_and_fast_follows_from_size_and_assumed_movement() -> None:
    """Allow fire at a sloop, and report the assumed movement."""
    start = battle(ship("ajax"), craft("sloop", size=2), phase="movement")
    assert is_allowed(played(start, "move sloop 8", "next"), "fire ajax heavy sloop short 1 2 2")
    start = battle(ship("ajax"), craft("skiff"))
    said = played(start).preview_order("fire ajax heavy skiff short 1 2 2")
    assert [text for text in said.assumes if "assumed: Skiff moved 8 boxes" in text]


@pytest.mark.clause("QF-BLA-1")
@pytest.mark.parametrize(
    ("range", "row"), [("long", "E F F - - - - -"), ("short", "E D R F - - - -"), ("pb", "E E D R F F - -")]
)
def test_the_three_dice_together_give_blast(range: str, row: str) -> None:
    """Check every cell of the blast table."""
    for total, code in zip((3, 4, 5, 6, 7, 8, 9, 12), row.split(), strict=True):
        black = min(6, total - 2)
        white = total - black
        told = shot({}, {}, f"fire ajax heavy rook {range} {black} {white // 2} {white - white // 2}")
        assert told[2] == (() if code == "-" else (code,)), total


@pytest.mark.clause("QF-BLA-3")
def test_blast_needs_a_hit_except_by_a_switch() -> None:
    """Shoot at 100%, which hits on 6 or less, and at a line below the lowest, which never hits."""
    feeble: Card = {"gunnery": (1, 1)}
    for switch, blast in (("no", ()), ("yes", ("E",))):
        told = shot(feeble, {"armor": (99, 99)}, "fire ajax heavy rook long 1 1 1", blast_without_hit=switch)
        assert told == (True, (), blast)
    silent: Card = {"rof": (1, 1)}
    assert shot(silent, {}, "fire ajax heavy rook long 2", blast_without_hit="yes") == (False, (), ())


@pytest.mark.clause("QF-BLA-2")
@pytest.mark.clause("QF-PH-2")
def test_hits_and_blast_count_from_the_end_of_the_phase() -> None:
    """Let a battery silenced in this phase answer: both fire with the ROF of its start."""
    start = battle(ship("ajax"), ship("rook", "red", rof=(1, 1), repair=1))
    session = played(start, "fire ajax heavy rook short 2 1 2")
    assert values(session, "rook")["rof_heavy"] == 0
    assert values(session, "rook")["repair_points"] == 0
    assert result(session, "fire rook heavy ajax short 1 2 2")["fired"] is True
    session.enter("next")
    assert values(session, "rook")["rof_heavy"] == 0


@pytest.mark.clause("QF-BLA-2")
def test_codes_apply_in_their_order_and_owe_their_rolls() -> None:
    session = played(lay_cells(battle(), "blast", "long", {"3": "F E D"}))
    assert changed(session, "fire ajax heavy rook long 1 1 1") == {
        "speed_hits": 1,
        "fires": 1,
        "available_speed": 7,
    }
    assert owed(session) == ["explosion rook", "direction rook"]


@pytest.mark.clause("QF-SCA-1")
@pytest.mark.parametrize(
    ("scale", "units", "near", "short", "long"),
    [
        ("old-small", "in", "4in", "24in", "48in"),
        ("old-small", "metric", "100mm", "600mm", "1200mm"),
        ("old-large", "in", "8in", "48in", "96in"),
        ("old-large", "metric", "200mm", "1200mm", "2400mm"),
        ("medium", "in", "4in", "24in", "48in"),
        ("jumbo", "metric", "20cm", "120cm", "240cm"),
    ],
)
@pytest.mark.parametrize("switch", ["shorter", "longer"])
def test_a_measured_distance_gives_its_range(
    scale: str, units: str, near: str, short: str, long: str, switch: str
) -> None:
    """Check both sides of a shared edge, and refuse a shot beyond long."""
    start = battle(scale=scale, units=units, shared_edge=switch)
    for edge, shorter, longer in ((near, POINT_BLANK, "short"), (short, "short", "long")):
        (act,) = played(start, f"fire ajax heavy rook {edge}").battle.list_acts("fire", "ajax")
        assert act.read_text("range") == (shorter if switch == "shorter" else longer)
    (act,) = played(start, f"fire ajax heavy rook {long}").battle.list_acts("fire", "ajax")
    assert act.read_text("range") == "long"
    unit = long[-2:]
    beyond = Distance(Fraction(long[:-2]) + 1, unit)
    assert refusal(played(start), f"fire ajax heavy rook {beyond} 1 2 2") == "QF-SCA-1"


@pytest.mark.clause("QF-GUN-1")
def test_the_odds_are_exact() -> None:
    """Compute that ROF 3 fires half the time, and 200% hits on 30 of 36 white totals."""
    session = played(battle(ship("ajax", rof=(3, 3)), ship("rook", "red")))
    said = {
        chance.label: chance.value for chance in session.preview_order("fire ajax heavy rook long").chances
    }
    assert said["fires"] == Fraction(1, 2)
    assert said["hits"] == Fraction(1, 2) * Fraction(30, 36)


@pytest.mark.clause("QF-OPT-3")
@pytest.mark.parametrize(
    ("guess", "least"),
    [
        ("on", 2),
        ("30in", 2),
        ("31in", 3),
        ("31.25in", 3),
        ("32in", 4),
        ("32.5in", 4),
        ("33in", 5),
        ("26in", 6),
        ("31in base 2in", 2),
        ("31in base 1.5in", 3),
    ],
)
def test_a_guessed_range_changes_the_rof_die(guess: str, least: int) -> None:
    """Find the least ROF that fires on a black 3: measured 30″, a cable 1¼″."""
    for rof in range(1, 7):
        start = battle(ship("ajax", rof=(rof, 1)), ship("rook", "red"), range_guessing="yes")
        told = result(played(start), f"fire ajax heavy rook 30in guess {guess} 3 6 6")
        assert told["fired"] is (rof >= least), rof


@pytest.mark.clause("QF-OPT-3")
def test_guesses_need_their_switch_and_are_asked_for_under_it() -> None:
    assert refusal(played(battle()), "fire ajax heavy rook 30in guess 31in 1 2 2") == "QF-OPT-3"
    said = played(battle(range_guessing="yes")).preview_order("fire ajax heavy rook 30in")
    assert [text for text in said.reminders if "no range was guessed" in text]


@pytest.mark.clause("QF-OPT-3")
@pytest.mark.parametrize(
    ("order", "fine"),
    [
        ("fire ajax heavy rook long guess 31in 1 6 6", False),
        ("fire ajax heavy rook long guess on 1 6 6", True),
        ("fire ajax heavy rook 30in base 2in 1 6 6", False),
        ("fire ajax heavy rook 30in guess 31in 1 6 6", True),
    ],
)
def test_a_guess_needs_a_measured_range_and_a_base_needs_a_guess(order: str, fine: bool) -> None:
    """Ignore no guess silently."""
    assert is_allowed(played(battle(range_guessing="yes")), order) is fine


@pytest.mark.clause("QF-GUN-7")
def test_the_odds_of_two_rolls_are_those_of_either() -> None:
    """Give odds of both rolls together, and needs that name the right dice."""
    start = battle(ship("ajax", rof=(6, 3), gunnery=(20, 5)), ship("rook", "red"))
    session = played(start)
    heavy, light, both = (
        session.preview_order(f"fire ajax {name} rook short").chances for name in ("heavy", "light", "both")
    )
    for one, two, joined in zip(heavy, light, both, strict=True):
        together = one.value + two.value if one.mean else 1 - (1 - one.value) * (1 - two.value)
        assert (joined.label, joined.value) == (one.label, together)
    needs = [str(need) for need in session.preview_order("fire ajax both rook short").needs]
    assert needs[0] == "always heavy fires"
    assert needs[2].startswith("light fires on light black 3 or less")


@pytest.mark.clause("QF-TOR-1")
@pytest.mark.clause("QF-EX-3")
@pytest.mark.parametrize(("rating", "most"), [(1, 2), (4, 5), (7, 5)])
def test_a_moving_target_is_struck_by_rating(rating: int, most: int) -> None:
    """Check every cell of the row."""
    for total, strikes in ((most, True), (most + 1, False)):
        session = played(battle(ship("ajax", torpedo=rating), ship("rook", "red")))
        low = max(1, total - 6)
        assert result(session, f"torpedo ajax rook in {low} {total - low}")["struck"] is strikes
        assert values(session, "ajax")["torpedo"] == rating


@pytest.mark.clause("QF-TOR-1")
@pytest.mark.parametrize(
    ("own", "rating", "of_36", "words"),
    [
        ({}, 4, 10, "rating 4, moving"),
        ({}, 5, 10, "rating 5, as 4, moving"),
        ({}, 9, 10, "rating 9, as 4, moving"),
        ({"6": "9"}, 5, 10, "rating 5, as 4, moving"),
        ({"6": "9"}, 6, 30, "rating 6, moving"),
        ({"6": "9"}, 9, 30, "rating 9, as 6, moving"),
    ],
)
def test_a_rating_without_a_column_counts_as_the_greatest(
    own: dict[str, str], rating: int, of_36: int, words: str
) -> None:
    start = battle(ship("ajax", torpedo=rating), ship("rook", "red"))
    session = played(lay_cells(start, "torpedo", "moving", own) if own else start)
    (strikes,) = session.preview_order("torpedo ajax rook in").chances
    assert strikes.value == Fraction(of_36, 36)
    assert words in reasons(session, "torpedo ajax rook in 3 2")[0].text


TORPEDO_FLEET = """
ruleset = "quickfire"
values = "estimated"
[[ship]]
id = "ajax"
name = "Ajax"
size = 0.5
gunnery = [0, 0]
armor = [0.5, 0.5]
rof = [0, 0]
torpedo = {rating}
speed = 8
"""


@pytest.mark.clause("QF-TOR-1")
@pytest.mark.parametrize(("rating", "warns"), [(4, False), (5, True)])
def test_a_rating_without_a_column_brings_a_warning_on_the_fleet(
    tmp_path: Path, rating: int, warns: bool
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(TORPEDO_FLEET.format(rating=rating), encoding="utf-8")
    warnings = load_fleet(path, SYSTEM).warnings
    text = "torpedo: 5 is read as 4, unless your chart has a column for it (QF-TOR-1)"
    assert [warning.endswith(text) for warning in warnings] == [True] * warns
    assert check_file(path, {SYSTEM.name: SYSTEM}).warnings == warnings


@pytest.mark.clause("QF-TOR-1")
@pytest.mark.parametrize(("column", "fine"), [("9", True), ("0", False), ("many", False)])
def test_an_umpire_s_chart_may_have_a_column_for_a_greater_rating(
    tmp_path: Path, column: str, fine: bool
) -> None:
    path = write_chart(SYSTEM, tmp_path, format_cell("torpedo", "moving", column, "8"))
    with nullcontext() if fine else pytest.raises(FileFaults):
        load_overlay(path, SYSTEM)


@pytest.mark.clause("QF-TOR-2")
@pytest.mark.clause("QF-TOR-6")
@pytest.mark.parametrize(("rating", "dice"), [(1, "1 2"), (4, "3 3")])
@pytest.mark.parametrize(
    ("move", "static"),
    [
        ("0", True),
        ("1", True),
        ("2", False),
        ("2 pivots 2", True),
        ("1in pivots 2", True),
        ("3 pivots 2", False),
    ],
)
def test_a_target_that_moved_one_box_or_less_is_static(
    rating: int, dice: str, move: str, static: bool
) -> None:
    """Check every cell of the row and both bounds; the box of a pivot is no motion."""
    start = battle(ship("ajax", torpedo=rating), ship("rook", "red"), phase="movement")
    session = played(start, f"move rook {move}", "next")
    assert result(session, f"torpedo ajax rook in {dice}")["struck"] is static


@pytest.mark.clause("QF-TOR-1")
@pytest.mark.parametrize(
    ("range", "clause"),
    [("in", None), ("pb", None), ("1in", None), ("4in", None), ("0.5in", "QF-TOR-1"), ("5in", "QF-TOR-1"),
     ("short", "QF-TOR-1"), ("long", "QF-TOR-1")],
)  # fmt: skip
def test_torpedoes_reach_from_their_least_to_their_greatest_range(range: str, clause: str | None) -> None:
    session = played(battle(torpedo_least="scale"))
    if clause:
        assert refusal(session, f"torpedo ajax rook {range} 6 6") == clause
        text = session.preview_order(f"torpedo ajax rook {range}").findings[0].text
        assert ("out of torpedo range, 1″ to 4″" if range.endswith("in") else "point blank only") in text
    else:
        assert result(session, f"torpedo ajax rook {range} 6 6")["struck"] is False


@pytest.mark.clause("QF-TOR-5")
def test_torpedoes_have_no_least_range_except_by_a_switch() -> None:
    """Apply the least range of the sister game only by the switch."""
    session = played(battle())
    assert is_allowed(session, "torpedo ajax rook 0.5in 1 2")
    assert "out of torpedo range, 0″ to 4″" in str(session.preview_order("torpedo ajax rook 5in").findings)
    session.enter("option torpedo_least scale")
    assert refusal(session, "torpedo ajax rook 0.5in 1 2") == "QF-TOR-1"


@pytest.mark.clause("QF-TOR-1")
def test_a_ship_without_rating_launches_nothing() -> None:
    start = battle(ship("ajax", torpedo=0), ship("boyne", log={"torpedo": 0}), ship("rook", "red"))
    session = played(start)
    assert refusal(session, "torpedo ajax rook in 1 1") == "QF-TOR-1"
    assert refusal(session, "torpedo boyne rook in 1 1") == "QF-TOR-1"


@pytest.mark.clause("QF-TOR-4")
def test_a_ship_launches_once_a_turn_however_many_gunnery_phases_there_are() -> None:
    start = battle(gunnery_phases="2", phase="movement")
    session = played(start, "next", "torpedo ajax rook in 6 6")
    assert refusal(session, "torpedo ajax rook in 6 6") == "QF-TOR-4"
    session.enter("next")
    assert session.battle.phase == "gunnery"
    assert refusal(session, "torpedo ajax rook in 6 6") == "QF-TOR-4"


@pytest.mark.clause("QF-EX-1")
def test_massena_scores_one_speed_hit_on_ohio() -> None:
    session = Session.begin(*load_start("examples-d6"))
    session.enter("next")
    told = reasons(session, "fire massena heavy ohio long 1 2 4")
    assert "gunnery 16 v armor 11: 125% line, 7 or less hits" in told[1].text
    assert values(session, "ohio")["speed_hits"] == 1
