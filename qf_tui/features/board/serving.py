"""The web server of a board: it answers requests for pages, and receives players' messages.

Only holders of a link get a page. All wrong paths get the same answer, whether the secret in them is right or
not. So does a message that does not come from the page of a player's link.
"""

import asyncio
import gc
import logging
import re
import socket
import sys
from asyncio import FIRST_COMPLETED, ensure_future, wait
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

import h11
import uvicorn
from attrs import evolve, frozen
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from qf_tui.core.errors import QfError
from qf_tui.document.html import find_policy, render
from qf_tui.features.board.addresses import (
    BACKLOG,
    HERE,
    Address,
    is_taken,
    list_addresses,
    open_listener,
)
from qf_tui.features.board.hub import BEAT_S, Full, Hub
from qf_tui.features.board.inbox import BODY_MOST, MessageRefused
from qf_tui.features.board.links import Links, Seat, compute_token, load_links, save_links
from qf_tui.features.board.values import BoardSwitch
from qf_tui.library.processes import call_after, wait_for_input_end
from qf_tui.library.systems import find_systems
from qf_tui.session.saves import Follower

SOCKETS_MOST = 256
"""Largest number of connections at a time."""
SOCKETS_OF_ADDRESS_MOST = 8
"""Largest number of connections at a time from one address."""
WHOLE_S = 5.0
"""Seconds in which a request must be complete."""
SLOW_S = 10.0
"""Seconds after which a reader is dropped if it has not taken the data sent."""
HEAD_MOST = 1 << 14
"""Largest size of a request's head, in bytes."""
TICK_S, POSTED_S = 0.05, 0.25
"""Seconds between the moments at which answers may begin; least seconds from a proposal to its answer.

Both hide how long it took to read a message.
"""
THREAD_SLICE_S = 0.0005
"""Seconds after which the thread that reads a proposal lets others run."""


class LimitedProtocol(H11Protocol):
    """A connection that is closed if there are too many, or if the other end is too slow."""

    _whole_timer: asyncio.TimerHandle | None = None
    _slow_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # H11 says less
        """Accept a connection, or close it if there are too many; start the timer for its request."""
        peer = _find_host(transport)
        count = sum(_find_host(other.transport) == peer for other in self.connections)
        if len(self.connections) >= SOCKETS_MOST or count >= SOCKETS_OF_ADDRESS_MOST:
            # `connection_lost` uses it.
            self.transport = transport
            transport.abort()
            return
        super().connection_made(transport)
        # With a limit of 0, `pause_writing` is called as soon as a byte remains unsent.
        transport.set_write_buffer_limits(high=0)
        connection = transport.get_extra_info("socket")
        if connection is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            timeout_ms = int(2 * SLOW_S * 1000)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, timeout_ms)
        self._whole_timer = self.loop.call_later(WHOLE_S, self._drop)

    def data_received(self, data: bytes) -> None:
        """Read data; stop the timer once the request is complete."""
        super().data_received(data)
        if self._whole_timer is not None and self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED):
            self._whole_timer.cancel()
            self._whole_timer = None

    def pause_writing(self) -> None:
        """Start the timer for a reader that has not taken the data sent."""
        super().pause_writing()
        if self._slow_timer is None:
            self._slow_timer = self.loop.call_later(SLOW_S, self._drop)

    def resume_writing(self) -> None:
        """Stop the timer for slow readers, because all data is taken."""
        super().resume_writing()
        self._cancel_slow_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers of a connection that has ended."""
        super().connection_lost(exc)
        self._cancel_slow_timer()
        if self._whole_timer is not None:
            self._whole_timer.cancel()

    def _cancel_slow_timer(self) -> None:
        if self._slow_timer is not None:
            self._slow_timer.cancel()
            self._slow_timer = None

    def _drop(self) -> None:
        """Close the connection at once."""
        self.transport.abort()


def _find_host(transport: Any) -> str:
    """Return the address of the other end, or "" if it is gone."""
    peer = transport.get_extra_info("peername") if transport is not None else None
    return str(peer[0]) if peer else ""


PAGE, REPORT = "features/board/templates/page.html", "features/report/report.html"
"""Templates of the pages that a board serves: the viewer's page and the report."""


