"""One order on one battle: refusals, owed rolls, decisions, and the change that each effect makes."""

from collections.abc import Callable, Mapping

import pytest

from qf_tui.core.decisions import (
    DecisionBuilder,
    Effect,
    Op,
    Value,
    find_field_value,
    fold,
    with_overlay,
)
from qf_tui.core.declarations import Phase, PreparedOrder, Scale, Setup, find_usual_scale
from qf_tui.core.errors import OrderRefused
from qf_tui.core.facts import QuestionKey, is_key, read_key
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import build_flag_slot
from qf_tui.core.system import Field, RuleSystem, list_possible_orders
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Timeline, build_timeline
from qf_tui.core.values import (
    Act,
    Acts,
    Battle,
    Chart,
    ChartCell,
    ChartRow,
    Die,
    Form,
    Mark,
    Order,
    Owed,
    Provenance,
    Slot,
    replace,
)
from tests.core.playing import battle, list_owed_keys, play, play_shooting, revise, ship, start
from tests.tiny import SYSTEM


def expect_refusal(timeline: Timeline, order: str) -> OrderRefused:
    with pytest.raises(OrderRefused) as refused:
        play(timeline, order)
    return refused.value


def test_a_declaration_owes_its_dice_and_counts_at_once() -> None:
    declared = play_shooting("shoot ant cat")
    assert list_owed_keys(declared.battle) == ["2/shoot/ant/1"]
    assert declared.battle.owed[0].declared_order.resolved == "shoot ant cat"
    assert expect_refusal(declared, "shoot ant dog 6").clause == "T-SHO-1"


def test_the_roll_of_a_declaration_decides_as_the_shot_itself() -> None:
    at_once = play_shooting("shoot ant cat 1 6")
    in_two = play_shooting("shoot ant cat", "roll 1 6")
    assert in_two.battle.ships == at_once.battle.ships
    assert list_owed_keys(at_once.battle) == ["2/blaze/cat/1"]
    assert list_owed_keys(in_two.battle) == ["3/blaze/cat/1"]


def test_a_failed_black_die_needs_no_white_die() -> None:
    missed = play_shooting("shoot ant cat 6")
    assert missed.battle.owed == ()
    assert missed.rulings[2].decision.outcome == (("hits", 0),)


@pytest.mark.parametrize("order", ["shoot ant cat 2", "roll 2"])
def test_too_few_dice_are_refused_and_the_missing_ones_named(order: str) -> None:
    before = play_shooting("shoot ant cat") if order.startswith("roll") else play_shooting()
    assert "still missing white D6" in str(expect_refusal(before, order))


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("shoot ant cat 7 1", "a 7 on the black D6: its faces are 1 to 6"),
        ("shoot ant cat 0", "a 0 on the black D6"),
        ("shoot ant cat 8 1", "an 8 on the black D6"),
        ("doubt 9", "doubt 9: there is no entry 9"),
        ("doubt 0", "doubt 0: there is no entry 0"),
        ("shoot ant cat 6 13", "a 13 on the white D6"),
        ("shoot ant cat 1 2 3", "too many dice: 3 given; the order takes 2 dice: black D6, white D6"),
        ("sail ant 3 3", "sail takes no dice"),
        ("roll 3", "roll: nothing is owed"),
        ("answer port", "answer: nothing is owed"),
        ("settle 1", "1 is not in doubt"),
        ("mark ant masts 3", "no field “masts”"),
        ("mark ant hull 21", "whole number from 0 to 20"),
        ("mark ant hull -9", "whole number from 0 to 20"),
        ("mark ant leak bow", "not one of port, starboard"),
        ("damage ant X", "not H, G or F"),
        ("option masts 3", "no switch “masts”: blaze"),
        ("option blaze 5", "not one of 4-6, 6"),
        ("leave ant home", "not one of withdrawn, sunk"),
        ("chart own.toml", "could not be read"),
        ("shoot ant ant 1 1", "cannot shoot at itself"),
    ],
)
@pytest.mark.parametrize("force", ["", "force "])
def test_an_impossible_order_cannot_be_forced(order: str, said: str, force: str) -> None:
    refused = expect_refusal(play_shooting(), force + order)
    assert said in str(refused)
    assert not refused.findings[0].refused


