"""Battles played by keys alone: the bar, the dialogs and their offers."""

from pathlib import Path
from unittest.mock import patch

import pytest
from attrs import evolve
from textual import events

from qf_tui.core.grammar.names import Named, Reach, Scope, list_fitting
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import (
    FullDisk,
    Table,
    begin_examples,
    begin_gunnery,
    begin_saved,
    begin_tiny,
    list_keys,
    play,
    with_console,
)
from tests.console.test_volley import begin_at_guns
from tests.systems import load_start

SHOT = "fire mikasa heavy borodino long 4 8"
LONGEST = "Erzherzog Ferdinand Max"
DIALOG_SHOT = (*"fhbo", "space", *"l48", "enter")


def read_battery(table: Table) -> str:
    """Read the field of the guns in the dialog in front."""
    text: str = table.top.filling.find_text("battery")
    return text


@with_console(begin_gunnery, "damage ohio E D")
async def test_a_half_typed_order_is_kept_apart_from_digits_of_rolls(table: Table) -> None:
    await table.type("colon fire_mas_h escape")
    for _ in range(2):
        assert "set aside: fire mas h   : continues it, Esc drops it" in table.text()
        await table.press("o")
        assert "takes it up" not in table.text(), "an answer's keys are other ones"
        await table.press("3", "enter")
        assert table.screen.orders.text == ""
    assert not table.battle.owed
    await table.press("slash", "colon")
    assert table.screen.orders.text.strip() == "fire mas h"
    await table.type("escape slash note_a escape slash up")
    assert table.screen.orders.text == "fire mas h", "nothing typed is lost"


@with_console(begin_gunnery)
async def test_a_half_typed_order_comes_back_by_its_key_or_is_dropped(table: Table) -> None:
    await table.type("fhbo escape")
    assert "set aside: fire mikasa heavy borodino" in table.text()
    await table.type("f space l4 space 8 enter")
    assert table.list_orders()[-1] == "fire mikasa heavy borodino long"
    await table.type("flbo escape colon")
    assert table.screen.orders.text.strip() == "fire mikasa light borodino"
    await table.type("escape escape colon")
    assert table.screen.orders.text == ""
    await table.type("escape fl escape escape f")
    assert read_battery(table) == ""


@with_console(begin_examples)
async def test_a_closed_dialog_keeps_the_keywords_of_its_values(table: Table) -> None:
    await table.type("m down 1 escape")
    assert "set aside: move mikasa pivots 1 " in table.text()
    await table.type("m down x escape")
    assert "set aside: move mikasa pivots x " in table.text()
    await table.press("colon")
    assert table.screen.orders.text.strip() == "move mikasa pivots x"


@with_console(lambda: begin_gunnery({"borodino": "Erzherzog Karl", "ohio": LONGEST}), SHOT, size=(80, 24))
async def test_the_offer_for_space_is_cut_with_a_sign(table: Table) -> None:
    """Detect `Space: Erzherzog` although several ship names begin so: a cut needs a sign."""
    table.session.enter("fire massena heavy ohio long 4 8")
    await table.type("down fl")
    assert "Space: Erzherzog Ferdin…" in table.text()


@with_console(begin_gunnery, SHOT)
async def test_undo_and_redo_show_their_changes_and_leave_the_bar_empty(table: Table) -> None:
    assert "undo 2 fire" in table.text()
    await table.press("u")
    assert f"strikes 2 {SHOT}: what changes" in table.text()
    await table.press("enter")
    assert table.battle.ships["borodino"].count("rof_heavy") == 6
    await table.press("r", "enter")
    assert table.battle.ships["borodino"].count("rof_heavy") == 5
    await table.order("preview strike 2")
    assert "On the logs" in table.text()
    await table.press("enter")
    assert 2 in table.session.timeline.in_force
    await table.type("u enter colon")
    assert table.screen.orders.text == ""


@with_console(begin_examples, size=(80, 24))
async def test_next_lists_the_ships_that_may_still_act_through_a_whole_turn(table: Table) -> None:
    await table.press("n")
    table.expect("move  Mikasa, Massena", "Enter ends the phase")
    await table.press("escape")
    assert table.battle.phase == "movement"
    for _ in range(4):
        await table.press("n", "enter")
    assert (table.battle.turn, table.battle.phase) == (2, "movement")


