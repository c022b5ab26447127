"""The report of a battle as a document: its story, losses, ships and luck, and what the figures rest on."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from attrs import evolve, frozen

from qf_tui.core.declarations import Worth
from qf_tui.core.revisions import ValueChange, combine_changes, list_effect_changes
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import format_count, join_as_sentence
from qf_tui.core.timeline import State, Timeline
from qf_tui.core.values import Battle, Ship, Side, replace
from qf_tui.document.acts import (
    RemarkKind,
    capitalize,
    describe_effect,
    format_changes,
    format_end_offer,
    format_list,
    format_phase,
    join_some,
    list_entry_remarks,
    list_notes,
)
from qf_tui.document.glance import build_crew_lines, build_victory_section
from qf_tui.document.values import (
    Block,
    Document,
    Line,
    Row,
    Section,
    Table,
    Tone,
    build_line,
    build_number_columns,
    build_table_blocks,
    build_text_columns,
)
from qf_tui.document.words import format_codes
from qf_tui.features.points.document import build_points_section
from qf_tui.features.report.curve import Curve, CurvePoint
from qf_tui.features.report.luck import (
    THROWS_LISTED_MOST,
    Names,
    build_luck_section,
    build_throws_table,
    build_top_throws_section,
    format_figure,
    format_throw,
)
from qf_tui.features.report.pricing import MANY, ROLLS_MOST, ROLLS_OF_MANY_MOST, list_priced
from qf_tui.features.report.story import PhaseSteps, compute_phase_ends, list_phase_lengths
from qf_tui.features.report.throws import find_origin
from qf_tui.features.report.values import (
    Analysis,
    DamageDealt,
    Fate,
    LeftOut,
    Loss,
    PhaseEnd,
    StoryLine,
    ThrownDice,
    TurningPoint,
)


@frozen
class Arrival:
    """A ship as she came into the battle.

    Attributes:
        ship: The ship at that moment.
        battle: The battle at that moment.
        entry: Number of the entry that brought her, or 0 if she was there at the start.
    """

    ship: Ship
    battle: Battle
    entry: int = 0


class Arrivals:
    """All ships as they came into the battle, by id, and their worth."""

    def __init__(self, timeline: Timeline, worth: Worth) -> None:
        self.by_ship: Mapping[str, Arrival] = _find_arrivals(timeline)
        self._places = {number: place for place, number in enumerate(timeline.play_order)}
        # A ship that joins the first side counts for that side, one that joins the second against it.
        self._signs = dict(zip((side.id for side in timeline.start.sides), (1, -1), strict=False))
        self._worth = worth

    def compute_brought_worth(self, side: str) -> float:
        """Return the worth of all ships of a side, each as she came into the battle."""
        return sum(
            self._worth.value_ship(arrival.ship)
            for arrival in self.by_ship.values()
            if arrival.ship.side == side
        )

    def compute_joined_advantage(self, entry: int) -> float:
        """Return the advantage that the first side gained by ships that joined before an entry.

        For entry 0, all ships that joined count.
        """
        place = self._places.get(entry, len(self._places))
        joined = [
            arrival
            for arrival in self.by_ship.values()
            if arrival.entry and self._places[arrival.entry] < place
        ]
        return sum(
            self._signs.get(arrival.ship.side, 0) * self._worth.value_ship(arrival.ship) for arrival in joined
        )


def _find_arrivals(timeline: Timeline) -> Mapping[str, Arrival]:
    """Return every ship as she came into the battle, by id."""
    # Without the start of a phase, the columns do not show values as lost in this phase.
    start = replace(timeline.start, began=None)
    arrivals = {id: Arrival(ship, start) for id, ship in start.ships.items()}
    for place, number in enumerate(timeline.play_order):
        effects = timeline.rulings[number].decision.effects
        if any(isinstance(effect.value, Ship) for effect in effects):
            after = replace(timeline.battle_at(place + 1), began=None)
            for id, ship in after.ships.items():
                arrivals.setdefault(id, Arrival(ship, after, number))
    return arrivals


EVEN = 0.02
"""If the shares of worth lost differ by less than this, neither side is ahead."""
FLAT = 0.05
"""Smallest value that is visible on a curve, in worth."""


@frozen
class BattleReport:
    """The report of one battle.

    Attributes:
        analysis: Findings as values.
        document: Findings in words.
        throws: All throws, a row each.
    """

    analysis: Analysis
    document: Document
    throws: Table


def make_report(
    system: RuleSystem,
    timeline: Timeline,
    analysis: Analysis,
    worth: Worth | None = None,
    *,
    over: bool = False,
) -> BattleReport:
    """Build the report of a battle.

    The first lines are followed by the curve, if there is one, and by all sections that are not empty.

    Args:
        timeline: Timeline that was analysed.
        worth: Weights that the analysis used, by default those of the rule system.
        over: True if the battle has ended by agreement, so that all may know secret points.
    """
    names = Names(system, timeline)
    weights = worth or system.worth
    arrivals = Arrivals(timeline, weights)
    turning_point = analysis.turning_point
    curve = _build_curve(names, () if analysis.unknown else analysis.phases, weights, arrivals)
    if curve is not None:
        curve = evolve(curve, turning=_find_turning_index(analysis, curve.points))
    sections = (
        build_luck_section(names, analysis, arrivals.compute_joined_advantage(0), drawn=curve is not None),
        *((build_turning_point_section(names, analysis, turning_point),) if turning_point else ()),
        build_top_throws_section(names, analysis),
        build_story_section(names, analysis.story, analysis.throws),
        build_losses_section(names, analysis.losses),
        build_deeds_section(names, analysis.deeds),
        build_ships_section(names, arrivals),
        build_victory_section(system, timeline),
        build_points_section(system, timeline, over=over),
        build_lengths_section(names),
        build_remarks(timeline),
        build_basis_section(names, analysis, weights),
    )
    blocks: tuple[Block, ...] = (
        *_list_first_lines(names, analysis, weights, arrivals),
        *((curve,) if curve else ()),
        *(section for section in sections if section.blocks),
    )
    title = timeline.battle.table.get("title") or system.title
    turns = format_count(timeline.battle.turn, "turn")
    entries = format_count(len(timeline.play_order), "entry", "entries")
    document = Document(f"{title} · {turns}, {entries}", blocks)
    return BattleReport(analysis, document, build_throws_table(names, analysis.throws))


def _list_first_lines(names: Names, analysis: Analysis, worth: Worth, arrivals: Arrivals) -> Iterator[Line]:
    """Yield the first lines: the leading side, ships lost or out of the line, and how the battle ended.

    While the battle goes on, the last line names the present phase.
    """
    if not analysis.throws:
        yield build_line("No dice have been thrown yet, so there is no luck to report.")
    if len(analysis.sides) == 2:
        yield build_line(_format_leading_side(names, analysis, arrivals, worth), tone=Tone.STRONG)
        yield build_line(
            "Worth adds up what ships have left: “Basis of the report” shows how much each thing counts."
        )
    losses = [f"{names.format_ship(loss.ship)} {loss.status} (turn {loss.turn})" for loss in analysis.losses]
    if losses:
        yield build_line(f"{join_some(losses, NAMED_MOST)}.", tone=Tone.STRONG)
    battle, system = names.timeline.battle, names.system
    left_line_on = {event.ship: event.turn for event in analysis.story if event.fate is Fate.OUT_OF_LINE}
    out_of_line = [
        f"{names.format_ship(ship)} out of the line from turn {turn}"
        for ship, turn in left_line_on.items()
        if battle.ships[ship].afloat and system.out_of_line(battle, battle.ships[ship])
    ]
    if out_of_line:
        yield build_line(f"{join_some(out_of_line, NAMED_MOST)}.")
    end_text = format_end_offer(system, battle)
    yield build_line(f"{end_text}." if end_text else f"It is now {format_phase(system, battle)}.")


def _format_leading_side(names: Names, analysis: Analysis, arrivals: Arrivals, worth: Worth) -> str:
    """Format which side is ahead, if any: the one that lost clearly the smaller share of its worth.

    Worth has owed rolls priced in.
    """
    shares, losses = [], []
    end = analysis.phases[-1].worth if analysis.phases else {}
    for side in analysis.sides:
        brought = arrivals.compute_brought_worth(side)
        worth_left = end[side] if side in end else worth.value_side(names.timeline.battle, side)
        shares.append((brought - worth_left) / brought if brought else 0.0)
        losses.append(
            f"{names.format_side(side)} {format_figure(brought - worth_left)} of {format_figure(brought)}"
        )
    gap = shares[1] - shares[0]
    losses_text = f"worth lost: {join_as_sentence(losses)}"
    if abs(gap) < EVEN:
        return f"Neither side is ahead; {losses_text}."
    leading_side = analysis.sides[0] if gap > 0 else analysis.sides[1]
    return f"{names.format_side(leading_side)} is ahead; {losses_text}."


@frozen(kw_only=True)
class BattleMoment:
    """A moment of a battle.

    Attributes:
        turn: Turn at that moment.
        phase: Name of the phase.
        place: Number of entries played so far.
    """

    turn: int
    phase: str
    place: int


def build_film_curve(
    system: RuleSystem, timeline: Timeline, worth: Worth, analysis: Analysis, moments: Iterable[BattleMoment]
) -> Curve | None:
    """Build the curve of advantage and luck from moment to moment, for a film.

    Returns:
        The curve, or None for the reasons of `_build_curve`: not two sides, no moments, or only small values.
    """
    order = timeline.play_order
    # Each moment counts as a phase that the next entry ends.
    phases = []
    begin = 0
    for moment in moments:
        next_entry = order[moment.place] if moment.place < len(order) else 0
        phases.append(PhaseSteps(moment.turn, moment.phase, analysis.steps[begin : moment.place], next_entry))
        begin = moment.place
    ends = compute_phase_ends(analysis.sides, tuple(analysis.start.values()), phases)
    return _build_curve(Names(system, timeline), ends, worth, Arrivals(timeline, worth))


def _build_curve(names: Names, phases: Sequence[PhaseEnd], worth: Worth, arrivals: Arrivals) -> Curve | None:
    """Build the curve of advantage and luck from phase to phase, not counting ships that joined.

    Returns:
        The curve, or None if there are not two sides, there are no phases, or all values are below `FLAT`.
    """
    sides = [side.id for side in names.timeline.start.sides]
    if len(sides) != 2 or not phases:
        return None
    first, second = sides
    points: list[CurvePoint] = []
    luck_before = 0.0
    for end in phases:
        gained = end.luck - luck_before
        luck_before = end.luck
        phase = names.format_phase(end.phase)
        advantage = end.luck + end.rest - arrivals.compute_joined_advantage(end.entry)
        worths = end.worth[first], end.worth[second]
        points.append(CurvePoint(end.turn, phase, worths, advantage, end.luck, gained))
    if max(max(abs(point.advantage), abs(point.luck)) for point in points) < FLAT:
        return None
    return Curve(
        (names.format_side(first), names.format_side(second)),
        tuple(points),
        turning=None,
        above=f"{names.format_side(first)} gains",
        below=f"{names.format_side(second)} gains",
        unit="; ".join(worth.list_parts()),
    )


def _find_turning_index(analysis: Analysis, points: Sequence[CurvePoint]) -> int | None:
    """Return the index of the turning point on the curve, or None if there is none.

    If its turn had the same phase several times, the one with the most luck is taken.
    """
    turning_point = analysis.turning_point
    if turning_point is None:
        return None
    indexes = [
        index
        for index, end in enumerate(analysis.phases)
        if (end.turn, end.phase) == (turning_point.turn, turning_point.phase)
    ]
    return max(indexes, key=lambda index: abs(points[index].gained), default=None)


LISTED_SHARE = 0.1
"""A throw is listed if its luck is at least this share of the greatest luck in the phase."""


def build_turning_point_section(names: Names, analysis: Analysis, turning_point: TurningPoint) -> Section:
    """Build the section on the phase with the most luck: its events, and its throws with the most luck first.

    It also names the phase in which the advantage moved most and, if not listed, the throw that did most.
    """
    throw_by_entry = {throw.entry: throw for throw in analysis.throws}
    luckiest = [throw_by_entry[entry] for entry in turning_point.throws[:THROWS_LISTED_MOST]]
    least_luck = abs(luckiest[0].luck or 0.0) * LISTED_SHARE
    listed_throws = [throw for throw in luckiest if abs(throw.luck or 0.0) >= least_luck]
    listed_entries = {throw.entry for throw in listed_throws}
    when = capitalize(names.format_turn(turning_point.turn, turning_point.phase))
    lead = f"{when}: luck gave {names.format_gain(turning_point.luck)}."
    lines = [build_line(lead, tone=Tone.STRONG)]
    if analysis.advantage_moved is not None:
        moved_turn, phase, gained = analysis.advantage_moved
        is_same_phase = (moved_turn, phase) == (turning_point.turn, turning_point.phase)
        moved = (
            "moved most in this phase too"
            if is_same_phase
            else f"moved most in {names.format_turn(moved_turn, phase)}"
        )
        text = f"The advantage {moved}, luck included: {names.format_gain(gained)}."
        lines.append(build_line(text))
    for event in analysis.story:
        in_this_phase = (event.turn, event.phase) == (turning_point.turn, turning_point.phase)
        if event.fate in _DESCRIBED and in_this_phase and event.entry not in listed_entries:
            lines.append(describe_event(names, event))
    lines += [build_line(format_throw(names, analysis, throw), throw.entry) for throw in listed_throws]
    if turning_point.throw not in listed_entries:
        throw = throw_by_entry[turning_point.throw]
        lead = f"The throw that did most, {names.format_turn(throw.turn, throw.phase)}: "
        lines.append(build_line(f"{lead}{format_throw(names, analysis, throw)}", throw.entry))
    return Section("The phase of most luck", tuple(lines), "turning-point")


NAMED_MOST = 6
"""Largest number of ships that a sentence names."""
_Key = TypeVar("_Key")


def build_story_section(names: Names, lines: Iterable[StoryLine], throws: Iterable[ThrownDice]) -> Section:
    """Build the section of the story, one part for each turn that has events."""
    throw_by_entry = {throw.entry: throw for throw in throws}
    parts = tuple(
        Section(f"Turn {turn}", tuple(_list_turn_lines(names, turn_lines, throw_by_entry)), f"turn-{turn}")
        for turn, turn_lines in _group_lines(lines, lambda line: line.turn)
    )
    return Section("Turn by turn", parts, "story")


def _list_turn_lines(names: Names, lines: list[StoryLine], throws: dict[int, ThrownDice]) -> Iterator[Line]:
    """Yield the lines of a turn: events by kind, a line for each side that ships joined, damage by ship."""
    for fate in _DESCRIBED:
        yield from (describe_event(names, line) for line in lines if line.fate is fate)
    joining = [line for line in lines if line.fate is Fate.JOINED]
    sides = {ship.id: ship.side for ship in names.timeline.battle.ships.values()}
    for side, group in _group_lines(joining, lambda line: sides.get(line.ship, "")):
        ships = join_some([names.format_ship(line.ship) for line in group], NAMED_MOST)
        verb = "joins" if len(group) == 1 else "join"
        yield build_line(f"{ships} {verb} {names.format_side(side)}.", group[0].entry)
    lost = {line.ship for line in lines if line.fate is Fate.LOST}
    hits = [line for line in lines if line.fate is Fate.DAMAGE]
    for target, group in _group_lines(hits, lambda line: line.ship):
        yield build_line(format_damage(names, target, group, throws, lost=target in lost), group[0].entry)


def _group_lines(
    lines: Iterable[StoryLine], find_key: Callable[[StoryLine], _Key]
) -> Iterable[tuple[_Key, list[StoryLine]]]:
    """Group lines by a key; return each key with its lines, in the order of the first line."""
    groups: dict[_Key, list[StoryLine]] = {}
    for line in lines:
        groups.setdefault(find_key(line), []).append(line)
    return groups.items()


_DESCRIBED = (Fate.LOST, Fate.EVENT, Fate.OUT_OF_LINE)
"""Kinds of events that get a line each, in this order within a turn."""


def describe_event(names: Names, event: StoryLine) -> Line:
    """Build the line of one event: what happened to whom, and the order and dice that decided it.

    The ship that caused it is added if the order and dice do not name her.
    """
    effect = describe_effect(names.system, names.timeline, event.entry)
    if event.fate is Fate.OUT_OF_LINE:
        text = f"{names.format_ship(event.ship)} falls out of the line ({effect.lead})"
    else:
        texts = (capitalize(other.text) for other in effect.events if other.ship == event.ship)
        text = " and ".join(texts) or names.summarize(event.entry).effect
    dice = names.format_dice(event.entry)
    detail = f": {names.format_order(event.entry)}, {dice}" if dice else ""
    causer = names.format_ship(event.by) if event.by else ""
    cause = f", by {causer}" if causer and causer not in detail else ""
    return build_line(f"{text}{cause}{detail}.", event.entry, Tone.STRONG)


def build_losses_section(names: Names, losses: Iterable[Loss]) -> Section:
    """Build the section of ships that are out of the battle: when, by which entry, and who damaged them."""
    columns = (
        *build_text_columns("ship", "side", "is"),
        *build_number_columns("turn"),
        *build_text_columns("phase", "damaged by"),
    )
    rows = (
        Row(
            (
                *(names.format_ship(loss.ship), names.format_side(loss.side), loss.status, str(loss.turn)),
                names.format_phase(loss.phase),
                ", ".join(f"{names.format_ship(ship)} {count}" for ship, count in loss.by),
            ),
            loss.entry,
        )
        for loss in losses
    )
    return Section("Losses", build_table_blocks(columns, rows), "losses")


def format_damage(
    names: Names,
    target: str,
    lines: Iterable[StoryLine],
    throws: Mapping[int, ThrownDice],
    *,
    lost: bool = False,
) -> str:
    """Format the damage that a ship took in a turn.

    Example: `Fuji takes S G from Pobeda and S from Poltava: heavy ROF 6→5, S hits 0→2`.

    Args:
        target: Id of the ship, or "" to name the damage without a ship.
        lines: Events of damage to her in this turn.
        throws: Throws by entry.
        lost: True if she is lost in this turn; then the changes on her log are left out.
    """
    lines = list(lines)
    codes_by_striker: dict[str, list[str]] = {}
    for line in _drop_superseded(names, lines, throws):
        throw = throws[line.entry]
        striker = names.harm_by_kind.get(throw.kind) or (names.format_ship(line.by) if line.by else "")
        striker_text = f" from {striker}" if striker else ""
        codes_by_striker.setdefault(striker_text, []).append(_format_scored_codes(names, line.entry, throw))
    parts = [f"{', '.join(codes)}{striker_text}" for striker_text, codes in codes_by_striker.items()]
    if not target:
        return f"{join_some(parts, NAMED_MOST)}."
    log_changes = "" if lost else _format_log_changes(names, target, lines)
    lead = f"{names.format_ship(target)} takes {join_some(parts, NAMED_MOST)}"
    return f"{lead}: {log_changes}." if log_changes else f"{lead}."


def _drop_superseded(
    names: Names, lines: list[StoryLine], throws: Mapping[int, ThrownDice]
) -> Iterator[StoryLine]:
    """Yield the events, but no throw that is followed by a throw of another kind for the same order.

    For example, a torpedo's throw to hit is left out if its throw for damage is listed.
    """
    for index, line in enumerate(lines):
        origin = find_origin(names.timeline, line.entry)
        kind = throws[line.entry].kind
        later_entries = (
            later_line.entry for later_line in lines[index + 1 :] if throws[later_line.entry].target
        )
        is_superseded = any(
            find_origin(names.timeline, entry) == origin and throws[entry].kind != kind
            for entry in later_entries
        )
        if not is_superseded:
            yield line


def _format_scored_codes(names: Names, entry: int, throw: ThrownDice) -> str:
    """Format what dice scored in damage codes, or as a number of results if the rules give no codes.

    A weapon that is not a gun is added for a throw with a target. If an order may harm every ship that it
    names, the text is `damage`, because codes do not say which ship was harmed.
    """
    order = names.find_declared(entry)
    if order is not None and order.form.mutual:
        return "damage"
    results = format_count(throw.results, "result")
    codes = format_codes(names.timeline.rulings[entry].decision.outcome) or results
    word = names.timeline.versions[find_origin(names.timeline, entry)].order.word
    return f"{codes} by {word}" if throw.target and word not in names.gunfire_words else codes


def _format_log_changes(names: Names, ship: str, lines: Iterable[StoryLine]) -> str:
    """Format the values on a ship's log that these events changed, each with its first and last value."""
    timeline, changes = names.timeline, list[ValueChange]()
    for line in lines:
        before = timeline.battle_at(timeline.find_place(line.entry))
        effects = timeline.rulings[line.entry].decision.effects
        changes += list_effect_changes(names.system, before, effects)
    of_ship = [change for change in changes if change.ship == ship and change.field != "status"]
    return format_changes(names.system, timeline.battle, combine_changes(of_ship), ship)


