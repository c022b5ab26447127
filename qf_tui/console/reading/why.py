"""The story of a cell: the entries that made it what it is, down to dice, chart cell and clause."""

from textual.content import Content

from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.text import literal
from qf_tui.core.system import Column
from qf_tui.core.values import Ship
from qf_tui.session.act_words import chart_text, reason_text, tell, told_once
from qf_tui.session.changes import change_text, effect_changes
from qf_tui.session.why import Cause, causes


def why_lines(source: BattleSource, ship: Ship, column: Column | None) -> list[Content]:
    """The story in lines."""
    lines: list[Content] = []
    for cause in causes(source.system, source.timeline, ship, column):
        lines.extend(_of_cause(source, ship, cause))
    return lines or [literal("No entry has touched it: it stands as it was at the start of the battle.")]


def entry_lines(source: BattleSource, number: int) -> list[Content]:
    """One entry in full: its order and dice, what it changed, the reasons with cells and clauses in words."""
    timeline = source.timeline
    act, ruling = timeline.act(number), timeline.rulings.get(number)
    if act is None or ruling is None or number not in timeline.play_order:
        return [literal(f"Entry {number} is not in force any more.")]
    before = timeline.battle_at(timeline.place(number))
    changed = effect_changes(source.system, before, ruling.decision.effects, number)
    changes = tuple(one for one in changed if one.before != one.after)
    return _of_cause(source, None, Cause(number, before, ruling, changes))


def _of_cause(source: BattleSource, ship: Ship | None, cause: Cause) -> list[Content]:
    timeline = source.timeline
    text = tell(timeline, timeline.log[cause.number - 1], timeline.in_force)
    lines = [Content.assemble(literal(f"{text.number:>4} ", "$quiet"), literal(text.title, "bold"))]
    for one in cause.changes:
        whose = "" if ship and one.ship == ship.id else f"{source.battle.ships[one.ship].name}, "
        changed = f"       {whose}{change_text(source.system, one, ': ')}"
        lines.append(literal(changed, "bold $text-warning"))
    clauses: set[str] = set()
    for reason, times in told_once(cause.ruling.decision.reasons):
        rests = "".join(f"   {part}" for part in (reason.clause, chart_text(reason)) if part)
        lines.append(
            Content.assemble(literal(f"       {reason_text(reason)}{times}"), literal(rests, "$quiet"))
        )
        if reason.clause:
            clauses.add(reason.clause)
    for clause in sorted(clauses):
        words = source.system.clauses.get(clause, "")
        lines.append(literal(f"       {clause}: {words}", "italic $quiet"))
    return [*lines, Content("")]
