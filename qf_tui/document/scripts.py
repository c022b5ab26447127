"""Output for scripts: orders, battles and documents as JSON; tables as CSV."""

from attrs import frozen

from qf_tui.core.crews import CREWS
from qf_tui.core.decisions import Decision, Reason
from qf_tui.core.errors import OrderRefused
from qf_tui.core.revisions import Consequences, Revision, ValueChange
from qf_tui.core.schedule import find_scheduled_order
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Correction, LogAct, State, Timeline
from qf_tui.core.values import Battle, Owed, format_dice
from qf_tui.document.acts import format_ruling
from qf_tui.document.glance import list_all_standings
from qf_tui.document.transcript import (
    clip_text,
    format_accepted,
    format_act,
    is_retroactive,
    list_phase_reminders,
    list_table_texts,
)
from qf_tui.session import Session

Json = dict[str, object]


@frozen
class InputOrder:
    """An order of the input: the number of its line, from 1, and its text."""

    line: int
    text: str


def build_entered_row(session: Session, input_order: InputOrder, revision: Revision) -> Json:
    """Build the row of an accepted order: the order, the facts of its outcome, and what follows from it.

    A preview has no entry number; only a correction or an inserted entry has consequences.
    """
    row: Json = {"line": input_order.line}
    if revision.recorded:
        row["entry"] = revision.number
    row["order"] = format_accepted(revision)
    row["ok"] = True
    decision = revision.ruling.decision if revision.ruling else Decision()
    follows: Json = {"effects": [build_change_row(change) for change in session.list_changes(revision)]}
    if decision.reasons:
        follows["because"] = [build_reason_row(reason) for reason in decision.reasons]
    if reminders := list_phase_reminders(session.system, revision):
        follows["reminders"] = [line.text.strip() for line in reminders]
    follows["owed"] = [build_owed_row(owed) for owed in revision.newly_owed]
    if is_retroactive(revision):
        follows["consequences"] = build_consequences_row(revision.after.battle, revision.consequences)
    # The keys of the row and of what follows are reserved, so an outcome never replaces them.
    facts = {
        name: convert_tuple(value)
        for name, value in decision.outcome
        if name not in row and name not in follows
    }
    return row | facts | follows


def build_refused_row(input_order: InputOrder, refusal: Exception) -> Json:
    """Build the row of a refused order, with the deciding clause or null."""
    clause = refusal.clause if isinstance(refusal, OrderRefused) else ""
    return {
        "line": input_order.line,
        "ok": False,
        "order": clip_text(input_order.text),
        "error": str(refusal),
        "rule": clause or None,
    }


def build_reason_row(reason: Reason) -> Json:
    """Build the row of a reason: text, clause, chart, and whether it asks the umpire; no empty values."""
    row: Json = {
        "text": reason.text,
        "rule": reason.clause,
        "chart": reason.chart,
        "asks": reason.is_question,
    }
    return {name: value for name, value in row.items() if value or name == "text"}


def build_owed_row(owed: Owed) -> Json:
    """Build the row of an owed roll, or of a question with its answers: words, or a scheduled order."""
    row = build_fields_row(owed, "key", "line", "ship")
    if owed.dice:
        return row | {"dice": format_dice(owed.dice)}
    order = find_scheduled_order(owed)
    order_row: Json = {"order": order.line} if order else {}
    return row | {"dice": None, "words": list(owed.words), "prompt": owed.prompt} | order_row


def build_change_row(change: ValueChange) -> Json:
    """Build the row of a changed value, with its old and new value."""
    return build_fields_row(change, "ship", "field", "before:from", "after:to")


def convert_tuple(value: object) -> object:
    """Convert a tuple to a list, as JSON has it."""
    return list(value) if isinstance(value, tuple) else value


def build_fields_row(value: object, *names: str) -> Json:
    """Build a row from fields of a value; `before:from` writes the field `before` under the key `from`."""
    pairs = (name.partition(":") for name in names)
    return {key or name: convert_tuple(getattr(value, name)) for name, _, key in pairs}


def build_consequences_row(battle: Battle, consequences: Consequences) -> Json:
    """Build the row of a correction's consequences beyond the act itself."""
    row: Json = {
        "kept": consequences.kept,
        "reread": [
            {"entry": reread.entry, "was": format_ruling(reread.was), "now": format_ruling(reread.now)}
            for reread in consequences.reread
        ],
        **build_fields_row(consequences, "parked", "spare"),
        "owed": [build_owed_row(owed) for owed in consequences.owed],
        "changes": [build_change_row(change) for change in consequences.changes],
        "table": list_table_texts(battle, consequences.table),
    }
    if consequences.rules_differ:
        row["rules_differ"] = list(consequences.rules_differ)
    return row


def build_battle_row(system: RuleSystem, timeline: Timeline) -> Json:
    """Build the row of the present battle, with each ship's values."""
    battle = timeline.battle
    standings = list(list_all_standings(system, timeline))
    victory: Json = {"victory": standings} if standings else {}
    return {
        "battle": {
            "ruleset": system.name,
            **({CREWS: battle.table[CREWS]} if CREWS in battle.table else {}),
            **build_fields_row(battle, "turn", "phase"),
            "owed": [build_owed_row(owed) for owed in battle.owed],
            "parked": list(timeline.list_in_state(State.PARKED)),
            "spare": list(timeline.list_in_state(State.SPARE)),
            "doubts": list(battle.doubts),
            **victory,
            "ships": {id: dict(system.report(battle, ship)) for id, ship in battle.ships.items()},
        }
    }


def build_act_row(timeline: Timeline, act: LogAct, in_force: bool) -> Json:
    """Build the row of an act of the log: order and state; for a correction its targets, else its result."""
    by: Json = {"by": act.by} if act.by else {}
    row: Json = {"entry": act.number, "order": format_act(timeline, act), **by}
    if isinstance(act, Correction):
        return row | {"state": "stands" if in_force else "struck", "corrects": list(act.targets)}
    ruling = timeline.rulings[act.number]
    version = timeline.versions.get(act.number, act.version)
    row["state"] = ruling.state.value if in_force else "struck"
    if version != act.version:
        row["amended"] = version.order.line
    row |= {name: convert_tuple(value) for name, value in ruling.decision.outcome if name not in row}
    row["because"] = [build_reason_row(reason) for reason in ruling.decision.reasons]
    if ruling.findings:
        row["findings"] = [finding.text for finding in ruling.findings]
    return row
