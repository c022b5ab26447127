"""What the dialogs of orders offer and take, where the rules say more than a form does."""

from tests.console.playing import Table, gunnery, play


def test_a_dialog_offers_what_the_switches_allow_and_takes_each_arc() -> None:
    """Catches `both` offered in vain, an arc without a letter, and damage that hides its fire."""

    async def steps(table: Table) -> None:
        await table.press("f")
        assert "heavy · light" in table.text()
        assert "light · both" not in table.text()
        await table.press("h", "b", "o", "space", "l", "s", "4", "space", "8", "enter")
        assert table.log()[-1] == "fire mikasa heavy borodino long stern"
        await table.order("option one_roll yes")
        await table.press("f")
        assert "heavy · light · both" in table.text()
        await table.press("escape")
        await table.order("damage borodino light G")
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
