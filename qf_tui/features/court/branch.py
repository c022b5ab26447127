"""Makes a branch of a save in which one rules switch or chart cell differs from the start of the battle."""

from collections.abc import Callable
from pathlib import Path

from qf_tui.core.builtin_forms import AMEND, CHART, INSERT, OPTION
from qf_tui.core.revisions import Revision, work_out
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, Version
from qf_tui.core.values import Order
from qf_tui.features.court.court import Variant, Verdict
from qf_tui.session import Session
from qf_tui.session.saves import report_rules_fault


def make_branch(system: RuleSystem, timeline: Timeline, verdict: Verdict, copy: Callable[[], Path]) -> Path:
    """Copy the save, and enter the variant of a verdict in the copy, as if it held from the battle's start.

    Args:
        copy: Copies the save, and returns the path of the copy.

    Returns:
        The path of the copy.

    Raises:
        QfError: The rules refuse the change, before anything is copied, or no copy can be made.
    """
    orders = _build_orders(verdict)
    # Work out all orders before anything is copied, so that a refusal leaves no copy.
    for order in orders:
        timeline = _work_out(system, timeline, order, verdict.variant).after
    branch = copy()
    session = Session.resume(branch, {system.name: system})
    try:
        for order in orders:
            session.record(_work_out(session.system, session.timeline, order, verdict.variant))
    finally:
        session.close()
    return branch


def _work_out(system: RuleSystem, timeline: Timeline, order: Order, variant: Variant) -> Revision:
    """Work out an order of the branch on a timeline; a chart order brings the cells of the variant."""
    overlay = None if variant.option else variant.cells
    with report_rules_fault(system):
        return work_out(system, timeline, order, lambda placed_order: Version(placed_order, overlay=overlay))


def _build_orders(verdict: Verdict) -> tuple[Order, ...]:
    """Build the orders of the branch: one inserts the variant at the start, others correct entries.

    Each entry of the battle that sets the switch is corrected to set the value of the variant.
    """
    variant = verdict.variant
    if variant.option:
        order = Order(OPTION, {"name": variant.option, "value": variant.value})
    else:
        # The log shows these words; the order's cells come with it, so no file is read.
        words = (variant.source,) if variant.place is None else ("court", *variant.place)
        order = Order(CHART, {"file": words})
    return (
        Order(INSERT, {"n": 0, "order": order}),
        *(Order(AMEND, {"n": number, "order": order}) for number in verdict.overruled),
    )
