"""Battery fire: ROF, line, hits, range and blast, and dice that come after their phase (AQF-GUN)."""

from fractions import Fraction

import pytest
from attrs import evolve

from qf_tui.core.grammar.kinds import as_read_kind
from qf_tui.core.grammar.names import WordCursor
from qf_tui.core.values import Battle
from qf_tui.core.verify import list_differences
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.rules.advanced_quickfire.game import FIRE
from qf_tui.rules.quickfire_family.chart import find_percentage_line
from qf_tui.rules.quickfire_family.ledger import DEALT
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import NO_SHOT, battle, craft, played, ship, to_phase
from tests.rules.playing import (
    Arcs,
    Card,
    changed,
    enter,
    is_allowed,
    lay_cells,
    list_clauses,
    owed,
    question,
    reasons,
    refusal,
    result,
    values,
)

RAISED = {"below_lowest": "raised"}
LINES = [25, 50, 75, 100, 125, 150, 200, 300, 400]


@pytest.mark.clause("AQF-GUN-1")
def test_a_shot_names_firer_battery_target_range_and_arc() -> None:
    session = played(battle(), "fire ajax heavy rook long end light-armor")
    assert question(session, "fire").declared_order.resolved == "fire ajax heavy rook long end light-armor"


@pytest.mark.clause("AQF-GUN-1")
def test_targets_are_declared_first_and_dice_come_later() -> None:
    session = played(battle(), "fire ajax heavy rook medium", "fire rook heavy ajax medium")
    assert owed(session) == ["fire ajax", "fire rook"]
    assert changed(session, "roll 12 1") == {"rof_heavy": 11}
    assert changed(session, "roll 12 2", "ajax") == {"speed_hits": 1, "available_speed": 7}
    assert owed(session) == []


@pytest.mark.clause("AQF-GUN-1")
def test_a_shot_at_the_own_side_is_refused_and_at_itself_impossible() -> None:
    session = played(battle(ship("ajax"), ship("boyne"), ship("rook", "red")))
    assert refusal(session, "fire ajax heavy boyne medium 1 1") == ""
    assert refusal(session, "force fire ajax heavy ajax medium 1 1") == ""


def is_remarked(session: Session, order: str) -> bool:
    """Return whether a declaration is remarked on as late."""
    late = "declared after dice of this phase were thrown"
    return any(reason.is_remark and reason.text == late for reason in reasons(session, order))


@pytest.mark.clause("AQF-GUN-1")
@pytest.mark.parametrize("first", ["fire rook heavy ajax medium 12 12", "boats rook boat 4"])
def test_a_declaration_after_dice_of_the_phase_gets_a_remark(first: str) -> None:
    start = battle(ship("ajax"), ship("rook", "red"), craft("boat", "blue"))
    session = played(start)
    assert not is_remarked(session, "fire ajax light rook medium")
    assert not is_remarked(session, "fire rook light ajax medium")
    session.enter(first)
    assert is_remarked(session, "fire ajax heavy rook medium")
    enter(session, *["roll 12 12"] * 3, "next")
    assert not is_remarked(session, "torpedo ajax rook in")
    session.enter("roll 12")
    assert is_remarked(session, "torpedo rook ajax in")


@pytest.mark.clause("AQF-GUN-1")
def test_a_remark_does_not_change_the_decision() -> None:
    session = played(battle(), "fire rook heavy ajax medium 12 12", "fire ajax light rook medium 12 12")
    session.enter("fire ajax heavy rook medium")
    decision = session.timeline.rulings[3].decision
    assert decision == evolve(decision, reasons=())


@pytest.mark.clause("AQF-GUN-1")
@pytest.mark.parametrize(
    ("phase", "order", "dice"),
    [
        ("first-gunnery", "fire ajax heavy rook medium", "12 12"),
        ("second-gunnery", "torpedo ajax rook in", "12"),
        ("first-gunnery", "boats ajax boat dice 1", "4"),
    ],
)
def test_a_switch_requires_every_attack_to_be_declared_before_its_dice(
    phase: str, order: str, dice: str
) -> None:
    ships = ship("ajax"), ship("rook", "red"), craft("boat")
    session = played(battle(*ships, phase=phase, declare_first="yes"))
    assert refusal(session, f"{order} {dice}") == "AQF-GUN-1"
    assert is_allowed(session, f"force {order} {dice}")
    session.enter(order)
    session.enter(f"roll {dice}")
    assert owed(session) == []


