"""Battles played through the keys alone."""

import pytest

from tests.console.playing import HOSTILE, SMALL_FIRST, FullDisk, Table, bench, gunnery, keys_of, play, tiny

SHOT = ("f", "h", "b", "o", "space", "l", "4", "space", "8", "enter")


@pytest.mark.parametrize("size", SMALL_FIRST)
def test_a_shot_is_fired_with_the_ship_under_the_cursor_at_any_size(size: tuple[int, int]) -> None:
    async def steps(table: Table) -> None:
        await table.press("f", "h", *"lion", "space", "l", "4", "space", "8", "enter")
        assert table.log()[-1] == "fire mikasa heavy borodino long"
        assert table.battle.ships["borodino"].count("rof_heavy") == 5
        assert "fires" in table.text()

    play(gunnery(HOSTILE), steps, size)


def test_hostile_names_stand_on_the_screen_as_they_are() -> None:
    async def steps(table: Table) -> None:
        text = table.text()
        assert "[/" in text
        assert "艦 Kongō" in text
        await table.press("s")
        assert "Card and log: [/" in table.text()
        await table.press("escape", "f", "l")
        assert "HMS [Red] Lion" in table.text()
        await table.press("escape", "slash", *keys_of("damage ohio E"), "enter")
        assert "explosion on 艦 Kongō" in table.text()

    play(gunnery(HOSTILE), steps)


def test_digits_alone_answer_the_first_owed_roll() -> None:
    session = gunnery()
    session.enter("damage ohio E")

    async def steps(table: Table) -> None:
        assert "owed 1" in table.text()
        await table.press("3", "enter")
        assert not table.battle.owed
        assert table.log()[-1].startswith("roll ")

    play(session, steps)


def test_an_order_half_typed_is_offered_beside_owed_rolls_and_joins_none_of_their_digits() -> None:
    session = gunnery()
    session.enter("damage ohio E D")

    async def steps(table: Table) -> None:
        await table.press("colon", *keys_of("fire mas h"), "escape")
        for _ in range(2):
            assert "set aside: fire mas h   : takes it up, Esc drops it" in table.text()
            await table.press("o")
            assert "takes it up" not in table.text(), "an answer's keys are other ones"
            await table.press("3", "enter")
            assert table.screen.orders.text == ""
        assert not table.battle.owed
        await table.press("slash", "colon")
        assert table.screen.orders.text.strip() == "fire mas h"
        await table.press("escape", "slash", *keys_of("note a"), "escape", "slash", "up")
        assert table.screen.orders.text == "fire mas h", "nothing typed is lost"

    play(session, steps)


def test_a_dialog_half_filled_comes_back_by_its_own_key_and_into_the_bar() -> None:
    async def steps(table: Table) -> None:
        await table.press("f", "h", "b", "o", "escape")
        assert "set aside: fire mikasa heavy borodino" in table.text()
        await table.press("f", "space", "l", "4", "space", "8", "enter")
        assert table.log()[-1] == "fire mikasa heavy borodino long"
        await table.press("f", "l", "b", "o", "escape", "colon")
        assert table.screen.orders.text.strip() == "fire mikasa light borodino"

    play(gunnery(), steps)


def test_a_dialog_put_by_keeps_the_words_ahead_of_its_values() -> None:
    async def steps(table: Table) -> None:
        await table.press("m", "down", "1", "escape")
        assert "set aside: move mikasa pivots 1 " in table.text()
        await table.press("m", "down", "x", "escape")
        assert "set aside: move mikasa pivots x " in table.text()
        await table.press("colon")
        assert table.screen.orders.text.strip() == "move mikasa pivots x"

    play(bench(), steps)


