"""One act of the log in full: order and dice, why, what it changed on the logs, what touched it since."""

from collections.abc import Iterator

from textual.content import Content

from qf_tui.console.history.log_view import LogLine, LogView
from qf_tui.console.widgets.text import fit, literal, wrapped
from qf_tui.core.acts import Correction, Entry, State
from qf_tui.core.effects import Op
from qf_tui.core.revisions import ValueChange
from qf_tui.core.values import Owed
from qf_tui.session.act_words import chart_text, order_text, reason_text, tell, told_once
from qf_tui.session.changes import change_text, effect_changes

INDENT = "     "


def changes_of(log_view: LogView, line: LogLine) -> tuple[ValueChange, ...]:
    """What an entry changed on the logs, from and to; nothing where it is out of force."""
    timeline = log_view.timeline
    if line.act not in log_view.in_force or line.act not in timeline.rulings:
        return ()
    ruling = timeline.rulings[line.act]
    if ruling.state is not State.STANDS or not line.after or timeline.play_order[line.after - 1] != line.act:
        return ()
    before = timeline.battle_at(line.after - 1)
    found = effect_changes(log_view.system, before, ruling.decision.effects, line.act)
    return tuple(one for one in found if one.before != one.after)


def change_line(log_view: LogView, one: ValueChange) -> str:
    """One value that changed, in words."""
    ship = log_view.timeline.battle.ships.get(one.ship)
    return f"{ship.name if ship else one.ship}: {change_text(log_view.system, one)}"


def act_lines(
    log_view: LogView, line: LogLine, changes: tuple[ValueChange, ...], width: int = 0
) -> list[Content]:
    """An act in full; with a width the lines are broken to it."""
    shown, marks = log_view.text_of(line.act), log_view.marks(line.act)
    state = f" [{', '.join(marks)}]" if marks else ""
    title = f"{shown.number} {shown.title}{state}"
    lines: list[tuple[str, str]] = []
    if not width:
        lines.append((log_view.headings.get(line.act, ""), "$quiet"))
    act = log_view.timeline.act(line.act)
    if isinstance(act, Correction):
        lines.extend(_of_correction(log_view, act, shown.result))
    elif act is not None:
        lines.extend((change_line(log_view, one), "bold $text-warning") for one in changes)
        lines.extend(_of_entry(log_view, act))
        lines.extend((text, "bold") for text in _said_of(log_view, act))
    below = (piece for text, style in lines if text for piece in _broken(text, style, width, INDENT))
    return [*_broken(title, "bold", width), *below]


def clause_lines(log_view: LogView, number: int) -> list[Content]:
    """The clauses that an entry names, each in our own words."""
    ruling = log_view.timeline.rulings.get(number)
    if ruling is None:
        return []
    named = [reason.clause for reason in ruling.decision.reasons]
    named += [finding.clause for finding in ruling.findings]
    act = log_view.timeline.act(number)
    if isinstance(act, Entry):
        named += log_view.timeline.versions[number].overrode
    clauses = dict.fromkeys(clause for clause in named if clause in log_view.system.clauses)
    lines = [literal(f"{fit(clause, 11)} {log_view.system.clauses[clause]}", "italic") for clause in clauses]
    return [Content(""), literal("The clauses, in our own words", "bold"), *lines] if lines else []


def _of_entry(log_view: LogView, act: Entry) -> Iterator[tuple[str, str]]:
    timeline = log_view.timeline
    version, ruling = timeline.versions[act.number], timeline.rulings[act.number]
    for finding in ruling.findings:
        yield f"✗ {finding.text}   {finding.clause}", "$text-warning"
    for reason, times in told_once(ruling.decision.reasons):
        chart = chart_text(reason)
        yield f"{reason_text(reason)}{times}   {reason.clause}{f'   {chart}' if chart else ''}", ""
    if version.overrode:
        yield f"forced against {', '.join(version.overrode)}", "$text-warning"
    asked = (e.value for e in ruling.decision.effects if e.op is Op.OWE and isinstance(e.value, Owed))
    for owed in asked:
        yield f"asked for: {owed.prompt}", "$accent"


def _said_of(log_view: LogView, act: Entry) -> Iterator[str]:
    if act.after is not None:
        yield f"inserted {f'after {act.after}' if act.after else 'at the start'}, as entry {act.number}"
    if log_view.timeline.versions[act.number] is not act.version:
        yield f"first entered as: {order_text(act.version)}"
    yield from (f"corrected by {text}" for text in log_view.corrections_of(act.number))
    yield from (f"remark {text}" for text in log_view.remarks.get(act.number, ()))


def _of_correction(log_view: LogView, act: Correction, result: str) -> Iterator[tuple[str, str]]:
    timeline = log_view.timeline
    if result:
        yield result, ""
    for number in sorted(act.rulings):
        other = timeline.act(number)
        if other is not None:
            yield str(tell(timeline, other, log_view.in_force)), ""


def _broken(text: str, style: str, width: int, indent: str = "") -> list[Content]:
    if not width:
        return [literal(f"{indent}{text}", style)]
    first, *rest = wrapped(text, max(20, width - len(INDENT) - 1), 99)
    return [literal(f"{indent}{first}", style), *(literal(f"{INDENT}  {one}", style) for one in rest)]