def test_a_rule_refuses_with_its_clause_and_can_be_forced() -> None:
    before = play_shooting("shoot ant cat 6")
    assert expect_refusal(before, "shoot ant dog 9in 6").clause == "T-SHO-1"
    forced = play(before, "force shoot ant dog 9in 1 3")
    assert forced.versions[3].overrode == ("T-SHO-1", "T-SHO-3")
    assert forced.battle.ships["dog"].count("hull") == 2


def test_shots_of_one_phase_are_simultaneous() -> None:
    """Let Bee fire although she has lost her only gun."""
    before = play(start(ship("ant"), ship("bee", "south", guns=1)), "next", "shoot ant bee 1 4")
    assert before.battle.ships["bee"].count("guns") == 0
    assert play(before, "shoot bee ant 1 2").battle.ships["ant"].count("hull") == 2
    later = play(before, "next", "next", "next")
    assert expect_refusal(later, "shoot bee ant 1 2").clause == "T-SHO-2"


def test_a_hand_entry_counts_at_once() -> None:
    before = play(start(ship("ant"), ship("bee", "south", guns=1)), "next", "mark bee guns 0")
    assert expect_refusal(before, "shoot bee ant 1 2").clause == "T-SHO-2"


def test_a_question_with_words_accepts_only_its_words() -> None:
    asked = play_shooting("shoot ant cat 1 5")
    assert list_owed_keys(asked.battle) == ["2/side/cat/1"]
    assert "port or starboard" in str(expect_refusal(asked, "answer bow"))
    assert "needs words" in str(expect_refusal(asked, "roll 2/side/cat/1 3"))
    assert play(asked, "answer port").battle.ships["cat"].live("leak")[0].text == "port"


def test_a_roll_without_its_key_answers_the_first_that_wants_dice() -> None:
    asked = play_shooting("shoot ant cat 1 5", "shoot bee cat 1 6", "shoot dog bee")
    assert list_owed_keys(play(asked, "roll 6").battle) == ["2/side/cat/1", "4/shoot/dog/1"]
    assert play(asked, "roll 6").versions[5].order.resolved == "roll 3/blaze/cat/1"


def test_the_phase_end_waits_for_owed_rolls_and_doubts_unless_forced() -> None:
    asked = play_shooting("shoot ant cat 1 6", "doubt 2 was it a 6?")
    refused = expect_refusal(asked, "next")
    assert "2/blaze/cat/1" in str(refused)
    assert "still in doubt: 2" in str(refused)
    carried = play(asked, "force next")
    assert (carried.battle.phase, list_owed_keys(carried.battle)) == ("tend", ["2/blaze/cat/1"])
    assert not carried.battle.owed[0].late
    answered = play(carried, "roll 6", "settle 2", "next", "next")
    assert (answered.battle.turn, answered.battle.phase) == (2, "shoot")
    assert len(answered.battle.ships["cat"].live("fires")) == 1


def test_a_phase_asks_as_it_begins_then_follows_up_then_asks_as_it_ends() -> None:
    tending = play(play_shooting("damage cat F H H", "shoot ant cat 1 5", "answer port"), "next")
    assert list_owed_keys(tending.battle) == ["5/fire-check/cat/1"]
    leaking = play(tending, "roll 1")
    assert list_owed_keys(leaking.battle) == ["5/flood/cat/1"]
    sinking = play(leaking, "roll 3", "next")
    assert (list_owed_keys(sinking.battle), sinking.battle.phase) == (["5/sinking/cat/1"], "tend")
    sunk = play(sinking, "roll 2", "next")
    assert (sunk.battle.ships["cat"].status, sunk.battle.turn) == ("sunk", 2)


def test_leaving_a_phase_clears_its_fields() -> None:
    moved = play(start(), "sail ant 5", "next")
    assert moved.battle.ships["ant"].log["moved"] == 5
    assert play(moved, "next").battle.ships["ant"].log["moved"] is None


