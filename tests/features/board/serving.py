"""A page without the board's server: a test sets its battle by hand, and the page gets it at once."""

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
"""Seconds between two checks whether the server is to end."""


@define
class Shown:
    """The battle of the pages. `beat` is in seconds; while `mute`, the streams are silent.

    A stream that began before `deafened` was raised stays open and is silent from then on.
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
        """Send another battle to the pages."""
        with self.changed:
            self.timeline = timeline
            self.number += 1
            self.changed.notify_all()

    def send_again(self) -> None:
        """Send the battle and the seat's state again."""
        self.show(self.timeline)

    def witness(self, *witnesses: tuple[str, str]) -> None:
        """Send the log's witnesses, each with the phase that began after it."""
        self.witnesses = witnesses
        self.show(self.timeline)

    def close(self, closed: bool) -> None:
        """End all streams and take no other, or take them again."""
        with self.changed:
            self.closed = closed
            self.changed.notify_all()

    def encode_events(self) -> bytes:
        """Encode the view, and the seat's state if there is a seat, as events of a stream."""
        seen = (
            b"data: "
            + encode_view(build_view(self.system, self.timeline, self.viewer, self.switch))
            + b"\n\n"
        )
        if self.seat is None:
            return seen
        return b"event: seat\ndata: " + json.dumps(self.seat.state).encode() + b"\n\n" + seen

    def answer(self, path: str) -> tuple[str, bytes] | None:
        """Return the kind and bytes of a path below the secret, or None; the stream is not among them."""
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


def _answer_get(handler: BaseHTTPRequestHandler, shown: Shown, path: str) -> None:
    found = shown.answer(path)
    handler.send_response(200 if found else 404)
    kind, data = found or ("text/plain", b"")
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(data)))
    if path == "":
        handler.send_header("Content-Security-Policy", build_policy(PAGE))
    handler.end_headers()
    handler.wfile.write(data if handler.command == "GET" else b"")


def _build_handler(shown: Shown) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_request(self, code: object = "", size: object = "") -> None:
            """Log nothing."""

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            path = self.path.removeprefix(PATH) if self.path.startswith(PATH) else "nothing"
            if path == "events" and not shown.closed:
                self._stream()
            else:
                _answer_get(self, shown, path)

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
                    message = shown.encode_events() + message
                    known = {"ends": shown.witnesses, "words": "four words of it" if shown.witnesses else ""}
                    message = b"event: witness\ndata: " + json.dumps(known).encode() + b"\n\n" + message
                try:
                    self.wfile.write(message)
                    self.wfile.flush()
                except OSError:
                    return

    return Handler


@contextmanager
def serve_page(shown: Shown) -> Iterator[str]:
    """Serve the page of a battle and yield its address."""
    if shown.seat is not None:
        shown.seat.changed = shown.send_again
    server = ThreadingHTTPServer(("127.0.0.1", 0), _build_handler(shown))
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(LOOKS_S,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{PATH}"
    finally:
        shown.close(True)
        server.shutdown()
        server.server_close()
