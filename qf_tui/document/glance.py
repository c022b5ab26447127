"""The present battle in short: last result, who may act, what it waits for, what to change on the table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from qf_tui.core.availability import list_loose_estimates, list_ships_in_reach
from qf_tui.core.crews import AS_BUILT, CREWS, STATED, Crew, list_crewed_values, read_card_crew
from qf_tui.core.declarations import Event
from qf_tui.core.revisions import Revision
from qf_tui.core.schedule import list_coming, list_events, list_standings
from qf_tui.core.system import Column, RuleSystem, Span, find_phase, format_field_title
from qf_tui.core.text import Scalar, format_count
from qf_tui.core.timeline import Correction, Entry, LogAct, State, Timeline
from qf_tui.core.values import Battle, Ship, Side
from qf_tui.document.acts import (
    EntrySummary,
    describe_act,
    format_end_offer,
    format_order,
    format_phase,
    format_questions,
    summarize_act,
)
from qf_tui.document.text import measure_width, pad_text
from qf_tui.document.values import (
    GAP,
    Block,
    Document,
    Line,
    LogBoxes,
    Row,
    Section,
    Table,
    TableColumn,
    Tone,
    build_line,
)
from qf_tui.registry import find_features
from qf_tui.session.session import format_needed_throws

THROWS_MOST = 6
"""Most owed rolls that are shown with what they need; the others are only counted."""


@frozen
class Glance:
    """A short view of a battle, with the results of the last act first.

    Attributes:
        to_act: Sides with the number of ships that may still act.
        last: The last act, outcome first; for a correction the present outcome of the corrected entry.
        state: `struck`, `parked`, `spare`, or "" if it is in force.
        began: True if the last act began the phase.
        events: Sinkings and other events of this turn and the one before, the latest first.
        to_throw: The first owed rolls and questions, with what they need.
        owed: Number of all owed rolls and questions.
        on_table: What must be changed on the table by now, as (side, text); see `find_battle_before_changes`.
    """

    turn: int
    phase: str
    to_act: tuple[tuple[str, int], ...]
    last: EntrySummary | None
    number: int
    state: str
    began: bool
    events: tuple[Event, ...]
    to_throw: tuple[str, ...]
    owed: int
    on_table: tuple[tuple[str, str], ...]


def build_glance(system: RuleSystem, timeline: Timeline) -> Glance:
    """Build the short view of a battle."""
    battle = timeline.battle
    last = timeline.log[-1] if timeline.log else None
    ships = {able_ship.ship for able_ship in list_ships_in_reach(system, timeline)} & battle.ships.keys()
    count = Counter(battle.ships[ship].side for ship in ships)
    return Glance(
        turn=battle.turn,
        phase=system.phase_title(battle),
        to_act=tuple((side.name, count[side.id]) for side in battle.sides if count[side.id]),
        last=summarize_with_outcome(system, timeline, last) if last else None,
        number=last.number if last else 0,
        state=describe_act(timeline, last).state if last else "",
        began=isinstance(last, Entry) and last.version.order.is_phase_end,
        events=_list_recent_events(system, timeline),
        to_throw=tuple(
            format_needed_throws(system, battle, owed) for owed in battle.owed_in_order[:THROWS_MOST]
        ),
        owed=len(battle.owed),
        on_table=_list_changes_by_side(system, timeline),
    )


def summarize_with_outcome(system: RuleSystem, timeline: Timeline, last: LogAct) -> EntrySummary:
    """Summarize an act, outcome first.

    For a correction, the present outcome of the corrected entry comes first, then the correction. If the
    entry is no longer in force, the correction comes first, then the entry's effect if that is not named yet.
    """
    latest = summarize_act(system, timeline, last)
    corrected_act: LogAct | None = last
    while isinstance(corrected_act, Correction):
        corrected_act = timeline.find_act(corrected_act.targets[0])
    if corrected_act is None or corrected_act is last:
        return latest
    outcome = summarize_act(system, timeline, corrected_act)
    if timeline.is_in_force(corrected_act.number):
        return evolve(
            outcome, by=latest.effect, why=" · ".join(part for part in (outcome.by, outcome.why) if part)
        )
    return EntrySummary(latest.parts, by="" if outcome.effect in latest.effect else outcome.effect)


def list_advice(system: RuleSystem, battle: Battle) -> tuple[str, ...]:
    """List reminders for now: an offer to end the battle, then advice for the phase; () for none.

    The advice is the rule system's for this battle, or else the line that it declares for the phase.
    """
    advice = system.advice(battle) or (find_phase(system, battle.phase).advice,)
    return tuple(text for text in (format_end_offer(system, battle), *advice) if text)


def group_by_side(
    battle: Battle, items: Iterable[tuple[str, str]], nobody: str = "", *, numbered: bool = True
) -> Iterator[Section]:
    """Group items of (side, text) in a section for each side; one sequence of numbers runs through all.

    Args:
        nobody: Heading for items of no side; "" to leave them out.
        numbered: False to leave out the numbers.
    """
    texts_by_side: dict[str, list[str]] = {}
    for side, text in items:
        texts_by_side.setdefault(side, []).append(text)
    number = 0
    names = {side.id: side.name for side in battle.sides} | ({"": nobody} if nobody else {})
    for side, name in names.items():
        lines = []
        for text in texts_by_side.get(side, ()):
            number += 1
            lines.append(build_line(f"{number:>3}  {text}" if numbered else f"  {text}"))
        if lines:
            yield Section(name, tuple(lines))


def build_acting_blocks(system: RuleSystem, timeline: Timeline) -> tuple[Block, ...]:
    """List the phase's questions to the umpire, and the ships that may still act, by side and action."""
    battle = timeline.battle
    questions = tuple(build_question_blocks(system, timeline))
    names_by_action: dict[tuple[str, str], list[str]] = {}
    for able_ship in list_ships_in_reach(system, timeline):
        if able_ship.ship in battle.ships:
            ship = battle.ships[able_ship.ship]
            names_by_action.setdefault((ship.side, able_ship.what), []).append(ship.name)
    if not names_by_action:
        return questions
    width = max(measure_width(what) for _, what in names_by_action)
    items = [
        (side, f"{pad_text(what, width)}  {', '.join(names)}")
        for (side, what), names in names_by_action.items()
    ]
    return (
        *questions,
        build_line("These may still act:"),
        GAP,
        *group_by_side(battle, items, numbered=False),
    )


