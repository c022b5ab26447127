"""Corrections, logs whose rules were corrected later, and saves decided again."""

import pytest
from attrs import evolve

from qf_tui.core.corrections import as_order
from qf_tui.core.decisions import Decision, DecisionBuilder, Reason
from qf_tui.core.declarations import ChangedRuling, PreparedOrder
from qf_tui.core.errors import OrderRefused, refused
from qf_tui.core.revisions import ValueChange
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import CHECKPOINT_EVERY, Correction, Ruling, State, Timeline, build_timeline
from qf_tui.core.values import Battle, Order, Owed
from qf_tui.core.verify import DifferenceKind, list_differences
from qf_tui.document.acts import format_ruling
from qf_tui.library.systems import find_systems
from tests.core.playing import list_owed_keys, play, play_shooting, revise, start
from tests.tiny import D6, SYSTEM, Tiny


def expect_refusal(timeline: Timeline, order: str) -> str:
    with pytest.raises(OrderRefused) as refused:
        play(timeline, order)
    return str(refused.value)


def count_hull(timeline: Timeline, ship: str) -> int:
    return timeline.battle.ships[ship].count("hull")


SHOTS = ("shoot ant cat 1 3", "shoot bee cat 1 3", "shoot dog ant 1 3")


@pytest.mark.parametrize(
    ("orders", "script"),
    [
        (["undo"], [1, 2, 3]),
        (["undo 2"], [1, 2]),
        (["undo", "undo"], [1, 2]),
        (["undo", "redo"], [1, 2, 3, 4]),
        (["undo 3", "redo"], [1, 2]),
        (["undo 3", "redo 2"], [1, 2, 3]),
        (["undo", "note between", "redo"], [1, 2, 3, 4, 6]),
        (["undo", "undo", "redo", "redo"], [1, 2, 3, 4]),
        (["strike 2"], [1, 3, 4]),
        (["strike 2", "undo"], [1, 2, 3, 4]),
        (["strike 2", "undo", "redo"], [1, 3, 4]),
        (["strike 2", "restore 2"], [1, 2, 3, 4]),
        (["strike 2", "restore 2", "undo"], [1, 3, 4]),
        (["strike 2", "strike 3", "restore 2"], [1, 2, 4]),
        (["strike 2", "strike 5"], [1, 2, 3, 4]),
        (["strike 3", "redo"], [1, 2, 3, 4]),
        (["undo", "strike 2", "redo", "redo"], [1, 2, 3, 4]),
        (["shift 4 after 2"], [1, 2, 4, 3]),
        (["shift 4 after 2", "undo"], [1, 2, 3, 4]),
        (["shift 4 after 0 force"], [4, 1, 2, 3]),
        (["insert 0 note first"], [5, 1, 2, 3, 4]),
        (["insert 0 note first", "insert 0 note second"], [5, 6, 1, 2, 3, 4]),
        (["insert 2 note a", "insert 2 note b", "insert 5 note c"], [1, 2, 5, 7, 6, 3, 4]),
        (["strike 3", "insert 3 note where 3 was", "restore 3"], [1, 2, 3, 6, 4]),
    ],
)
def test_corrections_keep_the_right_entries_in_order(orders: list[str], script: list[int]) -> None:
    corrected = play(play_shooting(*SHOTS), *orders)
    assert list(corrected.play_order) == script
    assert len(corrected.log) == 4 + len(orders)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("undo 9", "only 4 entries are in force"),
        ("undo x", "how many: “x” is not a number"),
        ("undo 0", "how many: “0” is not a number"),
        ("redo", "redo: there is nothing to redo"),
        ("strike", "the number of an entry is missing"),
        ("strike 9", "there is no entry 9"),
        ("strike 0", "there is no entry 0"),
        ("strike 2 3", "strike takes no dice"),
        ("restore 2", "it is in force"),
        ("amend 2", "the order is missing"),
        ("amend 9 3", "there is no entry 9"),
        ("amend 2 ,", "not a play order"),
        ("amend 1 3", "has no dice"),
        ("amend 1 note x", "can be struck, not amended"),
        ("amend 2 next", "cannot become the end of a phase"),
        ("amend 2 undo 3", "not a play order"),
        ("amend 2 7 3", "a 7 on the black D6"),
        ("amend 2 1", "still missing white D6"),
        ("amend 2 1 2 3", "too many dice"),
        ("insert 9 note x", "there is no entry 9"),
        ("insert 2 strike 3", "not a play order"),
        ("insert 0 roll 3", "nothing is owed"),
        ("insert 2 shoot ant dog 6", "shot this phase"),
        ("shift 2", "shift N after M"),
        ("shift 2 before 3", "“before” does not belong to this order"),
        ("shift 2 after 2", "the entry itself or its answer"),
        ("shift 9 after 2", "there is no entry 9"),
        ("shift 3 after 2", "shift 3 after 2: it is there already"),
        ("shift 2 after 9", "there is no entry 9"),
    ],
)
def test_a_correction_that_names_nothing_changes_nothing(order: str, said: str) -> None:
    assert said in expect_refusal(play_shooting(*SHOTS), order)


