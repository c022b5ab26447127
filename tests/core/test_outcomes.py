"""What each face of an owed die would do."""

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder, Reason
from qf_tui.core.odds import outcomes
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import Die, Owed
from tests.core.playing import battle
from tests.tiny import SYSTEM

D6 = Die(6)
SINKS = Owed("0/sinking/ant/1", "sinking", "ant", "does Ant sink?", (D6,))


def _sinking(faces: Faces, builder: DecisionBuilder) -> None:
    if faces[0] <= 2:
        builder.add("ant", "hull", -1)
    word = "sinks" if faces[0] <= 2 else "stays"
    builder.because(word, of="Ant with 2 holes:", roll=f"{faces[0]}{'≤' if faces[0] <= 2 else '>'}2")


CHECK = PreparedOrder(dice=(D6,), decide=_sinking)


def test_neighbouring_faces_of_one_effect_are_told_together_without_what_is_known() -> None:
    told = outcomes(battle(), SINKS, CHECK)
    assert [str(one) for one in told] == ["1–2 sinks", "3–6 stays"]


def test_the_faces_of_a_check_come_to_what_it_decides() -> None:
    ready = SYSTEM.prepare_roll(battle(), SINKS)
    assert [(one.least, one.most) for one in outcomes(battle(), SINKS, ready)] == [(1, 3), (4, 6)]


def test_faces_of_one_effect_that_the_chart_words_otherwise_are_told_apart() -> None:
    """Catches the words of the lowest face said of others, whose cells only come to the same now."""
    named = evolve(CHECK, decide=lambda faces, builder: builder.because("R" if faces[0] < 4 else "T"))
    assert [str(one) for one in outcomes(battle(), SINKS, named)] == ["1–3 R", "4–6 T"]


def test_a_roll_of_several_dice_or_with_more_behind_it_is_not_told() -> None:
    two = evolve(CHECK, missing=lambda faces: (D6, D6)[len(faces) :])
    assert outcomes(battle(), SINKS, two) == ()
    thrown = evolve(SINKS, faces=(4,))
    assert len(outcomes(battle(), thrown, evolve(two, decide=lambda faces, builder: None))) == 1


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


def test_a_reason_of_an_older_save_is_the_same_as_one_in_parts() -> None:
    """Catches entries of an old save, kept as whole sentences, that seem to be decided otherwise."""
    parts = Reason("a strike", "T-1", of="torpedo", roll="4")
    assert Reason("torpedo 4: a strike", "T-1") == parts
    assert hash(Reason("torpedo 4: a strike", "T-1")) == hash(parts)
    assert Reason("torpedo 5: a strike", "T-1") != parts
    assert Reason("torpedo 4: a strike") != parts
    assert Reason("Ant turns 90° left", "T-2") == Reason("turns 90° left", "T-2", subject="Ant")