def build_question_blocks(system: RuleSystem, timeline: Timeline) -> Iterator[Block]:
    """Yield the section of what the umpire must check in this phase, by entries; nothing if he must not.

    He must check the questions that entries ask, and shots at an estimated range that does not lie between
    two measured ranges.
    """
    # The entry that began the phase; 0 at the start of the battle.
    opened = timeline.battle.opened
    start = timeline.find_place(opened) + 1 if opened else 0
    questions = (
        (number, format_questions(timeline.rulings[number])) for number in timeline.play_order[start:]
    )
    lines = [build_line(f"{number:>5}  {text}", number) for number, text in questions if text]
    lines += build_estimate_lines(system, timeline)
    if lines:
        yield Section("Asked in this phase", tuple(lines))
        yield GAP


def build_estimate_lines(system: RuleSystem, timeline: Timeline) -> Iterator[Line]:
    """Yield, by number, the shots of this phase whose estimated range is not between two measured ranges."""
    for number in list_loose_estimates(system, timeline):
        order = timeline.versions[number].order
        yield build_line(
            f"{number:>5}  {format_order(timeline.battle, order)}: {format_loose_estimate(system)}", number
        )


def format_loose_estimate(system: RuleSystem) -> str:
    """Format why an estimated range is loose (not between two measured ranges), with the clause."""
    clause = next((option.clause for option in system.options if option.measured_only), "")
    return f"it is not between two ranges of one bracket measured this turn ({clause})"


def build_hold_blocks(system: RuleSystem, battle: Battle) -> Iterator[Block]:
    """Yield what prevents the end of the phase: owed rolls by side, and entries in doubt."""
    if battle.owed:
        side_by_ship = {ship.id: ship.side for ship in battle.ships.values()}
        (first_side, first_text), *rest = (
            (side_by_ship.get(owed.ship, ""), format_needed_throws(system, battle, owed))
            for owed in battle.owed_in_order
        )
        if rest:
            first_text = f"{first_text}, to answer first"
        yield build_line("These rolls are still owed:", tone=Tone.CHANGED)
        yield from group_by_side(battle, ((first_side, first_text), *rest), "No side")
        yield GAP
    if battle.doubts:
        numbers = ", ".join(map(str, battle.doubts))
        yield build_line(f"Still disputed: entry {numbers}", tone=Tone.CHANGED)
        yield GAP


