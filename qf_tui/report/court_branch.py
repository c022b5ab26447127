"""A reading of the rules court as a battle of its own: a branch with its switch or cells set from the start.

It keeps every entry. Those behind the place where the tale forks are decided without the dice that nobody
threw: these are owed there, and are asked for first.
"""

from collections.abc import Callable
from pathlib import Path

from qf_tui.analysis.court import Instead, Verdict
from qf_tui.core.builtin_forms import AMEND, CHART, INSERT, OPTION
from qf_tui.core.grammar.forms import Order
from qf_tui.core.revisions import Revision, work_out
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, Version
from qf_tui.session import Session
from qf_tui.session.saves import worked_out_by


def make_branch(system: RuleSystem, timeline: Timeline, verdict: Verdict, copy: Callable[[], Path]) -> Path:
    """A copy of the save, in which is set from the start what the reading had otherwise.

    QfError if its rules refuse that, before anything is copied, or if no copy can be made.
    """
    for order in _orders(verdict):
        timeline = _worked_out(system, timeline, order, verdict.instead).after
    branch = copy()
    made = Session.resume(branch, {system.name: system})
    try:
        for order in _orders(verdict):
            made.record(_worked_out(made.system, made.timeline, order, verdict.instead))
    finally:
        made.close()
    return branch


def _worked_out(system: RuleSystem, timeline: Timeline, order: Order, instead: Instead) -> Revision:
    overlay = None if instead.option else instead.cells
    with worked_out_by(system):
        return work_out(system, timeline, order, lambda brought: Version(brought, (), overlay))


def _orders(verdict: Verdict) -> tuple[Order, ...]:
    """The correction that sets it from the start, and one for each entry that sets the switch itself."""
    sets = _sets(verdict.instead)
    return (
        Order(INSERT, {"n": 0, "order": sets}),
        *(Order(AMEND, {"n": number, "order": sets}) for number in verdict.overruled),
    )


def _sets(instead: Instead) -> Order:
    if instead.option:
        return Order(OPTION, {"name": instead.option, "value": instead.value})
    words = (instead.source,) if instead.place is None else ("court", *instead.place)
    return Order(CHART, {"file": words})
