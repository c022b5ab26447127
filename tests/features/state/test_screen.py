"""The key that enters the state of ships from a spreadsheet."""

from pathlib import Path

import pytest

from tests.console.playing import HOSTILE, SIZES, Size, Table, begin_examples, play


@pytest.mark.parametrize("size", SIZES[:2])
def test_a_spreadsheet_is_shown_then_entered_as_one_act(tmp_path: Path, size: Size) -> None:
    right, wrong = tmp_path / "paper.csv", tmp_path / "wrong.csv"
    right.write_text("id;fires;rof_heavy;status\nmikasa;2;3;\nBORODINO;;;sunk\n", encoding="utf-8")
    wrong.write_text("id,fires\nmikasa,x\n[/,1\nnobody,2\n", encoding="utf-8")

    async def name_file(table: Table, path: Path) -> None:
        await table.press("ctrl+u")
        await table.write(str(path))
        await table.press("enter")

    async def check(table: Table) -> None:
        before = table.session.timeline
        await table.press("I")
        table.expect("The state of all ships from a spreadsheet")
        await name_file(table, tmp_path / "none.csv")
        table.expect("there is no such file")
        await name_file(table, wrong)
        table.expect("Nothing is entered", "row 2 (mikasa), fires", "row 4 (nobody), id: no ship")
        await table.press("escape")
        await name_file(table, right)
        table.expect("The battle as in paper.csv", "3 changes of 2 ships", "[/", "HMS [Red] Lion", "→  sunk")
        await table.press("escape")
        assert table.session.timeline is before
        await table.press("I")
        await name_file(table, right)
        await table.press("enter")
        assert table.list_orders() == ["state mikasa fires 2; mikasa rof_heavy 3; borodino status sunk"]
        assert table.battle.ships["borodino"].status == "sunk"
        await table.press("u", "enter")
        assert table.list_orders() == []
        assert table.battle == before.battle
        await table.press("I")
        await name_file(table, right)
        await table.press("enter", "I")
        await name_file(table, right)
        table.expect("the file changes nothing")
        await table.press("escape")

    play(begin_examples(HOSTILE), check, size=size)
