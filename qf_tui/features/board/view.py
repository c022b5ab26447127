"""Decides what a viewer may know, and puts it into words: builds the pages of viewers and of ships.

Pages contain only the values that `build_view` and `build_ship_view` return. A viewer who knows the logs of
all sides knows every entry in full. Under `own-side`, a viewer knows these parts of an entry: changes in
fields that he may see, the order if it names one of his ships, and dice and reasons if his own side gave it.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from attrs import evolve

from qf_tui.core.availability import list_able_ships
from qf_tui.core.decisions import Reason, find_field_value, fold
from qf_tui.core.declarations import Available, list_losses
from qf_tui.core.errors import QfError
from qf_tui.core.odds import Sought
from qf_tui.core.revisions import Cause, ValueChange, combine_changes, list_causes, list_effect_changes
from qf_tui.core.schedule import SCHEDULE, list_newly_reached, list_standings
from qf_tui.core.system import Field, RuleSystem, find_phase
from qf_tui.core.timeline import Correction, Entry, LogAct, State, Timeline, Version, apply_ruling
from qf_tui.core.values import Battle, Order, Owed, Ship, format_dice, replace
from qf_tui.document.acts import (
    describe_effect,
    find_effect_facts,
    find_order_facts,
    find_question,
    format_change,
    format_changes,
    format_end_offer,
    list_notes,
    list_ship_names,
)
from qf_tui.document.words import (
    JOINT,
    OrderFacts,
    count_reasons,
    format_chart_cell,
    format_effect,
    format_order_or_answer,
    format_reason,
    format_reasons,
    format_state,
)
from qf_tui.features.board.page import (
    CauseView,
    EntryView,
    Head,
    LogColumn,
    LogRow,
    OwedView,
    Sealing,
    ShipView,
    SideLogs,
    View,
)
from qf_tui.features.board.values import (
    ALL,
    BoardSwitch,
    Needs,
    ViewerBattle,
    build_viewer_battle,
    is_hidden,
    list_effects,
    read_address,
)
from qf_tui.features.points.document import list_viewer_texts
from qf_tui.features.points.sums import compute_sums, list_rules
from qf_tui.features.sealed_dice.seal import find_reveal
from qf_tui.session.session import list_needed_throws

NOT_SEALED = Sealing()
CORRECTED, DISPUTED, TAKEN_BACK = "corrected", "disputed", "taken back"
"""Later fates of an entry."""
FORCED = "forced"
"""Text for a forced entry whose order has no words."""
REMARKS_MOST = 12
"""Largest number of remarks shown; the latest are shown."""


def build_view(
    system: RuleSystem,
    timeline: Timeline,
    viewer: str,
    switch: BoardSwitch,
    sealing: Sealing = NOT_SEALED,
    needs_cache: Needs | None = None,
) -> View:
    """Build the page of a viewer.

    Two battles that differ only in facts unknown to the viewer give equal pages.

    Args:
        timeline: Timeline of the whole battle.
        viewer: Id of a side, or `ALL`.
        switch: Position of the umpire's switch.
        sealing: Sealed dice at the start of the battle; once the seed is revealed, no call throws them.
        needs_cache: Cache of the faces that owed rolls need, shared by the viewers of the battle.
    """
    known = build_viewer_battle(system, timeline, viewer, switch, needs_cache)
    battle = known.battle
    side = battle.find_side(viewer)
    entries = list_known_entries(known)
    phase_names = [phase.name for phase in system.phases]
    return View(
        title=str(battle.table.get("title") or system.title),
        viewer=viewer,
        name=side.name if side else "",
        switch=switch,
        as_of=system.phase_title(battle) if known.only_ended_phases else "",
        turn=battle.turn,
        phase=system.phase_title(battle),
        phases=tuple(phase.title for phase in system.phases),
        at=phase_names.index(battle.phase),
        heads=list_heads(system),
        fleets=tuple(_build_fleets(known)),
        owed=tuple(_list_owed(known)),
        last=find_last_entry(known, entries),
        tellings=entries,
        remarks=_list_remarks(known),
        standings=(*list_standings(battle), *_list_points(known)),
        ended=format_end_offer(system, battle),
        report=_has_report(known),
        sealing=evolve(sealing, calls=sealing.calls and not is_seed_known(known)),
    )


def _list_points(known: ViewerBattle) -> Iterator[str]:
    """Yield the victory points of each side, as far as the viewer may know them."""
    sums = compute_sums(known.system, known.timeline, list_rules(known.battle), known.is_field_known)
    return list_viewer_texts(known.system, known.battle, sums)


def is_seed_known(known: ViewerBattle) -> bool:
    """Return whether a known entry reveals the seed of sealed dice.

    An entry that was taken back counts, except under `phase-end`.
    """
    acts: Iterable[LogAct] = known.timeline.log
    if known.only_ended_phases:
        acts = [act for act in acts if act.number in known.timeline.versions]
    return find_reveal(acts) is not None


def list_heads(system: RuleSystem) -> tuple[Head, ...]:
    """Return the headings of the columns of the logs."""
    return tuple(
        Head(column.name, column.title, column.help, column.rank, column.right) for column in system.columns
    )


def find_known_timeline(system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch) -> Timeline:
    """Return the part of a battle for a viewer's report.

    Raises:
        QfError: The viewer may not see a report before the end of the battle.
    """
    known = build_viewer_battle(system, timeline, viewer, switch)
    if not _has_report(known):
        raise QfError("the battle is not over: sides see its report and film afterwards")
    return known.timeline


def _has_report(known: ViewerBattle) -> bool:
    """Return whether a report may be shown: everything is known at once, or the battle is over."""
    return known.at_once or bool(format_end_offer(known.system, known.battle))


def _build_fleets(known: ViewerBattle) -> Iterator[SideLogs]:
    """Yield each side with its ships; under `phase-end`, without the orders that they may still be given."""
    battle = known.battle
    available_by_ship = (
        {available.ship: available for available in list_able_ships(known.system, battle)}
        if not known.only_ended_phases
        else {}
    )
    for side in battle.sides:
        ships = [ship for ship in battle.ships.values() if ship.side == side.id]
        rows = tuple(_build_row(known, ship, available_by_ship.get(ship.id)) for ship in ships)
        yield SideLogs(side.id, side.name, side.id == known.viewer, rows)


def _build_row(known: ViewerBattle, ship: Ship, available: Available | None) -> LogRow:
    """Build the row of a ship in the logs; if her log is not known, only what her model shows."""
    row = LogRow(
        id=ship.id,
        name=ship.name,
        status=ship.status,
        afloat=ship.afloat,
        whole=known.is_whole_known(ship),
        seen=_list_seen(known, ship),
    )
    if not row.whole:
        return row
    division = known.battle.find_division(ship)
    return evolve(
        row,
        division=division.name,
        player=division.player,
        cells=tuple(known.system.cell(known.battle, ship, column) for column in known.system.columns),
        may=(available.letters or available.what) if available else "",
        may_say=_format_options(known.system, available) if available else "",
    )


def _format_options(system: RuleSystem, available: Available) -> str:
    """Format what a ship may still do: the words of her letters.

    If a letter has no word, return the rules' own text.
    """
    words = [system.letters.get(letter, "") for letter in available.letters]
    return ", ".join(words) if words and all(words) else available.what


def _list_seen(known: ViewerBattle, ship: Ship) -> tuple[str, ...]:
    """Format what the model of a ship shows: her status if she is not afloat, and the fields marked on it."""
    fields = (_format_seen(known.battle, ship, field) for field in known.system.fields if field.seen)
    return tuple(filter(None, ("" if ship.afloat else ship.status, *fields)))


def _format_seen(battle: Battle, ship: Ship, field: Field) -> str:
    """Format what a model shows of a field, as `fires 2`; "" if there is nothing to see."""
    if field.seen_as is not None:
        return field.seen_as(battle, ship)
    value = field.convert_value(find_field_value(ship, field.name))
    if value in (None, False, 0, (), ""):
        return ""
    if isinstance(value, tuple):
        value = tuple(map(battle.called, value))
    return format_state(field.title, value)


def _list_owed(known: ViewerBattle, ship: str = "") -> Iterator[OwedView]:
    """Yield the known questions of all ships, or of one ship; scheduled ones are left out."""
    for owed in known.battle.owed_in_order:
        is_known = known.all_sides or known.is_whole_known(known.battle.ships.get(owed.ship))
        if is_known and owed.line != SCHEDULE and ship in ("", owed.ship):
            dice = format_dice(owed.dice) if owed.dice else " or ".join(owed.words)
            yield OwedView(owed.ship, owed.prompt, dice, tuple(map(str, find_needs(known, owed))))


def find_needs(known: ViewerBattle, owed: Owed) -> tuple[Sought, ...]:
    """Return the faces that an owed roll needs, or () unless everything is known at once."""
    if not known.at_once:
        return ()
    if owed.key not in known.needs_cache:
        known.needs_cache[owed.key] = list_needed_throws(known.system, known.battle, owed)
    return known.needs_cache[owed.key]


def _list_remarks(known: ViewerBattle) -> tuple[str, ...]:
    """Return the latest remarks to the viewer's side or to all sides."""
    remarks = (
        read_address(known.battle, text) for _, text in list_notes(known.timeline, known.timeline.play_order)
    )
    texts = [remark.text for remark in remarks if remark is not None and remark.side in (ALL, known.viewer)]
    return tuple(texts[-REMARKS_MOST:])


