"""A headless Chromium, controlled by its own protocol through two pipes: no driver, no socket."""

import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from time import monotonic
from typing import Any, cast

from attrs import define, field

NAMES = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
    *("--disable-dev-shm-usage", "--remote-debugging-pipe"),
    *("--disable-extensions", "--disable-background-networking", "--disable-component-update"),
    "--disable-background-timer-throttling",  # after a freeze a page's clock ticks once a second
)

HAND_OVER = """
import os, sys
ends = [os.dup(int(end)) for end in sys.argv[1:3]]
for end, file in zip(ends, (3, 4)):
    os.dup2(end, file)
    os.set_inheritable(file, True)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Give the browser its two pipes: it reads its third file and writes its fourth."""


SILENT_S, ANSWERED_S = 60, 120
"""Seconds after which a browser has failed: without any message, and without the answer."""
DRAWN = """Promise.race([
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))),
  new Promise((done) => setTimeout(done, 500, false)),
])"""
"""Whether the page draws pictures."""


def find_browser() -> str | None:
    """Find an installed browser."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


@define
class Pipes:
    """The two pipes to a browser, and the events of each page by its session."""

    to: int
    answers: int
    number: int = 0
    events: dict[str, list[Mapping[str, Any]]] = field(factory=dict)
    _heard: bytes = b""

    def ask(self, message: Mapping[str, object]) -> Mapping[str, Any]:
        """Send a command, and return its answer."""
        self.number += 1
        os.write(self.to, json.dumps({"id": self.number, **message}).encode() + b"\0")
        until = monotonic() + ANSWERED_S
        while (answer := self._read()).get("id") != self.number:
            assert monotonic() < until, f"the browser tells much, and does not answer {message['method']}"
            self.events.setdefault(str(answer.get("sessionId", "")), []).append(answer)
        assert "error" not in answer, f"{message['method']}: {answer['error']}"
        return cast(Mapping[str, Any], answer["result"])

    def _read(self) -> Mapping[str, Any]:
        while b"\0" not in self._heard:
            assert select((self.answers,), (), (), SILENT_S)[0], "the browser does not answer"
            more = os.read(self.answers, 1 << 16)
            assert more, "the browser is gone"
            self._heard += more
        line, _, self._heard = self._heard.partition(b"\0")
        return cast(Mapping[str, Any], json.loads(line))


@define
class Browser:
    """A page of a browser; `open_page` gives others that share nothing, as on other phones."""

    _pipes: Pipes
    _session: str = ""
    _size: tuple[int, int, bool] = (1280, 800, False)

    @property
    def events(self) -> list[Mapping[str, Any]]:
        """The events of the page."""
        return self._pipes.events.setdefault(self._session, [])

    def open_page(self) -> "Browser":
        """Open a page with its own storage and its own window."""
        context = self.send_to_browser("Target.createBrowserContext")["browserContextId"]
        target = self.send_to_browser("Target.createTarget", url="about:blank", browserContextId=context)[
            "targetId"
        ]
        session = self.send_to_browser("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        made = Browser(self._pipes, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            made.send(f"{domain}.enable")
        return made

    def send_to_browser(self, method: str, **params: object) -> Mapping[str, Any]:
        """Send a command to the browser, not to the page; return its answer."""
        return self._pipes.ask({"method": method, "params": params})

    def send(self, method: str, **params: object) -> Mapping[str, Any]:
        """Send a command to the page; return its answer, and keep other events in `events`."""
        return self._pipes.ask({"method": method, "params": params, "sessionId": self._session})

    def set_size(self, width: int, height: int, *, dark: bool = False) -> None:
        """Set the size of the window, and a light or dark theme."""
        mobile, self._size = width < 500, (width, height, dark)
        # A covered page draws nothing.
        self.send("Page.bringToFront")
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if mobile else 1,
            mobile=mobile,
        )
        # A touch page has larger rows.
        self.send("Emulation.setTouchEmulationEnabled", enabled=mobile)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def is_drawing(self) -> bool:
        """Return whether the page draws; before its first picture, or when covered, it takes no taps."""
        for _ in range(20):
            if self.evaluate(DRAWN):
                return True
            self.send("Page.bringToFront")
        return False

    def ensure_drawing(self, opens: Callable[[], None]) -> None:
        """Wait until the page draws; open another page if it never does."""
        if not self.is_drawing():
            width, height, dark = self._size
            self._session = self.open_page()._session
            self.set_size(width, height, dark=dark)
            opens()
            assert self.is_drawing(), "the page draws nothing"

    def open(self, address: str) -> None:
        """Go to an address."""
        self.send("Page.navigate", url=address)

    def evaluate(self, script: str) -> Any:
        """Run a script on the page, await it, and return its value."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, script: str, seconds: float = 30) -> Any:
        """Wait until a script on the page returns something true."""
        waiting = (
            f"new Promise((done, fail) => {{ const end = Date.now() + {seconds * 1000};"
            f"const ask = () => {{ const found = ({script}); if (found) done(found);"
            "else if (Date.now() > end) fail(new Error(document.body ? document.body.innerText : ''));"
            "else setTimeout(ask, 20); }; ask(); })"
        )
        return self.evaluate(waiting)

    def press(self, key: str, code: int = 0) -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            text = "\r" if key == "Enter" and kind == "keyDown" else ""
            self.send("Input.dispatchKeyEvent", type=kind, key=key, text=text, windowsVirtualKeyCode=code)

    def print_pdf(self, address: str) -> bytes:
        """Print a page in its own format; return the PDF."""
        self.send("Emulation.clearDeviceMetricsOverride")
        self.open(address)
        self.wait_for(f"location.href == {json.dumps(address)} && document.readyState == 'complete'")
        told = self.send("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        return base64.b64decode(told["data"])

    def save_picture(self, path: Path, *, whole: bool = False) -> None:
        """Save a picture of the visible part, or of the whole page."""
        shot = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))


@contextmanager
def open_browser(folder: Path) -> Iterator[Browser]:
    """Open a browser with its profile in a folder, and close it at the end."""
    path = find_browser()
    assert path is not None
    to_read, to = os.pipe()
    out, out_write = os.pipe()
    command = [sys.executable, "-c", HAND_OVER, str(to_read), str(out_write)]
    command += [path, *SWITCHES, f"--user-data-dir={folder}"]
    with subprocess.Popen(command, pass_fds=(to_read, out_write), stderr=subprocess.DEVNULL) as process:
        os.close(to_read)
        os.close(out_write)
        browser = Browser(Pipes(to, out))
        try:
            yield browser.open_page()
        finally:
            with suppress(AssertionError, OSError):
                browser.send_to_browser("Browser.close")
            os.close(to)
            os.close(out)
            process.terminate()
