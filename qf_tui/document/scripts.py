"""Output for scripts: orders and battles, reports, simulations and the court as JSON; tables as CSV."""

import json
from typing import TYPE_CHECKING

from attrs import asdict, frozen

from qf_tui.core.crews import CREWS
from qf_tui.core.decisions import Decision, Reason
from qf_tui.core.errors import OrderRefused
from qf_tui.core.revisions import Consequences, Revision, ValueChange
from qf_tui.core.schedule import proposed, standings
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Correction, LogAct, State, Timeline
from qf_tui.core.values import Battle, Owed, dice_code
from qf_tui.document.acts import ruling_text
from qf_tui.document.transcript import (
    act_text,
    clipped,
    is_correction,
    phase_reminders,
    table_texts,
    taken_text,
)
from qf_tui.document.values import Section, Table
from qf_tui.session import Session

if TYPE_CHECKING:  # `run` and `show` load nothing of an analysis
    from qf_tui.analysis.court import CellsFound, Control, Verdict
    from qf_tui.analysis.values import Analysis, Count, Distribution, ThrownDice

Json = dict[str, object]


@frozen
class InputOrder:
    """One order of the input: the number of its line from 1, and its text."""

    line: int
    text: str


def entered_row(session: Session, asked: InputOrder, entered: Revision) -> Json:
    """What an order that was taken did; a preview has no entry."""
    row: Json = {"line": asked.line}
    if entered.recorded:
        row["entry"] = entered.number
    row["order"] = taken_text(entered)
    row["ok"] = True
    decision = entered.ruling.decision if entered.ruling else Decision()
    follows: Json = {"effects": [change_row(change) for change in session.changes(entered)]}
    if decision.reasons:
        follows["because"] = [reason_row(reason) for reason in decision.reasons]
    if reminders := phase_reminders(session.system, entered):
        follows["reminders"] = [line.text.strip() for line in reminders]
    follows["owed"] = [owed_row(owed) for owed in entered.owed]
    if is_correction(entered):
        follows["consequences"] = consequences_row(entered.after.battle, entered.consequences)
    facts = {
        name: plain(value) for name, value in decision.outcome if name not in row and name not in follows
    }
    return row | facts | follows


def refused_row(asked: InputOrder, refusal: Exception) -> Json:
    """Why an order was refused, and the clause that decides, or null."""
    clause = refusal.clause if isinstance(refusal, OrderRefused) else ""
    return {
        "line": asked.line,
        "ok": False,
        "order": clipped(asked.text),
        "error": str(refusal),
        "rule": clause or None,
    }


def reason_row(reason: Reason) -> Json:
    """Build the row of a reason: its clause, the provenance of its chart cell, whether it asks the umpire."""
    row: Json = {"text": reason.text, "rule": reason.clause, "chart": reason.chart, "asks": reason.asks}
    return {name: value for name, value in row.items() if value or name == "text"}


def owed_row(owed: Owed) -> Json:
    """An owed roll; a question that wants words says which, and what is asked."""
    row = fields_row(owed, "key", "line", "ship")
    if owed.dice:
        return row | {"dice": dice_code(owed.dice)}
    order = proposed(owed)
    asks: Json = {"order": order.line} if order else {}
    return row | {"dice": None, "words": list(owed.words), "prompt": owed.prompt} | asks


def change_row(change: ValueChange) -> Json:
    """A value from and to."""
    return fields_row(change, "ship", "field", "before:from", "after:to")


def plain(value: object) -> object:
    """A value as JSON has it: lists for tuples."""
    return list(value) if isinstance(value, tuple) else value


def fields_row(value: object, *names: str) -> Json:
    """Fields of a value by their names, in this order; `before:from` is `before` under the name `from`."""
    pairs = (name.partition(":") for name in names)
    return {called or name: plain(getattr(value, name)) for name, _, called in pairs}


def consequences_row(battle: Battle, consequences: Consequences) -> Json:
    """What a correction changes beyond itself."""
    row: Json = {
        "kept": consequences.kept,
        "reread": [
            {"entry": reread.entry, "was": ruling_text(reread.was), "now": ruling_text(reread.now)}
            for reread in consequences.reread
        ],
        **fields_row(consequences, "parked", "spare"),
        "owed": [owed_row(owed) for owed in consequences.owed],
        "changes": [change_row(change) for change in consequences.changes],
        "table": table_texts(battle, consequences.table),
    }
    if consequences.rules_differ:
        row["rules_differ"] = list(consequences.rules_differ)
    return row


def battle_row(system: RuleSystem, timeline: Timeline) -> Json:
    """The battle as it is now, every ship with the values of its rule system."""
    battle = timeline.battle
    wins: Json = {"victory": list(standings(battle))} if battle.plan.victory else {}
    return {
        "battle": {
            "ruleset": system.name,
            **({CREWS: battle.table[CREWS]} if CREWS in battle.table else {}),
            **fields_row(battle, "turn", "phase"),
            "owed": [owed_row(owed) for owed in battle.owed],
            "parked": list(timeline.in_state(State.PARKED)),
            "spare": list(timeline.in_state(State.SPARE)),
            "doubts": list(battle.doubts),
            **wins,
            "ships": {id: dict(system.report(battle, ship)) for id, ship in battle.ships.items()},
        }
    }


