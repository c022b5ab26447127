"""A board served: the save followed, a socket, and a server on it until it is told to end."""

import asyncio
import gc
import json
import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import uvicorn
from attrs import evolve, frozen
from starlette.applications import Starlette

from qf_tui.board.answers import Reports, answering
from qf_tui.board.hub import HEAD_MOST, Hub, LimitedProtocol
from qf_tui.board.links import BACKLOG, HERE, Address, Links, keep_links, kept_links, lan_address, listening
from qf_tui.board.values import BoardSwitch
from qf_tui.core.errors import QfError
from qf_tui.library.processes import end_after, input_ends
from qf_tui.library.systems import find_systems
from qf_tui.session.following import Follower


@frozen
class ServingOptions:
    """How a battle is to be served: at which address, `port` and switch, where they are named.

    `lan`: at the address of this computer on its network. `new_links`: the links made before end.
    `ends_with_input`: it ends when nobody holds its standard input any more.
    """

    save: Path
    host: str = HERE
    lan: bool = False
    port: int | None = None
    switch: BoardSwitch | None = None
    new_links: bool = False
    ends_with_input: bool = False


def serve(wanted: ServingOptions, tell: Callable[[Hub, Address], object]) -> None:
    """Serves a battle until it is told to end; `tell` is called once it can be reached.

    QfError if the save cannot be followed, the links not kept, or the address not be had, and for a fault on
    the way.
    """
    follower = Follower(wanted.save, find_systems())
    links = kept_links(wanted.save) or Links()
    if wanted.new_links:
        links = links.renewed()
    links = evolve(links, switch=wanted.switch or links.switch)
    host = lan_address() if wanted.lan else wanted.host
    listener, address = listening(host, wanted.port, links.port)
    with listener:
        links = evolve(links, port=address.port).for_sides(side.id for side in follower.battle.sides)
        keep_links(wanted.save, links)
        hub = Hub(follower, links)
        # What is loaded by now stays: the collector need not go through it between an entry and its views.
        gc.freeze()
        server = _Server(hub, address, lambda: tell(hub, address))
        if wanted.ends_with_input:
            end_after(input_ends, server.end)
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
        if server.fault is not None:
            why = f"{type(server.fault).__name__}: {server.fault}"
            raise QfError(f"the board has stopped ({why}). Start it again: its links stay good.")


class _Server(uvicorn.Server):
    """The server of one board, which says nothing by itself."""

    def __init__(self, hub: Hub, address: Address, tell: Callable[[], object]) -> None:
        # A secret is part of each path: no log may have it.
        for name in ("uvicorn", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)

        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            following = asyncio.create_task(hub.follow())
            following.add_done_callback(self._stopped)
            try:
                yield
            finally:
                following.cancel()

        protocol: Any = LimitedProtocol
        super().__init__(
            uvicorn.Config(
                answering(hub, Reports(hub), address.name, lifespan),
                http=protocol,
                ws="none",
                loop="asyncio",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                backlog=BACKLOG,
                h11_max_incomplete_event_size=HEAD_MOST,
                timeout_graceful_shutdown=1,
            )
        )
        self._hub, self._tell = hub, tell
        self.fault: BaseException | None = None

    def _stopped(self, following: "asyncio.Task[None]") -> None:
        """Nothing is followed any more: because the server ends, or by a fault, by which it ends."""
        if not following.cancelled():
            self.fault = following.exception()
        self.end()

    def end(self) -> None:
        """Ends the server soon."""
        self.should_exit = True

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self._tell()

    async def shutdown(self, sockets: Any = None) -> None:
        self._hub.close()
        await super().shutdown(sockets)


ENDS_S = 3.0
"""Seconds that a board has to end by itself."""
REST_S = 60.0
"""Seconds between two times that a board is started again by itself."""
FAULT = "fault"
"""The name under which a board says why it could not start or go on."""
NO_WORD = "the board ended without a word; `qf-tui board` in another terminal may say more"


class BoardProcess:
    """The board of a save, running or not.

    `address` is where it is reached, None while it is not. `fault` says why it could not start or go on, ""
    if nothing is wrong. `lan`: it is, or is to be started, for the network that this computer is on, else for
    this computer alone.
    """

    def __init__(self, save: Path, program: tuple[str, ...] = (sys.executable, "-m", "qf_tui")) -> None:
        self.save, self._program = save, program
        self.lan = False
        self._process: subprocess.Popen[bytes] | None = None
        self._address: Address | None = None
        self._fault = ""
        self._revived = -REST_S

    @property
    def running(self) -> bool:
        """Whether it is there, or about to be."""
        return self._process is not None and self._process.poll() is None

    @property
    def address(self) -> Address | None:
        return self._address if self.running else None

    @property
    def fault(self) -> str:
        return "" if self.running else self._fault

    def start(self) -> None:
        """Starts it, anew if it runs."""
        self.stop()
        where = ("--lan",) if self.lan else ()
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                [*self._program, "board", str(self.save), "--under-console", *where],
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                start_new_session=os.name != "nt",
            )
        except OSError as fault:
            self._fault = f"the board could not be started: {fault.strerror or fault}"
            return
        Thread(target=self._listen, args=(self._process,), daemon=True).start()

    def revive(self) -> bool:
        """Starts it again if it could be reached and has ended unasked, once in `REST_S`; whether it does."""
        if self.running or self._address is None or monotonic() - self._revived < REST_S:
            return False
        self._revived = monotonic()
        self.start()
        return True

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        """Hears where it is; when it has ended, why."""
        assert process.stdout is not None
        assert process.stderr is not None
        with process.stdout, process.stderr:
            begun = _said(process.stdout.readline())
            with suppress(ValueError, KeyError, TypeError):
                address = Address(str(begun["host"]), int(str(begun["port"])))
                if process is self._process:
                    self._address = address
            stray = process.stderr.read().decode("utf-8", "replace").strip()
            ended = {**begun, **_said(process.stdout.read())}
        if process is self._process:
            self._fault = str(ended.get(FAULT) or stray or NO_WORD)

    def stop(self) -> None:
        """Ends it, if it runs; whoever looks on loses the battle."""
        process, self._process, self._address, self._fault = self._process, None, None, ""
        if process is None:
            return
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        Thread(target=_end, args=(process,), daemon=True).start()


def _said(line: bytes) -> Mapping[str, object]:
    """A line of the board to the console: names and values; none where it says something else."""
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(subprocess.TimeoutExpired):
        process.wait(ENDS_S)
    process.kill()
    process.wait()
