"""The part of the page from which a player declares and throws, before a seat that the test plays."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from qf_tui.features.board.links import compute_device_digest, compute_token, format_device_code, save_links
from qf_tui.features.board.values import BoardSwitch
from tests.browser import Browser, find_browser
from tests.features.board.phone import Phone
from tests.features.board.seating import CHECK, DIE, FIRE, TOKEN, Seat, choice_slot, open_round, told
from tests.features.board.served import served
from tests.features.board.serving import PATH, Shown, serving
from tests.features.board.test_page import (
    CONTRAST,
    HOSTILE,
    LAPTOP,
    NO_BROWSER,
    OVER,
    PHONE,
    SMALL,
    faults,
    opens,
    played,
)
from tests.features.board.test_seats import began
from tests.features.sealed_dice.club import club

pytestmark = pytest.mark.skipif(find_browser() is None, reason=NO_BROWSER)
SIDEWAYS = (844, 390)
DEVICE = "ab" * 16
MINE = {"words": [], "dice": [], "remark": "", "round": "", "at": "1/First gunnery"}
"""What every proposal says, but for what it says otherwise."""
HALF_A_SECOND = "new Promise((done) => setTimeout(done, 500))"


@contextmanager
def seated(browser: Browser, seat: Seat, size: tuple[int, int] = PHONE) -> Iterator[Shown]:
    """The page of a seat, whose phone has asked before."""
    shown = Shown(played().system, played().timeline, "blue", seat=seat, beat=0.5)
    with serving(shown) as address:
        opens_at(browser, address, size)
        browser.evaluate(f"keep((now) => {{ now.device = '{DEVICE}'; }}); draw()")
        yield shown
        assert faults(browser, address) == []
        browser.open("about:blank")


def opens_at(browser: Browser, address: str, size: tuple[int, int] = PHONE) -> None:
    def opens_page() -> None:
        browser.open("about:blank")
        browser.events.clear()
        browser.set_size(*size)
        browser.open(f"{address}#play")
        browser.wait_for("document.querySelector('.play h2')")

    opens_page()
    browser.ensure_drawing(opens_page)


def button(words: str, within: str = "body") -> str:
    """The button in sight that begins with these words, by a script."""
    buttons = f"[...document.querySelectorAll({json.dumps(within + ' button')})]"
    return f"{buttons}.find((one) => one.innerText.startsWith({json.dumps(words)}) && one.checkVisibility())"


def lies(one: str) -> str:
    """Where the middle of a button is that may be pressed, brought into sight, once nothing waits."""
    return (
        f"((one) => {{ if (!one || one.disabled || thumb.timer) return null;"
        "one.scrollIntoView({block: 'center'}); const box = one.getBoundingClientRect();"
        f"return [box.x + box.width / 2, box.y + box.height / 2]; }})({one})"
    )


def mouse(browser: Browser, kind: str, at: Sequence[float]) -> None:
    browser.send("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)


def tap(
    browser: Browser, *words: str, within: str = "body", meanwhile: Callable[[], None] = lambda: None
) -> None:
    """Taps the buttons that begin with these words, as a thumb does: on what lies there."""
    for each in words:
        at = browser.wait_for(lies(button(each, within)))
        mouse(browser, "mousePressed", at)
        meanwhile()
        mouse(browser, "mouseReleased", at)


def faces(browser: Browser, *typed: int) -> None:
    tap(browser, *map(str, typed), within=".keys")


def typed(browser: Browser, key: str, text: str) -> None:
    """Types into a field of the form, after what is selected of it."""
    browser.evaluate(f"document.querySelector('#form input[data-key={key}]').select()")
    browser.evaluate(f"document.querySelector('#form input[data-key={key}]').focus()")
    browser.send("Input.insertText", text=text)


def text(browser: Browser, selector: str) -> str:
    return str(browser.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText || ''"))


def until(browser: Browser, selector: str, words: str) -> None:
    """Waits until something says these words."""
    browser.wait_for(
        f"document.querySelector({json.dumps(selector)})?.innerText.includes({json.dumps(words)})"
    )


def come(browser: Browser, condition: Callable[[], bool]) -> None:
    """Waits until something holds of what was posted."""
    for _ in range(400):
        if condition():
            return
        browser.evaluate("new Promise((done) => setTimeout(done, 25))")
    raise AssertionError(text(browser, "main"))


def test_a_link_without_a_seat_has_nothing_to_play_with(browser: Browser) -> None:
    shown = Shown(played().system, played().timeline, "blue")
    with serving(shown) as address:
        opens(browser, f"{address}#play")
        assert browser.evaluate("!document.querySelector('.play, #form[open], [href=\"#play\"]')")
        assert browser.evaluate("place().name") == "side"


def test_a_phone_asks_and_shows_its_number_until_it_is_let_in(browser: Browser) -> None:
    seat = Seat(told(device="none"))
    shown = Shown(played().system, played().timeline, "blue", seat=seat, beat=0.5)
    with serving(shown) as address:
        opens_at(browser, address)
        browser.evaluate("localStorage.clear()")
        assert browser.evaluate(f"!({button('Throw')}) && !({button('Fire')})")
        tap(browser, "Ask the umpire")
        come(browser, lambda: bool(seat.posts))
        path, headers, body = seat.posts[0]
        assert path == "device"
        assert body.keys() == {"token", "device", "stream"}
        assert body["token"] == TOKEN
        assert re.fullmatch("[0-9a-f]{32}", body["device"])
        assert headers["content-type"] == "application/json"
        assert headers["origin"] == address.removesuffix(PATH)
        assert "referer" not in headers
        seat.tell(device="waiting")
        until(browser, ".code", "4821")
        assert text(browser, ".device").startswith("Waiting to be let in")
        assert "Tell the umpire" in text(browser, ".device")
        seat.tell(device="in")
        tap(browser, "Throw")
        faces(browser, 3)
        tap(browser, "Propose")
        come(browser, lambda: bool(seat.proposals))
        assert seat.posts[-1][2]["device"] == body["device"]
        assert len(seat.posts) == 2


@pytest.mark.parametrize("state", ["in", "waiting"])
def test_a_phone_that_never_asked_is_not_the_one_that_was_let_in(browser: Browser, state: str) -> None:
    shown = Shown(played().system, played().timeline, "blue", seat=Seat(told(device=state)))
    with serving(shown) as address:
        opens_at(browser, address)
        assert "Another phone" in text(browser, ".device")
        assert browser.evaluate(f"!({button('Throw')}) && Boolean({button('Ask for this phone')})")


def test_a_second_phone_asks_and_waits(browser: Browser) -> None:
    seat = Seat(told(device="other"))
    with seated(browser, seat):
        browser.evaluate("keep((now) => { now.device = ''; }); draw()")
        tap(browser, "Ask for this phone")
        until(browser, ".code", "4821")
        assert re.search("Tell the umpire .* Until then another phone", text(browser, ".device"))
        assert [path for path, _, _ in seat.posts] == ["device"]


def test_faces_are_typed_and_what_became_of_them_is_told(browser: Browser) -> None:
    seat = Seat(told())
    with seated(browser, seat):
        tap(browser, "Throw")
        assert "7 or less fires" in text(browser, "#form")
        assert browser.evaluate(f"({button('Type the dice')}).disabled")
        faces(browser, 11)
        typed(browser, "remark", "thrown in the open")
        tap(browser, "Propose")
        until(browser, ".throws", "with the umpire")
        dice = browser.evaluate("document.querySelector('.throws .dice').getAttribute('aria-label')")
        assert dice == "dice 11"
        assert seat.proposals == [{**MINE, "handle": "9f01", "dice": [11], "remark": "thrown in the open"}]
        seat.became("in", "she burns")
        seat.tell(owes=[])
        until(browser, ".became .in", "in: she burns")
        assert "owe nothing" in text(browser, ".throws")
        assert browser.evaluate("kept().box.every((one) => one.state == 'listed')")


def test_each_die_has_keys_for_its_own_faces(browser: Browser) -> None:
    dice = [{"name": "", "least": 0, "most": 9}, {"name": "white", "least": 1, "most": 6}]
    seat = Seat(told(owes=[{**CHECK, "dice": dice}]))
    keys = "[...document.querySelectorAll('.keys button')].map((one) => one.textContent).join(' ')"
    with seated(browser, seat):
        assert text(browser, ".throws .die") == "d10, white"
        tap(browser, "Throw")
        assert text(browser, ".faces") == "d10\nwhite"
        assert browser.evaluate(keys) == "0 1 2 3 4 5 6 7 8 9"
        faces(browser, 0)
        assert browser.evaluate(keys) == "1 2 3 4 5 6"
        faces(browser, 6)
        tap(browser, "0", within=".faces")
        faces(browser, 9)
        tap(browser, "Propose")
        come(browser, lambda: bool(seat.proposals))
        assert seat.proposals[0]["dice"] == [9, 6]


def test_more_dice_may_be_typed_where_there_may_be_more(browser: Browser) -> None:
    seat = Seat(told(owes=[{**CHECK, "more": True}]))
    with seated(browser, seat):
        tap(browser, "Throw")
        faces(browser, 12, 4, 1)
        tap(browser, "Propose")
        come(browser, lambda: bool(seat.proposals))
        assert seat.proposals[0]["dice"] == [12, 4, 1]


def test_an_order_takes_as_many_dice_as_a_ship_has_guns(browser: Browser) -> None:
    seat = Seat(told(owes=[], may=[{**FIRE, "dice": [DIE], "more": True}]))
    with seated(browser, seat):
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino", "Propose")
        come(browser, lambda: len(seat.proposals) == 1)
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino")
        faces(browser, 3, 8, 12)
        tap(browser, "Propose")
        come(browser, lambda: len(seat.proposals) == 2)
        assert [one["dice"] for one in seat.proposals] == [[], [3, 8, 12]]


@pytest.mark.parametrize("dice", ["console", "sealed"])
def test_faces_are_not_taken_where_the_table_does_not_throw(browser: Browser, dice: str) -> None:
    seat = Seat(told(dice=dice))
    with seated(browser, seat):
        tap(browser, "Ask for the throw")
        assert browser.evaluate("!document.querySelector('.keys')")
        tap(browser, "Ask for the throw", within="#form")
        come(browser, lambda: bool(seat.proposals))
        assert seat.proposals == [{**MINE, "handle": "9f01"}]


def test_a_long_button_leaves_room_for_what_is_owed(browser: Browser) -> None:
    seat = Seat(told(dice="sealed", owes=[{**CHECK, "ship": "Besposhchadny"}]))
    with seated(browser, seat, SMALL):
        assert browser.evaluate("document.querySelector('.rolls .what').offsetWidth") > 120


def test_an_answer_in_words_is_chosen(browser: Browser) -> None:
    asked = {**CHECK, "dice": [], "words": ["port", "starboard"], "needs": []}
    seat = Seat(told(owes=[asked]))
    with seated(browser, seat):
        tap(browser, "Answer", "starboard", "Propose")
        come(browser, lambda: bool(seat.proposals))
        assert seat.proposals == [{**MINE, "handle": "9f01", "words": ["starboard"]}]


def test_a_range_that_is_on_record_is_not_asked_for(browser: Browser) -> None:
    seat = Seat(told(owes=[]))
    field = "document.querySelector('#form [data-key=range]').value"
    with seated(browser, seat):
        tap(browser, "Fire", "Mikasa", "heavy")
        assert browser.evaluate(field) == ""
        tap(browser, "Borodino", within="#form")
        assert browser.evaluate(field) == "24in"
        tap(browser, "Boat 21", within="#form")
        assert browser.evaluate(field) == ""
        typed(browser, "range", "12in")
        faces(browser, 3, 8)
        tap(browser, "Propose")
        come(browser, lambda: bool(seat.proposals))
        slots = {"battery": "heavy", "target": "boat-21", "range": "12in"}
        order = {"word": "fire", "ship": "mikasa", "slots": slots}
        assert seat.proposals == [{**MINE, "orders": [order], "dice": [3, 8]}]
        # The dice of an order may be thrown later.
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino", "Propose")
        come(browser, lambda: len(seat.proposals) == 2)
        assert seat.proposals[1]["dice"] == []
        assert seat.proposals[1]["orders"][0]["slots"]["range"] == "24in"


def test_a_ship_is_offered_what_she_has_left_and_a_range_typed_or_named(browser: Browser) -> None:
    *others, distance = cast("list[dict[str, Any]]", FIRE["slots"])
    fire = {**FIRE, "slots": [*others, {**distance, "optional": False}]}
    seat = Seat(told(owes=[], may=[fire]))
    with seated(browser, seat):
        tap(browser, "Fire", "Massena")
        assert browser.evaluate(f"!({button('heavy', '#form')})")
        tap(browser, "light", "Boat 21")
        typed(browser, "range", "12")
        assert browser.evaluate("!document.querySelector('.keypad')")
        # Nothing goes without the dice before their keys were there.
        tap(browser, "Propose")
        browser.wait_for("document.querySelector('.keypad')")
        tap(browser, "long", "Propose")
        come(browser, lambda: bool(seat.proposals))
        slots = {"battery": "light", "target": "boat-21", "range": "long"}
        assert seat.proposals[0]["orders"] == [{"word": "fire", "ship": "massena", "slots": slots}]


def test_slots_of_each_kind_are_filled(browser: Browser) -> None:
    slots = [
        choice_slot("with", "ships", "mikasa", "massena"),
        {"name": "speed", "title": "way", "kind": "number", "hint": "6", "optional": False},
        {"name": "evade", "title": "evades", "kind": "flag", "optional": True},
    ]
    ships = ["mikasa", "massena"]
    move = {"word": "move", "title": "Move", "ships": ships, "several": True, "slots": slots, "dice": []}
    seat = Seat(told(may=[move]))
    with seated(browser, seat):
        tap(browser, "Move", "Mikasa", "Massena", "massena", "mikasa", "evades")
        assert browser.evaluate(f"({button('Type: way')}).disabled")
        typed(browser, "speed", "6")
        tap(browser, "Propose")
        come(browser, lambda: bool(seat.proposals))
        assert seat.proposals[0]["orders"] == [
            {
                "word": "move",
                "ship": "mikasa,massena",
                "slots": {"with": "massena,mikasa", "speed": "6", "evade": "yes"},
            }
        ]


def test_ships_of_one_order_have_shares_of_their_own(browser: Browser) -> None:
    """Catches a share of a ship that is chosen no more."""
    slots = [
        {"name": "way", "title": "way", "kind": "number", "hint": "6", "optional": False},
        {"name": "but", "title": "own share", "kind": "shares", "optional": True},
    ]
    ships = ["mikasa", "massena", "borodino"]
    move = {"word": "move", "title": "Move", "ships": ships, "several": True, "slots": slots, "dice": []}
    seat = Seat(told(may=[move]))
    with seated(browser, seat):
        tap(browser, "Move", "Mikasa")
        typed(browser, "way", "6")
        assert browser.evaluate("!document.querySelector('#form details')")
        tap(browser, "Massena", "Borodino")
        browser.evaluate("document.querySelector('#form details').open = true")
        typed(browser, "but-massena", "4.5in")
        typed(browser, "but-borodino", "5")
        tap(browser, "Borodino")
        assert browser.evaluate("document.querySelector('#form details').open")
        tap(browser, "Propose")
        come(browser, lambda: bool(seat.proposals))
        sent = {"way": "6", "but": "massena 4.5in"}
        assert seat.proposals[0]["orders"] == [{"word": "move", "ship": "mikasa,massena", "slots": sent}]


def test_a_slow_tap_is_a_tap_though_the_battle_goes_on_under_it(browser: Browser) -> None:
    seat = Seat(told(owes=[], round=open_round()))

    def goes_on() -> None:
        seat.tell(round=open_round("Boris"), proposals=[])
        browser.evaluate(HALF_A_SECOND)
        assert "declared" not in text(browser, ".round .who")

    with seated(browser, seat):
        tap(browser, "Declare: no orders", meanwhile=goes_on)
        come(browser, lambda: bool(seat.proposals))
        until(browser, ".round .who", "declared: Boris")
        # A thumb that stays does not hold the battle up.
        mouse(browser, "mousePressed", (5, 5))
        seat.tell(round=open_round("Anna", "Boris"))
        until(browser, ".round .who", "declared: Anna, Boris")


def test_who_leaves_a_field_by_a_slow_click_on_a_button_presses_it(browser: Browser) -> None:
    seat = Seat(told(may=[{**FIRE, "dice": []}]))
    with seated(browser, seat, LAPTOP):
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino")
        typed(browser, "remark", "in the open")
        tap(
            browser,
            "Propose",
            meanwhile=lambda: browser.evaluate(HALF_A_SECOND),
        )
        come(browser, lambda: bool(seat.proposals))


def test_ships_are_called_by_their_names(browser: Browser) -> None:
    seat = Seat(told(owes=[], round=open_round()))
    with seated(browser, seat):
        assert text(browser, ".round .forms") == "Fire\nMikasa, Massena"
        tap(browser, "Fire", "Mikasa", "light", "Borodino", "Add to my declaration")
        assert text(browser, ".round .orders") == "Fire: Mikasa · light · Borodino · 24in\n✕"


FOCUS = (
    "document.activeElement.dataset.key || document.activeElement.className || document.activeElement.tagName"
)


def by_key(browser: Browser, key: str) -> None:
    """Presses Enter on what has a key of its own."""
    browser.evaluate(f"document.querySelector('[data-key=\"{key}\"]').focus()")
    browser.press("Enter", 13)


def test_who_goes_by_keys_stays_where_he_was(browser: Browser) -> None:
    """Catches what is drawn anew, or takes nothing more, under the focus."""
    seat = Seat(told())
    with seated(browser, seat, LAPTOP):
        by_key(browser, "roll 9f01")
        by_key(browser, "face 7")
        assert browser.evaluate(FOCUS) == "propose"
        by_key(browser, "die 0")
        assert browser.evaluate(FOCUS) == "face 1"
        by_key(browser, "face 7")
        browser.press("Enter", 13)
        browser.wait_for(f"!dialog.open && {FOCUS} == 'roll 9f01'")
        come(browser, lambda: bool(seat.proposals))
        seat.became("back", "cocked")
        until(browser, ".became", "cocked")
        assert browser.evaluate(FOCUS) == "roll 9f01"
        # What is there no more leaves him at the beginning, not at the browser's own.
        seat.tell(owes=[])
        until(browser, ".throws", "owe nothing")
        assert browser.evaluate("document.activeElement.id") == "main"


def test_a_form_that_is_asked_no_more_keeps_the_focus(browser: Browser) -> None:
    seat = Seat(told())
    with seated(browser, seat, LAPTOP):
        by_key(browser, "roll 9f01")
        browser.evaluate("keyed('face 3').focus()")
        seat.tell(owes=[], may=[])
        until(browser, "#form", "asked no more")
        assert browser.evaluate(FOCUS) == "title"
        browser.press("Escape", 27)
        browser.wait_for("!dialog.open && document.activeElement.id == 'main'")


def test_what_is_asked_no_more_is_not_offered_again(browser: Browser) -> None:
    """Catches a button that leads to a form of nothing, or to what declarations do not take."""
    seat = Seat(told(owes=[]))
    with seated(browser, seat):
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino", "Propose")
        come(browser, lambda: bool(seat.told["proposals"]))
        seat.became("back", "too far")
        browser.wait_for(button("Again"))
        seat.tell(round=open_round())
        until(browser, ".round", "Declare")
        assert browser.evaluate(f"!({button('Again')})")
        seat.tell(round=None)
        browser.wait_for(button("Again"))
        seat.tell(may=[])
        browser.wait_for(f"!({button('Again')})")
        assert "too far" in text(browser, ".became")


def test_what_was_not_taken_makes_room_for_what_comes_in_its_place(browser: Browser) -> None:
    seat = Seat(told(owes=[]), status=400, why="she is out of range")
    with seated(browser, seat):
        tap(browser, "Fire", "Mikasa", "heavy", "Borodino", "Propose")
        until(browser, ".became .refused", "out of range")
        seat.status = 200
        tap(browser, "Again", "heavy", "light", "Propose")
        until(browser, ".became", "waits for the umpire")
        assert "out of range" not in text(browser, ".became")


def test_the_heading_counts_what_waits_for_the_player_alone(browser: Browser) -> None:
    """Catches a call for what only the umpire decides, and none for what was not taken."""
    umpires = {**CHECK, "handle": "9f02", "dice": [], "needs": []}
    seat = Seat(told(owes=[umpires], round=open_round()), status=400, why="no such range")
    with seated(browser, seat):
        assert text(browser, "nav .many") == "1"
        tap(browser, "Declare: no orders")
        until(browser, ".round", "no such range")
        seat.tell(round=open_round("Boris"))
        until(browser, ".round .who", "Boris")
        assert text(browser, "nav .many") == "1"
        seat.status = -1
        tap(browser, "Drop", "Declare: no orders")
        browser.wait_for("!document.querySelector('nav .many')")


def test_what_is_told_as_the_phase_ends_does_not_seem_to_wait(browser: Browser) -> None:
    one = {"id": "c" * 32, "text": "fire check", "state": "waiting", "told": ""}
    seat = Seat(told(proposals=[one]))
    with seated(browser, seat) as shown:
        until(browser, ".became", "waits for the umpire")
        shown.switch = BoardSwitch.PHASE_END
        shown.tell()
        until(browser, ".became", "it is told as the phase ends")


def test_the_umpire_s_words_stand_where_a_player_looks(browser: Browser) -> None:
    with seated(browser, Seat(told())) as shown:
        assert text(browser, ".play .remarks") == ""
        remarks = [f"note all: word {number}" for number in range(5)]
        shown.show(played(*remarks, f"note blue: {HOSTILE}", "note red: secret").timeline)
        until(browser, ".play .remarks", HOSTILE)
        assert text(browser, ".play .remarks") == f"From the umpire\nword 3\nword 4\n{HOSTILE}"
        assert browser.evaluate("document.querySelectorAll('.play img').length") == 0


def test_who_has_no_ship_yet_is_told_so(browser: Browser) -> None:
    with seated(browser, Seat(told(owes=[], may=[], ships=[]))):
        assert text(browser, ".throws") == "None of your ships is in the battle now."


def test_a_dagger_of_what_was_proposed_is_explained(browser: Browser) -> None:
    seat = Seat(told(proposals=[{"id": "c" * 32, "text": "fire check", "state": "in", "told": "F †"}]))
    with seated(browser, seat):
        until(browser, ".became .signs", "† rests on")


def test_declarations_go_as_one_and_may_be_changed_until_they_are_closed(browser: Browser) -> None:
    seat = Seat(told(owes=[], round=open_round("Boris")))
    with seated(browser, seat):
        until(browser, ".round .who", "declared: Boris · to come: Anna")
        for ship in ("Mikasa", "Massena"):
            tap(browser, "Fire", within=".round")
            assert browser.evaluate("!document.querySelector('.keys')")
            tap(browser, ship, "light", "Borodino", "Add to my declaration")
        assert seat.proposals == []
        opens_at(browser, browser.evaluate("location.href.split('#')[0]"))
        tap(browser, "Declare: 2 orders")
        come(browser, lambda: bool(seat.proposals))
        first = seat.proposals[0]
        assert [order["ship"] for order in first["orders"]] == ["mikasa", "massena"]
        assert first["round"] == "1/first-gunnery/1"
        assert "handle" not in first
        until(browser, ".round", "You may change it")
        seat.tell(round=open_round("Anna", "Boris"))
        tap(browser, "✕", within=".orders")
        tap(browser, "Declare anew: 1 order")
        come(browser, lambda: len(seat.proposals) == 2)
        assert [order["ship"] for order in seat.proposals[1]["orders"]] == ["massena"]
        assert len(set(seat.ids)) == 2
        tap(browser, "✕", within=".orders")
        tap(browser, "Declare anew: no orders")
        come(browser, lambda: len(seat.proposals) == 3)
        assert seat.proposals[2]["orders"] == []
        seat.tell(round=None)
        until(browser, ".doing", "Orders")
        assert text(browser, ".round") == ""


def test_the_orders_of_a_declaration_are_listed_one_by_one_once_it_is_closed(browser: Browser) -> None:
    """Catches a declaration that is sent again, or shown twice, because only its orders are listed."""
    seat = Seat(told(owes=[], round=open_round()), lists=False)
    with seated(browser, seat):
        for ship in ("Mikasa", "Massena"):
            tap(browser, "Fire", within=".round")
            tap(browser, ship, "light", "Borodino", "Add to my declaration")
        tap(browser, "Declare: 2 orders")
        come(browser, lambda: bool(seat.ids))
        (id,) = seat.ids
        whole = {"id": id, "text": "Mikasa; Massena", "state": "waiting", "told": ""}
        seat.tell(proposals=[whole])
        until(browser, ".became", "Mikasa; Massena")
        browser.evaluate("location.hash = 'table'")
        browser.wait_for("document.querySelector('.table')")
        became = (("0", "Mikasa", "in", "no hit"), ("1", "Massena", "back", "41 not 90"))
        parts = [{"id": f"{id}/{at}", "text": of, "state": is_, "told": why} for at, of, is_, why in became]
        seat.tell(round=None, proposals=parts)
        until(browser, "#news.news", "Massena – sent back: 41 not 90")
        browser.evaluate("location.hash = 'play'")
        until(browser, ".became .in", "Mikasa")
        until(browser, ".became .back", "41 not 90")
        assert browser.evaluate("document.querySelectorAll('.became li').length") == 2
        browser.evaluate("back()")
        assert seat.ids == [id]
        tap(browser, "Again", within=".became")
        chosen = "[...document.querySelectorAll('#form [aria-pressed=true]')].map((one) => one.innerText)"
        assert browser.evaluate(chosen) == ["Massena", "light", "Borodino"]
        tap(browser, "Borodino", "Propose")
        come(browser, lambda: len(seat.ids) == 2)
        assert (seat.proposals[-1]["round"], seat.proposals[-1]["orders"][0]["ship"]) == ("", "massena")


def test_an_earlier_declaration_never_comes_after_a_later_one(browser: Browser) -> None:
    seat = Seat(told(owes=[], round=open_round()), status=-1)
    with seated(browser, seat):
        tap(browser, "Fire", "Mikasa", "light", "Borodino", "Add to my declaration")
        tap(browser, "Declare: 1 order")
        until(browser, ".round", "Kept on this phone")
        tap(browser, "✕", within=".orders")
        tap(browser, "Declare anew: no orders")
        seat.posts.clear()
        seat.status = 200
        browser.evaluate("back()")
        come(browser, lambda: bool(seat.told["proposals"]))
        assert [one["orders"] for one in seat.proposals][-1] == []
        assert len(seat.told["proposals"]) == 1


def test_what_was_not_sent_is_kept_and_sent_by_itself(browser: Browser) -> None:
    """Catches what is lost with the page, and what is sent anew under another id."""
    seat = Seat(told(), status=-1)
    with seated(browser, seat) as shown:
        tap(browser, "Throw")
        faces(browser, 5)
        tap(browser, "Propose")
        until(browser, ".throws", "kept on this phone")
        until(browser, ".became", "goes by itself")
        come(browser, lambda: bool(seat.ids))
        shown.close(True)
        browser.wait_for("document.querySelector('.live.lost')")
        shown.close(False)
        opens_at(browser, browser.evaluate("location.href.split('#')[0]"))
        until(browser, ".became", "goes by itself")
        seat.status = 200
        until(browser, ".became .waiting", "waits for the umpire")
        assert len(seat.ids) > 1
        assert len(set(seat.ids)) == 1


def test_an_answer_that_is_lost_doubles_nothing(browser: Browser) -> None:
    seat = Seat(told(), status=0, lists=False)
    with seated(browser, seat):
        tap(browser, "Throw")
        faces(browser, 5)
        tap(browser, "Propose")
        come(browser, lambda: len(seat.ids) > 1)
        assert len(set(seat.ids)) == 1
        seat.lists = True
        until(browser, ".became .waiting", "waits for the umpire")
        sent = len(seat.ids)
        seat.status = 200
        browser.evaluate("back()")
        browser.evaluate("new Promise((done) => setTimeout(done, 300))")
        assert len(seat.ids) == sent


def test_what_is_taken_and_not_listed_is_sent_again_at_the_way_back(browser: Browser) -> None:
    seat = Seat(told(), lists=False)
    with seated(browser, seat):
        tap(browser, "Throw")
        faces(browser, 5)
        tap(browser, "Propose")
        until(browser, ".became .sent", "the board has it")
        assert len(seat.ids) == 1
        browser.evaluate("window.dispatchEvent(new Event('online'))")
        come(browser, lambda: len(seat.ids) == 2)
        assert len(set(seat.ids)) == 1


def test_what_waited_and_is_listed_no_more_goes_again(browser: Browser) -> None:
    """Catches a proposal that is lost with a damaged tray, as the phone had forgotten it."""
    seat = Seat(told())
    with seated(browser, seat):
        tap(browser, "Throw")
        faces(browser, 3)
        tap(browser, "Propose")
        come(browser, lambda: len(seat.proposals) == 1)
        id = seat.ids[0]
        listed = [{"id": id, "text": "roll 3", "state": "waiting", "told": ""}]
        seat.tell(proposals=listed)
        until(browser, ".became", "waits for the umpire")
        seat.tell(proposals=[])
        come(browser, lambda: len(seat.proposals) == 2)
        assert seat.ids == [id, id]
        seat.tell(proposals=[{**listed[0], "state": "in"}])
        until(browser, ".became", "in")
        seat.tell(proposals=[])
        browser.evaluate(HALF_A_SECOND)
        assert len(seat.proposals) == 2


def test_what_was_sent_back_is_proposed_again_with_what_was_typed(browser: Browser) -> None:
    seat = Seat(told())
    with seated(browser, seat):
        tap(browser, "Throw")
        faces(browser, 5)
        tap(browser, "Propose")
        come(browser, lambda: bool(seat.told["proposals"]))
        seat.became("back", "that die fell from the table")
        until(browser, ".became .back", "sent back: that die fell from the table")
        tap(browser, "Again")
        tap(browser, "5", within=".faces")
        faces(browser, 6)
        tap(browser, "Propose")
        come(browser, lambda: len(seat.proposals) == 2)
        assert [one["dice"] for one in seat.proposals] == [[5], [6]]
        assert len(set(seat.ids)) == 2


def test_what_the_board_does_not_take_says_why_and_is_not_sent_again(browser: Browser) -> None:
    seat = Seat(told(), status=400, why="Mikasa owes nothing of the kind")
    with seated(browser, seat):
        tap(browser, "Throw")
        faces(browser, 5)
        tap(browser, "Propose")
        until(browser, ".became .refused", "not taken: Mikasa owes nothing of the kind")
        browser.evaluate("back()")
        browser.evaluate("new Promise((done) => setTimeout(done, 300))")
        assert len(seat.ids) == 1
        assert browser.evaluate(f"Boolean({button('Again')})")
        tap(browser, "Drop")
        until(browser, ".throws", "Throw")
        assert text(browser, ".became") == ""


@pytest.mark.parametrize(
    ("status", "why"), [(404, "takes nothing"), (429, "too much"), (503, "takes nothing")]
)
def test_what_the_board_does_not_take_now_is_tried_again(browser: Browser, status: int, why: str) -> None:
    seat = Seat(told(), status=status)
    with seated(browser, seat):
        tap(browser, "Throw")
        faces(browser, 5)
        tap(browser, "Propose")
        until(browser, ".became .kept", why)
        seat.status = 200
        browser.evaluate("back()")
        until(browser, ".became .waiting", "waits for the umpire")
        assert len(set(seat.ids)) == 1


def test_a_browser_that_keeps_nothing_says_so(browser: Browser) -> None:
    seat = Seat(told(), status=-1)
    with seated(browser, seat):
        browser.evaluate("Storage.prototype.setItem = () => { throw new Error(); }; 0")
        tap(browser, "Throw")
        faces(browser, 5)
        tap(browser, "Propose")
        until(browser, ".became", "leave the page open")
        seat.status = 200
        browser.evaluate("back()")
        until(browser, ".became .waiting", "waits for the umpire")


def test_what_was_taken_back_does_not_return(browser: Browser) -> None:
    seat = Seat(told())
    with seated(browser, seat):
        tap(browser, "Throw")
        faces(browser, 5)
        tap(browser, "Propose")
        come(browser, lambda: bool(seat.told["proposals"]))
        seat.became("undone")
        until(browser, ".became .undone", "does not return by itself")
        assert len(seat.ids) == 1
        assert browser.evaluate(f"Boolean({button('Throw', '.throws')})")


def test_a_form_stays_as_the_battle_goes_on(browser: Browser) -> None:
    """Catches letters, a caret or faces that are lost as an entry comes."""
    seat = Seat(told())
    field = "document.activeElement"
    with seated(browser, seat) as shown:
        tap(browser, "Fire", "Mikasa", "heavy", "Boat 21")
        faces(browser, 3)
        typed(browser, "range", "12in")
        browser.evaluate(f"{field}.setSelectionRange(1, 1)")
        shown.tell()
        seat.tell(turn=2, may=[{**FIRE, "title": "Fire anew"}])
        until(browser, "#form h2", "Fire anew")
        assert browser.evaluate(f"[{field}.dataset.key, {field}.value, {field}.selectionStart]") == [
            "range",
            "12in",
            1,
        ]
        assert text(browser, ".faces li button") == "3"
        opens_at(browser, browser.evaluate("location.href.split('#')[0]"))
        tap(browser, "Fire", within=".doing")
        assert browser.evaluate("document.querySelector('#form [data-key=range]').value") == "12in"
        seat.tell(may=[])
        until(browser, "#form", "asked no more")
        assert browser.evaluate(f"!({button('Propose', '#form')})")


def test_a_tap_meant_for_one_thing_does_not_land_on_another(browser: Browser) -> None:
    """Catches parts that are drawn anew under the thumb though nothing of them is another."""
    seat = Seat(told())
    with seated(browser, seat) as shown:
        browser.evaluate("document.querySelector('.throws button').dataset.same = 'yes'")
        shown.tell()
        seat.tell(proposals=[{"id": "c" * 32, "text": "one", "state": "in", "told": ""}])
        until(browser, ".became", "one")
        assert browser.evaluate("document.querySelector('.throws button').dataset.same") == "yes"


def test_what_is_decided_is_told_over_another_view(browser: Browser) -> None:
    one = {"id": "c" * 32, "text": "fire check", "state": "waiting", "told": ""}
    seat = Seat(told(proposals=[one]))
    with seated(browser, seat):
        browser.evaluate("location.hash = 'table'")
        browser.wait_for("document.querySelector('.table')")
        assert text(browser, "nav .many") == "1"
        seat.became("in", "she burns")
        until(browser, "#news.news", "fire check – in: she burns")


def test_names_on_a_seat_are_text(browser: Browser) -> None:
    one = {"id": "c" * 32, "text": HOSTILE, "state": "back", "told": HOSTILE}
    slots = [choice_slot(HOSTILE, "choice", HOSTILE), choice_slot("r", "text")]
    seat = Seat(
        told(
            player=HOSTILE,
            phase=HOSTILE,
            code=HOSTILE,
            owes=[{**CHECK, "ship": HOSTILE, "text": HOSTILE, "needs": [HOSTILE], "words": [HOSTILE]}],
            may=[{**FIRE, "title": HOSTILE, "slots": slots}],
            round={**open_round(HOSTILE), "phase": HOSTILE},
            proposals=[one],
        )
    )
    with seated(browser, seat):
        made = "document.querySelectorAll('img, .play b b, #form b b').length"
        assert HOSTILE in text(browser, ".play")
        assert browser.evaluate(OVER) <= 0
        tap(browser, "Throw")
        until(browser, "#form", HOSTILE)
        tap(browser, "✕", within="#form")
        tap(browser, HOSTILE, within=".round")
        until(browser, "#form", HOSTILE)
        assert browser.evaluate(made) == 0
        seat.tell(device="waiting")
        until(browser, ".code", HOSTILE)
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
def test_all_of_it_fits_and_can_be_read_and_touched(browser: Browser, size: tuple[int, int]) -> None:
    """Catches what is wider than the screen, paler than 4.5 to 1, or smaller than a thumb."""
    seat = Seat(told(**FULL))
    with seated(browser, seat, size):
        for scene in ("device", "round", "throw", "order"):
            seat.tell(
                device="waiting" if scene == "device" else "in",
                round=open_round("Boris") if scene == "round" else None,
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


def test_it_says_that_others_can_read_and_forge(browser: Browser) -> None:
    with seated(browser, Seat(told())):
        assert "plain HTTP" in text(browser, ".plain")


def test_a_throw_of_sealed_dice_is_asked_for_at_a_board(browser: Browser, tmp_path: Path) -> None:
    """Catches a board that tells a page of no dice where it throws none itself."""
    session = club(tmp_path / "sealed.qfb")
    session.enter("next")
    session.enter("fire iwate heavy rossiya medium")
    (owed,) = session.battle.owed
    with served(tmp_path / "sealed.qfb", "--propose") as board:
        links = board.links.add_seats(session.battle)
        seat = next(seat for seat in links.seats if owed.ship in links.list_ships(seat, session.battle))
        save_links(board.save, links.let_device_in(seat.id, compute_device_digest(DEVICE)))
        opens_at(browser, f"http://{board.host}/{seat.secret}/")
        browser.evaluate(f"keep((now) => {{ now.device = '{DEVICE}'; }}); draw()")
        tap(browser, "Ask for the throw")
        assert "The dice are sealed" in text(browser, "#form")
        tap(browser, "Ask for the throw", within="#form")
        until(browser, ".throws", "the throw is asked for · with the umpire")
        until(browser, ".became", "waits for the umpire")
        browser.open("about:blank")
    session.close()


def test_a_phone_that_comes_back_to_its_board_is_known_again(browser: Browser, tmp_path: Path) -> None:
    """Before it is let in, and after: it taps nothing, sees its own number, and goes on where it was."""
    with began(tmp_path) as evening, served(evening.save, "--propose") as board:
        evening.hub.close()
        seat = board.links.seats[0]
        save_links(board.save, board.links.let_device_in(seat.id, ""))
        address = f"http://{board.host}/{seat.secret}/"
        opens_at(browser, address)
        tap(browser, "Ask the umpire")
        browser.wait_for("document.querySelector('.code')?.innerText")
        code = text(browser, ".code")
        # Somebody else asks by the same link meanwhile.
        assert Phone(board, seat.id).asks().status == 204
        opens_at(browser, address)
        until(browser, ".code", code)
        evening.tray.look()
        (own, other) = evening.tray.state.list_devices(seat.id, compute_token(seat.secret))
        assert [format_device_code(own), code] == [code, format_device_code(own)]
        save_links(board.save, board.links.let_device_in(seat.id, own))
        tap(browser, "Fire")
        opens_at(browser, address)
        tap(browser, "Fire")
        save_links(board.save, board.links.let_device_in(seat.id, other))
        until(browser, ".device", "another phone takes part")
        assert text(browser, ".code") == code
        browser.open("about:blank")