@pytest.mark.clause("AQF-GUN-1")
def test_under_a_switch_the_console_throws_only_when_a_shot_is_rolled() -> None:
    session = Session.begin(SYSTEM, battle(declare_first="yes"), seed=1)
    session.enter("fire ajax heavy rook medium")
    assert owed(session) == ["fire ajax"]
    session.enter("roll")
    assert owed(session) == []


@pytest.mark.clause("AQF-GUN-1")
def test_ships_of_one_name_are_shown_with_their_ids() -> None:
    session = played(battle(ship("ajax"), ship("rook", "red", name="Ajax")), "fire ajax heavy rook long")
    assert session.battle.owed[0].prompt == "Ajax (ajax) heavy at Ajax (rook), long"
    told = reasons(session, "damage rook S")
    assert told[0].of == "Ajax (rook)"
    assert "Ajax (rook)" in reasons(session, "damage rook D E T")[1].of


@pytest.mark.clause("AQF-GUN-9")
@pytest.mark.parametrize(
    ("switch", "offered"), [("no", ["heavy", "light"]), ("yes", ["heavy", "light", "both"])]
)
def test_keys_offer_both_batteries_under_the_switch_only(switch: str, offered: list[str]) -> None:
    """Offer no third choice among two; `both` can still be typed."""
    session = played(battle(one_roll=switch))
    slot = FIRE.slots[1]
    offers = as_read_kind(slot).list_candidates(
        "", WordCursor(session.find_scope(), FIRE, [], {}).with_slot(slot)
    )
    assert [offer.text for offer in offers] == offered


@pytest.mark.clause("AQF-GUN-2")
@pytest.mark.parametrize(
    ("rof", "black", "fires"),
    [(6, 5, True), (6, 6, True), (6, 7, False), (1, 1, True), (1, 2, False), (12, 12, True)],
)
def test_a_battery_fires_on_its_rof_or_less(rof: int, black: int, fires: bool) -> None:
    session = played(battle(ship("ajax", rof=(rof, 12)), ship("rook", "red")))
    assert result(session, f"fire ajax heavy rook long {black} 12")["fired"] is fires


@pytest.mark.clause("AQF-GUN-2")
def test_rof_0_cannot_fire_even_with_a_missed_roll_and_even_when_forced() -> None:
    """Let black 1 less a miss not reach ROF 0."""
    session = played(battle(ship("ajax", rof=(1, 12)), ship("rook", "red")), "fire ajax heavy rook long 12")
    session = to_phase(session, "second-gunnery")
    session.enter("mark ajax rof_heavy 0")
    assert refusal(session, "fire ajax heavy rook long 1 1") == "AQF-GUN-2"
    assert result(session, "force fire ajax heavy rook long 1 1")["fired"] is False


@pytest.mark.clause("AQF-GUN-2")
def test_a_failed_black_die_needs_no_white_die() -> None:
    session = played(battle(ship("ajax", rof=(6, 6)), ship("rook", "red")))
    assert refusal(session, "fire ajax heavy rook medium 6") == ""
    assert result(session, "fire ajax heavy rook medium 7") == {"fired": False, "hits": (), "blast": ()}


TURN = ("next",) * 6


@pytest.mark.clause("AQF-GUN-3")
@pytest.mark.parametrize(
    ("before", "shot", "fires"),
    [
        (["heavy 7", "next"], "heavy 7 12", True),
        (["heavy 7", *TURN], "heavy 7 12", True),
        (["heavy 7", *TURN, *TURN], "heavy 7", False),
        (["heavy 7", "next", "heavy 7 12", *TURN[1:]], "heavy 7", False),
        (["heavy 7", "next", "heavy 8", *TURN[1:]], "heavy 8", False),
        (["heavy 7"], "light 7", False),
    ],
)
def test_a_missed_rof_roll_helps_its_battery_this_turn_and_the_next(
    before: list[str], shot: str, fires: bool
) -> None:
    session = played(battle(ship("ajax", rof=(6, 6)), ship("rook", "red")))
    enter(session, *(line if line == "next" else write_shot(line) for line in before))
    assert result(session, write_shot(shot))["fired"] is fires


def write_shot(shot: str) -> str:
    """Write the order of a shot, as `heavy 7`."""
    battery, _, dice = shot.partition(" ")
    return f"fire ajax {battery} rook medium {dice}"


