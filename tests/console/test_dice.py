"""How typed digits are split into dice, and single keys for 10, 11 and 12."""

import pytest

from qf_tui.console.entry.bar import OrderBar
from qf_tui.core.grammar.names import FACE_KEYS, find_face_keys, format_face_keys, list_readings
from qf_tui.core.values import Battle, Die, Form, Order
from qf_tui.session.session import OrderPreview
from qf_tui.session.typed_dice import read_dice
from tests.console.playing import Table, begin_gunnery, with_console
from tests.console.test_volley import at_yellow_sea, begin_at_guns, list_shots
from tests.features.sealed_dice.club import find_faces
from tests.systems import find_our_systems

D12S = (Die(12, "black"), Die(12, "white"))
D6S = (Die(6), Die(6), Die(6))


@pytest.mark.parametrize(
    ("text", "dice", "found"),
    [
        ("4", D12S, {(4,)}),
        ("48", D12S, {(4, 8)}),
        ("310", D12S, {(3, 10)}),
        ("4 8", D12S, {(4, 8)}),
        ("4,8", D12S, {(4, 8)}),
        ("11", D12S, {(11,), (1, 1)}),
        ("11 ", D12S, {(11,)}),
        ("1 1", D12S, {(1, 1)}),
        ("112", D12S, {(1, 12), (11, 2)}),
        ("11 2", D12S, {(11, 2)}),
        ("1212", D12S, {(12, 12)}),
        ("131", D12S, set()),
        ("05", D12S, set()),
        ("05 ", D12S, set()),
        ("3y", D12S, {(3, 11)}),
        ("zX", D12S, {(12, 10)}),
        ("12x", D12S, {(12, 10)}),
        ("3y", D6S, set()),
        ("4 8 1", D12S, set()),
        ("345", D6S, {(3, 4, 5)}),
        ("37", D6S, set()),
        ("", D12S, set()),
        ("4a", D12S, set()),
        ("１２", D12S, set()),
    ],
)
def test_digits_are_split_into_all_possible_faces(
    text: str, dice: tuple[Die, ...], found: set[tuple[int, ...]]
) -> None:
    assert set(list_readings(text, dice)) == found


@pytest.mark.parametrize(
    ("text", "faces", "doubt"),
    [
        ("48", (4, 8), ""),
        ("311", (3, 11), ""),
        # Black 11 fails and needs no white; 1 and 1 fire: only the umpire knows.
        ("11", (), "press Space for 11, or Backspace Space 1 for 1 and 1"),
        ("12", (), "press Space for 12, or Backspace Space 2 for 1 and 2"),
        ("112", (), "press Backspace Backspace Space z for 1 and 12, or Backspace Space 2 for 11 and 2"),
        ("13", (1, 3), ""),
        # Impossible faces and an extra die stay as typed, for the rules to refuse.
        ("05", (0, 5), ""),
        ("99999", (9, 9, 9, 9, 9), ""),
        ("13111", (1, 3, 1, 11), ""),
        ("3 8 1", (3, 8, 1), ""),
    ],
)
def test_the_rules_say_which_reading_makes_an_order(text: str, faces: tuple[int, ...], doubt: str) -> None:
    session = begin_gunnery()
    typed = read_dice(session, session.read_typed(f"fire mikasa heavy borodino long {text}"))
    assert typed.faces == faces
    assert typed.doubt.partition(": ")[2] == doubt


def test_an_order_is_prepared_once_for_its_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    session, seen = begin_gunnery(), list[Order | str]()
    preview = session.preview_order

    def counted(order: Order | str, battle: Battle | None = None, *, figures: bool = True) -> OrderPreview:
        seen.append(order)
        assert not figures, "its odds are not asked for"
        return preview(order, battle, figures=figures)

    monkeypatch.setattr(session, "preview_order", counted)
    reading = session.read_typed("fire mikasa heavy borodino long 48")
    assert read_dice(session, reading).faces_text == "black 4 · white 8"
    assert len(seen) == 2


@with_console(begin_gunnery)
async def test_ambiguous_dice_are_not_entered(table: Table) -> None:
    """Detect a guess between 11 alone and 1 and 1."""
    await table.type("fhbo space l11 enter")
    table.expect("✗ these dice can be read in 2 ways: press Space for 11, or Backspace Space 1 for 1 and 1")
    assert table.list_orders() == ["next"]
    await table.press("f2")
    assert table.list_orders() == ["next"], "a field with a cross is not forced"
    await table.press("space", "enter")
    assert table.list_orders()[-1].startswith("fire mikasa heavy")


@with_console(begin_gunnery, "fire mikasa light borodino medium 3 8")
async def test_the_last_target_is_offered_and_space_takes_it(table: Table) -> None:
    await table.type("fh space space 48 enter")
    assert table.list_orders()[-1] == "fire mikasa heavy borodino medium"


