"""What an entry costs does not grow with the log behind it: work is counted in calls, not in time."""

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
from tests.corrections.long_battles import long_battle
from tests.systems import find_our_systems

SYSTEM = find_our_systems()["advanced-quickfire"]
SHORT, LONG = 1_000, 10_000
SURPLUS = 60
"""Calls that the longer log may cost more."""


@cache
def battle_of(entries: int) -> Timeline:
    """A battle of so many entries, most of which are the same again and leave nothing but a figure."""
    played = long_battle(600)
    model = next(act for act in reversed(played.log) if isinstance(act, Entry) and _leaves_as_large(act))
    copies = (
        evolve(model, number=number, rulings={number: model.rulings[model.number]})
        for number in range(len(played.log) + 1, entries + 1)
    )
    return build_timeline(played.start, [*played.log, *copies])


def _leaves_as_large(act: Entry) -> bool:
    ops = {effect.op for effect in act.rulings[act.number].decision.effects}
    return bool(ops) and ops <= {Op.SET, Op.ADD}


def calls(work: Callable[[], object]) -> int:
    """How many functions, of Python or C, a piece of work calls."""
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


def entered(timeline: Timeline, order: str) -> int:
    """The calls of an order, once like ones were entered before."""
    session = Session(SYSTEM, timeline)
    session.enter("next")
    session.enter(order)
    return calls(lambda: session.enter(order))


def recorded(timeline: Timeline, orders: str) -> int:
    """The calls of the last of some orders, once the others were entered; it is on the disk behind it."""
    with TemporaryDirectory() as folder:
        save = Path(folder) / "battle.qfb"
        write_save(save, build_header(SYSTEM, timeline.start), timeline.log)
        session = Session.resume(save, find_our_systems())
        *before, last = orders.split("; ")
        for order in before:
            session.enter(order)
        count = calls(lambda: session.enter(last))
        session.close()
    return count


def shown(timeline: Timeline, _: str) -> int:
    """The calls of the last line of a log, and of what an undo would strike."""
    session = Session(SYSTEM, timeline)
    session.enter("note the last")

    def work() -> None:
        now = session.timeline
        describe_act(now, now.log[-1])
        summarize_act(SYSTEM, now, now.log[-1])
        format_undo(now)

    work()
    return calls(work)


def in_full(timeline: Timeline, _: str) -> int:
    """The calls of the last lines of a log that `show` prints."""
    lines = list_log(SYSTEM, timeline)
    before = next(line for line in lines if line.entry == len(timeline.log) - 10)
    assert before.text
    return calls(lambda: list(lines))


def reported(timeline: Timeline, _: str) -> int:
    """The calls of the last lines of a report: what is found of an entry, and how it is told."""
    names, last = Names(SYSTEM, timeline), len(timeline.play_order) - 1

    def work(place: int) -> None:
        compute_steps(SYSTEM, SYSTEM.worth, timeline, [place])
        describe_event(names, StoryLine(timeline.play_order[place], 1, "", Fate.EVENT))

    work(last - 2)
    return calls(lambda: work(last))


def previewed(timeline: Timeline, order: str) -> int:
    session = Session(SYSTEM, timeline)
    session.enter("next")
    return calls(lambda: session.preview_order(order))


def taken_back(timeline: Timeline, order: str) -> int:
    """The calls of an undo, or of the redo behind it."""
    session = Session(SYSTEM, timeline)
    for entered_first in ("next", "note again", "undo", "redo", *(["undo"] if order == "redo" else [])):
        session.enter(entered_first)
    return calls(lambda: session.enter(order))


def rolled(timeline: Timeline, _: str) -> int:
    """The calls of a roll that the shot before it owes."""
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
                return calls(partial(session.enter, roll))
    raise AssertionError("no shot owes a roll")


WAITING = "force next; force fire mikasa heavy tsesarevich 18in"
SHOT = "force fire tsesarevich heavy mikasa 18in"
CASES = [
    pytest.param(rolled, "", id="roll"),
    pytest.param(entered, "note it rains", id="note"),
    pytest.param(recorded, "force move mikasa 5; force move asahi 5", id="move, on the disk"),
    pytest.param(recorded, "mark mikasa boat_guns 2; mark asahi boat_guns 2", id="mark, on the disk"),
    pytest.param(recorded, f"{WAITING}; mark mikasa boat_guns 2", id="mark while a question waits"),
    pytest.param(recorded, f"{WAITING}; roll 9 9; {SHOT}; roll 9 9", id="dice for a question that waits"),
    pytest.param(entered, "mark mikasa boat_guns 2", id="mark"),
    pytest.param(entered, "doubt 590", id="doubt"),
    pytest.param(taken_back, "undo", id="undo"),
    pytest.param(taken_back, "redo", id="redo"),
    pytest.param(previewed, "fire mikasa heavy tsesarevich 18in 6 5", id="preview of a shot"),
    pytest.param(shown, "", id="line of the log"),
    pytest.param(in_full, "", id="line of show"),
    pytest.param(reported, "", id="line of a report"),
]


@pytest.mark.parametrize(("work", "order"), CASES)
def test_work_does_not_grow_with_the_log(work: Callable[[Timeline, str], int], order: str) -> None:
    short, long = (work(battle_of(entries), order) for entries in (SHORT, LONG))
    assert long <= short + SURPLUS, f"{short} calls behind {SHORT} entries, {long} behind {LONG}"
