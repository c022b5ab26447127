"""`view` and `ship_view`: the projections that decide what a viewer may know; pages are made of them alone.

A viewer who knows the logs of all sides knows every entry in full. Under `own-side` he knows what it changed
on ships whose fields he knows, the order if it names one of his ships, and dice and reasons of his own side.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from attrs import evolve

from qf_tui.board.values import (
    ALL,
    BoardSwitch,
    Needs,
    ViewerBattle,
    battle_of,
    effects_of,
    is_hidden,
)
from qf_tui.core.availability import who_may_act
from qf_tui.core.decisions import field_value, fold
from qf_tui.core.declarations import Available, losses
from qf_tui.core.errors import QfError
from qf_tui.core.odds import Needed, Outcome
from qf_tui.core.revisions import Cause, ValueChange, causes, effect_changes, net
from qf_tui.core.schedule import SCHEDULE, newly_reached, standings
from qf_tui.core.system import Field, RuleSystem, field_title, find_phase
from qf_tui.core.timeline import Correction, Entry, State, Timeline, apply
from qf_tui.core.values import Battle, Order, Owed, Ship, replace
from qf_tui.document.acts import (
    addressed,
    asked,
    effect_facts,
    ended_text,
    notes,
    order_facts,
    ship_names,
    shown_changes,
)
from qf_tui.document.viewer import (
    CauseKnowledge,
    EntryKnowledge,
    EntryState,
    Fleet,
    Head,
    LogCell,
    OwedKnowledge,
    RowKnowledge,
    Sealing,
    SeenMark,
    ShipKnowledge,
    ViewerKnowledge,
)
from qf_tui.document.words import OrderFacts, ShownChange
from qf_tui.session.dice import revealed_by
from qf_tui.session.session import to_throw

NOT_SEALED = Sealing()
REMARKS_MOST = 12
"""Remarks that are shown, the latest."""


def view(
    system: RuleSystem,
    timeline: Timeline,
    viewer: str,
    switch: BoardSwitch,
    sealing: Sealing = NOT_SEALED,
    needed: Needs | None = None,
) -> ViewerKnowledge:
    """All that a viewer may know, as values that hold no battle: `viewer` is the id of a side or `ALL`.

    `sealing` are the sealed dice as the battle began with them; once the seed is revealed no call throws.
    `needed` is kept for the other viewers of the same battle.

    Two battles that differ only in what the viewer may not know have equal views.
    """
    known = battle_of(system, timeline, viewer, switch, needed)
    battle = known.battle
    side = battle.side(viewer)
    entries = known_entries(known)
    names = [phase.name for phase in system.phases]
    return ViewerKnowledge(
        title=str(battle.table.get("title") or system.title),
        viewer=viewer,
        name=side.name if side else "",
        switch=switch,
        as_of=system.phase_title(battle) if known.ended else "",
        turn=battle.turn,
        phase=system.phase_title(battle),
        phases=tuple(phase.title for phase in system.phases),
        at=names.index(battle.phase),
        heads=heads_of(system),
        fleets=tuple(_fleets(known)),
        owed=tuple(_owed(known)),
        last=last_entry(known, entries),
        entries=entries,
        remarks=_remarks(known),
        standings=standings(battle),
        ended=ended_text(system, battle),
        report=_has_report(known),
        sealing=evolve(sealing, calls=sealing.calls and not knows_seed(known)),
    )


def knows_seed(known: ViewerBattle) -> bool:
    """Whether the seed of sealed dice is revealed, by an entry in force or not."""
    acts, versions = known.timeline.log, known.timeline.versions
    return revealed_by(act for act in acts if not known.ended or act.number in versions) is not None


def heads_of(system: RuleSystem) -> tuple[Head, ...]:
    """The columns of the logs."""
    return tuple(
        Head(column.name, column.title, column.help, column.rank, column.right) for column in system.columns
    )


def known_timeline(system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch) -> Timeline:
    """The battle that a viewer's report is made of: what he may know of it.

    QfError while he has no report: there is one while all is shown at once, and once the battle is over.
    """
    known = battle_of(system, timeline, viewer, switch)
    if not _has_report(known):
        raise QfError("the battle is not over: sides see its report and its film once it is")
    return known.timeline


def _has_report(known: ViewerBattle) -> bool:
    return known.at_once or bool(ended_text(known.system, known.battle))


def _fleets(known: ViewerBattle) -> Iterator[Fleet[RowKnowledge]]:
    battle = known.battle
    may = {may.ship: may for may in who_may_act(known.system, battle)} if not known.ended else {}
    for side in battle.sides:
        ships = [ship for ship in battle.ships.values() if ship.side == side.id]
        rows = tuple(_row(known, ship, may.get(ship.id)) for ship in ships)
        yield Fleet(side.id, side.name, side.id == known.viewer, rows)


def _row(known: ViewerBattle, ship: Ship, may: Available | None) -> RowKnowledge:
    row = RowKnowledge(
        id=ship.id,
        name=ship.name,
        status=ship.status,
        afloat=ship.afloat,
        whole=known.whole(ship),
        seen=_seen_of(known, ship),
    )
    if not row.whole:
        return row
    division = known.battle.division_of(ship)
    return evolve(
        row,
        division=division.name,
        player=division.player,
        cells=tuple(known.system.cell(known.battle, ship, column) for column in known.system.columns),
        may=(may.letters or may.what) if may else "",
        may_do=_may_do(known.system, may) if may else (),
    )


def _may_do(system: RuleSystem, may: Available) -> tuple[str, ...]:
    """What a ship may still do, by her letters if each has a word."""
    words = tuple(system.letters.get(letter, "") for letter in may.letters)
    return words if words and all(words) else (may.what,)


def _seen_of(known: ViewerBattle, ship: Ship) -> tuple[SeenMark, ...]:
    """What the model of a ship shows."""
    marks = (_seen_mark(known.battle, ship, field) for field in known.system.fields if field.seen)
    status = () if ship.afloat else (SeenMark(ship.status),)
    return (*status, *(mark for mark in marks if mark is not None))


def _seen_mark(battle: Battle, ship: Ship, field: Field) -> SeenMark | None:
    """What a model shows of a field; None where there is nothing to see."""
    if field.seen_as is not None:
        text = field.seen_as(battle, ship)
        return SeenMark(text) if text else None
    value = field.shown(field_value(ship, field.name))
    if value in (None, False, 0, (), ""):
        return None
    if isinstance(value, tuple):
        value = tuple(map(battle.called, value))
    return SeenMark(field.title, value)


def _owed(known: ViewerBattle, ship: str = "") -> Iterator[OwedKnowledge]:
    """What is known to be owed, or of it what a ship owes; what its dice need where all is known at once.

    What the schedule brings is known as it comes.
    """
    for owed in known.battle.owed_in_turn:
        whole = known.all_sides or known.whole(known.battle.ships.get(owed.ship))
        if whole and owed.line != SCHEDULE and ship in ("", owed.ship):
            yield OwedKnowledge(owed.ship, owed.prompt, owed.dice, owed.words, needs_of(known, owed))


def needs_of(known: ViewerBattle, owed: Owed) -> tuple[Needed | Outcome, ...]:
    """What an owed roll needs, where all is known at once."""
    if not known.at_once:
        return ()
    if owed.key not in known.needed:
        known.needed[owed.key] = to_throw(known.system, known.battle, owed)
    return known.needed[owed.key]


def _remarks(known: ViewerBattle) -> tuple[str, ...]:
    """The remarks that name the viewer or all; any other is the umpire's own."""
    found = (addressed(known.battle, text) for _, text in notes(known.timeline, known.timeline.play_order))
    own = [one.text for one in found if one is not None and one.side in (ALL, known.viewer)]
    return tuple(own[-REMARKS_MOST:])


