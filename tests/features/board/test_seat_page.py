"""The page of a seat that the test controls: what it asks for, shows and lets a player fill in."""

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest

from qf_tui.features.board.links import compute_device_digest, compute_token, format_device_code, save_links
from tests.browser import Browser, find_browser
from tests.features.board.phone import Phone
from tests.features.board.seat_page import (
    DEVICE,
    HALF_A_SECOND,
    find_button,
    open_play_page,
    press_mouse,
    read_text,
    serve_seat,
    tap,
    tap_faces,
    type_text,
    wait_for_text,
    wait_until,
)
from tests.features.board.seating import (
    CHECK,
    DIE,
    FIRE,
    TOKEN,
    Seat,
    build_round,
    build_seat_state,
    build_slot,
)
from tests.features.board.served import run_board
from tests.features.board.serving import PATH, Shown, serve_page
from tests.features.board.test_page import (
    CONTRAST,
    HOSTILE,
    LAPTOP,
    NO_BROWSER,
    OVER,
    PHONE,
    SMALL,
    open_page,
    play_orders,
)
from tests.features.board.test_seats import open_evening
from tests.features.sealed_dice.club import begin_club

pytestmark = pytest.mark.skipif(find_browser() is None, reason=NO_BROWSER)
SIDEWAYS = (844, 390)
MINE = {"words": [], "dice": [], "remark": "", "round": "", "at": "1/First gunnery"}
"""Fields of every proposal, where a test names no others."""


def test_a_link_without_a_seat_offers_nothing_to_play(browser: Browser) -> None:
    shown = Shown(play_orders().system, play_orders().timeline, "blue")
    with serve_page(shown) as address:
        open_page(browser, f"{address}#play")
        assert browser.evaluate("!document.querySelector('.play, #form[open], [href=\"#play\"]')")
        assert browser.evaluate("place().name") == "side"


def test_a_phone_asks_and_shows_its_number_until_it_is_let_in(browser: Browser) -> None:
    seat = Seat(build_seat_state(device="none"))
    shown = Shown(play_orders().system, play_orders().timeline, "blue", seat=seat, beat=0.5)
    with serve_page(shown) as address:
        open_play_page(browser, address)
        browser.evaluate("localStorage.clear()")
        assert browser.evaluate(f"!({find_button('Throw')}) && !({find_button('Fire')})")
        tap(browser, "Ask the umpire")
        wait_until(browser, lambda: bool(seat.posts))
        path, headers, body = seat.posts[0]
        assert path == "device"
        assert body.keys() == {"token", "device", "stream"}
        assert body["token"] == TOKEN
        assert re.fullmatch("[0-9a-f]{32}", body["device"])
        assert headers["content-type"] == "application/json"
        assert headers["origin"] == address.removesuffix(PATH)
        assert "referer" not in headers
        seat.tell(device="waiting")
        wait_for_text(browser, ".code", "4821")
        assert read_text(browser, ".device").startswith("Waiting to be let in")
        assert "Tell the umpire" in read_text(browser, ".device")
        seat.tell(device="in")
        tap(browser, "Throw")
        tap_faces(browser, 3)
        tap(browser, "Propose")
        wait_until(browser, lambda: bool(seat.proposals))
        assert seat.posts[-1][2]["device"] == body["device"]
        assert len(seat.posts) == 2


@pytest.mark.parametrize("state", ["in", "waiting"])
def test_a_phone_that_never_asked_is_not_the_one_that_was_let_in(browser: Browser, state: str) -> None:
    shown = Shown(
        play_orders().system, play_orders().timeline, "blue", seat=Seat(build_seat_state(device=state))
    )
    with serve_page(shown) as address:
        open_play_page(browser, address)
        assert "Another phone" in read_text(browser, ".device")
        assert browser.evaluate(f"!({find_button('Throw')}) && Boolean({find_button('Ask for this phone')})")


def test_a_second_phone_asks_and_waits(browser: Browser) -> None:
    seat = Seat(build_seat_state(device="other"))
    with serve_seat(browser, seat):
        browser.evaluate("keep((now) => { now.device = ''; }); draw()")
        tap(browser, "Ask for this phone")
        wait_for_text(browser, ".code", "4821")
        assert re.search("Tell the umpire .* Until then another phone", read_text(browser, ".device"))
        assert [path for path, _, _ in seat.posts] == ["device"]