@with_console(begin_gunnery, "fire mikasa heavy borodino long 11", "next")
async def test_repeating_the_last_shot_takes_only_its_dice(table: Table) -> None:
    await table.type("a48 enter")
    assert table.list_orders()[-2:] == ["next", "fire mikasa heavy borodino long"]
    assert table.pressed == 4


@with_console(begin_gunnery)
async def test_dice_of_a_closed_dialog_come_back_into_the_bar(table: Table) -> None:
    await table.type("fhbo space l48 escape colon")
    assert table.screen.orders.text.strip() == "fire mikasa heavy borodino long 4 8"
    await table.press("enter")
    assert table.list_orders()[-1] == "fire mikasa heavy borodino long"


@with_console(begin_gunnery)
async def test_a_letter_that_fits_no_ship_goes_to_the_next_field(table: Table) -> None:
    await table.type("fhbol48 enter")
    assert table.list_orders()[-1] == "fire mikasa heavy borodino long"
    await table.type("down fhobm48 enter")
    assert len(table.list_orders()) == 2, "letters that mean no ship go nowhere"


BLACK, WHITE, SIX, TEN = Die(12, "black"), Die(12, "white"), Die(6), Die(10, "", 0)


def test_only_dice_with_high_faces_have_keys_for_them() -> None:
    assert dict(find_face_keys((BLACK, WHITE))) == {"x": 10, "y": 11, "z": 12}
    assert format_face_keys((Die(10),)) == "x 10"
    assert not find_face_keys((SIX, TEN))
    assert not find_face_keys(())


@pytest.mark.parametrize(("before", "face"), [("", 11), ("3", 11), ("3 ", 12), ("1", 10), ("12 ", 12)])
def test_the_key_of_a_face_leaves_no_doubt(before: str, face: int) -> None:
    """Detect a key that changes the face of a digit before or after it."""
    text = f"{before.rstrip()} {face} "
    ways = list_readings(text, (BLACK, WHITE))
    assert [way[-1] for way in ways] == [face]
    assert all(len(way) == len(text.split()) for way in ways)
    assert [way[:2] for way in list_readings(f"{text}1", (BLACK, WHITE, WHITE))] == list(ways) or not before


def test_the_keys_of_faces_are_no_flags() -> None:
    """Detect a face key that also switches a flag of an order with dice."""
    forms: list[Form] = [form for system in find_our_systems().values() for form in system.forms if form.dice]
    letters = {slot.name[0] for form in forms for slot in form.slots if slot.kind.is_flag}
    assert not letters & set(FACE_KEYS)


@with_console(begin_gunnery, "damage ohio E")
async def test_the_keys_of_faces_answer_an_owed_roll(table: Table) -> None:
    """Detect a key that opens another order, also with an empty bar."""
    await table.press("o")
    assert "x 10 · y 11 · z 12" in table.text()
    await table.press("y")
    assert "✓ 11 SX SX F" in table.text()
    await table.press("escape", "x")
    assert not table.screen.query_one(OrderBar).text
    await table.type("oz enter")
    assert not table.battle.owed


@with_console(begin_gunnery, "fire mikasa heavy borodino long", size=(80, 24))
async def test_the_bar_shows_how_it_reads_digits_without_a_space(table: Table) -> None:
    """Detect `3 1` and then `11` read as 3 and 11 without a message."""
    await table.type("311")
    assert "black 3 · white 11: " in table.text()
    await table.type("escape 3y")
    assert "black 3 · white 11: " in table.text()
    await table.press("enter")
    assert table.session.timeline.versions[table.session.timeline.play_order[-1]].order.dice == (3, 11)


@with_console(at_yellow_sea, size=(80, 24))
async def test_a_dialog_lists_the_keys_of_faces(table: Table) -> None:
    await table.type("fhts41 space")
    assert "x 10 · y 11 · z 12" in table.text()
    await table.press("1", "y")
    assert "= black 1 · white 11" in table.text()
    await table.press("enter")
    assert list_shots(table.session)[-1] == "fire mikasa heavy tsesarevich 41in 1 11"
    # Taken back, the dice are selected one by one: a key takes the place of one.
    await table.type("uazx")
    assert "= black 12 · white 10" in table.text()
    await table.press("enter")
    assert list_shots(table.session)[-1] == "fire mikasa heavy tsesarevich 41in 12 10"


@with_console(lambda: begin_at_guns("yellow-sea-1904-clone"))
async def test_dice_without_such_faces_refuse_their_keys(table: Table) -> None:
    await table.type("fhts90 space 3y")
    table.expect("an 11 on the white D6: its faces are 1 to 6")
    assert "y 11" not in table.text()


OWED = ("damage retvizan E", "damage fuji E")
"""Orders after which two rolls are owed by other ships than the one that is ordered."""


