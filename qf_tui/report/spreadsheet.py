"""The throws as CSV, flat: one a row, harmless in a spreadsheet."""

from qf_tui.library.csv_text import Row, table_text
from qf_tui.report.values import Report, ThrowRow

HEADINGS = (
    *("turn", "phase", "side", "firer", "target", "weapon", "odds", "dice", "result", "damage"),
    *("entry", "counted", "results", "expected", "luck", "thrown"),
)


def csv_text(report: Report) -> str:
    """The text of a file."""
    return table_text(HEADINGS, map(_row, report.throws))


def _row(throw: ThrowRow) -> Row:
    return {
        "turn": str(throw.turn),
        "phase": throw.phase,
        "side": throw.side,
        "firer": throw.ship,
        "target": throw.target,
        "weapon": throw.weapon,
        "odds": _figure(throw.odds),
        "dice": " ".join(map(str, throw.dice)),
        "result": throw.result,
        "damage": throw.damage,
        "entry": str(throw.entry),
        "counted": throw.kind,
        "results": str(throw.results) if throw.kind else "",
        "expected": _figure(throw.expected) if throw.kind else "",
        "luck": _figure(throw.luck),
        "thrown": "console" if throw.by_console else "table",
    }


def _figure(value: float | None) -> str:
    """A figure to six places, "" for none."""
    return "" if value is None else f"{value:.6f}".rstrip("0").rstrip(".").replace("-0", "0", value == 0)
