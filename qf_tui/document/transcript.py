"""What an order did, in words: for `run` without `--json`, `show` and `sample`."""

from collections.abc import Iterator

from attrs import frozen

from qf_tui.core.charts import Provenance
from qf_tui.core.corrections import insertion, order_of
from qf_tui.core.decisions import Decision, Reason
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.revisions import Consequences, Revision, ValueChange
from qf_tui.core.schedule import proposed, standings, to_come
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import TEXT_MOST
from qf_tui.core.timeline import Correction, LogAct, Ruling, State, Timeline
from qf_tui.core.values import Battle, Owed, dice_code
from qf_tui.document.acts import (
    RECONSTRUCTED,
    deciding_clause,
    order_text,
    owed_text,
    phase_text,
    result_text,
    ruling_text,
    summary,
)
from qf_tui.document.text import table
from qf_tui.session import Session
from qf_tui.session.changes import change_text, corrected_lines

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


INDENT = " " * 7
DAGGER_NOTE = ("", f"{RECONSTRUCTED} rests on a chart cell that is ours, not in the sources")
"""What is said at the end where an entry was marked so."""


def entered_lines(session: Session, entered: Revision) -> list[str]:
    """An order that was taken: its number, what it did and why, what changed and what is owed now."""
    number = str(entered.number) if entered.recorded else "·"
    lines = [f"{number:>5}  {taken_text(entered)}"]
    if entered.ruling is not None:
        lines.extend(_result(entered.ruling))
    battle = entered.after.battle
    if is_correction(entered):
        lines.extend(consequences_lines(session.system, entered))
    else:
        changes = (change for change in session.changes(entered) if change.before != change.after)
        lines.extend(f"{INDENT}{_changed(session.system, battle, change)}" for change in changes)
    lines.extend(f"{INDENT}owed: {owed_text(owed)}" for owed in entered.owed)
    return lines


def _result(ruling: Ruling) -> list[str]:
    text, clause = result_text(ruling), deciding_clause(ruling)
    if not text:
        return []
    state = "" if ruling.state is State.STANDS else f"{ruling.state.value}: "
    return [f"{INDENT}{state}{text}{f' ({clause})' if clause else ''}"]


def _changed(system: RuleSystem, battle: Battle, change: ValueChange) -> str:
    ship = battle.ships.get(change.ship)
    return f"{ship.name if ship else change.ship}: {change_text(system, change)}"


def refused_lines(line: int, text: str, refusal: Exception) -> list[str]:
    """An order that was refused: where, and each reason with its clause."""
    findings = refusal.findings if isinstance(refusal, OrderRefused) else (Finding(str(refusal)),)
    return [f"    -  line {line}: {text}", *(f"{INDENT}{finding_text(finding)}" for finding in findings)]


def finding_text(finding: Finding) -> str:
    """What hinders an order, with its clause, and whether the umpire can force it."""
    clause = f" ({finding.clause})" if finding.clause else ""
    return f"{'refused' if finding.refused else 'impossible'}: {finding.text}{clause}"


def consequences_lines(system: RuleSystem, entered: Revision) -> list[str]:
    """What a correction changes beyond itself; nothing where it changes nothing."""
    consequences, before, battle = entered.consequences, entered.before.battle, entered.after.battle
    differ = [reread for reread in consequences.reread if not reread.same]
    lines = [
        f"re-read {reread.entry}: {ruling_text(reread.was)} → {ruling_text(reread.now)}" for reread in differ
    ]
    same = tuple(reread.entry for reread in consequences.reread if reread.same)
    if same:
        lines.append(f"re-read to the same result: {_listed(same)}")
    for what, numbers in (("parked", consequences.parked), ("spare", consequences.spare)):
        if numbers:
            lines.append(f"{what}: {_listed(numbers)}")
    if consequences.rules_differ:
        lines.append(
            f"differ by today's rules alone and keep their record: {_listed(consequences.rules_differ)}"
        )
    lines.extend(corrected_lines(system, before, battle, consequences.changes))
    lines.extend(f"on the table, {words}" for words in table_words(battle, consequences))
    if consequences.kept:
        lines.append(f"kept: {consequences.kept}")
    return [f"{INDENT}{line}" for line in lines]


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)


def log_lines(system: RuleSystem, timeline: Timeline) -> Iterator[list[str]]:
    """The whole log, act by act as it was written: what it did to whom, then its order, dice and lines."""
    return (_act_lines(system, timeline, act) for act in timeline.log)


def _act_lines(system: RuleSystem, timeline: Timeline, act: LogAct) -> list[str]:
    struck = "" if act.number in timeline.in_force else "  [struck]"
    if isinstance(act, Correction):
        return [f"{act.number:>5}  {act_text(timeline, act)}{struck}"]
    ruling = timeline.rulings[act.number]
    told, clause = summary(system, timeline, act), deciding_clause(ruling)
    cited = f" ({clause})" if told.alone and clause else ""
    lines = [f"{act.number:>5}  {told.effect}{cited}{struck}", f"{INDENT}{act_text(timeline, act)}"]
    version = timeline.versions.get(act.number, act.version)
    if version != act.version:
        lines.append(f"{INDENT}amended: {order_text(version)}")
    return lines if told.alone else lines + _result(ruling)


def battle_lines(system: RuleSystem, timeline: Timeline) -> list[str]:
    """The battle as it is now: title, what holds it up, and the ships as a table."""
    battle = timeline.battle
    lines = ["", battle_title(system, battle)]
    lines.extend(f"owed: {owed_text(owed)}" for owed in battle.owed)
    open_ones = (
        ("in doubt", battle.doubts),
        ("parked", timeline.in_state(State.PARKED)),
        ("spare", timeline.in_state(State.SPARE)),
    )
    lines.extend(f"{what}: {_listed(numbers)}" for what, numbers in open_ones if numbers)
    lines.extend(f"victory: {text}" for text in standings(battle))
    lines.extend(f"to come: {text}" for text in to_come(battle))
    return [*lines, "", *ships_table(system, battle)]


def battle_title(system: RuleSystem, battle: Battle) -> str:
    """What is played, by which rules, and how far it is."""
    table_words = f"{battle.table.get('scale', '')}, {battle.table.get('units', '')}"
    return f"{battle.table.get('title', '')} · {system.title} · {table_words} · {phase_text(system, battle)}"


def ships_table(system: RuleSystem, battle: Battle) -> list[str]:
    """Every ship by side, with all columns that its rule system declares."""
    heads = ["", "ship", *(column.title for column in system.columns)]
    rows = [heads]
    sides = {side.id: side.name for side in battle.sides}
    for side in dict.fromkeys([*sides, *(ship.side for ship in battle.ships.values())]):
        name = sides.get(side, side)
        for ship in battle.ships.values():
            if ship.side == side:
                cells = (system.cell(battle, ship, column) for column in system.columns)
                texts = ("".join(span.text for span in cell).strip() for cell in cells)
                rows.append([name, ship.name, *texts])
                name = ""
    return table(rows, [False, False, *(column.right for column in system.columns)])


def is_marked(ruling: Ruling | None) -> bool:
    """Whether what an entry did is marked †: it rests on a chart cell that is ours."""
    if ruling is None or ruling.state is not State.STANDS:
        return False
    return any(reason.chart == Provenance.RECONSTRUCTED.value for reason in ruling.decision.reasons)
