"""The log's witness on the console: as a phase ends, in the history, and in a panel of its own."""

from pathlib import Path

from qf_tui.session import Session
from tests.console.playing import SIZES, Table, plays, saved
from tests.systems import started


@plays(lambda tmp_path: saved(tmp_path / "battle.qfb"))
async def test_a_phase_s_end_is_told_with_the_witness_of_the_log(table: Table, tmp_path: Path) -> None:
    """Catches words of another log, and a witness that takes away what was said since."""
    await table.press("n", "enter")
    words = table.session.witnesses[-1].words
    table.shows(f"witness: {words}")
    await table.type("f4 witness enter")
    table.shows("Witness of the log", f"{words:<36}  turn 1, First gunnery (entry 1)")
    await table.press("escape", "h")
    table.shows(f"witness of the log: {words}")
    await table.press("escape")
    assert words not in table.text()


@plays(lambda tmp_path: saved(tmp_path / "battle.qfb"), size=SIZES[0])
async def test_half_a_witness_is_told_to_nobody(table: Table, tmp_path: Path) -> None:
    """Catches words that are cut off, which anybody would take for all of them."""
    for _ in range(3):
        await table.press("n", "enter")
    assert "skipped" in table.text()
    assert "witness" not in table.text()


@plays(lambda: Session.begin(*started("yellow-sea-1904")), size=SIZES[0])
async def test_a_battle_without_a_save_has_no_witness(table: Table) -> None:
    await table.press("n", "enter")
    assert "witness" not in table.text()
    await table.type("f4 witness enter")
    table.shows("There are none before a phase has ended, or without a save.")
