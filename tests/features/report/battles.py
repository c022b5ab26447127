"""Battles for the tests of what is found of them, and ways to weigh their ships."""

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
from tests.golden.test_golden import BATTLES, scenario
from tests.systems import is_read_by_hand, load_start

GOLDEN = tuple(path.stem for path in BATTLES)
JUDGED = tuple(path.stem for path in BATTLES if not is_read_by_hand(scenario(path)))
"""Those whose dice the rules judge: only they have odds, luck, and rulings to vary."""
OPENING = 44
"""Orders of a battle's opening, where the whole of it is left to the long profile."""


def _each_opening(names: tuple[str, ...]) -> pytest.MarkDecorator:
    whole = (pytest.param(name, None, marks=pytest.mark.long, id=f"{name}-whole") for name in names)
    openings = (pytest.param(name, OPENING, id=f"{name}-opening") for name in names)
    return pytest.mark.parametrize(("name", "orders"), [*openings, *whole])


EACH_OPENING, EACH_JUDGED = _each_opening(GOLDEN), _each_opening(JUDGED)


@cache
def _begun(name: str) -> tuple[Session, list[str], list[Timeline]]:
    """A golden battle with seconds between its acts: its orders, and its timelines as far as it is played."""
    path = next(path for path in BATTLES if path.stem == name)
    session = Session.begin(*load_start(scenario(path)))
    ticks = count()
    session.start_clock(lambda: next(ticks) * 7.3)
    return session, _lines(path), [session.timeline]


def golden(name: str, orders: int | None = None) -> tuple[RuleSystem, Timeline]:
    """A golden battle played from its order file, or its first orders; no order of it is played twice."""
    session, lines, timelines = _begun(name)
    wanted = len(lines[:orders])
    for line in lines[len(timelines) - 1 : wanted]:
        session.enter(line)
        timelines.append(session.timeline)
    return session.system, timelines[wanted]


@cache
def analysed(name: str, orders: int | None = None, kind: str = "its own") -> Analysis:
    """All that is found of a golden battle or its first orders, by one of the worths of its system."""
    system, timeline = golden(name, orders)
    return analyse(system, timeline, worths_of(system)[kind])


def _lines(orders: Path) -> list[str]:
    cut = (line.partition("#")[0].strip() for line in orders.read_text(encoding="utf-8").splitlines())
    return [line for line in cut if line]


def worths_of(system: RuleSystem) -> Mapping[str, Worth]:
    """Unlike ways to weigh the ships of a system: as it declares, those afloat, and all that is counted."""
    return {"its own": system.worth, "afloat": _AFLOAT, "everything": _everything(system)}


_AFLOAT = Worth((WorthPart("afloat", "each ship afloat", 1, lambda ship: float(ship.afloat)),))


def _everything(system: RuleSystem) -> Worth:
    """Each count of the log and each mark, by weights that tell them apart."""
    counts = [field.name for field in system.fields if field.kind == "count" and not field.card]
    marks = [field.name for field in system.fields if field.kind in ("marks", "texts")]
    parts = [_part(name, at) for at, name in enumerate((*counts, *marks))]
    return Worth((*parts, *_AFLOAT.replace_weights({"afloat": 20}).parts))


def _part(name: str, at: int) -> WorthPart:
    return WorthPart(name, name, 1 + at / 7, lambda ship: ship.count(name) + len(ship.live(name)) * 0.5)
