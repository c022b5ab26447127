"""Every screen of the registry at every size, and that none is missing in it."""

import asyncio
import importlib
import pkgutil

import pytest
from textual.screen import Screen

import qf_tui.console
from qf_tui.console.widgets.keys import KeyModal, KeyScreen
from qf_tui.console.widgets.panel import Panel, too_small
from qf_tui.library.systems import find_systems
from tests.console.playing import SMALL_FIRST, Table, gunnery, play
from tests.console.screens import SCREENS, ScreenEntry, Stage

BASES = {"ReadyScreen", "KeyScreen", "KeyModal", "SourceScreen", "FieldDialog", "PickScreen", "FilterScreen"}


def kinds(kind: type[object]) -> set[type[object]]:
    return {kind}.union(*(kinds(one) for one in kind.__subclasses__()))


def test_every_screen_of_ours_is_in_the_registry() -> None:
    for module in pkgutil.walk_packages(qf_tui.console.__path__, "qf_tui.console."):
        importlib.import_module(module.name)
    ours = {one for one in kinds(Screen) if one.__module__.startswith("qf_tui.")}
    missing = {one.__name__ for one in ours} - BASES - {one.kind.__name__ for one in SCREENS}
    assert not missing
    assert {KeyScreen, KeyModal, Panel} <= ours


def test_every_screen_has_a_name_of_its_own() -> None:
    assert len({one.id for one in SCREENS}) == len(SCREENS)


@pytest.mark.parametrize("size", SMALL_FIRST, ids=str)
def test_every_screen_opens_and_escape_leads_back(size: tuple[int, int]) -> None:
    """Each over the battle, in one console; what cannot be drawn or left at a size is named."""
    session = gunnery()
    stage = Stage(session, find_systems())

    async def steps(table: Table) -> None:
        for entry in SCREENS:
            await _open_and_leave(table, entry, stage)

    play(session, steps, size)


async def _open_and_leave(table: Table, entry: ScreenEntry, stage: Stage) -> None:
    app, below = table.app, table.app.screen
    screen = entry.make(stage)
    assert isinstance(screen, entry.kind)
    app.push_screen(screen)
    await table.settled()
    if entry.id == "too-small":
        assert app.screen is below, "it makes room by itself"
        return
    assert not too_small(app.size)
    assert app.screen is screen, entry.id
    assert table.text().strip(), entry.id
    await table.press("escape")
    if entry.stays:
        assert app.screen is screen, entry.id
        app.pop_screen()
        await table.settled()
    assert app.screen is below, entry.id


@pytest.mark.parametrize("turns", [0, 1, 3])
def test_a_screen_that_is_left_before_it_has_its_widgets_does_no_harm(turns: int) -> None:
    """Catches one that looks for them as it begins or is sized; `turns` are those of the loop before."""
    session = gunnery()
    stage = Stage(session, find_systems())

    async def steps(table: Table) -> None:
        below = table.app.screen
        for entry in SCREENS:
            if entry.id == "too-small" or not issubclass(entry.kind, KeyScreen):
                continue
            table.app.push_screen(entry.make(stage))
            for _ in range(turns):
                await asyncio.sleep(0)
            table.app.pop_screen()
            await table.settled()
            assert table.app.screen is below, entry.id

    play(session, steps)
