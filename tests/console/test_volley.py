"""The volley of a division: one ship a line, dice down the column, each shot an entry; and random keys."""

from collections import defaultdict
from functools import partial
from itertools import pairwise

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events

from qf_tui.console.entry.form_state import DICE_FIELD, format_slot_value
from qf_tui.console.entry.volley import VolleyDialog, list_division, render_rows
from qf_tui.console.entry.volley_rows import VolleyDesk
from qf_tui.console.widgets.action_table import list_actions
from qf_tui.console.widgets.actions import VOLLEY, Action
from qf_tui.console.widgets.keys import build_keymap
from qf_tui.console.widgets.text import measure_width
from qf_tui.core.availability import Volley, build_range_book, find_volleys
from qf_tui.core.builtin_forms import AMEND
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import FACE_KEYS, format_typed_faces
from qf_tui.core.values import Order
from qf_tui.library.settings import Settings
from qf_tui.session import Session
from tests.console.playing import ENDS, HOSTILE, LONG, Size, Table, compare, list_keys, play, with_console
from tests.systems import find_our_systems, load_start


def begin_at_guns(scenario: str) -> Session:
    """Begin a battle and play to its first phase that has volleys."""
    system, start = load_start(scenario)
    session = Session.begin(system, start)
    while not find_volleys(system, session.battle.phase):
        session.enter("force next")
    return session


at_yellow_sea = partial(begin_at_guns, "yellow-sea-1904")


def list_shots(session: Session, *words: str) -> list[str]:
    """List the shots in force, with their dice."""
    timeline = session.timeline
    lines = (timeline.versions[number].order.line for number in timeline.play_order)
    return [line for line in lines if line.startswith(words or "fire")]


LINE = "F t t s enter 2 8 enter up up 3 0 enter"
"""Keys for a line against Tsesarevich, first ship at 28 inches, last at 30, cursor on the first again."""


def split_keys(text: str) -> list[str]:
    """Split a text into the names of its keys."""
    return text.split()


@with_console(at_yellow_sea)
async def test_a_volley_is_typed_down_the_columns_and_each_shot_is_an_entry(table: Table) -> None:
    """Detect a die that needs more keys, a filled-in range that is lost, and shots in another order."""
    await table.type(f"{LINE}")
    assert "~29in" in table.text()
    before = table.pressed
    # 9 misses and needs no white die, but the third ship throws one.
    await table.type("right 38 enter 9 enter 91 enter o enter z enter 1x f2")
    assert table.pressed - before <= 4 * 5
    assert table.pressed <= 6 * 5 + 1, "with targets and ranges, for five shots"
    assert list_shots(table.session) == [
        "fire mikasa heavy tsesarevich 28in 3 8",
        "fire asahi heavy tsesarevich ~28in 9",
        "fire fuji heavy tsesarevich ~29in 9 1",
        "fire kasuga heavy tsesarevich ~30in 12",
        "fire nisshin heavy tsesarevich 30in 1 10",
    ]
    assert table.session.timeline.versions[table.session.timeline.play_order[-3]].estimated
    assert table.top is table.screen


@with_console(at_yellow_sea)
async def test_the_white_die_of_a_miss_stays_with_its_ship(table: Table) -> None:
    """Detect one that becomes the next ship's black die, or her range."""
    await table.type(f"{LINE} right 9")
    assert "misses · white not needed" in table.text()
    await table.press("1")
    assert "misses · white 1 not needed" in table.text()
    await table.press("9", "1", "enter", "f2")
    table.expect("✗ too many dice: 4 given; the order takes 2 dice: black D12, white D12")
    assert [row.dice for row in table.top.desk.rows] == ["9191", "", "", "", "", ""]
    assert not list_shots(table.session)
    await table.press("backspace", "backspace", "f2")
    assert list_shots(table.session) == ["fire mikasa heavy tsesarevich 28in 9 1"]


@pytest.mark.parametrize("known", [False, True])
@with_console(at_yellow_sea)
async def test_digits_in_the_range_column_are_always_a_range(table: Table, known: bool) -> None:
    """Detect `t ga Enter 36 Enter` read as dice where the reverse shot measured the range."""
    if known:
        table.session.enter("fire tsesarevich heavy mikasa 33in 9")
    await table.type("Ftts enter")
    table.expect("range of Mikasa to Tsesarevich, in", "[range]")
    assert ("33in_" in table.text()) is known
    await table.type("36 enter")
    row = table.top.desk.rows[0]
    assert (row.filling.find_text("range"), row.dice) == ("36in", "")
    assert "range of Asahi to Tsesarevich, in" in table.text()
    await table.press("right", "4")
    assert "✗ no range yet: Left goes to it" in table.text()
    assert not table.top.desk.rows[1].dice