@lru_cache(maxsize=128)
def render_page(viewer_title: str, token: str = "") -> str:
    """Render the page of a viewer; `token` is what a player's page sends with its messages, or ""."""
    return render(PAGE, title=viewer_title, beat=BEAT_S, token=token)


@cache
def build_policy(template: str) -> str:
    """Return the content security policy of a template's pages; it also forbids other pages to frame them."""
    return f"{find_policy(template)}; frame-ancestors 'none'"


LONGEST_S = 300
"""Largest number of seconds that a report may take."""


class NoReport(Exception):
    """Raised if a report could not be worked out; the message is for the viewer."""


class Reports:
    """The latest report of each viewer; a report is made when it is asked for."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        # The latest page of each viewer, after a key for the battle, its length and the switch.
        self._cached: dict[str, tuple[object, str]] = {}
        self._lock = asyncio.Lock()

    def has_report(self, viewer: str) -> bool:
        """Return whether the viewer may read a report now."""
        page = self._hub.build_page(viewer)
        return page is not None and page[0].report

    async def make_html(self, viewer: str) -> str | None:
        """Return the report of a viewer's part of the battle as a page; only one report is made at a time.

        Returns:
            The page; None if the viewer may not read a report before or after it is made, or if the switch
            has changed meanwhile.

        Raises:
            NoReport: The report could not be made.
        """
        async with self._lock:
            follower, switch = self._hub.follower, self._hub.links.switch
            key = follower.battle_id, len(follower.timeline.log), switch
            if not self.has_report(viewer):
                return None
            cached_key, html = self._cached.get(viewer, (None, ""))
            if cached_key != key:
                html = await _run_report(str(follower.path), viewer, switch)
                self._cached[viewer] = key, html
        return html if self.has_report(viewer) and self._hub.links.switch is switch else None


async def _run_report(save: str, viewer: str, switch: str) -> str:
    """Make a viewer's report in another process and return the page.

    Raises:
        NoReport: The process fails, or takes longer than `LONGEST_S`.
    """
    words = ("-m", "qf_tui", "report", save, "--html", "--under-board", viewer, switch)
    # The process ends when its input closes, so the input stays open until it is done.
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *words), stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    try:
        output = await asyncio.wait_for(process.stdout.read(), LONGEST_S)
        await process.wait()
    except TimeoutError:
        raise NoReport("the report takes too long") from None
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        raise NoReport("the report could not be made; try again later")
    return output.decode("utf-8", "replace")


LOOK_AGAIN_S = 3.0
"""Seconds between two looks for the addresses of this computer."""
METHODS = ("GET", "HEAD")
POST = "POST"
_POSTED = re.compile(rb"/[^/]+/(device|propose)")
"""Paths that accept messages from a player's page."""
NOTHING = "default-src 'none'; frame-ancestors 'none'"
"""Content security policy of answers that are no page."""
COMMON_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"connection", b"close"),
)
"""Headers of every answer."""
NOT_FOUND = (404, "there is nothing here")
NOT_METHOD = (405, "this page can only be read")
NOT_HOST = (421, "this is not the address in the link")
TOO_LONG = (431, "this request is too long")
FULL = (503, "no room for more viewers; try again later")

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def build_application(hub: Hub, reports: Reports, lifespan: Lifespan) -> ASGIApp:
    """Build the web application of a board; `_Guard` filters its requests."""
    answers = _Answers(hub, reports)
    application = Starlette(
        routes=[
            Route("/{secret}/", answers.serve_page),
            Route("/{secret}/events", answers.serve_events),
            Route("/{secret}/here/{name}", answers.take_page_sign),
            Route("/{secret}/ship/{id}", answers.serve_ship),
            Route("/{secret}/report", answers.serve_report),
            Route("/{secret}/device", answers.take_device_request, methods=[*METHODS, POST]),
            Route("/{secret}/propose", answers.take_proposal, methods=[*METHODS, POST]),
        ],
        exception_handlers={HTTPException: _build_refusal, MessageRefused: _build_refusal},
        lifespan=lifespan,
    )
    application.router.redirect_slashes = False
    return _Guard(application, hub)


