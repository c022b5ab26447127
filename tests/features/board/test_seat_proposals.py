"""The proposals and declarations that a player sends from the page of a seat, which the test controls."""

import pytest

from qf_tui.features.board.values import BoardSwitch
from tests.browser import Browser, find_browser
from tests.features.board.seat_page import (
    HALF_A_SECOND,
    find_button,
    open_play_page,
    read_text,
    serve_seat,
    tap,
    tap_faces,
    wait_for_text,
    wait_until,
)
from tests.features.board.seating import CHECK, Seat, build_round, build_seat_state
from tests.features.board.test_page import NO_BROWSER

pytestmark = pytest.mark.skipif(find_browser() is None, reason=NO_BROWSER)


def test_a_proposal_that_no_longer_applies_is_not_offered_again(browser: Browser) -> None:
    """Guard against a button that opens an empty form, or one that declarations do not take."""
    seat = Seat(build_seat_state(owes=[]))
    with serve_seat(browser, seat):
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino", "Propose")
        wait_until(browser, lambda: bool(seat.state["proposals"]))
        seat.decide("back", "too far")
        browser.wait_for(find_button("Again"))
        seat.tell(round=build_round())
        wait_for_text(browser, ".round", "Declare")
        assert browser.evaluate(f"!({find_button('Again')})")
        seat.tell(round=None)
        browser.wait_for(find_button("Again"))
        seat.tell(may=[])
        browser.wait_for(f"!({find_button('Again')})")
        assert "too far" in read_text(browser, ".became")


def test_a_refused_proposal_is_replaced_by_its_correction(browser: Browser) -> None:
    seat = Seat(build_seat_state(owes=[]), status=400, why="she is out of range")
    with serve_seat(browser, seat):
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino", "Propose")
        wait_for_text(browser, ".became .refused", "out of range")
        seat.status = 200
        tap(browser, "Again", "heavy", "light", "Propose")
        wait_for_text(browser, ".became", "waits for the umpire")
        assert "out of range" not in read_text(browser, ".became")


def test_the_heading_counts_only_what_waits_for_the_player(browser: Browser) -> None:
    """Guard against a count of the umpire's decisions, and a refused declaration that is not counted."""
    umpires = {**CHECK, "handle": "9f02", "dice": [], "needs": []}
    seat = Seat(build_seat_state(owes=[umpires], round=build_round()), status=400, why="no such range")
    with serve_seat(browser, seat):
        assert read_text(browser, "nav .many") == "1"
        tap(browser, "Declare: no orders")
        wait_for_text(browser, ".round", "no such range")
        seat.tell(round=build_round("Boris"))
        wait_for_text(browser, ".round .who", "Boris")
        assert read_text(browser, "nav .many") == "1"
        seat.status = -1
        tap(browser, "Drop", "Declare: no orders")
        browser.wait_for("!document.querySelector('nav .many')")


def test_a_proposal_shown_as_the_phase_ends_does_not_seem_to_wait(browser: Browser) -> None:
    one = {"id": "c" * 32, "text": "fire check", "state": "waiting", "told": ""}
    seat = Seat(build_seat_state(proposals=[one]))
    with serve_seat(browser, seat) as shown:
        wait_for_text(browser, ".became", "waits for the umpire")
        shown.switch = BoardSwitch.PHASE_END
        shown.send_again()
        wait_for_text(browser, ".became", "the result shows when the phase ends")


def test_a_dagger_in_a_proposal_is_explained(browser: Browser) -> None:
    seat = Seat(
        build_seat_state(proposals=[{"id": "c" * 32, "text": "fire check", "state": "in", "told": "F †"}])
    )
    with serve_seat(browser, seat):
        wait_for_text(browser, ".became .signs", "† depends on")


