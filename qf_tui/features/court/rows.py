"""The readings of the rules court as JSON, for scripts."""

from qf_tui.document.scripts import Json, build_change_row, build_fields_row
from qf_tui.features.court.court import CellsFound, Control, Verdict


def build_reading_row(verdict: Verdict) -> Json:
    """Build the JSON of a reading."""
    variant = verdict.variant
    tried: Json
    if variant.option:
        tried = {"option": variant.option, "value": variant.value}
    elif variant.place is not None:
        tried = {"cell": list(variant.place), "text": variant.text, "instead_of": variant.was}
    else:
        tried = {"chart": variant.source}
    return tried | {
        "changed": [
            {
                "entry": changed.entry,
                "was": build_fields_row(changed.before, "state", "because", "asks"),
                "now": build_fields_row(changed.after, "state", "because", "asks"),
            }
            for changed in verdict.changed
        ],
        **build_fields_row(verdict, "reworded", "parked", "idle:spare", "overruled"),
        "ships": [build_change_row(change) for change in verdict.ships],
        "sides": {
            figures.side: {
                "worth": {"was": figures.worth, "now": figures.worth_then},
                "results": {"was": figures.results, "now": figures.results_then},
            }
            for figures in verdict.sides
        },
        "owed": [
            build_fields_row(owed, "key", "line", "ship", "prompt")
            | ({"dice": owed.dice} if owed.dice else {"dice": None, "words": list(owed.words)})
            for owed in verdict.owed
        ],
        "stopped_at": verdict.stopped_at,
    }


def build_court_row(control: Control, cells: CellsFound | None) -> Json:
    """Build the JSON of the control and of the cells."""
    row: Json = {"entries": len(control.today), "rules_differ": list(control.changed_today)}
    if cells is not None:
        row["cells"] = build_fields_row(cells, "read", "reconstructed", "changed:otherwise")
    return {"court": row}
