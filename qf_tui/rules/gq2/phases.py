"""The phases of a turn (GQ2-PH-1), each with the clauses that people want at hand in it."""

from qf_tui.core.system import Phase
from qf_tui.rules.gq2 import forms


def _clauses(*names: str) -> tuple[str, ...]:
    return tuple(f"GQ2-{name}" for name in names)


_SHOTS = ("PH-4", "NIT-2", *(f"GUN-{number}" for number in (1, 2, 3, 4, 5, 10, 6, 7, 8, 13, 14)))
_CRITICALS = tuple(f"CRI-{number}" for number in (0, 1, 2, 3, 5, 6, 8, 9))

PHASES = (
    Phase(
        forms.MOVEMENT,
        "Movement",
        moves=True,
        clauses=_clauses("PH-2", "PH-3", "MV-1", "MV-2", "MV-6", "MV-8", "MV-5", "MV-4"),
    ),
    Phase(forms.SEARCHLIGHTS, "Searchlights", passes=True, clauses=_clauses("NIT-3", "NIT-7", "PH-5")),
    Phase(forms.GUNNERY, "Gunnery", slashes=True, clauses=_clauses(*_SHOTS, *_CRITICALS)),
    Phase(
        forms.TORPEDOES,
        "Torpedoes",
        slashes=True,
        passes=True,
        clauses=_clauses("TOR-1", "TOR-2", "TOR-3", "TOR-4"),
    ),
    Phase(forms.REPAIR, "Repair", clauses=_clauses("REP-1", "CRI-B", "SNK-1", "SNK-2")),
)
