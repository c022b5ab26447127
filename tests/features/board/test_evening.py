"""An evening as it is played: players on real pages, the board itself, the umpire at his keys."""

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
from tests.features.board.served import HASTY, Board, served
from tests.features.board.test_page import NO_BROWSER, PHONE, faults
from tests.features.board.test_seat_page import button, faces, tap, text, typed, until
from tests.systems import load_start

pytestmark = pytest.mark.skipif(find_browser() is None, reason=NO_BROWSER)
SHOT = order("fire", "mikasa", battery="heavy", target="tsesarevich", range="24")


class Evening:
    """The umpire's console, and the phones of his players by their seats."""

    def __init__(self, table: Table, board: Board, browser: Browser) -> None:
        self.table, self.board, self.browser = table, board, browser
        self.phones: dict[str, Browser] = {}

    def address(self, seat_id: str) -> str:
        seat = next(seat for seat in self.board.links.seats if seat.id == seat_id)
        return f"http://{self.board.host}/{seat.secret}/"

    def opens(self, seat_id: str) -> Browser:
        """A phone on which the link of a seat is opened."""
        phone = self.browser.open_page()
        phone.set_size(*PHONE)
        phone.open(f"{self.address(seat_id)}#play")
        phone.wait_for("document.querySelector('.device h2')")
        return phone

    async def joins(self, seat_id: str) -> Browser:
        """A player opens his link, asks, and is let in by the number that he reads out."""
        phone = self.opens(seat_id)
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
        phone.wait_for(button("Fire a battery"))
        self.phones[seat_id] = phone
        return phone

    async def look(self) -> None:
        """The console has looked at what was proposed."""
        self.table.screen.look()
        await self.table.settle()

    async def waits(self, *names: str) -> None:
        """Proposals of these players wait in the tray."""
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
        """Who proposed what stands in the log."""
        timeline = self.table.session.timeline
        return [act.by for act in timeline.log if act.by]


def fires(phone: Browser, ship: str, target: str, range: str, *dice: int) -> None:
    """Orders the heavy guns of a ship to fire."""
    tap(phone, "Fire a battery")
    tap(phone, ship, "heavy", target, within="#form")
    typed(phone, "range", range)
    phone.press("Enter", 13)
    if dice:
        faces(phone, *dice)
    tap(phone, "Propose" if dice else "Add", within="#form")


def away(phone: Browser, *, offline: bool) -> None:
    """The network goes, or comes back."""
    phone.send(
        "Network.emulateNetworkConditions",
        offline=offline,
        latency=0,
        downloadThroughput=-1,
        uploadThroughput=-1,
    )
    if offline:
        phone.evaluate("feed.source.close()")  # what is emulated cuts nothing that is open
        until(phone, "#live", "lost the battle")


def played(folder: Path, steps: Callable[[Evening], Awaitable[None]], *arguments: str) -> None:
    """Plays with a console, a board and a browser; no page has complained of anything."""
    session = Session.begin(*load_start("yellow-sea-1904"), folder / "battle.qfb")
    session.enter("force next")

    async def whole(table: Table) -> None:
        evening = Evening(table, board, browser)
        await steps(evening)
        for phone in evening.phones.values():
            assert faults(phone, f"http://{board.host}/") == []

    with (
        served(folder / "battle.qfb", "--propose", *arguments, program=HASTY) as board,
        open_browser(folder / "profile") as browser,
    ):
        play(session, whole)
    ids = [act.extra["proposal"] for act in read_save(folder / "battle.qfb").log if "proposal" in act.extra]
    assert len(set(ids)) == len(ids)