TURNS = 2
"""Number of turns whose entries are shown, ending with the present one."""


def list_known_entries(known: ViewerBattle) -> tuple[EntryView, ...]:
    """Return the known entries of the latest `TURNS` turns, in play order."""
    timeline, entries = known.timeline, []
    first = _find_turn_place(known, known.battle.turn - TURNS + 1)
    before = timeline.battle_at(first)
    for number in timeline.play_order[first:]:
        after = apply_ruling(before, number, timeline.rulings[number])
        entry = build_known_entry(known, number, before, after)
        if entry is not None:
            entries.append(entry)
        before = after
    return tuple(entries)


def _find_turn_place(known: ViewerBattle, turn: int) -> int:
    """Return the place in the play order at which a turn begins.

    It is 0 if the battle began in that turn or later, and the end of the play order if no such turn began.
    """
    order = known.timeline.play_order
    for place in reversed(range(len(order))):
        begun_phase = known.timeline.rulings[order[place]].decision.begun_phase
        if begun_phase is not None and begun_phase[0] < turn:
            # The next entry that opens a phase begins the turn.
            later = range(place + 1, len(order))
            return next((at for at in later if known.timeline.is_phase_opener(order[at])), len(order))
    return 0


def find_last_entry(known: ViewerBattle, entries: tuple[EntryView, ...]) -> EntryView | None:
    """Return the latest act that a viewer knows of, as an entry; None if there is none.

    Under `at-once`, this is the latest entry or correction. Under `own-side`, it is the last of `entries`;
    under `phase-end`, the last of them with an order, an event or a ship.
    """
    if known.only_ended_phases:
        return next(
            (entry for entry in reversed(entries) if entry.order or entry.events or entry.ships), None
        )
    if not known.at_once:
        return entries[-1] if entries else None
    by_number = {entry.number: entry for entry in entries}
    for act in reversed(known.timeline.log):
        if isinstance(act, Correction):
            correction = _build_correction(known, act, by_number)
            if correction is not None:
                return correction
        elif known.timeline.is_in_force(act.number) and not _is_hidden_entry(known, act.number):
            # None if the entry is older than the turns shown, parked or spare.
            return by_number.get(act.number)
    return None