def test_the_console_throws_only_the_dice_that_an_accepted_order_needs() -> None:
    asked: list[Die] = []

    def throw(die: Die) -> int:
        asked.append(die)
        return 6

    with pytest.raises(OrderRefused):
        play(play_shooting(), "shoot ant ant", throw=throw)
    with pytest.raises(OrderRefused):
        play(play_shooting(), "shoot ant cat 20in", throw=throw)
    assert asked == []
    missed = play(play_shooting(), "shoot ant cat", throw=throw)
    assert [die.name for die in asked] == ["black"]
    assert missed.versions[2].dice == (6,)
    finished = play(play_shooting(), "shoot ant cat 1", throw=throw)
    assert finished.versions[2].dice == (1, 6)


@pytest.mark.parametrize(
    ("order", "thrown"),
    [("shoot ant cat", True), ("shoot ant cat 1", True), ("shoot ant cat 1 6", False), ("note x", False)],
)
def test_an_entry_says_that_the_console_threw_some_of_its_dice(order: str, thrown: bool) -> None:
    """Tell the console's dice from typed dice."""
    played = play(play_shooting(), order, throw=lambda die: 1)
    assert played.versions[2].thrown is thrown
    assert play(play_shooting(), "shoot ant cat").versions[2].thrown is False


def test_a_roll_thrown_by_the_console_is_marked_and_its_order_is_not() -> None:
    declared = play_shooting("shoot ant cat")
    rolled = play(declared, "roll", throw=lambda die: 6)
    assert [rolled.versions[number].thrown for number in (2, 3)] == [False, True]


def test_an_option_counts_from_here_on() -> None:
    strict = play_shooting("option blaze 6", "shoot ant cat 1 6", "roll 5")
    assert strict.battle.ships["cat"].live("fires") == ()
    assert strict.rulings[2].decision.reasons[0].clause == "T-FIR-1"


def test_a_chart_is_laid_over_from_here_on() -> None:
    chart = Chart("hits", "Hits", {"1": ChartRow("1", {"near": ChartCell("H")})})
    laid = revise(start(), "chart own charts.toml", overlay={"hits": chart}).after
    assert laid.battle.charts == {"hits": chart}
    assert laid.versions[1].order.resolved == "chart own charts.toml"


def test_ships_join_and_leave_by_the_umpires_word() -> None:
    before = start(ship("ant"), reserve=[ship("eel", "south")])
    joined = play(before, "join south ee", "leave eel")
    assert joined.battle.ships["eel"].status == "withdrawn"
    assert joined.battle.reserve == {}
    back = play(joined, "join south eel")
    assert back.battle.ships["eel"].status == "afloat"
    assert "Eel is in the battle already, afloat" in str(expect_refusal(back, "join south eel"))
    assert "in the battle already" in str(expect_refusal(joined, "join north eel")), "on its own side"
    assert "already, sunk" in str(expect_refusal(play(back, "leave eel sunk"), "join south eel"))


def test_a_ship_sunk_by_the_umpires_word_owes_nothing_any_more() -> None:
    assert list_owed_keys(
        play_shooting("shoot ant cat 1 6", "shoot bee dog 1 6", "leave cat sunk").battle
    ) == ["3/blaze/dog/1"]


@pytest.mark.parametrize(
    ("order", "field", "value"),
    [
        ("mark ant hull 7", "hull", 7),
        ("mark ant hull +2", "hull", 5),
        ("mark ant hull -1", "hull", 2),
        ("mark ant fires 2", "fires", 2),
        ("mark ant fires 0", "fires", 0),
        ("mark ant leak port, starboard", "leak", ["port", "starboard"]),
        ("mark ant leak none", "leak", []),
        ("mark ant status sunk", "status", "sunk"),
    ],
)
def test_any_field_is_set_by_hand(order: str, field: str, value: object) -> None:
    now = play_shooting("damage ant F", order).battle
    assert SYSTEM.report(now, now.ships["ant"])[field] == value
    assert SYSTEM.report(now.start, now.start.ships["ant"])[field] == value


def test_an_entry_keeps_the_resolved_order_and_its_dice_apart() -> None:
    order = revise(play_shooting(), "shoot A c far 6").after.versions[2].order
    assert (order.resolved, order.dice, order.line) == ("shoot ant cat far", (6,), "shoot ant cat far 6")


def test_a_hit_is_written_in_the_smallest_unit() -> None:
    effects = play_shooting("shoot ant cat 1 3").rulings[2].decision.effects
    assert [(effect.op, effect.field, effect.value) for effect in effects if effect.op is Op.ADD] == [
        (Op.ADD, "hull", -1)
    ]


