"""The range book: what the entries in force measured between two ships, and which of it still holds.

A range stays for its two ships, whichever of them fires, until one of them may have moved. It is folded from
a timeline and never stored. Ranges along a line of ships may be estimated between two that were measured.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.core.decisions import Op
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.text import Distance
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Form, Order, Slot, SlotValue

REACH = 400
"""Entries that are looked back through."""

ShipPair = frozenset[str]


@frozen
class Measured:
    """What an order measured between two ships.

    `read_by` is what a figure or word is read by that is no distance: the stick of a calibre. `old`: one of
    the two has moved since, or may have.
    """

    ships: ShipPair
    slot: str
    value: SlotValue
    read_by: str = ""
    old: bool = False

    def fits(self, slot: Slot, read_by: str) -> bool:
        """Whether a slot may hold it: a distance always, what is read by a stick only by the same."""
        if isinstance(self.value, Distance):
            return True
        words = self.value in slot.choices if isinstance(self.value, str) else slot.bare
        return words and self.read_by == read_by


def range_slot(form: Form) -> Slot | None:
    """The slot of a form that holds a range, or None."""
    return next((slot for slot in form.slots if slot.to), None)


def measured(system: RuleSystem, battle: Battle, order: Order) -> Measured | None:
    """What an order measures between two ships; None where it measures nothing, or not for one ship."""
    slot = range_slot(order.form)
    if slot is None or slot.name not in order.slots:
        return None
    firing, target = order.many(order.form.slots[0].name), order.text(slot.to)
    if len(firing) != 1 or any(id not in battle.ships for id in (*firing, target)):
        return None
    value = order.slots[slot.name]
    read_by = "" if isinstance(value, Distance) else system.range_read_by(battle, order)
    return Measured(frozenset((*firing, target)), slot.name, value, read_by)


@frozen
class RangeBook:
    """What is known of the range between ships, the newest measure first."""

    pairs: Mapping[ShipPair, tuple[Measured, ...]]

    def between(self, ships: ShipPair, slot: Slot, read_by: str = "") -> Measured | None:
        """The newest measure between two ships that a slot may hold, or None."""
        known = self.pairs.get(ships, ())
        return next((one for one in known if one.fits(slot, read_by)), None)


def range_book(system: RuleSystem, timeline: Timeline) -> RangeBook:
    """The book of a timeline: ranges since the last movement, and those of before it as old.

    Movements of two turns make a range worthless, unless its ships stood still in one of them.
    """
    found: dict[ShipPair, list[Measured]] = {}
    movers: list[frozenset[str]] = []
    behind = len(timeline.play_order)
    for place in reversed(range(max(0, behind - REACH), behind)):
        number = timeline.play_order[place]
        one = measured(system, timeline.battle, timeline.versions[number].order)
        moves = sum(bool(one.ships & moved) for moved in movers) if one is not None else 0
        if one is not None and moves < 2:
            found.setdefault(one.ships, []).append(evolve(one, old=bool(moves)))
        for effect in reversed(timeline.rulings[number].decision.effects):
            if effect.op is Op.PHASE:
                if find_phase(system, effect.field).moves:
                    movers.append(_movers(system, timeline.battle_at(behind)))
                behind = place
        if len(movers) > 1 and _all_moved_twice(timeline.battle, movers):
            break
    return RangeBook({pair: tuple(each) for pair, each in found.items()})


def _movers(system: RuleSystem, battle: Battle) -> frozenset[str]:
    """The ships that are not recorded as having stood still in the latest movement of a battle."""
    return frozenset(id for id, ship in battle.ships.items() if not system.stood_still(battle, ship))


def _all_moved_twice(battle: Battle, movers: Sequence[frozenset[str]]) -> bool:
    """Whether no pair of ships can still be known by what was measured earlier."""
    still = [id for id in battle.ships if sum(id in moved for moved in movers) < 2]
    return len(still) < 2


def along_line(
    system: RuleSystem, battle: Battle, orders: Sequence[Order], first: SlotValue, last: SlotValue
) -> tuple[SlotValue | None, ...]:
    """The ranges of the ships between the first and the last of a line, whose own were measured.

    `orders` are those of the ships between, whatever range they hold. None for one for whom both ends do not
    lie in the same bracket. What both ends name alike is theirs too.
    """
    shares = (Fraction(place, len(orders) + 1) for place in range(1, len(orders) + 1))
    return tuple(
        _between(system, battle, order, first, last, share)
        for order, share in zip(orders, shares, strict=True)
    )


def _between(
    system: RuleSystem, battle: Battle, order: Order, first: SlotValue, last: SlotValue, share: Fraction
) -> SlotValue | None:
    slot = range_slot(order.form)
    if slot is None:
        return None
    ends = [system.bracket(battle, order.with_slot(slot.name, end)) for end in (first, last)]
    if not ends[0] or ends[0] != ends[1]:
        return None
    if not isinstance(first, Distance) or not isinstance(last, Distance):
        return first if first == last else None
    if first.amount == last.to(first.unit):
        return evolve(first, estimated=True)
    amount = first.amount + (last.to(first.unit) - first.amount) * share
    return Distance(_within(amount, first.amount, last.to(first.unit)), first.unit, estimated=True)


def _within(amount: Fraction, first: Fraction, last: Fraction) -> Fraction:
    """An estimate as a whole number where one lies between both ends, else to a tenth."""
    whole = Fraction(round(amount))
    return whole if min(first, last) <= whole <= max(first, last) else Fraction(round(amount * 10), 10)
