"""The page: what it is made of, and how it is in a real browser, on a phone, a laptop and a television."""

import re
from html import unescape
from itertools import product

import pytest
from attrs import evolve

from qf_tui.board.hub import PAGE, REPORT, page, policy
from qf_tui.board.values import BoardSwitch
from qf_tui.document.html import html_text
from qf_tui.session import Session
from tests.board.browser import Browser, found
from tests.board.serving import Shown, serving
from tests.console.playing import gunnery
from tests.report.made import report
from tests.rules.playing import enter

NO_BROWSER = "no Chromium is installed here: `apt-get install chromium` brings one"
in_browser = pytest.mark.skipif(found() is None, reason=NO_BROWSER)
PHONE, SMALL, LAPTOP, TELEVISION = (390, 844), (320, 568), (1280, 800), (1920, 1080)
SHOT = "fire mikasa heavy borodino long 4 8"
HOSTILE = '<img src=x onerror="document.title=1"></script><b>'
READY = "document.querySelector('#main .fleet, #main .cards, #main .sheet, #main .seen')"
BROKEN = """
[...document.querySelectorAll(".fleet")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)
"""
TEXT = "document.querySelector('main').innerText"
OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_a_page_asks_nothing_of_anybody_else() -> None:
    """Catches a font, a script or a picture from elsewhere, and markup out of a name."""
    html = page(HOSTILE)
    assert not re.search(r"https?:|//[a-z]|@import|url\(|innerHTML|outerHTML|insertAdjacent|eval\(", html)
    assert "<img" not in html
    assert HOSTILE in unescape(html)
    said = policy(PAGE)
    for part in ("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'"):
        assert part in said
    assert "unsafe" not in said


def test_every_page_has_the_same_script_and_so_the_same_policy() -> None:
    """Catches a title that finds its way into the script."""
    assert policy(PAGE) == f"{stated(page('one'))}; frame-ancestors 'none'"
    assert stated(page("one")) == stated(page(HOSTILE))


def test_a_report_has_the_policy_of_its_template() -> None:
    assert policy(REPORT) == f"{stated(html_text(report()))}; frame-ancestors 'none'"


def stated(html: str) -> str:
    """The policy that a page states itself."""
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert found is not None
    return unescape(found[1])


def played(*orders: str) -> Session:
    return enter(gunnery(), *orders)


def shown(session: Session, viewer: str = "", switch: BoardSwitch = BoardSwitch.AT_ONCE) -> Shown:
    return Shown(session.system, session.timeline, viewer, switch)


def opens(browser: Browser, address: str, size: tuple[int, int] = PHONE) -> None:
    browser.opens("about:blank")
    # A page that was there before asks for its own board until it is gone.
    browser.events.clear()
    browser.sized(*size)
    browser.opens(address)
    browser.until(READY)


PLACES = ("table", "side", "ship/mikasa", "ship/borodino")


def faults(browser: Browser, address: str) -> list[str]:
    """What the browser complained of, and what it asked of anybody else; the network's troubles are none."""
    told = []
    for event in browser.events:
        params = event["params"]
        if event["method"] == "Runtime.exceptionThrown":
            told.append(str(params["exceptionDetails"]))
        elif event["method"] == "Log.entryAdded" and params["entry"]["source"] != "network":
            told.append(params["entry"]["text"])
        elif event["method"] == "Network.requestWillBeSent":
            url = params["request"]["url"]
            told += [] if url.startswith((address, "data:", "about:")) else [url]
    return told