@with_console(begin_gunnery, "next")
async def test_empty_phases_pass_with_a_message(table: Table) -> None:
    await table.press("n", "enter")
    assert "skipped, as nothing can happen there: Recurring hits" in table.text()


@with_console(begin_gunnery, "damage ohio E")
async def test_a_phase_that_owes_a_roll_ends_only_if_the_umpire_forces_it(table: Table) -> None:
    assert "owed 1" in table.text()
    await table.press("n")
    assert "F2 ends it and carries these over" in table.text()
    await table.press("enter")
    assert table.battle.phase == "first-gunnery"
    assert "explosion on Ohio" in table.text()
    assert table.screen.orders.question_key == table.battle.owed[0].key
    await table.type("escape n f2")
    assert table.battle.phase == "second-gunnery"


@with_console(begin_gunnery, SHOT)
async def test_a_refused_order_stays_and_is_forced_only_while_it_is_on_the_screen(table: Table) -> None:
    """Cover the bar and a dialog."""
    await table.press("slash", *list_keys(SHOT), "enter", "escape", "escape", "f2")
    assert len(table.list_orders()) == 2
    assert "nothing to force" in table.text()
    await table.order(SHOT)
    assert "has fired in this phase" in table.text()
    assert table.screen.orders.text == SHOT
    await table.press("f2")
    assert len(table.list_orders()) == 3
    await table.press(*DIALOG_SHOT)
    assert "✗" in table.text()
    await table.press("f2")
    assert len(table.list_orders()) == 4


@with_console(begin_gunnery)
async def test_the_bar_shows_odds_takes_words_offered_and_refuses_impossible_dice(table: Table) -> None:
    await table.type("colon fire_mass tab h_oro tab")
    assert table.screen.orders.text == "fire massena h borodino "
    await table.press(*["backspace"] * 30, *list_keys("fire mik h oro l"))
    assert "fires 58%" in table.text()
    for dice in (" 4 13", " 0", " 4 8 9"):
        await table.press(*list_keys(dice))
        assert "✗" in table.text()
        await table.press("enter")
        assert table.list_orders() == ["next"]
        await table.press(*["backspace"] * len(dice))


@with_console(begin_gunnery)
async def test_a_cell_is_edited_in_the_bar_from_its_current_value(table: Table) -> None:
    await table.press("right", "e")
    assert table.screen.orders.text == "mark mikasa rof_heavy 7"
    await table.press("3", "enter")
    assert table.battle.ships["mikasa"].count("rof_heavy") == 3
    await table.press("e", "down")
    assert table.screen.orders.text == "mark mikasa rof_light 10"


@with_console(begin_gunnery, SHOT)
async def test_why_shows_dice_chart_cell_and_clause(table: Table) -> None:
    await table.type("x right question_mark")
    text = table.text()
    assert SHOT in text
    assert "heavy ROF: 6 → 5" in text
    assert "AQF-GUN-7" in text


@with_console(begin_gunnery, SHOT)
async def test_a_correction_with_consequences_is_previewed(table: Table) -> None:
    await table.order("strike 1")
    assert "Parked: a rule" in table.text()
    assert len(table.session.timeline.log) == 2
    await table.press("enter")
    assert len(table.session.timeline.log) == 3


@with_console(begin_examples)
async def test_an_unsaved_entry_is_reported_until_the_disk_takes_it(table: Table) -> None:
    disk = FullDisk()
    table.session.journal = disk
    await table.order("note fog")
    assert "NOT recorded" in table.text()
    assert table.list_orders() == []
    assert table.screen.orders.text == "note fog"
    await table.press("escape")
    assert "NOT recorded" in table.text()
    disk.full = False
    await table.press("colon", "enter")
    assert table.list_orders() == ["note fog"]
    assert "NOT recorded" not in table.text()


@with_console(begin_tiny)
async def test_another_rule_system_is_played_for_a_turn_with_the_same_keys(table: Table) -> None:
    await table.type("s3 enter xs2 enter n")
    assert table.battle.phase == "shoot"
    await table.type("xf1 space 1 space 5 enter")
    assert "leaks to which side" in table.text()
    await table.type("oport enter")
    assert table.battle.ships["ship-1"].live("leak")
    await table.type("n enter t6 enter")
    await table.press("5", "enter") if table.battle.owed else None
    await table.press("n", "enter")
    assert table.battle.turn == 2


