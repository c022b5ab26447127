"""What a board answers to those who mean it no good: 4xx or nothing, and it goes on for all others."""

import json
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from statistics import median
from threading import Thread
from typing import Any

import pytest
from attrs import frozen

from qf_tui.features.board.hub import VIEWERS_MOST
from qf_tui.features.board.inbox import BODY_MOST, BURST
from qf_tui.features.board.links import BACKLOG, compute_token, load_links, save_links
from qf_tui.features.board.serving import HEAD_MOST, OF_ONE_ADDRESS, SLOW_S, SOCKETS_MOST, TICK_S, WHOLE_S
from qf_tui.features.board.tray_files import WAITING_MOST, BesideFile, Proposal, TrayFiles, find_tray_path
from qf_tui.journal.reading import read_save
from tests.console.playing import begin_saved
from tests.features.board import hasty
from tests.features.board.phone import Phone, order, told
from tests.features.board.served import HASTY, PATIENCE, PROGRAM, Answer, Board, all_of, answer_of, served
from tests.posix import read_memory_kb

MEMORY_MOST = 60_000
"""KB that a board may take more than at rest."""


@contextmanager
def attacked(folder: Path, program: Sequence[str] = PROGRAM, *arguments: str) -> Iterator[Board]:
    """A board that is there at the end as it was at the beginning, and so is its save."""
    path = folder / "battle.qfb"
    begin_saved(path).close()
    before = path.read_bytes()
    with served(path, *arguments, program=program) as one:
        yield one
        assert one.asked(one.path()).status == 200
        assert one.process.poll() is None
    assert path.read_bytes() == before


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with attacked(tmp_path_factory.mktemp("board")) as one:
        yield one


@frozen
class Timed:
    """A board whose patience is waited for, and the seconds of that."""

    board: Board
    whole: float


@pytest.fixture(scope="module")
def timed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Timed]:
    """One in haste, or one as it is."""
    with attacked(tmp_path_factory.mktemp("timed"), request.param) as one:
        yield Timed(one, hasty.WHOLE_S if request.param is HASTY else WHOLE_S)


def wrong_paths(board: Board) -> Iterator[str]:
    """Paths that are nobody's."""
    secret = board.links.find_secret("")
    for rest in ("", "events", "report", "favicon.ico", "/", "..", "../..", "%2e%2e/", "*", "?", "#"):
        yield f"/{rest}"
    yield from (f"/{'A' * 16}/", f"/{secret[:-1]}/", f"/{secret}A/", f"/{secret.swapcase()}/", f"/{secret}")
    yield from (f"/{secret}//", f"/{secret}/.", f"/{secret}/../", f"/{secret}/../{secret}/", f"//{secret}/")
    yield from (f"/%{ord(secret[0]):02x}{secret[1:]}/", f"/{secret}%2f", f"/{secret}%00/", f"/{secret};")
    yield from (f"http://{board.host}/{secret}/", f"http://elsewhere/{secret}/", f"/{'x' * 8000}/")
    behind = "%65vents events/ ship/ ship/nobody ship/../events ship/%2e%2e%2fevents x ?a=b \\..\\"
    yield from (f"/{secret}/{rest}" for rest in behind.split())


def test_every_wrong_path_gets_the_same_answer(board: Board) -> None:
    answers = {path: board.asked(path) for path in wrong_paths(board)}
    assert {path: one.status for path, one in answers.items() if one.status != 404} == {}
    assert len({(tuple(one.headers.items()), one.body) for one in answers.values()}) == 1


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "X" * 200]
)
@pytest.mark.parametrize("body", [b"", b"a=b"])
def test_it_can_only_be_read(board: Board, method: str, body: bytes) -> None:
    """Behind a secret as before a wrong one, so that the answer tells neither."""
    for path in (board.path(), board.path("events"), "/wrong/"):
        answer = board.asked(path, method, f"Content-Length: {len(body)}", body=body)
        assert (answer.status, answer.headers.get("allow")) == (405, "GET, HEAD")


PROPOSAL: dict[str, Any] = {"orders": [order("move", "mikasa", distance="3")]}
"""What the page of a player may post."""
POSTS = ("device", "propose")