KEPT_MOST = 40
"""Largest number of unchanged ships that are named."""
DEEDS_MOST = 24
"""Largest number of rows in the table of which ship did what to which."""


def build_ships_section(names: Names, arrivals: Arrivals) -> Section:
    """Build the section that shows every ship at her arrival and now."""
    # Without the start of a phase, the columns do not show values as lost in this phase.
    now = replace(names.timeline.battle, began=None)
    sides = tuple(
        _build_side_section(names, side, ships, arrivals, now)
        for side in now.sides
        if (ships := [ship for ship in now.ships.values() if ship.side == side.id])
    )
    return Section("Ships before and after", sides, "ships")


def _build_side_section(
    names: Names, side: Side, ships: list[Ship], arrivals: Arrivals, now: Battle
) -> Section:
    """Build the section of a side's ships.

    Ships that changed or are lost have a row, with only the columns in which some ship changed. Other ships
    are only named.
    """
    arrivals_of_side = [arrivals.by_ship[ship.id] for ship in ships]
    before = {
        arrival.ship.id: _list_cells(names.system, arrival.battle, arrival.ship)
        for arrival in arrivals_of_side
    }
    after = {ship.id: _list_cells(names.system, now, ship) for ship in ships}
    changed_columns = [
        column
        for column in names.system.columns
        if any(cells.get(column.name) != after[ship].get(column.name) for ship, cells in before.items())
    ]
    changed_ships = [ship for ship in ships if before[ship.id] != after[ship.id] or not ship.afloat]
    unchanged_names = [ship.name for ship in ships if ship not in changed_ships]
    rows = []
    for ship in changed_ships:
        pairs = ((before[ship.id][column.name], after[ship.id][column.name]) for column in changed_columns)
        cells = (new if old == new else f"{old or '–'} → {new or '–'}" for old, new in pairs)
        rows.append(Row((ship.name, ship.status, *cells)))
    columns = build_text_columns("ship", "is", *(column.title for column in changed_columns))
    unchanged_line = (
        (build_line(f"Unchanged: {join_some(unchanged_names, KEPT_MOST)}."),) if unchanged_names else ()
    )
    return Section(side.name, (*unchanged_line, *build_table_blocks(columns, rows)), f"ships-{side.id}")


