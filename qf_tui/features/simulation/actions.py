"""The keys in the console that open the simulation of a scenario."""

from pathlib import Path

from textual.screen import Screen

from qf_tui.console.widgets.actions import SCENARIO, ConsolePart, Place, foot
from qf_tui.core.crews import STATED
from qf_tui.session import Session

SIMULATION = "simulation"


def open_simulation(screen: Screen[object]) -> None:
    """Play out a scenario in the background, and show the results.

    It is played with the crews that the user has set on its screen, or else with those that it states.
    """
    from qf_tui.console.setup.scenario import ScenarioScreen
    from qf_tui.features.simulation.screen import SimulationScreen

    assert isinstance(screen, ScenarioScreen)

    def open_save(save: Path | None) -> None:
        """Open the save of a battle that was played again; None opens nothing."""
        if save is not None:
            screen.open("This cannot be opened", lambda: Session.resume(save, screen.systems))

    scenario = screen.view_with_crews(screen.scenario.crews or STATED, "This cannot be played out")
    if scenario is not None:
        screen.app.push_screen(SimulationScreen(scenario), open_save)


PART = ConsolePart(
    (Place(SIMULATION, "in the simulation", battle=False, listed=True, after="scenario"),),
    (
        foot("s f5", "simulate", "play it out", "a thousand battles: who wins, when, and at what cost",
            SCENARIO, does=open_simulation, after="scenario.change-crews"),
        foot("f8", "stop", "stop", "stops the battles and keeps what is known", SIMULATION),
        foot("m f2", "play('median')", "play the median",
            "plays the median battle again, into a save to open", SIMULATION),
        foot("l f3", "play('luckiest')", "the luckiest",
            "plays the battle with the most unusual dice again, into a save to open", SIMULATION),
        foot("escape q", "back", "back", "stops the battles and goes back", SIMULATION),
    ),
)  # fmt: skip
