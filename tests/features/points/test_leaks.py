"""Who may know points: pages, reports and briefings, before and after the end of a battle."""

import pytest
from attrs import evolve

from qf_tui.core.values import EACH_SHIP, Condition, Points
from qf_tui.features.board.hub import encode_view
from qf_tui.features.board.values import ALL, BoardSwitch, build_viewer_battle
from qf_tui.features.board.view import build_view
from qf_tui.features.points.document import build_points_section
from qf_tui.features.sheets.briefing import list_aims
from qf_tui.session import Session
from tests.console.playing import begin_gunnery
from tests.features.points.scored import add_points, begin_hostile, build_rule

MINE, FOES = "blue", "red"
OPEN = build_rule(MINE, FOES, 3, each=EACH_SHIP)
SECRET = build_rule(FOES, MINE, 5, each=EACH_SHIP, secret=True)
BY_LOG = build_rule(MINE, FOES, 1, each="speed_hits", half=2)


def encode_page(session: Session, viewer: str, switch: BoardSwitch) -> object:
    """Return the bytes of a viewer's page, and his part of the battle as text."""
    view = build_view(session.system, session.timeline, viewer, switch)
    known = build_viewer_battle(session.system, session.timeline, viewer, switch)
    return encode_view(view), repr(known.battle.plan), repr(known.timeline.start.plan)


def list_shown(session: Session, viewer: str, switch: BoardSwitch) -> str:
    return "\n".join(build_view(session.system, session.timeline, viewer, switch).standings)


def begin(*rules: Condition) -> Session:
    return add_points(begin_gunnery(), *rules)


@pytest.mark.parametrize("switch", BoardSwitch)
@pytest.mark.parametrize("viewer", [MINE, ALL])
@pytest.mark.parametrize("order", ["", "leave mikasa sunk", "leave borodino sunk"])
def test_secret_points_of_others_change_no_byte_of_a_page(
    viewer: str, switch: BoardSwitch, order: str
) -> None:
    pages = []
    for rules in ((OPEN,), (OPEN, SECRET), (OPEN, evolve(SECRET, points=Points(9, secret=True)))):
        session = begin(*rules)
        for each in filter(None, (order, "next" if order else "")):
            session.enter(each)
        pages.append(encode_page(session, viewer, switch))
    assert pages[0] == pages[1] == pages[2]


@pytest.mark.parametrize("switch", BoardSwitch)
def test_a_side_sees_its_own_secret_points(switch: BoardSwitch) -> None:
    session = begin(OPEN, SECRET)
    for order in ("leave mikasa sunk", "next"):
        session.enter(order)
    shown = list_shown(session, FOES, switch)
    assert "Red: 5 points" in shown
    assert "secret: 1 × 5 = 5: Mikasa" in shown


@pytest.mark.parametrize("viewer", [MINE, ALL])
def test_points_do_not_show_what_others_logs_show(viewer: str) -> None:
    pages = set()
    for order in ("mark borodino speed_hits 0", "mark borodino speed_hits 4", "mark borodino rof_heavy 0"):
        session = begin(BY_LOG)
        session.enter(order)
        pages.add(list_shown(session, viewer, BoardSwitch.OWN_SIDE))
    (shown,) = pages
    assert shown == "Blue: 0 points and what others' logs show"


def test_points_by_logs_are_shown_to_those_who_know_the_logs() -> None:
    session = begin(BY_LOG)
    session.enter("mark borodino speed_hits 2")
    assert list_shown(session, FOES, BoardSwitch.OWN_SIDE) == "Blue: 2 points"
    assert list_shown(session, MINE, BoardSwitch.AT_ONCE) == "Blue: 2 points"
    assert list_shown(session, MINE, BoardSwitch.PHASE_END) == "Blue: 0 points"


def read_report(session: Session) -> str:
    section = build_points_section(session.system, session.timeline)
    return "\n".join(line.text for part in section.sections for line in (*part.lines,)) + "".join(
        part.title for part in section.sections
    )


def test_the_report_shows_secret_points_once_the_battle_is_over() -> None:
    session = begin(OPEN, SECRET)
    session.enter("leave mikasa sunk")
    assert "secret" not in read_report(session)
    assert "Red: " not in read_report(session)
    foes = [ship.id for ship in session.battle.ships.values() if ship.side == FOES]
    for ship in foes:
        session.enter(f"leave {ship} sunk")
    assert session.system.ended(session.battle)
    assert "secret" in read_report(session)
    assert "Red: 5 points" in read_report(session)
    assert "Red: 5 points" in list_shown(session, MINE, BoardSwitch.AT_ONCE)


def test_a_briefing_has_the_points_of_its_side_alone() -> None:
    session = begin(OPEN, SECRET)
    assert list(list_aims(session.system, session.battle, MINE)) == [
        "points: 3 for each ship of Red sunk or struck"
    ]
    assert list(list_aims(session.system, session.battle, FOES)) == [
        "points: 5 for each ship of Blue sunk or struck, secret"
    ]


def test_hostile_names_are_shown_as_they_are() -> None:
    session = begin_hostile()
    session.enter("leave borodino sunk")
    assert "HMS [Red] Lion" in read_report(session)
