"""The page as a board serves it, in a browser: it follows, nothing holds it up, it says when it is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from qf_tui.board.links import keep_links
from qf_tui.session import Session
from tests.board.browser import Browser, found
from tests.board.served import Board, served
from tests.console.playing import saved

pytestmark = pytest.mark.skipif(found() is None, reason="there is no Chromium here")

TEXT = "document.getElementById('main').innerText"
LIVE = "document.getElementById('live').textContent"


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Session]:
    session = saved(tmp_path / "battle.qfb")
    session.enter("next")
    yield session
    session.close()


def opened(browser: Browser, board: Board, viewer: str = "") -> None:
    """The page of a link on a laptop, as soon as it shows the battle."""
    browser.sized(1280, 800)
    browser.opens(f"http://{board.host}{board.path('', viewer)}")
    browser.until(f"document.getElementById('live') && {LIVE} == 'live' && {TEXT}.includes('Mikasa')")


def faults(browser: Browser) -> list[str]:
    """What the browser has to say against the page since it was asked last."""
    told = [
        str(one)
        for one in browser.events
        if one.get("method") == "Runtime.exceptionThrown"
        or (one.get("method") == "Log.entryAdded" and one["params"]["entry"]["source"] != "network")
    ]
    browser.events.clear()
    return told


def test_an_entry_is_on_the_page_and_every_request_is_the_boards_own(
    browser: Browser, writer: Session
) -> None:
    assert writer.journal.path is not None
    with served(writer.journal.path) as board:
        browser.opens("about:blank")
        browser.events.clear()
        opened(browser, board)
        writer.enter("fire mikasa heavy borodino long 4 8")
        browser.until(f"{TEXT}.includes('Mikasa heavy at Borodino')")
        browser.value("location.hash = '#ship/mikasa'")
        browser.until(f"{TEXT}.includes('ROF')")
        sent = [one["params"] for one in browser.events if one.get("method") == "Network.requestWillBeSent"]
        hosts = {one["request"]["url"].split("/")[2] for one in sent if "://" in one["request"]["url"]}
        assert hosts == {board.host}
        assert faults(browser) == []


def test_a_page_says_when_it_has_lost_the_battle(browser: Browser, writer: Session) -> None:
    """By links that are new, and by a board that is gone."""
    assert writer.journal.path is not None
    with served(writer.journal.path) as board:
        opened(browser, board, "blue")
        keep_links(board.save, board.links.renewed())
        browser.until(f"{LIVE}.includes('lost the battle since ')")
        opened(browser, board, "red")
    browser.until(f"{LIVE}.includes('lost the battle since ')")
    assert "Mikasa" in browser.value(TEXT)
