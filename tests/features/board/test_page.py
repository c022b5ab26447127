"""The page: its parts, and its behaviour in a real browser during an evening."""

import json
import re
from collections import Counter
from functools import partial
from html import unescape
from itertools import product

import pytest
from attrs import evolve

from qf_tui.core.values import Division
from qf_tui.document.html import make_environment
from qf_tui.features.board.serving import PAGE, REPORT, build_policy, render_page
from qf_tui.features.board.values import BoardSwitch
from qf_tui.features.report.page import render_report
from qf_tui.library.scenarios import load_scenario
from qf_tui.session import Session
from tests.browser import Browser, find_browser
from tests.console.playing import begin_examples, begin_gunnery
from tests.features.board.serving import Shown, serve_page
from tests.features.report.made import build_report
from tests.rules.playing import enter
from tests.systems import find_our_systems, load_start

NO_BROWSER = "no Chromium is installed here: `apt-get install chromium` brings one"
in_browser = pytest.mark.skipif(find_browser() is None, reason=NO_BROWSER)
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


def test_a_page_loads_nothing_from_elsewhere() -> None:
    """Guard against a foreign font, script or picture, and against markup in a name."""
    html = render_page(HOSTILE)
    assert not re.search(r"https?:|//[a-z]|@import|url\(|innerHTML|outerHTML|insertAdjacent|eval\(", html)
    assert "<img" not in html
    assert HOSTILE in unescape(html)
    said = build_policy(PAGE)
    for part in ("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'"):
        assert part in said
    assert "unsafe" not in said


def test_every_page_has_the_same_script_and_policy() -> None:
    """Guard against a title that gets into the script."""
    assert build_policy(PAGE) == f"{find_stated_policy(render_page('one'))}; frame-ancestors 'none'"
    assert find_stated_policy(render_page("one")) == find_stated_policy(render_page(HOSTILE))


def test_a_report_has_the_policy_of_its_template() -> None:
    assert (
        build_policy(REPORT) == f"{find_stated_policy(render_report(build_report()))}; frame-ancestors 'none'"
    )


def find_stated_policy(html: str) -> str:
    """Return the policy that a page itself states."""
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert found is not None
    return unescape(found[1])


def play_orders(*orders: str) -> Session:
    return enter(begin_gunnery(), *orders)


def build_shown(session: Session, viewer: str = "", switch: BoardSwitch = BoardSwitch.AT_ONCE) -> Shown:
    return Shown(session.system, session.timeline, viewer, switch)


def open_page(browser: Browser, address: str, size: tuple[int, int] = PHONE) -> None:
    browser.open("about:blank")
    # The previous page asks for its own board until it is closed.
    browser.events.clear()
    browser.set_size(*size)
    browser.open(address)
    browser.wait_for(READY)


PLACES = ("table", "side", "ship/mikasa", "ship/borodino")


def find_faults(browser: Browser, address: str) -> list[str]:
    """Return the errors of the browser and the addresses it requested elsewhere, but no network errors."""
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
def test_each_view_fits(browser: Browser, size: tuple[int, int], place: str, switch: BoardSwitch) -> None:
    """Guard against overflow, script errors, and content that the page's policy forbids."""
    with serve_page(build_shown(play_orders("damage borodino D", SHOT), "blue", switch)) as address:
        open_page(browser, f"{address}#{place}", size)
        assert browser.evaluate(OVER) <= 0
        assert browser.evaluate(BROKEN) == []
        assert find_faults(browser, address) == []


@in_browser
def test_a_page_remembers_the_log_s_witnesses(browser: Browser) -> None:
    """Guard against a log that is rewritten, cut or exchanged, and against a false alarm."""
    live = build_shown(play_orders(SHOT))
    misfit, words = (f"document.getElementById('{id}').innerText" for id in ("misfit", "witness"))
    with serve_page(live) as address:
        for log, why in (
            ("", ""),
            ("A", ""),
            ("ABC", ""),
            ("AB", "The log was cut: what came after turn 2 began is gone."),
            ("ABXD", "The log was rewritten: what came after turn 2 began is not what this page saw."),
            ("ABCD", ""),
            ("XBCDE", "another battle"),
            ("", "another battle"),
        ):
            live.witness(*((f"turn {turn}", sign * 32) for turn, sign in enumerate(log, 1)))
            open_page(browser, address)
            assert browser.wait_for(f"{words}.includes('turn {len(log)} began: four words')") if log else True
            told = browser.wait_for(f"{misfit} || ' '") if why else browser.evaluate(misfit)
            assert why in told
            assert bool(told) == bool(why)
        # The page keeps the witnesses it saw until the player dismisses them.
        browser.evaluate("document.querySelector('#misfit button').click()")
        assert browser.evaluate(misfit) == ""
        live.witness(("turn 9", "9" * 32))
        assert browser.wait_for(f"{words}.includes('turn 9')")
        assert browser.evaluate(misfit) == ""
        live.witness(("turn 9", "8" * 32))
        assert "another battle" in browser.wait_for(misfit)
        assert browser.evaluate(OVER) <= 0
        assert find_faults(browser, address) == []


