"""Repair attempts (AQF-REP): a failure keeps its point."""

from qf_tui.rules.advanced_quickfire.damage import D12
from qf_tui.rules.quickfire_family.repair import Repairs

REPAIRS = Repairs(
    dice=(D12,),
    of="AQF-REP-1",
    result="AQF-REP-2",
    protected="AQF-REP-2",
    steer="AQF-REP-4",
    once_each=True,
    keeps=lambda battle: True,
)