def test_a_declaration_is_sent_whole_and_may_change_until_it_is_closed(browser: Browser) -> None:
    seat = Seat(build_seat_state(owes=[], round=build_round("Boris")))
    with serve_seat(browser, seat):
        wait_for_text(browser, ".round .who", "declared: Boris · to come: Anna")
        for ship in ("Mikasa", "Massena"):
            tap(browser, "Fire", within=".round")
            assert browser.evaluate("!document.querySelector('.keys')")
            tap(browser, ship, "light", "Borodino", "Add to my declaration")
        assert seat.proposals == []
        open_play_page(browser, browser.evaluate("location.href.split('#')[0]"))
        tap(browser, "Declare: 2 orders")
        wait_until(browser, lambda: bool(seat.proposals))
        first = seat.proposals[0]
        assert [order["ship"] for order in first["orders"]] == ["mikasa", "massena"]
        assert first["round"] == "1/first-gunnery/1"
        assert "handle" not in first
        wait_for_text(browser, ".round", "You may change it")
        seat.tell(round=build_round("Anna", "Boris"))
        tap(browser, "✕", within=".orders")
        tap(browser, "Declare again: 1 order")
        wait_until(browser, lambda: len(seat.proposals) == 2)
        assert [order["ship"] for order in seat.proposals[1]["orders"]] == ["massena"]
        assert len(set(seat.ids)) == 2
        tap(browser, "✕", within=".orders")
        tap(browser, "Declare again: no orders")
        wait_until(browser, lambda: len(seat.proposals) == 3)
        assert seat.proposals[2]["orders"] == []
        seat.tell(round=None)
        wait_for_text(browser, ".doing", "Orders")
        assert read_text(browser, ".round") == ""


def test_a_closed_declaration_is_listed_order_by_order(browser: Browser) -> None:
    """Guard against a declaration that is sent or shown twice once only its orders are listed."""
    seat = Seat(build_seat_state(owes=[], round=build_round()), lists=False)
    with serve_seat(browser, seat):
        for ship in ("Mikasa", "Massena"):
            tap(browser, "Fire", within=".round")
            tap(browser, ship, "light", "Borodino", "Add to my declaration")
        tap(browser, "Declare: 2 orders")
        wait_until(browser, lambda: bool(seat.ids))
        (id,) = seat.ids
        whole = {"id": id, "text": "Mikasa; Massena", "state": "waiting", "told": ""}
        seat.tell(proposals=[whole])
        wait_for_text(browser, ".became", "Mikasa; Massena")
        browser.evaluate("location.hash = 'table'")
        browser.wait_for("document.querySelector('.table')")
        became = (("0", "Mikasa", "in", "no hit"), ("1", "Massena", "back", "41 not 90"))
        parts = [{"id": f"{id}/{at}", "text": of, "state": is_, "told": why} for at, of, is_, why in became]
        seat.tell(round=None, proposals=parts)
        wait_for_text(browser, "#news.news", "Massena – sent back: 41 not 90")
        browser.evaluate("location.hash = 'play'")
        wait_for_text(browser, ".became .in", "Mikasa")
        wait_for_text(browser, ".became .back", "41 not 90")
        assert browser.evaluate("document.querySelectorAll('.became li').length") == 2
        browser.evaluate("back()")
        assert seat.ids == [id]
        tap(browser, "Again", within=".became")
        chosen = "[...document.querySelectorAll('#form [aria-pressed=true]')].map((one) => one.innerText)"
        assert browser.evaluate(chosen) == ["Massena", "light", "Borodino"]
        tap(browser, "Borodino", "Propose")
        wait_until(browser, lambda: len(seat.ids) == 2)
        assert (seat.proposals[-1]["round"], seat.proposals[-1]["orders"][0]["ship"]) == ("", "massena")


