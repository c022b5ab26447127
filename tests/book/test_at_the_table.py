"""The board and a phone with a save whose book file is gone."""

import json
from pathlib import Path

import pytest

from qf_tui.features.board.tray import Tray
from qf_tui.library.systems import Systems
from qf_tui.session import Session
from tests.book.convoys import copy_book
from tests.cli.calling import Caller
from tests.features.board.phone import Phone, order, read_seat_state
from tests.features.board.served import run_board


@pytest.fixture
def save(tmp_path: Path, call: Caller) -> Path:
    """Write a save in the gunnery phase, and delete its book."""
    folder = tmp_path / "club"
    folder.mkdir()
    made = tmp_path / "battle.qfb"
    assert call("run", copy_book(folder), "--orders", call.write_orders("next\n"), "--save", made).status == 0
    for path in folder.iterdir():
        path.unlink()
    return made


def test_a_player_shoots_from_a_phone_and_the_umpire_reads_the_chart(save: Path) -> None:
    shot = order("shoot", "beacon", target="arrow", range="12in")
    with run_board(save, "--propose") as board:
        phone = Phone(board, "red.red")
        with board.follow_secret(phone.seat.secret) as stream:
            assert read_seat_state(stream)["device"] == "none"
            phone.ask(stream=stream.name)
            read_seat_state(stream)
            phone.let_in()
            seat = read_seat_state(stream)
            answer = phone.propose(orders=[shot], dice=[5, 4])
    assert [form["word"] for form in seat["may"]] == ["shoot", "launch"]
    assert json.loads(answer.body) == {"state": "waiting"}
    session = Session.resume(save, Systems())
    tray = Tray.from_session(session)
    assert tray is not None
    tray.look()
    tray.let_in(tray.weigh(tray.waiting[0]))
    assert [(owed.line, owed.faces) for owed in session.battle.owed] == [("read", (5, 4))]
    tray.close()
    session.close()
