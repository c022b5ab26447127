"""The clauses by which Quickfire-Clone decides otherwise than an older version of the program did."""

from qf_tui.core.system import ChangedRuling
from qf_tui.rules.quickfire_family.ship import STATUS_RULINGS

CHANGED_RULINGS = (
    *STATUS_RULINGS,
    ChangedRuling("QFC-PH-1", "0.2"),
    ChangedRuling("QFC-MV-1", "0.2", seen_in=("moved", "distance", "went")),
    ChangedRuling("QFC-GUN-5", "0.2"),
    ChangedRuling("QFC-GUN-14", "0.2", seen_in=("QFC-GUN-5",)),
    ChangedRuling("QFC-COL-2", "0.2"),
    ChangedRuling("QFC-COL-3", "0.2", seen_in=("QFC-TOR-2",)),
    ChangedRuling("QFC-BLA-5", "0.2"),
    ChangedRuling("QFC-RUL-11", "0.2"),
    ChangedRuling("QFC-RUL-6", "0.2", seen_in=("choice",)),
    ChangedRuling("QFC-LOG-1", "0.2", seen_in=("mended",)),
)