def _build_correction(
    known: ViewerBattle, act: Correction, entries: dict[int, EntryView]
) -> EntryView | None:
    """Return the first entry that a correction changed or took back; its note counts the other targets.

    An entry that was taken back alone is struck out. `entries` are the entries shown, by number.

    Returns:
        The entry, or None if the correction is not in force or its entry is not shown.
    """
    timeline = known.timeline
    targets = [number for number in act.targets if not _is_hidden_entry(known, number)]
    changed_number = next(
        (number for number in targets if isinstance(timeline.find_act(number), Entry)), None
    )
    if changed_number is None or not timeline.is_in_force(act.number):
        return None
    shown_entry = entries.get(changed_number)
    others = f", and {len(targets) - 1} more" if len(targets) > 1 else ""
    if shown_entry is not None:
        return evolve(shown_entry, note=f"{CORRECTED}{others}")
    if timeline.is_in_force(changed_number):
        return None
    # An entry that was taken back is no longer listed, so only its order is shown.
    facts = _find_order_facts(timeline, changed_number)
    reasons = timeline.rulings[changed_number].decision.reasons
    entry = _add_order(_build_entry_at(known, known.battle), facts, reasons)
    return evolve(
        entry,
        order=entry.order or entry.why,
        why="",
        note=f"{TAKEN_BACK}{others}",
        struck=not others,
        number=changed_number,
    )