@with_console(begin_gunnery, size=(70, 20))
async def test_a_window_that_is_too_small_shows_a_plain_message(table: Table) -> None:
    assert "needs 80 x 24" in table.text()
    await table.type("n enter f")
    await table.pilot.resize_terminal(100, 30)
    assert table.battle.phase == "first-gunnery", "no key acts unseen"
    await table.press("f", "h")
    await table.pilot.resize_terminal(79, 30)
    await table.type("bo enter")
    assert table.text().count("needs 80 x 24") == 1
    assert "the battery" not in table.text()
    await table.pilot.resize_terminal(80, 24)
    assert "the battery" in table.text()
    await table.press("b", "o")
    assert "= Borodino" in table.text()


@with_console(begin_gunnery)
async def test_an_order_typed_over_a_list_closes_it_and_is_not_lost(table: Table) -> None:
    """Detect letters lost in a panel, and dice that then answer another roll."""
    await table.press("s", *DIALOG_SHOT)
    assert table.list_orders()[-1] == "fire mikasa heavy borodino long"
    await table.type("nfhbo space")
    assert table.battle.phase == "first-gunnery"
    assert "= Borodino" in table.text()


@with_console(begin_gunnery)
async def test_letters_in_a_field_are_not_replaced_by_the_offer(table: Table) -> None:
    """Detect a shot at the last target although the umpire's letters match several ships."""
    await table.press(*"fhmi", "down", "down", "l", "escape", "escape", *DIALOG_SHOT, "down", *"fhp")
    assert "= Borodino" not in table.text()
    assert "Space: Borodino" not in table.text()


@with_console(lambda: begin_tiny(120), drawn=True)
async def test_many_ships_scroll_and_only_changed_rows_are_drawn_again(table: Table) -> None:
    await table.press("end")
    assert table.ship.id == "ship-120"
    assert "Ship 120" in table.text()
    drawn = table.screen.grid.drawn_count
    await table.order("mark ship-120 hull 2")
    assert 0 < table.screen.grid.drawn_count - drawn < 4


@with_console(begin_gunnery, size=(80, 24))
async def test_the_help_shows_how_much_more_there_is_in_both_themes(table: Table) -> None:
    await table.press("f9", "f1")
    table.expect("Keys on the logs", "Esc closes", "more lines")
    await table.press(*["pagedown"] * 220)
    assert "more line" not in table.text()
    await table.press("escape", "f9")
    assert "First gunnery" in table.text()


@with_console(begin_gunnery)
async def test_a_click_puts_the_cursor_on_a_cell_and_a_second_one_edits_it(table: Table) -> None:
    await table.pilot.click("#grid", offset=(84, 3))
    assert table.ship.id == "ohio"
    assert table.screen.grid.cursor_column is not None
    assert table.screen.grid.cursor_column.name == "rof"
    await table.pilot.click("#grid", offset=(84, 3))
    await table.pilot.pause()
    assert table.screen.orders.text.startswith("mark ohio rof_heavy")


def test_without_colours_signs_and_words_show_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    session = begin_gunnery()
    session.enter(SHOT)

    async def steps(table: Table) -> None:
        assert table.app.no_color
        table.expect("6/-9", "[2 First gunnery]")

    play(session, steps)


@with_console(begin_examples)
async def test_a_dialog_moves_the_whole_division_of_its_ship_by_one_key(table: Table) -> None:
    await table.press("m")
    assert "@ takes the whole division" in table.text()
    await table.type("at 6 enter")
    assert table.list_orders() == ["move mikasa,massena,sans-pareil,hannibal,upper-log 6"]


@with_console(begin_gunnery)
async def test_unknown_letters_in_a_field_are_refused(table: Table) -> None:
    await table.type("fts")
    assert "“ts” is not one of heavy, light, both" in table.text()
    assert "it may be" not in table.text()
    await table.type("up down h")
    assert read_battery(table) == "heavy"
    await table.type("m space x")
    assert "write more of the name" in table.text()
    assert "it may be" not in table.text()
    await table.press(*["backspace"] * 3, *list_keys("zz"))
    assert "no ship “zz”; it may be" in table.text()
    await table.type("backspace backspace bo space s")
    assert "“s” is not long or medium" in table.text()
    assert "it may be" not in table.text()


