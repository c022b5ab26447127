"""A call is announced before Enter, and undone by `u Enter`."""

from tests.console.playing import Table, play
from tests.console.test_said import do_and_undo
from tests.features.sealed_dice.club import begin_yellow_sea


def test_a_call_is_undone_like_any_order() -> None:
    async def play_sealed(table: Table) -> None:
        await do_and_undo(table, table.order("fire mikasa heavy tsesarevich 41in call 37"))
        await table.type("down fhts41 enter escape")
        await do_and_undo(table, table.type("o37 enter"))

    play(begin_yellow_sea(), play_sealed)
