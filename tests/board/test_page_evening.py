"""The page as an evening goes on: lost and found again, and what players look for on it."""

import re

from attrs import evolve

from qf_tui.core.values import Division
from qf_tui.library.scenarios import load_scenario
from qf_tui.session import Session
from tests.board.browser import Browser
from tests.board.serving import serving
from tests.board.test_page import LAPTOP, SHOT, TELEVISION, TEXT, in_browser, opens, played, shown
from tests.console.playing import bench
from tests.rules.playing import enter
from tests.systems import our_systems


@in_browser
def test_a_page_that_has_lost_the_battle_says_since_when(browser: Browser) -> None:
    """Catches a page that stands still and looks alive: a stream that ends, and one that falls silent."""
    live = shown(played(SHOT))
    with serving(live) as address:
        opens(browser, f"{address}#table")
        assert browser.until("document.querySelector('.live.live')?.textContent") == "live"
        live.close(True)
        said = browser.until("document.querySelector('.live.lost')?.textContent")
        assert re.fullmatch(r"this page has lost the battle since \d\d:\d\d", said)
        assert browser.value("document.querySelector('.last').textContent").startswith("Borodino")
        live.close(False)
        browser.until("document.querySelector('.live.live')", 20)


@in_browser
def test_a_battle_that_falls_silent_is_lost_too(browser: Browser) -> None:
    live = shown(played(SHOT))
    live.beat = 0.2
    with serving(live) as address:
        opens(browser, f"{address}#table")
        live.mute = True
        browser.until("document.querySelector('.live.lost')")
        live.mute = False
        browser.until("document.querySelector('.live:not(.lost)')")


LATER = "(() => { const before = Date.now; Date.now = () => before() + 3600 * 1000; })()"
"""An hour later, by the page's clock."""
BACK = r"live again; the battle was lost from (\d\d:\d\d) to (\d\d:\d\d)"


@in_browser
def test_a_page_that_was_cut_off_asks_again_and_says_how_long_it_was_without_the_battle(
    browser: Browser,
) -> None:
    """Catches a connection that is there still, and on which nothing comes any more: a phone that slept."""
    session = played()
    live = shown(session)
    live.beat = 0.2
    with serving(live) as address:
        opens(browser, f"{address}#table")
        browser.until("document.querySelector('.live.live')")
        live.deafened += 1
        session.enter(SHOT)
        live.show(session.timeline)
        browser.value(LATER)
        back = "(document.querySelector('.live.back')?.textContent || '')"
        said = browser.until(f"/from (..:..) to (?!\\1)/.test({back}) && {back}")
        assert re.fullmatch(BACK, said)
        told = browser.value("document.querySelector('.last .order')?.textContent")
        assert told.startswith("Mikasa heavy at Borodino")
        browser.value(LATER)
        browser.until("document.querySelector('.live.back')")


@in_browser
def test_a_page_that_is_looked_at_again_does_not_wait_to_ask(browser: Browser) -> None:
    live = shown(played(SHOT))
    with serving(live) as address:
        opens(browser, f"{address}#table")
        browser.until("document.querySelector('.live.live')")
        live.deafened += 1
        browser.value(f"{LATER}; document.dispatchEvent(new Event('visibilitychange'))")
        browser.until("document.querySelector('.live.back')", 2)


@in_browser
def test_rows_stay_where_they_are_as_entries_come_and_all_are_on_a_television(browser: Browser) -> None:
    """Catches tables that move with the length of an entry, and ships below the edge of the screen."""
    session = Session.begin(*load_scenario("yellow-sea-1904", our_systems()))
    live = shown(session)
    top = "document.querySelector('.fleets').getBoundingClientRect().top"
    with serving(live) as address:
        opens(browser, f"{address}#table", TELEVISION)
        before = browser.value(top)
        for order in (
            "move mikasa,asahi,fuji,shikishima,kasuga,nisshin 6",
            "next",
            "fire mikasa heavy tsesarevich 41in 3 8",
        ):
            session.enter(order)
            live.show(session.timeline)
            browser.until(f"{TEXT}.includes('entry {len(session.timeline.log)}')")
            assert browser.value(top) == before
        rows = "[...document.querySelectorAll('tr[data-ship]')]"
        assert browser.value(f"{rows}.every((row) => row.getBoundingClientRect().bottom <= innerHeight)")


@in_browser
def test_what_a_side_owes_stands_above_its_ships(browser: Browser) -> None:
    """Catches a roll that waits below the edge of the phone, at the last ship of twenty."""
    with serving(shown(played("damage boat-21 D", "damage borodino D"), "blue")) as address:
        opens(browser, f"{address}#side")
        due = browser.value("document.querySelector('.side > .due').innerText")
        assert "1d12" in due
        assert "Borodino" not in due
        cards = "document.querySelector('.cards').getBoundingClientRect().top"
        assert browser.value(f"document.querySelector('.due .die').getBoundingClientRect().bottom < {cards}")