def test_a_correction_of_a_correction_is_struck_instead() -> None:
    amended = play_shooting(*SHOTS, "amend 2 6")
    assert "is a correction; strike or restore it" in expect_refusal(amended, "amend 5 3")
    assert "is a correction" in expect_refusal(amended, "insert 5 note x")
    assert count_hull(play(amended, "strike 5"), "cat") == 1


def test_other_dice_give_another_result_and_the_order_stays() -> None:
    amended = play_shooting(*SHOTS, "amend 2 6")
    assert count_hull(amended, "cat") == 2
    assert (amended.versions[2].order.resolved, amended.versions[2].dice) == ("shoot ant cat", (6,))


def test_another_order_keeps_the_dice_that_are_left_out() -> None:
    assert count_hull(play_shooting(*SHOTS, "amend 2 shoot ant dog"), "dog") == 2
    assert count_hull(play_shooting(*SHOTS, "amend 2 shoot ant dog 6"), "dog") == 3


def test_an_amended_order_drops_unused_dice_and_owes_missing_ones() -> None:
    assert play_shooting("shoot ant cat 1 3", "amend 2 damage cat H").versions[2].dice == ()
    lacking = play_shooting("shoot ant cat 5", "amend 2 shoot ant cat raking")
    assert list_owed_keys(lacking.battle) == ["2/shoot/ant/1"]
    assert lacking.battle.owed[0].faces == (5,)
    assert count_hull(play(lacking, "roll 3"), "cat") == 2


def test_an_amended_order_may_be_forced() -> None:
    before = play_shooting(*SHOTS)
    assert "farther" in expect_refusal(before, "amend 2 shoot ant dog 9in")
    assert play(before, "amend 2 force shoot ant dog 9in").versions[2].overrode == ("T-SHO-3",)


def test_an_entry_that_is_now_refused_is_parked_until_corrected() -> None:
    parked = play_shooting("shoot ant cat 1 3", "insert 1 shoot ant dog 1 3")
    assert parked.list_in_state(State.PARKED) == (2,)
    assert parked.rulings[2].findings[0].clause == "T-SHO-1"
    assert (count_hull(parked, "cat"), count_hull(parked, "dog")) == (3, 2)
    assert count_hull(play(parked, "amend 2 force shoot ant cat"), "cat") == 2
    assert play(parked, "strike 3").list_in_state(State.PARKED) == ()


def test_unneeded_dice_are_spare_and_answer_when_their_question_returns() -> None:
    burning = play_shooting("shoot ant cat 1 6", "roll 5")
    spare = play(burning, "amend 2 1 3")
    assert spare.list_in_state(State.SPARE) == (3,)
    assert spare.battle.ships["cat"].live("fires") == ()
    back = play(spare, "amend 2 1 6")
    assert back.list_in_state(State.SPARE) == ()
    assert back.battle == burning.battle


