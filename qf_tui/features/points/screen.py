"""The panel of victory points: the sums; one key shows how they add up, another the secret points."""

from collections.abc import Iterator

from textual.content import Content

from qf_tui.console.reading.document_view import render_blocks
from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.actions import PANEL
from qf_tui.console.widgets.keys import Hint
from qf_tui.console.widgets.panel import Panel
from qf_tui.document.values import Block, build_line
from qf_tui.features.points.actions import POINTS
from qf_tui.features.points.document import build_working_blocks, format_sums
from qf_tui.features.points.sums import compute_sums, list_public_rules, list_rules

KEYS = (
    Hint("question_mark", "working"),
    Hint("s", "secret points"),
    Hint("enter", "closes", also="escape", joint=" or "),
)


class PointsPanel(Panel):
    """The victory points of the battle of a source; at first only the sums without secret points."""

    places = (PANEL, POINTS)

    def __init__(self, source: BattleSource) -> None:
        self._source = source
        self._with_working = False
        self._with_secret = False
        super().__init__("Victory points", self._build_lines(), KEYS)

    def action_show_working(self) -> None:
        """Show how the sums add up, or only the sums again."""
        self._with_working = not self._with_working
        self._draw()

    def action_show_secret(self) -> None:
        """Count the secret points too, or leave them out again."""
        self._with_secret = not self._with_secret
        self._draw()

    def _draw(self) -> None:
        """Replace the lines of the panel."""
        self.lines = tuple(self._build_lines())
        self.body_text.show_content(self.lines)

    def _build_lines(self) -> list[Content]:
        """Build the lines of the sums, with their workings and secret points if they are wanted."""
        return render_blocks(self._list_blocks())

    def _list_blocks(self) -> Iterator[Block]:
        """Yield the sums or their workings, with a note if there are none, or if secret points count."""
        system, timeline = self._source.system, self._source.timeline
        battle = timeline.battle
        rules = list_rules(battle) if self._with_secret else list_public_rules(battle)
        sums = compute_sums(system, timeline, rules)
        if self._with_working:
            yield from build_working_blocks(system, battle, sums)
        else:
            yield from map(build_line, format_sums(battle, sums))
        if not sums:
            yield build_line("no side has points that all may know")
        if self._with_secret:
            yield build_line("with secret points: not for the players' eyes")
