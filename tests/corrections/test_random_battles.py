"""What must hold of every battle of Advanced Quickfire, however it is played and corrected.

The `thorough` profile looks through several thousand battles.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import event, given, settings
from hypothesis import strategies as st

from qf_tui.core.deciding import State
from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import Entry, Timeline, apply, opened
from qf_tui.core.values import Battle
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.session import Session
from qf_tui.session.session import header_of
from tests.core.playing import Renumbering, play
from tests.core.random_play import FirstTime, NotPlayable, Story, told
from tests.corrections.random_battles import (
    MENDINGS,
    STEPS,
    Mending,
    Step,
    battles_corrected,
    battles_played,
    excuses,
    late_answered,
    mended,
    taken,
)

MANY = settings(max_examples=4 * settings().max_examples)
SOME = settings(max_examples=settings().max_examples)


def _is_as_played_right(corrected: Timeline) -> None:
    answered = late_answered(corrected)
    for state in (State.PARKED, State.SPARE):
        event(f"{state}: {bool(answered.in_state(state))}")
    event(f"answered late: {answered is not corrected}")
    try:
        first_time = FirstTime(answered, SYSTEM)
    except NotPlayable:
        event("not playable")
        assert excuses(answered), told(answered)
        return
    event("playable")
    assert first_time.expected == first_time.battle, told(answered)


@MANY
@given(battles_corrected())
def test_a_corrected_battle_is_the_battle_played_right_the_first_time(story: Story) -> None:
    _is_as_played_right(story.timeline)


@MANY
@given(battles_played(), MENDINGS)
def test_one_correction_gives_the_battle_played_right_the_first_time(story: Story, mending: Mending) -> None:
    corrected = mended(story.timeline, mending)
    event(f"{mending.kind}: {'refused' if corrected is story.timeline else 'done'}")
    _is_as_played_right(corrected)


@SOME
@given(battles_corrected(), st.integers(0, 60))
def test_strike_then_restore_changes_nothing(story: Story, choice: int) -> None:
    timeline = story.timeline
    if not timeline.in_force:
        return
    number = sorted(timeline.in_force)[choice % len(timeline.in_force)]
    back = play(timeline, f"strike {number}", f"restore {number}", system=SYSTEM)
    assert back.battle == timeline.battle
    assert back.script == timeline.script
    assert {each: back.rulings[each] for each in timeline.script} == {
        each: timeline.rulings[each] for each in timeline.script
    }


@SOME
@given(battles_corrected(), st.integers(1, 4), st.booleans())
def test_undo_then_redo_changes_nothing_even_with_other_entries_between(
    story: Story, count: int, between: bool
) -> None:
    """What is entered between is of a ship that nothing else touches."""
    timeline = story.timeline
    others: tuple[str, ...] = ("note it rains",) if between else ()
    if between and "orion" in timeline.battle.ships:
        others = ("mark orion rof_heavy 3", "damage orion F", "note it rains")
    try:
        undone = play(timeline, f"undo {count}", system=SYSTEM)
        if others and undone.battle.ships.keys() != timeline.battle.ships.keys():
            return
        back = play(undone, *others, f"redo {count}", system=SYSTEM)
        straight = play(timeline, *others, system=SYSTEM)
    except OrderRefused:
        return
    numbers = {undone.next_number + at: timeline.next_number + at for at in range(len(others))}
    assert Renumbering(numbers).battle(back.battle) == straight.battle
    assert [numbers.get(number, number) for number in back.script] == list(straight.script)


@SOME
@given(battles_corrected(), MENDINGS)
def test_a_preview_changes_nothing_and_tells_what_then_happens(story: Story, mending: Mending) -> None:
    timeline = story.timeline
    if not timeline.log:
        return
    before = _copied(timeline)
    session = Session(SYSTEM, timeline)
    text = mending.text(timeline)
    if "chart" in text:
        return
    try:
        previewed = session.preview(text)
    except OrderRefused:
        return
    assert session.timeline is timeline
    assert timeline == before
    entered = session.enter(text)
    assert (entered.act, entered.consequences) == (previewed.act, previewed.consequences)
    assert entered.after == previewed.after


def _copied(timeline: Timeline) -> Timeline:
    """The same timeline made of its log alone."""
    return opened(timeline.start, timeline.log)


@SOME
@given(battles_corrected(), STEPS, MENDINGS)
def test_a_save_opened_again_equals_the_battle_in_memory_and_goes_on_as_it_does(
    story: Story, step: Step, mending: Mending
) -> None:
    timeline = story.timeline
    with TemporaryDirectory() as folder:
        path = Path(folder) / "battle.qfb"
        journal = Journal.create(path, header_of(SYSTEM, timeline.start))
        for act in timeline.log:
            journal.append(act)
        journal.close()
        save = read_save(path)
    read = opened(save.header.start, save.log)
    assert (read.battle, read.log) == (timeline.battle, timeline.log)
    assert (read.script, read.versions, read.rulings) == (
        timeline.script,
        timeline.versions,
        timeline.rulings,
    )
    on, read_on = (mended(taken(each, step), mending) for each in (timeline, read))
    assert (on.log, on.battle) == (read_on.log, read_on.battle)


@SOME
@given(battles_corrected())
def test_deciding_every_entry_again_finds_no_change(story: Story) -> None:
    """A remark put in at the very start decides all entries again: each keeps its ruling."""
    timeline = story.timeline
    noted = play(timeline, "insert 0 note set up", system=SYSTEM)
    assert set(noted.log[-1].rulings) == {noted.log[-1].number}
    assert noted.battle == timeline.battle


@SOME
@given(battles_corrected(), st.integers(0, 60))
def test_every_entry_in_force_stands_somewhere_and_folds_from_the_start(story: Story, place: int) -> None:
    """No entry is dropped: what the rules refuse is parked, what nobody asks for is spare."""
    timeline = story.timeline
    entries = {act.number for act in timeline.log if isinstance(act, Entry)}
    assert set(timeline.script) == entries & timeline.in_force
    assert set(timeline.script) <= set(timeline.rulings)
    place %= len(timeline.script) + 1
    assert timeline.battle_at(place) == _folded(timeline, place)


def _folded(timeline: Timeline, place: int) -> Battle:
    battle = timeline.start
    for number in timeline.script[:place]:
        battle = apply(battle, number, timeline.rulings[number])
    return battle