def test_undo_leaves_nothing_in_the_bar_and_redo_restores_it() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        assert "undo 2 fire" in table.text()
        await table.press("u")
        assert "strikes 2 fire mikasa heavy borodino long 4 8: what changes" in table.text()
        await table.press("enter")
        assert table.battle.ships["borodino"].count("rof_heavy") == 6
        await table.press("r", "enter")
        assert table.battle.ships["borodino"].count("rof_heavy") == 5
        await table.press("u", "enter", "colon")
        assert table.screen.orders.text == ""

    play(session, steps)


def test_next_says_who_may_still_act_and_passes_through_a_whole_turn() -> None:
    async def steps(table: Table) -> None:
        await table.press("n")
        assert "may still act" in table.text()
        await table.press("escape")
        assert table.battle.phase == "movement"
        for _ in range(4):
            await table.press("n", "enter")
        assert table.battle.turn == 2
        assert table.battle.phase == "movement"

    play(bench(), steps)


def test_phases_in_which_nothing_can_happen_pass_with_a_line() -> None:
    session = gunnery()
    session.enter("next")

    async def steps(table: Table) -> None:
        await table.press("n", "enter")
        assert "passed, as nothing can happen in it: Recurring hits" in table.text()

    play(session, steps)


def test_a_phase_that_owes_a_roll_ends_only_by_the_umpires_word() -> None:
    session = gunnery()
    session.enter("damage ohio E")

    async def steps(table: Table) -> None:
        await table.press("n")
        assert "These rolls are still owed" in table.text()
        assert "F2 ends it and carries this over" in table.text()
        await table.press("enter")
        assert table.battle.phase == "first-gunnery"
        assert "explosion on Ohio" in table.text()
        assert table.screen.orders.key == table.battle.owed[0].key
        await table.press("escape", "n", "f2")
        assert table.battle.phase == "second-gunnery"

    play(session, steps)


def test_a_refused_order_stays_in_the_bar_and_can_be_forced() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        await table.order("fire mikasa heavy borodino long 4 8")
        assert "has fired in this phase" in table.text()
        assert table.screen.orders.text == "fire mikasa heavy borodino long 4 8"
        await table.press("f2")
        assert len(table.log()) == 3

    play(session, steps)


def test_a_refusal_in_a_dialog_can_be_forced() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        await table.press(*SHOT)
        assert "✗" in table.text()
        await table.press("f2")
        assert len(table.log()) == 3

    play(session, steps)


@pytest.mark.parametrize("dice", ["4 13", "0", "4 8 9"])
def test_impossible_dice_are_refused_while_they_are_typed(dice: str) -> None:
    async def steps(table: Table) -> None:
        await table.press("colon", *keys_of(f"fire mikasa h bo l {dice}"))
        assert "✗" in table.text()
        await table.press("enter")
        assert table.log() == ["next"]

    play(gunnery(), steps)


def test_odds_are_shown_while_the_order_is_typed() -> None:
    async def steps(table: Table) -> None:
        await table.press("colon", *keys_of("fire mik h oro l"))
        assert "fires 58%" in table.text()

    play(gunnery(), steps)


def test_tab_takes_the_first_word_offered() -> None:
    async def steps(table: Table) -> None:
        await table.press("colon", *keys_of("fire mass"), "tab", *keys_of("h oro"), "tab")
        assert table.screen.orders.text == "fire massena h borodino "

    play(gunnery(), steps)


def test_a_cell_is_edited_in_the_bar_with_the_value_that_stands() -> None:
    async def steps(table: Table) -> None:
        await table.press("right", "e")
        assert table.screen.orders.text == "mark mikasa rof_heavy 7"
        await table.press("3", "enter")
        assert table.battle.ships["mikasa"].count("rof_heavy") == 3
        await table.press("e", "down")
        assert table.screen.orders.text == "mark mikasa rof_light 10"

    play(gunnery(), steps)


def test_why_tells_dice_chart_cell_and_clause() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        await table.press("x", "right", "question_mark")
        text = table.text()
        assert "fire mikasa heavy borodino long 4 8" in text
        assert "heavy ROF: 6 → 5" in text
        assert "AQF-GUN-7" in text

    play(session, steps)