@pytest.mark.parametrize("page", [PAGE, "features/film/film.html"])
def test_no_two_scripts_of_a_page_declare_the_same_name(page: str) -> None:
    """Guard against a function that replaces another one: all scripts of a page share one scope."""
    templates = make_environment()
    assert templates.loader is not None
    sources = partial(templates.loader.get_source, templates)
    named = re.findall(r'include "(\S+\.js)"', sources(page)[0])
    declared = r"^(?:async )?(?:function|const|let|class) (\w+)"
    names = [name for script in named for name in re.findall(declared, sources(script)[0], re.MULTILINE)]
    assert len(named) > 2
    assert sorted(name for name, count in Counter(names).items() if count > 1) == []


@in_browser
def test_names_are_text(browser: Browser) -> None:
    """Guard against a name that becomes markup anywhere on the page."""
    session = play_orders(SHOT, f"note all: {HOSTILE}")
    ships = {id: evolve(ship, name=HOSTILE) for id, ship in session.battle.ships.items()}
    timeline = evolve(session.timeline, battle=evolve(session.battle, ships=ships))
    named = Shown(session.system, timeline, "blue", title=HOSTILE)
    with serve_page(named) as address:
        for place in ("table", "side", "ship/mikasa"):
            open_page(browser, f"{address}#{place}")
            assert browser.evaluate("document.querySelectorAll('img, main b b, main script').length") == 0
            assert browser.evaluate("document.title") == HOSTILE
            assert HOSTILE in browser.evaluate("document.querySelector('main').textContent")
            assert find_faults(browser, address) == []


@in_browser
def test_an_entry_is_shown_at_once_and_rows_stay(browser: Browser) -> None:
    """Guard against a page that must be reloaded, rows that move, and a lost focus or fold."""
    session = play_orders()
    live = build_shown(session)
    rows = "[...document.querySelectorAll('tr[data-ship]')].map((row) => row.dataset.ship).join()"
    with serve_page(live) as address:
        open_page(browser, f"{address}#table", LAPTOP)
        before = browser.evaluate(rows)
        browser.evaluate("document.querySelector('tr[data-ship=borodino] a').focus()")
        session.enter(SHOT)
        live.show(session.timeline)
        told = browser.wait_for("document.querySelector('.last .order')?.textContent")
        assert told == "Mikasa heavy at Borodino, long48"
        assert browser.evaluate("document.querySelector('.last').getAttribute('aria-live')") == "polite"
        assert (
            browser.evaluate("document.querySelector('.last .dice').getAttribute('aria-label')")
            == "dice 4, 8"
        )
        assert browser.evaluate("document.activeElement.closest('tr').dataset.ship") == "borodino"
        session.enter("leave borodino sunk")
        live.show(session.timeline)
        assert browser.wait_for("document.querySelector('.last .event')?.textContent") == "Borodino sinks"
        assert browser.evaluate(rows) == before
        assert browser.evaluate("document.querySelector('tr.out').dataset.ship") == "borodino"


@in_browser
def test_the_history_of_a_box_stays_open_as_entries_come(browser: Browser) -> None:
    session = play_orders(SHOT)
    live = build_shown(session, "red")
    with serve_page(live) as address:
        open_page(browser, f"{address}#ship/borodino")
        browser.wait_for("document.querySelector('details[data-key=ROF]')")
        browser.evaluate("document.querySelector('details[data-key=ROF] summary').focus()")
        browser.press("Enter", 13)
        why = "document.querySelector('details[data-key=ROF][open] li')?.innerText"
        assert "Mikasa heavy at Borodino, long" in browser.wait_for(why)
        assert "AQF-GUN-5" in browser.evaluate(why)
        session.enter("damage borodino G")
        live.show(session.timeline)
        assert "ROF: 5 → 4" in browser.wait_for(f"({why})?.includes('5 → 4') && {why}")


