"""Corrections from the history, and by `u` and `!`.

Filled in again, shown before they happen, kept as a branch.
"""

from pathlib import Path

import pytest

from qf_tui.core.timeline import State
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import HOSTILE, Table, gunnery, keys_of, play, saved
from tests.console.test_screens import compare

SHOT = "fire mikasa heavy borodino long 4 8"


def shots(names: dict[str, str] | None = None) -> Session:
    """A first shot, and one behind it that stands or falls with nothing."""
    session = gunnery(names)
    session.enter(SHOT)
    session.enter("fire massena heavy borodino long 3 8")
    return session


def exploded() -> Session:
    """An explosion that was rolled for: striking its cause makes the dice spare."""
    session = gunnery()
    session.enter("damage ohio E")
    session.enter("roll 3")
    return session


def test_one_die_of_the_last_entry_takes_five_keys() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "enter", "1", "enter")
        assert table.pressed == 4
        assert table.session.timeline.versions[3].dice == (1, 8)
        assert "in the order of play" in table.text()

    play(shots(), steps)


def test_one_die_of_an_older_entry_takes_eight_keys_with_its_preview() -> None:
    session = exploded()
    session.enter("fire mikasa heavy borodino long 4 8")
    session.enter("next")

    async def steps(table: Table) -> None:
        await table.press("h", "up", "up", "up", "enter", "space")
        dialog = table.top
        assert dialog.filling.text("codes") == "E"
        await table.press("escape", "down", "enter", "1", "2", "enter")
        assert "roll 12 for explosion on Ohio" in table.text()

    play(session, steps)

    async def counted(table: Table) -> None:
        await table.press("h", "up", "enter", "space", "1", "enter", "enter")
        assert table.pressed <= 8
        assert table.session.timeline.versions[2].dice == (4, 1)

    play(shots(), counted)


def test_space_goes_from_die_to_die() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "enter", "space", "9", "enter")
        assert table.session.timeline.versions[3].dice == (3, 9)
        await table.press("enter", "5", "space", "1", "0", "enter")
        assert table.session.timeline.versions[3].dice == (5, 10)

    play(shots(), steps)


def test_dice_typed_anew_go_from_die_to_die_where_no_face_goes_on() -> None:
    """Catches `3 1 0` over a 4 and an 8 becoming a black 310."""

    async def steps(table: Table) -> None:
        await table.press("h", "enter", *"310")
        assert "black 3 · white 10" in table.text()
        await table.press("enter")
        assert table.session.timeline.versions[table.session.timeline.play_order[-1]].dice == (3, 10)

    play(shots(), steps)


def test_dice_typed_anew_with_a_comma_between_them_are_dice_too() -> None:
    """Catches a digit behind a comma that ended the console with a ValueError."""

    async def steps(table: Table) -> None:
        await table.press("h", "enter", "end", *["backspace"] * 3, *keys_of("3,10"))
        assert "black 3 · white 10" in table.text()
        await table.press("enter")
        assert table.session.timeline.versions[table.session.timeline.play_order[-1]].dice == (3, 10)

    play(shots(), steps)


def test_no_order_is_chosen_by_the_words_of_a_hint() -> None:
    """Catches “a key chooses” taken for the key `a`."""

    async def steps(table: Table) -> None:
        await table.press("h", "i")
        assert "a key chooses   Esc goes back" in table.text()

    play(shots(), steps)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_the_filled_dialog_over_the_history_looks_as_it_did(size: tuple[int, int]) -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "up", "enter", "5")
        compare(f"history-dialog-{size[0]}x{size[1]}", table.text(behind=True))

    play(shots(HOSTILE), steps, size)


def test_another_slot_is_changed_and_the_dice_are_kept() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "enter", "up", "m", "enter")
        assert table.session.timeline.versions[3].order.resolved == "fire massena heavy borodino medium"
        assert table.session.timeline.versions[3].dice == (3, 8)

    play(shots(), steps)


