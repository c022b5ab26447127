"""The screens of the console on each frozen battle, at three sizes, by the keys that lead to them."""

from pathlib import Path

import pytest

from qf_tui.console.reading.court import CourtScreen
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import SIZES, Table, play
from tests.console.test_court import until
from tests.console.test_report import finished
from tests.frozen.freezing import FROZEN, battles, save_of
from tests.frozen.test_frozen import compare

pytestmark = FROZEN
KEYS: dict[str, tuple[str, ...]] = {
    "logs": (),
    "logs-other-side": ("x",),
    "why": ("question_mark",),
    "card": ("s",),
    "charts": ("i",),
    "history": ("h",),
    "history-entry": ("h", "up", "up", "enter"),
    "history-strike": ("h", "up", "up", "up", "s"),
    "wall": ("v",),
    "wall-list": ("v", "v"),
    "phase-end": ("n",),
    "undo": ("u",),
    "help": ("f1",),
    "palette": ("f4",),
    "volley": ("F",),
    "settings": ("comma",),
    "fields": ("e",),
    "owed": ("o",),
}
START: dict[str, tuple[str, ...]] = {
    "start": (),
    "set-up": ("f2",),
    "ships": ("f7",),
    "scenario": ("down", "down", "enter"),
    "help": ("f1",),
}
SLOW = {"equals_sign": "report", "C": "court"}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", [name for name, _, _ in battles()])
def test_the_screens_of_a_battle_are_as_they_were(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    save = save_of(name, tmp_path)
    screens: list[str] = []
    for title, keys in KEYS.items():
        session = Session.resume(save, find_systems())

        async def steps(table: Table, title: str = title, keys: tuple[str, ...] = keys) -> None:
            await table.press(*keys)
            screens.append(f"== {title}\n{table.text(behind=True)}")

        play(session, steps, size)
        session.close()
    text = "\n".join(screens).replace(str(tmp_path), "FOLDER")
    compare(f"{name}/screens/{size[0]}x{size[1]}.txt", text.encode())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_first_screens_are_as_they_were(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    screens: list[str] = []
    for title, keys in START.items():

        async def steps(table: Table, title: str = title, keys: tuple[str, ...] = keys) -> None:
            await table.press(*keys)
            screens.append(f"== {title}\n{table.text(behind=True)}")

        play(None, steps, size)
    text = "\n".join(screens).replace(str(tmp_path), "FOLDER")
    compare(f"program/screens/{size[0]}x{size[1]}.txt", text.encode())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("key", SLOW)
@pytest.mark.parametrize("name", ["gq2-fourth-flotilla-1916", "yellow-sea-1904-quickfire"])
def test_a_battle_retold_is_as_it_was(name: str, key: str, size: tuple[int, int], tmp_path: Path) -> None:
    save = save_of(name, tmp_path)
    session = Session.resume(save, find_systems())
    screens: list[str] = []

    async def steps(table: Table) -> None:
        if key == "C":
            await table.press(key)
            await until(table, lambda: not _working(table.top))
        else:
            await finished(table)
        screens.append(table.text(behind=True))
        await table.press("pagedown")
        screens.append(table.text(behind=True))

    play(session, steps, size)
    session.close()
    text = "\n".join(screens).replace(str(tmp_path), "FOLDER")
    compare(f"{name}/screens/{SLOW[key]}-{size[0]}x{size[1]}.txt", text.encode())


def _working(screen: object) -> bool:
    """Whether the screen still waits for what is worked out."""
    return not isinstance(screen, CourtScreen) or screen.job.working
