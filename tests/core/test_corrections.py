"""Corrections, logs whose rules have been mended since, and saves decided again."""

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
from tests.core.playing import keys, play, revise, shooting, start
from tests.tiny import D6, SYSTEM, Tiny


def refusal(timeline: Timeline, order: str) -> str:
    with pytest.raises(OrderRefused) as refused:
        play(timeline, order)
    return str(refused.value)


def hull(timeline: Timeline, ship: str) -> int:
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
def test_what_is_in_force_and_in_which_order(orders: list[str], script: list[int]) -> None:
    corrected = play(shooting(*SHOTS), *orders)
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
        ("shift 3 after 2", "shift 3 after 2: it stands there already"),
        ("shift 2 after 9", "there is no entry 9"),
    ],
)
def test_a_correction_that_names_nothing_changes_nothing(order: str, said: str) -> None:
    assert said in refusal(shooting(*SHOTS), order)


def test_a_correction_of_a_correction_is_struck_instead() -> None:
    amended = shooting(*SHOTS, "amend 2 6")
    assert "is a correction; strike or restore it" in refusal(amended, "amend 5 3")
    assert "is a correction" in refusal(amended, "insert 5 note x")
    assert hull(play(amended, "strike 5"), "cat") == 1


def test_other_dice_give_another_result_and_the_order_stays() -> None:
    amended = shooting(*SHOTS, "amend 2 6")
    assert hull(amended, "cat") == 2
    assert (amended.versions[2].order.resolved, amended.versions[2].dice) == ("shoot ant cat", (6,))


def test_another_order_keeps_the_dice_that_are_left_out() -> None:
    assert hull(shooting(*SHOTS, "amend 2 shoot ant dog"), "dog") == 2
    assert hull(shooting(*SHOTS, "amend 2 shoot ant dog 6"), "dog") == 3


def test_kept_dice_that_the_new_order_has_no_use_for_are_let_go_and_those_it_lacks_are_owed() -> None:
    assert shooting("shoot ant cat 1 3", "amend 2 damage cat H").versions[2].dice == ()
    lacking = shooting("shoot ant cat 5", "amend 2 shoot ant cat raking")
    assert keys(lacking.battle) == ["2/shoot/ant/1"]
    assert lacking.battle.owed[0].faces == (5,)
    assert hull(play(lacking, "roll 3"), "cat") == 2


def test_an_amended_order_may_be_forced() -> None:
    before = shooting(*SHOTS)
    assert "farther" in refusal(before, "amend 2 shoot ant dog 9in")
    assert play(before, "amend 2 force shoot ant dog 9in").versions[2].overrode == ("T-SHO-3",)


def test_an_entry_that_a_rule_now_refuses_is_parked_until_it_is_mended() -> None:
    parked = shooting("shoot ant cat 1 3", "insert 1 shoot ant dog 1 3")
    assert parked.list_in_state(State.PARKED) == (2,)
    assert parked.rulings[2].findings[0].clause == "T-SHO-1"
    assert (hull(parked, "cat"), hull(parked, "dog")) == (3, 2)
    assert hull(play(parked, "amend 2 force shoot ant cat"), "cat") == 2
    assert play(parked, "strike 3").list_in_state(State.PARKED) == ()


def test_dice_that_nobody_asks_for_are_spare_and_answer_when_the_question_comes_back() -> None:
    burning = shooting("shoot ant cat 1 6", "roll 5")
    spare = play(burning, "amend 2 1 3")
    assert spare.list_in_state(State.SPARE) == (3,)
    assert spare.battle.ships["cat"].live("fires") == ()
    back = play(spare, "amend 2 1 6")
    assert back.list_in_state(State.SPARE) == ()
    assert back.battle == burning.battle


def test_an_end_of_phase_is_never_parked() -> None:
    """Neither what is owed behind it nor a doubt ahead of it takes it back."""
    later = play(shooting("shoot ant cat 6"), "next", "amend 2 1 6", "insert 1 doubt 2")
    assert later.battle.phase == "tend"
    assert keys(later.battle) == ["2/blaze/cat/1"]
    assert later.battle.owed[0].late