TURNS = 2
"""Turns of which entries are shown: the present one and those before."""


def known_entries(known: ViewerBattle) -> tuple[EntryKnowledge, ...]:
    """The entries of this turn and the one before that a viewer knows anything of, in the order of play."""
    timeline, entries = known.timeline, []
    first = _first_of_turn(known, known.battle.turn - TURNS + 1)
    before = timeline.battle_at(first)
    for number in timeline.play_order[first:]:
        after = apply(before, number, timeline.rulings[number])
        entry = known_entry(known, number, before, after)
        if entry is not None:
            entries.append(entry)
        before = after
    return tuple(entries)


def _first_of_turn(known: ViewerBattle, turn: int) -> int:
    """The place behind the entry that began a turn; 0 where the battle began in it or later."""
    order = known.timeline.play_order
    for at in reversed(range(len(order))):
        begins = known.timeline.rulings[order[at]].decision.begins
        if begins is not None and begins[0] < turn:
            # The next entry that opens a phase is the first of its turn.
            later = range(at + 1, len(order))
            return next((at for at in later if known.timeline.opens_phase(order[at])), len(order))
    return 0


def last_entry(known: ViewerBattle, entries: tuple[EntryKnowledge, ...]) -> EntryKnowledge | None:
    """The latest act that a viewer knows of; where all is known at once, a correction is one.

    Of a phase that has ended it is the last that was done in it.
    """
    if known.ended:
        return next(
            (entry for entry in reversed(entries) if entry.has_order or entry.events or entry.ships), None
        )
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


