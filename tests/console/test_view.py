"""A battle that is only looked at: on a source that is no session, and that somebody else writes."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from attrs import define, field
from textual.app import App

from qf_tui.console.app import Console
from qf_tui.console.battle.view import BattleView
from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.actions import ACTIONS, GRID, HISTORY
from qf_tui.console.widgets.keys import keymap
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import Table, gunnery, keys_of

Steps = Callable[[Table, BattleView], Awaitable[None]]


@define
class Copied:
    """A timeline that came from elsewhere."""

    system: RuleSystem
    timeline: Timeline
    notice: str = "another console writes this save"
    writable: bool = False
    extra: Mapping[str, object] = field(factory=dict)

    @property
    def battle(self) -> Battle:
        return self.timeline.battle


def look_on(source: BattleSource, steps: Steps, size: tuple[int, int] = (120, 36)) -> None:
    async def run() -> None:
        app = Console(find_systems())
        async with app.run_test(size=size) as pilot:
            view = BattleView(source)
            app.push_screen(view)
            await pilot.pause()
            await steps(Table(app, pilot), view)

    asyncio.run(run())


def copy_of(session: Session) -> Copied:
    return Copied(session.system, session.timeline)


def test_a_battle_is_drawn_on_a_source_that_is_no_session() -> None:
    """Title, logs, latest acts, card and keys; and nothing of it can be entered."""
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")
    source = copy_of(session)
    assert not isinstance(source, Session)

    async def steps(table: Table, view: BattleView) -> None:
        text = table.text()
        assert "WATCHING" in text
        assert "Mikasa" in text
        assert "Borodino: S G" in text
        assert "Mikasa heavy at Borodino, long · dice 4 8" in text
        assert "another console writes this save" in text
        await table.press("s")
        assert "Card and log" in table.text()
        await table.press("escape", "question_mark")
        assert "Why:" in table.text()

    look_on(source, steps, (200, 60))


def test_what_somebody_else_enters_is_shown() -> None:
    session = gunnery()
    source = copy_of(session)

    async def steps(table: Table, view: BattleView) -> None:
        assert "the wind backs" not in table.text()
        session.enter("note the wind backs")
        source.timeline = session.timeline
        view.show()
        await table.pilot.pause()
        assert "the wind backs" in table.text()

    look_on(source, steps)


def test_nothing_is_entered_where_a_battle_is_looked_at() -> None:
    """No key of an order, of a correction or of a digit means anything there."""
    session = gunnery()
    source = copy_of(session)
    known = keymap(GRID, session.system.forms)
    enters = [key for key, action in known.items() if action.enters]
    assert {"f", "u", "n", "1", "colon"} <= set(enters)

    async def steps(table: Table, view: BattleView) -> None:
        before = table.text()
        await table.press(*enters)
        assert table.app.screen is view
        assert table.text() == before

    look_on(source, steps)
    assert source.timeline is session.timeline


def test_the_history_of_a_battle_that_is_looked_at_is_only_read() -> None:
    """Its acts, their words and the logs as they stood; neither keys nor clicks correct anything."""
    session = gunnery()
    session.enter("fire mikasa heavy borodino long 4 8")
    source = copy_of(session)
    known = keymap(HISTORY)
    corrects = [key for key, action in known.items() if action.enters]
    assert {"enter", "s", "i", "m", "u", "d", "c"} <= set(corrects)

    async def steps(table: Table, view: BattleView) -> None:
        await table.press("h")
        assert "History · 2 entries" in table.text()
        assert "restore" not in table.text().splitlines()[-1]
        before = table.text()
        await table.press(*corrects)
        assert table.text() == before
        await table.press("question_mark")
        assert "Why: entry 2" in table.text()
        await table.press("escape", "slash", *keys_of("kind:fire"))
        assert "1 of 2 entries" in table.text()
        await table.press("enter", "escape", "escape")
        assert table.app.screen is view

    look_on(source, steps)


def test_every_action_that_a_view_offers_it_can_do() -> None:
    """Catches an action that only a screen with an order bar has, and that is not said to enter anything."""
    for action in ACTIONS:
        if GRID in action.places and not action.enters and not action.call.widget:
            assert hasattr(BattleView, f"action_{action.call.name}"), action.id


def test_a_view_needs_no_console_around_it() -> None:
    session = gunnery()

    async def run() -> None:
        app: App[None] = App()
        async with app.run_test(size=(120, 36)):
            assert app.is_running
            assert BattleView(copy_of(session)).source.battle is session.battle

    asyncio.run(run())