def _list_cells(system: RuleSystem, battle: Battle, ship: Ship) -> dict[str, str]:
    """Return a ship's text in each column, by the column's name, without columns for acts of one turn."""
    return {
        column.name: "".join(span.text for span in system.cell(battle, ship, column)).strip()
        for column in system.columns
        if not column.passing
    }


def build_deeds_section(names: Names, deeds: Iterable[DamageDealt]) -> Section:
    """Build the section on which ship did what to which, the most results first.

    Damage without results is left out. Rows beyond `DEEDS_MOST` are summed up in one line.
    """
    scored = [deed for deed in deeds if deed.results]
    columns = (
        *build_text_columns("ship", "at", "what"),
        *build_number_columns("throws", "scored", "results"),
    )
    rows = (
        (
            names.format_ship(deed.ship),
            names.format_ship(deed.target),
            names.title_by_kind.get(deed.kind, deed.kind),
            str(deed.throws),
            str(deed.effective),
            str(deed.results),
        )
        for deed in scored[:DEEDS_MOST]
    )
    unlisted = scored[DEEDS_MOST:]
    results = format_count(sum(deed.results for deed in unlisted), "result")
    summary = (
        (build_line(f"{format_count(len(unlisted), 'more', 'more')}, with {results} in all."),)
        if unlisted
        else ()
    )
    return Section("Who did what to whom", (*summary, *build_table_blocks(columns, map(Row, rows))), "deeds")


