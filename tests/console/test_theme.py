"""The two themes: every tone of the logs can be read, and what is assumed stands behind what is known."""

import pytest
from textual.color import Color

from qf_tui.console.logs.rows import TONES
from qf_tui.console.widgets.theme import THEMES
from tests.console.playing import Table, gunnery, play

READABLE = 4.5
"""The least contrast between letters and what is behind them, by the WCAG."""


@pytest.mark.parametrize("name", [theme.name for theme in THEMES.values()])
def test_no_tone_of_the_logs_vanishes(name: str) -> None:
    """Catches white on cream, and an assumed value brighter than a fact."""

    async def steps(table: Table) -> None:
        table.app.theme = name
        await table.pilot.pause()
        grid = table.screen.grid
        letters, ground = grid.look("").color, grid.look("row").bgcolor
        assert letters is not None
        assert ground is not None
        plain = contrast(letters.name, ground.name)
        for tone in (*TONES, "gone", "title", "side"):
            style = grid.look(tone)
            for behind in (grid.look("").bgcolor, ground):
                assert style.color is not None
                assert behind is not None
                against = contrast(style.color.name, behind.name)
                assert against >= READABLE, (tone, style.color.name, behind.name)
                if tone in ("dim", "cross", "gone"):
                    assert against < plain, tone

    play(gunnery(), steps)


def contrast(letters: str, behind: str) -> float:
    """How far two colours stand apart: 1 to 21."""
    lights = sorted((_light(Color.parse(letters)), _light(Color.parse(behind))), reverse=True)
    return (lights[0] + 0.05) / (lights[1] + 0.05)


def _light(color: Color) -> float:
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized[:3]
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
