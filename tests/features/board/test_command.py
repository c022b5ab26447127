"""`qf-tui board` before it serves: an error takes one line."""

import sys
from io import BytesIO, TextIOWrapper
from typing import NoReturn

import ifaddr
import pytest

from qf_tui.features.board import command
from qf_tui.features.board.addresses import (
    ANYWHERE,
    HERE,
    PORT,
    Address,
    check_host,
    list_addresses,
    open_listener,
)
from qf_tui.features.board.command import (
    FORGEABLE,
    NO_NETWORK,
    READABLE,
    WIDTH,
    Announcer,
    announce,
    format_links,
)
from qf_tui.features.board.hub import Hub
from qf_tui.features.board.links import Links
from qf_tui.features.sealed_dice.qr import build_qr_rows, draw_qr_blocks
from qf_tui.library.settings import ASCII, FULL, Settings
from qf_tui.library.systems import find_systems
from qf_tui.session.saves import Follower
from tests.cli.calling import Caller

ORDERS = "next\n"


def test_unreadable_links_are_reported_with_what_to_do(call: Caller) -> None:
    call.save(ORDERS).rename(call.folder / "battle.qfb")
    (call.folder / "battle.qfb.board").write_text("{}", encoding="utf-8")
    called = call("board", "battle.qfb")
    assert (called.status, "Delete it, and new ones are made" in called.err) == (2, True)


@pytest.mark.parametrize("host", [HERE, "192.0.2.5"])
def test_links_that_others_can_reach_have_a_qr_code(
    call: Caller, capsys: pytest.CaptureFixture[str], host: str
) -> None:
    hub = Hub(Follower(call.save(ORDERS), find_systems()), Links().add_sides(("blue", "red")))
    announce(hub, (Address(host, 8904),))
    said = capsys.readouterr().out
    link = f"http://{host}:8904/{hub.links.find_secret('')}/"
    assert f"  all   {link}" in said
    assert (READABLE in said) is (host != HERE)
    assert all(line in said for line in draw_qr_blocks(build_qr_rows(link))) is (host != HERE)


@pytest.mark.parametrize("host", [HERE, "192.0.2.5"])
@pytest.mark.parametrize("propose", [False, True])
def test_each_player_has_a_link_if_players_may_propose(
    call: Caller, capsys: pytest.CaptureFixture[str], host: str, propose: bool
) -> None:
    """Warn that others on the network can forge proposals."""
    follower = Follower(call.save(ORDERS), find_systems())
    links = Links(propose=propose).add_sides(("blue", "red")).add_seats(follower.battle)
    hub = Hub(follower, links)
    announce(hub, (Address(host, 8904),))
    said = capsys.readouterr().out
    assert {seat.secret in said for seat in links.seats} == {propose}
    assert (FORGEABLE in " ".join(said.split())) is (propose and host != HERE)


def test_the_addresses_of_the_cards_are_those_of_this_computer() -> None:
    """Pass without a network, too."""
    for address in list_addresses(ANYWHERE, PORT):
        assert check_host(address.host) == address.host != HERE
        assert address.card
        open_listener(address.host, 0)[0].close()
    assert list_addresses(HERE, PORT) == (Address(HERE, PORT),)


CARDS = [
    ("wlan0", "192.168.43.5", 24),
    ("Microsoft Wi-Fi Direct Virtual Adapter", "192.168.137.1", 24),
    ("en0", "10.0.0.7", 24),
    ("eth0", "172.20.10.2", 28),
    ("eth1", "93.184.216.34", 24),
    ("wlan1", "169.254.7.7", 16),
    ("virbr0", "192.168.122.1", 24),
    ("VirtualBox Host-Only Ethernet Adapter", "192.168.156.1", 24),
    ("tun0", "10.8.0.2", 24),
    ("utun4", "10.9.0.2", 32),
    ("home", "10.10.0.2", 32),
    ("docker0", "172.17.0.1", 16),
    ("vEthernet (WSL)", "172.18.0.1", 20),
    ("tailscale0", "100.101.102.103", 32),
]
"""Cards as systems name them, in the order in which their addresses are shown."""