def build_lengths_section(names: Names) -> Section:
    """Build the section of how long each phase took, in minutes and seconds, one row for each turn."""
    seconds_by_turn: dict[int, Counter[str]] = {}
    for length in list_phase_lengths(names.timeline):
        seconds_by_turn.setdefault(length.turn, Counter())[length.phase] += round(length.seconds)
    phases = [
        phase for phase in names.system.phases if any(turn[phase.name] for turn in seconds_by_turn.values())
    ]
    columns = (
        *build_text_columns("turn"),
        *build_number_columns(*(phase.title for phase in phases), "in all"),
    )
    rows = (
        Row(
            (
                str(turn),
                *(_format_duration(seconds_by_phase[phase.name]) for phase in phases),
                _format_duration(seconds_by_phase.total()),
            )
        )
        for turn, seconds_by_phase in seconds_by_turn.items()
        if seconds_by_phase.total()
    )
    return Section("How long it took", build_table_blocks(columns, rows), "lengths")


def _format_duration(seconds: int) -> str:
    """Format seconds as minutes and seconds; "" for 0."""
    return f"{seconds // 60}:{seconds % 60:02}" if seconds else ""


_LEFT_OUT = {
    LeftOut.JUDGED_OTHERWISE: "that today's rules judge differently from the save",
    LeftOut.TOO_MANY_DICE: "of more dice than can be worked out face by face",
    LeftOut.FORCED: "of an order that the rules could not prepare",
    LeftOut.BY_HAND: "whose results were read by hand from the umpire's own chart",
    LeftOut.READ_OUT: "with a cell that the umpire read from the printed chart",
}