FIRE = Mark("7.1", "fires")
BLAZE = Owed("7/blaze/ant/1", "blaze", "ant", "fire?", (Die(6),))
ARRIVING = ship("eel")
JOINING = Effect(Op.JOIN, "eel", "", ship("eel", "south"))


def apply_effects(*effects: Effect, entry: int = 7) -> Battle:
    """Apply effects of one entry to a default battle."""
    return fold(battle(reserve=[ARRIVING]), effects, entry)


def build_effect(op: Op, field: str, value: Value, *, hand: bool = False) -> Effect:
    return Effect(op, "ant", field, value, hand)


@pytest.mark.parametrize(
    ("op", "field", "value", "shown"),
    [
        (Op.ADD, "hull", -2, 1),
        (Op.ADD, "spotted", 1, 1),
        (Op.SET, "moved", 4, 4),
        (Op.CARD, "speed", 8, 8),
        (Op.MARK, "fires", FIRE, 1),
        (Op.STATUS, "status", "sunk", "sunk"),
    ],
)
def test_only_effects_by_hand_change_the_ship_at_the_phase_start(
    op: Op, field: str, value: Value, shown: object
) -> None:
    now, by_hand = (
        apply_effects(build_effect(op, field, value)),
        apply_effects(build_effect(op, field, value, hand=True)),
    )
    assert find_field_value(now.ships["ant"], field) == find_field_value(by_hand.ships["ant"], field) == shown
    assert now.start == battle(reserve=[ARRIVING]).start
    assert now.ships["bee"] == battle().ships["bee"]
    assert find_field_value(by_hand.start.ships["ant"], field) == shown


def test_a_lifted_mark_stays_to_be_scribbled_out() -> None:
    now = apply_effects(build_effect(Op.MARK, "fires", FIRE), build_effect(Op.LIFT, "fires", "7.1"))
    assert now.ships["ant"].live("fires") == ()
    assert [mark.lifted for mark in now.ships["ant"].marks] == [True]


def test_a_slash_is_the_difference_between_the_battle_and_its_beginning() -> None:
    now = apply_effects(build_effect(Op.ADD, "hull", -1))
    assert now.start.ships["ant"].count("hull") - now.ships["ant"].count("hull") == 1
    crossed = fold(now, [Effect(Op.PHASE, "", "shoot", (1, False))], 8)
    assert crossed.start.ships["ant"].count("hull") == crossed.ships["ant"].count("hull") == 2


def test_an_effect_on_a_missing_ship_is_ignored() -> None:
    assert apply_effects(Effect(Op.ADD, "ghost", "hull", -1)) == apply_effects()


def test_owed_rolls_queue_and_are_settled_by_their_key() -> None:
    second = Owed("7/blaze/ant/2", "blaze", "ant", "fire?", (Die(6),))
    asked = apply_effects(Effect(Op.OWE, "ant", "blaze", BLAZE), Effect(Op.OWE, "ant", "blaze", second))
    assert asked.owed == (BLAZE, second)
    assert fold(asked, [Effect(Op.SETTLE, "ant", "blaze", BLAZE.key)], 8).owed == (second,)


def test_a_new_phase_forgets_acts_older_than_the_last_turn() -> None:
    acts = [Act(turn, "shoot", "shot", "ant") for turn in (1, 2, 3)]
    remembered = apply_effects(*(Effect(Op.ACT, "ant", "shot", act) for act in acts))
    assert fold(remembered, [Effect(Op.PHASE, "", "sail", (3, False))], 9).acts == tuple(acts[1:])


@pytest.mark.parametrize(("carried", "late"), [(False, True), (True, False)])
def test_a_roll_still_owed_at_a_phase_end_is_late_unless_carried_over(carried: bool, late: bool) -> None:
    asked = apply_effects(Effect(Op.OWE, "ant", "blaze", BLAZE), Effect(Op.PHASE, "", "shoot", (1, carried)))
    assert [owed.late for owed in asked.owed] == [late]
    assert (asked.opened, asked.phase, asked.turn) == (7, "shoot", 1)


def test_a_ship_that_joins_counts_as_present_at_the_phase_start() -> None:
    now = apply_effects(JOINING)
    assert now.ships["eel"].side == now.start.ships["eel"].side == "south"
    assert now.reserve == {}