@in_browser
@pytest.mark.parametrize(
    ("size", "place", "switch"),
    [
        *product([PHONE], PLACES, [BoardSwitch.AT_ONCE]),
        (LAPTOP, "table", BoardSwitch.OWN_SIDE),
        *(
            pytest.param(*view, marks=pytest.mark.long)
            for view in (
                *product([PHONE], PLACES, [BoardSwitch.OWN_SIDE, BoardSwitch.PHASE_END]),
                *product([LAPTOP], PLACES[1:], [BoardSwitch.OWN_SIDE]),
                *product([LAPTOP], PLACES, [BoardSwitch.AT_ONCE, BoardSwitch.PHASE_END]),
                *product((SMALL, TELEVISION), PLACES, [BoardSwitch.AT_ONCE]),
            )
        ),
    ],
)
def test_every_view_fits_and_asks_nobody_else(
    browser: Browser, size: tuple[int, int], place: str, switch: BoardSwitch
) -> None:
    """Catches what is wider than the screen, a fault of the script, and what its own policy forbids."""
    with serving(shown(played("damage borodino D", SHOT), "blue", switch)) as address:
        opens(browser, f"{address}#{place}", size)
        assert browser.value(OVER) <= 0
        assert browser.value(BROKEN) == []
        assert faults(browser, address) == []


@in_browser
def test_names_are_text(browser: Browser) -> None:
    """Catches a name that becomes markup anywhere on the page."""
    session = played(SHOT, f"note all: {HOSTILE}")
    ships = {id: evolve(ship, name=HOSTILE) for id, ship in session.battle.ships.items()}
    timeline = evolve(session.timeline, battle=evolve(session.battle, ships=ships))
    named = Shown(session.system, timeline, "blue", title=HOSTILE)
    with serving(named) as address:
        for place in ("table", "side", "ship/mikasa"):
            opens(browser, f"{address}#{place}")
            assert browser.value("document.querySelectorAll('img, main b b, main script').length") == 0
            assert browser.value("document.title") == HOSTILE
            assert HOSTILE in browser.value("document.querySelector('main').textContent")
            assert faults(browser, address) == []


@in_browser
def test_an_entry_is_told_at_once_and_rows_stay(browser: Browser) -> None:
    """Catches a page that must be loaded anew, rows that move, and a focus or a fold that is lost."""
    session = played()
    live = shown(session)
    rows = "[...document.querySelectorAll('tr[data-ship]')].map((row) => row.dataset.ship).join()"
    with serving(live) as address:
        opens(browser, f"{address}#table", LAPTOP)
        before = browser.value(rows)
        browser.value("document.querySelector('tr[data-ship=borodino] a').focus()")
        session.enter(SHOT)
        live.show(session.timeline)
        told = browser.until("document.querySelector('.last .order')?.textContent")
        assert told == "Mikasa heavy at Borodino, long48"
        assert browser.value("document.querySelector('.last').getAttribute('aria-live')") == "polite"
        assert (
            browser.value("document.querySelector('.last .dice').getAttribute('aria-label')") == "dice 4, 8"
        )
        assert browser.value("document.activeElement.closest('tr').dataset.ship") == "borodino"
        session.enter("leave borodino sunk")
        live.show(session.timeline)
        assert browser.until("document.querySelector('.last .event')?.textContent") == "Borodino sinks"
        assert browser.value(rows) == before
        assert browser.value("document.querySelector('tr.out').dataset.ship") == "borodino"


@in_browser
def test_why_a_box_is_as_it_is_stays_open_as_the_battle_goes_on(browser: Browser) -> None:
    session = played(SHOT)
    live = shown(session, "red")
    with serving(live) as address:
        opens(browser, f"{address}#ship/borodino")
        browser.until("document.querySelector('details[data-key=ROF]')")
        browser.value("document.querySelector('details[data-key=ROF] summary').focus()")
        browser.press("Enter", 13)
        why = "document.querySelector('details[data-key=ROF][open] li')?.innerText"
        assert "Mikasa heavy at Borodino, long" in browser.until(why)
        assert "AQF-GUN-5" in browser.value(why)
        session.enter("damage borodino G")
        live.show(session.timeline)
        assert "ROF: 5 → 4" in browser.until(f"({why})?.includes('5 → 4') && {why}")