@with_console(at_yellow_sea)
async def test_estimated_ranges_between_first_and_last_are_explained(table: Table) -> None:
    """Detect two unexplained ranges in a title, and an estimate that survives its ends."""
    await table.type("Ftts enter")
    assert "the first and the last ship's ranges fill in those between" in table.text()
    await table.press(*LINE.split()[5:])
    assert "first" not in table.text().splitlines()[0]
    await table.type("9 escape backspace")
    assert (table.top.desk.typed, table.top.desk.row.filling.find_text("range")) == ("", "")
    await table.type("28 enter up")
    await table.press("down")
    assert "~28in is an estimate between 28in of Mikasa and 30in of Nisshin" in table.text()
    await table.type("down enter down down")
    await table.type("60 enter down")
    assert [row.filling.find_text("range") for row in table.top.desk.rows[1:5]] == ["", "", "", ""]
    assert "28in of Mikasa and 60in of Nisshin are not in one bracket" in table.text()


@with_console(at_yellow_sea)
async def test_ambiguous_digits_hold_the_row(table: Table) -> None:
    """Detect `3 1` and then `11` read as 3 11, and 12 as a 1 and a 2."""
    await table.type(f"{LINE} right 311 enter")
    desk = table.top.desk
    assert (desk.at, desk.read_row(0).dice.faces) == (1, (3, 11))
    await table.type("12 enter f2")
    table.expect("✗ these dice can be read in 2 ways: press Space for 12, or Backspace Space 2 for 1 and 2")
    assert desk.at == 1
    assert not list_shots(table.session)
    await table.type("space enter 1 space 2 enter 3y enter 1 enter 2 enter")
    assert [desk.read_row(at).dice.faces for at in range(5)] == [(3, 11), (12,), (1, 2), (3, 11), (1, 2)]
    # The third die is one too many, and holds the row.
    await table.type("3yz enter")
    assert desk.at == 5
    table.expect("✗ too many dice: 3 given")
    await table.type("backspace backspace backspace 3 space 13")
    table.expect("✗ a 13 on the white D12: its faces are 1 to 12")


@with_console(at_yellow_sea)
async def test_only_its_own_key_closes_a_volley_and_shows_what_it_enters(table: Table) -> None:
    """Detect an Enter that closes an unfinished volley, so that the next keys are orders."""
    await table.press("F", "f2")
    assert "no shot has its dice yet" in table.text()
    await table.press("f1")
    assert "in a volley" in table.text()
    await table.press("escape")
    await table.type(f"escape {LINE} right 38 enter 3 down")
    assert "F2 enters 1 shot · not all dice: Asahi · no dice: Fuji" in table.text()
    await table.press("f2")
    assert "✗ white D12 still missing" in table.text()
    await table.type("8 enter 38 enter 38 enter 38 enter 38 enter enter enter")
    assert "F2 enters 6 shots" in table.text()
    assert not list_shots(table.session)
    await table.pilot.click("#volley-closes", offset=(1, 0))
    await table.settle()
    assert len(list_shots(table.session)) == 6


@pytest.mark.clause("QFC-GUN-5")
@with_console(lambda: begin_at_guns("ulsan-1904"))
async def test_a_shot_that_needs_no_dice_is_taken_by_space(table: Table) -> None:
    """Detect an estimate off the base that no key enters, and a flag that no key switches."""
    await table.type("Ftro enter 180 space f3 f3")
    table.expect("F3 flag", "nothing is rolled · Space takes the shot without dice")
    await table.press("4")
    assert "✗ nothing is rolled" in table.text()
    await table.press("space", "f2")
    assert [order.split()[-1] for order in list_shots(table.session)] == ["off"]


@with_console(at_yellow_sea)
async def test_a_wrong_die_is_corrected_in_the_volley_or_by_undo(table: Table) -> None:
    """Detect a shot of a volley that can only be corrected with the others."""
    await table.type(f"{LINE} right 38 enter 9 f2")
    began = table.pressed
    await table.type("ua8 enter")
    assert table.pressed - began == 4
    assert list_shots(table.session)[-1] == "fire asahi heavy tsesarevich ~28in 8"
    await table.type("F up up up up left")
    assert "▸ = Mikasa" in table.text()
    await table.press("4")
    assert "only its dice can be changed here" in table.text()
    began = table.pressed
    await table.type("right 42 f2")
    assert table.pressed - began == 4
    assert list_shots(table.session)[0] == "fire mikasa heavy tsesarevich 28in 4 2"


@with_console(at_yellow_sea)
async def test_a_refused_correction_keeps_its_dice_and_says_why(table: Table) -> None:
    """Detect a volley that drops the typed dice of an entered shot without a word."""
    await table.type(f"{LINE} right 38 enter 9 f2")
    await table.type("F up up up up left right 42")
    table.top.enter = lambda order: "the disk is full"
    await table.press("f2")
    assert isinstance(table.top, VolleyDialog)
    assert next(row for row in table.top.desk.rows if row.entry).filling.find_text(DICE_FIELD) == "42"
    table.expect("the disk is full")
    assert list_shots(table.session)[0].endswith("3 8")


