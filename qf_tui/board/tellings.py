"""Entries in words, as far as a viewer may know them.

With the logs of all sides each entry is told whole. Under `own-side` it is told by what it changed on ships
whose fields are known, its order by who named a ship of the viewer's, its dice and reasons to their own side.
"""

from collections.abc import Iterable
from itertools import chain

from attrs import evolve, frozen

from qf_tui.board.values import ALL, Known, Telling, effects_of, is_unheard, opens_phase
from qf_tui.core.decisions import Op
from qf_tui.core.declarations import losses
from qf_tui.core.grammar.forms import Order
from qf_tui.core.revisions import ValueChange
from qf_tui.core.schedule import newly_reached
from qf_tui.core.system import find_phase
from qf_tui.core.timeline import Correction, Entry, State, Timeline, apply
from qf_tui.core.values import Battle, Owed
from qf_tui.document.acts import asked, effect_of, entry_order_words, order_words, reasons_text, turn_text
from qf_tui.session.changes import JOINT, changed_text, effect_changes, net

TURNS = 2
"""Turns of which entries are told: the present one and those before."""
STRUCK, CORRECTED, DISPUTED, FORCED = "taken back", "corrected", "disputed", "forced"


def tellings(known: Known) -> tuple[Telling, ...]:
    """The entries of this turn and the one before that a viewer knows anything of, in the order of play."""
    timeline, found = known.timeline, []
    first = _first_of_turn(known, known.battle.turn - TURNS + 1)
    before = timeline.battle_at(first)
    for number in timeline.play_order[first:]:
        after = apply(before, number, timeline.rulings[number])
        told = telling(known, number, before, after)
        if told is not None:
            found.append(told)
        before = after
    return tuple(found)


def _first_of_turn(known: Known, turn: int) -> int:
    """The place behind the entry that began a turn; 0 where the battle began in it or later."""
    order = known.timeline.play_order
    for at in reversed(range(len(order))):
        for effect in effects_of(known.timeline, order[at]):
            if effect.op is Op.PHASE and isinstance(effect.value, tuple) and effect.value[0] < turn:
                return _opening_behind(known, at + 1)
    return 0


def _opening_behind(known: Known, place: int) -> int:
    """The place of the next entry that opens a phase, which is the first of its turn."""
    order = known.timeline.play_order
    opening = (at for at in range(place, len(order)) if opens_phase(known.timeline, order[at]))
    return next(opening, len(order))


def last_telling(known: Known, told: tuple[Telling, ...]) -> Telling | None:
    """The latest act that a viewer knows of; where all is known at once, a correction is one.

    Of a phase that has ended it is the last that was done in it.
    """
    if known.ended:
        return next((one for one in reversed(told) if one.order or one.events or one.ships), None)
    if not known.at_once:
        return told[-1] if told else None
    by_number = {one.number: one for one in told}
    for act in reversed(known.timeline.log):
        found = by_number.get(act.number) if isinstance(act, Entry) else _correction(known, act, by_number)
        if found is not None:
            return found
        if isinstance(act, Entry) and known.timeline.counts(act.number) and not _private(known, act.number):
            return None
    return None


def _correction(known: Known, act: Correction, told: dict[int, Telling]) -> Telling | None:
    """What became of the entry that a correction is about, and how many more there are."""
    timeline = known.timeline
    targets = [number for number in act.targets if not _private(known, number)]
    about = next((number for number in targets if isinstance(timeline.act(number), Entry)), None)
    if about is None or not timeline.counts(act.number):
        return None
    more = f", and {len(targets) - 1} more" if len(targets) > 1 else ""
    now = told.get(about)
    if now is not None:
        return evolve(now, note=f"{CORRECTED}{more}")
    if timeline.counts(about):
        return None
    return Telling(
        known.battle.turn,
        known.system.phase_title(known.battle),
        order=_words(timeline, about) or _reasons(timeline, about),
        dice=timeline.versions[about].dice,
        call=_call(timeline, about),
        note=f"{STRUCK}{more}",
        number=about,
    )


def _private(known: Known, number: int) -> bool:
    """Whether an act is no entry that is told, as a remark, which those whom it names read elsewhere."""
    version = known.timeline.versions.get(number)
    return version is not None and is_unheard(version)


def telling(known: Known, number: int, before: Battle, after: Battle) -> Telling | None:
    """One entry of the timeline as far as a viewer knows it; None where it knows nothing of it."""
    timeline = known.timeline
    order = timeline.versions[number].order
    if timeline.rulings[number].state is not State.STANDS or _private(known, number):
        return None
    owed = asked(timeline, number, order.key) if order.is_answer else None
    if order.is_phase_end:
        return _phase_end(known, number, before, after)
    told = _whole(known, number, before, owed) if known.all_sides else None
    return told or (None if known.all_sides else _in_part(known, number, before, after, owed))


def _at(known: Known, battle: Battle) -> Telling:
    return Telling(battle.turn, find_phase(known.system, battle.phase).title)


def _phase_end(known: Known, number: int, before: Battle, after: Battle) -> Telling:
    """The end of a phase: which one begins, and what that changed on models; not what the schedule asks."""
    opens = opens_phase(known.timeline, number)
    said = [turn_text(known.system, after.turn, after.phase)] if opens else []
    events = _known_events(known, before, after)
    seen = [one for one in _known_changes(known, number, before) if one.field in known.seen]
    changes = _but_events(seen, events)
    text = " · ".join((*said, *([changed_text(known.system, after, changes, "")] if changes else [])))
    told = evolve(_at(known, after), events=events, text=text)
    return evolve(told, number=number if known.at_once else 0)