def test_a_throw_is_typed_and_its_result_is_shown(browser: Browser) -> None:
    seat = Seat(build_seat_state())
    with serve_seat(browser, seat):
        tap(browser, "Throw")
        assert "7 or less fires" in read_text(browser, "#form")
        assert browser.evaluate(f"({find_button('Type the dice')}).disabled")
        tap_faces(browser, 11)
        type_text(browser, "remark", "thrown in the open")
        tap(browser, "Propose")
        wait_for_text(browser, ".throws", "with the umpire")
        dice = browser.evaluate("document.querySelector('.throws .dice').getAttribute('aria-label')")
        assert dice == "dice 11"
        assert seat.proposals == [{**MINE, "handle": "9f01", "dice": [11], "remark": "thrown in the open"}]
        seat.decide("in", "she burns")
        seat.tell(owes=[])
        wait_for_text(browser, ".became .in", "in: she burns")
        assert "owe nothing" in read_text(browser, ".throws")
        assert browser.evaluate("kept().box.every((one) => one.state == 'listed')")


def test_each_die_has_keys_for_its_own_faces(browser: Browser) -> None:
    dice = [{"name": "", "least": 0, "most": 9}, {"name": "white", "least": 1, "most": 6}]
    seat = Seat(build_seat_state(owes=[{**CHECK, "dice": dice}]))
    keys = "[...document.querySelectorAll('.keys button')].map((one) => one.textContent).join(' ')"
    with serve_seat(browser, seat):
        assert read_text(browser, ".throws .die") == "d10, white"
        tap(browser, "Throw")
        assert read_text(browser, ".faces") == "d10\nwhite"
        assert browser.evaluate(keys) == "0 1 2 3 4 5 6 7 8 9"
        tap_faces(browser, 0)
        assert browser.evaluate(keys) == "1 2 3 4 5 6"
        tap_faces(browser, 6)
        tap(browser, "0", within=".faces")
        tap_faces(browser, 9)
        tap(browser, "Propose")
        wait_until(browser, lambda: bool(seat.proposals))
        assert seat.proposals[0]["dice"] == [9, 6]


def test_more_dice_may_be_typed_if_the_roll_allows_more(browser: Browser) -> None:
    seat = Seat(build_seat_state(owes=[{**CHECK, "more": True}]))
    with serve_seat(browser, seat):
        tap(browser, "Throw")
        tap_faces(browser, 12, 4, 1)
        tap(browser, "Propose")
        wait_until(browser, lambda: bool(seat.proposals))
        assert seat.proposals[0]["dice"] == [12, 4, 1]


def test_an_order_takes_as_many_dice_as_a_ship_has_guns(browser: Browser) -> None:
    seat = Seat(build_seat_state(owes=[], may=[{**FIRE, "dice": [DIE], "more": True}]))
    with serve_seat(browser, seat):
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino", "Propose")
        wait_until(browser, lambda: len(seat.proposals) == 1)
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino")
        tap_faces(browser, 3, 8, 12)
        tap(browser, "Propose")
        wait_until(browser, lambda: len(seat.proposals) == 2)
        assert [one["dice"] for one in seat.proposals] == [[], [3, 8, 12]]


@pytest.mark.parametrize("dice", ["console", "sealed"])
def test_no_faces_are_taken_if_the_table_does_not_throw(browser: Browser, dice: str) -> None:
    seat = Seat(build_seat_state(dice=dice))
    with serve_seat(browser, seat):
        tap(browser, "Ask for the throw")
        assert browser.evaluate("!document.querySelector('.keys')")
        tap(browser, "Ask for the throw", within="#form")
        wait_until(browser, lambda: bool(seat.proposals))
        assert seat.proposals == [{**MINE, "handle": "9f01"}]


def test_a_long_button_leaves_room_for_the_owed_roll(browser: Browser) -> None:
    seat = Seat(build_seat_state(dice="sealed", owes=[{**CHECK, "ship": "Besposhchadny"}]))
    with serve_seat(browser, seat, SMALL):
        assert browser.evaluate("document.querySelector('.rolls .what').offsetWidth") > 120


def test_an_answer_in_words_is_chosen(browser: Browser) -> None:
    asked = {**CHECK, "dice": [], "words": ["port", "starboard"], "needs": []}
    seat = Seat(build_seat_state(owes=[asked]))
    with serve_seat(browser, seat):
        tap(browser, "Answer", "starboard", "Propose")
        wait_until(browser, lambda: bool(seat.proposals))
        assert seat.proposals == [{**MINE, "handle": "9f01", "words": ["starboard"]}]


