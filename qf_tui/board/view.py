"""`view` and `ship_view`: the projections that decide what a viewer may know; pages are made of them alone.

With the logs of all sides each entry is known whole. Under `own-side` it is known by what it changed on ships
whose fields are known, its order by who named a ship of the viewer's, its dice and reasons to their own side.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from attrs import evolve, frozen

from qf_tui.board.values import ALL, BoardSwitch, KnownBattle, effects_of, is_unheard, known_to, opens_phase
from qf_tui.core.availability import who_may_act
from qf_tui.core.decisions import Op, fold
from qf_tui.core.declarations import losses
from qf_tui.core.errors import QfError
from qf_tui.core.revisions import ValueChange
from qf_tui.core.schedule import SCHEDULE, newly_reached, standings
from qf_tui.core.system import Available, RuleSystem, find_phase
from qf_tui.core.timeline import Correction, Entry, State, Timeline, apply
from qf_tui.core.values import Battle, Order, Owed, Ship, dice_code
from qf_tui.document.acts import (
    addressed,
    asked,
    asked_or_ordered,
    changed_text,
    chart_text,
    each_once,
    effect_of,
    ended_text,
    notes,
    order_words,
    reason_text,
    reasons_text,
    turn_text,
)
from qf_tui.document.glance import may_text, seen_text
from qf_tui.document.transcript import change_beside
from qf_tui.document.viewer import (
    FORCED,
    EntryState,
    Head,
    KnownCause,
    KnownEntry,
    KnownReason,
    LogCell,
    LogRow,
    Owing,
    Sealing,
    ShipView,
    SideLogs,
    View,
    ViewerKnowledge,
    because,
    view_of,
)
from qf_tui.session.changes import Cause, causes, effect_changes, net
from qf_tui.session.dice import revealed_by
from qf_tui.session.session import to_throw

NOT_SEALED = Sealing()
REMARKS_MOST = 12
"""Remarks that are shown, the latest."""


def view(
    system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch, sealing: Sealing = NOT_SEALED
) -> View:
    """All that a viewer may know: `viewer` is the id of a side or `ALL`.

    `sealing` are the sealed dice as the battle began with them; once the seed is revealed no call throws.

    Two battles that differ only in what the viewer may not know have equal views.
    """
    return view_of(_knowledge(known_to(system, timeline, viewer, switch), sealing))


def _knowledge(known: KnownBattle, sealing: Sealing) -> ViewerKnowledge:
    """What a viewer may know, as values that hold no battle."""
    system, battle = known.system, known.battle
    side = battle.side(known.viewer)
    entries = known_entries(known)
    names = [phase.name for phase in system.phases]
    return ViewerKnowledge(
        title=str(battle.table.get("title") or system.title),
        viewer=known.viewer,
        name=side.name if side else "",
        switch=known.switch,
        as_of=system.phase_title(battle) if known.ended else "",
        turn=battle.turn,
        phase=system.phase_title(battle),
        phases=tuple(phase.title for phase in system.phases),
        at=names.index(battle.phase),
        heads=tuple(Head(one.name, one.title, one.help, one.rank, one.right) for one in system.columns),
        fleets=tuple(_fleets(known)),
        owed=tuple(owing(known, one) for one in battle.owed if knows_owed(known, one)),
        last=last_entry(known, entries),
        entries=entries,
        remarks=_remarks(known),
        standings=standings(battle),
        ended=ended_text(system, battle),
        report=_has_report(known),
        sealing=evolve(sealing, calls=sealing.calls and not _revealed(known)),
    )


def known_timeline(system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch) -> Timeline:
    """The battle that a viewer's report is made of: what he may know of it.

    QfError while he has no report: there is one while all is shown at once, and once the battle is over.
    """
    known = known_to(system, timeline, viewer, switch)
    if not _has_report(known):
        raise QfError("there is a report once the battle is over")
    return known.timeline


def _has_report(known: KnownBattle) -> bool:
    return known.at_once or bool(ended_text(known.system, known.battle))


def _revealed(known: KnownBattle) -> bool:
    """Whether the seed is known to have been revealed, by an entry in force or not."""
    acts = known.timeline.log
    return (
        revealed_by(act for act in acts if not known.ended or act.number in known.timeline.versions)
        is not None
    )


def _fleets(known: KnownBattle) -> Iterator[SideLogs]:
    battle = known.battle
    may = {one.ship: one for one in who_may_act(known.system, battle)} if not known.ended else {}
    for side in battle.sides:
        ships = [ship for ship in battle.ships.values() if ship.side == side.id]
        rows = tuple(_row(known, ship, may.get(ship.id)) for ship in ships)
        yield SideLogs(side.id, side.name, side.id == known.viewer, rows)


def _row(known: KnownBattle, ship: Ship, may: Available | None) -> LogRow:
    seen = seen_of(known, ship)
    if not known.whole(ship):
        return LogRow(ship.id, ship.name, "", "", ship.status, ship.afloat, whole=False, seen=seen)
    division, player = division_of(known.battle, ship)
    return LogRow(
        ship.id,
        ship.name,
        division,
        player,
        ship.status,
        ship.afloat,
        whole=True,
        cells=tuple(known.system.cell(known.battle, ship, column) for column in known.system.columns),
        seen=seen,
        may=(may.letters or may.what) if may else "",
        may_say=may_text(known.system, may) if may else "",
    )


def division_of(battle: Battle, ship: Ship) -> tuple[str, str]:
    """The name of a ship's division, and who plays it."""
    side = battle.side(ship.side)
    found = next((one for one in (side.divisions if side else ()) if one.id == ship.division), None)
    return (found.name, found.player) if found else ("", "")