@with_console(at_yellow_sea, *OWED, size=(80, 24))
async def test_boat_guns_fire_a_die_for_each_point_unless_a_number_is_given(table: Table) -> None:
    """Detect one die of four entered, and the other digits in the rolls of two other ships."""
    owed = table.battle.owed
    await table.type("bvyn space 2 enter")
    table.expect("✗ dice D...", "✗ 3 D12 still missing; F7 says that these are all", "F7 these are all")
    await table.type("2 enter 12 enter")
    assert "press Space for 2, 2 and 12, or Backspace Space 2 for 2, 2, 1 and 2" in table.read_words()
    await table.type("f2 escape")
    assert table.battle.owed == owed
    assert table.list_orders()[-1].startswith("damage")
    table.screen.orders.stash, table.screen.orders.aside = "", None
    await table.type("bvyn space")
    table.expect("F7 dice later")
    await table.type("2 space z f7")
    table.expect("how many points, if any   2", "= 2 · 12", "✓ B")
    await table.press("enter")
    assert table.list_orders()[-1] == "boats mikasa vynoslivy dice 2"
    assert find_faces(table.session, table.session.timeline.play_order[-1]) == (2, 12)
    assert table.battle.owed[:2] == owed


@with_console(at_yellow_sea, size=(80, 24))
async def test_the_bar_does_not_enter_too_few_dice(table: Table) -> None:
    acts = len(table.session.timeline.log)
    await table.order("boats mikasa vynoslivy 2 z")
    table.expect("✗ 2 D12 still missing; add `dice 2` if these are all")
    await table.type("f2 escape")
    await table.order("fire mikasa heavy tsesarevich 41in 3")
    table.expect("✗ white D12 still missing")
    assert len(table.session.timeline.log) == acts
    await table.press("8", "enter")
    assert list_shots(table.session)[-1].endswith("41in 3 8")
    await table.order("fire asahi heavy tsesarevich 41in 12")
    assert (
        "✗ these dice can be read in 2 ways: press Space for 12, or Backspace Space 2 for 1 and 2"
        in table.read_words()
    )
    await table.press("escape")
    await table.order("boats mikasa vynoslivy")
    assert table.session.timeline.log[-1].version is not None, "without any die it is a declaration"
    await table.type("3 enter")
    table.expect("✗ 3 D12 still missing")
    await table.type("3 3 3 enter")
    assert not [owed for owed in table.battle.owed if owed.line == "boats"]


@with_console(at_yellow_sea, "fire mikasa heavy tsesarevich 41in 3 8")
async def test_dice_are_left_for_later_by_a_key_of_their_own(table: Table) -> None:
    """Detect an Enter too many that declares a shot whose dice then go to another ship."""
    acts = len(table.session.timeline.log)
    await table.type("gasahi enter fhts41 enter enter")
    table.expect("✗ black D12 and white D12 still missing; F7: thrown later", "F7 dice later")
    assert len(table.session.timeline.log) == acts
    await table.press("f7")
    table.expect("= thrown later")
    await table.press("3", "backspace", "enter")
    assert len(table.session.timeline.log) == acts, "a die takes it back"
    await table.press("f7", "enter")
    assert table.list_orders()[-1] == "fire asahi heavy tsesarevich 41in"
    assert table.battle.owed[-1].line == "fire"
    # Forcing needs the dice too.
    acts = len(table.session.timeline.log)
    await table.type("gmikasa enter fhts41 space f2")
    table.expect("still missing; F7: thrown later")
    await table.press("f7", "f2")
    assert len(table.session.timeline.log) == acts + 1
    # An entry without dice is changed without any.
    await table.type("h enter up 40 enter")
    await table.type("enter escape")
    assert table.list_orders()[-1].endswith("40in")


@with_console(at_yellow_sea)
async def test_an_order_is_not_inserted_without_its_dice(table: Table) -> None:
    await table.order("fire asahi heavy tsesarevich 41in 3 8")
    await table.type("h i")
    await table.type("f l space 24 enter enter")
    table.expect("still missing; F7: thrown later")
    await table.type("3 enter")
    table.expect("✗ white D12 still missing")
    await table.type("8 enter enter")
    assert "fire asahi light tsesarevich 24in 3 8" in list_shots(table.session)


@with_console(at_yellow_sea, *OWED, size=(80, 24))
async def test_the_result_is_shown_before_enter(table: Table) -> None:
    """Detect odds although the dice are known, and a result other than the recorded one."""
    await table.type("fhts41 space 9")
    table.expect("✓ misses · white not needed")
    await table.type("1 backspace backspace 38")
    table.expect("✓ S G · S hits 0→1")
    await table.press("enter")
    table.expect("Tsesarevich: S G · S hits 0→1")
    await table.type("slash fire_asahi_heavy_tsesarevich_41in_3y")
    table.expect("black 3 · white 11: ✓ G S G · heavy ROF 5→3, S hits 1→2 · heavy ROF 3≤7: fires")
    await table.press("escape", "o", "z")
    table.expect("explosion on Retvizan: ✓ 12 SX SX SX G G F")