def test_a_range_that_is_on_record_is_not_asked_for(browser: Browser) -> None:
    seat = Seat(build_seat_state(owes=[]))
    field = "document.querySelector('#form [data-key=range]').value"
    with serve_seat(browser, seat):
        tap(browser, "Fire", "Mikasa", "heavy")
        assert browser.evaluate(field) == ""
        tap(browser, "Borodino", within="#form")
        assert browser.evaluate(field) == "24in"
        tap(browser, "Boat 21", within="#form")
        assert browser.evaluate(field) == ""
        type_text(browser, "range", "12in")
        tap_faces(browser, 3, 8)
        tap(browser, "Propose")
        wait_until(browser, lambda: bool(seat.proposals))
        slots = {"battery": "heavy", "target": "boat-21", "range": "12in"}
        order = {"word": "fire", "ship": "mikasa", "slots": slots}
        assert seat.proposals == [{**MINE, "orders": [order], "dice": [3, 8]}]
        # Dice may follow an order later.
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino", "Propose")
        wait_until(browser, lambda: len(seat.proposals) == 2)
        assert seat.proposals[1]["dice"] == []
        assert seat.proposals[1]["orders"][0]["slots"]["range"] == "24in"


def test_a_ship_is_offered_her_remaining_guns_and_a_typed_or_named_range(browser: Browser) -> None:
    *others, distance = cast("list[dict[str, Any]]", FIRE["slots"])
    fire = {**FIRE, "slots": [*others, {**distance, "optional": False}]}
    seat = Seat(build_seat_state(owes=[], may=[fire]))
    with serve_seat(browser, seat):
        tap(browser, "Fire", "Massena")
        assert browser.evaluate(f"!({find_button('heavy', '#form')})")
        tap(browser, "light", "Boat 21")
        type_text(browser, "range", "12")
        assert browser.evaluate("!document.querySelector('.keypad')")
        # The first tap only shows the keys for the dice.
        tap(browser, "Propose")
        browser.wait_for("document.querySelector('.keypad')")
        tap(browser, "long", "Propose")
        wait_until(browser, lambda: bool(seat.proposals))
        slots = {"battery": "light", "target": "boat-21", "range": "long"}
        assert seat.proposals[0]["orders"] == [{"word": "fire", "ship": "massena", "slots": slots}]


def test_slots_of_each_kind_are_filled(browser: Browser) -> None:
    slots = [
        build_slot("with", "ships", "mikasa", "massena"),
        {"name": "speed", "title": "way", "kind": "number", "hint": "6", "optional": False},
        {"name": "evade", "title": "evades", "kind": "flag", "optional": True},
    ]
    ships = ["mikasa", "massena"]
    move = {"word": "move", "title": "Move", "ships": ships, "several": True, "slots": slots, "dice": []}
    seat = Seat(build_seat_state(may=[move]))
    with serve_seat(browser, seat):
        tap(browser, "Move", "Mikasa", "Massena", "massena", "mikasa", "evades")
        assert browser.evaluate(f"({find_button('Type: way')}).disabled")
        type_text(browser, "speed", "6")
        tap(browser, "Propose")
        wait_until(browser, lambda: bool(seat.proposals))
        assert seat.proposals[0]["orders"] == [
            {
                "word": "move",
                "ship": "mikasa,massena",
                "slots": {"with": "massena,mikasa", "speed": "6", "evade": "yes"},
            }
        ]


def test_ships_of_one_order_have_shares_of_their_own(browser: Browser) -> None:
    """Guard against a share of a ship that is no longer chosen."""
    slots = [
        {"name": "way", "title": "way", "kind": "number", "hint": "6", "optional": False},
        {"name": "but", "title": "own share", "kind": "shares", "optional": True},
    ]
    ships = ["mikasa", "massena", "borodino"]
    move = {"word": "move", "title": "Move", "ships": ships, "several": True, "slots": slots, "dice": []}
    seat = Seat(build_seat_state(may=[move]))
    with serve_seat(browser, seat):
        tap(browser, "Move", "Mikasa")
        type_text(browser, "way", "6")
        assert browser.evaluate("!document.querySelector('#form details')")
        tap(browser, "Massena", "Borodino")
        browser.evaluate("document.querySelector('#form details').open = true")
        type_text(browser, "but-massena", "4.5in")
        type_text(browser, "but-borodino", "5")
        tap(browser, "Borodino")
        assert browser.evaluate("document.querySelector('#form details').open")
        tap(browser, "Propose")
        wait_until(browser, lambda: bool(seat.proposals))
        sent = {"way": "6", "but": "massena 4.5in"}
        assert seat.proposals[0]["orders"] == [{"word": "move", "ship": "mikasa,massena", "slots": sent}]


