"""A whole turn through the keys on the smallest screen, with names that markup or columns would trip over."""

from qf_tui.console.reading.announcements import TableChanges
from tests.console.playing import HOSTILE, LONG, Table, bench, play


async def _settle_owed(table: Table) -> None:
    """Answers all that is owed, by digits alone."""
    while table.battle.owed:
        owed = len(table.battle.owed)
        for die in table.battle.owed[0].dice:
            await table.press(*str(min(7, die.most)), "space")
        await table.press("enter")
        assert len(table.battle.owed) <= owed


async def _end_phase(table: Table) -> None:
    """Ends the phase, and reads what is to be read."""
    before = (table.battle.turn, table.battle.phase)
    for _ in range(3):
        await _settle_owed(table)
        if (table.battle.turn, table.battle.phase) != before:
            break
        await table.press("n")
        while len(table.app.screen_stack) > 2:
            await table.press("escape" if isinstance(table.top, TableChanges) else "enter")
    assert (table.battle.turn, table.battle.phase) != before


def test_a_whole_turn_is_played_by_keys_with_hostile_names() -> None:
    async def steps(table: Table) -> None:
        await table.press("m", "at", "4", "enter")
        assert table.log()[-1].startswith("move mikasa,massena,")
        await _end_phase(table)
        await table.press("f", "h", *"lion", "space", "l", "enter")
        assert "[/ heavy at HMS [Red] Lion" in table.text()
        await table.press("4", "space", "8", "enter")
        assert not table.battle.owed
        await table.press("down", "f", "h", "o", "h", "i", "space", "m", "4", "space", "9", "enter")
        assert table.log()[-1] == "fire massena heavy ohio medium"
        await table.press("x")
        assert "HMS [Red] Lion" in table.text()
        assert "艦 Kongō" in table.text()
        await table.press("f", "h", *"[/", "space", "l", "5", "space", "9", "enter")
        assert table.log()[-1] == "fire borodino heavy mikasa long"
        await table.order("damage ohio E F S")
        await _settle_owed(table)
        await table.press("s")
        assert "Card and log: HMS [Red] Lion" in table.text()
        await table.press("escape", "question_mark", "escape", "f1", "escape", "h", "up", "escape")
        for _ in range(3):
            await _end_phase(table)
        assert table.battle.phase == "repair"
        await table.press("down", "p", "s", "6", "enter")
        assert table.log()[-1] == "repair ohio speed"
        assert "艦 Kongō repairs speed" in table.text()
        await table.press("u", "enter")
        assert table.log()[-1] != "repair ohio speed"
        await table.press("r", "enter")
        assert table.log()[-1] == "repair ohio speed"
        await _end_phase(table)
        if table.battle.turn == 1:
            await _end_phase(table)
        assert table.battle.turn == 2
        await table.press("x", "home", "s")
        assert "Card and log: [/" in table.text()

    play(bench(HOSTILE), steps, (80, 24), drawn=True)


def test_a_name_that_is_cut_has_a_sign_for_it() -> None:
    async def steps(table: Table) -> None:
        assert LONG not in table.text()
        assert "The Most Honourable an…" in table.text()

    play(bench(HOSTILE), steps, (80, 24), drawn=True)