def test_a_correction_that_changes_more_is_shown_before_it_happens() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        await table.order("strike 1")
        assert "Parked: a rule" in table.text()
        assert len(table.session.timeline.log) == 2
        await table.press("enter")
        assert len(table.session.timeline.log) == 3

    play(session, steps)


def test_what_the_disk_did_not_take_is_said_until_it_does() -> None:
    session = bench()
    disk = FullDisk()
    session.journal = disk

    async def steps(table: Table) -> None:
        await table.order("note fog")
        assert "NOT recorded" in table.text()
        assert table.log() == []
        assert table.screen.orders.text == "note fog"
        await table.press("escape")
        assert "NOT recorded" in table.text()
        disk.full = False
        await table.press("colon", "enter")
        assert table.log() == ["note fog"]
        assert "NOT recorded" not in table.text()

    play(session, steps)


def test_another_rule_system_is_played_for_a_turn_with_the_same_keys() -> None:
    async def steps(table: Table) -> None:
        await table.press("s", "3", "enter", "x", "s", "2", "enter", "n")
        assert table.battle.phase == "shoot"
        await table.press("x", "f", "1", "space", "1", "space", "5", "enter")
        assert "leaks to which side" in table.text()
        await table.press("o", *"port", "enter")
        assert table.battle.ships["ship-1"].live("leak")
        await table.press("n", "enter", "t", "6", "enter")
        await table.press("5", "enter") if table.battle.owed else None
        await table.press("n", "enter")
        assert table.battle.turn == 2

    play(tiny(), steps)


def test_a_window_too_small_says_so_in_plain_text() -> None:
    async def steps(table: Table) -> None:
        assert "needs 80 x 24" in table.text()
        await table.press("n", "enter", "f")
        await table.pilot.resize_terminal(100, 30)
        assert table.battle.phase == "first-gunnery", "no key acts unseen"
        await table.press("f", "h")
        await table.pilot.resize_terminal(79, 30)
        await table.press("b", "o", "enter")
        assert table.text().count("needs 80 x 24") == 1
        assert "the battery" not in table.text()
        await table.pilot.resize_terminal(80, 24)
        assert "the battery" in table.text()
        await table.press("b", "o")
        assert "= Borodino" in table.text()

    play(gunnery(), steps, (70, 20))


def test_an_order_typed_over_a_list_closes_it_and_is_not_lost() -> None:
    """Catches letters that a panel swallows, and dice that then answer something else."""

    async def steps(table: Table) -> None:
        await table.press("s", *"fhbo", "space", *"l48", "enter")
        assert table.log()[-1] == "fire mikasa heavy borodino long"
        await table.press("n", *"fhbo", "space")
        assert table.battle.phase == "first-gunnery"
        assert "= Borodino" in table.text()

    play(gunnery(), steps)


def test_nothing_is_forced_that_is_no_longer_on_the_screen() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        await table.press(
            "slash", *keys_of("fire mikasa heavy borodino long 4 8"), "enter", "escape", "escape", "f2"
        )
        assert len(table.log()) == 2
        assert "nothing to force" in table.text()

    play(session, steps)


def test_letters_in_a_field_are_never_taken_for_what_is_offered_there() -> None:
    """Catches a shot at the last target where the umpire's letters meant several ships."""

    async def steps(table: Table) -> None:
        await table.press(
            *"fh",
            "m",
            "i",
            "down",
            "down",
            *"l",
            "escape",
            "escape",
            *"fhbo",
            "space",
            *"l48",
            "enter",
            "down",
            "f",
            "h",
            "p",
        )
        assert "= Borodino" not in table.text()
        assert "Space: Borodino" not in table.text()

    play(gunnery(), steps)


