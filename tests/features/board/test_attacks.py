"""A board under attack answers 4xx or nothing, and goes on for everybody else."""

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

from qf_tui.features.board.addresses import BACKLOG
from qf_tui.features.board.hub import VIEWERS_MOST
from qf_tui.features.board.inbox import BODY_MOST, BURST
from qf_tui.features.board.links import compute_token, load_links, save_links
from qf_tui.features.board.serving import (
    HEAD_MOST,
    SLOW_S,
    SOCKETS_MOST,
    SOCKETS_OF_ADDRESS_MOST,
    TICK_S,
    WHOLE_S,
)
from qf_tui.features.board.tray_files import WAITING_MOST, BesideFile, Proposal, TrayFiles, find_tray_path
from qf_tui.journal.reading import read_save
from tests.console.playing import begin_saved
from tests.features.board import hasty
from tests.features.board.phone import Phone, order, read_seat_state
from tests.features.board.served import (
    HASTY,
    PATIENCE,
    PROGRAM,
    Answer,
    Board,
    parse_answer,
    read_all,
    run_board,
)
from tests.posix import read_memory_kb

MEMORY_MOST = 60_000
"""Memory in kB that a board may take beyond its memory at rest."""


@contextmanager
def run_attacked_board(folder: Path, program: Sequence[str] = PROGRAM, *arguments: str) -> Iterator[Board]:
    """Run a board, and check that it and its save are unharmed at the end."""
    path = folder / "battle.qfb"
    begin_saved(path).close()
    before = path.read_bytes()
    with run_board(path, *arguments, program=program) as one:
        yield one
        assert one.request(one.build_path()).status == 200
        assert one.process.poll() is None
    assert path.read_bytes() == before


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with run_attacked_board(tmp_path_factory.mktemp("board")) as one:
        yield one


@frozen
class Timed:
    """A board, and the seconds that it waits for a whole request."""

    board: Board
    whole: float


@pytest.fixture(scope="module")
def timed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Timed]:
    """Run a hasty board, or one with its usual timeouts."""
    with run_attacked_board(tmp_path_factory.mktemp("timed"), request.param) as one:
        yield Timed(one, hasty.WHOLE_S if request.param is HASTY else WHOLE_S)


def list_wrong_paths(board: Board) -> Iterator[str]:
    """Yield paths that lead to no viewer."""
    secret = board.links.find_secret("")
    for rest in ("", "events", "report", "favicon.ico", "/", "..", "../..", "%2e%2e/", "*", "?", "#"):
        yield f"/{rest}"
    wrong_secrets = ("A" * 16, secret[:-1], f"{secret}A", f"{secret}-", secret.swapcase())
    yield from (f"{before}/{wrong}{behind}" for wrong in wrong_secrets for before, behind in CHANGES)
    yield from (f"/{secret}/../{secret}/", f"/{secret}%41/", f"/{secret}/reports", f"/{secret}.report")
    yield from (f"http://{board.host}/{secret}/", f"http://elsewhere/{secret}/", f"/{'x' * 8000}/")
    behind = "%65vents events/ events?a=b ship/ ship/nobody ship/../events ship/%2e%2e%2fevents x"
    yield from (f"/{secret}/{rest}" for rest in behind.split())


CHANGES = (
    *(
        ("", behind)
        for behind in ("", "?fbclid=IwAR0_x-1", "/?fbclid=a&b=/c", ")", "/)", "/.", ".", "/>", "//")
    ),
    *(("", behind) for behind in ("/%22", "%E2%80%9D", "/%e2%80%8b", "/..,", "/_", ";", "%2f", "/*", "?")),
    ("/", "/"),
    ("/", "//)?"),
)
"""What people and their programs put before and behind a link; Facebook adds `fbclid`."""


@pytest.mark.parametrize("before_behind", CHANGES, ids=map("SECRET".join, CHANGES))
@pytest.mark.parametrize("page", ["", "report"])
def test_a_changed_link_leads_to_its_page(board: Board, before_behind: tuple[str, str], page: str) -> None:
    before, behind = before_behind
    secret = board.links.find_secret("blue")
    right_path = f"/{secret}/{page}"
    changed_path = f"{before}/{secret}{'/' * bool(page)}{page}{behind}"
    for method in ("GET", "HEAD"):
        answer = board.request(changed_path, method)
        if changed_path.rstrip("?") == right_path:
            assert answer.status == 200
            continue
        assert (answer.status, answer.headers.get("location")) == (302, right_path)
        assert "no-store" in answer.headers["cache-control"]
    assert board.request(right_path, "HEAD").status == 200


