"""Battles for the tests of paper: the golden ones as saves, and those drawn at random as a save has them."""

from functools import cache
from pathlib import Path

from attrs import evolve

from qf_tui.core.acts import LogAct
from qf_tui.core.builtin_forms import JOIN
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, opened
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.golden.test_golden import BATTLES, scenario

GOLDEN = [path.stem for path in BATTLES]


@cache
def golden(name: str) -> tuple[RuleSystem, Timeline]:
    """A golden battle as it was played, with seconds between its acts."""
    orders = next(path for path in BATTLES if path.stem == name)
    system, start = load_scenario(scenario(orders), find_systems())
    session = Session.begin(system, start)
    ticks = iter(range(10**6))
    session.start_clock(lambda: next(ticks) * 7.3)
    for line in orders.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            session.enter(line)
    return system, session.timeline


def as_saved(timeline: Timeline) -> Timeline:
    """The battle as a session plays it: a ship that joins comes with its entry."""
    reserve = timeline.start.reserve

    def told(act: LogAct) -> LogAct:
        if act.version is None or act.version.order.form is not JOIN:
            return act
        coming = tuple(reserve[id] for id in act.version.order.many("ships") if id in reserve)
        return evolve(act, version=evolve(act.version, arrivals=coming))

    return opened(timeline.start, tuple(map(told, timeline.log)))


def written(folder: Path, name: str, text: str | bytes) -> Path:
    """A file of a text."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path
