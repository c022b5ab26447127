"""What is known of a thousand battles for scripts: plain values, parts from 0 to 1."""

import json
from collections.abc import Mapping, Sequence

from qf_tui.analysis.thrower import Distribution
from qf_tui.analysis.values import Analysis, Count, Loss, PhaseEnd, ThrownDice, TurningPoint
from qf_tui.document.simulation import Subject, doctrines_of
from qf_tui.document.values import Table
from qf_tui.library.csv_text import table_text
from qf_tui.simulation.jobs import Interval, Pair, Tally
from qf_tui.simulation.playout import DOCTRINES
from qf_tui.simulation.simulate import Contribution, SimulationResult, Tried

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


def csv_text(table: Table) -> str:
    """A table as the text of a file."""
    heads = [column.title for column in table.columns]
    return table_text(heads, (dict(zip(heads, row.cells, strict=True)) for row in table.rows))


JsonTable = dict[str, object]


def row_of(
    subject: Subject,
    found: SimulationResult,
    contributions: Sequence[Contribution] | None = None,
    tried: Sequence[Tried] | None = None,
) -> JsonTable:
    """All of it for a script."""
    return {
        "title": subject.battle.table.get("title"),
        "rules": subject.system.name,
        "seed": subject.seed,
        "turn": subject.battle.turn,
        "complete": found.whole,
        "sides": {side.id: side.name for side in subject.battle.sides},
        "doctrines": {name: DOCTRINES[name].says for name in doctrines_of(tuple(found.tallies))},
        "pairs": [_pair_row(subject, pair, tally) for pair, tally in found.tallies.items()],
        **(
            {}
            if contributions is None
            else {"never_matter": [one.ship for one in contributions if one.unseen]}
        ),
        **({} if tried is None else {"levers": [_tried_row(one) for one in tried]}),
    }


def _tried_row(one: Tried) -> JsonTable:
    return {
        "lever": one.lever,
        "step": one.step.says,
        "chance": _interval_row(one.score),
        "again": _interval_row(one.again) if one.again else None,
        "by_doctrines": dict(zip(("least", "most"), one.spread, strict=True)),
        "even": one.even,
        "helps": one.helps,
    }


def _pair_row(subject: Subject, pair: Pair, tally: Tally) -> JsonTable:
    sides = [side.id for side in subject.battle.sides]
    return {
        "doctrines": dict(zip(sides, pair, strict=True)),
        "battles": tally.battles,
        "apart": tally.apart,
        "why_apart": tally.why[1] if tally.why else None,
        "wins": {side: _interval_row(tally.wins(side)) for side in sides},
        "nobody_wins": _interval_row(tally.wins("")),
        "score": {side: _interval_row(tally.score(side)) for side in sides},
        "over_early": _interval_row(tally.early),
        "turns": _turns_row(tally.length),
        "broken": {
            side: {**_interval_row(tally.broken(side)), "turn": _turns_row(tally.breaks_on(side))}
            for side in sides
        },
        "ships_lost": {
            side: dict(zip(("mean", "half"), tally.mean_lost(side), strict=True)) for side in sides
        },
        "lost": {ship.id: _interval_row(tally.loss(ship.id)) for ship in subject.ships()},
    }


def _interval_row(one: Interval) -> JsonTable:
    return {"part": one.part, "least": one.least, "most": one.most}


def _turns_row(turns: tuple[int, int, int]) -> JsonTable:
    return dict(zip(("middle", "tenth", "ninth_tenth"), turns, strict=True))
