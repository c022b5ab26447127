"""A board in a process of its own, and those who speak to it: browsers, and whoever means it no good."""

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
"""The program, and that with a board that is in haste: what Python is to run."""
PATIENCE = 20.0
"""Seconds for an answer, however busy the machine is."""


@frozen
class Answer:
    """What a server answered: its status (0: it closed the connection), headers and body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@define
class Board:
    """A board that runs."""

    save: Path
    port: int
    process: "subprocess.Popen[bytes]"

    @property
    def host(self) -> str:
        """What it is called in its links."""
        return f"127.0.0.1:{self.port}"

    @property
    def links(self) -> Links:
        """Its links, as they are kept."""
        found = load_links(self.save)
        assert found is not None
        return found

    def path(self, rest: str = "", viewer: str = ALL) -> str:
        """A path behind a secret."""
        return f"/{self.links.find_secret(viewer)}/{rest}"

    def connected(self, source: str = "127.0.0.1", *, takes: int = 0) -> socket.socket:
        """A connection from an address of this machine; `takes`: how many bytes it keeps unread."""
        made = socket.socket()
        made.settimeout(PATIENCE)
        if takes:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, takes)
        made.bind((source, 0))
        made.connect(("127.0.0.1", self.port))
        return made

    def asked(
        self, path: str, method: str = "GET", *headers: str, host: str = "", body: bytes = b""
    ) -> Answer:
        """What it answers to a request."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or self.host}", *headers]
        return self.told("\r\n".join([*lines, "", ""]).encode() + body)

    def told(self, data: bytes, source: str = "127.0.0.1") -> Answer:
        """What it answers to some bytes, until it closes."""
        with self.connected(source) as one:
            with suppress(OSError):
                one.sendall(data)
            return answer_of(all_of(one))

    @contextmanager
    def stream(self, viewer: str = ALL, source: str = "127.0.0.1", *headers: str) -> Iterator["Stream"]:
        """A stream of events."""
        with self.at(self.links.find_secret(viewer), source, *headers) as one:
            yield one

    @contextmanager
    def at(self, secret: str, source: str = "127.0.0.1", *headers: str) -> Iterator["Stream"]:
        """The stream of whoever has a secret."""
        with self.connected(source) as one:
            lines = [f"GET /{secret}/events HTTP/1.1", f"Host: {self.host}", *headers, "", ""]
            one.sendall("\r\n".join(lines).encode())
            yield Stream(one)


@define
class Stream:
    """The events of a stream as they come: (name, data); a view is named "".

    `witnessed` is what it said last of the log's witnesses.
    """

    socket: socket.socket
    _heard: bytes = b""
    name: str = ""
    witnessed: Mapping[str, Any] = field(factory=dict)

    def next(self, seconds: float = PATIENCE) -> tuple[str, str] | None:
        """The next event that is no beat, name or witness, None where the stream ends or nothing comes."""
        until = time.monotonic() + seconds
        while (event := self._heard_event()) is None:
            left = until - time.monotonic()
            if left <= 0 or not self.waits(left):
                return None
        return event

    def waits(self, seconds: float) -> bool:
        """Takes what has come within so many seconds; whether anything has."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return False
        more = self._received()
        self._heard += more
        return bool(more)

    def waiting(self) -> Iterator[tuple[str, str]]:
        """The events that have come by now."""
        self.waits(0)
        while event := self._heard_event():
            yield event

    def _heard_event(self) -> tuple[str, str] | None:
        while b"\n\n" in self._heard:
            text, _, self._heard = self._heard.partition(b"\n\n")
            found = dict(line.split(": ", 1) for line in _lines(text) if ": " in line)
            if found.get("event") == "name":
                self.name = found["data"]
            if found.get("event") == "witness":
                self.witnessed = json.loads(found["data"])
            elif "data" in found and found.get("event") not in ("beat", "name"):
                return found.get("event", ""), found["data"]
        return None

    def _received(self) -> bytes:
        try:
            return self.socket.recv(1 << 20)
        except OSError:
            return b""

    def ended(self, seconds: float = PATIENCE) -> bool:
        """Whether it is closed within so many seconds."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self.socket], [], [], left)[0] and not self._received():
                return True
        return False


def _lines(text: bytes) -> list[str]:
    """The lines of an event; the sizes of chunks between them say nothing here."""
    return text.decode("utf-8", "replace").replace("\r\n", "\n").splitlines()


def all_of(one: socket.socket) -> bytes:
    """All that a server says before it closes."""
    found = b""
    with suppress(OSError):
        while more := one.recv(1 << 16):
            found += more
    return found


def answer_of(data: bytes) -> Answer:
    """An answer from its bytes."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    if not first:
        return Answer(0, {}, b"")
    pairs = (line.split(": ", 1) for line in lines)
    return Answer(int(first.split()[1]), {name.lower(): value for name, value in pairs}, body)


@contextmanager
def served(save: Path, *arguments: str, program: Sequence[str] = PROGRAM) -> Iterator[Board]:
    """A board of a save, at a port that is free unless the arguments name one."""
    port = () if "--port" in arguments else ("--port", "0")
    command = [sys.executable, *program, "board", str(save), "--under-console", *port, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, _said(process.stderr)
            yield Board(save, json.loads(line)["port"], process)
        finally:
            process.kill()


def _said(stream: IO[bytes] | None) -> str:
    return stream.read().decode() if stream is not None else ""