@pytest.fixture(scope="module")
def proposing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    """A phone that was let in at a board whose players may propose."""
    with attacked(tmp_path_factory.mktemp("proposing"), PROGRAM, "--propose") as one:
        seat = one.links.seats[0]
        phone = Phone(one, seat.id)
        assert phone.asks().status == 204
        assert soon(lambda: bool(tray_of(one).items))
        phone.let_in()
        assert soon(lambda: phone.proposes(**PROPOSAL).status == 200)
        yield phone


def tray_of(board: Board) -> BesideFile:
    """What its tray holds."""
    found = TrayFiles.from_save(board.save, read_save(board.save).first_sum).tray
    found.look()
    return found


def body_of(phone: Phone, rest: str, **more: object) -> dict[str, object]:
    """A whole body that is taken."""
    given = {"token": compute_token(phone.seat.secret), "device": phone.device}
    return {**given, **({"id": token_hex(16), **PROPOSAL} if rest == "propose" else {}), **more}


def forged(phone: Phone) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Headers that no page of a board's own sends."""
    host, kind = phone.board.host, "Content-Type: application/json"
    own = f"Origin: http://{host}"
    for origin in (
        "null",
        f"https://{host}",
        "http://evil.example",
        f"http://{host}/",
        f"http://{host}.x",
        "",
    ):
        yield f"Origin {origin}", (f"Origin: {origin}", kind)
    yield "no Origin", (kind,)
    yield "two Origins", (own, own, kind)
    for other in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        yield f"a {other}", (own, f"Content-Type: {other}")
    yield "another set of signs", (own, f"{kind}; charset=utf-16")
    yield "no kind", (own,)
    yield "two kinds", (own, kind, kind)


@pytest.mark.parametrize("rest", POSTS)
def test_what_is_posted_by_no_page_of_ours_is_a_wrong_path(proposing: Phone, rest: str) -> None:
    """Whatever is wrong with it: its answer is that of a wrong secret, and the tray is as before."""
    board, before = proposing.board, tray_of(proposing.board).items

    def posted(*heads: str, secret: str = "", **more: Any) -> Answer:
        return proposing.posts(rest, body_of(proposing, rest, **more), *heads, secret=secret)

    wrong = posted(secret="A" * 16)
    answers = {name: posted(*heads) for name, heads in forged(proposing)}
    for secret in (board.links.seats[1].secret, board.links.find_secret(""), board.links.find_secret("red")):
        answers[f"to {secret}"] = posted(secret=secret)
    changed: tuple[dict[str, Any], ...] = (
        {"token": "0" * 32},
        {"token": None},
        {"device": "x"},
        {"device": ["0f" * 16]},
        {"more": 1},
    )
    answers |= {f"{more}": posted(**more) for more in changed}
    whole = json.dumps(body_of(proposing, rest)).encode()
    for data in (b"", b"null", b"[" * 4096, whole + b" " * BODY_MOST, whole[:-1], b"\xff" + whole, whole * 2):
        answers[f"{data[:9]!r} {len(data)}"] = proposing.posts(rest, data)
    if rest == "propose":
        answers["another device"] = proposing.posts(rest, body_of(proposing, rest, device="1f" * 16))
    answers["read"] = board.asked(f"/{proposing.seat.secret}/{rest}")
    assert {name: one.status for name, one in answers.items() if one != wrong} == {}
    assert wrong.status == 404
    assert tray_of(board).items == before


@pytest.mark.parametrize("length", ["4097", "99999999999", "-1", "x", "5, 5"])
def test_a_body_that_is_too_long_is_not_waited_for(proposing: Phone, length: str) -> None:
    before = read_memory_kb(proposing.board.process.pid)
    heads = (f"Origin: http://{proposing.board.host}", "Content-Type: application/json")
    lines = [f"POST /{proposing.seat.secret}/propose HTTP/1.1", f"Host: {proposing.board.host}", *heads]
    lines.append(f"Content-Length: {length}")
    answer = proposing.board.told("\r\n".join([*lines, "", ""]).encode() + b" " * 5000)
    assert answer.status in (0, 400, 404)
    assert read_memory_kb(proposing.board.process.pid) < before + MEMORY_MOST


