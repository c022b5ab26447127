"""The cost of an entry does not grow with the log: count calls of functions, not time."""

import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import pytest
from attrs import evolve

from qf_tui.core.decisions import Op
from qf_tui.core.timeline import Entry, Timeline, build_timeline
from qf_tui.document.acts import describe_act, format_undo, summarize_act
from qf_tui.document.transcript import list_log
from qf_tui.features.report.document import describe_event
from qf_tui.features.report.luck import Names
from qf_tui.features.report.throws import compute_steps
from qf_tui.features.report.values import Fate, StoryLine
from qf_tui.journal.saving import write_save
from qf_tui.session import Session
from qf_tui.session.saves import build_header
from tests.corrections.long_battles import play_long_battle
from tests.systems import find_our_systems

SYSTEM = find_our_systems()["advanced-quickfire"]
SHORT, LONG = 1_000, 10_000
SURPLUS = 60
"""Calls that the longer log may cost more."""


@cache
def build_long_battle(entries: int) -> Timeline:
    """Build a battle of this many entries; most are copies that only change a figure."""
    played = play_long_battle(600)
    model = next(act for act in reversed(played.log) if isinstance(act, Entry) and _only_sets_figures(act))
    copies = (
        evolve(model, number=number, rulings={number: model.rulings[model.number]})
        for number in range(len(played.log) + 1, entries + 1)
    )
    return build_timeline(played.start, [*played.log, *copies])


def _only_sets_figures(act: Entry) -> bool:
    ops = {effect.op for effect in act.rulings[act.number].decision.effects}
    return bool(ops) and ops <= {Op.SET, Op.ADD}


def count_calls(work: Callable[[], object]) -> int:
    """Count the function calls, of Python or C, of a piece of work."""
    count = 0

    def on_event(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(on_event)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def count_enter(timeline: Timeline, order: str) -> int:
    """Count the calls of an order that was entered once before."""
    session = Session(SYSTEM, timeline)
    session.enter("next")
    session.enter(order)
    return count_calls(lambda: session.enter(order))


def count_record(timeline: Timeline, orders: str) -> int:
    """Count the calls of the last of some orders, with a save on the disk."""
    with TemporaryDirectory() as folder:
        save = Path(folder) / "battle.qfb"
        write_save(save, build_header(SYSTEM, timeline.start), timeline.log)
        session = Session.resume(save, find_our_systems())
        *before, last = orders.split("; ")
        for order in before:
            session.enter(order)
        count = count_calls(lambda: session.enter(last))
        session.close()
    return count


def count_last_line(timeline: Timeline, _: str) -> int:
    """Count the calls to show the last line of a log, and to say what an undo would strike."""
    session = Session(SYSTEM, timeline)
    session.enter("note the last")

    def work() -> None:
        now = session.timeline
        describe_act(now, now.log[-1])
        summarize_act(SYSTEM, now, now.log[-1])
        format_undo(now)

    work()
    return count_calls(work)


def count_show(timeline: Timeline, _: str) -> int:
    """Count the calls for the last lines of a log that `show` prints."""
    lines = list_log(SYSTEM, timeline)
    before = next(line for line in lines if line.entry == len(timeline.log) - 10)
    assert before.text
    return count_calls(lambda: list(lines))


def count_report(timeline: Timeline, _: str) -> int:
    """Count the calls for the last lines of a report."""
    names, last = Names(SYSTEM, timeline), len(timeline.play_order) - 1

    def work(place: int) -> None:
        compute_steps(SYSTEM, SYSTEM.worth, timeline, [place])
        describe_event(names, StoryLine(timeline.play_order[place], 1, "", Fate.EVENT))

    work(last - 2)
    return count_calls(lambda: work(last))


def count_preview(timeline: Timeline, order: str) -> int:
    session = Session(SYSTEM, timeline)
    session.enter("next")
    return count_calls(lambda: session.preview_order(order))


def count_undo(timeline: Timeline, order: str) -> int:
    """Count the calls of an undo, or of the redo after it."""
    session = Session(SYSTEM, timeline)
    for entered_first in ("next", "note again", "undo", "redo", *(["undo"] if order == "redo" else [])):
        session.enter(entered_first)
    return count_calls(lambda: session.enter(order))


def count_roll(timeline: Timeline, _: str) -> int:
    """Count the calls of a roll that the shot before it owes."""
    session = Session(SYSTEM, timeline)
    session.enter("force next")
    known = {owed.key for owed in session.battle.owed}
    ships = [able.ship for able in SYSTEM.may_act(session.battle) if "H" in able.what]
    for face, ship in enumerate(ships, start=1):
        target = "tsesarevich" if session.battle.ships[ship].side == "japan" else "mikasa"
        session.enter(f"fire {ship} heavy {target} medium {face % 12 + 1} {face % 3 + 1}")
        for owed in session.battle.owed:
            if owed.key not in known and owed.dice:
                roll = f"roll {owed.key} {' '.join('5' for _ in owed.dice)}"
                return count_calls(partial(session.enter, roll))
    raise AssertionError("no shot owes a roll")


WAITING = "force next; force fire mikasa heavy tsesarevich 18in"
SHOT = "force fire tsesarevich heavy mikasa 18in"
CASES = [
    pytest.param(count_roll, "", id="roll"),
    pytest.param(count_enter, "note it rains", id="note"),
    pytest.param(count_record, "force move mikasa 5; force move asahi 5", id="move, on the disk"),
    pytest.param(count_record, "mark mikasa boat_guns 2; mark asahi boat_guns 2", id="mark, on the disk"),
    pytest.param(count_record, f"{WAITING}; mark mikasa boat_guns 2", id="mark while a question waits"),
    pytest.param(count_record, f"{WAITING}; roll 9 9; {SHOT}; roll 9 9", id="dice for a question that waits"),
    pytest.param(count_enter, "mark mikasa boat_guns 2", id="mark"),
    pytest.param(count_enter, "doubt 590", id="doubt"),
    pytest.param(count_undo, "undo", id="undo"),
    pytest.param(count_undo, "redo", id="redo"),
    pytest.param(count_preview, "fire mikasa heavy tsesarevich 18in 6 5", id="preview of a shot"),
    pytest.param(count_last_line, "", id="line of the log"),
    pytest.param(count_show, "", id="line of show"),
    pytest.param(count_report, "", id="line of a report"),
]


@pytest.mark.parametrize(("work", "order"), CASES)
def test_work_does_not_grow_with_the_log(work: Callable[[Timeline, str], int], order: str) -> None:
    short, long = (work(build_long_battle(entries), order) for entries in (SHORT, LONG))
    assert long <= short + SURPLUS, f"{short} calls behind {SHORT} entries, {long} behind {LONG}"