@pytest.mark.parametrize("switch", ["fights", "silent"])
@with_console(at_yellow_sea, "leave asahi aground", "leave tsesarevich aground")
async def test_a_ship_aground_is_a_target_and_fires_unless_she_is_silent(table: Table, switch: str) -> None:
    """Detect a ship aground that no key aims at, or that has no line in her division's volley."""
    table.session.enter(f"option aground {switch}")
    table.screen.show()
    table.expect("21 of 21 in the battle", "18 of 18 in the battle")
    await table.press("F")
    assert any(row.ship == "asahi" for row in table.top.desk.rows) is (switch == "fights")
    turned = {table.top.desk.row.filling.find_text("target")}
    table.top.desk.turn_target()
    for _ in range(9):
        table.top.desk.turn_target()
        turned.add(table.top.desk.row.filling.find_text("target"))
    assert "tsesarevich" in turned
    await table.type("escape fh")
    assert "Tsesarevich" in table.text().split("Askold")[0].split("the target")[-1]


@with_console(at_yellow_sea)
async def test_dice_skip_a_ship_out_of_range(table: Table) -> None:
    """Detect a prompt for the dice of the first waiting ship while the cursor is on one out of range."""
    await table.type(f"{LINE} down 99 enter up up right 38 enter")
    desk = table.top.desk
    assert desk.read_row(1).refusal
    assert desk.at == 2
    await table.type("left up up enter")
    assert desk.at == 1, "a range is measured anew where it stands"
    assert "99in is beyond long range" in table.text()
    await table.press("3", "1")
    assert "31_" in table.text()
    assert "beyond long range" not in table.text(), "no longer said once another is typed"


@with_console(at_yellow_sea)
async def test_a_refused_shot_stays_and_blocks_no_other(table: Table) -> None:
    await table.type("Ftts enter 28 enter 29 enter right up up 38 enter 9 enter")
    # After another entry the rules refuse the shot that was ready.
    table.expect("▸   Fuji", "F2 enters 2 shots")
    table.session.enter("fire mikasa heavy retvizan 28in 9")
    await table.press("f2")
    assert [line for line in list_shots(table.session) if "asahi" in line] == [
        "fire asahi heavy tsesarevich 29in 9"
    ]
    assert "AQF-GUN-9" in table.text() or "Mikasa" in table.text()
    await table.press("escape")


@with_console(at_yellow_sea)
async def test_a_closed_volley_comes_back_and_asks_about_an_old_range(table: Table) -> None:
    """Detect a half-filled volley that is lost, and a range of last turn that is used unseen."""
    await table.type("Ftts enter 24 space 3 escape F")
    assert "24in" in table.text()
    await table.type("right 8 f2")
    assert list_shots(table.session) == ["fire mikasa heavy tsesarevich 24in 3 8"]
    while (table.session.battle.turn, table.session.battle.phase) != (2, "first-gunnery"):
        table.session.enter("force next")
    table.screen.show()
    await table.press("F")
    table.expect("24in?", "24in is from last turn: Enter keeps it, digits replace it")
    await table.type("right 38")
    assert "✗ 24in? is from last turn: Left, then Space keeps it" in table.text()
    await table.type("left space 38 f2")
    assert list_shots(table.session)[-1] == "fire mikasa heavy tsesarevich 24in 3 8"


@with_console(at_yellow_sea, "fire mikasa heavy tsesarevich 24in 3 8")
async def test_a_cleared_range_stays_empty_until_the_target_changes(table: Table) -> None:
    """Detect the old range when the volley is opened again."""
    while (table.session.battle.turn, table.session.battle.phase) != (2, "first-gunnery"):
        table.session.enter("force next")
    table.screen.show()
    await table.press("F")
    table.expect("24in?")
    await table.type("backspace escape F")
    table.expect("Tsesarevich")
    assert "24in" not in table.text()
    await table.type("t r e t enter left t s e enter")
    table.expect("24in?")


def list_waiting_rows(table: Table) -> list[tuple[str, str, str, str, str]]:
    """List the rows of the volley in front from which a shot may still come."""
    desk = table.top.desk
    return [
        (row.ship, desk.format_guns(at), row.target, row.range_text, row.dice)
        for at, row in enumerate(desk.rows)
        if row.is_open
    ]


MEDIUM = "Ftts enter 12 enter up up 13 enter"
"""Keys for a line against Tsesarevich at a range at which both batteries may fire."""


@with_console(at_yellow_sea)
async def test_every_shot_is_offered_again_after_an_undo(table: Table) -> None:
    """Detect a heavy shot that is lost because the ship's row is now of the light battery."""
    await table.type(f"{MEDIUM} right 38 enter f2 F")
    assert list_waiting_rows(table)[:2] == [
        ("mikasa", "light", "tsesarevich", "12in", ""),
        ("asahi", "heavy", "tsesarevich", "~12in", ""),
    ]
    await table.type("escape u enter F")
    assert list_waiting_rows(table)[0] == ("mikasa", "heavy", "tsesarevich", "12in", "")
    await table.type("38 enter")
    assert list_waiting_rows(table)[-1] == ("mikasa", "light", "tsesarevich", "12in", "")
    table.expect("F2 enters 1 shot", "no dice: Asahi, Fuji, Shikishima, Kasuga, Nisshin, Mikasa light")
    await table.type("up up 44 f2")
    assert list_shots(table.session) == [
        "fire mikasa heavy tsesarevich 12in 3 8",
        "fire mikasa light tsesarevich 12in 4 4",
    ]


