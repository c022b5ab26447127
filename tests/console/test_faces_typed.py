"""Dice as they are typed in dialogs and in the bar: a key each for 10, 11 and 12, and how digits are read."""

import pytest

from qf_tui.console.entry.bar import OrderBar
from qf_tui.core.grammar.dice import FACE_KEYS, face_keys, face_keys_text, readings
from qf_tui.core.values import Die, Form
from tests.console.playing import SIZES, Table, gunnery, play
from tests.console.test_volley import at_guns, orders
from tests.systems import our_systems

BLACK, WHITE, SIX, TEN = Die(12, "black"), Die(12, "white"), Die(6), Die(10, "", 0)


def test_only_dice_that_have_such_faces_have_keys_for_them() -> None:
    assert dict(face_keys((BLACK, WHITE))) == {"x": 10, "y": 11, "z": 12}
    assert face_keys_text((Die(10),)) == "x 10"
    assert not face_keys((SIX, TEN))
    assert not face_keys(())


@pytest.mark.parametrize(("before", "face"), [("", 11), ("3", 11), ("3 ", 12), ("1", 10), ("12 ", 12)])
def test_a_face_by_its_key_is_read_in_one_way_whatever_stands_before_it(before: str, face: int) -> None:
    """Catches a key that makes another face of the digit before it or behind it."""
    text = f"{before.rstrip()} {face} "
    ways = readings(text, (BLACK, WHITE))
    assert [way[-1] for way in ways] == [face]
    assert all(len(way) == len(text.split()) for way in ways)
    assert [way[:2] for way in readings(f"{text}1", (BLACK, WHITE, WHITE))] == list(ways) or not before


def test_the_keys_of_faces_are_no_flags_of_ours() -> None:
    """Catches a face that turns a flag of an order with dice."""
    forms: list[Form] = [form for system in our_systems().values() for form in system.forms if form.dice]
    letters = {slot.name[0] for form in forms for slot in form.slots if slot.kind.is_flag}
    assert not letters & set(FACE_KEYS)


def test_the_keys_of_faces_answer_an_owed_roll() -> None:
    """Catches a key that opens another order, or does so with an empty bar."""
    session = gunnery()
    session.enter("damage ohio E")

    async def steps(table: Table) -> None:
        await table.press("o")
        assert "x 10 · y 11 · z 12" in table.text()
        await table.press("y")
        assert "✓ 11 SX SX F" in table.text()
        await table.press("escape", "x")
        assert not table.screen.query_one(OrderBar).text
        await table.press("o", "z", "enter")
        assert not table.battle.owed

    play(session, steps)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_bar_says_how_digits_without_a_space_are_read(size: tuple[int, int]) -> None:
    """Catches `3 1` and then `11` taken for 3 and 11 without a word."""
    session = gunnery()
    session.enter("fire mikasa heavy borodino long")

    async def steps(table: Table) -> None:
        await table.press("3", "1", "1")
        assert "black 3 · white 11: " in table.text()
        await table.press("escape", "3", "y")
        assert "> 3 11" in table.text()
        await table.press("enter")
        assert session.timeline.versions[session.timeline.play_order[-1]].order.dice == (3, 11)

    play(session, steps, size)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_keys_of_faces_stand_in_a_dialog(size: tuple[int, int]) -> None:
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*"fhts41", "space")
        assert "x 10 · y 11 · z 12" in table.text()
        await table.press("1", "y")
        assert "= black 1 · white 11" in table.text()
        await table.press("enter")
        assert orders(session)[-1] == "fire mikasa heavy tsesarevich 41in 1 11"
        # Taken back, the dice are selected one by one: a key takes the place of one.
        await table.press("u", "a", "z", "x")
        assert "= black 12 · white 10" in table.text()
        await table.press("enter")
        assert orders(session)[-1] == "fire mikasa heavy tsesarevich 41in 12 10"

    play(session, steps, size)


def test_dice_without_such_faces_take_no_letter() -> None:
    async def steps(table: Table) -> None:
        await table.press(*"fhts90", "space", "3", "y")
        assert "is no die and no flag" in table.text()
        assert "y 11" not in table.text()

    play(at_guns("yellow-sea-1904-clone"), steps)
