"""The log's witness on the console: in the history, and in its own panel."""

from pathlib import Path

from qf_tui.features.sealed_dice.witness import find_witnesses
from qf_tui.session import Session
from tests.console.playing import SIZES, Table, begin_saved, with_console
from tests.systems import load_start


@with_console(lambda tmp_path: begin_saved(tmp_path / "battle.qfb"))
async def test_the_witness_of_the_log_is_shown_only_on_request(table: Table, tmp_path: Path) -> None:
    """Guard against words of another log, and words on the message line without a request."""
    await table.press("n", "enter")
    words = find_witnesses(table.session)[-1].words
    # One word alone may be part of another, as "van" is of "Advanced".
    assert " ".join(words.split()[:2]) not in table.text()
    await table.type("f4 witness enter")
    table.expect("Witness of the log", "turn 1, First gunnery (entry 1)", words)
    await table.press("escape", "h")
    first, *_, last = words.split()
    table.expect(f"witness of the log: {first}", last)
    await table.press("escape")
    assert words not in table.text()


@with_console(lambda: Session.begin(*load_start("yellow-sea-1904")), size=SIZES[0])
async def test_a_battle_without_a_save_has_no_witness(table: Table) -> None:
    await table.press("n", "enter")
    assert "witness" not in table.text()
    await table.type("f4 witness enter")
    table.expect("There are none until a phase has ended, or without a save.")