class _Answers:
    """The answers to each path, by the secret in it."""

    def __init__(self, hub: Hub, reports: Reports) -> None:
        self._hub, self._reports = hub, reports

    async def serve_page(self, request: Request) -> Response:
        """Answer with the page of the link's viewer; a player's page gets the token for his messages."""
        page = self._hub.build_page(self._find_viewer(request))
        title = " · ".join(part for part in (page[0].title, page[0].name) if part) if page else ""
        seat = self._hub.find_seat(request.path_params["secret"])
        return _build_page(render_page(title, compute_token(seat.secret) if seat is not None else ""), PAGE)

    async def serve_events(self, request: Request) -> Response:
        """Answer with the event stream of the link's viewer.

        Raises:
            HTTPException: The secret of the link is wrong.
        """
        self._find_viewer(request)  # refuses a wrong secret
        if request.method == "HEAD":
            return Response(media_type=_Stream.media_type)
        last_event_id = request.headers.get("last-event-id", "")
        return _Stream(self._hub, request.path_params["secret"], last_event_id)

    async def take_page_sign(self, request: Request) -> Response:
        """Note that the page of a stream is still open, and answer with an empty 204.

        Raises:
            HTTPException: The secret of the link is wrong.
        """
        self._find_viewer(request)  # refuses a wrong secret
        self._hub.mark_alive(request.path_params["name"])
        return Response(status_code=204)

    async def serve_ship(self, request: Request) -> Response:
        """Answer with the viewer's page of a ship.

        Raises:
            HTTPException: There is no such ship in the battle that he knows.
        """
        data = await self._hub.encode_ship(self._find_viewer(request), request.path_params["id"])
        if data is None:
            raise HTTPException(*NOT_FOUND)
        return Response(data, media_type="application/json")

    async def serve_report(self, request: Request) -> Response:
        """Answer with the viewer's report; stop making it if the client disconnects.

        Raises:
            HTTPException: He may not read a report now, or it cannot be made.
        """
        viewer = self._find_viewer(request)
        if not self._reports.has_report(viewer):
            raise HTTPException(*NOT_FOUND)
        if request.method == "HEAD":
            return Response(media_type="text/html; charset=utf-8")
        report = ensure_future(self._reports.make_html(viewer))
        disconnected = ensure_future(_wait_until_gone(request))
        try:
            await wait((report, disconnected), return_when=FIRST_COMPLETED)
            html = report.result() if report.done() else None
        except NoReport as fault:
            raise HTTPException(503, str(fault)) from None
        finally:
            report.cancel()
            disconnected.cancel()
        # The link may have become invalid meanwhile.
        if html is None or self._find_viewer(request) != viewer:
            raise HTTPException(*NOT_FOUND)
        return _build_page(html, REPORT)

    async def take_device_request(self, request: Request) -> Response:
        """Store a device's request to use a seat, and record which device the page runs on."""
        seat, data = await self._read_posted(request)
        self._hub.record_device(seat, *await self._hub.inbox.store_request(seat, data))
        return Response(status_code=204)

    async def take_proposal(self, request: Request) -> Response:
        """Store a proposal from a phone; answer `POSTED_S` later, so that the time reveals nothing.

        Raises:
            MessageRefused: It is refused, or the rules cannot read the battle.
        """
        seat, data = await self._read_posted(request)
        work = self._hub.find_seat_work(seat)
        if work is None:
            raise MessageRefused(503, "the rules cannot read this battle")
        wait_over = asyncio.create_task(asyncio.sleep(POSTED_S))
        try:
            await self._hub.inbox.store_proposal(seat, data, work, self._hub.acts)
        finally:
            await wait_over
        self._hub.update_seats()
        return JSONResponse({"state": "waiting"})

    async def _read_posted(self, request: Request) -> tuple[Seat, bytes]:
        """Read a message from a player's page, and return it with its seat.

        Raises:
            MessageRefused: It does not come from a player's page, or is too long.
        """
        seat = self._hub.find_seat(request.path_params["secret"])
        page_origin = f"http://{_find_served_name(request.scope)}"
        # Each list has all values of a header, so a header that is sent twice is refused.
        origins = request.headers.getlist("origin")
        content_types = request.headers.getlist("content-type")
        is_from_page = origins == [page_origin] and content_types == ["application/json"]
        if request.method != POST or seat is None or not is_from_page:
            raise MessageRefused(404)
        data = b""
        # If the client disconnects, the incomplete message is refused later, because it is no valid JSON.
        with suppress(ClientDisconnect):
            async for part in request.stream():
                data += part
                if len(data) > BODY_MOST:
                    raise MessageRefused(404)
        return seat, data

    def _find_viewer(self, request: Request) -> str:
        """Return the viewer of the link.

        Raises:
            HTTPException: The secret is wrong; the answer is that of any wrong path.
        """
        viewer = self._hub.find_viewer(request.path_params["secret"])
        if viewer is None:
            raise HTTPException(*NOT_FOUND)
        return viewer


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _build_refusal(request: Request, fault: Exception) -> Response:
    """Build the answer to a refused request; a refusal without a reason looks like a wrong path."""
    if isinstance(fault, MessageRefused) and fault.why:
        return JSONResponse({"why": fault.why}, fault.status)
    status, text = (fault.status_code, fault.detail) if isinstance(fault, HTTPException) else NOT_FOUND
    return _build_plain(NOT_FOUND if status == NOT_FOUND[0] else (status, text))