VICTORY = "victory"
"""Id of the section about victory."""


def list_all_standings(system: RuleSystem, timeline: Timeline) -> Iterator[str]:
    """Yield how near each side is to victory, by the conditions of the scenario and by features."""
    yield from list_standings(timeline.battle)
    for feature in find_features():
        yield from feature.list_standings(system, timeline)


def build_victory_section(system: RuleSystem, timeline: Timeline) -> Section:
    """Build the section about victory: the state of each condition, and what is still to come."""
    coming_texts = (f"To come: {text}" for text in list_coming(timeline.battle))
    texts = (*list_all_standings(system, timeline), *coming_texts)
    return Section("Victory", tuple(map(build_line, texts)), id=VICTORY)


NAME_MOST, PAGE = 28, 66
"""Widths, in characters, of the longest ship's name shown and of her line on the narrowest screen."""


def build_present_document(system: RuleSystem, timeline: Timeline) -> Document:
    """Build the document of the present battle: counts of entries, victory, a narrow table of each side."""
    battle = timeline.battle
    entries = {
        "parked": timeline.list_in_state(State.PARKED),
        "spare": timeline.list_in_state(State.SPARE),
        "disputed": battle.doubts,
    }
    in_force = len(timeline.play_order)
    counts = (
        f"{format_count(in_force, 'entry', 'entries')} in force",
        f"{len(timeline.log) - in_force} struck entries and corrections",
        *(f"{what}: {', '.join(map(str, numbers))}" for what, numbers in entries.items() if numbers),
    )
    end_offer = format_end_offer(system, battle)
    victory = build_victory_section(system, timeline)
    blocks: tuple[Block, ...] = (
        build_line(" · ".join(counts), tone=Tone.QUIET),
        *((build_line(end_offer, tone=Tone.CHANGED),) if end_offer else ()),
        *((victory,) if victory.blocks else ()),
        *(_build_side_section(system, battle, side) for side in battle.sides),
    )
    return Document(f"Now: {format_phase(system, battle)}", blocks)


def _build_side_section(system: RuleSystem, battle: Battle, side: Side) -> Section:
    """Build the section of a side: how many ships are there or gone, then the ships, departed ones last."""
    ships = [ship for ship in battle.ships.values() if ship.side == side.id]
    departures = [ship.status for ship in ships if ship.status in system.departure_statuses]
    counts = (
        f"{sum(not system.has_departed(ship) for ship in ships)} of {len(ships)} in the battle",
        *(f"{departures.count(status)} {status}" for status in dict.fromkeys(departures)),
    )
    # The columns get the characters that the longest name leaves of a line.
    longest = max((measure_width(ship.name) for ship in ships), default=len("ship"))
    columns = _choose_columns(system, PAGE - min(longest, NAME_MOST))
    rows = []
    for ship in sorted(ships, key=system.has_departed):
        boxes = ((Span(ship.name),), *(system.cell(battle, ship, column) for column in columns))
        rows.append(Row(tuple("".join(span.text for span in cell) for cell in boxes), boxes=boxes))
    ship_columns = (
        TableColumn(
            column.title,
            column.right,
            least=max(column.width, measure_width(column.title)),
        )
        for column in columns
    )
    table = Table((TableColumn("ship", most=NAME_MOST), *ship_columns), tuple(rows))
    return Section(f"{side.name}: {', '.join(counts)}", (table,))


def _choose_columns(system: RuleSystem, room: int) -> list[Column]:
    """Choose columns by rank until the next one does not fit into `room` characters, and keep their order."""
    chosen: set[str] = set()
    for column in sorted(system.columns, key=lambda column: column.rank):
        # Two blanks separate the columns.
        room -= max(column.width, measure_width(column.title)) + 2
        if room < 0:
            break
        chosen.add(column.name)
    return [column for column in system.columns if column.name in chosen]