def test_nothing_changed_and_dice_left_out_are_said_in_the_dialog() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "enter", "enter")
        assert "nothing is changed" in table.text()
        await table.press("end", *["backspace"] * 3, "enter")
        assert "dice left out are kept" in table.text()
        await table.press("escape", "escape")
        assert len(table.session.timeline.log) == 3

    play(shots(), steps)


def test_consequences_are_shown_and_escape_goes_back_to_the_dialog_still_filled() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "up", "enter", *"f", "escape")
        assert len(table.session.timeline.log) == 3
        await table.press("enter", "end", "space", "s", "enter")
        assert "what changes" in table.text()
        assert "Dice no longer needed" not in table.text()

    session = exploded()

    async def parked(table: Table) -> None:
        await table.press("h", "up", "s")
        assert "strikes 2 " in table.text()
        assert "Dice no longer needed" in table.text()
        await table.press("escape")
        assert len(table.session.timeline.log) == 3
        await table.press("enter", "down", "down", "S", "enter")
        assert "Dice no longer needed" in table.text()
        await table.press("escape")
        assert table.top.filling.text("codes") == "S"
        await table.press("enter", "enter")
        assert table.session.timeline.versions[2].order.resolved == "damage ohio S"
        assert "[spare]" in table.text()

    play(session, parked)


def test_a_correction_is_kept_as_a_branch_in_a_save_of_its_own(tmp_path: Path) -> None:
    session = saved(tmp_path / "bench.qfb")
    for order in ("next", "damage ohio E", "roll 3"):
        session.enter(order)

    async def steps(table: Table) -> None:
        await table.press("h", "up", "s", "b")
        assert "kept as a branch beside this save: bench-branch-1.qfb" in table.text()
        assert len(table.session.timeline.log) == 3
        await table.press("s", "b")
        assert "bench-branch-2.qfb" in table.text()

    play(session, steps)
    session.close()
    branch = Session.resume(tmp_path / "bench-branch-1.qfb", find_systems())
    assert len(branch.timeline.log) == 4
    assert branch.timeline.play_order == (1, 3)
    branch.close()


def test_a_battle_without_a_save_says_why_it_keeps_no_branch() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "up", "s", "b")
        assert "this battle has no save to copy" in table.text()
        assert len(table.session.timeline.log) == 3

    play(exploded(), steps)


def test_a_forgotten_order_is_inserted_behind_the_entry_through_its_dialog() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "up", "i")
        assert "Which order was forgotten after entry 2?" in table.text()
        await table.press("f", "l", *"ohio", "space", "m", "1", "2", "space", "1", "2", "enter")
        assert table.session.timeline.play_order == (1, 2, 4, 3)
        assert table.session.timeline.versions[4].order.resolved == "fire mikasa light ohio medium"
        assert table.top.line.act == 4
        await table.press("i", "colon")
        assert table.screen.orders.text == "insert 4 "

    play(shots(), steps)


def test_an_entry_is_moved_behind_another() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "up", "m", "down", "enter")
        assert table.session.timeline.play_order == (1, 3, 2)
        await table.press("m", "escape")
        assert "nothing was moved" in table.text()
        assert "shifted" in table.text()

    play(shots(), steps)


def test_struck_and_restored_by_one_key() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "s")
        assert "[struck]" in table.text()
        await table.press("enter")
        assert "3 is struck: s restores it" in table.text()
        await table.press("s")
        assert table.session.timeline.play_order == (1, 2, 3)

    play(shots(), steps)


def test_a_correction_is_struck_where_the_acts_stand_as_written() -> None:
    session = shots()
    session.enter("amend 2 5 8")

    async def steps(table: Table) -> None:
        await table.press("h", "w", "end", "s", "enter")
        assert table.session.timeline.versions[2].dice == (4, 8)

    play(session, steps)