def _correction(
    known: ViewerBattle, act: Correction, entries: dict[int, EntryKnowledge]
) -> EntryKnowledge | None:
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
    return EntryKnowledge(
        turn=known.battle.turn,
        phase=known.system.phase_title(known.battle),
        order=_order(timeline, about),
        why=timeline.rulings[about].decision.reasons,
        state=EntryState.STRUCK,
        others=others,
        number=about,
    )


def _private(known: ViewerBattle, number: int) -> bool:
    """Whether an act is no entry for a page, as a remark, which those whom it names read elsewhere."""
    version = known.timeline.versions.get(number)
    return version is not None and is_hidden(version)


def known_entry(known: ViewerBattle, number: int, before: Battle, after: Battle) -> EntryKnowledge | None:
    """What a viewer knows of an entry; None for nothing."""
    timeline = known.timeline
    order = timeline.versions[number].order
    if timeline.rulings[number].state is not State.STANDS or _private(known, number):
        return None
    owed = asked(timeline, number, order.key) if order.is_answer else None
    if order.is_phase_end:
        return _phase_end(known, number, before, after)
    if known.all_sides:
        return whole_entry(known, number, before, owed)
    entry = _in_part(known, number, before, after, owed)
    return None if entry.says_nothing else entry


def _at(known: ViewerBattle, battle: Battle) -> EntryKnowledge:
    return EntryKnowledge(turn=battle.turn, phase=find_phase(known.system, battle.phase).title)


def _phase_end(known: ViewerBattle, number: int, before: Battle, after: Battle) -> EntryKnowledge:
    """The end of a phase: which one begins, and what that changed on models; not what the schedule asks."""
    opens = known.timeline.opens_phase(number)
    events = _known_events(known, before, after)
    seen = [change for change in _known_changes(known, number, before) if change.field in known.seen]
    return evolve(
        _at(known, after),
        events=events,
        opens=opens,
        changes=_shown(known, after, seen, events),
        number=number if known.at_once else 0,
    )


def _shown(
    known: ViewerBattle, battle: Battle, changes: list[ValueChange], events: tuple[str, ...]
) -> tuple[ShownChange, ...]:
    """Changes without what became of ships, where events have it."""
    others = (change for change in changes if not (events and change.field == "status"))
    return shown_changes(known.system, battle, others)


