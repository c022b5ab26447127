"""What an order did, in words: for `run` without `--json`, `show` and `sample`."""

from collections.abc import Iterator

from qf_tui.cli.rows import act_text, is_correction, table_words, taken_text
from qf_tui.cli.tables import battle_title, ships_table
from qf_tui.core.charts import Provenance
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.revisions import Revision, ValueChange
from qf_tui.core.schedule import standings, to_come
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Correction, LogAct, Ruling, State, Timeline
from qf_tui.core.values import Battle
from qf_tui.session import Session
from qf_tui.session.act_words import (
    RECONSTRUCTED,
    deciding_clause,
    order_text,
    owed_text,
    result_text,
    ruling_text,
)
from qf_tui.session.changes import change_text, corrected_lines
from qf_tui.session.headlines import headline

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
    told, clause = headline(system, timeline, act), deciding_clause(ruling)
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


def is_marked(ruling: Ruling | None) -> bool:
    """Whether what an entry did is marked †: it rests on a chart cell that is ours."""
    if ruling is None or ruling.state is not State.STANDS:
        return False
    return any(reason.chart == Provenance.RECONSTRUCTED.value for reason in ruling.decision.reasons)
