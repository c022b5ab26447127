"""A book's battle by its keys: a shot, what the chart says, the dice corrected, and the chart read again."""

import pytest

from qf_tui.core.values import replace
from qf_tui.session import Session
from tests.book.convoys import book, named, start
from tests.console.playing import LONG, SIZES, Size, Table, plays


def strait(names: bool = False) -> Session:
    """The gunnery phase, perhaps with names that a screen may trip over."""
    battle = named(start(), arrow="[/", beacon=LONG) if names else start()
    session = Session.begin(book(), replace(battle, began=None))
    session.enter("next")
    return session


@pytest.mark.parametrize("size", SIZES)
@plays(strait)
async def test_a_chart_is_read_in_few_keys_and_again_once_its_dice_are_corrected(
    table: Table, size: Size
) -> None:
    await table.type("fbe space 12in space 54 enter")
    table.shows("owed 1")
    assert "read your chart: 5 4" in table.said()
    before = table.pressed
    await table.type("o hu_2 enter")
    assert table.pressed - before == 6, "the keys of an answer"
    assert table.battle.ships["beacon"].count("hull") == 5
    await table.order("amend 2 5 3")
    assert "read again: 5 3" in table.said(), "what the correction asks for is told before it is made"
    await table.press("enter")
    assert "read again: 5 3" in table.said()
    assert table.battle.ships["beacon"].count("hull") == 5
    await table.type("o hu_1 enter enter")
    assert (table.battle.ships["beacon"].count("hull"), table.battle.owed) == (6, ())


@pytest.mark.parametrize("size", SIZES)
@plays(lambda: strait(names=True))
async def test_names_and_tracks_of_any_kind_are_drawn_and_read(table: Table, size: Size) -> None:
    await table.order("shoot arrow beacon 12in 5 4")
    await table.order("answer hull 2 blaze")
    for keys in ("s", "escape", "h", "escape", "question_mark", "escape", "=", "escape"):
        await table.press(keys if keys != "=" else "equals_sign")
    table.shows("F")
    await table.press("f1")
    await table.press("escape")
    assert table.battle.ships["beacon"].count("hull") == 5
