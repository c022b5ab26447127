"""The minutes of a turn, worked out of when its entries were made."""

import asyncio

from qf_tui.console.app import Console
from qf_tui.library.settings import Settings
from qf_tui.session import Session
from qf_tui.session.session import Pace, pace
from tests.console.playing import Table, bench
from tests.systems import our_systems


class Watch:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def played(watch: Watch) -> Session:
    session = bench()
    session.start_clock(watch)
    for seconds, order in (
        (60, "move hannibal 5in"),
        (70, "next"),
        (90, "fire mikasa heavy borodino medium 5 8"),
    ):
        watch.now = seconds
        session.enter(order)
    return session


def test_a_first_turn_lasts_since_the_battle_began() -> None:
    session = played(Watch())
    assert pace(session.timeline, 200) == Pace(3, 0)


def test_a_turn_is_counted_from_the_entry_that_opened_it() -> None:
    watch = Watch()
    session = played(watch)
    for number in range(20):
        if session.battle.turn > 1:
            break
        watch.now = 300 + number
        session.enter("next" if not session.battle.owed else "force next")
    opened = watch.now
    for seconds in (30, 50, 90):
        watch.now = opened + seconds
        session.enter("note still here")
    assert pace(session.timeline, opened + 185).minutes == 3


def test_the_pace_of_throws_is_the_usual_gap_between_them() -> None:
    watch = Watch()
    session = played(watch)
    for seconds, order in (
        (110, "fire mikasa light borodino medium 12 8"),
        (150, "note x"),
        (160, "fire massena heavy ohio medium 12 9"),
    ):
        watch.now = seconds
        session.enter(order)
    assert str(pace(session.timeline, 170)) == "2 min, 35 s a throw"


def test_the_phase_line_shows_it_where_the_umpire_wants_it() -> None:
    for wanted in (True, False):
        asyncio.run(shown(wanted))


async def shown(wanted: bool) -> None:
    app = Console(our_systems(), bench(), settings=Settings(clock=wanted))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert ("turn 1 · 0 min" in Table(app, pilot).text()) is wanted
