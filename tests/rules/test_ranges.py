"""Ranges that are kept for two ships until they move, and ranges estimated along a line, in each system."""

from pathlib import Path
from typing import Protocol

import pytest
from attrs import frozen

from qf_tui.core.availability import along_line, range_book, range_slot
from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import Entry
from qf_tui.core.values import Battle, Ship
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.rules.advanced_quickfire import tables as aqf
from tests.rules.gq2 import tables as gq2
from tests.rules.gq2.test_sticks import STICKS
from tests.rules.playing import chart_file
from tests.rules.quickfire import tables as d6
from tests.rules.quickfire_clone import tables as clone


class Maker(Protocol):
    """Makes the usual ship of a system for a side."""

    def __call__(self, id: str, side: str = ..., /) -> Ship: ...


@frozen
class Case:
    """A battle in its gunnery phase, a shot of ajax and one of rook, a range, and how ships stand still."""

    name: str
    start: Battle
    shot: str
    back: str
    range: str
    still: str
    clause: str
    near: tuple[str, str]
    between: str
    apart: tuple[str, str]


def fleet(ship: Maker) -> tuple[Ship, ...]:
    return (ship("ajax"), ship("boyne"), ship("rook", "red"), ship("rival", "red"))


CASES = (
    Case(
        "advanced-quickfire",
        aqf.battle(*fleet(aqf.ship)),
        "fire ajax heavy rook {}",
        "fire rook light ajax {}",
        "20in",
        "0",
        "AQF-SCA-2",
        ("28in", "32in"),
        "~30in",
        ("20in", "32in"),
    ),
    Case(
        "quickfire",
        d6.battle(*fleet(d6.ship), phase="gunnery"),
        "fire ajax heavy rook {}",
        "fire rook light ajax {}",
        "10in",
        "0",
        "QF-SCA-1",
        ("10in", "13in"),
        "~12in",
        ("2in", "30in"),
    ),
    Case(
        "quickfire-clone",
        clone.battle(*fleet(clone.ship)),
        "fire ajax heavy rook {}",
        "fire rook light ajax {}",
        "90cm",
        "0mm",
        "QFC-GUN-6",
        ("80cm", "110cm"),
        "~95cm",
        ("100cm", "140cm"),
    ),
    Case(
        "gq2",
        gq2.battle(*fleet(gq2.ship)),
        "fire ajax 12-inch rook straddle {}",
        "fire rook 12-inch ajax straddle {}",
        "10in",
        "0",
        "GQ2-CHA-2",
        ("10in", "11in"),
        "~10in",
        ("10in", "20in"),
    ),
)
EACH = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def begun(case: Case, path: Path, save: Path | None = None) -> Session:
    """A session on a case; sticks are laid over where its system reads ranges from them."""
    system = find_systems()[case.name]
    session = Session.begin(system, case.start, save)
    if case.name == "gq2":
        session.enter(f"chart {chart_file(system, path, STICKS.partition('title')[2].partition(chr(10))[2])}")
    return session


def known(session: Session, order: str) -> str:
    """What the book has for the two ships of an order: `9in`, or `9in old`."""
    read = session.read(order).complete()
    slot = range_slot(read.form)
    assert slot is not None
    ships = frozenset((read.text(read.form.slots[0].name), read.text(slot.to)))
    read_by = session.system.range_read_by(session.battle, read)
    found = range_book(session.system, session.timeline).between(ships, slot, read_by)
    return "" if found is None else f"{found.value}{' old' if found.old else ''}"


def to_turn(session: Session, turn: int, *, moves: tuple[str, ...] = ()) -> None:
    """Goes to the gunnery of a turn, with some moves in its movement."""
    phase = session.battle.phase
    while (session.battle.turn, session.battle.phase) != (turn, phase):
        session.enter("force next")
        here = next(one for one in session.system.phases if one.name == session.battle.phase)
        for move in moves if here.moves and session.battle.turn == turn else ():
            session.enter(f"force {move}")


