"""Sealed dice on the board and on sheets: seal, call and faces are shown, and nothing of the seed is."""

from itertools import product
from pathlib import Path

import pytest

from qf_tui.board.hub import Hub, encoded
from qf_tui.board.links import Links
from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.board.view import ship_view, view
from qf_tui.document.viewer import EntryView, Sealing, View
from qf_tui.paper.sheets import SheetChoice, page_of, sheets_of
from qf_tui.session import Session
from qf_tui.session.dice import seal_texts, seal_words
from qf_tui.session.following import Follower
from qf_tui.session.new_save import copy_as
from tests.sealed.club import SEED, SYSTEMS, WORDS, SealedEvening, club

AT_ONCE, OWN_SIDE, PHASE_END = BoardSwitch.AT_ONCE, BoardSwitch.OWN_SIDE, BoardSwitch.PHASE_END
SHOT = "fire iwate heavy rossiya medium call 37"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    begun = club(tmp_path / "sealed.qfb")
    begun.enter("next")
    return begun


def seen(session: Session, viewer: str = ALL, switch: BoardSwitch = AT_ONCE) -> View:
    return view(session.system, session.timeline, viewer, switch, Sealing(seal_texts(session.extra), True))


def last(session: Session, viewer: str, switch: BoardSwitch = AT_ONCE) -> EntryView:
    told = seen(session, viewer, switch).last
    assert told is not None
    return told


def test_a_throw_is_told_with_the_call_that_threw_it(session: Session) -> None:
    """Catches faces without their call, by which alone anybody can check them."""
    session.enter(SHOT)
    told = last(session, ALL)
    assert (told.call, told.dice) == ("37", session.timeline.versions[told.number].dice)
    assert told.dice
    own, others = last(session, "japan", OWN_SIDE), last(session, "russia", OWN_SIDE)
    assert (own.call, own.dice) == ("37", told.dice)
    assert (others.call, others.dice) == ("", ())
    session.enter("undo")
    assert last(session, ALL).call == "37"


@pytest.mark.parametrize(("viewer", "switch"), list(product((ALL, "japan", "russia"), BoardSwitch)))
def test_the_seal_is_everybodys_and_the_seed_nobodys(
    session: Session, viewer: str, switch: BoardSwitch
) -> None:
    """Catches a seed on a page, a ship's page or a sheet, before the umpire reveals it."""
    SealedEvening(session, 7).play(1)
    made = seen(session, viewer, switch)
    assert made.sealing.calls
    assert session.dice.seal is not None
    assert f"seal: {' '.join(seal_words(session.dice.seal.digest))}" in made.sealing.lines
    assert any(word in line for line in made.sealing.lines for word in WORDS)
    ships = (ship_view(session.system, session.timeline, viewer, switch, id) for id in session.battle.ships)
    for data in (encoded(made), *(encoded(ship) for ship in ships if ship)):
        assert SEED.hex().encode() not in data.lower()
        assert SEED not in data


@pytest.mark.parametrize("wanted", [SheetChoice(), SheetChoice("japan")])
def test_sheets_have_the_seal_and_not_the_seed(session: Session, wanted: SheetChoice) -> None:
    session.enter(SHOT)
    page = page_of(sheets_of(session.system, session.timeline, wanted, session.extra))
    assert session.dice.seal is not None
    assert " ".join(seal_words(session.dice.seal.digest)) in page
    assert session.dice.seal.digest in page
    assert SEED.hex() not in page.lower()


def test_a_call_is_asked_for_until_the_seed_is_revealed(session: Session) -> None:
    """Catches a call for dice that nobody throws any more; as each phase ends it is told with its phase."""
    before = seen(session, ALL, PHASE_END)
    session.enter("reveal")
    assert not seen(session).sealing.calls
    assert seen(session, ALL, PHASE_END) == before
    session.enter("next")
    assert not seen(session, ALL, PHASE_END).sealing.calls
    session.enter("strike 2")
    assert not seen(session).sealing.calls


def test_a_board_knows_by_the_save_whether_a_call_throws(session: Session, tmp_path: Path) -> None:
    """Catches a board that opens the file of the seed, and a copy that asks for calls."""
    path = session.journal.path
    assert path is not None
    copy = copy_as(session, str(tmp_path / "copy.qfb"))
    (tmp_path / "sealed.qfb.seed").write_text("nothing that could be read", encoding="utf-8")
    for save, calls in ((path, True), (copy, False)):
        shown = Hub(Follower(save, SYSTEMS), Links()).shown(ALL)
        assert shown is not None
        event = shown[1]
        assert (b'"calls":true' in event.data) == calls
        assert b'"seal: ' in event.data
    assert not Hub(Follower(copy, SYSTEMS), Links()).lost