def _but_events(changes: list[ValueChange], events: tuple[str, ...]) -> list[ValueChange]:
    """Changes without what became of ships, where events tell of it."""
    return [one for one in changes if not (events and one.field == "status")]


def _whole(known: Known, number: int, before: Battle, owed: Owed | None) -> Telling:
    """An entry with all that it did."""
    deed = effect_of(known.system, known.timeline, number)
    events = tuple(event.text for event in deed.events)
    order = _words(known.timeline, number)
    told = evolve(_at(known, before), events=events, text=JOINT.join(deed.parts), order=order, dice=deed.dice)
    told = evolve(told, call=_call(known.timeline, number))
    named = _named(before, known.timeline.versions[number].order, owed)
    return evolve(
        told,
        why=deed.why,
        ships=named.ships,
        acting=named.acting,
        note=_note(known, number),
        number=number if known.at_once else 0,
    )


def _note(known: Known, number: int) -> str:
    """Whether an entry is disputed, or another than it was when it was entered."""
    timeline = known.timeline
    if not known.all_sides:
        return ""
    if number in known.battle.doubts:
        return DISPUTED
    entry = timeline.log[number - 1]
    was = entry.rulings.get(number)
    same = entry.version is timeline.versions[number] and was == timeline.rulings[number]
    return "" if same else CORRECTED


def _in_part(known: Known, number: int, before: Battle, after: Battle, owed: Owed | None) -> Telling | None:
    """An entry by what of it may be known to one side, or to all sides."""
    version = known.timeline.versions[number]
    named = _named(before, version.order, owed)
    ships = named.ships
    own = bool(ships) and known.whole(before.ships[ships[0]])
    changes = _known_changes(known, number, before)
    events = _known_events(known, before, after)
    said = [f"{after.ships[id].name} joins" for id in after.ships if id not in before.ships]
    changes = _but_events(changes, events)
    said += [changed_text(known.system, after, changes, "")] if changes else []
    told = evolve(_at(known, before), events=events, text=" · ".join(said))
    if own:
        whole = all(known.whole(before.ships[id]) for id in ships)
        why = _reasons(known.timeline, number) if whole else ""
        order = _words(known.timeline, number) if whole else entry_order_words(known.timeline, number)
        lead = effect_of(known.system, known.timeline, number).lead if whole and not events else ""
        text = told.text or lead or ("" if order or events else why)
        told = evolve(told, text=text, order=order, dice=version.dice, why=why)
        told = evolve(told, call=_call(known.timeline, number), ships=ships, acting=named.acting)
    elif _named_to(known, before, ships):
        declared = owed.order if owed and owed.order else version.order
        told = evolve(told, order=order_words(before, declared.bare), ships=ships, acting=named.acting)
    else:
        told = evolve(told, ships=tuple(dict.fromkeys(one.ship for one in changes)))
    return told if told.events or told.text or told.order else None


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


def _named_to(known: Known, battle: Battle, ships: tuple[str, ...]) -> bool:
    """Whether an order was given before the viewer's eyes: it names a ship of his, or of every side."""
    sides = {battle.ships[id].side for id in ships}
    if known.viewer == ALL:
        return len(ships) > 1 and sides == {side.id for side in battle.sides}
    return known.viewer in sides


def _known_changes(known: Known, number: int, before: Battle) -> list[ValueChange]:
    """What an entry changed in fields that are known."""
    return known_of(
        known, before, effect_changes(known.system, before, effects_of(known.timeline, number), number)
    )


def known_of(known: Known, before: Battle, changes: Iterable[ValueChange]) -> list[ValueChange]:
    """What is known of some changes, each value once, from first to last.

    Under `own-side` they stand in the order of ships and fields: that in which they happened tells the dice.
    """
    seen = [one for one in net(changes) if known.shows(before.ships.get(one.ship), one.field)]
    if known.all_sides:
        return seen
    ships, fields = list(before.ships), [field.name for field in known.system.fields]
    return sorted(seen, key=lambda one: (ships.index(one.ship), fields.index(one.field)))


def _known_events(known: Known, before: Battle, after: Battle) -> tuple[str, ...]:
    """What became of ships, whatever else befell those that are known whole, and victory."""
    every = known.system.events(before, after)
    own = [event for event in every if not event.lost and known.whole(after.ships.get(event.ship))]
    return tuple(event.text for event in (*losses(before, after), *own, *newly_reached(before, after)))


def _words(timeline: Timeline, number: int) -> str:
    """An order in words; "" for one that has no sentence, as a move: its reasons say what was done."""
    version = timeline.versions[number]
    if version.order.form.says or version.order.is_answer or version.dice or not _reasons(timeline, number):
        return entry_order_words(timeline, number)
    return FORCED if version.order.forced else ""


def _call(timeline: Timeline, number: int) -> str:
    """The number that was called for an entry's dice, "" where they were thrown by hand."""
    call = timeline.versions[number].order.call
    return "" if call is None else str(call)


def _reasons(timeline: Timeline, number: int) -> str:
    decision = timeline.rulings[number].decision
    return reasons_text(decision.reasons)