@pytest.mark.clause("AQF-GUN-3")
@pytest.mark.parametrize(("switch", "fires"), [("battery", False), ("ship", True)])
def test_a_switch_lets_a_miss_of_any_battery_help(switch: str, fires: bool) -> None:
    start = battle(ship("ajax", rof=(6, 6)), ship("rook", "red"), miss_by=switch)
    session = played(start, "fire ajax heavy rook medium 7")
    fired = next(chance for chance in session.preview_order("fire ajax light rook medium").chances)
    assert fired.value == Fraction(7 if fires else 6, 12)
    assert result(session, f"fire ajax light rook medium 7{' 12' if fires else ''}")["fired"] is fires


@pytest.mark.clause("AQF-GUN-4")
@pytest.mark.parametrize(
    ("rof", "end_arc", "black", "fires"),
    [
        (7, "halved", 3, True),
        (7, "halved", 4, False),
        (6, "halved", 3, True),
        (2, "halved", 2, False),
        (7, "full", 7, True),
    ],
)
def test_the_end_arcs_halve_rof_rounded_down(rof: int, end_arc: str, black: int, fires: bool) -> None:
    session = played(battle(ship("ajax", rof=(rof, 12), end_arc=end_arc), ship("rook", "red")))
    assert result(session, f"fire ajax heavy rook long end {black} 12")["fired"] is fires


ARCS: Arcs = {"arcs.bow.heavy": "full", "arcs.stern.heavy": "none", "arcs.stern.light": "full"}
"""Heavy guns fire only forward, in full; light guns usually over the bow and in full over the stern."""


@pytest.mark.clause("AQF-GUN-4")
@pytest.mark.parametrize(
    ("battery", "arc", "rof"),
    [
        ("heavy", "", 7),
        ("heavy", "bow", 7),
        ("heavy", "stern", None),
        ("heavy", "end", None),
        ("light", "", 7),
        ("light", "bow", 3),
        ("light", "stern", 7),
        ("light", "end", None),
    ],
)
def test_a_ship_s_own_arcs_count_by_end_and_battery(battery: str, arc: str, rof: int | None) -> None:
    session = played(battle(ship("ajax", rof=(7, 7), **ARCS), ship("rook", "red")))
    order = f"fire ajax {battery} rook medium {arc}"
    if rof is None:
        assert refusal(session, f"{order} 1 12") == "AQF-GUN-4"
        return
    fires = next(chance for chance in session.preview_order(order).chances if chance.label == "fires")
    assert fires.value == Fraction(rof, 12)
    assert result(session, f"{order} {rof + 1}")["fired"] is False


@pytest.mark.clause("AQF-GUN-4")
@pytest.mark.parametrize(
    ("arc", "said"),
    [
        ("stern", "none of Ajax's heavy guns bears in the stern arc"),
        ("end", "Ajax's heavy guns differ at bow and stern: say which"),
        ("bow stern", "a shot has one arc: bow or stern"),
    ],
)
def test_a_refused_arc_gives_the_reason(arc: str, said: str) -> None:
    session = played(battle(ship("ajax", **ARCS), ship("rook", "red")))
    (against,) = session.preview_order(f"fire ajax heavy rook long {arc} 1 1").findings
    assert against.text == said


@pytest.mark.clause("AQF-GUN-4")
def test_a_forced_end_that_may_be_either_is_the_weaker() -> None:
    card: Arcs = {**ARCS, "arcs.bow.heavy": "halved"}
    session = played(battle(ship("ajax", **card), ship("rook", "red")))
    assert result(session, "force fire ajax heavy rook long end 1 1")["fired"] is False


@pytest.mark.clause("AQF-GUN-4")
def test_rof_1_cannot_fire_in_an_end_arc_nor_guns_without_that_arc() -> None:
    session = played(battle(ship("ajax", rof=(1, 12)), ship("rook", "red")))
    assert refusal(session, "fire ajax heavy rook long end 1 1") == "AQF-GUN-4"
    session = played(battle(), "mark ajax arcs.bow.heavy none")
    assert refusal(session, "fire ajax heavy rook long bow 1 1") == "AQF-GUN-4"
    assert is_allowed(session, "fire ajax heavy rook long stern 1 1")