def test_a_slow_tap_counts_even_if_the_battle_goes_on_meanwhile(browser: Browser) -> None:
    seat = Seat(build_seat_state(owes=[], round=build_round()))

    def go_on() -> None:
        seat.tell(round=build_round("Boris"), proposals=[])
        browser.evaluate(HALF_A_SECOND)
        assert "declared" not in read_text(browser, ".round .who")

    with serve_seat(browser, seat):
        tap(browser, "Declare: no orders", meanwhile=go_on)
        wait_until(browser, lambda: bool(seat.proposals))
        wait_for_text(browser, ".round .who", "declared: Boris")
        # A thumb that stays down does not stop updates.
        press_mouse(browser, "mousePressed", (5, 5))
        seat.tell(round=build_round("Anna", "Boris"))
        wait_for_text(browser, ".round .who", "declared: Anna, Boris")


def test_a_slow_click_that_leaves_a_field_still_presses_the_button(browser: Browser) -> None:
    seat = Seat(build_seat_state(may=[{**FIRE, "dice": []}]))
    with serve_seat(browser, seat, LAPTOP):
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino")
        type_text(browser, "remark", "in the open")
        tap(
            browser,
            "Propose",
            meanwhile=lambda: browser.evaluate(HALF_A_SECOND),
        )
        wait_until(browser, lambda: bool(seat.proposals))


def test_ships_are_called_by_their_names(browser: Browser) -> None:
    seat = Seat(build_seat_state(owes=[], round=build_round()))
    with serve_seat(browser, seat):
        assert read_text(browser, ".round .forms") == "Fire\nMikasa, Massena"
        tap(browser, "Fire", "Mikasa", "light", "Borodino", "Add to my declaration")
        assert read_text(browser, ".round .orders") == "Fire: Mikasa · light · Borodino · 24in\n✕"


FOCUS = (
    "document.activeElement.dataset.key || document.activeElement.className || document.activeElement.tagName"
)


def press_enter_on(browser: Browser, key: str) -> None:
    """Press Enter on the element with this key."""
    browser.evaluate(f"document.querySelector('[data-key=\"{key}\"]').focus()")
    browser.press("Enter", 13)


def test_the_focus_stays_in_place_as_parts_are_drawn_again(browser: Browser) -> None:
    """Guard against an element that is redrawn or disabled under the focus."""
    seat = Seat(build_seat_state())
    with serve_seat(browser, seat, LAPTOP):
        press_enter_on(browser, "roll 9f01")
        press_enter_on(browser, "face 7")
        assert browser.evaluate(FOCUS) == "propose"
        press_enter_on(browser, "die 0")
        assert browser.evaluate(FOCUS) == "face 1"
        press_enter_on(browser, "face 7")
        browser.press("Enter", 13)
        browser.wait_for(f"!dialog.open && {FOCUS} == 'roll 9f01'")
        wait_until(browser, lambda: bool(seat.proposals))
        seat.decide("back", "cocked")
        wait_for_text(browser, ".became", "cocked")
        assert browser.evaluate(FOCUS) == "roll 9f01"
        # If its element is gone, the focus moves to the start of the page, not of the browser.
        seat.tell(owes=[])
        wait_for_text(browser, ".throws", "owe nothing")
        assert browser.evaluate("document.activeElement.id") == "main"


def test_a_form_that_is_no_longer_asked_for_keeps_the_focus(browser: Browser) -> None:
    seat = Seat(build_seat_state())
    with serve_seat(browser, seat, LAPTOP):
        press_enter_on(browser, "roll 9f01")
        browser.evaluate("keyed('face 3').focus()")
        seat.tell(owes=[], may=[])
        wait_for_text(browser, "#form", "no longer asked")
        assert browser.evaluate(FOCUS) == "title"
        browser.press("Escape", 27)
        browser.wait_for("!dialog.open && document.activeElement.id == 'main'")


def test_the_umpire_s_remarks_are_on_the_play_page(browser: Browser) -> None:
    with serve_seat(browser, Seat(build_seat_state())) as shown:
        assert read_text(browser, ".play .remarks") == ""
        remarks = [f"note all: word {number}" for number in range(5)]
        shown.show(play_orders(*remarks, f"note blue: {HOSTILE}", "note red: secret").timeline)
        wait_for_text(browser, ".play .remarks", HOSTILE)
        assert read_text(browser, ".play .remarks") == f"From the umpire\nword 3\nword 4\n{HOSTILE}"
        assert browser.evaluate("document.querySelectorAll('.play img').length") == 0


