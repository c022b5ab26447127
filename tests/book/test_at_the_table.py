"""Who looks on and takes part: the board, a phone and talk, of a save that lies without its book."""

import json
from pathlib import Path

import pytest

from qf_tui.cli.talk import Conversation
from qf_tui.library.systems import Systems
from qf_tui.session import Session
from qf_tui.session.tray import Tray
from tests.board.phone import Phone, order, told
from tests.board.served import served
from tests.book.convoys import copied
from tests.cli.calling import Caller


@pytest.fixture
def save(tmp_path: Path, call: Caller) -> Path:
    """The gunnery phase, begun beside a book that is gone by now."""
    folder = tmp_path / "club"
    folder.mkdir()
    made = tmp_path / "battle.qfb"
    assert call("run", copied(folder), "--orders", call.orders("next\n"), "--save", made).status == 0
    for path in folder.iterdir():
        path.unlink()
    return made


def test_a_player_shoots_from_a_phone_and_the_umpire_reads_his_chart(save: Path) -> None:
    shot = order("shoot", "beacon", target="arrow", range="12in")
    with served(save, "--propose") as board:
        phone = Phone(board, "red.red")
        with board.at(phone.seat.secret) as stream:
            assert told(stream)["device"] == "none"
            phone.asks(stream=stream.name)
            told(stream)
            phone.let_in()
            seat = told(stream)
            answer = phone.proposes(orders=[shot], dice=[5, 4])
    assert [form["word"] for form in seat["may"]] == ["shoot", "launch"]
    assert json.loads(answer.body) == {"state": "waiting"}
    session = Session.resume(save, Systems())
    tray = Tray.of(session)
    assert tray is not None
    tray.look()
    tray.let_in(tray.weigh(tray.waiting[0]))
    assert [(owed.line, owed.faces) for owed in session.battle.owed] == [("read", (5, 4))]
    tray.close()
    session.close()


def test_line_by_line_a_chart_is_read_and_read_again(
    save: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches a question that is read aloud with another word in place of a sign."""
    monkeypatch.setattr("builtins.input", lambda question: "yes")
    session = Session.resume(save, Systems())
    talk = Conversation(session)
    for line in ("shoot arrow beacon 12in 5 4", "hull 2", "amend 2 5 3", "hull 1"):
        talk.answer(line)
    assert (session.battle.ships["beacon"].count("hull"), session.battle.owed) == (6, ())
    assert "12in, guns 2; hull 2 stands, read for shoot arrow" in " ".join(capsys.readouterr().out.split())
    session.close()