def test_a_phase_as_players_and_the_umpire_play_it(tmp_path: Path) -> None:
    async def steps(evening: Evening) -> None:
        table = evening.table
        anna, emil = await evening.joins("japan.anna"), await evening.joins("russia.emil")
        second = evening.opens("japan.anna")
        until(second, ".device", "Not this phone")
        tap(second, "Ask for this phone")
        until(second, ".device", "another phone takes part")
        # An order with its dice is let in, and a wrong die taken back.
        fires(anna, "Mikasa", "Tsesarevich", "24", 3, 8)
        until(anna, ".became .waiting", "Mikasa heavy at Tsesarevich")
        await evening.waits("Anna")
        await table.press("T", "enter", "escape")
        until(anna, ".became .in", "heavy ROF")
        await table.press("u", "enter")
        until(anna, ".became .undone", "taken back by the umpire")
        # What is sent back says why, and may be proposed again.
        fires(anna, "Asahi", "Retvizan", "24", 3, 8)
        await evening.waits("Anna")
        await table.type("T x masts_in_the_way enter")
        until(anna, ".became .back", "masts in the way")
        tap(anna, "Again", within=".became .back")
        assert text(anna, ".faces").split() == ["3", "black", "8", "white"]
        tap(anna, "✕", within="#form")
        # Three declare, one of them by the umpire's hand; all stand at once, and dice follow.
        await table.press("T", "d")
        until(emil, ".round", "to come: Anna, Ben")
        fires(anna, "Mikasa", "Tsesarevich", "24")
        fires(anna, "Asahi", "Tsesarevich", "24")
        tap(anna, "Declare: 2 orders")
        until(emil, ".round", "declared: Anna")
        assert "Mikasa" not in text(emil, ".round")
        fires(emil, "Tsesarevich", "Mikasa", "24")
        tap(emil, "Declare: 1 order")
        until(anna, ".round", "declared: Anna, Emil")
        await table.press("down")
        await table.type("t fire_yakumo_heavy_retvizan_30 enter")
        until(anna, ".round", "declared: Anna, Ben, Emil")
        await table.press("d", "enter")
        assert sorted(evening.by) == ["Anna", "Anna", "Anna", "Ben", "Emil"]
        # A roll that is owed is thrown.
        tap(anna, "Throw")
        faces(anna, 3, 8)
        tap(anna, "Propose")
        until(anna, ".throws", "with the umpire")
        await evening.waits("Anna")
        await table.press("T", "A")
        until(anna, ".became .in", "heavy ROF")
        assert len(table.battle.owed) == 3

    played(tmp_path, steps)


def test_phones_that_were_away(tmp_path: Path) -> None:
    async def steps(evening: Evening) -> None:
        table = evening.table
        anna, emil = await evening.joins("japan.anna"), await evening.joins("russia.emil")
        await table.press("T", "d", "escape")
        for phone in (anna, emil):
            until(phone, ".round", "to come")
        # One declares without the network, one sleeps and declares as she wakes.
        away(anna, offline=True)
        fires(anna, "Mikasa", "Tsesarevich", "24")
        tap(anna, "Declare: 1 order")
        until(anna, ".became", "kept on this phone")
        emil.send("Page.setWebLifecycleState", state="frozen")
        assert evening.board.process.poll() is None
        away(anna, offline=False)
        emil.send("Page.setWebLifecycleState", state="active")
        until(anna, ".round", "Declared.")
        until(emil, ".round", "declared: Anna")
        fires(emil, "Tsesarevich", "Mikasa", "24")
        tap(emil, "Declare: 1 order")
        until(anna, ".round", "declared: Anna, Emil")
        await table.press("T", "d", "enter", "escape")
        assert sorted(evening.by) == ["Anna", "Emil"]
        until(anna, ".throws", "Mikasa")
        # What was meant for a phase that has ended is for no other.
        away(anna, offline=True)
        fires(anna, "Asahi", "Tsesarevich", "24", 3, 8)
        until(anna, ".became", "kept on this phone")
        for _ in range(8):
            await table.order("force next")
            if table.battle.turn == 2 and table.session.system.phase_title(table.battle) == "First gunnery":
                break
        until(emil, "#now", "Turn 2")
        away(anna, offline=False)
        until(anna, ".became .refused", "it was for another phase")
        until(anna, "#now", "Turn 2")
        desk = find_part(table.screen).desk
        assert desk is not None
        assert desk.tray.waiting == ()

    played(tmp_path, steps, "--switch", "own-side")


@pytest.mark.parametrize("kills", [2, pytest.param(200, marks=pytest.mark.long)])
def test_a_board_that_is_killed_under_its_pages_loses_and_doubles_nothing(tmp_path: Path, kills: int) -> None:
    """By `kill -9` as a phone proposes: its page sends again what it was not told to be there."""

    async def steps(evening: Evening) -> None:
        anna, chance = await evening.joins("japan.anna"), Random(kills)
        place = ("--propose", "--port", str(evening.board.port))
        with ExitStack() as stack:
            for kill in range(kills):
                sent = {"orders": [SHOT], "dice": [3, 8], "remark": str(kill)}
                anna.evaluate(f"propose({json.dumps(sent)}, 'a shot', null)")
                await asyncio.sleep(chance.random() / 50)
                evening.board.process.kill()
                evening.board.process.wait()
                evening.board = stack.enter_context(served(evening.board.save, *place, program=HASTY))
                await evening.waits("Anna")
                desk = find_part(evening.table.screen).desk
                assert desk is not None
                desk.tray.send_back(desk.tray.waiting[0], "again")
                anna.wait_for("kept().box.every((one) => one.state === 'listed')", 60)
            files = TrayFiles.from_save(evening.board.save, read_save(evening.board.save).first_sum)
            files.look()
            said = [each.remark for each in files.state.proposals.values()]
            assert said == [str(kill) for kill in range(kills)]
            files.close()

    played(tmp_path, steps)