def test_a_hundred_and_twenty_ships_scroll_and_only_changed_rows_are_drawn_again() -> None:
    async def steps(table: Table) -> None:
        await table.press("end")
        assert table.ship.id == "ship-120"
        assert "Ship 120" in table.text()
        drawn = table.screen.grid.drawn.count
        await table.order("mark ship-120 hull 2")
        assert 0 < table.screen.grid.drawn.count - drawn < 4

    play(tiny(120), steps, drawn=True)


def test_both_themes_and_the_help_can_be_shown() -> None:
    async def steps(table: Table) -> None:
        await table.press("f9", "f1")
        assert "Keys on the logs" in table.text()
        await table.press("pagedown", "pagedown", "escape", "f9")
        assert "First gunnery" in table.text()

    play(gunnery(), steps)


def test_a_click_puts_the_cursor_on_a_cell_and_a_second_one_edits_it() -> None:
    async def steps(table: Table) -> None:
        await table.pilot.click("#grid", offset=(84, 3))
        assert table.ship.id == "ohio"
        assert table.screen.grid.under is not None
        assert table.screen.grid.under.name == "rof"
        await table.pilot.click("#grid", offset=(84, 3))
        await table.pilot.pause()
        assert table.screen.orders.text.startswith("mark ohio rof_heavy")

    play(gunnery(), steps)


def test_without_colours_signs_and_words_still_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        assert table.app.no_color
        assert "6/-9" in table.text()
        assert "[2 First gunnery]" in table.text()

    play(session, steps)


def test_a_phase_that_ended_gives_a_list_to_read_aloud_by_side() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        await table.press("n", "enter")
        assert "On the table, after turn 1, First gunnery" in table.text()
        assert "1  Borodino: speed" in table.text()

    play(session, steps)


def test_a_list_longer_than_its_panel_says_how_much_more_there_is_and_keeps_its_keys() -> None:
    async def steps(table: Table) -> None:
        await table.press("f1")
        assert "Esc closes" in table.text()
        assert "more lines" in table.text()
        await table.press(*["pagedown"] * 60)
        assert "more line" not in table.text()

    play(bench(), steps, (80, 24))


def test_who_may_still_act_is_told_together() -> None:
    async def steps(table: Table) -> None:
        await table.press("n")
        assert "move  Mikasa, Massena" in table.text()
        assert "Enter ends the phase" in table.text()

    play(bench(), steps, (80, 24))


def test_a_dialog_moves_the_whole_division_of_its_ship_by_one_key() -> None:
    async def steps(table: Table) -> None:
        await table.press("m", "at", "6", "enter")
        assert table.log() == ["move mikasa,massena,sans-pareil,hannibal,upper-log 6"]

    play(bench(), steps)


def test_letters_that_mean_nothing_in_a_field_are_refused_as_they_are_typed() -> None:
    async def steps(table: Table) -> None:
        await table.press("f", "t", "s")
        assert "“ts” is not one of heavy, light, both" in table.text()
        await table.press("up", "down", "h")
        assert table.top.filling.text("battery") == "heavy"

    play(gunnery(), steps)


def test_a_refusal_that_names_what_a_field_may_hold_does_not_name_it_twice() -> None:
    async def steps(table: Table) -> None:
        await table.press("f", "1")
        assert "“1” is not one of heavy, light, both" in table.text()
        assert "it may be" not in table.text()
        await table.press("backspace", "h", *keys_of("m x"))
        assert "write more of the name" in table.text()
        assert "it may be" not in table.text()
        await table.press(*["backspace"] * 3, *keys_of("zz"))
        assert "no ship “zz”; it may be" in table.text()
        await table.press("backspace", "backspace", "b", "o", "space", "s")
        assert "“s” is not long or medium" in table.text()
        assert "it may be" not in table.text()

    play(gunnery(), steps)


def test_what_is_half_typed_can_be_dropped() -> None:
    async def steps(table: Table) -> None:
        await table.press("colon", *keys_of("fire mas h"), "escape", "escape", "colon")
        assert table.screen.orders.text == ""
        await table.press("escape", "f", "h", "escape", "escape", "f")
        assert table.top.filling.text("battery") == ""

    play(gunnery(), steps)