def test_a_body_without_an_end_is_dropped(proposing: Phone) -> None:
    heads = (f"Origin: http://{proposing.board.host}", "Content-Type: application/json")
    lines = [f"POST /{proposing.seat.secret}/propose HTTP/1.1", f"Host: {proposing.board.host}", *heads]
    chunks = "\r\n".join([*lines, "Transfer-Encoding: chunked", "", ""]).encode() + b"fff\r\n" + b"x" * 4095
    assert proposing.board.told(chunks + b"\r\nfff\r\n" + b"x" * 4095).status in (0, 400, 404)


def test_control_signs_in_a_remark_are_no_remark(proposing: Phone) -> None:
    for sign in ("\x1b[2J", "\u202e", "\u2028", "\ud800", "\n"):
        data = json.dumps(body_of(proposing, "propose", remark=sign), ensure_ascii=sign == "\ud800")
        assert proposing.posts("propose", data.encode()).status == 404


def test_many_posts_are_too_many_for_a_link_and_for_nobody_else(proposing: Phone) -> None:
    board = proposing.board
    answers = {proposing.proposes(handle="x", dice=[1]).status for _ in range(2 * BURST)}
    assert answers == {400, 429}
    other = Phone(board, board.links.seats[1].id)
    assert other.asks().status == 204
    assert len(tray_of(board).items) < 4 * BURST


def test_posts_at_one_time_wait_for_each_other(tmp_path: Path) -> None:
    """No more waits than may, and the link that is revoked ends at once, its stream with it."""
    with attacked(tmp_path, PROGRAM, "--propose") as board:
        phone = Phone(board, board.links.seats[0].id)
        phone.asks()
        phone.let_in()
        assert soon(lambda: phone.proposes(**PROPOSAL).status == 200)
        longest = json.dumps(body_of(phone, "propose")).encode().ljust(BODY_MOST)
        assert [phone.posts("propose", data).status for data in (longest, longest + b" ")] == [200, 404]
        with ThreadPoolExecutor(OF_ONE_ADDRESS) as pool:
            statuses = [*pool.map(lambda _: phone.proposes(**PROPOSAL).status, range(BURST - 5))]
        assert set(statuses) == {200, 429}
        before = tray_of(board).items
        assert sum(isinstance(item, Proposal) for item in before) == WAITING_MOST
        old = phone.seat.secret
        with board.at(old) as stream:
            assert told(stream)["player"] == phone.seat.name
            save_links(board.save, board.links.revoke_seat(phone.seat_id))
            assert stream.ended()
        body = {**body_of(phone, "propose"), "token": compute_token(old)}
        assert phone.posts("propose", body, secret=old) == board.asked("/wrong/")
        assert phone.proposes(**PROPOSAL).status == 404, "its phone is out at the new link too"
        assert tray_of(board).items == before


def test_while_players_may_not_propose_their_links_are_wrong_paths(board: Board) -> None:
    assert not board.links.propose
    phone = Phone(board, board.links.seats[0].id)
    wrong = board.asked("/wrong/")
    assert board.asked(f"/{phone.seat.secret}/") == board.asked(f"/{phone.seat.secret}/events") == wrong
    assert phone.asks() == phone.proposes(**PROPOSAL) == wrong
    assert not find_tray_path(board.save).exists()


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "[::1]:80", "0.0.0.0"]
)
def test_another_host_than_that_of_the_link_is_refused(board: Board, host: str) -> None:
    """Catches a name that a stranger's page has this address for."""
    assert board.asked(board.path(), host=host).status == 421


def test_no_host_or_two_are_refused(board: Board) -> None:
    path, host = board.path(), board.host
    assert board.told(f"GET {path} HTTP/1.0\r\n\r\n".encode()).status == 421
    assert board.told(f"GET {path} HTTP/1.1\r\n\r\n".encode()).status == 400
    assert board.asked(path, "GET", "Host: evil.example").status in (400, 421)
    assert board.told(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode()).status == 200


GARBAGE = [
    b"\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost : a\r\n\r\n",
    b"GET / HTTP/1.1\nHost: a\n\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nzzz",
    b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x00" * 100_000,
]