@pytest.mark.clause("AQF-GUN-5")
@pytest.mark.parametrize(
    ("gunnery", "armor", "line"),
    [
        (16, 11, 125),
        (98, 100, 75),
        (20, 10, 200),
        (249, 1000, None),
        (1, 1, 100),
        (299, 100, 200),
        (300, 100, 300),
        (998, 1, 400),
        (1, 998, None),
        (1, Fraction(1, 2), 200),
    ],
)
def test_the_line_is_the_highest_that_the_ratings_reach_exactly(
    gunnery: int, armor: int | Fraction, line: int | None
) -> None:
    """Check rounding, edges, and ratings beyond the ends of the chart."""
    assert find_percentage_line(LINES, Fraction(gunnery), Fraction(armor), zero_is_top=True) == line


@pytest.mark.clause("AQF-GUN-5")
@pytest.mark.parametrize(
    ("options", "shot", "hits"),
    [
        ({}, "heavy rook long 1 1", ()),
        ({}, "heavy rook medium 1 1", ()),
        ({}, "heavy rook pb 1 1", ()),
        (RAISED, "heavy rook pb 1 1", ("G",)),
        (RAISED, "heavy rook pb 1 4", ()),
        (RAISED, "heavy rook medium 1 1", ()),
        (RAISED, "light rook pb 1 1", ()),
    ],
)
def test_fire_below_the_lowest_line_does_nothing_except_by_a_switch(
    options: dict[str, str], shot: str, hits: tuple[str, ...]
) -> None:
    start = battle(ship("ajax", gunnery=(1, 1)), ship("rook", "red"), **options)
    shown = result(played(start), f"fire ajax {shot}")
    assert (shown["fired"], shown["hits"], bool(shown["blast"])) == (True, hits, bool(hits))


@pytest.mark.clause("AQF-GUN-6")
@pytest.mark.parametrize(
    ("armor", "option", "line"), [(0.5, "top-line", 200), (0, "top-line", 400), (0, "as-half", 200)]
)
def test_armor_a_half_divides_and_armor_0_uses_the_top_line(armor: float, option: str, line: int) -> None:
    start = battle(ship("ajax", gunnery=(1, 1)), ship("rook", "red", armor=(armor, 10)), zero_armor=option)
    said = [reason.text for reason in reasons(played(start), "fire ajax heavy rook long 1 1")]
    assert any(f"{line}%" in text for text in said), said


HITS_200 = {
    1: "G", 2: "S", 3: "G", 4: "S", 5: "GS", 6: "SG", 7: "GS", 8: "SG", 9: "GS", 10: "SGS", 11: "GSG", 12: "",
}  # fmt: skip


@pytest.mark.clause("AQF-GUN-7")
@pytest.mark.parametrize(("white", "hits"), HITS_200.items())
def test_odd_begins_with_g_and_even_with_s_and_they_alternate(white: int, hits: str) -> None:
    assert result(played(battle()), f"fire ajax heavy rook long 12 {white}")["hits"] == tuple(hits)


@pytest.mark.clause("AQF-GUN-8")
@pytest.mark.parametrize(
    ("shot", "fine"),
    [
        ("heavy rook long", True),
        ("heavy rook long light-armor", True),
        ("light rook long", False),
        ("heavy rook medium", True),
        ("light rook medium", True),
        ("heavy rook medium light-armor", False),
        ("heavy rook pb light-armor", False),
        ("light rook medium light-armor", False),
        ("light rook pb", True),
    ],
)
def test_each_range_lets_its_batteries_fire_at_its_armor(shot: str, fine: bool) -> None:
    assert list_clauses(played(battle()), f"fire ajax {shot} 1 12") == ([] if fine else ["AQF-GUN-8"])


@pytest.mark.clause("AQF-GUN-8")
@pytest.mark.parametrize(
    ("gunnery", "shot", "line"),
    [
        (18, "heavy rook long", 150),
        (18, "heavy rook long light-armor", 75),
        (18, "heavy rook medium", 150),
        (18, "light rook medium", 50),
        (18, "heavy rook pb", 200),
        (99, "heavy rook pb", 400),
        (18, "light rook pb", 50),
    ],
)
def test_like_fires_against_like_and_heavy_one_line_up_at_point_blank(
    gunnery: int, shot: str, line: int
) -> None:
    start = battle(ship("ajax", gunnery=(gunnery, 12)), ship("rook", "red", armor=(12, 24)))
    said = [reason.text for reason in reasons(played(start), f"fire ajax {shot} 1 1")]
    assert any(text.endswith(f": {line}% line") for text in said), said