def test_dice_left_in_the_bar_do_not_come_back_for_another_roll() -> None:
    session = gunnery()
    session.enter("damage ohio E")

    async def steps(table: Table) -> None:
        await table.press("1", "3", "escape", "o", "3", "enter")
        assert not table.battle.owed
        assert table.screen.orders.text == ""

    play(session, steps)


def test_what_an_order_of_the_bar_made_owed_is_said() -> None:
    async def steps(table: Table) -> None:
        await table.order("fire mikasa heavy borodino long")
        assert "now owed: Mikasa heavy at Borodino" in table.text()

    play(gunnery(), steps)


def test_a_preview_shows_what_an_entry_itself_changed() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        await table.order("preview strike 2")
        assert "On the logs" in table.text()
        await table.press("enter")
        assert len(table.session.timeline.log) == 2

    play(session, steps)


def test_dice_given_later_say_to_whose_shot_they_belong() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long")

    async def steps(table: Table) -> None:
        await table.press("4", "space", "8", "enter")
        assert "Mikasa heavy at Borodino, long · dice 4 8" in table.text()

    play(session, steps)


def test_letters_behind_an_opened_roll_say_which_orders_they_may_be() -> None:
    async def steps(table: Table) -> None:
        await table.press("slash", *keys_of("fire mikasa heavy borodino long"), "enter", "o", "a")
        assert "order: answer · amend" in table.text()
        await table.press("backspace")
        assert "fires " in table.text()

    play(gunnery(), steps)


def test_the_table_is_mended_only_of_what_was_put_on_it_before() -> None:
    """A shot of this phase has not been read aloud yet; one of an earlier phase has."""
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")

    async def steps(table: Table) -> None:
        await table.press("u", "enter", "r", "enter")
        assert "On the table" not in table.text()
        await table.press("n", "enter", "enter", "slash", *keys_of("amend 2 4 3"), "enter")
        assert "on the table: Borodino: speed" in table.text()
        await table.order("amend 2 4 1")
        assert "on the table: Borodino: place a fire marker" in table.text()
        await table.order("amend 2 4 8")
        assert "On the table, after the correction" in table.text()

    play(session, steps)


def test_a_remark_on_a_ship_stands_on_its_card() -> None:
    async def steps(table: Table) -> None:
        await table.press("down", "quotation_mark", *keys_of("magazine hit"), "enter", "s")
        assert "2: magazine hit" in table.text()
        await table.press("escape", "up", "s")
        assert "magazine hit" not in table.text().partition("Card and log")[2].partition("Enter or Esc")[0]

    play(gunnery(), steps)


def test_the_help_opens_from_a_dialog_on_its_order() -> None:
    async def steps(table: Table) -> None:
        await table.press("f", "h", "f1")
        assert "fire SHIP heavy|light|both TARGET" in "\n".join(table.text().splitlines()[:8])
        assert "Keys in a dialog" in table.text()
        await table.press("escape", *"bo")
        assert "= Borodino" in table.text()

    play(gunnery(), steps)


def test_flags_are_turned_by_f3_and_among_the_dice() -> None:
    async def steps(table: Table) -> None:
        await table.press(*"fhbo", "space", "l", "f3")
        assert "[x] end" in table.text()
        await table.press("f3")
        assert "[ ] end" in table.text()
        assert "[x] light-armor" in table.text()
        await table.press("l", "e")
        assert "[x] end" in table.text()
        assert "[ ] light-armor" in table.text()

    play(gunnery(), steps)


def test_the_whole_division_is_offered_behind_its_first_ship() -> None:
    async def steps(table: Table) -> None:
        await table.press("m")
        assert "@ takes all of its division" in table.text()

    play(bench(), steps)