def test_an_earlier_declaration_is_never_sent_after_a_later_one(browser: Browser) -> None:
    seat = Seat(build_seat_state(owes=[], round=build_round()), status=-1)
    with serve_seat(browser, seat):
        tap(browser, "Fire", "Mikasa", "light", "Borodino", "Add to my declaration")
        tap(browser, "Declare: 1 order")
        wait_for_text(browser, ".round", "Kept on this phone")
        tap(browser, "✕", within=".orders")
        tap(browser, "Declare again: no orders")
        seat.posts.clear()
        seat.status = 200
        browser.evaluate("back()")
        wait_until(browser, lambda: bool(seat.state["proposals"]))
        assert [one["orders"] for one in seat.proposals][-1] == []
        assert len(seat.state["proposals"]) == 1


def test_an_unsent_proposal_is_kept_and_sent_later(browser: Browser) -> None:
    """Guard against a proposal lost with the page, or sent again under another id."""
    seat = Seat(build_seat_state(), status=-1)
    with serve_seat(browser, seat) as shown:
        tap(browser, "Throw")
        tap_faces(browser, 5)
        tap(browser, "Propose")
        wait_for_text(browser, ".throws", "kept on this phone")
        wait_for_text(browser, ".became", "sent by itself")
        wait_until(browser, lambda: bool(seat.ids))
        shown.close(True)
        browser.wait_for("document.querySelector('.live.lost')")
        shown.close(False)
        open_play_page(browser, browser.evaluate("location.href.split('#')[0]"))
        wait_for_text(browser, ".became", "sent by itself")
        seat.status = 200
        wait_for_text(browser, ".became .waiting", "waits for the umpire")
        assert len(seat.ids) > 1
        assert len(set(seat.ids)) == 1


def test_a_lost_answer_doubles_no_proposal(browser: Browser) -> None:
    seat = Seat(build_seat_state(), status=0, lists=False)
    with serve_seat(browser, seat):
        tap(browser, "Throw")
        tap_faces(browser, 5)
        tap(browser, "Propose")
        wait_until(browser, lambda: len(seat.ids) > 1)
        assert len(set(seat.ids)) == 1
        seat.lists = True
        wait_for_text(browser, ".became .waiting", "waits for the umpire")
        sent = len(seat.ids)
        seat.status = 200
        browser.evaluate("back()")
        browser.evaluate("new Promise((done) => setTimeout(done, 300))")
        assert len(seat.ids) == sent


def test_a_proposal_that_is_taken_but_not_listed_is_sent_again_when_online(browser: Browser) -> None:
    seat = Seat(build_seat_state(), lists=False)
    with serve_seat(browser, seat):
        tap(browser, "Throw")
        tap_faces(browser, 5)
        tap(browser, "Propose")
        wait_for_text(browser, ".became .sent", "the board has it")
        assert len(seat.ids) == 1
        browser.evaluate("window.dispatchEvent(new Event('online'))")
        wait_until(browser, lambda: len(seat.ids) == 2)
        assert len(set(seat.ids)) == 1


def test_a_waiting_proposal_that_is_no_longer_listed_is_sent_again(browser: Browser) -> None:
    """Guard against a proposal that is lost with a damaged tray because the phone forgot it."""
    seat = Seat(build_seat_state())
    with serve_seat(browser, seat):
        tap(browser, "Throw")
        tap_faces(browser, 3)
        tap(browser, "Propose")
        wait_until(browser, lambda: len(seat.proposals) == 1)
        id = seat.ids[0]
        listed = [{"id": id, "text": "roll 3", "state": "waiting", "told": ""}]
        seat.tell(proposals=listed)
        wait_for_text(browser, ".became", "waits for the umpire")
        seat.tell(proposals=[])
        wait_until(browser, lambda: len(seat.proposals) == 2)
        assert seat.ids == [id, id]
        seat.tell(proposals=[{**listed[0], "state": "in"}])
        wait_for_text(browser, ".became", "in")
        seat.tell(proposals=[])
        browser.evaluate(HALF_A_SECOND)
        assert len(seat.proposals) == 2


