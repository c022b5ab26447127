"""What the dialogs of orders offer and take, where the rules say more than a form does."""

from attrs import evolve

from qf_tui.core.grammar.names import Named, Reach, Scope, fitting
from tests.console.playing import Table, bench, gunnery, keys_of, play


def test_a_dialog_offers_what_the_switches_allow_and_takes_each_arc() -> None:
    """Catches `both` offered in vain, an arc without a letter, and damage that hides its fire."""

    async def steps(table: Table) -> None:
        await table.press("f")
        assert "heavy · light" in table.text()
        assert "light · both" not in table.text()
        await table.press("h", "b", "o", "space", "l", "s", "4", "space", "8", "enter")
        assert table.log()[-1] == "fire mikasa heavy borodino long stern"
        await table.press("slash", *keys_of("option one_roll yes"), "enter", "f")
        assert "heavy · light · both" in table.text()
        await table.press("escape", "slash", *keys_of("damage borodino light G"), "enter")
        assert "as from light fire" in table.text()

    play(gunnery(), steps)


def test_the_field_of_a_torpedo_s_range_tells_the_least_and_the_most() -> None:
    """Catches an empty field that leaves the two figures to be found by trying."""
    session = gunnery()
    session.enter("next")

    async def steps(table: Table) -> None:
        await table.press("t", *"bo", "space")
        assert "in (1″ to 4″)" in table.text()

    play(session, steps)


def test_a_field_that_is_not_settled_keeps_the_keyboard() -> None:
    """Catches keys of the next ships that land in a target left behind, and letters selected unasked."""

    async def steps(table: Table) -> None:
        await table.press("f", "h", "enter")
        assert "✗ the target" in table.text()
        assert "the target is open: Borodino" in table.text()
        await table.press("tab", "x", "x", "enter", "tab")
        assert "✗ the target" in table.text()
        assert table.top.filling.text("target") == "xx"
        await table.press("m", "up", "down", "backspace")
        assert table.top.filling.text("target") == ""
        await table.press("a", "up", "down", "n", "n", "backspace")
        assert table.top.filling.text("target") == "an"
        first = table.top.fields.likeliest("target")
        assert first in ("hannibal", "sans-pareil")
        await table.press("4")
        assert table.top.filling.texts["range"] == "4"
        assert table.top.fields.value("target") == first
        await table.press("up", "b")
        assert table.top.fields.value("target") == "borodino"

    play(gunnery(), steps)


def test_keys_offer_the_last_target_first_and_then_the_largest() -> None:
    """Catches destroyers that stand before the battleships of the same letters."""
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")
    small = session.scope(Reach.ANYWHERE)
    last = evolve(small, recent=("borodino",))
    by_size = [one.id for one in fitting_ships(small)]
    sizes = [session.system.bulk(session.battle.ships[id]) for id in by_size]
    assert sizes == sorted(sizes, reverse=True)
    assert fitting_ships(last)[0].id == "borodino"


def fitting_ships(scope: Scope) -> list[Named]:
    """What an empty field for Mikasa's target offers, those of other sides."""
    among = scope.ships("japan")
    return [one for _, one in fitting("", among, Reach.ANYWHERE) if one.unlikely == (False, False, False)]


def test_a_division_moves_as_far_as_each_ship_can_by_one_enter() -> None:
    """Catches a division that is refused for one ship, and a proposal that the bar or the dialog forgets."""
    session = bench()
    session.enter("mark massena speed_hits 6")
    session.enter("move hannibal 3")

    async def steps(table: Table) -> None:
        await table.press("m", "at", "6")
        assert "Enter: the rest 6, Massena 2, all that she can, not Hannibal" in table.text()
        await table.press("enter")
        assert table.log()[-2:] == ["move mikasa,sans-pareil,upper-log 6", "move massena 2"]
        await table.press("u", "enter", "u", "enter", "slash", *keys_of("move mikasa,massena 6"))
        said = " ".join(table.text().split())
        assert "Enter: the rest 6, Massena 2, all that she can F2 overrules" in said
        await table.press("enter")
        assert table.log()[-2:] == ["move mikasa 6", "move massena 2"]

    play(session, steps)


def test_a_repair_is_offered_of_what_is_damaged_and_space_takes_the_only_one() -> None:
    """Catches five kinds offered to a ship with one kind of damage."""
    session = bench()
    for order in ("mark mikasa speed_hits 2", "mark massena speed_hits 1", "mark massena rof_heavy 3"):
        session.enter(order)
    while session.battle.phase != "repair":
        session.enter("force next")

    async def steps(table: Table) -> None:
        await table.press("p")
        assert "Space takes speed" in table.text()
        assert "boats" not in table.text().split("Space takes")[1]
        await table.press("space", "1", "2", "enter")
        assert table.log()[-1] == "repair mikasa speed"
        await table.press("g", *"mass", "enter", "p")
        assert "heavy · speed" in table.text()
        assert "Space takes" not in table.text()
        await table.press("b")
        assert "boats" in table.text(), "what the rules refuse is taken, and refused by name"

    play(session, steps)


def test_a_word_spelt_out_behind_its_first_letter_turns_no_flag() -> None:
    """Catches `pb` taken for point blank over the bow, and `medium` for a shot over an end."""

    async def steps(table: Table) -> None:
        await table.press("f", "h", "b", "o", "space", *"pb", "1", "space", "1")
        assert table.top.foresight.order.line == "fire mikasa heavy borodino pb 1 1"
        await table.press("up", *"medium")
        assert table.top.foresight.order.line == "fire mikasa heavy borodino medium 1 1"
        await table.press("up", "m", "e")
        assert table.top.foresight.order.line == "fire mikasa heavy borodino medium end 1 1"

    play(gunnery(), steps)


def test_a_ship_that_is_gone_is_no_longer_offered_as_the_target() -> None:
    """Catches the last target offered when it has sunk, and ids where people say names."""
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 12")

    async def steps(table: Table) -> None:
        await table.press("f", "l")
        assert "Space takes Borodino" in table.text()
        await table.press("escape", "escape")
        await table.order("leave borodino sunk")
        await table.press("f", "l")
        assert "Space takes" not in table.text()

    play(session, steps)