def test_private_addresses_of_physical_cards_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [
        ifaddr.Adapter(card, card, [ifaddr.IP(host, prefix, card), ifaddr.IP(("fe80::1", 0, 2), 64, card)])
        for card, host, prefix in (*reversed(CARDS), ("lo", HERE, 8))
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: cards)
    found = list_addresses(ANYWHERE, PORT)
    assert [(address.card, address.host) for address in found] == [(card, host) for card, host, _ in CARDS]


def test_a_system_that_lists_no_cards_has_no_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> NoReturn:
        raise OSError("not here")

    monkeypatch.setattr(ifaddr, "get_adapters", fail)
    assert list_addresses(ANYWHERE, PORT) == ()


TWO = (Address("192.168.143.105", 65535, "wlan0"), Address("10.8.0.2", 65535, "tun0"))


def test_all_addresses_are_named_and_each_has_its_links(
    call: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    hub = Hub(Follower(call.save(ORDERS), find_systems()), Links().add_sides(("blue", "red")))
    announcer = Announcer()
    announcer(hub, TWO)
    said = capsys.readouterr().out
    assert "board at 192.168.143.105 (wlan0)\nIt is also at 10.8.0.2 (tun0)." in said
    assert said.count("http://192.168.143.105:65535/") == 3
    announce(hub, TWO, 1)
    said = capsys.readouterr().out
    assert "board at 10.8.0.2 (tun0)\nIt is also at 192.168.143.105 (wlan0)." in said
    link = f"http://10.8.0.2:65535/{hub.links.find_secret('')}/"
    assert all(line in said for line in draw_qr_blocks(build_qr_rows(link)))
    announcer(hub, ())
    assert f"have changed.\nThe rules' examples: the board is on.\n{NO_NETWORK}" in capsys.readouterr().out


def test_no_link_is_broken_at_80_columns() -> None:
    secret = "s" * 16
    long_name = "Zinovi Petrovich Rozhestvensky, Russia"
    links = [(name, TWO[0].format_link(secret)) for name in ("all", "Togo, Japan", long_name)]
    assert format_links(links[:2]) == [f"  all          {links[0][1]}", f"  Togo, Japan  {links[1][1]}"]
    lines = format_links(links)
    assert max(map(len, lines)) <= WIDTH
    assert lines[:2] == ["  all", f"    {links[0][1]}"]
    assert lines[-2:] == [f"  {long_name}", f"    {links[2][1]}"]


@pytest.mark.parametrize("signs", [FULL, ASCII])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_code_is_drawn_only_if_its_blocks_can_be_printed(
    call: Caller, monkeypatch: pytest.MonkeyPatch, signs: str, encoding: str
) -> None:
    """Guard against a picture that looks like a code and is none."""
    hub = Hub(Follower(call.save(ORDERS), find_systems()), Links().add_sides(("blue", "red")))
    printed = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(printed, encoding, "replace"))
    monkeypatch.setattr(command, "load_settings", lambda: Settings(signs=signs))
    announce(hub, TWO)
    said = printed.getvalue().decode(encoding)
    assert ("the link for all" in said) is (signs == FULL and encoding == "utf-8")
    assert ("█" in said, "?" * 9 in said) == (signs == FULL and encoding == "utf-8", False)
    assert f"http://192.168.143.105:65535/{hub.links.find_secret('')}/" in said


def test_the_help_says_who_else_can_read(call: Caller) -> None:
    assert "a club's Wi-Fi is not encrypted" in " ".join(call("board", "--help").out.split())


def test_a_file_that_is_no_save_is_not_served(call: Caller) -> None:
    (call.folder / "notes.txt").write_text("no battle", encoding="utf-8")
    called = call("board", "notes.txt")
    assert (called.status, "notes.txt" in called.err) == (2, True)
