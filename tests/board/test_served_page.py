"""The page as a board serves it, in a browser: it follows, nothing holds it up, it says when it is lost."""

import re
import time
from collections.abc import Sequence

import pytest

from qf_tui.board.links import keep_links
from qf_tui.session import Session
from tests.board.browser import Browser, found
from tests.board.served import HASTY, PROGRAM, Board, served
from tests.board.test_page_evening import BACK, LATER

pytestmark = pytest.mark.skipif(found() is None, reason="there is no Chromium here")

TEXT = "document.getElementById('main').innerText"
LIVE = "document.getElementById('live').textContent"
in_haste = pytest.mark.parametrize(
    "program", [HASTY, pytest.param(PROGRAM, marks=pytest.mark.long)], ids=["in-haste", "as-it-is"]
)


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


@in_haste
def test_a_page_comes_back_by_itself_when_the_board_does(
    browser: Browser, writer: Session, program: Sequence[str]
) -> None:
    """Catches links that another start of the board does not know, and a page that must be loaded anew."""
    assert writer.journal.path is not None
    with served(writer.journal.path, program=program) as board:
        opened(browser, board)
        port = board.port
    browser.until(f"{LIVE}.includes('lost the battle since ')")
    browser.value(LATER)
    writer.enter("fire mikasa heavy borodino long 4 8")
    with served(writer.journal.path, "--port", str(port), program=program):
        assert re.fullmatch(BACK, browser.until("document.querySelector('.live.back')?.textContent", 20))
        assert "Mikasa heavy at Borodino" in browser.value(TEXT)


@in_haste
def test_a_page_that_was_frozen_has_the_battle_when_it_thaws(
    browser: Browser, writer: Session, program: Sequence[str]
) -> None:
    assert writer.journal.path is not None
    with served(writer.journal.path, program=program) as board:
        opened(browser, board)
        browser.send("Page.setWebLifecycleState", state="frozen")
        writer.enter("fire mikasa heavy borodino long 4 8")
        browser.send("Page.setWebLifecycleState", state="active")
        browser.value(LATER)
        browser.until(f"{TEXT}.includes('Mikasa heavy at Borodino')")
        assert re.fullmatch(BACK, browser.until("document.querySelector('.live.back')?.textContent"))


@in_haste
def test_a_page_keeps_the_hour_since_when_the_save_is_gone(
    browser: Browser, writer: Session, program: Sequence[str]
) -> None:
    """Catches an hour that begins anew with each connection, and a page that is live without a save."""
    path = writer.journal.path
    assert path is not None
    with served(path, program=program) as board:
        opened(browser, board)
        browser.until("document.querySelector('.live.live')")
        aside = path.with_suffix(".aside")
        path.rename(aside)
        said = browser.until("document.querySelector('.live.lost')?.textContent")
        assert said.startswith("the umpire's console has lost the battle since ")
        browser.value(f"{LATER}; connect()")
        browser.until("feed.source.readyState === EventSource.OPEN")
        time.sleep(0.5)
        assert browser.value(LIVE) == said
        aside.rename(path)
        browser.until("document.querySelector('.live.back')")