def seen_of(known: KnownBattle, ship: Ship) -> tuple[str, ...]:
    """What the model of a ship shows, in words: `fires 2`, `direction hits 45 left`."""
    texts = (seen_text(known.battle, ship, field) for field in known.system.fields if field.seen)
    return (*(() if ship.afloat else (ship.status,)), *(text for text in texts if text))


def knows_owed(known: KnownBattle, owed: Owed) -> bool:
    """Whether a viewer knows of what is owed; what the schedule brings is known as it comes."""
    if owed.line == SCHEDULE:
        return False
    return known.all_sides or known.whole(known.battle.ships.get(owed.ship))


def owing(known: KnownBattle, owed: Owed) -> Owing:
    """What is owed; what its dice need is known where the logs of all sides are."""
    needs = to_throw(known.system, known.battle, owed) if known.at_once else ()
    dice = dice_code(owed.dice) if owed.dice else " or ".join(owed.words)
    return Owing(owed.ship, owed.prompt, dice, tuple(map(str, needs)))


def _remarks(known: KnownBattle) -> tuple[str, ...]:
    """The remarks that name the viewer or all; any other is the umpire's own."""
    found = (addressed(known.battle, text) for _, text in notes(known.timeline, known.timeline.play_order))
    own = [one.text for one in found if one is not None and one.side in (ALL, known.viewer)]
    return tuple(own[-REMARKS_MOST:])


TURNS = 2
"""Turns of which entries are shown: the present one and those before."""


def known_entries(known: KnownBattle) -> tuple[KnownEntry, ...]:
    """The entries of this turn and the one before that a viewer knows anything of, in the order of play."""
    timeline, found = known.timeline, []
    first = _first_of_turn(known, known.battle.turn - TURNS + 1)
    before = timeline.battle_at(first)
    for number in timeline.play_order[first:]:
        after = apply(before, number, timeline.rulings[number])
        entry = known_entry(known, number, before, after)
        if entry is not None:
            found.append(entry)
        before = after
    return tuple(found)


def _first_of_turn(known: KnownBattle, turn: int) -> int:
    """The place behind the entry that began a turn; 0 where the battle began in it or later."""
    order = known.timeline.play_order
    for at in reversed(range(len(order))):
        for effect in effects_of(known.timeline, order[at]):
            if effect.op is Op.PHASE and isinstance(effect.value, tuple) and effect.value[0] < turn:
                return _opening_behind(known, at + 1)
    return 0


