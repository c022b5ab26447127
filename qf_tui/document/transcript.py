"""Acts in full: orders accepted or refused, consequences of a correction, why a box has its value."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from qf_tui.core.corrections import insertion, order_of
from qf_tui.core.crews import describe_rules
from qf_tui.core.decisions import Op
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.revisions import Cause, Revision, ValueChange, causes, effect_changes
from qf_tui.core.schedule import standings, to_come
from qf_tui.core.system import Column, RuleSystem, find_field
from qf_tui.core.text import TEXT_MOST
from qf_tui.core.timeline import Correction, Entry, LogAct, Ruling, State, Timeline
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.document.acts import (
    ActText,
    asked,
    change_text,
    corrected_lines,
    deciding_clause,
    describe,
    format_origin,
    owed_text,
    phase_text,
    reason_spans,
    result_text,
    ruling_text,
    summary,
    title_text,
)
from qf_tui.document.glance import advice_of, by_side, crew_lines, estimate_lines, stepped_texts
from qf_tui.document.values import (
    GAP,
    Block,
    Document,
    Line,
    Row,
    Section,
    Table,
    TableColumn,
    TextSpan,
    Tone,
    text_line,
)
from qf_tui.document.words import JOINT, RECONSTRUCTED, chart_text, each_once, is_reconstructed
from qf_tui.registry import find_features
from qf_tui.session import Session

if TYPE_CHECKING:  # no battle on the screen is verified
    from qf_tui.core.verify import Difference

INDENT = 7
"""Indent of lines below an order, in characters."""
ACT_INDENT = 5
DAGGER_NOTE = (GAP, text_line(f"{RECONSTRUCTED} rests on a chart cell of ours, not of the sources"))
"""Footnote for entries that are marked †."""
NO_CHANGE = "Only the entry changes: the logs and what is owed stay as they are."
UNTOUCHED = "No entry has touched it: it is as it was at the start of the battle."


def clipped(text: str) -> str:
    """Cut a text to the length of the longest order."""
    return text if len(text) <= TEXT_MOST else f"{text[:TEXT_MOST]}…"


def is_correction(entered: Revision) -> bool:
    """Return whether an act changed the order of play before its end: a correction, or a late answer."""
    return isinstance(entered.act, Correction) or entered.act.after is not None


def taken_text(entered: Revision) -> str:
    """Format an accepted act as an order with all names in full; a preview says so."""
    text = act_text(entered.after, entered.act)
    return text if entered.recorded else f"preview {text}"


def act_text(timeline: Timeline, act: LogAct) -> str:
    """Format an act of the log as an order with all names in full and its dice."""
    if isinstance(act, Correction):
        return order_of(act).line
    order = act.version.order
    return order.line if act.after is None or order.is_answer else insertion(act.after, order).line


def entered_lines(session: Session, entered: Revision) -> Iterator[Line]:
    """Yield an accepted order: its number, its result and reasons, its changes, and what is owed now."""
    number = str(entered.number) if entered.recorded else "·"
    yield text_line(f"{number:>5}  {taken_text(entered)}", entered.number if entered.recorded else 0)
    if entered.ruling is not None:
        yield from _result(entered.ruling)
    yield from phase_reminders(session.system, entered)
    battle = entered.after.battle
    if is_correction(entered):
        yield from map(_below, consequences_in_short(session.system, entered))
    else:
        for change in session.changes(entered):
            if change.before != change.after:
                yield _below(change_of_ship(session.system, battle, change))
    yield from (_below(f"owed: {owed_text(owed)}") for owed in entered.owed)


def phase_reminders(system: RuleSystem, entered: Revision) -> tuple[Line, ...]:
    """List reminders about the phase that an entry ended: estimates without measured ends."""
    act, ruling = entered.act, entered.ruling
    ends = isinstance(act, Entry) and act.after is None and ruling is not None and ruling.decision.begins
    return tuple(estimate_lines(system, entered.before)) if ends else ()


def _below(text: str) -> Line:
    return text_line(text, indent=INDENT)


def _result(ruling: Ruling, asked: str = "") -> Iterator[Line]:
    """Yield the result of an entry, without the question `asked` that was shown above it."""
    text, clause = result_text(ruling).removeprefix(f"{asked}{JOINT}"), deciding_clause(ruling)
    if text:
        state = "" if ruling.state is State.STANDS else f"{ruling.state.value}: "
        cited = f" ({clause})" if clause else ""
        yield Line((TextSpan(f"{state}{text}{cited}", clause=clause),), INDENT)


def change_of_ship(system: RuleSystem, battle: Battle, change: ValueChange) -> str:
    """Format a change of a ship: `Fuji: crew 5 → 4`."""
    return f"{battle.ship_name(change.ship)}: {change_text(system, change)}"


def refused_lines(line: int, text: str, refusal: Exception) -> Iterator[Line]:
    """Yield a refused order: the line, and each reason with its clause."""
    findings = refusal.findings if isinstance(refusal, OrderRefused) else (Finding(str(refusal)),)
    yield text_line(f"    -  line {line}: {text}")
    yield from (_below(finding_text(finding)) for finding in findings)


def finding_text(finding: Finding) -> str:
    """Format a reason against an order, with its clause, and whether the umpire can force it."""
    clause = f" ({finding.clause})" if finding.clause else ""
    return f"{'refused' if finding.refused else 'impossible'}: {finding.text}{clause}"


def log_lines(system: RuleSystem, timeline: Timeline) -> Iterator[Line]:
    """Yield the whole log as it was written: what each act did, then its order, dice and reasons."""
    in_force = timeline.in_force
    for act in timeline.log:
        struck = "" if act.number in in_force else "  [struck]"
        signs = f"{struck}  [{format_origin(act)}]" if act.by else struck
        if isinstance(act, Correction):
            yield text_line(f"{act.number:>5}  {act_text(timeline, act)}{signs}", act.number)
            continue
        ruling = timeline.rulings[act.number]
        shown = summary(system, timeline, act, in_force, brief=True)
        clause = deciding_clause(ruling) if shown.alone else ""
        cited = f" ({clause})" if clause else ""
        yield text_line(f"{act.number:>5}  {shown.lead}{cited}{signs}", act.number)
        yield _below(act_text(timeline, act))
        version = timeline.versions.get(act.number, act.version)
        if version is not act.version and version != act.version:
            yield _below(f"amended: {version.order.line}")
        yield from () if shown.alone else _result(ruling, shown.asks)


def battle_blocks(system: RuleSystem, timeline: Timeline) -> Iterator[Block]:
    """Yield the present battle: title, open questions, and a table of the ships."""
    battle = timeline.battle
    yield GAP
    rules = describe_rules(system, battle)
    yield text_line(f"{battle.table.get('title', '')} · {rules} · {phase_text(system, battle)}")
    yield from (text_line(f"owed: {owed_text(owed)}") for owed in battle.owed)
    yield from open_lines(timeline)
    yield from (text_line(f"victory: {text}") for text in standings(battle))
    yield from (text_line(f"to come: {text}") for text in to_come(battle))
    yield from crew_lines(battle)
    yield GAP
    yield ships_table(system, battle)


def open_lines(timeline: Timeline) -> Iterator[Line]:
    """Yield the entries that need attention: disputed, parked, or with spare dice."""
    open_entries = (
        ("in doubt", timeline.battle.doubts),
        ("parked", timeline.in_state(State.PARKED)),
        ("spare", timeline.in_state(State.SPARE)),
    )
    yield from (text_line(f"{what}: {_listed(numbers)}") for what, numbers in open_entries if numbers)


def ships_table(system: RuleSystem, battle: Battle) -> Table:
    """Build a table of every ship by side, with all columns of the rule system."""
    rows = []
    sides = (*(side.id for side in battle.sides), *(ship.side for ship in battle.ships.values()))
    for side in dict.fromkeys(sides):
        name = battle.side_name(side)
        for ship in battle.ships.values():
            if ship.side == side:
                cells = (system.cell(battle, ship, column) for column in system.columns)
                texts = ("".join(span.text for span in cell).strip() for cell in cells)
                rows.append(Row((name, ship.name, *texts)))
                name = ""
    own = (TableColumn(column.title, column.right) for column in system.columns)
    return Table((TableColumn(""), TableColumn("ship"), *own), tuple(rows))


def is_marked(ruling: Ruling | None) -> bool:
    """Return whether an entry is marked †, because it depends on a reconstructed chart cell."""
    if ruling is None or ruling.state is not State.STANDS:
        return False
    return any(map(is_reconstructed, ruling.decision.reasons))


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def consequences_in_short(system: RuleSystem, entered: Revision) -> Iterator[str]:
    """Yield a line for each consequence of a correction beyond the act itself."""
    follows, battle = entered.consequences, entered.after.battle
    for reread in follows.reread:
        if not reread.same:
            yield f"re-read {reread.entry}: {ruling_text(reread.was)} → {ruling_text(reread.now)}"
    same = [reread.entry for reread in follows.reread if reread.same]
    for what, numbers in (
        ("re-read to the same result", same),
        ("parked", follows.parked),
        ("spare", follows.spare),
        ("differ by today's rules alone and keep their record", follows.rules_differ),
    ):
        if numbers:
            yield f"{what}: {_listed(numbers)}"
    yield from corrected_lines(system, entered.before.battle, battle, follows.changes)
    yield from (f"on the table, {text}" for text in table_texts(battle, follows.table))
    if follows.kept:
        yield f"kept: {follows.kept}"


def table_texts(battle: Battle, changes: Iterable[tuple[str, str]]) -> list[str]:
    """List what must be changed on the table, side by side."""
    places = {side.id: place for place, side in enumerate(battle.sides)}
    in_order = sorted(changes, key=lambda change: places.get(change[0], len(places)))
    return [f"{battle.side_name(side)}: {text}" for side, text in in_order]


def consequences_document(system: RuleSystem, entered: Revision) -> Document:
    """Build the preview of a correction: later entries, what is owed, logs, table."""
    follows, battle = entered.consequences, entered.after.battle
    stands = phase_text(system, battle)
    moved = stands != phase_text(system, entered.before.battle)
    blocks: tuple[Block, ...] = (
        *([text_line(f"The battle then stands at {stands}.")] if moved else []),
        *_later_entries(entered),
        *_section("Parked: a rule is against them", _hindered(entered, follows.parked)),
        *_section("Dice no longer needed", _hindered(entered, follows.spare)),
        *_section("Now owed", (_prompt(owed, Tone.CHANGED) for owed in follows.owed)),
        *_section("No longer owed", (_prompt(owed) for owed in entered.unasked)),
        *_section("On the logs", _on_logs(system, entered)),
        *_section("On the table", by_side(battle, follows.table)),
    )
    return Document("", blocks or (text_line(NO_CHANGE),))


def _section(title: str, blocks: Iterable[Block]) -> tuple[Section, ...]:
    under = tuple(blocks)
    return (Section(title, under),) if under else ()


def _later_entries(entered: Revision) -> Iterator[Block]:
    """Yield the number of later entries that keep their result, and each changed one with both results."""
    follows = entered.consequences
    if follows.kept:
        stand = "entry stands as it did" if follows.kept == 1 else "entries stand as they did"
        yield text_line(f"{follows.kept} later {stand}.")
    same = _listed(reread.entry for reread in follows.reread if reread.same)
    if same:
        yield text_line(f"Other figures, same result: {same}.")
    lines = (
        line
        for reread in follows.reread
        if not reread.same
        for line in (
            text_line(
                f"{reread.entry:>4}  was: {ruling_text(reread.was) or 'nothing'}", reread.entry, Tone.QUIET
            ),
            text_line(f"      now: {ruling_text(reread.now) or 'nothing'}"),
        )
    )
    yield from _section("Re-read, with another result", lines)


def _hindered(entered: Revision, numbers: Iterable[int]) -> Iterator[Line]:
    """Yield entries that no longer count, with the reason."""
    for number in numbers:
        title = title_text(entered.after, number, entered.after.versions[number])
        yield text_line(f"{number:>4}  {title}: {result_text(entered.after.rulings[number])}", number)


def _prompt(owed: Owed, tone: Tone = Tone.PLAIN) -> Line:
    return text_line(f"      {owed.prompt}", tone=tone)


def _on_logs(system: RuleSystem, entered: Revision) -> Iterator[Line]:
    """Yield the changed values of the logs.

    Values that follow from others are left out; they are listed with the changes on the table. A list, such
    as that of critical hits, is shown although no single field holds it.
    """
    written = [
        change
        for change in entered.consequences.changes
        if find_field(system, change.field) or isinstance(change.after, list)
    ]
    for text in corrected_lines(system, entered.before.battle, entered.after.battle, written):
        yield text_line(f"      {text}")


def reaches_further(entered: Revision) -> bool:
    """Return whether a correction changes another entry, what is owed, or the log of another ship.

    The entry's own ships are the ships that it names; an answer's are also the ships of the order that asked.
    """
    follows = entered.consequences
    differ = any(not reread.same for reread in follows.reread)
    own = _own_ships(entered)
    others = any(change.ship not in own for change in follows.changes)
    return bool(differ or others or follows.parked or follows.spare or follows.owed or entered.unasked)


def _own_ships(entered: Revision) -> set[str]:
    """Return the ids that the corrected entry names, before the correction or as a new entry."""
    act: LogAct | None = entered.act
    while isinstance(act, Correction):
        act = entered.before.act(act.targets[0])
    if act is None:
        return set()
    order = entered.before.versions.get(act.number, act.version).order
    question = asked(entered.before, act.number, order.key) if order.is_answer else None
    declared = question.order.names if question is not None and question.order is not None else ()
    return {*order.names, *declared}


def changes_anything(entered: Revision) -> bool:
    """Return whether a correction changes anything visible: later entries, a log, the table, the phase."""
    follows, before, after = entered.consequences, entered.before.battle, entered.after.battle
    moved = (before.turn, before.phase) != (after.turn, after.phase)
    return bool(moved or follows.changes or follows.table or reaches_further(entered))


def owed_message(entered: Revision) -> str:
    """Build the message of what an entry made owed, and what must be answered first; "" for nothing."""
    in_turn, keys = entered.after.battle.owed_in_turn, {owed.key for owed in entered.owed}
    new = [owed for owed in in_turn if owed.key in keys]
    if not new:
        return ""
    prompts = "; ".join(owed.prompt for owed in new)
    if new[0] == in_turn[0]:
        return f"now owed: {prompts}"
    return f"also owed: {prompts} (after {in_turn[0].prompt})"


def goes_on_message(system: RuleSystem, battle: Battle, key: str) -> str:
    """Build the message that a phase continues until what is owed is answered.

    Args:
        key: Key that ends the phase.
    """
    return f"{system.phase_title(battle)} goes on: answer what is owed, then {key} again"


def phase_message(system: RuleSystem, battle: Battle, passed: tuple[str, ...]) -> str:
    """Build the message that a phase begins, with the empty phases that were skipped."""
    skipped = f"skipped, as nothing can happen there: {', '.join(passed)}. " if passed else ""
    # If nothing is owed, the line above already shows the advice.
    advice = advice_of(system, battle) if battle.owed else ()
    now = f"Now {phase_text(system, battle)}"
    return f"{skipped}{now}: {'; '.join(advice)}" if advice else f"{skipped}{now}."


def difference_lines(difference: "Difference", written: Callable[[object], str]) -> Iterator[Line]:
    """Yield an entry, its record and today's decision, and the cause of the difference.

    Args:
        written: Formats a value as a save has it, for decisions with the same text.
    """
    was, now = ruling_text(difference.was), ruling_text(difference.now)
    if was == now:
        was = _only_in(difference.was, difference.now, written)
        now = _only_in(difference.now, difference.was, written)
    yield text_line(f"{difference.number:>5}  {difference.version.order.line}", difference.number)
    yield _below(f"recorded: {was}")
    yield _below(f"today:    {now}")
    for ruling in difference.by:
        yield _below(f"by a ruling changed in {ruling.since}: {ruling.clause}")


def _only_in(ruling: Ruling, other: Ruling, written: Callable[[object], str]) -> str:
    """Format the effects that only this ruling has; if effects are equal, its results, then its reasons."""
    mine, theirs = ruling.decision, other.decision
    parts: tuple[tuple[Sequence[object], Sequence[object]], ...] = (
        (mine.effects, theirs.effects),
        (mine.outcome, theirs.outcome),
        (mine.reasons, theirs.reasons),
    )
    own, others = next((pair for pair in parts if pair[0] != pair[1]), parts[0])
    only = [part for part in own if part not in others] or own
    return "; ".join(map(written, only)) or "nothing"


def act_document(
    system: RuleSystem,
    timeline: Timeline,
    text: ActText,
    marks: Sequence[str],
    changes: Iterable[ValueChange],
    beside: Iterable[str],
    in_force: AbstractSet[int],
) -> Document:
    """Build the document of an act in full.

    Args:
        marks: States of the act, such as `struck`.
        changes: Values that it changed.
        beside: Texts about what happened to it later.
        in_force: Numbers of the acts in force.
    """
    state = f" [{', '.join(marks)}]" if marks else ""
    title, act = f"{text.number} {text.title}{state}", timeline.act(text.number)
    lines: Iterable[Line] = ()
    if isinstance(act, Correction):
        others = (timeline.act(number) for number in sorted(act.rulings))
        texts = (text.result, *(str(describe(timeline, other, in_force)) for other in others if other))
        lines = map(text_line, texts)
    elif act is not None:
        lines = _entry_lines(system, timeline, act, changes, beside)
    lines = (text_line(format_origin(act) if act else "", tone=Tone.QUIET), *lines)
    return Document(title, tuple(Line(line.spans, ACT_INDENT) for line in lines if line.text))


def _entry_lines(
    system: RuleSystem,
    timeline: Timeline,
    act: Entry,
    changes: Iterable[ValueChange],
    beside: Iterable[str],
) -> Iterator[Line]:
    version, ruling = timeline.versions[act.number], timeline.rulings[act.number]
    for change in changes:
        yield text_line(change_of_ship(system, timeline.battle, change), tone=Tone.CHANGED)
    for finding in ruling.findings:
        yield Line((TextSpan(f"✗ {finding.text}   {finding.clause}", Tone.WARNING, clause=finding.clause),))
    for reason, times in each_once(ruling.decision.reasons):
        chart = chart_text(reason)
        rests = f"   {reason.clause}{f'   {chart}' if chart else ''}"
        yield Line((*reason_spans(reason, times), TextSpan(rests)))
    if version.overrode:
        yield text_line(f"forced against {', '.join(version.overrode)}", tone=Tone.WARNING)
    for effect in ruling.decision.effects:
        if effect.op is Op.OWE and isinstance(effect.value, Owed):
            yield text_line(f"asked for: {effect.value.prompt}", tone=Tone.ASKED)
    if act.after is not None:
        place = f"after {act.after}" if act.after else "at the start"
        yield text_line(f"inserted {place}, as entry {act.number}", tone=Tone.STRONG)
    if version is not act.version:
        yield text_line(f"first entered as: {act.version.order.line}", tone=Tone.STRONG)
    yield from (text_line(text, tone=Tone.STRONG) for text in beside)


def clause_lines(system: RuleSystem, timeline: Timeline, number: int) -> list[Line]:
    """Build the lines with the clauses that an entry names."""
    ruling, act = timeline.rulings.get(number), timeline.act(number)
    if ruling is None:
        return []
    named = [reason.clause for reason in ruling.decision.reasons]
    named += [finding.clause for finding in ruling.findings]
    if isinstance(act, Entry):
        named += timeline.versions[number].overrode
    clauses = dict.fromkeys(clause for clause in named if clause in system.clauses)
    lines = [
        _clause_line(clause, f"{clause:<11} {system.clauses[clause]}", Tone.CLAUSE) for clause in clauses
    ]
    return [GAP, text_line("The clauses, in our own words", tone=Tone.STRONG), *lines] if lines else []


def _clause_line(clause: str, text: str, tone: Tone, indent: int = 0) -> Line:
    return Line((TextSpan(text, tone, clause=clause),), indent)


def why_document(
    system: RuleSystem, timeline: Timeline, ship: Ship, column: Column | None, save: Path | None = None
) -> Document:
    """Build the document of why a box has its value: the entries that changed it, newest first.

    Args:
        column: The box's column, or None for the whole ship.
        save: Path of the save, for what features add.
    """
    title = f"Why: {ship.name}, {column.title if column else 'all of it'}"
    found = causes(system, timeline, ship, column)
    lines = tuple(line for cause in found for line in _cause_lines(system, timeline, ship, cause))
    keys = [system.printed.get(name, name) for name in column.fields] if column else []
    texts = stepped_texts(system, ship.card, *keys)
    steps = [
        _clause_line(system.crews_by, f"{text}   {system.crews_by}", Tone.CHANGED, INDENT) for text in texts
    ]
    more = (feature.explain(timeline.start, ship.id, column, save) for feature in find_features())
    return Document(title, (*(lines or (text_line(UNTOUCHED),)), *steps, *chain.from_iterable(more)))


def entry_document(system: RuleSystem, timeline: Timeline, number: int) -> Document:
    """Build the document of one entry: order and dice, changes, reasons with chart cells and clauses."""
    title, ruling = f"Why: entry {number}", timeline.rulings.get(number)
    if ruling is None or number not in timeline.play_order:
        return Document(title, (text_line(f"Entry {number} is no longer in force."),))
    before = timeline.battle_at(timeline.place(number))
    changed = effect_changes(system, before, ruling.decision.effects)
    changes = tuple(change for change in changed if change.before != change.after)
    cause = Cause(number, before, ruling, changes)
    against = () if ruling.state is State.STANDS else (text_line(ruling_text(ruling)),)
    return Document(title, (*_cause_lines(system, timeline, None, cause), *against))


def _cause_lines(system: RuleSystem, timeline: Timeline, ship: Ship | None, cause: Cause) -> Iterator[Line]:
    act = timeline.log[cause.number - 1]
    text = describe(timeline, act, timeline.in_force)
    by = (TextSpan(f"   {format_origin(act)}", Tone.QUIET),) if act.by else ()
    yield Line(
        (TextSpan(f"{text.number:>4} ", Tone.QUIET), TextSpan(text.title, Tone.STRONG, text.number), *by)
    )
    for change in cause.changes:
        whose = "" if ship and change.ship == ship.id else f"{timeline.battle.ship_name(change.ship)}, "
        text_of = f"{whose}{change_text(system, change, ': ')}"
        yield text_line(text_of, tone=Tone.CHANGED, indent=INDENT)
    clauses: set[str] = set()
    for reason, times in each_once(cause.ruling.decision.reasons):
        rests = "".join(f"   {part}" for part in (reason.clause, chart_text(reason)) if part)
        yield Line((*reason_spans(reason, times), TextSpan(rests, Tone.QUIET)), INDENT)
        clauses.update([reason.clause] if reason.clause else ())
    for clause in sorted(clauses):
        yield _clause_line(clause, f"{clause}: {system.clauses.get(clause, '')}", Tone.QUIET_CLAUSE, INDENT)
    yield GAP