def _is_hidden_entry(known: ViewerBattle, number: int) -> bool:
    """Return whether an entry, such as a remark, is left out of the list of entries."""
    version = known.timeline.versions.get(number)
    return version is not None and is_hidden(version)


def build_known_entry(known: ViewerBattle, number: int, before: Battle, after: Battle) -> EntryView | None:
    """Return what a viewer knows of an entry; None if he knows nothing, or it is hidden or not in force."""
    timeline = known.timeline
    order = timeline.versions[number].order
    if timeline.rulings[number].state is not State.STANDS or _is_hidden_entry(known, number):
        return None
    owed = find_question(timeline, number, order.key) if order.is_answer else None
    if order.is_phase_end:
        return _build_phase_end(known, number, before, after)
    if known.all_sides:
        return build_whole_entry(known, number, before, owed)
    entry = _build_partial_entry(known, number, before, after, owed)
    return entry if entry.events or entry.text or entry.order else None


def _build_entry_at(known: ViewerBattle, battle: Battle) -> EntryView:
    """Build an empty entry with the turn and phase of a battle."""
    return EntryView(turn=battle.turn, phase=find_phase(known.system, battle.phase).title)


def _add_order(entry: EntryView, facts: OrderFacts, reasons: tuple[Reason, ...] = ()) -> EntryView:
    """Add the order, its dice and the reasons to an entry.

    If the reasons describe an order without a sentence (`says`), such as a move, its text is "forced" or "".
    """
    order = facts.order
    text = FORCED if order.forced else ""
    has_own_text = order.form.says or order.is_answer or order.dice
    if has_own_text or not reasons:
        text = format_order_or_answer(facts)
    call = f"{order.call:02}" if order.call is not None else ""
    why = format_reasons(reason for reason in reasons if not reason.is_question)
    return evolve(entry, order=text, dice=order.dice, call=call, why=why)


def _build_phase_end(known: ViewerBattle, number: int, before: Battle, after: Battle) -> EntryView:
    """Return the entry of a phase end: the phase if one begins, the events, and changes that models show."""
    opens_phase = known.timeline.is_phase_opener(number)
    events = _list_known_events(known, before, after)
    seen_changes = [
        change for change in _list_known_changes(known, number, before) if change.field in known.seen
    ]
    entry = _build_entry_at(known, after)
    phase_text = f"turn {entry.turn}, {entry.phase}" if opens_phase else ""
    text = JOINT.join(filter(None, (phase_text, _format_changes(known, after, seen_changes, events))))
    return evolve(entry, events=events, text=text, number=number if known.at_once else 0)


def _format_changes(
    known: ViewerBattle, battle: Battle, changes: list[ValueChange], events: tuple[str, ...]
) -> str:
    """Format changes. If there are events, changes of status are left out, because the events state them."""
    others = (change for change in changes if not (events and change.field == "status"))
    return format_changes(known.system, battle, others, known_ship="")


def build_whole_entry(known: ViewerBattle, number: int, before: Battle, owed: Owed | None) -> EntryView:
    """Return an entry with all its effects; its number is 0 unless everything is known at once."""
    timeline = known.timeline
    effect = describe_effect(known.system, timeline, number)
    ships, acting_count = _find_named_ships(before, timeline.versions[number].order, owed)
    reasons = timeline.rulings[number].decision.reasons
    return evolve(
        _add_order(_build_entry_at(known, before), _find_order_facts(timeline, number), reasons),
        events=tuple(event.text for event in effect.events),
        text=JOINT.join(effect.parts),
        ships=ships,
        acting=acting_count,
        note=_format_note(known, number),
        number=number if known.at_once else 0,
        by=timeline.log[number - 1].by,
    )


def _format_note(known: ViewerBattle, number: int) -> str:
    """Return the note on an entry: `disputed`, `corrected`, or "" if it is neither."""
    timeline = known.timeline
    if number in known.battle.doubts:
        return DISPUTED
    entry = timeline.log[number - 1]
    first_ruling = entry.rulings.get(number)
    is_unchanged = entry.version is timeline.versions[number] and first_ruling == timeline.rulings[number]
    return "" if is_unchanged else CORRECTED