def _opening_behind(known: KnownBattle, place: int) -> int:
    """The place of the next entry that opens a phase, which is the first of its turn."""
    order = known.timeline.play_order
    opening = (at for at in range(place, len(order)) if opens_phase(known.timeline, order[at]))
    return next(opening, len(order))


def last_entry(known: KnownBattle, entries: tuple[KnownEntry, ...]) -> KnownEntry | None:
    """The latest act that a viewer knows of; where all is known at once, a correction is one.

    Of a phase that has ended it is the last that was done in it.
    """
    if known.ended:
        return next((one for one in reversed(entries) if one.order or one.events or one.ships), None)
    if not known.at_once:
        return entries[-1] if entries else None
    by_number = {entry.number: entry for entry in entries}
    for act in reversed(known.timeline.log):
        found = by_number.get(act.number) if isinstance(act, Entry) else _correction(known, act, by_number)
        if found is not None:
            return found
        if isinstance(act, Entry) and known.timeline.counts(act.number) and not _private(known, act.number):
            return None
    return None


def _correction(known: KnownBattle, act: Correction, entries: dict[int, KnownEntry]) -> KnownEntry | None:
    """What became of the entry that a correction is about, and how many more there are."""
    timeline = known.timeline
    targets = [number for number in act.targets if not _private(known, number)]
    about = next((number for number in targets if isinstance(timeline.act(number), Entry)), None)
    if about is None or not timeline.counts(act.number):
        return None
    now, others = entries.get(about), len(targets) - 1
    if now is not None:
        return evolve(now, state=EntryState.CORRECTED, others=others)
    if timeline.counts(about):
        return None
    return KnownEntry(
        turn=known.battle.turn,
        phase=known.system.phase_title(known.battle),
        order=_words(timeline, about) or _reasons(timeline, about),
        dice=timeline.versions[about].dice,
        call=_call(timeline, about),
        state=EntryState.STRUCK,
        others=others,
        number=about,
    )


def _private(known: KnownBattle, number: int) -> bool:
    """Whether an act is no entry for a page, as a remark, which those whom it names read elsewhere."""
    version = known.timeline.versions.get(number)
    return version is not None and is_unheard(version)


def known_entry(known: KnownBattle, number: int, before: Battle, after: Battle) -> KnownEntry | None:
    """One entry of the timeline as far as a viewer knows it; None where it knows nothing of it."""
    timeline = known.timeline
    order = timeline.versions[number].order
    if timeline.rulings[number].state is not State.STANDS or _private(known, number):
        return None
    owed = asked(timeline, number, order.key) if order.is_answer else None
    if order.is_phase_end:
        return _phase_end(known, number, before, after)
    if known.all_sides:
        return _whole(known, number, before, owed)
    entry = _in_part(known, number, before, after, owed)
    return None if entry.says_nothing else entry


def _at(known: KnownBattle, battle: Battle) -> KnownEntry:
    return KnownEntry(turn=battle.turn, phase=find_phase(known.system, battle.phase).title)


def _phase_end(known: KnownBattle, number: int, before: Battle, after: Battle) -> KnownEntry:
    """The end of a phase: which one begins, and what that changed on models; not what the schedule asks."""
    opens = opens_phase(known.timeline, number)
    events = _known_events(known, before, after)
    seen = [one for one in _known_changes(known, number, before) if one.field in known.seen]
    return evolve(
        _at(known, after),
        events=events,
        begins=turn_text(known.system, after.turn, after.phase) if opens else "",
        results=(changed_text(known.system, after, _but_events(seen, events), ""),),
        number=number if known.at_once else 0,
    )


def _but_events(changes: list[ValueChange], events: tuple[str, ...]) -> list[ValueChange]:
    """Changes without what became of ships, where events have it."""
    return [one for one in changes if not (events and one.field == "status")]


