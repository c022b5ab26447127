"""What is found of a battle as JSON, and its throws as CSV; README, "The report", has its shapes."""

import json
from collections.abc import Mapping

from qf_tui.analysis.thrower import Distribution
from qf_tui.analysis.values import Analysis, Count, Loss, PhaseEnd, ThrownDice, TurningPoint
from qf_tui.library.csv_text import Row, table_text
from qf_tui.report.values import Report, ThrowRow

Json = Mapping[str, object]


def json_text(analysis: Analysis) -> str:
    """One JSON object, in ASCII."""
    moved = analysis.advantage_moved
    rows = {
        "throws": [_throw(throw) for throw in analysis.throws],
        "sides": {count.side: _side(analysis, count) for count in analysis.damage},
        "start": dict(analysis.start),
        "worth": [_phase(phase) for phase in analysis.phases],
        "turning_point": _turning(analysis.turning_point),
        "advantage_moved": moved and dict(zip(("turn", "phase", "gained"), moved, strict=True)),
        "cells": {"read": analysis.cells.read, "reconstructed": analysis.cells.reconstructed},
        "struck_throws": dict(analysis.struck_throws),
        "left_out": [
            {"entry": throw.entry, "reason": throw.left_out.value}
            for throw in analysis.left_out
            if throw.left_out is not None
        ],
        "losses": [_loss(loss) for loss in analysis.losses],
    }
    return json.dumps(rows) + "\n"


def _throw(throw: ThrownDice) -> Json:
    return {
        "entry": throw.entry,
        "turn": throw.turn,
        "phase": throw.phase,
        "side": throw.side,
        "ship": throw.ship,
        "target": throw.target,
        "line": throw.line,
        "kind": throw.kind,
        "dice": list(throw.dice),
        "thrown_by": "console" if throw.by_console else "table",
        "results": throw.results,
        **_expected(throw.chances),
        "luck": throw.luck,
        "as_well": float(throw.chances.as_well(throw.results)),
    }


def _expected(chances: Distribution) -> Json:
    mean = chances.mean
    return {
        "expected": float(mean),
        "expected_exact": [mean.numerator, mean.denominator],
        "variance": float(chances.variance),
    }


def _side(analysis: Analysis, count: Count) -> Json:
    """A side's damage beside as many throws at the same odds, and its luck in its own favour."""
    return {
        "results": count.results,
        **_expected(count.chances),
        "as_well": float(count.chances.as_well(count.results)),
        "as_badly": float(count.chances.as_badly(count.results)),
        "throws": count.throws,
        "luck": _luck_of(analysis, count.side),
    }


def _luck_of(analysis: Analysis, side: str) -> float | None:
    """The luck of a side's throws in its favour; None for a side that advantage says nothing of."""
    place = analysis.sides.index(side)
    if len(analysis.sides) < 2 or place > 1:
        return None
    luck = sum(throw.luck or 0.0 for throw in analysis.throws if throw.side == side)
    return luck if place == 0 else -luck


def _phase(phase: PhaseEnd) -> Json:
    return {
        "turn": phase.turn,
        "phase": phase.phase,
        "entry": phase.entry,
        "sides": dict(phase.worth),
        "luck": phase.luck,
        "rest": phase.rest,
    }


def _turning(found: TurningPoint | None) -> Json | None:
    if found is None:
        return None
    return {
        "throw": found.throw,
        "turn": found.turn,
        "phase": found.phase,
        "luck": found.luck,
        "throws": list(found.throws),
    }


def _loss(loss: Loss) -> Json:
    return {
        "ship": loss.ship,
        "side": loss.side,
        "status": loss.status,
        "entry": loss.entry,
        "turn": loss.turn,
        "phase": loss.phase,
        "by": [{"ship": ship, "results": results} for ship, results in loss.by],
    }


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