ALL_SIX = "38 enter " * 6
"""Dice of a shot for each ship of a line."""


@pytest.mark.parametrize(
    ("typed", "undone", "ship"),
    [
        (ALL_SIX, "u enter", "nisshin"),
        (ALL_SIX, "u enter u enter", "kasuga"),
        ("38 enter 38 enter", "u enter", "asahi"),
    ],
)
@with_console(at_yellow_sea)
async def test_the_cursor_is_on_the_undone_shot(table: Table, typed: str, undone: str, ship: str) -> None:
    """Detect a cursor on the next battery or ship instead."""
    await table.type(f"{MEDIUM} right {typed} f2 {undone} F")
    row = table.top.desk.row
    assert (row.ship, row.battery, row.dice) == (ship, "heavy", "")
    await table.type("44 enter f2")
    assert list_shots(table.session, f"fire {ship} heavy")[0].endswith(" 4 4")


@with_console(at_yellow_sea)
async def test_a_shot_typed_for_one_battery_hides_no_other(table: Table) -> None:
    """Detect only one row for a stored light shot and a heavy one that an undo returns."""
    await table.type(f"{MEDIUM} right 38 enter f2 F 4 escape u enter F")
    assert [row[:2] for row in list_waiting_rows(table)][::6] == [("mikasa", "heavy"), ("mikasa", "light")]
    assert list_waiting_rows(table)[-1] == ("mikasa", "light", "tsesarevich", "12in", "4")
    assert table.top.desk.row.dice == "4", "the cursor stands where it stood"


@with_console(at_yellow_sea)
async def test_guns_out_of_range_are_not_offered_after_the_others(table: Table) -> None:
    await table.type(f"{LINE} right 38 enter 38 enter")
    assert [row[1] for row in list_waiting_rows(table)] == ["heavy"] * 6


@with_console(lambda: begin_at_guns("ulsan-1904"))
async def test_a_ship_that_fires_one_of_her_batteries_is_not_offered_the_other(table: Table) -> None:
    """Rule: QFC-GUN-2."""
    await table.type("Ftro enter 60 right 35 enter")
    assert [row[:2] for row in list_waiting_rows(table) if row[0] == "izumo"] == [("izumo", "heavy")]
    await table.type("up b")
    assert [row[:2] for row in list_waiting_rows(table) if row[0] == "izumo"] == [("izumo", "light")]


@with_console(at_yellow_sea)
async def test_a_volley_reopens_in_the_same_column(table: Table) -> None:
    """Detect dice typed into a range: `3 8` that turns 35in into 38in."""
    await table.type("Ftts enter 35 enter 36 enter right escape F")
    table.expect("[dice]", "kept, not entered: 2 shots")
    assert table.top.desk.row.ship == "fuji"
    await table.type("up up 38 f2")
    assert list_shots(table.session) == ["fire mikasa heavy tsesarevich 35in 3 8"]


@with_console(at_yellow_sea, *(f"fire {ship} heavy retvizan 35in 9" for ship in ("mikasa", "asahi", "fuji")))
async def test_a_changed_target_or_range_applies_to_all_untyped_rows(table: Table) -> None:
    """Detect rows that keep the target of an earlier shot while the first one is changed."""
    while (table.session.battle.turn, table.session.battle.phase) != (2, "first-gunnery"):
        table.session.enter("force next")
    table.screen.show()
    await table.press("F")
    assert [row[2:4] for row in list_waiting_rows(table)][:3] == [("retvizan", "35in?")] * 3
    await table.type("down down left ts enter up up t pob enter")
    assert [row[2] for row in list_waiting_rows(table)][:4] == [
        "pobeda",
        "pobeda",
        "tsesarevich",
        "tsesarevich",
    ]
    await table.type("26 enter down 30 enter down down 28 enter")
    assert [row[3] for row in list_waiting_rows(table)] == ["26in", "~26in", "30in", "~27in", "~28in", "28in"]
    await table.type("28 enter")
    assert [row[3] for row in list_waiting_rows(table)] == ["28in", "~28in", "30in", "~28in", "~28in", "28in"]


@with_console(at_yellow_sea)
async def test_a_typed_range_replaces_estimates(table: Table) -> None:
    """Detect ranges between two ships that stay unconfirmed while their ends are measured again."""
    await table.type(f"{LINE} right 9 enter 9 enter 9 enter 9 enter 9 enter 9 f2")
    while table.session.battle.phase != "second-gunnery":
        table.session.enter("force next")
    table.screen.show()
    await table.press("F")
    assert [row[3] for row in list_waiting_rows(table)] == [
        "28in",
        "~28in",
        "~29in",
        "~29in",
        "~30in",
        "30in",
    ]
    await table.type("26 enter")
    assert [row[3] for row in list_waiting_rows(table)] == [
        "26in",
        "~27in",
        "~28in",
        "~28in",
        "~29in",
        "30in",
    ]