@EACH
def test_a_range_stays_for_its_two_ships_until_they_move(case: Case, tmp_path: Path) -> None:
    """Catches a range that is asked for again, kept too long, or kept for one direction only."""
    session = begun(case, tmp_path)
    asked, back = case.shot.format(case.range), case.back.format(case.range)
    assert known(session, asked) == ""
    session.enter(asked)
    assert known(session, asked) == known(session, back) == case.range
    assert known(session, asked.replace("ajax", "boyne")) == ""
    to_turn(session, 2)
    assert known(session, back) == f"{case.range} old"
    to_turn(session, 3)
    assert known(session, asked) == ""


@EACH
def test_a_range_holds_where_both_ships_are_recorded_as_standing_still(case: Case, tmp_path: Path) -> None:
    for still in (("ajax", "rook"), ("ajax",)):
        session = begun(case, tmp_path)
        asked = case.shot.format(case.range)
        session.enter(asked)
        to_turn(session, 2, moves=tuple(f"move {id} {case.still}" for id in still))
        assert known(session, asked) == (case.range if len(still) == 2 else f"{case.range} old")


@EACH
def test_the_book_follows_corrections(case: Case, tmp_path: Path) -> None:
    """Catches a range that is remembered beside the log."""
    session = begun(case, tmp_path)
    asked = case.shot.format(case.range)
    session.enter(asked)
    session.enter("undo")
    assert known(session, asked) == ""
    session.enter("redo")
    assert known(session, asked) == case.range


@EACH
def test_an_estimate_is_read_shown_kept_and_refused_by_its_switch(case: Case, tmp_path: Path) -> None:
    session = begun(case, tmp_path, save := tmp_path / "it.qfb")
    order = case.shot.format(case.between)
    act = session.enter(order).act
    assert isinstance(act, Entry)
    assert act.version.estimated
    assert act.version.order.line == order
    session.enter("option estimated_ranges no")
    with pytest.raises(OrderRefused) as refused:
        session.enter(case.back.format(case.between))
    assert case.clause in [finding.clause for finding in refused.value.findings]
    session.enter(case.back.format(case.range))
    session.close()
    again = Session.look(save, find_systems())
    version = again.timeline.versions[act.number]
    assert (version.estimated, version.order.line) == (True, order)
    assert not again.timeline.versions[max(again.timeline.versions)].estimated


@EACH
def test_a_line_is_filled_in_where_both_ends_lie_in_one_bracket(case: Case, tmp_path: Path) -> None:
    session = begun(case, tmp_path)

    def ends(pair: tuple[str, str]) -> tuple[str, ...]:
        orders = [session.read(case.shot.format(one)).complete() for one in pair]
        slot = range_slot(orders[0].form)
        assert slot is not None
        values = (order.slots[slot.name] for order in orders)
        found = along_line(session.system, session.battle, orders[:1], *values)
        return tuple(str(one) for one in found)

    assert ends(case.near) == (case.between,)
    assert ends(case.apart) == ("None",)


def test_what_is_read_from_a_stick_is_offered_to_the_same_stick_alone() -> None:
    """Catches the number of a band that is handed to guns of another calibre."""
    session = gq2.played(CASES[-1].start, "fire ajax 12-inch rook straddle 5")
    assert known(session, "fire boyne 12-inch rook straddle 4") == ""
    assert known(session, "fire rook 12-inch ajax straddle 4") == "5"
    assert known(session, "fire rook 6-inch ajax straddle 4") == ""


@pytest.mark.clause("QFC-GUN-5")
def test_a_guess_is_never_in_the_book() -> None:
    session = clone.played(CASES[2].start, "fire ajax heavy rook 90cm guess 80cm base 6cm")
    assert known(session, "fire rook light ajax 20cm") == "90cm"


def test_an_estimate_is_for_ranges_alone() -> None:
    session = Session.begin(find_systems()["advanced-quickfire"], aqf.battle())
    assert session.read("move ajax ~3in").order is None


def test_a_bracket_stays_a_bracket() -> None:
    session = Session.begin(find_systems()["advanced-quickfire"], CASES[0].start)
    session.enter("fire ajax heavy rook long")
    assert known(session, "fire rook heavy ajax 4in") == "long"
    order = session.read("fire boyne heavy rook pb").complete()
    assert along_line(session.system, session.battle, (order,), "long", "long") == ("long",)
    assert along_line(session.system, session.battle, (order,), "long", "medium") == (None,)