def test_an_end_of_phase_is_never_parked() -> None:
    """Keep it although a question after it or a doubt before it is open."""
    later = play(play_shooting("shoot ant cat 6"), "next", "amend 2 1 6", "insert 1 doubt 2")
    assert later.battle.phase == "tend"
    assert list_owed_keys(later.battle) == ["2/blaze/cat/1"]
    assert later.battle.owed[0].late


def test_a_late_question_is_answered_where_it_belongs() -> None:
    """Let Cat burn when the crews begin to tend, as she would have the first time."""
    late = play(play_shooting("shoot ant cat 6", "note on"), "next", "note tending", "amend 2 1 6", "roll 5")
    assert list(late.play_order) == [1, 2, 7, 3, 4, 5]
    assert list_owed_keys(late.battle) == ["4/fire-check/cat/1"]
    right = play(play_shooting("shoot ant cat 1 6", "roll 5", "note on"), "next", "note tending")
    assert late.battle.ships["cat"].count("hull") == right.battle.ships["cat"].count("hull")
    assert late.battle.start.ships["cat"].live("fires") != ()


def test_a_question_raised_by_a_correction_is_answered_where_it_belongs() -> None:
    """Ask no roll after it again."""
    tending = play(play_shooting("shoot bee cat 1 5", "answer port"), "next", "roll 3", "tend dog 3")
    assert tending.versions[5].order.resolved == "roll 4/flood/cat/1"
    burning = play(tending, "insert 1 damage cat F", "roll 3")
    assert burning.list_in_state(State.SPARE) == ()
    assert list(burning.play_order) == [1, 7, 2, 3, 4, 8, 5, 6]


def test_a_late_question_of_a_phase_end_is_answered_before_that_end() -> None:
    late = play(play_shooting("note x"), "next", "next", "note turn 2", "insert 2 mark cat hull 0")
    assert (late.battle.turn, list_owed_keys(late.battle)) == (2, ["3/sinking/cat/1"])
    sunk = play(late, "roll 1")
    assert list(sunk.play_order) == [1, 2, 6, 3, 7, 4, 5]
    assert sunk.battle.start.ships["cat"].status == "sunk"
    assert sunk.battle.owed == ()
    assert sunk.battle.turn == 2


def test_an_end_of_phase_that_only_asked_ends_no_phase_later() -> None:
    asked = play(play_shooting("mark cat hull 0"), "next", "next", "roll 6", "next", "sail ant 2")
    assert (asked.battle.turn, asked.battle.phase) == (2, "sail")
    healed = play(asked, "strike 2")
    assert (healed.battle.turn, healed.battle.phase) == (2, "sail")
    assert (healed.list_in_state(State.PARKED), healed.list_in_state(State.SPARE)) == ((), (5,))


def test_a_late_answer_is_judged_on_the_battle_of_its_place() -> None:
    later = play(play_shooting("shoot ant cat 6"), "next", "leave cat", "amend 2 1 5", "answer port")
    assert later.battle.ships["cat"].live("leak")[0].text == "port"
    assert later.list_in_state(State.PARKED) == ()


def test_a_struck_end_of_phase_parks_the_entries_it_allowed() -> None:
    struck = play(start(), "next", "shoot ant cat 1 3", "strike 1")
    assert (struck.battle.phase, struck.list_in_state(State.PARKED)) == ("sail", (2,))
    assert play(struck, "restore 1").battle == play(start(), "next", "shoot ant cat 1 3").battle


def test_a_doubt_is_undone_like_any_act() -> None:
    doubted = play_shooting("doubt 1 really?", "settle 1")
    assert play(doubted, "undo").battle.doubts == (1,)
    assert play(doubted, "undo 2").battle.doubts == ()


