"""Digits as dice: taken apart where that can mean one thing only."""

import pytest

from qf_tui.console.entry.form_state import dicing, faces_meant
from qf_tui.core.grammar.dice import readings
from qf_tui.core.values import Battle, Die, Order
from qf_tui.session import OrderPreview
from tests.console.playing import Table, gunnery, play

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
        ("4 8 1", D12S, set()),
        ("345", D6S, {(3, 4, 5)}),
        ("37", D6S, set()),
        ("", D12S, set()),
        ("4x", D12S, set()),
        ("１２", D12S, set()),
    ],
)
def test_what_digits_may_mean(text: str, dice: tuple[Die, ...], found: set[tuple[int, ...]]) -> None:
    assert set(readings(text, dice)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("48", {(4, 8)}),
        # Black 11 fails and needs no white; 1 and 1 fire: only the umpire knows.
        ("11", {(11,), (1, 1)}),
        # Black 1 fires and lacks its white die: of the two ways only black 12, which fails, is an order.
        ("12", {(12,), (1, 2)}),
        ("13", {(1, 3)}),
        # What no dice can show stays as it was typed, for the rules to refuse.
        ("99999", {(99999,)}),
    ],
)
def test_the_rules_say_which_way_of_reading_them_makes_an_order(
    text: str, found: set[tuple[int, ...]]
) -> None:
    session = gunnery()
    bare = session.read("fire mikasa heavy borodino long").complete()
    assert set(faces_meant(session, bare, text, session.preview_order(bare).dice)) == found


def test_what_an_order_wants_is_worked_out_once_for_its_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    session, seen = gunnery(), list[Order | str]()
    preview = session.preview_order

    def counted(order: Order | str, battle: Battle | None = None, *, figures: bool = True) -> OrderPreview:
        seen.append(order)
        assert not figures, "its odds are not asked for"
        return preview(order, battle, figures=figures)

    monkeypatch.setattr(session, "preview_order", counted)
    reading = session.read_typed("fire mikasa heavy borodino long 48")
    assert dicing(session, reading).said == "black 4 · white 8"
    assert len(seen) == 1


def test_dice_in_doubt_are_asked_about_and_not_entered() -> None:
    """The fault it catches: a guess between 11 alone and 1 and 1."""

    async def steps(table: Table) -> None:
        await table.press(*"fhbo", "space", *"l11", "enter")
        assert "11, or 1 and 1" in table.text() or "1 and 1, or 11" in table.text()
        assert table.log() == ["next"]
        await table.press("space", "enter")
        assert table.log()[-1].startswith("fire mikasa heavy")

    play(gunnery(), steps)


def test_what_was_fired_at_before_is_offered_and_space_takes_it() -> None:
    session = gunnery()
    session.enter("fire mikasa light borodino medium 3 8")

    async def steps(table: Table) -> None:
        await table.press(*"fh", "space", "space", *"48", "enter")
        assert table.log()[-1] == "fire mikasa heavy borodino medium"

    play(session, steps)


def test_the_last_shot_again_takes_its_dice_alone() -> None:
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 11")
    session.enter("next")

    async def steps(table: Table) -> None:
        await table.press("a", *"48", "enter")
        assert table.log()[-2:] == ["next", "fire mikasa heavy borodino long"]
        assert table.pressed == 4

    play(session, steps)


def test_dice_of_a_dialog_that_is_put_by_come_back_into_the_bar_as_it_took_them() -> None:
    async def steps(table: Table) -> None:
        await table.press(*"fhbo", "space", *"l48", "escape", "colon")
        assert table.screen.orders.text.strip() == "fire mikasa heavy borodino long 4 8"
        await table.press("enter")
        assert table.log()[-1] == "fire mikasa heavy borodino long"

    play(gunnery(), steps)


def test_a_letter_behind_a_ship_that_no_name_goes_on_with_is_for_the_next_field() -> None:
    async def steps(table: Table) -> None:
        await table.press(*"fhbol48", "enter")
        assert table.log()[-1] == "fire mikasa heavy borodino long"
        await table.press("down", *"fhobm48", "enter")
        assert len(table.log()) == 2, "letters that mean no ship go nowhere"

    play(gunnery(), steps)