@in_browser
def test_keys_reach_everything(browser: Browser) -> None:
    with serve_page(build_shown(play_orders(SHOT), "blue")) as address:
        open_page(browser, f"{address}#table", LAPTOP)
        reached = []
        for _ in range(12):
            browser.press("Tab", 9)
            reached.append(browser.evaluate("document.activeElement.getAttribute('href') || ''"))
            if reached[-1] == "#ship/mikasa":
                break
        assert reached[:3] == ["#main", "#table", "#side"]
        assert reached[-1] == "#ship/mikasa"
        browser.press("Enter", 13)
        assert browser.wait_for("document.querySelector('.ship h1')?.textContent") == "Mikasa"
        assert browser.evaluate("document.activeElement.id") == "main"


@in_browser
def test_a_screen_reader_finds_names_for_everything(browser: Browser) -> None:
    """Guard against landmarks, tables and boxes without a name."""
    with serve_page(build_shown(play_orders("damage mikasa S"), "blue")) as address:
        open_page(browser, f"{address}#table", LAPTOP)
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
def test_all_text_has_enough_contrast_in_light_and_dark(browser: Browser, place: str) -> None:
    """Guard against a contrast below 4.5 to 1."""
    session = play_orders(
        "damage borodino D", "mark borodino fires 1", "leave ohio sunk", "damage borodino S", SHOT
    )
    with serve_page(build_shown(session, "red")) as address:
        open_page(browser, f"{address}#{place}", LAPTOP)
        assert browser.evaluate(CONTRAST) == []
        browser.set_size(*LAPTOP, dark=True)
        assert browser.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        assert browser.evaluate(CONTRAST) == []


@in_browser
def test_no_meaning_rests_on_colour_alone(browser: Browser) -> None:
    """Guard against boxes, marks of the last entry and owed rolls that only a colour shows."""
    session = play_orders("damage borodino D", "damage borodino S", SHOT)
    with serve_page(build_shown(session)) as address:
        open_page(browser, f"{address}#table", LAPTOP)
        row = "document.querySelector('tr[data-ship=borodino]')"
        assert browser.evaluate(f"{row}.querySelector('.box.slash').textContent") == "/"
        assert browser.evaluate(f"{row}.querySelector('.mark').textContent") == "◂"
        assert "?" in browser.evaluate(f"{row}.querySelector('.owes').textContent")
        assert browser.evaluate("document.querySelector('tr[data-ship=mikasa] .mark').textContent") == "▸"


@in_browser
def test_the_report_is_linked_if_there_is_one(browser: Browser) -> None:
    live = build_shown(play_orders(SHOT), switch=BoardSwitch.PHASE_END)
    with serve_page(live) as address:
        open_page(browser, f"{address}#table")
        assert not browser.evaluate("document.querySelector('nav a[href=report]')?.textContent")
        live.switch = BoardSwitch.AT_ONCE
        live.show(live.timeline)
        assert browser.wait_for("document.querySelector('nav a[href=report]')?.textContent") == "Report"


@in_browser
def test_a_page_that_has_lost_the_battle_says_since_when(browser: Browser) -> None:
    """Guard against a page that looks live after its stream ends or falls silent."""
    live = build_shown(play_orders(SHOT))
    with serve_page(live) as address:
        open_page(browser, f"{address}#table")
        assert browser.wait_for("document.querySelector('.live.live')?.textContent") == "live"
        live.close(True)
        said = browser.wait_for("document.querySelector('.live.lost')?.textContent")
        assert re.fullmatch(r"no connection to the board since \d\d:\d\d", said)
        assert browser.evaluate("document.querySelector('.last').textContent").startswith("Borodino")
        live.close(False)
        browser.wait_for("document.querySelector('.live.live')", 20)


@in_browser
def test_a_silent_battle_counts_as_lost(browser: Browser) -> None:
    live = build_shown(play_orders(SHOT))
    live.beat = 0.2
    with serve_page(live) as address:
        open_page(browser, f"{address}#table")
        live.mute = True
        browser.wait_for("document.querySelector('.live.lost')")
        live.mute = False
        browser.wait_for("document.querySelector('.live:not(.lost)')")


