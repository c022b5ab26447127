"""What must hold of every battle, however it is played and corrected."""

from copy import deepcopy

from hypothesis import event, given
from hypothesis import strategies as st

from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import State, Timeline, apply, opened
from tests.core.playing import Renumbering, play, revise
from tests.core.random_play import (
    MENDINGS,
    STEPS,
    FirstTime,
    Mending,
    NotPlayable,
    Step,
    Story,
    battles_corrected,
    battles_played,
    late_answered,
    mended,
    taken,
    told,
)


@given(battles_corrected())
def test_reading_the_log_gives_the_battle_without_asking_the_rules(story: Story) -> None:
    timeline = story.timeline
    read = opened(timeline.start, timeline.log)
    assert read.battle == timeline.battle
    assert read.play_order == timeline.play_order
    assert read.versions == timeline.versions
    assert read.rulings == timeline.rulings


@given(battles_corrected(), STEPS, MENDINGS)
def test_a_battle_that_was_read_goes_on_as_the_one_in_memory(
    story: Story, step: Step, mending: Mending
) -> None:
    timeline = story.timeline
    read = opened(timeline.start, timeline.log)
    on, read_on = (mended(taken(each, step), mending) for each in (timeline, read))
    assert (on.log, on.battle, on.play_order, on.rulings) == (
        read_on.log,
        read_on.battle,
        read_on.play_order,
        read_on.rulings,
    )


def _is_as_played_right(corrected: Timeline) -> None:
    answered = late_answered(corrected)
    for state in State:
        event(f"{state}: {bool(answered.in_state(state))}")
    event(f"answered late: {answered is not corrected}")
    try:
        first_time = FirstTime(answered)
    except NotPlayable:
        event("not playable")
        return
    assert first_time.expected == first_time.battle, told(answered)


@given(battles_corrected())
def test_a_corrected_battle_is_the_battle_played_right_the_first_time(story: Story) -> None:
    timeline = story.timeline
    _is_as_played_right(timeline)


@given(battles_played(least=8), MENDINGS)
def test_one_correction_gives_the_battle_played_right_the_first_time(story: Story, mending: Mending) -> None:
    timeline = story.timeline
    corrected = mended(timeline, mending)
    event(f"{mending.kind}: {'refused' if corrected is timeline else 'done'}")
    _is_as_played_right(corrected)


@given(battles_corrected(), st.integers(0, 60))
def test_strike_then_restore_changes_nothing(story: Story, choice: int) -> None:
    timeline = story.timeline
    if not timeline.in_force:
        return
    number = sorted(timeline.in_force)[choice % len(timeline.in_force)]
    back = play(timeline, f"strike {number}", f"restore {number}")
    assert back.battle == timeline.battle
    assert back.play_order == timeline.play_order
    for each in timeline.play_order:
        assert back.rulings[each] == timeline.rulings[each], each


@given(battles_corrected(), st.integers(1, 3), st.booleans())
def test_undo_then_redo_changes_nothing_whatever_was_entered_between(
    story: Story, count: int, between: bool
) -> None:
    timeline = story.timeline
    others = ("damage dog H", "mark bee guns 2", "damage ant F") if between else ()
    try:
        undone = play(timeline, f"undo {count}")
        back = play(undone, *others, f"redo {count}")
    except OrderRefused:
        return
    straight = play(timeline, *others)
    numbers = {undone.next_number + at: timeline.next_number + at for at in range(len(others))}
    assert Renumbering(numbers).battle(back.battle) == straight.battle
    assert [numbers.get(number, number) for number in back.play_order] == list(straight.play_order)


@given(battles_corrected())
def test_no_count_falls_below_nothing_and_no_key_or_mark_is_there_twice(story: Story) -> None:
    timeline = story.timeline
    for battle in (timeline.battle, timeline.battle.start):
        for ship in battle.ships.values():
            assert ship.count("hull") >= 0
            assert ship.count("guns") >= 0
            ids = [mark.id for mark in ship.marks]
            assert len(set(ids)) == len(ids)
    keys = [owed.key for owed in timeline.battle.owed]
    assert len(set(keys)) == len(keys)
    assert timeline.battle.opened in {0, *timeline.play_order}


@given(battles_corrected())
def test_the_script_holds_every_entry_in_force_once_and_none_that_is_struck(story: Story) -> None:
    timeline = story.timeline
    assert len(set(timeline.play_order)) == len(timeline.play_order)
    in_force = {act.number for act in timeline.log if hasattr(act, "after") and not hasattr(act, "kind")}
    assert set(timeline.play_order) == in_force & timeline.in_force


@given(battles_corrected(), st.integers(0, 60))
def test_the_battle_before_any_place_is_folded_from_the_start(story: Story, place: int) -> None:
    timeline = story.timeline
    place %= len(timeline.play_order) + 1
    battle = timeline.start
    for number in timeline.play_order[:place]:
        battle = apply(battle, number, timeline.rulings[number])
    assert timeline.battle_at(place) == battle


@given(battles_played(), MENDINGS)
def test_a_correction_worked_out_leaves_the_battle_before_it_alone(story: Story, mending: Mending) -> None:
    timeline = story.timeline
    if not timeline.log:
        return
    before = deepcopy(timeline)
    try:
        revision = revise(timeline, mending.text(timeline))
    except OrderRefused:
        return
    assert timeline == before
    assert revision.after.log[:-1] == before.log


@given(battles_corrected())
def test_deciding_an_untouched_battle_again_finds_no_change(story: Story) -> None:
    """Striking a remark at the very start decides all entries again: each keeps its ruling."""
    timeline = story.timeline
    noted = play(timeline, "insert 0 note set up")
    number = noted.log[-1].number
    assert set(noted.log[-1].rulings) == {number}
    assert noted.battle == timeline.battle