@with_console(at_yellow_sea)
async def test_the_second_battery_has_the_first_ones_target_until_one_is_typed(table: Table) -> None:
    await table.type(f"{MEDIUM} right 38 enter 38 enter up left 14 enter")
    assert list_waiting_rows(table)[6:] == [
        ("mikasa", "light", "tsesarevich", "12in", ""),
        ("asahi", "light", "tsesarevich", "14in", ""),
    ]
    await table.type("up up up up t as enter 10 enter")
    assert list_waiting_rows(table)[:2] == [
        ("mikasa", "heavy", "tsesarevich", "12in", "38"),
        ("asahi", "heavy", "tsesarevich", "14in", "38"),
    ]
    assert list_waiting_rows(table)[6:] == [
        ("mikasa", "light", "askold", "10in", ""),
        ("asahi", "light", "askold", "", ""),
    ]


@with_console(
    at_yellow_sea,
    "fire mikasa heavy tsesarevich 12in",
    "fire mikasa light tsesarevich 12in",
    size=(80, 24),
)
async def test_the_reason_why_a_ship_may_not_fire_fits_on_one_line(table: Table) -> None:
    """Detect a reason one cell too wide, whose last sign wraps."""
    await table.press("F")
    (barred,) = (row for row in table.top.desk.rows if row.barred)
    assert len(barred.barred) > 70
    picture = table.text().splitlines()
    at = next(at for at, line in enumerate(picture) if "· Mikasa" in line)
    assert picture[at].rstrip(" │").endswith("…")
    assert "dice of" in picture[at + 1] or "range of" in picture[at + 1]


SYSTEMS = [
    ("yellow-sea-1904", "F t t s enter 3 6 enter", "2 y", "fire mikasa heavy tsesarevich 36in 2 11"),
    ("yellow-sea-1904-clone", "F t t s enter 9 0 enter", "3 3", "fire mikasa heavy tsesarevich 90cm 3 3"),
    ("port-arthur-1904-evening", "F t p o enter l enter", "1 1 2", "fire mikasa heavy poltava long 1 1 2"),
    (
        "gq2-dogger-bank-1915",
        "F t d e r enter 5 enter",
        "9 1 2",
        "fire lion main derfflinger straddle 5 9 1 2",
    ),
]


@pytest.mark.parametrize(("scenario", "aim", "dice", "shot"), SYSTEMS)
@with_console(begin_at_guns)
async def test_every_system_has_volleys(table: Table, scenario: str, aim: str, dice: str, shot: str) -> None:
    await table.press(*split_keys(aim), "up", "right", *dice.split(), "9", "f2")
    table.expect("✗ too many dice")
    assert not list_shots(table.session)
    await table.press("backspace", "f2")
    assert list_shots(table.session)[-1] == shot, table.text()


def test_no_key_of_a_volley_begins_a_range_or_is_a_face() -> None:
    """Detect a letter meant as range or die that leaves a ship out or changes her guns."""
    taken = {key.lower() for key in build_keymap(VOLLEY) if len(key) == 1}
    words = {"pb", "in", "cm", "mm", *FACE_KEYS}
    for system in find_our_systems().values():
        for form in system.forms:
            volley = Volley.find_volley(form)
            slot = volley and form.find_slot(volley.range)
            words |= set(slot.choices) if slot else set()
    assert not taken & {word[0] for word in words}


def rename_ships(session: Session) -> Session:
    """Begin the same battle with hostile names."""
    start = session.timeline.start
    names = dict(zip(start.ships, (*HOSTILE.values(), *HOSTILE.values()), strict=False))
    ships = {id: evolve(ship, name=names.get(id, LONG)) for id, ship in start.ships.items()}
    again = Session.begin(session.system, evolve(start, ships=ships))
    while again.battle.phase != session.battle.phase:
        again.enter("force next")
    return again


@pytest.mark.parametrize("size", ENDS, ids=str)
@pytest.mark.parametrize(("scenario", "aim", "dice", "shot"), SYSTEMS)
def test_hostile_names_are_legible_in_a_volley(
    size: Size, scenario: str, aim: str, dice: str, shot: str
) -> None:
    """Detect rows that wrap, needs cut where there is room, and a foot that is cut without a sign."""
    session = rename_ships(begin_at_guns(scenario))
    figures = aim.partition(" enter ")[2].removesuffix(" enter")

    async def steps(table: Table) -> None:
        await table.press("F", "n", *figures.split())
        if len(figures) > 2:
            assert f"{figures.replace(' ', '')}_" in table.text()
        await table.type("enter up right")
        needs = table.text()
        assert "dice of [/: " in needs
        await table.press(*dice.split())
        picture = table.text().splitlines()
        head = next(at for at, line in enumerate(picture) if "[dice]" in line)
        rows = picture[head + 1 : head + 1 + len(table.top.desk.rows)]
        assert all(measure_width(line.strip()) == measure_width(picture[head].strip()) for line in rows)
        faces = " ".join(shot.split()[-len(dice.split()) :])
        assert f" {faces}_ " in rows[0]
        assert any(sign in needs.splitlines()[head + 1] for sign in ("≤", "any"))
        assert "…" not in picture[head]
        table.expect("F2 enters 1 shot", "Esc back")
        compare(f"volley-{session.system.name}-{size[0]}x{size[1]}", table.text())

    play(session, steps, size)


