"""A board and a battle that goes on: its links, what is sent, and the page that follows in a browser."""

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
from qf_tui.features.board.hub import SILENT_S, VIEWERS_MOST, Full, Hub
from qf_tui.features.board.links import (
    HERE,
    Address,
    Links,
    check_host,
    find_links_path,
    load_links,
    open_listener,
    save_links,
)
from qf_tui.features.board.serving import ServingOptions, serve
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.sealed_dice.witness import find_witnesses
from qf_tui.library.paths import find_shipped_folder
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import LOOK_EVERY, Follower
from tests.browser import Browser
from tests.console.playing import begin_saved
from tests.features.board.served import HASTY, PROGRAM, Board, served
from tests.features.board.test_page import BACK, LATER, in_browser
from tests.posix import is_mine_alone, open_files_go

SHOT = "fire mikasa heavy borodino long 4 8"


@frozen
class Live:
    """A board of a battle that goes on, and who writes it."""

    board: Board
    writer: Session


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """One for all tests that leave board and battle as they found them."""
    session = begin_saved(tmp_path_factory.mktemp("live") / "battle.qfb")
    session.enter("next")
    session.enter(SHOT)
    with served(path_of(session)) as board:
        yield Live(board, session)
    session.close()


def path_of(session: Session) -> Path:
    assert session.journal.path is not None
    return session.journal.path


def last(data: str) -> str:
    """The text of the last entry that a view shows."""
    shown = json.loads(data)["last"]
    return f"{shown['text']} {shown['order']}" if shown else ""


def view_of(event: tuple[str, str] | None) -> str:
    assert event is not None
    name, data = event
    assert name == ""
    return data


def test_what_is_entered_and_corrected_is_sent_and_the_save_stays_as_it_is(live: Live) -> None:
    board, save = live.board, live.board.save
    with board.stream() as stream, board.stream("red") as other:
        view_of(stream.next()), view_of(other.next())
        live.writer.enter("fire mikasa light ohio medium 5 5")
        for one in (stream, other):
            assert "Ohio" in last(view_of(one.next()))
        live.writer.enter("undo")
        assert json.loads(view_of(stream.next()))["last"]["note"]
        written = save.read_bytes()
        time.sleep(3 * LOOK_EVERY)
        assert save.read_bytes() == written


@open_files_go
def test_a_save_that_is_cut_or_replaced_is_followed_again(writer: Session, tmp_path: Path) -> None:
    """Between its views it may be said to be lost: a file that is written over is empty for a moment."""
    save = path_of(writer)
    writer.enter(SHOT)
    whole = save.read_bytes()
    another = tmp_path / "another.qfb"
    begin_saved(another).close()
    with served(save) as board, board.stream() as stream:

        def shown() -> str:
            while (found := stream.next()) == ("lost", "1"):
                pass
            return last(view_of(found))

        assert "Borodino" in shown()
        save.write_bytes(whole[: len(whole) - 20])
        assert "Borodino" not in shown()
        save.write_bytes(whole)
        assert "Borodino" in shown()
        save.unlink()
        assert stream.next() == ("lost", "1")
        save.write_bytes(b"\x00" * 5000)
        another.replace(save)
        assert "Borodino" not in shown()
        assert board.asked(board.path()).status == 200


def test_new_links_are_the_only_ones_from_that_moment(live: Live) -> None:
    """Streams that are open end with the link that they were asked for by."""
    board = live.board
    old = board.path()
    with board.stream() as stream:
        view_of(stream.next())
        save_links(board.save, board.links.renew_secrets())
        assert stream.ended(5)
    assert board.asked(old).status == 404
    assert board.asked(board.path()).status == 200


def test_the_switch_turns_while_it_runs(live: Live) -> None:
    """And with it what a link may know of a ship."""
    board = live.board
    with board.stream() as stream:
        assert json.loads(view_of(stream.next()))["switch"] == BoardSwitch.AT_ONCE
        assert board.asked(board.path("report"), "HEAD").status == 200
        for switch in (BoardSwitch.OWN_SIDE, BoardSwitch.PHASE_END):
            save_links(board.save, board.links.turn_switch())
            assert json.loads(view_of(stream.next()))["switch"] == switch
            for method in ("GET", "HEAD"):
                assert board.asked(board.path("report"), method).status == 404
            for viewer in ("blue", "red", ALL):
                answer = board.asked(board.path("ship/mikasa", viewer))
                whole = viewer == "blue" or switch is BoardSwitch.PHASE_END
                assert (answer.status, json.loads(answer.body)["whole"]) == (200, whole)
        save_links(board.save, board.links.turn_switch())
        assert json.loads(view_of(stream.next()))["switch"] == BoardSwitch.AT_ONCE


def test_a_page_that_asks_again_is_sent_only_what_it_has_not(live: Live) -> None:
    board = live.board
    with board.stream() as stream:
        view_of(stream.next())
        sent = shown_now(board)
    with board.stream("", "127.0.0.1", f"Last-Event-ID: {sent}") as stream:
        assert stream.next(0.5) is None
    with board.stream("", "127.0.0.1", "Last-Event-ID: other") as stream:
        view_of(stream.next())