LATER = "(() => { const before = Date.now; Date.now = () => before() + 3600 * 1000; })()"
"""An hour later by the page's clock."""
BACK = r"live again; no connection from (\d\d:\d\d) to (\d\d:\d\d)"


@in_browser
def test_a_page_that_was_cut_off_reconnects_and_says_how_long_it_was(browser: Browser) -> None:
    """Guard against an open connection that brings nothing more, as on a phone that slept."""
    session = play_orders()
    live = build_shown(session)
    live.beat = 0.2
    with serve_page(live) as address:
        open_page(browser, f"{address}#table")
        browser.wait_for("document.querySelector('.live.live')")
        live.deafened += 1
        session.enter(SHOT)
        live.show(session.timeline)
        browser.evaluate(LATER)
        back = "(document.querySelector('.live.back')?.textContent || '')"
        said = browser.wait_for(f"/from (..:..) to (?!\\1)/.test({back}) && {back}")
        assert re.fullmatch(BACK, said)
        told = browser.evaluate("document.querySelector('.last .order')?.textContent")
        assert told.startswith("Mikasa heavy at Borodino")
        browser.evaluate(LATER)
        browser.wait_for("document.querySelector('.live.back')")


@in_browser
def test_a_page_reconnects_as_soon_as_it_is_visible_again(browser: Browser) -> None:
    """Guard against a page that waits for its next beat, here ten minutes away."""
    live = build_shown(play_orders(SHOT))
    live.beat = 600
    with serve_page(live) as address:
        open_page(browser, f"{address}#table")
        browser.wait_for("document.querySelector('.live.live')")
        live.deafened += 1
        # Pages of other tests may cover this one, which would count as hidden.
        browser.evaluate("Object.defineProperty(document, 'hidden', { value: false, configurable: true })")
        browser.evaluate(f"{LATER}; document.dispatchEvent(new Event('visibilitychange'))")
        browser.wait_for("document.querySelector('.live.back')")


@in_browser
def test_rows_stay_in_place_as_entries_come(browser: Browser) -> None:
    """Guard against tables that move with the length of an entry."""
    session = Session.begin(*load_start("yellow-sea-1904"))
    live = build_shown(session)
    top = "document.querySelector('.fleets').getBoundingClientRect().top"
    with serve_page(live) as address:
        open_page(browser, f"{address}#table", TELEVISION)
        before = browser.evaluate(top)
        for order in (
            "move mikasa,asahi,fuji,shikishima,kasuga,nisshin 6",
            "next",
            "fire mikasa heavy tsesarevich 41in 3 8",
        ):
            session.enter(order)
            live.show(session.timeline)
            browser.wait_for(f"{TEXT}.includes('entry {len(session.timeline.log)}')")
            assert browser.evaluate(top) == before


@in_browser
def test_owed_rolls_of_a_side_are_above_its_ships(browser: Browser) -> None:
    """Guard against a roll below the edge of the phone, at the last of twenty ships."""
    with serve_page(build_shown(play_orders("damage boat-21 D", "damage borodino D"), "blue")) as address:
        open_page(browser, f"{address}#side")
        due = browser.evaluate("document.querySelector('.side > .due').innerText")
        assert "1d12" in due
        assert "Borodino" not in due
        cards = "document.querySelector('.cards').getBoundingClientRect().top"
        assert browser.evaluate(
            f"document.querySelector('.due .die').getBoundingClientRect().bottom < {cards}"
        )


@in_browser
def test_boxes_are_still_drawn_after_the_last_one_is_lost(browser: Browser) -> None:
    """Guard against strokes in place of a log whose boxes all went in one phase."""
    with serve_page(build_shown(play_orders("damage borodino" + 8 * " S"))) as address:
        open_page(browser, f"{address}#table", LAPTOP)
        row = "document.querySelector('tr[data-ship=borodino]')"
        assert browser.evaluate(f"{row}.querySelectorAll('.box.slash').length") == 8
        assert "8 lost in this phase" in browser.evaluate(f"{row}.textContent")