def test_a_player_without_a_ship_sees_that(browser: Browser) -> None:
    with serve_seat(browser, Seat(build_seat_state(owes=[], may=[], ships=[]))):
        assert read_text(browser, ".throws") == "None of your ships is in the battle now."


def test_a_form_stays_as_the_battle_goes_on(browser: Browser) -> None:
    """Guard against letters, a caret or faces that are lost as an entry comes."""
    seat = Seat(build_seat_state())
    field = "document.activeElement"
    with serve_seat(browser, seat) as shown:
        tap(browser, "Fire", "Mikasa", "heavy", "Boat 21")
        tap_faces(browser, 3)
        type_text(browser, "range", "12in")
        browser.evaluate(f"{field}.setSelectionRange(1, 1)")
        shown.send_again()
        seat.tell(turn=2, may=[{**FIRE, "title": "Fire anew"}])
        wait_for_text(browser, "#form h2", "Fire anew")
        assert browser.evaluate(f"[{field}.dataset.key, {field}.value, {field}.selectionStart]") == [
            "range",
            "12in",
            1,
        ]
        assert read_text(browser, ".faces li button") == "3"
        open_play_page(browser, browser.evaluate("location.href.split('#')[0]"))
        tap(browser, "Fire", within=".doing")
        assert browser.evaluate("document.querySelector('#form [data-key=range]').value") == "12in"
        seat.tell(may=[])
        wait_for_text(browser, "#form", "no longer asked")
        assert browser.evaluate(f"!({find_button('Propose', '#form')})")


def test_a_tap_meant_for_one_thing_does_not_land_on_another(browser: Browser) -> None:
    """Guard against unchanged parts that are redrawn under the thumb."""
    seat = Seat(build_seat_state())
    with serve_seat(browser, seat) as shown:
        browser.evaluate("document.querySelector('.throws button').dataset.same = 'yes'")
        shown.send_again()
        seat.tell(proposals=[{"id": "c" * 32, "text": "one", "state": "in", "told": ""}])
        wait_for_text(browser, ".became", "one")
        assert browser.evaluate("document.querySelector('.throws button').dataset.same") == "yes"


def test_names_on_a_seat_are_text(browser: Browser) -> None:
    one = {"id": "c" * 32, "text": HOSTILE, "state": "back", "told": HOSTILE}
    slots = [build_slot(HOSTILE, "choice", HOSTILE), build_slot("r", "text")]
    seat = Seat(
        build_seat_state(
            player=HOSTILE,
            phase=HOSTILE,
            code=HOSTILE,
            owes=[{**CHECK, "ship": HOSTILE, "text": HOSTILE, "needs": [HOSTILE], "words": [HOSTILE]}],
            may=[{**FIRE, "title": HOSTILE, "slots": slots}],
            round={**build_round(HOSTILE), "phase": HOSTILE},
            proposals=[one],
        )
    )
    with serve_seat(browser, seat):
        made = "document.querySelectorAll('img, .play b b, #form b b').length"
        assert HOSTILE in read_text(browser, ".play")
        assert browser.evaluate(OVER) <= 0
        tap(browser, "Throw")
        wait_for_text(browser, "#form", HOSTILE)
        tap(browser, "✕", within="#form")
        tap(browser, HOSTILE, within=".round")
        wait_for_text(browser, "#form", HOSTILE)
        assert browser.evaluate(made) == 0
        seat.tell(device="waiting")
        wait_for_text(browser, ".code", HOSTILE)
        assert browser.evaluate(made) == 0
        assert browser.evaluate("document.title") == "A battle"


