"""The keys in the console that show the victory points of a battle."""

from textual.screen import Screen

from qf_tui.console.widgets.actions import GRID, PANEL, ConsolePart, Place, act, chain_actions

POINTS = "points"


def open_points(screen: Screen[object]) -> None:
    """Show the victory points of each side, or say that the scenario gives none."""
    from qf_tui.console.reading.source import SourceScreen
    from qf_tui.features.points.screen import PointsPanel
    from qf_tui.features.points.sums import list_rules

    assert isinstance(screen, SourceScreen)
    if list_rules(screen.source.battle):
        screen.app.push_screen(PointsPanel(screen.source))
    else:
        screen.say("this scenario gives no victory points")


PART = ConsolePart(
    (Place(POINTS, "on the victory points", within=PANEL, after=PANEL),),
    (
        act("V", "points", "points", "the victory points of each side, and how they add up", GRID,
            palette=True, does=open_points, after="grid.read-charts"),
        *chain_actions(
            "panel.branch",
            act("question_mark", "show_working", "working", "how each sum adds up: who, what, how many",
                POINTS),
            act("s", "show_secret", "secret points",
                "shows or hides the secret points; only the umpire should look", POINTS),
        ),
    ),
)  # fmt: skip