@pytest.mark.parametrize("data", GARBAGE, ids=range(len(GARBAGE)))
def test_what_is_no_request_is_refused_or_dropped(board: Board, data: bytes) -> None:
    with board.connected() as one:
        one.sendall(data)
        one.shutdown(socket.SHUT_WR)
        answer = answer_of(all_of(one))
    assert answer.status == 0 or 400 <= answer.status < 500


@pytest.mark.parametrize("size", [HEAD_MOST + 1, 10_000_000])
@pytest.mark.parametrize("form", ["GET /{} HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n"])
def test_what_is_too_long_is_refused(board: Board, size: int, form: str) -> None:
    before = read_memory_kb(board.process.pid)
    answer = board.told(form.format("x" * size).encode())
    assert answer.status == 0 or 400 <= answer.status < 500
    assert read_memory_kb(board.process.pid) < before + MEMORY_MOST


@pytest.mark.parametrize("headers", [("X: " + "x" * 100_000,), ("X: y",) * 5000])
def test_a_whole_head_that_is_too_long_is_refused(board: Board, headers: tuple[str, ...]) -> None:
    assert board.asked(board.path(), "GET", *headers).status in (0, 400, 431)


def test_many_requests_in_one_go_are_one(board: Board) -> None:
    """What follows the first on its connection is not looked at."""
    request = f"GET {board.path()} HTTP/1.1\r\nHost: {board.host}\r\n\r\n".encode()
    answer = board.told(request * 500)
    assert answer.status == 200
    assert answer.headers["connection"] == "close"
    assert answer.body.count(b"<!DOCTYPE html>") == 1


def test_headers_let_nothing_foreign_in_and_nothing_out(board: Board) -> None:
    for path in (board.path(), board.path("report"), board.path("ship/mikasa"), "/wrong/"):
        for method in ("GET", "HEAD"):
            answer = board.asked(path, method)
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")
            assert "server" not in answer.headers
            assert "date" not in answer.headers
            assert method == "GET" or not answer.body
    assert "'unsafe" not in board.asked(board.path()).headers["content-security-policy"]


def test_one_address_has_few_connections_and_others_are_none_the_worse(board: Board) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(board.connected("127.0.0.9")) for _ in range(OF_ONE_ADDRESS)]
        for one in held:
            one.sendall(b"G")
        time.sleep(0.2)
        refused = board.told(
            f"GET {board.path()} HTTP/1.1\r\nHost: {board.host}\r\n\r\n".encode(), "127.0.0.9"
        )
        assert refused.status == 0
        assert board.asked(board.path()).status == 200


