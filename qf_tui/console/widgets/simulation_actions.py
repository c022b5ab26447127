"""The rows of the table of actions for battles by the thousand."""

from qf_tui.console.widgets.action import act as _act
from qf_tui.console.widgets.places import SCENARIO, SIMULATION

SIMULATION_ACTIONS = (
    _act("s f5", "simulate", "play it out", "a thousand battles: who wins, when, and at what cost", SCENARIO,
        footer=True),
    _act("f8", "stop", "stop", "stops the battles; what is known stays", SIMULATION, footer=True),
    _act("escape q", "back", "back", "stops the battles, and goes back", SIMULATION, footer=True),
)  # fmt: skip
