"""`view` and `ship_view` decide what a viewer may know, and word it; pages are made of them alone.

A viewer who knows the logs of all sides knows every entry in full. Under `own-side` he knows what it changed
on ships whose fields he knows, the order if it names one of his ships, and dice and reasons of his own side.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from attrs import evolve

from qf_tui.core.availability import who_may_act
from qf_tui.core.decisions import Reason, field_value, fold
from qf_tui.core.declarations import Available, losses
from qf_tui.core.errors import QfError
from qf_tui.core.odds import Sought
from qf_tui.core.revisions import Cause, ValueChange, causes, effect_changes, net
from qf_tui.core.schedule import SCHEDULE, newly_reached, standings
from qf_tui.core.system import Field, RuleSystem, find_phase
from qf_tui.core.timeline import Correction, Entry, State, Timeline, apply
from qf_tui.core.values import Battle, Order, Owed, Ship, dice_code, replace
from qf_tui.document.acts import (
    addressed,
    asked,
    change_text,
    changed_text,
    effect_facts,
    effect_of,
    ended_text,
    notes,
    order_facts,
    ship_names,
)
from qf_tui.document.words import (
    JOINT,
    OrderFacts,
    chart_text,
    each_once,
    effect_text,
    order_or_answer,
    reason_text,
    reasons_text,
    state_text,
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
    battle_of,
    effects_of,
    is_hidden,
)
from qf_tui.features.sealed_dice.seal import revealed_by
from qf_tui.session.session import to_throw

NOT_SEALED = Sealing()
CORRECTED, DISPUTED, TAKEN_BACK = "corrected", "disputed", "taken back"
"""What became of an entry after it was entered."""
FORCED = "forced"
"""The order of a forced entry that has no words but what it did."""
REMARKS_MOST = 12
"""Remarks that are shown, the latest."""


def view(
    system: RuleSystem,
    timeline: Timeline,
    viewer: str,
    switch: BoardSwitch,
    sealing: Sealing = NOT_SEALED,
    needed: Needs | None = None,
) -> View:
    """Word all that a viewer may know of a battle.

    Two battles that differ only in what the viewer may not know have equal views.

    Args:
        viewer: The id of a side, or `ALL`.
        sealing: The sealed dice as the battle began with them; once the seed is revealed no call throws.
        needed: What owed rolls need, kept for the other viewers of the same battle.
    """
    known = battle_of(system, timeline, viewer, switch, needed)
    battle = known.battle
    side = battle.side(viewer)
    entries = known_entries(known)
    names = [phase.name for phase in system.phases]
    return View(
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
        tellings=entries,
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


def _fleets(known: ViewerBattle) -> Iterator[SideLogs]:
    battle = known.battle
    may = {may.ship: may for may in who_may_act(known.system, battle)} if not known.ended else {}
    for side in battle.sides:
        ships = [ship for ship in battle.ships.values() if ship.side == side.id]
        rows = tuple(_row(known, ship, may.get(ship.id)) for ship in ships)
        yield SideLogs(side.id, side.name, side.id == known.viewer, rows)


def _row(known: ViewerBattle, ship: Ship, may: Available | None) -> LogRow:
    row = LogRow(
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
        may_say=_may_do(known.system, may) if may else "",
    )


def _may_do(system: RuleSystem, may: Available) -> str:
    """Word what a ship may still do, by her letters if each has a word."""
    words = [system.letters.get(letter, "") for letter in may.letters]
    return ", ".join(words) if words and all(words) else may.what


def _seen_of(known: ViewerBattle, ship: Ship) -> tuple[str, ...]:
    """Word what the model of a ship shows."""
    marks = (_seen_mark(known.battle, ship, field) for field in known.system.fields if field.seen)
    return tuple(filter(None, ("" if ship.afloat else ship.status, *marks)))


def _seen_mark(battle: Battle, ship: Ship, field: Field) -> str:
    """Word what a model shows of a field: `fires 2`; "" if there is nothing to see."""
    if field.seen_as is not None:
        return field.seen_as(battle, ship)
    value = field.shown(field_value(ship, field.name))
    if value in (None, False, 0, (), ""):
        return ""
    if isinstance(value, tuple):
        value = tuple(map(battle.called, value))
    return state_text(field.title, value)


def _owed(known: ViewerBattle, ship: str = "") -> Iterator[OwedView]:
    """What is known to be owed, or of it what a ship owes; what its dice need where all is known at once.

    What the schedule brings is known as it comes.
    """
    for owed in known.battle.owed_in_turn:
        whole = known.all_sides or known.whole(known.battle.ships.get(owed.ship))
        if whole and owed.line != SCHEDULE and ship in ("", owed.ship):
            dice = dice_code(owed.dice) if owed.dice else " or ".join(owed.words)
            yield OwedView(owed.ship, owed.prompt, dice, tuple(map(str, needs_of(known, owed))))


def needs_of(known: ViewerBattle, owed: Owed) -> tuple[Sought, ...]:
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


def known_entries(known: ViewerBattle) -> tuple[EntryView, ...]:
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


def last_entry(known: ViewerBattle, entries: tuple[EntryView, ...]) -> EntryView | None:
    """The latest act that a viewer knows of; where all is known at once, a correction is one.

    Of a phase that has ended it is the last that was done in it.
    """
    if known.ended:
        return next(
            (entry for entry in reversed(entries) if entry.order or entry.events or entry.ships), None
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


def _correction(known: ViewerBattle, act: Correction, entries: dict[int, EntryView]) -> EntryView | None:
    """What became of the entry that a correction is about, and how many more there are."""
    timeline = known.timeline
    targets = [number for number in act.targets if not _private(known, number)]
    about = next((number for number in targets if isinstance(timeline.act(number), Entry)), None)
    if about is None or not timeline.counts(act.number):
        return None
    now, others = entries.get(about), f", and {len(targets) - 1} more" if len(targets) > 1 else ""
    if now is not None:
        return evolve(now, note=f"{CORRECTED}{others}")
    if timeline.counts(about):
        return None
    reasons = timeline.rulings[about].decision.reasons
    entry = _with_order(_at(known, known.battle), _order(timeline, about), reasons)
    return evolve(entry, order=entry.order or entry.why, why="", note=f"{TAKEN_BACK}{others}", number=about)


def _private(known: ViewerBattle, number: int) -> bool:
    """Whether an act is no entry for a page, as a remark, which those whom it names read elsewhere."""
    version = known.timeline.versions.get(number)
    return version is not None and is_hidden(version)


def known_entry(known: ViewerBattle, number: int, before: Battle, after: Battle) -> EntryView | None:
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
    return entry if entry.events or entry.text or entry.order else None


def _at(known: ViewerBattle, battle: Battle) -> EntryView:
    return EntryView(turn=battle.turn, phase=find_phase(known.system, battle.phase).title)


def _with_order(entry: EntryView, facts: OrderFacts, reasons: tuple[Reason, ...] = ()) -> EntryView:
    """Add the order, its dice and the reasons to what is shown of an entry.

    An order that has no sentence, as a move, gets no words if there are reasons: they say what was done.
    """
    order = facts.order
    text = FORCED if order.forced else ""
    if order.form.says or order.is_answer or order.dice or not reasons:
        text = order_or_answer(facts)
    call = f"{order.call:02}" if order.call is not None else ""
    why = reasons_text(reason for reason in reasons if not reason.asks)
    return evolve(entry, order=text, dice=order.dice, call=call, why=why)


def _phase_end(known: ViewerBattle, number: int, before: Battle, after: Battle) -> EntryView:
    """The end of a phase: which one begins, and what that changed on models; not what the schedule asks."""
    opens = known.timeline.opens_phase(number)
    events = _known_events(known, before, after)
    seen = [change for change in _known_changes(known, number, before) if change.field in known.seen]
    entry = _at(known, after)
    began = f"turn {entry.turn}, {entry.phase}" if opens else ""
    text = JOINT.join(filter(None, (began, _changes_text(known, after, seen, events))))
    return evolve(entry, events=events, text=text, number=number if known.at_once else 0)


def _changes_text(
    known: ViewerBattle, battle: Battle, changes: list[ValueChange], events: tuple[str, ...]
) -> str:
    """Word changes, without what became of ships if events say it."""
    others = (change for change in changes if not (events and change.field == "status"))
    return changed_text(known.system, battle, others, "")


def whole_entry(known: ViewerBattle, number: int, before: Battle, owed: Owed | None) -> EntryView:
    """An entry with all that it did."""
    timeline = known.timeline
    effect = effect_of(known.system, timeline, number)
    ships, acting = _named(before, timeline.versions[number].order, owed)
    reasons = timeline.rulings[number].decision.reasons
    return evolve(
        _with_order(_at(known, before), _order(timeline, number), reasons),
        events=tuple(event.text for event in effect.events),
        text=JOINT.join(effect.parts),
        ships=ships,
        acting=acting,
        note=_note(known, number),
        number=number if known.at_once else 0,
        by=timeline.log[number - 1].by,
    )


def _note(known: ViewerBattle, number: int) -> str:
    """Say that an entry is disputed, or differs from what was entered; "" if neither."""
    timeline = known.timeline
    if number in known.battle.doubts:
        return DISPUTED
    entry = timeline.log[number - 1]
    was = entry.rulings.get(number)
    same = entry.version is timeline.versions[number] and was == timeline.rulings[number]
    return "" if same else CORRECTED


def _in_part(known: ViewerBattle, number: int, before: Battle, after: Battle, owed: Owed | None) -> EntryView:
    """An entry by what of it may be known to one side, or to all sides."""
    timeline, version = known.timeline, known.timeline.versions[number]
    ships, acting = _named(before, version.order, owed)
    changes = _known_changes(known, number, before)
    events = _known_events(known, before, after)
    joins = (f"{ship.name} joins" for id, ship in after.ships.items() if id not in before.ships)
    text = JOINT.join(filter(None, (*joins, _changes_text(known, after, changes, events))))
    entry = evolve(_at(known, before), events=events, text=text)
    if not ships or not (known.whole(before.ships[ships[0]]) or _named_to(known, before, ships)):
        shown = (change.ship for change in changes if not (events and change.field == "status"))
        return evolve(entry, ships=tuple(dict.fromkeys(shown)))
    entry = evolve(entry, ships=ships, acting=acting)
    if not known.whole(before.ships[ships[0]]):
        declared = owed.order if owed and owed.order else version.order
        # The call is thrown before everybody's eyes; what it throws is not.
        called = replace(declared.bare, call=version.call)
        return _with_order(entry, OrderFacts(called, ship_names(before, declared)))
    if not _knows_whole(known, before, ships):
        return _with_order(entry, _order(timeline, number))
    entry = _with_order(entry, _order(timeline, number), timeline.rulings[number].decision.reasons)
    # The known changes say what it changed.
    facts = evolve(effect_facts(known.system, timeline, number)[1], changes=())
    text = text or ("" if events else effect_text(facts).lead) or ("" if entry.order or events else entry.why)
    return evolve(entry, text=text, by=timeline.log[number - 1].by)


def _knows_whole(known: ViewerBattle, before: Battle, ships: tuple[str, ...]) -> bool:
    """Return whether a viewer may read the reasons for what was done to and by some ships."""
    return known.all_sides or (bool(ships) and all(known.whole(before.ships[id]) for id in ships))


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
) -> ShipView | None:
    """Word what a viewer may know of a ship; return None if she is not in the battle that he knows."""
    known = battle_of(system, timeline, viewer, switch)
    ship = known.battle.ships.get(id)
    if ship is None:
        return None
    side = known.battle.side_name(ship.side)
    seen = ShipView(id=id, name=ship.name, side=side, status=ship.status)
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


def _boxes(known: ViewerBattle, ship: Ship) -> Iterator[LogColumn]:
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
        yield LogColumn(column.title, column.help, cell, tuple(whys))


def _cause(known: ViewerBattle, cause: Cause) -> CauseView:
    """Word an entry as the viewer knows it, with the reasons if he may read them, yet without changes."""
    after = fold(cause.before, cause.ruling.decision.effects, cause.number)
    entry = known_entry(known, cause.number, cause.before, after)
    order = known.timeline.versions[cause.number].order
    owed = asked(known.timeline, cause.number, order.key) if order.is_answer else None
    ships, _ = _named(cause.before, order, owed)
    whole = known.all_sides or (entry is not None and _knows_whole(known, cause.before, ships))
    reasons = cause.ruling.decision.reasons if whole else ()
    clauses = dict.fromkeys(reason.clause for reason in reasons if reason.clause)
    return CauseView(
        turn=cause.before.turn,
        phase=find_phase(known.system, cause.before.phase).title,
        order=entry.order if entry else "",
        dice=entry.dice if entry else (),
        call=entry.call if entry else "",
        reasons=tuple(
            JOINT.join(filter(None, (f"{reason_text(reason)}{times}", chart_text(reason))))
            for reason, times in each_once(reasons)
        ),
        clauses=tuple((clause, known.system.clauses.get(clause, "")) for clause in clauses),
        number=cause.number if known.at_once else 0,
    )


def _changes(known: ViewerBattle, ship: Ship, cause: Cause) -> Iterator[str]:
    """Word each change that an entry made in a box: `heavy ROF: 6 → 5`; another ship is named."""
    for change in known_of(known, cause.before, cause.changes):
        name = "" if change.ship == ship.id else f"{cause.before.ships[change.ship].name}, "
        yield f"{name}{change_text(known.system, change, ': ')}"