@pytest.mark.clause("AQF-GUN-9")
@pytest.mark.parametrize("second", ["fire ajax heavy rook medium 1 12", "fire ajax heavy rival medium 1 12"])
def test_a_battery_fires_once_a_phase(second: str) -> None:
    start = battle(ship("ajax"), ship("rook", "red"), ship("rival", "red"))
    assert refusal(played(start, f"fire ajax heavy rook medium {NO_SHOT}"), second) == "AQF-GUN-9"
    assert refusal(played(start, "fire ajax heavy rook medium"), second) == "AQF-GUN-9"


@pytest.mark.clause("AQF-GUN-9")
def test_two_batteries_may_have_two_targets_but_one_only_at_long_range() -> None:
    start = battle(ship("ajax"), ship("rook", "red"), ship("rival", "red"))
    session = played(start, f"fire ajax heavy rook long {NO_SHOT}")
    assert is_allowed(session, f"fire ajax light rival medium {NO_SHOT}")
    session = played(start, f"force fire ajax light rook long {NO_SHOT}")
    assert refusal(session, f"fire ajax heavy rival long {NO_SHOT}") == "AQF-GUN-9"
    assert is_allowed(session, f"fire ajax heavy rook long {NO_SHOT}")
    assert is_allowed(session, f"fire ajax heavy rival medium {NO_SHOT}")


@pytest.mark.clause("AQF-GUN-9")
def test_one_roll_for_both_batteries_is_a_switch() -> None:
    assert refusal(played(battle()), "fire ajax both rook medium 1 1") == ""
    assert is_allowed(played(battle(one_roll="yes")), "fire ajax both rook medium 1 1")
    assert refusal(played(battle(one_roll="yes")), "fire ajax both rook long 1 1") == "AQF-GUN-8"


@pytest.mark.clause("AQF-GUN-17")
@pytest.mark.parametrize(
    ("dice", "hits", "blast"),
    [
        ("1 5 1 8", ("G", "S", "S", "G"), ("R",)),
        ("4 5 1 8", ("S", "G"), ()),
        ("1 8 8", ("S", "G"), ()),
        ("4 5 8", (), ()),
    ],
)
def test_both_take_two_pairs_of_dice_heavy_first(
    dice: str, hits: tuple[str, ...], blast: tuple[str, ...]
) -> None:
    start = battle(ship("ajax", rof=(3, 7)), ship("rook", "red", armor=(10, 10)))
    session, faces = played(start), dice.split()
    shown = result(session, f"fire ajax both rook medium {dice}")
    assert shown == {"fired": bool(hits), "hits": hits, "blast": blast}
    heavy, light = " ".join(faces[:2]), " ".join(faces[2:])
    single = played(start, f"fire ajax heavy rook medium {heavy}", f"fire ajax light rook medium {light}")
    assert single.battle.ships == session.battle.ships


@pytest.mark.clause("AQF-GUN-17")
def test_a_declared_double_shot_owes_two_pairs_with_odds_by_battery() -> None:
    session = played(battle(ship("ajax", rof=(3, 7)), ship("rook", "red", armor=(10, 10))))
    seen = session.preview_order("fire ajax both rook medium")
    assert [str(die) for die in seen.dice] == [
        f"{who} {die} D12" for who in ("heavy", "light") for die in ("black", "white")
    ]
    assert {str(need) for need in seen.needs} >= {
        "heavy fires on heavy black 3 or less",
        "light fires on light black 7 or less",
    }
    assert seen.chances[0].value == 1 - Fraction(9, 12) * Fraction(5, 12)
    session.enter("fire ajax both rook medium")
    assert len(session.battle.owed[0].dice) == 4
    assert refusal(session, "fire ajax light rook medium 1 1") == "AQF-GUN-9"
    assert result(session, "roll 1 12 9")["fired"] is True


@pytest.mark.clause("AQF-GUN-17")
@pytest.mark.parametrize(("switch", "dice"), [("yes", "1 5"), ("no", "1 5 1 8")])
def test_the_hits_of_two_batteries_are_shown_apart(switch: str, dice: str) -> None:
    session = played(battle(one_roll=switch))
    told = [reason.of for reason in reasons(session, f"fire ajax both rook medium {dice}")]
    blasts = {"yes": {"blast"}, "no": {"heavy blast", "light blast"}}[switch]
    assert len(set(told)) == len(told)
    assert {"heavy white", "light white", *blasts} < set(told)
    assert {of for of in told if "blast" in of} == blasts


