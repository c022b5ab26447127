"""The page of a seat in a browser: opening it, and tapping, typing and reading there."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from tests.browser import Browser
from tests.features.board.seating import Seat
from tests.features.board.serving import Shown, serve_page
from tests.features.board.test_page import PHONE, find_faults, play_orders

DEVICE = "ab" * 16
HALF_A_SECOND = "new Promise((done) => setTimeout(done, 500))"


@contextmanager
def serve_seat(browser: Browser, seat: Seat, size: tuple[int, int] = PHONE) -> Iterator[Shown]:
    """Open the page of a seat on a phone that asked earlier."""
    shown = Shown(play_orders().system, play_orders().timeline, "blue", seat=seat, beat=0.5)
    with serve_page(shown) as address:
        open_play_page(browser, address, size)
        browser.evaluate(f"keep((now) => {{ now.device = '{DEVICE}'; }}); draw()")
        yield shown
        assert find_faults(browser, address) == []
        browser.open("about:blank")


def open_play_page(browser: Browser, address: str, size: tuple[int, int] = PHONE) -> None:
    def load() -> None:
        browser.open("about:blank")
        browser.events.clear()
        browser.set_size(*size)
        browser.open(f"{address}#play")
        browser.wait_for("document.querySelector('.play h2')")

    load()
    browser.ensure_drawing(load)


def find_button(words: str, within: str = "body") -> str:
    """Build a script that finds the visible button whose text begins with these words."""
    buttons = f"[...document.querySelectorAll({json.dumps(within + ' button')})]"
    return f"{buttons}.find((one) => one.innerText.startsWith({json.dumps(words)}) && one.checkVisibility())"


def find_middle(one: str) -> str:
    """Build a script that scrolls to an enabled button and returns its middle once nothing waits."""
    return (
        f"((one) => {{ if (!one || one.disabled || thumb.timer) return null;"
        "one.scrollIntoView({block: 'center'}); const box = one.getBoundingClientRect();"
        f"return [box.x + box.width / 2, box.y + box.height / 2]; }})({one})"
    )


def press_mouse(browser: Browser, kind: str, at: Sequence[float]) -> None:
    browser.send("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)


def tap(
    browser: Browser, *words: str, within: str = "body", meanwhile: Callable[[], None] = lambda: None
) -> None:
    """Tap the buttons that begin with these words: press on whatever is at their place."""
    for each in words:
        at = browser.wait_for(find_middle(find_button(each, within)))
        press_mouse(browser, "mousePressed", at)
        meanwhile()
        press_mouse(browser, "mouseReleased", at)


def tap_faces(browser: Browser, *typed: int) -> None:
    tap(browser, *map(str, typed), within=".keys")


def type_text(browser: Browser, key: str, text: str) -> None:
    """Replace the text of a field of the form."""
    browser.evaluate(f"document.querySelector('#form input[data-key={key}]').select()")
    browser.evaluate(f"document.querySelector('#form input[data-key={key}]').focus()")
    browser.send("Input.insertText", text=text)


def read_text(browser: Browser, selector: str) -> str:
    return str(browser.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText || ''"))


def wait_for_text(browser: Browser, selector: str, words: str) -> None:
    """Wait until an element contains these words."""
    browser.wait_for(
        f"document.querySelector({json.dumps(selector)})?.innerText.includes({json.dumps(words)})"
    )


def wait_until(browser: Browser, condition: Callable[[], bool]) -> None:
    """Wait until a condition on the posts is true."""
    for _ in range(400):
        if condition():
            return
        browser.evaluate("new Promise((done) => setTimeout(done, 25))")
    raise AssertionError(read_text(browser, "main"))
