"""Every screen of the features opens and closes."""

import importlib
import pkgutil

import pytest
from textual.screen import Screen as AnyScreen

import qf_tui.features
from qf_tui.library.systems import find_systems
from tests.console.playing import SMALL_FIRST, Size, Table, begin_gunnery, with_console
from tests.console.screens import Stage
from tests.console.test_screens import find_subclasses, leave_early, open_each
from tests.features.screens import EVERY, OF_FEATURES


def test_every_screen_of_a_feature_is_listed() -> None:
    for module in pkgutil.walk_packages(qf_tui.features.__path__, "qf_tui.features."):
        importlib.import_module(module.name)
    ours = {one for one in find_subclasses(AnyScreen) if one.__module__.startswith("qf_tui.features.")}
    assert {one.__name__ for one in ours} == {one.kind.__name__ for one in OF_FEATURES}
    assert len({one.id for one in EVERY}) == len(EVERY)


@pytest.mark.parametrize("size", SMALL_FIRST, ids=str)
@with_console(begin_gunnery)
async def test_every_screen_opens_and_escape_leads_back(table: Table, size: Size) -> None:
    await open_each(table, OF_FEATURES)


@pytest.mark.parametrize("id", ["seal", "board"])
@with_console(begin_gunnery, size=(120, 50))
async def test_a_panel_is_centred(table: Table, id: str) -> None:
    """Guard against styles that are read only after their screen was styled."""
    screen = next(entry for entry in OF_FEATURES if entry.id == id).make(Stage(table.session, find_systems()))
    await table.app.push_screen(screen)
    await table.settle()
    panel = screen.query_one(".panel").region
    assert abs(panel.y - (50 - panel.bottom)) <= 1
    assert abs(panel.x - (120 - panel.right)) <= 1


@pytest.mark.parametrize("turns", [0, pytest.param(1, marks=pytest.mark.long), 3])
@with_console(begin_gunnery)
async def test_a_screen_can_be_left_before_it_has_its_widgets(table: Table, turns: int) -> None:
    await leave_early(table, OF_FEATURES, turns)
