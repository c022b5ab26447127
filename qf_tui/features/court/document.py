"""The results of the rules court as a document: what other switches and chart cells would have changed."""

from collections.abc import Iterable, Iterator, Sequence

from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import format_count
from qf_tui.core.timeline import State, Timeline
from qf_tui.document.acts import capitalize, format_change, format_list, format_title
from qf_tui.document.values import GAP, Block, Document, Line, Section, build_line
from qf_tui.document.words import RECONSTRUCTED
from qf_tui.features.court.court import (
    Baseline,
    CellFound,
    CellsFound,
    Neighbour,
    Standing,
    Toward,
    Variant,
    Verdict,
)

INDENT = 6
FEW = 6
"""Largest number of entries or ships listed one by one in a line."""

_SHIPS_NAMED_MOST = 2
"""Largest number of changed ships that one line names; more are counted."""
REFUSED_MOST = 4
"""Share of refused entries (one in this many) above which the end of a reading says nothing."""

GROUPS = (
    "It would have mattered",
    "The outcome is unknown",
    "It would not have mattered in the end",
    "Nothing changes",
)
"""Kinds of results, those that matter most first."""

SWITCHES, CELLS = "Switches, each at its other values", "Cells of ours"
"""Titles of the two parts."""
CAUTION = (
    "Orders stay as they were given, though players might have chosen differently. What a rule refuses is "
    "skipped."
)
_STEP_NAMES = {Toward.ABOVE: "above", Toward.BELOW: "below", Toward.LEFT: "left", Toward.RIGHT: "right"}


def format_variant(variant: Variant) -> str:
    """Format a variant in short, as `refire_by=ship` or `battery 200, 10: 2 instead of 3`."""
    if variant.option:
        return f"{variant.option}={variant.value}"
    if variant.place is None:
        return f"chart {variant.source}"
    return f"{format_place(variant)}: {variant.text} instead of {variant.old_text}"


def format_variant_in_words(system: RuleSystem, timeline: Timeline, variant: Variant) -> str:
    """Format a variant like `format_variant`, but a switch by its text and clause.

    Example: `how armor 0 is fired at (AQF-GUN-6): as-half, not top-line`.
    """
    option = next((option for option in system.options if option.name == variant.option), None)
    if option is None:
        return format_variant(variant)
    played_value = timeline.start.options.get(option.name, option.default)
    return f"{option.text} ({option.clause}): {variant.value}, not {played_value}"


def format_tried_value(system: RuleSystem, variant: Variant) -> str:
    """Format the tried value of a switch and the switch's text: `ship: who is fired at again`."""
    about = next((option.text for option in system.options if option.name == variant.option), variant.option)
    return f"{variant.value}: {about}"


def format_place(cell: Variant | CellFound) -> str:
    """Format the place of a cell, as `battery 200, 10`."""
    table, row, column = cell.place or ("", "", "")
    return f"{table} {row}, {column}"


BY_HAND = " Results that were read by hand from the umpire's chart are not tried: they stay as read."


def format_baseline(baseline: Baseline) -> str:
    """Format whether today's rules, with nothing changed, decide the battle as recorded."""
    number = len(baseline.today)
    entries = format_count(number, "entry", "entries")
    if not baseline.changed_today:
        are = "is" if number == 1 else "are"
        text = f"Decided again with nothing changed, {entries} in force {are} as recorded."
        return f"{text}{BY_HAND if baseline.system.read_by_hand else ''}"
    changed = len(baseline.changed_today)
    change = "changes" if changed == 1 else "change"
    stay = "It stays as recorded and does" if changed == 1 else "They stay as recorded and do"
    return (
        f"Decided again with nothing changed, {changed} of {entries} in force {change} "
        f"by today's rules alone: {list_some(baseline.changed_today)}. {stay} not count."
        f"{BY_HAND if baseline.system.read_by_hand else ''}"
    )