def build_basis_section(names: Names, analysis: Analysis, worth: Worth) -> Section:
    """Build the section on the basis of the report: its omissions, and the meaning of worth and luck."""
    texts = [
        *_format_counted_readings(analysis),
        *_format_not_counted(names, analysis),
        *_format_players(names.timeline),
        f"What a ship is worth: {'; '.join(worth.list_parts()) or 'nothing'}.",
        *(line.text for line in build_crew_lines(names.timeline.start)),
    ]
    if analysis.throws:
        texts.append(
            "Luck is the worth that a throw gained above or below the mean of all its faces, with the rolls "
            "it led to. “Due” is the mean of the same throws at the same odds."
        )
    return Section("Basis of the report", tuple(map(build_line, texts)), "rests")


def _format_counted_readings(analysis: Analysis) -> Iterator[str]:
    """Yield sentences on readings of reconstructed chart cells, and on throws left out of luck."""
    cells = analysis.cells
    if cells.read:
        readings = format_count(cells.read, "chart reading")
        reconstructed = f"{cells.reconstructed:,}" if cells.reconstructed else "none"
        yield f"Depends on cells of ours (†): {reconstructed} of {readings}."
    for why, words in _LEFT_OUT.items():
        entries = [throw.entry for throw in analysis.throws if throw.left_out is why]
        if entries:
            count = format_count(len(entries), "throw")
            yield f"Left out of luck and of every sum: {count} {words} ({format_list(entries)})."


