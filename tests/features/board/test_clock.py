"""The clock on the board: the same for every viewer who knows the phase, and independent of hidden acts."""

import asyncio
import json
from contextlib import ExitStack, suppress

import pytest

from qf_tui.features.board.hub import Hub
from qf_tui.features.board.links import Links
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.library.settings import change_setting
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import Follower
from tests.browser import Browser
from tests.features.board.serving import serve_page
from tests.features.board.test_page import build_shown, in_browser, open_page, play_orders

pytestmark = pytest.mark.usefixtures("home")


def build_hub(writer: Session, switch: BoardSwitch = BoardSwitch.AT_ONCE) -> Hub:
    path = writer.journal.path
    assert path is not None
    return Hub(Follower(path, find_systems()), Links(switch=switch).add_sides(("blue", "red")))


def read_clocks(hub: Hub, viewer: str = ALL) -> list[object]:
    """Return the clocks that a stream sends as it begins."""

    async def read_stream() -> list[bytes]:
        with ExitStack() as looking:
            stream = hub.stream_events(
                hub.links.find_secret(viewer), "", looking.enter_context(hub.register_stream())
            )
            found = []
            with suppress(TimeoutError):
                while True:
                    found.append(await asyncio.wait_for(anext(stream), 0.2))
            return found

    events = [event.decode() for event in asyncio.run(read_stream())]
    return [json.loads(one.partition("data: ")[2]) for one in events if one.startswith("event: clock")]


@pytest.fixture
def timed(writer: Session) -> list[float]:
    """Set the seconds of the writer's next acts."""
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
def test_the_clock_is_sent_if_the_viewer_knows_the_phase(
    writer: Session, timed: list[float], viewer: str, switch: BoardSwitch
) -> None:
    hub = build_hub(writer, switch)
    hub.look()
    assert read_clocks(hub, viewer) == [], "off at first"
    change_setting("minutes", "10")
    hub.look()
    told = read_clocks(hub, viewer)
    if switch is BoardSwitch.PHASE_END:
        assert told == []
        return
    (one,) = told
    assert isinstance(one, dict)
    assert one["minutes"] == 10
    assert 70 <= one["seconds"] <= 80
    change_setting("minutes", "none")
    hub.look()
    assert read_clocks(hub, viewer) == []


def test_acts_within_a_phase_do_not_move_the_clock(writer: Session, timed: list[float]) -> None:
    """Guard against a clock that each act resets, which reveals hidden acts."""
    change_setting("minutes", "10")
    hub = build_hub(writer, BoardSwitch.OWN_SIDE)
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
def test_a_page_counts_down_and_then_over(browser: Browser) -> None:
    with serve_page(build_shown(play_orders())) as address:
        open_page(browser, address)
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
