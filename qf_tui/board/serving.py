"""A board served: the save followed, a socket, and a server on it until it is told to end."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
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
from qf_tui.session.saves import Follower


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


def serve(wanted: ServingOptions, announce: Callable[[Hub, Address], object]) -> None:
    """Serves a battle until it is told to end; `announce` is called once it can be reached.

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
        server = _Server(hub, address, lambda: announce(hub, address))
        if wanted.ends_with_input:
            end_after(input_ends, server.end)
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
        if server.fault is not None:
            why = f"{type(server.fault).__name__}: {server.fault}"
            raise QfError(f"the board has stopped ({why}). Start it again: its links stay good.")


class _Server(uvicorn.Server):
    """The server of one board, which says nothing by itself."""

    def __init__(self, hub: Hub, address: Address, announce: Callable[[], object]) -> None:
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
        self._hub, self._announce = hub, announce
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
        self._announce()

    async def shutdown(self, sockets: Any = None) -> None:
        self._hub.close()
        await super().shutdown(sockets)
