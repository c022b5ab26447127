"""Victory points: the sum of each side, and how it adds up.

`sums`      the points of each rule of a scenario, as values
`document`  the sums and their workings in words
`actions`   the keys in the console
`screen`    the panel with the sums, the workings and secret points
"""

from qf_tui.hooks import Feature, ScenarioNote

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from collections.abc import Iterable

    from qf_tui.console.widgets.actions import ConsolePart
    from qf_tui.core.system import RuleSystem
    from qf_tui.core.timeline import Timeline
    from qf_tui.core.values import Battle


def load_console() -> "ConsolePart":
    """Load the keys and places that the feature adds to the console."""
    from qf_tui.features.points.actions import PART

    return PART


def list_public_sums(system: "RuleSystem", timeline: "Timeline") -> "Iterable[str]":
    """List the sum of each side, without secret points."""
    from qf_tui.features.points.document import format_sums
    from qf_tui.features.points.sums import compute_sums, list_public_rules

    return format_sums(timeline.battle, compute_sums(system, timeline, list_public_rules(timeline.battle)))


def describe_start(system: "RuleSystem", start: "Battle") -> "Iterable[ScenarioNote]":
    """List what wins points, for the page of a scenario; secret rules are only counted."""
    from qf_tui.features.points.document import list_public_texts

    texts = tuple(list_public_texts(system, start))
    return (ScenarioNote("points", "Victory points", texts),) if texts else ()


POINTS = Feature(
    "points", console=load_console, describe_start=describe_start, list_standings=list_public_sums
)