def test_the_consequences_name_every_change() -> None:
    before = play_shooting("shoot ant cat 1 6", "roll 5", "shoot cat ant 3 1", "mark dog guns -1")
    told = revise(before, "amend 2 6").consequences
    assert told.kept == 2
    assert told.spare == (3,)
    assert told.changes == (ValueChange("cat", "hull", 2, 3), ValueChange("cat", "fires", 1, 0))
    assert (told.parked, told.owed, told.reread) == ((), (), ())
    slower = revise(before, "insert 0 mark cat guns 2").consequences
    assert [(one.entry, format_ruling(one.was), format_ruling(one.now)) for one in slower.reread] == [
        (4, "3 against 4: hit on Ant", "3 against 2: no hit on Ant")
    ]


def test_a_correction_without_consequences_shows_none() -> None:
    told = revise(play_shooting("shoot ant cat 6 1", "note x"), "amend 2 5 1").consequences
    assert (told.kept, told.changes, told.reread, told.owed) == (1, (), (), ())


def test_the_console_throws_only_for_an_inserted_order_that_is_accepted() -> None:
    thrown: list[int] = []

    def throw(die: object) -> int:
        thrown.append(1)
        return 1

    before = play_shooting("note x")
    with pytest.raises(OrderRefused):
        play(before, "insert 1 shoot ant ant", throw=throw)
    assert thrown == []
    assert count_hull(play(before, "insert 1 shoot ant cat", throw=throw), "cat") == 2
    assert len(thrown) == 2


@pytest.mark.parametrize(
    ("amended", "thrown"),
    [
        ("amend 2 shoot ant dog", True),
        ("amend 2 shoot ant dog 1 3", True),
        ("amend 2 1 3", True),
        ("amend 2 6", False),
        ("amend 2 shoot ant dog 6", False),
        ("amend 2 damage cat H", False),
        ("amend 2 note x", False),
    ],
)
def test_dice_count_as_thrown_by_the_console_until_others_are_typed(amended: str, thrown: bool) -> None:
    faces = iter((1, 3))
    played = play(play_shooting(), "shoot ant cat", throw=lambda die: next(faces))
    assert (played.versions[2].dice, played.versions[2].thrown) == ((1, 3), True)
    after = play(played, amended)
    assert after.versions[2].thrown is thrown
    assert play(after, "undo").versions[2].thrown is True
    assert build_timeline(after.start, after.log).versions[2].thrown is thrown


def test_an_amendment_marks_dice_that_the_console_threw() -> None:
    amended = play(play_shooting("shoot ant cat 1 6"), "amend 2 1", throw=lambda die: 3)
    assert (amended.versions[2].dice, amended.versions[2].thrown) == ((1, 3), True)


def test_a_long_battle_is_computed_from_the_nearest_checkpoint() -> None:
    many = range(CHECKPOINT_EVERY * 3 + 5)
    long = play(start(), *(f"mark {('ant', 'bee', 'cat')[at % 3]} guns {at % 7}" for at in many))
    assert sorted(long.checkpoints) == [0, 64, 128, 192, 196]
    corrected = play(long, "amend 100 mark dog guns 0", "insert 70 note x", "strike 3", "restore 3", "undo")
    read = build_timeline(corrected.start, corrected.log)
    assert read.battle == corrected.battle
    for place in (0, 1, 63, 64, 65, 99, 127, 128, 130, 197):
        assert corrected.battle_at(place) == read.battle_at(place)


@pytest.mark.parametrize(
    "order", ["insert 3 roll 1 6", "insert 3 ROLL 1 6", "insert 2 Roll 2/shoot/ant/1 1 6"]
)
def test_an_answer_may_be_inserted_without_its_key(order: str) -> None:
    """Find the same order of entries when the save is opened again."""
    waiting = play(play_shooting("shoot ant cat", "note a"), order)
    assert waiting.versions[4].order.resolved == "roll 2/shoot/ant/1"
    assert count_hull(waiting, "cat") == count_hull(play_shooting("shoot ant cat 1 6"), "cat")
    assert build_timeline(waiting.start, waiting.log) == waiting