def test_a_ship_joins_a_battle_that_has_no_reserve_and_joins_it_once() -> None:
    """Need no ship in the header of the save, and repair no damage at a second join."""
    struck = fold(battle(), (JOINING, Effect(Op.ADD, "eel", "hull", -1), JOINING), 7)
    assert struck.ships["eel"].count("hull") == 2


_READ: list[tuple[Op, str, Value, Callable[[Battle], object], object]] = [
    (Op.OPTION, "blaze", "6", lambda now: now.options["blaze"], "6"),
    (Op.TABLE, "light", "dusk", lambda now: now.table["light"], "dusk"),
    (Op.DOUBT, "", 3, lambda now: now.doubts, (3,)),
]


@pytest.mark.parametrize(("op", "field", "value", "read", "shown"), _READ)
def test_an_effect_on_the_whole_battle_is_applied(
    op: Op, field: str, value: Value, read: Callable[[Battle], object], shown: object
) -> None:
    assert read(apply_effects(Effect(op, "", field, value))) == shown


def test_a_doubt_is_counted_once_and_cleared() -> None:
    doubted = apply_effects(
        Effect(Op.DOUBT, "", "", 3), Effect(Op.DOUBT, "", "", 3), Effect(Op.DOUBT, "", "", 4)
    )
    assert doubted.doubts == (3, 4)
    assert fold(doubted, [Effect(Op.CLEAR, "", "", 3)], 8).doubts == (4,)


def _build_chart(**rows: dict[str, str]) -> Chart:
    cells = {
        name: ChartRow(name, {column: ChartCell(text) for column, text in row.items()})
        for name, row in rows.items()
    }
    return Chart("hits", "Hits", cells)


def test_a_chart_laid_over_changes_its_own_cells_and_drops_rows_without_cells() -> None:
    own = Chart(
        "hits", "Own", {"1": ChartRow("1", {"b": ChartCell("X", Provenance.OWN)}), "2": ChartRow("2", {})}
    )
    laid = with_overlay(
        {"hits": _build_chart(**{"1": {"a": "S", "b": "G"}, "2": {"a": "F"}})}, {"hits": own}
    )["hits"]
    assert {name: {c: cell.text for c, cell in row.cells.items()} for name, row in laid.rows.items()} == {
        "1": {"a": "S", "b": "X"}
    }
    assert apply_effects(Effect(Op.CHART, "", "", {"hits": own})).charts == {"hits": own}


def test_a_mark_written_again_is_the_same_mark() -> None:
    """Count a mark by hand also at the start of the phase."""
    now = apply_effects(build_effect(Op.MARK, "fires", FIRE), build_effect(Op.MARK, "fires", FIRE, hand=True))
    assert now.ships["ant"].marks == now.start.ships["ant"].marks == (FIRE,)


D6 = Die(6)
HAIL = Form(
    "hail",
    "h",
    "Hail",
    (Slot("ship", kinds.SHIP, "who"), Slot("target", kinds.SHIP, "whom"), build_flag_slot("loud", "aloud")),
    phases=("sail",),
)


class Least(RuleSystem):
    """A system with only the required parts."""

    name, title = "least", "Least"
    phases = (Phase("sail", "Sail"),)
    fields = (Field("hull", "hull"), Field("fires", "fires", "marks"), Field("status", "status", "status"))
    columns = ()
    forms = (HAIL,)

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {}

    def prepare(self, battle: object, order: Order) -> PreparedOrder:
        return PreparedOrder()


def test_a_system_must_define_how_ships_muster_and_what_orders_do() -> None:
    """Notice a missing part before a battle begins."""

    class Less(RuleSystem):
        """Nothing at all."""

    with pytest.raises(TypeError, match="abstract"):
        Less()  # type: ignore[abstract]  # the fault itself