@with_console(begin_gunnery, "damage ohio E")
async def test_dice_left_in_the_bar_do_not_come_back_for_another_roll(table: Table) -> None:
    await table.type("13 escape o3 enter")
    assert not table.battle.owed
    assert table.screen.orders.text == ""


@with_console(begin_gunnery)
async def test_a_shot_declared_in_the_bar_is_owed_until_its_dice_are_entered(table: Table) -> None:
    await table.type("slash fire_mikasa_heavy_borodino_long enter")
    assert "now owed: Mikasa heavy at Borodino" in table.text()
    await table.press("o", "a")
    assert "order: answer · amend" in table.text(), "letters behind an opened roll may be orders"
    await table.press("backspace")
    assert "fires " in table.text()
    await table.type("4 space 8 enter")
    assert "Mikasa heavy at Borodino, long · dice 4 8" in table.text()


@with_console(begin_gunnery, SHOT)
async def test_only_changes_read_aloud_earlier_are_corrected_on_the_table(table: Table) -> None:
    """Correct a shot of this phase, not yet read aloud, and one of an earlier phase."""
    await table.type("u enter r enter")
    assert "On the table" not in table.text()
    await table.press("n", "enter")
    table.expect("On the table, after turn 1, First gunnery", "1  Borodino: speed")
    await table.type("enter slash amend_2_4_3 enter")
    assert "on the table: Borodino: speed" in table.text()
    await table.order("amend 2 4 1")
    assert "on the table: Borodino: place a fire marker" in table.text()
    await table.order("amend 2 4 8")
    assert "On the table, after the correction" in table.text()


@with_console(begin_gunnery)
async def test_a_remark_on_a_ship_is_shown_on_its_card(table: Table) -> None:
    await table.press("down", "quotation_mark", *list_keys("magazine hit"), "enter", "s")
    assert "2: magazine hit" in table.text()
    await table.type("escape up s")
    assert "magazine hit" not in table.text().partition("Card and log")[2].partition("Enter or Esc")[0]


@with_console(begin_gunnery)
async def test_flags_are_switched_by_f3_or_by_letters_among_the_dice(table: Table) -> None:
    await table.type("fh f1")
    assert "fire SHIP heavy|light|both TARGET" in "\n".join(table.text().splitlines()[:8])
    assert "Keys in a dialog" in table.text()
    await table.type("escape bo space l f3")
    assert "[x] end" in table.text()
    await table.press("f3")
    table.expect("[ ] end", "[x] light-armor")
    await table.press("l", "e")
    table.expect("[x] end", "[ ] light-armor")


@with_console(begin_gunnery)
async def test_enter_takes_the_offer_of_an_empty_field(table: Table) -> None:
    await table.press(*DIALOG_SHOT, "down", "f", "h")
    assert "Space takes Borodino" in table.text()
    await table.press("enter")
    table.expect("= Borodino", "the range")
    assert len(table.list_orders()) == 2


@with_console(begin_gunnery, "damage ohio E D", size=(200, 60))
async def test_an_owed_die_shows_the_result_of_each_face(table: Table) -> None:
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


@with_console(begin_gunnery)
async def test_actions_are_found_by_the_beginnings_of_words_and_ships_by_a_search(table: Table) -> None:
    await table.type("f4 remark")
    text = table.text()
    assert "a remark for the card" in text
    assert "Torpedo" not in text
    await table.press("escape", "g")
    assert "Tab only these" in table.read_foot()
    await table.type("ohi enter")
    assert "n next phase" in table.read_foot()
    assert table.ship.id == "ohio"


@with_console(begin_gunnery)
async def test_enter_alone_records_no_order_that_was_not_filled_in(table: Table) -> None:
    """Detect a ship that leaves the battle by one key too many."""
    await table.type("f4 ship_leaves enter enter")
    assert "its new status" in table.text()
    assert len(table.list_orders()) == 1
    await table.type("su enter")
    assert table.list_orders()[-1] == "leave mikasa sunk"


@with_console(begin_gunnery)
async def test_a_redo_after_new_entries_asks_first(table: Table) -> None:
    """Detect damage that counts twice: struck, entered again, and restored as well."""
    await table.type("slash damage_ohio_S enter u enter")
    await table.order("damage ohio S")
    assert table.battle.ships["ohio"].count("speed_hits") == 1
    await table.press("r")
    assert "restores 2 damage ohio S: what changes" in table.text()
    await table.press("escape")
    assert table.battle.ships["ohio"].count("speed_hits") == 1