@pytest.mark.parametrize("timed", [HASTY, pytest.param(PROGRAM, marks=pytest.mark.long)], indirect=True)
def test_a_request_is_there_whole_in_time_or_its_connection_is_closed(timed: Timed) -> None:
    """Those who say nothing, those who never end, and those whose body never comes; and others go on."""
    board = timed.board
    path, host = board.path("events"), board.host
    begun = [b"", b"G", b"GET / HTTP/1.1\r\nHost: ", f"GET {path} HTTP/1.1\r\nHost: {host}\r\n".encode()]
    begun.append(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\n".encode())
    with ExitStack() as stack:
        held = [stack.enter_context(board.connected(f"127.0.1.{at}")) for at in range(1, len(begun) + 1)]
        began = time.monotonic()
        for one, data in zip(held, begun, strict=True):
            one.sendall(data)
        while time.monotonic() < began + timed.whole / 2:
            assert board.asked(board.path()).status == 200
            for one in held[1:3]:
                one.sendall(b"x")
            time.sleep(timed.whole / 10)
        for one in held:
            all_of(one)
        assert time.monotonic() < began + PATIENCE


def test_no_more_look_on_than_there_is_room_for(board: Board) -> None:
    with ExitStack() as stack:
        for at in range(VIEWERS_MOST):
            stream = stack.enter_context(board.stream("", f"127.0.2.{1 + at // OF_ONE_ADDRESS}"))
            assert stream.next() is not None
        assert board.asked(board.path("events")).status == 503
        assert board.asked(board.path()).status == 200
    assert soon(lambda: looks_on(board))


TURNS_LEAST = 3


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something holds within ten seconds."""
    until = time.monotonic() + 10
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def looks_on(board: Board) -> bool:
    with board.stream() as stream:
        return stream.next() is not None


def opened_and_left(board: Board, count: int) -> None:
    """Many connections of many addresses, left alone; the board is there again once they are dropped."""
    before = read_memory_kb(board.process.pid)
    with ExitStack() as stack:
        addresses = [f"127.1.{at // 250}.{1 + at % 250}" for at in range(count)]
        held = [stack.enter_context(board.connected(address)) for address in addresses]
        last = time.monotonic()
        for one in held:
            assert not all_of(one)
        assert time.monotonic() < last + PATIENCE
        assert board.asked(board.path()).status == 200
    assert read_memory_kb(board.process.pid) < before + MEMORY_MOST


def test_there_are_no_more_connections_than_there_is_room_for(board: Board) -> None:
    """Of all addresses together; they are gone with those who held them."""
    with ExitStack() as stack:
        addresses = [f"127.0.4.{1 + at // OF_ONE_ADDRESS}" for at in range(SOCKETS_MOST)]
        for at, address in enumerate(addresses):
            if at % (BACKLOG // 2) == 0:
                # Its answer comes behind those who wait to be let in, of whom the system keeps only so many.
                assert board.asked(board.path()).status == 200
            stack.enter_context(board.connected(address)).sendall(b"G")
        request = f"GET {board.path()} HTTP/1.1\r\nHost: {board.host}\r\n\r\n".encode()
        assert board.told(request, "127.0.5.1").status == 0
    assert soon(lambda: board.told(request, "127.0.5.1").status == 200)


@pytest.mark.parametrize(
    ("timed", "times", "count"),
    [(HASTY, 1, 60), pytest.param(PROGRAM, 5, 1000, marks=pytest.mark.long)],
    indirect=["timed"],
)
def test_connections_that_are_opened_and_left_are_dropped(timed: Timed, times: int, count: int) -> None:
    for _ in range(times):
        opened_and_left(timed.board, count)


@pytest.mark.parametrize(
    ("readers", "seconds"), [(3, 0), pytest.param(29, 3 * SLOW_S, marks=pytest.mark.long)]
)
def test_nobody_waits_for_who_does_not_read(board: Board, readers: int, seconds: float) -> None:
    """A browser that sleeps: the switch is turned until more is sent than the systems between keep."""
    before = read_memory_kb(board.process.pid)
    with ExitStack() as stack:
        asleep = [
            stack.enter_context(board.connected(f"127.3.0.{at}", takes=4096)) for at in range(1, readers + 1)
        ]
        for one in asleep:
            one.sendall(f"GET {board.path('events')} HTTP/1.1\r\nHost: {board.host}\r\n\r\n".encode())
        with board.stream() as awake:
            awake.next()
            until = time.monotonic() + seconds
            turned = 0
            while turned < TURNS_LEAST or time.monotonic() < until:
                save_links(board.save, board.links.turn_switch())
                assert awake.next() is not None
                turned += 1
        for one in asleep if seconds else ():
            assert len(all_of(one)) < 1_000_000
    assert read_memory_kb(board.process.pid) < before + MEMORY_MOST


@pytest.mark.parametrize("polls", [40, pytest.param(200, marks=pytest.mark.long)])
def test_declarations_do_not_show_in_how_long_others_wait(proposing: Phone, polls: int) -> None:
    """By turns another link polls while somebody declares and while nobody does."""
    board = proposing.board
    waits: dict[bool, list[float]] = {True: [], False: []}
    for poll in range(polls):
        declares = poll % 2 == 0
        thread = Thread(target=proposing.proposes, kwargs=PROPOSAL) if declares else None
        if thread is not None:
            thread.start()
        began = time.monotonic()
        board.asked(board.path("here/x", "russia"))
        waits[declares].append(time.monotonic() - began)
        if thread is not None:
            thread.join()
    quiet, busy = (median(waits[declares]) for declares in (False, True))
    assert abs(busy - quiet) < TICK_S, waits


def test_a_second_board_takes_no_port_away_from_the_first(tmp_path: Path) -> None:
    """Catches printed links that lead nowhere once the second board has ended."""
    with attacked(tmp_path, HASTY) as first:
        with served(first.save, program=HASTY) as second:
            assert second.port != first.port
        found = load_links(first.save)
        assert found is not None
        assert found.port == first.port