def test_optional_parts_of_a_system_do_nothing_by_default() -> None:
    start, system = battle(), Least()
    ship = start.ships["ant"]
    assert system.prepare_damage(start, "ant", ("H",)).findings[0].text == "Least has no damage codes"
    assert (system.advice(start), system.sheet(start, ship), system.ended(start)) == ((), (), "")
    assert system.report(start, ship) == {"hull": ship.log["hull"], "fires": 0, "status": "afloat"}
    assert system.on_table(start, start) == ()
    gone = start.with_ship(replace(ship, status="sunk"))
    assert system.on_table(start, gone) == ((ship.side, f"{ship.name}: SUNK: remove the model"),)
    assert system.on_table(gone, start) == (
        (ship.side, f"{ship.name}: afloat again: put it back on the table"),
    )
    ended = play(build_timeline(start, ()), "next", system=system).battle
    assert (ended.turn, ended.owed) == (2, ()), "a phase that begins asks nothing"


def test_by_default_a_ship_may_act_if_some_order_is_accepted() -> None:
    start = battle()
    assert {one.ship for one in Least().may_act(start)} == set(start.ships)
    assert {one.order for one in Least().may_act(start)} == {"hail"}


def test_a_result_needs_all_dice_by_default() -> None:
    ready = PreparedOrder(dice=(D6, D6))
    assert [ready.missing(faces) for faces in ((), (4,), (4, 4))] == [(D6, D6), (D6,), ()]
    assert replace(ready, prompt="go").prompt == "go"
    with pytest.raises(TypeError):
        PreparedOrder((), (D6,))  # type: ignore[call-arg]  # the fault itself


def test_the_orders_of_a_form_are_tried_with_each_target_and_each_flag_alone() -> None:
    start = battle()
    found = [order.resolved for order in list_possible_orders(HAIL, start, start.ships["ant"])]
    plain = [f"hail ant {id}" for id in start.ships]
    assert found == [*plain, *(f"{order} loud" for order in plain)]


def test_a_form_that_no_ship_acts_in_has_no_order_of_a_ship() -> None:
    start = battle()
    sides = Form("parley", "", "Parley", (Slot("side", kinds.SIDE, "who"),))
    words = Form("sing", "", "Sing", (Slot("ship", kinds.SHIP, "who"), Slot("song", kinds.TEXT, "what")))
    assert not [
        *list_possible_orders(sides, start, start.ships["ant"]),
        *list_possible_orders(words, start, start.ships["ant"]),
    ]


def test_the_usual_scale_is_the_one_marked_or_the_first() -> None:
    small, large = Scale("small", "in", "in"), Scale("large", "in", "in")
    assert find_usual_scale((small, large)) is small
    assert find_usual_scale((small, Scale("large", "in", "in", usual=True))).name == "large"


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("12/direction/borodino/1", QuestionKey(12, "direction", "borodino")),
        ("0/initiative//2", QuestionKey(0, "initiative", "", 2)),
        ("7/check/fire/fuji/3", QuestionKey(7, "check/fire", "fuji", 3)),
    ],
)
def test_a_key_is_read_as_it_was_written(written: str, key: QuestionKey) -> None:
    assert read_key(written) == key
    assert str(key) == written
    assert is_key(written)


@pytest.mark.parametrize(
    ("written", "key"), [("5", QuestionKey(5)), ("5/direction", QuestionKey(5, "direction"))]
)
def test_the_end_of_a_key_may_be_left_out(written: str, key: QuestionKey) -> None:
    assert read_key(written) == key


@pytest.mark.parametrize("written", ["", "/", "direction/borodino/1", "-1/x", "1234567890/x", "٣/x"])
def test_a_text_without_an_entry_number_is_no_key(written: str) -> None:
    assert not is_key(written)
    assert read_key(written) == QuestionKey()


def test_questions_of_one_cause_have_different_keys() -> None:
    first = DecisionBuilder(battle(), 3)
    first.owe("critical", "ant", "critical hit on Ant", cause=2)
    second = DecisionBuilder(first.battle, 4)
    assert second.owe("critical", "ant", "critical hit on Ant", cause=2).key == "2/critical/ant/2"


def test_a_new_act_is_found_without_searching_all_acts() -> None:
    acts, later = Acts([Act(1, "fire", "shot", id) for id in "aba"]), Act(2, "fire", "shot", "b")
    assert [len(found) for found in acts.by_ship.values()] == [2, 1]
    more = Acts.join_act(acts, later)
    assert more.by_ship == Acts(more).by_ship == Acts((*acts, later)).by_ship
    assert len(acts.by_ship["shot", "b"]) == 1
