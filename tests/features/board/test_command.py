"""`qf-tui board` before it serves: an error takes one line."""

from contextlib import suppress

import pytest

from qf_tui.core.errors import QfError
from qf_tui.features.board.command import FORGEABLE, READABLE, announce
from qf_tui.features.board.hub import Hub
from qf_tui.features.board.links import HERE, Address, Links, check_host, find_lan_address, open_listener
from qf_tui.features.sealed_dice.qr import build_qr_rows, draw_qr_blocks
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
    announce(hub, Address(host, 8904))
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
    announce(hub, Address(host, 8904))
    said = capsys.readouterr().out
    assert {seat.secret in said for seat in links.seats} == {propose}
    assert (FORGEABLE in " ".join(said.split())) is (propose and host != HERE)


def test_the_address_on_the_network_is_one_of_this_computer() -> None:
    """Pass without a network, too."""
    with suppress(QfError):
        found = find_lan_address()
        assert check_host(found) == found != HERE
        open_listener(found, 0)[0].close()


def test_the_help_says_who_else_can_read(call: Caller) -> None:
    assert "a club's Wi-Fi is not encrypted" in " ".join(call("board", "--help").out.split())


def test_a_file_that_is_no_save_is_not_served(call: Caller) -> None:
    (call.folder / "notes.txt").write_text("no battle", encoding="utf-8")
    called = call("board", "notes.txt")
    assert (called.status, "notes.txt" in called.err) == (2, True)
