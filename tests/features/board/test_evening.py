"""A whole evening: players on real pages, the real board, the umpire at the console."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from qf_tui.features.board.part import find_part
from qf_tui.features.board.tray_files import TrayFiles
from qf_tui.journal.reading import read_save
from qf_tui.session import Session
from tests.browser import Browser, find_browser, open_browser
from tests.console.playing import Table, play
from tests.features.board.phone import order
from tests.features.board.seat_page import (
    find_button,
    read_text,
    tap,
    tap_faces,
    type_text,
    wait_for_text,
)
from tests.features.board.served import HASTY, Board, run_board
from tests.features.board.test_page import NO_BROWSER, PHONE, find_faults
from tests.systems import load_start

pytestmark = pytest.mark.skipif(find_browser() is None, reason=NO_BROWSER)
SHOT = order("fire", "mikasa", battery="heavy", target="tsesarevich", range="24")


class Evening:
    """The umpire's console, and the phones of the players by seat."""

    def __init__(self, table: Table, board: Board, browser: Browser) -> None:
        self.table, self.board, self.browser = table, board, browser
        self.phones: dict[str, Browser] = {}

    def find_address(self, seat_id: str) -> str:
        seat = next(seat for seat in self.board.links.seats if seat.id == seat_id)
        return f"http://{self.board.host}/{seat.secret}/"

    def open_phone(self, seat_id: str) -> Browser:
        """Open the link of a seat on a phone."""
        phone = self.browser.open_page()
        phone.set_size(*PHONE)
        phone.open(f"{self.find_address(seat_id)}#play")
        phone.wait_for("document.querySelector('.device h2')")
        return phone

    async def join(self, seat_id: str) -> Browser:
        """Open a player's link, ask, and let the phone in by its code."""
        phone = self.open_phone(seat_id)
        tap(phone, "Ask the umpire")
        code = phone.wait_for("document.querySelector('.code')?.innerText")
        await self.look()
        await self.table.press("B", "p")
        for _ in range(20):
            if self.table.top.picks.key[0] == seat_id:
                break
            await self.table.press("down")
        await self.table.press("enter")
        self.table.expect(f"phone {code} is in")
        await self.table.press("escape", "escape")
        phone.wait_for(find_button("Fire a battery"))
        self.phones[seat_id] = phone
        return phone

    async def look(self) -> None:
        """Make the console read the tray."""
        self.table.screen.look()
        await self.table.settle()

    async def wait_for_proposals(self, *names: str) -> None:
        """Wait until proposals of these players are in the tray."""
        for _ in range(600):
            await self.look()
            desk = find_part(self.table.screen).desk
            assert desk is not None
            if [each.by for each in desk.tray.waiting] == [*names]:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(self.table.text())

    @property
    def by(self) -> list[str]:
        """The proposers of the entries in the log."""
        timeline = self.table.session.timeline
        return [act.by for act in timeline.log if act.by]


def fire(phone: Browser, ship: str, target: str, range: str, *dice: int) -> None:
    """Order the heavy guns of a ship to fire."""
    tap(phone, "Fire a battery")
    tap(phone, ship, "heavy", target, within="#form")
    type_text(phone, "range", range)
    phone.press("Enter", 13)
    if dice:
        tap_faces(phone, *dice)
    tap(phone, "Propose" if dice else "Add", within="#form")


def set_offline(phone: Browser, *, offline: bool) -> None:
    """Cut the network of a phone, or restore it."""
    phone.send(
        "Network.emulateNetworkConditions",
        offline=offline,
        latency=0,
        downloadThroughput=-1,
        uploadThroughput=-1,
    )
    if offline:
        phone.evaluate("feed.source.close()")  # emulation cuts no open connection
        wait_for_text(phone, "#live", "no connection")


def play_evening(folder: Path, steps: Callable[[Evening], Awaitable[None]], *arguments: str) -> None:
    """Play with a console, a board and a browser, and check that no page reports a fault."""
    session = Session.begin(*load_start("yellow-sea-1904"), folder / "battle.qfb")
    session.enter("force next")

    async def play_all(table: Table) -> None:
        evening = Evening(table, board, browser)
        await steps(evening)
        for phone in evening.phones.values():
            assert find_faults(phone, f"http://{board.host}/") == []

    with (
        run_board(folder / "battle.qfb", "--propose", *arguments, program=HASTY) as board,
        open_browser(folder / "profile") as browser,
    ):
        play(session, play_all)
    ids = [act.extra["proposal"] for act in read_save(folder / "battle.qfb").log if "proposal" in act.extra]
    assert len(set(ids)) == len(ids)


