"""The clauses by which General Quarters 2 decides otherwise than an older version of the program did."""

from qf_tui.core.system import ChangedRuling

CHANGED_RULINGS = (
    ChangedRuling("GQ2-LOG-2", "0.2"),
    ChangedRuling("GQ2-LOG-3", "0.2", seen_in=("GQ2-TOR-3",)),
    ChangedRuling("GQ2-GUN-2", "0.2", seen_in=("evasive",)),
    ChangedRuling("GQ2-GUN-13", "0.2", seen_in=("GQ2-GUN-2",)),
    ChangedRuling("GQ2-GUN-14", "0.2", seen_in=("GQ2-GUN-6", "GQ2-LOG-1")),
    ChangedRuling("GQ2-TOR-1", "0.2", seen_in=("targeting",)),
    ChangedRuling("GQ2-TOR-2", "0.2", seen_in=("straight",)),
    ChangedRuling("GQ2-TOR-9", "0.2", seen_in=("straight", "GQ2-TOR-2")),
    ChangedRuling("GQ2-CRI-1", "0.2"),
    ChangedRuling("GQ2-CRI-2", "0.2", seen_in=("moved", "went")),
    ChangedRuling("GQ2-SNK-2", "0.2"),
    ChangedRuling("GQ2-SNK-3", "0.2"),
    ChangedRuling("GQ2-CRI-C", "0.2", seen_in=("GQ2-CRI-1", "GQ2-CRI-5", "GQ2-GUN-2", "GQ2-TOR-2")),
    ChangedRuling("GQ2-MV-4", "0.2", seen_in=("flank_turns", "rest")),
    ChangedRuling("GQ2-MV-6", "0.2", seen_in=("wander",)),
    ChangedRuling("GQ2-MV-8", "0.2", seen_in=("collision", "power")),
    ChangedRuling("GQ2-NIT-2", "0.2", seen_in=("targeting", "who", "measure")),
    ChangedRuling("GQ2-NIT-3", "0.2", seen_in=("lights",)),
    ChangedRuling("GQ2-NIT-7", "0.2", seen_in=("searching", "light", "GQ2-NIT-3")),
)