@pytest.mark.parametrize(("walk", "ship"), [(True, "Asahi"), (False, "Mikasa")])
@with_console(at_yellow_sea)
async def test_the_cursor_moves_on_after_a_shot_if_so_set(table: Table, walk: bool, ship: str) -> None:
    table.screen.take_settings(Settings(walk=walk))
    await table.type("fhts28 space 9 enter")
    assert table.ship.name == ship


def begin_in_phase(scenario: str, phase: str, entered: tuple[str, ...] = ()) -> Session:
    """Begin a battle, play to a phase and enter orders."""
    session = Session.begin(*load_start(scenario))
    while session.battle.phase != phase:
        session.enter("force next")
    for order in entered:
        session.enter(order)
    return session


PHASES = [
    ("yellow-sea-1904", "movement", "nothing is fired in this phase"),
    ("tassafaronga-1942", "torpedoes", "Torpedoes: a volley takes only target, range and dice; press t"),
    (
        "river-bend-1863",
        "rams",
        "Rams and torpedoes: a volley takes only target, range and dice; press A",
    ),
]


@pytest.mark.parametrize(("scenario", "phase", "said"), PHASES)
@with_console(begin_in_phase, size=(80, 24))
async def test_a_phase_without_volleys_shows_why(table: Table, scenario: str, phase: str, said: str) -> None:
    await table.press("F")
    assert said in table.read_words()


SPOTTED = "mark takanami spotted 1"
BOOKS = [
    ("tassafaronga-1942", "gunnery", (SPOTTED,), "x F t ta enter 9 enter up right 12345 f2"),
    ("tassafaronga-1942", "lookout", (), "x F t ta enter 9 enter 9 enter right up up 7 enter 3 f2"),
    ("lissa-1811", "broadsides", (), "F t fa enter 6 right 1234 enter b b f2"),
    ("river-bend-1863", "batteries", (), "F t ge enter 6 right 34 f2"),
]
FIRED = {
    "gunnery": ["shoot fletcher takanami 9in 1 2 3 4 5"],
    "lookout": ["look fletcher takanami 9in 7", "look perkins takanami 9in 3"],
    "broadsides": ["larboard amphion favorite 6in round 1 2 3 4"],
    "batteries": ["fire keokuk-belle general-breck 6in 3 4"],
}


@with_console(lambda: begin_in_phase("lissa-1811", "broadsides"), size=(100, 60))
async def test_orders_that_a_book_does_not_explain_are_told_apart_by_their_titles(table: Table) -> None:
    """Detect one line of help for the keys of three orders, and a flag explained by its own name."""
    await table.press("f1")
    lines = [line.strip("│ ") for line in table.text().splitlines()]
    titles = [form.title for form in table.session.system.forms if not form.help and form.key]
    assert titles
    for title in titles:
        assert any(line.split()[-len(title.split()) :] == title.split() for line in lines), title
    await table.press("escape")
    await table.type("l")
    assert "[ ] raking   " in table.text()


@pytest.mark.parametrize(("scenario", "phase", "entered", "keys"), BOOKS)
@with_console(begin_in_phase)
async def test_the_attacks_of_a_book_are_fired_in_volleys(
    table: Table, scenario: str, phase: str, entered: tuple[str, ...], keys: str
) -> None:
    """Detect a user's rule book in which the gunnery phase seems to have no attacks."""
    await table.type(keys)
    assert list_shots(table.session, "shoot", "look", "larboard", "fire") == FIRED[phase], table.text()


@with_console(at_yellow_sea)
async def test_a_volley_leaves_the_logs_visible_and_takes_typed_words(table: Table) -> None:
    """Detect a volley on an empty screen, and the `b` of `pb` read as the key of the batteries."""
    await table.type(f"{LINE} pb")
    assert "Asahi" in table.text(behind=True).partition("Volley")[0]
    assert "pb_" in table.text()
    await table.press("enter", "up")
    assert table.top.desk.row.filling.find_text("range") == "pb"
    assert table.top.desk.row.filling.find_text("battery") == "heavy"
    await table.press("b")
    assert table.top.desk.row.filling.find_text("battery") == "light"


@with_console(at_yellow_sea, size=(80, 24))
async def test_the_result_of_a_shot_comes_first_in_its_row(table: Table) -> None:
    """Detect a result cut off on the narrowest screen, after the ROF and the line."""
    await table.type(f"{LINE} right 38 enter 9 enter")
    rows = [line for line in table.text().splitlines() if "✓" in line]
    assert "3 8       S G · S hits 0→1" in rows[0]
    assert "9         misses" in rows[1]