@in_browser
def test_all_ships_that_moved_together_are_marked(browser: Browser) -> None:
    session = Session.begin(*load_scenario("rulebook-examples", find_our_systems()))
    session.enter("move mikasa,massena 6")
    with serve_page(build_shown(session)) as address:
        open_page(browser, f"{address}#table", LAPTOP)
        marks = (
            "[...document.querySelectorAll('.mark')].map((mark) => mark.textContent).filter(Boolean).join()"
        )
        assert browser.evaluate(marks) == "▸,▸"
        assert browser.evaluate("document.querySelector('.last .order')") is None


@in_browser
def test_a_dagger_is_explained_if_there_is_one_and_begins_no_line(browser: Browser) -> None:
    live = build_shown(play_orders("fire borodino heavy mikasa long 2 1"))
    with serve_page(live) as address:
        open_page(browser, f"{address}#table")
        said = browser.evaluate("document.querySelector('main').textContent")
        assert "\u00a0†" in said
        assert " †" not in said
        assert "reconstructed" in browser.evaluate("document.querySelector('.signs').textContent")
        live.show(play_orders().timeline)
        browser.wait_for("!document.querySelector('.signs')")


@in_browser
def test_every_ship_fits_on_a_television(browser: Browser) -> None:
    """Guard against rows below the edge of a screen without a mouse, with 28 ships and much to throw."""
    system, begun = load_scenario("tsushima-1905", find_our_systems(), rules="advanced-quickfire")
    sides = [[one for one in begun.ships.values() if one.side == side.id] for side in begun.sides]
    few = {ship.id: ship for own in sides for ship in own[:14]}
    session = Session.begin(system, evolve(begun, ships=few, began=None))
    for ship in few:
        session.enter(f"damage {ship} {'D' if ship == 'mikasa' else 'F'}")
    with serve_page(build_shown(session)) as address:
        for size in (TELEVISION, (1920, 1080), (1280, 720)):
            open_page(browser, f"{address}#table", size)
            assert browser.evaluate("document.querySelectorAll('tbody tr').length") == 28
            ends = "[...document.querySelectorAll('tr')].map((row) => row.getBoundingClientRect().bottom)"
            assert browser.evaluate(f"Math.max(...{ends}) <= innerHeight")


@in_browser
def test_a_player_finds_his_own_ships_and_the_hits_on_them(browser: Browser) -> None:
    """Choose by player or division; torpedoes and armor need no tap."""
    session = begin_examples()
    sides = tuple(
        evolve(side, divisions=(Division("one", "First", "Ann"), Division("two", "Second", "Bob")))
        for side in session.battle.sides
    )
    of = {
        id: evolve(ship, division="one" if id == "mikasa" else "two")
        for id, ship in session.battle.ships.items()
    }
    session = Session.begin(session.system, evolve(session.battle, sides=sides, ships=of, began=None))
    enter(session, "next", "fire borodino heavy mikasa long 4 8", "damage mikasa F")
    names = "[...document.querySelectorAll('.card h2')].map((one) => one.textContent).join()"
    with serve_page(build_shown(session, "blue")) as address:
        open_page(browser, f"{address}#side")
        assert browser.evaluate(names) != "Mikasa"
        assert browser.evaluate(
            "[...document.querySelectorAll('.choice a')].map((one) => one.textContent).join()"
        ) == ("all ships,Ann,First,Bob,Second")
        open_page(browser, f"{address}#side/Ann")
        assert browser.evaluate(names) == "Mikasa"
        told = browser.evaluate("document.querySelector('.log').innerText")
        assert "To these ships" in told
        assert "Borodino" in told
        card = browser.evaluate("document.querySelector('.card').innerText")
        assert "fires 1" in card
        assert "armor" in card
        assert "TT" in card