def test_every_wrong_path_gets_the_same_answer(board: Board) -> None:
    answers = {path: board.request(path) for path in list_wrong_paths(board)}
    assert {path: one.status for path, one in answers.items() if one.status != 404} == {}
    assert len({(tuple(one.headers.items()), one.body) for one in answers.values()}) == 1


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "X" * 200]
)
@pytest.mark.parametrize("body", [b"", b"a=b"])
def test_a_board_can_only_be_read(board: Board, method: str, body: bytes) -> None:
    """Give the same answer below a right and a wrong secret, so that it reveals neither."""
    for path in (board.build_path(), board.build_path("events"), "/wrong/"):
        answer = board.request(path, method, f"Content-Length: {len(body)}", body=body)
        assert (answer.status, answer.headers.get("allow")) == (405, "GET, HEAD")


PROPOSAL: dict[str, Any] = {"orders": [order("move", "mikasa", distance="3")]}
"""A proposal that a player's page may post."""
POSTS = ("device", "propose")


@pytest.fixture(scope="module")
def proposing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    """Yield a phone that was let in at a board whose players may propose."""
    with run_attacked_board(tmp_path_factory.mktemp("proposing"), PROGRAM, "--propose") as one:
        seat = one.links.seats[0]
        phone = Phone(one, seat.id)
        assert phone.ask().status == 204
        assert wait_until(lambda: bool(read_tray(one).items))
        phone.let_in()
        assert wait_until(lambda: phone.propose(**PROPOSAL).status == 200)
        yield phone


def read_tray(board: Board) -> BesideFile:
    """Read the tray of a board."""
    found = TrayFiles.from_save(board.save, read_save(board.save).first_sum).tray
    found.look()
    return found


def build_body(phone: Phone, rest: str, **more: object) -> dict[str, object]:
    """Build a valid body of a post."""
    given = {"token": compute_token(phone.seat.secret), "device": phone.device}
    return {**given, **({"id": token_hex(16), **PROPOSAL} if rest == "propose" else {}), **more}


