"""The clauses by which Quickfire decides otherwise than an older version of the program did."""

from qf_tui.core.system import ChangedRuling
from qf_tui.rules.quickfire_family.ship import STATUS_RULINGS

CHANGED_RULINGS = (
    *STATUS_RULINGS,
    ChangedRuling("QF-PH-1", "0.2"),
    ChangedRuling("QF-MV-1", "0.2", seen_in=("moved", "distance", "went")),
    ChangedRuling("QF-MV-2", "0.2", seen_in=("moved", "distance", "went")),
    ChangedRuling("QF-GUN-7", "0.2"),
    ChangedRuling("QF-DAM-3", "0.2", seen_in=("rof_heavy", "boat_guns")),
    ChangedRuling("QF-TOR-6", "0.2", seen_in=("QF-TOR-1", "QF-TOR-2")),
    ChangedRuling("QF-LOG-1", "0.2", seen_in=("mended",)),
)