def _whole(known: KnownBattle, number: int, before: Battle, owed: Owed | None) -> KnownEntry:
    """An entry with all that it did."""
    effect = effect_of(known.system, known.timeline, number)
    named = _named(before, known.timeline.versions[number].order, owed)
    return evolve(
        _at(known, before),
        events=tuple(event.text for event in effect.events),
        results=effect.parts,
        order=_words(known.timeline, number),
        dice=effect.dice,
        call=_call(known.timeline, number),
        why=effect.why,
        ships=named.ships,
        acting=named.acting,
        state=_state(known, number),
        number=number if known.at_once else 0,
    )


def _state(known: KnownBattle, number: int) -> EntryState:
    """Whether an entry is disputed, or another than it was when it was entered."""
    timeline = known.timeline
    if number in known.battle.doubts:
        return EntryState.DISPUTED
    entry = timeline.log[number - 1]
    was = entry.rulings.get(number)
    same = entry.version is timeline.versions[number] and was == timeline.rulings[number]
    return EntryState.AS_ENTERED if same else EntryState.CORRECTED


def _in_part(known: KnownBattle, number: int, before: Battle, after: Battle, owed: Owed | None) -> KnownEntry:
    """An entry by what of it may be known to one side, or to all sides."""
    version = known.timeline.versions[number]
    named = _named(before, version.order, owed)
    ships = named.ships
    own = bool(ships) and known.whole(before.ships[ships[0]])
    changes = _known_changes(known, number, before)
    events = _known_events(known, before, after)
    changes = _but_events(changes, events)
    entry = evolve(
        _at(known, before),
        events=events,
        joins=tuple(ship.name for id, ship in after.ships.items() if id not in before.ships),
        results=(changed_text(known.system, after, changes, ""),),
    )
    if own:
        whole = all(known.whole(before.ships[id]) for id in ships)
        why = _reasons(known.timeline, number) if whole else ""
        order = (
            _words(known.timeline, number)
            if whole
            else asked_or_ordered(known.timeline, number, known.timeline.versions[number].order)
        )
        lead = effect_of(known.system, known.timeline, number).lead if whole and not events else ""
        return evolve(
            entry,
            otherwise=lead or ("" if order or events else why),
            order=order,
            dice=version.dice,
            call=_call(known.timeline, number),
            why=why,
            ships=ships,
            acting=named.acting,
        )
    if _named_to(known, before, ships):
        declared = owed.order if owed and owed.order else version.order
        return evolve(entry, order=order_words(before, declared.bare), ships=ships, acting=named.acting)
    return evolve(entry, ships=tuple(dict.fromkeys(one.ship for one in changes)))


@frozen
class _Named:
    """The ships that an order is about, of which the first so many do it."""

    ships: tuple[str, ...] = ()
    acting: int = 0


def _named(battle: Battle, order: Order, owed: Owed | None) -> _Named:
    """The ships that an order is about; of an answer those of what was owed."""
    if owed is not None and owed.order is None:
        return _Named((owed.ship,), 1) if owed.ship in battle.ships else _Named()
    order = owed.order if owed is not None and owed.order is not None else order
    slots = [slot for slot in order.form.slots if slot.kind.holds_ships]
    names = [[name for name in order.many(slot.name) if name in battle.ships] for slot in slots]
    return _Named(tuple(dict.fromkeys(chain(*names))), len(set(names[0])) if names else 0)


def _named_to(known: KnownBattle, battle: Battle, ships: tuple[str, ...]) -> bool:
    """Whether an order was given before the viewer's eyes: it names a ship of his, or of every side."""
    sides = {battle.ships[id].side for id in ships}
    if known.viewer == ALL:
        return len(ships) > 1 and sides == {side.id for side in battle.sides}
    return known.viewer in sides


def _known_changes(known: KnownBattle, number: int, before: Battle) -> list[ValueChange]:
    """What an entry changed in fields that are known."""
    return known_of(
        known, before, effect_changes(known.system, before, effects_of(known.timeline, number), number)
    )


def known_of(known: KnownBattle, before: Battle, changes: Iterable[ValueChange]) -> list[ValueChange]:
    """What is known of some changes, each value once, from first to last.

    Under `own-side` they stand in the order of ships and fields: that in which they happened tells the dice.
    """
    seen = [one for one in net(changes) if known.shows(before.ships.get(one.ship), one.field)]
    if known.all_sides:
        return seen
    ships, fields = list(before.ships), [field.name for field in known.system.fields]
    return sorted(seen, key=lambda one: (ships.index(one.ship), fields.index(one.field)))


