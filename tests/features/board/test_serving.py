"""A board of a battle in progress: its links, its streams, and the page that follows it in a browser."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path

import pytest
from attrs import frozen

from qf_tui.core.errors import QfError
from qf_tui.core.system import find_phase
from qf_tui.features.board.addresses import HERE, Address, check_host, open_listener
from qf_tui.features.board.hub import SILENT_S, VIEWERS_MOST, Full, Hub
from qf_tui.features.board.links import Links, find_links_path, load_links, save_links
from qf_tui.features.board.serving import ServingOptions, serve
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.sealed_dice.witness import find_witnesses
from qf_tui.library.paths import find_shipped_folder
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import LOOK_EVERY, Follower
from tests.browser import Browser
from tests.console.playing import begin_saved
from tests.features.board.served import HASTY, PROGRAM, Board, run_board
from tests.features.board.test_page import BACK, LATER, in_browser
from tests.posix import is_mine_alone, open_files_go

SHOT = "fire mikasa heavy borodino long 4 8"


@frozen
class Live:
    """A board of a battle in progress, and the session that writes it."""

    board: Board
    writer: Session


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Serve one battle for all tests that leave board and battle unchanged."""
    session = begin_saved(tmp_path_factory.mktemp("live") / "battle.qfb")
    session.enter("next")
    session.enter(SHOT)
    with run_board(find_save_path(session)) as board:
        yield Live(board, session)
    session.close()


def find_save_path(session: Session) -> Path:
    assert session.journal.path is not None
    return session.journal.path


def format_last_entry(data: str) -> str:
    """Return the text of the last entry in a view."""
    shown = json.loads(data)["last"]
    return f"{shown['text']} {shown['order']}" if shown else ""


def check_view(event: tuple[str, str] | None) -> str:
    assert event is not None
    name, data = event
    assert name == ""
    return data


def test_entries_and_corrections_are_sent_and_the_save_is_not_changed(live: Live) -> None:
    board, save = live.board, live.board.save
    with board.follow() as stream, board.follow("red") as other:
        check_view(stream.read_event()), check_view(other.read_event())
        live.writer.enter("fire mikasa light ohio medium 5 5")
        for one in (stream, other):
            assert "Ohio" in format_last_entry(check_view(one.read_event()))
        live.writer.enter("undo")
        assert json.loads(check_view(stream.read_event()))["last"]["note"]
        written = save.read_bytes()
        time.sleep(3 * LOOK_EVERY)
        assert save.read_bytes() == written


@open_files_go
def test_a_save_that_is_cut_or_replaced_is_followed_again(writer: Session, tmp_path: Path) -> None:
    """Allow "lost" between the views, as a file that is overwritten is empty for a moment."""
    save = find_save_path(writer)
    writer.enter(SHOT)
    whole = save.read_bytes()
    another = tmp_path / "another.qfb"
    begin_saved(another).close()
    with run_board(save) as board, board.follow() as stream:

        def read_last_entry() -> str:
            while (found := stream.read_event()) == ("lost", "1"):
                pass
            return format_last_entry(check_view(found))

        assert "Borodino" in read_last_entry()
        save.write_bytes(whole[: len(whole) - 20])
        assert "Borodino" not in read_last_entry()
        save.write_bytes(whole)
        assert "Borodino" in read_last_entry()
        save.unlink()
        assert stream.read_event() == ("lost", "1")
        save.write_bytes(b"\x00" * 5000)
        another.replace(save)
        assert "Borodino" not in read_last_entry()
        assert board.request(board.build_path()).status == 200


def test_new_links_replace_the_old_ones_at_once(live: Live) -> None:
    """End open streams together with their links."""
    board = live.board
    old = board.build_path()
    with board.follow() as stream:
        check_view(stream.read_event())
        save_links(board.save, board.links.renew_secrets())
        assert stream.has_ended(5)
    assert board.request(old).status == 404
    assert board.request(board.build_path()).status == 200