@in_browser
def test_boxes_are_boxes_when_the_last_of_them_goes(browser: Browser) -> None:
    """Catches a row of strokes in the place of a log whose boxes all went in one phase."""
    with serving(shown(played("damage borodino" + 8 * " S"))) as address:
        opens(browser, f"{address}#table", LAPTOP)
        row = "document.querySelector('tr[data-ship=borodino]')"
        assert browser.value(f"{row}.querySelectorAll('.box.slash').length") == 8
        assert "8 lost in this phase" in browser.value(f"{row}.textContent")


@in_browser
def test_all_who_moved_together_are_marked_as_those_who_did(browser: Browser) -> None:
    session = Session.begin(*load_scenario("rulebook-examples", our_systems()))
    session.enter("move mikasa,massena 6")
    with serving(shown(session)) as address:
        opens(browser, f"{address}#table", LAPTOP)
        marks = (
            "[...document.querySelectorAll('.mark')].map((mark) => mark.textContent).filter(Boolean).join()"
        )
        assert browser.value(marks) == "▸,▸"
        assert browser.value("document.querySelector('.last .order')") is None


@in_browser
def test_a_dagger_is_explained_where_there_is_one_and_begins_no_line(browser: Browser) -> None:
    live = shown(played("fire borodino heavy mikasa long 2 1"))
    with serving(live) as address:
        opens(browser, f"{address}#table")
        said = browser.value("document.querySelector('main').textContent")
        assert "\u00a0†" in said
        assert " †" not in said
        assert "reconstructed" in browser.value("document.querySelector('.signs').textContent")
        live.show(played().timeline)
        browser.until("!document.querySelector('.signs')")


@in_browser
def test_every_ship_is_on_a_television(browser: Browser) -> None:
    """Catches rows below the edge of a screen that nobody scrolls, with 28 ships and much to be thrown."""
    system, begun = load_scenario("tsushima-1905", our_systems(), rules="advanced-quickfire")
    sides = [[one for one in begun.ships.values() if one.side == side.id] for side in begun.sides]
    few = {ship.id: ship for own in sides for ship in own[:14]}
    session = Session.begin(system, evolve(begun, ships=few, began=None))
    for ship in few:
        session.enter(f"damage {ship} {'D' if ship == 'mikasa' else 'F'}")
    with serving(shown(session)) as address:
        for size in (TELEVISION, (1920, 1080), (1280, 720)):
            opens(browser, f"{address}#table", size)
            assert browser.value("document.querySelectorAll('tbody tr').length") == 28
            ends = "[...document.querySelectorAll('tr')].map((row) => row.getBoundingClientRect().bottom)"
            assert browser.value(f"Math.max(...{ends}) <= innerHeight")


@in_browser
def test_a_player_finds_his_own_ships_and_what_was_done_to_them(browser: Browser) -> None:
    """By player or division, in words; torpedoes and armor need no tap."""
    session = bench()
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
    with serving(shown(session, "blue")) as address:
        opens(browser, f"{address}#side")
        assert browser.value(names) != "Mikasa"
        assert browser.value(
            "[...document.querySelectorAll('.choice a')].map((one) => one.textContent).join()"
        ) == ("all ships,Ann,First,Bob,Second")
        opens(browser, f"{address}#side/Ann")
        assert browser.value(names) == "Mikasa"
        told = browser.value("document.querySelector('.log').innerText")
        assert "To these ships" in told
        assert "Borodino" in told
        card = browser.value("document.querySelector('.card').innerText")
        assert "fires 1" in card
        assert "armor" in card
        assert "TT" in card


@in_browser
def test_an_explosion_stays_as_the_next_phase_begins(browser: Browser) -> None:
    session = played("damage borodino D")
    session.enter("leave borodino sunk")
    session.enter("force next")
    with serving(shown(session)) as address:
        opens(browser, f"{address}#table")
        assert "sinks" in browser.value("document.querySelector('.last').textContent").lower()


@in_browser
def test_halves_are_said_of_boxes_alone(browser: Browser) -> None:
    """Catches a distance of 4½″ that is heard as a box half lost."""
    with serving(shown(played(SHOT))) as address:
        opens(browser, f"{address}#table")
        heard = [
            browser.value(f"said({parts})")
            for parts in (
                '[{text: "4½″", tone: ""}]',
                '[{text: "□□½", tone: ""}, {text: " 7½″", tone: ""}]',
                '[{text: "XX", tone: "cross"}, {text: "□", tone: ""}]',
            )
        ]
        assert heard == ["", "2 open, 1 half lost", "1 open, 2 lost"]
