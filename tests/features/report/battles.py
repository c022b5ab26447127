"""Golden battles for tests of the report, and worths to weigh their ships."""

from collections.abc import Mapping
from functools import cache
from itertools import count
from pathlib import Path

import pytest

from qf_tui.core.declarations import Worth, WorthPart
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.features.report.story import analyse
from qf_tui.features.report.values import Analysis
from qf_tui.session import Session
from tests.golden.test_golden import BATTLES, read_scenario_name
from tests.systems import is_read_by_hand, load_start

GOLDEN = tuple(path.stem for path in BATTLES)
JUDGED = tuple(path.stem for path in BATTLES if not is_read_by_hand(read_scenario_name(path)))
"""Battles whose dice the rules judge; the others have no odds, luck or variable rulings."""
OPENING = 44
"""Number of orders in the opening of a battle; the long profile plays the rest."""


def _mark_each_opening(names: tuple[str, ...]) -> pytest.MarkDecorator:
    whole = (pytest.param(name, None, marks=pytest.mark.long, id=f"{name}-whole") for name in names)
    openings = (pytest.param(name, OPENING, id=f"{name}-opening") for name in names)
    return pytest.mark.parametrize(("name", "orders"), [*openings, *whole])


EACH_OPENING, EACH_JUDGED = _mark_each_opening(GOLDEN), _mark_each_opening(JUDGED)


@cache
def _begin_golden(name: str) -> tuple[Session, list[str], list[Timeline]]:
    """Begin a golden battle with times; return its orders and the timelines played so far."""
    path = next(path for path in BATTLES if path.stem == name)
    session = Session.begin(*load_start(read_scenario_name(path)))
    ticks = count()
    session.start_clock(lambda: next(ticks) * 7.3)
    return session, _read_lines(path), [session.timeline]


def load_golden(name: str, orders: int | None = None) -> tuple[RuleSystem, Timeline]:
    """Play a golden battle from its order file, or its first orders; no order is played twice."""
    session, lines, timelines = _begin_golden(name)
    wanted = len(lines[:orders])
    for line in lines[len(timelines) - 1 : wanted]:
        session.enter(line)
        timelines.append(session.timeline)
    return session.system, timelines[wanted]


@cache
def analyse_golden(name: str, orders: int | None = None, kind: str = "its own") -> Analysis:
    """Analyse a golden battle or its first orders by one of the worths of its system."""
    system, timeline = load_golden(name, orders)
    return analyse(system, timeline, list_worths(system)[kind])


def _read_lines(orders: Path) -> list[str]:
    cut = (line.partition("#")[0].strip() for line in orders.read_text(encoding="utf-8").splitlines())
    return [line for line in cut if line]


def list_worths(system: RuleSystem) -> Mapping[str, Worth]:
    """Return three worths: the system's own, ships afloat, and everything that is counted."""
    return {"its own": system.worth, "afloat": _AFLOAT, "everything": _build_everything(system)}


_AFLOAT = Worth((WorthPart("afloat", "each ship afloat", 1, lambda ship: float(ship.afloat)),))


def _build_everything(system: RuleSystem) -> Worth:
    """Build a worth with a distinct weight for each count of the log and each mark."""
    counts = [field.name for field in system.fields if field.kind == "count" and not field.card]
    marks = [field.name for field in system.fields if field.kind in ("marks", "texts")]
    parts = [_build_part(name, at) for at, name in enumerate((*counts, *marks))]
    return Worth((*parts, *_AFLOAT.replace_weights({"afloat": 20}).parts))


def _build_part(name: str, at: int) -> WorthPart:
    return WorthPart(name, name, 1 + at / 7, lambda ship: ship.count(name) + len(ship.live(name)) * 0.5)
