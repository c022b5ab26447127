"""The figures of a battle report as JSON, for scripts."""

import json

from attrs import asdict

from qf_tui.document.scripts import Json, build_fields_row
from qf_tui.features.report.values import Analysis, Count, Distribution, ThrownDice


def format_analysis_json(analysis: Analysis) -> str:
    """Format an analysis as one JSON object in ASCII."""
    greatest_move, turning_point = analysis.advantage_moved, analysis.turning_point
    rows = {
        "throws": [_build_throw_row(throw) for throw in analysis.throws],
        "sides": {count.side: _build_side_row(analysis, count) for count in analysis.damage},
        "start": dict(analysis.start),
        "worth": [
            build_fields_row(phase, "turn", "phase", "entry", "worth:sides", "luck", "rest")
            for phase in analysis.phases
        ],
        "turning_point": turning_point
        and build_fields_row(turning_point, "throw", "turn", "phase", "luck", "throws"),
        "advantage_moved": greatest_move
        and dict(zip(("turn", "phase", "gained"), greatest_move, strict=True)),
        "cells": asdict(analysis.cells),
        "struck_throws": dict(analysis.struck_throws),
        "left_out": [
            {"entry": throw.entry, "reason": throw.left_out.value}
            for throw in analysis.left_out
            if throw.left_out is not None
        ],
        "losses": [
            asdict(loss) | {"by": [{"ship": ship, "results": results} for ship, results in loss.by]}
            for loss in analysis.losses
        ],
    }
    return json.dumps(rows) + "\n"


def _build_throw_row(throw: ThrownDice) -> Json:
    """Build the row of a throw; `as_well` is the chance of these results or more."""
    return {
        **build_fields_row(throw, "entry", "turn", "phase", "side", "ship", "target", "line", "kind", "dice"),
        "thrown_by": "console" if throw.by_console else "table",
        "results": throw.results,
        **_build_expected_row(throw.chances),
        "luck": throw.luck,
        "as_well": float(throw.chances.compute_chance_up(throw.results)),
    }


def _build_expected_row(chances: Distribution) -> Json:
    """Build the fields for the mean, also as an exact fraction, and the variance."""
    mean = chances.mean
    return {
        "expected": float(mean),
        "expected_exact": [mean.numerator, mean.denominator],
        "variance": float(chances.variance),
    }


def _build_side_row(analysis: Analysis, count: Count) -> Json:
    """Build a side's row: its damage, the mean at the same odds, and its luck.

    Luck above 0 is good for this side.
    """
    side_index = analysis.sides.index(count.side)
    # The luck of a throw is the advantage that the first side gained by it.
    luck_of_first = sum(throw.luck or 0.0 for throw in analysis.throws if throw.side == count.side)
    luck_of_side = luck_of_first if side_index == 0 else -luck_of_first
    # The advantage compares the first two sides, so a third side and a side without an enemy have no luck.
    has_luck = len(analysis.sides) >= 2 and side_index <= 1
    return {
        "results": count.results,
        **_build_expected_row(count.chances),
        "as_well": float(count.chances.compute_chance_up(count.results)),
        "as_badly": float(count.chances.compute_chance_down(count.results)),
        "throws": count.throws,
        "luck": luck_of_side if has_luck else None,
    }