def test_a_doubt_and_a_remark_stand_on_their_entry() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "d")
        assert "entry 3 is in doubt" in table.text()
        assert "doubted 1" in table.text()
        await table.press("exclamation_mark")
        assert not table.battle.doubts
        await table.press("c", *keys_of("the die was [cocked]"), "enter")
        assert table.log()[-1] == "note on 3: the die was [cocked]"
        assert "the die was [cocked]" in table.text()

    play(shots(HOSTILE), steps)


def test_a_forced_entry_stays_forced_when_one_die_is_changed() -> None:
    session = shots()
    session.enter("force fire mikasa heavy ohio long 4 8")

    async def steps(table: Table) -> None:
        await table.press("h", "enter", "5", "enter")
        assert table.session.timeline.versions[4].dice == (5, 8)
        assert table.session.timeline.versions[4].forced

    play(session, steps)


def test_where_the_last_shot_would_be_undone_its_dice_can_be_changed_instead() -> None:
    async def steps(table: Table) -> None:
        await table.press("u")
        assert "a changes it instead" in table.text()
        await table.press("a", "enter")
        assert "nothing is changed: Esc leaves it as it is" in table.text()
        await table.press("space", "9", "enter")
        assert table.session.timeline.versions[3].dice == (3, 9)
        assert list(table.session.timeline.play_order) == [1, 2, 3]

    play(shots(), steps)


def test_an_undo_is_shown_first_and_by_escape_changes_nothing() -> None:
    async def steps(table: Table) -> None:
        await table.press("u", "escape")
        assert len(table.session.timeline.log) == 3
        await table.press("u", "enter")
        assert table.session.timeline.play_order == (1, 2)
        assert len(table.session.timeline.log) == 4
        await table.press("u", "enter", "u", "enter")
        assert not table.session.timeline.play_order
        assert "to act" in table.text()

    play(shots(), steps)


def test_the_last_entry_is_doubted_and_settled_without_stopping_play() -> None:
    async def steps(table: Table) -> None:
        await table.press("exclamation_mark")
        assert table.battle.doubts == (3,)
        assert "disputed 1" in table.text()
        await table.press("exclamation_mark")
        assert not table.battle.doubts

    play(shots(), steps)


def test_a_move_to_where_a_rule_refuses_it_says_so_and_moves_nothing() -> None:
    """Catches a shot that falls out of the battle with nothing but “done”."""
    session = gunnery()
    session.enter(SHOT)
    for _ in range(2):
        session.enter("next")

    async def steps(table: Table) -> None:
        await table.press("h", "up", "up", "m")
        assert "put it after" in table.text().splitlines()[-1]
        await table.press("end", "enter")
        assert "guns fire in the two gunnery phases only [AQF-PH-1]   F2 overrules" in table.text()
        assert "put it after" not in table.foot()
        assert len(table.session.timeline.log) == 4
        await table.press("f2")
        if "what changes" in table.text():
            await table.press("enter")
        assert table.session.timeline.versions[2].order.forced
        assert table.session.timeline.play_order[-1] == 2
        await table.press("up", "f2")
        assert "nothing to force" in table.text()

    play(session, steps)


def test_an_undo_that_brings_back_what_no_longer_counts_shows_it_first() -> None:
    session = gunnery()
    for order in (SHOT, "insert 0 leave mikasa withdrawn", "strike 2"):
        session.enter(order)

    async def steps(table: Table) -> None:
        await table.press("u")
        assert "Parked: a rule stands against them" in table.text()
        await table.press("escape")
        assert 2 not in table.session.timeline.in_force
        await table.press("u", "enter")
        assert table.session.timeline.in_state(State.PARKED) == (2,)

    play(session, steps)


def test_the_history_opens_on_the_entry_that_was_doubted_and_its_help_on_its_keys() -> None:
    session = shots()
    session.enter("doubt 3")

    async def steps(table: Table) -> None:
        await table.press("h", "d")
        assert not table.battle.doubts
        await table.press("f1")
        assert "Keys in the history" in "\n".join(table.text().splitlines()[:6])
        await table.write("insert")
        assert "search: insert" in table.text()

    play(session, steps)