@with_console(begin_gunnery, "damage ohio E D", "roll 2/direction/ohio/1 5")
async def test_an_answered_roll_that_is_undone_is_owed_again_or_changed_in_its_dialog(table: Table) -> None:
    await table.type("ua enter")
    assert "nothing changed: Esc leaves it" in table.text()
    await table.press("9", "enter")
    assert "direction of Ohio · dice 9" in table.text()
    await table.type("u enter u enter")
    assert "direction of Ohio" in [owed.prompt for owed in table.battle.owed][-1]


@with_console(begin_gunnery)
async def test_unknown_letters_among_the_dice_stop_the_typing_after_them(table: Table) -> None:
    """Detect the next order, typed blindly, whose figures become dice of this one."""
    await table.type("fhbo space l4 enter gmat enter 22 enter")
    assert len(table.list_orders()) == 1
    assert "“gmat22” is neither a die nor a flag" in table.text()
    await table.type("backspace 8 enter")
    assert len(table.list_orders()) == 2
    shot = table.session.timeline.versions[table.session.timeline.play_order[-1]]
    assert shot.dice == (4, 8), "the die that was missing, behind the one that was there"


@with_console(begin_gunnery)
async def test_a_dialog_offers_only_values_that_the_switches_allow(table: Table) -> None:
    """Detect `both` offered in vain, an arc without a letter, and damage that hides its fire."""
    await table.press("f")
    assert "heavy · light" in table.text()
    assert "light · both" not in table.text()
    await table.type("hbo space ls4 space 8 enter")
    assert table.list_orders()[-1] == "fire mikasa heavy borodino long stern"
    await table.press("slash", *list_keys("option one_roll yes"), "enter", "f")
    assert "heavy · light · both" in table.text()
    await table.type("escape slash damage_borodino_light_G enter")
    assert "as from light fire" in table.text()


@with_console(begin_gunnery)
async def test_the_title_of_the_dice_counts_the_dice_of_two_batteries(table: Table) -> None:
    await table.type("fbbo space m")
    assert "dice BLACK WHITE ×2" in table.text()
    await table.type("up up up h")
    assert "dice BLACK WHITE  " in table.text()


@with_console(lambda: Session.begin(*load_start("gq2-dogger-bank-1915")), size=(80, 24))
async def test_labels_of_a_form_fit_into_the_smallest_window(table: Table) -> None:
    await table.press("f")
    table.expect(
        "the stick's number, or the range", "more poor visibility, if any", "models in the way, if any"
    )
    await table.press("escape", "t")
    table.expect("the stick's number, or the range", "torpedoes of each ship, if any")
    await table.press("escape", "b")
    table.expect("the ship to light no more, if any")


@with_console(begin_gunnery, "next")
async def test_the_range_field_of_a_torpedo_shows_its_least_and_most(table: Table) -> None:
    await table.type("tbo space")
    assert "in (1″ to 4″)" in table.text()


@with_console(begin_gunnery)
async def test_an_ambiguous_field_keeps_the_keyboard(table: Table) -> None:
    """Detect keys for the next ships in the target of an earlier one, and letters selected unasked."""
    await table.type("fh enter")
    table.expect("✗ the target", "the target is missing: Borodino")
    await table.type("tab xx enter tab")
    assert "✗ the target" in table.text()
    assert table.top.filling.find_text("target") == "xx"
    await table.type("m up down backspace")
    assert table.top.filling.find_text("target") == ""
    await table.type("a up down nn backspace")
    assert table.top.filling.find_text("target") == "an"
    first = table.top.fields.find_first_ship("target")
    assert first in ("hannibal", "sans-pareil")
    await table.press("4")
    assert table.top.filling.texts["range"] == "4"
    assert table.top.fields.find_value("target") == first
    await table.press("up", "b")
    assert table.top.fields.find_value("target") == "borodino"


def test_the_last_target_is_offered_first_and_then_the_largest() -> None:
    """Detect destroyers listed before the battleships of the same letters."""
    session = begin_gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")
    small = session.find_scope(Reach.ANYWHERE)
    last = evolve(small, recent=("borodino",))
    by_size = [one.id for one in list_targets(small)]
    sizes = [session.system.bulk(session.battle.ships[id]) for id in by_size]
    assert sizes == sorted(sizes, reverse=True)
    assert list_targets(last)[0].id == "borodino"


