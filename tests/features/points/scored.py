"""Battles with victory points."""

from pathlib import Path
from typing import Any

from attrs import evolve

from qf_tui.core.values import EACH_SHIP, Condition, Points
from qf_tui.features.points.document import format_sums
from qf_tui.features.points.sums import compute_sums, list_rules
from qf_tui.session import Session
from tests.console.playing import HOSTILE, begin_examples, begin_tiny

LOST = ("sunk", "struck")


def build_rule(side: str, of: str, points: int = 0, **gives: Any) -> Condition:
    """Build a condition that gives points for ships that are lost; `gives` are attributes of the points."""
    return Condition(side, 1, of, LOST, points=Points(points, **gives))


def add_points(session: Session, *rules: Condition, save: Path | None = None) -> Session:
    """Begin the battle of a session again, with rules of points."""
    start = session.timeline.start
    return Session.begin(session.system, evolve(start, plan=evolve(start.plan, victory=rules)), save)


def begin_scored(*rules: Condition, count: int = 4) -> Session:
    """Begin a battle of the Tiny system with rules of points."""
    return add_points(begin_tiny(count), *rules)


def begin_hostile() -> Session:
    """Begin the rules' examples under hostile names, with open and secret points for both sides."""
    session = begin_examples(HOSTILE)
    first, second = (side.id for side in session.battle.sides)
    return add_points(
        session,
        build_rule(first, second, 3, each=EACH_SHIP, half=1),
        build_rule(second, first, 2, each=EACH_SHIP),
        build_rule(first, second, 5, secret=True),
        build_rule(second, first, 7, secret=True),
    )


def read_sums(session: Session) -> dict[str, int]:
    """Return the points of each side, with secret points."""
    sums = compute_sums(session.system, session.timeline, list_rules(session.battle))
    return {each.side: each.points for each in sums}


def format_all(session: Session) -> tuple[str, ...]:
    """Format the sums, with secret points."""
    sums = compute_sums(session.system, session.timeline, list_rules(session.battle))
    return format_sums(session.battle, sums)
