"""A call was said before Enter, and is taken back by `u Enter`."""

from tests.console.playing import Table, play
from tests.console.test_said import do_and_undo
from tests.features.sealed_dice.club import yellow_sea


def test_a_call_and_a_reveal_are_taken_back_as_all_else() -> None:
    async def sealed(table: Table) -> None:
        await do_and_undo(table, table.order("fire mikasa heavy tsesarevich 41in call 37"))
        await table.type("down fhts41 enter escape")
        await do_and_undo(table, table.type("o37 enter"))

    play(yellow_sea(), sealed)
