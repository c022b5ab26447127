"""Long texts: an order with its result, the consequences of a correction, the log, why a box has a value."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from qf_tui.core.corrections import as_order, build_insertion
from qf_tui.core.crews import describe_rules
from qf_tui.core.decisions import Op
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.revisions import Cause, Revision, ValueChange, list_causes, list_effect_changes
from qf_tui.core.schedule import list_coming
from qf_tui.core.system import Column, RuleSystem, find_field
from qf_tui.core.text import TEXT_MOST
from qf_tui.core.timeline import Correction, Entry, LogAct, Ruling, State, Timeline
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.document.acts import (
    ActText,
    build_reason_spans,
    describe_act,
    find_deciding_clause,
    find_question,
    format_change,
    format_origin,
    format_outcome,
    format_owed,
    format_phase,
    format_ruling,
    format_title,
    list_corrected_values,
    summarize_act,
)
from qf_tui.document.glance import (
    build_crew_lines,
    build_estimate_lines,
    group_by_side,
    list_advice,
    list_all_standings,
    list_crew_changes,
)
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
    build_line,
)
from qf_tui.document.words import JOINT, RECONSTRUCTED, count_reasons, format_chart_cell, is_reconstructed
from qf_tui.registry import find_features
from qf_tui.session import Session

if TYPE_CHECKING:  # no battle on the screen is verified
    from qf_tui.core.verify import Difference

INDENT = 7
"""Indent of lines below an order, in characters."""
ACT_INDENT = 5
DAGGER_NOTE = (GAP, build_line(f"{RECONSTRUCTED} depends on a chart cell that we reconstructed"))
"""Footnote for entries that are marked †."""
NO_CHANGE = "Only the entry changes, not the logs or what is owed."
UNTOUCHED = "No entry has changed it since the start of the battle."


def clip_text(text: str) -> str:
    """Cut a text to the greatest length of an order, with "…" at its end."""
    return text if len(text) <= TEXT_MOST else f"{text[:TEXT_MOST]}…"


def is_retroactive(revision: Revision) -> bool:
    """Return whether an act changed the play before its end: a correction, or an inserted entry."""
    return isinstance(revision.act, Correction) or revision.act.after is not None


def format_accepted(revision: Revision) -> str:
    """Format an accepted act as an order with all names in full; a preview says so."""
    text = format_act(revision.after, revision.act)
    return text if revision.recorded else f"preview {text}"


def format_act(timeline: Timeline, act: LogAct) -> str:
    """Format an act of the log as an order with all names in full and its dice.

    An inserted entry is shown with `insert`, but not an answer: its key gives its place.
    """
    if isinstance(act, Correction):
        return as_order(act).line
    order = act.version.order
    return order.line if act.after is None or order.is_answer else build_insertion(act.after, order).line


def list_entered(session: Session, revision: Revision) -> Iterator[Line]:
    """Yield an accepted order: number, result, reasons, reminders, changes, and newly owed rolls.

    A preview has `·` for its number. A correction or an inserted entry has consequences instead of changes.
    """
    number = revision.number if revision.recorded else 0
    yield build_line(f"{number or '·':>5}  {format_accepted(revision)}", number)
    if revision.ruling is not None:
        yield from _list_result(revision.ruling)
    yield from list_phase_reminders(session.system, revision)
    battle = revision.after.battle
    if is_retroactive(revision):
        yield from map(_indent_line, list_consequences(session.system, revision))
    else:
        for change in session.list_changes(revision):
            if change.before != change.after:
                yield _indent_line(format_ship_change(session.system, battle, change))
    yield from (_indent_line(f"owed: {format_owed(owed)}") for owed in revision.newly_owed)


def list_phase_reminders(system: RuleSystem, revision: Revision) -> tuple[Line, ...]:
    """List the estimated ranges of the phase that an entry ended, if they are not between measured ones.

    For acts that end no phase, and for inserted entries, the result is ().
    """
    act, ruling = revision.act, revision.ruling
    is_appended = isinstance(act, Entry) and act.after is None
    ended_phase = is_appended and ruling is not None and ruling.decision.begun_phase
    return tuple(build_estimate_lines(system, revision.before)) if ended_phase else ()


def _indent_line(text: str) -> Line:
    """Build a line below an order."""
    return build_line(text, indent=INDENT)


def _list_result(ruling: Ruling, shown_question: str = "") -> Iterator[Line]:
    """Yield the result of an entry as a line, or nothing if it has none.

    Args:
        shown_question: Question to the umpire that was shown above; it is left out.
    """
    text = format_outcome(ruling).removeprefix(f"{shown_question}{JOINT}")
    clause = find_deciding_clause(ruling)
    if text:
        state = "" if ruling.state is State.STANDS else f"{ruling.state.value}: "
        clause_text = f" ({clause})" if clause else ""
        yield Line((TextSpan(f"{state}{text}{clause_text}", clause=clause),), INDENT)


def format_ship_change(system: RuleSystem, battle: Battle, change: ValueChange) -> str:
    """Format a change of a ship: `Fuji: crew 5 → 4`."""
    return f"{battle.find_ship_name(change.ship)}: {format_change(system, change)}"


def list_refused(line: int, text: str, refusal: Exception) -> Iterator[Line]:
    """Yield a refused order: the line, and each reason with its clause."""
    findings = refusal.findings if isinstance(refusal, OrderRefused) else (Finding(str(refusal)),)
    yield build_line(f"    -  line {line}: {text}")
    yield from (_indent_line(format_finding(finding)) for finding in findings)


def format_finding(finding: Finding) -> str:
    """Format a reason against an order, with its clause, and whether the umpire can force it."""
    clause = f" ({finding.clause})" if finding.clause else ""
    return f"{'refused' if finding.refused else 'impossible'}: {finding.text}{clause}"


def list_log(system: RuleSystem, timeline: Timeline) -> Iterator[Line]:
    """Yield all acts of the log in the order of writing: what each did, then its order, dice and reasons."""
    in_force = timeline.in_force
    for act in timeline.log:
        struck = "" if act.number in in_force else "  [struck]"
        signs = f"{struck}  [{format_origin(act)}]" if act.by else struck
        if isinstance(act, Correction):
            yield build_line(f"{act.number:>5}  {format_act(timeline, act)}{signs}", act.number)
            continue
        ruling = timeline.rulings[act.number]
        summary = summarize_act(system, timeline, act, in_force, brief=True)
        clause = find_deciding_clause(ruling) if summary.only_reasons else ""
        clause_text = f" ({clause})" if clause else ""
        yield build_line(f"{act.number:>5}  {summary.lead}{clause_text}{signs}", act.number)
        yield _indent_line(format_act(timeline, act))
        version = timeline.versions.get(act.number, act.version)
        # Mostly both are the same object, which `is not` sees at once.
        if version is not act.version and version != act.version:
            yield _indent_line(f"amended: {version.order.line}")
        if not summary.only_reasons:
            yield from _list_result(ruling, summary.asks)


def build_battle_blocks(system: RuleSystem, timeline: Timeline) -> Iterator[Block]:
    """Yield the present battle: title, owed rolls, open entries, victory, arrivals, crews, and the ships."""
    battle = timeline.battle
    yield GAP
    rules = describe_rules(system, battle)
    yield build_line(f"{battle.table.get('title', '')} · {rules} · {format_phase(system, battle)}")
    yield from (build_line(f"owed: {format_owed(owed)}") for owed in battle.owed)
    yield from list_open_entries(timeline)
    yield from (build_line(f"victory: {text}") for text in list_all_standings(system, timeline))
    yield from (build_line(f"to come: {text}") for text in list_coming(battle))
    yield from build_crew_lines(battle)
    yield GAP
    yield build_ships_table(system, battle)


def list_open_entries(timeline: Timeline) -> Iterator[Line]:
    """Yield the entries that need attention: disputed, parked, or with spare dice."""
    open_entries = (
        ("disputed", timeline.battle.doubts),
        ("parked", timeline.list_in_state(State.PARKED)),
        ("spare", timeline.list_in_state(State.SPARE)),
    )
    yield from (build_line(f"{what}: {_join_numbers(numbers)}") for what, numbers in open_entries if numbers)


def build_ships_table(system: RuleSystem, battle: Battle) -> Table:
    """Build a table of every ship, with all columns of the rule system; a side is named in its first row."""
    rows = []
    # First the sides in their order, then any other side that a ship has.
    sides = (*(side.id for side in battle.sides), *(ship.side for ship in battle.ships.values()))
    for side in dict.fromkeys(sides):
        name = battle.find_side_name(side)
        for ship in battle.ships.values():
            if ship.side == side:
                cells = (system.cell(battle, ship, column) for column in system.columns)
                texts = ("".join(span.text for span in cell).strip() for cell in cells)
                rows.append(Row((name, ship.name, *texts)))
                name = ""
    system_columns = (TableColumn(column.title, column.right) for column in system.columns)
    return Table((TableColumn(""), TableColumn("ship"), *system_columns), tuple(rows))


def is_marked(ruling: Ruling | None) -> bool:
    """Return whether an entry is marked †, because it depends on a reconstructed chart cell."""
    if ruling is None or ruling.state is not State.STANDS:
        return False
    return any(map(is_reconstructed, ruling.decision.reasons))


def _join_numbers(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def list_consequences(system: RuleSystem, revision: Revision) -> Iterator[str]:
    """Yield a text for each consequence of a correction: for entries, values and the table."""
    consequences, battle = revision.consequences, revision.after.battle
    for reread in consequences.reread:
        if not reread.has_same_effects:
            yield f"{reread.entry} changes: {format_ruling(reread.was)} → {format_ruling(reread.now)}"
    same_result = [reread.entry for reread in consequences.reread if reread.has_same_effects]
    for what, numbers in (
        ("decided again with the same result", same_result),
        ("parked", consequences.parked),
        ("spare", consequences.spare),
        ("different only by today's rules, kept as recorded", consequences.rules_differ),
    ):
        if numbers:
            yield f"{what}: {_join_numbers(numbers)}"
    yield from list_corrected_values(system, revision.before.battle, battle, consequences.changes)
    yield from (f"on the table, {text}" for text in list_table_texts(battle, consequences.table))
    if consequences.kept:
        yield f"unchanged: {consequences.kept}"


def list_table_texts(battle: Battle, changes: Iterable[tuple[str, str]]) -> list[str]:
    """List what must be changed on the table, sorted by side; unknown sides come last."""
    places = {side.id: place for place, side in enumerate(battle.sides)}
    in_order = sorted(changes, key=lambda change: places.get(change[0], len(places)))
    return [f"{battle.find_side_name(side)}: {text}" for side, text in in_order]


def build_consequences_document(system: RuleSystem, revision: Revision) -> Document:
    """Build the preview of a correction: changes in later entries, owed rolls, logs, table and victory."""
    consequences, battle = revision.consequences, revision.after.battle
    now = format_phase(system, battle)
    has_new_phase = now != format_phase(system, revision.before.battle)
    blocks: tuple[Block, ...] = (
        *([build_line(f"The battle is then at {now}.")] if has_new_phase else []),
        *_list_later_entries(revision),
        *_build_section("Parked: a rule refuses them", _list_dropped_entries(revision, consequences.parked)),
        *_build_section("Dice no longer needed", _list_dropped_entries(revision, consequences.spare)),
        *_build_section("Now owed", (_build_prompt_line(owed, Tone.CHANGED) for owed in consequences.owed)),
        *_build_section("No longer owed", (_build_prompt_line(owed) for owed in revision.no_longer_owed)),
        *_build_section("On the logs", _list_log_changes(system, revision)),
        *_build_section("On the table", group_by_side(battle, consequences.table)),
        *_build_section("Victory", _list_standing_changes(system, revision)),
    )
    return Document("", blocks or (build_line(NO_CHANGE),))


def _build_section(title: str, blocks: Iterable[Block]) -> tuple[Section, ...]:
    """Return a tuple of one section with these blocks, or () if there are no blocks."""
    section_blocks = tuple(blocks)
    return (Section(title, section_blocks),) if section_blocks else ()


def _list_later_entries(revision: Revision) -> Iterator[Block]:
    """Yield what a correction does to later entries: how many are unchanged, then each changed one.

    An entry with the same effects as before is only named by number; for the others both results are shown.
    """
    consequences = revision.consequences
    if consequences.kept:
        unchanged_text = "entry does not change" if consequences.kept == 1 else "entries do not change"
        yield build_line(f"{consequences.kept} later {unchanged_text}.")
    same_result = _join_numbers(reread.entry for reread in consequences.reread if reread.has_same_effects)
    if same_result:
        yield build_line(f"Other figures, same result: {same_result}.")
    lines: list[Line] = []
    for reread in consequences.reread:
        if not reread.has_same_effects:
            was, now = (format_ruling(ruling) or "nothing" for ruling in (reread.was, reread.now))
            lines.append(build_line(f"{reread.entry:>4}  was: {was}", reread.entry, Tone.QUIET))
            lines.append(build_line(f"      now: {now}"))
    yield from _build_section("Decided again, with another result", lines)


def _list_standing_changes(system: RuleSystem, revision: Revision) -> Iterator[Line]:
    """Yield how near each side was to victory and is now, where a correction changes it."""
    standings = (list_all_standings(system, timeline) for timeline in (revision.before, revision.after))
    # A feature may have fewer texts before or after the correction.
    for was, now in zip_longest(*standings, fillvalue="nothing"):
        if was != now:
            yield build_line(f"      was: {was}", tone=Tone.QUIET)
            yield build_line(f"      now: {now}")


def _list_dropped_entries(revision: Revision, numbers: Iterable[int]) -> Iterator[Line]:
    """Yield entries that no longer count, with the reason."""
    for number in numbers:
        title = format_title(revision.after, number, revision.after.versions[number])
        yield build_line(f"{number:>4}  {title}: {format_outcome(revision.after.rulings[number])}", number)


def _build_prompt_line(owed: Owed, tone: Tone = Tone.PLAIN) -> Line:
    """Build an indented line with the prompt of an owed roll."""
    return build_line(f"      {owed.prompt}", tone=tone)


def _list_log_changes(system: RuleSystem, revision: Revision) -> Iterator[Line]:
    """Yield the values of the logs that a correction changes.

    Values that are no field are left out: they follow from fields, and the changes on the table name them.
    But a list, such as that of critical hits, is shown.
    """
    shown_changes = [
        change
        for change in revision.consequences.changes
        if find_field(system, change.field) or isinstance(change.after, list)
    ]
    for text in list_corrected_values(system, revision.before.battle, revision.after.battle, shown_changes):
        yield build_line(f"      {text}")


def has_further_effects(revision: Revision) -> bool:
    """Return whether a correction changes another entry, the owed rolls, or the log of another ship.

    Other ships are those that neither the corrected entry names nor, if it answers, the order that asked.
    """
    consequences = revision.consequences
    changes_other_entries = any(not reread.has_same_effects for reread in consequences.reread)
    named_ships = _find_named_ships(revision)
    changes_other_ships = any(change.ship not in named_ships for change in consequences.changes)
    return bool(
        changes_other_entries
        or changes_other_ships
        or consequences.parked
        or consequences.spare
        or consequences.owed
        or revision.no_longer_owed
    )


def _find_named_ships(revision: Revision) -> set[str]:
    """Return the ids of the ships in an entry's order, and for an answer also those in the order that asked.

    The entry is the new one or, if a correction was entered, the corrected one as it was before.
    """
    act: LogAct | None = revision.act
    while isinstance(act, Correction):
        act = revision.before.find_act(act.targets[0])
    if act is None:
        return set()
    order = revision.before.versions.get(act.number, act.version).order
    question = find_question(revision.before, act.number, order.key) if order.is_answer else None
    declared_names = question.order.names if question is not None and question.order is not None else ()
    return {*order.names, *declared_names}


def has_any_effect(revision: Revision) -> bool:
    """Return whether a correction changes anything visible: later entries, a log, the table, the phase."""
    consequences = revision.consequences
    before = revision.before.battle
    after = revision.after.battle
    has_new_phase = (before.turn, before.phase) != (after.turn, after.phase)
    return bool(has_new_phase or consequences.changes or consequences.table or has_further_effects(revision))


def format_owed_message(revision: Revision) -> str:
    """Build the message of the rolls that an entry made owed; "" for none.

    If an older roll must be answered first, the message names it.
    """
    in_order = revision.after.battle.owed_in_order
    keys = {owed.key for owed in revision.newly_owed}
    newly_owed = [owed for owed in in_order if owed.key in keys]
    if not newly_owed:
        return ""
    prompts = "; ".join(owed.prompt for owed in newly_owed)
    if newly_owed[0] == in_order[0]:
        return f"now owed: {prompts}"
    return f"also owed: {prompts} (after {in_order[0].prompt})"


def format_waiting_message(system: RuleSystem, battle: Battle, key: str) -> str:
    """Build the message that a phase continues until the owed rolls are answered.

    Args:
        key: Key that ends the phase.
    """
    return f"{system.phase_title(battle)} goes on: answer what is owed, then {key} again"


def format_phase_message(system: RuleSystem, battle: Battle, skipped_phases: tuple[str, ...]) -> str:
    """Build the message that a phase begins, with the empty phases that were skipped.

    Advice for the phase is added if rolls are owed.
    """
    skipped_text = (
        f"skipped, as nothing can happen there: {', '.join(skipped_phases)}. " if skipped_phases else ""
    )
    # If nothing is owed, the callers show the advice elsewhere.
    advice = list_advice(system, battle) if battle.owed else ()
    now = f"Now {format_phase(system, battle)}"
    return f"{skipped_text}{now}: {'; '.join(advice)}" if advice else f"{skipped_text}{now}."


def list_difference(difference: "Difference", format_saved: Callable[[object], str]) -> Iterator[Line]:
    """Yield an entry that the rules decide differently today: its record, today's result, and the cause.

    Args:
        format_saved: Formats a value as a save has it; used if both decisions have the same text.
    """
    was = format_ruling(difference.was)
    now = format_ruling(difference.now)
    if was == now:
        was = _format_only_in(difference.was, difference.now, format_saved)
        now = _format_only_in(difference.now, difference.was, format_saved)
    yield build_line(f"{difference.number:>5}  {difference.version.order.line}", difference.number)
    yield _indent_line(f"recorded: {was}")
    yield _indent_line(f"today:    {now}")
    for ruling in difference.by:
        yield _indent_line(f"by a ruling changed in {ruling.since}: {ruling.clause}")


def _format_only_in(ruling: Ruling, other: Ruling, format_saved: Callable[[object], str]) -> str:
    """Format the parts of a ruling that another ruling lacks, or "nothing".

    Only the first kind of parts that differs is compared: effects, results or reasons. If the other ruling
    lacks no part of this kind, all parts of the kind are named.
    """
    decision, other_decision = ruling.decision, other.decision
    pairs: tuple[tuple[Sequence[object], Sequence[object]], ...] = (
        (decision.effects, other_decision.effects),
        (decision.outcome, other_decision.outcome),
        (decision.reasons, other_decision.reasons),
    )
    # If no kind differs, the effects are named.
    own_parts, other_parts = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
    only = [part for part in own_parts if part not in other_parts] or own_parts
    return "; ".join(map(format_saved, only)) or "nothing"


def build_act_document(
    system: RuleSystem,
    timeline: Timeline,
    text: ActText,
    marks: Sequence[str],
    changes: Iterable[ValueChange],
    notes: Iterable[str],
    in_force: AbstractSet[int],
) -> Document:
    """Build the document of an act in full; for a correction, with the entries whose results it changed.

    Args:
        marks: States of the act, such as `struck`.
        notes: Corrections, remarks and other notes on the act.
    """
    state = f" [{', '.join(marks)}]" if marks else ""
    title = f"{text.number} {text.title}{state}"
    act = timeline.find_act(text.number)
    lines: Iterable[Line] = ()
    if isinstance(act, Correction):
        redecided_acts = (timeline.find_act(number) for number in sorted(act.rulings))
        texts = (
            text.result,
            *(str(describe_act(timeline, other, in_force)) for other in redecided_acts if other),
        )
        lines = map(build_line, texts)
    elif act is not None:
        lines = _list_entry_lines(system, timeline, act, changes, notes)
    lines = (build_line(format_origin(act) if act else "", tone=Tone.QUIET), *lines)
    return Document(title, tuple(Line(line.spans, ACT_INDENT) for line in lines if line.text))


def _list_entry_lines(
    system: RuleSystem,
    timeline: Timeline,
    act: Entry,
    changes: Iterable[ValueChange],
    notes: Iterable[str],
) -> Iterator[Line]:
    """Yield the lines of an entry below its title: changes, findings, reasons, and what happened to it."""
    version = timeline.versions[act.number]
    ruling = timeline.rulings[act.number]
    for change in changes:
        yield build_line(format_ship_change(system, timeline.battle, change), tone=Tone.CHANGED)
    for finding in ruling.findings:
        yield Line((TextSpan(f"✗ {finding.text}   {finding.clause}", Tone.WARNING, clause=finding.clause),))
    for reason, times in count_reasons(ruling.decision.reasons):
        chart = format_chart_cell(reason)
        chart_text = f"   {chart}" if chart else ""
        reason_end = f"   {reason.clause}{chart_text}"
        yield Line((*build_reason_spans(reason, times), TextSpan(reason_end)))
    if version.overrode:
        yield build_line(f"forced against {', '.join(version.overrode)}", tone=Tone.WARNING)
    for effect in ruling.decision.effects:
        if effect.op is Op.OWE and isinstance(effect.value, Owed):
            yield build_line(f"asked for: {effect.value.prompt}", tone=Tone.ASKED)
    if act.after is not None:
        place = f"after {act.after}" if act.after else "at the start"
        yield build_line(f"inserted {place}, as entry {act.number}", tone=Tone.STRONG)
    if version is not act.version:
        yield build_line(f"first entered as: {act.version.order.line}", tone=Tone.STRONG)
    yield from (build_line(text, tone=Tone.STRONG) for text in notes)


def build_clause_lines(system: RuleSystem, timeline: Timeline, number: int) -> list[Line]:
    """Build the lines with the clauses that an entry's result names; [] if there are none.

    Clauses that the rule system does not explain are left out.
    """
    ruling = timeline.rulings.get(number)
    act = timeline.find_act(number)
    if ruling is None:
        return []
    named_clauses = [reason.clause for reason in ruling.decision.reasons]
    named_clauses += [finding.clause for finding in ruling.findings]
    if isinstance(act, Entry):
        named_clauses += timeline.versions[number].overrode
    clauses = dict.fromkeys(clause for clause in named_clauses if clause in system.clauses)
    lines = [
        _build_clause_line(clause, f"{clause:<11} {system.clauses[clause]}", Tone.CLAUSE)
        for clause in clauses
    ]
    return [GAP, build_line("The clauses, in our own words", tone=Tone.STRONG), *lines] if lines else []


def _build_clause_line(clause: str, text: str, tone: Tone, indent: int = 0) -> Line:
    """Build a line of one span that belongs to a clause."""
    return Line((TextSpan(text, tone, clause=clause),), indent)


def build_why_document(
    system: RuleSystem, timeline: Timeline, ship: Ship, column: Column | None, save: Path | None = None
) -> Document:
    """Build the document of why a box has its value: the entries that changed it, newest first.

    Args:
        column: The box's column, or None for the whole ship.
        save: Path of the save, for what features add.
    """
    title = f"Why: {ship.name}, {column.title if column else 'all of it'}"
    causes = list_causes(system, timeline, ship, column)
    lines = tuple(line for cause in causes for line in _list_cause_lines(system, timeline, ship, cause))
    # Crews change values of the card; a field of the log may start as one of these.
    keys = [system.printed.get(name, name) for name in column.fields] if column else []
    texts = list_crew_changes(system, ship.card, *keys)
    steps = [
        _build_clause_line(system.crews_by, f"{text}   {system.crews_by}", Tone.CHANGED, INDENT)
        for text in texts
    ]
    more = (feature.explain(timeline.start, ship.id, column, save) for feature in find_features())
    return Document(title, (*(lines or (build_line(UNTOUCHED),)), *steps, *chain.from_iterable(more)))


def build_entry_document(system: RuleSystem, timeline: Timeline, number: int) -> Document:
    """Build the document of one entry: order and dice, changes, reasons with chart cells and clauses."""
    title = f"Why: entry {number}"
    ruling = timeline.rulings.get(number)
    if ruling is None or number not in timeline.play_order:
        return Document(title, (build_line(f"Entry {number} is no longer in force."),))
    before = timeline.battle_at(timeline.find_place(number))
    all_changes = list_effect_changes(system, before, ruling.decision.effects)
    changes = tuple(change for change in all_changes if change.before != change.after)
    cause = Cause(number, before, ruling, changes)
    refusal_lines = () if ruling.state is State.STANDS else (build_line(format_ruling(ruling)),)
    return Document(title, (*_list_cause_lines(system, timeline, ship=None, cause=cause), *refusal_lines))


def _list_cause_lines(
    system: RuleSystem, timeline: Timeline, ship: Ship | None, cause: Cause
) -> Iterator[Line]:
    """Yield the lines of an entry that changed a value: its order, changes, reasons and their clauses.

    Args:
        ship: Ship whose name is left out, or None to name every ship.
    """
    act = timeline.log[cause.number - 1]
    text = describe_act(timeline, act, timeline.in_force)
    origin = (TextSpan(f"   {format_origin(act)}", Tone.QUIET),) if act.by else ()
    yield Line(
        (TextSpan(f"{text.number:>4} ", Tone.QUIET), TextSpan(text.title, Tone.STRONG, text.number), *origin)
    )
    for change in cause.changes:
        ship_text = (
            "" if ship and change.ship == ship.id else f"{timeline.battle.find_ship_name(change.ship)}, "
        )
        change_text = f"{ship_text}{format_change(system, change, ': ')}"
        yield build_line(change_text, tone=Tone.CHANGED, indent=INDENT)
    clauses: set[str] = set()
    for reason, times in count_reasons(cause.ruling.decision.reasons):
        reason_end = "".join(f"   {part}" for part in (reason.clause, format_chart_cell(reason)) if part)
        yield Line((*build_reason_spans(reason, times), TextSpan(reason_end, Tone.QUIET)), INDENT)
        if reason.clause:
            clauses.add(reason.clause)
    for clause in sorted(clauses):
        yield _build_clause_line(
            clause, f"{clause}: {system.clauses.get(clause, '')}", Tone.QUIET_CLAUSE, INDENT
        )
    yield GAP