def test_the_switch_turns_while_the_board_runs(live: Live) -> None:
    """Change with it what a link may know about a ship."""
    board = live.board
    with board.follow() as stream:
        assert json.loads(check_view(stream.read_event()))["switch"] == BoardSwitch.AT_ONCE
        assert board.request(board.build_path("report"), "HEAD").status == 200
        for switch in (BoardSwitch.OWN_SIDE, BoardSwitch.PHASE_END):
            save_links(board.save, board.links.turn_switch())
            assert json.loads(check_view(stream.read_event()))["switch"] == switch
            for method in ("GET", "HEAD"):
                assert board.request(board.build_path("report"), method).status == 404
            for viewer in ("blue", "red", ALL):
                answer = board.request(board.build_path("ship/mikasa", viewer))
                whole = viewer == "blue" or switch is BoardSwitch.PHASE_END
                assert (answer.status, json.loads(answer.body)["whole"]) == (200, whole)
        save_links(board.save, board.links.turn_switch())
        assert json.loads(check_view(stream.read_event()))["switch"] == BoardSwitch.AT_ONCE


def test_a_page_that_reconnects_is_sent_only_a_new_view(live: Live) -> None:
    board = live.board
    with board.follow() as stream:
        check_view(stream.read_event())
        sent = compute_view_id(board)
    with board.follow("", "127.0.0.1", f"Last-Event-ID: {sent}") as stream:
        assert stream.read_event(0.5) is None
    with board.follow("", "127.0.0.1", "Last-Event-ID: other") as stream:
        check_view(stream.read_event())


def compute_view_id(board: Board) -> str:
    """Compute the id of the view that the link for all shows."""
    hub = Hub(Follower(board.save, find_systems()), board.links)
    shown = hub.build_page(ALL)
    assert shown is not None
    return shown[1].id


def test_the_report_is_computed_once_for_all_readers(live: Live) -> None:
    board = live.board
    answer = board.request(board.build_path("report"))
    assert answer.status == 200
    assert b"<!DOCTYPE html>" in answer.body
    assert "script-src" not in answer.headers["content-security-policy"]
    began = time.monotonic()
    assert board.request(board.build_path("report")).body == answer.body
    assert time.monotonic() - began < 0.5


@pytest.mark.parametrize("switch", BoardSwitch)
def test_the_report_is_public_once_the_battle_is_over(writer: Session, switch: BoardSwitch) -> None:
    hub = Hub(
        Follower(find_save_path(writer), find_systems()), Links(switch=switch).add_sides(("blue", "red"))
    )

    def list_reports() -> set[bool]:
        return {
            (shown := hub.build_page(viewer)) is not None and shown[0].report
            for viewer in (ALL, "blue", "red")
        }

    assert list_reports() == {switch is BoardSwitch.AT_ONCE}
    for ship in [one.id for one in writer.battle.ships.values() if one.side == "red"]:
        writer.enter(f"leave {ship} withdrawn")
    writer.enter("force next")
    hub.look()
    assert list_reports() == {True}