@pytest.mark.clause("AQF-GUN-18")
@pytest.mark.parametrize(
    "order", ["fire ajax heavy rook medium 12 12", "boats ajax boat 4", "torpedo ajax rook in 12"]
)
def test_targets_are_asked_for_only_before_the_first_dice(order: str) -> None:
    """Drop the reminder when it is too late."""
    phase = "second-gunnery" if "torpedo" in order else "first-gunnery"
    session = played(battle(ship("ajax"), ship("rook", "red"), craft("boat"), phase=phase))

    def asked() -> bool:
        return SYSTEM.advice(session.battle)[0].startswith("declare ")

    assert asked()
    session.enter("force fire rook light ajax medium")
    assert asked()
    session.enter("roll 12 12")
    assert not asked()
    said = [reason.text for reason in reasons(session, order) if reason.is_remark]
    assert all("boat gun points used" in text for text in said)
    assert "(AQF-PH-6)" in SYSTEM.advice(session.battle)[0]
    enter(session, "undo 2")
    assert asked()


@pytest.mark.clause("AQF-GUN-9")
def test_one_roll_uses_the_rof_and_line_of_each_battery_and_one_blast() -> None:
    start = battle(
        ship("ajax", rof=(3, 7), gunnery=(20, 15)), ship("rook", "red", armor=(10, 10)), one_roll="yes"
    )
    only_light = result(played(start), "fire ajax both rook medium 4 3")
    assert only_light == {"fired": True, "hits": ("G",), "blast": ("F",)}
    together = result(played(start), "fire ajax both rook medium 1 5")
    assert together == {"fired": True, "hits": ("G", "S", "G"), "blast": ("R",)}


@pytest.mark.clause("AQF-GUN-9")
def test_one_roll_leaves_each_battery_its_own_miss() -> None:
    start = battle(ship("ajax", rof=(3, 7)), ship("rook", "red"), one_roll="yes")
    session = played(start, "fire ajax both rook medium 5 12", "next")
    assert is_allowed(session, "fire ajax heavy rook medium 4 12")
    assert refusal(session, "fire ajax light rook medium 4 12") == "AQF-PH-3"
    assert refusal(session, "fire ajax both rook medium 4 12") == "AQF-PH-3"


@pytest.mark.clause("AQF-GUN-9")
def test_a_blast_of_one_roll_counts_as_the_battery_that_hit() -> None:
    """Let S of a light battery's blast not overflow as heavy fire's."""
    full = ship("rook", "red", log={"speed_hits": 8})
    start = battle(ship("ajax", rof=(1, 12)), full, one_roll="yes")
    session = played(lay_cells(start, "blast", "medium", {"13+": "S"}))
    assert changed(session, "fire ajax both rook medium 12 1") == {"rof_light": 11, "fires": 1}


@pytest.mark.clause("AQF-GUN-10")
@pytest.mark.parametrize(("which", "guns"), [("heavy", (0, 13)), ("light", (13, 0))])
def test_a_rating_of_0_means_no_battery(which: str, guns: tuple[int, int]) -> None:
    session = played(battle(ship("ajax", gunnery=guns), ship("rook", "red")))
    assert refusal(session, f"fire ajax {which} rook medium 1 1") == "AQF-GUN-10"


@pytest.mark.clause("AQF-GUN-10")
def test_a_battery_that_does_not_exist_takes_no_hit_and_no_repair() -> None:
    """Let G not fall on the printed ROF of a battery with rating 0."""
    start = battle(ship("ajax"), ship("rook", "red", gunnery=(0, 13), rof=(3, 9)), phase="repair")
    session = played(start)
    assert changed(session, "damage rook G") == {"rof_light": 8}
    session.enter("mark rook rof_heavy 1")
    assert refusal(session, "repair rook heavy 5") == "AQF-REP-1"


@pytest.mark.clause("AQF-GUN-11")
@pytest.mark.parametrize(
    ("card", "shots", "blast"),
    [
        ({}, ["heavy rook long 4 1"], ("F",)),
        ({}, ["heavy rook medium 4 1"], ("T",)),
        ({}, ["heavy rook pb 10 1"], ("F",)),
        ({}, ["heavy rook pb 12 1"], ()),
        ({}, ["light rook medium 1 1"], ("E",)),
        ({"rof": (4, 12)}, ["heavy rook long 5", "heavy rook long 4 1"], ("F",)),
        ({"rof": (1, 1)}, ["heavy rook medium 2 1"], ()),
        ({"gunnery": (1, 1)}, ["heavy rook medium 1 2"], ()),
    ],
)
def test_a_hit_brings_the_blast_of_its_range_by_the_natural_dice_together(
    card: Card, shots: list[str], blast: tuple[str, ...]
) -> None:
    session = played(battle(ship("ajax", **card), ship("rook", "red")))
    for missed in shots[:-1]:
        enter(session, f"fire ajax {missed}", "next")
    assert result(session, f"fire ajax {shots[-1]}")["blast"] == blast