def whole_entry(known: ViewerBattle, number: int, before: Battle, owed: Owed | None) -> EntryKnowledge:
    """An entry with all that it did."""
    timeline = known.timeline
    events, effect = effect_facts(known.system, timeline, number)
    ships, acting = _named(before, timeline.versions[number].order, owed)
    return evolve(
        _at(known, before),
        events=tuple(event.text for event in events),
        whole=True,
        effect=effect,
        order=_order(timeline, number),
        why=timeline.rulings[number].decision.reasons,
        ships=ships,
        acting=acting,
        state=_state(known, number),
        number=number if known.at_once else 0,
        by=timeline.log[number - 1].by,
    )


def _state(known: ViewerBattle, number: int) -> EntryState:
    """Whether an entry is disputed, or another than it was when it was entered."""
    timeline = known.timeline
    if number in known.battle.doubts:
        return EntryState.DISPUTED
    entry = timeline.log[number - 1]
    was = entry.rulings.get(number)
    same = entry.version is timeline.versions[number] and was == timeline.rulings[number]
    return EntryState.AS_ENTERED if same else EntryState.CORRECTED


def _in_part(
    known: ViewerBattle, number: int, before: Battle, after: Battle, owed: Owed | None
) -> EntryKnowledge:
    """An entry by what of it may be known to one side, or to all sides."""
    timeline, version = known.timeline, known.timeline.versions[number]
    ships, acting = _named(before, version.order, owed)
    changes = _known_changes(known, number, before)
    events = _known_events(known, before, after)
    shown = _shown(known, after, changes, events)
    entry = evolve(
        _at(known, before),
        events=events,
        joins=tuple(ship.name for id, ship in after.ships.items() if id not in before.ships),
        changes=shown,
    )
    if ships and known.whole(before.ships[ships[0]]):
        own = evolve(
            entry,
            order=_order(timeline, number),
            ships=ships,
            acting=acting,
        )
        if not all(known.whole(before.ships[id]) for id in ships):
            return own
        # The known changes have what it changed.
        effect = None if events else evolve(effect_facts(known.system, timeline, number)[1], changes=())
        by = timeline.log[number - 1].by
        return evolve(own, effect=effect, why=timeline.rulings[number].decision.reasons, by=by)
    if _named_to(known, before, ships):
        declared = owed.order if owed and owed.order else version.order
        # The call is thrown before everybody's eyes; what it throws is not.
        called = replace(declared.bare, call=version.call)
        order = OrderFacts(called, ship_names(before, declared))
        return evolve(entry, order=order, ships=ships, acting=acting)
    return evolve(entry, ships=tuple(dict.fromkeys(change.ship for change in shown)))


def _order(timeline: Timeline, number: int) -> OrderFacts:
    """An order as it is known to who gave it: an answer without the entry that asked."""
    order = timeline.versions[number].order
    slots = {name: value for name, value in order.slots.items() if not (order.is_answer and name == "key")}
    return evolve(order_facts(timeline, number, order), order=replace(order, slots=slots))


def _named(battle: Battle, order: Order, owed: Owed | None) -> tuple[tuple[str, ...], int]:
    """The ships that an order is about, the first so many as its doers; of an answer whom it was owed by."""
    if owed is not None and owed.order is None:
        return ((owed.ship,), 1) if owed.ship in battle.ships else ((), 0)
    order = owed.order if owed is not None and owed.order is not None else order
    slots = [slot for slot in order.form.slots if slot.kind.holds_ships]
    names = [[name for name in order.many(slot.name) if name in battle.ships] for slot in slots]
    return tuple(dict.fromkeys(chain(*names))), len(set(names[0])) if names else 0


def _named_to(known: ViewerBattle, battle: Battle, ships: tuple[str, ...]) -> bool:
    """Whether an order was given before the viewer's eyes: it names a ship of his, or of every side."""
    sides = {battle.ships[id].side for id in ships}
    if known.viewer == ALL:
        return len(ships) > 1 and sides == {side.id for side in battle.sides}
    return known.viewer in sides