def test_an_internal_error_stops_the_board_with_a_message(
    writer: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(hub: Hub) -> None:
        raise ArithmeticError("of ours")

    monkeypatch.setattr(Hub, "look", fail)
    with pytest.raises(QfError, match=r"has stopped \(ArithmeticError: of ours\)\. Start it again"):
        serve(ServingOptions(find_save_path(writer), port=0), lambda hub, address: None)


@open_files_go
def test_another_battle_in_the_save_has_links_for_its_own_sides(writer: Session, tmp_path: Path) -> None:
    """Turn off the links of sides that the new battle lacks."""
    save = find_save_path(writer)
    links = Links().add_sides(("blue", "red"))
    hub = Hub(Follower(save, find_systems()), links)
    (tmp_path / "other.qfb").write_bytes((find_shipped_folder("saves") / "yellow-sea-1904.qfb").read_bytes())
    (tmp_path / "other.qfb").replace(save)
    hub.look()
    assert [hub.find_viewer(links.find_secret(viewer)) for viewer in (ALL, "blue", "red")] == [
        ALL,
        None,
        None,
    ]
    assert hub.find_viewer(hub.links.find_secret("japan")) == "japan"
    assert load_links(save) == hub.links


def begin_board(wanted: ServingOptions) -> Links:
    """Return the links of a board that ends as soon as it can be reached."""
    found: list[Links] = []

    def tell(hub: Hub, addresses: tuple[Address, ...]) -> None:
        found.append(hub.links)
        raise KeyboardInterrupt

    serve(wanted, tell)
    return found[0]


def test_links_survive_a_restart_and_end_on_request(writer: Session) -> None:
    save = find_save_path(writer)
    first = begin_board(ServingOptions(save, port=0, switch=BoardSwitch.OWN_SIDE))
    assert begin_board(ServingOptions(save, port=first.port)) == first
    with run_board(save, "--new-links") as board:
        assert board.links.switch is BoardSwitch.OWN_SIDE
        assert board.request(f"/{first.find_secret(ALL)}/").status == 404
        assert board.request(board.build_path()).status == 200


def test_a_board_ends_with_the_process_that_started_it(writer: Session) -> None:
    with run_board(find_save_path(writer)) as board, board.follow() as stream:
        stream.read_event()
        assert board.process.stdin is not None
        board.process.stdin.close()
        assert board.process.wait(20) == 0


@pytest.mark.skipif(os.name == "nt", reason="it has no such signals")
def test_a_board_prints_its_links_and_ends_by_a_key(writer: Session) -> None:
    """Print the links, their viewers and what others can read, but never a traceback."""
    save = find_save_path(writer)
    command = [sys.executable, "-m", "qf_tui", "board", str(save), "--port", "0", "--switch", "phase-end"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, stdin=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            told = ""
            while "Ctrl-C" not in told and (line := process.stdout.readline()):
                told += line.decode()
            links = load_links(save)
            assert links is not None
            assert [name for name in ("all", "Blue", "Red") if f"  {name} " in told] == ["all", "Blue", "Red"]
            secrets = links.secrets.values()
            assert all(f"http://127.0.0.1:{links.port}/{secret}/" in told for secret in secrets)
            assert "--lan" in told
            assert "Shown: phase-end" in told
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
            assert process.stderr is not None
            assert process.stderr.read() == b""
        finally:
            process.kill()


def test_the_witness_of_a_phase_end_follows_its_view(live: Live) -> None:
    """Guard against a witness that differs from the save's, or that shows anything but a phase end."""
    board, writer = live.board, live.writer
    with board.follow() as stream, board.follow("red") as other:
        for one in (stream, other):
            check_view(one.read_event())
        writer.enter("note all: look")
        for one in (stream, other):
            check_view(one.read_event())
            assert [digest for _, digest in one.witnessed["ends"]] == [find_witnesses(writer)[0].digest]
        writer.enter("next")
        # Events after a view have arrived by the next view.
        check_view(stream.read_event())
        writer.enter("note all: once more")
        check_view(stream.read_event())
        ends = [["turn 1, First gunnery", find_witnesses(writer)[0].digest]]
        phase = find_phase(writer.system, writer.battle.phase).title
        ends.append([f"turn 1, {phase}", find_witnesses(writer)[1].digest])
        assert stream.witnessed == {"ends": ends, "words": find_witnesses(writer)[1].words}


def test_hidden_acts_do_not_move_a_viewer_s_stream(writer: Session) -> None:
    """Send nothing between two beats of a side's stream while hidden acts are entered."""
    save = find_save_path(writer)
    hub = Hub(Follower(save, find_systems()), Links(switch=BoardSwitch.OWN_SIDE).add_sides(("blue", "red")))

    async def read_stream() -> list[bytes]:
        stream = hub.stream_events(
            hub.links.find_secret("blue"), "", looking.enter_context(hub.register_stream())
        )
        first = [await anext(stream) for _ in range(4)]
        assert first[1].startswith(b"id: ")
        following = asyncio.ensure_future(anext(stream))
        for line in ("note red: steam is short", "note between the umpires"):
            writer.enter(line)
            hub.look()
            await asyncio.sleep(0.05)
            assert not following.done()
        writer.enter("note blue: to you")
        hub.look()
        return [await following]

    with ExitStack() as looking:
        assert b"to you" in asyncio.run(read_stream())[0]


def test_a_silent_page_makes_room_for_another(writer: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard against sleeping streams that hold all places while network buffers take what is sent."""
    hub = Hub(Follower(find_save_path(writer), find_systems()), Links().add_sides(("blue", "red")))
    now = [0.0]
    monkeypatch.setattr("qf_tui.features.board.hub.monotonic", lambda: now[0])

    async def read_streams() -> None:
        names = [looking.enter_context(hub.register_stream()) for _ in range(VIEWERS_MOST)]
        asleep = hub.stream_events(hub.links.find_secret(ALL), "", names[1])
        for _ in range(4):
            await anext(asleep)
        for now[0] in (SILENT_S, SILENT_S + 1):
            hub.mark_alive(names[0])
            with pytest.raises(Full) if now[0] == SILENT_S else nullcontext():
                looking.enter_context(hub.register_stream())
        with pytest.raises(StopAsyncIteration):
            await asyncio.wait_for(anext(asleep), 5)
        awake = hub.stream_events(hub.links.find_secret(ALL), "", names[0])
        assert (await anext(awake)).endswith(f"data: {names[0]}\n\n".encode())

    with ExitStack() as looking:
        asyncio.run(read_streams())


TWO = Links({"": "a" * 15 + "_", "japan": "b" * 15 + "-", "russia": "Z9" * 8})


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "battle.qfb"


def test_every_viewer_has_a_secret_of_96_bits() -> None:
    made = Links().add_sides(("japan", "russia"))
    assert list(made.secrets) == [ALL, "japan", "russia"]
    found = [secret for _ in range(50) for secret in Links().add_sides(("japan", "russia")).secrets.values()]
    assert len(set(found)) == len(found)
    assert all(re.fullmatch("[A-Za-z0-9_-]{16}", one) for one in found)


def test_a_later_side_gets_a_link_and_the_others_keep_theirs() -> None:
    more = TWO.add_sides(("russia", "china"))
    assert {**more.secrets, **TWO.secrets} == more.secrets
    assert more.find_viewer(more.find_secret("china")) == "china"


@pytest.mark.parametrize(
    "wrong", ["", "x", "é", "\udc80", TWO.find_secret(ALL)[:-1], f"{TWO.find_secret(ALL)} "]
)
def test_a_wrong_secret_belongs_to_no_viewer(wrong: str) -> None:
    assert TWO.find_viewer(wrong) is None
    assert TWO.find_viewer(TWO.find_secret("japan")) == "japan"


def test_links_are_kept_in_a_private_file(save: Path) -> None:
    """Make a file private that others could read."""
    assert load_links(save) is None
    find_links_path(save).write_text("{}", encoding="utf-8")
    find_links_path(save).chmod(0o644)
    save_links(save, TWO)
    assert load_links(save) == TWO
    assert is_mine_alone(find_links_path(save))
    assert [one.name for one in save.parent.iterdir()] == ["battle.qfb.board"]


GOOD: dict[str, object] = {
    "format": 1,
    "switch": "at-once",
    "port": 0,
    "links": {"": "A" * 16, "japan": "B" * 16},
}
OTHER: tuple[dict[str, object], ...] = (
    {"format": 3},
    {"propose": 1},
    {"rolls": "yes"},
    {"seats": [7]},
    {"seats": [{"id": "a"}]},
    {"switch": "all"},
    {"switch": 1},
    {"port": "1"},
    {"port": 1 << 16},
    {"port": True},
    {"links": []},
    {"links": {"": "short"}},
    {"links": {"": ["A" * 16]}},
    {"links": {"": "A" * 16, "b": "A" * 16}},
)
WRONG = [
    "",
    "{",
    "[]",
    "null",
    "7",
    "[" * 100_000,
    "\x00",
    "{}",
    *(json.dumps({**GOOD, **one}) for one in OTHER),
]


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_an_invalid_file_of_links_is_refused_with_what_to_do(save: Path, text: str) -> None:
    find_links_path(save).write_text(text, encoding="utf-8")
    with pytest.raises(QfError, match=r"battle\.qfb\.board: not a file of links\. Delete it"):
        load_links(save)


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(QfError, match="the links cannot be saved"):
        save_links(tmp_path / "nowhere" / "battle.qfb", TWO)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (Address("10.0.0.7", 8904), "10.0.0.7:8904"),
        (Address("10.0.0.7", 80), "10.0.0.7"),
        (Address("fd00::1", 8904), "[fd00::1]:8904"),
    ],
)
def test_an_address_is_written_as_browsers_write_it(address: Address, name: str) -> None:
    assert address.name == name
    assert address.format_link("s") == f"http://{name}/s/"


@pytest.mark.parametrize(
    "text", ["0.0.0.0", "::", "224.0.0.1", "255.255.255.255", "club.local", "", "127.0.0.1:80"]
)
def test_an_address_that_no_single_computer_has_is_refused(text: str) -> None:
    with pytest.raises(QfError, match="--host"):
        check_host(text)


def test_a_taken_port_is_reported_and_the_usual_one_gives_way_to_another() -> None:
    first, at = open_listener(HERE, 0)
    with first:
        with pytest.raises(QfError, match=rf"port {at.port} is taken.*--port N"):
            open_listener(HERE, at.port)
        with pytest.raises(QfError, match="is taken"):
            open_listener(HERE, None, at.port)
        for _ in range(2):
            another, free = open_listener(HERE, None)
            with another:
                assert free.port != at.port
    with pytest.raises(QfError, match=r"192\.0\.2\.1 is not an address of this computer"):
        open_listener("192.0.2.1", 0)


TEXT = "document.getElementById('main').innerText"
LIVE = "document.getElementById('live').textContent"
in_haste = pytest.mark.parametrize(
    "program", [HASTY, pytest.param(PROGRAM, marks=pytest.mark.long)], ids=["in-haste", "as-it-is"]
)


def open_link(browser: Browser, board: Board, viewer: str = "") -> None:
    """Open the page of a link on a laptop, and wait until it shows the battle."""
    browser.set_size(1280, 800)
    browser.open(f"http://{board.host}{board.build_path('', viewer)}")
    browser.wait_for(
        f"document.getElementById('live') && {LIVE}.startsWith('live') && {TEXT}.includes('Mikasa')"
    )


@in_browser
@in_haste
def test_a_page_comes_back_with_the_board(browser: Browser, writer: Session, program: Sequence[str]) -> None:
    """Guard against links that a restarted board does not know, and a page that must be reloaded."""
    assert writer.journal.path is not None
    with run_board(writer.journal.path, program=program) as board:
        open_link(browser, board)
        port = board.port
    browser.wait_for(f"{LIVE}.includes('no connection to the board since ')")
    browser.evaluate(LATER)
    writer.enter("fire mikasa heavy borodino long 4 8")
    with run_board(writer.journal.path, "--port", str(port), program=program):
        assert re.fullmatch(BACK, browser.wait_for("document.querySelector('.live.back')?.textContent", 20))
        assert "Mikasa heavy at Borodino" in browser.evaluate(TEXT)


@in_browser
def test_a_page_whose_link_is_off_says_so(browser: Browser, writer: Session) -> None:
    """Guard against a player who waits for a battle that the link no longer shows."""
    assert writer.journal.path is not None
    with run_board(writer.journal.path, program=HASTY) as board:
        open_link(browser, board)
        save_links(board.save, board.links.renew_secrets())
        browser.wait_for(f"{LIVE} == 'this link is off: ask the umpire'")
    browser.open("about:blank")


@in_browser
@in_haste
def test_a_page_that_was_frozen_catches_up(browser: Browser, writer: Session, program: Sequence[str]) -> None:
    assert writer.journal.path is not None
    with run_board(writer.journal.path, program=program) as board:
        open_link(browser, board)
        browser.send("Page.setWebLifecycleState", state="frozen")
        writer.enter("fire mikasa heavy borodino long 4 8")
        browser.send("Page.setWebLifecycleState", state="active")
        browser.evaluate(LATER)
        browser.wait_for(f"{TEXT}.includes('Mikasa heavy at Borodino')")
        assert re.fullmatch(BACK, browser.wait_for("document.querySelector('.live.back')?.textContent"))


@in_browser
@in_haste
def test_a_page_keeps_the_hour_of_the_loss(browser: Browser, writer: Session, program: Sequence[str]) -> None:
    """Guard against a time that each connection resets, and a page that is live without a save."""
    path = writer.journal.path
    assert path is not None
    with run_board(path, program=program) as board:
        open_link(browser, board)
        aside = path.with_suffix(".aside")
        path.rename(aside)
        said = browser.wait_for("document.querySelector('.live.lost')?.textContent")
        assert said.startswith("the board has not read the battle since ")
        browser.evaluate(f"{LATER}; connect()")
        browser.wait_for("feed.source.readyState === EventSource.OPEN")
        time.sleep(0.5)
        assert browser.evaluate(LIVE) == said
        aside.rename(path)
        browser.wait_for("document.querySelector('.live.back')")