def build_victory_blocks(system: RuleSystem, timeline: Timeline) -> tuple[Block, ...]:
    """Build the section of victory conditions and their states, for the end of a phase; () if none is set."""
    lines = tuple(build_line(f"  {text}") for text in list_all_standings(system, timeline))
    return (GAP, Section("Victory", lines)) if lines else ()


def build_card_document(
    system: RuleSystem, battle: Battle, ship: Ship, remarks: Iterable[str] = ()
) -> Document:
    """Build the document of a ship's card and log, with the remarks on her and what she owes."""
    division = battle.find_division(ship)
    place_and_status = (battle.find_side_name(ship.side), division.name, division.player, ship.status)
    crew = format_crew(system, ship.card)
    source = read_card_crew(ship.card).source
    prompts = [owed.prompt for owed in battle.owed if owed.ship == ship.id]
    owed = [build_line(f"owed: {prompt}", tone=Tone.CHANGED) for prompt in prompts]
    blocks: tuple[Block, ...] = (
        build_line(" · ".join(part for part in dict.fromkeys(place_and_status) if part)),
        GAP,
        *(LogBoxes(title, parts) for title, parts in system.sheet(battle, ship)),
        *([LogBoxes("crew", (Span(crew), Span(f"  {source}", "dim")))] if crew else ()),
        *(LogBoxes("remark", (Span(remark),)) for remark in remarks),
        *([GAP, *owed] if owed else []),
    )
    return Document(ship.name, blocks)


def format_crew(system: RuleSystem, card: Mapping[str, Scalar]) -> str:
    """Format the steps of a card's crew and the values that they changed; "" if as built."""
    return " · ".join(
        filter(None, (format_crew_steps(read_card_crew(card)), *list_crew_changes(system, card)))
    )


def list_crew_changes(system: RuleSystem, card: Mapping[str, Scalar], *keys: str) -> list[str]:
    """Format how the crew of a card changed its values, such as `printed heavy ROF 7 as built, crew +1: 8`.

    Args:
        keys: Names of the values; all if there are none.
    """
    values = list_crewed_values(system, card)
    return [
        f"{format_field_title(system, key)} {change_text}: {card[key]}"
        for key, change_text in values
        if not keys or key in keys
    ]


def format_crew_steps(crew: Crew) -> str:
    """Format the steps of a crew: `gunnery -1, shells +2`."""
    return ", ".join(f"{part} {steps:+}" for part, steps in crew.steps.items())


def list_crews(battle: Battle, stated: Mapping[str, Crew] | None = None) -> Mapping[str, Sequence[str]]:
    """List the crews with steps under a heading that says whether they count; empty if there are none.

    Args:
        stated: Crews that a scenario states, by ship id; None for the crews of the cards, which always count.
    """
    lines = tuple(_list_crews(battle, stated))
    if not lines:
        return {}
    if stated is not None and battle.table.get(CREWS) != STATED:
        return {"Crews as built: what is stated here does not count": lines}
    return {"Crews as stated": lines}


def build_crew_lines(battle: Battle) -> tuple[Line, ...]:
    """Build a line for each crew of a battle that counts as stated."""
    return tuple(
        build_line(f"{title}: {text}") for title, texts in list_crews(battle).items() for text in texts
    )


def _list_crews(battle: Battle, stated: Mapping[str, Crew] | None) -> Iterator[str]:
    """Yield a text for each crew with steps: its side, its steps, and their source.

    If crews of a side differ, the text also names the divisions. If `stated` (crews by ship id) is None, the
    crews are those of the cards.
    """
    divisions_by_crew: dict[tuple[str, Crew], dict[str, None]] = {}
    for ship in (*battle.ships.values(), *battle.expected_ships):
        crew = read_card_crew(ship.card) if stated is None else stated.get(ship.id, AS_BUILT)
        divisions_by_crew.setdefault((ship.side, crew), {})[battle.find_division(ship).name] = None
    crew_counts = Counter(side for side, _ in divisions_by_crew)
    for (side, crew), names in divisions_by_crew.items():
        division_text = f" ({', '.join(names)})" if crew_counts[side] > 1 else ""
        if crew.steps:
            yield f"{battle.find_side_name(side)}{division_text}: {format_crew_steps(crew)}. {crew.source}"