def test_a_late_question_is_answered_where_it_belongs() -> None:
    """Cat burns as the crews begin to tend, as she would have the first time."""
    late = play(shooting("shoot ant cat 6", "note on"), "next", "note tending", "amend 2 1 6", "roll 5")
    assert list(late.play_order) == [1, 2, 7, 3, 4, 5]
    assert keys(late.battle) == ["4/fire-check/cat/1"]
    right = play(shooting("shoot ant cat 1 6", "roll 5", "note on"), "next", "note tending")
    assert late.battle.ships["cat"].count("hull") == right.battle.ships["cat"].count("hull")
    assert late.battle.start.ships["cat"].live("fires") != ()


def test_a_question_of_this_phase_that_a_correction_brings_up_is_answered_where_it_belongs_too() -> None:
    """So that what was rolled behind it is not asked anew."""
    tending = play(shooting("shoot bee cat 1 5", "answer port"), "next", "roll 3", "tend dog 3")
    assert tending.versions[5].order.resolved == "roll 4/flood/cat/1"
    burning = play(tending, "insert 1 damage cat F", "roll 3")
    assert burning.list_in_state(State.SPARE) == ()
    assert list(burning.play_order) == [1, 7, 2, 3, 4, 8, 5, 6]


def test_what_the_end_of_a_phase_asks_late_is_answered_before_that_end() -> None:
    late = play(shooting("note x"), "next", "next", "note turn 2", "insert 2 mark cat hull 0")
    assert (late.battle.turn, keys(late.battle)) == (2, ["3/sinking/cat/1"])
    sunk = play(late, "roll 1")
    assert list(sunk.play_order) == [1, 2, 6, 3, 7, 4, 5]
    assert sunk.battle.start.ships["cat"].status == "sunk"
    assert sunk.battle.owed == ()
    assert sunk.battle.turn == 2


def test_an_end_of_phase_that_only_asked_does_not_end_a_phase_when_it_has_nothing_to_ask() -> None:
    asked = play(shooting("mark cat hull 0"), "next", "next", "roll 6", "next", "sail ant 2")
    assert (asked.battle.turn, asked.battle.phase) == (2, "sail")
    healed = play(asked, "strike 2")
    assert (healed.battle.turn, healed.battle.phase) == (2, "sail")
    assert (healed.list_in_state(State.PARKED), healed.list_in_state(State.SPARE)) == ((), (5,))


def test_a_late_answer_is_judged_where_it_belongs_and_not_on_the_battle_now() -> None:
    later = play(shooting("shoot ant cat 6"), "next", "leave cat", "amend 2 1 5", "answer port")
    assert later.battle.ships["cat"].live("leak")[0].text == "port"
    assert later.list_in_state(State.PARKED) == ()


def test_a_struck_end_of_phase_parks_what_it_made_possible() -> None:
    struck = play(start(), "next", "shoot ant cat 1 3", "strike 1")
    assert (struck.battle.phase, struck.list_in_state(State.PARKED)) == ("sail", (2,))
    assert play(struck, "restore 1").battle == play(start(), "next", "shoot ant cat 1 3").battle


def test_a_doubt_is_undone_like_any_act() -> None:
    doubted = shooting("doubt 1 really?", "settle 1")
    assert play(doubted, "undo").battle.doubts == (1,)
    assert play(doubted, "undo 2").battle.doubts == ()


def test_the_consequences_name_what_stands_otherwise() -> None:
    before = shooting("shoot ant cat 1 6", "roll 5", "shoot cat ant 3 1", "mark dog guns -1")
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
    told = revise(shooting("shoot ant cat 6 1", "note x"), "amend 2 5 1").consequences
    assert (told.kept, told.changes, told.reread, told.owed) == (1, (), (), ())