@pytest.mark.parametrize(
    "order",
    ["undo", "undo 2", "strike 2", "amend 2 shoot ant dog 1 6", "shift 4 after 2", "shift 4 after 0 force"],
)
def test_a_correction_is_written_as_the_order_that_asks_for_it(order: str) -> None:
    """Show it in the history and by `show` in its typed form."""
    act = play(play_shooting(*SHOTS), order).log[-1]
    assert isinstance(act, Correction)
    assert as_order(act).line == order


class Milder(Tiny):
    """The tiny system after a change: a blaze no longer sets a ship on fire."""

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        if owed.line != "blaze":
            return super().prepare_roll(battle, owed)
        return PreparedOrder(dice=(D6,), missing=lambda faces: () if faces else (D6,))


MILDER = Milder()
BURNING = play_shooting("shoot ant cat 1 6", "roll 5", "shoot bee dog 1 6", "roll 5", "note x")


def count_fires(battle: Battle) -> dict[str, int]:
    return {id: len(ship.live("fires")) for id, ship in battle.ships.items() if ship.live("fires")}


def test_a_log_is_read_with_the_results_that_it_recorded() -> None:
    assert count_fires(build_timeline(BURNING.start, BURNING.log).battle) == {"cat": 1, "dog": 1}


def test_an_entry_that_only_new_rules_change_keeps_its_record() -> None:
    revision = revise(BURNING, "insert 1 note remembered", system=MILDER)
    assert revision.consequences.rules_differ == (3, 5)
    assert revision.consequences.reread == ()
    assert count_fires(revision.after.battle) == {"cat": 1, "dog": 1}


def test_an_entry_that_a_correction_changes_follows_todays_rules() -> None:
    missed = revise(BURNING, "amend 2 6", system=MILDER)
    assert missed.consequences.spare == (3,)
    assert missed.consequences.rules_differ == (5,)
    hit = revise(missed.after, "amend 2 1 6", system=MILDER)
    assert count_fires(hit.after.battle) == {"dog": 1}


@pytest.mark.parametrize(
    ("there", "back"),
    [
        ("amend 2 6", "undo"),
        ("amend 2 6", "strike 7"),
        ("strike 2", "restore 2"),
        ("strike 3", "redo"),
        ("shift 4 after 1", "undo"),
        ("undo 4", "redo 4"),
    ],
)
def test_an_undone_correction_brings_the_records_back(there: str, back: str) -> None:
    corrected = revise(BURNING, there, system=MILDER).after
    assert count_fires(revise(corrected, back, system=MILDER).after.battle) == {"cat": 1, "dog": 1}


class Declared(Milder):
    """The milder rules, with the change declared."""

    changed_rulings = (ChangedRuling("T-9", "0.2", seen_in=("fires",)),)


class Cited(Tiny):
    """Changed rules that give the changed clause as their reason."""

    changed_rulings = (ChangedRuling("T-8", "0.2"), ChangedRuling("T-9", "0.2"))

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        return PreparedOrder(dice=(D6,), decide=lambda faces, builder: builder.because("no fire", "T-9"))


class Polite(Tiny):
    """The same rules in other words."""

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        super().enter(battle, builder)
        builder.because("if you please")


def find_differences(
    system: RuleSystem, program: str = "0.1.0"
) -> dict[int, tuple[DifferenceKind, tuple[str, ...]]]:
    """List the differences in a battle with two blazes: by entry, their kind and clauses."""
    found = list_differences(system, BURNING, program)
    return {one.number: (one.kind, tuple(ruling.clause for ruling in one.by)) for one in found}


def test_a_save_of_today_s_rules_has_no_differences() -> None:
    assert list_differences(SYSTEM, BURNING, "0.1.0") == ()