SMALL_TARGETS = """
[...document.querySelectorAll("nav a, .choice a, .play button, #form button, #form input")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.getBoundingClientRect(), one.innerText || one.dataset.key])
  .filter(([box]) => box.width < 43.9 || box.height < 43.9).map(([, name]) => name)
"""
NAMELESS = """
[...document.querySelectorAll(".play button, #form button, #form input")]
  .filter((one) => one.checkVisibility() && !(one.innerText || one.ariaLabel || one.labels?.length))
"""
FULL: dict[str, Any] = {
    "owes": [CHECK, {**CHECK, "handle": "9f02", "dice": [], "words": ["port", "starboard"]}],
    "proposals": [
        {"id": str(number) * 32, "text": "Mikasa heavy at Borodino, 24in · 3 8", "state": state, "told": "2"}
        for number, state in enumerate(("waiting", "in", "back", "undone"))
    ],
}


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, LAPTOP, SMALL], ids=str)
def test_every_scene_fits_and_can_be_read_and_tapped(browser: Browser, size: tuple[int, int]) -> None:
    """Guard against overflow, a contrast below 4.5 to 1, and targets smaller than a thumb."""
    seat = Seat(build_seat_state(**FULL))
    with serve_seat(browser, seat, size):
        for scene in ("device", "round", "throw", "order"):
            seat.tell(
                device="waiting" if scene == "device" else "in",
                round=build_round("Boris") if scene == "round" else None,
            )
            waiting, declaring = json.dumps(scene == "device"), json.dumps(scene == "round")
            browser.wait_for(
                f"(device() == 'waiting') == {waiting} && Boolean(play.seat.round) == {declaring}"
            )
            if scene in ("throw", "order"):
                tap(browser, {"throw": "Throw", "order": "Fire"}[scene])
                assert browser.evaluate(
                    "(() => { const box = document.querySelector('#form').getBoundingClientRect();"
                    "const last = document.querySelector('#form .propose').getBoundingClientRect().bottom;"
                    "return box.top >= 0 && last <= innerHeight && box.right <= innerWidth + 1; })()"
                )
            for dark in (False, True):
                browser.set_size(*size, dark=dark)
                assert browser.evaluate(CONTRAST) == []
            assert browser.evaluate(OVER) <= 0
            assert browser.evaluate(SMALL_TARGETS) == []
            assert browser.evaluate(NAMELESS) == []
            browser.evaluate("closeForm()")


def test_the_page_says_that_others_can_read_and_forge(browser: Browser) -> None:
    with serve_seat(browser, Seat(build_seat_state())):
        assert "plain HTTP" in read_text(browser, ".plain")


def test_a_throw_of_sealed_dice_is_asked_for_at_a_board(browser: Browser, tmp_path: Path) -> None:
    """Guard against a board that omits the dice because it throws none itself."""
    session = begin_club(tmp_path / "sealed.qfb")
    session.enter("next")
    session.enter("fire iwate heavy rossiya medium")
    (owed,) = session.battle.owed
    with run_board(tmp_path / "sealed.qfb", "--propose") as board:
        links = board.links.add_seats(session.battle)
        seat = next(seat for seat in links.seats if owed.ship in links.list_ships(seat, session.battle))
        save_links(board.save, links.let_device_in(seat.id, compute_device_digest(DEVICE)))
        open_play_page(browser, f"http://{board.host}/{seat.secret}/")
        browser.evaluate(f"keep((now) => {{ now.device = '{DEVICE}'; }}); draw()")
        tap(browser, "Ask for the throw")
        assert "The dice are sealed" in read_text(browser, "#form")
        tap(browser, "Ask for the throw", within="#form")
        wait_for_text(browser, ".throws", "the throw is asked for · with the umpire")
        wait_for_text(browser, ".became", "waits for the umpire")
        browser.open("about:blank")
    session.close()


def test_a_phone_that_comes_back_to_its_board_is_known_again(browser: Browser, tmp_path: Path) -> None:
    """Reload before and after the phone is let in: it shows its own code and continues."""
    with open_evening(tmp_path) as evening, run_board(evening.save, "--propose") as board:
        evening.hub.close()
        seat = board.links.seats[0]
        save_links(board.save, board.links.let_device_in(seat.id, ""))
        address = f"http://{board.host}/{seat.secret}/"
        open_play_page(browser, address)
        tap(browser, "Ask the umpire")
        browser.wait_for("document.querySelector('.code')?.innerText")
        code = read_text(browser, ".code")
        # Another phone asks by the same link meanwhile.
        assert Phone(board, seat.id).ask().status == 204
        open_play_page(browser, address)
        wait_for_text(browser, ".code", code)
        evening.tray.look()
        (own, other) = evening.tray.state.list_devices(seat.id, compute_token(seat.secret))
        assert [format_device_code(own), code] == [code, format_device_code(own)]
        save_links(board.save, board.links.let_device_in(seat.id, own))
        tap(browser, "Fire")
        open_play_page(browser, address)
        tap(browser, "Fire")
        save_links(board.save, board.links.let_device_in(seat.id, other))
        wait_for_text(browser, ".device", "another phone uses this link")
        assert read_text(browser, ".code") == code
        browser.open("about:blank")