def test_the_console_throws_what_an_inserted_order_needs_and_nothing_for_one_refused() -> None:
    thrown: list[int] = []

    def throw(die: object) -> int:
        thrown.append(1)
        return 1

    before = shooting("note x")
    with pytest.raises(OrderRefused):
        play(before, "insert 1 shoot ant ant", throw=throw)
    assert thrown == []
    assert hull(play(before, "insert 1 shoot ant cat", throw=throw), "cat") == 2
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
def test_dice_that_the_console_threw_are_its_own_until_others_are_typed(amended: str, thrown: bool) -> None:
    faces = iter((1, 3))
    played = play(shooting(), "shoot ant cat", throw=lambda die: next(faces))
    assert (played.versions[2].dice, played.versions[2].thrown) == ((1, 3), True)
    after = play(played, amended)
    assert after.versions[2].thrown is thrown
    assert play(after, "undo").versions[2].thrown is True
    assert build_timeline(after.start, after.log).versions[2].thrown is thrown


def test_what_the_console_throws_for_an_amendment_is_told_of_it() -> None:
    amended = play(shooting("shoot ant cat 1 6"), "amend 2 1", throw=lambda die: 3)
    assert (amended.versions[2].dice, amended.versions[2].thrown) == ((1, 3), True)


def test_a_long_battle_is_folded_from_a_battle_kept_on_the_way() -> None:
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
    """The faults it catches: a traceback, and an answer laid out otherwise when its save is opened again."""
    waiting = play(shooting("shoot ant cat", "note a"), order)
    assert waiting.versions[4].order.resolved == "roll 2/shoot/ant/1"
    assert hull(waiting, "cat") == hull(shooting("shoot ant cat 1 6"), "cat")
    assert build_timeline(waiting.start, waiting.log) == waiting


@pytest.mark.parametrize(
    "order",
    ["undo", "undo 2", "strike 2", "amend 2 shoot ant dog 1 6", "shift 4 after 2", "shift 4 after 0 force"],
)
def test_a_correction_is_written_as_the_order_that_asks_for_it(order: str) -> None:
    """Catches a correction that history and `show` write otherwise than it is typed."""
    act = play(shooting(*SHOTS), order).log[-1]
    assert isinstance(act, Correction)
    assert as_order(act).line == order


class Milder(Tiny):
    """Tiny as mended: no blaze sets a ship on fire any more."""

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        if owed.line != "blaze":
            return super().prepare_roll(battle, owed)
        return PreparedOrder(dice=(D6,), missing=lambda faces: () if faces else (D6,))


MILDER = Milder()
BURNING = shooting("shoot ant cat 1 6", "roll 5", "shoot bee dog 1 6", "roll 5", "note x")


def fires(battle: Battle) -> dict[str, int]:
    return {id: len(ship.live("fires")) for id, ship in battle.ships.items() if ship.live("fires")}


def test_a_log_is_read_with_the_results_that_it_recorded() -> None:
    assert fires(build_timeline(BURNING.start, BURNING.log).battle) == {"cat": 1, "dog": 1}


def test_what_only_the_rules_change_keeps_its_record_and_is_named() -> None:
    revision = revise(BURNING, "insert 1 note remembered", system=MILDER)
    assert revision.consequences.rules_differ == (3, 5)
    assert revision.consequences.reread == ()
    assert fires(revision.after.battle) == {"cat": 1, "dog": 1}


def test_what_the_correction_itself_changes_is_decided_by_the_rules_of_today() -> None:
    missed = revise(BURNING, "amend 2 6", system=MILDER)
    assert missed.consequences.spare == (3,)
    assert missed.consequences.rules_differ == (5,)
    hit = revise(missed.after, "amend 2 1 6", system=MILDER)
    assert fires(hit.after.battle) == {"dog": 1}


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
def test_a_correction_taken_back_brings_the_records_back(there: str, back: str) -> None:
    corrected = revise(BURNING, there, system=MILDER).after
    assert fires(revise(corrected, back, system=MILDER).after.battle) == {"cat": 1, "dog": 1}


class Declared(Milder):
    """The milder rules, which say that a blaze no longer sets fires."""

    changed_rulings = (ChangedRuling("T-9", "0.2", seen_in=("fires",)),)


class Cited(Tiny):
    """Rules as mended whose changed clause is that of the reason which they give."""

    changed_rulings = (ChangedRuling("T-8", "0.2"), ChangedRuling("T-9", "0.2"))

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        return PreparedOrder(dice=(D6,), decide=lambda faces, builder: builder.because("no fire", "T-9"))