def list_forged_headers(phone: Phone) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield headers that no page of a board sends."""
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
def test_a_forged_post_gets_the_answer_of_a_wrong_path(proposing: Phone, rest: str) -> None:
    """Leave the tray unchanged, whatever is wrong with the post."""
    board, before = proposing.board, read_tray(proposing.board).items

    def post(*heads: str, secret: str = "", **more: Any) -> Answer:
        return proposing.post(rest, build_body(proposing, rest, **more), *heads, secret=secret)

    wrong = post(secret="A" * 16)
    answers = {name: post(*heads) for name, heads in list_forged_headers(proposing)}
    for secret in (board.links.seats[1].secret, board.links.find_secret(""), board.links.find_secret("red")):
        answers[f"to {secret}"] = post(secret=secret)
    changed: tuple[dict[str, Any], ...] = (
        {"token": "0" * 32},
        {"token": None},
        {"device": "x"},
        {"device": ["0f" * 16]},
        {"more": 1},
    )
    answers |= {f"{more}": post(**more) for more in changed}
    whole = json.dumps(build_body(proposing, rest)).encode()
    for data in (b"", b"null", b"[" * 4096, whole + b" " * BODY_MOST, whole[:-1], b"\xff" + whole, whole * 2):
        answers[f"{data[:9]!r} {len(data)}"] = proposing.post(rest, data)
    if rest == "propose":
        answers["another device"] = proposing.post(rest, build_body(proposing, rest, device="1f" * 16))
    answers["read"] = board.request(f"/{proposing.seat.secret}/{rest}")
    assert {name: one.status for name, one in answers.items() if one != wrong} == {}
    assert wrong.status == 404
    assert read_tray(board).items == before


@pytest.mark.parametrize("length", ["4097", "99999999999", "-1", "x", "5, 5"])
def test_a_body_that_is_too_long_is_not_waited_for(proposing: Phone, length: str) -> None:
    before = read_memory_kb(proposing.board.process.pid)
    heads = (f"Origin: http://{proposing.board.host}", "Content-Type: application/json")
    lines = [f"POST /{proposing.seat.secret}/propose HTTP/1.1", f"Host: {proposing.board.host}", *heads]
    lines.append(f"Content-Length: {length}")
    answer = proposing.board.send("\r\n".join([*lines, "", ""]).encode() + b" " * 5000)
    assert answer.status in (0, 400, 404)
    assert read_memory_kb(proposing.board.process.pid) < before + MEMORY_MOST


def test_a_body_without_an_end_is_dropped(proposing: Phone) -> None:
    heads = (f"Origin: http://{proposing.board.host}", "Content-Type: application/json")
    lines = [f"POST /{proposing.seat.secret}/propose HTTP/1.1", f"Host: {proposing.board.host}", *heads]
    chunks = "\r\n".join([*lines, "Transfer-Encoding: chunked", "", ""]).encode() + b"fff\r\n" + b"x" * 4095
    assert proposing.board.send(chunks + b"\r\nfff\r\n" + b"x" * 4095).status in (0, 400, 404)


def test_a_remark_with_control_characters_is_refused(proposing: Phone) -> None:
    for sign in ("\x1b[2J", "\u202e", "\u2028", "\ud800", "\n"):
        data = json.dumps(build_body(proposing, "propose", remark=sign), ensure_ascii=sign == "\ud800")
        assert proposing.post("propose", data.encode()).status == 404


def test_too_many_posts_block_only_their_own_link(proposing: Phone) -> None:
    board = proposing.board
    answers = {proposing.propose(handle="x", dice=[1]).status for _ in range(2 * BURST)}
    assert answers == {400, 429}
    other = Phone(board, board.links.seats[1].id)
    assert other.ask().status == 204
    assert len(read_tray(board).items) < 4 * BURST


def test_simultaneous_posts_are_handled_one_by_one(tmp_path: Path) -> None:
    """Limit the waiting proposals, and end a revoked link with its stream at once."""
    with run_attacked_board(tmp_path, PROGRAM, "--propose") as board:
        phone = Phone(board, board.links.seats[0].id)
        phone.ask()
        phone.let_in()
        assert wait_until(lambda: phone.propose(**PROPOSAL).status == 200)
        longest = json.dumps(build_body(phone, "propose")).encode().ljust(BODY_MOST)
        assert [phone.post("propose", data).status for data in (longest, longest + b" ")] == [200, 404]
        with ThreadPoolExecutor(SOCKETS_OF_ADDRESS_MOST) as pool:
            statuses = [*pool.map(lambda _: phone.propose(**PROPOSAL).status, range(BURST - 5))]
        assert set(statuses) == {200, 429}
        before = read_tray(board).items
        assert sum(isinstance(item, Proposal) for item in before) == WAITING_MOST
        old = phone.seat.secret
        with board.follow_secret(old) as stream:
            assert read_seat_state(stream)["player"] == phone.seat.name
            save_links(board.save, board.links.revoke_seat(phone.seat_id))
            assert stream.has_ended()
        body = {**build_body(phone, "propose"), "token": compute_token(old)}
        assert phone.post("propose", body, secret=old) == board.request("/wrong/")
        assert phone.propose(**PROPOSAL).status == 404, "its phone is out at the new link too"
        assert read_tray(board).items == before


def test_player_links_are_wrong_paths_while_players_may_not_propose(board: Board) -> None:
    assert not board.links.propose
    phone = Phone(board, board.links.seats[0].id)
    wrong = board.request("/wrong/")
    assert board.request(f"/{phone.seat.secret}/") == board.request(f"/{phone.seat.secret}/events") == wrong
    assert phone.ask() == phone.propose(**PROPOSAL) == wrong
    assert not find_tray_path(board.save).exists()


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "[::1]:80", "0.0.0.0"]
)
def test_a_host_other_than_that_of_the_link_is_refused(board: Board, host: str) -> None:
    """Guard against a foreign page whose host name resolves to this address."""
    assert board.request(board.build_path(), host=host).status == 421


def test_a_request_with_no_host_or_two_is_refused(board: Board) -> None:
    path, host = board.build_path(), board.host
    assert board.send(f"GET {path} HTTP/1.0\r\n\r\n".encode()).status == 421
    assert board.send(f"GET {path} HTTP/1.1\r\n\r\n".encode()).status == 400
    assert board.request(path, "GET", "Host: evil.example").status in (400, 421)
    assert board.send(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode()).status == 200


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
def test_garbage_is_refused_or_dropped(board: Board, data: bytes) -> None:
    with board.connect() as one:
        one.sendall(data)
        one.shutdown(socket.SHUT_WR)
        answer = parse_answer(read_all(one))
    assert answer.status == 0 or 400 <= answer.status < 500


@pytest.mark.parametrize("size", [HEAD_MOST + 1, 10_000_000])
@pytest.mark.parametrize("form", ["GET /{} HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n"])
def test_a_line_that_is_too_long_is_refused(board: Board, size: int, form: str) -> None:
    before = read_memory_kb(board.process.pid)
    answer = board.send(form.format("x" * size).encode())
    assert answer.status == 0 or 400 <= answer.status < 500
    assert read_memory_kb(board.process.pid) < before + MEMORY_MOST


@pytest.mark.parametrize("headers", [("X: " + "x" * 100_000,), ("X: y",) * 5000])
def test_a_whole_head_that_is_too_long_is_refused(board: Board, headers: tuple[str, ...]) -> None:
    assert board.request(board.build_path(), "GET", *headers).status in (0, 400, 431)


def test_only_the_first_request_of_a_connection_is_answered(board: Board) -> None:
    request = f"GET {board.build_path()} HTTP/1.1\r\nHost: {board.host}\r\n\r\n".encode()
    answer = board.send(request * 500)
    assert answer.status == 200
    assert answer.headers["connection"] == "close"
    assert answer.body.count(b"<!DOCTYPE html>") == 1


def test_headers_forbid_caches_referrers_and_foreign_content(board: Board) -> None:
    for path in (board.build_path(), board.build_path("report"), board.build_path("ship/mikasa"), "/wrong/"):
        for method in ("GET", "HEAD"):
            answer = board.request(path, method)
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")
            assert "server" not in answer.headers
            assert "date" not in answer.headers
            assert method == "GET" or not answer.body
    assert "'unsafe" not in board.request(board.build_path()).headers["content-security-policy"]


def test_one_address_gets_few_connections_and_others_are_served(board: Board) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(board.connect("127.0.0.9")) for _ in range(SOCKETS_OF_ADDRESS_MOST)]
        for one in held:
            one.sendall(b"G")
        time.sleep(0.2)
        refused = board.send(
            f"GET {board.build_path()} HTTP/1.1\r\nHost: {board.host}\r\n\r\n".encode(), "127.0.0.9"
        )
        assert refused.status == 0
        assert board.request(board.build_path()).status == 200


@pytest.mark.parametrize("timed", [HASTY, pytest.param(PROGRAM, marks=pytest.mark.long)], indirect=True)
def test_a_slow_request_has_its_connection_closed(timed: Timed) -> None:
    """Serve others while clients send nothing, never end, or owe their body."""
    board = timed.board
    path, host = board.build_path("events"), board.host
    begun = [b"", b"G", b"GET / HTTP/1.1\r\nHost: ", f"GET {path} HTTP/1.1\r\nHost: {host}\r\n".encode()]
    begun.append(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\n".encode())
    with ExitStack() as stack:
        held = [stack.enter_context(board.connect(f"127.0.1.{at}")) for at in range(1, len(begun) + 1)]
        began = time.monotonic()
        for one, data in zip(held, begun, strict=True):
            one.sendall(data)
        while time.monotonic() < began + timed.whole / 2:
            assert board.request(board.build_path()).status == 200
            for one in held[1:3]:
                one.sendall(b"x")
            time.sleep(timed.whole / 10)
        for one in held:
            read_all(one)
        assert time.monotonic() < began + PATIENCE


def test_a_stream_beyond_the_limit_is_refused(board: Board) -> None:
    with ExitStack() as stack:
        for at in range(VIEWERS_MOST):
            stream = stack.enter_context(board.follow("", f"127.0.2.{1 + at // SOCKETS_OF_ADDRESS_MOST}"))
            assert stream.read_event() is not None
        assert board.request(board.build_path("events")).status == 503
        assert board.request(board.build_path()).status == 200
    assert wait_until(lambda: can_follow(board))


TURNS_LEAST = 3


def wait_until(holds: Callable[[], bool]) -> bool:
    """Wait up to ten seconds for a condition and return whether it came true."""
    until = time.monotonic() + 10
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def can_follow(board: Board) -> bool:
    with board.follow() as stream:
        return stream.read_event() is not None


def leave_connections_open(board: Board, count: int) -> None:
    """Leave connections of many addresses idle until the board drops them and answers again."""
    before = read_memory_kb(board.process.pid)
    with ExitStack() as stack:
        addresses = [f"127.1.{at // 250}.{1 + at % 250}" for at in range(count)]
        held = [stack.enter_context(board.connect(address)) for address in addresses]
        last = time.monotonic()
        for one in held:
            assert not read_all(one)
        assert time.monotonic() < last + PATIENCE
        assert board.request(board.build_path()).status == 200
    assert read_memory_kb(board.process.pid) < before + MEMORY_MOST


def test_a_connection_beyond_the_limit_is_refused(board: Board) -> None:
    """Count all addresses together, until those connections close."""
    with ExitStack() as stack:
        addresses = [f"127.0.4.{1 + at // SOCKETS_OF_ADDRESS_MOST}" for at in range(SOCKETS_MOST)]
        for at, address in enumerate(addresses):
            if at % (BACKLOG // 2) == 0:
                # The answer shows that the queue of connections, which has a limit, was accepted.
                assert board.request(board.build_path()).status == 200
            stack.enter_context(board.connect(address)).sendall(b"G")
        request = f"GET {board.build_path()} HTTP/1.1\r\nHost: {board.host}\r\n\r\n".encode()
        assert board.send(request, "127.0.5.1").status == 0
    assert wait_until(lambda: board.send(request, "127.0.5.1").status == 200)


@pytest.mark.parametrize(
    ("timed", "times", "count"),
    [(HASTY, 1, 60), pytest.param(PROGRAM, 5, 1000, marks=pytest.mark.long)],
    indirect=["timed"],
)
def test_idle_connections_are_dropped(timed: Timed, times: int, count: int) -> None:
    for _ in range(times):
        leave_connections_open(timed.board, count)


@pytest.mark.parametrize(
    ("readers", "seconds"), [(3, 0), pytest.param(29, 3 * SLOW_S, marks=pytest.mark.long)]
)
def test_a_client_that_reads_nothing_delays_no_other(board: Board, readers: int, seconds: float) -> None:
    """Turn the switch until the board has sent more than the network buffers of a sleeping browser hold."""
    before = read_memory_kb(board.process.pid)
    with ExitStack() as stack:
        asleep = [
            stack.enter_context(board.connect(f"127.3.0.{at}", takes=4096)) for at in range(1, readers + 1)
        ]
        for one in asleep:
            one.sendall(f"GET {board.build_path('events')} HTTP/1.1\r\nHost: {board.host}\r\n\r\n".encode())
        with board.follow() as awake:
            awake.read_event()
            until = time.monotonic() + seconds
            turned = 0
            while turned < TURNS_LEAST or time.monotonic() < until:
                save_links(board.save, board.links.turn_switch())
                assert awake.read_event() is not None
                turned += 1
        for one in asleep if seconds else ():
            assert len(read_all(one)) < 1_000_000
    assert read_memory_kb(board.process.pid) < before + MEMORY_MOST


@pytest.mark.parametrize("polls", [40, pytest.param(200, marks=pytest.mark.long)])
def test_declarations_do_not_show_in_response_times(proposing: Phone, polls: int) -> None:
    """Poll by another link, in turn with and without a declaration under way."""
    board = proposing.board
    waits: dict[bool, list[float]] = {True: [], False: []}
    for poll in range(polls):
        declares = poll % 2 == 0
        thread = Thread(target=proposing.propose, kwargs=PROPOSAL) if declares else None
        if thread is not None:
            thread.start()
        began = time.monotonic()
        board.request(board.build_path("here/x", "russia"))
        waits[declares].append(time.monotonic() - began)
        if thread is not None:
            thread.join()
    quiet, busy = (median(waits[declares]) for declares in (False, True))
    assert abs(busy - quiet) < TICK_S, waits


def test_a_second_board_takes_no_port_away_from_the_first(tmp_path: Path) -> None:
    """Guard against printed links that lead nowhere once the second board has ended."""
    with run_attacked_board(tmp_path, HASTY) as first:
        with run_board(first.save, program=HASTY) as second:
            assert second.port != first.port
        found = load_links(first.save)
        assert found is not None
        assert found.port == first.port
