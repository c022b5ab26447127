"""What a board answers to GET and HEAD, for whoever has a link, and nothing to anybody else; its reports.

Every wrong path gets the same answer, a wrong secret as well as none.
"""

import asyncio
import sys
from asyncio import FIRST_COMPLETED, ensure_future, wait
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import cache

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qf_tui.board.hub import HEAD_MOST, PAGE, REPORT, Full, Hub, page, policy

LONGEST_S = 300
"""Seconds after which nobody waits for a report any more."""


class NoReport(Exception):
    """A report could not be worked out; says so to whoever waits."""


class Reports:
    """The report that each viewer was given last, and the wait for it."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._kept: dict[str, tuple[object, str]] = {}
        self._one = asyncio.Lock()

    def has(self, viewer: str) -> bool:
        """Whether there is a report for a viewer now."""
        shown = self._hub.shown(viewer)
        return shown is not None and shown[0].report

    async def html(self, viewer: str) -> str | None:
        """The report of what a viewer may know, as a page; None where he may not read it, or no longer.

        One process works at a time, and all who ask wait for it; NoReport if there can be none.
        """
        async with self._one:
            follower, switch = self._hub.follower, self._hub.links.switch
            of = follower.battle_id, len(follower.timeline.log), switch
            if not self.has(viewer):
                return None
            if self._kept.get(viewer, ("", ""))[0] != of:
                self._kept[viewer] = of, await _worked_out(str(follower.path), viewer, switch)
            html = self._kept[viewer][1]
        return html if self.has(viewer) and self._hub.links.switch is switch else None


async def _worked_out(save: str, viewer: str, switch: str) -> str:
    words = ("-m", "qf_tui", "report", save, "--html", "--under-board", viewer, switch)
    pipe = asyncio.subprocess.PIPE  # its input, which it ends with, stays open until it is done
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *words), stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    try:
        out = await asyncio.wait_for(process.stdout.read(), LONGEST_S)
        await process.wait()
    except TimeoutError:
        raise NoReport("the report takes too long") from None
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        raise NoReport("the report could not be worked out; try again later")
    return out.decode("utf-8", "replace")


METHODS = ("GET", "HEAD")
NOTHING = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of what is no page."""
EVERYWHERE = (
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"connection", b"close"),
)
"""Headers of every answer."""
NOT_FOUND, NOT_METHOD, NOT_HOST, TOO_LONG, FULL = (
    (404, "there is nothing here"),
    (405, "this page can only be read"),
    (421, "this address is not the one of the link"),
    (431, "this request is too long"),
    (503, "as many look on as there is room for; try again later"),
)

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def answering(hub: Hub, reports: Reports, host: str, lifespan: Lifespan) -> ASGIApp:
    """The application of a board that is called `host` in its links."""
    answers = _Answers(hub, reports)
    made = Starlette(
        routes=[
            Route("/{secret}/", answers.page),
            Route("/{secret}/events", answers.events),
            Route("/{secret}/here/{name}", answers.here),
            Route("/{secret}/ship/{id}", answers.ship),
            Route("/{secret}/report", answers.report),
        ],
        exception_handlers={HTTPException: _refused},
        lifespan=lifespan,
    )
    made.router.redirect_slashes = False
    return _Guard(made, host)