def list_targets(scope: Scope) -> list[Named]:
    """List the ships that an empty field offers as Mikasa's target."""
    among = scope.list_ships("japan")
    return [
        one for _, one in list_fitting("", among, Reach.ANYWHERE) if one.unlikely == (False, False, False)
    ]


@pytest.mark.parametrize(
    ("scenario", "keys", "friend"),
    [
        ("yellow-sea-1904", "fh", "asahi"),
        ("yellow-sea-1904-clone", "fh", "asahi"),
        ("gq2-dogger-bank-1915", "fm", "tiger"),
        ("tassafaronga-1942", "f", "naganami"),
        ("lissa-1811", "l", "active"),
    ],
)
def test_only_enemies_are_offered_as_targets_and_a_friend_is_refused_by_name(
    scenario: str, keys: str, friend: str
) -> None:
    """Detect a list of targets that ends with the firer and her own line."""

    @with_console(lambda: begin_at_guns(scenario))
    async def aim(table: Table) -> None:
        await table.type(keys)
        ships = table.battle.ships
        own = ships[table.top.fields.find_value("ship")].side
        offered = [ships[ship.text].side for ship in table.top.fields.list_choices("target")]
        assert offered
        assert own not in offered
        await table.type(friend)
        assert table.top.fields.find_value("target") == friend

    aim()


@with_console(begin_examples, "mark massena speed_hits 6", "move hannibal 3")
async def test_a_division_moves_as_far_as_each_ship_can_by_one_enter(table: Table) -> None:
    """Detect a division refused because of one ship, and a proposal that the bar or dialog loses."""
    await table.type("m at 6")
    assert "Enter: the rest 6, Massena 2, all she can, not Hannibal" in table.text()
    assert "is more than the" in table.text()
    assert "✗" not in table.text(), "Enter does what it says"
    await table.press("enter")
    assert table.list_orders()[-1] == "move mikasa,massena,sans-pareil,upper-log 6 but massena 2"
    await table.type("u enter slash move_mikasa,massena_6")
    said = " ".join(table.text().split())
    assert "Enter: the rest 6, Massena 2, all she can F2 overrules" in said
    await table.press("enter")
    assert table.list_orders()[-1] == "move mikasa,massena 6 but massena 2"


@with_console(lambda tmp_path: begin_saved(tmp_path / "bench.qfb"), "mark massena speed_hits 6")
async def test_an_act_with_shares_is_undone_amended_and_read_as_one(table: Table, tmp_path: Path) -> None:
    """Detect an undo of half an Enter, and a share that the dialog of the entry loses."""
    await table.type("m at 6 enter")
    entered = table.list_orders()[-1]
    assert entered.endswith(" 6 but massena 2")
    await table.press("u")
    table.expect("Mikasa: boxes moved 6 → none", "Massena: boxes moved 2 → none")
    await table.press("enter")
    assert table.list_orders() == ["mark massena speed_hits 6"]
    await table.type("r enter h enter")
    assert table.top.fields.line == entered
    await table.type("down down down massena_1,_mik_5 enter")
    assert table.list_orders()[-1] == entered.replace("massena 2", "massena 1, mikasa 5")
    assert [table.battle.ships[id].log["moved"] for id in ("mikasa", "massena")] == [5, 1]
    table.session.close()
    again = Session.resume(tmp_path / "bench.qfb", find_systems())
    assert again.battle.ships == table.battle.ships
    assert again.timeline.versions[2].order.line == table.list_orders()[-1]
    again.close()


def test_only_damage_is_offered_for_repair_and_space_takes_it() -> None:
    """Detect five kinds offered to a ship with one kind of damage."""
    session = begin_examples()
    for order in ("mark mikasa speed_hits 2", "mark massena speed_hits 1", "mark massena rof_heavy 3"):
        session.enter(order)
    while session.battle.phase != "repair":
        session.enter("force next")

    async def steps(table: Table) -> None:
        await table.press("p")
        assert "Space takes speed" in table.text()
        assert "boats" not in table.text().split("Space takes")[1]
        await table.type("space 12 enter")
        assert table.list_orders()[-1] == "repair mikasa speed"
        await table.type("gmass enter p")
        assert "heavy · speed" in table.text()
        assert "Space takes" not in table.text()
        await table.press("b")
        assert "boats" in table.text(), "what the rules refuse is taken, and refused by name"

    play(session, steps)