def shown_now(board: Board) -> str:
    """The id of the view that the link for all shows, worked out here."""
    hub = Hub(Follower(board.save, find_systems()), board.links)
    shown = hub.build_page(ALL)
    assert shown is not None
    return shown[1].id


def test_the_report_is_worked_out_once_for_all_who_ask(live: Live) -> None:
    board = live.board
    answer = board.asked(board.path("report"))
    assert answer.status == 200
    assert b"<!DOCTYPE html>" in answer.body
    assert "script-src" not in answer.headers["content-security-policy"]
    began = time.monotonic()
    assert board.asked(board.path("report")).body == answer.body
    assert time.monotonic() - began < 0.5


@pytest.mark.parametrize("switch", BoardSwitch)
def test_the_report_is_for_all_once_the_battle_is_over(writer: Session, switch: BoardSwitch) -> None:
    hub = Hub(Follower(path_of(writer), find_systems()), Links(switch=switch).add_sides(("blue", "red")))

    def told() -> set[bool]:
        return {
            (shown := hub.build_page(viewer)) is not None and shown[0].report
            for viewer in (ALL, "blue", "red")
        }

    assert told() == {switch is BoardSwitch.AT_ONCE}
    for ship in [one.id for one in writer.battle.ships.values() if one.side == "red"]:
        writer.enter(f"leave {ship} withdrawn")
    writer.enter("force next")
    hub.look()
    assert told() == {True}