@in_browser
def test_the_chosen_player_shows_in_the_dark_and_can_be_tapped(browser: Browser) -> None:
    """Guard against a choice that looks like the others in the dark, and targets smaller than a thumb."""
    session = begin_examples()
    sides = tuple(evolve(side, divisions=(Division("one", "First", "Ann"),)) for side in session.battle.sides)
    of = {id: evolve(ship, division="one") for id, ship in session.battle.ships.items()}
    session = Session.begin(session.system, evolve(session.battle, sides=sides, ships=of, began=None))
    enter(session, "next", SHOT)
    chosen = "document.querySelector('.choice [aria-current]')"
    targets = """
    [...document.querySelectorAll("nav a, .choice a, .log summary")].filter((one) => one.checkVisibility())
      .map((one) => [one.innerText, one.getBoundingClientRect().height]).filter(([, tall]) => tall < 43.9)
    """
    with serve_page(build_shown(session, "blue")) as address:
        open_page(browser, f"{address}#side")
        for dark in (False, True):
            browser.set_size(*PHONE, dark=dark)
            assert browser.evaluate(
                f"getComputedStyle({chosen}).backgroundColor == getComputedStyle(document.body).color"
            )
        assert browser.evaluate("matchMedia('(pointer: coarse)').matches")
        browser.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert browser.evaluate(targets) == []
        open_page(browser, f"{address}#table")
        # The whole cell of a name is a link.
        at = "document.querySelector('tr[data-ship=mikasa] th').getBoundingClientRect()"
        corner = f"document.elementFromPoint({at}.right - 3, {at}.top + 3)"
        assert browser.evaluate(f"{corner}.getAttribute('href')") == "#ship/mikasa"


@in_browser
def test_a_small_phone_shows_the_phase_and_the_current_view_in_a_line(browser: Browser) -> None:
    now = "document.getElementById('now')"
    with serve_page(build_shown(play_orders(SHOT), "blue")) as address:
        open_page(browser, f"{address}#table", SMALL)
        assert browser.evaluate(f"{now}.offsetHeight < 2 * parseFloat(getComputedStyle({now}).lineHeight)")
        browser.evaluate("location.hash = 'ship/mikasa'")
        browser.wait_for("document.querySelector('.sheet')")
        browser.evaluate("document.querySelector('nav').style.width = '9rem'; draw()")
        browser.evaluate("location.hash = 'ship/borodino'")
        browser.wait_for("document.querySelector('.ship h1')?.textContent == 'Borodino'")
        assert browser.evaluate(
            "(() => { const nav = document.querySelector('nav').getBoundingClientRect();"
            "const here = document.querySelector('nav [aria-current]').getBoundingClientRect();"
            "return here.left >= nav.left - 1 && here.right <= nav.right + 1; })()"
        )


@in_browser
@pytest.mark.parametrize("told", [{"text": "word " * 20}, {"events": ["a word " * 15]}])
def test_a_long_entry_gets_smaller_letters(browser: Browser, told: dict[str, object]) -> None:
    one = {"events": [], "text": "", "dice": [], **told}
    with serve_page(build_shown(play_orders())) as address:
        open_page(browser, f"{address}#table")
        lead = f"telling({json.dumps(one)}, true).querySelector('.lead').className"
        assert browser.evaluate(lead) == "lead long"


@in_browser
def test_ships_are_counted_in_singular_and_plural(browser: Browser) -> None:
    with serve_page(build_shown(play_orders())) as address:
        open_page(browser, f"{address}#table")
        afloat, out = {"afloat": True}, {"afloat": False}
        for ships, told in (
            ([afloat], "1 ship"),
            ([afloat, afloat], "2 ships"),
            ([afloat, out], "1 of 2 in the battle"),
        ):
            assert browser.evaluate(f"inBattle({json.dumps({'ships': ships})})") == told


@in_browser
def test_an_explosion_stays_as_the_next_phase_begins(browser: Browser) -> None:
    session = play_orders("damage borodino D")
    session.enter("leave borodino sunk")
    session.enter("force next")
    with serve_page(build_shown(session)) as address:
        open_page(browser, f"{address}#table")
        assert "sinks" in browser.evaluate("document.querySelector('.last').textContent").lower()


@in_browser
def test_a_screen_reader_hears_halves_only_of_boxes(browser: Browser) -> None:
    """Guard against a distance of 4½″, or a size of ½, that is read out as half a box."""
    with serve_page(build_shown(play_orders(SHOT))) as address:
        open_page(browser, f"{address}#table")
        heard = [
            browser.evaluate(f"said({parts})")
            for parts in (
                '[{text: "4½″", tone: ""}]',
                '[{text: "½", tone: ""}]',
                '[{text: "½", tone: "cross"}]',
                '[{text: "□□½", tone: ""}, {text: " 7½″", tone: ""}]',
                '[{text: "XX", tone: "cross"}, {text: "□", tone: ""}]',
            )
        ]
        assert heard == ["", "", "1 half lost", "2 open, 1 half lost", "1 open, 2 lost"]
