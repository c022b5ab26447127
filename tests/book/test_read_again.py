"""Results read by hand whose dice are corrected: the old result stays, is owed again, and is corrected."""

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.core.revisions import Revision
from qf_tui.core.timeline import State
from qf_tui.core.values import replace
from qf_tui.session import Session
from tests.book.convoys import begin, load_convoys
from tests.corrections import on_book

PLAYED = (
    "shoot arrow beacon 12in 5 4",
    "answer hull 2 blaze",
    "shoot beacon arrow 12in 6 6",
    "answer hull 1",
)
LATER = ("next", "roll 3", "answer nothing", "next")
"""Orders to the next turn; Beacon's fire is fought before it."""
ANSWER, KEY = 3, "2/read/beacon/1"


def begin_corrected(correction: str, *more: str) -> Session:
    """Begin the shots and correct an old one."""
    return begin(*PLAYED, *more, correction)


def count_hull(session: Session, ship: str = "beacon") -> int:
    return session.battle.ships[ship].count("hull")


def test_an_answer_keeps_the_dice_that_it_was_read_for() -> None:
    kept = begin(*PLAYED).timeline.versions[ANSWER].order
    assert " ".join(kept.list_texts("words")) == "hull 2 blaze for shoot arrow 12in guns 2 5 4"
    assert kept.answer_words == ("hull", "2", "blaze")


@pytest.mark.parametrize(
    "correction",
    [
        "amend 2 5 3",
        "amend 2 shoot arrow beacon 20in 5 4",
        "insert 1 mark arrow guns 1",
    ],
    ids=["other dice", "another range", "fewer guns behind it"],
)
@pytest.mark.parametrize("more", [(), LATER], ids=["in the phase", "when it is long over"])
def test_the_old_result_counts_and_is_owed_until_it_is_read_again(
    correction: str, more: tuple[str, ...]
) -> None:
    session = begin(*PLAYED, *more)
    revision = session.enter(correction)
    assert (count_hull(session), len(session.battle.ships["beacon"].live("blaze"))) == (5, 1)
    assert [owed.key for owed in session.battle.owed if not owed.dice] == [KEY]
    assert session.battle.owed[0].prompt.startswith("read again: ")
    assert "“hull 2 blaze” was read" in session.battle.owed[0].prompt
    reread = {each.entry: each.now for each in revision.consequences.reread}
    assert "read again" in reread[ANSWER].decision.reasons[-1].text
    assert [owed.key for owed in revision.consequences.owed] == [KEY]


def read_again(session: Session, said: str) -> Revision:
    return session.enter(f"answer {KEY} {said}")


@pytest.mark.parametrize("more", [(), LATER])
def test_after_a_new_reading_the_battle_equals_one_read_so_at_first(more: tuple[str, ...]) -> None:
    session = begin_corrected("amend 2 5 3", *more)
    read_again(session, "hull 1 blaze")
    straight = begin("shoot arrow beacon 12in 5 3", "answer hull 1 blaze", *PLAYED[2:], *more)
    assert session.battle == straight.battle
    assert session.timeline.versions[ANSWER].order == straight.timeline.versions[ANSWER].order


def test_another_target_needs_a_new_reading_and_keeps_the_old_one() -> None:
    """Guess no result for another ship; restore the first one with the first target."""
    battle = on_book.start()
    session = Session.begin(load_convoys(), replace(battle, began=None))
    for order in ("next", "shoot arrow beacon 12in 5 4", "answer hull 2", "next", "next"):
        session.enter(order)
    session.enter("amend 2 shoot arrow buoy 12in")
    assert [owed.key for owed in session.battle.owed] == ["2/read/buoy/1"]
    assert (count_hull(session), count_hull(session, "buoy")) == (7, 7)
    assert session.timeline.list_in_state(State.SPARE) == (3,)
    session.enter("answer hull 1")
    assert (count_hull(session), count_hull(session, "buoy"), session.battle.turn) == (7, 6, 2)
    session.enter("amend 2 shoot arrow beacon 12in")
    assert (count_hull(session), count_hull(session, "buoy")) == (5, 7)
    session.enter("amend 2 shoot bolt beacon 12in")
    assert (count_hull(session), [owed.key for owed in session.battle.owed]) == (5, [KEY]), "another gunner"


def test_hits_of_the_same_phase_need_no_new_reading() -> None:
    """Let Beacon fire with her guns at the start of the phase, whatever has hit her since."""
    session = begin("shoot arrow beacon 12in 5 4", "answer guns 1", *PLAYED[2:])
    assert session.timeline.versions[5].order.list_texts("words")[-4:] == ("guns", "6", "6", "6")
    session.enter("amend 3 answer guns 2")
    assert session.battle.owed == ()


def test_undo_gives_the_question_back_and_then_the_old_dice() -> None:
    session = begin_corrected("amend 2 5 3")
    read_again(session, "hull 1")
    assert (count_hull(session), session.battle.owed) == (6, ())
    session.enter("undo")
    assert (count_hull(session), len(session.battle.owed)) == (5, 1)
    session.enter("undo")
    assert (count_hull(session), session.battle.owed) == (5, ())
    assert session.battle == begin(*PLAYED).battle


def test_restored_dice_need_no_chart() -> None:
    session = begin_corrected("amend 2 5 3")
    session.enter("amend 2 5 4")
    assert session.battle.owed == ()
    assert count_hull(session) == 5


def test_a_result_is_spare_while_its_shot_is_struck() -> None:
    session = begin(*PLAYED)
    session.enter("strike 2")
    assert (session.timeline.rulings[ANSWER].state, count_hull(session)) == (State.SPARE, 7)
    session.enter("restore 2")
    assert count_hull(session) == 5


def test_a_correction_applies_tracks_and_losses_again() -> None:
    """Sink Arrow by an older hit: her later orders are refused and parked."""
    session = begin(*PLAYED, *LATER, "steam arrow")
    session.enter("insert 5 damage arrow hull 3")
    assert session.battle.ships["arrow"].status == "sunk"
    assert session.timeline.rulings[10].state is State.PARKED
    assert "Arrow is sunk" in session.timeline.rulings[10].findings[0].text


def test_an_unread_chart_holds_the_phase() -> None:
    session = begin_corrected("amend 2 5 3")
    with pytest.raises(OrderRefused, match="still owed: 2/read/beacon/1: read again"):
        session.enter("next")