def format_verdict(timeline: Timeline, verdict: Verdict) -> str:
    """Format a reading in one sentence: whether it would have mattered, for which side, and what differs."""
    if verdict.changes_nothing:
        return "it would not have mattered: nothing changes"
    parts = []
    ships = list(dict.fromkeys(find_ship_name(timeline, change.ship) for change in verdict.ships))
    if ships and not _has_many_refused(verdict):
        moment = "there" if verdict.owed else "at the end"
        parts.append(f"{moment} {list_some(ships)} {'is' if len(ships) == 1 else 'are'} different")
    elif not verdict.owed and not _has_many_refused(verdict):
        parts.append("all ships end the same")
    # Entries that are refused, or whose dice are not needed, are listed separately.
    not_decided = {*verdict.parked, *verdict.idle}
    decided = [changed.entry for changed in verdict.changed if changed.entry not in not_decided]
    parts += [
        single.format(numbers[0]) if len(numbers) == 1 else many.format(len(numbers), list_some(numbers))
        for numbers, single, many in (
            (decided, "entry {} changes", "{} entries change ({})"),
            (
                verdict.parked,
                "entry {} is refused and skipped",
                "{} entries are refused and skipped ({})",
            ),
            (verdict.idle, "entry {} has dice to spare", "{} entries have dice to spare ({})"),
        )
        if numbers
    ]
    return ": ".join(part for part in (_format_answer(timeline, verdict), "; ".join(parts)) if part)


def find_group(verdict: Verdict) -> str:
    """Return the kind of a reading's result, one of `GROUPS`."""
    matters, unknown, matters_not_in_the_end, changes_nothing = GROUPS
    if verdict.changes_nothing:
        return changes_nothing
    if verdict.owed or _has_many_refused(verdict):
        return unknown
    return matters if verdict.ships else matters_not_in_the_end


def _format_answer(timeline: Timeline, verdict: Verdict) -> str:
    """Format whether a reading would have mattered, or why the end is unknown."""
    better = format_better(timeline, verdict)
    if verdict.owed:
        up_to_then = f", {better} up to then" if better else ""
        place = f"after entry {verdict.stopped_at}" if verdict.stopped_at else "before the first entry"
        questions = "; ".join(
            f"{owed.prompt}, {owed.dice or '|'.join(owed.words) or 'in words'}" for owed in verdict.owed[:FEW]
        )
        stops = f"it stops {place}, where owed rolls or answers are missing ({questions})"
        return f"the end is unknown; {stops}{up_to_then}"
    if _has_many_refused(verdict):
        return f"the end is unknown: {len(verdict.parked)} of {verdict.entries} entries are refused there"
    if verdict.ships:
        for_side = f", {better or 'better for neither side'}" if verdict.sides else ""
        return f"it would have mattered{for_side}"
    return "it would not have mattered in the end"


def _has_many_refused(verdict: Verdict) -> bool:
    """Return whether a finished reading skips so many refused entries that its end says nothing."""
    return len(verdict.parked) * REFUSED_MOST > verdict.entries and not verdict.owed


def format_short(timeline: Timeline, verdict: Verdict) -> str:
    """Format a reading in one line, as `1.0 better for Japan · 2 entries different · 1 order refused`."""
    if verdict.changes_nothing:
        return "nothing changes"
    stop_text = f"after entry {verdict.stopped_at}" if verdict.stopped_at else "before the first entry"
    # Entries that are refused, or whose dice are not needed, are counted separately.
    not_decided = {*verdict.parked, *verdict.idle}
    decided = sum(changed.entry not in not_decided for changed in verdict.changed)
    ships = tuple(dict.fromkeys(find_ship_name(timeline, change.ship) for change in verdict.ships))
    refused = f"{format_count(len(verdict.parked), 'order')} refused" if verdict.parked else ""
    doubtful = _has_many_refused(verdict)
    changed_ships = ", ".join(ships) if len(ships) <= _SHIPS_NAMED_MOST else f"{len(ships)} ships"
    parts = (
        f"dice missing {stop_text}" if verdict.owed else "",
        *((f"unknown: {refused}",) if doubtful else (format_better(timeline, verdict),)),
        changed_ships if ships or verdict.owed else "same end",
        f"{format_count(decided, 'entry', 'entries')} different" if decided else "",
        "" if doubtful else refused,
        f"{format_count(len(verdict.idle), 'throw')} to spare" if verdict.idle else "",
    )
    return " · ".join(part for part in parts if part)