def test_players_and_the_umpire_play_a_phase(tmp_path: Path) -> None:
    async def steps(evening: Evening) -> None:
        table = evening.table
        anna, emil = await evening.join("japan.anna"), await evening.join("russia.emil")
        second = evening.open_phone("japan.anna")
        wait_for_text(second, ".device", "Not this phone")
        tap(second, "Ask for this phone")
        wait_for_text(second, ".device", "another phone uses this link")
        # An order with its dice enters, and is undone.
        fire(anna, "Mikasa", "Tsesarevich", "24", 3, 8)
        wait_for_text(anna, ".became .waiting", "Mikasa heavy at Tsesarevich")
        await evening.wait_for_proposals("Anna")
        await table.press("T", "enter", "escape")
        wait_for_text(anna, ".became .in", "heavy ROF")
        await table.press("u", "enter")
        wait_for_text(anna, ".became .undone", "undone by the umpire")
        # A returned proposal says why, and may be proposed again.
        fire(anna, "Asahi", "Retvizan", "24", 3, 8)
        await evening.wait_for_proposals("Anna")
        await table.type("T x masts_in_the_way enter")
        wait_for_text(anna, ".became .back", "masts in the way")
        tap(anna, "Again", within=".became .back")
        assert read_text(anna, ".faces").split() == ["3", "black", "8", "white"]
        tap(anna, "✕", within="#form")
        # Three players declare, one through the umpire; all orders enter together, dice follow.
        await table.press("T", "d")
        wait_for_text(emil, ".round", "to come: Anna, Ben")
        fire(anna, "Mikasa", "Tsesarevich", "24")
        fire(anna, "Asahi", "Tsesarevich", "24")
        tap(anna, "Declare: 2 orders")
        wait_for_text(emil, ".round", "declared: Anna")
        assert "Mikasa" not in read_text(emil, ".round")
        fire(emil, "Tsesarevich", "Mikasa", "24")
        tap(emil, "Declare: 1 order")
        wait_for_text(anna, ".round", "declared: Anna, Emil")
        await table.press("down")
        await table.type("t fire_yakumo_heavy_retvizan_30 enter")
        wait_for_text(anna, ".round", "declared: Anna, Ben, Emil")
        await table.press("d", "enter")
        assert sorted(evening.by) == ["Anna", "Anna", "Anna", "Ben", "Emil"]
        # An owed roll is thrown.
        tap(anna, "Throw")
        tap_faces(anna, 3, 8)
        tap(anna, "Propose")
        wait_for_text(anna, ".throws", "with the umpire")
        await evening.wait_for_proposals("Anna")
        await table.press("T", "A")
        wait_for_text(anna, ".became .in", "heavy ROF")
        assert len(table.battle.owed) == 3

    play_evening(tmp_path, steps)


def test_phones_that_were_offline_or_asleep_catch_up(tmp_path: Path) -> None:
    async def steps(evening: Evening) -> None:
        table = evening.table
        anna, emil = await evening.join("japan.anna"), await evening.join("russia.emil")
        await table.press("T", "d", "escape")
        for phone in (anna, emil):
            wait_for_text(phone, ".round", "to come")
        # One phone declares offline, the other after it wakes.
        set_offline(anna, offline=True)
        fire(anna, "Mikasa", "Tsesarevich", "24")
        tap(anna, "Declare: 1 order")
        wait_for_text(anna, ".became", "kept on this phone")
        emil.send("Page.setWebLifecycleState", state="frozen")
        assert evening.board.process.poll() is None
        set_offline(anna, offline=False)
        emil.send("Page.setWebLifecycleState", state="active")
        wait_for_text(anna, ".round", "Declared.")
        wait_for_text(emil, ".round", "declared: Anna")
        fire(emil, "Tsesarevich", "Mikasa", "24")
        tap(emil, "Declare: 1 order")
        wait_for_text(anna, ".round", "declared: Anna, Emil")
        await table.press("T", "d", "enter", "escape")
        assert sorted(evening.by) == ["Anna", "Emil"]
        wait_for_text(anna, ".throws", "Mikasa")
        # A proposal for a phase that has ended counts for no other phase.
        set_offline(anna, offline=True)
        fire(anna, "Asahi", "Tsesarevich", "24", 3, 8)
        wait_for_text(anna, ".became", "kept on this phone")
        for _ in range(8):
            await table.order("force next")
            if table.battle.turn == 2 and table.session.system.phase_title(table.battle) == "First gunnery":
                break
        wait_for_text(emil, "#now", "Turn 2")
        set_offline(anna, offline=False)
        wait_for_text(anna, ".became .refused", "it was for another phase")
        wait_for_text(anna, "#now", "Turn 2")
        desk = find_part(table.screen).desk
        assert desk is not None
        assert desk.tray.waiting == ()

    play_evening(tmp_path, steps, "--switch", "own-side")


@pytest.mark.parametrize("kills", [2, pytest.param(200, marks=pytest.mark.long)])
def test_a_killed_board_loses_and_doubles_no_proposal(tmp_path: Path, kills: int) -> None:
    """Send again what the killed board had not confirmed."""

    async def steps(evening: Evening) -> None:
        anna, chance = await evening.join("japan.anna"), Random(kills)
        place = ("--propose", "--port", str(evening.board.port))
        with ExitStack() as stack:
            for kill in range(kills):
                sent = {"orders": [SHOT], "dice": [3, 8], "remark": str(kill)}
                anna.evaluate(f"propose({json.dumps(sent)}, 'a shot', null)")
                await asyncio.sleep(chance.random() / 50)
                evening.board.process.kill()
                evening.board.process.wait()
                evening.board = stack.enter_context(run_board(evening.board.save, *place, program=HASTY))
                await evening.wait_for_proposals("Anna")
                desk = find_part(evening.table.screen).desk
                assert desk is not None
                desk.tray.send_back(desk.tray.waiting[0], "again")
                anna.wait_for("kept().box.every((one) => one.state === 'listed')", 60)
            files = TrayFiles.from_save(evening.board.save, read_save(evening.board.save).first_sum)
            files.look()
            said = [each.remark for each in files.state.proposals.values()]
            assert said == [str(kill) for kill in range(kills)]
            files.close()

    play_evening(tmp_path, steps)
