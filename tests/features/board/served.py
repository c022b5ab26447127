"""A board in its own process, and the clients that talk to it: browsers and attackers."""

import json
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from attrs import define, field, frozen

from qf_tui.features.board.links import Links, load_links
from qf_tui.features.board.values import ALL
from tests.features.board import hasty

PROGRAM = ("-m", "qf_tui")
HASTY = (hasty.__file__,)
"""Arguments that make Python run the program, or the program with a hasty board."""
PATIENCE = 20.0
"""Seconds for an answer, however busy the machine is."""


@frozen
class Answer:
    """A server's answer: its status (0 if it closed the connection), headers and body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@define
class Board:
    """A running board."""

    save: Path
    port: int
    process: "subprocess.Popen[bytes]"

    @property
    def host(self) -> str:
        """The host in the board's links."""
        return f"127.0.0.1:{self.port}"

    @property
    def links(self) -> Links:
        """The links as the board keeps them."""
        found = load_links(self.save)
        assert found is not None
        return found

    def build_path(self, rest: str = "", viewer: str = ALL) -> str:
        """Build a path below a viewer's secret."""
        return f"/{self.links.find_secret(viewer)}/{rest}"

    def connect(self, source: str = "127.0.0.1", *, takes: int = 0) -> socket.socket:
        """Connect from an address of this machine; `takes` is the size of the receive buffer in bytes."""
        made = socket.socket()
        made.settimeout(PATIENCE)
        if takes:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, takes)
        made.bind((source, 0))
        made.connect(("127.0.0.1", self.port))
        return made

    def request(
        self, path: str, method: str = "GET", *headers: str, host: str = "", body: bytes = b""
    ) -> Answer:
        """Send a request and return the answer."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or self.host}", *headers]
        return self.send("\r\n".join([*lines, "", ""]).encode() + body)

    def send(self, data: bytes, source: str = "127.0.0.1") -> Answer:
        """Send bytes and return the answer once the board closes the connection."""
        with self.connect(source) as one:
            with suppress(OSError):
                one.sendall(data)
            return parse_answer(read_all(one))

    @contextmanager
    def follow(self, viewer: str = ALL, source: str = "127.0.0.1", *headers: str) -> Iterator["Stream"]:
        """Open the stream of events of a viewer."""
        with self.follow_secret(self.links.find_secret(viewer), source, *headers) as one:
            yield one

    @contextmanager
    def follow_secret(self, secret: str, source: str = "127.0.0.1", *headers: str) -> Iterator["Stream"]:
        """Open the stream of events below a secret."""
        with self.connect(source) as one:
            lines = [f"GET /{secret}/events HTTP/1.1", f"Host: {self.host}", *headers, "", ""]
            one.sendall("\r\n".join(lines).encode())
            yield Stream(one)


@define
class Stream:
    """The events of a stream as (name, data); the name of a view is "".

    `witnessed` is the latest list of the log's witnesses.
    """

    socket: socket.socket
    _heard: bytes = b""
    name: str = ""
    witnessed: Mapping[str, Any] = field(factory=dict)

    def read_event(self, seconds: float = PATIENCE) -> tuple[str, str] | None:
        """Return the next event but beats, names and witnesses, or None at the end or on timeout."""
        until = time.monotonic() + seconds
        while (event := self._take_event()) is None:
            left = until - time.monotonic()
            if left <= 0 or not self.wait(left):
                return None
        return event

    def wait(self, seconds: float) -> bool:
        """Receive data for some seconds and return whether any has come."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return False
        more = self._receive()
        self._heard += more
        return bool(more)

    def read_waiting(self) -> Iterator[tuple[str, str]]:
        """Yield the events that have come so far."""
        self.wait(0)
        while event := self._take_event():
            yield event

    def _take_event(self) -> tuple[str, str] | None:
        while b"\n\n" in self._heard:
            text, _, self._heard = self._heard.partition(b"\n\n")
            found = dict(line.split(": ", 1) for line in _split_lines(text) if ": " in line)
            if found.get("event") == "name":
                self.name = found["data"]
            if found.get("event") == "witness":
                self.witnessed = json.loads(found["data"])
            elif "data" in found and found.get("event") not in ("beat", "name"):
                return found.get("event", ""), found["data"]
        return None

    def _receive(self) -> bytes:
        try:
            return self.socket.recv(1 << 20)
        except OSError:
            return b""

    def has_ended(self, seconds: float = PATIENCE) -> bool:
        """Return whether the board closes the stream within some seconds."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self.socket], [], [], left)[0] and not self._receive():
                return True
        return False


def _split_lines(text: bytes) -> list[str]:
    """Split the text of events into lines; chunk sizes between them do no harm here."""
    return text.decode("utf-8", "replace").replace("\r\n", "\n").splitlines()


def read_all(one: socket.socket) -> bytes:
    """Read a connection until the server closes it."""
    found = b""
    with suppress(OSError):
        while more := one.recv(1 << 16):
            found += more
    return found


def parse_answer(data: bytes) -> Answer:
    """Parse an answer."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    if not first:
        return Answer(0, {}, b"")
    pairs = (line.split(": ", 1) for line in lines)
    return Answer(int(first.split()[1]), {name.lower(): value for name, value in pairs}, body)


@contextmanager
def run_board(save: Path, *arguments: str, program: Sequence[str] = PROGRAM) -> Iterator[Board]:
    """Run a board of a save, at a free port unless the arguments name one."""
    port = () if "--port" in arguments else ("--port", "0")
    command = [sys.executable, *program, "board", str(save), "--under-console", *port, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, _read_text(process.stderr)
            # A board on no network has no address.
            addresses = json.loads(line)["addresses"] or [(None, 0)]
            yield Board(save, addresses[0][1], process)
        finally:
            process.kill()


def _read_text(stream: IO[bytes] | None) -> str:
    return stream.read().decode() if stream is not None else ""