def _build_plain(answer: tuple[int, str], headers: Mapping[str, str] | None = None) -> Response:
    """Build an answer of plain text from a status and a text."""
    status, text = answer
    return PlainTextResponse(text, status, headers)


def _build_page(html: str, template: str) -> HTMLResponse:
    """Build the answer with a page; its policy is that of its template."""
    return HTMLResponse(html, headers={"content-security-policy": build_policy(template)})


class _Stream(StreamingResponse):
    """An event stream that is open as long as the hub keeps a place for it."""

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, secret: str, last_event_id: str) -> None:
        super().__init__(())
        self._hub, self._secret, self._last_event_id = hub, secret, last_event_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events of a new stream, or the answer that there is no room."""
        try:
            with self._hub.register_stream() as name:
                self.body_iterator = self._hub.stream_events(self._secret, self._last_event_id, name)
                await super().__call__(scope, receive, send)
        except Full:
            await _build_plain(FULL)(scope, receive, send)


def _find_served_name(scope: Scope) -> str:
    """Return the name that links have for the address at which a request came in."""
    return Address(*scope["server"]).name


_LINK = re.compile(r"/+([A-Za-z0-9_-]{16})(?:/+(report))?(?:[^A-Za-z0-9_-][^A-Za-z0-9]*)?")
"""The path of a page with what chat programs and people add: other slashes, brackets, quotes, full stops."""


class _Guard:
    """A filter that passes on only exact paths at the exact address, and adds headers to all answers.

    A changed link to a page leads to the page. Any other path with other percent encoding of the same letters
    counts as a wrong path.
    """

    def __init__(self, app: ASGIApp, hub: Hub) -> None:
        self._app, self._hub = app, hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here if it must not reach the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                # Begin at the next tick, to hide how long the work took.
                await asyncio.sleep(TICK_S - monotonic() % TICK_S)
                headers = [(name.lower(), value) for name, value in message.get("headers", ())]
                # Pages bring the policy of their template.
                policy = [] if any(b"content-security-policy" in header for header in headers) else [_POLICY]
                message = {**message, "headers": [*headers, *COMMON_HEADERS, *policy]}
            await send(message)

        await (self._find_refusal(scope) or self._app)(scope, receive, send_with_headers)

    def _find_refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a request that must not reach the application, or None."""
        is_post_allowed = scope["method"] == POST and _POSTED.fullmatch(scope["raw_path"])
        if scope["method"] not in METHODS and not is_post_allowed:
            return _build_plain(NOT_METHOD, {"allow": ", ".join(METHODS)})
        head_size = sum(len(b": ".join(header)) + 2 for header in scope["headers"]) + len(scope["raw_path"])
        if head_size > HEAD_MOST:
            return _build_plain(TOO_LONG)
        hosts = [value.lower() for name, value in scope["headers"] if name == b"host"]
        if hosts != [_find_served_name(scope).encode()]:
            return _build_plain(NOT_HOST)
        # `path` is decoded, so a path with escaped characters is not exact.
        is_exact = scope["raw_path"] == scope["path"].encode() and not scope["query_string"]
        page = self._find_page(scope["path"])
        is_page_link = is_exact and scope["path"] == page
        # A link to which a chat program added signs leads to its page.
        if page and scope["method"] in METHODS and not is_page_link:
            return RedirectResponse(page, 302)
        return None if is_exact else _build_plain(NOT_FOUND)

    def _find_page(self, path: str) -> str:
        """Return the exact path of the page or report that `path` means, without extra slashes and marks.

        Return "" if the path means neither, or its secret is wrong.
        """
        link = _LINK.fullmatch(path)
        if link is None or self._hub.find_viewer(link[1]) is None:
            return ""
        return f"/{link[1]}/{link[2] or ''}"