@with_console(at_yellow_sea, size=(120, 36))
async def test_a_row_is_judged_after_the_ready_rows_above_it(table: Table) -> None:
    """Detect three rows that each take the same ROF point, so that the log then loses three points."""
    await table.type(f"{LINE} right 39 enter 39 enter")
    shown = [line for line in table.text().splitlines() if "ROF" in line and "✓" in line]
    assert ["6→5" in line for line in shown] == [True, False], shown
    assert ["5→4" in line for line in shown] == [False, True], shown


WIDTH = 130
SCENARIOS = {
    "yellow-sea-1904": "fire tsesarevich heavy mikasa 36in 9",
    "yellow-sea-1904-clone": "fire tsesarevich heavy mikasa 90cm 3 6",
    "port-arthur-1904-evening": "fire petropavlovsk heavy mikasa 9in 6",
    "gq2-dogger-bank-1915": "fire derfflinger main lion straddle 5 9",
}
AIMS = {
    "yellow-sea-1904": ("ts", "9"),
    "yellow-sea-1904-clone": ("ts", "90"),
    "port-arthur-1904-evening": ("pe", "9"),
    "gq2-dogger-bank-1915": ("der", "5"),
}
"""Letters of a target, and a range at which a whole line may fire at her."""
KEYS = st.one_of(
    st.sampled_from([*"0123456789", *FACE_KEYS]),
    st.sampled_from([*"112233", "enter", "space", "down", "up", "left", "right"]),
    st.sampled_from(["enter", "enter", "right", "f2", "backspace", "escape", "t", *"tsaeponb", "f3", "tab"]),
)


def begin_battle(scenario: str, known: bool) -> Session:
    """Begin a battle at its guns; if `known`, the target's shot has measured the first ship's range."""
    session = begin_at_guns(scenario)
    if known:
        session.enter(SCENARIOS[scenario])
    return session


@frozen
class Drawn:
    """The drawn parts of a row: its sign, its ship, and the text of its columns."""

    here: bool
    sign: str
    ship: str
    guns: str
    target: str
    range: str
    dice: str


class BareVolley(VolleyDialog):
    """A volley without a screen: takes keys and returns its lines."""

    def __init__(self, session: Session) -> None:
        volleys = find_volleys(session.system, session.battle.phase)
        division = list_division(session, next(iter(session.battle.ships.values())))
        super().__init__(VolleyDesk(session, volleys, division), "Volley", self.take)
        self.session = session
        self.open = True
        self.entered: list[Order] = []

    def take(self, order: Order) -> str:
        try:
            self.session.record(self.session.work_out(order))
        except QfError as fault:
            return str(fault)
        self.entered.append(order)
        return ""

    def find_keys(self, *places: str, default: bool = False) -> dict[str, Action]:
        return {
            key: one
            for place in places
            for key, one in build_keymap(place, (), list_actions(), enters=True).items()
        }

    def dismiss(self, result: None = None) -> None:  # type: ignore[override]  # no caller waits for it
        self.open = False

    def press(self, key: str) -> None:
        action = self.keys.get(key)
        if action is None:
            self.handle_other_key(events.Key(key, key if len(key) == 1 else None))
        else:
            getattr(self, f"action_{action.call.name}")(*action.call.arguments)

    def draw(self) -> tuple[str, list[Drawn]]:
        """Return the column whose title is marked, and the rows."""
        head, *rows = (line.plain for line in render_rows(self.desk, WIDTH, 99))
        column = head[head.index("[") + 1 : head.index("]")]
        head = head.replace("[", "").replace("]", "  ")
        titles = ("guns", "target", "range", "needs", "dice", "does")
        places = [4, *(head.index(f" {title}") + 1 for title in titles), None]
        found = []
        for at, text in enumerate(rows):
            _, guns, target, range_, _, dice, _ = (
                text[begins:ends].strip() for begins, ends in pairwise(places)
            )
            here = text.startswith("▸")
            if here:
                target, range_, dice = (one.rstrip("_") for one in (target, range_, dice))
            found.append(Drawn(here, text[2], self.desk.rows[at].ship, guns, target, range_, dice))
        return column, found


