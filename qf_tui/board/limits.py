"""What a board bears of those who speak to it: how many they are, how long and how slowly.

Each connection carries one request. Whoever does not keep to a limit loses the connection, and nobody else
notices.
"""

import asyncio
import socket
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SOCKETS_MOST = 256
"""Connections at one time, of all addresses together."""
OF_ONE_ADDRESS = 8
"""Connections at one time of one address."""
VIEWERS_MOST = 64
"""Streams of events at one time."""
SILENT_S = 30.0
"""Seconds of silence of its page after which a stream gives up its place to another."""
WHOLE_S = 5.0
"""Seconds in which a request must be there whole."""
SLOW_S = 10.0
"""Seconds after which a reader is dropped who has not taken what was sent."""
HEAD_MOST = 1 << 14
"""Bytes of a request's head."""


class LimitedProtocol(H11Protocol):
    """One connection, within the limits."""

    _ends: asyncio.TimerHandle | None = None
    _slow: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # H11 says less
        if self._too_many(transport):
            self.transport = transport
            transport.abort()
            return
        super().connection_made(transport)
        # What is sent and not taken is noticed from its first byte on.
        transport.set_write_buffer_limits(high=0)
        gone = transport.get_extra_info("socket")
        if gone is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            gone.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(2 * SLOW_S * 1000))
        self._ends = self.loop.call_later(WHOLE_S, self._drop)

    def _too_many(self, transport: asyncio.Transport) -> bool:
        peer = _host(transport)
        same = sum(_host(one.transport) == peer for one in self.connections)
        return len(self.connections) >= SOCKETS_MOST or same >= OF_ONE_ADDRESS

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._ends is not None and self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED):
            self._ends.cancel()
            self._ends = None

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._slow is None:
            self._slow = self.loop.call_later(SLOW_S, self._drop)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_slow()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._cancel_slow()
        if self._ends is not None:
            self._ends.cancel()

    def _cancel_slow(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None

    def _drop(self) -> None:
        self.transport.abort()


def _host(transport: Any) -> str:
    """The address at the other end, "" for one that is gone."""
    peer = transport.get_extra_info("peername") if transport is not None else None
    return str(peer[0]) if peer else ""
