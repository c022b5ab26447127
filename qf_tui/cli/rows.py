"""What an order did, as JSON: one row an order, the battle last."""

from attrs import frozen

from qf_tui.core.corrections import insertion, order_of
from qf_tui.core.decisions import Decision, Reason
from qf_tui.core.errors import OrderRefused
from qf_tui.core.revisions import Consequences, Revision, ValueChange
from qf_tui.core.schedule import proposed, standings
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import TEXT_MOST
from qf_tui.core.timeline import Correction, LogAct, State, Timeline
from qf_tui.core.values import Battle, Owed, dice_code
from qf_tui.session import Session
from qf_tui.session.act_words import ruling_text

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


def clipped(text: str) -> str:
    """An order as it was written, or the beginning of one that is longer than any order may be."""
    return text if len(text) <= TEXT_MOST else f"{text[:TEXT_MOST]}…"


def is_correction(entered: Revision) -> bool:
    """Whether an act changed the order of play before its end: a correction, or a late question's answer."""
    return isinstance(entered.act, Correction) or entered.act.after is not None


def taken_text(entered: Revision) -> str:
    """An act as an order, resolved."""
    text = act_text(entered.after, entered.act)
    return text if entered.recorded else f"preview {text}"


def act_text(timeline: Timeline, act: LogAct) -> str:
    """An act of the log as an order, resolved, with the dice that it brought."""
    if isinstance(act, Correction):
        return order_of(act).line
    order = act.version.order
    return order.line if act.after is None or order.is_answer else insertion(act.after, order).line


def reason_row(reason: Reason) -> Json:
    """A reason, with its clause and the provenance of its chart cell where it has them."""
    row: Json = {"text": reason.text}
    if reason.clause:
        row["rule"] = reason.clause
    if reason.chart:
        row["chart"] = reason.chart
    return row


def owed_row(owed: Owed) -> Json:
    """An owed roll; a question that wants words says which, and what is asked."""
    row: Json = {"key": owed.key, "line": owed.line, "ship": owed.ship}
    if owed.dice:
        return row | {"dice": dice_code(owed.dice)}
    order = proposed(owed)
    asks: Json = {"order": order.line} if order else {}
    return row | {"dice": None, "words": list(owed.words), "prompt": owed.prompt} | asks


def change_row(change: ValueChange) -> Json:
    """A value from and to."""
    return {
        "ship": change.ship,
        "field": change.field,
        "from": plain(change.before),
        "to": plain(change.after),
    }


def plain(value: object) -> object:
    """A value as JSON has it: lists for tuples."""
    return list(value) if isinstance(value, tuple) else value


def consequences_row(battle: Battle, consequences: Consequences) -> Json:
    """What a correction changes beyond itself."""
    row: Json = {
        "kept": consequences.kept,
        "reread": [
            {"entry": one.entry, "was": ruling_text(one.was), "now": ruling_text(one.now)}
            for one in consequences.reread
        ],
        "parked": list(consequences.parked),
        "spare": list(consequences.spare),
        "owed": [owed_row(owed) for owed in consequences.owed],
        "changes": [change_row(change) for change in consequences.changes],
        "table": table_words(battle, consequences),
    }
    if consequences.rules_differ:
        row["rules_differ"] = list(consequences.rules_differ)
    return row


def table_words(battle: Battle, consequences: Consequences) -> list[str]:
    """What hands must change on the table, side by side."""
    names = {side.id: side.name for side in battle.sides}
    places = {side: place for place, side in enumerate(names)}
    fixes = sorted(consequences.table, key=lambda fix: places.get(fix[0], len(places)))
    return [f"{names.get(side, side)}: {words}" for side, words in fixes]


def battle_row(system: RuleSystem, timeline: Timeline) -> Json:
    """The battle as it is now, every ship with the values of its rule system."""
    battle = timeline.battle
    wins: Json = {"victory": list(standings(battle))} if battle.plan.victory else {}
    return {
        "battle": {
            "ruleset": system.name,
            "turn": battle.turn,
            "phase": battle.phase,
            "owed": [owed_row(owed) for owed in battle.owed],
            "parked": list(timeline.in_state(State.PARKED)),
            "spare": list(timeline.in_state(State.SPARE)),
            "doubts": list(battle.doubts),
            **wins,
            "ships": {id: dict(system.report(battle, ship)) for id, ship in battle.ships.items()},
        }
    }