class Polite(Tiny):
    """The rules with other words for the same."""

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        super().enter(battle, builder)
        builder.because("if you please")


def kinds(system: RuleSystem, program: str = "0.1.0") -> dict[int, tuple[DifferenceKind, tuple[str, ...]]]:
    """What differs in a battle with two blazes, by entry: of which kind, and by which clauses."""
    found = list_differences(system, BURNING, program)
    return {one.number: (one.kind, tuple(ruling.clause for ruling in one.by)) for one in found}


def test_a_save_of_today_s_rules_has_no_differences() -> None:
    assert list_differences(SYSTEM, BURNING, "0.1.0") == ()


@pytest.mark.parametrize("system", [Declared(), Cited()], ids=["by its fields", "by its clause"])
def test_a_difference_is_explained_by_the_ruling_that_shows_in_it(system: RuleSystem) -> None:
    """Catches a fault of the program told as a changed ruling's, and the other way round."""
    assert kinds(system) == {3: (DifferenceKind.RULING, ("T-9",)), 5: (DifferenceKind.RULING, ("T-9",))}


@pytest.mark.parametrize("program", ["0.2", "0.2.0", "0.2.1", "0.10.0", "1.0.0"])
def test_a_ruling_explains_no_save_that_was_begun_under_it(program: str) -> None:
    assert set(kinds(Declared(), program).values()) == {(DifferenceKind.OTHER, ())}


@pytest.mark.parametrize("program", ["", "0.1.0", "0.1.12", "0", "0.1.0.dev3"])
def test_a_ruling_explains_every_save_before_it(program: str) -> None:
    assert set(kinds(Declared(), program).values()) == {(DifferenceKind.RULING, ("T-9",))}


def test_what_no_ruling_explains_is_otherwise() -> None:
    assert set(kinds(Milder()).values()) == {(DifferenceKind.OTHER, ())}


def test_other_words_for_the_same_are_told_as_such() -> None:
    played = shooting("next", "next")
    found = list_differences(Polite(), played, "0.1.0")
    assert [one.kind for one in found] == [DifferenceKind.WORDS] * len(found) != []


def test_another_prompt_is_other_words() -> None:
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
    """Rules by which no shot ever fires, and which changed what a hit is."""

    changed_rulings = (ChangedRuling("T-2", "0.2"),)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        def decide(faces: tuple[int, ...], builder: DecisionBuilder) -> None:
            builder.because("misses", "T-1")

        return PreparedOrder(dice=(D6, D6), decide=decide)


def test_what_follows_from_a_difference_explains_nothing() -> None:
    """Catches a shot that fails otherwise told as by the ruling on hits, which it never came to."""
    fired = Ruling(Decision((), (Reason("fires", "T-1"), Reason("hits", "T-2")), (("fired", True),)))
    played = shooting("shoot ant cat 1 2")
    played = evolve(played, rulings={**played.rulings, 2: fired})
    assert [one.kind for one in list_differences(Shy(), played, "0.1.0")] == [DifferenceKind.OTHER]


@pytest.mark.parametrize(("clause", "kind"), [("T-2", DifferenceKind.RULING), ("T-1", DifferenceKind.OTHER)])
def test_an_entry_that_is_refused_today_is_explained_by_the_clause_that_refuses_it(
    clause: str, kind: DifferenceKind
) -> None:
    played = shooting("shoot ant cat 1 2")
    parked = Ruling(Decision(), State.PARKED, (refused("not so", clause),))
    played = evolve(played, rulings={**played.rulings, 2: parked})
    assert [one.kind for one in list_differences(Shy(), played, "0.1.0")] == [kind]


@pytest.mark.parametrize("system", find_systems().values(), ids=lambda system: system.name)
def test_a_changed_ruling_is_a_clause_of_its_system(system: RuleSystem) -> None:
    """Catches a clause that nobody could look up, and one that is declared twice."""
    changes = [(ruling.clause, ruling.since) for ruling in system.changed_rulings]
    assert {clause for clause, _ in changes} <= set(system.clauses)
    assert len(set(changes)) == len(changes)
