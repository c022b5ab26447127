"""A book's battle by its keys: a shot, a result from the chart, corrected dice, a new reading."""

from pathlib import Path

import pytest

from qf_tui.console.entry.form_state import Filling, FormReading
from qf_tui.core.grammar.names import Reach
from qf_tui.core.values import replace
from qf_tui.library.books import load_book
from qf_tui.session import Session
from tests.book.convoys import FILE, load_battle, load_convoys, rename_ships
from tests.console.playing import LONG, SIZES, Size, Table, with_console


def begin_strait(names: bool = False) -> Session:
    """Begin the gunnery phase, perhaps with names that are hard to draw."""
    battle = rename_ships(load_battle(), arrow="[/", beacon=LONG) if names else load_battle()
    session = Session.begin(load_convoys(), replace(battle, began=None))
    session.enter("next")
    return session


@pytest.mark.parametrize("size", SIZES)
@with_console(begin_strait)
async def test_a_chart_is_read_in_few_keys_and_again_once_its_dice_are_corrected(
    table: Table, size: Size
) -> None:
    await table.type("fbe space 12in space 54 enter")
    table.expect("owed 1")
    assert "read your chart: 5 4" in table.read_words()
    before = table.pressed
    await table.type("o hu_2 enter")
    assert table.pressed - before == 6, "the keys of an answer"
    assert table.battle.ships["beacon"].count("hull") == 5
    await table.order("amend 2 5 3")
    assert "read again: 5 3" in table.read_words(), "what the correction asks for is told before it is made"
    await table.press("enter")
    assert "read again: 5 3" in table.read_words()
    assert table.battle.ships["beacon"].count("hull") == 5
    await table.type("o hu_1 enter enter")
    assert (table.battle.ships["beacon"].count("hull"), table.battle.owed) == (6, ())


@pytest.mark.parametrize("size", SIZES)
@with_console(lambda: begin_strait(names=True))
async def test_names_and_tracks_of_any_kind_are_drawn_and_read(table: Table, size: Size) -> None:
    await table.order("shoot arrow beacon 12in 5 4")
    await table.order("answer hull 2 blaze")
    for keys in ("s", "escape", "h", "escape", "question_mark", "escape", "=", "escape"):
        await table.press(keys if keys != "=" else "equals_sign")
    table.expect("F")
    await table.press("f1")
    await table.press("escape")
    assert table.battle.ships["beacon"].count("hull") == 5


def begin_three() -> Session:
    """Begin the movement phase with two ships in the first division."""
    battle = load_battle()
    wing = replace(battle.ships["arrow"], id="wing", name="Wing")
    return Session.begin(load_convoys(), replace(battle, ships={**battle.ships, "wing": wing}, began=None))


@with_console(begin_three)
async def test_a_whole_division_is_ordered_by_one_sign(table: Table) -> None:
    """Detect a book that asks for the name of the division under the cursor."""
    await table.press("m")
    assert "@ takes the whole division, blue" in table.text()
    await table.type("at enter")
    assert table.list_orders()[-1] == "steam arrow,wing"
    await table.type("u enter m at red")
    assert "= Beacon" in table.text(), "letters behind the sign name another division"
    await table.press("enter")
    assert table.list_orders()[-1] == "steam beacon"


TOW = """
[[order]]
word = "tow"
key = "w"
phases = ["gunnery"]
slots = ["ship", "target"]
friends = {}
"""


@pytest.mark.parametrize(
    ("friends", "offered"), [("false", ["beacon"]), ("true", ["beacon", "arrow", "wing"])]
)
def test_ships_of_the_own_side_are_offered_where_the_order_takes_friends(
    tmp_path: Path, friends: str, offered: list[str]
) -> None:
    """Detect an offered target that the rules refuse."""
    file = tmp_path / FILE.name
    file.write_text(FILE.read_text(encoding="utf-8") + TOW.format(friends), encoding="utf-8")
    system = load_book(file)
    filling = Filling(next(form for form in system.forms if form.word == "tow"), {"ship": "arrow"})
    fields = FormReading.read(Session.begin(system, begin_three().battle).find_scope(Reach.ANYWHERE), filling)
    assert [ship.text for ship in fields.list_choices("target")] == offered


@with_console(begin_three)
async def test_an_order_for_another_phase_is_refused_as_its_dialog_opens(table: Table) -> None:
    """Detect a dialog that is filled in before its order is refused."""
    await table.press("f")
    table.expect("shoot is for the phase Gunnery; this is Movement")
    await table.type("be space 12in space 54")
    assert "shoot is for the phase gunnery; this is move" in table.read_words()
