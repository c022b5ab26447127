"""The key that writes log sheets next to the save."""

from pathlib import Path

from tests.console.playing import Table, begin_examples, begin_saved, with_console
from tests.console.test_watch import watch


@with_console(lambda tmp_path: begin_saved(tmp_path / "evening.qfb"), size=(160, 40))
async def test_a_key_writes_the_log_sheets_next_to_the_save(table: Table, tmp_path: Path) -> None:
    for name in ("evening-turn-1.html", "evening-turn-1-2.html"):
        await table.press("L")
        await table.app.workers.wait_for_complete()
        await table.press("down")
        assert name in table.text()
        assert "MIKASA" in (tmp_path / name).read_text(encoding="utf-8").upper()


def test_a_watcher_can_write_log_sheets(tmp_path: Path) -> None:
    """Guard against a read-only battle that cannot be printed."""
    path = tmp_path / "evening.qfb"
    session = begin_saved(path)
    before = path.read_bytes()

    async def steps(table: Table) -> None:
        await table.press("L")
        await table.app.workers.wait_for_complete()
        await table.press("down")
        assert "evening-turn-1.html" in table.text()

    watch(path, steps, (160, 40))
    assert path.read_bytes() == before
    assert "codes with any phone" in (tmp_path / "evening-turn-1.html").read_text(encoding="utf-8")
    session.close()


@with_console(begin_examples)
async def test_an_unsaved_battle_has_no_log_sheets(table: Table) -> None:
    await table.press("L")
    assert "no save" in table.text()
