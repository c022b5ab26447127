"""The proposer of an entry, in every text for readers who may know."""

from collections.abc import Callable, Iterable

import pytest

from qf_tui.document.history import LogView
from qf_tui.document.scripts import build_act_row
from qf_tui.document.text import lay_out_blocks
from qf_tui.document.transcript import build_entry_document, list_log
from qf_tui.document.values import Block
from qf_tui.features.board.page import EntryView
from qf_tui.features.board.values import BoardSwitch
from qf_tui.features.board.view import build_view, find_known_timeline
from qf_tui.features.report.document import make_report
from qf_tui.features.report.story import analyse
from qf_tui.features.report.text import format_csv
from qf_tui.session import Session
from qf_tui.session.session import ActOrigin
from tests.console.playing import Table, begin_gunnery, with_console

AT_ONCE = BoardSwitch.AT_ONCE
ANNA, MARKUP = "Anna Maria", "[/red]Anna [link=x]"
SHOT, AMENDMENT = "fire mikasa heavy borodino long 4 8", "amend 2 5 8"


def enter_proposed(by: str = ANNA, *lines: str) -> Session:
    """Begin the first gunnery with orders that a player proposed, then one of the umpire's."""
    session = begin_gunnery()
    for at, line in enumerate(lines or (SHOT,)):
        order = session.read(line).require_order()
        session.record(session.work_out(order), ActOrigin(by, {"proposal": f"{at:032x}"}))
    session.enter("fire borodino heavy mikasa long 4 10")
    return session


def join_blocks(blocks: Iterable[Block]) -> str:
    return "\n".join(lay_out_blocks(blocks))


def format_history(session: Session) -> str:
    log_view = LogView(session.system, session.timeline)
    line = next(line for line in log_view.played if line.act == 2)
    assert f"by {ANNA}".casefold() in log_view.build_search_text(2)
    assert log_view.summary_of(3).origin == ""
    return f"{log_view.summary_of(2).background}\n{join_blocks(log_view.build_document(line).blocks)}"


def format_why(session: Session) -> str:
    return join_blocks(build_entry_document(session.system, session.timeline, 2).blocks)


def format_own_report(session: Session) -> str:
    made = make_report(session.system, session.timeline, analyse(session.system, session.timeline))
    rows = format_csv(made.throws).splitlines()
    assert rows[0].endswith(",by")
    assert [row.endswith(f",{ANNA}") for row in rows[1:]] == [True, False]
    told = join_blocks(made.document.blocks)
    assert f"Proposed by players and let in by the umpire: {ANNA} 1 of 3 entries." in told
    return told


def format_shown(session: Session) -> str:
    timeline = session.timeline
    rows = [build_act_row(timeline, act, True) for act in timeline.log]
    assert [row.get("by") for row in rows] == [None, ANNA, None]
    return join_blocks(list_log(session.system, timeline))


@pytest.mark.parametrize("text", [format_history, format_why, format_own_report, format_shown])
def test_every_text_names_the_proposer(text: Callable[[Session], str]) -> None:
    told = text(enter_proposed())
    assert f"by {ANNA}" in told
    assert f"by {ANNA}" not in join_blocks(list_log(begin_gunnery().system, begin_gunnery().timeline))


def test_a_correction_names_its_proposer() -> None:
    session = enter_proposed(ANNA, SHOT, AMENDMENT)
    log_view = LogView(session.system, session.timeline)
    line = next(line for line in log_view.written if line.act == 3)
    assert f"by {ANNA}" in join_blocks(log_view.build_document(line).blocks)
    assert f"by {ANNA}" in log_view.summary_of(3).background


@pytest.mark.parametrize(
    ("viewer", "switch", "lines", "known"),
    [
        ("red", AT_ONCE, (SHOT,), True),
        ("", AT_ONCE, (SHOT,), True),
        ("blue", BoardSwitch.OWN_SIDE, (SHOT,), False),
        ("blue", BoardSwitch.OWN_SIDE, ("damage mikasa S",), True),
        ("red", BoardSwitch.OWN_SIDE, ("damage mikasa S",), False),
        ("", BoardSwitch.OWN_SIDE, (SHOT,), False),
        ("red", BoardSwitch.PHASE_END, (SHOT,), False),
    ],
)
def test_the_board_names_the_proposer_to_viewers_who_know_the_full_entry(
    viewer: str, switch: BoardSwitch, lines: tuple[str, ...], known: bool
) -> None:
    session = enter_proposed(ANNA, *lines)
    page = build_view(session.system, session.timeline, viewer, switch)
    told: list[EntryView] = [one for one in (*page.tellings, page.last) if one is not None]
    assert any(one.by == ANNA for one in told) == known
    assert all(one.by in ("", ANNA) for one in told)


def test_the_author_of_a_remark_is_known_only_with_the_remark() -> None:
    session = enter_proposed(ANNA, "note blue: a word between us", SHOT)
    by = {
        viewer: [act.by for act in find_known_timeline(session.system, session.timeline, viewer, AT_ONCE).log]
        for viewer in ("blue", "red")
    }
    assert by == {"blue": ["", "", ANNA, ""], "red": ["", "", ANNA, ""]}


@with_console(lambda: enter_proposed(MARKUP))
async def test_a_name_that_is_markup_is_drawn_verbatim(table: Table) -> None:
    assert f"by {MARKUP}" in table.text()
    await table.press("h", "up")
    assert f"by {MARKUP}" in table.text()