def act_row(timeline: Timeline, act: LogAct, in_force: bool) -> Json:
    """An act of the log as it stands."""
    by: Json = {"by": act.by} if act.by else {}
    row: Json = {"entry": act.number, "order": act_text(timeline, act), **by}
    if isinstance(act, Correction):
        return row | {"state": "stands" if in_force else "struck", "corrects": list(act.targets)}
    ruling = timeline.rulings[act.number]
    version = timeline.versions.get(act.number, act.version)
    row["state"] = ruling.state.value if in_force else "struck"
    if version != act.version:
        row["amended"] = version.order.line
    row |= {name: plain(value) for name, value in ruling.decision.outcome if name not in row}
    row["because"] = [reason_row(reason) for reason in ruling.decision.reasons]
    if ruling.findings:
        row["findings"] = [finding.text for finding in ruling.findings]
    return row


def json_text(analysis: "Analysis") -> str:
    """One JSON object, in ASCII."""
    moved, turn = analysis.advantage_moved, analysis.turning_point
    rows = {
        "throws": [_throw(throw) for throw in analysis.throws],
        "sides": {count.side: _side(analysis, count) for count in analysis.damage},
        "start": dict(analysis.start),
        "worth": [
            fields_row(phase, "turn", "phase", "entry", "worth:sides", "luck", "rest")
            for phase in analysis.phases
        ],
        "turning_point": turn and fields_row(turn, "throw", "turn", "phase", "luck", "throws"),
        "advantage_moved": moved and dict(zip(("turn", "phase", "gained"), moved, strict=True)),
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


def _throw(throw: "ThrownDice") -> Json:
    return {
        **fields_row(throw, "entry", "turn", "phase", "side", "ship", "target", "line", "kind", "dice"),
        "thrown_by": "console" if throw.by_console else "table",
        "results": throw.results,
        **_expected(throw.chances),
        "luck": throw.luck,
        "as_well": float(throw.chances.as_well(throw.results)),
    }


def _expected(chances: "Distribution") -> Json:
    mean = chances.mean
    return {
        "expected": float(mean),
        "expected_exact": [mean.numerator, mean.denominator],
        "variance": float(chances.variance),
    }


def _side(analysis: "Analysis", count: "Count") -> Json:
    """A side's damage beside as many throws at the same odds, and its luck in its own favour."""
    place = analysis.sides.index(count.side)
    luck = sum(throw.luck or 0.0 for throw in analysis.throws if throw.side == count.side)
    return {
        "results": count.results,
        **_expected(count.chances),
        "as_well": float(count.chances.as_well(count.results)),
        "as_badly": float(count.chances.as_badly(count.results)),
        "throws": count.throws,
        # Advantage says nothing of a third side, nor of one alone.
        "luck": None if len(analysis.sides) < 2 or place > 1 else -luck if place else luck,
    }


def document_text(document: Section) -> str:
    """A document as one JSON object, in ASCII."""
    return json.dumps(_section(document)) + "\n"


def _section(section: Section) -> Json:
    """A section by its id: its lines, the rows of its tables by their titles, and its own sections."""
    rows = [
        dict(zip((column.title for column in table.columns), row.cells, strict=True))
        for table in section.blocks
        if isinstance(table, Table)
        for row in table.rows
    ]
    lines = [line.text for line in section.lines]
    parts = {part.id: _section(part) for part in section.sections}
    return {
        "title": section.title,
        **({"lines": lines} if lines else {}),
        **({"rows": rows} if rows else {}),
        **parts,
    }


def csv_text(table: Table) -> str:
    """A table as the text of a file."""
    from qf_tui.library.csv_rows import table_text

    heads = [column.title for column in table.columns]
    return table_text(heads, (dict(zip(heads, row.cells, strict=True)) for row in table.rows))


def reading_row(verdict: "Verdict") -> Json:
    """A reading as JSON."""
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
                "was": fields_row(changed.before, "state", "because", "asks"),
                "now": fields_row(changed.after, "state", "because", "asks"),
            }
            for changed in verdict.changed
        ],
        **fields_row(verdict, "reworded", "parked", "idle:spare", "overruled"),
        "ships": [change_row(change) for change in verdict.ships],
        "sides": {
            figures.side: {
                "worth": {"was": figures.worth, "now": figures.worth_then},
                "results": {"was": figures.results, "now": figures.results_then},
            }
            for figures in verdict.sides
        },
        "owed": [
            fields_row(owed, "key", "line", "ship", "prompt")
            | ({"dice": owed.dice} if owed.dice else {"dice": None, "words": list(owed.words)})
            for owed in verdict.owed
        ],
        "stopped_at": verdict.stopped_at,
    }


def court_row(control: "Control", cells: "CellsFound | None") -> Json:
    """The battle decided again with nothing otherwise, and what rests on cells."""
    row: Json = {"entries": len(control.today), "rules_differ": list(control.changed_today)}
    if cells is not None:
        row["cells"] = fields_row(cells, "read", "reconstructed", "changed:otherwise")
    return {"court": row}