@pytest.mark.clause("AQF-GUN-13")
@pytest.mark.parametrize(
    ("size", "boxes", "barred"), [(1, 5, True), (1, 4, False), (0.5, 8, True), (2, 8, False), (1, 0, False)]
)
def test_heavy_guns_are_barred_at_small_fast_vessels(size: float, boxes: int, barred: bool) -> None:
    """Do not count half as more than half, and do not spare large ships."""
    start = battle(ship("ajax"), craft("rook", size=size), phase="movement")
    session = to_phase(played(start, f"move rook {boxes}"), "first-gunnery")
    assert list_clauses(session, "fire ajax heavy rook medium 1 1") == ["AQF-GUN-13"] * barred
    assert is_allowed(session, "fire ajax light rook medium 1 1")


@pytest.mark.clause("AQF-GUN-13")
@pytest.mark.parametrize(("by", "barred"), [("printed", False), ("available", True)])
def test_half_speed_is_of_the_printed_or_by_a_switch_the_available_speed(by: str, barred: bool) -> None:
    """Move 3 boxes: more than half of the 5 that are left, but not of 8."""
    start = battle(ship("ajax"), craft("rook", log={"speed_hits": 3}), phase="movement", small_fast_by=by)
    session = to_phase(played(start, "move rook 3"), "first-gunnery")
    assert is_allowed(session, "fire ajax heavy rook medium 1 1") is not barred


@pytest.mark.clause("AQF-GUN-13", "AQF-MV-1")
def test_the_console_names_the_movement_it_assumes() -> None:
    start = battle(ship("ajax"), craft("rook", log={"speed_hits": 4}), phase="movement")
    assumed = to_phase(played(start), "first-gunnery")
    prospect = assumed.preview_order("fire ajax heavy rook medium")
    assert prospect.assumes == ("assumed: Rook moved 4 boxes (4″)",)
    assert any("assumed" in reason.text for reason in reasons(assumed, "fire ajax heavy rook medium 1 12"))
    told = to_phase(played(start, "move rook 4"), "first-gunnery")
    assert told.preview_order("fire ajax heavy rook medium").assumes == ()


@pytest.mark.clause("AQF-GUN-13", "AQF-MV-1")
def test_hits_after_the_movement_do_not_change_the_assumed_distance() -> None:
    start = battle(ship("ajax"), craft("rook"), phase="movement")
    session = to_phase(played(start), "first-gunnery")
    session.enter("damage rook S S S S S S")
    assert refusal(session, "fire ajax heavy rook medium 1 1") == "AQF-GUN-13"
    session.enter("next")
    assert "AQF-GUN-13" in list_clauses(session, "fire ajax heavy rook medium 1 1")


@pytest.mark.clause("AQF-GUN-13", "AQF-PH-2")
def test_hits_of_this_phase_do_not_make_half_of_the_available_speed_less() -> None:
    start = battle(ship("ajax"), craft("rook"), phase="movement", small_fast_by="available")
    session = to_phase(played(start, "move rook 4"), "first-gunnery")
    session.enter("damage rook S S S S")
    assert is_allowed(session, "fire ajax heavy rook medium 1 1")


@pytest.mark.clause("AQF-GUN-16")
def test_a_shot_is_recorded_in_the_order_of_its_steps() -> None:
    session = played(battle())
    entered = session.enter("fire ajax heavy rook pb 2 2")
    assert entered.ruling is not None
    decision = entered.ruling.decision
    clauses = [reason.clause for reason in decision.reasons]
    assert clauses[:4] == ["AQF-GUN-2", "AQF-GUN-5", "AQF-GUN-7", "AQF-GUN-11"]
    fields = [effect.field for effect in decision.effects if effect.field != DEALT]
    assert fields == ["fire", "rof", "speed_hits", "explosion"]