class Model:
    """The text typed by ship and column, and what the volley promised to enter."""

    def __init__(self, session: Session) -> None:
        self.session, self.volley = session, BareVolley(session)
        self.column, self.rows = self.volley.draw()
        self.typed: dict[tuple[str, str], str] = defaultdict(str)

    def press(self, key: str) -> None:
        """Press a key, and check the effect on every row."""
        volley = self.volley
        before, column = self.rows, self.column
        at = next(place for place, row in enumerate(before) if row.here)
        written = volley.desk.typed
        volley.press(key)
        self.column, self.rows = volley.draw()
        if key == "f2":
            self.check_closed(before, written)
        elif volley.open and key not in ("backspace", "escape"):
            self.check_rows(key, before, at, column)
        if not volley.open:
            self.volley = BareVolley(self.session)
            self.column, self.rows = self.volley.draw()
            self.typed.clear()

    def check_rows(self, key: str, before: list[Drawn], at: int, column: str) -> None:
        """Check that a figure changes only the cell under the cursor, and other keys no figures of dice."""
        after = self.rows
        if key.isdigit() or (key in FACE_KEYS and column == "dice"):
            self.typed[before[at].ship, column] += str(FACE_KEYS.get(key, key))
            assert self.column == column
            assert after[:at] + after[at + 1 :] == before[:at] + before[at + 1 :]
            same = {name: getattr(before[at], name) for name in ("target", "range", "dice") if name != column}
            assert {name: getattr(after[at], name) for name in same} == same
            assert after[at].here
        elif key != "space":
            dice, stood = group_dice_by_ship(after), group_dice_by_ship(before)
            for ship in stood:
                # A new row without dice may show another shot of the ship.
                assert [figures for figures in dice[ship] if figures] == [
                    figures for figures in stood[ship] if figures
                ]
                assert len(dice[ship]) >= len(stood[ship])

    def check_closed(self, before: list[Drawn], written: str) -> None:
        """Check that the entered shots are the ready rows as drawn, with figures typed at their places."""
        volley = self.volley
        promised = [row for row in before if row.sign == "✓"]
        if written or not volley.entered:
            assert not volley.entered
            assert volley.open
            return
        kept = {(row.ship, row.battery) for row in volley.desk.rows if row.fault}
        assert [self.format_order(order) for order in volley.entered] == [
            (row.ship, row.guns, row.target, row.range, row.dice)
            for row in promised
            if (row.ship, row.guns) not in kept
        ]
        book = build_range_book(self.session.system, self.session.timeline)
        known = {str(one.value) for measures in book.pairs.values() for one in measures}
        for ship, _, _, range_, dice in map(self.format_order, volley.entered):
            assert is_typed(extract_figures(dice), self.typed[ship, "dice"])
            assert (
                range_[:1] == "~"
                or range_ in known
                or is_typed(extract_figures(range_), self.typed[ship, "range"])
            )
        volley.entered.clear()

    def format_order(self, order: Order) -> tuple[str, str, str, str, str]:
        """Format an order or a correction like a row."""
        of, dice = self.volley.desk.volley, format_typed_faces(order.dice)
        if order.form is AMEND:
            order = self.session.timeline.versions[int(str(order.slots["n"]))].order
        slot, target = of.form.find_slot(of.range), self.session.battle.ships[order.text(of.target)].name
        assert slot is not None
        range_ = format_slot_value(slot, order.slots[of.range])
        return (order.text(of.ship), order.text(of.battery), target, range_, dice)


def group_dice_by_ship(rows: list[Drawn]) -> dict[str, list[str]]:
    """Group the figures of the dice by ship."""
    return {
        ship: [extract_figures(row.dice) for row in rows if row.ship == ship]
        for ship in {r.ship for r in rows}
    }


def extract_figures(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def is_typed(figures: str, typed: str) -> bool:
    """Return whether the typed text contains these figures in their order."""
    rest = iter(typed)
    return all(figure in rest for figure in figures)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("scenario", SCENARIOS)
@settings(max_examples=settings().max_examples // 2)
@given(st.lists(KEYS, max_size=60))
def test_each_figure_stays_in_the_cell_where_it_was_typed(
    scenario: str, known: bool, keys: list[str]
) -> None:
    """Detect a die that becomes another ship's, a range read as dice, and a shot that was not shown."""
    model = Model(begin_battle(scenario, known))
    target, figure = AIMS[scenario]
    aim = [*"t", *target, "enter", *figure, "enter", "up", "up", *figure, "enter", "right"]
    for key in [*aim, *keys, "f2"]:
        model.press(key)


FOUND: tuple[str, ...] = (
    # Both dice of a miss and the next ship's; digits after a full row; a range after a known one.
    "t t s enter 3 6 enter 3 6 enter up up right 9 9 enter 9 1 f2",
    "t t s enter 3 6 enter right 3 1 1 1 enter 1 1 enter f2 space f2",
    "t t s enter 3 6 enter 9 enter up right 1 y z enter f2",
    "t t s enter 3 6 right 9 1 f2 right 3 enter f2 up right 4 y f2",
)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("keys", FOUND)
def test_keys_that_once_entered_wrong_shots(keys: str, known: bool) -> None:
    model = Model(begin_battle("yellow-sea-1904", known))
    for key in keys.split():
        model.press(key)


@with_console(at_yellow_sea)
async def test_the_end_of_a_phase_lists_unmeasured_estimates(table: Table) -> None:
    """Detect a range guessed at the bar, and one listed that was filled in between two."""
    await table.press("colon", *list_keys("fire mikasa heavy tsesarevich ~29in"))
    assert "it is not between two ranges of one bracket" in " ".join(table.text().split())
    await table.type("escape")
    await table.order("fire mikasa heavy tsesarevich ~29in 3 8")
    await table.press("n")
    table.expect("Asked in this phase", "it is not between two ranges of one bracket", "AQF-SCA-2")
    await table.press("escape")
    await table.order("fire asahi heavy tsesarevich 28in 9")
    await table.order("fire fuji heavy tsesarevich 30in 9")
    await table.press("n")
    assert "Asked in this phase" not in table.text()