def test_a_returned_proposal_can_be_edited_and_proposed_again(browser: Browser) -> None:
    seat = Seat(build_seat_state())
    with serve_seat(browser, seat):
        tap(browser, "Throw")
        tap_faces(browser, 5)
        tap(browser, "Propose")
        wait_until(browser, lambda: bool(seat.state["proposals"]))
        seat.decide("back", "that die fell from the table")
        wait_for_text(browser, ".became .back", "sent back: that die fell from the table")
        tap(browser, "Again")
        tap(browser, "5", within=".faces")
        tap_faces(browser, 6)
        tap(browser, "Propose")
        wait_until(browser, lambda: len(seat.proposals) == 2)
        assert [one["dice"] for one in seat.proposals] == [[5], [6]]
        assert len(set(seat.ids)) == 2


def test_a_refused_proposal_says_why_and_is_not_sent_again(browser: Browser) -> None:
    seat = Seat(build_seat_state(), status=400, why="Mikasa owes nothing of the kind")
    with serve_seat(browser, seat):
        tap(browser, "Throw")
        tap_faces(browser, 5)
        tap(browser, "Propose")
        wait_for_text(browser, ".became .refused", "not taken: Mikasa owes nothing of the kind")
        browser.evaluate("back()")
        browser.evaluate("new Promise((done) => setTimeout(done, 300))")
        assert len(seat.ids) == 1
        assert browser.evaluate(f"Boolean({find_button('Again')})")
        tap(browser, "Drop")
        wait_for_text(browser, ".throws", "Throw")
        assert read_text(browser, ".became") == ""


@pytest.mark.parametrize(
    ("status", "why"), [(404, "accepts nothing"), (429, "too many"), (503, "accepts nothing")]
)
def test_a_proposal_that_the_board_cannot_take_now_is_tried_again(
    browser: Browser, status: int, why: str
) -> None:
    seat = Seat(build_seat_state(), status=status)
    with serve_seat(browser, seat):
        tap(browser, "Throw")
        tap_faces(browser, 5)
        tap(browser, "Propose")
        wait_for_text(browser, ".became .kept", why)
        seat.status = 200
        browser.evaluate("back()")
        wait_for_text(browser, ".became .waiting", "waits for the umpire")
        assert len(set(seat.ids)) == 1


def test_a_browser_without_storage_says_so(browser: Browser) -> None:
    seat = Seat(build_seat_state(), status=-1)
    with serve_seat(browser, seat):
        browser.evaluate("Storage.prototype.setItem = () => { throw new Error(); }; 0")
        tap(browser, "Throw")
        tap_faces(browser, 5)
        tap(browser, "Propose")
        wait_for_text(browser, ".became", "leave the page open")
        seat.status = 200
        browser.evaluate("back()")
        wait_for_text(browser, ".became .waiting", "waits for the umpire")


def test_an_undone_throw_does_not_return_by_itself(browser: Browser) -> None:
    seat = Seat(build_seat_state())
    with serve_seat(browser, seat):
        tap(browser, "Throw")
        tap_faces(browser, 5)
        tap(browser, "Propose")
        wait_until(browser, lambda: bool(seat.state["proposals"]))
        seat.decide("undone")
        wait_for_text(browser, ".became .undone", "does not return by itself")
        assert len(seat.ids) == 1
        assert browser.evaluate(f"Boolean({find_button('Throw', '.throws')})")


def test_a_decision_is_announced_on_every_view(browser: Browser) -> None:
    one = {"id": "c" * 32, "text": "fire check", "state": "waiting", "told": ""}
    seat = Seat(build_seat_state(proposals=[one]))
    with serve_seat(browser, seat):
        browser.evaluate("location.hash = 'table'")
        browser.wait_for("document.querySelector('.table')")
        assert read_text(browser, "nav .many") == "1"
        seat.decide("in", "she burns")
        wait_for_text(browser, "#news.news", "fire check – in: she burns")
