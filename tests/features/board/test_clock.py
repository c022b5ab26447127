"""The clock on the board: the same for all who may know the phase, and moved by nothing that is hidden."""

import asyncio
import json
from contextlib import ExitStack, suppress

import pytest

from qf_tui.features.board.hub import Hub
from qf_tui.features.board.links import Links
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.library.settings import keep_setting
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import Follower
from tests.browser import Browser
from tests.features.board.serving import serving
from tests.features.board.test_page import in_browser, opens, played, shown

pytestmark = pytest.mark.usefixtures("home")


def hub_of(writer: Session, switch: BoardSwitch = BoardSwitch.AT_ONCE) -> Hub:
    path = writer.journal.path
    assert path is not None
    return Hub(Follower(path, find_systems()), Links(switch=switch).add_sides(("blue", "red")))


def clocks(hub: Hub, viewer: str = ALL) -> list[object]:
    """What a stream says of the clock as it begins."""

    async def heard() -> list[bytes]:
        with ExitStack() as looking:
            stream = hub.stream_events(
                hub.links.find_secret(viewer), "", looking.enter_context(hub.register_stream())
            )
            found = []
            with suppress(TimeoutError):
                while True:
                    found.append(await asyncio.wait_for(anext(stream), 0.2))
            return found

    events = [event.decode() for event in asyncio.run(heard())]
    return [json.loads(one.partition("data: ")[2]) for one in events if one.startswith("event: clock")]


@pytest.fixture
def timed(writer: Session) -> list[float]:
    """The seconds at which the writer's next acts are entered."""
    now = [0.0]
    writer.start_clock(lambda: now[0])
    writer.enter("undo")
    now[0] = 30
    writer.enter("next")
    now[0] = 100
    writer.enter("note x")
    return now


@pytest.mark.parametrize("switch", BoardSwitch)
@pytest.mark.parametrize("viewer", [ALL, "blue"])
def test_the_clock_is_told_where_the_phase_is_known(
    writer: Session, timed: list[float], viewer: str, switch: BoardSwitch
) -> None:
    hub = hub_of(writer, switch)
    hub.look()
    assert clocks(hub, viewer) == [], "off at first"
    keep_setting("minutes", "10")
    hub.look()
    told = clocks(hub, viewer)
    if switch is BoardSwitch.PHASE_END:
        assert told == []
        return
    (one,) = told
    assert isinstance(one, dict)
    assert one["minutes"] == 10
    assert 70 <= one["seconds"] <= 80
    keep_setting("minutes", "none")
    hub.look()
    assert clocks(hub, viewer) == []


def test_what_is_entered_within_a_phase_moves_it_not(writer: Session, timed: list[float]) -> None:
    """Catches a clock that is set anew by each act, and tells by that of acts that are hidden."""
    keep_setting("minutes", "10")
    hub = hub_of(writer, BoardSwitch.OWN_SIDE)
    hub.look()
    before = hub.find_clock()
    assert before is not None
    for timed[0] in (200, 300):
        writer.enter("note between the umpires")
        hub.look()
        assert hub.find_clock() == before
    writer.enter("force next")
    hub.look()
    after = hub.find_clock()
    assert after is not None
    assert after != before


@in_browser
def test_a_page_counts_down_and_on(browser: Browser) -> None:
    with serving(shown(played())) as address:
        opens(browser, address)
        hidden, told = (
            "document.getElementById('clock').hidden",
            "document.getElementById('clock').textContent",
        )
        assert browser.evaluate(hidden)
        for seconds, wanted in ((0, "10:00 left"), (595, "0:05 left"), (725, "2:05 over")):
            browser.evaluate(f"state.clock = {{ minutes: 10, began: Date.now() - {seconds}000 }}, tick(), 0")
            assert browser.evaluate(told) == wanted
        browser.evaluate("state.clock = null, tick(), 0")
        assert browser.evaluate(hidden)
