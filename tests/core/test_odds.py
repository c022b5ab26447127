"""Chances, needs and outcomes against a count of every throw, and the worth of ships."""

from fractions import Fraction
from itertools import product

import pytest
from attrs import evolve

from qf_tui.core.decide import prepare_entry
from qf_tui.core.decisions import DecisionBuilder, Reason
from qf_tui.core.declarations import (
    AFLOAT_ALONE,
    Measure,
    Need,
    PreparedOrder,
    ResultKind,
    Worth,
    WorthPart,
    find_result_kind,
    list_damage_kinds,
    list_losses,
)
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.odds import Needed, compute_chances, format_faces, list_needs, list_outcomes, list_throws
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Version
from qf_tui.core.values import SUNK, WITHDRAWN, Battle, Die, Faces, Mark, Order, Owed
from tests.core.playing import battle, parse, ship
from tests.corrections.scripts import build_two_a_side
from tests.features.report.battles import JUDGED, load_golden
from tests.tiny import SHOOT, SYSTEM

D6 = Die(6)


@pytest.mark.parametrize("guns", range(6))
@pytest.mark.parametrize("raking", ["", "raking"])
def test_the_chances_of_a_shot_are_those_of_all_its_throws(guns: int, raking: str) -> None:
    here = battle(ship("ant", guns=guns), ship("cat", "south"))
    ready = SYSTEM.prepare(here, parse(f"shoot ant cat {raking}", {"shoot": SHOOT}, here))
    need = guns + (raking == "raking")
    hits = Fraction(sum(black <= need for black, _ in product(range(1, 7), repeat=2)), 36)
    hulls = Fraction(sum(b <= need and w != 4 for b, w in product(range(1, 7), repeat=2)), 36)
    assert [chance.value for chance in compute_chances(ready)] == [hits, hulls]


def test_dice_already_thrown_are_not_thrown_again() -> None:
    here = battle()
    ready = SYSTEM.prepare(here, parse("shoot ant cat", {"shoot": SHOOT}, here))
    assert [chance.value for chance in compute_chances(ready, (1,))] == [1, Fraction(5, 6)]
    assert list(list_throws(ready, (6,))) == [((1, 1), (6,))]


def test_a_pool_weighs_each_throw_by_its_frequency() -> None:
    ready = PreparedOrder(
        dice=(D6,) * 4,
        missing=lambda faces: (D6,) * (4 - len(faces)),
        judge=lambda faces: (sum(face >= 5 for face in faces), int(max(faces) == 6)),
        odds=(Measure("hits", 0, mean=True), Measure("a six", 1)),
    )
    every = list(product(range(1, 7), repeat=4))
    sixes = Fraction(sum(max(faces) == 6 for faces in every), len(every))
    assert [chance.value for chance in compute_chances(ready)] == [Fraction(4, 3), sixes]


def test_a_pool_that_asks_for_more_dice_is_thrown_to_its_end() -> None:
    """Throw two dice, and a third after a double."""

    def missing(faces: Faces) -> tuple[Die, ...]:
        wanted = 3 if len(faces) >= 2 and faces[0] == faces[1] else 2
        return (D6,) * (wanted - len(faces))

    ready = PreparedOrder(
        dice=(D6,) * 3,
        missing=missing,
        judge=lambda faces: (int(len(faces) == 3 and faces[2] == 6),),
        odds=(Measure("six", 0),),
    )
    assert [chance.value for chance in compute_chances(ready)] == [Fraction(1, 36)]
    assert sum(Fraction(*weight) for weight, _ in list_throws(ready)) == 1


def test_an_order_without_odds_or_with_too_many_dice_shows_no_chances() -> None:
    assert compute_chances(PreparedOrder()) == ()
    many = PreparedOrder(dice=(D6,) * 20, missing=lambda faces: (D6,) * 20, odds=(Measure("hits", 0),))
    assert compute_chances(many) == ()


BLACK, WHITE = Die(6, "black"), Die(6, "white")


def _list_full_throws(ready: PreparedOrder, given: Faces = ()) -> list[Faces]:
    """List every complete throw, die by die."""
    missing = ready.missing(given)
    if not missing:
        return [given]
    return [faces for face in missing[0].faces for faces in _list_full_throws(ready, (*given, face))]


def _check_need(ready: PreparedOrder, need: Need, told: Needed, faces: Faces) -> None:
    judged = ready.judge(faces)
    if len(faces) > max(need.dice) and (need.when is None or judged[need.when]):
        total = sum(faces[place] for place in need.dice)
        assert (total in told.faces) == bool(judged[need.place]), (need, faces)
        assert total in told.of