def _build_partial_entry(
    known: ViewerBattle, number: int, before: Battle, after: Battle, owed: Owed | None
) -> EntryView:
    """Return the part of an entry for a viewer who does not know all logs."""
    timeline, version = known.timeline, known.timeline.versions[number]
    ships, acting_count = _find_named_ships(before, version.order, owed)
    changes = _list_known_changes(known, number, before)
    events = _list_known_events(known, before, after)
    joins = (f"{ship.name} joins" for id, ship in after.ships.items() if id not in before.ships)
    text = JOINT.join(filter(None, (*joins, _format_changes(known, after, changes, events))))
    entry = evolve(_build_entry_at(known, before), events=events, text=text)
    # The first ship is one that gives the order.
    is_own = bool(ships) and known.is_whole_known(before.ships[ships[0]])
    if not is_own and not _is_announced_to(known, before, ships):
        # The viewer does not know the order, only its changes.
        changed_ships = (change.ship for change in changes if not (events and change.field == "status"))
        return evolve(entry, ships=tuple(dict.fromkeys(changed_ships)))
    entry = evolve(entry, ships=ships, acting=acting_count)
    if not is_own:
        return _add_announced_order(entry, before, version, owed)
    facts = _find_order_facts(timeline, number)
    if not _can_read_reasons(known, before, ships):
        return _add_order(entry, facts)
    entry = _add_order(entry, facts, timeline.rulings[number].decision.reasons)
    if not text and not events:
        # Without known changes, show what else the entry did, or its reasons.
        _, effect_facts = find_effect_facts(known.system, timeline, number)
        why = "" if entry.order else entry.why
        text = format_effect(evolve(effect_facts, changes=())).lead or why
    return evolve(entry, text=text, by=timeline.log[number - 1].by)


def _add_announced_order(entry: EntryView, before: Battle, version: Version, owed: Owed | None) -> EntryView:
    """Add to an entry an enemy's announced order, without its dice and reasons.

    Everyone at the table sees the call thrown, but not the dice that it gives.
    """
    order = owed.order if owed and owed.order else version.order
    announced = replace(order.without_dice, call=version.call)
    return _add_order(entry, OrderFacts(announced, list_ship_names(before, order)))


def _can_read_reasons(known: ViewerBattle, before: Battle, ships: tuple[str, ...]) -> bool:
    """Return whether the viewer may read the reasons of an order that names these ships."""
    return known.all_sides or (bool(ships) and all(known.is_whole_known(before.ships[id]) for id in ships))


def _find_order_facts(timeline: Timeline, number: int) -> OrderFacts:
    """Return the facts of an order for pages; an answer loses its key, which has the number of an entry."""
    order = timeline.versions[number].order
    slots = {name: value for name, value in order.slots.items() if not (order.is_answer and name == "key")}
    return evolve(find_order_facts(timeline, number, order), order=replace(order, slots=slots))


def _find_named_ships(battle: Battle, order: Order, owed: Owed | None) -> tuple[tuple[str, ...], int]:
    """Return the ships of an order, those that give the order first, and the number of these.

    An answer names the ships of the order that its question asks about, or else the ship that owed it.
    """
    if owed is not None and owed.order is None:
        return ((owed.ship,), 1) if owed.ship in battle.ships else ((), 0)
    naming_order = owed.order if owed and owed.order else order
    ships_by_slot = [
        [id for id in naming_order.list_texts(slot.name) if id in battle.ships]
        for slot in naming_order.form.slots
        if slot.kind.holds_ships
    ]
    # The first of these slots holds the ships that give the order.
    acting_count = len(set(ships_by_slot[0])) if ships_by_slot else 0
    return tuple(dict.fromkeys(chain(*ships_by_slot))), acting_count


def _is_announced_to(known: ViewerBattle, battle: Battle, ships: tuple[str, ...]) -> bool:
    """Return whether an order was announced to the viewer: it names a ship of his side.

    For the link for all, it must name ships of every side.
    """
    sides = {battle.ships[id].side for id in ships}
    if known.viewer == ALL:
        return len(ships) > 1 and sides == {side.id for side in battle.sides}
    return known.viewer in sides


def _list_known_changes(known: ViewerBattle, number: int, before: Battle) -> list[ValueChange]:
    """Return the changes that an entry made in fields that the viewer knows."""
    return filter_known(
        known, before, list_effect_changes(known.system, before, list_effects(known.timeline, number))
    )


