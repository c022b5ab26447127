"""Who may still act, worked out once for each battle, and whether a phase has anything left to happen."""

from collections.abc import Mapping

from attrs import evolve

from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.order import Order, SlotValue
from qf_tui.core.possible_orders import accepts_some, possible_orders
from qf_tui.core.ranges import RangeBook, range_book, range_slot
from qf_tui.core.system import Available, RuleSystem, find_phase
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle

KEPT = 4
"""Battles whose answer is kept: the one on the screen, and those that are looked at beside it."""

_known: list[tuple[RuleSystem, Battle, tuple[Available, ...]]] = []


def who_may_act(system: RuleSystem, battle: Battle) -> tuple[Available, ...]:
    """The ships that may still act in a battle, as its system says; the same value is asked of it once."""
    for place, (of, known, found) in enumerate(_known):
        if known is battle and of is system:
            _known.append(_known.pop(place))
            return found
    found = system.may_act(battle)
    _known.append((system, battle, found))
    del _known[:-KEPT]
    return found


_reaching: list[tuple[RuleSystem, Timeline, tuple[Available, ...]]] = []


def who_can_reach(system: RuleSystem, timeline: Timeline) -> tuple[Available, ...]:
    """The ships that may still act, with what can reach somebody, as far as ranges are known of each ship.

    A ship of which no range is known that still holds does all that it may. It is worked out once.
    """
    if not _reaching or _reaching[0][0] is not system or _reaching[0][1] is not timeline:
        may, found = who_may_act(system, timeline.battle), []
        book = range_book(system, timeline) if any(one.ways for one in may) else RangeBook({})
        for one in may:
            names = one.what if one.what == one.letters else one.what.split(" ")
            left = [
                place
                for place, (word, slots) in enumerate(one.ways)
                if _reaches(system, timeline.battle, one.ship, word, slots, book)
            ]
            if len(left) == len(one.ways):
                found.append(one)
            elif left:
                what = ("" if names == one.what else " ").join(names[place] for place in left)
                letters = "".join(one.letters[place] for place in left)
                found.append(evolve(one, what=what, order=one.ways[left[0]][0], letters=letters))
        _reaching[:] = [(system, timeline, tuple(found))]
    return _reaching[0][2]


def _reaches(
    system: RuleSystem, battle: Battle, id: str, word: str, slots: Mapping[str, SlotValue], book: RangeBook
) -> bool:
    """Whether a ship reaches somebody to whom its range is known; if nobody is known to be too far, it may.

    A target is out of reach if the rules refuse it at its range alone.
    """
    form = next(form for form in system.forms if form.word == word)
    slot = range_slot(form)
    if slot is None:
        return True
    ship, actor = battle.ships[id], form.slots[0]
    firing: SlotValue = (id,) if actor.kind is kinds.SHIPS else id
    beyond = False
    for pair in book.pairs:
        other = next(iter(pair - {id}), "")
        if id not in pair or battle.ships[other].side == ship.side:
            continue
        given = {**slots, slot.to: other}
        read_by = system.range_read_by(battle, Order(form, {actor.name: firing, **given}))
        known = book.between(pair, slot, read_by)
        if known is None or known.old:
            continue
        there = possible_orders(form, battle, ship, given={**given, slot.name: known.value}, optional=False)
        if accepts_some(system.prepare, battle, there):
            return True
        nearer = possible_orders(form, battle, ship, given=given, optional=False)
        beyond = beyond or accepts_some(system.prepare, battle, nearer)
    return not beyond


def phase_is_empty(system: RuleSystem, battle: Battle) -> bool:
    """Whether nothing can happen in the phase: nothing owed or in doubt, nobody to act, no order for it.

    Where its rules say that it passes, orders that belong to it do not hold it.
    """
    if battle.owed or battle.doubts or who_may_act(system, battle):
        return False
    if find_phase(system, battle.phase).passes:
        return True
    return not any(battle.phase in form.phases or not form.phases for form in system.forms)