_POLICY = (b"content-security-policy", NOTHING.encode())


@frozen
class ServingOptions:
    """Options for serving a battle.

    Attributes:
        save: Path of the save.
        host: Address to listen at; `ANYWHERE` of `addresses` for all that this computer has.
        port: Port, or None to choose one.
        switch: What the links show, or None to keep it.
        new_links: True to make new links.
        ends_with_input: True to end when the standard input closes.
        propose: True to let players propose from now on; False keeps the setting.
    """

    save: Path
    host: str = HERE
    port: int | None = None
    switch: BoardSwitch | None = None
    new_links: bool = False
    ends_with_input: bool = False
    propose: bool = False


def serve(options: ServingOptions, announce: Callable[[Hub, tuple[Address, ...]], object]) -> None:
    """Serve a battle until the server is stopped.

    Call `announce` once the server can be reached, and again whenever its addresses change.

    Raises:
        QfError: The save, the links or the address cannot be used, or the server fails later.
    """
    follower = Follower(options.save, find_systems())
    links = load_links(options.save) or Links()
    if options.new_links:
        links = links.renew_secrets()
    propose = links.propose or options.propose
    links = evolve(links, switch=options.switch or links.switch, propose=propose)
    listener, address = open_listener(options.host, options.port, links.port)
    with listener:
        # If another board uses the port of the links now, the links keep that port for later.
        port = links.port if links.port and is_taken(options.host, links.port) else address.port
        links = evolve(links, port=port).add_sides(side.id for side in follower.battle.sides)
        links = links.add_seats(follower.battle)
        save_links(options.save, links)
        hub = Hub(follower, links)
        hub.inbox.look(links, follower.battle_id)
        sys.setswitchinterval(THREAD_SLICE_S)
        # Objects loaded by now are kept for good, so the collector need not visit them during each update.
        gc.freeze()
        server = _Server(hub, address, lambda addresses: announce(hub, addresses))
        if options.ends_with_input:
            call_after(wait_for_input_end, server.end)
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
        if server.fault is not None:
            why = f"{type(server.fault).__name__}: {server.fault}"
            raise QfError(f"the board has stopped ({why}). Start it again: its links stay valid.")


class _Server(uvicorn.Server):
    """The server of one board, without output of its own."""

    def __init__(self, hub: Hub, address: Address, announce: Callable[[tuple[Address, ...]], object]) -> None:
        # Each path contains a secret, so no log may contain paths.
        for name in ("uvicorn", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)

        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            """Follow the save and the addresses while the server runs; the end of either ends the server."""
            tasks = [asyncio.create_task(work) for work in (hub.follow(), self._follow_addresses())]
            for task in tasks:
                task.add_done_callback(self._end_with_fault)
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()

        protocol: Any = LimitedProtocol
        super().__init__(
            uvicorn.Config(
                build_application(hub, Reports(hub), lifespan),
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
        self._hub, self._address, self._announce = hub, address, announce
        self._addresses = list_addresses(address.host, address.port)
        self.fault: BaseException | None = None

    async def _follow_addresses(self) -> None:
        """Check the addresses of this computer every `LOOK_AGAIN_S` seconds, and announce each change."""
        while True:
            await asyncio.sleep(LOOK_AGAIN_S)
            addresses = await asyncio.to_thread(list_addresses, self._address.host, self._address.port)
            if addresses != self._addresses:
                self._addresses = addresses
                self._announce(addresses)

    def _end_with_fault(self, task: "asyncio.Task[None]") -> None:
        """End the server because one of its tasks has ended, and keep the fault if there was one."""
        if not task.cancelled():
            self.fault = self.fault or task.exception()
        self.end()

    def end(self) -> None:
        """End the server soon."""
        self.should_exit = True

    async def startup(self, sockets: Any = None) -> None:
        """Start the server, and announce that it can be reached."""
        await super().startup(sockets)
        self._announce(self._addresses)

    async def shutdown(self, sockets: Any = None) -> None:
        """End all streams, then stop the server."""
        self._hub.close()
        await super().shutdown(sockets)