@pytest.mark.parametrize("system", [Declared(), Cited()], ids=["by its fields", "by its clause"])
def test_a_difference_is_explained_by_the_ruling_that_shows_in_it(system: RuleSystem) -> None:
    """Tell a fault of the program from a changed ruling."""
    assert find_differences(system) == {
        3: (DifferenceKind.RULING, ("T-9",)),
        5: (DifferenceKind.RULING, ("T-9",)),
    }


@pytest.mark.parametrize("program", ["0.2", "0.2.0", "0.2.1", "0.10.0", "1.0.0"])
def test_a_ruling_explains_no_save_that_was_begun_under_it(program: str) -> None:
    assert set(find_differences(Declared(), program).values()) == {(DifferenceKind.OTHER, ())}


@pytest.mark.parametrize("program", ["", "0.1.0", "0.1.12", "0", "0.1.0.dev3"])
def test_a_ruling_explains_every_save_before_it(program: str) -> None:
    assert set(find_differences(Declared(), program).values()) == {(DifferenceKind.RULING, ("T-9",))}


def test_an_unexplained_difference_is_of_kind_other() -> None:
    assert set(find_differences(Milder()).values()) == {(DifferenceKind.OTHER, ())}


def test_a_difference_only_in_words_is_of_kind_words() -> None:
    played = play_shooting("next", "next")
    found = list_differences(Polite(), played, "0.1.0")
    assert [one.kind for one in found] == [DifferenceKind.WORDS] * len(found) != []


def test_another_prompt_is_a_difference_in_words() -> None:
    was = BURNING.rulings[2]
    effects = tuple(
        evolve(one, value=evolve(one.value, prompt="And now?")) if isinstance(one.value, Owed) else one
        for one in was.decision.effects
    )
    assert effects != was.decision.effects
    other = evolve(was, decision=evolve(was.decision, effects=effects))
    reworded = evolve(BURNING, rulings={**BURNING.rulings, 2: other})
    found = {one.number: one.kind for one in list_differences(SYSTEM, reworded, "0.1.0")}
    assert found == dict.fromkeys((2, 3), DifferenceKind.WORDS)


class Shy(Tiny):
    """Rules by which no shot fires, and which changed the ruling on hits."""

    changed_rulings = (ChangedRuling("T-2", "0.2"),)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        def decide(faces: tuple[int, ...], builder: DecisionBuilder) -> None:
            builder.because("misses", "T-1")

        return PreparedOrder(dice=(D6, D6), decide=decide)


def test_a_later_step_does_not_explain_an_earlier_difference() -> None:
    """Compare a shot that no longer fires: it never reaches the changed ruling on hits."""
    fired = Ruling(Decision((), (Reason("fires", "T-1"), Reason("hits", "T-2")), (("fired", True),)))
    played = play_shooting("shoot ant cat 1 2")
    played = evolve(played, rulings={**played.rulings, 2: fired})
    assert [one.kind for one in list_differences(Shy(), played, "0.1.0")] == [DifferenceKind.OTHER]


@pytest.mark.parametrize(("clause", "kind"), [("T-2", DifferenceKind.RULING), ("T-1", DifferenceKind.OTHER)])
def test_an_entry_that_is_refused_today_is_explained_by_its_clause(clause: str, kind: DifferenceKind) -> None:
    played = play_shooting("shoot ant cat 1 2")
    parked = Ruling(Decision(), State.PARKED, (refused("not so", clause),))
    played = evolve(played, rulings={**played.rulings, 2: parked})
    assert [one.kind for one in list_differences(Shy(), played, "0.1.0")] == [kind]


@pytest.mark.parametrize("system", find_systems().values(), ids=lambda system: system.name)
def test_a_changed_ruling_is_a_clause_of_its_system(system: RuleSystem) -> None:
    """Find each clause, declared once."""
    changes = [(ruling.clause, ruling.since) for ruling in system.changed_rulings]
    assert {clause for clause, _ in changes} <= set(system.clauses)
    assert len(set(changes)) == len(changes)
