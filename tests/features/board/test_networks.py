"""A board on networks as clubs have them: without internet, next to a VPN, and with addresses that change."""

import asyncio
import json
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from qf_tui.features.board.addresses import Address
from qf_tui.features.board.links import load_links
from qf_tui.features.board.process import BoardProcess
from qf_tui.features.sealed_dice.qr import build_qr_rows, draw_qr_blocks
from qf_tui.session import Session
from tests.console.playing import SMALL_FIRST, Size, Table, begin_saved, play
from tests.features.board.network import add_card, enter_own_network, in_own_network, run_ip
from tests.features.board.served import HASTY, Board, parse_answer, read_all, run_board
from tests.features.board.test_screen import LOOKS, wait_until
from tests.features.board.test_serving import find_save_path

pytestmark = in_own_network


@pytest.fixture(autouse=True)
def own_network() -> Iterator[None]:
    with enter_own_network():
        yield


def fetch_status(address: Address, secret: str) -> int:
    """Return the status of a page at an address; 0 without an answer."""
    try:
        with socket.create_connection((address.host, address.port), 5) as one:
            one.sendall(f"GET /{secret}/ HTTP/1.1\r\nHost: {address.name}\r\n\r\n".encode())
            return parse_answer(read_all(one)).status
    except OSError:
        return 0


def read_addresses(board: Board) -> list[Address]:
    """Read the next report of the board's addresses."""
    assert board.process.stdout is not None
    return [Address(*found) for found in json.loads(board.process.stdout.readline())["addresses"]]


WIFI, LATER, VPN = "192.168.43.5/24", "192.168.43.77/24", "10.8.0.2/24"


def test_a_board_on_a_router_without_internet_is_reached(writer: Session) -> None:
    """Guard against a way to the internet that is taken for the way to the players."""
    add_card("w0", WIFI)
    save = find_save_path(writer)
    with run_board(save, "--lan") as board:
        address = Address("192.168.43.5", board.port, "w0")
        assert fetch_status(address, board.links.find_secret("")) == 200
        assert fetch_status(address, "A" * 16) == 404


def list_cards(addresses: Sequence[Address] | None) -> list[tuple[str, str]]:
    return [(address.card, address.host) for address in addresses or ()]


def test_a_board_next_to_a_vpn_is_reached_at_both_addresses(writer: Session) -> None:
    """Guard against a code with the address of the VPN, which has the way to the internet."""
    add_card("w0", WIFI)
    add_card("v0", VPN)
    run_ip("route add default dev v0")
    board = BoardProcess(find_save_path(writer))
    board.lan = True
    board.start()
    try:
        asyncio.run(wait_until(lambda: board.addresses is not None))
        assert list_cards(board.addresses) == [("w0", "192.168.43.5"), ("v0", "10.8.0.2")]
        links = load_links(board.save)
        assert links is not None
        for card in ("w0", "v0", "w0"):
            assert board.address is not None
            assert board.address.card == card
            assert fetch_status(board.address, links.find_secret("")) == 200
            board.show_next_address()
    finally:
        board.stop()


def test_links_keep_their_secrets_when_the_address_moves(writer: Session) -> None:
    """Go from no network to one, to another address on it, and to none."""
    with run_board(find_save_path(writer), "--lan", program=HASTY) as board:
        links = board.links
        add_card("w0", WIFI)
        (before,) = read_addresses(board)
        assert (before.host, before.card) == ("192.168.43.5", "w0")
        assert fetch_status(before, links.find_secret("red")) == 200
        run_ip("addr flush dev w0", f"addr add {LATER} dev w0")
        while not (addresses := read_addresses(board)):
            pass
        assert list_cards(addresses) == [("w0", "192.168.43.77")]
        assert fetch_status(addresses[0], links.find_secret("red")) == 200
        assert fetch_status(before, links.find_secret("red")) == 0
        assert board.links == links
        run_ip("link del w0")
        assert read_addresses(board) == []


@pytest.mark.parametrize("size", SMALL_FIRST)
def test_the_umpire_sees_all_addresses_and_each_change(
    tmp_path: Path, size: Size, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin_saved(tmp_path / "battle.qfb")
    monkeypatch.setattr("qf_tui.console.battle.screen.WARN_EVERY_S", LOOKS)
    add_card("w0", WIFI)
    add_card("tun0", VPN)
    moved = "the board is now at 192.168.43.77 (w0), no longer at 192.168.43.5: B shows its links"

    def shows(table: Table, host: str) -> bool:
        """Return whether the link for all is on the screen, with its code and whole on one line."""
        links = load_links(session_path)
        link = Address(host, 8904).format_link(links.find_secret("") if links else "")
        text = table.text()
        return link in text and all(line in text for line in draw_qr_blocks(build_qr_rows(link)))

    async def steps(table: Table) -> None:
        await table.press("B", "l", "enter")
        await wait_until(lambda: shows(table, "192.168.43.5"))
        assert "On, at 192.168.43.5 (w0)" in table.text()
        assert "a shows the next: 10.8.0.2 (tun0)" in table.text()
        await table.press("a")
        assert shows(table, "10.8.0.2")
        assert "On, at 10.8.0.2 (tun0)" in table.text()
        await table.press("a", "escape")
        run_ip("addr flush dev w0", f"addr add {LATER} dev w0")
        await wait_until(lambda: moved in " ".join(table.text().split()))
        await table.press("B")
        assert shows(table, "192.168.43.77")
        assert "The board is now at 192.168.43.77" in table.text()
        await table.press("escape")
        await wait_until(lambda: "192.168.43.77" not in table.text())
        run_ip("link del tun0")
        await wait_until(lambda: "the board is no longer at 10.8.0.2" in table.text())
        run_ip("link del w0")
        await wait_until(lambda: "this computer is on no network" in table.text())
        await table.press("B")
        assert "On, but this computer is on no network" in table.text()
        await table.press("enter")
        assert "network: phones" not in table.text()

    session_path = find_save_path(session)
    play(session, steps, size)


def test_a_card_that_is_shown_stays_shown(writer: Session) -> None:
    """Show the new address of the chosen card, not the first of all."""
    board = BoardProcess(find_save_path(writer))
    board.lan = True
    add_card("w0", WIFI)
    add_card("tun0", VPN)
    board.start()
    try:
        asyncio.run(wait_until(lambda: board.addresses is not None))
        board.show_next_address()
        run_ip("addr flush dev tun0", "addr add 10.8.0.9/24 dev tun0")
        asyncio.run(wait_until(lambda: board.address is not None and board.address.host == "10.8.0.9"))
        assert board.address_change == "the board is now at 10.8.0.9 (tun0), no longer at 10.8.0.2"
        board.mark_seen()
        assert board.address_change == ""
    finally:
        board.stop()
    assert board.addresses is None