def _format_players(timeline: Timeline) -> Iterator[str]:
    """Yield a sentence that counts the entries in force that players proposed."""
    players = Counter(player for number in timeline.play_order if (player := timeline.log[number - 1].by))
    if players:
        counts = join_as_sentence([f"{player} {count}" for player, count in players.most_common()])
        yield f"Proposed by players and let in by the umpire: {counts} of {len(timeline.play_order)} entries."


def _format_not_counted(names: Names, analysis: Analysis) -> Iterator[str]:
    """Yield sentences on rolls and entries that are not counted, or only in part."""
    timeline = names.timeline
    owed_after = (timeline.battle_at(place).owed for place in range(1, len(timeline.play_order) + 1))
    pairs = zip(timeline.play_order, owed_after, strict=True)
    partly_priced = [
        number for number, owed in pairs if len(owed) > ROLLS_MOST and len(list_priced(owed)) < len(owed)
    ]
    if partly_priced:
        yield (
            f"Priced in part: after {format_count(len(partly_priced), 'entry', 'entries')} "
            f"({format_list(partly_priced)}) "
            f"a ship owed more than {ROLLS_MOST} rolls; worth and luck count the first {ROLLS_MOST} "
            f"(of more than {MANY} the first {ROLLS_OF_MANY_MOST}), and the others once they are thrown."
        )
    struck = [f"{names.format_side(side)} {count}" for side, count in analysis.struck_throws.items() if count]
    if struck:
        yield (
            f"Throws struck after their dice were seen: {join_as_sentence(struck)}. "
            "If they were thrown again because of their results, this luck is incomplete."
        )
    for state, words in ((State.PARKED, "parked"), (State.SPARE, "spare")):
        numbers = timeline.list_in_state(state)
        if numbers:
            count = format_count(len(numbers), f"{words} entry", f"{words} entries")
            yield f"Not counted: {count} ({format_list(numbers)})."
    if timeline.battle.doubts:
        yield f"Disputed: {format_list(timeline.battle.doubts)}."


def build_remarks(timeline: Timeline) -> Section:
    """Build the section of the umpire's remarks and of disputes."""
    texts = {number: text for number, text in list_notes(timeline, timeline.play_order) if text}
    for about, remarks in list_entry_remarks(timeline).items():
        for remark in remarks:
            # Notes are in `texts` already.
            if remark.kind is not RemarkKind.NOTED:
                texts[remark.number] = f"on {about}: {remark.words}"
    lines = tuple(build_line(text, number) for number, text in sorted(texts.items()))
    return Section("Remarks", lines, "remarks")
