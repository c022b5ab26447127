"""How many keys things cost: an umpire types while people talk."""

import statistics

import pytest

from tests.console.playing import Table, gunnery, play
from tests.tools.pace import GOLDEN, SHOT, measured

ALL = 0
"""All turns of a battle."""

SHOTS = (
    ("f h bo space l 4 space 8 enter", "fire mikasa heavy borodino long"),
    ("f l oh space m 1 2 space 1 2 enter", "fire mikasa light ohio medium"),
    ("f h dup space p 1 2 space enter", "fire mikasa heavy dupuy-de-lome pb"),
)


@pytest.mark.parametrize(("keys", "order"), SHOTS)
def test_a_shot_takes_twelve_keys_at_most(keys: str, order: str) -> None:
    pressed = [key for word in keys.split() for key in ([word] if word in ("space", "enter") else word)]

    async def steps(table: Table) -> None:
        await table.press(*pressed)
        assert table.log()[-1] == order
        assert table.pressed <= 12

    play(gunnery(), steps)


def test_an_owed_roll_takes_its_digits_and_enter() -> None:
    session = gunnery()
    session.enter("damage ohio E")

    async def steps(table: Table) -> None:
        await table.press("1", "1", "enter")
        assert not table.battle.owed
        assert table.pressed == 3

    play(session, steps)


@pytest.mark.parametrize(
    ("turns", "median"), [(1, 10), pytest.param(ALL, 8, marks=pytest.mark.long)], ids=("first", "all")
)
def test_the_golden_battles_shots_take_twelve_keys_at_most(turns: int, median: int) -> None:
    """Catches a dialog that costs a key more; in later turns `a` and what is offered save more of them."""
    pace = measured(GOLDEN, turns)
    assert max(pace.keys[SHOT]) <= 12
    assert statistics.median(pace.keys[SHOT]) <= median
    assert statistics.median(pace.keys.get("owed roll", [0])) <= 3