@pytest.mark.clause("AQF-GUN-16")
def test_a_cell_may_hold_several_codes_and_their_rolls_are_owed_in_its_order() -> None:
    start = lay_cells(battle(), "blast", "medium", {"13+": "E T D R"})
    session = played(start)
    assert changed(session, "fire ajax heavy rook medium 12 1") == {
        "rof_heavy": 11,
        "torpedo_reload": 5,
        "repair_points": 4,
    }
    assert owed(session) == ["explosion rook", "t-hit rook", "direction rook"]


SLOW: Card = {"rof": (6, 12)}


def build_duel(**options: str) -> Battle:
    """Build ajax with heavy ROF 6 against rook."""
    return battle(ship("ajax", **SLOW), ship("rook", "red"), **options)


@pytest.mark.clause("AQF-PH-2")
@pytest.mark.parametrize("phases", [1, 2, 5])
def test_a_shot_carried_over_uses_the_rof_at_the_start_of_its_phase(phases: int) -> None:
    session = played(build_duel(), "fire ajax heavy rook medium", "damage ajax G", *["force next"] * phases)
    assert values(session, "ajax")["rof_heavy"] == 5
    assert result(session, "roll 6 1")["fired"] is True
    assert list_differences(session.system, session.timeline, session.program) == ()


@pytest.mark.clause("AQF-PH-2")
def test_the_shot_after_one_carried_over_uses_the_rof_of_its_phase() -> None:
    session = played(
        build_duel(untried_refire="yes"), "fire ajax light rook medium", "damage ajax G", "force next"
    )
    session.enter("roll 12 12")
    assert result(session, "fire ajax heavy rook medium 6")["fired"] is False


@pytest.mark.clause("AQF-PH-2")
def test_a_correction_of_the_first_phase_reaches_a_shot_carried_over() -> None:
    session = played(build_duel(), "fire ajax heavy rook medium", "damage ajax G", "force next", "roll 6 12")
    entered = session.enter("insert 0 mark ajax rof_heavy 5")
    assert [reread.entry for reread in entered.consequences.reread] == [4]
    assert dict(session.timeline.rulings[4].decision.outcome)["fired"] is False


@pytest.mark.clause("AQF-GUN-3")
def test_a_shot_carried_over_counts_only_earlier_misses() -> None:
    """Take no miss of the next phase off its roll, and keep its own miss for the next shot."""
    session = played(build_duel(), "fire ajax heavy rook medium", "force next")
    session.enter("force fire ajax heavy rook medium 7")
    told = [reason.text for reason in reasons(session, "roll 7")]
    assert told == ["heavy ROF 7>6: misses"]


@pytest.mark.clause("AQF-PH-3")
def test_a_roll_carried_over_still_belongs_to_the_first_gunnery_phase() -> None:
    failed = played(build_duel(), "fire ajax heavy rook medium", "force next")
    assert refusal(failed, "fire ajax heavy rook medium 7 5") == "AQF-PH-3"
    failed.enter("roll 7")
    assert is_allowed(failed, "fire ajax heavy rook medium 7 5")
    passed = played(build_duel(), "fire ajax heavy rook medium", "force next", "roll 6 12")
    assert refusal(passed, "fire ajax heavy rook medium 6 5") == "AQF-PH-3"


@pytest.mark.clause("AQF-TOR-4", "AQF-TOR-7")
def test_a_torpedo_carried_over_keeps_its_target_s_motion_and_its_reload() -> None:
    session = played(battle(phase="movement"), "move rook 1", "next", "next")
    session.enter("torpedo ajax rook in")
    session.enter("damage ajax T")
    while session.battle.turn == 1:
        session.enter("force next")
    session.enter("move rook 4")
    told = [reason.text for reason in reasons(session, f"roll {question(session, 'torpedo').key} 2 7")]
    assert told[0] == "torpedo 2 -1 static target: a strike"
    assert not [text for text in told if "out of torpedoes" in text]


@pytest.mark.clause("AQF-CHA-3", "AQF-PH-2")
def test_a_cell_answered_a_phase_later_decides_the_original_shot() -> None:
    start = battle(ship("ajax", **SLOW), ship("rook", "red"), strict=True)
    session = played(start, "fire ajax heavy rook long 6 1", "damage ajax G", "force next")
    session.enter(f"answer {question(session, 'chart').key} 1")
    session.enter(f"answer {question(session, 'chart').key} none")
    assert values(session, "rook")["rof_heavy"] == 11
