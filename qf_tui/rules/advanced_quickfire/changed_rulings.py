"""The clauses by which Advanced Quickfire decides otherwise than an older version of the program did."""

from qf_tui.core.system import ChangedRuling
from qf_tui.rules.quickfire_family.ship import STATUS_RULINGS

CHANGED_RULINGS = (
    *STATUS_RULINGS,
    ChangedRuling("AQF-PH-5", "0.2", seen_in=("initiative", "moves_first")),
    ChangedRuling("AQF-PH-7", "0.2"),
    ChangedRuling("AQF-MV-1", "0.2", seen_in=("moved", "distance", "went")),
    ChangedRuling("AQF-MV-2", "0.2"),
    ChangedRuling("AQF-MV-3", "0.2", seen_in=("moved", "distance", "went")),
    ChangedRuling("AQF-MV-6", "0.2"),
    ChangedRuling("AQF-MV-7", "0.2", seen_in=("AQF-MV-4", "twice")),
    ChangedRuling("AQF-PH-10", "0.2"),
    ChangedRuling("AQF-DAM-10", "0.2"),
    ChangedRuling("AQF-DAM-12", "0.2", seen_in=("s-hit",)),
    ChangedRuling("AQF-DAM-13", "0.2", seen_in=("repair_points", "fires")),
    ChangedRuling("AQF-GUN-1", "0.2"),
    ChangedRuling("AQF-GUN-17", "0.2", seen_in=("AQF-GUN-9",)),
    ChangedRuling("AQF-TOR-6", "0.2"),
    ChangedRuling("AQF-LOG-4", "0.2", seen_in=("mended",)),
)