def filter_known(known: ViewerBattle, before: Battle, changes: Iterable[ValueChange]) -> list[ValueChange]:
    """Return the changes in known fields, combined so that each field has one, from first to last value.

    Under `own-side` they are sorted by ship and field, because their real order reveals the dice.
    """
    known_changes = [
        change
        for change in combine_changes(changes)
        if known.is_field_known(before.ships.get(change.ship), change.field)
    ]
    if known.all_sides:
        return known_changes
    ships, fields = list(before.ships), [field.name for field in known.system.fields]
    return sorted(known_changes, key=lambda change: (ships.index(change.ship), fields.index(change.field)))


def _list_known_events(known: ViewerBattle, before: Battle, after: Battle) -> tuple[str, ...]:
    """Return the texts of known events.

    These are losses, steps to victory, and other events of ships whose log is known.
    """
    events = known.system.events(before, after)
    known_events = [
        event for event in events if not event.lost and known.is_whole_known(after.ships.get(event.ship))
    ]
    return tuple(
        event.text
        for event in (*list_losses(before, after), *known_events, *list_newly_reached(before, after))
    )


def build_ship_view(
    system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch, id: str
) -> ShipView | None:
    """Build the page of a ship, or return None if she is not in the battle that the viewer knows.

    If he does not know her log, the page has only what her model shows.
    """
    known = build_viewer_battle(system, timeline, viewer, switch)
    ship = known.battle.ships.get(id)
    if ship is None:
        return None
    side = known.battle.find_side_name(ship.side)
    page = ShipView(id=id, name=ship.name, side=side, status=ship.status)
    if not known.is_whole_known(ship):
        return evolve(page, seen=_list_seen(known, ship))
    division = known.battle.find_division(ship)
    return evolve(
        page,
        division=division.name,
        player=division.player,
        whole=True,
        sheet=tuple(system.sheet(known.battle, ship)),
        boxes=tuple(_build_log_columns(known, ship)),
        owed=tuple(_list_owed(known, id)),
    )


def _build_log_columns(known: ViewerBattle, ship: Ship) -> Iterator[LogColumn]:
    """Yield the columns of a ship's log, each with the entries that changed it."""
    columns = [
        (column, list_causes(known.system, known.timeline, ship, column)) for column in known.system.columns
    ]
    cause_by_number = {cause.number: cause for _, column_causes in columns for cause in column_causes}
    # In play order, because the timeline then builds each battle for `_build_cause` from the one before.
    in_order = (number for number in known.timeline.play_order if number in cause_by_number)
    known_causes = {number: _build_cause(known, cause_by_number[number]) for number in in_order}
    for column, column_causes in columns:
        causes = (
            evolve(known_causes[cause.number], changes=tuple(_list_changes(known, ship, cause)))
            for cause in column_causes
        )
        cell = known.system.cell(known.battle, ship, column)
        yield LogColumn(column.title, column.help, cell, tuple(causes))


def _build_cause(known: ViewerBattle, cause: Cause) -> CauseView:
    """Build what the viewer may know of an entry that changed a box; the caller adds the changes."""
    after = fold(cause.before, cause.ruling.decision.effects, cause.number)
    entry = build_known_entry(known, cause.number, cause.before, after)
    order = known.timeline.versions[cause.number].order
    owed = find_question(known.timeline, cause.number, order.key) if order.is_answer else None
    ships, _ = _find_named_ships(cause.before, order, owed)
    can_read_reasons = known.all_sides or (
        entry is not None and _can_read_reasons(known, cause.before, ships)
    )
    reasons = cause.ruling.decision.reasons if can_read_reasons else ()
    clauses = dict.fromkeys(reason.clause for reason in reasons if reason.clause)
    return CauseView(
        turn=cause.before.turn,
        phase=find_phase(known.system, cause.before.phase).title,
        order=entry.order if entry else "",
        dice=entry.dice if entry else (),
        call=entry.call if entry else "",
        reasons=tuple(
            JOINT.join(filter(None, (f"{format_reason(reason)}{times}", format_chart_cell(reason))))
            for reason, times in count_reasons(reasons)
        ),
        clauses=tuple((clause, known.system.clauses.get(clause, "")) for clause in clauses),
        number=cause.number if known.at_once else 0,
    )


def _list_changes(known: ViewerBattle, ship: Ship, cause: Cause) -> Iterator[str]:
    """Yield the known changes that an entry made in a box, as `heavy ROF: 6 → 5`; other ships are named."""
    for change in filter_known(known, cause.before, cause.changes):
        name = "" if change.ship == ship.id else f"{cause.before.ships[change.ship].name}, "
        yield f"{name}{format_change(known.system, change, ': ')}"