def test_a_fault_on_the_way_ends_it_with_a_word(writer: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(hub: Hub) -> None:
        raise ArithmeticError("of ours")

    monkeypatch.setattr(Hub, "look", fails)
    with pytest.raises(QfError, match=r"has stopped \(ArithmeticError: of ours\)\. Start it again"):
        serve(ServingOptions(path_of(writer), port=0), lambda hub, address: None)


@open_files_go
def test_another_battle_in_its_place_has_links_for_its_own_sides(writer: Session, tmp_path: Path) -> None:
    """And those of sides that it has not lead nowhere."""
    save = path_of(writer)
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


def begun(wanted: ServingOptions) -> Links:
    """The links of a board that ends as soon as it can be reached."""
    found: list[Links] = []

    def tell(hub: Hub, address: Address) -> None:
        found.append(hub.links)
        raise KeyboardInterrupt

    serve(wanted, tell)
    return found[0]


def test_links_survive_a_restart_and_end_when_that_is_asked_for(writer: Session) -> None:
    save = path_of(writer)
    first = begun(ServingOptions(save, port=0, switch=BoardSwitch.OWN_SIDE))
    assert begun(ServingOptions(save, port=first.port)) == first
    with served(save, "--new-links") as board:
        assert board.links.switch is BoardSwitch.OWN_SIDE
        assert board.asked(f"/{first.find_secret(ALL)}/").status == 404
        assert board.asked(board.path()).status == 200


def test_it_ends_with_whoever_began_it(writer: Session) -> None:
    with served(path_of(writer)) as board, board.stream() as stream:
        stream.next()
        assert board.process.stdin is not None
        board.process.stdin.close()
        assert board.process.wait(20) == 0


@pytest.mark.skipif(os.name == "nt", reason="it has no such signals")
def test_it_is_told_on_a_screen_and_ends_by_a_key(writer: Session) -> None:
    """Links, where they lead, what others can read; nothing else is said, and nobody sees a traceback."""
    save = path_of(writer)
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


def test_a_phase_end_is_witnessed_behind_its_view(live: Live) -> None:
    """Catches a witness that is not of the save, and one that tells of anything but the end of a phase."""
    board, writer = live.board, live.writer
    with board.stream() as stream, board.stream("red") as other:
        for one in (stream, other):
            view_of(one.next())
        writer.enter("note all: look")
        for one in (stream, other):
            view_of(one.next())
            assert [digest for _, digest in one.witnessed["ends"]] == [find_witnesses(writer)[0].digest]
        writer.enter("next")
        # What comes behind a view is there by the next one.
        view_of(stream.next())
        writer.enter("note all: once more")
        view_of(stream.next())
        ends = [["turn 1, First gunnery", find_witnesses(writer)[0].digest]]
        phase = find_phase(writer.system, writer.battle.phase).title
        ends.append([f"turn 1, {phase}", find_witnesses(writer)[1].digest])
        assert stream.witnessed == {"ends": ends, "words": find_witnesses(writer)[1].words}


def test_nothing_that_a_viewer_may_not_know_moves_his_stream(writer: Session) -> None:
    """Not a byte more nor sooner: between its beats the stream of a side is silent while others are hit."""
    save = path_of(writer)
    hub = Hub(Follower(save, find_systems()), Links(switch=BoardSwitch.OWN_SIDE).add_sides(("blue", "red")))

    async def heard() -> list[bytes]:
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
        assert b"to you" in asyncio.run(heard())[0]


def test_a_silent_page_makes_room_for_another(writer: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches streams that sleep and hold all places while the systems between take what is sent."""
    hub = Hub(Follower(path_of(writer), find_systems()), Links().add_sides(("blue", "red")))
    now = [0.0]
    monkeypatch.setattr("qf_tui.features.board.hub.monotonic", lambda: now[0])

    async def heard() -> None:
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
        asyncio.run(heard())


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


def test_a_side_that_comes_later_gets_a_link_and_the_others_keep_theirs() -> None:
    more = TWO.add_sides(("russia", "china"))
    assert {**more.secrets, **TWO.secrets} == more.secrets
    assert more.find_viewer(more.find_secret("china")) == "china"


@pytest.mark.parametrize(
    "wrong", ["", "x", "é", "\udc80", TWO.find_secret(ALL)[:-1], f"{TWO.find_secret(ALL)} "]
)
def test_a_wrong_secret_is_nobodys(wrong: str) -> None:
    assert TWO.find_viewer(wrong) is None
    assert TWO.find_viewer(TWO.find_secret("japan")) == "japan"


def test_links_are_kept_for_their_owner_alone(save: Path) -> None:
    """Also over a file that others could read."""
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
def test_a_file_that_holds_no_links_is_refused_with_what_to_do(save: Path, text: str) -> None:
    find_links_path(save).write_text(text, encoding="utf-8")
    with pytest.raises(QfError, match=r"battle\.qfb\.board: not a file of links\. Delete it"):
        load_links(save)


def test_a_folder_that_takes_nothing_is_told(tmp_path: Path) -> None:
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
def test_an_address_is_called_as_browsers_call_it(address: Address, name: str) -> None:
    assert address.name == name
    assert address.format_link("s") == f"http://{name}/s/"


@pytest.mark.parametrize(
    "text", ["0.0.0.0", "::", "224.0.0.1", "255.255.255.255", "club.local", "", "127.0.0.1:80"]
)
def test_what_is_no_address_of_one_computer_is_refused(text: str) -> None:
    with pytest.raises(QfError, match="--host"):
        check_host(text)


def test_a_port_that_is_taken_is_told_and_the_usual_one_left_for_another() -> None:
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


def opened(browser: Browser, board: Board, viewer: str = "") -> None:
    """The page of a link on a laptop, as soon as it shows the battle."""
    browser.set_size(1280, 800)
    browser.open(f"http://{board.host}{board.path('', viewer)}")
    browser.wait_for(
        f"document.getElementById('live') && {LIVE}.startsWith('live') && {TEXT}.includes('Mikasa')"
    )


@in_browser
@in_haste
def test_a_page_comes_back_with_the_board(browser: Browser, writer: Session, program: Sequence[str]) -> None:
    """Catches links that another start of the board does not know, and a page that must be loaded anew."""
    assert writer.journal.path is not None
    with served(writer.journal.path, program=program) as board:
        opened(browser, board)
        port = board.port
    browser.wait_for(f"{LIVE}.includes('lost the battle since ')")
    browser.evaluate(LATER)
    writer.enter("fire mikasa heavy borodino long 4 8")
    with served(writer.journal.path, "--port", str(port), program=program):
        assert re.fullmatch(BACK, browser.wait_for("document.querySelector('.live.back')?.textContent", 20))
        assert "Mikasa heavy at Borodino" in browser.evaluate(TEXT)


@in_browser
def test_a_page_whose_link_is_off_says_so(browser: Browser, writer: Session) -> None:
    """Catches a player who waits for a battle that comes no more."""
    assert writer.journal.path is not None
    with served(writer.journal.path, program=HASTY) as board:
        opened(browser, board)
        save_links(board.save, board.links.renew_secrets())
        browser.wait_for(f"{LIVE} == 'this link is off: ask the umpire'")
    browser.open("about:blank")


@in_browser
@in_haste
def test_a_frozen_page_has_the_battle(browser: Browser, writer: Session, program: Sequence[str]) -> None:
    assert writer.journal.path is not None
    with served(writer.journal.path, program=program) as board:
        opened(browser, board)
        browser.send("Page.setWebLifecycleState", state="frozen")
        writer.enter("fire mikasa heavy borodino long 4 8")
        browser.send("Page.setWebLifecycleState", state="active")
        browser.evaluate(LATER)
        browser.wait_for(f"{TEXT}.includes('Mikasa heavy at Borodino')")
        assert re.fullmatch(BACK, browser.wait_for("document.querySelector('.live.back')?.textContent"))


@in_browser
@in_haste
def test_a_page_keeps_the_hour_of_the_loss(browser: Browser, writer: Session, program: Sequence[str]) -> None:
    """Catches an hour that begins anew with each connection, and a page that is live without a save."""
    path = writer.journal.path
    assert path is not None
    with served(path, program=program) as board:
        opened(browser, board)
        aside = path.with_suffix(".aside")
        path.rename(aside)
        said = browser.wait_for("document.querySelector('.live.lost')?.textContent")
        assert said.startswith("the umpire's console has lost the battle since ")
        browser.evaluate(f"{LATER}; connect()")
        browser.wait_for("feed.source.readyState === EventSource.OPEN")
        time.sleep(0.5)
        assert browser.evaluate(LIVE) == said
        aside.rename(path)
        browser.wait_for("document.querySelector('.live.back')")