@in_browser
def test_all_is_reached_by_keys(browser: Browser) -> None:
    with serving(shown(played(SHOT), "blue")) as address:
        opens(browser, f"{address}#table", LAPTOP)
        reached = []
        for _ in range(12):
            browser.press("Tab", 9)
            reached.append(browser.value("document.activeElement.getAttribute('href') || ''"))
            if reached[-1] == "#ship/mikasa":
                break
        assert reached[:3] == ["#main", "#table", "#side"]
        assert reached[-1] == "#ship/mikasa"
        browser.press("Enter", 13)
        assert browser.until("document.querySelector('.ship h1')?.textContent") == "Mikasa"
        assert browser.value("document.activeElement.id") == "main"


@in_browser
def test_who_hears_the_page_is_told_what_others_see(browser: Browser) -> None:
    """Catches landmarks, tables and boxes without a name."""
    with serving(shown(played("damage mikasa S"), "blue")) as address:
        opens(browser, f"{address}#table", LAPTOP)
        tree = browser.send("Accessibility.getFullAXTree")["nodes"]
        named = {
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in tree
            if not node.get("ignored")
        }
        assert {("navigation", "views"), ("list", "phases of the turn")} <= named
        assert ("table", "Blue13 ships") in named or ("table", "Blue 13 ships") in named
        assert {"main", "banner", "columnheader", "rowheader", "status"} <= {role for role, _ in named}
        cells = [name for role, name in named if role == "cell"]
        assert any("7 open, 1 lost in this phase" in name for name in cells), cells[:20]


CONTRAST = """
(() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((part) => part / 255)
      .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor;
      if (!/, 0\\)$|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const poor = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own || !node.checkVisibility() || node.closest(".heard, .skip, script, noscript")) continue;
    const [one, other] = [light(getComputedStyle(node).color), light(ground(node))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < 4.5) poor.push(`${node.className || node.tagName} ${ratio.toFixed(1)}`);
  }
  return [...new Set(poor)];
})()
"""


@in_browser
@pytest.mark.parametrize("place", ["table", "side", "ship/borodino"])
def test_all_words_can_be_read_by_day_and_by_night(browser: Browser, place: str) -> None:
    """Catches words paler than 4.5 to 1."""
    session = played(
        "damage borodino D", "mark borodino fires 1", "leave ohio sunk", "damage borodino S", SHOT
    )
    with serving(shown(session, "red")) as address:
        opens(browser, f"{address}#{place}", LAPTOP)
        assert browser.value(CONTRAST) == []
        browser.sized(*LAPTOP, dark=True)
        assert browser.value("matchMedia('(prefers-color-scheme: dark)').matches")
        assert browser.value(CONTRAST) == []


@in_browser
def test_what_colours_say_is_said_by_signs_too(browser: Browser) -> None:
    """Catches boxes, marks of the last entry and owed rolls that only a colour tells apart."""
    session = played("damage borodino D", "damage borodino S", SHOT)
    with serving(shown(session)) as address:
        opens(browser, f"{address}#table", LAPTOP)
        row = "document.querySelector('tr[data-ship=borodino]')"
        assert browser.value(f"{row}.querySelector('.box.slash').textContent") == "/"
        assert browser.value(f"{row}.querySelector('.mark').textContent") == "◂"
        assert "?" in browser.value(f"{row}.querySelector('.owes').textContent")
        assert browser.value("document.querySelector('tr[data-ship=mikasa] .mark').textContent") == "▸"


@in_browser
def test_the_report_is_linked_where_there_is_one(browser: Browser) -> None:
    live = shown(played(SHOT), switch=BoardSwitch.PHASE_END)
    with serving(live) as address:
        opens(browser, f"{address}#table")
        assert not browser.value("document.querySelector('nav a[href=report]')?.textContent")
        live.switch = BoardSwitch.AT_ONCE
        live.show(live.timeline)
        assert browser.until("document.querySelector('nav a[href=report]')?.textContent") == "Report"