def format_better(timeline: Timeline, verdict: Verdict) -> str:
    """Format which side a reading helps, by worth: `1.2 better for Russia`; "" if it helps neither.

    For a battle of a single side, a reading can also be worse for it.
    """
    # The advantage of the first side, so that a gain is better for that side.
    played, in_reading = verdict.advantage
    change = round(in_reading - played, 1)
    sides = timeline.start.sides
    if not change or not sides:
        return ""
    if change < 0 and len(sides) < 2:
        return f"{-change} worse for {sides[0].name}"
    return f"{abs(change)} better for {sides[0 if change > 0 else 1].name}"


def format_verdict_line(system: RuleSystem, timeline: Timeline, verdict: Verdict) -> str:
    """Format a variant and its result in one line."""
    return (
        f"{format_variant_in_words(system, timeline, verdict.variant)}: {format_verdict(timeline, verdict)}"
    )


def build_verdict_document(system: RuleSystem, timeline: Timeline, verdict: Verdict) -> Document:
    """Build the document of a reading: a sentence, each changed entry before and after, and changed ships."""
    variant_text = format_variant_in_words(system, timeline, verdict.variant)
    return Document(variant_text, tuple(_list_verdict_lines(system, timeline, verdict)))


def _list_verdict_lines(system: RuleSystem, timeline: Timeline, verdict: Verdict) -> Iterator[Line]:
    """Yield the lines about a reading: a sentence, changed entries, changed ships, and figures."""
    yield build_line(f"{capitalize(format_verdict(timeline, verdict))}.")
    if verdict.overruled:
        yield build_line(
            f"The battle sets this switch itself (entry {list_some(verdict.overruled)}); "
            f"in this reading it is {verdict.variant.value} throughout."
        )
    for changed in verdict.changed:
        number = changed.entry
        title = format_title(timeline, number, timeline.versions[number])
        yield build_line(f"{number:>4}  {title}", number)
        questions_differ = changed.before.asks != changed.after.asks
        yield build_line(
            f"was:   {_format_standing(changed.before, with_questions=questions_differ)}", indent=INDENT
        )
        yield build_line(
            f"then:  {_format_standing(changed.after, with_questions=questions_differ)}", indent=INDENT
        )
    if verdict.reworded:
        yield build_line(f"Same result with other figures: {list_some(verdict.reworded)}.")
    shown_changes = [change for change in verdict.ships if find_field(system, change.field)]
    if shown_changes:
        yield build_line("Ships, where it stops:" if verdict.owed else "Ships, at the end:")
        for change in shown_changes:
            text = f"{find_ship_name(timeline, change.ship)}: {format_change(system, change)}"
            yield build_line(text, indent=INDENT)
    if verdict.sides and not verdict.changes_nothing:
        yield from map(build_line, _format_figures(system, timeline, verdict))
    if not verdict.changes_nothing:
        yield build_line(CAUTION)


def build_court_document(
    system: RuleSystem,
    timeline: Timeline,
    baseline: Baseline,
    verdicts: Sequence[Verdict],
    cells: CellsFound | None,
) -> Document:
    """Build the document of the court.

    Args:
        baseline: The battle decided again with nothing changed.
        cells: The cells, if everything was tried; None to describe the readings asked for in full.
    """
    if cells is None:
        parts = tuple(_build_reading_section(system, timeline, verdict) for verdict in verdicts)
        return Document(title="", blocks=(build_line(format_baseline(baseline)), *parts))
    switches = [verdict for verdict in verdicts if verdict.variant.place is None]
    groups = (_build_group(system, timeline, group, switches) for group in GROUPS)
    blocks: tuple[Block, ...] = (
        build_line(format_baseline(baseline)),
        Section(
            f"{SWITCHES}; in brackets what `--option` takes",
            tuple(group for group in groups if group.blocks),
        ),
        Section(CELLS, tuple(_list_cells(timeline, cells, verdicts))),
        GAP,
        build_line(CAUTION),
    )
    return Document(title="", blocks=blocks)


def _build_reading_section(system: RuleSystem, timeline: Timeline, verdict: Verdict) -> Section:
    """Build the section of one reading in full, with the code of its switch."""
    document = build_verdict_document(system, timeline, verdict)
    code = f"  [{format_variant(verdict.variant)}]" if verdict.variant.option else ""
    lines = (Line(line.spans, line.indent + 2) for line in document.lines)
    return Section(f"{document.title}{code}", tuple(lines))


