"""Every screen of the features by name, with a function that opens it on a session."""

from pathlib import Path
from tempfile import TemporaryDirectory

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.setup.opening import view_scenario
from qf_tui.features.board.process import BoardProcess
from qf_tui.features.board.screen import BoardScreen, SeatsScreen
from qf_tui.features.board.tray import Tray
from qf_tui.features.board.tray_screen import TrayDesk, TrayScreen
from qf_tui.features.campaign.screen import WarScreen
from qf_tui.features.court.job import CourtJob
from qf_tui.features.court.screen import CourtScreen
from qf_tui.features.editor.drafts import Draft
from qf_tui.features.editor.screen import SetupScreen
from qf_tui.features.points.screen import PointsPanel
from qf_tui.features.report.job import ReportJob
from qf_tui.features.report.screen import ReportScreen
from qf_tui.features.sealed_dice.screen import SealScreen
from qf_tui.features.shipyard.own_ships import ShipDraft
from qf_tui.features.shipyard.screen import ShipsScreen, Shipyard
from qf_tui.features.simulation.screen import SimulationScreen
from qf_tui.features.wall_display.aloud import Announcements, list_spoken_lines
from qf_tui.features.wall_display.screen import WallDisplay
from qf_tui.library.paths import list_shelf
from qf_tui.library.systems import load_usable
from tests.console.screens import SCREENS, ScreenEntry, Stage, do_nothing

_FOLDER = TemporaryDirectory(prefix="qf-tui-screens-")
AWAY = Path(_FOLDER.name) / "battle"
"""A save that does not exist, in its own folder, so that nothing lies next to it."""


def _build_simulation(stage: Stage) -> SimulationScreen:
    path = next(iter(list_shelf("scenarios"))).path
    return SimulationScreen(view_scenario(path, stage.systems), begins=False)


def _build_tray(stage: Stage) -> TrayScreen:
    """Build a tray of a save that does not exist."""
    battle = BattleScreen(stage.session)
    return TrayScreen(TrayDesk(Tray(stage.session, AWAY, ""), battle.controller, AWAY))


OF_FEATURES = (
    ScreenEntry(
        "set-up",
        SetupScreen,
        lambda on: SetupScreen(load_usable(on.systems), Draft.begin(on.system), True, do_nothing, do_nothing),
    ),
    ScreenEntry("across", WallDisplay, lambda on: WallDisplay(on.session)),
    ScreenEntry(
        "aloud",
        Announcements,
        lambda on: Announcements("On the table", list_spoken_lines(on.session.battle, on.changes)),
    ),
    ScreenEntry("simulation", SimulationScreen, _build_simulation),
    ScreenEntry("points", PointsPanel, lambda on: PointsPanel(on.session)),
    ScreenEntry("campaign", WarScreen, lambda on: WarScreen(on.systems)),
    ScreenEntry("report", ReportScreen, lambda on: ReportScreen(on.session, ReportJob(on.session, None))),
    ScreenEntry(
        "court", CourtScreen, lambda on: CourtScreen(CourtJob(on.system, lambda: on.session.timeline, None))
    ),
    ScreenEntry("board", BoardScreen, lambda on: BoardScreen(BoardProcess(AWAY), on.session)),
    ScreenEntry("seats", SeatsScreen, lambda on: SeatsScreen(AWAY, on.session, None)),
    ScreenEntry("tray", TrayScreen, _build_tray),
    ScreenEntry("seal", SealScreen, lambda on: SealScreen([side.name for side in on.session.battle.sides])),
    ScreenEntry("ships", ShipsScreen, lambda on: ShipsScreen(on.systems, on.system.name, joins=True)),
    ScreenEntry(
        "shipyard",
        Shipyard,
        lambda on: Shipyard(
            load_usable(on.systems), on.system.name, ShipDraft("Japan"), ("Britain", "Japan")
        ),
    ),
)
EVERY = (*SCREENS, *OF_FEATURES)
"""All screens of the base and the features."""