class _Answers:
    """What each path is answered with, by the secret in it."""

    def __init__(self, hub: Hub, reports: Reports) -> None:
        self._hub, self._reports = hub, reports

    async def page(self, request: Request) -> Response:
        return _page(_made_page(_titled(self._hub, self._viewer(request))), PAGE)

    async def events(self, request: Request) -> Response:
        self._viewer(request)
        if request.method == "HEAD":
            return Response(media_type=_Stream.media_type)
        sent = request.headers.get("last-event-id", "")
        return _Stream(self._hub, request.path_params["secret"], sent)

    async def here(self, request: Request) -> Response:
        self._viewer(request)
        self._hub.hear(request.path_params["name"])
        return Response(status_code=204)

    async def ship(self, request: Request) -> Response:
        found = await self._hub.ship(self._viewer(request), request.path_params["id"])
        if found is None:
            raise HTTPException(*NOT_FOUND)
        return Response(found, media_type="application/json")

    async def report(self, request: Request) -> Response:
        viewer = self._viewer(request)
        if not self._reports.has(viewer):
            raise HTTPException(*NOT_FOUND)
        if request.method == "HEAD":
            return Response(media_type="text/html; charset=utf-8")
        worked, gone = ensure_future(self._reports.html(viewer)), ensure_future(_gone(request))
        try:
            await wait((worked, gone), return_when=FIRST_COMPLETED)
            html = worked.result() if worked.done() else None
        except NoReport as fault:
            raise HTTPException(503, str(fault)) from None
        finally:
            worked.cancel()
            gone.cancel()
        if html is None or self._viewer(request) != viewer:
            raise HTTPException(*NOT_FOUND)
        return _page(html, REPORT)

    def _viewer(self, request: Request) -> str:
        """Who has this link; refused as any other wrong path where nobody has."""
        found = self._hub.viewer(request.path_params["secret"])
        if found is None:
            raise HTTPException(*NOT_FOUND)
        return found


async def _gone(request: Request) -> None:
    """Waits until the one who asked has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _refused(request: Request, fault: Exception) -> Response:
    status, text = (fault.status_code, fault.detail) if isinstance(fault, HTTPException) else (500, "")
    return PlainTextResponse(NOT_FOUND[1] if status == NOT_FOUND[0] else text, status)


def _titled(hub: Hub, viewer: str) -> str:
    shown = hub.shown(viewer)
    return " · ".join(part for part in (shown[0].title, shown[0].name) if part) if shown else ""


@cache
def _made_page(title: str) -> str:
    return page(title)


def _page(html: str, template: str) -> HTMLResponse:
    return HTMLResponse(html, headers={"content-security-policy": _policy(template)})


@cache
def _policy(template: str) -> str:
    return policy(template)


class _Stream(StreamingResponse):
    """A stream of events, for as long as there is room for one more to look on."""

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, secret: str, sent: str) -> None:
        super().__init__(())
        self._hub, self._secret, self._sent = hub, secret, sent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._hub.looking_on() as name:
                self.body_iterator = self._hub.stream(self._secret, self._sent, name)
                await super().__call__(scope, receive, send)
        except Full:
            status, text = FULL
            await PlainTextResponse(text, status)(scope, receive, send)


class _Guard:
    """Lets in what asks for a path as it is printed, at the address that is printed; adds the headers of all.

    A path in another spelling of the same letters is another path.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app, self._host = app, host.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [(name.lower(), value) for name, value in message.get("headers", ())]
                more = [] if any(b"content-security-policy" in one for one in given) else [_POLICY]
                message = {**message, "headers": [*given, *EVERYWHERE, *more]}
            await send(message)

        await (self._refusal(scope) or self._app)(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        if scope["method"] not in METHODS:
            status, text = NOT_METHOD
            return PlainTextResponse(text, status, headers={"allow": ", ".join(METHODS)})
        head = sum(len(b": ".join(one)) + 2 for one in scope["headers"]) + len(scope["raw_path"])
        if head > HEAD_MOST:
            return PlainTextResponse(TOO_LONG[1], TOO_LONG[0])
        hosts = [value.lower() for name, value in scope["headers"] if name == b"host"]
        if hosts != [self._host]:
            return PlainTextResponse(NOT_HOST[1], NOT_HOST[0])
        if scope["raw_path"] != scope["path"].encode() or scope["query_string"]:
            return PlainTextResponse(NOT_FOUND[1], NOT_FOUND[0])
        return None


_POLICY = (b"content-security-policy", NOTHING.encode())