def _build_group(system: RuleSystem, timeline: Timeline, group: str, verdicts: Sequence[Verdict]) -> Section:
    """Build the section that lists the verdicts of one group; without such verdicts it has no lines."""
    lines = []
    for verdict in verdicts:
        if find_group(verdict) == group:
            variant_text = format_variant_in_words(system, timeline, verdict.variant)
            lines.append(build_line(f"· {variant_text}  [{format_variant(verdict.variant)}]", indent=2))
            if not verdict.changes_nothing:
                lines.append(build_line(format_verdict(timeline, verdict), indent=4))
    return Section(group, tuple(lines))


def _list_cells(timeline: Timeline, cells: CellsFound, verdicts: Sequence[Verdict]) -> Iterator[Line]:
    """Yield the reconstructed cells, and what each neighbour would have changed."""
    by_place = {(verdict.variant.place, verdict.variant.text): verdict for verdict in verdicts}
    yield build_line(format_cells(cells), indent=2)
    for cell in cells.cells:
        if cell.neighbours:
            yield build_line(format_cell(cell), indent=2)
        for neighbour in cell.neighbours:
            text = format_verdict(timeline, by_place[cell.place, neighbour.text])
            yield build_line(f"{format_neighbour(neighbour)}: {text}", indent=4)
    lone_cells = [format_place(cell) for cell in cells.cells if not cell.neighbours]
    if lone_cells:
        yield build_line(f"The same on every side: {'; '.join(lone_cells)}.", indent=2)


def _format_figures(system: RuleSystem, timeline: Timeline, verdict: Verdict) -> Iterator[str]:
    """Yield the worth of the sides as `played → in the reading`, and likewise any damage results."""
    find_side_name = timeline.start.find_side_name
    moment = "where it stops" if verdict.owed else "at the end"
    worth = "; ".join(
        f"{find_side_name(figures.side)} {figures.worth:.1f} → {figures.new_worth:.1f}"
        for figures in verdict.sides
    )
    better = format_better(timeline, verdict) or "better for neither side"
    yield f"Worth {moment}: {worth}: {better}."
    if any(kind.damage for kind in system.results):
        results = "; ".join(
            f"{find_side_name(figures.side)} {figures.results} → {figures.new_results}"
            for figures in verdict.sides
        )
        yield f"Damage results by then: {results}."


def format_cells(cells: CellsFound) -> str:
    """Format how many chart readings depend on reconstructed cells, in one sentence."""
    if not cells.read:
        return "No chart cell decided anything."
    if not cells.cells:
        return f"None of {cells.read} chart readings depends on a cell of ours."
    return (
        f"Decided by cells of ours: {cells.reconstructed} of {cells.read} chart readings; {cells.changed} "
        "would have gone differently one step off."
    )


def format_cell(cell: CellFound) -> str:
    """Format a reconstructed cell: its value, and the entries that it decided."""
    entries = "entry" if len(cell.entries) == 1 else "entries"
    return f"{format_place(cell)}: {cell.text} {RECONSTRUCTED} ({entries} {list_some(cell.entries)})"


def format_lone_cell(cell: CellFound) -> str:
    """Format a reconstructed cell that has no different value next to it."""
    return f"{format_cell(cell)}: no neighbour changes anything"


def format_neighbour(neighbour: Neighbour) -> str:
    """Format the value next to a cell, and on which sides it is."""
    return f"{neighbour.text} ({', '.join(_STEP_NAMES[step] for step in neighbour.steps)})"


def list_some(items: Iterable[object]) -> str:
    """List the first few items, then how many more there are."""
    return format_list(items, FEW)


def find_ship_name(timeline: Timeline, id: str) -> str:
    """Return a ship's name, even if she has not joined; her id if she is unknown."""
    ship = timeline.battle.ships.get(id) or timeline.start.reserve.get(id)
    return ship.name if ship else id


def _format_standing(standing: Standing, *, with_questions: bool) -> str:
    """Format the result of an entry: its reasons, after its state if the entry is not in force.

    Args:
        with_questions: True to add the questions that the entry asks, if it stands.
    """
    parts = [*standing.because]
    if standing.state is not State.STANDS:
        return f"{standing.state.value}: {' · '.join(parts) or 'nothing'}"
    parts += [f"asks for {', '.join(standing.asks) or 'nothing'}"] if with_questions else []
    return " · ".join(parts) or "nothing"