def find_battle_before_changes(timeline: Timeline) -> Battle:
    """Return an earlier battle, to be compared with the present one for the changes on the table.

    Returns:
        The battle at the start of the turn. Until a phase of this turn has been played, the battle at the
        start of the last phase played, because results of that phase are still to be changed on the table.
    """
    battle, play_order = timeline.battle, timeline.play_order
    place = timeline.find_place(battle.opened) if battle.opened in play_order else 0
    # Find the last entry played before this phase; several phases may have ended since.
    while place and timeline.versions[play_order[place]].order.is_phase_end:
        place -= 1
    battle_then = timeline.battle_at(place)
    if battle_then.turn < battle.turn:
        return battle_then.start
    return timeline.battle_at(_find_turn_place(timeline, battle.turn))


def list_table_changes(system: RuleSystem, timeline: Timeline) -> tuple[tuple[str, str], ...]:
    """List the rolls that ships owe now, and what changes on the table in this turn, as (side, text)."""
    battle = timeline.battle
    throws = (
        (battle.ships[owed.ship].side, f"to throw: {format_needed_throws(system, battle, owed)}")
        for owed in battle.owed
        if owed.dice and owed.ship in battle.ships
    )
    return (*throws, *system.on_table(find_battle_before_changes(timeline), battle))


def list_table_corrections(system: RuleSystem, revision: Revision) -> tuple[tuple[str, str], ...]:
    """List what must be changed on the table after a correction, as (side, text); () if nothing.

    Results of the present phase are left out, because they are read aloud at its end.
    """
    if not revision.consequences.table:
        return ()
    # The `start` of a battle is the battle as its phase began.
    return system.on_table(revision.before.battle.start, revision.after.battle.start)


def list_phase_changes(system: RuleSystem, at_end: Timeline, after: Battle) -> tuple[tuple[str, str], ...]:
    """List what must be changed on the table at the end of a phase, as (side, text).

    Changes that came with the beginning of the phase are left out: they were read out with the phase before.

    Args:
        at_end: Timeline at the end of the phase.
        after: Battle after that end.
    """
    battle = at_end.battle
    changes = system.on_table(battle.start, after)
    # No entry began this phase: it is the first of the battle.
    if battle.opened not in at_end.play_order:
        return changes
    battle_at_beginning = at_end.battle_at(at_end.find_place(battle.opened) + 1)
    announced_changes = set(system.on_table(battle_at_beginning.start, battle_at_beginning))
    return tuple(change for change in changes if change not in announced_changes)


def _find_turn_place(timeline: Timeline, turn: int) -> int:
    """Return the place in the order of play after the entry that began a turn; 0 if none began it."""
    if timeline.start.turn >= turn:
        return 0
    for place, number in enumerate(timeline.play_order, start=1):
        begun_phase = timeline.rulings[number].decision.begun_phase
        if begun_phase is not None and begun_phase[0] == turn:
            return place
    return 0


def _list_recent_events(system: RuleSystem, timeline: Timeline) -> tuple[Event, ...]:
    """List the events of this turn and the one before, the latest first."""
    first = _find_turn_place(timeline, timeline.battle.turn - 1)
    latest_last: list[Event] = []
    before = timeline.battle_at(first)
    for place in range(first + 1, len(timeline.play_order) + 1):
        after = timeline.battle_at(place)
        # An entry that changes nothing leaves the same object.
        if after is not before:
            latest_last.extend(list_events(system, before, after))
        before = after
    return tuple(reversed(latest_last))


def _list_changes_by_side(system: RuleSystem, timeline: Timeline) -> tuple[tuple[str, str], ...]:
    """List what must be changed on the table, as (name of the side, text).

    The changes by the last entry come first; if it ended a phase, the changes by the whole phase.
    """
    battle = timeline.battle
    battle_before = timeline.battle_at(max(0, len(timeline.play_order) - 1))
    phase_began = (battle_before.turn, battle_before.phase) != (battle.turn, battle.phase)
    earlier_battle = battle_before.start if phase_began else battle_before
    latest_changes = set(system.on_table(earlier_battle, battle))
    changes = system.on_table(find_battle_before_changes(timeline), battle)
    in_order = sorted(changes, key=lambda change: change not in latest_changes)
    return tuple((battle.find_side_name(side), text) for side, text in in_order)