@pytest.mark.parametrize("name", JUDGED)
def test_the_faces_of_a_need_are_exactly_the_successful_ones(name: str) -> None:
    """Compare each need with the decision of the dice."""
    system, timeline = load_golden(name)
    seen: set[tuple[str, ...]] = set()
    for place, number in enumerate(timeline.play_order):
        order = timeline.versions[number].order
        ready = _prepare_without_dice(system, timeline.battle_at(place), order)
        if ready is not None and ready.needs and not ready.findings and len(ready.dice) < 5:
            named = {each.does: each for each in list_needs(ready)}
            throws = _list_full_throws(ready) if len(seen) < 60 else []
            for need in ready.needs:
                if need.does in named and not need.each:
                    for faces in throws:
                        _check_need(ready, need, named[need.does], faces)
            seen.add((order.word, *(str(each) for each in named.values())))
    assert len({word for word, *_ in seen}) > 1


def _prepare_without_dice(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder | None:
    """Prepare an order without its dice, or return None if it is refused without them."""
    try:
        return prepare_entry(system, battle, Version(order.without_dice)).prepared
    except (OrderRefused, KeyError):
        return None


def test_a_result_that_depends_on_other_dice_is_not_named() -> None:
    ready = PreparedOrder(
        dice=(BLACK, WHITE),
        judge=lambda faces: (int(faces[0] <= 3), int(faces[1] <= faces[0])),
        needs=(Need("fires"), Need("hits", 1, (1,))),
    )
    assert [str(one) for one in list_needs(ready)] == ["fires on black 3 or less"]


def test_a_need_assumes_that_the_rolls_before_it_succeed() -> None:
    def missing(faces: Faces) -> tuple[Die, ...]:
        return (BLACK, WHITE)[len(faces) :] if not faces or faces[0] <= 2 else ()

    ready = PreparedOrder(
        dice=(BLACK, WHITE),
        missing=missing,
        judge=lambda faces: (int(faces[0] <= 2), int(len(faces) > 1 and faces[1] in (1, 2, 5))),
        needs=(Need("fires"), Need("hits", 1, (1,), when=0, at="150% line")),
    )
    assert [str(one) for one in list_needs(ready)] == [
        "fires on black 2 or less",
        "hits on white 2 or less, 5 (150% line)",
    ]
    assert [str(one) for one in list_needs(ready, (1,))] == ["hits on white 2 or less, 5 (150% line)"]
    assert list_needs(ready, (6,)) == ()


def test_totals_and_dice_of_a_pool_are_named_as_such() -> None:
    two = PreparedOrder(
        dice=(D6, D6), judge=lambda f: (int(sum(f) in (4, 5)),), needs=(Need("mends", 0, (0, 1)),)
    )
    assert str(*list_needs(two)) == "mends on total 4-5"
    pool = PreparedOrder(
        dice=(D6,) * 9, judge=lambda f: (sum(face > 4 for face in f),), needs=(Need("hits", each=True),)
    )
    assert str(*list_needs(pool)) == "hits on each die 5 or more"


@pytest.mark.parametrize(
    ("faces", "text"),
    [((1,), "1"), ((1, 2), "2 or less"), ((3, 4, 6), "3-4, 6"), ((2, 5, 6), "2, 5 or more"), ((), "none")],
)
def test_faces_are_formatted_as_ranges(faces: tuple[int, ...], text: str) -> None:
    assert format_faces(faces, tuple(range(1, 7))) == text


def test_no_face_and_every_face() -> None:
    assert str(Needed("fires", "black", (), (1, 2))) == "never fires"
    assert str(Needed("fires", "black", (1, 2), (1, 2))) == "always fires"


SINKS = Owed("0/sinking/ant/1", "sinking", "ant", "does Ant sink?", (D6,))


def _decide_sinking(faces: Faces, builder: DecisionBuilder) -> None:
    if faces[0] <= 2:
        builder.add("ant", "hull", -1)
    word = "sinks" if faces[0] <= 2 else "stays"
    builder.because(word, of="Ant with 2 holes:", roll=f"{faces[0]}{'≤' if faces[0] <= 2 else '>'}2")


CHECK = PreparedOrder(dice=(D6,), decide=_decide_sinking)


def test_neighbouring_faces_of_one_effect_are_listed_together() -> None:
    told = list_outcomes(battle(), SINKS, CHECK)
    assert [str(one) for one in told] == ["1–2 sinks", "3–6 stays"]


def test_the_outcomes_of_a_check_follow_its_decisions() -> None:
    ready = SYSTEM.prepare_roll(battle(), SINKS)
    assert [(one.least, one.most) for one in list_outcomes(battle(), SINKS, ready)] == [(1, 3), (4, 6)]


def test_faces_of_one_effect_with_different_words_are_listed_apart() -> None:
    """Keep different words of cells that have the same effect now."""
    named = evolve(CHECK, decide=lambda faces, builder: builder.because("R" if faces[0] < 4 else "T"))
    assert [str(one) for one in list_outcomes(battle(), SINKS, named)] == ["1–3 R", "4–6 T"]


def test_only_a_roll_with_one_die_left_lists_outcomes() -> None:
    two = evolve(CHECK, missing=lambda faces: (D6, D6)[len(faces) :])
    assert list_outcomes(battle(), SINKS, two) == ()
    thrown = evolve(SINKS, faces=(4,))
    assert len(list_outcomes(battle(), thrown, evolve(two, decide=lambda faces, builder: None))) == 1


def test_a_reason_reads_as_one_sentence_of_its_parts() -> None:
    said = {
        "burns on": Reason("burns on"),
        "torpedo 4: a strike": Reason("a strike", of="torpedo", roll="4"),
        "Ant with 2 holes: 1≤2, sinks": Reason("sinks", of="Ant with 2 holes:", roll="1≤2"),
        "Ant repairs, 7: nothing": Reason("nothing", of="Ant repairs,", roll="7"),
        "white 4≤5, hits": Reason("hits", of="white", roll="4≤5,"),
        "Ant: by hand": Reason("by hand", of="Ant"),
        "Ant turns 90° left": Reason("turns 90° left", subject="Ant"),
        "both throw 3: again": Reason("again", roll="both throw 3"),
    }
    assert {words: reason.text for words, reason in said.items()} == {words: words for words in said}


def test_a_reason_of_an_older_save_equals_one_in_parts() -> None:
    """Read the whole sentences of old saves without a difference in decisions."""
    parts = Reason("a strike", "T-1", of="torpedo", roll="4")
    assert Reason("torpedo 4: a strike", "T-1") == parts
    assert hash(Reason("torpedo 4: a strike", "T-1")) == hash(parts)
    assert Reason("torpedo 5: a strike", "T-1") != parts
    assert Reason("torpedo 4: a strike") != parts
    assert Reason("Ant turns 90° left", "T-2") == Reason("turns 90° left", "T-2", subject="Ant")


WORTH = Worth(
    (
        WorthPart("hull", "the ship herself", 5, lambda ship: 1),
        WorthPart("fires", "each fire", 2, lambda ship: len(ship.marks), less=True),
        WorthPart("name", "each letter of her name", 0, lambda ship: 1 / 0),
    )
)


@pytest.mark.parametrize(
    ("status", "fires", "weights", "worth"),
    [
        ("afloat", 0, {}, 5),
        ("afloat", 2, {}, 1),
        ("afloat", 3, {}, 0),
        ("afloat", 1, {"fires": 0.5}, 4.5),
        ("afloat", 1, {"hull": 0}, 0),
        (WITHDRAWN, 0, {}, 5),
        (SUNK, 0, {}, 0),
        ("aground", 0, {}, 0),
    ],
)
def test_a_ship_is_worth_the_sum_of_her_parts_and_never_less_than_nothing(
    status: str, fires: int, weights: dict[str, float], worth: float
) -> None:
    ship = build_two_a_side().ships["rook"]
    burning = evolve(ship, status=status, marks=(*ship.marks, *(Mark("1/fires/1", "fires"),) * fires))
    assert WORTH.replace_weights(weights).value_ship(burning) == worth


def test_weights_are_checked_by_part_and_listed_as_text() -> None:
    with pytest.raises(QfError, match="no part hul; the parts are hull, fires, name"):
        WORTH.replace_weights({"hul": 3, "hull": 1})
    assert list(WORTH.list_parts()) == ["5 for the ship herself", "less 2 for each fire"]
    battle = build_two_a_side()
    assert AFLOAT_ALONE.value_side(battle, "red") == sum(ship.side == "red" for ship in battle.ships.values())


@pytest.mark.parametrize(
    ("outcome", "counted"),
    [
        ({}, 0),
        ({"hits": ("S", "G")}, 2),
        ({"hits": ("out", "S")}, 1),
        ({"hits": "G"}, 1),
        ({"hits": True}, 1),
        ({"hits": 3, "blast": ("E",), "points": 9}, 4),
        ({"hits": None}, 0),
    ],
)
def test_results_are_counted_from_the_outcome(
    outcome: dict[str, Scalar | tuple[str, ...]], counted: int
) -> None:
    kind = ResultKind("guns", "damage", ("fire",), ("hits", "blast"), each=lambda code: int(code != "out"))
    assert kind.count_results(outcome) == counted


def test_the_first_kind_of_a_line_counts_and_damage_is_named() -> None:
    guns, fires = ResultKind("guns", "", ("fire",), (), damage=True), ResultKind("fires", "", ("check",), ())
    assert (find_result_kind((guns, fires), "check"), find_result_kind((guns, fires), "next")) == (
        fires,
        None,
    )
    assert list_damage_kinds((guns, fires)) == ("guns",)


@pytest.mark.parametrize(
    ("was", "became", "said"),
    [
        ("afloat", SUNK, ["{} sinks"]),
        ("afloat", "aground", ["{} is aground"]),
        ("aground", "afloat", []),
        (SUNK, SUNK, []),
    ],
)
def test_a_loss_is_reported_when_a_ship_is_lost(was: str, became: str, said: list[str]) -> None:
    start = build_two_a_side()
    rook = start.ships["rook"]
    before, after = (start.with_ship(evolve(rook, status=status)) for status in (was, became))
    found = list(list_losses(before, after))
    assert [(one.text, one.ship, one.lost) for one in found] == [
        (text.format(rook.name), "rook", True) for text in said
    ]
