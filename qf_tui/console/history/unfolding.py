"""One act of the log in full: its order and dice, why, what it changed on the logs, and what touched it since."""

from collections.abc import Iterator

from textual.content import Content

from qf_tui.console.history.chronicle import Chronicle, Line
from qf_tui.console.text import fit, literal, wrapped
from qf_tui.core.acts import Correction, Entry, State
from qf_tui.core.effects import Op
from qf_tui.core.text import value_text
from qf_tui.core.values import Owed
from qf_tui.session import Changed
from qf_tui.session.changes import effect_changes
from qf_tui.session.wording import RECONSTRUCTED, order_text, tell

INDENT = "     "


def changes_of(chronicle: Chronicle, line: Line) -> tuple[Changed, ...]:
    """What an entry changed on the logs, from and to; nothing where it is out of force."""
    timeline = chronicle.timeline
    if line.act not in chronicle.standing or line.act not in timeline.rulings:
        return ()
    ruling = timeline.rulings[line.act]
    if ruling.state is not State.STANDS or not line.after or timeline.play_order[line.after - 1] != line.act:
        return ()
    before = timeline.battle_at(line.after - 1)
    found = effect_changes(chronicle.system, before, ruling.decision.effects, line.act)
    return tuple(one for one in found if one.before != one.after)


def changed_text(chronicle: Chronicle, one: Changed) -> str:
    """One value that changed, in words."""
    ship = chronicle.timeline.battle.ships.get(one.ship)
    titles = {field.name: field.title for field in chronicle.system.fields}
    what = titles.get(one.field, one.field)
    return f"{ship.name if ship else one.ship}: {what} {value_text(one.before)} → {value_text(one.after)}"


def act_lines(
    chronicle: Chronicle, line: Line, changes: tuple[Changed, ...], width: int = 0
) -> list[Content]:
    """An act in full; with a width the lines are broken to it."""
    told, marks = chronicle.told(line.act), chronicle.marks(line.act)
    state = f" [{', '.join(marks)}]" if marks else ""
    title = f"{told.number} {told.title}{state}"
    lines = [(title, "bold")]
    if not width:
        lines.append((f"{INDENT}{chronicle.headings.get(line.act, '')}".rstrip(), "$quiet"))
    act = chronicle.timeline.act(line.act)
    if isinstance(act, Correction):
        lines.extend(_of_correction(chronicle, act, told.result))
    elif act is not None:
        lines.extend((f"{INDENT}{changed_text(chronicle, one)}", "bold $text-warning") for one in changes)
        lines.extend(_of_entry(chronicle, act))
        lines.extend((f"{INDENT}{text}", "bold") for text in _said_of(chronicle, act))
    return [piece for text, style in lines if text for piece in _broken(text, style, width)]


def clause_lines(chronicle: Chronicle, number: int) -> list[Content]:
    """The clauses that an entry names, each in our own words."""
    ruling = chronicle.timeline.rulings.get(number)
    if ruling is None:
        return []
    named = [reason.clause for reason in ruling.decision.reasons]
    named += [finding.clause for finding in ruling.findings]
    act = chronicle.timeline.act(number)
    if isinstance(act, Entry):
        named += chronicle.timeline.versions[number].overrode
    told = dict.fromkeys(clause for clause in named if clause in chronicle.system.clauses)
    lines = [literal(f"{fit(clause, 11)} {chronicle.system.clauses[clause]}", "italic") for clause in told]
    return [Content(""), literal("The clauses, in our own words", "bold"), *lines] if lines else []


def _of_entry(chronicle: Chronicle, act: Entry) -> Iterator[tuple[str, str]]:
    timeline = chronicle.timeline
    version, ruling = timeline.versions[act.number], timeline.rulings[act.number]
    for finding in ruling.findings:
        yield f"{INDENT}✗ {finding.text}   {finding.clause}", "$text-warning"
    for reason in ruling.decision.reasons:
        sign = f" {RECONSTRUCTED}" if reason.reconstructed else ""
        cell = f"   chart: {reason.cell or 'cell'}, {reason.chart}" if reason.chart else ""
        yield f"{INDENT}{reason.text}{sign}   {reason.clause}{cell}", ""
    if version.overrode:
        yield f"{INDENT}forced against {', '.join(version.overrode)}", "$text-warning"
    asked = (e.value for e in ruling.decision.effects if e.op is Op.OWE and isinstance(e.value, Owed))
    for owed in asked:
        yield f"{INDENT}asked for: {owed.prompt}", "$accent"


def _said_of(chronicle: Chronicle, act: Entry) -> Iterator[str]:
    if act.after is not None:
        yield f"inserted {f'behind {act.after}' if act.after else 'at the start'}, as act {act.number}"
    if chronicle.timeline.versions[act.number] is not act.version:
        yield f"first entered as: {order_text(act.version)}"
    yield from (f"corrected by {text}" for text in chronicle.corrections_of(act.number))
    yield from (f"remark {text}" for text in chronicle.remarks.get(act.number, ()))


def _of_correction(chronicle: Chronicle, act: Correction, result: str) -> Iterator[tuple[str, str]]:
    timeline = chronicle.timeline
    if result:
        yield f"{INDENT}{result}", ""
    for number in sorted(act.rulings):
        other = timeline.act(number)
        if other is not None:
            yield f"{INDENT}{tell(timeline, other, chronicle.standing)}", ""


def _broken(text: str, style: str, width: int) -> list[Content]:
    if not width:
        return [literal(text, style)]
    first, *rest = wrapped(text, max(20, width - len(INDENT) - 1), 99)
    own = INDENT if text.startswith(INDENT) else ""
    return [literal(f"{own}{first}", style), *(literal(f"{INDENT}  {one}", style) for one in rest)]
