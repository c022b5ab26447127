"""Properties of every battle, however it is played, corrected and cut short."""

import random
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import Mock

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from qf_tui.core.decide import play_again, prepare_entry
from qf_tui.core.errors import OrderRefused
from qf_tui.core.revisions import TRIED_LEAST
from qf_tui.core.timeline import CHECKPOINT_EVERY, Entry, State, Timeline, apply_ruling, build_timeline
from qf_tui.core.values import Owed
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal, write_save
from qf_tui.library.systems import find_systems
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.session import Session
from qf_tui.session.saves import build_header, check_facts, make_rules_finder
from tests.core.playing import Renumbering, play, revise
from tests.core.random_play import FirstTime, NotPlayable, format_log
from tests.corrections.ground import Ground, restore_reserve
from tests.corrections.grounds import WITH_TINY
from tests.corrections.long_battles import play_long_battle
from tests.corrections.random_battles import (
    answer_late,
    build_mendings,
    build_steps,
    draw_corrected,
    draw_played,
    find_excuses,
    mend,
    take_step,
)
from tests.killing import Tell, run_until_killed
from tests.long import Share

MANY = settings(max_examples=settings().max_examples * 2 // 3)
SOME = settings(max_examples=settings().max_examples // 3)
EACH = pytest.mark.parametrize("ground", WITH_TINY.values(), ids=WITH_TINY)
"""Each rule system of `grounds`."""


def _is_as_played_right(ground: Ground, corrected: Timeline) -> None:
    answered = answer_late(ground, corrected)
    for state in (State.PARKED, State.SPARE):
        event(f"{state}: {bool(answered.list_in_state(state))}")
    event(f"answered late: {answered is not corrected}")
    try:
        first_time = FirstTime(answered, ground.system)
    except NotPlayable as refused:
        held = refused.number
    else:
        event("playable")
        assert first_time.expected == first_time.battle, format_log(answered)
        return
    event("not playable")
    assert find_excuses(answered, held), format_log(answered)


@EACH
@MANY
@given(data=st.data())
def test_a_corrected_battle_is_the_battle_played_right_the_first_time(
    ground: Ground, data: st.DataObject
) -> None:
    _is_as_played_right(ground, data.draw(draw_corrected(ground)).timeline)


@EACH
@MANY
@given(data=st.data())
def test_one_correction_gives_the_battle_played_right_the_first_time(
    ground: Ground, data: st.DataObject
) -> None:
    story, mending = data.draw(draw_played(ground)), data.draw(build_mendings(ground))
    corrected = mend(ground, story.timeline, mending)
    event(f"{mending.kind}: {'refused' if corrected is story.timeline else 'done'}")
    _is_as_played_right(ground, corrected)


def list_unused_dice(ground: Ground, timeline: Timeline) -> list[int]:
    """List the entries in force with faces that neither count nor wait for more dice."""
    unused = []
    for place, number in enumerate(timeline.play_order):
        version, ruling = timeline.versions[number], timeline.rulings[number]
        if not version.dice or ruling.state is not State.STANDS:
            continue
        entry = prepare_entry(ground.system, timeline.battle_at(place), version, early=True)
        asked = [effect.value for effect in ruling.decision.effects if isinstance(effect.value, Owed)]
        waits = any(owed.dice and owed.faces == entry.faces for owed in asked)
        if len(entry.faces) > len(entry.prepared.dice) or (entry.missing and not waits):
            unused.append(number)
    return unused


@EACH
@MANY
@given(data=st.data(), lot=st.randoms(use_true_random=False))
def test_no_correction_drops_a_die(ground: Ground, data: st.DataObject, lot: random.Random) -> None:
    """Count each face, or keep it waiting, parked or spare, whatever the switches."""
    timeline = data.draw(draw_corrected(ground)).timeline
    assert list_unused_dice(ground, timeline) == [], format_log(timeline)
    for option in ground.system.options:
        for value in option.values:
            order = f"insert {lot.choice((0, *timeline.play_order))} option {option.name} {value}"
            corrected = play(timeline, order, system=ground.system)
            assert list_unused_dice(ground, corrected) == [], f"{format_log(timeline)}\n{order}"


@EACH
@SOME
@given(data=st.data(), choice=st.integers(0, 60))
def test_strike_then_restore_changes_nothing(ground: Ground, data: st.DataObject, choice: int) -> None:
    timeline = data.draw(draw_corrected(ground)).timeline
    if not timeline.in_force:
        return
    number = sorted(timeline.in_force)[choice % len(timeline.in_force)]
    back = play(timeline, f"strike {number}", f"restore {number}", system=ground.system)
    assert back.battle == timeline.battle
    assert back.play_order == timeline.play_order
    assert {each: back.rulings[each] for each in timeline.play_order} == {
        each: timeline.rulings[each] for each in timeline.play_order
    }


@EACH
@SOME
@given(data=st.data(), count=st.integers(1, 4), between=st.booleans())
def test_undo_then_redo_changes_nothing_even_with_other_entries_between(
    ground: Ground, data: st.DataObject, count: int, between: bool
) -> None:
    """Enter orders between that change only the ship that joins late."""
    timeline = data.draw(draw_corrected(ground)).timeline
    others: tuple[str, ...] = ("note it rains",) if between else ()
    if between and ground.late in timeline.battle.ships:
        others = (*ground.quiet, "note it rains")
    try:
        undone = play(timeline, f"undo {count}", system=ground.system)
        if others and undone.battle.ships.keys() != timeline.battle.ships.keys():
            return
        back = play(undone, *others, f"redo {count}", system=ground.system)
        straight = play(timeline, *others, system=ground.system)
    except OrderRefused:
        return
    numbers = {undone.next_number + at: timeline.next_number + at for at in range(len(others))}
    assert Renumbering(numbers).battle(back.battle) == straight.battle
    assert [numbers.get(number, number) for number in back.play_order] == list(straight.play_order)


@EACH
@SOME
@given(data=st.data())
def test_a_preview_changes_nothing_and_reports_what_then_happens(ground: Ground, data: st.DataObject) -> None:
    timeline, mending = data.draw(draw_corrected(ground)).timeline, data.draw(build_mendings(ground))
    if not timeline.log:
        return
    before = build_timeline(timeline.start, timeline.log)
    session = Session(ground.system, timeline)
    text = mending.write_line(ground, timeline)
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


@EACH
@SOME
@given(data=st.data())
def test_a_reopened_save_equals_the_battle_in_memory_and_continues_alike(
    ground: Ground, data: st.DataObject
) -> None:
    timeline = data.draw(draw_corrected(ground)).timeline
    step, mending = data.draw(build_steps(ground)), data.draw(build_mendings(ground))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "battle.qfb"
        rules_of = make_rules_finder({ground.system.name: ground.system})
        write_save(path, build_header(ground.system, timeline.start), timeline.log)
        save = read_save(path, rules_of)
        for act in save.log:
            check_facts(ground.system, act)
    read = build_timeline(restore_reserve(save.header.start, timeline.start.reserve), save.log)
    assert (read.battle, read.log) == (timeline.battle, timeline.log)
    assert (read.play_order, read.versions, read.rulings) == (
        timeline.play_order,
        timeline.versions,
        timeline.rulings,
    )
    on, read_on = (mend(ground, take_step(ground, each, step), mending) for each in (timeline, read))
    assert (on.log, on.battle) == (read_on.log, read_on.battle)


@EACH
@SOME
@given(data=st.data(), place=st.integers(0, 60))
def test_every_entry_in_force_has_a_place_and_is_decided_as_before(
    ground: Ground, data: st.DataObject, place: int
) -> None:
    """Insert a remark at the start, so that all entries are decided again."""
    timeline = data.draw(draw_corrected(ground)).timeline
    entries = {act.number for act in timeline.log if isinstance(act, Entry)}
    assert set(timeline.play_order) == entries & timeline.in_force
    assert set(timeline.play_order) <= set(timeline.rulings)
    place %= len(timeline.play_order) + 1
    folded = timeline.start
    for number in timeline.play_order[:place]:
        folded = apply_ruling(folded, number, timeline.rulings[number])
    assert timeline.battle_at(place) == folded
    noted = play(timeline, "insert 0 note set up", system=ground.system)
    assert set(noted.log[-1].rulings) == {noted.log[-1].number}
    assert noted.battle == timeline.battle


@EACH
@SOME
@given(data=st.data())
def test_no_count_leaves_its_bounds_and_no_key_is_owed_twice(ground: Ground, data: st.DataObject) -> None:
    """Check ships now and at the start of the phase, whatever they suffered."""
    battle = data.draw(draw_corrected(ground)).timeline.battle
    counted = [each for each in ground.system.fields if each.kind == "count" and not each.card]
    for ship in (*battle.ships.values(), *battle.start.ships.values()):
        for each in counted:
            assert each.least <= ship.count(each.name) <= each.most * each.denominator, (ship.id, each.name)
    keys = [owed.key for owed in battle.owed]
    assert len(set(keys)) == len(keys)


def test_after_an_inserted_note_the_rest_is_not_decided_again(monkeypatch: pytest.MonkeyPatch) -> None:
    decided = Mock(wraps=play_again)
    monkeypatch.setattr("qf_tui.core.revisions.play_again", decided)
    timeline = play_long_battle(5 * CHECKPOINT_EVERY)
    session = Session(find_systems()["advanced-quickfire"], timeline)
    after = session.enter("insert 3 note remembered").after
    assert TRIED_LEAST <= decided.call_count <= 2 * CHECKPOINT_EVERY
    whole = build_timeline(after.start, after.log)
    assert (after.battle, after.play_order) == (whole.battle, whole.play_order)
    places = range(0, len(after.play_order), 7)
    assert [after.battle_at(place) for place in places] == [whole.battle_at(place) for place in places]


KILLS, ALL_KILLS = 2, 80
ROUNDS_A_SAVE = 6
ENTRIES = 150

RULES_OF = make_rules_finder({SYSTEM.name: SYSTEM})


def choose_correction(timeline: Timeline) -> str:
    """Choose the next correction: strike or restore an entry anywhere, or give it other dice."""
    number = 1 + len(timeline.log) * 37 % ENTRIES
    if number not in timeline.in_force:
        return f"restore {number}"
    dice = timeline.versions[number].dice
    if dice and len(timeline.log) % 2:
        return f"amend {number} {' '.join(str(face % 12 + 1) for face in dice)}"
    return f"strike {number}"


def correct_next(timeline: Timeline) -> Timeline:
    return revise(timeline, choose_correction(timeline), system=SYSTEM).after


@pytest.mark.parametrize("rounds", [KILLS, pytest.param(ALL_KILLS, marks=pytest.mark.long)])
def test_a_correction_is_saved_whole_or_not_at_all_after_kill_9(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    """Kill a process again and again at any moment while it corrects a battle and reports each act."""
    chance = random.Random(seed)
    played = play_long_battle(ENTRIES)
    for round in share.take(range(rounds)):
        path = tmp_path / f"battle-{round // ROUNDS_A_SAVE}.qfb"
        if not path.exists():
            timeline = played
            write_save(path, build_header(SYSTEM, timeline.start), timeline.log)
        work = partial(_correct_for_ever, path, timeline)
        told = run_until_killed(work, chance.randint(1, 3), chance.uniform(0, 0.02))
        save = read_save(path, RULES_OF)
        assert len(timeline.log) <= len(save.log)
        assert int(told[-1]) <= len(save.log)
        while len(timeline.log) < len(save.log):
            timeline = correct_next(timeline)
        assert save.log == timeline.log
        assert (
            build_timeline(restore_reserve(save.header.start, timeline.start.reserve), save.log).battle
            == timeline.battle
        )


def _correct_for_ever(path: Path, timeline: Timeline, tell: Tell) -> None:
    journal, _ = Journal.open(path, rules_of=RULES_OF)
    tell(0)
    while True:
        revision = revise(timeline, choose_correction(timeline), system=SYSTEM)
        journal.append(revision.act)
        timeline = revision.after
        tell(revision.act.number)