def _known_events(known: KnownBattle, before: Battle, after: Battle) -> tuple[str, ...]:
    """What became of ships, whatever else befell those that are known whole, and victory."""
    every = known.system.events(before, after)
    own = [event for event in every if not event.lost and known.whole(after.ships.get(event.ship))]
    return tuple(event.text for event in (*losses(before, after), *own, *newly_reached(before, after)))


def _words(timeline: Timeline, number: int) -> str:
    """An order in words; "" for one that has no sentence, as a move: its reasons say what was done."""
    version = timeline.versions[number]
    if version.order.form.says or version.order.is_answer or version.dice or not _reasons(timeline, number):
        return asked_or_ordered(timeline, number, timeline.versions[number].order)
    return FORCED if version.order.forced else ""


def _call(timeline: Timeline, number: int) -> str:
    """The number that was called for an entry's dice, "" where they were thrown by hand."""
    call = timeline.versions[number].order.call
    return "" if call is None else str(call)


def _reasons(timeline: Timeline, number: int) -> str:
    decision = timeline.rulings[number].decision
    return reasons_text(decision.reasons)


def ship_view(
    system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch, id: str
) -> ShipView | None:
    """A ship as far as a viewer may know her, None where no such ship is in the battle that he knows."""
    known = known_to(system, timeline, viewer, switch)
    ship = known.battle.ships.get(id)
    if ship is None:
        return None
    side = known.battle.side(ship.side)
    seen = ShipView(ship.id, ship.name, side.name if side else ship.side, "", "", ship.status, False)
    if not known.whole(ship):
        return evolve(seen, seen=seen_of(known, ship))
    division, player = division_of(known.battle, ship)
    return evolve(
        seen,
        division=division,
        player=player,
        whole=True,
        sheet=tuple(system.sheet(known.battle, ship)),
        boxes=tuple(_boxes(known, ship)),
        owed=tuple(
            owing(known, one) for one in known.battle.owed if one.ship == id and knows_owed(known, one)
        ),
    )


def _boxes(known: KnownBattle, ship: Ship) -> Iterator[LogCell]:
    columns = [
        (column, causes(known.system, known.timeline, ship, column)) for column in known.system.columns
    ]
    every = {cause.number: cause for _, found in columns for cause in found}
    # In the order of play each battle is folded from the one before.
    in_order = (number for number in known.timeline.play_order if number in every)
    known_causes = {number: _cause(known, every[number]) for number in in_order}
    for column, found in columns:
        cell = known.system.cell(known.battle, ship, column)
        whys = (
            evolve(known_causes[cause.number], changes=tuple(_changes(known, ship, cause))) for cause in found
        )
        yield LogCell(column.title, column.help, cell, tuple(map(because, whys)))


def _cause(known: KnownBattle, cause: Cause) -> KnownCause:
    """An entry as the viewer knows it, with the reasons where he knows them, yet without changes."""
    after = fold(cause.before, cause.ruling.decision.effects, cause.number)
    entry = known_entry(known, cause.number, cause.before, after)
    whole = known.all_sides or bool(entry and entry.why)
    reasons = cause.ruling.decision.reasons if whole else ()
    clauses = dict.fromkeys(reason.clause for reason in reasons if reason.clause)
    return KnownCause(
        turn=cause.before.turn,
        phase=find_phase(known.system, cause.before.phase).title,
        entry=entry,
        changes=(),
        reasons=tuple(
            KnownReason(reason_text(reason), times, chart_text(reason))
            for reason, times in each_once(reasons)
        ),
        clauses=tuple((clause, known.system.clauses.get(clause, "")) for clause in clauses),
        number=cause.number if known.at_once else 0,
    )


def _changes(known: KnownBattle, ship: Ship, cause: Cause) -> Iterator[str]:
    for change in known_of(known, cause.before, cause.changes):
        yield change_beside(known.system, cause.before, ship, change)
