"""A battle opened by a snapshot is worked out again beside the keys; a wrong one is dropped, with a word."""

import asyncio
from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.console.app import Console
from qf_tui.console.battle import screen
from qf_tui.console.entry.bar import Alarm
from qf_tui.journal import reading, snapshot
from qf_tui.library.paths import shipped
from qf_tui.library.systems import find_systems
from qf_tui.session import Session

SYSTEMS = find_systems()


@pytest.mark.parametrize("turn", [None, 99])
def test_a_snapshot_is_proved_and_a_wrong_one_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turn: int | None
) -> None:
    monkeypatch.setattr(reading, "LEAST", 0)
    monkeypatch.setattr(snapshot, "LEAST", 0)
    monkeypatch.setattr(screen, "SETTLED", 0.01)
    monkeypatch.setattr(screen, "BOARD_LOOKS", 0.05)
    save, folder = tmp_path / "battle.qfb", tmp_path / "snapshots"
    save.write_bytes((shipped("saves") / "yellow-sea-1904.qfb").read_bytes())
    planted = Session.resume(save, SYSTEMS, folder)
    sound = planted.timeline
    battles = {at: evolve(battle, turn=turn or battle.turn) for at, battle in sound.checkpoints.items()}
    planted.timeline = evolve(sound, checkpoints=battles)
    planted.close()
    session = Session.resume(save, SYSTEMS, folder)
    assert session.opened_by is not None

    async def watched() -> str:
        app = Console(SYSTEMS, session, "")
        async with app.run_test() as pilot:
            while session.opened_by is not None:
                await pilot.pause(0.05)
            await pilot.pause(0.1)
            return app.screen.query_one(Alarm).text

    alarm = asyncio.run(watched())
    assert session.timeline == sound
    assert ("snapshot" in alarm) is (turn is not None)
    assert bool(list(folder.iterdir())) is (turn is None)
