"""The results of the rules court as JSON, for scripts: what each variant of the rules would have changed."""

from qf_tui.document.scripts import Json, build_change_row, build_fields_row
from qf_tui.features.court.court import Baseline, CellsFound, Verdict


def build_reading_row(verdict: Verdict) -> Json:
    """Build the JSON of a reading: the variant, and what it changes."""
    variant = verdict.variant
    variant_row: Json
    if variant.option:
        variant_row = {"option": variant.option, "value": variant.value}
    elif variant.place is not None:
        variant_row = {"cell": list(variant.place), "text": variant.text, "instead_of": variant.old_text}
    else:
        variant_row = {"chart": variant.source}
    return variant_row | {
        "changed": [
            {
                "entry": changed.entry,
                "was": build_fields_row(changed.before, "state", "because", "asks"),
                "now": build_fields_row(changed.after, "state", "because", "asks"),
            }
            for changed in verdict.changed
        ],
        # `idle:spare` puts the field `idle` under the key `spare`.
        **build_fields_row(verdict, "reworded", "parked", "idle:spare", "overruled"),
        "ships": [build_change_row(change) for change in verdict.ships],
        "sides": {
            figures.side: {
                "worth": {"was": figures.worth, "now": figures.new_worth},
                "results": {"was": figures.results, "now": figures.new_results},
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


def build_court_row(baseline: Baseline, cells: CellsFound | None) -> Json:
    """Build the JSON of the baseline and of the chart cells that decided something.

    It counts the entries, names those that today's rules change, and counts the readings of cells.
    """
    row: Json = {"entries": len(baseline.today), "rules_differ": list(baseline.changed_today)}
    if cells is not None:
        row["cells"] = build_fields_row(cells, "read", "reconstructed", "changed:otherwise")
    return {"court": row}