@with_console(begin_gunnery)
async def test_a_word_typed_in_full_switches_no_flag(table: Table) -> None:
    """Detect `pb` read as point blank over the bow, and `medium` as a shot over an end."""
    await table.type("fhbo space pb1 space 1")
    assert table.top.preview.order.line == "fire mikasa heavy borodino pb 1 1"
    await table.type("up medium")
    assert table.top.preview.order.line == "fire mikasa heavy borodino medium 1 1"
    await table.type("up me")
    assert table.top.preview.order.line == "fire mikasa heavy borodino medium end 1 1"


@with_console(begin_gunnery, "fire mikasa heavy borodino long 12")
async def test_a_ship_that_has_sunk_is_not_offered_as_a_target(table: Table) -> None:
    """Detect ids shown instead of names, too."""
    await table.press("f", "l")
    assert "Space takes Borodino" in table.text()
    await table.press("escape", "escape")
    await table.order("leave borodino sunk")
    await table.press("f", "l")
    assert "Space takes" not in table.text()


@with_console(lambda: Session.begin(*load_start("yellow-sea-1904")))
async def test_the_same_order_is_entered_twice_by_two_pastes(table: Table) -> None:
    """Detect a bar that takes the second paste for the text it has already checked."""
    for phase in ("first-gunnery", "second-gunnery", "repair"):
        await table.order("force next")
        assert table.battle.phase == phase


@with_console(begin_gunnery)
async def test_pasted_lines_come_into_the_bar_one_by_one(table: Table) -> None:
    """Detect a second line that is dropped, or entered without being seen."""
    await table.order("\n  \nnote one\r\nnote two\n\nnote three\n")
    assert table.list_orders()[-1:] == ["note one"]
    assert (table.screen.orders.text, "1 more line > " in table.text()) == ("note two", True)
    await table.press("x", "enter")
    assert table.list_orders()[-1:] == ["note twox"]
    assert (table.screen.orders.text, "more line" in table.text()) == ("note three", False)
    await table.press("enter")
    assert table.list_orders()[-1:] == ["note three"]
    assert table.screen.focused is None


@with_console(begin_gunnery)
async def test_a_refused_pasted_line_holds_the_others(table: Table) -> None:
    """Leave the bar there: the rest is reported and can be brought back."""
    await table.order("note one\nfire nobody\nnote three\nnote four")
    await table.press("enter")
    assert table.list_orders()[-1:] == ["note one"]
    assert (table.screen.orders.text, "2 more lines > " in table.text()) == ("fire nobody", True)
    await table.press("escape")
    assert "not entered: 2 pasted lines" in table.text()
    await table.press("slash", "up")
    assert table.screen.orders.text == "note three"
    await table.press("up")
    assert table.screen.orders.text == "note four"
    assert "more line" not in table.text()


@with_console(begin_gunnery)
async def test_a_field_says_how_many_pasted_lines_it_leaves_out(table: Table) -> None:
    await table.press("f")
    with patch.object(table.app, "notify") as notify:
        table.app.post_message(events.Paste("\nheavy\nlight\nboth\n"))
        await table.settle()
    assert "left out: 2 more pasted lines" in notify.call_args.args[0]


def test_a_warning_of_an_older_save_stays_until_it_is_removed(tmp_path: Path) -> None:
    """Detect one that is gone after the next entry, or after another warning."""
    save = tmp_path / "battle.qfb"
    session = begin_saved(save)
    older_copy = save.read_bytes()
    session.enter("note one")
    session.close()
    save.write_bytes(older_copy)

    async def steps(table: Table) -> None:
        warning = "act 1 is missing; battle.qfb.end says that it ended with act 1"
        assert warning in " ".join(table.text().split())
        await table.order("note two")
        table.screen.alarm("another warning")
        await table.order("note three")
        assert warning in " ".join(table.text().split())
        assert "Esc removes this" in " ".join(table.text().split())
        await table.press("escape")
        assert warning not in " ".join(table.text().split())
        await table.order("note four")
        assert warning not in " ".join(table.text().split())

    play(Session.resume(save, find_systems()), steps)
