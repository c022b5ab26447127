"""A battle on a page without the board's own server: what is shown is set by hand, and sent at once."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread

from attrs import define, field

from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.document.html import render
from qf_tui.features.board.hub import BEAT_S, encode_view
from qf_tui.features.board.serving import PAGE, build_policy, render_page
from qf_tui.features.board.values import BoardSwitch
from qf_tui.features.board.view import build_ship_view, build_view
from tests.features.board.seating import TOKEN, Seat

PATH = "/a-secret/"
LOOKS_S = 0.01
"""Seconds after which it is asked whether the server is to end."""


@define
class Shown:
    """What the pages show; `beat` is in seconds, and while `mute` nothing is heard of the battle.

    A stream that was begun before `deafened` was counted up stays open, and says nothing any more.
    """

    system: RuleSystem
    timeline: Timeline
    viewer: str = ""
    switch: BoardSwitch = BoardSwitch.AT_ONCE
    title: str = "A battle"
    beat: float = 5
    mute: bool = False
    deafened: int = 0
    closed: bool = False
    seat: Seat | None = None
    number: int = 0
    witnesses: tuple[tuple[str, str], ...] = ()
    changed: Condition = field(factory=Condition)

    def show(self, timeline: Timeline) -> None:
        """Shows another battle."""
        with self.changed:
            self.timeline = timeline
            self.number += 1
            self.changed.notify_all()

    def tell(self) -> None:
        """Tells all again what is shown, and what the seat is told."""
        self.show(self.timeline)

    def witness(self, *witnesses: tuple[str, str]) -> None:
        """Sends the log's witnesses, each with what began behind it."""
        self.witnesses = witnesses
        self.show(self.timeline)

    def close(self, closed: bool) -> None:
        """Ends all streams and takes no other, or takes them again."""
        with self.changed:
            self.closed = closed
            self.changed.notify_all()

    def events(self) -> bytes:
        """What is shown, and what the seat is told, as events of a stream."""
        seen = (
            b"data: "
            + encode_view(build_view(self.system, self.timeline, self.viewer, self.switch))
            + b"\n\n"
        )
        if self.seat is None:
            return seen
        return b"event: seat\ndata: " + json.dumps(self.seat.told).encode() + b"\n\n" + seen

    def answer(self, path: str) -> tuple[str, bytes] | None:
        """What lies below the secret, but the stream: its kind and bytes."""
        if path == "":
            made = render_page(self.title)
            if self.seat is not None:
                made = render(PAGE, title=self.title, beat=BEAT_S, token=TOKEN)
            html = made.replace('data-beat="5"', f'data-beat="{self.beat}"')
            return "text/html; charset=utf-8", html.encode()
        if path.startswith("ship/"):
            found = build_ship_view(self.system, self.timeline, self.viewer, self.switch, path[5:])
            return ("application/json", encode_view(found)) if found else None
        return None


def _post(handler: BaseHTTPRequestHandler, shown: Shown) -> None:
    data = handler.rfile.read(int(handler.headers["content-length"]))
    handler.close_connection = True
    if shown.closed or shown.seat is None or not handler.path.startswith(PATH):
        return
    headers = {name.lower(): value for name, value in handler.headers.items()}
    status, answer = shown.seat.post(handler.path.removeprefix(PATH), headers, data)
    if status > 0:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(answer)))
        handler.end_headers()
        handler.wfile.write(answer)


def _got(handler: BaseHTTPRequestHandler, shown: Shown, path: str) -> None:
    found = shown.answer(path)
    handler.send_response(200 if found else 404)
    kind, data = found or ("text/plain", b"")
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(data)))
    if path == "":
        handler.send_header("Content-Security-Policy", build_policy(PAGE))
    handler.end_headers()
    handler.wfile.write(data if handler.command == "GET" else b"")


def _handler(shown: Shown) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_request(self, code: object = "", size: object = "") -> None:
            """Nothing."""

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            path = self.path.removeprefix(PATH) if self.path.startswith(PATH) else "nothing"
            if path == "events" and not shown.closed:
                self._stream()
            else:
                _got(self, shown, path)

        def do_POST(self) -> None:
            _post(self, shown)

        def _stream(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            sent, deafened = -1, shown.deafened
            while not shown.closed:
                with shown.changed:
                    if sent == shown.number:
                        shown.changed.wait(timeout=shown.beat)
                if shown.mute or shown.closed or deafened != shown.deafened:
                    continue
                message = b"event: beat\ndata:\n\n"
                if sent != shown.number:
                    sent = shown.number
                    message = shown.events() + message
                    known = {"ends": shown.witnesses, "words": "four words of it" if shown.witnesses else ""}
                    message = b"event: witness\ndata: " + json.dumps(known).encode() + b"\n\n" + message
                try:
                    self.wfile.write(message)
                    self.wfile.flush()
                except OSError:
                    return

    return Handler


@contextmanager
def serving(shown: Shown) -> Iterator[str]:
    """The address of the page of a battle."""
    if shown.seat is not None:
        shown.seat.changed = shown.tell
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(shown))
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(LOOKS_S,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{PATH}"
    finally:
        shown.close(True)
        server.shutdown()
        server.server_close()