def test_enter_takes_what_is_offered_in_an_empty_field() -> None:
    async def steps(table: Table) -> None:
        await table.press(*"fhbo", "space", *"l48", "enter", "down", "f", "h")
        assert "Space takes Borodino" in table.text()
        await table.press("enter")
        assert "= Borodino" in table.text()
        assert "the range" in table.text()
        assert len(table.log()) == 2

    play(gunnery(), steps)


def test_an_owed_die_says_what_each_face_would_do() -> None:
    session = gunnery()
    session.enter("damage ohio E D")

    async def steps(table: Table) -> None:
        await table.press("o")
        assert "1–3 G F" in table.text()
        await table.press("o")
        assert "turns 45" in table.text()
        await table.press("5")
        assert "direction of Ohio: ✓ 5 turns 45" in table.text()
        await table.press("enter")
        assert "roll 5 for direction of Ohio" in table.text()
        await table.press("o")
        assert "1–3 G F" in table.text()

    play(session, steps, (200, 60))


def test_the_palette_finds_actions_by_the_beginnings_of_words() -> None:
    async def steps(table: Table) -> None:
        await table.press("f4", *"remark")
        text = table.text()
        assert "a remark on the ship" in text
        assert "Torpedo" not in text
        await table.press("escape")

    play(gunnery(), steps)


def test_the_keys_of_a_search_for_a_ship_stand_at_the_foot() -> None:
    async def steps(table: Table) -> None:
        await table.press("g")
        assert "Tab only these" in table.text().splitlines()[-1]
        await table.press(*"ohi", "enter")
        assert "n next phase" in table.text().splitlines()[-1]
        assert table.ship.id == "ohio"

    play(gunnery(), steps)


def test_enter_alone_enters_no_order_that_nobody_has_said_anything_of() -> None:
    """Catches a ship that leaves by one key too many."""

    async def steps(table: Table) -> None:
        await table.press("f4", *"ship goes", "enter", "enter")
        assert "what becomes of it" in table.text()
        assert len(table.log()) == 1
        await table.press("s", "u", "enter")
        assert table.log()[-1] == "leave mikasa sunk"

    play(gunnery(), steps)


def test_a_redo_asks_first_where_something_was_entered_since() -> None:
    """Catches damage that counts twice: struck, entered anew, and restored beside it."""

    async def steps(table: Table) -> None:
        await table.press("slash", *keys_of("damage ohio S"), "enter", "u", "enter")
        await table.order("damage ohio S")
        assert table.battle.ships["ohio"].count("speed_hits") == 1
        await table.press("r")
        assert "restores 2 damage ohio S: what changes" in table.text()
        await table.press("escape")
        assert table.battle.ships["ohio"].count("speed_hits") == 1

    play(gunnery(), steps)


def test_an_answered_roll_that_is_undone_is_owed_again_or_changed_in_its_dialog() -> None:
    session = gunnery()
    session.enter("damage ohio E D")
    session.enter("roll 2/direction/ohio/1 5")

    async def steps(table: Table) -> None:
        await table.press("u", "a", "enter")
        assert "nothing is changed: Esc leaves it as it is" in table.text()
        await table.press("9", "enter")
        assert "direction of Ohio · dice 9" in table.text()
        await table.press("u", "enter", "u", "enter")
        assert "direction of Ohio" in [owed.prompt for owed in table.battle.owed][-1]

    play(session, steps)


def test_letters_among_the_dice_that_are_no_flag_stop_what_is_typed_behind_them() -> None:
    """Catches the next order, typed on without looking, whose figures become the dice of this one."""

    async def steps(table: Table) -> None:
        await table.press(*"fhbo", "space", *"l4", "enter", *"gmat", "enter", *"22", "enter")
        assert len(table.log()) == 1
        assert "“gmat22” is no die and no flag" in table.text()
        await table.press("backspace", "8", "enter")
        assert len(table.log()) == 2
        shot = table.session.timeline.versions[table.session.timeline.play_order[-1]]
        assert shot.dice == (4, 8), "the die that was missing, behind the one that was there"

    play(gunnery(), steps)