def _known_changes(known: ViewerBattle, number: int, before: Battle) -> list[ValueChange]:
    """What an entry changed in fields that are known."""
    return known_of(known, before, effect_changes(known.system, before, effects_of(known.timeline, number)))


def known_of(known: ViewerBattle, before: Battle, changes: Iterable[ValueChange]) -> list[ValueChange]:
    """What is known of some changes, each value once, from first to last.

    Under `own-side` they are sorted by ship and field: the order in which they happened gives the dice away.
    """
    seen = [change for change in net(changes) if known.shows(before.ships.get(change.ship), change.field)]
    if known.all_sides:
        return seen
    ships, fields = list(before.ships), [field.name for field in known.system.fields]
    return sorted(seen, key=lambda change: (ships.index(change.ship), fields.index(change.field)))


def _known_events(known: ViewerBattle, before: Battle, after: Battle) -> tuple[str, ...]:
    """What became of ships, whatever else befell those that are known whole, and victory."""
    every = known.system.events(before, after)
    own = [event for event in every if not event.lost and known.whole(after.ships.get(event.ship))]
    return tuple(event.text for event in (*losses(before, after), *own, *newly_reached(before, after)))


def ship_view(
    system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch, id: str
) -> ShipKnowledge | None:
    """What a viewer may know of a ship; None if she is not in the battle that he knows."""
    known = battle_of(system, timeline, viewer, switch)
    ship = known.battle.ships.get(id)
    if ship is None:
        return None
    side = known.battle.side_name(ship.side)
    seen = ShipKnowledge(id=id, name=ship.name, side=side, status=ship.status)
    if not known.whole(ship):
        return evolve(seen, seen=_seen_of(known, ship))
    division = known.battle.division_of(ship)
    return evolve(
        seen,
        division=division.name,
        player=division.player,
        whole=True,
        sheet=tuple(system.sheet(known.battle, ship)),
        boxes=tuple(_boxes(known, ship)),
        owed=tuple(_owed(known, id)),
    )


def _boxes(known: ViewerBattle, ship: Ship) -> Iterator[LogCell[CauseKnowledge]]:
    columns = [
        (column, causes(known.system, known.timeline, ship, column)) for column in known.system.columns
    ]
    every = {cause.number: cause for _, of_column in columns for cause in of_column}
    # In the order of play each battle is folded from the one before.
    in_order = (number for number in known.timeline.play_order if number in every)
    known_causes = {number: _cause(known, every[number]) for number in in_order}
    for column, of_column in columns:
        whys = (
            evolve(known_causes[cause.number], changes=tuple(_changes(known, ship, cause)))
            for cause in of_column
        )
        cell = known.system.cell(known.battle, ship, column)
        yield LogCell(column.title, column.help, cell, tuple(whys))


def _cause(known: ViewerBattle, cause: Cause) -> CauseKnowledge:
    """An entry as the viewer knows it, with the reasons where he knows them, yet without changes."""
    after = fold(cause.before, cause.ruling.decision.effects, cause.number)
    entry = known_entry(known, cause.number, cause.before, after)
    whole = known.all_sides or bool(entry and entry.why)
    reasons = cause.ruling.decision.reasons if whole else ()
    clauses = dict.fromkeys(reason.clause for reason in reasons if reason.clause)
    return CauseKnowledge(
        turn=cause.before.turn,
        phase=find_phase(known.system, cause.before.phase).title,
        entry=entry,
        reasons=reasons,
        clauses=tuple((clause, known.system.clauses.get(clause, "")) for clause in clauses),
        number=cause.number if known.at_once else 0,
    )


def _changes(known: ViewerBattle, ship: Ship, cause: Cause) -> Iterator[ShownChange]:
    for change in known_of(known, cause.before, cause.changes):
        name = "" if change.ship == ship.id else cause.before.ships[change.ship].name
        title = field_title(known.system, change.field)
        yield ShownChange(change.ship, name, title, change.before, change.after)
